"""Checks a screen against Discord's limits."""

from collections.abc import Iterator
from typing import Any, Final

from bot.screens.custom_ids import parse
from bot.screens.layout import Form, Screen
from bot.screens.privacy import FILE, PACKED
from sandbox.limits import components as component_limits
from sandbox.limits import modals as modal_limits

FILES: Final = {"house-rules.json", FILE, PACKED}
"""The files that screens come with."""


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from walk(component.get("components", []))
        if "component" in component:
            yield from walk([component["component"]])


def labels(components: list[dict[str, Any]]) -> Iterator[str]:
    """Yield every text in which Discord shows no emojis."""
    for component in components:
        for part in (component, *component.get("options", ())):
            yield from (part[key] for key in ("label", "description", "placeholder", "title") if part.get(key))


def check_limits(screen: Screen | Form) -> None:
    components = list(walk(screen.to_components()))
    assert len(components) <= 40
    for shown in labels(components):
        assert "<:" not in shown, f"a label shows emojis as code: {shown}"
    assert sum(len(each.get("content", "")) for each in components) <= 4_000
    custom_ids = [each["custom_id"] for each in components if "custom_id" in each]
    assert len(set(custom_ids)) == len(custom_ids)
    for component in components:
        match component["type"]:
            case 1:  # action row
                assert 1 <= len(component["components"]) <= 5
            case 2:  # button
                assert 1 <= len(component["label"]) <= 80
                assert "url" in component or parse(component["custom_id"]) is not None
            case 3:  # select menu
                values = [option["value"] for option in component["options"]]
                assert 1 <= len(values) <= 25
                assert len(set(values)) == len(values)
                assert len(component.get("placeholder", "")) <= 150
                for option in component["options"]:
                    assert 1 <= len(option["label"]) <= 100
                    assert len(option.get("description") or "") <= 100
                    assert len(option["value"]) <= 100
            case 10:  # text
                assert component["content"].strip()
            case 18:  # label
                assert 1 <= len(component["label"]) <= 45
                assert len(component.get("description") or "") <= 100
    if isinstance(screen, Form):
        assert list(modal_limits.check(screen.to_dict(), ())) == []
        assert len(screen.title) <= 45
        assert len(screen.to_components()) <= 5
        assert parse(screen.custom_id) is not None
    else:
        assert list(component_limits.check(screen.to_components(), (), v2=True, files=FILES)) == []
