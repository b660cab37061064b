"""COSMOS strong-motion files, versions 1.00 and 1.20 (.V0c, .V1, .V1C, .V2c): one or more channels.

Each channel has lines of text, 100 integers, 100 real numbers and comments (the lines above them
say how many), then its data: ``13400 acceleration pts, ... units=g. (02)Format=(8f9.6)``.
``End-of-data`` or ``/&`` ends it. The raw counts of volume 0 are scaled by the 22nd real number
[µV per count] and the 42nd [V per g]; their mean is removed and kept in ``meta["offset"]``.

Version 1.00, that of the Strong-Motion Virtual Data Center, has another table of real numbers: the
step is above the data (``at 200 pts/sec``) and the peak among the text.
"""

import re
from typing import Any

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import Peak, peak_in, require_duration, require_peak
from rocksteady.motion.readers.common.motions import motion, one_after_the_other, without_offset
from rocksteady.motion.readers.common.numbers import numbers
from rocksteady.motion.readers.common.options import Options, in_si, settled_dt, step_of
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import azimuth_of, band, found_in, squeezed
from rocksteady.motion.units import GRAVITY_UNIT, unit_factor
from rocksteady.numbers import NUMBER
from rocksteady.numerics.types import Array

NAME = "COSMOS"

_FIRST = re.compile(
    r"\(Format v\s*(?P<version>[\d.]+) with\s+(?P<lines>\d{1,3})\s+text lines", re.I
)
_BLOCK = re.compile(
    r"\s*(\d{1,9})\s+.*follow on\s+(\d{1,5})\s+lines,\s*Format\s*=?\s*\(\d+[IFEG](\d+)", re.I
)
_COMMENTS = re.compile(r"\s*(\d{1,5})\s+Comment line", re.I)
_DATA = re.compile(
    r"\s*(\d{1,18})\s+(?:raw\s+)?(\w+)\.?\s+pts.*units\s*=\s*([^(,]*?)\s*(?:\((\d+)\))?\s*,?\s*"
    r"Format\s*=\s*\(\d+[IFEG](\d+)",
    re.I,
)


_RATE = re.compile(r"\b(\d{1,6}(?:\.\d*)?)\s*pts\s*/\s*sec", re.I)
_MAX = re.compile(
    r"^Max\s*[:=]\s*(?P<value>[-+.\dE]+)\s*(?P<unit>[A-Z][\w/^*]*)[\s,]*"
    r"(?:at\s*(?P<time>[\d.]+)\s*sec)?",
    re.I,
)
_PROCESSED = re.compile(r"^Processed\b.*?\b" + _MAX.pattern[1:], re.I)
_ENDS = ("end-of-data", "/&")  # of a channel
_UNKNOWN = -999.0


def sniff(source: Source) -> bool:
    """The first line says how many lines of text there are."""
    return _FIRST.search(source.head.split("\n", 1)[0]) is not None


def read(source: Source, options: Options) -> dict[str, Motion]:
    """One motion per channel, named by direction (360, Up) or by channel code (BNZ)."""
    return one_after_the_other(source, options, _channel)


def _channel(source: Source, first: int, options: Options) -> tuple[Motion, int]:
    """The channel whose header begins in line ``first``, and the line after it."""
    match = _matched(source, first, _FIRST, "(Format v01.20 with 13 text lines)")
    old = match["version"].lstrip("0").startswith("1.0")
    text = source.header(first, first + int(match["lines"]) - 1)
    line = first + int(match["lines"])
    integers, line = _block(source, line)
    reals, line = _block(source, line)
    count = int(_matched(source, line, _COMMENTS, "1 Comment line(s) follow")[1])
    comments = source.header(line + 1, line + count)
    line += count + 1
    data = _matched(source, line, _DATA, "1000 acceleration pts, units=g (02)Format=(8f9.6)")
    if len(reals) < 62:
        raise source.failure(f"has {len(reals)} real-header values: the 62nd is dt.", line)
    rate = _RATE.search(data[0]) if old else None
    stated = step_of(float(rate[1])) if rate else float(f"{reals[61] / 1000:.12g}")  # from ms
    dt = settled_dt(source, stated, options, line)
    found = numbers(source, source.start_of(line + 1), int(data[1]), int(data[5]))
    accel, unit, offset = _accelerations(source, found.values, data, reals, dt, line, options)
    length = found_in(data[0], rf"\bapprox\.? +({NUMBER}) +sec", re.I)
    require_duration(source, length, accel.size, dt, options, line)
    if not old and reals[62] != _UNKNOWN:
        require_duration(source, f"{reals[62]:g}", accel.size, dt, options, line)
    if unit != "counts":
        words = _MAX if old else _PROCESSED
        require_peak(source, accel, peak_in(text, words, first), accel.size * dt)
    if old:
        integers, reals = integers[:0], reals[:0]  # other tables, of which no more is known
    after = source.line_at(max(found.end - 1, 0)) + 1
    ends = old and not source.content[found.end :].strip()
    if not ends and not "".join(source.header(after, after)).lower().startswith(_ENDS):
        raise source.failure(
            f"the {data[1]} numbers declared in line {line} end here, and no 'End-of-data' "
            "follows: the file is damaged.",
            after - 1,
        )
    meta = {"unit": unit, **_facts(text, comments, integers, reals)}
    return motion(source, accel, dt, meta | {"offset": offset}, several=True), after + 1


