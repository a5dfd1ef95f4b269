"""The count of a round as a row of feathers from left to right, with the sum so far below each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bot.games.coyote.pictures.feathers import Seen
from bot.games.coyote.pictures.figures import feather_piece
from bot.games.coyote.pictures.words import spoken_card, spoken_cards, spoken_number
from bot.games.coyote.rules.cards import MAX_MINUS, MAX_ZERO, NIGHT, QUESTION, TIMES_TWO, Card
from bot.games.coyote.rules.counting import Count, StepKind
from bot.pictures.brush import Brush, path, round_box
from bot.pictures.canvas import Canvas, Piece, piece
from bot.pictures.fonts import width_of
from bot.pictures.palette import INK, LINEN, MUTED, PANEL, SAND, TEAL, WHITE, Colour
from bot.pictures.words import number
from bot.text.catalogue import Catalogue

_SCALE: Final = 0.56
"""How large a feather is drawn."""
_FEATHER: Final = 60
"""The room that one feather takes, in pixels."""
_ARROW: Final = 24
"""The width of an arrow between two feathers, in pixels."""
_GAP: Final = 12
"""The space between two stops of the sum, in pixels."""
ROW: Final = 118
"""The height of a row."""
_SUMS: Final = 94
"""How far below the top of a row the sums stand."""
TOTAL: Final = TEAL.mixed(INK, 0.3)
"""The colour of the total, here and on the scale."""


class Stop(NamedTuple):
    """One stop on the way to the total: feathers, and the sum after them."""

    cards: tuple[Card, ...]
    """The feather that counts; for a special one, also what it did something to."""
    total: int | None
    """None while nothing has been added yet."""
    kind: StepKind
    struck: bool = False
    """The last feather is struck out."""

    @property
    def width(self) -> int:
        """How many pixels wide it is."""
        return len(self.cards) * _FEATHER + (len(self.cards) - 1) * _ARROW


def stops(counted: Count) -> list[Stop]:
    """Return the stops of a count: first what changes feathers, then the sum, number by number."""
    return list(_stops(counted))


def _stops(counted: Count) -> Iterator[Stop]:
    zeros = [card for card in counted.cards if card == 0]
    total = 0
    for step in counted.steps:
        match step.kind:
            case StepKind.TURN:
                yield Stop((QUESTION, *step.cards), None, step.kind)
            case StepKind.STRIKE:
                if step.cards == (0,):
                    zeros.pop()
                yield Stop((MAX_ZERO, *step.cards), None, step.kind, struck=bool(step.cards))
            case StepKind.FLIP:
                yield Stop(
                    (MAX_MINUS, *step.cards, *[-card for card in step.cards if isinstance(card, int)]), None, step.kind
                )
            case StepKind.ADD | StepKind.SUBTRACT:
                for card in step.cards:
                    total += card if isinstance(card, int) else 0
                    yield Stop((card,), total, step.kind)
                if step.kind is StepKind.ADD:
                    for zero in zeros:
                        yield Stop((zero,), total, step.kind)
            case StepKind.NIGHT:
                yield Stop((NIGHT,), total, step.kind)
            case _:
                total = step.value
                yield Stop((TIMES_TWO,), total, step.kind)


def rows_of(found: Sequence[Stop], width: int) -> list[list[Stop]]:
    """Break the stops into as few rows as fit into a width, about equally long."""
    all_in_one = sum(stop.width + _GAP for stop in found)
    least = max(1, -(-(all_in_one - _GAP) // width))
    for count in range(least, len(found) + 1):
        rows = _broken(found, min(width, all_in_one / count + _FEATHER))
        if len(rows) <= count:
            return rows
    return _broken(found, width)


def _broken(found: Sequence[Stop], width: float) -> list[list[Stop]]:
    rows: list[list[Stop]] = [[]]
    taken = 0
    for stop in found:
        if rows[-1] and taken + stop.width > width:
            rows.append([])
            taken = 0
        rows[-1].append(stop)
        taken += stop.width + _GAP
    return rows


def lay_sum(canvas: Canvas, found: Sequence[Stop], left: int, top: int, width: int, *, empty: bool = False) -> None:
    """Draw the stops in rows; the last sum is set off, since it is the total. Or draw only their `empty` places."""
    last = len(found) - 1
    place = 0
    for stops_of_row in rows_of(found, width):
        taken = sum(stop.width for stop in stops_of_row) + _GAP * (len(stops_of_row) - 1)
        x = left + (width - taken) // 2
        for column, stop in enumerate(stops_of_row):
            if empty:
                canvas.lay(_place_piece(stop.width), x, top - 2)
            else:
                leads_on = column < len(stops_of_row) - 1
                _lay_stop(canvas, stop, x, top, is_last=place == last, leads_on=leads_on)
            x += stop.width + _GAP
            place += 1
        top += ROW


def _place_piece(width: int) -> Piece:
    """Return the place of a stop that is still empty."""

    def draw(brush: Brush) -> None:
        brush.fill(round_box(0, 0, width, 72, 14), LINEN)
        brush.fill(round_box(width / 2 - 17, 84, width / 2 + 17, 106, 10), LINEN)

    return piece(("sum place", width), (width, 108), draw)


def _lay_stop(canvas: Canvas, stop: Stop, x: int, top: int, *, is_last: bool, leads_on: bool) -> None:
    background = PANEL
    if stop.total is None:  # what changes feathers before the sum stands in a box of its own
        background = LINEN
        canvas.lay(_box_piece(stop.width + 6), x - 3, top - 6)
    for place, card in enumerate(stop.cards):
        if place:
            canvas.lay_middle(_arrow_piece(background), x - _ARROW / 2, top + 34)
        seen: Seen = card
        laid = feather_piece(seen, _SCALE, background, faded=stop.struck and place == len(stop.cards) - 1)
        canvas.lay(laid, x + (_FEATHER - laid.width) / 2, top)
        x += _FEATHER + _ARROW
    middle = x - _ARROW - _FEATHER / 2
    if stop.total is None:
        return
    written, y = number(stop.total), top + _SUMS
    if is_last:
        canvas.lay_middle(_total_piece(width_of(written, 30, "bold") + 26), middle, y)
        canvas.text(written, middle, y, 30, weight="bold", colour=WHITE, background=TOTAL, align="middle")
    else:
        canvas.text(written, middle, y, 27, weight="bold", colour=MUTED, align="middle")
    if leads_on and not is_last:
        canvas.lay_middle(_next_piece(), middle + (_FEATHER + _GAP) / 2 - 2, y)


def _box_piece(width: int) -> Piece:
    def draw(brush: Brush) -> None:
        brush.fill(round_box(0, 0, width, 84, 14), LINEN)

    return piece(("sum box", width), (width, 84), draw)


def _total_piece(width: int) -> Piece:
    def draw(brush: Brush) -> None:
        brush.shape(round_box(2, 2, width - 2, 38, 12), TOTAL, 3)

    return piece(("sum total", width), (width, 40), draw)


def _arrow_piece(background: Colour) -> Piece:
    def draw(brush: Brush) -> None:
        brush.line([(2, 10), (12, 10)], 4, MUTED)
        brush.fill(path("M10 3 L21 10 L10 17 Z"), MUTED)

    return piece("sum arrow", (22, 20), draw, background=background)


def _next_piece() -> Piece:
    """Return what stands between two sums: neither a plus nor a minus, only the way on."""

    def draw(brush: Brush) -> None:
        brush.line([(3, 3), (8, 8), (3, 13)], 3.2, SAND.mixed(INK, 0.2))

    return piece("sum next", (11, 16), draw)


def spoken_sum(say: Catalogue, found: Sequence[Stop]) -> str:
    """Say the running sum."""
    return say("pictures.reveal.alt.sum", steps=say.listing([_spoken_stop(say, stop) for stop in found]))


def _spoken_stop(say: Catalogue, stop: Stop) -> str:
    others = stop.cards[1:]
    match stop.kind:
        case StepKind.TURN:
            cards = spoken_cards(say, others)
            return say("pictures.reveal.alt.turn", cards=cards) if others else say("pictures.reveal.alt.turn_none")
        case StepKind.STRIKE | StepKind.FLIP:
            key = "strike" if stop.kind is StepKind.STRIKE else "flip"
            if not others:
                return say(f"pictures.reveal.alt.{key}_none")
            return say(f"pictures.reveal.alt.{key}", card=spoken_card(say, others[0]))
        case _:
            card = spoken_card(say, stop.cards[0])
            return say("pictures.reveal.alt.step", card=card, total=spoken_number(say, stop.total or 0))
