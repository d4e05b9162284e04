"""What rounding may move, by hand: which operators make steps of a last bit, and how far constants and inputs go."""

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.proof import rounding
from tosa_converter.proof.rounding import (
    amplifying_outputs,
    flipping_outputs,
    has_rounding,
    move_constants,
    move_floats,
    quantizes_at_run_time,
)

F32, I8, I32 = (TensorType(dtype, (2,)) for dtype in (DType.FP32, DType.I8, DType.I32))
NARROW = {DType.I4, DType.UI4, DType.I8, DType.UI8, DType.I16, DType.UI16}
STEPS = (
    *("equal", "greater", "greater_equal", "less", "less_equal", "not_equal", "cast", "ceil", "fake_quant", "floor"),
    *("floor_div", "floor_mod", "round", "sign", "arg_max", "arg_min", "topk_v2"),
    *("non_max_suppression_v4", "non_max_suppression_v5"),
)


def constant(values: Array, name: str = "c") -> Op:
    dtype = {"float32": DType.FP32, "int8": DType.I8, "int32": DType.I32}[str(values.dtype)]
    return Op("tfl.pseudo_const", (), [TensorType(dtype, values.shape)], {"values": values}, result_names=[name])


def one_operator(name: str, operand: TensorType, result: TensorType = F32) -> Model:
    x = Value(operand, "x")
    op = Op(f"tfl.{name}", [x], [result])
    return Model({"main": Graph("main", [x], [op.result], [op])}, opset="tfl")


@pytest.mark.parametrize("name", STEPS)
def test_operators_with_steps(name: str) -> None:
    """A last bit of a float may change their results by a whole step; of integers there is no last bit."""
    model = one_operator(name, F32, I32)
    assert (flipping_outputs(model), has_rounding(model)) == ({0}, True)
    integers = one_operator(name, I32, I32)
    assert (flipping_outputs(integers), has_rounding(integers)) == (set(), False)


def test_one_float_operand_is_enough_for_a_step() -> None:
    """As of TOPK_V2, whose count is an integer."""
    x, k = Value(F32, "x"), Value(I32, "k")
    op = Op("tfl.topk_v2", [x, k], [F32])
    assert flipping_outputs(Model({"main": Graph("main", [x, k], [op.result], [op])}, opset="tfl")) == {0}


@pytest.mark.parametrize("name", ["add", "conv_2d", "exp", "reshape"])
def test_other_operators_have_none(name: str) -> None:
    model = one_operator(name, F32)
    assert (flipping_outputs(model), has_rounding(model), amplifying_outputs(model)) == (set(), False, {0})


@pytest.mark.parametrize("dtype", [dtype for dtype in DType if dtype not in (DType.STRING, DType.RESOURCE)])
def test_results_of_up_to_16_bits_are_rounded(dtype: DType) -> None:
    model = one_operator("quantize", F32, TensorType(dtype, (2,)))
    narrow = dtype in NARROW
    assert (has_rounding(model), flipping_outputs(model)) == (narrow, {0} if narrow else set())
    assert amplifying_outputs(model) == ({0} if dtype.is_float else set())


@pytest.mark.parametrize(
    ("operands", "hybrid"), [((F32, I8), True), ((F32, F32), False), ((I8, I8), False), ((I32, F32), False)]
)
def test_floats_beside_narrow_integers_are_quantized(operands: tuple[TensorType, ...], hybrid: bool) -> None:
    op = Op("tfl.fully_connected", [Value(type, "x") for type in operands], [F32])
    assert quantizes_at_run_time(op) == hybrid


def chain_of(*names: str) -> Model:
    """x -> names[0] -> names[1] ..., whose results are all outputs; `quantize` gives int8, all others fp32."""
    x = Value(F32, "x")
    ops, last = list[Op](), x
    for name in names:
        ops.append(Op(f"tfl.{name}", [last], [I8 if name == "quantize" else F32]))
        last = ops[-1].result
    return Model({"main": Graph("main", [x], [op.result for op in ops], ops)}, opset="tfl")


def test_everything_behind_a_step_flips_and_nothing_in_front() -> None:
    assert not has_rounding(chain_of("exp", "exp"))
    assert has_rounding(chain_of("exp", "quantize", "dequantize"))
    model = chain_of("exp", "floor", "exp", "abs")
    assert has_rounding(model)
    assert flipping_outputs(model) == {1, 2, 3}
    assert amplifying_outputs(model) == {0, 1, 2, 3}  # it stays floats, of no fewer bits
    model = chain_of("exp", "quantize", "dequantize", "exp")
    assert flipping_outputs(model) == {1, 2, 3}
    assert amplifying_outputs(model) == {0}


