"""What a table of Coyote plays with: the whole deck, and what of it has been used since the shuffle."""

from __future__ import annotations

from collections import Counter

from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import EDITIONS, Rules
from bot.games.coyote.rules.view import Phase
from bot.games.coyote.ui.views import PublicView
from bot.games.coyote.ui.words import tallied
from bot.text.catalogue import Catalogue


def supply_lines(say: Catalogue, rules: Rules, view: PublicView | None) -> list[str]:
    """List the deck and, in a match, what everybody has seen of it since the shuffle."""
    name = "deck" if rules.deck == EDITIONS[rules.edition].deck else "own_deck"
    deck = say(_named(name, rules), count=len(rules.cards), cards=tallied(say, rules.census))
    if rules.shuffles_each_round:
        return [deck, say("supplies.each_round")]
    return [deck] if view is None else [deck, *_used(say, view)]


def _named(name: str, rules: Rules) -> str:
    """Return the key of a text that says "feather" or "card", as the edition's book does."""
    return f"supplies.{name}_cards" if rules.traits.has_cards else f"supplies.{name}"


def _used(say: Catalogue, view: PublicView) -> list[str]:
    if view.phase is Phase.DEAL and view.last is not None and view.last.night:
        return [say(_named("night", view.rules))]
    used: Counter[Card] = Counter(view.discard)
    for seat in view.seats:
        used.update(seat.opened)
        used.update(seat.worn or ())  # a bystander sees a worn feather only after a right guess
    pile = say(_named("pile", view.rules), count=view.pile)
    if not used:
        return [say("supplies.unused"), pile]
    return [say("supplies.used", count=used.total(), cards=tallied(say, used)), pile]
