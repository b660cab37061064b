"""Casalotti et al. 2025, Figs. 12 and 13, with the recorded main shock of L'Aquila."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.errors import InputError
from rocksteady.reproduce.casalotti2025.records import recorded
from rocksteady.reproduce.casalotti2025.sequences import PAPER, TRIALS, trials


@pytest.fixture(scope="module")
def shocks(records):
    return recorded(records / "SIMBAD")


def test_the_components_are_found_by_their_headers(shocks):
    assert list(shocks) == ["AQG NS", "AQG WE", "AQV NS", "AQV WE"]
    assert [round(motion.pga, 3) for motion in shocks.values()] == [5.069, 4.676, 5.366, 6.507]
    assert all(motion.dt == 0.005 and motion.npts == 12_000 for motion in shocks.values())


def test_40_t_collapse_under_the_main_shock_alone(shocks):
    """In all four components: 40 t, far above what the drawings give, cannot be the paper's."""
    house = rs.MasonryBuilding.casalotti2025(40e3)
    for name, motion in shocks.items():
        assert rs.sequence(house, [motion]).collapse is not None, name


@pytest.mark.parametrize(
    ("component", "mass", "scale", "hardening", "wear"),
    [("AQG WE", 24e3, 0.25, 0.085, 0.484), ("AQG NS", 23e3, 0.35, 0.097, 0.477)],
)
def test_growth_of_hardening_and_wear(records, shocks, component, mass, scale, hardening, wear):
    """The paper has 9 and 50 %. Half the time step changes nothing that is told."""
    trial = next(one for one in TRIALS if one.component == component)
    assert (trial.mass, trial.scale) == (mass, scale)
    run = trials(records / "SIMBAD")[trial]
    assert run.hardening_increase == pytest.approx(hardening, abs=0.005)
    assert run.wear_increase == pytest.approx(wear, abs=0.005)
    motion = shocks[component]
    fine = np.interp(np.arange(2 * motion.npts - 1) / 2, np.arange(motion.npts), motion.accel)
    half = rs.Motion(fine, motion.dt / 2)
    house = rs.MasonryBuilding.casalotti2025(mass)
    again = rs.sequence(house, [half.scaled(scale)] * 4 + [half], settle=True)
    assert again.wear_increase == pytest.approx(run.wear_increase, abs=1e-4)
    assert again.hardening_increase == pytest.approx(run.hardening_increase, abs=1e-5)


def test_half_a_per_cent_of_mass_changes_as_much_as_the_tolerance_says(shocks):
    """Five points of w and one of α: neither is known better than that from a mass to 0.1 t."""
    motion = shocks["AQG WE"]

    def run(mass):
        house = rs.MasonryBuilding.casalotti2025(mass)
        return rs.sequence(house, [motion.scaled(0.25)] * 4 + [motion], settle=True)

    middle, *sides = (run(24e3 * factor) for factor in (1.0, 0.995, 1.005))
    for side in sides:
        assert 0.05 < abs(side.wear_increase - middle.wear_increase) < 0.1
        assert 0.008 < abs(side.hardening_increase - middle.hardening_increase) < 0.015


def test_where_wear_grows_as_in_the_paper_hardening_does_too(shocks):
    """Over masses, α grows by 5 to 12 % where w grows by half: the paper's 9 % is among them."""
    scales = np.arange(0.15, 0.51, 0.05)
    found = rs.analysis.foreshock_map(shocks["AQG WE"], np.arange(19.0, 28.0, 2.0) * 1e3, scales)
    alphas = [alpha for *_, alpha in found.at_wear(PAPER["wear"])]
    assert len(alphas) >= 4 and min(alphas) < PAPER["hardening"] < max(alphas) < 0.15


def test_a_folder_without_the_record_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(InputError, match="no record of the main shock"):
        recorded(tmp_path)
