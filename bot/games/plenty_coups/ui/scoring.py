"""The points at the end, line by line: prestige, herds, losses, allies and ties."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from bot.engine.views import Public
from bot.games.plenty_coups.rules.view import CampView, NotAdded, PlentyCoupsView, Score
from bot.games.plenty_coups.ui.views import camp_of, living_seats
from bot.games.plenty_coups.ui.words import heading, player
from bot.host.model import Table
from bot.text.catalogue import Catalogue


class _Side(NamedTuple):
    """Those who are ranked as one: a tribe, or two allies whose points are added."""

    total: int
    prestige: int
    horses: int
    place: int
    camps: tuple[CampView, ...]


def scoring_lines(say: Catalogue, table: Table, seen: Public[PlentyCoupsView]) -> list[str]:
    """Explain the points of a finished match, the best first."""
    view = seen.view
    if len(living_seats(view)) == 1:
        return [say("plenty.score.all_left")]
    sides = _sides(view)
    ranked = [camp for side in sides for camp in side.camps]
    others = [camp for camp in view.camps if camp not in ranked]
    lines = [line for camp in (*ranked, *others) for line in _camp(say, table, view, camp)]
    return [say("plenty.score.title"), *lines, *_ties(say, table, sides)]


def _score(camp: CampView) -> Score:
    if camp.score is None:
        raise ValueError("the match is not over")
    return camp.score


def _partner(view: PlentyCoupsView, camp: CampView) -> CampView | None:
    """Return the ally whose points are added."""
    score = _score(camp)
    return None if score.not_added is not None or score.ally is None else camp_of(view, score.ally)


def _sides(view: PlentyCoupsView) -> list[_Side]:
    """Return those who are ranked, the best first."""
    stayed = [camp for camp in view.camps if camp.owner is not None and camp.owner not in view.left]
    sides: list[_Side] = []
    for camp in stayed:
        partner = _partner(view, camp)
        if partner is not None and any(partner in side.camps for side in sides):
            continue
        pair = (camp,) if partner is None else (camp, partner)
        sides.append(
            _Side(
                _score(camp).total,
                sum(_score(each).outside for each in pair),
                sum(each.horses for each in pair),
                _score(camp).place or 0,
                tuple(each for each in pair if each in stayed),
            )
        )
    return sorted(sides, key=lambda side: side.place)


def _camp(say: Catalogue, table: Table, view: PlentyCoupsView, camp: CampView) -> Iterator[str]:
    score = _score(camp)
    yield say(
        "plenty.score.line",
        heading=heading(say, table, camp.tribe),
        prestige=score.outside,
        herd=score.herd,
        horses=say("plenty.score.horses", count=camp.horses),
        own=score.own,
    )
    for note in _notes(say, table, view, camp, score):
        yield f"-# {note}"


def _notes(say: Catalogue, table: Table, view: PlentyCoupsView, camp: CampView, score: Score) -> Iterator[str]:
    if score.before_penalty > score.outside:
        yield say("plenty.score.penalty", before=score.before_penalty, after=score.outside)
    if score.ally is not None and score.not_added not in (NotAdded.NO_ALLY, NotAdded.NEUTRAL_ALLY):
        ally = player(say, table, score.ally)
        if score.not_added is None:
            theirs = _score(camp_of(view, score.ally)).own
            yield say("plenty.score.added", ally=ally, own=score.own, theirs=theirs, total=score.total)
        else:
            yield say("plenty.score.not_added", ally=ally)
    if camp.owner is None:
        yield say("plenty.score.unranked")
    elif camp.owner in view.left:
        yield say("plenty.score.left")


def _ties(say: Catalogue, table: Table, sides: list[_Side]) -> Iterator[str]:
    """Say what decided between those who have equal points, and who shares a place."""
    level = [list(each) for _, each in groupby(sides, key=lambda side: side.place)]
    for ahead, behind in pairwise(level):
        one, other = ahead[0], behind[0]
        slots = {"a": _named(say, table, ahead), "b": _named(say, table, behind)}
        if one.total == other.total and one.prestige != other.prestige:
            yield say("plenty.score.tie_prestige", more=one.prestige, less=other.prestige, **slots)
        elif one.total == other.total:
            yield say("plenty.score.tie_horses", more=one.horses, less=other.horses, **slots)
    for equal in level:
        if len(equal) > 1:
            yield say("plenty.score.tie", names=_named(say, table, equal))


def _named(say: Catalogue, table: Table, sides: list[_Side]) -> str:
    return say.listing([player(say, table, camp.tribe) for side in sides for camp in side.camps])
