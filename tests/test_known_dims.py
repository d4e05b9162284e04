"""Unknown dimensions of TOSA models: stated for inputs, all others follow by the shape rules."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.commands import INT8 as DIGITS
from support.mlir_texts import DIMS, read

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError, UsageError, VerifyError
from tosa_converter.ir import Array, Model
from tosa_converter.known_dims import has_unknown_dims, with_known_dims

MESSAGE = "inputs have unknown dimensions: 'x' float32[?,4]"
NEXT = "next: state their sizes (input_shapes): --input-shape x=1,4"
ENGINES = [
    "executor",
    pytest.param(
        "tosa-reference-model",
        marks=pytest.mark.skipif(shutil.which("tosa_reference_model") is None, reason="needs tosa-tools"),
    ),
]


def expected(x: Array, w: Array) -> Array:
    return np.exp(x) @ w


@pytest.fixture
def arrays() -> dict[str, Array]:
    rng = np.random.default_rng(7)
    return {"x": rng.random((5, 4), np.float32), "arg1": rng.random((4, 3), np.float32)}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("stated", [{"input_shapes": {"x": (5, 4)}}, {"bounds": {"x": 5}}])
def test_a_conversion_has_the_stated_sizes_and_computes_the_same(
    engine: str, stated: dict[str, dict[str, object]], arrays: dict[str, Array]
) -> None:
    source = read(DIMS)
    model = tc.convert(source, **stated)  # type: ignore[arg-type]
    assert not has_unknown_dims(model)
    assert [str(value.type) for value in (*model.main.inputs, *model.main.outputs)] == [
        "fp32[5x4]",
        "fp32[4x3]",
        "fp32[5x3]",
    ]
    (result,) = tc.run(model, arrays, engine=engine).values()
    assert np.allclose(result, expected(arrays["x"], arrays["arg1"]), rtol=1e-5)
    assert has_unknown_dims(source), "the source stays as it is"


@pytest.mark.parametrize("ending", [".tosa", ".mlir", ".spv", ".vgf", ".tflite"])
def test_every_format_holds_the_resolved_model(ending: str, tmp_path: Path, arrays: dict[str, Array]) -> None:
    model: Model = tc.convert(read(DIMS), input_shapes={"x": (5, 4)})
    path = tmp_path / f"resolved{ending}"
    tc.save(tc.to_tflite(model) if ending == ".tflite" else model, path)
    loaded = tc.load(path)
    values = dict(zip((value.name for value in loaded.main.inputs), arrays.values(), strict=True))
    (result,) = tc.run(loaded, values).values()
    assert np.allclose(result, expected(arrays["x"], arrays["arg1"]), rtol=1e-5)


def test_a_run_takes_the_sizes_from_its_arrays(arrays: dict[str, Array]) -> None:
    model = read(DIMS)
    (result,) = tc.run(model, arrays).values()
    assert np.allclose(result, expected(arrays["x"], arrays["arg1"]), rtol=1e-5)
    steps = tc.run_steps(model, [arrays, arrays])
    assert all(np.array_equal(next(iter(step.values())), result) for step in steps)


@pytest.mark.parametrize("ending", [".tosa", ".mlir"])
def test_files_that_can_hold_unknown_dimensions_do(ending: str, tmp_path: Path, arrays: dict[str, Array]) -> None:
    path = tmp_path / f"unknown{ending}"
    tc.save(read(DIMS), path)
    loaded = tc.load(path)
    assert [str(value.type) for value in loaded.main.outputs] == ["fp32[?x3]"]
    (result,) = tc.run(
        loaded, dict(zip((value.name for value in loaded.main.inputs), arrays.values(), strict=True))
    ).values()
    assert np.allclose(result, expected(arrays["x"], arrays["arg1"]), rtol=1e-5)
    if ending == ".mlir" and shutil.which("tosa-opt"):
        subprocess.run(["tosa-opt", path, "-o", "/dev/null"], check=True, capture_output=True, timeout=120)


def test_all_that_needs_sizes_refuses_in_one_line_with_the_way_out() -> None:
    for needs_sizes in (tc.convert, tc.verify, tc.check, tc.random_inputs, tc.adversarial_inputs):
        with pytest.raises(UnsupportedError) as caught:
            needs_sizes(read(DIMS))
        assert list(caught.value.args) == [f"the model: {MESSAGE}", NEXT], needs_sizes.__name__


@pytest.mark.parametrize("ending", [".spv", ".vgf"])
def test_formats_of_known_dimensions_refuse_others(ending: str, tmp_path: Path) -> None:
    with pytest.raises(
        VerifyError, match=r"every dimension must be known: found %x: fp32\[\?x4\], and \d+ more"
    ) as caught:
        tc.save(read(DIMS), tmp_path / f"unknown{ending}")
    assert len(caught.value.args) == 2, "one line, and the way out"
    assert not list(tmp_path.iterdir())


def test_shapes_and_bounds_that_do_not_fit_are_refused() -> None:
    for options, message in (
        ({"input_shapes": {"x": (5, 3)}}, "expected a shape of fp32[?x4] for 'x', found [5, 3]"),
        ({"input_shapes": {"y": (5, 4)}}, "input shape: no input is called 'y'"),
        ({"bounds": {"arg1": 4}}, "bound: expected an input with unknown dimensions (x), found 'arg1'"),
        ({"bounds": {"x": 0}}, "bound: expected a size of 1 to 2147483647 for 'x', found 0"),
    ):
        with pytest.raises(UsageError) as caught:
            tc.convert(read(DIMS), **options)
        assert message in str(caught.value)


def test_what_only_a_run_knows_is_named() -> None:
    text = """
