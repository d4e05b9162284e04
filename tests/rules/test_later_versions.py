"""Operators and types of TOSA 1.1: what they need, judged by tosa-opt, and the conditions that they must meet."""

import subprocess
from collections.abc import Sequence
from typing import Any

import pytest
from support.kernel_cases import COMBINATIONS, COMBINATIONS_1_0, cases_of, graph_of
from support.mlir_texts import tosa_opt
from support.tosa_graphs import const, model, reference_status, shape, tensor, whole

from tosa_converter.dtypes import DType
from tosa_converter.errors import VerifyError
from tosa_converter.formats.mlir.writer import write_mlir
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.rules.gate import require_legal
from tosa_converter.rules.graph import verify
from tosa_converter.rules.target import Target, needs
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import DRAFT, LEVEL_NONE, PROFILES

I8, I32, I64, SHAPE = DType.I8, DType.I32, DType.I64, DType.SHAPE
LATER = [pair for pair in COMBINATIONS if pair not in COMBINATIONS_1_0]


def graphs_by_target() -> dict[Target, dict[str, Graph]]:
    """Returns a graph for every combination of types that 1.1 brought, by what it needs."""
    graphs: dict[Target, dict[str, Graph]] = {}
    for row, types in LATER:
        name = f"{row.name}_{types.replace(' ', '_')}"
        graph, _, _ = graph_of(row, next(cases_of(row, types)))
        graph.name = name
        graph.outputs = [value for value in graph.outputs if value.type.dtype is not SHAPE]  # as tosa-opt demands
        graphs.setdefault(needs(graph), {})[name] = graph
    return graphs


def validation(graphs: dict[str, Graph], target: Target, version: str = "1.1.draft") -> str:
    """Returns what tosa-opt says against graphs for a target; "" if it takes them all."""
    profiles = ",".join(name.lower().replace("-", "_") for name in target.profiles)
    extensions = ",".join(name.lower().removeprefix("ext-") for name in target.extensions)
    attach = f"profiles={profiles} specification_version={version} level=none"
    attach += f" extensions={extensions}" if extensions else ""
    command = ["tosa-opt", "-", f"--tosa-attach-target={attach}", "--tosa-validate=strict-op-spec-alignment"]
    done = subprocess.run(command, input=write_mlir(Model(graphs)), capture_output=True, text=True, timeout=120)
    return done.stderr if done.returncode else ""


TARGETS = graphs_by_target()


@tosa_opt
@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_tosa_opt_takes_what_the_target_has(target: Target) -> None:
    assert target.version == DRAFT
    assert validation(TARGETS[target], target) == ""


@tosa_opt
@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_tosa_opt_refuses_what_the_target_lacks(target: Target) -> None:
    """One graph for each target: without an extension, or in version 1.0."""
    graph = dict([next(iter(TARGETS[target].items()))])
    for name in target.extensions[-1:]:
        smaller = target._replace(extensions=tuple(other for other in target.extensions if other != name))
        assert validation(graph, smaller)
        assert smaller.problems(next(iter(graph.values())))
    first = tuple(name for name in target.extensions if name not in ("EXT-INT64", "EXT-SHAPE"))
    assert validation(graph, target._replace(extensions=first), "1.0")
    with pytest.raises(VerifyError, match=r"needs .*1\.1|needs .*EXT-(INT64|SHAPE)"):
        verify(Model(graph), target=Target(PROFILES, first, LEVEL_NONE))


ZERO = const([0], I8)


def product(a: Sequence[int], b: Sequence[int], out: Sequence[int], zero: Value = ZERO) -> Model:
    return model(ops.MATMUL_T, [tensor(I8, *a), tensor(I8, *b), ZERO, zero], [TensorType(I32, tuple(out))])


def rows(count: Any, out: int, *, indices: int = 3) -> Model:
    operands = [tensor(I8, 1, 6, 4), tensor(I32, 1, indices), const([count], I32)]
    return model(ops.ROW_GATHER, operands, [TensorType(I8, (1, out, 4))])


