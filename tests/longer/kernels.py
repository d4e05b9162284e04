"""Compares LiteRT's reference kernels with its optimized ones, for every operator and type of the differential suite.

`PYTHONPATH=tests python -m longer.kernels --count 20 [--only PART ...] [--against litert-xnnpack]` prints the operators
whose kernels differ by more than rounding, with the worst distance; exit status 1 if one of them is no row of
`DISAGREEMENTS` (formats/tflite/kernels.py), or if a row shows no difference. Rounding is 2 steps of 8 bits, 4 of 16
bits, none of wider integers, and 1e-3 of the largest float.

Cases in which C leaves an element of the result undefined (legalize/tflite/undefined.py) are left out.
Dynamic-range kernels are the same code in both sets; XNNPACK's quantize their input otherwise, by a step of 8 bits.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from differential.judge import claims
from support.blockwise_models import DEPTH, ROWS, layer
from support.cases.case import Case, Network
from support.cases.draw import Draw
from support.cases.table import drawing
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.engines import ENGINES
from tosa_converter.engines.litert import LiteRT
from tosa_converter.errors import ConverterError
from tosa_converter.formats.tflite.kernels import DISAGREEMENTS, Disagreement, find_disagreement
from tosa_converter.ir import Array, Model
from tosa_converter.legalize.tflite.undefined import undefined_elements
from tosa_converter.schemas.tflite import ActivationFunctionType, BuiltinOperator

STEPS = {1: 2, 2: 4}  # by bytes of an integer
PART = 1e-3
# No kernel of LiteRT runs these: a formula or a network judges them.
ELSEWHERE = ("custom.", "tfl.stablehlo_")


class Finding(NamedTuple):
    """An operator and type whose kernels differ: the excess over rounding, the number of cases, and its table row."""

    name: str
    types: str
    worst: float
    cases: int
    row: Disagreement | None


def beyond_rounding(a: Array, b: Array) -> float:
    """Returns the difference of two kernels' outputs as a multiple of the bound; at most 1 is rounding."""
    if a.shape != b.shape:
        return np.inf
    if a.dtype.kind not in "iuf":
        return 0.0 if np.array_equal(a, b) else np.inf
    x, y = a.astype(np.float64), b.astype(np.float64)
    finite = np.isfinite(x) & np.isfinite(y)
    if not np.array_equal(x[~finite], y[~finite], equal_nan=True):
        return np.inf
    distance = float(np.abs(x - y)[finite].max(initial=0))
    if a.dtype.kind != "f":
        return distance / STEPS[a.itemsize] if a.itemsize in STEPS else np.inf * distance if distance else 0.0
    largest = float(np.abs(x[finite]).max(initial=0))
    return distance / (PART * largest) if largest else np.inf * distance if distance else 0.0


def difference(case: Case | Network, other: str = "litert-optimized") -> tuple[float, Model] | None:
    """Returns the distance between the reference kernels and others, and the model; None if one doesn't run it."""
    judged = case.widened()
    try:
        model = tc.load(judged.model()[0])
        reference, optimized = (run(ENGINES[name], model, judged) for name in ("litert", other))
    except ConverterError:
        return None
    if len(judged.steps()) == 1 and leaves_open(model, judged, reference):
        return 0.0, model
    return max(map(beyond_rounding, reference, optimized), default=0.0), model


def leaves_open(model: Model, case: Case | Network, outputs: Sequence[Array]) -> bool:
    """Returns whether C leaves an element of the reference kernels' outputs undefined."""
    oracle = ENGINES["litert"]
    assert isinstance(oracle, LiteRT)
    values = (*model.main.inputs, *model.main.outputs)
    tensors = dict(zip((value.name for value in values), (*case.steps()[0], *outputs), strict=True))
    return bool(undefined_elements(model, oracle, tensors))


def run(engine: object, model: Model, case: Case | Network) -> list[Array]:
    """Returns the outputs of all steps with the kernels of one LiteRT engine."""
    assert isinstance(engine, LiteRT)
    runs = engine.run_own_kernels(model, case.steps())
    return [array for outputs in runs for array in (case.settled(outputs) if isinstance(case, Case) else outputs)]


def examine(count: int, key: tuple[str, str], other: str = "litert-optimized") -> Finding:
    """Compares the kernels in the cases of one operator and type."""
    name, types = key
    draw = drawing(name, types)
    worst, cases, row = 0.0, 0, None
    for seed in range(count):
        outcome = difference(draw(Draw(seed, types)), other)
        if outcome is not None and outcome[0] > 1:
            worst, cases = max(worst, outcome[0]), cases + 1
            rows = [find_disagreement(op) for op in outcome[1].main]
            row = next((candidate for candidate in rows if candidate is not None), row)
    return Finding(name, types, worst, cases, row)


# ** what the differential suite doesn't draw **


def undrawn() -> Iterator[tuple[Disagreement, Network]]:
    """Yields rows with a model that shows them."""
    for data, arrays in (*short_biases(), wide_product(), *blockwise_layers(), least_weight()):
        row = find_disagreement(tc.load(data).main.ops[-1])
        assert row is not None
        yield row, Network(data, arrays)


def wide_product() -> tuple[bytes, list[Array]]:
    """Returns MUL of int8 with a result of int32."""
    x = np.arange(-8, 8, dtype=np.int8)
    tensors = [Tensor(x.shape, "int8", scale=0.5, zero_point=3), Tensor(x.shape, "int32")]
    return build(tensors, [Operator(BuiltinOperator.MUL, [0, 0], [1])], [0], [1]), [x]


