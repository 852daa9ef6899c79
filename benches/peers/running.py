"""Running one solver as a process of its own: its answer, its time and its memory."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator, Optional


class Unusable(Exception):
    """A setting, a file or a program that was named and cannot be used."""


class Unavailable(Exception):
    """A peer that is not in its registry, or that does not build: it is left out."""


class Failed(Exception):
    """A run that failed."""


class TooLong(Failed):
    """A run that was ended because it took too long."""


class Disagreement(Exception):
    """Two solvers that give a position different values."""


@dataclass(frozen=True)
class Finished:
    """Results of a process."""

    out: str
    seconds: float
    # The most memory it had at once, in bytes.
    peak: int


def peak_of(usage) -> int:
    """Linux counts in KiB, macOS in bytes."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def start(command: list, **where) -> subprocess.Popen:
    """Starts a process; its numbers have no separators, whatever the language."""
    try:
        return subprocess.Popen([str(part) for part in command], env={**os.environ, "LC_ALL": "C"}, **where)
    except OSError as error:
        raise Unusable(f"{command[0]} does not run: {error.strerror}") from error


def wait(process: subprocess.Popen) -> int:
    """Waits for a process and returns its largest memory, which Popen does not give."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return peak_of(usage)


def end(process: subprocess.Popen) -> int:
    """Ends a process that may have ended; 0 if another call has waited for it."""
    if process.returncode is not None:
        return 0
    os.kill(process.pid, signal.SIGKILL)
    return wait(process)


@contextmanager
def ended_after(limit: Optional[float], process: subprocess.Popen) -> Iterator[None]:
    """Ends a process after some seconds, while the body waits for it."""
    if limit is None:
        yield
        return
    ended = threading.Event()

    def on_time() -> None:
        ended.set()
        # It may have come to its end just now.
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)

    timer = threading.Timer(limit, on_time)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
    if ended.is_set():
        raise TooLong(f"{process.args[0]} was ended after {limit:g} s")


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it printed nothing"


def run(command: list, text: str, cwd: Optional[Path] = None, limit: Optional[float] = None) -> Finished:
    """Runs a command with this text as its input, to its end or for some seconds.

    Input and output are files: a pipe that is full would hold up the solver, and its clock.
    """
    with tempfile.TemporaryFile("w+") as source, tempfile.TemporaryFile("w+", errors="replace") as out, \
            tempfile.TemporaryFile("w+", errors="replace") as err:
        source.write(text)
        source.seek(0)
        begun = time.perf_counter()
        process = start(command, cwd=cwd, stdin=source, stdout=out, stderr=err)
        try:
            with ended_after(limit, process):
                peak = wait(process)
            seconds = time.perf_counter() - begun
        finally:
            end(process)
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            raise Failed(f"{command[0]} ended with {process.returncode}: {last_line(err.read())}")
        return Finished(out.read(), seconds, peak)


def first_lines(command: list, cwd: Path, enough: Callable[[str], bool],
                limit: Optional[float] = None) -> tuple[list[str], int]:
    """The lines that a command prints until one is enough, and the most memory it had by then."""
    process = start(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL)
    lines = []
    try:
        with ended_after(limit, process), process.stdout as out:
            # In text mode a line that is overwritten would count as several.
            for line in out:
                lines.append(line.decode(errors="replace"))
                if enough(lines[-1]):
                    break
    finally:
        peak = end(process)
    return lines, peak


def output_of(command: list, cwd: Optional[Path] = None) -> Optional[str]:
    """The output of a short command; None if it fails or is missing."""
    try:
        done = subprocess.run([str(part) for part in command], cwd=cwd, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=60)
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def write_whole(path: Path, text: str) -> None:
    """Writes a file at once: a reader finds the old text or the new one."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_text(text, encoding="utf-8")
        if path.exists():
            half.chmod(path.stat().st_mode & 0o7777)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)
