"""The command `analyze`: the command line of the Rust program."""

import signal
import sys

from everyply._everyply import _main


def main() -> None:
    """Runs the command line of this process, and ends it with its exit code."""
    # The program listens for signals itself; Python's handler would only wait for it to end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_main(["analyze", *sys.argv[1:]]))
