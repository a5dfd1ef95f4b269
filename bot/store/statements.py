"""What can be written: each kind of row as a statement for one of them, and all kinds together as one call for many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

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


class Texts:
    """The long texts of many rows, as one value. In JSON they would be escaped, and read by SQLite three times over."""

    def __init__(self) -> None:
        self._texts = [b" "]  # to SQLite a part of nothing is NULL, even one without length
        self._end = 2  # and the first byte is 1

    def take(self, rows: list[tuple[Any, ...]], last: int) -> None:
        """Take the last value of each row, unless it is None, and leave the row as `Statement.several` reads it."""
        end = self._end
        for place, row in enumerate(rows):
            if row[last] is not None:
                text = row[last].encode()
                self._texts.append(text)
                rows[place] = (*row[:last], end, len(text))
                end += len(text)
        self._end = end

    def joined(self) -> bytes:
        """Return all texts, one after the other."""
        return b"".join(self._texts)


class OneCall(NamedTuple):
    """A view that takes a JSON array of rows for each kind and their texts, and the trigger that writes them.

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
        names = ", ".join([*columns, "texts"])
        written = "\n".join(each.several(column) for column, each in columns.items())
        width = len(columns) + 1
        return cls(
            f"CREATE TEMP VIEW IF NOT EXISTS batch ({names}) AS SELECT {', '.join(['NULL'] * width)}",
            f"CREATE TEMP TRIGGER IF NOT EXISTS write_batch INSTEAD OF INSERT ON batch BEGIN {written} END",
            f"INSERT INTO batch VALUES ({', '.join('?' * width)})",  # noqa: S608 - placeholders alone
        )
