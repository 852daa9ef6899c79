#!/usr/bin/env python3
"""Checks Connect Four strategies by playing them against every line of the opponent.

A strategy claims that one side, the holder, gets at least a certain score without search. Nothing
in its file is trusted: each plan is played to the end of all its games. No code or table is shared
with everyply, so that errors of the two are independent. `Strategy` describes the play of the holder.

Exit codes: 0 proved, 1 the file cannot be read, 2 usage or malformed file, 3 wrong strategy.
A compressed file needs the program zstd.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SIDES = ("first", "second")
UNREADABLE, MALFORMED, WRONG = 1, 2, 3
# The most positions of a section; the positions and sections that any file may hold, and further ones
# for each of its bytes: a small compressed file of many equal lines would fill the memory.
MOST_POSITIONS, FREE_POSITIONS, POSITIONS_PER_BYTE = 1 << 24, 1 << 16, 4

# The columns from the left, each with its stones x and o from the bottom up.
Position = tuple[str, ...]


class Problem(Exception):
    """An exit code and a message for the user."""


class Board:
    """A board as bits: each column has a bit of ground, then its cells from the bottom up.

    row 2     2  5  8      The cell above is one bit higher, and the lowest bit of a set of
    row 1     1  4  7      playable cells is the leftmost. Adding one to the ground of a column
    ground    0  3  6      carries through its stones to its first empty cell, which in a full
    column    a  b  c      column is the next one's ground.
    """

    def __init__(self, width: int, height: int, line: int) -> None:
        self.width, self.height, self.line, self.size = width, height, line, width * height
        self.ground = sum(self.cell(column, 0) for column in range(width))
        self.columns = [((2 << height) - 2) << column * (height + 1) for column in range(width)]
        places = [(column, row) for column in range(width) for row in range(1, height + 1)]
        self.place_of = {self.cell(column, row): (column, row) for column, row in places}
        self.cells = sum(self.place_of)
        # A line: as many cells as it has, in a row, a column or a diagonal.
        self.lines = {
            sum(self.cell(column + right * step, row + up * step) for step in range(line))
            for column, row in places
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
            if column + right * (line - 1) < width and 1 <= row + up * (line - 1) <= height
        }
        # What the winner gets, by the number of stones when the line is complete.
        self.win_score = [(self.size + 2 - stones) // 2 for stones in range(self.size + 1)]
        self.through = {cell: [it for it in self.lines if it & cell] for cell in self.place_of}

    def cell(self, column: int, row: int) -> int:
        return 1 << column * (self.height + 1) + row

    def after(self, moves: list[int]) -> Position:
        """The position after these moves from the empty board."""
        columns = [""] * self.width
        for ply, column in enumerate(moves):
            columns[column] += "xo"[ply % 2]
        return tuple(columns)

    def stones(self, position: Position) -> list[int]:
        """The stones of the first player and of the second."""
        sides = [0, 0]
        for column, stack in enumerate(position):
            for row, stone in enumerate(stack, 1):
                sides["xo".index(stone)] |= self.cell(column, row)
        return sides

    def completing(self, stones: int, last: int = 0) -> int:
        """The cells, free or not, where one more stone makes a line with these (with the last of them)."""
        result = 0
        for line in self.through[last] if last else self.lines:
            missing = line & ~stones
            if not missing & (missing - 1):
                result |= missing
        return result

    def winning_columns(self, position: Position, side: int) -> list[int]:
        """The columns where this side completes a line with its next stone."""
        stones = self.stones(position)
        cells = self.completing(stones[side]) & (sum(stones) + 2 * self.ground)
        return [column for column in range(self.width) if cells & self.columns[column]]

    def picture(self, position: Position) -> str:
        rows = zip(*(stack.ljust(self.height, ".") for stack in position))
        return "\n".join("  " + " ".join(row) for row in [*list(rows)[::-1], LETTERS[: self.width]])

    def written(self, moves: list[int]) -> str:
        """Moves as digits; with more than nine columns as numbers: `4,10`, or one alone `10,`."""
        text = ("," if self.width > 9 else "").join(str(column + 1) for column in moves)
        return text + "," * (len(moves) == 1 and len(text) > 1)


class Stored(NamedTuple):
    """A stored position with the opponent to move, and the holder's plan for it."""

    line: int
    position: Position
    exits: list[int]
    # For a stone of the opponent in this cell the column of the reply, if not the cell's own.
    answers: dict[int, int]

    def __str__(self) -> str:
        return f"line {self.line}, {'/'.join(self.position)}"


