"""What one person sees: everyone's feathers but their own. By DM, or as an answer that nobody else can read."""

from __future__ import annotations

from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import Rules
from bot.games.coyote.rules.results import Ending
from bot.games.coyote.rules.view import Duty, Phase, SeatView
from bot.games.coyote.ui.buttons import bet_row, play_rows
from bot.games.coyote.ui.ladder import ladder
from bot.games.coyote.ui.seats import feather_notes
from bot.games.coyote.ui.views import PrivateView, PublicView, living
from bot.games.coyote.ui.words import HIDDEN, face, faces, in_order
from bot.host.model import Table
from bot.screens.layout import ASH, EMBER, Item, PrivateScreen, box, rule, text
from bot.screens.look import back_row, quiet_look, where_line
from bot.screens.words import DOT, number, who
from bot.text.catalogue import Catalogue


def look_screen(
    say: Catalogue, table: Table, view: PrivateView, *, message: int | None = None, moves: bool = True
) -> PrivateScreen:
    """Show a player what they see. `message` is the id of the table's message, for the link back to it.

    `moves` adds the player's buttons: right for an answer, which is read at once, but not for a DM, which may be read
    many moves later.
    """
    me = view.viewer
    if me is None or not view.seats[me].living:
        raise ValueError("only somebody who is playing sees feathers")
    if view.phase not in (Phase.BIDDING, Phase.BETS):
        return _between(say, table, view, message)
    others = [_wears(say, table, seat) for seat in living(view) if seat.seat != me]
    return PrivateScreen(
        box(
            EMBER,
            text(say("look.title", number=view.number)),
            text(*others, *_own(say, view.rules, view.seats[me])),
            text(*_centre(say, table, view)),
            rule(),
            text(*_now(say, table, view)) if moves else None,
            text(*_discard(say, view), where_line(say, table)),
            *(_moves(say, table, view) if moves and table.pause is None else []),
            back_row(say, table, message, again=moves),
        )
    )


def _wears(say: Catalogue, table: Table, seat: SeatView) -> str:
    notes = "".join(f"{DOT}{note}" for note in feather_notes(say, seat))
    return say("look.wears", mention=who(table, seat.seat), cards=faces(seat.worn or ()) or HIDDEN, extras=notes)


def _own(say: Catalogue, rules: Rules, seat: SeatView) -> list[str]:
    """Say how many feathers the viewer wears, and which of them lie open."""
    if seat.withdrawn and seat.worn is not None:
        return [say("look.you_safe", cards=faces(seat.worn))]
    covered = rules.covers_feathers and seat.feathers > 1
    lines = [say("look.you_covered") if covered else say("look.you", count=seat.feathers)]
    if seat.opened:
        lines.append(say("look.you_open", cards=faces(seat.opened)))
    return lines


def _centre(say: Catalogue, table: Table, view: PrivateView) -> list[str]:
    if not view.rules.has_centre:
        return []
    seen = view.centre is not None
    lines = [
        say("look.centre_seen", card=face(view.centre)) if view.centre is not None and seen else say("look.centre")
    ]
    if view.coyote_card is not None:
        lines.append(say("look.coyote_seen", card=face(view.coyote_card)))
    elif view.coyote_used and view.coyote_holder is not None:
        lines.append(say("look.coyote", mention=who(table, view.coyote_holder)))
    return lines


def _bid_line(say: Catalogue, table: Table, view: PublicView | PrivateView) -> str:
    """Say which bid must be beaten, was refused, or has been called."""
    if view.bid is None or view.bidder is None:
        return say("look.no_bid")
    slots = {"bid": number(view.bid), "bidder": who(table, view.bidder)}
    if view.caller is not None:
        return say("look.betting", caller=who(table, view.caller), **slots)
    return say("look.refused" if view.duty is Duty.OTHER else "look.bid", **slots)


