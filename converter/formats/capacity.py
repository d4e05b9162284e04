"""How large a written file will be, by the constants that it has to hold, and which formats can't hold so much."""

from collections.abc import Iterable, Iterator

import numpy as np

from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array, Model

GIGABYTE = 1 << 30
_WAYS_OUT = "next: write a .tosa, .spv, .vgf, .mlir or .mlirbc, which hold any size; a .tosa may have weights beside it"


def constant_bytes(model: Model) -> int:
    """Returns the size of a model's constants in bytes, each stretch of memory once: about that of a file of them."""
    return _bytes_of(_constants(model))


def estimate_bytes(model: Model, *, stored: bool = False) -> int:
    """Returns about how many bytes the constants of a source take in its conversion, each stretch of memory once.

    Expanded, fp16 takes 4 bytes an element, and so do integers that a DEQUANTIZE makes floats; int4 and int2 take one.
    With `stored`, all are as narrow as their type: 1000 int4 elements take 500 bytes.
    """
    sizes: dict[tuple[int, int], int] = {}
    for graph in model.graphs.values():
        dequantized = {op.inputs[0] for op in graph.walk() if op.name == "tfl.dequantize"}
        for op in graph.walk():
            array = op.attribute("values")
            if isinstance(array, np.ndarray):
                width = op.result.type.dtype.bits / 8 if stored else float(array.itemsize)
                if not stored and (array.dtype == np.float16 or op.result in dequantized):
                    width = 4.0
                stretch = array.ctypes.data, array.nbytes
                sizes[stretch] = max(sizes.get(stretch, 0), int(array.size * width))
    return sum(sizes.values())


def integer_bytes(model: Model) -> int:
    """Returns the size of a model's constants of integers in bytes, each stretch of memory once."""
    return _bytes_of(array for array in _constants(model) if array.dtype.kind in "iu")


def _bytes_of(arrays: Iterable[Array]) -> int:
    """Returns the size of arrays in bytes, each stretch of memory once."""
    stretches = {(array.ctypes.data, array.nbytes) for array in arrays}
    return sum(size for _, size in stretches)


def _constants(model: Model) -> Iterator[Array]:
    """Yields the elements of all constants and initial values."""
    for graph in model.graphs.values():
        for op in graph.walk():
            for name in ("values", "initial_value"):
                array = op.attribute(name)
                if isinstance(array, np.ndarray):
                    yield array


def require_room(model: Model, ending: str, most: int) -> None:
    """Raises UnsupportedError if a format of this ending, which holds `most` bytes, can't hold a model's constants.

    0 is no limit.

    Of a source, the constants are as it stores them. A conversion may need more for them, hardly ever less.
    """
    size = constant_bytes(model) if most else 0
    if size > most:
        raise UnsupportedError(
            f"{model.source or 'the model'}: its constants need about {size / GIGABYTE:.1f} GB, and a {ending} holds "
            f"{most / GIGABYTE:.1f} GB at most",
            _WAYS_OUT,
        )
