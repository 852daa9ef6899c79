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
from functools import partial
from typing import Any, NamedTuple

HEADER = "everyply strategy 1"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
COLUMN_NAMES = "123456789" + LETTERS
SIDES = ("first", "second")
# A board has at most 64 bits, so a right line is shorter. A longer one never gets into memory.
LONGEST_LINE = 1000

# The columns from the left, each with its stones x and o from the bottom up.
Position = tuple[str, ...]


class Problem(Exception):
    """An exit code and what the user is told."""


UNREADABLE, MALFORMED, WRONG = 1, 2, 3


class Board:
    """A board as bits: each column has a bit of ground, then its cells from the bottom up.

        row 2     2  5  8      The cell above is one bit higher, and the lowest bit of a set of
        row 1     1  4  7      playable cells is the leftmost. Adding one to the ground of a column
        ground    0  3  6      carries through its stones to its first empty cell, which in a full
        column    a  b  c      column is the next one's ground.
    """

    def __init__(self, width: int, height: int, line: int) -> None:
        self.width, self.height, self.line = width, height, line
        self.size = width * height
        self.ground = union(self.cell(column, 0) for column in range(width))
        places = [(column, row) for column in range(width) for row in range(1, height + 1)]
        self.column_of = {self.cell(column, row): column for column, row in places}
        self.cells = union(self.column_of)
        # The cells of each column, then a column without any for whatever lies to the right.
        self.columns = [
            union(cell for cell, its in self.column_of.items() if its == column)
            for column in range(width + 1)
        ]
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

    def win_score(self, stones: int) -> int:
        """What the winner gets when the line is completed with this stone."""
        return (self.size + 2 - stones) // 2

    def picture(self, position: Position) -> str:
        rows = (" ".join(stack.ljust(self.height, ".")[row] for stack in position)
                for row in reversed(range(self.height)))  # fmt: skip
        return "\n".join(f"  {row}" for row in [*rows, " ".join(LETTERS[: self.width])])


def union(cells: Iterable[int]) -> int:
    whole = 0
    for cell in cells:
        whole |= cell
    return whole


def drop(position: Position, column: int) -> Position:
    """The position after a move of the side whose turn it is."""
    stone = "xo"[sum(map(len, position)) % 2]
    return (*position[:column], position[column] + stone, *position[column + 1 :])


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


# Reading


@contextmanager
def opened(path: str) -> Iterator[Any]:
    """The bytes of a file, decompressed if need be, by the first that can of three."""
    damaged = "the compressed data are damaged or cut short"
    with open(path, "rb", buffering=0) as raw:
        magic = raw.read(4)
        raw.seek(0)
        if magic != b"\x28\xb5\x2f\xfd":
            yield io.BufferedReader(raw)
            return
        try:
            from compression import zstd
        except ImportError:
            zstd = None
        try:
            import zstandard
        except ImportError:
            zstandard = None
        try:
            if zstd:
                yield zstd.open(raw)
            elif zstandard:
                unzipped = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
                yield io.BufferedReader(unzipped)
            elif shutil.which("zstd"):
                command = ["zstd", "-dcq"]
                with subprocess.Popen(command, stdin=raw, stdout=subprocess.PIPE) as process:
                    yield process.stdout
                if process.returncode:
                    raise Problem(MALFORMED, damaged)
            else:
                wanted = "the program zstd or the Python module zstandard"
                raise Problem(UNREADABLE, f"compressed, and nothing reads it: install {wanted}")
        except (EOFError, *(module.ZstdError for module in (zstd, zstandard) if module)):
            raise Problem(MALFORMED, damaged) from None


