"""The package as a whole."""

import subprocess
import sys
from collections.abc import Callable

import pytest

import everyply as ep
from everyply._everyply import _main, _restore_position


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_import_is_quick_because_it_leaves_others_alone() -> None:
    others = "{'numpy', 'pyarrow', 'pandas', 'polars', 'tqdm', 'matplotlib'}"
    assert run(f"import sys, everyply; print({others} & set(sys.modules))") == "set()\n"


def test_all_that_is_public_is_there_and_has_words() -> None:
    assert ep.__all__ == sorted(ep.__all__, key=lambda name: (name.upper() != name, name))
    for name in ep.__all__:
        thing = getattr(ep, name)
        if callable(thing) and name not in {"Cell", "Move", "Outcome", "PositionLike", "Progress"}:
            assert thing.__doc__, name
            fields = getattr(thing, "__dataclass_fields__", ())
            for attribute in vars(thing) if isinstance(thing, type) else ():
                if not attribute.startswith("_") and attribute not in fields:
                    assert getattr(thing, attribute).__doc__, f"{name}.{attribute}"


def test_a_bar_is_drawn_to_the_end(capfd: pytest.CaptureFixture[str]) -> None:
    ep.Solver(ep.ConnectFour()).values(["12"] * 30, progress=True)
    assert "30/30" in capfd.readouterr().err


def test_without_tqdm_a_bar_says_what_is_missing() -> None:
    code = (
        "import sys; sys.modules['tqdm.auto'] = None\n"
        "import everyply as ep\n"
        "try: ep.solve(ep.TicTacToe(), progress=True)\n"
        "except ImportError as error: print(error)"
    )
    assert "pip install everyply[progress]" in run(code)


def test_an_exception_of_progress_stops_the_work_and_comes_through() -> None:
    def fail(done: int, all: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        ep.count(ep.ConnectFour(), 13, progress=fail)


@pytest.mark.parametrize(
    "kind, call",
    [
        (ValueError, lambda: _restore_position(ep.ConnectFour(), 0, [])),
        (ValueError, lambda: _restore_position(ep.ConnectFour(), None, ["8"])),
        (TypeError, lambda: _restore_position("connect4", 0, [])),  # type: ignore[arg-type]
        (TypeError, lambda: _main("ttt")),  # type: ignore[arg-type]
    ],
)
def test_what_pickles_may_hold_is_checked(
    kind: type[Exception], call: Callable[[], object]
) -> None:
    with pytest.raises(kind):
        call()
