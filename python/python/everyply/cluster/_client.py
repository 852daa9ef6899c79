"""Tasks sent to workers, and their results."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar
from uuid import uuid4

from distributed import Client, Future, KilledWorker
from distributed.comm import CommClosedError

from everyply.cluster._problem import Problem
from everyply.cluster._tasks import WrongVersion

Tag = TypeVar("Tag")

# Workers that may be lost with one piece or unit before it counts as the cause.
DEATHS = 20
# Seconds that a result, which is small, may take from its worker to the driver.
FETCH = 5.0
# Seconds between two checks of the workers.
CHECK = 1.0


class Lost:
    """Result of a task whose worker is lost."""


class Tasks(Generic[Tag]):
    """Tasks sent to workers, each with a tag for the driver."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._name = uuid4().hex[:8]
        self._submitted = 0
        # Each with its intended worker.
        self._out: dict[Future, tuple[Tag, str]] = {}
        self._ended: SimpleQueue[Future] = SimpleQueue()
        self._lost: list[Tag] = []
        self._workers: dict[str, int] = {}
        self._checked = -CHECK

    def __len__(self) -> int:
        return len(self._out) + len(self._lost)

    def workers(self) -> dict[str, int]:
        """Returns the workers with their threads, refreshed every second."""
        now = time.monotonic()
        if now - self._checked >= CHECK:
            self._check()
            with _reporting_loss():
                self._workers = self._client.nthreads()
            self._checked = now
            self._give_up()
        return self._workers

    def _give_up(self) -> None:
        """Takes back the tasks whose workers are lost. Dask gives them to others, but not if there
        was a moment without workers.
        """
        gone = [future for future, (_, worker) in self._out.items() if worker not in self._workers]
        self._lost += [self._out.pop(future)[0] for future in gone]
        if gone:
            with _reporting_loss():
                self._client.cancel(gone, force=True)

    def idle(self, tasks: int | None = None) -> list[str]:
        """Returns the workers with fewer tasks than `tasks`, or than threads for None."""
        busy = Counter(worker for _, worker in self._out.values())
        workers = self.workers().items()
        return [worker for worker, threads in workers if busy[worker] < (tasks or threads)]

    def submit(self, tag: Tag, worker: str, task: Callable[..., Any], *args: Any) -> None:
        """Sends a task to a worker; another one may do it."""
        self._submitted += 1
        key = f"everyply-{self._name}-{self._submitted}"
        with _reporting_loss():
            future = self._client.submit(
                task, *args, key=key, pure=False, workers=[worker], allow_other_workers=True
            )
        self._out[future] = tag, worker
        future.add_done_callback(self._ended.put)

    def next(self) -> tuple[Tag, Any] | None:
        """Returns a task that has ended, and its result or Lost; None if no task has ended for a
        while. Raises the exception of the task.
        """
        if self._lost:
            return self._lost.pop(), Lost()
        try:
            future = self._ended.get(timeout=CHECK / 2)
        except Empty:
            self._check()
            return None
        if future not in self._out:
            # It was taken back.
            return None
        tag, _ = self._out.pop(future)
        if future.status == "cancelled":
            # Dask cancels the tasks of a scheduler that is lost.
            raise _gone()
        try:
            # Dask does a task again whose result is lost with its worker; some are done by then.
            return tag, future.result(timeout=FETCH)
        except KilledWorker:
            return tag, Lost()
        except CancelledError:
            # The scheduler was lost after the check of the status.
            raise _gone() from None
        except (TimeoutError, asyncio.TimeoutError, CommClosedError):
            # The worker with the result is lost, or the scheduler, which the next call reports.
            with _reporting_loss():
                self._client.cancel([future], force=True)
            return tag, Lost()
        except WrongVersion as error:
            raise Problem(f"a worker cannot help: {error}; install the same on all") from None
        except ImportError as error:
            raise Problem(
                f"a worker cannot help: {error}; pip install 'everyply[cluster]' there"
            ) from None
        except MemoryError as error:
            raise Problem(f"a worker has not enough memory: {error}") from None
        finally:
            future.release()

    def _check(self) -> None:
        if self._client.status != "running":
            raise _gone()


@contextmanager
def _reporting_loss() -> Iterator[None]:
    """Reports exceptions of a lost connection as the loss of the scheduler."""
    try:
        yield
    except (OSError, RuntimeError, asyncio.TimeoutError):
        raise _gone() from None


def _gone() -> Problem:
    return Problem(
        "the scheduler is gone; finished work is stored, and the same command continues from there"
    )
