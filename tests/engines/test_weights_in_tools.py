"""Tools that take conversions further take those with stored weights, and compute the same."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.narrow_weights import files, integer

import tosa_converter as tc
from tosa_converter.engines import vela
from tosa_converter.engines.iree import Iree
from tosa_converter.engines.vulkan import Vulkan
from tosa_converter.engines.vulkan import missing as missing_for_vulkan
from tosa_converter.ir import Array
from tosa_converter.rules.target import Target

FILES = files()
NAMES = (
    "weight_only.fully_connected.float16",
    "weight_only.conv_2d.int8",
    "weight_only.odd_depth.int4",
    "weight_only.embedding.int2",
    "hybrid.fully_connected.int4",
    "integer.conv_2d.int4",
    "blockwise.fully_connected.int4",
)
needs_vela = pytest.mark.skipif(bool(vela.missing()), reason="; ".join(vela.missing()))
needs_iree = pytest.mark.skipif(bool(Iree().missing()), reason="; ".join(Iree().missing()))
needs_vulkan = pytest.mark.skipif(bool(missing_for_vulkan()), reason="; ".join(missing_for_vulkan()))


def inputs(model: tc.Model) -> dict[str, Array]:
    """Random inputs by name."""
    rng = np.random.default_rng(1)
    shapes = {value.name: (value.type.static, value.type.dtype) for value in model.main.inputs}
    return {name: rng.integers(0, 20, shape).astype(dtype.numpy) for name, (shape, dtype) in shapes.items()}


def outputs(engine: Iree | Vulkan, name: str, target: str, weights: str) -> list[bytes]:
    """The bytes of the outputs of a model's conversion in an engine."""
    model = tc.convert(FILES[name], target=target, weights=weights)
    assert (model.report.tosa_ops["tosa.logical_left_shift"] > 0) == (weights == "stored" and name[-1] in "24")
    return [array.tobytes() for array in engine.run(model, inputs(model)).values()]


@needs_iree
@pytest.mark.parametrize("name", NAMES[:3])
def test_iree_computes_the_same(name: str) -> None:
    assert outputs(Iree(), name, "iree-cpu", "stored") == outputs(Iree(), name, "iree-cpu", "expanded")


@needs_vulkan
@pytest.mark.parametrize("name", NAMES)
def test_vulkan_computes_the_same(name: str) -> None:
    engine = Vulkan()
    try:
        assert outputs(engine, name, "vulkan-ml", "stored") == outputs(engine, name, "vulkan-ml", "expanded")
    finally:
        engine.close()


@needs_vela
@pytest.mark.parametrize("name", ["conv_2d", "fully_connected", "depthwise"])
@pytest.mark.parametrize("target", ["ethos-u55", "ethos-u85"])
def test_vela_makes_the_same_of_i4(name: str, target: str, tmp_path: Path) -> None:
    """The row of Ethos-U's presets: i4 and i8 become the same bytes, so weights are stored there by default."""
    compiled = {}
    for form in ("stored", "expanded"):
        model = tc.convert(integer(name, "int4"), target=target, weights=form)
        assert ("EXT-INT4" in model.report.needs.extensions) == (form == "stored")
        folder = tmp_path / form
        folder.mkdir()
        tc.save(model, folder / "m.tosa")
        command = [str(Path(sys.executable).parent / "vela"), str(folder / "m.tosa"), "--output-dir", str(folder)]
        accelerator = vela.ACCELERATORS[target]
        subprocess.run([*command, "--accelerator-config", accelerator], check=True, capture_output=True, timeout=300)
        compiled[form] = (folder / "m_vela.tflite").read_bytes()
    assert compiled["stored"] == compiled["expanded"]
    preset = Target.parse(target).preset
    assert preset is not None
    assert preset.weights == "stored"
    assert preset.narrow_weights == frozenset({"i4"})
