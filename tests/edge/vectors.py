"""Test vectors for the C kernels in ``edge/``, made by the Python ones.

Every number that goes in is a 32-bit float, so that builds in float and in double start from the
very same numbers. What must come out is computed here in double precision.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from one_interval import make_stream
from rocksteady.bodies import Block
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.engine.drivers import make_peaks
from rocksteady.theories.housner.formulation import Housner
from rocksteady.theories.housner.motion import ADVANCE
from rocksteady.theories.masonry import motion as masonry_motion

Row = tuple[float, ...]


def single(values: Any) -> Row:
    """The nearest 32-bit floats."""
    return tuple(float(v) for v in np.asarray(values, dtype=np.float32))


@dataclass(frozen=True)
class Subject:
    """One kernel: its name, its bodies (parameters and scale of each entry of the state)."""

    name: str
    advance: Any
    bodies: tuple[tuple[Row, Row], ...]
    rest: Row
    strength: Callable[[Row], float]  # acceleration [m/s²] that begins to move the body
    shaken: float  # amplitude [m/s²] of the whole motions: much happens, nothing collapses


def _rocking() -> Subject:
    blocks = (
        (Block(2.0, 0.4), Housner()),
        (Block(0.9, 0.3), Housner(eta=0.95)),
        (Block(4.2, 0.6, offset=0.05), Housner()),
        (Block(1.0, 0.9), Housner()),
    )
    bodies = []
    for block, formulation in blocks:
        params = single(formulation.parameters(block))
        alpha, p, inertia = params[2:5]
        energy = inertia * (p * alpha) ** 2
        bodies.append((params, single((alpha, p * alpha, 1.0, energy, energy))))
    return Subject(
        "housner", ADVANCE, tuple(bodies), (0.0,) * 5, lambda p: p[0] * math.tan(p[2]), 5.0
    )


def _masonry() -> Subject:
    buildings = (
        MasonryBuilding.casalotti2025(mass=30e3),
        MasonryBuilding.casalotti2025(mass=60e3, damping=2e5),
        MasonryBuilding(80e3, 12.0, 4e6, 5e3, 300.0, 3e3, 6.0, 1.5),
        MasonryBuilding(40e3, 16.07, 6.438e6, 3734.0, 500.0, 2489.0, 1.5, 2.0),
    )
    bodies = []
    for building in buildings:
        params = single(astuple(building))
        u, force = building.elastic_displacement, building.elastic_force
        v = u * building.natural_frequency
        tau, a = building.threshold, building.hardening_rate
        scales = (u, v, u, 1 / a, 1.0, tau, 1.0, force * u, force * u, force * u)
        bodies.append((params, single(scales)))
    return Subject(
        "masonry",
        masonry_motion.advance,
        tuple(bodies),
        (0.0,) * 10,
        lambda p: p[3] * p[1] / p[0],
        1.2,
    )


SUBJECTS = {subject.name: subject for subject in (_rocking(), _masonry())}


def shaking(rng: np.random.Generator, n: int, dt: float, amplitude: float) -> np.ndarray:
    """(a_h, a_v) [m/s²]: tones of 0.5 to 6 Hz that swell and fade; the vertical is a third."""
    t = dt * np.arange(n)
    envelope = np.sin(np.pi * np.arange(n) / (n - 1)) ** 0.5
    out = np.empty((n, 2))
    for column, size in ((0, 1.0), (1, 0.3)):
        tones = sum(
            np.sin(2 * np.pi * f * t + phase)
            for f, phase in zip(rng.uniform(0.5, 6, 5), rng.uniform(0, 6.3, 5), strict=True)
        )
        out[:, column] = amplitude * size * envelope * tones / 2
    return np.asarray(np.clip(out, [-1e9, -8.0], 1e9).astype(np.float32), dtype=float)


def _walks(subject: Subject, rng: np.random.Generator) -> Iterator[tuple[tuple[Any, ...], Row]]:
    """(what happened, row) of one interval after the other along endless random motions."""
    stream = make_stream(subject.advance)
    while True:
        body = int(rng.integers(len(subject.bodies)))
        params = subject.bodies[body][0]
        dt = single([rng.choice([0.002, 0.005, 0.01, 0.02, 0.3])])[0]
        amplitude = subject.strength(params) * rng.uniform(0.8, 4.0)
        samples = shaking(rng, 400, min(dt, 0.02), amplitude)
        state = subject.rest
        for (h0, v0), (h1, v1) in pairwise(samples):
            before = single(state)
            ground0, ground1 = (float(h0), float(v0)), (float(h1), float(v1))
            state, used, high, low, t_peak, impacts, event = stream(
                before, params, ground0, ground1, dt
            )
            given = (body, *before, *ground0, *ground1, dt)
            wanted = (*state, used, high, low, t_peak, impacts, event)
            which = subject.name == "masonry"
            moved = (before[2 + 4 * which], state[2 + 4 * which])
            if state != before:  # standing still is no news
                yield (body, moved, impacts > 0, impacts > 3, event, dt > 0.1), (*given, *wanted)
            if event >= 5:
                break


def cases(subject: Subject, count: int, seed: int = 4) -> list[Row]:
    """Single intervals, all kinds of happenings alike as far as there are enough of each."""
    kinds: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for n, (kind, row) in enumerate(_walks(subject, np.random.default_rng(seed))):
        kinds[kind].append(row)
        if n >= max(20_000, 4 * count):
            break
    chosen: list[Row] = []
    while len(chosen) < count:
        left = [rows for rows in kinds.values() if rows]
        chosen += [rows.pop(0) for rows in left][: count - len(chosen)]
    return chosen


def runs(subject: Subject, samples: np.ndarray, dt: float) -> list[Row]:
    """Whole motions from rest, for each body: (body, first, count, dt, start | end, extremes)."""
    peaks = make_peaks(subject.advance)
    rows = []
    for body, (params, _scales) in enumerate(subject.bodies):
        a_h, a_v = np.ascontiguousarray(samples[:, 0]), np.ascontiguousarray(samples[:, 1])
        state, _time, high, low, _t, impacts, event = peaks(subject.rest, params, (a_h, a_v), dt)
        rows.append((body, 0, len(samples), dt, *subject.rest, *state, high, low, impacts, event))
    return rows


def write_header(folder: Path, name: str, n_cases: int, n_samples: int, seed: int = 4) -> Path:
    """``vectors.h`` of one kernel, for ``edge/check/check.c``."""
    subject, dt = SUBJECTS[name], single([0.01])[0]
    samples = shaking(np.random.default_rng(7), n_samples, dt, subject.shaken)
    ends = runs(subject, samples, dt)
    text = ["/* Made by tests/edge/vectors.py. */", f"#define CHECK_{name.upper()}"]
    text += [f"#define CASES {n_cases}", f"#define RUNS {len(ends)}"]
    text += _table("samples", samples)
    text += _table("bodies", [(*params, *scales) for params, scales in subject.bodies])
    text += _table("cases", cases(subject, n_cases, seed))
    text += _table("runs", ends)
    path = folder / "vectors.h"
    path.write_text("\n".join(text) + "\n")
    return path


def _table(name: str, rows: Any) -> list[str]:
    body = (", ".join(f"(real){float(v)!r}" for v in row) for row in rows)
    head = f"static const real {name}[][{len(rows[0])}] STORED = {{"
    return [head, *("{" + line + "}," for line in body), "};"]
