"""Plenty Coups' part of a replay: what happened in a step, and what the chosen viewer saw then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.games.plenty_coups.emoji_names import CARD_BACK
from bot.games.plenty_coups.figures import without_undone
from bot.games.plenty_coups.rules import events as e
from bot.games.plenty_coups.rules.view import CampView, PlentyCoupsView
from bot.games.plenty_coups.ui.camps import camp_title, dots, pacts_of
from bot.games.plenty_coups.ui.highlights import highlight_words
from bot.games.plenty_coups.ui.narration import event_line
from bot.games.plenty_coups.ui.scoring import scoring_lines
from bot.games.plenty_coups.ui.status import offer_lines
from bot.games.plenty_coups.ui.views import camp_of
from bot.games.plenty_coups.ui.words import card, cards, player, with_emoji
from bot.host.model import Table
from bot.screens.game import ReplayScreens
from bot.screens.layout import Item, rule, text
from bot.screens.replay_frames import Frame
from bot.screens.words import seat_label
from bot.text.catalogue import Catalogue


def replay_scene(
    say: Catalogue, table: Table, frame: Frame[PlentyCoupsView], below_title: Sequence[str]
) -> list[Item | None]:
    """Show a step: what happened, then camps, raids and offer as the chosen viewer saw them; at the end the points."""
    view = frame.seen.view
    story = [line for event in frame.events if (line := _told(say, table, view, event))]
    story = story or [say("plenty.replay.quiet")]
    over = frame.public.view.outcome is not None
    return [
        text(f"### {story[0]}", *story[1:], *below_title),
        rule(),
        text(*[line for camp in view.camps for line in camp_with_hand(say, table, view, camp)]),
        text(*middle_lines(say, table, view)),
        rule(),
        text(*(scoring_lines(say, table, frame.public) if over else [])),
    ]


def _told(say: Catalogue, table: Table, view: PlentyCoupsView, event: e.Event) -> str | None:
    """Put an event into a sentence; of an exchange of gifts, with the cards if the viewer knows both."""
    if isinstance(event, e.GiftsExchanged):
        giver, target = camp_of(view, event.tribe), camp_of(view, event.target)
        gift, card_back = giver.given or target.received, giver.received or target.given
        if gift is not None and card_back is not None:
            slots = {"giver": player(say, table, event.tribe), "target": player(say, table, event.target)}
            return say("plenty.replay.gifts_exchanged", gift=card(say, gift), card=card(say, card_back), **slots)
    return event_line(say, table, event)


def camp_with_hand(say: Catalogue, table: Table, view: PlentyCoupsView, camp: CampView) -> list[str]:
    """Say what a camp has, and what it holds, as far as the viewer sees it."""
    has = [
        say("plenty.camp.horses", count=camp.horses),
        say("plenty.camp.prestige", dots=dots(say, camp.prestige), prestige=camp.prestige),
        *pacts_of(say, table, view, camp),
    ]
    return [camp_title(say, table, view, camp, has), f"-# {_hand(say, camp)}"]


def _hand(say: Catalogue, camp: CampView) -> str:
    if not camp.hand_size:
        return say("plenty.replay.hand_empty")
    if camp.hand is None:
        return with_emoji(say, CARD_BACK, say("plenty.replay.hand_hidden", count=camp.hand_size))
    return say("plenty.replay.hand", cards=cards(say, camp.hand))


def middle_lines(say: Catalogue, table: Table, view: PlentyCoupsView) -> list[str]:
    """Say which raids are out, what lies between two camps, and what the offer holds."""
    lines = [
        say(
            "plenty.replay.raid_no_coup" if raid.prestige_side else "plenty.replay.raid",
            raider=player(say, table, raid.raider),
            target=player(say, table, raid.target),
            value=raid.value,
            warriors=cards(say, raid.warriors),
        )
        for raid in view.raids
    ]
    if view.gift is not None:
        slots = {"giver": player(say, table, view.gift.giver), "target": player(say, table, view.gift.target)}
        if view.gift.card is None:
            lines.append(say("plenty.replay.gift", **slots))
        else:
            lines.append(say("plenty.replay.gift_seen", card=card(say, view.gift.card), **slots))
    return [*lines, *offer_lines(say, view)]


def round_ending(say: Catalogue, table: Table, events: Sequence[e.Event]) -> str | None:
    """Say in a label what a round brought, from its events."""
    stood = without_undone(events)
    slots = {
        "raids": sum(isinstance(event, e.RaidCameHome) for event in stood),
        "coups": sum(isinstance(event, e.CoupStruck) for event in stood),
    }
    winners = next((event.winners for event in stood if isinstance(event, e.MatchEnded)), ())
    if winners:
        names = say.listing([seat_label(say, table, seat) for seat in winners])
        return say("plenty.replay.round_won", names=names, **slots)
    return say("plenty.replay.round", **slots)


REPLAY_SCREENS: Final = ReplayScreens[PlentyCoupsView](
    scene=replay_scene, ending=round_ending, highlight=highlight_words
)
