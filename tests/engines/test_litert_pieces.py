"""LiteRT in pieces: operators whose kernels disagree, or are missing, run with kernels that compute them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flatbuffers import flexbuffers
from support.blockwise_models import DEPTH, OUTPUTS, ROWS, layer, random_levels, random_scales
from support.tflite_models import OPTIMIZED, Operator, Subgraph, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.engines import ENGINES
from tosa_converter.engines.engine import Judge
from tosa_converter.engines.litert import LiteRT
from tosa_converter.engines.pieces import _execution_levels, _groups_sharing_state, make_plan
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.schemas.tflite import BlockwiseQuantization, MultiAxisQuantization
from tosa_converter.schemas.tflite import BuiltinOperator as B

pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
LRN = {"radius": 2, "bias": 1.0, "alpha": 0.5, "beta": 0.75}
SHAPE = (1, 3, 4, 8)


def litert() -> LiteRT:
    """Returns the engine of the reference kernels."""
    engine = ENGINES["litert"]
    assert isinstance(engine, LiteRT)
    return engine


def normalized(x: Array) -> Array:
    """Returns LOCAL_RESPONSE_NORMALIZATION as TensorFlow defines it: each sum has 2 * radius + 1 channels."""
    padded = np.pad(x.astype(np.float64) ** 2, [(0, 0)] * 3 + [(LRN["radius"], LRN["radius"])])
    total = sum(padded[..., i : i + x.shape[-1]] for i in range(2 * int(LRN["radius"]) + 1))
    return np.asarray(x / (LRN["bias"] + LRN["alpha"] * total) ** LRN["beta"])


def between(builtin: B, options: dict[str, Any], version: int = 1, *, nested: bool = False) -> bytes:
    """Returns RELU, an operator of one operand, and ABS; the operator is in a called graph if `nested`."""
    tensors = [Tensor(SHAPE) for _ in range(4)]
    middle = Operator(builtin, [1], [2], options, version=version)
    if not nested:
        ops = [Operator(B.RELU, [0], [1]), middle, Operator(B.ABS, [2], [3])]
        return build(tensors, ops, [0], [3])
    inner = Subgraph([Tensor(SHAPE), Tensor(SHAPE)], [Operator(builtin, [0], [1], options, version=version)], [0], [1])
    attributes = np.frombuffer(flexbuffers.Dumps({}), np.uint8)
    called = {"name": "c", "decomposition_subgraph_index": 1, "composite_attributes": attributes}
    call = Operator(B.STABLEHLO_COMPOSITE, [1], [2], called)
    return build(tensors, [Operator(B.RELU, [0], [1]), call, Operator(B.ABS, [2], [3])], [0], [3], [inner])


def sample() -> Array:
    return np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)


def test_an_operator_whose_kernels_disagree_runs_by_its_definition() -> None:
    model, x = tc.load(between(B.LOCAL_RESPONSE_NORMALIZATION, LRN)), sample()
    (output,), observed = litert().run_observed(model, {"t0": x}, ["t0", "t1", "t2"])
    np.testing.assert_array_equal(observed["t0"], x)
    expected = normalized(np.maximum(x, 0))
    np.testing.assert_allclose(output, np.abs(expected), rtol=1e-5)
    np.testing.assert_allclose(observed["t2"], expected, rtol=1e-5)
    np.testing.assert_array_equal(observed["t1"], np.maximum(x, 0))
    (row,) = litert().find_judges(model)
    assert (row.operator, row.kernels) == ("tfl.local_response_normalization", "litert-optimized")
    assert "last channel" in row.reason
    assert row.place.startswith("main:1 ")


@pytest.mark.parametrize("numerics", ["reference", "xnnpack", "compact"])
def test_every_numerics_has_the_definition_with_a_note(numerics: str) -> None:
    model, x = tc.convert(between(B.LOCAL_RESPONSE_NORMALIZATION, LRN), numerics=numerics), sample()
    (output,) = tc.run(model, {"t0": x}).values()
    np.testing.assert_allclose(output, np.abs(normalized(np.maximum(x, 0))), rtol=1e-5)
    assert any("last channel out of every sum" in note.text for note in model.report.notes)


def test_verify_judges_the_operator_by_its_definition() -> None:
    assert tc.verify(between(B.LOCAL_RESPONSE_NORMALIZATION, LRN)).verdict


def test_a_model_without_such_operators_runs_in_one_piece() -> None:
    model = tc.load(between(B.NEG, {}))
    assert litert().find_judges(model) == ()


@pytest.mark.parametrize(("builtin", "options", "version"), [(B.ELU, {}, 1), (B.CEIL, {}, 1), (B.ABS, {}, 5)])
def test_operators_without_reference_kernels_run_with_optimized_ones(
    builtin: B, options: dict[str, Any], version: int
) -> None:
    """LiteRT's converter writes ABS in version 5 today."""
    engine = LiteRT()  # an engine that hasn't asked LiteRT yet
    data, x = between(builtin, options, version), sample()
    model = tc.load(data)
    (row,) = engine.find_judges(model)
    assert (row.operator, row.kernels) == (f"tfl.{builtin.name.lower()}", "litert-optimized")
    assert f"no reference kernel of {builtin.name}, version {version}" in row.reason
    (output,) = engine.run(model, {"t0": x}).values()
    np.testing.assert_array_equal(output, run_litert(data, [x], kernels=OPTIMIZED)[0])
    assert tc.verify(data).verdict


