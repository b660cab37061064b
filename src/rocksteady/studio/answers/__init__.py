"""What the worker processes compute: ``answer(folder, request)`` in a file for each question."""
