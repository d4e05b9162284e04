"""MLIR bytecode is read as our text reader reads what `tosa-opt` prints for it, and written so that it prints it."""

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from support.commands import MODELS
from support.kernel_cases import COMBINATIONS, cases_of, graph_of
from support.mlir_texts import TEXTS, names, plain, printed, read, tosa_opt

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import ConverterError, FormatError, UnsupportedError
from tosa_converter.formats import encode, parse
from tosa_converter.formats.mlir.bytecode.emitter import PIECE
from tosa_converter.formats.mlir.bytecode.numbering import SPLAT
from tosa_converter.ir import Array, Graph, Model, Op, TensorType

VERSIONS = range(7)
EXTERNAL = (
    ',\n  external_resources: { foo: { bar: "0x04000000", b: true } }'  # tosa-opt can't read what it writes of it
)
GENERIC = ("--mlir-print-op-generic", "--mlir-print-debuginfo")

ELEMENTS = """
module {
  func.func @main(%arg0: tensor<1xi8> loc("where"("file"))) {
    %0 = "tosa.const"() <{values = dense<[true, false, true, true, false, false, true, false, true]> : tensor<9xi1>}>
      : () -> tensor<9xi1>
    %1 = "tosa.const"() <{values = dense<true> : tensor<10xi1>}> : () -> tensor<10xi1>
    %2 = "tosa.const"() <{values = dense<[[true], [true]]> : tensor<2x1xi1>}> : () -> tensor<2x1xi1>
    %3 = "tosa.const"() <{values = dense<false> : tensor<1xi1>}> : () -> tensor<1xi1>
    %4 = "tosa.const"() <{values = dense<[1, -2, 7]> : tensor<3xi4>}> : () -> tensor<3xi4>
    %5 = "tosa.const"() <{values = dense<-8> : tensor<3xi4>}> : () -> tensor<3xi4>
    %6 = "tosa.const"() <{values = dense<[1, -2, 70000000000]> : tensor<3xi48>}> : () -> tensor<3xi48>
    %7 = "tosa.const"() <{values = dense<1.5> : tensor<3xbf16>}> : () -> tensor<3xbf16>
    %8 = "tosa.const"() <{values = dense<[1.5, -2.0]> : tensor<2xf8E4M3FN>}> : () -> tensor<2xf8E4M3FN>
    %9 = "tosa.const"() <{values = dense<[1.5, -2.0]> : tensor<2xf8E5M2>}> : () -> tensor<2xf8E5M2>
    %10 = "tosa.const"() <{values = dense<[1.5, -2.0]> : tensor<2xf16>}> : () -> tensor<2xf16>
    %11 = "tosa.const_shape"() <{values = dense<[1, -2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %12 = "tosa.const"() <{values = dense_resource<key> : tensor<2xi16>}> : () -> tensor<2xi16>
    %13 = "tosa.const"() <{values = dense_resource<key> : tensor<4xi8>}> : () -> tensor<4xi8>
    %14 = "tosa.clamp"(%4) <{min_val = -3 : i4, max_val = 4 : i4}> : (tensor<3xi4>) -> tensor<3xi4>
    %15 = "tosa.clamp"(%10) <{min_val = -1.0 : f16, max_val = 0x7C00 : f16}> : (tensor<2xf16>) -> tensor<2xf16>
    %16 = "tosa.const"() <{values = dense<5> : tensor<5xi8>}> : () -> tensor<5x!quant.uniform<i8:f32, 0.5:3>>
    return loc(fused<["a", "b"]>["x", callsite("c" at "d"("e":1:2)), "f":3:4 to 5:6, "g":7:8 to :9])
  }
  func.func private @declared(tensor<?x2xf32>) -> tensor<?xi32>
}
{-# dialect_resources: {builtin: {key: "0x10000000FF000102"}} #-}
"""


def bytecode(text: str, *options: str) -> bytes:
    """Returns a text as bytecode of tosa-opt."""
    command = ["tosa-opt", "--emit-bytecode", *options]
    return subprocess.run(command, input=text.encode(), check=True, capture_output=True, timeout=120).stdout


def print_bytecode(data: bytes, folder: Path, *options: str) -> str:
    """Returns the text that tosa-opt prints for bytecode."""
    (folder / "m.mlirbc").write_bytes(data)
    command = ["tosa-opt", str(folder / "m.mlirbc"), *options]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def everything(model: Model) -> list[object]:
    """Returns what graphs consist of: operators, and the names and locations of operators and values."""
    located = [
        (op.location, [value.name for value in (*op.results, *(v for region in op.regions for v in region.inputs))])
        for graph in model.graphs.values()
        for op in graph.walk()
    ]
    graphs = [(name, plain(graph), list(names(graph))) for name, graph in model.graphs.items()]
    signatures = {
        name: [{key: value.name for key, value in side.items()} for side in (signature.inputs, signature.outputs)]
        for name, signature in model.signatures.items()
    }
    return [located, graphs, signatures, [note[1] for note in model.notes]]


