"""A store as a labelled dataset; read at once if it is small, when asked for if it is large."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.ensembles.histories import kept_variables
from rocksteady.ensembles.layout import AXES
from rocksteady.ensembles.plan import Part
from rocksteady.ensembles.store import Store
from rocksteady.errors import DamagedFileError, InputError
from rocksteady.files import as_path
from rocksteady.status import FALLEN

if TYPE_CHECKING:
    import xarray

READ_AT_ONCE = 10_000_000  # runs: half a gigabyte


def open_ensemble(folder: str | Path, *, verify: bool = True) -> "xarray.Dataset":
    """The results in a store, as :func:`rocksteady.ensemble` returned them.

    Of more than ten million runs a variable is read from the disk only where it is looked at:
    ``data.peak[0].values`` reads the parts that hold the first system.

    Every file is compared with its digest first. ``verify=False`` reads files that were edited
    since, as far as they can be read.
    """
    return dataset_of(open_store(folder, verify=verify))


def open_store(folder: str | Path, *, verify: bool = True) -> Store:
    """The store in ``folder``; an error where runs are missing or damaged."""
    store = Store.open(as_path(folder, "the folder of a store"), verify=verify)
    if damaged := store.damaged():
        more = f" So are {len(damaged) - 1} other parts." if len(damaged) > 1 else ""
        raise DamagedFileError(
            f"{damaged[0]}{more} Give the command that made the store again: it makes only what is "
            "damaged or missing. With verify=False the files are read as they are."
        )
    missing = store.plan.runs - store.done()
    if missing:
        raise InputError(
            f"{folder} is not complete: {missing} of {store.plan.runs} runs are missing. Give the "
            "same command again: it makes only those."
        )
    return store


def check_ensemble(data: Any) -> None:
    """An error unless ``data`` is what :func:`rocksteady.ensemble` returns, or some of it."""
    import xarray

    if not isinstance(data, xarray.Dataset):
        raise InputError(
            f"{_shown(data)} is not an ensemble: give what rs.ensemble or rs.open_ensemble "
            "returned."
        )
    known = "status" in data and "system_type" in data.attrs
    if not known or data["status"].dims not in (AXES, ("run",)):
        raise InputError(
            "This dataset is not an ensemble over system, motion and scale, or over run: give what "
            "rs.ensemble or rs.open_ensemble returned, or a selection that keeps the axes, as "
            "data.isel(system=[0]) does."
        )
    if not data["status"].size:
        raise InputError("This ensemble has no runs: the selection from it was empty.")


def _shown(thing: Any) -> str:
    """A value in one line, for error messages."""
    text = repr(thing)
    return text if len(text) <= 60 and "\n" not in text else f"A {type(thing).__name__}"


def dataset_of(
    store: Store, at_once: int = READ_AT_ONCE, *, histories: bool = True
) -> "xarray.Dataset":
    """The dataset of a complete store."""
    names = store.layout.quantities
    if store.plan.runs <= at_once:
        columns: dict[str, Any] = {
            name: np.concatenate([store.read(name, part) for part in store.plan]) for name in names
        }
    else:
        columns = {name: _lazy(store, name) for name in names}
        columns["fell"] = _lazy(store, "status", lambda status: np.isin(status, FALLEN), bool)
    data = store.layout.dataset(columns)
    told = store.manifest["notes"].get("warnings", [])
    if told:
        data = data.assign_attrs(warnings=json.dumps(told, ensure_ascii=False))
    if not histories:
        return data
    return data.assign(kept_variables(store))


def _lazy(
    store: Store, name: str, convert: Callable[[Any], Any] = lambda values: values, kind: Any = None
) -> Any:
    """A column that xarray reads piecemeal. It needs neither Dask nor another file format: which
    runs are wanted says which parts to open."""
    from xarray.backends.common import BackendArray
    from xarray.core import indexing

    class OnDisk(BackendArray):
        shape = store.layout.shape
        dtype = np.dtype(kind or store.layout.quantities[name].dtype)

        def __getitem__(self, key: Any) -> Any:
            return indexing.explicit_indexing_adapter(
                key, self.shape, indexing.IndexingSupport.OUTER, self._read
            )

        def _read(self, key: tuple[Any, ...]) -> Any:
            axes = [np.arange(n)[k] for n, k in zip(self.shape, key, strict=True)]
            numbers = np.ravel_multi_index(np.ix_(*map(np.atleast_1d, axes)), self.shape)
            values = convert(read_runs(store, name, numbers.ravel()))
            return values.reshape([len(axis) for axis in axes if np.ndim(axis)])

    return indexing.LazilyIndexedArray(OnDisk())


def read_runs(store: Store, name: str, numbers: Any) -> Any:
    """One column of these runs, from the parts that hold them."""
    size, runs = store.plan.size, store.plan.runs
    values = np.empty(len(numbers), dtype=store.layout.quantities[name].dtype)
    home = numbers // size
    for part in np.unique(home):
        start = int(part) * size
        here = home == part
        column = store.read(name, Part(start, min(start + size, runs)))
        values[here] = column[numbers[here] - start]
    return values
