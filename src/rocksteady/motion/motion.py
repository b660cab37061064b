"""The ground motion: acceleration against time, and nothing about where it came from."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.motion._between import peak_velocity
from rocksteady.motion._checks import FloatArray, exact, samples, steps
from rocksteady.motion._resample import resample
from rocksteady.numbers import finite, positive

_Function = TypeVar("_Function", bound=Callable[..., Any])
_DOWNWARDS = re.compile(r"\+?(?:down|dwn|dn)|-(?:up?|[zv])", re.I)  # components in archives' words


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Motion:
    """A ground motion: acceleration at equal time steps, **linear between samples**.

    Immutable; the arrays are read-only copies. Before its first sample and after its last one
    the ground does not accelerate. Two motions are equal when their samples and ``dt`` are:
    ``name`` and ``meta`` are labels and do not count.

    Parameters
    ----------
    accel
        Horizontal ground acceleration a_h [m/s²], at least two samples.
    dt
        Time step [s].
    vertical
        Vertical ground acceleration a_v, positive upwards [m/s²], as many samples as ``accel``.
    name
        A label for figures and tables.
    meta
        Anything worth remembering. ``meta["history"]`` lists what was done to the motion.

    Examples
    --------
    >>> motion = Motion([0.0, 1.0, -2.0, 0.0], dt=0.5)
    >>> motion.duration, motion.pga
    (1.5, 2.0)
    >>> motion.scaled_to(pga=1.0).stretched(2).meta["history"]
    ('scaled(0.5)', 'stretched(2)')
    """

    accel: FloatArray
    dt: float
    vertical: FloatArray | None
    name: str
    meta: Mapping[str, Any]

    def __init__(
        self,
        accel: ArrayLike,
        dt: float,
        vertical: ArrayLike | None = None,
        name: str = "",
        meta: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        step = positive("dt", dt, "s")
        horizontal = samples("accel", accel)
        if not math.isfinite(step * horizontal.size):
            raise InputError(f"dt = {dt!r} s is too long: the motion would never end.")
        up = None if vertical is None else samples("vertical", vertical)
        if up is not None and up.size != horizontal.size:
            raise InputError(
                f"vertical has {up.size} samples and accel has {horizontal.size}: they must have "
                "the same number. If they are two records, use motion.with_vertical(other)."
            )
        mine = vars(self)  # as good as the attributes, which are frozen
        mine["accel"], mine["dt"], mine["vertical"] = horizontal, step, up
        if not isinstance(meta, Mapping):
            raise InputError(
                f"meta is a {type(meta).__name__}: it must be a dict, as in {{'station': 'KJMA'}}."
            )
        mine["name"], mine["meta"] = str(name), MappingProxyType(dict(meta))

    @classmethod
    def zeros(cls, duration: float, dt: float) -> Motion:
        """Still ground for ``duration`` [s], or just over where it is not a multiple of ``dt``."""
        return cls(np.zeros(max(steps(duration, dt), 1) + 1), dt, name="still ground")

    # -- what it is ---------------------------------------------------------------------------

    @property
    def npts(self) -> int:
        """Number of samples."""
        return self.accel.size

    def __len__(self) -> int:
        return self.accel.size

    @property
    def duration(self) -> float:
        """Time of the last sample, (npts − 1)·dt [s]."""
        return (self.npts - 1) * self.dt

    @cached_property
    def time(self) -> FloatArray:
        """Time of each sample, from zero [s]."""
        return samples("time", np.arange(self.npts) * self.dt)

    @cached_property
    def pga(self) -> float:
        """Largest horizontal ground acceleration, in absolute value [m/s²]."""
        a = self.accel
        return abs(max(float(a.max()), -float(a.min())))  # without an array of absolute values

    @cached_property
    def pgv(self) -> float:
        """Largest horizontal ground velocity, in absolute value [m/s], also between samples;
        without baseline correction."""
        return peak_velocity(self.accel, self.dt)

    @cached_property
    def velocity(self) -> FloatArray:
        """Ground velocity at each sample [m/s], zero at first, without baseline correction.

        Exact for an acceleration that is linear between samples.
        """
        a = self.accel
        return _running_sum(self.dt * (a[:-1] + a[1:]) / 2)

    @cached_property
    def displacement(self) -> FloatArray:
        """Ground displacement at each sample [m], zero at first, without baseline correction.

        Exact for an acceleration that is linear between samples. A drift is the record's own.
        """
        a, v, dt = self.accel, self.velocity, self.dt
        return _running_sum(v[:-1] * dt + dt**2 * (2 * a[:-1] + a[1:]) / 6)

    @overload
    def at(self, t: float) -> float: ...
    @overload
    def at(self, t: FloatArray) -> FloatArray: ...
    def at(self, t: float | FloatArray) -> float | FloatArray:
        """Horizontal acceleration at time ``t`` [s] (a number or an array) in m/s².

        Linear between samples, zero before the first and after the last.
        """
        try:
            value = np.interp(t, self.time, self.accel, left=0.0, right=0.0)
        except (TypeError, ValueError):
            raise InputError(f"t = {t!r} is not a time: give seconds, a number or many.") from None
        return float(value) if np.ndim(t) == 0 else value

    # -- what can be made of it -----------------------------------------------------------------

    def scaled(self, factor: float) -> Motion:
        """Acceleration, horizontal and vertical, times ``factor``."""
        factor = finite("factor", factor)
        vertical = None if self.vertical is None else self.vertical * factor
        return self._derived(f"scaled({exact(factor)})", self.accel * factor, vertical)

    def scaled_to(self, *, pga: float | None = None, pgv: float | None = None) -> Motion:
        """Scaled so that the horizontal peak is ``pga`` [m/s²], or its velocity's ``pgv`` [m/s];
        the vertical by the same factor. Give one of the two."""
        if (pga is None) == (pgv is None):
            given = "neither was" if pga is None else f"pga = {pga!r} and pgv = {pgv!r} were"
            raise InputError(
                f"scaled_to needs one of pga [m/s²] and pgv [m/s], and {given} given: give one of "
                "them, as in motion.scaled_to(pgv=0.5)."
            )
        if pga is not None:
            wanted, now, what = positive("pga", pga, "m/s²"), self.pga, f"pga = {pga!r} m/s²"
        elif pgv is not None:
            wanted, now, what = positive("pgv", pgv, "m/s"), self.pgv, f"pgv = {pgv!r} m/s"
        if now == 0.0:
            raise InputError(f"{self!r} is all zeros: no factor gives it {what}.")
        return self.scaled(wanted / now)

    def mirrored(self) -> Motion:
        """The horizontal acceleration reversed: what a block turned by 180° would feel."""
        return self._derived("mirrored()", -self.accel, self.vertical)

    def stretched(self, factor: float) -> Motion:
        """Time axis times ``factor`` (the step becomes dt·factor), accelerations unchanged."""
        factor = positive("factor", factor)
        return self._derived(
            f"stretched({exact(factor)})", self.accel, self.vertical, self.dt * factor
        )

    def resampled(self, dt: float) -> Motion:
        """The same motion with another time step [s], over the same duration.

        A finer step interpolates linearly, which is what the motion is between its samples:
        exact where the old step is a multiple of the new one. A coarser step would fold the high
        frequencies onto low ones, so they are removed first: a Butterworth low-pass of order 8,
        run forwards and backwards (no phase shift), at 0.8 of the new Nyquist frequency. Where
        the duration is not a multiple of ``dt``, one zero sample follows the end.
        """
        dt = positive("dt", dt, "s")
        if math.isclose(dt, self.dt, rel_tol=1e-12):
            return self
        if dt > self.duration:
            raise InputError(
                f"dt = {dt!r} s is longer than the whole motion ({self.duration:g} s): give a "
                "shorter time step."
            )
        size = steps(self.duration, dt) + 1
        vertical = None
        if self.vertical is not None:
            vertical = resample(self.vertical, dt / self.dt, size)
        accel = resample(self.accel, dt / self.dt, size)
        return self._derived(f"resampled({exact(dt)})", accel, vertical, dt)

    def trimmed(self, start: float = 0.0, end: float | None = None) -> Motion:
        """The part from ``start`` to ``end`` [s], each moved to the nearest sample; time restarts
        at zero. Without ``end``: to the last sample."""
        begin = finite("start", start) / self.dt
        stop = self.npts - 1 if end is None else finite("end", end) / self.dt
        first, last = (round(min(max(at, -1), self.npts)) for at in (begin, stop))
        if not 0 <= first < last < self.npts:
            raise InputError(
                f"cannot trim to start = {start!r}, end = {end!r} s: they must hold at least one "
                f"time step ({self.dt!r} s) and lie between 0 and {self.duration!r} s."
            )
        part = slice(first, last + 1)
        vertical = None if self.vertical is None else self.vertical[part]
        action = f"trimmed({exact(first * self.dt)}, {exact(last * self.dt)})"
        return self._derived(action, self.accel[part], vertical)

    def then(self, other: Motion, gap: float = 0.0) -> Motion:
        """This motion, then ``gap`` seconds of zero acceleration, then ``other``.

        The gap is rounded to whole samples: npts adds up, and ``other`` begins at
        ``duration + gap + dt``. Of two time steps the finer one is used for both. A missing
        vertical counts as zero where the other one has it.
        """
        dt = min(self.dt, checked_motion(other, "other").dt)
        zeros = np.zeros(steps(gap, dt, round, name="gap"))
        one, two = self.resampled(dt), other.resampled(dt)
        accel = np.concatenate([one.accel, zeros, two.accel])
        vertical = None
        if one.vertical is not None or two.vertical is not None:
            vertical = np.concatenate([_vertical_or_zeros(one), zeros, _vertical_or_zeros(two)])
        name = " + ".join(filter(None, (self.name, other.name)))
        action = f"then({other.name or 'motion'}, gap={exact(gap)})"
        return one._derived(action, accel, vertical, name=name)

    def with_vertical(self, vertical: Motion | ArrayLike | None) -> Motion:
        """This motion with another vertical acceleration [m/s²]; None takes it away.

        An array must have as many samples as the motion. Of another motion the *horizontal*
        acceleration is taken (a record of the vertical component is one), resampled to this time
        step from the same first instant, cut to this length or filled with zeros after its end.
        Upwards is positive: a record whose file calls its component DOWN (DWN, DN) is turned.
        """
        if isinstance(vertical, Motion):
            up = np.zeros(self.npts)
            record = vertical.resampled(self.dt).accel[: self.npts]
            turned = _DOWNWARDS.fullmatch(str(vertical.meta.get("component", ""))) is not None
            up[: record.size] = -record if turned else record
            remark = "  # turned, as it points down" if turned else ""
            action = f"with_vertical({vertical.name or 'motion'}){remark}"
            return self._derived(action, self.accel, up)
        action = f"with_vertical({'None' if vertical is None else 'array'})"
        return self._derived(action, self.accel, vertical)

    def renamed(self, name: str) -> Motion:
        """The same motion under another name."""
        return Motion(self.accel, self.dt, self.vertical, name, self.meta)

    def _derived(
        self,
        action: str,
        accel: FloatArray,
        vertical: ArrayLike | None,
        dt: float | None = None,
        name: str | None = None,
    ) -> Motion:
        meta = {**self.meta, "history": (*self.meta.get("history", ()), action)}
        return Motion(
            accel,
            self.dt if dt is None else dt,
            vertical,
            self.name if name is None else name,
            meta,
        )

    # -- Python's own ---------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Motion):
            return NotImplemented
        if self.dt != other.dt or (self.vertical is None) != (other.vertical is None):
            return False
        return np.array_equal(self.accel, other.accel) and np.array_equal(
            _vertical_or_zeros(self), _vertical_or_zeros(other)
        )

    def __hash__(self) -> int:
        # + 0.0 turns −0.0 into 0.0: equal motions must have equal bytes.
        return hash((self.dt, self.vertical is None, (self.accel + 0.0).tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:  # a mapping proxy does not pickle
        return Motion, (self.accel, self.dt, self.vertical, self.name, dict(self.meta))

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        vertical = "" if self.vertical is None else ", with vertical"
        return (
            f"Motion({name}{self.npts} samples, dt={self.dt:g} s, duration {self.duration:g} s, "
            f"pga {self.pga:.4g} m/s²{vertical})"
        )


def checked_motion(value: object, name: str = "motion") -> Motion:
    """``value`` if it is a motion, or an error that says how to get one."""
    if isinstance(value, Motion):
        return value
    if isinstance(value, Mapping) and any(isinstance(one, Motion) for one in value.values()):
        raise InputError(
            f"{name} holds several components, {', '.join(map(str, value))}: choose one of them, "
            f"{name}[{next(iter(value))!r}] for example."
        )
    raise InputError(
        f"{name} is a {type(value).__name__}, not a Motion: read one with rs.read_motion(path) or "
        "make one with rs.Motion(accel, dt)."
    )


def takes_motion(function: _Function) -> _Function:
    """``function`` with its first argument checked: nothing but a motion gets in."""

    @functools.wraps(function)
    def call(*values: Any, **named: Any) -> Any:
        if values or "motion" in named:
            checked_motion(values[0] if values else named["motion"])
        return function(*values, **named)

    return call  # type: ignore[return-value]


def _running_sum(increments: FloatArray) -> FloatArray:
    """0, i_0, i_0 + i_1, ...: one longer than ``increments``, and read-only."""
    total = np.zeros(increments.size + 1)
    np.cumsum(increments, out=total[1:])
    total.flags.writeable = False
    return total


def _vertical_or_zeros(motion: Motion) -> FloatArray:
    return np.zeros(motion.npts) if motion.vertical is None else motion.vertical