def assert_same_as_text(data: bytes, folder: Path) -> None:
    """Asserts that bytecode is read as our text reader reads what tosa-opt prints for it."""
    assert everything(parse(data)) == everything(read(print_bytecode(data, folder, *GENERIC)))


@tosa_opt
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", [*TEXTS, "elements"])
def test_every_version_is_read_as_its_text(name: str, version: int, tmp_path: Path) -> None:
    text = {**TEXTS, "elements": ELEMENTS}[name].replace(EXTERNAL, "")
    assert_same_as_text(bytecode(text, f"--emit-bytecode-version={version}"), tmp_path)


@tosa_opt
@pytest.mark.parametrize("name", ["digits_int8", "loop_scan_float32", "small/lstm_stateful.dynamic"])
def test_models_with_their_names_are_read_as_their_text(name: str, tmp_path: Path) -> None:
    model = tc.convert(tc.load(MODELS / f"{name}.tflite"))
    text = b"".join(map(bytes, encode(model, ".mlir", debug=True))).decode()
    assert_same_as_text(bytecode(text), tmp_path)


@tosa_opt
def test_elements_of_each_type_have_their_values() -> None:
    ops = parse(bytecode(ELEMENTS)).main.ops
    values = [op.attributes["values"].tolist() for op in ops if "values" in op.attributes]
    assert values[0] == [True, False, True, True, False, False, True, False, True]
    assert values[1:4] == [[True] * 10, [[True], [True]], [False]]
    assert values[4:8] == [[1, -2, 7], [-8, -8, -8], [1, -2, 70000000000], [1.5, 1.5, 1.5]]
    assert values[8:14] == [[1.5, -2], [1.5, -2], [1.5, -2], [1, -2], [255, 513], [-1, 0, 1, 2]]
    assert (ops[14].attributes["min_val"], ops[14].attributes["max_val"]) == (-3, 4)
    assert (ops[15].attributes["min_val"], ops[15].attributes["max_val"]) == (-1, np.inf)


@tosa_opt
def test_elements_are_views_of_the_file() -> None:
    text = f'func.func @main() {{ %0 = "tosa.const"() <{{values = dense<{list(range(99))}> : tensor<99xi32>}}> : () -> '
    data = bytecode(text + "tensor<99xi32> return }")
    values = parse(data).main.ops[0].attributes["values"]
    assert np.shares_memory(values, np.frombuffer(data, np.uint8))
    assert values.tolist() == list(range(99))


@tosa_opt
def test_resources_of_other_tools_are_passed_over() -> None:
    """Those of no bytes have an alignment of 0, which tosa-opt writes and doesn't read."""
    text = TEXTS["attributes"]
    assert EXTERNAL in text
    assert plain(parse(bytecode(text)).main) == plain(parse(bytecode(text.replace(EXTERNAL, ""))).main)


@tosa_opt
def test_a_file_is_told_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_bytes(bytecode(TEXTS["control"]))
    model = tc.load(tmp_path / "m.mlir")
    assert plain(model.main) == plain(read(printed(TEXTS["control"])).main)
    assert model.source == str(tmp_path / "m.mlir")


# ** written **


def encoded(model: Model, *, debug: bool = False) -> bytes:
    return b"".join(map(bytes, encode(model, ".mlirbc", debug=debug)))


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_written_is_read_again(name: str) -> None:
    model = read(TEXTS[name])
    reread = parse(encoded(model, debug=True))
    assert everything(reread)[:3] == everything(model)[:3]
    assert encoded(reread, debug=True) == encoded(model, debug=True)


@tosa_opt
@pytest.mark.parametrize("name", TEXTS)
def test_tosa_opt_reads_what_is_written(name: str, tmp_path: Path) -> None:
    model = read(TEXTS[name])
    text = print_bytecode(encoded(model, debug=True), tmp_path, *GENERIC)
    assert everything(read(text))[:3] == everything(model)[:3]


