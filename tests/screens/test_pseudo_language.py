"""The pseudo-language shows that no English is left and nothing is cut, in every scene and on every screen of games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from bot.ai_players.characters import ROSTER
from bot.discord_ui.drawing import (
    draw_dated_look,
    draw_dm,
    draw_last_look,
    draw_latest_reveal,
    draw_look,
    draw_more,
    draw_notice,
    draw_ping,
    draw_record,
    draw_record_reveal,
    draw_reminder,
    draw_restart_line,
    draw_shared_end,
    draw_table,
    draw_teaser,
    draw_this_table,
)
from bot.engine.core import DEALER, Seat
from bot.engine.registry import RULES
from bot.games.coyote.ui import choices as acts
from bot.games.coyote.ui.acts import parse_act
from bot.games.coyote.ui.confirm import out_of_reach, reach_screen
from bot.games.coyote.ui.forms import bid_form, guess_form
from bot.games.coyote.ui.views import PublicView
from bot.games.plenty_coups.ui.moves import FORM
from bot.games.plenty_coups.ui.verbs import PlentyVerb
from bot.host import views
from bot.host.commands import Notice
from bot.host.decision import Actor
from bot.host.model import Deadline, Pause, Player, SettledGuess, Stage, Table, UserId
from bot.host.steady_clock import SteadyClock
from bot.screens.confirm import leave_screen, stop_screen
from bot.screens.custom_ids import parse
from bot.screens.game import SCREENS
from bot.screens.layout import Form, Screen
from bot.screens.lessons import lesson_screen
from bot.screens.reasons import reasons_screen
from bot.screens.replay import frame_of, replay_screen
from bot.screens.stats.queries import ReplayStep
from bot.stats.model import Ending
from bot.stats.record import Entry, Log
from bot.stats.replay import Replay
from bot.text.catalogue import Catalogue, catalogue, languages
from tests.games.coyote.contract import OPENINGS, answer
from tests.games.plenty_coups.ui import tables as plenty
from tests.games.plenty_coups.ui.test_explained import SCENES as PLENTY_EXPLAINED
from tests.games.plenty_coups.ui.test_playouts import pressed
from tests.games.plenty_coups.ui.test_remarks import KEYS as PLENTY_REASONS
from tests.games.plenty_coups.ui.test_remarks import remark
from tests.games.plenty_coups.ui.test_remarks import screens as plenty_reasons
from tests.games.plenty_coups.ui.test_screens import SCENES as PLENTY_SCENES
from tests.lessons.learning import games, walk_through
from tests.screens import scenes
from tests.screens.limits import walk
from tests.screens.rendering import shown_texts
from tests.screens.scenes import NOW
from tests.screens.stats_scenes import a_game
from tests.screens.test_snapshots import SCENES
from tests.text.speaking import PSEUDO, english_in, is_cut, speaking, spoken

CLOCK = SteadyClock()
ALL_SCENES: dict[str, Any] = {
    **{f"coyote {name}": scene for name, scene in SCENES.items()},
    **{f"plenty {name}": scene for name, scene in (PLENTY_SCENES | PLENTY_EXPLAINED).items()},
    "plenty reasons": plenty_reasons,
}
NAMES = (*scenes.NAMES, *plenty.NAMES, *[character.name for character in ROSTER], "Hazel Mika Otto Rosa", "WWW")
_PEOPLE = re.compile("|".join(map(re.escape, [*NAMES, *(catalogue(code)("language.name") for code in languages())])))
"""Names with accents of their own: people's, and those of languages."""
_GOOD = set[str]()
"""What was checked already: the screens of a game repeat most of their texts."""
TYPED = {
    "coyote end": ("lot",),
    "coyote rules": ("Changed: Out at",),
    "coyote ai_players": ("AI has seat",),
    "coyote house": ("Small", "Done", "ghost"),
    "coyote notices": ("Well bid!",),
    "coyote refusals": ("High Card", "highcard", "ping", "pings", "ghost", "Tiny", "Small", "yesterday"),
    "plenty replays": ("The time was up",),
}
"""By scene: what people typed or saved, and what scenes say themselves."""


def check(screen: Screen | Form | str, *typed: str) -> None:
    """Check that everything on a screen is in the pseudo-language, down to its last bracket."""
    for shown in {screen} if isinstance(screen, str) else set(shown_texts(screen)) - _GOOD:
        assert english_in(shown, *NAMES, *typed) == [], shown
        assert not is_cut(_PEOPLE.sub("", shown)), shown
        if not typed:
            _GOOD.add(shown)


