"""Our warnings, from where they are raised to the answer that the page shows."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rocksteady.errors import RocksteadyWarning


@contextmanager
def heard() -> Iterator[list[str]]:
    """The sentences of all our warnings within, each once; those of others are dropped."""
    said: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", RocksteadyWarning)
        yield said
    said += dict.fromkeys(str(one.message) for one in caught)


def with_warnings(answer: dict[str, Any], said: list[str]) -> dict[str, Any]:
    """The same answer with these among its ``warnings``, each once."""
    if not said:
        return answer
    return answer | {"warnings": [*dict.fromkeys([*answer.get("warnings", ()), *said])]}
