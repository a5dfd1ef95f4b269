"""Pictures: golden images, what they tell and to whom, and that they fit Discord."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageChops

from bot.engine.core import DEALER, Game, Seat
from bot.engine.views import private, public
from bot.games.coyote.pictures import figures
from bot.games.coyote.pictures.drawings import DRAWINGS as COYOTE_PICTURES
from bot.games.coyote.pictures.look import draw_look, look_scene, prepare_look
from bot.games.coyote.pictures.reveal import Beat
from bot.games.coyote.rules.actions import Bid
from bot.games.coyote.rules.editions import EDITIONS
from bot.games.coyote.rules.game import GAME as COYOTE
from bot.games.coyote.rules.results import Ending
from bot.games.coyote.rules.view import Phase
from bot.games.plenty_coups.pictures.camps import draw_camps
from bot.games.plenty_coups.rules.game import GAME as PLENTY_COUPS
from bot.pictures.cache import forget_all
from bot.pictures.charts import draw_board, draw_curve
from bot.pictures.palette import FLAT_PALETTE
from bot.pictures.picture import MAX_DESCRIPTION, Names, Picture
from bot.text.catalogue import DEFAULT_LANGUAGE, languages
from tests.games.coyote import contract as coyote
from tests.games.plenty_coups import contract as plenty_coups
from tests.golden import matches_golden
from tests.pictures import scenes
from tests.pictures.likeness import changed_tiles
from tests.pictures.scenes import LONG_NAMES, NAMES, Scene
from tests.text.speaking import PSEUDO, english_in, speaking, spoken

SAY = spoken()
GOLDEN = Path(__file__).parents[1] / "golden"
OTHER_LANGUAGES = [code for code in languages() if code != DEFAULT_LANGUAGE]
MOST_LOOK_BYTES = 60 << 10

GOLDEN_SCENES: dict[str, Callable[[], Scene]] = {
    "look_feathers_5": lambda: scenes.look(SAY, "feathers", 5),
    "look_tomahawk_12": lambda: scenes.look(SAY, "tomahawk", 12),
    "look_scout_2": lambda: scenes.look(SAY, "scout", 2),
    "look_peek_4": lambda: scenes.look(SAY, "peek", 4),
    "look_lasting": lambda: scenes.lasting_look(SAY),
    "look_open": lambda: scenes.open_look(SAY),
    "reveal_feathers_5": lambda: scenes.reveal(SAY, "feathers", 5, Ending.SHOWDOWN),
    "reveal_feathers_5_first_beat": lambda: scenes.reveal(SAY, "feathers", 5, Ending.SHOWDOWN, beat=Beat.FEATHERS),
    "reveal_peek_3": lambda: scenes.reveal(SAY, "peek", 3, Ending.SHOWDOWN),
    "reveal_peek_7": lambda: scenes.reveal(SAY, "peek", 7, Ending.SHOWDOWN),
    "reveal_out": lambda: scenes.reveal_out(SAY, "peek", LONG_NAMES),
    "reveal_guess": lambda: scenes.reveal(SAY, "feathers", 3, Ending.GUESS),
    "final_feathers_6": lambda: scenes.final(SAY, "feathers", 6),
    "final_shared": lambda: scenes.shared_final(SAY, 3),
    "camps_2": lambda: scenes.camp_scene(SAY, 2),
    "camps_6": lambda: scenes.camp_scene(SAY, 6),
    "camps_winter": lambda: scenes.camp_scene(SAY, 4, winter=True),
    "scoring_allies": lambda: scenes.allied_scoring(SAY),
    "rating": lambda: next(scene for scene in scenes.charts(SAY) if scene.name == "rating"),
    "leaderboard": lambda: next(scene for scene in scenes.charts(SAY) if scene.name == "leaderboard"),
}


def image_of(data: bytes) -> Image.Image:
    """Decode a picture."""
    return Image.open(io.BytesIO(data)).convert("RGB")


def matches_golden_image(path: Path, drawn: Image.Image) -> None:
    """Compare with the golden image, tile by tile; edges of letters may be a pixel off."""
    assert path.exists(), f"{path} is missing: run `make golden` and look at it"
    golden = Image.open(path).convert("RGB")
    assert drawn.size == golden.size
    tiles = changed_tiles(drawn, golden)
    assert not tiles, f"{path.stem} looks different at {tiles}: run `make golden` and look at the difference"


@pytest.mark.parametrize("name", GOLDEN_SCENES)
def test_golden_pictures(name: str) -> None:
    picture = GOLDEN_SCENES[name]().picture
    path = GOLDEN / "pictures" / f"{name}.png"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(picture.data)
        path.with_suffix(".txt").write_text(picture.description + "\n", encoding="utf-8")
    matches_golden_image(path, image_of(picture.data))
    assert path.with_suffix(".txt").read_text(encoding="utf-8") == picture.description + "\n"


IN_ALL_LANGUAGES = ("reveal_peek_3", "reveal_out", "scoring_allies")
IN_ONE_LANGUAGE = (
    ("look_feathers_5", "fr"),
    ("camps_6", "de"),
    ("final_feathers_6", "es"),
    ("leaderboard", "it"),
)


@pytest.mark.parametrize(
    ("name", "language"),
    [*((name, language) for name in IN_ALL_LANGUAGES for language in OTHER_LANGUAGES), *IN_ONE_LANGUAGE],
)
def test_golden_pictures_with_many_words_in_other_languages(name: str, language: str) -> None:
    """They are kept as small as a phone shows them: enough to see whether the words fit."""
    with speaking(language):
        data = GOLDEN_SCENES[name]().picture.data
    palette = Image.new("P", (1, 1))
    palette.putpalette(FLAT_PALETTE)
    drawn = image_of(data).reduce(2).quantize(palette=palette, dither=Image.Dither.NONE)
    path = GOLDEN / language / f"{name}.png"
    if os.environ.get("UPDATE_GOLDEN"):
        drawn.save(path, optimize=True)
    matches_golden_image(path, drawn.convert("RGB"))


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_golden_descriptions_of_pictures(language: str) -> None:
    with speaking(language):
        shown = [f"=== {name}\n{draw().picture.description}\n" for name, draw in GOLDEN_SCENES.items()]
    matches_golden("pictures.txt", "\n".join(shown), language)


@pytest.mark.parametrize("name", GOLDEN_SCENES)
def test_no_description_has_any_english_left(name: str) -> None:
    with speaking(PSEUDO):
        picture = GOLDEN_SCENES[name]().picture
    assert english_in(picture.description, *NAMES, *LONG_NAMES) == []


SMALL_ERRORS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "7 for 8": ({"worn": (7,)}, {"worn": (8,)}),
    "−3 for −8": ({"worn": (-3,)}, {"worn": (-8,)}),
    "a coin too many": ({"tokens": 0}, {"tokens": 1}),
    "three coins too many": ({"tokens": 0}, {"tokens": 3}),
    "safe or not": ({"withdrawn": False}, {"withdrawn": True}),
    "another open feather": ({"opened": ()}, {"opened": (4,)}),
    "other open feathers": ({"opened": (4,)}, {"opened": (2,)}),
}


@pytest.mark.parametrize("error", SMALL_ERRORS)
@pytest.mark.parametrize("players", [5, 12])
def test_a_small_error_does_not_match_the_golden_image(error: str, players: int) -> None:
    """What makes a difference in the game is noticed, however small it is drawn."""
    options = {"max_players": 12, "edition": "feathers"}
    state = scenes.play(COYOTE, options, players, 1, lambda view, _: view.phase is Phase.BIDDING).state
    view = COYOTE.view_for(state, Seat(1))
    images = []
    for changes in SMALL_ERRORS[error]:
        seats = tuple(seat._replace(**changes) if seat.seat == 0 else seat for seat in view.seats)
        images.append(image_of(draw_look(SAY, NAMES[:players], look_scene(view._replace(seats=seats))).data))
    assert changed_tiles(*images)
    if players == 5:  # the copies in other languages are half as large, and of few players
        assert changed_tiles(*[image.reduce(2) for image in images])


def test_letters_may_be_a_pixel_off() -> None:
    """Another version of the font library is no error."""
    picture = image_of(scenes.look(SAY, "feathers", 5).picture.data)
    drawn = Image.new("RGB", (picture.width + 8, picture.height + 8))
    drawn.paste(picture, (4, 4))
    for dx, dy in ((1, 0), (0, 1), (-1, -1)):
        assert changed_tiles(drawn, ImageChops.offset(drawn, dx, dy)) == []


def _positions(game: Game[Any, Any, Any], options: dict[str, Any], players: int, rng: Random) -> list[Any]:
    """Play a random match; return some of its states."""
    state: Any = game.setup(options, players, None)
    found = []
    while prompts := game.prompts(state):
        prompt = rng.choice(prompts)
        if prompt.seat == DEALER:
            action = game.deal(state, rng)
        else:
            action = coyote.answer(prompt, rng) if game is COYOTE else prompt.pick(rng)
        state = game.apply(state, action).state
        found.append(state)
    return rng.sample(found, min(12, len(found)))


@pytest.mark.parametrize(("edition", "players"), [(edition, 3 + 2 * place) for place, edition in enumerate(EDITIONS)])
def test_twins_look_the_same(edition: str, players: int) -> None:
    """Two states that differ in what a player cannot see give them the same bytes, words, name and size."""
    rng = Random(players)
    options = {"edition": edition, "variant": True, "min_players": 2, "max_players": 12}
    compared = 0
    assert COYOTE_PICTURES.look is not None
    for state in _positions(COYOTE, options, players, rng):
        for viewer in map(Seat, range(players)):
            twin = coyote.twin(state, viewer, rng)
            for lasting in (True, False):
                one, other = (
                    COYOTE_PICTURES.look(private(COYOTE.view_for(each, viewer), viewer), lasting=lasting)
                    for each in (state, twin)
                )
                if one is None or other is None:
                    assert one is other
                    continue
                assert one.shows == other.shows
                assert one.draw(SAY, NAMES[:players]) == other.draw(SAY, NAMES[:players])
                compared += state != twin
    assert compared > 5


def test_camps_show_no_hand() -> None:
    """The picture is the same from every view, and with any cards in the hands."""
    rng = Random(1)
    for state in _positions(PLENTY_COUPS, {}, 4, rng):
        shown = draw_camps(SAY, NAMES[:4], PLENTY_COUPS.view_for(state, None))
        twin = plenty_coups.twin(state, None, rng)
        assert shown == draw_camps(SAY, NAMES[:4], PLENTY_COUPS.view_for(twin, None))
        for viewer in map(Seat, range(4)):
            assert shown == draw_camps(SAY, NAMES[:4], PLENTY_COUPS.view_for(state, viewer))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_time_of_a_look_does_not_depend_on_its_feathers(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once one look was drawn, others of the same deal draw no feather for the first time."""
    options = {"edition": edition, "variant": True, "min_players": 2, "max_players": 12}
    view = COYOTE.view_for(scenes.play(COYOTE, options, 5, 2, lambda view, _: view.bid is not None).state, Seat(1))
    views = [scenes.crowded_view()] if edition == "feathers" else []
    for seen in [*views, view]:
        forget_all()
        look = look_scene(seen)
        prepare_look(look)
        drawn: list[Any] = []
        monkeypatch.setattr(figures, "draw_feather", lambda _brush, card, faded, into=drawn: into.append(card))
        draw_look(SAY, NAMES[: len(seen.seats)], look)
        assert [card for card in drawn if card is not None] == []
        monkeypatch.undo()
    forget_all()


