"""The end of a match, drawn: the winner, the standing, and who took coins in which round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.engine.core import Outcome, Seat
from bot.games.coyote.pictures.figures import token_piece
from bot.games.coyote.rules.actions import RoundEnded
from bot.games.coyote.rules.results import Ending, Result
from bot.games.coyote.rules.view import CoyoteView
from bot.pictures.animals import Mood, head_piece
from bot.pictures.brush import Brush, path
from bot.pictures.canvas import Canvas, Piece, piece
from bot.pictures.fonts import width_of
from bot.pictures.palette import GREEN, HONEY, INK, MUTED, PANEL, RED, SAND
from bot.pictures.picture import Names, Picture
from bot.pictures.podium import Winner, lay_winners, place_piece
from bot.pictures.scenery import HEADER, MARGIN, WIDTH, begin, lay_panel
from bot.text.catalogue import Catalogue

_ROW: Final = 54
"""The height of a player's row, in pixels."""
_INNER: Final = WIDTH - 2 * MARGIN
_TRACK_LEFT: Final = 336
"""Where the rounds begin."""
_TRACK_RIGHT: Final = WIDTH - MARGIN - 46
"""Where they end; beyond it is room for the mark that says how."""
_TRACK: Final = _TRACK_RIGHT - _TRACK_LEFT
_LARGEST_COIN: Final = 32
"""The size of a lost coin if there is room, in pixels."""
_SMALLEST_COIN: Final = 18
"""The size below which coins overlap instead of shrinking further, in pixels."""


class _Loss(NamedTuple):
    """What a round cost somebody."""

    round: int
    tokens: int


class _Scene(NamedTuple):
    """What is drawn, and in whose words."""

    say: Catalogue
    called: Names
    view: CoyoteView
    outcome: Outcome
    results: Sequence[Result]


def draw_final(
    say: Catalogue, names: Sequence[str], view: CoyoteView, outcome: Outcome, events: Sequence[object]
) -> Picture:
    """Draw the end of a match; `events` are all its public events, in order."""
    results = [event.result for event in events if isinstance(event, RoundEnded)]
    called = Names(say, names)
    scene = _Scene(say, called, view, outcome, results)
    order = sorted((Seat(seat) for seat in range(len(view.seats))), key=lambda seat: outcome.places[seat])
    standing = 44 + len(order) * _ROW + 10
    height = HEADER + 150 + 14 + standing + 20
    single = len(outcome.winners) == 1

    def title(most: int) -> str:
        if single:
            return say("pictures.final.title", name=called.drawn(outcome.winners[0], most))
        return say("pictures.final.title_together")

    canvas = begin(title, height)
    lay_winners(
        canvas,
        HEADER,
        [Winner(head_piece(seat, Mood.GLAD, 1.2, HONEY)) for seat in outcome.winners],
        [called.drawn(seat) for seat in outcome.winners],
        say("pictures.final.after", count=len(results)),
    )
    top = HEADER + 164
    lay_panel(canvas, MARGIN, top, _INNER, standing)
    what = "pictures.final.eyes" if view.rules.has_eyes else "pictures.final.coins"
    canvas.text(say(what), WIDTH - MARGIN - 20, top + 26, 24, colour=MUTED, align="right")
    for place, seat in enumerate(order):
        _lay_row(canvas, scene, seat, top + 44 + place * _ROW)
    description = called.described(lambda spoken: " ".join(_sentences(scene, spoken, order)))
    return Picture("final.png", canvas.png(), description, WIDTH, height)


def _losses(results: Sequence[Result], seat: Seat) -> list[_Loss]:
    return [_Loss(result.number, max(1, result.penalty)) for result in results if result.loser == seat]


def _left_in(results: Sequence[Result], seat: Seat) -> int | None:
    """Return the round in which a player left."""
    found = (result.number for result in results if result.ending is Ending.LEFT and result.eliminated == seat)
    return next(found, None)


