export * from './contract.js'
export * from './errors.js'
export { LlamaEngine, type LlamaOptions } from './llama/engine.js'
export { physicalCores } from './llama/threads.js'
