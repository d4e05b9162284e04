"""Models that LiteRT refuses before it runs are refused with operator, place, expected and found; no others are."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NoReturn

import numpy as np
import pytest
from longer.malformed_models import UNDEFINED, faulty, judge, verdicts
from support.cases.case import Case, ints, tensor
from support.cases.pooling import POOL
from support.cases.recurrent_cells import recurrent
from support.cases.table import bases
from support.legalizing import Const, single
from support.passes import rule_pass
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.engines.process import Worker
from tosa_converter.errors import BrokenPassError, FormatError, UnsupportedError
from tosa_converter.formats import parse
from tosa_converter.rewriting.driver import RulePass, run_pass
from tosa_converter.rewriting.expr import Expr, clamp
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.report import Note, Options, Report
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas import tfl_ops
from tosa_converter.schemas.tfl_prepared import PREPARED
from tosa_converter.schemas.tflite import BuiltinOperator as B


@pytest.fixture(scope="module")
def litert() -> Iterator[Worker]:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    worker = judge()
    yield worker
    worker.close()


def test_every_operator_with_a_rule_has_types() -> None:
    with_rules = {rule.root for rule in rule_pass("tfl").rules}
    stated = {row.opcode for row in tfl_ops.OPERATORS if row.types}
    lowered = {name for name in with_rules if not name.startswith(("tfl.pseudo", "custom."))}
    assert not lowered - stated, "state their types in schemas/tfl_ops.py"
    assert not stated - PREPARED.keys() - lowered, "no rule in legalize/pipelines.py starts from them"


def test_what_litert_runs_is_not_refused(litert: Worker) -> None:
    for case in bases():
        verdict = verdicts(litert, case)
        assert case.builtin is B.DENSIFY or verdict.litert == "runs", verdict.words
        assert verdict.agree, (case, verdict)


@pytest.mark.parametrize("seed", range(200))
def test_verdicts_on_random_faults_equal_litert(seed: int, litert: Worker) -> None:
    case, done = faulty(seed)
    verdict = verdicts(litert, case)
    undefined = case.builtin in UNDEFINED and verdict[:2] == ("runs", "refuses")
    assert verdict.agree or undefined, (done, verdict)


IMAGE_OF_BYTES, NUMBERS = tensor("int8"), tensor("int32")
# Cases of a longer run: a kernel's result may have another shape than the file states.
OTHER_SHAPES = (
    Case(B.RESIZE_BILINEAR, (tensor("int8", (1, 3, 4, 2)), ints(8, 8)), (IMAGE_OF_BYTES,)),
    Case(B.GATHER, (IMAGE_OF_BYTES, ints(1, shape=())), (IMAGE_OF_BYTES,), {"axis": 2}),
    Case(B.UNPACK, (tensor("int32", (1, 4, 3, 2)),), (NUMBERS, NUMBERS), {"axis": 3, "num": 2}),
)


@pytest.mark.parametrize("case", OTHER_SHAPES, ids=lambda case: case.builtin.name)
def test_verdicts_on_other_shapes_equal_litert(case: Case, litert: Worker) -> None:
    assert verdicts(litert, case).agree


X, I8, SCALAR = tensor("float32"), tensor("int8"), tensor("float32", ())
WINDOW = {"stride_h": 1, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 1}


def by_last(*shape: int) -> Tensor:
    """Returns weights with scales along the last dimension."""
    scale = np.linspace(0.01, 0.02, shape[-1], dtype=np.float32)
    return Tensor(shape, "int8", np.ones(shape, np.int8), scale=scale, axis=len(shape) - 1)


def by_channel(*shape: int) -> Tensor:
    """Returns weights with scales along the first dimension."""
    return replace(by_last(*shape), scale=np.linspace(0.01, 0.02, shape[0], dtype=np.float32), axis=0)


REFUSED = {
    "TRANSPOSE to i16": (
        Case(B.TRANSPOSE, (X, ints(0, 2, 1, 3)), (tensor("int16"),)),
        r"TRANSPOSE 't2': result 0 \(output\): expected fp32, found i16",
    ),
    "LOGISTIC to i32": (Case(B.LOGISTIC, (X,), (tensor("int32"),)), "expected fp32, found i32"),
    "SOFTMAX int8": (
        Case(B.SOFTMAX, (I8,), (I8,), {"beta": 1.0}),
        r"'t1': expected scale 0.00390625 and zero point -128, found i8\[1x4x4x2\] <0.05:0>",
    ),
    "PACK": (Case(B.PACK, (X, X), (X,), {"values_count": 3}), "values_count is 3, found 2"),
    "UNPACK": (Case(B.UNPACK, (X,), (X, X), {"axis": 3, "num": 1}), "num is 1, found 2"),
    "SPLIT": (Case(B.SPLIT, (ints(3, shape=()), X), (X, X), {"num_splits": 1}), "num_splits is 1, found 2"),
    "CONCATENATION": (
        Case(B.CONCATENATION, (I8, replace(I8, zero_point=3)), (I8,), {"axis": 3}),
        r"'t1': expected scale 0.05 and zero point 0, found i8\[1x4x4x2\] <0.05:3>",
    ),
    "int16 zero point": (
        Case(B.RELU, (replace(tensor("int16"), zero_point=3),), (tensor("int16"),)),
        "'t0': expected a zero point of 0 for i16, found 3",
    ),
    "DENSIFY": (Case(B.DENSIFY, (X,), (X,)), r"expected a sparse constant, found fp32\[1x4x4x2\]"),
    "SOFTMAX of a scalar": (Case(B.SOFTMAX, (SCALAR,), (SCALAR,), {"beta": 1.0}), "expected rank 1 or more"),
    "L2_NORMALIZATION of a scalar": (Case(B.L2_NORMALIZATION, (SCALAR,), (SCALAR,)), "expected rank 1 or more"),
    "EMBEDDING_LOOKUP in a vector": (
        Case(B.EMBEDDING_LOOKUP, (Tensor((2,), "int32"), tensor("float32", (3,))), (tensor("float32", (2,)),)),
        "operand 1: expected rank 2 or more, found shape 3",
    ),
    "FULLY_CONNECTED with scales by column": (
        Case(B.FULLY_CONNECTED, (tensor("int8", (2, 4)), by_last(3, 4), None), (tensor("int8", (2, 3)),)),
        "'t1': expected scales along axis 0",
    ),
    "CONV_2D with a scale too few": (
        Case(B.CONV_2D, (I8, by_last(3, 2, 2, 2), ints(0, 0, 0)), (I8,), WINDOW),
        "weight: expected 1 or 3 scales, found 2",
    ),
    "hybrid CONV_2D with scales by input channel": (
        Case(B.CONV_2D, (X, by_last(2, 2, 2, 2), None), (X,), WINDOW),
        "'t1': expected scales along axis 0",
    ),
    "hybrid DEPTHWISE_CONV_2D with one scale": (
        Case(B.DEPTHWISE_CONV_2D, (X, replace(by_last(1, 2, 2, 2), scale=0.02), None), (X,), WINDOW),
        "'t1': expected a scale for each of 2 channels",
    ),
    "FULLY_CONNECTED that keeps dimensions of other rows": (
        Case(
            B.FULLY_CONNECTED,
            (tensor("float32", (3, 2)), tensor("float32", (3, 1)), None),
            (tensor("float32", (3, 3)),),
            {"keep_num_dims": True},
        ),
        "a weight of 3x1 doesn't fit rows of 3x2",
    ),
    "SPARSE_TO_DENSE with several defaults": (
        Case(B.SPARSE_TO_DENSE, (ints(0, 1), ints(3), tensor("float32", (2,)), tensor("float32", (3,))), (X,)),
        "expected one element, found shape 3",
    ),
    "UNSORTED_SEGMENT_SUM with a matrix of a number": (
        Case(B.UNSORTED_SEGMENT_SUM, (X, ints(0), ints(1, shape=(1, 1))), (X,)),
        "expected one element, found shape 1x1",
    ),
    "CONV_2D of uint8 with a scale for each channel": (
        Case(
            B.CONV_2D,
            (tensor("uint8"), replace(by_channel(2, 2, 2, 2), dtype="uint8"), ints(0, 0)),
            (tensor("uint8"),),
            WINDOW,
        ),
        "expected one scale for ui8, found 2",
    ),
    "REDUCE_MAX to another scale": (
        Case(B.REDUCE_MAX, (I8, ints(1)), (tensor("int8", (1, 4, 2), 0.1),), {"keep_dims": False}),
        r"'t2': expected scale 0.05 and zero point 0, found i8\[1x4x2\] <0.1:0>",
    ),
    "REDUCE_MIN to another zero point": (
        Case(B.REDUCE_MIN, (tensor("uint8"), ints(1)), (tensor("uint8", (1, 4, 2), 0.05, 1),), {"keep_dims": False}),
        r"'t2': expected scale 0.05 and zero point 0, found ui8\[1x4x2\] <0.05:1>",
    ),
    "L2_NORMALIZATION int8": (Case(B.L2_NORMALIZATION, (I8,), (I8,)), "expected scale 0.0078125 and zero point 0"),
    "L2_NORMALIZATION uint8": (
        Case(B.L2_NORMALIZATION, (tensor("uint8"),), (tensor("uint8", scale=1 / 128),)),
        "expected scale 0.0078125 and zero point 128",
    ),
    "ADD_N of one operand": (Case(B.ADD_N, (X,), (X,)), "expected 2 or more operands, found 1"),
    "operands": (Case(B.ADD, (X, X, X), (X,)), "ADD 't3': expected 2 operands, found 3"),
    "results": (Case(B.ADD, (X, X), (X, X)), "expected 1 results, found 2"),
    "absent": (Case(B.ADD, (X, None), (X,)), r"operand 1 \(rhs\) is missing"),
    "rank": (Case(B.MAX_POOL_2D, (tensor("float32", (4, 4)),), (X,), POOL), "expected rank 4, found shape 4x4"),
    "broadcast": (Case(B.ADD, (X, tensor("float32", (3,))), (X,)), "shapes 1x4x4x2 and 3 don't broadcast"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_litert_refuses_is_malformed(name: str, litert: Worker) -> None:
    case, words = REFUSED[name]
    verdict = verdicts(litert, case)
    assert verdict[:2] == ("refuses", "refuses")
    with pytest.raises(FormatError, match=words):
        tc.convert(parse(case.file()))


NARROW_PRODUCTS = [(x, y) for x in ("int8", "uint8", "int16") for y in ("int32", "int64", "float32")]


@pytest.mark.parametrize(("x", "result"), [pair for pair in NARROW_PRODUCTS if pair != ("int8", "int32")])
def test_products_that_litert_runs_are_not_malformed(x: str, result: str, litert: Worker) -> None:
    """LiteRT's kernels read bytes as words there, so they are unsupported; int8 to int32 has a definition."""
    case = Case(B.MUL, (tensor(x), tensor(x)), (tensor(result),))
    verdict = verdicts(litert, case)
    assert verdict[:2] == ("runs", "unsupported")
    with pytest.raises(UnsupportedError, match=r"expected 't2' to have \d+ bits, found (i32|i64|fp32)"):
        tc.convert(parse(case.file()))


