from typing import Any

import pytest

from sandbox.limits import commands as command_limits
from sandbox.limits import messages as message_limits

V2 = 1 << 15
Json = dict[str, Any]


def button(custom_id: str | None = "a", **more: Any) -> Json:
    return {"type": 2, "style": 1, "label": "x", "custom_id": custom_id} | more


def row(*parts: Json) -> Json:
    return {"type": 1, "components": list(parts)}


def text(content: str) -> Json:
    return {"type": 10, "content": content}


def option(number: int, **more: Any) -> Json:
    return {"label": f"o{number}", "value": f"{number}"} | more


def select(**more: Any) -> Json:
    return {"type": 3, "custom_id": "s", "options": [option(1)]} | more


def section(*parts: Json, **more: Any) -> Json:
    return {"type": 9, "components": list(parts), "accessory": button()} | more


def picture(url: str = "https://example.com/a.png", **more: Any) -> Json:
    return {"media": {"url": url}} | more


MESSAGES: list[tuple[str, Json, tuple[str | int, ...]]] = [
    ("long content", {"content": "x" * 2001}, ("content",)),
    ("long nonce", {"content": "x", "nonce": "n" * 26}, ("nonce",)),
    ("eleven embeds", {"embeds": [{"title": "x"}] * 11}, ("embeds",)),
    ("long title", {"embeds": [{"title": "x" * 257}]}, ("embeds", 0, "title")),
    ("long description", {"embeds": [{"description": "x" * 4097}]}, ("embeds", 0, "description")),
    ("long footer", {"embeds": [{"footer": {"text": "x" * 2049}}]}, ("embeds", 0, "footer", "text")),
    ("long author", {"embeds": [{"author": {"name": "x" * 257}}]}, ("embeds", 0, "author", "name")),
    ("26 fields", {"embeds": [{"fields": [{"name": "a", "value": "b"}] * 26}]}, ("embeds", 0, "fields")),
    ("long field", {"embeds": [{"fields": [{"name": "a", "value": "b" * 1025}]}]}, ("embeds", 0, "fields", 0, "value")),
    ("empty field", {"embeds": [{"fields": [{"name": "", "value": "b"}]}]}, ("embeds", 0, "fields", 0, "name")),
    ("odd link", {"embeds": [{"title": "x", "url": "javascript:alert(1)"}]}, ("embeds", 0, "url")),
    ("6,001 in embeds", {"embeds": [{"description": "x" * 4000}, {"description": "x" * 2001}]}, ("embeds",)),
    ("six rows", {"components": [row(button(str(n))) for n in range(6)]}, ("components",)),
    ("six buttons", {"components": [row(*(button(str(n)) for n in range(6)))]}, ("components", 0, "components")),
    ("select beside a button", {"components": [row(select(), button())]}, ("components", 0, "components")),
    ("long custom_id", {"components": [row(button("x" * 101))]}, ("components", 0, "components", 0, "custom_id")),
    ("empty custom_id", {"components": [row(button(""))]}, ("components", 0, "components", 0, "custom_id")),
    ("twin custom_ids", {"components": [row(button(), button())]}, ("components", 0, "components", 1, "custom_id")),
    ("long label", {"components": [row(button(label="x" * 81))]}, ("components", 0, "components", 0, "label")),
    ("no label", {"components": [row(button(label=None))]}, ("components", 0, "components", 0)),
    (
        "link with custom_id",
        {"components": [row(button(style=5, url="https://x.y"))]},
        ("components", 0, "components", 0, "custom_id"),
    ),
    (
        "link without url",
        {"components": [row(button(style=5, custom_id=None))]},
        ("components", 0, "components", 0, "url"),
    ),
    (
        "odd scheme",
        {"components": [row(button(style=5, custom_id=None, url="ftp://x"))]},
        ("components", 0, "components", 0, "url"),
    ),
    (
        "26 options",
        {"components": [row(select(options=[option(n) for n in range(26)]))]},
        ("components", 0, "components", 0, "options"),
    ),
    ("no options", {"components": [row(select(options=[]))]}, ("components", 0, "components", 0, "options")),
    (
        "twin options",
        {"components": [row(select(options=[option(1), option(1)]))]},
        ("components", 0, "components", 0, "options", 1, "value"),
    ),
    (
        "long option",
        {"components": [row(select(options=[option(1, description="x" * 101)]))]},
        ("components", 0, "components", 0, "options", 0, "description"),
    ),
    (
        "two defaults",
        {"components": [row(select(options=[option(1, default=True), option(2, default=True)]))]},
        ("components", 0, "components", 0, "options"),
    ),
    ("min over max", {"components": [row(select(min_values=2))]}, ("components", 0, "components", 0, "min_values")),
    (
        "long placeholder",
        {"components": [row(select(placeholder="x" * 151))]},
        ("components", 0, "components", 0, "placeholder"),
    ),
    ("text without the flag", {"components": [text("x")]}, ("components", 0, "type")),
    ("content beside V2", {"flags": V2, "content": "x", "components": [text("x")]}, ("content",)),
    ("embeds beside V2", {"flags": V2, "embeds": [{"title": "x"}], "components": [text("x")]}, ("embeds",)),
    ("41 components", {"flags": V2, "components": [text("x")] * 41}, ("components",)),
    ("40 nested in one", {"flags": V2, "components": [{"type": 17, "components": [text("x")] * 40}]}, ("components",)),
    ("4,001 characters", {"flags": V2, "components": [text("x" * 2000), text("x" * 2001)]}, ("components",)),
    ("empty text", {"flags": V2, "components": [text("")]}, ("components", 0, "content")),
    (
        "four texts in a section",
        {"flags": V2, "components": [section(*[text("x")] * 4)]},
        ("components", 0, "components"),
    ),
    (
        "section without accessory",
        {"flags": V2, "components": [section(text("x"), accessory=None)]},
        ("components", 0, "accessory"),
    ),
    (
        "eleven pictures",
        {"flags": V2, "components": [{"type": 12, "items": [picture()] * 11}]},
        ("components", 0, "items"),
    ),
    (
        "long alt text",
        {"flags": V2, "components": [{"type": 12, "items": [picture(description="x" * 1025)]}]},
        ("components", 0, "items", 0, "description"),
    ),
    (
        "missing file",
        {"flags": V2, "components": [{"type": 12, "items": [picture("attachment://a.png")]}]},
        ("components", 0, "items", 0, "media", "url"),
    ),
    (
        "container in container",
        {"flags": V2, "components": [{"type": 17, "components": [{"type": 17, "components": [text("x")]}]}]},
        ("components", 0, "components", 0, "type"),
    ),
    (
        "exclusive mentions",
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        ("allowed_mentions",),
    ),
    ("attachment without file", {"content": "x", "attachments": [{"id": 0, "filename": "a"}]}, ("attachments", 0)),
]

