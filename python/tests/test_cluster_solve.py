"""Whole boards on a cluster: the bytes of a single process, despite every disturbance."""

import os
import random
import signal
from pathlib import Path

import pytest
from cluster_processes import CLUSTER, begun, refused_when_full, wait, workers_of
from support import run

import everyply as ep

SOLVE = ["solve", "connect4", "--size", "5x5", "--workers", "1"]
# Workers wait for this process, which disturbs them, if the machine is busy.
NICE = ["nice", *CLUSTER]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("expected") / "5x5.solution"
    ep.solve(ep.ConnectFour(5, 5), path=path)
    return path.read_bytes()


def made(work: Path) -> int:
    """Units that were made; the folder need not exist yet."""
    return len(list(work.glob("*.summary")))


def test_a_board_is_that_of_one_process(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ep.solve(ep.ConnectFour(6, 4), path=theirs)
    words = ["solve", "connect4", "--size", "6x4", "--workers", 2]
    done = run(CLUSTER, *words, "--work", tmp_path / "work", "--out", ours)
    assert ours.read_bytes() == theirs.read_bytes()
    assert f"value      {ep.Solution(ours).value}" in done.stdout
    # Only the results and the summaries are left.
    left = {file.name.split("-")[0] for file in (tmp_path / "work").glob("*-*[0-9]")}
    assert left == {"packed"}


def test_lost_workers_and_damaged_units_leave_the_bytes(expected: bytes, tmp_path: Path) -> None:
    work, out, rng = tmp_path / "work", tmp_path / "out", random.Random(8)
    killed = damaged = 0
    with begun(NICE, *SOLVE, "--work", work, "--out", out) as driver:
        while driver.poll() is None and killed < 4:
            before = made(work)
            wait(lambda: made(work) >= before + 3 or driver.poll() is not None, "progress")  # noqa: B023
            for worker in workers_of(driver.pid)[:1]:
                os.kill(worker, signal.SIGKILL)
                killed += 1
            units = sorted(work.glob("*-*[0-9]"))
            if units:
                damaged += damage(rng.choice(units), rng)
        _, err = driver.communicate(timeout=90)
    assert driver.returncode == 0, err
    assert killed > 2 and damaged > 1
    assert out.read_bytes() == expected


def damage(path: Path, rng: random.Random) -> int:
    """Flips a bit of a file, cuts it off or takes it away; 0 if it is gone already."""
    try:
        content = bytearray(path.read_bytes())
        match rng.randrange(3):
            case 0:
                content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
                path.write_bytes(content)
            case 1:
                path.write_bytes(content[: len(content) // 2])
            case _:
                path.unlink()
    except FileNotFoundError:
        return 0
    return 1


def test_a_driver_that_is_killed_or_stopped_is_continued(expected: bytes, tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "out"
    command = [*SOLVE, "--work", work, "--out", out]
    with begun(NICE, *command) as driver:
        wait(lambda: made(work) > 10, "10 units are made")
        # With its worker, which would make the rest before it ends.
        os.killpg(driver.pid, signal.SIGKILL)
        driver.communicate()
    before = made(work)
    with begun(NICE, *command) as driver:
        wait(lambda: made(work) > before + 10, "10 more units are made")
        os.killpg(driver.pid, signal.SIGINT)
        _, err = driver.communicate(timeout=30)
    assert driver.returncode == 130 and "the same command continues" in err, err
    assert "Traceback" not in err and not out.exists()
    run(CLUSTER, *command)
    assert out.read_bytes() == expected


def test_a_store_that_takes_no_more_is_said_and_continued(expected: bytes, tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "out"
    command = [*CLUSTER, *SOLVE, "--work", str(work), "--out", str(out)]
    refused_when_full(command, 20_000)
    assert made(work) > 0 and not out.exists()
    run(command)
    assert out.read_bytes() == expected


def test_what_cannot_be_solved_is_refused(tmp_path: Path) -> None:
    words = ["solve", "connect4", "--size", "4x4", "--work", tmp_path / "work", "--workers", 1]
    nowhere = run(CLUSTER, *words, "--out", tmp_path / "no" / "out", code=1)
    assert "--out" in nowhere.stderr
    run(CLUSTER, *words, "--out", tmp_path / "out")
    words[3] = "5x4"
    other = run(CLUSTER, *words, "--out", tmp_path / "out", code=1)
    assert "was made for 4x4" in other.stderr
    missing = run(CLUSTER, "solve", "connect4", "--out", tmp_path / "out", code=2)
    assert "--work" in missing.stderr
