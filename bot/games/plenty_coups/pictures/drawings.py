"""Plenty Coups' pictures as the rest of the bot calls them: each unwraps a shared view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.core import Outcome
from bot.engine.views import Public
from bot.games.plenty_coups.pictures.camps import draw_camps
from bot.games.plenty_coups.pictures.emojis import EMOJIS
from bot.games.plenty_coups.pictures.scoring import draw_scoring
from bot.games.plenty_coups.rules.view import PlentyCoupsView
from bot.pictures.game import GameDrawings
from bot.pictures.picture import Picture, Sketch
from bot.text.catalogue import Catalogue


def _reveal(seen: Public[PlentyCoupsView], *, beat: int) -> Sketch:
    """Sketch the camps after a round: hands stay hidden, so there is nothing to show in beats."""
    return Sketch(seen.view, lambda say, names: draw_camps(say, names, seen.view))


def _final(
    say: Catalogue, names: Sequence[str], seen: Public[PlentyCoupsView], outcome: Outcome, _events: Sequence[object]
) -> Picture:
    return draw_scoring(say, names, seen.view, outcome)


DRAWINGS: Final = GameDrawings[PlentyCoupsView](reveal=_reveal, final=_final, emojis=EMOJIS)
