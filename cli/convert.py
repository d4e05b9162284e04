"""`tflite-to-tosa MODEL -o OUT`: reads, converts, writes. What it imports, every conversion waits for."""

import os
import time
from typing import Any, NamedTuple

from tosa_converter.conversion import convert_model, default_numerics, optimize
from tosa_converter.errors import UsageError
from tosa_converter.formats import load, save
from tosa_converter.formats.storage import write_atomically
from tosa_converter.ir import Model
from tosa_converter.legalize.pipelines import PIPELINES
from tosa_converter.rewriting.rewrite import Options, Report
from tosa_converter.rules.target import Target

# Endings of what a conversion can be written as; XNNGraph files hold XNNPACK's operators only.
OUTPUTS = (".tosa", ".spv", ".vgf", ".mlir")


class Conversion(NamedTuple):
    """A converted file."""

    source: Model
    model: Model
    report: Report
    load_seconds: float
    numerics: str


def convert_file(path: str, target: str, numerics: str, input_shapes: list[str], dump_dir: str = "") -> Conversion:
    """Read and convert a file; `dump_dir` is made if it isn't there and gets the graph after every pass."""
    started = time.perf_counter()
    source = load(path)
    loaded = time.perf_counter() - started
    options = Options(
        numerics or default_numerics(source),
        Target.parse(target) if target else None,
        parse_shapes(input_shapes),
        dump=_dumper(dump_dir) if dump_dir else None,
    )
    model, report = convert_model(source, PIPELINES, options)
    return Conversion(source, model, report, loaded, options.numerics)


def check_output(path: str) -> None:
    """Refuse an output of a kind that no conversion can be written as.

    Raises:
        UsageError: the ending is another one.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending not in OUTPUTS:
        raise UsageError(
            f"{path}: conversions are TOSA, written as {', '.join(OUTPUTS)}; found {ending or 'no ending'}"
        )


def save_file(result: Conversion, source: str, output: str, *, debug: bool) -> dict[str, Any]:
    """Write a conversion; its figures."""
    size = save(result.model, output, debug=debug)
    report = result.report
    return {
        "source": source,
        "output": output,
        "source_bytes": os.path.getsize(source),
        "output_bytes": size,
        "numerics": result.numerics,
        "needs": str(report.needs),
        "source_ops": dict(report.source_ops.most_common()),
        "tosa_ops": dict(report.tosa_ops.most_common()),
        "notes": [{"location": note.location, "text": note.text} for note in report.notes],
        "passes": [{"name": name, "seconds": s, "ops": ops} for name, s, ops in report.passes],
        "load_seconds": result.load_seconds,
        "convert_seconds": report.seconds,
    }


def optimize_file(path: str, passes: list[str], output: str, *, debug: bool) -> dict[str, Any]:
    """Run passes on a TOSA file and write the result; its figures."""
    model, report = optimize(load(path), passes)
    save(model, output, debug=debug)
    return {
        "source": path,
        "output": output,
        "before": dict(report.source_ops.most_common()),
        "after": dict(report.tosa_ops.most_common()),
        "passes": [{"name": name, "seconds": s, "ops": ops} for name, s, ops in report.passes],
    }


def _dumper(folder: str) -> Any:
    """Writes the graph after each pass as NN-pass.mlir."""
    from tosa_converter.formats.mlir import write_mlir

    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}") from None
    count = 0

    def dump(name: str, model: Model) -> None:
        nonlocal count
        write_atomically(os.path.join(folder, f"{count:02d}-{name}.mlir"), [write_mlir(model, elide=16).encode()])
        count += 1

    return dump


def parse_shapes(texts: list[str]) -> dict[str, tuple[int, ...]]:
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
