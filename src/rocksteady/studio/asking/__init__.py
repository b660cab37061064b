"""An answer for people without the vocabulary: what is it, how large, on which floor, where?

`question` turns their words into an assessment, `shares` counts how many earthquakes of the place's
strength overturn the object, `helps` says what would halve its risk.
"""
