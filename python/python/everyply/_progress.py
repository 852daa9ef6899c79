"""Progress bars, by tqdm if it is installed."""

from collections.abc import Callable


def bar(unit: str) -> Callable[[int, int], None]:
    """Returns a function of (done, total) that draws a bar in a notebook or a terminal."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True draws with tqdm: pip install everyply[progress]") from None
    drawn = tqdm(unit=f" {unit}")

    def draw(done: int, total: int) -> None:
        drawn.total = total or None
        drawn.update(done - drawn.n)
        if done == total:
            drawn.close()

    return draw
