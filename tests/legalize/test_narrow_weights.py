"""Weights as stored (`weights="stored"`) and expanded: the same outputs, LiteRT's outputs, sizes, and the way back."""

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.narrow_weights import LAYERS, files, hybrid, integer, weight_only
from support.tflite_models import run_litert

import tosa_converter as tc
from tosa_converter.conversion import Converted
from tosa_converter.dtypes import DType
from tosa_converter.execute import folding
from tosa_converter.execute.plan import Executable
from tosa_converter.formats.tflite.writer import write_tflite
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Array, Model, Value

FILES = files()
FORMS: tuple[dict[str, Any], ...] = ({}, {"numerics": "xnnpack"}, {"numerics": "compact"}, {"target": "pro-int,pro-fp"})
JUDGED = [name for name in FILES if not name.startswith("blockwise")]


def written(model: Model) -> bytes:
    """The bytes of a model's `.tosa` file."""
    return b"".join(map(bytes, write_tosa(model)))


def arrays(model: Model) -> list[Array]:
    """Random inputs of a model: row numbers below 50, else integers over the whole type, or floats."""
    rng = np.random.default_rng(1)
    drawn = []
    for value in model.main.inputs:
        shape, dtype = value.type.static, value.type.dtype
        integers = rng.integers(0, 20, shape) if dtype is DType.I32 else rng.integers(-128, 128, shape)
        drawn.append(np.asarray(rng.normal(size=shape) if dtype.is_float else integers).astype(dtype.numpy))
    return drawn


def outputs(model: Model) -> list[bytes]:
    """The bytes of the outputs of a model's file on its inputs."""
    model = tc.load(written(model))
    return [array.tobytes() for array in Executable(model).run(arrays(model)).values()]


@cache
def converted(name: str, weights: str = "stored") -> Converted:
    """The conversion of a file without a target."""
    return tc.convert(FILES[name], weights=weights)


