"""Tables in every situation and their screens, for golden files and limit checks."""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

from bot.engine.core import DEALER, Leave, Outcome, Rejected, Seat
from bot.engine.views import Public, laid_open, private, public
from bot.games.coyote.highlights import Bluff, Close, Comeback, Exact, LastCall, Memorable
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.actions import (
    Action,
    Approve,
    Bet,
    Bid,
    Call,
    Deal,
    Flip,
    Peek,
    Reason,
    Redo,
    Turnabout,
    UseCoyote,
)
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.editions import rules_from
from bot.games.coyote.rules.state import State
from bot.games.coyote.rules.view import CoyoteView
from bot.games.coyote.ui.acts import Act
from bot.games.coyote.ui.choices import guesses
from bot.games.coyote.ui.confirm import reach_screen
from bot.games.coyote.ui.forms import bid_form, guess_form, unread_face, unread_number
from bot.games.coyote.ui.highlights import highlight_lines
from bot.games.coyote.ui.look import bystander_screen, look_screen, open_screen
from bot.games.coyote.ui.record import record_screen
from bot.games.coyote.ui.reveal import reveal_screen
from bot.games.coyote.ui.rules_pages import RULES_PAGES
from bot.games.coyote.ui.table import table_screen
from bot.games.coyote.ui.views import OpenView, PrivateView, PublicView
from bot.host import views
from bot.host.commands import HostReason
from bot.host.model import Ai, Deadline, Dm, House, Pause, Player, Stage, Table, TableId, UserId
from bot.host.ports import Preferences
from bot.house_rules.game_settings import setting_of
from bot.house_rules.lobby_rules import rules_at
from bot.house_rules.server_rules import ServerRules
from bot.screens.answers import Done, done_screen, joined_screen
from bot.screens.confirm import leave_screen, stop_screen
from bot.screens.dms import closed_dm, no_seat_dm, out_dm, won_dm
from bot.screens.final import closed_screen, final_screen
from bot.screens.help import OTHER_COMMANDS, help_screen
from bot.screens.layout import Form, PrivateScreen, PublicScreen, Screen
from bot.screens.lobby import host_menu, lobby_screen
from bot.screens.look import closed_look, final_look, lobby_look, with_date, with_last_date
from bot.screens.menus import more_screen, settings_screen
from bot.screens.names import safe_name
from bot.screens.new_form import new_form
from bot.screens.refusals import refusal_screen
from bot.screens.rules_pages import rules_screen
from bot.screens.table_rules import table_rules_menu, table_setting_screen
from bot.screens.this_table import this_table_screen
from bot.stats.moments import Highlight
from bot.text.catalogue import Catalogue
from tests.text.speaking import spoken

SAY = spoken("coyote")
NAMES = ("Ana", "Ben", "Chloé", "Dmitri", "Emi", "Farid", "Greta", "Hugo", "Inês", "Jonas", "Kaya", "Luz")
HOSTILE = ("**@everyone** </bid:1> <t:0:R> [x](https://x.y) " + "Z\u0301\u0302\u0303" * 9, "\u202e1. # > ||x||")
NOW = 1_800_000_000_000
CHANNEL, GUILD = 3_000, 2_000
FIRST_USER = 1_001


def look_for(say: Catalogue, table: Table, view: CoyoteView | None, *, message: int | None = None) -> PrivateScreen:
    """Return the private look for a view; None stands for a match that has not begun."""
    if view is None:
        return lobby_look(say, table, message)
    if table.stage is Stage.CLOSED:
        return closed_look(say, table, message)
    if view.winner is not None:
        return final_look(say, table, Outcome((view.winner,), ()), message)
    if view.viewer is None:
        return bystander_screen(say, table, PublicView(public(view).view), message=message)
    own = PrivateView(private(view, view.viewer).view)
    if view.seats[view.viewer].living:
        return look_screen(say, table, own, message=message)
    return bystander_screen(say, table, own, message=message)


def seats(count: int, names: Sequence[str] = NAMES, **of: Any) -> tuple[Player, ...]:
    return tuple(
        Player(UserId(FIRST_USER + n), safe_name(names[n % len(names)]), Dm.SHUT if n == 2 else Dm.OPEN, **of)
        for n in range(count)
    )


