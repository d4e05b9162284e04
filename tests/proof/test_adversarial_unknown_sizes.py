"""A model with unknown dimensions is given the adversarial inputs of the same model with the sizes in the file."""

from pathlib import Path

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.schemas.tflite import BuiltinOperator as B

SHAPES = {"rows": (4, 6), "one between": (4, 1, 6), "two in front": (2, 2, 6), "first is 1": (1, 4, 6)}
UNKNOWN = {"first": (0,), "second": (1,), "both": (0, 1)}


def model(shape: tuple[int, ...], unknown: tuple[int, ...] | None) -> bytes:
    """RESHAPE and a layer; None states every size."""

    def sized(sizes: tuple[int, ...], dtype: str, name: str, scale: float, dims: tuple[int, ...]) -> Tensor:
        signature = tuple(-1 if i in dims else size for i, size in enumerate(sizes))
        return Tensor(sizes, dtype, name=name, scale=scale, signature=() if unknown is None else signature)

    dims = tuple(i for i in unknown or () if i < len(shape) - 1)
    weights = np.random.default_rng(0).integers(-127, 128, (5, 6)).astype(np.int8)
    tensors = [
        sized((4, 2, 3), "int8", "x", 0.5, (0,)),
        Tensor((len(shape),), "int32", np.array(shape, np.int32), name="sizes"),
        sized(shape, "int8", "rows", 0.5, dims),
        Tensor((5, 6), "int8", weights, name="weights", scale=0.01),
        Tensor((5,), "int32", np.arange(5, dtype=np.int32) * 100, name="bias", scale=0.005),
        sized((*shape[:-1], 5), "int8", "y", 0.7, dims),
    ]
    layer = Operator(B.FULLY_CONNECTED, (2, 3, 4), (5,), {"keep_num_dims": True})
    return build(tensors, [Operator(B.RESHAPE, (0, 1), (2,)), layer], (0,), (5,))


@pytest.mark.parametrize("unknown", UNKNOWN)
@pytest.mark.parametrize("name", SHAPES)
def test_unknown_sizes_change_no_input(name: str, unknown: str, tmp_path: Path) -> None:
    shape = SHAPES[name]
    paths = []
    for file, dims in (("static", None), ("dynamic", UNKNOWN[unknown])):
        paths.append(tmp_path / f"{file}.tflite")
        paths[-1].write_bytes(model(shape, dims))
    static = tc.adversarial_inputs(paths[0], runs=24, seed=3)
    dynamic = tc.adversarial_inputs(paths[1], runs=24, seed=3, input_shapes={"x": (4, 2, 3)})
    assert [arrays["x"].tolist() for arrays in dynamic] == [arrays["x"].tolist() for arrays in static]
