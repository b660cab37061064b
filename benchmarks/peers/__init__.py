"""The same rocking block in other people's programs, and in ours: error and time, side by side.

    make bench-peers        (or: python -m benchmarks.peers, where the peers are installed)

One small file per peer. Each says how the block is set up there (`SETTINGS`), and runs it.
"""
