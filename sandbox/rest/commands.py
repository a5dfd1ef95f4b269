"""Routes of application commands, global and per server."""

from collections.abc import Iterator
from typing import Any

from sandbox.errors import ApiError
from sandbox.limits import commands as limits
from sandbox.model import Json
from sandbox.problems import Problem
from sandbox.rest import access
from sandbox.rest.router import Answer, Call, Router

LOCALIZED = ("name_localizations", "description_localizations")


def check_all(body: Any, uploads: Any) -> Iterator[Problem]:
    """Yield the problems of a bulk overwrite."""
    return limits.check_all(body)


def check_one(body: Any, uploads: Any) -> Iterator[Problem]:
    """Yield the problems of a new command."""
    return limits.check(body)


def check_part(body: Any, uploads: Any) -> Iterator[Problem]:
    """Yield the problems of an edit of a command."""
    return limits.check(body, partial=True)


def add_routes(router: Router) -> None:
    """Register the routes of application commands, global and per server."""
    for base in (
        "/applications/{application_id}/commands",
        "/applications/{application_id}/guilds/{guild_id}/commands",
    ):
        router.add("GET", base)(get_all)
        router.add("PUT", base, check=check_all)(replace_all)
        router.add("POST", base, check=check_one)(create)
        router.add("GET", f"{base}/{{command_id}}")(get)
        router.add("PATCH", f"{base}/{{command_id}}", check=check_part)(edit)
        router.add("DELETE", f"{base}/{{command_id}}")(delete)
    permissions = "/applications/{application_id}/guilds/{guild_id}/commands/permissions"
    router.add("GET", permissions)(no_permissions)
    router.add("GET", "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}/permissions")(
        no_permission
    )


def get_all(call: Call) -> list[Json]:
    """Return the commands, with their translations if `with_localizations` is set."""
    whole = call.query.get("with_localizations", "") in ("1", "true", "True")
    return [each if whole else _without_localizations(each) for each in call.world.commands.all(_scope(call))]


def replace_all(call: Call) -> list[Json]:
    """Overwrite all commands of a scope."""
    return call.world.commands.replace_all(call.bot.id, call.body, _scope(call))


def create(call: Call) -> Answer:
    """Create a command or overwrite the one with that name."""
    command, new = call.world.commands.upsert(call.bot.id, call.json, _scope(call))
    return Answer(201 if new else 200, command)


def get(call: Call) -> Json:
    """Return one command."""
    found = call.world.commands.get(call.params["command_id"], _scope(call))
    if found is None:
        raise ApiError(10063)
    return found


def edit(call: Call) -> Json:
    """Change a command."""
    get(call)
    changed = call.world.commands.edit(call.params["command_id"], call.json, _scope(call))
    if changed is None:
        raise ApiError(10063)
    return changed


def delete(call: Call) -> None:
    """Delete a command."""
    if not call.world.commands.remove(call.params["command_id"], _scope(call)):
        raise ApiError(10063)


def no_permissions(call: Call) -> list[Json]:
    """Return the server's command permissions: always empty, as the sandbox has none."""
    access.guild(call)
    return []


def no_permission(call: Call) -> None:
    """Answer that a command has no server-specific permissions."""
    access.guild(call)
    raise ApiError(10066)


def _scope(call: Call) -> str | None:
    if call.params["application_id"] != call.bot.id:
        raise ApiError(10002)
    return access.guild(call).id if "guild_id" in call.params else None


def _without_localizations(command: Json) -> Json:
    return {key: value for key, value in command.items() if key not in LOCALIZED}
