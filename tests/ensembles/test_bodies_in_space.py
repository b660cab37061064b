"""Bodies in space in study files and stores: described by plain values, kept in plain columns."""

import json
import struct
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

import rocksteady as rs
from rocksteady.ensembles.labels import system_labels
from rocksteady.ensembles.store import Store
from rocksteady.ensembles.study import Study
from rocksteady.ensembles.study_file import read_study
from rocksteady.specs import BodySpec
from rocksteady.specs.bodies import BodiesSpec

MOTION = rs.Motion(np.sin(np.arange(50) * 0.1), 0.01, transverse=np.cos(np.arange(50) * 0.1))
BODIES = (
    rs.Body.box(0.45, 0.6, 1.8),
    rs.Body.prism([(0, 0), (0.5, 0), (0.2, 0.5)], 1.5),
    rs.Body.box(0.45, 0.6, 1.8).turned(30),
)


def tetrahedron(path, size):
    """An STL of a pyramid on a triangle."""
    corners = size * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1]])
    faces = corners[[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]]
    rows = (struct.pack("<12fH", 0, 0, 0, *face.ravel(), 0) for face in faces)
    path.write_bytes(b"\0" * 80 + struct.pack("<I", 4) + b"".join(rows))


def test_a_store_keeps_bodies_bit_for_bit(tmp_path):
    pytest.importorskip("pyarrow")
    study = Study.of(systems=BODIES, motions=[MOTION])
    store = Store.begin(tmp_path / "store", study)
    table = store.layout.tables["system"]
    assert table["centre_z"][1] == "m" and table["inertia_xy"][1] == "kg m2"
    for i, body in enumerate(BODIES):
        row = {name: table[name][0][i] for name in rs.Body.stored_names()}
        assert rs.Body.from_values(row) == body
        assert table["alpha"][0][i] == body.alpha
    Store.begin(tmp_path / "store", study)  # the same study goes on there
    with pytest.raises(rs.InputError, match="other systems"):
        Store.begin(tmp_path / "store", Study.of(systems=BODIES[::-1], motions=[MOTION]))


def regular(corners, height=1.6):
    angles = 2 * np.pi * np.arange(corners) / corners + 0.1
    return rs.Body.prism(0.25 * np.column_stack([np.cos(angles), np.sin(angles)]), height)


def shaking(seed, pga):
    rng, t = np.random.default_rng(seed), np.arange(801) * 0.005
    x, y, z = (
        np.sin(np.pi * t / 4) * sum(np.sin(f * t + f) for f in rng.uniform(3, 30, 6)) for _ in "xyz"
    )
    return rs.Motion(pga * x, 0.005, transverse=pga * y, vertical=0.3 * pga * z)


@pytest.mark.parametrize("until", ["rest", "motion"])
@pytest.mark.parametrize(
    ("bodies", "how"),
    [
        ((regular(3), regular(4), regular(4, 1.2)), rs.Spatial()),
        pytest.param((regular(4), regular(8), regular(5)), rs.Spatial(), marks=pytest.mark.slow),
        pytest.param(
            (regular(20), regular(4)), rs.Spatial(), marks=pytest.mark.slow
        ),  # compiles long
        ((regular(4), regular(6)), rs.Spatial(friction=0.3)),
        ((rs.Body.cylinder(0.5, 1.6), rs.Body.cone(0.5, 1.6)), rs.Spatial(flat_loss=0.8)),
    ],
    ids=["3 and 4 corners", "4, 8 and 5 corners", "20 and 4 corners", "friction", "round"],
)
def test_every_number_is_that_of_simulate(bodies, how, until):
    """Bit for bit, also of bodies with different numbers of corners."""
    motions = [shaking(1, 1.2), shaking(2, 2.5)]
    data = rs.ensemble(bodies, motions, how, until=until, progress=False).isel(scale=0)
    for i, body in enumerate(bodies):
        for j, motion in enumerate(motions):
            run, row = rs.simulate(body, motion, how, until=until), data.isel(system=i, motion=j)
            found = [row[name].item() for name in ("peak", "time_of_peak", "impacts", "status")]
            assert found == [run.peak, run.time_of_peak, len(run.impacts), run.status]
            assert (row.walked.item(), row.turned.item()) == (run.walked, run.turned)
            assert row.energy_lost.item() == run.column("loss")[-1]
            assert (row["mode"].item(), row.pivot.item()) == tuple(run.states[-1, 14:16])
    assert (data.impacts > 0).any() or how.flat_loss < 1


