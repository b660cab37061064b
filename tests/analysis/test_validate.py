"""A theory against tests: SciPy's numbers, error rates as claimed, and tables read."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math

import numpy as np
import pandas
import pytest
from scipy import stats

import rocksteady as rs
from rocksteady.analysis.measured_tests import measured_in, read_tests
from rocksteady.analysis.statistics import OVERTURNED, compare_outcomes, compare_peaks, peaks
from rocksteady.analysis.statistics.outcomes import Confusion

BLOCK = rs.Block(height=1.2, width=0.25)


def within(share: float, rate: float, n: int) -> bool:
    """Whether a share of n trials is what a rate gives, up to three and a half deviations."""
    return abs(share - rate) < 3.5 * math.sqrt(rate * (1 - rate) / n)


# -- distributions ---------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:ks_2samp:RuntimeWarning")
@pytest.mark.parametrize(("n", "m"), [(5, 5), (12, 40), (200, 150)])
def test_gap_and_p_value_are_those_of_scipy(n: int, m: int) -> None:
    rng = np.random.default_rng(n)
    one = np.where(rng.random(n) < 0.3, OVERTURNED, rng.random(n))  # with ties, as of falls
    two = np.where(rng.random(m) < 0.4, OVERTURNED, rng.random(m) ** 1.3)
    found = compare_peaks(one, two, paired=False)
    theirs = stats.ks_2samp(one, two)
    assert (found.gap, found.p_value) == (theirs.statistic, theirs.pvalue)
    assert found.paired_p_value is None and found.chance == found.p_value


def test_noticeable_gap_is_where_p_is_five_per_cent() -> None:
    found = compare_peaks(np.linspace(0, 1, 400), np.linspace(0, 1, 300), paired=False)
    n = 400 * 300 / 700
    assert stats.kstwobign.sf(math.sqrt(n) * found.noticeable) == pytest.approx(0.05, abs=2e-4)


def test_swaps_of_a_few_pairs_are_all_counted() -> None:
    """Three pairs: eight swaps, counted here one by one."""
    one, two = np.array([0.1, 0.3, 0.7]), np.array([0.2, 0.6, 0.9])
    gap = stats.ks_2samp(one, two).statistic
    gaps = []
    for swap in itertools.product((False, True), repeat=3):
        a, b = np.where(swap, two, one), np.where(swap, one, two)
        gaps.append(stats.ks_2samp(a, b).statistic)
    expected = np.mean(np.array(gaps) >= gap - 1e-12)
    assert compare_peaks(one, two).paired_p_value == pytest.approx(expected)


@pytest.fixture
def fewer_swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peaks, "SWAPS", 199)


@pytest.mark.parametrize("draws", [1, 7])
def test_a_right_theory_is_rejected_at_the_nominal_rate(fewer_swaps: None, draws: int) -> None:
    """Seen and predicted are draws of one law under each motion, alike because the motion is. By
    swaps 5 % are rejected; the test for independent samples rejects hardly any, so that a wrong
    theory would pass it, too."""
    rng, by_swaps, usual, trials = np.random.default_rng(4), 0, 0, 400
    for _ in range(trials):
        motion = rng.normal(size=(20, 1))
        every = np.exp(0.8 * motion + 0.3 * rng.normal(size=(20, 1 + draws)))
        found = compare_peaks(every[:, 0], every[:, 1:])
        by_swaps += found.rejected
        usual += found.p_value < 0.05
    assert within(by_swaps / trials, 0.05, trials)
    assert usual / trials < 0.02


@pytest.mark.parametrize("draws", [1, 7])
def test_a_wrong_theory_is_rejected(fewer_swaps: None, draws: int) -> None:
    rng, rejected, usual = np.random.default_rng(5), 0, 0
    for _ in range(60):
        motion = rng.normal(size=(40, 1))
        every = np.exp(0.8 * motion + 0.3 * rng.normal(size=(40, 1 + draws)))
        found = compare_peaks(every[:, 0], 1.5 * every[:, 1:])
        rejected += found.rejected
        usual += found.p_value < 0.05
    assert rejected > 54 > usual


def test_what_swaps_would_have_noticed() -> None:
    """A gap beyond the noticeable one has p below 0.05, and one below it has not."""
    rng = np.random.default_rng(12)
    for _ in range(40):
        motion = rng.normal(size=(25, 1))
        every = np.exp(motion + 0.3 * rng.normal(size=(25, 4)))
        found = compare_peaks(every[:, 0], rng.uniform(1.0, 1.6) * every[:, 1:])
        if abs(found.gap - found.noticeable) > 1e-9:
            assert (found.gap > found.noticeable) == (found.chance < 0.05)
        assert found.noticeable < compare_peaks(every[:, 0], every[:, 1], paired=False).noticeable


def test_tests_under_one_motion_change_places_together(fewer_swaps: None) -> None:
    """Eight motions, five tests each, whose errors they share: counted one by one a right theory is
    rejected far too often."""
    rng, together, apart, trials = np.random.default_rng(6), 0, 0, 250
    motion = np.repeat(np.arange(8), 5)
    for _ in range(trials):
        shared = 0.5 * rng.normal(size=(8, 2))[motion]
        seen, said = np.exp(shared + 0.1 * rng.normal(size=(40, 2))).T
        together += compare_peaks(seen, said, clusters=motion).rejected
        apart += compare_peaks(seen, said).rejected
    assert together / trials < 0.05 + 3.5 * math.sqrt(0.05 * 0.95 / trials)
    assert apart / trials > 0.25


def test_the_words_say_what_the_numbers_do() -> None:
    rng = np.random.default_rng(7)
    seen = rng.random(100)
    far = compare_peaks(seen, seen**0.4, paired=False)
    assert far.rejected and "differ" in far.sentences[0] and "too far" in far.sentences[0]
    near = compare_peaks(seen, seen**3, paired=False)
    assert "not far enough" in near.sentences[0]
    same = compare_peaks(seen, rng.random(100), paired=False)
    assert not same.rejected and "agree as far as 100 values can tell" in same.sentences[0]
    few = compare_peaks(seen[:6], seen[6:12], paired=False)
    assert "Too few to tell" in few.sentences[0]
    assert same.summary()["p, by swaps"] is None
    json.dumps(far.summary())


def test_bad_samples() -> None:
    with pytest.raises(rs.InputError, match="none of them nan"):
        compare_peaks([0.1, math.nan], [0.1, 0.2])
    with pytest.raises(rs.InputError, match="2 observed and 3 predicted"):
        compare_peaks([0.1, 0.2], [0.1, 0.2, 0.3], paired=True)
    with pytest.raises(rs.InputError, match="one at least"):
        compare_peaks([], [0.1])


# -- yes and no ------------------------------------------------------------------------------------


def test_outcomes_by_hand() -> None:
    seen = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    said = [1, 1, 1, 0, 0, 0, 0, 0, 1, 1]
    found = compare_outcomes(seen, said)
    assert found.confusion == Confusion(3, 1, 2, 4)
    assert found.accuracy == 0.7 and found.commoner == 0.6
    theirs = stats.binomtest(7, 10).proportion_ci(0.90, "exact")
    assert found.accuracy_interval == pytest.approx((theirs.low, theirs.high), rel=1e-10)
    assert found.bias_p_value == pytest.approx(stats.binomtest(1, 3).pvalue)  # McNemar
    assert found.calibration_p_value is None and found.brier == pytest.approx(0.3)
    assert "1 fell though said to stand, 2 stood though said to fall" in found.sentences[1]
    assert "not shown" in found.sentences[0]
    json.dumps(found.summary())


def test_bias_counts_motions() -> None:
    """Errors of one motion have one sign together: against all eight combinations."""
    seen, said = [1, 1, 1, 0, 1, 0, 1], [0, 0, 0, 1, 0, 0, 1]
    motion = [4, 4, 4, 9, 2, 2, 2]
    errors = np.array([3, -1, 1])
    sums = [abs((errors * signs).sum()) for signs in itertools.product((1, -1), repeat=3)]
    expected = np.mean(np.array(sums) >= abs(errors.sum()))
    assert compare_outcomes(seen, said, clusters=motion).bias_p_value == pytest.approx(expected)


def test_bias_of_probabilities_is_exact() -> None:
    """Equal probabilities: SciPy's binomial test. Unequal ones: every outcome, added up."""
    seen = np.array([True] * 9 + [False] * 11)
    found = compare_outcomes(seen, np.full(20, 0.2))
    assert found.bias_p_value == pytest.approx(stats.binomtest(9, 20, 0.2).pvalue)
    assert found.biased and "too few" in found.sentences[1]
    p = np.array([0.1, 0.4, 0.45, 0.8])
    chances = np.zeros(5)
    for falls in itertools.product((0, 1), repeat=4):
        chances[sum(falls)] += np.prod(np.where(falls, p, 1 - p))
    expected = chances[chances <= chances[3] + 1e-12].sum()
    assert compare_outcomes([0, 1, 1, 1], p).bias_p_value == pytest.approx(expected)


