"""What each endpoint does, free of HTTP."""

from __future__ import annotations

import platform
from typing import Any, Callable

import numpy as np
import torch

from . import PROTOCOL, VERSION
from .batch import read_batch
from .checkpoint import load, save
from .create import DTYPES, create_model
from .errors import WorkerError
from .losses import LOSSES, read_loss
from .model import WorkerModel
from .sample import Sampling, sample
from .wire import Fields


class Service:
    """The models of this worker and the requests on them. Not thread-safe: one thread calls all but the readers."""

    def __init__(self, device: str) -> None:
        self.device = torch.device(device)
        self._models: dict[str, WorkerModel] = {}

    def posts(self) -> dict[str, Callable[[Fields], Any]]:
        """Handlers of the POST endpoints by name."""
        return {
            "models": self.create,
            "forward": self.forward,
            "forward_backward": self.forward_backward,
            "optim_step": self.optim_step,
            "zero_grad": self.zero_grad,
            "sample": self.sample,
            "save": self.save,
            "load": self.load,
        }

    def capabilities(self) -> dict[str, Any]:
        """What this worker can do."""
        import peft
        import transformers

        return {
            "protocol": PROTOCOL,
            "version": VERSION,
            "device": str(self.device),
            "threads": torch.get_num_threads(),
            "losses": list(LOSSES),
            "dtypes": list(DTYPES),
            "fastArchitectures": ["qwen3_5_text"] if self.device.type == "cpu" else [],
            "versions": {"python": platform.python_version(), "torch": torch.__version__, "transformers": transformers.__version__, "peft": peft.__version__},
            "models": self.models(),
        }

    def models(self) -> list[dict[str, Any]]:
        """Descriptions of the models held."""
        return [model.describe() for model in list(self._models.values())]

    def create(self, fields: Fields) -> dict[str, Any]:
        """POST /v1/models."""
        id = fields.text("id")
        checkpoint, config = fields.text("checkpoint", None), fields.map("config", None)
        if (checkpoint is None) == (config is None):
            raise WorkerError("bad_request", "exactly one of checkpoint and config is needed", "checkpoint", "send one of them")
        train = fields.text("train", "full", ("full", "lora", "none"))
        lora = None
        given = fields.fields("lora", None)
        adapter = fields.text("adapter", None)
        if given is not None:
            lora = {
                "rank": given.integer("rank", low=1, high=4096),
                "alpha": given.number("alpha", low=0.0, above=True),
                "dropout": given.number("dropout", 0.0, 0.0, 0.99),
                "targets": given.sequence("targets", str, None),
                "seed": given.integer("seed", 0, 0, 2**63 - 1),
            }
            given.done()
        if train != "lora" and (lora is not None or adapter is not None):
            raise WorkerError("bad_request", "lora and adapter need train: lora", "train", "send train: lora or leave them out")
        seed = fields.integer("seed", 0, 0, 2**63 - 1)
        dtype = fields.text("dtype", "float32", DTYPES)
        kernels = fields.text("kernels", "auto", ("auto", "reference"))
        fields.done()
        if id in self._models:
            raise WorkerError("model_exists", f"model {id} exists", "id", "delete it first or choose another id")
        self._models[id] = create_model(id, self.device, checkpoint, config, seed, dtype, train, lora, adapter, kernels)
        return self._models[id].describe()

    def remove(self, id: str) -> dict[str, Any]:
        """DELETE /v1/models/{id}."""
        self._model(id)
        del self._models[id]
        return {}

    def _model(self, id: str) -> WorkerModel:
        if id not in self._models:
            raise WorkerError("unknown_model", f"there is no model {id}", "model", "create it first")
        return self._models[id]

    def forward(self, fields: Fields) -> dict[str, Any]:
        """POST /v1/forward."""
        model = self._model(fields.text("model"))
        top_k = fields.integer("topK", 0, 0, model.vocabulary)
        batch = read_batch(fields.fields("batch"), model.vocabulary, model.context, ("weights",))
        fields.done()
        logprobs, ids, logps = model.logprobs(batch, top_k)
        out = {"logprobs": logprobs}
        if top_k:
            out.update(topIds=ids, topLogprobs=logps)
        return out

    def forward_backward(self, fields: Fields) -> dict[str, Any]:
        """POST /v1/forward_backward."""
        model = self._model(fields.text("model"))
        spec, needed = read_loss(fields.fields("loss"))
        teacher = self._model(spec.teacher) if spec.teacher is not None else None
        if teacher is not None and teacher.vocabulary != model.vocabulary:
            raise WorkerError("bad_request", f"the teacher has {teacher.vocabulary} tokens, the model {model.vocabulary}", "loss.teacher", "use a teacher with the same vocabulary")
        batch = read_batch(fields.fields("batch"), model.vocabulary, model.context, ("weights", *needed))
        arrays = {"weights": batch.weights, "advantages": batch.advantages, "oldLogprobs": batch.old_logprobs}
        for name in ("weights", *needed):
            if arrays[name] is None:
                raise WorkerError("bad_batch", f"{name} is missing", f"batch.{name}", f"{spec.name} needs it")
        divisor = fields.number("divisor", low=0.0, above=True)
        logprobs = fields.flag("logprobs", False)
        fields.done()
        return model.forward_backward(batch, spec, divisor, logprobs, teacher)

    def optim_step(self, fields: Fields) -> dict[str, Any]:
        """POST /v1/optim_step."""
        model = self._model(fields.text("model"))
        lr = fields.number("lr", low=0.0)
        beta1, beta2 = fields.number("beta1", 0.9, 0.0, 0.999999999), fields.number("beta2", 0.95, 0.0, 0.999999999)
        eps = fields.number("eps", 1e-8, 0.0, above=True)
        decay, max_norm = fields.number("weightDecay", 0.0, 0.0), fields.number("maxGradNorm", 0.0, 0.0)
        fields.done()
        return model.optim_step(lr, beta1, beta2, eps, decay, max_norm)

    def zero_grad(self, fields: Fields) -> dict[str, Any]:
        """POST /v1/zero_grad."""
        model = self._model(fields.text("model"))
        fields.done()
        model.zero_grad()
        return {}

    def sample(self, fields: Fields) -> dict[str, Any]:
        """POST /v1/sample."""
        model = self._model(fields.text("model"))
        prompts = fields.fields("prompts")
        tokens, lengths = prompts.array("tokens", "i4"), prompts.array("lengths", "i4")
        prompts.done()
        n = fields.integer("n", 1, 1, 4096)
        settings = Sampling(
            max_tokens=fields.integer("maxTokens", low=1),
            temperature=fields.number("temperature", 1.0, 0.0),
            top_k=fields.integer("topK", 0, 0),
            top_p=fields.number("topP", 1.0, 0.0, 1.0, above=True),
            min_p=fields.number("minP", 0.0, 0.0, 1.0),
            seed=fields.integer("seed", 0, 0, 2**64 - 1),
            stop_ids=frozenset(fields.sequence("stopIds", int, [])),
        )
        fields.done()
        if len(lengths) == 0 or (lengths < 1).any() or int(lengths.sum(dtype=np.int64)) != len(tokens):
            raise WorkerError("bad_batch", "prompt lengths must be positive and add up to the number of tokens", "prompts.lengths", "send one length per prompt")
        if int(tokens.min()) < 0 or int(tokens.max()) >= model.vocabulary:
            raise WorkerError("bad_batch", f"a token id is outside the vocabulary of {model.vocabulary}", "prompts.tokens", "tokenize with this model's vocabulary")
        return sample(model, np.split(tokens, np.cumsum(lengths)[:-1]), n, settings)

    def save(self, fields: Fields) -> dict[str, Any]:
        """POST /v1/save."""
        model = self._model(fields.text("model"))
        path = fields.text("path")
        weights = fields.text("weights", None, DTYPES)
        state, merge, overwrite = fields.flag("state", model.optimizer is not None), fields.flag("merge", False), fields.flag("overwrite", False)
        files = fields.map("files", {})
        fields.done()
        if any(not isinstance(content, bytes) for content in files.values()):
            raise WorkerError("bad_request", "files must be a map of name to bin", "files", "send each file as bin")
        return save(model, path, weights, state, merge, files, overwrite)

    def load(self, fields: Fields) -> dict[str, Any]:
        """POST /v1/load."""
        model = self._model(fields.text("model"))
        path, state = fields.text("path"), fields.flag("state", True)
        fields.done()
        return load(model, path, state)
