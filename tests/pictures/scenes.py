"""Positions to draw: every edition and size, reached by random play with fixed seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from bot.engine.core import DEALER, Game, Outcome, Prompt, Seat
from bot.engine.views import laid_open, private, public
from bot.games.coyote.pictures.drawings import DRAWINGS as COYOTE_PICTURES
from bot.games.coyote.pictures.final import draw_final
from bot.games.coyote.pictures.look import draw_look, look_scene
from bot.games.coyote.pictures.reveal import Beat, draw_reveal
from bot.games.coyote.rules.actions import Bid, Call, RoundEnded
from bot.games.coyote.rules.editions import EDITIONS
from bot.games.coyote.rules.game import GAME as COYOTE
from bot.games.coyote.rules.results import Ending, Result
from bot.games.coyote.rules.view import Phase
from bot.games.plenty_coups.pictures.camps import draw_camps
from bot.games.plenty_coups.pictures.drawings import DRAWINGS as PLENTY_COUPS_PICTURES
from bot.games.plenty_coups.pictures.scoring import draw_scoring
from bot.games.plenty_coups.rules.cards import Card, Kind
from bot.games.plenty_coups.rules.game import GAME as PLENTY_COUPS
from bot.games.plenty_coups.rules.view import NotAdded, Score
from bot.pictures.charts import Ranked, draw_board, draw_curve
from bot.pictures.picture import Picture
from bot.screens.stats.words import ranking_name
from bot.text.catalogue import Catalogue

NAMES = (
    *("Ana", "Ben", "Chloé", "Дмитрий", "Emilia of the Long Valley", "Ελένη"),
    *("田中", "🤖 AI Tala", "Gus", "Łukasz", "Nguyễn", "Jo"),
)
LONG_NAMES = tuple(f"{first}milian Featherstonehaugh-Roe{seat:02}"[:32] for seat, first in enumerate("ABCDEFGHIJKL"))
SIZES = range(2, 13)


class Scene(NamedTuple):
    """A picture and what it shows."""

    name: str
    picture: Picture


class Played(NamedTuple):
    """A match up to some state, with all public events."""

    state: Any
    events: tuple[object, ...]


def _bidder(prompt: Prompt, rng: Random) -> Any:
    """Bid like a sensible player: a little more each time, then call; now and then, do something else."""
    if rng.random() < 0.25:
        others = [action for _ in range(8) if not isinstance(action := prompt.pick(rng), Bid | Call)]
        if others:
            return others[0]
    bids = next((choice for choice in prompt.choices if choice.verb is Bid), None)
    numbers: Any = [] if bids is None else [number for number in bids.fields[0] if number > 0]
    if prompt.allows(Call(prompt.seat)) and (not numbers or numbers[0] > rng.randint(14, 40)):
        return Call(prompt.seat)
    bid = Bid(prompt.seat, numbers[min(rng.randrange(5), len(numbers) - 1)]) if numbers else None
    return bid if bid is not None and prompt.allows(bid) else prompt.pick(rng)


def _random(prompt: Prompt, rng: Random) -> Any:
    return prompt.pick(rng)


def play(
    game: Game[Any, Any, Any],
    options: dict[str, Any],
    players: int,
    seed: int,
    until: Callable[[Any, int], bool] = lambda _view, _step: False,
) -> Played:
    """Play a match at random until `until` accepts the public view, or to its end."""
    rng, answer = Random(seed), _bidder if game is COYOTE else _random
    state: Any = game.setup(options, players, Seat(0))
    events: list[object] = []
    for step in range(5000):
        prompts = game.prompts(state)
        if not prompts or until(game.view_for(state, None), step):
            break
        prompt = prompts[0]
        done = game.apply(state, game.deal(state, rng) if prompt.seat == DEALER else answer(prompt, rng))
        state = done.state
        events += done.events
    return Played(state, tuple(events))


def _options(edition: str) -> dict[str, Any]:
    return {"edition": edition, "variant": True, "min_players": 2, "max_players": 12}


def looks(say: Catalogue) -> Iterator[Scene]:
    """Yield looks of every edition and size."""
    for edition in EDITIONS:
        for players in SIZES:
            yield look(say, edition, players)


def look(say: Catalogue, edition: str, players: int, seed: int = 0) -> Scene:
    """Draw somebody's look in the middle of a round."""
    bids = players % 4

    def until(view: Any, _step: int) -> bool:
        return (
            view.phase is Phase.BIDDING
            and len(view.ladder) >= bids
            and view.number >= min(3, players)
            and sum(seat.living for seat in view.seats) == players
        )

    state = play(COYOTE, _options(edition), players, seed + players, until).state
    view = COYOTE.view_for(state, Seat(1))
    return Scene(f"look_{edition}_{players}", draw_look(say, NAMES[:players], look_scene(view)))


