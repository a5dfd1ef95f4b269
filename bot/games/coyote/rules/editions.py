"""Defines the four editions and every house rule, as data in one place.

`Rules` holds all the rules of one match. `rules_from` makes it from plain options: those not given have the
edition's values, and impossible ones are refused with a reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from itertools import chain
from typing import Any, Final, Literal, TypeAlias

from bot.engine.core import Rejected
from bot.games.coyote.rules.cards import DECKS, SPECIALS, Card, Deck

NAME: Final = "coyote"
"""The name under which the game is registered."""
HIGHEST_BID: Final = 999
LOWEST_BID: Final = -999
MOST_PLAYERS: Final = 12
"""The most players of a house rule; most editions have fewer."""
MOST_CARDS: Final = 200
"""The most cards in a custom deck."""
HIGHEST_CARD: Final = 99
"""The highest number on a card of a custom deck; its negative is the lowest."""
MOST_COINS: Final = 9
"""The most picture coins of one kind."""

COINS: Final = ("extra", "reverse", "skip", "replace", "guess")
ANNOUNCEMENTS: Final = ("approve", "reverse", "redo", "double", "extra", "next")
TRICKS: Final = ("bet", "coyote_card")

ActionKind: TypeAlias = Literal["announcement", "coin", "trick"]
RepeatScope: TypeAlias = Literal["one_each", "table", "player"]
"""Per round: one announcement by each player, or each announcement once at the table, or once by each player."""


class Problem(StrEnum):
    """Why a set of house rules is refused."""

    UNKNOWN_EDITION = "unknown_edition"
    UNKNOWN_OPTION = "unknown_option"
    NOT_ALLOWED = "not_allowed"
    OUT_OF_RANGE = "out_of_range"
    NOT_A_DECK = "not_a_deck"
    DECK_TOO_SMALL = "deck_too_small"
    DECK_TOO_LARGE = "deck_too_large"
    TOO_FEW_PLAYERS = "too_few_players"
    TOO_MANY_PLAYERS = "too_many_players"
    LIMITS_CROSSED = "limits_crossed"


@dataclass(frozen=True)
class Rules:
    """The rules of one match. Make them with `rules_from`, which checks them."""

    edition: str
    variant: bool = False
    """Whether the edition's optional actions are in play: announcements, picture coins or the trickster's tricks."""
    threshold: int = 3
    """How many coins put a player out; in `peek`, the number of peek cards that everyone starts with."""
    min_bid: int | None = None
    """The lowest opening bid; None allows any number (R02)."""
    actions_off: tuple[str, ...] = ()
    """Which of the optional actions are switched off."""
    actions_per: Literal["table", "player"] = "table"
    """`tomahawk`: each action once a round at the table, or once for each player (R64)."""
    actions_per_turn: Literal["one", "several"] = "one"
    """`tomahawk`: one action in a turn, or several announcements with one bid (R34)."""
    right_guess: Literal["leave", "choose"] = "leave"
    """`feathers`: whether a right guess ends the round for the player, or lets them choose (R43)."""
    open_eyes: int | None = None
    """`peek`: how many of everyone's peek cards are open at first; None is as in the book."""
    coins: tuple[tuple[str, int], ...] = ()
    """`feathers`: how many picture coins of each kind lie on the table."""
    x2_doubles: Literal["positives", "all"] = "positives"
    """What ×2 doubles: the positive cards, or the whole sum (R21)."""
    max_zero_hits: Literal["positive", "any"] = "positive"
    """What Max→0 may hit: only a positive card, or the highest number whatever its sign (R15)."""
    next_starter: Literal["loser", "winner"] = "loser"
    """Which of the two duellists opens the next round."""
    if_starter_is_out: Literal["duellist", "left"] = "duellist"
    """Who opens if that duellist is out: the other one, or the next living seat on the left."""
    min_players: int = 2
    max_players: int = 6
    deck: Deck = ()
    guess_along: int = 0
    """How many seconds the reveal may wait for people who guess along; 0: it does not wait, and nobody guesses."""

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the deck, one by one."""
        return tuple(card for card, copies in self.deck for _ in range(copies))

    @cached_property
    def census(self) -> Counter[Card]:
        """How many of each card there are."""
        return Counter(self.cards)

    @cached_property
    def traits(self) -> Traits:
        """What is the same in every match of the edition, whatever the house rules."""
        return TRAITS[self.edition]

    @cached_property
    def announcements(self) -> frozenset[str]:
        """The announcements that this match is played with."""
        return self._switched_on("announcement")

    @cached_property
    def pluses(self) -> tuple[str, ...]:
        """The announcements that come with a bid."""
        return tuple(plus for plus in self.traits.pluses if plus in self.announcements)

    @cached_property
    def tricks(self) -> frozenset[str]:
        """The parts of the trickster variant that this match is played with."""
        return self._switched_on("trick")

    @cached_property
    def supply(self) -> tuple[int, ...]:
        """How many picture coins of each kind a new round has, in the order of `COINS`."""
        on = self._switched_on("coin")
        lying = dict(self.coins)
        return tuple(lying[coin] if coin in on else 0 for coin in COINS)

    def _switched_on(self, kind: ActionKind) -> frozenset[str]:
        if not self.variant or self.traits.kind != kind:
            return frozenset()
        return frozenset(self.traits.optional_actions) - frozenset(self.actions_off)

    @cached_property
    def has_more(self) -> bool:
        """Whether players can do more in this match than bid and call."""
        return bool(self.announcements) or self.has_centre or any(self.supply)

    @cached_property
    def has_centre(self) -> bool:
        """Whether a card lies in the centre, at which players may peek."""
        return self.traits.has_centre

    @cached_property
    def has_eyes(self) -> bool:
        """Whether players lose eyes (peek cards) instead of taking coins."""
        return self.traits.has_eyes

    @cached_property
    def shuffles_each_round(self) -> bool:
        """Whether all cards are shuffled after each round, not only when they run short."""
        return self.traits.shuffles_each_round

    @cached_property
    def turns_without_bid(self) -> bool:
        """Whether a player changes the direction instead of bidding, not along with a bid."""
        return self.traits.turns_without_bid

    @cached_property
    def covers_feathers(self) -> bool:
        """Whether a new feather covers the one that was worn, so that only the front one counts."""
        return self.traits.covers_feathers

    @cached_property
    def repeat_scope(self) -> RepeatScope:
        """How often an announcement can be used in a round (R64)."""
        return "one_each" if self.traits.one_announcement_each else self.actions_per

    @cached_property
    def announces_first(self) -> bool:
        """Whether announcements are made one by one before the number is named, instead of with it (R34)."""
        return self.actions_per_turn == "several"

    @cached_property
    def plain(self) -> dict[str, Any]:
        """The edition and what differs from it, as `rules_from` takes it. Cached, because every action writes it."""
        return options_of(self)

    @cached_property
    def eyes(self) -> tuple[int, int]:
        """How many open and closed eyes each player starts with; none in editions without eyes."""
        if not self.has_eyes:
            return (0, 0)
        usual = 1 if self.variant else self.threshold - 1
        opened = usual if self.open_eyes is None else self.open_eyes
        return (opened, self.threshold - opened)


@dataclass(frozen=True, kw_only=True)
class Traits:
    """What is the same in every match of an edition. Code asks for a trait instead of comparing the edition's name."""

    kind: ActionKind
    """What kind of actions its variant brings."""
    optional_actions: tuple[str, ...]
    """The actions that its variant brings, each of which can be switched off."""
    pluses: tuple[str, ...] = ()
    """The announcements that come with a bid."""
    one_announcement_each: bool = False
    """Each player makes one announcement a round, and only one extra feather is drawn at the whole table."""
    actions_per: tuple[str, ...] = ("table",)
    """The values that the option `actions_per` may have."""
    actions_per_turn: tuple[str, ...] = ("one",)
    """The values that the option `actions_per_turn` may have."""
    right_guess: tuple[str, ...] = ("leave",)
    """The values that the option `right_guess` may have."""
    has_cards: bool = False
    """Its book calls what everybody wears a card, not a feather."""
    turns_without_bid: bool = False
    has_centre: bool = False
    has_eyes: bool = False
    shuffles_each_round: bool = False
    covers_feathers: bool = False
    book_thresholds: range = range(3, 4)
    """The thresholds that the rulebook allows (R18)."""
    book_thresholds_by_players: Mapping[int, range] = field(default_factory=dict)
    """The same for tables of certain sizes, where the rulebook allows others."""


