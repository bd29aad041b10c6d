"""A random Qwen3.5 model saved by transformers, and what transformers makes of prompts: the reference of src/engine/parity.test.ts.

Called with a folder that holds tokenizer.json, and JSON on standard input:
{"vocabulary": int, "key_heads": int, "value_heads": int, "tied": bool, "silent": [token id], "steps": int, "prompts": [[token id]]}.
Writes config.json and model.safetensors into the folder, and prints {"tokens": [[id]], "logprobs": [float], "gaps": [float]}: of
each prompt the greedy continuation, the natural-log probability of its first token, and the smallest distance between the best and
the second-best log-probability on the way (a small one lets rounding decide). Tokens named `silent` are never chosen.
"""

import json
import sys

import torch
from transformers import Qwen3_5ForCausalLM, Qwen3_5TextConfig


def make_model(job: dict) -> Qwen3_5ForCausalLM:
    torch.manual_seed(7)
    config = Qwen3_5TextConfig(
        vocab_size=job["vocabulary"],
        hidden_size=64,
        intermediate_size=96,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=32,
        linear_num_key_heads=job["key_heads"],
        linear_num_value_heads=job["value_heads"],
        linear_key_head_dim=16,
        linear_value_head_dim=16,
        linear_conv_kernel_dim=4,
        max_position_embeddings=2048,
        tie_word_embeddings=job["tied"],
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 10000.0,
            "partial_rotary_factor": 0.25,
            "mrope_section": [2, 1, 1],
        },
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=None,
    )
    model = Qwen3_5ForCausalLM(config).float().eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name or "A_log" in name or "dt_bias" in name:
                parameter.add_(torch.randn_like(parameter) * 0.2)
            else:
                parameter.copy_(torch.randn_like(parameter) * 0.12)
        model.lm_head.weight[job["silent"]] = 0.0
    return model


@torch.no_grad()
def continue_greedily(model: Qwen3_5ForCausalLM, prompt: list[int], steps: int) -> tuple[list[int], float, float]:
    tokens, first, gap = [], None, float("inf")
    cache, current = None, torch.tensor([prompt])
    for _ in range(steps):
        result = model(current, past_key_values=cache, use_cache=True)
        cache = result.past_key_values
        scores = torch.log_softmax(result.logits[0, -1].double(), -1)
        best = scores.topk(2)
        gap = min(gap, float(best.values[0] - best.values[1]))
        tokens.append(int(best.indices[0]))
        first = float(best.values[0]) if first is None else first
        current = best.indices[:1].view(1, 1)
    return tokens, first, gap


def main() -> None:
    torch.set_num_threads(1)
    job = json.load(sys.stdin)
    model = make_model(job)
    model.save_pretrained(sys.argv[1])
    runs = [continue_greedily(model, prompt, job["steps"]) for prompt in job["prompts"]]
    tokens, logprobs, gaps = zip(*runs)
    print(json.dumps({"tokens": tokens, "logprobs": logprobs, "gaps": gaps}))


if __name__ == "__main__":
    main()
