"""Plays the project's game scripts of Plenty Coups against the engine, through its public functions only."""

from __future__ import annotations

from typing import Any

from bot.engine.core import DEALER, Leave, Rejected, Seat
from bot.engine.frozen import Frozen
from bot.games.plenty_coups.rules.actions import Action, Deal, Shuffle
from bot.games.plenty_coups.rules.cards import CARD_NAMED, Card, Cards, Tribe, name_of, ordered
from bot.games.plenty_coups.rules.codec import VERBS
from bot.games.plenty_coups.rules.game import GAME, resume
from bot.games.plenty_coups.rules.options import read_options
from bot.games.plenty_coups.rules.raid_out import RaidOut
from bot.games.plenty_coups.rules.state import Camp, State, Stock, Turn
from bot.games.plenty_coups.rules.view import Phase, PlentyCoupsView

VERB_NAMES = {verb: name for name, verb in VERBS.items()}


def card(name: Any) -> Card:
    return CARD_NAMED[name.replace("arm", "weapon")]


def cards(names: Any) -> Cards:
    return tuple(card(name) for name in names)


def written(one: Card) -> str:
    return name_of(one).replace("weapon", "arm")


def tribe(name: Any) -> Tribe:
    if not isinstance(name, str) or name.upper() not in Tribe.__members__:
        raise ValueError(f"no tribe: {name!r}")
    return Tribe[name.upper()]


def run(script: dict[str, Any]) -> None:
    """Play one script; raise AssertionError with the step and the difference if a check fails."""
    table = ScriptTable(script)
    for number, step in enumerate(script["steps"]):
        where = f"{script['id']} step {number} {step}"
        if "expect" in step:
            for key, expected in step["expect"].items():
                actual = table.answer(key, expected)
                assert actual == normal(key, expected), f"{where}: {key} is {actual!r}, not {expected!r}"
            continue
        before = GAME.dump(table.state)
        refusal: Exception | None = None
        try:
            table.move(step)
        except (Rejected, ValueError) as raised:
            refusal = raised
        if step.get("refused"):
            assert refusal, f"{where}: accepted, though it must be refused"
            if isinstance(step["refused"], str):
                assert refusal_line(refusal) == step["refused"], f"{where}: refused because of {refusal_line(refusal)}"
            assert GAME.dump(table.state) == before, f"{where}: the refused move changed something"
        else:
            assert not refusal, f"{where}: refused, {refusal!r}"


