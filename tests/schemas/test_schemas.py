"""The schema rows equal an independent reading of the schemas: the `tflite` package and tosa-tools' own code."""

import copy
import enum
import importlib.util
import inspect
import pickle
import re
from pathlib import Path
from types import ModuleType

import flatbuffers
import pytest

from tosa_converter.formats import flatbuffer
from tosa_converter.legalize.tflite.windows import Windowed
from tosa_converter.schemas import (
    executorch,
    flat,
    flat_tensor,
    litertlm,
    tfl_ops,
    tosa,
    tosa_ops,
    tosa_target,
    xnnpack,
)
from tosa_converter.schemas import tflite as rows
from tosa_converter.schemas.enumeration import IntEnum

tflite = pytest.importorskip("tflite", reason="the tflite package is not installed")

# Rows of the schema that the tflite package (2.18) doesn't have yet.
NEWER_TABLES = {"BlockwiseQuantization", "MultiAxisQuantization", "ExternalBufferGroup", "ExternalBuffer"}
NEWER_TABLES |= {"StablehloCaseOptions"}
NEWER_FIELDS = {
    ("Tensor", "external_buffer"),
    ("Model", "external_buffer_groups"),
    ("Model", "external_buffers"),
    ("Operator", "debug_metadata_index"),
    ("SubGraph", "debug_metadata_index"),
    ("FullyConnectedOptions", "quant_spec"),
}


def tables(module: ModuleType) -> list[type[flat.Table]]:
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, flat.Table) and value.__module__ == module.__name__
    ]


def enums(module: ModuleType) -> list[type[IntEnum]]:
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, IntEnum) and value.__module__ == module.__name__
    ]


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def generated_slots(cls: type) -> dict[str, int]:
    """Returns the field accessors of generated code with the vtable offsets that they read."""
    slots = {}
    for name, function in inspect.getmembers(cls, inspect.isfunction):
        match = re.search(r"_tab\.Offset\((\d+)\)", inspect.getsource(function))
        if match and not name.endswith(("Length", "AsNumpy", "IsNone")):
            slots[name] = int(match.group(1))
    return slots


@pytest.mark.parametrize("table", [t for t in tables(rows) if t.__name__ not in NEWER_TABLES], ids=lambda t: t.__name__)
def test_tflite_fields_have_the_generated_codes_ids(table: type[flat.Table]) -> None:
    if not table.__annotations__ and not hasattr(tflite, table.__name__):
        return  # a union's base
    generated = generated_slots(getattr(tflite, table.__name__))
    for field in flatbuffer.layout(table).fields:
        if (table.__name__, field.name) in NEWER_FIELDS:
            continue
        place = field.id + (field.kind == "union")
        name = camel(field.name)
        assert generated.get(name) == 4 + 2 * place, (table.__name__, field.name, generated)


@pytest.mark.parametrize("enum", enums(rows), ids=lambda e: e.__name__)
def test_tflite_enumerations_have_the_generated_codes_values(enum: type[IntEnum]) -> None:
    generated = {k: v for k, v in vars(getattr(tflite, enum.__name__)).items() if not k.startswith("_")}
    ours = {member.name: member.value for member in enum}
    assert generated.items() <= ours.items()
    assert all(value > max(generated.values()) for name, value in ours.items() if name not in generated)


@pytest.mark.parametrize("union", ["BuiltinOptions", "BuiltinOptions2", "SparseIndexVector", "QuantizationDetails"])
def test_tflite_unions_number_their_members_alike(union: str) -> None:
    generated = {k: v for k, v in vars(getattr(tflite, union)).items() if not k.startswith("_") and k != "NONE"}
    ours = {table.__name__: i for i, table in enumerate(getattr(rows, union).__subclasses__(), 1)}
    assert generated.items() <= ours.items()


@pytest.mark.parametrize("table", tables(rows), ids=lambda t: t.__name__)
def test_litert_has_no_field_of_tflite_that_the_rows_lack(table: type[flat.Table]) -> None:
    """The newest schema: what LiteRT generates for itself."""
    generated = pytest.importorskip("ai_edge_litert.schema_py_generated", reason="LiteRT is not installed")
    theirs = getattr(generated, table.__name__, None)
    if theirs is None or not hasattr(theirs, "GetRootAs"):
        assert not table.__annotations__  # a union's base
        return
    ours = {
        camel(field.name): 4 + 2 * (field.id + (field.kind == "union")) for field in flatbuffer.layout(table).fields
    }
    places = {name: place for name, place in generated_slots(theirs).items() if not name.endswith("Type")}
    assert places.items() <= ours.items()


