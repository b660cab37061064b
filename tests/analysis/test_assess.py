"""`rs.analysis.assess`: one object, one file, one report."""

import datetime
import json
import math
import re
import shutil
import subprocess
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

import rocksteady as rs
from rocksteady.analysis.assessment import example, read_assessment
from rocksteady.analysis.assessment.tables import hazard_table, round_levels
from rocksteady.analysis.hazard import Hazard
from rocksteady.bodies.presets import PRESETS
from rocksteady.errors import InputError
from rocksteady.specs.assessment import AssessmentSpec, ObjectSpec
from rocksteady.view.report import figures
from rocksteady.view.report.page import report_html

DAY = datetime.date(2026, 11, 16)
HOSTILE = '<script>alert(1)</script> & "Apollo"'
QUICK = """
name = '<script>alert(1)</script> & "Apollo"'
levels = 10

[object]
preset = "statue"
height = 1.8
width = 0.5

[floor]
storeys = 3
period = 0.4
level = 2

[hazard]
levels = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6]
rates = [0.04, 0.013, 0.0033, 0.00065, 0.0001, 0.000012]

[[motions]]
stochastic = { count = 24, seed = 3 }

[uncertain]
samples = 8

[codes]
spectrum = { kind = "EC8", ag = 0.15, soil = "B" }

[report]
author = "A. <b>Nobody</b>"
"""
PAGE_HEIGHT = 297 - 17 - 18  # mm: A4 less the margins of the report
TEXT_WIDTH = 210 - 16 - 16


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    path = tmp_path_factory.mktemp("assess") / "object.toml"
    path.write_text(QUICK, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def found(described):
    return rs.analysis.assess(described)


@pytest.fixture(scope="module")
def page(found):
    return report_html(found, DAY)


# -- the numbers are those of the functions it calls --------------------------------------------


def test_risk_and_shares_are_those_of_the_functions(found, described):
    said = read_assessment(described).said
    motions = list(said.motions[0].motions(described.parent).values())
    runs = rs.analysis.stripes.stripes(
        rs.Block(1.8, 0.5, density=1600, com_height=0.936),
        motions,
        levels=10,
        floor=rs.Floor(period=0.4, storeys=3, level=2),
        progress=False,
    )
    assert (runs.fell == found.stripes.fell).all()
    hazard = Hazard(said.hazard.levels, said.hazard.rates)
    assert found.risk.rate == rs.analysis.risk(runs, hazard).rate
    assert found.answer == found.risk.sentence


def test_every_number_of_the_object_has_an_origin(found):
    origins = {fact.words: fact.origin for fact in found.facts}
    assert origins["height"] == "given"
    assert origins["height of the centre of mass"] == "typical of a statue, not given"
    assert all(origins.values())


def test_the_summary_is_plain_json(found):
    again = json.loads(json.dumps(found.summary()))
    assert again["sha256"] == found.digest
    assert len(again["motions"]) == 24


def test_other_inputs_have_another_digest(found, described):
    changed = described.with_name("other.toml")
    changed.write_text(QUICK.replace("width = 0.5", "width = 0.51"), encoding="utf-8")
    assert rs.analysis.assess(changed).digest != found.digest


def test_without_a_hazard_it_speaks_of_shares(described):
    start, rest = QUICK.split("[hazard]")
    plain = described.with_name("plain.toml")
    plain.write_text(start + "[[motions]]" + rest.split("[[motions]]")[1], encoding="utf-8")
    apart = rs.analysis.assess(plain)
    assert apart.risk is None
    assert apart.answer == apart.fragility.sentence
    assert any("No hazard curve was given" in text for text in apart.measures_sentences)
    assert "over that of the body as computed" in apart.uncertainty.outcome
    assert "No hazard curve was given" in report_html(apart, DAY)


def test_no_verdict_from_a_standard_that_was_not_read(found, page):
    """Not in the headline, not in print, not in JSON: only the Circolare's text was read."""
    assert {check.code for check in found.codes.checks} >= {"circolare", "ec8", "asce43"}
    assert "satisfied" in " ".join(found.beside)
    for line in (" ".join(found.beside).split("By code: ")[1]).rstrip(".").split("; "):
        assert line.startswith("Circolare")
    for row in re.findall(r"<tr>(.*?)</tr>", page):
        assert "satisfied" not in row or "Circolare" in row
    for title, words in re.findall(r"<h3>(.*?)</h3>\s*<p[^>]*>(.*?)</p>", page):
        assert ("satisfied" in words) is ("Circolare" in title), title
        assert ("no verdict, since we do not have the text" in words) is ("After" in title)
    for check in found.summary()["codes"]["checks"]:
        assert (check["satisfied"] is None) is (check["code"] in ("ec8", "asce43"))


# -- the report -----------------------------------------------------------------------------------


def test_same_inputs_same_bytes(found, page, described):
    assert report_html(rs.analysis.assess(described), DAY) == page


def test_only_the_date_differs(found, page):
    other = report_html(found, DAY + datetime.timedelta(days=1))
    lines = zip(page.splitlines(), other.splitlines(), strict=True)
    different = [a for a, b in lines if a != b]
    assert len(different) == 1
    assert "16 November 2026" in different[0]


def test_no_reference_to_any_host(page):
    assert not re.search(r"https?:|//[a-z]|url\(['\"]?[^#'\")]", page)


def test_hostile_names_are_escaped(page):
    assert "<script" not in page
    assert "<b>Nobody" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; " in page


class Tags(HTMLParser):
    """Checks that every element that is opened is closed, and keeps identities and references."""

    void = {"meta", "br", "hr", "img", "link", "input"}

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.refs = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.void:
            self.open.append(tag)
        self._look(attrs)

    def handle_startendtag(self, tag, attrs):
        self._look(attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def _look(self, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name == "href" and value.startswith("#"):
                self.refs.append(value[1:])
            self.refs += re.findall(r"url\(#([^)]+)\)", value or "")


def test_the_page_is_well_formed_and_its_figures_refer_to_their_own_parts(page):
    tags = Tags()
    tags.feed(page)
    assert not tags.open
    assert len(tags.ids) == len(set(tags.ids))
    assert set(tags.refs) <= set(tags.ids)


def test_no_figure_is_taller_than_a_page(page):
    boxes = re.findall(r'<svg[^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"', page)
    assert len(boxes) >= 6
    for width, height in boxes:
        assert TEXT_WIDTH * float(height) / float(width) < PAGE_HEIGHT - 20  # room for a caption


@pytest.mark.skipif(not shutil.which("chromium"), reason="there is no Chromium here")
def test_it_prints_on_at_most_twelve_pages(page, tmp_path):
    (tmp_path / "report.html").write_text(page, encoding="utf-8")
    call = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    call += ["--no-pdf-header-footer", "--print-to-pdf=report.pdf", "report.html"]
    run = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert "CONSOLE" not in run.stderr, run.stderr
    pages = re.findall(rb"/Type\s*/Page[^s]", (tmp_path / "report.pdf").read_bytes())
    assert 4 <= len(pages) <= 12


# -- files ----------------------------------------------------------------------------------------


def test_the_example_can_be_read_and_names_every_table(tmp_path):
    path = tmp_path / "object.toml"
    path.write_text(example(), encoding="utf-8")
    said = read_assessment(path).said
    assert said.object.preset == "statue"
    for name in AssessmentSpec.model_fields:
        assert re.search(rf"(^|# ?)(\[+{name}\]+|{name} =)", example(), re.MULTILINE) or name in (
            "levels",
            "store",
        ), name


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_bodies_as_they_are(preset):
    block = ObjectSpec(preset=preset).build()
    assert 0.05 < block.alpha < 0.4
    assert ObjectSpec(preset=preset, mass=10.0).build().mass == 10.0


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("name = 'x'\n[object]\npreset = 'status'\n", "object.preset"),
        ("name = 'x'\n[object]\nheight = 1.8\n", "lacks"),
        ("name = 'x'\n[object]\npreset = 'statue'\n[hazard]\nfile = 'none.csv'\n", "none.csv"),
        ("name = 'x'\n[object]\npreset = 'statue'\n[hazrd]\n", "hazrd"),
        ("name = 'x'\n[object]\npreset = 'statue'\np = 2.0\nalpha = 0.2\n", "preset"),
        ("[object]\npreset = 'statue'\n", "name"),
        ("name = 'x'\n[object]\nstructure = 'drums'\ncount = 3\n", "rocksteady assembly report"),
        ("name = 'x'\n[object]\nkind = 'Assembly'\nfile = 'a.json'\n", "rs.analysis.examine"),
    ],
)
def test_errors_name_file_and_key(tmp_path, wrong, says):
    path = tmp_path / "wrong.toml"
    path.write_text(wrong, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(says)) as error:
        rs.analysis.assess(path)
    assert "wrong.toml" in str(error.value)


@pytest.mark.parametrize("what", ["wall.json", "wall.dxf", rs.Assembly.drums(3, 3.0, 0.5)])
def test_stones_are_sent_to_their_own_report(what):
    with pytest.raises(InputError, match="rocksteady assembly report") as error:
        rs.analysis.assess(what)
    assert "fragility says how likely" in str(error.value)


def test_a_stopped_assessment_resumes(described, tmp_path, found):
    class StopError(Exception):
        pass

    def stop(what):
        def report(done, total):
            if what.startswith("Trying") and done:
                raise StopError

        return report

    with pytest.raises(StopError):
        rs.analysis.assess(described, store=tmp_path / "runs", working=stop)
    assert list((tmp_path / "runs").glob("*/shares/manifest.json"))
    begun = {}

    def watch(what):
        def report(done, total):
            begun.setdefault(what, done)

        return report

    again = rs.analysis.assess(described, store=tmp_path / "runs", working=watch)
    assert begun["Shaking the object"] == found.stripes.peak.size  # all were there already
    assert math.isclose(again.risk.rate, found.risk.rate, rel_tol=0)


def test_a_power_law_is_printed_at_the_usual_return_periods():
    rows = hazard_table(Hazard.power(level=0.25, rate=1 / 475, k=2.5)).rows
    assert rows[2] == ["0.25", "0.00211", "475"]
    assert math.isclose(float(rows[4][0]), 0.25 * (2475 / 475) ** 0.4, rel_tol=1e-3)


def test_round_strengths_are_few_and_include_what_is_asked():
    assert round_levels(0.25, 2.1, [0.29]) == [0.29, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 2.0]
    assert len(round_levels(1e-3, 90.0)) <= 12


@pytest.mark.parametrize(
    ("floor", "options"),
    [
        (None, {}),
        (rs.Floor.of_modes([0.5], [1.2]), {}),  # nobody said where in which building
        (rs.Floor(period=0.5, storeys=4, level=3), {"storeys": 4, "level": 3}),
    ],
)
def test_the_building_is_drawn_where_it_is_known(floor, options, monkeypatch):
    drawn = []
    monkeypatch.setattr(figures, "plot_object", lambda block, **given: drawn.append(given))
    figures._object(SimpleNamespace(floor=floor, block=rs.Block(1.8, 0.5)))
    assert drawn == [options]
