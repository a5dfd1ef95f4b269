"""Statements that write rows: one row each, or rows of many kinds in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

CONFLICT: Final = "made for an older state"
"""What SQLite raises if a guarded row did not change exactly one row."""


class Statement(NamedTuple):
    """One kind of row. Within a transaction, rows are written in the order of their kinds in `STATEMENTS`.

    `sql` has `{rows}` where its rows belong, and calls their values column1, column2, … Without `sql`, a row holds one
    function, which is called with the connection: for everything that must read before it writes.
    """

    sql: str
    width: int
    """The number of values in a row."""
    guarded: bool = False
    """Every row must change exactly one row; otherwise it was made for an older state."""
    text: bool = False
    """The last value of a row is a long text or None. In a call with many rows it travels beside the JSON."""
    often: bool = False
    """Most transactions have only rows of such kinds. They use a smaller call, because even a kind without rows costs
    time. At least one statement must be marked."""

    def single(self) -> str:
        """Return the statement for one row, whose values are bound."""
        return self.sql.format(rows=f"VALUES ({', '.join('?' * self.width)})")

    def several(self, column: str) -> str:
        """Return the trigger's statement for all rows of the JSON array in this column of the inserted row.

        In place of a long text, a row holds where it begins in `texts` and its length, both in bytes.
        """
        read = [_value(place) for place in range(self.width)]
        if self.text:
            read[-1] = f"CAST(substr(NEW.texts, {read[-1]}, {_value(self.width)}) AS TEXT)"
        values = ", ".join(f"{each} AS column{number}" for number, each in enumerate(read, 1))
        # Without LIMIT, SQLite would merge the two queries and serialise the row's JSON again for each of its values.
        each = f"SELECT value FROM json_each(NEW.{column}) LIMIT -1"  # noqa: S608 - made of constants
        rows = f"SELECT {values} FROM ({each}) WHERE true"  # noqa: S608 - made of constants
        written = self.sql.format(rows=rows)
        if not self.guarded:
            return f"{written};"
        missed = f"changes() <> json_array_length(NEW.{column})"
        return f"{written}; SELECT RAISE(ABORT, '{CONFLICT}') WHERE {missed};"


def _value(place: int) -> str:
    """Return how a value of a row is read. A path is faster than an index, which SQLite turns into a path each time."""
    return f"value ->> '$[{place}]'"


class OneCall(NamedTuple):
    """A view that takes a JSON array of rows for each kind and their texts, and the trigger that writes them.

    After each call of SQLite the store's thread waits for Python's global lock, and under load that takes longer than
    the writing itself. So all rows of a transaction, of whatever kinds, are one call, which runs without the lock.
    """

    view: str
    trigger: str
    insert: str
    kinds: Sequence[int]
    """The numbers of the statements that have rows in it."""

    @classmethod
    def of(cls, name: str, statements: Sequence[Statement], kinds: Sequence[int]) -> OneCall:
        """Return the call that writes these kinds in their order; kinds without SQL are left out."""
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