def test_no_look_between_rounds() -> None:
    state = COYOTE.setup({}, 3, None)
    assert COYOTE_PICTURES.look is not None
    assert COYOTE_PICTURES.look(private(COYOTE.view_for(state, Seat(0)), Seat(0)), lasting=False) is None


def test_a_lasting_look_stays_the_same_while_people_bid() -> None:
    """It leaves out the bid; the one that answers a question shows it."""
    assert COYOTE_PICTURES.look is not None
    state: Any = COYOTE.setup({}, 3, Seat(0))
    state = COYOTE.apply(state, COYOTE.deal(state, Random(1))).state
    lasting, asked = [], []
    for number in (5, 9, 12):
        seen = private(COYOTE.view_for(state, Seat(2)), Seat(2))
        lasting.append(COYOTE_PICTURES.look(seen, lasting=True))
        asked.append(COYOTE_PICTURES.look(seen, lasting=False))
        state = COYOTE.apply(state, Bid(COYOTE.prompts(state)[0].seat, number)).state
    first, *others = [each for each in lasting if each is not None]
    assert len(others) == 2
    assert {each.shows for each in others} == {first.shows}
    assert "bid" not in first.draw(SAY, NAMES[:3]).description
    assert len({each.shows for each in asked if each is not None}) == 3
    assert asked[0] is not None
    assert asked[0].shows == first.shows, "without a bid there is nothing to leave out"
    assert asked[2] is not None
    assert asked[2].draw(SAY, NAMES[:3]).description.endswith("The bid to beat is 9, by Ben.")


