"""Our command against the peer's two commands, .tflite to .tosa, over the zoo.

    pip install -e '.[verify]' tosa-converter-for-tflite==2026.2.0
    python benchmarks/convert.py [--runs 5] [MODEL ...]

The two take turns, after one warm-up each; medians; the ratio is ours / the peer's. A model that the peer's commands
give no .tosa for has no ratio. In-process figures are of one more conversion in this process, files mapped.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import Run, geometric_mean, median, run, table

import tosa_converter as tc
from tosa_converter import files, zoo
from tosa_converter.errors import ConverterError


def commands(model: Path, folder: Path) -> tuple[list[list[str]], list[list[str]]]:
    """Ours and the peer's."""
    bytecode, out = folder / "peer.mlirbc", folder / "peer.tosa"
    ours = [["tflite-to-tosa", str(model), "-o", str(folder / "ours.tosa")]]
    peers = [
        ["tosa-converter-for-tflite", str(model), "--bytecode", "-o", str(bytecode)],
        ["tosa-opt", str(bytecode), "--tosa-serialize", f"--tosa-flatbuffer-filename={out}", "-o", "/dev/null"],
    ]
    return ours, peers


def compare(model: Path, runs: int) -> tuple[Run | None, Run | None]:
    """Medians of interleaved runs; None where a command fails."""
    with tempfile.TemporaryDirectory() as folder:
        ours, peers = commands(model, Path(folder))
        results: tuple[list[Run], list[Run]] = ([], [])
        alive = [run(*ours) is not None, run(*peers) is not None and (Path(folder) / "peer.tosa").exists()]
        for _ in range(runs):
            for side, command in enumerate((ours, peers)):
                done = run(*command) if alive[side] else None
                if done is not None:
                    results[side].append(done)
    return tuple(median(side) if side else None for side in results)  # type: ignore[return-value]


def in_process(model: Path) -> tuple[float, int]:
    """Seconds from file to encoded pieces, and source operators."""
    best = 1e9
    for _ in range(3):
        started = time.perf_counter()
        source = tc.load(model)
        files.encode(tc.convert(source), ".tosa")
        best = min(best, time.perf_counter() - started)
    return best, sum(len(graph.ops) for graph in source.graphs.values())


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    if shutil.which("tosa-converter-for-tflite") is None:
        sys.exit("tosa-converter-for-tflite is not installed")
    rows, ratios, large = [], [], []
    for entry, path in zoo.fetch(zoo.select(arguments.models)):
        ours, peer = compare(path, arguments.runs)
        size = path.stat().st_size
        if ours is None:
            rows.append([entry.name, f"{size / 1e6:.2f}", "-", "-", "-", "-", "-", "-", "-"])
            continue
        seconds, ops = in_process(path)
        ratio = ours.seconds / peer.seconds if peer else None
        if ratio:
            ratios.append(ratio)
            large += [ratio] if size > 5e6 else []
        rows.append(
            [
                entry.name,
                f"{size / 1e6:.2f}",
                f"{ours.seconds:.3f}",
                f"{peer.seconds:.3f}" if peer else "-",
                f"{ratio:.2f}" if ratio else "-",
                f"{ours.peak / 2**20:.0f}",
                f"{peer.peak / 2**20:.0f}" if peer else "-",
                f"{seconds * 1e3:.1f}",
                f"{seconds * 1e6 / ops:.0f}",
            ]
        )
        print(entry.name, file=sys.stderr)
    head = ["model", "MB", "ours s", "peer s", "ratio", "ours peak MB", "peer peak MB", "in process ms", "µs per op"]
    print(table(head, rows))
    print(
        f"\ngeometric mean of {len(ratios)} ratios {geometric_mean(ratios):.2f}, worst {max(ratios, default=1):.2f}; ",
        end="",
    )
    print(f"models over 5 MB: {', '.join(f'{ratio:.2f}' for ratio in large) or 'none with a ratio'}")
    print(subprocess.run(["uname", "-srm"], capture_output=True, text=True, check=True).stdout.strip())


if __name__ == "__main__":
    try:
        main()
    except ConverterError as error:
        sys.exit(str(error))