def rare_looks(say: Catalogue) -> Iterator[Scene]:
    """Yield looks at rare moments: many feathers, covered and open ones, somebody safe, a call, high thresholds."""
    crowded = crowded_view()
    yield Scene("look_crowded", draw_look(say, NAMES[:6], look_scene(crowded)))
    options = {"edition": "peek", "variant": True}
    state = play(COYOTE, options, 5, 5, lambda view, _: view.phase is Phase.BETS).state
    yield Scene("look_bets", draw_look(say, NAMES[:5], look_scene(COYOTE.view_for(state, Seat(1)))))
    view = COYOTE.view_for(play(COYOTE, options, 5, 6, lambda view, _: view.phase is Phase.BIDDING).state, Seat(1))
    seen = view._replace(centre=20, coyote_used=True, coyote_card="max0", peeked=(Seat(1),))
    yield Scene("look_peeked", draw_look(say, NAMES[:5], look_scene(seen)))
    yield lasting_look(say)
    yield open_look(say)


def crowded_view() -> Any:
    """Return a player's view with many feathers, covered and open ones, and somebody who is safe."""
    options = {"edition": "feathers", "variant": True, "threshold": 5, "min_players": 2}
    view = COYOTE.view_for(play(COYOTE, options, 6, 2, lambda view, _: view.phase is Phase.BIDDING).state, Seat(1))
    me, *others = view.seats[1], view.seats[0], *view.seats[2:]
    feathers = (
        others[0]._replace(worn=(7,), opened=(-5, 20), covered=(3, "x2"), feathers=3, tokens=4),
        me._replace(feathers=2, opened=(10,), tokens=2),
        others[1]._replace(worn=("night",), withdrawn=True),
        others[2]._replace(worn=(-10, 15), feathers=2, tokens=1),
        others[3]._replace(worn=(1, "?", "max0"), feathers=3),
        others[4]._replace(worn=(2, 3, 4, -5), feathers=4, tokens=3),
    )
    return view._replace(seats=feathers, bid=-12, bidder=Seat(3))


def lasting_look(say: Catalogue) -> Scene:
    """Draw a look that stays for a whole deal, and so leaves out the bid."""
    state = play(COYOTE, _options("feathers"), 4, 9, lambda view, _: view.bid is not None).state
    assert COYOTE_PICTURES.look is not None
    sketch = COYOTE_PICTURES.look(private(COYOTE.view_for(state, Seat(1)), Seat(1)), lasting=True)
    assert sketch is not None
    return Scene("look_lasting_4", sketch.draw(say, NAMES[:4]))


def open_look(say: Catalogue) -> Scene:
    """Draw a look with nothing hidden."""
    state = play(COYOTE, _options("peek"), 4, 9, lambda view, _: view.phase is Phase.BIDDING and view.bid is not None)
    assert COYOTE_PICTURES.look is not None
    sketch = COYOTE_PICTURES.look(laid_open(COYOTE.open_view(state.state)), lasting=False)
    assert sketch is not None
    return Scene("look_open_4", sketch.draw(say, NAMES[:4]))