class ScriptTable:
    """One scripted match; it also plays the dealer."""

    def __init__(self, script: dict[str, Any]) -> None:
        self.tribes = [tribe(name) for name in script["tribes"]]
        seats = [self.tribes[0], self.tribes[2]] if script["players"] == 2 else self.tribes
        self.events: list[Any] = []
        self.seats = {each: Seat(seat) for seat, each in enumerate(seats)}
        self.shuffles = [cards(order) for order in script["shuffles"]]
        setup = script["setup"]
        by_seat = [*self.seats, *(each for each in self.tribes if each not in self.seats)]
        options = {"tribes": [each.name.lower() for each in by_seat], **script.get("options", {})}
        self.options = read_options(options, script["players"], Seat(0))
        if "deck" in setup:
            self.state = GAME.setup(options, script["players"], Seat(0))
            self.apply(Deal(DEALER, cards(setup["deck"])))
        else:
            self.state = self.position(setup["state"], script["players"])
            assert GAME.load(GAME.dump(self.state)) == self.state
            self.state, events = resume(self.state)
            self.events = [*events]
        self.shuffle()

    def position(self, given: dict[str, Any], players: int) -> State:
        proposals = {each["by"]: card(each["card"]) for each in given["proposals"]}
        bonds = {name: card(laid) for name, laid in given["neutral"].items()}
        for alliance in given["alliances"]:
            bonds |= {name: card(laid) for name, laid in alliance["cards"].items()}
        camps = {}
        for each in self.tribes:
            name = each.name.lower()
            camps[each] = Camp(
                each,
                self.seats.get(each),
                ordered(cards(given["hands"][name])),
                given["horses"][name],
                given["prestige"][name],
                proposals.get(name),
                bonds.get(name),
                name in given["disdained"],
            )
        raids = [
            RaidOut(tribe(r["by"]), tribe(r["target"]), cards(r["cards"]), r["value"], r["side"] == "prestige")
            for r in given["raids"]
        ]
        turn = Turn(
            given["round"],
            tribe(given["turn"]),
            Phase(given["phase"]),
            tribe(given["turn"]),
            given.get("actions_left", 2 if given["round"] <= self.options.rounds else 1),
            given.get("coups_open", 0),
            free_gift_used=given.get("free_gift_used", False),
        )
        stock = Stock(ordered(cards(given["offer"])), cards(given["pile"]), cards(given["discard"]))
        return State(
            self.options,
            players,
            Seat(0),
            frozenset(),
            turn,
            camps,
            {raid.target: raid for raid in raids},
            given["plain"],
            stock,
        )

    def apply(self, action: Action) -> None:
        self.state, events = GAME.apply(self.state, action)
        self.events = [*events]
        self.shuffle()

    def shuffle(self) -> None:
        """Play the dealer while one is needed; check that every state survives being written down."""
        assert GAME.load(GAME.dump(self.state)) == self.state
        while (prompts := GAME.prompts(self.state)) and prompts[0].seat == DEALER:
            self.state, events = GAME.apply(self.state, Shuffle(DEALER, self.shuffles.pop(0)))
            self.events += events
            assert GAME.load(GAME.dump(self.state)) == self.state

    def move(self, step: dict[str, Any]) -> None:
        decider = tribe(step["tribe"])
        if step["do"] == "leave":
            self.apply(Leave(self.seats.get(decider, DEALER)))
        elif step["do"] == "timeout":
            (prompt,) = GAME.prompts(self.state) or (None,)
            if prompt is None or prompt.timeout.tribe != decider:
                raise ValueError("nobody waits for this tribe")
            self.apply(prompt.timeout)
        else:
            self.apply(self.action(step, decider))

    def action(self, step: dict[str, Any], decider: Tribe) -> Action:
        """Return the action with only the fields of its verb; the engine must refuse missing or malformed ones."""
        sender = self.seats.get(tribe(step["player"]) if "player" in step else decider)
        if sender is None and decider in self.state.camps:
            sender = self.state.controller(decider)
        document = {"do": step["do"], "seat": sender, "tribe": step["tribe"]}
        given = dict(step)
        if isinstance(many := step.get("cards"), list):
            given["warriors"] = many
            given["warrior"] = given["weapon"] = many[0] if len(many) == 1 else many
        verb: Any = VERBS.get(step["do"])
        for field in verb._fields[2:] if verb else ():
            if field in given:
                value = given[field]
                document[field] = [renamed(each) for each in value] if isinstance(value, list) else renamed(value)
        return GAME.load_action(document)

    def view(self, viewer: str | None = None) -> PlentyCoupsView:
        return GAME.view_for(self.state, None if viewer is None else self.seats[tribe(viewer)])

    def answer(self, key: str, expected: Any) -> Any:
        """Return the actual value of a check, in the format of the script."""
        view = self.view()
        camps = {camp.tribe.name.lower(): camp for camp in view.camps}
        own = {each.name.lower(): seat for each, seat in self.seats.items()}
        players = {seat: name for name, seat in own.items()}
        match key:
            case "round" | "phase" | "actions_left" | "plain" | "pile":
                return getattr(view, key)
            case "turn" | "actor":
                decider = getattr(view, key)
                return None if decider is None else decider.name.lower()
            case "horses" | "prestige":
                return {name: getattr(camps[name], key) for name in expected}
            case "hand_sizes":
                return {name: camps[name].hand_size for name in expected}
            case "hand":
                return {name: names(self.state.camps[tribe(name)].hand) for name in expected}
            case "offer":
                return names(view.offer)
            case "discard":
                return len(view.discards) if isinstance(expected, int) else names(view.discards)
            case "raids":
                return by_name(
                    {
                        "by": raid.raider.name.lower(),
                        "target": raid.target.name.lower(),
                        "cards": [written(each) for each in raid.warriors],
                        "value": raid.value,
                        "side": "prestige" if raid.prestige_side else "raid",
                    }
                    for raid in view.raids
                )
            case "proposals":
                return by_name(
                    {"by": name, "to": camp.proposal.tribe.name.lower(), "card": written(camp.proposal)}
                    for name, camp in camps.items()
                    if camp.proposal and camp.proposal.tribe is not None
                )
            case "alliances":
                return by_name(
                    {"cards": {name: written(camp.bond), ally: written(camps[ally].bond)}}  # type: ignore[arg-type]
                    for name, camp in camps.items()
                    if camp.bond
                    and camp.bond.tribe is not None
                    and name < (ally := camp.bond.tribe.name.lower())
                    and ally in camps
                )
            case "neutral":
                return {
                    name: written(camp.bond)
                    for name, camp in camps.items()
                    if camp.bond and camp.bond.tribe is not None and camp.bond.tribe.name.lower() not in camps
                }
            case "disdained":
                return sorted(name for name, camp in camps.items() if camp.disdained)
            case "legal":
                return sorted({VERB_NAMES[choice.verb] for p in GAME.prompts(self.state) for choice in p.choices})
            case "controller":
                return {name: players[camps[name].controller] for name in expected}
            case "sees":
                return {
                    viewer: {
                        camp.tribe.name.lower(): camp.hand_size if camp.hand is None else names(camp.hand)
                        for camp in self.view(viewer).camps
                    }
                    for viewer in expected
                }
            case "gift":
                return {viewer: self.gift_for(viewer) for viewer in expected}
            case "scores":
                return {name: {part: getattr(camps[name].score, part) for part in expected[name]} for name in expected}
            case "events":
                return [type(event).__name__ for event in self.events]
            case "told":
                return [shown(event) for event in self.events]
            case "news":
                return [shown(event) for event in view.news]
            case "last_round":
                return view.last_round and {
                    each.tribe.name.lower(): {name: getattr(each, name) for name in expected[each.tribe.name.lower()]}
                    for each in view.last_round.tribes
                    if each.tribe.name.lower() in expected
                }
            case "rounds_ended":
                return GAME.rounds_ended(self.state)
            case "coups_open" | "defence_coup_open" | "free_gift_used" | "may_undo":
                return getattr(view, key)
            case "timeout":
                return GAME.dump_action(GAME.prompts(self.state)[0].timeout)
            case "winners":
                outcome = GAME.outcome(self.state)
                return sorted(players[seat] for seat in outcome.winners) if outcome else None
            case _:
                raise AssertionError(f"unknown expectation {key}")

    def gift_for(self, viewer: str) -> dict[str, str | None] | None:
        gift = self.view(viewer).gift
        return gift and {
            "from": gift.giver.name.lower(),
            "to": gift.target.name.lower(),
            "card": None if gift.card is None else written(gift.card),
        }


