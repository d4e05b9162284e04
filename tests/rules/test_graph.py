"""The verifier: structure of any graph, and TOSA graphs that the reference model judges too."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.some import some
from support.tosa_graphs import RESCALE, const, model, reference_status, shape, tensor, whole

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError, VerifyError
from tosa_converter.execute.plan import run
from tosa_converter.ir import Graph, Model, Op, Signature, TensorType, Value
from tosa_converter.rules.graph import find_problems, verify
from tosa_converter.rules.target import Target
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_target import LEVEL_8K, LEVEL_NONE

I8, I16, I32, F16, F32, BOOL = DType.I8, DType.I16, DType.I32, DType.FP16, DType.FP32, DType.BOOL


def result(dtype: DType, *sizes: int | None) -> list[TensorType]:
    return [TensorType(dtype, sizes)]


def conditions(graph: Graph | Model, **options: Any) -> list[str]:
    return [problem.condition for problem in find_problems(graph, **options)]


# ** structure, of any opset **


def test_a_legal_graph_has_no_problems() -> None:
    x = tensor(F32, 2)
    first = Op("tfl.abs", [x], result(F32, 2))
    second = Op("tfl.add", [first.result, None, x], result(F32, None))
    graph = Graph("main", [x], [second.result], [first, second])
    verify(graph)
    verify(Model({"main": graph}, {"s": Signature("main", {"x": x}, {"y": second.result})}))


@pytest.mark.parametrize("opset", ["tfl", "xnn", "tosa"])
def test_broken_structure_is_reported(opset: str) -> None:
    x = tensor(F32, 2)
    first = Op(f"{opset}.abs", [x], result(F32, 2))
    second = Op(f"{opset}.abs", [first.result], result(F32, 2))
    stranger = Value(TensorType(F32, (2,)), "stranger", first)
    assert conditions(Graph("g", [x], [second.result], [second, first])) == [
        "every value must be made before it is used"
    ]
    assert conditions(Graph("g", [x], [first.result], [first, first])) == ["every value must be made once"]
    assert conditions(Graph("g", [x], [second.result], [first])) == ["every output of a graph must be made in it"]
    assert conditions(Graph("g", [x, stranger], [x], [])) == ["a value's producer must be the operator that makes it"]


def test_a_region_sees_its_own_inputs_only() -> None:
    x, inner = tensor(F32, 2), tensor(F32, 2)
    captured = Op("tfl.abs", [x], result(F32, 2))
    region = Graph("region", [inner], [captured.result], [captured])
    owner = Op("tfl.if", [x], result(F32, 2), regions=[region])
    assert conditions(Graph("g", [x], [owner.result], [owner])) == ["every value must be made before it is used"]


def test_signatures_name_values_of_their_graph() -> None:
    x, y = tensor(F32, 2), tensor(F32, 2)
    graph = Graph("main", [x], [x])
    assert conditions(Model({"main": graph}, {"s": Signature("main", {"y": y}, {"x": x})})) == [
        "a signature's values must be those of graph main"
    ]
    assert conditions(Model({"main": graph}, {"s": Signature("other", {}, {})})) == ["a signature must name a graph"]


@pytest.mark.parametrize(("axis", "problems"), [
    (-(2**31), 0), (2**31 - 1, 0), (-(2**31) - 1, 1), (2**31, 1), (True, 1), (1.0, 1), (np.int64(2**40), 1),
])  # fmt: skip
def test_integer_attributes_have_32_bits(axis: Any, problems: int) -> None:
    x = tensor(I8, 2)
    op = Op("tosa.reverse", [x], [x.type], {"axis": axis})
    texts = conditions(Graph("main", [x], [op.result], [op]))
    assert len([text for text in texts if "attribute axis" in text]) == problems


@pytest.mark.parametrize(
    ("operator", "type", "attributes", "expected"),
    [
        ("tosa.const", TensorType(I32, (2,)), {}, ["values must be held as int32"]),
        ("tosa.const", TensorType(I8, (3,)), {}, ["shape of the output != shape of values"]),
        ("tosa.const", TensorType(I8, (2,)), {"axis": 0}, ["the operator has no attribute axis"]),
        ("tosa.const", TensorType(I8, (2,)), {"values": [1, 2]}, ["attribute values must be a list of i32"]),
        (
            "tosa.const",
            TensorType(I8, (2,)),
            {"values": np.zeros((2, 1), np.int8)},
            ["shape of the output != shape of values"],
        ),
    ],
)
def test_a_constant_after_a_legal_one_is_checked(
    operator: str, type: TensorType, attributes: dict[str, Any], expected: list[str]
) -> None:
    first = const([1, 2], I8)
    other = Op(operator, (), [type], {"values": np.array([1, 2], np.int8)} | attributes)
    ops_in_order = [some(first.producer), other]
    assert conditions(Graph("g", [], [first, other.result], ops_in_order)) == expected


def rescaled(x: Value, multiplier: Value, shift: Value, attributes: dict[str, Any]) -> Op:
    zero = const([0], I8)
    return Op(ops.RESCALE, [x, multiplier, shift, zero, zero], result(I8, 2), attributes)


def test_an_operator_after_a_legal_one_of_its_form_is_checked() -> None:
    x, multiplier, shift = tensor(I8, 2), const([1], I32), const([30], I8)
    attributes = {
        "scale32": True,
        "rounding_mode": "SINGLE_ROUND",
        "per_channel": False,
        "input_unsigned": False,
        "output_unsigned": False,
    }
    dynamic = tensor(I32, 1)
    rescales = [
        rescaled(x, multiplier, shift, attributes),
        rescaled(x, const([-1], I32), shift, attributes),
        rescaled(x, multiplier, const([1], I8), attributes),
        rescaled(x, dynamic, shift, attributes),
        rescaled(x, multiplier, shift, attributes | {"scale32": 1}),
        rescaled(x, multiplier, shift, attributes | {"per_channel": True}),
    ]
    constants = dict.fromkeys(value.producer for op in rescales for value in op.operands if value.producer)
    assert conditions(Graph("g", [x, dynamic], [rescales[0].result], [*map(some, constants), *rescales])) == [
        "multiplier >= 0",
        "2 <= shift && shift <= 62",
        "multiplier must be a compile-time constant, unless the target has EXT-DYNAMIC",
        "attribute scale32 must be a bool",
        "length(multiplier) != NC",
        "length(shift) != NC",
    ]


NO_VALUE = "a value of in_out_t"
VALUES: list[tuple[str, object, str]] = [
    ("min_val", "1", NO_VALUE),
    ("min_val", b"1", NO_VALUE),
    ("min_val", [1.0], NO_VALUE),
    ("min_val", (1.0,), NO_VALUE),
    ("min_val", True, NO_VALUE),
    ("min_val", np.bool_(True), NO_VALUE),
    ("min_val", np.array([1.0]), NO_VALUE),
    ("max_val", {}, NO_VALUE),
    ("max_val", None, ""),
    ("nan_mode", "ALL", "one of PROPAGATE, IGNORE"),
    ("min_val", -1, "allowed"),
    ("min_val", -1.5, "allowed"),
    ("max_val", np.float32(0.5), "allowed"),
    ("max_val", np.int8(3), "allowed"),
]


@pytest.mark.parametrize(("name", "value", "kind"), VALUES, ids=lambda x: repr(x))
def test_a_bound_must_be_a_number(name: str, value: object, kind: str) -> None:
    x = tensor(F32, 2)
    attributes = {"min_val": -2.0, "max_val": 6.0, "nan_mode": "PROPAGATE"} | {name: value}
    op = Op(ops.CLAMP, [x], result(F32, 2), attributes)
    problems = conditions(Graph("main", [x], [op.result], [op]))
    must = f"attribute {name} must be {kind}" if kind else f"attribute {name} must be given"
    assert problems == ([] if kind == "allowed" else [must])


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("row", [ops.CONST, ops.CONST_SHAPE, ops.CLAMP])
def test_an_operator_must_have_one_result(row: ops.OpDef, count: int) -> None:
    operand_type: dict[ops.OpDef, tuple[DType, dict[str, Any]]] = {
        ops.CONST: (I8, {"values": np.ones(2, np.int8)}),
        ops.CONST_SHAPE: (DType.SHAPE, {"values": np.ones(2, np.int64)}),
        ops.CLAMP: (I8, {"min_val": -1, "max_val": 1, "nan_mode": "PROPAGATE"}),
    }
    dtype, attributes = operand_type[row]
    x = tensor(dtype, 2)
    op = Op(row, [x] if row is ops.CLAMP else [], result(dtype, 2) * count, attributes)
    problems = [condition for condition in conditions(Graph("main", [x], [], [op])) if "outputs" in condition]
    assert problems == ([] if count == 1 else ["the operator must have 1 outputs"])


def test_attributes_in_a_list_are_checked_each_time() -> None:
    x = tensor(F32, 1, 2, 2, 1)
    attributes = {"kernel": [2, 2], "stride": [1, 1], "pad": [0, 0, 0, 0], "nan_mode": "PROPAGATE"}
    pools = [Op(ops.MAX_POOL2D, [x], result(F32, 1, size, size, 1), attributes) for size in (1, 2)]
    assert len(conditions(Graph("g", [x], [pools[1].result], pools))) == 2


def test_every_problem_is_reported_with_its_place() -> None:
    x = tensor(I32, 2, 3)
    first = Op("tosa.add", [x, x], result(I32, 2, 2), location="model.py:1")
    second = Op("tosa.clamp", [first.result], result(I32, 2, 2), {"min_val": 3, "max_val": 1}, location="model.py:2")
    with pytest.raises(VerifyError) as caught:
        verify(whole([first, second], [x], [second.result]))
    texts = caught.value.problems
    assert texts[0] == (
        "tosa.add at model.py:1: ERROR_IF(shape != broadcast_shape(shape1, shape2)): found [2,2], expected [2,3]"
    )
    assert texts[1] == "tosa.clamp at model.py:2: ERROR_IF(max_val < min_val): found max_val = 1, min_val = 3"
    assert texts[2].startswith("tosa.clamp at model.py:2: types must be one of: in_out_t i8 (PRO-INT); in_out_t i16")


# ** operators: the reference model agrees **

CONV = {"pad": (0, 0, 0, 0), "stride": (1, 1), "dilation": (1, 1), "acc_type": "INT32", "local_bound": False}
X = tensor(F32, 2, 3)
CASES: dict[str, tuple[Callable[[], Model], str | None]] = {
    "legal": (lambda: model(ops.ADD, [X, X], result(F32, 2, 3)), None),
    "MATMUL of i8 takes zero points": (lambda: matmul(I8, I32, 3), None),
    # The specification prints this condition without the negation; the reference model has it.
    "MATMUL of fp16 takes none": (lambda: matmul(F16, F16, 1), "!is_same<in_t,i8_t>() && A_zp != 0"),
    "MATMUL of i16 takes none": (lambda: matmul(I16, DType.I48, 1), "!is_same<in_t,i8_t>() && A_zp != 0"),
    "shape": (lambda: model(ops.ADD, [X, X], result(F32, 2, 1)), "shape != broadcast_shape(shape1, shape2)"),
    "CLAMP": (
        lambda: model(ops.CLAMP, [X], result(F32, 2, 3), {"min_val": 2.0, "max_val": 1.0, "nan_mode": "PROPAGATE"}),
        "max_val < min_val",
    ),
    "CLAMP of NaN": (
        lambda: model(
            ops.CLAMP, [X], result(F32, 2, 3), {"min_val": float("nan"), "max_val": 1.0, "nan_mode": "PROPAGATE"}
        ),
        "isNaN(min_val) || isNaN(max_val)",
    ),
    "axis": (lambda: model(ops.REVERSE, [X], result(F32, 2, 3), {"axis": 2}), "axis < 0 || axis >= rank(shape)"),
    "reduced axis": (lambda: model(ops.REDUCE_SUM, [X], result(F32, 2, 3), {"axis": 1}), "shape[axis] != 1"),
    "RESHAPE": (lambda: model(ops.RESHAPE, [X, shape(6)], result(F32, 5)), "shape of the output != values of"),
    "TRANSPOSE": (lambda: model(ops.TRANSPOSE, [X], result(F32, 2, 3), {"perms": (1, 0)}), "shape1[perms[i]] != "),
    "CONV2D channels": (lambda: conv(weight=(4, 1, 1, 2)), "operands must agree in dimension IC"),
    "CONV2D bias": (lambda: conv(bias=3), "BC != OC && BC != 1"),
    "CONV2D padding": (
        lambda: conv(pad=(-1, 0, 0, 0)),
        "pad_top < 0 || pad_bottom < 0 || pad_left < 0 || pad_right < 0",
    ),
    "RESCALE both unsigned": (
        lambda: rescale(I8, I8, input_unsigned=True, output_unsigned=True),
        "input_unsigned && output_unsigned",
    ),
    "RESCALE double rounding at 16 bits": (
        lambda: rescale(I8, I8, multiplier=I16, scale32=False, rounding_mode="DOUBLE_ROUND"),
        "!scale32 && (rounding_mode == DOUBLE_ROUND)",
    ),
    "RESCALE zero point of i32": (lambda: rescale(I8, I32, zero=1), "!is_same<out_t,i8_t>() && (!is_same<out_t"),
    "rank 7": (lambda: wide(F32, 1, 1, 1, 1, 1, 1, 2), "rank(shape) <= MAX_RANK"),
    "CONV2D kernel": (
        lambda: conv(weight=(4, 1, 3, 3), size=8200, dilation=(1, 4097)),
        "dilation_x * KW <= MAX_KERNEL",
    ),
}


def matmul(dtype: DType, out: DType, zero: int) -> Model:
    operands = [tensor(dtype, 1, 2, 3), tensor(dtype, 1, 3, 2), const([zero], dtype), const([0], dtype)]
    return model(ops.MATMUL, operands, result(out, 1, 2, 2))


def conv(weight: tuple[int, ...] = (4, 1, 1, 3), bias: int = 4, size: int = 5, **attributes: Any) -> Model:
    all_attributes: dict[str, Any] = CONV | attributes
    width = size - (weight[2] - 1) * all_attributes["dilation"][1]
    operands = [tensor(I8, 1, 5, size, 3), tensor(I8, *weight), tensor(I32, bias), const([0], I8), const([0], I8)]
    return model(ops.CONV2D, operands, result(I32, 1, 5 + sum(all_attributes["pad"]), width, 4), all_attributes)


def rescale(dtype: DType, out: DType, *, multiplier: DType = I32, zero: int = 0, **attributes: Any) -> Model:
    scale = [const([16384], multiplier), const([14], I8), const([0], dtype), const([zero], out)]
    return model(ops.RESCALE, [tensor(dtype, 2, 3), *scale], result(out, 2, 3), RESCALE | attributes)


def wide(dtype: DType, *sizes: int | None) -> Model:
    return model(ops.IDENTITY, [tensor(dtype, *sizes)], result(dtype, *sizes))


@pytest.mark.parametrize("name", CASES)
def test_the_reference_model_agrees(name: str) -> None:
    build, condition = CASES[name]
    graph = build()
    problems = conditions(graph)
    if condition is None:
        assert problems == []
        assert reference_status(graph) == "TOSA_VALID"
        return
    assert any(condition in text for text in problems)
    assert reference_status(graph) != "TOSA_VALID"


# ** attributes and operands **


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"pad": None}, "attribute pad must be given"),
        ({"pad": (0, 0)}, r"attribute pad must be i32 list of 4: found \(0, 0\)"),
        ({"stride": (1.0, 1.0)}, "attribute stride must be i32 list of 2"),
        ({"stride": (1, 1 << 31)}, "attribute stride must be i32 list of 2"),
        ({"acc_type": "INT64"}, "attribute acc_type must be one of INT32, FP16, FP32, INT48: found 'INT64'"),
        ({"local_bound": 1}, "attribute local_bound must be a bool"),
        ({"padding": 1}, "the operator has no attribute padding"),
    ],
)
def test_invalid_attributes_are_reported(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(VerifyError, match=message):
        verify(conv(**changed) if "pad" not in changed else conv_with(changed))


def conv_with(changed: dict[str, Any]) -> Model:
    changed_model = conv()
    (op,) = [op for op in changed_model.main.ops if op.name == "tosa.conv2d"]
    op.attributes |= changed
    return changed_model


def test_optional_attributes_may_be_left_out() -> None:
    changed_model = conv()
    changed_model.main.ops[-1].attributes.pop("local_bound")
    verify(changed_model)
    verify(model(ops.CLAMP, [X], result(F32, 2, 3), {"min_val": 0.0, "max_val": 1.0}))


@pytest.mark.parametrize("value", [300, 1.5, float("inf")])
def test_limits_of_clamp_are_values_of_its_type(value: float) -> None:
    graph = model(ops.CLAMP, [tensor(I8, 2)], result(I8, 2), {"min_val": -1, "max_val": value})
    assert conditions(graph) == ["attribute max_val must be in the range of i8"]


def test_unknown_operators_and_sizes_are_reported() -> None:
    assert conditions(Graph("g", [], [], [Op("tosa.frobnicate", [], [])])) == ["the operator must be one of TOSA"]
    assert "every dimension must be known" in conditions(wide(F32, None, 3))
    assert "dimension < 1" in conditions(wide(F32, 0, 3))


def test_constants_must_match_their_type() -> None:
    op = Op("tosa.const", [], result(I8, 2), {"values": np.zeros(2, np.int16)})
    assert conditions(Graph("g", [], [op.result], [op])) == ["values must be held as int8"]
    op = Op("tosa.const", [], result(I8, 2), {"values": np.zeros(3, np.int8)})
    assert conditions(Graph("g", [], [op.result], [op])) == ["shape of the output != shape of values"]


def test_results_are_counted() -> None:
    graph = model(ops.ADD, [X, X], [TensorType(F32, (2, 3))] * 2)
    assert conditions(graph)[0] == "the operator must have 1 outputs"


# ** levels **


def pool(kernel: int, stride: int, pad: int) -> Model:
    attributes = {"kernel": (1, kernel), "stride": (1, stride), "pad": (0, 0, pad, pad), "nan_mode": "PROPAGATE"}
    width = (20000 + 2 * pad - kernel) // stride + 1
    return model(ops.MAX_POOL2D, [tensor(I8, 1, 1, 20000, 1)], result(I8, 1, 1, width, 1), attributes)


LEVELS = [
    (lambda: pool(8193, 1, 0), "kernel[1] <= MAX_KERNEL"),
    (lambda: pool(10000, 1, 9000), "pad[2] <= MAX_KERNEL"),
    (lambda: pool(2, 9999, 0), "stride[1] <= MAX_STRIDE"),
    (lambda: wide(F32, 1, 1, 1, 1, 1, 1, 2), "rank(shape) <= MAX_RANK"),
    (lambda: wide(F32, 1 << 15, 1 << 14), "size in bytes < (1 << MAX_LOG2_SIZE)"),
    (lambda: concat(65), "tensor_list_shape(input1) <= MAX_TENSOR_LIST_SIZE"),
    (lambda: custom(65), "tensor_list_shape(input_list) <= MAX_TENSOR_LIST_SIZE"),
    (lambda: resize(257), "scale_y_n/scale_y_d <= MAX_SCALE"),
]


def custom(count: int) -> Model:
    attributes = {"operator_name": "n", "domain_name": "d", "implementation_attrs": b""}
    return model(ops.CUSTOM, [tensor(F32, 2) for _ in range(count)], result(F32, 2), attributes)


def concat(count: int) -> Model:
    return model(ops.CONCAT, [tensor(F32, 1, 2) for _ in range(count)], result(F32, count, 2), {"axis": 0})


def resize(up: int, down: int = 1) -> Model:
    operands = [tensor(F32, 1, 2, 2, 1), shape(up, down, 1, 1), shape(0, 0), shape(up % down, 0)]
    return model(ops.RESIZE, operands, result(F32, 1, -(-up // down) + 1, 2, 1), {"mode": "BILINEAR"})


def test_a_scale_is_the_quotient_of_integers() -> None:
    """2.12.1 uses `idiv` of 4.5.1: 513/2 is 256."""
    assert find_problems(resize(513, 2)) == []
    assert reference_status(resize(513, 2)) == "TOSA_VALID"
    assert [problem.condition for problem in find_problems(resize(514, 2))] == ["scale_y_n/scale_y_d <= MAX_SCALE"]
    assert reference_status(resize(514, 2)) != "TOSA_VALID"


def broken() -> list[Op]:
    """Returns operators whose constants violate a REQUIRE, on the same input."""
    x = tensor(I8, 3)
    multiplied = Op("tosa.mul", [x, x, const([1], I8)], [TensorType(I32, (3,))])
    looked_up = Op("tosa.table", [x, const(np.zeros(255), I8)], [x.type])
    multiplier, shift, zero = const([1 << 30], I32), const([1], I8), const([0], I8)
    scaled = Op("tosa.rescale", [x, multiplier, shift, zero, zero], [x.type], RESCALE)
    return [multiplied, looked_up, scaled]


@pytest.mark.parametrize("index", range(3))
def test_a_require_counts_where_it_runs(index: int) -> None:
    """2.16.1 executes one of the graphs; a REQUIRE of the other isn't evaluated."""
    op = broken()[index]
    x = op.operands[0]
    bad = whole([op], [x], [op.result]).main
    bad.name = "else_graph"
    condition, operand, other = tensor(BOOL, 1), tensor(I8, 3), tensor(I8, 3)
    good = Op("tosa.cast" if op.result.type.dtype is I32 else "tosa.identity", [other], [op.result.type])
    regions = [Graph("then_graph", [other], [good.result], [good]), bad]
    chosen = Op("tosa.cond_if", [condition, operand], [op.result.type], regions=regions)
    graph = whole([chosen], [condition, operand], [chosen.result])
    assert find_problems(graph) == []
    assert reference_status(graph) == "TOSA_VALID"
    value = np.array([3, -4, 5], np.int8)
    assert [x.tolist() for x in run(graph, [np.array([True]), value]).values()] == [[3, -4, 5]]
    with pytest.raises(UnpredictableError, match="REQUIRE"):
        run(graph, [np.array([False]), value])
    assert {problem.kind for problem in find_problems(bad)} == {"require"}


