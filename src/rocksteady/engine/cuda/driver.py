"""NVIDIA's driver, called directly: it loads compiled loops, launches them and moves arrays.

numba-cuda does the same and more, but takes a second to get ready. So it only compiles
(`compile.py`), and a process that finds its loops on disk never imports it.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from ctypes import byref, c_char_p, c_float, c_int, c_int32, c_int64, c_size_t, c_uint, c_void_p
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import InputError

LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
MULTIPROCESSORS, MAJOR, MINOR = 16, 75, 76  # numbers of a GPU's attributes
WITHOUT_TIMING = 2  # of an event
FILLERS = 4  # threads


_page_locked: list[NDArray[Any]] = []


class GpuError(InputError):
    """Something that NVIDIA's driver refused to do."""


@cache
def library() -> Any:
    """The driver, loaded."""
    try:
        return ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise GpuError(f"NVIDIA's driver could not be loaded ({error}).") from error


def number_in_use() -> int:
    """The number of the GPU that another library has chosen for the calling thread; else 0, the
    first."""
    device = c_int()  # stays zero where nothing has been chosen
    library().cuCtxGetDevice(byref(device))
    return device.value


class Gpu:
    """One GPU. All that is here lies in its primary context, which other libraries of the process
    share."""

    simulated = False

    def __init__(self, number: int) -> None:
        self.driver, self.device, self.context = library(), c_int(), c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", byref(self.device), number)
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, len(name), self.device)
        self.name = name.value.decode()
        self.multiprocessors = self.attribute(MULTIPROCESSORS)
        self.capability = self.attribute(MAJOR), self.attribute(MINOR)
        self.call("cuDevicePrimaryCtxRetain", byref(self.context), self.device)

    def call(self, name: str, *args: Any) -> None:
        """Call a function of the driver; an error where it fails."""
        code = getattr(self.driver, name)(*args)
        if code:
            text = c_char_p()
            self.driver.cuGetErrorString(code, byref(text))
            why = text.value.decode() if text.value else "unknown error"
            raise GpuError(f"The GPU's driver answered {name} with error {code}: {why}.")

    def attribute(self, which: int) -> int:
        value = c_int()
        self.call("cuDeviceGetAttribute", byref(value), which, self.device)
        return value.value

    @contextlib.contextmanager
    def current(self) -> Iterator[None]:
        """While the calling thread uses this GPU. Everything below needs that."""
        self.call("cuCtxPushCurrent_v2", self.context)
        try:
            yield
        finally:
            self.call("cuCtxPopCurrent_v2", byref(c_void_p()))

    def synchronize(self) -> None:
        """Wait for all that is under way."""
        self.call("cuCtxSynchronize")

    # -- memory -----------------------------------------------------------------------------------

    def array(self, shape: tuple[int, ...], kind: Any) -> DeviceArray:
        """Memory of the GPU."""
        kind = np.dtype(kind)
        memory = _Memory(self, max(math.prod(shape) * kind.itemsize, 1))
        return DeviceArray(memory, memory.start, shape, kind)

    def page_locked(self, size: int, kind: Any) -> NDArray[Any]:
        """Memory of the computer that the GPU reads and writes by itself. It is never given back:
        that would halt the GPU."""
        values = np.empty(size, dtype=kind)
        # filled first, by several threads: the driver would have the system do that, with one
        with ThreadPoolExecutor(FILLERS) as pool:
            list(pool.map(np.ndarray.fill, np.array_split(values, FILLERS), [0] * FILLERS))
        self.call("cuMemHostRegister_v2", _address(values), c_size_t(values.nbytes), c_uint(0))
        _page_locked.append(values)
        return values

    def send(self, values: NDArray[Any], there: DeviceArray, stream: Stream | None = None) -> None:
        """Copy a contiguous array to the GPU. With a stream the call may return before it is done:
        until then nobody may change the values if they are page-locked."""
        what = c_void_p(there.start), _address(values), c_size_t(values.nbytes)
        if stream is None:
            self.call("cuMemcpyHtoD_v2", *what)
        else:
            self.call("cuMemcpyHtoDAsync_v2", *what, stream.handle)

    def fetch(self, there: DeviceArray, values: NDArray[Any], stream: Stream) -> None:
        """Copy from the GPU into page-locked memory, after what the stream has to do before."""
        what = _address(values), c_void_p(there.start), c_size_t(values.nbytes)
        self.call("cuMemcpyDtoHAsync_v2", *what, stream.handle)

    # -- loops ------------------------------------------------------------------------------------

    def load(self, code: bytes, name: str) -> c_void_p:
        """A loop with this name from its machine code, ready to be launched for good."""
        module, function = c_void_p(), c_void_p()
        self.call("cuModuleLoadData", byref(module), code)
        self.call("cuModuleGetFunction", byref(function), module, name.encode())
        return function

    def launch(
        self, function: c_void_p, grid: tuple[int, int], stream: Stream, shared: int, args: Any
    ) -> None:
        """Launch a loop on (blocks, threads of each) with so many bytes of memory that a block's
        threads share."""
        values = list(flattened(args))
        pointers = (c_void_p * len(values))(*map(ctypes.addressof, values))
        blocks, threads = grid
        size = (c_uint(blocks), c_uint(1), c_uint(1), c_uint(threads), c_uint(1), c_uint(1))
        self.call("cuLaunchKernel", function, *size, c_uint(shared), stream.handle, pointers, None)

    def stream(self) -> Stream:
        return Stream(self)

    def event(self, *, timing: bool = False) -> Event:
        return Event(self, timing)


