"""How the pages are built. Nothing here, and nothing in the pages, needs a network."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from rocksteady import __version__

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "rocksteady"
author = "the rocksteady developers"
copyright = "2026, the rocksteady developers"
version = release = __version__

extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "myst_parser", "mathml"]
exclude_patterns = ["_build"]
nitpicky = False

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "pydata_sphinx_theme"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["rocksteady.css"]
html_title = "rocksteady"
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"show_prev_next": False, "navigation_with_keys": False}


def escape_bars(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """In our docstrings |θ| is an absolute value, not reStructuredText's substitution."""
    lines[:] = [
        "".join(
            part if part.startswith("``") else part.replace("|", r"\|")
            for part in re.split(r"(``.*?``)", line)
        )
        for line in lines
    ]


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", escape_bars, priority=100)
