"""Saving and loading: a Hugging Face folder plus what is needed to go on bit for bit. A folder appears whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from .errors import WorkerError
from .model import WorkerModel, plain_config

STATE_FILE = "trainer-state.safetensors"
STATE_NOTE = "trainer-state.json"
STATE_VERSION = 1

unfinished: set[str] = set()
"""Temporary folders being written; removed when the process is told to end."""


def save(model: WorkerModel, path: str, weights: str | None, state: bool, merge: bool, files: dict[str, bytes], overwrite: bool) -> dict[str, Any]:
    """Writes the folder ``path``. Raises ``path_exists``, ``bad_request`` or ``io``; on any failure nothing is left behind."""
    path = os.path.abspath(path)
    for name in files:
        if not name or name in (".", "..") or "/" in name or "\\" in name or "\0" in name:
            raise WorkerError("bad_request", f"{name!r} is not a plain file name", "files", "use names without folders")
    if state and model.accumulated:
        raise WorkerError("bad_request", "there are accumulated gradients, which are not saved", "state", "call optim_step or zero_grad first")
    if os.path.lexists(path) and not overwrite:
        raise WorkerError("path_exists", f"{path} exists", "path", "choose another folder or send overwrite")
    temporary = f"{path}.{uuid.uuid4().hex[:12]}.part"
    unfinished.add(temporary)
    try:
        os.makedirs(temporary)
        _write(model, temporary, weights, state, merge)
        for name, content in files.items():
            with open(os.path.join(temporary, name), "wb") as out:
                out.write(content)
        size = _flush(temporary)
        _replace(temporary, path)
    except OSError as error:
        raise WorkerError("io", f"{path} could not be written: {error}", "path", "check the disk and the folder's permissions") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        unfinished.discard(temporary)
    return {"path": path, "step": model.optimizer.steps if model.optimizer else 0, "bytes": size}


def _replace(temporary: str, path: str) -> None:
    if os.path.lexists(path):
        old = f"{temporary}.old"
        os.rename(path, old)
        try:
            os.rename(temporary, path)
        except OSError:
            os.rename(old, path)
            raise
        shutil.rmtree(old, ignore_errors=True)
    else:
        os.rename(temporary, path)
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _flush(folder: str) -> int:
    size = 0
    for root, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(root, name), "rb+") as handle:
                os.fsync(handle.fileno())
                size += os.fstat(handle.fileno()).st_size
    return size


def _write(model: WorkerModel, folder: str, weights: str | None, state: bool, merge: bool) -> None:
    target = {"float32": torch.float32, "bfloat16": torch.bfloat16, None: None}[weights]
    if model.lora is not None and not merge:
        model.network.save_pretrained(folder, safe_serialization=True)
        _recast(os.path.join(folder, "adapter_model.safetensors"), target)
    else:
        network = _merged(model) if model.lora is not None else model.base
        tensors = {name: _cast(value, target) for name, value in _plain_state(network).items()}
        save_file(tensors, os.path.join(folder, "model.safetensors"), metadata={"format": "pt"})
        config = plain_config(network)
        config["architectures"] = [type(network).__name__]
        if target is not None:
            config["dtype"] = weights
        config["use_cache"] = True
        with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as out:
            json.dump(config, out, indent=2, sort_keys=True)
            out.write("\n")
    if state:
        _write_state(model, folder)


def _cast(value: torch.Tensor, target: torch.dtype | None) -> torch.Tensor:
    value = value.detach()
    value = value.to(target) if target is not None and value.is_floating_point() else value
    return value.cpu().contiguous()


def _recast(path: str, target: torch.dtype | None) -> None:
    if target is not None:
        save_file({name: _cast(value, target) for name, value in load_file(path).items()}, path, metadata={"format": "pt"})


def _plain_state(network: torch.nn.Module) -> dict[str, torch.Tensor]:
    """State of the network with every shared tensor once, under its first name."""
    seen: set[int] = set()
    out: dict[str, torch.Tensor] = {}
    for name, value in network.state_dict(keep_vars=True).items():
        if id(value) not in seen:
            seen.add(id(value))
            out[name] = value
    return out


def _merged(model: WorkerModel) -> torch.nn.Module:
    import copy

    return copy.deepcopy(model.network).merge_and_unload()


def _write_state(model: WorkerModel, folder: str) -> None:
    if model.optimizer is None:
        raise WorkerError("bad_request", f"model {model.id} is not trained and has no state", "state", "send state: false")
    optimizer = model.optimizer
    tensors: dict[str, torch.Tensor] = {"random": model.random}
    for name, parameter, first, second in zip(optimizer.names, optimizer.parameters, optimizer.first, optimizer.second):
        tensors[f"weight/{name}"] = parameter.detach().cpu().contiguous()
        tensors[f"first/{name}"] = first.cpu().contiguous()
        tensors[f"second/{name}"] = second.cpu().contiguous()
    save_file(tensors, os.path.join(folder, STATE_FILE))
    with open(os.path.join(folder, STATE_NOTE), "w", encoding="utf-8") as out:
        json.dump({"version": STATE_VERSION, "step": optimizer.steps, "train": model.train}, out)
        out.write("\n")


def load(model: WorkerModel, path: str, state: bool) -> dict[str, Any]:
    """Reads weights and optimizer of a saved folder into a model of the same shape. Raises ``bad_checkpoint`` with the model unchanged."""
    try:
        if state:
            _read_state(model, path)
        else:
            _read_weights(model, path)
    except (OSError, SafetensorError, ValueError, KeyError, TypeError) as error:
        raise WorkerError("bad_checkpoint", f"{path} could not be read: {error}", "path", "give a folder written by save, or load without state") from error
    model.zero_grad()
    return {"step": model.optimizer.steps if model.optimizer else 0}


def _read_state(model: WorkerModel, path: str) -> None:
    if model.optimizer is None:
        raise WorkerError("bad_request", f"model {model.id} is not trained", "state", "send state: false")
    optimizer = model.optimizer
    with open(os.path.join(path, STATE_NOTE), encoding="utf-8") as handle:
        note = json.load(handle)
    if note["version"] != STATE_VERSION:
        raise ValueError(f"its state has version {note['version']}, this worker reads {STATE_VERSION}")
    tensors = load_file(os.path.join(path, STATE_FILE))
    _check(tensors, {f"weight/{n}": p for n, p in zip(optimizer.names, optimizer.parameters)})
    _check(tensors, {f"first/{n}": p for n, p in zip(optimizer.names, optimizer.first)})
    _check(tensors, {f"second/{n}": p for n, p in zip(optimizer.names, optimizer.second)})
    steps, random = int(note["step"]), tensors["random"]
    with torch.no_grad():
        for place, name in enumerate(optimizer.names):
            optimizer.parameters[place].copy_(tensors[f"weight/{name}"])
            optimizer.first[place].copy_(tensors[f"first/{name}"])
            optimizer.second[place].copy_(tensors[f"second/{name}"])
    optimizer.steps = steps
    model.random = random


def _read_weights(model: WorkerModel, path: str) -> None:
    if model.lora is not None:
        from peft import get_peft_model_state_dict, set_peft_model_state_dict

        tensors = load_file(os.path.join(path, "adapter_model.safetensors"))
        _check(tensors, get_peft_model_state_dict(model.network))
        set_peft_model_state_dict(model.network, tensors)
        return
    names = [name for name in os.listdir(path) if name.endswith(".safetensors") and name != STATE_FILE]
    tensors = {}
    for name in sorted(names):
        tensors.update(load_file(os.path.join(path, name)))
    own = _plain_state(model.base)
    _check(tensors, own)
    with torch.no_grad():
        for name, value in own.items():
            value.copy_(tensors[name])


def _check(tensors: dict[str, torch.Tensor], own: dict[str, torch.Tensor]) -> None:
    for name, value in own.items():
        if name not in tensors:
            raise ValueError(f"it has no tensor {name}")
        if tuple(tensors[name].shape) != tuple(value.shape):
            raise ValueError(f"{name} has shape {tuple(tensors[name].shape)}, the model has {tuple(value.shape)}")
