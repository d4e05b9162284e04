"""What the user asks of a conversion, and what the passes tell back."""

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from tosa_converter.ir import Model
from tosa_converter.rewriting.reasons import Attempts
from tosa_converter.rules.target import Target


class Note(NamedTuple):
    """Something the user should know about one operator: a deviation or an assumption."""

    location: str
    text: str


class Options(NamedTuple):
    """What the user asked for.

    `numerics` is reference, xnnpack or compact; `dump` is called after import and after every pass. `float_type` is
    fp16 or bf16 where fp32 is to become that. What lasts from run to run goes through `state`: variables or io, inputs
    and outputs. `control_flow` is keep or flatten, the latter also where the target has no EXT-CONTROLFLOW. `sequence`
    is unroll or loop: what becomes of the steps of recurrent operators. With `allow_custom`, custom operators that no
    rewrite takes become TOSA's CUSTOM. `trace` gets the rules that were tried at every operator.
    """

    numerics: str = "reference"
    target: Target | None = None
    input_shapes: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    dump: Callable[[str, Model], None] | None = None
    float_type: str = ""
    state: str = "variables"
    control_flow: str = "keep"
    sequence: str = "unroll"
    allow_custom: bool = False
    trace: list[Attempts] | None = None

    @property
    def flatten(self) -> bool:
        """Whether no control flow may be left."""
        return self.control_flow == "flatten" or (
            self.target is not None and "EXT-CONTROLFLOW" not in self.target.extensions
        )


class Report:
    """What came of a conversion: the rewrites' notes; each pass's name, seconds and operators left; figures."""

    __slots__ = ("needs", "notes", "passes", "seconds", "source_ops", "tosa_ops")

    def __init__(self) -> None:
        self.source_ops: Counter[str] = Counter()
        self.tosa_ops: Counter[str] = Counter()
        self.needs = Target()
        self.notes: list[Note] = []
        self.passes: list[tuple[str, float, int]] = []
        self.seconds = 0.0
