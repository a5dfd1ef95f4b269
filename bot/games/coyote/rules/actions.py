"""Defines the actions of Coyote, the events that follow from them, and the reasons for a refusal."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from bot.engine.core import Leave, Seat
from bot.engine.frozen import Frozen
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.results import Result


class Bid(NamedTuple):
    """Name a number. In `scout` and `tomahawk`, `plus` adds an announcement; some of them need a target."""

    seat: Seat
    number: int
    plus: str | None = None
    target: Seat | None = None


class Call(NamedTuple):
    """Say "Coyote!" to the standing bid."""

    seat: Seat


class Approve(NamedTuple):
    """`scout`, `tomahawk`: take over the standing number as one's own bid instead of raising it."""

    seat: Seat


class Turnabout(NamedTuple):
    """`tomahawk`: change the direction; the standing bidder must bid again."""

    seat: Seat


class Redo(NamedTuple):
    """`scout`, `tomahawk`: make the standing bidder name another number."""

    seat: Seat


class Flip(NamedTuple):
    """`feathers`: flip a picture coin. Only the guess needs a value: the face of one's own feather."""

    seat: Seat
    coin: str
    value: Card | None = None


class Announce(NamedTuple):
    """`tomahawk`, with several actions a turn: make an announcement for one's next bid, which must follow."""

    seat: Seat
    plus: str
    target: Seat | None = None


class Withdraw(NamedTuple):
    """`feathers`, if a right guess leaves the choice: sit out the rest of the round."""

    seat: Seat


class Peek(NamedTuple):
    """`peek`: close an eye and look at the centre card."""

    seat: Seat


class UseCoyote(NamedTuple):
    """`peek`, trickster variant: draw a card with the Coyote card and lay it beside the centre."""

    seat: Seat


class Bet(NamedTuple):
    """`peek`, trickster variant: bet on one of the duellists; None means that time ran out, and counts as wrong."""

    seat: Seat
    on: Seat | None


class Deal(NamedTuple):
    """The dealer begins a round. `order` is the whole shuffled deck if a shuffle is due, and otherwise empty.

    `starter` is set only by the first deal of a match, and only if nobody was chosen to begin.
    """

    seat: Seat
    order: tuple[Card, ...] = ()
    starter: Seat | None = None


class Shuffle(NamedTuple):
    """The dealer shuffles the discard under the pile, because more cards are needed than it has."""

    seat: Seat
    order: tuple[Card, ...]


class Reveal(NamedTuple):
    """The dealer turns over all feathers after a call, if people who watch had time to guess who is right."""

    seat: Seat


PlayerAction: TypeAlias = (
    Bid | Call | Approve | Turnabout | Redo | Announce | Flip | Withdraw | Peek | UseCoyote | Bet | Leave
)
Action: TypeAlias = PlayerAction | Deal | Shuffle | Reveal


class Dealt(NamedTuple):
    """A round began; `shuffled` says whether all cards were shuffled first."""

    number: int
    starter: Seat
    shuffled: bool


class Announced(Frozen, frozen=True):
    """A player made a number their bid: one rung of the ladder of bids."""

    seat: Seat
    number: int
    how: str | None = None
    """What was announced with the bid, or "approve" if they took over the standing number; None for a plain bid."""
    target: Seat | None = None
    refused: bool = False
    """Set on the ladder later, if this bid was answered with "start again"."""


class DirectionChanged(NamedTuple):
    """`tomahawk`: the bidder must bid again, and play goes the other way."""

    seat: Seat
    bidder: Seat


class AnnouncementAdded(NamedTuple):
    """`tomahawk`: a player announced something for their next bid."""

    seat: Seat
    plus: str
    target: Seat | None


class RedoDemanded(NamedTuple):
    """The bidder must name another number."""

    seat: Seat
    bidder: Seat


class CoinFlipped(NamedTuple):
    """A picture coin was used; `shown` is the extra feather, which lies open."""

    seat: Seat
    coin: str
    shown: Card | None


