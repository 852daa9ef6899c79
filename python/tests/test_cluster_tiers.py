"""Games by their tiers on a cluster: the bytes of `analyze solve`, despite every disturbance."""

import os
import signal
from pathlib import Path

import pytest
from cluster_processes import CLUSTER, begun, is_alive, refused_when_full, wait, workers_of
from support import analyze, run

from everyply.cluster import _tasks

MORRIS = ["solve", "morris", "--men", "5"]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("expected") / "morris.solution"
    analyze(*MORRIS, "--out", path)
    return path.read_bytes()


def made(work: Path) -> dict[str, int]:
    """The tiers that were made, with the times of their summaries."""
    return {path.name: path.stat().st_mtime_ns for path in work.glob("*.summary")}


@pytest.mark.parametrize(
    ("game", "workers"),
    [(["gobblet", "--sizes", "2"], 3), (["awari", "--pits", "2", "--seeds", "3"], 1)],
    ids=lambda value: str(value),
)
def test_a_game_is_that_of_the_program(game: list[str], workers: int, tmp_path: Path) -> None:
    work, ours, theirs = tmp_path / "work", tmp_path / "ours", tmp_path / "theirs"
    done = run(CLUSTER, "solve", *game, "--work", work, "--out", ours, "--workers", workers)
    before = made(work)
    # The program takes the folder over, and finds nothing to solve.
    solved = analyze("solve", *game, "--work", work, "--out", theirs)
    assert ours.read_bytes() == theirs.read_bytes() and made(work) == before
    analyze("solve", *game, "--out", theirs)
    assert ours.read_bytes() == theirs.read_bytes()
    # Both print the game and its value.
    lines = [line for line in solved.stdout.splitlines() if line.startswith("value ")]
    assert lines[0] in done.stdout and solved.stdout.split("\n")[0] in done.stdout


def held(driver: int) -> list[int]:
    """The workers of a driver, stopped where they are."""
    workers = workers_of(driver)
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
    return workers


def solving(process: int) -> float:
    """The most seconds that a thread has computed, except the main one, which imports modules."""
    most = 0
    for thread in Path(f"/proc/{process}/task").iterdir():
        if thread.name != str(process):
            try:
                fields = (thread / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                # It ended in the meantime.
                continue
            most = max(most, int(fields[11]))
    return most / os.sysconf("SC_CLK_TCK")


def test_a_worker_that_is_killed_in_a_tier_is_replaced(tmp_path: Path) -> None:
    work, ours, theirs = tmp_path / "work", tmp_path / "ours", tmp_path / "theirs"
    # One tier of half a second; the worker waits for this process if the machine is busy.
    game = ["solve", "neutreeko", "--work", work, "--out"]
    with begun(["nice", *CLUSTER], *game, ours, "--workers", 1) as driver:
        wait(lambda: any(solving(worker) > 0.1 for worker in workers_of(driver.pid)), "work")
        workers = held(driver.pid)
        assert workers and not made(work)
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        _, err = driver.communicate(timeout=60)
    assert driver.returncode == 0, err
    analyze(*game, theirs)
    assert ours.read_bytes() == theirs.read_bytes()


def test_a_driver_that_is_killed_or_stopped_is_continued(expected: bytes, tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "out"
    command = [*MORRIS, "--work", work, "--out", out, "--workers", 1]
    before: dict[str, int] = {}
    for is_killed in (True, False):
        with begun(CLUSTER, *command) as driver:
            wait(lambda: len(made(work)) > len(before) + 10, "10 tiers are made")  # noqa: B023
            workers = held(driver.pid)
            if is_killed:
                driver.kill()
            else:
                os.killpg(driver.pid, signal.SIGINT)
            driver.wait(timeout=30)
            for worker in workers:
                os.kill(worker, signal.SIGCONT)
            _, err = driver.communicate(timeout=30)
        wait(lambda: not any(map(is_alive, workers)), "the workers end")  # noqa: B023
        assert is_killed or (driver.returncode == 130 and "the same command continues" in err), err
        assert "Traceback" not in err and not out.exists()
        assert before.items() <= made(work).items()
        before = made(work)
    run(CLUSTER, *command)
    assert out.read_bytes() == expected
    assert before.items() <= made(work).items()


def test_a_full_store_and_damaged_tiers_are_said_and_continued(
    expected: bytes, tmp_path: Path
) -> None:
    work, out = tmp_path / "work", tmp_path / "out"
    command = [*CLUSTER, *MORRIS, "--work", str(work), "--out", str(out), "--workers", "2"]
    refused_when_full(command, 4000)
    tiers = sorted(made(work))
    assert tiers and not out.exists()
    # Another driver beside it makes the same, from tiers that are cut off or missing.
    for tier, content in zip(tiers, ["cut off", None], strict=False):
        part = work / tier.replace(".summary", "-00000")
        part.unlink() if content is None else part.write_text(content)
    words = [*MORRIS, "--work", work, "--workers", 1, "--out"]
    with begun(CLUSTER, *words, other := tmp_path / "other") as driver:
        run(command)
        _, err = driver.communicate(timeout=60)
    assert driver.returncode == 0, err
    assert out.read_bytes() == expected == other.read_bytes()


def test_games_and_options_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "out"
    cases = [
        (["hexapawn", "--size", "3x4"], 2, "the positions of this game are kept in memory"),
        (["morris", "--men", "2"], 2, "a whole number from 3 to 9"),
        (["dao", "--flying"], 2, "--flying: dao has no such option"),
        (["chess"], 2, "chess"),
    ]
    for game, code, why in cases:
        refused = run(CLUSTER, "solve", *game, "--work", work, "--out", out, "--workers", 1, code=code)
        assert why in refused.stderr and "Traceback" not in refused.stderr, refused.stderr
    assert not work.exists()
    analyze(*MORRIS, "--work", work)
    words = [*MORRIS, "--flying", "--work", work, "--out", out, "--workers", 1]
    refused = run(CLUSTER, *words, code=1)
    assert "was made for another game or other rules" in refused.stderr
    assert not out.exists()


def test_a_worker_of_another_version_makes_nothing(tmp_path: Path) -> None:
    words = ["analyze", *MORRIS, "--work", str(tmp_path / "work")]
    with pytest.raises(_tasks.WrongVersion, match="the driver 0.0"):
        _tasks.solve("0.0", words, 1)
    assert not any(tmp_path.iterdir())
