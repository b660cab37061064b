"""The dominant frequency of a measured response, updated as samples come.

Welch's method: the samples are cut into segments of a fixed length, each with its mean taken off
and a Hann window; the mean of the last few segments' power spectra has its largest value near the
building's frequency when it vibrates freely or under broad-band shaking. A parabola through the
logarithms of the three highest values places the peak between the spectrum's lines. Memory is one
segment and one spectrum, whatever the length of the record.
"""

import math
from typing import Any

import numpy as np

from rocksteady.monitor.exact import array_text, from_hex, read_array, to_hex
from rocksteady.numerics.types import Array

WINDOW = 20.0  # s: the spectrum has a line every 0.05 Hz
AVERAGED = 8  # spectra in the running mean, the older ones fading
LOWEST = 0.2  # Hz: below, tilt and drift of the sensor


class FrequencyTracker:
    """Running estimate of the dominant frequency [Hz] of one measured channel."""

    def __init__(self, dt: float, window: float = WINDOW) -> None:
        self.length = max(16, round(window / dt))
        self.dt = dt
        self.buffer = np.zeros(self.length)
        self.filled = 0
        self.spectrum = np.zeros(self.length // 2 + 1)
        self.segments = 0
        self.frequency = math.nan
        """The newest estimate [Hz]; nan until there is one."""
        self.reference = math.nan
        """The estimate when the running mean was first complete [Hz]."""

    @property
    def ratio(self) -> float:
        """Newest estimate over the reference [-]; nan while there is none."""
        return self.frequency / self.reference

    def push(self, measured: Array) -> None:
        """Take samples of the response; a sample that is not finite restarts the segment."""
        start = 0
        while start < len(measured):
            part = measured[start : start + self.length - self.filled]
            start += len(part)
            bad = np.flatnonzero(~np.isfinite(part))
            if len(bad):
                part, self.filled = part[bad[-1] + 1 :], 0
            self.buffer[self.filled : self.filled + len(part)] = part
            self.filled += len(part)
            if self.filled == self.length:
                self._segment()
                self.filled = 0

    def restart(self) -> None:
        """Drop the unfinished segment: the samples that follow do not continue it."""
        self.filled = 0

    def _segment(self) -> None:
        hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(self.length) / self.length)
        transform = np.fft.rfft(hann * (self.buffer - self.buffer.mean()))
        power = np.abs(transform) ** 2
        if not power.any():
            return  # a dead sensor
        self.segments += 1
        share = 1 / min(self.segments, AVERAGED)
        self.spectrum += share * (power / power.sum() - self.spectrum)
        self.frequency = self._peak()
        if self.segments == AVERAGED:
            self.reference = self.frequency

    def _peak(self) -> float:
        step = 1 / (self.length * self.dt)
        lowest = max(1, math.ceil(LOWEST / step))
        k = lowest + int(np.argmax(self.spectrum[lowest:-1]))
        around = self.spectrum[k - 1 : k + 2]
        if around.min() <= 0 or around[1] < around.max():
            return k * step
        left, middle, right = np.log(around)
        bend = left - 2 * middle + right
        return float((k + (0.5 * (left - right) / bend if bend else 0.0)) * step)

    # -- kept and restored ------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        return {
            "length": self.length,
            "buffer": array_text(self.buffer[: self.filled]),
            "spectrum": array_text(self.spectrum) if self.segments else "",
            "segments": self.segments,
            "frequency": to_hex(self.frequency),
            "reference": to_hex(self.reference),
        }

    @classmethod
    def from_dict(cls, about: dict[str, Any], dt: float) -> "FrequencyTracker":
        tracker = cls(dt, about["length"] * dt)
        kept = read_array(about["buffer"])
        tracker.filled = len(kept)
        tracker.buffer[: tracker.filled] = kept
        if about["spectrum"]:
            tracker.spectrum[:] = read_array(about["spectrum"])
        tracker.segments = about["segments"]
        tracker.frequency = from_hex(about["frequency"])
        tracker.reference = from_hex(about["reference"])
        return tracker
