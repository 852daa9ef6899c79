"""A plan of small units in a folder, made on a cluster by `python toy_plan.py FOLDER WORKERS`.

It behaves as a board does, forward and then backward: unit n of tier t of the first half is made
from its neighbours in tier t - 1; in the second half from its neighbours in the tier before, and
from its own of the first half. The last tier is the result.
"""

import errno
import json
import sys
import time
import zlib
from argparse import Namespace
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

WIDTH, TIERS = 6, 8
LATE = (TIERS - 1) * WIDTH


@lru_cache(None)
def inputs(unit: int) -> list[int]:
    tier, place = divmod(unit, WIDTH)
    if tier == 0:
        return []
    near = [(tier - 1) * WIDTH + (place + step) % WIDTH for step in (-1, 0, 1)]
    if tier >= TIERS // 2:
        near.append((TIERS - 1 - tier) * WIDTH + place)
    return sorted(set(near))


@lru_cache(None)
def truth(unit: int) -> int:
    return zlib.crc32(json.dumps([unit, *map(truth, inputs(unit))]).encode())


def data(folder: Path, unit: int) -> Path:
    return folder / f"unit-{unit:03}"


def write(path: Path, text: str) -> None:
    new = path.with_name(f".{path.name}-{time.monotonic_ns()}")
    new.write_text(text)
    new.replace(path)


def read(folder: Path, unit: int) -> int | None:
    """The number of a unit; None if it is missing or damaged."""
    try:
        number, check = data(folder, unit).read_text().split()
    except (OSError, ValueError):
        return None
    return int(number) if check == f"{zlib.crc32(number.encode()):08x}" else None


def make_unit(folder: Path, unit: int) -> Any:
    from everyply.cluster._units import Damaged

    if (folder / "full").exists() and unit >= LATE:
        raise OSError(errno.ENOSPC, "no space left in the store")
    if (folder / f"unit-{unit:03}.summary").exists():
        return "made"
    time.sleep(0.05)
    found = []
    for needed in inputs(unit):
        number = read(folder, needed)
        if number is None:
            return Damaged(needed)
        found.append(number)
    number = zlib.crc32(json.dumps([unit, *found]).encode())
    write(data(folder, unit), f"{number} {zlib.crc32(str(number).encode()):08x}")
    write(folder / f"unit-{unit:03}.summary", "made")
    return "made"


class ToyPlan:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __len__(self) -> int:
        return TIERS * WIDTH

    def inputs(self, unit: int) -> list[int]:
        return inputs(unit)

    def is_result(self, unit: int) -> bool:
        return unit >= LATE

    def exists(self, unit: int) -> bool:
        return data(self.folder, unit).exists()

    def name(self, unit: int) -> str:
        return data(self.folder, unit).name

    def bytes(self, unit: int) -> int:
        return 1

    def made(self) -> list[int]:
        return [int(path.stem[5:]) for path in self.folder.glob("unit-*.summary")]

    def task(self, unit: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return make_unit, (self.folder, unit)

    def discard(self, unit: int) -> None:
        data(self.folder, unit).unlink(missing_ok=True)

    def forget(self, unit: int) -> None:
        (self.folder / f"unit-{unit:03}.summary").unlink(missing_ok=True)
        self.discard(unit)

    def finish(self) -> Any:
        from everyply.cluster._units import Damaged

        numbers = [read(self.folder, unit) for unit in range(LATE, len(self))]
        for unit, number in enumerate(numbers, LATE):
            if number is None:
                return Damaged(unit)
        write(self.folder / "result", json.dumps(numbers))
        return None


def main(folder: Path, workers: int) -> None:
    import toy_plan

    from everyply.cluster._clusters import connected
    from everyply.cluster._make import make
    from everyply.cluster._progress import Progress

    args = Namespace(scheduler=None, cluster=None, workers=workers, worker_threads=1)
    progress = Progress(wanted=False)
    with connected(args, progress) as client:
        # By its own name, which workers import.
        make(client, toy_plan.ToyPlan(folder), progress)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
