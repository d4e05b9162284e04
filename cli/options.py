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

    def limited(self, *, needs: tuple[str, ...] = (), excluded_by: tuple[str, ...]) -> "Field":
        """Returns the option with the parameters of which it needs one, and with those that rule it out."""
        return self._replace(flag=self.flag._replace(needs=needs, excluded_by=excluded_by))


def fields(*groups: Any, without: Collection[str] = ()) -> dict[str, Field]:
    """Returns the command-line options of some records of options, by the names of the fields."""
    return {
        name: _written(annotation.__metadata__[0], group._field_defaults[name])
        for group in groups
        for name, annotation in group.__annotations__.items()
        if annotation.__metadata__[0].names and name not in without
    }


def _written(flag: Flag, default: Any) -> Field:
    """Returns an option in the form that Typer reads: its type and default follow from the API's default."""
    if flag.many:
        return Field(flag, None, list[str] | None)
    if flag.minimum is not None:
        return Field(flag, None, int | None) if default is None else Field(flag, int(default), int)
    return Field(flag, default, bool) if isinstance(default, bool) else Field(flag, default or "", str)


def takes(options: Mapping[str, Field]) -> Callable[[Command], Command]:
    """Returns a decorator that attaches `options` to a command; the command line passes them as keywords."""

    def decorate(command: Command) -> Command:
        """Attaches the options to a command, and returns it."""
        vars(command)["options"] = options
        return command

    return decorate


