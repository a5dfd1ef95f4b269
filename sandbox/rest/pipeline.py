"""The stages of every request: fault, token, rate limit, checks, handler, fault, record."""

import json
import logging
import re
import socket
import struct
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from aiohttp import BodyPartReader, web

from sandbox import bodies
from sandbox import faults as breakage
from sandbox.clock import sleep
from sandbox.errors import ApiError
from sandbox.faults import Drop, Faults, RateLimited, Refuse, Reset, RestFault, Slow, Status
from sandbox.files import Upload
from sandbox.gateway import Gateway
from sandbox.limits import emojis as emoji_limits
from sandbox.limits import messages as upload_limits
from sandbox.problems import Invalid, Problem, Violation, too_long
from sandbox.ratelimits import RateLimits, Verdict
from sandbox.rest import application, commands, emojis, interactions, messages, places, reactions, threads
from sandbox.rest.router import Answer, Call, Endpoint, Router, persons_of
from sandbox.schema import Schema
from sandbox.world import World

log = logging.getLogger(__name__)

PREFIX = "/api/v10/"
MAX_REASON_CHARACTERS = 512
"""Cap on the characters of an audit log reason."""
VIA = {"Via": "1.1 sandbox"}
FILE_PART = re.compile(r"files\[(\d{1,2})\]|file")
encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


@dataclass(slots=True)
class Logged:
    """A request of the bot, as the inspector and tests see it."""

    at: float
    method: str
    path: str
    route: str
    body: Any
    files: list[str]
    status: int = 0  # 0: not answered
    answer: Any = None
    problems: tuple[Problem, ...] = ()
    fault: RestFault | None = None
    seconds: float = 0.0


def routes() -> Router:
    """Return every route that the sandbox knows."""
    router = Router()
    for module in (application, emojis, commands, messages, reactions, threads, places, interactions):
        module.add_routes(router)
    return router


