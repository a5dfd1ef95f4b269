"""The pages of the rules: they fit Discord, and their titles and numbers are right."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.games.plenty_coups.rules.cards import DECK, Kind
from bot.games.plenty_coups.ui.rules_pages import RULES_PAGES
from bot.screens.rules_pages import all_pages, first_topic, rules_screen
from bot.text.catalogue import languages
from tests.games.plenty_coups.ui.tables import SAY
from tests.golden import matches_golden
from tests.screens.limits import check_limits
from tests.screens.rendering import rendered
from tests.text.speaking import PSEUDO, speaking


@pytest.mark.parametrize("language", languages())
def test_golden_rules(language: str) -> None:
    with speaking(language):
        shown = [f"=== {topic}\n{rendered(rules_screen(SAY, topic))}\n" for topic in RULES_PAGES.topics]
    matches_golden("plenty_coups_rules.txt", "\n".join(shown), language)


@pytest.mark.parametrize("language", [*languages(), PSEUDO])
@pytest.mark.parametrize("topic", RULES_PAGES.topics)
def test_every_page_fits(topic: str, language: str) -> None:
    with speaking(language):
        check_limits(rules_screen(SAY, topic))


def test_the_titles_of_all_games_differ() -> None:
    titles = [SAY(f"rules.topic.{topic}.title") for pages in all_pages() for topic in pages.topics]
    assert len(set(titles)) == len(titles) <= 25


def test_a_page_leads_to_the_other_game() -> None:
    assert "Coyote in a minute" in rendered(rules_screen(SAY, "plenty_winter"))
    assert "Plenty Coups in a minute" in rendered(rules_screen(SAY, "basics"))
    assert "Winter" not in rendered(rules_screen(SAY, "basics"))


def test_somebody_who_names_no_page_gets_the_first_of_the_tables_game() -> None:
    assert first_topic("plenty-coups") == "plenty"
    assert first_topic("coyote") == first_topic() == first_topic("chess") == "basics"


def test_the_deck_is_as_the_page_says() -> None:
    page = SAY("rules.topic.plenty_turn.body")
    kinds = Counter(card.kind for card in DECK)
    assert f"**The {len(DECK)} cards**" in page
    for kind, name in ((Kind.WARRIOR, "warriors"), (Kind.WEAPON, "weapons"), (Kind.HORSE, "horse cards")):
        assert f"**{kinds[kind]} {name}**" in page
    assert f"**{kinds[Kind.STICK]} coup sticks**" in page