def test_true_probabilities_are_rejected_at_the_nominal_rate_and_bold_ones_always() -> None:
    rng, true, bold, trials = np.random.default_rng(8), 0, 0, 1000
    for _ in range(trials):
        p = rng.uniform(0.02, 0.98, 120)
        seen = rng.random(120) < p
        true += compare_outcomes(seen, p).miscalibrated
        sharper = p**3 / (p**3 + (1 - p) ** 3)
        bold += compare_outcomes(seen, sharper).miscalibrated
    assert within(true / trials, 0.05, trials)
    assert bold / trials > 0.95


def test_bins_hold_all_tests() -> None:
    p = np.array([0.0, 0.1, 0.2, 0.55, 0.99, 1.0])
    found = compare_outcomes([0, 0, 1, 1, 1, 1], p)
    assert [each.tests for each in found.bins] == [2, 1, 1, 2]
    assert found.bins[0].predicted == pytest.approx(0.05)
    assert found.bins[-1].interval == pytest.approx(
        tuple(stats.binomtest(2, 2).proportion_ci(0.90, "exact"))
    )


def test_the_impossible_happened() -> None:
    found = compare_outcomes([True, False, True], [0.0, 0.3, 0.6])
    assert found.calibration_p_value == 0.0 and found.miscalibrated


