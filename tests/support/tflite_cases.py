"""Single operators of TFLite that LiteRT runs, several of each, to be damaged, converted and read as text."""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from flatbuffers import flexbuffers

from support.recurrent_cases import recurrent
from support.tflite_models import Operator, Subgraph, Tensor, build
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import CombinerType, MirrorPadMode, Padding, TensorType

IMAGE = (1, 4, 4, 2)


@dataclass(frozen=True)
class Case:
    """One operator; operands that have data are constants, the others graph inputs, None is an absent one."""

    builtin: B
    operands: tuple[Tensor | None, ...]
    results: tuple[Tensor, ...]
    options: dict[str, Any] = field(default_factory=dict)
    called: tuple[Subgraph, ...] = ()
    custom_code: str = ""  # of a custom operator, whose options are a map, or these bytes
    custom_options: bytes = b""
    intermediates: tuple[Tensor, ...] = ()


def encode(case: Case) -> tuple[bytes, list[Array]]:
    """The file, and arrays of ones for its inputs."""
    data, fed = file_of(case)
    return data, [np.ones(tensor.shape, tensor.dtype) for tensor in fed]


def file_of(case: Case) -> tuple[bytes, list[Tensor]]:
    """The file, and its inputs."""
    tensors: list[Tensor] = []
    places, fed = [], []
    for operand in case.operands:
        places.append(-1 if operand is None else len(tensors))
        if operand is not None:
            fed += [] if operand.data is not None or operand.variable else [len(tensors)]
            tensors.append(operand)
    made = list(range(len(tensors), len(tensors) + len(case.results)))
    beside = range(len(tensors) + len(made), len(tensors) + len(made) + len(case.intermediates))
    version = 1 + (case.builtin is B.BROADCAST_TO)
    operator = Operator(
        case.builtin, places, made, case.options, case.custom_code, case.custom_options, version, beside
    )
    if case.custom_code and not case.custom_options:
        operator.custom_options = packed(case.options)
    made_of = [*tensors, *case.results, *case.intermediates]
    return build(made_of, [operator], fed, made, case.called), [tensors[i] for i in fed]


def packed(options: dict[str, Any]) -> bytes:
    """Options of a custom operator as a FlexBuffer's map."""
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    return bytes(flexbuffers.Dumps(values))


def tensor(dtype: str, shape: tuple[int, ...] = IMAGE, scale: float = 0.05, zero_point: int = 0) -> Tensor:
    quantized = dtype in ("int8", "uint8", "int16")
    return Tensor(shape, dtype, scale=scale if quantized else None, zero_point=zero_point if quantized else 0)


def ints(*values: int, shape: tuple[int, ...] | None = None, dtype: str = "int32") -> Tensor:
    array = np.array(values, dtype)
    return Tensor(array.shape if shape is None else shape, dtype, array if shape is None else array.reshape(shape))


WINDOW = {"stride_h": 1, "stride_w": 1, "padding": Padding.SAME}
POOL = {**WINDOW, "filter_height": 2, "filter_width": 2}
FLOATS, FEW, MANY = ("float32",), ("float32", "int8"), ("float32", "int8", "uint8", "int16")
WIDE = (*FEW, "int16")
FIXED = {"int8": (1 / 256, -128), "uint8": (1 / 256, 0), "int16": (1 / 32768, 0)}


def bases() -> Iterator[Case]:
    """Models that LiteRT runs, several per operator."""
    yield from (Case(*row[:4], intermediates=row[4]) for row in recurrent())
    yield from _elementwise()
    yield from _windows()
    yield from _layout()
    yield from _rest()
    yield from _volumes()
    yield from _tables()
    yield from _plain()
    yield from _suppressions()
    yield from _generators()


def _generators() -> Iterator[Case]:
    seeds = {"seed": 3, "seed2": 5}
    for builtin in (B.RANDOM_UNIFORM, B.RANDOM_STANDARD_NORMAL):
        yield Case(builtin, (ints(2, 3),), (Tensor((2, 3)),), seeds)
    yield Case(B.MULTINOMIAL, (Tensor((2, 4)), ints(3, shape=())), (Tensor((2, 3), "int64"),), seeds)


