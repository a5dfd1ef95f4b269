"""The words on and behind pictures: all is said, in every language, and nothing that matters is cut off."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from bot.engine.core import Seat
from bot.games.coyote.pictures.look import draw_look, look_scene
from bot.games.coyote.pictures.reveal import draw_reveal
from bot.games.coyote.rules.game import GAME as COYOTE
from bot.games.coyote.rules.view import Phase
from bot.games.plenty_coups.pictures.camps import draw_camps
from bot.games.plenty_coups.rules.cards import Card, Kind, Tribe
from bot.games.plenty_coups.rules.game import GAME as PLENTY_COUPS
from bot.pictures import canvas
from bot.pictures.charts import Ranked, draw_board, draw_curve
from bot.pictures.fonts import fitted
from bot.pictures.picture import MAX_DESCRIPTION, Picture
from bot.text.catalogue import Catalogue, catalogue, languages
from tests.pictures import scenes
from tests.pictures.scenes import LONG_NAMES, NAMES

SAY = catalogue()


def _largest(say: Catalogue) -> Iterator[Picture]:
    """Yield pictures with as much on them as there can be, of people with long names."""
    yield scenes.crowded_camps(say, LONG_NAMES).picture
    options = {"edition": "peek", "variant": True, "max_players": 12}
    state = scenes.play(COYOTE, options, 12, 3, lambda view, _: view.phase is Phase.BIDDING and view.bid is not None)
    yield draw_look(say, LONG_NAMES, look_scene(COYOTE.view_for(state.state, Seat(1))))
    ended = scenes.play(COYOTE, options, 12, 3, lambda view, _: view.last is not None).state
    yield draw_reveal(say, LONG_NAMES, COYOTE.view_for(ended, None))
    yield scenes.shared_scoring(say, LONG_NAMES).picture
    yield scenes.final(say, "feathers", 12, LONG_NAMES).picture
    yield draw_curve(say, [1000] * 200, LONG_NAMES[0])
    lines = [Ranked(place + 1, name, "1,234 in 56 games", 1, own=True) for place, name in enumerate(LONG_NAMES[:10])]
    yield draw_board(say, "Rating", lines)


@pytest.mark.parametrize("language", languages())
def test_no_description_is_cut_off(language: str) -> None:
    for picture in _largest(catalogue(language)):
        assert len(picture.description) <= MAX_DESCRIPTION
        assert picture.description[-1] in ".!", picture.description


@pytest.fixture
def cut_lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which every line is added that is cut on a picture, except for bare names."""
    found: list[str] = []

    def watched(text: str, size: int, width: int, weight: Any = "text", *, smallest: int | None = None) -> Any:
        written, chosen = fitted(text, size, width, weight, smallest=smallest)
        if written != text and text not in (*LONG_NAMES, *NAMES):
            found.append(text)
        return written, chosen

    monkeypatch.setattr(canvas, "fitted", watched)
    return found


SENTENCES: dict[str, Callable[[Catalogue, Sequence[str]], object]] = {
    "the last peek card": lambda say, names: scenes.reveal_out(say, "peek", names),
    "the last coin": lambda say, names: scenes.reveal_out(say, "feathers", names),
    "a shared victory": scenes.shared_scoring,
    "a shared final": lambda say, names: scenes.shared_final(say, 5, names),
    "a final": lambda say, names: scenes.final(say, "peek", 6, names),
    "all notes below a name": lambda say, _: scenes.penalised_scoring(say),
    "somebody's rating": lambda say, names: draw_curve(say, [1000, 1010], names[0]),
    "a call": lambda say, names: draw_look(say, names[:4], look_scene(_called())),
}


def _called() -> Any:
    state = scenes.play(COYOTE, {"edition": "peek", "variant": True}, 4, 2, lambda view, _: view.phase is Phase.BETS)
    return COYOTE.view_for(state.state, Seat(1))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("sentence", SENTENCES)
def test_names_are_cut_and_not_what_is_said_about_them(language: str, sentence: str, cut_lines: list[str]) -> None:
    SENTENCES[sentence](catalogue(language), LONG_NAMES)
    assert cut_lines == []


def test_winners_are_all_named(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    real = canvas.Canvas.text

    def text(self: canvas.Canvas, line: str, *args: Any, **more: Any) -> int:
        written.append(line)
        return real(self, line, *args, **more)

    monkeypatch.setattr(canvas.Canvas, "text", text)
    scenes.shared_final(SAY, 5)
    assert [line.split(" · ")[0] for line in written if "·" in line] == ["Ana", "Chloé"]
    assert "Emilia of the Long Valley" in written
    scenes.shared_scoring(SAY, LONG_NAMES)
    (title,) = (line for line in written if line.endswith(" win!"))
    assert title.count("…") == 3


def test_a_reveal_says_what_the_loser_has_left() -> None:
    told = {edition: scenes.reveal_out(SAY, edition).picture.description for edition in ("peek", "feathers")}
    assert "now has 0 open eyes, 0 closed." in told["peek"]
    assert "now has 3 of 3 coins." in told["feathers"]


def test_numbers_are_said_in_one_way() -> None:
    """A screen reader may skip a minus sign, so it is a word in all sentences."""
    for seed in range(40):
        options = {"edition": "feathers", "variant": True}
        state = scenes.play(COYOTE, options, 4, seed, lambda view, _: view.last is not None).state
        said = draw_reveal(SAY, NAMES[:4], COYOTE.view_for(state, None)).description
        assert "−" not in said
        assert "→" not in said


def test_a_final_says_who_went_out_when() -> None:
    said = scenes.final(SAY, "feathers", 4).picture.description
    assert said.count("Out in round") == 3
    said = scenes.final_with_leaver(SAY).picture.description
    assert said.count("Out in round") == 2
    assert said.count("Left in round") == 1


def test_a_leaderboard_says_which_line_is_the_askers() -> None:
    lines = [Ranked(1, "Ana", "1,020", 1), Ranked(2, "Ben", "1,010", 0.5, own=True)]
    assert draw_board(SAY, "Rating", lines).description == "Rating: 1st Ana, 1,020; 2nd Ben (you), 1,010."


def test_sentences_begin_with_a_capital() -> None:
    said = scenes.camp_scene(SAY, 2).picture.description
    assert " Nobody's tribe (" in said
    assert ". nobody" not in said


def test_a_proposal_to_a_colour_without_a_camp_is_drawn() -> None:
    view = PLENTY_COUPS.view_for(scenes.play(PLENTY_COUPS, {}, 4, 1, lambda _, step: step > 20).state, None)
    free = next(tribe for tribe in Tribe if tribe not in [camp.tribe for camp in view.camps])
    first = view.camps[0]._replace(bond=None, proposal=None)
    asking = first._replace(proposal=Card(Kind.WARRIOR, free, 3))
    one, other = (draw_camps(SAY, NAMES[:4], view._replace(camps=(each, *view.camps[1:]))) for each in (first, asking))
    assert one.data != other.data
    assert "proposes an alliance" in other.description
