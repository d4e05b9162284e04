"""External buffers of TFLite (schema 3d): weights in files beside the model, judged by LiteRT's compiled models."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import INT8, command
from support.containers import litertlm_of, section, zip_of

import tosa_converter as tc
from tosa_converter.errors import FormatError, UnsupportedError, UsageError
from tosa_converter.formats import flatbuffer, parse
from tosa_converter.schemas import litertlm, tflite

GROUP = "weights.bin"
FIRST_ID = 0x80000000


def split(data: bytes, least: int = 64) -> tuple[tflite.Model, bytes]:
    """Returns the model with its larger constants as external buffers, and the file of their bytes."""
    root = flatbuffer.read(tflite.Model, data, tflite.IDENTIFIER)
    content, rows = b"", list[tflite.ExternalBuffer]()
    for tensor in root.subgraphs[0].tensors:
        values = root.buffers[tensor.buffer].data
        if values is None or values.size < least:
            continue
        content += bytes(-len(content) % 64)
        id = FIRST_ID + len(rows)
        rows.append(tflite.ExternalBuffer(id=id, offset=len(content), length=values.size, packing="unpacked"))
        content += values.tobytes()
        tensor.buffer, tensor.external_buffer = 0, id
    root.external_buffer_groups = (tflite.ExternalBufferGroup(name=GROUP),)
    root.external_buffers = tuple(rows)
    used = {tensor.buffer for tensor in root.subgraphs[0].tensors} | {row.buffer for row in root.metadata}
    root.buffers = tuple(row if i in used else tflite.Buffer() for i, row in enumerate(root.buffers))
    return root, content


def written(root: tflite.Model) -> bytes:
    return b"".join(map(bytes, flatbuffer.write(root, tflite.IDENTIFIER)))


def saved(folder: Path, change: Callable[[tflite.Model], object] = lambda _: None) -> Path:
    """Writes the model and its weights into a folder, and returns the path of the model."""
    root, content = split(INT8.read_bytes())
    change(root)
    (folder / "m.tflite").write_bytes(written(root))
    (folder / GROUP).write_bytes(content)
    return folder / "m.tflite"


def image() -> Any:
    return np.random.default_rng(29).integers(-128, 128, (1, 8, 8, 1), np.int8)


def test_weights_beside_a_model_are_its_weights(tmp_path: Path) -> None:
    path = saved(tmp_path)
    assert path.stat().st_size < INT8.stat().st_size
    outputs = [tc.run(tc.convert(model), image()) for model in (path, INT8)]
    assert all(np.array_equal(*pair) for pair in zip(*(run.values() for run in outputs), strict=True))


def test_litert_reads_the_same_weights(tmp_path: Path) -> None:
    compiled_model = pytest.importorskip("ai_edge_litert.compiled_model", reason="LiteRT is not installed")
    path = saved(tmp_path)
    model = compiled_model.CompiledModel.from_file(str(path))
    inputs, outputs = model.create_input_buffers(0), model.create_output_buffers(0)
    inputs[0].write(image())
    model.run_by_index(0, inputs, outputs)
    (ours,) = tc.run(tc.convert(path, numerics="xnnpack"), image()).values()
    assert np.array_equal(outputs[0].read(10, np.int8), ours.reshape(-1))


def test_verify_and_inspect_take_such_a_model(tmp_path: Path) -> None:
    path = saved(tmp_path)
    assert command("verify", path) == 0
    assert command("inspect", path, "--check") == 0
    tc.save(tc.load(path), tmp_path / "whole.tflite")
    (tmp_path / GROUP).unlink()
    assert command("verify", tmp_path / "whole.tflite") == 0


def test_a_bundle_has_the_weights_of_its_model(tmp_path: Path) -> None:
    root, content = split(INT8.read_bytes())
    rows = [
        (section(litertlm.TFLITE_WEIGHTS, "aux"), b"others"),
        (section(litertlm.TFLITE_MODEL, "embedder"), written(root)),
        (section(litertlm.TFLITE_WEIGHTS, "embedder"), content),
    ]
    path = tmp_path / "m.litertlm"
    path.write_bytes(litertlm_of(rows))
    assert [member.weights for member in tc.members(path)] == [0, len(content), 0]
    (expected,), (actual,) = (tc.run(tc.convert(model), image()).values() for model in (INT8, path))
    assert np.array_equal(expected, actual)
    assert command("verify", path) == 0


def test_a_longer_slice_is_cut(tmp_path: Path) -> None:
    def change(root: tflite.Model) -> None:
        root.external_buffers[0].length += 16

    assert len(tc.load(saved(tmp_path, change)).main.ops) > 9


@pytest.mark.parametrize(
    "name", ["../weights.bin", "/etc/hostname", "..", ".", "", "a/b", "a\\b", "c:x", "a\0b", "a\nb"]
)
def test_only_names_beside_the_model_are_opened(name: str, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    path = saved(tmp_path / "inner", lambda root: setattr(root.external_buffer_groups[0], "name", name))
    (tmp_path / "weights.bin").write_bytes((tmp_path / "inner" / GROUP).read_bytes())
    with pytest.raises(FormatError, match="expected the name of a file beside the model, found") as caught:
        tc.load(path)
    assert len(caught.value.lines) == 1


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    path = saved(tmp_path / "inner")
    (tmp_path / "inner" / GROUP).rename(tmp_path / GROUP)
    (tmp_path / "inner" / GROUP).symlink_to(tmp_path / GROUP)
    with pytest.raises(UsageError, match=r"expected a regular file in the folder of .*m.tflite, found something else"):
        tc.load(path)


def test_a_folder_in_place_of_the_weights_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    (tmp_path / GROUP).unlink()
    with pytest.raises(UsageError, match=rf"{GROUP}: No such file or directory: .*m.tflite has its data there"):
        tc.load(path)
    (tmp_path / GROUP).mkdir()
    with pytest.raises(UsageError, match="expected a regular file"):
        tc.load(path)


def test_a_model_without_a_folder_has_no_files_beside_it(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with pytest.raises(UsageError, match=r"the model: its data is in the file 'weights.bin', expected beside it"):
        tc.load(path.read_bytes())
    archive = tmp_path / "m.zip"
    archive.write_bytes(zip_of({"m.tflite": path.read_bytes()}))
    with pytest.raises(UsageError, match=r"m.zip:m.tflite: its data is in the file 'weights.bin'"):
        tc.load(f"{archive}:m.tflite")


def _external_tensor(root: tflite.Model) -> tflite.Tensor:
    """Returns the first tensor with an external buffer."""
    return next(tensor for tensor in root.subgraphs[0].tensors if tensor.external_buffer)


FAULTS: dict[str, tuple[Callable[[tflite.Model], object], str]] = {
    "id": (
        lambda r: setattr(r.external_buffers[0], "id", 5),
        f"no external buffer has the id {FIRST_ID}",
    ),
    "twice": (lambda r: setattr(r.external_buffers[1], "id", FIRST_ID), f"the id {FIRST_ID} is another buffer's"),
    "group": (lambda r: setattr(r.external_buffers[0], "group", 3), "no group 3, there are 1"),
    "offset": (lambda r: setattr(r.external_buffers[0], "offset", 1 << 63), "an external buffer takes bytes"),
    "length": (lambda r: setattr(r.external_buffers[0], "length", (1 << 64) - 1), "an external buffer takes bytes"),
    "shorter": (lambda r: setattr(r.external_buffers[0], "length", 3), "expected 320 bytes for constant"),
    "two data": (
        lambda r: setattr(_external_tensor(r), "buffer", 2),
        "expected no other data beside an external buffer",
    ),
    "variable": (
        lambda r: setattr(_external_tensor(r), "is_variable", True),
        "expected no other data beside an external buffer, found a variable tensor",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_has_one_error(fault: str, tmp_path: Path) -> None:
    change, message = FAULTS[fault]
    path = saved(tmp_path, change)
    with pytest.raises(FormatError) as caught:
        tc.load(path)
    assert message in str(caught.value)
    assert len(caught.value.lines) == 1


def test_packed_weights_are_unsupported(tmp_path: Path) -> None:
    path = saved(tmp_path, lambda root: setattr(root.external_buffers[0], "packing", "zstd"))
    with pytest.raises(UnsupportedError, match="its bytes are packed as 'zstd', which is not supported"):
        tc.load(path)


# ** the other rows of schema 3d **


def blocks(**fields: Any) -> bytes:
    """Returns a layer whose int4 weights [2, 64] have a scale for each block of 32, and these fields of the details."""
    from support.tflite_models import Operator, Tensor, build

    weights = Tensor((2, 64), "int4", np.zeros((2, 64), np.int8), block_scales=np.ones((2, 2), np.float16))
    tensors = [Tensor((1, 64), name="x"), weights, Tensor((1, 2), name="y")]
    data = build(tensors, [Operator(tflite.BuiltinOperator.FULLY_CONNECTED, (0, 1, -1), (2,))], (0,), (2,))
    root = flatbuffer.read(tflite.Model, data, tflite.IDENTIFIER)
    quantization = root.subgraphs[0].tensors[1].quantization
    assert quantization is not None
    for name, value in fields.items():
        setattr(quantization.details, name, value)
    return written(root)


@pytest.mark.parametrize("fields", [{}, {"block_shape": (1, 32)}, {"block_shape": (1, 32), "block_size": 0}])
def test_a_shape_of_blocks_is_their_size(fields: dict[str, Any]) -> None:
    (weights,) = (op.result for op in parse(blocks(**fields)).main if op.result.type.quant)
    assert weights.type.quant is not None
    assert weights.type.quant.block == 32


@pytest.mark.parametrize("shape", [(2, 32), (32, 1), (1, 1, 32), (1, 16)])
def test_other_shapes_of_blocks_are_named(shape: tuple[int, ...]) -> None:
    with pytest.raises(UnsupportedError, match=r"expected blocks within a row, as in \[1, 32\], found blocks of"):
        parse(blocks(block_shape=shape))


def test_litert_ignores_the_quant_spec_of_a_layer(tmp_path: Path) -> None:
    root = flatbuffer.read(tflite.Model, INT8.read_bytes(), tflite.IDENTIFIER)
    (options,) = (
        op.builtin_options
        for op in root.subgraphs[0].operators
        if isinstance(op.builtin_options, tflite.FullyConnectedOptions)
    )
    options.quant_spec = (8, 1, 2, 3)
    path = tmp_path / "m.tflite"
    path.write_bytes(written(root))
    (layer,) = (op for op in tc.load(path).main if op.name == "tfl.fully_connected")
    assert layer.attributes["quant_spec"] == (8, 1, 2, 3)
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert tc.verify(path).verdict
    assert tc.verify(path, numerics="xnnpack", against=["litert-xnnpack"]).verdict
