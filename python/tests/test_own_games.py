"""Games written in Python: against the library's own, brute force, and wrong rules."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from own_games import Boxes, Circle, Heaps, NoughtsAndCrosses, Symmetric, all_positions

import everyply as ep


def test_tic_tac_toe_is_that_of_the_library() -> None:
    game = NoughtsAndCrosses()
    solution = ep.solve(game)
    library = ep.Solver(ep.TicTacToe())
    positions = all_positions(game)
    assert len(solution) == len(positions) == 5478
    boards = ["/".join(p[row : row + 3] for row in (0, 3, 6)) for p in positions]
    theirs = [ep.TicTacToe().from_board(board) for board in boards]
    for position, other in zip(positions, theirs, strict=True):
        assert solution[position] == library.value(other)
        moves = {move + 1: value for move, value in solution.moves(position).items()}
        assert moves == library.moves(other)
        assert [m + 1 for m in solution.best_moves(position)] == library.best_moves(other)
    assert solution.value == ep.Value("draw", 9)
    assert solution.totals == ep.Totals(5478, 958, 2836, 1068, 0, 1574)
    assert len(solution.variation(game.initial)) == 9


def test_counts_are_the_published_ones() -> None:
    plies = ep.count(NoughtsAndCrosses())
    assert plies["positions"].tolist() == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert plies["nodes"].sum() == 549_946
    assert plies["games"].tolist()[5:] == [1440, 5328, 47952, 72576, 127872]
    assert plies["terminal"].sum() == 958
    solved = ep.solve(NoughtsAndCrosses()).plies
    for name in ("nodes", "games", "positions", "terminal"):
        assert solved[name].tolist() == plies[name].tolist()
    assert solved["wins"].sum() == 2836
    # Later positions are not visited.
    first = ep.count(NoughtsAndCrosses(), 4)
    assert first["nodes"].tolist() == [1, 9, 72, 504, 3024]
    assert first["positions"].tolist() == plies["positions"].tolist()[:5]


def test_symmetries_leave_the_canonical_positions() -> None:
    whole, folded = ep.solve(NoughtsAndCrosses()), ep.solve(Symmetric())
    assert len(folded) == 765
    for position in all_positions(NoughtsAndCrosses()):
        assert folded[position] == whole[position]
        assert folded.best_moves(position) == whole.best_moves(position)
    assert list(folded.items())[0] == (".........", ep.Value("draw", 9))
    assert len(list(folded)) == len(folded) == len(folded.to_arrow())
    assert whole.values(["........."]).remoteness.tolist() == [9]
    ep.check_laws(Symmetric())


@pytest.mark.parametrize("misere", [False, True])
def test_nim_is_that_of_the_library(misere: bool) -> None:
    game = Heaps(3, 4, 5, misere=misere)
    solution = ep.solve(game, threads=2)
    theirs = ep.game("nim", position="3,4,5", misere=misere)
    library = ep.Solver(theirs)
    assert len(solution) == 4 * 5 * 6
    for position in all_positions(game):
        text = ",".join(str(stones) for stones in position)
        other = theirs.position(text)
        assert solution[position] == library.value(other), position
    assert solution.table.name == "heaps"
    assert ep.Solver(solution.table).value([]) == solution.value


def test_play_without_an_end() -> None:
    game = Circle()
    solution = ep.solve(game)
    # The side at 11 wins by moving on; the other side turns back in time.
    assert solution[11] == ep.Value("win", 1)
    assert solution.value == ep.Value("draw")
    assert solution.totals.endless > 0
    assert solution.moves(7) == {"back": ep.Value("draw"), "on": ep.Value("draw")}
    assert solution.variation(5)
    with pytest.raises(ValueError, match="may be endless"):
        ep.count(game)
    assert ep.count(game, 4)["nodes"].tolist() == [1, 1, 1, 2, 3]
    ep.check_laws(game)


def test_sides_that_move_twice() -> None:
    game = Boxes()
    solution = ep.solve(game)

    def worth(position: tuple[int, int]) -> tuple[int, int]:
        """Brute force: 1 or -1, and plies, for the side to move."""
        if not position[0]:
            return -1, 0
        values = []
        for move in game.moves(position):
            after = game.play(position, move)
            outcome, plies = worth(after)
            values.append((outcome if after[1] == position[1] else -outcome, plies + 1))
        return max(values, key=lambda value: (value[0], -value[0] * value[1]))

    for position in all_positions(game):
        outcome, plies = worth(position)
        assert solution[position] == ep.Value("win" if outcome > 0 else "loss", plies), position
        best = solution.best_moves(position)
        values = solution.moves(position)
        assert best == [move for move in values if values[move] == solution[position]]
    ep.check_laws(game)


def test_keys_of_any_size() -> None:
    class Large(Heaps):
        def key(self, position: tuple[int, ...]) -> int:
            return -(super().key(position) << 100)

    solution = ep.solve(Large(2, 3, 4))
    assert len(solution) == 60
    small = ep.solve(Heaps(2, 3, 4))
    for position in all_positions(Heaps(2, 3, 4)):
        assert solution[position] == small[position]


def test_a_position_that_is_not_reached() -> None:
    solution = ep.solve(Heaps(2, 1))
    assert (2, 1) in solution and (3, 1) not in solution
    with pytest.raises(KeyError, match=r"\(3, 1\)"):
        solution[3, 1]
    with pytest.raises(KeyError):
        solution.moves((9,))
    # The game's own exception, for an object that is not a position.
    with pytest.raises(AttributeError, match="encode"):
        ep.solve(NoughtsAndCrosses())[3]


class Bad(Heaps):
    """Nim with one method that goes wrong at (1, 1)."""

    def __init__(self, method: str, given: Any) -> None:
        super().__init__(2, 2)
        right = getattr(Heaps, method)

        def wrong(position: Any, *move: Any) -> Any:
            if position == (1, 1):
                if isinstance(given, Exception):
                    raise given
                return given
            return right(self, position, *move)

        setattr(self, method, wrong)


WRONG: list[tuple[str, Any, type[Exception], str]] = [
    ("result", "won", ValueError, "gives 'won'"),
    ("result", 1, ValueError, "gives 1"),
    ("key", "11", TypeError, "an int, as those of other positions are, not str"),
    ("key", b"11", TypeError, "not bytes"),
    ("key", 1.5, TypeError, "not float"),
    ("moves", [], ValueError, "gives none"),
    ("moves", [[0, 1]], TypeError, "hashable"),
    ("moves", [(0, 1), (0, 1)], ValueError, "a move twice"),
    ("moves", [(0, n) for n in range(65)], ValueError, "65 moves"),
    ("moves", 3, TypeError, "not iterable"),
    ("play", ZeroDivisionError("mine"), ZeroDivisionError, "mine"),
    ("result", LookupError("mine"), LookupError, "mine"),
]


@pytest.mark.parametrize("method, given, kind, text", WRONG)
def test_wrong_rules_are_told_with_the_position(
    method: str, given: Any, kind: type[Exception], text: str
) -> None:
    with pytest.raises(kind) as raised:
        ep.solve(Bad(method, given))
    notes: list[str] = getattr(raised.value, "__notes__", [])
    told = " ".join([str(raised.value), *notes])
    assert text in told
    # The note names the position that leads there.
    assert "(1, 1)" in told or method == "key" and "at position (" in told
    if isinstance(given, Exception):
        assert raised.value is given
    with pytest.raises((ep.LawError, type(given) if isinstance(given, Exception) else TypeError)):
        ep.check_laws(Bad(method, given))


def test_wrong_arguments() -> None:
    calls: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (TypeError, "a game, its name or a position", lambda: ep.solve(3)),  # type: ignore[call-overload]
        (TypeError, "a game, its name or a position", lambda: ep.count(None)),  # type: ignore[arg-type]
        (TypeError, "everyply.Game", lambda: ep.tabulate(ep.TicTacToe())),  # type: ignore[arg-type]
        (TypeError, "everyply.Game", lambda: ep.check_laws(Heaps)),  # type: ignore[arg-type]
        (ValueError, "threads 0", lambda: ep.solve(Heaps(1), threads=0)),
        (ValueError, "memory_mib 0", lambda: ep.solve(Heaps(5, 5), memory_mib=0)),
        (MemoryError, "more than 1048 ", lambda: ep.solve(Heaps(15, 15, 15), memory_mib=1)),
        (ValueError, "plies -1", lambda: ep.count(Heaps(1), -1)),
        (TypeError, "progress", lambda: ep.solve(Heaps(1), progress=3)),  # type: ignore[call-overload]
        (TypeError, "abstract", lambda: ep.Game()),  # type: ignore[abstract]
        (OSError, "nowhere", lambda: ep.report(Heaps(1), "/nowhere/page.html")),
    ]
    for kind, text, call in calls:
        with pytest.raises(kind, match=text):
            call()


def test_names_are_words_of_their_own() -> None:
    class Nim(Heaps):
        """A game with the name of a built-in one."""

    own = ep.tabulate(Nim(3, 4))
    assert own.name == "ownnim" and own.title == "Nim"
    assert ep.solve(Nim(3, 4)).value == ep.Solver(own).value("")
    assert ep.game("nim", position="3,4") != own

    class Named(Heaps):
        name = "my game"

    with pytest.raises(ValueError, match="lower case"):
        ep.tabulate(Named(1))


def test_a_table_is_a_game_like_any_other() -> None:
    game = ep.tabulate(Heaps(2, 3))
    position = game.position(["1-2"])
    assert position.legal_moves == ["2-1", "2-2", "2-3"]
    assert str(position) == "(0, 3)"
    assert ep.Solver(game).value(position) == ep.Value("win", 1)
    assert position.play("2-3").result == "loss"
    with pytest.raises(ValueError, match="choose one of"):
        position.play("1-1")
    assert repr(game) == "<Heaps, written in Python>"
    # Every function that takes a game takes one written in Python.
    assert ep.search(Heaps(2, 3), depth=5).best_moves == ["2-1"]
    assert len(ep.compare(Heaps(2, 3), 3)) > 0
    # Another game with the same rules is another game.
    with pytest.raises(ValueError, match="was given"):
        ep.tabulate(Heaps(2, 3)).position(position)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    ep.solve(Heaps(5, 5, 5), progress=lambda done, all: told.append((done, all)))
    assert told[-1] == (216, 0)
    with pytest.raises(ZeroDivisionError):
        ep.solve(Heaps(1), progress=lambda done, all: done // 0)


def test_a_report_is_one_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    ep.report(NoughtsAndCrosses(), page)
    text = page.read_text()
    assert text.startswith("<!DOCTYPE html>") and "Noughts and crosses" in text
    assert "<svg" in text and "549,946" in text and "is a draw in 9 plies" in text
    # Wins, draws and losses of ply 8.
    assert all(number in text for number in ["142", "80", "168"])
    assert "/tmp" not in text.replace(str(page), "")
    assert list(tmp_path.iterdir()) == [page]
    ep.report(Circle(), page)
    assert "endless" in page.read_text()
    for game in ("ttt", ep.ConnectFour(4, 3, 3), ep.solve("hexapawn")):
        ep.report(game, page)
        assert "<svg" in page.read_text()


def test_threads_do_not_wait_for_each_other_for_ever() -> None:
    done = []

    def work() -> None:
        solution = ep.solve(NoughtsAndCrosses(), threads=2)
        # Pictures ask Python, from the threads of the library.
        done.append(str(solution.table.position(["4", "0"])))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert done == ["O..\n.X.\n..."] * 4


INTERRUPTED = """
import sys, everyply as ep
class Long(ep.Game):
    initial = 0
    def moves(self, p): return (1, 2, 3)
    def play(self, p, m): return p * 3 + m
    def result(self, p): return None
    def key(self, p): return p
