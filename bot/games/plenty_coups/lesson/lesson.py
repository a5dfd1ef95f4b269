"""The lesson in Plenty Coups, as the rest of the bot asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bot.ai_players.characters import BEGINNER
from bot.engine.views import Private, Public
from bot.games.plenty_coups.lesson.steps import STEPS
from bot.games.plenty_coups.rules.events import OfferOpened
from bot.games.plenty_coups.rules.view import PlentyCoupsView
from bot.games.plenty_coups.ui.hand import in_play_items
from bot.games.plenty_coups.ui.narration import event_line
from bot.games.plenty_coups.ui.views import PrivateView
from bot.host.model import Ai, Table
from bot.screens.layout import EMBER, Item, box, rule, text
from bot.screens.lessons import GameLesson
from bot.text.catalogue import Catalogue


def _scene(
    say: Catalogue,
    table: Table,
    seen: Private[PlentyCoupsView],
    _public: Public[PlentyCoupsView],
    events: Sequence[Any],
) -> list[Item | None]:
    """Draw what has just happened, and the learner's hand with all they can do."""
    lines = [
        line
        for line in (event_line(say, table, event) for event in events if not isinstance(event, OfferOpened))
        if line
    ]
    return [box(EMBER, text(*lines), rule(), *in_play_items(say, table, PrivateView(seen.view)))]


LESSON: Final = GameLesson[PlentyCoupsView](
    steps=STEPS,
    ais=(Ai("Juniper", "cautious", BEGINNER), Ai("Magpie", "bluffer", BEGINNER)),
    scene=_scene,
)
