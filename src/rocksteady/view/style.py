"""The house style, one look for every figure and film, and how pictures reach the disk.

Colours are those of Okabe and Ito, told apart by colour-blind readers and in grey print. Figures
are made without pyplot: it keeps global state that leaks in servers and fails in threads.
"""

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.text import Text

from rocksteady.files import as_path, write_whole
from rocksteady.files import suffix_of as suffix_of
from rocksteady.marks import mark
from rocksteady.names import markup, shown

MM = 1 / 25.4  # inch
COLUMN = 170 * MM  # width of the text on an A4 page [inch]

INK = "#222222"
BLUE = "#0072B2"
SKY = "#56B4E9"
GREEN = "#009E73"
ORANGE = "#E69F00"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"
QUIET = "#8A8A8A"  # what is there to compare with: thresholds, balance points
FAINT = "#E4E4E4"
DASHED = (0, (5, 3))

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same picture on every machine
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.titlelocation": "left",
    "axes.titlepad": 5,
    "axes.labelsize": 8,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "lines.linewidth": 1.0,
    "lines.solid_joinstyle": "round",
    "legend.frameon": False,
    "legend.fontsize": 7.5,
    "legend.handlelength": 1.6,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "pdf.fonttype": 42,  # text stays text: searchable and editable
    "svg.hashsalt": "rocksteady",  # the same figure gives the same file
    "axes.unicode_minus": True,
}

FORMATS = {"png": ("Comment",), "svg": ("Description", "Date"), "pdf": ("Creator", "CreationDate")}
"""What a figure can be saved as, where it says who wrote it, and where the date would be: without
it, the same figure gives the same file."""

_lock = threading.RLock()  # rcParams belong to the whole process


@contextmanager
def house_style() -> Iterator[None]:
    """Within this context new artists have the house style."""
    with _lock, matplotlib.rc_context(STYLE):
        yield


class Sheet(Figure):
    """A figure that shows itself in a notebook, though pyplot does not know of it, and whose words
    are printable."""

    def draw(self, renderer: Any) -> None:
        for text in self.findobj(Text):
            text.set_text(shown(text.get_text()))
        super().draw(renderer)

    def _repr_png_(self) -> bytes:
        memory = io.BytesIO()
        with house_style():
            self.savefig(memory, format="png", dpi=130)
        return memory.getvalue()


def new_figure(height: float, width: float = COLUMN) -> Figure:
    """An empty figure of so many inches, as wide as the text unless told otherwise."""
    return Sheet(figsize=(width, height), layout="constrained")


@contextmanager
def sheet(
    title: str,
    height: float,
    path: str | Path | None = None,
    *,
    width: float = COLUMN / MM,
    letters: bool = True,
    math: bool = False,
) -> Iterator[Figure]:
    """A figure in house style under a headline, with formulas in it where ``math``; ``height`` and
    ``width`` [mm].

    When it is drawn, its panels get letters before their titles, and ``path`` (.png, .svg or .pdf),
    if given, is written whole or not at all.
    """
    if path is not None:  # before the work, not after it
        suffix_of(as_path(path, "a file for the figure"), tuple(FORMATS), "a figure")
    with house_style():
        fig = new_figure(height * MM, width * MM)
        if title:
            fig.suptitle(title, x=0.012, ha="left", fontsize=9, fontweight="bold", parse_math=math)
        yield fig
        panels = [axes for axes in fig.axes if axes.get_title(loc="left")]
        if letters and len(panels) > 1:
            for letter, axes in zip("abcdefghijklmnop", panels, strict=False):
                axes.set_title(f"({letter})  {axes.get_title(loc='left')}")
    if path is not None:
        save_figure(fig, path)


# -- files ----------------------------------------------------------------------------------------


def save_figure(fig: Figure, path: str | Path) -> Path:
    """Write ``fig`` to ``path`` (.png, .svg or .pdf), whole or not at all."""
    suffix = suffix_of(path, tuple(FORMATS), "a figure")
    about: dict[str, str | None] = dict.fromkeys(FORMATS[suffix])
    about[FORMATS[suffix][0]] = mark()

    def drawn() -> bytes:
        memory = io.BytesIO()
        with house_style():
            fig.savefig(memory, format=suffix, metadata=about)
        drawing = memory.getvalue()
        return markup(drawing.decode()).encode() if suffix == "svg" else drawing

    return write_whole(Path(path), drawn)