class Lines:
    """The lines of a file, counted."""

    def __init__(self, stream: Any) -> None:
        self.stream, self.number = stream, 0

    def next(self, wanted: str) -> str | None:
        """The next line, or none at the end."""
        self.number += 1
        line: bytes = self.stream.readline(LONGEST_LINE)
        if line and not line.endswith(b"\n"):
            long = len(line) == LONGEST_LINE
            found = "a line that never seems to end" if long else "a line cut short"
            raise self.error(wanted, found)
        return line[:-1].decode("ascii", "backslashreplace") if line else None

    def match(self, pattern: str, wanted: str) -> re.Match[str]:
        line = self.next(wanted)
        if line is None or not (found := re.fullmatch(pattern, line)):
            raise self.error(wanted, line)
        return found

    def error(self, wanted: str, found: str | None) -> Problem:
        found = "the end of the file" if found is None else repr(found[:60])
        return Problem(MALFORMED, f"line {self.number}: wanted {wanted}, found {found}")


def read(path: str) -> list[Strategy]:
    """All sections of a file."""
    with opened(path) as stream:
        lines = Lines(stream)
        sections = []
        while (line := lines.next(f"'{HEADER}'")) is not None or not sections:
            if line != HEADER:
                raise lines.error(f"'{HEADER}'", line)
            sections.append(read_section(lines))
        return sections


def read_section(lines: Lines) -> Strategy:
    size = lines.match(r"board ([1-9]\d?)x([1-9]\d?)", "a board such as 'board 7x6'")
    width, height = int(size[1]), int(size[2])
    if width * (height + 1) > 64 or width > len(LETTERS):
        raise lines.error("width * (height + 1) at most 64, width at most 26", size[0])
    line = lines.match(r"line ([1-9]\d?)", "the length of a line such as 'line 4'")[1]
    side = lines.match(r"side (first|second)", "'side first' or 'side second'")[1]
    score = lines.match(r"score (0|-?[1-9]\d?)", "a score such as 'score 1'")[1]
    moves = lines.match(r"moves ?([1-9a-z]*)", "moves such as 'moves 44', or 'moves'")[1]
    columns = [COLUMN_NAMES.index(name) for name in moves]
    board = Board(width, height, int(line))
    position: Position = ("",) * width
    for ply, column in enumerate(columns):
        if column >= width or len(position[column]) == height:
            raise lines.error(f"room in column {moves[ply]} for move {ply + 1}", moves)
        if column in board.winning_columns(position, ply % 2) or ply + 1 == board.size:
            raise lines.error(f"a game that is not over with move {ply + 1}", moves)
        position = drop(position, column)
    strategy = Strategy(board, SIDES.index(side), int(score), columns)
    wanted = "a number of positions such as 'positions 3'"
    count = int(lines.match(r"positions (0|[1-9]\d{0,17})", wanted)[1])
    for number in range(count):
        wanted = f"position {number + 1:,} of {count:,}"
        text = lines.match(r"[xo/]* .+", wanted)[0]
        stored = read_position(lines, board, strategy.holder, text)
        if number and strategy.positions[-1].position >= stored.position:
            before = "/".join(strategy.positions[-1].position)
            raise lines.error(f"a position after {before} in order", "/".join(stored.position))
        if stored.position in strategy.index:
            twin = strategy.positions[strategy.index[stored.position][0]]
            raise lines.error(f"no mirror image of {twin}", "/".join(stored.position))
        # A position that is its own mirror image counts as not mirrored: the last entry stays.
        strategy.index[stored.position[::-1]] = number, True
        strategy.index[stored.position] = number, False
        strategy.positions.append(stored)
    return strategy


