"""Shared parts of the tests: small models, batches, a running worker."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest
import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["HF_HUB_OFFLINE"] = "1"
torch.set_num_threads(1)

VOCABULARY = 96


def tiny_config(**changes: Any) -> dict[str, Any]:
    """A Qwen3.5 text model of two kinds of layers, more value heads than key heads, and grouped queries."""
    return {
        "model_type": "qwen3_5_text",
        "vocab_size": VOCABULARY,
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 4,
        "linear_key_head_dim": 8,
        "linear_value_head_dim": 8,
        "max_position_embeddings": 256,
        "tie_word_embeddings": True,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e7, "mrope_section": [1, 1, 0], "partial_rotary_factor": 0.25},
        **changes,
    }


def packed(lengths: list[int], seed: int = 0, share: float = 0.6) -> dict[str, np.ndarray]:
    """A packed batch of random tokens; ``share`` of them carry weights other than 1."""
    random = np.random.default_rng(seed)
    total = sum(lengths)
    weights = (random.random(total) < share) * random.uniform(0.5, 1.5, total)
    starts = np.cumsum([0, *lengths[:-1]])
    weights[starts] = 0
    return {
        "tokens": random.integers(0, VOCABULARY, total).astype("<i4"),
        "sequenceIds": np.repeat(np.arange(len(lengths)) + 7, lengths).astype("<i4"),
        "weights": weights.astype("<f4"),
    }


def wire(batch: dict[str, np.ndarray]) -> dict[str, bytes]:
    """The batch as it is sent."""
    return {name: array.tobytes() for name, array in batch.items()}


class Worker:
    """A worker process and a connection to it."""

    TOKEN = "0123456789abcdef0123"

    def __init__(self, *options: str) -> None:
        env = {**os.environ, "BOTPSY_WORKER_TOKEN": self.TOKEN}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "botpsy_trainer", *options], cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read().decode()
        self.ready = json.loads(line)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.ready["port"])

    def raw(self, method: str, path: str, body: bytes | None, token: str | None = None) -> tuple[int, dict[str, Any]]:
        """One request; the status and the decoded body."""
        self.connection.request(method, path, body, {"Authorization": f"Bearer {self.TOKEN if token is None else token}"})
        response = self.connection.getresponse()
        return response.status, msgpack.unpackb(response.read())

    def fails(self, path: str, body: dict[str, Any]) -> tuple[int, str, str]:
        """A request that must fail: status, code and where."""
        status, value = self.raw("POST", path, msgpack.packb(body))
        assert status >= 400, value
        error = value["error"]
        assert set(error) == {"code", "message", "where", "help"} and error["message"] and error["help"]
        return status, error["code"], error["where"]

    def post(self, path: str, /, **body: Any) -> dict[str, Any]:
        """A request that must succeed."""
        status, value = self.raw("POST", path, msgpack.packb(body))
        assert status == 200, value
        return value

    def train(self, model: str, batch: dict[str, np.ndarray], lr: float = 1e-2) -> tuple[float, float]:
        """One step; loss and gradient norm."""
        divisor = float(batch["weights"].sum())
        out = self.post("/v1/forward_backward", model=model, batch=wire(batch), loss={"name": "cross_entropy"}, divisor=divisor)
        step = self.post("/v1/optim_step", model=model, lr=lr, weightDecay=0.1, maxGradNorm=1.0)
        return out["loss"], step["gradNorm"]

    def close(self) -> int:
        """Closes stdin, which ends the worker, and returns its status."""
        self.connection.close()
        if not self.process.stdin.closed:
            self.process.stdin.close()
        status = self.process.wait(120)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


@pytest.fixture(scope="session")
def worker():
    """One worker for all tests that do not end it."""
    one = Worker()
    yield one
    one.close()


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Hugging Face folder of a tiny model, written by transformers."""
    from transformers import AutoConfig, AutoModelForCausalLM

    torch.manual_seed(5)
    folder = tmp_path_factory.mktemp("hf") / "model"
    AutoModelForCausalLM.from_config(AutoConfig.for_model(**tiny_config())).save_pretrained(folder)
    return str(folder)
