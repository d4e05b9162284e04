"""Unreasonable numbers of a file are the file's fault: the rule that meets them refuses, and no bug is reported."""

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.cases.case import Case, ints, tensor
from support.cases.pooling import POOL
from support.cases.table import bases, customs, stablehlo_cases
from support.tflite_models import Tensor

import tosa_converter as tc
from tosa_converter.errors import BrokenPassError, ConverterError, UnsupportedError
from tosa_converter.legalize.rule_modules import DELEGATED
from tosa_converter.schemas.tflite import BuiltinOperator as B

EXTREMES = (-(2**31), -7, -2, -1, 0, 1, 2, 3, 5, 100, 2**31 - 1)
BASES = [*bases(), *stablehlo_cases(), *customs()]
DELEGATES = frozenset().union(*(family.roots for family in DELEGATED))
NARROW = {  # options of one byte
    *("padding", "fused_activation_function", "out_type", "output_type", "idx_out_type", "mode", "kernel_type"),
    *("combiner", "comparison_direction", "reduce_function"),
}


def extremes(case: Case) -> Iterator[Case]:
    """Yields the model with each extreme value in one entry of a constant, or in one option."""
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
    raw_options = case.custom_options or b""
    for place in range(0, len(raw_options), 4):
        for value in EXTREMES:
            number = value.to_bytes(4, "little", signed=True)
            raw = raw_options[:place] + number + raw_options[place + 4 :]
            yield replace(case, custom_options=raw)
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
        for numerics in ("reference", "xnnpack") if f"tfl.{case.builtin.name.lower()}" in DELEGATES else ("reference",):
            try:
                tc.convert(model.file(), numerics=numerics)
            except BrokenPassError as error:
                pytest.fail(f"{model}: {error}")
            except ConverterError:
                continue


DECLINED = {
    "negative padding, float": (
        Case(B.PAD, (tensor("float32"), ints(0, 0, -2, 0, 0, 0, 0, 0, shape=(4, 2))), (tensor("float32"),)),
        "expected padding of at least 0",
    ),
    "slice outside": (
        Case(B.SLICE, (tensor("float32"), ints(0, 3, 0, 0), ints(1, 3, 4, 2)), (tensor("float32", (1, 3, 4, 2)),)),
        "expected a slice inside",
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
            "expected an output that keeps part of each kernel",
        )
        for dtype in ("float32", "int8")
    },
    "no element, SLICE": (
        Case(B.SLICE, (tensor("int16", (4, 2)), ints(0, 0), ints(4, 0)), (tensor("int16", (4, 0)),)),
        "has no elements, and TOSA has no empty tensors",
    ),
    "no element, MEAN": (
        Case(B.MEAN, (tensor("int16", (2, 0)), ints(1)), (tensor("int16", (2,)),)),
        "expected at least 1 element to take the mean of",
    ),
    "a negative size, BROADCAST_TO of a constant": (
        Case(B.BROADCAST_TO, (ints(1), ints(3, -2)), (ints(1, shape=(1, 1)),)),
        "expected an operand that broadcasts to",
    ),
    "an endless range": (
        Case(B.FAKE_QUANT, (tensor("float32"),), (tensor("float32"),), {"min": 0.0, "max": np.inf, "num_bits": 8}),
        "expected a range with steps",
    ),
    "an overflowing multiplier": (
        Case(B.LOGISTIC, (tensor("int16", scale=1e20),), (tensor("int16", scale=1 / 32768),)),
        "expected a scale that fits the kernel's 32 bits",
    ),
    "a negative exponent": (
        Case(B.SOFTMAX, (tensor("int16"),), (tensor("int16", scale=1 / 32768),), {"beta": -1.0}),
        "expected a beta of 0 or more, found -1",
    ),
    "a zero point beyond 32 bits": (
        Case(B.QUANTIZE, (Tensor((3,), "int32", scale=0.1, zero_point=1 << 40),), (tensor("int8", (3,)),)),
        "expected a zero point inside the range of its type",
    ),
    "scales of other rows": (
        Case(
            B.FULLY_CONNECTED,
            (
                tensor("float32", (2, 4)),
                Tensor((3, 4), "int8", np.ones((3, 4)), scale=np.ones(4, np.float32), axis=1),
                None,
            ),
            (tensor("float32", (2, 3)),),
        ),
        "along axis 0, found axis 1",
    ),
    "a weight without columns": (
        Case(
            B.FULLY_CONNECTED,
            (tensor("uint8", (2, 4)), tensor("uint8", (3, 0)), None),
            (tensor("uint8", (2, 3)),),
        ),
        "expected elements that divide into rows of 0",
    ),
    "a sum beyond 32 bits": (
        Case(B.SUM, (tensor("uint8", (1 << 24, 2)), ints(0)), (tensor("uint8", (2,)),)),
        "expected a sum that fits 32 bits, found 16777216",
    ),
    "a table without rows": (
        Case(
            B.HASHTABLE_LOOKUP,
            (ints(1, 2), ints(1, 2, 3), tensor("float32", ())),
            (tensor("float32", (2,)), Tensor((2,), "uint8")),
        ),
        "expected 0 keys, one for each row",
    ),
    "weights of other ids": (
        Case(
            B.EMBEDDING_LOOKUP_SPARSE,
            (
                ints(1, 0),
                ints(0, 0, 1, 0, shape=(2, 2)),
                ints(2, 4),
                tensor("float32", (3,)),
                tensor("float32", (4, 2)),
            ),
            (tensor("float32", (2, 2)),),
        ),
        "expected 2 row ids and weights",
    ),
    "other shapes, STABLEHLO_ADD": (
        Case(B.STABLEHLO_ADD, (tensor("float32", ()), tensor("float32", (2,))), (tensor("float32", (2,)),)),
        "expected operands of one shape",
    ),
    "a long product": (
        Case(B.REDUCE_PROD, (tensor("int8", (1 << 16, 2)), ints(0)), (tensor("int8", (2,)),)),
        "products, each an operator of its own, found 65536",
    ),
}


