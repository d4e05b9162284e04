"""Targets: the profiles, extensions and level that a graph may use (1.6, 1.7), and those that it needs."""

from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError, did_you_mean
from tosa_converter.ir import Graph, Model, Op, Value, name_with_location
from tosa_converter.rules.types import DTypes, fitting_combinations, oldest_version, selection
from tosa_converter.schemas.presets import PRESETS, Preset, named
from tosa_converter.schemas.tosa_ops import CONSTANTS, SHAPE_OPERATORS, Kind, OpDef
from tosa_converter.schemas.tosa_target import (
    ENUMERANT_EXTENSIONS,
    ENUMERATIONS,
    EXTENSIONS,
    LEVEL_8K,
    LEVELS,
    PROFILES,
    VERSION,
    VERSIONS,
    Level,
)

_EXTENSIONS = {extension.name: extension for extension in EXTENSIONS}
_NAMES = (*PROFILES, *_EXTENSIONS)
_ORDER = (*_NAMES, *VERSIONS)
_LEVELS = {name.upper(): level for name, level in LEVELS.items()}

# What must be supported: at least one of these sets.
Alternatives = tuple[frozenset[str], ...]
_ENUMERANT_NEEDS: dict[str, Alternatives] = {name: (frozenset({need}),) for name, need in ENUMERANT_EXTENSIONS.items()}


class _Fields(NamedTuple):
    """The fields of Target, which adds checks to them."""

    profiles: tuple[str, ...]
    extensions: tuple[str, ...]
    level: Level
    version: tuple[int, int, int]
    preset: Preset | None


class Target(_Fields):
    """What a TOSA graph may use: profiles, extensions, level and version; `preset` is the named target it stands for.

    Raises:
        UsageError: an unknown name, no profile, an extension without a profile that it extends, or one that a later
            version brought.
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
        """Creates a target; UsageError for an unknown name, no profile, or an extension that can't be part of it."""
        _check_words((*profiles, *extensions))
        if not profiles or not set(profiles) <= set(PROFILES):
            raise UsageError(f"target: expected a profile, {' or '.join(PROFILES)}, found {list(profiles)}")
        for name in extensions:
            bases = _EXTENSIONS[name].profiles
            if not set(bases) & set(profiles):
                raise UsageError(f"target: {name} extends {' or '.join(bases)}, which is not given")
            if _EXTENSIONS[name].since > version:
                later = version_text(_EXTENSIONS[name].since)
                hint = f"next: add {later} to the target, a draft of the specification"
                raise UsageError(f"target: {name} is an extension of TOSA {later}", hint)
        return super().__new__(cls, profiles, extensions, level, version, preset)

    @classmethod
    def parse(cls, text: str) -> "Target":
        """Returns the target that a text describes: a preset's name, or a list such as "pro-int,ext-int64,8k,1.1".

        Case and order don't matter. Without a level it is 8K, without a version 1.0.

        Raises:
            UsageError: as for the class, or two levels or versions.
        """
        preset = named(text)
        if preset is not None:
            return cls.parse(preset.target)._replace(preset=preset)
        words = [word for word in (part.strip().upper() for part in text.split(",")) if word]
        levels = [_LEVELS[word] for word in words if word in _LEVELS]
        versions = [word for word in words if word in VERSIONS]
        if len(levels) > 1:
            raise UsageError(f"target: expected one level, found {', '.join(level.name for level in levels)}")
        if len(versions) > 1:
            raise UsageError(f"target: expected one version, found {', '.join(versions)}")
        names = [word for word in words if word not in _LEVELS and word not in VERSIONS]
        _check_words(names)
        level = levels[0] if levels else LEVEL_8K
        version = VERSIONS[versions[0]] if versions else VERSION
        return cls(_in_order(names, PROFILES), _in_order(names, _EXTENSIONS), level, version)

    @property
    def supported(self) -> frozenset[str]:
        """The names of the target's profiles and extensions, and of its version and those before it."""
        versions = [name for name, version in VERSIONS.items() if version <= self.version]
        return frozenset((*self.profiles, *self.extensions, *versions))

    def __str__(self) -> str:
        """Returns the target as text: preset, profiles, extensions, and level and version if not 8K and 1.0."""
        name = "" if self.preset is None else f"{self.preset.name}: "
        names = name + ", ".join(_in_order((*self.profiles, *self.extensions), _ORDER))
        level = "" if self.level is LEVEL_8K else f", level {self.level.name}"
        return names + level + ("" if self.version == VERSION else f", TOSA {version_text(self.version)}")

    def problems(self, model: Model | Graph) -> list[str]:
        """Returns a line for each thing that an operator of the model needs and this target lacks."""
        return [f"{op_with_location(op)}: needs {lacking}" for op in _walk_ops(model) for lacking in self.lacks(op)]

    def lacks(self, op: Op) -> list[str]:
        """Returns what an operator needs and this target lacks, each with the reason; [] if it has all.

        Beside profiles and extensions that is a newer version of TOSA, and what the target's preset refuses.
        """
        supported = self.supported
        lacking = [
            f"{describe_alternatives(needed)} for {reason or _type_text(op)}"
            for needed, reason in op_needs(op)
            if not any(names <= supported for names in needed)
        ]
        if op.row is not None and op.row.since > self.version:
            lacking.append(f"TOSA {version_text(op.row.since)}")
        if self.preset is not None:
            name = op.base_name.upper()
            lacking += [f"{name}: {self.preset.refuses[name]}"] if name in self.preset.refuses else []
        return lacking


