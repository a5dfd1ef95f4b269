"""A player as a figure: a head with feathers behind its headband, and coins or eyes below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from bot.games.coyote.pictures import feathers, tokens
from bot.games.coyote.pictures.feathers import Seen, draw_feather
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import Rules
from bot.games.coyote.rules.view import SeatView
from bot.pictures import animals
from bot.pictures.animals import Mood, head_piece
from bot.pictures.brush import Brush, Point, path, round_box
from bot.pictures.canvas import Canvas, Piece, piece
from bot.pictures.fonts import width_of
from bot.pictures.lettering import letter
from bot.pictures.palette import INK, PANEL, WHITE, Colour

_FAN: Final = {1: 1.0, 2: 0.78, 3: 0.62}
"""How large the feathers of one head are drawn, by their number; more are smaller still."""
_MANY: Final = 0.46
"""How large the feathers of a head with more of them are drawn."""
_BESIDE: Final = 0.52
"""How large open and covered feathers are, which lie beside a head."""
_SPACE: Final = 4
"""How far outlines reach beyond the box of a feather, in units."""


class Worn(NamedTuple):
    """What a figure wears and has, as far as the viewer may know it."""

    worn: tuple[Seen, ...]
    opened: tuple[Seen, ...] = ()
    covered: tuple[Seen, ...] = ()


def worn_by(rules: Rules, seat: SeatView) -> Worn:
    """Return what a seat wears; a feather that the viewer may not see is None."""
    if seat.worn is not None:
        return Worn(seat.worn, seat.opened, seat.covered or ())
    if rules.covers_feathers and seat.feathers:
        return Worn((None,), seat.opened, (None,) * (seat.feathers - 1))
    return Worn((None,) * seat.feathers, seat.opened, seat.covered or ())


def feather_piece(seen: Seen, scale: float, background: Colour = PANEL, *, faded: bool = False) -> Piece:
    """Return a feather; `scale` is pixels per unit."""
    return piece(
        ("feather", seen, faded),
        (feathers.WIDTH + 2 * _SPACE, feathers.HEIGHT + _SPACE),
        lambda brush: draw_feather(brush, seen, faded=faded),
        scale=scale,
        background=background,
        origin=(_SPACE, _SPACE / 2),
    )


def _worn_scale(wears: Worn, scale: float) -> float:
    return _FAN.get(len(wears.worn), _MANY) * scale


def prepare_feathers(cards: Iterable[Card], wears: Worn, scale: float) -> None:
    """Draw every card for the first time in the sizes in which a figure shows feathers, whichever it wears."""
    for card in cards:
        feather_piece(card, _worn_scale(wears, scale))
        if wears.opened:
            feather_piece(card, _BESIDE * scale)
        if wears.covered:
            feather_piece(card, _BESIDE * scale, faded=True)


def lay_figure(
    canvas: Canvas, seat: int, wears: Worn, at: Point, *, scale: float, mood: Mood, reach: float = 66
) -> None:
    """Draw a head with its feathers below the point `at`; open and covered ones lie beside it, `reach` units away."""
    x, top = at
    size = _worn_scale(wears, scale)
    head_top = top + (feathers.HEIGHT - 30) * scale
    foot = head_top + animals.BAND_TOP * scale * 1.12
    step = feathers.WIDTH * size * 0.9
    first = x - step * (len(wears.worn) - 1) / 2
    for place, seen in enumerate(wears.worn):
        laid = feather_piece(seen, size)
        canvas.lay(laid, first + place * step - laid.width / 2, foot - laid.height)
    head = head_piece(seat, mood, scale)
    canvas.lay(head, x - head.width / 2, head_top - animals.SPACE * scale)
    _lay_beside(canvas, wears.covered, x - reach * scale, head_top, scale, faded=True)
    _lay_beside(canvas, wears.opened, x + reach * scale, head_top, scale)


def _lay_beside(
    canvas: Canvas, cards: Sequence[Seen], x: float, top: float, scale: float, *, faded: bool = False
) -> None:
    """Lay small feathers beside a head, the first one lowest."""
    bottom = top + animals.HEIGHT * scale
    for place, seen in reversed(list(enumerate(cards))):
        laid = feather_piece(seen, _BESIDE * scale, faded=faded)
        canvas.lay(laid, x - laid.width / 2, bottom - laid.height - place * 42 * scale)


FIGURE_HEIGHT: Final = feathers.HEIGHT - 30 + animals.HEIGHT
"""How high a figure is, in units."""


def lay_purse(
    canvas: Canvas, rules: Rules, seat: SeatView, at: Point, *, size: float, background: Colour = PANEL, lost: int = 0
) -> None:
    """Draw a player's coins, taken and free, or their open and closed eyes and those just `lost`, around a point."""
    drawn = (
        ["eye_open"] * seat.eyes[0] + ["eye_closed"] * seat.eyes[1] + ["coin_free"] * lost
        if rules.has_eyes
        else ["coin"] * seat.tokens + ["coin_free"] * max(0, rules.threshold - seat.tokens)
    )
    step = size * 1.16
    first = at[0] - step * (len(drawn) - 1) / 2
    for place, kind in enumerate(drawn):
        canvas.lay_middle(token_piece(kind, size, background), first + place * step, at[1])


_TOKENS: Final = {
    "coin": tokens.draw_coin,
    "coin_free": tokens.draw_free_coin,
    "eye_open": tokens.draw_open_eye,
    "eye_closed": tokens.draw_closed_eye,
}


def token_piece(kind: str, size: float, background: Colour = PANEL) -> Piece:
    """Return a coin or an eye, `size` pixels wide."""
    return piece(("token", kind), (106, 106), _TOKENS[kind], scale=size / 100, background=background, origin=(3, 3))


def bubble_piece(said: str, height: float, background: Colour = PANEL) -> Piece:
    """Return a speech bubble; its tail points down to the left."""
    width = max(50, 30 + width_of(said, 44, "bold"))

    def draw(brush: Brush) -> None:
        tail = path("M14 44 L8 70 L34 48 Z")
        brush.shape(tail, WHITE, 4.4)
        brush.shape(round_box(3, 3, width - 3, 51, 20), WHITE, 4.4)
        brush.fill(path("M17 43 L13 60 L31 46 Z"), WHITE)
        letter(brush, said, (width / 2, 27), 31, INK)

    return piece(("bubble", said), (width, 74), draw, scale=height / 74, background=background)
