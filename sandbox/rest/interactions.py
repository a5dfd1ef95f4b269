"""Routes of interaction responses: the first answer, the original response and follow-ups."""

from typing import Any

from sandbox import components, dispatch, posting
from sandbox.commands import CHAT_INPUT
from sandbox.errors import ApiError
from sandbox.interactions import (
    AUTOCOMPLETE,
    CHOICES,
    COMMAND,
    COMPONENT,
    DEFER,
    DEFER_UPDATE,
    MODAL,
    OPEN_MODAL,
    REPLY,
    UPDATE,
    Interaction,
)
from sandbox.limits import messages as limits
from sandbox.messagelog import EPHEMERAL, Message
from sandbox.problems import Invalid, Problem, not_a_choice
from sandbox.rest.messages import check_against, check_lock, check_new
from sandbox.rest.router import Answer, Call, Router
from sandbox.world import World

Json = dict[str, Any]

MAX_FOLLOW_UPS_OUTSIDE = 5
"""Follow-ups to an interaction of somebody who has added the application to their account, where no server has it."""
ALLOWED = {
    COMMAND: (REPLY, DEFER, OPEN_MODAL),
    COMPONENT: (REPLY, DEFER, DEFER_UPDATE, UPDATE, OPEN_MODAL),
    AUTOCOMPLETE: (CHOICES,),
    MODAL: (REPLY, DEFER, DEFER_UPDATE, UPDATE),
}


def add_routes(router: Router) -> None:
    """Register the routes of interactions; none of them needs the bot's token."""
    callback = "/interactions/{interaction_id}/{interaction_token}/callback"
    router.add("POST", callback, check=limits.check_callback, token=False)(answer)
    base = "/webhooks/{webhook_id}/{webhook_token}"
    router.add("POST", base, check=check_new, token=False)(follow_up)
    for which in ("@original", "{message_id}"):
        router.add("GET", f"{base}/messages/{which}", token=False)(get)
        router.add("PATCH", f"{base}/messages/{which}", token=False)(edit)
        router.add("DELETE", f"{base}/messages/{which}", token=False)(delete)


def answer(call: Call) -> Any:
    """Accept the bot's first answer to an interaction."""
    world = call.world
    interaction = world.interactions.by_id.get(call.params["interaction_id"])
    if interaction is None or interaction.token != call.params["interaction_token"]:
        raise ApiError(10062)
    if interaction.answered:
        raise ApiError(40060)
    if world.interactions.too_late_to_answer(interaction):
        raise ApiError(10062)
    kind = call.json.get("type")
    allowed = ALLOWED[interaction.type]
    if interaction.type == MODAL and interaction.message_id is None:
        allowed = (REPLY, DEFER)
    if kind not in allowed:
        raise Invalid(not_a_choice(("type",), allowed))
    _carry_out(call, interaction, kind)
    dispatch.record_answer(world, interaction, kind)
    if call.query.get("with_response", "") not in ("1", "true", "True"):
        return None
    return _callback_response(world, interaction, kind)


def follow_up(call: Call) -> Json:
    """Send a follow-up. The first one after a deferral replaces the "thinking…" message and keeps its visibility."""
    interaction = _by_token(call)
    if limits.empty(call.json, call.uploads):
        raise Invalid(Problem((), "EMPTY_MESSAGE", "Cannot send an empty message"), code=50006)
    if interaction.deferred:
        return _fill(call, interaction)
    if not interaction.is_by_guild_install:
        if interaction.follow_ups >= MAX_FOLLOW_UPS_OUTSIDE:
            raise ApiError(40094)
        interaction.follow_ups += 1
    original = _find(call.world, interaction, interaction.original_id)
    only = interaction.user_id if (call.json.get("flags") or 0) & EPHEMERAL else None
    channel = call.world.channels.get(interaction.channel_id)
    if channel is not None and only is None:
        check_lock(call, channel)
    return _send(call, call.json, interaction, only=only, reply_to=original).json


def get(call: Call) -> Json:
    """Return the original response or a follow-up."""
    return _target(call)[1].for_viewer(call.bot.id)


def edit(call: Call) -> Json:
    """Edit the original response or a follow-up."""
    interaction, message = _target(call)
    if interaction.deferred and message.id == interaction.original_id:
        return _fill(call, interaction)
    check_against(message, call)
    posting.edit(call.world, message, call.json, call.uploads)
    _note_change(interaction, message)
    return message.for_viewer(call.bot.id)


def delete(call: Call) -> None:
    """Delete the original response or a follow-up."""
    interaction, message = _target(call)
    posting.delete(call.world, message)
    if interaction.deferred and message.id == interaction.original_id:
        interaction.deferred = False
        interaction.settled.set()


