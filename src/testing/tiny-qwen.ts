/**
 * Configuration of a Qwen3.5-shaped model of some ten thousand parameters, in the terms of transformers. `changes` replace
 * or add entries; the vocabulary's size is always one of them, or left to what reads it.
 */
export function tinyQwen(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    model_type: 'qwen3_5_text',
    hidden_size: 32,
    intermediate_size: 48,
    num_hidden_layers: 4,
    num_attention_heads: 2,
    num_key_value_heads: 1,
    head_dim: 16,
    linear_conv_kernel_dim: 4,
    linear_key_head_dim: 16,
    linear_value_head_dim: 16,
    linear_num_key_heads: 2,
    linear_num_value_heads: 2,
    full_attention_interval: 4,
    max_position_embeddings: 256,
    tie_word_embeddings: true,
    ...changes,
  }
}