def _elementwise() -> Iterator[Case]:
    yield Case(B.MUL, (tensor("int16"), tensor("int16")), (tensor("int8"),))
    yield Case(B.MUL, (tensor("int8"), tensor("int8")), (tensor("int32"),))
    dtypes: tuple[str, ...]
    for builtin, dtypes in (
        (B.RELU, MANY), (B.RELU6, MANY), (B.RELU_N1_TO_1, FEW), (B.RELU_0_TO_1, FEW), (B.LEAKY_RELU, MANY),
        (B.ELU, FEW), (B.GELU, WIDE), (B.HARD_SWISH, FEW), (B.EXP, WIDE),
        (B.NEG, ("float32", "int32", "int64", "int16")), (B.ABS, ("float32", "int8", "int32", "int16")),
        (B.RSQRT, WIDE), (B.SQRT, ("float32", "int16")), (B.LOG, WIDE), (B.SIN, FLOATS),
        (B.COS, FLOATS), (B.FLOOR, FLOATS), (B.CEIL, FLOATS), (B.SQUARE, FLOATS), (B.LOGICAL_NOT, ("bool",)),
        (B.ZEROS_LIKE, ("float32", "int32")), (B.CAST, ("float32", "int32")), (B.SHAPE, ("float32", "int8")),
        (B.RANK, ("float32",)), (B.TANH, FEW), (B.SIGN, ("float32", "int32")), (B.FAKE_QUANT, FLOATS),
        (B.BITCAST, ("float32", "int32", "uint8")), (B.ROUND, FLOATS), (B.L2_NORMALIZATION, FLOATS),
    ):  # fmt: skip
        for dtype in dtypes:
            made = tensor("int32" if builtin in (B.SHAPE, B.RANK) else dtype)
            options: dict[B, dict[str, Any]] = {
                B.SHAPE: {"out_type": TensorType.INT32},
                B.FAKE_QUANT: {"min": -1.0, "max": 1.0, "num_bits": 8},
            }
            steep = builtin is B.EXP and dtype == "int16"  # for a TABLE, on the usual scale
            x = tensor(dtype, scale=1 / 4096 if steep else 0.05)
            yield Case(builtin, (x,), (made,), options.get(builtin, {}))
    for builtin in (B.LOGISTIC, B.TANH, B.SOFTMAX, B.LOG_SOFTMAX):
        for dtype in MANY:
            fixed = (
                {"int8": (1 / 16, 127), "uint8": (1 / 16, 255)}.get(dtype)
                if builtin is B.LOG_SOFTMAX
                else FIXED.get(dtype)
            )
            if fixed is None and dtype != "float32":
                continue
            made = replace(tensor(dtype), scale=fixed[0], zero_point=fixed[1]) if fixed else tensor(dtype)
            yield Case(builtin, (tensor(dtype),), (made,), {"beta": 1.0} if builtin is B.SOFTMAX else {})
    for builtin, dtypes in (
        (B.ADD, (*MANY, "int32", "int64")), (B.SUB, (*WIDE, "int32")), (B.MUL, (*MANY, "int32", "int64")),
        (B.DIV, ("float32", "int32", "int8", "int16")), (B.FLOOR_DIV, ("float32", "int32")), (B.MAXIMUM, MANY),
        (B.MINIMUM, WIDE), (B.SQUARED_DIFFERENCE, FEW), (B.PRELU, FEW), (B.POW, ("float32", "int32")),
        (B.FLOOR_MOD, ("float32", "int32", "int64")), (B.ATAN2, FLOATS), (B.BITWISE_XOR, ("int8", "int32")),
        (B.RIGHT_SHIFT, ("int8", "int32")), (B.ADD_N, ("float32", "int32")),
    ):  # fmt: skip
        for dtype in dtypes:
            rhs = tensor(dtype) if builtin is not B.PRELU else replace(tensor(dtype, (1, 1, 2)))
            yield Case(builtin, (tensor(dtype), rhs), (tensor(dtype),))
    slopes = Tensor((1, 1, 2), "int8", np.array([[[64, -32]]], np.int8), scale=0.01)
    yield Case(B.PRELU, (tensor("int16"), slopes), (tensor("int16"),))
    for builtin in (B.EQUAL, B.NOT_EQUAL, B.GREATER, B.GREATER_EQUAL, B.LESS, B.LESS_EQUAL):
        for dtype in ("float32", "int8", "int32", "int16"):
            yield Case(builtin, (tensor(dtype), tensor(dtype)), (tensor("bool"),))
    for builtin in (B.LOGICAL_AND, B.LOGICAL_OR):
        yield Case(builtin, (tensor("bool"), tensor("bool")), (tensor("bool"),))
    yield from _sums()
    for builtin in (B.SELECT, B.SELECT_V2):
        for dtype in FEW:
            yield Case(builtin, (tensor("bool"), tensor(dtype), tensor(dtype)), (tensor(dtype),))