def _address(values: NDArray[Any]) -> c_void_p:
    return c_void_p(values.ctypes.data)


def flattened(args: Any) -> Iterator[Any]:
    """Arguments as numba-cuda's machine code takes them: an array is two pointers that nobody uses,
    its length, the size of an entry, where it begins, its shape and its strides; a tuple is what is
    in it."""
    for arg in args:
        if isinstance(arg, DeviceArray):
            yield from (c_void_p(), c_void_p(), c_int64(arg.size), c_int64(arg.dtype.itemsize))
            yield c_void_p(arg.start)
            yield from map(c_int64, (*arg.shape, *arg.strides))
        elif isinstance(arg, tuple):
            yield from flattened(arg)
        elif isinstance(arg, np.int32):
            yield c_int32(int(arg))
        else:
            yield c_int64(arg)


class DeviceArray:
    """A contiguous array in the GPU's memory."""

    def __init__(self, memory: _Memory, start: int, shape: tuple[int, ...], dtype: Any) -> None:
        self.memory, self.start, self.shape, self.dtype = memory, start, shape, dtype
        self.size = math.prod(shape)

    @property
    def strides(self) -> tuple[int, ...]:
        return tuple(
            self.dtype.itemsize * math.prod(self.shape[k + 1 :]) for k in range(len(self.shape))
        )

    def __getitem__(self, rows: slice) -> DeviceArray:
        """Consecutive rows, in the same memory."""
        first, stop, _ = rows.indices(self.shape[0])
        shape = (stop - first, *self.shape[1:])
        return DeviceArray(self.memory, self.start + first * self.strides[0], shape, self.dtype)

    def reshape(self, *shape: int) -> DeviceArray:
        return DeviceArray(self.memory, self.start, shape, self.dtype)


class _Memory:
    """A piece of the GPU's memory, given back when no array is left in it."""

    def __init__(self, gpu: Gpu, size: int) -> None:
        self.gpu, start = gpu, c_void_p()
        gpu.call("cuMemAlloc_v2", byref(start), c_size_t(size))
        assert start.value is not None
        self.start = start.value

    def __del__(self) -> None:
        # At the end of the process the driver may be gone, and the memory with it.
        with contextlib.suppress(Exception), self.gpu.current():
            self.gpu.call("cuMemFree_v2", c_void_p(self.start))


class Stream:
    """A queue of work for the GPU."""

    def __init__(self, gpu: Gpu) -> None:
        self.gpu, self.handle = gpu, c_void_p()
        gpu.call("cuStreamCreate", byref(self.handle), c_uint(0))

    def synchronize(self) -> None:
        self.gpu.call("cuStreamSynchronize", self.handle)


class Event:
    """A mark in a stream."""

    def __init__(self, gpu: Gpu, timing: bool) -> None:
        self.gpu, self.handle = gpu, c_void_p()
        gpu.call("cuEventCreate", byref(self.handle), c_uint(0 if timing else WITHOUT_TIMING))

    def record(self, stream: Stream) -> None:
        self.gpu.call("cuEventRecord", self.handle, stream.handle)

    def synchronize(self) -> None:
        """Wait until the GPU has come here; not at all if it was never recorded."""
        self.gpu.call("cuEventSynchronize", self.handle)

    def seconds_since(self, other: Event) -> float:
        """Between two events with timing."""
        took = c_float()
        self.gpu.call("cuEventElapsedTime", byref(took), other.handle, self.handle)
        return took.value * 1e-3
