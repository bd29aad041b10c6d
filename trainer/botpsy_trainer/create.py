"""Making models from a checkpoint folder or a configuration."""

from __future__ import annotations

import os
from typing import Any

import torch

from .errors import WorkerError
from .model import WorkerModel

DTYPES = ("float32", "bfloat16")


def create_model(
    id: str,
    device: torch.device,
    checkpoint: str | None,
    config: dict[str, Any] | None,
    seed: int,
    dtype: str,
    train: str,
    lora: dict[str, Any] | None,
    adapter: str | None,
    kernels: str,
) -> WorkerModel:
    """Builds the network, injects LoRA, and picks kernels. Raises ``bad_checkpoint``, ``bad_request`` or ``unsupported``."""
    torch.manual_seed(seed)
    # A bfloat16 model that is trained in full keeps float32 weights and multiplies in bfloat16.
    held = torch.bfloat16 if dtype == "bfloat16" and train != "full" else torch.float32
    network = _from_checkpoint(checkpoint, held) if checkpoint is not None else _from_config(config or {}, held)
    network.config.use_cache = False
    network.to(device)
    used = "reference"
    if kernels == "auto":
        from .fast_qwen35 import accelerate

        used = "fast" if accelerate(network) else "reference"
    if train != "full":
        network.requires_grad_(False)
    if train == "lora":
        network, lora = _with_lora(network, lora, adapter)
    else:
        lora = None
    return WorkerModel(id, network, train, dtype, used, lora)


def _from_checkpoint(path: str, dtype: torch.dtype) -> torch.nn.Module:
    from transformers import AutoModelForCausalLM

    if not os.path.isfile(os.path.join(path, "config.json")):
        raise WorkerError("bad_checkpoint", f"{path} holds no config.json", "checkpoint", "give a Hugging Face model folder")
    try:
        return AutoModelForCausalLM.from_pretrained(path, dtype=dtype, local_files_only=True)
    except Exception as error:
        raise WorkerError("bad_checkpoint", f"{path} could not be read: {error}", "checkpoint", "check that the folder is whole") from error


def _from_config(values: dict[str, Any], dtype: torch.dtype) -> torch.nn.Module:
    from transformers import AutoConfig, AutoModelForCausalLM

    kind = values.get("model_type")
    if not isinstance(kind, str):
        raise WorkerError("bad_request", "config has no model_type", "config.model_type", "name a transformers model type, e.g. qwen3_5_text")
    try:
        config = AutoConfig.for_model(**values)
        return AutoModelForCausalLM.from_config(config, dtype=dtype)
    except Exception as error:
        raise WorkerError("bad_request", f"no model can be made of this config: {error}", "config", "compare with the config.json of a released model") from error


def _with_lora(network: torch.nn.Module, lora: dict[str, Any] | None, adapter: str | None) -> tuple[torch.nn.Module, dict[str, Any]]:
    from peft import LoraConfig, PeftModel, get_peft_model

    if adapter is not None:
        try:
            wrapped = PeftModel.from_pretrained(network, adapter, is_trainable=True)
        except Exception as error:
            raise WorkerError("bad_checkpoint", f"{adapter} could not be read: {error}", "adapter", "give a folder in PEFT's format") from error
        found = wrapped.peft_config["default"]
        return wrapped, {"rank": found.r, "alpha": found.lora_alpha, "dropout": found.lora_dropout}
    if lora is None:
        raise WorkerError("bad_request", "lora is missing", "lora", "send rank and alpha, or an adapter")
    torch.manual_seed(lora["seed"])
    settings = LoraConfig(
        r=lora["rank"],
        lora_alpha=lora["alpha"],
        lora_dropout=lora["dropout"],
        target_modules=lora["targets"] or "all-linear",
        task_type="CAUSAL_LM",
    )
    try:
        return get_peft_model(network, settings), lora
    except ValueError as error:
        raise WorkerError("bad_request", f"LoRA cannot be placed: {error}", "lora.targets", "name linear layers of this model") from error
