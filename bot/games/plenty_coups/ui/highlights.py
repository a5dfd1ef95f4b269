"""What was worth remembering of a match, for the final screen and the replay."""

from __future__ import annotations

from typing import Final

from bot.engine.views import Public
from bot.games.plenty_coups.highlights import CameHome, LeadTaken, Memorable, Repelled
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.view import CampView, PlentyCoupsView
from bot.games.plenty_coups.ui.words import player, short_cards
from bot.host.model import Table
from bot.screens.replay_frames import HighlightWords
from bot.text.catalogue import Catalogue

_MOST_EQUAL: Final = 2
"""If more tribes than this are equally good at something, it is not worth telling."""


def highlight_words(say: Catalogue, table: Table, what: Memorable) -> HighlightWords:
    """Name a moment, and describe it in a sentence."""
    match what:
        case LeadTaken(tribe, round_):
            sentence = say("plenty.highlight.lead", name=player(say, table, tribe), number=round_)
            return HighlightWords(say("replay.highlight.lead"), sentence)
        case CameHome(raid):
            return HighlightWords(say("replay.highlight.raid"), _raid_line(say, table, "plenty.highlight.raid", raid))
        case Repelled(raid):
            sentence = _raid_line(say, table, "plenty.highlight.repelled", raid)
            return HighlightWords(say("replay.highlight.repelled"), sentence)


def highlight_lines(say: Catalogue, table: Table, seen: Public[PlentyCoupsView], _found: object = None) -> list[str]:
    """Name the most coups, the strongest raid that came home, and the alliance that stood longest."""
    camps = seen.view.camps
    return [*_coups(say, table, camps), *_raid(say, table, camps), *_alliance(say, table, camps)]


def _coups(say: Catalogue, table: Table, camps: tuple[CampView, ...]) -> list[str]:
    most = max(camp.best.coups for camp in camps)
    best = [player(say, table, camp.tribe) for camp in camps if camp.best.coups == most]
    if not most or len(best) > _MOST_EQUAL:
        return []
    return [say("plenty.highlight.coups", count=most, names=say.listing(best))]


def _raid(say: Catalogue, table: Table, camps: tuple[CampView, ...]) -> list[str]:
    raids = [camp.best.raid for camp in camps if camp.best.raid is not None]
    if not raids:
        return []
    boldest = max(raids, key=lambda raid: raid.value)
    return [_raid_line(say, table, "plenty.highlight.raid", boldest)]


def _raid_line(say: Catalogue, table: Table, key: str, raid: RaidOut) -> str:
    slots = {"raider": player(say, table, raid.raider), "target": player(say, table, raid.target)}
    return say(key, value=raid.value, warriors=short_cards(say, raid.warriors), **slots)


def _alliance(say: Catalogue, table: Table, camps: tuple[CampView, ...]) -> list[str]:
    longest = max(camps, key=lambda camp: camp.best.rounds)
    if longest.best.ally is None:
        return []
    slots = {"a": player(say, table, longest.tribe), "b": player(say, table, longest.best.ally)}
    return [say("plenty.highlight.alliance", count=longest.best.rounds, **slots)]