@pytest.mark.parametrize(("build", "condition"), LEVELS)
def test_limits_of_the_level_are_checked(build: Callable[[], Model], condition: str) -> None:
    graph = build()
    problems = find_problems(graph)
    assert condition in [problem.condition for problem in problems]
    assert {problem.kind for problem in problems} == {"level"}
    assert find_problems(graph, level=LEVEL_NONE) == []
    assert find_problems(graph, level=None) == []
    assert find_problems(graph, target=Target(("PRO-INT", "PRO-FP"), level=LEVEL_NONE)) == []


def test_the_largest_values_of_level_8k_are_legal() -> None:
    verify(wide(I8, (1 << 16) - 1, 1 << 15))
    verify(concat(64))
    verify(pool(8192, 1, 0))


# ** targets **


def test_targets_are_checked() -> None:
    added = model(ops.ADD, [X, X], result(F32, 2, 3))
    verify(added, target=Target(("PRO-FP",)))
    with pytest.raises(VerifyError, match=re.escape("needs PRO-FP for (fp32, fp32) -> (fp32): found target PRO-INT")):
        verify(added, target=Target(("PRO-INT",)))
    doubled = rescale(I32, I8, rounding_mode="DOUBLE_ROUND")
    verify(doubled, target=Target(extensions=("EXT-DOUBLEROUND",)))
    with pytest.raises(VerifyError, match="needs EXT-DOUBLEROUND for rounding_mode DOUBLE_ROUND: found target PRO-INT"):
        verify(doubled, target=Target())