def reveals(say: Catalogue) -> Iterator[Scene]:
    """Yield reveals of every edition and size, one of them in all beats, and one for each way a round can end."""
    for edition in EDITIONS:
        for players in SIZES:
            yield reveal(say, edition, players, Ending.SHOWDOWN)
    for beat in Beat:
        scene = reveal(say, "feathers", 5, Ending.SHOWDOWN, beat=beat)
        yield Scene(f"reveal_beat_{beat.value}", scene.picture)
    yield reveal(say, "feathers", 3, Ending.GUESS)
    for edition in ("peek", "feathers"):
        yield reveal_out(say, edition)
    view = _ended("feathers", 3, Ending.SHOWDOWN)
    for ending, left in ((Ending.VOID, None), (Ending.LEFT, Seat(2))):
        last = Result(2, ending, view.last.cards, eliminated=left)
        yield Scene(f"reveal_{ending}", draw_reveal(say, NAMES[:3], view._replace(last=last)))


def reveal(say: Catalogue, edition: str, players: int, ending: Ending, *, beat: Beat = Beat.VERDICT) -> Scene:
    """Draw the end of a round."""
    picture = draw_reveal(say, NAMES[:players], _ended(edition, players, ending), beat)
    return Scene(f"reveal_{edition}_{players}_{ending}", picture)


def reveal_out(say: Catalogue, edition: str, names: Sequence[str] = NAMES) -> Scene:
    """Draw the end of a round that cost a player the last coin or peek card."""
    view = _ended_out(edition)
    return Scene(f"reveal_out_{edition}", draw_reveal(say, names[: len(view.seats)], view))


@lru_cache
def _ended_out(edition: str) -> Any:
    """Return a bystander's view after a round whose loser is out."""

    def until(view: Any, _step: int) -> bool:
        last = view.last
        return last is not None and last.ending is Ending.SHOWDOWN and last.eliminated == last.loser is not None

    return COYOTE.view_for(play(COYOTE, _options(edition), 4, 1, until).state, None)


@lru_cache
def _ended(edition: str, players: int, ending: Ending) -> Any:
    """Return a bystander's view after a round that ended like this."""
    for seed in range(400):
        state = play(
            COYOTE, _options(edition), players, seed, lambda view, _: view.last is not None and view.last.number >= 2
        ).state
        view = COYOTE.view_for(state, None)
        if view.last is not None and view.last.ending is ending:
            return view
    raise AssertionError(f"no round ends with {ending}")


@lru_cache
def _finished(name: str, edition: str, players: int) -> tuple[Played, Outcome]:
    game: Game[Any, Any, Any] = COYOTE if name == "coyote" else PLENTY_COUPS
    played = play(game, _options(edition) if game is COYOTE else {}, players, players)
    outcome = game.outcome(played.state)
    assert outcome is not None
    return played, outcome


def finals(say: Catalogue) -> Iterator[Scene]:
    """Yield ends of matches of all editions and sizes, shared victories, and one that somebody has left."""
    for edition in EDITIONS:
        for players in SIZES:
            yield final(say, edition, players)
    for winners in (2, 3, 5):
        yield shared_final(say, winners)
    yield final_with_leaver(say)


def shared_final(say: Catalogue, winners: int, names: Sequence[str] = NAMES) -> Scene:
    """Draw the end of a match that several players win together."""
    played, _ = _finished("coyote", "peek", 6)
    outcome = Outcome(tuple(map(Seat, range(winners))), tuple(max(1, seat - winners + 2) for seat in range(6)))
    view = COYOTE.view_for(played.state, None)
    return Scene(f"final_shared_{winners}", draw_final(say, names[:6], view, outcome, played.events))


def final_with_leaver(say: Catalogue) -> Scene:
    """Draw the end of a match that somebody has left in the second round."""
    played, outcome = _finished("coyote", "feathers", 4)
    last = Seat(outcome.places.index(max(outcome.places)))
    events: list[object] = []
    for event in played.events:
        if isinstance(event, RoundEnded) and event.result.eliminated == last:
            result = event.result._replace(ending=Ending.LEFT, loser=None)
            events.append(event._replace(result=result))
        else:
            events.append(event)
    view = COYOTE.view_for(played.state, None)
    return Scene("final_left", draw_final(say, NAMES[:4], view, outcome, events))


