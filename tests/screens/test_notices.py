"""Notices, pings, reminders, and the line after a restart."""

from dataclasses import replace

import pytest

from bot.engine.core import Leave, Seat
from bot.engine.views import PublicQuestion
from bot.games.coyote.rules.actions import Call
from bot.games.coyote.ui.table import table_screen
from bot.host import views
from bot.host.commands import Notice
from bot.host.model import Deadline, Dm, Pause, Stage, Table, UserId
from bot.screens.answers import (
    Done,
    done_screen,
    failure_text,
    joined_screen,
    permission_text,
    storage_text,
    time_screen,
)
from bot.screens.game import SCREENS
from bot.screens.layout import PublicScreen
from bot.screens.notices import notice_text, ping_text, remind_text, restart_text, with_ping_buttons
from bot.screens.table import look_button
from tests.screens.rendering import rendered
from tests.screens.scenes import SAY, a_table, played, public_of, seen, story


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ({"key": "timed_out", "user": 5, "do": "call"}, "-# <@5> didn't answer in time: the table called for them."),
        (
            {"key": "timed_out", "user": 5, "do": "bid", "number": -3},
            "-# <@5> didn't answer in time: the table bid −3 for them.",
        ),
        ({"key": "timed_out", "user": 5, "do": "bet"}, "-# <@5> didn't bet in time: that counts as a wrong bet."),
        (
            {"key": "away", "user": 5, "do": "call"},
            "-# <@5> didn't answer in time: the table called for them. "
            "They're away now: their turns pass quickly until they're back.",
        ),
        (
            {"key": "stand_in", "user": 5, "do": "bid", "number": 7, "ai": "Hazel"},
            "-# <@5> didn't answer in time: the table bid 7 for them. "
            "They're away now: 🤖 AI Hazel plays for them, with the same feathers, until they're back.",
        ),
        (
            {"key": "stand_in", "user": 5, "do": "bid", "number": 7, "ai": "Hazel", "place": 2},
            "-# <@5> didn't answer in time: the table bid 7 for them. "
            "They're away now: 🤖 AI Hazel plays for them, with the same feathers, until they're back. "
            "If they stay away, they're ranked 2nd at best.",
        ),
        (
            {"key": "left_to_ai", "user": 5, "ai": "Hazel", "place": 3},
            "-# <@5> has left the table for good. 🤖 AI Hazel plays on for them; they're ranked 3rd at best.",
        ),
        ({"key": "resumed", "by": None}, "-# On we go."),
        ({"key": "left", "user": 5}, "-# <@5> has left the table for good."),
    ],
)
def test_notices_say_what_happened(payload: dict[str, object], expected: str) -> None:
    assert notice_text(SAY, a_table(3), payload) == expected


@pytest.mark.parametrize("key", ["stopped", "paused", "resumed", "lobby_closed"])
def test_changes_that_the_table_shows_have_no_notice(key: str) -> None:
    assert notice_text(SAY, a_table(3), {"key": key, "by": 6}) == ""


def test_every_notice_has_a_text_or_is_shown_by_the_table() -> None:
    for key in Notice:
        payload = {"key": key, "user": 5, "by": 5, "do": "call", "ai": "Hazel", "line": "Well bid!"}
        payload["changes"] = [["threshold", 3, 2], ["turn_seconds", 90, None]]
        told = notice_text(SAY, a_table(3), payload)
        assert told.startswith("-# ") or key in ("stopped", "paused", "resumed", "lobby_closed", "spoken")


def test_what_a_player_says_is_quoted_and_cannot_ping_or_format() -> None:
    said = {"key": "spoken", "user": 5, "line": "@everyone **hey** <@7> " + "x" * 200}
    told = notice_text(SAY, a_table(3), said)
    assert told.startswith("<@5>: *“＠everyone ∗∗hey∗∗ ‹＠7› x")
    assert len(told) < 120
    for nothing in (None, "", " \n ", "\u200b\u2060", "\u202e"):
        assert notice_text(SAY, a_table(3), {"key": "spoken", "user": 5, "line": nothing}) == ""


