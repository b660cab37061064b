"""The ground motion: acceleration against time, in one to three components."""

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

from rocksteady.errors import InputError, what_it_is
from rocksteady.motion._checks import exact, samples, steps
from rocksteady.motion._linear import peak_velocity, resample
from rocksteady.names import storable
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array

_Function = TypeVar("_Function", bound=Callable[..., Any])
COMPONENTS = ("accel", "vertical", "transverse")
"""What a motion calls its components."""
_DOWNWARDS = re.compile(r"\+?(?:down|dwn|dn)|-(?:up?|[zv])", re.I)  # names in the archives


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Motion:
    """A ground motion: acceleration at equal time steps, **linear between samples**.

    One horizontal component, and if known the vertical and the other horizontal one. All have the
    same time step and length, and every method that changes a motion changes all of them alike.
    Immutable; the arrays are read-only copies. Before the first sample and after the last the
    ground does not accelerate. Two motions are equal if their samples and ``dt`` are; ``name``
    and ``meta`` do not count.

    Parameters
    ----------
    accel
        Horizontal ground acceleration [m/s²], at least two samples: the one that planar theories
        use, and that measures such as ``pga`` refer to.
    dt
        Time step [s].
    vertical
        Vertical ground acceleration, positive upwards [m/s²].
    transverse
        Horizontal ground acceleration at right angles to ``accel`` [m/s²]. To a theory of bodies in
        space ``accel``, ``transverse`` and ``vertical`` act along x, y and z, right-handed.
    name
        A label for figures and tables.
    meta
        Anything worth remembering. ``meta["history"]`` lists what was done to the motion;
        ``component`` and ``azimuth`` [degrees from north] belong to ``accel``,
        ``transverse_component``, ``transverse_azimuth`` and ``vertical_component`` to the others.

    Examples
    --------
    >>> motion = Motion([0.0, 1.0, -2.0, 0.0], dt=0.5)
    >>> motion.duration, motion.pga
    (1.5, 2.0)
    >>> motion.scaled_to(pga=1.0).stretched(2).meta["history"]
    ('scaled(0.5)', 'stretched(2)')
    """

    accel: Array
    dt: float
    vertical: Array | None
    transverse: Array | None
    name: str
    meta: Mapping[str, Any]

    def __init__(
        self,
        accel: ArrayLike,
        dt: float,
        vertical: ArrayLike | None = None,
        transverse: ArrayLike | None = None,
        name: str = "",
        meta: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        step = positive("dt", dt, "s")
        own = vars(self)  # sets the attributes, which are frozen
        own["accel"], own["dt"] = samples("accel", accel), step
        if not math.isfinite(step * self.npts):
            raise InputError(f"dt = {dt!r} s is too long: the motion would never end.")
        if isinstance(transverse, str):
            raise InputError(
                f"transverse = {transverse!r} is a text, not an acceleration. If it is the name, "
                f"give it as name={transverse!r}."
            )
        own["vertical"] = self._checked("vertical", vertical)
        own["transverse"] = self._checked("transverse", transverse)
        if not isinstance(meta, Mapping):
            raise InputError(
                f"meta is a {type(meta).__name__}: it must be a dict, as in {{'station': 'KJMA'}}."
            )
        own["name"], own["meta"] = storable(str(name)), MappingProxyType(dict(meta))

    def _checked(self, label: str, values: ArrayLike | None) -> Array | None:
        """Samples of another component, as many as ``accel`` has."""
        array = None if values is None else samples(label, values)
        if array is not None and array.size != self.npts:
            raise InputError(
                f"{label} has {array.size} samples and accel has {self.npts}: they must have the "
                f"same number. If they are two records, use motion.with_{label}(other)."
            )
        return array

    @classmethod
    def zeros(cls, duration: float, dt: float) -> Motion:
        """Still ground for ``duration`` [s], rounded up to whole time steps."""
        return cls(np.zeros(max(steps(duration, dt), 1) + 1), dt, name="still ground")

    # -- properties -------------------------------------------------------------------------

    @property
    def npts(self) -> int:
        """Number of samples."""
        return self.accel.size

    def __len__(self) -> int:
        return self.accel.size

    @property
    def components(self) -> dict[str, Array]:
        """The accelerations it has [m/s²], by name: ``accel``, ``vertical``, ``transverse``."""
        return {name: own for name in COMPONENTS if (own := getattr(self, name)) is not None}

    @property
    def duration(self) -> float:
        """Time of the last sample, (npts − 1)·dt [s]."""
        return (self.npts - 1) * self.dt

    @cached_property
    def time(self) -> Array:
        """Time of each sample, from zero [s]."""
        return samples("time", np.arange(self.npts) * self.dt)

    @cached_property
    def pga(self) -> float:
        """Peak ground acceleration: the largest of ``accel``, in absolute value [m/s²]."""
        a = self.accel
        return abs(max(float(a.max()), -float(a.min())))  # without an array of absolute values

    @cached_property
    def pgv(self) -> float:
        """Peak ground velocity along ``accel``, in absolute value [m/s], also between samples;
        without baseline correction."""
        return peak_velocity(self.accel, self.dt)

    @cached_property
    def velocity(self) -> Array:
        """Ground velocity along ``accel`` at each sample [m/s], from rest, without baseline
        correction.

        Exact for an acceleration that is linear between samples.
        """
        a = self.accel
        return _running_sum(self.dt * (a[:-1] + a[1:]) / 2)

    @cached_property
    def displacement(self) -> Array:
        """Ground displacement along ``accel`` at each sample [m], from zero, without baseline
        correction.

        Exact for an acceleration that is linear between samples. Any drift is the record's own.
        """
        a, v, dt = self.accel, self.velocity, self.dt
        return _running_sum(v[:-1] * dt + dt**2 * (2 * a[:-1] + a[1:]) / 6)

    @overload
    def at(self, t: float) -> float: ...
    @overload
    def at(self, t: Array) -> Array: ...
    def at(self, t: float | Array) -> float | Array:
        """``accel`` [m/s²] at time ``t`` [s], a number or an array.

        Linear between samples, zero before the first and after the last.
        """
        try:
            value = np.interp(t, self.time, self.accel, left=0.0, right=0.0)
        except (TypeError, ValueError):
            raise InputError(f"t = {t!r} is not a time: give seconds, one or many.") from None
        return float(value) if np.ndim(t) == 0 else value

    # -- motions made from it ------------------------------------------------------------------

    def scaled(self, factor: float) -> Motion:
        """All components times ``factor``."""
        factor = finite("factor", factor)
        return self._derived(f"scaled({exact(factor)})", self._each(lambda a: a * factor))

    def scaled_to(self, *, pga: float | None = None, pgv: float | None = None) -> Motion:
        """Scaled so that ``accel`` has this ``pga`` [m/s²] or ``pgv`` [m/s]; the other components
        by the same factor. Give one of the two."""
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
        """Both horizontal components reversed: what a body turned by 180° would feel."""
        turned = {name: a if name == "vertical" else -a for name, a in self.components.items()}
        return self._derived("mirrored()", turned)

    def turned(self, angle: float) -> Motion:
        """Both horizontal components turned by ``angle`` degrees from ``accel`` towards
        ``transverse``: what a body turned by that angle would feel."""
        from rocksteady.motion.components import turned

        return turned(self, angle)

    def right_handed(self) -> Motion:
        """With ``transverse`` reversed if the azimuths say that it lies to the right of ``accel``
        (as 90° of 0°): then x, y, z would be left-handed. Otherwise as it is."""
        from rocksteady.motion.components import right_handed

        return right_handed(self)

    def stretched(self, factor: float) -> Motion:
        """Time axis times ``factor`` (the step becomes dt·factor), accelerations unchanged."""
        factor = positive("factor", factor)
        return self._derived(f"stretched({exact(factor)})", self.components, self.dt * factor)

    def resampled(self, dt: float) -> Motion:
        """The same motion with another time step [s], over the same duration.

        A finer step interpolates linearly, which is what the motion is between its samples: exact
        if the old step is a multiple of the new one. Before a coarser step is taken, frequencies
        that it cannot carry are removed, or they would reappear as low ones: a Butterworth
        low-pass of order 8, run forwards and backwards (no phase shift), at 0.8 of the new Nyquist
        frequency. If the duration is not a multiple of ``dt``, one zero sample follows the end.
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
        changed = self._each(lambda a: resample(a, dt / self.dt, size))
        return self._derived(f"resampled({exact(dt)})", changed, dt)

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
        action = f"trimmed({exact(first * self.dt)}, {exact(last * self.dt)})"
        return self._derived(action, self._each(lambda a: a[first : last + 1]))

    def then(self, other: Motion, gap: float = 0.0) -> Motion:
        """This motion, then ``gap`` seconds of zero acceleration, then ``other``.

        The gap is rounded to whole samples: npts adds up, and ``other`` begins at
        ``duration + gap + dt``. The finer of the two time steps is used for both. A component that
        only one of them has is zero during the other.
        """
        dt = min(self.dt, checked_motion(other, "other").dt)
        zeros = np.zeros(steps(gap, dt, round, name="gap"))
        one, two = self.resampled(dt), other.resampled(dt)
        mine, theirs = one.components, two.components
        none = np.zeros(one.npts), np.zeros(two.npts)
        joined = {
            role: np.concatenate([mine.get(role, none[0]), zeros, theirs.get(role, none[1])])
            for role in mine | theirs
        }
        name = " + ".join(filter(None, (self.name, other.name)))
        action = f"then({other.name or 'motion'}, gap={exact(gap)})"
        return one._derived(action, joined, name=name)

    def with_vertical(self, vertical: Motion | ArrayLike | None) -> Motion:
        """This motion with another vertical acceleration [m/s²]; None removes it.

        An array must have as many samples as the motion. If ``vertical`` is a motion, such as the
        record of a vertical component, its ``accel`` is taken: resampled to this time step, from
        the same first instant, and cut to this length or followed by zeros. Upwards is positive: a
        record whose component is called DOWN (DWN, DN) is reversed.
        """
        return self._with("vertical", vertical)

    def with_transverse(self, transverse: Motion | ArrayLike | None) -> Motion:
        """This motion with another second horizontal acceleration [m/s²]; None removes it.

        An array or a motion, as for `with_vertical`.
        """
        return self._with("transverse", transverse)

    def _with(self, role: str, other: Motion | ArrayLike | None) -> Motion:
        kept = {key: value for key, value in self.meta.items() if not key.startswith(f"{role}_")}
        action = f"with_{role}({'None' if other is None else 'array'})"
        if isinstance(other, Motion):
            record, other_meta = other.resampled(self.dt).accel[: self.npts], other.meta
            facts = {key: other_meta[key] for key in ("component", "azimuth") if key in other_meta}
            action = f"with_{role}({other.name or 'motion'})"
            if role == "vertical" and _DOWNWARDS.fullmatch(str(facts.get("component", ""))):
                record, facts["component"] = -record, "UP"
                action += "  # reversed, as it points down"
            kept |= {f"{role}_{key}": value for key, value in facts.items()}
            other = np.zeros(self.npts)
            other[: record.size] = record
        return self._derived(action, {**self.components, role: other}, meta=kept)

    def renamed(self, name: str) -> Motion:
        """The same motion under another name."""
        return Motion(self.accel, self.dt, self.vertical, self.transverse, name, self.meta)

    def mapped(self, change: Callable[[Array], Array]) -> Motion:
        """The motion with ``change`` applied to the samples of each component.

        Name, time step and ``meta`` stay, and the history does not mention it.
        """
        return Motion(**self._each(change), dt=self.dt, name=self.name, meta=self.meta)

    def _each(self, change: Callable[[Array], Array]) -> dict[str, Array]:
        return {name: change(a) for name, a in self.components.items()}

    def _derived(
        self,
        action: str,
        components: Mapping[str, ArrayLike | None],
        dt: float | None = None,
        name: str | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> Motion:
        kept = self.meta if meta is None else meta
        return Motion(
            **components,  # type: ignore[arg-type]
            dt=self.dt if dt is None else dt,
            name=self.name if name is None else name,
            meta={**kept, "history": (*self.meta.get("history", ()), action)},
        )

    # -- Python's own ---------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Motion):
            return NotImplemented
        mine, theirs = self.components, other.components
        return (
            self.dt == other.dt
            and mine.keys() == theirs.keys()
            and all(np.array_equal(mine[name], theirs[name]) for name in mine)
        )

    def __hash__(self) -> int:
        # + 0.0 turns −0.0 into 0.0: equal motions must have equal bytes.
        return hash((self.dt, *self.components, (self.accel + 0.0).tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:  # a mapping proxy does not pickle
        parts = self.accel, self.dt, self.vertical, self.transverse, self.name, dict(self.meta)
        return Motion, parts

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        others = " and ".join(one for one in self.components if one != "accel")
        return (
            f"Motion({name}{self.npts} samples, dt={self.dt:g} s, duration {self.duration:g} s, "
            f"pga {self.pga:.4g} m/s²{others and ', with ' + others})"
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
        f"{name} is {what_it_is(value)}, not a Motion: read one with rs.read_motion(path) or "
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


def _running_sum(increments: Array) -> Array:
    """0, i_0, i_0 + i_1, ...: one longer than ``increments``, and read-only."""
    total = np.zeros(increments.size + 1)
    np.cumsum(increments, out=total[1:])
    total.flags.writeable = False
    return total
