"""The figure of an ensemble: its shares and intervals are those of the runs, whatever was run."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PathCollection, QuadMesh
from scipy.stats import binom

import rocksteady as rs
from rocksteady.analysis.shares import counts as ensemble_counts
from rocksteady.analysis.shares.cells import cells_of
from rocksteady.analysis.shares.counts import FEW, Counted
from rocksteady.analysis.shares.interval import interval
from rocksteady.analysis.shares.table import write_ensemble_table
from rocksteady.ensembles.labels import system_labels
from rocksteady.view.ensemble.figure import MOST_DOTS, MOST_ROWS, plot_ensemble
from rocksteady.view.ensemble.map import has_map
from rocksteady.view.ensemble.marks import FEW_LEVELS

PULSES = [rs.pulses.sine(amplitude=2 + 0.35 * i, period=0.8, dt=0.01) for i in range(12)]
WIDTHS = np.linspace(0.2, 0.6, 9)
BLOCKS = [rs.Block(height=1.8, width=float(width)) for width in WIDTHS]
HOUSES = [rs.MasonryBuilding.casalotti2025(mass) for mass in (2e4, 4e4)]


def run(systems, motions=PULSES, scales=(0.5, 1.0, 2.0), **options):
    return rs.ensemble(systems, motions, scales=scales, progress=False, **options)


def panels(fig) -> dict[str, object]:
    """The panels by their titles, without the letter."""
    return {axes.get_title(loc="left").split(")  ")[-1]: axes for axes in fig.axes}


def curves(axes) -> dict[str, np.ndarray]:
    return {line.get_label(): line.get_xydata() for line in axes.get_lines()}


def words_outside_the_page(fig) -> list[str]:
    """Words that are cut off, and pairs that lie on each other."""
    fig.draw_without_rendering()
    width, height = fig.bbox.size
    texts = list(fig.texts)
    for axes in fig.axes:
        texts += [axes._left_title, axes.xaxis.label, axes.yaxis.label]
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            texts += [t.label1 for t in axis.get_major_ticks() if low <= t.get_loc() <= high]
        for box in axes.artists:  # the notes above a frame
            texts += [area._text for area in box.get_child().get_children()]
    for legend in fig.legends:
        texts += [legend.get_title(), *legend.get_texts()]
    boxes = [(t.get_text(), t.get_window_extent()) for t in texts if t.get_text()]
    bad = [
        text
        for text, box in boxes
        if box.x0 < -2 or box.y0 < -2 or box.x1 > width + 2 or box.y1 > height + 2
    ]
    big = [(text, box.padded(-1.5)) for text, box in boxes if len(text) > 4]
    for i, (text, box) in enumerate(big):
        bad += [f"{text} / {other}" for other, place in big[:i] if box.overlaps(place)]
    return bad


# -- shares ---------------------------------------------------------------------------------------


def test_the_interval_is_the_exact_one():
    """Its ends are the shares by which so many, or so few, would come in a twentieth of cases."""
    low, high = interval(3, 20)
    assert binom.sf(2, 20, low) == pytest.approx(0.05)
    assert binom.cdf(3, 20, high) == pytest.approx(0.05)
    assert interval(0, 20)[0] == 0 and interval(20, 20)[1] == 1


def test_curves_are_the_shares_of_each_body_with_their_bands():
    data = run({"thin": BLOCKS[0], "thick": BLOCKS[4]})
    shares = (data.status == 2).mean("motion")
    assert 0 < shares.values.min() + shares.values.max() < 2  # something to see
    axes = panels(plot_ensemble(data))["Share that overturns"]
    found = curves(axes)
    for name in ("thin", "thick"):
        assert found[name][:, 0].tolist() == [0.5, 1.0, 2.0]
        assert found[name][:, 1] == pytest.approx(shares.sel(system=name).values)
    bars = {bar[0, 0]: bar[:, 1] for bar in axes.collections[0].get_segments()}  # of "thin"
    fallen = (data.status == 2).sum("motion").sel(system="thin")
    for x, count in zip((0.5, 1.0, 2.0), fallen.values, strict=True):
        assert tuple(bars[x]) == pytest.approx(interval(int(count), 12))


def test_at_many_strengths_the_intervals_are_bands():
    scales = np.linspace(0.2, 2.0, FEW_LEVELS + 1)
    data = run({"thin": BLOCKS[0], "thick": BLOCKS[4]}, scales=scales)
    fig = plot_ensemble(data)
    band = panels(fig)["Share that overturns"].collections[0].get_paths()[0].vertices
    fallen = (data.status == 2).sum("motion").sel(system="thin")
    for x, count in zip(scales, fallen.values, strict=True):
        drawn = band[np.isclose(band[:, 0], x), 1]
        assert (drawn.min(), drawn.max()) == pytest.approx(interval(int(count), 12))
    assert "shaded: 90 %" in fig.legends[0].get_title().get_text()


def test_what_was_never_lifted_has_no_uncertain_share():
    data = run({"thin": BLOCKS[0], "thick": BLOCKS[8]}, scales=(0.2, 1.0, 2.0))
    lifted = (data.peak > 0).any("motion").sel(system="thick").values
    assert not lifted[0] and lifted[-1]
    axes = panels(plot_ensemble(data))["Share that overturns"]
    assert len(axes.collections[1].get_segments()) == lifted.sum()


def test_marks_of_bodies_that_fall_alike_do_not_hide_each_other():
    """All three stand at the weakest scale, at zero: three marks are seen there."""
    data = run(dict(zip("abc", BLOCKS[:3], strict=True)), scales=(0.05, 1.0, 2.0))
    fig = plot_ensemble(data)
    axes = panels(fig)["Share that overturns"]
    fig.draw_without_rendering()
    places = [line.get_transform().transform((0.05, 0.0))[0] for line in axes.get_lines()]
    assert np.diff(sorted(places)).min() > mark_width(axes)
    low, high = axes.get_xlim()
    assert low < 0.05 and high > 2.0


def test_what_was_run_how_fits_the_figure():
    data = run(BLOCKS[:3], scales=(0.5, 1.0, 2.0), formulation=rs.RigidBodySpring()).copy(deep=True)
    data.status[0, 0, 0] = 4
    fig = plot_ensemble(data)
    fig.draw_without_rendering()
    footer = fig.legends[0].get_title()
    assert "side by side" in footer.get_text() and "without an answer" in footer.get_text()
    assert footer.get_window_extent().x1 <= fig.bbox.x1


def mark_width(axes) -> float:
    """In pixels."""
    return axes.get_lines()[0].get_markersize() * axes.figure.dpi / 72


def test_motions_of_one_peak_are_named_by_it():
    motions = [motion.scaled_to(pga=0.5 * 9.80665) for motion in PULSES]
    data = run(BLOCKS, motions, (0.4, 1.0, 2.0))
    found = panels(plot_ensemble(data))
    axes = found["Share that overturns"]
    assert axes.get_xlabel() == "peak acceleration of the ground [g]"
    assert axes.get_lines()[0].get_xdata() == pytest.approx([0.2, 0.5, 1.0])
    assert any(title.endswith(" g") for title in found)
    other = panels(plot_ensemble(run(BLOCKS)))["Share that overturns"]
    assert other.get_xlabel() == "scale of the motions [–]"


# -- tables ---------------------------------------------------------------------------------------


def test_a_table_has_the_counts_and_their_intervals(tmp_path):
    data = run({"thin": BLOCKS[0], "[thick] | one": BLOCKS[8]}, scales=(0.2, 1.0, 2.0))
    with write_ensemble_table(data, tmp_path / "table.csv").open(encoding="utf-8") as file:
        *rows, low, middle, high = csv.DictReader(file)
    assert {row["system"] for row in (low, middle, high)} == {"all bodies"}
    fallen = (data.status == 2).sum("motion").values.ravel()
    assert [int(row["overturned"]) for row in rows] == fallen.tolist()
    for row, count in zip(rows, fallen, strict=True):
        ends = [float(row[name]) for name in row if name.startswith("share, ")]
        assert ends == pytest.approx(interval(int(count), 12), abs=1e-6)
    standing = data.peak.where(data.status != 2).median("motion").values.ravel()
    told = [float(row["median peak of the rest [-]"] or "nan") for row in rows]
    assert told == pytest.approx(standing, rel=1e-5, nan_ok=True)
    assert float(rows[0]["lifts off at [g]"]) == pytest.approx(0.2 / 1.8 * 9.81 / 9.80665, 1e-5)
    assert "PGA [g]" not in rows[0]  # the motions have different ones
    assert int(middle["overturned"]) == fallen[1] + fallen[4] and middle["motions"] == "12"
    assert float(middle["share [-]"]) == pytest.approx((fallen[1] + fallen[4]) / 24, rel=1e-5)
    blank = ("lifts", "share, ", "median", "largest")  # the bodies share their motions: no interval
    assert {middle[name] for name in middle if name.startswith(blank)} == {""}


def test_a_page_for_a_report(tmp_path):
    data = run({"thin": BLOCKS[0], "[thick] | one": BLOCKS[8]}, scales=(0.2, 1.0, 2.0))
    text = write_ensemble_table(data, tmp_path / "table.md", "Two").read_text(encoding="utf-8")
    head, _, thin, thick, whole = text.splitlines()[2:7]
    shares = 100 * (data.status == 2).mean(("system", "motion")).values
    assert whole == f"| all bodies |  | {' | '.join(f'{share:.0f} %' for share in shares)} |"
    assert "All bodies: of all runs" in text
    assert text.startswith("## Two\n") and head == "| body | lifts off at | 0.2 | 1 | 2 |"
    assert thick.startswith("| [thick] \\| one | 0.333 g | flat |")
    count = int((data.status == 2).sum("motion").sel(system="thin", scale=1.0))
    low, high = (100 * end for end in interval(count, 12))
    assert f"| {100 * count / 12:.0f} % ({low:.0f}–{high:.0f}) |" in thin
    assert "12 motions under which it overturns" in text and "never left the ground" in text


def test_of_a_column_that_sways_the_page_does_not_say_when_it_lifts_off(tmp_path):
    tank = rs.FlexibleOscillator(12.0, 2.4, 1e4, 1e4, 1e4, 8.0, 0.02)
    data = run(tank, PULSES[:2], (0.2, 2.0))
    text = write_ensemble_table(data, tmp_path / "table.md").read_text(encoding="utf-8")
    assert text.startswith("| body | 0.2 | 2 |\n")


def test_the_page_tells_of_runs_without_an_answer(tmp_path):
    data = run({"thin": BLOCKS[0], "thick": BLOCKS[8]}, PULSES[:2], (0.2, 2.0))
    data["status"][0, 1, 0] = data.status.attrs["flag_meanings"].split().index("failed")
    text = write_ensemble_table(data, tmp_path / "table.md").read_text(encoding="utf-8")
    assert "1 of 8 runs have no answer." in text


FAILED = list(rs.Status).index(rs.Status.FAILED)


def some_failed(systems=None, **options):
    """Two bodies; of the first, three runs at scale 1 and all at scale 2 gave no answer."""
    data = run(systems or {"thin": BLOCKS[2], "thick": BLOCKS[4]}, **options).copy(deep=True)
    data.status[0, 3:6, 1] = data.status[0, :, 2] = FAILED
    data.peak[0, 3:6, 1] = 0.0  # as of a run that fails in its first step
    return data


def test_a_share_is_of_the_runs_that_gave_an_answer(tmp_path):
    """In the table, on the page and in the figure; where there is none, nothing is claimed."""
    data = some_failed()
    count = int((data.status[0, :, 1] == 2).sum())
    assert 0 < count < 9
    with write_ensemble_table(data, tmp_path / "table.csv").open(encoding="utf-8") as file:
        _, row, none, *rest = csv.DictReader(file)
    assert (row["motions"], row["without an answer"]) == ("12", "3")
    assert float(row["share [-]"]) == pytest.approx(count / 9, rel=1e-5)
    ends = [float(row[name]) for name in row if name.startswith("share, ")]
    assert ends == pytest.approx(interval(count, 9), abs=1e-6)
    assert none["without an answer"] == "12" and none["overturned"] == "0"
    assert {none[name] for name in none if "share" in name or "rest" in name} == {""}
    assert [row["without an answer"] for row in rest] == ["0"] * 3 + ["0", "3", "12"]  # then of all

    text = write_ensemble_table(data, str(tmp_path / "table.md")).read_text(encoding="utf-8")
    low, high = (100 * end for end in interval(count, 9))
    assert f"| {100 * count / 9:.0f} % ({low:.0f}–{high:.0f}) of 9 | – |" in text
    assert "15 of 72 runs have no answer. Shares are of the runs with an answer" in text

    fig = plot_ensemble(data)
    axes = panels(fig)["Share that overturns"]
    found = curves(axes)["thin"]
    assert found[1, 1] == pytest.approx(count / 9) and np.isnan(found[2, 1])
    assert axes.get_ylabel() == "share of runs with an answer [%]"
    down = int((data.status == 2).sum())
    assert fig._suptitle.get_text() == f"{down} of 57 runs overturn"
    (dots,) = [c for c in panels(fig)["Largest lean"].collections if isinstance(c, PathCollection)]
    assert len(dots.get_offsets()) == 57


def test_what_failed_at_once_is_not_called_flat(tmp_path):
    data = run({"thin": BLOCKS[0], "thick": BLOCKS[8]}, PULSES[0], (1.0, 2.0)).copy(deep=True)
    data.status[1, 0, 0], data.peak[1, 0, 0] = FAILED, 0.0
    text = write_ensemble_table(data, tmp_path / "table.md").read_text(encoding="utf-8")
    (thick,) = [line for line in text.splitlines() if line.startswith("| thick")]
    assert thick.split(" | ")[2] == "–" and "flat" not in text


def test_the_bodies_are_ranked_by_share_not_by_count():
    """The one that falls under all of the few motions with an answer comes first."""
    data = run(dict(zip("abcdef", BLOCKS[:6], strict=True)), scales=(1.0, 2.0)).copy(deep=True)
    data.status[...] = 0
    data.status[0, :6] = 2  # half of them
    data.status[3, 2:], data.status[3, :2] = FAILED, 2  # both that there are
    assert Counted(data).chosen[0] == 3
    (rows,) = [axes for title, axes in panels(plot_ensemble(data)).items() if ", at" in title]
    assert [label.get_text() for label in rows.get_yticklabels()][:2] == ["d", "a"]


def test_an_ensemble_without_any_answer_can_be_read(tmp_path):
    for systems, motions, paired in (
        (BLOCKS[:2], PULSES, False),
        (BLOCKS, PULSES, False),
        (BLOCKS[:2], PULSES[0], False),
        (BLOCKS[0], PULSES * 4, True),
    ):
        scales = np.ones(48) if paired else (1.0, 2.0)
        data = run(systems, motions, scales, paired=paired).copy(deep=True)
        data.status[...] = FAILED
        fig = plot_ensemble(data)
        assert fig._suptitle.get_text() == f"None of {data.status.size} runs gave an answer"
        assert words_outside_the_page(fig) == []
        if not paired:
            assert " – |" in write_ensemble_table(data, tmp_path / "t.md").read_text("utf-8")


def test_paired_runs_without_an_answer_are_in_no_share():
    data = run(BLOCKS[0], PULSES * 4, np.ones(48), paired=True).copy(deep=True)
    data.status[...] = 2
    data.status[::6] = FAILED
    axes = panels(plot_ensemble(data))["Share that overturns"]
    assert [line.get_ydata()[0] for line in axes.get_lines()] == [1.0, 1.0]


def test_mirrored_motions_are_named_by_the_scale_everywhere(tmp_path):
    """A peak acceleration has no sign: -0.5 and 0.5 would both be one."""
    motions = [motion.scaled_to(pga=0.5 * 9.80665) for motion in PULSES]
    data = run(BLOCKS[:2], motions, (-1.0, 0.5, 1.0))
    head = write_ensemble_table(data, tmp_path / "t.md").read_text(encoding="utf-8").splitlines()[0]
    assert head.endswith("| -1 | 0.5 | 1 |")
    with write_ensemble_table(data, tmp_path / "t.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[:3]
    assert [row["scale [-]"] for row in rows] == ["-1", "0.5", "1"]
    assert [row["PGA [g]"] for row in rows] == ["0.5", "0.25", "0.5"]
    axes = panels(plot_ensemble(data))["Share that overturns"]
    assert axes.get_xlabel() == "scale of the motions [–]"
    one = run(BLOCKS[:2], motions[0], (-1.0, 0.5, 1.0))
    (axes,) = plot_ensemble(one).axes
    assert axes.get_xlabel() == "scale of the motion [–]"
    assert axes.get_lines()[-1].get_xdata().tolist() == [-1.0, 0.5, 1.0]
    assert axes.get_xlim()[0] < -1.0


def test_a_curve_does_not_run_from_mirrored_motions_to_the_others():
    data = run(BLOCKS[2:4], scales=(-1.0, -0.5, 0.5, 1.0))
    axes = panels(plot_ensemble(data))["Share that overturns"]
    for curve in curves(axes).values():
        assert np.isnan(curve[2]).all() and np.isfinite(curve[[0, 1, 3, 4]]).all()
    one = plot_ensemble(run(BLOCKS[2:4], PULSES[0], (-1.0, -0.5, 0.5, 1.0))).axes[0]
    drawn = [line.get_xdata() for line in one.get_lines() if len(line.get_xdata()) == 5]
    assert len(drawn) == 2 and all(np.isnan(x[2]) for x in drawn)


def test_marks_of_the_fallen_do_not_hide_each_other():
    """At many scales they stand above each other in the strip."""
    data = run(BLOCKS[:4], PULSES[8], np.linspace(0.2, 2.0, FEW_LEVELS + 2))
    assert (data.status[:, 0, -1] == 2).all()
    fig = plot_ensemble(data)
    (axes,) = fig.axes
    fig.draw_without_rendering()
    marks = [line for line in axes.get_lines() if not line.get_label().startswith("_")]
    ends = [line.get_transform().transform(line.get_xydata()[-1])[1] for line in marks]
    assert len(ends) == 4 and np.diff(sorted(ends)).min() > 0.6 * mark_width(axes)
    assert axes.transData.inverted().transform((0, max(ends)))[1] < axes.get_ylim()[1]


def test_of_one_motion_the_page_tells_how_far(tmp_path):
    data = run({"thin": BLOCKS[0], "thick": BLOCKS[8]}, PULSES[0], (0.2, 1.0, 2.0))
    text = write_ensemble_table(data, tmp_path / "table.md").read_text(encoding="utf-8")
    assert "overturned |" in text and "Largest lean, |θ|/α, under" in text
    peak = float(data.peak.sel(system="thick", scale=2.0).item())
    assert 0 < peak < 1 and f"| {peak:.2g} |" in text


def test_paired_runs_have_no_such_table(tmp_path):
    data = run(BLOCKS[0], PULSES, np.ones(12), paired=True)
    with pytest.raises(rs.InputError, match="to_dataframe"):
        write_ensemble_table(data, tmp_path / "table.csv")
    assert not (tmp_path / "table.csv").exists()


def test_of_many_bodies_the_extremes_have_names_and_the_rest_are_grey():
    data = run(BLOCKS)
    fig = plot_ensemble(data)
    found = panels(fig)
    lines = curves(found["Share that overturns"])
    fallen = (data.status == 2).sum(("motion", "scale")).values
    labels = system_labels(data)
    assert labels[0] == "1.8 × 0.2 m"
    assert f"overturns most often: {labels[fallen.argmax()]}" in lines
    assert f"least often: {labels[-1]}" in lines and len(lines) == 4
    whole = (data.status == 2).mean(("system", "motion")).values
    assert lines["all bodies"][:, 1] == pytest.approx(whole)
    grey = [c for c in found["Share that overturns"].collections if isinstance(c, LineCollection)]
    assert len(grey[0].get_segments()) == len(BLOCKS) - 3
    by_body = next(axes for title, axes in found.items() if ", at scale" in title)
    rows = [tick.get_text() for tick in by_body.get_yticklabels()]
    assert set(rows) == set(labels)
    dots = by_body.get_lines()[0].get_xdata()
    assert list(dots) == sorted(dots, reverse=True)


def test_the_row_of_each_body_is_at_the_scale_where_they_differ_most():
    data = run(BLOCKS)
    share = (data.status == 2).mean(("system", "motion"))
    wanted = float(share.scale[int(np.abs(share.values - 0.5).argmin())])
    assert f"Share that overturns, at scale {wanted:.3g}" in panels(plot_ensemble(data))


def test_paired_runs_are_sorted_by_strength():
    motions = [rs.pulses.sine(amplitude=a, period=0.8, dt=0.01) for a in np.linspace(2, 8, 80)]
    data = run(BLOCKS[3], motions, np.linspace(1.0, 1.5, 80), paired=True)
    axes = panels(plot_ensemble(data))["Share that overturns"]
    shares = [line.get_ydata()[0] for line in axes.get_lines()]
    assert len(shares) == 4 and shares[0] < shares[-1]
    assert np.mean(shares) == pytest.approx(float((data.status == 2).mean()))


# -- runs -----------------------------------------------------------------------------------------


def dots(axes) -> np.ndarray:
    return next(c for c in axes.collections if isinstance(c, PathCollection)).get_offsets().data


def test_each_run_is_a_dot_and_the_fallen_lie_above_the_frame():
    data = run(BLOCKS[:3])
    axes = panels(plot_ensemble(data))["Largest lean"]
    places = dots(axes)
    assert len(places) == data.peak.size
    fell = (data.status == 2).values.ravel()
    strip = axes.get_yticks()[-1]
    assert axes.get_yticklabels()[-1].get_text() == "overturned"
    assert (places[fell, 1] > 1.08).all() and places[fell, 1].mean() == pytest.approx(strip, 0.02)
    assert places[~fell, 1] == pytest.approx(data.peak.values.ravel()[~fell])
    g = (data.pga * abs(data.scale)).broadcast_like(data.peak).transpose(*data.peak.dims) / 9.80665
    assert places[:, 0] == pytest.approx(g.values.ravel())


def test_of_very_many_runs_evenly_chosen_ones_are_drawn(monkeypatch):
    monkeypatch.setattr("rocksteady.view.ensemble.figure.MOST_DOTS", 40)
    data = run(BLOCKS)
    places = dots(panels(plot_ensemble(data))["Largest lean"])
    assert 10 <= len(places) <= 40 < data.peak.size
    assert MOST_DOTS >= 1000


def test_a_large_store_is_counted_in_pieces(monkeypatch):
    data = run(BLOCKS)
    whole = Counted(data)
    monkeypatch.setattr(ensemble_counts, "AT_ONCE", 50)
    parts = Counted(data)
    assert (parts.fallen == whole.fallen).all() and parts.down == whole.down > 0


def test_one_motion_has_no_share_but_a_growth():
    data = run(BLOCKS[:3], PULSES[0], np.linspace(0.2, 2.0, 7))
    fig = plot_ensemble(data)
    (axes,) = fig.axes
    lines = [line.get_ydata() for line in axes.get_lines() if line.get_label().startswith("_")]
    standing = np.where(data.status[:, 0] == 2, np.nan, data.peak[:, 0])
    drawn = [line for line in lines if len(line) == 7]
    for row in standing:
        assert any(np.allclose(row, line, equal_nan=True) for line in drawn)


def test_they_are_public_names():
    assert rs.plot_ensemble is plot_ensemble
    assert rs.write_ensemble_table is write_ensemble_table
    assert {"plot_ensemble", "write_ensemble_table", "view"} <= set(dir(rs))


def test_wear_and_collapse_of_buildings():
    data = run(HOUSES)
    assert (data.status == 3).any()
    fig = plot_ensemble(data, title="A street")
    found = panels(fig)
    assert set(found) == {"Share that collapses", "Wear at the end"}
    assert set(curves(found["Share that collapses"])) == {"20 t", "40 t"}
    down = int((data.status == 3).sum())
    assert fig._suptitle.get_text() == f"A street: {down} of {data.status.size} runs collapse"


# -- every shape ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("systems", "motions", "scales", "paired"),
    [
        (BLOCKS[:1], PULSES[:1], [1.0], False),
        (BLOCKS[:1], PULSES[:1], [0.01], False),
        (BLOCKS[:1], PULSES, [1.0], False),
        (BLOCKS, PULSES, [1.0], False),
        (BLOCKS, PULSES[:1], [-1.0, 1.0, 2.0], False),
        (BLOCKS * 12, PULSES, [0.1, 1.0, 4.0, 8.0], False),
        (BLOCKS[:FEW], PULSES, [1.0, 2.0], False),
        (BLOCKS[:1], PULSES, np.linspace(1, 2, 12), True),
        (HOUSES[:1], PULSES[:1], [0.01], False),
        (HOUSES * 4, PULSES, [0.1, 0.3], False),
        ({"A name that would not end, were it not cut": BLOCKS[0]}, PULSES, [1, 2], False),
    ],
)
def test_any_ensemble_can_be_read(systems, motions, scales, paired):
    """Axes with names and finite limits, and no word that is cut off or lies on another."""
    fig = plot_ensemble(run(systems, motions, scales, paired=paired))
    for axes in fig.axes:
        assert axes.get_xlabel().endswith("]")
        assert axes.get_ylabel().endswith("]") or len(axes.get_yticklabels()) <= MOST_ROWS
        assert np.isfinite([*axes.get_xlim(), *axes.get_ylim()]).all()
    assert words_outside_the_page(fig) == []


def test_runs_without_an_answer_are_told():
    data = run(BLOCKS[:2]).copy(deep=True)
    data.status[0, 0, 0] = 4
    fig = plot_ensemble(data)
    assert "1 without an answer" in fig.legends[0].get_title().get_text()


def test_what_is_no_ensemble_is_refused(tmp_path: Path):
    data = run(BLOCKS[:2])
    with pytest.raises(rs.InputError, match="keeps the axes"):
        plot_ensemble(data.isel(system=0))
    with pytest.raises(rs.InputError, match="keeps the axes"):
        write_ensemble_table(data.isel(system=0), tmp_path / "table.md")
    with pytest.raises(rs.InputError, match="is not an ensemble"):
        plot_ensemble(data[["peak"]])
    for axis in data.status.dims:
        with pytest.raises(rs.InputError, match="the selection from it was empty"):
            plot_ensemble(data.isel({axis: []}))
    with pytest.raises(rs.InputError, match=r"must end in \.png"):
        plot_ensemble(data, tmp_path / "figure.gif")
    assert plot_ensemble(data.isel(system=[0]), tmp_path / "figure.svg") is not None
    assert [path.name for path in tmp_path.iterdir()] == ["figure.svg"]


# -- names ----------------------------------------------------------------------------------------


def test_bodies_are_told_apart():
    lean = [rs.Block(height=1.8, width=0.5, offset=offset) for offset in (0.0, 0.1)]
    assert system_labels(run(lean)) == ["1.8 × 0.5 m, offset 0 m", "1.8 × 0.5 m, offset 0.1 m"]
    same = [rs.Block(height=1.8, width=0.5)] * 2
    assert system_labels(run(same)) == ["0: 1.8 × 0.5 m", "1: 1.8 × 0.5 m"]
    both = [rs.Block(1.8, width, density=density) for width in (0.4, 0.5) for density in (2e3, 3e3)]
    made = [rs.Block(1.8, width) for width in (0.4, 0.5, 0.5)]  # mass and inertia follow the size
    assert system_labels(run(made)) == ["1.8 × 0.4 m", "1: 1.8 × 0.5 m", "2: 1.8 × 0.5 m"]
    assert len(set(system_labels(run(both)))) == 4
    assert system_labels(run({"Venus": BLOCKS[0], "Mars": BLOCKS[1]})) == ["Venus", "Mars"]
    assert system_labels(run(HOUSES)) == ["20 t", "40 t"]


def test_names_are_shown_as_they_were_given(tmp_path: Path):
    names = ("Nike $\\frac$", "_Mars", "10 $ and 20 $")
    found = run(dict(zip(names, BLOCKS, strict=False)))
    fig = plot_ensemble(found, tmp_path / "names.png")  # what is no formula would raise
    shown = fig.legends[0].get_texts()
    assert sorted(text.get_text().strip() for text in shown) == sorted(names)
    assert not any(text.get_parse_math() for text in shown)


# -- the map of many bodies -----------------------------------------------------------------------


def sampled(count, seed=3):
    rng = np.random.default_rng(seed)
    sizes = zip(rng.uniform(0.8, 4, count), rng.uniform(0.1, 0.4, count), strict=True)
    return [rs.Block.from_parameters(p=float(p), alpha=float(alpha)) for p, alpha in sizes]


@pytest.mark.parametrize("how", ["grid", "one scale", "one motion", "paired"])
def test_many_bodies_lie_on_a_map_of_size_and_slenderness(how):
    """Instead of 14 rows at 100 %: every run is counted once, in the cell of its body."""
    blocks = sampled(60)
    scales = (0.5, 1.0) if how == "grid" else (1.0,)
    if how == "paired":
        motions = [PULSES[i % 12] for i in range(60)]
        data = rs.ensemble(blocks, motions, paired=True, progress=False)
    else:
        data = run(blocks, PULSES[4:5] if how == "one motion" else PULSES, scales)
    fig = plot_ensemble(data)
    (axes,) = [axes for axes in fig.axes if axes.get_xlabel() == "slenderness h/b [–]"]
    assert axes.get_ylabel() == "size R [m]"
    found = Counted(data)
    level = None if how == "paired" else found.telling_level
    cells = cells_of(found, level)
    per_body = 1 if how == "paired" else data.sizes["motion"]
    assert cells.runs.sum() == 60 * per_body
    seen = [int(text.get_text().replace("\u202f", "").replace(" ", "")) for text in axes.texts]
    assert sorted(seen) == sorted(cells.runs[cells.runs > 0].tolist())
    status = data.status.values if how == "paired" else data.status.values[:, :, level]
    slenderness, size = 1 / np.tan(data.alpha.values), data.R.values
    for i, j in zip(*np.nonzero(cells.runs), strict=True):
        last = (i == cells.runs.shape[0] - 1, j == cells.runs.shape[1] - 1)
        inside = np.ones(60, bool)
        for values, edges, k, end in (
            (slenderness, cells.slenderness, i, last[0]),
            (size, cells.size, j, last[1]),
        ):
            above = values >= edges[k] * (1 - 1e-12)
            inside &= above & (values <= edges[k + 1] if end else values < edges[k + 1])
        assert cells.share[i, j] == pytest.approx((status[inside] == 2).mean())
    assert np.nanmax(cells.share) > 0
    (shading,) = [c for c in axes.collections if isinstance(c, QuadMesh)]
    drawn = np.ma.filled(shading.get_array().astype(float), np.nan).reshape(cells.runs.T.shape)
    assert drawn == pytest.approx(100 * cells.share.T, nan_ok=True)
    assert words_outside_the_page(fig) == []


def test_where_none_falls_the_map_shows_how_far_they_lean():
    data = run(sampled(40), [PULSES[0].scaled(0.9)], (1.0,))
    data = data.isel(system=(data.status != 2).all(("motion", "scale")).values)
    assert data.sizes["system"] > MOST_ROWS
    fig = plot_ensemble(data)
    assert any(axes.get_ylabel() == "median largest lean |θ|/α [–]" for axes in fig.axes)


def test_a_few_bodies_keep_their_rows():
    assert not has_map(Counted(run(BLOCKS)))
    assert not has_map(Counted(run(HOUSES)))
    alike = [rs.Block(1.8, 0.5) for _ in range(MOST_ROWS + 6)]
    assert not has_map(Counted(run(alike, PULSES[:2], (1.0,))))


def test_runs_of_one_strength_do_not_lie_in_one_line():
    data = run(sampled(60), [pulse.scaled_to(pga=4.0) for pulse in PULSES], (1.0,))
    fig = plot_ensemble(data)
    (dots,) = [axes for axes in fig.axes if axes.get_title(loc="left").endswith("Largest lean")]
    (marks,) = [c for c in dots.collections if isinstance(c, PathCollection)]
    x = marks.get_offsets()[:, 0]
    low, high = dots.get_xlim()
    assert np.ptp(x) > 0.15 * (high - low)
    assert low < x.min() and x.max() < high


@pytest.mark.parametrize("wrong", [None, 3, {"status": 1}, "museum"])
def test_what_is_no_ensemble_is_refused_in_words(wrong):
    with pytest.raises(
        rs.InputError, match=r"give what rs\.ensemble or rs\.open_ensemble returned"
    ):
        plot_ensemble(wrong)


@pytest.mark.parametrize("scales", [(0.5, 1.0), (0.5, 0.6, 1.0), (1.0,), (0.2, 2.0)])
def test_every_run_is_within_the_panel_and_near_its_strength(scales):
    motions = [motion.scaled_to(pga=2.0) for motion in PULSES]
    axes = panels(plot_ensemble(run(BLOCKS, motions, scales)))["Largest lean"]
    (dots,) = (c for c in axes.collections if isinstance(c, PathCollection))
    x, (left, right) = np.asarray(dots.get_offsets())[:, 0], axes.get_xlim()
    assert left <= x.min() and x.max() <= right
    if len(scales) > 1:
        strengths = np.repeat([scales], len(x), axis=0) * 2.0 / 9.80665
        assert np.abs(x[:, None] - strengths).min(axis=1).max() <= 0.08 * strengths.max()
