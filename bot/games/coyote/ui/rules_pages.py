"""The pages of Coyote's rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.games.coyote.rules.editions import rules_from
from bot.screens.game import RulesPages

_BASICS: Final = "basics"


def _body(topic: str, options: Mapping[str, Any]) -> str:
    """Return the key of a page; the first one is told with peek cards where these are played with."""
    form = "body_peek" if topic == _BASICS and rules_from(options).has_eyes else "body"
    return f"rules.topic.{topic}.{form}"


RULES_PAGES: Final = RulesPages(
    topics=(_BASICS, "specials", "feathers", "scout", "tomahawk", "peek", "actions", "online"),
    topic_for=lambda options: rules_from(options).edition,
    body_for=_body,
)
"""Each edition's page has the edition's name."""
