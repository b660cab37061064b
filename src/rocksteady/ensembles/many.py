"""What every study of many runs offers, so that it can be planned, stored, resumed and shared.

A study is a number of runs over labelled axes and a function from run numbers to columns. Whoever
has these gets progress, a store that survives a crash, and a cluster from
:func:`rocksteady.ensembles.run.run_many`. `Study` (systems × motions × scales) is one; portfolios
and the time-step campaign are others.
"""

import math
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocksteady.ensembles.digests import digest
from rocksteady.ensembles.layout import Layout, Table
from rocksteady.errors import InputError
from rocksteady.numerics.fingerprint import fingerprint
from rocksteady.theories.contract import Quantity
from rocksteady.version import version

Index = NDArray[np.int64]
Columns = dict[str, NDArray[Any]]
Report = Callable[[int, int], Any]
"""Called with how many runs are done, and all."""
BACKENDS = ("cpu", "cuda")
PRECISIONS = ("float64", "float32")


class ManyRuns(ABC):
    """Runs over labelled axes, numbered with the last axis changing fastest. It is sent to workers
    as it is, so it must be possible to pickle it."""

    uses_all_cores: ClassVar[bool] = True
    """Whether one part keeps all cores busy; if not, several parts are computed at a time."""
    title: ClassVar[str] = "rocksteady study"
    backend: str
    """``"cpu"``, or ``"cuda"``: a GPU."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What computes the runs, for error messages."""

    @property
    @abstractmethod
    def axes(self) -> tuple[str, ...]:
        """Names of the axes."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""

    @property
    @abstractmethod
    def part_size(self) -> int:
        """How many consecutive runs form a part: what is computed, stored or lost together. It
        must not depend on the machine."""

    @abstractmethod
    def quantities(self) -> dict[str, Quantity]:
        """What is kept of each run."""

    @abstractmethod
    def inputs(self) -> dict[str, Table]:
        """What lies along each axis: columns with their units."""

    @abstractmethod
    def description(self) -> dict[str, Any]:
        """Everything that decides the numbers, in a form for JSON."""

    @abstractmethod
    def kernels(self) -> Iterable[Callable[..., Any]]:
        """The compiled functions that compute the runs."""

    @abstractmethod
    def compute(self, numbers: Index) -> Columns:
        """The quantities of the runs with these numbers, which are those of one part."""

    @property
    def at_once(self) -> bool:
        """Whether many parts are quicker in one go, and :meth:`compute_all` and
        :meth:`compute_parts` are there for it."""
        return False

    def compute_all(self, report: Report) -> Columns:
        """The quantities of all runs; ``report`` is called now and then."""
        raise NotImplementedError

    def compute_parts(self, parts: Any, deliver: Callable[[Any, Columns], Any]) -> None:
        """Those of consecutive parts: ``deliver(part, columns)`` is called when one is done."""
        raise NotImplementedError

    def layout(self) -> Layout:
        """Everything about the results but their numbers."""
        return Layout(self.shape, self.axes, self.inputs(), self.quantities(), self.about())

    def about(self) -> dict[str, Any]:
        """Attributes of the results."""
        return {"title": self.title, "rocksteady_version": version()}

    def labels(self, numbers: Index) -> Columns:
        """What identifies these runs in a table: their places along the axes."""
        return dict(zip(self.axes, np.unravel_index(numbers, self.shape), strict=True))

    def __len__(self) -> int:
        return math.prod(self.shape)

    @cached_property
    def step(self) -> str:
        """Digest of the compiled functions, all their source included."""
        return self.program()

    def program(self) -> str:
        """The same digest, as this process computes it: a worker may have another version."""
        found = [fingerprint(getattr(kernel, "py_func", kernel)) for kernel in self.kernels()]
        return found[0] if len(found) == 1 else digest(*found)


def check_backend(backend: str, precision: str = "float64") -> None:
    """An error unless there is such a backend and it computes with this precision."""
    for name, value, allowed in (
        ("backend", backend, BACKENDS),
        ("precision", precision, PRECISIONS),
    ):
        if value not in allowed:
            raise InputError(f"{name} = {value!r} is not known: choose from {allowed}.")
    if precision != "float64" and backend != "cuda":
        raise InputError(
            f"precision = {precision!r} is for backend='cuda': a processor computes in float64."
        )


def get_gpu_ready(backend: str) -> None:
    """Have the GPU, if the backend is one, get ready while its work is prepared; and xarray, which
    takes as long."""
    if backend == "cuda":
        from rocksteady.engine.cuda.gpu import get_ready

        get_ready()
        if "xarray" not in sys.modules:
            threading.Thread(target=import_module, args=["xarray"]).start()


def need_gpu(backend: str) -> None:
    """An error if the backend is a GPU and there is none that can be used."""
    if backend == "cuda":
        from rocksteady.engine.cuda import batch as cuda

        able, why = cuda.available()
        if not able:
            raise InputError(why)


def batch_engine(backend: str, precision: str = "float64", *, name: str = "batch_peaks") -> Any:
    """A batch loop of the backend: that of `rocksteady.engine.batch` with this name, or a GPU's."""
    if backend == "cpu":
        from rocksteady.engine import batch

        return getattr(batch, name)
    from rocksteady.engine.cuda import batch as cuda

    return partial(getattr(cuda, name), precision=precision)