def test_bodies_that_land_side_by_side_have_the_bits_of_single_runs():
    """Enough runs that those which strike wait for each other, and few enough that the last ones
    find nobody to wait for."""
    body, motion, scales = rs.Body.box(0.45, 0.5, 1.8), shaking(1, 1.6), np.linspace(0.7, 1.3, 60)
    data = rs.ensemble(body, [motion], scales=scales, until="motion", progress=False)
    names = ("peak", "time_of_peak", "impacts", "status", "walked", "turned")
    found = np.array([data[name].values.ravel() for name in names]).T.tolist()
    for scale, row in zip(scales, found, strict=True):
        run = rs.simulate(body, motion.scaled(scale), until="motion")
        ends = run.peak, run.time_of_peak, len(run.impacts), run.status, run.walked, run.turned
        assert row == list(map(float, ends))
    assert data.impacts.values.mean() > 30


@dataclass(frozen=True, kw_only=True)
class LetGo(rs.Spatial):
    """Let go at a third of its limit, over an edge if that lies across x."""

    def start(self, body, theta0=0.0, omega0=0.0, direction=0.0):
        return super().start(body, 0.3 * body.limit(0.0), 0.0, 0.0)


def eccentric(corners, seed):
    """A body on three or more corners, irregular, its centre of mass off the middle."""
    rng = np.random.default_rng(seed)
    angles = (np.arange(corners) + rng.uniform(-0.3, 0.3, corners)) * 2 * np.pi / corners
    base = rng.uniform(0.2, 0.3) * np.column_stack([np.cos(angles), np.sin(angles)])
    return rs.Body.prism(base, rng.uniform(1, 2), offset=tuple(rng.uniform(-0.02, 0.02, 2)))


@pytest.mark.parametrize("until", ["rest", "motion"])
@pytest.mark.parametrize("how", [rs.Spatial(), LetGo()], ids=["from rest", "let go"])
@pytest.mark.parametrize(
    "bodies",
    [
        (
            rs.Body.box(0.45, 0.5, 1.8),
            rs.Body.box(0.4, 0.6, 1.5, offset=(0.03, 0.02)),
            *(eccentric(n, seed) for seed, n in enumerate((3, 4, 3, 4))),
        ),
        pytest.param(
            tuple(eccentric(n, seed) for seed, n in enumerate((5, 8, 3, 7, 6, 4))),
            marks=pytest.mark.slow,
        ),
    ],
    ids=["up to 4 corners", "up to 8 corners"],
)
def test_runs_on_edges_and_corners_have_the_bits_of_single_ones(bodies, how, until):
    """Along x a body rocks on its edges. Enough runs that both tables of a thread fill up and run
    empty again."""
    along = shaking(1, 1.4)
    motions = [along, rs.Motion(along.accel, along.dt, vertical=along.vertical), shaking(2, 2.0)]
    scales = (0.8, 1.0, 1.3)
    data = rs.ensemble(bodies, motions, how, scales=scales, until=until, progress=False)
    names = ("peak", "time_of_peak", "impacts", "status", "walked", "turned", "energy_lost")
    for i, body in enumerate(bodies):
        for j, motion in enumerate(motions):
            for k, scale in enumerate(scales):
                run = rs.simulate(body, motion.scaled(scale), how, until=until)
                row = data.isel(system=i, motion=j, scale=k)
                ends = run.peak, run.time_of_peak, len(run.impacts), run.status
                ends = *ends, run.walked, run.turned, run.column("loss")[-1]
                assert [row[name].item() for name in names] == list(map(float, ends))
                assert row["mode"].item() == run.states[-1, 14]
    assert data.impacts.values.mean() > 10


def test_round_and_polygonal_bodies_need_an_ensemble_each():
    bodies = [regular(4), rs.Body.cylinder(0.5, 1.6)]
    with pytest.raises(rs.InputError, match="Make an ensemble of each"):
        rs.ensemble(bodies, MOTION, progress=False)


@pytest.mark.parametrize(
    ("body", "how"),
    [
        (regular(5), rs.Spatial()),
        (rs.Body.cylinder(0.5, 1.6), rs.Spatial(rolling="free")),
        (regular(4), rs.Spatial(friction=0.3, restitution=0.2)),
    ],
    ids=["polygon", "round", "friction"],
)
def test_a_monitor_and_a_file_are_bit_for_bit(body, how, tmp_path):
    motion = shaking(1, 1.2)
    run = rs.simulate(body, motion, how, until="motion")
    monitor, at = rs.Monitor(body, how, dt=motion.dt), 0
    for count in (1, 1, 9, 190, 600):
        part = slice(at, at + count)
        monitor.push_block(motion.accel[part], motion.vertical[part], motion.transverse[part])
        monitor, at = rs.Monitor.from_dict(json.loads(json.dumps(monitor.to_dict()))), at + count
        assert monitor.state == tuple(run.states[min(at, len(run.states)) - 1].tolist())
    assert max(map(abs, monitor.extremes[:2])) == run.peak
    again = rs.Response.load(run.save(tmp_path / "run.csv"))
    np.testing.assert_array_equal(again.states, run.states)
    np.testing.assert_array_equal(again.events, run.events)
    assert (again.system, again.formulation, again.fall) == (body, how, run.fall)


