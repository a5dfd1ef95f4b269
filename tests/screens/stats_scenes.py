"""Statistics in every situation, and the screens that show them."""

from collections.abc import Iterator
from functools import cache

from bot.engine.core import Seat
from bot.host.model import Stage, Table, TableId, UserId
from bot.screens.layout import PrivateScreen, PublicScreen, Screen
from bot.screens.replay import frame_of, replay_screen, without_hidden_names
from bot.screens.stats.card import MOST_SERVERS, card_screen, everywhere_screen
from bot.screens.stats.history import history_screen
from bot.screens.stats.leaderboard import leaderboard_screen
from bot.screens.stats.queries import ReplayStep
from bot.screens.stats.scopes import Offer
from bot.screens.stats.season import close_screen
from bot.screens.stats.versus import versus_screen
from bot.stats.figures import RATING, figures_of
from bot.stats.model import (
    Board,
    Card,
    Ending,
    History,
    Line,
    Page,
    PastGame,
    PastSeat,
    Point,
    Rival,
    Season,
    Side,
    Totals,
    Versus,
)
from bot.stats.replay import Replay
from tests.screens.films import a_film
from tests.screens.scenes import FIRST_USER, GUILD, NOW, SAY, an_end, final

ANA, BEN, CHLOE = UserId(FIRST_USER), UserId(FIRST_USER + 1), UserId(FIRST_USER + 2)
GAME = "coyote"
ALL = Board(GUILD, GAME)
OFFER = Offer(
    ((GAME, ""), (GAME, "feathers"), (GAME, "peek")),
    ("2026-11", "2026-10"),
    (Season(3, None), Season(2, NOW), Season(1, NOW - 10**10)),
)
FIGURES = Totals(
    games=40,
    wins=14,
    seconds=9,
    thirds=6,
    places=92,
    rounds=420,
    thought=4_480_000,
    thoughts=560,
    run=2,
    best_run=4,
    rated=40,
    mu=29.0,
    sigma=2.0,
    rating=1043,
    win_rate=350,
    figures={
        "survived": 366,
        "taken": 71,
        "dealt": 88,
        "calls": 95,
        "calls_right": 58,
        "bids": 512,
        "caught": 44,
        "exact": 3,
    },
)
CURVE = tuple(
    Point(n, NOW - (40 - n) * 86_400_000, rating)
    for n, rating in enumerate(
        [1000, 1031, 1012, 988, 961, 975, 990, 1020, 1055, 1090, 1102, 1084, 1071, 1040, 1035, 1049, 1020, 1043]
    )
)


def a_game(number: int, players: int, **of: object) -> PastGame:
    """Make a finished game that the first seat won."""
    seats = tuple(PastSeat(Seat(n), UserId(FIRST_USER + n), False, n + 1, 1000 + 18 - 7 * n) for n in range(players))
    game = PastGame(
        number=number,
        table=TableId("k7Q2"),
        game="coyote",
        edition="feathers",
        rounds=11,
        started=NOW - 2_000_000,
        ended=NOW + number * 86_400_000,
        ai=False,
        counted=True,
        season=3,
        seats=seats,
    )
    return game._replace(**of)  # type: ignore[arg-type]


def a_page(by: str = RATING, board: Board = ALL, size: int = 10, **of: object) -> Page:
    """Make a page of a leaderboard with a tie on it."""
    ranks = [1, 2, 2, *range(4, size + 1)][:size]
    lines = tuple(
        Line(
            rank,
            UserId(FIRST_USER + n),
            0,
            FIGURES._replace(rating=1100 - 10 * rank, games=40 - n, figures={**FIGURES.figures, "exact": n % 3}),
        )
        for n, rank in enumerate(ranks)
    )
    page = Page(board, by, 1, 3, 27, 5, lines, Line(14, UserId(5_000), 0, FIGURES._replace(rating=987, games=9)))
    return page._replace(**of)  # type: ignore[arg-type]


def boards() -> Iterator[tuple[str, Screen]]:
    me = UserId(5_000)
    for by in figures_of(GAME).rankings:
        yield f"leaderboard {by}", leaderboard_screen(PublicScreen, SAY, a_page(by, size=3), OFFER, me)
    yield "leaderboard private, last page", leaderboard_screen(PrivateScreen, SAY, a_page(number=3), OFFER, ANA)
    short = a_page(pages=1, own=Line(None, me, 0, FIGURES._replace(games=4, rating=1013)))
    yield "leaderboard one page, not ranked yet", leaderboard_screen(PublicScreen, SAY, short, OFFER, me)
    season = a_page(board=Board(GUILD, GAME, "peek", "season-2"), own=None)
    yield "leaderboard of a season, never played", leaderboard_screen(PublicScreen, SAY, season, OFFER, me)
    empty = Page(ALL, RATING, 1, 1, 0, 5, ())
    yield "leaderboard empty", leaderboard_screen(PublicScreen, SAY, empty, Offer(), me)
    yield "leaderboard empty, keeps out", leaderboard_screen(PrivateScreen, SAY, empty, Offer(), me, hidden=True)
    yield "season close?", close_screen(SAY, Season(3, None))


