"""The pages of Coyote's rules."""

from __future__ import annotations

from typing import Final

from bot.games.coyote.rules.editions import rules_from
from bot.screens.game import RulesPages

RULES_PAGES: Final = RulesPages(
    topics=("basics", "specials", "feathers", "scout", "tomahawk", "peek", "actions", "online"),
    topic_for=lambda options: rules_from(options).edition,
)
"""Each edition's page has the edition's name."""
