"""Memory for samples, asked of the system in pieces that several arrays share.

New memory is dear: the system clears it page by page when it is first written to, and for the
samples of one record that takes longer than to parse them. A piece is one huge page where the
system has those (Linux); elsewhere every array gets memory of its own, as usual.

A piece lives as long as any array in it: at most 2 MiB for one that is kept of many.
"""

from __future__ import annotations

import mmap
import threading

import numpy as np
from numpy.typing import NDArray

_PIECE = 2 * 2**20  # bytes of a huge page
_LARGEST = _PIECE // 8  # bytes of an array that shares one
_LINE = 64  # bytes; each array begins at a multiple, as vector instructions like it
_HUGE_PAGES = getattr(mmap, "MADV_HUGEPAGE", None)


class Piece(mmap.mmap):
    """Memory of several arrays, no two of which overlap."""


class _Current(threading.local):
    """The piece that this thread takes arrays from; none of its bytes from ``used`` on is taken."""

    piece: Piece | None = None
    used = 0


_current = _Current()


def room_for(count: int) -> NDArray[np.float64]:
    """An array for ``count`` numbers, not yet set."""
    size = -(-8 * count // _LINE) * _LINE
    if _HUGE_PAGES is None or not 0 < size <= _LARGEST:
        return np.empty(count)
    piece, used = _current.piece, _current.used
    if piece is None or used + size > _PIECE:
        # Private: a forked process must not write into its parent's motions.
        piece, used = Piece(-1, _PIECE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), 0
        piece.madvise(_HUGE_PAGES)
        _current.piece = piece
    _current.used = used + size
    return np.ndarray(count, np.float64, piece, used)
