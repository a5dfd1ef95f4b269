"""Opening a table: what was wished for, where it may stand, and the answer that is the lobby itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import discord

from bot.discord_ui.answering import Asking
from bot.discord_ui.drawing import draw_table
from bot.discord_ui.lobbying import joining
from bot.discord_ui.places import missing_in, spoken_permission
from bot.discord_ui.wire import Outgoing
from bot.games.core import Rejected
from bot.games.coyote.editions import Problem, rules_from
from bot.host.model import House
from bot.screens.answers import Done, done_screen, permission_text
from bot.screens.layout import cut
from bot.screens.words import edition

if TYPE_CHECKING:
    from bot.discord_ui.presses import Press

SHORTEST: Final = 20
LONGEST: Final = 7 * 24 * 3600
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_CLOCK: Final = re.compile(r"\s*(\d{1,6})\s*([smhd]?)\s*", re.ASCII | re.IGNORECASE)


class Wishes(NamedTuple):
    """What `/coyote new` was given; None: as the house has it."""

    edition: str | None = None
    actions: bool | None = None
    coins: int | None = None
    lowest: int | None = None
    clock: str | None = None
    seats: int | None = None
    thread: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """The game's own options."""
        named = {"edition": self.edition, "variant": self.actions, "threshold": self.coins, "min_bid": self.lowest}
        named |= {"max_players": self.seats}
        return {name: value for name, value in named.items() if value is not None}

    @property
    def house(self) -> House:
        """How the table is hosted."""
        house = House(thread=self.thread)
        return house if self.clock is None else house._replace(turn_seconds=read_clock(self.clock))


def read_clock(typed: str) -> int | None:
    """Read a turn clock, such as "90", "5m" or "off"; None: no clock. Rejected if it is out of range."""
    if typed.strip().casefold() in ("off", "none", "0"):
        return None
    found = _CLOCK.fullmatch(typed)
    seconds = int(found[1]) * _UNITS[found[2].casefold() or "s"] if found else 0
    if not SHORTEST <= seconds <= LONGEST:
        value = seconds if found else typed
        raise Rejected(Problem.OUT_OF_RANGE, option="clock", value=value, lowest=SHORTEST, highest=LONGEST)
    return seconds


async def new(asking: Asking, press: Press) -> None:
    """Open a table with the house's rules, by a button."""
    await open_table(asking, Wishes())


async def open_table(asking: Asking, wishes: Wishes) -> None:
    """Open a lobby; the answer to the command is the table message, or the way to the table's own thread."""
    interaction, bot = asking.interaction, asking.bot
    guild, channel = interaction.guild_id, interaction.channel_id
    if guild is None or channel is None:
        return
    missing = missing_in(interaction.channel, interaction.app_permissions, thread=wishes.thread)
    if missing is not None:
        await asking.tell(permission_text(asking.say, channel, spoken_permission(missing)))
        return
    host, options, house = await joining(asking), wishes.options, wishes.house
    rules = rules_from(options)
    if wishes.thread and isinstance(interaction.channel, discord.TextChannel):
        name = asking.say("lobby.thread.name", edition=edition(asking.say, rules), host=host.name)
        thread = await interaction.channel.create_thread(name=cut(name, 100), type=discord.ChannelType.public_thread)
        await bot.tables.open(guild, thread.id, host, options=options, house=house, interaction_id=asking.id)
        await asking.tell(asking.say("lobby.thread.opened", where=thread.mention))
        return
    table = await bot.tables.open(guild, channel, host, options=options, house=house, interaction_id=asking.id)
    # The publisher has been woken, but nothing runs between its waking and this line.
    with bot.publisher.held(table.id) as desk:
        screen = draw_table(table, bot.clock)
        message = await asking.show(screen)
        if message is None:
            await asking.tell(done_screen(asking.say, Done.POSTED))  # the publisher posts it
            return
        desk.marks[message] = Outgoing(screen).mark
        await bot.publisher.stands(table, message)
