"""Every operator of TFLite is lowered, resolved before that, or refused with a reason."""

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.legalize.pipelines import PIPELINES
from tosa_converter.schemas.tfl_ops import OPERATORS
from tosa_converter.schemas.tfl_prepared import PREPARED
from tosa_converter.schemas.tfl_refusals import REFUSALS
from tosa_converter.schemas.tflite import BuiltinOperator as B

# Those of the file; the readers and `legalize.tflite.state` make pseudo operators.
STARTS = {rewrite.root for rewrite in PIPELINES["tfl"][0].rewrites if not rewrite.root.startswith("tfl.pseudo_")}
ROOTS = {"tfl.custom" if root.startswith("custom.") else root for root in STARTS}


def test_an_operator_is_lowered_resolved_or_refused() -> None:
    lowered = {"tfl.custom" if root.startswith("custom.") else root for root in ROOTS}
    kinds = (lowered, PREPARED.keys(), REFUSALS.keys())
    assert sum(map(len, kinds)) == len({*lowered, *PREPARED, *REFUSALS})
    assert {row.opcode for row in OPERATORS} == {*lowered, *PREPARED, *REFUSALS}


def test_random_numbers_are_no_constants() -> None:
    tensors = [Tensor((1,), "int32", np.array([3])), Tensor((3,))]
    for builtin in (B.RANDOM_UNIFORM, B.RANDOM_STANDARD_NORMAL):
        with pytest.raises(UnsupportedError, match="goes on from run to run"):
            tc.convert(tc.load(build(tensors, [Operator(builtin, [0], [1])], [], [1])))