@tosa_opt
@pytest.mark.parametrize("name", ["digits_int8", "signatures_int8", "loop_gru_float32", "small/lstm_stateful.dynamic"])
@pytest.mark.parametrize("debug", [False, True])
def test_tosa_opt_reads_models(name: str, debug: bool, tmp_path: Path) -> None:
    model = tc.convert(tc.load(MODELS / f"{name}.tflite"))
    data = encoded(model, debug=debug)
    assert data == encoded(model, debug=debug)
    text = read(b"".join(map(bytes, encode(model, ".mlir", debug=debug))).decode())
    assert everything(read(print_bytecode(data, tmp_path, *GENERIC))) == everything(text)
    assert_same_as_text(data, tmp_path)


@tosa_opt
def test_tosa_opt_reads_each_operator(tmp_path: Path) -> None:
    """One case of each operator, as a function of one module."""
    rng = np.random.default_rng(5)
    graphs: dict[str, Graph] = {}
    for row, types in COMBINATIONS:
        if row.name not in graphs:
            graphs[row.name] = graph_of(row, next(cases_of(row, types, rng)))[0]
            graphs[row.name].name = row.name
    assert len(graphs) > 60
    model = Model(graphs)
    text = read(print_bytecode(encoded(model), tmp_path))
    assert {name: plain(graph) for name, graph in text.graphs.items()} == {
        name: plain(graph) for name, graph in graphs.items()
    }


TYPES = [DType.BOOL, DType.I4, DType.I8, DType.I48, DType.BF16, DType.FP32, DType.FP8E4M3, DType.FP8E5M2]


def constant(values: Array, dtype: DType) -> Model:
    """Returns a graph that returns one constant."""
    op = Op("tosa.const", (), [TensorType(dtype, values.shape)], {"values": values}, result_names=["y"])
    return Model({"main": Graph("main", [], [op.result], [op])})


@tosa_opt
@pytest.mark.parametrize("dtype", TYPES)
def test_tosa_opt_reads_elements(dtype: DType, tmp_path: Path) -> None:
    """Those of one array are equal, which MLIR keeps as one."""
    for size in (1, 3, 8, 9):
        for values in (np.arange(size) % 2, np.zeros(size), np.ones(size)):
            model = constant(values.astype(dtype.numpy), dtype)
            text = print_bytecode(encoded(model), tmp_path)
            assert plain(read(text).main) == plain(model.main)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [1, 7, 8, 9, SPLAT, 8 * PIECE + 5])
def test_elements_of_all_sizes(dtype: DType, size: int) -> None:
    values = np.random.default_rng(size).integers(0, 2, size).astype(dtype.numpy)
    for whole in (values, np.zeros_like(values), np.ones_like(values)):
        if size <= SPLAT or whole is values:
            reread = parse(encoded(constant(whole, dtype))).main.ops[0].attributes["values"]
            assert reread.dtype == whole.dtype
            assert reread.tobytes() == whole.tobytes()


def test_equal_elements_stand_once() -> None:
    weights = np.random.default_rng(0).standard_normal(SPLAT).astype(np.float32)
    graphs = [constant(part, DType.FP32).main for part in (weights, weights.copy(), weights[::-1])]
    for i, graph in enumerate(graphs):
        graph.name = f"graph{i}"
    data = encoded(Model({graph.name: graph for graph in graphs}))
    assert data.count(weights.tobytes()) == 1
    assert 2 * weights.nbytes < len(data) < 2.1 * weights.nbytes


def test_elements_are_not_copied() -> None:
    weights = np.random.default_rng(0).standard_normal(SPLAT).astype(np.float32)
    pieces = encode(constant(weights, DType.FP32), ".mlirbc")
    assert any(np.shares_memory(np.frombuffer(piece, np.uint8), weights) for piece in pieces if len(piece) > SPLAT)


# ** IREE, which is of another release of MLIR **

iree = pytest.mark.skipif(shutil.which("iree-opt") is None, reason="IREE is not installed: pip install '.[iree]'")


@iree
@pytest.mark.parametrize("name", ["digits_int8", "small/keywords.float32"])
def test_iree_computes_what_is_written(name: str, tmp_path: Path) -> None:
    """The second model has variables, whose properties IREE 3.13 and tosa-opt 2026.8 list in different orders."""
    model = tc.convert(tc.load(MODELS / f"{name}.tflite"))
    tc.save(model, tmp_path / "m.mlirbc")
    (x,) = model.main.inputs
    values = np.random.default_rng(0).integers(-20, 20, x.type.static).astype(x.type.dtype.numpy)
    np.save(tmp_path / "x.npy", values)
    target = ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host"]
    compilation = ["iree-compile", "--iree-input-type=tosa", *target, "m.mlirbc", "-o", "m.vmfb"]
    run = ["iree-run-module", "--module=m.vmfb", "--device=local-sync", f"--function={model.main.name}"]
    for command in (compilation, [*run, "--input=@x.npy", "--output=@y.npy"]):
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
        assert done.returncode == 0, done.stderr
    (expected,) = tc.run(model, {x.name: values}).values()
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), expected, rtol=0 if name == "digits_int8" else 1e-4)


