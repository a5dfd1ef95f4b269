"""Coyote's part of a replay: what happened in a step, and what the chosen viewer saw then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.engine.core import Seat
from bot.engine.views import Private
from bot.games.coyote.rules.actions import RoundEnded
from bot.games.coyote.rules.results import Ending
from bot.games.coyote.rules.view import CoyoteView, Duty, Phase, SeatView
from bot.games.coyote.ui.ladder import whole_ladder
from bot.games.coyote.ui.narration import narrate
from bot.games.coyote.ui.reveal import reveal_lines
from bot.games.coyote.ui.seats import feather_notes
from bot.games.coyote.ui.views import OpenView, PrivateView, PublicView
from bot.games.coyote.ui.words import HIDDEN, feather, feathers, purse, with_signs
from bot.host.model import Table
from bot.screens.layout import Item, rule, text
from bot.screens.replay_frames import Frame
from bot.screens.words import DOT, number, seat_label, who
from bot.text.catalogue import Catalogue


def replay_scene(
    say: Catalogue, table: Table, frame: Frame[CoyoteView], below_title: Sequence[str]
) -> list[Item | None]:
    """Show a step: the reveal if it ended a round, else what happened and what the chosen viewer saw."""
    if any(isinstance(event, RoundEnded) for event in frame.events):
        return _reveal(say, table, PublicView(frame.public.view), below_title)
    seen = frame.seen
    view = PrivateView(seen.view) if isinstance(seen, Private) else OpenView(seen.view)
    return _scene(say, table, view, frame, below_title)


def _reveal(say: Catalogue, table: Table, view: PublicView, below_title: Sequence[str]) -> list[Item | None]:
    lines = reveal_lines(say, table, view)
    won = [] if view.winner is None else [say("replay.won", mention=who(say, table, view.winner))]
    return [text(lines.title, *below_title), text(*lines.feathers), rule(), text(*lines.consequences, *won)]


def _scene(
    say: Catalogue,
    table: Table,
    view: PrivateView | OpenView,
    frame: Frame[CoyoteView],
    below_title: Sequence[str],
) -> list[Item | None]:
    viewer = frame.at.viewer
    story = narrate(say, table, frame.events)
    dealt = view.phase in (Phase.BIDDING, Phase.BETS, Phase.CALLED, Phase.SHUFFLE)
    seats = [_seat(say, table, view, seat, viewer) for seat in view.seats if seat.living]
    out = [who(say, table, seat) for seat in view.out]
    blind = viewer is not None and not view.seats[viewer].living
    return [
        text(*[f"### {line}" for line in story[:1]], *story[1:], *below_title),
        text(*seats, f"-# {say('table.seat.out', mentions=DOT.join(out))}" if out else None),
        text(*(_centre_and_bet(say, table, view) if dealt else [])),
        text(*_bids(say, table, view)),
        text(f"-# {say('replay.blind', mention=who(say, table, viewer))}") if blind and viewer is not None else None,
    ]


def _seat(say: Catalogue, table: Table, view: PrivateView | OpenView, seat: SeatView, viewer: Seat | None) -> str:
    worn = feathers(say, seat.worn) if seat.worn else with_signs(say, DOT.join([HIDDEN] * seat.feathers))
    notes = feather_notes(say, seat)
    if seat.seat == viewer and not seat.worn and worn:
        notes.append(say("replay.unseen"))
    return say(
        "replay.seat_turn" if seat.seat == view.turn else "replay.seat",
        purse=purse(say, view.rules, seat),
        mention=who(say, table, seat.seat),
        cards=f" **{worn}**" if worn else "",
        marks="".join(f"{DOT}{note}" for note in notes),
    )


def _centre_and_bet(say: Catalogue, table: Table, view: PrivateView | OpenView) -> list[str]:
    """Say what lies in the centre, and which bet the chosen viewer knows of."""
    lines = []
    if view.rules.has_centre:
        lines.append(
            say("look.centre") if view.centre is None else say("replay.centre", card=feather(say, view.centre)),
        )
        if view.coyote_card is not None:
            lines.append(say("replay.beside", card=feather(say, view.coyote_card)))
        elif view.coyote_used and view.coyote_holder is not None:
            lines.append(say("look.coyote", mention=who(say, table, view.coyote_holder)))
    if view.own_bet is not None and view.own_bet[0] is not None and view.viewer is not None:
        slots = {"mention": who(say, table, view.viewer), "target": who(say, table, view.own_bet[0])}
        lines.append(say("replay.own_bet", **slots))
    return lines


def _bids(say: Catalogue, table: Table, view: PrivateView | OpenView) -> list[str]:
    if view.bid is None or view.bidder is None:
        return []
    if view.duty is Duty.OTHER:  # it was refused and needn't be beaten
        return [whole_ladder(say, table, view.ladder)]
    beat = say("table.beat", bid=number(view.bid), bidder=who(say, table, view.bidder))
    return [beat, whole_ladder(say, table, view.ladder)] if len(view.ladder) > 1 else [beat]


def round_ending(say: Catalogue, table: Table, events: Sequence[Any]) -> str | None:
    """Say in a label how a round ended, from its events."""
    result = next((event.result for event in events if isinstance(event, RoundEnded)), None)
    if result is None:
        return None
    if result.ending is Ending.SHOWDOWN and result.caller is not None and result.bidder is not None:
        slots = {"caller": seat_label(say, table, result.caller), "bidder": seat_label(say, table, result.bidder)}
        key = "replay.round_exposed" if result.loser == result.bidder else "replay.round_held"
        return say(key, bid=number(result.bid or 0), **slots)
    if result.ending is Ending.GUESS and result.loser is not None:
        return say("replay.round_guess", name=seat_label(say, table, result.loser))
    return say("replay.round_void")
