"""The fully non-stationary stochastic model of Rezaeian and Der Kiureghian (2008, 2010).

White noise drives a filter whose frequency changes with time; the result, scaled to unit variance
at every instant, is modulated in time and high-pass filtered:

    x(t) = q(t) Σ h(t − t_i; ω_f(t_i), ζ) u_i / sqrt(Σ h²),    z̈ + 2ω_c ż + ω_c² z = x

with h(τ) = ω/√(1−ζ²) e^(−ζωτ) sin(ω√(1−ζ²) τ), ω_f linear about t_mid, q = α1 t^(α2−1) e^(−α3 t).
The motion is z̈. Six numbers (`Parameters`) and a seed make a motion:

>>> motion = rezaeian(seed=1, arias=0.5, d5_95=12.0, t_mid=8.0, frequency_mid=5.0,
...                   frequency_rate=-0.1, damping=0.25)
>>> motion == rezaeian(1, Parameters(0.5, 12.0, 8.0, 5.0, -0.1, 0.25))
True
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from rocksteady.errors import InputError, warn
from rocksteady.motion._checks import steps
from rocksteady.motion._threads import in_order
from rocksteady.motion.generate.rezaeian.envelope import (
    LONGEST,
    SHORTEST,
    Envelope,
    fitted_envelope,
)
from rocksteady.motion.intensity import GRAVITY
from rocksteady.motion.motion import Motion
from rocksteady.numbers import finite, has_truths, keep_floats, positive, whole
from rocksteady.numerics.types import Array

Seed: TypeAlias = "int | np.random.SeedSequence"

CORNER = 0.1  # Hz, of the high-pass
LOWEST_FREQUENCY = 0.3  # Hz: where a falling filter frequency stops
BITS = 24  # of the samples, as a seismic digitiser's
BATCH = 64  # motions of the same parameters that are made at a time, at most
UNREACHED = 0.02  # of D5-95 and t_mid
ROLES = ("transverse", "vertical")  # of the components after the first
UPWARDS = 2 / 3  # strength of the vertical component: the usual ratio of the codes
OTHERS = 2**32 - 1  # seeds of the other components: no motion has this number


@dataclass(frozen=True)
class Parameters:
    """What a stochastic motion is to be like."""

    arias: float
    """Arias intensity π/(2g)·∫a² dt [m/s]."""
    d5_95: float
    """Significant duration: from 5 % to 95 % of the Arias intensity [s]."""
    t_mid: float
    """When 45 % of the Arias intensity has arrived [s]: the middle of the strong shaking."""
    frequency_mid: float
    """The filter's frequency at t_mid [Hz]."""
    frequency_rate: float
    """Its rate of change [Hz/s]; mostly negative in real motions."""
    damping: float
    """The filter's damping ratio, between 0 and 1 [-]: small for a narrow band."""

    def __post_init__(self) -> None:
        units = {"arias": "m/s", "d5_95": "s", "t_mid": "s", "frequency_mid": "Hz"}
        for name, unit in units.items():
            positive(name, getattr(self, name), unit)
        finite("frequency_rate", self.frequency_rate, "Hz/s")
        if not 0 < finite("damping", self.damping) < 1:
            raise InputError(
                f"damping = {self.damping!r} is not allowed: it is the filter's damping ratio, "
                "between 0 and 1 without either (published values lie between 0.02 and 0.9)."
            )
        if not SHORTEST <= self.d5_95 / self.t_mid <= LONGEST:
            raise InputError(_bad_duration(self.d5_95, self.t_mid))
        keep_floats(self, *self.__dataclass_fields__)

    def motion(self, seed: Seed, *, dt: float = 0.01, duration: float | None = None) -> Motion:
        """A motion with these parameters: `rezaeian`."""
        return rezaeian(seed, self, dt=dt, duration=duration)

    def envelope(self) -> Envelope:
        """q(t) with these intensity, duration and middle, before the high-pass's correction."""
        return fitted_envelope(2 * GRAVITY / math.pi * self.arias, self.d5_95, self.t_mid)

    def frequency(self, time: Array, dt: float = 0.01) -> Array:
        """The filter's frequency [Hz] at ``time`` [s].

        Linear about t_mid, but never below 0.3 Hz (or frequency_mid, if that is lower) nor above a
        quarter of the sampling rate, 1/(4 dt) (or frequency_mid).
        """
        low, high = min(LOWEST_FREQUENCY, self.frequency_mid), max(0.25 / dt, self.frequency_mid)
        line = self.frequency_mid + self.frequency_rate * (time - self.t_mid)
        return np.clip(line, low, high)


