"""`/replay`: a finished game, step by step, as one seat saw it or with all feathers. Only for whoever asks."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from discord import ButtonStyle, ui

from bot.engine.core import Seat
from bot.games.coyote.rules.actions import (
    Announced,
    BetPlaced,
    Called,
    CoinFlipped,
    CoyoteUsed,
    DirectionChanged,
    Peeked,
    RedoDemanded,
    RoundEnded,
)
from bot.games.coyote.rules.results import Ending, Result
from bot.games.coyote.rules.view import Duty, Phase, SeatView
from bot.games.coyote.ui.narration import happened
from bot.games.coyote.ui.reveal import told_again
from bot.games.coyote.ui.seats import marks
from bot.games.coyote.ui.standing import whole_ladder
from bot.host.model import Table, UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import ASH, MOST_OPTIONS, PrivateScreen, box, option, pick, press, row, rule, text
from bot.screens.stats.paging import turn
from bot.screens.stats.queries import Step
from bot.screens.views import OpenView, PrivateView, PublicView
from bot.screens.words import DOT, HIDDEN, called, edition, face, faces, number, purse, who
from bot.stats.model import PastGame
from bot.text.catalogue import Catalogue

_MOVES: Final = (
    Announced,
    BetPlaced,
    Called,
    CoinFlipped,
    CoyoteUsed,
    DirectionChanged,
    Peeked,
    RedoDemanded,
)
_FOR: Final = {"clock": "replay.by_clock", "ai": "replay.by_ai"}


class Chapter(NamedTuple):
    """A round of the match: where it begins, and how it ended."""

    number: int
    first: int
    result: Result | None


class Frame(NamedTuple):
    """One step, and everything that is needed to show it."""

    game: PastGame
    at: Step
    steps: int
    round: int
    actor: str
    """Who moved, as the log calls them."""
    events: tuple[Any, ...]
    seen: PrivateView | OpenView
    """What those eyes saw after the step."""
    public: PublicView
    """What everybody saw after it."""
    chapters: tuple[Chapter, ...]


def veiled(say: Catalogue, table: Table, game: PastGame) -> Table:
    """Return the table with whoever keeps out of statistics unnamed; only for drawing."""
    return table._replace(
        players=tuple(
            player
            if past.ai or past.user is not None
            else player._replace(user=UserId(-1 - past.seat), name=say("history.player", number=past.seat + 1))
            for player, past in zip(table.players, game.seats, strict=True)
        )
    )


def replay_screen(say: Catalogue, table: Table, frame: Frame) -> PrivateScreen:
    """Show a step: what happened, what those eyes saw then, and the ways on."""
    return PrivateScreen(
        box(
            ASH,
            text(_over(say, frame)),
            *(_reveal(say, table, frame) if _ended(frame) else _scene(say, table, frame)),
            rule(),
            _moves(say, frame),
            row(_eyes(say, table, frame)),
            row(_rounds(say, table, frame)),
        )
    )


def _over(say: Catalogue, frame: Frame) -> str:
    place = say("replay.step", step=frame.at.step + 1, steps=frame.steps)
    name = edition(say, frame.seen.rules)
    told = say("replay.over", game=frame.game.number, edition=name, number=frame.round, rounds=frame.game.rounds)
    return f"-# {told}{DOT}{place}"


def _ended(frame: Frame) -> bool:
    return any(isinstance(event, RoundEnded) for event in frame.events)


def _reveal(say: Catalogue, table: Table, frame: Frame) -> list[ui.Item[Any] | None]:
    title, cards, came = told_again(say, table, frame.public)
    winner = frame.public.winner
    won = [] if winner is None else [say("replay.won", mention=who(table, winner))]
    return [text(title, *_played_for(say, table, frame)), text(*cards), rule(), text(*came, *won)]


def _scene(say: Catalogue, table: Table, frame: Frame) -> list[ui.Item[Any] | None]:
    view, eyes = frame.seen, frame.at.eyes
    told = happened(say, table, frame.events)
    dealt = view.phase in (Phase.BIDDING, Phase.BETS, Phase.SHUFFLE)
    seats = [_seat(say, table, frame, seat) for seat in view.seats if seat.living]
    out = [who(table, seat) for seat in view.out]
    blind = eyes is not None and not view.seats[eyes].living
    return [
        text(*[f"### {line}" for line in told[:1]], *told[1:], *_played_for(say, table, frame)),
        text(*seats, f"-# {say('table.seat.out', mentions=DOT.join(out))}" if out else None),
        text(*(_middle(say, table, view) if dealt else [])),
        text(*_bids(say, table, view)),
        text(f"-# {say('replay.blind', mention=who(table, eyes))}") if blind and eyes is not None else None,
    ]


def _played_for(say: Catalogue, table: Table, frame: Frame) -> list[str]:
    """Say that a move was not the player's own; an AI in its own seat is named as one already."""
    key = _FOR.get(frame.actor)
    mover = next((event.seat for event in frame.events if isinstance(event, _MOVES)), None)
    own = frame.actor == "ai" and mover is not None and table.players[mover].ai is not None
    return [] if key is None or own else [f"-# {say(key)}"]


