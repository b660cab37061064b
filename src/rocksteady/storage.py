"""Save a response: NetCDF for programs, CSV for people. Files are written whole or not at all.

Both contain everything that is needed to repeat the run: histories, events, the whole motion
(including the part after a fall), and a description of body, theory and motion.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import registry
from rocksteady.digests import BLANK, KEY, check_file, sealed
from rocksteady.engine.drivers import EVENT_FIELDS
from rocksteady.errors import DamagedFileError, InputError, OtherVersionError
from rocksteady.files import write_whole
from rocksteady.marks import mark
from rocksteady.motion import Motion
from rocksteady.names import csv_text, shown
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.status import Status
from rocksteady.version import environment, version

if TYPE_CHECKING:
    import xarray

_ABOUT = "about"
GROUND = {"a_h": "accel", "a_v": "vertical", "a_t": "transverse"}
"""The names of the motion's components in files."""


# -- contents -----------------------------------------------------------------------------------


def to_dataset(response: Response) -> "xarray.Dataset":
    """Histories over ``time``, events over ``event``; units as attributes. If the motion
    outlasts the run, the whole motion over ``motion_sample``."""
    import xarray

    variables: dict[str, Any] = {}
    for i, label in enumerate(response.columns):
        name, _, unit = label.rstrip("]").partition(" [")
        variables[name] = ("time", response.states[:, i], {"units": unit})
    for label, values in response.derived.items():
        name, _, unit = label.rstrip("]").partition(" [")
        variables[name] = ("time", values, {"units": unit})
    variables["energy"] = ("time", response.energy, {"units": "J"})
    for name, samples in _ground(response).items():
        at_samples = samples[: len(response.states)]
        variables[name] = ("time", at_samples, {"units": "m/s2"})
        if len(samples) > len(at_samples):
            variables[f"motion_{name}"] = ("motion_sample", samples, {"units": "m/s2"})
    for i, field in enumerate(EVENT_FIELDS):
        variables[f"event_{field}"] = ("event", response.events[:, i])
    return xarray.Dataset(
        variables,
        coords={"time": ("time", response.time, {"units": "s"})},
        attrs={
            "title": "rocksteady response",
            "source": mark(),
            "rocksteady": json.dumps(_description(response)),
        },
    )


def _ground(response: Response) -> dict[str, Array]:
    """The motion's accelerations by name [m/s²], followed by zeros if the run outlasts them."""
    missing = max(len(response.states) - len(response.motion), 0)
    own = response.motion.components
    return {
        name: np.concatenate([own[role], np.zeros(missing)])
        for name, role in GROUND.items()
        if role in own
    }


def _description(response: Response) -> dict[str, Any]:
    """Everything about a response except its arrays."""
    from rocksteady.specs import BodySpec, TheorySpec  # imported late: a run does not need pydantic
    from rocksteady.specs.motion_sources import kept_meta

    motion = response.motion
    return {
        "version": version(),
        "environment": environment(),
        "status": response.status.name,
        "peak": response.peak,
        "dt": motion.dt,
        "samples": len(response.states),
        "shaken": len(motion),  # samples; then the ground stops
        "motion": motion.name,
        "meta": kept_meta(motion),
        "system": BodySpec.of(response.system).described(),
        "formulation": TheorySpec.of(response.formulation).described(),
        **({"warnings": response.warnings} if response.warnings else {}),
    }


def _restore(
    about: dict[str, Any],
    history: Callable[[str], Array],
    events: Any,
    ground: Callable[[str], Array],
) -> Response:
    from rocksteady.specs import BodySpec, TheorySpec
    from rocksteady.specs.motion_sources import restored_meta

    how = TheorySpec.checked(about["formulation"]).build()
    body = BodySpec.checked(about["system"]).build()
    accel, vertical, transverse = (_or_none(ground, name, about["shaken"]) for name in GROUND)
    if accel is None:
        raise ValueError("it contains no motion")
    meta = restored_meta(about.get("meta", {}))
    return Response(
        system=body,
        motion=Motion(accel, about["dt"], vertical, transverse, about["motion"], meta),
        formulation=how,
        states=np.stack([history(label) for label in how.columns(body)], axis=1),
        events=np.asarray(events, float).reshape(-1, len(EVENT_FIELDS)),
        status=Status[about["status"]],
        warnings=tuple(about.get("warnings", ())),
    )


def _or_none(ground: Callable[[str], Array], name: str, shaken: int) -> Array | None:
    """A component of the motion, or None if the file does not have it."""
    try:
        return ground(name)[:shaken]
    except (KeyError, ValueError):
        return None


# -- files --------------------------------------------------------------------------------------


def save(response: Response, path: Path) -> Path:
    """Write a response to ``path``: NetCDF (.nc) or text (.csv)."""
    if path.suffix == ".nc":
        return write_whole(path, as_netcdf(response))
    if path.suffix == ".csv":
        return write_whole(path, as_csv(response))
    shown = path.name or str(path)
    raise InputError(f"Cannot save a response as {shown!r}: use a name ending in .nc or .csv.")