def rezaeian(
    seed: Seed,
    parameters: Parameters | None = None,
    *,
    arias: float | None = None,
    d5_95: float | None = None,
    t_mid: float | None = None,
    frequency_mid: float | None = None,
    frequency_rate: float | None = None,
    damping: float | None = None,
    duration: float | None = None,
    dt: float = 0.01,
    corner: float = CORNER,
) -> Motion:
    """One stochastic motion.

    The same seed and parameters give the same motion, bit for bit. Arias intensity, D5-95 and t_mid
    are those of the mean over many seeds, within 3 %; a single motion scatters about them, the more
    the fewer cycles it has. Where no envelope of the model can give these means, a warning says so
    (`RocksteadyWarning`): with less than a cycle before a t_mid that is short against d5_95.

    Parameters
    ----------
    seed
        A whole number, or a NumPy ``SeedSequence``.
    parameters
        The six that follow in one object; give it or them.
    arias, d5_95, t_mid, frequency_mid, frequency_rate, damping
        [m/s], [s], [s], [Hz], [Hz/s], [-]: see `Parameters`.
    duration
        Of the motion [s]; by default, long enough for all but 1e-5 of the energy and for the
        ground to come to rest after it (1.5/corner).
    dt
        Time step [s].
    corner
        Corner frequency of the high-pass [Hz].
    """
    six = (arias, d5_95, t_mid, frequency_mid, frequency_rate, damping)
    recipe = _recipe(_one_of_two(parameters, six), dt, duration, corner)
    made = _made(recipe, [seed_sequence(seed)])
    _check_means(recipe.parameters, made.means)
    return made.motions[0]


def ensemble(
    n: int,
    seed: int,
    parameters: Parameters | Sequence[Parameters] | None = None,
    *,
    dt: float = 0.01,
    duration: float | None = None,
    corner: float = CORNER,
    components: int = 1,
    progress: Callable[[int, int], object] | None = None,
    threads: int | None = None,
) -> list[Motion]:
    """``n`` stochastic motions, reproducible by ``seed``, made on all cores.

    Motion i has the seed ``SeedSequence(seed, spawn_key=(i,))``, whatever ``n`` is: a larger
    ensemble begins with the smaller one. ``parameters`` are those of all motions, or a sequence
    with one for each; without them they are drawn by `sample_parameters` with the same seed.
    The other options are those of `rezaeian`. ``progress`` is called with the number of motions
    made and of all of them. ``threads`` says how many are used; the motions do not depend on it.

    ``components`` is 1; or 2 or 3, for bodies in space: each motion then also has a transverse and
    a vertical component of the same parameters from other noise, the vertical one times 2/3. Its
    ``accel`` stays the same.
    """
    if has_truths(components) or components not in (1, 2, 3):
        raise InputError(
            f"components = {components!r} is not allowed: give 1, 2 (both horizontal) or 3 (and "
            "the vertical one)."
        )
    if parameters is None and components > 1:
        parameters = sample_parameters(n, seed)
    motions: list[Motion] = []
    sources: list[Seed] = [seed, *(_other_seed(seed, role) for role in ROLES[: components - 1])]
    made = (
        in_turn(n, one, parameters, dt=dt, duration=duration, corner=corner, threads=threads)
        for one in sources
    )
    for first, *others in zip(*made, strict=True):
        motions.append(_joined(first, others))
        if progress is not None:
            progress(len(motions), n)
    return motions


