"""Many blocks: what of the literature can be made again."""

from rocksteady.reproduce.assemblies.arch import oppenheim
from rocksteady.reproduce.assemblies.drums import against_a_monolith
from rocksteady.reproduce.assemblies.frame import rocking_frame
from rocksteady.reproduce.assemblies.thin import milankovitch
from rocksteady.reproduce.assemblies.walls import ferris_tin_loi
from rocksteady.reproduce.verdict import Item, Paper

PAPER = Paper(
    "assemblies",
    "After I. J. Oppenheim (1992): the masonry arch as a four-link mechanism; M. Milankovitch "
    "(1907): theory of pressure lines; M. C. Ferris, F. Tin-Loi (2001): limit analysis of "
    "frictional block assemblies; I. N. Psycharis, D. Y. Papastamatiou, A. P. Alexandris (2000): "
    "classical columns under harmonic and earthquake excitations; N. Makris, M. F. Vassiliou "
    "(2013): planar rocking response of an array of free-standing columns capped with a beam.",
    (
        Item("Fig. 1", "Oppenheim's arch, on both sides of its limit", oppenheim),
        Item("Fig. 2", "Milankovitch's thinnest arch", milankovitch),
        Item("Fig. 3", "Ferris and Tin-Loi's walls", ferris_tin_loi),
        Item("Fig. 4", "Drums against a monolith", against_a_monolith),
        Item("Fig. 5", "A rocking frame and its equivalent block", rocking_frame),
    ),
    "Oppenheim's pulses, of which the text at hand gives no values; the columns and records of "
    "Psycharis et al., for which a column of 6 × 1 m under one cycle of a sine stands in.",
)
