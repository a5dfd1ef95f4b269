"""What end-to-end tests need to know about a game: how people play it, and what its messages may show.

The tests themselves are written once for all games. `tests/games/drivers.py` lists a driver for each game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from bot.text.catalogue import Catalogue, catalogue
from sandbox.messagelog import Message
from sandbox.people import Person
from sandbox.shown import Shown

if TYPE_CHECKING:
    from tests.e2e.harness import Evening
    from tests.e2e.leak_check import LeakCheck
    from tests.e2e.players import Game


class Move(NamedTuple):
    """A move that somebody can make with a single press."""

    by: Person
    press: Callable[[], Awaitable[Shown]]
    sign: str
    """Words that the table shows once the move has been made, and not before."""

    def is_shown(self, message: Message | None) -> bool:
        """Return whether a message shows the move."""
        return message is not None and self.sign in message.text


class Driver(ABC):
    """How people play one game with the bot, knowing only what their clients show."""

    name: ClassVar[str]
    """Under which the bot registers the game."""
    group: ClassVar[str]
    """The first word of the game's commands."""
    short: ClassVar[Mapping[str, Any]]
    """Options of `new` that make any kind of game shorter."""
    quickest: ClassVar[Mapping[str, Any]]
    """Options of `new` for a game of two that is over as soon as possible."""
    replayed: ClassVar[Mapping[str, Any]]
    """Options of `new` for a game of three whose replay is compared with what the players saw."""
    long: ClassVar[Mapping[str, Any]] = {}
    """Options of `new` for a game that lasts, even if nobody answers."""
    suggested: ClassVar[tuple[str, str]]
    """A command for which the client suggests values, and the option that takes them."""
    look_command: ClassVar[str] = "look"
    """The command that opens the private look."""
    look: ClassVar[str]
    """Words in a player's own look, and in no other message."""
    move_shows_look: ClassVar[bool] = False
    """Whether the plain move, made on the table message, is answered with the private look."""
    look_between: ClassVar[str | None] = None
    """Words in a look between two rounds, if the game has a break there."""
    side: ClassVar[str]
    """Words in the look of somebody who does not play."""
    reveal: ClassVar[str]
    """Words in the message that shows how a round has ended, and in no other message."""
    acting: ClassVar[frozenset[str]]
    """The phases in which the table waits for players."""
    leak_check: ClassVar[type[LeakCheck]]
    """Records everything that people are shown, and looks for this game's secrets."""

    kinds: ClassVar[Mapping[str, Mapping[str, Any]]]
    """The kinds of games that are played, each with its options of `new`."""
    sizes: ClassVar[Sequence[int]]
    """The numbers of players with which games are played."""
    kills: ClassVar[Sequence[str]]
    """The phases in which the bot is killed, besides lobby and end."""

    def is_possible(self, kind: str, players: int, kill: str) -> bool:
        """Return whether there are such games: with this number of players, and with this phase."""
        return True

    def is_quick(self, kind: str, players: int) -> bool:
        """Return whether such games are played in a normal run, too, and not only in the soak run."""
        return True

    def options(self, kind: str, players: int, *, full: bool) -> Mapping[str, Any]:
        """Return the options of `new` for a game; unless it is to be `full`, one that is over sooner."""
        return {**self.kinds[kind], **({} if full else self.short)}

    @property
    def say(self) -> Catalogue:
        """The texts of every game, with this game's own words."""
        return catalogue().for_game(self.name)

    @property
    def closed_dms_mark(self) -> str:
        """Words on the table message if somebody's DMs are closed."""
        return self.say("table.force.look_legend", look=self.say("table.button.look"))

    @abstractmethod
    def phase(self, message: Message) -> str:
        """Return the phase of a running game that a table message shows; `still` while it waits for no person."""

    @abstractmethod
    def asked(self, message: Message) -> Sequence[str]:
        """Return the ids of the people for whom the table waits."""

    @abstractmethod
    def round_of(self, message: Message) -> int | None:
        """Return the round that a table message of a running game shows; None for another message."""

    @abstractmethod
    def whose_turn(self, turn: Person) -> str:
        """Return words with which a move out of turn is refused; they name the player in turn."""

    @abstractmethod
    async def act(self, game: Game, message: Message) -> None:
        """Let the people for whom the table waits make a random move, and wait until the table shows it."""

    @abstractmethod
    def move(self, person: Person, message: Message, *, on: Message | None = None) -> Move:
        """Return a plain move of the player in turn, as the table message offers it to everybody.

        `on` is another message on which it is pressed, although it has no such button.
        """

    @abstractmethod
    def command(self, person: Person, message: Message) -> Move:
        """Return the first plain move of a game, made by command; it is answered with the private look."""

    @abstractmethod
    def early(self, person: Person, message: Message) -> Sequence[Callable[[], Awaitable[Shown]]]:
        """Return commands that somebody may send only when the first turn of a game is over and theirs has come."""

    @abstractmethod
    async def form(self, person: Person, message: Message) -> tuple[Callable[[], Awaitable[Shown]], str]:
        """Open a form of the game at the first turn of a player.

        Return what submits it, and words that the table shows then.
        """

    @abstractmethod
    def forged(self, table: str) -> Sequence[str]:
        """Return custom_ids of the game's own verbs that no button of a table has when its game begins."""

    @abstractmethod
    async def type_move(self, held: Evening) -> str:
        """Let the player in turn make a plain move by command, whatever the table message shows; return its sign."""

    @abstractmethod
    async def last_move(self, people: Sequence[Person], message: Message) -> Move:
        """Play until a single press ends the round; return that press. Its sign is in the reveal."""
