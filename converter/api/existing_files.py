"""Prepares the comparison of a source with a file that exists already, whoever wrote it.

Every format that `load` reads can be on either side. What no engine compares, such as an XNNGraph, is converted, and
its conversion stands for it.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from os import PathLike

from tosa_converter.api.converting import convert
from tosa_converter.api.loading import load
from tosa_converter.conversion import Converted, border_notes
from tosa_converter.engines import CHAIN, ENGINES
from tosa_converter.errors import UsageError
from tosa_converter.ir import Model, Shape
from tosa_converter.known_dims import has_unknown_dims, resolve_dims
from tosa_converter.options import ConvertOptions
from tosa_converter.proof.alignment import align_borders
from tosa_converter.proof.compare import with_state_as_inputs
from tosa_converter.rewriting.report import Note
from tosa_converter.rewriting.signatures import select_signature, split_by_signature

_COMPARED = ("tfl", "tosa", CHAIN)  # operators that run as they are; others are converted


def load_chain(folder: str | PathLike[str]) -> Model:
    """Returns the chain in a folder; raises UsageError if it is another model."""
    chain = load(folder)
    if chain.opset != CHAIN:
        raise UsageError(f"{chain.source}: expected a chain, found a model of {chain.opset} operators")
    return chain


def runnable_source(
    source: Model, options: ConvertOptions, progress: Callable[[str], object]
) -> tuple[Model, list[Note]]:
    """Returns a source and no notes, or, if no engine can run it, its conversion and notes, one of which says so.

    Raises:
        UsageError: the source runs as it is, and an option can only change a conversion.
    """
    engines = ENGINES.values()
    if source.opset == CHAIN or (source.opset in _COMPARED and any(engine.takes(source) for engine in engines)):
        options.require_none("an existing file is compared, and nothing is converted")
        return source, []
    progress("converting")
    reference = convert_prepared(source, options)
    # Notes on changed inputs and outputs are left out: the file may have the source's uint8 where this conversion has
    # int8.
    notes = [note for note in reference.report.notes if note not in set(border_notes(reference))]
    text = "no engine compares it: its conversion, run by executor, is the reference"
    return reference, [*notes, Note(source.source or "the source", text)]


def runnable_file(
    result: Model, options: ConvertOptions, progress: Callable[[str], object]
) -> tuple[Model, list[Note]]:
    """Returns a file's model and no notes, or, if no engine can compare it, its conversion and a note that says so."""
    if result.opset in _COMPARED:
        return result, []
    progress(f"converting {result.source or 'the file'}")
    text = "no engine compares it: its conversion, run by executor, is compared"
    return convert(result, rules=options.rules, limit=options.limit), [Note(result.source or "the file", text)]


def pairs_by_name(source: Model, model: Model) -> dict[str, tuple[Model, Model]]:
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


def pairs_with_file(source: Model, result: Model, options: ConvertOptions) -> dict[str, tuple[Model, Model]]:
    """Returns, by signature, each graph of a source with that of a file.

    The inputs and outputs of the file's graph are brought to the source's order. Graphs go together by name. A file
    with a single graph goes with any source, or signature of it, that also has one.

    Raises:
        UsageError: the file has no graph for a signature, or one with other inputs or outputs.
    """
    result = _with_dims_of(source, result, options)
    references, results = split_by_signature(source), split_by_signature(result)
    if len(results) == 1 and len(references) > 1 and not set(results) & set(references):
        names = ", ".join(map(repr, filter(None, references)))
        expectation = f"expected a graph for each of the signatures {names}, found one"
        raise UsageError(f"{result.source}: {expectation}: say which it is (--signature)")
    if len(references) == len(results) == 1:
        ((name, reference),), (other,) = references.items(), results.values()
        pairs = {name: (reference, other)}
    else:
        selected = select_signature(result, options.signature) if options.signature in result.signatures else result
        pairs = pairs_by_name(source, selected)
    if source.opset == "tosa":
        pairs = {name: with_state_as_inputs(*pair) for name, pair in pairs.items()}
    if result.opset == CHAIN:
        return pairs
    aligned = {name: (graph, align_borders(graph, other)) for name, (graph, other) in pairs.items()}
    return {name: (graph, _with_initial_states(graph, other, options)) for name, (graph, other) in aligned.items()}


def _with_dims_of(source: Model, result: Model, options: ConvertOptions) -> Model:
    """Returns a file's model with known dimensions: inputs have the shapes of the source's of the same name or place.

    Raises UnsupportedError if dimensions stay unknown.
    """
    if not has_unknown_dims(result):
        return result
    shapes: dict[str, Shape] = {}
    for name, graph in result.graphs.items():
        inputs = source.graphs.get(name, source.main).inputs
        by_name = {value.name: value for value in inputs}
        for i, value in enumerate(graph.inputs):
            other = by_name.get(value.name) or (inputs[i] if len(inputs) == len(graph.inputs) else None)
            if other is not None:
                stated = options.input_shapes.get(other.name) or source.default_shapes.get(other)
                shapes[value.name] = tuple(stated or other.type.shape)
    return resolve_dims(result, shapes)


def _with_initial_states(source: Model, model: Model, options: ConvertOptions) -> Model:
    """Returns a file's model with initial values of its state inputs, which TOSA files lack.

    A comparison starts both sides from these values. They are those of a conversion of the source, matched by the
    states' names, else by their order. If they don't fit, or none is needed, the model is returned as it is.
    """
    states = model.main_states
    if source.opset == "tosa" or model.opset != "tosa" or all(state.initial is not None for state in states):
        return model
    converted = convert_prepared(source, options._replace(state="io")).main_states
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


def convert_prepared(source: Model, options: ConvertOptions) -> Converted:
    """Converts a source whose input and output types, bounds and signature have been applied already."""
    # The user's types are applied already. With a preset they are stated again, because it changes the types of all
    # other inputs and outputs.
    io_types = options.io_types if options.target and options.target.preset else {}
    rest = options._replace(io_types=io_types, io_layouts={}, bounds={}, signature="")
    return convert(source, **rest._asdict())
