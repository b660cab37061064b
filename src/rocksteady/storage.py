"""Keep a response on disk: NetCDF for programs, CSV for people. Whole files or none."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import __version__
from rocksteady.engine.drivers import EVENT_FIELDS
from rocksteady.errors import InputError
from rocksteady.files import write_whole
from rocksteady.formulations import formulation_named
from rocksteady.motion import Motion
from rocksteady.response import Response, Status
from rocksteady.systems import SYSTEMS

if TYPE_CHECKING:
    import xarray

_CSV_MARK = "# rocksteady response "


# -- what is kept -------------------------------------------------------------------------------


def to_dataset(response: Response) -> xarray.Dataset:
    """Histories over ``time``, events over ``event``; units as attributes."""
    import xarray

    def named(label: str) -> tuple[str, dict[str, str]]:
        name, _, unit = label.rstrip("]").partition(" [")
        return name, {"units": unit}

    variables: dict[str, Any] = {}
    for i, label in enumerate(response.columns):
        name, attributes = named(label)
        variables[name] = ("time", response.states[:, i], attributes)
    variables["energy"] = ("time", response.energy, {"units": "J"})
    a_h, a_v = response.ground
    variables["a_h"] = ("time", a_h, {"units": "m/s2"})
    if response.motion.vertical is not None:
        variables["a_v"] = ("time", a_v, {"units": "m/s2"})
    for i, field in enumerate(EVENT_FIELDS):
        variables[f"event_{field}"] = ("event", response.events[:, i])
    return xarray.Dataset(
        variables,
        coords={"time": ("time", response.time, {"units": "s"})},
        attrs={"title": "rocksteady response", "rocksteady": json.dumps(_description(response))},
    )


def _description(response: Response) -> dict[str, Any]:
    """Everything about a response but its numbers."""
    return {
        "version": __version__,
        "status": response.status.name,
        "peak": response.peak,
        "dt": response.motion.dt,
        "shaken": min(len(response.motion), len(response.states)),  # samples; then the ground stops
        "motion": response.motion.name,
        "system": {"type": type(response.system).__name__, **dataclasses.asdict(response.system)},
        "formulation": {
            "type": response.formulation.name,
            **dataclasses.asdict(response.formulation),  # type: ignore[call-overload]
        },
    }


def _restore(
    about: dict[str, Any], columns: Callable[[str], Any], events: Any, vertical: Any
) -> Response:
    system = {k: v for k, v in about["system"].items() if k != "type"}
    formulation = {k: v for k, v in about["formulation"].items() if k != "type"}
    how = formulation_named(about["formulation"]["type"])(**formulation)
    body = SYSTEMS[about["system"]["type"]](**system)
    states = np.stack([columns(label) for label in how.columns(body)], axis=1)
    return Response(
        system=body,
        motion=Motion(
            columns("a_h [m/s2]")[: about["shaken"]],
            about["dt"],
            None if vertical is None else vertical[: about["shaken"]],
            about["motion"],
        ),
        formulation=how,
        states=states,
        events=np.asarray(events, float).reshape(-1, len(EVENT_FIELDS)),
        status=Status[about["status"]],
    )


# -- files --------------------------------------------------------------------------------------


def save(response: Response, path: Path) -> Path:
    """Write a response to ``path``: NetCDF (.nc) or text (.csv)."""
    if path.suffix == ".nc":
        dataset = to_dataset(response)
        return write_whole(path, lambda part: dataset.to_netcdf(part, engine="h5netcdf"))
    if path.suffix == ".csv":
        return write_whole(path, lambda part: part.write_text(_csv(response), encoding="utf-8"))
    raise InputError(f"Cannot save a response as {path.name!r}: use a name ending in .nc or .csv.")


def load(path: Path) -> Response:
    """Read a response that :func:`save` wrote."""
    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    try:
        return _load_csv(path) if path.suffix == ".csv" else _load_netcdf(path)
    except (KeyError, ValueError, OSError, TypeError, IndexError) as error:
        raise InputError(
            f"{path} is not a whole response of this program ({error}). Responses are written by "
            "Response.save to .nc or .csv."
        ) from error


def _load_netcdf(path: Path) -> Response:
    import xarray

    with xarray.open_dataset(path, engine="h5netcdf") as data:
        data.load()
    events = np.stack([data[f"event_{field}"].values for field in EVENT_FIELDS], axis=1)
    return _restore(
        json.loads(data.attrs["rocksteady"]),
        lambda label: data[label.split(" [")[0]].values,
        events,
        data["a_v"].values if "a_v" in data else None,
    )


def _csv(response: Response) -> str:
    """One comment line with the description and the events, a header, and a row per sample."""
    a_h, a_v = response.ground
    labels = ["time [s]", *response.columns, "energy [J]", "a_h [m/s2]"]
    columns = [response.time, *response.states.T, response.energy, a_h]
    if response.motion.vertical is not None:
        labels.append("a_v [m/s2]")
        columns.append(a_v)
    about = {**_description(response), "events": response.events.tolist()}
    text = io.StringIO()
    text.write(_CSV_MARK + json.dumps(about) + "\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(labels)
    writer.writerows(np.stack(columns, axis=1).tolist())
    return text.getvalue()


def _load_csv(path: Path) -> Response:
    with path.open(encoding="utf-8") as file:
        first = file.readline()
        if not first.startswith(_CSV_MARK):
            raise ValueError("its first line does not describe a response")
        about = json.loads(first.removeprefix(_CSV_MARK))
        labels = next(csv.reader(file))
        table = np.loadtxt(file, delimiter=",", ndmin=2)

    def column(label: str) -> Any:
        return np.ascontiguousarray(table[:, labels.index(label)])

    vertical = column("a_v [m/s2]") if "a_v [m/s2]" in labels else None
    return _restore(about, column, about["events"], vertical)
