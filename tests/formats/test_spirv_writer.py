"""SPIRV-Tools accept every instruction and type that we write, and the rows equal the instruction set."""

import io
import re
import zipfile
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from support.spirv_cases import CASES, CASES_BY_NAME, Case
from support.spirv_tools import disassemble, spirv_tools, validate

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats.spirv.constants import _npy_header, write_constants
from tosa_converter.formats.spirv.writer import refusals, write_spirv
from tosa_converter.ir import Graph, Op, TensorType, Value
from tosa_converter.rules.types import oldest_version
from tosa_converter.schemas.spirv import INSTRUCTIONS
from tosa_converter.schemas.tosa_ops import BY_OPCODE
from tosa_converter.schemas.tosa_target import VERSION

# The instruction set's document: number, and operands in order; those that must be constants have a star. It counts
# 7+Variable words for CONCAT.
DOCUMENT = """
0 ARGMAX axis* nan_mode* input
1 AVG_POOL2D kernel* stride* pad* acc_type* input input_zp* output_zp*
2 CONV2D pad* stride* dilation* acc_type* local_bound* input weight bias input_zp* weight_zp*
3 CONV3D pad* stride* dilation* acc_type* local_bound* input weight bias input_zp* weight_zp*
4 DEPTHWISE_CONV2D pad* stride* dilation* acc_type* local_bound* input weight bias input_zp* weight_zp*
5 FFT2D inverse* local_bound* input_real input_imag
6 MATMUL A B A_zp* B_zp*
7 MAX_POOL2D kernel* stride* pad* nan_mode* input
8 RFFT2D local_bound* input_real
9 TRANSPOSE_CONV2D out_pad* stride* acc_type* local_bound* input weight bias input_zp* weight_zp*
10 CLAMP min_val* max_val* nan_mode* input
11 ERF input
12 SIGMOID input
13 TANH input
14 ADD input1 input2
15 ARITHMETIC_RIGHT_SHIFT round* input1 input2
16 BITWISE_AND input1 input2
17 BITWISE_OR input1 input2
18 BITWISE_XOR input1 input2
19 INTDIV input1 input2
20 LOGICAL_AND input1 input2
21 LOGICAL_LEFT_SHIFT input1 input2
22 LOGICAL_RIGHT_SHIFT input1 input2
23 LOGICAL_OR input1 input2
24 LOGICAL_XOR input1 input2
25 MAXIMUM nan_mode* input1 input2
26 MINIMUM nan_mode* input1 input2
27 MUL input1 input2 shift*
28 POW input1 input2
29 SUB input1 input2
30 TABLE input1 table*
31 ABS input1
32 BITWISE_NOT input1
33 CEIL input1
34 CLZ input1
35 COS input1
36 EXP input1
37 FLOOR input1
38 LOG input1
39 LOGICAL_NOT input1
40 NEGATE input1 input1_zp* output_zp*
41 RECIPROCAL input1
42 RSQRT input1
43 SIN input1
44 SELECT input1 input2 input3
45 EQUAL input1 input2
46 GREATER input1 input2
47 GREATER_EQUAL input1 input2
48 REDUCE_ALL axis* input
49 REDUCE_ANY axis* input
50 REDUCE_MAX axis* nan_mode* input
51 REDUCE_MIN axis* nan_mode* input
52 REDUCE_PRODUCT axis* input
53 REDUCE_SUM axis* input
54 CONCAT axis* input1
55 PAD input1 padding* pad_const*
56 RESHAPE input1 shape*
57 REVERSE axis* input1
58 SLICE input1 start* size*
59 TILE input1 multiples*
60 TRANSPOSE perms* input1
61 GATHER values indices
62 SCATTER values_in indices input
63 RESIZE mode* input scale* offset* border*
64 CAST input
65 RESCALE scale32* rounding_mode* per_channel* input_unsigned* output_unsigned* input multiplier* shift* input_zp* \
output_zp*
"""


def test_the_rows_are_those_of_the_instruction_set() -> None:
    ours = []
    for number, row in INSTRUCTIONS.items():
        operands = [f"{attr.name}*" for attr in row.attributes]
        operands += [operand.name + "*" * operand.ctc for operand in row.inputs]
        ours.append(" ".join([str(number), row.name, *operands]))
    assert ours == DOCUMENT.strip().splitlines()


