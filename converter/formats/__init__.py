"""Bytes to graph and back: files are told apart by their content when read, by their ending when written."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tosa_converter.errors import FormatError, UnsupportedError, UsageError
from tosa_converter.formats.containers import CONTAINER_MAGICS, ZIP_MAGICS, Content, open_container, read_member
from tosa_converter.formats.containers.members import Container
from tosa_converter.formats.data_files import DataFiles
from tosa_converter.formats.storage import (
    Bytes,
    FilePath,
    map_file,
    require_unchanged,
    split_member,
    write_atomically,
)
from tosa_converter.formats.table import (
    BY_ENDING,
    FORMATS,
    INPUTS,
    MANIFEST,
    MLIR_ENDING,
    PER_GRAPH,
    WEIGHTS_ENDING,
    XNNPACK_ENDING,
    Format,
)
from tosa_converter.ir import Model, Origin
from tosa_converter.rules.gate import require_legal

_OPTIONS = {
    "debug": "--debug-info (debug)",
    "flags": "--iree-flag (flags)",
    "constants": "--constants (constants)",
}  # as the command calls them


def _import_function(place: str) -> Callable[..., Any]:
    """Returns the function that `module:name` states, relative to this package.

    Its module is imported only now, which keeps the start short.
    """
    from importlib import import_module

    module, name = place.split(":")
    function: Callable[..., Any] = getattr(import_module(f"{__name__}.{module}"), name)
    return function


def load(path: FilePath, *, delegate: int | None = None) -> Model:
    """Reads a model of a supported format (.tflite, .tosa, .spv, .vgf, .pte, XNNGraph, .mlir, .mlirbc), by its content.

    Of a container (.task, .zip, .litertlm), the member that the path names behind a colon is read, or the only model.
    Weights are views of the file's bytes, which are mapped from 64 MB on. Of a folder its manifest is read. If an
    ExecuTorch program has several delegates, `delegate` is the number of the one whose graph is read.

    Raises:
        UsageError: there is no such file or delegate.
        FormatError: the content is malformed or of no known format.
    """
    path = model_file(path)
    return parse(map_file(path), file=path, delegate=delegate)


def model_file(path: FilePath) -> str:
    """Returns the path of a model's file: the path itself, or for the folder of a chain that of its manifest.

    The manifest may be missing.

    Raises:
        UsageError: it is a folder of another tool, such as a SavedModel.
    """
    path = os.fspath(path)
    if not os.path.isdir(path):
        return path
    manifest = os.path.join(path, MANIFEST)
    if not os.path.exists(manifest):
        refuse_foreign_folder(path)
    return manifest


def refuse_foreign_folder(path: str) -> None:
    """Raises UsageError for a folder of another tool, such as a SavedModel, with what to do."""
    from tosa_converter.formats.foreign import next_step, recognize_folder

    foreign = recognize_folder(path)
    if foreign is not None:
        raise UsageError(f"{path}: expected a model, found {foreign.kind}", next_step(foreign, path))


def parse(data: Bytes, *, file: str = "", delegate: int | None = None) -> Model:
    """Reads a model from the bytes of a file of any supported format, recognized by content.

    `file` is its name, for messages and for files beside it. `delegate` is the number of a delegate of an ExecuTorch
    program: its graph is read instead of the program.
    """
    return parse_content(unwrap(data, file), file=file, delegate=delegate)


def parse_content(content: Content, *, file: str = "", delegate: int | None = None) -> Model:
    """Reads a model from its content, which has been taken out of a container if there is one; see `parse`.

    It raises UsageError if a mapped file changed before or while it was read.
    """
    require_unchanged(file)
    data, weights = content
    row = recognize_format(data, file)
    if delegate is not None and not row.delegates:
        raise UsageError(
            f"{file}: expected a program (.pte) to read a delegate from, found {row.name}", "next: leave out --delegate"
        )
    options: dict[str, Any] = {} if delegate is None else {"delegate": delegate}
    if row.data_files:
        options["data_files"] = DataFiles(file, weights)
    model: Model = _import_function(row.read)(data, file=file, **options)
    if row.ending == ".tosa" and os.path.isfile(os.path.splitext(file)[0] + WEIGHTS_ENDING):
        _import_function("tosa.weights:attach_weights")(model, file)
    if model.opset == "tosa":
        _restore_origins(model)
    require_unchanged(file)
    return model


def _restore_origins(model: Model) -> None:
    """Sets the `origin` of values of a TOSA model: the source value that they hold in another type or shape.

    The ending of a name tells it: `x_int8` holds the uint8 tensor x. TOSA files have nothing else that does.
    """
    for graph in model.graphs.values():
        for op in graph.walk():
            for value in op.results:
                value.origin = Origin.of(value.name)


def find_container(data: Bytes, file: str) -> Container | None:
    """Returns the members of a zip archive or a LiteRT-LM bundle; None for other files and for archives of other tools.

    Raises FormatError if it is malformed.
    """
    try:
        return open_container(data, file, _member_format)
    except FormatError:
        from tosa_converter.formats.foreign import ZIP, recognize_foreign

        if bytes(data[:4]) not in ZIP_MAGICS or recognize_foreign(data, file) in (None, ZIP):
            raise
        return None  # the message about that tool's format helps more than what is malformed


def unwrap(data: Bytes, file: str) -> Content:
    """Returns the content of a model: of a container, that of the member in `file` (`a.zip:member`) or the only model.

    A file that is no container, or a container without models, is its own content.

    Raises:
        UsageError: the name doesn't say which model, or names a member that there is not.
        FormatError: a container or member is malformed.
    """
    container = find_container(data, file)
    if container is not None:
        return read_member(container, file) or Content(data)
    path, member = split_member(file)
    if member:
        raise UsageError(f"{path}: expected an archive with the member {member!r}, found another file")
    return Content(data)


def _member_format(begin: Bytes, name: str) -> str:
    """Returns the name of the format of a container's member, or "" if it is no model.

    Its first bytes tell that; for XNNPACK graphs and MLIR text the ending of its name does.
    """
    ending = os.path.splitext(name)[1].lower()
    for row in FORMATS:
        if begin[:4] in row.marks or (row.identifier and row.identifier == begin[4:8]):
            return row.name
        if row.recognize and row.ending == ending and ending in (XNNPACK_ENDING, MLIR_ENDING):
            return row.name
    return ""


def is_container(path: FilePath) -> bool:
    """Returns whether a file begins as a zip archive or a LiteRT-LM bundle does."""
    with open(path, "rb") as file:
        return file.read(4) in CONTAINER_MAGICS


def read_content(path: FilePath) -> Bytes:
    """Returns the bytes of a model's file, or of the member of a container that the path names."""
    return unwrap(map_file(path), os.fspath(path)).data