def _plain() -> Iterator[Case]:
    """Narrow integers that are numbers: without scales."""
    x = Tensor(IMAGE, "int16")
    yield Case(B.EQUAL, (x, x), (tensor("bool"),))
    yield Case(B.ABS, (x,), (x,))
    for builtin in (B.ADD, B.MUL):
        yield Case(builtin, (x, x), (x,))
    for dtype in ("int8", "uint8", "int16"):
        yield Case(B.REDUCE_PROD, (Tensor(IMAGE, dtype), ints(3)), (Tensor(IMAGE[:-1], dtype),))
        yield Case(B.MAX_POOL_2D, (Tensor(IMAGE, dtype),), (Tensor(IMAGE, dtype),), POOL)


def _sums() -> Iterator[Case]:
    for dtype in ("float32", "int32"):
        x = tensor(dtype)
        yield Case(B.CUMSUM, (x, ints(1)), (x,), {"exclusive": True})
        yield Case(B.SEGMENT_SUM, (tensor(dtype, (4, 2)), ints(0, 0, 1, 2)), (tensor(dtype, (3, 2)),))
        for builtin in (
            B.UNSORTED_SEGMENT_SUM, B.UNSORTED_SEGMENT_PROD, B.UNSORTED_SEGMENT_MAX, B.UNSORTED_SEGMENT_MIN,
        ):  # fmt: skip
            operands = (tensor(dtype, (4, 2)), ints(0, 2, 1, 2), ints(3))
            yield Case(builtin, operands, (tensor(dtype, (3, 2)),))
    for dtype in (*FEW, "int32", "bool"):
        for builtin in (B.ARG_MAX, B.ARG_MIN):
            result = tensor("int32", IMAGE[:-1])
            yield Case(builtin, (tensor(dtype), ints(-1)), (result,), {"output_type": TensorType.INT32})
    for dtype in ("int8", "int16"):
        yield Case(B.REDUCE_PROD, (tensor(dtype), ints(3)), (tensor(dtype, IMAGE[:-1]),))
    yield Case(B.L2_NORMALIZATION, (tensor("int8"),), (tensor("int8", scale=1 / 128),))
    yield Case(B.WHERE, (Tensor((3,), "bool", np.array([True, False, True])),), (tensor("int64", (2, 1)),))
    norm = {"radius": 2, "bias": 1.0, "alpha": 0.1, "beta": 0.5}
    yield Case(B.LOCAL_RESPONSE_NORMALIZATION, (tensor("float32"),), (tensor("float32"),), norm)


def _weights(shape: tuple[int, ...], dtype: str, count: int) -> tuple[Tensor, Tensor]:
    """A weight and a bias as the kernels want them for activations of `dtype`."""
    rng = np.random.default_rng(len(shape) * 7 + count)
    if dtype == "float32":
        return (
            Tensor(shape, dtype, rng.standard_normal(shape).astype(dtype)),
            Tensor((count,), dtype, np.ones(count, dtype)),
        )
    kind = "int8" if dtype == "int16" else dtype
    weight = Tensor(shape, kind, rng.integers(0, 100, shape).astype(kind), scale=0.02)
    wide = "int64" if dtype == "int16" else "int32"
    return weight, Tensor((count,), wide, np.ones(count, wide), scale=0.05 * 0.02)


