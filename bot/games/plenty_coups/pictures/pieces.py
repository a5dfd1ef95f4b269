"""The pieces from which pictures of Plenty Coups are put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.games.plenty_coups.pictures import signs
from bot.games.plenty_coups.rules.cards import Card, Tribe
from bot.games.plenty_coups.rules.view import CampView
from bot.pictures.animals import Mood, head_piece
from bot.pictures.brush import Brush, Point, round_box
from bot.pictures.canvas import Canvas, Piece, piece
from bot.pictures.palette import PANEL, WHITE, Colour

_SPACE: Final = 5
"""How far outlines reach beyond the box of a sign, in units."""
_MARKERS: Final[Mapping[str, Callable[[Brush], None]]] = {
    "horse": signs.draw_horse,
    "prestige": signs.draw_prestige,
    "prestige_free": signs.draw_free_prestige,
    "alliance": signs.draw_alliance,
    "proposal": signs.draw_proposal,
    "disdain": signs.draw_disdain,
    "card_back": signs.draw_card_back,
    "raid": signs.draw_raid,
}


def sign_piece(tribe: Tribe, size: float, background: Colour = PANEL, *, value: int | None = None) -> Piece:
    """Return a tribe's sign, or one of its warriors, `size` pixels wide."""
    return _square(("sign", tribe, value), size, background, lambda brush: signs.draw_sign(brush, tribe, value))


def lay_chief(canvas: Canvas, camp: CampView, middle: Point, scale: float, mood: Mood) -> None:
    """Draw who leads a tribe, with its sign; a tribe that nobody leads is its sign alone."""
    x, y = middle
    if camp.owner is None:
        canvas.lay_middle(sign_piece(camp.tribe, 80 * scale), x, y)
        return
    canvas.lay_middle(head_piece(camp.owner, mood, scale), x - 3 * scale, y - 4 * scale)
    canvas.lay_middle(sign_piece(camp.tribe, 58 * scale), x + 46 * scale, y + 28 * scale)


def marker_piece(kind: str, size: float, background: Colour = PANEL) -> Piece:
    """Return a marker, `size` pixels wide."""
    return _square(("marker", kind), size, background, _MARKERS[kind])


def _square(key: object, size: float, background: Colour, draw: Callable[[Brush], None]) -> Piece:
    side = signs.SIZE + 2 * _SPACE
    return piece(key, (side, side), draw, scale=size / side, background=background, origin=(_SPACE, _SPACE))


def card_piece(card: Card, height: float) -> Piece:
    """Return a card with what is on it, to be laid on a panel."""

    def draw(brush: Brush) -> None:
        brush.shape(round_box(3, 3, 97, 127, 12), WHITE, 4.4)
        inner = Brush(signs.SIZE + 10, signs.SIZE + 10, brush.scale / 4 * 0.76, (5, 5))
        signs.draw_card(inner, card)
        brush.image(inner.finished(), 8, 23)

    return piece(("card", card), (100, 130), draw, scale=height / 130)
