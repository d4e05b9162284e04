"""Options of a conversion, and its report."""

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
    """Options of a conversion.

    * `numerics` is reference, xnnpack or compact.
    * `dump` is called after import and after every pass.
    * `float_type` is fp16 or bf16 where these replace fp32.
    * `state` is variables or io: where persistent state goes.
    * `control_flow` is keep or flatten. A target without EXT-CONTROLFLOW always flattens.
    * `sequence` is unroll or loop, for the steps of recurrent operators.
    * `allow_custom` keeps custom operators that no rule accepts as TOSA's CUSTOM.
    * `trace` gets the rules that each pass tried at each operator.
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
        """Whether control flow must be removed."""
        return self.control_flow == "flatten" or (
            self.target is not None and "EXT-CONTROLFLOW" not in self.target.extensions
        )


class Report:
    """The report of a conversion: notes of rules, figures, and each pass's name, seconds and number of operators."""

    __slots__ = ("needs", "notes", "passes", "seconds", "source_ops", "tosa_ops")

    def __init__(self) -> None:
        self.source_ops: Counter[str] = Counter()
        self.tosa_ops: Counter[str] = Counter()
        self.needs = Target()
        self.notes: list[Note] = []
        self.passes: list[tuple[str, float, int]] = []
        self.seconds = 0.0