@pytest.mark.parametrize("case", [*recurrent()], ids=lambda case: f"{case.builtin.name}-{len(case.operands)}")
def test_every_operand_of_recurrent_operators_has_one_shape(case: Case, litert: Worker) -> None:
    """Each gets a dimension more, one less, and a larger one; LiteRT doesn't check all recurrent weights."""
    for i, operand in enumerate(case.operands):
        if operand is None:
            continue
        shape = tuple(operand.shape)
        for other in ((1, *shape), shape[1:], (*shape[:-1], (shape or (1,))[-1] + 1)):
            data = None if operand.data is None else np.resize(operand.data, other)
            changed = replace(operand, shape=other, data=data)
            verdict = verdicts(litert, replace(case, operands=(*case.operands[:i], changed, *case.operands[i + 1 :])))
            unread = verdict[:2] == ("runs", "refuses") and "recurrent" in verdict.words
            assert verdict.agree or unread, (i, other, verdict)


@pytest.mark.parametrize("x", [tensor("float32", ()), tensor("int8", ())])
def test_log_softmax_of_a_scalar_is_malformed(x: Tensor) -> None:
    result = replace(x, scale=1 / 16, zero_point=127) if x.scale else x  # LiteRT reads a size before the first
    with pytest.raises(FormatError, match="expected rank 1 or more"):
        tc.convert(parse(Case(B.LOG_SOFTMAX, (x,), (result,)).file()))


