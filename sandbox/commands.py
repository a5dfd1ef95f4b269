"""The application's commands, and how often they may be created."""

from collections import deque
from collections.abc import Iterator
from typing import Any

from sandbox.errors import ApiError
from sandbox.ids import Snowflakes, moment

Json = dict[str, Any]

CHAT_INPUT = 1
MAX_CREATES_PER_DAY = 200
"""Cap on commands created per day in one scope."""
SUBCOMMAND, SUBCOMMAND_GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(
    1, 12
)


class Commands:
    """The application's commands, by server id; global commands are stored under None."""

    def __init__(self, ids: Snowflakes) -> None:
        self._ids = ids
        self._by_scope: dict[str | None, dict[str, Json]] = {}
        self._created: dict[str | None, deque[float]] = {}  # scope -> creation times within the last day

    def all(self, guild_id: str | None = None) -> list[Json]:
        """Return the global commands, or one server's own, as Discord returns them."""
        return list(self._by_scope.get(guild_id, {}).values())

    def get(self, command_id: str, guild_id: str | None = None) -> Json | None:
        """Return one command."""
        return self._by_scope.get(guild_id, {}).get(command_id)

    def restore(self, commands: list[Json], guild_id: str | None = None) -> None:
        """Restore the commands of a scope from a result of `all`; used when a saved world is loaded."""
        self._by_scope[guild_id] = {each["id"]: each for each in commands}

    def replace_all(self, application_id: str, bodies: list[Json], guild_id: str | None = None) -> list[Json]:
        """Overwrite all commands of a scope. Commands with the same name and type keep their ids."""
        old = {(each["type"], each["name"]): each for each in self.all(guild_id)}
        self._count_creates(sum((body.get("type") or CHAT_INPUT, body["name"]) not in old for body in bodies), guild_id)
        fresh = [self._stored(application_id, body, guild_id, old) for body in bodies]
        self._by_scope[guild_id] = {each["id"]: each for each in fresh}
        return fresh

    def upsert(self, application_id: str, body: Json, guild_id: str | None = None) -> tuple[Json, bool]:
        """Create a command or replace the one with that name; return it and whether it is new."""
        old = {(each["type"], each["name"]): each for each in self.all(guild_id)}
        self._count_creates((body.get("type") or CHAT_INPUT, body["name"]) not in old, guild_id)
        command = self._stored(application_id, body, guild_id, old)
        scope = self._by_scope.setdefault(guild_id, {})
        new = command["id"] not in scope
        scope[command["id"]] = command
        return command, new

    def edit(self, command_id: str, body: Json, guild_id: str | None = None) -> Json | None:
        """Change some fields of a command."""
        command = self.get(command_id, guild_id)
        if command is not None:
            command |= {key: value for key, value in body.items() if key != "type"}
            command["version"] = self._ids.next()
        return command

    def remove(self, command_id: str, guild_id: str | None = None) -> bool:
        """Delete a command; return whether it existed."""
        return self._by_scope.get(guild_id, {}).pop(command_id, None) is not None

    def offered(self, guild_id: str | None) -> Iterator[Json]:
        """Yield the commands known in a server or DM. A server command hides a global one of the same name."""
        own = self.all(guild_id) if guild_id is not None else []
        hidden = {(each["type"], each["name"]) for each in own}
        yield from own
        for command in self.all():
            if (command["type"], command["name"]) not in hidden:
                yield command

    def _count_creates(self, count: int, guild_id: str | None) -> None:
        now = moment(self._ids.next())
        created = self._created.setdefault(guild_id, deque())
        while created and created[0] + 86_400 < now:
            created.popleft()
        if len(created) + count > MAX_CREATES_PER_DAY:
            raise ApiError(30034)
        created.extend([now] * count)

    def _stored(self, application_id: str, body: Json, guild_id: str | None, old: dict[tuple[int, str], Json]) -> Json:
        kind = body.get("type") or CHAT_INPUT
        before = old.get((kind, body["name"]))
        command: Json = {
            "id": before["id"] if before else self._ids.next(),
            "application_id": application_id,
            "version": self._ids.next(),
            "default_member_permissions": None,
            "type": kind,
            "nsfw": False,
            "description": "",
        }
        command |= {key: value for key, value in body.items() if value is not None and key not in ("type", "id")}
        if command["default_member_permissions"] is not None:
            command["default_member_permissions"] = str(command["default_member_permissions"])
        if guild_id is not None:
            command["guild_id"] = guild_id
        else:
            command.setdefault("integration_types", [0])
            if "contexts" not in command:
                command["contexts"] = [0, 1, 2] if body.get("dm_permission", True) else [0]
            command["dm_permission"] = 1 in command["contexts"]
        if before is not None and _same(before, command):
            return before
        return command


def leaf(command: Json, path: list[str]) -> tuple[list[Json], list[Json]] | None:
    """Follow a path of subcommand names; return the subcommands on it and the options of the last one."""
    chain: list[Json] = []
    options: list[Json] = command.get("options") or []
    for name in path:
        found = next((each for each in options if each["name"] == name and each["type"] <= SUBCOMMAND_GROUP), None)
        if found is None:
            return None
        chain.append(found)
        options = found.get("options") or []
    if any(each["type"] <= SUBCOMMAND_GROUP for each in options):
        return None
    return chain, options


def _same(one: Json, other: Json) -> bool:
    ignored = ("id", "version")
    return {k: v for k, v in one.items() if k not in ignored} == {k: v for k, v in other.items() if k not in ignored}