def test_the_cases_cover_every_row_of_every_type_table() -> None:
    rows = {
        f"{row.name}_{types.replace(' ', '_')}_0"
        for row in INSTRUCTIONS.values()
        for needed, types in row.types
        if oldest_version(needed) == VERSION
    }
    assert rows <= set(CASES_BY_NAME)


@spirv_tools
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_instruction_and_type_validates(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "m.spv"
    module = write_spirv(case.graph)
    path.write_bytes(module.words.tobytes())
    assert validate(path) == ""
    row = BY_OPCODE[case.graph.ops[-1].name]
    # spirv-dis takes names and numbers of operands from the instruction set's own grammar
    operands = len(row.attributes) + len(case.graph.ops[-1].inputs)
    assert re.search(rf"OpExtInst %\d+ %1 {row.name}( %\d+){{{operands}}}$", disassemble(path), re.MULTILINE)


def single_operator(op: str, *inputs: TensorType, result: TensorType | None = None, **attributes: object) -> Graph:
    """Returns a graph of one operator on graph inputs."""
    values = [Value(type, f"in{i}") for i, type in enumerate(inputs)]
    operator = Op(op, values, [result or inputs[0]], attributes, location="layer 7")
    return Graph("main", values, [operator.result], [operator])


F2 = TensorType(DType.FP32, (2,))


def test_operators_without_an_instruction_are_refused() -> None:
    graph = single_operator("tosa.custom", F2, operator_name="x", domain_name="y", implementation_attrs=b"")
    graph.ops.append(Op("tosa.variable_read", (), [F2], {"name": "v"}))
    with pytest.raises(UnsupportedError) as caught:
        write_spirv(graph)
    assert str(caught.value).splitlines() == [
        "main: operator 0 tosa.custom at layer 7: TOSA.001000.1 has no instruction for it",
        "main: operator 1 tosa.variable_read: TOSA.001000.1 has no instruction for it",
    ]


def test_unknown_dimensions_types_and_run_time_operands_are_refused() -> None:
    unknown = TensorType(DType.FP32, (None, 2))
    wide = TensorType(DType.I64, (2,))
    shape = TensorType(DType.SHAPE, (1,))
    for graph, message in (
        (single_operator("tosa.abs", unknown), r"input 'in0' is fp32\[\?x2\], expected known dimensions"),
        (single_operator("tosa.abs", wide), "input 'in0' is i64, which TOSA.001000.1 doesn't have"),
        (single_operator("tosa.reshape", F2, shape), "tosa.reshape at layer 7: shape must be a constant"),
    ):
        with pytest.raises(UnsupportedError, match=message):
            write_spirv(graph)


# The mapping of the instruction set has these; i4 is widened.
MAPPED = ["bool", "i4", "i8", "i16", "i32", "i48", "fp8e4m3", "fp8e5m2", "fp16", "bf16", "fp32", "shape"]


@pytest.mark.parametrize("dtype", DType)
@pytest.mark.parametrize("kind", ["constant", "input"])
def test_element_types_outside_of_the_instruction_set_are_refused_once(dtype: DType, kind: str) -> None:
    """An input has its own line, and its readers have none about it."""
    type = TensorType(dtype, (2,))
    value = Op("tosa.const", (), [type], {"values": np.zeros(2)}).result if kind == "constant" else Value(type, "x")
    op = Op("tosa.abs", [value], [F2])
    graph = Graph("main", [value] * (kind == "input"), [op.result], [op])
    place = "main: operator 0 tosa.abs: input1" if kind == "constant" else "input 'x'"
    refused = f"{place} is {dtype.value}, which TOSA.001000.1 doesn't have"
    assert refusals(graph) == [refused] * (dtype.value not in MAPPED)


def test_a_constant_of_unknown_dimensions_is_refused() -> None:
    value = Op("tosa.const", (), [TensorType(DType.FP32, (None,))], {"values": np.zeros(2)}).result
    op = Op("tosa.abs", [value], [F2])
    refused = "main: operator 0 tosa.abs: input1 is fp32[?], expected known dimensions"
    assert refusals(Graph("main", [], [op.result], [op])) == [refused]


@spirv_tools
def test_names_and_locations_are_written_on_request(tmp_path: Path) -> None:
    graph = single_operator("tosa.abs", F2)
    graph.ops[0].results[0].name = "magnitude"
    graph.ops.append(Op("tosa.exp", [graph.ops[0].result], [F2], location="layer 8", result_names=["grown"]))
    graph.ops.append(Op("tosa.floor", [graph.ops[1].result], [F2], result_names=["end"]))
    graph.outputs = [graph.ops[2].result]
    path = tmp_path / "m.spv"
    path.write_bytes(write_spirv(graph, debug=True).words.tobytes())
    assert validate(path) == ""
    text = disassemble(path)
    for name in ("magnitude", "grown", "end"):
        assert f'"{name}"' in text
    strings = dict(re.findall(r'(%\d+) = OpString "(.*)"', text))
    operations = re.findall(r"OpExtInst %\d+ %\d+ 2 %\d+ (%\d+) (%\d+)$", text, re.MULTILINE)
    name_of_id = dict(re.findall(r"(%\d+) = OpExtInst %\d+ %1 ([A-Z]+)", text))
    assert {name_of_id[id]: strings[location] for location, id in operations} == {"ABS": "layer 7", "EXP": "layer 8"}
    plain = write_spirv(graph).words
    path.write_bytes(plain.tobytes())
    assert "layer" not in disassemble(path)
    assert "magnitude" not in disassemble(path)


@spirv_tools
def test_outputs_may_be_inputs_constants_and_repeated(tmp_path: Path) -> None:
    values = np.arange(40, dtype=np.float32)
    constant = Op("tosa.const", (), [TensorType(DType.FP32, (40,))], {"values": values})
    x = Value(F2, "x")
    same = Op("tosa.identity", [x], [F2])
    graph = Graph("main", [x], [x, constant.result, same.result], [constant, same])
    module = write_spirv(graph)
    path = tmp_path / "m.spv"
    path.write_bytes(module.words.tobytes())
    assert validate(path) == ""
    assert [value.constant is values for value in module.constants] == [True]


def test_constants_of_the_same_bits_are_kept_once() -> None:
    words = write_spirv(CASES_BY_NAME["ADD_rank0"].graph).words.tolist()
    ones = sum(words[i : i + 2] == [4 << 16 | 43, words[i + 1]] and words[i + 3] == 1 for i in range(len(words) - 3))
    assert ones == 1


@pytest.mark.parametrize("rank", range(7))
@pytest.mark.parametrize("dtype", ["int8", "bool", "float16", "int64"])
def test_elements_of_a_npy_begin_at_a_multiple_of_64(rank: int, dtype: str) -> None:
    """Sizes have one to six digits, so the header has every length; numpy reads it."""
    for digits in range(6):
        shape = (*[1] * (rank - 1), 10**digits)[:rank]
        header = _npy_header(np.dtype(dtype), shape)
        assert len(header) % 64 == 0
        array = (np.arange(np.prod(shape, dtype=int)) % 100).reshape(shape).astype(dtype)
        np.testing.assert_array_equal(np.load(io.BytesIO(header + array.tobytes())), array)


def test_the_header_is_that_of_an_unregistered_tool() -> None:
    """The header is the magic number, version 1.5 or later, generator 0, a bound above all ids, schema 0."""
    magic, version, generator, bound, schema = write_spirv(CASES_BY_NAME["ADD_rank0"].graph).words[:5].tolist()
    assert (magic, generator, schema) == (0x07230203, 0, 0)
    assert version >= 0x00010500
    assert bound > 1


@pytest.mark.parametrize("dtype", [DType.I8, DType.I32, DType.FP32, DType.BF16])
@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 32])
def test_constants_of_up_to_16_elements_are_inside_of_the_module(count: int, dtype: DType) -> None:
    x = Value(TensorType(dtype, (count,)), "x")
    constant = Op("tosa.const", (), [x.type], {"values": np.arange(count).astype(dtype.numpy)})
    maximum = Op("tosa.maximum", [x, constant.result], [x.type], {"nan_mode": "PROPAGATE"})
    graph = Graph("main", [x], [maximum.result], [constant, maximum])
    assert list(write_spirv(graph).constants) == ([constant.result] if count > 16 else [])


def test_members_of_an_archive_have_the_earliest_time_of_zip() -> None:
    """The same constants give the same bytes at any time."""
    constant = Op("tosa.const", (), [TensorType(DType.I8, (17,))], {"values": np.arange(17, dtype=np.int8)})
    file = io.BytesIO()
    write_constants(file, [constant.result] * 2)
    infos = zipfile.ZipFile(file).infolist()
    assert [info.filename for info in infos] == ["0.npy", "1.npy"]
    assert {datetime(*info.date_time) for info in infos} == {datetime(1980, 1, 1)}
