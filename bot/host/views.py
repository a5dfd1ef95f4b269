"""Returns what a user may see of a table's match. Everything that is shown of a match comes from here."""

from __future__ import annotations

from typing import Any, NamedTuple

from bot.engine.core import DEALER, Json, Seat
from bot.engine.packing import reader
from bot.engine.registry import RULES
from bot.engine.views import Open, Private, Public, PublicQuestion, laid_open, private, public
from bot.host.ai_seats import only_ais_play
from bot.host.model import Remark, SettledGuess, Stage, Table, UserId


def view(table: Table, user: UserId | None) -> Any:
    """Return the game's view for this user's seat, a bystander's for everybody else; None before the match.

    A table that was stopped shows everybody what a bystander sees: nobody is playing any more.
    """
    if table.match is None:
        return None
    seat = None if user is None or table.stage is Stage.CLOSED else table.seat_of(user)
    return RULES[table.game].view_for(table.match, seat)


def public_view(table: Table) -> Public[Any]:
    """Return what everybody may see of a match that has begun."""
    return public(RULES[table.game].view_for(table.match, None))


def private_view(table: Table, user: UserId) -> Private[Any]:
    """Return what a player of a running match may see; anybody else has no private view."""
    seat = table.seat_of(user)
    if seat is None or table.stage is not Stage.PLAYING:
        raise ValueError("only somebody at a running table has a private view")
    return private(RULES[table.game].view_for(table.match, seat), seat)


def is_laid_open(table: Table) -> bool:
    """Return whether looks show everything: no person is in the match, and nobody can come back into it.

    If people took part, the house rules decide. Where AI players alone sat down, there is nobody to hide anything from.
    """
    if table.stage is not Stage.PLAYING or not only_ais_play(table):
        return False
    return table.house.open_looks or all(player.ai is not None for player in table.players)


def may_see_all(table: Table, user: UserId) -> bool:
    """Return whether a user's look shows everything: nobody plays, or they are out and the house allows it."""
    if is_laid_open(table):
        return True
    seat = table.seat_of(user)
    is_out = seat is not None and table.stage is Stage.PLAYING and seat not in living_seats(table)
    return is_out and table.house.out_may_look


def open_view(table: Table, user: UserId) -> Open[Any]:
    """Return a view with nothing hidden; only for a user who `may_see_all`."""
    if not may_see_all(table, user):
        raise ValueError("this user must not see everything")
    return laid_open(RULES[table.game].open_view(table.match))


def public_questions(table: Table) -> tuple[PublicQuestion, ...]:
    """Return the open questions to the players, each with only the choices that the game calls public."""
    game = RULES[table.game]
    return tuple(
        PublicQuestion(prompt.id, prompt.seat, game.public_choices(prompt))
        for prompt in game.prompts(table.match)
        if prompt.seat != DEALER
    )


def living_seats(table: Table) -> tuple[Seat, ...]:
    """Return the seats that are still playing in a running match."""
    return RULES[table.game].seated(table.match)


class Record(NamedTuple):
    """The end of a round as a bystander saw it."""

    before: Public[Any]
    """The view just before the last action: what was said in the round."""
    after: Public[Any]
    """The view just after it: the reveal."""
    rounds: int
    """How many rounds had ended by then."""
    remarks: tuple[Remark, ...] = ()
    """What the AIs say about it."""
    explained: tuple[Remark, ...] = ()
    """What they said about the round before."""
    guessed: tuple[SettledGuess, ...] = ()
    """What bystanders had guessed."""
    guessed_before: tuple[SettledGuess, ...] = ()
    """What they had guessed in the round before."""


def record_of(table: Table, payload: Json) -> Record:
    """Read the payload of OutboxKind.RECORD."""
    game = RULES[table.game]
    before = after = game.load(payload["before"])
    for action in payload["actions"]:
        after = game.apply(after, game.load_action(action)).state
    return Record(
        public(game.view_for(before, None)),
        public(game.view_for(after, None)),
        game.rounds_ended(after),
        _remarks(payload.get("remarks", ())),
        _remarks(payload.get("explained", ())),
        _guesses(payload.get("guessed", ())),
        _guesses(payload.get("guessed_before", ())),
    )


_remarks = reader(tuple[Remark, ...])
_guesses = reader(tuple[SettledGuess, ...])
