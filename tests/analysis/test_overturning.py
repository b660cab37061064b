"""Rocking spectra and overturning maps: each point is a run; known boundaries are met."""

import dataclasses
import math
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

import rocksteady as rs
from rocksteady.analysis.overturning import Way, closed_forms, maps, timing, words
from rocksteady.analysis.overturning.adaptive import fill
from rocksteady.analysis.overturning.axes import SHAPES, similar
from rocksteady.analysis.overturning.runs import FAST, brute_force_seconds
from rocksteady.analysis.overturning.ways import islands, missed
from rocksteady.analysis.overturning.words import PULSES, half_falls, sentences
from rocksteady.analysis.overturning.words import _islands as words_of_islands
from rocksteady.analysis.shares.interval import interval
from rocksteady.ensembles.progress import span
from rocksteady.ensembles.study import Study

RECORDS = Path(__file__).parents[3] / "shared" / "records" / "AT2"
BLOCK = rs.Block.from_parameters(p=2.0, alpha=0.25)
STATUE = rs.Block(height=1.8, width=0.5)
NO_IMPACT = {
    0.5: 1.11804995,
    1: 1.41831534,
    2: 2.34990313,
    3: 3.63114987,
    4: 5.23896436,
    5: 7.1681288,
}
ONE_IMPACT = {2: 1.2251794, 3: 1.4035654, 4: 1.7954416}  # the lowest, η = 0.9
KICK = rs.stochastic.Parameters(
    arias=1.0, d5_95=6.0, t_mid=4.0, frequency_mid=1.5, frequency_rate=0.0, damping=0.3
)  # fmt: skip


@cache
def shaking():
    """Six motions. Made where they are needed, or every process of ``-n`` would make them."""
    return [motion.scaled_to(pga=4.0) for motion in rs.stochastic.ensemble(6, 1, KICK)]


def meant(motions):
    """What a parameter of a test stands for."""
    return {"one": shaking()[0], "six": shaking()}.get(motions, motions)


# -- linear theory -----------------------------------------------------------------------------


def test_boundaries_of_linear_theory_to_all_digits():
    for w, amplitude in NO_IMPACT.items():
        assert closed_forms.sine(w) == pytest.approx(amplitude, abs=6e-9)
    assert closed_forms.half_sine(3) == pytest.approx(2.29387231, abs=6e-9)
    assert closed_forms.half_sine(6) == pytest.approx(3.78815517, abs=6e-9)
    for w, amplitude in ONE_IMPACT.items():
        assert closed_forms.sine_one_impact(w, 0.9).low == pytest.approx(amplitude, abs=6e-8)
    assert closed_forms.rectangle(math.log(2)) == pytest.approx(2.0, rel=1e-14)


@pytest.mark.parametrize("w", [0.7, 2.0, 5.5])
def test_on_the_boundary_the_push_is_just_enough(w):
    """∫ e^−s f ds = 1 from lift-off on: the criterion itself, by quadrature."""
    for amplitude, cycles in ((closed_forms.half_sine(w), 0.5), (closed_forms.sine(w), 1.0)):
        lifts = math.asin(1 / amplitude)

        def pushed(s, amplitude=amplitude, lifts=lifts):
            return math.exp(-s) * amplitude * math.sin(lifts + w * s)

        end = (2 * math.pi * cycles - lifts) / w
        assert quad(pushed, 0, end, epsabs=1e-13)[0] == pytest.approx(1, abs=1e-11)


def test_one_impact_ends_where_the_impact_takes_too_much():
    """Up to some frequency only; less for a block that loses more."""
    assert closed_forms.sine_one_impact(8.0, 0.9) is None
    widths = [closed_forms.sine_one_impact(4.0, eta) for eta in (0.8, 0.9, 1.0)]
    assert widths[0].low > widths[1].low > widths[2].low
    assert widths[0].high < widths[1].high < closed_forms.sine(4.0)


def falls(block, how, amplitude, w, impacts, cycles=1.0):
    """Whether it falls after so many impacts. (At lift-off, rounding may give the slender block an
    impact at 1e-318 rad/s.)"""
    run = rs.simulate(block, rs.pulses.sine(amplitude, omega=w * block.p, cycles=cycles), how)
    return run.fell and (np.abs(run.impacts.omega_before) > 1e-12).sum() == impacts


def between(stands, falling, fell):
    """The amplitude at which it begins to fall, by halving."""
    assert fell(falling) and not fell(stands)
    while abs(falling - stands) > 1e-7:
        middle = (falling + stands) / 2
        stands, falling = (stands, middle) if fell(middle) else (middle, falling)
    return falling


SLENDER = rs.Housner(slender=True, eta=0.9)
THIN = rs.Block.from_parameters(p=2.0, alpha=0.1)


@pytest.mark.parametrize("w", NO_IMPACT)
def test_the_slender_block_meets_the_boundary_without_an_impact(w):
    found = between(
        closed_forms.sine(w) - 1e-4,
        closed_forms.sine(w) + 1e-4,
        lambda a: falls(THIN, SLENDER, a * THIN.g * THIN.alpha, w, 0),
    )
    assert found == pytest.approx(closed_forms.sine(w), abs=1e-5 * found)


