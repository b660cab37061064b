"""Reading with ObsPy, an optional extra: miniSEED and SAC."""

import io
import re
from importlib import import_module
from typing import Any

import numpy as np

from rocksteady.extras import needs
from rocksteady.motion.readers.common.options import Options
from rocksteady.motion.readers.common.source import Source
from rocksteady.numerics.types import Array


def traces(source: Source, form: str) -> list[Any]:
    """The traces in a file of ObsPy's format ``form``, joined where one follows another."""
    try:
        obspy = import_module("obspy")
    except ImportError as error:
        raise source.failure(f"is a {form} file, and reading those {needs('obspy')}") from error
    try:
        stream = obspy.read(io.BytesIO(source.raw), format=form)
        for trace in stream:  # one number type, so that the parts of a channel can be joined
            trace.data = np.asarray(trace.data, dtype=np.float64)
        stream.merge(method=0)
    except Exception as error:  # ObsPy raises whatever its parts do
        reason = re.sub(r"\s+", " ", str(error))[:200]
        raise source.failure(
            f"cannot be read as {form}: {type(error).__name__}: {reason}"
        ) from error
    return list(stream)


def facts(stats: Any, offset: float) -> dict[str, Any]:
    """What a trace's header says about the station and its first sample."""
    names = {key: stats[key] for key in ("network", "station", "location")}
    return {**names, "start_time": str(stats.starttime), "offset": offset}


def refuse_both(source: Source, options: Options) -> None:
    """An error if the caller gave both a sensitivity and a unit."""
    if options.sensitivity is not None and options.unit is not None:
        raise source.failure("was given both sensitivity= and unit=: leave one out.")


def samples(source: Source, trace: Any) -> Array:
    """A trace's data without gaps, or an error that says where the first gap is."""
    if np.ma.isMaskedArray(trace.data):
        at = int(np.argmax(np.ma.getmaskarray(trace.data))) * trace.stats.delta
        raise source.failure(
            f"{trace.id} has a gap {at:g} s after its start: fill or cut it first."
        )
    data: Array = np.asarray(trace.data, dtype=np.float64)
    return data