@pytest.mark.parametrize("scene", ALL_SCENES)
def test_no_scene_has_any_english_left(scene: str) -> None:
    with speaking(PSEUDO):
        for _, screen in ALL_SCENES[scene]():
            check(screen, *TYPED.get(scene, ()))


@pytest.mark.parametrize("game", games())
def test_no_lesson_has_any_english_left(game: str) -> None:
    with speaking(PSEUDO):
        for lesson in walk_through(game):
            check(lesson_screen(spoken(game), lesson))


class Played(NamedTuple):
    """A step of a game: the table, and how it stood before the last move."""

    table: Table
    before: Table | None
    entries: tuple[Entry, ...]


def whole_game(game: str, options: dict[str, Any], players: int) -> Iterator[Played]:
    """Yield every step of a random game."""
    rules, rng = RULES[game], Random(f"{game}{options}{players}")
    names = [Player(UserId(1_001 + seat), scenes.NAMES[seat]) for seat in range(players)]
    deadlines = (Deadline(Seat(0), 1, 10**13, 60_000),)
    table = scenes.a_table(players, options, game=game, players=tuple(names), deadlines=deadlines)
    start = {"host": "start", "game": game, "players": players, "options": options, "starter": None}
    state, before, entries = rules.setup(options, players, None), None, [Entry(NOW, Actor.USER, start)]
    for number in range(MOST_MOVES):
        prompts = rules.prompts(state)
        shown = table._replace(match=state, stage=Stage.PLAYING if prompts else Stage.OVER)
        yield Played(shown, before, tuple(entries))
        if not prompts:
            return
        if prompts[0].seat == DEALER:
            action: Any = rules.deal(state, rng)
        elif game == "coyote":
            action = answer(rng.choice(prompts), rng)
        else:
            action = rng.choice(prompts).pick(rng)
        actor = rng.choice([Actor.USER, Actor.CLOCK, Actor.AI])
        entries.append(Entry(NOW + number, actor, rules.dump_action(action)))
        state, before = rules.apply(state, action).state, shown


def public_messages(played: Played) -> Iterator[Screen | str | None]:
    """Draw everything that the channel may see at a step of a game."""
    table = played.table
    yield draw_table(table, CLOCK)
    if played.before is None or table.stage is Stage.OVER:
        yield draw_table(table._replace(pause=Pause(0, table.host)), CLOCK)
        for stage in (Stage.LOBBY, Stage.CLOSED):
            yield draw_table(table._replace(stage=stage), CLOCK)
    yield from draw_end_of_round(played)
    if table.stage is not Stage.PLAYING:
        return
    yield draw_restart_line(table, CLOCK)
    for prompt in RULES[table.game].prompts(table.match):
        if prompt.seat != DEALER:
            user = table.players[prompt.seat].user
            yield draw_ping(table, user)
            yield draw_reminder(table, user, 10**13)
            about = {"user": user, "by": table.host, "ai": "Hazel", "line": "WWW", "changes": []}
            for key in Notice:
                if key not in (Notice.TIMED_OUT, Notice.AWAY, Notice.STAND_IN):
                    yield draw_notice(table, {**about, "key": key})


def draw_end_of_round(played: Played) -> Iterator[Screen | None]:
    """Draw the record and the reveal if the last move has ended a round."""
    table, before = played.table, played.before
    rules, rounds = RULES[table.game], SCREENS[table.game].rounds
    ended = rules.rounds_ended(table.match)
    if before is None or rounds is None or ended == rules.rounds_ended(before.match):
        return
    record = views.Record(views.public_view(before), views.public_view(table), ended, guessed=GUESSED)
    yield draw_record(table, record)
    for live in (True, False):
        yield draw_record_reveal(table, record, CLOCK, live=live)
    yield draw_latest_reveal(table, CLOCK)
    for beat in range(3):
        yield draw_teaser(table, record.after, beat)


def private_screens(say: Catalogue, played: Played) -> Iterator[Screen | Form]:
    """Draw everything that single people may see at a step of a game."""
    table = played.table
    is_end = played.before is None or table.stage is Stage.OVER
    if is_end:
        yield draw_this_table(say, table)
    for stage in (Stage.LOBBY, Stage.CLOSED, table.stage) if is_end else (table.stage,):
        for user in (*[player.user for player in table.players[:3]], UserId(1)):
            at = table._replace(stage=stage)
            yield draw_look(say, at, user, CLOCK, message=1, moves=True)
            yield draw_dm(say, at, user, CLOCK, message=1)
    yield draw_dated_look(say, table, table.host, CLOCK, message=1)
    yield draw_last_look(say, table, table.host, CLOCK, message=1)
    if table.stage is Stage.PLAYING:
        yield draw_more(say, table, table.host, may_stop=True, text_only=False)
        yield stop_screen(say, table)
        for living in (True, False):
            yield leave_screen(say, table, table.host, living=living)
        yield from forms(say, table)


