"""What a field is that a file leaves out: every scalar of every table, as the generated code of both schemas has it."""

import inspect
import re
from importlib import import_module
from typing import Any

import pytest

from tosa_converter.formats import flatbuffer
from tosa_converter.schemas import flat, tflite, tosa

PACKAGES = {"tflite": tflite, "tosa": tosa}
TABLES = [
    (package, value)
    for package, module in PACKAGES.items()
    for value in vars(module).values()
    if isinstance(value, type) and issubclass(value, flat.Table) and value.__module__ == module.__name__
]

TRUTHS = {"False": 0, "True": 1}


def generated_default(accessor: Any) -> float | None:
    """What the last line of an accessor returns; None where it computes that."""
    last = re.findall(r"^\s*return (.+)$", inspect.getsource(accessor), re.MULTILINE)[-1]
    return None if last.isidentifier() and last not in TRUTHS else float(TRUTHS.get(last, last))


@pytest.mark.parametrize(("package", "table"), TABLES, ids=lambda value: getattr(value, "__name__", value))
def test_defaults_are_the_generated_codes(package: str, table: type[flat.Table]) -> None:
    pytest.importorskip(package)
    try:
        module = import_module(f"{package}.{table.__name__}")
    except ImportError:
        return  # newer than the package, or a union's base
    generated = vars(getattr(module, table.__name__))
    for field in flatbuffer.layout(table).fields:
        words = field.name.split("_")
        name = "".join(word[:1].upper() + word[1:] for word in words)
        if field.kind != "scalar" or name not in generated:
            continue
        default = generated_default(generated[name])
        assert default is None or float(getattr(table, field.name)) == default, name
