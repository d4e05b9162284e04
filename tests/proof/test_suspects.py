"""Which values of a source may be wrong in a file, by hand: their users say so."""

from typing import Any, cast

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Op, TensorType, Value
from tosa_converter.proof.suspects import Region

TYPE = TensorType(DType.FP32, (4,))


def graph_of(text: str) -> tuple[Graph, dict[str, Value]]:
    """Returns a graph of `result=operands` words and its values by name; x is the input, and letters are values."""
    values = {"x": Value(TYPE, "x")}
    ops = []
    for word in text.split():
        results, _, operands = word.partition("=")
        op = Op("tfl.any", [values[name] for name in operands], [TYPE] * len(results), result_names=list(results))
        values |= dict(zip(results, op.results, strict=True))
        ops.append(op)
    return Graph("main", [values["x"]], [values[text.split()[-1][0]]], ops), values


@pytest.mark.parametrize(
    ("text", "agreeing", "differing", "suspects"),
    [
        ("a=x b=a", "", "b", "a"),
        ("a=x b=a", "b", "", ""),  # what agrees is computed from it
        ("a=x b=a c=a", "b", "c", "a"),  # one of two users differs
        ("a=x b=a c=a", "c", "b", "a"),
        ("a=x b=a c=a", "", "bc", "a"),
        ("a=x b=a c=a", "bc", "", ""),
        ("a=x b=a c=b", "", "c", "ab"),  # in order, through a value without a match
        ("a=x b=a c=a d=b e=cd", "c", "e", "abd"),
        ("a=x b=a c=a d=b", "c", "d", "ab"),
        ("a=x b=a c=a d=c", "b", "d", "ac"),
        ("a=x bc=a d=b", "c", "d", "ab"),  # an operator of two results
        ("a=x bc=a d=b", "cd", "", ""),
        ("a=x b=a c=x", "", "c", ""),  # nothing that differs reads it
    ],
)
def test_suspects_are_what_a_value_that_differs_is_computed_from(
    text: str, agreeing: str, differing: str, suspects: str
) -> None:
    graph, values = graph_of(text)
    region = Region(
        source=graph,
        arrays=dict.fromkeys(values.values(), np.zeros(4, np.float32)),
        run=cast(Any, None),
        places=cast(Any, dict.fromkeys(values[name] for name in agreeing + differing)),
        differing={values[name] for name in differing},
        candidates=(),
        computed={},
        orders=cast(Any, {}),
        tolerance=0.0,
        parts=0,
    )
    assert "".join(value.name for value in region.suspects()) == suspects
