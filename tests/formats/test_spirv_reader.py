"""Our SPIR-V modules are read back unchanged; hostile words and constants are refused with their place."""

import shutil
import subprocess
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.some import some
from support.spirv_cases import CASES, CASES_BY_NAME, Case
from support.spirv_tools import spirv_tools, tool

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.execute.plan import run
from tosa_converter.formats.spirv.globals import DEFINITIONS, Globals
from tosa_converter.formats.spirv.listing import assembly
from tosa_converter.formats.spirv.reader import _NOTHING, GRAPH_LEVEL, MODULE_LEVEL, read_spirv
from tosa_converter.formats.spirv.words import Decoded, encode
from tosa_converter.formats.spirv.writer import write_spirv
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.schemas import spirv

CONV = CASES_BY_NAME["CONV2D_i8_i8_i32_i32_1"]
REFUSALS = (FormatError, UnsupportedError)


def saved(case: Case, folder: Path) -> Path:
    path = folder / "m.spv"
    tc.save(Model({"main": case.graph}), path)
    return path


def test_every_instruction_has_a_reader() -> None:
    assert set(spirv.CORE) == {*DEFINITIONS, *MODULE_LEVEL, *GRAPH_LEVEL, *_NOTHING}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_modules_are_read_back_and_written_the_same(case: Case, tmp_path: Path) -> None:
    path = saved(case, tmp_path)
    model = tc.load(path)
    op = next(op for op in reversed(model.main.ops) if op.name == case.graph.ops[-1].name)
    assert {"local_bound": False, **op.attributes} == {"local_bound": False, **case.graph.ops[-1].attributes}
    assert [value.name for value in model.main.inputs] == list(case.inputs)
    if case.name != "ARGMAX_rank1":  # ARGMAX gets a RESHAPE, see below
        assert write_spirv(model.main).words.tobytes() == path.read_bytes()


def test_argmax_of_one_dimension_is_legal_after_reading(tmp_path: Path) -> None:
    model = tc.load(saved(CASES_BY_NAME["ARGMAX_rank1"], tmp_path))
    assert [op.results[0].type.shape for op in model.main.ops if "const" not in op.name] == [(), (1,)]
    x = np.array([1, 5, 2, 7, 3, 7, 0], np.float32)
    assert tc.run(model, {"in0": x})["out0"] == [3]


