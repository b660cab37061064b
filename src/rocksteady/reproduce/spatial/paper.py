"""Bodies that rock in space: the figures of the literature that can be made again."""

from rocksteady.reproduce.spatial.can import rocks_or_rolls
from rocksteady.reproduce.spatial.disk import euler
from rocksteady.reproduce.spatial.imperfect import eccentric
from rocksteady.reproduce.spatial.sensitivity import sensitivity
from rocksteady.reproduce.spatial.statistics import statistics
from rocksteady.reproduce.spatial.values import values
from rocksteady.reproduce.spatial.wobbling import wobbling
from rocksteady.reproduce.verdict import Item, Paper

PAPER = Paper(
    "spatial",
    "After M. F. Vassiliou et al. (2017, 2021): rocking columns and a rocking podium in three "
    "dimensions; M. Srinivasan, A. Ruina (2008): a can that rocks or rolls; T. Baranyai, P. L. "
    "Várkonyi (2017): polygonal disks; C. Mathey et al. (2015): a block with defects.",
    (
        Item("Values", "A box on edges and corners", values),
        Item("Fig. 1", "Wobbling exceeds planar rocking", wobbling),
        Item("Fig. 2", "A can that rocks or rolls", rocks_or_rolls),
        Item("Fig. 3", "Euler's disk with a thickness, and polygons", euler),
        Item("Fig. 4", "An eccentric block, for one with uneven corners", eccentric),
        Item("Fig. 5", "Distributions over many motions", statistics),
        Item("Fig. 6", "Outcome over direction and strength", sensitivity),
    ),
    "the papers' own specimens and records, which their texts at hand do not give; a block with "
    "corners at unequal heights (Mathey et al.), which a body with a flat base is not: an "
    "eccentric one stands in; the podium on columns, which is not one body.",
)
