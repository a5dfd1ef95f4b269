"""What the tables of all games share: clocks, pauses, votes, and the buttons that every game has.

A game's own table screen puts these between its own lines. `living` are the seats that are still playing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.engine.core import Seat
from bot.host.model import Dm, Stage, Table
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import Item, press, row
from bot.screens.names import mention
from bot.screens.votes import out_votes, pause_vote
from bot.screens.words import ago, called, countdown
from bot.text.catalogue import Catalogue

_MAX_AWAY_BUTTONS: Final = 4
"""How many away players have a vote button: a row holds five, and one is "I'm back"."""


def look_button(say: Catalogue, table: Table) -> ui.Button[Any]:
    """Make the button that shows somebody what they may see."""
    return press(say("table.button.look"), CustomId(Verb.LOOK, table.id), emoji="👁")


def more_button(say: Catalogue, table: Table) -> ui.Button[Any]:
    """Make the button that opens the private menu."""
    return press(say("table.button.more"), CustomId(Verb.MORE, table.id))


def next_round_buttons(say: Catalogue, table: Table, living: Sequence[Seat]) -> list[ui.Button[Any]]:
    """Make the buttons between rounds: deal now, or ask for a pause."""
    deal = press(say("table.button.deal"), CustomId(Verb.DEAL, table.id), ButtonStyle.primary)
    vote = pause_vote(table, living)
    label = (
        say("table.button.pause_count", count=len(vote.votes), needed=vote.needed)
        if vote.votes
        else say("table.button.pause")
    )
    return [deal, press(label, CustomId(Verb.PAUSE, table.id))]


def clock_lines(say: Catalogue, table: Table) -> list[str]:
    """Say when the time of the people who are asked runs out; nothing if no clock runs."""
    due = [deadline.due for deadline in table.deadlines if table.players[deadline.seat].acting_ai is None]
    return [say("table.clock", time=countdown(min(due)))] if due else []


def paused_lines(say: Catalogue, table: Table, living: Sequence[Seat]) -> list[str]:
    """Say why the table is paused, and how many want to go on."""
    pause = table.pause
    if pause is None or pause.asked_by is None or table.is_suspended:
        return [say("table.paused.title"), say("table.paused.unreachable")]
    vote = pause_vote(table, living)
    since = say("table.paused.since", mention=mention(pause.asked_by), time=ago(pause.since))
    wanted = [say("table.paused.go_on", count=len(vote.votes), needed=vote.needed)] if vote.votes else []
    return [say("table.paused.title"), since, *wanted]


def paused_row(say: Catalogue, table: Table, living: Sequence[Seat]) -> ui.ActionRow[Any] | None:
    """Make the buttons of a paused table: go on, if the players can decide that, and look."""
    vote = pause_vote(table, living)
    label = say("table.button.go_on", count=len(vote.votes), needed=vote.needed)
    agreed = table.pause is not None and not table.is_suspended
    go_on = press(label, CustomId(Verb.PAUSE, table.id), ButtonStyle.primary) if agreed else None
    return row(go_on, look_button(say, table), more_button(say, table))


def away_row(say: Catalogue, table: Table, living: Sequence[Seat]) -> ui.ActionRow[Any] | None:
    """Make the buttons to come back, and to go on without those who are away; no row if nobody is."""
    away = out_votes(table, living)
    if not away or table.stage is not Stage.PLAYING:
        return None
    votes: list[Item] = [
        press(
            say("table.button.vote", name=called(table, seat), count=len(vote.votes), needed=vote.needed),
            CustomId(Verb.VOTE, table.id, argument=str(table.players[seat].user)),
        )
        for seat, vote in away[:_MAX_AWAY_BUTTONS]
    ]
    return row(press(say("table.button.back"), CustomId(Verb.BACK, table.id), ButtonStyle.success), *votes)


def note_lines(say: Catalogue, table: Table, living: Sequence[Seat]) -> list[str]:
    """Say what is worth knowing at any table: closed DMs, a match that is not rated, who wants a pause."""
    lines = []
    if any(table.players[seat].dm is Dm.SHUT for seat in living):
        lines.append(say("table.force.look_legend"))
    # Where AIs have seats of their own, the lobby has said so already.
    seated = any(player.ai is not None for player in table.players)
    if table.ai_played and not seated and not table.is_rated and table.house.counts:
        lines.append(say("ai_players.table.unrated"))
    vote = pause_vote(table, living)
    if table.pause is None and vote.votes:
        asking = say.listing([mention(user) for user in vote.votes])
        lines.append(say("table.votes.pause", mentions=asking, count=len(vote.votes), needed=vote.needed))
    return lines
