"""`/help`: what the bot does, and which commands it has."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.screens.custom_ids import NO_TABLE, CustomId, Verb
from bot.screens.game import SCREENS
from bot.screens.game_names import (
    command_key,
    command_mention,
    game_title,
    group_name,
    keys_of,
    new_commands,
    typed_name,
)
from bot.screens.layout import MOST_IN_ROW, SAGE, PrivateScreen, box, option, pick, press, row, rule, rules_button, text
from bot.screens.lessons import lesson_button
from bot.screens.new_form import opening_id
from bot.screens.rules_pages import first_topic
from bot.screens.words import DOT
from bot.text.catalogue import Catalogue, catalogue

_EXPLAINED_GAME_COMMANDS: Final = ("new", "look", "settings")
"""The commands of a game's group that have a line of their own, whatever the game calls them."""
_EXPLAINED: Final = ("houserules set", "privacy show")
"""Other subcommands with a line of their own. A line for each of forty commands would help nobody."""
OVERVIEW: Final = "overview"
"""The page that is shown first."""
OTHER_COMMANDS: Final = "other"
"""The page of all commands that belong to no game."""


def help_screen(
    say: Catalogue, names: Sequence[str], page: str | None = None, *, is_installed: bool = True
) -> PrivateScreen:
    """Explain the bot, with a line for each important command and the names of all others; or show one of the pages.

    `names` are the English names of all commands that the reader can type, without the slash. A page explains all
    commands of one game, or all that belong to no game. Where the bot is not installed, no table can be opened.
    """
    if page in _pages(names):
        return _commands_screen(say, names, page)
    few = len(_pages(names)) < 2
    lines = [_line(say, name) for name in names if few or _is_explained(name)]
    titles = [game_title(game) for game in SCREENS]
    begin = [command_mention(say, f"{group} new") for group in _game_groups(names)]
    return PrivateScreen(
        box(
            SAGE,
            text(say("help.title", games=say.listing(titles)), *_about_games(say)),
            text(say("help.begin", new=say.either(begin)) if is_installed else _elsewhere(say)),
            rule(),
            text(say("help.commands"), *lines),
            None if few else text(*_others(say, names)),
            text(say("help.also")),
            *(_button_rows(say) if is_installed else [row(*_reading_buttons(say))]),
            None if few else _page_row(say, names, OVERVIEW),
        )
    )


def _commands_screen(say: Catalogue, names: Sequence[str], page: str) -> PrivateScreen:
    """Explain all commands of a page, each of them clickable."""
    lines = [_line(say, name) for name in names if _page_of(name, names) == page]
    return PrivateScreen(box(SAGE, text(f"## {_page_title(say, page)}"), text(*lines), _page_row(say, names, page)))


def _pages(names: Sequence[str]) -> list[str]:
    """Return the pages that list commands: one for each game's group, and one for all other commands."""
    return list(dict.fromkeys(_page_of(name, names) for name in names))


def _page_of(name: str, names: Sequence[str]) -> str:
    group = name.partition(" ")[0]
    return group if group in _game_groups(names) else OTHER_COMMANDS


def _page_title(say: Catalogue, page: str) -> str:
    games = {group_name(catalogue(), game): game for game in SCREENS}
    return say("help.other_commands") if page == OTHER_COMMANDS else game_title(games.get(page, page))


def _page_row(say: Catalogue, names: Sequence[str], shown: str) -> ui.ActionRow[Any] | None:
    """Make the list of pages; from a page, there is a way back to the overview."""
    back = [option(say("command.help.description"), OVERVIEW)] if shown != OVERVIEW else []
    pages = [option(_page_title(say, page), page, chosen=shown == page) for page in _pages(names)]
    return row(pick(say("help.pages"), CustomId(Verb.HELP), [*back, *pages]))


def _line(say: Catalogue, name: str) -> str:
    """Name a command and say what it does."""
    named, key = f"**{command_mention(say, name)}**", keys_of(name)[-1]
    return named if key is None else say("help.command", mention=named, description=say(f"{key}.description"))


def _about_games(say: Catalogue) -> list[str]:
    """Say in a few words what each game is about."""
    return [say.for_game(game)("help.game", game=game_title(game)) for game in SCREENS]


def _elsewhere(say: Catalogue) -> str:
    """Say where tables can be opened."""
    return say("lesson.open_elsewhere", new=new_commands(say))


def _reading_buttons(say: Catalogue) -> list[ui.Button[Any] | None]:
    """Make buttons that open the rules and a lesson."""
    topic = first_topic()
    rules = None if topic is None else rules_button(say("lobby.button.rules"), topic, NO_TABLE)
    return [rules, next(filter(None, (lesson_button(say, game) for game in SCREENS)), None)]


def _button_rows(say: Catalogue) -> list[ui.ActionRow[Any] | None]:
    """Make buttons that open tables, the rules and a lesson. With several games, a table's button names its game."""
    games = list(SCREENS)[: MOST_IN_ROW - 2]
    new = [
        press(_button_label(say, "new", game, len(games)), opening_id(Verb.NEW, game), ButtonStyle.success)
        for game in games
    ]
    choose = [press(_button_label(say, "choose", game, len(games)), opening_id(Verb.CHOOSE, game)) for game in games]
    if len(games) < 2:
        return [row(*new, *choose, *_reading_buttons(say))]
    return [row(*new, *_reading_buttons(say)), row(*choose)]


def _button_label(say: Catalogue, verb: str, game: str, games: int) -> str:
    if games == 1:
        return say(f"help.button.{verb}")
    return say(f"help.button.{verb}_game", game=game_title(game))


def _game_groups(names: Sequence[str]) -> list[str]:
    """Return the command groups of the games: those that can open a table."""
    return [name.removesuffix(" new") for name in names if name.endswith(" new")]


def _is_explained(name: str) -> bool:
    return " " not in name or name in _EXPLAINED or name in _explained_game_commands()


def _explained_game_commands() -> set[str]:
    """Return the English names of the explained commands of all games."""
    plain = catalogue()
    keys = [(game, command_key(plain, game, command)) for game in SCREENS for command in _EXPLAINED_GAME_COMMANDS]
    return {f"{group_name(plain, game)} {plain(f'{key}.name')}" for game, key in keys}


def _others(say: Catalogue, names: Sequence[str]) -> list[str]:
    """Name the other commands of each group, in a line per group."""
    others = [typed_name(say, name).split(" ", 1) for name in names if not _is_explained(name)]
    return [
        say("help.others", group=f"**/{group}**", names=DOT.join(name for _, name in members))
        for group, members in groupby(others, key=lambda each: each[0])
    ]
