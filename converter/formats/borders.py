"""The record of the source's borders as text, which every TOSA format carries in a field that is free for users.

    #borders:1 {"inputs":[...],"outputs":[...],"signatures":[...],"states":[...]}

It is JSON in ASCII with sorted keys, so the same graph gives the same bytes. A graph without it means the same: what is
damaged, or doesn't match the graph since another tool changed it, is ignored with a note.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, shortened
from tosa_converter.ir import Border, Graph, Model, Quant, Shape, Signature, State, TensorType, Value

MARK = "#borders:1 "  # which no record has inside, as "#" is escaped there
CARRIED = "carried"  # behind the names of a state that the source's callers carry from run to run
MAX_TEXT = 1 << 17  # characters of a record; a string of SPIR-V holds twice as many
MAX_ITEMS = 1 << 12  # inputs, outputs, signatures, states, scales and dimensions
MAX_RANK = 16
MAX_SIZE = (1 << 31) - 1
MAX_ZERO_POINT = 1 << 31
LARGEST = float(np.finfo(np.float32).max)

T = TypeVar("T")


def encode_borders(model: Model, graph: Graph, called: Mapping[Value, str]) -> str:
    """Returns a border record: text that tells the source's names, types and quantization of inputs and outputs.

    It is empty if none are known, if two inputs or two outputs have one name in the file, or if a name is missing. It
    also is empty if the text is too long or a type doesn't fit a record. An output may have the name of an input, as a
    decoder's caches do.

    Args:
        model: whose graph it is.
        graph: one whose callers know its inputs and outputs by name.
        called: the names that the file has for them.
    """
    values = [*graph.inputs, *graph.outputs]
    names = {value: called.get(value) or value.name for value in values}
    borders = {value: border for value in values if (border := model.border(value)) is not None}
    unique = all(len({names[value] for value in side}) == len(set(side)) for side in (graph.inputs, graph.outputs))
    if not borders or not all(names.values()) or not unique:
        return ""
    record: dict[str, Any] = {
        "inputs": [_border_fields(names[value], borders.get(value)) for value in graph.inputs],
        "outputs": [_border_fields(names[value], borders.get(value)) for value in graph.outputs],
        "signatures": [
            [key, *([[name, names[value]] for name, value in tensors.items()] for tensors in (s.inputs, s.outputs))]
            for key, s in model.signatures.items()
            if s.graph == graph.name and names.keys() >= {*s.inputs.values(), *s.outputs.values()}
        ],
    }
    if record["signatures"] == [[graph.name, *([[names[v]] * 2 for v in vs] for vs in (graph.inputs, graph.outputs))]]:
        record["signatures"] = []  # a graph without a record gets this one: its own names for all tensors
    if graph.name in model.states:
        by_name = {value.name: names[value] for value in values}
        rows = [(state, (state.input, state.output)) for state in model.states[graph.name]]
        record["states"] = [
            [*(by_name[name] for name in pair), *([CARRIED] if state.carried else [])]
            for state, pair in rows
            if by_name.keys() >= set(pair)
        ]
    text = _json(record)
    return MARK + text if len(text) <= MAX_TEXT and all(map(_fits_record, borders.values())) else ""


def _json(value: Any) -> str:
    """Returns a value as JSON in ASCII without "#", with sorted keys.

    It doesn't use the package json, whose import would take longer than everything else here.
    """
    if isinstance(value, str):
        plain = value.isascii() and value.isprintable() and _SPECIAL.isdisjoint(value)
        return f'"{value if plain else "".join(map(_escape, value))}"'
    if isinstance(value, list):
        return f"[{','.join(map(_json, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{_json(key)}:{_json(value[key])}' for key in sorted(value))}}}"
    return repr(value)


_SPECIAL = frozenset('"\\#')


def _escape(character: str) -> str:
    """Returns a character as it stands in JSON, escaped if it isn't printable ASCII."""
    if " " <= character <= "~" and character not in _SPECIAL:
        return character
    # "#" is \u0023 and U+1F600 two units, \ud83d\ude00; "surrogatepass" also takes a lone half of a pair.
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))


