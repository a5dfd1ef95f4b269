"""Coyote's pictures as the rest of the bot calls them: each unwraps a shared view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.core import Outcome
from bot.engine.views import Open, Private, Public
from bot.games.coyote.pictures.emojis import EMOJIS
from bot.games.coyote.pictures.final import draw_final
from bot.games.coyote.pictures.look import draw_look, look_scene, prepare_look
from bot.games.coyote.pictures.reveal import Beat, draw_reveal
from bot.games.coyote.rules.view import CoyoteView, Phase
from bot.pictures.game import GameDrawings
from bot.pictures.picture import Picture, Sketch
from bot.text.catalogue import Catalogue

_DEALT: Final = (Phase.BIDDING, Phase.BETS, Phase.CALLED)


def _look(seen: Private[CoyoteView] | Open[CoyoteView], *, lasting: bool) -> Sketch | None:
    if seen.view.phase not in _DEALT:
        return None
    scene = look_scene(seen.view, lasting=lasting or seen.view.bid is None)

    def draw(say: Catalogue, names: Sequence[str]) -> Picture:
        prepare_look(scene)
        return draw_look(say, names, scene)

    return Sketch(scene, draw)


def _reveal(seen: Public[CoyoteView], *, beat: int) -> Sketch:
    view = seen.view
    purses = tuple([(seat.tokens, seat.eyes) for seat in view.seats])
    return Sketch((beat, view.rules, view.last, purses), lambda say, names: draw_reveal(say, names, view, beat))


def _final(
    say: Catalogue, names: Sequence[str], seen: Public[CoyoteView], outcome: Outcome, events: Sequence[object]
) -> Picture:
    return draw_final(say, names, seen.view, outcome, events)


DRAWINGS: Final = GameDrawings[CoyoteView](look=_look, reveal=_reveal, beats=len(Beat), final=_final, emojis=EMOJIS)
