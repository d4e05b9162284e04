"""Mutable buffers of ExecuTorch programs, in variables of TOSA as those of TFLite are."""

from tosa_converter.legalize.tflite.any_type.state import read, store
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas.opsets import XNN_READ, XNN_STORE

RULES = (
    Rule(XNN_READ, "", read),
    Rule(XNN_STORE, "", store),
)