def _fits_record(border: Border) -> bool:
    """Returns whether a border record can hold the source type of an input or output.

    Its scales must be exact in float32, and zero points, rank and number of scales within the limits.
    """
    quant = border.type.quant or Quant((), ())
    scales = all(abs(scale) <= LARGEST and float(np.float32(scale)) == scale for scale in quant.scale)
    zero_points = all(abs(zero_point) <= MAX_ZERO_POINT for zero_point in quant.zero_point)
    return scales and zero_points and border.type.rank <= MAX_RANK and len(quant.scale) <= MAX_ITEMS


def _border_fields(name: str, border: Border | None) -> dict[str, Any]:
    """Returns the JSON fields of an input or output.

    `border` is its name, type and quantization in the source, if known.
    """
    if border is None:
        return {"name": name}
    dtype, shape, quant = border.type
    row: dict[str, Any] = {"name": name, "source": border.name, "type": dtype.value}
    row["shape"] = [-1 if size is None else size for size in shape]
    if quant is not None:
        row |= {"scale": list(map(float, quant.scale)), "zero_point": list(map(int, quant.zero_point))}
    if quant is not None and quant.axis is not None:
        row["axis"] = quant.axis
    if border.permutation:
        row["permutation"] = list(border.permutation)
    return row


def split_borders(text: str) -> tuple[str, str]:
    """Splits the record of `encode_borders` off the end of a text.

    Returns the text before it, and the record with its mark, or an empty text if there is none.
    """
    before, mark, record = text.rpartition(MARK)
    return (before, mark + record) if mark else (text, "")


def attach_borders(model: Model, graph: Graph, text: str) -> None:
    """Restores what a border record tells of the source: types and names of inputs and outputs, signatures, states.

    A damaged or outdated record changes nothing; a note tells why it is ignored.

    Args:
        model: the graph's, with a signature of the graph's name.
        graph: the one that the record describes.
        text: as `encode_borders` returns it.
    """
    try:
        record = _Record(text.removeprefix(MARK))
        borders = record.borders(graph)
        signatures = record.signatures_of(graph)
        states = record.states_of(graph)
        if any(key in model.signatures and key != graph.name for key in signatures):
            raise FormatError("another graph has a signature of that name")
    except FormatError as error:
        reason = shortened(str(error), 160)
        model.notes.append((f"graph {graph.name!r}", f"its record of the source's borders is ignored: {reason}"))
        return
    model.borders |= borders
    if signatures:
        model.signatures = {
            key: s
            for old, signature in model.signatures.items()
            for key, s in _replace_signature(old, signature, graph, signatures)
        }
    if states is not None:
        model.states[graph.name] = states


def _replace_signature(
    name: str, signature: Signature, graph: Graph, signatures: Mapping[str, Signature]
) -> Sequence[tuple[str, Signature]]:
    """Returns the (name, signature) pairs that replace a signature of a model.

    A signature with the name of `graph` is replaced by all of a border record's `signatures`; any other one stays.
    """
    return list(signatures.items()) if name == graph.name else [(name, signature)]


