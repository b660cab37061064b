"""What a report says, against what follows from the inputs by hand."""

import dataclasses
import datetime
import math
import re

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis import codes
from rocksteady.analysis.assessment.build import _checks, _uncertainty
from rocksteady.analysis.assessment.facts import facts, lift_off
from rocksteady.analysis.assessment.limits import limits
from rocksteady.analysis.assessment.tables import Printed, codes_table, round_levels
from rocksteady.analysis.assessment.words import LN_RATE, LN_RATIO
from rocksteady.analysis.codes.result import Check, Line
from rocksteady.analysis.hazard import Hazard
from rocksteady.analysis.hazard.words import percent
from rocksteady.ensembles.labels import PGV
from rocksteady.motion.code_spectra import Eurocode8
from rocksteady.specs.assessment import AssessmentSpec, ObjectSpec
from rocksteady.view.report.figures import figures
from rocksteady.view.report.page import report_html

G, STANDARD = 9.81, 9.80665
PULSE = {"pulse": "sine,a=0.3g,T=0.8"}
SAID = {
    "name": "Block",
    "levels": 5,
    "object": {"height": 1.2, "width": 0.3},
    "motions": [PULSE, {"pulse": "ricker,a=0.2g,T=1.2"}, {"pulse": "sine,a=0.1g,T=1.6"}],
    "uncertain": {"samples": 8},
    "hazard": {"levels": [0.2, 0.4, 0.8, 1.6, 3.2], "rates": [1e-2, 3e-3, 6e-4, 1e-4, 1e-5]},
    "codes": {"spectrum": {"kind": "EC8", "ag": 0.15, "soil": "B"}, "use": ["ec8"]},
}
EARLY = SAID | {
    "object": {"preset": "parapet"},
    "hazard": {"measure": "pgv", "levels": [0.001, 0.002], "rates": [0.1, 0.05]},
    "codes": SAID["codes"] | {"match": False},
}


@pytest.fixture(scope="module")
def found():
    return rs.analysis.assess(AssessmentSpec.checked(SAID))


@pytest.fixture(scope="module")
def early():
    return rs.analysis.assess(AssessmentSpec.checked(EARLY))


# -- the head --------------------------------------------------------------------------------------


def test_the_answer_is_the_risk_with_what_lies_beside_it(found):
    assert found.answer == found.risk.sentence and found.assumed == ""
    told = found.beside
    assert told[0].startswith("The interval (90 %) accounts for the number of motions only")
    assert told[1] == found.spread and found.fragility.sentence in told
    plain = dataclasses.replace(found, risk=None, hazard=None, codes=None)
    assert plain.answer == found.fragility.sentence
    assert dataclasses.replace(found, risk=None).risk_sentences == []
    assert not any("The interval" in text for text in plain.beside) and plain.risk_sentences == []


def test_without_a_hazard_no_rate_is_given(found):
    """Only ratios, and the sentences say of what."""
    bare = dataclasses.replace(found, risk=None, hazard=None)
    assert "No hazard curve was given" in bare.assumed_hazard and found.assumed_hazard == ""
    assert bare.assumed_hazard in bare.beside or "halves" not in bare.measures_sentences[0]
    helps, told = bare.summary()["measures"], found.summary()["measures"]
    assert "rate_per_year" not in helps
    for ratios, rates in zip(helps["tried"], told["tried"], strict=True):
        assert not [name for name in ratios if "per_year" in name]
        assert ratios["rates_of_present"] == pytest.approx(
            [rate / told["rate_per_year"] for rate in rates["rates_per_year"]]
        )


def test_a_bound_has_no_interval(early):
    assert not any("The interval" in text for text in early.beside)


def test_runs_that_show_no_effect_of_the_tolerances_do_not_deny_it(found):
    same = dataclasses.replace(
        found.uncertainty, sample=np.full_like(found.uncertainty.sample, found.uncertainty.nominal)
    )
    assert dataclasses.replace(found, uncertainty=same).spread == ""