@pytest.mark.parametrize("w", [*ONE_IMPACT, 5.0, 6.0])
def test_the_slender_block_meets_both_ends_with_one_impact(w):
    low, high = closed_forms.sine_one_impact(w, 0.9)

    def fell(a):
        return falls(THIN, SLENDER, a * THIN.g * THIN.alpha, w, 1)

    assert between(low - 1e-4, low + 1e-4, fell) == pytest.approx(low, rel=1e-5)
    assert between(high + 2e-4, high - 2e-4, fell) == pytest.approx(high, rel=1e-5)


@pytest.mark.parametrize("w", [3.0, 6.0])
def test_the_slender_block_meets_half_sine_and_rectangle(w):
    unit = THIN.g * THIN.alpha
    half = closed_forms.half_sine(w)
    found = between(half - 1e-4, half + 1e-4, lambda a: falls(THIN, SLENDER, a * unit, w, 0, 0.5))
    assert found == pytest.approx(half, rel=1e-5)
    flat = closed_forms.rectangle(math.pi / w)

    def fell(a):
        pulse = rs.pulses.rectangular(a * unit, math.pi / w / THIN.p)
        return rs.simulate(THIN, pulse, SLENDER).fell

    assert between(flat - 1e-4, flat + 1e-4, fell) == pytest.approx(flat, rel=1e-5)


@pytest.mark.parametrize(
    ("alpha", "w", "eta", "amplitude"),
    [
        (0.1, 2, 0.9, 1.225113),
        (0.25, 2, 0.9, 1.224729),
        (0.1, 3, 0.9, 1.403859),
        (0.25, 3, 0.9, 1.405366),
        (0.25, 1, None, 1.417539),
        (0.25, 2, None, 2.357688),
        (0.25, 3, None, 3.664456),
    ],
)
def test_boundaries_of_the_full_theory(alpha, w, eta, amplitude):
    """Lowest with one impact, η = 0.9; and without an impact, where the loss plays no part."""
    block = rs.Block.from_parameters(p=2.0, alpha=alpha)
    unit = block.g * math.tan(alpha)

    def fell(a):
        return falls(block, rs.Housner(eta=eta), a * unit, w, int(eta is not None))

    found = between(amplitude - 5e-4, amplitude + 5e-4, fell)
    assert found == pytest.approx(amplitude, abs=1e-4)


def test_a_map_of_the_slender_block_is_that_of_the_closed_forms():
    """Every point on the right side of every boundary."""
    found = rs.analysis.overturning_map(THIN, "sine", SLENDER, points=31, progress=False)
    a = found.y.values * math.tan(THIN.alpha) / THIN.alpha  # the map's unit is g tan α
    bounds = {name: line[:, None] for name, line in found.closed_forms.items()}
    at_once = a > bounds["no impact"]
    after_one = (a > bounds["one impact, lower end"]) & (a < bounds["one impact, upper end"])
    assert np.array_equal(found.one.classes == Way.AT_ONCE, at_once)
    assert np.array_equal(found.one.classes == Way.AFTER_ONE, after_one & ~at_once)
    assert at_once.sum() > 300 and after_one.sum() > 80


def test_the_amplitude_that_overturns_without_an_impact_grows_with_the_frequency():
    """In linear theory by its closed form, and at a finite α; so does the lowest amplitude with one
    impact. (The lowest of all jumps where falls after an impact end.)"""
    w = np.linspace(0.5, 8, 16)
    assert (np.diff([closed_forms.sine(each) for each in w]) > 0).all()
    assert (np.diff([closed_forms.half_sine(each) for each in w]) > 0).all()
    low = [closed_forms.sine_one_impact(each, 0.9).low for each in w[w < 6.5]]
    assert (np.diff(low) > 0).all()
    found = small_map()
    lowest = np.where(found.one.classes == Way.AT_ONCE, found.y.values, np.inf).min(axis=1)
    finite = lowest[np.isfinite(lowest)]
    assert len(finite) > 30 and (np.diff(finite) >= 0).all() and finite[-1] > 5 * finite[0]


# -- each point is a run -------------------------------------------------------------------------


def small_map(pulse="sine", **options):
    return rs.analysis.overturning_map(BLOCK, pulse, points=41, progress=False, **options)


def check_points(found, count, seed=0):
    """The way, peak and impacts of random points are those of `simulate`."""
    points = found.one
    ran = np.argwhere(points.ran)
    for i, j in ran[np.random.default_rng(seed).choice(len(ran), count, replace=False)]:
        run = found.response(i, j)
        assert points.classes[i, j] == way_of(run), (i, j)
        if not run.fell:
            assert points.peak[i, j] == pytest.approx(run.peak, rel=1e-10)
        else:
            assert points.impacts[i, j] == len(run.impacts)


def way_of(run):
    if run.fell:
        return Way.AT_ONCE + min(len(run.impacts), 2)
    return Way.ROCKS if run.peak > 0 or not run.formulation.exact_rest(run.system) else Way.FLAT


@pytest.mark.parametrize("pulse", ["sine", "ricker", "rectangle"])
def test_points_of_a_pulse_map_are_runs(pulse):
    found = small_map(pulse)
    assert found.method == "brute force" and found.runs == 41 * 41
    check_points(found, 25)


def test_points_of_a_record_map_are_runs():
    found = rs.analysis.overturning_map(STATUE, shaking()[0], points=25, progress=False)
    check_points(found, 25)
    i, j = 7, 11
    run = found.response(i, j)
    assert run.system.height == pytest.approx(found.x.values[i])
    assert run.motion.pga == pytest.approx(found.y.values[j] * 9.80665)