def needs(model: Model | Graph) -> Target:
    """Returns the smallest target that has what a model's operators need; its level isn't derived from them.

    If PRO-INT and PRO-FP would both do and neither is needed otherwise, it is PRO-INT.
    """
    clauses: set[Alternatives] = set()
    constants = set()
    for op in _walk_ops(model):
        row = op.row
        if row in CONSTANTS and not op.inputs:  # half of all operators, and what they need is their types' alone
            form = row, *[value.type for value in op.results]
            if form in constants:
                continue
            constants.add(form)
        for needed, _ in op_needs(op):
            clauses.add(needed)
    names: set[str] = set()
    # Needs without a choice come first: what leaves the choice of PRO-INT or PRO-FP is then met by the profile that
    # another operator needs anyway.
    for needed in clauses:
        if len(needed) == 1:
            names |= needed[0]
    names |= _presupposed_profiles(names)
    for needed in sorted(clauses, key=describe_alternatives):
        if not any(option <= names for option in needed):
            names |= needed[0]
    names |= _presupposed_profiles(names)
    if not names & set(PROFILES):
        names.add(PROFILES[0])
    version = required_version(_walk_ops(model))
    return Target(_in_order(names, PROFILES), _in_order(names, _EXTENSIONS), version=version)


def _presupposed_profiles(names: Iterable[str]) -> set[str]:
    """Returns the profiles that extensions presuppose; an extension of several profiles presupposes none of them."""
    bases = [_EXTENSIONS[name].profiles for name in names if name in _EXTENSIONS]
    return {profiles[0] for profiles in bases if len(profiles) == 1}


def version_text(version: tuple[int, int, int]) -> str:
    """Returns a version of the specification as text, 1.1; the third number only if it isn't 0."""
    return ".".join(map(str, version if version[2] else version[:2]))


def required_version(ops: Iterable[Op]) -> tuple[int, int, int]:
    """Returns the oldest version of the specification that has all these operators with their types; 1.0 for none.

    Operators of other opsets count as operators of 1.0.
    """
    version = VERSION
    forms = set()
    for op in ops:
        row = op.row
        if row is None:
            continue
        inputs = tuple([None if value is None else value.type.dtype for value in op.inputs])
        form = row, inputs, selection(row, op.attributes), tuple([value.type.dtype for value in op.results])
        if form not in forms:
            forms.add(form)
            lines = fitting_combinations(*form)
            version = max(
                version, row.since, min((oldest_version(line.requirement) for line in lines), default=VERSION)
            )
    return version


def op_needs(op: Op) -> list[tuple[Alternatives, str]]:
    """Returns what a TOSA operator needs of a target, each with the reason ("" for its types); [] for other opsets.

    An operator whose types fit no row of its type table needs nothing for them: that is an error of the graph.
    """
    row = op.row
    if row is None:
        return []
    inputs = tuple([None if value is None else value.type.dtype for value in op.inputs])
    outputs = tuple([value.type.dtype for value in op.results])
    required = _needs_of_types(row, inputs, selection(row, op.attributes), outputs)
    needed = [(required, "")] if required else []
    for name in _attributes_with_needs(row):
        value = op.attributes.get(name)
        if value in _ENUMERANT_NEEDS:
            needed.append((_ENUMERANT_NEEDS[value], f"{name} {value}"))
    for name in dynamic_operands(op, row):
        needed.append(((frozenset({"EXT-DYNAMIC"}),), f"{name} that is not a constant"))
    return needed


