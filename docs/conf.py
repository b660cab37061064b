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

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "mathml",
    "commands",
    "house_figures",
    "tutorials",
    "verdicts",
    "verdict_links",
]
exclude_patterns = ["_build"]
nitpicky = True  # a name that leads nowhere is an error, but for those of other libraries ...
nitpick_ignore_regex = [
    ("py:.*", r"(numpy|collections|pandas|xarray|os|pathlib|matplotlib)\..*"),
    # ... our names of types, and names that a docstring writes short
    ("py:class", r"Path|PathLike|Fall|Keep|histories\.Keep|Progress|Thresholds"),
    ("py:class", r".*\.grid\.Target|.*\.clock\.Clock"),
    ("py:class", r"ArrayLike|rocksteady\.bodies\.solids\.Shape|.*\.stone\.Section|.*\.Fact"),
    ("py:(class|func)", r"ensemble|Feed|MasonryBuilding|rocksteady\.stochastic\.Parameters"),
]

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
napoleon_google_docstring = False
napoleon_use_rtype = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "generated/gallery",
    "filename_pattern": "/examples/",
    "ignore_pattern": r"__init__",
    "image_scrapers": ("house_figures.scrape",),
    "reset_modules": ("house_figures.fresh",),
    "capture_repr": (),
    "abort_on_example_error": True,
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "min_reported_time": 3600,
    "thumbnail_size": (480, 320),
    "subsection_order": [
        "../examples/rocking",
        "../examples/theories",
        "../examples/motions",
        "../examples/masonry",
    ],
    "within_subsection_order": "NumberOfCodeLinesSortKey",  # the shortest first
}

html_theme = "pydata_sphinx_theme"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["rocksteady.css"]
html_title = "rocksteady"
html_sidebars = {"quickstart": [], "index": []}  # no pages below them: no list of those
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "show_prev_next": False,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 7,
    "navbar_persistent": [],
    "navbar_end": ["search-button", "theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
}


def escape_bars(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """In our docstrings |θ| is an absolute value, not reStructuredText's substitution."""
    lines[:] = [
        "".join(
            part if part.startswith("``") else part.replace("|", r"\|")
            for part in re.split(r"(``.*?``)", line)
        )
        for line in lines
    ]


PLAIN = ("attribute", "property", "data")
_untouched: dict[str, list[str]] = {}


def before_napoleon(app: Any, what: str, name: str, obj: Any, options: Any, lines: Any) -> None:
    if what in PLAIN:
        _untouched[name] = list(lines)


def after_napoleon(app: Any, what: str, name: str, obj: Any, options: Any, lines: Any) -> None:
    """What stands before a colon in an attribute's sentence is not its type."""
    if what in PLAIN:
        lines[:] = _untouched.pop(name)


def setup(app: Any) -> None:
    connect = app.connect  # Napoleon's own priority is 500
    connect("autodoc-process-docstring", escape_bars, priority=100)
    connect("autodoc-process-docstring", before_napoleon, priority=400)
    connect("autodoc-process-docstring", after_napoleon, priority=600)
