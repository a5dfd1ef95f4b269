"""The requests that the page can make; each act is one thing a person does in their client."""

import base64
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from sandbox import page_view, posting, reacting
from sandbox.commands import CHANNEL, MENTIONABLE, ROLE, USER
from sandbox.components import FILE_UPLOAD, SELECTS, STRING_SELECT
from sandbox.files import Upload
from sandbox.messagelog import Message
from sandbox.model import Channel, Role, User
from sandbox.people import People, Person
from sandbox.permissions import Permission
from sandbox.refusals import Refused, find_command, require_channel, require_message, require_permission
from sandbox.shown import Modal, Shown
from sandbox.world import World

Json = dict[str, Any]

OBJECT_OPTIONS = (USER, CHANNEL, ROLE, MENTIONABLE)
MAX_NAME_CHARACTERS = 32
"""Cap on the characters of a person's name."""
MAX_HISTORY_MESSAGES = 100
"""Cap on messages per history request."""


@dataclass(slots=True)
class Acts:
    """The acts of one page. Open forms are stored here until they are submitted."""

    world: World
    people: People
    modals: dict[str, Modal] = field(default_factory=dict)

    async def perform(self, op: str, ask: Json) -> Any:
        """Carry out one request of the page, or raise `Refused` with a reason."""
        if op == "add_person":
            return self._add_person(ask)
        person = self.person(ask)
        if op in ACTS_WITHOUT_CHANNEL:
            return ACTS_WITHOUT_CHANNEL[op](self, person, ask)
        act = ACTS.get(op)
        if act is None:
            raise Refused(f"unknown request {op!r}")
        where = self._channel(ask)
        require_channel(self.world, person.user, where)
        return await act(self, _client(person, where), where, ask)

    def person(self, ask: Json) -> Person:
        """Return the person who acts."""
        found = self.people.by_id(str(ask.get("person")))
        if found is None:
            raise Refused("this person is not here any more")
        return found

    def _channel(self, ask: Json) -> Channel:
        found = self.world.channels.get(str(ask.get("channel")))
        if found is None:
            raise Refused("this channel is gone")
        return found

    def _message(self, person: Person, where: Channel, message_id: Any) -> Message:
        key = str(message_id)
        found = where.messages.get(key)
        if found is None and person.id in where.private:
            found = where.private[person.id].get(key)
        if found is None:
            raise Refused("this message is gone")
        return found

    # -- people

    def _add_person(self, ask: Json) -> Json:
        person = self.people.add(_name(ask), locale=str(ask.get("locale") or "en-US"))
        person.dms_open = bool(ask.get("dms_open", True))
        person.has_app = bool(ask.get("has_app", False))
        return {"id": person.id}

    def change_person(self, person: Person, ask: Json) -> None:
        """Change somebody's name, language, whether the bot can write to them, or whether they have it themselves."""
        person.locale = str(ask.get("locale") or person.locale)
        person.dms_open = bool(ask.get("dms_open", person.dms_open))
        person.has_app = bool(ask.get("has_app", person.has_app))
        self.world.rename(person.user, _name(ask))

    def remove_person(self, person: Person, _: Json) -> None:
        """Remove somebody from the server."""
        if person.id in {guild.owner_id for guild in self.world.guilds.values()}:
            raise Refused("the owner of the server stays")
        self.people.remove(person)

    def open_dm(self, person: Person, _: Json) -> Json:
        """Open the direct messages with the bot."""
        return {"channel": person.open_dm().id}

    def add_channel(self, person: Person, ask: Json) -> Json:
        """Add a channel to the server, as an owner would; each table needs its own channel."""
        guild = self.world.guilds.get(str(ask.get("guild")))
        if guild is None or person.id not in guild.members:
            raise Refused("this person is not in that server")
        name = re.sub(r"[^\w-]+", "-", str(ask.get("name") or "").strip().lower()).strip("-")[:100]
        if not name:
            raise Refused("a channel needs a name")
        return {"channel": self.world.add_channel(guild, name).id}

    def change_server(self, person: Person, ask: Json) -> None:
        """Change the language of a server, as an owner would in its settings."""
        guild = self.world.guilds.get(str(ask.get("guild")))
        if guild is None or person.id not in guild.members:
            raise Refused("this person is not in that server")
        self.world.speak(guild, str(ask.get("locale") or guild.locale))

    # -- reading

    async def history(self, person: Person, where: Channel, ask: Json) -> Json:
        """Return a page of messages: the newest, or those before a given one."""
        limit = max(1, min(int(ask.get("limit") or 50), MAX_HISTORY_MESSAGES))
        found = self.world.messages(person.id, where, limit, ask.get("before"))
        return {"messages": [each.for_viewer(person.id) for each in found], "complete": len(found) < limit}

    async def pins(self, person: Person, where: Channel, _: Json) -> list[Json]:
        """Return the pinned messages, latest pin first."""
        pinned = (where.messages.get(each) for each in reversed(where.pins))
        return [each.for_viewer(person.id) for each in pinned if each is not None]

    async def commands(self, person: Person, where: Channel, _: Json) -> list[Json]:
        """Return the commands that the client offers here."""
        return page_view.commands(self.world, person, where)

    # -- writing

    async def say(self, person: Person, where: Channel, ask: Json) -> None:
        """Write a message, or a reply to one."""
        text = str(ask.get("content") or "")
        if ask.get("reply_to") is None:
            await person.say(text)
            return
        target = self._message(person, where, ask["reply_to"])
        require_message(self.world, person.user, target)
        require_permission(self.world, person.user, where, _sending(where))
        reference = {"type": 0, "channel_id": where.id, "message_id": target.id}
        extra = {"message_reference": reference, "referenced_message": target.json}
        posting.post(self.world, where, person.user, {"content": text[:2000]}, kind=posting.REPLY, extra=extra)

    async def typing(self, person: Person, _: Channel, __: Json) -> None:
        """Begin to type."""
        await person.typing()

    async def delete(self, person: Person, where: Channel, ask: Json) -> None:
        """Delete one of the person's own messages."""
        message = self._message(person, where, ask.get("message"))
        if message.author_id != person.id:
            require_permission(self.world, person.user, where, Permission.MANAGE_MESSAGES)
        posting.delete(self.world, message)

    async def dismiss(self, person: Person, where: Channel, ask: Json) -> None:
        """Close an ephemeral message."""
        person.dismiss(self._message(person, where, ask.get("message")))

    async def react(self, person: Person, where: Channel, ask: Json) -> None:
        """Add a reaction."""
        await person.react(self._message(person, where, ask.get("message")), _emoji(ask))

    async def unreact(self, person: Person, where: Channel, ask: Json) -> None:
        """Remove a reaction."""
        await person.react(self._message(person, where, ask.get("message")), _emoji(ask), remove=True)

    async def pin(self, person: Person, where: Channel, ask: Json) -> None:
        """Pin or unpin a message."""
        require_permission(self.world, person.user, where, Permission.PIN_MESSAGES)
        message = self._message(person, where, ask.get("message"))
        if message.id in where.pins:
            reacting.unpin(self.world, message)
        else:
            reacting.pin(self.world, message, person.user)

    # -- interactions

    async def click(self, person: Person, where: Channel, ask: Json) -> Json:
        """Press a button."""
        return self._outcome(await person.click(self._message(person, where, ask["message"]), str(ask["custom_id"])))

    async def select(self, person: Person, where: Channel, ask: Json) -> Json:
        """Choose values in a select."""
        message = self._message(person, where, ask["message"])
        menu = next((each for each in message.components if each.get("custom_id") == ask["custom_id"]), None)
        values = [self._object(each) if menu and menu["type"] != STRING_SELECT else each for each in ask["values"]]
        return self._outcome(await person.select(message, str(ask["custom_id"]), *values))

    async def slash(self, person: Person, where: Channel, ask: Json) -> Json:
        """Send a slash command."""
        options = self._options(person, where, ask)
        return self._outcome(await person.slash(str(ask["command"]), **options))

    async def autocomplete(self, person: Person, where: Channel, ask: Json) -> list[Json]:
        """Return the suggestions for the text typed so far."""
        options = self._options(person, where, ask)
        typed = options.pop(ask["option"], "")
        return await person.autocomplete(str(ask["command"]), str(ask["option"]), str(typed), **options)

    async def context(self, person: Person, where: Channel, ask: Json) -> Json:
        """Run a context menu command on a message or user."""
        user = self.world.users.get(str(ask.get("user")))
        target = self._message(person, where, ask["target"]) if user is None else Person(self.world, user)
        return self._outcome(await person.use(str(ask["name"]), target))

    async def submit(self, person: Person, _: Channel, ask: Json) -> Json:
        """Submit a form."""
        modal = self.modals.get(str(ask["modal"]))
        if modal is None:
            raise Refused("this form is not open any more")
        given = ask["values"]
        for each in modal.fields:
            name = each["custom_id"]
            if each["type"] in SELECTS and each["type"] != STRING_SELECT and name in given:
                given[name] = [self._object(value) for value in given[name]]
            elif each["type"] == FILE_UPLOAD and name in given:
                given[name] = [_upload(number, file) for number, file in enumerate(given[name])]
        outcome = self._outcome(await person.submit(modal, given))
        if outcome["outcome"] != "failed":
            self.modals.pop(str(ask["modal"]), None)
        return outcome

    def _outcome(self, shown: Shown) -> Json:
        if shown.failed is not None:
            return {"outcome": "failed", "reason": shown.failed}
        modal = shown.modal
        if modal is None:
            return {"outcome": "answered"}
        self.modals[modal.opener.id] = modal
        return {"outcome": "modal", "modal": modal.json | {"id": modal.opener.id}}

    def _options(self, person: Person, where: Channel, ask: Json) -> Json:
        _, _, known = find_command(self.world, person.user, where, str(ask["command"]))
        objects = {each["name"] for each in known if each["type"] in OBJECT_OPTIONS}
        given: Json = ask.get("options") or {}
        return {name: self._object(value) if name in objects else value for name, value in given.items()}

    def _object(self, key: Any) -> User | Role | Channel:
        found = self.world.users.get(str(key)) or self.world.channels.get(str(key))
        if found is not None:
            return found
        for guild in self.world.guilds.values():
            if str(key) in guild.roles:
                return guild.roles[str(key)]
        raise Refused("the chosen user, role or channel is gone")


