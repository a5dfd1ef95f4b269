"""Five people who read five languages at one table: each is spoken to in their own, the table in the server's.

Every text of a language stands in brackets of its own, so that nobody has to guess what was said in which. English has
none. A language that has no catalogue yet is spoken in the pseudo-language.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.ai_players.characters import ROSTER
from bot.games.plenty_coups.ui.moves import FORM
from bot.text.catalogue import _PUBLIC_BUTTON, Catalogue, _without_count, catalogue, languages
from sandbox.components import walk
from sandbox.messagelog import Message
from sandbox.people import Person
from sandbox.refusals import Refused
from tests.e2e.driver import Driver
from tests.e2e.harness import NAMES, Evening, evening
from tests.e2e.leak_check import LeakCheck
from tests.e2e.players import newest, quiet
from tests.text import pseudo
from tests.text.checks import most_characters

BRACKETS = {"de": ("⟨", "⟩"), "fr": ("⦃", "⦄"), "it": ("⦅", "⦆"), "es": ("⁅", "⁆")}
MOST_STEPS = 3_000
"""A game of six has hundreds of decisions, and some looks at the table find nobody to ask but the AI."""
LOCALES = ("en-US", "de", "fr", "it", "es-ES")
TURN = re.compile(r"^## .*?<@(\d+)>", re.M)
NOT_WORDS = re.compile(r"<[^<>\s]*>|</[^<>]+>|https?://\S+")
WORD = re.compile(r"[^\W\d_]{2,}")
IN_BOLD = re.compile(r"\*\*(?:[^\w\s*]+ )?([^*]*)\*\*")
SLOT = re.compile(r"\{[a-z_]*\}")


def months_name(code: str, month: int) -> str:
    """Name a month in a language, within a sentence and at its start."""
    written = Catalogue(code, {}).month(2026, month)
    return f"{written} {written.capitalize()}"


THE_SAME = {
    *("Coyote", "Plenty", "Coups", "Max", "English", *BRACKETS),
    *(word for name in (*NAMES, *(each.name for each in ROSTER)) for word in WORD.findall(name)),
    *(word for code in ("en", *BRACKETS) for month in range(1, 13) for word in WORD.findall(months_name(code, month))),
}
"""Titles of games, special feathers, people, languages, and months, which no catalogue names."""


def write_languages(folder: Path) -> None:
    """Write the four languages, each in its brackets."""
    for code, brackets in BRACKETS.items():
        if code in languages():
            marked = pseudo.texts(catalogue(code), partial(in_brackets, brackets="".join(brackets)))
        else:
            marked = pseudo.texts(catalogue(), partial(pseudo.pseudo, brackets="".join(brackets)), pseudo.accented)
        pseudo.write(folder, code, {**marked, "language.name": code})


def in_brackets(text: str, most: int | None, brackets: str) -> str:
    """Put a text in brackets, if there is room for them."""
    fits = most is None or len(text) + len(brackets) <= most
    return pseudo.bracketed(text, brackets) if fits else text


@cache
def without_brackets(code: str) -> re.Pattern[str]:
    """Match the texts of a language that are so long that brackets have no room."""
    if code not in languages():
        return re.compile(r"(?!)")
    say = catalogue(code)
    forms = {
        form for key in say.keys for form in say.forms(key) if in_brackets(form, most_characters(key), "()") == form
    }
    return re.compile("|".join(".+".join(map(re.escape, SLOT.split(form))) for form in sorted(forms)) or r"(?!)")


@cache
def public_buttons() -> frozenset[str]:
    """Return the English labels of the buttons on public messages, as texts name them."""
    keys = [key for key in catalogue().keys if _PUBLIC_BUTTON.fullmatch(key.split(".", 1)[-1] if _is_own(key) else key)]
    return frozenset(_without_count(catalogue().forms(key)[0]) for key in keys)


def _is_own(key: str) -> bool:
    return key.partition(".")[0] in MOVES


def languages_of(shown: str, quoted: str | None = None) -> set[str]:
    """Return the languages of a text; buttons that are named in bold may be in the language `quoted`."""
    if long := {code for code in BRACKETS if without_brackets(code).fullmatch(shown)}:
        return long
    if quoted in BRACKETS:
        first, last = BRACKETS[quoted]
        shown = re.sub(rf"\*\*(?:[^\w\s*]+ )?{first}[^{first}{last}]*{last}\*\*", "", shown)
    elif quoted is not None:
        shown = IN_BOLD.sub(lambda bold: "" if bold[1] in public_buttons() else bold[0], shown)
    found, depth, outside = set(), 0, []
    for sign in NOT_WORDS.sub(" ", shown):
        opened = next((code for code, (first, _) in BRACKETS.items() if sign == first), None)
        closed = any(sign == last for _, last in BRACKETS.values())
        if opened is not None:
            found.add(opened)
        depth += (opened is not None) - closed
        outside.append(" " if depth or closed else sign)
    if {word for word in WORD.findall("".join(outside)) if word not in THE_SAME}:
        found.add("en")
    return found


class Record(LeakCheck):
    """Records what everybody is shown."""

    def check(self, players: Iterable[Person], bystanders: Iterable[Person]) -> int:
        raise NotImplementedError

    def check_replay(self, message: Message, number: int, eyes: Person | None) -> None:
        raise NotImplementedError

    def shown_to(self, user: str, *, public: bool) -> Iterator[str]:
        """Yield every piece of text that a user was shown, in public or in private."""
        for change in self.seen[user]:
            if self.is_message(change) and self.is_public(change) is public:
                yield from pieces(change.data)


def pieces(data: dict[str, Any]) -> Iterator[str]:
    """Yield everything that people read in a message or a form."""
    yield data.get("content") or data.get("title") or ""
    for part in walk(data.get("components") or []):
        yield from (part[name] for name in ("content", "label", "placeholder", "description") if part.get(name))
        yield from (each["description"] for each in part.get("items") or () if each.get("description"))
        for option in part.get("options") or ():
            yield from (option[name] for name in ("label", "description") if option.get(name))


def button(message: Message, verb: str) -> str:
    """Return the custom_id of a button."""
    found = [each["custom_id"] for each in message.buttons if f":{verb}" in each.get("custom_id", "")]
    assert found, (verb, message.buttons)
    return str(found[0])


async def coyote_move(held: Evening, rng: Random, message: Message) -> None:
    """Let the player in turn bid or call; somebody else tries it first, and is refused."""
    (turn,) = TURN.findall(message.text)[:1]
    person = next((each for each in held.people if each.id == turn), None)
    if person is None:
        await quiet(0.05)  # the AI's turn
        return
    other = rng.choice([each for each in held.people if each is not person])
    offered = await person.autocomplete("coyote act", "action", "")
    assert all(languages_of(each["name"]) <= {held_language(held, person)} for each in offered), offered
    calls = [each["custom_id"] for each in message.buttons if each.get("custom_id", "").endswith(":call")]
    bids = [each["custom_id"] for each in message.buttons if ":bid:" in each.get("custom_id", "")]
    if not calls and not bids:
        await quiet(0.05)  # a call, and people who are out may still guess who is right
        return
    press = calls[0] if calls and (rng.random() < 0.5 or not bids) else bids[0]
    await other.click(message, press)
    form = await person.click(message, button(message, "form"))
    assert form.modal is not None
    assert all(languages_of(each) <= {held_language(held, person)} for each in pieces(form.modal.json))
    changed = partial(_has_changed, person, message, message.version)
    await person.click(message, press)
    await person.wait_for(changed)


async def plenty_move(held: Evening, rng: Random, message: Message) -> None:
    """Let the person who is asked make a move that their client suggests, even in an AI's turn."""
    turn = TURN.findall(message.text)[:1]
    for person in sorted(held.people, key=lambda each: each.id not in turn):
        for command, option in (("take", "cards"), ("play", "move"), ("answer", "answer")):
            offered = await person.autocomplete(f"plenty {command}", option, "")
            assert all(languages_of(each["name"]) <= {held_language(held, person)} for each in offered), offered
            forms = [each["value"] for each in offered if each["value"].startswith(FORM)]
            moves = [each["value"] for each in offered if each["value"] not in (*forms, "undo")]
            if forms:
                form = await person.slash(f"plenty {command}", **{option: rng.choice(forms)})
                assert form.modal is not None
                assert all(languages_of(each) <= {held_language(held, person)} for each in pieces(form.modal.json))
            if moves:
                changed = partial(_has_changed, person, message, message.version)
                await person.slash(f"plenty {command}", **{option: rng.choice(moves)})
                await person.wait_for(changed)
                return
    await quiet(0.05)