def dynamic_operands(op: Op, row: OpDef) -> list[str]:
    """Returns the names of operands that need EXT-DYNAMIC: they must be constants without it, and aren't."""
    positions = dynamic_positions(op, row)
    return [row.input(index).name for index in positions] if positions else []


def dynamic_positions(op: Op, row: OpDef) -> list[int]:
    """Returns the positions of operands that aren't constants, though without EXT-DYNAMIC they must be.

    What shape operators compute counts as constant: their own operands must be, too. Operands that must be constants
    even with EXT-DYNAMIC aren't among them: see `open_positions`.
    """
    return [i for i in open_positions(op, row) if not row.input(i).fixed]


def open_positions(op: Op, row: OpDef) -> list[int]:
    """Returns the positions of operands that should be compile-time constants and aren't, EXT-DYNAMIC or not."""
    inputs = op.inputs
    return [
        i for i in _constant_positions(row, len(inputs)) if (value := inputs[i]) is not None and not _is_static(value)
    ]


def _is_static(value: Value) -> bool:
    """Returns whether a value is a constant, or a shape that an operator of EXT-SHAPE computes."""
    if value.constant is not None:
        return True
    return value.type.dtype is DType.SHAPE and value.producer is not None and value.producer.row in SHAPE_OPERATORS


def describe_alternatives(needed: Alternatives) -> str:
    """Returns alternative sets of profiles, extensions and versions as text: "PRO-INT or PRO-FP and TOSA 1.1"."""
    texts = [[f"TOSA {name}" if name in VERSIONS else name for name in _in_order(names, _ORDER)] for names in needed]
    return " or ".join(" and ".join(names) for names in texts)


def op_with_location(op: Op) -> str:
    """Returns an operator's name with its location in the source, for messages."""
    return name_with_location(op.name, op.location)


def _type_text(op: Op) -> str:
    """Returns the element types of an operator's operands and results as text: "(i8, i8) -> (i32)"."""
    inputs = ", ".join(value.type.dtype.value for value in op.operands)
    outputs = ", ".join(value.type.dtype.value for value in op.results)
    return f"({inputs}) -> ({outputs})"


@cache
def _needs_of_types(row: OpDef, inputs: DTypes, selected: Any, outputs: DTypes) -> Alternatives:
    """Returns alternatives: a target supports an operator with these types if it has all names of one of the sets.

    The names are profiles and extensions. `selected` is what chooses among the rows of the operator's type table
    besides the types, such as the mode of RESIZE; see `fitting_combinations`.
    """
    options = [
        option
        for line in fitting_combinations(row, inputs, selected, outputs)
        for option in line.requirement.split("|")
    ]
    return tuple(dict.fromkeys(frozenset(option.split("&")) for option in options))


@cache
def _attributes_with_needs(row: OpDef) -> tuple[str, ...]:
    """Returns the names of an operator's attributes with a value that may need an extension."""
    enumerants = [attr for attr in row.attributes if attr.kind is Kind.ENUMERANT]
    return tuple(attr.name for attr in enumerants if ENUMERATIONS[attr.of].keys() & ENUMERANT_EXTENSIONS)


@lru_cache(1024)
def _constant_positions(row: OpDef, count: int) -> tuple[int, ...]:
    """Returns the positions of the first `count` operands that must be compile-time constants."""
    return tuple(index for index in range(count if row.inputs else 0) if row.input(index).ctc)


def _walk_ops(model: Model | Graph) -> Iterator[Op]:
    """Yields all operators of a model or graph, including those of regions."""
    graphs = [model] if isinstance(model, Graph) else model.graphs.values()
    for graph in graphs:
        yield from graph.walk()


def _check_words(names: Iterable[str]) -> None:
    """Raises UsageError for names that are neither a profile nor an extension."""
    unknown = [name for name in names if name not in _NAMES]
    if unknown:
        word, accepted = unknown[0].lower(), [name.lower() for name in (*_NAMES, *_LEVELS, *VERSIONS)]
        raise UsageError(
            f"target: expected a preset or a list of profiles, extensions, a level and a version, found {word!r}"
            f"{did_you_mean(word, (*PRESETS, *accepted))}",
            f"presets: {', '.join(PRESETS)}",
            f"profiles, extensions, levels and versions: {', '.join(accepted)}",
        )


def _in_order(names: Collection[str], order: Iterable[str]) -> tuple[str, ...]:
    """Returns the names sorted as in `order`; names that it doesn't have are left out."""
    return tuple(name for name in order if name in names)
