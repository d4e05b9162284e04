"""Targets: the profiles, extensions and level that a graph may use (1.6, 1.7), and those that it needs."""

from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

from tosa_converter.errors import UsageError
from tosa_converter.ir import Graph, Model, Op, name_with_location
from tosa_converter.rules.types import DTypes, fitting_combinations, selection
from tosa_converter.schemas.presets import PRESETS, Preset, named
from tosa_converter.schemas.tosa_ops import CONSTANTS, Kind, OpDef
from tosa_converter.schemas.tosa_target import (
    ENUMERANT_EXTENSIONS,
    ENUMERATIONS,
    EXTENSIONS,
    LEVEL_8K,
    LEVELS,
    PROFILES,
    VERSION,
    Level,
)

_EXTENSIONS = {extension.name: extension for extension in EXTENSIONS}
_ORDER = (*PROFILES, *_EXTENSIONS)
_LEVELS = {name.upper(): level for name, level in LEVELS.items()}

# What must be supported: at least one of these sets.
Alternatives = tuple[frozenset[str], ...]
_ENUMERANT_NEEDS: dict[str, Alternatives] = {name: (frozenset({need}),) for name, need in ENUMERANT_EXTENSIONS.items()}


class _Fields(NamedTuple):
    profiles: tuple[str, ...]
    extensions: tuple[str, ...]
    level: Level
    version: tuple[int, int, int]
    preset: Preset | None


class Target(_Fields):
    """Profiles and extensions by name, the level, the version of the specification, and the preset that it is of.

    Raises:
        UsageError: a name that isn't one of them, no profile, or an extension without a profile that it extends.
    """

    __slots__ = ()

    def __new__(
        cls,
        profiles: tuple[str, ...] = ("PRO-INT",),
        extensions: tuple[str, ...] = (),
        level: Level = LEVEL_8K,
        version: tuple[int, int, int] = VERSION,
        preset: Preset | None = None,
    ) -> "Target":
        """See the class."""
        _check_words((*profiles, *extensions))
        if not profiles or not set(profiles) <= set(PROFILES):
            raise UsageError(f"target: expected a profile, {' or '.join(PROFILES)}, found {list(profiles)}")
        for name in extensions:
            bases = _EXTENSIONS[name].profiles
            if not set(bases) & set(profiles):
                raise UsageError(f"target: {name} extends {' or '.join(bases)}, which is not given")
        return super().__new__(cls, profiles, extensions, level, version, preset)

    @classmethod
    def parse(cls, text: str) -> "Target":
        """Returns a target from a preset's name, or from words such as "pro-int,pro-fp,ext-doubleround,8k".

        Case and order don't matter.

        Raises:
            UsageError: as for the class, or two levels.
        """
        preset = named(text)
        if preset is not None:
            return cls.parse(preset.target)._replace(preset=preset)
        words = [word for word in (part.strip().upper() for part in text.split(",")) if word]
        levels = [_LEVELS[word] for word in words if word in _LEVELS]
        if len(levels) > 1:
            raise UsageError(f"target: expected one level, found {', '.join(level.name for level in levels)}")
        names = [word for word in words if word not in _LEVELS]
        _check_words(names)
        level = levels[0] if levels else LEVEL_8K
        return cls(_in_order(names, PROFILES), _in_order(names, _EXTENSIONS), level)

    @property
    def supported(self) -> frozenset[str]:
        """Profiles and extensions in one set."""
        return frozenset((*self.profiles, *self.extensions))

    def __str__(self) -> str:
        name = "" if self.preset is None else f"{self.preset.name}: "
        names = name + ", ".join(_in_order((*self.profiles, *self.extensions), _ORDER))
        level = "" if self.level is LEVEL_8K else f", level {self.level.name}"
        return names + level + ("" if self.version == VERSION else f", version {'.'.join(map(str, self.version))}")

    def problems(self, model: Model | Graph) -> list[str]:
        """Returns a line for every operator that needs a profile or extension that this target lacks."""
        return [f"{place(op)}: needs {lacking}" for op in _walk(model) for lacking in self.lacks(op)]

    def lacks(self, op: Op) -> list[str]:
        """Returns what an operator needs beyond this target, each with the reason."""
        supported = self.supported
        lacking = [
            f"{words(needed)} for {reason or _types(op)}"
            for needed, reason in op_needs(op)
            if not any(names <= supported for names in needed)
        ]
        if op.row is not None and op.row.since > self.version:
            lacking.append(f"TOSA {'.'.join(map(str, op.row.since))}")
        if self.preset is not None:
            name = op.base_name.upper()
            lacking += [f"{name}: {self.preset.refuses[name]}"] if name in self.preset.refuses else []
        return lacking


