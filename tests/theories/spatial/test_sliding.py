"""A body whose flat base slides and twists, with Coulomb friction."""

import math
from dataclasses import replace

import numpy as np
import pytest

import rocksteady as rs
from newmark_block import newmark
from rocksteady.theories.contract import REST as RESTS
from rocksteady.theories.contract import kernel
from rocksteady.theories.spatial.loose.base import pressed_part
from rocksteady.theories.spatial.loose.sliding import EVERYWHERE, rubbed, slide_flat
from rocksteady.theories.spatial.loose.step import tumble
from rocksteady.theories.spatial.pivots import INERTIA
from rocksteady.theories.spatial.state import AHEAD, LOOSE, MODE, MORE, SPIN, UP

STILL = (0.0, 0.0, 0.0)
LOW = rs.Body.box(1.0, 0.8, 0.4)  # slides before it tips


def parameters(body, mu):
    return rs.Spatial(friction=mu).parameters(body)


def disk(n=32, radius=0.225):
    """A thin plate, with as much area as a disk of this radius."""
    angle = 2 * np.pi * np.arange(n) / n
    size = radius * math.sqrt(2 * np.pi / (n * math.sin(2 * np.pi / n)))
    return rs.Body.prism(np.column_stack([size * np.cos(angle), size * np.sin(angle)]), 1e-6)


# -- integrals over the base ----------------------------------------------------------------------


def on_a_grid(corners, slide, pressure, n=1500):
    """The 15 integrals over a rectangle, by brute force."""
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    cells = (np.arange(n) + 0.5) / n
    x, y = np.meshgrid(x0 + (x1 - x0) * cells, y0 + (y1 - y0) * cells)
    cx, cy, w = slide
    ux, uy = cx - w * y, cy + w * x
    size = np.hypot(ux, uy)
    ex, ey = ux / size, uy / size
    twist = x * ey - y * ex
    presses = pressure[0] + pressure[1] * x + pressure[2] * y > 0
    parts = (1 + 0 * x, x, y, x * x, x * y, y * y, ex, x * ex, y * ex, ey, x * ey, y * ey)
    parts = (*parts, twist, x * twist, y * twist)
    return np.array([(presses * part).mean() for part in parts]) * (x1 - x0) * (y1 - y0)


@pytest.mark.parametrize(
    "slide", [(0.1, 0.05, 1.0), (0.1, -0.03, -0.7), (1.0, 2.0, 2e-3), (1, 2, 0)]
)
def test_integrals_over_the_base(slide):
    """Also where the point that does not move lies within the base, and where it is far away."""
    body = replace(rs.Body.box(0.45, 0.6, 0.4), centre=(0.03, -0.02, 0.2))
    params = parameters(body, 0.2)
    for pressure in ((1.0, 0.0, 0.0), (1.0, 6.0, -2.0)):
        sums = pressed_part(params, tuple(map(float, slide)), pressure)
        expected = on_a_grid(body.corners, slide, pressure)
        np.testing.assert_allclose(sums, expected, atol=1.5e-5)  # of the grid, at the cut
    near = pressed_part(
        params, (0.5, 0.2, 1.001e-3 * math.hypot(0.5, 0.2) / 0.375), (1.0, 0.0, 0.0)
    )
    far = pressed_part(params, (0.5, 0.2, 0.999e-3 * math.hypot(0.5, 0.2) / 0.375), (1.0, 0.0, 0.0))
    np.testing.assert_allclose(near[:12], far[:12], rtol=1e-5, atol=2e-7)  # both ways agree


def test_twist_alone():
    """The moment of a square plate that only spins is μ N times the mean distance of its points
    from the middle, (√2 + asinh 1)/6 of its side."""
    body = rs.Body.box(0.6, 0.6, 1e-6)
    fx, fy, rate, down, _ = rubbed(parameters(body, 0.3), (0.0, 0.0, 2.0), body.g, EVERYWHERE)
    arm = 0.6 * (math.sqrt(2) + math.asinh(1)) / 6
    assert down
    assert (fx, fy) == (pytest.approx(0, abs=1e-12), pytest.approx(0, abs=1e-12))
    assert rate == pytest.approx(-0.3 * body.g * arm / (0.6**2 / 6), rel=1e-9)


@pytest.mark.parametrize("direction", [0.0, 0.4, 2.0])
def test_tips_where_the_weight_leaves_the_base(direction):
    """A base that slides straight on bears μ times the weight, whatever the pressure, until
    friction would tip the body: where μ h reaches the edge of the base."""
    body = rs.Body.box(0.45, 0.6, 1.8)
    u = np.array([math.cos(direction), math.sin(direction)])
    tips = 1 / (0.9 * max(abs(u) / (0.225, 0.3)))
    for mu in (0.3 * tips, 0.6 * tips, 0.98 * tips):
        fx, fy, rate, down, _ = rubbed(
            parameters(body, mu), (*map(float, u), 0.0), body.g, EVERYWHERE
        )
        assert down
        np.testing.assert_allclose((fx, fy), -mu * body.g * u, atol=1e-9)
        # no pressure that is linear over the base turns a body with a symmetric one
        assert direction != 0 or abs(rate) < 1e-9
    assert not rubbed(parameters(body, 1.01 * tips), (*map(float, u), 0.0), body.g, EVERYWHERE)[3]


