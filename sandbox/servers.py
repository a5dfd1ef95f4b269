"""Discord servers of the sandbox's world, with their roles and members."""

from sandbox.channels import Channels
from sandbox.events import Change
from sandbox.model import Guild, Json, Member, Role, User
from sandbox.permissions import EVERYONE, Permission

# The permissions of the bot's own role when it joins a server, as an install link would request them.
BOT_PERMISSIONS = EVERYONE | Permission.MANAGE_MESSAGES | Permission.MANAGE_THREADS | Permission.PIN_MESSAGES


class Servers(Channels):
    """Creates, changes and removes servers, roles and members."""

    def rename(self, user: User, name: str) -> None:
        """Change a user's display name; messages already sent keep the old name."""
        user.global_name = name
        for guild in self.guilds_of.get(user.id, {}).values():
            member = guild.members[user.id]
            self.bus.publish(Change("GUILD_MEMBER_UPDATE", member.json() | {"guild_id": guild.id}, guild))

    def add_guild(
        self,
        name: str = "Sandbox",
        *,
        owner: User | None = None,
        locale: str = "en-US",
        bot: bool = True,
        commands: bool = True,
    ) -> Guild:
        """Create a server with an @everyone role and one #general channel.

        Without `bot`, it has only the application's commands; without `commands` neither those.
        """
        guild_id = self.ids.next()
        if owner is None:
            owner = self.add_user("Owner")
        guild = Guild(guild_id, name, owner.id, self.now(), locale, has_commands=bot or commands)
        guild.roles[guild_id] = Role(guild_id, "@everyone", int(EVERYONE), position=0)
        self.guilds[guild_id] = guild
        self._enter(guild, owner)
        self.add_channel(guild, "general")
        if bot:
            self.add_bot(guild)
        return guild

    def speak(self, guild: Guild, locale: str) -> None:
        """Change a server's language."""
        guild.locale = locale
        self.bus.publish(Change("GUILD_UPDATE", guild.json(), guild))

    def add_bot(self, guild: Guild, permissions: int = int(BOT_PERMISSIONS)) -> None:
        """Add the bot to a server, with a managed role that grants `permissions`."""
        role = Role(self.ids.next(), self.bot.username, permissions, len(guild.roles), managed=True, bot_id=self.bot.id)
        guild.roles[role.id] = role
        self._enter(guild, self.bot).roles.append(role.id)
        joined = self.guild_json(guild)
        del joined["unavailable"]  # absent for a newly joined server, present for one back from an outage
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
        """Change the permissions of a role."""
        role.permissions = permissions
        self.bus.publish(Change("GUILD_ROLE_UPDATE", {"guild_id": guild.id, "role": role.json()}, guild))

    def add_member(self, guild: Guild, user: User) -> Member:
        """Add a user to a server."""
        member = self._enter(guild, user)
        self.bus.publish(Change("GUILD_MEMBER_ADD", member.json() | {"guild_id": guild.id}, guild))
        return member

    def remove_member(self, guild: Guild, user: User) -> None:
        """Remove a user or the bot from a server."""
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
        """Begin or end an outage of a server, with the events that Discord sends to a bot."""
        guild.available = available
        if available:
            self.bus.publish(Change("GUILD_CREATE", self.guild_json(guild), guild, only=self.bot.id))
        else:
            self.bus.publish(Change("GUILD_DELETE", {"id": guild.id, "unavailable": True}, guild, only=self.bot.id))

    def guild_json(self, guild: Guild, *, members: bool = False) -> Json:
        """Return a server as the gateway sends it, with all members or only the bot."""
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
            "channels": [each.json() for each in guild.channels.values()],  # includes channels hidden from the bot
            "threads": [self.thread_json(each, see) for each in threads],
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }

    def _enter(self, guild: Guild, user: User) -> Member:
        member = Member(user, self.now())
        guild.members[user.id] = member
        self.guilds_of.setdefault(user.id, {})[guild.id] = guild
        return member
