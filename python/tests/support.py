"""Refused calls, processes, reachable positions, files of the checkout, tools as modules."""

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import everyply as ep

ANALYZE = [sys.executable, "-c", "from everyply._command import main; main()"]

Refusal: TypeAlias = tuple[type[Exception], str, Callable[[], object]]


def refusals(cases: list[Refusal]) -> Callable[..., None]:
    """A test that each call fails with this kind of error and this text in its message."""

    @pytest.mark.parametrize("kind, text, call", cases)
    def test(kind: type[Exception], text: str, call: Callable[[], object]) -> None:
        with pytest.raises(kind) as raised:
            call()
        assert text in str(raised.value)

    return test


def run(command: list[str], *words: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    """A command that ends with this code."""
    done = subprocess.run(
        [*command, *map(str, words)], capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


def analyze(*words: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    return run(ANALYZE, *words, code=code)


def reachable(root: ep.Position, most: int = sys.maxsize) -> list[ep.Position]:
    """The first positions that play reaches from a root, by breadth."""
    found = {root: None}
    queue = [root]
    for position in queue:
        for move in position.legal_moves:
            after = position.play(move)
            if after not in found and len(found) < most:
                found[after] = None
                queue.append(after)
    return queue


def checkout(path: str) -> Path:
    """A path of the checkout; skips the test, or the module, if the tests of a wheel have none."""
    root = Path(__file__).parents[2]
    if not (root / "mkdocs.yml").exists():
        pytest.skip("reads a checkout", allow_module_level=True)
    return root / path


def tool(name: str) -> Any:
    """A module of tools/."""
    spec = importlib.util.spec_from_file_location(name, checkout(f"tools/{name}.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
