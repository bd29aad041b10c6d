export { type BfclSummary, type CategoryScore, summarizeBfcl } from './bfcl/aggregate.js'
export { type BootstrapOptions, bootstrap, type Estimate } from './bootstrap.js'
export { benchmarkPath, MissingDataError } from './datasets-place.js'
export { readVerdictLines, VerdictFileError, VerdictLine } from './verdict-file.js'
export {
  type Disagreement,
  type LineVerifier,
  type OpenVerifier,
  registerVerifier,
  UnknownSuiteError,
  type VerifierContext,
  type VerifyResult,
  verifierNames,
  verifyFile,
} from './verify.js'

import './verifiers.js'