@pytest.mark.parametrize("enum", enums(rows), ids=lambda e: e.__name__)
def test_litert_has_no_enumerator_of_tflite_that_the_rows_lack(enum: type[IntEnum]) -> None:
    generated = pytest.importorskip("ai_edge_litert.schema_py_generated", reason="LiteRT is not installed")
    theirs = {k: v for k, v in vars(getattr(generated, enum.__name__)).items() if not k.startswith("_")}
    assert {member.name: member.value for member in enum} == theirs


OURS_OF_LITERTLM = {"Boolean": "Bool"}


@pytest.mark.parametrize("table", tables(litertlm), ids=lambda t: t.__name__)
def test_litertlm_fields_have_the_generated_codes_ids(table: type[flat.Table]) -> None:
    name = "litert_lm_builder.litertlm_header_schema_py_generated"
    generated = pytest.importorskip(name, reason="litert-lm-builder is not installed")
    if table is litertlm.VData:
        members = {OURS_OF_LITERTLM.get(t.__name__, t.__name__): i for i, t in enumerate(table.__subclasses__(), 1)}
        assert members | {"NONE": 0} == {k: v for k, v in vars(generated.VData).items() if not k.startswith("_")}
        assert {v: k for k, v in vars(generated.AnySectionDataType).items() if not k.startswith("_")} == litertlm.KINDS
        return
    theirs = generated_slots(getattr(generated, OURS_OF_LITERTLM.get(table.__name__, table.__name__)))
    ours = {
        camel(field.name): 4 + 2 * (field.id + (field.kind == "union")) for field in flatbuffer.layout(table).fields
    }
    assert {name: place for name, place in theirs.items() if not name.endswith("Type") or name == "DataType"} == ours


def test_every_builtin_code_has_a_row() -> None:
    without = {"DELEGATE", "PLACEHOLDER_FOR_GREATER_OP_CODES"}
    assert {row.builtin.name for row in tfl_ops.OPERATORS} == {b.name for b in rows.BuiltinOperator} - without


def attribute_names() -> dict[tosa.Op, str]:
    """The generated code's names of the tables of attributes, by operator."""
    generated = vars(pytest.importorskip("tosa.Attribute", reason="tosa-tools is not installed").Attribute)
    return {tosa.Op(number): name for name, number in generated.items() if name.endswith("Attribute")}


TOSA_TABLES = {table.__name__: table for table in (*tables(tosa), *tosa.ATTRIBUTES.values()) if table.__annotations__}


@pytest.mark.parametrize("table", TOSA_TABLES.values(), ids=TOSA_TABLES)
def test_tosa_fields_have_the_generated_codes_ids(table: type[flat.Table]) -> None:
    generated_name = {tosa.ATTRIBUTES[op].__name__: name for op, name in attribute_names().items()}
    name = generated_name.get(table.__name__, table.__name__)
    module = pytest.importorskip(f"tosa.{name}", reason="tosa-tools is not installed")
    generated = generated_slots(getattr(module, name))
    for field in flatbuffer.layout(table).fields:
        place = field.id + (field.kind == "union")
        name = "_" + camel(field.name[1:]) if field.name.startswith("_") else camel(field.name)
        assert generated.get(name) == 4 + 2 * place, (field.name, generated)


@pytest.mark.parametrize("enum", enums(tosa), ids=lambda e: e.__name__)
def test_tosa_enumerations_have_the_generated_codes_values(enum: type[IntEnum]) -> None:
    generated = vars(getattr(pytest.importorskip(f"tosa.{enum.__name__}"), enum.__name__))
    assert {m.name: m.value for m in enum} == {k: v for k, v in generated.items() if not k.startswith("_")}


def test_tosa_attribute_union_follows_the_operators() -> None:
    names = attribute_names()
    assert [*tosa.ATTRIBUTES] == sorted(names)
    assert [*tosa.ATTRIBUTES.values()] == tosa.Attribute.__subclasses__()
    for op, name in names.items():
        assert op.name.replace("_", "").lower() + "attribute" == name.lower()


def test_operator_rows_follow_the_op_enumeration() -> None:
    first = [row.name for row in tosa_ops.OPERATORS if row.since == tosa_target.VERSION]
    later = [row.name for row in tosa_ops.OPERATORS if row.since == tosa_target.DRAFT]
    assert first == [tosa.Op(i).name for i in range(1, 76)]
    assert later == [tosa.Op(i).name for i in range(76, 101) if tosa.Op(i).name not in tosa_target.REMOVED_OPERATORS]


