"""How long the first use of each theory takes: what a new user waits for, once.

    make bench-first-use    the table
    make bench              the same, each at most 15 s

Each call runs in a new process with an empty folder for compiled code. What counts is the time that
the process computes, for that depends on nothing else the machine does; on an idle one it is what
the clock shows, too. The same call again, with the code on disk, is the second figure.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

import pytest

LONGEST = 15.0  # s

SETUP = """
import json, time, warnings
import numpy as np
import rocksteady as rs
warnings.simplefilter("ignore")
block = rs.Block(1.8, 0.5)
tank = rs.FlexibleOscillator(10.0, 2.0, 1e4, 2e4, 1e4, natural_frequency=5.0, damping_ratio=0.01)
house = rs.MasonryBuilding.casalotti2025(mass=40e3)
pulse = rs.pulses.sine(amplitude=3.0, period=0.8)
slips = rs.Nonsmooth(epsilon=0.3, friction=0.4)
bed = rs.NumericalDissipation(k_n=5e8, dt=0.01)
elastic = rs.NumericalDissipation(k_n=5e8, dt=0.01, body="elastic")
statue = rs.Body.box(0.45, 0.45, 1.8)
column = rs.Body.cylinder(0.6, 4.2)
pillar = rs.Body.prism([(0.3 * np.cos(a), 0.3 * np.sin(a)) for a in np.arange(12) * np.pi / 6], 1.8)
drums = rs.Assembly.drums(3, height=3.0, width=0.6)
wall = rs.Assembly.wall(6, 4, 0.4, 0.2)
skids = rs.Spatial(friction=0.5)
"""
TIMED = """
clock, cpu = time.perf_counter(), time.process_time()
{call}
print(json.dumps([time.process_time() - cpu, time.perf_counter() - clock]))
"""
CALLS = {
    "simulate, Housner": "rs.simulate(block, pulse)",
    "simulate, ComplexPotential": "rs.simulate(block, pulse, rs.ComplexPotential())",
    "simulate, Nonsmooth, sticking": "rs.simulate(block, pulse, rs.Nonsmooth())",
    "simulate, Nonsmooth, friction": "rs.simulate(block, pulse, slips)",
    "simulate, Nonsmooth, flexible": "rs.simulate(tank, pulse, rs.Nonsmooth())",
    "simulate, RigidBodySpring": "rs.simulate(block, pulse, rs.RigidBodySpring())",
    "simulate, NumericalDissipation": "rs.simulate(block, pulse, bed)",
    "simulate, elastic": "rs.simulate(block, pulse, elastic)",
    "simulate, Masonry": "rs.simulate(house, pulse)",
    "simulate, Spatial": "rs.simulate(statue, pulse)",
    "simulate, Spatial, many corners": "rs.simulate(pillar, pulse)",
    "simulate, Spatial, friction": "rs.simulate(statue, pulse, skids)",
    "simulate, Spatial, round base": "rs.simulate(column, pulse)",
    "simulate, stones, located": "rs.simulate(drums, pulse)",
    "simulate, stones, stepped": "rs.simulate(wall, pulse, until='motion')",
    "ensemble, Housner": "rs.ensemble([block], [pulse], scales=[1.0])",
    "ensemble, Nonsmooth, friction": (
        "rs.ensemble([block], [pulse], scales=[1.0], formulation=slips)"
    ),
    "ensemble, RigidBodySpring": (
        "rs.ensemble([block], [pulse], scales=[1.0], formulation=rs.RigidBodySpring())"
    ),
    "ensemble, NumericalDissipation": (
        "rs.ensemble([block], [pulse], scales=[1.0], formulation=bed)"
    ),
    "ensemble, elastic": ("rs.ensemble([block], [pulse], scales=[1.0], formulation=elastic)"),
    "ensemble, Masonry": "rs.ensemble([house], [pulse], scales=[1.0])",
    "ensemble, Spatial": "rs.ensemble([statue], [pulse], scales=[1.0])",
    "ensemble, Spatial, many corners": "rs.ensemble([pillar], [pulse], scales=[1.0])",
    "ensemble, Spatial, friction": (
        "rs.ensemble([statue], [pulse], scales=[1.0], formulation=skids)"
    ),
    "ensemble, Spatial, round base": "rs.ensemble([column], [pulse], scales=[1.0])",
    "ensemble, stones, located": "rs.ensemble([drums], [pulse], scales=[1.0])",
    "ensemble, stones, stepped": "rs.ensemble([wall], [pulse], scales=[1.0], until='motion')",
    "limit_load": "rs.analysis.limit_load(wall)",
    "floor_motion": "rs.floor_motion(pulse, period=0.5, damping=0.05)",
    "stochastic": (
        "rs.stochastic.rezaeian(seed=1, arias=0.5, d5_95=12.0, t_mid=8.0, frequency_mid=5.0, "
        "frequency_rate=-0.1, damping=0.25)"
    ),
    "compare, five theories": "rs.compare(block, pulse)",
    "Monitor, Nonsmooth, friction": "rs.Monitor(block, slips, dt=0.01).push_block(np.zeros(4))",
    "Monitor, Masonry": "rs.Monitor(house, dt=0.01).push_block(np.zeros(4))",
    "sequence": "rs.sequence(house, [pulse, pulse])",
    "pushover": "rs.pushover(house, [0.0, 0.01])",
    "measure_r, Housner": "rs.measure_r(rs.simulate(block, theta0=block.alpha / 2))",
    "calibrate, NumericalDissipation": "rs.calibrate(block, rs.NumericalDissipation(), r=0.94)",
    "spectra": "rs.spectra.response_spectrum(pulse, [0.2, 1.0])",
}


def first_and_next(call: str) -> tuple[float, float, float]:
    """Time computed [s] and time on the clock [s] of a first call; time computed of the next."""
    with tempfile.TemporaryDirectory() as empty:
        times = [
            subprocess.run(
                [sys.executable, "-c", SETUP + TIMED.format(call=call)],
                env={**os.environ, "NUMBA_CACHE_DIR": empty},
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                check=True,
            ).stdout
            for _ in range(2)
        ]
    (cpu, clock), (again, _) = map(json.loads, times)
    return cpu, clock, again


@pytest.mark.parametrize("name", CALLS)
def test_first_use(benchmark, name):
    """At most 15 s."""
    cpu, clock, again = benchmark.pedantic(first_and_next, [CALLS[name]], rounds=1)
    benchmark.extra_info.update(cpu=cpu, clock=clock, again=again)
    assert cpu < LONGEST


def main() -> None:
    """Print the table, or those rows of it that have a word in their name."""
    wanted = [name for name in CALLS if all(word in name for word in sys.argv[1:])]
    print(f"{'first call':32} {'computed':>9} {'clock':>7} {'next time':>10}   [s]")
    for name in wanted:
        cpu, clock, again = first_and_next(CALLS[name])
        print(f"{name:32} {cpu:9.1f} {clock:7.1f} {again:10.2f}", flush=True)


if __name__ == "__main__":
    main()