async def look_around(held: Evening, rng: Random, message: Message) -> None:
    """Let somebody look, and open what there is besides the moves."""
    person = rng.choice(held.people)
    for verb in ("more", "look"):
        await person.click(message, button(message, verb))


MOVES = {"coyote": coyote_move, "plenty-coups": plenty_move}


def held_language(held: Evening, person: Person) -> str:
    return person.locale.partition("-")[0]


async def play(held: Evening, rng: Random) -> Message:
    """Play from the lobby to the end; everybody looks now and then, and reads what there is to read."""
    host = held.people[0]
    await held.slash(host, "new", clock="2h", **held.driver.short)
    message = await host.wait_for(lambda: newest(host))
    for person in held.people[1:]:
        await person.click(message, button(message, "join"))
    await held.slash(host, "ai add")
    for person in held.people:
        await person.click(message, button(message, "rules"))
    await host.click(message, button(message, "start"))
    for _ in range(MOST_STEPS):
        message = await host.wait_for(lambda: newest(host))
        verbs = {each.get("custom_id", "").split(":")[3] for each in message.buttons if "custom_id" in each}
        if "rematch" in verbs:
            return message
        if "deal" in verbs:
            await host.click(message, button(message, "deal"))
            await host.wait_for(partial(_is_replaced, host, message))
        elif "look" in verbs and (TURN.search(message.text) or held.driver.name == "plenty-coups"):
            with contextlib.suppress(Refused):  # the AI was first, so the button is gone
                await (look_around if rng.random() < 0.2 else MOVES[held.driver.name])(held, rng, message)
        else:
            await quiet(0.05)
    raise AssertionError("the game does not end")