def cards() -> Iterator[tuple[str, Screen]]:
    full = Card(ALL, ANA, FIGURES, 3, 12, 5, Rival(BEN, 21), Rival(CHLOE, 17), CURVE, False)
    yield "card", card_screen(PublicScreen, SAY, full, OFFER)
    yield (
        "card of a month",
        card_screen(PublicScreen, SAY, full._replace(board=Board(GUILD, GAME, "", "2026-11")), OFFER),
    )
    once = Totals(games=1, wins=1, places=1, rounds=7, rated=1, rating=1104, win_rate=1000, best_run=1)
    once = once._replace(figures={"survived": 7})
    new = full._replace(totals=once, rank=None, victim=None, nemesis=None, curve=CURVE[:1])
    yield "card of a newcomer", card_screen(PrivateScreen, SAY, new, Offer(OFFER.editions[:2], ("2026-11",)))
    other = full._replace(
        board=Board(GUILD, GAME, "peek"), totals=Totals(), victim=None, nemesis=None, curve=(), rank=None
    )
    yield "card without games in this edition", card_screen(PublicScreen, SAY, other, OFFER)
    uncounted = other._replace(board=ALL)
    yield "card without games that count", card_screen(PublicScreen, SAY, uncounted, OFFER)
    many = [full, full._replace(board=Board(GUILD, "plenty-coups", ""), rank=None, totals=once)]
    servers = [("Coyote **#** <@1>", many), *[(None, many)] * (MOST_SERVERS - 1)]
    yield "cards of all servers", everywhere_screen(SAY, ANA, servers)
    a, b = Side(ANA, FIGURES, 4, 9), Side(BEN, FIGURES._replace(rating=987, win_rate=213), 2, 6)
    last = (a_game(12, 4), a_game(9, 3))
    yield "versus", versus_screen(PublicScreen, SAY, Versus(ALL, 7, a, b, last), OFFER)
    level = Versus(Board(GUILD, GAME, "peek"), 2, a._replace(ahead=1), b._replace(ahead=1), last[:1])
    yield "versus level", versus_screen(PrivateScreen, SAY, level, OFFER)
    apart = Versus(Board(GUILD, GAME, "scout"), 0, a, b._replace(totals=Totals()), ())
    yield "versus not met in this edition", versus_screen(PublicScreen, SAY, apart, OFFER)
    hidden = a_game(10, 5)
    hidden = hidden._replace(seats=(hidden.seats[0]._replace(user=None), *hidden.seats[1:]))
    ai = a_game(9, 2, ai=True, counted=False)
    ai = ai._replace(seats=(ai.seats[0]._replace(user=None, ai=True, rating=None), ai.seats[1]._replace(rating=None)))
    games = (a_game(12, 4), a_game(11, 3, edition="peek"), hidden, ai)
    yield "history", history_screen(PublicScreen, SAY, History(1, 3, 24, games), None)
    yield "history of one", history_screen(PrivateScreen, SAY, History(2, 2, 14, games[:3]), BEN)


def replays() -> Iterator[tuple[str, Screen]]:
    table, replay, game = a_film()
    yield from _steps(replay, game, table)
    anonymous = game.seats[1]._replace(user=None)
    kept_out = game._replace(seats=(game.seats[0], anonymous, *game.seats[2:]))
    veil = without_hidden_names(SAY, table, kept_out)
    yield "replay with somebody unnamed", replay_screen(SAY, veil, frame_of(replay, kept_out, ReplayStep(7, 1)))


def _steps(replay: Replay, game: PastGame, table: Table) -> Iterator[tuple[str, Screen]]:
    for step in range(len(replay)):
        yield f"replay {step}", replay_screen(SAY, table, frame_of(replay, game, ReplayStep(7, step)))
    for seat in range(replay.players):
        frame = frame_of(replay, game, ReplayStep(7, 1, Seat(seat)))
        yield f"replay 1 as seat {seat}", replay_screen(SAY, table, frame)
    late = frame_of(replay, game, ReplayStep(7, len(replay) - 2, Seat(1)))
    yield "replay when out", replay_screen(SAY, table, late)


def rated_ends() -> Iterator[tuple[str, Screen]]:
    table, state = an_end()
    game = a_game(12, 4)
    ratings = (1043, 1011, 978, 1000)
    seats = tuple(seat._replace(rating=after) for seat, after in zip(game.seats, ratings, strict=True))
    ending = Ending(game._replace(seats=seats), (1025, 1014, 984, 1000))
    yield "final rated", final(table, state, ending=ending)
    out = ending._replace(
        game=ending.game._replace(seats=(*seats[:3], seats[3]._replace(user=None, rating=None))),
        before=(1025, 1014, 984, None),
    )
    yield "final, one keeps out", final(table, state, ending=out)
    nothing = tuple(seat._replace(rating=None) for seat in seats)
    unrated = Ending(game._replace(seats=nothing, ai=True, counted=False), (None,) * 4)
    yield "final with an AI", final(table, state, ending=unrated)
    house = table._replace(house=table.house._replace(counts=False), stage=Stage.OVER)
    yield "final that does not count", final(house, state, ending=unrated)
    demoted = (seats[0]._replace(place=3), seats[1]._replace(place=1), seats[2]._replace(place=2), seats[3])
    yield "final that an AI won", final(table, state, ending=ending._replace(game=ending.game._replace(seats=demoted)))
    alone = unrated._replace(game=unrated.game._replace(ai=False, counted=True))
    yield "final of one who is counted", final(table, state, ending=alone)


@cache
def screens() -> dict[str, Screen]:
    return dict(each for scene in (boards, cards, replays, rated_ends) for each in scene())
