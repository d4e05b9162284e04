"""How many operators a conversion has, beside the peer's, model by model.

    pip install '.[verify]' tosa-converter-for-tflite==2026.2.0
    python benchmarks/operators.py [MODEL.tflite ...] [--peer FOLDER] [--differences]

Counted without CONST, CONST_SHAPE and IDENTITY on both sides. `FOLDER` holds the peer's commands; without models, all
of the zoo's cache. `--differences` says which operators ours has more or fewer of.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from measure import geometric_mean, table

import tosa_converter as tc
from tosa_converter.proof.zoo import cache_folder

UNCOUNTED = {"tosa.const", "tosa.const_shape", "tosa.identity"}
OPERATOR = re.compile(r"(?:= |^ +)\"?(tosa|tfl)\.([a-z0-9_]+)", re.MULTILINE)
Counts = Counter[str]


def ours(path: Path) -> Counts | None:
    """The operators of our conversion; None if there is none."""
    try:
        model = tc.convert(path)
    except tc.ConverterError:
        return None
    return Counter(op.name for graph in model.graphs.values() for op in graph.walk() if op.name not in UNCOUNTED)


def theirs(path: Path, peer: Path) -> Counts | None:
    """The operators of the peer's conversion, which may hold none but TOSA's; None if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        bytecode = Path(folder) / "model.mlirbc"
        convert = [peer / "tosa-converter-for-tflite", path, "--bytecode", "-o", bytecode]
        if subprocess.run(convert, capture_output=True, check=False).returncode or not bytecode.exists():
            return None
        read = [peer / "tosa-opt", "--mlir-elide-elementsattrs-if-larger=8", bytecode]
        listing = subprocess.run(read, capture_output=True, text=True, check=False)
    matches = OPERATOR.findall(listing.stdout)
    if listing.returncode or not matches or any(opset != "tosa" for opset, _ in matches):
        return None
    return Counter(f"tosa.{name}" for _, name in matches if f"tosa.{name}" not in UNCOUNTED)


def differences(mine: Counts, other: Counts) -> str:
    """What ours has more (+) or fewer (-) of."""
    names = sorted({*mine, *other}, key=lambda name: other[name] - mine[name])
    return ", ".join(
        f"{name.removeprefix('tosa.')} {mine[name] - other[name]:+d}" for name in names if mine[name] != other[name]
    )


def peer_folder(named: str) -> Path:
    """Where the peer's commands are."""
    program = shutil.which("tosa-converter-for-tflite", path=named or None)
    if program is None:
        sys.exit("tosa-converter-for-tflite is not installed")
    return Path(program).parent


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--peer", default="", metavar="FOLDER")
    parser.add_argument("--differences", action="store_true")
    arguments = parser.parse_args()
    peer = peer_folder(arguments.peer)
    rows, ratios = [], []
    for path in arguments.models or sorted(cache_folder().glob("*.tflite")):
        mine, other = ours(path), theirs(path, peer)
        ratio = mine.total() / other.total() if mine and other else None
        ratios += [ratio] if ratio else []
        figures = [str(counts.total()) if counts else "-" for counts in (mine, other)]
        rows.append([path.stem, *figures, f"{ratio:.2f}" if ratio else "-"])
        if arguments.differences:
            rows[-1].append(differences(mine, other) if mine and other else "")
    print(table(["model", "ours", "peer", "ratio", *(["differences"] if arguments.differences else [])], rows))
    print(f"\n{len(ratios)} models, geometric mean {geometric_mean(ratios):.3f}")


if __name__ == "__main__":
    main()