def final(say: Catalogue, edition: str, players: int, names: Sequence[str] = NAMES) -> Scene:
    """Draw the end of a match of Coyote."""
    played, outcome = _finished("coyote", edition, players)
    assert COYOTE_PICTURES.final is not None
    view = public(COYOTE.view_for(played.state, None))
    picture = COYOTE_PICTURES.final(say, names[:players], view, outcome, played.events)
    return Scene(f"final_{edition}_{players}", picture)


def camps(say: Catalogue) -> Iterator[Scene]:
    """Yield the camps for two to six players, in summer and in winter."""
    for players in range(2, 7):
        yield camp_scene(say, players)
    yield camp_scene(say, 4, winter=True)
    yield crowded_camps(say)
    over = PLENTY_COUPS.view_for(_finished("plenty_coups", "", 4)[0].state, None)
    yield Scene("camps_over", draw_camps(say, NAMES[:4], over))


def crowded_camps(say: Catalogue, names: Sequence[str] = NAMES) -> Scene:
    """Draw the camps with all that can lie there at once."""
    state = play(PLENTY_COUPS, {}, 6, 36, lambda view, step: step > 60 and len(view.raids) >= 2).state
    view = PLENTY_COUPS.view_for(state, None)
    tribes = [camp.tribe for camp in view.camps]
    allies = {0: 1, 1: 0, 2: 3, 3: 2}
    camps = tuple(
        camp._replace(
            horses=12,
            prestige=4,
            hand_size=9,
            disdained=True,
            bond=None if place not in allies else Card(Kind.WARRIOR, tribes[allies[place]], 4),
            proposal=None if place != 4 else Card(Kind.WARRIOR, tribes[5], 3),
        )
        for place, camp in enumerate(view.camps)
    )
    pairs = ((0, 2), (1, 3), (2, 4), (3, 5), (5, 0))
    raids = tuple(
        view.raids[0]._replace(raider=tribes[raider], target=tribes[target], value=7, prestige_side=True)
        for raider, target in pairs
    )
    offer = tuple(Card(Kind.WARRIOR, tribe, 4) for tribe in tribes[:4])
    full = view._replace(camps=camps, raids=raids, offer=offer, plain=12, pile=38)
    return Scene("camps_crowded", draw_camps(say, names[:6], full))


def camp_scene(say: Catalogue, players: int, *, winter: bool = False) -> Scene:
    """Draw camps with raids and alliances."""

    def until(view: Any, step: int) -> bool:
        if winter:
            return bool(view.round > view.options.rounds and view.raids)
        pacts = any(camp.bond or camp.proposal for camp in view.camps)
        return bool(step > 60 and len(view.raids) >= 2 and pacts)

    state = play(PLENTY_COUPS, {}, players, 30 + players, until).state
    assert PLENTY_COUPS_PICTURES.reveal is not None
    sketch = PLENTY_COUPS_PICTURES.reveal(public(PLENTY_COUPS.view_for(state, None)), beat=1)
    return Scene(f"camps_{players}{'_winter' if winter else ''}", sketch.draw(say, NAMES[:players]))


def scorings(say: Catalogue) -> Iterator[Scene]:
    """Yield the points at the end, for two to six players."""
    for players in range(2, 7):
        yield scoring(say, players)
    yield allied_scoring(say)
    yield shared_scoring(say)
    yield penalised_scoring(say)


