"""The pages of the rules of Plenty Coups."""

from __future__ import annotations

from typing import Final

from bot.screens.game import RulesPages

RULES_PAGES: Final = RulesPages(
    topics=(
        "plenty",
        "plenty_turn",
        "plenty_raids",
        "plenty_coups",
        "plenty_gifts",
        "plenty_alliances",
        "plenty_disdain",
        "plenty_winter",
        "plenty_scoring",
        "plenty_few",
        "plenty_actions",
        "plenty_online",
    ),
    topic_for=lambda _: "plenty",
)