def test_an_earlier_beat_does_not_tell_the_end() -> None:
    first, second, last = (scenes.reveal(SAY, "feathers", 5, Ending.SHOWDOWN, beat=beat).picture for beat in Beat)
    assert {(each.width, each.height, each.name) for each in (first, second, last)} == {
        (last.width, last.height, last.name)
    }
    assert last.description.startswith(second.description)
    assert second.description.startswith(first.description)
    assert len({first.description, second.description, last.description}) == 3
    assert "takes" not in second.description
    assert "makes" not in first.description


def _fits(picture: Picture) -> None:
    drawn = Image.open(io.BytesIO(picture.data))
    assert drawn.format == "PNG"
    assert drawn.size == (picture.width, picture.height)
    assert picture.width == 700
    assert 0 < len(picture.description) <= MAX_DESCRIPTION


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 6, 9, 12])
def test_looks_are_small(edition: str, players: int) -> None:
    picture = scenes.look(SAY, edition, players).picture
    _fits(picture)
    assert len(picture.data) <= MOST_LOOK_BYTES


def test_the_longest_names_fit() -> None:
    """Twelve people with names as long as labels can be: they are cut, and every line is said."""
    names = [f"{chr(65 + seat)}{'W' * 30}{seat}" for seat in range(12)]
    state = scenes.play(
        COYOTE,
        {"edition": "peek", "variant": True, "max_players": 12},
        12,
        3,
        lambda view, _: view.phase is Phase.BIDDING and view.bid is not None,
    ).state
    picture = draw_look(SAY, names, look_scene(COYOTE.view_for(state, Seat(1))))
    _fits(picture)
    assert "…" in picture.description
    assert picture.description.count(" closed.") == 12
    assert picture.description.endswith(".")


