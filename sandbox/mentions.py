"""Finds whom a message mentions, and whom it may notify."""

import re
from dataclasses import dataclass, field
from typing import Any

from sandbox.components import walk
from sandbox.model import Channel
from sandbox.permissions import Permission
from sandbox.world import World

Json = dict[str, Any]

USER = re.compile(r"<@!?(\d+)>")
ROLE = re.compile(r"<@&(\d+)>")
EVERYONE = re.compile(r"@(everyone|here)\b")


@dataclass(slots=True)
class Mentions:
    """The users and roles that a message notifies."""

    users: list[str] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    everyone: bool = False


def find(world: World, channel: Channel, author_id: str, body: Json) -> Mentions:
    """Return the mentions that `allowed_mentions` permits; without that field, all are permitted."""
    text = "\n".join(_texts(body))
    if "@" not in text:
        return Mentions()
    allowed = body.get("allowed_mentions")
    guild = world.guild_of(channel)
    users = [found for found in dict.fromkeys(USER.findall(text)) if found in world.users]
    roles = [found for found in dict.fromkeys(ROLE.findall(text)) if guild is not None and found in guild.roles]
    may_ping_everyone = bool(world.permissions(author_id, channel) & Permission.MENTION_EVERYONE)
    if guild is not None and not may_ping_everyone:
        roles = [each for each in roles if guild.roles[each].mentionable]
    everyone = may_ping_everyone and EVERYONE.search(text) is not None
    if allowed is None:
        return Mentions(users, roles, everyone)
    parse = allowed.get("parse") or ()
    named_users = {str(each) for each in allowed.get("users") or ()}
    named_roles = {str(each) for each in allowed.get("roles") or ()}
    return Mentions(
        [each for each in users if "users" in parse or each in named_users],
        [each for each in roles if "roles" in parse or each in named_roles],
        everyone and "everyone" in parse,
    )


def _texts(body: Json) -> list[str]:
    texts = [body["content"]] if body.get("content") else []
    return texts + [each["content"] for each in walk(body.get("components") or ()) if each["type"] == 10]
