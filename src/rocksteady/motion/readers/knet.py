"""K-NET and KiK-net files: 17 lines of header, then counts that a scale factor turns into gal.

The counts include the instrument's offset, which can be far larger than the shaking. The mean is
removed, as NIED does for the ``Max. Acc.`` of the header, and kept in ``meta["offset"]`` [m/s²].
``Record Time`` is 15 s after the first sample: the delay of the trigger.
"""

import re

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import Peak, require_peak
from rocksteady.motion.readers.common.motions import motion, without_offset
from rocksteady.motion.readers.common.numbers import numbers
from rocksteady.motion.readers.common.options import Options, settled_dt, settled_unit, step_of
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import azimuth_of, iso_time, number_in

NAME = "K-NET/KiK-net"

PRE_TRIGGER = 15.0  # s
_HEADER_LINES = 17
_TIME = ("%Y/%m/%d %H:%M:%S", 9.0)  # form, and hours ahead of UTC
_KEYS = (
    "Origin Time", "Lat.", "Long.", "Depth. (km)", "Mag.", "Station Code", "Station Lat.",
    "Station Long.", "Station Height(m)", "Record Time", "Sampling Freq(Hz)", "Duration Time(s)",
    "Dir.", "Scale Factor", "Max. Acc. (gal)", "Last Correction", "Memo.",
)  # fmt: skip
# KiK-net numbers its six sensors: 1 to 3 at the bottom of the hole, 4 to 6 at the surface.
_SENSORS = {"1": "NS1", "2": "EW1", "3": "UD1", "4": "NS2", "5": "EW2", "6": "UD2"}


def sniff(source: Source) -> bool:
    """The first key, and the scale factor."""
    return source.head.startswith("Origin Time") and "\nScale Factor" in source.head


def read(source: Source, options: Options) -> dict[str, Motion]:
    """The file's one motion: ``E-W``, ``N-S``, ``U-D``, or ``EW2`` and so on for KiK-net."""
    header = _header(source)
    rate = number_in(header["Sampling Freq(Hz)"]) or 0.0
    line = 1 + _KEYS.index("Sampling Freq(Hz)")
    if rate <= 0:
        raise source.failure(f"Sampling Freq(Hz) is {header[_KEYS[line - 1]]!r}.", line)
    dt = settled_dt(source, step_of(rate), options, line)
    settled_unit(source, "gal", options)
    counts = numbers(source, source.start_of(_HEADER_LINES + 1)).values
    declared = (number_in(header["Duration Time(s)"]) or 0.0) * rate
    if not abs(declared - counts.size) < 0.5:
        stated = f"{header['Duration Time(s)']} s of {rate:g} Hz, that is {declared:.0f} samples"
        raise source.cut(stated, str(counts.size), 1 + _KEYS.index("Duration Time(s)"))
    accel, offset = without_offset(counts * (_scale(source, header["Scale Factor"]) * 0.01))
    peak = Peak(header["Max. Acc. (gal)"], "gal", 1 + _KEYS.index("Max. Acc. (gal)"))
    require_peak(source, accel, peak)
    direction = header["Dir."]
    component = _SENSORS.get(direction, direction) or source.path.stem
    at = {"1": "downhole", "2": "surface"}.get(component[-1])
    meta = {
        "unit": "gal",
        "origin_time": iso_time(header["Origin Time"], *_TIME),
        "magnitude": number_in(header["Mag."]),
        "station": header["Station Code"],
        "component": component,
        "azimuth": azimuth_of(component[:2] if at else component),
        "location": at,
        "start_time": iso_time(header["Record Time"], *_TIME, -PRE_TRIGGER),
        "pre_trigger": PRE_TRIGGER,
        "offset": offset,
        "memo": header["Memo."],
    }
    return {component: motion(source, accel, dt, meta)}


def _header(source: Source) -> dict[str, str]:
    """The 17 values by key, each of which must be in its line."""
    lines = source.header(1, _HEADER_LINES)
    lines += [""] * (_HEADER_LINES - len(lines))
    header = {}
    for number, (key, line) in enumerate(zip(_KEYS, lines, strict=True), start=1):
        if not line.startswith(key):
            raise source.failure(f"should begin with {key!r}.", number)
        header[key] = line[len(key) :].strip()
    return header


def _scale(source: Source, text: str) -> float:
    """gal in one count, from ``7845(gal)/8223790``."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*\(gal\)\s*/\s*(\d+(?:\.\d+)?)", text)
    if not match or float(match[2]) == 0 or float(match[1]) == 0:
        raise source.failure(
            f"the scale factor {text[:40]!r} is not like '7845(gal)/8223790'.",
            1 + _KEYS.index("Scale Factor"),
        )
    return float(match[1]) / float(match[2])