@pytest.mark.parametrize("name", FILES)
def test_outputs_are_those_of_expanded_weights(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are bit-equal, whether the executor keeps expanded weights or expands them in every run."""
    for options in FORMS:
        expanded, stored = (tc.convert(FILES[name], weights=form, **options) for form in ("expanded", "stored"))
        expected = outputs(expanded)
        assert outputs(stored) == expected, options
        with monkeypatch.context() as patch:
            patch.setattr(folding, "KEPT_BYTES", 0)
            assert outputs(stored) == expected, options


@pytest.mark.parametrize("name", JUDGED)
def test_outputs_are_those_of_litert(name: str) -> None:
    model = converted(name)
    inputs = arrays(model)
    (expected,), (actual,) = run_litert(FILES[name], inputs), Executable(model).run(inputs).values()
    allowed = 1e-6 * np.abs(expected).max() if expected.dtype.kind == "f" else 0
    assert np.abs(actual.astype(np.float64) - expected).max() <= allowed


@pytest.mark.parametrize("name", ["weight_only.fully_connected.int4", "hybrid.conv_2d.int4", "weight_only.gather.int2"])
def test_the_reference_model_computes_the_same(name: str) -> None:
    judge = pytest.importorskip("tosa_reference_model", reason="the TOSA reference model is not installed")
    results = []
    for form in ("expanded", "stored"):
        model = converted(name, form)
        values, status = judge.run(written(model), arrays(model), tosa_level="EIGHTK")
        assert status == judge.GraphStatus.TOSA_VALID
        results.append([value.tobytes() for value in values])
    assert results[0] == results[1]


@pytest.mark.parametrize("dtype", ["float16", "int8", "int4", "int2"])
def test_weights_behind_dequantize_take_the_source_bytes(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A matrix of 96 KB or more as fp32: the operators around it take less than 2 KB."""
    monkeypatch.setitem(LAYERS, "wide", LAYERS["fully_connected"]._replace(weight=(64, 960), x=(3, 960)))
    source = weight_only("wide", dtype)
    sizes = {form: len(written(tc.convert(source, weights=form))) for form in ("expanded", "stored")}
    assert sizes["expanded"] > 64 * 960 * 4
    assert sizes["stored"] < len(source) + 2048


def stored_elements(value: Value) -> list[float]:
    """The elements of a constant."""
    assert value.constant is not None
    return list(value.constant.reshape(-1).tolist())


def element_types(model: Model) -> Counter[str]:
    """How many constants of more than 1 KB, or of 4 bits and more than one element, have each element type."""
    values = [op.result for op in model.main.ops if op.name == "tosa.const"]
    return Counter(
        value.type.dtype.value
        for value in values
        if value.type.elements > (1 if value.type.dtype is DType.I4 else 1024)
    )


def test_convolutions_of_integers_read_i4() -> None:
    for name in ("integer.conv_2d.int4", "integer.depthwise.int4", "hybrid.fully_connected.int4"):
        model = converted(name)
        assert element_types(model) == {"i4": 1}
        assert "EXT-INT4" in model.report.needs.extensions
        assert "tosa.logical_left_shift" not in model.report.tosa_ops


def test_a_target_without_i4_gets_packed_weights() -> None:
    for target in ("pro-int,pro-fp,ext-doubleround", "vulkan-ml", "iree-cpu"):
        model = tc.convert(hybrid("fully_connected", "int4"), weights="stored", target=target)
        assert model.report.tosa_ops["tosa.logical_left_shift"] == 1
        assert element_types(model) == {"i8": 1}  # 64 * 96 / 2 bytes


def test_weights_of_minus_8_are_no_i4() -> None:
    """int4_t of the specification ends at -7 (table 5)."""
    data = FILES["blockwise.fully_connected.int4"]
    model = tc.convert(data, weights="stored")
    assert (
        min(min(stored_elements(op.result)) for op in tc.load(data).main.ops if op.result.type.dtype is DType.I4) == -8
    )
    assert element_types(model) == {"i8": 1}


def test_ethos_u_gets_i4_by_default_and_no_unpacking() -> None:
    """Its preset says that Vela takes i4; weights of 2 bits stay bytes there, as the NPU would unpack them each run."""
    assert element_types(tc.convert(integer("conv_2d", "int4"), target="ethos-u55")) == {"i4": 1}
    expanded = tc.convert(integer("conv_2d", "int4"), target="ethos-u55", weights="expanded")
    assert element_types(expanded) == {"i8": 1}
    narrow = tc.convert(integer("fully_connected", "int2"), target="ethos-u55")
    assert element_types(narrow) == {"i4": 1}  # from -2 to 1, which i4 holds
    assert "tosa.logical_left_shift" not in narrow.report.tosa_ops


def test_a_table_is_unpacked_behind_gather() -> None:
    """GATHER reads packed rows, so 5 of 50 are unpacked and scaled."""
    for name in ("weight_only.gather.int4", "weight_only.embedding.int2", "hybrid.embedding.int4"):
        model = converted(name)
        shifted = [op.result.type.elements for op in model.main.ops if op.name == "tosa.arithmetic_right_shift"]
        assert shifted == [5 * 64]


def test_layout_is_computed_at_conversion() -> None:
    for dtype in ("float16", "int8", "int4"):
        assert "tosa.transpose" not in converted(f"weight_only.transposed_matmul.{dtype}").report.tosa_ops


def test_an_option_without_effect_is_noted() -> None:
    model = converted("hybrid.fully_connected.int8")
    assert any("--weights (weights) has no effect" in note.text for note in model.report.notes)
    assert written(model) == written(converted("hybrid.fully_connected.int8", "expanded"))
    assert not any("no effect" in note.text for note in converted("weight_only.gather.int8").report.notes)


def test_lower_precision_rounds_expanded_weights() -> None:
    """`float_type` computes the weights in fp32 and rounds them, as it rounds the constants of the other form."""
    for dtype in ("int8", "int4", "float16"):
        source = weight_only("fully_connected", dtype)
        forms = [tc.convert(source, weights=form, float_type="fp16") for form in ("expanded", "stored")]
        assert outputs(forms[0]) == outputs(forms[1])


# ** back to TFLite **

BACK = [name for name in FILES if name.startswith("weight_only") and not name.startswith("weight_only.grouped")]


@pytest.mark.parametrize("name", BACK)
def test_weights_come_back_as_dequantize_of_a_constant(name: str) -> None:
    model = converted(name)
    back = tc.to_tflite(model)
    operators = Counter(op.base_name for op in back.main.ops if op.operands)
    if "gather" not in operators:
        assert operators["dequantize"] == 1
        (stored,) = (op.operands[0] for op in back.main.ops if op.name == "tfl.dequantize")
        source = tc.load(FILES[name])
        (weights,) = (op.operands[0] for op in source.main.ops if op.name == "tfl.dequantize")
        assert stored.type.dtype is weights.type.dtype
        assert Counter(stored_elements(stored)) == Counter(stored_elements(weights))
    assert not back.notes
    inputs = arrays(model)
    (expected,) = Executable(model).run(inputs).values()
    (actual,) = run_litert(saved(back), inputs)
    assert np.abs(actual - expected).max() <= 1e-6 * np.abs(expected).max()


def saved(model: Model) -> bytes:
    """The bytes of a model's `.tflite` file."""
    return b"".join(map(bytes, write_tflite(model)))


def test_other_expansions_become_constants_with_a_note() -> None:
    """Scales of blocks, and slices of weights for groups of channels, are none of DEQUANTIZE."""
    for name in ("weight_only.grouped.int8", "blockwise.fully_connected.int4"):
        back = tc.to_tflite(converted(name))
        (note,) = (text for _, text in back.notes)
        assert "stored weights are expanded: " in note
        assert {op.name for op in back.main.ops} == {
            op.name for op in tc.to_tflite(converted(name, "expanded")).main.ops
        }


@pytest.mark.parametrize("name", ["hybrid.fully_connected.int4", "hybrid.transpose_conv.int8", "integer.conv_2d.int4"])
def test_layers_are_found_as_those_of_expanded_weights(name: str) -> None:
    stored, expanded = (tc.to_tflite(converted(name, form)) for form in ("stored", "expanded"))
    assert [op.name for op in stored.main.ops if op.operands] == [op.name for op in expanded.main.ops if op.operands]


# ** other formats **


@pytest.mark.parametrize("ending", ["spv", "vgf", "mlir"])
@pytest.mark.parametrize(
    "name",
    [
        "weight_only.conv_2d.float16",
        "weight_only.odd_depth.int4",
        "hybrid.fully_connected.int4",
        "blockwise.embedding.int2",
    ],
)
def test_files_of_other_formats_compute_the_same(name: str, ending: str, tmp_path: Path) -> None:
    model = converted(name)
    tc.save(model, tmp_path / f"m.{ending}")
    read = tc.load(tmp_path / f"m.{ending}")
    expected = [array.tobytes() for array in Executable(model).run(arrays(model)).values()]
    assert [array.tobytes() for array in Executable(read).run(arrays(model)).values()] == expected
    # A module of SPIR-V has no constants in it; VGF has no i4, and MLIR's text a byte for each.
    if ending != "spv" and not name.startswith("hybrid"):
        tc.save(converted(name, "expanded"), tmp_path / f"expanded.{ending}")
        assert (tmp_path / f"m.{ending}").stat().st_size < (tmp_path / f"expanded.{ending}").stat().st_size


def test_optimized_files_keep_their_weights(tmp_path: Path) -> None:
    """`optimize` folds nothing: the operators are those of the file."""
    for name in ("weight_only.fully_connected.int4", "weight_only.gather.float16"):
        (tmp_path / "m.tosa").write_bytes(written(converted(name)))
        optimized = tc.optimize(tmp_path / "m.tosa")
        assert optimized.report.tosa_ops == converted(name).report.tosa_ops
        assert outputs(optimized) == outputs(converted(name))


def test_nodes_of_xnnpack_read_expanded_weights() -> None:
    for name in ("weight_only.fully_connected.float16", "weight_only.conv_2d.int8"):
        nodes, expanded = (tc.to_xnn(converted(name, form)) for form in ("stored", "expanded"))
        assert [op.name for op in nodes.main.ops] == [op.name for op in expanded.main.ops]
        assert any("stored weights are expanded" in text for _, text in nodes.notes)