@dataclass
class Strategy:
    """One section of a file: a claim, and the stored positions that are to prove it.

    The stored position entered last is in force. When the opponent has put a stone in a cell, the
    holder moves by the first of these rules that applies:

    1. If it can complete a line, it does.
    2. If that stone was the first since the position in force was entered, and its column is one of
       the exits, it makes a move that leads to a stored position, which is then in force. It also
       does so at the start if it moves first.
    3. If the opponent could complete a line with its next stone, it blocks.
    4. It answers in the column that the plan gives for the cell, or in the cell's own column if the
       plan gives none. If that column is full: in the cell's own, and if that is full too, in the
       leftmost with room.

    If rules 2 and 3 leave a choice, the leftmost move is made. A stored position stands for its
    mirror image too: left and right are those of the stored image.
    """

    board: Board
    holder: int
    score: int
    moves: list[int]
    positions: list[Stored] = field(default_factory=list)
    # The number of the stored position that stands for a position, and whether it is mirrored.
    index: dict[Position, tuple[int, bool]] = field(default_factory=dict)

    def claim(self) -> str:
        board = self.board
        rules = f"{board.width}x{board.height}" + f", lines of {board.line}" * (board.line != 4)
        results = {1: "wins", 0: "gets at least a draw"}
        result = results.get(self.score, f"gets a score of at least {self.score}")
        start = f"after {board.written(self.moves)}" if self.moves else "from the empty board"
        return f"{rules}: the {SIDES[self.holder]} player {result} {start}"

    def refuted(self, moves: list[int], what: str, plan: Stored | None) -> Problem:
        """The error of a strategy that fails after these moves from the empty board."""
        board, origin = self.board, f"\nplan in force: {plan}" if plan else ""
        game, picture = board.written(moves) or "no move", board.picture(board.after(moves))
        return Problem(WRONG, f"{self.claim()}: refuted by {game}\n{picture}\n{what}{origin}")


def play(strategy: Strategy, plan: Stored) -> tuple[str, list[int], list[int], int, int]:
    """Plays a plan against every line of the opponent, each position once.

    Returns the fault and the columns of a game that breaks the claim, if there is one; the exits
    after which the holder needs a stored position; the cells whose answers were consulted; and the
    number of positions with the opponent to move after the holder's replies.
    """
    board, score, win_score = strategy.board, strategy.score, strategy.board.win_score
    cells, two_grounds, completing = board.cells, 2 * board.ground, board.completing
    own = {cell: board.columns[column] for cell, (column, _) in board.place_of.items()}
    answer = own | {cell: board.columns[column] for cell, column in plan.answers.items()}
    ours, theirs = board.stones(plan.position)[:: -1 if strategy.holder else 1]
    begun = sum(map(len, plan.position))
    seen: set[int] = set()
    left: list[int] = []
    consulted = 0

    def result(fault: str = "", *game: int) -> tuple[str, list[int], list[int], int, int]:
        columns = [board.place_of[cell & -cell][0] for cell in game]
        return fault, columns, left, consulted, len(seen)

    # Positions with the opponent to move: its stones and the holder's, the first empty cell of each
    # column, the cells where a stone of either side completes a line, and the moves so far.
    tops = theirs + ours + two_grounds
    todo: list[Any] = [(theirs, ours, tops, completing(theirs), completing(ours), ())]
    while todo:
        theirs, ours, tops, they_want, we_want, game = todo.pop()
        stones, playable = begun + len(game), tops & cells
        if they_want & playable and -win_score[stones + 1] < score:
            return result("the opponent completes a line", *game, they_want & playable)
        moves = playable & ~they_want
        while moves:
            move = moves & -moves
            moves ^= move
            now = (tops + move) & cells
            if not now:
                if score > 0:
                    return result("a draw", *game, move)
                continue
            # Rule 1: the holder completes a line.
            if we_want & now:
                if win_score[stones + 2] < score:
                    return result("the win comes too late", *game, move, we_want & now)
                continue
            # Rule 2: it leaves the plan.
            if not game and board.place_of[move][0] in plan.exits:
                left.append(board.place_of[move][0])
                continue
            # Rule 3: it blocks.
            theirs_now = theirs | move
            they_want_now = they_want | completing(theirs_now, move)
            reply = they_want_now & now
            # Rule 4: it answers.
            if not reply:
                consulted |= move
                reply = now & answer[move] or now & own[move] or now
            reply &= -reply
            ours_now = ours | reply
            tops_now = theirs_now + ours_now + two_grounds
            if not tops_now & cells:
                if score > 0:
                    return result("a draw", *game, move, reply)
            # The opponent's stones and the tops of the columns determine a position.
            elif (theirs_now | tops_now) not in seen:
                seen.add(theirs_now | tops_now)
                we_want_now = we_want | completing(ours_now, reply)
                after = *game, move, reply
                todo.append((theirs_now, ours_now, tops_now, they_want_now, we_want_now, after))
    return result()


