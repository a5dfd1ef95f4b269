"""Every step of every lesson can be solved, every wrong move is answered, and no text is left over."""

from dataclasses import replace

import pytest

import bot.games.registry  # noqa: F401 - registers the games
from bot.host.lessons import Progress
from bot.screens.lessons import LESSONS, Lesson, LessonPlace, lesson_screen, read_place
from bot.text.catalogue import catalogue, languages
from tests.golden import matches_golden
from tests.lessons.learning import USER, after, at_step, games, moves, walk_through
from tests.screens.limits import check_limits
from tests.screens.rendering import rendered
from tests.text.speaking import PSEUDO, speaking, spoken


@pytest.mark.parametrize("game", games())
def test_every_task_has_a_right_move_and_an_answer_to_every_other(game: str) -> None:
    say = catalogue().for_game(game)
    used: set[str] = set()
    for lesson in walk_through(game):
        if lesson.at is None:
            break
        used.add(lesson.key("title"))
        if lesson.at.task is None:
            used.add(lesson.key("done"))
            continue
        used.add(lesson.key(lesson.at.task.name))
        replies = [reply for _, reply in moves(lesson)]
        assert None in replies, lesson.progress
        keys = {lesson.key(f"{lesson.at.task.name}_{reply}") for reply in replies if reply is not None}
        assert keys, f"{lesson.progress} takes any move"
        for key in keys:
            assert say(key, **lesson.names).strip()
        used |= keys
    prefix = f"lesson.{game.replace('-', '_')}."
    used.add(f"{prefix}end")
    assert used == {key for key in catalogue().keys if key.startswith(prefix)}


@pytest.mark.parametrize("game", games())
def test_every_right_move_leads_on(game: str) -> None:
    for lesson in walk_through(game):
        if lesson.at is None or lesson.at.task is None:
            continue
        right = [action for action, reply in moves(lesson) if reply is None]
        for action in right:
            there = after(lesson, action)
            assert there.progress.moves, f"{action} is lost"
            assert there.at is not None
            if there.at.task is not None:
                assert any(reply is None for _, reply in moves(there)), action


@pytest.mark.parametrize("step", [step.name for step in LESSONS["coyote"].steps])
def test_the_learners_own_feather_is_not_on_the_screen(step: str) -> None:
    say = catalogue().for_game("coyote")
    lesson = at_step("coyote", step)
    shown = rendered(lesson_screen(say, lesson))
    plan = lesson.of_game.steps[lesson.index]
    dealt, *after_deal = plan.before
    mine, *others, last = dealt.order
    swapped = replace(plan, before=(dealt._replace(order=(last, *others, mine)), *after_deal))
    assert mine != last
    lesson.of_game = replace(lesson.of_game, steps=(swapped,) * len(lesson.of_game.steps))
    lesson._play()
    assert rendered(lesson_screen(say, lesson)) == shown


@pytest.mark.parametrize("language", [*languages(), PSEUDO])
@pytest.mark.parametrize("game", games())
def test_golden_lessons(game: str, language: str) -> None:
    with speaking(language):
        shown = "\n".join(_lesson_in_words(game))
    if language != PSEUDO:
        matches_golden(f"lesson_{game.replace('-', '_')}.txt", shown, language)


def _lesson_in_words(game: str) -> list[str]:
    say = spoken(game)
    shown = []
    for lesson in walk_through(game):
        title = f"{lesson.progress.step}, {len(lesson.progress.moves)} moves"
        screen = lesson_screen(say, lesson)
        check_limits(screen)
        shown.append(f"=== {title}\n{rendered(screen)}\n")
        if lesson.at is None or lesson.at.task is None:
            continue
        replies = sorted({reply for _, reply in moves(lesson) if reply is not None})
        for reply in replies:
            note = say(lesson.key(f"{lesson.at.task.name}_{reply}"), **lesson.names)
            check_limits(lesson_screen(say, lesson, note=note, back=True))
            shown.append(f"--- {reply}: {note}\n")
    second = LESSONS[game].steps[1].name
    back = lesson_screen(say, at_step(game, second), note="(a reason)", back=True)
    shown.append(f"=== taken up again, after a wrong move\n{rendered(back)}\n")
    shown.append(f"=== the end, in a DM\n{rendered(lesson_screen(say, at_step(game, 'end'), in_guild=False))}\n")
    return shown


def test_a_step_that_has_changed_begins_again() -> None:
    game = games()[0]
    first = LESSONS[game].steps[0].name
    assert Lesson(game, USER, Progress("no such step")).progress == Progress(first)
    assert Lesson(game, USER, Progress(first, ({"do": "nonsense"},))).progress == Progress(first)


def test_the_place_of_a_lesson_cannot_be_taken_for_a_tables_id() -> None:
    for game in games():
        assert read_place(str(LessonPlace(game, 3))) == LessonPlace(game, 3)
    assert read_place("lesson03x") is None
    assert read_place("a1B2c3D4e") is None