ACTS_WITHOUT_CHANNEL: dict[str, Callable[[Acts, Person, Json], Any]] = {
    act.__name__: act
    for act in (Acts.change_person, Acts.remove_person, Acts.open_dm, Acts.add_channel, Acts.change_server)
}
Act = Callable[[Acts, Person, Channel, Json], Awaitable[Any]]
ACTS: dict[str, Act] = {
    act.__name__: act
    for act in (
        Acts.history,
        Acts.pins,
        Acts.commands,
        Acts.say,
        Acts.typing,
        Acts.delete,
        Acts.dismiss,
        Acts.react,
        Acts.unreact,
        Acts.pin,
        Acts.click,
        Acts.select,
        Acts.slash,
        Acts.autocomplete,
        Acts.context,
        Acts.submit,
    )
}


def _client(person: Person, where: Channel) -> Person:
    # A separate client: the page must not change a scripted person's open channel, nor wait while a "thinking…" lasts.
    client = Person(person.world, person.user, where)
    client.patience = 0.0
    return client


def _sending(where: Channel) -> Permission:
    return Permission.SEND_MESSAGES_IN_THREADS if where.is_thread else Permission.SEND_MESSAGES


def _name(ask: Json) -> str:
    name = str(ask.get("name") or "").strip()
    if not name:
        raise Refused("a person needs a name")
    if len(name) > MAX_NAME_CHARACTERS:
        raise Refused(f"a name has at most {MAX_NAME_CHARACTERS} characters")
    return name


def _upload(number: int, file: Json) -> Upload:
    kind = str(file.get("type") or "application/octet-stream")
    return Upload(number, str(file["name"]), kind, base64.b64decode(str(file["data"]), validate=True))


def _emoji(ask: Json) -> str:
    emoji = ask.get("emoji") or {}
    return f"{emoji['name']}:{emoji['id']}" if emoji.get("id") else str(emoji.get("name", ""))