def needs(model: Model | Graph) -> Target:
    """Returns the smallest target for the operators of a model; the level isn't judged here, `verify` does that.

    Where PRO-INT and PRO-FP would both do and neither is needed otherwise, it is PRO-INT.
    """
    clauses: set[Alternatives] = set()
    rows, constants = set(), set()
    for op in _walk(model):
        row = op.row
        rows.add(row)
        if row in CONSTANTS and not op.inputs:  # half of all operators, and what they need is their types' alone
            form = row, *[value.type for value in op.results]
            if form in constants:
                continue
            constants.add(form)
        for needed, _ in op_needs(op):
            clauses.add(needed)
    names: set[str] = set()
    for needed in clauses:
        if len(needed) == 1:
            names |= needed[0]
    names |= _only_profiles(names)
    for needed in sorted(clauses, key=words):
        if not any(option <= names for option in needed):
            names |= needed[0]
    names |= _only_profiles(names)
    if not names & set(PROFILES):
        names.add(PROFILES[0])
    return Target(_in_order(names, PROFILES), _in_order(names, _EXTENSIONS), version=newest_version(rows))


def _only_profiles(names: Iterable[str]) -> set[str]:
    """Returns the profiles of those extensions that extend one only."""
    bases = [_EXTENSIONS[name].profiles for name in names if name in _EXTENSIONS]
    return {profiles[0] for profiles in bases if len(profiles) == 1}


def newest_version(rows: Iterable[OpDef | None]) -> tuple[int, int, int]:
    """Returns the version of the specification that has all these operators; not before 1.0."""
    return max((row.since for row in rows if row is not None), default=VERSION)


def op_needs(op: Op) -> list[tuple[Alternatives, str]]:
    """Returns what a tosa operator asks of a target, each with its reason, "" for its types; nothing for other opsets.

    An operator whose types fit no row of its type table asks for nothing by them: that is an error of the graph.
    """
    row = op.row
    if row is None:
        return []
    inputs = tuple([None if value is None else value.type.dtype for value in op.inputs])
    outputs = tuple([value.type.dtype for value in op.results])
    required = _required(row, inputs, selection(row, op.attributes), outputs)
    needed = [(required, "")] if required else []
    for name in _enumerants(row):
        value = op.attributes.get(name)
        if value in _ENUMERANT_NEEDS:
            needed.append((_ENUMERANT_NEEDS[value], f"{name} {value}"))
    for name in dynamic_operands(op, row):
        needed.append(((frozenset({"EXT-DYNAMIC"}),), f"{name} that is not a constant"))
    return needed


def dynamic_operands(op: Op, row: OpDef) -> list[str]:
    """Returns the operands that must be compile-time constants without EXT-DYNAMIC, and aren't."""
    positions = dynamic_positions(op, row)
    return [row.inputs[index].name for index in positions] if positions else []


def dynamic_positions(op: Op, row: OpDef) -> list[int]:
    """Returns the positions of the operands that `dynamic_operands` names."""
    inputs = op.inputs
    return [i for i in _constants(row, len(inputs)) if (value := inputs[i]) is not None and value.constant is None]


def words(needed: Alternatives) -> str:
    """Returns alternatives as text: "PRO-INT or PRO-FP", "EXT-BF16 and EXT-FP8E4M3"."""
    return " or ".join(" and ".join(_in_order(names, _ORDER)) for names in needed)


def place(op: Op) -> str:
    """Returns an operator as messages name it."""
    return name_with_location(op.name, op.location)


def _types(op: Op) -> str:
    """Returns the element types of an operator's operands and results as text."""
    inputs = ", ".join(value.type.dtype.value for value in op.operands)
    outputs = ", ".join(value.type.dtype.value for value in op.results)
    return f"({inputs}) -> ({outputs})"


@cache
def _required(row: OpDef, inputs: DTypes, selected: Any, outputs: DTypes) -> Alternatives:
    """Returns what the rows of the type table that fit ask for."""
    options = [
        option
        for line in fitting_combinations(row, inputs, selected, outputs)
        for option in line.requirement.split("|")
    ]
    return tuple(dict.fromkeys(frozenset(option.split("&")) for option in options))


@cache
def _enumerants(row: OpDef) -> tuple[str, ...]:
    """Returns the names of attributes whose value may need an extension."""
    enumerants = [attr for attr in row.attributes if attr.kind is Kind.ENUMERANT]
    return tuple(attr.name for attr in enumerants if ENUMERATIONS[attr.of].keys() & ENUMERANT_EXTENSIONS)


@lru_cache(1024)
def _constants(row: OpDef, count: int) -> tuple[int, ...]:
    """Returns the positions of the operands that must be constants."""
    return tuple(index for index, operand in enumerate(row.inputs[:count]) if operand.ctc)


def _walk(model: Model | Graph) -> Iterator[Op]:
    """Yields the operators of a model or graph, including those of regions."""
    graphs = [model] if isinstance(model, Graph) else model.graphs.values()
    for graph in graphs:
        yield from graph.walk()


def _check_words(names: Iterable[str]) -> None:
    """Raises UsageError for words that are neither a profile nor an extension."""
    unknown = [name for name in names if name not in _ORDER]
    if unknown:
        accepted = ", ".join((*_ORDER, *_LEVELS)).lower()
        raise UsageError(
            f"target: expected one of {', '.join(PRESETS)}, or a list of {accepted}; found {', '.join(unknown).lower()}"
        )


def _in_order(names: Collection[str], order: Iterable[str]) -> tuple[str, ...]:
    """Returns names in the order of another sequence."""
    return tuple(name for name in order if name in names)
