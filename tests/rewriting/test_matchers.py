"""The matcher of islands finds the farthest value that everything in front of an operator depends on."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op, TensorType, Value
from tosa_converter.rewriting.matchers import find_elementwise_group
from tosa_converter.rewriting.reasons import Decline

TYPE = TensorType(DType.FP32, (2,))


def op(name: str, *operands: Value) -> Op:
    return Op(f"tfl.{name}", operands, [TYPE])


def is_member(candidate: Op) -> bool:
    return candidate.name != "tfl.sum"


def readers(ops: Sequence[Op], *outputs: Value) -> Counter[Value]:
    return Counter([*outputs, *(value for member in ops for value in member.operands)])


def diamond() -> tuple[Value, list[Op]]:
    """Returns SUM, then x + x * TANH(x) of x = ABS(SUM)."""
    source = Value(TYPE, "source")
    total = op("sum", source)
    x = op("abs", total.result)
    gate = op("tanh", x.result)
    product = op("mul", x.result, gate.result)
    return source, [total, x, gate, product, op("add", x.result, product.result)]


def test_an_island_ends_at_an_operator_that_is_no_member() -> None:
    _, ops = diamond()
    matched = find_elementwise_group(ops[-1], is_member, readers(ops, ops[-1].result).__getitem__)
    assert matched.source is ops[0].result
    assert list(matched.ops) == ops[1:]


def test_an_island_ends_at_a_value_that_is_read_elsewhere() -> None:
    _, ops = diamond()
    x = ops[1].result
    matched = find_elementwise_group(ops[-1], is_member, readers(ops, ops[-1].result, x).__getitem__)
    assert matched.source is x
    assert list(matched.ops) == ops[2:]


def test_without_counts_other_readers_dont_matter() -> None:
    _, ops = diamond()
    op("abs", ops[2].result)
    assert find_elementwise_group(ops[-1], is_member).source is ops[0].result


def test_without_counts_each_operator_in_front_is_counted_once() -> None:
    """The value in front of the diamond is read once, though its reader is reached on three ways."""
    source = Value(TYPE, "source")
    first = op("abs", source)
    x = op("tanh", first.result)
    gate = op("tanh", x.result)
    product = op("mul", x.result, gate.result)
    last = op("add", x.result, product.result)
    group = find_elementwise_group(last, is_member)
    assert group.source is source
    assert set(group.ops) == {first, x, gate, product, last}


def test_an_inner_value_that_is_read_elsewhere_leaves_two() -> None:
    _, ops = diamond()
    counts = readers(ops, ops[-1].result, ops[2].result)
    with pytest.raises(Decline, match="depend on one value, found 2 values"):
        find_elementwise_group(ops[-1], is_member, counts.__getitem__)


def test_an_island_has_at_most_this_many_operators() -> None:
    chain = [op("abs", Value(TYPE, "x"))]
    for _ in range(9):
        chain.append(op("abs", chain[-1].result))
    assert list(find_elementwise_group(chain[-1], is_member, most=4).ops) == chain[-4:]


@pytest.mark.parametrize("size", [1, 2])
def test_constants_of_one_element_count_for_nothing(size: int) -> None:
    values = np.ones(size, np.float32)
    constant = Op("tfl.pseudo_const", (), [TensorType(DType.FP32, values.shape)], {"values": values}).result
    x = Value(TYPE, "x")
    first = op("mul", x, constant)
    last = op("abs", first.result)
    assert find_elementwise_group(last, is_member).source is (x if size == 1 else first.result)
