"""Bodies in space in study files and stores: described by plain values, kept in plain columns."""

import struct
import warnings

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
        ("width = 1\nheight = 2", "width is unknown: a Body has"),
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
