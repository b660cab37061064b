"""Many runs on an NVIDIA GPU."""