def test_names_that_cannot_be_drawn_become_seat_numbers() -> None:
    names = Names(SAY, ["Ana", "田中", "محمد", "🤖 AI Tala", "🦊", "Дмитрий", "Ελένη", "Nguyễn"])
    drawn = [names.drawn(seat) for seat in range(8)]
    assert drawn == ["Ana", "Seat 2", "Seat 3", "AI Tala", "Seat 5", "Дмитрий", "Ελένη", "Nguyễn"]
    assert names.spoken(32)[1] == "田中"


def test_charts_need_something_to_show() -> None:
    with pytest.raises(ValueError, match="two points"):
        draw_curve(SAY, [1000])
    _fits(draw_curve(SAY, [1000] * 200))
    with pytest.raises(ValueError, match="needs a line"):
        draw_board(SAY, "Rating", [])


def test_the_reveal_needs_a_round() -> None:
    assert COYOTE_PICTURES.reveal is not None
    sketch = COYOTE_PICTURES.reveal(public(COYOTE.view_for(COYOTE.setup({}, 3, None), None)), beat=1)
    with pytest.raises(ValueError, match="no round has ended"):
        sketch.draw(SAY, NAMES[:3])


def test_a_reveal_stays_the_same_picture_after_the_next_deal() -> None:
    """So it is not drawn again when its message is closed."""
    assert COYOTE_PICTURES.reveal is not None
    state = scenes.play(COYOTE, {}, 4, 3, lambda view, _: view.last is not None).state
    dealt = COYOTE.apply(state, COYOTE.deal(state, Random(1))).state
    before, after = (public(COYOTE.view_for(each, None)) for each in (state, dealt))
    one, other = (COYOTE_PICTURES.reveal(each, beat=3) for each in (before, after))
    assert before.view != after.view
    assert one.shows == other.shows
    assert one.draw(SAY, NAMES[:4]) == other.draw(SAY, NAMES[:4])
    assert one.shows != COYOTE_PICTURES.reveal(before, beat=2).shows
