"""
A statue assessed, from one file to a report
============================================

A statue stands on the second floor of a museum. How likely is it to fall in 50 years, and what
would halve that? One file describes it; `rocksteady assess` makes a report to sign. Here the
same is done in Python, with 60 generated motions so that it takes seconds.
"""

from pathlib import Path
from tempfile import mkdtemp

import rocksteady as rs

folder = Path(mkdtemp())
(folder / "apollo.toml").write_text("""
name = "Apollo, gallery 2"

[object]
preset = "statue"
height = 1.8        # m
width = 0.5         # m
com_height = 0.95   # m

[floor]
storeys = 3
period = 0.35       # s
level = 2

[hazard]            # made up: PGA in g, and how often a year it is exceeded
levels = [0.05, 0.1, 0.2, 0.4, 0.8]
rates = [0.04, 0.013, 0.0033, 0.00065, 0.0001]

[[motions]]
stochastic = { count = 60, seed = 1 }

[uncertain]
samples = 8         # too few to trust which uncertainty matters, but quick
""")

apollo = rs.analysis.assess(folder / "apollo.toml")
print(apollo.answer)
for sentence in apollo.measures_sentences:
    print(sentence)

# %%
# The report is one HTML file with everything in it; the numbers are at hand, too.

apollo.report(folder / "report.html")
found = apollo.summary()
low, high = found["risk"]["probability_low"], found["risk"]["probability_high"]
print(f"between {low:.2%} and {high:.2%}; SHA-256 of all inputs {found['sha256'][:12]}…")
apollo.risk.plot()

# sphinx_gallery_start_ignore
assert 0.01 < found["risk"]["probability"] < 0.05
assert low < found["risk"]["probability"] < high
# sphinx_gallery_end_ignore
