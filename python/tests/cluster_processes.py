"""Drivers and their workers as processes, for tests that disturb them."""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

CLUSTER = [sys.executable, "-m", "everyply.cluster"]


def begun(command: list[str], *words: object) -> subprocess.Popen[str]:
    """A driver at work, in a process group of its own, as a shell starts it."""
    return subprocess.Popen(
        [*command, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def refused_when_full(command: list[str], most: int) -> None:
    """A command whose files take at most these bytes, as on a full disk, says that it can be continued."""

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    refused = subprocess.run(
        command, preexec_fn=small, capture_output=True, text=True, check=False, timeout=100
    )
    assert refused.returncode == 1, refused.stderr
    assert "the same command continues" in refused.stderr and "Traceback" not in refused.stderr


def wait(condition: Callable[[], object], what: str) -> None:
    """Waits until a condition holds."""
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until, f"not within a minute: {what}"
        time.sleep(0.02)


def workers_of(driver: int) -> list[int]:
    """The worker processes of a driver: its children except the tracker of semaphores."""
    found = []
    try:
        for thread in Path(f"/proc/{driver}/task").iterdir():
            for child in (thread / "children").read_text().split():
                if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(int(child))
    except OSError:
        # A process ended in the meantime.
        return []
    return found


def is_alive(process: int) -> bool:
    """True if a process exists and is not a zombie."""
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


class Scheduler:
    """A scheduler with workers, as `dask scheduler` and `dask worker` make them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self.start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        wait(lambda: file.exists() and file.read_text().endswith("}"), "a scheduler")
        self.address = json.loads(file.read_text())["address"]

    def start(self, *words: str) -> None:
        self._processes.append(
            subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                cwd=self._folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )

    def work(self) -> None:
        self.start("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def stop(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()