def test_rows_attributes_are_the_flatbuffers_fields() -> None:
    elsewhere = {"values", "name", "var_shape", "type", "initial_value"}
    for row in tosa_ops.OPERATORS:
        table = tosa.ATTRIBUTES[tosa.Op[row.name]]
        assert {attr.name for attr in row.attributes} - elsewhere == set(table.__annotations__), row.name


def test_enumerations_agree_with_the_flatbuffer_schema() -> None:
    ours = tosa_target.ENUMERATIONS
    assert ours["nan_mode"] == {m.name: m.value for m in tosa.NanPropagationMode if m.value}
    assert ours["rounding_mode"] == {m.name: m.value for m in tosa.RoundingMode if m.value}
    assert list(ours["resize_mode"].values()) == [m.value for m in tosa.ResizeMode if m.value]


def test_acc_type_is_an_element_type_in_the_flatbuffer_alone() -> None:
    generated = vars(pytest.importorskip("tosa.DType", reason="tosa-tools is not installed").DType)
    names = tosa_target.ENUMERATIONS["acc_type"]
    assert [generated[name] for name in names] == [5, 8, 7, 6]
    assert list(names.values()) == [1, 2, 3, 4]  # acc_type_t of TOSA.001000.1


def test_xnnpack_rows_number_fields_in_the_schemas_order() -> None:
    fields = [field.name for field in flatbuffer.layout(xnnpack.XNNGraph).fields]
    assert fields == [
        "version",
        "xnodes",
        "xvalues",
        "num_externs",
        "input_ids",
        "output_ids",
        "constant_buffer",
        "mem_buffer_sizes",
        "constant_data",
    ]
    ids = {field.name: field.id for field in flatbuffer.layout(xnnpack.XNode).fields}
    assert ids == {"xnode": 0, "debug_handle": 2, "output_min_max": 3}


def fbs(path: str) -> dict[str, str]:
    """Returns the tables, unions and enumerations of an ExecuTorch schema, each with the text in its braces."""
    package = importlib.util.find_spec("executorch")
    if package is None or not package.submodule_search_locations:
        pytest.skip("executorch is not installed")
    text = re.sub(r"//.*", "", (Path(package.submodule_search_locations[0]) / path).read_text())
    return dict(re.findall(r"(?:table|union|enum) (\w+)[^{]*\{(.*?)\}", text, re.DOTALL))


XNN_SCHEMA = "backends/xnnpack/serialization/schema.fbs"
PROGRAM_SCHEMA = "exir/_serialize/program.fbs"
DATA_SCHEMA = "extension/flat_tensor/serialize/flat_tensor.fbs"
OURS = {"xnode_union": "xnode", "xvalue_union": "xvalue"}  # fields with other names in PyTorch
BASES = {"OneOperand": "_XNNNode1x1", "TwoOperands": "_XNNNode2x1", "Concatenation": "_XNNCat"}
BASES |= {"Convolution": "_XNNNodeConv", "Pooling": "_XNNPooling2D"}


@pytest.mark.parametrize(
    ("module", "path"), [(xnnpack, XNN_SCHEMA), (executorch, PROGRAM_SCHEMA), (flat_tensor, DATA_SCHEMA)]
)
def test_executorchs_rows_are_those_of_its_schemas(module: ModuleType, path: str) -> None:
    theirs = fbs(path)
    for table in tables(module):
        name = BASES.get(table.__name__, {"Boolean": "Bool"}.get(table.__name__, table.__name__))
        if name not in theirs or table.__subclasses__():
            continue  # a node whose fields are its base's
        their_fields = [OURS.get(field, field) for field in re.findall(r"^\s*(\w+)\s*:", theirs[name], re.MULTILINE)]
        our_fields = list(flat.field_annotations(table))
        assert our_fields[: len(their_fields)] == their_fields, name
        assert len(our_fields) == len(their_fields) or name == "XNNTensorValue"  # XN00 had one more field
    for union in ("XNodeUnion", "XValueUnion", "XNNQuantParams", "KernelTypes", "InstructionArguments"):
        if union in theirs:
            members = [member.__name__.replace("Boolean", "Bool") for member in getattr(module, union).__subclasses__()]
            assert members == re.findall(r"(\w+)(?:\s*:\s*\w+)?\s*,", theirs[union] + ",")[: len(members)], union
    for enumeration in enums(module):
        if enumeration.__name__ in theirs:
            values = re.findall(r"(\w+) = (\d+)", theirs[enumeration.__name__])
            assert {member.name: member.value for member in enumeration} == {k: int(v) for k, v in values}


def test_importing_the_rows_does_not_import_the_tflite_package() -> None:
    source = Path(rows.__file__).read_text()
    assert "import tflite" not in source