TRAITS: Final[Mapping[str, Traits]] = {
    "scout": Traits(
        kind="announcement",
        optional_actions=ANNOUNCEMENTS,
        pluses=("double", "extra", "next", "reverse"),
        one_announcement_each=True,
        has_cards=True,
        book_thresholds_by_players={3: range(3, 6), 4: range(3, 5)},
    ),
    "tomahawk": Traits(
        kind="announcement",
        optional_actions=ANNOUNCEMENTS,
        pluses=("double", "extra", "next"),
        actions_per=("table", "player"),
        actions_per_turn=("one", "several"),
        turns_without_bid=True,
        book_thresholds=range(2, 6),
    ),
    "feathers": Traits(
        kind="coin",
        optional_actions=COINS,
        right_guess=("leave", "choose"),
        covers_feathers=True,
        book_thresholds_by_players={3: range(3, 6), 4: range(3, 6)},
    ),
    "peek": Traits(
        kind="trick", optional_actions=TRICKS, has_cards=True, has_centre=True, has_eyes=True, shuffles_each_round=True
    ),
}
EDITIONS: Final[dict[str, Rules]] = {
    "scout": Rules("scout", min_bid=1, deck=DECKS["scout"]),
    "tomahawk": Rules("tomahawk", min_bid=1, x2_doubles="all", deck=DECKS["tomahawk"]),
    "feathers": Rules(
        "feathers",
        next_starter="winner",
        if_starter_is_out="left",
        coins=(("extra", 2), ("reverse", 1), ("skip", 2), ("replace", 2), ("guess", 1)),
        min_players=3,
        max_players=MOST_PLAYERS,
        deck=DECKS["feathers"],
    ),
    "peek": Rules("peek", max_zero_hits="any", if_starter_is_out="left", min_players=3, deck=DECKS["peek"]),
}
DEFAULT_EDITION: Final = "feathers"

