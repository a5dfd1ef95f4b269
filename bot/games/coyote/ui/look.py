"""What one person sees: everyone's feathers but their own. By DM, or as an answer that nobody else can read."""

from __future__ import annotations

from collections import Counter

from bot.games.coyote.rules.editions import Rules
from bot.games.coyote.rules.results import Ending
from bot.games.coyote.rules.view import CoyoteView, Duty, Phase, SeatView
from bot.games.coyote.ui.buttons import PEEKS, bet_row, play_rows
from bot.games.coyote.ui.choices import lowest, may, must_go_higher
from bot.games.coyote.ui.ladder import ladder
from bot.games.coyote.ui.look_hints import special_lines, sum_line, unseen_line
from bot.games.coyote.ui.seats import feather_notes
from bot.games.coyote.ui.status import round_lines
from bot.games.coyote.ui.views import OpenView, PrivateView, PublicView, living
from bot.games.coyote.ui.words import HIDDEN, feather, feathers, tallied, with_signs
from bot.host.model import Table
from bot.screens.layout import ASH, EMBER, Item, PrivateScreen, box, rule, text
from bot.screens.look import back_row, quiet_look, where_line
from bot.screens.words import DOT, mover, number, who
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
    if view.phase not in (Phase.BIDDING, Phase.BETS, Phase.CALLED):
        return _between(say, table, view, message)
    specials = special_lines(say, view) if table.players[me].learning else []
    return PrivateScreen(
        box(
            EMBER,
            text(say("look.title", number=view.number)),
            text(*_feather_lines(say, table, view)),
            text(*_centre(say, table, view)),
            text(sum_line(say, view), *[f"-# {line}" for line in specials]),
            rule(),
            text(*_now(say, table, view), *_trick_lines(say, table, view)) if moves else None,
            text(*[f"-# {line}" for line in round_lines(say, table, view)]) if moves else None,
            text(*_discard(say, view), f"-# {unseen_line(say, view)}", where_line(say, table)),
            *(_moves(say, table, view) if moves and table.pause is None else []),
            back_row(say, table, message, again=moves),
        )
    )


def in_play_items(say: Catalogue, table: Table, view: PrivateView) -> list[Item | None]:
    """Show what a lesson needs of a look: the feathers, their sum, the bid and the player's buttons."""
    return [
        text(*_feather_lines(say, table, view)),
        text(sum_line(say, view)),
        rule(),
        text(*_now(say, table, view)),
        *_moves(say, table, view),
    ]


def _feather_lines(say: Catalogue, table: Table, view: PrivateView) -> list[str]:
    """Say what everybody wears, as far as the viewer may know it."""
    others = [_wears(say, table, seat) for seat in living(view) if seat.seat != view.viewer]
    own = [] if view.viewer is None else _own(say, view.rules, view.seats[view.viewer])
    return [*others, *own]


def _wears(say: Catalogue, table: Table, seat: SeatView) -> str:
    notes = "".join(f"{DOT}{note}" for note in feather_notes(say, seat))
    cards = feathers(say, seat.worn or ()) or with_signs(say, HIDDEN)
    return say("look.wears", mention=who(say, table, seat.seat), cards=cards, extras=notes)


def _own(say: Catalogue, rules: Rules, seat: SeatView) -> list[str]:
    """Say how many feathers the viewer wears, and which of them lie open."""
    if seat.withdrawn and seat.worn is not None:
        return [say("look.you_safe", cards=feathers(say, seat.worn))]
    if seat.worn is not None:
        return [say("look.you_known", cards=feathers(say, seat.worn)), *_own_open(say, seat)]
    covered = rules.covers_feathers and seat.feathers > 1
    if covered:
        return [say("look.you_covered"), *_own_open(say, seat)]
    hidden = say("look.you_centre") if rules.has_centre else say("look.you", count=seat.feathers)
    return [with_signs(say, hidden), *_own_open(say, seat)]


def _own_open(say: Catalogue, seat: SeatView) -> list[str]:
    return [say("look.you_open", cards=feathers(say, seat.opened))] if seat.opened else []


def _centre(say: Catalogue, table: Table, view: PrivateView) -> list[str]:
    if not view.rules.has_centre:
        return []
    centre = view.centre
    lines = [say("look.centre") if centre is None else say("look.centre_seen", card=feather(say, centre))]
    if view.coyote_card is not None:
        lines.append(say("look.coyote_seen", card=feather(say, view.coyote_card)))
    elif view.coyote_used and view.coyote_holder is not None:
        lines.append(say("look.coyote", mention=who(say, table, view.coyote_holder)))
    return lines


def _bid_line(say: Catalogue, table: Table, view: CoyoteView) -> str:
    """Say which bid must be beaten, was refused, or has been called."""
    if view.bid is None or view.bidder is None:
        return say("look.no_bid")
    slots = {"bid": number(view.bid), "bidder": mover(say, table, view.bidder)}
    if view.caller is not None:
        key = "look.betting" if view.phase is Phase.BETS else "look.called"
        return say(key, caller=mover(say, table, view.caller), **slots)
    return _refused_line(say, table, view) if view.duty is Duty.OTHER else say("look.bid", **slots)


def _refused_line(say: Catalogue, table: Table, view: CoyoteView) -> str:
    """Say who refused the bid; "start again" was the last special action then."""
    refuser, _ = view.used[-1]
    slots = {"mention": mover(say, table, refuser), "bid": number(view.bid or 0)}
    if view.bidder is None or view.bidder == view.viewer:  # the message to the bidder names them as "you"
        return say("look.refused_yours", **slots)
    return say("look.refused", bidder=mover(say, table, view.bidder), **slots)


