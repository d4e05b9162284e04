"""Verifications: a conversion and its comparison with the source, in one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import NamedTuple

from tosa_converter.api.comparing import (
    LayerOptions,
    RunOptions,
    checked_pair,
    compare_sides,
    compare_sides_by_operator,
    sets_of_inputs,
)
from tosa_converter.api.converting import prepare_source, with_chosen_state
from tosa_converter.api.existing_files import (
    convert_prepared,
    load_chain,
    pairs_by_name,
    pairs_with_file,
    runnable_file,
    runnable_source,
)
from tosa_converter.api.generating import compare_generations
from tosa_converter.api.loading import Source, as_model
from tosa_converter.api.output_options import require_output_options
from tosa_converter.conversion import default_numerics
from tosa_converter.engines import CHAIN, engines_for, initial_states
from tosa_converter.errors import UsageError
from tosa_converter.inspection import pieces
from tosa_converter.ir import Array, BorderRow, Graph, Model
from tosa_converter.options import GROUPS, CompareOptions, ConvertOptions, InputOptions, options_from, stated
from tosa_converter.proof import input_sets
from tosa_converter.proof.borders import border_changes, pair_rows
from tosa_converter.proof.compare import Comparison
from tosa_converter.proof.layers import LayerReport, check_layers
from tosa_converter.proof.operators import OperatorComparison
from tosa_converter.proof.report import Verification
from tosa_converter.proof.saved_runs import RunArrays
from tosa_converter.rewriting.plugins import RuleSource
from tosa_converter.rewriting.report import Note
from tosa_converter.rewriting.signatures import split_by_signature
from tosa_converter.rules.target import Target, needs


def verify(
    source: Model | Source,
    written: Model | Source = "",
    *,
    partial: str | PathLike[str] = "",
    numerics: str = "",
    target: Target | str | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    bounds: Mapping[str, int] | None = None,
    io_types: str | Mapping[str, str] | None = None,
    io_layouts: Mapping[str, str] | None = None,
    float_type: str = "",
    state: str = "",
    control_flow: str = "",
    sequence: str = "unroll",
    weights: str = "",
    rules: Sequence[RuleSource] = (),
    signature: str = "",
    inputs: Sequence[Mapping[str, Array]] = (),
    runs: int = 1,
    steps: int = 0,
    seed: int = 0,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    adversarial: bool = False,
    against: str | Sequence[str] = (),
    atol: float | Mapping[str, float] | None = None,
    rtol: float | Mapping[str, float] | None = None,
    loaded: Mapping[str, Mapping[str, Array]] | None = None,
    arrays: list[RunArrays] | None = None,
    labels: Sequence[int] = (),
    layers: bool = False,
    bisect: bool = False,
    generate: int = 0,
    prompt: str | Sequence[int] = "",
    tokenizer: str = "",
    progress: Callable[[str], object] = lambda _: None,
    limit: float = 10.0,
) -> Verification:
    """Converts a model and compares both sides on the same inputs: `convert` and `compare` in one.

    Args:
        source: a model, or what `load` takes.
        written: a model of the same function, or what `load` takes, to be compared in place of a conversion, from any
            tool. Nothing is converted then, except a side that no engine can compare, such as an XNNGraph, or the
            source, if the initial values of the file's state are unknown.
        partial: the folder or manifest of a chain that was converted before, to be compared in place of a conversion.
        numerics: reference (LiteRT's reference kernels, the default for TFLite), xnnpack (the default for XNNPACK
            graphs; of a TFLite model, the operators that LiteRT's delegate takes are as XNNPACK computes them, and
            notes list the others), or compact (the short form that hardware compilers look for).
        target: profiles, extensions, level and version of the result, their names, or the name of a preset; whatever
            the model needs of TOSA 1.0 by default. A preset also has defaults for numerics, types of inputs and
            outputs, state, control flow and weights.
        input_shapes: shapes of inputs with unknown dimensions, by name; the shapes in the file by default.
        bounds: the most rows of a result of WHERE, UNIQUE (its first) or SEGMENT_SUM, by its name. The conversion gives
            exactly so many rows: zeros behind the last one, and further rows are left out. By the name of an input of
            TOSA, the size of each unknown dimension.
        io_types: element types of inputs and outputs by name: keep, float32, float16, int8, uint8 or int16. One alone
            is for all whose elements stand for reals.
        io_layouts: nchw or nhwc by the name of an image's input or output, whose layout in the file is the other one.
        float_type: fp16 or bf16, to compute fp32 operators in it; inputs and outputs stay fp32. A conversion notes how
            far random outputs are from fp32's, if `limit` and the memory allow both runs. A comparison allows floats
            2**-8 or 2**-5 of the reference's largest value.
        state: form of persistent state: variables (the default), or io for inputs and outputs. Stated, variables also
            hold state pairs, such as a decoder's cache, which are inputs and outputs of the source.
        control_flow: keep (the default), or flatten to compute both branches of an IF and every iteration of a WHILE.
        sequence: form of the steps of recurrent operators: unroll or loop.
        weights: form of weights narrower than the numbers they are multiplied with: expanded (the default), or stored
            as in the source, with operators behind that expand them. Results are the same.
        rules: rules of your own, which are tried before this package's: `Rule`s, files with a list `RULES`, or names of
            installed plugins. They are run as code. Installed plugins that aren't named are asked about operators that
            no other rule accepts.
        signature: the graph of this signature alone; by default the graphs of all signatures.
        inputs: sets of arrays by the source's input names; random ones by default. An array with one dimension more is
            for several steps, which are runs of their own in a model without state; an array without it is the same in
            all steps.
        runs: how many sets of random or adversarial inputs.
        steps: how many runs in a row each set is for; state goes on from one to the next. 0 is for as many as the
            arrays are for, or for 10 on random inputs of a model with state.
        seed: seed of the first random set.
        ranges: the least and the greatest random number by an input's name, or by "" for all other inputs: uniform
            floats, the reals that quantized integers stand for, or other integers themselves.
        adversarial: sets of `adversarial_inputs` in place of random ones.
        against: engines by name, also in a string between commas. Those for TOSA (executor, tosa-reference-model,
            vulkan) run the conversion. The first that runs the source is the reference; without one it is LiteRT's
            reference kernels, or XNNPACK's where only they have an operator, ExecuTorch for XNNGraphs and programs, and
            the executor for a source that is TOSA. A TFLite model is run by LiteRT's, and compared with all others that
            run the source. `verify` adds the executor and, in xnnpack numerics, litert-xnnpack.
        atol: the absolute tolerance of each element by an output's name, or one for all outputs, in place of the
            default tolerance: |difference| <= atol + rtol * |reference|. Elements of quantized outputs are counted in
            steps of their scale, and integers may differ too. Booleans, infinities and NaN must be equal.
        rtol: the relative tolerance of each element by an output's name, or one for all outputs, as a part of the
            reference's element; see `atol`. Of quantized outputs it is a part of the distance to the zero point.
        loaded: outputs of runs made elsewhere, as on a device, by a name for each run: arrays by the source's output
            names, or arr_0, arr_1, ... by position. They are compared with the source's outputs on the same inputs. An
            array has one dimension more for several runs or steps, and two for several runs of steps.
        arrays: gets the inputs and every engine's outputs, in the form in which `loaded` takes them.
        labels: the number of each sample's class, in the order of `inputs`. Outputs that look like class scores then
            count in `top1` how often both sides are right, besides how often they agree.
        layers: on the first set of inputs, compare every operator with its precision clause and with the source's
            operator, as `compare_layers` does, and how long both take.
        bisect: run every operator alone, on the source's own values, also where nothing differs.
        generate: how many tokens a language model chooses greedily behind `prompt`, on both sides: the cache goes on
            from one to the next. They must be the same.
        prompt: the prompt of `generate`: the numbers of its tokens, or a text if there is a `tokenizer`.
        tokenizer: the file of the prompt's tokenizer: a tokenizer.json, or a .model of SentencePiece.
        progress: called with the name of each stage as it begins.
        limit: seconds that the executor accepts for a run, by an estimate from the operators' shapes; math.inf for any.
            A conversion runs models only to note the error of `float_type`.

    Returns:
        The verdict with all figures.

    Raises:
        ConverterError: as `convert` and `compare`.

    Example:
        >>> import tosa_converter as tc
        >>> tc.verify("models/digits_int8.tflite").proof
        'every output is bit-identical'
    """
    arguments = locals()
    settings = _Settings(*(options_from(group, arguments) for group in GROUPS))
    progress("loading the model")
    original = as_model(source, signature)
    source = with_chosen_state(original, settings.convert)
    source = prepare_source(source, settings.convert)
    if settings.has_layers and partial:
        raise UsageError("--layers (layers) needs a conversion or a file of it: leave out --partial")
    if partial and written:
        raise UsageError("--partial (partial) compares a chain in place of a second file: leave out one of them")
    if partial:
        settings.convert.require_none("an existing file is compared, and nothing is converted")
        return _verify_existing(source, load_chain(partial), settings, progress)
    if written:
        return _verify_existing(source, as_model(written), settings, progress)
    progress("converting")
    model = convert_prepared(source, settings.convert)
    report = _Subject(model, model.report.numerics, model.report.needs, model.report.notes, original)
    return _verify_pairs(source, report, pairs_by_name(source, model), settings, settings.run(existing=False))


class _Subject(NamedTuple):
    """What is compared with a source, and what is known of it."""

    model: Model
    numerics: str
    needs: Target
    notes: Sequence[Note]
    original: Model | None = None  # the source with its cache as inputs and outputs, where variables are asked for


class _Settings(NamedTuple):
    """The options of a verification."""

    convert: ConvertOptions
    inputs: InputOptions
    compare: CompareOptions

    @property
    def engines(self) -> Sequence[str]:
        """The engines by name: the executor, those of the user, and LiteRT with XNNPACK for xnnpack numerics."""
        return ("executor", *self.compare.against, *(["litert-xnnpack"] if self.convert.numerics == "xnnpack" else ()))

    @property
    def has_layers(self) -> bool:
        """Whether the operators are compared too, and judged by their precision clauses."""
        return self.compare.layers or self.compare.bisect

    def run(self, *, existing: bool) -> RunOptions:
        """Returns engines, float type and limit of both sides' runs; an `existing` file wasn't converted just now."""
        return RunOptions(self.engines, self.convert.float_type, self.convert.limit, existing)


def _verify_existing(
    source: Model, result: Model, settings: _Settings, progress: Callable[[str], object]
) -> Verification:
    """Compares a source with a file or a chain that exists already, written by any tool."""
    options = settings.convert
    reference, source_notes = runnable_source(source, options, progress)
    model, notes = runnable_file(result, options, progress)
    pairs = pairs_with_file(reference, model, options)
    numerics = options.numerics or model.metadata.get("numerics", "") or default_numerics(source)
    subject = _Subject(model, numerics, _needs_of_file(result), [*source_notes, *notes])
    return _verify_pairs(source, subject, pairs, settings, settings.run(existing=True))


def _needs_of_file(result: Model) -> Target:
    """Returns the profiles and extensions that the TOSA operators of a file need, or of the pieces of a chain.

    A model of another opset needs none.
    """
    if result.opset == CHAIN:
        return needs(pieces(result))
    return needs(result if result.opset == "tosa" else Graph("main"))


def _verify_pairs(
    source: Model,
    subject: _Subject,
    pairs: Mapping[str, tuple[Model, Model]],
    settings: _Settings,
    run: RunOptions,
) -> Verification:
    """Compares the graphs of a source with those of its conversion, or of an existing file, pair by pair.

    If the user asked for layers, their operators are compared too; otherwise the verification can do so on demand.

    Raises:
        UsageError: inputs, outputs or engines that the user named fit none of the graphs.
    """
    pairs, notes = _with_outputs(pairs)
    if settings.inputs.inputs and len(pairs) > 1:
        raise UsageError(f"expected the signature that the inputs are for, one of {', '.join(filter(None, pairs))}")
    _require_used(next(iter(pairs.values())), settings.compare.against, run)
    require_output_options((reference for reference, _ in pairs.values()), settings.compare)
    comparisons: list[Comparison] = []
    clauses: list[LayerReport] = []
    operators: list[OperatorComparison] = []
    for name, pair in pairs.items():
        compared = compare_sides(*pair, settings.inputs, settings.compare, run)
        comparisons += [comparison.of(name) for comparison in compared]
        if settings.compare.arrays:  # `compare_sides` appended those of this pair
            settings.compare.arrays[-1].signature = name
        if settings.has_layers:
            settings.compare.progress("checking precision clauses")
            clauses += _judge_clauses(*pair, settings, run)
            number = _first_differing_set(comparisons, name)
            operators.append(_compare_operators(*pair, settings, run, number, times=True).of(name))

    def operators_later() -> tuple[OperatorComparison, ...]:
        """Compares the operators of all pairs, each on the first set of inputs on which an output differs.

        It is called only on demand, since it takes longer than comparing the outputs.
        """
        return tuple(
            _compare_operators(*pair, settings, run, _first_differing_set(comparisons, name)).of(name)
            for name, pair in pairs.items()
        )

    rows = tuple(_border_rows(source, pairs))
    return Verification(
        source.source,
        subject.numerics,
        subject.needs,
        settings.inputs.seed,
        tuple(comparisons),
        (*subject.notes, *notes),
        tuple(clauses),
        borders=tuple(border_changes(rows)),
        operators=tuple(operators),
        sides=(source, subject.model),
        later=tuple if settings.has_layers else operators_later,
        options=stated(*settings),
        border_rows=rows,
        generations=compare_generations(subject.original or source, subject.model, settings.compare, run),
    )


def _with_outputs(pairs: Mapping[str, tuple[Model, Model]]) -> tuple[Mapping[str, tuple[Model, Model]], list[Note]]:
    """Returns the pairs of graphs that have outputs, and a note on each pair that is left out.

    A graph without outputs, such as a prefill, only changes variables. If no graph has outputs, all pairs are returned.
    """
    silent = [name for name, (source, _) in pairs.items() if not source.main.outputs]
    if len(silent) == len(pairs):
        return pairs, []
    text = "it has no outputs to compare, as it only changes variables; --generate runs it in front of the others"
    return {name: pair for name, pair in pairs.items() if name not in silent}, [
        Note(f"signature {name!r}", text) for name in silent
    ]


def _require_used(pair: tuple[Model, Model], names: Sequence[str], run: RunOptions) -> None:
    """Raises UsageError if the user names an engine that a comparison with a TOSA model wouldn't run.

    All named engines for TOSA run the conversion, but only the first one for the source runs the source.
    """
    source, model = pair
    if model.opset != "tosa":
        return
    references, engines = engines_for(source, ("executor", *names), same=run.existing)
    used = {engine.name for engine in (*references, *engines)}
    unused = [name.strip() for name in names if name.strip() not in {*used, ""}]
    if unused:
        reference = references[0].name
        raise UsageError(f"--against (against): {unused[0]} would not run: the source runs in {reference} alone")


def _border_rows(source: Model, pairs: Mapping[str, tuple[Model, Model]]) -> Iterator[BorderRow]:
    """Yields a row for each input and output of the conversions in `pairs`, with what the source has in its place.

    Signatures that the source doesn't have are left out.
    """
    graphs = split_by_signature(source)
    for name, (_, result) in pairs.items():
        if name in graphs:
            yield from pair_rows(graphs[name], result)


def _first_differing_set(comparisons: Sequence[Comparison], signature: str) -> int:
    """Returns the number of the first set of inputs on which an output of a signature differs; 0 if none does."""
    outputs = [output for row in comparisons if row.signature == signature for output in row.outputs]
    return min((output.first_set or 0 for output in outputs if not output.verdict), default=0)


def _compare_operators(
    source: Model, model: Model, settings: _Settings, run: RunOptions, number: int = 0, *, times: bool = False
) -> OperatorComparison:
    """Compares every operator of one graph with the source's on set `number` of the inputs.

    `times` measures how long operators take on both sides.
    """
    settings.compare.progress("comparing operators")
    source, model = checked_pair(source, model, settings.inputs.runs, settings.inputs.steps, existing=run.existing)
    arrays, steps = _input_set(source, model, settings.inputs, number)
    # Without arrays, `compare_sides_by_operator` computes random inputs from the seed, which is this set's.
    stated_inputs = settings.inputs.inputs or settings.inputs.ranges or settings.inputs.adversarial
    options = LayerOptions(
        arrays if stated_inputs else None, steps, times, settings.inputs.seed + number, settings.compare.bisect
    )
    return compare_sides_by_operator(source, model, options, run)


def _judge_clauses(source: Model, model: Model, settings: _Settings, run: RunOptions) -> Sequence[LayerReport]:
    """Judges every operator of the main graph by its precision clause, on the first step of the first set of inputs.

    Models of other opsets than TOSA have no such clauses: [].
    """
    if model.opset != "tosa":
        return []
    source, model = checked_pair(source, model, settings.inputs.runs, settings.inputs.steps, existing=run.existing)
    arrays, steps = _input_set(source, model, settings.inputs, 0)
    inputs = {name: array[0] if steps else array for name, array in arrays.items()}
    return check_layers(model.main, {**initial_states(model), **input_sets.rename_inputs(source, model, inputs)})


def _input_set(source: Model, model: Model, options: InputOptions, number: int) -> tuple[Mapping[str, Array], int]:
    """Returns set `number` of the inputs, and how many steps it is for: 0 for a single run.

    Random and adversarial sets aren't stored, but computed again from their number.
    """
    sets, further, steps = sets_of_inputs(source, model, options)
    return further(number) if further else sets[number], steps


def write_report(verification: Verification, path: str | PathLike[str]) -> int:
    """Writes a verification as one page of HTML without other files, and returns its size in bytes.

    Returns:
        The size of the page in bytes.

    Raises:
        MissingExtra: what draws it is not installed.
        UsageError: the folder can't be written to.
    """
    from tosa_converter.proof.page import write_page

    return write_page(path, verification)
