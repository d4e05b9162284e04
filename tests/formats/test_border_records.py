"""Files keep the record of a source's borders: other readers of each format judge, and damaged records are ignored."""

import importlib.util
import random
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.commands import INT8, MODELS
from support.spirv_tools import spirv_tools, tool
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.engines import engine_named
from tosa_converter.formats import encode, parse
from tosa_converter.formats.borders import MARK, MAX_TEXT, attach_borders, encode_borders
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Border, Quant, Signature, TensorType
from tosa_converter.schemas.tflite import BuiltinOperator as B

UINT8 = MODELS / "small" / "detector.uint8_io.tflite"
ENDINGS = [".tosa", ".mlir", ".mlirbc", ".spv", pytest.param(".vgf", marks=pytest.mark.skipif(
    importlib.util.find_spec("vgfpy") is None, reason="ai-ml-sdk-vgf-library is not installed"
))]  # fmt: skip


def described(model: tc.Model) -> list[tuple[str, DType, Quant | None]]:
    """Returns the source's description of inputs and outputs, as a file states it."""
    borders = [model.border(value) for value in (*model.main.inputs, *model.main.outputs)]
    return [(border.name, border.type.dtype, border.type.quant) for border in borders if border is not None]


def own(model: tc.Model) -> list[tuple[str, DType, Quant | None]]:
    """Returns a TFLite file's own description of its inputs and outputs."""
    values = *model.main.inputs, *model.main.outputs
    return [(value.name, value.type.dtype, value.type.quant) for value in values]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("path", [INT8, UINT8, MODELS / "signatures_int8.tflite"], ids=lambda path: path.stem)
def test_every_format_keeps_the_sources_borders(path: Path, ending: str, tmp_path: Path) -> None:
    source = tc.load(path)
    source = tc.selected(source, next(iter(source.signatures)))
    tosa = tmp_path / f"m{ending}"
    tc.save(tc.convert(source), tosa)
    back = tc.load(tosa)
    assert described(back) == own(source)
    assert {name: (list(s.inputs), list(s.outputs)) for name, s in back.signatures.items()} == {
        name: (list(s.inputs), list(s.outputs)) for name, s in source.signatures.items()
    }
    assert not back.notes
    rewritten = tmp_path / f"again{ending}"
    tc.save(back, rewritten)
    assert rewritten.read_bytes() == tosa.read_bytes()


def test_state_and_layouts_are_kept() -> None:
    stateful = tc.convert(MODELS / "small" / "lstm_stateful.dynamic.tflite", state="io")
    back = parse(b"".join(map(bytes, encode(stateful, ".tosa"))))
    pairs = [(state.input, state.output) for state in stateful.states["main"]]
    assert [(state.input, state.output) for state in back.states["main"]] == pairs
    assert pairs
    turned = tc.convert(tc.with_borders(UINT8, io_layouts={"image": "nchw"}))
    back = parse(b"".join(map(bytes, encode(turned, ".tosa"))))
    border = back.border(back.main.inputs[0])
    assert border is not None
    assert (border.type.shape, border.permutation) == ((1, 64, 64, 3), (0, 3, 1, 2))
    assert back.main.inputs[0].type.shape == (1, 3, 64, 64)


def test_the_reference_model_runs_a_file_with_a_record() -> None:
    pytest.importorskip("tosa_reference_model", reason="the judge is tosa-tools")
    source = tc.load(INT8)
    tosa = tc.convert(source)
    assert MARK.encode() in b"".join(map(bytes, write_tosa(tosa)))  # the engine passes on this file
    (image,) = tc.random_inputs(source, seed=0, input_shapes={"image": (1, 8, 8, 1)}).values()
    inputs = {tosa.main.inputs[0].name: image}
    (output,) = engine_named("tosa-reference-model").run(tosa, inputs).values()
    np.testing.assert_array_equal(output, next(iter(tc.run(tosa, inputs).values())))


@pytest.mark.skipif(shutil.which("tosa-opt") is None, reason="the judge is tosa-tools")
def test_tosa_opt_keeps_the_record_of_mlir_and_reads_flatbuffers_with_one(tmp_path: Path) -> None:
    tosa = tc.convert(UINT8)
    for ending in (".mlir", ".tosa"):
        tc.save(tosa, tmp_path / f"m{ending}")
    for words in (["m.mlir"], ["m.mlir", "--mlir-print-op-generic"]):
        done = subprocess.run(["tosa-opt", *words], cwd=tmp_path, capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert described(parse(done.stdout)) == own(tc.load(UINT8))
    word = "--tosa-deserialize=tosa-flatbuffer-filename=m.tosa"
    done = subprocess.run(["tosa-opt", word, "/dev/null"], cwd=tmp_path, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert b"tosa.conv2d" in done.stdout


@spirv_tools
def test_spirv_val_accepts_a_module_with_a_record(tmp_path: Path) -> None:
    tc.save(tc.convert(UINT8), tmp_path / "m.spv")
    words = [str(tool("spirv-val")), "--target-env", "vulkan1.3", str(tmp_path / "m.spv")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


# ** stale and damaged records **


def record_of(data: bytes) -> bytes:
    """Returns the record in a `.tosa`."""
    begin = data.index(MARK.encode())
    return data[begin : data.index(b"\0", begin)]


def note(data: bytes) -> str:
    """Returns the reader's note on a record that it ignores; the graph is the same without the record."""
    model = parse(data)
    assert not model.borders
    assert list(model.signatures) == ["main"]
    (first_note,) = model.notes
    assert first_note[0] == "graph 'main'"
    return first_note[1]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b'"name":"image"', b'"name":"imago"', "other inputs"),
        (b'"shape":[-1,8,8,1]', b'"shape":[-1,8,9,1]', "is i8[1x8x8x1] in the graph and"),
        (b'"type":"i8"', b'"type":"i4"', "is i8[1x8x8x1] in the graph and"),
        (b'"type":"i8"', b'"type":"x8"', "element type"),
        (b'"zero_point":[-128]', b'"zero_point":[1e28]', "integer"),
        (b'"scale":[0.003921568859368563]', b'"scale":[0.003921568859368564]', "scale of 32 bits"),
        (b'"scale":[0.003921568859368563]', b'"scale":[             NaN]   '[:30], "scale"),
        (b'"outputs"', b'"outputz"', "expected fields"),
        (b"}]", b"}}", "JSON"),
        (b'[["serving_default"', b'[["serving\\u0000d"', None),
        (b'[["image","image"]]', b'[["image","imago"]]', "no inputs"),
    ],
)
def test_a_stale_or_damaged_record_is_ignored_with_a_note(old: bytes, new: bytes, reason: str | None) -> None:
    data = b"".join(map(bytes, write_tosa(tc.convert(INT8))))
    assert old in data
    changed = data.replace(old, new.ljust(len(old)), 1)
    assert len(changed) == len(data)
    if reason is None:
        parse(changed)
    else:
        assert reason in note(changed)