def read_position(lines: Lines, board: Board, holder: int, text: str) -> Stored:
    """A line such as `//x/ox/x// bd a1b b1a`: the stones, the exits, the answers."""
    stones, exits, *answers = text.split(" ")
    position = tuple(stones.split("/"))
    if len(position) != board.width or max(map(len, position)) > board.height:
        raise lines.error(f"{board.width} columns of at most {board.height} stones", stones)
    sides = board.stones(position)
    taken = sum(sides)
    if sides[0].bit_count() - sides[1].bit_count() != 1 - holder:
        raise lines.error("stones with which the opponent of the holder is to move", stones)
    if taken == board.cells or any(line & side == line for line in board.lines for side in sides):
        raise lines.error("a position in which the game is not over", stones)
    letters = LETTERS[: board.width]
    if exits != "-" and (not exits or exits != "".join(sorted({*exits} & {*letters}))):
        raise lines.error(f"exits in order from a to {letters[-1]}, or '-'", exits)
    leave = [letters.index(name) for name in exits.strip("-")]
    if any(len(position[column]) == board.height for column in leave):
        raise lines.error("exits in columns with room", exits)
    plan: dict[int, int] = {}
    for answer in answers:
        found = re.fullmatch(rf"([{letters}])([1-9]\d?)([{letters}])", answer)
        if not found or int(found[2]) > board.height:
            raise lines.error("an answer such as a1b, on the board", answer)
        cell = board.cell(letters.index(found[1]), int(found[2]))
        if cell & taken or cell <= max(plan, default=0) or found[1] == found[3]:
            raise lines.error(
                "answers in order, to empty cells, in another column than the cell's own", answer
            )
        plan[cell] = letters.index(found[3])
    return Stored(lines.number, position, leave, plan)


# Checking


def replay(board: Board, moves: list[int]) -> Position:
    position: Position = ("",) * board.width
    for column in moves:
        position = drop(position, column)
    return position


def refuted(strategy: Strategy, moves: list[int], what: str, plan: Stored | None) -> Problem:
    """What went wrong after these moves from the empty board."""
    game = "".join(COLUMN_NAMES[column] for column in moves) or "no move"
    picture = strategy.board.picture(replay(strategy.board, moves))
    origin = f"\nplan in force: {plan}" if plan else ""
    return Problem(WRONG, f"{strategy.claim()}: refuted by {game}\n{picture}\n{what}{origin}")


def check_end(strategy: Strategy, moves: list[int], plan: Stored | None) -> None:
    """Whether a game that is over with these moves keeps the claim."""
    board, winner = strategy.board, (len(moves) - 1) % 2
    full = moves[-1] not in board.winning_columns(replay(board, moves[:-1]), winner)
    score = 0 if full else board.win_score(len(moves))
    score = score if winner == strategy.holder else -score
    if score < strategy.score:
        end = "the board is full" if full else f"the {SIDES[winner]} player completes a line"
        wanted = f"at least {strategy.score} is claimed"
        what = f"{end}: {score} for the {SIDES[strategy.holder]} player, but {wanted}"
        raise refuted(strategy, moves, what, plan)


class Reached(NamedTuple):
    """A game to a stored position, or to the mirror image of one."""

    number: int
    mirrored: bool
    position: Position
    moves: list[int]


def walk(strategy: Strategy) -> dict[int, Reached]:
    """The stored positions that games reach through exits, each with a shortest such game."""
    board, holder = strategy.board, strategy.holder
    reached: dict[int, Reached] = {}
    queue: deque[Reached] = deque()
    seen: set[Position] = set()

    def enter(position: Position, moves: list[int]) -> bool:
        """Puts the position in force if it is stored. Both images count: rule 2 tells them apart."""
        if position in strategy.index and position not in seen:
            seen.add(position)
            queue.append(Reached(*strategy.index[position], position, moves))
            reached.setdefault(queue[-1].number, queue[-1])
        return position in strategy.index

    def reply(position: Position, moves: list[int], plan: Stored | None) -> None:
        # Rule 1: the holder completes a line if it can.
        if wins := board.winning_columns(position, holder):
            return check_end(strategy, [*moves, wins[0]], plan)
        # Rule 2: otherwise it makes the leftmost move to a stored position.
        for column in range(board.width):
            room = len(position[column]) < board.height
            if room and enter(drop(position, column), [*moves, column]):
                return None
        what = f"a move of the {SIDES[holder]} player must lead to a stored position"
        raise refuted(strategy, moves, what, plan)

    start = replay(board, strategy.moves)
    if len(strategy.moves) % 2 == holder:
        reply(start, strategy.moves, None)
    elif not enter(start, strategy.moves):
        what = "the start must be stored, for the opponent is to move"
        raise refuted(strategy, strategy.moves, what, None)
    while queue:
        number, mirrored, position, past = queue.popleft()
        plan = strategy.positions[number]
        losing = board.winning_columns(position, 1 - holder)
        for column in plan.exits:
            column = board.width - 1 - column if mirrored else column
            moves = [*past, column]
            if column in losing or len(moves) == board.size:
                check_end(strategy, moves, plan)
            else:
                reply(drop(position, column), moves, plan)
    return reached


