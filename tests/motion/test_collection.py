"""The motions of a folder: all horizontal ones, no vertical one, and nothing silently lost."""

from __future__ import annotations

import json
import pickle
import zipfile

import numpy as np
import pytest

import rocksteady as rs
import standins
from rocksteady.ensembles.study_file import read_study
from rocksteady.motion.upwards import is_vertical

BLOCK = "[systems]\nheight = 1.8\nwidth = 0.5\n"
WAVE = 3 * np.sin(np.arange(300) / 10)


def table(path, *names, unit=" [m/s2]", dt=0.01):
    """A table of numbers with a column for the time and one for each component."""
    head = ",".join(["time [s]", *(f"{name}{unit}" for name in names)])
    rows = [
        ",".join([f"{dt * i:.2f}", *(f"{a * (k + 1):.6f}" for k in range(len(names)))])
        for i, a in enumerate(WAVE)
    ]
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    """All sorts of files: one component, three, a vertical one, one without a unit, and a note."""
    place = tmp_path / "records"
    place.mkdir()
    rs.write_motion(rs.Motion(WAVE, 0.01), place / "one.AT2")
    table(place / "three.csv", "NS", "EW", "UD")
    table(place / "unitless.csv", "NS", unit="")
    table(place / "up.csv", "UP")
    (place / "notes.txt").write_text("Read me first.\n")
    return place


def test_all_horizontals_and_what_was_left_out(folder):
    motions = rs.read_motions(folder, unreadable="skip")
    assert list(motions) == ["one.AT2", "three.csv/NS", "three.csv/EW"]
    assert not any(is_vertical(motion) for motion in motions.values())
    assert motions.verticals == ("three.csv/UD", "up.csv")
    assert list(motions.skipped) == ["notes.txt", "unitless.csv"]
    assert "no unit" in motions.skipped["unitless.csv"]
    assert repr(motions).startswith("<3 motions; 2 skipped")
    again = pickle.loads(pickle.dumps(motions))
    assert again == motions and again.skipped == motions.skipped
    alone = rs.read_motion(folder / "three.csv", "EW")
    assert motions["three.csv/EW"] == alone and np.ptp(alone.accel) > 0


def test_a_file_that_cannot_be_read_stops_unless_told_otherwise(folder):
    with pytest.raises(rs.InputError, match=r'notes\.txt.*pattern = .*unreadable = "skip"'):
        rs.read_motions(folder)
    motions = rs.read_motions(folder, unreadable="skip", unit="m/s2")  # for those that state none
    assert "unitless.csv" in motions and motions["one.AT2"].pga == pytest.approx(3.0, rel=1e-3)


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"components": "vertical"}, ["three.csv/UD", "up.csv"]),
        ({"components": "all", "pattern": "*.csv"}, [f"three.csv/{c}" for c in ("NS", "EW", "UD")]
            + ["up.csv"]),
        ({"component": "ns"}, ["three.csv/NS"]),
    ],
)  # fmt: skip
def test_other_components(folder, options, names):
    assert list(rs.read_motions(folder, unreadable="skip", **options)) == names


def test_which_of_three_is_vertical_must_be_said(tmp_path):
    table(tmp_path / "x.csv", "first", "second", "third")
    with pytest.raises(rs.InputError, match=r"first, second, third is vertical: choose one"):
        rs.read_motions(tmp_path)
    table(tmp_path / "y.csv", "first", "second")  # two are never a station with its vertical
    found = rs.read_motions(tmp_path, unreadable="skip")
    assert list(found) == ["y.csv/first", "y.csv/second"] and list(found.skipped) == ["x.csv"]