_TRAIT_OPTIONS: Final = ("actions_per", "actions_per_turn", "right_guess")
"""The options whose possible values are a trait of the edition."""


def _in_any_edition(option: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(getattr(traits, option) for traits in TRAITS.values())))


CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    **{option: _in_any_edition(option) for option in _TRAIT_OPTIONS},
    "x2_doubles": ("positives", "all"),
    "max_zero_hits": ("positive", "any"),
    "next_starter": ("loser", "winner"),
    "if_starter_is_out": ("duellist", "left"),
}
"""The possible values of the options that are one of a few words; `Traits` may allow fewer."""
RANGES: Final[Mapping[str, range]] = {
    "threshold": range(2, 6),
    "open_eyes": range(3),
    "min_bid": range(LOWEST_BID, HIGHEST_BID),
    "min_players": range(2, MOST_PLAYERS + 1),
    "max_players": range(2, MOST_PLAYERS + 1),
    "coins": range(MOST_COINS + 1),
    "guess_along": range(16),
}
"""The possible values of the options that are whole numbers; for `coins`, of each kind of coin."""
_OPTIONS: Final = tuple(each.name for each in fields(Rules))


def optional_actions(edition: str) -> tuple[str, ...]:
    """Return the actions that the edition's variant brings, each of which can be switched off."""
    return TRAITS[edition].optional_actions


def rules_from(options: Mapping[str, Any]) -> Rules:
    """Make the rules of a match from plain options; raise Rejected with a Problem if they are impossible."""
    edition = options.get("edition", DEFAULT_EDITION)
    if not isinstance(edition, str) or edition not in EDITIONS:
        raise Rejected(Problem.UNKNOWN_EDITION, value=edition, allowed=tuple(EDITIONS))
    values: dict[str, Any] = {name: getattr(EDITIONS[edition], name) for name in _OPTIONS}
    for name, value in options.items():
        if name not in values:
            raise Rejected(Problem.UNKNOWN_OPTION, option=name, allowed=_OPTIONS)
        values[name] = _checked(edition, name, value)
    rules = Rules(**values)
    if rules.min_players > rules.max_players:
        raise Rejected(Problem.LIMITS_CROSSED, lowest=rules.min_players, highest=rules.max_players)
    needed = rules.max_players + rules.has_centre
    if len(rules.cards) < needed:
        raise Rejected(Problem.DECK_TOO_SMALL, cards=len(rules.cards), needed=needed)
    return rules


def options_of(rules: Rules) -> dict[str, Any]:
    """Return the edition and what differs from it, as plain data that `rules_from` takes."""
    standard = EDITIONS[rules.edition]
    options: dict[str, Any] = {"edition": rules.edition}
    for name in _OPTIONS:
        value = getattr(rules, name)
        if value == getattr(standard, name):
            continue
        if name == "deck":
            value = [list(pair) for pair in value]
        elif name == "coins":
            value = dict(value)
        elif name == "actions_off":
            value = list(value)
        options[name] = value
    return options


