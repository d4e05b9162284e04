"""The engine of chains: TOSA pieces run in one engine, the rest of the source in another."""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.engines.engine import Arrays, Engine
from tosa_converter.errors import UnpredictableError
from tosa_converter.execute.inputs import require_inputs
from tosa_converter.ir import Array, Model, TensorType, Value, unique_names
from tosa_converter.rules.gate import require_legal

CHAIN = "chain"


class Chain(Engine):
    """Runs a partly converted model: TOSA pieces in `engine`, other pieces in the engine that `rest` returns."""

    opsets = frozenset({CHAIN})

    def __init__(self, engine: Engine, rest: Callable[[Model], Engine]) -> None:
        """Prepares an engine for partial conversions.

        TOSA pieces run in `engine`, others in the engine that `rest` returns for them.
        """
        self.name = engine.name
        self.engine = engine
        self.rest = rest

    def missing(self) -> list[str]:
        """Returns what this machine lacks to run the engine of the TOSA pieces, a line for each."""
        return self.engine.missing()

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """Runs the pieces of a partial conversion in order, each on the results of earlier ones.

        Pieces of TOSA run in the chain's engine, others in the engine that `rest` returns for them. Returns the outputs
        by name.
        """
        require_legal(model)
        graph = model.main
        values: dict[Value, Array] = dict(zip(graph.inputs, require_inputs(graph, inputs), strict=True))
        for op in graph:
            part: Model = op.attributes["model"]
            engine = self.engine if part.opset == "tosa" else self.rest(part)
            operands = zip(part.main.inputs, op.operands, strict=True)
            outputs = engine.run(
                part, {inner.name: _as_piece_input(values[value], inner.type) for inner, value in operands}
            )
            values.update(zip(op.results, map(_as_shared_tensor, op.results, outputs.values()), strict=True))
        names = unique_names(value.name for value in graph.outputs)
        return dict(zip(names, map(values.__getitem__, graph.outputs), strict=True))


def _as_piece_input(array: Array, type: TensorType) -> Array:
    """Converts a tensor to the input type of the chain's piece that reads it.

    Equal widths keep the bits, others are cast.
    """
    dtype = type.dtype.numpy
    # uint8 200 is the i8 -56 with the same bits; int64 5 becomes the i32 5.
    return array.view(dtype) if array.dtype.itemsize == dtype.itemsize else array.astype(dtype)


def _as_shared_tensor(value: Value, array: Array) -> Array:
    """Converts an output of a chain's piece to the type in which pieces share it: it may be int64 where TOSA has i32.

    Raises:
        UnpredictableError: 64-bit elements that don't fit 32 bits.
    """
    tensor = _as_piece_input(array, value.type)
    if value.type.dtype is DType.I32 and array.dtype.itemsize > 4 and not np.array_equal(tensor, array):
        raise UnpredictableError(f"{value.name!r} has 64-bit elements that don't fit the 32 bits of TOSA")
    return tensor