print("begun", flush=True)
try:
    ep.solve(Long(), memory_mib=10**6)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_stops_the_rules_at_once() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    assert process.stdout.readline() == "interrupted\n"
    # 0.1 s on a quiet machine.
    assert time.monotonic() - sent < 1
    process.stdout.close()
    assert process.wait(30) == 0


def test_lists_that_do_not_belong_together_are_no_panic() -> None:
    from everyply._everyply import _Builder

    # The moves of one position are counted and not given.
    builder = _Builder(100)
    builder.start(0)
    lists: list[
        tuple[list[ep.Outcome | None], list[int], list[int | bytes], list[int], list[bool]]
    ] = [
        ([None], [5], [1, 2, 3], [0, 1, 2], []),
        ([None, None], [1], [1], [0], []),
        ([None], [1], [1], [0], [False, True]),
        ([], [0], [], [], []),
    ]
    for found in lists:
        with pytest.raises(RuntimeError, match="are not those that were counted"):
            builder.add([0], found)
    builder.add([0], ([None], [1], [1], [3], []))
    with pytest.raises(RuntimeError, match="were found that were not added"):
        builder.finish("changing", "", [], str, hash)


def test_a_game_that_changes_its_answers_breaks_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    from everyply import _game

    class Short(_game._Finder[Any, Any]):
        def expand(self, positions: Any) -> Any:
            children, (results, counts, *rest) = super().expand(positions)
            return children, (results, [count + 1 for count in counts], *rest)

    monkeypatch.setattr(_game, "_Finder", Short)
    with pytest.raises(ep.LawError, match="a game answers the same each time") as broken:
        ep.solve(NoughtsAndCrosses())
    assert broken.value.law == "a game answers the same each time"