def a_table(count: int, options: dict[str, Any] | None = None, **of: Any) -> Table:
    table = Table(
        id=TableId("k7Q2"),
        guild=GUILD,
        channel=CHANNEL,
        stage=Stage.PLAYING,
        game="coyote",
        options=options or {},
        house=House(turn_seconds=60),
        host=UserId(FIRST_USER),
        players=seats(count),
        opened=NOW,
        match=(),
        deadlines=(Deadline(Seat(0), 1, NOW + 48_000, 60_000),),
    )
    return table._replace(**of)


def dealt(options: dict[str, Any], worn: Sequence[Card], *more: Card, starter: int = 0, **of: Any) -> State:
    """Deal the feathers `worn`, with the cards `more` on top of the pile (the centre card first)."""
    chosen = rules_from(options)
    rest = list(chosen.cards)
    for card in (*worn, *more):
        rest.remove(card)
    state = rules.position(chosen, len(worn), starter=Seat(starter), **of)
    return rules.apply(state, Deal(DEALER, (*worn, *more, *rest))).state


def played(state: State, *actions: Action) -> State:
    for action in actions:
        state = rules.apply(state, action).state
    return state


def bids(state: State, *numbers: int) -> State:
    for number in numbers:
        state = rules.apply(state, Bid(state.bidding.turn, number)).state
    return state


def seen(state: State) -> PublicView:
    return PublicView(public_of(state).view)


def public_of(state: State) -> Public[CoyoteView]:
    return public(rules.view_for(state, None))


def seen_by(state: State, seat: int) -> PrivateView:
    return PrivateView(private(rules.view_for(state, Seat(seat)), Seat(seat)).view)


def shown(table: Table, state: State) -> Screen:
    return table_screen(SAY, table, seen(state), views.public_questions(table._replace(match=state)))


def look(table: Table, state: State, seat: int, **of: Any) -> PrivateScreen:
    return look_screen(SAY, table, seen_by(state, seat), message=4_000, **of)


def final(table: Table, state: State, **of: Any) -> PublicScreen:
    view, outcome = seen(state), rules.outcome(state)
    assert outcome is not None
    return final_screen(SAY, table, outcome, rounds=view.number, **of)


FEATHERS = {"edition": "feathers", "variant": True}
STORY: tuple[Card, ...] = (7, 3, -5, "x2", 10)


def story() -> State:
    """Return a round in progress: Ana bid 8, Emi 13, Ben 14, and it is Chloé's turn."""
    state = dealt(FEATHERS, STORY, 4, tokens={Seat(0): 1, Seat(2): 2, Seat(4): 1})
    state = state._replace(match=state.match._replace(rounds=5, discard=()), round=state.round._replace(number=5))
    bidding = state.bidding._replace(direction=-1)
    state = played(state._replace(bidding=bidding), Bid(Seat(0), 8), Bid(Seat(4), 13))
    state = played(state, Flip(Seat(3), "skip"))
    state = state._replace(bidding=state.bidding._replace(turn=Seat(1), direction=1))
    return played(state, Bid(Seat(1), 14))


def discarded(state: State, *cards: Card) -> State:
    pile = list(state.match.pile)
    for card in cards:
        pile.remove(card)
    return state._replace(match=state.match._replace(pile=tuple(pile), discard=cards))


def lobbies() -> Iterator[tuple[str, Screen]]:
    table = a_table(3, stage=Stage.LOBBY, match=None, deadlines=(), closes=NOW + 3_600_000)
    yield "lobby", lobby_screen(SAY, table._replace(options=FEATHERS | {"max_players": 6}))
    alone = table._replace(players=seats(1), house=House(turn_seconds=None), starter=UserId(FIRST_USER))
    yield "lobby alone", lobby_screen(SAY, alone._replace(options={"edition": "peek"}))
    full = table._replace(players=seats(12, HOSTILE))
    yield "lobby full", lobby_screen(SAY, full._replace(options=FEATHERS))
    yield "lobby host menu", host_menu(SAY, table)
    yield "lobby look", look_for(SAY, table, None, message=4_000)
    yield "lobby joined", joined_screen(SAY, table, Dm.SHUT)
    yield "lobby cancel", stop_screen(SAY, table)
    yield "lobby closed", closed_screen(SAY, table._replace(stage=Stage.CLOSED))


