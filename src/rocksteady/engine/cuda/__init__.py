"""Many runs on an NVIDIA GPU."""

from rocksteady.engine.cuda.batch import available as available
from rocksteady.engine.cuda.batch import batch_peaks as batch_peaks
