/** Our own attacks, played in worlds by an engine that obeys. */
export * from './attack.js'
export * from './collection.js'
export * from './deliveries.js'
export * from './measure.js'
export * from './play.js'
export * from './strikes.js'