def _now(say: Catalogue, table: Table, view: PrivateView) -> list[str]:
    """Say how the round stands, and what the viewer may do."""
    bid = number(view.bid or 0)
    bidder = None if view.bidder is None else who(table, view.bidder)
    if view.own_bet is not None:
        (on,) = view.own_bet
        return [say("look.bet_placed", mention=who(table, on)) if on is not None else say("look.bet_none")]
    if view.caller is not None and view.prompt is not None and table.pause is None:
        return [say("look.your_bet", caller=who(table, view.caller), bidder=bidder, bid=bid)]
    lines = [_bid_line(say, table, view)]
    rungs = ladder(say, table, view.ladder) if view.caller is None else None
    if rungs:
        lines.append(f"-# {rungs}")
    if table.pause is not None:
        return [*lines, say("look.paused")]
    if view.prompt is None:
        return [*lines, *([say("look.their_turn", mention=who(table, view.turn))] if view.turn is not None else [])]
    if view.duty is Duty.OTHER:
        return [*lines, say("look.your_turn_other", bid=bid)]
    if view.duty is Duty.RAISE and bidder is None:
        return [*lines, say("look.your_turn_bid")]
    if view.duty in (Duty.RAISE, Duty.AGAIN) or view.bidder == view.viewer:
        return [*lines, say("look.your_turn_raise")]
    return [*lines, say("look.your_turn_open") if bidder is None else say("look.your_turn")]


def _discard(say: Catalogue, view: PublicView | PrivateView) -> list[str]:
    """List the feathers discarded since the last shuffle; nothing if the cards are shuffled every round."""
    if view.rules.shuffles_each_round:
        return []
    seen: list[Card] = in_order(view.discard)
    out = say("look.discard", cards=faces(seen)) if seen else say("look.discard_none")
    return [f"-# {out}", f"-# {say('look.pile', count=view.pile)}"]


def _moves(say: Catalogue, table: Table, view: PrivateView) -> list[Item | None]:
    if view.prompt is None:
        return []
    if view.phase is Phase.BETS:
        return [bet_row(say, table, view, view.prompt.id)]
    return play_rows(say, table, view, view.prompt)


def bystander_screen(
    say: Catalogue, table: Table, view: PublicView | PrivateView, *, message: int | None = None
) -> PrivateScreen:
    """Show what is public to somebody who is not playing, or no longer, and say kindly why that is all."""
    if view.phase is Phase.DEAL:
        return _between(say, table, view, message)
    why = say("look.bystander_why") if view.viewer is None else say("look.eliminated_why")
    turn = None if view.turn is None else say("look.their_turn", mention=who(table, view.turn))
    if table.pause is not None:
        turn = say("look.paused")
    open_cards = [_wears(say, table, seat) for seat in living(view) if seat.worn or seat.opened]
    return PrivateScreen(
        box(
            ASH,
            text(say("look.bystander", number=view.number), why),
            text(*open_cards),
            rule(),
            text(_bid_line(say, table, view), ladder(say, table, view.ladder) if view.caller is None else None, turn),
            text(*_discard(say, view), where_line(say, table)),
            back_row(say, table, message, again=True),
        )
    )


def _between(say: Catalogue, table: Table, view: PublicView | PrivateView, message: int | None) -> PrivateScreen:
    """Say that the feathers are down, and tell the viewer of their own wrong guess or bet."""
    coming = say("look.between_why") if table.pause is None else say("look.between_paused")
    lines = [*_own_part(say, table, view), coming]
    return quiet_look(say, table, say("look.between"), " ".join(lines), message)


def _own_part(say: Catalogue, table: Table, view: PublicView | PrivateView) -> list[str]:
    """Tell the viewer of their guess or bet in the round that has just ended."""
    last = view.last
    if last is None or view.viewer is None:
        return []
    if last.ending is Ending.GUESS and last.loser == view.viewer:
        return [say("look.between_guessed")]
    bet = next((bet for bet in last.bets if bet.seat == view.viewer), None)
    if bet is None:
        return []
    if bet.on is None:
        return [say("look.between_bet_none")]
    return [say("look.between_bet", mention=who(table, bet.on))]
