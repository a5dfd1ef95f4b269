"""Tables round-trip as documents, are upgraded from version 1, and are refused if damaged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import NODEFAULT
from msgspec.structs import fields

from bot.engine.core import Rejected, Seat
from bot.engine.frozen import encode
from bot.engine.registry import RULES
from bot.host import codec, commands, views
from bot.host.codec import Columns
from bot.host.decide import decide, open_table
from bot.host.model import Ai, Deadline, House, Pause, Player, Remark, Stage, Table, TableId, UserId
from tests.games.coyote.rules.positional import ORDER, positional, without_retired
from tests.games.coyote.rules.positional import version_1 as coyote_version_1
from tests.host.test_anything import GAMES_PLAYED, HOUSES, USERS, some_command

FIXTURE = json.loads((Path(__file__).parent / "version_1" / "documents.json").read_text())
"""Tables and ends of rounds, written by the code of version 1 (git b976e6a), that together cover every field."""
HERE = Columns(TableId("t"), 1, 2, Stage.PLAYING, 7)
HOST_ORDER: dict[type, str] = ORDER | {
    Ai: "name temperament strength",
    Player: "user name dm missed away left slow pinged ai stand_in",
    Deadline: "seat prompt due total reminders",
    Pause: "since asked_by why",
    Remark: "seat key slots",
}
DEFAULTS = Table(TableId(""), 0, 0, Stage.LOBBY, "", {}, House(), UserId(0), (), 0)
OPTIONAL = [
    field.name for field in fields(Table) if field.name not in ("seq", "match") and field.default is not NODEFAULT
]


def document_1(table: Table) -> dict[str, Any]:
    """Return a table as version 1 wrote it."""
    match = None
    if table.match is not None:
        match = coyote_version_1(table.match) if table.game == "coyote" else RULES[table.game].dump(table.match)
    values = {name: getattr(table, name) for name in OPTIONAL if getattr(table, name) != getattr(DEFAULTS, name)}
    written = {name: positional(value, HOST_ORDER) for name, value in values.items()}
    players = positional(table.players, HOST_ORDER)
    return {"version": 1, "host": table.host, "players": players, "match": match, **written}


def setup_1(table: Table) -> dict[str, Any]:
    return {**json.loads(codec.dump_setup(table)), "version": 1}


def evening(seed: int) -> Iterator[Table]:
    """Yield the successive states of a table that receives random commands."""
    rng = Random(seed)
    game, options = GAMES_PLAYED[seed % len(GAMES_PLAYED)]
    now = 1_800_000_000_000
    host = commands.Join(USERS[0], "host")
    table = open_table(TableId("t"), 1, 2, host, now, game=game, options=options, house=rng.choice(HOUSES)).table
    for _ in range(100):
        now += rng.choice([0, 500, 4000, 13_000, 95_000])
        try:
            table = decide(table, some_command(table, rng), now, rng).table
        except Rejected:
            continue
        yield table


@pytest.mark.parametrize("seed", range(8))
def test_a_table_of_version_1_is_upgraded(seed: int) -> None:
    for table in evening(seed):
        setup, document = codec.upgrade(json.dumps(setup_1(table)), encode(document_1(table)))
        assert setup == codec.dump_setup(table)
        columns = Columns(table.id, table.guild, table.channel, table.stage, table.seq)
        # Version 1 did not note for whom an AI had moved.
        players = tuple([player._replace(moved_by=None, has_moved=False) for player in table.players])
        assert codec.load(columns, setup, document) == table._replace(players=players)


@pytest.mark.parametrize("number", range(len(FIXTURE["tables"])))
def test_documents_of_version_1_are_upgraded_completely(number: int) -> None:
    old = FIXTURE["tables"][number]
    table = codec.load(HERE, *codec.upgrade(old["setup"], old["document"]))
    setup = json.loads(old["setup"])
    newer = {"open_looks": True, "out_may_look": False, "pictures": True, "reveal": "steps"}
    setup["house"] |= newer
    assert setup_1(table) == setup
    then, now = json.loads(old["document"]), json.loads(encode(document_1(table)))
    then.pop("ai_played", None)  # no longer needed
    if table.game == "coyote" and table.match is not None:
        then["match"] = without_retired(then["match"])
    if table.game == "plenty-coups" and table.match is not None:
        # Plenty Coups now leaves out empty values and writes its options.
        assert now["match"].pop("options")
        then["match"] = _without_empty(then["match"])
        now["match"] = _without_empty(now["match"])
    assert now == then


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_empty(each) for name, each in value.items() if each not in (None, 0, [])}
    return [_without_empty(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("number", range(len(FIXTURE["records"])))
def test_an_undelivered_end_of_a_round_is_upgraded(number: int) -> None:
    old = FIXTURE["records"][number]
    payload = json.loads(codec.upgrade_payload(old["game"], "record", old["payload"]))
    table = codec.load(HERE, *codec.upgrade(*whole_table(old["game"])))
    record = views.record_of(table, payload)
    assert record.before.view.last != record.after.view.last
    written = json.loads(old["payload"])
    assert payload["actions"] == written["actions"]
    assert coyote_version_1(RULES[old["game"]].load(payload["before"])) == without_retired(written["before"])
    assert positional(record.remarks, HOST_ORDER) == written.get("remarks", [])


def whole_table(game: str) -> tuple[str, str]:
    """Return the setup and document of the largest running table in the fixture."""
    old = max(
        (each for each in FIXTURE["tables"] if each["game"] == game and each["stage"] == "playing"),
        key=lambda each: len(each["document"]),
    )
    return old["setup"], old["document"]


def test_payloads_other_than_records_are_not_changed() -> None:
    assert codec.upgrade_payload("coyote", "notice", '{"key":"left"}') == '{"key":"left"}'


@pytest.mark.parametrize(
    ("game", "payload"),
    [
        ("uno", "{}"),
        (None, "{}"),
        ("coyote", "{}"),
        ("coyote", "[]"),
        ("coyote", "half"),
        ("coyote", '{"before":{"version":1},"actions":[]}'),
        ("coyote", '{"before":{"version":2},"actions":[]}'),
    ],
)
def test_a_damaged_record_is_refused(game: Any, payload: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        codec.upgrade_payload(game, "record", payload)


@pytest.mark.parametrize(
    ("setup", "document"),
    [
        ({"version": 2}, {}),
        ({"version": None}, {}),
        ({"game": "uno"}, {}),
        ({"game": ["coyote"]}, {}),
        ({}, {"version": 2}),
        ({}, {"players": [[1]]}),
        ({}, {"players": [{"user": 1, "name": "Ana"}]}),
        ({}, {"players": None}),
        ({}, {"pause": [1, 2, None, 4]}),
        ({}, {"match": {"version": 2}}),
        ({}, {"weather": "fine"}),
    ],
)
def test_a_damaged_table_of_version_1_is_refused(setup: dict[str, Any], document: dict[str, Any]) -> None:
    begun, now = whole_table("coyote")
    codec.upgrade(begun, now)
    with pytest.raises(ValueError, match=r"."):
        codec.upgrade(json.dumps(json.loads(begun) | setup), json.dumps(json.loads(now) | document))


def present() -> tuple[Any, Any]:
    """Return the setup and document of a running table that has every optional field."""
    table = codec.load(HERE, *codec.upgrade(*whole_table("coyote")))
    full = table._replace(
        deadlines=(Deadline(Seat(0), 1, 2, 3, 1),),
        pause=Pause(5, UserId(1), "outage"),
        remarks=(Remark(Seat(0), "ai.open", (("bid", "5"),)),),
        players=(table.players[0]._replace(ai=Ai("Hazel", "counter", 1), left=True), *table.players[1:]),
    )
    return json.loads(codec.dump_setup(full)), json.loads(codec.dump(full))


def read(setup: Any, document: Any) -> Table:
    return codec.load(HERE, json.dumps(setup), json.dumps(document))


def test_records_are_written_by_name() -> None:
    setup, document = present()
    assert setup["version"] == document["version"] == 2
    assert document["pause"] == {"since": 5, "asked_by": 1, "why": "outage"}
    assert document["deadlines"] == [{"seat": 0, "prompt": 1, "due": 2, "total": 3, "reminders": 1}]
    assert document["remarks"] == [{"seat": 0, "key": "ai.open", "slots": [["bid", "5"]]}]
    assert document["players"][0]["ai"] == {"name": "Hazel", "temperament": "counter", "strength": 1}
    assert json.loads(codec.dump(read(setup, document))) == document


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("setup", "version", 1),
        ("setup", "version", "2"),
        ("setup", "game", "uno"),
        ("setup", "game", ["coyote"]),
        ("setup", "options", None),
        ("setup", "house", []),
        ("setup", "house", {"weather": "fine"}),
        ("setup", "house", {"pings": 1}),
        ("setup", "opened", "today"),
        ("setup", "opened", 1.5),
        ("setup", "weather", "fine"),
        ("document", "version", 3),
        ("document", "host", None),
        ("document", "players", {}),
        ("document", "players", [[1, "Ana"]]),
        ("document", "players", [{"user": 1}]),
        ("document", "players", [{"user": 1, "name": "Ana", "weather": "fine"}]),
        ("document", "match", []),
        ("document", "pause", [5, 1, None]),
        ("document", "pause", {"since": 5}),
        ("document", "deadlines", [[0, 1, 2, 3, 0]]),
        ("document", "remarks", [{"seat": 0}]),
        ("document", "out_votes", [[1]]),
        ("document", "weather", "fine"),
    ],
)
def test_a_damaged_table_is_refused(text: str, name: str, value: Any) -> None:
    setup, document = present()
    (setup if text == "setup" else document)[name] = value
    with pytest.raises(ValueError, match=r"."):
        read(setup, document)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *[("setup", name) for name in ("version", "game", "options", "house", "opened")],
        *[("document", name) for name in ("version", "host", "players", "match")],
    ],
)
def test_a_table_without_one_of_its_parts_is_refused(text: str, name: str) -> None:
    setup, document = present()
    del (setup if text == "setup" else document)[name]
    with pytest.raises(ValueError, match=r"."):
        read(setup, document)


@pytest.mark.parametrize("written", ["", "half a", "[]", "null", "2", '"table"'])
def test_anything_but_a_document_is_refused(written: str) -> None:
    setup, document = present()
    for texts in ((written, json.dumps(document)), (json.dumps(setup), written)):
        with pytest.raises(ValueError, match=r"."):
            codec.load(HERE, *texts)