@pytest.mark.parametrize("module", [rows, tosa, xnnpack, executorch])
def test_enumerations_are_those_of_the_standard_library(module: ModuleType) -> None:
    for ours in enums(module):
        members = {name: int(member) for name, member in vars(ours)["_by_name"].items()}
        theirs = enum.IntEnum(ours.__name__, members)  # type: ignore[misc]  # the name is no literal
        assert [(m.name, m.value, str(m), repr(m), f"{m}") for m in ours] == [
            (m.name, m.value, str(m), repr(m), f"{m}") for m in theirs
        ]
        assert len(ours) == len(theirs)
        for name in theirs.__members__:
            assert getattr(ours, name) is ours[name] is ours(theirs[name].value)
            assert pickle.loads(pickle.dumps(ours[name])) is copy.deepcopy(ours[name]) is ours[name]
            assert ours[name] == theirs[name]
        with pytest.raises(ValueError, match=f"12345 is not a valid {ours.__name__}"):
            ours(12345)


def test_scalar_types_have_the_numbers_of_pytorch() -> None:
    """The numbers are positions in c10's list of ScalarType; programs have no complex and no bits types."""
    listed = """
        BYTE CHAR SHORT INT LONG HALF FLOAT DOUBLE COMPLEXHALF COMPLEXFLOAT COMPLEXDOUBLE BOOL QINT8 QUINT8 QINT32
        BFLOAT16 QUINT4X2 QUINT2X4 BITS1X8 BITS2X4 BITS4X2 BITS8 BITS16 FLOAT8E5M2 FLOAT8E4M3FN FLOAT8E5M2FNUZ
        FLOAT8E4M3FNUZ UINT16 UINT32 UINT64
    """
    places = {name: place for place, name in enumerate(re.findall(r"\w+", listed))}
    assert {member.name: places[member.name] for member in executorch.ScalarType} == {
        member.name: member.value for member in executorch.ScalarType
    }


SCALARS = (bool, int, float)


@pytest.mark.parametrize("module", [xnnpack, executorch, flat_tensor, litertlm])
def test_numbers_of_schemas_without_defaults_are_0(module: ModuleType) -> None:
    """A missing number is 0, since the schemas state no default."""
    for table in tables(module):
        values = {name: getattr(table(), name, None) for name in table.__annotations__}
        assert not {name: value for name, value in values.items() if isinstance(value, SCALARS) and value}, table


def defaults(name: str) -> dict[str, object]:
    """Returns the numbers that the generated code gives for a table of TFLite without any field."""
    builder = flatbuffers.Builder()
    builder.StartObject(0)
    builder.Finish(builder.EndObject())
    table = getattr(tflite, name).GetRootAs(builder.Output())
    accessors = {field: getattr(table, camel(field), None) for field in flat.field_annotations(getattr(rows, name))}
    taken = {field: f for field, f in accessors.items() if f and not inspect.signature(f).parameters}
    return {field: value for field, f in taken.items() if isinstance(value := f(), SCALARS)}


@pytest.mark.parametrize("table", [t for t in tables(rows) if t.__name__ not in NEWER_TABLES], ids=lambda t: t.__name__)
def test_defaults_equal_the_generated_codes(table: type[flat.Table]) -> None:
    if hasattr(getattr(tflite, table.__name__, None), "GetRootAs"):  # unions have none
        ours = table()
        for field, value in defaults(table.__name__).items():
            mine = getattr(ours, field)
            assert (mine == value) or (not mine and not value), field


@pytest.mark.parametrize("name", ["Conv2DOptions", "DepthwiseConv2DOptions", "Pool2DOptions", "TransposeConvOptions"])
def test_defaults_of_windows_equal_the_generated_codes(name: str) -> None:
    values = defaults(name)
    ours = Windowed()
    shared = values.keys() & Windowed.__annotations__.keys()
    assert {"padding", "stride_w", "stride_h"} <= shared
    assert {field: values[field] for field in shared} == {field: int(getattr(ours, field)) for field in shared}


def test_members_are_the_integers_whose_names_begin_with_a_letter() -> None:
    """Other characters may follow; a second name of a number is an alias of the member."""

    class Odd(IntEnum):
        A = 1
        B_ = 2
        C_D = 3
        TWICE = 1

        def text(self) -> str:
            return f"{self.name} of {self.value}"

    assert [(member.name, member.value) for member in Odd] == [("A", 1), ("B_", 2), ("C_D", 3)]
    assert (Odd["TWICE"], Odd(1), len(Odd), Odd.TWICE.text()) == (Odd.A, Odd.A, 3, "A of 1")
