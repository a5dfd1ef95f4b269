"""Tables with AI players, and the screens that show them."""

from collections.abc import Iterator

from bot.engine.core import Outcome, Seat
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.actions import Call
from bot.games.coyote.ui.reveal import reveal_screen
from bot.host.ai_seats import free
from bot.host.model import Ai, Dm, Player, Remark, Stage, Table, UserId
from bot.screens.ai_menu import ai_menu
from bot.screens.final import final_screen
from bot.screens.layout import Screen
from bot.screens.lobby import host_menu, lobby_screen
from bot.screens.reasons import reasons_screen
from tests.screens.scenes import FEATHERS, FIRST_USER, NOW, SAY, a_table, look, played, seats, seen, shown, story

JUNIPER, MAGPIE, PEBBLE = Ai("Juniper", "cautious", 2), Ai("Magpie", "bluffer", 3), Ai("Pebble", "cautious", 1)


def mixed_players(people: int = 2) -> tuple[Player, ...]:
    """Return some people, two AIs, and a person for whom a third AI plays."""
    ais = (Player(UserId(-1), "Juniper", Dm.OFF, ai=JUNIPER), Player(UserId(-2), "Magpie", Dm.OFF, ai=MAGPIE))
    away = Player(UserId(FIRST_USER + 7), "Hugo", Dm.OPEN, away=True, missed=2, stand_in=PEBBLE)
    return (*seats(people), *ais, away)


def remarks() -> tuple[Remark, ...]:
    raised = (("bid", "13"), ("chance", "61"), ("seen", "12"))
    bluffed = (("bid", "12"), ("chance", "31"), ("seen", "5"))
    return (
        Remark(Seat(3), "ai.raise.bluffer", raised),
        Remark(Seat(2), "ai.call.cautious", (("bid", "14"), ("chance", "18"), ("seen", "20"))),
        Remark(Seat(4), "ai.bluff.cautious", (*bluffed, ("by", "Pebble")), is_aside=True),
        Remark(Seat(0), "ai.bluff.cautious", (*bluffed, ("by", "Hazel")), said_before=1),  # the person is back
        Remark(Seat(0), "ai.bluff.cautious", (*bluffed, ("by", "Hazel")), said_before=9),  # no words are left
    )


def scenes() -> Iterator[tuple[str, Screen]]:
    lobby = a_table(2, stage=Stage.LOBBY, match=None, deadlines=(), closes=NOW + 3_600_000)
    lobby = lobby._replace(players=mixed_players()[:4])
    yield "lobby with AIs", lobby_screen(SAY, lobby._replace(options=FEATHERS))
    watched = lobby._replace(players=lobby.players[1:])
    yield "lobby, the host watches", lobby_screen(SAY, watched._replace(options=FEATHERS))
    no_ais = lobby._replace(players=seats(2), house=lobby.house._replace(ai_seats=False))
    yield "lobby without AI seats", lobby_screen(SAY, no_ais._replace(options=FEATHERS))
    yield "host menu", host_menu(SAY, lobby)
    yield "AI menu", ai_menu(SAY, lobby, free(lobby), 2, full=False)
    yield "AI menu, full", ai_menu(SAY, lobby, free(lobby), 3, full=True, done="🤖 AI Magpie has a seat.")
    yield from playing()


def playing() -> Iterator[tuple[str, Screen]]:
    table: Table = a_table(5, FEATHERS, players=mixed_players())
    state = story()
    yield "an AI's turn", shown(table, state)
    yield "look at AIs", look(table, state, 0)
    called = played(state, Call(Seat(2)))
    over = table._replace(deadlines=(), next_deal=NOW + 8_000, explained=remarks())
    yield "reveal with remarks", reveal_screen(SAY, over, seen(called), remarks=remarks())
    yield "what the others thought", reasons_screen(SAY, over)
    yield (
        "an AI wins",
        final_screen(
            SAY,
            table._replace(stage=Stage.OVER, deadlines=()),
            Outcome((Seat(3),), (1, 2, 5, 3, 4)),
            rounds=seen(called).number,
        ),
    )
    assert rules.prompts(state)
