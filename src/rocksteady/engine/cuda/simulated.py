"""Numba's simulator in the place of a GPU: the loops run as Python, on arrays of NumPy.

It is for tests (``NUMBA_ENABLE_CUDASIM=1``) and has what `driver.Gpu` has; nothing is ever under
way, so streams and events have nothing to do.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


class SimulatedGpu:
    simulated = True
    name, multiprocessors, capability = "Numba's simulator of a GPU", 1, (0, 0)

    def current(self) -> Any:
        return _Nothing()

    def synchronize(self) -> None:
        pass

    def array(self, shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
        return np.empty(shape, dtype=kind)

    def page_locked(self, size: int, kind: Any) -> NDArray[Any]:
        return np.empty(size, dtype=kind)

    def send(self, values: NDArray[Any], there: NDArray[Any], stream: Any = None) -> None:
        np.copyto(there, values)

    def fetch(self, there: NDArray[Any], values: NDArray[Any], stream: Any) -> None:
        np.copyto(values, there)

    def launch(
        self, function: Any, grid: tuple[int, int], stream: Any, shared: int, args: Any
    ) -> None:
        function[(*grid, 0, shared)](*args)

    def stream(self) -> Any:
        return _Nothing()

    def event(self) -> Any:
        return _Nothing()


class _Nothing:
    """A stream, or an event, of work that is done at once."""

    def record(self, stream: Any) -> None:
        pass

    def synchronize(self) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        pass
