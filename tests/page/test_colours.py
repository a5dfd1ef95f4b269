"""Every text colour is readable on each of its backgrounds, in both themes."""

import re

import pytest

from sandbox.page import STATIC

TEXTS = ("text", "text-soft", "text-faint", "link", "danger-text", "ok-text", "ember")
GROUNDS = ("rail", "side", "main", "raised", "field")
CONTROLS = ("primary", "primary-hover", "success", "success-hover", "danger", "danger-hover")
LEGIBLE = 4.5


def themes() -> dict[str, dict[str, str]]:
    css = (STATIC / "css" / "base.css").read_text("utf-8")
    both = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", css))
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", css)
    light, dark = ({name: pair[at] for name, *pair in pairs} for at in (0, 1))
    return {"light": both | light, "dark": both | dark}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_texts_are_readable_on_their_backgrounds(theme: str) -> None:
    colours = themes()[theme]
    pairs = [(text, ground) for text in TEXTS for ground in GROUNDS]
    pairs += [("control-text", control) for control in CONTROLS]
    pairs += [("text", "secondary"), ("text", "secondary-hover"), ("text", "raised-2"), ("text-soft", "raised-2")]
    faint = {f"{a} on {b}": contrast(colours[a], colours[b]) for a, b in pairs}
    assert {pair: round(value, 2) for pair, value in faint.items() if value < LEGIBLE} == {}
