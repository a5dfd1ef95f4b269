"""Discord's objects. Ids are strings, as in Discord's JSON; each `json` method returns that JSON."""

from dataclasses import dataclass, field
from typing import Any

from sandbox import permissions
from sandbox.messagelog import Message, MessageLog

Json = dict[str, Any]

TEXT, DM, CATEGORY, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 4, 11, 12
THREADS = (10, PUBLIC_THREAD, PRIVATE_THREAD)


@dataclass(slots=True)
class User:
    """An account: a person or the bot."""

    id: str
    username: str
    global_name: str | None = None
    bot: bool = False
    locale: str = "en-US"
    dms_open: bool = True
    has_app: bool = False  # has added the application to their own account
    avatar: str | None = None

    @property
    def display_name(self) -> str:
        """The name that people see outside a server."""
        return self.global_name or self.username

    def json(self) -> Json:
        """Return the user as it appears in messages, members and interactions."""
        user: Json = {
            "id": self.id,
            "username": self.username,
            "avatar": self.avatar,
            "discriminator": "0000" if self.bot else "0",
            "public_flags": 0,
            "flags": 0,
            "global_name": self.global_name,
            "primary_guild": None,
        }
        if self.bot:
            user["bot"] = True
        return user


@dataclass(slots=True)
class Role:
    """A role of a server; the one with the server's own id is @everyone."""

    id: str
    name: str
    permissions: int = 0
    position: int = 1
    color: int = 0
    hoist: bool = False
    mentionable: bool = False
    managed: bool = False
    bot_id: str | None = None

    def json(self) -> Json:
        """Return the role as Discord JSON."""
        role: Json = {
            "id": self.id,
            "name": self.name,
            "permissions": str(int(self.permissions)),
            "position": self.position,
            "color": self.color,
            "colors": {"primary_color": self.color, "secondary_color": None, "tertiary_color": None},
            "hoist": self.hoist,
            "managed": self.managed,
            "mentionable": self.mentionable,
            "icon": None,
            "unicode_emoji": None,
            "flags": 0,
        }
        if self.bot_id is not None:
            role["tags"] = {"bot_id": self.bot_id}
        return role


@dataclass(slots=True)
class Member:
    """A user inside one server."""

    user: User
    joined_at: str
    nick: str | None = None
    roles: list[str] = field(default_factory=list)

    @property
    def display_name(self) -> str:
        """The name that people see in this server."""
        return self.nick or self.user.display_name

    def json(self, *, with_user: bool = True) -> Json:
        """Return the member as Discord JSON; message events leave the user out."""
        member: Json = {
            "avatar": None,
            "banner": None,
            "communication_disabled_until": None,
            "flags": 0,
            "joined_at": self.joined_at,
            "nick": self.nick,
            "pending": False,
            "premium_since": None,
            "roles": list(self.roles),
            "mute": False,
            "deaf": False,
        }
        if with_user:
            member["user"] = self.user.json()
        return member


@dataclass(slots=True)
class Channel:
    """A text channel, category, thread or DM, with its messages."""

    id: str
    type: int
    name: str = ""
    guild_id: str | None = None
    parent_id: str | None = None
    topic: str | None = None
    position: int = 0
    nsfw: bool = False
    slowmode: int = 0
    overwrites: dict[str, tuple[int, int]] = field(default_factory=dict)  # id -> (allow, deny)
    recipient_id: str | None = None  # the person on the other side of the bot's DM
    owner_id: str | None = None  # the user who opened the thread
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    auto_archive_minutes: int = 4320
    archive_timestamp: str = ""
    created_at: str = ""
    thread_members: dict[str, str] = field(default_factory=dict)  # user id -> time of joining
    total_messages: int = 0
    last_pin: str | None = None
    pins: dict[str, str] = field(default_factory=dict)  # message id -> time of pinning
    messages: MessageLog = field(default_factory=MessageLog)
    private: dict[str, MessageLog] = field(default_factory=dict)  # user id -> the ephemeral messages shown to them

    @property
    def is_thread(self) -> bool:
        """Whether this is a thread of any kind."""
        return self.type in THREADS

    def json(self) -> Json:
        """Return the channel as Discord JSON for its type; the caller adds the recipients of a DM."""
        channel: Json = {"id": self.id, "type": self.type, "flags": 0, "last_message_id": self.messages.last_id}
        if self.guild_id is None:
            return channel
        channel |= {
            "guild_id": self.guild_id,
            "name": self.name,
            "parent_id": self.parent_id,
            "rate_limit_per_user": self.slowmode,
        }
        if self.last_pin is not None:
            channel["last_pin_timestamp"] = self.last_pin
        if self.is_thread:
            metadata: Json = {
                "archived": self.archived,
                "archive_timestamp": self.archive_timestamp,
                "auto_archive_duration": self.auto_archive_minutes,
                "locked": self.locked,
                "create_timestamp": self.created_at,
            }
            if self.type == PRIVATE_THREAD:
                metadata["invitable"] = self.invitable
            return channel | {
                "owner_id": self.owner_id,
                "thread_metadata": metadata,
                "message_count": len(self.messages),
                "member_count": min(len(self.thread_members), 50),
                "total_message_sent": self.total_messages,
            }
        return channel | {
            "topic": self.topic,
            "position": self.position,
            "permission_overwrites": [
                {"id": key, "type": 0 if key in self.role_overwrites else 1, "allow": str(allow), "deny": str(deny)}
                for key, (allow, deny) in self.overwrites.items()
            ],
            "nsfw": self.nsfw,
        }

    role_overwrites: set[str] = field(default_factory=set)  # the keys of `overwrites` that are roles


