"""What users have, pinned: results as digests of their bits, and texts as they are printed.

A change of a pin is a change for users. Whoever means it writes the pins anew with `make pins`,
looks at the difference, and says so in the commit.
"""
