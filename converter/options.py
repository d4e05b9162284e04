"""The options of conversions and comparisons: each is stated once, in a field of one of three frozen records.

A field's annotation has its type and its `Flag`: how the command line spells it, what help and docstrings say, and
which sources have it. Commands, help, reference pages, the API's signatures and the commands that reports print are
made from these fields.

The records are named tuples: `dataclasses` takes 6 ms to import, of the 110 ms of a small conversion.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from tosa_converter.errors import UsageError

if TYPE_CHECKING:
    from tosa_converter.ir import Array, Model
    from tosa_converter.rewriting.plugins import RuleSource
    from tosa_converter.rewriting.reasons import Attempts
    from tosa_converter.rules.target import Target

NUMERICS = ("reference", "xnnpack", "compact")
TFLITE = ("tfl",)
SOURCES = ("tfl", "xnn")


class Flag(NamedTuple):
    """An option of the command line and of the API's functions.

    A {name} in `help` stands for the values that `cli.values` lists by this name. `about` is the text of docstrings.
    `parse` makes the API's value from the command line's; `accept` makes the field's value from the API's, whose type
    is `accepts` where it isn't the field's.
    """

    names: str = ""  # between spaces; none of an option that only the API has
    metavar: str = ""
    help: str = ""
    about: str = ""
    many: bool = False  # may be repeated
    parse: Callable[[Any], Any] | None = None
    accept: Callable[[Any], Any] | None = None
    accepts: str = ""
    values: str = ""  # what completes it
    choices: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # opsets of the models that it applies to, of which `reason` says why
    reason: str = ""
    minimum: int | None = None  # of a number
    maximum: int | None = None

    @property
    def name(self) -> str:
        """The last of its names, which is the long one."""
        return self.names.rpartition(" ")[2]


# ** what the command line's words stand for **


def parse_names(subject: str, texts: Sequence[str]) -> dict[str, str]:
    """Returns the values of texts such as NAME=VALUE by name; a value without a name is that of "".

    Raises:
        UsageError: two values for one name.
    """
    pairs = [(name, value) for name, _, value in (text.rpartition("=") for text in texts)]
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"{subject}: {name!r} is given twice" if name else f"{subject}: two for all")
    return dict(pairs)


def parse_bounds(texts: Sequence[str]) -> dict[str, int]:
    """Returns the numbers of texts such as NAME=N by name."""
    bounds: dict[str, int] = {}
    for text in texts:
        name, _, rows = text.rpartition("=")
        if not name or not (rows.isascii() and rows.isdigit()) or len(rows) > 9:
            raise UsageError(f"bound: expected NAME=N, found {text!r}")
        bounds[name] = int(rows)
    return bounds


def parse_shapes(texts: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Returns the shapes of texts such as NAME=1,224,224,3 by name."""
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


