"""Runs whose results are pinned: each body under each motion by each theory, alone and many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import rocksteady as rs
from pins.bodies import (
    BLOCK_THEORIES,
    BLOCKS,
    HOUSES,
    SOLIDS,
    SPACE_THEORIES,
    STONE_THEORIES,
    STONES,
    TANKS,
    motions,
    noise,
)

Call = Callable[[], Any]

# -- a run -----------------------------------------------------------------------------------------


def shaken(body: Any, motion: str, how: Any = None, **more: Any) -> Any:
    return rs.simulate(body, motions()[motion], how, **more)


def alone() -> Iterator[tuple[str, Call]]:
    """One body under one motion by one theory."""
    pulses = ("sine", "strong cosine", "ricker", "long pulse", "with vertical")
    every = (*pulses, "quake", "weak quake")
    for name, body in BLOCKS.items():
        for theory, how in BLOCK_THEORIES.items():
            for motion in every:
                yield f"{name}/{motion}/{theory}", partial(shaken, body, motion, how)
    for kind, of, short in (
        (TANKS, {"Nonsmooth": None}, every),
        (STONES, STONE_THEORIES, pulses[:2]),
    ):
        for name, body in kind.items():
            for theory, how in of.items():
                for motion in short:
                    yield f"{name}/{motion}/{theory}", partial(shaken, body, motion, how, until=4.0)
    for name, body in HOUSES.items():
        for update in ("accurate", "explicit"):
            for motion in every:
                call = partial(shaken, body, motion, rs.Masonry(update=update))
                yield f"{name}/{motion}/Masonry {update}", call
    for name, body in SOLIDS.items():
        for theory, how in SPACE_THEORIES.items():
            for number in range(3):
                call = partial(shaken_in_space, body, number, how)
                yield f"{name}/in space {number}/{theory}", call


def shaken_in_space(body: Any, number: int, how: Any) -> Any:
    return rs.simulate(body, noise(3)[number].scaled_to(pga=6.0), how)


def free() -> Iterator[tuple[str, Call]]:
    """Let go, without any motion."""
    for name, body in BLOCKS.items():
        for theory, how in BLOCK_THEORIES.items():
            lean = 0.6 * body.alpha
            yield f"{name}/free/{theory}", partial(rs.simulate, body, formulation=how, theta0=lean)
        for share in (0.3, -0.6, 0.95):
            yield f"{name}/free {share}", partial(rs.simulate, body, theta0=share * body.alpha)
        yield f"{name}/pushed", partial(rs.simulate, body, omega0=0.3)
    for name, house in HOUSES.items():
        yield f"{name}/pulled", partial(rs.simulate, house, x0=3e-4, until=1.0)
    for name, solid in SOLIDS.items():
        yield f"{name}/free", partial(rs.simulate, solid, theta0=0.1, direction=0.4, until=3.0)


# -- many runs -------------------------------------------------------------------------------------


def many(bodies: Any, how: Any = None, ground: Any = None, **more: Any) -> Any:
    given = list(motions().values())[:6] if ground is None else ground()
    return rs.ensemble(bodies, given, how, **{"scales": [1, 2], "progress": False, **more})


def ensembles() -> Iterator[tuple[str, Call]]:
    every = list(BLOCKS.values())
    plain = [BLOCKS["statue"], BLOCKS["slender"]]
    single: dict[str, tuple[list[Any], Any]] = {
        "Housner": (every, None),
        "Nonsmooth": (every, rs.Nonsmooth(friction=0.5)),
        "ComplexPotential": (plain, rs.ComplexPotential()),
        "RigidBodySpring": (plain, rs.RigidBodySpring()),
        "NumericalDissipation": (every, rs.NumericalDissipation(r=0.85)),
        "elastic": (plain, rs.NumericalDissipation(r=0.85, body="elastic")),
    }
    for precision in ("float64", "float32"):
        for theory, (bodies, how) in single.items():
            yield f"blocks/{theory}/{precision}", partial(many, bodies, how, precision=precision)
        for name, body in {**HOUSES, **TANKS, **SOLIDS, "drums": STONES["drums"]}.items():
            ground = partial(noise, 3) if body.spatial else short_pulses
            call = partial(many, body, ground=ground, precision=precision, until=4.0)
            yield f"{name}/{precision}", call
    storey = rs.Floor(0.4, storeys=3)
    yield "blocks/on a floor", partial(many, every, floor=storey)
    yield "blocks/paired", partial(many, every, ground=four, paired=True, scales=1)
    yield "blocks/kept", partial(many, every, keep=[0, 1])
    yield "blocks/until the motion ends", partial(many, every, until="motion")


def short_pulses() -> list[Any]:
    return [motions()["sine"], motions()["ricker"]]


def four() -> list[Any]:
    return list(motions().values())[:4]