def test_a_table_of_stored_bodies_is_a_table_of_systems(tmp_path):
    rows = [{n: body.stored(n) for n in (*body.stored_names(), "base_x")} for body in BODIES]
    pd.DataFrame(rows).to_csv(tmp_path / "bodies.csv", index=False)
    assert study_of(tmp_path, 'table = "bodies.csv"').study.systems == BODIES
    round_ = rs.Body.cylinder(0.4, 2.0)
    row = {name: round_.stored(name) for name in round_.stored_names()}
    pd.DataFrame([row]).to_csv(tmp_path / "bodies.csv", index=False)
    spec = BodiesSpec.checked({"kind": "Body", "table": "bodies.csv"})
    assert spec.build(tmp_path) == [round_]


def test_labels_name_size_and_differences():
    bodies = [rs.Body.box(0.4, 0.6, 1.8), rs.Body.box(0.4, 0.6, 1.8, com_height=1.0), BODIES[1]]
    study = Study.of(systems=bodies, motions=[MOTION])
    runs = np.zeros(len(study))
    data = study.layout().dataset(dict.fromkeys(study.quantities(), runs))
    assert system_labels(data) == [
        "1.8 × 0.4 × 0.6 m, centre z 0.9 m",
        "1.8 × 0.4 × 0.6 m, centre z 1 m",
        "1.5 × 0.5 × 0.5 m, centre z 0.75 m",
    ]


def study_of(tmp_path, systems):
    text = f'[systems]\nkind = "Body"\n{systems}\n[[motions]]\npulse = "sine,a=0.4g,T=0.8"\n'
    path = tmp_path / "study.toml"
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_study(path)


def test_sizes_in_a_study_file(tmp_path):
    found = study_of(tmp_path, "base_x = [0.4, 0.5]\nbase_y = 0.6\nheight = 1.8").study.systems
    assert found == (rs.Body.box(0.4, 0.6, 1.8), rs.Body.box(0.5, 0.6, 1.8))
    drawn = study_of(tmp_path, "sample = 3\npreset = 'statue'\nheight = {uniform = [1, 2]}").study
    assert len({body.height for body in drawn.systems}) == 3


def test_scans_in_a_study_file(tmp_path):
    pytest.importorskip("trimesh")
    tetrahedron(tmp_path / "small.stl", 1.0)
    tetrahedron(tmp_path / "large.stl", 2.0)
    said = 'mesh = ["small.stl", "large.stl"]\nunit = "m"\ndensity = [1000, 2000]'
    read = study_of(tmp_path, said)
    masses = [body.mass for body in read.study.systems]
    assert masses == pytest.approx([1000 / 6, 2000 / 6, 8000 / 6, 16000 / 6])
    assert {path.name for path in read.files} >= {"small.stl", "large.stl"}


@pytest.mark.parametrize(
    ("systems", "says"),
    [
        ('base_x = "wide"\nbase_y = 1\nheight = 1', r"base_x = 'wide': a number is needed"),
        ("mesh = 3", "mesh = 3: text is needed, in quotation marks"),
        ('mesh = "none.stl"', r"System 0: There is no file .*none.stl"),
        ("base_x = 1\nheight = 2", "lacks base_y"),
        ("width = 1\nheight = 2", "width is not known for a Body"),
    ],
)
def test_a_wrong_study_file_gives_a_sentence(tmp_path, systems, says):
    with pytest.raises(rs.InputError, match=says):
        study_of(tmp_path, systems)


def test_a_scan_is_looked_for_beside_the_file(tmp_path):
    pytest.importorskip("trimesh")
    tetrahedron(tmp_path / "small.stl", 1.0)
    spec = BodySpec.checked({"kind": "Body", "mesh": "small.stl", "unit": "m"})
    assert spec.build(tmp_path).mass == pytest.approx(2600 / 6)
    assert str(spec) == "Body: mesh = small.stl, unit = m"
    long = str(BodySpec.of(spec.build(tmp_path)))
    assert "shape = (2 values)" in long and "mass = 433.333 kg" in long
