"""Servers, channels, members, roles and overwrites."""

from collections.abc import Iterator
from typing import Any

from sandbox.errors import ApiError
from sandbox.events import Change
from sandbox.model import Channel, Guild, Json, Role, User
from sandbox.permissions import Permission
from sandbox.problems import Invalid, Problem, bad_length, too_long
from sandbox.rest import access, threads
from sandbox.rest.messages import number
from sandbox.rest.router import Answer, Call, Router


def check_channel(body: Any, uploads: Any) -> Iterator[Problem]:
    """Yield the problems of a channel's fields."""
    if body.get("name") is not None and not 1 <= len(body["name"]) <= 100:
        yield bad_length(("name",), 1, 100)
    if len(body.get("topic") or "") > 1024:
        yield too_long(("topic",), 1024)


def add_routes(router: Router) -> None:
    """Register the routes of servers and channels."""
    router.add("GET", "/channels/{channel_id}")(get_channel)
    router.add("PATCH", "/channels/{channel_id}", check=check_channel)(update_channel)
    router.add("DELETE", "/channels/{channel_id}")(delete_channel)
    router.add("PUT", "/channels/{channel_id}/permissions/{overwrite_id}")(put_overwrite)
    router.add("DELETE", "/channels/{channel_id}/permissions/{overwrite_id}")(delete_overwrite)
    router.add("GET", "/guilds/{guild_id}")(get_guild)
    router.add("GET", "/guilds/{guild_id}/channels")(get_channels)
    router.add("POST", "/guilds/{guild_id}/channels", check=check_channel)(create_channel)
    router.add("GET", "/guilds/{guild_id}/roles")(get_roles)
    router.add("POST", "/guilds/{guild_id}/roles")(create_role)
    router.add("PATCH", "/guilds/{guild_id}/roles/{role_id}")(update_role)
    router.add("DELETE", "/guilds/{guild_id}/roles/{role_id}")(delete_role)
    router.add("GET", "/guilds/{guild_id}/members")(get_members)
    router.add("GET", "/guilds/{guild_id}/members/search")(search_members)
    router.add("GET", "/guilds/{guild_id}/members/{user_id}")(get_member)
    router.add("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")(add_member_role)
    router.add("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")(remove_member_role)


def get_channel(call: Call) -> Json:
    """Return a channel, thread or DM."""
    channel = access.channel(call)
    return call.world.thread_json(channel, call.bot.id) if channel.is_thread else call.world.channel_json(channel)


def update_channel(call: Call) -> Json:
    """Change a channel or a thread."""
    channel = access.channel(call)
    if channel.guild_id is None:
        raise ApiError(50003)
    if channel.is_thread:
        threads.update(call, channel)
        return call.world.thread_json(channel, call.bot.id)
    access.check(call, channel, Permission.MANAGE_CHANNELS)
    body = call.json
    if body.get("name") is not None:
        channel.name = body["name"]
    if "topic" in body:
        channel.topic = body["topic"]
    for key, field in (("nsfw", "nsfw"), ("position", "position"), ("rate_limit_per_user", "slowmode")):
        if body.get(key) is not None:
            setattr(channel, field, body[key])
    if "parent_id" in body:
        channel.parent_id = None if body["parent_id"] is None else str(body["parent_id"])
    if body.get("permission_overwrites") is not None:
        _set_overwrites(channel, body["permission_overwrites"])
    call.world.update_channel(channel)
    return channel.json()


def delete_channel(call: Call) -> Json:
    """Delete a channel or thread; a DM is only closed for the bot."""
    channel = access.channel(call)
    json = call.world.channel_json(channel)
    if channel.guild_id is not None:
        access.check(call, channel, Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS)
        call.world.remove_channel(channel)
    return json


def put_overwrite(call: Call) -> None:
    """Set the permission overwrite of a role or member in a channel."""
    channel = access.channel(call, Permission.MANAGE_ROLES)
    body, target_id = call.json, call.params["overwrite_id"]
    target = _target(call, channel, target_id, int(body["type"]))
    call.world.set_overwrite(channel, target, allow=int(body.get("allow") or 0), deny=int(body.get("deny") or 0))


def delete_overwrite(call: Call) -> None:
    """Delete a permission overwrite."""
    channel = access.channel(call, Permission.MANAGE_ROLES)
    target_id = call.params["overwrite_id"]
    if target_id not in channel.overwrites:
        raise ApiError(10009)
    channel.overwrites.pop(target_id)
    channel.role_overwrites.discard(target_id)
    call.world.update_channel(channel)


def get_guild(call: Call) -> Json:
    """Return a server."""
    guild = access.guild(call)
    counts = {"approximate_member_count": len(guild.members), "approximate_presence_count": len(guild.members)}
    return guild.json() | (counts if call.query.get("with_counts") in ("1", "true", "True") else {})


