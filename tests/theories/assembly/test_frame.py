"""Two columns under a beam rock as the equivalent block of Makris and Vassiliou (2013).

Rows of §4 of the science notes are named where they are checked.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rocksteady as rs
from theories.assembly.cases import G, lean, portal, run, solved, still, swings

ALPHA = math.atan2(0.25, 1.0)
R = math.hypot(0.25, 1.0)
TURNS = (0.98995147974, 1.78381679536, 2.44783612428)  # s, γ = 0.5625
PEAKS = (0.08983506312917, 0.06802162791401, 0.05236284798362)


def equivalent(gamma):
    """(p̂, η̂) of the frame's equivalent block; γ: mass of the beam over that of all columns."""
    p2 = 0.75 * G / R * (1 + 2 * gamma) / (1 + 3 * gamma)
    kept = 1 - 1.5 * math.sin(ALPHA) ** 2 + 3 * gamma * math.cos(2 * ALPHA)
    return math.sqrt(p2), kept / (1 + 3 * gamma)


def column(response):
    """The name of the left column."""
    return response.system.stones[1].name


def test_row_equivalents_of_the_frame():
    """Row "frame: p̂², R̂, η̂" against the checked digits of both frames."""
    assert equivalent(0.5625) == pytest.approx((2.3756810388242773, 0.8932968536251711), abs=1e-14)
    assert equivalent(2.25) == pytest.approx((2.2506781471658295, 0.8861480075901329), abs=1e-14)


def test_row_frame_with_a_light_beam():
    """Row "γ = 0.5625 …; peaks; turns from α/2"."""
    free = run(portal(0.25, ALPHA / 2), still(0.001), until=2.6)
    times, peaks = swings(free, column(free), ALPHA / 2)
    assert peaks == pytest.approx(PEAKS, rel=2e-8)
    assert times == pytest.approx(TURNS, abs=6e-7)
    assert solved(free)


def test_row_frame_with_a_heavy_beam():
    """Row "γ = 2.25 (beam 4.5 × 1): first peak, turn"."""
    free = run(portal(1.0, ALPHA / 2), still(0.001), until=1.2)
    times, peaks = swings(free, column(free), ALPHA / 2)
    assert peaks == pytest.approx([0.08800457710210], rel=2e-8)
    assert times == pytest.approx([1.03817507774], abs=3e-7)


def test_order_two_on_the_frame():
    steps, errors = (0.008, 0.004, 0.002, 0.001), []
    for step in steps:
        free = run(portal(0.25, ALPHA / 2), still(step), step=step, until=2.6)
        errors.append(np.abs(swings(free, column(free), ALPHA / 2)[0] - TURNS).max())
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(2, abs=0.05)


def test_beam_and_columns_stay_together():
    """The beam only moves along: it never turns, and both columns lean alike."""
    free = run(portal(0.25, ALPHA / 2), still(0.002), step=0.002, until=2.6)
    left, right, beam = (stone.name for stone in free.system.stones[1:])
    assert np.abs(free.column(f"theta {beam}")).max() < 1e-8
    assert np.abs(lean(free, left)[0] - lean(free, right)[0]).max() < 1e-8


# -- shaken ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exact():
    """θ of the equivalent block of γ = 0.5625 under a sine of 0.40 g, 0.6 s: (times, θ) by DOP853,
    which finds uplift and impacts."""
    p, eta = equivalent(0.5625)

    def ground(t):
        return 0.40 * math.sin(2 * math.pi * t / 0.6) if t < 0.6 else 0.0

    def rhs(t, z, side):
        arm = ALPHA - abs(z[0])
        return z[1], -(p**2) * (side * math.sin(arm) + ground(t) * math.cos(arm))

    start = 0.6 / (2 * math.pi) * math.asin(math.tan(ALPHA) / 0.40)
    t, z, side = start, np.array([0.0, 0.0]), -1.0
    times, angles = [0.0, start], [0.0, 0.0]
    while t < 3.0:

        def lands(t, z, side):
            return z[0] * side

        lands.terminal, lands.direction = True, -1.0
        end = 0.6 if t < 0.6 else 3.0  # the pulse ends in a kink
        found = solve_ivp(rhs, (t, end), z, "DOP853", args=(side,), events=lands, rtol=1e-12,
                          atol=1e-15, max_step=0.0005)  # fmt: skip
        times += list(found.t[1:])
        angles += list(found.y[0, 1:])
        t, z = float(found.t[-1]), found.y[:, -1]
        if found.status == 1:
            side, z = -side, np.array([0.0, eta * z[1]])
    return np.array(times), np.array(angles)


def sine(dt):
    return rs.pulses.sine(amplitude=0.40 * G, period=0.6, dt=dt)


def test_row_frame_under_a_sine(exact):
    """Row "same frame (γ 0.5625), sine 0.40 g, 0.6 s: peak/α" 0.419105."""
    assert np.abs(exact[1]).max() / ALPHA == pytest.approx(0.419105, abs=5e-7)
    shaken = run(portal(0.25), sine(0.002), step=0.002, until=3.0)
    peak = swings(shaken, column(shaken), 0.0)[1].max()
    assert peak / ALPHA == pytest.approx(0.419105, rel=2e-5)
    fine = run(portal(0.25), sine(0.00025), step=0.00025, until=3.0)
    peak = swings(fine, column(fine), 0.0)[1].max()
    assert peak / ALPHA == pytest.approx(0.419105, rel=3e-6)


@pytest.mark.parametrize(("dt", "most"), [(0.005, 1e-4), (0.002, 6e-5), (0.001, 3e-5)])
def test_error_of_the_frame_over_alpha(exact, dt, most):
    """Largest |θ − exact| over 3 s, at most 1e-4 α at 5 ms."""
    shaken = run(portal(0.25), sine(dt), step=dt, until=3.0)
    angle, _ = lean(shaken, column(shaken))
    error = np.abs(angle - np.interp(shaken.time, *exact)).max() / ALPHA
    assert error < most


def test_a_frame_that_rocks_obeys_the_laws():
    found = rs.analysis.audit(run(portal(0.25, 0.12), still(1e-3), until=2.0))
    assert found.ok and found["momentum"].verdict == "holds", found
