"""Finds the endpoint for a request by its path."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sandbox.files import Upload
from sandbox.interactions import Interaction
from sandbox.model import User
from sandbox.problems import Problem
from sandbox.ratelimits import RateLimits
from sandbox.world import World

Json = dict[str, Any]


@dataclass(slots=True)
class Call:
    """One parsed request, as passed to its handler."""

    world: World
    method: str
    path: str
    params: dict[str, str]
    query: dict[str, str]
    body: Any
    uploads: Sequence[Upload]
    rate_limits: RateLimits
    shards: int = 1
    identifies_left: int = 1000
    identify_reset_seconds: float = 86_400.0
    gateway_url: str = ""
    max_concurrency: int = 1

    @property
    def bot(self) -> User:
        """The bot that made the request."""
        return self.world.bot

    @property
    def json(self) -> Json:
        """The body, which the checks guarantee to be an object; empty if there was none."""
        return self.body if isinstance(self.body, dict) else {}


@dataclass(frozen=True, slots=True)
class Answer:
    """A response with an explicit status."""

    status: int
    body: Any = None


Handler = Callable[[Call], Any]  # JSON for 200, None for 204, or an Answer
Check = Callable[[Any, Sequence[Upload]], Iterable[Problem]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A route of the API: its handler, whether it needs the bot's token, and the check of its body's limits."""

    method: str
    template: str
    handler: Handler
    check: Check | None = None
    token: bool = True

    @property
    def route(self) -> str:
        """The route's name in faults and rate limits."""
        return f"{self.method} {self.template}"


@dataclass(slots=True)
class _Node:
    fixed: dict[str, "_Node"] = field(default_factory=dict)
    variable: "_Node | None" = None
    name: str = ""
    endpoints: dict[str, Endpoint] = field(default_factory=dict)


class Router:
    """Finds endpoints by walking path segments, at a cost independent of the number of routes."""

    def __init__(self) -> None:
        self._root = _Node()
        self.endpoints: list[Endpoint] = []

    def add(
        self, method: str, template: str, *, check: Check | None = None, token: bool = True
    ) -> Callable[[Handler], Handler]:
        """Register the decorated function for a route; `{name}` matches any one segment."""

        def register(handler: Handler) -> Handler:
            endpoint = Endpoint(method, template, handler, check, token)
            self.endpoints.append(endpoint)
            node = self._root
            for part in template.strip("/").split("/"):
                if part.startswith("{"):
                    node.variable = node.variable or _Node(name=part[1:-1])
                    node = node.variable
                else:
                    node = node.fixed.setdefault(part, _Node())
            node.endpoints[method] = endpoint
            return handler

        return register

    def find(self, method: str, segments: list[str]) -> tuple[Endpoint | None, dict[str, str]]:
        """Return the endpoint and its path variables; fixed segments take precedence over variables."""
        params: dict[str, str] = {}
        endpoint = self._walk(self._root, method, segments, params)
        return endpoint, params

    def _walk(self, node: _Node, method: str, segments: list[str], params: dict[str, str]) -> Endpoint | None:
        if not segments:
            return node.endpoints.get(method)
        head, rest = segments[0], segments[1:]
        if head in node.fixed:
            found = self._walk(node.fixed[head], method, rest, params)
            if found is not None:
                return found
        if node.variable is None:
            return None
        found = self._walk(node.variable, method, rest, params)
        if found is not None:
            params[node.variable.name] = head
        return found


def persons_of(call: Call) -> set[str]:
    """Return the ids of the people that a request concerns, by DM, interaction, membership or recipient."""
    world, params = call.world, call.params
    found = {params.get("user_id"), str(call.json.get("recipient_id", ""))}
    channel = world.channels.get(params.get("channel_id", ""))
    if channel is not None:
        found.add(channel.recipient_id)
    interaction: Interaction | None = world.interactions.by_id.get(params.get("interaction_id", ""))
    interaction = interaction or world.interactions.by_token.get(params.get("webhook_token", ""))
    if interaction is not None:
        found.add(interaction.user_id)
    return {each for each in found if each}
