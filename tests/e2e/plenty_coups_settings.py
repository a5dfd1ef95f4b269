"""What each house rule of Plenty Coups changes in a game; `test_every_setting` runs these cases."""

from collections.abc import Awaitable, Callable
from typing import Any

from sandbox.messagelog import Message
from tests.e2e.servers import WAIT_SECONDS, Server
from tests.games.plenty_coups.driver import asked_for, is_winter
from tests.games.plenty_coups.typed_play import asking, offered, play_until

Case = Callable[[Server], Awaitable[None]]
CASES: dict[str, Case] = {}


def case(played: Case) -> Case:
    """Register a function as the case of the setting with the same name."""
    CASES[played.__name__] = played
    return played


async def started(server: Server, players: int, **options: Any) -> Message:
    """Open a table, seat players and start; return the table message."""
    host, *others = server.people[:players]
    lobby = await opened(server, **options)
    for person in others:
        assert not (await person.click(lobby, "Join")).failed
    assert not (await host.click(lobby, "Start")).failed
    return await host.wait_for(lambda: asking(host), WAIT_SECONDS)


async def opened(server: Server, **options: Any) -> Message:
    """Open a lobby."""
    shown = await server.people[0].slash("plenty new", **{"clock": "off", **options})
    assert shown.message is not None, shown.text
    return shown.message


@case
async def rounds(server: Server) -> None:
    assert "round 1 of 12" in (await started(server, 2)).text
    await server.people[0].slash("plenty stop", sure=True)
    assert "is now" in await server.set("plenty-coups.rounds", "4")
    assert "4 rounds and winter" in (await opened(server)).text


@case
async def winter_hunting(server: Server) -> None:
    await server.set("plenty-coups.winter_hunting", "off")
    await started(server, 2, rules="rounds=3")
    message, _, _ = await play_until(
        server.people, stop=lambda message, _: is_winter(message) and asked_for(message) == "act"
    )
    assert (await offered(server.people, message, "hunt"))[1] == []


@case
async def decline_when_able(server: Server) -> None:
    await server.set("plenty-coups.decline_when_able", "off")
    await started(server, 3)

    def can_prove(message: Message, moves: list[str]) -> bool:
        if asked_for(message) != "disdain":
            return False
        proofs = [move for move in moves if move.startswith("prove.")]
        assert bool(proofs) != ("decline" in moves), moves
        return bool(proofs)

    await play_until(server.people, "disdain", stop=can_prove)


@case
async def accepter_gains(server: Server) -> None:
    await server.set("plenty-coups.accepter_gains", "on")
    await started(server, 4)
    message, _, _ = await play_until(
        server.people, "accept", "propose", stop=lambda message, _: "allied to" in message.text
    )
    assert message.text.count("prestige 1 ●○○○") == 2


@case
async def min_players(server: Server) -> None:
    await server.set("plenty-coups.min_players", "3")
    lobby = await opened(server)
    await server.people[1].click(lobby, "Join")
    assert "needed before you can start" in (await server.people[0].click(lobby, "Start")).text


@case
async def max_players(server: Server) -> None:
    await server.set("plenty-coups.max_players", "3")
    lobby = await opened(server)
    for person in server.people[1:3]:
        await person.click(lobby, "Join")
    assert "All 3 seats are taken" in (await server.people[3].click(lobby, "Join")).text
