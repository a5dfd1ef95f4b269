"""The camps, drawn: herds, prestige, alliances as ropes and raids as arrows between them. Hands stay hidden."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from bot.games.plenty_coups.pictures import signs
from bot.games.plenty_coups.pictures.pieces import card_piece, lay_chief, marker_piece, sign_piece
from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.rules.view import CampView, Phase, PlentyCoupsView
from bot.games.plenty_coups.ui.views import MOST_PRESTIGE, camp_of, is_winter
from bot.games.plenty_coups.ui.words import card as card_words
from bot.games.plenty_coups.ui.words import colour as colour_words
from bot.games.plenty_coups.ui.words import tribe_name
from bot.pictures.animals import Mood
from bot.pictures.brush import Brush, Point, along, oval, path
from bot.pictures.canvas import Canvas, Piece, piece
from bot.pictures.lettering import letter
from bot.pictures.palette import GOLD, INK, MUTED, PAPER, RED, TEAL, WHITE
from bot.pictures.picture import Names, Picture
from bot.pictures.scenery import HEADER, MARGIN, WIDTH, begin, lay_panel
from bot.pictures.words import beginning
from bot.text.catalogue import Catalogue

_CAMP: Final = 246
"""The width of a camp, in pixels."""
_CAMP_HEIGHT: Final = 168
"""The height of a camp, in pixels."""
_GAP: Final = 18
"""The space between two camps, one above the other, in pixels."""
_OFFER: Final = 142
"""The height of the offer below the camps, in pixels."""
_HORSES_IN_ROW: Final = 6
_LANE: Final = 34
"""How far apart the ends of arrows and ropes at one camp are, if there is room."""
_SIGN_PARTS: Final = (0.5, 0.38, 0.62, 0.28, 0.72)
"""Where on its line a sign may stand, the best place first."""
_Curve: TypeAlias = tuple[Point, Point, Point, Point]


class _Scene(NamedTuple):
    """What is drawn, and in whose words."""

    say: Catalogue
    called: Names
    view: PlentyCoupsView


class _Place(NamedTuple):
    """Where a camp lies; ropes and arrows leave from its inner edge."""

    left: int
    top: int
    on_left: bool


class _Kind(Enum):
    """What a line between two camps means."""

    RAID = "raid"
    ALLIANCE = "alliance"
    PROPOSAL = "proposal"


class _Link(NamedTuple):
    """A line from one camp to another."""

    kind: _Kind
    one: Tribe
    other: Tribe
    value: int = 0
    prestige_side: bool = False


def _places(count: int) -> tuple[list[_Place], int]:
    """Return the places of the camps, clockwise from the upper left, and the height that they take."""
    on_right = count // 2 if count % 2 == 0 else count // 2 + 1
    on_left = count - on_right
    height = on_right * (_CAMP_HEIGHT + _GAP)
    step = _CAMP_HEIGHT + _GAP
    shift = (height - on_left * step) // 2
    left = [_Place(MARGIN, HEADER + shift + row * step, on_left=True) for row in range(on_left)]
    right = [_Place(WIDTH - MARGIN - _CAMP, HEADER + row * step, on_left=False) for row in range(on_right)]
    return [left[0], *right, *reversed(left[1:])], height


def draw_camps(say: Catalogue, names: Sequence[str], view: PlentyCoupsView) -> Picture:
    """Draw what everybody sees: from any view, hands are only counted."""
    called = Names(say, names)
    places, taken = _places(len(view.camps))
    at = {camp.tribe: place for camp, place in zip(view.camps, places, strict=True)}
    height = HEADER + taken + _OFFER + 12
    canvas = begin(_title(say, view), height, winter=is_winter(view))
    for camp in view.camps:
        _lay_camp(canvas, _Scene(say, called, view), camp, at[camp.tribe])
    links = _links(view)
    curves = _curves(links, at)
    for link, curve in zip(links, curves, strict=True):
        _lay_line(canvas, curve, link.kind)
    # Signs and numbers lie above all lines, each where it is farthest from the others.
    taken_by: list[Point] = []
    for link, curve in zip(links, curves, strict=True):
        spots = [along(curve, part) for part in _SIGN_PARTS]
        spot = max(spots, key=lambda each: min((math.dist(each, other) for other in taken_by), default=0))
        taken_by.append(spot)
        canvas.lay_middle(_link_piece(link), *spot)
    _lay_offer(canvas, say, view, HEADER + taken)
    description = called.described(
        lambda spoken: " ".join(_sentences(say, spoken, view)),
        lambda spoken: " ".join(_terse_sentences(say, spoken, view)),
    )
    return Picture("camps.png", canvas.png(), description, WIDTH, height)


def _title(say: Catalogue, view: PlentyCoupsView) -> str:
    if view.phase is Phase.OVER:
        return say("pictures.camps.title_over")
    key = "pictures.camps.title_winter" if is_winter(view) else "pictures.camps.title"
    return say(key, number=max(1, view.round), last=view.options.last_round)


def _alliances(view: PlentyCoupsView) -> list[tuple[Tribe, Tribe]]:
    """Return each pair of allied camps once."""
    in_play = [camp.tribe for camp in view.camps]
    pairs = [
        (camp.tribe, camp.bond.tribe)
        for camp in view.camps
        if camp.bond is not None and camp.bond.tribe is not None and camp.bond.tribe in in_play
    ]
    return [pair for pair in pairs if in_play.index(pair[0]) < in_play.index(pair[1])]


def _proposals(view: PlentyCoupsView) -> list[tuple[Tribe, Tribe]]:
    """Return who proposes an alliance to whom."""
    in_play = [camp.tribe for camp in view.camps]
    return [
        (camp.tribe, camp.proposal.tribe)
        for camp in view.camps
        if camp.proposal is not None and camp.proposal.tribe is not None and camp.proposal.tribe in in_play
    ]


def _lay_camp(canvas: Canvas, scene: _Scene, camp: CampView, place: _Place) -> None:
    say, called, view = scene
    left, top = place.left, place.top
    lay_panel(canvas, left, top, _CAMP, _CAMP_HEIGHT, marked=camp.tribe == view.turn)
    lay_chief(canvas, camp, (left + 46, top + 42), 0.54, Mood.SORRY if camp.disdained else Mood.CALM)
    name = tribe_name(say, camp.tribe) if camp.owner is None else called.drawn(camp.owner)
    room = _CAMP - 106 - (34 if camp.disdained else 0)
    canvas.text(name, left + 90, top + 36, 27, weight="bold", width=room, smallest=24)
    if camp.tribe == view.turn:
        canvas.lay(_turn_piece(), left + _CAMP - 84, top - 26)
    if camp.disdained:
        canvas.lay_middle(marker_piece("disdain", 34), left + _CAMP - 32, top + 36)
    rows = 2 if camp.horses > _HORSES_IN_ROW else 1
    shown = min(camp.horses, rows * _HORSES_IN_ROW)
    size = 33 if rows == 1 else 27
    for horse in range(shown):
        row, column = divmod(horse, _HORSES_IN_ROW)
        canvas.lay_middle(
            marker_piece("horse", size), left + 31 + column * 29, top + (90 if rows == 1 else 79 + row * 27)
        )
    canvas.text(str(camp.horses), left + _CAMP - 20, top + 91, 29, weight="bold", align="right")
    low = top + _CAMP_HEIGHT - 30
    for marker in range(MOST_PRESTIGE):
        kind = "prestige" if marker < camp.prestige else "prestige_free"
        canvas.lay_middle(marker_piece(kind, 27), left + 30 + marker * 28, low)
    outside = _with_outsider(view, camp)
    if outside is not None:
        how, tribe = outside
        canvas.lay_middle(marker_piece(how.value, 26), left + 143, low)
        canvas.lay_middle(sign_piece(tribe, 22), left + 166, low)
    canvas.lay_middle(marker_piece("card_back", 32), left + _CAMP - 50, low)
    canvas.text(str(camp.hand_size), left + _CAMP - 20, low, 27, align="right")


def _turn_piece() -> Piece:
    """Return the flag over the camp that is in turn."""

    def draw(brush: Brush) -> None:
        brush.shape(path("M8 4 L40 13 L8 24 Z"), GOLD, 4)
        brush.line([(8, 4), (8, 40)], 5)

    return piece("turn flag", (44, 44), draw, background=PAPER)


def _with_outsider(view: PlentyCoupsView, camp: CampView) -> tuple[_Kind, Tribe] | None:
    """Return the colour without a camp to which a tribe is allied, or proposes an alliance."""
    in_play = [each.tribe for each in view.camps]
    for kind, card in ((_Kind.ALLIANCE, camp.bond), (_Kind.PROPOSAL, camp.proposal)):
        if card is not None and card.tribe is not None and card.tribe not in in_play:
            return kind, card.tribe
    return None


def _links(view: PlentyCoupsView) -> list[_Link]:
    """Return all lines that are drawn between camps."""
    return [
        *(_Link(_Kind.ALLIANCE, one, other) for one, other in _alliances(view)),
        *(_Link(_Kind.PROPOSAL, one, other) for one, other in _proposals(view)),
        *(_Link(_Kind.RAID, raid.raider, raid.target, raid.value, raid.prestige_side) for raid in view.raids),
    ]


def _curves(links: Sequence[_Link], at: Mapping[Tribe, _Place]) -> list[_Curve]:
    """Return a curve for each line. At every camp they leave in the order of where they go, so that few cross."""
    ends: dict[tuple[int, Tribe], Point] = {}
    for tribe, place in at.items():
        leaving = sorted(
            (_direction(place, at[link.other if link.one == tribe else link.one]), number)
            for number, link in enumerate(links)
            if tribe in (link.one, link.other)
        )
        x = place.left + _CAMP if place.on_left else place.left
        step = min(_LANE, (_CAMP_HEIGHT - 40) / max(1, len(leaving)))
        for lane, (_, number) in enumerate(leaving):
            ends[number, tribe] = (x, place.top + _CAMP_HEIGHT / 2 + (lane - (len(leaving) - 1) / 2) * step)
    return [_curve(ends[number, link.one], ends[number, link.other]) for number, link in enumerate(links)]


def _direction(place: _Place, other: _Place) -> tuple[int, int]:
    """Return what sorts the lines that leave a camp, from top to bottom: lines on its own side lie in each other."""
    if place.on_left != other.on_left:
        return 1, other.top
    return (0, place.top - other.top) if other.top < place.top else (2, place.top - other.top)


def _curve(start: Point, end: Point) -> _Curve:
    """Return the control points of a curve between two camps, which keeps to the lane in the middle."""
    if (start[0] < WIDTH / 2) != (end[0] < WIDTH / 2):
        bend = (end[0] - start[0]) * 0.5
        return start, (start[0] + bend, start[1]), (end[0] - bend, end[1]), end
    far = 74 if abs(start[1] - end[1]) < 1.5 * _CAMP_HEIGHT else 138
    x = start[0] + (far if start[0] < WIDTH / 2 else -far)
    return start, (x, start[1]), (x, end[1]), end


def _lay_line(canvas: Canvas, curve: _Curve, kind: _Kind) -> None:
    """Draw a curve between two camps: an arrow, a rope or a dashed line. There are few, so each is kept."""
    points = [along(curve, step / 36) for step in range(37)]
    edge = 14
    x = min(px for px, _ in points) - edge
    y = min(py for _, py in points) - edge
    size = (max(px for px, _ in points) - x + edge, max(py for _, py in points) - y + edge)
    local = [(px - x, py - y) for px, py in points]

    def draw(brush: Brush) -> None:
        if kind is _Kind.PROPOSAL:
            for first in range(1, 35, 4):
                brush.line(local[first : first + 3], 9)
                brush.line(local[first : first + 3], 4.4, GOLD)
            (tip_x, tip_y), way = local[-1], 1 if local[-1][0] > local[-4][0] else -1
            open_head = [(tip_x - way * 24, tip_y - 14), (tip_x - way * 4, tip_y), (tip_x - way * 24, tip_y + 14)]
            brush.line(open_head, 10)
            brush.line(open_head, 4.8, GOLD)
            return
        colour = RED if kind is _Kind.RAID else TEAL
        body = local[:-3] if kind is _Kind.RAID else local
        brush.line(body, 11)
        if kind is _Kind.RAID:
            (tip_x, tip_y), way = local[-1], 1 if local[-1][0] > local[-4][0] else -1
            head = path(f"M{tip_x - way * 22} {tip_y - 13} L{tip_x - way} {tip_y} L{tip_x - way * 22} {tip_y + 13} Z")
            brush.shape(head, colour, 4)
        brush.line(body, 5.6, colour)

    key = ("line", tuple((round(px), round(py)) for px, py in curve), kind)
    canvas.lay(piece(key, size, draw, background=PAPER), x, y)


def _link_piece(link: _Link) -> Piece:
    """Return the sign on a line: rings for allies, and a number for raiders."""
    match link.kind:
        case _Kind.RAID:
            return _value_piece(link.value, prestige_side=link.prestige_side)
        case _Kind.PROPOSAL:
            return _proposal_piece()
        case _:
            return marker_piece(link.kind.value, 42, PAPER)


def _proposal_piece() -> Piece:
    def draw(brush: Brush) -> None:
        brush.shape(oval(27, 27, 24), WHITE, 4)
        inner = Brush(signs.SIZE, signs.SIZE, brush.scale / 4 * 0.42)
        signs.draw_proposal(inner)
        brush.image(inner.finished(), 6, 6)

    return piece("proposal sign", (54, 54), draw, background=PAPER)


def _value_piece(value: int, *, prestige_side: bool) -> Piece:
    """Draw an attack value; white on dark if the marker shows prestige, so that no coup can follow."""

    def draw(brush: Brush) -> None:
        brush.shape(oval(22, 22, 18), INK if prestige_side else WHITE, 3.4)
        letter(brush, str(value), (22, 22), 21, WHITE if prestige_side else INK)

    return piece(("raid value", value, prestige_side), (44, 44), draw, background=PAPER)


def _lay_offer(canvas: Canvas, say: Catalogue, view: PlentyCoupsView, top: int) -> None:
    height = _OFFER - 12
    lay_panel(canvas, MARGIN, top, WIDTH - 2 * MARGIN, height)
    label = say("pictures.camps.offer") if view.offer else say("pictures.camps.no_offer")
    x = MARGIN + 18
    x += 12 + canvas.text(label, x, top + height / 2, 21, colour=MUTED, width=90 if view.offer else 260, smallest=16)
    for each in view.offer:
        canvas.lay(card_piece(each, 92), x, top + (height - 92) / 2)
        x += 76
    right = WIDTH - MARGIN - 22
    for y, kind, count in ((top + 42, "horse", view.plain), (top + 90, "card_back", view.pile)):
        label = say("pictures.camps.plain") if kind == "horse" else say("pictures.camps.pile")
        taken = canvas.text(label, right, y, 21, colour=MUTED, align="right", width=124, smallest=15)
        taken += 10 + canvas.text(str(count), right - taken - 10, y, 28, weight="bold", align="right")
        canvas.lay_middle(marker_piece(kind, 36), right - taken - 28, y)


def _sentences(say: Catalogue, names: Sequence[str], view: PlentyCoupsView) -> list[str]:
    """Say all that the picture shows."""
    lines = [f"{_title(say, view)}."]
    lines += [_spoken_camp(say, names, view, camp) for camp in view.camps]
    lines += _spoken_raids(say, names, view)
    return [*_begun(say, lines), *_spoken_middle(say, view)]


def _terse_sentences(say: Catalogue, names: Sequence[str], view: PlentyCoupsView) -> list[str]:
    """Say the same in fewer words: what the numbers of a camp are is said once, and the raids are a list."""
    lines = [f"{_title(say, view)}.", say("pictures.camps.alt.short.legend", most=MOST_PRESTIGE)]
    lines += [_spoken_camp(say, names, view, camp, short=True) for camp in view.camps]
    raids = _spoken_raids(say, names, view, short=True)
    if raids:
        lines.append(say("pictures.camps.alt.short.raids", raids=say.listing(raids)))
    return [*_begun(say, lines), *_spoken_middle(say, view)]


def _begun(say: Catalogue, lines: Sequence[str]) -> list[str]:
    return [beginning(line, say("pictures.camps.nobody")) for line in lines]


def _spoken_raids(say: Catalogue, names: Sequence[str], view: PlentyCoupsView, *, short: bool = False) -> list[str]:
    words = "pictures.camps.alt.short" if short else "pictures.camps.alt"
    return [
        say(
            f"{words}.raid_no_coup" if raid.prestige_side else f"{words}.raid",
            name=_name(say, names, camp_of(view, raid.raider)),
            other=_name(say, names, camp_of(view, raid.target)),
            value=raid.value,
        )
        for raid in view.raids
    ]


def _spoken_middle(say: Catalogue, view: PlentyCoupsView) -> list[str]:
    """Say what lies in the middle: the offer, the plain and the pile."""
    offer = say.listing([card_words(say, each) for each in view.offer])
    offered = say("pictures.camps.alt.offer", cards=offer) if view.offer else say("pictures.camps.alt.no_offer")
    return [offered, say("pictures.camps.alt.rest", count=view.plain, pile=view.pile)]


def _name(say: Catalogue, names: Sequence[str], camp: CampView) -> str:
    return say("pictures.camps.nobody") if camp.owner is None else names[camp.owner]


def _spoken_camp(
    say: Catalogue, names: Sequence[str], view: PlentyCoupsView, camp: CampView, *, short: bool = False
) -> str:
    words = "pictures.camps.alt.short" if short else "pictures.camps.alt"
    notes = say(f"{words}.turn") if camp.tribe == view.turn else ""
    in_play = {each.tribe: each for each in view.camps}
    if camp.bond is not None and camp.bond.tribe is not None:
        ally = in_play.get(camp.bond.tribe)
        notes += (
            say(f"{words}.allied_neutral", colour=colour_words(say, camp.bond.tribe))
            if ally is None
            else say(f"{words}.allied", name=_name(say, names, ally))
        )
    if camp.proposal is not None and camp.proposal.tribe is not None:
        target = in_play.get(camp.proposal.tribe)
        name = colour_words(say, camp.proposal.tribe) if target is None else _name(say, names, target)
        notes += say(f"{words}.proposes", name=name)
    if camp.disdained:
        notes += say(f"{words}.disdained")
    return say(
        f"{words}.camp",
        name=_name(say, names, camp),
        colour=colour_words(say, camp.tribe),
        horses=camp.horses if short else say("pictures.camps.alt.horses", count=camp.horses),
        prestige=camp.prestige,
        most=MOST_PRESTIGE,
        cards=camp.hand_size if short else say("pictures.camps.alt.cards", count=camp.hand_size),
        notes=notes,
    )