def pooled(kernel: Sequence[int], stride: Sequence[int], pad: Sequence[int], out: Sequence[int]) -> Model:
    sizes = [shape(*kernel), shape(*stride), shape(*pad)]
    operands, mode = [tensor(I8, 1, 8, 8, 1), *sizes], {"nan_mode": "PROPAGATE"}
    return model(ops.MAX_POOL2D_ADAPTIVE, operands, [TensorType(I8, (1, *out, 1))], mode)


def reshaped(*steps: Op, to: Sequence[int], by: Value | None = None) -> Model:
    """Returns a RESHAPE of 24 elements by what shape operators compute."""
    x = tensor(I8, 2, 3, 4)
    op = Op(ops.RESHAPE, [x, by or steps[-1].result], [TensorType(I8, tuple(to))], location="there")
    return whole([*steps, op], [x], [op.result])


def shape_op(row: OpDef, *operands: Value, length: int = 1, **attributes: Any) -> Op:
    results = [TensorType(SHAPE, (length,))] if row.outputs else []
    return Op(row, operands, results, attributes, location="here")


def number(value: int) -> Value:
    return const([value], I32)


LEGAL = [
    product((2, 3, 4), (2, 5, 4), (2, 3, 5)),
    product((2, 3, 4), (1, 5, 4), (2, 3, 5)),
    rows(2, 6),
    pooled((2, 2), (2, 2), (0, 0, 0, 0), (4, 4)),
    reshaped(shape_op(ops.MUL_SHAPE, shape(6), shape(4)), to=[24]),
    reshaped(shape_op(ops.CONCAT_SHAPE, shape(6), shape(2, 2), length=3), to=[6, 2, 2]),
    reshaped(shape_op(ops.SLICE_SHAPE, shape(5, 24), number(1), number(1)), to=[24]),
    reshaped(shape_op(ops.LOG2_CEIL_SHAPE, shape(5, 256), length=2), to=[3, 8]),
    reshaped(shape_op(ops.ASSERT_EQUAL_SHAPE, shape(1, 4), shape(3, 4), allow_broadcast=True), to=[24], by=shape(24)),
]


@pytest.mark.parametrize("graph", LEGAL, ids=lambda graph: graph.main.ops[-1].name)
def test_legal_graphs_pass(graph: Model) -> None:
    verify(graph)
    require_legal(graph)
    assert reference_status(graph) == "TOSA_VALID"


ILLEGAL = [
    (product((2, 3, 4), (3, 5, 4), (2, 3, 5)), r"ERROR_IF\(D != N && D != 1\): found D = 3, N = 2"),
    (product((2, 3, 4), (2, 5, 3), (2, 3, 5)), "operands must agree in dimension C"),
    (product((2, 3, 4), (2, 5, 4), (2, 5, 3)), r"output shape != \[N,H,W\]"),
    (rows(0, 3), r"ERROR_IF\(row_count < 1\): found row_count = 0"),
    (rows(2, 5), r"output shape != \[N,W\*row_count,C\]"),
    (pooled((2, 2), (4, 2), (0, 0, 0, 0), (2, 4)), "6 is not a multiple of 4"),
    (pooled((2, 2), (2, 2), (2, 0, 0, 0), (5, 4)), "pad_top >= kernel_y"),
    (pooled((2, 2), (0, 2), (0, 0, 0, 0), (4, 4)), "stride_y < 1"),
    (reshaped(shape_op(ops.MUL_SHAPE, shape(6), shape(5)), to=[24]), r"tensor_size\(shape1\) != tensor_size\(shape\)"),
    (reshaped(shape_op(ops.ADD_SHAPE, shape(20, 1), shape(4), length=2), to=[24]), "length.input1. != length.input2."),
    (
        reshaped(shape_op(ops.SLICE_SHAPE, shape(24), number(1), number(1)), to=[24]),
        "start_value . size_value > length",
    ),
    (reshaped(shape_op(ops.SLICE_SHAPE, shape(24), number(-1), number(1)), to=[24]), "start_value < 0"),
    (reshaped(shape_op(ops.SLICE_SHAPE, shape(24), number(0), number(0)), to=[24]), "size_value <= 0"),
    (reshaped(shape_op(ops.CONCAT_SHAPE, shape(), shape(24)), to=[24]), r"input\[i\] == \[\]"),
    (
        reshaped(shape_op(ops.ASSERT_EQUAL_SHAPE, shape(3), shape(4), allow_broadcast=True), to=[24], by=shape(24)),
        r"input2\[index\] != 1 && input2\[index\] != input1\[index\]",
    ),
    (
        reshaped(shape_op(ops.ASSERT_EQUAL_SHAPE, shape(1), shape(4), allow_broadcast=False), to=[24], by=shape(24)),
        r"input1\[index\] != input2\[index\]",
    ),
]


