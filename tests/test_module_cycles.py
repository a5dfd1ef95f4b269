"""The modules of the bot have no import cycles, type-checking imports included."""

from __future__ import annotations

from graphlib import TopologicalSorter

import grimp


def test_no_module_cycle() -> None:
    graph = grimp.build_graph("bot", "cogs", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the modules