def test_in_a_called_graph_the_whole_model_runs_with_the_optimized_kernels() -> None:
    data, x = between(B.LOCAL_RESPONSE_NORMALIZATION, LRN, nested=True), sample()
    model = tc.load(data)
    (row,) = litert().find_judges(model)
    assert (row.operator, row.kernels) == ("", "litert-optimized")
    assert "in a graph that another operator calls" in row.reason
    (output,) = litert().run(model, {"t0": x}).values()
    np.testing.assert_allclose(output, np.abs(normalized(np.maximum(x, 0))), rtol=1e-5)


@pytest.mark.parametrize(("dtype", "scale"), [("int8", 0.05), ("int16", 0.0005)])
def test_sums_of_narrow_integers_equal_numpy(dtype: str, scale: float) -> None:
    x = np.random.default_rng(1).integers(-128, 128, (6, 40)).astype(dtype)
    axes = Tensor((1,), "int32", data=np.array([1], np.int32))
    tensors = [Tensor(x.shape, dtype, scale=scale, zero_point=0), axes, Tensor((6,), dtype, scale=4 * scale)]
    data = build(tensors, [Operator(B.SUM, [0, 1], [2])], [0], [2])
    (output,) = litert().run(tc.load(data), {"t0": x}).values()
    exact = x.sum(1, dtype=np.int64) / 4
    limits = np.iinfo(dtype)
    np.testing.assert_array_equal(
        output, np.clip(np.sign(exact) * np.floor(np.abs(exact) + 0.5), limits.min, limits.max)
    )
    assert tc.verify(data).verdict


def test_state_of_a_streaming_model_is_kept_between_pieces() -> None:
    """A variable grows by the result of LOCAL_RESPONSE_NORMALIZATION; it is read behind the operator, in one piece."""
    handle = Tensor((), "resource")
    tensors = [Tensor(SHAPE), Tensor(SHAPE), handle, Tensor(SHAPE), Tensor(SHAPE)]
    ops = [
        Operator(B.LOCAL_RESPONSE_NORMALIZATION, [0], [1], LRN),
        Operator(B.VAR_HANDLE, [], [2], {"shared_name": "sum"}),
        Operator(B.READ_VARIABLE, [2], [3]),
        Operator(B.ADD, [1, 3], [4]),
        Operator(B.ASSIGN_VARIABLE, [2, 4], []),
    ]
    zeros = Tensor(SHAPE, data=np.zeros(SHAPE, np.float32))
    begin = Subgraph(
        [handle, zeros],
        [Operator(B.VAR_HANDLE, [], [0], {"shared_name": "sum"}), Operator(B.ASSIGN_VARIABLE, [0, 1], [])],
        [],
        [],
    )
    once = Operator(B.CALL_ONCE, [], [], {"init_subgraph_index": 1})
    model = tc.load(build(tensors, [once, *ops], [0], [4], [begin]))
    steps = [{"t0": sample() + i} for i in range(3)]
    runs = [outputs["t4"] for outputs in litert().run_steps(model, steps)]
    expected = np.cumsum([normalized(step["t0"]) for step in steps], 0)
    np.testing.assert_allclose(runs, expected, rtol=1e-5, atol=1e-6)


