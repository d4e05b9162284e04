"""Resolves unknown dimensions of TOSA models: the sizes of inputs are stated, all others follow by the shape rules."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tosa_converter.conversion import MAX_SIZE, resolve_input_shapes
from tosa_converter.errors import UnsupportedError, UsageError, did_you_mean, list_names
from tosa_converter.execute.inputs import named_inputs
from tosa_converter.ir import Graph, Model, Op, Shape, TensorType, Value, name_with_location, plain_type
from tosa_converter.ir.borders import shape_words
from tosa_converter.ir.edit import copy_model
from tosa_converter.rules.partial_shapes import infer_partial_shapes
from tosa_converter.schemas import tosa_ops as ops

MOST_LISTED = 3  # inputs or values that a message names


def has_unknown_dims(model: Model) -> bool:
    """Returns whether a TOSA model has tensors with unknown dimensions; False for models of other opsets."""
    return model.opset == "tosa" and any(None in value.type.shape for value in _all_values(model))


def with_known_dims(
    model: Model, shapes: Mapping[str, Sequence[int]], bounds: Mapping[str, int] | None = None
) -> Model:
    """Returns a copy of a TOSA model in which every dimension is known; others, and known ones, as they are.

    A RESHAPE or SLICE whose size for a dimension is -1, which MLIR infers at run time, gets the size itself.

    Args:
        model: as a reader returns it; it stays as it is.
        shapes: shapes of inputs with unknown dimensions, by name.
        bounds: the size of every unknown dimension of an input, by name, such as the largest batch.

    Raises:
        UsageError: there is no such input, or the shape doesn't fit it.
        UnsupportedError: dimensions that stay unknown, with the inputs whose shape isn't stated.
    """
    resolved = resolve_input_shapes(model, shapes) if model.opset == "tosa" else {}
    if not has_unknown_dims(model):
        return model
    return resolve_dims(model, _bounded_shapes(model, bounds or {}) | resolved)


def resolve_dims(model: Model, shapes: Mapping[str, Shape]) -> Model:
    """Returns a copy of a TOSA model with the shapes of inputs by their tensors' names, and all that follows from them.

    A model without unknown dimensions is returned as it is. Raises UnsupportedError for dimensions that stay unknown.
    """
    if not has_unknown_dims(model):
        return model
    resolved, edited = copy_model(model), model.edited
    resolved.edited = edited
    for graph in resolved.graphs.values():
        for value in graph.inputs:
            _set_shape(value, shapes.get(value.name, value.type.shape))
        _resolve_graph(graph, {})
    _require_known(resolved)
    return resolved


def _all_values(model: Model) -> Iterator[Value]:
    """Yields every input and result of a model's graphs and of their regions."""
    for graph in model.graphs.values():
        yield from _values_of(graph)


def _values_of(graph: Graph) -> Iterator[Value]:
    """Yields every input and result of a graph and of the regions of its operators, in order."""
    yield from graph.inputs
    for op in graph.ops:
        for region in op.regions:
            yield from _values_of(region)
        yield from op.results


