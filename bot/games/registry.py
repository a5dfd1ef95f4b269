"""Every game that the bot can host. A new game is one entry in `KITS`.

Importing this module registers all of them: each room gets what it needs from their kits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from bot.ai_players.brains import BRAINS, REASON_TIMINGS
from bot.discord_ui.commands.registry import COMMAND_MODULES
from bot.engine.registry import RULES
from bot.games.coyote.kit import KIT as COYOTE
from bot.games.kit import GameKit
from bot.games.plenty_coups.kit import KIT as PLENTY_COUPS
from bot.host.reveal_beats import BEATS
from bot.house_rules.game_settings import GAME_SETTINGS, all_settings, saving_settings
from bot.house_rules.saved import Saved
from bot.pictures.game import DRAWINGS, emoji_names
from bot.screens.custom_ids import Verb
from bot.screens.game import SCREENS
from bot.screens.game_names import TITLES
from bot.screens.house.words import SETTING_WORDS
from bot.screens.lessons import LESSONS, lesson_code
from bot.screens.presses import PRESSES
from bot.screens.rules_pages import all_pages
from bot.screens.stats.words import FIGURE_WORDS
from bot.stats.figures import FIGURES, NAME

KITS: Final[tuple[GameKit[Any], ...]] = (COYOTE, PLENTY_COUPS)


def register(kit: GameKit[Any]) -> None:
    """Hand each part of the kit to the room that asks for it; raise ValueError if it clashes with another game."""
    problems = list(_problems(kit))
    if problems:
        raise ValueError(f"the game {kit.name!r} cannot be registered: {'; '.join(problems)}")
    RULES[kit.name] = kit.rules
    TITLES[kit.name] = kit.title
    if kit.screens is not None:
        SCREENS[kit.name] = kit.screens
    if kit.settings is not None:
        GAME_SETTINGS[kit.name] = kit.settings
    if kit.setting_words is not None:
        SETTING_WORDS[kit.name] = kit.setting_words
    if kit.brain is not None:
        BRAINS[kit.name] = kit.brain
        REASON_TIMINGS[kit.name] = kit.reason_timing
    if kit.presses is not None:
        PRESSES[kit.name] = kit.presses
    if kit.commands is not None:
        COMMAND_MODULES[kit.name] = kit.commands
    FIGURES[kit.name] = kit.figures
    if kit.figure_words is not None:
        FIGURE_WORDS[kit.name] = kit.figure_words
    if kit.lesson is not None:
        LESSONS[kit.name] = kit.lesson
    if kit.drawings is not None:
        DRAWINGS[kit.name] = kit.drawings
        BEATS[kit.name] = kit.drawings.beats


def unregister(kit: GameKit[Any]) -> None:
    """Take a game out of every room again."""
    RULES.pop(kit.name, None)
    TITLES.pop(kit.name, None)
    SCREENS.pop(kit.name, None)
    GAME_SETTINGS.pop(kit.name, None)
    SETTING_WORDS.pop(kit.name, None)
    BRAINS.pop(kit.name, None)
    REASON_TIMINGS.pop(kit.name, None)
    PRESSES.pop(kit.name, None)
    COMMAND_MODULES.pop(kit.name, None)
    FIGURES.pop(kit.name, None)
    FIGURE_WORDS.pop(kit.name, None)
    LESSONS.pop(kit.name, None)
    DRAWINGS.pop(kit.name, None)
    BEATS.pop(kit.name, None)


def _problems(kit: GameKit[Any]) -> Iterator[str]:
    """Yield every reason not to register a kit."""
    if NAME.fullmatch(kit.name) is None:
        yield f"its name does not match {NAME.pattern}"
    if kit.name in RULES:
        yield "its name is taken"
    if kit.commands is not None and (kit.screens is None or kit.presses is None):
        yield "it has commands, but no screens or no presses"
    if kit.lesson is not None:
        if kit.presses is None:
            yield "it has a lesson, but no presses"
        yield from _taken("codes of lessons", (lesson_code(kit.name),), {lesson_code(game) for game in LESSONS})
    verbs = () if kit.presses is None else tuple(kit.presses.verbs)
    yield from _taken("verbs", verbs, set(Verb))
    settings, others = () if kit.settings is None else kit.settings.settings, all_settings()
    if any(each.game != kit.name for each in settings):
        yield "it has settings of another game"
    keys, pages = [each.full_key for each in settings], dict.fromkeys(each.full_page for each in settings)
    yield from _taken("settings", keys, {each.full_key for each in others})
    saved = {each.kind.key for each in settings if isinstance(each.kind, Saved)}
    yield from _taken("keys of saved content", saved, {kind.key for _, kind in saving_settings()})
    yield from _taken("pages of settings", tuple(pages), {each.full_page for each in others})
    emojis = () if kit.drawings is None else kit.drawings.emojis.names
    yield from _taken("emojis", emojis, set(emoji_names()))
    topics = () if kit.screens is None or kit.screens.rules is None else kit.screens.rules.topics
    yield from _taken("topics of the rules", topics, {topic for pages in all_pages() for topic in pages.topics})


def _taken(what: str, names: Collection[str], others: Collection[str]) -> Iterator[str]:
    """Yield a problem if a name occurs twice, or if others have it already."""
    taken = sorted({str(name) for name in names if name in others or list(names).count(name) > 1})
    if taken:
        yield f"{what} that are taken: {', '.join(taken)}"


for _kit in KITS:
    register(_kit)
