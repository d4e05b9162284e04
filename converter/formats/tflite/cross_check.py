"""A second opinion on the reading of a TFLite file: every field as our rows read it, and as the `tflite` package does.

The package's generated code doesn't check bounds. So a file is read only after our checked reader has accepted it, only
as many elements are asked for as ours found, and an exception of the package is one more difference.
"""

import inspect
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.errors import MissingExtra, shortened
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.flatbuffer import Bytes
from tosa_converter.formats.flatbuffer.layout import Field
from tosa_converter.formats.tflite.reader import read_tflite
from tosa_converter.ir import Model, Value
from tosa_converter.schemas import flat, tflite
from tosa_converter.schemas.flat import Table

MOST_DIFFERENCES = 100  # that are kept; all are counted
_PARTS = ("Length", "AsNumpy", "IsNone")  # ends of further functions for a vector
_ABSENT = "absent"
_BUILTIN_CODE = "BuiltinCode"


class ReaderDifference(NamedTuple):
    """A field that the two readers read differently: its place in the file, and both values as text."""

    place: str
    value: str
    package_value: str


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """The comparison of our reading of a TFLite file with that of the `tflite` package.

    Attributes:
        file: the file.
        package: the version of the package.
        tables: how many tables were compared.
        fields: how many fields of tables were compared.
        count: how many differences there are.
        differences: the first hundred of them.
        newer: places of fields that the file has and the package's schema doesn't have yet, which aren't compared.
    """

    file: str
    package: str
    tables: int
    fields: int
    count: int
    differences: tuple[ReaderDifference, ...]
    newer: tuple[str, ...]

    @property
    def verdict(self) -> bool:
        """Whether both readers read the same."""
        return not self.count

    def figures(self) -> dict[str, Any]:
        """Returns the report as plain data, for JSON."""
        differences = [difference._asdict() for difference in self.differences]
        return asdict(self) | {"verdict": self.verdict, "differences": differences}


def cross_check(data: Bytes, file: str = "") -> CrossCheck:
    """Reads a TFLite file with both readers, and returns where they differ.

    Raises:
        MissingExtra: the `tflite` package isn't installed.
        FormatError: our reader refuses the file.
    """
    try:
        import tflite as package
    except ImportError:
        raise MissingExtra("reading a file a second time", "verify") from None
    from importlib.metadata import version

    model = read_tflite(data, file=file)
    comparison = _Comparison(package)
    root = flatbuffer.read(tflite.Model, data, tflite.IDENTIFIER, file=file)
    other = comparison.ask("Model", lambda: package.Model.GetRootAs(data, 0))
    if not isinstance(other, _Unreadable):
        comparison.compare_tables("Model", root, other)
        comparison.compare_graphs(model, other)
    return CrossCheck(
        file=file,
        package=version("tflite"),
        tables=comparison.tables,
        fields=comparison.fields,
        count=comparison.count,
        differences=tuple(comparison.differences),
        newer=tuple(comparison.newer),
    )


class _Unreadable(str):
    """What the package raised in place of a value."""