def check(strategy: Strategy, strict: bool) -> str:
    """Returns a text of what is proved; superfluous parts are an error, or else a warning."""
    board, positions, begun = strategy.board, strategy.positions, time.monotonic()
    # The stored positions that games reach; and each with its orientation and such a game.
    reached: set[int] = set()
    queue: list[tuple[int, bool, list[int]]] = []

    def enter(moves: list[int], replies: Iterable[list[int]], plan: Stored | None) -> None:
        """Puts in force the stored position that the first possible reply leads to."""
        for game in ([*moves, *reply] for reply in replies):
            number, mirrored = strategy.index.get(board.after(game), (-1, False))
            if number >= 0:
                if number not in reached:
                    queue.append((number, mirrored, game))
                return reached.add(number)
        raise strategy.refuted(moves, "wanted: a stored position", plan)

    start, columns = strategy.moves, range(board.width)
    if len(start) % 2 != strategy.holder:
        enter(start, [[]], None)
    elif not (wins := board.winning_columns(board.after(start), strategy.holder)):
        enter(start, ([column] for column in columns), None)
    elif board.win_score[len(start) + 1] < strategy.score:
        raise strategy.refuted([*start, wins[0]], "the win comes too late", None)
    superfluous, visited = [], 0
    for number, mirrored, moves in queue:  # It grows meanwhile.
        plan = positions[number]
        # From the left as the position is stored.
        columns = range(board.width)[:: -1 if mirrored else 1]
        fault, game, left, consulted, count = play(strategy, plan)
        visited += count
        if fault:
            raise strategy.refuted(moves + [columns[column] for column in game], fault, plan)
        for column in left:
            enter([*moves, columns[column]], ([reply] for reply in columns), plan)
        for column, row in (board.place_of[cell] for cell in plan.answers if not cell & consulted):
            superfluous.append(f"{plan}: answer to {LETTERS[column]}{row} never used")
    superfluous += [f"{it}: never reached" for n, it in enumerate(positions) if n not in reached]
    if superfluous:
        found = f"{strategy.claim()}: {len(superfluous):,} superfluous, first {superfluous[0]}"
        if strict:
            raise Problem(WRONG, found)
        print(f"warning: {found}", file=sys.stderr)
    settled, seconds = sum(not it.exits for it in positions), time.monotonic() - begun
    noun = "position" if len(positions) == 1 else "positions"
    counts = f"{len(positions):,} {noun}, of which a plan settles {settled:,}"
    return f"{strategy.claim()}: {counts}; {visited:,} played through in {seconds:.1f} s"


@contextmanager
def opened(path: str) -> Iterator[tuple[io.BufferedReader, int]]:
    """The bytes of a file, decompressed if need be, and their number before that."""
    with open(path, "rb", buffering=0) as raw:
        size = os.fstat(raw.fileno()).st_size
        compressed = raw.read(4) == b"\x28\xb5\x2f\xfd"
        raw.seek(0)
        if not compressed:
            yield io.BufferedReader(raw), size
        elif shutil.which("zstd"):
            with subprocess.Popen(["zstd", "-dcq"], stdin=raw, stdout=subprocess.PIPE) as process:
                yield process.stdout, size  # type: ignore[misc]
            if process.returncode:
                raise Problem(MALFORMED, "the compressed data are damaged or cut short")
        else:
            raise Problem(UNREADABLE, "compressed, and the program zstd is not installed")


class Lines:
    """The lines of a file, counted."""

    def __init__(self, stream: io.BufferedReader, size: int) -> None:
        self.stream, self.number = stream, 0
        self.room = FREE_POSITIONS + POSITIONS_PER_BYTE * size

    def take_room(self) -> None:
        """Counts a position or a section."""
        self.room -= 1
        if self.room < 0:
            raise self.error("fewer positions in a file of this size", "one more")

    def match(self, pattern: str, wanted: str) -> re.Match[str]:
        """The next line, which has to match a pattern."""
        self.number += 1
        # A valid line is shorter: a board has at most 64 bits. The rest of a longer one is not
        # read.
        line = self.stream.readline(1000).decode("latin-1")
        if not (match := re.fullmatch(pattern + "\n", line)):
            raise self.error(wanted, line)
        return match

    def error(self, wanted: str, found: str) -> Problem:
        return Problem(MALFORMED, f"line {self.number}: wanted {wanted}, found {found[:60]!a}")


