"""The graph that every stage works on: values in single-assignment form, operators in order. It knows no file format.

Stages are opsets, told apart by the prefix of an operator's name: `tfl.*`, or `xnn.*` and `aten.*`, as read, `tosa.*`
after legalization. Constants are operators named in `CONSTANTS` whose attribute `values` holds a numpy view of the
file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.schemas.tosa_ops import BY_OPCODE, CONST, CONST_SHAPE, VARIABLE, OpDef

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Shape: TypeAlias = tuple[int | None, ...]
Attribute: TypeAlias = Any  # int, float, bool, str, bytes, tuple of these, enum member or numpy array

ELIDED = 16  # elements of a constant that are more are left out of text for people
CONSTANTS = frozenset({"tfl.pseudo_const", "xnn.const", CONST.opcode, CONST_SHAPE.opcode})


class Quant(NamedTuple):
    """Affine quantization: real = scale * (stored - zero_point), one pair or one pair per index along `axis`.

    With a `block`, an index along `axis` has a scale for every so many elements of the last dimension, one after the
    other. With `rows`, a run finds a pair for each index of all dimensions but so many last ones: none is known here.
    """

    scale: tuple[float, ...]
    zero_point: tuple[int, ...]
    axis: int | None = None
    block: int = 0
    rows: int = 0

    @property
    def per_tensor(self) -> bool:
        """Whether one scale and zero point hold for the whole tensor."""
        return len(self.scale) == 1


class TensorType(NamedTuple):
    """Element type, shape (None marks an unknown dimension) and quantization."""

    dtype: DType
    shape: Shape
    quant: Quant | None = None

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def static(self) -> tuple[int, ...]:
        """The shape, which must be known.

        Raises:
            UnsupportedError: a dimension is unknown; a conversion fixes it by its input shapes.
        """
        if None in self.shape:
            raise UnsupportedError(f"expected known dimensions, found {self}: convert the model with input shapes")
        return self.shape  # type: ignore[return-value]  # no None is left

    @property
    def elements(self) -> int:
        """Number of elements of a static shape."""
        count = 1
        for size in self.static:
            count *= size
        return count

    def __str__(self) -> str:
        dims = "x".join("?" if size is None else str(size) for size in self.shape)
        quant = ""
        if self.quant is not None and self.quant.rows:
            quant = " <at run time>"
        elif self.quant is not None:
            first = f"{self.quant.scale[0]:.6g}:{self.quant.zero_point[0]}"
            quant = f" <{first}>" if self.quant.per_tensor else f" <{first}.. per axis {self.quant.axis}>"
        return f"{self.dtype.value}[{dims}]{quant}"


@lru_cache(1024)
def plain_type(dtype: DType, shape: Shape) -> TensorType:
    """The type without quantization; one object serves many values, for a graph has few of them."""
    return TensorType(dtype, shape)


class Value:
    """One tensor: what an operator makes or a graph is given."""

    __slots__ = ("name", "producer", "type")

    def __init__(self, type: TensorType, name: str = "", producer: "Op | None" = None) -> None:
        self.type = type
        self.name = name
        self.producer = producer

    @property
    def constant(self) -> Array | None:
        """The elements, if a constant operator makes this value."""
        op = self.producer
        if op is None or op._name not in CONSTANTS:
            return None
        values: Array = op.attributes["values"]
        return values

    def __repr__(self) -> str:
        return f"%{self.name or '_'}: {self.type}"


class Op:
    """One operator of a graph; it is made by the record of a TOSA operator, or by a name of any opset.

    `row` is the record, None for operators of other opsets.
    """

    __slots__ = ("_name", "attributes", "inputs", "location", "regions", "results", "row")
    row: OpDef | Any  # whoever knows that an operator is TOSA's needn't ask for None

    def __init__(
        self,
        operator: str | OpDef,
        inputs: Sequence[Value | None],
        result_types: Sequence[TensorType],
        attributes: dict[str, Attribute] | None = None,
        *,
        regions: "Sequence[Graph]" = (),
        location: str = "",
        result_names: Sequence[str] = (),
    ) -> None:
        if isinstance(operator, OpDef):
            self._name, self.row = operator.opcode, operator
        else:
            self._name, self.row = operator, BY_OPCODE.get(operator)
        self.inputs = tuple(inputs)
        self.attributes = attributes or {}
        self.regions = tuple(regions)
        self.location = location
        if result_names:
            self.results = tuple([Value(t, n, self) for t, n in zip(result_types, result_names, strict=True)])
        else:
            self.results = tuple([Value(type, "", self) for type in result_types])

    @property
    def name(self) -> str:
        """The opset and the operator, `tosa.add`; another name is another record."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name, self.row = name, BY_OPCODE.get(name)

    @property
    def result(self) -> Value:
        """The only result."""
        (value,) = self.results
        return value

    @property
    def operands(self) -> tuple[Value, ...]:
        """The inputs that are present."""
        inputs = self.inputs
        return tuple([value for value in inputs if value is not None]) if None in inputs else inputs  # type: ignore[return-value]

    def attribute(self, name: str) -> Attribute:
        """An attribute, or what the record states for one that isn't given: a default, else None."""
        value = self.attributes.get(name)
        return self.row.defaults.get(name) if value is None and self.row is not None else value

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(map(repr, self.inputs))}) -> {', '.join(map(repr, self.results))}"


