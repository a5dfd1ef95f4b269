"""A simulated person, who acts through a client as people do."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from sandbox import dispatch, forms, posting, reacting
from sandbox.clock import sleep
from sandbox.commands import CHAT_INPUT
from sandbox.components import SELECTS
from sandbox.events import Change
from sandbox.files import Upload
from sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL, Interaction
from sandbox.messagelog import Message
from sandbox.model import TEXT, Channel, Guild, User
from sandbox.permissions import Permission
from sandbox.refusals import (
    Refused,
    fill_options,
    find_command,
    may_use,
    require_channel,
    require_message,
    require_permission,
    resolve,
)
from sandbox.shown import Modal, Shown
from sandbox.world import World

Json = dict[str, Any]
T = TypeVar("T")

USER_MENU, MESSAGE_MENU = 2, 3


class Person:
    """A simulated person with a client. Every act returns what the client then shows, or raises `Refused`.

    `at` defaults to `where`, the channel that the person has open. Messages are live objects that reflect their edits.
    """

    def __init__(self, world: World, user: User, where: Channel | None = None) -> None:
        self.world = world
        self.user = user
        self.where = where
        self.patience = 10.0  # seconds to wait for a "thinking…" message before returning it

    def __repr__(self) -> str:
        return f"<Person {self.user.display_name}>"

    @property
    def id(self) -> str:
        """The user's id."""
        return self.user.id

    @property
    def mention(self) -> str:
        """The text that mentions this person in a message."""
        return f"<@{self.user.id}>"

    # -- commands

    def commands(self, at: Channel | None = None) -> list[Json]:
        """Return the commands that the client offers in a channel."""
        channel = self._place(at)
        offered = self.world.commands.offered(channel.guild_id)
        return [each for each in offered if may_use(self.world, self.user, channel, each)]

    async def slash(self, command: str, at: Channel | None = None, /, **options: Any) -> Shown:
        """Send a command such as "coyote new". Options are passed by name; people, channels and roles as objects."""
        channel = self._place(at)
        found, chain, known = find_command(self.world, self.user, channel, command)
        filled, resolved = fill_options(self.world, channel, known, options)
        return await self._interact(COMMAND, channel, _command_data(found, chain, filled, resolved))

    async def use(self, command: str, target: "Person | Message", at: Channel | None = None) -> Shown:
        """Run a context menu command on a person or message."""
        resolved: Json = {}
        if isinstance(target, Message):
            channel = require_message(self.world, self.user, target)
            found, _, _ = find_command(self.world, self.user, channel, command, MESSAGE_MENU)
            resolved["messages"] = {target.id: target.for_viewer(self.world.bot.id)}
        else:
            channel = self._place(at)
            found, _, _ = find_command(self.world, self.user, channel, command, USER_MENU)
            resolve(self.world, channel, target.user, resolved)
        data = _command_data(found, [], [], resolved) | {"target_id": target.id}
        return await self._interact(COMMAND, channel, data)

    async def autocomplete(
        self, command: str, option: str, typed: str, at: Channel | None = None, /, **others: Any
    ) -> list[Json]:
        """Type into an option and return the suggestions; empty if the bot did not answer in time."""
        channel = self._place(at)
        found, chain, known = find_command(self.world, self.user, channel, command)
        focused = next((each for each in known if each["name"] == option), None)
        if focused is None or not focused.get("autocomplete"):
            raise Refused(f"the option {option} has no suggestions")
        optional = [each | {"required": False} for each in known if each is not focused]
        filled, resolved = fill_options(self.world, channel, optional, others)
        filled.append({"name": option, "type": focused["type"], "value": typed, "focused": True})
        shown = await self._interact(AUTOCOMPLETE, channel, _command_data(found, chain, filled, resolved))
        return shown.choices

    # -- messages

    async def click(self, message: Message, button: str) -> Shown:
        """Press the button with this custom_id or label."""
        channel = require_message(self.world, self.user, message)
        found = _pressable(message, button, (2,))
        if found.get("url") or not found.get("custom_id"):
            raise Refused("a link button opens in the browser and is never sent to the bot")
        data: Json = {"custom_id": found["custom_id"], "component_type": 2, "id": found["id"]}
        return await self._interact(COMPONENT, channel, data, message)

    async def select(self, message: Message, menu: str, *values: Any) -> Shown:
        """Choose values in the select with this custom_id or placeholder.

        Options are given by value or label; people, roles and channels as objects.
        """
        channel = require_message(self.world, self.user, message)
        found = _pressable(message, menu, SELECTS)
        chosen, resolved = forms.choose(self.world, channel, found, values)
        data: Json = {
            "custom_id": found["custom_id"],
            "component_type": found["type"],
            "id": found["id"],
            "values": chosen,
        }
        if resolved:
            data["resolved"] = resolved
        return await self._interact(COMPONENT, channel, data, message)

    async def submit(self, modal: "Modal | Shown", fields: Mapping[str, Any] | None = None, /, **named: Any) -> Shown:
        """Fill in a form and submit it; fields are named by custom_id or label."""
        form = modal.modal if isinstance(modal, Shown) else modal
        if form is None or form.opener.user_id != self.user.id:
            raise Refused("this person has no such form open")
        channel = self.world.channels.get(form.opener.channel_id)
        if channel is None:
            raise Refused("this channel is gone")
        require_channel(self.world, self.user, channel)
        sent, resolved = forms.fill(self.world, channel, form.json, {**(fields or {}), **named})
        data: Json = {"custom_id": form.json["custom_id"], "components": sent}
        if resolved:
            data["resolved"] = resolved
        source = self._message(channel, form.opener.message_id)
        return await self._interact(MODAL, channel, data, source, form.opener)

    async def forge(self, message: Message, custom_id: str, *, kind: int = 2, values: list[str] | None = None) -> Shown:
        """Send a press with any custom_id and values, which no client would; for tests of hostile input."""
        data: Json = {"custom_id": custom_id, "component_type": kind, "id": 1}
        if values is not None:
            data["values"] = values
        return await self._interact(COMPONENT, self.world.channels[message.channel_id], data, message)

    async def say(self, text: str, at: Channel | None = None, *, files: list[Upload] | None = None) -> Message:
        """Send a message and return it."""
        channel = self._place(at)
        require_channel(self.world, self.user, channel)
        in_thread = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
        require_permission(self.world, self.user, channel, in_thread)
        if not text.strip() and not files:
            raise Refused("an empty message cannot be sent")
        if len(text) > 2000:
            raise Refused("a message has at most 2000 characters")
        if channel.locked:
            require_permission(self.world, self.user, channel, Permission.MANAGE_THREADS)
        return posting.post(self.world, channel, self.user, {"content": text}, files or ())

    async def react(self, message: Message, emoji: str, *, remove: bool = False) -> None:
        """Add or remove a reaction."""
        channel = require_message(self.world, self.user, message)
        if message.ephemeral:
            raise Refused("nobody can react to an ephemeral message")
        if remove:
            reacting.remove(self.world, message, self.user, emoji)
            return
        if emoji not in message.reactions:
            require_permission(self.world, self.user, channel, Permission.ADD_REACTIONS)
        reacting.add(self.world, message, self.user, emoji)

    async def typing(self, at: Channel | None = None) -> None:
        """Begin to type."""
        channel = self._place(at)
        require_channel(self.world, self.user, channel)
        posting.typing(self.world, channel, self.user)

    def dismiss(self, message: Message) -> None:
        """Close an ephemeral message in this person's client."""
        require_message(self.world, self.user, message)
        if not message.ephemeral:
            raise Refused("only an ephemeral message can be dismissed")
        posting.take_off_screen(self.world, message)

    # -- reading

    def read(self, at: Channel | None = None, limit: int = 50) -> list[Message]:
        """Return the newest messages that this person sees in a channel, oldest first, ephemeral ones included."""
        channel = self._place(at)
        require_channel(self.world, self.user, channel)
        require_permission(self.world, self.user, channel, Permission.READ_MESSAGE_HISTORY)
        return self.world.messages(self.user.id, channel, limit)

    def dms(self, limit: int = 50) -> list[Message]:
        """Return the newest messages of the DM with the bot, oldest first; empty if there is no DM."""
        channel = self.world.dm_of.get(self.user.id)
        return [] if channel is None else self.world.messages(self.user.id, channel, limit)

    def private(self, at: Channel | None = None) -> list[Message]:
        """Return the ephemeral messages that this person still has on screen, in one channel or everywhere."""
        found = self.world.private_of.get(self.user.id, {}).values()
        return [each for each in found if at is None or each.channel_id == at.id]

    def pings(self, limit: int = 50, at: Channel | None = None) -> list[Message]:
        """Return the messages of a channel that mentioned and notified this person."""
        return [each for each in self.read(at, limit) if self.user.id in each.pinged]

    async def wait_for(self, look: Callable[[], T | None], seconds: float = 30.0) -> T:
        """Return the first truthy result of `look`, called now and after each change that this person can see."""
        found = look()
        if found:
            return found
        woken = asyncio.Event()

        def listen(change: Change) -> None:
            if self.world.may_see(change, self.user.id):
                woken.set()

        unsubscribe = self.world.subscribe(listen)
        try:
            async with asyncio.timeout(seconds):
                while True:
                    await woken.wait()
                    woken.clear()
                    found = look()
                    if found:
                        return found
        finally:
            unsubscribe()

    # -- settings and membership

    @property
    def dms_open(self) -> bool:
        """Whether the bot may send DMs to this person; otherwise it gets error 50007."""
        return self.user.dms_open

    @dms_open.setter
    def dms_open(self, value: bool) -> None:
        self.user.dms_open = value

    @property
    def locale(self) -> str:
        """The language of this person's client."""
        return self.user.locale

    @locale.setter
    def locale(self, value: str) -> None:
        self.user.locale = value

    @property
    def has_app(self) -> bool:
        """Whether this person has added the bot to their own account."""
        return self.user.has_app

    @has_app.setter
    def has_app(self, value: bool) -> None:
        self.user.has_app = value

    def open_dm(self) -> Channel:
        """Open the DM with the bot, as a click on its name does."""
        return self.world.open_dm(self.user)

    def join(self, guild: Guild) -> None:
        """Join a server."""
        self.world.add_member(guild, self.user)
        self.where = self.where or first_channel(self.world, guild, self.user)

    def leave(self, guild: Guild) -> None:
        """Leave a server."""
        self.world.remove_member(guild, self.user)

    # -- inside

    def _place(self, at: Channel | None) -> Channel:
        channel = at or self.where
        if channel is None:
            raise Refused("this person has no channel open")
        return channel

    def _message(self, channel: Channel, message_id: str | None) -> Message | None:
        if message_id is None:
            return None
        return channel.messages.get(message_id) or self.world.ephemerals.get(message_id)

    async def _interact(
        self,
        kind: int,
        channel: Channel,
        data: Json,
        message: Message | None = None,
        opener: Interaction | None = None,
    ) -> Shown:
        guild = self.world.guild_of(channel)
        if guild is not None and self.user.id not in guild.members:
            raise Refused("this person is not in the server")
        interaction = dispatch.begin(self.world, kind, self.user, channel, data, message=message, opener=opener)
        await interaction.done.wait()
        if interaction.deferred:
            await self._watch(interaction)
        return Shown(interaction)

    async def _watch(self, interaction: Interaction) -> None:
        patience = asyncio.ensure_future(sleep(self.world.clock, self.patience))
        settled = asyncio.ensure_future(interaction.settled.wait())
        try:
            await asyncio.wait((patience, settled), return_when=asyncio.FIRST_COMPLETED)
        finally:
            patience.cancel()
            settled.cancel()


def first_channel(world: World, guild: Guild, user: User) -> Channel | None:
    """Return the first text channel of a server that a user can see."""
    return next((each for each in guild.channels.values() if each.type == TEXT and world.can_view(user.id, each)), None)


def _pressable(message: Message, name: str, kinds: tuple[int, ...]) -> Json:
    parts = [each for each in message.components if each["type"] in kinds]
    named = [each for key in ("custom_id", "label", "placeholder") for each in parts if each.get(key) == name]
    if not named:
        raise Refused(f"there is no {name!r} on this message")
    for each in named:
        if not each.get("disabled"):
            return each
    raise Refused(f"{name!r} is disabled")


def _command_data(command: Json, chain: list[Json], options: list[Json], resolved: Json) -> Json:
    for part in reversed(chain):
        options = [{"name": part["name"], "type": part["type"], "options": options}]
    data: Json = {"id": command["id"], "name": command["name"], "type": command["type"]}
    if command["type"] == CHAT_INPUT:
        data["options"] = options
    if command.get("guild_id") is not None:
        data["guild_id"] = command["guild_id"]
    if resolved:
        data["resolved"] = resolved
    return data