def test_compile_time_operands_must_be_constant() -> None:
    graph = model(ops.RESHAPE, [X, tensor(DType.SHAPE, 1)], result(F32, 6))
    assert conditions(graph) == ["shape must be a compile-time constant, unless the target has EXT-DYNAMIC"]
    verify(graph, target=Target(("PRO-FP",), ("EXT-DYNAMIC",)))
    with pytest.raises(VerifyError, match="needs EXT-DYNAMIC for shape that is not a constant"):
        verify(graph, target=Target(("PRO-FP",)))


# ** control flow and variables **


def branch(name: str, dtype: DType = F32, sizes: tuple[int, ...] = (2, 3)) -> Graph:
    x = tensor(dtype, *sizes)
    op = Op("tosa.abs", [x], result(dtype, *sizes), location=name)
    return Graph(name, [x], [op.result], [op])


def choice(then_graph: Graph, else_graph: Graph, condition: tuple[int, ...] = ()) -> Model:
    return model(ops.COND_IF, [tensor(BOOL, *condition), X], result(F32, 2, 3), regions=[then_graph, else_graph])


def loop(body: Graph, dtype: DType = BOOL) -> Model:
    x = tensor(F32, 2, 3)
    flag = Op("tosa.const", [], result(dtype), {"values": np.zeros((), dtype.numpy)})
    cond = Graph("cond", [x], [flag.result], [flag])
    return model(ops.WHILE_LOOP, [X], result(F32, 2, 3), regions=[cond, body])