def api_values(words: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments of the API's functions for the values that were written on the command line."""
    values = {}
    for name, value in words.items():
        flag = FLAGS.get(name, Flag())
        value = value or () if flag.many else value
        values[name] = value if flag.parse is None else flag.parse(value)
    return values


# ** one by one, by the names of parameters' types **

CHECKS = ("check", "profile", "extension", "level", "target")
"""The parameters of `inspect` that ask for a check."""
_ONE_FILE = ("partial", "explain")
"""The parameters of `convert` that ask for something else than one output."""

Model = Annotated[str, Flag(metavar="MODEL", help="A .tflite, .tosa, .spv, .vgf, .mlir, .pte or XNNGraph file.")]
Written = Annotated[
    str,
    Flag(
        metavar="WRITTEN",
        help="A .tosa, .spv, .vgf, .mlir or .tflite file to compare with MODEL, in place of a new conversion.",
    ),
]
OperatorName = Annotated[
    str, Flag(metavar="OPERATOR", help="List only operators with this in their name, such as CONV_2D.")
]
Models = Annotated[
    list[str],
    Flag(metavar="MODEL...", help="One or more .tflite, .tosa, .spv, .vgf, .mlir, .pte or XNNGraph files, or folders."),
]
Format = Annotated[
    str,
    Flag(
        "--format",
        "NAME",
        "Format of the output, such as spv. By default the output's ending; for several models, tosa.",
        excluded_by=_ONE_FILE,
    ),
]
Output = Annotated[
    str,
    Flag(
        "-o --output", "OUT", "A .tosa, .spv, .vgf, .mlir, .vmfb, .tflite or .xnn file, a folder, or - with --format."
    ),
]
Partial = Annotated[
    str,
    Flag(
        "--partial", "DIR", "Write the convertible parts, the rest and a manifest to a folder, in place of an output."
    ),
]
Explain = Annotated[
    str,
    Flag(
        "--explain",
        "OPERATOR",
        "Show which rules were tried at an operator, and why each applied or declined, in place of an output. OPERATOR "
        "is a number, a location, a name, a part of these, or all.",
    ),
]
Chain = Annotated[str, Flag("--partial", "DIR", "Compare the chain that --partial wrote to this folder.")]
Json = Annotated[bool, Flag("--json", help="Print the report, or the failure, as JSON.", excluded_by=("asm",))]
Verbose = Annotated[bool, Flag("-v --verbose", help="Show the passes with their times.", excluded_by=_ONE_FILE)]
DumpIr = Annotated[
    str,
    Flag("--dump-ir", "DIR", "Write the graph as MLIR text after every pass that changed it.", excluded_by=_ONE_FILE),
]
DebugInfo = Annotated[
    bool,
    Flag(
        "--debug-info",
        help="Keep the names of values and the locations of operators in a .spv, .vgf or .mlir.",
        excluded_by=_ONE_FILE,
    ),
]
Delegate = Annotated[
    int | None,
    Flag("--delegate", "N", "Convert only the graph of this delegate of a .pte.", minimum=0, excluded_by=("partial",)),
]
IreeFlag = Annotated[
    list[str] | None,
    Flag(
        "--iree-flag",
        "FLAG",
        "Flag of IREE's compiler for a .vmfb, such as --iree-flag=--iree-hal-target-backends=cuda.",
        many=True,
        excluded_by=_ONE_FILE,
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
Tensors = Annotated[bool, Flag("--tensors", help="List every tensor.", excluded_by=("asm",))]
Check = Annotated[
    bool,
    Flag(
        "--check",
        help="Check a TOSA graph against the specification, or list what each operator of a source becomes.",
        excluded_by=("asm",),
    ),
]
Places = Annotated[
    bool,
    Flag(
        "-v --verbose",
        help="List every operator in the check of a source, and every input and output.",
        excluded_by=("asm",),
    ),
]
Profile = Annotated[
    list[str] | None,
    Flag(
        "--profile",
        "NAME",
        "Check against this profile: {profiles}.",
        many=True,
        values="profiles",
        excluded_by=("asm", "target"),
    ),
]
Extension = Annotated[
    list[str] | None,
    Flag(
        "--extension",
        "NAME",
        "Check with this extension: {extensions}.",
        many=True,
        values="extensions",
        excluded_by=("asm", "target"),
    ),
]
Level = Annotated[
    str,
    Flag(
        "--level",
        "NAME",
        "Check the limits of this level: {levels}; 8k by default.",
        values="levels",
        excluded_by=("asm", "target"),
    ),
]
CrossCheck = Annotated[
    bool,
    Flag(
        "--cross-check",
        help="Read a .tflite file a second time with the tflite package, and list where both readings differ.",
        excluded_by=("asm", "tensors", *CHECKS),
    ),
]
Asm = Annotated[bool, Flag("--asm", help="Print the assembly listing of a .spv or .vgf file.")]
Input = Annotated[
    list[str] | None, Flag("-i --input", "[NAME=]FILE", "A .npy file for an input, or a .npz for several.", many=True)
]
Image = Annotated[
    list[str] | None,
    Flag("--image", "[NAME=]FILE", "An image for an input, resized to its height and width.", many=True),
]
Audio = Annotated[
    list[str] | None,
    Flag("--audio", "[NAME=]FILE", "A WAV file for an input, at the file's own sample rate.", many=True),
]
Samples = Annotated[str, Flag("--samples", "DIR", "Run once for each array, image and WAV file of a folder.")]
Scale = Annotated[
    list[str] | None,
    Flag(
        "--scale",
        "[NAME=]HOW",
        "Values of images and sounds: raw, 0..1, -1..1 or MEAN,STD. By default integers use their whole range, and "
        "floats 0..1 for images, -1..1 for sounds.",
        many=True,
        needs=("image", "audio", "samples"),
    ),
]
Arrays = Annotated[str, Flag("-o --output", "OUT", "Save the outputs as a .npz, or a single output as a .npy.")]
Backend = Annotated[str, Flag("--backend", "NAME", "Engine that runs the model: {engines}.", values="engines")]
FloatLimit = Annotated[
    int | None,
    Flag(
        "--limit",
        "SECONDS",
        "Most computing time for measuring the error of --float, by an estimate; 10 by default.",
        minimum=1,
        needs=("float_type",),
        excluded_by=("explain",),
    ),
]
RunLimit = Annotated[
    int | None,
    Flag("--limit", "SECONDS", "Most computing time of the executor, by an estimate; 10 by default.", minimum=1),
]
Extract = Annotated[
    str,
    Flag("--extract", "DIR", "Like --bisect, and write the operators that differ as models with their inputs."),
]
Page = Annotated[
    str, Flag("--report", "FILE.html", "Write the report as a page for a browser; a conversion's has --layers.")
]
Pages = Annotated[str, Flag("--report", "DIR", "Write a page for each model, with --layers, and an index.")]
From = Annotated[list[str] | None, Flag("--from", "TENSOR", "First tensor; the inputs by default.", many=True)]
To = Annotated[list[str] | None, Flag("--to", "TENSOR", "Last tensor; the outputs by default.", many=True)]
Jobs = Annotated[
    int,
    Flag(
        "--jobs",
        "N",
        "Number of models at once; the number of processors by default.",
        minimum=0,
        excluded_by=(*_ONE_FILE, "scheduler"),
    ),
]
Timeout = Annotated[int, Flag("--timeout", "SECONDS", "Most time for one of the models; 0 for any.", minimum=0)]
ManyTimeout = Annotated[
    int | None,
    Flag(
        "--timeout",
        "SECONDS",
        "Most time for one of several models; 600 by default, 0 for any.",
        minimum=0,
        excluded_by=_ONE_FILE,
    ),
]
Scheduler = Annotated[str, Flag("--scheduler", "ADDRESS", "Run on a Dask cluster, whose workers see the same files.")]
Folder = Annotated[str, Flag("--folder", "DIR", "Use the .tflite files of a folder in place of the zoo.")]
Manifest = Annotated[
    str,
    Flag(
        "--manifest", "FILE.toml", "Use the models that this file lists in place of the zoo.", excluded_by=("folder",)
    ),
]
Filter = Annotated[str, Flag("--filter", "TEXT", "Use only models with this text in their name, kind or source.")]
Results = Annotated[
    str, Flag("--results", "FILE", "Write each result here as it comes; to the cache folder by default.")
]
Resume = Annotated[bool, Flag("--resume", help="Resume an interrupted run.")]
Junit = Annotated[str, Flag("--junit", "FILE.xml", "Write the results as JUnit XML.")]
Names = Annotated[list[str] | None, Flag(metavar="MODEL", help="Names of models; all by default.")]
Other = Annotated[str, Flag(metavar="OTHER", help="A second model, to see both side by side.")]
Data = Annotated[
    str,
    Flag(
        "--data",
        "FILE.json",
        "Colour operators by the report of verify --layers --json.",
        excluded_by=("svg", "adapters"),
    ),
]
Svg = Annotated[str, Flag("--svg", "OUT.svg", "Draw a small model to a file, in place of opening a browser.")]
Adapters = Annotated[
    bool,
    Flag(
        "--adapters",
        help="Let Arm's adapters for Model Explorer read the files: .tosa, .vgf, .spv.",
        excluded_by=("svg",),
    ),
]
Port = Annotated[
    int,
    Flag(
        "--port",
        help="Port of this machine to serve at, or the next free one.",
        minimum=1,
        maximum=65535,
        excluded_by=("svg",),
    ),
]
NoOpen = Annotated[bool, Flag("--no-open", help="Print the address and open no browser.", excluded_by=("svg",))]


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
INSPECT = {name: CONVERT[name].limited(excluded_by=("asm",)) for name in ("target", "signature")} | {
    name: CONVERT[name].limited(needs=CHECKS, excluded_by=("asm",))
    for name in ("numerics", "input_shapes", "bounds", "rules", "allow_custom")
}
COMPARED = {name: VERIFY[name] for name in ("runs", "steps", "seed", "limit")}
RUN = {name: VERIFY[name] for name in ("seed", "ranges", "input_shapes", "steps", "signature")}
ZOO = {"against": VERIFY["against"], "runs": VERIFY["runs"]._replace(default=5), "numerics": VERIFY["numerics"]}
