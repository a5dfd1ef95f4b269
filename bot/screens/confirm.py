"""Asks before something that cannot be undone: a private question with a button for each answer."""

from __future__ import annotations

from typing import Final

from discord import ButtonStyle

from bot.host.model import Stage, Table, UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import PrivateScreen, press, row, text
from bot.screens.words import named
from bot.text.catalogue import Catalogue

CANCEL: Final = "cancel"
"""The argument that confirms cancelling a lobby, but not a match that has begun since the question."""


def leave_screen(say: Catalogue, table: Table, user: UserId, *, living: bool, dealt: bool = True) -> PrivateScreen:
    """Ask whether the user really wants to leave for good, and say what that does to the match.

    `living`: they are still playing; `dealt`: there is a round that would be void.
    """
    if [person.user for person in table.people] == [user] and table.host == user:
        question = say("confirm.leave_last")
    elif not living:
        question = say("confirm.leave_out")
    elif table.house.ai_for_left:
        question = say("confirm.leave_to_ai")
    else:
        question = say("confirm.leave") if dealt else say("confirm.leave_between")
    leave = CustomId(Verb.LEAVE, table.id, argument="yes")
    return confirm_screen(say, table, question, say("confirm.leave_yes"), leave)


def stop_screen(say: Catalogue, table: Table) -> PrivateScreen:
    """Ask whether to cancel the lobby, or to stop the game for everyone."""
    if table.stage is Stage.LOBBY:
        cancel = CustomId(Verb.STOP, table.id, argument=CANCEL)
        return confirm_screen(say, table, say("confirm.cancel"), say("confirm.cancel_yes"), cancel)
    stop = CustomId(Verb.STOP, table.id, argument="yes")
    return confirm_screen(say, table, say("confirm.stop"), say("confirm.stop_yes"), stop)


def remove_screen(say: Catalogue, table: Table, whom: UserId) -> PrivateScreen:
    """Ask the host whether to remove somebody from the lobby for good."""
    remove = CustomId(Verb.KICK, table.id, argument=str(whom))
    return confirm_screen(
        say, table, say("confirm.remove", mention=named(say, table, whom)), say("confirm.remove_yes"), remove
    )


def kept_screen(say: Catalogue) -> PrivateScreen:
    """Say that nothing has happened, after "never mind"."""
    return PrivateScreen(text(say("confirm.kept")))


def confirm_screen(say: Catalogue, table: Table, question: str, yes: str, doing: CustomId) -> PrivateScreen:
    """Ask a question with two answers: `yes`, which does it, and "never mind"."""
    return PrivateScreen(
        text(question),
        row(press(yes, doing, ButtonStyle.danger), press(say("confirm.no"), CustomId(Verb.KEEP, table.id))),
    )
