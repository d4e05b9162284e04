"""The options of `convert` that say how its output is written."""

from typing import Annotated

from tosa_converter.option_flag import Flag

ONE_FILE = ("partial", "explain")
"""The parameters of `convert` that ask for something else than one output."""

DumpIr = Annotated[
    str,
    Flag(
        "--dump-ir",
        "DIR",
        "Write the graph as MLIR text after every pass that changed it.",
        excluded_by=ONE_FILE,
        panel="Output",
    ),
]
DebugInfo = Annotated[
    bool,
    Flag(
        "--debug-info",
        help="Keep the names of values and the locations of operators in a .spv, .vgf, .mlir or .mlirbc.",
        excluded_by=ONE_FILE,
        panel="Output",
    ),
]
Constants = Annotated[
    str,
    Flag(
        "--constants",
        "FORM",
        "Constants: embed them (the default), or make them inputs of a .tosa with a data file beside it.",
        choices=("embed", "inputs"),
        excluded_by=ONE_FILE,
        panel="Output",
    ),
]