def test_control_flow_is_checked() -> None:
    verify(choice(branch("then"), branch("else")))
    verify(loop(branch("body")))


@pytest.mark.parametrize(
    ("build", "condition"),
    [
        (lambda: choice(branch("t"), branch("e", sizes=(2, 2))), "input_list) != tosa_input_shape(else_graph)"),
        (lambda: choice(branch("t"), branch("e"), (2,)), "tensor_size(shape) != 1"),
        (lambda: choice(branch("t"), branch("e", F16)), "types must agree between input_list and inputs of e"),
        (lambda: loop(branch("b", sizes=(2, 2))), "tensor_list_shape(input_list) != tosa_output_shape(body_graph)"),
        (lambda: loop(branch("b"), I8), "tosa_output_type(cond_graph) != bool_t"),
    ],
)
def test_signatures_of_control_flow_are_checked(build: Callable[[], Model], condition: str) -> None:
    assert any(condition in text for text in conditions(build()))


def test_problems_inside_control_flow_are_reported() -> None:
    wrong = branch("then")
    wrong.ops[0].results[0].type = TensorType(F32, (2, 2))
    assert "shape of the output != shape of the input" in conditions(choice(wrong, branch("else")))


@pytest.mark.parametrize(("depth", "expected"), [(6, []), (7, ["tosa_nesting_depth >= MAX_NESTING"])])
def test_nesting_is_limited(depth: int, expected: list[str]) -> None:
    inner = branch("inner")
    for level in range(depth):
        flag, x = Op("tosa.const", [], result(BOOL), {"values": np.array(True)}), tensor(F32, 2, 3)
        op = Op("tosa.cond_if", [flag.result, x], result(F32, 2, 3), regions=[inner, inner])
        inner = Graph(f"level{level}", [x], [op.result], [flag, op])
    assert list(dict.fromkeys(conditions(inner))) == expected


