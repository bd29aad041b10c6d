"""The loss registry and the output head.

Every loss is a function of the logits at one position. The head is applied to the wanted positions only, in chunks, so that no array of
T × V is ever made; each chunk goes forward and backward at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable

import torch

from .errors import WorkerError
from .wire import Fields

CHUNK_ELEMENTS = 2_097_152
"""Most logits that exist at a time (8 MB in float32)."""


@dataclass
class Targets:
    """What the loss of N positions needs besides logits. All of shape [N]; ``teacher_logits(chunk)`` gives [n, V] for ``reverse_kl``."""

    token: torch.Tensor
    weight: torch.Tensor
    advantage: torch.Tensor | None = None
    old_logprob: torch.Tensor | None = None
    teacher_logits: Callable[[slice], torch.Tensor] | None = None


@dataclass(frozen=True)
class LossSpec:
    """A loss of a request: its name and options."""

    name: str
    clip_low: float = 0.2
    clip_high: float = 0.28
    teacher: str | None = None


@dataclass
class Totals:
    """Sums over the positions of a request, in float64."""

    loss: float = 0.0
    weight: float = 0.0
    count: int = 0
    metrics: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, value: torch.Tensor) -> None:
        """Adds the sum of ``value`` to a metric."""
        self.metrics[name] = self.metrics.get(name, 0.0) + float(value.sum(dtype=torch.float64))


TokenLoss = Callable[[torch.Tensor, Targets, slice, LossSpec, Totals], tuple[torch.Tensor, torch.Tensor]]
"""From log p(token) [n] to (loss [n], dloss/dlog p [n])."""


def _cross_entropy(logp: torch.Tensor, targets: Targets, part: slice, spec: LossSpec, totals: Totals):
    return -logp, torch.full_like(logp, -1.0)


def _importance_sampling(logp: torch.Tensor, targets: Targets, part: slice, spec: LossSpec, totals: Totals):
    ratio = torch.exp(logp - targets.old_logprob[part])
    totals.add("ratioMean", ratio)
    loss = -ratio * targets.advantage[part]
    return loss, loss


def _ppo(logp: torch.Tensor, targets: Targets, part: slice, spec: LossSpec, totals: Totals):
    advantage = targets.advantage[part]
    ratio = torch.exp(logp - targets.old_logprob[part])
    free = ratio * advantage
    clipped = ratio.clamp(1.0 - spec.clip_low, 1.0 + spec.clip_high) * advantage
    # Where the clipped branch is the smaller one it is constant in the ratio, so its gradient is zero.
    bound = clipped < free
    totals.add("ratioMean", ratio)
    totals.add("clippedShare", bound.to(torch.float64))
    return -torch.minimum(free, clipped), torch.where(bound, torch.zeros_like(free), -free)


TOKEN_LOSSES: dict[str, TokenLoss] = {
    "cross_entropy": _cross_entropy,
    "importance_sampling": _importance_sampling,
    "ppo": _ppo,
}
"""Losses that depend on the log-probability of the token alone."""

LOSSES = (*TOKEN_LOSSES, "reverse_kl")
"""Every loss of this worker."""


def read_loss(fields: Fields) -> tuple[LossSpec, tuple[str, ...]]:
    """Takes the ``loss`` map. Returns the loss and the arrays that the batch must carry besides weights."""
    name = fields.text("name")
    if name not in LOSSES:
        raise WorkerError("unsupported", f"unknown loss {name}", "loss.name", "use one of " + ", ".join(LOSSES))
    spec = LossSpec(name)
    if name == "ppo":
        spec = LossSpec(name, fields.number("clipLow", 0.2, 0.0, 1.0), fields.number("clipHigh", 0.28, 0.0))
    if name == "reverse_kl":
        spec = LossSpec(name, teacher=fields.text("teacher"))
    fields.done()
    return spec, ("advantages", "oldLogprobs") if name in ("ppo", "importance_sampling") else ()


def loss_and_gradient(
    spec: LossSpec, logits: torch.Tensor, targets: Targets, part: slice, scale: float, totals: Totals
) -> tuple[torch.Tensor, torch.Tensor]:
    """Turns ``logits`` [n, V] (overwritten) into the gradient of ``scale · Σ weight · loss``; also returns log p(token) [n].

    Softmax and its gradient are worked out by hand: d loss/d logits = c · (onehot(token) − p) for a loss whose derivative by log p(token) is c,
    and p · (log p − log q − KL) for the reverse KL of p from q.
    """
    token, weight = targets.token[part], targets.weight[part]
    top = logits.amax(-1, keepdim=True)
    logits -= top
    chosen = logits.gather(1, token[:, None])[:, 0]
    if spec.name == "reverse_kl":
        log_q = torch.log_softmax(targets.teacher_logits(part), -1)
        log_p = torch.log_softmax(logits, -1)
        logp = log_p.gather(1, token[:, None])[:, 0]
        difference = log_p - log_q
        p = log_p.exp()
        loss = (p * difference).sum(-1)
        totals.add("klMean", loss)
        gradient = difference.sub_(loss[:, None]).mul_(p).mul_((weight * scale)[:, None])
    else:
        p = logits.exp_()
        norm = p.sum(-1)
        logp = chosen - norm.log()
        loss, slope = TOKEN_LOSSES[spec.name](logp, targets, part, spec, totals)
        slope = slope * weight * scale
        gradient = p.mul_((-slope / norm)[:, None])
        gradient[torch.arange(len(token), device=token.device), token] += slope
    totals.loss += float((weight * loss).sum(dtype=torch.float64))
    totals.weight += float(weight.sum(dtype=torch.float64))
    totals.count += len(token)
    return gradient, logp


def chunks(count: int, vocabulary: int) -> list[slice]:
    """Cuts ``count`` positions so that a chunk's logits stay within CHUNK_ELEMENTS."""
    size = max(1, CHUNK_ELEMENTS // vocabulary)
    return [slice(start, min(start + size, count)) for start in range(0, count, size)]