UNCOUNTED = {
    "CONCATENATION": Case(B.CONCATENATION, (X, X), (tensor("float32", (1, 4, 4, 4)), tensor("int8")), {"axis": 3}),
    "MIRROR_PAD": Case(
        B.MIRROR_PAD, (X, ints(0, 0, 1, 1, 0, 0, 0, 0, shape=(4, 2))), (tensor("float32", (1, 6, 4, 2)), X)
    ),
    "SIGN": Case(B.SIGN, (X,), (X, X, tensor("int32", (3,)))),
}


@pytest.mark.parametrize("name", UNCOUNTED)
def test_results_that_no_kernel_writes_are_zeros_with_a_note(name: str, litert: Worker) -> None:
    """LiteRT runs these models, but leaves the further results unwritten."""
    case = UNCOUNTED[name]
    assert verdicts(litert, case)[:2] == ("runs", "notes")
    data, arrays = case.model()
    model = tc.convert(parse(data))
    assert all("zeros stand for" in text for _, text in parse(data).notes)
    first, *further = tc.run(model, {f"t{i}": array for i, array in enumerate(arrays)}).values()
    from support.tflite_models import run_litert

    np.testing.assert_array_equal(first, run_litert(data, arrays)[0])
    assert [array.shape for array in further] == [tuple(result.shape) for result in case.results[1:]]
    assert not any(array.any() for array in further)


