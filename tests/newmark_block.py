"""Newmark's sliding block, and random motions for round bodies."""

import math

import numpy as np


def shaking(seed, samples=800, dt=0.01, pga=3.5, vertical=0.3):
    """A random motion (a_x, a_z, a_y) that swells and dies away."""
    rng = np.random.default_rng(seed)
    times = np.arange(samples) * dt
    swell = np.sin(np.pi * times / times[-1])
    parts = []
    for strength in (1.0, vertical, 1.0):
        f, phase = rng.uniform(0.8, 9, 30), rng.uniform(0, 2 * np.pi, 30)
        part = swell * (np.cos(2 * np.pi * np.outer(times, f) + phase) / f).sum(axis=1)
        parts.append(pga * strength * part / np.abs(part).max())
    return tuple(parts)


def newmark(accel, weight, dt, mu):
    """Slip of Newmark's block, exactly: in an interval the relative acceleration −a − s μ N is
    linear in time, so the speed is a parabola."""
    x = v = 0.0
    path = [0.0]
    for a0, a1, n0, n1 in zip(accel[:-1], accel[1:], weight[:-1], weight[1:], strict=True):
        t = 0.0
        while t < dt:
            a, n = a0 + (a1 - a0) * t / dt, n0 + (n1 - n0) * t / dt
            if v == 0:
                excess = [abs(a0) - mu * n0, abs(a1) - mu * n1]
                if abs(a) <= mu * n * (1 + 1e-13):
                    side = 1 if a1 > 0 else -1
                    slopes = side * (a1 - a0) / dt - mu * (n1 - n0) / dt
                    if excess[1] <= 0 or slopes <= 0:
                        break
                    t += max((mu * n - side * a) / slopes, 0.0)
                    v = -side * 1e-300
                    continue
                v = -math.copysign(1e-300, a)
            s = math.copysign(1.0, v)
            rate = -a - s * mu * n
            jerk = -(a1 - a0) / dt - s * mu * (n1 - n0) / dt
            roots = np.roots([jerk / 2, rate, v]) if jerk else np.array([-v / rate])
            later = [r.real for r in roots if abs(r.imag) < 1e-12 and 1e-12 < r.real <= dt - t]
            h = min([dt - t, *later])
            x += h * (v + h * (rate / 2 + h * jerk / 6))
            v = 0.0 if later else v + h * (rate + h * jerk / 2)
            t += h
        path.append(x)
    return np.array(path)