def rounds() -> Iterator[tuple[str, Screen]]:
    table, state = a_table(5, FEATHERS), story()
    new = (*seats(2, learning=3), *seats(4)[2:])
    yield "table opening, first games", shown(a_table(4, FEATHERS, players=new), dealt(FEATHERS, (7, 3, -5, 10)))
    yield "table opening", shown(table, dealt(FEATHERS, STORY))
    yield "table turn", shown(table, state)
    coined = played(state, Flip(Seat(2), "extra"))
    yield "table after a coin", shown(table, coined)
    covered = played(dealt(FEATHERS, STORY), Flip(Seat(0), "replace"))
    yield "table opening after a coin", shown(table, covered)
    away = [player._replace(away=n == 4) for n, player in enumerate(table.players)]
    voted = ((UserId(FIRST_USER + 4), UserId(FIRST_USER)),)
    yield (
        "table away",
        shown(table._replace(players=tuple(away), out_votes=voted, pause_votes=(UserId(FIRST_USER),)), state),
    )
    asked = UserId(FIRST_USER + 1)
    yield "table paused", shown(table._replace(pause=Pause(NOW, asked), pause_votes=(asked,)), state)
    long = bids(dealt(FEATHERS, STORY), *range(1, 14))
    yield "table long ladder", shown(table, long)

    scouts = {"edition": "scout", "variant": True}
    opening = dealt(scouts, (5, 10, "max0"), 3)
    yield "table scouts opening", shown(a_table(3, scouts), opening)
    answered = played(opening, Bid(Seat(0), 9, "double"), Approve(Seat(1)), Bid(Seat(2), 12, "extra", Seat(0)))
    yield "table scouts", shown(a_table(3, scouts), answered)

    camps = {"edition": "tomahawk", "variant": True}
    camp = dealt(camps, (20, "max-", "x2", -10))
    turned = played(camp, Bid(Seat(0), 9), Turnabout(Seat(1)))
    yield "table camps turned", shown(a_table(4, camps), turned)
    redone = played(camp, Bid(Seat(0), 9), Bid(Seat(1), 15, "next", Seat(3)), Redo(Seat(3)))
    yield "table camps again", shown(a_table(4, camps), redone)
    yield "table camps again answered", shown(a_table(4, camps), played(redone, Bid(Seat(1), 12)))

    peeks = {"edition": "peek", "variant": True}
    peek = dealt(peeks, (5, 10, -5, 8), 20, 3, coyote_holder=Seat(1))
    begun = bids(peek, 5, 9, 12, 14, 16)
    yield "table peek", shown(a_table(4, peeks), begun)
    used = played(begun, Peek(Seat(1)), UseCoyote(Seat(1)))
    yield "table peek used", shown(a_table(4, peeks), used)
    betting = played(used, Bid(Seat(1), 30), Call(Seat(2)), Bet(Seat(0), Seat(1)))
    yield "table bets", shown(a_table(4, peeks), betting)


def first_looks() -> Iterator[tuple[str, Screen]]:
    """Yield looks of somebody who is new to the game."""
    new = a_table(5, FEATHERS, players=seats(5, learning=3))
    yield "look in the first game", look(new, bids(dealt(FEATHERS, (7, "?", "max0", "x2", "night"), "max-"), 4), 0)
    yield "look in the first game, your turn", look(new, bids(dealt(FEATHERS, (7, 3, 9, 4, 10)), 4, 5, 6, 9, 20), 0)
    yield "look in the first game, seen before", look(new, discarded(story(), "max-", 1), 0)
    camps = {"edition": "tomahawk"}
    yield "look in the first game, Camps", look(new, dealt(camps, (7, "max-", "max0", "x2", 10)), 0)
    yield "look in the first game, Peek", look(new, dealt({"edition": "peek"}, (7, "?", "max0"), 10), 0)


