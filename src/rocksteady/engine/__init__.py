"""What runs a theory: drivers over its one scalar `advance`.

drivers.py   one run: every sample, or only the extremes
watch.py     one run fed in blocks, for a monitor
batch.py     many runs on all cores; ground.py lays out their motions
lanes.py     many runs side by side in one thread: their tables (lane_table.py), who is in which
             (moves.py) and for how long (lane_runs.py), what they do together (gliding.py) and one
             by one (visits.py), round after round (rounds.py); rest.py skips what cannot move them
cuda/        many runs on an NVIDIA GPU
"""