def _carry_out(call: Call, interaction: Interaction, kind: int) -> None:
    data: Json = call.json.get("data") or {}
    only = interaction.user_id if (data.get("flags") or 0) & EPHEMERAL else None
    if kind == REPLY:
        if limits.empty(data, call.uploads):
            raise Invalid(Problem(("data",), "EMPTY_MESSAGE", "Cannot send an empty message"), code=50006)
        interaction.original_id = _send(call, data, interaction, only=only).id
    elif kind == DEFER:
        interaction.original_id = _send(call, {}, interaction, only=only, loading=True).id
        interaction.deferred = True
    elif kind == DEFER_UPDATE:
        interaction.original_id = interaction.message_id
    elif kind == UPDATE:
        message = _find(call.world, interaction, interaction.message_id)
        if message is None:
            raise ApiError(10008)
        interaction.original_id = message.id
        if data or call.uploads:
            call.json["data"] = data
            check_against(message, call, ("data",))
            posting.edit(call.world, message, data, call.uploads)
            _note_change(interaction, message)
    elif kind == CHOICES:
        interaction.choices = list(data.get("choices") or [])
        dispatch.send_choices(call.world, interaction)
    elif kind == OPEN_MODAL:
        parts = components.stored(data["components"], lambda url: ({"url": url}, None))
        interaction.modal = {"custom_id": data["custom_id"], "title": data["title"], "components": parts}
        dispatch.send_modal(call.world, interaction)


def _send(
    call: Call,
    data: Json,
    interaction: Interaction,
    *,
    only: str | None,
    loading: bool = False,
    reply_to: Message | None = None,
) -> Message:
    world = call.world
    channel = world.channels.get(interaction.channel_id)
    if channel is None:
        raise ApiError(10003)
    extra: Json = {
        "application_id": world.bot.id,
        "webhook_id": world.bot.id,
        "interaction_metadata": dict(interaction.metadata),
    }
    kind = posting.DEFAULT
    if interaction.type == COMMAND:
        kind = posting.COMMAND_REPLY if interaction.data["type"] == CHAT_INPUT else posting.MENU_REPLY
        name, user = interaction.command_name(), interaction.metadata["user"]
        extra["interaction"] = {"id": interaction.id, "type": COMMAND, "name": name, "user": user}
    target = reply_to or _find(world, interaction, interaction.message_id)
    if target is not None:
        kind = posting.REPLY
        reference: Json = {"type": 0, "channel_id": channel.id, "message_id": target.id}
        extra["message_reference"] = reference | ({"guild_id": channel.guild_id} if channel.guild_id else {})
    if reply_to is not None:
        extra["interaction_metadata"]["original_response_message_id"] = reply_to.id
    message = posting.post(
        world, channel, world.bot, data, call.uploads, only=only, kind=kind, loading=loading, extra=extra
    )
    if not loading:
        interaction.appeared.append(message)
    return message


def _fill(call: Call, interaction: Interaction) -> Json:
    message = _find(call.world, interaction, interaction.original_id)
    if message is None:
        raise ApiError(10008)
    check_against(message, call)
    interaction.deferred = False
    posting.edit(call.world, message, call.json, call.uploads)
    interaction.appeared.append(message)
    interaction.settled.set()
    return message.for_viewer(call.bot.id)


def _by_token(call: Call) -> Interaction:
    interaction = call.world.interactions.by_token.get(call.params["webhook_token"])
    if call.params["webhook_id"] != call.bot.id or interaction is None or not interaction.answered:
        raise ApiError(10015)
    if call.world.interactions.expired(interaction):
        raise ApiError(50027)
    return interaction


def _target(call: Call) -> tuple[Interaction, Message]:
    interaction = _by_token(call)
    wanted = call.params.get("message_id") or interaction.original_id
    message = _find(call.world, interaction, wanted)
    owned = message is not None and (
        message.id == interaction.original_id or any(each.id == message.id for each in interaction.appeared)
    )
    if message is None or not owned:
        raise ApiError(10008)
    return interaction, message


def _find(world: World, interaction: Interaction, message_id: str | None) -> Message | None:
    if message_id is None:
        return None
    channel = world.channels.get(interaction.channel_id)
    if channel is None:
        raise ApiError(10003)
    return channel.messages.get(message_id) or world.ephemerals.get(message_id)


def _note_change(interaction: Interaction, message: Message) -> None:
    if all(each is not message for each in interaction.changed):
        interaction.changed.append(message)


def _callback_response(world: World, interaction: Interaction, kind: int) -> Answer:
    about: Json = {"id": interaction.id, "type": interaction.type, "channel_id": interaction.channel_id}
    if interaction.guild_id is not None:
        about["guild_id"] = interaction.guild_id
    body: Json = {"interaction": about}
    message = _find(world, interaction, interaction.original_id)
    if kind in (REPLY, DEFER, UPDATE, DEFER_UPDATE) and message is not None:
        about |= {"response_message_id": message.id, "response_message_loading": message.thinking}
        about["response_message_ephemeral"] = message.ephemeral
    if kind in (REPLY, UPDATE) and message is not None:
        body["resource"] = {"type": kind, "message": message.for_viewer(world.bot.id)}
    return Answer(200, body)
