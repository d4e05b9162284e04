"""Verifications: a conversion and its comparison with the source, in one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
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
from tosa_converter.api.converting import convert, prepare_source
from tosa_converter.api.loading import Source, as_model, load
from tosa_converter.api.output_options import require_output_options
from tosa_converter.conversion import Converted, border_notes, default_numerics
from tosa_converter.engines import CHAIN, ENGINES, engines_for, initial_states
from tosa_converter.errors import UsageError
from tosa_converter.inspection import pieces
from tosa_converter.ir import Array, BorderRow, Graph, Model
from tosa_converter.options import FLAGS, GROUPS, CompareOptions, ConvertOptions, InputOptions, options_from, stated
from tosa_converter.proof import input_sets
from tosa_converter.proof.alignment import align_borders
from tosa_converter.proof.borders import border_changes, pair_rows
from tosa_converter.proof.compare import Comparison, with_state_as_inputs
from tosa_converter.proof.layers import LayerReport, check_layers
from tosa_converter.proof.operators import OperatorComparison
from tosa_converter.proof.report import Verification
from tosa_converter.proof.saved_runs import RunArrays
from tosa_converter.rewriting.plugins import RuleSource
from tosa_converter.rewriting.report import Note
from tosa_converter.rewriting.signatures import select_signature, split_by_signature
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
    progress: Callable[[str], object] = lambda _: None,
    limit: float = 10.0,
) -> Verification:
    """Converts a model and compares both sides on the same inputs: `convert` and `compare` in one.

    Args:
        source: a model, or what `load` takes.
        written: a model of the same function, or what `load` takes, to be compared in place of a conversion: .tosa,
            .spv, .vgf, .mlir or .tflite, from any tool. Nothing is converted then, unless no engine runs the source or
            the file's state begins with unknown values.
        partial: the folder or manifest of a chain that was converted before, to be compared in place of a conversion.
        numerics: reference (LiteRT's reference kernels, the default for TFLite), xnnpack (the default for XNNPACK
            graphs; of a TFLite model, the operators that LiteRT's delegate takes are as XNNPACK computes them, and
            notes list the others), or compact (the short form that hardware compilers look for).
        target: profiles, extensions and level of the result, their names, or the name of a preset; whatever the model
            needs by default. A preset also has defaults for numerics, types of inputs and outputs, state and control
            flow.
        input_shapes: shapes of inputs with unknown dimensions, by name; the shapes in the file by default.
        bounds: the most rows of a result of WHERE, UNIQUE (its first) or SEGMENT_SUM, by its name. The conversion gives
            exactly so many rows: zeros behind the last one, and further rows are left out.
        io_types: element types of inputs and outputs by name: keep, float32, float16, int8, uint8 or int16. One alone
            is for all whose elements stand for reals.
        io_layouts: nchw or nhwc by the name of an image's input or output, whose layout in the file is the other one.
        float_type: fp16 or bf16, to compute fp32 operators in it; inputs and outputs stay fp32. A conversion notes how
            far random outputs are from fp32's, if `limit` and the memory allow both runs. A comparison allows floats
            2**-8 or 2**-5 of the reference's largest value.
        state: form of persistent state: variables (the default), or io for inputs and outputs.
        control_flow: keep (the default), or flatten to compute both branches of an IF and every iteration of a WHILE.
        sequence: form of the steps of recurrent operators: unroll or loop.
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
    source = prepare_source(as_model(source, signature), settings.convert)
    if settings.has_layers and partial:
        raise UsageError("--layers (layers) needs a conversion or a file of it: leave out --partial")
    if partial and written:
        raise UsageError("--partial (partial) compares a chain in place of a second file: leave out one of them")
    if partial:
        return _verify_chain(source, partial, settings)
    if written:
        return _verify_existing(source, as_model(written), settings, progress)
    progress("converting")
    model = _convert_prepared(source, settings.convert)
    report = _Subject(model, model.report.numerics, model.report.needs, model.report.notes)
    return _verify_pairs(source, report, _pairs_by_name(source, model), settings, settings.run(existing=False))


class _Subject(NamedTuple):
    """What is compared with a source, and what is known of it."""

    model: Model
    numerics: str
    needs: Target
    notes: Sequence[Note]


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
        """Returns what runs both sides."""
        return RunOptions(self.engines, self.convert.float_type, self.convert.limit, existing)


