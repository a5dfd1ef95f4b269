"""Small things said the same way everywhere: cards, numbers, coins, people, times."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from bot.engine.core import Seat
from bot.games.coyote.rules.cards import MAX_MINUS, MAX_ZERO, NIGHT, QUESTION, SPECIALS, TIMES_TWO, Card
from bot.games.coyote.rules.editions import EDITIONS, Rules
from bot.games.coyote.rules.view import SeatView
from bot.host.former_players import is_ghost
from bot.host.model import House, Millis, Player, Table
from bot.screens.names import NAMELESS, mention, safe_name
from bot.text.catalogue import Catalogue, catalogue

# The space before is unbreakable: a line may end with a dot or an arrow, never begin with one.
DOT: Final = "\u00a0· "
ARROW: Final = "\u00a0→ "
HIDDEN: Final = "🪶"
"""A feather that whoever looks cannot read."""
_FACES: Final[dict[Card, str]] = {
    QUESTION: "?",
    MAX_ZERO: "Max→0",
    MAX_MINUS: "Max→−",
    TIMES_TWO: "×2",
    NIGHT: "🌙0",
}
_UNITS: Final = ((86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds"))


def number(value: int) -> str:
    """Write a number with a true minus."""
    return str(value).replace("-", "−")


def face(card: Card) -> str:
    """Write a feather."""
    return number(card) if isinstance(card, int) else _FACES[card]


def faces(cards: Iterable[Card]) -> str:
    """Write feathers next to each other."""
    return DOT.join(map(face, cards))


def in_order(cards: Iterable[Card]) -> list[Card]:
    """Sort feathers for reading: numbers from low to high, then the special ones."""
    return sorted(cards, key=lambda card: (0, card) if isinstance(card, int) else (1, SPECIALS.index(card)))


def who(table: Table, seat: Seat) -> str:
    """Name whoever sits there, in a text: a person, perhaps a former one, by a mention, an AI by its name."""
    return named(table, table.players[seat].user)


def named(table: Table, user: int) -> str:
    """Name a person or an AI of the table, in a text."""
    if user >= 0 or is_ghost(user):
        return mention(user)
    return next((label_of(table, player) for player in table.players if player.user == user), NAMELESS)


def called(table: Table, seat: Seat) -> str:
    """Name whoever sits there, in a label."""
    return label_of(table, table.players[seat])


def label_of(table: Table, player: Player) -> str:
    """Name a player in a label."""
    if is_ghost(player.user):
        return catalogue(table.house.language)("person.former_label")
    return safe_name(player.name) if player.ai is None else ai_name(table, player.name)


def ai_name(table: Table, name: str) -> str:
    """Name an AI so that nobody takes it for a person; in the table's language, wherever it is read."""
    return catalogue(table.house.language)("company.named", name=safe_name(name))


def purse(rules: Rules, seat: SeatView) -> str:
    """Draw the coins of a player, taken and still free; in `peek`, the open and closed eyes."""
    if rules.has_centre:
        return "◉" * seat.eyes[0] + "◌" * seat.eyes[1]
    return "●" * seat.tokens + "○" * max(0, rules.threshold - seat.tokens)


def countdown(due: Millis) -> str:
    """Let Discord count down to a moment."""
    return f"<t:{-(-due // 1000)}:R>"


def ago(since: Millis) -> str:
    """Let Discord say how long ago something was; rounded up, it would be still to come."""
    return f"<t:{since // 1000}:R>"


def duration(say: Catalogue, seconds: int) -> str:
    """Say a length of time in the largest unit that fits."""
    unit, word = next((unit, word) for unit, word in _UNITS if seconds % unit == 0 and (seconds or unit == 1))
    return say(f"time.{word}", count=seconds // unit)


def thinking(say: Catalogue, millis: float) -> str:
    """Say a thinking time: to the second below two minutes, to the minute above."""
    seconds = max(1, round(millis / 1000))
    return duration(say, seconds if seconds < 120 else round(seconds / 60) * 60)


def link_to(table: Table, message: int | None = None) -> str:
    """Return the address of the table's channel, or of a message in it."""
    channel = f"https://discord.com/channels/{table.guild}/{table.channel}"
    return channel if message is None else f"{channel}/{message}"


def terms(say: Catalogue, rules: Rules, house: House) -> str:
    """Say in one line what a table plays by: what everybody asks first, and what is unusual about the game."""
    standard = EDITIONS[rules.edition]
    variant = say(f"edition.variant.{rules.edition}")
    said = [
        say("terms.eyes", count=rules.threshold)
        if rules.has_centre
        else say("terms.out_at", ordinal=say.ordinal(rules.threshold)),
        say("terms.with", variant=variant) if rules.variant else say("terms.without", variant=variant),
    ]
    if rules.min_bid != standard.min_bid:
        lowest = rules.min_bid
        said.append(say("terms.any_bid") if lowest is None else say("terms.lowest", number=number(lowest)))
    if rules.deck != standard.deck:
        said.append(say("terms.custom_deck", count=len(rules.cards)))
    if rules.variant and rules.actions_off:
        names = [action_name(say, each, rules.edition) for each in rules.actions_off]
        said.append(say("terms.left_out", actions=say.listing(names)))
    if rules.variant and rules.coins != standard.coins:
        said.append(say("terms.coins", coins=", ".join(f"{say(f'coin.{coin}')} {n}" for coin, n in rules.coins)))
    said += [
        say(f"terms.{name}.{getattr(rules, name)}")
        for name in ("x2_doubles", "max_zero_hits", "actions_per", "next_starter", "if_starter_is_out")
        if getattr(rules, name) != getattr(standard, name)
    ]
    clock = house.turn_seconds
    said.append(say("terms.no_clock") if clock is None else say("terms.clock", time=duration(say, clock)))
    line = DOT.join(said)
    return line[:1].upper() + line[1:]


def action_name(say: Catalogue, action: str, edition: str) -> str:
    """Name an optional action of an edition; the same word may mean another in another."""
    match edition:
        case "feathers":
            return say(f"coin.{action}")
        case "peek":
            return say(f"trick.{action}")
        case "tomahawk" if action == "reverse":
            return say("used.turn")
        case _:
            return say(f"used.{action}")


def edition(say: Catalogue, rules: Rules) -> str:
    """Name the edition."""
    return say(f"edition.{rules.edition}.name")


_SOME: Final = 12
"""So many of a list are written: more were not typed by hand, and would not fit into a message."""
_HUGE: Final = 10**15


def plainly(say: Catalogue, value: Any) -> str:
    """Write what somebody typed, or a setting's value, so that it is inert."""
    if isinstance(value, bool):
        return say("switch.on") if value else say("switch.off")
    if isinstance(value, tuple | list):
        told = [plainly(say, each) for each in value[:_SOME]]
        return DOT.join([*told, *(["…"] if len(value) > _SOME else [])])
    return number(value) if isinstance(value, int) and abs(value) < _HUGE else safe_name(str(value))
