"""Bodies that rock in space: six figures of the literature, and the values by which the theory was
checked.

runs.py         bodies, motions, and how a run is started and read
values.py       boxes on edges and corners
wobbling.py     a column under two components
can.py          a can that rocks or rolls: the passage close to flat
disk.py         Euler's disk, and polygons on their way to it
imperfect.py    an eccentric block
statistics.py   many motions: runs differ, distributions agree
sensitivity.py  outcome over direction and strength
paper.py        the list of them
"""
