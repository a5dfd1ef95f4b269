"""AI remarks vary their wording, and an AI already announced in the lobby is not announced again."""

from bot.engine.core import Seat
from bot.games.coyote.rules.actions import Call
from bot.games.coyote.ui.reveal import reveal_screen
from tests.screens.ai_player_scenes import mixed_players, remarks
from tests.screens.rendering import rendered
from tests.screens.scenes import FEATHERS, SAY, a_table, played, seen, story

OTHER_WORDS = [key for key in SAY.keys if key.startswith("ai.") and key[-2:] in ("_2", "_3")]


def test_variants_of_a_remark_give_bid_and_chance_in_other_words() -> None:
    assert len(OTHER_WORDS) > 50
    values = {"bid": 1, "chance": 2, "seen": 3, "plain": 4}
    for key in OTHER_WORDS:
        plain = key[:-2]
        assert SAY.slots(key) <= {"bid", "chance", "seen", "plain"}
        assert SAY(plain, **values) != SAY(key, **values)


def test_each_time_a_remark_has_other_words_and_then_none() -> None:
    table = a_table(5, FEATHERS, players=mixed_players(), deadlines=())
    view = seen(played(story(), Call(Seat(2))))
    (remark, *_) = remarks()
    told = [
        rendered(reveal_screen(SAY, table, view, remarks=[remark._replace(said_before=times)])) for times in range(4)
    ]
    for times, key in enumerate(("ai.raise.bluffer", "ai.raise.bluffer_2", "ai.raise.bluffer_3")):
        assert SAY(key, bid=13, chance=61, seen=12) in told[times]
    assert "61%" not in told[3]
