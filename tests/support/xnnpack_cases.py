"""Graphs of models/xnnpack with the results of the real XNNPACK (models/make_xnnpack.py)."""

import functools
import platform
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from support.commands import ROOT
from tosa_converter.ir import Array

FOLDER = ROOT / "models" / "xnnpack"
# Some of XNNPACK's kernels for ARM round sums differently; those for x86 round floats alike (seen with AVX512-VNNI).
ON_X86 = pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="XNNPACK rounds otherwise on ARM")
PROGRAMS = ("networks", "networks_int8", "kernels", "further_kernels")
GROUPS = ("fp32", "fp16", "qint8", "quint8", *PROGRAMS)


class XnnpackCase(NamedTuple):
    """A file with its inputs and outputs in order."""

    group: str
    file: str
    data: bytes
    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]

    @property
    def label(self) -> str:
        """Returns the group and the name."""
        return f"{self.group}-{self.file}"


@functools.cache
def cases(group: str) -> dict[str, XnnpackCase]:
    """Returns the cases of a group by the names of their files."""
    with np.load(FOLDER / f"{group}.npz") as arrays:
        files = {name: arrays[name] for name in arrays.files}
    return {file: _case(group, file, files) for file in files if file.endswith((".xnn", ".pte"))}


def _case(group: str, file: str, arrays: dict[str, Any]) -> XnnpackCase:
    name = file.partition(".")[0]
    inputs, outputs = (
        tuple(arrays[f"{name}.{letter}{i}"] for i in range(len(arrays)) if f"{name}.{letter}{i}" in arrays)
        for letter in "xy"
    )
    return XnnpackCase(group, file, arrays[file].tobytes(), inputs, outputs)


def every_case() -> Iterator[XnnpackCase]:
    """Yields all cases."""
    for group in GROUPS:
        yield from cases(group).values()