def test_constants_that_are_dequantized_are_not_rounded_in_a_run() -> None:
    x = Value(F32, "x")
    weight = constant(np.array([1, 2], np.int8))
    floats = Op("tfl.dequantize", [weight.result], [F32])
    add = Op("tfl.add", [x, floats.result], [F32])
    model = Model({"main": Graph("main", [x], [add.result], [weight, floats, add])}, opset="tfl")
    assert (amplifying_outputs(model), flipping_outputs(model)) == ({0}, set())


def test_constants_move_by_a_rounding_of_the_largest_beside_them() -> None:
    """By hand: fp32 has 23 bits behind the leading one."""
    x = Value(F32, "x")
    zeros, ones = constant(np.zeros(2, np.float32), "zeros"), constant(np.array([1, -4], np.float32), "ones")
    alone, whole = constant(np.array([0.5, 0.25], np.float32), "alone"), constant(np.array([7, 9], np.int32), "whole")
    layer = Op("tfl.layer", [x, zeros.result, ones.result], [F32])
    add = Op("tfl.add", [layer.result, alone.result], [F32])
    end = Op("tfl.end", [add.result, whole.result], [F32])
    ops = [zeros, ones, alone, whole, layer, add, end]
    model = Model({"main": Graph("main", [x], [end.result], ops)}, opset="tfl")
    moved = {op.result.name: op.attributes["values"] for op in move_constants(model, 3).main.ops[:4]}
    for name, step in (("zeros", 4 * 2.0**-23), ("ones", 4 * 2.0**-23), ("alone", 0.5 * 2.0**-23)):
        original = next(op for op in ops if op.result.name == name).attributes["values"]
        np.testing.assert_array_equal(np.abs(moved[name].astype(np.float64) - original), step)
        assert moved[name].dtype == np.float32
    assert moved["whole"].tolist() == [7, 9]
    assert zeros.attributes["values"].tolist() == [0, 0]  # the model stays as it is
    repeated = {op.result.name: op.attributes["values"] for op in move_constants(model, 3).main.ops[:4]}
    np.testing.assert_array_equal(moved["ones"], repeated["ones"])
    seeds = {move_constants(model, seed).main.ops[0].attributes["values"].tobytes() for seed in range(20)}
    assert len(seeds) == 4  # each of two elements up or down


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_every_type_of_floats_moves_by_its_own_last_place(dtype: str) -> None:
    x = np.linspace(1, 2, 100, endpoint=False).astype(dtype)
    (moved,) = move_floats({"x": x}, 0).values()
    assert moved.dtype == x.dtype
    step = np.abs(moved.astype(np.float64) - x)
    eps = float(np.finfo(x.dtype).eps)
    assert set(step[x > 1].tolist()) == {eps}
    assert set(step[x == 1].tolist()) <= {eps, eps / 2}  # below 1 numbers are half as far from each other


def test_a_graph_that_an_operator_runs_rounds_for_it() -> None:
    """Also one that only such a graph runs; variables hold what any operator of the model rounds."""
    plain = one_operator("exp", F32).main
    byte = one_operator("quantize", F32, I8).main
    middle = Graph("middle", [x := Value(F32, "x")], ops=[if_op(x, 2)])
    middle.outputs = [middle.ops[0].result]
    for graphs, number, rounds in (([plain], 1, False), ([byte], 1, True), ([middle, byte], 1, True)):
        y = Value(F32, "y")
        op = if_op(y, number)
        main = Graph("main", [y], [op.result], [op])
        named = {"main": main, **{str(i): graph for i, graph in enumerate(graphs)}}
        model = Model(named, opset="tfl")
        assert has_rounding(model) == rounds
    read = Op("tfl.read_variable", [Value(TensorType(DType.RESOURCE, ()), "h")], [F32])
    for other, rounds in ((plain, False), (byte, True)):
        model = Model({"main": Graph("main", [], [read.result], [read]), "other": other}, opset="tfl")
        assert has_rounding(model) == rounds


def if_op(x: Value, number: int) -> Op:
    return Op("tfl.if", [x, x], [F32], {"then_subgraph_index": number, "else_subgraph_index": number})


def test_the_table_of_steps_is_whole() -> None:
    assert {f"tfl.{name}" for name in STEPS} == rounding._STEPS
