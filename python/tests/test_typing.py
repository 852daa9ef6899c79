"""Types: mypy over package and tests, and the stubs against the module."""

import subprocess
import sys
from pathlib import Path

import pytest
from support import checkout


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_package_and_the_tests_are_typed() -> None:
    assert "no issues" in run(checkout("python"), "mypy", "--strict")


@pytest.mark.slow
def test_the_stubs_are_the_module() -> None:
    assert "no issues" in run(Path(__file__).parents[1], "mypy.stubtest", "everyply._everyply")