class _Comparison:
    """The comparison of one file's tables: what was compared, and what differs."""

    def __init__(self, package: Any) -> None:
        """Starts a comparison of this project's tables of a file with what PyPI's package `tflite` (a module) reads.

        It counts compared tables and fields and the differences, and keeps the paths of fields that the package doesn't
        know.
        """
        self.package = package
        self.tables = self.fields = self.count = 0
        self.differences: list[ReaderDifference] = []
        self.newer: list[str] = []

    def ask(self, place: str, read: Callable[[], Any]) -> Any:
        """Returns what the package reads, or what it raised, which is noted as a difference."""
        try:
            return read()
        except Exception as error:  # whatever unchecked code does with these bytes is an answer about them
            answer = _Unreadable(shortened(f"unreadable: {type(error).__name__}: {error}"))
            self.note(place, "readable", answer)
            return answer

    def note(self, place: str, value: Any, package_value: Any) -> None:
        """Counts a difference, and keeps both values as short text if it is one of the first."""
        self.count += 1
        if len(self.differences) < MOST_DIFFERENCES:
            self.differences.append(ReaderDifference(place, _text(value), _text(package_value)))

    def compare_values(self, place: str, value: Any, package_value: Any) -> None:
        """Notes a difference unless two values are equal, or both NaN; what was unreadable is noted already."""
        if isinstance(package_value, _Unreadable):
            return
        is_nan = value != value and package_value != package_value
        if value != package_value and not is_nan:
            self.note(place, value, package_value)

    def compare_tables(self, place: str, table: Table, other: Any) -> None:
        """Compares the fields of a table with those of `other`, the package's object for the same table.

        A field that the package doesn't know yet is no difference; its path goes to `newer` if it is set. A field that
        only the package knows is a difference if it is set.
        """
        self.tables += 1
        compiled = flatbuffer.layout(type(table))
        for field in compiled.fields:
            path, name = f"{place}.{field.name}", _accessor(field.name)
            if not hasattr(other, name):
                if getattr(table, field.name) != field.default:
                    self.newer.append(path)
                continue
            self.fields += 1
            self.compare_field(path, field, getattr(table, field.name), other, name)
        # Of fields that only the package has, all must be unset.
        covered = {_accessor(name) for name in flat.field_annotations(type(table))}
        covered |= {f"{_accessor(field.name)}Type" for field in compiled.fields if field.kind == "union"}
        for name in _accessors(type(other)) - covered:
            value = self.ask(f"{place}.{name}", partial(_value_or_length, other, name))
            if value:
                self.note(f"{place}.{name}", _ABSENT, value)

    def compare_field(self, place: str, field: Field, value: Any, other: Any, name: str) -> None:
        """Compares a field of a table, of any kind, with what the package reads.

        `other` is the package's object for the table, and `name` that of its function for the field. The field
        builtin_code is read without the package's function, which may return another field.
        """
        if field.kind == "scalar":
            read = partial(_builtin_code, other) if name == _BUILTIN_CODE else getattr(other, name)
            self.compare_values(place, value, self.ask(place, read))
        elif field.kind == "string":
            package_value = self.ask(place, getattr(other, name))
            self.compare_values(place, value, _decode_text(package_value))
        elif field.kind == "view":
            self.compare_views(place, value, other, name)
        elif field.kind == "table":
            self.compare_presence(place, value, self.ask(place, getattr(other, name)))
        elif field.kind == "union":
            self.compare_unions(place, field, value, other, name)
        else:
            self.compare_vectors(place, field, value, other, name)

    def compare_presence(self, place: str, value: Table | None, package_value: Any) -> None:
        """Notes a difference if only one reader has a table that may be absent; compares the fields if both have it."""
        if isinstance(package_value, _Unreadable):
            return
        if value is None or package_value is None:
            if value is not package_value:
                self.note(place, _presence(value), _presence(package_value))
            return
        self.compare_tables(place, value, package_value)

    def compare_views(self, place: str, value: "np.ndarray[Any, Any] | None", other: Any, name: str) -> None:
        """Compares a vector of numbers that our reader views in the file, by its bytes.

        `other` is the package's table, and `name` the begin of the names of its functions for the field.
        """
        is_absent = self.ask(place, getattr(other, f"{name}IsNone"))
        if isinstance(is_absent, _Unreadable):
            return
        if value is None or is_absent:
            if (value is None) != is_absent:
                self.note(place, _presence(value), _ABSENT if is_absent else "present")
            return
        package_value = self.ask(place, getattr(other, f"{name}AsNumpy"))
        if not isinstance(package_value, _Unreadable) and not _are_same_bytes(value, package_value):
            self.note(place, _digest(value), _digest(package_value))

    def compare_vectors(self, place: str, field: Field, values: tuple[Any, ...], other: Any, name: str) -> None:
        """Compares a vector of numbers, texts or tables: its length, then its elements.

        Numbers are compared all at once. `other` is the package's table, and `name` the beginning of the names of its
        functions for the field.
        """
        length = self.ask(place, getattr(other, f"{name}Length"))
        if isinstance(length, _Unreadable):
            return
        self.compare_values(f"{place} (length)", len(values), length)
        count = min(len(values), length) if isinstance(length, int) else 0
        if field.kind == "scalars" and count and hasattr(other, f"{name}AsNumpy"):
            elements = self.ask(place, lambda: getattr(other, f"{name}AsNumpy")().tolist())
            if not isinstance(elements, _Unreadable) and length == len(values):
                self.compare_values(place, list(map(_enum_as_number, values)), elements)
            return
        for i in range(count):
            element, at = self.ask(f"{place}[{i}]", partial(getattr(other, name), i)), f"{place}[{i}]"
            if field.kind == "tables":
                self.compare_presence(at, values[i], element)
            else:
                self.compare_values(at, values[i], _decode_text(element) if field.kind == "strings" else element)

    def compare_unions(self, place: str, field: Field, value: Table | None, other: Any, name: str) -> None:
        """Compares a union: the kind of its table by the package's own numbers, then the table.

        A kind that the package doesn't know yet is no difference; its path goes to `newer`. `other` is the package's
        object for the table that holds the union, `name` the name of its function for it.
        """
        tag = self.ask(place, getattr(other, f"{name}Type"))
        if isinstance(tag, _Unreadable):
            return
        # Our classes for a union's tables have a common base, named as the package's enumeration of the kinds.
        union = field.member[0].__bases__[0].__name__
        members = {number: member for member, number in vars(getattr(self.package, union)).items() if member[0] != "_"}
        kind = members.get(tag, f"kind {tag}")
        if tag not in members and value is not None:
            self.newer.append(place)
            return
        if (type(value).__name__ if value is not None else "NONE") != kind:
            self.note(place, type(value).__name__ if value is not None else "NONE", kind)
        elif value is not None:
            table = self.ask(place, getattr(other, name))
            if table is None or isinstance(table, _Unreadable):
                self.compare_presence(place, value, table)
                return
            member = getattr(self.package, kind)()
            member.Init(table.Bytes, table.Pos)
            self.compare_tables(place, value, member)

    def compare_graphs(self, model: Model, root: Any) -> None:
        """Compares inputs and outputs of the graphs as they were read with the package's tensors.

        What the package fails to read is noted as a difference, and not compared.
        """
        types = {number: name.lower() for name, number in vars(self.package.TensorType).items() if name[0] != "_"}
        for i, graph in enumerate(model.graphs.values()):
            place = f"subgraph {i}"
            subgraph = self.ask(place, partial(root.Subgraphs, i))
            if isinstance(subgraph, _Unreadable):
                continue
            for role, values in (("Inputs", graph.inputs), ("Outputs", graph.outputs)):
                count = self.ask(place, getattr(subgraph, f"{role}Length"))
                for j, value in enumerate(values[: count if isinstance(count, int) else 0]):
                    at = f"{place} {role.lower()}[{j}]"
                    read = self.ask(at, partial(_package_tensor_facts, subgraph, role, j, types))
                    self.compare_values(at, _value_facts(value), read)