def refusal_line(refusal: Exception) -> str:
    """Format a refusal in one line: the code, then its parameters."""
    if not isinstance(refusal, Rejected):
        return "malformed"
    return " ".join([refusal.reason.value, *(f"{name}={value}" for name, value in refusal.details.items())])


def shown(value: Any) -> str:
    """Format an event in one line: its name and its fields."""
    match value:
        case None | bool():
            return {None: "-", True: "yes", False: "no"}[value]
        case Card():
            return written(value)
        case Tribe():
            return value.name.lower()
        case RaidOut(raider, target):
            return f"{shown(raider)}>{shown(target)}"
        case Frozen():
            fields = {name: getattr(value, name) for name in value.__struct_fields__}
            if fields.get("turned", ...) is None:
                del fields["turned"]
            return " ".join([type(value).__name__, *map(shown, fields.values())])
        case tuple():
            return "+".join(map(shown, value))
        case _:
            return str(value)


def renamed(value: Any) -> Any:
    return value.replace("arm", "weapon") if isinstance(value, str) else value


def names(some: Cards) -> list[str]:
    return sorted(written(each) for each in some)


def by_name(records: Any) -> list[Any]:
    return sorted(records, key=lambda record: sorted(map(repr, record.items())))


def normal(key: str, expected: Any) -> Any:
    """Sort the values that a script compares without regard to order."""
    match key, expected:
        case (("offer" | "discard" | "disdained" | "legal" | "winners"), list()):
            return sorted(expected)
        case "hand", _:
            return {name: sorted(hand) for name, hand in expected.items()}
        case "sees", _:
            return {
                viewer: {name: sorted(hand) if isinstance(hand, list) else hand for name, hand in seen.items()}
                for viewer, seen in expected.items()
            }
        case "raids" | "proposals", _:
            return by_name(expected)
        case "alliances", _:
            return by_name({"cards": dict(sorted(each["cards"].items()))} for each in expected)
        case _:
            return expected