def test_points_of_a_slow_theory_are_runs(monkeypatch):
    """It is filled adaptively, as its cost demands."""
    monkeypatch.setattr("rocksteady.analysis.overturning.maps.FAST", 1.0)
    found = rs.analysis.overturning_map(
        BLOCK, "sine", rs.RigidBodySpring(), frequencies=np.linspace(1.5, 6, 33),
        strengths=np.linspace(1, 6, 33), progress=False,
    )  # fmt: skip
    assert found.method == "adaptive" and found.runs < 0.6 * 33 * 33
    assert "All of them would take a core about" in found.sentences[-1]
    check_points(found, 4)


def test_the_method_is_chosen_by_the_cost_that_the_theory_declares():
    """401 × 401 points: Housner's within seconds of a core, soft beds within hours."""
    waves = [rs.pulses.sine(1.0, omega=w * 2.0) for w in (1, 4)]
    seconds = {
        how.name: 401**2 / 2 * brute_force_seconds(Study.of(BLOCK, waves, how, until="outcome"))
        for how in (rs.Housner(), rs.Nonsmooth(friction=0.8), rs.RigidBodySpring())
    }
    assert seconds["Housner"] < FAST / 3
    assert FAST < seconds["Nonsmooth"] < seconds["RigidBodySpring"]


class Clock:
    """A processor on which run number n takes cost(n) seconds."""

    def __init__(self, cost):
        self.cost, self.now, self.runs = cost, 0.0, []

    def run(self, picked, *, progress):
        assert progress is False
        self.runs.append(len(picked))
        self.now += sum(map(self.cost, picked.numbers.tolist()))


TOWER = rs.FlexibleOscillator.giouvanidis2016()


