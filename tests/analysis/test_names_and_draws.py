"""Names, counts and origins in sentences; a hazard that would go on by its last slope."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

import rocksteady as rs
from rocksteady.analysis import codes
from rocksteady.analysis.hazard import Hazard, lognormal_rate
from rocksteady.analysis.overturning.words import title
from rocksteady.analysis.stripes import stripes
from rocksteady.motion.code_spectra import Eurocode8

STATUE = rs.Block(1.8, 0.5)
PULSES = [rs.pulses.sine(2.0, period, dt=0.01) for period in (0.6, 0.8, 1.0)]


def test_a_tolerance_of_what_has_none_is_refused():
    """A block has a density, but no answer depends on it; nobody has a colour."""
    runs = stripes(STATUE, PULSES, levels=3, progress=False)
    for name in ("density", "colour"):
        with pytest.raises(rs.InputError, match=f"tolerances has '{name}', which .* choose from"):
            rs.analysis.uncertainty(runs, {name: 0.1}, progress=False)


def test_motions_that_are_all_draws_of_their_own_have_no_clusters():
    found = rs.analysis.fragility(STATUE, PULSES, levels=3, progress=False)
    assert found.stripes.draws == len(PULSES)
    assert "clusters" not in " ".join(found.sentences)


def test_a_map_names_its_record():
    record = PULSES[0].renamed("El Centro,\n NS")
    found = rs.analysis.overturning_map(
        STATUE, record, heights=[1.2, 1.8], strengths=[0.2, 0.4], progress=False
    )
    assert "under El Centro, NS (Housner)" in title(found)


def test_what_a_hazard_would_add_has_the_slope_of_its_last_piece():
    """Of four pieces with slopes of their own: ∫ λ dP above the last point, by quadrature."""
    levels, rates = np.array([0.05, 0.2, 0.5, 1.0]), np.array([0.1, 0.01, 1e-3, 1e-4])
    found = lognormal_rate(Hazard(levels, rates, "pga"), median=0.6, beta=0.5)
    k = np.log(10) / np.log(2)
    curve = norm(np.log(0.6), 0.5)

    def added(x):
        return 1e-4 * np.exp(-k * x) * curve.pdf(x)

    assert found.continued == pytest.approx(quad(added, 0.0, 8.0)[0], rel=1e-8)


def test_a_floor_velocity_says_where_it_comes_from():
    site = Eurocode8(ag=0.25 * 9.81, soil="B")
    given = codes.check(STATUE, site, "fema", pfv=0.4, item="E.20.22.104a")
    lines = {line.symbol: line.clause for line in given.lines}
    assert lines["PFV"] == lines["a_g"] == "input"
    measured = codes.check(STATUE, site, "fema", motions=PULSES, item="E.20.22.104a")
    lines = {line.symbol: line.clause for line in measured.lines}
    assert lines["PFV"] == "input, median of the motions"
