"""ADD of attention masks stays finite, as in LiteRT's reference kernels; other sums get no CLAMP."""

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.schemas.tflite import BuiltinOperator as B

LOWEST = float(np.finfo(np.float32).min)
BELOW_HUGE = float(np.nextafter(np.float32(2.0**127), np.float32(0)))  # twice as much is the largest fp32 number


def masked(hidden: float, masks: int) -> bytes:
    """Scores [2,4] with masks that SELECT_V2 makes of a boolean input, and SOFTMAX."""
    scores = Tensor((2, 4))
    tensors = [scores, Tensor((2, 4), "bool"), Tensor((), data=np.float32(0)), Tensor((), data=np.float32(hidden))]
    tensors += [scores, scores, scores, scores]
    operators = [Operator(B.SELECT_V2, (1, 2, 3), (4,))]
    operators += [Operator(B.ADD, (4, 4), (5,))] if masks == 2 else []
    operators += [Operator(B.ADD, (0, 3 + masks), (6,)), Operator(B.SOFTMAX, (6,), (7,), {"beta": 1.0})]
    return build(tensors, operators, (0, 1), (6, 7))


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize(
    ("hidden", "masks", "clamps"),
    [(np.inf, 1, 1), (-LOWEST, 1, 0), (-LOWEST, 2, 1), (2.0**127, 2, 1), (BELOW_HUGE, 2, 0), (1e9, 2, 0)],
)
def test_masked_scores(hidden: float, masks: int, clamps: int, sign: int) -> None:
    """One row is hidden wholly, of which SOFTMAX makes equal parts; a mask may be positive as well."""
    content = masked(sign * hidden, masks)
    model = tc.convert(content)
    assert [op.name for op in model.main].count("tosa.clamp") == clamps
    scores = np.random.default_rng(3).standard_normal((2, 4)).astype(np.float32)
    seen = np.array([[True, False, True, False], [False] * 4])
    results = [*tc.run(model, {"t0": scores, "t1": seen}).values()]
    sums, parts = run_litert(content, [scores, seen])
    assert np.isfinite(sums).all()
    np.testing.assert_array_equal(results[0], sums)
    np.testing.assert_allclose(results[1], parts, rtol=1e-6)


def test_other_numerics_and_types_have_no_clamp() -> None:
    assert "tosa.clamp" not in {op.name for op in tc.convert(masked(-np.inf, 1), numerics="xnnpack").main}
