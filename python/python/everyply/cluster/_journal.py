"""Finished rows of a batch, in any order, until the batch is complete."""

import csv
import fcntl
import json
import os
from pathlib import Path
from typing import Any

from everyply.cluster._problem import Problem

# Of a line: its fields, its error or None, and its wrong score or None.
Row = tuple[list[str], str | None, str | None]


class Journal:
    """The file `FILE.part` beside a batch's output: a line of JSON that identifies the batch, and one
    for each row. Complete lines survive any end of the process.
    """

    def __init__(self, out: Path, about: dict[str, Any]) -> None:
        """about: the data that identifies this batch."""
        self._out = out
        self._path = out.with_name(f"{out.name}.part")
        try:
            self._file = self._path.open("a+b")
        except OSError as error:
            raise Problem(f"--out {out}: {error.strerror or error}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Problem(f"--out {out}: another process is at work at {self._path}") from None
        self.rows: dict[int, Row] = {}
        self._read(about)

    def _read(self, about: dict[str, Any]) -> None:
        self._file.seek(0)
        whole = 0
        for number, line in enumerate(self._file):
            # The last line may have been cut off with the process that wrote it.
            if not line.endswith(b"\n"):
                break
            if number == 0 and json.loads(line) != about:
                raise Problem(
                    f"{self._path} belongs to another input or other options: remove it to "
                    "begin anew"
                )
            if number > 0:
                at, fields, wrong, mismatch = json.loads(line)
                self.rows[at] = fields, wrong, mismatch
            whole += len(line)
        self._file.truncate(whole)
        if whole == 0:
            self._append([about])

    def add(self, rows: dict[int, Row]) -> None:
        """Keeps rows by the numbers of their lines."""
        self._append([[at, *row] for at, row in rows.items()])
        self.rows.update(rows)

    def _append(self, documents: list[Any]) -> None:
        lines = "".join(json.dumps(document) + "\n" for document in documents)
        self._file.write(lines.encode())
        self._file.flush()
        os.fdatasync(self._file.fileno())

    def finish(self, header: list[str]) -> None:
        """Writes the table, which appears whole, and removes the journal."""
        new = self._out.with_name(f"{self._out.name}.new")
        with new.open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(header)
            table.writerows(self.rows[at][0] for at in sorted(self.rows))
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._out)
        self._path.unlink()

    def close(self) -> None:
        """Releases the file for other processes."""
        self._file.close()