class _Record:
    """A record of the source's names and types of inputs and outputs, checked but not yet compared with a graph."""

    def __init__(self, text: str) -> None:
        """Parses the JSON text of a record of the source's inputs and outputs.

        Raises FormatError if it is too large or malformed.
        """
        if len(text) > MAX_TEXT:
            raise FormatError(f"expected up to {MAX_TEXT} characters, found {len(text)}")
        import json

        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as wrong:
            raise FormatError(f"expected JSON: {wrong}") from None
        fields = _require_fields(content, {"inputs", "outputs", "signatures"}, {"states"})
        self.inputs = _decode_list(fields["inputs"], _decode_border)
        self.outputs = _decode_list(fields["outputs"], _decode_border)
        self.signatures = dict(_decode_list(fields["signatures"], _decode_signature))
        self.states = _decode_list(fields["states"], _decode_state) if "states" in fields else None

    def borders(self, graph: Graph) -> dict[Value, Border]:
        """Maps inputs and outputs of a graph to their names, types and quantization in the source.

        A value that the record says nothing about is left out.

        Raises:
            FormatError: the graph has other inputs or outputs, or of types that don't fit the record.
        """
        borders: dict[Value, Border] = {}
        for values, rows in ((graph.inputs, self.inputs), (graph.outputs, self.outputs)):
            if [value.name for value in values] != [name for name, _ in rows]:
                raise FormatError("the graph has other inputs or outputs than the record")
            for value, (_, border) in zip(values, rows, strict=True):
                if border is not None and not border.fits(value.type):
                    raise FormatError(f"{value.name!r} is {value.type} in the graph and {border.type} in the record")
                if border is not None:
                    borders[value] = border
        return borders

    def signatures_of(self, graph: Graph) -> dict[str, Signature]:
        """Returns the record's signatures by name; the tensors that they name become values of the graph.

        Raises FormatError if a name is of no input or output.
        """
        inputs_and_outputs = [{value.name: value for value in values} for values in (graph.inputs, graph.outputs)]
        signatures = {}
        for key, maps in self.signatures.items():
            for values_by_name, names in zip(inputs_and_outputs, maps, strict=True):
                if not values_by_name.keys() >= set(names.values()):
                    raise FormatError(f"signature {key!r} names tensors that are no inputs or outputs")
            values = [
                {name: values_by_name[tensor_name] for name, tensor_name in names.items()}
                for values_by_name, names in zip(inputs_and_outputs, maps, strict=True)
            ]
            signatures[key] = Signature(graph.name, *values)
        return signatures

    def states_of(self, graph: Graph) -> tuple[State, ...] | None:
        """Returns the states that the record lists, or None if it has no list.

        Raises FormatError if the graph has no such input and output of one type, or if an input or output is in two
        states.
        """
        if self.states is None:
            return None
        types = [{value.name: value.type for value in values} for values in (graph.inputs, graph.outputs)]
        for input_name, output_name, _ in self.states:
            if input_name not in types[0] or types[0][input_name] != types[1].get(output_name):
                raise FormatError(
                    f"expected an input and an output of one type as state, found {input_name!r} and {output_name!r}"
                )
        inputs, outputs = ({state[side] for state in self.states} for side in (0, 1))
        if min(len(inputs), len(outputs)) < len(self.states):
            raise FormatError("expected each state once")
        return tuple(State(begin, end, None, carried=carried) for begin, end, carried in self.states)


# ** parts of a record, which may be anything **


def _require_fields(value: Any, required: set[str], optional: set[str]) -> dict[str, Any]:
    """Returns a JSON object that has all required fields and none beyond the optional ones.

    Raises FormatError for any other value.
    """
    if not isinstance(value, dict) or not required <= value.keys() <= required | optional:
        raise FormatError(f"expected fields {', '.join(sorted(required))}")
    return value


def _decode_list(value: Any, decode_item: Callable[[Any], T], max_items: int = MAX_ITEMS) -> list[T]:
    """Returns a JSON list with `decode_item` applied to every item.

    Raises FormatError for other values and longer lists.
    """
    if not isinstance(value, list) or len(value) > max_items:
        raise FormatError(f"expected a list of up to {max_items}")
    return [decode_item(part) for part in value]


def _require_string(value: Any) -> str:
    """Returns a JSON string; raises FormatError for other values and for lone surrogates, which UTF-8 can't hold."""
    if not isinstance(value, str) or any("\ud800" <= character <= "\udfff" for character in value):
        raise FormatError("expected a string")
    return value


def _integer_decoder(low: int, high: int) -> Callable[[Any], int]:
    """Returns a function that returns a JSON integer in [low, high], and raises FormatError for any other value."""

    def integer(value: Any) -> int:
        """Returns a JSON value if it is an integer in [low, high]; raises FormatError otherwise."""
        if type(value) is not int or not low <= value <= high:
            raise FormatError(f"expected an integer in [{low}, {high}]")
        return value

    return integer


