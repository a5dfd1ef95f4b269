"""Routes of the bot itself: login, application, users, DMs and application emojis."""

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any

from sandbox.errors import ApiError
from sandbox.model import Json
from sandbox.problems import Invalid, Problem, bad_length
from sandbox.rest import access
from sandbox.rest.messages import number
from sandbox.rest.router import Answer, Call, Router
from sandbox.world import Stored

IMAGE = re.compile(r"data:image/(png|jpeg|gif|webp|avif);base64,(.+)", re.DOTALL)
EMOJI_NAME = re.compile(r"\w{2,32}", re.ASCII)
MAX_EMOJIS = 2000
"""Cap on the application's emojis."""
MAX_EMOJI_BYTES = 256 * 1024
"""Cap on the size of one emoji image, in bytes."""


def check_emoji(body: Any, uploads: Any) -> Iterator[Problem]:
    """Yield the problems of an emoji."""
    if body.get("name") is not None and not EMOJI_NAME.fullmatch(body["name"]):
        yield bad_length(("name",), 2, 32)


def add_routes(router: Router) -> None:
    """Register the routes of the bot and its application."""
    router.add("GET", "/gateway", token=False)(gateway)
    router.add("GET", "/gateway/bot")(gateway_bot)
    router.add("GET", "/users/@me")(me)
    router.add("GET", "/users/@me/guilds")(my_guilds)
    router.add("DELETE", "/users/@me/guilds/{guild_id}")(leave_guild)
    router.add("GET", "/users/{user_id}")(user)
    router.add("POST", "/users/@me/channels")(open_dm)
    for which in ("/oauth2/applications/@me", "/applications/@me"):
        router.add("GET", which)(application)
    base = "/applications/{application_id}/emojis"
    router.add("GET", base)(emojis)
    router.add("POST", base, check=check_emoji)(create_emoji)
    router.add("GET", f"{base}/{{emoji_id}}")(get_emoji)
    router.add("PATCH", f"{base}/{{emoji_id}}", check=check_emoji)(rename_emoji)
    router.add("DELETE", f"{base}/{{emoji_id}}")(delete_emoji)


def gateway(call: Call) -> Json:
    """Return the gateway's URL."""
    return {"url": call.gateway_url}


def gateway_bot(call: Call) -> Json:
    """Return the gateway's URL, the recommended shards and the remaining logins."""
    again = int(call.identifies_again * 1000)
    left = {"total": 1000, "remaining": call.identifies_left, "reset_after": again, "max_concurrency": 1}
    return {"url": call.gateway_url, "shards": call.shards, "session_start_limit": left}


def me(call: Call) -> Json:
    """Return the bot's own account."""
    return call.bot.json() | {"mfa_enabled": False, "locale": "en-US", "verified": True, "email": None}


def my_guilds(call: Call) -> list[Json]:
    """Return the bot's servers as partial objects."""
    found: list[Json] = [
        {
            "id": guild.id,
            "name": guild.name,
            "icon": None,
            "banner": None,
            "owner": False,
            "permissions": str(guild.permissions(call.bot.id)),
            "features": [],
            "approximate_member_count": len(guild.members),
            "approximate_presence_count": len(guild.members),
        }
        for guild in call.world.guilds_of.get(call.bot.id, {}).values()
    ]
    return found[: number(call, "limit", 200, 1, 200)]


def leave_guild(call: Call) -> None:
    """Leave a server."""
    call.world.remove_member(access.guild(call), call.bot)


def user(call: Call) -> Json:
    """Return a user."""
    return access.user(call).json()


def open_dm(call: Call) -> Json:
    """Return the DM with a person, creating it if needed."""
    person = call.world.users.get(str(call.json.get("recipient_id")))
    if person is None:
        raise ApiError(10013)
    if person.bot:
        raise ApiError(50007)
    return call.world.channel_json(call.world.open_dm(person))


def application(call: Call) -> Json:
    """Return the bot's application; its owner is the first server's owner."""
    bot = call.bot
    first = next(iter(call.world.guilds.values()), None)
    owner = call.world.users[first.owner_id] if first is not None else bot
    return {
        "id": bot.id,
        "name": bot.username,
        "icon": None,
        "description": "",
        "type": None,
        "bot": bot.json(),
        "bot_public": True,
        "bot_require_code_grant": False,
        "integration_types_config": {"0": {}},
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": owner.json(),
        "approximate_guild_count": len(call.world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
    }


def emojis(call: Call) -> Json:
    """Return the application's emojis."""
    return {"items": list(call.world.uploads.emojis.values())}


def create_emoji(call: Call) -> Answer:
    """Add an emoji."""
    found = call.world.uploads.emojis
    image = IMAGE.fullmatch(call.json.get("image") or "")
    if image is None:
        raise Invalid(Problem(("image",), "IMAGE_INVALID", "Unsupported image type given"))
    try:
        data = base64.b64decode(image[2], validate=True)
    except binascii.Error:
        raise Invalid(Problem(("image",), "IMAGE_INVALID", "Invalid image data")) from None
    if len(data) > MAX_EMOJI_BYTES:
        raise Invalid(Problem(("image",), "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb."))
    if len(found) >= MAX_EMOJIS:
        raise ApiError(30008)
    if any(each["name"] == call.json["name"] for each in found.values()):
        raise Invalid(Problem(("name",), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "This name is already taken"))
    emoji_id = call.world.ids.next()
    found[emoji_id] = {
        "id": emoji_id,
        "name": call.json["name"],
        "user": call.bot.json(),
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": image[1] == "gif",
        "available": True,
    }
    call.world.uploads.images[emoji_id] = Stored(f"{emoji_id}.{image[1]}", f"image/{image[1]}", data)
    return Answer(201, found[emoji_id])


def get_emoji(call: Call) -> Json:
    """Return one emoji."""
    found = call.world.uploads.emojis.get(call.params["emoji_id"])
    if found is None:
        raise ApiError(10014)
    return found


def rename_emoji(call: Call) -> Json:
    """Rename an emoji."""
    emoji = get_emoji(call)
    emoji["name"] = call.json.get("name") or emoji["name"]
    return emoji


def delete_emoji(call: Call) -> None:
    """Delete an emoji."""
    emoji = get_emoji(call)
    del call.world.uploads.emojis[emoji["id"]], call.world.uploads.images[emoji["id"]]
