"""The checker of strategies in tools/, on right, wrong and malformed files."""

import contextlib
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import checkout, tool

SCRIPT = checkout("tools/check_strategy.py")
DATA = Path(__file__).parent / "data"


checker = tool("check_strategy")


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


def test_what_is_superfluous_is_a_warning_or_an_error(tmp_path: Path) -> None:
    text = TINY.replace("x/ -", "x/ - b1a")
    code, _, err = check(tmp_path, text)
    assert code == 0 and "answer to b1 never used" in err
    assert check(tmp_path, text, "--strict")[0] == 3


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
