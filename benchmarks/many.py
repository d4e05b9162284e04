"""The zoo in one command against a command for each model in a shell loop, ours and the peer's.

    pip install '.[verify]' tosa-converter-for-tflite==2026.2.0
    python benchmarks/many.py [--runs 5] [--jobs N]

The three take turns in an empty folder, after one warm-up each; medians of wall and of CPU seconds, those of all
processes. The peer's loop goes on where its commands fail. An editable installation starts slower.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from measure import table

ZOO = Path.home() / ".cache" / "tosa-converter" / "zoo"
SINGLE = 'for m in "$0"/*.tflite; do tflite-to-tosa "$m" -o "$1/$(basename "$m" .tflite).tosa"; done'
PEER = """for m in "$0"/*.tflite; do
tosa-converter-for-tflite "$m" --bytecode -o "$1/x.mlirbc" &&
tosa-opt "$1/x.mlirbc" --tosa-serialize --tosa-flatbuffer-filename="$1/$(basename "$m" .tflite).tosa" -o /dev/null
done; true"""


def once(command: list[str]) -> tuple[float, float, int]:
    """Wall seconds, CPU seconds of all processes, and how many models came out."""
    with tempfile.TemporaryDirectory() as folder:
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([*command, folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return wall, cpu, len(list(Path(folder).glob("*.tosa")))


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=0)
    arguments = parser.parse_args()
    sides = {
        "one command": ["tflite-to-tosa", str(ZOO), "--jobs", str(arguments.jobs), "-o"],
        "a command for each": ["sh", "-c", SINGLE, str(ZOO)],
    }
    if shutil.which("tosa-converter-for-tflite"):
        sides["the peer's two for each"] = ["sh", "-c", PEER, str(ZOO)]
    times: dict[str, list[tuple[float, float, int]]] = {side: [] for side in sides}
    for turn in range(arguments.runs + 1):
        for side, command in sides.items():
            run = once(command)
            times[side] += [run] if turn else []
    rows = []
    for side, runs in times.items():
        wall, cpu, models = map(statistics.median, zip(*runs, strict=True))
        ratio = statistics.median(
            run_times[0] / best[0] for run_times, best in zip(runs, times["one command"], strict=True)
        )
        rows.append([side, f"{models:.0f}", f"{wall:.2f}", f"{cpu:.2f}", f"{ratio:.1f}x"])
    print(table(["", "models", "wall s", "CPU s", "times as long"], rows))
    print(f"\nload {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
