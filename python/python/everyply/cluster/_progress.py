"""Progress of the work, on one line of stderr."""

import sys
import time

# Seconds between two lines, on a terminal and in a file.
TERMINAL, FILE = 0.2, 5.0


class Progress:
    """A line that is rewritten repeatedly; empty unless progress is wanted."""

    def __init__(self, *, wanted: bool | None) -> None:
        """wanted: None for progress if stderr is a terminal."""
        self._terminal = sys.stderr.isatty()
        self._wanted = self._terminal if wanted is None else wanted
        self._last = time.monotonic()
        self._width = 0

    def show(self, text: str) -> None:
        """Shows the progress, unless the last line is too recent."""
        now = time.monotonic()
        if not self._wanted or now - self._last < (TERMINAL if self._terminal else FILE):
            return
        self._last = now
        if self._terminal:
            print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(text)
        else:
            print(text, file=sys.stderr, flush=True)

    def say(self, text: str) -> None:
        """Prints a line that stays."""
        self.clear()
        print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Removes the line."""
        if self._width:
            print(f"\r{'':<{self._width}}\r", end="", file=sys.stderr, flush=True)
            self._width = 0


def duration(seconds: float) -> str:
    """Writes seconds as text for people."""
    if seconds < 100:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, seconds = divmod(round(seconds), 60)
    if minutes < 100:
        return f"{minutes} min {seconds} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def counted(number: int, noun: str) -> str:
    """Writes a number of things: "1 line", "2,000 lines"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
