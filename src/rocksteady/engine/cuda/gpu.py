"""Which GPU there is, and whether it can be used."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from functools import cache
from importlib.util import find_spec
from typing import Any

import numba

from rocksteady.engine.cuda.driver import Gpu, GpuError, number_in_use
from rocksteady.engine.cuda.simulated import SimulatedGpu

ADVICE = 'Use backend="cpu", which gives the same results.'
INSTALL = 'pip install "rocksteady[cuda]"'


_one_at_a_time = threading.Lock()


def get_ready() -> Future[Any]:
    """Have the GPU get ready, which takes a third of a second, while the caller does something
    else."""
    with _one_at_a_time:
        return _getting_ready()


@cache
def _getting_ready() -> Future[Any]:
    future: Future[Any] = Future()

    def get(number: int) -> None:
        try:
            future.set_result(Gpu(number))
        except Exception as error:
            future.set_exception(error)

    if numba.config.ENABLE_CUDASIM:
        future.set_result(SimulatedGpu())
        return future
    try:
        number = number_in_use()
        threading.Thread(target=get, args=[number], name="rocksteady: GPU", daemon=True).start()
    except GpuError as error:
        future.set_exception(error)
    return future


def the_gpu() -> Any:
    """The GPU that is used, a `Gpu` or what stands for one; `GpuError` where there is none."""
    return get_ready().result()


def available() -> tuple[bool, str]:
    """Whether ``backend="cuda"`` can run here, and a sentence that says on what, or why not."""
    try:
        gpu = the_gpu()
    except GpuError as error:
        return False, (
            "No NVIDIA GPU can be used here: none was found, or its driver is missing. "
            f"{error} {ADVICE}"
        )
    if gpu.simulated:
        return True, f"{gpu.name}: for tests of a few runs."
    if find_spec("numba_cuda") is None:
        return False, (
            f"numba-cuda, which compiles for a GPU, is not installed. Install it with {INSTALL}. "
            f"{ADVICE}"
        )
    return True, f"{gpu.name} with {gpu.multiprocessors} multiprocessors."