class Guessed(NamedTuple):
    """A player guessed their own feather, which is then shown to everybody."""

    seat: Seat
    value: Card
    card: Card
    right: bool
    may_stay: bool = False
    """Whether the guess was right and the player may now bid all the same."""


class Withdrew(NamedTuple):
    """After a right guess, a player chose to sit out the rest of the round."""

    seat: Seat


class Peeked(NamedTuple):
    """A player closed an eye to look at the centre card, which only they see."""

    seat: Seat


class CoyoteUsed(NamedTuple):
    """A card was laid beside the centre; only the player who drew it knows it."""

    seat: Seat


class Called(NamedTuple):
    """A player said "Coyote!" to the standing bid."""

    seat: Seat
    bidder: Seat
    number: int


class BetPlaced(NamedTuple):
    """A player has bet; on whom stays secret until the reveal."""

    seat: Seat


class PileRenewed(NamedTuple):
    """The discard was shuffled under the pile in the middle of a round."""

    cards: int


class RoundEnded(NamedTuple):
    """The reveal: all cards of the round, the arithmetic, who pays."""

    result: Result


class SeatLeft(NamedTuple):
    """A player left the match for good."""

    seat: Seat


class MatchWon(NamedTuple):
    """Only one player is left, and has won."""

    seat: Seat


Event: TypeAlias = (
    Dealt
    | Announced
    | DirectionChanged
    | AnnouncementAdded
    | RedoDemanded
    | CoinFlipped
    | Guessed
    | Withdrew
    | Peeked
    | CoyoteUsed
    | Called
    | BetPlaced
    | PileRenewed
    | RoundEnded
    | SeatLeft
    | MatchWon
)


class Reason(StrEnum):
    """Why an action was refused."""

    MALFORMED = "malformed"
    """Not an action at all, or one with a field of the wrong type."""
    MATCH_OVER = "match_over"
    NOT_PLAYING = "not_playing"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_NOW = "not_now"
    DEALERS_MOVE = "dealers_move"
    NOT_IN_THIS_GAME = "not_in_this_game"
    SWITCHED_OFF = "switched_off"
    BID_TOO_LOW = "bid_too_low"
    BID_TOO_HIGH = "bid_too_high"
    SAME_NUMBER = "same_number"
    NO_HIGHER_NUMBER = "no_higher_number"
    NO_OTHER_NUMBER = "no_other_number"
    NOTHING_TO_ANSWER = "nothing_to_answer"
    OWN_BID = "own_bid"
    MUST_RAISE = "must_raise"
    MUST_BID_OR_WITHDRAW = "must_bid_or_withdraw"
    MUST_NAME_ANOTHER = "must_name_another"
    MUST_RAISE_OR_CALL = "must_raise_or_call"
    ALREADY_USED = "already_used"
    JUST_APPROVED = "just_approved"
    ANNOUNCE_FIRST = "announce_first"
    """Where several actions a turn are allowed, announcements come before the number, not with it."""
    NOTHING_TO_LEAVE = "nothing_to_leave"
    """Only a right guess allows a player to sit out the round."""
    NEEDS_TARGET = "needs_target"
    NO_SUCH_TARGET = "no_such_target"
    NEEDS_NO_TARGET = "needs_no_target"
    NO_CARD_LEFT = "no_card_left"
    NO_COIN_LEFT = "no_coin_left"
    TWO_LEFT = "two_left"
    BIDDER_WOULD_BE_STUCK = "bidder_would_be_stuck"
    NEEDS_GUESS = "needs_guess"
    NEEDS_NO_GUESS = "needs_no_guess"
    NO_OPEN_EYE = "no_open_eye"
    FIRST_TURN = "first_turn"
    NOT_THE_HOLDER = "not_the_holder"
    NOT_A_BETTOR = "not_a_bettor"
    ALREADY_BET = "already_bet"
    WRONG_ORDER = "wrong_order"
    WRONG_STARTER = "wrong_starter"