def _seat(say: Catalogue, table: Table, frame: Frame, seat: SeatView) -> str:
    view = frame.seen
    worn = faces(seat.worn) if seat.worn else DOT.join([HIDDEN] * seat.feathers)
    extras = marks(say, seat)
    if seat.seat == frame.at.eyes and not seat.worn and worn:
        extras.append(say("replay.unseen"))
    behind = "".join(f"{DOT}{extra}" for extra in extras)
    key = "replay.seat_turn" if seat.seat == view.turn else "replay.seat"
    cards = f" **{worn}**" if worn else ""
    return say(key, purse=purse(view.rules, seat), mention=who(table, seat.seat), cards=cards, marks=behind)


def _middle(say: Catalogue, table: Table, view: PrivateView | OpenView) -> list[str]:
    """Say what lies in the centre, and a bet that those eyes know of."""
    lines = []
    if view.rules.has_centre:
        lines.append(
            say("look.centre") if view.centre is None else say("replay.centre", card=face(view.centre)),
        )
        if view.coyote_card is not None:
            lines.append(say("replay.beside", card=face(view.coyote_card)))
        elif view.coyote_used and view.coyote_holder is not None:
            lines.append(say("look.coyote", mention=who(table, view.coyote_holder)))
    if view.own_bet is not None and view.own_bet[0] is not None and view.viewer is not None:
        slots = {"mention": who(table, view.viewer), "target": who(table, view.own_bet[0])}
        lines.append(say("replay.own_bet", **slots))
    return lines


def _bids(say: Catalogue, table: Table, view: PrivateView | OpenView) -> list[str]:
    if view.bid is None or view.bidder is None:
        return []
    if view.duty is Duty.OTHER:  # it was refused and needn't be beaten
        return [whole_ladder(say, table, view.ladder)]
    beat = say("table.beat", bid=number(view.bid), bidder=who(table, view.bidder))
    return [beat, whole_ladder(say, table, view.ladder)] if len(view.ladder) > 1 else [beat]


def _moves(say: Catalogue, frame: Frame) -> ui.ActionRow[Any] | None:
    here, last = frame.at.step, frame.steps - 1

    def to(step: int, which: str) -> CustomId:
        return CustomId(Verb.REPLAY, prompt=1, argument=f"{frame.at._replace(step=step)}.{which}")

    return row(
        turn(say("replay.button.first"), to(0, "first"), "⏮", off=here <= 0),
        turn(say("replay.button.back"), to(max(0, here - 1), "back"), "◀", off=here <= 0),
        turn(say("replay.button.next"), to(min(last, here + 1), "next"), "▶", off=here >= last),
        turn(say("replay.button.last"), to(last, "last"), "⏭", off=here >= last),
    )


def _eyes(say: Catalogue, table: Table, frame: Frame) -> ui.Select[Any]:
    at = frame.at
    options = [
        option(say("replay.all"), str(at._replace(eyes=None)), say("replay.all_about"), chosen=at.eyes is None),
        *[
            option(
                say("replay.as_seat", name=called(table, Seat(seat))),
                str(at._replace(eyes=Seat(seat))),
                chosen=at.eyes == seat,
            )
            for seat in range(len(table.players))
        ],
    ]
    return pick(say("replay.pick_eyes"), CustomId(Verb.REPLAY, prompt=1, argument="eyes"), options)


def _rounds(say: Catalogue, table: Table, frame: Frame) -> ui.Select[Any]:
    """Return the rounds to jump to: all, or those around the one that is shown."""
    here = next((place for place, each in enumerate(frame.chapters) if each.number == frame.round), 0)
    start = max(0, min(here - MOST_OPTIONS // 2, len(frame.chapters) - MOST_OPTIONS))
    options = [
        option(
            say("replay.round", number=chapter.number),
            str(frame.at._replace(step=chapter.first)),
            _chapter(say, table, chapter.result),
            chosen=chapter.number == frame.round,
        )
        for chapter in frame.chapters[start : start + MOST_OPTIONS]
    ]
    return pick(say("replay.pick_round"), CustomId(Verb.REPLAY, prompt=1, argument="round"), options)


def _chapter(say: Catalogue, table: Table, result: Result | None) -> str | None:
    """Say in a few words how a round ended, in a label."""
    if result is None:
        return None
    if result.ending is Ending.SHOWDOWN and result.caller is not None and result.bidder is not None:
        slots = {"caller": called(table, result.caller), "bidder": called(table, result.bidder)}
        key = "replay.round_exposed" if result.loser == result.bidder else "replay.round_held"
        return say(key, bid=number(result.bid or 0), **slots)
    if result.ending is Ending.GUESS and result.loser is not None:
        return say("replay.round_guess", name=called(table, result.loser))
    return say("replay.round_void")


def replay_button(say: Catalogue, table: Table) -> ui.Button[Any]:
    """Make the button that opens the replay of a table's game, privately."""
    return press(say("replay.button.open"), CustomId(Verb.REPLAY, table.id), ButtonStyle.secondary, emoji="🎞️")