def test_the_loss_is_told_as_the_theory_has_it(found):
    for how, said in (
        (rs.NumericalDissipation(), "An impact keeps what follows from NumericalDissipation"),
        (rs.Housner(eta=0.8), "η = 0.8 was given"),
        (rs.Housner(), "follows from the shape"),
    ):
        assert said in dataclasses.replace(found, formulation=how).theory[1]
    assert rs.Housner(eta=0.8).keeps_at_impact(found.block).startswith("η = 0.8 of")


def test_how_far_the_probability_moves_with_the_body(found):
    """By hand: p = 1 − exp(−rate e^(end − nominal) years) at both ends of the logarithm of the
    rate."""
    low, high = (
        -math.expm1(-found.risk.rate * math.exp(end - found.uncertainty.nominal) * found.risk.years)
        for end in found.uncertainty.interval()
    )
    assert low < found.risk.probability < high
    assert f"the probability is {percent(low, '')} to {percent(high)} in nine" in found.spread
    nothing = dataclasses.replace(found.risk, rate=0.0)
    for other in ({"risk": None}, {"uncertainty": None}, {"risk": nothing}):
        assert dataclasses.replace(found, **other).spread == ""


def test_of_an_assumed_hazard_only_ratios_are_used(found):
    """A hazard of ten times the rates gives the same sample; one that was given, ten times it."""
    how = {"samples": 2, "motions": 3, "levels": 5, "progress": False}
    for assumed, more in ((True, 0.0), (False, math.log(10))):
        one, ten = (
            _uncertainty(found.stripes, Hazard.power(0.1, rate, 2.5), {}, assumed, **how)[0]
            for rate in (0.01, 0.1)
        )
        np.testing.assert_allclose(ten.sample - one.sample, more, atol=1e-9)
        assert ten.nominal - one.nominal == pytest.approx(more, abs=1e-9)
        assert one.outcome == (LN_RATIO if assumed else LN_RATE)


def test_without_a_rate_the_median_is_asked_and_a_bound_is_told(early, found):
    assert early.risk.rate == 0 and "at most" in early.answer
    assert "median" in early.uncertainty.outcome and early.spread == ""
    assert found.uncertainty.outcome == "the logarithm of the yearly rate"


def test_a_parapet_can_only_be_made_thicker(early, found):
    assert [one.what for one in early.measures.tried] == ["width"]
    assert len(found.measures.tried) == 3
    assert early.answer.endswith(early.assumed) and "free to rock" in early.assumed
    assert any("façade or parapet" in text for text in early.limits)
    assert not any("façade or parapet" in text for text in found.limits)


# -- warnings --------------------------------------------------------------------------------------


def test_three_motions_are_few_and_nothing_else_is_wrong(found):
    assert len(found.warnings) == 1 and found.warnings[0].startswith("Only 3 independent motions")


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "1 file could not be read: 0.txt."),
        (5, "5 files could not be read: 0.txt, 1.txt, 2.txt, 3.txt, 4.txt."),
        (6, "6 files could not be read: 0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 1 more."),
    ],
)
def test_files_that_could_not_be_read_are_named(found, count, words):
    skipped = {f"{i}.txt": "no record" for i in range(count)}
    assert dataclasses.replace(found, skipped=skipped).warnings[0] == words


def test_weak_records_are_counted(found):
    """Below 0.01 g what a record has is mostly noise; a generated motion has none."""
    record = rs.Motion(np.array([0.0, 0.0099 * STANDARD]), 0.01, meta={"format": "AT2"})
    strong = rs.Motion(np.array([0.0, 0.0101 * STANDARD]), 0.01, meta={"format": "AT2"})
    generated = rs.Motion(np.array([0.0, 0.001]), 0.01)
    said = dataclasses.replace(found, motions=(record, strong, generated)).warnings[0]
    assert said.startswith("1 of 2 records have a peak below 0.01 g")
    assert len(dataclasses.replace(found, motions=(strong, generated)).warnings) == 1


