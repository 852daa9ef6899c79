"""Plots of tables and solutions, as matplotlib axes to restyle: `pip install everyply[plot]`.

>>> import everyply as ep
>>> from everyply import plot
>>> axes = plot.plies(ep.solve("ttt"))
>>> axes.get_xlabel()
'ply'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from everyply._solution import Solution
    from everyply._table import Table

__all__ = ["compare", "plies", "remoteness"]

OUTCOMES = {"wins": "#0B6B45", "draws": "#595959", "losses": "#7A35A8"}
"""The colours of outcomes for the side to move, in all plots and in reports."""


def _axes(axes: Axes | None) -> Axes:
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plots need matplotlib: pip install everyply[plot]") from None
    return pyplot.subplots()[1]


def compare(table: Table, axes: Axes | None = None, *, column: str = "nodes") -> Axes:
    """Plots a column of the Table of `compare` by depth, on a logarithmic scale: a line for each
    algorithm.

    axes: the axes to draw on; new ones for None.
    """
    axes = _axes(axes)
    names = table["algorithm"].tolist()
    for name in dict.fromkeys(names):
        chosen = [row for row, other in enumerate(names) if other == name]
        axes.plot(table["depth"][chosen], table[column][chosen], marker="o", label=name)
    axes.set_yscale("log")
    axes.set_xlabel("depth")
    axes.set_ylabel(column)
    axes.legend()
    return axes


def plies(of: Solution[Any, Any] | Table, axes: Axes | None = None) -> Axes:
    """Plots the positions of every ply, by outcome for the side to move if it is known.

    of: a Solution, or the Table of `count` or of `Solution.plies`.
    axes: the axes to draw on; new ones for None.
    """
    import numpy as np

    axes = _axes(axes)
    table: Any = of if hasattr(of, "columns") else of.plies
    at = table["ply"]
    if np.ma.is_masked(table["wins"]):
        axes.bar(at, table["positions"], color=OUTCOMES["draws"])
    else:
        below: Any = np.zeros(len(at))
        for name, colour in OUTCOMES.items():
            axes.bar(at, table[name], bottom=below, color=colour, label=name)
            below = below + table[name]
        axes.legend()
    axes.set_xlabel("ply")
    axes.set_ylabel("positions")
    return axes


def remoteness(solution: Solution[Any, Any], axes: Axes | None = None) -> Axes:
    """Plots the canonical positions of a Solution by their plies to the end: wins, draws and losses
    for the side to move. Endless play is left out.

    axes: the axes to draw on; new ones for None.
    """
    import numpy as np

    axes = _axes(axes)
    table: Any = solution.to_arrow()
    plies_left = np.ma.filled(table["remoteness"], -1)
    most = int(plies_left.max(initial=0))
    below: Any = np.zeros(most + 1)
    for (name, colour), sign in zip(OUTCOMES.items(), (1, 0, -1), strict=True):
        chosen = plies_left[(table["outcome"] == sign) & (plies_left >= 0)]
        counts = np.bincount(chosen, minlength=most + 1)
        axes.bar(np.arange(most + 1), counts, bottom=below, color=colour, label=name)
        below = below + counts
    axes.set_xlabel("plies to the end")
    axes.set_ylabel("positions up to symmetry")
    axes.legend()
    return axes
