"""Pictures of statistics: a rating over time, and the first places of a leaderboard. They know no game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final, NamedTuple

from bot.pictures.brush import Brush, oval, round_box
from bot.pictures.canvas import Canvas, Piece, flattened, piece
from bot.pictures.fonts import drawable
from bot.pictures.palette import CLAY, GOLD, GREY, HONEY, INK, LINEN, MUTED, PANEL, SAND, TEAL, WHITE
from bot.pictures.picture import MAX_DESCRIPTION, Picture, cut
from bot.pictures.podium import place_piece
from bot.pictures.scenery import HEADER, MARGIN, WIDTH, begin, lay_panel
from bot.pictures.words import number
from bot.text.catalogue import Catalogue

_INNER: Final = WIDTH - 2 * MARGIN
_CURVE: Final = 300
"""The height of the panel with the curve."""
_MOST_POINTS: Final = 120
"""Cap on the points of a curve; only the newest ratings are drawn."""
_ROW: Final = 62
"""The height of a line of a leaderboard, in pixels."""
_MOST_LINES: Final = 10
"""Cap on the lines of a leaderboard."""


def draw_curve(say: Catalogue, ratings: Sequence[int], name: str | None = None) -> Picture:
    """Draw how a rating went, the oldest game first; `name` is whose it is."""
    if len(ratings) < 2:
        raise ValueError("a curve needs two points")
    ratings = ratings[-_MOST_POINTS:]
    height = HEADER + _CURVE + 20
    drawn = None if name is None else drawable(name)

    def title(most: int) -> str:
        if drawn is None:
            return say("pictures.curve.title")
        return say("pictures.curve.title_of", name=cut(drawn, most))

    canvas = begin(title, height)
    lay_panel(canvas, MARGIN, HEADER, _INNER, _CURVE)
    low, high = min(ratings), max(ratings)
    step = next(each for each in (5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10**6) if (high - low) / each <= 4)
    bottom, top = low // step * step, -(-(high + 1) // step) * step
    left, right, upper, lower = MARGIN + 86, WIDTH - MARGIN - 116, HEADER + 40, HEADER + _CURVE - 56

    def at(place: int, rating: int) -> tuple[float, float]:
        x = left + (right - left) * place / (len(ratings) - 1)
        return x, lower - (lower - upper) * (rating - bottom) / (top - bottom)

    for rating in range(bottom, top + 1, step):
        y = round(at(0, rating)[1])
        canvas.box(left - 8, y - 1, right + 8, y + 1, SAND)
        canvas.text(number(rating), left - 14, y, 25, colour=MUTED, align="right")
    points = [at(place, rating) for place, rating in enumerate(ratings)]
    canvas.lay(_line_piece(tuple(points), lower), 0, HEADER)
    marks = {ratings.index(high): "top", len(ratings) - 1: "last"}
    for place, kind in marks.items():
        canvas.lay_middle(_dot_piece(kind), *points[place])
    end_x, end_y = points[-1]
    canvas.text(number(ratings[-1]), end_x + 18, end_y, 32, weight="bold")
    if ratings.index(high) != len(ratings) - 1:
        top_x, top_y = points[ratings.index(high)]
        canvas.text(number(high), top_x, top_y - 24, 24, weight="bold", colour=MUTED, align="middle")
    canvas.text(
        say("pictures.curve.games", count=len(ratings)),
        (left + right) / 2,
        HEADER + _CURVE - 26,
        25,
        colour=MUTED,
        align="middle",
    )
    slots = {
        "games": say("pictures.curve.alt.games", count=len(ratings)),
        "first": number(ratings[0]),
        "last": number(ratings[-1]),
        "highest": number(high),
        "lowest": number(low),
    }
    words = (
        say("pictures.curve.alt.text", **slots)
        if name is None
        else say("pictures.curve.alt.text_of", name=name, **slots)
    )
    return Picture("rating.png", canvas.png(), words[:MAX_DESCRIPTION], WIDTH, height)


def _line_piece(points: tuple[tuple[float, float], ...], lower: int) -> Piece:
    """Return the curve with the area below it. It is large and seldom the same, so it is not kept."""

    def draw(brush: Brush) -> None:
        below = [(points[0][0], lower), *points, (points[-1][0], lower)]
        brush.fill([(x, y - HEADER) for x, y in below], HONEY)
        line = [(x, y - HEADER) for x, y in points]
        brush.line(line, 8)
        brush.line(line, 4, CLAY)

    brush = Brush(WIDTH, _CURVE)
    draw(brush)
    return flattened(brush.finished(), PANEL)


def _dot_piece(kind: str) -> Piece:
    def draw(brush: Brush) -> None:
        brush.shape(oval(14, 14, 10 if kind == "last" else 7), GOLD if kind == "last" else WHITE, 3.4)

    return piece(("dot", kind), (28, 28), draw, background=PANEL)


class Ranked(NamedTuple):
    """One line of a leaderboard."""

    rank: int
    name: str | None
    """None if the name is not known, or not to be shown."""
    score: str
    """What counts, in words."""
    part: float
    """How long the bar is, from 0 to 1."""
    own: bool = False
    """It is the asker's own line."""


