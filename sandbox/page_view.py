"""The world as sent to the page: the part that one person's client would know."""

from typing import Any

from sandbox.events import CLIENT_ONLY, Change
from sandbox.model import DM, Channel
from sandbox.people import People, Person
from sandbox.permissions import Permission
from sandbox.world import World

Json = dict[str, Any]

PEOPLE_CHANGED = frozenset({"GUILD_MEMBER_ADD", "GUILD_MEMBER_UPDATE", "GUILD_MEMBER_REMOVE"})
# Interaction events that are not pushed: the page gets their outcome in the replies to its requests.
NOT_PUSHED = CLIENT_ONLY | {"INTERACTION_CREATE"}


def people(everybody: People) -> list[Json]:
    """Return the people of the sandbox, in order of arrival."""
    return [_person(each) for each in everybody if not each.user.bot]


def _person(each: Person) -> Json:
    return {"user": each.user.json(), "locale": each.locale, "dms_open": each.dms_open, "has_app": each.has_app}


def snapshot(world: World, person: Person) -> Json:
    """Return the servers, channels, names and commands that this person's client knows."""
    visible = list(world.visible_channels(person.id))
    guilds = world.guilds_of.get(person.id, {}).values()
    known = {world.bot.id: world.bot} | {one.user.id: one.user for guild in guilds for one in guild.members.values()}
    return {
        "me": _person(person),
        "home": None if person.where is None else person.where.id,
        "guilds": [
            {
                "id": guild.id,
                "name": guild.name,
                "preferred_locale": guild.locale,
                "roles": [role.json() for role in guild.roles.values()],
                "members": [member.json() for member in guild.members.values()],
                "channels": [channel(world, each, person.id) for each in visible if each.guild_id == guild.id],
            }
            for guild in guilds
        ],
        "dms": [channel(world, each, person.id) for each in visible if each.type == DM],
        "users": [user.json() for user in known.values()] + [person.user.json()],
        "commands": [],
    }


def channel(world: World, each: Channel, viewer_id: str) -> Json:
    """Return a channel as this person's client has it; the recipient of a DM is the bot."""
    json = world.channel_json(each)
    if each.recipient_id is not None:
        json["recipients"] = [world.bot.json()]
    granted = world.permissions(viewer_id, each)
    sending = Permission.SEND_MESSAGES_IN_THREADS if each.is_thread else Permission.SEND_MESSAGES
    return json | {"can_send": bool(granted & sending), "can_pin": bool(granted & Permission.PIN_MESSAGES)}


def commands(world: World, person: Person, where: Channel) -> list[Json]:
    """Return the commands that this person may use in a channel, each with the bot as `owner`."""
    owner = world.bot.json()
    return [each | {"owner": owner} for each in person.commands(where)]


def concerned(change: Change) -> set[str]:
    """Return the ids of people to alert: the change is their DM, private answer or mention."""
    if change.kind != "MESSAGE_CREATE":
        return set()
    if change.only is not None:
        return {change.only}
    if change.channel is not None and change.channel.recipient_id is not None:
        found = {change.channel.recipient_id}
    else:
        found = {user["id"] for user in change.data["mentions"]}
    return found - {change.data["author"]["id"]}