def test_huge_unwritten_results_are_refused() -> None:
    huge = tensor("float32", (1 << 15, 1 << 15))
    with pytest.raises(FormatError, match="expected 1 results, found 2"):
        parse(Case(B.SIGN, (X,), (X, huge)).file())


def test_all_malformed_operators_are_named_at_once() -> None:
    tensors = [Tensor((2,)), *[Tensor((2,), "int32")] * 30]
    operators = [Operator(B.LOGISTIC, (0,), (i,)) for i in range(1, 31)]
    with pytest.raises(FormatError, match=r"main:9 LOGISTIC 't10': .*\nand 20 more") as refused:
        parse(build(tensors, operators, (0,), (1,)))
    assert str(refused.value).count("LOGISTIC") == 10


def test_a_type_that_the_kernel_sets_is_set_with_a_note() -> None:
    """ADD of fp32 declares i32: LiteRT computes fp32, as we do, and the next operator reads that."""
    tensors = [X, X, tensor("int32"), X]
    data = build(tensors, [Operator(B.ADD, (0, 1), (2,)), Operator(B.RELU, (2,), (3,))], (0, 1), (3,))
    model = parse(data)
    tosa = tc.convert(model)
    assert model.notes == [("main:0 ADD 't2'", "the file says i32, the result is fp32 as LiteRT's kernel makes it")]
    from support.tflite_models import run_litert

    arrays = [np.full(X.shape, value, np.float32) for value in (1.5, 2.25)]
    got = tc.run(tosa, {"t0": arrays[0], "t1": arrays[1]})
    np.testing.assert_array_equal(got["t3"], run_litert(data, arrays)[0])


def test_shapes_that_only_the_users_input_breaks_are_not_the_files_fault() -> None:
    weight = Const(np.ones((3, 8), np.float32))
    data, _ = single(B.FULLY_CONNECTED, [np.ones((1, 8), np.float32), weight, Const(np.ones(2, np.float32))])
    with pytest.raises(FormatError, match="bias: expected 3 elements, found 2"):
        tc.convert(parse(data))
    free = Tensor((1, 4), "float32", signature=(1, -1))
    data = build([free, Tensor((1, 4)), X], [Operator(B.ADD, (0, 1), (2,))], (0, 1), (2,))
    with pytest.raises(UnsupportedError, match="with these input shapes:\nmain:0 ADD 't2': shapes 1x3 and 1x4"):
        tc.convert(parse(data), input_shapes={"t0": (1, 3)})


# ** our own mistakes, and notes of what wasn't taken **


def _only(*builds: Build) -> RulePass:
    return RulePass("legalize", [Rule("tfl.relu", "", build) for build in builds])


RELU = build([Tensor((2,)), Tensor((2,))], [Operator(B.RELU, (0,), (1,))], (0,), (1,))


@pytest.mark.parametrize("error", [AttributeError, TypeError, ValueError, KeyError, ZeroDivisionError])
def test_a_bug_in_a_rule_is_reported_as_ours(error: type[Exception]) -> None:
    def broken(_: Match) -> NoReturn:
        raise error("a typo")

    with pytest.raises(error, match="a typo"):
        run_pass(parse(RELU), _only(broken), Options())


