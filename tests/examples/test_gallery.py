"""The gallery's examples run, keep what they promise, and stay short enough to read."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.rglob("*.py"))
IGNORED = re.compile(
    r"^# sphinx_gallery_start_ignore$.*?^# sphinx_gallery_end_ignore$", re.DOTALL | re.MULTILINE
)


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """All figures an example makes, with pyplot or by a `plot()` of ours."""
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.figure import Figure

    made: list[Any] = []
    begin = Figure.__init__

    def noted(self: Any, *args: Any, **kwargs: Any) -> None:
        begin(self, *args, **kwargs)
        made.append(self)

    monkeypatch.setattr(Figure, "__init__", noted)
    yield made
    plt.close("all")


def test_there_are_enough_examples() -> None:
    assert len(EXAMPLES) >= 15


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_short_and_says_what_it_shows(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert text.count("\nassert ") + text.count("\n    assert ") >= 1
    shown = IGNORED.sub("", text)  # what sphinx-gallery puts on the page
    assert "assert" not in shown, "a reader wants what it shows, not how it is tested"
    assert "# %%\n# sphinx_gallery" not in text, "sphinx-gallery would take it for words"
    title, line = text.splitlines()[1:3]
    assert set(line) == {"="} and len(line) == len(title)
    assert "shared" not in text and "http" not in text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_holds(
    path: Path, figures: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = runpy.run_path(str(path), run_name="example")
    for figure in figures:
        figure.canvas.draw()
    assert figures and all(figure.get_axes() for figure in figures)
    assert not any(tmp_path.iterdir()), "an example writes nothing into the folder it is run in"
    if path.stem in EXPECTED:
        EXPECTED[path.stem](found)


# -- what some of them must come to, from elsewhere ------------------------------------------------


def one_sine_map(found: dict[str, Any]) -> None:
    """Points of the map are runs of a pulse that is made here."""
    from rocksteady import pulses, simulate

    block = found["block"]
    uplift = block.g * np.tan(block.alpha)
    for column in (8, 24, 40):
        omega = found["frequencies"][column] * block.p
        for row in (10, 30, 60):
            pulse = pulses.sine(uplift * found["amplitudes"][row], omega=omega)
            assert simulate(block, pulse).fell == found["fell"][column, row]


def free_rocking(found: dict[str, Any]) -> None:
    """Eqs. 2 and 3 of D'Altri et al. 2024, written out again."""
    column, n = found["column"], found["swings"].n
    kept = (1 - 1.5 * np.sin(column.alpha) ** 2) ** (2 * n)
    assert np.allclose(found["swings"].peak, 1 - np.sqrt(1 - 0.75 * kept), rtol=1e-8)
    p = np.sqrt(3 * 9.81 / (4 * np.hypot(2.1, 0.3)))
    half = 2 / p * np.arctanh(np.sqrt(0.75 * kept))
    assert np.allclose(found["swings"].half_period, half, rtol=1e-7)


def friction_threshold(found: dict[str, Any]) -> None:
    """μ_c at A = 1, s = 4 is 0.415584: just below it slides and rocks, just above it rocks."""
    assert found["s"] == 4
    assert found["beginning"](0.4150, 1.0) == 2
    assert found["beginning"](0.4162, 1.0) == 3


def fitted_law(found: dict[str, Any]) -> None:
    """The first slip of the paper's building: 60.0 kN at 0.580 mm (Table 1)."""
    house = found["house"]
    assert round(house.elastic_force / 1e3, 1) == 60.0
    assert round(house.elastic_displacement * 1e3, 2) == 0.58


def code_plateau(found: dict[str, Any]) -> None:
    """EN 1998-1, Eq. 3.3 and Table 3.2: 2.5 a_g S between T_B = 0.15 s and T_C = 0.5 s, soil B."""
    periods, spectra = found["periods"], found["spectra"]
    plateau = (periods > 0.15) & (periods < 0.5)
    assert np.allclose(spectra.mean(axis=0)[plateau], 6.0, rtol=0.1)


def weight_is_carried(found: dict[str, Any]) -> None:
    """The floor gives the impulse of the weight, but for the momentum of the body itself."""
    history, column = found["history"], found["column"]
    impulse = np.trapezoid(history.force[:, :, 1].sum(axis=1), history.time)
    weight = column.mass * column.g * (history.time[-1] - history.time[0])
    assert abs(impulse / weight - 1) < 0.02


def curve_by_motion(found: dict[str, Any]) -> None:
    """Zero below g tan α; and the variance of ln(median) is several times what it would be if every
    run were a draw of its own."""
    from rocksteady.analysis.fragilities import probit

    curve, statue, runs = found["curve"], found["statue"], found["found"].stripes
    assert curve.gate == pytest.approx(np.tan(statue.alpha) * statue.g / 9.80665)
    assert not curve.probability(np.array([0.1, 0.2, 0.277])).any()
    used = runs.levels >= curve.gate
    x = np.stack([np.ones(used.sum()), np.log(runs.levels[used])], axis=-1)
    fitted = probit.fit(x, runs.fell[:, used].mean(axis=0), np.full(used.sum(), 100.0))
    np.testing.assert_allclose(fitted.coefficients, curve.coefficients)
    row = np.array([1.0, np.log(curve.median)])
    assert row @ curve.covariance @ row > 4 * (row @ fitted.bread @ row)


EXPECTED = {
    "overturning_pulses": one_sine_map,
    "fragility": curve_by_motion,
    "free_rocking": free_rocking,
    "slide_or_rock": friction_threshold,
    "masonry_pushover": fitted_law,
    "code_spectrum": code_plateau,
    "elastic_impact": weight_is_carried,
}
