"""The one error type that crosses the wire."""

from __future__ import annotations

STATUS = {
    "unauthorized": 401,
    "not_found": 404,
    "unknown_model": 404,
    "model_exists": 409,
    "bad_request": 400,
    "bad_batch": 400,
    "bad_checkpoint": 400,
    "path_exists": 409,
    "too_large": 413,
    "non_finite": 422,
    "unsupported": 400,
    "out_of_memory": 507,
    "io": 500,
    "internal": 500,
}
"""HTTP status of each error code of the protocol."""


class WorkerError(Exception):
    """A failure that the client is told about: a code of the protocol, what happened, where, and what to do."""

    def __init__(self, code: str, message: str, where: str = "", help: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where
        self.help = help

    @property
    def status(self) -> int:
        """HTTP status that belongs to the code."""
        return STATUS[self.code]

    def body(self) -> dict[str, dict[str, str]]:
        """The response body, before msgpack."""
        return {"error": {"code": self.code, "message": self.message, "where": self.where, "help": self.help}}
