"""Models of gigabytes: seconds, peak memory and size for each format that we write, beside the peer's bytecode.

    pip install '.' tosa-converter-for-tflite==2026.2.0
    python benchmarks/large.py [--gigabytes 1 3 6] [--folder DIR]

A model is FULLY_CONNECTED layers of 4096 x 4096 random fp32 weights, which stand behind the flatbuffer as LiteRT puts
what exceeds 2 GB. One run each: the folder needs room for the model and the largest of its conversions, three times the
gigabytes for `.mlir`. The peak is that of resident memory, in which the mapped pages of the source count, and its
excess what exceeds the source's size.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from measure import run, table

from tosa_converter.formats import flatbuffer
from tosa_converter.schemas import tflite

SIDE = 4096  # of a layer's matrix: 64 MB
ALIGNMENT = 16
OURS = {
    ".tosa": ["-o", "out.tosa"],
    ".tosa, constants as inputs": ["-o", "out.tosa", "--constants", "inputs"],
    ".vgf": ["-o", "out.vgf", "--target", "vulkan-ml"],
    ".spv": ["-o", "out.spv", "--target", "vulkan-ml"],
    ".mlir": ["-o", "out.mlir"],
}


def flatbuffer_of(layers: int, start: int) -> bytes:
    """Returns the flatbuffer of a model whose weights stand one after the other from byte `start` of its file on."""
    size = 4 * SIDE * SIDE
    buffers = [tflite.Buffer()] + [tflite.Buffer(offset=start + i * size, size=size) for i in range(layers)]
    values = [tflite.Tensor(shape=(1, SIDE), name=f"x{i}") for i in range(layers + 1)]
    weights = [tflite.Tensor(shape=(SIDE, SIDE), name=f"w{i}", buffer=1 + i) for i in range(layers)]
    operators = [
        tflite.Operator(
            inputs=(i, layers + 1 + i, -1),
            outputs=(i + 1,),
            builtin_options=tflite.FullyConnectedOptions(),
        )
        for i in range(layers)
    ]
    code = tflite.BuiltinOperator.FULLY_CONNECTED
    graph = tflite.SubGraph(
        tensors=(*values, *weights),
        inputs=(0,),
        outputs=(layers,),
        operators=tuple(operators),
        name="main",
    )
    root = tflite.Model(
        version=3,
        operator_codes=(tflite.OperatorCode(deprecated_builtin_code=code, builtin_code=code, version=1),),
        subgraphs=(graph,),
        buffers=tuple(buffers),
    )
    return b"".join(map(bytes, flatbuffer.write(root, tflite.IDENTIFIER)))


def write_model(path: Path, gigabytes: float) -> None:
    """Writes a model with that many gigabytes of weights."""
    layers = int(gigabytes * 2**30 / (4 * SIDE * SIDE))
    length = len(flatbuffer_of(layers, 1 << 20))
    start = (length + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
    generator = np.random.default_rng(29)
    with path.open("wb") as file:
        file.write(flatbuffer_of(layers, start).ljust(start, b"\0"))
        for _ in range(layers):
            file.write((generator.standard_normal((SIDE, SIDE), np.float32) / np.float32(64)).data)


def measure(model: Path, folder: Path) -> list[list[str]]:
    """Returns the lines of a model: its inspection, our formats, and the peer."""
    peer = ["tosa-converter-for-tflite", str(model), "--bytecode", "-o", "out.mlirbc"]
    commands = {"inspect": ["tflite-to-tosa", "inspect", str(model), "--json"]}
    commands |= {name: ["tflite-to-tosa", str(model), *words] for name, words in OURS.items()}
    commands["the peer's bytecode"] = peer
    size = model.stat().st_size
    lines = []
    for name, words in commands.items():
        done = run([str(folder / word) if word.startswith("out.") else word for word in words])
        written = sum(path.stat().st_size for path in folder.glob("out*"))
        line = [f"{size / 2**30:.2f}", name]
        if done is None:
            lines.append([*line, "fails", "", "", ""])
        else:
            memory = f"{done.peak / 2**30:.2f}", f"{(done.peak - size) / 2**20:.0f}"
            lines.append([*line, f"{done.seconds:.1f}", *memory, f"{written / size:.2f}" if written else "-"])
        print(*lines[-1], sep="  ", flush=True)
        for path in folder.glob("out*"):
            path.unlink()
    return lines


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gigabytes", type=float, nargs="+", default=[1, 3, 6])
    parser.add_argument("--folder", help="where the files go for the time of the run")
    options = parser.parse_args()
    lines = []
    for gigabytes in options.gigabytes:
        with tempfile.TemporaryDirectory(dir=options.folder) as name:
            model = Path(name) / "model.tflite"
            write_model(model, gigabytes)
            lines += measure(model, Path(name))
    print(table(["GB", "output", "seconds", "peak GB", "excess MB", "written / source"], lines))


if __name__ == "__main__":
    main()