@iree
@pytest.mark.parametrize("name", ["digits_int8", "small/keywords.float32", "small/detections.float32"])
def test_what_iree_writes_is_read(name: str, tmp_path: Path) -> None:
    """CAST and variables have a property more than in tosa-opt 2026.8."""
    model = tc.convert(tc.load(MODELS / f"{name}.tflite"))
    tc.save(model, tmp_path / "m.mlir")
    command = ["iree-opt", "--emit-bytecode", f"{tmp_path}/m.mlir", "-o", f"{tmp_path}/m.mlirbc"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    reread = tc.load(tmp_path / "m.mlirbc")
    assert everything(reread) == everything(tc.load(tmp_path / "m.mlir"))


@iree
def test_a_cast_of_another_specification_is_refused(tmp_path: Path) -> None:
    cast = '"tosa.cast"(%0) <{input_unsigned = true}> : (tensor<2xi8>) -> tensor<2xf32>'
    (tmp_path / "m.mlir").write_text(f"func.func @main(%0: tensor<2xi8>) {{ %1 = {cast} return }}")
    command = ["iree-opt", "--emit-bytecode", f"{tmp_path}/m.mlir"]
    data = subprocess.run(command, check=True, capture_output=True, timeout=120).stdout
    with pytest.raises(UnsupportedError, match=r"tosa\.cast with input_unsigned: not part of TOSA 1\.0"):
        parse(data)


# ** refused **

REFUSED = [
    ('func.func @f() { "x.y"() : () -> () return }', UnsupportedError, "x.y is not an operator of TOSA 1.0"),
    ('"x.y"() : () -> ()', UnsupportedError, "x.y is not an operator of TOSA 1.0"),
    ("func.func @f(%arg0: tensor<*xf32>) { return }", FormatError, "function_type of tensors"),
    ("func.func @f(%arg0: f32) { return }", FormatError, "function_type of tensors"),
    ("func.func private @f()", FormatError, "a function with a body, found none"),
    (
        'func.func @f() { %0 = "tosa.const"() <{values = dense_resource<k> : tensor<1xi8>}> : () -> tensor<1xi8> '
        "return }",
        FormatError,
        "a resource 'k' with its content, found none",
    ),
    (
        "func.func @f(%a: tensor<i1>, %b: tensor<1xi8>) -> tensor<1xi8> { %0 = tosa.cond_if %a : tensor<i1> -> "
        "tensor<1xi8> { tosa.yield %b : tensor<1xi8> } else { tosa.yield %b : tensor<1xi8> } "
        "return %0 : tensor<1xi8> }",
        FormatError,
        "a value that is made before it is used, in the same region",
    ),
]


@tosa_opt
@pytest.mark.parametrize(("text", "kind", "message"), REFUSED, ids=[row[2] for row in REFUSED])
def test_what_tosa_lacks_is_refused(text: str, kind: type[ConverterError], message: str) -> None:
    with pytest.raises(kind, match=message):
        parse(bytecode(text, "--allow-unregistered-dialect"))


@tosa_opt
@pytest.mark.parametrize("name", ["control", "variables"])
def test_every_changed_byte_is_read_or_refused(name: str) -> None:
    """The table of test_every_byte.py has files of version 4; those of version 6 have properties."""
    data = bytecode(TEXTS[name])
    outcomes = Counter(
        _outcome(data[:i] + bytes([data[i] ^ bit]) + data[i + 1 :]) for i in range(len(data)) for bit in BITS
    )
    assert outcomes["FormatError"] > len(data)
    assert outcomes.keys() <= {"read", "FormatError", "UnsupportedError"}


BITS = (1, 2, 0x80, 0xFF)


def _outcome(data: bytes) -> str:
    """Returns `read`, or the name of the error; other errors than a converter's are raised."""
    try:
        parse(data)
    except ConverterError as error:
        return type(error).__name__
    return "read"


@tosa_opt
def test_a_newer_version_is_refused() -> None:
    data = bytearray(bytecode(TEXTS["control"]))
    data[4] = 7 << 1 | 1
    with pytest.raises(UnsupportedError, match="version 7; this reader knows 0 to 6"):
        parse(bytes(data))
