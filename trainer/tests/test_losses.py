"""Every loss, end to end through a model, against a float64 computation written from the formulas, and against finite differences."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from conftest import VOCABULARY, packed, tiny_config

from botpsy_trainer import batch as batches
from botpsy_trainer import losses
from botpsy_trainer.batch import Batch
from botpsy_trainer.create import create_model
from botpsy_trainer.losses import LossSpec, Targets, Totals, loss_and_gradient
from botpsy_trainer.model import WorkerModel

SPECS = [LossSpec("cross_entropy"), LossSpec("importance_sampling"), LossSpec("ppo", 0.2, 0.28), LossSpec("reverse_kl", teacher="t")]


def formula(spec: LossSpec, logits: torch.Tensor, token: torch.Tensor, weight, advantage, old, teacher: torch.Tensor) -> torch.Tensor:
    """Σ weight · loss, straight from the table of the protocol."""
    logp_all = logits - torch.logsumexp(logits, -1, keepdim=True)
    logp = logp_all[torch.arange(len(token)), token]
    if spec.name == "cross_entropy":
        loss = -logp
    elif spec.name == "importance_sampling":
        loss = -torch.exp(logp - old) * advantage
    elif spec.name == "ppo":
        ratio = torch.exp(logp - old)
        loss = -torch.minimum(ratio * advantage, torch.clip(ratio, 1 - spec.clip_low, 1 + spec.clip_high) * advantage)
    else:
        other = teacher - torch.logsumexp(teacher, -1, keepdim=True)
        loss = (logp_all.exp() * (logp_all - other)).sum(-1)
    return (weight * loss).sum()


def numbers(count: int, seed: int = 0):
    generator = torch.Generator().manual_seed(seed)
    draw = lambda *shape: torch.randn(*shape, dtype=torch.float64, generator=generator)  # noqa: E731
    logits, teacher = draw(count, 11) * 2, draw(count, 11) * 2
    token = torch.randint(0, 11, (count,), generator=generator)
    logp = torch.log_softmax(logits, -1).gather(1, token[:, None])[:, 0]
    # Ratios on both sides of both clips, with advantages of both signs.
    old = logp + draw(count) * 0.5
    return logits, teacher, token, draw(count).abs() + 0.1, draw(count), old


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.name)
def test_loss_and_gradient_of_logits(spec: LossSpec) -> None:
    logits, teacher, token, weight, advantage, old = numbers(200)
    leaf = logits.clone().requires_grad_()
    want = formula(spec, leaf, token, weight, advantage, old, teacher)
    (want * 0.25).backward()
    totals = Totals()
    targets = Targets(token, weight, advantage, old, lambda part: teacher[part])
    gradient, logp = loss_and_gradient(spec, logits.clone(), targets, slice(0, 200), 0.25, totals)
    assert totals.loss == pytest.approx(float(want.detach()), rel=1e-12)
    assert totals.count == 200 and totals.weight == pytest.approx(float(weight.sum()))
    torch.testing.assert_close(gradient, leaf.grad, rtol=1e-9, atol=1e-12)
    torch.testing.assert_close(logp, torch.log_softmax(logits, -1).gather(1, token[:, None])[:, 0])
    if spec.name == "ppo":
        assert 0.1 < totals.metrics["clippedShare"] / 200 < 0.9


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.name)
def test_finite_differences(spec: LossSpec) -> None:
    logits, teacher, token, weight, advantage, old = numbers(6, seed=4)

    def value(x: torch.Tensor) -> float:
        totals = Totals()
        loss_and_gradient(spec, x.clone(), Targets(token, weight, advantage, old, lambda part: teacher[part]), slice(0, 6), 1.0, totals)
        return totals.loss

    gradient, _ = loss_and_gradient(spec, logits.clone(), Targets(token, weight, advantage, old, lambda part: teacher[part]), slice(0, 6), 1.0, Totals())
    for row in range(6):
        for column in (0, int(token[row])):
            step = torch.zeros_like(logits)
            step[row, column] = 1e-6
            assert float(gradient[row, column]) == pytest.approx((value(logits + step) - value(logits - step)) / 2e-6, rel=1e-5, abs=1e-8)


def model(seed: int = 0, kernels: str = "auto", id: str = "m", **changes) -> WorkerModel:
    made = create_model(id, torch.device("cpu"), None, tiny_config(**changes), seed, "float32", "full", None, None, kernels)
    with torch.no_grad():
        for place, parameter in enumerate(made.network.parameters()):
            parameter.add_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(place)) * 0.1)
    return made


def as_batch(arrays: dict[str, np.ndarray], **more: np.ndarray) -> Batch:
    starts = np.flatnonzero(np.diff(arrays["sequenceIds"], prepend=-1))
    lengths = np.diff([*starts, len(arrays["tokens"])])
    return Batch(arrays["tokens"], arrays["weights"], more.get("advantages"), more.get("old"), starts, lengths)


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.name)
def test_whole_model_against_the_plain_way(spec: LossSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packed, chunked and fast against each sequence alone through transformers' modules with autograd."""
    monkeypatch.setattr(losses, "CHUNK_ELEMENTS", 10 * VOCABULARY)
    fast, plain, teacher = model(), model(kernels="reference"), model(seed=9, id="t")
    arrays = packed([30, 5, 41, 2, 17])
    random = np.random.default_rng(2)
    total = len(arrays["tokens"])
    advantages = random.normal(size=total).astype(np.float32)
    old = fast.logprobs(as_batch(arrays))[0] + random.normal(size=total).astype(np.float32) * 0.4
    batch = as_batch(arrays, advantages=advantages, old=old)
    out = fast.forward_backward(batch, spec, 12.5, True, teacher)
    sums = 0.0
    logps = np.zeros(total)
    for start, length in zip(batch.starts, batch.lengths):
        ids = torch.from_numpy(batch.tokens[start : start + length].astype(np.int64))[None]
        at = np.flatnonzero(batch.weights[start : start + length])
        if len(at) == 0:
            continue
        logits = plain.network(input_ids=ids, use_cache=False).logits[0, at - 1].double()
        with torch.no_grad():
            other = teacher.network(input_ids=ids, use_cache=False).logits[0, at - 1].double()
        pick = lambda x: torch.from_numpy(x[start + at].astype(np.float64))  # noqa: E731, B023
        loss = formula(spec, logits, ids[0, at], pick(batch.weights), pick(advantages), pick(old), other)
        (loss / 12.5).backward()
        sums += float(loss.detach())
        logps[start + at] = torch.log_softmax(logits.detach(), -1).gather(1, ids[0, at][:, None])[:, 0]
    assert out["lossSum"] == pytest.approx(sums, rel=1e-4, abs=1e-4)
    assert out["loss"] == pytest.approx(sums / 12.5, rel=1e-4, abs=1e-5)
    np.testing.assert_allclose(out["logprobs"], logps, atol=2e-4)
    for (name, one), other in zip(plain.network.named_parameters(), fast.network.parameters()):
        assert (one.grad - other.grad).abs().max() <= 3e-3 * one.grad.abs().max() + 1e-5, name


