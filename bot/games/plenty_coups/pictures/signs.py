"""Signs of tribes, cards and markers of Plenty Coups. A tribe's sign is a shape of its own, so colour is not needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.games.plenty_coups.rules.cards import Card, Kind, Tribe
from bot.pictures.brush import Brush, Shape, oval, path, round_box, star, turned
from bot.pictures.lettering import letter
from bot.pictures.palette import (
    BLUE,
    CLAY,
    COAL,
    DUSK,
    FUR,
    GOLD,
    GREEN,
    GREY,
    INK,
    LINEN,
    PANEL,
    RED,
    SAND,
    SNOW,
    TEAL,
    WHITE,
    Colour,
)

SIZE: Final = 100
"""Signs are drawn into a square of this many units."""
_LINE: Final = 6
"""The width of outlines, in units."""
_BROWN: Final = FUR[1]

_SHAPES: Final[Mapping[Tribe, Shape]] = {
    Tribe.BLACK: oval(50, 50, 45),
    Tribe.YELLOW: star(50, 54, 52, 31, 5),
    Tribe.GREEN: path(
        "M50 3 L74 34 L66 34 L86 62 L77 62 L97 92 L60 92 L60 98 L40 98 L40 92 L3 92 L23 62 L14 62 L34 34 L26 34 Z"
    ),
    Tribe.RED: path("M50 5 L97 92 L3 92 Z"),
    Tribe.BLUE: path("M50 2 L98 50 L50 98 L2 50 Z"),
    Tribe.WHITE: round_box(8, 8, 92, 92, 5),
}
COLOURS: Final[Mapping[Tribe, Colour]] = {
    Tribe.BLACK: COAL,
    Tribe.YELLOW: GOLD,
    Tribe.GREEN: GREEN,
    Tribe.RED: RED,
    Tribe.BLUE: BLUE,
    Tribe.WHITE: WHITE,
}
_MIDDLES: Final[Mapping[Tribe, tuple[float, float]]] = {
    Tribe.BLACK: (50, 50),
    Tribe.YELLOW: (50, 57),
    Tribe.GREEN: (50, 63),
    Tribe.RED: (50, 64),
    Tribe.BLUE: (50, 50),
    Tribe.WHITE: (50, 50),
}
"""Where a number stands."""


def draw_sign(brush: Brush, tribe: Tribe, value: int | None = None) -> None:
    """Draw a tribe's sign; with a value, it is a warrior of that tribe."""
    shape, colour = _SHAPES[tribe], COLOURS[tribe]
    brush.fill(shape, colour)
    with brush.inside(shape):
        brush.fill(path("M-4 -4 L64 -4 L-4 88 Z"), colour.mixed(WHITE, 0.24))
    brush.line(shape, _LINE, closed=True)
    if value is not None:
        height = 40 if tribe in (Tribe.RED, Tribe.YELLOW, Tribe.GREEN) else 52
        if tribe is Tribe.WHITE:
            letter(brush, str(value), _MIDDLES[tribe], height, INK)
        else:
            letter(brush, str(value), _MIDDLES[tribe], height, WHITE, outline=5.6)


def draw_weapon(brush: Brush, value: int) -> None:
    """Draw a bow with an arrow, and how strong it is."""

    def at(shape: Shape) -> Shape:
        return turned(shape, -35, 42, 48)

    brush.line(at([(32, 8), (14, 50), (32, 92)]), 4.6)
    arrow = at([(14, 50), (80, 50)])
    brush.line(arrow, 11)
    brush.line(arrow, 4, SAND)
    bow = at(path("M32 8 C68 24 68 76 32 92"))
    brush.line(bow, 16)
    brush.line(bow, 7.4, DUSK)
    brush.shape(at(path("M76 35 L104 50 L76 65 Z")), GREY, 5.6)
    brush.shape(oval(67, 69, 28), WHITE, 5.6)
    letter(brush, str(value), (67, 69), 39, INK)


def draw_horse(brush: Brush, coat: Colour = FUR[6]) -> None:
    """Draw a horse's head, looking to the right."""
    head = path(
        "M20 97 C16 70 20 44 36 28 L32 8 L48 18 C66 18 76 30 80 44 L93 66 C97 76 88 86 78 83 C70 80 64 74 56 72 "
        "C60 82 62 90 64 97 Z"
    )
    brush.fill(head, coat)
    with brush.inside(head):
        brush.fill(path("M0 100 C8 60 26 30 52 22 L40 0 L0 0 Z"), coat.mixed(INK, 0.12))
        brush.fill(oval(88, 78, 17, 14), coat.mixed(WHITE, 0.45))
    brush.line(head, _LINE, closed=True)
    mane = path(
        "M36 6 C20 14 8 34 6 58 C4 74 6 88 12 97 L26 97 C22 82 24 70 30 62 C24 56 28 46 36 40 C32 30 36 22 42 18 Z"
    )
    brush.shape(mane, _BROWN.mixed(INK, 0.35), 5)
    brush.fill(oval(60, 40, 5.4), INK)
    brush.fill(oval(58.4, 38, 1.9), WHITE)
    brush.fill(oval(86, 72, 2.8), INK)


