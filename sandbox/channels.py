"""Channels, threads and DMs of the sandbox's world."""

from sandbox.model import DM, PRIVATE_THREAD, PUBLIC_THREAD, TEXT, Channel, Guild, Json, Role, User
from sandbox.world_base import WorldBase


class Channels(WorldBase):
    """Creates, changes and removes channels, threads and DMs."""

    def add_channel(self, guild: Guild, name: str, *, kind: int = TEXT, parent: Channel | None = None) -> Channel:
        """Create a channel in a server."""
        parent_id = None if parent is None else parent.id
        channel = Channel(self.ids.next(), kind, name, guild.id, parent_id, position=len(guild.channels))
        guild.channels[channel.id] = self.channels[channel.id] = channel
        self.publish("CHANNEL_CREATE", channel.json(), channel=channel)
        return channel

    def update_channel(self, channel: Channel) -> None:
        """Publish that a channel's or thread's fields have changed."""
        kind = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
        self.publish(kind, self.channel_json(channel), channel=channel)

    def set_overwrite(
        self, channel: Channel, target: Role | User, *, allow: int = 0, deny: int = 0, remove: bool = False
    ) -> None:
        """Set or remove the permission overwrite of a role or user in one channel."""
        channel.overwrites.pop(target.id, None)
        channel.role_overwrites.discard(target.id)
        if not remove:
            channel.overwrites[target.id] = (int(allow), int(deny))
            if isinstance(target, Role):
                channel.role_overwrites.add(target.id)
        self.update_channel(channel)

    def remove_channel(self, channel: Channel) -> None:
        """Delete a thread, or a channel and its threads, with all messages."""
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
        """Open a thread; with a message id, the thread starts from that message."""
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
        """Return a thread as Discord JSON, with the viewer's membership if they have joined."""
        json = thread.json()
        if viewer_id in thread.thread_members:
            json["member"] = self.thread_member_json(thread, viewer_id)
        return json

    def thread_member_json(self, thread: Channel, user_id: str) -> Json:
        """Return one thread membership as Discord JSON."""
        return {"id": thread.id, "user_id": user_id, "join_timestamp": thread.thread_members[user_id], "flags": 0}

    def join_thread(self, thread: Channel, user: User) -> None:
        """Add a user to a thread."""
        if user.id in thread.thread_members:
            return
        thread.thread_members[user.id] = self.now()
        added = [self.thread_member_json(thread, user.id)]
        self._thread_members_changed(thread, {"added_members": added})

    def leave_thread(self, thread: Channel, user: User) -> None:
        """Remove a user from a thread."""
        if thread.thread_members.pop(user.id, None) is not None:
            self._thread_members_changed(thread, {"removed_member_ids": [user.id]})

    def archive(self, thread: Channel, archived: bool = True, *, locked: bool | None = None) -> None:
        """Archive or unarchive a thread."""
        thread.archived = archived
        thread.archive_timestamp = self.now()
        if locked is not None:
            thread.locked = locked
        self.update_channel(thread)

    def open_dm(self, user: User) -> Channel:
        """Return the DM between a person and the bot, creating it if needed."""
        channel = self.dm_of.get(user.id)
        if channel is None:
            channel = Channel(self.ids.next(), DM, recipient_id=user.id)
            self.dm_of[user.id] = self.channels[channel.id] = channel
            self.publish("CHANNEL_CREATE", self.channel_json(channel), channel=channel)
        return channel

    def _thread_members_changed(self, thread: Channel, what: Json) -> None:
        data = {"id": thread.id, "guild_id": thread.guild_id, "member_count": len(thread.thread_members)} | what
        self.publish("THREAD_MEMBERS_UPDATE", data, channel=thread)
