"""Runs the commands of the README and docs/, page by page, in the order of the page.

Every `console`, `sh` and `python` block runs, in one empty folder and one Python namespace a page, and so
does every command `analyze ...` within the text of the README, the tutorial and the how-to pages. A block or
command that does not run has a mark with the reason: `<!-- not run: REASON -->`, before the block or behind the command.

In a `console` block, lines after `$ ` are commands and the others what they print, standard error
included; in a `python` block, prompts `>>>` are checked as by doctest, and plain code only has to run.
`...` stands for anything, and times may differ. A command with a word in capitals, as in `analyze solve
GAME --out FILE`, is a form: the command has to exist, and its help to name each option.
"""

import doctest
import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = Path(os.environ.get("ANALYZE", ROOT / "target/release/analyze"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
GUIDES = ("README.md", "docs/tutorial", "docs/how-to")
# Parts of the checkout that pages name; the checkout itself is `everyply`.
LINKS = {"data": ROOT / "data", "examples": ROOT / "examples", "everyply": ROOT}
# The program of the package, which has every feature.
PACKAGE = Path(sys.executable).with_name("analyze")
PIECE = re.compile(
    r"(?:^<!-- not run: (?P<why>[^\n]+) -->\n)?^```(?P<language>\w+)[^\n]*\n(?P<block>.*?)^```$"
    r"|`(?P<command>analyze [^`]+)`(?:\s<!-- not run: (?P<reason>[^\n]+?) -->)?",
    re.MULTILINE | re.DOTALL,
)
CAPITALS = re.compile(r"\[?[A-Z]+\]?(\.\.\.)?$")
TIME = re.compile(r"\d[\d.]* (?:µs|ms|s)\b(?: on \d+ threads?)?")
LOOSELY = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def shell(command: str, folder: Path, *options: str) -> tuple[str, int]:
    """Runs a command in the folder of a page: what it prints, and its exit code."""
    run = subprocess.run(
        ["bash", *options, "-c", command],
        cwd=folder / "work",
        env={**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )
    return run.stdout, run.returncode


def run_script(script: str, folder: Path) -> None:
    output, code = shell(script, folder, "-e")
    assert code == 0, f"{script} ended with exit code {code}\n{output}"


def run_console(block: str, folder: Path) -> None:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        end = next(i for i, line in enumerate(lines) if not line.endswith("\\\n"))
        command, expected = "".join(lines[: end + 1]), "".join(lines[end + 1 :])
        output, _ = shell(command, folder)
        same = doctest.OutputChecker().check_output
        if not same(TIME.sub("TIME", expected), TIME.sub("TIME", output), LOOSELY):
            pytest.fail(f"$ {command}expected:\n{expected}\ngot:\n{output}", pytrace=False)


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


@functools.cache
def help_of(*command: str) -> str:
    run = subprocess.run([PACKAGE, *command, "--help"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def is_form(command: str) -> bool:
    """Whether a command only names a command of the program, with or without its arguments."""
    words = command.split()
    return len(words) == 2 or "..." in words or any(CAPITALS.match(word) for word in words)


def check_form(form: str) -> None:
    first = form.split()[1].replace("GAME", "connect4")
    for name in re.findall(r"[a-z0-9]+", first) or [()]:
        text = help_of(*([name] if name else []))
        for option in re.findall(r"--[a-z-]+", form):
            assert option in text, f"{form}: no {option} in its help"


def forms_of(language: str, block: str) -> Iterator[str]:
    if language == "text":
        yield from re.findall(r"^analyze \S.*?(?=  |$)", block, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "work").mkdir()
    (tmp_path / "bin/analyze").symlink_to(PROGRAM)
    for name, target in LINKS.items():
        (tmp_path / "work" / name).symlink_to(target)
    monkeypatch.chdir(tmp_path / "work")
    guide = name_of(page).startswith(GUIDES)
    names: dict[str, object] = {"__name__": "__main__"}
    for piece in PIECE.finditer(page.read_text()):
        command = " ".join((piece["command"] or "").split())
        if piece["why"] or piece["reason"]:
            continue
        if command and is_form(command):
            check_form(command)
        elif command and guide:
            run_script(command, tmp_path)
        elif piece["language"] == "console":
            run_console(piece["block"], tmp_path)
        elif piece["language"] == "sh":
            run_script(piece["block"], tmp_path)
        elif piece["language"] == "python":
            run_python(piece["block"], names, str(page))
        elif piece["block"]:
            for form in forms_of(piece["language"], piece["block"]):
                check_form(form)


def test_every_mark_belongs_to_a_block_or_a_command() -> None:
    for page in PAGES:
        text = page.read_text()
        marks = sum(bool(piece["why"] or piece["reason"]) for piece in PIECE.finditer(text))
        assert marks == text.count("<!-- not run"), page


def test_links_lead_to_files() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\((?!http|#|mailto:)([^)#\s]+)", page.read_text()):
            assert (page.parent / link).exists(), f"{name_of(page)}: {link}"
