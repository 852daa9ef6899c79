"""`python -m everyply.cluster batch`: a position a line, solved into a CSV file."""

import hashlib
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import everyply as ep
from everyply._everyply import _batch_header
from everyply.cluster import _tasks
from everyply.cluster._clusters import connected
from everyply.cluster._drive import drive
from everyply.cluster._journal import Journal
from everyply.cluster._pieces import Piece, Pieces
from everyply.cluster._problem import Interrupted, Problem
from everyply.cluster._progress import Progress, counted, duration


class _Work:
    """Lines of a batch that are not done yet."""

    def __init__(
        self, journal: Journal, lines: list[bytes], args: Namespace, game: ep.BuiltinGame
    ) -> None:
        self._journal = journal
        self._lines = lines
        self._open = [at for at in range(len(lines)) if at not in journal.rows]
        self._detail = args.detail
        width, height, _ = game.parameters
        cells = width * height
        self.pieces = Pieces([max(cells - _plies(lines[at]), 0) for at in self._open])
        self._setting = _tasks.Setting(ep.__version__, game, args.table_size, not args.no_book)

    def task(self, piece: Piece) -> tuple[Callable[..., _tasks.Done], tuple[Any, ...]]:
        lines = [self._lines[self._open[item]] for item in piece.items]
        return _tasks.answer, (self._setting, lines, self._detail, piece.limit)

    def take(self, piece: Piece, done: _tasks.Done) -> None:
        rows = dict(zip((self._open[item] for item in piece.items), done.results, strict=False))
        for number, (fields, _, _) in rows.items():
            # The column `line`; a worker does not know it.
            fields[-2] = str(number + 1)
        self._journal.add(rows)


def run(args: Namespace, game: ep.BuiltinGame, _command: str, progress: Progress) -> None:
    """Solves the lines that are not done."""
    begun = time.monotonic()
    text = _read(args.input)
    lines = [line.removesuffix(b"\r") for line in text.split(b"\n")]
    if not lines[-1]:
        lines.pop()
    about = {
        "everyply": ep.__version__,
        "input": hashlib.sha256(text).hexdigest(),
        "board": list(game.parameters),
        "detail": args.detail,
    }
    journal = Journal(Path(args.out), about)
    try:
        work = _Work(journal, lines, args, game)
        nodes = 0
        if len(work.pieces) > 0:
            with connected(args, progress) as client:
                nodes = drive(client, work, progress)
        progress.clear()
        journal.finish(_batch_header(game.parameters[0], args.detail))
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted after {duration(time.monotonic() - begun)}; "
            f"{counted(len(journal.rows), 'row')} of {counted(len(lines), 'line')} are in "
            f"{args.out}.part, and the same command continues from there"
        ) from None
    except OSError as error:
        raise Problem(f"{error} (--out FILE)") from None
    finally:
        journal.close()
    taken = duration(time.monotonic() - begun)
    print(f"{args.out}: {counted(len(lines), 'row')}, {counted(nodes, 'node')}, {taken}")
    _judge(journal)


def _judge(journal: Journal) -> None:
    """Reports wrong lines, and fails if there are any, as `analyze connect4 --input` does."""
    refused = mismatches = 0
    for at, (_, wrong, mismatch) in sorted(journal.rows.items()):
        refused += wrong is not None
        mismatches += mismatch is not None
        if wrong or mismatch:
            print(f"line {at + 1}: {wrong or mismatch}", file=sys.stderr)
    lines = counted(len(journal.rows), "line")
    unsolved = f"{refused:,} of {lines} could not be solved"
    if mismatches:
        wrong = f"{mismatches:,} of {lines} have another score than was found"
        raise Problem(f"{wrong}; {unsolved}" if refused else wrong, 3)
    if refused:
        raise Problem(unsolved)


def _read(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise Problem(f"--input {name} cannot be read: {error.strerror or error}") from None


def _plies(line: bytes) -> int:
    """The approximate number of moves of a line, to estimate its time."""
    moves = (line.split() or [b""])[0]
    return moves.count(b",") + 1 if b"," in moves else len(moves)