def test_sizes_and_levels_in_other_units_are_suspected(found):
    tall = dataclasses.replace(found, block=rs.Block(180.0, 50.0))
    assert "The body is 180 m high. Sizes are in metres." in tall.warnings
    in_percent = Hazard([5.0, 10.0], [0.1, 0.01])
    said = "The hazard curve begins at 5 g. Levels are in g, not in per cent."
    assert said in dataclasses.replace(found, hazard=in_percent).warnings
    fast = dataclasses.replace(in_percent, measure=PGV)
    for hazard in (fast, None, Hazard([1.0, 10.0], [0.1, 0.01])):
        assert said.split()[-1] not in " ".join(dataclasses.replace(found, hazard=hazard).warnings)


# -- object, place, motions ------------------------------------------------------------------------


def test_the_body_in_numbers():
    block = rs.Block(height=1.2, width=0.3)
    assert lift_off(block) == pytest.approx(0.25 * G / STANDARD, rel=1e-12)
    assert lift_off(rs.Block(1.2, 0.3, g=1.62)) == pytest.approx(0.25 * 1.62 / STANDARD, rel=1e-12)
    said = ObjectSpec(height=1.2, width=0.3)
    origins = {fact.words: fact.origin for fact in facts(said, block)}
    assert origins["mass"].startswith("from 2600 kg/m³") and origins["height"] == "given"
    weighed = ObjectSpec(height=1.2, width=0.3, mass=500.0)
    origins = {fact.words: fact.origin for fact in facts(weighed, weighed.build())}
    assert origins["mass"] == "given" and origins["width of the base"] == "given"
    boxed = ObjectSpec(p=3.0, alpha=0.25)
    assert {fact.origin for fact in facts(boxed, boxed.build())[:3]} == {
        "the box with the given p and α"
    }


def test_how_much_the_floor_amplifies_is_told(found):
    """A motion that does not move has no ratio."""
    floor = rs.Floor(period=0.4, storeys=3, level=2)
    still = rs.Motion(np.zeros(10), 0.01)
    there = dataclasses.replace(found, floor=floor, motions=(*found.motions, still))
    ratios = [floor.motion(motion).pga / motion.pga for motion in found.motions]
    low, middle, high = np.percentile(ratios, [16, 50, 84])
    assert f"is {middle:.2f} times" in there.place[1]
    assert f"16 to 84 %: {low:.2f} to {high:.2f}" in there.place[1]
    assert found.place == ["It stands on the ground, which moves as the motions say."]
    assert any(text.startswith("The building stays elastic") for text in there.limits)
    assert not any(text.startswith("The building stays elastic") for text in found.limits)


def test_the_loss_that_was_given_is_told(found):
    for theory, words in ((rs.Housner(eta=0.9), "η = 0.9 was given"),
                          (rs.Housner(r=0.8), "r = 0.8 was given"),
                          (rs.Housner(), "it was not measured")):  # fmt: skip
        assert words in dataclasses.replace(found, formulation=theory).theory[1]


def test_the_motions_in_numbers(found):
    text = found.motions_sentences[0]
    assert text.startswith("3 motions, each scaled to 5 strengths from PGA ")
    peaks = [motion.pga / STANDARD for motion in found.motions]
    assert f"peak accelerations are {min(peaks):.2g} to {max(peaks):.2g} g" in text
    alike = dataclasses.replace(found.stripes, clusters=np.array([0, 0, 1]))
    curves = dataclasses.replace(found.fragility, stripes=alike)
    assert (
        "3 motions, 2 of them independent"
        in (dataclasses.replace(found, fragility=curves).motions_sentences[0])
    )


