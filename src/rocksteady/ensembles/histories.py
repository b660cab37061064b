"""Full histories of a few chosen runs."""

import operator
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.bodies.units import split_unit
from rocksteady.digests import digest
from rocksteady.ensembles.store import Store
from rocksteady.ensembles.study import Study
from rocksteady.errors import DamagedFileError, InputError, held_back, what_it_is
from rocksteady.files import write_durably
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.storage import as_netcdf, load

if TYPE_CHECKING:
    import xarray

MOST_KEPT = 10_000

Keep = Iterable[int] | Callable[[Any], Any] | None


def checked(keep: Keep, runs: int) -> Keep:
    """``keep``, or an error before the first of so many runs is made."""
    if keep is None or (callable(keep) and not isinstance(keep, type)):
        return keep
    try:
        numbers = [operator.index(number) for number in keep]  # type: ignore[union-attr]
    except TypeError:
        raise InputError(
            f"keep is {what_it_is(keep)}, which is not allowed: give the numbers of runs, as in "
            "[0, 17], or a function of the results, as in lambda data: data.peak > 1."
        ) from None
    bad = [number for number in numbers if not 0 <= number < runs]
    if bad:
        raise InputError(f"keep: there is no run {bad[0]}; the runs are 0 to {runs - 1}.")
    _check_count(len(numbers))
    return list(dict.fromkeys(numbers))


def chosen(keep: Keep, data: "xarray.Dataset") -> list[int]:
    """The numbers of the runs to keep: as given, or where ``keep(data)`` is true."""
    if not callable(keep):
        return list(keep or ())
    where = np.asarray(keep(data)).ravel()
    if where.dtype != bool or len(where) != data["peak"].size:
        raise InputError(
            "keep(data) must be true or false for every run, as in lambda data: data.peak > 1."
        )
    _check_count(int(where.sum()))
    return np.flatnonzero(where).tolist()


def _check_count(count: int) -> None:
    if count > MOST_KEPT:
        raise InputError(
            f"keep: {count} histories are too many, at most {MOST_KEPT} are kept. Choose fewer; "
            "any run can be made again by rs.simulate."
        )


def respond(study: Study, number: int) -> Response:
    """One run in full."""
    system, motion = study.run(number)
    with held_back():  # given when the study was made
        return simulate(system, motion, study.formulation, until=study.until)


def keep_in(store: Store, study: Study, numbers: list[int]) -> None:
    """Write the histories that are not there yet, and again those that are damaged or missing; then
    list them in the manifest."""
    listed = dict(store.histories)
    for number in sorted({*numbers, *map(number_of, listed)}):
        path = store.folder / "histories" / f"{number:012d}.nc"
        if not _is_sound(path, listed.get(path.name)):
            content = as_netcdf(respond(study, number))
            write_durably(path, content)
            listed[path.name] = digest(content)
    store.list_histories(listed)


def number_of(name: str) -> int:
    """The number of the run whose history has this file name."""
    return int(name.partition(".")[0])


def _is_sound(path: Path, listed: str | None) -> bool:
    try:
        check_history(path, listed)
    except DamagedFileError:
        return False
    return True


def check_history(path: Path, listed: str | None) -> None:
    """An error unless this file is the one that the manifest lists by its digest."""
    try:
        damaged = digest(path.read_bytes()) != listed
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        why = "is missing" if missing else f"cannot be read: {error.strerror or error}"
        raise DamagedFileError(f"{path} {why}.") from error
    if damaged:
        raise DamagedFileError(f"{path} is not as it was written: its digest does not match.")


def kept_variables(store: Store) -> dict[str, Any]:
    """All histories that the manifest lists, as variables."""
    every = {}
    for name, listed in store.histories.items():
        path = store.folder / "histories" / name
        try:
            if store.verify or not path.exists():
                check_history(path, listed)
            every[number_of(name)] = load(path, verify=store.verify)
        except InputError as error:
            raise type(error)(
                f"{error} Give the command that made the store again: it makes only what is "
                "damaged or missing."
            ) from error
    return history_variables(every)


def history_variables(responses: dict[int, Response]) -> dict[str, Any]:
    """``history_theta(kept, sample)`` and so on, padded with NaN; ``kept`` are run numbers."""
    if not responses:
        return {}
    every = list(responses.values())
    longest = max(len(response.states) for response in every)
    numbers = np.array(list(responses))
    kept: dict[str, Any] = {"kept": ("kept", numbers, {"long_name": "run number"})}

    def keep(name: str, columns: list[Any], **about: str) -> None:
        padded = np.full((len(columns), longest), np.nan)
        for row, column in zip(padded, columns, strict=True):
            row[: len(column)] = column
        kept[f"history_{name}"] = (("kept", "sample"), padded, about)

    keep("time", [response.time for response in every], units="s")
    moved = "floor" if "floor" in every[0].motion.meta else "ground"
    horizontal = f"horizontal acceleration of the {moved}"
    keep("ground", [one.ground[0] for one in every], units="m/s2", long_name=horizontal)
    for i, label in enumerate(every[0].columns):
        name, unit = split_unit(label)
        keep(name.replace(" ", "_"), [response.states[:, i] for response in every], units=unit)
    return kept