def test_a_model_whose_state_surrounds_the_operator_runs_with_the_optimized_kernels() -> None:
    """The operator is between READ_VARIABLE and ASSIGN_VARIABLE: both depend on each other."""
    handle = Tensor((), "resource")
    tensors = [Tensor(SHAPE), handle, Tensor(SHAPE), Tensor(SHAPE), Tensor(SHAPE)]
    ops = [
        Operator(B.VAR_HANDLE, [], [1], {"shared_name": "v"}),
        Operator(B.READ_VARIABLE, [1], [2]),
        Operator(B.ADD, [0, 2], [3]),
        Operator(B.LOCAL_RESPONSE_NORMALIZATION, [3], [4], LRN),
        Operator(B.ASSIGN_VARIABLE, [1, 4], []),
    ]
    zeros = Tensor(SHAPE, data=np.zeros(SHAPE, np.float32))
    begin = Subgraph(
        [handle, zeros],
        [Operator(B.VAR_HANDLE, [], [0], {"shared_name": "v"}), Operator(B.ASSIGN_VARIABLE, [0, 1], [])],
        [],
        [],
    )
    once = Operator(B.CALL_ONCE, [], [], {"init_subgraph_index": 1})
    model = tc.load(build(tensors, [once, *ops], [0], [4], [begin]))
    (row,) = litert().find_judges(model)
    assert (row.operator, row.kernels) == ("", "litert-optimized")
    assert "shares state" in row.reason
    runs = litert().run_steps(model, [{"t0": sample()}] * 2)
    expected = normalized(sample())
    np.testing.assert_allclose(runs[0]["t4"], expected, rtol=1e-5)
    np.testing.assert_allclose(runs[1]["t4"], normalized(sample() + expected.astype(np.float32)), rtol=1e-5)


@pytest.mark.parametrize("bits", [4, 2])
def test_reference_kernels_are_no_judge_of_blockwise_weights(bits: int, tmp_path: Path) -> None:
    """They return zeros; for 2 bits, all kernels do, so numpy judges."""
    path = tmp_path / "blockwise.tflite"
    path.write_bytes(layer(bits, 32, bias=False))
    x = np.random.default_rng(0).standard_normal((ROWS, DEPTH)).astype(np.float32)
    assert not run_litert(path.read_bytes(), [x])[0].any()
    model = tc.load(path)
    (row,) = litert().find_judges(model)
    assert (row.operator, row.kernels) == ("tfl.fully_connected", "litert-optimized" if bits == 4 else "numpy")
    assert "weights of 2 bits" in row.reason or "zeros for weights with a scale for each block" in row.reason
    (output,) = litert().run(model, {model.main.inputs[0].name: x}).values()
    scales = random_scales(OUTPUTS * 8).reshape(OUTPUTS, 8).astype(np.float32)
    expected = x @ (random_levels(bits, (OUTPUTS, DEPTH)) * np.repeat(scales, 32, 1)).T
    np.testing.assert_allclose(output, expected, atol=0.02 * np.abs(expected).max())


