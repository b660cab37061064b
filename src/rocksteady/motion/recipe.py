"""Processing steps as text: the same on the command line and in a motion's history."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rocksteady.errors import InputError
from rocksteady.motion import components, floors, processing, scaling
from rocksteady.motion.motion import Motion, takes_motion
from rocksteady.motion.provenance import Recipes, Step, bound, parse_options
from rocksteady.motion.provenance import command_line as _command_line

Pair: TypeAlias = tuple[Motion, Motion]


def _scale_to_file(
    motion: Motion, path: str, shortest: float, longest: float, damping: float = 0.05
) -> Motion:
    periods, psa = scaling.read_spectrum(path)
    return scaling.scale_to_spectrum(motion, periods, psa, shortest, longest, damping)


STEPS: Recipes = {
    "baseline": (processing.baseline, (str, int)),
    "lowpass": (processing.lowpass, (float, int)),
    "highpass": (processing.highpass, (float, int)),
    "bandpass": (processing.bandpass, (float, float, int)),
    "taper": (processing.taper, (str, float, float)),
    "pad": (processing.pad, (float, float)),
    "resample": (processing.resample, (float,)),
    "trim": (processing.trim, (float, float)),
    "stretch": (processing.stretch, (float,)),
    "similarity": (processing.similarity, (float,)),
    "scale": (scaling.scale, (float,)),
    "mirror": (processing.mirror, ()),
    "floor": (floors.floor, (float, float, int, int)),
    "floor-modes": (floors.floor_modes, (str,)),
    "scale-to": (scaling.scale_to, (str, float, float, float)),
    "scale-to-spectrum": (_scale_to_file, (str, float, float, float)),
}
"""The steps that a command line or a history can ask for."""


def _rotate_to(x: Motion, y: Motion, what: str, period: float = 0.0, damping: float = 0.05) -> Pair:
    if what == "pulse":
        return components.to_pulse(x, y)
    if what.startswith("rotd") and what[4:].isdecimal():
        return components.to_rotd(x, y, float(what[4:]), period, damping)
    raise InputError(f"cannot rotate to {what!r}: choose pulse, rotd50 or rotd100.")


PAIR_STEPS: Recipes = {
    "rotate": (components.rotate, (float,)),
    "rotate-to": (_rotate_to, (str, float, float)),
}
"""The steps that take two components and give two."""


def process(motion: Motion, work: Iterable[Step] | Sequence[str]) -> Motion:
    """The motion after these steps, in order.

    ``work`` holds steps, or the words of a command line: ``["--baseline", "poly,2", "--mirror"]``.
    """
    for one in as_steps(work):
        if one.name not in PAIR_STEPS:
            motion = bound(one, (motion,), STEPS)
        elif motion.transverse is None:
            raise InputError(f"{one} needs two components: give two files, or one with two.")
        else:
            motion = components.join(*bound(one, components.split(motion), PAIR_STEPS))
    return motion


def process_pair(x: Motion, y: Motion, work: Iterable[Step] | Sequence[str]) -> Pair:
    """Two components after these steps: each step is applied to both, a rotation to the pair."""
    for one in as_steps(work):
        if one.name in PAIR_STEPS:
            x, y = bound(one, (x, y), PAIR_STEPS)
        else:
            x, y = bound(one, (x,), STEPS), bound(one, (y,), STEPS)
    return x, y


def as_steps(work: Iterable[Step] | Sequence[str]) -> tuple[Step, ...]:
    """The steps, parsed if they are the words of a command line."""
    if not isinstance(work, Iterable):
        raise InputError(f"{work!r} is not a list of steps: give words, as in ['--mirror'].")
    given = list(work)
    ready = tuple(one for one in given if isinstance(one, Step))
    if len(ready) == len(given):
        return ready
    return parse_options([str(word) for word in given], (*STEPS, *PAIR_STEPS))


@takes_motion
def command_line(motion: Motion, *files: str) -> str:
    """The command that makes this motion again from the file, or two files, it came from.

    >>> from rocksteady.motion.processing import bandpass, taper
    >>> shaking = taper(bandpass(Motion([0.0, 1.0, -1.0, 0.0], 0.01), 0.1, 25.0), "cosine", 0.01)
    >>> command_line(shaking, "record.AT2")
    'rocksteady motion process record.AT2 --bandpass 0.1,25,4 --taper cosine,0.01'
    """
    return _command_line(motion, files, (*STEPS, *PAIR_STEPS))
