"""Draws well-formed files of every format, which the mutations damage."""

import io
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
from support.cases.sketch import Sketch
from support.containers import litertlm_of, section, zip_of
from support.kernel_cases import COMBINATIONS, cases_of, graph_of
from support.mlir_texts import OPEN_TEXTS, TEXTS
from support.random_models import grow
from support.spirv_cases import CASES
from support.tflite_models import Operator, Tensor, build
from support.xnnpack_cases import GROUPS, PROGRAMS, cases
from support.xnnpack_graphs import official_graph

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.formats import encode, parse
from tosa_converter.formats.mlir.bytecode.writer import encode_bytecode
from tosa_converter.formats.mlir.writer import write_mlir
from tosa_converter.formats.spirv.constants import save_spirv
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.schemas.tflite import BuiltinOperator as B

MODELS = Path(__file__).parents[2] / "models"
Files = dict[str, bytes]  # by name; the first is the one to read
FLAG, NUMBER = TensorType(DType.BOOL, (1,)), TensorType(DType.I32, (1,))


def tflite(rng: np.random.Generator) -> bytes:
    """Returns a model of this repository, or a random one."""
    if not rng.integers(8):
        return (MODELS / f"digits_{('int8', 'float32')[rng.integers(2)]}.tflite").read_bytes()
    dtype = ("int8", "float32", "uint8")[rng.integers(3)]
    sketch = Sketch(int(rng.integers(200)), dtype, unknown_batch=bool(rng.integers(2)))
    return grow(sketch, int(rng.integers(3, 7))).finish()[0]


def model(rng: np.random.Generator) -> Model:
    """Returns a TOSA model: converted, of one operator, or of control flow and variables."""
    kind = rng.integers(4)
    if kind == 0:
        return tc.convert(parse(tflite(rng)))
    if kind == 1:
        return Model({"main": control_flow(rng)})
    row, types = COMBINATIONS[rng.integers(len(COMBINATIONS))]
    cases = list(cases_of(row, types, rng))
    return Model({"main": graph_of(row, cases[rng.integers(len(cases))], run_time=() if kind == 2 else None)[0]})


def control_flow(rng: np.random.Generator, depth: int = 3) -> Graph:
    """Returns nested loops and branches around a variable."""
    names = iter(f"region{i}" for i in range(1000))
    main = _body(rng, "main", names, depth)
    variable = {"name": "state", "var_shape": (1,), "type": DType.I32, "initial_value": np.ones(1, np.int32)}
    read = Op("tosa.variable_read", (), [NUMBER], {"name": "state"}, result_names=["read"])
    write = Op("tosa.variable_write", [main.inputs[0]], (), {"name": "state"})
    main.ops[:0] = [Op("tosa.variable", (), (), variable), read, write]
    main.outputs.append(read.result)
    return main


def _body(rng: np.random.Generator, name: str, names: Iterator[str], depth: int) -> Graph:
    """Returns a graph from one number to one number."""
    x = Value(NUMBER, f"{name}_x")
    step = Op("tosa.const", (), [NUMBER], {"values": np.array([3], np.int32)}, result_names=[f"{name}_step"])
    total = Op("tosa.add", [x, step.result], [NUMBER], result_names=[f"{name}_sum"])
    ops = [step, total]
    if depth and rng.integers(3):
        limit = Op("tosa.const", (), [NUMBER], {"values": np.array([50], np.int32)}, result_names=[f"{name}_limit"])
        below = Op("tosa.greater", [limit.result, total.result], [FLAG], result_names=[f"{name}_below"])
        inner = _body(rng, next(names), names, depth - 1)
        if rng.integers(2):
            other = _body(rng, next(names), names, depth - 1)
            regions, operands = (inner, other), [below.result, total.result]
            last = Op("tosa.cond_if", operands, [NUMBER], regions=regions, result_names=[f"{name}_if"])
        else:
            regions = (_condition(next(names)), inner)
            last = Op("tosa.while_loop", [total.result], [NUMBER], regions=regions, result_names=[f"{name}_loop"])
        ops += [limit, below, last]
    return Graph(name, [x], [ops[-1].result], ops)