def read_section(lines: Lines) -> Strategy:
    lines.match("everyply strategy 1", "'everyply strategy 1'")
    lines.take_room()
    size = lines.match(r"board ([1-9]\d?)x([1-9]\d?)", "a board such as 'board 7x6'")
    width, height = int(size[1]), int(size[2])
    if width * (height + 1) > 64 or width > len(LETTERS):
        raise lines.error("width * (height + 1) at most 64, width at most 26", size[0])
    line = lines.match(r"line ([1-9]\d?)", "the length of a line such as 'line 4'")[1]
    side = lines.match(r"side (first|second)", "'side first' or 'side second'")[1]
    score = lines.match(r"score (0|-?[1-9]\d?)", "a score such as 'score 1'")[1]
    if abs(int(score)) > 64:
        raise lines.error("a score of the board", score)
    board = Board(width, height, int(line))
    wanted = "moves such as 'moves 44'" if width <= 9 else "moves such as 'moves 4,10'"
    moves = lines.match(r"moves(?: ([\d,]*))?", wanted)[1] or ""
    columns = [int(word) - 1 for word in re.findall(r"\d+" if width > 9 else r"\d", moves)]
    if board.written(columns) != moves:
        raise lines.error(wanted, moves)
    for ply, column in enumerate(columns):
        position = board.after(columns[:ply])
        if not 0 <= column < width or len(position[column]) == height:
            raise lines.error(f"room for move {ply + 1}", moves)
        if column in board.winning_columns(position, ply % 2) or ply + 1 == board.size:
            raise lines.error(f"a game that goes on after move {ply + 1}", moves)
    strategy = Strategy(board, SIDES.index(side), int(score), columns)
    count = int(lines.match(r"positions (0|[1-9]\d{0,17})", "a number, as 'positions 3'")[1])
    if count > MOST_POSITIONS:
        raise lines.error(f"at most {MOST_POSITIONS:,} positions", str(count))
    letters = f"[{LETTERS[:width]}]"
    pattern = rf"([xo/]+) (-|{letters}+)((?: {letters}[1-9]\d?{letters})*)"
    before: Position = ()
    for number in range(count):
        found = lines.match(pattern, f"position {number + 1:,} of {count:,}, as 'x//ox bc a2b'")
        lines.take_room()
        stored = read_position(lines, strategy, *found.groups())
        if stored.position <= before or stored.position in strategy.index:
            raise lines.error("positions in order, none with its mirror image", found[1])
        before = stored.position
        # A position that is its own mirror image counts as not mirrored: the last entry stays.
        strategy.index[before[::-1]] = number, True
        strategy.index[before] = number, False
        strategy.positions.append(stored)
    return strategy


def read_position(lines: Lines, strategy: Strategy, stones: str, exits: str, plan: str) -> Stored:
    board, position = strategy.board, tuple(stones.split("/"))
    if len(position) != board.width or max(map(len, position)) > board.height:
        raise lines.error(f"{board.width} columns of at most {board.height} stones", stones)
    sides, full = board.stones(position), sum(map(len, position)) == board.size
    if full or any(line & side == line for line in board.lines for side in sides):
        raise lines.error("a position in which the game is not over", stones)
    if stones.count("x") - stones.count("o") != 1 - strategy.holder:
        raise lines.error("a position in which the opponent is to move", stones)
    # The stones of a side as a number: a higher column, and in it a higher row, counts for more.
    image = board.stones(position[::-1])
    if (image[strategy.holder], image) < (sides[strategy.holder], sides):
        raise lines.error("of a position and its mirror image that with the lesser stones", stones)
    leave = [LETTERS.index(name) for name in exits.strip("-")]
    if leave != sorted({*leave}) or any(len(position[it]) == board.height for it in leave):
        raise lines.error("exits in order, in columns with room", exits)
    answers: dict[int, int] = {}
    for answer in plan.split():
        column, row, reply = LETTERS.index(answer[0]), int(answer[1:-1]), LETTERS.index(answer[-1])
        cell = board.cell(column, row)
        is_empty = len(position[column]) < row <= board.height
        if not is_empty or column == reply or cell <= max(answers, default=0):
            raise lines.error("answers to empty cells, in order, in other columns", answer)
        answers[cell] = reply
    return Stored(lines.number, position, leave, answers)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check Connect Four strategies by playing them.")
    parser.add_argument("file", help="strategies as text, or compressed with zstd")
    parser.add_argument("--strict", action="store_true", help="refuse what is superfluous")
    options = parser.parse_args(words)
    try:
        with opened(options.file) as (stream, size):
            lines = Lines(stream, size)
            sections = [read_section(lines)]
            while stream.peek(1):
                sections.append(read_section(lines))
        for strategy in sections:
            print(check(strategy, options.strict), flush=True)
    except (Problem, OSError) as problem:
        print(f"{options.file}: {problem.args[-1]}", file=sys.stderr)
        return int(problem.args[0]) if isinstance(problem, Problem) else UNREADABLE
    return 0


if __name__ == "__main__":
    sys.exit(main())
