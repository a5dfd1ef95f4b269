"""Renders a screen as text for review: everything users see, and the custom_id of each button."""

from collections.abc import Iterator
from typing import Any

from bot.screens.layout import Form, Screen

STYLES = {1: "primary", 2: "grey", 3: "green", 4: "red", 5: "link"}


def rendered(screen: Screen | Form) -> str:
    lines = [f"form “{screen.title}” {screen.custom_id}"] if isinstance(screen, Form) else []
    for component in screen.to_components():
        lines.extend(_lines(component))
    return "\n".join(lines).replace("\u00a0", "~")


def _lines(component: dict[str, Any]) -> list[str]:
    match component["type"]:
        case 1:
            return [line for child in component["components"] for line in _lines(child)]
        case 2:
            emoji = component.get("emoji") or {}
            label = " ".join(filter(None, (_emoji(emoji), component.get("label"))))
            carries = component.get("url") or component.get("custom_id")
            return [f"  [{label}]{_off(component)} {STYLES[component['style']]} {carries}"]
        case 3:
            head = f"  [{component.get('placeholder', '')} ▾]{_off(component)} {component['custom_id']}"
            return [head, *[_option(option) for option in component["options"]]]
        case 4:
            typed = component.get("value") or component.get("placeholder")
            return [f"  [{typed}________] {component['custom_id']}"]
        case 6 | 8:
            chosen = " ".join(str(each["id"]) for each in component.get("default_values", ()))
            return [f"  [{component.get('placeholder', '')} ▾] {component['custom_id']} {chosen}".rstrip()]
        case 13:
            return [f"  ({component['file']['url']})"]
        case 10:
            return list(component["content"].split("\n"))
        case 14:
            return ["----"]
        case 17:
            inside = [line for child in component["components"] for line in _lines(child)]
            return [f"| {line}".rstrip() for line in inside]
        case 19:
            return [f"  [a file] {component['custom_id']}"]
        case 21:
            return [f"  (one of) {component['custom_id']}", *[_option(option) for option in component["options"]]]
        case 18:
            return [f"{component['label']} ({component.get('description')})", *_lines(component["component"])]
        case other:
            raise AssertionError(f"no picture of component {other}")


def _off(component: dict[str, Any]) -> str:
    return " (off)" if component.get("disabled") else ""


def _option(option: dict[str, Any]) -> str:
    about = f" — {option['description']}" if option.get("description") else ""
    chosen = " (chosen)" if option.get("default") else ""
    label = " ".join(filter(None, (_emoji(option.get("emoji") or {}), option["label"])))
    return f"    {option['value']}: {label}{about}{chosen}"


def _emoji(emoji: dict[str, Any]) -> str | None:
    return f"<:{emoji['name']}:{emoji['id']}>" if emoji.get("id") else emoji.get("name")


def shown_texts(screen: Screen | Form) -> Iterator[str]:
    """Yield everything on a screen that users read, one piece at a time."""
    if isinstance(screen, Form):
        yield screen.title
    waiting = list(screen.to_components())
    while waiting:
        component = waiting.pop()
        waiting += component.get("components", ())
        waiting += [component["component"]] if "component" in component else []
        for name in ("content", "label", "placeholder", "description"):
            if component.get(name):
                yield component[name]
        for option in component.get("options", ()):
            yield option["label"]
            yield option.get("description") or ""
