"""`tflite-to-tosa MODEL -o OUT`: reads, converts, writes. What it imports, every conversion waits for."""

import os
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tosa_converter import convert as convert_model
from tosa_converter import load
from tosa_converter.cli import report
from tosa_converter.conversion import Converted, Report
from tosa_converter.errors import UsageError
from tosa_converter.formats import TFLITE_ENDING, TOSA_ENDINGS, XNNPACK_ENDING, files, save
from tosa_converter.formats.storage import write_atomically
from tosa_converter.ir import ELIDED, Model
from tosa_converter.rewriting.rewrite import Note


class Conversion(NamedTuple):
    """A converted file."""

    source: str
    output: str
    files: list[str]  # where a format holds one graph, one for each
    source_bytes: int
    output_bytes: int
    report: Report
    load_seconds: float
    states: str = ""  # the file of what states begin with

    def figures(self) -> dict[str, Any]:
        """The report as plain data."""
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
            "notes": [note._asdict() for note in report.notes],
            "passes": [step._asdict() for step in report.passes],
            "states": self.states,
            "load_seconds": self.load_seconds,
            "convert_seconds": report.seconds,
        }


def convert(
    model: str,
    output: str = "",
    target: str = "",
    numerics: str = "",
    input_shape: Sequence[str] = (),
    io_type: Sequence[str] = (),
    io_layout: Sequence[str] = (),
    float_type: str = "",
    state: str = "variables",
    control_flow: str = "keep",
    sequence: str = "unroll",
    plugin: Sequence[str] = (),
    allow_custom: bool = False,
    signature: str = "",
    partial: str = "",
    json: bool = False,
    verbose: bool = False,
    dump_ir: str = "",
    debug_info: bool = False,
    delegate: int | None = None,
) -> int:
    """Convert a model (the default command)."""
    if output and partial:
        raise UsageError("tflite-to-tosa convert: expected '-o' or '--partial', found both")
    if not output and not partial:
        raise UsageError("tflite-to-tosa convert: Missing option '-o' / '--output', or '--partial'.")
    if partial and (dump_ir or debug_info):
        raise UsageError("tflite-to-tosa convert: '--partial' takes no '--dump-ir' and no '--debug-info'")
    if output:
        check_output(output)
    borders = {"io_types": parse_names("type", io_type), "io_layouts": parse_names("layout", io_layout)}
    forms = {"state": state, "control_flow": control_flow, "sequence": sequence, "float_type": float_type}
    custom = {"rules": plugin, "allow_custom": allow_custom, "signature": signature}
    if partial:
        from tosa_converter.cli.partial import convert_partially

        wanted = {"target": target or None, "numerics": numerics, "input_shapes": parse_shapes(input_shape)}
        return convert_partially(model, partial, json, **wanted, **forms, **custom, **borders)
    if _ending(output) == XNNPACK_ENDING:
        numerics = numerics or "xnnpack"
    further: dict[str, Any] = {**forms, **custom, **borders}
    converted, seconds = convert_file(model, target, numerics, input_shape, dump_ir, delegate, **further)
    made = _in_format(converted, output)
    size = save(made, output, debug=debug_info)
    states, written = _save_states(converted, output), files(made, output)
    told = converted.report
    if made is not converted:
        told = told._replace(notes=[*told.notes, *(Note(*note) for note in made.notes)])
    done = Conversion(model, output, written, os.path.getsize(model), size, told, seconds, states)
    report.present(done.figures, lambda: report.conversion_lines(done, verbose), json=json)
    return 0


def convert_file(
    path: str,
    target: str,
    numerics: str,
    input_shapes: Sequence[str],
    dump_dir: str = "",
    delegate: int | None = None,
    **further: Any,
) -> tuple[Converted, float]:
    """Read and convert a file, and the seconds of reading; the folder `dump_dir` gets the graph after every pass."""
    started = time.perf_counter()
    source = load(path, delegate=delegate)
    seconds = time.perf_counter() - started
    shapes = parse_shapes(input_shapes)
    dump = _dumper(dump_dir) if dump_dir else None
    wanted: dict[str, Any] = {"target": target or None, "numerics": numerics, "input_shapes": shapes, **further}
    return convert_model(source, **wanted, dump=dump), seconds


def _in_format(converted: Converted, output: str) -> Model:
    """The conversion in the operators of the output's format."""
    ending = _ending(output)
    if ending == TFLITE_ENDING:
        from tosa_converter import to_tflite

        return to_tflite(converted)
    if ending == XNNPACK_ENDING:
        from tosa_converter import to_xnn

        return to_xnn(converted)
    return converted


def _ending(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _save_states(converted: Converted, output: str) -> str:
    """Write what states that are inputs begin with beside the output, as `run -i` takes it; the file's name, if any."""
    begin = {
        state.input: state.initial
        for states in converted.states.values()
        for state in states
        if state.initial is not None
    }
    if not begin:
        return ""
    from tosa_converter.cli.arrays import save_outputs

    path = f"{os.path.splitext(output)[0]}.state.npz"
    save_outputs(path, begin)
    return path


def check_output(path: str) -> None:
    """Refuse an output of a kind that no conversion can be written as.

    Raises:
        UsageError: the ending is another one.
    """
    ending = _ending(path)
    endings = (*TOSA_ENDINGS, TFLITE_ENDING, XNNPACK_ENDING)
    if ending not in endings:
        raise UsageError(f"{path}: conversions are written as {', '.join(endings)}; found {ending or 'no ending'}")


def _dumper(folder: str) -> Callable[[str, Model], None]:
    """Writes the graph after each pass as NN-pass.mlir."""
    from tosa_converter.formats.mlir.writer import write_mlir

    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}") from None
    count = 0

    def dump(name: str, model: Model) -> None:
        nonlocal count
        write_atomically(os.path.join(folder, f"{count:02d}-{name}.mlir"), [write_mlir(model, elide=ELIDED).encode()])
        count += 1

    return dump


def parse_names(what: str, texts: Sequence[str]) -> dict[str, str]:
    """[NAME=]VALUE to values by name, that without a name by "".

    Raises:
        UsageError: two for one name.
    """
    pairs = [(name, value) for name, _, value in (text.rpartition("=") for text in texts)]
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"border {what}: {name!r} is given twice" if name else f"border {what}: two for all")
    return dict(pairs)


def parse_shapes(texts: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """NAME=1,224,224,3 to shapes by name.

    Raises:
        UsageError: a text of another form.
    """
    shapes: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, equals, dims = text.rpartition("=")
        try:
            shapes[name] = tuple(int(size) for size in dims.split(",")) if dims else ()
        except ValueError:
            equals = ""
        if not equals or not name:
            raise UsageError(f"input shape: expected NAME=1,224,224,3, found {text!r}")
    return shapes
