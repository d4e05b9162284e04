"""Fast forms of operators equal their definitions in every type: integers bit for bit, floats within their clause."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.kernel_cases import (
    ACC_TYPES,
    COMBINATIONS,
    MAKERS,
    Case,
    cases_of,
    dtypes,
    graph_of,
    random,
    seeded,
    shape,
    zero_points,
)
from support.sketch import Sketch

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError
from tosa_converter.execute.fast.plans import FAST
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import Array
from tosa_converter.proof import precision
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

IDS = [f"{row.name}-{types.replace(' ', '-')}" for row, types in COMBINATIONS]
WINDOWS = {ops.CONV2D, ops.CONV3D, ops.DEPTHWISE_CONV2D, ops.TRANSPOSE_CONV2D, ops.AVG_POOL2D, ops.MAX_POOL2D}


def axis(rng: np.random.Generator, count: int, least: int) -> list[int]:
    """Draws a number per spatial axis."""
    return [int(n) for n in rng.integers(least, least + 3, count)]


def windowed(rng: np.random.Generator, row: OpDef, t: dict[str, DType]) -> Case:
    """Draws an operator with windows of any size, stride, dilation and padding."""
    count = 3 if row is ops.CONV3D else 2
    kernel, stride, dilation = axis(rng, count, 1), axis(rng, count, 1), axis(rng, count, 1)
    pool = row in (ops.AVG_POOL2D, ops.MAX_POOL2D)
    reach = [(k - 1) * (1 if pool else d) + 1 for k, d in zip(kernel, dilation, strict=True)]
    pad = [int(rng.integers(0, k)) for k in kernel for _ in range(2)]
    outputs = rng.integers(1, 14, count).tolist()
    size = []
    for i, (n, s, r) in enumerate(zip(outputs, stride, reach, strict=True)):  # the windows have to use up the input
        if (n - 1) * s + r <= sum(pad[2 * i : 2 * i + 2]):
            pad[2 * i : 2 * i + 2] = [0, 0]
        size.append((n - 1) * s + r - sum(pad[2 * i : 2 * i + 2]))
    depth, channels = int(rng.choice([1, 2, 3, 8, 70])), int(rng.choice([1, 2, 5, 33]))
    source = t["in_out_t" if pool else "in_t"]
    x = source, random(rng, source, (int(rng.integers(1, 3)), *size, depth))
    if pool:
        attributes: dict[str, Any] = {"kernel": kernel, "stride": stride, "pad": pad}
        if row is ops.MAX_POOL2D:
            return Case([x], attributes | {"nan_mode": str(rng.choice(["PROPAGATE", "IGNORE"]))})
        return Case([x, *zero_points(t, "in_out_t", "in_out_t")], attributes | {"acc_type": ACC_TYPES[t["acc_t"]]})
    depthwise = row is ops.DEPTHWISE_CONV2D
    multiplier = int(rng.integers(1, 4))
    weight = (*kernel, depth, multiplier) if depthwise else (channels, *kernel, depth)
    channels = depth * multiplier if depthwise else channels
    bias = rng.integers(-9, 9, channels if rng.random() < 0.7 else 1).astype(t["out_t"].numpy)
    operands = [x, (t["weight_t"], random(rng, t["weight_t"], weight)), (t["out_t"], bias)]
    attributes = {"stride": stride, "acc_type": ACC_TYPES[t["acc_t"]], "local_bound": True}
    if row is ops.TRANSPOSE_CONV2D:
        attributes["out_pad"] = [int(rng.integers(1 - k, 3)) for k in kernel for _ in range(2)]
    else:
        attributes |= {"pad": pad, "dilation": dilation}
    return Case([*operands, *zero_points(t, "in_t", "weight_t")], attributes)


def resized(rng: np.random.Generator, t: dict[str, DType]) -> Case:
    """Draws RESIZE by any scale and offset; the borders use up the input."""
    size, scale_n = rng.integers(1, 20, 2), rng.integers(1, 9, 2)
    scale_d = [int(rng.integers(1, min(16 * n, 9))) for n in scale_n]
    offset = [int(rng.integers(-n, n)) for n in scale_n]
    ends = [(s - 1) * n - o for s, n, o in zip(size, scale_n, offset, strict=True)]
    border = [-(end % d) if end >= 0 else -end for end, d in zip(ends, scale_d, strict=True)]
    nearest = t["in_t"] is t["out_t"] and (not t["in_t"].is_float or rng.random() < 0.5)
    scales = [int(n) for pair in zip(scale_n, scale_d, strict=True) for n in pair]
    x = t["in_t"], random(rng, t["in_t"], (int(rng.integers(1, 3)), *size, int(rng.integers(1, 5))))
    mode = {"mode": "NEAREST_NEIGHBOR" if nearest else "BILINEAR"}
    return Case([x, shape(*scales), shape(*offset), shape(*border)], mode, t["out_t"])


def cases(rng: np.random.Generator, row: OpDef, types: str) -> Iterator[Case]:
    yield from cases_of(row, types, rng)
    t = dtypes(row, types)
    for _ in range(6):
        if row in WINDOWS:
            yield windowed(rng, row, t)
        elif row is ops.RESIZE:
            yield resized(rng, t)


def run_both_forms(case: Case, row: OpDef, run_time: list[int]) -> list[list[Array] | str]:
    """Returns the outputs of a graph of the operator, fast and by definition, or the REQUIRE that it violates."""
    graph, _, feed = graph_of(row, case, run_time=run_time)
    outcomes: list[list[Array] | str] = []
    for fast in (True, False):
        try:
            outcomes.append(list(Executable(graph, fast=fast).run(feed).values()))
        except UnpredictableError as error:
            outcomes.append(str(error))
    return outcomes


@pytest.mark.parametrize(("row", "types"), COMBINATIONS, ids=IDS)
def test_the_fast_form_equals_the_definition(row: OpDef, types: str) -> None:
    rng = seeded(row, types)
    for case in cases(rng, row, types):
        every = [i for i in range(len(case.operands)) if not row.input(i).fixed]
        subsets = [every, every[:1], [i for i in every if rng.random() < 0.5]]
        for run_time in subsets:
            quick, meant = run_both_forms(case, row, run_time)
            if isinstance(quick, str) or isinstance(meant, str):
                assert quick == meant
                continue
            op = graph_of(row, case, run_time=run_time)[1]
            for output, expected, value in zip(quick, meant, op.results, strict=True):
                assert (output.dtype, output.shape) == (expected.dtype, expected.shape)
                if not value.type.dtype.is_float:
                    np.testing.assert_array_equal(output, expected)
            for verdict in precision.check(op, [array for _, array in case.operands], quick):
                assert verdict.compliant, verdict.message


FUSED = (ops.CONV2D, ops.DEPTHWISE_CONV2D, ops.RESCALE, ops.ADD)


@pytest.mark.parametrize("row", FUSED, ids=[row.name for row in FUSED])
def test_a_plan_may_decline(row: OpDef, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator also runs if other operators would have been fused with it."""
    sketch = Sketch(x=(DType.I8, (1, 8, 8, 3)))
    narrow = sketch.conv(sketch.conv(sketch.graph.inputs[0], 6, 3, 1), 6, 3, 2, depthwise=True)
    wide = sketch.builder.emit(ops.ADD, *[sketch.rescale(x, DType.I32, 20) for x in (narrow, narrow)])
    graph = sketch.done(sketch.rescale(wide, DType.I8, 42))
    feed = [np.random.default_rng(1).integers(-128, 128, (1, 8, 8, 3)).astype(np.int8)]
    expected = list(Executable(graph, fast=False).run(feed).values())
    monkeypatch.setitem(FAST, row, lambda _op, _plan_context: None)
    np.testing.assert_array_equal(list(Executable(graph).run(feed).values()), expected)


def test_operators_that_only_move_elements_need_no_fast_form() -> None:
    moved = {ops.CONCAT, ops.PAD, ops.REVERSE, ops.TILE, ops.TRANSPOSE, ops.SCATTER, ops.IDENTITY}
    shapes = {ops.ASSERT_EQUAL_SHAPE, *ops.SHAPE_OPERATORS}
    assert set(MAKERS) - set(FAST) == moved | shapes
