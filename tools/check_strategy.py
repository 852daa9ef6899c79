#!/usr/bin/env python3
"""Checks Connect Four strategies by playing them against every line of the opponent.

A strategy claims that one side, the holder, gets at least a certain score without search. It is a
set of stored positions with the opponent to move. From one to the next, the holder follows the
plan of the one that was entered last. Nothing in the file is believed: each plan is played to the
end of all its games. No code or table is shared with everyply, so the two err independently.

Exit codes: 0 proved, 1 the file cannot be read, 2 usage or malformed file, 3 wrong strategy.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import re
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial, reduce
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

LETTERS = "abcdefghijklmnopqrstuvwxyz"
COLUMN_NAMES = "123456789" + LETTERS
SIDES = ("first", "second")
# A board has at most 64 bits, so a right line is shorter. A longer one never gets into memory.
LONGEST_LINE = 1000
UNREADABLE, MALFORMED, WRONG = 1, 2, 3

# The columns from the left, each with its stones x and o from the bottom up.
Position = tuple[str, ...]


class Problem(Exception):
    """An exit code and what the user is told."""


def union(cells: Iterable[int]) -> int:
    return reduce(int.__or__, cells, 0)


def drop(position: Position, column: int) -> Position:
    """The position after a move of the side whose turn it is."""
    stone = "xo"[sum(map(len, position)) % 2]
    return (*position[:column], position[column] + stone, *position[column + 1 :])


class Board:
    """A board as bits: each column has a bit of ground, then its cells from the bottom up.

    row 2     2  5  8      The cell above is one bit higher, and the lowest bit of a set of
    row 1     1  4  7      playable cells is the leftmost. Adding one to the ground of a column
    ground    0  3  6      carries through its stones to its first empty cell, which in a full
    column    a  b  c      column is the next one's ground.
    """

    def __init__(self, width: int, height: int, line: int) -> None:
        self.width, self.height, self.line = width, height, line
        self.size, self.empty = width * height, ("",) * width
        self.ground = union(self.cell(column, 0) for column in range(width))
        self.columns = [((2 << height) - 2) << column * (height + 1) for column in range(width)]
        places = [(column, row) for column in range(width) for row in range(1, height + 1)]
        self.column_of = {self.cell(column, row): column for column, row in places}
        self.cells = union(self.column_of)
        # A line: as many cells as it has, in a row, a column or a diagonal.
        self.lines = {
            union(self.cell(column + right * step, row + up * step) for step in range(line))
            for column, row in places
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
            if column + right * (line - 1) < width and 1 <= row + up * (line - 1) <= height
        }

    def cell(self, column: int, row: int) -> int:
        return 1 << column * (self.height + 1) + row

    def stones(self, position: Position) -> list[int]:
        """The stones of the first player and of the second."""
        sides = [0, 0]
        for column, stack in enumerate(position):
            for row, stone in enumerate(stack, 1):
                sides["xo".index(stone)] |= self.cell(column, row)
        return sides

    def completing(self, stones: int) -> int:
        """The cells where one more stone makes a line with these. They may be taken."""
        missing = (line & ~stones for line in self.lines)
        return union(cell for cell in missing if cell & (cell - 1) == 0)

    def winning_columns(self, position: Position, side: int) -> list[int]:
        """The columns where this side completes a line with its next stone."""
        stones = self.stones(position)
        cells = self.completing(stones[side]) & (sum(stones) + 2 * self.ground)
        return [column for column in range(self.width) if cells & self.columns[column]]

    def has_room(self, position: Position, column: int) -> bool:
        return column < self.width and len(position[column]) < self.height

    def win_score(self, stones: int) -> int:
        """What the winner gets when the line is completed with this stone."""
        return (self.size + 2 - stones) // 2

    def picture(self, position: Position) -> str:
        rows = zip(*(stack.ljust(self.height, ".") for stack in position))
        return "\n".join("  " + " ".join(row) for row in [*list(rows)[::-1], LETTERS[: self.width]])


class Stored(NamedTuple):
    """A stored position: the opponent is to move, the holder has a plan."""

    line: int
    position: Position
    exits: list[int]
    # For a stone of the opponent in this cell the column of the reply, if not the cell's own.
    answers: dict[int, int]

    def __str__(self) -> str:
        return f"line {self.line}, {'/'.join(self.position)}"


@dataclass
class Strategy:
    """One section of a file."""

    board: Board
    holder: int
    score: int
    moves: list[int]
    positions: list[Stored] = field(default_factory=list)
    # What stands for a position, and whether the position is the mirror image of it.
    index: dict[Position, tuple[int, bool]] = field(default_factory=dict)

    def claim(self) -> str:
        board, moves = self.board, "".join(COLUMN_NAMES[column] for column in self.moves)
        rules = f"{board.width}x{board.height}" + f", lines of {board.line}" * (board.line != 4)
        results = {1: "wins", 0: "gets at least a draw"}
        result = results.get(self.score, f"gets a score of at least {self.score}")
        start = f"after {moves}" if moves else "from the empty board"
        return f"{rules}: the {SIDES[self.holder]} player {result} {start}"


@contextmanager
def opened(path: str) -> Iterator[io.BufferedReader]:
    """The bytes of a file, decompressed by what is here if need be."""
    damaged = Problem(MALFORMED, "the compressed data are damaged or cut short")
    modules = [name for name in ("compression", "zstandard") if find_spec(name)]
    with open(path, "rb", buffering=0) as raw:
        compressed = raw.read(4) == b"\x28\xb5\x2f\xfd"
        raw.seek(0)
        if not compressed:
            yield io.BufferedReader(raw)
        elif modules:
            zstd: Any = import_module(modules[0].replace("compression", "compression.zstd"))
            try:
                if modules[0] == "compression":
                    yield io.BufferedReader(zstd.open(raw))
                else:
                    unpacker = zstd.ZstdDecompressor()
                    yield io.BufferedReader(unpacker.stream_reader(raw, read_across_frames=True))
            except (EOFError, zstd.ZstdError):
                raise damaged from None
        elif shutil.which("zstd"):
            command = ["zstd", "-dcq"]
            with subprocess.Popen(command, stdin=raw, stdout=subprocess.PIPE) as process:
                yield process.stdout  # type: ignore[misc]
            if process.returncode:
                raise damaged
        else:
            wanted = "the program zstd or the Python module zstandard"
            raise Problem(UNREADABLE, f"compressed, and nothing reads it: install {wanted}")


class Lines:
    """The lines of a file, counted."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self.stream, self.number = stream, 0

    def match(self, pattern: str, wanted: str) -> re.Match[str]:
        """The next line, which has to be like this."""
        self.number += 1
        line = self.stream.readline(LONGEST_LINE).decode("latin-1")
        if not line.endswith("\n"):
            raise self.error(f"{wanted}, with the end of its line", line)
        if not (match := re.fullmatch(pattern, line[:-1])):
            raise self.error(wanted, line[:-1])
        return match

    def error(self, wanted: str, found: str) -> Problem:
        what = ascii(found[:60]) if found else "nothing"
        return Problem(MALFORMED, f"line {self.number}: wanted {wanted}, found {what}")


