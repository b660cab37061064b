"""miniSEED, read by ObsPy: counts, which a StationXML file beside it turns into accelerations.

The counts are divided by the channel's overall sensitivity; the instrument's response is not
deconvolved. Their mean is removed and kept in ``meta["offset"]`` [m/s²]. Without a StationXML file,
give ``sensitivity=`` (counts per m/s²), or ``unit=`` for samples that are accelerations.
"""

import io
import re
from importlib import import_module
from typing import Any

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common import obspy
from rocksteady.motion.readers.common.motions import motion, without_offset
from rocksteady.motion.readers.common.options import Options, in_si, settled_dt, step_of
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import azimuth_of

NAME = "miniSEED"

_QUANTITIES = {"m/s**2": "acceleration", "m/s": "velocity", "m": "displacement"}
_SI = {"acceleration": "m/s2", "velocity": "m/s", "displacement": "m"}


def sniff(source: Source) -> bool:
    """A record's sequence number and quality; miniSEED 3 begins with MS and its version."""
    head = source.raw[:8]
    return head[:3] == b"MS\x03" or re.fullmatch(rb"[0-9 \0]{6}[DRQM][ \0]", head) is not None


def read(source: Source, options: Options) -> dict[str, Motion]:
    """One motion per channel, named by its code (HNE), or in full if codes repeat."""
    found = obspy.traces(source, "MSEED")
    codes = [trace.stats.channel for trace in found]
    motions = {}
    for trace in found:
        code = trace.stats.channel
        name = code if code and codes.count(code) == 1 else trace.id
        motions[name] = _motion(source, trace, name, len(found) == 1, options)
    if not motions:
        raise source.failure("has no samples.")
    return motions


def _motion(source: Source, trace: Any, name: str, alone: bool, options: Options) -> Motion:
    stats = trace.stats
    counts = obspy.samples(source, trace)
    dt = settled_dt(source, step_of(float(stats.sampling_rate)), options, 0)
    sensitivity, quantity, azimuth = _response(source, trace, options)
    unit = None if sensitivity is None else _SI[quantity]
    checked = options if sensitivity is None else Options(differentiate=options.differentiate)
    accel, unit = in_si(source, counts / (sensitivity or 1.0), dt, unit, checked, quantity)
    accel, offset = without_offset(accel)
    meta = {
        "unit": unit if sensitivity is None else "counts",
        "component": stats.channel,
        "azimuth": azimuth if azimuth is not None else azimuth_of(stats.channel),
        "sensitivity": sensitivity,
        **obspy.facts(stats, offset),
    }
    made = motion(source, accel, dt, meta, several=not alone)
    return made if alone or name == stats.channel else made.renamed(f"{source.path.stem} {name}")


def _response(
    source: Source, trace: Any, options: Options
) -> tuple[float | None, str, float | None]:
    """Counts per SI unit (None: the samples are in ``options.unit``), of what, and the azimuth."""
    obspy.refuse_both(source, options)
    if options.sensitivity is not None:
        return options.sensitivity, "acceleration", None
    if options.unit is not None:
        return None, "acceleration", None
    read_inventory = import_module("obspy").read_inventory
    for name, content in source.neighbours():
        try:
            inventory = read_inventory(io.BytesIO(content), format="STATIONXML")
            response = inventory.get_response(trace.id, trace.stats.starttime)
            overall = response.instrument_sensitivity
            value, units = float(overall.value), str(overall.input_units).lower()
        except Exception:  # not this station's, or no StationXML: another may be
            continue
        if units not in _QUANTITIES or not value:
            raise source.failure(
                f"{name} gives {trace.id} a sensitivity of {value:g} counts per {units!r}: those "
                "known are counts per m/s**2, m/s or m."
            )
        return value, _QUANTITIES[units], _azimuth(inventory, trace)
    raise source.failure(
        f"holds counts of {trace.id}, and no StationXML file (*.xml) beside it knows that channel: "
        "put one there, or say how many counts make one m/s², as in sensitivity=427000. If the "
        "samples are accelerations already, say their unit, as in unit='m/s2'."
    )


def _azimuth(inventory: Any, trace: Any) -> float | None:
    try:
        orientation = inventory.get_orientation(trace.id, trace.stats.starttime)
        return None if abs(orientation["dip"]) > 45 else float(orientation["azimuth"])
    except Exception:  # not stated
        return None
