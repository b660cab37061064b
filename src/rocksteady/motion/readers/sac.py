"""SAC binary files, read by ObsPy. The format does not state a unit: the caller does.

Its header may say what the samples are (IDEP: displacement, velocity, acceleration); velocities are
refused unless they are to be differentiated. The mean, a sensor's offset or gravity, is removed and
kept in ``meta["offset"]`` [m/s²].
"""

import math
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common import obspy
from rocksteady.motion.readers.common.agreement import require_duration
from rocksteady.motion.readers.common.motions import motion, without_offset
from rocksteady.motion.readers.common.options import Options, in_si, settled_dt
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import azimuth_of
from rocksteady.motion.units import ACCELERATIONS
from rocksteady.numerics.types import Array

NAME = "SAC"

_HEADER, _FOOTER = 632, 176  # bytes; version 7 may end with a footer
_DELTA, _VERSION, _NPTS = 0, 304, 316  # where they stand
_UNKNOWN = -12345
_TOLERANCE = 0.005  # of the largest sample
_IDEP = {6: "displacement", 7: "velocity"}  # 8 is acceleration, 5 and others unknown
_ASKS = (
    "no unit is stated, as in any SAC file: say which it is, unit='m/s2' for example (one of "
    f"{', '.join(ACCELERATIONS)}), or, for a sensor's counts, how many make one m/s², as in "
    "sensitivity=427000."
)


def sniff(source: Source) -> bool:
    """The header's version number and time step, in either order of bytes."""
    return _order(source.raw) is not None


def read(source: Source, options: Options) -> dict[str, Motion]:
    """The file's one motion, under its channel (HNE)."""
    raw = source.raw
    npts = struct.unpack_from((_order(raw) or "<") + "i", raw, _NPTS)[0]
    if len(raw) - _HEADER - 4 * npts not in (0, _FOOTER):
        raise source.cut(f"{npts} samples", str(max(len(raw) - _HEADER, 0) // 4))
    found = obspy.traces(source, "SAC")
    if len(found) != 1:
        raise source.failure(f"has {len(found)} traces, where SAC has one.")
    stats = found[0].stats
    header = {
        key: value for key, value in stats.get("sac", {}).items() if value not in (_UNKNOWN, "")
    }
    # The step is a 32-bit number: 0.02 comes out as 0.0199999996.
    dt = settled_dt(source, float(f"{stats.delta:.6g}"), options, 0)
    data = obspy.samples(source, found[0])
    _require_agreement(source, header, data, dt, options)
    obspy.refuse_both(source, options)
    if options.sensitivity is not None:
        accel, unit = data / options.sensitivity, "counts"
    else:
        quantity = _IDEP.get(header.get("idep", 0), "acceleration")
        if quantity == "acceleration" and options.unit is None:
            raise source.failure(_ASKS)
        accel, unit = in_si(source, data, dt, None, options, quantity)
    accel, offset = without_offset(accel)
    component = stats.channel or source.path.stem
    vertical = float(header.get("cmpinc", 90)) < 45
    azimuth = None if vertical else header.get("cmpaz", azimuth_of(component))
    meta = {
        "unit": unit,
        "event": str(header.get("kevnm", "")).strip(),
        "magnitude": header.get("mag"),
        "component": component,
        "azimuth": float(azimuth) if azimuth is not None else None,
        **obspy.facts(stats, offset),
    }
    return {component: motion(source, accel, dt, meta)}


def _require_agreement(
    source: Source, header: Mapping[str, Any], data: Array, dt: float, options: Options
) -> None:
    """An error unless begin, end and extremes in the header are those of the samples."""
    begin, end = (float(header.get(key, math.nan)) for key in "be")
    if math.isfinite(end - begin) and end > begin:
        printed = f"{end - begin:.6g}"  # of 32-bit numbers
        require_duration(source, printed, data.size, dt, options)
    if not data.size:
        return
    for key, value in (("depmin", data.min()), ("depmax", data.max())):
        stated = float(header.get(key, math.nan))
        if math.isfinite(stated) and abs(stated - value) > _TOLERANCE * np.abs(data).max():
            raise source.failure(
                f"the header states {key.upper()} = {stated:g}, but that of its samples is "
                f"{value:g}: one of them is wrong. Get the file from its archive again."
            )


def _order(raw: bytes) -> str | None:
    """The order of bytes under which ``raw`` is a SAC header, or None."""
    if len(raw) < _HEADER:
        return None
    for order in "<>":
        version, npts = (struct.unpack_from(f"{order}i", raw, at)[0] for at in (_VERSION, _NPTS))
        delta = struct.unpack_from(f"{order}f", raw, _DELTA)[0]
        if version in (6, 7) and npts >= 0 and math.isfinite(delta) and -12345 <= delta < 1e6:
            return order
    return None
