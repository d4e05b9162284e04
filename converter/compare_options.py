"""The options of comparisons besides their inputs: engines, tolerances, saved runs, labels, operators."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

from tosa_converter.option_flag import Flag
from tosa_converter.option_values import (
    class_numbers,
    empty_if_none,
    parse_tolerances,
    split_names,
    tolerances_by_name,
)

if TYPE_CHECKING:
    from tosa_converter.ir import Array
    from tosa_converter.proof.saved_runs import RunArrays


class CompareOptions(NamedTuple):
    """Options of a comparison besides its inputs."""

    against: Annotated[
        Sequence[str],
        Flag(
            "--against",
            "LIST",
            "Engines to compare: {engines}.",
            "engines by name, also in a string between commas. Those for TOSA (executor, tosa-reference-model, vulkan) "
            "run the conversion. The first that runs the source is the reference; without one it is LiteRT's reference "
            "kernels, or XNNPACK's where only they have an operator, ExecuTorch for XNNGraphs and programs, and the "
            "executor for a source that is TOSA. A TFLite model is run by LiteRT's, and compared with all others that "
            "run the source. `verify` adds the executor and, in xnnpack numerics, litert-xnnpack.",
            accept=split_names,
            accepts="str | Sequence[str]",
            values="engines",
            repeated=True,
        ),
    ] = ()
    atol: Annotated[
        Mapping[str, float],
        Flag(
            "--atol",
            "[NAME=]X",
            "Absolute tolerance of an output, or of all, in place of the default: |difference| <= atol + rtol * "
            "|reference|. Of a quantized output it counts steps.",
            "the absolute tolerance of each element by an output's name, or one for all outputs, in place of the "
            "default tolerance: |difference| <= atol + rtol * |reference|. Elements of quantized outputs are counted "
            "in steps of their scale, and integers may differ too. Booleans, infinities and NaN must be equal.",
            many=True,
            parse=parse_tolerances("atol"),
            accept=tolerances_by_name("atol"),
            accepts="float | Mapping[str, float] | None",
        ),
    ] = {}
    rtol: Annotated[
        Mapping[str, float],
        Flag(
            "--rtol",
            "[NAME=]X",
            "Relative tolerance of an output, or of all, as a part of each element of the reference; see --atol.",
            "the relative tolerance of each element by an output's name, or one for all outputs, as a part of the "
            "reference's element; see `atol`. Of quantized outputs it is a part of the distance to the zero point.",
            many=True,
            parse=parse_tolerances("rtol"),
            accept=tolerances_by_name("rtol"),
            accepts="float | Mapping[str, float] | None",
        ),
    ] = {}
    loaded: Annotated[
        Mapping[str, Mapping[str, "Array"]],
        Flag(
            about="outputs of runs made elsewhere, as on a device, by a name for each run: arrays by the source's "
            "output names, or arr_0, arr_1, ... by position. They are compared with the source's outputs on the same "
            "inputs. An array has one dimension more for several runs or steps, and two for several runs of steps.",
            accept=empty_if_none,
            accepts="Mapping[str, Mapping[str, Array]] | None",
        ),
    ] = {}
    arrays: Annotated[
        "list[RunArrays] | None",
        Flag(about="gets the inputs and every engine's outputs, in the form in which `loaded` takes them."),
    ] = None
    labels: Annotated[
        Sequence[int],
        Flag(
            about="the number of each sample's class, in the order of `inputs`. Outputs that look like class scores "
            "then count in `top1` how often both sides are right, besides how often they agree.",
            accept=class_numbers,
        ),
    ] = ()
    layers: Annotated[
        bool,
        Flag(
            "--layers",
            help="Also compare every operator with its precision clause and with the source.",
            about="on the first set of inputs, compare every operator with its precision clause and with the source's "
            "operator, as `compare_layers` does, and how long both take.",
        ),
    ] = False
    bisect: Annotated[
        bool,
        Flag(
            "--bisect",
            help="Like --layers, and run every operator alone on the source's own values.",
            about="run every operator alone, on the source's own values, also where nothing differs.",
        ),
    ] = False
    generate: Annotated[
        int,
        Flag(
            "--generate",
            "N",
            "Also compare N tokens that a language model chooses greedily behind --prompt.",
            "how many tokens a language model chooses greedily behind `prompt`, on both sides: the cache goes on from "
            "one to the next. They must be the same.",
            minimum=0,
            maximum=100_000,
        ),
    ] = 0
    prompt: Annotated[
        str | Sequence[int],
        Flag(
            "--prompt",
            "1,2,3",
            "Prompt of --generate: the numbers of its tokens, or a text with --tokenizer.",
            "the prompt of `generate`: the numbers of its tokens, or a text if there is a `tokenizer`.",
            needs=("generate",),
        ),
    ] = ""
    tokenizer: Annotated[
        str,
        Flag(
            "--tokenizer",
            "FILE",
            "Tokenizer of --prompt: a tokenizer.json, or a .model of SentencePiece.",
            "the file of the prompt's tokenizer: a tokenizer.json, or a .model of SentencePiece.",
            needs=("prompt",),
        ),
    ] = ""
    progress: Annotated[
        "Callable[[str], object]",
        Flag(about="called with the name of each stage as it begins."),
    ] = lambda _: None
