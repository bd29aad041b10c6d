"""A model of the worker: weights, what is trained of them, optimizer, and the two passes over packed batches."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import numpy as np
import torch

from .batch import Batch, dense_rows
from .errors import WorkerError
from .losses import LossSpec, Targets, Totals, chunks, loss_and_gradient
from .optim import Optimizer

ROW_BUDGET = {"cpu": 1536, "cuda": 16384}
"""Padded tokens that go through the layers at a time. On a CPU small blocks keep activations in the cache."""


def plain_config(network: torch.nn.Module) -> dict[str, Any]:
    """The configuration as a config.json holds it."""
    return json.loads(network.config.to_json_string(use_diff=False))


class WorkerModel:
    """One model by id. ``network`` is a transformers causal model (inside PEFT's wrapper for LoRA); ``decoder`` its layers, ``head`` its output head."""

    def __init__(self, id: str, network: torch.nn.Module, train: str, dtype: str, kernels: str, lora: dict[str, Any] | None) -> None:
        self.id = id
        self.network = network
        self.train = train
        self.dtype = dtype
        self.kernels = kernels
        self.lora = lora
        self.base = network.get_base_model() if lora is not None else network
        self.decoder = self.base.get_decoder()
        self.head = self.base.get_output_embeddings()
        self.config = self.base.config.get_text_config()
        self.device = next(network.parameters()).device
        self.dropout = bool(lora and lora["dropout"] > 0) or float(getattr(self.config, "attention_dropout", 0.0) or 0.0) > 0
        network.train(train != "none" and self.dropout)
        self.optimizer = Optimizer(network) if train != "none" else None
        self.random = torch.get_rng_state()
        self.accumulated = False
        self.plain_head = self._head_is_plain()

    @property
    def vocabulary(self) -> int:
        """Rows of the output head."""
        return int(self.head.weight.shape[0])

    @property
    def context(self) -> int | None:
        """Longest sequence the configuration allows."""
        return getattr(self.config, "max_position_embeddings", None)

    def describe(self) -> dict[str, Any]:
        """The model description of the protocol."""
        parameters = list(self.network.parameters())
        return {
            "id": self.id,
            "architecture": type(self.base).__name__,
            "parameters": sum(p.numel() for p in parameters),
            "trainable": sum(p.numel() for p in parameters if p.requires_grad),
            "vocabSize": self.vocabulary,
            "contextLength": self.context or 0,
            "dtype": self.dtype,
            "train": self.train,
            "kernels": self.kernels,
            "step": self.optimizer.steps if self.optimizer else 0,
            "config": plain_config(self.base),
        }

    def autocast(self) -> contextlib.AbstractContextManager[Any]:
        """bfloat16 products over float32 weights where the model was asked for in bfloat16."""
        if self.dtype == "bfloat16" and self.train != "none":
            return torch.autocast(self.device.type, torch.bfloat16)
        return contextlib.nullcontext()

    def hidden(self, ids: torch.Tensor) -> torch.Tensor:
        """Last hidden states [B, L, D] of rows that are padded on the right."""
        return self.decoder(input_ids=ids, use_cache=False).last_hidden_state

    def states_at(self, ids: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        """Last hidden states [N, D] at the places ``source`` of the flat block."""
        if self.kernels == "fast" and not self.dropout_active():
            from .fast_qwen35 import states_at

            return states_at(self.base, ids, source)
        return self.hidden(ids).flatten(0, 1).index_select(0, source)

    def dropout_active(self) -> bool:
        """Whether attention dropout asks for the original attention."""
        return self.network.training and float(getattr(self.config, "attention_dropout", 0.0) or 0.0) > 0

    def _head_is_plain(self) -> bool:
        """Some models scale or cap their logits; those must go through the model's own forward."""
        ids = torch.arange(4, device=self.device)[None] % self.vocabulary
        training = self.network.training
        self.network.eval()
        with torch.no_grad(), self.autocast():
            whole = self.base(input_ids=ids, use_cache=False).logits
            plain = self.head(self.hidden(ids))
        self.network.train(training)
        return bool(torch.allclose(whole.float(), plain.float(), atol=1e-3, rtol=1e-3))

    def selected_logits(self, ids: torch.Tensor, source: torch.Tensor) -> list[torch.Tensor]:
        """Logits at the places ``source`` of the flat block, without gradient, chunk by chunk."""
        return list(self._logit_chunks(ids, source))

    def _logit_chunks(self, ids: torch.Tensor, source: torch.Tensor):
        if not self.plain_head:
            logits = self.base(input_ids=ids, use_cache=False).logits.flatten(0, 1)
            for part in chunks(len(source), self.vocabulary):
                yield logits[source[part]].float()
            return
        states = self.states_at(ids, source)
        for part in chunks(len(source), self.vocabulary):
            yield self.head(states[part]).float()

    def logprobs(self, batch: Batch, top_k: int = 0) -> tuple[np.ndarray, np.ndarray | None, np.ndarray | None]:
        """log p of every wanted token (float32[T], 0 elsewhere), and the ``top_k`` most probable ids with their log p ([T·k])."""
        total = len(batch.tokens)
        out = np.zeros(total, dtype=np.float32)
        top_ids = np.zeros((total, top_k), dtype=np.int32) if top_k else None
        top_logps = np.zeros((total, top_k), dtype=np.float32) if top_k else None
        training = self.network.training
        self.network.eval()
        try:
            with torch.no_grad(), self.autocast():
                for rows in dense_rows(batch, ROW_BUDGET[self.device.type], self.device):
                    done = 0
                    for logits in self._logit_chunks(rows.ids, rows.source):
                        part = slice(done, done + len(logits))
                        done = part.stop
                        logps = torch.log_softmax(logits, -1)
                        out[rows.index[part]] = logps.gather(1, rows.target[part, None])[:, 0].cpu().numpy()
                        if top_k:
                            values, places = logps.topk(top_k, -1)
                            top_ids[rows.index[part]] = places.cpu().numpy()
                            top_logps[rows.index[part]] = values.cpu().numpy()
        finally:
            self.network.train(training)
        return out, None if top_ids is None else top_ids.ravel(), None if top_logps is None else top_logps.ravel()

    def forward_backward(self, batch: Batch, spec: LossSpec, divisor: float, want_logprobs: bool, teacher: "WorkerModel | None") -> dict[str, Any]:
        """Adds the gradient of Σ weight · loss / divisor and reports the sums. Raises ``non_finite`` with the gradients cleared."""
        if self.optimizer is None:
            raise WorkerError("bad_request", f"model {self.id} is not trained", "model", "create it with train full or lora")
        began = time.perf_counter()
        totals = Totals()
        logprobs = np.zeros(len(batch.tokens), dtype=np.float32) if want_logprobs else None
        if self.dropout:
            torch.set_rng_state(self.random)
        for rows in dense_rows(batch, ROW_BUDGET[self.device.type], self.device):
            logps = self._rows_backward(rows, batch, spec, 1.0 / divisor, totals, teacher)
            if logprobs is not None:
                logprobs[rows.index] = logps.cpu().numpy()
        if self.dropout:
            self.random = torch.get_rng_state()
        self.accumulated = self.accumulated or totals.count > 0
        if not np.isfinite(totals.loss):
            self.zero_grad()
            raise WorkerError("non_finite", "the loss is not finite", "forward_backward", "lower the learning rate or load an earlier save")
        out: dict[str, Any] = {
            "loss": totals.loss / divisor,
            "lossSum": totals.loss,
            "weightSum": totals.weight,
            "tokens": len(batch.tokens),
            "weighted": totals.count,
            "seconds": time.perf_counter() - began,
            "metrics": {name: value / max(1, totals.count) for name, value in totals.metrics.items()},
        }
        if logprobs is not None:
            out["logprobs"] = logprobs
        return out

    def _rows_backward(self, rows, batch: Batch, spec: LossSpec, scale: float, totals: Totals, teacher: "WorkerModel | None") -> torch.Tensor:
        def column(array: np.ndarray | None) -> torch.Tensor | None:
            return None if array is None else torch.from_numpy(array[rows.index]).to(self.device)

        targets = Targets(rows.target, column(batch.weights), column(batch.advantages), column(batch.old_logprobs))
        if teacher is not None:
            with torch.no_grad(), teacher.autocast():
                kept = teacher.selected_logits(rows.ids, rows.source)
            starts = {part.start: place for place, part in enumerate(chunks(len(rows.source), self.vocabulary))}
            targets.teacher_logits = lambda part: kept[starts[part.start]]
        parts = chunks(len(rows.source), self.vocabulary)
        logps = []
        if not self.plain_head:
            with self.autocast():
                logits = self.base(input_ids=rows.ids, use_cache=False).logits.flatten(0, 1).index_select(0, rows.source)
            gradient = torch.empty_like(logits)
            for part in parts:
                gradient[part], logp = loss_and_gradient(spec, logits.detach()[part].float(), targets, part, scale, totals)
                logps.append(logp)
            logits.backward(gradient)
            return torch.cat(logps)
        with self.autocast():
            states = self.states_at(rows.ids, rows.source)
            leaf = states.detach().requires_grad_()
            for part in parts:
                logits = self.head(leaf[part])
                gradient, logp = loss_and_gradient(spec, logits.detach().float(), targets, part, scale, totals)
                logps.append(logp)
                logits.backward(gradient.to(logits.dtype))
        states.backward(leaf.grad)
        return torch.cat(logps)

    def optim_step(self, lr: float, beta1: float, beta2: float, eps: float, decay: float, max_norm: float) -> dict[str, Any]:
        """Clips, steps and clears the gradient. Raises ``bad_request`` without gradients, ``non_finite`` (step not taken, gradients cleared)."""
        if self.optimizer is None or not self.accumulated:
            raise WorkerError("bad_request", "no gradient has been accumulated", "model", "call forward_backward first")
        began = time.perf_counter()
        norm = self.optimizer.norm()
        if not np.isfinite(norm):
            self.zero_grad()
            raise WorkerError("non_finite", "the gradient is not finite", "optim_step", "lower the learning rate or load an earlier save")
        self.optimizer.step(lr, beta1, beta2, eps, decay, max_norm / norm if 0 < max_norm < norm else 1.0)
        self.accumulated = False
        return {"step": self.optimizer.steps, "gradNorm": norm, "seconds": time.perf_counter() - began}

    def zero_grad(self) -> None:
        """Drops what was accumulated."""
        if self.optimizer is not None:
            self.optimizer.zero_grad()
        self.accumulated = False
