"""A theory and a body of one's own, outside the package: the documented one, as the page prints it.

It goes through everything that our own go through, and nothing in the package knows of it.
"""

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import xarray

import rocksteady as rs
from rocksteady.bodies import SYSTEMS
from rocksteady.registry import class_of
from rocksteady.specs import TheorySpec
from rocksteady.theories import FORMULATIONS
from rocksteady.theories.contract import Formulation

PAGE = Path(__file__).parents[2] / "docs" / "add-a-formulation.md"
STATUE = '''
from dataclasses import dataclass
import rocksteady as rs

@dataclass(frozen=True)
class Statue(rs.Block):
    """A body of one's own."""
    sculptor: str = "unknown"
'''
PUSH = rs.pulses.rectangular(4.0, 0.3)
SLIP = 4.0 * (4.0 - 0.25 * 9.81) * 0.3**2 / (2 * 0.25 * 9.81)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of a user's, with his modules in it."""
    made = tmp_path_factory.mktemp("mine")
    text = PAGE.read_text(encoding="utf-8")
    (made / "sliding.py").write_text(re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0])
    (made / "statues.py").write_text(STATUE)
    rs.write_motion(PUSH, made / "push.csv")
    return made


@pytest.fixture
def mine(folder, monkeypatch):
    """His modules, imported."""
    monkeypatch.syspath_prepend(folder)
    monkeypatch.chdir(folder)
    return importlib.import_module("sliding")


@pytest.fixture
def how(mine):
    """The documented theory."""
    return mine.Sliding(0.25)


def test_it_is_simulated_and_judged_in_its_own_unit(mine, how):
    run = rs.simulate(mine.plinth, PUSH, how)
    assert run.status is rs.Status.AT_REST and not run.fell
    assert run.peak == pytest.approx(SLIP, rel=1e-12)
    assert (run.coordinate.name, run.coordinate.unit, run.coordinate.over) == ("slip", "m", "")
    assert "|slip| [m] = 0.1136" in repr(run) and "θ" not in repr(run)
    moved = rs.simulate(mine.plinth, None, how, v0=1.0)
    assert moved.column("slip")[-1] == pytest.approx(1 / (2 * 0.25 * 9.81), rel=1e-12)


def test_it_is_saved_and_loaded(mine, how, tmp_path):
    run = rs.simulate(mine.plinth, PUSH, how)
    for name in ("run.nc", "run.csv"):
        same = rs.Response.load(run.save(tmp_path / name))
        assert np.array_equal(same.states, run.states) and same.peak == run.peak
        assert type(same.formulation).__name__ == type(how).__name__
        assert same.formulation.mu == how.mu
    with xarray.open_dataset(tmp_path / "run.nc", engine="h5netcdf") as data:
        assert data["slip"].attrs["units"] == "m"


def test_ensembles_are_made_stored_and_gone_on_with(mine, how, tmp_path):
    plinths = [rs.Block(0.5, width) for width in (1.0, 1.2)]
    scales, store = [0.5, 1.0, 2.0], tmp_path / "store"
    data = rs.ensemble(plinths, PUSH, how, scales=scales, store=store, progress=False)
    single = [rs.simulate(plinths[0], PUSH.scaled(scale), how).peak for scale in scales]
    assert data.peak.values[0, 0].tolist() == single
    assert data.peak.attrs["units"] == "m" and "slip" in data.peak.attrs["long_name"]
    assert (not data.fell.any() and "impacts" in data) or not how.has_impacts
    for part in (store / "runs").glob("*.parquet"):
        part.unlink()
    again = rs.ensemble(plinths, PUSH, how, scales=scales, store=store, progress=False)
    xarray.testing.assert_equal(again, data)
    xarray.testing.assert_equal(rs.open_ensemble(store), data)


def test_ensembles_are_made_by_a_cluster(mine, how):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        far = rs.ensemble(mine.plinth, PUSH, how, executor=client, progress=False)
    assert far.peak.item() == rs.simulate(mine.plinth, PUSH, how).peak


def test_it_is_compared(mine, how, tmp_path):
    found = rs.compare(mine.plinth, PUSH, {"slides": how, "rocks": rs.Housner()})
    first, second = found.rows()
    assert first["peak"] == pytest.approx(SLIP) and second["peak"] == 0
    assert second["peak_difference"] is None  # metres and radians have no difference
    assert "peak |slip| [m]" in str(found)
    found.plot(tmp_path / "both.png")


def test_it_has_no_loss_to_calibrate(mine, how):
    with pytest.raises(rs.InputError, match="no parameter that sets its loss"):
        rs.calibrate(mine.plinth, how, 0.9)


