"""Private one-sentence answers to a user who pressed something."""

from __future__ import annotations

from enum import StrEnum

from bot.host.model import Dm, Table
from bot.screens.game_names import spelled_out
from bot.screens.layout import PrivateScreen, link, row, text
from bot.text.catalogue import Catalogue, catalogue


class Done(StrEnum):
    """What has just been done for a user. Those that name a person need `mention`."""

    LEFT = "lobby.done.left"
    LEFT_FOR_GOOD = "menu.left"
    PASSED = "lobby.done.passed"
    STARTER = "lobby.done.starter"
    CHANCE = "lobby.done.chance"
    KICKED = "lobby.done.kicked"
    SHUFFLED = "lobby.done.shuffled"
    MOVED = "lobby.done.moved"
    PINGS_ON = "menu.pings_on"
    PINGS_OFF = "menu.pings_off"
    PICTURES_ON = "menu.pictures_on"
    PICTURES_OFF = "menu.pictures_off"
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
    """Confirm what was done for the user."""
    return PrivateScreen(text(say(done.value, **slots)))


def joined_screen(say: Catalogue, table: Table, dm: Dm, *, elsewhere: bool = False) -> PrivateScreen:
    """Welcome somebody to the table, and say how they will see what only they may see.

    `elsewhere`: they joined from outside the table's own thread.
    """
    look = say.button("table.button.look")
    match dm:
        case Dm.OPEN:
            welcome = say("lobby.done.joined_dm", look=look)
        case Dm.SHUT:
            welcome = say("lobby.done.joined_look", look=look)
        case _:
            welcome = say("lobby.done.joined", look=look)
    return PrivateScreen(text(welcome, say("lobby.done.table_in", where=f"<#{table.channel}>") if elsewhere else ""))


def time_screen(say: Catalogue, slow: int) -> PrivateScreen:
    """Confirm how much time somebody has from now on."""
    return PrivateScreen(text(say(f"menu.time_saved_{slow}")))


def failure_text(say: Catalogue, record: str, *, saved: bool | None = None) -> str:
    """Apologise for a fault of ours and say whether the move was saved; `saved` is None if there was no move."""
    if saved is None:
        return say("failure.ours", record=record)
    return say("failure.saved" if saved else "failure.unsaved", record=record)


def language_screen(say: Catalogue, language: str | None) -> PrivateScreen:
    """Say in which language the bot speaks to the user from now on; None means that of their Discord client."""
    if language is None:
        return PrivateScreen(text(say("menu.language_saved_auto")))
    return PrivateScreen(text(say("menu.language_saved", language=catalogue(language)("language.name"))))


def permission_text(say: Catalogue, channel: int, permission: str, *, playing: bool = True) -> str:
    """Ask for a missing permission, by Discord's own name for it. `playing`: a table is already open."""
    key = "failure.permission" if playing else "failure.permission_to_open"
    return say(key, channel=f"<#{channel}>", permission=permission_name(say, permission))


def permission_name(say: Catalogue, permission: str) -> str:
    """Return the name that Discord shows for a permission in this language."""
    permission = "view_channel" if permission == "read_messages" else permission  # discord.py has both names for it
    named = f"permission.{permission}"
    return say(named) if named in say else spelled_out(permission)


def files_text(say: Catalogue, channel: int) -> str:
    """Ask the server's managers for permission to send pictures; the game goes on without them."""
    return say("failure.no_files", channel=f"<#{channel}>", permission=say("permission.attach_files"))


def not_here_screen(say: Catalogue, invite: str) -> PrivateScreen:
    """Say that the bot is not a member of the server, with a link to invite it."""
    return PrivateScreen(text(say("failure.not_here")), row(link(say("failure.button_invite"), invite)))


def storage_text(say: Catalogue) -> str:
    """Say that nothing can be saved at the moment."""
    return say("failure.storage")