def _verify_existing(
    source: Model, result: Model, settings: _Settings, progress: Callable[[str], object]
) -> Verification:
    """Compares a source with a file that exists already, whoever wrote it.

    Where no engine runs the source, such as LiteRT an XNNGraph, its conversion stands for it.
    """
    if result.opset not in ("tosa", "tfl"):
        expectation = "expected a .tosa, .spv, .vgf, .mlir or .tflite to compare with the source"
        raise UsageError(f"{result.source or 'the second model'}: {expectation}, found {result.opset} operators")
    reference, notes = source, list[Note]()
    if source.opset not in ("tfl", "tosa") or not any(engine.takes(source) for engine in ENGINES.values()):
        progress("converting")
        reference = _convert_prepared(source, settings.convert)
        # The file may have the source's uint8 again where the conversion has int8: notes on that are about neither.
        notes += [note for note in reference.report.notes if note not in set(border_notes(reference))]
        text = "no engine compares it: its conversion, run by executor, is the reference"
        notes.append(Note(source.source or "the source", text))
    else:
        _refuse_conversion_options(settings.convert, "an existing file is compared, and nothing is converted")
    numerics = settings.convert.numerics or default_numerics(source)
    subject = _Subject(result, numerics, needs(result if result.opset == "tosa" else Graph("main")), notes)
    pairs = {
        name: (graph, _with_initial_states(graph, other, settings.convert))
        for name, (graph, other) in _pairs_with_file(reference, result, settings.convert.signature).items()
    }
    return _verify_pairs(source, subject, pairs, settings, settings.run(existing=True))


def _verify_pairs(
    source: Model,
    subject: _Subject,
    pairs: Mapping[str, tuple[Model, Model]],
    settings: _Settings,
    run: RunOptions,
) -> Verification:
    """Compares the graphs of a source with those of its conversion, or of an existing file, pair by pair."""
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
        if settings.compare.arrays:
            settings.compare.arrays[-1].signature = name
        if settings.has_layers:
            settings.compare.progress("checking precision clauses")
            clauses += _judge_clauses(*pair, settings, run)
            number = _first_differing_set(comparisons, name)
            operators.append(_compare_operators(*pair, settings, run, number, times=True).of(name))

    def operators_later() -> tuple[OperatorComparison, ...]:
        """Compares the operators of every graph: only on demand, since it takes longer than the outputs."""
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
        tuple(subject.notes),
        tuple(clauses),
        borders=tuple(border_changes(rows)),
        operators=tuple(operators),
        sides=(source, subject.model),
        later=tuple if settings.has_layers else operators_later,
        options=stated(*settings),
        border_rows=rows,
    )


