"""The reveal, drawn: all feathers, the running sum, the bid and the total on a scale, and who pays."""

from __future__ import annotations

from collections.abc import Sequence
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
from bot.games.coyote.pictures.words import spoken_card, spoken_cards, spoken_number
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.results import Ending, Result
from bot.games.coyote.rules.view import CoyoteView
from bot.games.coyote.ui.words import faces
from bot.pictures.animals import Mood, head_piece
from bot.pictures.brush import Brush, Point, oval, path
from bot.pictures.canvas import Canvas, Piece, piece
from bot.pictures.palette import CLAY, GREEN, GREY, HONEY, INK, PANEL, RED, TEAL, WHITE, Colour
from bot.pictures.picture import Names, Picture
from bot.pictures.scenery import HEADER, MARGIN, WIDTH, begin, lay_panel
from bot.pictures.words import number
from bot.text.catalogue import Catalogue

_INNER: Final = WIDTH - 2 * MARGIN
_GAP: Final = 14
"""The space between two panels, in pixels."""
_SCALE_PANEL: Final = 118
"""The height of the panel that compares bid and total, in pixels."""
_VERDICT: Final = 132
"""The height of the panel that says who was right, in pixels."""
_NAME_IN_LINE: Final = 16
"""How much of a name the verdict has room for, in letters."""


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
    canvas = begin(_title(say, called, result), height)

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
        if beat >= Beat.SUM:
            lay_sum(canvas, found, MARGIN + 20, top + 14, _INNER - 40)
        else:
            canvas.text("…", WIDTH / 2, top + sums / 2 - 6, 44, weight="bold", colour=GREY, align="middle")
        top += sums + _GAP
        lay_panel(canvas, MARGIN, top, _INNER, _SCALE_PANEL)
        _lay_scale(canvas, say, result, top, beat)
        top += _SCALE_PANEL + _GAP
    _lay_verdict(canvas, scene, top)
    description = called.described(lambda spoken: " ".join(_sentences(say, spoken, view, result, beat)))
    return Picture("reveal.png", canvas.png(), description, WIDTH, height)


def _title(say: Catalogue, called: Names, result: Result) -> str:
    match result.ending:
        case Ending.SHOWDOWN if result.caller is not None:
            return say("pictures.reveal.called", name=called.drawn(result.caller))
        case Ending.GUESS if result.loser is not None:
            return say("pictures.reveal.guess", name=called.drawn(result.loser))
        case Ending.LEFT if result.eliminated is not None:
            return say("pictures.reveal.left", name=called.drawn(result.eliminated))
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
    lay_figure(canvas, seat, wears, at, scale=scale, mood=mood, reach=min(61, room / 2 / scale - 24))
    said = _said_by(result, seat)
    if said is not None:
        bubble = bubble_piece(said, 48)
        canvas.lay(bubble, min(x + 32 * scale, WIDTH - 6 - bubble.width), top - 18)
    canvas.text(
        scene.called.drawn(seat),
        x,
        top + FIGURE_HEIGHT * scale + 20,
        25 if room > 112 else 23,
        weight="text" if said is None else "bold",
        align="middle",
        width=round(room - 8),
        smallest=20,
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
    _lay_label(canvas, say("pictures.reveal.bid", number=number(bid)), at(bid) + 34, line - 34, CLAY.mixed(INK, 0.3))
    taken = (0.0, 0.0)
    if beat >= Beat.SUM:
        pin = _pin_piece()
        canvas.lay(pin, at(total) - pin.width / 2, line - 4)
        written = say("pictures.reveal.total", number=number(total))
        taken = _lay_label(canvas, written, at(total) + 22, line + 34, running_sum.TOTAL)
    for value in range(-(-int(low) // step) * step, int(high) + 1, step):
        x = round(at(value))
        canvas.box(x - 1, line - 8, x + 2, line + 9, INK)
        if not taken[0] - 36 < x < taken[1] + 36:
            canvas.text(number(value), x, line + 32, 21, colour=INK.mixed(PANEL, 0.4), align="middle")


def _lay_label(canvas: Canvas, written: str, x: float, y: float, colour: Colour) -> tuple[float, float]:
    """Write a label to the right of a mark, or to its left where there is no room; return where it begins and ends."""
    if x > WIDTH - MARGIN - 150:
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
        canvas.text("…", WIDTH / 2, top + height / 2 - 6, 44, weight="bold", colour=GREY, align="middle")
        return
    left = MARGIN + 24
    lines = _verdict_lines(say, called, view, result)
    if result.loser is not None:
        head = head_piece(result.loser, Mood.OUT if result.eliminated == result.loser else Mood.SORRY, 0.92, HONEY)
        canvas.lay(head, left - 6, top + (height - head.height) / 2)
        left += head.width + 12
    room = WIDTH - MARGIN - 22 - left
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
            smallest=20,
        )
    if result.loser is not None:
        seat = view.seats[result.loser]
        lost = max(1, result.penalty)
        count = sum(seat.eyes) + lost if view.rules.has_eyes else max(view.rules.threshold, seat.tokens)
        middle = (left + 31 * 1.16 * count / 2, top + 99)
        lay_purse(canvas, view.rules, seat, middle, size=31, background=background, lost=lost)


def _verdict_lines(say: Catalogue, called: Names, view: CoyoteView, result: Result) -> list[str]:
    """Say who was right, and who pays."""
    names = [called.drawn(seat, _NAME_IN_LINE) for seat in range(len(view.seats))]
    return [*_reason(say, names, result), _penalty(say, names, view, result)]


def _reason(say: Catalogue, names: Sequence[str], result: Result) -> list[str]:
    if result.counted is not None and result.bid is not None and result.bidder is not None:
        total = result.counted.total
        key = "exact" if total == result.bid else "held" if total > result.bid else "too_high"
        slots = {"total": number(total), "bid": number(result.bid), "name": names[result.bidder]}
        return [say(f"pictures.reveal.{key}", **slots)]
    if result.ending is Ending.GUESS and result.loser is not None:
        slots = {"name": names[result.loser], "cards": faces(result.cards.worn[result.loser])}
        if result.named is None:  # saved by an older version
            return [say("pictures.reveal.guess_wore", **slots)]
        return [say("pictures.reveal.guess_was", guess=faces([result.named]), **slots)]
    return []


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
        lines += [*_reason(say, names, result), _penalty(say, names, view, result)]
        lines += _spoken_bets(say, names, result)
    return lines


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
