"""The reveal, drawn: all feathers, the running sum, the bid and the total on a scale, and who pays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.games.coyote.pictures import running_sum
from bot.games.coyote.pictures.figures import (
    FIGURE_HEIGHT,
    Worn,
    bubble_piece,
    feather_piece,
    lay_figure,
    lay_purse,
    token_piece,
)
from bot.games.coyote.pictures.running_sum import lay_sum, rows_of, spoken_sum, stops
from bot.games.coyote.pictures.words import spoken_card, spoken_cards, spoken_number, spoken_purse
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.results import Ending, Result
from bot.games.coyote.rules.view import CoyoteView
from bot.games.coyote.ui.words import faces
from bot.pictures.animals import Mood, head_piece
from bot.pictures.brush import Brush, Point, oval, path
from bot.pictures.canvas import Canvas, Piece, piece
from bot.pictures.fonts import Weight, width_of
from bot.pictures.palette import CLAY, GREEN, GREY, HONEY, INK, PANEL, RED, TEAL, WHITE, Colour
from bot.pictures.picture import Names, Picture, with_short_names
from bot.pictures.scenery import HEADER, MARGIN, WIDTH, begin, lay_panel
from bot.pictures.words import beginning, number
from bot.text.catalogue import Catalogue

_INNER: Final = WIDTH - 2 * MARGIN
_GAP: Final = 14
"""The space between two panels, in pixels."""
_SCALE_PANEL: Final = 118
"""The height of the panel that compares bid and total, in pixels."""
_VERDICT: Final = 132
"""The height of the panel that says who was right, in pixels."""
_VERDICT_SIZES: Final = (23, 20)
"""The smallest size of a verdict as long as some of each name is left, and the smallest of all, in pixels."""
_NAME_LETTERS: Final = 9
"""How much of a name is enough to know who is meant, in letters."""
_SMALLEST_NAME: Final = 24
"""The smallest size of a name, in pixels."""
_TICK: Final = 26
"""The size of the numbers on the scale, in pixels."""


class Beat(IntEnum):
    """How much of the reveal is shown. All beats of a reveal have the same size."""

    FEATHERS = 1
    SUM = 2
    VERDICT = 3


class _Scene(NamedTuple):
    """What is drawn, in whose words, and how much of it."""

    say: Catalogue
    called: Names
    view: CoyoteView
    result: Result
    beat: int


def draw_reveal(say: Catalogue, names: Sequence[str], view: CoyoteView, beat: int = Beat.VERDICT) -> Picture:
    """Draw how the last round ended, up to a beat; `view` is a bystander's after it."""
    result = view.last
    if result is None:
        raise ValueError("no round has ended yet")
    called = Names(say, names)
    scene = _Scene(say, called, view, result, beat)
    worn = [Seat(seat) for seat, cards in enumerate(result.cards.worn) if cards]
    across = max(1, len(worn)) if len(worn) <= 6 else -(-len(worn) // 2)
    room = (_INNER - 16) / across
    scale = min(1 if len(worn) <= across else 0.86, room / 136)
    row = round(FIGURE_HEIGHT * scale + 50)
    feathers = row * -(-len(worn) // across) + 8
    middle = 92 if result.cards.centre is not None else 0
    found = [] if result.counted is None else stops(result.counted)
    sums = len(rows_of(found, _INNER - 40)) * running_sum.ROW + 18 if found else 0
    height = HEADER + feathers + middle + _GAP + _VERDICT + 10
    height += sums + _SCALE_PANEL + 2 * _GAP if found else 0
    canvas = begin(lambda most: _title(say, called, result, most), height)

    top = HEADER
    lay_panel(canvas, MARGIN, top, _INNER, feathers + middle)
    for place, seat in enumerate(worn):
        line, column = divmod(place, across)
        in_row = min(across, len(worn) - line * across)
        x = WIDTH / 2 + (column - (in_row - 1) / 2) * room
        _lay_player(canvas, scene, seat, (x, top + 12 + line * row), scale=scale, room=room)
    if middle:
        _lay_middle(canvas, say, result, top + feathers)
    top += feathers + middle + _GAP
    if found:
        lay_panel(canvas, MARGIN, top, _INNER, sums)
        lay_sum(canvas, found, MARGIN + 20, top + 14, _INNER - 40, empty=beat < Beat.SUM)
        top += sums + _GAP
        lay_panel(canvas, MARGIN, top, _INNER, _SCALE_PANEL)
        _lay_scale(canvas, say, result, top, beat)
        top += _SCALE_PANEL + _GAP
    _lay_verdict(canvas, scene, top)
    description = called.described(lambda spoken: " ".join(_sentences(say, spoken, view, result, beat)))
    return Picture("reveal.png", canvas.png(), description, WIDTH, height)


def _title(say: Catalogue, called: Names, result: Result, most: int) -> str:
    """Return the title, with at most `most` letters of each name."""
    match result.ending:
        case Ending.SHOWDOWN if result.caller is not None:
            return say("pictures.reveal.called", name=called.drawn(result.caller, most))
        case Ending.GUESS if result.loser is not None:
            return say("pictures.reveal.guess", name=called.drawn(result.loser, most))
        case Ending.LEFT if result.eliminated is not None:
            return say("pictures.reveal.left", name=called.drawn(result.eliminated, most))
        case _:
            return say("pictures.reveal.void")


def _winner(result: Result) -> Seat | None:
    """Return which of the two duellists was right."""
    if result.ending is not Ending.SHOWDOWN or result.loser is None:
        return None
    return result.bidder if result.loser == result.caller else result.caller


def _said_by(result: Result, seat: Seat) -> str | None:
    """Return what stands in a player's speech bubble: the bid, the call or the guess that decided the round."""
    if result.ending is Ending.SHOWDOWN:
        return number(result.bid or 0) if seat == result.bidder else "!" if seat == result.caller else None
    if result.ending is Ending.GUESS and seat == result.loser and isinstance(result.named, int):
        return f"{number(result.named)}?"
    return None


def _lay_player(canvas: Canvas, scene: _Scene, seat: Seat, at: Point, *, scale: float, room: float) -> None:
    result, beat = scene.result, scene.beat
    x, top = at
    spread = result.cards
    mood = Mood.CALM
    if beat >= Beat.VERDICT:
        mood = Mood.SORRY if seat == result.loser else Mood.GLAD if seat == _winner(result) else Mood.CALM
    wears = Worn(spread.worn[seat], spread.opened[seat], spread.covered[seat])
    lay_figure(canvas, seat, wears, at, scale=scale, mood=mood, reach=min(66, room / 2 / scale - 26))
    said = _said_by(result, seat)
    if said is not None:
        bubble = bubble_piece(said, 48)
        canvas.lay(bubble, min(x + 32 * scale, WIDTH - 6 - bubble.width), top - 18)
    canvas.text(
        scene.called.drawn(seat),
        x,
        top + FIGURE_HEIGHT * scale + 20,
        26,
        weight="text" if said is None else "bold",
        align="middle",
        width=round(room - 6),
        smallest=_SMALLEST_NAME,
    )
    bet = next((bet for bet in result.bets if bet.seat == seat), None)
    if beat < Beat.VERDICT:
        return
    if bet is not None:
        canvas.lay(_mark_piece(right=bet.right), x + 20 * scale, top + (FIGURE_HEIGHT - 37) * scale)
    if seat in (*result.opened, *result.closed):
        eye = token_piece("eye_open" if seat in result.opened else "eye_closed", 36)
        canvas.lay_middle(eye, x - 38 * scale, top + (FIGURE_HEIGHT - 17) * scale)


def _mark_piece(*, right: bool) -> Piece:
    """Return a tick in a circle, or a cross in a square."""

    def draw(brush: Brush) -> None:
        if right:
            brush.shape(oval(17, 17, 14), GREEN, 3)
            brush.line([(10, 17), (15, 22), (24, 11)], 4, WHITE)
        else:
            brush.shape([(4, 4), (30, 4), (30, 30), (4, 30)], RED, 3)
            brush.line([(11, 11), (23, 23)], 4, WHITE)
            brush.line([(11, 23), (23, 11)], 4, WHITE)

    return piece(("bet", right), (34, 34), draw)


def _lay_middle(canvas: Canvas, say: Catalogue, result: Result, top: int) -> None:
    cards: list[tuple[str, Card]] = []
    if result.cards.centre is not None:
        cards.append((say("pictures.reveal.centre"), result.cards.centre))
    if result.cards.beside is not None:
        cards.append((say("pictures.reveal.beside"), result.cards.beside))
    for place, (label, card) in enumerate(cards):
        x = WIDTH / 2 + (place - (len(cards) - 1) / 2) * 240
        canvas.lay_middle(feather_piece(card, 0.64), x - 44, top + 38)
        canvas.text(label, x, top + 38, 25)


def _lay_scale(canvas: Canvas, say: Catalogue, result: Result, top: int, beat: int) -> None:
    """Draw a line of numbers with the bid as a flag above it and the total as a pin below it."""
    bid, total = result.bid or 0, 0 if result.counted is None else result.counted.total
    known = [0, bid, total] if beat >= Beat.SUM else [0, bid]
    span = max(10, max(known) - min(known))
    low, high = min(known) - span * 0.08, max(known) + span * 0.08
    left, right, line = MARGIN + 44, WIDTH - MARGIN - 44, top + 60

    def at(value: float) -> float:
        return left + (right - left) * (value - low) / (high - low)

    canvas.box(left - 16, line - 2, right + 16, line + 3, INK)
    step = next(each for each in (1, 2, 5, 10, 20, 50, 100, 200, 500) if span / each <= 8)
    if beat >= Beat.SUM:
        first, last = sorted((at(bid), at(total)))
        colour = GREEN if total >= bid else RED
        canvas.box(round(first), line - 6, round(last) + 1, line + 7, colour)
        canvas.box(round(first), line - 2, round(last) + 1, line + 3, INK)
    flag = _flag_piece()
    canvas.lay(flag, at(bid) - 6, line - flag.height + 3)
    bid_mark = at(bid) - 10, at(bid) + 34
    bid_label = _lay_label(
        canvas, say("pictures.reveal.bid", number=number(bid)), at(bid) + 34, line - 34, CLAY.mixed(INK, 0.3)
    )
    taken = (0.0, 0.0)
    if beat >= Beat.SUM:
        pin = _pin_piece()
        canvas.lay(pin, at(total) - pin.width / 2, line - 4)
        written = say("pictures.reveal.total", number=number(total))
        to_left = 0 < at(0) - at(total) < width_of(written, _TICK, "bold") + 60 and at(total) > left + 170
        taken = _lay_label(canvas, written, at(total) + 22, line + 34, running_sum.TOTAL, to_left=to_left)
    for value in range(-(-int(low) // step) * step, int(high) + 1, step):
        x = round(at(value))
        canvas.box(x - 1, line - 8, x + 2, line + 9, INK)
        if not taken[0] - 24 < x < taken[1] + 24:
            canvas.text(number(value), x, line + 34, _TICK, colour=INK.mixed(PANEL, 0.4), align="middle")
        elif value == 0 and not min(bid_mark[0], bid_label[0]) - 12 < x < max(bid_mark[1], bid_label[1]) + 12:
            # Without the zero, nobody sees where the negative numbers begin.
            canvas.text("0", x, line - 28, _TICK, colour=INK.mixed(PANEL, 0.4), align="middle")


def _lay_label(
    canvas: Canvas, written: str, x: float, y: float, colour: Colour, *, to_left: bool = False
) -> tuple[float, float]:
    """Write a label to the right of a mark, or to its left where there is no room; return where it begins and ends."""
    if to_left or x > WIDTH - MARGIN - 150:
        taken = canvas.text(written, x - 50, y, 26, weight="bold", colour=colour, align="right")
        return x - 50 - taken, x
    taken = canvas.text(written, x, y, 26, weight="bold", colour=colour)
    return x - 40, x + taken


def _flag_piece() -> Piece:
    def draw(brush: Brush) -> None:
        brush.shape(path("M6 4 L36 13 L6 24 Z"), CLAY, 3.4)
        brush.line([(6, 4), (6, 48)], 5)

    return piece("flag", (40, 52), draw)


def _pin_piece() -> Piece:
    def draw(brush: Brush) -> None:
        brush.shape(path("M18 4 C22 14 33 20 33 31 C33 40 26 46 18 46 C10 46 3 40 3 31 C3 20 14 14 18 4 Z"), TEAL, 3.4)
        brush.shape(oval(18, 31, 6), WHITE, 2.6)

    return piece("pin", (36, 50), draw)


def _lay_verdict(canvas: Canvas, scene: _Scene, top: int) -> None:
    say, called, view, result, beat = scene
    shown = beat >= Beat.VERDICT
    height = _VERDICT - 8
    background = HONEY if shown else PANEL
    lay_panel(canvas, MARGIN, top, _INNER, height, colour=background)
    if not shown:
        _lay_question(canvas, result, top + height / 2)
        return
    left = MARGIN + 24
    if result.loser is not None:
        head = head_piece(result.loser, Mood.OUT if result.eliminated == result.loser else Mood.SORRY, 0.92, HONEY)
        canvas.lay(head, left - 6, top + (height - head.height) / 2)
        left += head.width + 12
    room = WIDTH - MARGIN - 22 - left
    lines = _verdict_lines(say, called, view, result, room)
    purse = result.loser is not None
    first = top + (30 if purse else height / 2 - 16 * (len(lines) - 1))
    for place, line in enumerate(lines):
        canvas.text(
            line,
            left,
            first + place * 33,
            27,
            weight="bold" if place else "text",
            background=background,
            width=room,
            smallest=_VERDICT_SIZES[-1],
        )
    if result.loser is not None:
        seat = view.seats[result.loser]
        lost = max(1, result.penalty)
        count = sum(seat.eyes) + lost if view.rules.has_eyes else max(view.rules.threshold, seat.tokens)
        middle = (left + 31 * 1.16 * count / 2, top + 99)
        lay_purse(canvas, view.rules, seat, middle, size=31, background=background, lost=lost)


class _Style(NamedTuple):
    """How numbers and feathers are written in a sentence."""

    number: Callable[[int], str]
    cards: Callable[[Sequence[Card]], str]


_DRAWN: Final = _Style(number, faces)


def _lay_question(canvas: Canvas, result: Result, middle: float) -> None:
    """Draw, in place of the verdict, between whom it will be."""
    rivals = [seat for seat in (result.caller, result.bidder) if seat is not None] or [result.loser or Seat(0)]
    for place, seat in enumerate(rivals):
        x = WIDTH / 2 + (place - (len(rivals) - 1) / 2) * 220
        canvas.lay_middle(head_piece(seat, Mood.CURIOUS, 0.92), x, middle)
    canvas.text("?", WIDTH / 2, middle, 64, weight="bold", colour=GREY, align="middle")


def _verdict_lines(say: Catalogue, called: Names, view: CoyoteView, result: Result, room: int) -> list[str]:
    """Say who was right, and who pays, with names so short that each line fits into a width in pixels."""

    def fitting(write: Callable[[Sequence[str]], str], weight: Weight) -> str:
        def written(most: int) -> str:
            return write([called.drawn(seat, most) for seat in range(len(view.seats))])

        large, small = _VERDICT_SIZES
        if width_of(written(_NAME_LETTERS), large, weight) > room:
            large = small
        return with_short_names(written, lambda line: width_of(line, large, weight) <= room)

    has_reason = _reason(say, called.spoken(1), result, _DRAWN) is not None
    lines = [fitting(lambda names: _reason(say, names, result, _DRAWN) or "", "text")] if has_reason else []
    return [*lines, fitting(lambda names: _penalty(say, names, view, result), "bold")]


def _reason(say: Catalogue, names: Sequence[str], result: Result, style: _Style) -> str | None:
    """Say why somebody pays; None if the round ended in another way."""
    if result.counted is not None and result.bid is not None and result.bidder is not None:
        total = result.counted.total
        key = "exact" if total == result.bid else "held" if total > result.bid else "too_high"
        slots = {"total": style.number(total), "bid": style.number(result.bid), "name": names[result.bidder]}
        return say(f"pictures.reveal.{key}", **slots)
    if result.ending is Ending.GUESS and result.loser is not None:
        slots = {"name": names[result.loser], "cards": style.cards(result.cards.worn[result.loser])}
        if result.named is None:  # saved by an older version
            return say("pictures.reveal.guess_wore", **slots)
        return say("pictures.reveal.guess_was", guess=style.cards([result.named]), **slots)
    return None


def _penalty(say: Catalogue, names: Sequence[str], view: CoyoteView, result: Result) -> str:
    if result.loser is None:
        return say("pictures.reveal.nobody")
    name, out = names[result.loser], result.eliminated == result.loser
    if view.rules.has_eyes:
        return say("pictures.reveal.eye_out" if out else "pictures.reveal.eye", name=name)
    return say("pictures.reveal.coin_out" if out else "pictures.reveal.coin", name=name, count=result.penalty)


def _sentences(say: Catalogue, names: Sequence[str], view: CoyoteView, result: Result, beat: int) -> list[str]:
    """Say all that the picture shows up to a beat."""
    lines = [_spoken_title(say, names, result)]
    spread = result.cards
    for seat, worn in enumerate(spread.worn):
        if worn:
            notes = (
                say("pictures.look.alt.open", cards=spoken_cards(say, spread.opened[seat]))
                if spread.opened[seat]
                else ""
            )
            if spread.covered[seat]:
                notes += say("pictures.look.alt.covered", cards=spoken_cards(say, spread.covered[seat]))
            lines.append(say("pictures.reveal.alt.wore", name=names[seat], cards=spoken_cards(say, worn), notes=notes))
    if spread.centre is not None:
        lines.append(say("pictures.reveal.alt.centre", card=spoken_card(say, spread.centre)))
    if spread.beside is not None:
        lines.append(say("pictures.reveal.alt.beside", card=spoken_card(say, spread.beside)))
    if beat >= Beat.SUM and result.counted is not None:
        lines.append(spoken_sum(say, stops(result.counted)))
    if beat >= Beat.VERDICT:
        reason = _reason(say, names, result, _spoken_style(say))
        if reason is not None and result.counted is not None:
            reason = beginning(reason, spoken_number(say, result.counted.total))
        lines += [] if reason is None else [reason]
        lines.append(_penalty(say, names, view, result))
        if result.loser is not None:
            purse = spoken_purse(say, view.rules, view.seats[result.loser])
            lines.append(say("pictures.reveal.alt.purse", name=names[result.loser], purse=purse))
        lines += _spoken_bets(say, names, result)
    return lines


def _spoken_style(say: Catalogue) -> _Style:
    """Return how a screen reader should say numbers and feathers."""
    return _Style(lambda value: spoken_number(say, value), lambda cards: spoken_cards(say, cards))


def _spoken_title(say: Catalogue, names: Sequence[str], result: Result) -> str:
    if result.caller is not None and result.bidder is not None:
        bid = spoken_number(say, result.bid or 0)
        return say("pictures.reveal.alt.called", name=names[result.caller], other=names[result.bidder], bid=bid)
    if result.ending is Ending.GUESS and result.loser is not None:
        return say("pictures.reveal.guess", name=names[result.loser]) + "."
    if result.ending is Ending.LEFT and result.eliminated is not None:
        return say("pictures.reveal.left", name=names[result.eliminated]) + "."
    return say("pictures.reveal.void") + "."


def _spoken_bets(say: Catalogue, names: Sequence[str], result: Result) -> list[str]:
    lines = []
    for key, right in (("bets_right", True), ("bets_wrong", False)):
        bettors = [names[bet.seat] for bet in result.bets if bet.right is right]
        if bettors:
            lines.append(say(f"pictures.reveal.alt.{key}", names=say.listing(bettors)))
    for key, turned in (("eyes_opened", result.opened), ("eyes_closed", result.closed)):
        if turned:
            lines.append(say(f"pictures.reveal.alt.{key}", names=say.listing([names[seat] for seat in turned])))
    return lines
