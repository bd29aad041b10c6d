"""AdamW against a computation in float64 written from the paper."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from botpsy_trainer.optim import Optimizer


def network() -> nn.Module:
    torch.manual_seed(0)
    return nn.ModuleDict({"embed": nn.Embedding(5, 3), "linear": nn.Linear(3, 4), "conv": nn.Conv1d(3, 3, 2)})


def test_updates_follow_the_paper() -> None:
    net = network()
    optimizer = Optimizer(net)
    values = {n: p.detach().double().numpy().copy() for n, p in net.named_parameters()}
    first = {n: np.zeros_like(v) for n, v in values.items()}
    second = {n: np.zeros_like(v) for n, v in values.items()}
    random = np.random.default_rng(1)
    for step, (lr, decay) in enumerate([(1e-2, 0.1), (3e-2, 0.0), (2e-3, 0.5)], 1):
        gradients = {n: random.normal(size=v.shape) for n, v in values.items()}
        for n, p in net.named_parameters():
            p.grad = torch.tensor(gradients[n], dtype=torch.float32)
        norm = np.sqrt(sum((g**2).sum() for g in gradients.values()))
        assert optimizer.norm() == pytest.approx(norm, rel=1e-6)
        optimizer.step(lr, 0.9, 0.95, 1e-8, decay, 0.5)
        for n in values:
            g = gradients[n] * 0.5
            first[n] = 0.9 * first[n] + 0.1 * g
            second[n] = 0.95 * second[n] + 0.05 * g * g
            if n == "linear.weight":
                values[n] *= 1 - lr * decay
            values[n] -= lr * (first[n] / (1 - 0.9**step)) / (np.sqrt(second[n] / (1 - 0.95**step)) + 1e-8)
    for n, p in net.named_parameters():
        np.testing.assert_allclose(p.detach().numpy(), values[n], rtol=2e-5, atol=1e-6, err_msg=n)
        assert p.grad is None
    assert optimizer.steps == 3


def test_frozen_parameters_are_left_alone() -> None:
    net = network()
    net["embed"].requires_grad_(False)
    optimizer = Optimizer(net)
    assert optimizer.names == ["linear.weight", "linear.bias", "conv.weight", "conv.bias"]
