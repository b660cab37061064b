"""Memory for samples, allocated in pieces that several arrays share.

New memory is expensive: the system clears it page by page when it is first written to, which takes
longer than parsing the samples of a record. A piece is one huge page if the system has those
(Linux); elsewhere every array gets its own memory. A piece lives as long as any array in it.
"""

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
    """The piece that this thread takes arrays from; its bytes from ``used`` on are free."""

    piece: Piece | None = None
    used = 0


_current = _Current()


def room_for(count: int) -> NDArray[np.float64]:
    """An uninitialised array for ``count`` numbers."""
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
