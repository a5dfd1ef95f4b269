"""The look, drawn: everybody around the table as one viewer sees them and, at the moment of asking, the bid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.engine.core import Seat
from bot.games.coyote.pictures.feathers import Seen
from bot.games.coyote.pictures.figures import (
    FIGURE_HEIGHT,
    bubble_piece,
    feather_piece,
    lay_figure,
    lay_purse,
    prepare_feathers,
    worn_by,
)
from bot.games.coyote.pictures.words import spoken_card, spoken_cards, spoken_number, spoken_purse
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import Rules
from bot.games.coyote.rules.view import CoyoteView, SeatView
from bot.pictures.animals import Mood
from bot.pictures.canvas import Canvas
from bot.pictures.fonts import width_of
from bot.pictures.palette import HONEY, MUTED, PANEL
from bot.pictures.picture import Names, Picture, with_short_names
from bot.pictures.scenery import HEADER, MARGIN, WIDTH, begin, lay_panel, lay_pill
from bot.pictures.words import number
from bot.text.catalogue import Catalogue

_GAP: Final = 14
"""The space between two seats, in pixels."""
_SMALLEST_NAME: Final = 24
"""The smallest size of a name, in pixels: a phone shows pictures at a third of their width."""
_CENTRE: Final = 0.72
"""How large the feather in the centre is drawn."""
_BID: Final = 74
"""The height of the strip with the bid."""


class _Grid(NamedTuple):
    """How the players are laid out."""

    rows: tuple[int, ...]
    """How many sit in each row."""
    cell: int
    """The width of a cell."""
    scale: float
    name: int
    """The size of names."""
    coin: int

    @property
    def cell_height(self) -> int:
        """The height of a cell."""
        return round(20 + FIGURE_HEIGHT * self.scale + 1.5 * self.name + 1.35 * self.coin)


class LookScene(NamedTuple):
    """All that the picture of a look shows. It is drawn from this alone, so equal scenes make the same picture."""

    rules: Rules
    number: int
    viewer: Seat | None
    living: tuple[SeatView, ...]
    centre: Card | None
    coyote_used: bool
    coyote_card: Card | None
    bid: int | None = None
    bidder: Seat | None = None
    caller: Seat | None = None
    shows_bid: bool = False


def look_scene(view: CoyoteView, *, lasting: bool = False) -> LookScene:
    """Return what a look shows; a `lasting` one leaves out the bid, and so stays true while people bid."""
    scene = LookScene(
        rules=view.rules,
        number=view.number,
        viewer=view.viewer,
        living=tuple(seat for seat in view.seats if seat.living),
        centre=view.centre,
        coyote_used=view.coyote_used,
        coyote_card=view.coyote_card,
    )
    if lasting:
        return scene
    return scene._replace(bid=view.bid, bidder=view.bidder, caller=view.caller, shows_bid=True)


class _Sheet(NamedTuple):
    """What is drawn, in whose words, and how it is laid out."""

    say: Catalogue
    called: Names
    scene: LookScene
    grid: _Grid


def _grid(players: int) -> _Grid:
    across = players if players <= 4 else 3 if players <= 6 else 4
    rows = -(-players // across)
    even = tuple(players // rows + (row < players % rows) for row in range(rows))
    if players <= 2:
        return _Grid(even, 300, 1.25, 32, 36)
    cell = min(212, (WIDTH - 2 * MARGIN - (even[0] - 1) * _GAP) // even[0])
    if cell > 180 and rows < 3:
        return _Grid(even, cell, 1.0, 30, 30)
    return _Grid(even, cell, 0.82, 26, 26) if rows < 3 else _Grid(even, cell, 0.7, 25, 23)


def prepare_look(scene: LookScene) -> None:
    """Draw every feather of the deck for the first time in each size that the look has.

    Looks are drawn one after the other. If a look drew only the feathers that are in it, the time that the next person
    waits for theirs could depend on their own feather.
    """
    cards, scale = [card for card, _ in scene.rules.deck], _grid(len(scene.living)).scale
    all_worn = [worn_by(scene.rules, seat) for seat in scene.living]
    for wears in {(len(each.worn), bool(each.opened), bool(each.covered)): each for each in all_worn}.values():
        prepare_feathers(cards, wears, scale)
    if scene.rules.has_centre:
        for card in cards:
            feather_piece(card, _CENTRE)


def draw_look(say: Catalogue, names: Sequence[str], scene: LookScene) -> Picture:
    """Draw what the viewer sees; the scene comes from their view."""
    called = Names(say, names)
    grid = _grid(len(scene.living))
    sheet = _Sheet(say, called, scene, grid)
    centre = 120 if scene.rules.has_centre else 0
    height = HEADER + len(grid.rows) * (grid.cell_height + _GAP) + centre + (_BID if scene.shows_bid else 0) + 8
    title = "pictures.look.title_open" if scene.viewer is None else "pictures.look.title"
    canvas = begin(say(title, number=scene.number), height)
    seats = iter(scene.living)
    top = HEADER
    for across in grid.rows:
        left = (WIDTH - across * grid.cell - (across - 1) * _GAP) // 2
        for place in range(across):
            _lay_seat(canvas, sheet, next(seats), left + place * (grid.cell + _GAP), top)
        top += grid.cell_height + _GAP
    if scene.rules.has_centre:
        _lay_centre(canvas, say, scene, top)
        top += centre
    if scene.shows_bid:
        _lay_bid(canvas, say, called, scene, top)
    description = called.described(lambda spoken: " ".join(_sentences(say, spoken, scene)))
    return Picture("look.png", canvas.png(), description, WIDTH, height)


def _lay_seat(canvas: Canvas, sheet: _Sheet, seat: SeatView, left: int, top: int) -> None:
    say, called, scene, grid = sheet
    own = seat.seat == scene.viewer
    lay_panel(canvas, left, top, grid.cell, grid.cell_height, marked=own)
    middle = left + grid.cell / 2
    mood = Mood.GLAD if seat.withdrawn else Mood.CURIOUS if seat.worn is None else Mood.CALM
    lay_figure(canvas, seat.seat, worn_by(scene.rules, seat), (middle, top + 13), scale=grid.scale, mood=mood)
    name = say("pictures.look.you") if own else called.drawn(seat.seat)
    below = top + 15 + FIGURE_HEIGHT * grid.scale
    width = grid.cell - 24
    canvas.text(
        name,
        middle,
        below + grid.name * 0.72,
        grid.name,
        weight="bold" if own else "text",
        align="middle",
        width=width,
        smallest=max(_SMALLEST_NAME, grid.name - 5),
    )
    purse = below + 1.45 * grid.name + grid.coin / 2
    lay_purse(canvas, scene.rules, seat, (middle, purse), size=grid.coin)
    if seat.withdrawn:
        lay_pill(canvas, say("pictures.look.safe"), left + 10, top + 10)
    if seat.seat == scene.bidder and scene.bid is not None:
        bubble = bubble_piece(number(scene.bid), 60 * grid.scale)
        canvas.lay(bubble, left + grid.cell - bubble.width + 7, top - 7)


def _lay_centre(canvas: Canvas, say: Catalogue, scene: LookScene, top: int) -> None:
    """Draw the card in the centre, and the one that was drawn with the Coyote card."""
    cards: list[tuple[str, Seen]] = [(say("pictures.look.centre"), scene.centre)]
    if scene.coyote_used:
        cards.append((say("pictures.look.beside"), scene.coyote_card))
    width = 256
    left = (WIDTH - len(cards) * width - (len(cards) - 1) * _GAP) // 2
    for label, seen in cards:
        lay_panel(canvas, left, top, width, 104)
        canvas.lay_middle(feather_piece(seen, _CENTRE), left + 52, top + 53)
        canvas.text(label, left + 100, top + 52, 26, width=width - 112, smallest=17)
        left += width + _GAP


def _lay_bid(canvas: Canvas, say: Catalogue, called: Names, scene: LookScene, top: int) -> None:
    width = WIDTH - 2 * MARGIN
    lay_panel(canvas, MARGIN, top, width, _BID - 12, colour=PANEL if scene.bid is None else HONEY)
    middle = top + (_BID - 12) // 2
    if scene.bid is None or scene.bidder is None:
        canvas.text(say("pictures.look.no_bid"), WIDTH / 2, middle, 29, colour=MUTED, align="middle")
        return
    bidder, caller = scene.bidder, scene.caller
    x = MARGIN + 22
    if caller is not None:
        bubble = bubble_piece(number(scene.bid), 56, HONEY)
        room = width - 62 - bubble.width
        label = with_short_names(
            lambda most: say(
                "pictures.look.called",
                caller=called.drawn(caller, most),
                name=called.drawn(bidder, most),
            ),
            lambda line: width_of(line, 22) <= room,
        )
        x += 14 + canvas.text(label, x, middle, 29, background=HONEY, width=room, smallest=22)
        canvas.lay(bubble, x, middle - 24)
        return
    x += canvas.text(say("pictures.look.bid"), x, middle, 29, background=HONEY, width=250, smallest=20)
    x += 18 + canvas.text(number(scene.bid), x + 18, middle, 44, weight="bold", background=HONEY)
    by = (
        say("pictures.look.by_you")
        if scene.bidder == scene.viewer
        else say("pictures.look.by", name=called.drawn(bidder))
    )
    canvas.text(by, x + 18, middle, 29, background=HONEY, width=WIDTH - MARGIN - 36 - x, smallest=20)


def _sentences(say: Catalogue, names: Sequence[str], scene: LookScene) -> list[str]:
    """Say all that the picture shows."""
    title = "pictures.look.alt.title_open" if scene.viewer is None else "pictures.look.alt.title"
    lines = [say(title, number=scene.number)]
    lines += [_spoken_seat(say, names, scene, seat) for seat in scene.living]
    if scene.rules.has_centre:
        lines.append(
            say("pictures.look.alt.centre_hidden")
            if scene.centre is None
            else say("pictures.look.alt.centre", card=spoken_card(say, scene.centre))
        )
    if scene.coyote_used:
        lines.append(
            say("pictures.look.alt.beside_hidden")
            if scene.coyote_card is None
            else say("pictures.look.alt.beside", card=spoken_card(say, scene.coyote_card))
        )
    if not scene.shows_bid:
        return lines
    if scene.bid is None or scene.bidder is None:
        return [*lines, say("pictures.look.alt.no_bid")]
    slots = {"bid": spoken_number(say, scene.bid), "name": names[scene.bidder]}
    if scene.caller is not None:
        return [*lines, say("pictures.look.alt.called", caller=names[scene.caller], **slots)]
    if scene.bidder == scene.viewer:
        return [*lines, say("pictures.look.alt.bid_you", bid=slots["bid"])]
    return [*lines, say("pictures.look.alt.bid", **slots)]


def _spoken_seat(say: Catalogue, names: Sequence[str], scene: LookScene, seat: SeatView) -> str:
    wears = worn_by(scene.rules, seat)
    notes = ""
    if seat.opened:
        notes += say("pictures.look.alt.open", cards=spoken_cards(say, seat.opened))
    seen = [card for card in wears.covered if card is not None]
    if seen:
        notes += say("pictures.look.alt.covered", cards=spoken_cards(say, seen))
    elif wears.covered:
        notes += say("pictures.look.alt.covered_hidden", count=len(wears.covered))
    if seat.withdrawn:
        notes += say("pictures.look.alt.safe")
    own = seat.seat == scene.viewer
    slots = {"name": names[seat.seat], "notes": notes, "purse": spoken_purse(say, scene.rules, seat)}
    if seat.worn is None:
        key = "pictures.look.alt.you_hidden" if own else "pictures.look.alt.hidden"
        return say(key, count=len(wears.worn), **slots)
    cards = spoken_cards(say, seat.worn)
    return say("pictures.look.alt.you_see" if own else "pictures.look.alt.wears", cards=cards, **slots)