def least_weight() -> tuple[bytes, list[Array]]:
    """Returns a dynamic layer of 4 bits in which one weight is -8."""
    weights = np.full((4, 32), 3, np.int8)
    weights[2, 5] = -8
    rows = Tensor(weights.shape, "int4", data=weights, scale=np.full(4, 0.1, np.float32), zero_point=np.zeros(4, int))
    layer = Operator(BuiltinOperator.FULLY_CONNECTED, [0, 1], [2])
    x = np.random.default_rng(0).normal(size=(1, 32)).astype(np.float32)
    return build([Tensor((1, 32)), rows, Tensor((1, 4))], [layer], [0], [2]), [x]


def blockwise_layers() -> Iterator[tuple[bytes, list[Array]]]:
    """Yields layers with a scale for each block of weights: of 4 bits with and without an activation, of 2 bits."""
    x = np.random.default_rng(0).normal(size=(ROWS, DEPTH)).astype(np.float32)
    for bits, activation in ((4, "RELU6"), (4, "NONE"), (2, "NONE")):
        yield layer(bits, 32, fused_activation_function=ActivationFunctionType[activation]), [x]


def short_biases() -> Iterator[tuple[bytes, list[Array]]]:
    """Yields layers of int16 with a 32-bit bias that their options don't state."""
    rng = np.random.default_rng(0)
    window = {"padding": 1, "stride_w": 1, "stride_h": 1, "dilation_w_factor": 1, "dilation_h_factor": 1}
    shapes: dict[BuiltinOperator, list[tuple[int, ...]]] = {
        BuiltinOperator.FULLY_CONNECTED: [(2, 8), (4, 8), (2, 4)],
        BuiltinOperator.CONV_2D: [(1, 4, 4, 8), (4, 2, 2, 8), (1, 3, 3, 4)],
        BuiltinOperator.TRANSPOSE_CONV: [(1, 3, 3, 8), (4, 2, 2, 8), (1, 4, 4, 4)],
    }
    for builtin, (shape, weights, result) in shapes.items():
        x = rng.integers(-3000, 3000, shape).astype(np.int16)
        tensors = [
            Tensor(shape, "int16", scale=np.float32(1e-3), zero_point=0),
            Tensor(weights, "int8", data=rng.integers(-127, 128, weights).astype(np.int8), scale=np.float32(1e-2)),
            Tensor((4,), "int32", data=rng.integers(-30000, 30000, 4).astype(np.int32), scale=np.float32(1e-5)),
            Tensor(result, "int16", scale=np.float32(3e-3), zero_point=0),
            Tensor((4,), "int32", data=np.array(result, np.int32)),
        ]
        transposed = builtin is BuiltinOperator.TRANSPOSE_CONV
        stated = () if builtin is BuiltinOperator.FULLY_CONNECTED else window.items()
        options = {name: value for name, value in stated if not (transposed and "dilation" in name)}
        operands = [4, 1, 0, 2] if transposed else [0, 1, 2]
        data = build(tensors[: 4 + transposed], [Operator(builtin, operands, [3], options, version=3)], [0], [3])
        yield data, [x]


def shown(row: Disagreement, case: Case | Network) -> bool:
    """Returns whether one of the kernels that a row calls wrong differs from those that it calls right."""
    model = tc.load(case.model()[0])
    right = list(
        ENGINES["litert"]
        .run(model, dict(zip((v.name for v in model.main.inputs), case.steps()[0], strict=True)))
        .values()
    )
    return any(max(map(beyond_rounding, right, run(ENGINES[name], model, case))) > 1 for name in row.wrong)


def complaints(findings: Sequence[Finding], *, every: bool) -> list[str]:
    """Returns operators that the table lacks and, if `every` operator was drawn, rows without a difference."""
    lines = [
        f"{finding.name}:{finding.types} differs, which no row tells"
        for finding in findings
        if finding.cases and not finding.row
    ]
    causes = {finding.row for finding in findings if finding.cases} | {
        row for row, case in undrawn() if shown(row, case)
    }
    idle = [row for row in DISAGREEMENTS if row not in causes] if every else []
    return lines + [f"{row.operator} {' '.join(row.operands)}: no difference" for row in idle]


def keys(only: Sequence[str]) -> list[tuple[str, str]]:
    """Returns the operators and types whose `operator:type` contains a part in `only`."""
    asked = [key for key in sorted(claims()) if any(part in ":".join(key) for part in only)]
    return [key for key in asked if not key[0].startswith(ELSEWHERE)]


def main() -> int:
    """Draws, runs and prints; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m longer.kernels", description=__doc__)
    parser.add_argument("--count", type=int, default=20, help="cases for each operator and type")
    parser.add_argument("--only", nargs="+", default=[""], help="parts of operator:type")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--against", default="litert-optimized", help="the engine that the reference is compared with")
    options = parser.parse_args()
    findings: list[Finding] = []
    with ProcessPoolExecutor(options.workers) as pool:
        for finding in pool.map(partial(examine, options.count, other=options.against), keys(options.only)):
            findings.append(finding)
            if finding.cases:
                share = f"{finding.cases} of {options.count} cases"
                print(f"{finding.name}:{finding.types}  {share}, {finding.worst:.3g} bounds", flush=True)
    problems = complaints(findings, every=options.only == [""])
    print(
        f"{len(findings)} operators and types, {sum(bool(finding.cases) for finding in findings)} differ",
        *problems,
        sep="\n",
    )
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
