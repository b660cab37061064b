"""The bodies of an ensemble in words that tell them apart."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from rocksteady.systems import SYSTEMS

if TYPE_CHECKING:
    import xarray

MOST = 2  # parameters that are named beside the size


def system_labels(data: xarray.Dataset) -> list[str]:
    """Of each system its name, where it was given one; else its size, or its mass, and what else
    those of one size differ by: "1.8 × 0.5 m", "40 t, threshold 3734 N/m2". Number it where that
    is not enough.
    """
    names = data["system"].values
    if names.dtype.kind in "US":
        return [str(name) for name in names]
    kind = SYSTEMS.named(data.attrs["system_type"])
    shown = [data[name].values for name in kind.named_by]
    said = [
        kind.size(dict(zip(kind.named_by, values, strict=True)))
        for values in zip(*shown, strict=True)
    ]
    if len(set(said)) < len(said):
        own = [field.name for field in dataclasses.fields(kind)]
        _, first, which = np.unique(said, return_index=True, return_inverse=True)
        alike = first[which]  # of each, the first of its size
        differing = [
            name
            for name in own
            if name not in kind.named_by and (data[name].values != data[name].values[alike]).any()
        ]
        if len(differing) <= MOST:
            for name in differing:
                values, unit = data[name].values, data[name].attrs.get("units", "1").rstrip("1")
                words = [f"{name.replace('_', ' ')} {value:.6g} {unit}".strip() for value in values]
                said = [f"{label}, {word}" for label, word in zip(said, words, strict=True)]
    often = Counter(said)
    return [
        label if often[label] == 1 else f"{number}: {label}" for number, label in enumerate(said)
    ]
