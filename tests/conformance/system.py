"""The system under test: reads the file of a conformance test, verifies it, runs it."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.plan import run
from tosa_converter.formats.tosa.reader import read_tosa
from tosa_converter.ir import Array, Model
from tosa_converter.rules.graph import verify
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tosa_target import EXTENSIONS, PROFILES, VERSION

EVERYTHING = Target(PROFILES, tuple(extension.name for extension in EXTENSIONS if extension.since == VERSION))
# The files store types that numpy lacks as raw bytes.
_RAW = {DType.BF16: "V2", DType.FP8E4M3: "V1", DType.FP8E5M2: "u1"}


def description(folder: Path) -> dict[str, Any]:
    """Returns the contents of a test's desc.json."""
    loaded: dict[str, Any] = json.loads((folder / "desc.json").read_text())
    return loaded


def load(folder: Path, desc: dict[str, Any]) -> Model:
    """Reads and verifies a test's graph.

    Raises:
        ConverterError: our verdict that the graph is illegal.
    """
    model = read_tosa((folder / desc["tosa_file"]).read_bytes(), file=desc["tosa_file"])
    verify(model, target=EVERYTHING)
    return model


def execute(model: Model, folder: Path, desc: dict[str, Any], *, check: bool = True, fast: bool = True) -> list[Array]:
    """Returns the outputs in the order and types of the description; `check` and `fast` are Executable's.

    Raises:
        ConverterError: the graph can't be run on these inputs.
    """
    types = {value.name: value.type.dtype for value in (*model.main.inputs, *model.main.outputs)}
    inputs = {
        name: _typed(np.load(folder / file), types[name])
        for name, file in zip(desc["ifm_name"], desc["ifm_file"], strict=True)
        if name in types
    }
    outputs = run(model, inputs, check=check, fast=fast)
    return [_raw(outputs[name], types[name]) for name in desc["ofm_name"]]


def save(path: Path, array: Array) -> None:
    """Writes a .npy file as the checker of tosa-tools reads it: <V2, where numpy itself would write |V2."""
    descr = f"<V{array.itemsize}" if array.dtype.kind == "V" else array.dtype.str
    with path.open("wb") as file:
        header = {"descr": descr, "fortran_order": False, "shape": array.shape}
        np.lib.format.write_array_header_1_0(file, header)  # type: ignore[no-untyped-call]
        file.write(array.tobytes())


def _typed(array: Array, dtype: DType) -> Array:
    return array.view(dtype.numpy) if dtype in _RAW else array


def _raw(array: Array, dtype: DType) -> Array:
    return array.view(_RAW[dtype]) if dtype in _RAW else array
