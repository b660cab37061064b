"""Warnings: heard where they are raised, and found in the results that they are about."""

import datetime
import html
import json
import warnings

import pytest

import rocksteady as rs
from rocksteady.analysis.codes import compare
from rocksteady.ensembles.study_file import read_study
from rocksteady.errors import heard, held_back, so_far, warn, warned_once
from rocksteady.motion.code_spectra import Eurocode8
from rocksteady.response import Response
from rocksteady.studio import worker
from rocksteady.view.report.page import report_html

DAY = datetime.date(2026, 11, 19)
BLOCK = rs.Block(height=1.8, width=0.5)
SINE = rs.pulses.sine(amplitude=3.0, period=0.8)
UP = rs.Motion(SINE.accel / 10, SINE.dt, name="up", meta={"component": "UP"})
THREE = rs.Motion(SINE.accel, SINE.dt, transverse=0.5 * SINE.accel, name="three")
IGNORED = "Housner ignores the transverse component of the motion."
MOTIONS = "Housner ignores the transverse component of the motions."
BOTH = "stochastic = {count = 3, components = 2, sets = 1, dt = 0.02}"
LEFT_OUT = "1 vertical component left out (event-UP.AT2): it is not a horizontal motion."
OBJECT = """
name = "Statue"
levels = 5
[object]
height = 1.8
width = 0.5
[[motions]]
folder = "records"
[uncertain]
samples = 8
"""