def test_archives_and_single_files(folder, tmp_path):
    with zipfile.ZipFile(tmp_path / "station.zip", "w") as archive:
        for name in ("one.AT2", "three.csv", "notes.txt"):
            archive.write(folder / name, name)
    found = rs.read_motions(tmp_path / "station.zip", unreadable="skip")
    inside = ("one.AT2", "three.csv/NS", "three.csv/EW")
    assert sorted(found) == sorted(f"station.zip/{name}" for name in inside)
    assert list(found.skipped) == ["station.zip/notes.txt"]
    assert list(rs.read_motions(folder / "three.csv")) == ["three.csv/NS", "three.csv/EW"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda at: rs.read_motions(at, components="sideways"), "choose from horizontal"),
        (lambda at: rs.read_motions(at, unreadable="maybe"), "choose from stop, skip"),
        (lambda at: rs.read_motions(at, pattern="*.xyz"), r"no file that matches '\*\.xyz'"),
        (lambda at: rs.read_motions(at, pattern="up*"), "only vertical components"),
        (lambda at: rs.read_motions(at, pattern="n*", unreadable="skip"), "None of the 1 files"),
        (lambda at: rs.read_motions(at / "no"), "is not a folder"),
        (lambda at: rs.read_motions(None), "path = None is not a path"),
        (lambda at: rs.read_folder(3), "path = 3 is not a path"),
    ],
)
def test_wrong_questions(folder, call, words):
    with pytest.raises(rs.InputError, match=words):
        call(folder)


@pytest.mark.filterwarnings("ignore:.*is a copy of N-S")
def test_real_records(records):
    """Every network's word for up is known: none of its verticals is taken for a horizontal."""
    found = rs.read_motions(records, unreadable="skip")
    assert len(found) > 40 and len(found.verticals) > 15
    ups = ("Up", "up", "UD", "U-D", "HNZ", "BNZ", "UP", "_V_")
    assert not [name for name in found if any(word in name for word in ups)]


@pytest.mark.filterwarnings("ignore:.*is a copy of N-S")
def test_generated_records(generated_records, tmp_path):
    """The same of small ones, whose index says which are vertical."""
    rows = standins.make(tmp_path / "again")
    found = rs.read_motions(generated_records, unreadable="skip", dt=0.005, unit="g")
    assert list(found.skipped) == ["INDEX.tsv", "README.md"]
    whole = [row.file for row in rows]

    def name(row):
        return row.file if whole.count(row.file) == 1 else f"{row.file}/{row.component}"

    assert set(found.verticals) == {name(row) for row in rows if row.vertical}
    assert set(found) == {name(row) for row in rows if not row.vertical}


# -- in a study ------------------------------------------------------------------------------------


def study(tmp_path, more, first=BLOCK, run='[run]\nstore = "out"\n'):
    path = tmp_path / "study.toml"
    path.write_text(first + '[[motions]]\nfolder = "records"\n' + more + run, encoding="utf-8")
    return path


def test_a_study_takes_all_horizontals_and_lists_what_it_skips(folder, tmp_path):
    path = study(tmp_path, 'components = "horizontal"\nunreadable = "skip"\n')
    told = []
    read = read_study(path, tell=lambda *what: told.append(what)).study
    assert read.motion_names == ("one", "three NS", "three EW")
    assert list(read.skipped) == ["notes.txt", "unitless.csv"]
    assert read.verticals == ("three.csv/UD", "up.csv")
    assert ("Reading records in records", 5, 5) in told and told[-1] == ("Measuring motions", 3, 3)


def test_a_study_takes_horizontal_components_unless_told_otherwise(folder, tmp_path):
    """As `read_motions` does: one default wherever motions are read."""
    with pytest.warns(rs.RocksteadyWarning, match=r"2 vertical components left out \(three.csv/UD"):
        plain = read_study(study(tmp_path, 'unreadable = "skip"\n')).study
    assert plain.motion_names == ("one", "three NS", "three EW")
    assert plain.verticals == ("three.csv/UD", "up.csv")
    for which, names in (
        ("vertical", ("three UD", "up")),
        ("all", ("one", "three NS", "three EW", "three UD", "up")),
    ):
        more = f'components = "{which}"\nunreadable = "skip"\n'
        with pytest.warns(
            rs.RocksteadyWarning, match="are vertical components, used as horizontal ones"
        ):
            assert read_study(study(tmp_path, more)).study.motion_names == names


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ('components = "horizontal"\n', r'notes\.txt.*unreadable = "skip"'),
        ('components = "upwards"\n', "components.*horizontal"),
        (
            'components = "horizontal"\ncomponent = "NS"\n',
            "components = .horizontal. and component = .NS. were both given",
        ),
        ('unreadable = "perhaps"\n', "stop.*skip"),
        ("pga = 1.0\npgv = 1.0\n", "pgv = 1 and pga = 1 were both given"),
        ('pgv = "fast"\n', "in m/s and without the unit"),
    ],
)
def test_a_study_that_is_not_clear_stops(folder, tmp_path, more, words):
    with pytest.raises(rs.InputError, match=words):
        read_study(study(tmp_path, more))


