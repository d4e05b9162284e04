"""The options of conversions and comparisons: each is stated once, in a field of one of three frozen records.

Those of comparisons are in `compare_options`. A field's annotation has its type and its `Flag`: how the command line
spells it, what help and docstrings say, and which sources have it. Commands, help, reference pages, the API's
signatures and the commands that reports print are made from these fields.

The records are named tuples: `dataclasses` takes 6 ms to import, of the 110 ms of a small conversion.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from tosa_converter.compare_options import CompareOptions
from tosa_converter.errors import UsageError, did_you_mean
from tosa_converter.option_flag import FILES, Flag
from tosa_converter.option_values import (
    as_tuples,
    empty_if_none,
    parse_bounds,
    parse_names,
    parse_ranges,
    parse_shapes,
    parse_target,
    plain_value,
)

if TYPE_CHECKING:
    from tosa_converter.ir import Array, Model
    from tosa_converter.rewriting.plugins import RuleSource
    from tosa_converter.rewriting.reasons import Attempts
    from tosa_converter.rules.target import Target

__all__ = ["FILES", "CompareOptions", "Flag"]  # besides what is defined here

NUMERICS = ("reference", "xnnpack", "compact")
TFLITE = ("tfl",)
SOURCES = ("tfl", "xnn")


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
            repeated=True,
        ),
    ] = ""
    target: Annotated[
        "Target | None",
        Flag(
            "--target",
            "LIST",
            "Target constraints: {presets}; or profiles, extensions, a level and a version (inspect --help lists them) "
            "such as pro-int,ext-doubleround,8k. With 1.1, operators of that draft are used.",
            "profiles, extensions, level and version of the result, their names, or the name of a preset; whatever the "
            "model needs of TOSA 1.0 by default. A preset also has defaults for numerics, types of inputs and outputs, "
            "state, control flow and weights.",
            parse=lambda text: text or None,
            accept=parse_target,
            accepts="Target | str | None",
            values="presets",
            repeated=True,
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
            accept=as_tuples,
            accepts="Mapping[str, Sequence[int]] | None",
        ),
    ] = {}
    bounds: Annotated[
        Mapping[str, int],
        Flag(
            "--bound",
            "NAME=N",
            "Maximum number of rows of a result of WHERE, UNIQUE or SEGMENT_SUM; or of TOSA, size of the unknown "
            "dimensions of an input.",
            "the most rows of a result of WHERE, UNIQUE (its first) or SEGMENT_SUM, by its name. The conversion gives "
            "exactly so many rows: zeros behind the last one, and further rows are left out. By the name of an "
            "input of TOSA, the size of each unknown dimension.",
            many=True,
            parse=parse_bounds,
            accept=empty_if_none,
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
            accept=empty_if_none,
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
            accept=empty_if_none,
            accepts="Mapping[str, str] | None",
        ),
    ] = {}
    float_type: Annotated[
        str,
        Flag(
            "--float",
            "TYPE",
            "Compute fp32 operators in fp16 or bf16; inputs and outputs stay fp32.",
            "fp16 or bf16, to compute fp32 operators in it; inputs and outputs stay fp32. A conversion notes how far "
            "random outputs are from fp32's, if `limit` and the memory allow both runs. A comparison allows floats "
            "2**-8 or 2**-5 of the reference's largest value.",
            choices=("fp16", "bf16"),
            repeated=True,
        ),
    ] = ""
    state: Annotated[
        str,
        Flag(
            "--state",
            "FORM",
            "Persistent state: variables, also for a cache that is inputs and outputs; or io for inputs and outputs.",
            "form of persistent state: variables (the default), or io for inputs and outputs. Stated, variables also "
            "hold state pairs, such as a decoder's cache, which are inputs and outputs of the source.",
            choices=("variables", "io"),
            sources=SOURCES,
            reason="only TFLite models and ExecuTorch programs have state to change the form of",
            repeated=True,
        ),
    ] = ""
    control_flow: Annotated[
        str,
        Flag(
            "--control-flow",
            "FORM",
            "IF and WHILE: keep, or flatten into both branches and all iterations.",
            "keep (the default), or flatten to compute both branches of an IF and every iteration of a WHILE.",
            choices=("keep", "flatten"),
            sources=TFLITE,
            reason="only TFLite models have control flow to convert",
            repeated=True,
        ),
    ] = ""
    sequence: Annotated[
        str,
        Flag(
            "--sequence",
            "FORM",
            "Steps of recurrent operators: unroll (the default) or loop.",
            "form of the steps of recurrent operators: unroll or loop.",
            choices=("unroll", "loop"),
            sources=TFLITE,
            reason="only TFLite models have recurrent operators",
            repeated=True,
        ),
    ] = "unroll"
    weights: Annotated[
        str,
        Flag(
            "--weights",
            "FORM",
            "Weights of fp16 and 2 to 8 bits: expanded, or stored as in the file.",
            "form of weights narrower than the numbers they are multiplied with: expanded (the default), or stored as "
            "in the source, with operators behind that expand them. Results are the same.",
            choices=("expanded", "stored"),
            sources=SOURCES,
            reason="TOSA's weights stay as they are",
            repeated=True,
        ),
    ] = ""
    rules: Annotated[
        Sequence["RuleSource"],
        Flag(
            "--plugin",
            "FILE.py",
            "Rules of your own: a file with RULES, or the name of an installed plug-in. It is run as code.",
            "rules of your own, which are tried before this package's: `Rule`s, files with a list `RULES`, or names of "
            "installed plugins. They are run as code. Installed plugins that aren't named are asked about operators "
            "that no other rule accepts.",
            many=True,
            sources=SOURCES,
            reason="TOSA operators aren't converted",
            repeated=True,
        ),
    ] = ()
    allow_custom: Annotated[
        bool,
        Flag(
            "--allow-custom",
            help="Keep unsupported custom operators as TOSA's CUSTOM.",
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
            "Use only the graph of this signature.",
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
            "Most computing time of the executor, by an estimate.",
            "seconds that the executor accepts for a run, by an estimate from the operators' shapes; math.inf for any. "
            "A conversion runs models only to note the error of `float_type`.",
            minimum=1,
            repeated=True,
            panel="Comparison",
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

    @property
    def keeps_weights(self) -> bool:
        """Whether weights of a float model stay in their stored types; only PRO-FP has operators to expand them."""
        return self.weights == "stored" and (self.target is None or "PRO-FP" in self.target.profiles)

    def require_none(self, reason: str) -> None:
        """Raises UsageError for an option that only changes a conversion; `reason` says why nothing is converted."""
        for name in ("target", "rules", "state", "control_flow", "sequence", "weights"):
            if getattr(self, name) != self._field_defaults[name]:
                raise UsageError(f"{FLAGS[name].name} ({name}) can't apply: {reason}")


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
            "Sets of random or adversarial inputs.",
            "how many sets of random or adversarial inputs.",
            minimum=1,
            maximum=100_000,
            excluded_by=FILES,
        ),
    ] = 1
    steps: Annotated[
        int,
        Flag(
            "--steps",
            "N",
            "Runs in a row, each with the state of the one before; 10 by default to compare models with state.",
            "how many runs in a row each set is for; state goes on from one to the next. 0 is for as many as the "
            "arrays are for, or for 10 on random inputs of a model with state.",
            minimum=0,
        ),
    ] = 0
    seed: Annotated[
        int,
        Flag(
            "--seed",
            "N",
            "Seed of random inputs, 0 by default.",
            "seed of the first random set.",
            minimum=0,
            excluded_by=FILES,
        ),
    ] = 0
    ranges: Annotated[
        Mapping[str, tuple[float, float]],
        Flag(
            "--range",
            "[NAME=]LOW,HIGH",
            "Range of random inputs; of quantized inputs, the range of real numbers.",
            'the least and the greatest random number by an input\'s name, or by "" for all other inputs: uniform '
            "floats, the reals that quantized integers stand for, or other integers themselves.",
            many=True,
            parse=parse_ranges,
            accept=empty_if_none,
            accepts="Mapping[str, tuple[float, float]] | None",
            excluded_by=(*FILES, "adversarial"),
        ),
    ] = {}
    adversarial: Annotated[
        bool,
        Flag(
            "--adversarial",
            help="Use inputs that cause saturation, rounding ties and limit values.",
            about="sets of `adversarial_inputs` in place of random ones.",
            excluded_by=FILES,
        ),
    ] = False


GROUPS = (ConvertOptions, InputOptions, CompareOptions)
FLAGS: dict[str, Flag] = {
    name: annotation.__metadata__[0] for group in GROUPS for name, annotation in group.__annotations__.items()
}
"""The options by the names of their fields and parameters."""


def options_from(group: Any, arguments: Mapping[str, Any]) -> Any:
    """Returns a record of options of the class `group`, with a function's arguments and defaults for the rest."""
    values = {name: arguments[name] for name in group._fields if name in arguments}
    for name, value in values.items():
        accept = FLAGS[name].accept
        values[name] = value if accept is None else accept(value)
    return group(**values)


