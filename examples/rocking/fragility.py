"""
A fragility curve, and how far to trust it
==========================================

One earthquake proves nothing about a rocking body. So take a hundred, scale each to forty
strengths, and count the falls: the share that falls is how likely the statue falls.
"""

import rocksteady as rs

statue = rs.Block(height=1.8, width=0.5)
motions = rs.stochastic.ensemble(100, 3)  # like strong motions on firm ground
found = rs.analysis.fragility(statue, motions, progress=False)
fig = found.plot()

# %%
# The points are the answer: shares with exact intervals, whatever their shape. The curve sums them
# up. The *same* hundred motions were run at all strengths, so its band is by motion: taking every
# run for a draw of its own, as is usual, would make it too narrow, and a nominal 90 % would cover
# 60 to 70 %. Below g tan α, here 0.28 g, nothing lifts off, and the curve is zero.

for sentence in found.sentences:
    print(sentence)

# %%
# A motion that overturns the statue may let it stand when it is scaled up further. That is why
# first falls, as incremental dynamic analysis counts them, lie lower than the shares: they have a
# panel of their own.
#
# Which measure of the ground says most? The one in which motions that just overturn the statue
# scatter least.

by_measure = {row.name: row.sigma for row in found.measures().rows}
print(", ".join(f"{name} {sigma:.2f}" for name, sigma in by_measure.items()))

# sphinx_gallery_start_ignore
curve, first = found.main.curve, found.main.first
low, high = curve.median_interval
assert low < curve.median < high and curve.probability(0.27) == 0  # below 0.278 g: at rest
assert round(curve.median, 2) == 0.94 and first.median < curve.median and first.stands_again > 50
assert by_measure["PGV"] < by_measure["PGA"]
# sphinx_gallery_end_ignore
