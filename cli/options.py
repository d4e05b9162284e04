"""The options that only the command line has, and how commands take these and the API's.

A {name} in a help text stands for the values that `cli.values` lists by this name.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple, TypeVar

from tosa_converter.cli.fields import Field, fields
from tosa_converter.cli.output_flags import ONE_FILE, Constants, DebugInfo, DumpIr
from tosa_converter.options import FLAGS, CompareOptions, ConvertOptions, Flag, InputOptions

Command = TypeVar("Command", bound=Callable[..., int])


def takes(options: Mapping[str, Field]) -> Callable[[Command], Command]:
    """Returns a decorator that attaches `options` to a command; the command line passes them as keywords."""

    def decorate(command: Command) -> Command:
        """Attaches the options to a command as `command.options`, which the parser reads; returns it."""
        vars(command)["options"] = options
        return command

    return decorate


def api_values(words: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values of options as the API takes them: parsed, and () for a list that isn't stated."""
    values = {}
    for name, value in words.items():
        flag = FLAGS.get(name, Flag())
        value = value or () if flag.many else value
        values[name] = value if flag.parse is None else flag.parse(value)
    return values


# ** one by one, by the names of parameters' types **

CHECKS = ("check", "profile", "extension", "level", "target")
"""The parameters of `inspect` that ask for a check."""

Model = Annotated[
    str, Flag(metavar="MODEL", help="A .tflite, .tosa, .spv, .vgf, .mlir, .mlirbc, .pte or XNNGraph file.")
]
Written = Annotated[
    str,
    Flag(
        metavar="WRITTEN",
        help="A .tosa, .spv, .vgf, .mlir, .mlirbc or .tflite file to compare with MODEL, in place of a new conversion.",
    ),
]
OperatorName = Annotated[
    str, Flag(metavar="OPERATOR", help="List only operators with this in their name, such as CONV_2D.")
]
Models = Annotated[
    list[str],
    Flag(
        metavar="MODEL...",
        help="One or more .tflite, .tosa, .spv, .vgf, .mlir, .mlirbc, .pte or XNNGraph files, or folders.",
    ),
]
Format = Annotated[
    str,
    Flag(
        "--format",
        "NAME",
        "Format of the output, such as spv; its ending by default, or tosa for several models.",
        excluded_by=ONE_FILE,
        panel="Output",
    ),
]
OutputFormat = Annotated[
    str, Flag("--format", "NAME", "Format of the output, such as spv; its ending by default.", panel="Output")
]
Output = Annotated[
    str,
    Flag(
        "-o --output",
        "OUT",
        "A .tosa, .spv, .vgf, .mlir, .mlirbc, .vmfb, .tflite or .xnn file, a folder, or - with --format.",
        panel="Output",
    ),
]
Partial = Annotated[
    str,
    Flag(
        "--partial",
        "DIR",
        "Write the convertible parts and the rest to a folder, in place of an output.",
        panel="Output",
    ),
]
Explain = Annotated[
    str,
    Flag(
        "--explain",
        "OPERATOR",
        "Show the rules that were tried at an operator (its number, location or name, or all), in place of an output.",
        panel="Output",
    ),
]
Chain = Annotated[
    str, Flag("--partial", "DIR", "Compare the chain that --partial wrote to this folder.", panel="Comparison")
]
Json = Annotated[bool, Flag("--json", help="Print the report, or the failure, as JSON.", excluded_by=("asm",))]
Verbose = Annotated[bool, Flag("-v --verbose", help="Show the passes with their times.", excluded_by=ONE_FILE)]
Everything = Annotated[bool, Flag("-v --verbose", help="Show every output, operator, precision clause and note.")]
Delegate = Annotated[
    int | None,
    Flag(
        "--delegate",
        "N",
        "Convert only the graph of this delegate of a .pte.",
        minimum=0,
        excluded_by=("partial",),
        panel="Conversion",
    ),
]
IreeFlag = Annotated[
    list[str] | None,
    Flag(
        "--iree-flag",
        "FLAG",
        "Flag of IREE's compiler for a .vmfb, as in --iree-flag=--iree-opt-level=O2.",
        many=True,
        excluded_by=ONE_FILE,
        panel="Conversion",
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
        panel="Check",
    ),
]
Places = Annotated[
    bool,
    Flag(
        "-v --verbose",
        help="List every operator in the check of a source, and every input and output.",
        excluded_by=("asm",),
        panel="Check",
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
        panel="Check",
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
        panel="Check",
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
        panel="Check",
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
    list[str] | None,
    Flag("-i --input", "[NAME=]FILE", "A .npy file for an input, or a .npz for several.", many=True, panel="Inputs"),
]
Image = Annotated[
    list[str] | None,
    Flag(
        "--image", "[NAME=]FILE", "An image for an input, resized to its height and width.", many=True, panel="Inputs"
    ),
]
Audio = Annotated[
    list[str] | None,
    Flag(
        "--audio", "[NAME=]FILE", "A WAV file for an input, at the file's own sample rate.", many=True, panel="Inputs"
    ),
]
Samples = Annotated[
    str, Flag("--samples", "DIR", "Run once for each array, image and WAV file of a folder.", panel="Inputs")
]
Scale = Annotated[
    list[str] | None,
    Flag(
        "--scale",
        "[NAME=]HOW",
        "Values of images and sounds: raw, 0..1, -1..1 or MEAN,STD; by default an integer's whole range, 0..1 or "
        "-1..1 for floats.",
        many=True,
        panel="Inputs",
        needs=("image", "audio", "samples"),
    ),
]
Arrays = Annotated[
    str, Flag("-o --output", "OUT", "Save the outputs as a .npz, or a single output as a .npy.", panel="Output")
]
Against = Annotated[
    str, Flag("--against", "NAME", "Engine that runs the model: {engines}.", values="engines", panel="Engine")
]
FloatLimit = Annotated[
    int | None,
    Flag(
        "--limit",
        "SECONDS",
        "Most computing time to measure the error of --float; 10 by default.",
        minimum=1,
        needs=("float_type",),
        excluded_by=("explain",),
        panel="Conversion",
    ),
]
RunLimit = Annotated[
    int | None,
    Flag(
        "--limit",
        "SECONDS",
        "Most computing time of the executor, by an estimate; 10 by default.",
        minimum=1,
        panel="Engine",
    ),
]
Labels = Annotated[
    str,
    Flag(
        "--labels",
        "FILE",
        "Count how often both sides are right, by lines LABEL in the order of the samples, or FILE,LABEL. A label is "
        "the number of a class, or its name in the model's list of labels.",
        needs=("samples",),
        panel="Comparison",
    ),
]
SaveOutputs = Annotated[
    str, Flag("--save-outputs", "DIR", "Write inputs.npz and what each engine computed, as ENGINE.npz, to a folder.")
]
LoadOutputs = Annotated[
    list[str] | None,
    Flag(
        "--load-outputs",
        "FILE.npz",
        "Also compare the outputs of a run made elsewhere on the same inputs, such as on a device.",
        many=True,
        panel="Comparison",
    ),
]
Extract = Annotated[
    str,
    Flag(
        "--extract",
        "DIR",
        "Like --bisect, and write the operators that differ as models, with inputs, expected outputs and a command.",
        panel="Comparison",
    ),
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
        excluded_by=(*ONE_FILE, "scheduler"),
        panel="Several models",
    ),
]
Timeout = Annotated[
    int, Flag("--timeout", "SECONDS", "Most time for one of the models; 0 for any.", minimum=0, panel="Several models")
]
ManyTimeout = Annotated[
    int | None,
    Flag(
        "--timeout",
        "SECONDS",
        "Most time for one of several models; 600 by default, 0 for any.",
        minimum=0,
        excluded_by=ONE_FILE,
        panel="Several models",
    ),
]
Scheduler = Annotated[
    str,
    Flag("--scheduler", "ADDRESS", "Run on a Dask cluster, whose workers see the same files.", panel="Several models"),
]
Folder = Annotated[
    str, Flag("--folder", "DIR", "Use the .tflite files of a folder in place of the zoo.", panel="Models")
]
Manifest = Annotated[
    str,
    Flag(
        "--manifest",
        "FILE.toml",
        "Use the models that this file lists in place of the zoo.",
        excluded_by=("folder",),
        panel="Models",
    ),
]
Filter = Annotated[
    str, Flag("--filter", "TEXT", "Use only models with this text in their name, kind or source.", panel="Models")
]
Results = Annotated[
    str,
    Flag(
        "--results",
        "FILE",
        "Write each result here as it comes; to the cache folder by default.",
        panel="Several models",
    ),
]
Resume = Annotated[bool, Flag("--resume", help="Resume an interrupted run.", panel="Several models")]
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
        "PORT",
        help="Port of this machine to serve at, or the next free one.",
        minimum=1,
        maximum=65535,
        excluded_by=("svg",),
    ),
]
NoOpen = Annotated[bool, Flag("--no-open", help="Print the address and open no browser.", excluded_by=("svg",))]
JsonOfPicture = Annotated[bool, Flag("--json", help="Print the report, or the failure, as JSON.", needs=("svg",))]