def recognize_format(data: Bytes, file: str) -> Format:
    """Returns the format of a file's bytes, by magic number, flatbuffer identifier or content.

    Raises FormatError if it is unknown.
    """
    begin, identifier = bytes(data[:4]), bytes(data[4:8])
    for row in FORMATS:
        if begin in row.marks or (row.identifier and row.identifier == identifier):
            return row
    from tosa_converter.formats.foreign import next_step, recognize_foreign, recognize_identifier

    foreign = recognize_identifier(identifier)  # before the formats without a mark: an XNNGraph may be any flatbuffer
    for row in FORMATS if foreign is None else ():
        if row.recognize and _import_function(row.recognize)(data):
            return row
    foreign = foreign or recognize_foreign(data, file)
    if foreign is not None:
        kinds = "a TFLite model, an XNNPACK graph, an ExecuTorch program or TOSA"
        raise FormatError(f"expected {kinds}, found {foreign.kind}", next_step(foreign, file), file=file)
    marked = [
        f"{row.name} (identifier {row.identifier.decode()})" if row.identifier else row.name
        for row in FORMATS
        if row.marks or row.identifier
    ]
    content = f"{len(data)} bytes beginning with {bytes(data[:8])!r}" if data else "an empty file"
    raise FormatError(f"expected {', '.join(marked)}, an XNNGraph or MLIR text, found {content}", file=file)


def encode(
    model: Model, format: str, *, debug: bool = False, flags: Sequence[str] = (), dialect: str = ""
) -> list[Bytes]:
    """Returns a model in the format that a file ending names, as pieces to write one after the other.

    A format with files beside it, such as `.spv`, can only be saved to a path. `debug` keeps names and locations,
    `flags` are those of IREE's compiler, and the `dialect` "iree" spells a `.mlir` as that compiler takes it.

    Raises:
        MissingExtra: the format needs an optional package.
        UsageError: no writer for that ending, or one that needs a path.
        VerifyError: the model is illegal at every level and target.
        UnsupportedError: the model can't be expressed in the format.
    """
    row = find_writable_format(model, format)
    if not row.write:
        raise UsageError(
            f"a {row.ending} has files beside it, so it can only be saved to a path", f"next: -o FILE{row.ending}"
        )
    return list(_encode(model, row, debug=debug, flags=flags, dialect=dialect))