def looks() -> Iterator[tuple[str, Screen]]:
    table, state = a_table(5, FEATHERS), discarded(story(), 3, 4, 15, 1, 9, -10, 2, 8, 6, 5)
    yield "look", look(table, state, 1)
    yield "look in turn", look(table, state, 2)
    yield "look by DM", look(table, state, 2, moves=False)
    yield "look that follows", with_date(SAY, look(table, state, 2), NOW)
    yield "look that has stopped", with_last_date(SAY, table, look(table, state, 2, moves=False), NOW)
    paused = table._replace(pause=Pause(NOW, UserId(FIRST_USER)))
    yield "look paused", look(paused, state, 2)
    covered = played(state, Flip(Seat(2), "replace"), Bid(Seat(2), 20), Flip(Seat(3), "extra"))
    yield "look covered", look(table, covered, 2)
    yield "look at covered", look(table, covered, 0)
    safe = played(state, Flip(Seat(2), "guess", -5))
    yield "look safe", look(table, safe, 2)
    yield from first_looks()
    yield "look from the side", look_for(SAY, table, rules.view_for(safe, None), message=4_000)
    extra = played(state, Flip(Seat(2), "extra"))
    yield "look from the side, paused", look_for(SAY, paused, rules.view_for(extra, None), message=4_000)
    gone = played(safe, Leave(Seat(4)))
    again = rules.apply(gone, rules.deal(gone, Random(1))).state
    yield "look when out", look_for(SAY, table, rules.view_for(again, Seat(4)), message=4_000)
    closed = table._replace(stage=Stage.CLOSED, match=again)
    yield "look when the channel is gone", look_for(SAY, closed, rules.view_for(again, Seat(0)))
    stopped = closed._replace(ended_by=UserId(FIRST_USER))
    yield "look when stopped", look_for(SAY, stopped, rules.view_for(again, Seat(0)))
    yield "look when cancelled", closed_look(SAY, stopped._replace(match=None))
    yield "look between rounds", look_for(SAY, table, rules.view_for(gone, Seat(0)), message=4_000)
    yield "look between rounds, paused", look_for(SAY, paused, rules.view_for(gone, Seat(0)), message=4_000)
    peeks = {"edition": "peek", "variant": True}
    peek = bids(dealt(peeks, (5, 10, -5, 8), 20, 3, coyote_holder=Seat(1)), 5, 9, 12, 14, 16)
    used = played(peek, Peek(Seat(1)), UseCoyote(Seat(1)))
    scouts = {"edition": "scout", "variant": True}
    again = played(dealt(scouts, (5, 10, "max0"), 3), Bid(Seat(0), 9, "double"), Redo(Seat(1)))
    yield "look start again", look(a_table(3, scouts), again, 0)
    yield "look opening after a coin", look(table, played(dealt(FEATHERS, STORY), Flip(Seat(0), "extra")), 0)
    yield "look peeked", look(a_table(4, peeks), used, 1)
    yield "look not peeked", look(a_table(4, peeks), used, 0)
    betting = played(used, Bid(Seat(1), 30), Call(Seat(2)), Bet(Seat(0), Seat(1)))
    yield "look to bet", look(a_table(4, peeks), betting, 3)
    yield "look after betting", look(a_table(4, peeks), betting, 0)
    yield "look of the caller", look(a_table(4, peeks), betting, 2)
    watched = OpenView(laid_open(rules.open_view(used)).view)
    yield "look at AI players alone", open_screen(SAY, a_table(4, peeks), watched, message=4_000)
    yield "look at bets from the side", look_for(SAY, a_table(4, peeks), rules.view_for(betting, None), message=4_000)
    yield "look to bet, paused", look(a_table(4, peeks, pause=paused.pause), betting, 3)
    settled = played(betting, Bet(Seat(3), Seat(2)))
    yield "look after a right bet", look(a_table(4, peeks), settled, 0)
    yield "look after the last bet, a wrong one", look(a_table(4, peeks), settled, 3)
    yield "look of the caller after the bets", look(a_table(4, peeks), settled, 2)


