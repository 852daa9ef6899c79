"""Tables: rows under named columns."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import CapsuleType

    from everyply._everyply import _Columns

SHOWN = 60
"""Rows of a table that are printed."""


class Table:
    """A table: rows under named columns. It is exported as Arrow without a copy, so that
    `pyarrow.table(t)`, `polars.DataFrame(t)` and DuckDB read it, and as NumPy arrays.

    len(t) is the number of rows, t["column"] an array, t[0] a row as a dict, and iteration yields
    the rows.
    """

    def __init__(self, columns: _Columns) -> None:
        self._columns = columns

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._columns.names

    def __len__(self) -> int:
        return len(self._columns)

    @overload
    def __getitem__(self, of: str, /) -> npt.NDArray[Any]: ...
    @overload
    def __getitem__(self, of: int, /) -> dict[str, Any]: ...
    def __getitem__(self, of: str | int, /) -> npt.NDArray[Any] | dict[str, Any]:
        if isinstance(of, str):
            if of not in self.columns:
                raise KeyError(f"no column '{of}': the columns are {', '.join(self.columns)}")
            return self._columns.array(self.columns.index(of))
        row = operator.index(of)
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        row %= len(self)
        return next(self._rows(row, row + 1))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self._rows(0, len(self))

    def _rows(self, first: int, end: int) -> Iterator[dict[str, Any]]:
        """Iterates over rows in Python's types: None for unknown values."""
        columns = [array[first:end].tolist() for array in self.to_numpy().values()]
        return (dict(zip(self.columns, row, strict=True)) for row in zip(*columns, strict=True))

    def to_numpy(self) -> dict[str, npt.NDArray[Any]]:
        """Returns the columns as NumPy arrays, by name: the table's own memory, read-only; masked
        arrays if something is unknown.
        """
        return {name: self._columns.array(at) for at, name in enumerate(self.columns)}

    def to_pandas(self) -> Any:
        """Returns the rows as a pandas.DataFrame. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.to_numpy())

    def __arrow_c_stream__(self, requested_schema: object = None) -> CapsuleType:
        """Returns the rows in the form of Arrow's PyCapsule interface. A requested schema is
        ignored, as the interface allows.
        """
        return self._columns.stream()

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self.columns)}>"

    def _shown(self) -> tuple[list[list[str]], str]:
        """Returns the names and the first rows as texts, and a note about the others."""
        rows = [row.values() for row in self._rows(0, SHOWN)]
        texts = [["" if item is None else str(item) for item in row] for row in rows]
        return [self.columns, *texts], f"and {len(self) - SHOWN} more" if len(self) > SHOWN else ""

    def __str__(self) -> str:
        """Writes the first sixty rows as text."""
        rows, more = self._shown()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        return "\n".join([*lines, more] if more else lines)

    def _repr_html_(self) -> str:
        (head, *rows), more = self._shown()
        cells = "".join(f"<th>{escape(name)}</th>" for name in head)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
        )
        after = f"<p>{more}</p>" if more else ""
        return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>{after}"
