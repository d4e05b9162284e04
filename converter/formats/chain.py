"""Chains: a partly converted source, as a manifest with the TOSA files and the `.tflite` files of the rest beside it.

A chain is a graph of operators `chain.step`, each of which runs the model that is its attribute. Tensors between them
have TOSA's types. The manifest is JSON: inputs, steps in order, each with its file and tensors, and outputs.
"""

import json
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.errors import FormatError
from tosa_converter.formats.storage import Bytes, FilePath, map_file, write_atomically
from tosa_converter.formats.tflite.reader import read_tflite
from tosa_converter.formats.tflite.writer import write_tflite
from tosa_converter.formats.tosa.reader import read_tosa
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.rules.gate import require_legal

STEP = "chain.step"
FORMAT = "tosa-converter chain"
VERSION = 1
MOST = 1 << 24  # bytes of a manifest
MAX_SIZE = 0x7FFFFFFF
_READERS: dict[str, Callable[..., Model]] = {".tosa": read_tosa, ".tflite": read_tflite}
_WRITERS = {"tosa": (".tosa", write_tosa), "tfl": (".tflite", write_tflite)}

T = TypeVar("T")

# ** writing **


def save_chain(model: Model, path: FilePath, *, debug: bool = False) -> int:  # noqa: ARG001  # names are always kept
    """Writes a chain, a source split into TOSA pieces and the rest: a JSON manifest, and a model file for each piece.

    The manifest is at `path`, the models beside it. Returns the size of all files.
    """
    folder, graph = os.path.dirname(os.fspath(path)), model.main
    written: list[tuple[str, list[Bytes]]] = []
    for i, op in enumerate(graph):
        part: Model = op.attributes["model"]
        require_legal(part)
        ending, write = _WRITERS[part.opset]
        written.append((f"{i}{ending}", write(part)))
    steps = [
        {"file": file, "inputs": [v.name for v in op.operands], "outputs": list(map(_describe_tensor, op.results))}
        for (file, _), op in zip(written, graph, strict=True)
    ]
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "numerics": model.metadata.get("numerics", ""),
        "inputs": list(map(_describe_tensor, graph.inputs)),
        "steps": steps,
        "outputs": [value.name for value in graph.outputs],
    }
    size = sum(write_atomically(os.path.join(folder, file), pieces) for file, pieces in written)
    return size + write_atomically(path, [json.dumps(manifest, indent=2).encode(), b"\n"])


def _describe_tensor(value: Value) -> dict[str, Any]:
    """Returns the JSON description of a tensor for a chain's manifest: name, type and shape."""
    return {"name": value.name, "type": value.type.dtype.value, "shape": list(value.type.shape)}


# ** reading **


def looks_like_chain(data: Bytes) -> bool:
    """Returns whether bytes begin like the manifest of a chain.

    The manifest lists the models of a partly converted source as JSON.
    """
    begin = bytes(data[:200])
    return begin.lstrip().startswith(b"{") and FORMAT.encode() in begin


def read_chain(data: Bytes, *, file: str = "") -> Model:
    """Reads a chain: its manifest, which lists models that run one after the other, and the model files beside it.

    Raises:
        FormatError: it is malformed, names a file that isn't beside it, or tensors that aren't the file's.
    """
    try:
        return _Reader(file).model(_parse_manifest(data))
    except FormatError as error:
        error.file = error.file or file
        raise


def _parse_manifest(data: Bytes) -> dict[str, Any]:
    """Returns the JSON object of a chain's manifest, after checks of size, format and version."""
    if len(data) > MOST:
        raise FormatError(f"expected a manifest of at most {MOST} bytes, found {len(data)}")
    try:
        root = json.loads(bytes(data))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"expected a manifest in JSON: {error}") from None
    if not isinstance(root, dict) or [root.get("format"), root.get("version")] != [FORMAT, VERSION]:
        raise FormatError(f"expected a manifest of format {FORMAT!r}, version {VERSION}")
    return root


def _require_field(table: Any, name: str, kind: type[T], place: str) -> T:
    """Returns a field of a JSON object; raises FormatError if it is missing or of another type.

    `place` is its path in messages.
    """
    value = table.get(name) if isinstance(table, dict) else None
    if not isinstance(value, kind):
        raise FormatError(f"expected {kind.__name__} {name!r}, found {type(value).__name__}", path=place)
    return value


