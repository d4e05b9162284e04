"""The files of `--save-outputs`: the inputs of a verification's runs, and what each engine computed."""

import os
from collections.abc import Sequence

from tosa_converter.cli.arrays import safe_name, save_outputs
from tosa_converter.formats.storage import make_folder
from tosa_converter.ir import unique_names
from tosa_converter.proof.saved_runs import RunArrays


def save_runs(folder: str, runs: Sequence[RunArrays]) -> list[str]:
    """Writes inputs.npz and ENGINE.npz for every engine, in a folder for each of several signatures.

    Returns:
        The paths of the files.

    Raises:
        UsageError: a file can't be written.
    """
    folders = unique_names(safe_name(arrays.signature) for arrays in runs) if len(runs) > 1 else [""]
    paths: list[str] = []
    for name, arrays in zip(folders, runs, strict=True):
        place = os.path.join(folder, name)
        make_folder(place)
        for stem, outputs in {"inputs": arrays.inputs, **arrays.outputs}.items():
            paths.append(os.path.join(place, f"{stem}.npz"))
            save_outputs(paths[-1], outputs)
    return paths
