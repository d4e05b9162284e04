"""What a file asks for beyond reason is the file's fault: told by the rewrite that meets it, never as a bug of ours."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.stablehlo_cases import stablehlo
from support.tflite_cases import POOL, Case, bases, encode, ints, tensor
from support.tflite_models import Tensor

import tosa_converter as tc
from tosa_converter.errors import BrokenPassError, ConverterError, UnsupportedError
from tosa_converter.schemas.tflite import BuiltinOperator as B

EXTREMES = (-(2**31), -7, -2, -1, 0, 1, 2, 3, 5, 100, 2**31 - 1)
BASES = [*bases(), *stablehlo()]
NARROW = {  # options of one byte
    *("padding", "fused_activation_function", "out_type", "output_type", "idx_out_type", "mode"),
    *("combiner", "comparison_direction", "reduce_function"),
}


def extremes(case: Case) -> Iterator[Case]:
    """The model with one entry of a constant, or one option, at each of the extremes."""
    for i, operand in enumerate(case.operands):
        if operand is None or operand.data is None or operand.dtype not in ("int32", "int64"):
            continue
        for place in range(np.size(operand.data)):
            for value in EXTREMES:
                data = np.array(operand.data)
                data.reshape(-1)[place] = value
                operands: list[Tensor | None] = list(case.operands)
                operands[i] = replace(operand, data=data)
                yield replace(case, operands=tuple(operands))
    for name, option in case.options.items():
        if isinstance(option, int) and not isinstance(option, bool) and name not in NARROW:
            yield from (replace(case, options={**case.options, name: value}) for value in EXTREMES)
        if isinstance(option, tuple):
            for place in range(len(option)):
                entries = (
                    (*option[:place], value, *option[place + 1 :])
                    for value in EXTREMES
                    if not isinstance(option[place], bool)
                )
                yield from (replace(case, options={**case.options, name: entry}) for entry in entries)
            yield replace(case, options={**case.options, name: option[:-1]})


@pytest.mark.parametrize("case", BASES, ids=[f"{i}-{case.builtin.name}" for i, case in enumerate(BASES)])
def test_extreme_operands_convert_or_are_refused(case: Case) -> None:
    for model in extremes(case):
        try:
            tc.convert(encode(model)[0])
        except BrokenPassError as error:
            pytest.fail(f"{model}: {error}")
        except ConverterError:
            continue


DECLINED = {
    "negative padding, float": (
        Case(B.PAD, (tensor("float32"), ints(0, 0, -2, 0, 0, 0, 0, 0, shape=(4, 2))), (tensor("float32"),)),
        "below zero",
    ),
    "slice outside": (
        Case(B.SLICE, (tensor("float32"), ints(0, 3, 0, 0), ints(1, 3, 4, 2)), (tensor("float32", (1, 3, 4, 2)),)),
        "reach outside of",
    ),
    "resize to nothing, 8 bits": (
        Case(
            B.RESIZE_BILINEAR,
            (tensor("int8"), ints(0, 4)),
            (tensor("int8"),),
            {"align_corners": False, "half_pixel_centers": False},
        ),
        "expected a height and a width",
    ),
    **{
        f"transposed convolution that cuts kernels off, {dtype}": (
            Case(
                B.TRANSPOSE_CONV,
                (ints(1, 1, 1, 2), tensor(dtype, (2, 2, 2, 2)), tensor(dtype)),
                (tensor(dtype, (1, 1, 1, 2)),),
                {name: POOL[name] for name in ("stride_h", "stride_w", "padding")},
            ),
            "cuts whole kernels off",
        )
        for dtype in ("float32", "int8")
    },
}


@pytest.mark.parametrize("name", DECLINED)
def test_the_refusal_says_what_is_asked_for(name: str) -> None:
    case, words = DECLINED[name]
    operands: Any = tuple(
        replace(x, data=np.ones(x.shape, x.dtype)) if case.builtin is B.TRANSPOSE_CONV and i == 1 and x else x
        for i, x in enumerate(case.operands)
    )
    with pytest.raises(UnsupportedError, match=words):
        tc.convert(encode(replace(case, operands=operands))[0])
