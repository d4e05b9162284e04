"""The engine `executorch`, where it is installed: it returns its own goldens, and judges conversions."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from support.xnnpack_cases import XnnpackCase, cases

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import ConverterError, MissingExtra, UsageError
from tosa_converter.formats import parse
from tosa_converter.ir import Array, Graph, Model, Op, Quant, TensorType, Value

INSTALLED = importlib.util.find_spec("executorch") is not None
installed = pytest.mark.skipif(not INSTALLED, reason="executorch is not installed")


def loaded(case: XnnpackCase, folder: Path) -> tuple[Model, dict[str, Array]]:
    """Returns the case as a file, with its inputs."""
    path = folder / case.file
    path.write_bytes(case.data)
    model = tc.load(path)
    return model, {value.name: x for value, x in zip(model.main.inputs, case.inputs, strict=True)}


@pytest.mark.skipif(INSTALLED, reason="executorch is installed")
def test_missing_executorch_names_what_to_install(tmp_path: Path) -> None:
    model, inputs = loaded(cases("kernels")["u_net.pte"], tmp_path)
    with pytest.raises(MissingExtra, match=r"running ExecuTorch needs .* '\.\[executorch\]'"):
        tc.run(model, inputs)
    with pytest.raises(MissingExtra):
        tc.verify(model)


@installed
@pytest.mark.parametrize(
    "label", ["fp32/add.xnn", "qint8/conv.xnn", "fp16/linear.xnn", "networks/cnn_int8.pte", "kernels/u_net.pte"]
)
def test_executorch_returns_its_goldens(label: str, tmp_path: Path) -> None:
    group, file = label.split("/")
    case = cases(group)[file]
    model, inputs = loaded(case, tmp_path)
    for expected, output in zip(case.outputs, tc.run(model, inputs).values(), strict=True):
        assert np.array_equal(expected, output)


@installed
@pytest.mark.parametrize("file", ["se_block.pte", "unary.pte", "halves.pte"])
def test_executorch_judges_conversions(file: str, tmp_path: Path) -> None:
    model, _ = loaded(cases("kernels")[file], tmp_path)
    report = tc.verify(model)
    assert report.verdict
    assert [comparison.reference for comparison in report.comparisons] == ["executorch"]


@installed
def test_one_delegate_of_a_program_runs_alone(tmp_path: Path) -> None:
    case = cases("networks")["layer_norm.pte"]
    loaded(case, tmp_path)
    assert tc.verify(tc.load(tmp_path / case.file, delegate=1)).verdict


@installed
def test_a_program_that_executorch_refuses_is_an_error(tmp_path: Path) -> None:
    case = cases("kernels")["copies.pte"]
    model, inputs = loaded(case, tmp_path)
    (tmp_path / case.file).write_bytes(case.data.replace(b"aten::clone", b"aten::clown"))
    with pytest.raises(ConverterError, match="ExecuTorch refuses"):
        tc.run(model, inputs)


def test_portable_kernels_run_out_of_files_alone() -> None:
    case = cases("kernels")["copies.pte"]
    model = parse(case.data)
    with pytest.raises(UsageError, match="ExecuTorch runs portable kernels of programs in files alone"):
        tc.run(model, {"input_0": case.inputs[0]})


@installed
@pytest.mark.parametrize("dtype", [DType.I8, DType.UI8], ids=["qint8", "quint8"])
@pytest.mark.parametrize("seed", range(8))
def test_means_of_any_zero_points_round_their_ties_as_xnnpack_does(dtype: DType, seed: int) -> None:
    """Scales are powers of two, so that a mean of 2, 4 or 8 pixels is often a tie."""
    rng = np.random.default_rng(seed)
    origin = 128 * (dtype is DType.UI8)
    zero_points = 2 * rng.integers(-60, 60, 2) + 1 + origin
    input_type, output_type = (
        TensorType(dtype, shape, Quant((scale,), (int(zero_point),)))
        for shape, scale, zero_point in zip([(1, 2, 2, 64), (1, 1, 1, 64)], (0.0625, 0.03125), zero_points, strict=True)
    )
    x = Value(input_type, "x")
    node = Op("xnn.global_avg_pooling_2d", [x], [output_type], {"flags": 64}, result_names=["y"])
    model = Model({"main": Graph("main", [x], node.results, [node])}, opset="xnn")
    elements = rng.integers(-128, 128, input_type.static)
    (expected,) = tc.run(model, {"x": (elements + origin).astype(dtype.numpy)}, engine="executorch").values()
    (output,) = tc.run(tc.convert(model), {"x": (elements + origin).astype(dtype.numpy).view(np.int8)}).values()
    np.testing.assert_array_equal(output, expected.view(np.int8))
