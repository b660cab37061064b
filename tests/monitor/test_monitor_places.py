"""Where the grid puts a sample, at the very edges of its rules: the longest gap that is filled, the
sample that confirms another from far ahead, and blocks that need no placing."""

from __future__ import annotations

import numpy as np
import pytest

from rocksteady.monitor import Feed, Monitor
from rocksteady.monitor.grid import Grid
from rocksteady.systems.masonry import MasonryBuilding

HOUSE = MasonryBuilding.casalotti2025(40e3, damping=2e3)


def fed(places, dt=0.01, **options) -> Feed:
    """A feed that has taken samples with the stamps of these places on its grid."""
    feed = Feed(Monitor(HOUSE, dt=dt), **options)
    feed.take(np.zeros(len(places)), time=dt * np.asarray(places, dtype=float))
    return feed


def counted(feed: Feed) -> dict[str, int]:
    """What was counted beside the samples taken."""
    return {name: n for name, n in feed.counts.items() if n and name != "samples"}


@pytest.mark.parametrize(
    ("dt", "max_gap", "most"),
    [(0.1, 0.3, 3), (0.01, 0.29, 29), (0.01, 0.05, 5), (0.005, 1.0, 200), (0.01, 0.0, 0)],
)
def test_a_gap_is_filled_up_to_the_longest_one_and_no_further(dt, max_gap, most):
    """0.3 s is three samples of 0.1 s, though 0.3/0.1 is less than 3 in floating point."""
    before, after = np.arange(300), np.arange(300, 310)
    if most:
        whole = fed(np.r_[before, after + most], dt, max_gap=max_gap)
        assert counted(whole) == {"gaps": 1, "filled": most}
    broken = fed(np.r_[before, after + most + 1], dt, max_gap=max_gap)
    assert counted(broken) == {"outages": 1, "lost": most + 1}
    assert broken.monitor.samples == 310 + most + 1


@pytest.mark.parametrize(
    ("later", "confirmed"), [(0, False), (1, True), (2, True), (6, True), (7, False)]
)
def test_a_sample_from_far_ahead_is_confirmed_within_one_gap(later, confirmed):
    """With gaps of five samples filled, the next one may come up to six places behind it."""
    feed = fed([*range(300), 500, 500 + later], max_gap=0.05)
    if confirmed:
        gap = {"gaps": 1, "filled": later - 1} if later > 1 else {}
        assert counted(feed) == {"outages": 1, "lost": 200} | gap
        assert feed.monitor.samples == 501 + later
    else:
        assert counted(feed) == {"stray": 1} and feed.monitor.samples == 300


@pytest.mark.parametrize("pieces", [1, 3, 100])
@pytest.mark.parametrize("stamped", [True, False])
def test_samples_in_order_are_not_placed_one_by_one(monkeypatch, pieces, stamped):
    def placed(*_):
        raise AssertionError("placed alone")

    monkeypatch.setattr(Grid, "sample", placed)
    values, times = np.random.default_rng(1).standard_normal(600), 7.0 + 0.01 * np.arange(600)
    feed, whole = Feed(Monitor(HOUSE, dt=0.01)), Monitor(HOUSE, dt=0.01)
    for part, when in zip(
        np.array_split(values, pieces), np.array_split(times, pieces), strict=True
    ):
        feed.take(part, time=when if stamped else None)
    whole.push_block(values)
    assert feed.monitor.state == whole.state and feed.counts["samples"] == 600
    assert feed.monitor.time == pytest.approx(5.99 + (7.0 if stamped else 0.0))
