import { registerVerifier } from './verify.js'

// One entry a suite; importing this file makes all verifiers known. The code of a suite loads when it is used.
registerVerifier('bfcl_v4_agentic', async () => (await import('./bfcl/verify-agentic.js')).openAgenticVerifier)
registerVerifier('mmlu_pro', async () => (await import('./mmlu-pro/verify-mmlu-pro.js')).openMmluProVerifier)
registerVerifier('ifeval', async () => (await import('./ifeval/verify-ifeval.js')).openIfevalVerifier)
registerVerifier(
  'bfcl_v4_single_turn',
  async () => (await import('./bfcl/verify-single-turn.js')).openSingleTurnVerifier,
)
registerVerifier('bfcl_v4_format', async () => (await import('./bfcl/verify-format.js')).openFormatVerifier)
registerVerifier('ifbench', async () => (await import('./ifbench/verify-ifbench.js')).openIfbenchVerifier)
registerVerifier('acebench', async () => (await import('./acebench/verify-acebench.js')).openAceBenchVerifier)
registerVerifier('bfcl_v4_multi_turn', async () => (await import('./bfcl/verify-multi-turn.js')).openMultiTurnVerifier)
