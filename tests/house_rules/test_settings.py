"""Every setting can be shown, checked, written and read back; refusals of bad values suggest a good one."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.core import Rejected
from bot.games.coyote.decks import read_deck, write_deck
from bot.games.coyote.rules.editions import EDITIONS, Rules, optional_actions, rules_from
from bot.games.coyote.settings import DECKS
from bot.games.coyote.ui.words import action_name
from bot.host.model import House
from bot.house_rules.changes import UNSET, ChangeResult, change, drop, reset_all, save
from bot.house_rules.game_settings import all_settings, by_key, setting_of
from bot.house_rules.kinds import Basis
from bot.house_rules.presets import all_presets, decided_keys, use_preset
from bot.house_rules.reasons import HouseReason
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import Setting, SettingScope
from bot.house_rules.wishes import Typed, check_wishes
from bot.screens.house.words import about, book_note, meaning, name_of, read_names, value_of
from bot.screens.refusals import refusal_text
from bot.text.catalogue import catalogue, languages

SAY = catalogue()
LANGUAGES = SAY.either(["the server's own", *[catalogue(code)("language.name") for code in languages()]])
EMPTY = ServerRules(1)
SMALL = read_deck("1..9×3 ? x2")
GAME = "coyote"
SETTINGS = all_settings()
DECK = setting_of("deck")
PRESETS = all_presets()


def save_deck(rules: ServerRules, name: str, deck: Any, *, use: bool) -> ChangeResult:
    return save(rules, DECK, DECKS, name, deck, use=use)


def drop_deck(rules: ServerRules, name: str) -> ChangeResult:
    return drop(rules, DECK, DECKS, name)


def wish(rules: ServerRules, wanted: dict[str, Any], *, manager: bool) -> dict[str, Any]:
    return check_wishes(rules, GAME, wanted, manager=manager)


def basis(edition: str, **known: Any) -> Basis:
    """Return the basis of a server that plays an edition and has saved a deck."""
    return Basis({"edition": edition}, {"decks": {"Small": SMALL}}, **known)


def refusal_of(call: Any, *arguments: Any, **named: Any) -> str:
    with pytest.raises(Rejected) as refused:
        call(*arguments, **named)
    return refusal_text(SAY, refused.value)


def test_every_option_of_a_match_or_table_is_a_setting() -> None:
    assert {each.key for each in SETTINGS if each.game == GAME} == set(Rules.__dataclass_fields__)
    assert {each.key for each in SETTINGS if each.scope is SettingScope.TABLE} == set(House.__struct_fields__)
    assert len(by_key()) == len(SETTINGS)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda each: each.full_key)
def test_every_offered_value_is_valid_and_can_be_shown_and_read_back(setting: Setting, edition: str) -> None:
    ground = basis(edition)
    values = ground.values
    usual = setting.usual(values)
    if not setting.applies(values):
        assert "means nothing" in refusal_of(setting.check, usual, ground)
        return
    assert setting.check(usual, ground) == usual
    for value in [usual, *setting.kind.offers(ground)]:
        assert setting.check(value, ground) == value
        written = setting.kind.write(value)
        assert setting.read(written, ground) == value
        assert len(written) <= 100
        assert value_of(SAY, setting, value, values)
        assert len(meaning(SAY, setting, value, values) or "") <= 100
    assert len(name_of(SAY, setting, values)) <= 45
    assert len(about(SAY, setting, values)) <= 100
    noted = ("threshold", "min_players", "max_players")
    assert (book_note(SAY, setting, values) is not None) == (setting.full_key in noted)


@pytest.mark.parametrize(
    ("key", "typed", "sentence"),
    [
        ("threshold", "9", "**Out at** can be 2 to 5 coins; you wrote 9. Did you mean 5?"),
        ("threshold", "-1", "**Out at** can be 2 to 5 coins; you wrote −1. Did you mean 2?"),
        ("threshold", "lots", "**Out at** can be 2 to 5 coins; you wrote lots. Try 3?"),
        ("turn_seconds", "10", "**Turn clock** can be 20 seconds to 7 days, or off; you wrote 10 seconds. Did you mean 20 seconds?"),
        ("turn_seconds", "8 days", "**Turn clock** can be 20 seconds to 7 days, or off; you wrote 8 days. Did you mean 7 days?"),
        ("turn_seconds", "soon", "**Turn clock** can be off, or a time from 20 seconds to 7 days, such as 90s, 5m, 2h, or 1d; you wrote soon. Try 90 seconds?"),
        ("pause_seconds", "soon", "**Pause between rounds** is a time from 0 seconds to 1 hour, such as 90s or 5m; you wrote soon. Try 12 seconds?"),
        ("lobby_minutes", "30d", "**A lobby closes after** can be 1 minute to 7 days; you wrote 30 days. Did you mean 7 days?"),
        ("who_stops", "playerz", "**Who may stop a game** can't be playerz. It can be: the host, any player, or only those who manage the channel. Did you mean any player?"),
        ("pings", "maybe", "**Pings** can't be maybe. It can be: on or off. Did you mean on?"),
        ("edition", "fethers", "**Edition** can't be fethers. It can be: Feathers, Scouts, Camps, or Peek. Did you mean Feathers?"),
        ("language", "klingon", f"**Language** can't be klingon. It can be: {LANGUAGES}. Did you mean the server's own?"),
        ("min_bid", "5000", "**Lowest bid** can be −999 to 998; you wrote 5000. Did you mean 998?"),
        ("coins", "extra 12", "Of each picture coin there can be 0 to 9; you wrote 12. Did you mean 9?"),
        ("coins", "gold 2", "Picture coins are written as extra 2, reverse 1, skip 2, replace 2, guess 1. I couldn't read gold 2."),
        ("actions_off", "skipp", "**Actions left out** can't be skipp. It can be: extra, reverse, skip, replace, or guess. Did you mean skip?"),
        ("deck", "Smal", "There's no deck called Smal. Did you mean Small?"),
        ("channels", "#games", "＃games is no channel of this server. Pick one from the list, or write **everywhere**."),
        ("channels", "99", "99 is no channel of this server. Pick one from the list, or write **everywhere**."),
        ("role", "<@&8>", "8 is no role of this server. Pick one from the list, or write **anyone**."),
        ("actions_per", "player", "**Each action once a round** means nothing in Feathers. It's for Camps."),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused_with_the_range_and_a_suggestion(key: str, typed: str, sentence: str) -> None:
    ground = basis("feathers", channels=frozenset({1}), roles=frozenset({1}))
    assert refusal_of(setting_of(key).read, typed, ground) == sentence


def test_in_peek_elimination_is_counted_in_peek_cards() -> None:
    sentence = refusal_of(setting_of("threshold").read, "9", basis("peek"))
    assert sentence == "Everyone can start with 2 to 5 peek cards; you wrote 9. Did you mean 5?"
    assert name_of(SAY, setting_of("threshold"), {"edition": "peek"}) == "Peek cards"


@pytest.mark.parametrize("edition", EDITIONS)
def test_actions_can_be_typed_by_their_displayed_names(edition: str) -> None:
    setting, ground = setting_of("actions_off"), basis(edition)
    every = list(optional_actions(edition))
    typed = ", ".join(action_name(SAY, action, edition) for action in every)
    assert setting.read(read_names(SAY, setting, typed), ground) == every


def test_an_unknown_setting_is_refused_with_a_suggestion() -> None:
    assert refusal_of(setting_of, "treshold") == "There's no setting called treshold. Did you mean threshold?"
    assert "list them all as you type" in refusal_of(setting_of, "<@1> **boo**")
    assert setting_of(" Min Bid ").key == "min_bid"


@pytest.mark.parametrize(
    ("key", "typed", "value"),
    [
        ("threshold", "4th", 4),
        ("min_bid", "−5", -5),
        ("min_bid", "any", None),
        ("turn_seconds", "2 hours", 7200),
        ("turn_seconds", "off", None),
        ("lobby_minutes", "90s", 2),
        ("lobby_minutes", "2h", 120),
        ("coins", "extra 0, guess=3", {"extra": 0, "reverse": 1, "skip": 2, "replace": 2, "guess": 3}),
        ("actions_off", "guess skip", ["skip", "guess"]),
        ("actions_off", "none", []),
        ("deck", "small", "Small"),
        ("channels", "<#1> 2", [1, 2]),
        ("role", "anyone", None),
        ("variant", "Yes", True),
    ],
)
def test_typed_values_are_understood(key: str, typed: str, value: Any) -> None:
    assert setting_of(key).read(typed, basis("feathers")) == value


hostile = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=300),
    st.lists(st.one_of(st.integers(), st.text(max_size=20), st.none()), max_size=40),
    st.dictionaries(st.text(max_size=10), st.integers() | st.text(max_size=5), max_size=8),
)


@given(st.sampled_from(SETTINGS), hostile, st.sampled_from(tuple(EDITIONS)))
def test_any_input_is_normalised_or_refused(setting: Setting, value: Any, edition: str) -> None:
    ground = basis(edition)
    judges: list[Callable[[], Any]] = [lambda: setting.check(value, ground)]
    if isinstance(value, str):
        judges.append(lambda: setting.read(value, ground))
    for judge in judges:
        try:
            taken = judge()
        except Rejected as refused:
            sentence = refusal_text(SAY, refused)
            assert sentence != SAY("refused.unknown")
            assert "None" not in sentence or "None" in str(value)
            assert len(sentence) < 600
        else:
            assert setting.check(taken, ground) == taken
            assert value_of(SAY, setting, taken, ground.values)


def test_a_change_is_judged_as_a_whole() -> None:
    rules = change(EMPTY, {"max_players": 4, "threshold": 5}).rules
    assert rules.values == {"max_players": 4, "threshold": 5}
    assert rules.seq == 1
    crossed = refusal_of(change, rules, {"min_players": 6})
    assert crossed == "The smallest table (6) can't be bigger than the biggest (4). Change one of them."
    tiny = save_deck(rules, "Tiny", read_deck("1 2 3 4"), use=True).rules
    assert "needs 12" in refusal_of(change, tiny, {"max_players": UNSET})
    assert change(rules, {"threshold": 5}).changes == ()
    assert change(rules, {"threshold": 3}).rules.values == {"max_players": 4}, (
        "the edition's own value is stored as unset"
    )


def test_changing_the_edition_keeps_values_that_still_fit() -> None:
    rules = change(EMPTY, {"coins": dict.fromkeys(("extra", "reverse", "skip", "replace", "guess"), 1)}).rules
    rules = change(rules, {"actions_off": ["skip"], "threshold": 4, "min_bid": 1}).rules
    camps = change(rules, {"edition": "tomahawk"})
    assert camps.rules.values == {"edition": "tomahawk", "threshold": 4}, "Camps open at 1 anyway"
    assert {each.key for each in camps.changes} == {"edition", "coins", "actions_off", "min_bid"}


def test_a_table_of_another_edition_ignores_rules_that_do_not_fit_it() -> None:
    rules = change(EMPTY, {"actions_off": ["extra"], "threshold": 2, "pause_seconds": 30, "x2_doubles": "all"}).rules
    options, house, _ = rules.terms(GAME, {"edition": "tomahawk", "turn_seconds": None})
    assert options == {"edition": "tomahawk", "guess_along": 5, "threshold": 2}
    assert (house.pause_seconds, house.turn_seconds) == (30, None)
    own = {"actions_off": ["extra"], "threshold": 2, "x2_doubles": "all"}
    assert rules.options(GAME) == {"edition": "feathers", "guess_along": 5, **own}


@pytest.mark.parametrize("edition", EDITIONS)
def test_player_limits_adjust_to_each_other_in_another_edition(edition: str) -> None:
    many = change(EMPTY, {"min_players": 8}).rules
    assert rules_from(many.terms(GAME, {"edition": edition}).options).max_players >= 8
    few = change(change(EMPTY, {"edition": "scout"}).rules, {"max_players": 2}).rules
    assert rules_from(few.terms(GAME, {"edition": edition}).options).max_players == 2


def test_what_can_be_changed_for_one_table() -> None:
    rules = change(EMPTY, {"pings": False, "ai_seats": False}).rules
    assert wish(rules, {"threshold": Typed("4"), "turn_seconds": Typed("off")}, manager=False) == {
        "threshold": 4,
        "turn_seconds": None,
    }
    assert wish(rules, {"pings": Typed("off"), "dms": Typed("off")}, manager=False) == {"pings": False, "dms": False}
    assert "only somebody with **Manage Server**" in refusal_of(wish, rules, {"pings": Typed("on")}, manager=False)
    assert wish(rules, {"pings": Typed("on")}, manager=True) == {"pings": True}
    for key, typed in (("tables_at_once", "99"), ("channels", "everywhere"), ("ranked_after", "1")):
        for manager in (True, False):
            assert "whole server" in refusal_of(wish, rules, {key: Typed(typed)}, manager=manager)
    assert "whole server" in refusal_of(wish, rules, {"who_stops": Typed("players")}, manager=False)
    assert wish(rules, {"edition": "peek", "threshold": 2}, manager=False) == {"edition": "peek", "threshold": 2}
    assert "means nothing in Peek" in refusal_of(
        wish, rules, {"edition": "peek", "coins": Typed("extra 1")}, manager=False
    )


def test_decks_are_read_saved_and_deleted() -> None:
    assert read_deck("1..3×2, −5 x2 ×2×3 max→0 🌙0 ?") == ((1, 2), (2, 2), (3, 2), (-5, 1), ("x2", 4), ("max0", 1), ("night", 1), ("?", 1))  # fmt: skip
    assert read_deck(write_deck(SMALL)) == SMALL
    signs = "1 −5×2 ? ×2×3 Max→0 Max→− 🌙0×2"
    assert write_deck(read_deck("1 -5x2 ? x2*3 max0 max- night×2")) == write_deck(read_deck(signs)) == signs
    for wrong in ("1..", "3..1", "100", "1×0", "1×999", "feather", "1..99×3", "-" * 50):
        refusal_of(read_deck, wrong)
    for name in ("", "  ", "off", "a" * 25, "a,b", "a=b", "a:b", "<@1>", "**b**", "\u202ex", "_"):
        assert "letters, digits and spaces" in refusal_of(DECKS.read_name, name)
    assert DECKS.read_name("  Émile's  deck ") == "Émile's deck"
    saved = save_deck(EMPTY, "Small", SMALL, use=True)
    assert saved.rules.value(DECK) == "Small"
    assert len(rules_from(saved.rules.options(GAME)).cards) == 29
    again = save_deck(saved.rules, "small", read_deck("1..9×2"), use=False)
    assert list(again.rules.saved["decks"]) == ["Small"]
    dropped = drop_deck(saved.rules, "Small")
    assert (dropped.rules.values, dropped.rules.saved) == ({}, {})
    assert "no deck called" in refusal_of(drop_deck, EMPTY, "Small")
    full = EMPTY._replace(saved={"decks": {f"D{n}": SMALL for n in range(20)}})
    assert "20 decks are the most" in refusal_of(save_deck, full, "One more", SMALL, use=False)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_presets_can_be_played_and_leave_channels_and_pings_alone(name: str, edition: str) -> None:
    before = change(EMPTY, {"edition": edition, "channels": [7], "pings": False, "threshold": 5}).rules
    after = use_preset(before, name).rules
    wanted = PRESETS[name].values
    rules_from(after.options(GAME))
    assert (after.channels, after.house.pings) == ((7,), False)
    assert after.value(setting_of("edition")) == wanted.get("edition", edition)
    assert {key: after.value(setting_of(key)) for key in wanted} == wanted
    for key in set(decided_keys(PRESETS[name])) - set(wanted):
        assert key not in after.values
    assert len(SAY(f"preset.{name}.about")) <= 100
    assert "It can be: Coyote: by the book" in refusal_of(use_preset, before, "no")


def test_reset_keeps_the_decks() -> None:
    rules = save_deck(change(EMPTY, {"threshold": 2}).rules, "Small", SMALL, use=True).rules
    after = reset_all(rules)
    assert (after.rules.values, list(after.rules.saved["decks"])) == ({}, ["Small"])
    assert {each.key for each in after.changes} == {"threshold", "deck"}
    assert reset_all(after.rules).changes == ()


def test_every_conflict_has_a_sentence() -> None:
    for reason in HouseReason:
        assert f"refused.house.{reason.value}" in SAY


def spoken(words: str) -> set[str]:
    """Return the significant words of a text, in the singular."""
    return {word.rstrip("s") for word in re.findall(r"[a-z]{4,}", words.casefold())}


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_a_value_does_not_repeat_words_of_its_settings_name(setting: Setting) -> None:
    for values in ({"edition": edition} for edition in EDITIONS):
        if not setting.applies(values):
            continue
        named = spoken(name_of(SAY, setting, values))
        for value in (setting.usual(values), *setting.kind.offers(Basis(values))):
            assert not named & spoken(value_of(SAY, setting, value, values))
