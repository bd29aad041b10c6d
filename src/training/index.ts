export * from './sft/index.js'
