"""Stones on stones in other people's programs, and in ours: a stack at rest, a rocking frame and a
shaken wall; error and time, side by side.

    python -m benchmarks.peers --assemblies

One small file per peer, and one process per run: LMGC90 knows one model per process, and a program
that takes too long is stopped.
"""
