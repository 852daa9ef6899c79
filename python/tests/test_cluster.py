"""Books on a cluster, in processes of their own, which are killed."""

import importlib
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cluster_processes import CLUSTER, Scheduler, begun, is_alive, wait, workers_of
from support import analyze, run

import everyply as ep
from everyply._everyply import _Book
from everyply.cluster._client import Lost, Tasks
from everyply.cluster._problem import Problem
from everyply.cluster._stretches import Stretches

# Some seconds of work: long enough to be disturbed.
BOOK = ["book", "connect4", "--size", "6x5", "--plies", "6", "--outcome-only"]


def rows(path: Path) -> dict[str, list[Any]]:
    with ep.Database(path) as database:
        return {name: array.tolist() for name, array in database.positions().to_numpy().items()}


def stored(path: Path) -> int:
    """The number of positions in a database while a run writes to it."""
    try:
        with ep.Database(path) as database:
            return len(database.positions())
    except (OSError, ValueError):
        return 0


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book that the program makes."""
    path = tmp_path_factory.mktemp("expected") / "book.db"
    analyze(*BOOK, "--db", path)
    return path


@pytest.mark.parametrize(
    "options",
    [
        ["--size", "5x4", "--plies", "7"],
        ["--size", "4x4", "--plies", "16", "--outcome-only"],
        ["--size", "5x5", "--line", "3", "--plies", "4"],
        # Positions in the program's own book take no search.
        ["--plies", "4", "--outcome-only"],
    ],
    ids=" ".join,
)
def test_a_book_is_that_of_the_program(options: list[str], tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.db", tmp_path / "theirs.db"
    analyze("book", "connect4", *options, "--db", theirs)
    done = run(CLUSTER, "book", "connect4", *options, "--workers", 2, "--db", ours)
    assert rows(ours) == rows(theirs)
    assert f"{len(rows(ours)['key']):,} added, 0 refined" in done.stdout
    with ep.Database(ours) as database:
        (made,) = database.runs
    assert made["status"] == "finished" and made["threads"] == 2
    assert made["command"].startswith("python -m everyply.cluster book connect4")
    again = run(CLUSTER, "book", "connect4", *options, "--db", ours)
    assert "nothing to do" in again.stdout


def test_workers_that_are_killed_leave_an_exact_book(expected: Path, tmp_path: Path) -> None:
    path, rng, killed = tmp_path / "book.db", random.Random(4), 0
    with begun(CLUSTER, *BOOK, "--workers", 2, "--db", path) as driver:
        wait(lambda: stored(path) > 0, "a position is stored")
        while driver.poll() is None and killed < 6:
            workers = workers_of(driver.pid)
            if workers:
                os.kill(rng.choice(workers), signal.SIGKILL)
                killed += 1
            time.sleep(rng.uniform(0.1, 0.8))
        out, err = driver.communicate(timeout=100)
    assert driver.returncode == 0, err
    assert killed > 1 and rows(path) == rows(expected)
    analyze("verify", path)


def test_a_driver_that_is_killed_is_continued(expected: Path, tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with begun(CLUSTER, *BOOK, "--workers", 2, "--db", path) as driver:
        wait(lambda: stored(path) > 0, "a position is stored")
        workers = workers_of(driver.pid)
        assert len(workers) == 2
        # It would be done before the other process has begun.
        driver.send_signal(signal.SIGSTOP)
        refused = run(CLUSTER, *BOOK, "--workers", 1, "--db", path, code=1)
        assert "(--db FILE)" in refused.stderr
        driver.kill()
        driver.communicate()
    wait(lambda: not any(map(is_alive, workers)), "the workers end with their driver")
    kept = stored(path)
    assert 0 < kept < len(rows(expected)["key"])
    done = run(CLUSTER, *BOOK, "--workers", 2, "--db", path)
    assert f"{kept:,} of them found in the database" in done.stdout
    assert rows(path) == rows(expected)


def test_a_book_that_is_closed_gives_its_database_back(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    book = _Book(ep.ConnectFour(4, 4), 2, path, outcome_only=False)
    with pytest.raises(OSError, match="another process"):
        _Book(ep.ConnectFour(4, 4), 2, path, outcome_only=False)
    book.close()
    assert list(tmp_path.iterdir()) == [] and len(book) > 0
    _Book(ep.ConnectFour(4, 4), 2, path, outcome_only=False).close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_book_at_once_and_keeps_it(
    number: signal.Signals, expected: Path, tmp_path: Path
) -> None:
    path = tmp_path / "book.db"
    with begun(CLUSTER, *BOOK, "--workers", 2, "--db", path) as driver:
        wait(lambda: stored(path) > 0, "a position is stored")
        workers, asked = workers_of(driver.pid), time.monotonic()
        # A terminal sends it to all processes of the group.
        os.killpg(driver.pid, number)
        _, err = driver.communicate(timeout=30)
    assert time.monotonic() - asked < 5
    assert driver.returncode == 130, err
    assert "interrupted after" in err and "the same command continues" in err
    assert "Traceback" not in err, err
    assert not any(map(is_alive, workers))
    assert [file.name for file in tmp_path.iterdir()] == ["book.db"]
    whole, part = rows(expected), rows(path)
    assert 0 < len(part["key"]) < len(whole["key"])
    known = dict(zip(whole["key"], zip(*whole.values(), strict=True), strict=True))
    assert all(known[row[0]] == row for row in zip(*part.values(), strict=True))
    with ep.Database(path) as database:
        assert [made["status"] for made in database.runs] == ["interrupted"]


def test_a_cluster_that_is_there_grows_and_is_lost(expected: Path, tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    cluster = Scheduler(tmp_path)
    try:
        # There is no worker yet.
        driver = begun(CLUSTER, *BOOK, "--scheduler", cluster.address, "--progress", "--db", path)
        cluster.work()
        wait(lambda: stored(path) > 0, "a position is stored")
        # A fast machine would be done before all are gone.
        driver.send_signal(signal.SIGSTOP)
        # One joins, and then all are gone.
        cluster.work()
        time.sleep(1)
    finally:
        cluster.stop()
        driver.send_signal(signal.SIGCONT)
    _, err = driver.communicate(timeout=60)
    assert driver.returncode == 1, err
    assert "the scheduler is gone" in err and "Traceback" not in err, err
    kept = stored(path)
    assert 0 < kept < len(rows(expected)["key"])
    (folder := tmp_path / "second").mkdir()
    cluster = Scheduler(folder)
    try:
        cluster.work()
        done = run(CLUSTER, *BOOK, "--scheduler", cluster.address, "--db", path)
    finally:
        cluster.stop()
    assert f"{kept:,} of them found in the database" in done.stdout
    assert rows(path) == rows(expected)


@pytest.mark.parametrize(
    "words, code, said",
    [
        ([], 2, "COMMAND"),
        (["book", "chess", "--plies", "3", "--db", "x.db"], 2, "invalid choice: 'chess'"),
        (["book", "connect4", "--db", "x.db"], 2, "--plies"),
        (["book", "connect4", "--plies", "43", "--db", "x.db"], 2, "from 0 to 42 plies"),
        (["book", "connect4", "--plies", "-1", "--db", "x.db"], 2, "from 0 to 42 plies"),
        (["book", "connect4", "--plies", "3", "--size", "7", "--db", "x.db"], 2, "as 7x6"),
        (["book", "connect4", "--plies", "3", "--size", "99x9", "--db", "x.db"], 2, "--size 99x9"),
        (["book", "connect4", "--plies", "3", "--line", "2", "--db", "x.db"], 2, "lines of 3 to 6"),
        (["book", "connect4", "--plies", "3", "--db", "no/x.db"], 1, "(--db FILE)"),
        (["book", "connect4", "--plies", "3", "--db", "text"], 1, "(--db FILE)"),
        (["book", "connect4", "--plies", "3", "--db", "x.db", "--workers", "0"], 2, "at least 1"),
        (["book", "connect4", "--plies", "3", "--db", "x.db", "--nodes", "2"], 2, "go together"),
        (
            ["book", "connect4", "--plies", "3", "--db", "x.db", "--scheduler", "tcp://127.0.0.1:9"],
            1,
            "no scheduler answers",
        ),
        (
            ["book", "connect4", "--plies", "3", "--db", "x.db", "--scheduler", "nowhere at all"],
            2,
            "as tcp://host:8786",
        ),
    ],
)
def test_wrong_arguments_are_refused(
    words: list[str], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("44\n" * 100)
    refused = run(CLUSTER, *words, code=code)
    assert said in refused.stderr, refused.stderr
    assert "Traceback" not in refused.stderr and refused.stdout == ""
    assert not Path("x.db").exists()


def test_without_dask_the_remedy_is_said(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['distributed'] = None\n")
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    refused = subprocess.run(
        [*CLUSTER, *BOOK, "--db", str(tmp_path / "x.db")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1
    assert "pip install 'everyply[cluster]'" in refused.stderr


def test_every_position_comes_once_whatever_happens() -> None:
    rng = random.Random(1)
    stretches, names = Stretches(50_000), ["a", "b", "c"]
    solved: list[int] = []
    at_work: list[range] = []
    while len(stretches) or at_work:
        if rng.random() < 0.02:
            names[rng.randrange(3)] = f"worker {rng.random()}"
            stretches.keep(names)
        piece = stretches.next(rng.choice(names))
        at_work += [] if piece is None else [piece]
        if piece is None or rng.random() < 0.6:
            piece = at_work.pop(rng.randrange(len(at_work)))
            # None of them if its worker is lost.
            done = rng.randrange(len(piece) + 1)
            solved += piece[:done]
            stretches.put_back(piece[done:])
    assert sorted(solved) == list(range(50_000))
    assert stretches.next("a") is None


def test_a_worker_goes_on_where_it_was_and_then_takes_half_of_the_longest_stretch() -> None:
    stretches = Stretches(100_000)
    assert stretches.next("a") == range(4096)
    assert stretches.next("b") == range(52_048, 56_144)
    stretches.put_back(range(50, 4096))
    assert stretches.next("a") == range(50, 4146)
    assert stretches.next("b") == range(56_144, 60_240)
    # What a lost worker leaves is taken whole.
    stretches.keep(["b", "c"])
    assert stretches.next("c") == range(4146, 8242)
    assert len(stretches) == 52_048 - 8242 + 100_000 - 60_240


def test_a_worker_that_is_lost_at_the_start_is_an_error_and_not_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clusters = pytest.importorskip("everyply.cluster._clusters")
    main = importlib.import_module("everyply.cluster.__main__").main
    local, attempts = clusters.LocalCluster, 0

    def lost(**options: Any) -> Any:
        nonlocal attempts
        attempts += 1
        if attempts in (1, 3, 4, 5):
            raise RuntimeError("Nanny failed to start.") from RuntimeError("Worker was killed")
        return local(**options)

    monkeypatch.setattr(clusters, "LocalCluster", lost)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    book = ["book", "connect4", "--size", "4x4", "--plies", "3", "--workers", "1", "-q"]
    assert main([*book, "--db", str(tmp_path / "a.db")]) == 0
    assert main([*book, "--db", str(tmp_path / "b.db")]) == 1
    assert attempts == 5
    said = capsys.readouterr().err
    assert "error: 1 worker processes could not be started (Worker was killed)" in said, said
    assert "run the same command again" in said and "Traceback" not in said


def test_slurm_starts_the_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The batch system itself is two scripts that start and end a job on this machine."""
    jobs = tmp_path / "jobs"
    # As Slurm does, it copies the script, which is gone once it returns.
    sbatch = (
        f'job=$(mktemp {tmp_path}/job-XXXXXX)\ncp "$1" "$job"\nsh "$job" >> {tmp_path}/log 2>&1 &\n'
        f'echo $! >> {jobs}\necho "Submitted batch job $!"'
    )
    for name, script in (("sbatch", sbatch), ("scancel", 'kill "$@"')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    ours, theirs = tmp_path / "ours.db", tmp_path / "theirs.db"
    book = ["book", "connect4", "--size", "5x4", "--plies", "5"]
    analyze(*book, "--db", theirs)
    nodes = ["--cluster", "slurm", "--nodes", 2]
    unsaid = run(CLUSTER, *book, *nodes, "--db", ours, code=2)
    assert "jobqueue.yaml" in unsaid.stderr
    run(CLUSTER, *book, *nodes, "--workers", 1, "--memory", "1GB", "--db", ours)
    assert rows(ours) == rows(theirs)
    assert len(jobs.read_text().split()) == 2
    wait(lambda: not any(is_alive(int(job)) for job in jobs.read_text().split()), "jobs end")


class LostResult:
    """A finished task whose result was lost with its worker before the driver fetched it."""

    status = "lost"

    def __init__(self, answer: int | None) -> None:
        self._answer = answer

    def add_done_callback(self, call: Callable[[Any], None]) -> None:
        call(self)

    def result(self, timeout: float) -> int:
        if self._answer is None:
            raise TimeoutError
        return self._answer

    def release(self) -> None:
        pass


class OneWorker:
    """A client whose tasks all end alike."""

    status = "running"

    def __init__(self, future: LostResult) -> None:
        self._future = future
        self.cancelled: list[LostResult] = []

    def submit(self, *_: Any, **__: Any) -> LostResult:
        return self._future

    def cancel(self, futures: list[LostResult], force: bool) -> None:
        self.cancelled += futures


@pytest.mark.parametrize("answer", [7, None])
def test_a_result_lost_with_its_worker_is_not_the_loss_of_the_scheduler(answer: int | None) -> None:
    future = LostResult(answer)
    client: Any = OneWorker(future)
    tasks = Tasks[int](client)
    tasks.submit(3, "worker", int)
    match tasks.next():
        case unit, Lost():
            # It is to be made again, by a new task.
            assert (unit, answer) == (3, None)
            assert client.cancelled == [future]
        case made:
            assert made == (3, 7)
            assert client.cancelled == []
    assert len(tasks) == 0
    # The state of a task once the scheduler is lost.
    future.status = "cancelled"
    tasks.submit(4, "worker", int)
    with pytest.raises(Problem, match="the scheduler is gone"):
        tasks.next()
