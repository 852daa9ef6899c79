"""The command line. Exit codes: 0 done, 1 failed, 2 usage, 3 values disagree, 130 interrupted."""

import importlib
import os
import shlex
import signal
import sys
from argparse import Namespace
from types import FrameType

import everyply as ep
from everyply.cluster._arguments import parsed
from everyply.cluster._problem import Interrupted, Problem
from everyply.cluster._progress import Progress


def main(words: list[str]) -> int:
    """Runs a command line and returns its exit code."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        args = parsed(words)
        progress = Progress(wanted=False if args.quiet else args.progress or None)
        try:
            _run(args, shlex.join(["python", "-m", "everyply.cluster", *words]), progress)
        finally:
            progress.clear()
    except Problem as problem:
        word = "mismatch" if problem.code == 3 else "error"
        print(f"{word}: {problem}", file=sys.stderr)
        return problem.code
    except Interrupted as interrupted:
        print(interrupted, file=sys.stderr)
        return 130
    except KeyboardInterrupt:
        print("interrupted before any work", file=sys.stderr)
        return 130
    return 0


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Ends the work at the first signal; the rest is short and ignores further ones."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _run(args: Namespace, command: str, progress: Progress) -> None:
    game = None if args.command == "solve" else _board(args)
    try:
        work = importlib.import_module(f"everyply.cluster._{args.command}")
    except ImportError as error:
        raise Problem(f"clusters are Dask's: {error}; pip install 'everyply[cluster]'") from None
    if game is None:
        work.run(args, progress)
    else:
        work.run(args, game, command, progress)


def _board(args: Namespace) -> ep.BuiltinGame:
    width, height = args.size
    try:
        return ep.ConnectFour(width, height, args.line)
    except (ValueError, OverflowError) as error:
        raise Problem(f"--size {width}x{height} --line {args.line}: {error}", 2) from None


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    # Dask would still wait for connections that are no longer needed.
    os._exit(code)