def reveals() -> Iterator[tuple[str, Screen]]:
    table, state = a_table(5, FEATHERS, deadlines=(), next_deal=NOW + 8_000), story()
    called = played(state, Call(Seat(2)))
    yield "reveal", reveal_screen(SAY, table, seen(called))
    yield "reveal past", reveal_screen(SAY, table, seen(called), live=False)
    yield "record", record_screen(SAY, table, seen(state), called.match.last)
    one = bids(dealt(FEATHERS, STORY), 9)
    yield "record of one bid", record_screen(SAY, table, seen(one), played(one, Call(Seat(1))).match.last)
    yield "table between", shown(table, called)
    guessed = played(state, Flip(Seat(2), "guess", 3))
    yield "look after a wrong guess", look_for(SAY, table, rules.view_for(guessed, Seat(2)), message=4_000)
    yield "look from the side between", look_for(SAY, table, rules.view_for(guessed, None), message=4_000)
    yield "reveal guess", reveal_screen(SAY, table, seen(guessed))
    left = played(state, Leave(Seat(0)))
    yield "reveal left", reveal_screen(SAY, table, seen(left))
    camps = {"edition": "tomahawk", "variant": True}
    rich = dealt(camps, (20, "max-", "x2", -10, "?"), "night")
    tabled = a_table(5, camps, deadlines=(), next_deal=NOW + 8_000)
    doubled = played(rich, Bid(Seat(0), 9, "double"), Call(Seat(1)))
    yield "reveal camps", reveal_screen(SAY, tabled, seen(doubled))
    peeks = {"edition": "peek", "variant": True}
    peek = bids(dealt(peeks, (5, 10, "max0", "?"), 15, 7, coyote_holder=Seat(1)), 5, 9, 12, 14, 16)
    bet = played(
        peek, UseCoyote(Seat(1)), Bid(Seat(1), 30), Call(Seat(2)), Bet(Seat(0), Seat(1)), Bet(Seat(3), Seat(2))
    )
    yield "reveal peek", reveal_screen(SAY, a_table(4, peeks, deadlines=(), next_deal=NOW + 8_000), seen(bet))
    few = dealt(peeks, (5, 10, -5, 8), 20, eyes={Seat(n): (1, 1) for n in range(3)} | {Seat(3): (0, 1)})
    lost = played(bids(few, 5, 9, 99), Bid(Seat(3), 100), Call(Seat(0)))
    lost = played(lost, Bet(Seat(1), Seat(0)), Bet(Seat(2), Seat(3)))
    yield "reveal peek out", reveal_screen(SAY, a_table(4, peeks, deadlines=(), next_deal=NOW + 8_000), seen(lost))


def an_end() -> tuple[Table, State]:
    """Return a match that Ana has won against three others."""
    table = a_table(4, {}, stage=Stage.OVER, deadlines=())
    last = dealt({}, (7, 3, 4, 9), tokens={Seat(1): 2}, out=())
    last = last._replace(match=last.match._replace(rounds=11))
    return table, played(last, Leave(Seat(3)), Leave(Seat(2)), Leave(Seat(1)))


def dms() -> Iterator[tuple[str, Screen]]:
    """Yield the DMs of people who have nothing more to see."""
    table = a_table(3)._replace(match=object())
    lobby = table._replace(stage=Stage.LOBBY, match=None)
    host, guest = lobby.host, UserId(2000)
    yield "got up", no_seat_dm(SAY, lobby, guest, 77)
    yield "removed", no_seat_dm(SAY, lobby._replace(kicked=(guest,)), guest, 77)
    yield "host who watches", no_seat_dm(SAY, table, host, 77)
    yield "left", no_seat_dm(SAY, table, guest, 77)
    yield "out", out_dm(SAY, table, 77)
    yield "won", won_dm(SAY, table, Outcome((Seat(1),), ()), 77)
    yield "won by two", won_dm(SAY, table, Outcome((Seat(0), Seat(2)), ()), 77)
    yield "stopped", closed_dm(SAY, table._replace(ended_by=host), 77)
    yield "its place is gone", closed_dm(SAY, table, 77)
    yield "never begun", closed_dm(SAY, lobby, None)


def _lines(table: Table, *what: Memorable) -> list[str]:
    return highlight_lines(SAY, table, [Highlight(step, each) for step, each in enumerate(what)])