@dataclass(slots=True)
class Guild:
    """A server: its roles, members, channels and threads."""

    id: str
    name: str
    owner_id: str
    joined_at: str
    locale: str = "en-US"
    roles: dict[str, Role] = field(default_factory=dict)
    members: dict[str, Member] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    threads: dict[str, Channel] = field(default_factory=dict)
    available: bool = True
    has_commands: bool = True  # has added the application's commands, with or without the bot itself

    def permissions(self, user_id: str, channel: Channel | None = None) -> int:
        """Return a user's permissions in the server or one channel; 0 if they are not a member."""
        member = self.members.get(user_id)
        if member is None:
            return 0
        if channel is None:
            return self._in_guild(member)
        if not channel.is_thread:
            return self._in_channel(member, channel)
        parent = self.channels.get(channel.parent_id or "")
        granted = self._in_channel(member, parent) if parent else 0
        private = channel.type == PRIVATE_THREAD and user_id not in channel.thread_members
        return 0 if private and not granted & permissions.Permission.MANAGE_THREADS else granted

    def _in_guild(self, member: Member) -> int:
        if self.owner_id == member.user.id:
            return permissions.ALL
        return permissions.of_roles(self.roles[id_].permissions for id_ in (self.id, *member.roles))

    def _in_channel(self, member: Member, channel: Channel) -> int:
        granted = self._in_guild(member)
        return permissions.in_channel(granted, channel.overwrites, self.id, member.roles, member.user.id)

    def search(self, text: str) -> list[Member]:
        """Return the members whose name begins with `text`, as Discord's search does."""
        start = text.lower()
        names = ((each, (each.user.username, each.user.global_name, each.nick)) for each in self.members.values())
        return [member for member, known in names if any(name and name.lower().startswith(start) for name in known)]

    def json(self) -> Json:
        """Return the server as in `GET /guilds/{id}`."""
        return {
            "id": self.id,
            "name": self.name,
            "icon": None,
            "description": None,
            "home_header": None,
            "splash": None,
            "discovery_splash": None,
            "features": [],
            "banner": None,
            "owner_id": self.owner_id,
            "application_id": None,
            "region": "deprecated",
            "afk_channel_id": None,
            "afk_timeout": 300,
            "system_channel_id": None,
            "system_channel_flags": 0,
            "widget_enabled": False,
            "widget_channel_id": None,
            "verification_level": 0,
            "roles": [role.json() for role in self.roles.values()],
            "default_message_notifications": 0,
            "mfa_level": 0,
            "explicit_content_filter": 0,
            "max_presences": None,
            "max_members": 500000,
            "max_stage_video_channel_users": 50,
            "max_video_channel_users": 25,
            "vanity_url_code": None,
            "premium_tier": 0,
            "premium_subscription_count": 0,
            "preferred_locale": self.locale,
            "rules_channel_id": None,
            "safety_alerts_channel_id": None,
            "public_updates_channel_id": None,
            "premium_progress_bar_enabled": False,
            "nsfw": False,
            "nsfw_level": 0,
            "emojis": [],
            "stickers": [],
            "incidents_data": None,
        }


__all__ = ["CATEGORY", "DM", "PRIVATE_THREAD", "PUBLIC_THREAD", "TEXT", "THREADS", "Channel", "Guild", "Member"]
__all__ += ["Json", "Message", "MessageLog", "Role", "User"]