def book_threshold(edition: str, players: int) -> range:
    """Return the thresholds that the rulebook allows for a table of this size (R18); a host may choose others."""
    traits = TRAITS[edition]
    return traits.book_thresholds_by_players.get(players, traits.book_thresholds)


def book_players(edition: str) -> range:
    """Return the numbers of players that the rulebook allows; a host may choose up to twelve (R19)."""
    return range(EDITIONS[edition].min_players, 7)


def check_table(rules: Rules, players: int) -> None:
    """Raise Rejected unless the match may be opened for this many players."""
    if players < rules.min_players:
        raise Rejected(Problem.TOO_FEW_PLAYERS, players=players, lowest=rules.min_players)
    if players > rules.max_players:
        raise Rejected(Problem.TOO_MANY_PLAYERS, players=players, highest=rules.max_players)


def _checked(edition: str, name: str, value: Any) -> Any:
    """Return the option's value in the form that Rules keeps; raise Rejected if it is not allowed."""
    match name:
        case "edition":
            return value
        case "variant":
            return _one_of(name, value, (False, True))
        case "actions_off":
            if not isinstance(value, list | tuple):
                raise Rejected(Problem.NOT_ALLOWED, option=name, value=value, allowed=optional_actions(edition))
            return tuple(_one_of(name, action, optional_actions(edition)) for action in value)
        case "coins":
            return _checked_coins(edition, value)
        case "deck":
            return deck_from(value)
        case "min_bid" | "open_eyes" if value is None:
            return None
        case "open_eyes" if not TRAITS[edition].has_eyes:
            raise Rejected(Problem.NOT_ALLOWED, option=name, value=value, allowed=())
        case _ if name in _TRAIT_OPTIONS:
            return _one_of(name, value, getattr(TRAITS[edition], name))
        case _ if name in RANGES:
            return _in_range(name, value)
        case _:
            return _one_of(name, value, CHOICES[name])


def _one_of(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    if not any(value is known or (isinstance(value, str) and value == known) for known in allowed):
        raise Rejected(Problem.NOT_ALLOWED, option=name, value=value, allowed=allowed)
    return value


def _in_range(name: str, value: Any) -> int:
    allowed = RANGES[name]
    if type(value) is not int or value not in allowed:
        raise Rejected(Problem.OUT_OF_RANGE, option=name, value=value, lowest=allowed[0], highest=allowed[-1])
    return value


def _checked_coins(edition: str, supply: Any) -> tuple[tuple[str, int], ...]:
    """Check a supply of picture coins, in which every kind must be named."""
    if TRAITS[edition].kind != "coin":
        raise Rejected(Problem.NOT_ALLOWED, option="coins", value=supply, allowed=())
    if not isinstance(supply, Mapping) or set(supply) != set(COINS):
        raise Rejected(Problem.NOT_ALLOWED, option="coins", value=supply, allowed=COINS)
    return tuple((coin, _in_range("coins", supply[coin])) for coin in COINS)


def deck_from(deck: Any) -> Deck:
    """Check and return a custom deck, given as pairs (card, copies) or a mapping; numbers may be strings."""
    try:
        pairs = [(card, copies) for card, copies in (deck.items() if isinstance(deck, Mapping) else deck)]
    except (TypeError, ValueError):
        raise Rejected(Problem.NOT_A_DECK, value=deck) from None
    checked: dict[Card, int] = {}
    for written, copies in pairs:
        card = _checked_card(written)
        if card is None or card in checked or type(copies) is not int or not 0 < copies <= MOST_CARDS:
            raise Rejected(Problem.NOT_A_DECK, value=written, highest=HIGHEST_CARD, specials=SPECIALS)
        checked[card] = copies
    if sum(checked.values()) > MOST_CARDS:
        raise Rejected(Problem.DECK_TOO_LARGE, cards=sum(checked.values()), highest=MOST_CARDS)
    return tuple(checked.items())


def _checked_card(written: Any) -> Card | None:
    for special in SPECIALS:
        if written == special:
            return special
    if isinstance(written, str):
        try:
            written = int(written)
        except ValueError:
            return None
    if type(written) is int and abs(written) <= HIGHEST_CARD:
        return written
    return None
