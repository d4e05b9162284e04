"""An entry of a tensor list is set in place; tests/legalize/test_loops.py compares with LiteRT."""

import numpy as np
import pytest
from support import golden

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.rewriting.passes.tensor_lists import JOIN, run
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.graph import find_problems

I32 = DType.I32


def constant(*values: int) -> Op:
    array = np.array(values, np.int32)
    return Op("tfl.pseudo_const", (), [TensorType(I32, array.shape)], {"values": array})


def setting(step: int = 1) -> Model:
    """Returns a graph that joins list[:i], the entry and list[i + step:]."""
    entries, entry = Value(TensorType(DType.FP32, (4, 3)), "list"), Value(TensorType(DType.FP32, (1, 3)), "entry")
    index = Value(TensorType(I32, (1,)), "index")
    origin, increment, end, zero = constant(0, 0), constant(step), constant(-1, -1), constant(0)
    rest = constant(-1)
    size = Op("tfl.concatenation", [index, rest.result], [TensorType(I32, (2,))], dict(JOIN))
    before = Op("tfl.slice", [entries, origin.result, size.result], [TensorType(DType.FP32, (None, 3))])
    following = Op("tfl.add", [index, increment.result], [index.type])
    start = Op("tfl.concatenation", [following.result, zero.result], [TensorType(I32, (2,))], dict(JOIN))
    after = Op("tfl.slice", [entries, start.result, end.result], [TensorType(DType.FP32, (None, 3))])
    joined = Op("tfl.concatenation", [before.result, entry, after.result], [entries.type], dict(JOIN))
    ops = [origin, increment, end, zero, rest, size, before, following, start, after, joined]
    return Model({"main": Graph("main", [entries, entry, index], joined.results, ops)})


def test_an_entry_is_set_in_place() -> None:
    model = setting()
    text = golden.model_text(model)
    changed = run(model, Options(), Report())
    names = [op.name for op in changed.main if op.inputs]
    assert names == ["tfl.concatenation", "tfl.dynamic_update_slice"]
    assert changed.main.ops[-1].operands[:2] == tuple(model.main.inputs[:2])
    assert not find_problems(changed)
    assert golden.model_text(model) == text


def test_entries_in_a_region_that_operators_share_stay_shared() -> None:
    region = setting().main
    inputs = [Value(value.type, value.name) for value in region.inputs]
    ops = [Op("tfl.while", inputs, [value.type for value in inputs], regions=[region]) for _ in range(2)]
    changed = run(Model({"main": Graph("main", inputs, ops[1].results, ops)}), Options(), Report())
    first, second = (op.regions[0] for op in changed.main)
    assert first is second
    assert first.ops[-1].name == "tfl.dynamic_update_slice"


@pytest.mark.parametrize("step", [0, 2])
def test_other_parts_stay_as_they_are(step: int) -> None:
    """The list would have another length."""
    model = setting(step)
    assert run(model, Options(), Report()) is model
