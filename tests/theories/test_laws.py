"""Laws that hold for any body under any ground, whatever the formulation: each over tens to
hundreds of random cases."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.engine.drivers import make_trace
from rocksteady.motion.processing import similarity
from rocksteady.theories.contract import OVERTURN, UPLIFT

Random = np.random.Generator


# -- random bodies, formulations and motions ------------------------------------------------------


def block(rng: Random, least: float = 1.2, lean: float = 0.2) -> rs.Block:
    """Taller than ``least`` times its width; every second one asymmetric by up to ``lean``."""
    height = rng.uniform(0.5, 5.0)
    width = height / rng.uniform(least, 9.0)
    offset = width * float(rng.choice([0.0, rng.uniform(-lean, lean)]))
    return rs.Block(height, width, offset=offset, com_height=height * rng.uniform(0.4, 0.6))


def symmetric(rng: Random) -> rs.Block:
    return block(rng, lean=0.0)


def slender(rng: Random) -> rs.Block:
    return block(rng, least=5.0)


def stone(rng: Random) -> rs.Block:
    height = rng.uniform(1.0, 5.0)
    return rs.Block(height, height / rng.uniform(4.0, 9.0))


def tank(rng: Random, most: float = 13.0) -> rs.FlexibleOscillator:
    """Up to ``most`` times as tall as half its base is wide."""
    height, base, column = rng.uniform([4.0, 5e3, 0.0], [12.0, 3e4, 3e4]).tolist()
    width = 2 * height / rng.uniform(7.0, most)
    frequency, damping = rng.uniform(3.0, 20.0), rng.choice([0.0, 0.01, 0.05])
    return rs.FlexibleOscillator(height, width, 1e4, base, column, frequency, float(damping))


def house(rng: Random) -> rs.MasonryBuilding:
    return rs.MasonryBuilding.casalotti2025(rng.uniform(2e4, 6e4), float(rng.choice([0.0, 2e4])))


def springs(rng: Random) -> rs.NumericalDissipation:
    return rs.NumericalDissipation(dt=rng.uniform(0.005, 0.015), friction=rng.uniform(0.2, 1))


def shaking(rng: Random, dt: float | None = None, *, samples: int = 120, pga: float = 6.0) -> Any:
    """Noise below some 10 Hz that starts from zero, half of it with a vertical component."""
    knots = np.concatenate([[0.0], rng.standard_normal(samples // 5 + 1)])
    smooth = np.interp(np.arange(samples), 5 * np.arange(len(knots)), knots)
    a_h = smooth * pga * rng.uniform(0.3, 1.5) / np.abs(smooth).max()
    a_v = np.concatenate([[0.0], rng.uniform(-1, 1, samples - 1)]) * rng.uniform(1, 6)
    step = float(rng.choice([0.005, 0.01, 0.02])) if dt is None else dt
    return rs.Motion(a_h, step, a_v if rng.random() < 0.5 else None)


class Theory(NamedTuple):
    """What a law is tried on, and how often; ``iterated`` is how near [rad or m] a formulation
    comes whose steps are searched for by iteration or error control, 0 for bit for bit."""

    body: Callable[[Random], Any]
    how: Callable[[Random], Any]
    runs: int = 40
    iterated: float = 0.0


THEORIES = {
    "Housner": Theory(block, lambda rng: rs.Housner(r=rng.uniform(0.5, 0.8)), 100),
    "slender": Theory(block, lambda rng: rs.Housner(slender=True), 100),
    "nonsmooth": Theory(block, lambda rng: rs.Nonsmooth(), 100),
    "bouncing": Theory(
        block,
        lambda rng: rs.Nonsmooth(epsilon=rng.uniform(0, 0.6), friction=rng.uniform(0.1, 1)),
        100,
        1e-10,
    ),
    "complex": Theory(symmetric, lambda rng: rs.ComplexPotential(l=10 ** rng.uniform(-5, -3))),
    "springs": Theory(slender, lambda rng: rs.RigidBodySpring(friction=rng.uniform(0.1, 1))),
    "dissipation": Theory(slender, springs),
    "elastic": Theory(
        stone, lambda rng: dataclasses.replace(springs(rng), body="elastic"), 15, 1e-10
    ),
    "tank": Theory(tank, lambda rng: rs.Nonsmooth(), 20, 1e-7),
    "masonry": Theory(house, lambda rng: rs.Masonry()),
}
BEDS = ("dissipation", "elastic")  # where each point holds on to the ground is not in their state


def cases(name: str, seed: int) -> Any:
    """(body, formulation, motion) as often as the theory is tried."""
    rng = np.random.default_rng(seed)
    theory = THEORIES[name]
    for _ in range(theory.runs):
        how = theory.how(rng)
        motion = shaking(rng, how.dt if name in BEDS else None)
        if name == "slender":
            motion = rs.Motion(motion.accel, motion.dt)
        yield theory.body(rng), how, motion


def run(body: Any, how: Any, motion: Any) -> rs.Response:
    """As long as the motion: what comes after has its own sampling."""
    return rs.simulate(body, motion, how, duration=motion.duration)


# -- units ----------------------------------------------------------------------------------------


def in_units(value: Any, L: float, T: float, M: float) -> Any:
    """The same body or formulation with other units of length, time and mass."""
    force = M * L / T**2
    units = {
        rs.Block: {
            **dict.fromkeys(("height", "width", "thickness", "offset", "com_height"), L),
            "density": M / L**3,
            "mass": M,
            "inertia": M * L**2,
            "g": L / T**2,
        },
        rs.FlexibleOscillator: {
            **dict.fromkeys(("height", "width"), L),
            **dict.fromkeys(("top_mass", "base_mass", "column_mass"), M),
            "natural_frequency": 1 / T,
            "g": L / T**2,
        },
        rs.MasonryBuilding: {
            "mass": M,
            "contact_area": L**2,
            "stiffness": force / L**3,
            "damping": M / T,
            **dict.fromkeys(("threshold", "hardening_limit"), force / L**2),
            "hardening_rate": 1 / L,
            "wear_energy": force / math.sqrt(L),  # γ = 2
        },
        rs.NumericalDissipation: {"k_n": force / L**3, "dt": T, "spacing": L},
    }.get(type(value), {})
    if getattr(value, "body", "") == "elastic":
        units["E"] = force / L**2
    return dataclasses.replace(value, **{k: getattr(value, k) * u for k, u in units.items()})


@pytest.mark.parametrize("name", THEORIES)
def test_units_do_not_matter(name: str) -> None:
    """Feet, minutes and tons: a law of nature has no constant of its own. With units that are
    powers of two not a bit changes (where error control mixes them, next to nothing)."""
    rng, moved = np.random.default_rng(1), 0
    for body, how, motion in cases(name, 2):
        i, j, k = (int(n) for n in rng.integers(-4, 5, 3))
        units = (4.0**i, 2.0**j, 2.0**k)
        L, T, _ = units
        accel, vertical = (
            None if a is None else a * (L / T**2) for a in (motion.accel, motion.vertical)
        )
        ours = run(body, how, motion)
        theirs = run(
            in_units(body, *units), in_units(how, *units), rs.Motion(accel, motion.dt * T, vertical)
        )
        assert ours.status is theirs.status
        length = L if name == "masonry" else 1.0
        np.testing.assert_allclose(
            theirs.states[:, 0] / length, ours.states[:, 0], rtol=0, atol=THEORIES[name].iterated
        )
        moved += ours.peak > 0
    assert moved > THEORIES[name].runs / 2


def test_a_model_of_any_size_rocks_like_the_original() -> None:
    """Housner's scale effect: a block c times as large, under the motion √c times as slow, leans
    as far. `similarity` makes that motion."""
    rng, rocked = np.random.default_rng(3), 0
    for _ in range(200):
        body, size = block(rng), 10 ** rng.uniform(-2, 1)
        push = rs.pulses.sine(body.g * math.tan(body.alpha) * rng.uniform(1, 4), period=1.0)
        model = in_units(body, size, math.sqrt(size), 1.0)
        original, scaled = (
            rs.simulate(one, motion)
            for one, motion in ((body, push), (model, similarity(push, size)))
        )
        assert original.status is scaled.status
        assert scaled.peak == pytest.approx(original.peak, abs=1e-9)
        assert len(original.impacts) == len(scaled.impacts)
        rocked += original.status is rs.Status.AT_REST and original.peak > 0
    assert 20 < rocked < 180  # the others fell


def test_linear_rocking_is_linear() -> None:
    """Slender theory: with p and r given, θ/α is a function of a_h/(g α) alone."""
    rng = np.random.default_rng(4)
    for _ in range(100):
        p, alpha, r = rng.uniform([0.8, 0.1, 0.6], [4.0, 0.3, 0.95]).tolist()
        motion, share = shaking(rng, pga=8 * alpha), rng.uniform(0.05, 1)
        thick, thin = (
            run(
                rs.Block.from_parameters(p=p, alpha=part * alpha),
                rs.Housner(slender=True, r=r),
                rs.Motion(part * motion.accel, motion.dt),
            ).theta
            / (part * alpha)
            for part in (1.0, share)
        )
        n = min(len(thick), len(thin))  # one that falls lies at π/2, however slender
        rocking = np.abs(thick[:n]) < 2
        np.testing.assert_allclose(thin[:n][rocking], thick[:n][rocking], atol=1e-7)


# -- gravity --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Housner", "nonsmooth", "bouncing", "complex", "tank"])
def test_a_lift_that_speeds_up_is_stronger_gravity(name: str) -> None:
    """Einstein's lift: a constant a_v is told from gravity by nobody. (The complex potential's l
    is counted in 1/p, and gravity changes p; its small bounces end in rest by l.)"""
    rng, lifted = np.random.default_rng(5), 0
    for body, how, motion in cases(name, 6):
        a_v = rng.uniform(-5, 8)
        heavy, so = dataclasses.replace(body, g=body.g + a_v), how
        if name == "complex":
            so = dataclasses.replace(how, l=how.l * body.p / heavy.p)
        ours = run(body, how, rs.Motion(motion.accel, motion.dt, np.full(len(motion), a_v)))
        theirs = run(heavy, so, rs.Motion(motion.accel, motion.dt))
        first = np.flatnonzero(ours.events[:, 1] == UPLIFT)[:1]
        if name == "complex":  # until the first turning point, which is Housner's
            ours_first, theirs_first = (r.events[: int(first.sum()) + 2] for r in (ours, theirs))
            np.testing.assert_allclose(theirs_first[:, :3], ours_first[:, :3], atol=1e-8)
        else:
            np.testing.assert_allclose(theirs.theta, ours.theta, rtol=0, atol=1e-7)
        lifted += len(first)
    assert lifted > THEORIES[name].runs / 3


# -- time -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", THEORIES)
def test_the_clock_may_start_at_any_time(name: str) -> None:
    """Still ground before the motion: the same answer later. On a soft bed the body settles by a
    rounding in the meantime."""
    wait = 50
    for body, how, motion in cases(name, 7):
        accel, vertical = (
            None if a is None else np.concatenate([np.zeros(wait), a])
            for a in (motion.accel, motion.vertical)
        )
        ours = run(body, how, motion)
        theirs = run(body, how, rs.Motion(accel, motion.dt, vertical))
        soft = 1e-10 if ours.formulation.compliant else 0.0
        late, early = theirs.states[wait:, 0], ours.states[:, 0]
        np.testing.assert_allclose(late, early, rtol=0, atol=soft)
        assert ours.status is theirs.status


@pytest.mark.parametrize("name", ["Housner", "slender", "nonsmooth", "bouncing", "complex", "tank"])
def test_a_line_is_a_line_however_many_points_are_on_it(name: str) -> None:
    """The ground is linear between samples: samples added on the line change nothing."""
    parts = 3
    for body, how, motion in cases(name, 8):
        at = np.arange(parts * (len(motion) - 1) + 1) / parts
        accel, vertical = (
            None if a is None else np.interp(at, np.arange(len(a)), a)
            for a in (motion.accel, motion.vertical)
        )
        ours = run(body, how, motion)
        theirs = run(body, how, rs.Motion(accel, motion.dt / parts, vertical))
        assert ours.status is theirs.status
        n = min(len(ours.theta), len(theirs.theta[::parts]))
        # impacts carry what a step of the series leaves out, 5e-11 p, to 2.4e-7 α
        np.testing.assert_allclose(
            theirs.theta[::parts][:n], ours.theta[:n], rtol=0, atol=5e-7 * body.alpha
        )


@pytest.mark.parametrize("name", [name for name in THEORIES if name not in BEDS])
def test_the_state_says_everything(name: str) -> None:
    """Stopped anywhere and gone on with from the state alone, with parameters made anew: not a
    bit changes."""
    rng = np.random.default_rng(9)
    for body, how, motion in cases(name, 10):
        start, end = how.start(body, 0.0, 0.0), len(motion) - 1
        cut = int(rng.integers(1, end))
        whole, _, _ = part(body, how, motion, start, (0, end))
        before, state, over = part(body, how, motion, start, (0, cut))
        if not over:
            after, _, _ = part(body, how, motion, state, (cut, end))
            np.testing.assert_array_equal(np.concatenate([before, after[1:]]), whole)


def part(body: Any, how: Any, motion: Any, state: Any, ends: tuple[int, int]) -> Any:
    """From one sample to another: the states, the last of them as it is, whether it has fallen."""
    first, last = ends
    vertical = np.zeros(len(motion)) if motion.vertical is None else motion.vertical
    ground = tuple(np.array(a[first : last + 1]) for a in (motion.accel, vertical))
    states = np.empty((len(ground[0]), len(state)))
    rows, events, state = make_trace(how.advance_for(body))(
        state, how.parameters(body), ground, motion.dt, 0.0, states
    )
    return states[:rows], state, OVERTURN in events[:, 1]


# -- the column that bends ------------------------------------------------------------------------


def test_what_an_impact_leaves_of_a_bending_column() -> None:
    """A straight column's base strikes. Momentum along u keeps u' free, so what resists turning
    about the base is D = M_φφ − M_uφ²/μ2. Up to D = M b² the impact stops the base; beyond, it
    turns on about the other edge with (D − M b²)/(D + M b²) of its rate."""
    rng, passed_on = np.random.default_rng(11), 0
    for _ in range(200):
        body = tank(rng, most=40.0)
        advance = rs.Nonsmooth().advance_for(body)
        params = rs.Nonsmooth().parameters(body)
        side, omega = rng.choice([-1.0, 1.0]), rng.uniform(0.01, 0.5)
        state = (0.0, -side * omega, side, 0.0, 0.0, 0.0, 0.0, 1.0)
        struck, _, _ = advance(state, params, (0.0, 0.0), (0.0, 0.0), 0.01)
        turning = body.inertia_about_base - body.modal_moment**2 / body.modal_mass
        edge = body.mass * body.b**2
        left = max((turning - edge) / (turning + edge), 0.0)
        assert struck[1] == pytest.approx(-side * omega * left, abs=1e-12)
        assert struck[2] == (-side if left > 0 else 0.0)
        passed_on += left > 0
    assert 40 < passed_on < 160


def test_slender_columns_chatter_to_rest_and_their_energy_balances() -> None:
    """Where impacts pass on ever less of the rotation, they end, and nothing is made of nothing."""
    rng, passed_on = np.random.default_rng(12), 0
    for _ in range(80):
        body = tank(rng, most=40.0)
        motion = shaking(rng, pga=2 * body.g * body.b / body.height)
        response = rs.simulate(body, motion, duration=motion.duration + 2)
        assert response.status is not rs.Status.FAILED
        work = np.abs(response.column("work")).max()
        assert np.abs(response.energy_balance).max() < 1e-7 * max(work, 1e-3 * body.mass)
        assert np.diff(response.column("loss")).min() >= 0
        passed_on += np.any(response.impacts.omega_after != 0)
    assert passed_on > 20
