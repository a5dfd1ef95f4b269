"""What import-linter has no contract for: no import cycles, and no top-level part of the bot left out of the contracts.

`make check` runs this file, too.
"""

from __future__ import annotations

import re
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import grimp

PROJECT = Path(__file__).parents[1]
CONTRACTS: dict[str, dict[str, Any]] = {
    contract["name"]: contract
    for contract in tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
}
STARTERS = {"bot.__main__", "bot.cli", "bot.run", "bot.play"}
"""The modules that start the bot: they may import everything."""


def rooms() -> set[str]:
    """Return the packages and modules directly in `bot`, and `cogs`."""
    found = [path for path in (PROJECT / "bot").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    return {"cogs"} | {f"bot.{path.stem}" for path in found if path.stem != "__init__"}


def test_no_module_cycle() -> None:
    graph = grimp.build_graph("bot", "cogs", "sandbox", cache_dir=None)  # with type-checking imports
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the modules


def test_every_room_has_a_layer() -> None:
    layers = CONTRACTS["Imports point towards the engine"]["layers"]
    named = {module.strip() for layer in layers for module in re.split("[|:]", layer)}
    in_parts = {module.rpartition(".")[0] for module in named}  # rooms listed by parts; another contract checks these
    assert rooms() - named - in_parts == set()


def test_every_shared_room_is_forbidden_to_import_a_game() -> None:
    assert rooms() - STARTERS - {"bot.games"} == set(CONTRACTS["Shared rooms import no game"]["source_modules"])


def test_every_room_but_the_store_is_forbidden_to_know_which_store_it_is() -> None:
    contract = CONTRACTS["Only what starts the bot knows which store it is: everybody else asks the port"]
    assert rooms() - STARTERS - {"bot.store"} == set(contract["source_modules"])
    stores = {f"bot.store.{path.parent.name}" for path in (PROJECT / "bot" / "store").glob("*/__init__.py")}
    assert stores | {"bot.store.opening"} <= set(contract["forbidden_modules"])


def test_no_contract_names_a_single_game() -> None:
    games = {path.parent.name for path in (PROJECT / "bot" / "games").glob("*/__init__.py")}
    assert games
    for contract in CONTRACTS.values():
        assert not [game for game in games if f"bot.games.{game}" in str(contract)], contract["name"]