def read(path: str) -> list[Strategy]:
    """All sections of a file."""
    with opened(path) as stream:
        lines = Lines(stream)
        sections = [read_section(lines)]
        while stream.peek(1):
            sections.append(read_section(lines))
        return sections


def read_section(lines: Lines) -> Strategy:
    lines.match("everyply strategy 1", "'everyply strategy 1'")
    size = lines.match(r"board ([1-9]\d?)x([1-9]\d?)", "a board such as 'board 7x6'")
    width, height = int(size[1]), int(size[2])
    if width * (height + 1) > 64 or width > len(LETTERS):
        raise lines.error("width * (height + 1) at most 64, width at most 26", size[0])
    line = lines.match(r"line ([1-9]\d?)", "the length of a line such as 'line 4'")[1]
    side = lines.match(r"side (first|second)", "'side first' or 'side second'")[1]
    score = lines.match(r"score (0|-?[1-9]\d?)", "a score such as 'score 1'")[1]
    moves = lines.match(r"moves ?([1-9a-z]*)", "moves such as 'moves 44', or 'moves'")[1]
    board = Board(width, height, int(line))
    columns = [COLUMN_NAMES.index(name) for name in moves]
    strategy = Strategy(board, SIDES.index(side), int(score), columns)
    position = board.empty
    for ply, column in enumerate(columns):
        if not board.has_room(position, column):
            raise lines.error(f"room in column {moves[ply]} for move {ply + 1}", moves)
        if column in board.winning_columns(position, ply % 2) or ply + 1 == board.size:
            raise lines.error(f"a game that is not over with move {ply + 1}", moves)
        position = drop(position, column)
    wanted = "a number of positions such as 'positions 3'"
    count = int(lines.match(r"positions (0|[1-9]\d{0,17})", wanted)[1])
    before: Position = ()
    for number in range(count):
        text = lines.match(r"[xo/]* .+", f"position {number + 1:,} of {count:,}")[0]
        stored = read_position(lines, board, strategy.holder, text)
        if stored.position <= before:
            raise lines.error(f"a position after {'/'.join(before)} in order", text)
        before = stored.position
        if before in strategy.index:
            twin = strategy.positions[strategy.index[before][0]]
            raise lines.error(f"no mirror image of {twin}", text)
        # A position that is its own mirror image counts as not mirrored: the last entry stays.
        strategy.index[before[::-1]] = number, True
        strategy.index[before] = number, False
        strategy.positions.append(stored)
    return strategy