def test_its_figure_has_its_labels_and_units(mine, how):
    figure = rs.simulate(mine.plinth, PUSH, how).plot()
    labels = {axes.get_ylabel() for axes in figure.axes} | {a.get_xlabel() for a in figure.axes}
    assert {"slip [m]", "velocity [m/s]", "energy [J]", "time [s]"} <= labels
    assert not [label for label in labels if "θ" in label]


def test_it_is_followed_live(mine, how):
    live = rs.Monitor(mine.plinth, how, dt=PUSH.dt)
    for sample in PUSH.accel:
        live.push(sample)
    assert live.state[0] == rs.simulate(mine.plinth, PUSH, how, until="motion").states[-1, 0]


def test_the_command_line_takes_it(folder):
    theory = "sliding:Sliding"

    def run(*words):
        line = [sys.executable, "-m", "rocksteady", *words]
        return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)

    body = ("simulate", "--height", "0.5", "--width", "1.0", "-m", "push.csv", "--formulation")
    done = run(*body, theory, "--set", "mu=0.25", "--json")
    about = json.loads(done.stdout[done.stdout.index("{") :])
    assert about["peak"] == pytest.approx(SLIP, rel=1e-6)
    shown = run(*body, theory, "--set", "mu=0.25").stdout
    assert "largest slip" in shown and "0.1136 m" in shown and "balance angle" not in shown
    lacking = run(*body, theory)
    assert lacking.returncode == 2 and "It takes mu" in lacking.stderr


def test_a_registered_theory_is_known_by_its_name(mine):
    try:
        assert FORMULATIONS.register(mine.Sliding) is mine.Sliding
        assert FORMULATIONS.named("Sliding") is mine.Sliding and "Sliding" in FORMULATIONS.names()
        assert mine.Sliding in {type(how) for how in [mine.Sliding(0.3)]}
    finally:
        FORMULATIONS._registered.clear()
    with pytest.raises(rs.InputError, match="There is no formulation 'Sliding'"):
        FORMULATIONS.named("Sliding")


def test_an_entry_point_of_another_package_is_found(mine, tmp_path, monkeypatch):
    made = tmp_path / "other-1.0.dist-info"
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (made / "entry_points.txt").write_text("[rocksteady.theories]\nslip = sliding:Sliding\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert "slip" in FORMULATIONS.names() and FORMULATIONS.named("slip") is mine.Sliding


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("newton", "there are housner, nonsmooth"),
        ("sliding:Slidin", r"--allow-modules sliding on the command line"),
        ("nowhere:Theory", r"rs\.allow_modules\('nowhere'\) in Python"),
        ("__main__:Theory", "defined in a script or notebook"),
    ],
)
def test_what_is_not_there_is_said_so(mine, name, says):
    with pytest.raises(rs.InputError, match=says):
        FORMULATIONS.named(name)


@pytest.mark.parametrize("name", ["sliding:Slidin", "nowhere:Theory", "nowhere.at:Theory"])
def test_what_may_be_imported_is_not_always_there(mine, name):
    with (
        rs.allow_modules("sliding", "nowhere"),
        pytest.raises(rs.InputError, match="cannot be imported"),
    ):
        FORMULATIONS.named(name)


def test_a_subclass_of_a_body_is_a_body(mine, folder, tmp_path):
    statues = importlib.import_module("statues")
    statue = statues.Statue(1.8, 0.5, sculptor="Rodin")
    sine = rs.pulses.sine(amplitude=3.0, period=0.8)
    run = rs.simulate(statue, sine)
    assert np.array_equal(run.states, rs.simulate(rs.Block(1.8, 0.5), sine).states)
    same = rs.Response.load(run.save(tmp_path / "statue.csv"))
    assert same.system == statue and type(same.system) is statues.Statue
    assert SYSTEMS.name_of(statues.Statue) == "statues:Statue"
    assert len(list(rs.compare(statue, sine))) == 5


def test_every_theory_of_ours_declares_all_that_is_required():
    for name in FORMULATIONS.names():
        kind = class_of(FORMULATIONS.named(name))
        assert issubclass(kind, Formulation) and kind.name and kind.bodies, name
        assert not kind.__abstractmethods__, name


def test_what_is_required_is_nine_members():
    declared = {"name", "bodies"} & set(Formulation.__annotations__) - set(vars(Formulation))
    assert len(declared) + len(Formulation.__abstractmethods__) == 9


def test_a_theory_that_lacks_something_is_told_what(mine):
    class Half(mine.Sliding):
        energy = Formulation.energy

    with pytest.raises(TypeError, match="abstract method energy"):
        Half(0.25)
    with (
        rs.allow_modules("os"),
        pytest.raises(rs.InputError, match=r"os:path is not a theory: .* inherits from"),
    ):
        TheorySpec(name="os:path").build()


def test_what_only_looks_like_a_theory_is_refused(mine):
    with pytest.raises(rs.InputError, match="is not a formulation: give one such as"):
        rs.simulate(mine.plinth, PUSH, object())
