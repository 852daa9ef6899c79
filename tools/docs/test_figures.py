"""Every table of measured times names the command that measures them again, and the day of the measurement.

A table's own text is that of its section from the table before it to the one after it; tables with no text between them
are one. Where a column is for commands, every row has its own.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "benches/README.md", ROOT / "benches/exports.md"]
PAGES += [ROOT / f"docs/{name}.md" for name in ("boards", "build", "games", "numbers", "strategies", "values")]
TABLES = re.compile(r"((?:^\|.*\n(?:\n(?=\|))?)+)", re.MULTILINE)
# A time, or a column of times or of their ratios.
TIME = re.compile(r"\d (?:ns|us|µs|ms|s|min|h)\b|\| (?:s|time|ratio) \|")
COMMAND = re.compile(r"(?:^|`)(?:python3 )?(?:(?:analyze|cargo) |(?:tools|benches)/\w)", re.MULTILINE)
DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")


def faults(text: str) -> Iterator[str]:
    """The faults of the tables of a page."""
    for section in re.split(r"^(?=#+ )", text, flags=re.MULTILINE):
        # Text and tables in turn.
        parts = TABLES.split(section)
        for above, table, below in zip(parts[0::2], parts[1::2], parts[2::2]):
            if not TIME.search(table):
                continue
            head = table.splitlines()[0]
            if not DATE.search(above + below):
                yield f"no date: {head}"
            if re.search(r"\| (?:command|script|`analyze \.\.\.`) \|", head):
                rows = table.splitlines()[2:]
                yield from (f"no command: {row}" for row in rows if not re.search(r"`[^`]+`", row))
            elif not COMMAND.search(above + below):
                yield f"no command: {head}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_table_of_times_has_a_command_and_a_date(page: Path) -> None:
    assert not list(faults(page.read_text()))


FIGURE = "## Head\n\nMeasured on 2026-11-29 by `tools/speed`:\n\n| work | time |\n|---|---|\n| all | 3 s |\n"


def test_a_figure_that_nobody_can_measure_again_is_found() -> None:
    assert not list(faults(FIGURE))
    assert list(faults(FIGURE.replace(" on 2026-11-29", ""))) == ["no date: | work | time |"]
    assert list(faults(FIGURE.replace("`tools/speed`", "us"))) == ["no command: | work | time |"]
    planted = FIGURE.replace("| time |", "| command |")
    assert list(faults(planted)) == ["no command: | all | 3 s |"]
    assert not list(faults(planted.replace("3 s", "3 s | `tools/speed`")))
    # A date and a command of another section do not count.
    assert len(list(faults(FIGURE + "\n## Other\n\n" + FIGURE.partition(":\n\n")[2]))) == 2
