"""Reads a file, converts it and writes the result. Every conversion waits for the imports of this module."""

import contextlib
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from tosa_converter import convert as convert_model
from tosa_converter import load
from tosa_converter.cli.options import api_values
from tosa_converter.cli.printing import is_shown
from tosa_converter.cli.sources import PIPE, read_model, require_other_file, require_space, write_model
from tosa_converter.conversion import Converted, PassReport, Report, border_notes, convert_from_tosa, count_ops
from tosa_converter.errors import UsageError, did_you_mean
from tosa_converter.formats import paths_of_graphs, require_room_for
from tosa_converter.formats.storage import make_folder, write_atomically
from tosa_converter.formats.table import MLIR_ENDING, TFLITE_ENDING, TOSA_ENDINGS, VMFB_ENDING, XNNPACK_ENDING
from tosa_converter.ir import Model, State, border_rows
from tosa_converter.rewriting.pipeline import Pass
from tosa_converter.rewriting.report import Note
from tosa_converter.rewriting.report import Report as Progress
from tosa_converter.schemas import presets

# 00-NAME.mlir to 99-NAME.mlir have two digits, the files from the 101st on three: 100-NAME.mlir.
_DUMPED = re.compile(r"\d\d+-[a-z0-9-]+\.mlir")  # a file of --dump-ir
OUTPUT_ENDINGS = (*TOSA_ENDINGS, TFLITE_ENDING, XNNPACK_ENDING)
INITIAL_VALUES = "initial values of the state"  # what a file beside the output holds
Dump: TypeAlias = Callable[[str, Model], None]


class FileBeside(NamedTuple):
    """A file that is written beside the output and belongs to it, and what it holds."""

    path: str
    content: str


class Conversion(NamedTuple):
    """A conversion of a file: the report, the files that were written, sizes and times."""

    source: str
    output: str
    files: list[str]  # one for each graph, in a format that holds one graph
    source_bytes: int
    output_bytes: int
    report: Report
    ops: Counter[str]  # of the written model
    load_seconds: float
    states: Sequence[State] = ()
    beside: Sequence[FileBeside] = ()
    usage: str = ""  # a command that runs it, of a format that has one

    def figures(self) -> dict[str, Any]:
        """Returns the report of the conversion as plain data, for --json."""
        report = self.report
        return {
            "source": self.source,
            "output": self.output,
            "files": self.files,
            "source_bytes": self.source_bytes,
            "output_bytes": self.output_bytes,
            "numerics": report.numerics,
            "needs": str(report.needs),
            "source_ops": dict(report.source_ops.most_common()),
            "tosa_ops": dict(report.tosa_ops.most_common()),
            "written_ops": dict(self.ops.most_common()),
            "borders": [row.figures() for row in report.borders],
            "notes": [note._asdict() for note in report.notes],
            "passes": [step._asdict() for step in report.passes],
            "beside": [file._asdict() for file in self.beside],
            "states": next((file.path for file in self.beside if file.content == INITIAL_VALUES), ""),
            "usage": self.usage,
            "load_seconds": self.load_seconds,
            "convert_seconds": report.seconds,
        }


def write_conversion(
    model: str,
    output: str,
    format: str = "",
    *,
    dump_ir: str = "",
    debug_info: bool = False,
    constants: str = "",
    delegate: int | None = None,
    iree_flag: Sequence[str] | None = (),
    **options: Any,
) -> Conversion:
    """Converts a file to another file; either may be "-", a standard stream.

    Initial states, and constants that are asked for as inputs, go to files beside the output. `options` are the other
    options of `convert`, as the command line has them.

    Raises:
        ConverterError: as `load`, `convert` and `save`; nothing is written then.
    """
    ending, iree_flag = check_output(output, format), iree_flag or ()
    _require_constants(constants, output)
    require_other_file(output, model)
    preset = presets.named(options.get("target", ""))
    if preset and ending == VMFB_ENDING:
        iree_flag = [*preset.flags, *iree_flag]
    dialect = "iree" if preset and preset.tool == "iree" and ending == MLIR_ENDING else ""
    spelled: dict[str, Any] = {"debug": debug_info, "flags": iree_flag, "dialect": dialect}
    with _dumper(dump_ir) as dump:
        numerics = "xnnpack" if ending == XNNPACK_ENDING else ""
        values = api_values(options)
        weights = values.get("weights") or (preset.weights if preset else "")

        def check_size(source: Model) -> None:
            """Refuses a source whose conversion has no room in the format or on the disk."""
            require_room_for(source, ending)
            require_space(source, output, ending, stored=weights == "stored")

        converted, seconds, source_size = convert_file(model, delegate, dump, numerics, check_size, **values)
        written_model, passes = _in_format(converted, ending, dump)
    states = [state for states in converted.states.values() for state in states if not state.carried]
    if output == PIPE and any(state.initial is not None for state in states):
        raise UsageError("-: initial states are written beside the output: expected -o FILE")
    if constants == "inputs":
        spelled["constants"] = constants
    size = write_model(written_model, output, ending, **spelled)
    if states and written_model is not converted:
        states = _states_of_file(converted, load(output))
    written = paths_of_graphs(written_model, output, format=ending)
    weights_files = _weights_file(output) if constants == "inputs" else []
    beside = [*weights_files, *_constants_files(written, size), *_save_states(states, output)]
    usage = _run_command(written_model, output, iree_flag) if ending == VMFB_ENDING else ""
    report, ops = _with_notes_of(converted, written_model), count_ops(written_model)
    unused = constants == "inputs" and not weights_files
    report = report._replace(
        notes=[*report.notes, *([Note(output, "--constants inputs has no effect: no large constants")] * unused)],
        passes=[*report.passes, *passes],
        seconds=report.seconds + sum(step.seconds for step in passes),
    )
    return Conversion(model, output, written, source_size, size, report, ops, seconds, states, beside, usage)


