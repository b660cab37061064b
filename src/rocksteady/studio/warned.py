"""Our warnings in the answer that the page shows."""

from typing import Any


def with_warnings(answer: dict[str, Any], said: list[str]) -> dict[str, Any]:
    """The same answer with these among its ``warnings``, each once."""
    if not said:
        return answer
    return answer | {"warnings": [*dict.fromkeys([*answer.get("warnings", ()), *said])]}