def test_random_damage_to_a_record_never_hurts_the_graph() -> None:
    data = b"".join(map(bytes, write_tosa(tc.convert(UINT8))))
    begin = data.index(MARK.encode()) + len(MARK)
    size = len(record_of(data)) - len(MARK)
    draw = random.Random(0)
    ignored = 0
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(draw.choice((1, 2, 8))):
            at = begin + draw.randrange(size)
            changed[at] = draw.choice(b'[]{}",:0123456789.-eEaf\\u \x01\x1f')
        model = parse(bytes(changed))
        assert len(model.main) == 85
        ignored += bool(model.notes)
    assert ignored > 200


@pytest.mark.parametrize("text", ["[" * 100_000, "1" * 100_000, '{"inputs":' + "9" * 5000 + "}", "{}" * MAX_TEXT, '"'])
def test_hostile_json_is_ignored(text: str) -> None:
    tosa = tc.convert(INT8)
    tosa.borders.clear()
    tosa.signatures.clear()
    tosa.main.ops[0].location = f"here{MARK}{text}"
    model = parse(b"".join(map(bytes, write_tosa(tosa))))
    assert "is ignored" in model.notes[0][1]
    assert len(model.notes[0][1]) < 400
    assert model.main.ops[0].location == "here"


@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_a_record_has_up_to_its_largest_size(beyond: int) -> None:
    """The record is read with spaces behind it, and written with a long name."""
    tosa = tc.convert(INT8)
    record = encode_borders(tosa, tosa.main, tosa.caller_names(tosa.main))
    size = len(record) - len(MARK)
    read = parse(b"".join(map(bytes, write_tosa(tosa))))
    read.borders.clear()
    read.signatures = {read.main.name: Signature.of(read.main)}
    attach_borders(read, read.main, record + " " * (MAX_TEXT - size + beyond))
    assert bool(read.borders) == (beyond <= 0)
    assert bool(read.notes) == (beyond > 0)
    value = tosa.main.inputs[0]
    border = tosa.borders[value]
    tosa.borders[value] = border._replace(name=border.name + "x" * (MAX_TEXT - size + beyond))
    written = encode_borders(tosa, tosa.main, tosa.caller_names(tosa.main))
    assert len(written) == (len(MARK) + MAX_TEXT + beyond if beyond <= 0 else 0)


def test_a_location_that_looks_like_a_record_comes_back() -> None:
    tosa = tc.convert(INT8)
    tosa.main.ops[0].location = f"a {MARK}{{}}"
    model = parse(b"".join(map(bytes, write_tosa(tosa))))
    assert model.main.ops[0].location == f"a {MARK}{{}}"
    assert described(model) == own(tc.load(INT8))


@pytest.mark.parametrize("name", ['#borders:1 {"a"', 'q"\\', "\N{GREEK SMALL LETTER ALPHA}\N{GRINNING FACE}", "\x01\n"])
def test_names_of_any_characters_come_back(name: str) -> None:
    tensors = [Tensor((1, 4), "int8", scale=0.1, name=name), Tensor((1, 4), "int8", scale=0.1, name="y")]
    source = parse(build(tensors, [Operator(B.ABS, (0,), (1,))], (0,), (1,)))
    back = parse(b"".join(map(bytes, write_tosa(tc.convert(source)))))
    assert described(back) == own(source)


def test_a_border_that_no_record_can_hold_is_left_out() -> None:
    tosa = tc.convert(INT8)
    value = tosa.main.inputs[0]
    tosa.borders[value] = Border("x", TensorType(DType.I8, value.type.shape, Quant((float("inf"),), (0,))))
    model = parse(b"".join(map(bytes, write_tosa(tosa))))
    assert not model.borders
    assert not model.notes


def test_a_record_that_names_a_state_twice_is_ignored() -> None:
    """Otherwise, one input would count as two."""
    model = tc.convert(MODELS / "small" / "keywords.int8.tflite", state="io")
    graph = model.main.name
    model.states = {graph: (*model.states[graph], model.states[graph][0])}
    loaded = tc.load(b"".join(map(bytes, write_tosa(model))))
    assert [text for _, text in loaded.notes] == [
        "its record of the source's borders is ignored: expected each state once"
    ]
    assert tc.inspect(loaded).notes == tuple(loaded.notes)
