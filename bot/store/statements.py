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
    # Without `sql` a row holds one function, which is called with the connection: for what must read before it writes.

    def single(self) -> str:
        """Return the statement for one row, whose values are bound."""
        return self.sql.format(rows=f"VALUES ({', '.join('?' * self.width)})")

    def several(self, column: str) -> str:
        """Return the statement, for a trigger, for all rows of a JSON array in this column of what is inserted."""
        values = ", ".join(f"value ->> {place} AS column{place + 1}" for place in range(self.width))
        rows = f"SELECT {values} FROM json_each(NEW.{column}) WHERE true"  # noqa: S608 - of our own words alone
        written = self.sql.format(rows=rows)
        if not self.guarded:
            return f"{written};"
        missed = f"changes() <> json_array_length(NEW.{column})"
        return f"{written}; SELECT RAISE(ABORT, '{CONFLICT}') WHERE {missed};"


class OneCall(NamedTuple):
    """A view that takes a JSON array of rows for each kind, and the trigger that writes them.

    After every call of SQLite the store's thread waits for the interpreter's lock, and under load that takes longer
    than the writing. So many rows are one call, however many kinds they are of, during which the interpreter is free.
    """

    view: str
    trigger: str
    insert: str

    @classmethod
    def of(cls, statements: Sequence[Statement]) -> OneCall:
        """Return what writes these statements in their order; those without SQL have no column."""
        columns = {f"rows{place}": each for place, each in enumerate(statements) if each.sql}
        names = ", ".join(columns)
        written = "\n".join(each.several(column) for column, each in columns.items())
        return cls(
            f"CREATE TEMP VIEW IF NOT EXISTS batch ({names}) AS SELECT {', '.join(['NULL'] * len(columns))}",
            f"CREATE TEMP TRIGGER IF NOT EXISTS write_batch INSTEAD OF INSERT ON batch BEGIN {written} END",
            f"INSERT INTO batch VALUES ({', '.join('?' * len(columns))})",  # noqa: S608 - placeholders alone
        )
