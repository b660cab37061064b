"""Many blocks: arches, walls, columns of drums and a rocking frame of the literature.

runs.py    how an assembly is pushed or shaken, and what is drawn of it
arch.py    Oppenheim's arch, and the arch on the verge of falling
thin.py    the thinnest arch
walls.py   walls of Ferris and Tin-Loi
drums.py   drums against a monolith
frame.py   two columns under a beam
paper.py   the list of them
"""