def _require_used(pair: tuple[Model, Model], names: Sequence[str], run: RunOptions) -> None:
    """Raises UsageError if the user names an engine that the comparison would not run.

    All engines for TOSA run the conversion, but only one runs the source.
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


def _convert_prepared(source: Model, options: ConvertOptions) -> Converted:
    """Converts a source whose input and output types, bounds and signature have been applied already."""
    io_types = options.io_types if options.target and options.target.preset else {}
    rest = options._replace(io_types=io_types, io_layouts={}, bounds={}, signature="")
    return convert(source, **rest._asdict())


def _pairs_by_name(source: Model, model: Model) -> dict[str, tuple[Model, Model]]:
    """Returns, by signature, each graph of a source with the graph of that name of another model.

    Raises:
        UsageError: the other model has no graph for a signature.
    """
    references, results = split_by_signature(source), split_by_signature(model)
    absent = [name for name in references if name not in results]
    if absent:
        names, first = ", ".join(map(repr, results)), next(iter(results.values()))
        raise UsageError(f"{first.source}: expected a graph for signature {absent[0]!r}, found {names}")
    return {name: (graph, results[name]) for name, graph in references.items()}


def _pairs_with_file(source: Model, result: Model, signature: str) -> dict[str, tuple[Model, Model]]:
    """Returns, by signature, each graph of a source with that of a file, whose inputs and outputs are in its order.

    Graphs go together by name. A file with a single graph goes with any source, or signature of it, that has one too.

    Raises:
        UsageError: the file has no graph for a signature, or one with other inputs or outputs.
    """
    references, results = split_by_signature(source), split_by_signature(result)
    if len(results) == 1 and len(references) > 1 and not set(results) & set(references):
        names = ", ".join(map(repr, filter(None, references)))
        expectation = f"expected a graph for each of the signatures {names}, found one"
        raise UsageError(f"{result.source}: {expectation}: say which it is (--signature)")
    if len(references) == len(results) == 1:
        ((name, reference),), (other,) = references.items(), results.values()
        pairs = {name: (reference, other)}
    else:
        selected = select_signature(result, signature) if signature in result.signatures else result
        pairs = _pairs_by_name(source, selected)
    if source.opset == "tosa":
        pairs = {name: with_state_as_inputs(*pair) for name, pair in pairs.items()}
    return {name: (graph, align_borders(graph, other)) for name, (graph, other) in pairs.items()}


def _with_initial_states(source: Model, model: Model, options: ConvertOptions) -> Model:
    """Returns a file whose state is inputs and outputs with the values that it begins with, which no file of TOSA has.

    They are those of a conversion of the source. States correspond by name, else by their order.
    """
    states = model.main_states
    if source.opset == "tosa" or model.opset != "tosa" or all(state.initial is not None for state in states):
        return model
    converted = _convert_prepared(source, options._replace(state="io")).main_states
    arrays = {state.input: state.initial for state in converted}
    if {state.input for state in states} <= arrays.keys():
        arrays = {state.input: arrays[state.input] for state in states}
    shapes = {value.name: value.type.shape for value in model.main.inputs}
    pairs = list(zip(states, arrays.values(), strict=False))
    if len(arrays) != len(states) or any(a is None or a.shape != shapes[state.input] for state, a in pairs):
        return model
    copied = copy(model)
    copied.states = {model.main.name: tuple(state._replace(initial=array) for state, array in pairs)}
    return copied


def _border_rows(source: Model, pairs: Mapping[str, tuple[Model, Model]]) -> Iterator[BorderRow]:
    """Yields what became of the source's inputs and outputs, graph by graph."""
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
    """Compares the operators of one graph with the source's on the set of inputs with this number."""
    settings.compare.progress("comparing operators")
    source, model = checked_pair(source, model, settings.inputs.runs, settings.inputs.steps, existing=run.existing)
    arrays, steps = _input_set(source, model, settings.inputs, number)
    stated_inputs = settings.inputs.inputs or settings.inputs.ranges or settings.inputs.adversarial
    options = LayerOptions(
        arrays if stated_inputs else None, steps, times, settings.inputs.seed + number, settings.compare.bisect
    )
    return compare_sides_by_operator(source, model, options, run)


def _judge_clauses(source: Model, model: Model, settings: _Settings, run: RunOptions) -> Sequence[LayerReport]:
    """Judges every operator of the main graph by its precision clause, on the first step of the first set of inputs."""
    if model.opset != "tosa":
        return []
    source, model = checked_pair(source, model, settings.inputs.runs, settings.inputs.steps, existing=run.existing)
    arrays, steps = _input_set(source, model, settings.inputs, 0)
    inputs = {name: array[0] if steps else array for name, array in arrays.items()}
    return check_layers(model.main, {**initial_states(model), **input_sets.rename_inputs(source, model, inputs)})


def _input_set(source: Model, model: Model, options: InputOptions, number: int) -> tuple[Mapping[str, Array], int]:
    """Returns the set of inputs with a number, and how many steps it is for: 0 for a single run."""
    sets, further, steps = sets_of_inputs(source, model, options)
    return further(number) if further else sets[number], steps


def _refuse_conversion_options(options: ConvertOptions, reason: str) -> None:
    """Raises UsageError for an option that only changes a conversion, where none is made."""
    for name in ("target", "rules", "state", "control_flow", "sequence"):
        if getattr(options, name) != ConvertOptions._field_defaults[name]:
            raise UsageError(f"{FLAGS[name].name} ({name}) can't apply: {reason}")


def _verify_chain(source: Model, folder: str | PathLike[str], settings: _Settings) -> Verification:
    """Compares a source with a chain of models that was converted before and is in a folder.

    Raises:
        UsageError: it is no chain, or options are for a conversion.
    """
    _refuse_conversion_options(settings.convert, "with --partial nothing is converted")
    chain = load(folder)
    if chain.opset != CHAIN:
        raise UsageError(f"{chain.source}: expected a chain, found a model of {chain.opset} operators")
    require_output_options([source], settings.compare)
    comparisons = tuple(compare_sides(source, chain, settings.inputs, settings.compare, settings.run(existing=False)))
    rows = pair_rows(source, chain)
    about = source.source, chain.metadata["numerics"], needs(pieces(chain)), settings.inputs.seed
    return Verification(
        *about,
        comparisons,
        (),
        (),
        tuple(border_changes(rows)),
        sides=(source, chain),
        options=stated(*settings),
        border_rows=tuple(rows),
    )


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