def _windows() -> Iterator[Case]:
    for dtype in MANY:
        x = tensor(dtype)
        conv = {**WINDOW, "dilation_h_factor": 1, "dilation_w_factor": 1}
        yield Case(B.CONV_2D, (x, *_weights((3, 2, 2, 2), dtype, 3)), (tensor(dtype),), conv)
        yield Case(
            B.DEPTHWISE_CONV_2D,
            (x, *_weights((1, 2, 2, 4), dtype, 4)),
            (tensor(dtype),),
            {**conv, "depth_multiplier": 2},
        )
        weight, bias = _weights((3, 2, 2, 2), dtype, 3)
        yield Case(
            B.TRANSPOSE_CONV,
            (ints(1, 8, 8, 3), weight, x, bias),
            (tensor(dtype),),
            {**WINDOW, "stride_h": 2, "stride_w": 2},
        )
        yield Case(B.FULLY_CONNECTED, (tensor(dtype, (2, 8)), *_weights((3, 8), dtype, 3)), (tensor(dtype, (2, 3)),))
        yield Case(B.AVERAGE_POOL_2D, (x,), (tensor(dtype),), POOL)
        yield Case(B.MAX_POOL_2D, (x,), (tensor(dtype),), POOL)
    yield from _hybrid()
    yield Case(B.RESIZE_BILINEAR, (tensor("uint8"), ints(8, 8)), (tensor("uint8"),))
    for dtype in WIDE:
        yield Case(B.RESIZE_BILINEAR, (tensor(dtype), ints(8, 8)), (tensor(dtype),))
        yield Case(B.RESIZE_NEAREST_NEIGHBOR, (tensor(dtype), ints(8, 8)), (tensor(dtype),))
        lhs, rhs = tensor(dtype, (1, 3, 4)), tensor(dtype, (1, 4, 5))
        yield Case(B.BATCH_MATMUL, (lhs, rhs), (tensor(dtype, (1, 3, 5)),))
    lhs, rhs = tensor("int8", (1, 3, 4)), tensor("int8", (1, 4, 5))
    yield Case(B.BATCH_MATMUL, (lhs, rhs), (Tensor((1, 3, 5), "int32"),))


def _hybrid() -> Iterator[Case]:
    """Float activations with integer weights."""

    def weight(*shape: int, axis: int = 0, dtype: str = "int8") -> Tensor:
        scale = np.linspace(0.01, 0.02, shape[axis], dtype=np.float32)
        return Tensor(shape, dtype, np.arange(np.prod(shape)).reshape(shape) % 7 - 3, scale=scale, axis=axis)

    x, bias = tensor("float32"), Tensor((3,), data=np.ones(3, np.float32))
    conv = {**WINDOW, "dilation_h_factor": 1, "dilation_w_factor": 1}
    yield Case(B.CONV_2D, (x, weight(3, 2, 2, 2), bias), (x,), conv)
    one = Tensor((3, 2, 2, 2), "int8", np.ones((3, 2, 2, 2)), scale=0.02)
    yield Case(B.CONV_2D, (x, one, bias), (x,), conv)
    many = Tensor((4,), data=np.ones(4, np.float32))
    yield Case(B.DEPTHWISE_CONV_2D, (x, weight(1, 2, 2, 4, axis=3), many), (x,), {**conv, "depth_multiplier": 2})
    doubled = {**WINDOW, "stride_h": 2, "stride_w": 2}
    yield Case(B.TRANSPOSE_CONV, (ints(1, 8, 8, 3), weight(3, 2, 2, 2), x, bias), (x,), doubled)
    for asymmetric in (False, True):
        options, rows = {"asymmetric_quantize_inputs": asymmetric}, tensor("float32", (2, 8))
        yield Case(B.FULLY_CONNECTED, (rows, weight(3, 8, dtype="int4"), bias), (rows,), options)
        yield Case(B.BATCH_MATMUL, (rows, weight(8, 3, axis=1)), (rows,), options)
    indices = Tensor((2,), "int32")
    yield Case(B.EMBEDDING_LOOKUP, (indices, weight(3, 8)), (rows,))
    yield Case(B.EMBEDDING_LOOKUP, (indices, tensor("float32", (3, 8))), (rows,))


def _volumes() -> Iterator[Case]:
    x, steps = tensor("float32", (1, 4, 4, 4, 2)), {"stride_d": 1, "stride_h": 1, "stride_w": 2}
    options = {**steps, "padding": Padding.SAME, "dilation_d_factor": 1, "dilation_h_factor": 1, "dilation_w_factor": 1}
    yield Case(B.CONV_3D, (x, *_weights((2, 2, 2, 2, 3), "float32", 3)), (x,), options)
    weight, bias = _weights((2, 2, 2, 3, 2), "float32", 3)
    yield Case(B.CONV_3D_TRANSPOSE, (ints(1, 4, 4, 8, 3), weight, x, bias), (x,), options)
    yield Case(B.L2_POOL_2D, (tensor("float32"),), (tensor("float32"),), POOL)