def load(path: Path, *, verify: bool = True, allow_modules: Iterable[str] = ()) -> Response:
    """Read a response that :func:`save` wrote."""
    if path.is_dir():
        raise InputError(f"{path} is a folder: give a file in it, .nc or .csv.")
    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    try:
        if verify:
            check_file(path)
        with registry.allow_modules(*allow_modules):
            return _load_csv(path) if path.suffix == ".csv" else _load_netcdf(path)
    except (DamagedFileError, OtherVersionError) as error:
        raise type(error)(f"{error} With verify=False it is read as it is.") from error
    except Exception as error:  # of a file that was not checked nearly any
        raise InputError(
            f"{path} is not a complete rocksteady response ({error}). Response.save writes "
            "responses to .nc or .csv."
        ) from error


# -- NetCDF -------------------------------------------------------------------------------------


def as_netcdf(response: Response) -> bytes:
    """The file in memory."""
    return netcdf_of(to_dataset(response))


def netcdf_of(data: "xarray.Dataset") -> bytes:
    """A dataset of numbers as a sealed file in memory: HDF5 crashes if it writes to a full disk
    itself."""
    import h5netcdf

    memory = io.BytesIO()
    with h5netcdf.File(memory, "w") as file:
        file.dimensions = dict(data.sizes)
        file.attrs.update({**data.attrs, KEY: BLANK})
        for name, values in data.variables.items():
            kept = file.create_variable(name, values.dims, data=values.values)
            kept.attrs.update(values.attrs)
    return sealed(memory.getvalue())


def _load_netcdf(path: Path) -> Response:
    import xarray

    with xarray.open_dataset(path, engine="h5netcdf") as data:
        data.load()

    def ground(name: str) -> Array:
        whole = f"motion_{name}"
        return np.asarray(data[whole if whole in data else name].values)

    return _restore(
        json.loads(data.attrs["rocksteady"]),
        lambda label: data[label.split(" [")[0]].values,
        np.stack([data[f"event_{field}"].values for field in EVENT_FIELDS], axis=1),
        ground,
    )


# -- CSV ----------------------------------------------------------------------------------------


def as_csv(response: Response) -> bytes:
    """A title line, a header and a row per sample, with the events in columns of their own and the
    description in the last column. A motion that outlasts the run continues in further rows.
    """
    motion, n = response.motion, len(response.states)
    columns: dict[str, Any] = {"time [s]": np.arange(max(n, len(motion))) * motion.dt}
    columns |= dict(zip(response.columns, response.states.T, strict=True))
    columns |= response.derived
    columns["energy [J]"] = response.energy
    columns |= {f"{name} [m/s2]": samples for name, samples in _ground(response).items()}
    columns |= dict(zip(_event_labels(response.columns), response.events.T, strict=True))
    about = {**_description(response), "events": len(response.events)}
    name = " ".join(motion.name.split())[:60] or "a motion"
    title = f"# {mark()}, {BLANK}: {shown(response.system.label)} under {shown(name)}, by "
    title += f"{response.formulation.name}: {response.status}\n"
    values = [column.tolist() for column in columns.values()]
    rows = zip_longest(*values, [json.dumps(about)], fillvalue="")
    return sealed((title + csv_text([[*columns, _ABOUT], *rows])).encode())


def _event_labels(columns: tuple[str, ...]) -> list[str]:
    """Names with units; coordinate and rate have those of the first two columns of the state."""
    coordinate, rate = (label.partition(" [")[2].rstrip("]") for label in columns[:2])
    units = {"time": "s", "kind": "-", "coordinate": coordinate}
    return [f"event {field} [{units.get(field, rate)}]" for field in EVENT_FIELDS]


def _load_csv(path: Path) -> Response:
    with path.open(encoding="utf-8", newline="") as file:
        first = file.readline()
        if not first.startswith("# written by rocksteady"):
            raise ValueError("its first line is not that of a response")
        text = file.read()
    if not text.endswith("\n"):
        raise ValueError("its last line is truncated")
    labels, *rows = csv.reader(io.StringIO(text))
    table = dict(zip(labels, zip(*rows, strict=True), strict=True))
    about = json.loads(table[_ABOUT][0])
    if len(rows) < max(about["samples"], about["shaken"], about["events"]):
        raise ValueError("its last lines are missing")

    def column(label: str, count: int) -> Array:
        return np.asarray(table[label][:count], float)

    events = [label for label in table if label.startswith("event ")]
    return _restore(
        about,
        lambda label: column(label, about["samples"]),
        np.stack([column(label, about["events"]) for label in events], axis=1),
        lambda name: column(f"{name} [m/s2]", about["shaken"]),
    )
