"""`--constants inputs`: a `.tosa` whose constants are inputs with their elements in an `.npz` beside it."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.commands import INT8, MODELS, command, unwrapped

import tosa_converter as tc
from tosa_converter import formats
from tosa_converter.engines import ENGINES
from tosa_converter.errors import ConverterError, FormatError, UnsupportedError
from tosa_converter.formats import capacity
from tosa_converter.formats.table import BY_ENDING
from tosa_converter.formats.tosa.weights import path_of_weights, split_constants
from tosa_converter.ir import Graph, Model, Op, TensorType, Value

FLOAT = MODELS / "digits_float32.tflite"
SIGNATURES = MODELS / "signatures_int8.tflite"


def written(model: Any, folder: Path) -> Path:
    """Writes a model with its constants as inputs, and returns the path of the `.tosa`."""
    path = folder / "m.tosa"
    tc.save(tc.convert(model), path, constants="inputs")
    return path


def image(dtype: str) -> Any:
    return np.random.default_rng(29).integers(-100, 100, (1, 8, 8, 1)).astype(dtype)


@pytest.mark.parametrize(("source", "dtype"), [(INT8, "int8"), (FLOAT, "float32")])
def test_weights_beside_a_file_are_its_constants(source: Path, dtype: str, tmp_path: Path) -> None:
    path = written(source, tmp_path)
    embedded = tmp_path / "e.tosa"
    tc.save(tc.convert(source), embedded)
    assert path.stat().st_size < embedded.stat().st_size
    models = [tc.load(path), tc.load(embedded)]
    assert [[value.name for value in model.main.inputs] for model in models] == [["image"]] * 2
    assert [*models[0].signatures] == [*models[1].signatures]
    first, second = (tc.run(model, image(dtype)) for model in models)
    assert all(np.array_equal(first[name], second[name]) for name in second)
    assert any("constants are in" in text for _, text in models[0].notes)


def test_another_reader_takes_the_constants_as_inputs(tmp_path: Path) -> None:
    """The reference model reads the file, and gets from the archive what numpy reads in it."""
    if ENGINES["tosa-reference-model"].missing():
        pytest.skip("the reference model is not installed")
    path = written(INT8, tmp_path)
    alone = tmp_path / "alone.tosa"
    shutil.copy(path, alone)
    with np.load(path_of_weights(path)) as archive:
        weights = {name: archive[name] for name in archive.files}
    model = tc.load(alone)
    assert [value.name for value in model.main.inputs] == ["image", *weights]
    (actual,) = ENGINES["tosa-reference-model"].run(model, {"image": image("int8"), **weights}).values()
    (expected,) = tc.run(tc.convert(INT8), image("int8")).values()
    assert np.array_equal(actual, expected)


def test_commands_take_both_files_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.tosa"
    assert command(FLOAT, "-o", path, "--constants", "inputs") == 0
    assert str(path_of_weights(path)) in capsys.readouterr().out.replace("\n             ", "")
    assert command("verify", FLOAT, path) == 0
    np.save(tmp_path / "x.npy", image("float32"))
    assert command("run", path, "--input", tmp_path / "x.npy") == 0
    capsys.readouterr()
    assert command("inspect", path) == 0
    assert "note: " in capsys.readouterr().out


def test_what_tosa_needs_at_compile_time_stays() -> None:
    model, arrays = split_constants(tc.convert(INT8))
    assert arrays
    for op in model.main.ops:
        assert op.row is not None
        for value, row in zip(op.inputs, op.row.inputs, strict=False):
            assert not row.ctc or value is None or value.constant is not None
    tc.check(model)


def test_signatures_share_their_weights(tmp_path: Path) -> None:
    path = written(SIGNATURES, tmp_path)
    with np.load(path_of_weights(path)) as archive:
        contents = [archive[name].tobytes() for name in archive.files]
    assert len(set(contents)) == len(contents)
    loaded, converted = tc.load(path), tc.convert(SIGNATURES)
    assert list(loaded.graphs) == list(converted.graphs)
    assert command("verify", SIGNATURES, path) == 0


@pytest.mark.parametrize("name", ["", "a/b;c:0", "x", "a\0b", "Größe", "image"])
def test_names_of_constants_are_free(name: str, tmp_path: Path) -> None:
    type = TensorType(tc.DType.FP32, (32,))
    x = Value(type, "x")
    constants = [
        Op("tosa.const", (), [type], {"values": np.full(32, i, np.float32)}, result_names=[name]) for i in range(2)
    ]
    first = Op("tosa.add", [x, constants[0].result], [type], result_names=["first"])
    second = Op("tosa.add", [first.result, constants[1].result], [type], result_names=["y"])
    model = Model({"main": Graph("main", [x], [second.result], [*constants, first, second])})
    path = tmp_path / "m.tosa"
    tc.save(model, path, constants="inputs")
    (y,) = tc.run(tc.load(path), np.ones(32, np.float32)).values()
    assert np.array_equal(y, np.full(32, 2, np.float32))


def test_other_formats_and_streams_have_no_weights_beside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for output in ("m.spv", "m.vgf", "m.mlir", "m.tflite"):
        assert command(FLOAT, "-o", tmp_path / output, "--constants", "inputs") == 2
        assert "expected an output ending in .tosa" in unwrapped(capsys.readouterr().err)
    assert command(FLOAT, "-o", "-", "--format", "tosa", "--constants", "inputs") == 2
    assert "expected -o FILE.tosa" in unwrapped(capsys.readouterr().err)
    assert command(FLOAT, "-o", tmp_path / "m.tosa", "--constants", "elsewhere") == 2
    assert "elsewhere" in unwrapped(capsys.readouterr().err)


def test_an_archive_of_an_earlier_file_stays_unused(tmp_path: Path) -> None:
    path = written(FLOAT, tmp_path)
    tc.save(tc.convert(INT8), path)
    assert path_of_weights(path).exists()
    assert tc.load(path).main.inputs[0].type.dtype is tc.DType.I8


def changed(path: Path, change: Any) -> None:
    """Writes the archive of a file anew, with changed arrays."""
    beside = path_of_weights(path)
    with np.load(beside) as archive:
        arrays = {name: archive[name] for name in archive.files}
    change(arrays)
    np.savez(beside, **arrays)


def test_faults_of_the_archive_have_one_error(tmp_path: Path) -> None:
    path = written(FLOAT, tmp_path)
    changed(path, lambda arrays: arrays.update(elsewhere=np.zeros(3)))
    with pytest.raises(
        FormatError, match=r"expected arrays for inputs of .*, found one for 'elsewhere', which is none"
    ):
        tc.load(path)
    changed(path, lambda arrays: [arrays.pop("elsewhere"), arrays.update({min(arrays): np.zeros(3)})])
    with pytest.raises(FormatError, match=r"\.weights\.npz: .*: expected \{.*\} and .* bytes, found"):
        tc.load(path)
    beside = path_of_weights(path)
    beside.write_bytes(b"PK\x03\x04" + bytes(40))
    with pytest.raises(FormatError, match=r"expected an .npz file"):
        tc.load(path)


def test_every_byte_of_the_archive_ends_in_our_errors(tmp_path: Path) -> None:
    type = TensorType(tc.DType.FP32, (16,))
    x = Value(type, "x")
    constant = Op("tosa.const", (), [type], {"values": np.arange(16, dtype=np.float32)}, result_names=["w"])
    total = Op("tosa.add", [x, constant.result], [type], result_names=["y"])
    path = tmp_path / "m.tosa"
    tc.save(Model({"main": Graph("main", [x], [total.result], [constant, total])}), path, constants="inputs")
    beside = path_of_weights(path)
    data = beside.read_bytes()
    read = refused = 0
    for place in range(len(data)):
        beside.write_bytes(data[:place] + bytes([data[place] ^ 0x81]) + data[place + 1 :])
        try:
            tc.load(path)
            read += 1
        except ConverterError:
            refused += 1
    assert read > 50
    assert refused > 50


# ** the estimate of a written file **


def test_a_format_without_room_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    size = capacity.constant_bytes(tc.load(FLOAT))
    assert 20000 < size < FLOAT.stat().st_size
    rows = {ending: row._replace(most=min(row.most, 20000)) for ending, row in BY_ENDING.items()}
    monkeypatch.setattr("tosa_converter.formats.BY_ENDING", rows)
    monkeypatch.setattr("tosa_converter.cli.conversion.convert_model", lambda *_, **__: pytest.fail("it converts"))
    assert command(FLOAT, "-o", tmp_path / "m.tflite") == 4
    first, last = unwrapped(capsys.readouterr().err).splitlines()
    assert "its constants need about 0.0 GB, and a .tflite holds 0.0 GB at most" in first
    assert "write a .tosa, .spv, .vgf, .mlir or .mlirbc" in last
    with pytest.raises(UnsupportedError, match=r"and a .tflite holds"):
        tc.save(tc.load(FLOAT), tmp_path / "m.tflite")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("weights", ["expanded", "stored"])
@pytest.mark.parametrize(
    "name", ["llama.float32", "llama.weight_only_wi4_afp32", "llama_hf.dynamic_wi8_afp32", "whisper.float32"]
)
def test_the_estimate_is_close_to_what_is_written(name: str, weights: str) -> None:
    """A conversion has scales and tables besides, which are much of these small models."""
    source = tc.load(MODELS / "language" / f"{name}.tflite")
    pieces = formats.encode(tc.convert(source, weights=weights), ".tosa")
    written_bytes = capacity.constant_bytes(formats.parse(b"".join(map(bytes, pieces))))
    estimate = capacity.estimate_bytes(source, stored=weights == "stored")
    assert 0.9 * written_bytes < estimate <= written_bytes


def test_a_large_size_is_printed_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tosa_converter.cli.sources.LARGE", 20000)
    assert command(FLOAT, "-o", tmp_path / "m.tosa", "--json") == 0
    assert unwrapped(capsys.readouterr().err).endswith("m.tosa: about 21.7 KB to write\n")
    assert command(FLOAT, "-o", tmp_path / "m.mlir", "--json") == 0
    assert unwrapped(capsys.readouterr().err).endswith("m.mlir: about 43.5 KB to write\n")


def test_a_full_disk_is_found_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tosa_converter.cli.sources.LARGE", 20000)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1000))
    monkeypatch.setattr("tosa_converter.cli.conversion.convert_model", lambda *_, **__: pytest.fail("it converts"))
    assert command(FLOAT, "-o", tmp_path / "folder" / "m.tosa") == 2
    assert "m.tosa: about 21.7 KB to write, and 1000 B free in" in unwrapped(capsys.readouterr().err)
    assert not list(tmp_path.iterdir())


def test_memory_that_constants_share_is_counted_once() -> None:
    elements = np.zeros(1000, np.int8)
    type = TensorType(tc.DType.I8, (1000,))
    constants = [Op("tosa.const", (), [type], {"values": elements}) for _ in range(3)]
    constants.append(Op("tosa.const", (), [type], {"values": elements.copy()}))
    graph = Graph("main", [], [op.result for op in constants], constants)
    assert capacity.constant_bytes(Model({"main": graph})) == 2000


def test_inspect_converts_no_gigabytes_of_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tosa_converter.inspection.MOST_CONVERTED", 1000)
    assert str(tc.inspect(INT8).needs).startswith("not determined for 0.0 GB of quantized constants")
    assert str(tc.inspect(FLOAT).needs) == "PRO-FP"