def one_of(
    number: int,
    seed: int,
    parameters: Parameters | Sequence[Parameters] | None = None,
    *,
    dt: float = 0.01,
) -> Motion:
    """The motion with this ``number``, from 1, of an `ensemble` with the same arguments; made
    without the others."""
    if parameters is None:
        parameters = sample_parameters(number, seed)
    own = parameters if isinstance(parameters, Parameters) else parameters[number - 1]
    return rezaeian(np.random.SeedSequence(seed, spawn_key=(number - 1,)), own, dt=dt)


def _other_seed(seed: int, role: str) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=(OTHERS, ROLES.index(role)))


def _joined(first: Motion, others: Sequence[Motion]) -> Motion:
    """One motion of the components; its history is that of the first."""
    values = {role: other.accel for role, other in zip(ROLES, others, strict=False)}
    if not values:
        return first
    if "vertical" in values:
        values["vertical"] = UPWARDS * values["vertical"]
    history = (*first.meta["history"], f"components({1 + len(values)})")
    meta = {**first.meta, "history": history}
    return Motion(first.accel, first.dt, **values, name=first.name, meta=meta)


def in_turn(
    n: int,
    seed: Seed,
    parameters: Parameters | Sequence[Parameters] | None = None,
    *,
    dt: float = 0.01,
    duration: float | None = None,
    corner: float = CORNER,
    threads: int | None = None,
) -> Iterator[Motion]:
    """The motions of an `ensemble` one after the other, and only a few more at a time in memory."""
    n = whole("n", n)
    seeds = seed_sequence(seed).spawn(n)
    if parameters is None and not isinstance(seed, np.random.SeedSequence):
        parameters = sample_parameters(n, seed)
    if not isinstance(parameters, (Parameters, Sequence)):
        raise InputError(
            f"parameters = {parameters!r} is not allowed: give stochastic.Parameters(...), or a "
            "list with one for each motion."
        )
    workers = _workers(threads)
    jobs: Iterator[tuple[_Recipe, Sequence[np.random.SeedSequence]]]
    if isinstance(parameters, Parameters):
        recipe = _recipe(parameters, dt, duration, corner)
        _check_means(parameters, _made(recipe, []).means)
        size = min(max(-(-n // workers), 1), BATCH)
        jobs = ((recipe, seeds[first : first + size]) for first in range(0, n, size))
    elif len(parameters) != n:
        raise InputError(
            f"{len(parameters)} parameters for n = {n} motions: give one for each, or one for all."
        )
    else:
        jobs = (
            (_recipe(own, dt, duration, corner), those) for own, those in _alike(parameters, seeds)
        )
    one_for_all = isinstance(parameters, Parameters)
    for made in in_order(lambda job: _made(*job), jobs, workers):
        if not one_for_all:
            _check_means(made.parameters, made.means)
        yield from made.motions


def _alike(
    parameters: Sequence[Parameters], seeds: Sequence[np.random.SeedSequence]
) -> Iterator[tuple[Parameters, Sequence[np.random.SeedSequence]]]:
    """Neighbours with the same parameters share what is slow to find: the seeds of each group."""
    first = 0
    for last in range(1, len(seeds) + 1):
        full = last - first == BATCH
        if last == len(seeds) or full or parameters[last] != parameters[first]:
            yield parameters[first], seeds[first:last]
            first = last


def sample_parameters(n: int, seed: int) -> list[Parameters]:
    """``n`` draws from the distributions of Rezaeian and Der Kiureghian (2010), by ``seed``.

    Their marginals (Table II: strong far-field motions on firm ground, M 6 to 7.7, 10 to 100 km)
    with the correlations of Table IV; `docs/generated-motions.md` lists them and what they leave
    out. Draws whose envelope is impossible (D5-95 > 4.9 t_mid) are repeated.
    """
    from rocksteady.motion.generate.rezaeian.distributions import draws

    n = whole("n", n)
    # A stream of its own, apart from the one that makes the noise of motion i.
    streams = [
        np.random.Generator(np.random.PCG64(child.spawn(1)[0]))
        for child in seed_sequence(seed).spawn(n)
    ]
    sampled: list[Parameters | None] = [None] * n
    missing = np.arange(n)
    while missing.size:
        drawn = draws([streams[i] for i in missing])
        allowed = [SHORTEST <= values[1] / values[2] <= LONGEST for values in drawn]
        for i, values, possible in zip(missing, drawn, allowed, strict=True):
            if possible:
                sampled[i] = Parameters(*values)
        missing = missing[~np.array(allowed)]
    return [own for own in sampled if own is not None]


def fit(motion: Motion, seed: int = 0) -> Parameters:
    """The parameters of a recorded motion.

    Arias intensity, D5-95 and t_mid are the record's own. Frequency and its rate make the mean
    count of upward zero crossings follow the record's; damping makes the count of positive minima
    and negative maxima (the more, the broader the band) the same. The means are those of simulated
    motions with the record's time step, made from ``seed``: about a second of work.
    """
    from rocksteady.motion.generate.rezaeian.fit import fitted

    return fitted(motion, seed)


# -- how ----------------------------------------------------------------------------------------


class _Recipe(NamedTuple):
    """What all motions with the same parameters need."""

    parameters: Parameters
    size: int  # samples
    dt: float
    corner: float  # [rad/s]
    trials: bool


class _Made(NamedTuple):
    parameters: Parameters
    motions: list[Motion]
    means: tuple[float, float]  # D5-95 and t_mid [s] of all motions with these parameters


def _recipe(
    parameters: Parameters, dt: float, duration: float | None, corner: float, trials: bool = True
) -> _Recipe:
    dt, w_c = positive("dt", dt, "s"), 2 * math.pi * positive("corner", corner, "Hz")
    _check_time_step(parameters, dt, corner)
    size = _steps(parameters.envelope(), parameters, dt, duration, corner) + 1
    return _Recipe(parameters, size, dt, w_c, trials)


def _made(recipe: _Recipe, seeds: Sequence[np.random.SeedSequence]) -> _Made:
    """One motion for each seed."""
    # Numba, which takes its time to import
    from rocksteady.motion.generate.rezaeian.calibration import calibrated
    from rocksteady.motion.generate.rezaeian.filtered_noise import driven, high_passed

    parameters, size, dt, w_c, trials = recipe
    shared = calibrated(parameters, size, dt, w_c, trials)
    motions = []
    if seeds:
        grid = 2.0 ** (math.frexp(4 * shared.strongest)[1] - BITS + 1)
        streams = [np.random.Generator(np.random.PCG64(seed)) for seed in seeds]
        noise = np.column_stack([stream.standard_normal(size) for stream in streams])
        x = driven(shared.train, noise)
        x *= shared.modulation[:, None]
        accel = (np.round(high_passed(x, w_c, dt) / grid) * grid).T
        for own, seed in zip(accel, seeds, strict=True):
            made = _meta(parameters, seed)
            motions.append(Motion(own, dt, name="stochastic motion", meta=made))
    return _Made(parameters, motions, (shared.d5_95, shared.t_mid))


def motions_of(
    seeds: Sequence[np.random.SeedSequence], parameters: Parameters, dt: float
) -> list[Motion]:
    """One motion for each seed, without trials: the means of narrow bands are less exact."""
    return _made(_recipe(parameters, dt, None, CORNER, trials=False), seeds).motions


def _workers(threads: int | None) -> int:
    if threads is None:
        import numba

        return int(numba.get_num_threads())
    return whole("threads", threads)


def _meta(parameters: Parameters, seed: np.random.SeedSequence) -> dict[str, object]:
    spawned = f", spawn_key={seed.spawn_key}" if seed.spawn_key else ""
    values = ", ".join(f"{name}={value:g}" for name, value in vars(parameters).items())
    return {"history": (f"rezaeian(seed={seed.entropy}{spawned}, {values})",)}


def _steps(
    envelope: Envelope, parameters: Parameters, dt: float, duration: float | None, corner: float
) -> int:
    if duration is None:
        return steps(envelope.quantile(1 - 1e-5) + 1.5 / corner, dt)
    if positive("duration", duration, "s") < envelope.quantile(0.99):
        raise InputError(
            f"duration = {duration!r} s is too short for d5_95 = {parameters.d5_95:g} s and t_mid "
            f"= {parameters.t_mid:g} s: 99 % of the energy has arrived only at "
            f"{envelope.quantile(0.99):.3g} s. Give at least that, or leave duration out."
        )
    return steps(duration, dt)


def _check_time_step(parameters: Parameters, dt: float, corner: float) -> None:
    if parameters.frequency_mid * dt > 0.25:
        raise InputError(
            f"dt = {dt!r} s is too coarse for frequency_mid = {parameters.frequency_mid:g} Hz: it "
            f"must not exceed a quarter of the period, {0.25 / parameters.frequency_mid:.3g} s."
        )
    ends = np.array([parameters.envelope().quantile(part) for part in (0.05, 0.95)])
    lowest = min(parameters.frequency_mid, *parameters.frequency(ends, dt))
    if corner >= lowest:
        raise InputError(
            f"corner = {corner!r} Hz is not allowed: the high-pass would take away the motion "
            f"itself; it must be below the filter's frequency, {lowest:.3g} Hz at its lowest from "
            f"{ends[0]:.3g} to {ends[1]:.3g} s."
        )


def _check_means(parameters: Parameters, means: tuple[float, float]) -> None:
    d5_95, t_mid = means
    found = ((d5_95, parameters.d5_95), (t_mid, parameters.t_mid))
    if max(abs(mean / asked - 1) for mean, asked in found) > UNREACHED:
        warn(
            f"{parameters!r}: mean D5-95 {d5_95:.3g} s and mean t_mid {t_mid:.3g} s are the "
            "nearest to these that an envelope of the model gives: there are too few cycles before "
            "t_mid, or too few time steps. Give a smaller dt, a higher frequency_mid, or a t_mid "
            "that is nearer to d5_95.",
            stacklevel=4,
        )


def _bad_duration(d5_95: float, t_mid: float) -> str:
    if d5_95 < SHORTEST * t_mid:
        return (
            f"d5_95 = {d5_95!r} s is too short for t_mid = {t_mid!r} s: it must be at least "
            f"{SHORTEST} t_mid. Give a smaller t_mid, and still ground before the motion instead."
        )
    return (
        f"d5_95 = {d5_95!r} s is too long for t_mid = {t_mid!r} s: an envelope that begins at "
        f"zero allows at most {LONGEST} t_mid. Give t_mid = {d5_95 / LONGEST:.3g} s or more."
    )


def _one_of_two(parameters: Parameters | None, six: tuple[float | None, ...]) -> Parameters:
    if parameters is not None:
        if any(value is not None for value in six):
            raise InputError(
                "parameters and single ones (arias, d5_95, ...): give one or the other."
            )
        return parameters
    names = Parameters.__dataclass_fields__
    missing = [name for name, value in zip(names, six, strict=True) if value is None]
    if missing:
        raise InputError(f"a stochastic motion also needs {', '.join(missing)}.")
    return Parameters(*(float(value) for value in six if value is not None))


def seed_sequence(seed: Seed) -> np.random.SeedSequence:
    if isinstance(seed, np.random.SeedSequence):  # a fresh one: spawning changes a sequence
        return np.random.SeedSequence(seed.entropy, spawn_key=seed.spawn_key)
    return np.random.SeedSequence(whole("seed", seed, 0))