def draw_stick(brush: Brush) -> None:
    """Draw a coup stick: a thick rod with a crook, and a ribbon."""
    brush.shape(path("M36 56 C54 54 60 68 86 60 L78 73 L88 86 C62 92 54 76 32 80 Z"), TEAL, 5.6)
    rod = path("M28 86 L38 44 C42 4 90 4 88 36 C87 54 64 54 62 40")
    brush.line(rod, 23)
    brush.line(rod, 12, CLAY.mixed(WHITE, 0.2))
    band = [(28, 66), (39, 69)]
    brush.line(band, 19)
    brush.line(band, 9, TEAL)


def draw_card(brush: Brush, card: Card) -> None:
    """Draw what is on a card."""
    match card.kind:
        case Kind.WARRIOR if card.tribe is not None:
            draw_sign(brush, card.tribe, card.value)
        case Kind.WEAPON:
            draw_weapon(brush, card.value)
        case Kind.HORSE:
            draw_horse(brush)
        case _:
            draw_stick(brush)


def draw_card_back(brush: Brush) -> None:
    """Draw a card from behind."""
    brush.shape(round_box(16, 3, 84, 97, 12), PANEL, _LINE)
    inner = round_box(25, 12, 75, 88, 7)
    brush.fill(inner, CLAY)
    with brush.inside(inner):
        for y in range(-10, 120, 18):
            brush.line([(20, y + 14), (50, y), (80, y + 14)], 5, SAND)
    brush.line(inner, 3.4, closed=True)


def draw_prestige(brush: Brush) -> None:
    """Draw a marker with its prestige side up: a golden plume on a drop."""
    brush.shape(oval(50, 50, 45), GOLD, _LINE)
    brush.fill(oval(33, 27, 12, 7, turn=-38), GOLD.mixed(WHITE, 0.65))
    vane = turned(path("M50 80 C28 68 26 38 50 12 C74 38 72 68 50 80 Z"), 28, 50, 50)
    brush.line(turned([(50, 76), (50, 92)], 28, 50, 50), 6)
    brush.shape(vane, WHITE, 4.6)
    brush.line(turned([(50, 80), (50, 30)], 28, 50, 50), 4)


def draw_free_prestige(brush: Brush) -> None:
    """Draw a marker with its raid side up, at home: an empty place for prestige."""
    brush.fill(oval(50, 50, 44), LINEN)
    brush.fill(_vane(), PANEL)
    draw_empty_marker(brush)


def draw_empty_marker(brush: Brush) -> None:
    """Draw the same as an emoji: hollow, or it would outshine prestige on a dark screen."""
    dark = GREY.mixed(INK, 0.25)
    brush.line(_vane(), 4, dark, closed=True)
    ring = oval(50, 50, 43)
    for first in range(0, 48, 6):
        brush.line([ring[(first + place) % 48] for place in range(4)], 7, dark)


def _vane() -> Shape:
    return turned(path("M50 74 C36 64 34 42 50 24 C66 42 64 64 50 74 Z"), 28, 50, 50)


def draw_raid(brush: Brush) -> None:
    """Draw a raid: a broad arrow."""
    brush.shape(path("M4 38 L54 38 L54 14 L97 50 L54 86 L54 62 L4 62 L16 50 Z"), RED, _LINE)
    brush.line([(22, 46), (56, 46), (58, 30)], 4, RED.mixed(WHITE, 0.45))


def draw_alliance(brush: Brush) -> None:
    """Draw an alliance: two linked rings."""
    _rings(brush, TEAL, GOLD)


def draw_proposal(brush: Brush) -> None:
    """Draw a proposal: a ring that reaches out for one that is still open."""
    ring = oval(70, 50, 23)
    for first in range(0, 48, 8):
        brush.line([ring[(first + place) % 48] for place in range(5)], 15)
        brush.line([ring[(first + place) % 48] for place in range(5)], 7, WHITE)
    brush.line(oval(28, 50, 23), 17, closed=True)
    brush.line(oval(28, 50, 23), 8, TEAL, closed=True)


def _rings(brush: Brush, one: Colour, other: Colour) -> None:
    left, right = oval(33, 50, 26), oval(67, 50, 26)
    brush.line(right, 17, closed=True)
    brush.line(right, 8, other, closed=True)
    brush.line(left, 17, closed=True)
    brush.line(left, 8, one, closed=True)
    over = [right[place] for place in range(24, 33)]
    brush.line(over, 17)
    brush.line(over, 8, other)


def draw_disdain(brush: Brush) -> None:
    """Draw the stick of disdain: a stick across a camp."""
    camp = path("M50 14 L92 94 L8 94 Z")
    brush.shape(camp, LINEN, _LINE)
    brush.shape(path("M50 52 L64 94 L36 94 Z"), INK.mixed(PANEL, 0.3), 4)
    rod = [(8, 74), (92, 22)]
    brush.line(rod, 16)
    brush.line(rod, 7, RED)


def draw_snowflake(brush: Brush) -> None:
    """Draw winter."""
    for width, colour in ((15, INK), (7, SNOW)):
        for angle in (0, 60, 120):
            brush.line(turned([(50, 6), (50, 94)], angle, 50, 50), width, colour)
        for angle in range(0, 360, 60):
            for arm in ([(50, 24), (38, 12)], [(50, 24), (62, 12)]):
                brush.line(turned(arm, angle, 50, 50), width, colour)
