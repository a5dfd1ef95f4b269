"""The simulated people of a sandbox."""

from collections.abc import Iterator

from sandbox.model import Guild, User
from sandbox.person import Person, first_channel
from sandbox.world import World

__all__ = ["People", "Person"]


class People:
    """The people of a sandbox, by name."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._by_id: dict[str, Person] = {}

    def __iter__(self) -> Iterator[Person]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def __getitem__(self, name: str) -> Person:
        for person in self:
            if name in (person.user.display_name, person.id):
                return person
        raise KeyError(name)

    def by_id(self, user_id: str) -> Person | None:
        """Return a person by their user's id."""
        return self._by_id.get(user_id)

    def add(self, name: str, guild: Guild | None = None, *, locale: str = "en-US", member: bool = True) -> Person:
        """Add a person who is a member of `guild` (default: the first server) and has its first channel open."""
        user = self._world.add_user(name, locale=locale)
        person = self.adopt(user)
        home = guild or next(iter(self._world.guilds.values()), None)
        if home is not None and member:
            person.join(home)
        return person

    def adopt(self, user: User) -> Person:
        """Return a person for an existing account, such as a server's owner."""
        known = self._by_id.get(user.id)
        if known is None:
            known = self._by_id[user.id] = Person(self._world, user)
            for guild in self._world.guilds_of.get(user.id, {}).values():
                known.where = known.where or first_channel(self._world, guild, user)
        return known

    def remove(self, person: Person) -> None:
        """Remove a person from every server and close their client."""
        for guild in list(self._world.guilds_of.get(person.id, {}).values()):
            person.leave(guild)
        self._by_id.pop(person.id, None)
