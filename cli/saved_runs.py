"""The files of `--save-outputs`: the inputs of a verification's runs, and what each engine computed."""

import os
from collections.abc import Mapping, Sequence

from tosa_converter.cli.arrays import safe_name, save_outputs
from tosa_converter.formats.storage import make_folder
from tosa_converter.ir import Array, unique_names
from tosa_converter.proof.output_names import output_names
from tosa_converter.proof.report import Verification
from tosa_converter.proof.saved_runs import RunArrays
from tosa_converter.rewriting.signatures import split_by_signature


def save_runs(folder: str, runs: Sequence[RunArrays], verification: Verification) -> list[str]:
    """Writes inputs.npz and ENGINE.npz for every engine, in a folder for each of several signatures.

    Arrays have the callers' names of inputs and outputs, those in the signature, which a conversion has too.

    Returns:
        The paths of the files.

    Raises:
        UsageError: a file can't be written.
    """
    assert verification.sides is not None
    graphs = split_by_signature(verification.sides[0])
    folders = unique_names(safe_name(arrays.signature) for arrays in runs) if len(runs) > 1 else [""]
    paths: list[str] = []
    for name, arrays in zip(folders, runs, strict=True):
        place = os.path.join(folder, name)
        make_folder(place)
        # A model without further signatures is the only one here, whatever its signature is called.
        graph = graphs.get(arrays.signature) or next(iter(graphs.values()))
        names = graph.caller_names(graph.main)
        inputs = {value.name: names[value] for value in graph.main.inputs}
        outputs = dict(zip(output_names(graph), (names[value] for value in graph.main.outputs), strict=True))
        files = {"inputs": _rename(arrays.inputs, inputs)}
        files |= {engine: _rename(results, outputs) for engine, results in arrays.outputs.items()}
        for stem, arrays_by_name in files.items():
            paths.append(os.path.join(place, f"{stem}.npz"))
            save_outputs(paths[-1], arrays_by_name)
    return paths


def _rename(arrays: Mapping[str, Array], names: Mapping[str, str]) -> dict[str, Array]:
    """Returns arrays by new names; if two of these clash, all arrays keep their own."""
    renamed = [names.get(name, name) for name in arrays]
    return dict(zip(renamed if len({*renamed}) == len(renamed) else arrays, arrays.values(), strict=True))