def test_an_illegal_converted_graph_is_reported_as_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    from tosa_converter import conversion
    from tosa_converter.rules.conditions import Problem

    problem = Problem("error", "tosa.clamp", "x", "max_val < min_val", "1")
    monkeypatch.setattr(conversion, "find_problems", lambda _: [problem])
    with pytest.raises(BrokenPassError, match=r"pass legalize made an illegal graph\n.*ERROR_IF\(max_val < min_val\)"):
        tc.convert(parse(RELU))


def test_notes_of_a_rule_that_declines_are_dropped() -> None:
    def declines(match: Match) -> NoReturn:
        match.note("never happened")
        raise Decline("later")

    def takes(match: Match) -> Expr:
        match.note("happened")
        return clamp(match[0], 0, 1)

    report = Report()
    run_pass(parse(RELU), _only(declines, takes), report=report)
    assert report.notes == [Note("main:0 RELU 't1'", "happened")]


@pytest.mark.parametrize("builtin", [B.CONV_2D, B.DEPTHWISE_CONV_2D])
@pytest.mark.parametrize("x", ["int8", "uint8", "int16", "float32"])
@pytest.mark.parametrize("weight", ["int8", "uint8", "int4", "float32"])
@pytest.mark.parametrize("scales", [1, 3])
@pytest.mark.parametrize("zero_point", [0, 1])
def test_weights_are_refused_exactly_where_litert_refuses_them(
    builtin: B, x: str, weight: str, scales: int, zero_point: int, litert: Worker
) -> None:
    """The file is malformed exactly where LiteRT refuses the stored weights."""

    def stored(shape: tuple[int, ...], dtype: str, scale: object, zero: object, data: object = None) -> Tensor:
        quant = {} if dtype == "float32" else {"scale": scale, "zero_point": zero}
        return Tensor(shape, dtype, data, **quant)  # type: ignore[arg-type]

    zero = 128 if x == "uint8" else 0
    shape = (3, 1, 1, 3) if builtin is B.CONV_2D else (1, 1, 1, 3)
    axis = 3 if scales > 1 and builtin is B.DEPTHWISE_CONV_2D else 0
    values = np.ones(shape, "int8" if weight == "int4" else weight)
    kernel = replace(stored(shape, weight, [0.5] * scales, [zero_point] * scales, values), axis=axis)
    bias = "float32" if x == "float32" else "int64" if x == "int16" else "int32"
    operands = (
        stored((1, 2, 2, 3), x, 0.5, zero),
        kernel,
        stored((3,), bias, [0.25] * scales, [0] * scales, np.zeros(3, bias)),
    )
    options = {"stride_h": 1, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 1, "depth_multiplier": 1}
    if builtin is B.CONV_2D:
        del options["depth_multiplier"]
    verdict = verdicts(litert, Case(builtin, operands, (stored((1, 2, 2, 3), x, 1.0, zero),), options))
    read_behind = verdict[:2] == ("runs", "refuses") and "expected a scale for each of 3 channels" in verdict.words
    assert verdict.agree or (read_behind and x == "float32" and scales == 1), verdict


BOTH = [case for case in recurrent() if case.builtin is B.BIDIRECTIONAL_SEQUENCE_RNN]


@pytest.mark.parametrize("sequence", BOTH)
@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("results", [1, 2])
@pytest.mark.parametrize("auxiliary", [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
def test_two_directions_have_all_of_the_auxiliary_input_or_none(
    sequence: Case, merged: bool, results: int, auxiliary: tuple[int, ...], litert: Worker
) -> None:
    """The last three operands are the input and the weights of both directions; merged, there is one result."""
    x, weight = sequence.operands[0], sequence.operands[1]
    assert x is not None
    assert weight is not None
    last = [(x, weight, weight)[i] if i in auxiliary else None for i in range(3)]
    shape = (*sequence.results[0].shape[:-1], sequence.results[0].shape[-1] * (1 + merged))
    changed = replace(
        sequence,
        operands=(*sequence.operands[:-3], *last),
        results=(replace(sequence.results[0], shape=shape),) * results,
        options={**sequence.options, "merge_outputs": merged},
    )
    verdict = verdicts(litert, changed)
    assert verdict.agree, verdict