def endings() -> Iterator[tuple[str, Screen]]:
    table, over = an_end()
    left = tuple(player._replace(left=n == 3) for n, player in enumerate(table.players))
    moments: list[Memorable] = [Exact(Seat(2), 23), Bluff(Seat(1), 31, 0.042), Comeback(Seat(0), Seat(3), True)]
    yield "final", final(table._replace(players=left), over, highlights=_lines(table, *moments))
    others: list[Memorable] = [
        Bluff(Seat(1), 99, 0.0),
        Close(Seat(2), Seat(1), 31, 29),
        Comeback(Seat(0), Seat(3), False),
    ]
    deciding = LastCall(Seat(0), Seat(1), 40)
    yield "final, a hopeless bluff", final(table, over, highlights=_lines(table, *others, deciding))
    taken_over = table.players[0]._replace(away=True, stand_in=Ai("Quill", "steady", 2))
    yield "final, an AI won for a person", final(table._replace(players=(taken_over, *table.players[1:])), over)
    yield "final, shared", final(table, over, highlights=_lines(table, *moments), shared_by=UserId(FIRST_USER + 2))
    outcome = rules.outcome(over)
    assert outcome is not None
    yield "final look in the channel", final_look(SAY, table, outcome, 4_000, in_channel=True)
    yield "final look", look_for(SAY, table, rules.view_for(over, Seat(1)), message=4_000)
    yield "final rematch", final(table, over, rematch="https://discord.com/channels/2000/3000/5000")
    stopped = table._replace(stage=Stage.CLOSED, ended_by=UserId(FIRST_USER + 1))
    yield "stopped", closed_screen(SAY, stopped, played=5)
    yield "stop?", stop_screen(SAY, a_table(4))
    yield "leave?", leave_screen(SAY, a_table(4), UserId(FIRST_USER), living=True)
    yield "leave? between", leave_screen(SAY, a_table(4), UserId(FIRST_USER), living=True, dealt=False)
    an_ai = a_table(4).players[0]._replace(user=UserId(-1), ai=Ai("Juniper", "cautious", 2))
    last = a_table(4)._replace(players=(a_table(4).players[0], *[an_ai] * 3))
    yield "leave? last", leave_screen(SAY, last, UserId(FIRST_USER), living=True)
    to_ai = a_table(4)._replace(house=House(ai_for_left=True))
    yield "leave? to an AI", leave_screen(SAY, to_ai, UserId(FIRST_USER), living=True)
    yield "leave? out", leave_screen(SAY, a_table(4), UserId(FIRST_USER), living=False)
    state = story()
    yield "really?", reach_screen(SAY, a_table(5), seen(state), 400, prompt=7)
    yield "more", more_screen(SAY, a_table(5), UserId(FIRST_USER), living=True, may_stop=True)
    yield "settings", settings_screen(SAY, Preferences(2, pinged=False))
    yield "more for a bystander", more_screen(SAY, a_table(5), UserId(1), living=False, may_stop=False)
    low = Rejected(Reason.BID_TOO_LOW, turn=Seat(2), bid=14, lowest=15, highest=999, may_call=True)
    yield "refused bid", refusal_screen(SAY, low, a_table(5), prompt=7, number=12)
    turn = Rejected(Reason.NOT_YOUR_TURN, turn=Seat(2), after=Seat(3), bid=14, lowest=15, highest=999)
    yield "refused turn", refusal_screen(SAY, turn, a_table(5), message=4_000)
    yield "refused turn, next", refusal_screen(SAY, turn, a_table(5), message=4_000, user=UserId(FIRST_USER + 3))
    yield "refused stale", refusal_screen(SAY, Rejected(HostReason.STALE), a_table(5), message=4_000)
    yield "done", done_screen(SAY, Done.VOTED)
    yield "left for good", done_screen(SAY, Done.LEFT_FOR_GOOD)
    (question,) = rules.prompts(state)
    yield "no number", unread_number(SAY, a_table(5), question, "")
    yield "not a number", unread_number(SAY, a_table(5), question, "a lot")
    yield "no face", unread_face(SAY, "")


def pages() -> Iterator[tuple[str, Screen]]:
    for topic in RULES_PAGES.topics:
        yield f"rules {topic}", rules_screen(SAY, topic)
    yield from at_tables()
    commands = ["coyote new", "coyote join", "coyote bid", "coyote call", "help", "rules"]
    yield "help", help_screen(SAY, commands)
    yield "help in a DM", help_screen(SAY, ["rules", "tutorial", "stats", "help"], is_installed=False)
    yield "all commands of Coyote", help_screen(SAY, commands, "coyote")
    yield "all other commands", help_screen(SAY, commands, OTHER_COMMANDS)


