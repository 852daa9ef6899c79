"""The positions for all solvers: random games, Pons' sets, the empty board."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from running import Unusable

WIDTH, HEIGHT = 7, 6
# The side to move wins at once, with score 18: a test whether a program answers.
TRIVIAL = "121212"
# Solved before every set and not counted. Some solvers bring their table into memory when they
# start and others as they search, which takes longer than a thousand easy positions.
FIRST = "664351572635"

# Name, fewest and most stones, number. Late positions are solved sooner, so that more of them
# are needed for a time that the coarsest clock can measure.
RANDOM = [
    ("28 to 34 stones", 28, 34, 10_000),
    ("18 to 22 stones", 18, 22, 1_000),
    ("12 to 14 stones", 12, 14, 200),
    ("8 to 10 stones", 8, 10, 50),
]

# Each under a descriptive name, and under its published name
# (blog.gamesolver.org, "Solving Connect Four", part 2).
SETS = {
    "end-easy": "Test_L3_R1",
    "middle-easy": "Test_L2_R1",
    "middle-medium": "Test_L2_R2",
    "begin-easy": "Test_L1_R1",
    "begin-medium": "Test_L1_R2",
    "begin-hard": "Test_L1_R3",
}

EMPTY = "empty board"
NAMES = [*(name for name, *_ in RANDOM), *SETS, EMPTY]


@dataclass(frozen=True)
class PositionSet:
    """Positions as moves, columns from 1, with the scores a file gives them."""

    name: str
    moves: list[str]
    scores: Optional[list[int]] = None


def wins(columns: list[list[int]], column: int) -> bool:
    """Whether the stone on top of a column is part of four in a row."""
    row, colour = len(columns[column]) - 1, columns[column][-1]

    def at(c: int, r: int) -> bool:
        return 0 <= c < WIDTH and 0 <= r < len(columns[c]) and columns[c][r] == colour

    for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
        run = 1
        for sign in (1, -1):
            i = 1
            while at(column + sign * i * dc, row + sign * i * dr):
                run, i = run + 1, i + 1
        if run >= 4:
            return True
    return False


def random_game(rng: random.Random, stones: int) -> str:
    """The moves of a random game of this many stones without a winner."""
    while True:
        columns: list[list[int]] = [[] for _ in range(WIDTH)]
        moves = ""
        while len(moves) < stones:
            column = rng.choice([c for c in range(WIDTH) if len(columns[c]) < HEIGHT])
            columns[column].append(len(moves) % 2)
            moves += str(column + 1)
            if wins(columns, column):
                break
        else:
            return moves


def random_sets(seed: int, most: dict[str, int]) -> list[PositionSet]:
    """Every set has numbers of its own, so that a shorter one is the beginning of a longer one."""
    sets = []
    for name, low, high, count in RANDOM:
        rng = random.Random(f"{seed}: {name}")
        number = min(count, most[name])
        sets.append(PositionSet(name, [random_game(rng, rng.randint(low, high)) for _ in range(number)]))
    return sets


def fault(moves: str) -> Optional[str]:
    """The reason why moves are not a non-terminal position, or None.

    >>> fault("4453"), fault("1111111"), fault("48"), fault("1212121")
    (None, 'column 1 is full at move 7', "'8' is no column", 'the game is over')
    """
    columns: list[list[int]] = [[] for _ in range(WIDTH)]
    over = False
    for ply, move in enumerate(moves):
        if move not in "1234567":
            return f"{move!r} is no column"
        column = int(move) - 1
        if len(columns[column]) == HEIGHT:
            return f"column {move} is full at move {ply + 1}"
        columns[column].append(ply % 2)
        over = over or wins(columns, column)
    return "the game is over" if over or len(moves) == WIDTH * HEIGHT else None


def read_set(name: str, path: Path, most: int) -> PositionSet:
    """A file whose lines are moves, a space and a score."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()[:most]
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"{path}: {error}") from error
    moves, scores = [], []
    for number, line in enumerate(lines, 1):
        try:
            text, score = line.split()
            scores.append(int(score))
        except ValueError:
            raise Unusable(f"{path}, line {number}: {line!r} is not moves, a space and a score") from None
        wrong = fault(text)
        if wrong:
            raise Unusable(f"{path}, line {number}: {wrong} in {text}")
        moves.append(text)
    if not moves:
        raise Unusable(f"{path} has no lines")
    return PositionSet(name, moves, scores)


def pons_sets(folder: Path, most: dict[str, int]) -> list[PositionSet]:
    """Pons' six sets, from a folder with their files."""
    if not folder.is_dir():
        raise Unusable(f"--sets {folder} is not a folder; it takes one with Pons' six files")
    found, missing = [], []
    for name, published in SETS.items():
        names = [f"{name}.txt", name, published, f"{published}.txt"]
        path = next((folder / n for n in names if (folder / n).is_file()), None)
        if path is None:
            missing.append(f"{name}.txt (published as {published})")
        else:
            found.append(read_set(name, path, most[name]))
    if missing:
        raise Unusable(f"--sets {folder} lacks {', '.join(missing)}")
    return found


def empty_board() -> PositionSet:
    """The empty board, which the first player wins with move 41."""
    return PositionSet(EMPTY, [""], [1])
