"""Drawing tokens: batched, with key-value and recurrent caches, each sample from a generator of its own."""

from __future__ import annotations

import inspect
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from .errors import WorkerError
from .model import WorkerModel

ROWS_AT_A_TIME = 64
"""Most samples that run side by side."""


@dataclass(frozen=True)
class Sampling:
    """How the next token is drawn. Temperature 0 is greedy; ``top_k`` 0, ``top_p`` 1 and ``min_p`` 0 switch a filter off."""

    max_tokens: int
    temperature: float
    top_k: int
    top_p: float
    min_p: float
    seed: int
    stop_ids: frozenset[int]


@dataclass
class _Draft:
    random: np.random.Generator
    ids: list[int]
    logprobs: list[float]
    stop: str = "length"


def sample(model: WorkerModel, prompts: list[np.ndarray], n: int, settings: Sampling) -> dict[str, Any]:
    """``n`` samples of each prompt (int32 arrays of at least one token), in the order of the protocol."""
    began = time.perf_counter()
    if model.context is not None:
        longest = max(len(prompt) for prompt in prompts) + settings.max_tokens
        if longest > model.context:
            raise WorkerError("bad_request", f"prompt and maxTokens need {longest} tokens, the context is {model.context}", "maxTokens", "ask for fewer")
    drafts = [
        [_Draft(np.random.Generator(np.random.Philox(np.random.SeedSequence([settings.seed % 2**64, i, j]))), [], []) for j in range(n)]
        for i in range(len(prompts))
    ]
    training = model.network.training
    model.network.eval()
    try:
        with torch.no_grad(), model.autocast():
            per_round = max(1, ROWS_AT_A_TIME // n)
            for start in range(0, len(prompts), per_round):
                _round(model, prompts[start : start + per_round], drafts[start : start + per_round], settings)
    finally:
        model.network.train(training)
    flat = [draft for group in drafts for draft in group]
    return {
        "ids": np.array([i for draft in flat for i in draft.ids], dtype=np.int32),
        "logprobs": np.array([p for draft in flat for p in draft.logprobs], dtype=np.float32),
        "lengths": np.array([len(draft.ids) for draft in flat], dtype=np.int32),
        "stops": [draft.stop for draft in flat],
        "seconds": time.perf_counter() - began,
    }


def _round(model: WorkerModel, prompts: list[np.ndarray], drafts: list[list[_Draft]], settings: Sampling) -> None:
    from transformers import DynamicCache

    n = len(drafts[0])
    width = max(len(prompt) for prompt in prompts)
    ids = np.zeros((len(prompts), width), dtype=np.int64)
    mask = np.zeros((len(prompts), width), dtype=np.int64)
    for row, prompt in enumerate(prompts):
        ids[row, width - len(prompt) :] = prompt
        mask[row, width - len(prompt) :] = 1
    device = model.device
    attention = torch.from_numpy(mask).to(device)
    places = (attention.cumsum(1) - 1).clamp_(min=0)
    cache = DynamicCache(config=model.base.config.get_text_config())
    name = "cache" if "cache" in inspect.signature(model.base.forward).parameters else "past_key_values"

    def run(tokens: torch.Tensor, position_ids: torch.Tensor) -> np.ndarray:
        padded = attention if bool((attention == 0).any()) else None
        out = model.base(input_ids=tokens, attention_mask=padded, position_ids=position_ids, use_cache=True, logits_to_keep=1, **{name: cache})
        return out.logits[:, -1].float().cpu().numpy()

    logits = run(torch.from_numpy(ids).to(device), places)
    live = [draft for group in drafts for draft in group]
    position = places[:, -1].repeat_interleave(n)
    attention = attention.repeat_interleave(n, 0)
    if n > 1:
        cache.reorder_cache(torch.arange(len(prompts), device=device).repeat_interleave(n))
        logits = np.repeat(logits, n, 0)
    while True:
        keep = []
        for row, draft in enumerate(live):
            token, logprob = choose(logits[row], draft.random, settings)
            draft.ids.append(token)
            draft.logprobs.append(logprob)
            if token in settings.stop_ids:
                draft.stop = "stop"
            elif len(draft.ids) < settings.max_tokens:
                keep.append(row)
        if not keep:
            return
        if len(keep) < len(live):
            chosen = torch.tensor(keep, device=device)
            cache.reorder_cache(chosen)
            live = [live[row] for row in keep]
            attention, position = attention[chosen], position[chosen]
        position = position + 1
        attention = torch.cat([attention, attention.new_ones(len(live), 1)], 1)
        tokens = torch.tensor([[draft.ids[-1]] for draft in live], device=device)
        logits = run(tokens, position[:, None])


def choose(logits: np.ndarray, random: np.random.Generator, settings: Sampling) -> tuple[int, float]:
    """One token from logits [V] and its log-probability under the model itself. Filters apply in the order top-k, top-p, min-p."""
    raw = logits.astype(np.float64)
    raw -= raw.max()
    norm = np.log(np.exp(raw).sum())
    if settings.temperature == 0:
        token = int(raw.argmax())
        return token, float(raw[token] - norm)
    order = np.argsort(-raw, kind="stable")
    if settings.top_k:
        order = order[: settings.top_k]
    p = np.exp(raw[order] / settings.temperature)
    p /= p.sum()
    if settings.top_p < 1:
        p = p[: int(np.searchsorted(np.cumsum(p), settings.top_p)) + 1]
    if settings.min_p > 0:
        p = p[p >= settings.min_p * p[0]]
    total = np.cumsum(p)
    place = min(int(np.searchsorted(total, random.random() * total[-1], side="right")), len(p) - 1)
    token = int(order[place])
    return token, float(raw[token] - norm)