def _require_constants(form: str, output: str) -> None:
    """Raises UsageError unless `form`, the value of --constants, is known.

    Constants as inputs need a data file, which standard output can't have beside it.
    """
    if form not in ("", "embed", "inputs"):
        raise UsageError(f"--constants (constants): expected one of embed, inputs, found {form!r}")
    if form == "inputs" and output == PIPE:
        raise UsageError("-: --constants inputs writes a data file beside the output: expected -o FILE.tosa")


def _run_command(model: Model, output: str, flags: Sequence[str]) -> str:
    """Returns the command that runs a model compiled for IREE (.vmfb)."""
    from tosa_converter.formats.vmfb import run_command

    return run_command(model, output, flags)


def convert_file(
    source: str,
    delegate: int | None = None,
    dump: Dump | None = None,
    default_numerics: str = "",
    check_source: Callable[[Model], None] = lambda _: None,
    **options: Any,
) -> tuple[Converted, float, int]:
    """Reads and converts a file; returns the conversion, the seconds of reading and the file's size in bytes.

    `check_source` may refuse the source by an exception, before the work. `default_numerics` apply to a source if the
    options state none; TOSA has no choice of numerics.
    """
    started = time.perf_counter()
    model, size = read_model(source, delegate)
    seconds = time.perf_counter() - started
    check_source(model)
    if model.opset != "tosa":
        options["numerics"] = options.get("numerics") or default_numerics
    return convert_model(model, **options, dump=dump), seconds, size


def _in_format(converted: Converted, ending: str, dump: Dump | None) -> tuple[Model, list[PassReport]]:
    """Returns a conversion in the operators of the output's format (TFLite, XNNPACK or TOSA).

    It also returns the reports of the passes that this takes. `dump`, unless None, gets the model after each of them.
    """
    if ending == TFLITE_ENDING:
        from tosa_converter.legalize.invert.tflite.pipeline import PASSES

        return _convert_with_passes(converted, PASSES, "tfl", dump)
    if ending == XNNPACK_ENDING:
        from tosa_converter.legalize.invert.xnnpack.pipeline import PASSES

        return _convert_with_passes(converted, PASSES, "xnn", dump)
    return converted, []


def _convert_with_passes(
    model: Model, passes: Sequence[Pass], opset: str, dump: Dump | None
) -> tuple[Model, list[PassReport]]:
    """Converts a TOSA model to another opset, and returns it with the reports of the passes.

    `dump`, unless None, gets the model after each pass.
    """
    progress = Progress()
    return convert_from_tosa(model, passes, opset, progress, dump), [PassReport(*step) for step in progress.passes]


def _with_notes_of(converted: Converted, written_model: Model) -> Report:
    """Returns a conversion's report with the notes of the model that is written from it.

    That model may have the source's types again, so its notes and rows about inputs and outputs replace those of the
    conversion.
    """
    if written_model is converted:
        return converted.report
    replaced_notes = set(border_notes(converted))
    notes = [note for note in converted.report.notes if note not in replaced_notes]
    # A `.tflite` with variables has one more graph, the last one, which assigns their initial values.
    graphs = dict(zip(written_model.graphs.values(), converted.graphs.values(), strict=False))
    rows = zip(border_rows(written_model, graphs), converted.report.borders, strict=False)
    return converted.report._replace(
        notes=[*notes, *(Note(*note) for note in written_model.notes), *border_notes(written_model)],
        borders=[row._replace(source=earlier.source, state=earlier.state) for row, earlier in rows],
    )


