"""Finds arrays that a file holds already: the signatures of a model, and equal layers, share weights."""

from collections.abc import Callable, Hashable

import numpy as np

from tosa_converter.ir import Array

SAMPLE = 64  # about so many bytes, evenly spaced, are compared before arrays are compared whole
CANDIDATES = 4  # arrays of one sample that a further one is compared with: more are hostile or nearly all zeros


class SharedArrays:
    """The arrays of a file, by number; arrays with the same memory or the same bytes have one number.

    Two arrays are compared whole only if they have the same size and the same sample of bytes.
    """

    def __init__(self) -> None:
        """Starts without arrays; `_arrays` has them by what equal ones share: size, kind and a sample of bytes."""
        self._arrays: dict[Hashable, list[tuple[int, Array]]] = {}

    def number(self, content: Array, add: Callable[[], int], kind: Hashable = None) -> int:
        """Returns the number of an array: that of an equal one of the same kind, or what `add` returns for a new one.

        Of arrays with one size and sample, only the first few are compared, so an equal one may be missed.

        Args:
            content: the array's bytes [size], uint8, which mustn't change later.
            add: called for an array that is new; it writes the array and returns a number for it.
            kind: what else must be equal, such as the alignment.
        """
        sample = content[:: max(1, content.size // SAMPLE)].tobytes()
        candidates = self._arrays.setdefault((content.size, kind, sample), [])
        for number, array in candidates:
            if array.ctypes.data == content.ctypes.data or np.array_equal(array, content):
                return number
        number = add()
        if len(candidates) < CANDIDATES:
            candidates.append((number, content))
        return number