def _is_replaced(reader: Person, message: Message) -> bool:
    return newest(reader) is not message


def _has_changed(reader: Person, message: Message, version: int) -> bool:
    return _is_replaced(reader, message) or message.version != version


async def read_everything(held: Evening, person: Person) -> None:
    """Ask for whatever can be read outside of a game."""
    for command in ("help", "rules", "privacy show", "tutorial", f"{held.driver.group} settings"):
        await person.slash(command)
    for command in ("stats", "history", "leaderboard"):
        await person.slash(command, private=True)
    await person.slash("replay", game=1)


@pytest.mark.parametrize("server", ["it", "en-US"])
async def test_each_reads_their_own_language_and_the_table_speaks_the_servers(
    tmp_path: Path, driver: Driver, server: str
) -> None:
    write_languages(tmp_path / "texts")
    async with evening(tmp_path, 5, driver=driver, MORE_TEXTS=str(tmp_path / "texts")) as held:
        held.guild.locale = server
        for person, locale in zip(held.people, LOCALES, strict=True):
            person.locale = locale
        record = Record(held, held.people, held.games)
        await play(held, Random(5))
        for person in held.people:
            await read_everything(held, person)
        await held.people[0].slash("leaderboard")
        await quiet()
        spoken = server.partition("-")[0]
        for person in held.people:
            own = held_language(held, person)
            quoted = None if own == spoken else spoken
            private = list(record.shown_to(person.id, public=False))
            assert len(private) > 20
            for piece in private:
                assert languages_of(piece, quoted) <= {own}, (own, piece)
            assert own in {each for piece in private for each in languages_of(piece, quoted)}
        public = list(record.shown_to(held.people[0].id, public=True))
        for piece in public:
            assert languages_of(piece) <= {spoken}, (spoken, piece)


async def test_a_language_chosen_in_ones_settings_counts_everywhere(tmp_path: Path) -> None:
    write_languages(tmp_path / "texts")
    async with evening(tmp_path, 3, MORE_TEXTS=str(tmp_path / "texts")) as held:
        ana, ben, _ = held.people
        settings = await ana.slash("coyote settings")
        assert settings.message is not None
        menus = [each["custom_id"] for each in settings.message.components if "custom_id" in each]
        menu = next(each for each in menus if each.endswith(":language"))
        chosen = await ana.select(settings.message, menu, "fr")
        assert languages_of(chosen.text) == {"fr"}
        message = await held.open_table(ana)
        assert languages_of(message.text) == {"en"}, "the server's"
        await ben.click(message, button(message, "join"))
        dm = await ana.wait_for(lambda: next(iter(ana.dms()), None))
        assert languages_of(dm.text, "en") == {"fr"}
        await held.bot.restart()
        assert languages_of((await ana.slash("help")).text) == {"fr"}
        ben.locale = "de"
        await ben.click(message, button(message, "rules"))
        await ben.wait_for(lambda: any(languages_of(each.text, "en") == {"de"} for each in ben.dms()))
        back = await ana.slash("coyote settings", language="auto")
        assert languages_of(back.text) == {"en"}
