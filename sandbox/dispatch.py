"""The life cycle of an interaction: sending it to the bot, then recording its answer or failure."""

from typing import Any

from sandbox import installs
from sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, FIRST_ANSWER_SECONDS, MODAL, Interaction
from sandbox.messagelog import Message
from sandbox.model import Channel, User
from sandbox.world import World

Json = dict[str, Any]

# The client's message when the three seconds run out, by interaction type.
FAILURES = {
    COMMAND: "The application did not respond",
    COMPONENT: "This interaction failed",
    AUTOCOMPLETE: "Loading options failed",
    MODAL: "Something went wrong. Try again.",
}


def begin(
    world: World,
    kind: int,
    user: User,
    channel: Channel,
    data: Json,
    *,
    message: Message | None = None,
    opener: Interaction | None = None,
) -> Interaction:
    """Send an interaction to the bot and start its three-second deadline.

    For a submitted modal, `opener` is the interaction that opened it.
    """
    message_id = None if message is None else message.id
    interaction = world.interactions.new(kind, user.id, channel, data, message_id)
    made_by = opener.metadata if opener is not None else (message.json.get("interaction_metadata") if message else None)
    owners = _owners(world, user, channel, data, made_by)
    metadata: Json = {"id": interaction.id, "user": user.json(), "authorizing_integration_owners": owners, "type": kind}
    if kind == COMPONENT and message_id is not None:
        metadata["interacted_message_id"] = message_id
    elif kind == MODAL and opener is not None:
        metadata["triggering_interaction_metadata"] = opener.metadata
    interaction.metadata = metadata
    interaction.cancel_deadline = world.clock.call_later(FIRST_ANSWER_SECONDS, lambda: fail(world, interaction))
    world.publish("INTERACTION_CREATE", payload(world, interaction, user, channel, message), only=world.bot.id)
    return interaction


def _owners(world: World, user: User, channel: Channel, data: Json, came_from: Json | None) -> dict[str, str]:
    """Return whose installation allows an interaction; `came_from` is the interaction that made its form or message."""
    if came_from is not None:
        owners: dict[str, str] = came_from["authorizing_integration_owners"]
        return owners
    command = world.commands.get(str(data.get("id")), data.get("guild_id"))
    return {"0": channel.guild_id or "0"} if command is None else installs.owners(world, user, channel, command)


def record_answer(world: World, interaction: Interaction, callback_type: int) -> None:
    """Record the bot's first answer and notify the person's client."""
    interaction.answered = True
    interaction.callback_type = callback_type
    if interaction.cancel_deadline is not None:
        interaction.cancel_deadline()
    interaction.done.set()
    if not interaction.deferred:
        interaction.settled.set()
    _notify(world, interaction, "INTERACTION_SUCCESS", {})


def fail(world: World, interaction: Interaction) -> None:
    """Fail an interaction that was not answered in time."""
    if interaction.answered or interaction.failed is not None:
        return
    interaction.failed = FAILURES[interaction.type]
    interaction.done.set()
    interaction.settled.set()
    _notify(world, interaction, "INTERACTION_FAILURE", {"reason": interaction.failed})


def send_modal(world: World, interaction: Interaction) -> None:
    """Send the modal to the person's client."""
    _notify(world, interaction, "INTERACTION_MODAL_CREATE", interaction.modal or {})


def send_choices(world: World, interaction: Interaction) -> None:
    """Send autocomplete suggestions to the person's client."""
    _notify(world, interaction, "APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE", {"choices": interaction.choices})


def payload(world: World, interaction: Interaction, user: User, channel: Channel, message: Message | None) -> Json:
    """Return the INTERACTION_CREATE event for the bot."""
    bits = str(world.permissions(user.id, channel))
    data: Json = {
        "id": interaction.id,
        "application_id": world.bot.id,
        "type": interaction.type,
        "data": interaction.data,
        "channel_id": channel.id,
        "channel": world.channel_json(channel) | {"permissions": bits},
        "token": interaction.token,
        "version": 1,
        "app_permissions": str(world.permissions(world.bot.id, channel)),
        "locale": user.locale,
        "entitlements": [],
        "authorizing_integration_owners": interaction.metadata["authorizing_integration_owners"],
        "context": 0 if channel.guild_id is not None else 1,
        "attachment_size_limit": 10 * 1024 * 1024,
    }
    guild = world.guild_of(channel)
    if guild is not None:
        data["guild_id"] = guild.id
        data["guild"] = {"id": guild.id, "locale": guild.locale, "features": []}
        data["guild_locale"] = guild.locale
        data["member"] = guild.members[user.id].json() | {"permissions": bits}
    else:
        data["user"] = user.json()
    if message is not None:
        data["message"] = message.for_viewer(world.bot.id)
    return data


def _notify(world: World, interaction: Interaction, kind: str, more: Json) -> None:
    data = {"id": interaction.id, "type": interaction.type, "message_id": interaction.message_id} | more
    world.publish(kind, data, channel=world.channels.get(interaction.channel_id), only=interaction.user_id)