@pytest.mark.parametrize("method", ["brute force", "adaptive"])
def test_a_long_map_is_timed_before_and_says_how_long_it_takes(method, monkeypatch):
    """One run in four takes 20 ms and the others 1 ms: 5.75 ms on average. By what the theory
    declares it would be 2.3 ms."""
    clock, told = Clock(lambda n: 0.02 if n // 50 % 4 == 0 else 1e-3), []
    monkeypatch.setattr(timing, "run_study", clock.run)
    monkeypatch.setattr(timing.time, "process_time", lambda: clock.now)
    monkeypatch.setattr(timing, "tell", told.append)
    monkeypatch.setattr(timing.numba, "get_num_threads", lambda: 4)
    for name in ("every_point", "deciding_points"):
        monkeypatch.setattr(maps, name, lambda *_, **__: None)
    found = rs.analysis.overturning_map(TOWER, "sine", method=method)
    assert clock.runs[0] == timing.WARMING and 32 <= clock.runs[1] <= 500 and len(clock.runs) == 2
    runs = 401**2
    deviation = 0.0095 * math.sqrt(0.75) / math.sqrt(clock.runs[1]) * runs
    assert found.seconds == pytest.approx(5.75e-3 * runs, abs=3 * 2 * deviation)
    assert found.seconds > 1.5 * brute_force_seconds(found.study)
    (line,) = told
    assert f"about {span(found.seconds / 4)}" in line and "160 801 runs" in line
    assert ("along the borders" in line) == (method == "adaptive")
    assert found.method == method
    rs.analysis.overturning_map(TOWER, "sine", method=method, progress=False)
    assert len(told) == 1


def test_a_short_map_is_not_timed_before(monkeypatch):
    monkeypatch.setattr(timing, "run_study", None)
    assert rs.analysis.overturning_map(BLOCK, "sine", points=5, progress=False).seconds is None


def test_an_adaptive_map_of_a_flexible_oscillator_has_the_outcomes_of_all_its_points():
    """Where it falls; ε > 0 and friction, so that it also slides and hops."""
    how = rs.Nonsmooth(epsilon=0.2, friction=0.6)
    given = {"frequencies": np.linspace(2, 8, 33), "strengths": np.linspace(2, 10, 33)}
    adaptive, brute = (
        rs.analysis.overturning_map(TOWER, "sine", how, method=method, progress=False, **given)
        for method in ("adaptive", "brute force")
    )
    assert adaptive.runs < 0.6 * brute.runs
    assert 0.2 < brute.fell.mean() < 0.9
    assert (adaptive.fell != brute.fell).mean() < 0.002
    check_points(brute, 3)


def test_shares_are_counts_of_runs():
    found = rs.analysis.overturning_map(
        STATUE, shaking(), heights=[0.9, 1.8, 3.6], strengths=[0.3, 0.6, 0.9, 1.2], progress=False
    )
    for i, j in ((0, 1), (1, 2), (2, 3)):
        fell = [found.response(i, j, k).fell for k in range(len(shaking()))]
        assert found.counts.fell[i, j] == sum(fell) and found.share[i, j] == np.mean(fell)
    assert found.share[1].max() > 0 and found.share[0, 0] <= found.share[0, -1]
    low, high = found.interval()
    assert (low <= found.share).all() and (found.share <= high).all()
    half = next(s for s, share in zip(found.y.values, found.share[1], strict=True) if share >= 0.5)
    assert half_falls(found) == half > found.y.values[0]
    assert (
        found.sentences[1]
        == f"Half of the motions first overturn the {STATUE.label} at {half:g} g."
    )
    weak = dataclasses.replace(found, counts=found.counts._replace(fell=0 * found.counts.fell))
    assert half_falls(weak) is None
    assert weak.sentences[1].startswith("Up to 1.2 g fewer than half overturn")
    assert len(found.sentences) == 3 and found.share.shape == (3, 4)  # every run gave an answer
    known = found.counts.known.copy()
    known[0, 0], known[2, 3] = known[0, 0] - 1, known[2, 3] - 2
    some = dataclasses.replace(found, counts=found.counts._replace(known=known))
    assert some.sentences[2] == "3 runs gave no answer and are not counted."
    about = some.summary()
    assert (about["without_an_answer"], found.summary()["without_an_answer"]) == (3, 0)
    assert about["half_fall_at"] == half and about["largest_share"] == some.share.max()
    assert about["height_m"] == [0.9, 3.6]
    with pytest.raises(rs.InputError, match="it has shares, not ways to fall"):
        _ = found.fell


def test_motions_of_one_record_count_as_one_in_intervals():
    """Two components of each of four records are four draws, in a map and in a spectrum."""
    pairs = [
        rs.Motion(m.accel, m.dt, meta={"station": str(i // 2), "event": "X"})
        for i, m in enumerate(shaking()[:2] * 4)
    ]
    found = rs.analysis.overturning_map(
        STATUE, pairs, heights=[0.9, 1.8], strengths=[0.6, 1.2], progress=False
    )
    assert found.independent == 4
    np.testing.assert_allclose(found.interval(), interval(4 * found.share, 4))
    assert "known to lie between 9.76 % and 90.2 %" in found.sentences[0]
    curve = rs.analysis.rocking_spectrum(pairs, alpha=0.2, periods=[2.0, 3.0], progress=False)
    np.testing.assert_allclose(curve.interval(), interval(4 * curve.share, 4))


def test_strength_is_that_of_the_ground_also_on_a_floor():
    floor = rs.Floor(period=0.8, storeys=3)
    found = rs.analysis.overturning_map(
        STATUE, shaking()[0], heights=[1.0, 1.8], strengths=[0.3, 0.5], floor=floor, progress=False
    )
    run = found.response(1, 1)
    ground = shaking()[0].scaled_to(pga=0.5 * 9.80665)
    assert run.peak == pytest.approx(rs.simulate(STATUE, floor.motion(ground)).peak, rel=1e-9)
    assert Way(int(found.one.classes[1, 1])).falls == run.fell


def test_below_g_tan_alpha_nothing_lifts_off():
    for method in ("brute force", "adaptive"):
        found = small_map(method=method)
        flat = found.one.classes == Way.FLAT
        assert np.array_equal(flat, np.broadcast_to(found.y.values <= 1, flat.shape))


def test_bodies_of_a_map_are_similar():
    body = rs.Block(2.0, 0.6, offset=0.05, com_height=0.8, mass=700, inertia=200)
    larger = similar(body, 4.0)
    assert larger.alpha == pytest.approx(body.alpha) and larger.eta == pytest.approx(body.eta)
    assert larger.p == pytest.approx(body.p / 2)
    assert larger.left.alpha == pytest.approx(body.left.alpha)


# -- spectra -----------------------------------------------------------------------------------

PULSE = rs.pulses.mavroeidis(velocity=0.8, frequency=1.0, gamma=2.0)


def test_points_of_a_spectrum_are_runs():
    found = rs.analysis.rocking_spectrum(
        shaking()[:3], alpha=[0.15, 0.25], periods=np.linspace(1.5, 6, 10), progress=False
    )
    seen = set()
    for a, t, k in np.random.default_rng(1).integers(0, (2, 10, 3), (20, 3)):
        run = found.response(a, t, k)
        assert run.system.p == pytest.approx(2 * math.pi / found.periods[t])
        assert run.system.alpha == pytest.approx(found.alphas[a])
        assert found.fell[a, k, t] == run.fell
        seen.add(run.fell)
        if run.fell:
            assert np.isnan(found.peak[a, k, t]) and np.isnan(found.rate[a, k, t])
        else:
            assert found.peak[a, k, t] == run.peak
            assert found.rate[a, k, t] == pytest.approx(run.peak_rate / run.system.p, rel=1e-12)
    assert seen == {True, False}


@pytest.mark.parametrize("how", [rs.RigidBodySpring(), rs.Nonsmooth(friction=0.8)])
def test_spectra_of_other_theories_are_their_runs(how):
    found = rs.analysis.rocking_spectrum(
        PULSE, alpha=0.25, periods=[2.0, 4.0, 6.0], formulation=how, progress=False
    )
    for t in range(3):
        run = found.response(0, t)
        assert found.fell[0, 0, t] == run.fell
        if not run.fell:
            assert found.peak[0, 0, t] == pytest.approx(run.peak, rel=1e-12)
            assert found.rate[0, 0, t] == pytest.approx(run.peak_rate / run.system.p, rel=1e-12)
    assert not found.fell.all()


def test_the_largest_rate_of_a_run():
    """At samples and on both sides of impacts: of free rocking that before the first impact, which
    energy tells."""
    run = rs.simulate(STATUE, theta0=0.5 * STATUE.alpha)
    rise = math.cos(0.5 * STATUE.alpha) - math.cos(STATUE.alpha)
    assert run.peak_rate == pytest.approx(STATUE.p * math.sqrt(2 * rise), rel=1e-9)
    assert run.peak_rate == run.impacts.omega_before[0] * np.sign(run.impacts.omega_before[0])


def test_a_spectrum_has_its_own_eta_or_one_for_all():
    periods = [2.0, 4.0, 8.0]
    own = rs.analysis.rocking_spectrum(PULSE, alpha=[0.1, 0.3], periods=periods, progress=False)
    assert own.etas == pytest.approx([1 - 1.5 * math.sin(alpha) ** 2 for alpha in (0.1, 0.3)])
    same = rs.analysis.rocking_spectrum(
        PULSE, alpha=[0.1, 0.3], periods=periods, eta=0.9, progress=False
    )
    assert (same.etas == 0.9).all() and same.study.formulation.eta == 0.9
    block = rs.Block.from_parameters(p=2 * math.pi / 4.0, alpha=0.3)
    alone = rs.simulate(block, PULSE, rs.Housner(eta=0.9))
    assert same.peak[1, 0, 1] == alone.peak
    for how in (rs.Housner(eta=0.8), rs.Housner(r=0.8)):
        with pytest.raises(rs.InputError, match="a formulation with a loss were given: give one"):
            rs.analysis.rocking_spectrum(PULSE, alpha=0.2, eta=0.9, formulation=how)
    with pytest.raises(rs.InputError, match="takes none"):
        rs.analysis.rocking_spectrum(
            PULSE, alpha=0.2, eta=0.9, formulation=rs.NumericalDissipation()
        )


def test_the_spectrum_breaks_where_the_block_falls():
    found = rs.analysis.rocking_spectrum(
        PULSE, alpha=0.25, periods=np.linspace(1, 8, 36), progress=False
    )
    assert found.fell[0, 0, 0] and found.falls_up_to(0) == pytest.approx(2.8)
    line = found.plot().axes[0].get_lines()[0]
    assert np.array_equal(np.isnan(line.get_ydata()), found.fell[0, 0])
    assert "fall at some sizes up to 2π/p = 2.8 s (a height of" in found.sentences[0]


def test_a_quantile_of_falls_is_a_fall():
    """Five motions, of which two fall: the median stands, the 84 % quantile does not."""
    found = rs.analysis.rocking_spectrum(shaking()[:5], alpha=0.2, periods=[2, 3], progress=False)
    object.__setattr__(found, "fell", np.array([[[0, 1], [0, 1], [0, 1], [1, 1], [1, 1]]], bool))
    object.__setattr__(found, "known", np.ones((1, 5, 2), dtype=bool))
    leans = np.array([[[0.3, 0], [0.1, 0], [0.2, 0], [0, 0], [0, 0]]])
    object.__setattr__(found, "peak", np.where(found.fell, np.nan, leans))
    assert found.quantile(0.5)[0, 0] == 0.3 and found.quantile(0.25)[0, 0] == 0.2
    assert np.isnan(found.quantile(0.84)[0, 0]) and np.isnan(found.quantile(0.5)[0, 1])
    assert found.share[0].tolist() == [0.4, 1.0]


# -- adaptive filling ------------------------------------------------------------------------------


def counted(classes):
    """An `evaluate` that refuses to run a point twice."""
    seen = np.zeros(classes.shape, dtype=bool)

    def evaluate(rows, columns):
        assert not seen[rows, columns].any()
        seen[rows, columns] = True
        return classes[rows, columns]

    return evaluate, seen


@pytest.mark.parametrize("shape", [(401, 401), (130, 77), (17, 2), (5, 40)])
@pytest.mark.parametrize("ragged", [True, False])
def test_smooth_patches_are_filled_exactly(shape, ragged):
    x, y = np.meshgrid(*(np.linspace(0, 1, n) for n in shape), indexing="ij")
    truth = ((x - 0.3) ** 2 + (y - 0.6) ** 2 < 0.09).astype(np.int8) + 2 * (y > 0.8 + 0.1 * x)
    evaluate, seen = counted(truth.astype(np.int8))
    found = fill(evaluate, shape, ragged=ragged)
    assert np.array_equal(found.classes, truth) and np.array_equal(found.ran, seen)


def test_an_island_between_the_first_points_is_missed_and_no_other():
    truth = np.zeros((401, 401), dtype=np.int8)
    truth[98:102, 198:202] = 1  # between the first points
    truth[150:172, 300:322] = 1  # around one of them
    found = fill(lambda i, j: truth[i, j], truth.shape)
    assert not found.classes[98:102, 198:202].any() and found.ran.mean() < 0.02
    assert np.array_equal(found.classes[120:], truth[120:])
    assert missed(truth, found.classes) == (1, 3)


def test_islands_are_patches_apart_from_the_largest():
    classes = np.full((20, 20), Way.ROCKS, dtype=np.int8)
    classes[:, 10:] = Way.AT_ONCE
    classes[4, 3] = classes[5, 4] = Way.LATER  # one island, by its corner
    classes[15:17, 15] = Way.FLAT
    assert [(one.falls, one.points) for one in islands(classes)] == [(True, 2), (False, 2)]
    assert "it falls in 1 island and stands in 1 (a strip" in words_of_islands(
        SimpleNamespace(islands=islands(classes))
    )
    classes[:, :10] = Way.ROCKS
    classes[:, 10:] = Way.AT_ONCE
    assert words_of_islands(SimpleNamespace(islands=islands(classes))) == (
        "The points that fall are one connected area, and so are those that stand."
    )


@pytest.mark.parametrize("pulse", ["sine", "ricker"])
def test_an_adaptive_pulse_map_is_the_whole_map(pulse):
    compare_methods(BLOCK, pulse, 0.12, 1e-4, points=161)


@pytest.mark.slow
@pytest.mark.parametrize("pulse", ["sine", "ricker"])
def test_an_adaptive_pulse_map_needs_few_runs(pulse):
    compare_methods(BLOCK, pulse, 0.05, 1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    "record", ["ElCentro1940_NS_Peknold.AT2", "RSN1106_KOBE_KJM000.AT2", "NGA_no_1063_RRS228.AT2"]
)
def test_an_adaptive_map_of_a_record(record):
    if not (RECORDS / record).is_file():
        pytest.skip(f"{record} is not here")
    motion = rs.read_motion(RECORDS / record)
    lost, patches = compare_methods(STATUE, motion, 0.16, 4e-3, every_island=False)
    assert 0 < lost < 0.6 * patches  # docs/maps.md has the numbers


def compare_methods(body, motion, most_runs, most_wrong, *, every_island=True, **options):
    whole, few = (
        rs.analysis.overturning_map(body, motion, method=method, progress=False, **options)
        for method in ("brute force", "adaptive")
    )
    truth, found, ran = whole.one.classes, few.one.classes, few.one.ran
    assert ran.mean() <= most_runs and (found != truth).mean() <= most_wrong
    assert np.array_equal(found[ran], truth[ran])
    assert np.array_equal(few.one.peak[ran], whole.one.peak[ran])
    assert np.isnan(few.one.peak[~ran]).all()
    lost, patches = missed(truth, found)
    assert lost == 0 or not every_island
    return lost, patches


# -- stores, files, figures, words -----------------------------------------------------------------


@pytest.mark.parametrize("method", ["brute force", "adaptive"])
def test_a_stored_map_is_not_run_again(tmp_path, method, monkeypatch):
    first = small_map(method=method, store=tmp_path / "runs")
    monkeypatch.setattr("rocksteady.ensembles.study.Study.compute_parts", None)
    again = small_map(method=method, store=tmp_path / "runs")
    assert np.array_equal(first.one.classes, again.one.classes)
    assert np.array_equal(first.one.ran, again.one.ran)


@pytest.mark.parametrize(
    ("motions", "options"),
    [
        ("sine", {"points": 41}),
        ("sine", {"points": 41, "method": "adaptive"}),
        ("one", {"points": 35}),
        ("six", {"points": 4}),
    ],
)
def test_a_map_that_is_shown_round_by_round_is_the_same(motions, options):
    """Each point is handed out once, with what it came to; the first ones are far apart."""
    motions = meant(motions)
    whole = rs.analysis.overturning_map(STATUE, motions, progress=False, **options)
    rounds = []
    shown = rs.analysis.overturning_map(
        STATUE, motions, progress=False, show=rounds.append, **options
    )
    for one, other in zip(whole.points or whole.counts, shown.points or shown.counts, strict=True):
        assert one.dtype == other.dtype and one.tobytes() == other.tobytes()
    i, j = (np.concatenate([getattr(each, name) for each in rounds]) for name in "ij")
    assert len(set(zip(i, j, strict=True))) == len(i)
    names = {"way": "classes"} if whole.points else {}
    for name in rounds[0].found:
        found = np.concatenate([each.found[name] for each in rounds])
        known = getattr(whole.points or whole.counts, names.get(name, name))
        assert np.array_equal(found, known[i, j])
    if len(whole.x.values) > 32:
        assert len(rounds) > 5 and (np.diff(np.unique(rounds[0].i)) >= 8).all()


@pytest.mark.parametrize("method", ["brute force", "adaptive"])
def test_a_map_that_was_stopped_runs_only_what_was_not_shown(tmp_path, method, monkeypatch):
    options = {"points": 41, "method": method, "store": tmp_path / "runs", "progress": False}
    shown, ran = [], []

    def stop(found):
        shown.append(found)
        if len(shown) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rs.analysis.overturning_map(STATUE, "sine", show=stop, **options)
    compute = Study.compute_parts

    def counted(study, parts, deliver):
        ran.append(sum(part.runs for part in parts))
        return compute(study, parts, deliver)

    monkeypatch.setattr(Study, "compute_parts", counted)
    again = []
    found = rs.analysis.overturning_map(STATUE, "sine", show=again.append, **options)
    assert sum(ran) == found.runs - sum(len(each.i) for each in shown)
    for before, after in zip(shown, again, strict=False):
        assert np.array_equal(before.i, after.i) and np.array_equal(before.j, after.j)
        assert all(np.array_equal(before.found[n], after.found[n]) for n in before.found)


def test_a_stored_spectrum_is_not_run_again(tmp_path, monkeypatch):
    options = {"alpha": 0.2, "periods": [2.0, 4.0], "store": tmp_path / "runs", "progress": False}
    first = rs.analysis.rocking_spectrum(PULSE, **options)
    monkeypatch.setattr("rocksteady.ensembles.shake._simulated", None)
    again = rs.analysis.rocking_spectrum(PULSE, **options)
    assert np.array_equal(first.rate, again.rate, equal_nan=True)


def test_files_of_a_map(tmp_path):
    import pandas
    import xarray

    found = small_map(method="adaptive")
    table = pandas.read_csv(found.save(tmp_path / "map.csv"))
    assert len(table) == 41 * 41 and table["run"].sum() == found.runs
    words = [Way(int(each)).words for each in found.one.classes.ravel()]
    assert table["way"].tolist() == words
    with xarray.open_dataset(found.save(tmp_path / "map.nc"), engine="h5netcdf") as data:
        assert np.array_equal(data["way"].values, found.one.classes)
        assert data["closed_form_no_impact"].values == pytest.approx(
            [closed_forms.sine(w) for w in found.x.values]
        )
    with pytest.raises(rs.InputError, match=r"\.csv"):
        found.save(tmp_path / "map.txt")


def test_a_map_is_a_picture_inside_vectors(tmp_path):
    found = small_map()
    found.plot(tmp_path / "map.svg")
    text = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert text.count("<image") == 1 and len(text) < 400_000
    found.plot(tmp_path / "again.svg")
    assert text == (tmp_path / "again.svg").read_text(encoding="utf-8")
    legend = [each.get_text() for each in found.plot().legends[0].get_texts()]
    assert "falls after one impact" in legend and "slender theory: no impact" in legend


def test_what_a_map_says():
    found = small_map()
    about = found.summary()
    shares = about["share_of_points"]
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["falls without an impact"] == (found.one.classes == Way.AT_ONCE).mean()
    assert about["frequency"] == [0.5, 8.0] and about["runs"] == 41 * 41
    assert 0.5 < found.stands_again < 1 and "More is not always worse" in found.sentences[2]
    assert found.sentences[-1].startswith("Brute force: each of 1 681 points is a run")
    few = small_map(method="adaptive")
    assert "An island narrower than 16 points may be missing" in few.sentences[-1]


FLAT, ROCKS, AT_ONCE, AFTER_ONE, LATER, UNKNOWN = (
    Way.FLAT, Way.ROCKS, Way.AT_ONCE, Way.AFTER_ONE, Way.LATER, Way.UNKNOWN
)  # fmt: skip
OF_WAYS = np.array(
    [
        [ROCKS, AT_ONCE, ROCKS, AT_ONCE, UNKNOWN],
        [FLAT, FLAT, ROCKS, AFTER_ONE, LATER],
        [FLAT, ROCKS, LATER, AFTER_ONE, AFTER_ONE],
        [FLAT, FLAT, FLAT, ROCKS, ROCKS],
    ]
)


def a_map(classes, *, pulse="sine", patches=(True, False, False), **more):
    """A map of these classes, without its runs."""
    fell = classes >= Way.AT_ONCE
    later = np.logical_or.accumulate(fell, axis=1) & ~fell & (classes != Way.UNKNOWN)
    how = {
        "method": "brute force",
        "motions": 1,
        "counts": None,
        "seconds": None,
        "shape": classes.shape,
    }
    how |= more
    return SimpleNamespace(
        one=SimpleNamespace(classes=classes), fell=fell, stands_again=later.any(axis=1).mean(),
        islands=[SimpleNamespace(falls=each) for each in patches], pulse=pulse, **how,
    )  # fmt: skip


def test_the_sentences_of_a_map_as_a_whole():
    brute = "Brute force: each of 20 points is a run; between points nothing is known."
    assert sentences(a_map(OF_WAYS)) == [
        "It falls at 35 % of the points: 10 % without an impact, 15 % after one impact, 10 % after "
        "more impacts.",
        "Apart from the largest areas it falls in 1 island and stands in 2 (a strip thinner than "
        "the grid breaks into several).",
        "More is not always worse: at 25 % of the frequencies it stands under a stronger motion "
        "than one that overturns it.",
        "1 point has no answer: the run failed or never came to rest.",
        brute,
    ]
    one_way = np.where(OF_WAYS == LATER, UNKNOWN, np.where(OF_WAYS == AT_ONCE, FLAT, OF_WAYS))
    assert sentences(a_map(one_way, pulse=None, patches=(True, True))) == [
        "It falls at 15 % of the points: 15 % after one impact.",
        "Apart from the largest areas it falls in 2 islands and stands in 0 (a strip thinner than "
        "the grid breaks into several).",
        "3 points have no answer: the run failed or never came to rest.",
        brute,
    ]
    assert sentences(a_map(np.full((4, 5), FLAT))) == ["It falls nowhere on this map.", brute]
    many = sentences(a_map(OF_WAYS[:1], pulse=None, patches=()))
    assert many[1] == "The points that fall are one connected area, and so are those that stand."
    assert many[2].startswith("More is not always worse: at 100 % of the sizes")


@pytest.mark.parametrize(
    ("known", "missing"),
    [
        (10, []),
        (9, ["1 run gave no answer and is not counted."]),
        (8, ["2 runs gave no answer and are not counted."]),
    ],
)
@pytest.mark.parametrize(("falls", "median"), [(5, "0.2"), (4, "0.4")])
def test_the_sentences_of_shares_as_a_whole(known, missing, falls, median):
    """Of 10 motions at 2 sizes and 3 strengths; they count as 5."""
    fell, answers = np.array([[0, falls, 10], [0, 0, 3]]), np.full((2, 3), 10)
    answers[1, 2] = known
    strengths = SimpleNamespace(values=np.array([0.1, 0.2, 0.4]), unit="g", name="pga")
    sizes = SimpleNamespace(values=np.array([1.0, 2.0]), unit="m", name="height")
    system = SimpleNamespace(height=1.2, label="statue")
    shares = a_map(
        np.zeros((2, 3)), pulse=None, motions=10, independent=5.0, x=sizes, y=strengths,
        counts=SimpleNamespace(fell=fell, known=answers), share=fell / answers, system=system,
    )  # fmt: skip
    shares.nearest = lambda x, y: (int(np.argmin(np.abs(sizes.values - x))), 0)
    low, high = (
        round(100 * float(end), 1) for end in beta.ppf([0.05, 0.95], [2.5, 3.5], [3.5, 2.5])
    )
    assert sentences(shares) == [
        "At each of 6 points 10 motions were run; where half of them overturn the body, the share "
        f"is known to lie between {low:g} % and {high:g} % (90 % interval).",
        f"Half of the motions first overturn the statue at {median} g.",
        *missing,
        "Brute force: each of 6 points is 10 runs; between points nothing is known.",
    ]
    system.height = 1.9
    fewer = "Up to 0.4 g fewer than half overturn the statue."
    assert sentences(shares)[1] == fewer and half_falls(shares) is None


@pytest.mark.parametrize(
    ("pulse", "missed_ones"),
    [
        ("sine", "An island narrower than 16 points may be missing."),
        (
            None,
            "Islands narrower than 8 points away from the borders may be missing, and under a "
            "record some are: for every island use brute force.",
        ),
    ],
)
def test_what_an_adaptive_map_says_of_itself(pulse, missed_ones, monkeypatch):
    monkeypatch.setattr(words, "brute_force_seconds", lambda study: 5400.0)
    study = SimpleNamespace(scales=np.ones(50))
    made = a_map(np.zeros((40, 50)), pulse=pulse, method="adaptive", runs=500, study=study)
    assert words.how_it_was_made(made) == (
        "Adaptive: 500 of 2 000 points were run (25 %), those along the borders; the others are "
        "taken from their surroundings. All of them would take a core about 1 h 30 min. "
        + missed_ones
    )
    made.seconds = 600.0
    assert "would take a core about 10 min. " in words.how_it_was_made(made)


def test_every_pulse_has_a_name_in_words():
    assert set(SHAPES) | {"pulse"} == set(PULSES)


def test_eta_of_the_closed_forms_is_that_of_the_runs():
    for how, eta in ((rs.Housner(eta=0.8), 0.8), (rs.Housner(r=0.81), 0.9), (None, BLOCK.eta)):
        found = rs.analysis.overturning_map(
            BLOCK, "sine", how, frequencies=[2.0, 3.0], strengths=[1.0, 2.0], progress=False
        )
        assert found.eta == pytest.approx(eta)
        low = found.closed_forms["one impact, lower end"]
        assert low[0] == closed_forms.sine_one_impact(2.0, found.eta).low


@pytest.mark.parametrize(
    ("motions", "options", "sentence"),
    [
        ("sinus", {}, "'sinus' is not a pulse for a map: give one of sine"),
        ("sine", {"heights": [1, 2]}, "give frequencies="),
        ("sine", {"floor": rs.Floor(period=0.5)}, "a floor turns a pulse into a long vibration"),
        ("sine", {"method": "quick"}, "choose 'brute force' or 'adaptive'"),
        ("sine", {"strengths": [2, 1]}, "each larger than the one before"),
        ("sine", {"frequencies": "all"}, "give two or more positive numbers"),
        (lambda omega: omega, {}, "it must make a Motion from ω"),
        (rs.Motion, {}, "motions is the class Motion itself: give one of sine"),
        ("one", {"frequencies": [1, 2]}, "they are for pulses"),
        ("one", {"measure": "sa"}, "choose 'pga' .* or 'pgv'"),
        ("six", {"method": "adaptive"}, "a share changes gradually"),
    ],
)
def test_what_a_map_refuses(motions, options, sentence):
    with pytest.raises(rs.InputError, match=sentence):
        rs.analysis.overturning_map(STATUE, meant(motions), progress=False, **options)


def test_points_outside_are_refused():
    found = small_map()
    with pytest.raises(rs.InputError, match="i = 41 is outside the map: it has 41 points"):
        found.response(41, 0)
    assert found.response(-1, -1).motion.pga == found.response(40, 40).motion.pga
    i, j = found.nearest(3.0, 2.0)
    assert abs(found.x.values[i] - 3.0) < 0.1 and abs(found.y.values[j] - 2.0) < 0.15
    assert found.way(i, j) is Way.AFTER_ONE


def test_a_pulse_of_ones_own():
    found = rs.analysis.overturning_map(
        BLOCK, lambda omega: rs.pulses.sine(3.0, omega=omega, cycles=2), points=11, progress=False
    )
    assert found.closed_forms == {} and found.pulse == "pulse"
    assert found.response(5, 5).motion.duration == pytest.approx(
        4 * math.pi / (found.x.values[5] * BLOCK.p)
    )


def test_pgv_as_the_strength():
    found = rs.analysis.overturning_map(
        STATUE,
        shaking()[0],
        heights=[1.0, 1.8],
        strengths=[0.2, 0.6],
        measure="pgv",
        progress=False,
    )
    assert found.y.label == "peak velocity of the ground [m/s]"
    assert rs.intensity.pgv(found.response(0, 1).motion) == pytest.approx(0.6)


def test_a_map_names_its_record():
    record = rs.pulses.sine(2.0, 0.6, dt=0.01).renamed("El Centro,\n NS")
    found = rs.analysis.overturning_map(
        STATUE, record, heights=[1.2, 1.8], strengths=[0.2, 0.4], progress=False
    )
    assert "under El Centro, NS (Housner)" in words.title(found)
