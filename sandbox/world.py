from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from sandbox.clock import Clock, SystemClock, timestamp
from sandbox.commands import Commands
from sandbox.events import Bus, Change, Listener
from sandbox.ids import Snowflakes
from sandbox.interactions import Interactions
from sandbox.messagelog import Message
from sandbox.model import DM, PRIVATE_THREAD, PUBLIC_THREAD, TEXT, Channel, Guild, Json, Member, Role, User
from sandbox.permissions import EVERYONE, PRIVATE, Permission

NONCE_SECONDS = 300.0

# What the bot's own role grants when it is added to a server: what an install link would ask for.
BOT_PERMISSIONS = EVERYONE | Permission.MANAGE_MESSAGES | Permission.MANAGE_THREADS | Permission.PIN_MESSAGES


@dataclass(frozen=True, slots=True)
class Stored:
    """An uploaded file."""

    filename: str
    content_type: str
    data: bytes


@dataclass(slots=True)
class Uploads:
    """Files and application emojis, by id."""

    files: dict[str, Stored] = field(default_factory=dict)
    emojis: dict[str, Json] = field(default_factory=dict)
    images: dict[str, Stored] = field(default_factory=dict)


class World:
    """Everything that exists in this Discord, and the one place where it changes.

    Every change is published once, in order, to whoever has subscribed; `may_see` says who may know of it.
    All look-ups are by id. Ids and times come from the clock that was given, so a test can drive both.
    """

    def __init__(self, clock: Clock | None = None, *, bot_name: str = "Coyote") -> None:
        self.clock: Clock = clock or SystemClock()
        self.ids = Snowflakes(self.clock)
        self.bus = Bus()
        self.users: dict[str, User] = {}
        self.guilds: dict[str, Guild] = {}
        self.channels: dict[str, Channel] = {}  # channels of servers, threads and DMs alike
        self.dm_of: dict[str, Channel] = {}  # person's id -> their DM with the bot
        self.guilds_of: dict[str, dict[str, Guild]] = {}  # user id -> their servers
        self.private_of: dict[str, dict[str, Message]] = {}  # person's id -> the ephemeral messages they see
        self.ephemerals: dict[str, Message] = {}
        self.uploads = Uploads()
        self.commands = Commands(self.ids)
        self.interactions = Interactions(self.clock, self.ids)
        self._nonces: dict[tuple[str, str], tuple[float, Message]] = {}
        self.base_url = ""  # where attachments are served; the server fills it in
        self.bot = self.add_user(bot_name, bot=True)

    # -- news

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every `Change` from now on; the returned function ends that."""
        return self.bus.subscribe(listener)

    def publish(self, kind: str, data: Json, *, channel: Channel | None = None, only: str | None = None) -> None:
        """Tell the listeners that something happened in a channel, or concerns just one user."""
        guild = self.guild_of(channel) if channel is not None else None
        self.bus.publish(Change(kind, data, guild, channel, only))

    def may_see(self, change: Change, user_id: str) -> bool:
        """Whether this user's client (or the bot's gateway) may learn of the change."""
        if change.only is not None:
            return change.only == user_id
        if change.channel is not None:
            return self.can_view(user_id, change.channel)
        return change.guild is None or user_id in change.guild.members

    # -- looking

    def now(self) -> str:
        """Return the clock's time as Discord writes it."""
        return timestamp(self.clock.now())

    def guild_of(self, channel: Channel) -> Guild | None:
        """Return the server that a channel belongs to; None for a DM."""
        return None if channel.guild_id is None else self.guilds.get(channel.guild_id)

    def permissions(self, user_id: str, channel: Channel) -> int:
        """Return the permission bits of a user in a channel, thread or DM."""
        if channel.guild_id is None:
            return int(PRIVATE | Permission.VIEW_CHANNEL) if user_id in (channel.recipient_id, self.bot.id) else 0
        guild = self.guilds.get(channel.guild_id)
        return 0 if guild is None else guild.permissions(user_id, channel)

    def can_view(self, user_id: str, channel: Channel) -> bool:
        """Whether the channel exists for this user."""
        return bool(self.permissions(user_id, channel) & Permission.VIEW_CHANNEL)

    def visible_channels(self, user_id: str) -> Iterator[Channel]:
        """Yield what a client lists: channels and threads of the user's servers in order, then the DM with the bot."""
        for guild in self.guilds_of.get(user_id, {}).values():
            for channel in sorted(guild.channels.values(), key=lambda each: (each.position, int(each.id))):
                if self.can_view(user_id, channel):
                    yield channel
            for thread in guild.threads.values():
                if self.can_view(user_id, thread):
                    yield thread
        if user_id in self.dm_of:
            yield self.dm_of[user_id]

    def messages(self, user_id: str, channel: Channel, limit: int = 50, before: str | None = None) -> list[Message]:
        """Return the newest messages that this user sees in a channel, oldest first, their ephemeral ones included."""
        if not self.can_view(user_id, channel):
            return []
        seen = channel.messages.page(limit, before=before)
        own = channel.private.get(user_id)
        if own is not None:
            seen = sorted([*seen, *own.page(limit, before=before)], key=lambda each: int(each.id), reverse=True)[:limit]
        return seen[::-1]

    def message(self, channel_id: str, message_id: str) -> Message | None:
        """Return a message that everybody in the channel can see."""
        channel = self.channels.get(channel_id)
        return None if channel is None else channel.messages.get(message_id)

    def channel_json(self, channel: Channel) -> Json:
        """Return a channel in Discord's form, a DM with the person as its recipient."""
        json = channel.json()
        if channel.recipient_id is not None:
            json["recipients"] = [self.users[channel.recipient_id].json()]
        return json

    def remember_nonce(self, channel: Channel, nonce: str, message: Message) -> None:
        """Note that the bot sent this message with this nonce."""
        now = self.clock.now()
        while self._nonces:
            oldest = next(iter(self._nonces))
            if self._nonces[oldest][0] + NONCE_SECONDS > now:
                break
            del self._nonces[oldest]
        self._nonces[channel.id, nonce] = (now, message)

    def sent_with_nonce(self, channel: Channel, nonce: str) -> Message | None:
        """Return the message that the bot sent here with this nonce in the last few minutes."""
        sent, message = self._nonces.get((channel.id, nonce), (0.0, None))
        return message if sent + NONCE_SECONDS > self.clock.now() else None

    # -- users and servers

    def add_user(self, name: str, *, bot: bool = False, locale: str = "en-US") -> User:
        """Register an account; `name` may be anything a person can call themselves."""
        user_id = self.ids.next()
        username = (
            "".join(c for c in name.lower() if c.isascii() and (c.isalnum() or c in "._")) or f"user{user_id[-4:]}"
        )
        user = User(user_id, name if bot else username, None if bot else name, bot, locale)
        self.users[user_id] = user
        return user

    def rename(self, user: User, name: str) -> None:
        """Change the name that people see; old messages keep the author they were sent with until read anew."""
        user.global_name = name
        for guild in self.guilds_of.get(user.id, {}).values():
            member = guild.members[user.id]
            self.bus.publish(Change("GUILD_MEMBER_UPDATE", member.json() | {"guild_id": guild.id}, guild))

    def add_guild(self, name: str = "Sandbox", *, owner: User | None = None, locale: str = "en-US") -> Guild:
        """Create a server with the bot in it, an @everyone role and one #general channel."""
        guild_id = self.ids.next()
        if owner is None:
            owner = self.add_user("Owner")
        guild = Guild(guild_id, name, owner.id, self.now(), locale)
        guild.roles[guild_id] = Role(guild_id, "@everyone", int(EVERYONE), position=0)
        self.guilds[guild_id] = guild
        self._enter(guild, owner)
        self.add_channel(guild, "general")
        self.add_bot(guild)
        return guild

    def add_bot(self, guild: Guild, permissions: int = int(BOT_PERMISSIONS)) -> None:
        """Let the bot join a server, with a managed role that grants `permissions`."""
        role = Role(self.ids.next(), self.bot.username, permissions, len(guild.roles), managed=True, bot_id=self.bot.id)
        guild.roles[role.id] = role
        self._enter(guild, self.bot).roles.append(role.id)
        joined = self.guild_json(guild)
        del joined["unavailable"]  # its absence tells a server just joined from one that is back
        self.bus.publish(Change("GUILD_CREATE", joined, guild, only=self.bot.id))

    def add_role(self, guild: Guild, name: str, permissions: int = 0) -> Role:
        """Create a role."""
        role = Role(self.ids.next(), name, permissions, len(guild.roles))
        guild.roles[role.id] = role
        self.bus.publish(Change("GUILD_ROLE_CREATE", {"guild_id": guild.id, "role": role.json()}, guild))
        return role

    def grant(self, guild: Guild, user: User, role: Role) -> None:
        """Give a member a role."""
        member = guild.members[user.id]
        if role.id not in member.roles:
            member.roles.append(role.id)
        self.bus.publish(Change("GUILD_MEMBER_UPDATE", member.json() | {"guild_id": guild.id}, guild))

    def set_role_permissions(self, guild: Guild, role: Role, permissions: int) -> None:
        """Change what a role may do."""
        role.permissions = permissions
        self.bus.publish(Change("GUILD_ROLE_UPDATE", {"guild_id": guild.id, "role": role.json()}, guild))

    def add_member(self, guild: Guild, user: User) -> Member:
        """Let a user join a server."""
        member = self._enter(guild, user)
        self.bus.publish(Change("GUILD_MEMBER_ADD", member.json() | {"guild_id": guild.id}, guild))
        return member

    def remove_member(self, guild: Guild, user: User) -> None:
        """Let a user, or the bot, leave a server."""
        member = guild.members.pop(user.id)
        self.guilds_of[user.id].pop(guild.id)
        if user is self.bot:
            for role_id in member.roles:
                guild.roles.pop(role_id, None)
            self.bus.publish(Change("GUILD_DELETE", {"id": guild.id}, guild, only=self.bot.id))
            return
        data: Json = {"guild_id": guild.id, "user": user.json()}
        self.bus.publish(Change("GUILD_MEMBER_REMOVE", data, guild))
        self.bus.publish(Change("GUILD_DELETE", {"id": guild.id}, guild, only=user.id))

    def set_available(self, guild: Guild, available: bool) -> None:
        """Begin or end an outage of a server, as Discord tells it to a bot."""
        guild.available = available
        if available:
            self.bus.publish(Change("GUILD_CREATE", self.guild_json(guild), guild, only=self.bot.id))
        else:
            self.bus.publish(Change("GUILD_DELETE", {"id": guild.id, "unavailable": True}, guild, only=self.bot.id))

    def guild_json(self, guild: Guild, *, members: bool = False) -> Json:
        """Return a server as the gateway gives it, with the bot as the one member unless all are asked for."""
        if not guild.available:
            return {"id": guild.id, "unavailable": True}
        shown = guild.members.values() if members else [guild.members[self.bot.id]]
        see = self.bot.id
        threads = [each for each in guild.threads.values() if not each.archived and self.can_view(see, each)]
        return guild.json() | {
            "joined_at": guild.joined_at,
            "large": len(guild.members) > 250,
            "unavailable": False,
            "member_count": len(guild.members),
            "members": [member.json() for member in shown],
            "channels": [each.json() for each in guild.channels.values() if self.can_view(see, each)],
            "threads": [self.thread_json(each, see) for each in threads],
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }

    # -- channels

    def add_channel(self, guild: Guild, name: str, *, kind: int = TEXT, parent: Channel | None = None) -> Channel:
        """Create a channel in a server."""
        parent_id = None if parent is None else parent.id
        channel = Channel(self.ids.next(), kind, name, guild.id, parent_id, position=len(guild.channels))
        guild.channels[channel.id] = self.channels[channel.id] = channel
        self.publish("CHANNEL_CREATE", channel.json(), channel=channel)
        return channel

    def update_channel(self, channel: Channel) -> None:
        """Tell everybody that a channel's or thread's fields have changed."""
        kind = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
        self.publish(kind, self.channel_json(channel), channel=channel)

    def set_overwrite(
        self, channel: Channel, target: Role | User, *, allow: int = 0, deny: int = 0, remove: bool = False
    ) -> None:
        """Allow or deny a role or user something in one channel, or take that back."""
        channel.overwrites.pop(target.id, None)
        channel.role_overwrites.discard(target.id)
        if not remove:
            channel.overwrites[target.id] = (int(allow), int(deny))
            if isinstance(target, Role):
                channel.role_overwrites.add(target.id)
        self.update_channel(channel)

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel with its threads, or a thread, and all messages in it."""
        guild = self.guild_of(channel)
        if guild is None:
            return
        for thread in [each for each in guild.threads.values() if each.parent_id == channel.id]:
            self.remove_channel(thread)
        if channel.is_thread:
            keys = ("id", "guild_id", "parent_id", "type")
            data = {key: value for key, value in channel.json().items() if key in keys}
            self.publish("THREAD_DELETE", data, channel=channel)
        else:
            self.publish("CHANNEL_DELETE", channel.json(), channel=channel)
        guild.channels.pop(channel.id, None)
        guild.threads.pop(channel.id, None)
        del self.channels[channel.id]

    def add_thread(
        self, parent: Channel, name: str, owner: User, *, private: bool = False, thread_id: str | None = None
    ) -> Channel:
        """Open a thread; with the id of a message of the parent, on that message."""
        now = self.now()
        thread = Channel(
            thread_id or self.ids.next(),
            PRIVATE_THREAD if private else PUBLIC_THREAD,
            name,
            parent.guild_id,
            parent.id,
            owner_id=owner.id,
            archive_timestamp=now,
            created_at=now,
            thread_members={owner.id: now},
        )
        guild = self.guild_of(parent)
        if guild is None:
            raise ValueError("threads exist only in servers")
        guild.threads[thread.id] = self.channels[thread.id] = thread
        self.publish("THREAD_CREATE", self.thread_json(thread, self.bot.id) | {"newly_created": True}, channel=thread)
        return thread

    def thread_json(self, thread: Channel, viewer_id: str) -> Json:
        """Return a thread in Discord's form, with the viewer's membership if they have joined."""
        json = thread.json()
        if viewer_id in thread.thread_members:
            json["member"] = self.thread_member_json(thread, viewer_id)
        return json

    def thread_member_json(self, thread: Channel, user_id: str) -> Json:
        """Return one membership of a thread in Discord's form."""
        return {"id": thread.id, "user_id": user_id, "join_timestamp": thread.thread_members[user_id], "flags": 0}

    def join_thread(self, thread: Channel, user: User) -> None:
        """Add somebody to a thread."""
        if user.id in thread.thread_members:
            return
        thread.thread_members[user.id] = self.now()
        added = [self.thread_member_json(thread, user.id)]
        self._thread_members_changed(thread, {"added_members": added})

    def leave_thread(self, thread: Channel, user: User) -> None:
        """Take somebody out of a thread."""
        if thread.thread_members.pop(user.id, None) is not None:
            self._thread_members_changed(thread, {"removed_member_ids": [user.id]})

    def archive(self, thread: Channel, archived: bool = True, *, locked: bool | None = None) -> None:
        """Archive a thread or bring it back."""
        thread.archived = archived
        thread.archive_timestamp = self.now()
        if locked is not None:
            thread.locked = locked
        self.update_channel(thread)

    def open_dm(self, user: User) -> Channel:
        """Return the DM between a person and the bot, opening it the first time."""
        channel = self.dm_of.get(user.id)
        if channel is None:
            channel = Channel(self.ids.next(), DM, recipient_id=user.id)
            self.dm_of[user.id] = self.channels[channel.id] = channel
            self.publish("CHANNEL_CREATE", self.channel_json(channel), channel=channel)
        return channel

    def _thread_members_changed(self, thread: Channel, what: Json) -> None:
        data = {"id": thread.id, "guild_id": thread.guild_id, "member_count": len(thread.thread_members)} | what
        self.publish("THREAD_MEMBERS_UPDATE", data, channel=thread)

    def _enter(self, guild: Guild, user: User) -> Member:
        member = Member(user, self.now())
        guild.members[user.id] = member
        self.guilds_of.setdefault(user.id, {})[guild.id] = guild
        return member
