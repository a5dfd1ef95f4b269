"""Who has installed the application: a server for everybody in it, or a person for themselves."""

from typing import Any

from sandbox.model import Channel, User
from sandbox.world import World

Json = dict[str, Any]

GUILD_INSTALL, USER_INSTALL = 0, 1
IN_GUILD, IN_BOT_DM = 0, 1


def owners(world: World, user: User, channel: Channel, command: Json) -> dict[str, str]:
    """Return by whose installation a person may use a command in a channel: the server ("0"), themselves ("1").

    Empty if the command is not offered there. In the DM with the bot, the server is written as 0.
    """
    context = IN_BOT_DM if channel.guild_id is None else IN_GUILD
    if context not in command.get("contexts", [IN_GUILD]):
        return {}
    kinds = command.get("integration_types", [GUILD_INSTALL])
    guild = world.guild_of(channel)
    found: dict[str, str] = {}
    if GUILD_INSTALL in kinds and (guild is None or guild.has_commands):
        found[str(GUILD_INSTALL)] = "0" if guild is None else guild.id
    if USER_INSTALL in kinds and USER_INSTALL in world.install_types and user.has_app:
        found[str(USER_INSTALL)] = user.id
    return found
