"""Our command against the peer's two commands, .tflite to .tosa, over the zoo.

    pip install '.[verify]' tosa-converter-for-tflite==2026.2.0
    python benchmarks/convert.py [--runs 5] [MODEL ...]

The two take turns in an empty folder, after one warm-up each; medians; the ratio is ours / the peer's. A model that the
peer's commands give no .tosa for has no ratio. In-process figures are the best of three in a process of their own. This
process imports neither side, for a child's peak memory starts at its parent's. An editable installation starts slower.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import Run, geometric_mean, median, run, table

IN_PROCESS = """
import sys, time
import tosa_converter as tc
from tosa_converter import formats
best = 1e9
for _ in range(3):
    started = time.perf_counter()
    source = tc.load(sys.argv[1])
    formats.encode(tc.convert(source), ".tosa")
    best = min(best, time.perf_counter() - started)
print(best, sum(len(graph.ops) for graph in source.graphs.values()))
"""


def models(names: list[str]) -> dict[str, Path]:
    """The zoo's models by name, fetched."""
    command = ["tflite-to-tosa", "zoo", "fetch", *names]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {name: Path(path) for name, path in (line.split("  ", 1) for line in lines)}


def commands(model: Path, folder: Path) -> tuple[list[list[str]], list[list[str]]]:
    """Ours and the peer's."""
    bytecode, out = folder / "peer.mlirbc", folder / "peer.tosa"
    ours = [["tflite-to-tosa", str(model), "-o", str(folder / "ours.tosa")]]
    peers = [
        ["tosa-converter-for-tflite", str(model), "--bytecode", "-o", str(bytecode)],
        ["tosa-opt", str(bytecode), "--tosa-serialize", f"--tosa-flatbuffer-filename={out}", "-o", "/dev/null"],
    ]
    return ours, peers


def compare(model: Path, runs: int) -> list[Run | None]:
    """Medians of interleaved runs, ours and the peer's; None where a command fails."""
    with tempfile.TemporaryDirectory() as folder:
        sides = commands(model, Path(folder))
        alive = [run(*side) is not None for side in sides]
        alive[1] = alive[1] and (Path(folder) / "peer.tosa").exists()
        results: list[list[Run]] = [[], []]
        for _ in range(runs):
            for side, command in enumerate(sides):
                for left in Path(folder).iterdir():
                    left.unlink()
                done = run(*command) if alive[side] else None
                results[side] += [done] if done is not None else []
    return [median(side) if side else None for side in results]


def row(name: str, model: Path, ours: Run | None, peer: Run | None) -> list[str]:
    """A model's line of the table."""
    cells = [name, f"{model.stat().st_size / 1e6:.2f}"]
    if ours is None:
        return cells + ["-"] * 8
    command = [sys.executable, "-c", IN_PROCESS, str(model)]
    seconds, ops = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    cells += [f"{ours.seconds:.3f}", f"{peer.seconds:.3f}" if peer else "-"]
    cells += [f"{ours.seconds / peer.seconds:.2f}" if peer else "-", f"{ours.peak / 2**20:.0f}"]
    cells += [f"{peer.peak / 2**20:.0f}" if peer else "-", f"{float(seconds) * 1e3:.1f}"]
    return [*cells, f"{float(seconds) * 1e6 / int(ops):.0f}", f"{float(seconds) * 1e9 / model.stat().st_size:.0f}"]


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    if shutil.which("tosa-converter-for-tflite") is None:
        sys.exit("tosa-converter-for-tflite is not installed")
    rows, ratios, large = [], [], []
    for name, path in models(arguments.models).items():
        ours, peer = compare(path, arguments.runs)
        if ours and peer:
            ratios.append(ours.seconds / peer.seconds)
            large += ratios[-1:] if path.stat().st_size > 5e6 else []
        rows.append(row(name, path, ours, peer))
        print(name, file=sys.stderr)
    head = ["model", "MB", "ours s", "peer s", "ratio", "ours peak MB", "peer peak MB"]
    head += ["in process ms", "µs per op", "ms per MB"]
    print(table(head, rows))
    print(
        f"\nGeometric mean of {len(ratios)} ratios {geometric_mean(ratios):.2f}, worst {max(ratios, default=1):.2f}; "
    )
    print(f"models over 5 MB: {', '.join(f'{ratio:.2f}' for ratio in large) or 'none with a ratio'}.")


if __name__ == "__main__":
    main()
