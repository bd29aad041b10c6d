export * from './contract.js'
