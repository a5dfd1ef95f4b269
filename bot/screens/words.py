"""Writes small things the same way everywhere: numbers, people, times, links."""

from __future__ import annotations

from typing import Any, Final

from bot.engine.core import Seat
from bot.host.former_players import is_former_id
from bot.host.model import Millis, Player, Table
from bot.screens.names import NAMELESS, mention, safe_name
from bot.text.catalogue import Catalogue

# The space before is unbreakable: a line may end with a dot or an arrow, never begin with one.
DOT: Final = "\u00a0· "
ARROW: Final = "\u00a0→ "
_UNITS: Final = ((86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds"))  # lengths in seconds
_MAX_LISTED_VALUES: Final = 12
"""How much of a list is written: a longer one was not typed by hand and might not fit into a message."""
_MAX_WRITTEN_NUMBER: Final = 10**15
"""Larger numbers are treated as text, which is cut."""


def look_emoji(say: Catalogue) -> str:
    """Return what stands on buttons that let somebody look: an eye, drawn by us if there are such emojis."""
    return say.emoji("eye_open") or "👁"


def number(value: int) -> str:
    """Write a number with a real minus sign, not a hyphen."""
    return str(value).replace("-", "−")


def signed(value: int) -> str:
    """Write how much something has changed: +2, −1 or ±0."""
    return f"+{value}" if value > 0 else number(value) if value else "±0"


def who(say: Catalogue, table: Table, seat: Seat) -> str:
    """Name the player in a seat, in a text: a person (even a former player) by a mention, an AI by its name."""
    return named(say, table, table.players[seat].user)


def mover(say: Catalogue, table: Table, seat: Seat) -> str:
    """Name in a text who made the last move in a seat: the player, or the AI that made it for them."""
    ai = table.players[seat].moved_by
    if ai is None:
        return who(say, table, seat)
    return say("ai_players.moved_for", ai=ai_name(say, ai), mention=who(say, table, seat))


def named(say: Catalogue, table: Table, user: int) -> str:
    """Name a person or an AI of the table, in a text."""
    if user >= 0 or is_former_id(user):
        return mention(say, user)
    return next((label_of(say, table, player) for player in table.players if player.user == user), NAMELESS)


def seat_label(say: Catalogue, table: Table, seat: Seat) -> str:
    """Name the player in a seat, in a label."""
    return label_of(say, table, table.players[seat])


def label_of(say: Catalogue, table: Table, player: Player) -> str:
    """Name a player in a label."""
    if is_former_id(player.user):
        return say("person.former_label")
    return safe_name(player.name) if player.ai is None else ai_name(say, player.name)


def ai_name(say: Catalogue, name: str) -> str:
    """Name an AI so that it is not taken for a person."""
    return say("ai_players.named", name=safe_name(name))


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
