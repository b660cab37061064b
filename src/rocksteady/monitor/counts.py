"""Names of what the feed counts, singular and plural."""

COUNTS = {
    "samples": ("sample taken", "samples taken"),
    "gaps": ("gap filled", "gaps filled"),
    "filled": ("sample filled in", "samples filled in"),
    "outages": ("outage", "outages"),
    "lost": ("sample lost in outages", "samples lost in outages"),
    "duplicates": ("duplicate left out", "duplicates left out"),
    "late": ("late sample left out", "late samples left out"),
    "nonfinite": ("non-finite sample left out", "non-finite samples left out"),
    "impossible": ("impossible sample left out", "impossible samples left out"),
    "saturated": ("saturated sample", "saturated samples"),
    "garbage": ("line that is not a sample", "lines that are not samples"),
    "stray": ("sample with an impossible time", "samples with impossible times"),
    "clock_resets": ("reset of the clock", "resets of the clock"),
}

BREAKS = {
    "rotated": ("new file in place of the old one", "new files in place of the old ones"),
    "another file": ("different file", "different files"),
    "disconnected": ("lost connection", "lost connections"),
    "superseded": ("connection replaced by a newer one", "connections replaced by newer ones"),
    "restarted": ("restart", "restarts"),
    "torn lines": ("incomplete line", "incomplete lines"),
}
"""Names of what interrupts the input."""
