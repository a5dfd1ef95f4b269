"""Routes of the bot itself: login, application, users and DMs."""

from sandbox.errors import ApiError
from sandbox.model import Json
from sandbox.rest import access
from sandbox.rest.messages import number
from sandbox.rest.router import Call, Router


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


def gateway(call: Call) -> Json:
    """Return the gateway's URL."""
    return {"url": call.gateway_url}


def gateway_bot(call: Call) -> Json:
    """Return the gateway's URL, the recommended shards and the remaining logins."""
    session_start_limit = {
        "total": 1000,
        "remaining": call.identifies_left,
        "reset_after": int(call.identify_reset_seconds * 1000),
        "max_concurrency": call.max_concurrency,
    }
    return {"url": call.gateway_url, "shards": call.shards, "session_start_limit": session_start_limit}


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
        for guild in sorted(call.world.guilds_of.get(call.bot.id, {}).values(), key=lambda each: int(each.id))
        if int(guild.id) > number(call, "after", 0, 0, 2**63)
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
        "integration_types_config": {str(each): {} for each in call.world.install_types},
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
