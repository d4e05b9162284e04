"""The options that only the command line has, and how commands take these and the API's.

A {name} in a help text stands for the values that `cli.values` lists by this name.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, NamedTuple, TypeVar

from tosa_converter.options import FLAGS, CompareOptions, ConvertOptions, Flag, InputOptions

Command = TypeVar("Command", bound=Callable[..., int])


class Field(NamedTuple):
    """An option of a command: how it is written, its default, and its type as Typer reads it."""

    flag: Flag
    default: Any
    type: Any


def fields(*groups: Any, without: Collection[str] = ()) -> dict[str, Field]:
    """Returns the options of groups that the command line has, by the names of their fields."""
    return {
        name: _written(annotation.__metadata__[0], group._field_defaults[name])
        for group in groups
        for name, annotation in group.__annotations__.items()
        if annotation.__metadata__[0].names and name not in without
    }


def _written(flag: Flag, default: Any) -> Field:
    """Returns an option whose default is as it would be written."""
    if flag.many:
        return Field(flag, None, list[str] | None)
    if flag.minimum is not None:
        return Field(flag, None, int | None) if default is None else Field(flag, int(default), int)
    return Field(flag, default, bool) if isinstance(default, bool) else Field(flag, default or "", str)


def takes(options: Mapping[str, Field]) -> Callable[[Command], Command]:
    """Returns a decorator of a command that takes options as keywords besides the parameters that it names."""

    def decorate(command: Command) -> Command:
        vars(command)["options"] = options
        return command

    return decorate


def api_values(words: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments of the API's functions that options as they are written stand for."""
    values = {}
    for name, value in words.items():
        flag = FLAGS.get(name, Flag())
        value = value or () if flag.many else value
        values[name] = value if flag.parse is None else flag.parse(value)
    return values


# ** one by one, by the names of parameters' types **