def _condition(name: str) -> Graph:
    x = Value(NUMBER, f"{name}_x")
    limit = Op("tosa.const", (), [NUMBER], {"values": np.array([100], np.int32)}, result_names=[f"{name}_limit"])
    below = Op("tosa.greater", [limit.result, x], [FLAG], result_names=[f"{name}_below"])
    return Graph(name, [x], [below.result], [limit, below])


def _tflite(rng: np.random.Generator) -> Files:
    return {"m.tflite": tflite(rng)}


def _tosa(rng: np.random.Generator) -> Files:
    return {"m.tosa": b"".join(map(bytes, write_tosa(model(rng))))}


def _spirv(rng: np.random.Generator) -> Files:
    case = CASES[rng.integers(len(CASES))]
    source = Model({"main": case.graph}) if rng.integers(3) else tc.convert(parse(tflite(rng)))
    with tempfile.TemporaryDirectory() as folder:
        save_spirv(source, Path(folder) / "m.spv", debug=bool(rng.integers(2)))
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir(), reverse=True)}


def _vgf(rng: np.random.Generator) -> Files:
    case = CASES[rng.integers(len(CASES))]
    source = Model({"main": case.graph}) if rng.integers(3) else tc.convert(parse(tflite(rng)))
    if not rng.integers(3):
        source = tc.convert(MODELS / "signatures_int8.tflite")
    return {"m.vgf": b"".join(map(bytes, encode(source, ".vgf")))}


def _of_shared_weights(rng: np.random.Generator) -> Model:
    """Returns a model of two graphs that read the same constant, which is large enough to be written once."""
    graphs = {}
    weights = rng.standard_normal((1, 256)).astype(np.float32)
    for name in ("prefill", "decode"):
        x = Value(TensorType(DType.FP32, (1, 256)), "x")
        constant = Op("tosa.const", (), [x.type], {"values": weights}, result_names=["weights"])
        total = Op("tosa.add", [x, constant.result], [x.type], result_names=["y"])
        graphs[name] = Graph(name, [x], [total.result], [constant, total])
    return Model(graphs)


def _xnn(rng: np.random.Generator) -> Files:
    storage = rng.standard_normal(int(rng.integers(3, 9))).astype(np.float32).tobytes()
    if not rng.integers(4):
        return {"m.xnn": official_graph(storage=storage)}
    drawable = list(cases(GROUPS[rng.integers(len(GROUPS) - len(PROGRAMS))]).values())
    return {"m.xnn": drawable[rng.integers(len(drawable))].data}


def _pte(rng: np.random.Generator) -> Files:
    drawable = list(cases(PROGRAMS[rng.integers(len(PROGRAMS))]).values())
    return {"m.pte": drawable[rng.integers(len(drawable))].data}


@cache
def _digits() -> bytes:
    converted = tc.convert(parse((MODELS / "digits_int8.tflite").read_bytes()))
    return b"".join(map(bytes, encode(converted, ".tosa")))


def image(rng: np.random.Generator) -> "np.ndarray[tuple[int, ...], np.dtype[np.int8]]":
    """Returns an input of the model that .npy and .npz files are for."""
    return rng.integers(-128, 128, (1, 8, 8, 1), np.int8)


def _npy(rng: np.random.Generator) -> Files:
    stream = io.BytesIO()
    np.save(stream, image(rng), allow_pickle=False)
    return {"x.npy": stream.getvalue(), "m.tosa": _digits()}


def _npz(rng: np.random.Generator) -> Files:
    stream = io.BytesIO()
    (np.savez_compressed if rng.integers(2) else np.savez)(stream, image=image(rng))
    return {"x.npz": stream.getvalue(), "m.tosa": _digits()}


_TEXTS = (*TEXTS.values(), *OPEN_TEXTS)


def _mlir(rng: np.random.Generator) -> Files:
    if not rng.integers(5):
        return {"m.mlir": b"".join(map(bytes, encode(_of_shared_weights(rng), ".mlir")))}
    if not rng.integers(2):
        return {"m.mlir": _TEXTS[rng.integers(len(_TEXTS))].encode()}
    return {"m.mlir": write_mlir(model(rng), names=bool(rng.integers(2))).encode()}


