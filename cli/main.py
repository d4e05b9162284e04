"""The command line: parses, calls the API, prints."""

import io
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from tosa_converter.cli import report
from tosa_converter.errors import ConverterError, UsageError

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Convert TFLite models and XNNPACK graphs into TOSA, and prove that the result computes the same.",
)


@app.callback(invoke_without_command=True)
def options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """What stands before a command."""
    if version:
        from importlib.metadata import version as installed

        print(f"tosa-converter {installed('tosa-converter')}")
        raise typer.Exit


ModelPath = Annotated[Path, typer.Argument(metavar="MODEL", help="A .tflite, .tosa or XNNGraph file.")]
TargetOption = Annotated[
    str, typer.Option("--target", metavar="LIST", help='What the result must keep to: "pro-int,ext-doubleround,8k".')
]
NumericsOption = Annotated[
    str, typer.Option("--numerics", metavar="NAME", help="Arithmetic to reproduce: reference, xnnpack or compact.")
]
ShapeOption = Annotated[
    list[str] | None,
    typer.Option("--input-shape", metavar="NAME=1,224,224,3", help="Shape of an input with unknown dimensions."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of random inputs.")]


@app.command()
def convert(
    model: ModelPath,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="OUT", help="A .tosa, .spv, .vgf, .mlir or .xnn file.")
    ],
    target: TargetOption = "",
    numerics: NumericsOption = "",
    input_shape: ShapeOption = None,
    as_json: JsonOption = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show the passes with their times.")] = False,
    dump_ir: Annotated[
        Path | None, typer.Option("--dump-ir", metavar="DIR", help="Write the graph in MLIR text after every pass.")
    ] = None,
    debug_info: Annotated[
        bool, typer.Option("--debug-info", help="Keep names of values and places of operators in a .spv or .vgf.")
    ] = False,
) -> None:
    """Convert a model (the default command)."""
    from tosa_converter.cli.work import convert_file

    result = convert_file(model, target, numerics, input_shape or [], dump_ir)
    from tosa_converter.files import save

    size = save(result.model, output, debug=debug_info)
    figures = report.conversion(result, model, output, size)
    print(report.as_json(figures) if as_json else report.conversion_text(figures, verbose))


@app.command()
def inspect(
    model: ModelPath,
    as_json: JsonOption = False,
    tensors: Annotated[bool, typer.Option("--tensors", help="List every tensor.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Verify a TOSA graph against the specification.")] = False,
    profile: Annotated[
        list[str] | None, typer.Option("--profile", help="pro-int, pro-fp: what the check allows.")
    ] = None,
    extension: Annotated[list[str] | None, typer.Option("--extension", help="ext-int16, ...: likewise.")] = None,
    level: Annotated[str, typer.Option("--level", help="8k or none: the limits that the check applies.")] = "8k",
    asm: Annotated[bool, typer.Option("--asm", help="Print the assembly listing of a .spv or .vgf file.")] = False,
) -> None:
    """Show a file: operators, tensors, types, quantization, sizes, what profile and extensions it needs."""
    if asm:
        from tosa_converter.spirv_text import file_assembly

        print(*file_assembly(model), sep="\n")
        return
    from tosa_converter.cli.work import inspect_file

    figures = inspect_file(model, check=check, profiles=profile or [], extensions=extension or [], level=level)
    print(report.as_json(figures) if as_json else report.inspection_text(figures, tensors))


@app.command()
def run(
    model: ModelPath,
    inputs: Annotated[
        list[str] | None,
        typer.Option("-i", "--input", metavar="[NAME=]FILE", help="A .npy file for an input, or a .npz for several."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT", help="An .npz file for the outputs.")
    ] = None,
    seed: SeedOption = 0,
    backend: Annotated[str, typer.Option("--backend", metavar="NAME", help="What runs the model.")] = "",
    input_shape: ShapeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run a model on inputs from files, or on random ones."""
    from tosa_converter.cli.work import run_file

    figures = run_file(model, inputs or [], output, seed, backend, input_shape or [])
    print(report.as_json(figures) if as_json else report.run_text(figures))


@app.command()
def verify(
    model: ModelPath,
    against: Annotated[
        str, typer.Option("--against", metavar="LIST", help="Engines: litert, litert-xnnpack, tosa-reference-model.")
    ] = "litert",
    runs: Annotated[int, typer.Option("--runs", min=1, help="How many sets of random inputs.")] = 1,
    seed: SeedOption = 0,
    target: TargetOption = "",
    numerics: NumericsOption = "",
    input_shape: ShapeOption = None,
    layers: Annotated[bool, typer.Option("--layers", help="Judge every operator by its precision clause too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Convert a model, run both sides on the same inputs and compare; exit status 1 if they differ."""
    from tosa_converter.cli.work import verify_file

    figures = verify_file(model, against, runs, seed, target, numerics, input_shape or [], layers=layers)
    print(report.as_json(figures) if as_json else report.verification_text(figures))
    if not figures["verdict"]:
        raise typer.Exit(1)


@app.command()
def ops(
    as_json: JsonOption = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page docs/operators.md.")] = False,
) -> None:
    """List the operators: which source operators have rewrites, and TOSA's own rows."""
    from tosa_converter.cli.work import operators

    figures = operators()
    text = report.operators_markdown if markdown else report.operators_text
    print(report.as_json(figures) if as_json else text(figures))


@app.command()
def doctor(as_json: JsonOption = False) -> None:
    """Say which engines are ready and what each of the others misses."""
    from tosa_converter.cli import doctor

    rows = doctor.examine()
    print(report.as_json(rows) if as_json else doctor.text(rows))


COMMANDS = {"convert", "inspect", "run", "verify", "ops", "zoo", "doctor"}


def _add_groups(words: list[str]) -> None:
    """Command groups are imported only when asked for."""
    if words and words[0] in ("zoo", "--help", "-h"):
        from tosa_converter.cli import zoo

        app.add_typer(zoo.app, name="zoo")


def main(arguments: list[str] | None = None) -> None:
    """Entry point: a first argument that is no command means `convert`; errors become one line and an exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] not in COMMANDS and words[0] not in ("--help", "-h", "--version"):
        words = ["convert", *words]
    _add_groups(words)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names are whatever the file system and the models say
    sys.exit(_run(words))


def _run(words: list[str]) -> int:
    try:
        result: Any = app(words, prog_name="tflite-to-tosa", standalone_mode=False)
        print(end="", flush=True)
    except ConverterError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status
    except (KeyboardInterrupt, typer.Abort):  # an interrupt reaches us as either
        print("interrupted", file=sys.stderr)
        return 130
    except SystemExit:  # how the parser's library answers a broken pipe
        return 0
    except OSError as error:
        return _unwritten(error)
    except Exception as error:
        return _usage(error)
    return result if isinstance(result, int) else 0


def _unwritten(error: OSError) -> int:
    """The report can't be written: no mistake if its reader has had enough. What is still buffered goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return 0
    print(f"error: {error}", file=sys.stderr)
    return UsageError.exit_status


def _usage(error: Exception) -> int:
    """What the argument parser raises becomes its own message; anything else is a mistake of ours and is raised."""
    show = getattr(error, "show", None)
    if show is None:
        raise error
    show()
    return int(getattr(error, "exit_code", UsageError.exit_status))


if __name__ == "__main__":
    main()
