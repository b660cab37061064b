"""The map over directions as it is drawn."""

from __future__ import annotations

import numpy as np
import pytest
import xarray

import rocksteady as rs
from rocksteady.view.space import plot_directions


def made(directions: np.ndarray) -> xarray.Dataset:
    """A dataset as `direction_map` makes it, by formulas."""
    scales = np.array([0.5, 1.0, 1.5, 2.0])
    along, across = (np.abs(turn(np.radians(directions)))[:, None] for turn in (np.cos, np.sin))
    peak = 0.4 * scales * (along + across)
    planes = 0.5 * scales * np.stack([along, across])
    status = np.where(peak > 0.9, int(rs.Status.OVERTURNED), 0)
    over = ("direction", "scale")
    return xarray.Dataset(
        {
            "peak": (over, peak), "fell": (over, peak > 0.9), "status": (over, status),
            "planar_peak": (("plane", *over), planes),
            "planar_fell": (("plane", *over), planes > 0.9),
            "planar_status": (("plane", *over), np.zeros(planes.shape, int)),
        },
        {"direction": directions, "scale": scales, "plane": [0.0, 90.0],
         "pga": ("scale", 9.80665 * scales)},
        {"body": "1.8 × 0.45 × 0.6 m body", "motion": "a motion"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("directions", "kind"),
    [(np.arange(0, 360, 30.0), "polar"), (np.arange(0, 91, 30.0), "rectilinear")],
)
def test_all_around_in_a_circle_and_otherwise_along_an_axis(directions, kind, tmp_path):
    data = made(directions)
    fig = plot_directions(data, tmp_path / "map.png")
    space, plane = fig.axes[:2]
    assert space.name == plane.name == kind
    assert "[g]" in space.get_xlabel() + space.get_ylabel()
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    for axes, fell, peak in (
        (space, data.fell, data.peak),
        (plane, data.planar_fell.any("plane"), data.planar_peak.max("plane")),
    ):
        shown = np.ma.masked_invalid(axes.collections[0].get_array())
        assert np.array_equal(np.ma.getmaskarray(shown), fell.values.T)
        np.testing.assert_allclose(shown.compressed(), peak.values.T[~fell.values.T])
    shares = [
        f"{100 * float(one.mean()):.0f} %" for one in (data.fell, data.planar_fell.any("plane"))
    ]
    assert f"falls in {shares[0]} of the runs in space, {shares[1]}" in fig.get_suptitle().replace(
        "\n", " "
    )


def test_runs_without_an_answer_are_marked():
    data = made(np.arange(0, 360, 30.0))
    names = [text.get_text() for text in plot_directions(data).legends[0].get_texts()]
    assert names == ["does not lift off", "falls"]
    data["status"][2, 1] = int(rs.Status.FAILED)
    fig = plot_directions(data)
    assert [text.get_text() for text in fig.legends[0].get_texts()][-1] == "no answer"
    assert len(fig.axes[0].collections) == 2 and len(fig.axes[1].collections) == 1


def test_a_body_that_rocks_a_little_is_not_drawn_as_one_that_does_not_lift_off():
    data = made(np.arange(0, 91, 30.0))
    data["peak"][:, 0] = [0.0, 1e-9, 0.0013, 0.0087]
    fig = plot_directions(data)
    fig.draw_without_rendering()
    still, *rocking = fig.axes[0].collections[0].get_facecolors()[:4]
    assert np.allclose(still, 1)  # white
    swatch = fig.legends[0].legend_handles[0]
    assert np.allclose(swatch.get_facecolor(), still)
    assert all(np.abs(colour - still).max() > 0.12 for colour in rocking)


def test_several_planes_are_named():
    title = plot_directions(made(np.arange(0, 91, 30.0))).axes[1].get_title(loc="left")
    assert title == "(b)  Worse of the planes at 0° and 90°"


def test_another_dataset_is_refused():
    with pytest.raises(rs.InputError, match="lacks fell, planar_peak"):
        plot_directions(made(np.arange(0, 360, 30.0)).drop_vars(["fell", "planar_peak"]))


def test_a_single_plane_is_named():
    data = made(np.arange(0, 360, 30.0)).isel(plane=[0])
    assert plot_directions(data).axes[1].get_title(loc="left") == "(b)  In the plane at 0°"