Model = Annotated[str, Flag(metavar="MODEL", help="A .tflite, .tosa, .spv, .vgf, .mlir or XNNGraph file.")]
Written = Annotated[
    str, Flag(metavar="WRITTEN", help="A .tflite file that was written of it, to compare in place of a conversion.")
]
Models = Annotated[
    list[str],
    Flag(metavar="MODEL...", help="A .tflite, .tosa, .spv, .vgf, .mlir or XNNGraph file, or several, or a folder."),
]
Format = Annotated[
    str, Flag("--format", "NAME", "Of the output, as in spv; by the ending, or tosa for several, by default.")
]
Output = Annotated[
    str, Flag("-o --output", "OUT", "A .tosa, .spv, .vgf, .mlir, .tflite or .xnn file, a folder, or - with --format.")
]
Partial = Annotated[
    str, Flag("--partial", "DIR", "In place of an output: what converts, what doesn't, and their manifest.")
]
Explain = Annotated[
    str,
    Flag(
        "--explain",
        "OPERATOR",
        "In place of an output: the rules that were tried at an operator, and why each did or didn't apply. Its "
        "number, its location, its name or a part of these; all for every operator.",
    ),
]
Chain = Annotated[str, Flag("--partial", "DIR", "Compare the chain that was converted to this folder before.")]
Json = Annotated[bool, Flag("--json", help="Print the report as JSON.")]
Verbose = Annotated[bool, Flag("-v --verbose", help="Show the passes with their times.")]
DumpIr = Annotated[str, Flag("--dump-ir", "DIR", "Write the graph in MLIR text after every pass that changed it.")]
DebugInfo = Annotated[
    bool, Flag("--debug-info", help="Keep names of values and places of operators in a .spv, .vgf or .mlir.")
]
Delegate = Annotated[int | None, Flag("--delegate", "N", "Of a program (.pte) this delegate's graph alone.", minimum=0)]
IreeFlag = Annotated[
    list[str] | None,
    Flag(
        "--iree-flag",
        "FLAG",
        "A flag of IREE's compiler, for a .vmfb, as in --iree-flag=--iree-hal-target-backends=cuda.",
        many=True,
    ),
]
Passes = Annotated[
    str,
    Flag(
        "--passes",
        "LIST",
        "Passes in order, between commas (default all): rank-reduction, reshape-propagation, simplify, "
        "common-subexpressions.",
    ),
]
Tensors = Annotated[bool, Flag("--tensors", help="List every tensor.")]
Check = Annotated[
    bool,
    Flag("--check", help="Verify a TOSA graph against the specification; tell what each operator of a source becomes."),
]
Places = Annotated[bool, Flag("-v --verbose", help="With a check of a source: a line for every operator.")]
Profile = Annotated[
    list[str] | None, Flag("--profile", "NAME", "Check with it: {profiles}.", many=True, values="profiles")
]
Extension = Annotated[
    list[str] | None, Flag("--extension", "NAME", "Check with it: {extensions}.", many=True, values="extensions")
]
Level = Annotated[str, Flag("--level", "NAME", "Check with its limits: {levels}; 8k by default.", values="levels")]
Asm = Annotated[bool, Flag("--asm", help="Print the assembly listing of a .spv or .vgf file.")]
Input = Annotated[
    list[str] | None, Flag("-i --input", "[NAME=]FILE", "A .npy file for an input, or a .npz for several.", many=True)
]
Image = Annotated[
    list[str] | None, Flag("--image", "[NAME=]FILE", "An image for an input, resized and in its channels.", many=True)
]
Audio = Annotated[
    list[str] | None,
    Flag("--audio", "[NAME=]FILE", "A WAV file for an input, cut to its length, as it is recorded.", many=True),
]
Samples = Annotated[
    str, Flag("--samples", "DIR", "A run for each array, image or WAV file of a folder, by its ending.")
]
Scale = Annotated[
    list[str] | None,
    Flag(
        "--scale",
        "[NAME=]HOW",
        "Of images and sounds: raw, 0..1, -1..1 or MEAN,STD; else the whole range of integers, 1 of floats.",
        many=True,
    ),
]
Arrays = Annotated[str, Flag("-o --output", "OUT", "A .npz file, or a .npy for a single output.")]
Backend = Annotated[str, Flag("--backend", "NAME", "What runs the model: {engines}.", values="engines")]
FloatLimit = Annotated[
    int | None, Flag("--limit", "SECONDS", "With --float: what measuring its error may take, 10 by default.", minimum=1)
]
RunLimit = Annotated[
    int | None, Flag("--limit", "SECONDS", "Computing time that the executor accepts by an estimate: 10.", minimum=1)
]
Extract = Annotated[
    str, Flag("--extract", "DIR", "Like --bisect; write the operator that differs, with its inputs, there.")
]
Page = Annotated[
    str, Flag("--report", "FILE.html", "With a conversion's layers; write all found as a page for a browser.")
]
Pages = Annotated[str, Flag("--report", "DIR", "Write a page for a browser for each, with layers, and an index.")]
From = Annotated[list[str] | None, Flag("--from", "TENSOR", "Begin with this; inputs by default.", many=True)]
To = Annotated[list[str] | None, Flag("--to", "TENSOR", "End with this; outputs by default.", many=True)]
Jobs = Annotated[int, Flag("--jobs", "N", "Models at once; as many as processors by default.", minimum=0)]
Timeout = Annotated[
    int, Flag("--timeout", "SECONDS", "Of several models, what each may take; 0 for any time.", minimum=0)
]
ManyTimeout = Annotated[
    int | None,
    Flag("--timeout", "SECONDS", "Of several models, what each may take; 600, or 0 for any time.", minimum=0),
]
Scheduler = Annotated[str, Flag("--scheduler", "ADDRESS", "Of a Dask cluster whose workers see the same files.")]
Folder = Annotated[str, Flag("--folder", "DIR", "All .tflite files in it, in place of the zoo.")]
Manifest = Annotated[str, Flag("--manifest", "FILE.toml", "The models that it lists, in place of the zoo.")]
Filter = Annotated[str, Flag("--filter", "TEXT", "Models with it in their name, kind or source.")]
Results = Annotated[str, Flag("--results", "FILE", "Gets each result as it comes; in the cache folder by default.")]
Resume = Annotated[bool, Flag("--resume", help="Resume an interrupted run.")]
Junit = Annotated[str, Flag("--junit", "FILE.xml", "The results as JUnit XML.")]
Engines = Annotated[str, Flag("--against", "LIST", "Further engines that run the conversion.")]
Names = Annotated[list[str] | None, Flag(metavar="MODEL", help="Models by name; all by default.")]
Other = Annotated[str, Flag(metavar="OTHER", help="A second one, to see both side by side.")]
Data = Annotated[str, Flag("--data", "FILE.json", "Colour operators by what verify --layers --json has printed.")]
Svg = Annotated[str, Flag("--svg", "OUT.svg", "Draw it, if it is small, in place of opening a browser.")]
Adapters = Annotated[
    bool, Flag("--adapters", help="Have Model Explorer's adapters read the files: Arm's .tosa, .vgf, .spv.")
]
Port = Annotated[
    int, Flag("--port", help="Of this machine, to serve at; or the next free one.", minimum=1, maximum=65535)
]
NoOpen = Annotated[bool, Flag("--no-open", help="Print the address and open no browser.")]


class OutputOptions(NamedTuple):
    """Options of what a conversion writes and prints."""

    output: Output = ""
    format: Format = ""
    partial: Partial = ""
    explain: Explain = ""
    jobs: Jobs = 0
    timeout: ManyTimeout = None
    json: Json = False
    verbose: Verbose = False
    dump_ir: DumpIr = ""
    debug_info: DebugInfo = False
    delegate: Delegate = None
    iree_flag: IreeFlag = None
    limit: FloatLimit = None


_WRITTEN = fields(OutputOptions)
CONVERT = {name: _WRITTEN[name] for name in ("output", "format")} | fields(ConvertOptions, without=["limit"]) | _WRITTEN
VERIFY = fields(ConvertOptions, InputOptions, CompareOptions, without=["allow_custom"])
_CHECKED = ("target", "numerics", "input_shapes", "bounds", "signature", "rules", "allow_custom")
INSPECT = {name: CONVERT[name] for name in _CHECKED}
COMPARED = {name: VERIFY[name] for name in ("runs", "steps", "seed", "limit")}
RUN = {name: VERIFY[name] for name in ("seed", "ranges", "input_shapes", "steps", "signature")}
ZOO = {"runs": VERIFY["runs"]._replace(default=5), "numerics": VERIFY["numerics"]}