class _Reader:
    """Reads one manifest, and keeps its tensors by name and the names of the files read so far."""

    def __init__(self, file: str) -> None:
        """Prepares to read a chain: the manifest at the path `file`, and the models beside it that it lists."""
        self.file = file
        self.folder = os.path.dirname(file)
        self.values: dict[str, Value] = {}
        self.files: set[str] = set()

    def model(self, root: dict[str, Any]) -> Model:
        """Builds the model of a chain from the manifest's JSON: one graph with an operator for each step."""
        if not self.file:
            raise FormatError("a manifest has files beside it, so it is read by its path")
        graph = Graph("main", self.add_tensors(_require_field(root, "inputs", list, ""), "inputs"))
        for i, step in enumerate(_require_field(root, "steps", list, "")):
            graph.ops.append(self.read_step(step, f"steps[{i}]"))
        graph.outputs = self.find_tensors(_require_field(root, "outputs", list, ""), "outputs")
        model = Model({"main": graph}, source=self.file, opset="chain")
        model.metadata["numerics"] = _require_field(root, "numerics", str, "")
        return model

    def read_step(self, table: Any, place: str) -> Op:
        """Returns the operator of one step of a chain, which runs the model of the step's file.

        Checks that the tensors in the manifest match the inputs and outputs of that model.
        """
        inputs = self.find_tensors(_require_field(table, "inputs", list, place), f"{place}.inputs")
        file = _require_field(table, "file", str, place)
        part = self.read_part(file, f"{place}.file")
        outputs = self.add_tensors(_require_field(table, "outputs", list, place), f"{place}.outputs")
        for manifest_values, file_values in ((inputs, part.main.inputs), (outputs, part.main.outputs)):
            _require_matching_tensors(manifest_values, file_values, file, place)
        op = Op(STEP, inputs, [value.type for value in outputs], {"model": part}, location=file)
        for value in outputs:
            value.producer = op
        op.results = tuple(outputs)
        return op

    def read_part(self, name: str, place: str) -> Model:
        """Reads the model of a chain's step from a file beside the manifest.

        Refuses paths that lead elsewhere, and a file used twice.
        """
        ending = os.path.splitext(name)[1]
        # Refused: ../a.tosa and b/a.tosa, which aren't their own last part; a\b.tosa, a path on Windows; and a.tosa
        # if it is a link, whose real path is another.
        is_plain_name = name == os.path.basename(name) and not set(name) & set("\\\0") and ending in _READERS
        path = os.path.join(self.folder, name)
        if not is_plain_name or not os.path.isfile(path) or os.path.realpath(path) != os.path.join(self.root, name):
            raise FormatError(f"expected a .tosa or .tflite file beside the manifest, found {name!r}", path=place)
        if name in self.files:
            raise FormatError(f"expected a separate file for each step, found {name!r} twice", path=place)
        self.files.add(name)
        return _READERS[ending](map_file(path), file=path)

    @property
    def root(self) -> str:
        """The folder of the chain's manifest, without symbolic links."""
        return os.path.realpath(self.folder or ".")

    def find_tensors(self, names: Sequence[Any], place: str) -> list[Value]:
        """Returns the values of a chain's tensors by name.

        Raises FormatError for a name that no input or earlier step defines.
        """
        for name in names:
            if not isinstance(name, str) or name not in self.values:
                raise FormatError(f"tensor {name!r} is used before any step makes it", path=place)
        return [self.values[name] for name in names]

    def add_tensors(self, tables: Sequence[Any], place: str) -> list[Value]:
        """Creates values for the tensors that the manifest describes, and keeps them by name.

        Raises FormatError for a name used twice.
        """
        values = [_decode_tensor(table, f"{place}[{i}]") for i, table in enumerate(tables)]
        for value in values:
            if value.name in self.values:
                raise FormatError(f"tensor {value.name!r} is made twice", path=place)
            self.values[value.name] = value
        return values


def _decode_tensor(table: Any, place: str) -> Value:
    """Returns a new value with the name, type and shape that a chain's manifest describes; `place` is for messages."""
    name, text = _require_field(table, "name", str, place), _require_field(table, "type", str, place)
    shape = _require_field(table, "shape", list, place)
    dtypes = {dtype.value: dtype for dtype in DType}
    if text not in dtypes or not all(n is None or (type(n) is int and 0 <= n <= MAX_SIZE) for n in shape):
        raise FormatError(f"expected a type and a shape, found {text!r} and {shape}", path=place)
    return Value(TensorType(dtypes[text], tuple(shape)), name)


def _require_matching_tensors(
    manifest_values: Sequence[Value], file_values: Sequence[Value], file: str, place: str
) -> None:
    """Raises FormatError unless the manifest's tensors match a step's inputs or outputs in number, type and shape.

    Types are compared without sign, as the manifest has TOSA's; an unknown size (None) matches any.
    """
    if len(manifest_values) != len(file_values):
        raise FormatError(
            f"expected the {len(file_values)} tensors of {file!r}, found {len(manifest_values)}", path=place
        )
    for value, inner in zip(manifest_values, file_values, strict=True):
        dtype = SIGNLESS.get(inner.type.dtype, inner.type.dtype)
        sizes = zip(value.type.shape, inner.type.shape, strict=False)
        fits = value.type.rank == inner.type.rank and all(a == b or None in (a, b) for a, b in sizes)
        if value.type.dtype is not dtype or not fits:
            raise FormatError(f"{file!r} has {inner!r}, the manifest {value!r}", path=place)
