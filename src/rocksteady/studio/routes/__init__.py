"""The addresses under /api: each file has a ``router`` and says what it takes and gives."""
