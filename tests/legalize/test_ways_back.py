"""The operators that come back from TOSA, in every type and option: two tables of names, which a person reads.

`GOLDEN=write python -m pytest tests/legalize/test_ways_back.py` writes the tables anew. What the written models compute
is judged by LiteRT and XNNPACK, in test_to_tflite.py and test_to_xnn.py.
"""

import os
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from support.cases.case import Case
from support.tflite_models import Tensor
from support.xnnpack_cases import XnnpackCase, cases

import tosa_converter as tc
from tosa_converter.errors import ConverterError
from tosa_converter.ir import Model
from tosa_converter.schemas.tflite import BuiltinOperator as B

FOLDER = Path(__file__).parent
NO_WAY = "refused"


def names(model: Model) -> str:
    """Returns the names of a graph's operators in order, with the number of repetitions."""
    operators = [op.name.partition(".")[2] for op in model.main if not op.name.endswith("const")]
    runs = [(name, len(list(run))) for name, run in groupby(operators)]
    return " ".join(name if count == 1 else f"{count}*{name}" for name, count in runs)


def way_back(model: Model, write: Callable[[Model], Model]) -> str:
    try:
        return names(write(model))
    except ConverterError:
        return NO_WAY


class Form(NamedTuple):
    """An operator with its name in the table."""

    label: str
    case: Case


def signal(dtype: str, scale: float, zero_point: int, shape: tuple[int, ...] = (1, 4, 6, 8)) -> Tensor:
    plain = dtype == "float32"
    return Tensor(shape, dtype, scale=None if plain else scale, zero_point=0 if dtype == "int16" else zero_point)


SCALES = ((0.003, -128), (0.02, -7), (0.11, 0), (0.4, 100), (1.7, 127))
SIZE = Tensor((2,), "int32", np.array([8, 12], np.int32))
FIXED = {"int8": (1 / 256, -128), "int16": (1 / 32768, 0), "float32": (0.0, 0)}


def forms() -> Iterator[Form]:
    """Yields operators that become several TOSA operators, with every kind of scale."""
    for scale, zero_point in SCALES:
        place = f"{scale} {zero_point}"
        byte = signal("int8", scale, zero_point)
        yield Form(f"quantize fp32->i8 {place}", Case(B.QUANTIZE, (signal("float32", 0, 0),), (byte,)))
        yield Form(f"dequantize i8 {place}", Case(B.DEQUANTIZE, (byte,), (signal("float32", 0, 0),)))
        result = signal("int8", 0.05, 3)
        yield Form(f"requantize i8 {place}", Case(B.QUANTIZE, (byte,), (result,)))
        yield Form(f"logistic i8 {place}", Case(B.LOGISTIC, (byte,), (signal("int8", 1 / 256, -128),)))
        yield Form(f"tanh i8 {place}", Case(B.TANH, (byte,), (signal("int8", 1 / 128, 0),)))
        yield Form(f"hard_swish i8 {place}", Case(B.HARD_SWISH, (byte,), (result,)))
        for alpha in (0.01, 0.3, 1.5):
            yield Form(f"leaky_relu {alpha} i8 {place}", Case(B.LEAKY_RELU, (byte,), (result,), {"alpha": alpha}))
    for dtype, fixed in FIXED.items():
        for scale in (0.004, 0.03, 0.21, 0.9):
            for beta in (1.0, 0.5):
                operands = (signal(dtype, scale / 100 if dtype == "int16" else scale, 5),)
                yield Form(
                    f"softmax {dtype} {scale} beta {beta}",
                    Case(B.SOFTMAX, operands, (signal(dtype, *fixed),), {"beta": beta}),
                )
        for builtin in (B.RESIZE_BILINEAR, B.RESIZE_NEAREST_NEIGHBOR):
            for corners, centers in ((False, False), (True, False), (False, True)):
                x, y = signal(dtype, 0.05, 3), signal(dtype, 0.05, 3, (1, 8, 12, 8))
                options = {"align_corners": corners, "half_pixel_centers": centers}
                yield Form(
                    f"{builtin.name.lower()} {dtype} corners {corners} centers {centers}",
                    Case(builtin, (x, SIZE), (y,), options),
                )
    for scale in np.geomspace(0.002, 0.3, 6):
        for zero_point in (-50, 127):
            operand = signal("int8", float(np.float32(scale)), zero_point)
            for builtin, fixed in ((B.LOGISTIC, (1 / 256, -128)), (B.TANH, (1 / 128, 0))):
                label = f"{builtin.name.lower()} i8 {scale:.4f} {zero_point}"
                yield Form(label, Case(builtin, (operand,), (signal("int8", *fixed),)))
    single = signal("float32", 0, 0)
    for approximate in (False, True):
        case = Case(B.GELU, (single,), (single,), {"approximate": approximate})
        yield Form(f"gelu approximate {approximate}", case)
    for builtin in (B.HARD_SWISH, B.ELU, B.RELU6, B.LOGISTIC, B.TANH, B.LOG_SOFTMAX, B.L2_NORMALIZATION):
        yield Form(f"{builtin.name.lower()} fp32", Case(builtin, (single,), (single,)))


FORMS = list(forms())


def table(path: Path) -> dict[str, str]:
    return dict(line.split("\t") for line in path.read_text().splitlines()) if path.exists() else {}


def check(path: Path, label: str, outcome: str) -> None:
    """Asserts that the table has this row, or adds it with GOLDEN=write."""
    if os.environ.get("GOLDEN") == "write":
        rows = table(path) | {label: outcome}
        path.write_text("".join(f"{key}\t{text}\n" for key, text in sorted(rows.items())))
    assert table(path)[label] == outcome


TFLITE, XNN, DELEGATED = (FOLDER / f"ways_back_to_{name}.tsv" for name in ("tflite", "xnn", "delegated"))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.label)
def test_operators_of_tflite_come_back_as_listed(form: Form) -> None:
    check(TFLITE, form.label, way_back(tc.convert(form.case.file()), tc.to_tflite))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.label)
def test_delegated_operators_come_back_in_xnnpack_as_listed(form: Form) -> None:
    """The operators are TFLite's, in XNNPACK's numerics."""
    check(DELEGATED, form.label, way_back(tc.convert(form.case.file(), numerics="xnnpack"), tc.to_xnn))


LISTED = [case for group in ("fp32", "fp16", "qint8", "networks") for case in cases(group).values()]


@pytest.mark.parametrize("case", LISTED, ids=lambda case: case.label)
def test_nodes_of_xnnpack_come_back_as_listed(case: XnnpackCase) -> None:
    check(XNN, case.label, way_back(tc.convert(tc.load(case.data)), tc.to_xnn))


def test_the_tables_list_nothing_else() -> None:
    assert set(table(TFLITE)) == {form.label for form in FORMS}
    assert set(table(DELEGATED)) == {form.label for form in FORMS}
    assert set(table(XNN)) == {case.label for case in LISTED}
