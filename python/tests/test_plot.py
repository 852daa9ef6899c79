"""Plots."""

import subprocess
import sys
from typing import Any

import pytest
from support import checkout

import everyply as ep

matplotlib: Any = pytest.importorskip("matplotlib")
matplotlib.use("agg")

from everyply import plot  # noqa: E402


def test_plots_draw_on_axes_that_can_be_restyled() -> None:
    solution = ep.solve("ttt")
    axes: Any = ep.plot.plies(solution)
    axes.set_title("mine")
    # Ten plies of three outcomes.
    assert len(axes.patches) == 30 and axes.get_xlabel() == "ply"
    assert sum(patch.get_height() for patch in axes.patches) == 5478
    assert len(plot.plies(ep.count("ttt")).patches) == 10
    lines: Any = plot.compare(ep.compare("ttt", 4)).get_lines()
    assert len(lines) > 3 and lines[0].get_xdata().tolist() == [1, 2, 3, 4]
    bars: Any = plot.remoteness(solution)
    assert sum(patch.get_height() for patch in bars.patches) == 765
    assert plot.remoteness(ep.solve("pong"), axes=axes) is axes
    matplotlib.pyplot.close("all")


def test_without_matplotlib_a_plot_says_what_is_missing() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import everyply as ep\n"
        "from everyply import plot\n"
        "try: plot.plies(ep.solve('ttt'))\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install everyply[plot]" in done.stdout


def test_reports_have_the_same_colours_of_outcomes() -> None:
    source = checkout("src/report/colour.rs").read_text()
    outcomes = {"wins": "Win", "draws": "Draw", "losses": "Loss"}
    for name, colour in plot.OUTCOMES.items():
        assert f'Outcome::{outcomes[name]} => colour("{colour}",' in source