def test_level_8k_nests_6_levels() -> None:
    assert LEVEL_8K.MAX_NESTING == 6


def variables(*, sizes: tuple[int, ...] = (2,), dtype: DType = F32, declared: int = 1) -> Model:
    attributes = {"name": "state", "var_shape": (2,), "type": F32}
    declare = [Op("tosa.variable", [], [], dict(attributes)) for _ in range(declared)]
    x = tensor(dtype, *sizes)
    write = Op("tosa.variable_write", [x], [], {"name": "state"})
    read = Op("tosa.variable_read", [], result(dtype, *sizes), {"name": "state"})
    return whole([*declare, write, read], [x], [read.result])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, []),
        ({"sizes": (3,)}, ["variable_tensor.shape == shape"] * 2),
        ({"dtype": F16}, ["is_same<variable_tensor.type,in_t>()", "is_same<variable_tensor.type,out_t>()"]),
        ({"declared": 2}, ["!var_tensor.seen"]),
        ({"declared": 0}, ["variable_tensor.seen"]),  # an earlier graph of the context may declare it
    ],
)
def test_variables_are_checked(options: dict[str, Any], expected: list[str]) -> None:
    problems = find_problems(variables(**options))
    assert [problem.condition for problem in problems] == expected
    assert {problem.kind for problem in problems} <= {"require"}


def test_each_graph_declares_its_own_variables() -> None:
    verify(Model({"a": variables().main, "b": variables().main}))
