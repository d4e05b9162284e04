"""The search for a scale between bounds: the rounded results of a quantized operator bound its real results."""

import numpy as np

from tosa_converter.ir import Array


def middle_scale(low: Array, high: Array, steps: Array) -> float | None:
    """Returns the float32 in the middle of all scales `s` with `low <= s * steps <= high` for each element.

    Args:
        low: the least real number that is rounded to each result of a table.
        high: the greatest one.
        steps: what the scale is multiplied by, such as a byte less its zero point; none is 0.

    Returns:
        None if the middle isn't a positive number. If no scale fulfils all bounds, the middle doesn't either: the
        caller compares the results.
    """
    # A result q of a step n says (q - 0.5) / n <= s <= (q + 0.5) / n, and a negative n swaps the ends.
    # Example: results 3 and -2 of steps 10 and -6 say s in [0.25, 0.35] and [0.25, 0.4167]: the middle is 0.3.
    ends = np.sort(np.stack([low, high]) / steps, 0)
    scale = float(np.float32((ends[0].max() + ends[1].min()) / 2))
    return scale if 0 < scale < np.inf else None