def read_position(lines: Lines, board: Board, holder: int, text: str) -> Stored:
    """A line such as `//x/ox/x// bd a1b b1a`: the stones, the exits, the answers."""
    stones, exits, *answers = text.split(" ")
    position = tuple(stones.split("/"))
    if len(position) != board.width or max(map(len, position)) > board.height:
        raise lines.error(f"{board.width} columns of at most {board.height} stones", stones)
    first, second = board.stones(position)
    if first.bit_count() - second.bit_count() != 1 - holder:
        raise lines.error("stones with which the opponent of the holder is to move", stones)
    full = first | second == board.cells
    if full or any(line & side == line for line in board.lines for side in (first, second)):
        raise lines.error("a position in which the game is not over", stones)
    letters = LETTERS[: board.width]
    if exits != "-" and (not exits or exits != "".join(sorted({*exits} & {*letters}))):
        raise lines.error(f"exits in order from a to {letters[-1]}, or '-'", exits)
    leave = [letters.index(name) for name in exits.strip("-")]
    if not all(board.has_room(position, column) for column in leave):
        raise lines.error("exits in columns with room", exits)
    plan: dict[int, int] = {}
    for answer in answers:
        found = re.fullmatch(rf"([{letters}])([1-9]\d?)([{letters}])", answer)
        if not found or int(found[2]) > board.height:
            raise lines.error("an answer such as a1b, on the board", answer)
        cell = board.cell(letters.index(found[1]), int(found[2]))
        if cell & (first | second) or cell <= max(plan, default=0) or found[1] == found[3]:
            wanted = "answers to empty cells, in order, each in another column than the cell's"
            raise lines.error(wanted, answer)
        plan[cell] = letters.index(found[3])
    return Stored(lines.number, position, leave, plan)


def refuted(strategy: Strategy, moves: list[int], what: str, plan: Stored | None) -> Problem:
    """What went wrong after these moves from the empty board."""
    game = "".join(COLUMN_NAMES[column] for column in moves) or "no move"
    picture = strategy.board.picture(reduce(drop, moves, strategy.board.empty))
    origin = f"\nplan in force: {plan}" if plan else ""
    return Problem(WRONG, f"{strategy.claim()}: refuted by {game}\n{picture}\n{what}{origin}")


def check_end(strategy: Strategy, moves: list[int], plan: Stored | None) -> None:
    """Whether a game that is over with these moves keeps the claim."""
    board, side = strategy.board, (len(moves) - 1) % 2
    before = reduce(drop, moves[:-1], board.empty)
    score, end = board.win_score(len(moves)), f"the {SIDES[side]} player completes a line"
    if moves[-1] not in board.winning_columns(before, side):
        score, end = 0, "the board is full"
    score = score if side == strategy.holder else -score
    if score < strategy.score:
        claim = f"{SIDES[strategy.holder]} player, but at least {strategy.score} is claimed"
        raise refuted(strategy, moves, f"{end}: {score} for the {claim}", plan)


