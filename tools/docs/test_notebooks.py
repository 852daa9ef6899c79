"""Runs the notebooks of examples/notebooks, and checks the types of their code."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples/notebooks").glob("*.ipynb"))


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call, no-any-return]


def kinds(cell: nbformat.NotebookNode) -> list[str]:
    """The outputs of a cell: text, a result, a picture."""
    said: list[str] = []
    for output in cell.get("outputs", []):
        if output.output_type != "stream":
            said += sorted(output.data)
        # Text comes in as many pieces as the machine is slow.
        elif said[-1:] != ["text"]:
            said.append("text")
    return said


def code_of(path: Path) -> str:
    cells = read(path).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "code") + "\n"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_is_stored(path: Path, tmp_path: Path) -> None:
    notebook = read(path)
    stored = [kinds(cell) for cell in notebook.cells]
    assert any("image/png" in kind for kind in stored), "no picture is stored"
    folder = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=folder).execute()
    assert [kinds(cell) for cell in notebook.cells] == stored


def test_the_code_of_the_notebooks_is_typed(tmp_path: Path) -> None:
    for path in NOTEBOOKS:
        (tmp_path / f"{path.stem.replace('-', '_')}.py").write_text(code_of(path))
    files = map(str, sorted(tmp_path.glob("*.py")))
    # The value of a cell's last line is what the cell shows.
    command = [sys.executable, "-m", "mypy", "--strict", *files]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
