"""Graphs of one operator for SPIR-V and Vulkan: every row of every type table, variants of attributes and shapes."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Op, TensorType, Value
from tosa_converter.rules.inference import infer_types
from tosa_converter.rules.types import ACCUMULATORS, Combination, combinations
from tosa_converter.schemas.spirv import INSTRUCTIONS
from tosa_converter.schemas.tosa_ops import BY_OPCODE, OpDef, Operand

NUMPY_BITS = {DType.I8: 8, DType.I16: 16, DType.I32: 32, DType.I48: 48}
ACC_TYPES = {dtype: name for name, dtype in ACCUMULATORS.items()}
ROW = {row.name: row for row in BY_OPCODE.values()}


class Case(NamedTuple):
    """A graph of one operator and inputs for it."""

    name: str
    graph: Graph
    inputs: dict[str, Array]


ELEMENTWISE = (2, 3, 4)
CONV = {"input": (1, 5, 6, 3), "bias": (4,)}
WEIGHTS = {
    "CONV2D": (4, 2, 3, 3),
    "CONV3D": (4, 2, 2, 2, 3),
    "DEPTHWISE_CONV2D": (2, 3, 3, 2),
    "TRANSPOSE_CONV2D": (4, 2, 2, 3),
}
SHAPES: dict[str, dict[str, tuple[int, ...]]] = {
    "AVG_POOL2D": {"input": (1, 6, 6, 3)},
    "MAX_POOL2D": {"input": (1, 6, 6, 3)},
    "CONV2D": CONV,
    "CONV3D": {"input": (1, 4, 5, 6, 3), "bias": (4,)},
    "DEPTHWISE_CONV2D": {"input": (1, 5, 6, 3), "bias": (6,)},
    "TRANSPOSE_CONV2D": {"input": (1, 3, 4, 3), "bias": (1,)},
    "FFT2D": {"input_real": (2, 4, 8), "input_imag": (2, 4, 8)},
    "RFFT2D": {"input_real": (2, 4, 8)},
    "MATMUL": {"A": (2, 3, 5), "B": (2, 5, 4)},
    "GATHER": {"values": (2, 6, 3), "indices": (2, 4)},
    "SCATTER": {"values_in": (2, 6, 3), "indices": (2, 4), "input": (2, 4, 3)},
    "RESIZE": {"input": (1, 3, 4, 2)},
}
ATTRIBUTES: dict[str, dict[str, Any]] = {
    "ARGMAX": {"axis": 1, "nan_mode": "PROPAGATE"},
    "AVG_POOL2D": {"kernel": (2, 3), "stride": (2, 1), "pad": (0, 0, 1, 1)},
    "MAX_POOL2D": {"kernel": (2, 3), "stride": (2, 1), "pad": (0, 0, 1, 1), "nan_mode": "PROPAGATE"},
    "CONV2D": {"pad": (0, 1, 1, 1), "stride": (1, 1), "dilation": (1, 2), "local_bound": False},
    "CONV3D": {"pad": (0, 1, 1, 0, 0, 1), "stride": (1, 1, 1), "dilation": (1, 1, 1), "local_bound": False},
    "DEPTHWISE_CONV2D": {"pad": (1, 1, 0, 1), "stride": (1, 2), "dilation": (1, 1), "local_bound": False},
    "TRANSPOSE_CONV2D": {"out_pad": (0, 1, 0, 0), "stride": (2, 2), "local_bound": False},
    "FFT2D": {"inverse": False, "local_bound": False},
    "RFFT2D": {"local_bound": False},
    "CLAMP": {"min_val": -1, "max_val": 2, "nan_mode": "PROPAGATE"},
    "ARITHMETIC_RIGHT_SHIFT": {"round": True},
    "MAXIMUM": {"nan_mode": "PROPAGATE"},
    "MINIMUM": {"nan_mode": "PROPAGATE"},
    "REDUCE_ALL": {"axis": 2},
    "REDUCE_ANY": {"axis": 0},
    "REDUCE_MAX": {"axis": 1, "nan_mode": "PROPAGATE"},
    "REDUCE_MIN": {"axis": 2, "nan_mode": "PROPAGATE"},
    "REDUCE_PRODUCT": {"axis": 1},
    "REDUCE_SUM": {"axis": 2},
    "CONCAT": {"axis": 1},
    "REVERSE": {"axis": 1},
    "TRANSPOSE": {"perms": (2, 0, 1)},
    "RESIZE": {"mode": "BILINEAR"},
    "RESCALE": {
        "scale32": True,
        "rounding_mode": "SINGLE_ROUND",
        "per_channel": False,
        "input_unsigned": False,
        "output_unsigned": False,
    },
}
# Operands that must be constants, besides zero points.
CONSTANT_OPERANDS: dict[tuple[str, str], Any] = {
    ("PAD", "padding"): (0, 1, 2, 0, 1, 1),
    ("RESHAPE", "shape"): (4, 6),
    ("SLICE", "start"): (0, 1, 2),
    ("SLICE", "size"): (2, 2, 1),
    ("TILE", "multiples"): (2, 1, 3),
    ("RESIZE", "scale"): (4, 2, 4, 2),
    ("RESIZE", "offset"): (0, 0),
    ("RESIZE", "border"): (2, 2),
    ("RESCALE", "shift"): (34,),
    ("MUL", "shift"): (0,),
}
LARGE_CONSTANTS = {"weight", "bias"}  # constants here although they need not be
POSITIVE = {("POW", "input1"), ("LOG", "input1"), ("RSQRT", "input1"), ("INTDIV", "input2"), ("RECIPROCAL", "input1")}


def cases() -> Iterator[Case]:
    """Every row of every type table, then the variants; the same ones at every call."""
    for row in INSTRUCTIONS.values():
        for number, types in enumerate(combinations(row)):
            attributes = _attributes(row, types)
            if attributes is not None:
                words = "_".join(dtype.value for dtype in types.types.values())
                yield build(f"{row.name}_{words}_{number}", row, types, attributes)
    yield from _variants()


def _attributes(row: OpDef, types: Combination) -> dict[str, Any] | None:
    """Attributes that go with a row of the type table, None where no pair of them does."""
    attributes = dict(ATTRIBUTES.get(row.name, {}))
    if any(attr.name == "acc_type" for attr in row.attributes):
        attributes["acc_type"] = ACC_TYPES[types.types["acc_t"]]
    if row.name == "RESIZE":
        same = types.types["in_t"] is types.types["out_t"] and not types.types["in_t"].is_float
        attributes["mode"] = "NEAREST_NEIGHBOR" if same else "BILINEAR"
    if row.name == "RESCALE":
        attributes["scale32"] = types.types["mul_t"] is DType.I32
        if attributes["scale32"] and types.types["in_t"] is DType.I48:
            return None
    return attributes


def build(
    name: str,
    row: OpDef,
    types: Combination,
    attributes: Mapping[str, Any],
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    constants: Mapping[str, Any] | None = None,
) -> Case:
    """A graph of one operator with random inputs."""
    random = np.random.default_rng(sum(name.encode()))
    graph = Graph("main")
    inputs: dict[str, Array] = {}
    operands: list[Value] = []
    shapes = {**SHAPES.get(row.name, {}), **(shapes or {})}
    for operand in _operands(row):
        dtype = types.dtype(operand)
        assert dtype is not None
        given = (constants or {}).get(operand.name, _constant(row, operand, dtype, random))
        if given is not None:
            values = np.asarray(given, dtype.numpy)
            op = "tosa.const_shape" if dtype is DType.SHAPE else "tosa.const"
            constant = Op(op, (), [TensorType(dtype, values.shape)], {"values": values})
            graph.ops.append(constant)
            operands.append(constant.result)
            continue
        shape = shapes.get(operand.name, ELEMENTWISE)
        value = Value(TensorType(dtype, shape), f"in{len(graph.inputs)}")
        graph.inputs.append(value)
        operands.append(value)
        inputs[value.name] = _random(row, operand, dtype, shape, types, random)
    out = types.dtype(row.outputs[0])
    results = infer_types(row, operands, attributes, out)
    graph.ops.append(Op(row.opcode, operands, results, dict(attributes), location=f"here/{row.name}"))
    graph.outputs = list(graph.ops[-1].results)
    for index, result in enumerate(graph.outputs):
        result.name = f"out{index}"
    return Case(name, graph, inputs)


def _operands(row: OpDef) -> list[Operand]:
    return [*row.inputs, row.inputs[0]._replace(name="input2")] if row.name == "CONCAT" else list(row.inputs)


def _constant(row: OpDef, operand: Operand, dtype: DType, random: np.random.Generator) -> Any:
    if (row.name, operand.name) in CONSTANT_OPERANDS:
        return CONSTANT_OPERANDS[row.name, operand.name]
    if operand.name == "multiplier":
        return (1 << 30,) if dtype is DType.I32 else (1 << 14,)
    if operand.name == "table":
        size = 256 if dtype is DType.I8 else 513
        steps = np.cumsum(random.integers(0, 100, size)) - 25000
        return random.integers(-128, 128, size) if dtype is DType.I8 else steps
    if operand.name == "pad_const":
        return (1,)
    if operand.name.endswith("_zp"):
        return (3,) if dtype is DType.I8 else (0,)
    if operand.name in LARGE_CONSTANTS:
        shape = WEIGHTS[row.name] if operand.name == "weight" else SHAPES[row.name]["bias"]
        return _numbers(dtype, shape, random)
    return None


def _numbers(dtype: DType, shape: tuple[int, ...], random: np.random.Generator) -> Array:
    if dtype is DType.BOOL:
        return random.integers(0, 2, shape).astype(bool)
    if dtype.is_float:
        spread = 2 if dtype.bits == 8 else 1
        return (random.standard_normal(shape) * spread).astype(np.float32).astype(dtype.numpy)
    limit = {DType.I4: 7, DType.I8: 127, DType.I16: 32767, DType.I32: 30000, DType.I48: 1 << 34}[dtype]
    return random.integers(-limit, limit + 1, shape).astype(dtype.numpy)


def _random(
    row: OpDef,
    operand: Operand,
    dtype: DType,
    shape: tuple[int, ...],
    types: Combination,
    random: np.random.Generator,
) -> Array:
    name = (row.name, operand.name)
    if operand.name == "indices":  # SCATTER writes each place once
        size = SHAPES[row.name]["values" if row.name == "GATHER" else "values_in"][1]
        return np.array([random.permutation(size)[: shape[1]] for _ in range(shape[0])], np.int32)
    if "SHIFT" in row.name and operand.name == "input2":
        low = 1 if row.name == "ARITHMETIC_RIGHT_SHIFT" else 0
        return random.integers(low, dtype.bits, shape).astype(dtype.numpy)
    values = _numbers(dtype, shape, random)
    if name in POSITIVE:
        return np.maximum(np.abs(values), values.dtype.type(0.25 if dtype.is_float else 1))
    if row.name == "CAST" and dtype.is_float and not types.types["out_t"].is_float:
        return (values.astype(np.float32) * 40).astype(dtype.numpy)
    return values


def _variants() -> Iterator[Case]:
    yield from _shape_variants()
    yield from _mode_variants()
    yield from _rescale_variants()


def _row(name: str, *dtypes: DType) -> Combination:
    """The row of a type table with these types."""
    found = [line for line in combinations(ROW[name]) if tuple(line.types.values())[: len(dtypes)] == dtypes]
    return found[0]


I8, I16, I32, I48 = DType.I8, DType.I16, DType.I32, DType.I48
FP16, FP32, BOOL = DType.FP16, DType.FP32, DType.BOOL


def _shape_variants() -> Iterator[Case]:
    ranks = {1: (7,), 2: (3, 5), 4: (2, 3, 1, 4), 5: (1, 2, 3, 2, 2), 6: (2, 1, 2, 3, 1, 2)}
    for rank, shape in ranks.items():
        ones = {"input1": shape, "input2": (1,) * (rank - 1) + (shape[-1],)}
        for name, dtype in (("ADD", I32), ("SUB", FP32), ("MAXIMUM", FP32), ("MUL", I8), ("GREATER", I32)):
            attributes = ATTRIBUTES.get(name, {})
            yield build(f"{name}_broadcast_rank{rank}", ROW[name], _row(name, dtype), attributes, ones)
        axis = {"axis": rank - 1, "nan_mode": "PROPAGATE"}
        yield build(f"REDUCE_MAX_rank{rank}", ROW["REDUCE_MAX"], _row("REDUCE_MAX", I8), axis, {"input": shape})
        yield build(f"REVERSE_rank{rank}", ROW["REVERSE"], _row("REVERSE", I16), {"axis": 0}, {"input1": shape})
        perms = {"perms": tuple(reversed(range(rank)))}
        yield build(f"TRANSPOSE_rank{rank}", ROW["TRANSPOSE"], _row("TRANSPOSE", I8), perms, {"input1": shape})
        padding = {"padding": (1, 2) * rank}
        yield build(f"PAD_rank{rank}", ROW["PAD"], _row("PAD", FP32), {}, {"input1": shape}, padding)
        last = rank - 1
        both = {"input1": shape, "input2": (*shape[:last], 5)}
        yield build(f"CONCAT_rank{rank}", ROW["CONCAT"], _row("CONCAT", I8), {"axis": last}, both)
        twice = {"multiples": (2,) * rank}
        yield build(f"TILE_rank{rank}", ROW["TILE"], _row("TILE", I32), {}, {"input1": shape}, twice)
    scalars = {"input1": (), "input2": ()}
    yield build("ADD_rank0", ROW["ADD"], _row("ADD", FP32), {}, scalars)
    yield build("RESHAPE_to_rank0", ROW["RESHAPE"], _row("RESHAPE", I8), {}, {"input1": (1, 1)}, {"shape": ()})
    yield build("RESHAPE_rank0_to_2", ROW["RESHAPE"], _row("RESHAPE", FP32), {}, {"input1": ()}, {"shape": (1, 1)})
    axis = {"axis": 0, "nan_mode": "PROPAGATE"}
    yield build("ARGMAX_rank1", ROW["ARGMAX"], _row("ARGMAX", FP32), axis, {"input": (9,)})
    three = {"input1": (2, 1, 4), "input2": (1, 3, 1), "input3": (2, 3, 4)}
    yield build("SELECT_broadcast", ROW["SELECT"], _row("SELECT", FP32), {}, three)


def _mode_variants() -> Iterator[Case]:
    for name in ("MAXIMUM", "MINIMUM", "REDUCE_MAX", "REDUCE_MIN", "MAX_POOL2D", "CLAMP", "ARGMAX"):
        attributes = {**ATTRIBUTES[name], "nan_mode": "IGNORE"}
        yield build(f"{name}_ignore", ROW[name], _row(name, FP32), attributes)
    yield build("FFT2D_inverse", ROW["FFT2D"], _row("FFT2D", FP32), {"inverse": True, "local_bound": True})
    exact = {"round": False}
    yield build("ASR_exact", ROW["ARITHMETIC_RIGHT_SHIFT"], _row("ARITHMETIC_RIGHT_SHIFT", I16), exact)
    for shift in (1, 8, 31):
        yield build(f"MUL_shift{shift}", ROW["MUL"], _row("MUL", I32), {}, None, {"shift": (shift,)})
    for resize_t, dtype in ((I16, I8), (I16, I16), (FP32, FP32)):
        nearest = {"mode": "NEAREST_NEIGHBOR"}
        line = _row("RESIZE", resize_t, dtype, dtype)
        constants = {"scale": (3, 2, 5, 3), "offset": (1, -1), "border": (0, 2)}
        shape = {"input": (1, 4, 4, 2)}
        yield build(f"RESIZE_nearest_{dtype.value}_scaled", ROW["RESIZE"], line, nearest, shape, constants)
    strided = {"pad": (1, 0, 1, 0), "stride": (2, 2), "dilation": (1, 1), "local_bound": True}
    for dtype, acc in ((I8, "INT32"), (I16, "INT48"), (FP32, "FP32")):
        for name in ("CONV2D", "DEPTHWISE_CONV2D"):
            attributes = {**strided, "acc_type": acc}
            yield build(
                f"{name}_stride_{dtype.value}", ROW[name], _row(name, dtype), attributes, {"input": (2, 5, 6, 3)}
            )
    for low, high in ((-128, 127), (0, 0), (-5, 100)):
        clamp = {"min_val": low, "max_val": high, "nan_mode": "PROPAGATE"}
        yield build(f"CLAMP_i8_{low}_{high}", ROW["CLAMP"], _row("CLAMP", I8), clamp)


def _rescale_variants() -> Iterator[Case]:
    base = ATTRIBUTES["RESCALE"]
    for mode in ("SINGLE_ROUND", "DOUBLE_ROUND", "INEXACT_ROUND"):
        for into in (I8, I16, I32):
            attributes = {**base, "rounding_mode": mode}
            line = _row("RESCALE", I32, into, I32)
            yield build(f"RESCALE_{mode}_{into.value}", ROW["RESCALE"], line, attributes)
    for channels in (4, 20):
        multiplier = tuple(1073741824 + 9973 * i for i in range(channels))
        constants = {"multiplier": multiplier, "shift": tuple(33 + i % 5 for i in range(channels))}
        attributes = {**base, "per_channel": True}
        shapes = {"input": (2, 3, channels)}
        line = _row("RESCALE", I32, I8, I32)
        yield build(f"RESCALE_channels{channels}", ROW["RESCALE"], line, attributes, shapes, constants)
    line = _row("RESCALE", I8, I8, I32)
    for side, other in (("input", "output"), ("output", "input")):
        constants = {f"{side}_zp": (-128,), f"{other}_zp": (0,), "shift": (30,)}  # -128 are the bits of 128
        yield build(
            f"RESCALE_{side}_unsigned", ROW["RESCALE"], line, {**base, f"{side}_unsigned": True}, None, constants
        )


CASES = list(cases())
CASES_BY_NAME = {case.name: case for case in CASES}
