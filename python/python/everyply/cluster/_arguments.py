"""The command line of `python -m everyply.cluster`."""

import argparse
import re

EPILOG = """examples:
  python -m everyply.cluster book connect4 --plies 8 --outcome-only --db outcomes.db
  python -m everyply.cluster solve connect4 --size 6x6 --work DIR --out 6x6.solution
  python -m everyply.cluster solve morris --men 7 --work DIR --out morris-7.solution
  python -m everyply.cluster book connect4 --plies 10 --db book.db --scheduler tcp://host:8786
  python -m everyply.cluster book connect4 --plies 10 --db book.db --cluster slurm --nodes 8"""

SIZE = re.compile(r"(\d+)x(\d+)")
ADDRESS = re.compile(r"\w+://.+:\d+")


def parsed(words: list[str]) -> argparse.Namespace:
    """Parses the command line, and checks what needs no files or clusters."""
    parser = _parser()
    args, others = parser.parse_known_args(words)
    if args.scheduler and (args.workers or args.cluster or args.worker_threads != 1):
        parser.error("--scheduler: its workers exist already; leave out --workers, "
                     "--worker-threads and --cluster")  # fmt: skip
    if (args.cluster is None) != (args.nodes is None):
        parser.error("--cluster and --nodes go together")
    if args.memory and not args.cluster:
        parser.error("--memory is for --cluster slurm")
    if others and args.command == "book":
        parser.error(f"unrecognized argument: {others[0]}")
    # `analyze solve` knows the options of games.
    args.options = others
    return args


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m everyply.cluster",
        description="Books and whole games on many machines, by Dask. After any "
        "interruption the same command continues.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    book = commands.add_parser("book", help="every position up to a ply, into a database")
    book.add_argument("--plies", type=int, required=True, metavar="N", help="the last ply")
    book.add_argument("--db", required=True, metavar="FILE", help="the database to write to")
    book.add_argument(
        "--outcome-only", action="store_true", help="prove win, draw or loss only, which is cheaper"
    )
    book.add_argument("game", choices=["connect4"], help="the game")
    book.add_argument(
        "--size", type=_size, default=(7, 6), metavar="WxH", help="columns x rows (default: 7x6)"
    )
    book.add_argument(
        "--line", type=_positive, default=4, metavar="N", help="length of a winning line (default: 4)"
    )
    book.add_argument(
        "--no-book", action="store_true", help="search positions of the program's own book too"
    )
    book.add_argument(
        "--table-size", type=_positive, metavar="MIB", help="table of each worker process"
    )
    solve = commands.add_parser(
        "solve",
        help="every position of a game, into a solution file",
        epilog="The options of the game are those of `analyze solve GAME`.",
        allow_abbrev=False,
    )
    solve.add_argument("game", help="connect4, or a game that numbers its positions, as morris")
    solve.add_argument(
        "--work", required=True, metavar="DIR", help="the folder that all workers share"
    )
    solve.add_argument("--out", required=True, metavar="FILE", help="the solution file to write")
    for command in (book, solve):
        _add_workers(command)
    return parser


def _add_workers(command: argparse.ArgumentParser) -> None:
    where = command.add_argument_group("workers")
    where.add_argument(
        "--workers",
        type=_positive,
        metavar="N",
        help="worker processes, with --nodes on each node (default: one for each core)",
    )
    where.add_argument(
        "--worker-threads", type=_positive, default=1, metavar="N", help="threads of each (default: 1)"
    )
    where.add_argument(
        "--scheduler", type=_address, metavar="ADDRESS", help="a running cluster: tcp://host:8786"
    )
    where.add_argument("--cluster", choices=["slurm"], help="start a cluster there")
    where.add_argument("--nodes", type=_positive, metavar="N", help="nodes of that cluster")
    where.add_argument("--memory", metavar="SIZE", help="memory of a node, as 16GB (slurm)")
    command.add_argument("-q", "--quiet", action="store_true", help="no progress on stderr")
    command.add_argument(
        "--progress", action="store_true", help="progress on stderr even if it is no terminal"
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1 is needed")
    return number


def _size(text: str) -> tuple[int, int]:
    match = SIZE.fullmatch(text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}': columns x rows, as 7x6")
    return int(match[1]), int(match[2])


def _address(text: str) -> str:
    if not ADDRESS.fullmatch(text):
        raise argparse.ArgumentTypeError(f"'{text}': an address, as tcp://host:8786")
    return text
