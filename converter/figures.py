"""Reports as plain data: strict JSON, which has no infinities and no NaN."""

import json
import math
from typing import Any


def as_json(figures: Any) -> str:
    """Returns strict JSON on one line; infinities and NaN become null."""
    return json.dumps(finite(figures), allow_nan=False).replace("\x7f", "\\u007f")  # the one control that json leaves


def finite(figures: Any) -> Any:
    """Returns plain data with None for infinities and NaN, which JSON can't express."""
    if isinstance(figures, float):
        return figures if math.isfinite(figures) else None
    if isinstance(figures, dict):
        return {key: finite(value) for key, value in figures.items()}
    return [finite(value) for value in figures] if isinstance(figures, list | tuple) else figures
