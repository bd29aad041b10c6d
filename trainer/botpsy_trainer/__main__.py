"""Starts the worker: ``python -m botpsy_trainer``. See PROTOCOL.md."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import sys
import threading
import time


def main() -> int:
    """Reads options, binds a loopback port and serves until stdin ends, the parent dies or a signal comes. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="botpsy_trainer", description="The training worker of BotPsy.")
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch (default 1)")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--port", type=int, default=0, help="loopback port (default: any free one)")
    parser.add_argument("--max-body-mb", type=int, default=512, help="largest request body in MiB")
    options = parser.parse_args()
    token = os.environ.pop("BOTPSY_WORKER_TOKEN", "")
    if len(token) < 16:
        print("BOTPSY_WORKER_TOKEN is missing or shorter than 16 characters", file=sys.stderr)
        return 2
    if options.threads < 1 or options.max_body_mb < 1:
        print("--threads and --max-body-mb must be at least 1", file=sys.stderr)
        return 2
    # Libraries print to stdout at will; the ready line must stay alone there.
    ready = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
    threading.Thread(target=_watch_stdin, daemon=True).start()
    _set_environment(options.threads)
    from . import PROTOCOL
    from .memory import keep_freed_memory

    keep_freed_memory()
    import torch
    import transformers
    import uvicorn

    from .app import log_to_stderr, make_app
    from .service import Service

    if options.device == "cuda" and not torch.cuda.is_available():
        print("--device cuda: this PyTorch sees no GPU", file=sys.stderr)
        return 2
    log_to_stderr()
    transformers.utils.logging.disable_progress_bar()

    def prepare() -> None:
        torch.set_num_threads(options.threads)
        if options.device == "cuda":
            torch.use_deterministic_algorithms(True, warn_only=True)
            torch.utils.deterministic.fill_uninitialized_memory = False

    prepare()
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", options.port))
    listener.listen(64)
    app = make_app(Service(options.device), token, options.max_body_mb << 20, prepare)
    server = _server_class(uvicorn)(
        uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off", timeout_keep_alive=3600, ws="none"),
        lambda: print(json.dumps({"port": listener.getsockname()[1], "protocol": PROTOCOL, "pid": os.getpid()}), file=ready, flush=True),
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: _end())
    server.run(sockets=[listener])
    return 0


def _server_class(uvicorn):
    import contextlib

    class Server(uvicorn.Server):
        """Tells when it listens, and leaves signals alone: a long request must not hold up the end of the process."""

        def __init__(self, config, started) -> None:
            super().__init__(config)
            self._tell = started

        async def startup(self, sockets=None) -> None:
            await super().startup(sockets=sockets)
            self._tell()

        @contextlib.contextmanager
        def capture_signals(self):
            yield

    return Server


def _set_environment(threads: int) -> None:
    os.environ["OMP_NUM_THREADS"] = str(threads)
    os.environ["MKL_NUM_THREADS"] = str(threads)
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    # cuBLAS is deterministic only with a fixed workspace.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")


def _end() -> None:
    # The compute thread may be deep inside a product; nothing but temporary folders needs care.
    checkpoint = sys.modules.get(f"{__package__}.checkpoint")
    for path in list(checkpoint.unfinished) if checkpoint else []:
        shutil.rmtree(path, ignore_errors=True)
    os._exit(0)


def _watch_stdin() -> None:
    try:
        while os.read(0, 4096):
            pass
    except OSError:
        pass
    _end()


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    _end()


if __name__ == "__main__":
    sys.exit(main())
