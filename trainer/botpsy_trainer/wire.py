"""Reading request bodies: every field is taken by name and type, and what is left over is an error."""

from __future__ import annotations

import math
from typing import Any

import msgpack
import numpy as np

from .errors import WorkerError

_MISSING = object()


def unpack(body: bytes) -> "Fields":
    """Decodes a msgpack map. Raises ``bad_request`` when the body is anything else."""
    try:
        value = msgpack.unpackb(body, raw=False, strict_map_key=True)
    except Exception as error:  # msgpack raises many unrelated types on damaged input
        raise WorkerError("bad_request", f"the body is not valid msgpack: {error}", "body", "send one msgpack map") from None
    if not isinstance(value, dict):
        raise WorkerError("bad_request", "the body is not a map", "body", "send one msgpack map")
    return Fields(value, "")


def pack(value: Any) -> bytes:
    """Encodes a response body; NumPy arrays become ``bin`` with little-endian elements."""
    return msgpack.packb(value, default=_encode, use_bin_type=True)


def _encode(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False).tobytes()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot send a {type(value).__name__}")


class Fields:
    """A map of a request. Each ``take`` removes a field; ``done`` rejects the fields that nobody took."""

    def __init__(self, values: dict[str, Any], where: str) -> None:
        self._values = dict(values)
        self._where = where

    def _path(self, name: str) -> str:
        return f"{self._where}.{name}" if self._where else name

    def _take(self, name: str, default: Any, kind: str) -> Any:
        value = self._values.pop(name, None)
        if value is None:
            if default is _MISSING:
                raise WorkerError("bad_request", f"{self._path(name)} is missing", self._path(name), f"send a {kind}")
            return default
        return value

    def _wrong(self, name: str, kind: str, value: Any) -> WorkerError:
        shown = repr(value)
        shown = shown if len(shown) <= 60 else shown[:57] + "..."
        return WorkerError("bad_request", f"{self._path(name)} must be a {kind}, got {shown}", self._path(name), f"send a {kind}")

    def has(self, name: str) -> bool:
        """Whether the field is there and not nil."""
        return self._values.get(name) is not None

    def text(self, name: str, default: Any = _MISSING, choices: tuple[str, ...] | None = None) -> Any:
        """A string, optionally one of ``choices``."""
        value = self._take(name, default, "string")
        if value is default:
            return value
        if not isinstance(value, str) or not value:
            raise self._wrong(name, "non-empty string", value)
        if choices is not None and value not in choices:
            raise self._wrong(name, "string out of " + ", ".join(choices), value)
        return value

    def integer(self, name: str, default: Any = _MISSING, low: int = -(2**63), high: int = 2**63 - 1) -> Any:
        """An integer in [low, high]."""
        value = self._take(name, default, "integer")
        if value is default:
            return value
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self._wrong(name, f"integer from {low} to {high}", value)
        return value

    def number(self, name: str, default: Any = _MISSING, low: float = -math.inf, high: float = math.inf, above: bool = False) -> Any:
        """A finite number in [low, high]; with ``above`` strictly greater than low."""
        value = self._take(name, default, "number")
        if value is default:
            return value
        good = not isinstance(value, bool) and isinstance(value, (int, float)) and math.isfinite(value) and low <= value <= high
        if not good or (above and value == low):
            raise self._wrong(name, f"finite number {'above' if above else 'from'} {low} to {high}", value)
        return float(value)

    def flag(self, name: str, default: Any = _MISSING) -> Any:
        """A boolean."""
        value = self._take(name, default, "boolean")
        if not isinstance(value, bool):
            raise self._wrong(name, "boolean", value)
        return value

    def array(self, name: str, dtype: str, default: Any = _MISSING) -> Any:
        """A ``bin`` of little-endian elements (``i4`` or ``f4``) as a read-only one-dimensional NumPy array."""
        kind = {"i4": "bin of int32", "f4": "bin of float32"}[dtype]
        value = self._take(name, default, kind)
        if value is default:
            return value
        if not isinstance(value, bytes) or len(value) % 4:
            raise self._wrong(name, kind, value)
        return np.frombuffer(value, dtype="<" + dtype)

    def sequence(self, name: str, kind: type, default: Any = _MISSING) -> Any:
        """A list whose members are all of one type."""
        value = self._take(name, default, f"list of {kind.__name__}")
        if value is default:
            return value
        if not isinstance(value, list) or any(not isinstance(item, kind) or isinstance(item, bool) for item in value):
            raise self._wrong(name, f"list of {kind.__name__}", value)
        return value

    def map(self, name: str, default: Any = _MISSING) -> Any:
        """A nested map, as plain values."""
        value = self._take(name, default, "map")
        if value is default:
            return value
        if not isinstance(value, dict):
            raise self._wrong(name, "map", value)
        return value

    def fields(self, name: str, default: Any = _MISSING) -> Any:
        """A nested map whose fields are taken in turn."""
        value = self.map(name, default)
        return value if value is default else Fields(value, self._path(name))

    def done(self) -> None:
        """Rejects fields that are not part of the protocol."""
        left = [name for name, value in self._values.items() if value is not None]
        if left:
            name = self._path(str(left[0]))
            raise WorkerError("bad_request", f"unknown field {name}", name, "see PROTOCOL.md for the fields of this request")
