"""An overturning map of sine pulses, to rest and by energy: outcome and peak of each.

python benchmarks/bench_map.py     (400 × 400 runs, twice; a minute)
make bench                         (a short form)
"""

import time

import numpy as np

import rocksteady as rs

BLOCK = rs.Block(height=2.0, width=0.5)


def pulse_map(side, until):
    """(seconds, results) of side × side pulses: frequencies ω/p of 0.5 to 8, strengths of 1 to 12
    times what lifts the block off."""
    lifts = BLOCK.g * np.tan(BLOCK.alpha)
    pulses = [rs.pulses.sine(lifts, omega=w * BLOCK.p) for w in np.linspace(0.5, 8, side)]
    start = time.perf_counter()
    scales = np.linspace(1, 12, side)
    data = rs.ensemble(BLOCK, pulses, scales=scales, until=until, progress=False)
    return time.perf_counter() - start, data


def compared(side):
    """How many times as long the map takes to rest as by energy, in turns, the best of three."""
    for until in ("outcome", "rest"):
        pulse_map(4, until)  # compile
    pairs = [(pulse_map(side, "outcome"), pulse_map(side, "rest")) for _ in range(3)]
    (told, by_energy), (found, to_rest) = (
        min(column, key=lambda one: one[0]) for column in zip(*pairs, strict=True)
    )
    assert np.array_equal(by_energy.fell, to_rest.fell)
    worst = float(np.abs(by_energy.peak - to_rest.peak).max())
    print(
        f"{side} × {side} pulses: {found:.2f} s to rest, {told:.2f} by energy: {found / told:.1f} ×"
    )
    print(f"{float(to_rest.fell.mean()):.1%} fell; peaks differ by {worst:.1e} at most")
    return found / told


def test_a_map_by_energy_is_quicker():
    assert compared(60) > 4


if __name__ == "__main__":
    compared(400)
