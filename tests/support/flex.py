"""TensorFlow's operators in TFLite files: cases of builtin operators as the nodes that the converter stores."""

import struct
from dataclasses import replace
from typing import Any

from flatbuffers import flexbuffers

from support.cases.case import Case, ints
from support.cases.table import bases
from tosa_converter.legalize.custom.tensorflow import MEANINGS, Meaning
from tosa_converter.schemas.tflite import BuiltinOperator as B


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    low_groups = bytearray()
    while value >= 0x80:
        low_groups.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*low_groups, value])


def field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def attribute(value: Any) -> bytes:
    if isinstance(value, bool):
        return varint(5 << 3) + varint(value)
    if isinstance(value, float):
        return varint(4 << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, tuple):
        return field(1, field(3, b"".join(map(varint, value))))
    return varint(3 << 3) + varint(value)


def node(name: str, options: dict[str, Any], meaning: Meaning) -> bytes:
    """Returns a NodeDef as the converter stores it, behind the operator's name."""
    stated = {key: options[name] for name, key in meaning.attributes.items() if name in options}
    entries = [field(5, field(1, key.encode()) + field(2, attribute(value))) for key, value in stated.items()]
    message = field(2, name.encode()) + field(3, b"x") + b"".join(entries)
    builder = flexbuffers.Builder()
    with builder.Vector():
        builder.String(name)
        builder._WriteBlob(message, append_zero=True, type_=flexbuffers.Type.STRING)  # String takes text only
    return bytes(builder.Finish())


CASES = {case.builtin.name.lower(): case for case in reversed([*bases()]) if not case.called}


def flex_and_builtin(name: str) -> tuple[Case, Case]:
    """Returns an operator of TensorFlow, and the builtin one that computes the same."""
    meaning = MEANINGS[name]
    case = CASES[meaning.builtin]
    options: dict[str, Any] = {"alpha": 0.25} if name == "LeakyRelu" else {**case.options, **meaning.options}
    case = replace(case, options=options)
    flex = replace(case, builtin=B.CUSTOM, custom_code=f"Flex{name}", custom_options=node(name, options, meaning))
    if meaning.operand:
        flex = replace(flex, operands=(*flex.operands, ints(options[meaning.operand], shape=())))
    return flex, case