func.func @main(%x: tensor<?x4xf32>, %s: !tosa.shape<2>) -> tensor<?x?xf32> {
  %0 = tosa.exp %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tosa.reshape %0, %s : (tensor<?x4xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  %2 = tosa.exp %1 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}"""
    with pytest.raises(UnsupportedError) as caught:
        with_known_dims(read(text), {"x": (2, 4)})
    first, step = caught.value.args
    assert (
        first
        == "the model: dimensions don't follow from the inputs' at tosa.reshape: %_: fp32[?x?], and of 1 more operators"
    )
    assert step == "next: write the file with known sizes there"


def test_regions_get_the_sizes_of_their_operands() -> None:
    text = """
func.func @main(%c: tensor<i1>, %x: tensor<?x2xi32>) -> tensor<?x2xi32> {
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<?x2xi32> {
    %1 = tosa.add %x, %x : (tensor<?x2xi32>, tensor<?x2xi32>) -> tensor<?x2xi32>
    tosa.yield %1 : tensor<?x2xi32>
  } else {
    tosa.yield %x : tensor<?x2xi32>
  }
  return %0 : tensor<?x2xi32>
}"""
    model = tc.convert(read(text), input_shapes={"x": (3, 2)})
    x = np.arange(6, dtype=np.int32).reshape(3, 2)
    for condition, result in ((True, 2 * x), (False, x)):
        (output,) = tc.run(model, {"c": np.array(condition), "x": x}).values()
        assert np.array_equal(output, result)


def test_a_model_without_unknown_dimensions_is_returned_itself() -> None:
    model = tc.convert(DIGITS)
    assert with_known_dims(model, {}) is model
    assert not has_unknown_dims(tc.load(DIGITS)), "TFLite's are resolved by its conversion"


@pytest.mark.skipif(shutil.which("tosa-converter-for-tflite") is None, reason="needs the peer")
def test_the_peers_file_of_unknown_batch_is_compared_with_its_source(tmp_path: Path) -> None:
    path = tmp_path / "peer.mlir"
    command = ["tosa-converter-for-tflite", str(DIGITS), "--text", "-o", str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert has_unknown_dims(tc.load(path))
    assert tc.verify(DIGITS, path).proof == "every output is bit-identical"


@pytest.mark.skipif(shutil.which("tosa-opt") is None, reason="needs tosa-tools")
def test_unknown_and_unranked_tensors_of_the_serializer_are_read(tmp_path: Path, arrays: dict[str, Array]) -> None:
    text, path = tmp_path / "text.mlir", tmp_path / "serialized.tosa"
    text.write_text(DIMS.replace("sparse<0, 0.0>", "dense<0.0>"))
    command = ["tosa-opt", str(text), "--tosa-serialize", f"--tosa-flatbuffer-filename={path}", "-o", "/dev/null"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    model = tc.load(path)
    assert [str(op.results[0].type) for op in model.main if not op.declares] == [
        "fp32[?x4]",
        "fp32[1x?x4]",
        "fp32[1x4x3]",
        "fp32[1x?x3]",
        "fp32[?x3]",
        "fp32[?x3]",
    ]
    (result,) = tc.run(
        model, dict(zip((value.name for value in model.main.inputs), arrays.values(), strict=True))
    ).values()
    assert np.allclose(result, expected(arrays["x"], arrays["arg1"]), rtol=1e-5)


def test_constants_of_inferred_sizes_are_replaced() -> None:
    sizes = [
        op.attributes["values"].tolist()
        for op in tc.convert(read(DIMS), bounds={"x": 5}).main
        if op.name == "tosa.const_shape"
    ]
    assert sorted(sizes) == [[0, 0], [1, 4, 3], [1, 5, 4], [5, 3], [5, 3]]
