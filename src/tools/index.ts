/** The tool contract, registry, shortlist, argument validation, and the grammar of calls. */
export * from './closest.js'
export * from './contract.js'
export { CALL_CLOSING, CALL_OPENING, callGrammar } from './grammar.js'
export * from './registry.js'
export * from './shortlist.js'
export { toolSpec } from './tool-spec.js'
export * from './validate.js'
