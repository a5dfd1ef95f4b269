"""The image, compose.yaml and the systemd unit against what the project has. No container engine is needed."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from bot import exit_codes
from bot.run import CLOSE_SECONDS, DRAIN_SECONDS
from bot.settings import Settings
from bot.version import VERSION
from sandbox.server import Sandbox
from sandbox.testing import checked

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
COMPOSE = (ROOT / "compose.yaml").read_text()
UNIT = (ROOT / "deploy" / "systemd" / "coyote-table.service").read_text()
INSTRUCTIONS = [line.split(None, 1) for line in DOCKERFILE.splitlines() if line.strip() and not line.startswith("#")]


def instructions(kind: str) -> list[str]:
    return [rest for name, rest in INSTRUCTIONS if name == kind]


def copied() -> list[tuple[str, str]]:
    """Return what is copied from the project, and where to."""
    return [tuple(rest.split()) for rest in instructions("COPY") if not rest.startswith("--from")]  # type: ignore[misc]


def test_everything_that_is_copied_exists_and_reaches_the_builder() -> None:
    allowed = {line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().split() if line[0] == "!"}
    sources = {source for source, _ in copied()}
    assert sources == allowed, ".dockerignore lets through exactly what is copied"
    assert all((ROOT / source).exists() for source in sources)


@pytest.fixture
def image(tmp_path: Path) -> Iterator[Path]:
    """Lay out the files as the image has them, compiled and read-only, with nothing else of the project."""
    root = tmp_path / "image"
    for source, target in copied():
        if target.startswith("/app"):
            copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
            (root / target.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / source, root / target.lstrip("/"))
    for cache in list(root.rglob("__pycache__")):
        shutil.rmtree(cache)
    compiling = ("-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", str(root / "app"))
    subprocess.run([sys.executable, *compiling], check=True)
    (tmp_path / "data").mkdir()
    files = [root, *root.rglob("*")]
    for path in files:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield root / "app"
    for path in files:
        path.chmod(0o755)


def settings(tmp_path: Path) -> dict[str, str]:
    """Return the environment of the image, with the data elsewhere."""
    (given,) = instructions("ENV")
    env = dict(part.split("=", 1) for part in shlex.split(given))
    return env | {"PATH": "/usr/bin:/bin", "DATABASE_PATH": str(tmp_path / "data" / "coyote.sqlite3")}


def python(command: str) -> list[str]:
    """Return a command of the Dockerfile with this interpreter."""
    words = json.loads(command)
    assert words[0] == "python"
    return [sys.executable, *words[1:]]


def test_the_commands_of_the_image_run_from_what_it_contains(image: Path, tmp_path: Path) -> None:
    (entry,), (usual,) = instructions("ENTRYPOINT"), instructions("CMD")
    env = settings(tmp_path)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [*python(entry), *arguments]
        return subprocess.run(command, cwd=image, env=env, capture_output=True, text=True, check=False)

    without_token = run(*json.loads(usual))
    assert (without_token.returncode, without_token.stderr.count("\n")) == (2, 1)
    assert run("--version").stdout.startswith(f"Coyote Table {VERSION} ")
    assert run("rules").returncode == 0
    assert run("doctor", "--offline").returncode == 0
    assert "The sandbox is not installed here" in run("play").stderr
    (check,) = instructions("HEALTHCHECK")
    command = python(check.partition(" CMD ")[2])
    assert subprocess.run(command, cwd=image, env=env, capture_output=True, check=False).returncode == 1


async def test_the_image_serves_a_table_and_is_healthy(image: Path, tmp_path: Path) -> None:
    (entry,), (usual,) = instructions("ENTRYPOINT"), instructions("CMD")
    async with Sandbox() as sandbox:
        sandbox.world.add_guild("Friends")
        ana = sandbox.people.add("Ana")
        env = settings(tmp_path) | {
            "DISCORD_TOKEN": sandbox.token,
            "DISCORD_API_URL": sandbox.api_url,
            "DISCORD_GATEWAY_URL": sandbox.gateway_url,
            "BACKUP_EVERY_HOURS": "24",
        }
        process = await asyncio.create_subprocess_exec(*python(entry), *json.loads(usual), cwd=image, env=env)
        with checked(sandbox):
            await sandbox.gateway.wait_connected(seconds=60)
            shown = await ana.slash("coyote new")
            assert shown.message is not None
            (check,) = instructions("HEALTHCHECK")
            health = python(check.partition(" CMD ")[2])
            async with asyncio.timeout(30):
                while await (await asyncio.create_subprocess_exec(*health, cwd=image, env=env)).wait():  # noqa: ASYNC110
                    await asyncio.sleep(0.2)
            process.terminate()
            assert await process.wait() == 0
    written = {path.relative_to(tmp_path / "data").parts[0] for path in (tmp_path / "data").rglob("*")}
    assert written <= {"coyote.sqlite3", "coyote.sqlite3.lock", "backups"}


def test_the_locked_packages_are_all_that_the_code_imports() -> None:
    locked = set(re.findall(r"^([\w.-]+)==", (ROOT / "requirements" / "bot.txt").read_text(), re.MULTILINE))
    names = {re.sub(r"[-_.]+", "-", name).lower() for name in locked}
    distributions = packages_distributions()
    for path in [*(ROOT / "bot").rglob("*.py"), *(ROOT / "cogs").rglob("*.py")]:
        if path == ROOT / "bot" / "play.py":
            continue  # the sandbox is not in the image
        for module in _imported(path) - {"bot", "cogs"} - sys.stdlib_module_names:
            found = {re.sub(r"[-_.]+", "-", name).lower() for name in distributions.get(module, [])}
            assert found & names, f"{path.relative_to(ROOT)} imports {module}, which the image does not have"


def _imported(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {
        name.partition(".")[0]
        for name in plain | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    }


def test_the_user_has_the_same_number_everywhere() -> None:
    (user,) = instructions("USER")
    assert re.fullmatch(r"\d{5}:\d{5}", user), "a number, so that Kubernetes can see that it is not root"
    number = user.partition(":")[0]
    assert f"--owner={number} --group={number}" in DOCKERFILE
    assert f'user: "{user}"' in COMPOSE
    assert f"install -o {number} -m 0400 /dev/stdin discord_token" in COMPOSE
    assert "file: ./discord_token\n" in COMPOSE
    assert "/discord_token" in (ROOT / ".gitignore").read_text().split()


def test_both_stages_use_the_same_python_and_no_pip_is_left() -> None:
    bases = [each.split()[0] for each in instructions("FROM")]
    assert len(set(bases)) == 1
    (version,) = set(re.findall(r"python:(3\.\d+)-slim", " ".join(bases)))
    assert f"rm -rf /usr/local/bin/pip* /usr/local/lib/python{version}/site-packages/pip*" in DOCKERFILE
    assert "venv --without-pip" in DOCKERFILE
    assert f"VERSION={VERSION}" in instructions("ARG")


def test_every_variable_that_is_set_is_a_setting() -> None:
    known = {name.upper() for name in Settings.model_fields} | {"PATH", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"}
    in_image = [part.partition("=")[0] for part in shlex.split(instructions("ENV")[0])]
    in_compose = re.findall(r"^      ([A-Z_]+):", COMPOSE, re.MULTILINE)
    in_unit = [
        part.partition("=")[0] for line in re.findall(r"^Environment=(.+)$", UNIT, re.M) for part in line.split()
    ]
    assert in_compose
    assert in_unit
    assert {*in_image, *in_compose, *in_unit} <= known
    for name, default in re.findall(r"\$\{([A-Z_]+):-([^}]*)\}", COMPOSE):
        if name != "BACKUP_EVERY_HOURS":
            assert str(Settings.model_fields[name.lower()].default) == default


def test_a_stop_leaves_enough_time() -> None:
    needed = DRAIN_SECONDS + CLOSE_SECONDS + 1
    (grace,) = re.findall(r"stop_grace_period: (\d+)s", COMPOSE)
    (timeout,) = re.findall(r"TimeoutStopSec=(\d+)", UNIT)
    assert min(int(grace), int(timeout)) > needed


def test_the_unit_runs_the_bot_and_does_not_repeat_what_cannot_succeed() -> None:
    assert "ExecStart=/opt/coyote-table/.venv/bin/python -m bot run\n" in UNIT
    hopeless = {exit_codes.WRONG_SETTINGS, exit_codes.DATABASE, exit_codes.REFUSED}
    (listed,) = re.findall(r"^RestartPreventExitStatus=([\d ]+)$", UNIT, re.MULTILINE)
    assert {int(code) for code in listed.split()} == hopeless
    assert not {exit_codes.FAILED, exit_codes.AWAY} & hopeless
    assert "StartLimitIntervalSec=0\n" in UNIT, "it does not give up while Discord or PostgreSQL is away"
