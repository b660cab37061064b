"""How long the campaign of 1600 runs takes on two cores, with either body.

    make bench

D'Altri et al. (2024) quote 416 s for one such run in their finite element code.
"""

from __future__ import annotations

import time

import pytest

from rocksteady.analysis import timestep
from rocksteady.theories import NumericalDissipation

LIMITS = {"rigid": 5.0, "elastic": 60.0}  # s


@pytest.mark.parametrize("body", LIMITS)
def test_campaign(benchmark, body):
    how = NumericalDissipation(body=body)
    timestep.campaign(how, blocks=timestep.BLOCKS[:1], stiffnesses=[5e8], steps=[0.01])  # compiles
    rounds = 3 if body == "rigid" else 1
    start = time.process_time()
    made = benchmark.pedantic(timestep.campaign, args=(how,), rounds=rounds)
    cpu = (time.process_time() - start) / rounds
    seconds = benchmark.stats["min"]
    benchmark.extra_info.update(accepted=int(made.accepted.sum()), cpu_seconds=round(cpu, 1))
    print(f"\n{body}: {made.runs} runs in {seconds:.1f} s ({cpu:.1f} s of processor time)")
    assert made.runs == 1600
    assert seconds < LIMITS[body]
