"""`/healthz` and `/metrics`, read with Prometheus's own parser, and the dashboard and alerts that ask for them."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot import metrics, monitor
from bot.__main__ import main
from bot.logs import JsonFormatter, print_fatal, set_up_logs
from bot.monitor import Monitor, count_errors
from bot.settings import Settings
from bot.store.sqlite.backup_schedule import BackupSchedule
from tests.e2e.common import make, started
from tests.e2e.harness import evening
from tests.host.world import world

ROOT = Path(__file__).parents[1]
DASHBOARD = json.loads((ROOT / "deploy" / "grafana" / "coyote-table.json").read_text())
ALERTS = (ROOT / "deploy" / "prometheus" / "alerts.yaml").read_text()
MADE_BY_PROMETHEUS = {"up"}
PROMQL = {
    *(
        "histogram_quantile",
        "sum",
        "by",
        "rate",
        "increase",
        "topk",
        "time",
        "min",
        "max",
        "and",
        "label_values",
        "instance",
    ),
}


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


async def get(port: int, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}") as answer:
        return answer.status, await answer.text()


def parsed(text: str) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """Return all samples: their values by name and labels."""
    found: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation, family.name
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sorted(sample.labels.items()))] = sample.value
    return found


async def test_a_game_shows_in_the_metrics(tmp_path: Path) -> None:
    port = free_port()
    async with evening(tmp_path, METRICS_PORT=str(port)) as held:
        message = await started(held)
        await make(held, held.move(message))
        await held.people[0].slash("help")
        await held.people[0].slash("coyote new")
        status, text = await get(port, "/metrics")
        assert status == 200
        found = parsed(text)
        assert (await get(port, "/healthz")) == (200, "well\n")
        assert found["coyote_healthy"] == {(): 1.0}
        assert found["coyote_servers"] == {(): 1.0}
        assert found["coyote_gateway_up"] == {(("shard", "0"),): 1.0}
        playing = (("edition", "feathers"), ("game", "coyote"), ("stage", "playing"))
        assert found["coyote_open_tables"] == {playing: 1.0}
        assert found["coyote_acknowledgement_seconds_count"][(("kind", "component"), ("outcome", "arrived"))] >= 2
        assert (
            found["coyote_acknowledgement_seconds_count"][(("kind", "application_command"), ("outcome", "arrived"))]
            >= 2
        )
        assert found["coyote_committed_steps_total"][()] >= 5
        assert found["coyote_commit_seconds_count"][()] >= 1
        assert sum(found["coyote_refusals_total"].values()) >= 1
        assert sum(found["coyote_discord_requests_total"].values()) >= 5
        assert found["coyote_database_bytes"][(("file", "database"),)] > 0
        assert found["process_resident_memory_bytes"][()] > 1e6
        names = {person.id for person in held.people} | {held.guild.id, held.games.id, message.json["id"]}
        assert not [name for name in names if str(name) in text], "no label names anybody or any place"


async def test_a_taken_port_is_reported_on_one_line(tmp_path: Path) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        async with evening(tmp_path, METRICS_PORT=str(port), start=False) as held:
            await held.bot.start(connected=False)
            assert held.bot.process is not None
            assert await held.bot.process.wait() == 2
            await asyncio.sleep(0.1)
            assert f"METRICS_PORT: 127.0.0.1:{port} cannot be used" in held.bot.log.decode()


async def test_an_address_of_another_machine_is_reported_on_one_line(tmp_path: Path) -> None:
    async with evening(
        tmp_path, METRICS_PORT=str(free_port()), METRICS_HOST="no.such.host.invalid", start=False
    ) as held:
        await held.bot.start(connected=False)
        assert held.bot.process is not None
        assert await held.bot.process.wait() == 2
        await asyncio.sleep(0.1)
        assert "METRICS_HOST: no.such.host.invalid is no address of this machine." in held.bot.log.decode()


async def monitored(tmp_path: Path, problems: list[str], process: str = "") -> tuple[Any, Monitor]:
    here = world(tmp_path / "db")
    running = await here.__aenter__()
    shard = SimpleNamespace(is_closed=lambda: True, latency=float("nan"))
    gateway: Any = SimpleNamespace(shards={3: shard}, guilds=[])
    backups = BackupSchedule(tmp_path / "db", tmp_path / "backups", 0, 1)
    monitor = Monitor(gateway, running.store, running.clock, backups, lambda: problems, process=process)
    await monitor.start("127.0.0.1", 0)
    return here, monitor


async def test_one_of_many_processes_puts_its_name_on_every_figure(tmp_path: Path) -> None:
    here, monitor = await monitored(tmp_path, [], "host.2")
    found = parsed((await get(monitor.addresses[0][1], "/metrics"))[1])
    assert found["coyote_healthy"] == {(("process", "host.2"),): 1.0}
    assert all(("process", "host.2") in labels for samples in found.values() for labels in samples)
    await monitor.stop()
    await here.__aexit__(None, None, None)


async def test_a_problem_is_named(tmp_path: Path) -> None:
    problems = ["shard 3 is not connected to Discord"]
    here, monitor = await monitored(tmp_path, problems)
    port = monitor.addresses[0][1]
    assert await get(port, "/healthz") == (503, "shard 3 is not connected to Discord\n")
    found = parsed((await get(port, "/metrics"))[1])
    assert found["coyote_healthy"] == {(): 0.0}
    assert found["coyote_gateway_up"][(("shard", "3"),)] == 0
    problems.clear()
    assert await get(port, "/healthz") == (200, "well\n")
    assert (await get(port, "/"))[0] == 404
    await monitor.stop()
    await here.__aexit__(None, None, None)


def test_by_default_metrics_are_off_and_local() -> None:
    assert (Settings.model_fields["metrics_port"].default, Settings.model_fields["metrics_host"].default) == (
        0,
        "127.0.0.1",
    )


def offered() -> set[str]:
    """Return the names of all time series that the bot can have."""
    names = {"process_resident_memory_bytes", "process_cpu_seconds_total"}
    for family in metrics.REGISTRY.collect():
        endings = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"], "info": ["_info"]}
        names |= {f"{family.name}{ending}" for ending in endings.get(family.type, [""])}
    return names


def asked(expression: str) -> set[str]:
    """Return the names of the time series in a PromQL expression."""
    plain = re.sub(r'"[^"]*"|\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)', " ", expression)
    return set(re.findall(r"[a-zA-Z_:][a-zA-Z0-9_:]*", plain)) - PROMQL


def labels(expression: str) -> dict[str, set[str]]:
    """Return the labels by which each selected series is filtered."""
    return {name: set(re.findall(r"(\w+)\s*=", inside)) for name, inside in re.findall(r"(\w+)\{([^}]*)\}", expression)}


EXPRESSIONS = [
    *[target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]],
    *[each["query"] for each in DASHBOARD["templating"]["list"] if each["type"] == "query"],
    *re.findall(r"^ +expr: (.+)$", ALERTS, re.MULTILINE),
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_dashboard_and_alerts_ask_only_for_what_exists(expression: str) -> None:
    assert asked(expression)
    assert asked(expression) <= offered() | MADE_BY_PROMETHEUS
    known = {
        f"{family.name}{ending}": family
        for family in metrics.REGISTRY.collect()
        for ending in ("", "_total", "_bucket", "_sum", "_count", "_info")
    }
    for name, filters in labels(expression).items():
        if name in known and name.startswith("coyote_"):
            collector = next(
                each for each in vars(metrics).values() if getattr(each, "_name", None) == known[name].name
            )
            assert filters - {"instance"} <= set(collector._labelnames), expression


def test_everything_that_is_measured_is_on_the_dashboard() -> None:
    shown = {name for expression in EXPRESSIONS for name in asked(expression)}
    families = {family.name for family in metrics.REGISTRY.collect() if family.name.startswith("coyote_")}
    assert not [name for name in families if not any(each.startswith(name) for each in shown)]


def test_panels_have_distinct_ids_and_do_not_overlap() -> None:
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    covered: set[tuple[int, int]] = set()
    for panel in panels:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & covered
        assert max(x for x, _ in cells) < 24
        covered |= cells


def test_the_json_log_is_one_object_per_line() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError as fault:
        record = logging.LogRecord("bot", logging.ERROR, __file__, 1, "table %s", ("t1",), (ValueError, fault, None))
    line = JsonFormatter().format(record)
    assert "\n" not in line
    found = json.loads(line)
    assert (found["level"], found["logger"], found["message"]) == ("ERROR", "bot", "table t1")
    assert "two\nlines" in found["exception"]


@pytest.fixture
def logs() -> Iterator[None]:
    """Leave the log as it was."""
    before, level = logging.getLogger().handlers[:], logging.getLogger().level
    yield
    logging.getLogger().handlers[:] = before
    logging.getLogger().setLevel(level)


def errors() -> dict[str, float]:
    (family,) = metrics.ERRORS.collect()
    return {each.labels["kind"]: each.value for each in family.samples if each.name.endswith("_total")}


@pytest.mark.usefixtures("logs")
@pytest.mark.parametrize(
    ("logger", "kind"),
    [
        ("bot.discord_ui.outbox.publisher", "publisher"),
        ("bot.discord_ui.outbox.dms", "dms"),
        ("bot.store.janitor", "janitor"),
        ("bot.discord_ui.interactions.boundary", "interaction"),
        ("bot.ai_players.turns", "ai"),
        ("cogs.games", "games"),
        ("discord.app_commands.tree", "discord"),
        ("asyncio", "asyncio"),
    ],
)
def test_every_error_in_the_log_is_counted(logger: str, kind: str) -> None:
    set_up_logs("INFO")
    count_errors()
    before = errors().get(kind, 0)
    logging.getLogger(logger).error("it failed")
    logging.getLogger(logger).warning("it will be tried again")
    assert errors()[kind] == before + 1


def test_the_kinds_of_errors_name_modules_that_exist() -> None:
    for logger in monitor._KINDS:
        assert (ROOT / f"{logger.replace('.', '/')}.py").exists()


@pytest.mark.usefixtures("logs")
def test_the_last_line_is_json_where_the_log_is(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs("INFO", "json")
    print_fatal("It is over.")
    found = json.loads(capsys.readouterr().err)
    assert (found["level"], found["message"]) == ("CRITICAL", "It is over.")
    set_up_logs("INFO", "text")
    print_fatal("It is over.")
    assert capsys.readouterr().err == "It is over.\n"


def test_a_machine_can_read_which_setting_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOG_FORMAT", "json")
    monkeypatch.setenv("BACKUP_KEEP", "0")
    assert main(["run"]) == 2
    assert json.loads(capsys.readouterr().err)["message"].startswith("BACKUP_KEEP ")
    assert main(["backup"]) == 2
    assert capsys.readouterr().err.startswith("BACKUP_KEEP "), "people type this"


async def test_backups_that_are_due_can_be_told_from_none(tmp_path: Path) -> None:
    here, monitor = await monitored(tmp_path, [])
    monitor._backups = BackupSchedule(tmp_path / "db", tmp_path / "backups", 72, 1)
    found = parsed((await get(monitor.addresses[0][1], "/metrics"))[1])
    assert found["coyote_backup_interval_seconds"] == {(): 72 * 3600.0}
    assert found["coyote_newest_backup_timestamp_seconds"] == {(): 0.0}
    await monitor.stop()
    await here.__aexit__(None, None, None)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_figures_of_the_whole_database_are_not_added_up(expression: str) -> None:
    for name in (
        "coyote_open_tables",
        "coyote_outbox_messages",
        "coyote_outbox_oldest_seconds",
        "coyote_database_bytes",
    ):
        assert not re.search(rf"sum(?: by \([^)]*\))? ?\({name}", expression)


@pytest.mark.parametrize("form", ["text", "json"])
def test_neither_log_format_shows_secrets(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    before, level = logging.getLogger().handlers[:], logging.getLogger().level
    try:
        set_up_logs("DEBUG", form)
        logging.getLogger("discord.http").debug("a body with a card")
        logging.getLogger("aiosqlite").debug("a row with a card")
        logging.getLogger("bot").debug("a table")
    finally:
        logging.getLogger().handlers[:] = before
        logging.getLogger().setLevel(level)
    printed = capsys.readouterr().err
    assert "a table" in printed
    assert "card" not in printed
