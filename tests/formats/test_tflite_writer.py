"""The TFLite writer writes a model as it was read, judged by LiteRT, the official schema, and the reader."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from longer.tflite_round_trip import described, differences
from support.commands import FLOAT, INT8
from support.some import some
from support.tflite_models import Operator, Tensor, build, diagonal, run_litert

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.formats import encode, flatbuffer
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import BuiltinOperator as B

RNG = np.random.default_rng(9)


def written(model: tc.Model) -> bytes:
    return b"".join(map(bytes, encode(model, ".tflite")))


def back(data: bytes) -> tflite.Model:
    """Returns the tables of a file that was read and written, after checking that the reader sees no difference."""
    source = tc.load(data)
    content = written(source)
    assert [part for part, before, after in described(source, tc.load(content)) if before != after] == []
    return flatbuffer.read(tflite.Model, content, tflite.IDENTIFIER)


def edited(data: bytes, edit: Callable[[tflite.Model], None]) -> bytes:
    root = flatbuffer.read(tflite.Model, data, tflite.IDENTIFIER)
    edit(root)
    return b"".join(map(bytes, flatbuffer.write(root, tflite.IDENTIFIER)))


@pytest.mark.parametrize("path", [FLOAT, INT8], ids=lambda path: path.stem)
def test_models_of_this_repository_come_back(path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert differences(path) == []


X, Y = Tensor((2, 4)), Tensor((2, 4))
PER_CHANNEL = Tensor((4, 4), "int8", RNG.integers(-127, 128, (4, 4)), [0.1, 0.2, 0.3, 0.4], 0, 0)
MODELS = {
    "operand left out": (
        [X, Tensor((4, 4), data=RNG.standard_normal((4, 4))), Y],
        [Operator(B.FULLY_CONNECTED, (0, 1, -1), (2,), {"keep_num_dims": True})],
    ),
    "sparse weights": (
        [X, Tensor((4, 4), data=np.arange(1, 5), sparsity=diagonal(4)), Tensor((4, 4)), Y],
        [Operator(B.DENSIFY, (1,), (2,)), Operator(B.FULLY_CONNECTED, (0, 2, -1), (3,))],
    ),
    "halves": (
        [X, Tensor((2, 4), "float16", RNG.standard_normal((2, 4))), Tensor((2, 4)), Y],
        [Operator(B.DEQUANTIZE, (1,), (2,), version=3), Operator(B.ADD, (0, 2), (3,), version=2)],
    ),
    "per channel": (
        [
            Tensor((2, 4), "int8", scale=0.5, zero_point=3),
            PER_CHANNEL,
            Tensor((4,), "int32", RNG.integers(-9, 9, 4), [0.05, 0.1, 0.15, 0.2]),
            Tensor((2, 4), "int8", scale=4.0, zero_point=-7),
        ],
        [Operator(B.FULLY_CONNECTED, (0, 1, 2), (3,), version=4)],
    ),
    "unknown batch": (
        [Tensor((1, 4), signature=(-1, 4)), Tensor((1, 4), signature=(-1, 4))],
        [Operator(B.LEAKY_RELU, (0,), (1,), {"alpha": 0.25})],
    ),
    "booleans": (
        [X, Tensor((2, 4), "bool", RNG.integers(0, 2, (2, 4))), Tensor((2, 4), data=np.ones((2, 4))), Y],
        [Operator(B.SELECT_V2, (1, 0, 2), (3,))],
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_small_models_come_back(name: str) -> None:
    tensors, operators = MODELS[name]
    data = build(tensors, operators, (0,), (len(tensors) - 1,))
    root = back(data)
    assert (root.version, root.buffers[0].data) == (3, None)
    codes = [root.operator_codes[op.opcode_index] for op in root.subgraphs[0].operators]
    assert [(code.builtin_code, code.version) for code in codes] == [(op.builtin, op.version or 1) for op in operators]
    dtype, shape = np.dtype(tensors[0].dtype), tensors[0].shape
    x = RNG.integers(-128, 128, shape).astype(dtype) if dtype == np.int8 else RNG.standard_normal(shape).astype(dtype)
    expected, outputs = run_litert(data, [x]), run_litert(written(tc.load(data)), [x])
    assert [array.tobytes() for array in outputs] == [array.tobytes() for array in expected]


def test_custom_operators_metadata_and_custom_quantization_come_back() -> None:
    data = build(
        [Tensor((4,), scale=0.5, zero_point=1), Tensor((4,))],
        [Operator(B.CUSTOM, (0,), (1,), custom_code="Mystery", custom_options=b"\x01\x02raw")],
        (0,),
        (1,),
    )

    def edit(root: tflite.Model) -> None:
        root.description = "a text"
        root.buffers += (tflite.Buffer(data=np.frombuffer(b"1.5.0", np.uint8)),)
        root.metadata = (tflite.Metadata(name="min_runtime_version", buffer=len(root.buffers) - 1),)
        details = tflite.CustomQuantization(custom=np.arange(5, dtype=np.uint8))
        some(root.subgraphs[0].tensors[0].quantization).details = details
        maps = [(tflite.TensorMap(name=name, tensor_index=i),) for i, name in enumerate("ab")]
        root.signature_defs = (tflite.SignatureDef(signature_key="serve", inputs=maps[0], outputs=maps[1]),)

    root = back(edited(data, edit))
    assert (root.description, root.signature_defs[0].signature_key) == ("a text", "serve")
    assert some(root.subgraphs[0].operators[0].custom_options).tobytes() == b"\x01\x02raw"
    assert root.operator_codes[0].custom_code == "Mystery"
    details = some(root.subgraphs[0].tensors[0].quantization).details
    assert isinstance(details, tflite.CustomQuantization)
    assert some(details.custom).tolist() == [0, 1, 2, 3, 4]


def test_intermediates_and_options_of_operators_come_back() -> None:
    data = build([X, Tensor((2, 4), name="state"), Y], [Operator(B.ADD, (0, 1), (2,))], (0,), (2,))

    def edit(root: tflite.Model) -> None:
        graph = root.subgraphs[0]
        graph.tensors[1].is_variable = True
        scale = tflite.QuantizationParameters(scale=np.array([0.25], np.float32), zero_point=np.array([3]))
        graph.tensors += (tflite.Tensor(name="between", type=tflite.TensorType.INT8, quantization=scale),)
        graph.operators[0].mutating_variable_inputs = (False, True)
        graph.operators[0].intermediates = (3, -1)

    graph = back(edited(data, edit)).subgraphs[0]
    (operator,) = graph.operators
    assert [tensor.name for tensor in graph.tensors if tensor.is_variable] == ["state"]
    assert operator.mutating_variable_inputs == (False, True)
    assert some(some(graph.tensors[operator.intermediates[0]].quantization).zero_point).tolist() == [3]
    assert operator.intermediates[1] == -1


def test_subgraphs_keep_their_numbers_and_variables_their_handles() -> None:
    """CALL_ONCE writes a variable that the main graph reads; subgraphs are numbered, variables named."""
    state = Tensor((2, 4), data=RNG.standard_normal((2, 4)))
    handle = Tensor((), "int32")
    data = build(
        [X, handle, Tensor((2, 4)), Y],
        [
            Operator(B.CALL_ONCE, (), (), {"init_subgraph_index": 1}),
            Operator(B.VAR_HANDLE, (), (1,), {"shared_name": "v"}),
            Operator(B.READ_VARIABLE, (1,), (2,)),
            Operator(B.ADD, (0, 2), (3,)),
        ],
        (0,),
        (3,),
    )
    first = build(
        [handle, state],
        [Operator(B.VAR_HANDLE, (), (0,), {"shared_name": "v"}), Operator(B.ASSIGN_VARIABLE, (0, 1), ())],
        (),
        (),
    )

    def edit(root: tflite.Model) -> None:
        other = flatbuffer.read(tflite.Model, first, tflite.IDENTIFIER)
        graph = other.subgraphs[0]
        graph.name = "init"
        graph.tensors[1].buffer = len(root.buffers)
        for operator in graph.operators:
            operator.opcode_index += len(root.operator_codes)
        for tensors in (root.subgraphs[0].tensors, graph.tensors):
            tensors[1 - (tensors is graph.tensors)].type = tflite.TensorType.RESOURCE
        root.operator_codes += other.operator_codes
        root.subgraphs += (graph,)
        root.buffers += other.buffers[1:]

    data = edited(data, edit)
    assert [graph.name for graph in back(data).subgraphs] == ["main", "init"]
    x = RNG.standard_normal((2, 4)).astype(np.float32)
    (expected,), (output,) = run_litert(data, [x]), run_litert(written(tc.load(data)), [x])
    np.testing.assert_array_equal(expected, x + state.data.astype(np.float32))
    assert output.tobytes() == expected.tobytes()


def test_four_bit_weights_come_back() -> None:
    values = RNG.integers(-8, 8, (4, 4)).astype(np.int8)
    raw = (values.reshape(-1, 2) & 0xF) @ np.array([1, 16])
    data = build(
        [Tensor((2, 4), "int8", scale=0.5), Tensor((4, 4), "int8", raw=raw.astype(np.uint8), scale=0.1), Y],
        [Operator(B.FULLY_CONNECTED, (0, 1, -1), (2,))],
        (0,),
        (2,),
    )

    def edit(root: tflite.Model) -> None:
        root.subgraphs[0].tensors[1].type = tflite.TensorType.INT4
        root.subgraphs[0].tensors[2].type = tflite.TensorType.INT8
        root.subgraphs[0].tensors[2].quantization = root.subgraphs[0].tensors[0].quantization

    root = back(edited(data, edit))
    assert some(root.buffers[root.subgraphs[0].tensors[1].buffer].data).tolist() == raw.tolist()


def test_weights_are_views_and_stored_once(tmp_path: Path) -> None:
    weights = RNG.standard_normal((64, 64)).astype(np.float32)
    tensors = [Tensor((2, 64)), Tensor((64, 64), data=weights), Tensor((2, 64)), Tensor((2, 64))]
    operators = [Operator(B.FULLY_CONNECTED, (0, 1, -1), (2,)), Operator(B.FULLY_CONNECTED, (2, 1, -1), (3,))]
    path = tmp_path / "m.tflite"
    path.write_bytes(build(tensors, operators, (0,), (3,)))
    model = tc.load(path)
    constant = next(op.result for op in model.main if op.result.constant is not None).constant
    pieces = encode(model, ".tflite")
    assert [np.shares_memory(constant, np.frombuffer(piece, np.uint8)) for piece in pieces if len(piece) > 4096] == [
        True
    ]
    assert sum(map(len, pieces)) < weights.nbytes + 2048
    assert tc.save(model, path) == path.stat().st_size  # over the file that the weights are views of
    constant = next(op for op in tc.load(path).main if not op.inputs).result.constant
    np.testing.assert_array_equal(some(constant), weights)


def test_the_official_schema_reads_it() -> None:
    official = pytest.importorskip("tflite", reason="the official schema is not installed")
    model = official.Model.GetRootAsModel(written(tc.load(INT8)), 0)
    before = official.Model.GetRootAsModel(INT8.read_bytes(), 0)
    assert model.Version() == 3
    for i in range(before.Subgraphs(0).OperatorsLength()):
        ops = [side.Subgraphs(0).Operators(i) for side in (before, model)]
        codes = [side.OperatorCodes(op.OpcodeIndex()) for side, op in zip((before, model), ops, strict=True)]
        assert len({(code.BuiltinCode(), code.DeprecatedBuiltinCode(), code.Version()) for code in codes}) == 1
        assert len({op.BuiltinOptionsType() for op in ops}) == 1


def test_a_model_from_memory_runs_in_litert() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    inputs = tc.random_inputs(INT8)
    (expected,), (output,) = (tc.run(tc.load(s), inputs).values() for s in (INT8, Path(INT8).read_bytes()))
    np.testing.assert_array_equal(output, expected)


def test_litert_finds_a_file_in_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    inputs = tc.random_inputs(INT8)
    for folder in ("a", "b"):  # the process that runs LiteRT is started in the first one
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{folder}.tflite").write_bytes(INT8.read_bytes())
        monkeypatch.chdir(tmp_path / folder)
        assert tc.run(f"{folder}.tflite", inputs)


# ** what can't be written **


def relu(name: str = "tfl.leaky_relu", **attributes: object) -> tc.Model:
    x = tc.Value(tc.TensorType(DType.FP32, (4,)), "x")
    op = tc.Op(name, [x], [x.type], attributes, result_names=["y"])
    return tc.Model({"main": tc.Graph("main", [x], op.results, [op])}, opset="tfl")


def test_models_without_a_tflite_form_are_refused(tmp_path: Path) -> None:
    assert tc.load(written(relu(alpha=0.5))).main.ops[0].attributes["alpha"] == 0.5
    with pytest.raises(tc.UnsupportedError, match="LeakyReluOptions has no alfa"):
        encode(relu(alfa=0.5), ".tflite")
    with pytest.raises(tc.UnsupportedError, match=r"tfl\.leaking is not an operator of TFLite"):
        encode(relu("tfl.leaking"), ".tflite")
    typed = relu()
    typed.main.inputs[0].type = tc.TensorType(DType.I48, (4,))
    with pytest.raises(tc.UnsupportedError, match="x: TFLite has no element type i48"):
        encode(typed, ".tflite")
    with pytest.raises(tc.UsageError, match="a graph of tfl operators, this one is of tosa operators"):
        tc.save(tc.convert(INT8), tmp_path / "m.tflite")
    blocks = relu()
    blocks.extras[blocks.main.inputs[0]] = tflite.BlockwiseQuantization(scales=1)
    with pytest.raises(tc.UnsupportedError, match="x: quantization whose parameters are tensors"):
        encode(blocks, ".tflite")


def test_equal_weights_are_stored_once(tmp_path: Path) -> None:
    """LiteRT loads two buffers that share their bytes, the reference model two tensors that do."""
    weight = np.random.default_rng(0).normal(size=(64, 64)).astype(np.float32)
    tensors = [Tensor([1, 64]), Tensor([64, 64], data=weight), Tensor([64, 64], data=weight.copy())]
    tensors += [Tensor([1, 64]), Tensor([1, 64])]
    layers = [Operator(B.FULLY_CONNECTED, [i, 1 + i // 3], [3 + i // 3]) for i in (0, 3)]
    source, result = tmp_path / "model.tflite", tmp_path / "model.tosa"
    source.write_bytes(build(tensors, layers, [0], [4]))
    x = np.ones((1, 64), np.float32)
    (y,) = run_litert(source.read_bytes(), [x])
    np.testing.assert_allclose(y, x @ weight.T @ weight.T, rtol=1e-4, atol=1e-3)
    tc.save(tc.convert(source), result)
    assert all(path.stat().st_size < 1.5 * weight.nbytes for path in (source, result))
    reports = tc.compare(tc.load(source), tc.load(result), against="executor,tosa-reference-model")
    assert len(reports) == 2
    assert all(report.verdict for report in reports)
