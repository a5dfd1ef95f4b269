"""The lesson in Coyote, as the rest of the bot asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bot.ai_players.characters import BEGINNER
from bot.engine.views import Private, Public
from bot.games.coyote.lesson.steps import STEPS
from bot.games.coyote.rules.view import CoyoteView, Phase
from bot.games.coyote.ui.look import in_play_items
from bot.games.coyote.ui.reveal import reveal_lines
from bot.games.coyote.ui.views import PrivateView, PublicView
from bot.host.model import Ai, Table
from bot.screens.layout import EMBER, Item, box, rule, text
from bot.screens.lessons import GameLesson
from bot.text.catalogue import Catalogue


def _scene(
    say: Catalogue, table: Table, seen: Private[CoyoteView], public: Public[CoyoteView], _events: Sequence[Any]
) -> list[Item | None]:
    """Draw what the learner sees, as a look does; after a call, the reveal."""
    if seen.view.phase is Phase.BIDDING:
        return [box(EMBER, *in_play_items(say, table, PrivateView(seen.view)))]
    lines = reveal_lines(say, table, PublicView(public.view))
    return [box(EMBER, text(lines.title), text(*lines.feathers), rule(), text(*lines.consequences))]


LESSON: Final = GameLesson[CoyoteView](
    steps=STEPS,
    ais=(Ai("Juniper", "cautious", BEGINNER), Ai("Magpie", "bluffer", BEGINNER)),
    scene=_scene,
)
