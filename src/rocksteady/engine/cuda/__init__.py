"""Many runs on an NVIDIA GPU."""

from rocksteady.engine.cuda.batch import batch_peaks as batch_peaks
from rocksteady.engine.cuda.gpu import available as available