class FileOptions(NamedTuple):
    """Options of inputs that are read from files."""

    input: Input = None
    image: Image = None
    audio: Audio = None
    samples: Samples = ""
    scale: Scale = None


class OutputOptions(NamedTuple):
    """Options of what a conversion writes and prints."""

    output: Output = ""
    format: Format = ""
    partial: Partial = ""
    explain: Explain = ""
    jobs: Jobs = 0
    timeout: ManyTimeout = None
    dump_ir: DumpIr = ""
    debug_info: DebugInfo = False
    constants: Constants = ""
    json: Json = False
    verbose: Verbose = False
    delegate: Delegate = None
    iree_flag: IreeFlag = None
    limit: FloatLimit = None


_WRITTEN = fields(OutputOptions)
CONVERT = {name: _WRITTEN[name] for name in ("output", "format")} | fields(ConvertOptions, without=["limit"]) | _WRITTEN
VERIFY = fields(FileOptions, ConvertOptions, InputOptions, CompareOptions, without=["allow_custom"])
INSPECT = {
    name: CONVERT[name].restrict(excluded_by=("asm",)) for name in ("target", "signature", "input_shapes", "bounds")
} | {name: CONVERT[name].restrict(needs=CHECKS, excluded_by=("asm",)) for name in ("numerics", "rules", "allow_custom")}
INPUTS = fields(FileOptions, InputOptions)
"""The options of inputs, which all commands that run a model take."""
RUN = {name: VERIFY[name].in_panel("Inputs") for name in ("signature", "input_shapes")} | INPUTS
DIFF = INPUTS | {name: VERIFY[name] for name in ("against", "limit")}
# An option of one input by its name can't apply to many models: zoo verify has no --input, --image and --audio.
ZOO = fields(InputOptions, FileOptions, without=["input", "image", "audio"]) | {
    name: VERIFY[name] for name in ("numerics", "target", "io_types", "rules", "against")
}
ZOO["runs"] = ZOO["runs"]._replace(default=5)
ZOO["samples"] = ZOO["samples"].restrict(excluded_by=("resume",))  # the files may have changed since