def _constants_files(files_written: Sequence[str], size: int) -> list[FileBeside]:
    """Returns the second files, with constants, of .spv files that have one; [] for other formats."""
    # `size` counts all that was written, so it exceeds the sum of the .spv files only if constants are in a second
    # file.
    if not files_written[0].lower().endswith(".spv") or sum(map(os.path.getsize, files_written)) == size:
        return []
    from tosa_converter.formats.spirv.constants import path_beside

    paths = [(file, path_beside(Path(file))) for file in files_written]
    return [
        FileBeside(str(path), f"constants of {os.path.basename(file)}: keep both files together")
        for file, path in paths
        if path.exists()
    ]


def _weights_file(output: str) -> list[FileBeside]:
    """Returns the data file that `save` wrote beside a .tosa whose constants are inputs; [] if it has no constants."""
    from tosa_converter.formats.tosa.weights import path_of_weights

    path = path_of_weights(output)
    return [FileBeside(str(path), "constants, as inputs: keep both files together")] if path.exists() else []


def ending_of(path: str) -> str:
    """Returns the extension of a file's name in lower case, with its dot."""
    return os.path.splitext(path)[1].lower()


def _states_of_file(converted: Converted, written: Model) -> list[State]:
    """Returns the states of a conversion with the names that the written file has for inputs and outputs.

    States that the callers carry are left out: they have no initial values.
    """
    renamed = []
    for graph, other in zip(converted.graphs.values(), written.graphs.values(), strict=True):
        old, new = [*graph.inputs, *graph.outputs], [*other.inputs, *other.outputs]
        names = {value.name: new_value.name for value, new_value in zip(old, new, strict=True)}
        states = [state for state in converted.states.get(graph.name, ()) if not state.carried]
        renamed += [State(names[state.input], names[state.output], state.initial) for state in states]
    return renamed


def _save_states(states: Sequence[State], output: str) -> list[FileBeside]:
    """Writes the initial values of states to OUTPUT.state.npz, if there are any, and returns that file."""
    begin = {state.input: state.initial for state in states if state.initial is not None}
    if not begin:
        return []
    from tosa_converter.cli.arrays import save_outputs

    path = f"{os.path.splitext(output)[0]}.state.npz"
    save_outputs(path, begin)
    return [FileBeside(path, INITIAL_VALUES)]


def check_output(path: str, format: str = "") -> str:
    """Returns the extension that tells an output's format: that of --format, else that of the path.

    Raises:
        UsageError: conversions aren't written in that format, or not to a terminal.
    """
    ending = f".{format.lower().removeprefix('.')}" if format else ending_of(path)
    if path == PIPE and not format:
        raise UsageError("-: standard output has no ending: expected --format")
    if ending not in OUTPUT_ENDINGS:
        endings = ", ".join(OUTPUT_ENDINGS)
        similar = did_you_mean(ending, OUTPUT_ENDINGS)
        raise UsageError(f"{path}: expected an output ending in {endings}, found {ending or 'none'}{similar}")
    if path == PIPE and ending != ".mlir" and is_shown():
        raise UsageError(f"standard output is a terminal, which can't show a {ending}")
    return ending


@contextlib.contextmanager
def _dumper(folder: str) -> Iterator[Dump | None]:
    """Yields a function that writes the graph as NN-pass.mlir after each pass that changed it; None without a folder.

    If the conversion fails, a new folder is removed with its files. If it succeeds, the files of an earlier conversion
    are removed.
    """
    if not folder:
        yield None
        return
    from tosa_converter.formats.mlir.writer import readable_text

    earlier = sorted(name for name in os.listdir(folder) if _DUMPED.fullmatch(name)) if os.path.isdir(folder) else None
    written: dict[str, None] = {}
    previous = b""

    def dump(name: str, model: Model) -> None:
        """Writes a model as the folder's next file, NN-name.mlir, unless its text is that of the previous one."""
        nonlocal previous
        text = readable_text(model).encode()
        if text == previous:
            return
        previous = text
        make_folder(folder)
        file = f"{len(written):02d}-{name}.mlir"
        write_atomically(os.path.join(folder, file), [text])
        written[file] = None

    try:
        yield dump
    except BaseException:
        if earlier is None:
            _remove(folder, written)
            with contextlib.suppress(OSError):
                os.rmdir(folder)
        raise
    _remove(folder, [name for name in earlier or () if name not in written])


def _remove(folder: str, names: Iterable[str]) -> None:
    """Deletes files of a folder by their names."""
    for name in names:
        os.unlink(os.path.join(folder, name))