def test_a_player_who_leaves_during_a_round_is_named_only_by_the_reveal() -> None:
    table, left = a_table(5), public_of(played(story(), Leave(Seat(0))))
    assert notice_text(SAY, table, {"key": "left", "user": 1001}, left) == ""
    assert notice_text(SAY, table, {"key": "left", "user": 1002}, left) == "-# <@1002> has left the table for good."
    called = public_of(played(story(), Call(Seat(2)), Leave(Seat(0))))
    assert notice_text(SAY, table, {"key": "left", "user": 1001}, called) == "-# <@1001> has left the table for good."


def test_a_game_puts_buttons_on_the_ping_of_the_player_who_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    table, state = a_table(5), story()
    (question,) = views.public_questions(table._replace(match=state))

    def pinged(asked: PublicQuestion | None, table: Table = table) -> PublicScreen | str:
        return with_ping_buttons(SAY, table, "your turn", public_of(state), asked)

    assert pinged(question) == "your turn"
    with_look = replace(
        SCREENS["coyote"].notices, ping_buttons=lambda say, table, seen, asked: [look_button(say, table)]
    )
    monkeypatch.setitem(SCREENS, "coyote", replace(SCREENS["coyote"], notices=with_look))
    drawn = pinged(question)
    assert isinstance(drawn, PublicScreen)
    assert rendered(drawn) == "your turn\n  [👁 Look] grey c1:k7Q2:0:look"
    assert pinged(None) == "your turn"
    assert pinged(question, table._replace(pause=Pause(0, UserId(5)))) == "your turn"


def test_pings_and_reminders() -> None:
    assert ping_text(SAY, a_table(5), UserId(5), public_of(story())) == "<@5>, it's your turn."
    assert "<t:1800000001:R>" in remind_text(SAY, UserId(5), 1_800_000_000_500)


def test_after_a_restart_the_bot_says_where_the_game_stands() -> None:
    table, view = a_table(5), public_of(story())
    running = table._replace(deadlines=(Deadline(Seat(2), 5, 60_000, 60_000),))
    assert restart_text(SAY, running, view) == "-# Back again. <@1003>'s turn; the clock runs out <t:60:R>."
    assert restart_text(SAY, table._replace(deadlines=()), view) == "-# Back again. <@1003>'s turn, no hurry."
    assert "still paused" in restart_text(SAY, table._replace(pause=Pause(0, UserId(1))), view)
    assert "still open" in restart_text(SAY, table._replace(stage=Stage.LOBBY), None)
    called = public_of(played(story(), Call(Seat(2))))
    assert "Next deal in a moment" in restart_text(SAY, table, called)


def test_a_pause_was_asked_for_in_the_past() -> None:
    table = a_table(5)
    asked = table._replace(pause=Pause(1_999, UserId(1)))
    shown = rendered(table_screen(SAY, asked, seen(story())))
    assert "asked for it <t:1:R>" in shown


def test_private_answers_say_what_was_done() -> None:
    assert rendered(joined_screen(SAY, a_table(3), Dm.SHUT)).startswith("You're in. I couldn't DM you")
    assert rendered(joined_screen(SAY, a_table(3), Dm.OPEN)).startswith(
        "You're in. Everyone else's feathers come by DM"
    )
    assert rendered(joined_screen(SAY, a_table(3), Dm.OFF)).startswith("You're in. Once")
    assert rendered(time_screen(SAY, 4)).endswith("you have four times the time.")
    assert rendered(time_screen(SAY, 1)).endswith("you have the default turn time.")
    for saved in (None, True, False):
        assert failure_text(SAY, "7F3A", saved=saved).endswith("**7F3A**.")
    assert "<#3>" in permission_text(SAY, 3, "send_messages")
    assert "paused" not in permission_text(SAY, 3, "send_messages", playing=False)
    assert storage_text(SAY)
    for done in Done:
        assert rendered(done_screen(SAY, done, mention="<@5>"))