def draw_board(say: Catalogue, title: str, lines: Sequence[Ranked]) -> Picture:
    """Draw the first places of a leaderboard; `title` says what it ranks by."""
    if not lines:
        raise ValueError("a leaderboard needs a line")
    lines = lines[:_MOST_LINES]
    panel_height = len(lines) * _ROW + 20
    height = HEADER + panel_height + 20
    canvas = begin(drawable(title) or title, height)
    lay_panel(canvas, MARGIN, HEADER, _INNER, panel_height)
    for place, line in enumerate(lines):
        _lay_line(canvas, say, line, HEADER + 10 + place * _ROW)
    spoken = [
        say(
            "pictures.board.alt.line_own" if line.own else "pictures.board.alt.line",
            ordinal=say.ordinal(line.rank, "place"),
            name=line.name or say("pictures.board.somebody"),
            score=line.score,
        )
        for line in lines
    ]
    together = reduce(lambda lines, line: say("pictures.board.alt.more", lines=lines, line=line), spoken)
    words = say("pictures.board.alt.text", title=title, lines=together)
    return Picture("leaderboard.png", canvas.png(), words[:MAX_DESCRIPTION], WIDTH, height)


def _lay_line(canvas: Canvas, say: Catalogue, line: Ranked, top: int) -> None:
    middle = top + _ROW // 2
    canvas.lay_middle(place_piece(line.rank), MARGIN + 36, middle)
    name = (drawable(line.name) if line.name is not None else None) or say("pictures.board.somebody")
    score = canvas.text(
        line.score, WIDTH - MARGIN - 22, middle - 8, 26, weight="bold", align="right", width=250, smallest=20
    )
    canvas.text(
        name,
        MARGIN + 72,
        middle - 8,
        27,
        weight="bold" if line.own else "text",
        width=_INNER - 72 - 22 - score - 20,
        smallest=24,
    )
    full = _INNER - 72 - 22
    canvas.lay(_bar_piece(full, 1, own=False, empty=True), MARGIN + 72, middle + 14)
    part = max(0.02, min(1, line.part))
    canvas.lay(_bar_piece(full, round(part, 2), own=line.own, empty=False), MARGIN + 72, middle + 14)


def _bar_piece(full: int, part: float, *, own: bool, empty: bool) -> Piece:
    def draw(brush: Brush) -> None:
        colour = LINEN if empty else GOLD if own else TEAL
        box = round_box(1, 1, max(12, full * part) - 1, 11, 5)
        brush.shape(box, colour, 0 if empty else 2, INK if not empty else GREY)

    return piece(("bar", full, part, own, empty), (full, 12), draw)