def at_tables() -> Iterator[tuple[str, Screen]]:
    """Yield what tables play by, and pages of the rules that are opened there."""
    lobby = a_table(3, {}, stage=Stage.LOBBY, match=None, deadlines=())
    yield "rules basics at a table", rules_screen(SAY, "basics", lobby)
    house = House(turn_seconds=None, away_after=1)
    changed = {"edition": "tomahawk", "variant": True, "threshold": 2, "actions_off": ["redo"], "actions_per": "player"}
    other = lobby._replace(options=changed, house=house, starter=UserId(FIRST_USER))
    yield "rules basics at a changed table", rules_screen(SAY, "basics", other)
    yield "rules specials at a table", rules_screen(SAY, "specials", lobby)
    yield "rules specials at a changed table", rules_screen(SAY, "specials", other)
    yield "this table, lobby", this_table_screen(SAY, lobby, None)
    yield from rule_menus(lobby, other)
    feathers = a_table(5, FEATHERS)
    for name, state in (("this table, dealt", story()), ("this table, second round", second_round())):
        yield name, this_table_screen(SAY, feathers, public_of(state))
    peek = {"edition": "peek", "variant": True}
    yield "this table, peek", this_table_screen(SAY, a_table(3, peek), public_of(dealt(peek, (5, 10, "max0"))))
    deck = {"deck": {"1": 40, "99": 1, "-99": 2, "night": 5}, "min_bid": 5}
    yield "this table, custom deck", this_table_screen(SAY, a_table(3, deck), None)


def rule_menus(lobby: Table, other: Table) -> Iterator[tuple[str, Screen]]:
    """Yield what a host sees when changing the rules in the lobby."""
    server = ServerRules(GUILD)
    yield "rules menu", table_rules_menu(SAY, lobby, server)
    camps = rules_at(server, other.options)
    yield "rules menu, changed", table_rules_menu(SAY, other, camps, "Changed: **Out at**: 3 → **2**")
    crowd = lobby._replace(players=seats(8))
    yield "rules menu, many players", table_rules_menu(SAY, crowd, server)
    for key in ("edition", "variant", "threshold", "min_bid", "coins", "turn_seconds", "max_players", "deck"):
        yield f"rule {key}", table_setting_screen(SAY, lobby, server, setting_of(key))
    yield "rule actions_off", table_setting_screen(SAY, other, camps, setting_of("actions_off"))


def second_round() -> State:
    """Return the second round after one in which a guess was right and a feather lay open."""
    first = played(dealt(FEATHERS, STORY), Flip(Seat(0), "guess", 7), Flip(Seat(1), "extra"), Bid(Seat(1), 90))
    return played(first, Call(Seat(2)), Deal(DEALER), Flip(Seat(2), "extra"))


def forms() -> Iterator[tuple[str, Form]]:
    table, state = a_table(5, FEATHERS), story()
    (question,) = rules.prompts(state)
    yield "form bid", bid_form(SAY, table, seen(state), question)
    yield "form guess", guess_form(SAY, table, seen(state), question)
    assert guesses(question)
    many = {"edition": "feathers", "variant": True, "deck": {str(n): 2 for n in range(1, 40)}}
    crowded = bids(dealt(many, (1, 2, 3)), 5)
    (wide,) = rules.prompts(crowded)
    yield "form guess typed", guess_form(SAY, table, seen(crowded), wide)
    scouts = {"edition": "scout", "variant": True}
    opening = dealt(scouts, (5, 10, "max0"))
    (first,) = rules.prompts(opening)
    yield "form next", bid_form(SAY, table, seen(opening), first, Act("bid", "next"))
    yield "form next Ben", bid_form(SAY, table, seen(opening), first, Act("bid", "next", 1))
    yield "form of a table with other rules", new_form(SAY, "coyote")


@cache
def screens() -> dict[str, Screen]:
    return dict(each for scene in (lobbies, rounds, looks, reveals, endings, pages) for each in scene())
