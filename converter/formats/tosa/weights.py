"""Constants of a `.tosa` as inputs, with their elements in an `.npz` beside it, as `--constants inputs` writes them.

The official serializer has this form too (ConstMode.INPUTS), with an `.npy` file for each constant. One `.npz` keeps
them together, `run --input` takes it as it is, and numpy reads it; its arrays are stored uncompressed, so they are
mapped. An array is called after the input that it is for. When the `.tosa` is read, the arrays become constants again.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tosa_converter.errors import FormatError
from tosa_converter.formats.shared import SharedArrays
from tosa_converter.formats.spirv.constants import ConstantArchive, storage_elements, write_arrays
from tosa_converter.formats.storage import FilePath, atomically
from tosa_converter.formats.table import WEIGHTS_ENDING
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Array, Graph, Model, Op, Value, unique_names
from tosa_converter.ir.edit import copy_model, drop_dead_ops, replace_values
from tosa_converter.schemas import tosa_ops as ops

LEAST = 64  # bytes of a constant that becomes an input: smaller ones would take more in the archive


def path_of_weights(path: FilePath) -> Path:
    """Returns the path of the `.npz` with the constants of a `.tosa`."""
    return Path(path).with_name(f"{Path(path).stem}{WEIGHTS_ENDING}")


def save_with_weights(model: Model, path: FilePath) -> int:
    """Writes a `.tosa` whose constants are inputs, and its data file beside it; returns the size of both.

    Both files take the place of older ones together, when they are complete.
    """
    separated, arrays = split_constants(model)
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(atomically(path))
        size = sum(file.write(piece) for piece in write_tosa(separated))
        if arrays:
            # The stack leaves its last context first, so the data file is replaced before the `.tosa` that needs it.
            data = stack.enter_context(atomically(path_of_weights(path)))
            write_arrays(data, arrays.items())
            size += data.tell()
    return size


def split_constants(model: Model) -> tuple[Model, dict[str, Array]]:
    """Returns a copy of a TOSA model whose larger constants are inputs, and their elements by the inputs' names.

    The new inputs follow the others. Constants that TOSA needs at compile time stay. Equal constants of one type have
    one name, also in several graphs.
    """
    copied = copy_model(model)
    values = [value for graph in copied.graphs.values() for op in graph.walk() for value in op.results]
    taken = {value.name for graph in copied.graphs.values() for value in graph.inputs} | {v.name for v in values}
    shared, names, arrays = SharedArrays(), list[str](), dict[str, Array]()
    for graph in copied.graphs.values():
        inputs: dict[str, Value] = {}
        moved: dict[Value, Value] = {}
        for op in _movable_constants(graph):
            type = op.result.type
            array = storage_elements(op.attributes["values"], type)

            # The defaults bind this round's values.
            def add(preferred: str = op.result.name, array: Array = array) -> int:
                """Keeps `array`, named as its constant unless another value has that name.

                Returns the index of its name in `names`.
                """
                name = preferred if preferred.isprintable() and preferred else "constant"
                (name,) = unique_names([name], (taken - {preferred}) | arrays.keys())
                arrays[name] = array
                names.append(name)
                return len(names) - 1

            name = names[shared.number(array.reshape(-1).view(np.uint8), add, kind=type)]
            moved[op.result] = inputs.setdefault(name, Value(type, name))
        graph.inputs += inputs.values()
        replace_values(graph, moved)
        drop_dead_ops(graph)
    return copied, arrays


def _movable_constants(graph: Graph) -> Iterator[Op]:
    """Yields the constants of at least LEAST bytes that every reader takes at run time.

    Constants that are outputs, or that a region or an operator outside of TOSA reads, stay.
    """
    fixed = set(graph.outputs)
    for op in graph.ops:
        fixed.update(value for region in op.regions for inner in region.walk() for value in inner.operands)
        if op.row is None:
            fixed.update(op.operands)
            continue
        operands = [value for value in op.inputs if value is not None]
        fixed.update(value for value, row in zip(operands, op.row.inputs, strict=False) if row.ctc)
    for op in graph.ops:
        if op.row is ops.CONST and op.attributes["values"].nbytes >= LEAST and op.result not in fixed:
            yield op


def attach_weights(model: Model, file: str) -> None:
    """Turns inputs of a `.tosa` back into constants, if the data file beside it has their elements.

    A file of that name whose arrays are for other inputs belongs to an earlier `.tosa`, and stays unused.

    Raises:
        FormatError: the data file is malformed, or some of its arrays are for no input or don't fit.
    """
    path = path_of_weights(file)
    archive = ConstantArchive(path)
    if not any(f"{value.name}.npy" in archive.members for graph in model.graphs.values() for value in graph.inputs):
        return
    unused = {name.removesuffix(".npy") for name in archive.members}
    for graph in model.graphs.values():
        constants = {
            value: Op(
                "tosa.const",
                (),
                [value.type],
                {"values": archive.read(f"{value.name}.npy", value.type)},
                location=value.name,
                result_names=[value.name],
            )
            for value in graph.inputs
            if f"{value.name}.npy" in archive.members
        }
        unused -= {value.name for value in constants}
        replace_values(graph, {value: op.result for value, op in constants.items()})
        graph.inputs = [value for value in graph.inputs if value not in constants]
        graph.ops[:0] = constants.values()
        for name, signature in model.signatures.items():
            if signature.graph == graph.name:
                inputs = {key: value for key, value in signature.inputs.items() if value not in constants}
                model.signatures[name] = signature._replace(inputs=inputs)
    if unused:
        raise FormatError(
            f"expected arrays for inputs of {file}, found one for {min(unused)!r}, which is none",
            "next: keep the data file beside the .tosa that was written with it",
            file=str(path),
        )
    model.notes.append((file, f"constants are in {str(path)!r}"))
