"""What is said to one person and in single lines: privacy, answers, failures, notices, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final

from bot.engine.core import Rejected, Seat
from bot.games.coyote.rules.actions import Bet, Call
from bot.games.coyote.rules.actions import Reason as CoyoteReason
from bot.games.coyote.rules.editions import Problem as CoyoteProblem
from bot.games.plenty_coups.rules.actions import Reason as PlentyReason
from bot.games.plenty_coups.rules.options import Problem as PlentyProblem
from bot.host import views
from bot.host.commands import HostReason, Notice
from bot.host.model import Dm, Pause, Stage, Table, UserId
from bot.house_rules.reasons import HouseReason
from bot.screens import answers
from bot.screens.confirm import kept_screen, remove_screen
from bot.screens.dms import no_seat_dm
from bot.screens.final import closed_screen
from bot.screens.layout import PrivateScreen, Screen, text
from bot.screens.lobby import announcement_screen
from bot.screens.notices import notice_text, ping_text, remind_text, restart_text
from bot.screens.plain import plain_text
from bot.screens.privacy import (
    Known,
    counted_screen,
    delete_screen,
    deleted_screen,
    export_screen,
    privacy_screen,
    unfinished_screen,
    unknown_screen,
)
from bot.screens.refusals import refusal_screen
from bot.screens.stats.season import closed_text
from bot.stats.model import Season
from bot.stats.reasons import StatsReason
from tests.games.plenty_coups.rules.cases import do, given
from tests.games.plenty_coups.ui.table_scenes import SUMMER, seated
from tests.games.plenty_coups.ui.tables import SAY as PLENTY
from tests.games.plenty_coups.ui.tables import a_table as a_plenty_table
from tests.screens.scenes import CHANNEL, FEATHERS, SAY, STORY, a_table, bids, dealt, played, public_of, story
from tests.text.speaking import spoken

Shown = Iterator[tuple[str, Screen]]
KNOWN: Final = Known(anything=True, tables=12, seated=2, opted_out=False)
NOBODY: Final = Known(anything=False, tables=0, seated=0, opted_out=False)
GUESSED: Final = FEATHERS | {"guess_along": 5}
BETS: Final = {"edition": "peek", "variant": True}


def line(words: str) -> Screen:
    """Return a message of one text, as it is posted or answered."""
    return PrivateScreen(text(words))


def privacy() -> Shown:
    """Yield everything about a person's data."""
    yield "privacy", privacy_screen(SAY, KNOWN, 30)
    yield "privacy, one table, opted out", privacy_screen(SAY, KNOWN._replace(opted_out=True, tables=1, seated=1), 0)
    yield "privacy, nothing known", privacy_screen(SAY, NOBODY, 1)
    yield "delete?", delete_screen(SAY, KNOWN)
    yield "delete, at no table?", delete_screen(SAY, KNOWN._replace(seated=0))
    yield "deleted", deleted_screen(SAY, 30, reaches_files=True)
    yield "deleted, files elsewhere", deleted_screen(SAY, 30, reaches_files=False)
    yield "not all deleted yet", unfinished_screen(SAY)
    yield "nothing to delete", unknown_screen(SAY)
    yield "out of statistics", counted_screen(SAY, opted_out=True)
    yield "in statistics again", counted_screen(SAY, opted_out=False)
    yield "export", export_screen(SAY, packed=False)
    yield "export, packed", export_screen(SAY, packed=True)


def private_answers() -> Shown:
    """Yield the answers to menus and commands, questions before what cannot be undone, and failures."""
    table, plenty = a_table(3, stage=Stage.LOBBY, match=None), a_plenty_table(3, stage=Stage.LOBBY, match=None)
    for done in answers.Done:
        yield f"done: {done.name.lower()}", answers.done_screen(SAY, done, mention="<@1002>")
    for say, at in ((SAY, table), (PLENTY, plenty)):
        for dm in (Dm.OPEN, Dm.SHUT, Dm.OFF):
            elsewhere = dm is Dm.OFF
            yield f"{at.game}, joined, {dm.name}", answers.joined_screen(say, at, dm, elsewhere=elsewhere)
        yield f"{at.game}, announced", announcement_screen(say, at)
        yield f"{at.game}, no seat", no_seat_dm(say, at, UserId(1), 4_000)
        for by, match in ((None, None), (UserId(1002), None), (None, story()), (UserId(1002), story())):
            closed = at._replace(stage=Stage.CLOSED, ended_by=by, match=match)
            yield f"{at.game}, closed", closed_screen(say, closed, played=5)
    for slow in (1, 2, 4):
        yield f"time {slow}", answers.time_screen(SAY, slow)
    for language in (None, "de", "en"):
        yield f"language {language}", answers.language_screen(SAY, language)
    yield "remove?", remove_screen(SAY, table, UserId(1002))
    yield "never mind", kept_screen(SAY)
    yield "season closed", line(closed_text(SAY, Season(3, None)))
    for saved in (None, True, False):
        yield f"failure, saved: {saved}", line(answers.failure_text(SAY, "7F3A", saved=saved))
    for permission in ("send_messages", "send_messages_in_threads", "manage_threads", "attach_files"):
        yield f"lacks {permission}", line(answers.permission_text(SAY, CHANNEL, permission))
    yield "lacks view_channel to open", line(answers.permission_text(SAY, CHANNEL, "view_channel", playing=False))
    yield "no files", line(answers.files_text(SAY, CHANNEL))
    yield "not a member", answers.not_here_screen(SAY, "https://discord.com/invite")
    yield "storage", line(answers.storage_text(SAY))
    yield "without names", line(plain_text(SAY, a_table(3), "<@1002> <@7>"))


