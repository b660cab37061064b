"""Put the figures of the gallery's examples on their pages, and one panel of each on its thumbnail.

A `plot()` of ours returns figures that pyplot, and so sphinx-gallery, does not know of. And a whole
page of panels shrunk to a thumbnail shows threads: a thumbnail is the first figure's main panel
alone, drawn again at the thumbnail's size.
"""

from __future__ import annotations

import io
import pickle
import shutil
from pathlib import Path
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnchoredOffsetbox
from sphinx.application import Sphinx

from rocksteady.view import style

SIZE = 2.1, 1.4  # inch: small, so that its letters are large
DPI = 480 / 2.1
FRAME = 0.17, 0.28, 0.79, 0.67  # of a thumbnail: where its panel lies
CHOSEN = {  # the panel that says most, where it is not the largest
    "free_rocking": 0,
    "flexible_column": 1,
    "shocks_wear_a_building": 2,
    "identify_a_building": 0,
    "masonry_pushover": 0,
    "elastic_impact": 3,
    "near_fault_pulse": 1,
    "code_spectrum": 1,
    "live_monitor": 1,
    "town": 0,
}

PANEL = "_panel.png"  # ends the name of a panel's picture, until it takes the thumbnail's place

_made: list[Figure] = []


class _Noted(style.Sheet):
    """A figure that is remembered until it has been put on the page."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _made.append(self)


def scrape(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save what was drawn since the last block; sphinx-gallery calls this after each."""
    from sphinx_gallery.scrapers import figure_rst

    names = []
    figures = [*_made, *(plt.figure(number) for number in plt.get_fignums())]
    for figure, path in zip(figures, block_vars["image_path_iterator"], strict=False):
        style.save_figure(figure, path)
        names.append(path)
        script = Path(block_vars["src_file"])
        folder = Path(block_vars["target_file"]).parent / "images" / "thumb"
        if path.endswith("_001.png"):
            panel = folder / f"sphx_glr_{script.stem}{PANEL}"
            folder.mkdir(parents=True, exist_ok=True)
            panel.write_bytes(thumbnail(figure, CHOSEN.get(script.stem)))
    _made.clear()
    plt.close("all")
    return figure_rst(names, gallery_conf["src_dir"])


def thumbnail(figure: Figure, chosen: int | None = None) -> bytes:
    """One panel of a figure alone, the largest unless chosen, as a picture of a thumbnail."""
    figure = pickle.loads(pickle.dumps(figure))  # the page keeps the whole
    panels = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
    main = max(panels, key=lambda axes: axes.bbox.width * axes.bbox.height)
    main = main if chosen is None else panels[chosen]
    figure.set_layout_engine("none")
    figure.set_size_inches(*SIZE)
    for artist in (*figure.texts, *figure.legends, *main.texts):
        artist.set_visible(False)
    for axes in figure.axes:
        axes.set_visible(axes is main)
    main.set_title("", loc="left")
    main.set_ylabel("")  # no room for it
    for artist in main.artists:
        artist.set_visible(not isinstance(artist, AnchoredOffsetbox))
    main.set_in_layout(False)
    main.set_position(FRAME)
    main.tick_params(labelbottom=True, labelleft=True)
    main.set_xlabel(main.get_xlabel() or _below(figure, main))
    if main.get_yscale() == main.get_xscale() == "linear":
        main.locator_params(nbins=4)
    if main.get_legend() is not None:
        main.get_legend().remove()
    memory = io.BytesIO()
    with style.house_style():
        figure.savefig(memory, format="png", dpi=DPI)
    return memory.getvalue()


def _below(figure: Figure, main: Any) -> str:
    """The name of an axis that a panel shares with those below it."""
    names = [axes.get_xlabel() for axes in figure.axes if axes.get_xlim() == main.get_xlim()]
    return next((name for name in names if name), "")


def place_thumbnails(app: Sphinx) -> None:
    """Over those that sphinx-gallery has made."""
    for panel in Path(app.srcdir, "generated", "gallery").rglob(f"*{PANEL}"):
        shutil.copy(panel, panel.with_name(panel.name.replace(PANEL, "_thumb.png")))


def fresh(gallery_conf: dict[str, Any], script: str) -> None:
    """Before each example: no figures, house style for those that it makes with pyplot."""
    _made.clear()
    style.Sheet = _Noted  # type: ignore[misc]
    plt.close("all")
    plt.rcdefaults()
    plt.rcParams.update(style.STYLE)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", place_thumbnails, priority=700)  # after the gallery's 500
    return {"parallel_read_safe": True, "parallel_write_safe": True}