@pytest.mark.parametrize(
    ("motions", "left_out", "words"),
    [
        ([{}], False, "The motions have no vertical component."),
        ([{}], True, "The runs have no vertical component: those of the records were left out."),
        ([{}, {"vertical": [0.0, 0.5]}], False, "1 of 2 motions have a vertical component"),
        ([{}, {"meta": {"component": "UP"}}], True, "1 of 2 motions are vertical components"),
    ],
)
def test_vertical_shaking_is_told_as_it_is(motions, left_out, words):
    every = [rs.Motion([0.0, 1.0], 0.01, **options) for options in motions]
    told = limits(
        rs.Block(1.8, 0.5), rs.Housner(), motions=every, left_out=left_out, generated=False,
        on_a_floor=False, masonry=False,
    )  # fmt: skip
    assert len([text for text in told if "vertical" in text]) == 1
    assert any(text.startswith(words) for text in told)


def test_limits_of_the_body_are_told_where_they_are_met():
    def told(block, how, **given):
        options = {"motions": (), "left_out": False, "generated": False, "on_a_floor": False}
        return " ".join(limits(block, how, **options | {"masonry": False} | given))

    slender, stocky = rs.Block(2.01, 1.0), rs.Block(1.9, 1.0)
    assert "The body is stocky (h/b = 1.9)" in told(stocky, rs.Housner())
    assert "stocky" not in told(slender, rs.Housner())
    assert f"tan α = {1 / 2.01:.2g}" in told(slender, rs.Housner())
    assert "Friction is taken" not in told(slender, rs.Nonsmooth(epsilon=0.9, friction=0.5))
    assert "firm ground" in told(slender, rs.Housner(), generated=True)
    assert "firm ground" not in told(slender, rs.Housner())


def test_only_generated_motions_are_those_of_firm_ground(found):
    assert not any("firm ground" in text for text in found.limits)
    generated = AssessmentSpec.checked(SAID | {"motions": [{"stochastic": {"count": 2}}]})
    said = found.said.model_copy(update={"motions": [*found.said.motions, *generated.motions]})
    assert any("firm ground" in text for text in dataclasses.replace(found, said=said).limits)


# -- tables and codes ------------------------------------------------------------------------------


def test_round_strengths_where_there_are_many():
    """Forty round numbers in five decades: every fourth."""
    expected = [0.001, 0.004, 0.01, 0.04, 0.1, 0.4, 1, 4, 10, 40]
    assert round_levels(1e-3, 90.0) == expected
    assert round_levels(1e-3, 90.0, [0.7]) == sorted([*expected, 0.7])
    assert round_levels(1.01, 1.02) == []


def test_the_strength_of_the_code_is_among_the_round_ones(found, early):
    """a_g S = 0.15 · 1.2 in g of the site; levels are in 9.80665 m/s². Not among velocities."""
    wanted = 0.15 * 1.2 * found.block.g / STANDARD
    assert np.isclose(found.at_round.levels, wanted, rtol=1e-9).any()
    assert not np.isclose(early.at_round.levels, wanted, rtol=1e-3).any()


def test_codes_are_put_beside_each_other_by_their_ratio(found):
    table = codes_table(found.codes)
    for row, cells in zip(found.codes.rows, table.rows, strict=True):
        ratio = row.bears / row.required
        assert cells[2] == ("–" if math.isnan(ratio) else f"{ratio:.2f}")
    ours = codes.compare(found.block, Eurocode8(ag=0.25 * G, soil="B"))
    cells = {(row[0], row[3]): row for row in codes_table(ours).rows}
    row = cells["Circolare 2019, kinematic", "SLV, linear, q = 2"]
    assert float(row[2]) == pytest.approx(ours["circolare"].limits[1].bears / 0.25, abs=0.006)
    verdicts = {key: row[4] for key, row in cells.items()}
    borne = ours["circolare"].limit("SLV, nonlinear").bears
    assert borne < 0.25 and verdicts["Circolare 2019, kinematic", "SLV, nonlinear"] == (
        "not satisfied"
    )
    assert verdicts["Circolare 2019, kinematic", "SLC, nonlinear"] == "–"


def test_a_check_without_a_limit_is_a_comparison():
    check = Check("fema", "FEMA P-58", "FEMA P-58", "a block", (), ())
    assert Printed.of(check).sentence == "A comparison, not a verification."
    parapet = codes.check(rs.Block(1.2, 0.25), Eurocode8(ag=2.0, soil="B"))
    assert Printed.of(parapet).sentence == " ".join(one.sentence for one in parapet.limits)