def _tables() -> Iterator[Case]:
    table, indices = tensor("float32", (4, 3)), tensor("int32", (2,))
    yield Case(
        B.HASHTABLE_LOOKUP, (indices, ints(1, 3, 5, 7), table), (tensor("float32", (2, 3)), tensor("uint8", (2,)))
    )
    entries, weights = ints(0, 0, 0, 1, shape=(2, 2)), tensor("float32", (2,))
    operands = indices, entries, ints(2, 2), weights, table
    yield Case(B.EMBEDDING_LOOKUP_SPARSE, operands, (tensor("float32", (2, 3)),), {"combiner": CombinerType.MEAN})


def _suppressions() -> Iterator[Case]:
    boxes, scores = tensor("float32", (3, 4)), tensor("float32", (3,))
    iou, score, sigma = (Tensor((), data=np.array(value, np.float32)) for value in (0.5, 0.1, 0.5))
    found, number = tensor("int32", (2,)), tensor("int32", ())
    yield Case(B.NON_MAX_SUPPRESSION_V4, (boxes, scores, ints(2, shape=()), iou, score), (found, number))
    operands = boxes, scores, ints(2, shape=()), iou, score, sigma
    yield Case(B.NON_MAX_SUPPRESSION_V5, operands, (found, tensor("float32", (2,)), number))


def customs() -> Iterator[Case]:
    """Custom operators, of LiteRT and MediaPipe."""

    def made(
        code: str, shapes: Sequence[tuple[int, ...]], options: dict[str, Any], *others: Tensor, count: int = 1
    ) -> Case:
        results = tuple(tensor("float32", ()) for _ in range(count))
        operands = (*(tensor("float32", shape) for shape in shapes), *others)
        return Case(B.CUSTOM, operands, results, options, custom_code=code)

    detection = {
        "max_detections": 2, "max_classes_per_detection": 1, "num_classes": 2, "detections_per_class": 1,
        "nms_score_threshold": 0.1, "nms_iou_threshold": 0.5, "y_scale": 10.0, "x_scale": 10.0, "h_scale": 5.0,
        "w_scale": 5.0,
    }  # fmt: skip
    for regular in (False, True):
        options = {**detection, "use_regular_nms": regular}
        yield made("TFLite_Detection_PostProcess", [(1, 3, 4), (1, 3, 3), (3, 4)], options, count=4)
    ends = {"left_rotation_idx": 0, "right_rotation_idx": 1}
    box = {"output_height": 2, "output_width": 3}
    turn: dict[str, Any] = {**ends, **box, "target_rotation_radians": 0.0, "scale_x": 1.5, "scale_y": 1.5}
    yield made("Landmarks2TransformMatrix", [(1, 3, 3)], {**turn, "subset_idxs": (0, 1, 2)})
    sizes = {"input_hw": (4, 4), "output_hw": (2, 3), "subset": (0, 2)}
    first: dict[str, Any] = {"dimensions": 3, "landmarks_range": 8, "bbox_size_multiplier": 1.5, **sizes}
    yield made("Landmarks2TransformMatrix", [(1, 1, 1, 9)], {**ends, **first})
    yield made("TransformTensorBilinear", [IMAGE, (1, 4, 4)], box)
    yield made("TransformTensor", [IMAGE, (1, 4, 4)], {"output_size": (2, 3), "mode": "bilinear"})
    yield made("TransformLandmarks", [(1, 3, 2), (1, 4, 4)], {})
    yield made("TransformLandmarks", [(1, 1, 1, 6), (1, 4, 4)], {"dimensions": 3, "scale": 2.0})
    yield made("AudioSpectrogram", [(9, 1)], {"window_size": 4, "stride": 2, "magnitude_squared": False})
    options = {"upper_frequency_limit": 4000, "lower_frequency_limit": 20, "filterbank_channel_count": 4}
    yield made("Mfcc", [(1, 2, 9)], {**options, "dct_coefficient_count": 3}, ints(8000))
    pool = {"padding": "SAME", "ksize": (1, 2, 2, 1), "strides": (1, 2, 2, 1), "include_batch_in_index": False}
    yield made("MaxPoolWithArgmax", [IMAGE], pool, count=2)
    yield replace(made("MaxPoolingWithArgmax2D", [IMAGE], {}, count=2), custom_options=window(2))
    for stride in (2, 1):
        yield replace(made("MaxUnpooling2D", [IMAGE], {}, tensor("int32")), custom_options=window(stride))
    yield replace(made("MaxUnpooling2D", [IMAGE, IMAGE], {}), custom_options=window(2))
    verified = made("NumericVerify", [], {"tolerance": 5.0, "log_if_failed": True})
    yield replace(verified, operands=(tensor("int8"), tensor("float32")))


