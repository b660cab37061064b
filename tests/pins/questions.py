"""Questions about bodies whose answers are pinned: fragility, risk, maps, limit loads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np

import rocksteady as rs
from pins.bodies import BLOCKS, HOUSES, SOLIDS, STONES, motions, noise
from pins.runs import Call
from rocksteady.analysis.hazard import Hazard
from rocksteady.motion.code_spectra import Eurocode8


@cache
def records() -> list[Any]:
    return list(rs.stochastic.ensemble(12, 1, rs.stochastic.sample_parameters(12, seed=1)))


SITE = Hazard.power(level=0.25, rate=1 / 475, k=2.5)
QUIET: dict[str, Any] = {"progress": False}


def fragility(body: Any, **more: Any) -> Any:
    states = rs.analysis.fragility(body, records(), levels=8, **QUIET, **more)
    main = states.main
    curve = [main.curve.median, main.curve.beta] if main.curve else []
    return [main.shares.count, main.shares.low, main.shares.high, curve]


def risk(body: Any) -> Any:
    runs = rs.analysis.fragility(body, records(), levels=8, **QUIET).stripes
    found = rs.analysis.risk(runs, SITE, resamples=500)
    return [found.rate, list(found.band), found.nodes, found.shares]


def spectrum(alpha: float, **more: Any) -> Any:
    sizes = {"alpha": alpha, "periods": [2.0, 3.0, 5.0, 8.0]}
    return rs.analysis.rocking_spectrum(records()[:3], **sizes, **QUIET, **more).peak


def overturning(body: Any, pulse: Any, method: str, **axes: Any) -> Any:
    made = rs.analysis.overturning_map(body, pulse, method=method, **axes, **QUIET)
    return made.fell if isinstance(pulse, str) else made.share


def cloud(body: Any) -> Any:
    found = rs.analysis.cloud(body, records(), scale=12.0, **QUIET)
    return [found.x, found.peak, found.fell, found.parameters]


def uncertainty(body: Any) -> Any:
    runs = rs.analysis.fragility(body, records(), levels=8, **QUIET).stripes
    found = rs.analysis.uncertainty(runs, {"width": 0.05}, samples=4, motions=4, levels=6, **QUIET)
    return [found.total]


def of_blocks() -> Iterator[tuple[str, Call]]:
    """Fragility, risk, spectra, maps and comparisons of blocks."""
    analysis = rs.analysis
    for name, body in BLOCKS.items():
        yield f"fragility/{name}", partial(fragility, body)
        yield f"risk/{name}", partial(risk, body)
        yield f"spectrum/{name}", partial(spectrum, body.alpha)
    statue, sizes = BLOCKS["statue"], {"frequencies": [2.0, 4.0, 6.0], "strengths": [1.0, 2.0, 4.0]}
    yield "fragility/springs", partial(fragility, statue, formulation=rs.RigidBodySpring())
    yield "fragility/on a floor", partial(fragility, statue, floor=rs.Floor(0.4, storeys=3))
    yield "fragility/pgv", partial(fragility, statue, measure="pgv")
    yield "cloud", partial(cloud, statue)
    yield "spectrum/eta", partial(spectrum, 0.2, eta=0.9)
    for method in ("brute force", "adaptive"):
        for pulse in ("sine", "ricker"):
            call = partial(overturning, statue, pulse, method, **sizes)
            yield f"overturning map/{pulse} {method}", call
    heights = {"heights": [1.0, 2.0, 4.0], "strengths": [0.3, 0.6, 1.2]}
    yield (
        "overturning map/records",
        partial(lambda: overturning(statue, records()[:3], "brute force", **heights)),
    )
    yield (
        "compare",
        lambda: [entry.response for entry in rs.compare(BLOCKS["slender"], motions()["sine"])],
    )
    yield "calibrate", lambda: rs.calibrate(statue, rs.RigidBodySpring(), 0.85).value
    yield "measure r", lambda: rs.measure_r(rs.simulate(statue, theta0=0.1), statue).r
    yield "time step", lambda: rs.time_step(statue, r=0.9).dt
    yield "identify a block", lambda: list(analysis.identify_block(*rocked(statue)).values.values())
    yield (
        "body history",
        lambda: (
            rs.body_history(
                rs.simulate(
                    statue, motions()["sine"], rs.NumericalDissipation(r=0.85, body="elastic")
                ),
                every=50,
            ).displacement
        ),
    )
    for code in sorted(analysis.codes.CODES):
        yield f"code/{code}", partial(checked_by, statue, code)


def rocked(block: Any) -> Any:
    run = rs.simulate(block, theta0=0.5 * block.alpha)
    return run.time, run.theta


def checked_by(block: Any, code: str) -> Any:
    ground = Eurocode8(ag=0.15 * 9.81, soil="B")
    done = rs.analysis.codes.check(block, ground, code)
    return [[limit.bears, limit.ratio] for limit in done.limits]


def of_the_complex_plane() -> Iterator[tuple[str, Call]]:
    block, sine = BLOCKS["slender"], motions()["sine"]
    for variant in ("paper", "corrected"):
        yield f"varying momentum/{variant}", partial(momentum, block, sine, variant)
    upper = rs.Block(2.0, 0.3)
    yield "stack", lambda: stacked(block, upper, sine)


def momentum(block: Any, motion: Any, variant: str) -> Any:
    found = rs.analysis.varying_momentum(block, motion, variant=variant, theta0=0.05)
    return [found.time, found.theta, found.x]


def stacked(lower: Any, upper: Any, motion: Any) -> Any:
    found = rs.analysis.stack_motion(lower, upper, motion, theta0=(0.01, 0.01))
    return [found.time, found.theta]


def of_buildings() -> Iterator[tuple[str, Call]]:
    house = HOUSES["house"]
    there = 1e-3 * np.concatenate([np.linspace(0, 1, 40), np.linspace(1, -3, 80)])
    for update in ("accurate", "explicit"):
        yield f"pushover/{update}", partial(lambda by: rs.pushover(house, there, by).points, update)
    yield (
        "identify",
        lambda: list(
            rs.identify(there, rs.pushover(house, there).force, contact_area=16.07).values.values()
        ),
    )
    shocks = [rs.pulses.sine(amplitude=a, period=0.15, dt=0.005) for a in (3.0, 5.0)]
    yield "sequence", lambda: [shock.states for shock in rs.sequence(house, shocks, gap=3.0).shocks]
    yield "foreshock map", lambda: foreshocks(shocks[0])


def foreshocks(motion: Any) -> Any:
    made = rs.analysis.foreshock_map(motion, [2e4, 4e4], [0.5, 1.0], count=2, gap=2.0)
    return [made.wear_increase, made.hardening_increase, made.outcome, made.alone]


def of_stones() -> Iterator[tuple[str, Call]]:
    """Limit loads and all that is asked of assemblies."""
    analysis = rs.analysis
    for name, stones in STONES.items():
        for sliding in (True, False):
            yield f"limit load/{name}/{sliding}", partial(limit, stones, sliding=sliding)
        yield f"equivalent/{name}", partial(equivalent, stones)
        yield (
            f"first motion/{name}",
            partial(lambda it: analysis.first_motion(it, 3.0).accelerations, stones),
        )
        yield f"forces/{name}", partial(limit, stones, forces={len(stones.stones) // 2: (1e3, 0.0)})
    drums, arch = STONES["drums"], STONES["arch"]
    yield "limit load/friction by estimate", partial(limit, arch, friction_rule="estimate")
    yield "capacity curve", lambda: capacity(arch)
    yield "least thickness", lambda: analysis.least_thickness(157.5).ratio
    yield "dynamic push", lambda: [analysis.dynamic_push(drums, tolerance=0.2, hold=0.5).holds]
    yield "step error", lambda: list(step_error(drums))


def step_error(stones: Any) -> Iterator[float]:
    found = rs.analysis.step_error(rs.simulate(stones, motions()["sine"]))
    yield from (found.displacement, found.turn)


def limit(stones: Any, **more: Any) -> Any:
    found = rs.analysis.limit_load(stones, **more)
    return [found.multiplier, found.forces]


def equivalent(stones: Any) -> Any:
    found = rs.analysis.equivalent_block(stones)
    return [found.p, found.alpha, found.eta]


def capacity(stones: Any) -> Any:
    found = rs.analysis.capacity_curve(stones, steps=8)
    return [found.displacement, found.multiplier]


def of_bodies_in_space() -> Iterator[tuple[str, Call]]:
    box = SOLIDS["box"]
    yield (
        "direction map",
        lambda: rs.analysis.direction_map(
            box, noise(3)[0], [0.0, 45.0], [1.0, 3.0], **QUIET, until="motion"
        ),
    )


def of_motions() -> Iterator[tuple[str, Call]]:
    """What is made, and what is measured of it."""
    for name in ("sine", "strong cosine", "ricker", "long pulse", "quake"):
        yield f"made/{name}", partial(lambda name: motions()[name], name)
        yield (
            f"measures/{name}",
            partial(
                lambda name: [float(v) for v in rs.intensity.measures(motions()[name]).values()],
                name,
            ),
        )
        yield (
            f"spectra/{name}",
            partial(
                lambda name: rs.spectra.response_spectrum(motions()[name], [0.2, 1.0]).sa, name
            ),
        )
    quake = motions()["quake"]
    yield "made/rectangular", lambda: rs.pulses.rectangular(amplitude=3.0, duration=1.0, dt=0.01)
    yield "made/three components", lambda: noise(3)
    yield "made/parameters", lambda: records()[0]
    yield "floor", lambda: rs.floor_motion(quake, period=0.4, storeys=3)
    yield (
        "floor spectra",
        lambda: list(
            rs.analysis.floor_spectra(quake, rs.Floor(0.4), periods=[0.2, 0.4]).spectra.values()
        ),
    )
    for change in ("mirrored", "resampled", "stretched", "trimmed", "turned"):
        given = {"resampled": (0.01,), "stretched": (1.5,), "trimmed": (1.0,), "turned": (30.0,)}
        yield (
            f"changed/{change}",
            partial(
                lambda change, values: getattr(noise(3)[0], change)(*values),
                change,
                given.get(change, ()),
            ),
        )