class Graph:
    """Operators in an order in which every value is made before it is used; `verified` belongs to `gate`."""

    __slots__ = ("inputs", "name", "ops", "outputs", "verified")

    def __init__(
        self, name: str, inputs: Iterable[Value] = (), outputs: Iterable[Value] = (), ops: Iterable[Op] = ()
    ) -> None:
        self.name = name
        self.inputs = list(inputs)
        self.outputs = list(outputs)
        self.ops = list(ops)
        self.verified: Any = None

    def __len__(self) -> int:
        """Number of operators, those of regions left out."""
        return len(self.ops)

    def __iter__(self) -> Iterator[Op]:
        return iter(self.ops)

    def __getitem__(self, name: str) -> Value:
        """The value of that name: an input, or the first result that is called so.

        Raises:
            KeyError: there is none.
        """
        for value in (*self.inputs, *(value for op in self.ops for value in op.results)):
            if value.name == name:
                return value
        raise KeyError(name)

    def __repr__(self) -> str:
        names = (", ".join(map(repr, values)) for values in (self.inputs, self.outputs))
        return f"<Graph {self.name!r}, {len(self)} operators: ({') -> ('.join(names)})>"

    def __str__(self) -> str:
        """MLIR text without the elements of large constants."""
        return str(Model({self.name: self}))

    def uses(self) -> dict[Value, list[Op]]:
        """The operators that read each value, derived in one sweep."""
        users: dict[Value, list[Op]] = {}
        for op in self.ops:
            for value in op.operands:
                users.setdefault(value, []).append(op)
        return users

    def walk(self) -> Iterator[Op]:
        """Every operator, those of regions after their owner."""
        for op in self.ops:
            yield op
            for region in op.regions:
                yield from region.walk()


def placed(name: str, location: str) -> str:
    """An operator as messages name it."""
    return f"{name} at {location}" if location else name