def _mlirbc(rng: np.random.Generator) -> Files:
    """Returns a model as MLIR bytecode, with the names of values or without."""
    source = model(rng) if rng.integers(5) else _of_shared_weights(rng)
    return {"m.mlirbc": b"".join(map(bytes, encode_bytecode(source, debug=bool(rng.integers(2)))))}


def _zoo(rng: np.random.Generator) -> Files:
    """Returns a zoo's manifest of files and wheels."""
    rows = []
    for i in range(int(rng.integers(1, 5))):
        source = ("file", f"pypi:package{i}=={rng.integers(9)}.{rng.integers(99)}")[rng.integers(2)]
        row = {"name": f"model {i}", "source": source, "path": "a/m.tflite!inner", "sha256": "0" * 64, "kind": "int8"}
        row |= {"expect": ("equal", "refused")[rng.integers(2)], "needs": "pro-int, ext-doubleround"}
        rows.append("\n".join(["[[model]]", *(f'{key} = "{value}"' for key, value in row.items()), "tolerance = 0.01"]))
    return {"m.toml": "\n\n".join(rows).encode()}


def _chain(rng: np.random.Generator) -> Files:
    """Returns the manifest of a partly converted model, and its pieces."""
    tensors = [Tensor((1, int(rng.integers(1, 5))))] * 4
    unknown = Operator(B.CUSTOM, (1,), (2,), custom_code="Unknown")
    operators = [Operator(B.EXP, (0,), (1,)), unknown, Operator(B.ABS, (2,), (3,))]
    with tempfile.TemporaryDirectory() as folder:
        tc.save(tc.convert_partially(build(tensors, operators, (0,), (3,))), Path(folder) / "m.json")
        files = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    return {"m.json": files.pop("m.json")} | files


def _zip(rng: np.random.Generator) -> Files:
    """Returns an archive of a model and other members, stored or deflated."""
    members = {"labels.txt": b"a\nb\n" * int(rng.integers(9)), "m.tflite": tflite(rng)}
    return {"m.task": zip_of(members, (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)[rng.integers(2)])}


def _litertlm(rng: np.random.Generator) -> Files:
    """Returns a LiteRT-LM bundle of a model and other sections."""
    sections = [(section(3, "prefill_decode"), tflite(rng)), (section(4), b"words"), (section(7, "aux"), bytes(64))]
    return {"m.litertlm": litertlm_of([sections[i] for i in rng.permutation(3)])}


def _ptd(rng: np.random.Generator) -> Files:
    """Returns a program with its file of data, or one with state."""
    name = ("layers", "layers_delegated", "cache", "counter_from_1")[rng.integers(4)]
    folder = MODELS / "programs"
    data = {"layers": "_default_external_constant.ptd", "layers_delegated": "layers_of_a_delegate.ptd"}.get(name)
    files = {"m.pte": (folder / f"{name}.pte").read_bytes()}
    return files if data is None else files | {"m.ptd": (folder / data).read_bytes()}


def _weights(rng: np.random.Generator) -> Files:
    """Returns a .tosa whose constants are inputs, with the archive of their elements."""
    with tempfile.TemporaryDirectory() as folder:
        tc.save(tc.convert(parse(tflite(rng))), Path(folder) / "m.tosa", constants="inputs")
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def _cut(rng: np.random.Generator) -> Files:
    """Returns a valid file, which is cut while it is read."""
    kinds = ("tflite", "tosa", "vgf", "xnn", "pte", "mlir", "mlirbc")
    return SEEDS[kinds[rng.integers(len(kinds))]](rng)


SEEDS: dict[str, Callable[[np.random.Generator], Files]] = {
    "tflite": _tflite,
    "tosa": _tosa,
    "spv": _spirv,
    "vgf": _vgf,
    "xnn": _xnn,
    "pte": _pte,
    "npy": _npy,
    "npz": _npz,
    "mlir": _mlir,
    "mlirbc": _mlirbc,
    "zoo": _zoo,
    "chain": _chain,
    "zip": _zip,
    "litertlm": _litertlm,
    "ptd": _ptd,
    "weights": _weights,
    "cut": _cut,
}
