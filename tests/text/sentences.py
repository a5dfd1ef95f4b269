"""Texts that only rare positions of a game show: each on its own, in all of its forms, with its slots filled.

Scenes are better, since they show a text where it stands; but no handful of scenes meets every remark of an AI player
and every move that a card allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.engine.registry import RULES
from bot.text.catalogue import Catalogue
from tests.text.checks import MOST_COUNTED

GROUPS: Final = (
    *(
        "act",
        "action",
        "ai",
        "ai_players.done",
        "ai_players.manner",
        "ai_players.menu",
        "ai_players.reasons",
        "ai_players.moved_for",
    ),
    *("board.about", "board.by", "board.guess_along", "board.score", "card.unrated", "confirm.leave", "count"),
    *("edition.variant", "form.bid_hint_open", "form.bid_open", "form.bid_other", "form.not_a_face"),
    *("form.title_double", "form.title_extra", "form.title_reverse", "help.button", "help.game"),
    *("house.ask", "house.done", "house.file", "house.form", "house.gone", "house.nothing", "lesson"),
    *("lobby.done", "lobby.legend_both", "lobby.legend_dm", "lobby.legend_look", "lobby.menu", "lobby.rules"),
    *("lobby.thread", "lobby.title", "look", "menu.button", "notice.stand_in", "person.former", "person.former_label"),
    *("pictures", "ping.remind", "plain", "plenty.camp", "plenty.card", "plenty.event", "plenty.hand"),
    *("plenty.highlight", "plenty.move", "plenty.raid", "plenty.replay", "plenty.round", "plenty.table"),
    *("plenty.terms", "plenty.typed", "plenty.use", "privacy.few", "record", "refused", "replay", "reveal"),
    *(
        "rules.none",
        "rules.topic.basics.body_peek",
        "season.over",
        "setting.actions_per",
        "setting.actions_per_turn",
        "setting.open_eyes",
    ),
    *("setting.threshold", "setting.variant", "supplies", "table", "terms", "this_table", "trick", "used"),
)
"""The beginnings of the keys of these texts; a game's own text is with the one that it replaces."""
_PEOPLE: Final = dict.fromkeys(("mention", "caller", "whom", "host", "a", "first"), "Ana")
_OTHERS: Final = dict.fromkeys(("name", "bidder", "other", "b", "by", "asked_by", "second", "turn", "raider"), "Ben")
_MORE: Final = dict.fromkeys(("target", "tribe", "ally", "rival", "giver", "former"), "Chloé")
_LISTS: Final = dict.fromkeys(("names", "mentions", "asked", "missing", "winners"), "Ana, Ben")
_NUMBERS: Final = {
    **dict.fromkeys(("lowest", "at_least", "left", "taken", "right", "first_round"), 2),
    **dict.fromkeys(("number", "round", "value", "above", "prestige", "horses", "actions", "season"), 5),
    **dict.fromkeys(("highest", "last", "made", "seats", "nearest", "games", "needed", "most", "steps"), 9),
    **dict.fromkeys(("bid", "seen", "lower", "points", "total"), 14),
    **dict.fromkeys(("chance", "rating", "cards_left"), 61),
    "plain": 38,
}
_SIGNS: Final = {
    **dict.fromkeys(("card", "coin", "guess"), "7"),
    **dict.fromkeys(("cards", "warriors", "extras"), "7, 3"),
    **dict.fromkeys(("new", "where"), "#…"),
    "ai": "🤖 Hazel",
    "record": "7F3A",
    "group": "coyote",
    "game": "Coyote",
    "time": "⏳",
    "purse": "🪙",
    "typed": "x",
}
_SAMPLES: Final = {**_PEOPLE, **_OTHERS, **_MORE, **_LISTS, **_NUMBERS, **_SIGNS}
_NAMED: Final = {"look": "table.button.look", "option": "setting.turn_seconds.name", "edition": "edition.peek.name"}
"""Slots that are filled with another text."""


def sentences(say: Catalogue) -> Iterator[str]:
    """Yield every text of these groups below its key; a slot without a sample shows its name."""
    for key in sorted(say.keys):
        if is_rare(key):
            slots: dict[str, object] = {name: _sample(say, name) for name in say.slots(key)}
            for count in _counts(say, key):
                yield f"{key}\n  {say(key, **{**slots, **count})}".replace("\u00a0", "~")


def _sample(say: Catalogue, slot: str) -> object:
    return say(_NAMED[slot]) if slot in _NAMED else _SAMPLES.get(slot, f"{{{slot}}}")


def is_rare(key: str) -> bool:
    """Return whether a text is among them."""
    game, _, rest = key.partition(".")
    shared = rest if game in RULES else key
    return any(shared == group or shared.startswith(f"{group}.") for group in GROUPS)


def _counts(say: Catalogue, key: str) -> list[dict[str, object]]:
    """Return a number for each form of a text, the lowest from 1 on that needs it."""
    if "count" not in say.slots(key) and len(say.forms(key)) == 1:
        return [{}]
    wanted = {say._plural(number): number for number in range(MOST_COUNTED, 0, -1)}
    text = say._texts[key]
    return [{"count": number} for form, number in sorted(wanted.items(), key=lambda each: each[1]) if form in text] or [
        {"count": 2}
    ]
