"""AI remarks vary their wording, and an AI already announced in the lobby is not announced again."""

from bot.engine.core import Seat
from bot.games.coyote.rules.actions import Call
from bot.games.coyote.ui.reveal import reveal_screen
from tests.screens.ai_player_scenes import PEBBLE, company, remarks
from tests.screens.rendering import rendered
from tests.screens.scenes import FEATHERS, SAY, a_table, played, seats, seen, shown, story

OTHER_WORDS = [key for key in SAY.keys if key.startswith("ai.") and key.endswith("_too")]


def test_variants_of_a_remark_also_give_bid_and_chance() -> None:
    assert len(OTHER_WORDS) == 20
    for key in OTHER_WORDS:
        plain = key.removesuffix("_too")
        assert {"bid", "chance"} <= SAY.slots(key) <= {"bid", "chance", "seen"}
        assert SAY(plain, bid=1, chance=2, seen=3) != SAY(key, bid=1, chance=2, seen=3)


def test_remarks_change_their_words_from_round_to_round() -> None:
    table = a_table(5, FEATHERS, players=company(), deadlines=(), ai_played=True)
    view = seen(played(story(), Call(Seat(2))))
    assert view.last is not None
    told = [
        rendered(
            reveal_screen(SAY, table, view._replace(last=view.last._replace(number=number)), remarks=remarks()[:1])
        )
        for number in (5, 6, 7)
    ]
    assert SAY("ai.raise.bluffer", bid=13, chance=61, seen=12) in told[0]
    assert SAY("ai.raise.bluffer_too", bid=13, chance=61, seen=12) in told[1]
    assert SAY("ai.raise.bluffer", bid=13, chance=61, seen=12) in told[2]


def test_only_an_ai_that_the_lobby_did_not_announce_is_said_to_spoil_the_rating() -> None:
    table = a_table(5, FEATHERS, ai_played=True)
    people = seats(5)
    with_stand_in = (*people[:4], people[4]._replace(away=True, stand_in=PEBBLE))
    assert SAY("ai_players.table.unrated") in rendered(shown(table._replace(players=with_stand_in), story()))
    assert SAY("ai_players.table.unrated") not in rendered(shown(table._replace(players=company()), story()))
