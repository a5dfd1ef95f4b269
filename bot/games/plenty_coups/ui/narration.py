"""Says in a sentence each what happened, and in a line or two what has just happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from bot.games.plenty_coups.rules import events as e
from bot.games.plenty_coups.ui.words import acting, card, cards, player, tribe, tribe_of
from bot.host.model import Table
from bot.screens.words import who
from bot.text.catalogue import Catalogue

_NO_NEWS: Final = (e.OfferOpened, e.PileRenewed, e.TurnBegan, e.StickLifted)
"""What the table shows anyway, or what only keeps the cards going."""
_MADE_WAY: Final = (e.RaidLost, e.ProposalDropped, e.AllianceEnded, e.PrestigeChanged)
"""What happens because of the event that comes next, and is told after it."""
_CAUSES: Final = (e.RaidLaunched, e.AllianceProposed, e.AllianceMade, e.NeutralAllianceMade, e.MatchEnded)


def event_line(say: Catalogue, table: Table, event: e.Event) -> str | None:
    """Put a public event into a sentence; None if there is nothing to say about it."""
    match event:
        case e.Dealt(tribes, _):
            return say("plenty.event.dealt", order=say.listing([player(say, table, each) for each in tribes]))
        case e.OfferOpened(opened):
            return say("plenty.event.offer_opened", cards=cards(say, opened))
        case e.OfferVoided(voided):
            return say("plenty.event.offer_voided", cards=cards(say, voided))
        case e.PileRenewed(count):
            return say("plenty.event.pile_renewed", count=count)
        case e.TurnBegan(round_, who_):
            return say("plenty.event.turn_began", number=round_, tribe=player(say, table, who_))
        case e.TurnEnded():
            return None
        case e.StickLifted(who_, drawn):
            key = "stick_lifted_draws" if drawn else "stick_lifted"
            return say(f"plenty.event.{key}", tribe=player(say, table, who_))
        case e.ProposalDropped(who_, dropped):
            return say("plenty.event.proposal_dropped", tribe=player(say, table, who_), card=card(say, dropped))
        case e.Taken(who_, taken):
            return say("plenty.event.taken", tribe=acting(say, table, who_), cards=cards(say, taken))
        case e.RaidCameHome() | e.RaidLost() | e.RaidLaunched() | e.RaidRepelled():
            return _raid_line(say, table, event)
        case e.Bred(who_):
            return say("plenty.event.bred", tribe=acting(say, table, who_))
        case e.CoupStruck(who_, on_return):
            key = "coup_on_return" if on_return else "coup_in_defence"
            return say(f"plenty.event.{key}", tribe=acting(say, table, who_))
        case e.PrestigeChanged():
            return _prestige_line(say, table, event)
        case e.GiftLaid(who_, target, paid):
            slots = {"tribe": acting(say, table, who_), "target": player(say, table, target)}
            if paid is None:
                return say("plenty.event.gift_laid_free", **slots)
            return say("plenty.event.gift_laid", card=card(say, paid), **slots)
        case e.GiftsExchanged(_, target):
            return say("plenty.event.gifts_exchanged", target=player(say, table, target))
        case e.AllianceProposed() | e.AllianceMade() | e.AllianceEnded() | e.NeutralAllianceMade():
            return _alliance_line(say, table, event)
        case e.Disdained(who_, target):
            slots = {"tribe": acting(say, table, who_), "target": player(say, table, target)}
            return say("plenty.event.disdained", **slots)
        case e.WorthProved(who_, shown):
            return say("plenty.event.worth_proved", tribe=acting(say, table, who_), card=card(say, shown))
        case e.WorthNotProved(who_):
            return say("plenty.event.worth_not_proved", tribe=acting(say, table, who_))
        case e.HorsesGiven(who_, target, paid):
            slots = {"tribe": acting(say, table, who_), "target": player(say, table, target)}
            return say("plenty.event.horses_given", card=card(say, paid), **slots)
        case e.Hunted(who_, paid):
            return say("plenty.event.hunted", tribe=acting(say, table, who_), card=card(say, paid))
        case e.HuntEnded(who_, discarded):
            return say("plenty.event.hunt_ended", tribe=acting(say, table, who_), cards=cards(say, discarded))
        case e.Undone(who_):
            return say("plenty.event.undone", tribe=acting(say, table, who_))
        case e.SeatLeft(seat):
            return say("plenty.event.left", tribe=player(say, table, tribe_of(table, seat)))
        case e.MatchEnded(winners):
            key = "won" if len(winners) == 1 else "won_together"
            return say(f"plenty.event.{key}", winners=say.listing([who(say, table, seat) for seat in winners]))
        case _:
            assert_never(event)


def _prestige_line(say: Catalogue, table: Table, event: e.PrestigeChanged) -> str:
    slots = {"tribe": player(say, table, event.tribe), "prestige": event.prestige}
    if event.turned is None:
        return say("plenty.event.prestige", **slots)
    key = "prestige_turned" if event.turned.prestige_side else "prestige_turned_back"
    return say(f"plenty.event.{key}", target=player(say, table, event.turned.target), **slots)


def _raid_line(
    say: Catalogue, table: Table, event: e.RaidCameHome | e.RaidLost | e.RaidLaunched | e.RaidRepelled
) -> str:
    raid = event.raid
    slots = {"raider": player(say, table, raid.raider), "target": player(say, table, raid.target)}
    match event:
        case e.RaidLaunched():
            slots["raider"] = acting(say, table, raid.raider)
            key = "raid_launched_prestige" if raid.prestige_side else "raid_launched"
            return say(f"plenty.event.{key}", warriors=cards(say, raid.warriors), value=raid.value, **slots)
        case e.RaidRepelled(_, weapons):
            slots["target"] = acting(say, table, raid.target)
            return say("plenty.event.raid_repelled", weapons=cards(say, weapons), value=raid.value, **slots)
        case e.RaidCameHome(_, horse, bought_off):
            key = "raid_bought_off" if bought_off else "raid_home"
            return say(f"plenty.event.{key}{'' if horse else '_empty'}", **slots)
        case e.RaidLost():
            return say("plenty.event.raid_lost", **slots)
        case _:
            assert_never(event)


def _alliance_line(
    say: Catalogue,
    table: Table,
    event: e.AllianceProposed | e.AllianceMade | e.AllianceEnded | e.NeutralAllianceMade,
) -> str:
    match event:
        case e.AllianceProposed(who_, target, offered):
            slots = {"tribe": acting(say, table, who_), "target": player(say, table, target)}
            return say("plenty.event.proposed", card=card(say, offered), **slots)
        case e.AllianceMade(proposer, _, accepter, accepted):
            slots = {"tribe": player(say, table, proposer), "target": acting(say, table, accepter)}
            return say("plenty.event.allied", accepted=card(say, accepted), **slots)
        case e.AllianceEnded(who_, ally):
            return say("plenty.event.alliance_ended", tribe=player(say, table, who_), ally=player(say, table, ally))
        case e.NeutralAllianceMade(who_, used):
            assert used.tribe is not None  # noqa: S101 - only warriors make alliances
            slots = {"tribe": acting(say, table, who_), "ally": tribe(say, used.tribe)}
            return say("plenty.event.allied_neutral", card=card(say, used), **slots)
        case _:
            assert_never(event)


def news_lines(say: Catalogue, table: Table, events: Sequence[e.Event], most: int | None = 2) -> list[str]:
    """Say what has just happened, the newest last: one line for what belongs together, at most `most` lines if any."""
    groups = _groups([event for event in events if not isinstance(event, _NO_NEWS)])
    lines = [
        [line for event in group if (line := event_line(say, table, event))]
        for group in (groups[-most:] if most else groups)
    ]
    return [" ".join(line) for line in lines]


def _groups(events: Sequence[e.Event]) -> list[list[e.Event]]:
    """Gather the events that are told on one line; in each line, what ended comes after what ended it."""
    groups: list[list[e.Event]] = []
    goes_on = False  # nothing goes on with a line from before the end of a turn
    for event in events:
        if isinstance(event, e.TurnEnded):
            goes_on = False
            continue
        if goes_on and _belongs_to(event, groups[-1][0]):
            groups[-1].append(event)
        elif isinstance(event, _CAUSES):
            ended: list[e.Event] = []
            while groups and isinstance(groups[-1][0], _MADE_WAY):
                ended = groups.pop() + ended
            groups.append([event, *ended])
        else:
            groups.append([event])
        goes_on = True
    return groups


def _belongs_to(event: e.Event, first: e.Event) -> bool:
    """Return whether an event goes on with the line that the other began."""
    match event, first:
        case e.PrestigeChanged(), _:
            return True
        case e.RaidCameHome(home), e.RaidCameHome(earlier):
            return home.raider == earlier.raider
        case e.RaidCameHome(_, _, bought_off), e.AllianceProposed():
            return bought_off
        case e.GiftsExchanged(), e.GiftLaid():
            return True
        case e.HuntEnded(), e.Hunted():
            return True
        case ((e.WorthProved() | e.WorthNotProved() | e.AllianceEnded()), e.Disdained()):
            return True
        case _:
            return False