def test_a_game_without_a_start_is_refused() -> None:
    class Unbegun(Heaps):
        initial = None  # type: ignore[assignment]

    game = Unbegun(1)
    game.__dict__.pop("initial")
    with pytest.raises(TypeError, match="Unbegun has no `initial`"):
        ep.solve(game)


def test_a_solver_takes_the_objects_of_a_game() -> None:
    solver = ep.Solver(Heaps(1, 2, 3))
    solution = ep.solve(Heaps(1, 2, 3))
    positions = list(solution)
    expected = [solution[position] for position in positions]
    assert [solver.value(position) for position in positions] == expected
    assert solver.values(positions).remoteness.tolist() == [v.remoteness for v in expected]
    assert len(solver.moves((1, 2, 3))) == 6 and solver.moves((0, 0, 0)) == {}
    # A list has moves, even if it is empty.
    assert solver.value([]) == solver.value((1, 2, 3))
    assert solver.value(list(solver.moves((1, 2, 3)))[:1]) == solver.value((0, 2, 3))
    with pytest.raises((TypeError, ValueError)):
        solver.value((9, 9, 9))
    # Texts of moves come before objects that are texts.
    crosses = ep.Solver(NoughtsAndCrosses())
    assert crosses.value("XX.OO....") == ep.Value("win", 1)


def test_a_game_in_python_is_not_solved_into_a_file_that_nothing_reads(tmp_path: Path) -> None:
    path = tmp_path / "heaps.solution"
    with pytest.raises(ValueError, match="games that the package has, and Heaps is none"):
        ep.solve(Heaps(1, 2), path=path)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="games that the package has, and .* is none"):
        ep.solve(ep.tabulate(Heaps(1, 2)), path=path)
    assert not any(tmp_path.iterdir())
