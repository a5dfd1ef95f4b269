"""Tables of Plenty Coups in every situation, and their screens, for golden files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.discord_ui.drawing import draw_look, draw_ping, draw_table, draw_this_table
from bot.engine.core import Seat
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.ui.forms import form_for
from bot.games.plenty_coups.ui.moves import TWO_PARTS, groups
from bot.games.plenty_coups.ui.views import PrivateView
from bot.host.model import Ai, Deadline, Dm, Pause, Player, Table, UserId
from bot.host.steady_clock import SteadyClock
from bot.screens.layout import Form, Screen
from tests.games.plenty_coups.rules.cases import Step, do, given, raid
from tests.games.plenty_coups.rules.script_adapter import ScriptTable
from tests.games.plenty_coups.ui.tables import SAY, a_table

BYSTANDER = UserId(1)
MESSAGE = 4_000
SUMMER = given(
    black="black4 yellow2 arm3 horse stick",
    yellow="black2 green1 arm4",
    horses={"black": 3, "yellow": 0, "green": 2, "red": 6},
    prestige={"black": 1, "green": 2, "red": 4},
    raids=(raid("green", "black", "green2", 3), raid("black", "red", "blue3", 3), raid("red", "yellow", "red1", 2)),
    neutral={"green": "white2"},
    proposals={"yellow": "black3"},
    disdained="red",
)


def position(script: dict[str, Any], *steps: Step) -> State:
    """Play steps from a position, and return where that leads."""
    table = ScriptTable({"shuffles": [], **script})
    for step in steps:
        table.move(step)
    return table.state


def seated(script: dict[str, Any], *steps: Step, **of: Any) -> Table:
    """Return a table at which a position is played; the clock of the player who is asked runs."""
    names, players = script["tribes"], script["players"]
    tribes = [names[0], names[2], names[1]] if players == 2 else names
    state = position(script, *steps)
    asked = [Deadline(seat, prompt, 1_800_000_000_000, 60_000) for seat, prompt in GAME.questions(state)]
    return a_table(players, {"tribes": tribes}, match=state, deadlines=tuple(asked), **of)


def shown(table: Table) -> Screen:
    return draw_table(table, _Still())


def look(table: Table, user: int, *, moves: bool = True) -> Screen:
    return draw_look(SAY, table, UserId(user), _Still(), message=MESSAGE, moves=moves)


class _Still(SteadyClock):
    def shown(self, moment: int) -> int:
        return moment


def tables() -> Iterator[tuple[str, Screen]]:
    """Yield public tables."""
    yield "first turn", shown(seated(given(round=1, phase="start", horses=dict.fromkeys(COLOURS, 1))))
    yield "summer", shown(seated(SUMMER))
    yield "something to take back", shown(seated(SUMMER, do("black", "breed")))
    repelled = given(black="arm4 stick horse", raids=(raid("green", "black", "green2", 3),))
    yield "a coup in defence", shown(seated(repelled, do("black", "defend", cards="arm4")))
    yield "a coup on return", shown(seated(given(black="stick horse", coups_open=1)))
    yield "a gift", shown(seated(SUMMER, do("black", "gift", target="yellow", discard="horse", card="stick")))
    yield (
        "disdain",
        shown(seated(given(black="stick horse", prestige={"green": 2}), do("black", "disdain", target="green"))),
    )
    yield "back from the hunt", shown(seated(SUMMER, do("black", "hunt", discard="horse")))
    allies = given(
        black="red1 green1 horse", alliances=({"black": "red2", "red": "black3"},), actions_left=0, red="arm2"
    )
    yield "allies with a free gift left", shown(seated(allies))
    pact = ({"black": "red2", "red": "black3"},)
    gift_left = [given(black="red1 green1", alliances=pact, red="arm2", round=number) for number in (5, 10)]
    yield "allies with actions and a free gift left", shown(seated(gift_left[0]))
    yield "allies in winter", shown(seated(gift_left[1]))
    turned = (raid("black", "red", "blue3", 3, "prestige"), raid("black", "green", "white1", 1))
    yield "raids that allow a coup, and one that does not", shown(seated(given(raids=turned, prestige={"black": 3})))
    winter = given(round=11, black="black2", raids=(raid("green", "black", "green2", 3),), prestige={"black": 2})
    yield "winter", shown(seated(winter))
    late = given(
        round=12,
        turn="green",
        green="green1",
        raids=(raid("black", "red", "blue3", 3), raid("red", "black", "red2", 3)),
    )
    yield "last round", shown(seated(late))
    home = given(
        phase="start", raids=(raid("black", "red", "blue3", 3), raid("red", "black", "red2", 3)), prestige={"red": 1}
    )
    yield "a raid before it comes home", shown(seated(home))
    yield "two players, the third tribe's turn", shown(seated(TWO))
    table = seated(SUMMER)
    away = [
        player._replace(away=seat == 1, dm=Dm.SHUT if seat == 2 else player.dm)
        for seat, player in enumerate(table.players)
    ]
    yield "somebody away", shown(table._replace(players=tuple(away)))
    yield "paused", shown(table._replace(pause=Pause(1_799_999_000_000, UserId(1002))))
    ai = table.players[0]._replace(user=UserId(-1), name="Hazel", ai=Ai("Hazel", "cautious", 2))
    start = seated(given(phase="start"))
    yield "an AI's turn", shown(start._replace(players=(ai, *start.players[1:])))
    asked = seated(given(yellow="stick horse", turn="yellow"), do("yellow", "disdain", target="black"))
    yield "an AI's answer", shown(asked._replace(players=(ai, *asked.players[1:])))


COLOURS = ("black", "yellow", "green", "red")
TWO = given(
    "black yellow green",
    players=2,
    turn="yellow",
    phase="start",
    black="black4 arm3",
    yellow="yellow2 horse",
    green="stick",
)


def _hands_to_act() -> Iterator[tuple[str, Screen]]:
    """Yield hands whose warriors are worth more with an ally, or whose raids allow no coup."""
    full = given(
        black="black4 red3", horses={"red": 0}, prestige={"black": 4}, raids=(raid("red", "green", "red1", 2),)
    )
    yield "with all markers turned", look(seated(full), 1001)
    allied = given(black="black1 red1 white2", alliances=({"black": "red2", "red": "black3"},), red="arm2")
    yield "with an ally", look(seated(allied), 1001)
    neutral = given(black="white2 arm2 horse", neutral={"black": "white1"}, round=11)
    yield "with a neutral ally", look(seated(neutral), 1001)


def hands() -> Iterator[tuple[str, Screen]]:
    """Yield what players and bystanders see privately."""
    yield "to take", look(seated(given(phase="start", black="black4 arm3 stick")), 1001)
    table = seated(SUMMER)
    yield "to act", look(table, 1001)
    yield from _hands_to_act()
    yield "by DM", look(table, 1001, moves=False)
    yield "out of turn", look(table, 1002)
    yield "from the side", look(table, BYSTANDER)
    names = ("Hazel", "Otto", "Mika", "Rosa")
    ais = [Player(UserId(-1 - n), name, ai=Ai(name, "cautious", 2)) for n, name in enumerate(names)]
    watched = table._replace(players=tuple(ais[: len(table.players)]))
    yield "of AI players alone", look(watched, BYSTANDER)
    yield "paused", look(table._replace(pause=Pause(1_799_999_000_000, UserId(1002))), 1001)
    laid = seated(
        given(black="stick horse red1", yellow="arm2 black3"),
        do("black", "gift", target="yellow", discard="horse", card="red1"),
    )
    yield "a gift to answer", look(laid, 1002)
    yield "a gift to wait for", look(laid, 1001)
    yield "a gift between others", look(laid, 1003)
    given_back = position(
        given(black="stick horse red1", yellow="arm2 black3"),
        do("black", "gift", target="yellow", discard="horse", card="red1"),
        do("yellow", "give", card="arm2"),
    )
    exchanged = laid._replace(match=given_back)
    yield "a gift that was given", look(exchanged, 1001)
    yield "a gift that was answered", look(exchanged, 1002)
    yield "gifts that others exchanged", look(exchanged, 1003)
    disdained = given(
        black="stick horse", yellow="arm4 yellow4 horse", green="arm3", prestige={"yellow": 1, "green": 1}
    )
    yield "disdain to answer", look(seated(disdained, do("black", "disdain", target="yellow")), 1002)
    yield "disdain without a proof", look(seated(disdained, do("black", "disdain", target="green")), 1003)
    poor = given(black="stick horse", yellow="arm4 horse", green="arm3")
    yield "disdain with nothing to lose", look(seated(poor, do("black", "disdain", target="yellow")), 1002)
    yield "disdain with neither", look(seated(poor, do("black", "disdain", target="green")), 1003)
    yield "a coup on return", look(seated(given(black="stick horse", coups_open=1)), 1001)
    yield "no stick for a coup", look(seated(given(black="arm3 horse", coups_open=1)), 1001)
    home = given(
        phase="start", raids=(raid("black", "red", "blue3", 3), raid("red", "black", "red2", 3)), black="arm3 stick"
    )
    yield "a raid before it comes home", look(seated(home), 1001)
    yield "a raid that it is too late to repel", look(seated(home), 1004)
    yield "back from the hunt", look(seated(SUMMER, do("black", "hunt", discard="horse")), 1001)
    free = given(black="red1 green1", alliances=({"black": "red2", "red": "black3"},), actions_left=0, red="arm2")
    yield "a free gift, or the end", look(seated(free), 1001)
    proposed = given(
        black="yellow3 black1 arm4 arm3",
        neutral={"black": "blue2"},
        proposals={"yellow": "black3"},
        raids=(raid("green", "black", "green4", 5),),
        prestige={"black": 4},
    )
    yield "to accept, or to defend", look(seated(proposed), 1001)
    suitors = given(
        black="yellow2 green4 white3", raids=(raid("yellow", "black", "red1", 1),), proposals={"red": "green2"}
    )
    yield "to propose", look(seated(suitors), 1001)
    yield "last round", look(seated(given(round=12, black="black2 horse", horses={"yellow": 0})), 1001)
    yield "two players, for the third tribe", look(seated(TWO), 1001)
    yield "two players, the other", look(seated(TWO), 1002)
    yield "too much for a select", look(seated(CROWD), 1001)
    discards = seated(SUMMER, do("black", "hunt", discard="horse"))
    yield "this table", draw_this_table(SAY, discards._replace(options={**discards.options, "rounds": 5}))


CROWD = given(
    "black yellow green red blue white",
    black="black1 black2 black3 yellow4 stick",
    horses=dict.fromkeys(("black", "yellow", "green", "red", "blue", "white"), 2),
)


def forms() -> Iterator[tuple[str, Form]]:
    """Yield every form."""
    table = seated(CROWD)
    (prompt,) = GAME.prompts(table.match)
    view = PrivateView(GAME.view_for(table.match, Seat(0)))
    for group in groups(prompt):
        if group.kind in TWO_PARTS or group.name == "raid.red":
            yield group.name, form_for(SAY, table, view, prompt.id, group)


def pings() -> Iterator[tuple[str, Screen | str]]:
    """Yield the lines that ask somebody to act, with their buttons."""
    yield "turn", draw_ping(seated(given(phase="start")), UserId(1001))
    waited = given(
        phase="start", raids=(raid("green", "black", "green2", 3),), proposals={"yellow": "black3"}, black="arm3"
    )
    yield "turn with a raid and a proposal to answer", draw_ping(seated(waited), UserId(1001))
    yield "turn without taking", draw_ping(seated(given(round=11, black="black2")), UserId(1001))
    answered = seated(
        given(black="stick horse red1", yellow="arm2"),
        do("black", "gift", target="yellow", discard="horse", card="red1"),
        do("yellow", "give", card="arm2"),
    )
    yield "on with it", draw_ping(answered, UserId(1001))
    yield "third tribe", draw_ping(seated(TWO), UserId(1001))
    laid = seated(
        given(black="stick horse red1", yellow="arm2"),
        do("black", "gift", target="yellow", discard="horse", card="red1"),
    )
    yield "gift", draw_ping(laid, UserId(1002))
    raided = given(
        "black yellow green", players=2, turn="yellow", phase="start", raids=(raid("green", "yellow", "green2", 3),)
    )
    yield "third tribe's turn with a raid", draw_ping(seated(raided), UserId(1001))
    hands: dict[str, Any] = {"players": 2, "turn": "green", "green": "stick horse arm2", "yellow": "arm4"}
    laid = seated(
        given("black yellow green", **hands), do("green", "gift", target="yellow", discard="horse", card="arm2")
    )
    yield "gift to the third tribe", draw_ping(laid, UserId(1001))
    for prestige in (1, 0):
        script = given("black yellow green", **hands, prestige={"yellow": prestige})
        table = seated(script, do("green", "disdain", target="yellow"))
        yield f"disdain of the third tribe at prestige {prestige}", draw_ping(table, UserId(1001))
    for prestige in (1, 0):
        script = given(black="stick horse", prestige={"yellow": prestige})
        table = seated(script, do("black", "disdain", target="yellow"))
        yield f"disdain at prestige {prestige}", draw_ping(table, UserId(1002))