def _package_tensor_facts(subgraph: Any, role: str, number: int, types: dict[int, str]) -> tuple[Any, ...]:
    """Returns (element type, shape, scales) of an input or output, as the `tflite` package reads them.

    `role` is the package's accessor (Inputs or Outputs), `number` the position in it, and `types` names element types.
    For an absent vector the package returns the number 0 in place of an array.
    """
    tensor = subgraph.Tensors(getattr(subgraph, role)(number))
    has_signature = tensor.ShapeSignatureLength() == tensor.ShapeLength() > 0
    sizes = tensor.ShapeSignatureAsNumpy() if has_signature else tensor.ShapeAsNumpy()
    shape = [] if isinstance(sizes, int) else [None if size == -1 else size for size in sizes.tolist()]
    quantization = tensor.Quantization()
    scales = quantization.ScaleAsNumpy() if quantization is not None else 0
    return types.get(tensor.Type()), shape, [] if isinstance(scales, int) else scales.tolist()


def _value_facts(value: Value) -> tuple[Any, ...]:
    """Returns (element type, shape, scales) of a graph's value, to compare with what the `tflite` package reads."""
    quant = value.type.quant
    return value.type.dtype.plain_name, list(value.type.shape), list(quant.scale) if quant is not None else []


def _builtin_code(other: Any) -> int:
    """Returns the field builtin_code of the package's OperatorCode.

    The package's function answers with the older field where this one is below 127, also where the older one is 0, as
    ai-edge-quantizer writes it; LiteRT takes the larger of both.
    """
    from flatbuffers import number_types

    distance = other._tab.Offset(10)  # of the fourth field: 4 + 2 * 3
    return int(other._tab.Get(number_types.Int32Flags, distance + other._tab.Pos)) if distance else 0


def _accessor(name: str) -> str:
    """Returns the name of the package's function for a field: OpcodeIndex for opcode_index."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _accessors(cls: type) -> set[str]:
    """Returns the names of a package class's functions that read a field's value.

    Further functions for a vector are left out: those of its length, its numpy array and its absence.
    """
    names = {name for name, function in vars(cls).items() if inspect.isfunction(function) and name[0] != "_"}
    further = {name + part for name in names for part in _PARTS}
    return names - further - {"Init"}


def _value_or_length(other: Any, name: str) -> Any:
    """Returns what the `tflite` package reads: a field's value, or for a vector the number of its elements."""
    return getattr(other, f"{name}Length", getattr(other, name))()


def _enum_as_number(value: Any) -> Any:
    """Returns an enumeration's member as its number, any other value as it is."""
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _decode_text(text: Any) -> Any:
    """Returns a text as our reader has it: decoded, and empty if it is absent."""
    if isinstance(text, bytes):
        return text.decode("utf-8", "surrogateescape")
    return "" if text is None else text


def _are_same_bytes(array: "np.ndarray[Any, Any]", other: "np.ndarray[Any, Any]") -> bool:
    """Returns whether two arrays have the same type, shape and bytes; at one address the bytes aren't compared."""
    if array.dtype != other.dtype or array.shape != other.shape:
        return False
    return array.ctypes.data == other.ctypes.data or array.tobytes() == other.tobytes()


def _digest(array: "np.ndarray[Any, Any]") -> str:
    """Returns an array's type, number of elements and the start of its hash, to tell arrays apart in a report."""
    return f"{array.dtype}[{array.size}] with sha256 {sha256(array.tobytes()).hexdigest()[:16]}"


def _presence(value: Any) -> str:
    """Returns whether there is a value, in a word."""
    return _ABSENT if value is None else "present"


def _text(value: Any) -> str:
    """Returns a value as short text."""
    return shortened(value if isinstance(value, str) else repr(value))