def walk(strategy: Strategy) -> dict[int, tuple[bool, list[int]]]:
    """The stored positions that games reach through exits: mirrored or not, and such a game."""
    board, holder, index = strategy.board, strategy.holder, strategy.index
    reached: dict[int, tuple[bool, list[int]]] = {}
    queue: deque[tuple[Position, list[int]]] = deque()
    seen: set[Position] = set()

    def enter(position: Position, moves: list[int]) -> bool:
        """Puts a position in force if it is stored; in both images, for rule 2 differs in them."""
        if position in index and position not in seen:
            seen.add(position)
            queue.append((position, moves))
            number, mirrored = index[position]
            reached.setdefault(number, (mirrored, moves))
        return position in index

    def reply(position: Position, moves: list[int], plan: Stored | None) -> None:
        # Rule 1: the holder completes a line if it can.
        if wins := board.winning_columns(position, holder):
            return check_end(strategy, [*moves, wins[0]], plan)
        # Rule 2: otherwise it makes the leftmost move to a stored position.
        for column in range(board.width):
            room = board.has_room(position, column)
            if room and enter(drop(position, column), [*moves, column]):
                return None
        what = f"a move of the {SIDES[holder]} player must lead to a stored position"
        raise refuted(strategy, moves, what, plan)

    start = reduce(drop, strategy.moves, board.empty)
    if len(strategy.moves) % 2 == holder:
        reply(start, strategy.moves, None)
    elif not enter(start, strategy.moves):
        what = "the start must be stored, for the opponent is to move"
        raise refuted(strategy, strategy.moves, what, None)
    while queue:
        position, past = queue.popleft()
        number, mirrored = index[position]
        plan = strategy.positions[number]
        losing = board.winning_columns(position, 1 - holder)
        for column in plan.exits:
            column = board.width - 1 - column if mirrored else column
            if column in losing or len(past) + 1 == board.size:
                check_end(strategy, [*past, column], plan)
            else:
                reply(drop(position, column), [*past, column], plan)
    return reached


def play(
    board: Board, holder: int, score: int, own_first: bool, plan: Stored
) -> tuple[list[int], int, int]:
    """Plays a plan, without the exits of its stored position, against every line of the opponent.

    Returns the columns of a game that breaks the claim, if there is one, the cells whose answers
    were consulted, and the number of positions. All the time goes here. A position tells the rest
    of the game, so each is visited once.
    """
    size, cells, two_grounds = board.size, board.cells, 2 * board.ground
    own = {cell: board.columns[column] for cell, column in board.column_of.items()}
    answer = own | {cell: board.columns[column] for cell, column in plan.answers.items()}
    # Where the holder looks first if the column of the answer is full, before the leftmost.
    fallback = own if own_first else dict.fromkeys(own, cells)
    # For each cell the other cells of the lines through it.
    through = {cell: [line ^ cell for line in board.lines if line & cell] for cell in own}
    # Whether a line that is completed with this stone keeps the claim.
    may_win = [board.win_score(stone) >= score for stone in range(size + 1)]
    may_lose = [-board.win_score(stone) >= score for stone in range(size + 1)]
    seen: set[int] = set()
    consulted = 0

    def visit(
        theirs: int, ours: int, tops: int, they_want: int, we_want: int, stones: int, exits: int = 0
    ) -> list[int]:
        """The cells, last first, of a game that breaks the claim; empty if there is none.

        The opponent is to move, but not in `exits`. `tops`: the first empty cell of each column.
        `they_want` and `we_want`: where a stone of that side completes a line, if it is free.
        """
        nonlocal consulted
        playable = tops & cells & ~exits
        if they_want & playable and not may_lose[stones + 1]:
            return [they_want & playable]
        todo = playable & ~they_want
        while todo:
            move = todo & -todo
            todo ^= move
            now = (tops + move) & cells
            if not now:
                if score > 0:
                    return [move]
                continue
            # Rule 1: the holder completes a line.
            if we_want & now:
                if not may_win[stones + 2]:
                    return [we_want & now, move]
                continue
            theirs_now = theirs | move
            they_want_now = they_want
            for others in through[move]:
                missing = others & ~theirs_now
                if not missing & (missing - 1):
                    they_want_now |= missing
            # Rule 3: it blocks, or rule 4: it answers, if need be where there is room.
            reply = they_want_now & now
            if not reply:
                consulted |= move
                reply = now & answer[move] or now & fallback[move] or now
            reply &= -reply
            ours_now = ours | reply
            tops_now = theirs_now + ours_now + two_grounds
            if not tops_now & cells:
                if score > 0:
                    return [reply, move]
                continue
            # The opponent's stones and where the columns end tell a position.
            if (theirs_now | tops_now) in seen:
                continue
            seen.add(theirs_now | tops_now)
            we_want_now = we_want
            for others in through[reply]:
                missing = others & ~ours_now
                if not missing & (missing - 1):
                    we_want_now |= missing
            failure = visit(theirs_now, ours_now, tops_now, they_want_now, we_want_now, stones + 2)
            if failure:
                return [*failure, reply, move]
        return []

    sides = board.stones(plan.position)
    theirs, ours = sides[1 - holder], sides[holder]
    exits = union(board.columns[column] for column in plan.exits)
    they_want, we_want = board.completing(theirs), board.completing(ours)
    tops, stones = theirs + ours + two_grounds, (theirs | ours).bit_count()
    failure = visit(theirs, ours, tops, they_want, we_want, stones, exits)
    return [board.column_of[cell & -cell] for cell in failure[::-1]], consulted, len(seen)