@spirv_tools
@pytest.mark.parametrize("case", CASES[::3], ids=lambda case: case.name)
def test_the_assembly_listing_assembles_to_the_module(case: Case, tmp_path: Path) -> None:
    words = write_spirv(case.graph, debug=True).words
    (tmp_path / "m.spvasm").write_text("\n".join(assembly(words.tobytes())) + "\n")
    command = [some(tool("spirv-as")), "--preserve-numeric-ids", "--target-env", "spv1.5", str(tmp_path / "m.spvasm")]
    done = subprocess.run(
        [*command, "-o", tmp_path / "again.spv"], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assembled = np.fromfile(tmp_path / "again.spv", "<u4")
    assert np.array_equal(assembled[spirv.HEADER_WORDS :], words[spirv.HEADER_WORDS :])


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_the_listing_has_integers_of_every_width(bits: int, signed: bool) -> None:
    """Narrow integers fill a word, with sign extension if they are signed (SPIR-V 2.2.1)."""
    low = -(1 << bits - 1) if signed else 0
    values = [low, low + 1, 0, 1, 5, low + (1 << bits) - 1, *([-1, -5] if signed else [])]
    words = [*write_spirv(CONV.graph).words[:5].tolist(), 4 << 16 | 21, 1, bits, int(signed)]
    for id, value in enumerate(values, 2):
        count = -(-bits // 32)
        words += [3 + count << 16 | 43, 1, id, *((value >> 32 * i) & 0xFFFFFFFF for i in range(count))]
    lines = list(assembly(np.array(words, "<u4").tobytes()))
    assert [line.split() for line in lines if "OpConstant" in line] == [
        [f"%{id}", "=", "OpConstant", "%1", str(value)] for id, value in enumerate(values, 2)
    ]


@pytest.mark.parametrize(
    ("operands", "bits", "text"),
    [
        ((16,), 0x3E00, "0x1.8000000000000p+0"),
        ((16,), 0x7C00, "!0x7c00"),
        ((16, 0), 0x3FC0, "0x1.8000000000000p+0"),  # the encoding BFloat16KHR
        ((32,), 0x40400000, "0x1.8000000000000p+1"),
        ((32,), 0xFF800000, "!0xff800000"),
        ((64,), 0x4008000000000000, str(0x4008000000000000)),  # TOSA has none of these: their bits
        ((16, 1), 0x3E00, str(0x3E00)),
    ],
)
def test_the_listing_has_floats_of_known_types_and_bits_of_others(
    operands: tuple[int, ...], bits: int, text: str
) -> None:
    words = [*write_spirv(CONV.graph).words[:5].tolist(), *encode(spirv.TYPE_FLOAT, 1, *operands)]
    words += encode(spirv.CONSTANT, 1, 2, *((bits >> 32 * i) & 0xFFFFFFFF for i in range(max(1, operands[0] // 32))))
    *_, line = assembly(np.array(words, "<u4").tobytes())
    assert line.split() == ["%2", "=", "OpConstant", "%1", text]


def test_the_listing_names_instructions_of_the_tosa_set_only() -> None:
    number = next(iter(spirv.INSTRUCTIONS))
    words = [*write_spirv(CONV.graph).words[:5].tolist(), *encode(spirv.EXT_INST_IMPORT, 1, "Other.100")]
    words += [*encode(spirv.EXT_INST_IMPORT, 2, spirv.INSTRUCTION_SET)]
    words += [*encode(spirv.EXT_INST, 9, 3, 1, number), *encode(spirv.EXT_INST, 9, 4, 2, number)]
    *_, other, tosa = assembly(np.array(words, "<u4").tobytes())
    assert other.split() == ["%3", "=", "OpExtInst", "%9", "%1", str(number)]
    assert tosa.split() == ["%4", "=", "OpExtInst", "%9", "%2", spirv.INSTRUCTIONS[number].name]


@pytest.mark.parametrize("count", [1, 2, 65533])
def test_an_instruction_has_up_to_65535_words(count: int) -> None:
    words = encode(spirv.CONSTANT_COMPOSITE, 7, *range(count))
    assert words == [(count + 2) << 16 | spirv.CONSTANT_COMPOSITE.opcode, 7, *range(count)]
    text = "x" * (4 * count - 1)  # with the zero byte at its end
    assert encode(spirv.NAME, 7, text)[0] == (count + 2) << 16 | spirv.NAME.opcode
    if count == 65533:
        for long in (text + "x", text + "xxxx"):
            with pytest.raises(UnsupportedError, match="OpName of 65536 words; an instruction has at most 65535"):
                encode(spirv.NAME, 7, long)


def test_big_endian_modules_are_read(tmp_path: Path) -> None:
    path = saved(CONV, tmp_path)
    swapped = np.fromfile(path, "<u4").byteswap()
    path.write_bytes(swapped.tobytes())
    assert write_spirv(tc.load(path).main).words.tobytes() == swapped.byteswap().tobytes()


def test_constants_are_mapped_and_written_without_pickle(tmp_path: Path) -> None:
    path = saved(CONV, tmp_path)
    beside = tmp_path / "m.constants.npz"
    with np.load(beside, allow_pickle=False) as arrays:  # numpy itself reads what we write
        weights = arrays["0"]
    model = tc.load(path)
    constant = next(op for op in model.main.ops if op.result.type.shape == (4, 3, 3, 3))
    assert np.array_equal(constant.attributes["values"], weights)
    assert np.array_equal(weights, CONV.graph.ops[0].attributes["values"])
    assert not constant.attributes["values"].flags.writeable
    assert not constant.attributes["values"].flags.owndata


def test_constants_of_every_type_survive(tmp_path: Path) -> None:
    graph = Graph("main")
    random = np.random.default_rng(1)
    types = (DType.BOOL, DType.I4, DType.I8, DType.I16, DType.I32, DType.I48, DType.FP16, DType.BF16, DType.FP32)
    for dtype in (*types, DType.FP8E4M3, DType.FP8E5M2):
        for shape in ((3,), (5, 7)):
            values = random.integers(-7, 8, shape).astype(dtype.numpy)
            op = Op("tosa.const", (), [TensorType(dtype, shape)], {"values": values})
            graph.ops.append(op)
            graph.outputs.append(op.result)
            op.result.name = f"{dtype.value}{len(shape)}"
    tc.save(Model({"main": graph}), tmp_path / "m.spv")
    model = tc.load(tmp_path / "m.spv")
    for before, after in zip(graph.outputs, model.main.outputs, strict=True):
        assert after.name == before.name
        constant = some(after.producer).operands[0].constant
        assert some(constant).tobytes() == some(before.constant).tobytes()
        assert after.type.dtype is (DType.I8 if before.type.dtype is DType.I4 else before.type.dtype)


def test_outputs_that_are_inputs_or_repeated_have_their_own_names(tmp_path: Path) -> None:
    x = Value(TensorType(DType.I32, (2,)), "x")
    double = Op("tosa.add", [x, x], [x.type], result_names=["double"])
    same = Op("tosa.identity", [double.result], [x.type], result_names=["again"])
    through = Op("tosa.identity", [x], [x.type], result_names=["through"])
    graph = Graph("main", [x], [double.result, same.result, through.result], [double, same, through])
    tc.save(Model({"main": graph}), tmp_path / "m.spv")
    outputs = tc.run(tc.load(tmp_path / "m.spv"), {"x": np.array([3, 4], np.int32)})
    assert {name: array.tolist() for name, array in outputs.items()} == {
        "double": [6, 8],
        "again": [6, 8],
        "through": [3, 4],
    }


def test_several_graphs_become_several_modules(tmp_path: Path) -> None:
    graphs = {name: CASES_BY_NAME[case].graph for name, case in (("a", "ABS_i32_0"), ("b/2", "CLZ_i32_0"))}
    named = {name: Graph(name, g.inputs, g.outputs, g.ops) for name, g in graphs.items()}
    tc.save(Model(named), tmp_path / "m.spv")
    assert {path.name for path in tmp_path.iterdir()} == {"m.a.spv", "m.b_2.spv"}
    assert tc.load(tmp_path / "m.b_2.spv").main.ops[-1].name == "tosa.clz"


def test_names_and_locations_come_back(tmp_path: Path) -> None:
    x = Value(TensorType(DType.FP32, (2,)), "x")
    ops = [Op("tosa.exp", [x], [x.type], location="dense/1", result_names=["grown"])]
    ops.append(Op("tosa.abs", [ops[0].result], [x.type], location="dense/2", result_names=["y"]))
    tc.save(Model({"main": Graph("main", [x], [ops[1].result], ops)}), tmp_path / "m.spv", debug=True)
    read = tc.load(tmp_path / "m.spv").main.ops
    assert [(op.location, op.result.name) for op in read] == [("dense/1", "grown"), ("dense/2", "y")]


# ** hostile files **


def attempt(words: Array) -> str:
    """Reads a module; returns the message of a refusal, or nothing."""
    values = CONV.graph.ops[0].attributes["values"]
    try:
        read_spirv(words.astype("<u4").tobytes(), constants=lambda _number, _type: values)
    except REFUSALS as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize("name", ["CONV2D_i8_i8_i32_i32_0", "RFFT2D_fp32_0", "CONCAT_rank6", "CLAMP_fp32_0"])
def test_every_word_changed_is_read_or_refused(name: str) -> None:
    words = write_spirv(CASES_BY_NAME[name].graph, debug=True).words
    refused = 0
    for index in range(words.size):
        for value in (0, 1, 7, words[index] + 1, words[index] ^ 0x10000, 0xFFFFFFFF, 0x7FFFFFFF):
            changed = words.copy()
            changed[index] = value
            refused += bool(attempt(changed))
    assert refused > words.size


def test_an_id_with_two_definitions_is_refused() -> None:
    """The graph's last result gets the id of an earlier type, constant or operator."""
    words = write_spirv(CONV.graph).words
    result_places: list[int] = []
    place = spirv.HEADER_WORDS
    while place < words.size:
        row = spirv.BY_OPCODE[int(words[place]) & 0xFFFF]
        if "result" in row.operands and row not in (spirv.EXT_INST_IMPORT, spirv.GRAPH):
            result_places.append(place + 1 + row.operands.index("result"))
        place += int(words[place]) >> 16
    assert attempt(words) == ""
    assert len(result_places) > 30
    for earlier in result_places[:-1]:
        changed = words.copy()
        changed[result_places[-1]] = words[earlier]
        assert f"id {words[earlier]} is made twice" in attempt(changed), earlier


def test_every_truncation_is_refused() -> None:
    words = write_spirv(CONV.graph).words
    assert all(attempt(words[:size]) for size in range(words.size))
    with pytest.raises(FormatError, match="whole words"):
        read_spirv(words.tobytes()[:-2])


def module(*instructions: list[int]) -> Array:
    words = [spirv.MAGIC, spirv.VERSION, 0, 1 << 20, 0]
    for instruction in instructions:
        words += instruction
    return np.array(words, "<u4")


UINT, ONE, BIG = 1, 2, 3
TYPES = (
    encode(spirv.TYPE_INT, UINT, 32, 0),
    encode(spirv.CONSTANT, UINT, ONE, 1),
    encode(spirv.CONSTANT, UINT, BIG, 60_000),
)


def test_nested_constants_can_not_claim_more_than_the_file() -> None:
    instructions = list(TYPES)
    scalars, below = [ONE] * 60_000, None
    for rank in range(1, 6):
        base = 10 * rank
        instructions += [
            encode(spirv.CONSTANT, UINT, base, rank),
            encode(spirv.TYPE_ARRAY, base + 1, UINT, base),
            encode(spirv.CONSTANT_COMPOSITE, base + 1, base + 2, *[BIG] * rank),
            encode(spirv.TYPE_TENSOR, base + 3, UINT, base, base + 2),
            encode(spirv.CONSTANT_COMPOSITE, base + 3, base + 4, *([below] * 60_000 if below else scalars)),
        ]
        below = base + 4
    assert "elements" in attempt(module(*instructions))


def test_a_shape_of_too_many_elements_is_refused() -> None:
    instructions = [
        *TYPES,
        encode(spirv.CONSTANT, UINT, 10, 8),
        encode(spirv.TYPE_ARRAY, 11, UINT, 10),
        encode(spirv.CONSTANT_COMPOSITE, 11, 12, *[BIG] * 8),
        encode(spirv.TYPE_TENSOR, 13, UINT, 10, 12),
    ]
    message = attempt(module(*instructions))
    assert message.startswith("word 36 OpTypeTensorARM at byte 144: expected 1 to 1099511627776 elements, found shape")


def tensor_types(*shapes: tuple[int, ...]) -> list[list[int]]:
    """Returns types of 32-bit integers, with the ids 100, 200 ..."""
    instructions = [encode(spirv.TYPE_INT, UINT, 32, 0)]
    for base, shape in enumerate(shapes, 1):
        first = 100 * base
        instructions += [encode(spirv.CONSTANT, UINT, first + 3 + i, n) for i, n in enumerate(shape)]
        instructions += [
            encode(spirv.CONSTANT, UINT, first + 1, len(shape)),
            encode(spirv.TYPE_ARRAY, first + 2, UINT, first + 1),
            encode(spirv.CONSTANT_COMPOSITE, first + 2, first + 99, *[first + 3 + i for i in range(len(shape))]),
            encode(spirv.TYPE_TENSOR, first, UINT, first + 1, first + 99),
        ]
    return instructions


def test_graphs_that_share_a_type_count_with_all_their_inputs() -> None:
    """The module has 100 KB, but would have 50 million values."""
    instructions = [*tensor_types((1,)), encode(spirv.TYPE_GRAPH, 1000, 10_000, *[100] * 10_000)]
    for id in range(5000):
        instructions += [encode(spirv.GRAPH, 1000, 2000 + id), encode(spirv.GRAPH_END)]
    assert "constants and graphs have more elements than 16 times" in attempt(module(*instructions))


def test_names_that_graphs_share_count_with_all_their_uses() -> None:
    instructions = [encode(spirv.NAME, 500, "n" * 200_000)]
    instructions += [encode(spirv.GRAPH_ENTRY_POINT, 2000 + id, f"g{id}", 500) for id in range(1000)]
    instructions += tensor_types((1,))
    storage = spirv.ENUMERATIONS["StorageClass"]["UniformConstant"]
    instructions += [encode(spirv.TYPE_POINTER, 400, storage, 100), encode(spirv.VARIABLE, 400, 500, storage)]
    instructions.append(encode(spirv.TYPE_GRAPH, 1000, 1, 100))
    for id in range(1000):
        instructions += [encode(spirv.GRAPH, 1000, 2000 + id), encode(spirv.GRAPH_END)]
    assert "names are shared so often" in attempt(module(*instructions))


@pytest.mark.parametrize(("graphs", "refused"), [(1, False), (2, True)])
def test_constants_of_one_element_are_bounded(graphs: int, refused: bool) -> None:
    """Each has 128 MB, but takes no memory until it is written or read."""
    zero, null = encode(spirv.CONSTANT, UINT, 600, 0), encode(spirv.CONSTANT_NULL, 100, 500)
    instructions = [*tensor_types((1 << 12, 1 << 13)), zero, null, encode(spirv.TYPE_GRAPH, 1000, 0, 100)]
    for id in range(graphs):
        instructions += [encode(spirv.GRAPH, 1000, 2000 + id), encode(spirv.GRAPH_SET_OUTPUT, 500, 600)]
        instructions.append(encode(spirv.GRAPH_END))
    assert ("constants that repeat one element" in attempt(module(*instructions))) == refused


def test_more_dimensions_than_any_level_allows_are_refused() -> None:
    assert "a tensor of 33 dimensions, no level allows more than 32" in attempt(module(*tensor_types((1,) * 33)))


def test_messages_name_the_place_of_the_word() -> None:
    words = write_spirv(CONV.graph).words
    entry = next(i for i in range(words.size) if words[i] & 0xFFFF == spirv.EXT_INST.opcode and words[i] >> 16 == 15)
    changed = words.copy()
    changed[entry + 4] = 999
    assert attempt(changed) == f"word {entry} OpExtInst at byte {4 * entry}: TOSA.001000.1 has no instruction 999"
    changed = words.copy()
    changed[entry + 8] = changed[entry + 5]  # a list of four where the accumulator stands
    assert "CONV2D: acc_type, a constant of acc_type, found id" in attempt(changed)


def test_shaders_are_refused() -> None:
    assert "SPIR-V instruction 54 has no place in a graph module" in attempt(module([5 << 16 | 54, 1, 2, 0, 3]))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.unlink(), "elements are expected beside it"),
        (lambda path: path.write_bytes(b"no archive"), "expected an .npz file"),
        (lambda path: np.savez_compressed(path, **{"0": np.zeros((4, 3, 3, 3), np.int8)}), "found a compressed one"),
        (lambda path: np.savez(path, **{"0": np.zeros((4, 3, 3, 4), np.int8)}), r"'shape': \(4, 3, 3, 3\)"),
        (lambda path: np.savez(path, **{"0": np.zeros((4, 3, 3, 3), np.int16)}), r"'descr': '\|i1'"),
        (lambda path: np.savez(path, **{"0": np.array([{}], object)}), r"found .*'\|O'"),
        (lambda path: np.savez(path, **{"1": np.zeros(1)}), "graph constant 0 is missing; there are 1 arrays"),
    ],
)
def test_spoiled_constants_are_refused(tmp_path: Path, spoil: Callable[[Path], object], message: str) -> None:
    path = saved(CONV, tmp_path)
    spoil(tmp_path / "m.constants.npz")
    with pytest.raises(FormatError, match=message):
        tc.load(path)


def test_constants_cut_off_or_pointing_elsewhere_are_refused(tmp_path: Path) -> None:
    path = saved(CONV, tmp_path)
    beside = tmp_path / "m.constants.npz"
    whole = beside.read_bytes()
    for index in range(len(whole)):
        for value in (0x00, 0xFF):
            beside.write_bytes(whole[:index] + bytes([value]) + whole[index + 1 :])
            try:
                tc.load(path)
            except FormatError:
                continue
    for size in range(len(whole)):
        beside.write_bytes(whole[:size])
        with pytest.raises(FormatError):
            tc.load(path)


def test_a_failed_save_leaves_both_files(tmp_path: Path) -> None:
    path = saved(CONV, tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    graph = Graph("main", CONV.graph.inputs, CONV.graph.outputs, CONV.graph.ops)
    custom = {"operator_name": "any", "domain_name": "example.org", "implementation_attrs": b""}
    graph.ops = [*graph.ops, Op("tosa.custom", (), (), custom)]  # legal, but SPIR-V has no instruction for it
    with pytest.raises(UnsupportedError):
        tc.save(Model({"main": graph}), path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_the_same_graph_gives_the_same_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        saved(CONV, tmp_path / name)
    for name in ("m.spv", "m.constants.npz"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert zipfile.ZipFile(tmp_path / "a" / "m.constants.npz").testzip() is None
    shutil.rmtree(tmp_path / "b")


def test_reading_does_not_change_what_is_computed(tmp_path: Path) -> None:
    model = tc.load(saved(CONV, tmp_path))
    assert np.array_equal(run(model.main, CONV.inputs)["out0"], run(CONV.graph, CONV.inputs)["out0"])


def test_weights_are_written_without_a_copy(tmp_path: Path) -> None:
    graph = Graph("main")
    for index in range(8):
        values = np.full((1024, 256), index + 1, np.float32)
        graph.ops.append(Op("tosa.const", (), [TensorType(DType.FP32, values.shape)], {"values": values}))
        graph.outputs.append(graph.ops[-1].result)
    tracemalloc.start()
    size = tc.save(Model({"main": graph}), tmp_path / "m.spv")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size > 8 << 20
    assert peak < 1 << 20


@pytest.mark.parametrize("words", [0, 3])
def test_a_module_expands_up_to_its_budget(words: int) -> None:
    """The budget is 16 elements per word; names and repeated elements have a budget of their own besides."""
    at = Decoded(spirv.NAME, 0, 0, 0, [])
    text = "x" * (1 << 20)
    shared = Globals(words)
    shared.spend(at, 16 * words)
    shared.spend(at, 0)
    for _ in range(64):
        assert shared.spend_text(at, text) == text
    shared.spend_text(at, "x" * 16 * words)
    shared.spend_splat(at, np.broadcast_to(np.uint8(1), (1 << 27) + 16 * words))
    shared.spend_splat(at, np.ones(5))  # numpy's own memory
    shared.spend_splat(at, np.ones(1))
    with pytest.raises(FormatError, match="more elements than 16 times the words"):
        shared.spend(at, 1)
    with pytest.raises(FormatError, match="describes too much text"):
        shared.spend_text(at, "x")
    with pytest.raises(FormatError, match="repeat one element"):
        shared.spend_splat(at, np.broadcast_to(np.uint8(1), 1))
