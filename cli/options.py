"""What the commands take, as Typer is told it; a {name} in a help text stands for values that `values` lists."""

from collections.abc import Callable
from typing import Annotated, Any

from typer import Argument, Option


def _values(kind: str) -> Callable[[str], list[str]]:
    """What completes the last of a list of names between commas."""

    def complete(incomplete: str) -> list[str]:
        from tosa_converter.cli.values import listed

        before, comma, last = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in listed()[kind].split(", ") if name.startswith(last)]

    return complete


def _list(*flags: str, **settings: Any) -> Any:
    return Option(*flags, show_default=False, **settings)


Model = Annotated[str, Argument(metavar="MODEL", help="A .tflite, .tosa, .spv, .vgf, .mlir or XNNGraph file.")]
Written = Annotated[
    str, Argument(metavar="WRITTEN", help="A .tflite file that was written of it, to compare in place of a conversion.")
]
Models = Annotated[
    list[str],
    Argument(metavar="MODEL...", help="A .tflite, .tosa, .spv, .vgf, .mlir or XNNGraph file, or several, or a folder."),
]
Format = Annotated[
    str,
    _list("--format", metavar="NAME", help="Of the output, as in spv; by the ending, or tosa for several, by default."),
]
Output = Annotated[
    str,
    _list(
        "-o",
        "--output",
        metavar="OUT",
        help="A .tosa, .spv, .vgf, .mlir, .tflite or .xnn file, a folder, or - with --format.",
    ),
]
Partial = Annotated[
    str,
    _list("--partial", metavar="DIR", help="In place of an output: what converts, what doesn't, and their manifest."),
]
Explain = Annotated[
    str,
    _list(
        "--explain",
        metavar="OPERATOR",
        help="In place of an output: the rules that were tried at an operator, and why each did or didn't apply. Its "
        "number, its location, its name or a part of these; all for every operator.",
    ),
]
Chain = Annotated[
    str, _list("--partial", metavar="DIR", help="Compare the chain that was converted to this folder before.")
]
Target = Annotated[
    str,
    _list(
        "--target",
        metavar="LIST",
        help="Target constraints: {presets}; or a list such as pro-int,ext-doubleround,8k of {profiles}, "
        "{extensions}, {levels}.",
        autocompletion=_values("presets"),
    ),
]
Numerics = Annotated[
    str,
    _list("--numerics", metavar="NAME", help="Numerics to reproduce: {numerics}.", autocompletion=_values("numerics")),
]
Float = Annotated[
    str,
    _list(
        "--float", metavar="TYPE", help="Compute fp32 operators in this type: fp16, bf16; inputs and outputs stay fp32."
    ),
]
InputShape = Annotated[
    list[str] | None,
    _list("--input-shape", metavar="NAME=1,224,224,3", help="Shape of an input with unknown dimensions."),
]
Bound = Annotated[
    list[str] | None,
    _list("--bound", metavar="NAME=N", help="Most rows of a result of WHERE, UNIQUE or SEGMENT_SUM, by its name."),
]
IoType = Annotated[
    list[str] | None,
    _list(
        "--io-type",
        metavar="[NAME=]TYPE",
        help="Element type of an input or output, or of all: {io_types}.",
        autocompletion=_values("io_types"),
    ),
]
IoLayout = Annotated[
    list[str] | None,
    _list("--io-layout", metavar="NAME=nchw", help="Layout of an image's input or output: {io_layouts}."),
]
State = Annotated[
    str,
    _list("--state", metavar="FORM", help="Persistent state: variables, or io for inputs and outputs."),
]
ControlFlow = Annotated[
    str,
    _list(
        "--control-flow",
        metavar="FORM",
        help="IF and WHILE: keep, or flatten to compute both branches and every round in a row.",
    ),
]
Sequence = Annotated[
    str, _list("--sequence", metavar="FORM", help="The steps of recurrent operators: unroll, or loop.")
]
Plugin = Annotated[
    list[str] | None,
    _list(
        "--plugin",
        metavar="FILE.py",
        help="Rules of your own: a file with RULES, or the name of an installed plugin. It is run as code.",
    ),
]
AllowCustom = Annotated[
    bool, Option("--allow-custom", help="Keep custom operators that can't be converted as TOSA's CUSTOM.")
]
Signature = Annotated[
    str, _list("--signature", metavar="NAME", help="The graph of this signature alone, of a model with several.")
]
Json = Annotated[bool, Option("--json", help="Print the report as JSON.")]
Verbose = Annotated[bool, Option("-v", "--verbose", help="Show the passes with their times.")]
DumpIr = Annotated[
    str, _list("--dump-ir", metavar="DIR", help="Write the graph in MLIR text after every pass that changed it.")
]
DebugInfo = Annotated[
    bool, Option("--debug-info", help="Keep names of values and places of operators in a .spv, .vgf or .mlir.")
]