@pytest.mark.parametrize("name", DECLINED)
def test_a_refusal_states_the_requested_number(name: str) -> None:
    case, words = DECLINED[name]
    operands: Any = tuple(
        replace(x, data=np.ones(x.shape, x.dtype)) if case.builtin is B.TRANSPOSE_CONV and i == 1 and x else x
        for i, x in enumerate(case.operands)
    )
    with pytest.raises(UnsupportedError, match=words):
        tc.convert(replace(case, operands=operands).file())


MOST = 2**31 - 1
HUGE = {
    **{
        f"{words} {builtin.name}": Case(
            builtin, (tensor("float32", (4, 2)), ids, ints(MOST)), (tensor("float32", (4, 2)),)
        )
        for builtin in (B.UNSORTED_SEGMENT_SUM, B.UNSORTED_SEGMENT_MAX)
        for words, ids in (("constant", ints(0, 2, 1, 2)), ("run-time", tensor("int32", (4,))))
    },
    "POW": Case(B.POW, (tensor("float32", (MOST,)), Tensor((1,), data=np.zeros(1, np.float32))), (tensor("float32"),)),
    "TOPK_V2": Case(B.TOPK_V2, (tensor("float32", (2, MOST)), ints(2, shape=())), (tensor("float32"), tensor("int32"))),
    "SPARSE_TO_DENSE": Case(
        B.SPARSE_TO_DENSE,
        (tensor("int32", (MOST, 1)), ints(5), tensor("float32", ()), tensor("float32", ())),
        (tensor("float32", (5,)),),
    ),
    "RESIZE_BILINEAR, 8 bits": Case(B.RESIZE_BILINEAR, (tensor("int8"), ints(2, 1 << 24)), (tensor("int8"),)),
    "RESIZE_BILINEAR": Case(B.RESIZE_BILINEAR, (tensor("float32"), ints(1 << 24, 2)), (tensor("float32"),)),
}


@pytest.mark.parametrize("name", HUGE)
def test_huge_operands_are_refused_before_memory_is_taken(name: str) -> None:
    data = HUGE[name].file()
    tracemalloc.start()
    try:
        with pytest.raises(UnsupportedError, match="expected a constant of at most"):
            tc.convert(data)
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()
