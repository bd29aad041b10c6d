/** Recorded runs of AgentDojo, replayed through the host with an obedient engine. */
export * from './goals.js'
export * from './measure.js'
export * from './records.js'
export * from './replay.js'
export * from './report.js'
export * from './tools.js'