def parse_ranges(texts: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Returns the ranges of texts such as NAME=LOW,HIGH by name; a range without a name is that of ""."""
    ranges: dict[str, tuple[float, float]] = {}
    for name, text in parse_names("range", texts).items():
        try:
            low, high = map(float, text.split(","))
        except ValueError:
            raise UsageError(f"range: expected [NAME=]LOW,HIGH, found {text!r}") from None
        ranges[name] = low, high
    return ranges


def parse_target(target: "Target | str | None") -> "Target | None":
    """Returns a target, which may be given by its names."""
    from tosa_converter.rules.target import Target

    return Target.parse(target) if isinstance(target, str) else target


def listed(names: str | Sequence[str]) -> Sequence[str]:
    """Returns names, which may stand in a string between commas."""
    return names.split(",") if isinstance(names, str) else names


def _or_empty(values: Mapping[str, Any] | None) -> Mapping[str, Any]:
    return values or {}


def _tuples(shapes: Mapping[str, Sequence[int]] | None) -> dict[str, tuple[int, ...]]:
    return {name: tuple(shape) for name, shape in (shapes or {}).items()}


# ** the options **


class ConvertOptions(NamedTuple):
    """Options of a conversion."""

    numerics: Annotated[
        str,
        Flag(
            "--numerics",
            "NAME",
            "Numerics to reproduce: {numerics}.",
            "reference (LiteRT's reference kernels, the default for TFLite), xnnpack (the default for XNNPACK graphs; "
            "of a TFLite model, the operators that LiteRT's delegate takes are as XNNPACK computes them, and notes "
            "list the others), or compact (the short form that hardware compilers look for).",
            values="numerics",
            choices=NUMERICS,
            sources=SOURCES,
            reason="TOSA has one arithmetic",
        ),
    ] = ""
    target: Annotated[
        "Target | None",
        Flag(
            "--target",
            "LIST",
            "Target constraints: {presets}; or a list such as pro-int,ext-doubleround,8k of {profiles}, {extensions}, "
            "{levels}.",
            "profiles, extensions and level of the result, their names, or the name of a preset; whatever the model "
            "needs by default. A preset also has defaults for numerics, types of inputs and outputs, state and control "
            "flow.",
            parse=lambda text: text or None,
            accept=parse_target,
            accepts="Target | str | None",
            values="presets",
        ),
    ] = None
    input_shapes: Annotated[
        Mapping[str, tuple[int, ...]],
        Flag(
            "--input-shape",
            "NAME=1,224,224,3",
            "Shape of an input with unknown dimensions.",
            "shapes of inputs with unknown dimensions, by name; the shapes in the file by default.",
            many=True,
            parse=parse_shapes,
            accept=_tuples,
            accepts="Mapping[str, Sequence[int]] | None",
        ),
    ] = {}
    bounds: Annotated[
        Mapping[str, int],
        Flag(
            "--bound",
            "NAME=N",
            "Most rows of a result of WHERE, UNIQUE or SEGMENT_SUM, by its name.",
            "the most rows of a result of WHERE, UNIQUE (its first) or SEGMENT_SUM, by its name. The conversion gives "
            "exactly so many rows: zeros behind the last one, and further rows are left out.",
            many=True,
            parse=parse_bounds,
            accept=_or_empty,
            accepts="Mapping[str, int] | None",
        ),
    ] = {}
    io_types: Annotated[
        Mapping[str, str] | str,
        Flag(
            "--io-type",
            "[NAME=]TYPE",
            "Element type of an input or output, or of all: {io_types}.",
            "element types of inputs and outputs by name: keep, float32, float16, int8, uint8 or int16. One alone is "
            "for all whose elements stand for reals.",
            many=True,
            parse=lambda texts: parse_names("border type", texts),
            accept=_or_empty,
            accepts="str | Mapping[str, str] | None",
            values="io_types",
        ),
    ] = {}
    io_layouts: Annotated[
        Mapping[str, str],
        Flag(
            "--io-layout",
            "NAME=nchw",
            "Layout of an image's input or output: {io_layouts}.",
            "nchw or nhwc by the name of an image's input or output, whose layout in the file is the other one.",
            many=True,
            parse=lambda texts: parse_names("border layout", texts),
            accept=_or_empty,
            accepts="Mapping[str, str] | None",
        ),
    ] = {}
    float_type: Annotated[
        str,
        Flag(
            "--float",
            "TYPE",
            "Compute fp32 operators in this type: fp16, bf16; inputs and outputs stay fp32.",
            "fp16 or bf16, to compute fp32 operators in it; inputs and outputs stay fp32. A conversion notes how far "
            "random outputs are from fp32's, if `limit` and the memory allow both runs. A comparison allows floats "
            "2**-8 or 2**-5 of the reference's largest value.",
        ),
    ] = ""
    state: Annotated[
        str,
        Flag(
            "--state",
            "FORM",
            "Persistent state: variables, or io for inputs and outputs.",
            "form of persistent state: variables (the default), or io for inputs and outputs.",
            choices=("variables", "io"),
            sources=TFLITE,
            reason="only TFLite models have state to change the form of",
        ),
    ] = ""
    control_flow: Annotated[
        str,
        Flag(
            "--control-flow",
            "FORM",
            "IF and WHILE: keep, or flatten to compute both branches and every round in a row.",
            "keep (the default), or flatten to compute both branches of an IF, and every round of a WHILE in a row.",
            choices=("keep", "flatten"),
            sources=TFLITE,
            reason="only TFLite models have control flow to convert",
        ),
    ] = ""
    sequence: Annotated[
        str,
        Flag(
            "--sequence",
            "FORM",
            "The steps of recurrent operators: unroll, or loop.",
            "form of the steps of recurrent operators: unroll or loop.",
            choices=("unroll", "loop"),
            sources=TFLITE,
            reason="only TFLite models have recurrent operators",
        ),
    ] = "unroll"
    rules: Annotated[
        Sequence["RuleSource"],
        Flag(
            "--plugin",
            "FILE.py",
            "Rules of your own: a file with RULES, or the name of an installed plugin. It is run as code.",
            "rules of your own, which are tried before this package's: `Rule`s, files with a list `RULES`, or names of "
            "installed plugins. They are run as code. Installed plugins that aren't named are asked about operators "
            "that no other rule accepts.",
            many=True,
            sources=SOURCES,
            reason="TOSA operators aren't converted",
        ),
    ] = ()
    allow_custom: Annotated[
        bool,
        Flag(
            "--allow-custom",
            help="Keep custom operators that can't be converted as TOSA's CUSTOM.",
            about="keep custom operators that no rule accepts as TOSA's CUSTOM, with a note for each.",
            sources=TFLITE,
            reason="only TFLite models have custom operators to keep",
        ),
    ] = False
    signature: Annotated[
        str,
        Flag(
            "--signature",
            "NAME",
            "The graph of this signature alone, of a model with several.",
            "the graph of this signature alone; by default the graphs of all signatures.",
        ),
    ] = ""
    dump: Annotated[
        "Callable[[str, Model], None] | None",
        Flag(about="called with a name and the model after import and after every pass."),
    ] = None
    limit: Annotated[
        float,
        Flag(
            "--limit",
            "SECONDS",
            "Computing time that the executor accepts, by an estimate from the operators' shapes.",
            "seconds that the executor accepts for a run, by an estimate from the operators' shapes; math.inf for any. "
            "A conversion runs models only to note the error of `float_type`.",
            minimum=1,
        ),
    ] = 10.0
    trace: Annotated[
        "list[Attempts] | None",
        Flag(about="gets the rules that each pass tries at each operator; `explain` sorts them by source operator."),
    ] = None

    @property
    def flatten(self) -> bool:
        """Whether control flow must be removed: a target without EXT-CONTROLFLOW has none."""
        return self.control_flow == "flatten" or (
            self.target is not None and "EXT-CONTROLFLOW" not in self.target.extensions
        )


class InputOptions(NamedTuple):
    """Options of the inputs that both sides of a comparison run on."""

    inputs: Annotated[
        "Sequence[Mapping[str, Array]]",
        Flag(
            about="sets of arrays by the source's input names; random ones by default. An array with one dimension "
            "more is for several steps, which are runs of their own in a model without state; an array without it is "
            "the same in all steps."
        ),
    ] = ()
    runs: Annotated[
        int,
        Flag(
            "--runs",
            "N",
            "How many sets of random or adversarial inputs.",
            "how many sets of random or adversarial inputs.",
            minimum=1,
            maximum=100_000,
        ),
    ] = 1
    steps: Annotated[
        int,
        Flag(
            "--steps",
            "N",
            "Runs in a row, from which state goes on: 10 by default for a comparison of models that have some.",
            "how many runs in a row each set is for; state goes on from one to the next. 0 is for as many as the "
            "arrays are for, or for 10 on random inputs of a model with state.",
            minimum=0,
        ),
    ] = 0
    seed: Annotated[
        int, Flag("--seed", "N", "Seed of random inputs, 0 by default.", "seed of the first random set.", minimum=0)
    ] = 0
    ranges: Annotated[
        Mapping[str, tuple[float, float]],
        Flag(
            "--range",
            "[NAME=]LOW,HIGH",
            "Random inputs between two numbers, reals of quantized ones.",
            'the least and the greatest random number by an input\'s name, or by "" for all other inputs: uniform '
            "floats, the reals that quantized integers stand for, or other integers themselves.",
            many=True,
            parse=parse_ranges,
            accept=_or_empty,
            accepts="Mapping[str, tuple[float, float]] | None",
        ),
    ] = {}
    adversarial: Annotated[
        bool,
        Flag(
            "--adversarial",
            help="Inputs that saturate, tie and mark borders by the model's own scales.",
            about="sets of `adversarial_inputs` in place of random ones.",
        ),
    ] = False


class CompareOptions(NamedTuple):
    """Options of a comparison besides its inputs."""

    against: Annotated[
        Sequence[str],
        Flag(
            "--against",
            "LIST",
            "Engines that run it: {engines}.",
            "engines by name, also in a string between commas. Those for TOSA (executor, tosa-reference-model, vulkan) "
            "run the conversion. The first that runs the source is the reference; without one it is LiteRT's reference "
            "kernels, or XNNPACK's where only they have an operator, ExecuTorch for XNNGraphs and programs, and the "
            "executor for a source that is TOSA. A TFLite model is run by LiteRT's, and compared with all others that "
            "run the source. `verify` adds the executor and, in xnnpack numerics, litert-xnnpack.",
            accept=listed,
            accepts="str | Sequence[str]",
            values="engines",
        ),
    ] = ()
    layers: Annotated[
        bool,
        Flag(
            "--layers",
            help="Judge every operator by its precision clause and its source too; time both.",
            about="on the first set of inputs, compare every operator with its precision clause and with the source's "
            "operator, as `compare_layers` does, and how long both take.",
        ),
    ] = False
    bisect: Annotated[
        bool,
        Flag(
            "--bisect",
            help="Like --layers, with every operator alone, on the source's own values.",
            about="run every operator alone, on the source's own values, also where nothing differs.",
        ),
    ] = False
    progress: Annotated[
        "Callable[[str], object]",
        Flag(about="called with the name of each stage as it begins."),
    ] = lambda _: None


GROUPS = (ConvertOptions, InputOptions, CompareOptions)
FLAGS: dict[str, Flag] = {
    name: annotation.__metadata__[0] for group in GROUPS for name, annotation in group.__annotations__.items()
}
"""The options by the names of their fields and parameters."""


def picked(group: Any, arguments: Mapping[str, Any]) -> Any:
    """Returns a group of options from the arguments of a function of the API, which may have only some of them."""
    values = {name: arguments[name] for name in group._fields if name in arguments}
    for name, value in values.items():
        accept = FLAGS[name].accept
        values[name] = value if accept is None else accept(value)
    return group(**values)


def require_applicable(model: "Model", options: ConvertOptions) -> None:
    """Refuse options that a source of this kind has nothing for.

    Raises:
        UsageError: for the first of them that isn't the default.
    """
    for name, value in options._asdict().items():
        flag = FLAGS[name]
        if flag.sources and model.opset not in flag.sources and value != ConvertOptions._field_defaults[name] and value:
            raise UsageError(f"{flag.name} ({name}) can't apply to a model of {model.opset} operators: {flag.reason}")
    if options.trace is not None and model.opset not in SOURCES:
        raise UsageError(
            f"--explain (explain) can't apply to a model of {model.opset} operators: {FLAGS['rules'].reason}"
        )


def require_choices(options: ConvertOptions) -> None:
    """Raise UsageError for a value that an option doesn't have."""
    for name, value in options._asdict().items():
        choices = FLAGS[name].choices
        if choices and value and value not in choices:
            raise UsageError(f"{FLAGS[name].name} ({name}): expected one of {', '.join(choices)}, found {value!r}")