def forms(say: Catalogue, table: Table) -> Iterator[Screen | Form]:
    """Draw every form that the players who are asked can open, and the questions before bold bids."""
    for prompt in RULES[table.game].prompts(table.match):
        if prompt.seat == DEALER:
            continue
        user = table.players[prompt.seat].user
        if table.game == "coyote":
            yield from coyote_forms(say, table, prompt)
            continue
        look = draw_look(say, table, user, CLOCK, message=1, moves=True)
        for component in walk(look.to_components()):
            found = parse(component.get("custom_id", ""))
            if found is None or found.verb != PlentyVerb.MOVE or component["type"] != SELECT:
                continue
            for value in [each["value"] for each in component["options"] if each["value"].startswith(FORM)]:
                opened = pressed(table, user, found, value)
                assert isinstance(opened, Form)
                yield opened


def coyote_forms(say: Catalogue, table: Table, prompt: Any) -> Iterator[Screen | Form]:
    """Draw what opens from Coyote's buttons."""
    view = PublicView(views.public_view(table).view)
    for number in acts.quick_bids(view, prompt):
        if out_of_reach(view, number):
            yield reach_screen(say, table, view, number, prompt=prompt.id)
    if acts.lowest(prompt) is not None:
        yield bid_form(say, table, view, prompt)
    for option in acts.special_options(say, table, view, prompt):
        act = parse_act(option.value)
        if act is not None and act.needs_number:
            yield bid_form(say, table, view, prompt, act)
        elif act is not None and act.needs_guess:
            yield guess_form(say, table, prompt)


def the_end(say: Catalogue, played: Played) -> Iterator[Screen]:
    """Draw what a finished game leaves: the final standing with its ratings, the replay, and what AIs thought."""
    table = played.table
    seats = len(table.players)
    game = a_game(12, seats)._replace(game=table.game, edition=table.options.get("edition", table.game))
    ending = Ending(game, (1_000,) * seats)
    yield draw_table(table, CLOCK, ending)
    yield draw_shared_end(table, ending, table.host)
    unrated = tuple(seat._replace(rating=None) for seat in game.seats)
    yield draw_table(table, CLOCK, Ending(game._replace(seats=unrated), (None,) * seats))
    users = {Seat(seat): player.user for seat, player in enumerate(table.players)}
    replay = Replay(Log(users, {}, list(played.entries)))
    for step in range(len(replay)):
        yield replay_screen(say, table, frame_of(replay, game, ReplayStep(12, step, Seat(step % (seats + 1)))))
    remarks = tuple(remark(step % seats, key) for step, key in enumerate(PLENTY_REASONS))
    if table.game != "coyote":
        yield reasons_screen(say, table._replace(explained=remarks))


PLAYED = [
    *[("coyote", options, players) for options, players in OPENINGS[::3]],
    *[("plenty-coups", {}, size) for size in range(2, 7)],
]
GUESSED = (SettledGuess(UserId(1), right=True), SettledGuess(UserId(2), right=False))
MOST_MOVES = 400
"""Cap on moves of a random game; few last longer."""
SELECT = 3
"""Discord's number of a component in which one picks from a list."""


@pytest.mark.parametrize(("game", "options", "players"), PLAYED, ids=str)
def test_no_screen_of_a_whole_game_has_any_english_left(game: str, options: dict[str, Any], players: int) -> None:
    with speaking(PSEUDO):
        say = catalogue(PSEUDO).for_game(game)
        for played in whole_game(game, options, players):
            for screen in (*public_messages(played), *private_screens(say, played)):
                if screen is not None:
                    check(screen)
        for screen in the_end(say, played) if played.table.stage is Stage.OVER else ():
            check(screen)


def test_a_text_that_lost_its_end_is_noticed() -> None:
    with speaking(PSEUDO):
        without = [form for key in spoken().keys for form in spoken().forms(key) if "⟦" not in form]
        assert len(without) > 20
        for text in (spoken()("lobby.done.left"), *(each for each in without if "{" not in each and len(each) > 2)):
            assert not is_cut(text)
            assert is_cut(text[:-1]) or text[:-1] in without, text
    assert not is_cut("Ben 12")
