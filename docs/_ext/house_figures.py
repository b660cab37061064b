"""Let sphinx-gallery find the figures that `plot()` returns, which pyplot does not know of."""

from __future__ import annotations

from typing import Any

from matplotlib import pyplot as plt

from rocksteady.view import style

_made: list[style.Sheet] = []


class _Noted(style.Sheet):
    """A figure that is remembered until it has been put on the page."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _made.append(self)


def scrape(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save what was drawn since the last block; sphinx-gallery calls this after each."""
    from sphinx_gallery.scrapers import figure_rst

    names = []
    for figure, path in zip(list(_made), block_vars["image_path_iterator"], strict=False):
        style.save_figure(figure, path)
        names.append(path)
    _made.clear()
    return figure_rst(names, gallery_conf["src_dir"])


def fresh(gallery_conf: dict[str, Any], script: str) -> None:
    """Before each example: no figures, house style for those that it makes with pyplot."""
    _made.clear()
    style.Sheet = _Noted  # type: ignore[misc]
    plt.close("all")
    plt.rcdefaults()
    plt.rcParams.update(style.STYLE)
