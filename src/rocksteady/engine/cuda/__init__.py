"""Many runs on an NVIDIA GPU."""

from rocksteady.engine.cuda.batch import available, batch_peaks

__all__ = ["available", "batch_peaks"]
