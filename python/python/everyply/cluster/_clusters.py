"""Sources of workers: this machine, an existing scheduler, or a batch system."""

import asyncio
import importlib
import importlib.util
import logging
import os
import warnings
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dask
from distributed import Client, LocalCluster

from everyply.cluster._problem import Problem
from everyply.cluster._progress import Progress

# Workers that may die with a task before Dask gives it up. Its default of 3 suits faulty tasks;
# here machines are at fault.
ALLOWED_FAILURES = 100
# Seconds to wait for a scheduler.
PATIENCE = 10
# Attempts to start the workers of this machine: Dask gives up if one of them is killed meanwhile.
ATTEMPTS = 3
# Listens on this machine alone.
DASHBOARD = "localhost:8787"


@contextmanager
def connected(args: Namespace, progress: Progress) -> Iterator[Client]:
    """Yields a client with the workers of the command line; workers started for it end with it."""
    _be_quiet()
    dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_FAILURES})
    cluster = None if args.scheduler else _started(args)
    client = _client(args.scheduler or cluster)
    try:
        if client.dashboard_link and _has_dashboard(client):
            progress.say(f"dashboard  {client.dashboard_link}")
        yield client
    finally:
        _end(client, cluster)


def _end(client: Client, cluster: Any) -> None:
    """Ends running tasks, in a few seconds even if workers hang."""
    try:
        # Tasks check ten times a second whether they are still needed.
        if client.status == "running":
            client.cancel(list(client.futures.values()), force=True)
        client.close(timeout=1)
        if cluster is not None:
            cluster.close(timeout=2)
    except (OSError, RuntimeError, asyncio.TimeoutError):
        # Local workers end with this process, others once their scheduler is lost.
        pass


def _be_quiet() -> None:
    """Silences Dask's messages about lost workers, which are expected."""
    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] in ("distributed", "tornado", "bokeh"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    # A port that is taken.
    warnings.filterwarnings("ignore", module="distributed")


def _client(address: Any) -> Client:
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except OSError as error:
        raise Problem(
            f"--scheduler {address}: no scheduler answers ({error}); `dask scheduler` starts one"
        ) from None


def _has_dashboard(client: Client) -> bool:
    services = client.scheduler_info(n_workers=0).get("services", {})
    # Without bokeh the page of a scheduler only says that bokeh is missing.
    return "dashboard" in services and importlib.util.find_spec("bokeh") is not None


def _started(args: Namespace) -> Any:
    if args.cluster:
        return _slurm(args)
    return _local(args.workers or os.cpu_count() or 1, args.worker_threads)


def _local(workers: int, threads: int) -> LocalCluster:
    """Starts worker processes on this machine. Their memory is mostly their table, which must not
    trigger Dask's memory limits.
    """
    has_dashboard = importlib.util.find_spec("bokeh") is not None
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return LocalCluster(
                n_workers=workers,
                threads_per_worker=threads,
                processes=True,
                memory_limit=0,
                dashboard_address=DASHBOARD if has_dashboard else None,
                silence_logs=logging.CRITICAL,
                preload=["everyply.cluster._tasks"],
            )
        except (OSError, RuntimeError, asyncio.TimeoutError) as error:
            if attempt == ATTEMPTS:
                raise Problem(
                    f"{workers} worker processes could not be started ({_cause(error)}): "
                    "run the same command again, or give fewer --workers"
                ) from None
    raise AssertionError("unreachable")


def _cause(error: BaseException) -> str:
    """Returns the first reason of an error, in a line."""
    while error.__cause__ is not None:
        error = error.__cause__
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def _slurm(args: Namespace) -> Any:
    try:
        jobqueue = importlib.import_module("dask_jobqueue")
    except ImportError as error:
        raise Problem(f"--cluster slurm: {error}; pip install 'everyply[slurm]'", 2) from None
    given: dict[str, Any] = {}
    if args.workers:
        given = {"processes": args.workers, "cores": args.workers * args.worker_threads}
    if args.memory:
        given["memory"] = args.memory
    try:
        cluster = jobqueue.SLURMCluster(**given)
    except ValueError as error:
        raise Problem(
            f"--cluster slurm: {error}; set them under jobqueue.slurm in "
            "~/.config/dask/jobqueue.yaml, or give --workers and --memory",
            2,
        ) from None
    cluster.scale(jobs=args.nodes)
    return cluster
