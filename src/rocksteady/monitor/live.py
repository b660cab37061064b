"""`Monitor`: a body followed live, one sample or many at a time."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.engine.ground import directions
from rocksteady.engine.watch import make_watch
from rocksteady.errors import InputError
from rocksteady.monitor.alarms import Alarm, Thresholds, quantities, rules, unraised
from rocksteady.monitor.checks import checked_samples
from rocksteady.monitor.doubts import AT_ONCE, Doubt
from rocksteady.monitor.exact import read_json, write_json
from rocksteady.monitor.frequency import WINDOW, FrequencyTracker
from rocksteady.monitor.ground import Ground
from rocksteady.monitor.reading import Extremes, Reading, joined
from rocksteady.monitor.status_text import short_status
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array, Numbers
from rocksteady.response import lost
from rocksteady.simulation import status_after, suitable_at
from rocksteady.status import Status
from rocksteady.theories.contract import FAILURE, NOTHING, OVERTURN, Formulation

REST = 600.0  # s without shaking, after which only the clock changes
_ZEROS = 4096  # samples of rest handed over at a time


class Monitor:
    """Follow a body live, with the same result as :func:`rocksteady.simulate`, bit for bit.

    Parameters
    ----------
    system
        The body: a block, an oscillator or a building.
    formulation
        How it moves; the usual one for this kind of body unless given.
    dt
        Time between two samples of the ground's acceleration [s].
    alarms
        Thresholds by quantity: ``{"wear": (0.05, 0.2), "drift": 0.005}``. A building has ``wear``
        [-], ``hardening`` [m], ``drift`` |u| [m] and ``frequency_drop`` 1 − f/f₀ [-]; a block has
        ``lean`` |θ|/α [-].
    window
        Length of a segment for the frequency of a measured response [s].

    Examples
    --------
    >>> import rocksteady as rs
    >>> house = rs.MasonryBuilding.casalotti2025(40e3)
    >>> monitor = rs.Monitor(house, dt=0.01, alarms={"drift": 1e-4})
    >>> print(monitor.push(0.0).status)
    at rest
    >>> [str(alarm) for alarm in monitor.push_block([1.0, 2.0]).raised]
    ['drift ≥ 0.0001 m: 0.000126604 m at 0.020 s (sample 2)']
    """

    def __init__(
        self,
        system: Any,
        formulation: Formulation | None = None,
        *,
        dt: float,
        alarms: Thresholds | None = None,
        window: float = WINDOW,
    ) -> None:
        self.formulation = suitable_at(dt, formulation, system)
        window = positive("window", window, "s")
        self.system, self.dt = system, float(dt)
        self.start = 0.0
        """Time of sample 0 [s]."""
        self._quantities = quantities(system, self.formulation)
        self._alarms = unraised(alarms, self._quantities)
        self._rules, self._passed = rules(self._alarms, self._quantities)
        self._reported = np.zeros(len(self._alarms), dtype=bool)
        self._params = self.formulation.parameters(system)
        self._state: Numbers = self.formulation.start(system, 0.0, 0.0)
        self._watch = make_watch(self.formulation.advance_for(system))
        self._components = directions(self.formulation.components)
        self._ground = (0.0,) * len(self._components)
        self._extremes = self._since = self._here()
        self._samples = 0
        self._event, self._end = NOTHING, math.nan
        self.tracker = FrequencyTracker(self.dt, window)
        self.seen = Ground(sums=self._ground)
        """The ground motion so far: largest |a_h| and means [m/s²]."""
        self.doubts: dict[str, Doubt] = {}
        """Why results are uncertain, by reason."""

    # -- samples in -------------------------------------------------------------------------------

    def push(
        self,
        a_h: float,
        a_v: float = 0.0,
        a_t: float | None = None,
        *,
        t: float | None = None,
        measured: float | None = None,
    ) -> Reading:
        """Take the next sample of the ground's acceleration [m/s²]: horizontal, vertical and, for
        a theory that takes it, transverse.

        ``t`` [s], where given, must be the time at which the sample is due (the first one sets the
        origin); :class:`Feed` takes any times. ``measured`` is the building's own acceleration, in
        any unit, from which the measured frequency comes.
        """
        if t is not None:
            self._check_time(t)
        response = None if measured is None else [measured]
        return self.push_block([a_h], [a_v], None if a_t is None else [a_t], measured=response)

    def push_block(
        self,
        a_h: ArrayLike,
        a_v: ArrayLike | None = None,
        a_t: ArrayLike | None = None,
        *,
        measured: ArrayLike | None = None,
    ) -> Reading:
        """Take any number of samples at once, in one compiled loop."""
        ground = self.checked_ground(a_h, a_v, a_t)
        if ground[1].any():
            self.formulation.check_vertical(self.system, ground[1])
        if measured is not None:
            self.tracker.push(checked_samples(measured, "measured", len(ground[0]), finite=False))
        self.seen = self.seen.with_samples(ground)
        self._since = self._here()
        self._take(ground)
        return self._reading()

    def checked_ground(
        self, a_h: ArrayLike, a_v: ArrayLike | None, a_t: ArrayLike | None, *, finite: bool = True
    ) -> tuple[Array, ...]:
        """Samples of each component that the theory is given, zeros for one that is missing."""
        across = checked_samples(a_h, "a_h", finite=finite)
        up = self._other("a_v", a_v, across, finite)
        if len(self._components) == 3:
            return across, up, self._other("a_t", a_t, across, finite)
        if a_t is not None:
            raise InputError(
                f"a_t was given, but {self.formulation.name} takes no transverse component: leave "
                "it out."
            )
        return across, up

    def _other(self, name: str, values: ArrayLike | None, across: Array, finite: bool) -> Array:
        if values is None:
            return np.zeros(len(across))
        return checked_samples(values, name, len(across), finite=finite)

    def rest(self, samples: int) -> Reading:
        """Take the ground to be at rest for ``samples`` samples that are lost. From then on results
        are not `certain`.

        The first ten minutes are computed. After that no more damage can occur, and only the clock
        advances.
        """
        if samples > 0:
            self.doubt("outage", self._samples, seconds=samples * self.dt)
        self.tracker.restart()
        self._since = self._here()
        left = min(samples, math.ceil(REST / self.dt))
        skipped = samples - left
        while left > 0:
            count = min(left, _ZEROS)
            self._take(tuple(np.zeros(count) for _ in self._components))
            left -= count
        self._samples += skipped
        return self._reading()

    def _take(self, ground: tuple[Array, ...]) -> None:
        count = len(ground[0])
        if count == 0:
            return
        first = self._samples == 0
        last = self._samples if first else self._samples - 1
        before = tuple([float(values[0]) for values in ground]) if first else self._ground
        self._samples += count
        if first:
            ground = tuple(values[1:] for values in ground)
        if count == first:
            self._ground = before
            return
        self._ground = tuple([float(values[-1]) for values in ground])
        if not self.over:
            self._follow(before, ground, last)

    def _follow(self, before: Numbers, ground: tuple[Array, ...], last: int) -> None:
        """Move it on from sample number ``last``, where the ground had acceleration ``before``."""
        self._state, used, found, self._event, part = self._watch(
            self._state,
            self._params,
            before,
            ground,
            self.dt,
            last,
            self._here(),
            self._rules,
            self._passed,
        )
        self._extremes, self._since = joined(self._extremes, found), joined(self._since, found)
        if self._event >= OVERTURN:
            self._end = (last + used - 1) * self.dt + part
        elif not all(map(math.isfinite, self._state)) and self._lost():
            self._event = FAILURE  # some samples ago; the time is not known

    def _here(self) -> Extremes:
        """The extremes of the present state alone."""
        return self._state[0], self._state[0], 0.0, 0

    def _lost(self) -> bool:
        """Whether position or velocity is no longer a finite number."""
        return bool(lost(self.formulation.columns(self.system), np.array(self._state)))

    def _check_time(self, t: float) -> None:
        t = finite("t", t, "s")
        if self._samples == 0:
            self.start = t
        expected = self.start + self._samples * self.dt
        if abs(t - expected) > 0.5 * self.dt:
            raise InputError(
                f"t = {t!r} s is not the next sample, which is due at {expected!r} s. A "
                "rocksteady.monitor.Feed fills gaps and leaves out what comes late or twice."
            )

    def doubt(self, reason: str, sample: int, *, count: int = 1, seconds: float = 0.0) -> None:
        """Mark results as uncertain from ``sample`` on, for a reason of `doubts.REASONS`."""
        known = self.doubts.get(reason, Doubt(sample))
        self.doubts = {**self.doubts, reason: known.again(count, seconds)}

    def rearm(self, thresholds: Thresholds | None) -> None:
        """Watch these thresholds from now on; alarms that are raised stay raised."""
        before = {(alarm.quantity, alarm.threshold): alarm for alarm in self.alarms}
        wanted = unraised(thresholds, self._quantities)
        alarms = [before.get((alarm.quantity, alarm.threshold), alarm) for alarm in wanted]
        self._alarms = wanted
        self._rules, self._passed = rules(alarms, self._quantities)
        self._reported = self._passed[:, 0] >= 0

    # -- what it knows ----------------------------------------------------------------------------

    @property
    def certain(self) -> bool:
        """Whether the whole ground motion is known."""
        return not self.doubted

    @property
    def doubted(self) -> list[str]:
        """The reasons for which results are uncertain now."""
        return [
            reason
            for reason, doubt in self.doubts.items()
            if doubt.sample < self._samples or reason in AT_ONCE
        ]

    def certain_at(self, sample: int) -> bool:
        """Whether the ground motion is known up to this sample."""
        return all(doubt.sample > sample for doubt in self.doubts.values())

    @property
    def samples(self) -> int:
        """Samples so far, lost ones included."""
        return self._samples

    @property
    def time(self) -> float:
        """Time of the newest sample [s]."""
        return self.start + max(self._samples - 1, 0) * self.dt

    @property
    def state(self) -> Numbers:
        """The exact state, as ``formulation.columns(building)`` names it."""
        return self._state

    @property
    def ground(self) -> Numbers:
        """The newest sample (a_h, a_v) [m/s²], with a_t behind them where the theory takes it."""
        return self._ground

    @property
    def extremes(self) -> Extremes:
        """(Largest coordinate, smallest, time of the larger since sample 0 [s], impacts)."""
        return self._extremes

    @property
    def over(self) -> bool:
        """Whether it has collapsed or fallen, or the method failed: the state changes no more."""
        return self._event >= OVERTURN

    @property
    def end(self) -> float:
        """When it collapsed, fell or failed [s]; nan while it stands, or if the time of the failure
        is not known."""
        return self.start + self._end

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """All alarms, raised or not."""
        return tuple(
            replace(alarm, sample=int(row[0]), time=self.time_of(int(row[0])), value=float(row[1]))
            if row[0] >= 0
            else alarm
            for alarm, row in zip(self._alarms, self._passed, strict=True)
        )

    @property
    def values(self) -> dict[str, float]:
        """The quantities that alarms watch, now."""
        return {name: what.now(self._state) for name, what in self._quantities.items()}

    @property
    def frequency_ratio(self) -> float:
        """Frequency of small vibrations over that of the unworn building, sqrt(1 − w) [-]."""
        return 1 - self.values.get("frequency_drop", 0.0)

    @property
    def status(self) -> Status:
        """At rest, moving, fallen (a building: collapsed), or failed."""
        return status_after(self._event, self.formulation, self.system, np.array(self._state))

    def time_of(self, sample: int) -> float:
        """The time of a sample [s]."""
        return self.start + sample * self.dt

    def _reading(self) -> Reading:
        new = (self._passed[:, 0] >= 0) & ~self._reported
        raised: tuple[Alarm, ...] = ()
        if new.any():
            raised = tuple(alarm for alarm, is_new in zip(self.alarms, new, strict=True) if is_new)
            self._reported |= new
        high, low, _, impacts = self._since
        return Reading(
            sample=self._samples - 1,
            time=self.time,
            theta=self._state[0],
            omega=self._state[1],
            extreme=max(high, -low),
            impacts=int(impacts),
            status=self.status,
            values=self.values,
            raised=raised,
            certain=self.certain,
        )

    def __repr__(self) -> str:
        watched = ", ".join(f"{name} {value:.4g}" for name, value in self.values.items())
        taken = f"{self._samples} sample{'s' * (self._samples != 1)} of {self.dt:g} s"
        how = short_status(self).removeprefix("standing, ")
        return f"<Monitor of a {self.system.label}: {how}, {taken}, {watched}>"

    # -- kept and restored ------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Everything needed to resume, exactly, for JSON."""
        from rocksteady.monitor.snapshot import describe

        return describe(self)

    @classmethod
    def from_dict(cls, about: dict[str, Any]) -> "Monitor":
        """The monitor that `to_dict` described; it continues bit for bit."""
        from rocksteady.monitor.snapshot import rebuild

        return rebuild(about)

    def save(self, path: str | Path) -> Path:
        """Write it to a JSON file; after a crash that is the old one or the new one, complete."""
        return write_json(Path(path), self.to_dict())

    @classmethod
    def restore(cls, path: str | Path) -> "Monitor":
        """The monitor that was saved to ``path``."""
        about = read_json(Path(path), "a saved monitor")
        try:
            return cls.from_dict(about)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise InputError(f"{path} is not a saved monitor of this version ({error}).") from error
