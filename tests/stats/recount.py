"""Counts games from the raw log in the most straightforward way: slowly, all in memory, and without `bot.stats`.

It shares only the rules engine with the bot. Coins are read from the state, not from events; the rating follows
Weng and Lin (Algorithm 4), with OpenSkill's constants.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from bot.engine.registry import RULES
from tests.store.databases import Database

BETA, TAU, KAPPA = 25 / 6, 25 / 300, 0.0001
Figures = dict[str, Any]
Where = tuple[int, str, str, int]
"""Server, edition, period, user."""


class Recount(NamedTuple):
    """The result of a recount."""

    totals: dict[Where, Figures]
    pairs: dict[tuple[int, str, str, int, int], Figures]


def plackett_luce(skills: list[tuple[float, float]], places: list[int]) -> list[tuple[float, float]]:
    """Return the skills after a match without teams."""
    skills = [(mu, math.sqrt(sigma**2 + TAU**2)) for mu, sigma in skills]
    c = math.sqrt(sum(sigma**2 + BETA**2 for _, sigma in skills))
    strength = [math.exp(mu / c) for mu, _ in skills]
    everybody = range(len(skills))
    result = []
    for i in everybody:
        mu, sigma = skills[i]
        omega = delta = 0.0
        for q in everybody:
            if places[q] > places[i]:
                continue
            share = strength[i] / sum(strength[s] for s in everybody if places[s] >= places[q])
            level = places.count(places[q])
            omega += ((i == q) - share) / level
            delta += share * (1 - share) / level
        better = mu + sigma**2 / c * omega
        surer = sigma * math.sqrt(max(1 - sigma / c * sigma**2 / c**2 * delta, KAPPA))
        result.append((better, surer))
    return result


async def recount(database: Database, off: Iterable[tuple[str, int]] = ()) -> Recount:
    """Count every finished game; `off` lists tables with users who had opted out when the game ended."""
    hidden = set(off)
    totals: dict[Where, Figures] = defaultdict(lambda: defaultdict(int))
    pairs: dict[tuple[int, str, str, int, int], Figures] = defaultdict(lambda: defaultdict(int))
    setups = {table: json.loads(setup) for table, setup in await database.rows("tables", "id", "setup")}
    logs = defaultdict(list)
    for table, *line in await database.rows("actions", "table_id", "seq", "part", "at", "actor", "action", "thought"):
        logs[table].append(line)
    sitting = defaultdict(list)
    for table, seat, user in await database.rows("seats", "table_id", "seat", "user"):
        sitting[table].append((seat, user))
    for _, table, guild in sorted(await database.rows("ends", "nth", "table_id", "guild")):
        setup = setups[table]
        lines = [line[2:] for line in sorted(logs[table], key=lambda line: line[:2])]
        users = [user for _, user in sorted(sitting[table])]
        with_ai = any(user < 0 for user in users)
        if not setup["house"]["counts"] or (with_ai and not setup["house"]["count_ai"]):
            continue
        seats, coins, rounds = _played(lines, len(users))
        _rank_absentees(lines, users, seats)
        people = [seat for seat, user in enumerate(users) if user > 0 and (table, user) not in hidden]
        month = datetime.fromtimestamp(lines[-1][0] / 1000, UTC).strftime("%Y-%m")
        edition = setup["options"].get("edition", "feathers")
        for board in [(guild, e, p) for e in ("", edition) for p in ("all", month, "season-1")]:
            olds = [totals[*board, users[seat]] for seat in people]
            skills = [(old.get("mu", 25.0), old.get("sigma", 25 / 3)) for old in olds]
            if len(people) > 1:
                skills = plackett_luce(skills, [seats[seat]["place"] for seat in people])
            for seat, old, (mu, sigma) in zip(people, olds, skills, strict=True):
                _add(old, seats[seat], rounds)
                old["rated"] += len(people) > 1
                old["mu"], old["sigma"] = mu, sigma
                for other in people:
                    if other == seat:
                        continue
                    pair = pairs[*board, users[seat], users[other]]
                    pair["games"] += 1
                    pair["ahead"] += seats[seat]["place"] < seats[other]["place"]
                    pair["behind"] += seats[seat]["place"] > seats[other]["place"]
                    pair["dealt"] += coins[seat, other]
                    pair["taken"] += coins[other, seat]
    return Recount(dict(totals), dict(pairs))


def _rank_absentees(lines: list[Any], users: list[int], seats: list[Figures]) -> None:
    """Put those for whom an AI finished the game at best where they stood when they went.

    Somebody who is back has to make as many moves as the AI made for them first.
    """
    rules, state = RULES["coyote"], None
    late: dict[int, int] = {}
    best: dict[int, int] = {}
    owed: dict[int, int] = defaultdict(int)

    def stood(seat: int) -> int:
        match = state.match  # type: ignore[attr-defined]
        worth = {each: sum(match.eyes[each]) - match.tokens[each] for each in match.living}
        return len([each for each in worth if worth[each] >= worth[seat]])

    for _, actor, text, _ in lines:
        action = json.loads(text)
        seat = action.get("seat")
        if action.get("host") == "start":
            state = rules.setup(action["options"], action["players"], action["starter"])
        elif action.get("host") == "leave" and state is not None and seat in state.match.living:
            best.setdefault(seat, stood(seat))
        elif action.get("host") in ("back", "pause", "go_on", "deal_now"):
            late.pop(seat, None)
        elif actor == "user" and "do" in action and action["do"] != "leave":
            late.pop(seat, None)
            owed[seat] = max(0, owed[seat] - 1)
            if not owed[seat]:
                best.pop(seat, None)
        elif actor == "ai" and users[seat] > 0:
            best.setdefault(seat, late.get(seat) or stood(seat))
            owed[seat] += 1
        if "do" in action:
            state = rules.apply(state, rules.load_action(action)).state
            if actor == "clock" and seat in state.match.living:
                late[seat] = stood(seat)
    goal = [max(seat["place"], best.get(number, 0)) for number, seat in enumerate(seats)]
    left = list(range(len(seats)))
    for position in range(1, len(seats) + 1):
        ready = [each for each in left if each not in best or goal[each] <= position] or left
        chosen = min(ready, key=lambda each: (goal[each], each in best, seats[each]["place"]))
        left.remove(chosen)
        seats[chosen]["ranked"] = max(position, goal[chosen] if chosen in best else 0)
    for seat in seats:
        seat["place"] = seat.pop("ranked")


def _add(total: Figures, seat: Figures, rounds: int) -> None:
    total["games"] += 1
    total["rounds"] += rounds
    total["places"] += seat["place"]
    for name, place in (("wins", 1), ("seconds", 2), ("thirds", 3)):
        total[name] += seat["place"] == place
    for name in (
        "survived",
        "taken",
        "dealt",
        "calls",
        "calls_right",
        "bids",
        "caught",
        "exact",
        "thought",
        "thoughts",
    ):
        total[name] += seat[name]
    total["run"] = total["run"] + 1 if seat["place"] == 1 else 0
    total["best_run"] = max(total["best_run"], total["run"])


def _played(lines: list[Any], players: int) -> tuple[list[Figures], dict[tuple[int, int], int], int]:
    """Replay a game of Coyote, reading the figures from the state after every move."""
    rules = RULES["coyote"]
    seats: list[Figures] = [defaultdict(int) for _ in range(players)]
    coins: dict[tuple[int, int], int] = defaultdict(int)
    state: Any = None
    rounds = 0
    for _, actor, text, thought in lines:
        action = json.loads(text)
        if action.get("host") == "start":
            state = rules.setup(action["options"], action["players"], action["starter"])
        if "do" not in action:
            continue
        before = state
        state = rules.apply(state, rules.load_action(action)).state
        if actor == "user" and thought is not None:
            seats[action["seat"]]["thought"] += thought
            seats[action["seat"]]["thoughts"] += 1
        if action["do"] in ("bid", "approve"):
            seats[action["seat"]]["bids"] += 1
        if state.match.last is before.match.last:
            continue
        rounds += 1
        last = state.match.last
        for seat in state.match.living:
            seats[seat]["survived"] += 1
        if state.rules.edition == "peek":
            cost = {s: sum(before.match.eyes[s]) - sum(state.match.eyes[s]) for s in range(players)}
        else:
            cost = {s: state.match.tokens[s] - before.match.tokens[s] for s in range(players)}
        for seat in range(players):
            seats[seat]["taken"] += cost[seat]
        if last.counted is None:
            continue
        right = last.bid > last.counted.total
        winner, loser = (last.caller, last.bidder) if right else (last.bidder, last.caller)
        seats[winner]["dealt"] += cost[loser]
        coins[winner, loser] += cost[loser]
        seats[last.caller]["calls"] += 1
        seats[last.caller]["calls_right"] += right
        seats[last.bidder]["caught"] += right
        seats[last.bidder]["exact"] += last.bid == last.counted.total
    order = [*state.match.out, *state.match.living]
    for seat in range(players):
        seats[seat]["place"] = players - order.index(seat)
    return seats, coins, rounds