COMMANDS: list[tuple[str, Json, tuple[str | int, ...]]] = [
    ("capitals", {"name": "Bid"}, ("name",)),
    ("spaces", {"name": "my bid"}, ("name",)),
    ("long name", {"name": "x" * 33}, ("name",)),
    ("no description", {"description": ""}, ("description",)),
    ("long description", {"description": "x" * 101}, ("description",)),
    ("unknown locale", {"name_localizations": {"xx": "x"}}, ("name_localizations", "xx")),
    ("bad translation", {"name_localizations": {"de": "Gebot"}}, ("name_localizations", "de")),
    ("26 options", {"options": [{"type": 3, "name": f"o{n}", "description": "x"} for n in range(26)]}, ("options",)),
    ("twin options", {"options": [{"type": 3, "name": "o", "description": "x"}] * 2}, ("options", 1, "name")),
    (
        "required last",
        {
            "options": [
                {"type": 3, "name": "a", "description": "x"},
                {"type": 3, "name": "b", "description": "x", "required": True},
            ]
        },
        ("options", 1),
    ),
    (
        "26 choices",
        {
            "options": [
                {
                    "type": 3,
                    "name": "o",
                    "description": "x",
                    "choices": [{"name": str(n), "value": str(n)} for n in range(26)],
                }
            ]
        },
        ("options", 0, "choices"),
    ),
    (
        "long choice",
        {"options": [{"type": 3, "name": "o", "description": "x", "choices": [{"name": "x" * 101, "value": "x"}]}]},
        ("options", 0, "choices", 0, "name"),
    ),
    (
        "choices and autocomplete",
        {
            "options": [
                {
                    "type": 3,
                    "name": "o",
                    "description": "x",
                    "autocomplete": True,
                    "choices": [{"name": "x", "value": "x"}],
                }
            ]
        },
        ("options", 0, "autocomplete"),
    ),
    (
        "mixed options",
        {"options": [{"type": 3, "name": "a", "description": "x"}, {"type": 1, "name": "b", "description": "x"}]},
        ("options",),
    ),
    (
        "bad range",
        {"options": [{"type": 4, "name": "a", "description": "x", "min_value": 5, "max_value": 1}]},
        ("options", 0, "min_value"),
    ),
    (
        "too much text",
        {
            "options": [
                {
                    "type": 3,
                    "name": f"o{n}",
                    "description": "x",
                    "choices": [{"name": "x" * 100, "value": "x" * 100}] * 10,
                }
                for n in range(5)
            ]
        },
        (),
    ),
]