def test_motions_stand_for_the_spectrum_unless_they_are_said_to_as_they_are(found, early):
    assert found.matched and not early.matched
    assert "each motion is scaled to the code's" in found.codes_sentences[1]
    assert early.codes_sentences[1] == "a_g is that on rock."
    said = AssessmentSpec.checked(SAID)
    assert _checks(said, G)["match"] is True and _checks(said, G)["use"] == ["ec8"]
    assert _checks(AssessmentSpec.checked(EARLY), G)["match"] is False
    bare = SAID | {"object": {"preset": "vase"}, "codes": {"spectrum": SAID["codes"]["spectrum"]}}
    assert _checks(AssessmentSpec.checked(bare), G)["use"] == ["ec8", "asce43"]


def test_the_hazard_is_named(found):
    assert any("Hazard: given in the file." in text for text in found.risk_sentences)
    named = dataclasses.replace(found.hazard, name="Rieti, 2016.")
    told = dataclasses.replace(found, hazard=named).risk_sentences
    assert "Hazard: Rieti, 2016." in told


# -- the page --------------------------------------------------------------------------------------


def test_figures_are_those_of_what_was_computed(found):
    assert {"object", "fragility", "measures", "risk", "uncertainty"} == set(figures(found))
    modes = rs.Floor.of_modes([0.4], [1.2])
    bare = {"risk": None, "hazard": None, "uncertainty": None, "codes": None, "floor": modes}
    assert set(figures(dataclasses.replace(found, **bare))) == {"object", "fragility", "measures"}


def test_the_day_is_today_unless_another_is_given(found):
    bare = dataclasses.replace(found, uncertainty=None, why_not_uncertain="no", codes=None)
    today = datetime.date.today()
    assert f"{today.day} {today:%B %Y}" in report_html(bare)
    page = report_html(bare, datetime.date(2001, 2, 3))
    assert "3 February 2001" in page and not re.search(rf"{today:%B %Y}", page)


def test_files_and_motions_are_told_apart_by_their_hashes(found, tmp_path):
    (tmp_path / "object.toml").write_text(
        'name = "x"\n[object]\npreset = "statue"\n[hazard]\nfile = "site.csv"\n'
    )
    (tmp_path / "site.csv").write_text("pga [g],rate [1/year]\n0.1,0.01\n0.2,0.001\n")
    read = rs.analysis.assessment.read_assessment(tmp_path / "object.toml")
    assert [name for name, _ in read.files] == ["object.toml", "site.csv"]
    (tmp_path / "object.toml").write_text('name = "x"\n[object]\npreset = "statue"\n')
    read = rs.analysis.assessment.read_assessment(tmp_path / "object.toml")
    assert [name for name, _ in read.files] == ["object.toml"]
    assert found.files == []


@pytest.mark.parametrize(("count", "left_out"), [(12, 0), (13, 1), (20, 8)])
def test_of_many_motions_those_in_which_it_goes_farthest_are_printed(count, left_out):
    """Twelve of them, in the order of the motions, among all other lines: d_0 is of the body."""
    d = [float(7 * i % count) for i in range(1, count + 1)]
    each = [Line(f"d_{i}", "", x, "m", "C", "") for i, x in enumerate(d, 1)]
    check = Check("h", "T", "T", "b", (Line("d_0", "", 0.5, "m", "C", "A"), *each,
                                       Line("mean d", "", 1.0, "m", "C", "B")), ())  # fmt: skip
    printed = Printed.of(check)
    kept = [i for i, x in enumerate(d, 1) if sum(y > x for y in d) < 12]
    symbols = [line.symbol for line in printed.lines]
    assert symbols == ["d_0", *(f"d_{i}" for i in kept), "mean d"]
    assert bool(printed.notes) is (left_out > 0)
    assert not left_out or f"printed; {left_out} more are in" in printed.notes[0]