def test_skipping_is_for_folders(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(BLOCK + '[[motions]]\npulse = "sine,a=1,T=1"\nunreadable = "skip"\n')
    with pytest.raises(rs.InputError, match="unreadable is for folders"):
        read_study(path)


def test_one_file_with_all_its_horizontals(folder, tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(
        BLOCK + '[[motions]]\nfile = "records/three.csv"\ncomponents = "horizontal"\npgv = 0.5\n'
    )
    read = read_study(path).study
    assert read.motion_names == ("three NS", "three EW") and read.verticals == ("three.csv/UD",)
    assert [motion.pgv for motion in read.motions] == pytest.approx([0.5, 0.5], rel=1e-12)


def test_two_files_of_one_station_are_named_by_their_files(tmp_path, records):
    text = f'[[motions]]\nfolder = "{records / "KNET"}"\npattern = "AOM*"\n'
    (tmp_path / "study.toml").write_text(BLOCK + text + 'components = "horizontal"\n')
    names = read_study(tmp_path / "study.toml").study.motion_names
    assert names == ("AOM0081801241951.EW", "AOM0081801241951.NS")


def test_two_generated_files_of_one_station_are_named_by_their_files(tmp_path, generated_records):
    text = f"[[motions]]\nfolder = '{generated_records / 'KNET'}'\npattern = 'GEN*'\n"
    (tmp_path / "study.toml").write_text(BLOCK + text + 'components = "horizontal"\n')
    read = read_study(tmp_path / "study.toml").study
    assert read.motion_names == ("GEN0019901021231.EW", "GEN0019901021231.NS")
    assert read.verticals == ("GEN0019901021231.UD",)


def test_the_command_lists_what_it_skips_and_the_store_remembers(folder, tmp_path, rocksteady):
    study(tmp_path, 'components = "horizontal"\nunreadable = "skip"\n')
    done = rocksteady("ensemble", "study.toml")
    assert done.code == 0, done.err
    for text in (done.err, rocksteady("ensemble", "status", "out").out):
        assert "2 files could not be read and were skipped:" in text
        assert "unitless.csv: no unit is stated" in text and "notes.txt: " in text
        assert "2 vertical components left out" in text
    for words in (("study.toml",), ("status", "out")):
        about = json.loads(rocksteady("ensemble", *words, "--json").out)
        assert list(about["skipped"]) == ["notes.txt", "unitless.csv"]
        assert about["verticals_left_out"] == ["three.csv/UD", "up.csv"]
    data = rs.open_ensemble(tmp_path / "out")
    assert list(json.loads(data.attrs["skipped"])) == ["notes.txt", "unitless.csv"]


def test_of_very_many_that_were_skipped_some_are_told(tmp_path, folder, rocksteady):
    for i in range(40):
        (folder / f"note{i:02d}.txt").write_text("Nothing here.\n")
    study(tmp_path, 'components = "horizontal"\nunreadable = "skip"\n', run="")
    err = rocksteady("ensemble", "study.toml").err
    assert "42 files could not" in err and "… and 22 more: --json lists all." in err


def test_a_store_made_in_python_remembers_it_too(folder, tmp_path):
    motions = rs.read_motions(folder, unreadable="skip")
    block = rs.Block(height=1.8, width=0.5)
    found = rs.ensemble(block, motions, store=tmp_path / "store", progress=False)
    assert list(found.motion.values) == list(motions)
    again = rs.open_ensemble(tmp_path / "store")
    assert json.loads(again.attrs["skipped"]) == motions.skipped
    assert json.loads(again.attrs["verticals_left_out"]) == list(motions.verticals)
    plain = rs.ensemble(block, dict(motions), progress=False)
    assert "skipped" not in plain.attrs and np.array_equal(plain.peak, found.peak)