def stated(*groups: Any) -> dict[str, Any]:
    """Returns the options that differ from their defaults, by their names on the command line, as plain data.

    `groups` are records of options; an option without a name on the command line is left out.
    """
    return {
        FLAGS[name].name: plain_value(value)
        for group in groups
        for name, value in group._asdict().items()
        if FLAGS[name].names and value != group._field_defaults[name]
    }


def require_applicable(model: "Model", options: ConvertOptions) -> None:
    """Raises an error for an option that has no effect on models of this opset.

    Empty and default values pass.

    Raises:
        UsageError: for the first of them that isn't the default.
    """
    for name, value in options._asdict().items():
        flag = FLAGS[name]
        if flag.sources and model.opset not in flag.sources and value != ConvertOptions._field_defaults[name] and value:
            raise UsageError(f"{flag.name} ({name}) can't apply to a model of {model.opset} operators: {flag.reason}")


def require_choices(options: ConvertOptions) -> None:
    """Raises UsageError for a value that isn't among the option's choices."""
    for name, value in options._asdict().items():
        choices = FLAGS[name].choices
        if choices and value and value not in choices:
            similar = did_you_mean(str(value), choices)
            option = f"{FLAGS[name].name} ({name})"
            raise UsageError(f"{option}: expected one of {', '.join(choices)}, found {value!r}{similar}")
