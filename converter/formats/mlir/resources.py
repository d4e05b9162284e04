"""Constants that a module reads several times: MLIR's resources, whose elements stand once, behind the module.

%0 = "tosa.const"() <{values = dense_resource<constant_0> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
{-# dialect_resources: {builtin: {constant_0: "0x10000000..."}} #-}
"""

from collections.abc import Callable, Hashable, Iterable, Iterator

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats.shared import SAMPLE
from tosa_converter.ir import Array, Model, Op, Value
from tosa_converter.schemas.tosa_ops import CONST

SMALLEST = 1 << 10  # bytes; the digits of smaller constants are repeated
ALIGNMENT = 16  # of a resource's elements in memory, as its first 4 bytes state
# Element types whose raw bytes MLIR takes as hexadecimal text.
RAW = {DType.I8, DType.I16, DType.I32, DType.FP16, DType.BF16, DType.FP32, DType.FP8E4M3, DType.FP8E5M2}


class Resources:
    """The large constants that a model reads several times, by key.

    Compilers look up operands that must be constants, such as the multipliers of a RESCALE, and don't look into
    resources for them: those stay where they are.
    """

    def __init__(self, model: Model) -> None:
        """Finds constants of a model with equal bytes, in all graphs and regions, and gives each set of them a key.

        Most arrays differ in a sample of their elements; only those that agree in it are hashed as a whole.
        """
        arrays = [op.attributes["values"] for op in _sharable_constants(model)]
        repeated = [group for similar in _group_equal(arrays, _sample) for group in _group_equal(similar, _digest)]
        self._arrays = {f"constant_{i}": group[0] for i, group in enumerate(repeated)}
        # The model keeps the arrays alive, so an id means the same array as long as the text is written.
        keys = zip(self._arrays, repeated, strict=True)
        self._keys = {id(values): key for key, group in keys for values in group}

    def key(self, values: Array) -> str:
        """Returns the key of the resource with a constant's elements, or "" if no other constant shares them."""
        return self._keys.get(id(values), "")

    def section(self, digits: Callable[[Array], str]) -> Iterator[str]:
        """Yields the lines of the section that holds the shared elements; none if no constant is shared.

        `digits` returns an array as hexadecimal digits. In front of them, a resource states its alignment in 4 bytes.
        """
        if not self._arrays:
            return
        yield "{-#"
        yield "  dialect_resources: {"
        yield "    builtin: {"
        alignment = ALIGNMENT.to_bytes(4, "little").hex()
        for i, (key, values) in enumerate(self._arrays.items(), 1):
            yield f'      {key}: "0x{alignment}{digits(values)}"{"," if i < len(self._arrays) else ""}'
        yield "    }"
        yield "  }"
        yield "#-}"


def _sharable_constants(model: Model) -> Iterator[Op]:
    """Yields the constants of a model that may be shared as resources.

    They are large, of a type with raw bytes, and no operator needs them at compile time.
    """
    for graph in model.graphs.values():
        ops = list(graph.walk())
        compile_time = {value for op in ops for value in _compile_time_operands(op)}
        for op in ops:
            if op.row is CONST and op.result not in compile_time:
                values = op.attributes["values"]
                if values.nbytes >= SMALLEST and op.result.type.dtype in RAW:
                    yield op


def _compile_time_operands(op: Op) -> Iterator[Value]:
    """Yields the operands of an operator that must be constants."""
    for operand, value in zip(op.row.inputs if op.row else (), op.inputs, strict=False):
        if operand.ctc and value is not None:
            yield value


def _group_equal(arrays: Iterable[Array], key: Callable[[Array], Hashable]) -> list[list[Array]]:
    """Returns groups of arrays with equal keys, in order of their first ones.

    An array whose key no other has is left out.
    """
    groups: dict[Hashable, list[Array]] = {}
    for values in arrays:
        groups.setdefault(key(values), []).append(values)
    return [group for group in groups.values() if len(group) > 1]


def _sample(values: Array) -> Hashable:
    """Returns the size of an array and about 64 of its elements, which tell most arrays apart without a copy."""
    return values.nbytes, values.flat[:: max(1, values.size // SAMPLE)].tobytes()


def _digest(values: Array) -> bytes:
    """Returns a hash of an array's bytes, which equal arrays share.

    A transposed array is copied for it, but unlike the copy the hash may be kept: it is small.
    """
    from hashlib import blake2b

    return blake2b(np.ascontiguousarray(values).reshape(-1).view(np.uint8).data).digest()