def _bounded_shapes(model: Model, bounds: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """Returns shapes of inputs by their tensors' names, with the user's bound in place of each unknown dimension.

    Raises:
        UsageError: no input with unknown dimensions has that name, or a bound isn't in 1 to MAX_SIZE.
    """
    inputs = {
        name: value
        for graph in model.graphs.values()
        for name, value in named_inputs(model, graph).items()
        if None in value.type.shape
    }
    shapes = {}
    for name, size in bounds.items():
        if name not in inputs:
            expected = f"an input with unknown dimensions ({list_names(sorted(inputs))})"
            raise UsageError(f"bound: expected {expected}, found {name!r}{did_you_mean(name, inputs)}")
        if not 0 < size <= MAX_SIZE:
            raise UsageError(f"bound: expected a size of 1 to {MAX_SIZE} for {name!r}, found {size}")
        value = inputs[name]
        shapes[value.name] = tuple(size if dim is None else dim for dim in value.type.shape)
    return shapes


# ** the pass **


def _set_shape(value: Value, shape: Shape) -> None:
    """Sets those dimensions of a value that are unknown to the ones of `shape`, if that has the same rank."""
    stated = value.type.shape
    if None in stated and len(shape) == len(stated):
        sizes = tuple(dim if size is None else size for size, dim in zip(stated, shape, strict=True))
        value.type = value.type._replace(shape=sizes)


def _resolve_graph(graph: Graph, variables: dict[str, TensorType]) -> None:
    """Sets the unknown dimensions of a graph's values that follow from its inputs, in the order of its operators."""
    resolved: list[Op] = []
    replaced: set[Op | None] = set()  # constants of sizes
    for op in graph.ops:
        if op.row is ops.VARIABLE:
            variables[op.attributes["name"]] = plain_type(op.attributes["type"], tuple(op.attributes["var_shape"]))
        sizes = _inferred_sizes(op)
        if sizes is not None:
            resolved.append(sizes)
            *data_operands, sizes_before = op.operands  # the last operand of RESHAPE and SLICE
            replaced.add(sizes_before.producer)
            op.inputs = (*data_operands, sizes.result)
        operands = op.inputs[1:] if op.row is ops.COND_IF else op.inputs
        for region in op.regions:
            for value, operand in zip(region.inputs, operands, strict=False):
                if operand is not None:
                    _set_shape(value, operand.type.shape)
            _resolve_graph(region, variables)
        resolved.append(op)
        if any(None in value.type.shape for value in op.results):
            shapes = infer_partial_shapes(op.row, op.inputs, op.attributes, regions=op.regions, variables=variables)
            for value, shape in zip(op.results, shapes or (), strict=False):
                _set_shape(value, shape)
    read = {*graph.outputs, *(value for op in resolved for value in op.inputs)} if replaced else set()
    graph.ops[:] = [op for op in resolved if op not in replaced or op.result in read]


def _inferred_sizes(op: Op) -> Op | None:
    """Returns a CONST_SHAPE with the sizes of a RESHAPE or SLICE whose own have -1 for one that follows from the rest.

    None if there is nothing to infer, or if it doesn't follow.
    """
    if op.row not in (ops.RESHAPE, ops.SLICE) or not all(op.inputs):
        return None
    source, *rest = (value for value in op.inputs if value is not None)
    sizes, shape = rest[-1].constant, source.type.shape
    if sizes is None or -1 not in sizes or None in shape:
        return None
    complete = sizes.copy()
    if op.row is ops.RESHAPE:
        # 2x6 elements as [-1, 3]: 12 // 3 = 4. The verifier compares the numbers of elements.
        rest_size = math.prod(size for size in sizes.tolist() if size != -1)
        complete[sizes == -1] = math.prod(source.type.static) // max(rest_size, 1)
    elif rest[0].constant is None or len(rest[0].constant) != len(shape) or len(sizes) != len(shape):
        return None
    else:
        complete = np.where(sizes == -1, np.array(shape) - rest[0].constant, sizes)
    return Op(ops.CONST_SHAPE, (), [rest[-1].type], {"values": complete.astype(sizes.dtype)}, location=op.location)


# ** what stays unknown **


def _require_known(model: Model) -> None:
    """Raises UnsupportedError for dimensions that are still unknown; inputs come first, as the others follow from them.

    The message has one line, and one with the way out.
    """
    inputs = {value: graph for graph in model.graphs.values() for value in graph.inputs if None in value.type.shape}
    if inputs:
        from shlex import quote

        names = [(model.caller_names(graph)[value], value.type) for value, graph in inputs.items()]
        listed = ", ".join(f"{name!r} {shape_words(type)}" for name, type in names[:MOST_LISTED])
        more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
        examples = (f"{name}={_example_shape(type)}" for name, type in names[:MOST_LISTED])
        options = " ".join(f"--input-shape {quote(example)}" for example in examples)
        raise UnsupportedError(
            f"{model.source or 'the model'}: inputs have unknown dimensions: {listed}{more}",
            f"next: state their sizes (input_shapes): {options}",
        )
    unknown = [op for graph in model.graphs.values() for op in graph.walk() if _is_unknown(op)]
    if unknown:
        first = unknown[0]
        value = next(value for value in first.results if None in value.type.shape)
        more = f", and of {len(unknown) - 1} more operators" if len(unknown) > 1 else ""
        place = name_with_location(first.name, first.location)
        raise UnsupportedError(
            f"{model.source or 'the model'}: dimensions don't follow from the inputs' at {place}: {value!r}{more}",
            "next: write the file with known sizes there",
        )


def _is_unknown(op: Op) -> bool:
    """Returns whether a result of an operator has unknown dimensions."""
    return any(None in value.type.shape for value in op.results)


def _example_shape(type: TensorType) -> str:
    """Returns the sizes of a type as --input-shape takes them, 1 for unknown ones: "1,224,224,3"."""
    return ",".join("1" if size is None else str(size) for size in type.shape)