def test_accumulation_equals_one_batch() -> None:
    whole, parts = model(), model()
    arrays = packed([20, 31, 8, 8])
    one = whole.forward_backward(as_batch(arrays), SPECS[0], 7.0, False, None)
    cut = 20 + 31
    sums = [
        parts.forward_backward(as_batch({name: array[place] for name, array in arrays.items()}), SPECS[0], 7.0, False, None)["loss"]
        for place in (slice(0, cut), slice(cut, None))
    ]
    assert sum(sums) == pytest.approx(one["loss"], rel=1e-5)
    for one, other in zip(whole.optimizer.parameters, parts.optimizer.parameters):
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-3, atol=1e-6)


def test_a_sequence_does_not_feel_its_neighbours() -> None:
    """Bit for bit within one shape of block, whatever stands in the other sequences."""
    one = model()
    first, second = packed([24, 24, 24]), packed([24, 24, 24], seed=8)
    second["tokens"][24:48] = first["tokens"][24:48]
    for arrays in (first, second):
        arrays["weights"] = np.where(np.arange(72) % 24 == 0, 0, 1).astype(np.float32)
    a, b = one.logprobs(as_batch(first))[0], one.logprobs(as_batch(second))[0]
    assert np.array_equal(a[24:48], b[24:48]) and not np.array_equal(a[:24], b[:24])


def test_blocks_stay_within_the_budget() -> None:
    arrays = packed([100, 3, 64, 64, 31, 200], share=1.0)
    rows = batches.dense_rows(as_batch(arrays), 256, torch.device("cpu"))
    assert all(r.ids.numel() <= 256 for r in rows)
    covered = np.sort(np.concatenate([r.index for r in rows]))
    assert np.array_equal(covered, np.flatnonzero(arrays["weights"]))
    for r in rows:
        flat = r.ids.flatten()
        assert np.array_equal(flat[r.source + 1].numpy(), r.target.numpy())
        assert np.array_equal(arrays["tokens"][r.index - 1], flat[r.source].numpy())