def notices() -> Shown:
    """Yield all lines in the channel: notices, pings, reminders, and what is said after a restart."""
    changes = [["threshold", 3, 2], ["turn_seconds", 90, None]]
    payload: dict[str, Any] = {"user": 1002, "ai": "Hazel", "line": "Well bid!", "changes": changes}
    coyote, plenty = a_table(5, FEATHERS), seated(SUMMER)
    for say, table, verbs in (
        (SAY, coyote, ("bid", "call", "bet")),
        (PLENTY, plenty, ("take", "end", "hunt", "hunt_discard", "give", "prove", "decline")),
    ):
        game = table.game
        for key in Notice:
            about = {**payload, "key": key, "do": verbs[0], "number": 14}
            by = {} if key is Notice.RESUMED else {"by": 1001}
            yield f"{game}, {key}", line(notice_text(say, table, {**about, **by}) or "—")
        for key in (Notice.STAND_IN, Notice.LEFT_TO_AI):
            ranked = {**payload, "key": key, "do": verbs[0], "number": 14, "place": 2}
            yield f"{game}, {key}, ranked", line(notice_text(say, table, ranked))
        for verb in verbs:
            late = {**payload, "key": Notice.TIMED_OUT, "do": verb, "number": -3}
            yield f"{game}, timed out: {verb}", line(notice_text(say, table, late))
        yield f"{game}, reminder", line(remind_text(say, UserId(1002), 1_800_000_000_500))
    betting = played(bids(dealt(BETS, (5, 10, 3, 1), 2), 9), Call(Seat(1)))
    for name, state in (("turn", story()), ("bets", betting)):
        yield f"ping, {name}", line(ping_text(SAY, coyote, UserId(1002), public_of(state)))
    disdained = seated(given(black="stick horse"), do("black", "disdain", target="green"))
    bet = played(betting, Bet(Seat(2), Seat(0)), Bet(Seat(3), Seat(0)))
    paused = Pause(0, UserId(1001))
    waiting: dict[str, Table] = {
        "lobby": coyote._replace(stage=Stage.LOBBY, match=None),
        "turn": coyote._replace(match=story()),
        "turn, no clock": coyote._replace(match=story(), deadlines=()),
        "paused": coyote._replace(match=story(), pause=paused),
        "bets": a_table(4, BETS, match=betting),
        "called": a_table(5, GUESSED, match=played(bids(dealt(GUESSED, STORY), 8), Call(Seat(1)))),
        "between": a_table(4, BETS, match=bet),
        "plenty": plenty,
        "plenty, no clock": plenty._replace(deadlines=()),
        "plenty, answer": disdained,
        "plenty, answer, no clock": disdained._replace(deadlines=()),
    }
    for name, table in waiting.items():
        seen = None if table.match is None else views.public_view(table)
        yield f"restart, {name}", line(restart_text(spoken(table.game), table, seen))


