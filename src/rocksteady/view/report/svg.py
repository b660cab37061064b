"""A figure as SVG inside a page."""

import io
import re
from html import escape

import matplotlib
from matplotlib.figure import Figure

from rocksteady.names import markup
from rocksteady.view.style import house_style

_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_NAMESPACES = re.compile(r'\s(?:xmlns(?::\w+)?|version|width|height)="[^"]*"')
_CLIPS = re.compile(r"(?<=[\"#])p[0-9a-f]{10}(?=[\")])")
_LABELS = re.compile(r'\sid="[A-Za-z.]+\d?[A-Za-z]*_\d+"')  # "axes_1": nothing refers to these
FONT = "'DejaVu Sans', Verdana, sans-serif"  # the first is that of all figures; the next, as wide


def inline_svg(fig: Figure, name: str, words: str) -> str:
    """The figure as an ``<svg>`` element as wide as the page lets it be.

    Text stays text. Names inside begin with ``name``, since all figures of a page share one
    namespace; ``words`` say what is seen to those who cannot see it. The headline is left out: the
    text above the figure says it.
    """
    memory = io.StringIO()
    fig.suptitle("").set_in_layout(False)
    with house_style(), matplotlib.rc_context({"svg.fonttype": "none"}):
        fig.savefig(memory, format="svg", metadata={"Date": None})
    text = _METADATA.sub("", _HEAD.sub("", memory.getvalue()))
    opening, _, rest = text.partition(">")
    opening = _NAMESPACES.sub("", opening)  # an HTML page knows them
    rest = _LABELS.sub("", rest).replace("xlink:href", "href")
    rest = _numbered(rest)
    rest = re.sub(r'(\sid="|href="#|url\(#)', rf"\g<1>{name}-", rest)
    rest = rest.replace("'DejaVu Sans'", FONT)
    label = escape(words, quote=True)
    return markup(f'{opening} role="img" aria-label="{label}">{rest.rstrip()}')


def _numbered(text: str) -> str:
    """Clip paths by number, not by Matplotlib's hash of where they are: the layout differs by a
    rounding from one drawing to the next, and the file must not."""
    names = dict.fromkeys(_CLIPS.findall(text))
    number = {name: f"clip{i}" for i, name in enumerate(names, 1)}
    return _CLIPS.sub(lambda found: number[found[0]], text)