def allied_scoring(say: Catalogue) -> Scene:
    """Draw the points of allies: added up, lost for an empty herd, and not added."""
    played, _ = _finished("plenty_coups", "", 4)
    view = PLENTY_COUPS.view_for(played.state, None)
    first, second, third, fourth = (camp.tribe for camp in view.camps)
    scores = (
        Score(3, 4, 10, 3, 7, second, None, 1),
        Score(2, 1, 10, 2, 3, first, None, 1),
        Score(1, 0, 1, 2, 1, fourth, NotAdded.BOTH_LOW_PRESTIGE, 3),
        Score(0, 0, 0, 0, 0, third, NotAdded.BOTH_LOW_PRESTIGE, 4),
    )
    camps = tuple(camp._replace(score=score) for camp, score in zip(view.camps, scores, strict=True))
    placed = {camp.owner: score.place or 0 for camp, score in zip(camps, scores, strict=True) if camp.owner is not None}
    winners = tuple(seat for seat, place in placed.items() if place == 1)
    outcome = Outcome(winners, tuple(placed[seat] for seat in sorted(placed)))
    picture = draw_scoring(say, NAMES[:4], view._replace(camps=camps), outcome)
    return Scene("scoring_allies", picture)


def shared_scoring(say: Catalogue, names: Sequence[str] = NAMES) -> Scene:
    """Draw the points of a match that three players win together."""
    played, _ = _finished("plenty_coups", "", 4)
    view = PLENTY_COUPS.view_for(played.state, None)
    seats = [camp.owner for camp in view.camps]
    scores = [Score(3, 2, 5, 3, 5, None, NotAdded.NO_ALLY, 1)] * 3 + [Score(1, 0, 1, 1, 1, None, NotAdded.NO_ALLY, 4)]
    camps = tuple(camp._replace(score=score) for camp, score in zip(view.camps, scores, strict=True))
    winners = tuple(seat for seat in seats[:3] if seat is not None)
    outcome = Outcome(winners, tuple(1 if seat in winners else 4 for seat in range(4)))
    return Scene("scoring_shared", draw_scoring(say, names[:4], view._replace(camps=camps), outcome))


def penalised_scoring(say: Catalogue) -> Scene:
    """Draw the points of somebody who has left, has no horse, and gets no points of their ally."""
    played, outcome = _finished("plenty_coups", "", 4)
    view = PLENTY_COUPS.view_for(played.state, None)
    one, other, *others = view.camps
    low = Score(1, 0, 1, 2, 1, other.tribe, NotAdded.BOTH_LOW_PRESTIGE, 4)
    camps = (one._replace(score=low), other, *others)
    assert one.owner is not None
    left = view._replace(camps=camps, left=(one.owner,))
    return Scene("scoring_penalties", draw_scoring(say, NAMES[:4], left, outcome))


def scoring(say: Catalogue, players: int) -> Scene:
    """Draw the points of a finished match of Plenty Coups."""
    played, outcome = _finished("plenty_coups", "", players)
    assert PLENTY_COUPS_PICTURES.final is not None
    view = public(PLENTY_COUPS.view_for(played.state, None))
    picture = PLENTY_COUPS_PICTURES.final(say, NAMES[:players], view, outcome, played.events)
    return Scene(f"scoring_{players}", picture)


def charts(say: Catalogue) -> Iterator[Scene]:
    """Yield pictures of statistics."""
    rng = Random(3)
    ratings = [1016]
    for _ in range(60):
        ratings.append(ratings[-1] + rng.randint(-17, 16))
    yield Scene("rating", draw_curve(say, ratings, "Ana"))
    yield Scene("rating_short", draw_curve(say, [1000, 985]))
    lines = [
        Ranked(place + 1, name, str(1180 - 23 * place), 1 - 0.08 * place, own=place == 3)
        for place, name in enumerate((*NAMES[:9], None))
    ]
    title = ranking_name(say, "coyote", "rating")
    yield Scene("leaderboard", draw_board(say, title, lines))
    for count in (1, 2, 3):
        yield Scene(f"leaderboard_{count}", draw_board(say, title, lines[:count]))


def private_look(players: int, seed: int) -> Any:
    """Return a player's view in the middle of a round, marked as private."""
    state = play(COYOTE, _options("feathers"), players, seed, lambda view, _: view.bid is not None).state
    return private(COYOTE.view_for(state, Seat(1)), Seat(1))
