"""Writes small things the same way everywhere: numbers, people, times, links."""

from __future__ import annotations

from typing import Any, Final

from bot.engine.core import Seat
from bot.host.former_players import is_ghost
from bot.host.model import Millis, Player, Table
from bot.screens.names import NAMELESS, mention, safe_name
from bot.text.catalogue import Catalogue, catalogue

# The space before is unbreakable: a line may end with a dot or an arrow, never begin with one.
DOT: Final = "\u00a0· "
ARROW: Final = "\u00a0→ "
_UNITS: Final = ((86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds"))  # lengths in seconds
_MAX_LISTED_VALUES: Final = 12
"""How much of a list is written: a longer one was not typed by hand and might not fit into a message."""
_MAX_WRITTEN_NUMBER: Final = 10**15
"""Larger numbers are treated as text, which is cut."""


def number(value: int) -> str:
    """Write a number with a real minus sign, not a hyphen."""
    return str(value).replace("-", "−")


def who(table: Table, seat: Seat) -> str:
    """Name the player in a seat, in a text: a person, perhaps a former one, by a mention, an AI by its name."""
    return named(table, table.players[seat].user)


def named(table: Table, user: int) -> str:
    """Name a person or an AI of the table, in a text."""
    if user >= 0 or is_ghost(user):
        return mention(user)
    return next((label_of(table, player) for player in table.players if player.user == user), NAMELESS)


def called(table: Table, seat: Seat) -> str:
    """Name the player in a seat, in a label."""
    return label_of(table, table.players[seat])


def label_of(table: Table, player: Player) -> str:
    """Name a player in a label."""
    if is_ghost(player.user):
        return catalogue(table.house.language)("person.former_label")
    return safe_name(player.name) if player.ai is None else ai_name(table, player.name)


def ai_name(table: Table, name: str) -> str:
    """Name an AI in the table's language, so that it is not taken for a person."""
    return catalogue(table.house.language)("ai_players.named", name=safe_name(name))


def countdown(due: Millis) -> str:
    """Let Discord count down to a moment."""
    return f"<t:{-(-due // 1000)}:R>"


def ago(since: Millis) -> str:
    """Let Discord say how long ago something was. Rounded down: rounded up it might lie in the future."""
    return f"<t:{since // 1000}:R>"


def duration(say: Catalogue, seconds: int) -> str:
    """Write a length of time in the largest unit that divides it."""
    unit, word = next((unit, word) for unit, word in _UNITS if seconds % unit == 0 and (seconds or unit == 1))
    return say(f"time.{word}", count=seconds // unit)


def thinking(say: Catalogue, millis: float) -> str:
    """Write a thinking time: to the second below two minutes, to the minute above."""
    seconds = max(1, round(millis / 1000))
    return duration(say, seconds if seconds < 120 else round(seconds / 60) * 60)


def link_to(table: Table, message: int | None = None) -> str:
    """Return the address of the table's channel, or of a message in it."""
    channel = f"https://discord.com/channels/{table.guild}/{table.channel}"
    return channel if message is None else f"{channel}/{message}"


def plainly(say: Catalogue, value: Any) -> str:
    """Write a typed text or a setting's value so that it is inert."""
    if isinstance(value, bool):
        return say("switch.on") if value else say("switch.off")
    if isinstance(value, tuple | list):
        listed = [plainly(say, each) for each in value[:_MAX_LISTED_VALUES]]
        return DOT.join([*listed, *(["…"] if len(value) > _MAX_LISTED_VALUES else [])])
    return number(value) if isinstance(value, int) and abs(value) < _MAX_WRITTEN_NUMBER else safe_name(str(value))