Delegate = Annotated[
    int | None, Option("--delegate", min=0, metavar="N", help="Of a program (.pte) this delegate's graph alone.")
]

IreeFlag = Annotated[
    list[str] | None,
    _list(
        "--iree-flag",
        metavar="FLAG",
        help="A flag of IREE's compiler, for a .vmfb, as in --iree-flag=--iree-hal-target-backends=cuda.",
    ),
]

Passes = Annotated[
    str,
    Option(
        "--passes",
        metavar="LIST",
        help="Passes in order, between commas (default all): rank-reduction, reshape-propagation, simplify, "
        "common-subexpressions.",
    ),
]
Tensors = Annotated[bool, Option("--tensors", help="List every tensor.")]
Check = Annotated[
    bool,
    Option(
        "--check", help="Verify a TOSA graph against the specification; tell what each operator of a source becomes."
    ),
]
Places = Annotated[bool, Option("-v", "--verbose", help="With a check of a source: a line for every operator.")]
Profile = Annotated[
    list[str] | None,
    _list("--profile", metavar="NAME", help="Check with it: {profiles}.", autocompletion=_values("profiles")),
]
Extension = Annotated[
    list[str] | None,
    _list("--extension", metavar="NAME", help="Check with it: {extensions}.", autocompletion=_values("extensions")),
]
Level = Annotated[
    str,
    _list(
        "--level",
        metavar="NAME",
        help="Check with its limits: {levels}; 8k by default.",
        autocompletion=_values("levels"),
    ),
]
Asm = Annotated[bool, Option("--asm", help="Print the assembly listing of a .spv or .vgf file.")]

