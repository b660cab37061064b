"""What users write: names, options and how they end."""

import subprocess
import sys

import numpy as np
import pytest

import rocksteady as rs

PUSH = rs.pulses.sine(amplitude=3.0, period=0.8, dt=0.01)
STATUE = rs.Block(1.8, 0.5)
HOUSE = rs.MasonryBuilding.casalotti2025(4e4)


def test_a_status_is_a_number_with_words():
    assert [int(status) for status in rs.Status] == [0, 1, 2, 3, 4]
    assert str(rs.Status.AT_REST) == f"{rs.Status.AT_REST}" == "at rest"
    assert [status for status in rs.Status if status.fell] == [
        rs.Status.OVERTURNED, rs.Status.COLLAPSED
    ]  # fmt: skip
    data = rs.ensemble(STATUE, PUSH, scales=[1, 2], progress=False)
    assert (data.status == rs.Status.OVERTURNED).values.ravel().tolist() == [False, True]
    assert data.fell.dtype == bool and data.fell.values.ravel().tolist() == [False, True]
    assert rs.simulate(STATUE, PUSH.scaled(2)).fell and not rs.simulate(STATUE, PUSH).fell


@pytest.mark.parametrize("seconds", [0.3, 0.8, 2.5])
def test_a_run_ends_when_it_is_told(seconds):
    """In `simulate` and in ensembles alike; shorter and longer than the motion."""
    run = rs.simulate(STATUE, PUSH, until=seconds)
    assert run.time[-1] == pytest.approx(seconds)
    assert np.array_equal(run.states, rs.simulate(STATUE, PUSH, duration=seconds).states)
    data = rs.ensemble(STATUE, PUSH, scales=[1.0, 1.7], until=seconds, progress=False)
    for scale in (1.0, 1.7):
        alone = rs.simulate(STATUE, PUSH.scaled(scale), until=seconds)
        found = data.sel(scale=scale).squeeze()
        assert (found.peak.item(), found.status.item()) == (alone.peak, alone.status)


def test_a_run_ends_with_the_motion_or_at_rest():
    assert rs.simulate(STATUE, PUSH, until="motion").time[-1] == pytest.approx(PUSH.duration)
    assert rs.simulate(STATUE, PUSH).status is rs.Status.AT_REST
    for call in (rs.simulate, rs.ensemble):
        with pytest.raises(rs.InputError, match="until = 'noon' is not allowed: give 'rest'"):
            call(STATUE, PUSH, until="noon")
    with pytest.raises(rs.InputError, match="were both given"):
        rs.simulate(STATUE, PUSH, until="motion", duration=1.0)


def test_a_building_starts_in_metres():
    run = rs.simulate(HOUSE, x0=3e-4, v0=0.01, until=0.5)
    assert run.displacement[0] == 3e-4 and run.states[0, 1] == 0.01
    with pytest.raises(rs.InputError, match=r"does not rock: give x0 \[m\] and v0 \[m/s\]"):
        rs.simulate(HOUSE, theta0=3e-4, omega0=0.01, until=0.5)
    with pytest.raises(rs.InputError, match="rocks: give theta0"):
        rs.simulate(STATUE, x0=0.1)


def test_a_building_has_its_histories_by_name():
    run = rs.simulate(HOUSE, PUSH)
    for name, column in (("displacement", 0), ("hardening", 3), ("wear", 4), ("stress", 5)):
        assert np.array_equal(getattr(run, name), run.states[:, column])
    with pytest.raises(rs.InputError, match="There is no column 'w'"):
        _ = rs.simulate(STATUE, PUSH).wear


def test_options_of_theories_have_names():
    for kind in (rs.Housner, rs.Nonsmooth, rs.RigidBodySpring, rs.ComplexPotential, rs.Masonry):
        with pytest.raises(TypeError, match="positional argument"):
            kind(0.5)


def test_a_component_that_a_theory_does_not_take_is_left_out():
    both = rs.Motion(PUSH.accel, PUSH.dt, transverse=PUSH.accel[::-1])
    with pytest.warns(rs.RocksteadyWarning, match="ignores the transverse component"):
        run = rs.simulate(STATUE, both)
    assert np.array_equal(run.states, rs.simulate(STATUE, PUSH).states)


ROOMS = ("motion", "bodies", "theories", "specs", "engine", "ensembles", "analysis", "view")


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_reached_at_once(room):
    """In a fresh interpreter, before anything else was touched."""
    program = f"import rocksteady as rs; print(rs.{room}.__name__); assert '{room}' in dir(rs)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == f"rocksteady.{room}\n", done.stderr


def test_compare_runs_each_theory_once(monkeypatch):
    ran = []

    def counted(system, motion, how, **options):
        ran.append(how.name)
        return rs.simulate(system, motion, how, **options)

    monkeypatch.setattr("rocksteady.analysis.compare.simulate", counted)
    found = rs.compare(rs.Block(4.2, 0.6), PUSH)
    assert sorted(ran) == sorted(set(ran)) and len(ran) == len(found.entries) == 5
    assert all(entry.seconds > 0 for entry in found)