class Played(NamedTuple):
    """A plan played to the end of all its games."""

    positions: int
    consulted: int
    # The columns of a game that breaks the claim, from the stored position on, if there is one.
    failure: list[int]


def play(board: Board, holder: int, score: int, own_first: bool, plan: Stored) -> Played:
    """Plays the plan of a stored position, its exits left out, against every line of the opponent.

    All the time goes here. A position tells the rest of the game, so each is visited once.
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

        The opponent is to move. `tops`: the first empty cell of each column, one above a full one.
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
    wanted = board.completing(theirs), board.completing(ours)
    stones = (theirs | ours).bit_count()
    exits = union(board.columns[column] for column in plan.exits)
    failure = visit(theirs, ours, theirs + ours + two_grounds, *wanted, stones, exits)
    failure = [board.column_of[cell & -cell] for cell in reversed(failure)]
    return Played(len(seen), consulted, failure)


def check(strategy: Strategy, jobs: int = 1, own_first: bool = True) -> tuple[str, list[str]]:
    """What is proved, and what is superfluous."""
    board, positions, begun = strategy.board, strategy.positions, time.monotonic()
    reached = walk(strategy)
    superfluous = [f"{it}: never reached" for n, it in enumerate(positions) if n not in reached]
    visited = plans = 0
    with multiprocessing.Pool(jobs) if jobs > 1 else nullcontext() as pool:
        each = pool.imap if pool else map
        player = partial(play, board, strategy.holder, strategy.score, own_first)
        results = each(player, [positions[number] for number in reached])
        for here, played in zip(reached.values(), results):
            plan = positions[here.number]
            if played.failure:
                tail = [board.width - 1 - c if here.mirrored else c for c in played.failure]
                check_end(strategy, here.moves + tail, plan)
                raise AssertionError(f"{plan}: {tail} should refute it")
            visited += played.positions
            plans += any(
                len(stack) < board.height and column not in plan.exits
                for column, stack in enumerate(plan.position)
            )
            for cell in plan.answers:
                if not played.consulted & cell:
                    column = board.column_of[cell]
                    row = (cell // board.cell(column, 0)).bit_length() - 1
                    superfluous.append(f"{plan}: answer to {LETTERS[column]}{row} never used")
    proved = (
        f"{strategy.claim()}: {len(positions):,} positions, {plans:,} plans, "
        f"{visited:,} positions within plans, {time.monotonic() - begun:.1f} s"
    )
    return proved, superfluous


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check Connect Four strategies by playing them.")
    parser.add_argument("file", help="strategies as text, or compressed with zstd")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--strict", action="store_true", help="refuse what is superfluous")
    parser.add_argument(
        "--full-column", choices=("own", "leftmost"), default="own", help="the holder's move when "
        "its answer's column is full: the stone's own column if it has room, or the leftmost at once"
    )
    options = parser.parse_args(words)
    try:
        for strategy in read(options.file):
            proved, superfluous = check(strategy, options.jobs, options.full_column == "own")
            found = f"{len(superfluous):,} superfluous, first {''.join(superfluous[:1])}"
            if superfluous and options.strict:
                raise Problem(WRONG, f"{strategy.claim()}: {found}")
            print(proved, flush=True)
            if superfluous:
                print(f"warning: {found}", file=sys.stderr)
    except Problem as problem:
        code, text = problem.args
        print(f"{options.file}: {text}", file=sys.stderr)
        return int(code)
    except OSError as error:
        print(f"{options.file}: {error.strerror}", file=sys.stderr)
        return UNREADABLE
    return 0


if __name__ == "__main__":
    sys.exit(main())