Input = Annotated[
    list[str] | None,
    _list("-i", "--input", metavar="[NAME=]FILE", help="A .npy file for an input, or a .npz for several."),
]
Image = Annotated[
    list[str] | None,
    _list("--image", metavar="[NAME=]FILE", help="An image for an input, resized and in its channels."),
]
Audio = Annotated[
    list[str] | None,
    _list("--audio", metavar="[NAME=]FILE", help="A WAV file for an input, cut to its length, as it is recorded."),
]
Samples = Annotated[
    str, _list("--samples", metavar="DIR", help="A run for each array, image or WAV file of a folder, by its ending.")
]
Scale = Annotated[
    list[str] | None,
    _list(
        "--scale",
        metavar="[NAME=]HOW",
        help="Of images and sounds: raw, 0..1, -1..1 or MEAN,STD; else the whole range of integers, 1 of floats.",
    ),
]
Range = Annotated[
    list[str] | None,
    _list("--range", metavar="[NAME=]LOW,HIGH", help="Random inputs between two numbers, reals of quantized ones."),
]
Adversarial = Annotated[
    bool, Option("--adversarial", help="Inputs that saturate, tie and mark borders by the model's own scales.")
]
Arrays = Annotated[str, _list("-o", "--output", metavar="OUT", help="A .npz file, or a .npy for a single output.")]
Seed = Annotated[int, Option("--seed", min=0, help="Seed of random inputs.")]
Backend = Annotated[
    str,
    _list("--backend", metavar="NAME", help="What runs the model: {engines}.", autocompletion=_values("engines")),
]
Limit = Annotated[
    int,
    Option(
        "--limit",
        min=1,
        metavar="SECONDS",
        help="Computing time that the executor accepts, by an estimate from the operators' shapes.",
    ),
]
FloatLimit = Annotated[
    int | None,
    _list("--limit", min=1, metavar="SECONDS", help="With --float: what measuring its error may take, 10 by default."),
]
RunLimit = Annotated[
    int | None,
    _list("--limit", min=1, metavar="SECONDS", help="Computing time that the executor accepts by an estimate: 10."),
]
Against = Annotated[
    str,
    Option("--against", metavar="LIST", help="Engines that run it: {engines}.", autocompletion=_values("engines")),
]
Runs = Annotated[int, Option("--runs", min=1, max=100_000, help="How many sets of random or adversarial inputs.")]
Steps = Annotated[
    int,
    Option(
        "--steps",
        min=0,
        show_default=False,
        help="Runs in a row, from which state goes on: 10 by default for a comparison of models that have some.",
    ),
]
Layers = Annotated[
    bool, Option("--layers", help="Judge every operator by its precision clause and its source too; time both.")
]
Bisect = Annotated[bool, Option("--bisect", help="The same with every operator alone, on the source's own values.")]
Extract = Annotated[
    str, Option("--extract", metavar="DIR", help="The same; write the operator that differs, with its inputs, there.")
]
Page = Annotated[
    str,
    Option(
        "--report", metavar="FILE.html", help="With a conversion's layers; write all found as a page for a browser."
    ),
]
Pages = Annotated[
    str, Option("--report", metavar="DIR", help="Write a page for a browser for each, with layers, and an index.")
]
From = Annotated[list[str] | None, Option("--from", metavar="TENSOR", help="Begin with this; inputs by default.")]
To = Annotated[list[str] | None, Option("--to", metavar="TENSOR", help="End with this; outputs by default.")]

Jobs = Annotated[
    int,
    Option("--jobs", min=0, metavar="N", show_default=False, help="Models at once; as many as processors by default."),
]
Timeout = Annotated[
    int, Option("--timeout", min=0, metavar="SECONDS", help="Of several models, what each may take; 0 for any time.")
]
ManyTimeout = Annotated[
    int | None,
    _list("--timeout", min=0, metavar="SECONDS", help="Of several models, what each may take; 600, or 0 for any time."),
]
Scheduler = Annotated[
    str, _list("--scheduler", metavar="ADDRESS", help="Of a Dask cluster whose workers see the same files.")
]
Folder = Annotated[str, _list("--folder", metavar="DIR", help="All .tflite files in it, in place of the zoo.")]
Manifest = Annotated[
    str,
    _list(
        "--manifest",
        metavar="FILE.toml",
        help="The models that it lists, in place of the zoo.",
    ),
]
Filter = Annotated[str, _list("--filter", metavar="TEXT", help="Models with it in their name, kind or source.")]
Results = Annotated[
    str, _list("--results", metavar="FILE", help="Gets each result as it comes; in the cache folder by default.")
]
Resume = Annotated[bool, Option("--resume", help="Resume an interrupted run.")]
Junit = Annotated[str, _list("--junit", metavar="FILE.xml", help="The results as JUnit XML.")]
Engines = Annotated[str, _list("--against", metavar="LIST", help="Further engines that run the conversion.")]

Names = Annotated[list[str] | None, Argument(metavar="MODEL", help="Models by name; all by default.")]

Other = Annotated[str, Argument(metavar="OTHER", help="A second one, to see both side by side.")]
Data = Annotated[
    str, _list("--data", metavar="FILE.json", help="Colour operators by what verify --layers --json has printed.")
]
Svg = Annotated[str, _list("--svg", metavar="OUT.svg", help="Draw it, if it is small, in place of opening a browser.")]
Adapters = Annotated[
    bool, Option("--adapters", help="Have Model Explorer's adapters read the files: Arm's .tosa, .vgf, .spv.")
]
Port = Annotated[int, Option("--port", min=1, max=65535, help="Of this machine, to serve at; or the next free one.")]
NoOpen = Annotated[bool, Option("--no-open", help="Print the address and open no browser.")]