def check(strategy: Strategy, own_first: bool, jobs: int) -> tuple[str, list[str]]:
    """What is proved, and what is superfluous."""
    board, positions, begun = strategy.board, strategy.positions, time.monotonic()
    reached = walk(strategy)
    superfluous = [f"{it}: never reached" for n, it in enumerate(positions) if n not in reached]
    plans = [positions[number] for number in reached]
    player = partial(play, board, strategy.holder, strategy.score, own_first)
    visited = 0
    with multiprocessing.Pool(jobs) if jobs > 1 else nullcontext() as pool:
        results = (pool.imap if pool else map)(player, plans)
        for plan, (mirrored, moves), result in zip(plans, reached.values(), results):
            failure, consulted, count = result
            visited += count
            if failure:
                tail = [board.width - 1 - column if mirrored else column for column in failure]
                check_end(strategy, moves + tail, plan)
                raise AssertionError(f"{plan}: {tail} should refute it")
            for cell in (cell for cell in plan.answers if not cell & consulted):
                column = board.column_of[cell]
                row = (cell // board.cell(column, 0)).bit_length() - 1
                superfluous.append(f"{plan}: answer to {LETTERS[column]}{row} never used")
    rooms = [{c for c in range(board.width) if board.has_room(it.position, c)} for it in plans]
    played = sum(room > {*plan.exits} for room, plan in zip(rooms, plans))
    proved = (
        f"{strategy.claim()}: {len(positions):,} positions, {played:,} plans, "
        f"{visited:,} positions within plans, {time.monotonic() - begun:.1f} s"
    )
    return proved, superfluous


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check Connect Four strategies by playing them.")
    parser.add_argument("file", help="strategies as text, or compressed with zstd")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--strict", action="store_true", help="refuse what is superfluous")
    what = "the holder's move if the column of its answer is full (own: the stone's, if not full)"
    parser.add_argument("--full-column", choices=("own", "leftmost"), default="own", help=what)
    options = parser.parse_args(words)
    if options.jobs < 1:
        parser.error("--jobs: wanted at least 1")
    try:
        for strategy in read(options.file):
            proved, superfluous = check(strategy, options.full_column == "own", options.jobs)
            found = f"{len(superfluous):,} superfluous, first {''.join(superfluous[:1])}"
            if superfluous and options.strict:
                raise Problem(WRONG, f"{strategy.claim()}: {found}")
            print(proved, flush=True)
            if superfluous:
                print(f"warning: {found}", file=sys.stderr)
    except (Problem, OSError) as problem:
        code, text = (
            problem.args if isinstance(problem, Problem) else (UNREADABLE, problem.strerror)
        )
        print(f"{options.file}: {text}", file=sys.stderr)
        return int(code)
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