def window(stride: int) -> bytes:
    """TfLitePoolParams of 2 by 2 with SAME padding."""
    return struct.pack("<6i", 1, stride, stride, 2, 2, 0)


def _layout() -> Iterator[Case]:
    for dtype in ("float32", "int8", "int32"):
        x, y = tensor(dtype), tensor(dtype)
        yield Case(B.RESHAPE, (x, ints(1, 32)), (y,), {"new_shape": (1, 32)})
        yield Case(B.SQUEEZE, (x,), (y,), {"squeeze_dims": (0,)})
        yield Case(B.EXPAND_DIMS, (x, ints(1, shape=(1,))), (y,))
        yield Case(B.TRANSPOSE, (x, ints(0, 2, 1, 3)), (y,))
        yield Case(B.DEPTH_TO_SPACE, (tensor(dtype, (1, 2, 2, 4)),), (y,), {"block_size": 2})
        yield Case(B.SPACE_TO_DEPTH, (x,), (y,), {"block_size": 2})
        yield Case(B.PAD, (x, ints(0, 0, 1, 1, 1, 1, 0, 0, shape=(4, 2))), (y,))
        pad = replace(tensor(dtype, ()), data=np.zeros((), dtype))
        yield Case(B.PADV2, (x, ints(0, 0, 1, 1, 1, 1, 0, 0, shape=(4, 2)), pad), (y,))
        yield Case(B.TILE, (x, ints(1, 2, 1, 1)), (y,))
        yield Case(B.BROADCAST_TO, (tensor(dtype, (1, 4, 1, 2)), ints(1, 4, 4, 2)), (y,))
        yield Case(B.REVERSE_V2, (x, ints(1)), (y,))
        yield Case(B.CONCATENATION, (x, tensor(dtype)), (y,), {"axis": 3})
        yield Case(B.PACK, (x, tensor(dtype)), (y,), {"axis": 0, "values_count": 2})
        yield Case(B.SPLIT, (ints(3, shape=()), x), (y, tensor(dtype)), {"num_splits": 2})
        yield Case(B.SPLIT_V, (x, ints(1, 3), ints(1, shape=())), (y, tensor(dtype)), {"num_splits": 2})
        yield Case(B.UNPACK, (x,), (y, tensor(dtype)), {"axis": 3, "num": 2})
        yield Case(B.SLICE, (x, ints(0, 1, 0, 0), ints(1, 2, -1, 2)), (Tensor((1, 2, 4, 2), dtype, scale=y.scale),))
        yield Case(B.STRIDED_SLICE, (x, ints(0, 0, 0, 0), ints(1, 4, 4, 2), ints(1, 2, 1, 1)), (y,))
        yield Case(B.GATHER, (x, ints(1, 0)), (y,), {"axis": 2})
        yield from _indexed(dtype)
        yield from _blocks(dtype)


