"""The fast model against transformers' own modules: values, gradients, padding, selected places."""

from __future__ import annotations

import copy

import pytest
import torch
from conftest import VOCABULARY, tiny_config
from transformers import AutoConfig, AutoModelForCausalLM

from botpsy_trainer.fast_qwen35 import accelerate, states_at


def pair(**changes) -> tuple[torch.nn.Module, torch.nn.Module]:
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(AutoConfig.for_model(**tiny_config(**changes)), attn_implementation="sdpa")
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    fast = copy.deepcopy(model)
    assert accelerate(fast)
    return model, fast


@pytest.mark.parametrize("changes", [{}, {"linear_num_key_heads": 4}, {"num_key_value_heads": 4, "tie_word_embeddings": False}])
@pytest.mark.parametrize("length", [1, 31, 32, 77])
def test_same_logits_and_gradients(changes: dict, length: int) -> None:
    model, fast = pair(**changes)
    ids = torch.randint(0, VOCABULARY, (3, length), generator=torch.Generator().manual_seed(1))
    weight = torch.randn(3, length, VOCABULARY, generator=torch.Generator().manual_seed(2))
    outs = []
    for one in (model, fast):
        logits = one(input_ids=ids, use_cache=False).logits
        (logits * weight).sum().backward()
        outs.append(logits.detach())
    torch.testing.assert_close(outs[1], outs[0], rtol=1e-4, atol=1e-4)
    for (name, one), other in zip(model.named_parameters(), fast.parameters()):
        scale = one.grad.abs().max() + 1e-2
        assert (one.grad - other.grad).abs().max() <= 2e-3 * scale, name


def test_padding_on_either_side_changes_nothing() -> None:
    _, fast = pair()
    ids = torch.randint(1, VOCABULARY, (1, 40), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        alone = fast(input_ids=ids, use_cache=False).logits
        right = fast(input_ids=torch.cat([ids, torch.zeros(1, 25, dtype=torch.long)], 1), use_cache=False).logits[:, :40]
        padded = torch.cat([torch.zeros(1, 25, dtype=torch.long), ids], 1)
        mask = (torch.arange(65) >= 25).long()[None]
        left = fast(input_ids=padded, attention_mask=mask, position_ids=(torch.arange(65) - 25).clamp(min=0)[None], use_cache=False).logits[:, 25:]
    torch.testing.assert_close(right, alone, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(left, alone, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("layers", [4, 3])
def test_selected_places(layers: int) -> None:
    """The last layer runs at the wanted places only: full attention with four layers, linear with three."""
    _, fast = pair(num_hidden_layers=layers)
    ids = torch.randint(0, VOCABULARY, (2, 50), generator=torch.Generator().manual_seed(1))
    source = torch.tensor([3, 4, 49, 50, 77])
    whole = fast.model(input_ids=ids, use_cache=False).last_hidden_state.flatten(0, 1)[source]
    whole.square().sum().backward()
    wanted = {name: p.grad.clone() for name, p in fast.named_parameters() if p.grad is not None}
    fast.zero_grad()
    some = states_at(fast, ids, source)
    some.square().sum().backward()
    torch.testing.assert_close(some, whole, rtol=1e-5, atol=1e-5)
    for name, parameter in fast.named_parameters():
        if name in wanted:
            torch.testing.assert_close(parameter.grad, wanted[name], rtol=1e-3, atol=1e-5 * float(wanted[name].abs().max() + 1))


def test_other_models_are_left_alone() -> None:
    config = AutoConfig.for_model("llama", vocab_size=32, hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1)
    assert not accelerate(AutoModelForCausalLM.from_config(config))
