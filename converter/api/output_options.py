"""The options of a comparison about outputs: tolerances, saved runs, labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tosa_converter.errors import UsageError
from tosa_converter.ir import Model
from tosa_converter.options import CompareOptions
from tosa_converter.proof.saved_runs import RunArrays
from tosa_converter.proof.tolerances import bounds_of, output_tolerances, require_outputs


def output_settings(source: Model, options: CompareOptions, *, sets: int) -> dict[str, Any]:
    """Returns the arguments of `compare_runs` that follow from the options about outputs.

    Args:
        source: one graph of a source; tolerances for outputs of other graphs are ignored.
        options: of the comparison; if it has a list `arrays`, an entry is appended for the arrays of this comparison.
        sets: how many sets of inputs the user gave. Several are samples, whose classes are counted; a single one is
            a sample only if it has a label.

    Raises:
        UsageError: labels without inputs that they are for.
    """
    if options.labels and not sets:
        raise UsageError("--labels (labels): expected inputs that the labels are for (--samples), found none")
    arrays = None
    if options.arrays is not None:
        arrays = RunArrays()
        options.arrays.append(arrays)
    return {
        "stated": output_tolerances(source, bounds_of(source, options.atol), bounds_of(source, options.rtol)),
        "loaded": options.loaded,
        "arrays": arrays,
        "labels": options.labels if sets > 1 or options.labels else None,
    }


def require_output_options(sources: Iterable[Model], options: CompareOptions) -> None:
    """Raises UsageError for tolerances of outputs that no graph has, and for outputs or labels of an unknown signature.

    Args:
        sources: a graph for each signature.
        options: of the comparison.
    """
    graphs = list(sources)
    if (options.loaded or options.labels) and len(graphs) > 1:
        names = ", ".join(name for graph in graphs for name in graph.signatures)
        raise UsageError(f"expected the signature that the outputs or labels are for, one of {names} (--signature)")
    require_outputs(graphs, options.atol, options.rtol)
