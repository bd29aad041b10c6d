"""The HTTP face: authentication, decoding, one worker thread that executes requests in order of arrival."""

from __future__ import annotations

import asyncio
import hmac
import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Awaitable, Callable

import torch
from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from .errors import WorkerError
from .service import Service
from .wire import Fields, pack, unpack

MEDIA = "application/msgpack"
log = logging.getLogger("botpsy_trainer")


def make_app(service: Service, token: str, max_body: int, prepare: Callable[[], None]) -> FastAPI:
    """The application. ``prepare`` runs once in the thread that computes (thread counts are set per thread)."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    compute = ThreadPoolExecutor(1, thread_name_prefix="compute", initializer=prepare)
    secret = f"Bearer {token}".encode()

    def reply(value: Any, status: int = 200) -> Response:
        return Response(pack(value), status, media_type=MEDIA)

    @app.middleware("http")
    async def guard(request: Request, following: Callable[[Request], Awaitable[Response]]) -> Response:
        given = request.headers.get("authorization", "").encode()
        if not hmac.compare_digest(given, secret):
            error = WorkerError("unauthorized", "the token is missing or wrong", "authorization", "send the token that the worker was started with")
            return reply(error.body(), error.status)
        return await following(request)

    @app.exception_handler(HTTPException)
    async def no_route(request: Request, error: HTTPException) -> Response:
        known = WorkerError("not_found", f"no endpoint {request.method} {request.url.path}", "path", "see PROTOCOL.md")
        return reply(known.body(), known.status)

    async def body_of(request: Request) -> Fields:
        parts, size = [], 0
        async for part in request.stream():
            size += len(part)
            if size > max_body:
                raise WorkerError("too_large", f"the body exceeds {max_body} bytes", "body", "send smaller batches and accumulate gradients")
            parts.append(part)
        return unpack(b"".join(parts))

    async def guarded(work: Callable[[], Awaitable[Any]]) -> Response:
        try:
            return reply(await work())
        except WorkerError as error:
            return reply(error.body(), error.status)
        except (MemoryError, torch.OutOfMemoryError):
            error = WorkerError("out_of_memory", "the request needs more memory than there is", "", "send smaller batches, then zero_grad and retry")
            return reply(error.body(), error.status)
        except Exception as cause:
            log.exception("request failed")
            error = WorkerError("internal", f"{type(cause).__name__}: {cause}", "", "see the worker's log; zero_grad before going on")
            return reply(error.body(), error.status)

    def on_compute(work: Callable[[], Any]) -> Awaitable[Any]:
        return asyncio.get_running_loop().run_in_executor(compute, work)

    def post(path: str, handler: Callable[[Fields], Any]) -> None:
        async def endpoint(request: Request) -> Response:
            async def work() -> Any:
                fields = await body_of(request)
                return await on_compute(lambda: handler(fields))

            return await guarded(work)

        app.add_api_route(path, endpoint, methods=["POST"], response_model=None)

    for name, handler in service.posts().items():
        post(f"/v1/{name}", handler)

    @app.get("/v1/capabilities", response_model=None)
    async def capabilities(request: Request) -> Response:
        async def work() -> Any:
            return service.capabilities()

        return await guarded(work)

    @app.get("/v1/models", response_model=None)
    async def models(request: Request) -> Response:
        async def work() -> Any:
            return {"models": service.models()}

        return await guarded(work)

    @app.delete("/v1/models/{id:path}", response_model=None)
    async def remove(request: Request, id: str) -> Response:
        async def work() -> Any:
            return await on_compute(lambda: service.remove(id))

        return await guarded(work)

    return app


def log_to_stderr() -> None:
    """Sends the worker's log to stderr."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