@pytest.mark.parametrize(("body", "path"), [each[1:] for each in MESSAGES], ids=[each[0] for each in MESSAGES])
def test_message_limits(body: Json, path: tuple[str | int, ...]) -> None:
    assert path in [problem.path for problem in message_limits.check(body, old=[])]


@pytest.mark.parametrize(("change", "path"), [each[1:] for each in COMMANDS], ids=[each[0] for each in COMMANDS])
def test_command_limits(change: Json, path: tuple[str | int, ...]) -> None:
    good = {"name": "bid", "description": "Bids"}
    assert list(command_limits.check(good)) == []
    assert path in [problem.path for problem in command_limits.check(good | change)]


@pytest.mark.parametrize("name", ["bid", "日本語", "gebot_2", "l'appel", "हिन्दी", "ไทย"])
def test_command_names_may_use_any_script(name: str) -> None:
    assert command_limits.valid_name(name)


def test_too_many_or_duplicate_commands_are_refused() -> None:
    bodies: list[Json] = [{"name": f"c{n}", "description": "x"} for n in range(101)]
    assert () in [problem.path for problem in command_limits.check_all(bodies)]
    assert (1, "name") in [problem.path for problem in command_limits.check_all([bodies[0], bodies[0]])]


def test_values_at_the_limit_are_allowed() -> None:
    full: Json = {
        "flags": V2,
        "components": [
            {"type": 17, "components": [text("x" * 100)] * 39},
        ],
    }
    assert list(message_limits.check(full, old=[])) == []
    embeds = {"content": "x" * 2000, "embeds": [{"description": "x" * 4000}, {"description": "x" * 2000}]}
    assert list(message_limits.check(embeds, old=[])) == []


def modal(**more: Any) -> Json:
    field = {"type": 18, "label": "N", "component": {"type": 4, "style": 1, "custom_id": "n"}}
    return {"type": 9, "data": {"custom_id": "m", "title": "T", "components": [field]} | more}


def a_field(**more: Any) -> Json:
    return {"type": 18, "label": "N", "component": {"type": 4, "style": 1, "custom_id": "n"} | more}


CALLBACKS: list[tuple[str, Json, tuple[str | int, ...]]] = [
    ("long title", modal(title="x" * 46), ("data", "title")),
    ("six rows", modal(components=[a_field(custom_id=str(n)) for n in range(6)]), ("data", "components")),
    ("no rows", modal(components=[]), ("data", "components")),
    ("long label", modal(components=[a_field() | {"label": "x" * 46}]), ("data", "components", 0, "label")),
    (
        "long value",
        modal(components=[a_field(value="xxx", max_length=2)]),
        ("data", "components", 0, "component", "value"),
    ),
    (
        "long placeholder",
        modal(components=[a_field(placeholder="x" * 101)]),
        ("data", "components", 0, "component", "placeholder"),
    ),
    ("twin ids", modal(components=[a_field(), a_field()]), ("data", "components", 1, "component", "custom_id")),
    ("26 suggestions", {"type": 8, "data": {"choices": [{"name": "x", "value": "x"}] * 26}}, ("data", "choices")),
    (
        "long suggestion",
        {"type": 8, "data": {"choices": [{"name": "x" * 101, "value": "x"}]}},
        ("data", "choices", 0, "name"),
    ),
    ("long reply", {"type": 4, "data": {"content": "x" * 2001}}, ("data", "content")),
]


@pytest.mark.parametrize(("body", "path"), [each[1:] for each in CALLBACKS], ids=[each[0] for each in CALLBACKS])
def test_callback_limits(body: Json, path: tuple[str | int, ...]) -> None:
    assert path in [problem.path for problem in message_limits.check_callback(body, ())]
    assert list(message_limits.check_callback(modal(), ())) == []