def unique_names(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """The names, each one that is `taken` or was there before with its position behind it."""
    seen = set(taken)
    unique: list[str] = []
    for i, name in enumerate(names):
        while name in seen:
            name = f"{name}_{i}"
        seen.add(name)
        unique.append(name)
    return unique


class Signature(NamedTuple):
    """A named entry point: its graph, and the caller's names for the graph's inputs and outputs."""

    graph: str
    inputs: dict[str, Value]
    outputs: dict[str, Value]

    @classmethod
    def of(cls, graph: Graph) -> "Signature":
        """The one under which a graph's own names are its callers'."""
        return cls(
            graph.name, {value.name: value for value in graph.inputs}, {value.name: value for value in graph.outputs}
        )

    def moved(self, inputs: Mapping[Value, Value], outputs: Mapping[Value, Value]) -> "Signature":
        """The same names for the values that take the place of the old ones."""
        return Signature(
            self.graph,
            {name: inputs.get(value, value) for name, value in self.inputs.items()},
            {name: outputs.get(value, value) for name, value in self.outputs.items()},
        )


FLIPPED, FLAT = "_int8", "_flat"  # names end so that hold a result as int8 for uint8, or in another shape
NEXT = ".next"  # behind the name of an input that is state, the output that is the next run's


class State(NamedTuple):
    """What lasts from run to run, as an input and an output of a graph, by their names.

    `initial` are the elements of the first run's input, `type` is that of the source's variable; None if nothing says.
    """

    input: str
    output: str
    initial: Array | None
    type: "TensorType | None" = None


class Border(NamedTuple):
    """What the source of a conversion says of an input or output of a graph.

    Dimension i of the graph's value is dimension `permutation[i]` of the source's; empty where the order is the same.
    """

    name: str
    type: TensorType
    permutation: tuple[int, ...] = ()

    @classmethod
    def of(cls, value: Value) -> "Border":
        """The border that a source's own value is; quantization per block or of a run is left out."""
        quant = value.type.quant
        return cls(value.name, value.type._replace(quant=None if quant and (quant.block or quant.rows) else quant))

    @property
    def shape(self) -> Shape:
        """The source's shape in the order of the graph's dimensions."""
        shape = self.type.shape
        return tuple(shape[axis] for axis in self.permutation) if self.permutation else shape

    def fits(self, type: TensorType) -> bool:
        """Whether a value of this type can stand for the source's: elements as TOSA has them, sizes that agree."""
        dtype = SIGNLESS.get(self.type.dtype, self.type.dtype)
        shape, other = self.shape or (1,), type.shape or (1,)  # SPIR-V has no rank 0
        sizes = zip(shape, other, strict=False)
        same = len(shape) == len(other) and all(None in pair or pair[0] == pair[1] for pair in sizes)
        return same and (dtype is type.dtype or (dtype.is_float and type.dtype.is_float))

    def change(self, type: TensorType) -> str:
        """How a value of this type differs from the source's, empty where it holds the same elements."""
        old, new = self.type.dtype, type.dtype
        texts = [f"{_PLAIN.get(old, old.value)} became {_PLAIN.get(new, new.value)}"] if old is not new else []
        if texts and old in (DType.UI8, DType.UI16, DType.UI32):
            texts = [f"{texts[0]}: the bits are the same, so read them without sign"]
        if self.permutation:
            texts.append(f"dimension i is dimension {list(self.permutation)}[i] of the source")
        return "; ".join(texts)


_PLAIN = {
    **{dtype: f"int{dtype.bits}" for dtype in (DType.I8, DType.I16, DType.I32, DType.I64)},
    **{dtype: f"uint{dtype.bits}" for dtype in (DType.UI8, DType.UI16, DType.UI32)},
    **{dtype: f"float{dtype.bits}" for dtype in (DType.FP16, DType.FP32)},
    DType.BF16: "bfloat16",
}


def moved_borders(borders: Mapping[Value, Border], *moves: Mapping[Value, Value]) -> dict[Value, Border]:
    """The same borders for the values that take the place of the old ones."""
    return {new: borders[old] for moved in moves for old, new in moved.items() if old in borders}


class Model:
    """The graphs of one file; the first one is the main graph.

    `source` is where it was read from, for messages; `default_shapes` are for values with unknown dimensions; `empty`
    is the opset if there are no operators. `notes` are what the reader took otherwise than the file says: place, text;
    `extras` what only the writer of the same format asks for; `edited` says that the file has another graph. `states`
    are by the name of the graph that has them, `borders` of inputs and outputs whose source is known.
    """

    __slots__ = (
        "borders",
        "default_shapes",
        "edited",
        "empty",
        "extras",
        "graphs",
        "metadata",
        "notes",
        "signatures",
        "source",
        "states",
    )

    def __init__(
        self,
        graphs: dict[str, Graph],
        signatures: dict[str, Signature] | None = None,
        metadata: dict[str, Any] | None = None,
        source: str = "",
        default_shapes: dict[Value, tuple[int, ...]] | None = None,
        empty: str = "tosa",
    ) -> None:
        self.graphs = graphs
        self.signatures = signatures or {}
        self.metadata = metadata or {}
        self.source = source
        self.default_shapes = default_shapes or {}
        self.empty = empty
        self.notes: list[tuple[str, str]] = []
        self.extras: dict[Op | Value, Any] = {}
        self.edited = False
        self.borders: dict[Value, Border] = {}
        self.states: dict[str, tuple[State, ...]] = {}

    def border(self, value: Value) -> Border | None:
        """What the source says of an input or output, unless its type was changed since."""
        border = self.borders.get(value)
        return border if border is not None and border.fits(value.type) else None

    def __repr__(self) -> str:
        source = f" of {self.source}" if self.source else ""
        return f"<Model{source}, {self.opset}: {', '.join(map(repr, self.graphs.values()))}>"

    def __str__(self) -> str:
        """MLIR text without the elements of large constants."""
        from tosa_converter.formats.mlir.writer import write_mlir

        return write_mlir(self, elide=ELIDED)

    @property
    def main(self) -> Graph:
        """The first graph."""
        return next(iter(self.graphs.values()))

    def called(self, graph: Graph) -> dict[Value, str]:
        """What a file calls a graph's inputs and outputs: as its first signature does, or by their own names."""
        names = {value: value.name for value in (*graph.inputs, *graph.outputs)}
        for signature in self.signatures.values():
            if signature.graph == graph.name:
                pairs = (*signature.outputs.items(), *signature.inputs.items())
                return names | {value: name for name, value in pairs if value in names}
        return names

    @property
    def main_states(self) -> tuple[State, ...]:
        """What of the main graph's inputs is state; where nothing says, inputs with an output of `NEXT`."""
        graph = self.main
        if self.states or self.opset != "tosa":
            return self.states.get(graph.name, ())
        outputs = {value.name: value.type for value in graph.outputs}
        named = [(value, value.name + NEXT) for value in graph.inputs]
        return tuple(State(value.name, name, None) for value, name in named if outputs.get(name) == value.type)

    @property
    def stateful(self) -> bool:
        """Whether the main graph of TOSA has state, in variables or as inputs and outputs."""
        return bool(self.main_states) or any(op.row is VARIABLE for op in self.main)

    @property
    def opset(self) -> str:
        """The prefix that the operators share: tfl, xnn or tosa; aten's are with xnn's."""
        for graph in self.graphs.values():
            for op in graph.ops:
                return op.name.partition(".")[0].replace("aten", "xnn")
        return self.empty
