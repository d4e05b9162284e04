"""Targets as text, and the profiles and extensions that graphs need, by the tables of supported data types."""

import numpy as np
import pytest
from support.tosa_graphs import const, model, shape, tensor

from tosa_converter.api.converting import with_defaults
from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.ir import Graph, Model, Op, TensorType
from tosa_converter.options import ConvertOptions
from tosa_converter.rules.target import Target, needs
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import DRAFT, LEVEL_8K, LEVEL_NONE

I8, I16, I32, I48, F16, F32 = DType.I8, DType.I16, DType.I32, DType.I48, DType.FP16, DType.FP32
BF16, E4M3, BOOL = DType.BF16, DType.FP8E4M3, DType.BOOL


@pytest.mark.parametrize(
    ("text", "target", "back"),
    [
        ("pro-int", Target(("PRO-INT",)), "PRO-INT"),
        (
            " PRO-FP,pro-int , ext-doubleround,8K",
            Target(("PRO-INT", "PRO-FP"), ("EXT-DOUBLEROUND",)),
            "PRO-INT, PRO-FP, EXT-DOUBLEROUND",
        ),
        (
            "1.1,ext-int64,pro-int",
            Target(("PRO-INT",), ("EXT-INT64",), version=DRAFT),
            "PRO-INT, EXT-INT64, TOSA 1.1",
        ),
        ("pro-fp,1.0", Target(("PRO-FP",)), "PRO-FP"),
        ("pro-fp,ext-bf16,none", Target(("PRO-FP",), ("EXT-BF16",), LEVEL_NONE), "PRO-FP, EXT-BF16, level none"),
    ],
)
def test_a_target_is_written_as_its_text(text: str, target: Target, back: str) -> None:
    assert Target.parse(text) == target
    assert str(target) == back


def test_the_level_is_8k_unless_said() -> None:
    assert Target.parse("pro-int").level is LEVEL_8K


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a profile, PRO-INT or PRO-FP"),
        ("8k", "expected a profile"),
        (
            "pro-int,ext-speed",
            "found 'ext-speed'.*\npresets: ethos-u55, .*\nprofiles, extensions, .* versions: .*, none, 1.0, 1.1",
        ),
        ("pro-int,ext-bf16", "EXT-BF16 extends PRO-FP, which is not given"),
        ("ext-controlflow", "expected a profile"),
        ("pro-int,8k,none", "expected one level, found 8K, none"),
        ("pro-int,1.1,1.0", "expected one version, found 1.1, 1.0"),
        ("pro-int,ext-int64", "EXT-INT64 is an extension of TOSA 1.1\nnext: add 1.1 to the target"),
    ],
)
def test_malformed_targets_are_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Target.parse(text)


def unary(row: OpDef, dtype: DType, out: DType | None = None) -> Model:
    return model(row, [tensor(dtype, 2)], [TensorType(out or dtype, (2,))])


def rescale(rounding_mode: str, dtype: DType = I8) -> Model:
    attributes = {"scale32": True, "per_channel": False, "input_unsigned": False, "output_unsigned": False}
    scale = [const([1 << 30], I32), const([30], I8), const([0], dtype), const([0], I8)]
    return model(
        ops.RESCALE, [tensor(dtype, 2), *scale], [TensorType(I8, (2,))], attributes | {"rounding_mode": rounding_mode}
    )


def matmul(dtype: DType, out: DType) -> Model:
    zero = const([0], dtype)
    operands = [tensor(dtype, 1, 2, 3), tensor(dtype, 1, 3, 2), zero, zero]
    return model(ops.MATMUL, operands, [TensorType(out, (1, 2, 2))])


def gather(dtype: DType, index: DType) -> Model:
    return model(ops.GATHER, [tensor(dtype, 1, 4, 2), tensor(index, 1, 3)], [TensorType(dtype, (1, 3, 2))])


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (unary(ops.CLZ, I32), "PRO-INT"),
        (unary(ops.EXP, F32), "PRO-FP"),
        (unary(ops.EXP, BF16), "PRO-FP, EXT-BF16"),
        (unary(ops.LOGICAL_NOT, BOOL), "PRO-INT"),  # either profile will do
        (unary(ops.CAST, I8, F32), "PRO-FP"),
        (unary(ops.CAST, BF16, E4M3), "PRO-FP, EXT-BF16, EXT-FP8E4M3"),
        (matmul(I8, I32), "PRO-INT"),
        (matmul(I16, I48), "PRO-INT, EXT-INT16"),
        (matmul(F16, F32), "PRO-FP"),
        (matmul(E4M3, F16), "PRO-FP, EXT-FP8E4M3"),
        (matmul(E4M3, F32), "PRO-FP, EXT-FP8E4M3, TOSA 1.1"),
        (unary(ops.ABS, DType.I64), "PRO-INT, EXT-INT64, TOSA 1.1"),
        (unary(ops.CAST, BOOL, F32), "PRO-FP, TOSA 1.1"),
        (gather(I32, I32), "PRO-INT"),  # PRO-FP would do since 1.1
        (gather(BOOL, I32), "PRO-INT, TOSA 1.1"),
        (rescale("SINGLE_ROUND"), "PRO-INT"),
        (rescale("DOUBLE_ROUND"), "PRO-INT, EXT-DOUBLEROUND"),
        (rescale("INEXACT_ROUND"), "PRO-INT, EXT-INEXACTROUND"),
        (model(ops.RESHAPE, [tensor(F32, 2), shape(2, 1)], [TensorType(F32, (2, 1))]), "PRO-FP"),
        (
            model(ops.RESHAPE, [tensor(F32, 2), tensor(DType.SHAPE, 2)], [TensorType(F32, (2, 1))]),
            "PRO-FP, EXT-DYNAMIC",
        ),
    ],
)
def test_an_operator_needs_these_profiles_and_extensions(graph: Model, expected: str) -> None:
    target = needs(graph)
    assert str(target) == expected
    assert target.problems(graph) == []


