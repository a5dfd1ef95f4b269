"""The points at the end, drawn: prestige, herd and ally of each tribe as a sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bot.engine.core import Outcome
from bot.games.plenty_coups.pictures.pieces import lay_chief, marker_piece, sign_piece
from bot.games.plenty_coups.rules.view import CampView, NotAdded, PlentyCoupsView, Score
from bot.games.plenty_coups.ui.views import camp_of, is_winter
from bot.games.plenty_coups.ui.words import colour as colour_words
from bot.games.plenty_coups.ui.words import tribe_name
from bot.pictures.animals import Mood, head_piece
from bot.pictures.canvas import Canvas
from bot.pictures.fonts import width_of
from bot.pictures.palette import HONEY, INK, MUTED
from bot.pictures.picture import Names, Picture
from bot.pictures.podium import Winner, lay_winners, place_piece
from bot.pictures.scenery import HEADER, MARGIN, WIDTH, begin, lay_panel
from bot.pictures.words import beginning
from bot.text.catalogue import Catalogue

_ROW: Final = 92
"""The height of a tribe's row, in pixels."""
_INNER: Final = WIDTH - 2 * MARGIN
_NOTE_WIDTH: Final = _INNER - 170
"""How wide the notes below a name may be in pixels."""
_TOO_LOW: Final = (NotAdded.LOW_PRESTIGE, NotAdded.ALLY_LOW_PRESTIGE, NotAdded.BOTH_LOW_PRESTIGE)


class _Scene(NamedTuple):
    """What is drawn, and in whose words."""

    say: Catalogue
    called: Names
    view: PlentyCoupsView


def draw_scoring(say: Catalogue, names: Sequence[str], view: PlentyCoupsView, outcome: Outcome) -> Picture:
    """Draw the points of a finished match, the best first."""
    called = Names(say, names)
    camps = sorted(
        view.camps, key=lambda camp: (_score(camp).place is None, _score(camp).place or 0, -_score(camp).own)
    )
    panel = len(camps) * _ROW + 16
    height = HEADER + 164 + panel + 20

    def title(most: int) -> str:
        winners = [called.drawn(seat, most) for seat in outcome.winners]
        if len(winners) == 1:
            return say("pictures.scoring.title", name=winners[0])
        return say("pictures.scoring.title_together", names=say.listing(winners))

    canvas = begin(title, height, winter=is_winter(view))
    lay_winners(
        canvas,
        HEADER,
        [
            Winner(head_piece(seat, Mood.GLAD, 1.2, HONEY), sign_piece(camp.tribe, 54, HONEY))
            for seat in outcome.winners
            for camp in view.camps
            if camp.owner == seat
        ],
        [called.drawn(seat) for seat in outcome.winners],
        say("pictures.scoring.after", count=view.round),
    )
    top = HEADER + 164
    lay_panel(canvas, MARGIN, top, _INNER, panel)
    for place, camp in enumerate(camps):
        _lay_row(canvas, _Scene(say, called, view), camp, top + 8 + place * _ROW)
    description = called.described(lambda spoken: " ".join(_sentences(say, spoken, view, outcome, camps)))
    return Picture("scoring.png", canvas.png(), description, WIDTH, height)


def _score(camp: CampView) -> Score:
    if camp.score is None:
        raise ValueError("the match is not over")
    return camp.score


def _lay_row(canvas: Canvas, scene: _Scene, camp: CampView, top: int) -> None:
    say, called, view = scene
    score, middle = _score(camp), top + _ROW // 2
    if score.place is not None:
        canvas.lay_middle(place_piece(score.place), MARGIN + 36, middle)
    lay_chief(canvas, camp, (MARGIN + 98, middle), 0.62, Mood.GLAD if score.place == 1 else Mood.CALM)
    name = tribe_name(say, camp.tribe) if camp.owner is None else called.drawn(camp.owner)
    notes = _in_lines(list(_notes(say, view, camp, score)))
    y = middle - (0, 15, 24)[len(notes)]
    canvas.text(name, MARGIN + 150, y, 28, weight="bold", width=166, smallest=24)
    for place, note in enumerate(notes):
        below = middle + (20 if len(notes) == 1 else 6 + 25 * place)
        canvas.text(note, MARGIN + 150, below, 22, colour=MUTED, width=_NOTE_WIDTH, smallest=18)
    parts: list[tuple[str, int]] = [("prestige", score.outside), ("horse", score.herd)]
    if score.not_added is None and score.ally is not None:
        parts.append(("alliance", _score(camp_of(view, score.ally)).own))
    for place, (kind, points) in enumerate(parts):
        x = MARGIN + 326 + place * 82
        if place:
            canvas.text("+", x - 12, y, 24, colour=MUTED, align="middle")
        canvas.lay_middle(marker_piece(kind, 36), x + 18, y)
        canvas.text(str(points), x + 40, y, 28)
    canvas.text("=", WIDTH - MARGIN - 94, y, 28, colour=MUTED, align="middle")
    canvas.text(str(score.total), WIDTH - MARGIN - 24, y, 46, weight="bold", colour=INK, align="right")


def _in_lines(notes: Sequence[str]) -> list[str]:
    """Write all notes in one line, or in two if they need it."""
    one = " · ".join(notes)
    if len(notes) < 2 or width_of(one, 18) <= _NOTE_WIDTH:
        return [one] if notes else []
    return [" · ".join(notes[: len(notes) - 1]), notes[-1]]


def _notes(say: Catalogue, view: PlentyCoupsView, camp: CampView, score: Score) -> Iterator[str]:
    if camp.owner is None:
        yield say("pictures.scoring.unranked")
    elif camp.owner in view.left:
        yield say("pictures.scoring.left")
    if score.before_penalty > score.outside:
        yield say("pictures.scoring.penalty")
    if score.not_added in _TOO_LOW:
        yield say("pictures.scoring.ally_too_low")


def _sentences(
    say: Catalogue, names: Sequence[str], view: PlentyCoupsView, outcome: Outcome, camps: Sequence[CampView]
) -> list[str]:
    """Say all that the picture shows."""
    won = say.listing([names[seat] for seat in outcome.winners])
    rounds = say("pictures.final.alt.rounds", count=view.round)
    lines = [say("pictures.scoring.alt.title", names=won, rounds=rounds)]
    for camp in camps:
        score = _score(camp)
        own = say("pictures.scoring.alt.own", prestige=score.outside, herd=score.herd, points=score.own)
        notes = say("pictures.scoring.alt.penalty") if score.before_penalty > score.outside else ""
        if score.not_added is None and score.ally is not None:
            theirs = _score(camp_of(view, score.ally)).own
            notes += say("pictures.scoring.alt.added", points=theirs, total=score.total)
        elif score.not_added in _TOO_LOW:
            notes += say("pictures.scoring.alt.ally_too_low")
        if camp.owner is not None and camp.owner in view.left:
            notes += say("pictures.scoring.alt.left")
        slots = {"colour": colour_words(say, camp.tribe), "own": own, "notes": notes}
        name = say("pictures.camps.nobody") if camp.owner is None else names[camp.owner]
        if score.place is None:
            line = say("pictures.scoring.alt.line_unranked", name=name, **slots)
            lines.append(beginning(line, say("pictures.camps.nobody")))
        else:
            lines.append(
                say("pictures.scoring.alt.line", ordinal=say.ordinal(score.place, "place"), name=name, **slots)
            )
    return lines