# -- motion ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("direction", "vertical"), [(0.0, 0.0), (30.0, 2.0)])
def test_translation_is_newmarks_sliding_block(direction, vertical):
    t = np.arange(0, 3, 0.01)
    push = 4 * np.sin(2 * np.pi * 0.9 * t) * np.sin(np.pi * t / 3) + 1.5 * np.sin(11 * t)
    up = vertical * np.cos(17 * t)
    u = np.array([math.cos(math.radians(direction)), math.sin(math.radians(direction))])
    motion = rs.Motion(push * u[0], 0.01, vertical=up, transverse=push * u[1])
    run = rs.simulate(LOW, motion, rs.Spatial(friction=0.2), until="motion")
    slip = newmark(push, LOW.g + up, 0.01, 0.2)
    assert np.ptp(slip) > 0.05
    np.testing.assert_allclose(run.column("x") - run.column("x")[0], u[0] * slip, rtol=0, atol=3e-9)
    np.testing.assert_allclose(run.column("y") - run.column("y")[0], u[1] * slip, rtol=0, atol=3e-9)
    assert np.abs(run.column("yaw")).max() < 1e-9
    assert run.column("tilt").max() == 0


@pytest.mark.parametrize(("speed", "spin"), [(1.0, 1.0), (0.3, 8.0), (0.1, 0.01)])
def test_terminal_ratio_of_a_disk(speed, spin):
    """A uniform disk that slides and spins ends with v = 0.65300 R w, whatever it began with
    (science: 0.65300178929), and both end at once."""
    body = disk()
    params = parameters(body, 0.2)
    begin = (0.0, 0.0, 1.0, 0.0, speed, 0.0, spin, 0.0)
    end, used, stopped, down = slide_flat(begin, params, STILL, STILL, 10.0)
    assert stopped and down
    assert end[4:7] == (0.0, 0.0, 0.0)
    late = slide_flat(begin, params, STILL, STILL, used - 1e-9)[0]
    ratio = math.hypot(late[4], late[5]) / (0.225 * late[6])
    assert ratio == pytest.approx(0.6530, abs=0.001)


@kernel
def on_its_corners(state, params, step):
    """The state in which a plate with its corners as friction points has almost stopped."""
    for _ in range(100_000):
        ground = (0.0, 0.0, 0.0)
        state = tumble(state, params, ground, ground, step, step)[0]
        if abs(state[SPIN + 2]) * 0.225 + math.hypot(state[MORE + 1], state[MORE + 2]) < 2e-3:
            break
    return state


@pytest.mark.parametrize(("begin", "end"), [((0.1, 0.02, 6.0), 1.0), ((0.5, 0.2, 2.0), 2.5)])
def test_corners_as_friction_points_are_wrong(begin, end):
    """Pitfall 5. A disk on four points has no terminal ratio: from one beginning a point sticks
    and the disk pivots about it (v = R w), from another the twist ends first. Over the whole base
    it is 0.653 from both."""
    body, radius = disk(4), disk(4).corners[0, 0]
    params = list(parameters(body, 0.2))
    params[INERTIA : INERTIA + 3] = (radius**2 / 4, radius**2 / 4, radius**2 / 2)
    vx, vy, spin = begin
    flat = [0.0] * 18 + [float(body.centre[2]), vx, vy, 0.0]
    flat[UP + 2] = flat[AHEAD] = 1.0
    flat[SPIN + 2], flat[MODE] = spin, LOOSE
    late = on_its_corners(tuple(flat), tuple(params), 2.5e-4)
    ratio = math.hypot(late[MORE + 1], late[MORE + 2]) / (radius * abs(late[SPIN + 2]))
    assert ratio == pytest.approx(end, rel=0.06 if end > 1 else 1e-3)
    whole = parameters(disk(), 0.2)
    start = (0.0, 0.0, 1.0, 0.0, *begin, 0.0)
    used = slide_flat(start, whole, STILL, STILL, 10.0)[1]
    last = slide_flat(start, whole, STILL, STILL, used - 1e-9)[0]
    assert math.hypot(last[4], last[5]) / (0.225 * last[6]) == pytest.approx(0.653, abs=0.001)


def test_friction_takes_what_the_body_loses():
    """Loss = energy at the start + work of the ground − energy at the end, as it slides, twists
    and stops again; and it never gives anything back."""
    t = np.arange(0, 4, 0.005)
    fade = np.cos(np.pi * t / 8)
    push = [4 * fade * np.sin(w * t + p) for w, p in zip((7, 13, 9), (0, 1, 2), strict=True)]
    body = rs.Body.prism([(0, 0), (0.9, 0.1), (0.7, 0.8), (0.1, 0.6)], 0.3)
    motion = rs.Motion(push[0], 0.005, vertical=0.3 * push[1], transverse=push[2])
    run = rs.simulate(body, motion, rs.Spatial(friction=0.2), until="motion")
    energy = rs.Spatial(friction=0.2).energy(body, run.states)
    work, loss = run.column("work"), run.column("loss")
    scale = body.mass * body.g * body.centre[2]
    np.testing.assert_allclose(energy + loss - work, 0, atol=1e-12 * scale)
    assert np.diff(loss).min() >= 0
    assert loss[-1] > 0.1 * scale
    assert (run.events[:, 1] == RESTS).any()


def test_mirrored_and_turned():
    t = np.arange(0, 2, 0.005)
    a, b = 4 * np.sin(9 * t), 3 * np.cos(13 * t) * np.sin(np.pi * t / 2)
    square = rs.Body.box(0.8, 0.8, 0.4)
    how = rs.Spatial(friction=0.15)

    def path(x, y):
        run = rs.simulate(square, rs.Motion(x, 0.005, transverse=y), how, until="motion")
        return run.column("x"), run.column("y"), run.column("yaw")

    x, y, yaw = path(a, b)
    mirrored, turned = path(-a, b), path(-b, a)
    assert np.abs(x).max() > 0.01 < np.abs(y).max()
    np.testing.assert_allclose(mirrored, (-x, y, -yaw), rtol=0, atol=1e-9)
    np.testing.assert_allclose(turned, (-y, x, yaw), rtol=0, atol=1e-9)
