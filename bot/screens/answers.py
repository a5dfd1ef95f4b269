"""Private one-sentence answers to a user who pressed something."""

from __future__ import annotations

from enum import StrEnum

from bot.host.model import Dm, Table
from bot.screens.layout import PrivateScreen, text
from bot.text.catalogue import Catalogue


class Done(StrEnum):
    """What has just been done for a user. Those that name a person need `mention`."""

    LEFT = "lobby.done.left"
    LEFT_FOR_GOOD = "menu.left"
    PASSED = "lobby.done.passed"
    STARTER = "lobby.done.starter"
    CHANCE = "lobby.done.chance"
    KICKED = "lobby.done.kicked"
    PINGS_ON = "menu.pings_on"
    PINGS_OFF = "menu.pings_off"
    HALF_KEPT = "menu.half_kept"
    PAUSE_ASKED = "menu.pause_asked"
    PAUSED = "menu.paused"
    GO_ON_ASKED = "menu.go_on_asked"
    GOES_ON = "menu.goes_on"
    VOTED = "menu.voted"
    BACK = "menu.back"
    POSTED = "menu.posted"
    REMATCH = "menu.rematch"
    STOPPED = "menu.stopped"


def done_screen(say: Catalogue, done: Done, **slots: object) -> PrivateScreen:
    """Say that it is done."""
    return PrivateScreen(text(say(done.value, **slots)))


def joined_screen(say: Catalogue, table: Table, dm: Dm) -> PrivateScreen:
    """Welcome somebody to the table, and say how they will see what only they may see."""
    match dm:
        case Dm.OPEN:
            welcome = say("lobby.done.joined_dm")
        case Dm.SHUT:
            welcome = say("lobby.done.joined_look")
        case _:
            welcome = say("lobby.done.joined")
    return PrivateScreen(text(welcome))


def time_screen(say: Catalogue, slow: int) -> PrivateScreen:
    """Confirm how much time somebody has from now on."""
    return PrivateScreen(text(say(f"menu.time_saved_{slow}")))


def failure_text(say: Catalogue, record: str, *, saved: bool | None = None) -> str:
    """Apologise for a fault of ours and say whether the move was saved; `saved` is None if there was no move."""
    if saved is None:
        return say("failure.ours", record=record)
    return say("failure.saved" if saved else "failure.unsaved", record=record)


def permission_text(say: Catalogue, channel: int, permission: str, *, playing: bool = True) -> str:
    """Ask for a missing permission, by Discord's own name for it. `playing`: there is a table already."""
    key = "failure.permission" if playing else "failure.permission_to_open"
    return say(key, channel=f"<#{channel}>", permission=permission)


def storage_text(say: Catalogue) -> str:
    """Say that nothing can be saved at the moment."""
    return say("failure.storage")