def test_bad_outcomes() -> None:
    with pytest.raises(rs.InputError, match="1 observed and 2 predicted"):
        compare_outcomes([True], [True, False])
    with pytest.raises(rs.InputError, match="neither yes nor no"):
        compare_outcomes([2, 0], [1, 0])
    with pytest.raises(rs.InputError, match=r"probability is 1\.2"):
        compare_outcomes([1, 0], [1.2, 0])
    with pytest.raises(rs.InputError, match="3 labels for 2"):
        compare_outcomes([1, 0], [1, 0], clusters=[1, 2, 3])


# -- tables of tests -------------------------------------------------------------------------------

PULSE = "pulse:sine,a=0.3g,T=0.8"


def test_a_table_is_read(tmp_path) -> None:  # type: ignore[no-untyped-def]
    rs.write_motion(rs.pulses.ricker(amplitude=2.0, period=0.7, dt=0.01), tmp_path / "a.csv")
    text = (
        "# a series of June\n"
        "Test,motion,PGA [g],peak [deg],overturned,remark\n"
        "first,a.csv,0.5,3.0,no,\n"
        ",a.csv,1.0,,YES,fell late\n"
        f'third,"{PULSE}",,1.5,,\n'
    )
    (tmp_path / "tests.csv").write_text(text.replace("Test", "test").replace("PGA", "pga"))
    found = read_tests(tmp_path / "tests.csv")
    assert found.names == ("first", "2", "third")
    assert found.motions[0] is found.motions[1]
    strengths = found.scales * [m.pga for m in found.motions] / 9.80665
    assert strengths == pytest.approx([0.5, 1.0, 0.3])
    assert found.unit == "deg" and found.series == ()
    assert found.peak_over_alpha(BLOCK)[0] == pytest.approx(math.radians(3.0) / BLOCK.alpha)
    assert math.isnan(found.peak[1])
    assert found.fell.tolist() == [False, True, False]
    assert found.known.tolist() == [True, True, False]
    assert found.clusters.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("columns", "row", "words"),
    [
        ("motion,lean", f'"{PULSE}",1', "columns motion, lean.*'peak"),
        ("scale [-],overturned", "1,yes", "needs 'motion'"),
        ("motion,overturned", f'"{PULSE}",perhaps', "test 1, column 'overturned': 'perhaps'"),
        ("motion,peak", f'"{PULSE}",1', r"'peak' must be written 'peak \[-\]'"),
        ("motion,peak [mm]", f'"{PULSE}",1', r"'peak \[mm\]' must be written"),
        ("motion,peak [-]", f'"{PULSE}",much', "test 1, column 'peak': 'much' is not a number"),
        ("motion,peak [-]", f'"{PULSE}",-0.2', "without a sign"),
        ("motion,pga [m/s2],overturned", f'"{PULSE}",3,no', r"must be written 'pga \[g\]'"),
        ("motion,pga [g],scale [-],overturned", f'"{PULSE}",1,1,no', "keep one of them"),
        ("motion,pga [g],overturned", f'"{PULSE}",-1,no', "no factor gives"),
        ("motion,peak [-],overturned", f'"{PULSE}",,', "neither a peak nor an outcome"),
        ("motion,overturned", "nowhere.AT2,no", "test 1: there is no file .*nowhere.AT2"),
        ("motion,overturned", '"pulse:sine,a=1",no', "test 1: "),
        ("motion,overturned", ",no", "has no motion"),
    ],
)
def test_wrong_tables(tmp_path, columns: str, row: str, words: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "tests.csv"
    path.write_text(f"{columns}\n{row}\n")
    with pytest.raises(rs.InputError, match=words):
        read_tests(path)


def test_a_table_without_tests() -> None:
    with pytest.raises(rs.InputError, match="no tests"):
        measured_in(pandas.DataFrame({"motion": [], "overturned": []}))


def test_a_misspelt_column_is_not_left_out_silently():
    table = pandas.DataFrame({"motion": ["a"], "overturned": ["no"], "peaks [-]": [0.2]})
    with pytest.raises(rs.InputError, match="did you mean peak"):
        measured_in(table, {"a": rs.pulses.sine(amplitude=1.0, period=0.5)})


# -- the whole -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def motions() -> dict[str, rs.Motion]:
    made = rs.stochastic.ensemble(30, seed=3)
    strengths = np.linspace(0.25, 1.2, len(made))
    return {
        f"m{i}": motion.scaled_to(pga=9.81 * float(k))
        for i, (motion, k) in enumerate(zip(made, strengths, strict=True))
    }


@pytest.fixture(scope="module")
def table(motions: dict[str, rs.Motion]) -> pandas.DataFrame:
    """Tests whose truth is Housner's block with η = 0.93, under motions 3 % off."""
    rng, rows = np.random.default_rng(2), []
    for name, motion in motions.items():
        off = motion.scaled(float(np.exp(0.03 * rng.normal())))
        run = rs.simulate(BLOCK, off, rs.Housner(eta=0.93))
        fell = run.status == rs.Status.OVERTURNED
        rows.append((name, "" if fell else run.peak, "yes" if fell else "no"))
    return pandas.DataFrame(rows, columns=["motion", "peak [-]", "overturned"])


def test_predictions_are_those_of_simulate(motions, table) -> None:  # type: ignore[no-untyped-def]
    found = rs.analysis.validate(
        BLOCK, table, rs.Housner(eta=0.93), motions=motions, progress=False
    )
    for i, motion in enumerate(motions.values()):
        run = rs.simulate(BLOCK, motion, rs.Housner(eta=0.93))
        fell = run.status == rs.Status.OVERTURNED
        assert found.predicted[i, 0] == pytest.approx(OVERTURNED if fell else run.peak, abs=1e-9)
        assert found.predicted_fell[i, 0] == fell


def test_the_true_theory_stands_and_a_wrong_one_falls(motions, table) -> None:  # type: ignore[no-untyped-def]
    right = rs.analysis.validate(
        BLOCK, table, rs.Housner(eta=0.93), motions=motions, progress=False
    )
    assert not right.rejected and "not rejected" in right.sentences[0]
    assert right.outcomes is not None and right.outcomes.accuracy > 0.8
    wrong = rs.analysis.validate(BLOCK, table, rs.Housner(eta=0.6), motions=motions, progress=False)
    assert wrong.rejected and "rejected. They differ" in wrong.sentences[0]
    assert "not far enough" in wrong.sentences[1]
    assert min(wrong.p_values) * len(wrong.p_values) < 0.05


def test_spread_gives_probabilities(motions, table) -> None:  # type: ignore[no-untyped-def]
    def run(seed: int) -> rs.analysis.statistics.Validation:
        how = {"motions": motions, "spread": 0.03, "draws": 20, "seed": seed, "progress": False}
        return rs.analysis.validate(BLOCK, table, rs.Housner(eta=0.93), **how)

    found = run(1)
    assert found.predicted.shape == (30, 20)
    assert found.outcomes is not None and found.outcomes.graded
    assert found.probability.min() > 0 and found.probability.max() < 1  # (k + ½)/(n + 1)
    assert not found.rejected
    assert (run(1).predicted == found.predicted).all()
    assert (run(2).predicted != found.predicted).any()


def test_several_bodies_are_draws(motions, table) -> None:  # type: ignore[no-untyped-def]
    bodies = [rs.Block(height=1.2, width=width) for width in (0.24, 0.25, 0.26)]
    found = rs.analysis.validate(
        bodies, table, rs.Housner(eta=0.93), motions=motions, progress=False
    )
    alone = rs.analysis.validate(
        BLOCK, table, rs.Housner(eta=0.93), motions=motions, progress=False
    )
    assert found.draws == 3
    assert (found.predicted[:, 1] == alone.predicted[:, 0]).all()


@pytest.mark.slow
def test_error_rates_with_rocking_itself(fewer_swaps: None, motions) -> None:  # type: ignore[no-untyped-def]
    """What was seen is one draw of the true theory, and the prediction 20 others: seldom rejected.
    Against 20 draws with another loss: often."""
    how = {"motions": motions, "spread": 0.05, "progress": False}
    true = rs.analysis.validate(BLOCK, rs.Housner(eta=0.93), rs.Housner(eta=0.93), draws=120, **how)
    other = rs.analysis.validate(BLOCK, rs.Housner(eta=0.93), rs.Housner(eta=0.98), draws=20, **how)

    def rejected(seen: int, predicted: np.ndarray, fell: np.ndarray) -> bool:
        found = dataclasses.replace(
            true,
            observed=true.predicted[:, seen],
            observed_fell=true.predicted_fell[:, seen],
            predicted=predicted,
            predicted_fell=fell,
        )
        return found.rejected

    rng, right, wrong = np.random.default_rng(0), [], []
    for seen in range(100):
        others = rng.permutation([i for i in range(120) if i != seen])[:20]
        right.append(rejected(seen, true.predicted[:, others], true.predicted_fell[:, others]))
        wrong.append(rejected(seen, other.predicted, other.predicted_fell))
    assert np.mean(right) < 0.05 + 3.5 * math.sqrt(0.05 * 0.95 / 100)
    assert np.mean(wrong) > 0.5


def test_one_theory_against_another(motions) -> None:  # type: ignore[no-untyped-def]
    how = {"motions": motions, "progress": False}
    same = rs.analysis.validate(BLOCK, rs.Housner(), rs.Housner(), **how)
    assert same.peaks is not None and same.peaks.gap == 0
    assert same.outcomes is not None and same.outcomes.accuracy == 1
    other = rs.analysis.validate(BLOCK, rs.Housner(eta=0.6), rs.Housner(eta=0.95), **how)
    assert other.rejected
    assert "Housner (eta = 0.95) against Housner (eta = 0.6) under 30 motions" in other.sentences[0]


def test_a_floor_shakes_the_tests(motions, table) -> None:  # type: ignore[no-untyped-def]
    roof = rs.Floor(period=0.5, storeys=2)
    found = rs.analysis.validate(BLOCK, table, motions=motions, floor=roof, progress=False)
    run = rs.simulate(BLOCK, roof.motion(motions["m1"]))
    assert run.status == rs.Status.AT_REST
    assert found.predicted[1, 0] == pytest.approx(run.peak, abs=1e-9)


def test_outcomes_alone_and_peaks_alone(motions, table) -> None:  # type: ignore[no-untyped-def]
    how = {"motions": motions, "progress": False}
    falls = rs.analysis.validate(BLOCK, table.drop(columns="peak [-]"), **how)
    assert falls.peaks is None and falls.outcomes is not None
    stood = table[table["overturned"] == "no"]
    leans = rs.analysis.validate(BLOCK, stood.drop(columns="overturned"), **how)
    assert leans.outcomes is None and leans.peaks is not None
    holes = table.copy()
    holes.loc[holes["overturned"] == "no", "peak [-]"] = [""] + ["0.1"] * (len(stood) - 1)
    told = rs.analysis.validate(BLOCK, holes, **how).sentences[-1]
    assert "1 tests that stood have no peak" in told


def test_repeated_motions_are_told(motions, table) -> None:  # type: ignore[no-untyped-def]
    twice = pandas.concat([table.head(6), table.head(6)])
    found = rs.analysis.validate(BLOCK, twice, motions=motions, progress=False)
    assert found.motions == 6 and "The 12 tests have 6 motions" in found.sentences[-1]
    once = rs.analysis.validate(BLOCK, table.head(6), motions=motions, progress=False)
    assert found.peaks.chance == pytest.approx(once.peaks.chance)  # type: ignore[union-attr]


def test_files_and_figures(tmp_path, motions, table) -> None:  # type: ignore[no-untyped-def]
    how = {"motions": motions, "progress": False}
    found = rs.analysis.validate(BLOCK, table, **how)
    found.plot(tmp_path / "both.svg")
    rs.analysis.validate(BLOCK, table, spread=0.05, draws=5, **how).plot(tmp_path / "graded.svg")
    rs.analysis.validate(BLOCK, table.drop(columns="peak [-]"), **how).plot(tmp_path / "one.svg")
    assert len(list(tmp_path.glob("*.svg"))) == 3
    back = pandas.read_csv(found.write(tmp_path / "rows.csv"))
    assert list(back["test"]) == [str(i) for i in range(1, 31)] or list(back["test"]) == list(
        range(1, 31)
    )
    assert back["predicted peak [-]"].to_numpy() == pytest.approx(found.predicted[:, 0])
    json.dumps(found.summary())


def test_bad_questions(table) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(rs.InputError, match="give them, as in motions"):
        rs.analysis.validate(BLOCK, rs.Housner())
    with pytest.raises(rs.InputError, match="neither a table of tests nor a theory"):
        rs.analysis.validate(BLOCK, 7)
    with pytest.raises(rs.InputError, match="does not rock"):
        rs.analysis.validate(rs.MasonryBuilding.casalotti2025(40e3), table)
    with pytest.raises(rs.InputError, match="spread = -1"):
        rs.analysis.validate(BLOCK, table, spread=-1)
    with pytest.raises(rs.InputError, match="draws = 0"):
        rs.analysis.validate(BLOCK, table, draws=0)
    with pytest.raises(rs.InputError, match="no file m0"):
        rs.analysis.validate(BLOCK, table)


# -- the command -----------------------------------------------------------------------------------


def test_the_command(command_line, tmp_path, monkeypatch, motions, table) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    for name in ("m3", "m20", "m28"):
        rs.write_motion(motions[name], tmp_path / f"{name}.csv")
    few = table.set_index("motion").loc[["m3", "m20", "m28"]].reset_index()
    few["motion"] += ".csv"
    few.to_csv("tests.csv", index=False)
    sizes = ("--height", 1.2, "--width", 0.25, "--eta", 0.93)
    done = command_line("validate", "tests.csv", *sizes, "-o", "v.png", "-o", "v.csv")
    assert done.code == 0, done.err
    assert "Housner (eta = 0.93) against 3 tests of tests.csv: cannot tell. 3 motions" in " ".join(
        done.out.split()
    )
    assert (tmp_path / "v.png").is_file()
    again = command_line("validate", "tests.csv", *sizes, "--json", "-o", "v.csv")  # ours: replaced
    about = json.loads(again.out)
    found = rs.analysis.validate(BLOCK, "tests.csv", rs.Housner(eta=0.93), progress=False)
    assert about["peaks"]["gap D [-]"] == found.peaks.gap  # type: ignore[union-attr]
    assert len(about["rows"]) == 3
    theories = command_line(
        "validate", *sizes[:4], "--against", "housner", "-m", "m3.csv", "-m", "m28.csv", "--json"
    )
    assert json.loads(theories.out)["outcomes"]["accuracy [-]"] == 1
    for words, error in (
        (("validate", *sizes), "neither is there"),
        (("validate", "tests.csv", *sizes, "--against", "springs"), "both are there"),
        (("validate", *sizes, "--against", "springs"), "no ground motions"),
        (("validate", "none.csv", *sizes), "There is no file none.csv"),
    ):
        wrong = command_line(*words)
        assert wrong.code == 2 and error in " ".join(wrong.err.split())


def test_a_verdict_that_hangs_on_the_number_of_comparisons_says_so():
    """One p-value is below 0.05, and not below a half of it: the sentences must agree."""
    wide = rs.Block(height=1.0, width=0.25)
    motions = {f"T{i}": rs.pulses.sine(3.0 + 0.1 * i, 0.5 + 0.02 * i) for i in range(12)}
    seen = ["yes" if rs.simulate(wide, one).fell else "no" for one in motions.values()]
    table = pandas.DataFrame({"motion": list(motions), "overturned": seen})
    found = rs.analysis.validate(wide, table, motions=motions, progress=False)
    close = type("Close", (type(found),), {"p_values": [0.03, 0.4]})
    told = dataclasses.replace(found)
    object.__setattr__(told, "__class__", close)
    assert not told.rejected
    assert "would have to be below 0.025" in told.sentences[0]
    assert "no more than by chance" not in told.sentences[0]