@dataclass(slots=True)
class Api:
    """The REST side of the sandbox."""

    world: World
    gateway: Gateway
    faults: Faults
    rate_limits: RateLimits
    token: str
    schema: Schema | None
    check: bool = True
    check_answers: bool = False
    requests: deque[Logged] = field(default_factory=lambda: deque(maxlen=2000))
    violations: list[Violation] = field(default_factory=list)
    bad_answers: list[Violation] = field(default_factory=list)
    router: Router = field(default_factory=routes)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request of the bot."""
        started = time.perf_counter()
        path = request.rel_url.raw_path
        endpoint, params = self.router.find(request.method, path.removeprefix(PREFIX).split("/"))
        readable = True
        try:
            body, uploads = await _read(request)
        except ValueError:
            body, uploads, readable = None, [], False
        route = endpoint.route if endpoint is not None else f"{request.method} (unknown)"
        files = [each.filename for each in uploads]
        logged = Logged(self.world.clock.now(), request.method, path, route, body, files)
        self.requests.append(logged)
        try:
            if not readable:
                self._record(logged, (Problem((), "INVALID_JSON", "The request body contains invalid JSON."),))
                return self._respond(logged, 400, ApiError(50109).body(), {})
            return await self._answer(request, endpoint, params, logged, uploads)
        finally:
            logged.seconds = time.perf_counter() - started

    async def _answer(
        self,
        request: web.Request,
        endpoint: Endpoint | None,
        params: dict[str, str],
        logged: Logged,
        uploads: Sequence[Upload],
    ) -> web.StreamResponse:
        if endpoint is None:
            problem = Problem((), "UNKNOWN_ROUTE", "The sandbox does not know this route")
            self._record(logged, (problem,))
            return self._respond(logged, 404, {"message": "404: Not Found", "code": 0}, {})
        call = Call(
            self.world,
            request.method,
            logged.path,
            params,
            dict(request.query) if request.query_string else {},
            logged.body,
            uploads,
            self.rate_limits,
            self.gateway.shards,
            self.gateway.identifies_left,
            self.gateway.identify_reset_seconds,
            self.gateway.url,
            self.gateway.max_concurrency,
        )
        fault = self.faults.for_request(endpoint.route, persons_of(call), call.body) if self.faults.rest else None
        logged.fault = fault
        if fault is not None and not getattr(fault, "after", False):
            broken = await self._break(request, logged, fault)
            if broken is not None:
                return broken
        verdict = Verdict({})
        try:
            if endpoint.token and request.headers.get("Authorization") != f"Bot {self.token}":
                raise ApiError(0)
            verdict = self.rate_limits.take(endpoint.route, params, counts_globally=endpoint.token)
            if verdict.retry_after is not None:
                return self._too_many(logged, verdict)
            self._check(endpoint, call, request.headers.get("X-Audit-Log-Reason", ""))
            result = endpoint.handler(call)
            answer = result if isinstance(result, Answer) else Answer(204 if result is None else 200, result)
        except Invalid as error:
            self._record(logged, error.problems)
            answer = Answer(error.status, error.body())
        except Exception as error:
            if not isinstance(error, ApiError):
                # A bug in the sandbox itself; recorded so that `checked` fails the test.
                log.exception("%s failed", logged.route)
                self.bad_answers.append(
                    Violation(logged.method, logged.path, f"{logged.route}: {error!r}", (), logged.body)
                )
                error = ApiError(0, "500: Internal Server Error", status=500)
            body = error.body()
            if error.status == 429:
                body |= {"retry_after": 0.3, "global": False}
            answer = Answer(error.status, body)
        if self.check_answers and self.schema is not None:
            self._check_answer(endpoint, logged, answer)
        if fault is not None and getattr(fault, "after", False):
            broken = await self._break(request, logged, fault)
            if broken is not None:
                return broken
        return self._respond(logged, answer.status, answer.body, verdict.headers)

    def _check(self, endpoint: Endpoint, call: Call, reason: str) -> None:
        if not self.check:
            return
        problems: list[Problem] = []
        if len(unquote(reason)) > MAX_REASON_CHARACTERS:
            problems.append(too_long(("X-Audit-Log-Reason",), MAX_REASON_CHARACTERS))
        if endpoint.method in ("POST", "PUT", "PATCH"):
            problems += bodies.check(endpoint.route, call.body)
            if not problems and self.schema is not None and call.body is not None:
                problems += self.schema.check_request(endpoint.method, endpoint.template, call.body)
            if not problems and endpoint.check is not None:
                problems += endpoint.check({} if call.body is None else call.body, call.uploads)
            if not problems:
                problems += emoji_limits.check(call.body, call.world.uploads.emojis)
                too_large = list(upload_limits.too_large(call.uploads))
                if too_large:
                    raise Invalid(*too_large, code=40005)
        if problems:
            raise Invalid(*problems)

    def _check_answer(self, endpoint: Endpoint, logged: Logged, answer: Answer) -> None:
        if self.schema is None:
            return
        problems = self.schema.check_answer(endpoint.method, endpoint.template, answer.status, answer.body)
        if problems:
            wrong = Violation(
                logged.method, logged.path, f"{logged.route} -> {answer.status}", tuple(problems), answer.body
            )
            self.bad_answers.append(wrong)

    def _record(self, logged: Logged, problems: tuple[Problem, ...]) -> None:
        logged.problems = problems
        self.violations.append(Violation(logged.method, logged.path, logged.route, problems, logged.body))

    def _respond(self, logged: Logged, status: int, body: Any, headers: dict[str, str]) -> web.Response:
        logged.status, logged.answer = status, body
        if status == 429:
            headers = headers | VIA
        if body is None:
            return web.Response(status=status, headers=headers)
        # No charset in the content type: discord.py compares it literally.
        headers = headers | {"Content-Type": "application/json"}
        return web.Response(status=status, body=encode(body).encode(), headers=headers)

    def _too_many(self, logged: Logged, verdict: Verdict) -> web.Response:
        wait = verdict.retry_after or 0.0
        is_global = verdict.scope == "global"
        headers = verdict.headers | {"Retry-After": str(max(1, round(wait))), "X-RateLimit-Scope": verdict.scope}
        if is_global:
            headers["X-RateLimit-Global"] = "true"
        body = {
            "message": "You are being rate limited.",
            "retry_after": round(wait, 3),
            "global": is_global,
            "code": 0,
        }
        return self._respond(logged, 429, body, headers)

    async def _break(self, request: web.Request, logged: Logged, fault: RestFault) -> web.StreamResponse | None:
        if isinstance(fault, Slow):
            await sleep(self.world.clock, fault.seconds)
            return None
        if isinstance(fault, Refuse):
            return self._respond(logged, *breakage.refusal(fault), {})
        if isinstance(fault, Status):
            body = {"message": f"{fault.status}: Sandbox fault", "code": 0}
            return self._respond(logged, fault.status, body, {})
        if isinstance(fault, RateLimited):
            if fault.scope == "edge":
                logged.status = 429
                return web.Response(status=429, text="error code: 1015", headers={"Retry-After": "600"})
            return self._too_many(logged, Verdict({}, fault.retry_after, fault.scope))
        assert isinstance(fault, Reset | Drop)  # noqa: S101
        _hang_up(request, reset=isinstance(fault, Reset))
        # The connection is closed, so this response is never sent.
        return web.Response(status=500)


def _hang_up(request: web.Request, *, reset: bool) -> None:
    transport = request.transport
    if transport is None:
        return
    if reset:
        raw: socket.socket | None = transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


async def _read(request: web.Request) -> tuple[Any, list[Upload]]:
    kind = request.content_type
    if kind == "multipart/form-data":
        return await _read_multipart(request)
    data = await request.read()
    if not data:
        return None, []
    return json.loads(data), []


async def _read_multipart(request: web.Request) -> tuple[Any, list[Upload]]:
    body: Any = {}
    uploads: list[Upload] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        data = bytes(await part.read())
        if part.name == "payload_json":
            body = json.loads(data)
        elif part.filename is not None:
            named = FILE_PART.fullmatch(part.name or "")
            if named is None:
                continue
            number = int(named[1] or 0)
            kind = part.headers.get("Content-Type", "application/octet-stream")
            uploads.append(Upload(number, part.filename, kind, data))
    return body, uploads
