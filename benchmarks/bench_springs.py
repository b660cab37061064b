"""How fast the body on springs is: nanoseconds per explicit step, against the bare loop of the same
arithmetic and against the same model in NumPy, all in one run.

    make bench

The bare loop is what one would write for this one body and motion alone: no events, no motion
states, no tuples, no driver.
"""

from __future__ import annotations

import time

import numba
import numpy as np

import rocksteady as rs
from rocksteady.engine.drivers import make_peaks
from rocksteady.theories.springs.formulation import RigidBodySpring

BLOCK = rs.Block(height=4.2, width=0.6)
HOW = RigidBodySpring()
SAMPLES, DT = 3001, 0.01
STEPS = int(np.ceil(DT / HOW.bed(BLOCK).step))  # in one sample


def shaking() -> np.ndarray:
    """30 s of noise that keeps the block rocking without overturning it."""
    t, phases = DT * np.arange(SAMPLES), np.random.default_rng(7).uniform(0, 2 * np.pi, 8)
    tones = np.sin(2 * np.pi * np.linspace(0.9, 3.1, 8)[:, None] * t + phases[:, None])
    return 0.9 * tones.sum(axis=0)


@numba.njit(error_model="numpy")
def bare(body, bed, a, dt, steps):
    """Central differences, straight from the equations: (largest |ψ|, ψ at the end)."""
    per_mass, per_inertia, h, x_left, x_right, g = body
    K, K_s, beta, mu = bed
    u = psi = du = dv = dpsi = slide = peak = 0.0
    v = -0.5 * g / (K * per_mass)
    step, lag = dt / steps, 0.5 * dt / steps
    N_left = N_right = -K * v
    shear = 0.0
    for i in range(len(a) - 1):
        a_h, slope = a[i], (a[i + 1] - a[i]) / steps
        for j in range(steps):
            sway = h * psi
            moment = (x_left + sway) * N_left + (x_right + sway) * N_right + h * shear
            du += lag * (shear * per_mass - (a_h + j * slope))
            dv += lag * ((N_left + N_right) * per_mass - g)
            dpsi += lag * (moment * per_inertia)
            lag = step
            u, v, psi = u + step * du, v + step * dv, psi + step * dpsi
            sway = h * psi
            gap, N_left = v + psi * (x_left + 0.5 * sway), 0.0
            if gap < 0:
                N_left = max(0.0, -K * (gap + beta * (dv + (x_left + sway) * dpsi)))
            gap, N_right = v + psi * (x_right + 0.5 * sway), 0.0
            if gap < 0:
                N_right = max(0.0, -K * (gap + beta * (dv + (x_right + sway) * dpsi)))
            d = u + sway
            shear = -K_s * ((d - slide) + beta * (du + h * dpsi))
            grip = mu * (N_left + N_right)
            if abs(shear) > grip:
                shear = np.copysign(grip, shear)
                slide = d + shear / K_s
            peak = max(peak, abs(psi))
    return peak, psi


def with_numpy(body, bed, a, dt, steps):
    """The paper's matrices, one step after the other: (largest |ψ|, ψ at the end)."""
    per_mass, per_inertia, h, x_left, x_right, g = body
    K, K_s, beta, mu = bed
    inverse, corners = np.array([per_mass, per_mass, per_inertia]), np.array([x_left, x_right])
    x, rate, slide, peak = np.array([0.0, -0.5 * g / (K * per_mass), 0.0]), np.zeros(3), 0.0, 0.0
    force = np.array([0.0, g / per_mass, 0.0])
    step, lag = dt / steps, 0.5 * dt / steps
    for i in range(len(a) - 1):
        for j in range(steps):
            ground = np.array([a[i] + (a[i + 1] - a[i]) * j / steps, g, 0.0])
            rate = rate + lag * (inverse * force - ground)
            lag = step
            x = x + step * rate
            arms = corners + h * x[2]
            B = np.array([[0, 1, arms[0]], [0, 1, arms[1]], [1, 0, h]])  # Eq. 2
            gap = x[1] + x[2] * (corners + 0.5 * h * x[2])
            deformation_rate = B @ rate
            N = np.where(gap < 0, np.maximum(0, -K * (gap + beta * deformation_rate[:2])), 0)
            d = x[0] + h * x[2]
            shear = -K_s * ((d - slide) + beta * deformation_rate[2])
            grip = mu * N.sum()
            if abs(shear) > grip:
                shear = np.copysign(grip, shear)
                slide = d + shear / K_s
            force = B.T @ np.array([N[0], N[1], shear])  # Eq. 3
            peak = max(peak, abs(x[2]))
    return peak, x[2]


def fastest(call, repeats: int) -> float:
    """Shortest of so many runs [s]."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def test_springs_against_the_bare_loop_and_numpy(benchmark, capsys):
    """Within 1.5 times the bare loop, with the same answer."""
    params, a = HOW.parameters(BLOCK), shaking()
    body, bed = params[:6], params[6:10]
    peaks, still = make_peaks(HOW.advance_for(BLOCK)), np.zeros(SAMPLES)
    start = HOW.start(BLOCK)

    def ours():
        return peaks(start, params, (a, still), DT)

    def loop():
        return bare(body, bed, a, DT, STEPS)

    short = a[:21]
    (state, _, highest, lowest, *_), (peak, _) = ours(), loop()
    assert max(highest, -lowest) > 0.3 * BLOCK.alpha  # it rocks
    # Same scheme, other rounding (a turning point splits a sample), which rocking magnifies.
    assert abs(max(highest, -lowest) - peak) < 1e-3 * peak
    first = peaks(start, params, (short, still[:21]), DT)[0][0]
    np.testing.assert_allclose(first, -bare(body, bed, short, DT, STEPS)[1], rtol=1e-9)
    np.testing.assert_allclose(first, -with_numpy(body, bed, short, DT, STEPS)[1], rtol=1e-6)

    steps = (SAMPLES - 1) * STEPS
    benchmark.pedantic(ours, rounds=5)
    # one after the other, several times: the machine may be busy with something else
    pairs = [(fastest(ours, 1), fastest(loop, 1)) for _ in range(9)]
    per_step = [1e9 * min(column) / steps for column in zip(*pairs, strict=True)]
    slow = 1e9 * fastest(lambda: with_numpy(body, bed, short, DT, STEPS), 2) / (20 * STEPS)
    ratio = per_step[0] / per_step[1]
    benchmark.extra_info.update(
        ns_per_step=per_step[0], bare_ns_per_step=per_step[1], numpy_ns_per_step=slow, ratio=ratio
    )
    with capsys.disabled():
        print(
            f"\nsprings: {per_step[0]:.1f} ns per step, bare loop {per_step[1]:.1f} "
            f"({ratio:.2f} times), NumPy {slow:.0f} ({slow / per_step[0]:.0f} times slower); "
            f"30 s of motion in {steps} steps: {per_step[0] * steps / 1e6:.1f} ms"
        )
    assert ratio < 1.5
    assert np.isfinite(state[0])