def test_products_of_bytes_in_32_bits_equal_numpy() -> None:
    """All kernels of LiteRT read int8 as int32 there."""
    rng = np.random.default_rng(0)
    x, y = (rng.integers(-128, 128, shape).astype(np.int8) for shape in ((3, 5), (5,)))
    tensors = [Tensor(x.shape, "int8", scale=0.5, zero_point=3), Tensor(y.shape, "int8", scale=0.25, zero_point=-5)]
    tensors += [Tensor((3, 5), "int32"), Tensor((3, 5), "int32")]
    data = build(tensors, [Operator(B.MUL, [0, 1], [2]), Operator(B.ABS, [2], [3])], [0, 1], [3])
    model = tc.load(data)
    (output,), observed = litert().run_observed(model, {"t0": x, "t1": y}, ["t2"])
    expected = (x.astype(np.int32) - 3) * (y.astype(np.int32) + 5)
    np.testing.assert_array_equal(observed["t2"], expected)
    np.testing.assert_array_equal(output, np.abs(expected))
    assert [row.kernels for row in litert().find_judges(model)] == ["numpy"]
    converted = tc.convert(data)
    assert any("read operands of int8 as int32" in note.text for note in converted.report.notes)
    assert tc.verify(data).verdict


def test_an_unknown_batch_is_as_large_in_every_piece() -> None:
    tensors = [Tensor(SHAPE, signature=(-1, *SHAPE[1:])) for _ in range(4)]
    ops = [Operator(B.RELU, [0], [1]), Operator(B.LOCAL_RESPONSE_NORMALIZATION, [1], [2], LRN)]
    model = tc.load(build(tensors, [*ops, Operator(B.ADD, [1, 2], [3])], [0], [3, 1, 0]))
    x = np.concatenate([sample(), -sample()])
    outputs = litert().run(model, {"t0": x})
    positive = np.maximum(x, 0)
    np.testing.assert_allclose(outputs["t3"], positive + normalized(positive), rtol=1e-5)
    np.testing.assert_array_equal(outputs["t1"], positive)
    np.testing.assert_array_equal(outputs["t0"], x)


def test_tensors_that_operators_change_are_kept_within_their_piece() -> None:
    """SVDF keeps its memory; ELU behind it is in another piece."""
    time, feature = np.array([[1, 2, 4]], np.float32), np.ones((1, 2), np.float32)
    tensors = [Tensor((1, 2)), Tensor((1, 2), data=feature), Tensor((1, 3), data=time), Tensor((1, 3), variable=True)]
    options = {"rank": 1, "fused_activation_function": 0}
    ops = [Operator(B.SVDF, [0, 1, 2, -1, 3], [4], options), Operator(B.ELU, [4], [5])]
    model = tc.load(build([*tensors, Tensor((1, 1)), Tensor((1, 1))], ops, [0], [5]))
    steps = [{"t0": np.full((1, 2), value, np.float32)} for value in (1, 10, 100)]
    outputs = [run["t5"].item() for run in litert().run_steps(model, steps)]
    assert outputs == [2 * 4, 2 * (2 + 40), 2 * (1 + 20 + 400)]
    assert [row.operator for row in litert().find_judges(model)] == ["tfl.elu"]


# ** the order of pieces, by hand **


def chained(*links: tuple[str, str]) -> tuple[list[Op], dict[Op, str]]:
    """Returns operators by their names' letters, each with its operands and the kernels that a link states."""
    values: dict[str, Value] = {"x": Value(TensorType(DType.FP32, (2,)), "x")}
    ops, kernels = [], {}
    for name, (operands, kernel) in zip("abcdef", links, strict=False):
        op = Op("tfl.add", [values[letter] for letter in operands], [values["x"].type])
        values[name] = op.result
        ops.append(op)
        kernels[op] = kernel
    return ops, kernels