def get_channels(call: Call) -> list[Json]:
    """Return the channels of a server, without threads."""
    return [each.json() for each in access.guild(call).channels.values()]


def create_channel(call: Call) -> Answer:
    """Create a channel."""
    guild = access.guild(call)
    _need(call, guild, Permission.MANAGE_CHANNELS)
    body = call.json
    parent = guild.channels.get(str(body.get("parent_id")))
    channel = call.world.add_channel(guild, body["name"], kind=body.get("type") or 0, parent=parent)
    channel.topic = body.get("topic")
    channel.nsfw = bool(body.get("nsfw"))
    if body.get("permission_overwrites"):
        _set_overwrites(channel, body["permission_overwrites"])
        call.world.update_channel(channel)
    return Answer(201, channel.json())


def get_roles(call: Call) -> list[Json]:
    """Return the roles of a server."""
    return [each.json() for each in access.guild(call).roles.values()]


def create_role(call: Call) -> Json:
    """Create a role."""
    guild = access.guild(call)
    _need(call, guild, Permission.MANAGE_ROLES)
    role = call.world.add_role(guild, call.json.get("name") or "new role", int(call.json.get("permissions") or 0))
    _fill_role(role, call.json)
    return role.json()


def update_role(call: Call) -> Json:
    """Change a role."""
    guild = access.guild(call)
    _need(call, guild, Permission.MANAGE_ROLES)
    role = access.role(call, guild, call.params["role_id"])
    _fill_role(role, call.json)
    granted = call.json.get("permissions")
    call.world.set_role_permissions(guild, role, role.permissions if granted is None else int(granted))
    return role.json()


def delete_role(call: Call) -> None:
    """Delete a role."""
    guild = access.guild(call)
    _need(call, guild, Permission.MANAGE_ROLES)
    role = access.role(call, guild, call.params["role_id"])
    if role.managed or role.id == guild.id:
        raise ApiError(50013)
    for member in guild.members.values():
        if role.id in member.roles:
            member.roles.remove(role.id)
    del guild.roles[role.id]
    call.world.bus.publish(Change("GUILD_ROLE_DELETE", {"guild_id": guild.id, "role_id": role.id}, guild))


def get_members(call: Call) -> list[Json]:
    """Return members of a server, ordered by id."""
    guild = access.guild(call)
    limit, after = number(call, "limit", 1, 1, 1000), int(call.query.get("after", 0))
    found = sorted((each for each in guild.members if int(each) > after), key=int)[:limit]
    return [guild.members[each].json() for each in found]


def search_members(call: Call) -> list[Json]:
    """Return members whose name begins with a text."""
    guild = access.guild(call)
    if "query" not in call.query:
        raise Invalid(Problem(("query",), "BASE_TYPE_REQUIRED", "This field is required"))
    found = guild.search(call.query["query"])
    return [each.json() for each in found[: number(call, "limit", 1, 1, 1000)]]


def get_member(call: Call) -> Json:
    """Return one member."""
    return access.member(call)[1].json()


def add_member_role(call: Call) -> None:
    """Give a member a role."""
    guild, member = access.member(call)
    _need(call, guild, Permission.MANAGE_ROLES)
    call.world.grant(guild, member.user, access.role(call, guild, call.params["role_id"]))


def remove_member_role(call: Call) -> None:
    """Take a role from a member."""
    guild, member = access.member(call)
    _need(call, guild, Permission.MANAGE_ROLES)
    if call.params["role_id"] in member.roles:
        member.roles.remove(call.params["role_id"])
    call.world.bus.publish(Change("GUILD_MEMBER_UPDATE", member.json() | {"guild_id": guild.id}, guild))


def _need(call: Call, guild: Guild, permission: Permission) -> None:
    if not guild.permissions(call.bot.id) & permission:
        raise ApiError(50013)


def _fill_role(role: Role, body: Json) -> None:
    role.name = body.get("name") or role.name
    for key in ("color", "hoist", "mentionable"):
        if body.get(key) is not None:
            setattr(role, key, body[key])


def _set_overwrites(channel: Channel, overwrites: list[Json]) -> None:
    channel.overwrites = {
        str(each["id"]): (int(each.get("allow") or 0), int(each.get("deny") or 0)) for each in overwrites
    }
    channel.role_overwrites = {str(each["id"]) for each in overwrites if not int(each.get("type") or 0)}


def _target(call: Call, channel: Channel, target_id: str, kind: int) -> Role | User:
    guild = call.world.guild_of(channel)
    if guild is None:
        raise ApiError(50003)
    if kind == 0:
        return access.role(call, guild, target_id)
    if target_id not in guild.members:
        raise ApiError(10007)
    return guild.members[target_id].user