@pytest.fixture
def records(tmp_path, monkeypatch):
    """A folder with a horizontal and a vertical record."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "records"
    folder.mkdir()
    names = [
        path.name
        for path in rs.write_motion(SINE.with_vertical(SINE.accel / 2), folder / "event.AT2")
    ]
    assert names == ["event.AT2", "event-UP.AT2"]
    return folder


# -- hearing ---------------------------------------------------------------------------------------


def test_whoever_listens_hears_each_once_and_it_is_shown_all_the_same():
    with pytest.warns(rs.RocksteadyWarning) as shown, heard() as outside:
        warn("one")
        with heard() as inside:
            warn("two")
            warn("two")
        warn("three")
        assert so_far() == ["one", "two", "three"]
    assert (outside, inside) == (["one", "two", "three"], ["two"])
    assert [str(one.message) for one in shown] == ["one", "two", "two", "three"]
    assert so_far() == []


def test_filters_of_the_user_change_what_is_shown_not_what_is_heard():
    with warnings.catch_warnings(), heard() as said:
        warnings.simplefilter("ignore")
        warn("quiet")
        warnings.simplefilter("error")
        with pytest.raises(rs.RocksteadyWarning):
            warn("loud")
    assert said == ["quiet", "loud"]


def test_what_is_held_back_is_neither_shown_nor_heard_outside():
    with warnings.catch_warnings(), heard() as outside:
        warnings.simplefilter("error")
        with held_back() as said:
            warn("one")
            warn("one")
            assert so_far() == ["one"]
    assert (outside, said) == ([], ["one"])


def test_many_alike_are_heard_as_one():
    with pytest.warns(rs.RocksteadyWarning) as shown, heard() as said, warned_once([1, 2, 3]):
        warn("first")
        warn("second")
    assert said == ["first (The same holds for 2 of 3 systems.)"]
    assert [str(one.message) for one in shown] == said


# -- in results ------------------------------------------------------------------------------------


def test_a_response_has_its_own_and_keeps_them_in_files(tmp_path):
    with pytest.warns(rs.RocksteadyWarning, match="transverse"):
        run = rs.simulate(BLOCK, THREE)
    assert run.warnings == (IGNORED,)
    assert rs.simulate(BLOCK, SINE).warnings == ()
    for name in ("run.nc", "run.csv"):
        assert Response.load(run.save(tmp_path / name)).warnings == (IGNORED,)


def test_an_ensemble_has_them_in_its_attributes_and_in_its_store(records, rocksteady):
    (records.parent / "study.toml").write_text(
        "[systems]\nheight = 1.8\nwidth = 0.5\n[[motions]]\nfolder = 'records'\n"
    )
    done = rocksteady("ensemble", "study.toml", "--store", "runs", "--json")
    assert json.loads(done.out)["warnings"] == [LEFT_OUT]
    assert f"Warning: {LEFT_OUT}" in done.err
    assert LEFT_OUT in rocksteady("ensemble", "status", "runs").out
    assert json.loads(rocksteady("ensemble", "status", "runs", "--json").out)["warnings"] == [
        LEFT_OUT
    ]


def test_a_table_for_a_report_and_a_store_opened_again_have_them(records, rocksteady):
    (records.parent / "study.toml").write_text(
        "[systems]\nheight = 1.8\nwidth = 0.5\n[[motions]]\nfolder = 'records'\n"
    )
    rocksteady("ensemble", "study.toml", "--store", "runs", "-o", "one.md")
    rocksteady("ensemble", "status", "runs", "-o", "two.md")
    for name in ("one.md", "two.md"):
        assert f"\nWarning: {LEFT_OUT}\n" in (records.parent / name).read_text()
    assert json.loads(rs.open_ensemble("runs").attrs["warnings"]) == [LEFT_OUT]


def test_reading_options_are_not_ignored(records):
    """A file that states its step contradicts another one; a folder that needs none says so."""
    (file,) = records.glob("event.AT2")
    with pytest.raises(rs.InputError, match="states dt"):
        rs.read_motions(file, dt=0.5)
    with pytest.warns(rs.RocksteadyWarning, match=r"sensitivity = 100\.0 is not used: event.AT2"):
        rs.read_motions(file, sensitivity=100.0)
    with pytest.warns(rs.RocksteadyWarning, match=r"dt = 0\.5 is not used: records can be read"):
        rs.read_motions(records, dt=0.5)


@pytest.mark.parametrize(
    ("systems", "motions", "said"),
    [
        ("table = 't.csv'", "pulse = 'sine,a=0.4g,T=0.8'", "'floor' cannot be used"),
        ("table = 't.csv'\nignore = ['floor']", "pulse = 'sine,a=0.4g,T=0.8'", "'floor' cannot"),
        ("height = 1.8\nwidth = 0.5\nseed = 3", "pulse = 'sine,a=0.4g,T=0.8'", "seed is for"),
        ("height = 1.8\nwidth = 0.5", "pulse = 'sine,a=0.4g,T=0.8'\npattern = '*.x'", "pattern"),
    ],
)
def test_a_study_ignores_nothing(systems, motions, said, tmp_path):
    (tmp_path / "t.csv").write_text("name,height,width,floor\nA,1.8,0.5,2\nB,2,0.5,0\n")
    study = tmp_path / "study.toml"
    study.write_text(f"[systems]\n{systems}\n[[motions]]\n{motions}\n")
    with pytest.raises(rs.InputError, match=said):
        read_study(study)


def test_a_floor_that_all_share_is_ignored_with_a_warning(tmp_path):
    (tmp_path / "t.csv").write_text("name,height,width,floor\nA,1.8,0.5,2\nB,2,0.5,2\n")
    study = tmp_path / "study.toml"
    study.write_text(
        "[systems]\ntable = 't.csv'\nignore = ['floor']\n[[motions]]\npulse = 'sine,a=0.4g,T=0.8'\n"
    )
    with pytest.warns(rs.RocksteadyWarning, match="'floor' is ignored. All bodies"):
        read_study(study)


def test_an_ensemble_tells_once_which_components_its_theory_ignores():
    with pytest.warns(rs.RocksteadyWarning) as shown:
        found = rs.ensemble([BLOCK, BLOCK], [THREE, THREE], scales=[0.5, 1.0], progress=False)
    assert json.loads(found.attrs["warnings"]) == [MOTIONS] == [str(one.message) for one in shown]
    assert shown[0].filename == __file__
    with pytest.warns(rs.RocksteadyWarning, match="transverse component of some of the motions"):
        rs.ensemble(BLOCK, [THREE, SINE], progress=False)
    with pytest.warns(rs.RocksteadyWarning) as shown:
        found = rs.ensemble(BLOCK, THREE, progress=False)
    assert json.loads(found.attrs["warnings"]) == [IGNORED] == [str(one.message) for one in shown]


def test_a_building_in_its_plane_ignores_two():
    motion = THREE.with_vertical(0.1 * SINE.accel)
    house = rs.MasonryBuilding.casalotti2025(mass=40e3)
    with pytest.warns(rs.RocksteadyWarning, match="the vertical and the transverse component of "):
        rs.ensemble(house, motion, progress=False)


def test_components_that_are_used_are_not_warned_of():
    body = rs.Body.from_values({"base_x": 0.5, "base_y": 0.4, "height": 1.8})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rs.ensemble(body, THREE, until="motion", progress=False)
        rs.ensemble(BLOCK, SINE.with_vertical(0.1 * SINE.accel), progress=False)
        rs.analysis.direction_map(
            body, THREE, [0.0, 45.0], [0.5, 1.0], until="motion", progress=False
        )


def test_the_command_and_the_assessment_tell_of_ignored_components(
    tmp_path, monkeypatch, rocksteady
):
    monkeypatch.chdir(tmp_path)
    study = f"[systems]\nheight = 1.8\nwidth = 0.5\n[[motions]]\n{BOTH}\n"
    (tmp_path / "study.toml").write_text(study)
    done = rocksteady("ensemble", "study.toml", "--json")
    assert json.loads(done.out)["warnings"] == [MOTIONS]
    assert done.err.count(f"Warning: {MOTIONS}") == 1
    (tmp_path / "object.toml").write_text(OBJECT.replace('folder = "records"', BOTH))
    done = rocksteady("assess", "object.toml", "--json", "--out", "report.html")
    assert json.loads(done.out)["warnings"].count(MOTIONS) == 1
    page = (tmp_path / "report.html").read_text()
    assert page.count(f'<p class="warn">{html.escape(MOTIONS)}</p>') == 1


def test_an_assessment_of_a_folder_with_a_vertical_record(records, rocksteady):
    """It is left out, and the terminal, the page and JSON say so."""
    (records.parent / "object.toml").write_text(OBJECT)
    done = rocksteady("assess", "object.toml", "--json", "--out", "report.html")
    about, page = json.loads(done.out), (records.parent / "report.html").read_text()
    assert f"Warning: {LEFT_OUT}" in done.err
    assert LEFT_OUT in about["warnings"]
    assert [row["name"] for row in about["motions"]] == ["event"]
    assert f'<p class="warn">{html.escape(LEFT_OUT)}</p>' in page
    for text in (page, " ".join(about["limits"])):
        assert "The runs have no vertical component: those of the records were left out." in text
        assert "The motions have no vertical component" not in text


def test_an_assessment_under_a_vertical_record_says_so_everywhere(records):
    path = records.parent / "object.toml"
    path.write_text(OBJECT.replace("[uncertain]", 'components = "all"\n[uncertain]'))
    with pytest.warns(rs.RocksteadyWarning, match="used as a horizontal one"):
        found = rs.analysis.assess(path)
    said = next(text for text in found.warnings if "used as a horizontal one" in text)
    assert "event-UP" in said and said in found.summary()["warnings"]
    page = report_html(found, DAY)
    assert html.escape(said) in page
    assert "1 of 2 motions are vertical components" in page
    assert "The motions have no vertical component" not in page


def test_checks_by_code_print_them():
    with pytest.warns(rs.RocksteadyWarning, match="is a vertical component"):
        found = compare(BLOCK, Eurocode8(ag=2.0, soil="B"), motions=[UP], levels=3)
    assert "used as a horizontal one" in found.warnings[0]
    assert f"- Warning: {found.warnings[0]}" in found.markdown()


def test_stones_print_them(tmp_path, rocksteady):
    with pytest.warns(rs.RocksteadyWarning, match="is a vertical component"):
        found = rs.analysis.examine(rs.Assembly.drums(2, 2.0, 0.5), UP)
    assert found.summary()["warnings"] == list(found.warnings)
    page = found.report(tmp_path / "stones.html").read_text()
    assert f'<p class="warn">{html.escape(found.warnings[0])}</p>' in page


def test_answers_of_the_studio_have_them(records):
    """Of every run its own, and in the whole answer those of reading."""
    case = {"body": {"kind": "Block", "height": 1.8, "width": 0.5}, "until": 1.0}
    asked = {**case, "motion": {"file": "records/event-UP.AT2"}}
    message = b"rocksteady.studio.answers.simulate:answer\n" + json.dumps(asked).encode()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kind, content = worker._answered(records.parent, message)
    assert kind == worker.ANSWER, content
    assert "event-UP is a vertical component" in json.loads(content)["runs"][0]["warnings"][0]
