"""Checks MLIR text of every zoo model: our text gives the same `.tosa` bytes, tosa-opt's the same graph.

`PYTHONPATH=tests python -m longer.mlir_round_trip [MODEL ...]` reads what the cache folder has (`tflite-to-tosa zoo
fetch`) and needs `tosa-opt`. A line for each model; exit status 1 if one differs.
"""

import sys

from support.mlir_texts import plain, printed, read

import tosa_converter as tc
from tosa_converter.formats import encode
from tosa_converter.proof import zoo

FORMS = {"pretty": (), "generic": ("--mlir-print-op-generic",)}


def differences(model: tc.Model) -> list[str]:
    """Returns the texts that are read as a different model."""
    text = b"".join(map(bytes, encode(model, ".mlir", debug=True))).decode()
    files = [b"".join(map(bytes, encode(read_model, ".tosa"))) for read_model in (model, read(text))]
    expected = {name: plain(graph) for name, graph in model.graphs.items()}
    forms = {form: read(printed(text, *options)) for form, options in FORMS.items()}
    differing = ["ours"] if files[0] != files[1] else []
    return differing + [
        form
        for form, read_model in forms.items()
        if {name: plain(graph) for name, graph in read_model.graphs.items()} != expected
    ]


def main(names: list[str]) -> int:
    """Compares models; returns status 1 if one differs."""
    paths = [path for model in zoo.select(names) if (path := zoo.path_of(model)).exists()]
    wrong = 0
    for path in paths:
        differing = differences(tc.convert(path))
        wrong += bool(differing)
        sys.stdout.write(f"{'differs' if differing else 'equal':<8}{path.stem}  {', '.join(differing)}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(paths)} models, {wrong} differ\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
