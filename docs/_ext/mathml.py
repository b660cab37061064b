"""Write formulas as MathML, which browsers show by themselves: pages that need no network."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx

THIN = '<mspace width="0.17em"/>'
BAR = '<mo stretchy="false" lspace="0" rspace="0">|</mo>'
TERM = r"</m(?:i|n|sub|sup|subsup|frac|row)>|[)\]]</mo>"
FUNCTION = r"(?:<msup>\s*)?<mi>(?:sin|cos|tan|arctan|ln|exp)</mi>"
DOTTED = r"<munderover>\s*(<mi>.</mi>)\s*(<mi>.</mi>)\s*(<mo[^>]*>[˙¨]</mo>)\s*</munderover>"


def mathml(text: str, *, as_block: bool) -> str:
    """The formula, set as TeX would and docutils does not: no space inside |θ|, a thin one beside
    the name of a function unless a parenthesis follows, and the index of ġ_N beside it."""
    if re.search(r"\\t?frac *\d", text):
        raise ValueError(
            f"{text}: write \\frac{{3}}{{2}}; docutils takes \\frac32 for 32 over the next."
        )
    out = tex2mathml(text, as_block=as_block)
    out = re.sub(r"<mo[^>]*>\|</mo>", BAR, out)
    out = re.sub(rf"({TERM})(\s*)(?={FUNCTION})", rf"\1\2{THIN}", out)
    out = re.sub(r"<mo>&ApplyFunction;</mo>(?!\s*<mo[^>]*>[(\[])", THIN, out)
    return re.sub(DOTTED, r'<msub><mover accent="true">\1\3</mover>\2</msub>', out)


def visit_inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="math">{mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
