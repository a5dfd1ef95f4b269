"""The parts of the table message that all games share: clocks, pauses, votes, and the buttons that every game has.

A game's own table screen puts these between its own lines. `living` are the seats that are still playing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import ButtonStyle, ui

from bot.engine.core import Seat
from bot.host.model import FIRST_MATCHES, Dm, Stage, Table
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import MOST_IN_ROW, Item, press, row
from bot.screens.names import mention
from bot.screens.votes import out_votes, pause_vote
from bot.screens.words import ago, countdown, look_emoji, seat_label, who
from bot.text.catalogue import Catalogue


def look_button(say: Catalogue, table: Table) -> ui.Button[Any]:
    """Make the button that shows somebody what they may see."""
    return press(say("table.button.look"), CustomId(Verb.LOOK, table.id), emoji=look_emoji(say))


def more_button(say: Catalogue, table: Table) -> ui.Button[Any]:
    """Make the button that opens the private menu."""
    return press(say("table.button.more"), CustomId(Verb.MORE, table.id))


def next_round_buttons(say: Catalogue, table: Table, living: Sequence[Seat]) -> list[ui.Button[Any]]:
    """Make the buttons between rounds: deal now, or ask for a pause."""
    deal = press(say("table.button.deal"), CustomId(Verb.DEAL, table.id), ButtonStyle.primary)
    # If only AI players are left, nobody could agree to a pause.
    return [deal, _pause_button(say, table, living)] if pause_vote(table, living).needed else [deal]


def _pause_button(say: Catalogue, table: Table, living: Sequence[Seat]) -> ui.Button[Any]:
    vote = pause_vote(table, living)
    label = (
        say("table.button.pause_count", count=len(vote.votes), needed=vote.needed)
        if vote.votes
        else say("table.button.pause")
    )
    return press(label, CustomId(Verb.PAUSE, table.id))


def clock_lines(say: Catalogue, table: Table) -> list[str]:
    """Say when time runs out for the people who must answer; nothing if no clock runs."""
    due = [deadline.due for deadline in table.deadlines if table.players[deadline.seat].acting_ai is None]
    return [say("table.clock", time=countdown(min(due)))] if due else []


def paused_lines(say: Catalogue, table: Table, living: Sequence[Seat]) -> list[str]:
    """Say why the table is paused, and how many want to go on."""
    pause = table.pause
    if pause is None or pause.asked_by is None or table.is_suspended:
        return [say("table.paused.title"), say("table.paused.unreachable")]
    vote = pause_vote(table, living)
    since = say("table.paused.since", mention=mention(say, pause.asked_by), time=ago(pause.since))
    wanted = [say("table.paused.go_on", count=len(vote.votes), needed=vote.needed)] if vote.votes else []
    return [say("table.paused.title"), since, *wanted]


def paused_row(
    say: Catalogue, table: Table, living: Sequence[Seat], other: ui.Button[Any] | None = None
) -> ui.ActionRow[Any] | None:
    """Make the buttons of a paused table: go on, if the players can decide that, look, and the game's own."""
    vote = pause_vote(table, living)
    if vote.needed == 1:
        label = say("table.button.go_on_alone")
    else:
        label = say("table.button.go_on", count=len(vote.votes), needed=vote.needed)
    agreed = table.pause is not None and not table.is_suspended
    go_on = press(label, CustomId(Verb.PAUSE, table.id), ButtonStyle.primary) if agreed else None
    return row(go_on, look_button(say, table), other, more_button(say, table))


def votes_row(say: Catalogue, table: Table, living: Sequence[Seat]) -> ui.ActionRow[Any] | None:
    """Make the buttons of votes: for a pause that somebody asked for, to come back, and to go on without those away.

    No row if there is nothing to vote on. Between rounds there is a pause button anyway (`next_round_buttons`).
    """
    if table.stage is not Stage.PLAYING:
        return None
    away = out_votes(table, living)
    buttons: list[Item] = []
    if table.pause is None and table.next_deal is None and pause_vote(table, living).votes:
        buttons.append(_pause_button(say, table, living))
    if away:
        buttons.append(press(say("table.button.back"), CustomId(Verb.BACK, table.id), ButtonStyle.success))
    buttons += [
        press(
            say("table.button.vote", name=seat_label(say, table, seat), count=len(vote.votes), needed=vote.needed),
            CustomId(Verb.VOTE, table.id, argument=str(table.players[seat].user)),
        )
        for seat, vote in away
    ]
    return row(*buttons[:MOST_IN_ROW])


def first_game_lines(say: Catalogue, table: Table, living: Sequence[Seat]) -> list[str]:
    """Ask those who play their first game to look; nothing if all have played before."""
    new = [who(say, table, seat) for seat in living if table.players[seat].learning == FIRST_MATCHES]
    look = say("table.button.look")
    return [say("table.force.first_game", mentions=say.listing(new), look=look)] if new else []


def note_lines(say: Catalogue, table: Table, living: Sequence[Seat]) -> list[str]:
    """Say what is worth knowing at any table: closed DMs, and who wants a pause."""
    lines = []
    if any(table.players[seat].dm is Dm.SHUT for seat in living):
        lines.append(say("table.force.look_legend", look=say("table.button.look")))
    vote = pause_vote(table, living)
    if table.pause is None and vote.votes:
        asking = say.listing([mention(say, user) for user in vote.votes])
        lines.append(say("table.votes.pause", mentions=asking, count=len(vote.votes), needed=vote.needed))
    return lines