@pytest.mark.parametrize(("graph", "words"), ILLEGAL, ids=range(len(ILLEGAL)))
def test_illegal_graphs_are_refused(graph: Model, words: str) -> None:
    with pytest.raises(VerifyError, match=words):
        verify(graph)
    assert reference_status(graph) == "TOSA_ERROR"


UNPREDICTABLE = [
    (shape_op(ops.DIV_FLOOR_SHAPE, shape(24), shape(0)), r"REQUIRE\(input2\[index\] >= 1\)"),
    (shape_op(ops.MOD_SHAPE, shape(-1), shape(3)), r"REQUIRE\(input1\[index\] >= 0\)"),
    (shape_op(ops.LOG2_FLOOR_SHAPE, shape(0)), r"REQUIRE\(input\[index\] >= 1\)"),
    (shape_op(ops.EXP2_SHAPE, shape(64)), r"REQUIRE\(input\[index\] < MAX_LOG2_SIZE\)"),
    (shape_op(ops.MUL_SHAPE, shape(1 << 62), shape(4)), r"REQUIRE\(the result fits tensor_size_t\)"),
]


@pytest.mark.parametrize(("step", "words"), UNPREDICTABLE, ids=[step.name for step, _ in UNPREDICTABLE])
def test_violated_requires_are_found(step: Op, words: str) -> None:
    with pytest.raises(VerifyError, match=words):
        verify(reshaped(step, to=[24]))


@pytest.mark.parametrize(
    ("row", "operands", "name"),
    [
        (ops.ROW_GATHER, [tensor(I8, 1, 6, 4), tensor(I32, 1, 3), tensor(I32, 1)], "row_count"),
        (ops.ADD_SHAPE, [tensor(SHAPE, 1), shape(1)], "input1"),
        (ops.SLICE_SHAPE, [shape(1, 2), tensor(I32, 1), number(1)], "start"),
    ],
)
def test_some_operands_are_constants_even_with_ext_dynamic(row: OpDef, operands: list[Value], name: str) -> None:
    dtype, sizes = (I8, (1, 3, 4)) if row is ops.ROW_GATHER else (SHAPE, (1,))
    graph = model(row, operands, [TensorType(dtype, sizes)])
    with pytest.raises(VerifyError, match=f"{name} must be a compile-time constant"):
        verify(graph, target=Target.parse("pro-int,ext-shape,ext-dynamic,1.1"))


def test_shapes_are_computed_through_many_operators() -> None:
    """Each doubles the one before: 5,000 of them are judged one by one, without recursion."""
    steps = [shape_op(ops.ADD_SHAPE, shape(12), shape(12))]
    for _ in range(5000):
        steps.append(shape_op(ops.MAX_SHAPE, steps[-1].result, steps[-1].result))
    verify(reshaped(*steps, to=[24]))
    with pytest.raises(VerifyError, match=r"tensor_size\(shape1\) != tensor_size\(shape\)|shape of the output"):
        verify(reshaped(*steps, to=[23]))


def test_a_long_shape_exceeds_the_level() -> None:
    long = shape_op(ops.ADD_SHAPE, shape(*[1] * 17), shape(*[1] * 17), length=17)
    with pytest.raises(VerifyError, match=r"LEVEL_CHECK\(length\(input1\) <= MAX_SHAPE_LEN\)"):
        verify(whole([long], [], []))


def test_sums_of_int64_must_fit() -> None:
    edge = (1 << 63) - 1
    graph = model(ops.ADD, [const([edge], I64), const([1], I64)], [TensorType(I64, (1,))])
    verify(graph)  # only a run finds out
    assert reference_status(graph) == "TOSA_UNPREDICTABLE"