def _out_in(results: Sequence[Result], seat: Seat) -> int | None:
    """Return the round in which a player was out of the game, for whatever reason."""
    return next((result.number for result in results if result.eliminated == seat), None)


def _lay_row(canvas: Canvas, scene: _Scene, seat: Seat, top: int) -> None:
    say, called, view, outcome, results = scene
    middle = top + _ROW // 2
    winner = outcome.places[seat] == 1
    canvas.lay_middle(place_piece(outcome.places[seat]), MARGIN + 36, middle)
    canvas.lay_middle(head_piece(seat, Mood.GLAD if winner else Mood.OUT, 0.5), MARGIN + 88, middle)
    canvas.text(
        called.drawn(seat),
        MARGIN + 120,
        middle,
        27,
        weight="bold" if winner else "text",
        width=_TRACK_LEFT - MARGIN - 134,
        smallest=24,
    )
    rounds = max((result.number for result in results), default=1)
    step = min(_LARGEST_COIN + 8, _TRACK / rounds)
    size = max(_SMALLEST_COIN, min(_LARGEST_COIN, step * 1.1))
    first = _TRACK_RIGHT - step * rounds
    out = _out_in(results, seat)
    end = _TRACK_RIGHT + 10 if out is None else first + step * (out - 0.5) + size / 2 + 12
    canvas.box(round(first), middle - 3, round(end), middle + 3, SAND)
    for loss in _losses(results, seat):
        x = first + step * (loss.round - 0.5)
        for each in range(loss.tokens):
            offset = (each - (loss.tokens - 1) / 2) * size * 0.55
            canvas.lay_middle(token_piece("eye_closed" if view.rules.has_eyes else "coin", size), x, middle + offset)
    if winner:
        canvas.lay_middle(_flag_piece(), end + 7, middle - 8)
    elif _left_in(results, seat) is not None:
        written = say("pictures.final.left")
        x = min(end + 4, WIDTH - MARGIN - 12 - width_of(written, 22))
        canvas.text(written, x, middle, 22, colour=MUTED, background=PANEL)
    elif out is not None:
        canvas.lay_middle(_out_piece(), end, middle)


def _out_piece() -> Piece:
    """Return the cross at the end of a way."""

    def draw(brush: Brush) -> None:
        for width, colour in ((10, PANEL), (4.6, RED.mixed(INK, 0.3))):
            brush.line([(7, 7), (25, 25)], width, colour)
            brush.line([(7, 25), (25, 7)], width, colour)

    return piece("out", (32, 32), draw)


def _flag_piece() -> Piece:
    """Return the flag at the winner's goal."""

    def draw(brush: Brush) -> None:
        brush.shape(path("M12 5 L34 12 L12 20 Z"), GREEN, 3)
        brush.line([(12, 5), (12, 36)], 4.4)

    return piece("goal", (38, 40), draw)


def _sentences(scene: _Scene, names: Sequence[str], order: Sequence[Seat]) -> list[str]:
    """Say all that the picture shows."""
    say, _, view, outcome, results = scene
    won = say.listing([names[seat] for seat in outcome.winners])
    lines = [say("pictures.final.alt.title", names=won, rounds=say("pictures.final.alt.rounds", count=len(results)))]
    for seat in order:
        slots = {"ordinal": say.ordinal(outcome.places[seat], "place"), "name": names[seat]}
        losses = _losses(results, seat)
        lost = [
            str(loss.round) if loss.tokens == 1 else say("pictures.final.alt.twice", round=loss.round)
            for loss in losses
        ]
        if lost:
            key = "pictures.final.alt.place_eyes" if view.rules.has_eyes else "pictures.final.alt.place"
            total = sum(loss.tokens for loss in losses)
            lines.append(say(key, count=total, rounds=say.listing(lost), **slots))
        else:
            lines.append(say("pictures.final.alt.place_none", **slots))
        left = _left_in(results, seat)
        out = _out_in(results, seat)
        if left is not None:
            lines.append(say("pictures.final.alt.left", number=left))
        elif out is not None:
            lines.append(say("pictures.final.alt.out", number=out))
    return lines
