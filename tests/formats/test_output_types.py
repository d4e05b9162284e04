"""Options that state a result's type: a wrong type is malformed, as LiteRT's kernels refuse it."""

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.errors import FormatError
from tosa_converter.formats.tflite.prepare_quantization import OUT_TYPES
from tosa_converter.schemas.tfl_ops import OPERATORS
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import TensorType

OPTION = {B.ARG_MAX: "output_type", B.ARG_MIN: "output_type", B.SHAPE: "out_type"}


def test_every_option_of_a_result_type_is_checked() -> None:
    """These are the rows whose result type begins with = and is neither T nor an element type."""
    stated = {
        row.builtin: word[1:] for row in OPERATORS for word in row.types.split() if word[:1] == "=" and "_" in word
    }
    assert stated == OPTION


@pytest.mark.parametrize("builtin", OPTION)
@pytest.mark.parametrize("stated", list(TensorType))
def test_types_that_an_index_can_have(builtin: B, stated: TensorType) -> None:
    axis = Tensor((1,), "int32", np.array([1], np.int32))
    result = Tensor((1,) if builtin is not B.SHAPE else (2,), "int32")
    operands = (0,) if builtin is B.SHAPE else (0, 1)
    content = build(
        [Tensor((1, 8)), axis, result], [Operator(builtin, operands, (2,), {OPTION[builtin]: stated})], (0,), (2,)
    )
    if stated in OUT_TYPES:
        assert tc.convert(content).main.outputs
    else:
        with pytest.raises(FormatError, match=f"{OPTION[builtin]}: expected INT32 or INT64, found {stated.name}"):
            tc.convert(content)