_BIDDING: Final = {"turn": Seat(2), "after": Seat(3), "bid": 14, "lowest": 15, "highest": 999, "may_call": True}
_OPENING: Final = _BIDDING | {"bid": None, "lowest": 1, "may_call": False}
_STATES: Final[tuple[dict[str, Any], ...]] = (
    _BIDDING,
    _BIDDING | {"may_call": False},
    _BIDDING | {"bid": 999, "lowest": 1000},
    _BIDDING | {"lowest": 10, "may_call": False},
    _OPENING,
    {},
)
"""The details that a move at Coyote is refused with: by what was bid, and what may be done."""
_PEOPLE: Final = {"host": 1001, "whom": 1002, "asked": (1002, 1003), "missing": (1003,)}
_DETAILS: Final[dict[StrEnum, tuple[dict[str, Any], ...]]] = {
    CoyoteProblem.UNKNOWN_EDITION: ({"value": "x", "allowed": ("feathers", "peek")},),
    CoyoteProblem.UNKNOWN_OPTION: ({"option": "x"},),
    CoyoteProblem.NOT_ALLOWED: (
        {"option": "coins", "value": "x"},
        {"option": "variant", "value": "x", "allowed": (False, True)},
    ),
    CoyoteProblem.OUT_OF_RANGE: tuple(
        {"option": option, "value": 9, "lowest": 2, "highest": 5} for option in ("threshold", "coins", "open_eyes", "x")
    ),
    CoyoteProblem.NOT_A_DECK: ({"value": "x"},),
    CoyoteProblem.DECK_TOO_SMALL: ({"cards": 3, "needed": 6},),
    CoyoteProblem.DECK_TOO_LARGE: ({"cards": 300, "highest": 200},),
    CoyoteProblem.TOO_FEW_PLAYERS: ({"players": 1, "lowest": 3}, {"players": 2, "lowest": 3}),
    CoyoteProblem.TOO_MANY_PLAYERS: ({"players": 13, "highest": 12},),
    CoyoteProblem.LIMITS_CROSSED: ({"lowest": 6, "highest": 3},),
    PlentyReason.ACTIONS_LEFT: ({"actions": 2},),
    PlentyReason.TOO_WEAK: ({"above": 5}, {"at_least": 6}),
    PlentyReason.TOO_LOW: ({"at_least": 3}, {"above": 3}),
    PlentyReason.PROPOSAL_TOO_LOW: ({"above": 3},),
    PlentyReason.WRONG_CARDS: ({}, {"needed": 2}),
    PlentyReason.TOO_FEW_PLAYERS: ({"lowest": 4},),
    PlentyReason.TOO_FEW_HORSES: ({"lowest": 2},),
    PlentyReason.TOO_MANY_HORSES: ({"highest": 3},),
    PlentyReason.UNDONE_TOO_OFTEN: ({"highest": 6},),
    PlentyProblem.NOT_ALLOWED: ({"option": "plenty-coups.winter_hunting", "value": 3, "allowed": (False, True)},),
    PlentyProblem.OUT_OF_RANGE: ({"option": "plenty-coups.rounds", "value": 12, "lowest": 3, "highest": 9},),
    PlentyProblem.LIMITS_CROSSED: ({"lowest": 5, "highest": 3},),
    PlentyProblem.UNKNOWN_OPTION: ({"option": "x", "allowed": ("tribes",)},),
    PlentyProblem.TOO_FEW_PLAYERS: ({"players": 1, "lowest": 2},),
    PlentyProblem.TOO_MANY_PLAYERS: ({"players": 7, "highest": 6},),
    PlentyProblem.NOT_TRIBES: ({"value": "x", "needed": 3, "allowed": ("black", "yellow")},),
    PlentyProblem.NO_SUCH_STARTER: ({"starter": 9},),
    HostReason.NOT_AWAY: ({"whom": 1002},),
    HostReason.NOT_AT_TABLE: ({}, {"whom": 1009}),
    HostReason.ELIMINATED: ({}, {"whom": 1002}),
    HostReason.TABLE_FULL: ({}, {"seats": 6}),
    HostReason.TOO_MANY_SEATED: ({"players": 8, "seats": 6}, {"players": 1, "seats": 0}),
    HostReason.TOO_FEW: (
        {},
        {"players": 1, "lowest": 3, "missing": 2},
        {"players": 2, "lowest": 3, "missing": 1},
    ),
    HostReason.STALE: ({}, {"asked": (1002, 1003)}, {"asked": (1002,)}),
    HostReason.PAUSED: ({"asked_by": None, "why": "x"}, {"asked_by": 1002}),
    HostReason.ALREADY_VOTED: ({}, {"missing": (1003,)}),
    HostReason.HOST_ONLY: ({"host": 1001},),
    HostReason.MAY_NOT_STOP: tuple({"host": 1001, "who": who} for who in ("host", "players", "managers")),
    HostReason.TOO_MANY_TABLES: ({}, {"at_once": 1}, {"at_once": 5}),
    HostReason.OTHER_GAME: ({"game": "High Card", "group": "highcard"},),
    StatsReason.A_BOT: ({"whom": 5},),
    StatsReason.NEVER_PLAYED: ({"whom": 5},),
    StatsReason.KEEPS_OUT: ({"whom": 5},),
    StatsReason.NEVER_MET: ({"whom": 5, "other": 6},),
    StatsReason.NO_SUCH_GAME: ({"game": 7, "newest": 6}, {"game": 7, "newest": None}),
    StatsReason.NO_SUCH_PERIOD: ({"value": "yesterday"},),
    StatsReason.SEASON_EMPTY: ({"season": 3},),
    StatsReason.SEASON_CLOSED: ({"season": 3},),
    HouseReason.NO_SUCH: tuple(
        {"noun": "deck", "value": "Tiny", "allowed": ("Small",), "nearest": nearest} for nearest in ("Small", None)
    ),
    HouseReason.TOO_MANY: ({"noun": "deck", "highest": 20},),
    HouseReason.BAD_NAME: ({"noun": "deck", "value": "<x>", "highest": 24},),
    HouseReason.OTHER_CHANNEL: ({"channels": (3_000, 3_001)},),
    HouseReason.ROLE_NEEDED: ({"role": 7},),
    HouseReason.TOO_MANY_CHANNELS: ({"value": 40, "highest": 25},),
    HouseReason.OTHER_VERSION: ({"value": 9, "highest": 1},),
    HouseReason.TOO_LONG: ({"highest": 65_536},),
    HouseReason.NOT_A_PAIR: ({"value": "pings"},),
    HouseReason.UNKNOWN_KEY: ({"value": "ping", "nearest": "pings"}, {"value": "ghost", "nearest": None}),
    HouseReason.NOT_A_CHANNEL: ({"value": "x"},),
    HouseReason.NOT_ONE_OF: (
        {"option": "pings", "value": "x", "allowed": (True, False), "nearest": True},
        {"option": "edition", "value": "x", "allowed": ("scout", "peek"), "nearest": "peek"},
    ),
    HouseReason.NOT_AMOUNTS: ({"option": "coins", "value": "x", "allowed": ("extra", "skip")},),
    HouseReason.NOT_A_NUMBER: tuple(
        {"option": option, "value": "x", "lowest": 2, "highest": 5, "nearest": 3}
        for option in ("threshold", "open_eyes", "coins", "min_players")
    ),
    HouseReason.OUT_OF_RANGE: tuple(
        {"option": option, "value": 9, "lowest": 2, "highest": 5, "nearest": 5}
        for option in ("threshold", "open_eyes", "coins", "min_players")
    ),
    HouseReason.NOT_A_TIME: tuple(
        {"option": "turn_seconds", "value": "x", "lowest": 10, "highest": 604_800, "nearest": 60, "off": off}
        for off in (True, False)
    ),
    HouseReason.TIME_OUT_OF_RANGE: tuple(
        {"option": "turn_seconds", "value": 1, "lowest": 10, "highest": 604_800, "nearest": 60, "off": off}
        for off in (True, False)
    ),
}
"""What the code that refuses tells with each reason, in all of its forms."""
_NO_DETAILS: Final[tuple[dict[str, Any], ...]] = ({},)
_SHARED: Final = (HostReason, HouseReason, StatsReason)