def _require_scale(value: Any) -> float:
    """Returns a quantization scale, which is a JSON float that float32 holds exactly, as LiteRT's do.

    Raises FormatError for any other value.
    """
    # 0.1 is refused, since float32 has 0.10000000149011612; 0.125 is exact. NaN <= LARGEST is false: refused.
    if type(value) is not float or not abs(value) <= LARGEST or float(np.float32(value)) != value:
        raise FormatError("expected a scale of 32 bits")
    return value


def _decode_border(value: Any) -> tuple[str, Border | None]:
    """Decodes the JSON object of an input or output: returns its name in the file, and what the source has.

    That is a `Border` with the source's name and type, or None if the object states only a name. Raises FormatError for
    a malformed object.
    """
    if isinstance(value, dict) and value.keys() == {"name"}:
        return _require_string(value["name"]), None
    quantized = {"scale", "zero_point", "axis"}
    fields = _require_fields(value, {"name", "source", "type", "shape"}, {*quantized, "permutation"})
    dtype = _DTYPES.get(_require_string(fields["type"]))
    if dtype is None:
        raise FormatError("expected an element type")
    sizes: Shape = tuple(
        None if n == -1 else n for n in _decode_list(fields["shape"], _integer_decoder(-1, MAX_SIZE), MAX_RANK)
    )
    order = tuple(_decode_list(fields.get("permutation", []), _integer_decoder(0, MAX_RANK), MAX_RANK))
    if order and sorted(order) != list(range(len(sizes))):
        raise FormatError("expected a permutation of the dimensions")
    quant = _decode_quant(fields, len(sizes)) if quantized & fields.keys() else None
    return _require_string(fields["name"]), Border(
        _require_string(fields["source"]), TensorType(dtype, sizes, quant), order
    )


def _decode_quant(fields: Mapping[str, Any], rank: int) -> Quant:
    """Returns the quantization parameters from the JSON fields of an input or output of `rank` dimensions.

    Raises FormatError if they are missing or out of range.
    """
    scales = _decode_list(fields.get("scale"), _require_scale)
    zero_points = _decode_list(fields.get("zero_point"), _integer_decoder(-MAX_ZERO_POINT, MAX_ZERO_POINT))
    axis = _integer_decoder(0, max(rank - 1, 0))(fields["axis"]) if "axis" in fields else None
    if not scales or len(scales) != len(zero_points):
        raise FormatError("expected one zero point for each scale")
    return Quant(tuple(scales), tuple(zero_points), axis)


def _decode_signature(value: Any) -> tuple[str, tuple[dict[str, str], dict[str, str]]]:
    """Decodes a signature from the JSON list [name, inputs, outputs].

    Returns its name and two maps, for inputs and outputs, from a caller's name to a tensor's.
    """
    if not isinstance(value, list) or len(value) != 3:
        raise FormatError("expected a signature with a name, inputs and outputs")
    key, inputs, outputs = value
    return _require_string(key), (_decode_name_map(inputs), _decode_name_map(outputs))


def _decode_name_map(value: Any) -> dict[str, str]:
    """Returns a map from caller's name to tensor name, decoded from a JSON list of pairs."""
    return dict(_decode_list(value, _decode_name_pair))


def _decode_name_pair(value: Any) -> tuple[str, str]:
    """Returns a pair of names from a JSON list of two strings; raises FormatError for any other value."""
    if not isinstance(value, list) or len(value) != 2:
        raise FormatError("expected a pair of names")
    return _require_string(value[0]), _require_string(value[1])


def _decode_state(value: Any) -> tuple[str, str, bool]:
    """Returns the names of a state's input and output, and whether callers carry it, from a JSON list.

    The list is [input, output], with a third item if they do. Raises FormatError for any other value.
    """
    is_carried = isinstance(value, list) and len(value) == 3 and value[2] == CARRIED
    return *_decode_name_pair(value[:2] if is_carried else value), is_carried


_DTYPES = {dtype.value: dtype for dtype in DType}
