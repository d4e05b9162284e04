"""Which graph of one model is compared with which graph of another one."""

from tosa_converter.errors import UsageError
from tosa_converter.ir import Model
from tosa_converter.proof.alignment import align_borders
from tosa_converter.proof.compare import with_state_as_inputs
from tosa_converter.rewriting.signatures import select_signature, split_by_signature


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


def pairs_with_file(source: Model, result: Model, signature: str) -> dict[str, tuple[Model, Model]]:
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
        pairs = pairs_by_name(source, selected)
    if source.opset == "tosa":
        pairs = {name: with_state_as_inputs(*pair) for name, pair in pairs.items()}
    return {name: (graph, align_borders(graph, other)) for name, (graph, other) in pairs.items()}
