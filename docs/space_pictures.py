"""The pictures of space_views.md, made anew: half a minute.

    python docs/space_pictures.py

They go to docs/_static.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import rocksteady as rs
from rocksteady.view.space import plot_directions, still

FIGURES = Path(__file__).parent / "_static"


def statue() -> rs.Body:
    """A vase fixed on its plinth, 1.8 m high."""
    plinth = [
        rs.Body.box(0.44, 0.44, 0.08),
        rs.Body.box(0.34, 0.34, 0.9),
        rs.Body.box(0.44, 0.44, 0.06),
    ]
    vase = [
        rs.Body.drum(0.26, 0.12, 0.18), rs.Body.drum(0.12, 0.40, 0.32),
        rs.Body.drum(0.40, 0.18, 0.14), rs.Body.drum(0.18, 0.26, 0.12),
    ]  # fmt: skip
    return rs.Body.stacked([*plinth, *vase])


def record(frequency: float, seed: int) -> rs.Motion:
    """Three components of one made-up earthquake with this main frequency [Hz]."""
    near = rs.stochastic.Parameters(
        arias=1.5, d5_95=5.0, t_mid=4.0, frequency_mid=frequency, frequency_rate=-0.1, damping=0.4
    )
    x, y, z = rs.stochastic.ensemble(3, seed, near, dt=0.005)
    both = x.scaled_to(pga=4.5).with_transverse(y.scaled_to(pga=4.0))
    return both.with_vertical(z.scaled_to(pga=2.0)).renamed("a made-up earthquake")


def main() -> None:
    response = rs.simulate(statue(), record(1.5, seed=9))
    print(response)
    still(response, FIGURES / "space-film.png", width_px=1080)
    response.plot(FIGURES / "space-response.png")
    found = rs.analysis.direction_map(
        rs.Body.box(0.45, 0.6, 1.8),
        record(4.0, seed=5),
        np.arange(0, 360, 5),
        np.linspace(0.15, 2.7, 35),
    )
    plot_directions(found, FIGURES / "space-directions.png")


if __name__ == "__main__":
    main()