def test_needs_of_several_operators_are_combined() -> None:
    flag, x = tensor(BOOL), tensor(F32, 2)
    body = unary(ops.EXP, F32).main
    state = Op("tosa.variable", [], [], {"name": "v", "var_shape": (2,), "type": I8})
    choice = Op("tosa.cond_if", [flag, x], [TensorType(F32, (2,))], regions=[body, body])
    graph = Graph("main", [flag, x], [choice.result], [state, choice])
    assert str(needs(graph)) == "PRO-INT, PRO-FP, EXT-VARIABLE, EXT-CONTROLFLOW"


def test_either_profile_follows_what_else_is_needed() -> None:
    flag, x = tensor(BOOL, 2), tensor(F32, 2)
    graph = Graph("main", [flag, x], [], [])
    for row, value in ((ops.LOGICAL_NOT, flag), (ops.EXP, x)):
        graph.ops.append(Op(row.opcode, [value], [value.type]))
    assert str(needs(graph)) == "PRO-FP"


def test_an_extension_brings_the_profile_that_it_extends() -> None:
    """Rows of a type table may leave a choice, as for a CAST from bf16 without a result in a broken file."""
    x = tensor(DType.BF16, 1)
    assert str(needs(Graph("g", [x], [], [Op(ops.CAST, [x], [])]))) == "PRO-FP, EXT-BF16"


def test_operators_of_other_opsets_need_nothing() -> None:
    assert str(needs(Graph("g", [], [], [Op("tfl.abs", [], [])]))) == "PRO-INT"


def test_problems_name_the_operator_and_what_is_missing() -> None:
    graph = rescale("DOUBLE_ROUND")
    assert Target.parse("pro-int").problems(graph) == [
        "tosa.rescale at here: needs EXT-DOUBLEROUND for rounding_mode DOUBLE_ROUND"
    ]
    assert Target.parse("pro-fp").problems(matmul(I8, I32)) == [
        "tosa.matmul at here: needs PRO-INT for (i8, i8, i8, i8) -> (i32)"
    ]


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        (BOOL, "PRO-INT"),
        (I8, "PRO-INT"),
        (I16, "PRO-INT"),
        (I32, "PRO-INT"),
        (DType.I4, "PRO-INT, EXT-INT4"),
        (I48, "PRO-INT, EXT-INT16"),
        (F16, "PRO-FP"),
        (F32, "PRO-FP"),
        (BF16, "PRO-FP, EXT-BF16"),
        (E4M3, "PRO-FP, EXT-FP8E4M3"),
        (DType.FP8E5M2, "PRO-FP, EXT-FP8E5M2"),
    ],
)
@pytest.mark.parametrize("count", [1, 2])
def test_constants_need_what_their_type_needs(dtype: DType, expected: str, count: int) -> None:
    """Nothing else has the type (the table of CONST)."""
    types = [TensorType(dtype, (2,))] * count
    constants = [Op("tosa.const", (), [type], {"values": np.zeros(2, type.dtype.numpy)}) for type in types]
    assert str(needs(Graph("main", [], [op.result for op in constants], constants))) == expected


@pytest.mark.parametrize("name", ["ethos-u85", "vulkan-ml", "iree-cpu"])
def test_a_preset_fills_in_what_the_user_leaves_out(name: str) -> None:
    target = Target.parse(name)
    assert target.preset is not None
    model = Model({"main": Graph("main")}, opset="tfl")
    filled = with_defaults(model, ConvertOptions(target=target))
    assert (filled.state, filled.control_flow) == (target.preset.state, target.preset.control_flow)
    stated = with_defaults(model, ConvertOptions(target=target, state="variables", control_flow="keep"))
    assert (stated.state, stated.control_flow) == ("variables", "keep")
