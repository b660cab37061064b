"""A body from a 3D scan: what it encloses, how it stands, and what is doubtful about that."""
