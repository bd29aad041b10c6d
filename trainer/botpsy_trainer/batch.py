"""Packed batches in, dense rows out.

A packed batch holds several sequences one after another. The worker never runs it packed: each sequence gets a row of its own, padded on the
right, so that nothing can leak between sequences. All layers are causal, hence padding on the right cannot reach a real token and no mask is
needed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from .errors import WorkerError
from .wire import Fields

ROUND_TO = 32
"""Row lengths are rounded up to a multiple of this, so that few distinct shapes occur."""


@dataclass(frozen=True)
class Batch:
    """A checked batch. All arrays have length T; ``starts`` and ``lengths`` (S) describe the sequences."""

    tokens: np.ndarray
    weights: np.ndarray | None
    advantages: np.ndarray | None
    old_logprobs: np.ndarray | None
    starts: np.ndarray
    lengths: np.ndarray


@dataclass(frozen=True)
class Rows:
    """Sequences of similar length as a dense block.

    ``ids`` int64[B, L]; ``source`` int64[N]: places in the flat block (b·L + t − 1) whose hidden state predicts a wanted token; ``target``
    int64[N]: those tokens; ``index`` int64[N]: where they stand in the packed batch.
    """

    ids: torch.Tensor
    source: torch.Tensor
    target: torch.Tensor
    index: np.ndarray


def read_batch(fields: Fields, vocabulary: int, context: int | None, allowed: tuple[str, ...] = ()) -> Batch:
    """Takes and checks the arrays of a batch. ``allowed`` names the optional float arrays that this request may carry."""
    where = "batch"
    tokens = fields.array("tokens", "i4")
    ids = fields.array("sequenceIds", "i4")
    positions = fields.array("positions", "i4", None)
    floats = {name: fields.array(name, "f4", None) if name in allowed else None for name in ("weights", "advantages", "oldLogprobs")}
    fields.done()
    total = len(tokens)
    if total == 0:
        raise WorkerError("bad_batch", "the batch has no tokens", where, "send at least one token")
    for name, array in {"sequenceIds": ids, "positions": positions, **floats}.items():
        if array is not None and len(array) != total:
            raise WorkerError("bad_batch", f"{name} has {len(array)} elements, tokens has {total}", f"{where}.{name}", "send arrays of one length")
    for name, array in floats.items():
        if array is not None and not np.isfinite(array).all():
            raise WorkerError("bad_batch", f"{name} has values that are not finite", f"{where}.{name}", "send finite numbers")
    low, high = int(tokens.min()), int(tokens.max())
    if low < 0 or high >= vocabulary:
        bad = low if low < 0 else high
        raise WorkerError("bad_batch", f"token id {bad} is outside the vocabulary of {vocabulary}", f"{where}.tokens", "tokenize with this model's vocabulary")
    starts = np.concatenate([[0], np.nonzero(ids[1:] != ids[:-1])[0] + 1]).astype(np.int64)
    lengths = np.diff(np.concatenate([starts, [total]])).astype(np.int64)
    if len(np.unique(ids[starts])) != len(starts):
        raise WorkerError("bad_batch", "a sequence id occurs in two places", f"{where}.sequenceIds", "keep each sequence in one contiguous run")
    if context is not None and int(lengths.max()) > context:
        raise WorkerError("bad_batch", f"a sequence of {int(lengths.max())} tokens exceeds the context of {context}", where, "cut it before sending")
    if positions is not None:
        steps = np.diff(positions.astype(np.int64))
        inner = np.ones(total - 1, dtype=bool)
        inner[starts[1:] - 1] = False
        if (steps[inner] != 1).any():
            raise WorkerError("bad_batch", "positions do not rise by one inside a sequence", f"{where}.positions", "count tokens from the sequence's start")
    weights = floats["weights"]
    if weights is not None and weights[starts].any():
        raise WorkerError("bad_batch", "the first token of a sequence has a weight", f"{where}.weights", "weights[t] belongs to predicting tokens[t]; give the first token 0")
    return Batch(tokens, weights, floats["advantages"], floats["oldLogprobs"], starts, lengths)


def dense_rows(batch: Batch, budget: int, device: torch.device) -> list[Rows]:
    """Groups the sequences by length into blocks of at most ``budget`` padded tokens (one row may exceed it). Deterministic."""
    wanted = np.ones(len(batch.tokens), dtype=bool) if batch.weights is None else batch.weights != 0
    wanted[batch.starts] = False
    order = np.argsort(-batch.lengths, kind="stable")
    rows: list[Rows] = []
    group: list[int] = []
    width = 0
    for row in order:
        start, length = int(batch.starts[row]), int(batch.lengths[row])
        used = wanted[start : start + length]
        if not used.any():
            continue
        if group and (len(group) + 1) * width > budget:
            rows.append(_block(batch, wanted, group, width, device))
            group = []
        if not group:
            width = -(-length // ROUND_TO) * ROUND_TO
        group.append(int(row))
    if group:
        rows.append(_block(batch, wanted, group, width, device))
    return rows


def _block(batch: Batch, wanted: np.ndarray, group: list[int], width: int, device: torch.device) -> Rows:
    ids = np.zeros((len(group), width), dtype=np.int64)
    source, index = [], []
    for place, row in enumerate(group):
        start, length = int(batch.starts[row]), int(batch.lengths[row])
        ids[place, :length] = batch.tokens[start : start + length]
        at = np.nonzero(wanted[start : start + length])[0]
        source.append(place * width + at - 1)
        index.append(start + at)
    where = np.concatenate(index)
    return Rows(
        torch.from_numpy(ids).to(device),
        torch.from_numpy(np.concatenate(source)).to(device),
        torch.from_numpy(batch.tokens[where].astype(np.int64)).to(device),
        where,
    )
