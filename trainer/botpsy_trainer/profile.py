"""Measures a training step against its matrix products alone: ``python -m botpsy_trainer.profile``.

The products of one step (linear layers, delta rule, attention, output head; forward and backward) are recorded with shapes and strides, then run
again by themselves on ready arrays. Both are measured alternately, in process time of the computing thread, and the smallest of each counts.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import Any


def main() -> int:
    """Prints one JSON line."""
    parser = argparse.ArgumentParser(prog="botpsy_trainer.profile", description=__doc__.split("\n")[0])
    for name, default in (
        ("hidden", 192), ("layers", 8), ("ffn", 512), ("heads", 3), ("head-dim", 64), ("vocabulary", 4096), ("rows", 8), ("length", 768), ("threads", 1), ("repeat", 5), ("budget", 0),
    ):  # fmt: skip
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--share", type=float, default=0.4, help="share of tokens that carry loss")
    parser.add_argument("--kernels", choices=("auto", "reference"), default="auto")
    parser.add_argument("--table", action="store_true", help="also print where the time goes")
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    from .memory import keep_freed_memory

    keep_freed_memory()
    print(json.dumps(measure(options)))
    return 0


def config_of(options: argparse.Namespace) -> dict[str, Any]:
    """The configuration of the measured model."""
    return {
        "model_type": "qwen3_5_text",
        "vocab_size": options.vocabulary,
        "hidden_size": options.hidden,
        "intermediate_size": options.ffn,
        "num_hidden_layers": options.layers,
        "num_attention_heads": options.heads,
        "num_key_value_heads": 1,
        "head_dim": options.head_dim,
        "linear_num_key_heads": options.heads,
        "linear_num_value_heads": options.heads,
        "linear_key_head_dim": options.head_dim,
        "linear_value_head_dim": options.head_dim,
        "max_position_embeddings": max(4096, options.length),
        "tie_word_embeddings": True,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e7, "mrope_section": [3, 3, 2], "partial_rotary_factor": 0.25},
    }


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Runs steps and their products in turn."""
    import numpy as np
    import torch

    from . import model as models
    from .batch import Batch
    from .create import create_model
    from .losses import LossSpec

    torch.set_num_threads(options.threads)
    if options.budget:
        models.ROW_BUDGET["cpu"] = options.budget
    model = create_model("m", torch.device("cpu"), None, config_of(options), 0, "float32", "full", None, None, options.kernels)
    random = np.random.default_rng(0)
    total = options.rows * options.length
    starts = np.arange(options.rows) * options.length
    weights = (random.random(total) < options.share).astype(np.float32)
    weights[starts] = 0
    batch = Batch(random.integers(0, options.vocabulary, total).astype(np.int32), weights, None, None, starts, np.full(options.rows, options.length))

    def step() -> None:
        model.forward_backward(batch, LossSpec("cross_entropy"), float(weights.sum()), False, None)
        model.optim_step(1e-4, 0.9, 0.95, 1e-8, 0.1, 1.0)

    step()
    with recorder(torch) as record:
        step()
    products = record.replay()
    products()
    clock = time.thread_time if options.threads == 1 else time.perf_counter
    best, wall, alone = float("inf"), float("inf"), float("inf")
    for _ in range(options.repeat):
        began, walled = clock(), time.perf_counter()
        step()
        best, wall = min(best, clock() - began), min(wall, time.perf_counter() - walled)
        began = clock()
        products()
        alone = min(alone, clock() - began)
    if options.table:
        from torch.profiler import ProfilerActivity, profile

        with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as found:
            step()
        print(found.key_averages(group_by_input_shape=True).table(sort_by="self_cpu_time_total", row_limit=40, max_name_column_width=40), file=sys.stderr)
    return {
        "parameters": sum(p.numel() for p in model.network.parameters()),
        "tokens": total,
        "kernels": model.kernels,
        "threads": options.threads,
        "stepSeconds": round(best, 3),
        "wallSeconds": round(wall, 3),
        "productSeconds": round(alone, 3),
        "stepOverProducts": round(best / alone, 3),
        "productGflops": round(record.flops / alone / 1e9, 1),
        "tokensPerSecond": round(total / best),
        "products": len(record.calls),
    }


def recorder(torch: Any) -> Any:
    """A dispatch mode that notes every matrix product; ``replay`` makes a function that runs them again."""
    from torch.utils._python_dispatch import TorchDispatchMode

    names = {"mm", "bmm", "addmm", "addmm_", "baddbmm", "baddbmm_", "mv", "addmv", "linear"}

    class Recorder(TorchDispatchMode):
        def __init__(self) -> None:
            super().__init__()
            self.calls: list[tuple[Any, tuple, dict]] = []
            self.flops = 0

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            out = function(*args, **kwargs)
            name = function.overloadpacket.__name__
            if name in names or "flash_attention_for_cpu" in name:
                fix = lambda x: ("tensor", tuple(x.shape), tuple(x.stride())) if isinstance(x, torch.Tensor) else x  # noqa: E731
                self.calls.append((function, tuple(fix(x) for x in args), {k: fix(v) for k, v in kwargs.items()}))
                self.flops += self._flops(name, [x for x in args if isinstance(x, torch.Tensor)])
            return out

        @staticmethod
        def _flops(name: str, tensors: list[Any]) -> int:
            if "flash_attention" in name:
                backward = "backward" in name
                query, key = tensors[1 if backward else 0], tensors[2 if backward else 1]
                # Half of the square is masked; two products forward, five backward.
                return query.numel() * key.shape[-2] * (5 if backward else 2)
            left, right = tensors[-2], tensors[-1]
            return 2 * left.numel() * (right.shape[-1] if right.dim() > 1 else 1)

        def replay(self):
            made: dict[Any, Any] = {}

            def build(x: Any, place: int) -> Any:
                if isinstance(x, tuple) and len(x) == 3 and x[0] == "tensor":
                    # One array per shape and place: a product may not write into what it reads.
                    key = (place, *x)
                    if key not in made:
                        made[key] = torch.empty_strided(x[1], x[2]).normal_(std=0.01)
                    return made[key]
                return x

            ready = [
                (f, tuple(build(x, place) for place, x in enumerate(args)), {k: build(v, 100) for k, v in kwargs.items()})
                for f, args, kwargs in self.calls
            ]

            def run() -> None:
                with torch.no_grad():
                    for function, args, kwargs in ready:
                        function(*args, **kwargs)

            return run

    return Recorder()


if __name__ == "__main__":
    sys.exit(main())