def _encode(model: Model, row: Format, **options: object) -> Iterable[Bytes]:
    """Encodes a model in a format, and returns the pieces of bytes to write in order; some are made only when read.

    Refuses options that the format doesn't take.
    """
    _require_options(row, options)
    taken = {name: options[name] for name in row.takes if name in options}
    pieces: Iterable[Bytes] = _import_function(row.write)(model, **taken)
    return pieces


def _require_options(row: Format, options: Mapping[str, object]) -> None:
    """Raises UsageError for an option of `save` that the format doesn't take."""
    for name, value in options.items():
        if value and name not in row.takes:
            takers = " or ".join(taker.ending for taker in FORMATS if name in taker.takes)
            option = _OPTIONS.get(name, name)
            raise UsageError(f"{option}: expected an output ending in {takers}, found {row.ending}")


def require_room_for(model: Model, ending: str) -> None:
    """Raises UnsupportedError if a file with this ending can't hold the constants of a model.

    Most formats have no limit. It is also called with a source, before the conversion.
    """
    row = BY_ENDING.get(ending)
    if row is not None and row.most:
        from tosa_converter.formats.capacity import require_room

        require_room(model, ending, row.most)


def find_writable_format(model: Model, ending: str) -> Format:
    """Returns the format of a file ending; raises unless the model is legal and the format can hold it."""
    require_unchanged(model.source)
    row = BY_ENDING.get(ending)
    require_legal(model, unknown_dims=row is not None and row.unknown_dims)
    if row is None:
        endings = ", ".join(row.ending for row in BY_ENDING.values() if row.opset in ("", model.opset))
        raise UsageError(f"expected an output ending in {endings}, found {ending or 'none'!r}")
    if row.opset not in ("", model.opset):
        raise UsageError(
            f"a {row.ending} holds a graph of {row.opset} operators, this one is of {model.opset} operators"
        )
    if row.outputs and not all(graph.outputs for graph in model.graphs.values()):
        raise UnsupportedError(f"expected at least one output for a {row.ending}, found none")
    require_room_for(model, ending)
    return row


def paths_of_graphs(model: Model, path: FilePath, *, format: str = "") -> list[str]:
    """Returns the paths that `save` writes: the path itself, or `<stem>.<graph>` if a file holds only one graph."""
    if (format or os.path.splitext(path)[1]).lower() not in PER_GRAPH:
        return [os.fspath(path)]
    from tosa_converter.formats.spirv.constants import graph_paths

    return [str(graph_path) for graph_path in graph_paths(model, path)]


def save(
    model: Model,
    path: FilePath,
    *,
    format: str = "",
    debug: bool = False,
    flags: Sequence[str] = (),
    dialect: str = "",
    constants: str = "",
) -> int:
    """Writes a model in the format of the path's ending, or of `format` (an ending), and returns the size in bytes.

    The same model gives the same bytes. A failure leaves what was there before. As `.spv`, several graphs get a file
    each, see `paths_of_graphs`. A `.spv` may come with its constants in `<stem>.constants.npz`. With `debug`, `.spv`
    and `.vgf` keep the names of values and the places that operators come from, `.mlir` and `.mlirbc` the names.
    `flags` are those of IREE's compiler, for `.vmfb`; unless one names a target, it is this machine's processor. The
    `dialect` "iree" spells a `.mlir` as that compiler takes it, which is no longer TOSA alone. With `constants`
    "inputs", the larger constants of a `.tosa` are inputs, whose elements go to `<stem>.weights.npz` beside it;
    `load` makes them constants again.

    Raises:
        UsageError: no writer for that ending, an option that it lacks, or the folder can't be written to.
        VerifyError: the model is illegal at every level and target.
        UnsupportedError: the model can't be expressed in the format.
    """
    row = find_writable_format(model, (format or os.path.splitext(path)[1]).lower())
    options: dict[str, Any] = {"debug": debug, "flags": flags, "dialect": dialect}
    if constants == INPUTS:
        _require_options(row, {**options, "constants": constants})
        return int(_import_function("tosa.weights:save_with_weights")(model, path))
    if not row.save:
        return write_atomically(path, _encode(model, row, **options))
    _require_options(row, options)
    return int(_import_function(row.save)(model, path, debug=debug))
