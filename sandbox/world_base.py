"""The parts of a world that all others build on: ids, events, users, and who may see what."""

from collections.abc import Callable

from sandbox.clock import Clock, SystemClock, timestamp
from sandbox.events import Bus, Change, Listener
from sandbox.ids import Snowflakes
from sandbox.model import Channel, Guild, Json, User
from sandbox.permissions import PRIVATE, Permission


class WorldBase:
    """The common base of a world: clock, ids, event bus, users, and who may see which change."""

    def __init__(self, clock: Clock | None = None, *, bot_name: str = "Coyote") -> None:
        self.clock: Clock = clock or SystemClock()
        self.ids = Snowflakes(self.clock)
        self.bus = Bus()
        self.users: dict[str, User] = {}
        self.guilds: dict[str, Guild] = {}
        self.channels: dict[str, Channel] = {}  # server channels, threads and DMs
        self.dm_of: dict[str, Channel] = {}  # person's id -> their DM with the bot
        self.guilds_of: dict[str, dict[str, Guild]] = {}  # user id -> their servers
        self.bot = self.add_user(bot_name, bot=True)

    def add_user(self, name: str, *, bot: bool = False, locale: str = "en-US") -> User:
        """Register an account; `name` is the display name and may contain anything."""
        user_id = self.ids.next()
        username = (
            "".join(c for c in name.lower() if c.isascii() and (c.isalnum() or c in "._")) or f"user{user_id[-4:]}"
        )
        user = User(user_id, name if bot else username, None if bot else name, bot, locale)
        self.users[user_id] = user
        return user

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every `Change` from now on; the returned function unsubscribes it."""
        return self.bus.subscribe(listener)

    def publish(self, kind: str, data: Json, *, channel: Channel | None = None, only: str | None = None) -> None:
        """Publish a change, in a channel or for one user only."""
        guild = self.guild_of(channel) if channel is not None else None
        self.bus.publish(Change(kind, data, guild, channel, only))

    def may_see(self, change: Change, user_id: str) -> bool:
        """Whether this user's client (for the bot, its gateway) may receive the change."""
        if change.only is not None:
            return change.only == user_id
        if change.channel is not None:
            return self.can_view(user_id, change.channel)
        return change.guild is None or user_id in change.guild.members

    def now(self) -> str:
        """Return the clock's time in Discord's format."""
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
        """Whether this user can see the channel."""
        return bool(self.permissions(user_id, channel) & Permission.VIEW_CHANNEL)

    def channel_json(self, channel: Channel) -> Json:
        """Return a channel as Discord JSON; the recipient of a DM is the person."""
        json = channel.json()
        if channel.recipient_id is not None:
            json["recipients"] = [self.users[channel.recipient_id].json()]
        return json
