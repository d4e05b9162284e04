"""Each format has a column of element types: a type in neither the column nor the list of absent types fails.

The lists are written by hand. A new element type fails here once for each format, until its author gives it a place in
the format or adds it to the types that the format doesn't have.
"""

import re
from typing import Any

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats.mlir.reader import read_mlir
from tosa_converter.formats.mlir.writer import element_type, write_mlir
from tosa_converter.formats.spirv.reader import read_spirv
from tosa_converter.formats.spirv.writer import ELEMENTS, module_type, write_spirv
from tosa_converter.formats.tflite import reader as tflite_reader
from tosa_converter.formats.tflite.reader import read_tflite
from tosa_converter.formats.tflite.writer import write_tflite
from tosa_converter.formats.tosa.reader import read_tosa
from tosa_converter.formats.tosa.writer import DTYPES as TOSA
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.formats.xnnpack import plan
from tosa_converter.formats.xnnpack.values import DATATYPES as XNNPACK
from tosa_converter.ir import Graph, Model, Op, Signature, TensorType, Value
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.executorch import ScalarType
from tosa_converter.schemas.tflite import TensorType as TfliteType
from tosa_converter.schemas.tosa import DType as TosaType
from tosa_converter.schemas.vulkan import FORMATS as VULKAN
from tosa_converter.schemas.xnnpack import XNNDatatype


def words(text: str) -> set[str]:
    return set(text.split())


# Types of other opsets, for which TOSA 1.0 has no name.
NOT_IN_TOSA = words("i2 i64 ui4 ui8 ui16 ui32 ui64 fp64 complex64 complex128 string resource variant")
LATER_TYPES = words("FP6E3M2 FP6E2M3 FP4E2M1 FP8UE8M0 MXINT8")  # the block-scaled types of TOSA 1.1
# The types of each format's column, and the types that the format lacks.
COLUMNS: dict[str, tuple[set[str], set[str]]] = {
    "TFLite": ({dtype.value for dtype in tflite_reader.DTYPES.values()}, {"i48", "shape"}),
    "TOSA": ({dtype.value for dtype in TOSA}, NOT_IN_TOSA - {"i64"}),  # since TOSA 1.1
    "SPIR-V": ({dtype.value for dtype in ELEMENTS}, NOT_IN_TOSA),
    "VGF": (set(VULKAN), NOT_IN_TOSA | {"i4", "shape"}),  # a module stores them as i8 and i32
    "XNNGraph": (
        {stored.dtype.value for stored in XNNPACK.values()},
        words("bool i2 i16 i48 i64 ui4 ui16 ui32 ui64 fp8e4m3 fp8e5m2 fp64 complex64 complex128")
        | words("shape string resource variant"),
    ),
    "ExecuTorch program": (
        {dtype.value for dtype in plan.DTYPES.values()},
        words("i2 i4 i48 ui4 ui16 ui32 ui64 fp8e4m3 fp8e5m2 complex64 complex128")
        | words("shape string resource variant"),
    ),
}
# For each enumeration of a schema: the column, and the members without an element type here.
SCHEMAS: dict[str, tuple[Any, Any, set[str]]] = {
    "TFLite": (TfliteType, tflite_reader.DTYPES, set()),
    "TOSA": (TosaType, TOSA.values(), LATER_TYPES | {"UNKNOWN"}),
    "XNNGraph": (XNNDatatype, XNNPACK, words("invalid qpint8 pfp32")),
    "ExecuTorch program": (
        ScalarType,
        plan.DTYPES,
        words("QINT8 QUINT8 QINT32 QUINT4X2 QUINT2X4 BITS16 UINT16 UINT32 UINT64")
        | words("FLOAT8E5M2 FLOAT8E4M3FN FLOAT8E5M2FNUZ FLOAT8E4M3FNUZ"),
    ),
}
# The builtin types of MLIR that tensors have, and the types that TensorFlow's dialect adds.
MLIR_TYPE = re.compile(r"u?i\d+|bf16|f16|f32|f64|f8E4M3FN|f8E5M2|index|complex<f(32|64)>|!tf_type\.\w+")


@pytest.mark.parametrize("format", COLUMNS)
def test_a_type_has_a_place_in_the_format_or_is_listed_as_absent(format: str) -> None:
    column, absent = COLUMNS[format]
    types = {dtype.value for dtype in DType}
    assert types - column - absent == set(), f"{format} forgets these types"
    assert column & absent == set(), f"{format} has these types, and they are listed as absent"
    assert absent <= types, "there are no such types"


@pytest.mark.parametrize("format", SCHEMAS)
def test_a_type_of_the_schema_has_an_element_type(format: str) -> None:
    enumeration, column, without = SCHEMAS[format]
    names = {member.name.removeprefix("xnn_datatype_") for member in enumeration if member not in column}
    assert names == without, f"{format} has types that stand for no element type"


def test_mlir_has_a_spelling_of_its_own_for_each_type() -> None:
    spellings = {dtype: element_type(dtype) for dtype in DType}
    assert [text for text in spellings.values() if not MLIR_TYPE.fullmatch(text)] == []
    assert len(set(spellings.values())) == len(DType)


def test_each_type_but_handles_has_a_numpy_type_of_its_width() -> None:
    for dtype in DType:
        if dtype in (DType.STRING, DType.RESOURCE, DType.VARIANT):
            with pytest.raises(KeyError):
                dtype.numpy  # noqa: B018  # the property raises
        else:
            assert np.zeros(1, dtype.numpy).nbytes * 8 >= dtype.bits


def identity(dtype: DType) -> Model:
    """Returns a TOSA graph that hands on a tensor of a type."""
    x = Value(TensorType(dtype, (2,)), "x")
    graph = Graph("main", [x])
    graph.ops.append(Op(ops.IDENTITY, [x], [x.type], result_names=["y"]))
    graph.outputs = [graph.ops[-1].result]
    return Model({"main": graph}, {"main": Signature.of(graph)})


def joined(pieces: Any) -> bytes:
    return b"".join(map(bytes, pieces))


TENSOR_TYPES = [dtype for dtype in DType if dtype.value not in NOT_IN_TOSA and dtype is not DType.SHAPE]


@pytest.mark.parametrize("dtype", TENSOR_TYPES, ids=lambda dtype: dtype.value)
def test_formats_of_tosa_give_back_the_type(dtype: DType) -> None:
    model = identity(dtype)
    assert read_tosa(joined(write_tosa(model))).main.inputs[0].type.dtype is dtype
    assert read_mlir(write_mlir(model, called=True).encode()).main.inputs[0].type.dtype is dtype
    module = write_spirv(model.main)
    assert read_spirv(module.words.tobytes()).main.inputs[0].type.dtype is (DType.I8 if dtype is DType.I4 else dtype)
    assert module_type(TensorType(dtype, (2,))).dtype.value in VULKAN


@pytest.mark.parametrize("dtype", DType, ids=lambda dtype: dtype.value)
def test_tflite_gives_back_the_type_or_refuses_it(dtype: DType) -> None:
    x = Value(TensorType(dtype, (2,)), "x")
    graph = Graph("main", [x])
    graph.outputs = [x]
    model = Model({"main": graph}, {"main": Signature.of(graph)}, opset="tfl")
    if dtype.value in COLUMNS["TFLite"][1]:
        with pytest.raises(UnsupportedError, match="TFLite has no element type"):
            write_tflite(model)
    else:
        assert read_tflite(joined(write_tflite(model))).main.inputs[0].type.dtype is dtype