@pytest.mark.parametrize(
    ("links", "groups", "levels"),
    [
        ([("x", "r"), ("a", "r"), ("b", "r")], [], [0, 0, 0]),
        ([("x", "r"), ("a", "o"), ("b", "r")], [], [0, 1, 2]),
        ([("x", "o"), ("x", "r"), ("ab", "r")], [], [0, 0, 1]),
        ([("x", "r"), ("a", "o"), ("x", "r")], [(0, 2)], [0, 1, 0]),
        ([("x", "r"), ("a", "o"), ("b", "r"), ("x", "r")], [(2, 3)], [0, 1, 2, 2]),
        ([("x", "r"), ("a", "o"), ("b", "r")], [(0, 2)], None),  # the group and another operator feed each other
        ([("x", "r"), ("x", "r"), ("b", "o"), ("c", "r")], [(1, 3)], None),  # beside an operator that stays
        ([("x", "r"), ("x", "o")], [(0, 1)], None),  # kernels of both kinds in one group
    ],
)
def test_levels_grow_where_kernels_change(
    links: list[tuple[str, str]], groups: list[tuple[int, ...]], levels: list[int] | None
) -> None:
    ops, kernels = chained(*links)
    level_of = _execution_levels(ops, kernels, [{ops[i] for i in group} for group in groups])
    assert (None if level_of is None else [level_of[op] for op in ops]) == levels


@pytest.mark.parametrize(
    ("inner", "groups"),
    [
        ("tfl.abs", [{1, 2}]),
        ("tfl.random_uniform", [{1, 2}]),  # each operator has its own counter
        ("tfl.read_variable", [{0, 1, 2}]),
        ("tfl.assign_variable", [{0, 1, 2}]),
    ],
)
def test_operators_with_shared_state_form_one_group(inner: str, groups: list[set[int]]) -> None:
    """An operator calls a graph, and two share a variable: all are one group if the called graph has state."""
    x, handle = Value(TensorType(DType.FP32, (2,)), "x"), TensorType(DType.RESOURCE, ())
    call = Op("tfl.if", [x], [x.type], {"then_subgraph_index": 1, "else_subgraph_index": 2})
    handle_op = Op("tfl.var_handle", [], [handle], {"container": "", "shared_name": "v"})
    read = Op("tfl.read_variable", [handle_op.result], [x.type])
    other = Op("tfl.abs", [x], [x.type])
    ops = [call, handle_op, read, other]
    called = Op(inner, [], [x.type])
    graphs = {"main": Graph("main", [x], [read.result], ops), "then": Graph("then", [], [called.result], [called])}
    model = Model({**graphs, "else": Graph("else", [x], [x], [])})
    shared = [{ops.index(op) for op in group} for group in _groups_sharing_state(model, ops) if len(group) > 1]
    assert shared == groups
    assert not any(ops.index(other) in {ops.index(op) for op in group} for group in _groups_sharing_state(model, ops))


@pytest.mark.parametrize(
    ("kind", "details"),
    [
        ("", None),  # blocks of int4, which pieces can have
        ("blockwise", BlockwiseQuantization(scales=3, zero_points=-1, block_size=32)),
        ("multi-axis", MultiAxisQuantization(scales=3, zero_points=-1, block_size=32)),
    ],
)
def test_the_reason_against_a_split_names_the_tensor(kind: str, details: Any) -> None:
    levels, scales = np.arange(3 * 64).reshape(3, 64) % 15 - 7, np.full((3, 2), 0.125)
    weight = Tensor((3, 64), "int4", levels, block_scales=scales)
    if details is not None:
        weight = Tensor((3, 64), "int8", levels.astype(np.int8), details=details, name="weight")
    tensors = [Tensor((2, 64)), weight, Tensor((2, 3)), Tensor((2, 3))]
    ops = [Operator(B.FULLY_CONNECTED, [0, 1, -1], [2]), Operator(B.ABS, [2], [3])]
    model = tc.load(build(tensors, ops, [0], [3]))

    def judge(op: Op) -> Judge | None:
        return Judge(op.name, op.location, "numpy", "its kernels round otherwise") if op.name == "tfl.abs" else None

    if not kind:
        assert [piece.kernels for piece in make_plan(model, "litert", judge).pieces] == ["litert", "numpy"]
        return
    reason = f"tensor 'weight' has {kind} quantization of i8, which no piece can have"
    with pytest.raises(tc.UnsupportedError, match=f"no kernels of LiteRT judge tfl.abs: .*; {reason}$"):
        make_plan(model, "litert", judge)