def _indexed(dtype: str) -> Iterator[Case]:
    x, y, one = tensor(dtype), tensor(dtype), tensor(dtype, ())
    few, index = tensor(dtype, (3,)), tensor("int32")
    yield Case(B.GATHER_ND, (tensor(dtype, (4, 4, 2)), ints(0, 1, 3, 1, shape=(2, 2))), (y,))
    if dtype != "int8":
        yield Case(B.REVERSE_SEQUENCE, (x, ints(2, 0, 4, 1)), (y,), {"seq_dim": 2, "batch_dim": 1})
        yield Case(B.BUCKETIZE, (x,), (index,), {"boundaries": (0.5, 2.0)})
    yield Case(B.SCATTER_ND, (ints(1, 3, 1, shape=(3, 1)), few, ints(5)), (y,))
    yield Case(B.SCATTER_ND, (tensor("int32", (3, 1)), few, ints(5)), (y,))
    yield Case(B.SPARSE_TO_DENSE, (ints(0, 1, 1, 1, 1, 1, shape=(3, 2)), ints(2, 3), few, one), (y,))
    yield Case(B.DYNAMIC_UPDATE_SLICE, (x, tensor(dtype, (1, 2, 3, 2)), ints(0, 1, 9, 0)), (y,))
    yield Case(B.ONE_HOT, (index, ints(3, shape=()), one, tensor(dtype, ())), (y,), {"axis": -1})
    yield Case(B.MATRIX_DIAG, (few,), (y,))
    yield Case(B.MATRIX_SET_DIAG, (tensor(dtype, (3, 4)), few), (y,))
    yield Case(B.TOPK_V2, (x, ints(1, shape=())), (y, index))
    yield Case(B.UNIQUE, (replace(few, data=np.ones(3, dtype)),), (y, index), {"idx_out_type": TensorType.INT32})


def _blocks(dtype: str) -> Iterator[Case]:
    x, y = tensor(dtype), tensor(dtype)
    yield Case(B.MIRROR_PAD, (x, ints(0, 0, 1, 2, 3, 1, 0, 0, shape=(4, 2))), (y,), {"mode": MirrorPadMode.REFLECT})
    yield Case(B.SPACE_TO_BATCH_ND, (x, ints(2, 3), ints(0, 0, 1, 1, shape=(2, 2))), (y,))
    yield Case(B.BATCH_TO_SPACE_ND, (tensor(dtype, (6, 2, 2, 1)), ints(2, 3), ints(0, 1, 2, 0, shape=(2, 2))), (y,))
    value = replace(tensor(dtype, ()), data=np.zeros((), dtype))
    yield Case(B.DILATE, (x, ints(1, 2, 3, 1), value), (y,))

    x = tensor("int16")
    yield Case(B.PAD, (x, ints(0, 0, 1, 1, 1, 1, 0, 0, shape=(4, 2))), (x,))
    pad = replace(tensor("int16", ()), data=np.zeros((), np.int16))
    yield Case(B.PADV2, (x, ints(0, 0, 1, 1, 1, 1, 0, 0, shape=(4, 2)), pad), (x,))


def _rest() -> Iterator[Case]:
    for builtin in (B.MEAN, B.SUM, B.REDUCE_MAX, B.REDUCE_MIN, B.REDUCE_PROD):
        for dtype in WIDE if builtin is not B.REDUCE_PROD else FLOATS:
            yield Case(builtin, (tensor(dtype), ints(1, 2)), (tensor(dtype),), {"keep_dims": True})
    for builtin in (B.REDUCE_ANY, B.REDUCE_ALL):
        yield Case(builtin, (tensor("bool"), ints(1, 2)), (tensor("bool"),), {"keep_dims": True})
    for source, target in (
        ("float32", "int8"), ("int8", "uint8"), ("uint8", "int8"), ("int8", "int8"), ("float32", "int16"),
        ("int16", "int8"), ("int16", "int16"), ("int8", "int16"),
    ):  # fmt: skip
        yield Case(B.QUANTIZE, (tensor(source),), (tensor(target, scale=0.1),))
    for dtype in ("int8", "uint8", "int16", "float16"):
        yield Case(B.DEQUANTIZE, (tensor(dtype),), (tensor("float32"),))
    yield Case(B.BROADCAST_ARGS, (ints(2, 1, 3), ints(4, 1)), (tensor("int32", (3,)),))
    yield Case(B.FILL, (ints(2, 3), Tensor((), "float32", np.float32(1))), (tensor("float32", (2, 3)),))
    yield Case(B.RANGE, tuple(ints(n, shape=()) for n in (0, 5, 1)), (tensor("int32", (5,)),))
    yield Case(B.DENSIFY, (Tensor((2, 2), "float32", np.ones((2, 2), np.float32)),), (tensor("float32", (2, 2)),))
