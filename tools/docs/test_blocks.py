"""Runs every code block of docs/ and the README that says it runs.

A block says so by the comment `<!-- run -->` on the line before it. Blocks of a page run in order,
in one empty folder and one Python namespace. In a `console` block, lines after `$ ` are commands
and the others what they print, standard error included; in a `python` block, prompts `>>>` are
checked as by doctest, and plain code only has to run. `...` stands for anything, as numbers that
differ from machine to machine do.
"""

import doctest
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = Path(os.environ.get("ANALYZE", ROOT / "target/release/analyze"))
BLOCK = re.compile(r"^<!-- run -->\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUNNING = [page for page in PAGES if BLOCK.search(page.read_text())]
LOOSELY = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def check(expected: str, got: str, what: str) -> None:
    if not doctest.OutputChecker().check_output(expected, got, LOOSELY):
        pytest.fail(f"{what}\nexpected:\n{expected}\ngot:\n{got}", pytrace=False)


def run_console(block: str, folder: Path) -> None:
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        end = next(i for i, line in enumerate(lines) if not line.endswith("\\\n"))
        command, expected = "".join(lines[: end + 1]), "".join(lines[end + 1 :])
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=folder / "work",
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        check(expected, run.stdout, f"$ {command}")


def run_python(block: str, names: dict[str, object], what: str) -> None:
    if ">>>" not in block:
        exec(compile(block, what, "exec"), names)
        return
    example = doctest.DocTestParser().get_doctest(block, names, what, None, 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=LOOSELY)
    failed = runner.run(example, out=said.append, clear_globs=False).failed
    names.update(example.globs)
    assert not failed, "".join(said)


@pytest.mark.parametrize("page", RUNNING, ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "work").mkdir()
    (tmp_path / "bin/analyze").symlink_to(PROGRAM)
    monkeypatch.chdir(tmp_path / "work")
    names: dict[str, object] = {"__name__": "__main__"}
    for language, block in BLOCK.findall(page.read_text()):
        if language == "console":
            run_console(block, tmp_path)
        elif language == "python":
            run_python(block, names, str(page))
        else:
            pytest.fail(f"{page}: blocks of {language} do not run")


def test_every_mark_stands_before_a_block() -> None:
    for page in PAGES:
        text = page.read_text()
        assert len(BLOCK.findall(text)) == text.count("<!-- run -->"), page