def _situations(table: Table) -> Iterator[tuple[str, Table | None, UserId]]:
    """Yield the situations in which a sentence may have a form of its own: the table, and who is refused."""
    host, guest, stranger = UserId(1001), UserId(1002), UserId(1)
    lobby, over = table._replace(stage=Stage.LOBBY, match=None), table._replace(stage=Stage.OVER)
    no_ai = table._replace(house=table.house._replace(ai_seats=False))
    for name, at in (("playing", table), ("lobby", lobby), ("over", over), ("no AIs", no_ai)):
        for who, user in (("stranger", stranger), ("guest", guest), ("host", host)):
            yield f"{name}, {who}", at, user
    yield "next player", table, UserId(1004)
    yield "no table", None, stranger


def refusals() -> Shown:
    """Yield every reason why something is refused, once for each sentence that there is."""
    kinds: tuple[tuple[Any, Table, tuple[type[StrEnum], ...]], ...] = (
        (SAY, a_table(5), (CoyoteReason, CoyoteProblem, *_SHARED)),
        (PLENTY, a_plenty_table(4), (PlentyReason, PlentyProblem)),
    )
    for say, table, reasons in kinds:
        for reason in (each for kind in reasons for each in kind):
            usual = _STATES if isinstance(reason, CoyoteReason) else _NO_DETAILS
            told = set[str]()
            for details in _DETAILS.get(reason, usual):
                for name, at, user in _situations(table):
                    refused = Rejected(reason, **details)
                    screen = refusal_screen(say, refused, at, prompt=7, message=1, number=12, user=user)
                    if str(screen.to_components()[0]) not in told:
                        told.add(str(screen.to_components()[0]))
                        yield f"{type(reason).__module__.split('.')[2]} {reason.value}, {name}", screen