def _accelerations(
    source: Source,
    values: Array,
    data: re.Match[str],
    reals: Array,
    dt: float,
    line: int,
    options: Options,
) -> tuple[Array, str, float | None]:
    """Accelerations [m/s²], their unit, and the offset [m/s²] removed from counts; their largest
    must be that of the header."""
    kind = {"v": "velocity", "d": "displacement"}.get(data[2][0].lower(), "acceleration")
    counts = data[3].lower().startswith("count")
    if counts:
        scale, unit = _counts(source, reals, line, options), "counts"
        accel = values * scale
    else:
        accel, unit = in_si(source, values, dt, data[3], options, kind)
        if kind != "acceleration":
            return accel, unit, None
        scale = unit_factor(unit)
    if len(reals) > 64 and reals[63] != _UNKNOWN:
        time = float(reals[64]) if reals[64] != _UNKNOWN else None
        peak = Peak(f"{reals[63] * scale:.6g}", "m/s2", line, time)
        require_peak(source, accel, peak, accel.size * dt)
    if counts:
        accel, offset = without_offset(accel)
        return accel, unit, offset
    return accel, unit, None


def _counts(source: Source, reals: Array, line: int, options: Options) -> float:
    """m/s² in one count: as the caller says, or by the recorder's step and the sensor's volts."""
    if options.unit is not None:
        raise source.failure(f"holds counts, not {options.unit}: leave unit= out.", line)
    if options.sensitivity is not None:
        return 1 / options.sensitivity
    microvolts, volts_per_g, gain = (float(reals[place]) for place in (21, 41, 46))
    if not (microvolts > 0 and volts_per_g > 0 and gain in (1.0, _UNKNOWN)):
        raise source.failure(
            "holds counts, and the header does not say what they are: give sensitivity= [counts "
            "per m/s²], or use the record's volume 1 or 2.",
            line,
        )
    return microvolts * 1e-6 / volts_per_g * GRAVITY_UNIT


def _matched(source: Source, line: int, pattern: re.Pattern[str], like: str) -> re.Match[str]:
    words = "".join(source.header(line, line))
    match = pattern.search(words)
    if match is None:
        begin = words[:40]
        raise source.failure(f"a line like {like!r} should be here, not {begin!r}.", line)
    return match


def _block(source: Source, line: int) -> tuple[Array, int]:
    """The header numbers announced in ``line``, and the line after them."""
    match = _matched(source, line, _BLOCK, "100 Real-header values follow on 17 lines")
    found = numbers(source, source.start_of(line + 1), int(match[1]), int(match[3]))
    return found.values, line + 1 + int(match[2])


def _facts(text: list[str], comments: list[str], integers: Array, reals: Array) -> dict[str, Any]:
    words, remarks = "\n".join(text), "\n".join(comments)
    channel = (
        found_in(words, r"Sta Chan?\s*:?\s*\S+?\s*:\s*(.*?)\s*\(")
        or found_in(words, r"Sta Cha\s*:\s*\d+ +(\S[^(\n]*?)\s*\(")
        or ""
    )
    direction = re.sub(r"\s*deg\w*$", "", channel, flags=re.I)
    if not direction or direction.lower() in ("other", "unknown"):
        direction = found_in(remarks, r"<SCNL>\s*[^.\s]+\.([^.\s]+)") or "1"
    azimuth = azimuth_of(direction)
    if azimuth is None and len(integers) > 53 and 1 <= integers[53] <= 360:
        azimuth = float(integers[53])
    low, high = (reals[i] if len(reals) > i and reals[i] > 0 else None for i in (53, 56))
    return {
        "event": found_in(words, r"^Re?co?rd of\s+(.*?)\s*$", re.M | re.I)
        or squeezed("".join(text[1:2])),
        "origin_time": found_in(words, r"^Origin:\s*(\d.*?)\s*(?:Owner:.*)?$"),
        "station": found_in(words, r"Code:\s*(\S+)\s") or found_in(words, r"^Station:\s*(\S+)"),
        "station_name": found_in(words, r"Code:\s*\S+\s+(.*?)\s*$"),
        "component": direction,
        "azimuth": azimuth,
        "start_time": found_in(words, r"^(?i:Rcrd start time):\s*(.*?)\s*(?:\(|RcrdId|$)"),
        "filter": band(low, high) or found_in(words, r"^(Record (?:not )?filtered.*?)\s*$"),
    }
