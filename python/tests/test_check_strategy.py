"""The checker of strategies against a slow second judge, and against bad files."""

import contextlib
import functools
import importlib.util
import io
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest

SCRIPT = Path(__file__).parents[2] / "tools" / "check_strategy.py"
DATA = Path(__file__).parent / "data"
SMALL = ["5x5-first-draw", "5x5-second-draw", "5x6-first-draw", "5x6-second-draw"]
LETTERS = "abcdefgh"


def load() -> Any:
    spec = importlib.util.spec_from_file_location("check_strategy", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


checker = load()


def sample(name: str) -> str:
    return (DATA / f"{name}.strategy").read_text()


def run(path: Path, *options: str) -> tuple[int, str, str]:
    """Exit code, output and errors of the checker."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = checker.main([str(path), *options])
    return code, out.getvalue(), err.getvalue()


def check(tmp_path: Path, text: str, *options: str) -> tuple[int, str, str]:
    path = tmp_path / "a.strategy"
    path.write_bytes(text.encode())
    return run(path, *options)


# The second judge: a board is a list of columns, each a string of stones from the bottom up.


@functools.cache
def turned(row: str) -> str:
    """The mirror image of a stored row, whose answers are not in order then."""
    stones, exits, *answers = row.split(" ")
    columns = stones.split("/")
    image = str.maketrans(LETTERS[: len(columns)], LETTERS[: len(columns)][::-1])
    words = [word.translate(image) for word in (exits, *answers)]
    return " ".join(["/".join(columns[::-1]), *words])


@functools.cache
def fits(width: int, height: int, line: int, ours: str, row: str) -> bool:
    """The conditions that a stored position must meet by itself."""
    stones, exits, *answers = row.split(" ")
    columns = stones.split("/")
    room = [LETTERS[at] for at in range(width) if len(columns[at]) < height]
    lines = [
        all(
            0 <= at + i * a < width
            and 0 <= level + i * b
            and columns[at + i * a][level + i * b : level + i * b + 1] == columns[at][level]
            for i in range(line)
        )
        for at in range(width)
        for level in range(len(columns[at]))
        for a, b in ((1, 0), (0, 1), (1, 1), (1, -1))
    ]
    return (
        stones.count("x") - stones.count("o") == (ours == "x")
        and not any(lines)
        and all(len(stack) <= height for stack in columns)
        and room != []
        and all(name in room for name in exits.strip("-"))
        and all(int(it[1:-1]) > len(columns[LETTERS.index(it[0])]) for it in answers)
    )


class Judge:
    """True if one section is right, by its rules in their simplest form."""

    # Results of plans that were played before; nothing else depends on them.
    plans: ClassVar[dict[tuple[Any, ...], set[str] | None]] = {}

    def __init__(self, text: str) -> None:
        header, rows = text.splitlines()[:7], text.splitlines()[7:]
        value = [(*line.split(" "), "")[1] for line in header]
        self.width, self.height = map(int, value[1].split("x"))
        self.line, self.score, self.start = int(value[2]), int(value[4]), value[5]
        self.ours, self.theirs = "xo" if value[3] == "first" else "ox"
        self.rows = rows

    def play(self, columns: list[str], at: int, stone: str) -> list[str]:
        return [stack + stone * (at == column) for column, stack in enumerate(columns)]

    def room(self, columns: list[str]) -> list[int]:
        return [at for at in range(self.width) if len(columns[at]) < self.height]

    def wins(self, columns: list[str], at: int, stone: str) -> bool:
        """True if a stone played in a cell completes a line."""
        row = len(columns[at])
        for a, b in ((1, 0), (0, 1), (1, 1), (1, -1)):
            length = 1
            for right, up in ((a, b), (-a, -b)):
                column, level = at + right, row + up
                while 0 <= column < self.width and 0 <= level < len(columns[column]):
                    if columns[column][level] != stone:
                        break
                    length, column, level = length + 1, column + right, level + up
            if length >= self.line:
                return True
        return False

    def enough(self, columns: list[str], winner: str) -> bool:
        """True if the claim is kept when the next stone completes a line for the winner."""
        stones = sum(map(len, columns)) + 1
        score = (self.width * self.height + 2 - stones) // 2
        return (score if winner == self.ours else -score) >= self.score

    def plan(self, columns: list[str], exits: str, answers: list[str]) -> set[str] | None:
        """The cells whose answers were consulted, or nothing if the plan breaks the claim."""
        given = {answer[:-1]: LETTERS.index(answer[-1]) for answer in answers}
        used: set[str] = set()
        met: dict[tuple[str, ...], bool] = {}

        def holds(columns: list[str], leave: str) -> bool:
            if not leave and tuple(columns) in met:
                return met[tuple(columns)]
            result = all(kept(columns, at) for at in self.room(columns) if LETTERS[at] not in leave)
            if not leave:
                met[tuple(columns)] = result
            return result

        def kept(columns: list[str], at: int) -> bool:
            if self.wins(columns, at, self.theirs):
                return self.enough(columns, self.theirs)
            after = self.play(columns, at, self.theirs)
            room = self.room(after)
            if not room:
                return self.score <= 0
            if any(self.wins(after, column, self.ours) for column in room):
                return self.enough(after, self.ours)
            threats = [column for column in room if self.wins(after, column, self.theirs)]
            if threats:
                reply = threats[0]
            else:
                cell = LETTERS[at] + str(len(after[at]))
                used.add(cell)
                reply = given.get(cell, at)
                if reply not in room:
                    reply = at if at in room else room[0]
            after = self.play(after, reply, self.ours)
            return holds(after, "") if self.room(after) else self.score <= 0

        return used if holds(columns, exits.strip("-")) else None

    def is_kept(self, stones: str) -> bool:
        """True if the mirror image has no lesser stones of ours, or equal ones and then of theirs."""

        def numbers(columns: list[str]) -> list[str]:
            # From the cell that counts most: the top of the last column.
            cells = "".join(stack.ljust(self.height)[::-1] for stack in reversed(columns))
            return ["".join("01"[cell == of] for cell in cells) for of in (self.ours, self.theirs)]

        columns = stones.split("/")
        return numbers(columns) <= numbers(columns[::-1])

    def superfluous(self) -> int | None:
        """The positions never reached and the answers never used; nothing if the claim breaks."""
        rules = (self.width, self.height, self.line, self.ours)
        if not all(fits(*rules, row) for row in self.rows):
            return None
        stored = {row.split(" ")[0]: row for row in self.rows}
        images = {turned(row).split(" ")[0]: row for row in self.rows}
        twice = [key for key in images if key in stored and images[key] != stored[key]]
        if not all(map(self.is_kept, stored)):
            return None
        if twice or len(stored) != len(self.rows) or len(images) != len(self.rows):
            return None
        unused = {key: {answer[:-1] for answer in stored[key].split(" ")[2:]} for key in stored}
        missed, todo = set(stored), []
        columns = [""] * self.width
        for ply, name in enumerate(self.start):
            columns = self.play(columns, int(name) - 1, "xo"[ply % 2])

        def enter(columns: list[str]) -> bool:
            key = "/".join(columns)
            row = stored.get(key) or images.get(key)
            if row and row.split(" ")[0] in missed:
                missed.discard(row.split(" ")[0])
                todo.append(row)
            return row is not None

        def reply(columns: list[str]) -> bool:
            room = self.room(columns)
            if any(self.wins(columns, at, self.ours) for at in room):
                return self.enough(columns, self.ours)
            return any(enter(self.play(columns, at, self.ours)) for at in room)

        if not (reply if "xo"[len(self.start) % 2] == self.ours else enter)(columns):
            return None
        while todo:
            row = todo.pop(0)
            stones, exits, *answers = row.split(" ")
            columns = stones.split("/")
            for at in self.room(columns):
                if LETTERS[at] in exits:
                    if self.wins(columns, at, self.theirs):
                        if not self.enough(columns, self.theirs):
                            return None
                        continue
                    after = self.play(columns, at, self.theirs)
                    if not (reply(after) if self.room(after) else self.score <= 0):
                        return None
            ruled = (self.width, self.height, self.line, self.ours, self.score, row)
            if ruled not in self.plans:
                self.plans[ruled] = self.plan(columns, exits, answers)
            consulted = self.plans[ruled]
            if consulted is None:
                return None
            unused[stones] -= consulted
        return len(missed) + sum(len(unused[key]) for key in stored if key not in missed)


def corrupt(chance: random.Random, rows: list[str]) -> list[str]:
    """The rows with one fault in them, or the same if the fault that was drawn does not fit."""
    at = chance.randrange(len(rows))
    stones, exits, *answers = rows[at].split(" ")
    columns = stones.split("/")
    filled = [column for column, stack in enumerate(columns) if stack]
    some = chance.randrange(len(answers)) if answers else 0
    fault = chance.choice(["removed", "colour", "exit", "answer", "default", "moved"])
    if fault == "removed":
        return rows[:at] + rows[at + 1 :]
    if fault == "colour" and filled:
        place = chance.choice([place for place, stone in enumerate(stones) if stone != "/"])
        other = "xo"[stones[place] == "x"]
        stones = stones[:place] + other + stones[place + 1 :]
    elif fault == "exit" and exits != "-":
        exits = exits.replace(chance.choice(exits), "") or "-"
    elif fault == "answer" and answers:
        reply = chance.choice(LETTERS[: len(columns)])
        if reply != answers[some][0]:
            answers[some] = answers[some][:-1] + reply
    elif fault == "default" and answers:
        del answers[some]
    elif fault == "moved" and filled:
        origin, target = chance.choice(filled), chance.randrange(len(columns))
        stone = columns[origin][-1]
        columns[origin] = columns[origin][:-1]
        columns[target] += stone
        stones = "/".join(columns)
    return sorted([*rows[:at], " ".join([stones, exits, *answers]), *rows[at + 1 :]])


def verdict(tmp_path: Path, text: str) -> int | None:
    """The verdict of the judge, in the checker's words."""
    code, out, err = check(tmp_path, text)
    assert code in (0, 2, 3), err
    assert (code == 0) == bool(out)
    if code:
        return None
    found = re.match(r"warning: .*: ([\d,]+) superfluous", err)
    if found:
        assert check(tmp_path, text, "--strict")[0] == 3
    return int(found[1].replace(",", "")) if found else 0


@pytest.fixture
def plans_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker plays equal plans once, for speed: a corruption changes few of them."""
    played: dict[tuple[Any, ...], Any] = {}
    play = checker.play

    def once(strategy: Any, plan: Any) -> Any:
        board = strategy.board
        rules = (board.width, board.height, board.line, strategy.holder, strategy.score)
        key = (*rules, plan.position, *plan.exits, 0, *sorted(plan.answers.items()))
        if key not in played:
            played[key] = play(strategy, plan)
        return played[key]

    monkeypatch.setattr(checker, "play", once)


def test_a_thousand_corruptions_are_judged_alike(tmp_path: Path, plans_once: None) -> None:
    chance = random.Random(1)
    right = wrong = 0
    while right + wrong < 1000:
        text = sample(chance.choices(SMALL, [16, 6, 1, 1])[0])
        header, rows = text.splitlines()[:7], text.splitlines()[7:]
        changed = corrupt(chance, rows)
        if changed == rows:
            continue
        header[6] = f"positions {len(changed)}"
        text = "\n".join([*header, *changed, ""])
        expected = Judge(text).superfluous()
        assert verdict(tmp_path, text) == expected, text
        right, wrong = right + (expected is not None), wrong + (expected is None)
    # Many answers matter in rare games only, or the default would do as well.
    assert wrong > 500 and right > 20


@pytest.mark.parametrize("name", SMALL[:2] + SMALL[3:])
@pytest.mark.parametrize("score", [-3, 0, 1])
def test_whole_samples_are_judged_alike(
    tmp_path: Path, plans_once: None, name: str, score: int
) -> None:
    text = sample(name).replace("score 0", f"score {score}")
    expected = Judge(text).superfluous()
    assert verdict(tmp_path, text) == expected
    assert (expected is None) == (score > 0)


# The counts of `analyze strategy`: positions, plans without exits, positions played through.
COUNTS = {
    "5x5-first-draw": (24, 15, 10_301),
    "5x5-second-draw": (70, 46, 19_716),
    "5x6-first-draw": (130, 78, 34_239),
    "5x6-second-draw": (1, 1, 3_465),
    "6x5-second-draw": (557, 365, 212_647),
}


@pytest.mark.parametrize("name", COUNTS)
def test_samples_are_proved(name: str) -> None:
    code, out, err = run(DATA / f"{name}.strategy", "--strict")
    size, side, _ = name.split("-")
    assert (code, err) == (0, "")
    assert out.startswith(f"{size}: the {side} player gets at least a draw from the empty board: ")
    positions, *others = COUNTS[name]
    counts = f"{positions:,} position{'s' * (positions > 1)}"
    assert f": {counts}, of which a plan settles {{:,}}; {{:,}} played".format(*others) in out


def test_a_proof_has_two_sections() -> None:
    code, out, err = run(DATA / "7x6-44455554221.strategy", "--strict")
    assert (code, err) == (0, "")
    second, first = out.splitlines()
    assert second.startswith("7x6: the second player gets a score of at least -15 after 444555")
    assert first.startswith("7x6: the first player gets a score of at least 15 after 44455554221: ")


TINY = "everyply strategy 1\nboard 2x2\nline 2\nside first\nscore 1\nmoves\npositions 1\nx/ -\n"


def test_a_win_may_not_come_too_late(tmp_path: Path) -> None:
    code, out, _ = check(tmp_path, TINY, "--strict")
    assert code == 0 and "2x2, lines of 2: the first player wins from the empty board" in out
    code, _, err = check(tmp_path, TINY.replace("score 1", "score 2"))
    assert code == 3
    assert "refuted by 112\n" in err and "the win comes too late" in err
    at_once = TINY.replace("line 2", "line 1").replace("score 1", "score 2")
    at_once = at_once.replace("positions 1\nx/ -\n", "positions 0\n")
    assert check(tmp_path, at_once)[0] == 0
    assert check(tmp_path, at_once.replace("score 2", "score 3"))[0] == 3


WIDE = """everyply strategy 1
board 12x1
line 4
side first
score 0
moves 10,
positions 1
//x///////// - a1g b1g d1e e1b f1g g1f h1f i1j j1i k1b l1a
"""


def test_wide_boards_divide_moves_by_commas(tmp_path: Path) -> None:
    code, out, err = check(tmp_path, WIDE, "--strict")
    assert (code, err) == (0, "")
    assert out.startswith("12x1: the first player gets at least a draw after 10,: 1 position, of")
    code, _, err = check(tmp_path, WIDE.replace("10,", "10,1,12"))
    assert code == 3 and "refuted by 10,1,12\n" in err and "wanted: a stored position" in err
    for bad in ("10", "1,,2", "13,", "0,1", "01,2", "1,2,", ",", "1,1", "a"):
        code, _, err = check(tmp_path, WIDE.replace("moves 10,", f"moves {bad}"))
        assert code == 2 and ": line 6: wanted " in err, bad


def test_a_wrong_strategy_is_refuted_with_a_game(tmp_path: Path) -> None:
    text = sample("5x6-second-draw").replace(" c1b", "")
    code, out, err = check(tmp_path, text)
    assert (code, out) == (3, "")
    assert "the second player gets at least a draw from the empty board: refuted by " in err
    assert "plan in force: line 8, ////" in err and "  a b c d e\n" in err
    missing = re.sub(r"positions 1\n.*\n", "positions 0\n", text)
    assert "wanted: a stored position" in check(tmp_path, missing)[2]


SECTION = sample("5x6-second-draw")
ROW = SECTION.splitlines()[7]
BAD = [
    ("", "", 1),
    (SECTION, "\n", 1),
    ("everyply strategy 1", "everyply strategy 2", 1),
    ("board 5x6", "board 5x", 2),
    ("board 5x6", "board 9x9", 2),
    ("board 5x6", "board 32x1", 2),
    ("line 4", "line 0", 3),
    ("line 4", "line 100", 3),
    ("score 0", "score 65", 5),
    ("score 0", "score -65", 5),
    ("positions 1", "positions 16777217", 7),
    ("line 4", "line four", 3),
    ("line 4\n", "", 3),
    ("side second", "side o", 4),
    ("score 0", "score 00", 5),
    ("score 0", "score -0", 5),
    ("moves ", "moves 6", 6),
    ("moves ", "moves 1111111", 6),
    ("moves ", "moves 1212121", 6),
    ("moves ", "moves é", 6),
    ("moves ", "moves a", 6),
    ("moves ", "moves4", 6),
    ("moves ", "moves 0", 6),
    ("moves ", "moves 4,4", 6),
    ("moves ", "moves 4,", 6),
    ("positions 1", "positions one", 7),
    ("positions 1", "positions " + "9" * 900, 7),
    ("positions 1", "positions 10000000", 9),
    ("positions 1", "positions 0", 8),
    (ROW, "x" * 5_000_000, 8),
    (ROW, "////", 8),
    (ROW, "/// -", 8),
    (ROW, "xoxoxox//// -", 8),
    (ROW, "///z/ -", 8),
    (ROW, "x//// -", 8),
    (ROW, "xo/xo/xo/x/o -", 8),
    (ROW, "//// ba", 8),
    (ROW, "//// aa", 8),
    (ROW, "//// f", 8),
    (ROW, "////  ", 8),
    (ROW, "//// - ", 8),
    (ROW, "//// - a1", 8),
    (ROW, "//// - a7b", 8),
    (ROW, "//// - a0b", 8),
    (ROW, "//// - f1a", 8),
    (ROW, "//// - a1a", 8),
    (ROW, "//// - a1b a1c", 8),
    (ROW, "//// - b1a a1b", 8),
    (ROW, "x/o/// - a1b", 8),
    (ROW, "xoxoxo//// a", 8),
    (ROW, ROW + "\r", 8),
    (ROW + "\n", ROW, 8),
    (ROW + "\n", ROW + "\nmore\n", 9),
    ("positions 1\n", f"positions 2\n{ROW}\n", 9),
    (f"positions 1\n{ROW}", "positions 2\n///o/x -\nx/o/// -", 8),
    (f"positions 1\n{ROW}", "positions 1\n///x/o -", 8),
]


@pytest.mark.parametrize(("old", "new", "line"), BAD)
def test_a_malformed_file_is_refused(tmp_path: Path, old: str, new: str, line: int) -> None:
    text = SECTION.replace(old, new, 1) if old else new
    code, out, err = check(tmp_path, text)
    assert (code, out) == (2, "")
    assert f": line {line}: wanted " in err and len(err) < 400


def test_a_later_section_is_read_before_any_is_checked(tmp_path: Path) -> None:
    code, out, _ = check(tmp_path, TINY + TINY)
    assert code == 0 and len(out.splitlines()) == 2
    code, out, err = check(tmp_path, TINY + TINY.replace("line 2", "line"))
    assert (code, out) == (2, "") and ": line 11: wanted " in err


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert run(tmp_path)[0] == 1
    assert "No such file" in run(tmp_path / "nothing")[2]
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, check=False)
    assert done.returncode == 2


@pytest.mark.skipif(shutil.which("zstd") is None, reason="needs the program zstd to compress")
def test_compressed_files_are_read(tmp_path: Path) -> None:
    packed = subprocess.run(["zstd", "-c"], input=TINY.encode(), capture_output=True, check=True)
    path = tmp_path / "a.strategy"
    path.write_bytes(packed.stdout)
    assert run(path)[0] == 0
    for damaged in (packed.stdout[:-5], packed.stdout[:-1] + b"?", packed.stdout[:4]):
        path.write_bytes(damaged)
        assert run(path)[0] == 2