def _now(say: Catalogue, table: Table, view: PrivateView) -> list[str]:
    """Say how the round stands, and what the viewer may do."""
    bid = number(view.bid or 0)
    bidder = None if view.bidder is None else mover(say, table, view.bidder)
    if view.own_bet is not None:
        (on,) = view.own_bet
        return [say("look.bet_placed", mention=who(say, table, on)) if on is not None else say("look.bet_none")]
    if view.caller is not None and view.prompt is not None and table.pause is None:
        return [say("look.your_bet", caller=mover(say, table, view.caller), bidder=bidder, bid=bid)]
    lines = [_bid_line(say, table, view)]
    if view.doubled and view.prompt is not None:
        lines.insert(0, say("look.doubled"))
    rungs = ladder(say, table, view.ladder) if view.caller is None else None
    if rungs:
        lines.append(f"-# {rungs}")
    if table.pause is not None:
        return [*lines, say("look.paused")]
    if view.prompt is None:
        return [
            *lines,
            *([say("look.their_turn", mention=who(say, table, view.turn))] if view.turn is not None else []),
        ]
    if view.duty is Duty.OTHER:
        key = "look.your_turn_other_from" if must_go_higher(view, view.prompt) else "look.your_turn_other"
        return [*lines, say(key, bid=bid, lowest=number(lowest(view.prompt) or 0))]
    if view.duty is Duty.CHOOSE:
        return [*lines, say("look.your_turn_choose")]
    if view.duty in (Duty.RAISE, Duty.ANNOUNCED) and bidder is None:
        return [*lines, say("look.your_turn_bid")]
    if view.duty is Duty.AGAIN:
        return [*lines, say("look.your_turn_again")]
    if view.duty in (Duty.RAISE, Duty.ANNOUNCED) or view.bidder == view.viewer:
        return [*lines, say("look.your_turn_raise")]
    if view.viewer is not None and table.players[view.viewer].learning:
        return [*lines, say("look.your_turn_open_new") if bidder is None else say("look.your_turn_new", bid=bid)]
    return [*lines, say("look.your_turn_open") if bidder is None else say("look.your_turn")]


def _trick_lines(say: Catalogue, table: Table, view: PrivateView) -> list[str]:
    """Tell somebody who is new what the buttons of their turn cost that do not bid or call.

    Players who have peeked are told that there is nothing more to see, new or not: another peek would cost them an eye
    and the call.
    """
    question = view.prompt
    if question is None or table.pause is not None:
        return []
    tricks = [act for verb, act, _ in PEEKS if may(question, verb)]
    known = []
    if "peek" in tricks and view.centre is not None:
        tricks.remove("peek")
        known = [f"-# {say('look.trick_peek_again')}"]
    if not table.players[question.seat].learning:
        return known
    keys = [f"act.{act}" for act in tricks]
    return [*known, *(f"-# {say('look.trick', name=say(f'{key}.label'), about=say(f'{key}.about'))}" for key in keys)]


def _discard(say: Catalogue, view: CoyoteView) -> list[str]:
    """List the feathers discarded since the last shuffle; nothing if the cards are shuffled every round."""
    if view.rules.shuffles_each_round:
        return []
    seen = Counter(view.discard)
    pile = f"-# {say('look.pile', count=view.pile)}"
    if view.number == 1 and not seen:
        return [pile]
    out = say("look.discard", cards=tallied(say, seen)) if seen else say("look.discard_none")
    return [f"-# {out}", pile]


def _moves(say: Catalogue, table: Table, view: PrivateView) -> list[Item | None]:
    if view.prompt is None:
        return []
    if view.phase is Phase.BETS:
        return [bet_row(say, table, view, view.prompt.id)]
    return play_rows(say, table, view, view.prompt)


def bystander_screen(
    say: Catalogue, table: Table, view: PublicView | PrivateView, *, message: int | None = None
) -> PrivateScreen:
    """Show only what is public to somebody who is not, or no longer, playing, and kindly say why."""
    if view.phase is Phase.DEAL:
        return _between(say, table, view, message)
    why = say("look.bystander_why") if view.viewer is None else say("look.eliminated_why")
    turn = None if view.turn is None else say("look.their_turn", mention=who(say, table, view.turn))
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


def open_screen(
    say: Catalogue, table: Table, view: OpenView, *, message: int | None = None, is_out: bool = False
) -> PrivateScreen:
    """Show all feathers and cards to somebody who watches AI players among themselves, or who is out."""
    if view.phase is Phase.DEAL:
        return _between(say, table, view, message)
    centre = [] if view.centre is None else [say("replay.centre", card=feather(say, view.centre))]
    if view.coyote_card is not None:
        centre.append(say("replay.beside", card=feather(say, view.coyote_card)))
    turn = None if view.turn is None else say("look.their_turn", mention=who(say, table, view.turn))
    why = say("look.laid_open_out_why") if is_out else say("look.laid_open_why")
    return PrivateScreen(
        box(
            ASH,
            text(say("look.laid_open", number=view.number), why),
            text(*[_wears(say, table, seat) for seat in living(view)], *centre),
            rule(),
            text(_bid_line(say, table, view), ladder(say, table, view.ladder) if view.caller is None else None, turn),
            text(*_discard(say, view), where_line(say, table)),
            back_row(say, table, message, again=True),
        )
    )


def _between(say: Catalogue, table: Table, view: CoyoteView, message: int | None) -> PrivateScreen:
    """Say that the feathers are down, and tell the viewer of their own wrong guess or bet."""
    coming = say("look.between_why") if table.pause is None else say("look.between_paused")
    lines = [*_own_part(say, table, view), coming]
    return quiet_look(say, table, say("look.between"), " ".join(lines), message)


def _own_part(say: Catalogue, table: Table, view: CoyoteView) -> list[str]:
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
    return [say("look.between_bet", mention=who(say, table, bet.on))]
