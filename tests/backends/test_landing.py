"""Bodies in space that land side by side, in vector instructions, with the bits of single steps."""

import re

import numba
import numpy as np
import pytest

import rocksteady as rs
from emitted import ALONE, PACKED, SVE, count
from rocksteady.engine.drivers import make_impacts
from rocksteady.engine.gliding import make_glide_all, make_land_all
from rocksteady.engine.lane_table import DT, HIGHEST, LEFT, OK, RATE, ROWS, WIDTH, Layout
from rocksteady.theories.spatial.state import EDGE, LOSS, MODE, VERTEX, WORK

BODY, HOW = rs.Body.box(0.45, 0.6, 1.8), rs.Spatial()
GLIDE, PARAMS = HOW.glide_for(BODY), HOW.parameters(BODY)
STEP = 0.005  # s
LAYOUT = Layout.of(len(HOW.start(BODY)), len(PARAMS), 3, GLIDE.prepared)
pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


@pytest.fixture(scope="module", params=["corner", "edge"])
def way(request):
    """(The mode, its attempt and its landing), compiled once."""
    mode, how = {"corner": (VERTEX, GLIDE), "edge": (EDGE, GLIDE.otherwise)}[request.param]
    glide_all, land_all = make_glide_all(how.attempt, LAYOUT), make_land_all(how.land, LAYOUT)
    for compiled in (glide_all, land_all):
        compiled.compile("void(float64[::1])")
    return mode, glide_all, land_all


def test_all_arithmetic_is_in_vectors(way):
    """Of the landing, and of the glide between landings."""
    mode, glide_all, land_all = way
    for compiled, least in ((glide_all, 500 if mode == VERTEX else 200), (land_all, 1000)):
        (code,) = compiled.inspect_asm().values()
        packed, alone = count(PACKED, code), count(ALONE, code)
        if packed["fused"] == alone["fused"] == 0:
            pytest.skip("this processor has no fused operations")
        scalable = bool(re.search(SVE, code))
        assert packed["fused"] + packed["plain"] >= least
        assert not any(alone.values()) or (scalable and alone["fused"] <= packed["fused"] / 2)


def shaken(seed):
    """Three components that keep the body rocking on its corners."""
    rng, t = np.random.default_rng(seed), np.arange(1201) * STEP
    rows = [sum(np.sin(f * t + f) for f in rng.uniform(5, 30, 8)) for _ in "xyz"]
    x, y, z = (row * np.minimum(t, 1.0) for row in rows)
    return rs.Motion(0.9 * x, STEP, transverse=0.9 * y, vertical=0.3 * z)


def along_x(seed):
    """The same in the plane of two edges."""
    motion = shaken(seed)
    return rs.Motion(1.5 * motion.accel, STEP, vertical=motion.vertical)


def intervals(motion, mode):
    """(State at its beginning, ground there, ground at its end) of each that begins in a mode."""
    run = rs.simulate(BODY, motion, HOW, until="motion")
    still = np.zeros(len(motion))
    y = still if motion.transverse is None else motion.transverse
    ground = np.column_stack([motion.accel, motion.vertical, y]).tolist()
    for state, here, there in zip(run.states, ground, ground[1:], strict=False):
        if state[MODE] == mode:
            yield tuple(state.tolist()), tuple(here), tuple(there)


def test_a_landing_has_the_bits_of_single_steps(way):
    """Where it does not decline, which it rarely does. Work is not followed there."""
    mode, glide_all, land_all = way
    impacts, dt, struck = make_impacts(HOW.advance_for(BODY)), STEP, []
    for motion in map(shaken if mode == VERTEX else along_x, range(6)):
        for state, here, there in intervals(motion, mode):
            rows = impacts(state, PARAMS, here, there, dt)
            if len(rows):
                struck.append((state, here, there, rows[0, len(state) :]))
    assert len(struck) > 80
    compared = [k for k in range(len(struck[0][0])) if k != WORK]
    landed = 0
    for start in range(0, len(struck) - WIDTH, WIDTH):
        several = struck[start : start + WIDTH]
        table = np.ones((LAYOUT.total, WIDTH))
        for lane, (state, here, there, _) in enumerate(several):
            others = np.zeros(ROWS)
            others[[LEFT, DT, RATE, HIGHEST]] = dt, dt, 1 / dt, 1.0
            prepared = GLIDE.prepare(state, PARAMS)
            table[:, lane] = (*state, *PARAMS, *prepared, *others, *here, *there)
        flat = table.ravel()
        glide_all(flat)
        assert not flat.reshape(LAYOUT.total, WIDTH)[LAYOUT.others + OK].any()
        land_all(flat)
        table = flat.reshape(LAYOUT.total, WIDTH)
        for lane, (*_, after) in enumerate(several):
            if table[LAYOUT.others + OK, lane] == 1.0 and table[LAYOUT.others + LEFT, lane] > 0:
                landed += 1
                assert table[compared, lane].tolist() == after[compared].tolist()
                assert after[LOSS] > 0
                assert table[LAYOUT.prepared : LAYOUT.others, lane].tolist() == list(
                    GLIDE.prepare(tuple(after.tolist()), PARAMS)
                )
    assert landed > 0.8 * (len(struck) - WIDTH)
