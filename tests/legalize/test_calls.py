"""Called graphs: composites are put in place; bodies that aren't reductions and missing graphs are refused."""

from collections.abc import Sequence

import numpy as np
import pytest
from flatbuffers import flexbuffers
from support.tflite_models import Operator, Subgraph, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.schemas.tflite import BuiltinOperator as B

X = Tensor((2, 3))


def composite(graph: int, inputs: Sequence[int], outputs: Sequence[int]) -> Operator:
    attributes = np.frombuffer(flexbuffers.Dumps({}), np.uint8)
    options = {"name": "mine", "decomposition_subgraph_index": graph, "composite_attributes": attributes}
    return Operator(B.STABLEHLO_COMPOSITE, inputs, outputs, options)


HALF = Tensor((), data=np.float32(0.5))
# (a + b) / 2, and a - (a + b) / 2 by way of the first.
MEAN = Subgraph([X, X, X, HALF, X], [Operator(B.ADD, [0, 1], [2]), Operator(B.MUL, [2, 3], [4])], [0, 1], [4])
REST = Subgraph([X, X, X, X], [composite(1, [0, 1], [2]), Operator(B.SUB, [0, 2], [3])], [0, 1], [3])


def test_composites_are_replaced_by_their_graphs() -> None:
    operators = [composite(1, [0, 1], [2]), composite(2, [2, 1], [3]), composite(2, [3, 0], [4])]
    data = build([X] * 5, operators, [0, 1], [3, 4], [MEAN, REST])
    model = tc.convert(tc.load(data))
    assert list(model.graphs) == ["main"]
    rng = np.random.default_rng(5)
    arrays = [rng.standard_normal((2, 3)).astype(np.float32) for _ in range(2)]
    got = tc.run(model, dict(zip(("t0", "t1"), arrays, strict=True)))
    for ours, theirs in zip(got.values(), run_litert(data, arrays), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_composite_may_return_its_operand() -> None:
    same = Subgraph([X, X], [], [0, 1], [1, 0])
    data = build([X] * 5, [composite(1, [0, 1], [2, 3]), Operator(B.SUB, [2, 3], [4])], [0, 1], [4], [same])
    a, b = np.full((2, 3), 5, np.float32), np.ones((2, 3), np.float32)
    (got,) = tc.run(tc.convert(tc.load(data)), {"t0": a, "t1": b}).values()
    np.testing.assert_array_equal(got, b - a)


def test_inspection_looks_into_composites() -> None:
    data = build([X] * 3, [composite(1, [0, 1], [2])], [0, 1], [2], [MEAN])
    check = tc.check(tc.load(data))
    assert check is not None
    assert [op.name for op in check.operators] == ["tfl.add", "tfl.mul"]


ITSELF = Subgraph([X, X], [composite(1, [0], [1])], [0], [1])
TWICE = [Subgraph([X] * 3, [composite(i, [0], [1]), composite(i, [1], [2])], [0], [2]) for i in range(2, 42)]
LAST = Subgraph([X, X], [Operator(B.ABS, [0], [1])], [0], [1])
HOSTILE = {
    "no such graph": (build([X, X], [composite(7, [0], [1])], [0], [1], [LAST]), "no subgraph 7"),
    "below zero": (build([X, X], [composite(-1, [0], [1])], [0], [1], [LAST]), "no subgraph -1"),
    "calls itself": (build([X, X], [composite(1, [0], [1])], [0], [1], [ITSELF]), "at most 64 levels"),
    "reduces by itself": (
        build([X, HALF, Tensor((2,))], [Operator(B.STABLEHLO_REDUCE, [0, 1], [2], {"dimensions": (1,)})], [0], [2]),
        "at most 64 levels",
    ),
    "calls the main graph": (build([X, X], [composite(0, [0], [1])], [0], [1], [LAST]), "at most 64 levels"),
    "doubles forty times": (build([X, X], [composite(1, [0], [1])], [0], [1], [*TWICE, LAST]), "operators"),
    "other operands": (
        build([X] * 3, [composite(1, [0, 1], [2])], [0, 1], [2], [LAST]),
        "differ from those of",
    ),
    "another type": (
        build([X, Tensor((2, 3), "int32")], [composite(1, [0], [1])], [0], [1], [LAST]),
        "differ from those of",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_calls_of_missing_graphs_are_refused(name: str) -> None:
    data, words = HOSTILE[name]
    with pytest.raises(FormatError, match=words):
        tc.convert(tc.load(data))


@pytest.mark.parametrize("calls", [1, 63, 64, 65])
def test_calls_are_up_to_64_levels_deep(calls: int) -> None:
    """Each graph calls the next one; the last one has ABS."""
    graphs = [Subgraph([X, X], [composite(i, [0], [1])], [0], [1]) for i in range(2, calls + 1)]
    source = tc.load(build([X, X], [composite(1, [0], [1])], [0], [1], [*graphs, LAST]))
    if calls > 64:
        with pytest.raises(FormatError, match="expected at most 64 levels of calls"):
            tc.convert(source)
    else:
        assert [op.name for op in tc.convert(source).main] == ["tosa.abs"]


def reduction(*operators: Operator, tensors: int = 3, outputs: Sequence[int] = (2,)) -> bytes:
    """Returns a REDUCE with that body."""
    body = Subgraph([Tensor(())] * tensors, operators, [0, 1], outputs)
    options = {"dimensions": (1,), "body_subgraph_index": 1}
    start = Tensor((), data=np.float32(0))
    return build([X, start, Tensor((2,))], [Operator(B.STABLEHLO_REDUCE, [0, 1], [2], options)], [0], [2], [body])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (reduction(Operator(B.STABLEHLO_SUBTRACT, [0, 1], [2])), "expected a body of one ADD, .* found 1 operators"),
        (reduction(Operator(B.STABLEHLO_ADD, [0, 0], [2])), "to combine the two arguments"),
        (reduction(Operator(B.STABLEHLO_ADD, [0, 1], [2]), outputs=(1,)), "to combine the two arguments"),
        (reduction(outputs=(1,)), "expected a body of one ADD, .* found 0 operators"),
        (reduction(Operator(B.ADD, [0, 1], [2]), Operator(B.ADD, [2, 1], [3]), tensors=4, outputs=(3,)), "2 operators"),
    ],
)
def test_bodies_that_are_no_reductions_are_refused(data: bytes, words: str) -> None:
    with pytest.raises(UnsupportedError, match=words):
        tc.convert(tc.load(data))
