"""What can be written: each kind of row as a statement for one of them, and all kinds together as one call for many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

CONFLICT: Final = "made for something that is no longer so"
"""What SQLite says when a guarded row has not hit."""


class Statement(NamedTuple):
    """Something that is written. Units that share a transaction are written in the order of `STATEMENTS`.

    `sql` takes its rows where it says `{rows}`, and calls their values column1, column2, …
    """

    sql: str
    width: int
    """The number of values in a row."""
    guarded: bool = False
    """Every row must hit exactly one; otherwise it was made for something that is no longer so."""
    text: bool = False
    """The last value of a row is a long text, or None: of many rows it is sent beside the JSON."""
    often: bool = False
    """Most transactions have such rows and no others, and are written with a call that knows only those: even a kind
    without rows takes its time. There must be one at least."""
    # Without `sql` a row holds one function, which is called with the connection: for what must read before it writes.

    def single(self) -> str:
        """Return the statement for one row, whose values are bound."""
        return self.sql.format(rows=f"VALUES ({', '.join('?' * self.width)})")

    def several(self, column: str) -> str:
        """Return the statement, for a trigger, for all rows of a JSON array in this column of what is inserted.

        Instead of a long text a row holds where in `texts` it starts, and its length. Both count bytes.
        """
        read = [_value(place) for place in range(self.width)]
        if self.text:
            read[-1] = f"CAST(substr(NEW.texts, {read[-1]}, {_value(self.width)}) AS TEXT)"
        values = ", ".join(f"{each} AS column{number}" for number, each in enumerate(read, 1))
        # Without the limit SQLite would merge the two queries, and write a row's JSON anew for each of its values.
        each = f"SELECT value FROM json_each(NEW.{column}) LIMIT -1"  # noqa: S608 - of our own words alone
        rows = f"SELECT {values} FROM ({each}) WHERE true"  # noqa: S608 - of our own words alone
        written = self.sql.format(rows=rows)
        if not self.guarded:
            return f"{written};"
        missed = f"changes() <> json_array_length(NEW.{column})"
        return f"{written}; SELECT RAISE(ABORT, '{CONFLICT}') WHERE {missed};"


def _value(place: int) -> str:
    """Return how a value of a row is read: for a mere number SQLite would make this path, each time."""
    return f"value ->> '$[{place}]'"


class OneCall(NamedTuple):
    """A view that takes a JSON array of rows for each kind and their texts, and the trigger that writes them.

    After every call of SQLite the store's thread waits for the interpreter's lock, and under load that takes longer
    than the writing. So many rows are one call, however many kinds they are of, during which the interpreter is free.
    """

    view: str
    trigger: str
    insert: str
    kinds: Sequence[int]
    """The numbers of the statements that have rows in it."""

    @classmethod
    def of(cls, name: str, statements: Sequence[Statement], kinds: Sequence[int]) -> OneCall:
        """Return what writes these kinds of statements in their order; those without SQL have no column."""
        kinds = [kind for kind in kinds if statements[kind].sql]
        columns = {f"rows{kind}": statements[kind] for kind in kinds}
        names = ", ".join([*columns, "texts"])
        written = "\n".join(each.several(column) for column, each in columns.items())
        width = len(columns) + 1
        return cls(
            f"CREATE TEMP VIEW IF NOT EXISTS {name} ({names}) AS SELECT {', '.join(['NULL'] * width)}",
            f"CREATE TEMP TRIGGER IF NOT EXISTS write_{name} INSTEAD OF INSERT ON {name} BEGIN {written} END",
            f"INSERT INTO {name} VALUES ({', '.join('?' * width)})",  # noqa: S608 - placeholders alone
            kinds,
        )
