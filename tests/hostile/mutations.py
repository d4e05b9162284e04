"""Damages bytes, fields, words of SPIR-V, and graphs before they are written."""

import re
from collections.abc import Callable

import numpy as np
from hostile.seeds import FLAG, NUMBER, SEEDS, Files, model
from support.mutated_tables import INTEGERS, NAMES, ROOTS, mutant

from tosa_converter.dtypes import DType
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.schemas import tosa

WORDS = (0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF, 40000000)
_TOKEN = re.compile(rb"\s+|[\w.]+|.", re.DOTALL)
_TOKENS = (
    *(b"%d" % number for number in (0, -1, 2**31, 2**63, 10**25)),
    *(b'"', b"<", b"[" * 500, b"loc(", b"#loc", b"%arg0", b"dense<1> : tensor<999999x999999xi8>", b"?", b"*", b"index"),
    *(
        b"module {" * 200,
        b"i4",
        b"f64",
        b"tosa.while_loop",
        b"1.5",
        b"0x7FC00000",
        b"\\FF",
        b"\xff",
        b"{-#",
        b"array<i64>",
    ),
)
Damage = Callable[[bytes, np.random.Generator], bytes]


def _times(rng: np.random.Generator) -> int:
    """Returns how often to damage: mostly once, since heavily damaged files are refused early."""
    return int(rng.integers(1, 5)) if not rng.integers(3) else 1


def damaged_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    """Returns bytes with flipped bits, extreme words, copied or cut stretches, or without their end.

    Half of the places have a small number for a word: these are the structure, which is little beside the weights.
    """
    content = bytearray(data)
    words = np.frombuffer(data[: len(data) // 4 * 4], "<u4")
    structure = np.flatnonzero(words < 4096) * 4
    aimed = bool(rng.integers(2)) and structure.size > 0
    for _ in range(_times(rng)):
        if not content:
            break
        place = min(int(rng.choice(structure)) if aimed else int(rng.integers(len(content))), len(content) - 1)
        _damage(content, place, rng)
    return bytes(content)


def _damage(content: bytearray, place: int, rng: np.random.Generator) -> None:
    kind = rng.integers(7)
    if kind == 0:
        content[place] ^= 1 << int(rng.integers(8))
    elif kind == 1:
        content[place] = int(rng.integers(256))
    elif kind == 2:
        word = int(rng.choice([*WORDS, len(content)]))
        content[place : place + 4] = word.to_bytes(4, "little")
    elif kind == 3:
        other = int(rng.integers(len(content)))
        content[place : place + 16] = content[other : other + 16]
    elif kind == 4:
        del content[place : place + int(rng.integers(1, 64))]
    elif kind == 5:
        content[place:place] = content[: int(rng.integers(1, 64))]
    elif not rng.integers(4):
        del content[place:]


def damaged_words(data: bytes, rng: np.random.Generator) -> bytes:
    """Returns SPIR-V with instructions deleted, doubled or swapped, or with exchanged or extreme operands."""
    words = np.frombuffer(data[: len(data) // 4 * 4], "<u4")
    lines = _instructions(words)
    for _ in range(_times(rng)):
        place, other = (int(rng.integers(len(lines))) for _ in range(2))
        kind, line = rng.integers(6), lines[place].copy()
        if kind == 0:
            lines[place], lines[other] = lines[other], lines[place]
        elif kind == 1:
            lines.insert(other, line)
        elif kind == 2 and len(lines) > 1:
            del lines[place]
        else:
            word = rng.choice(words) if kind % 2 else INTEGERS[int(rng.integers(len(INTEGERS)))] & 0xFFFFFFFF
            line[int(rng.integers(len(line)))] = word
            lines[place] = line
    return bytes(np.concatenate([words[:5], *lines]))


def _instructions(
    words: "np.ndarray[tuple[int, ...], np.dtype[np.uint32]]",
) -> list["np.ndarray[tuple[int, ...], np.dtype[np.uint32]]"]:
    lines, place = [], 5
    while place < len(words):
        count = max(1, int(words[place]) >> 16)
        lines.append(words[place : place + count])
        place += count
    return lines


def damaged_text(data: bytes, rng: np.random.Generator) -> bytes:
    """Returns MLIR with tokens deleted, doubled, swapped, repeated, or replaced by each other or extreme ones."""
    tokens = _TOKEN.findall(data)
    for _ in range(_times(rng)):
        place, other = (int(rng.integers(len(tokens))) for _ in range(2))
        kind = rng.integers(6)
        if kind == 0:
            tokens[place], tokens[other] = tokens[other], tokens[place]
        elif kind == 1:
            tokens[place:place] = tokens[other : other + int(rng.integers(1, 20))]
        elif kind == 2:
            del tokens[place : place + int(rng.integers(1, 4))]
        elif kind == 3:
            tokens[place] *= int(rng.integers(2, 2000))
        else:
            tokens[place] = tokens[other] if kind == 4 else _TOKENS[int(rng.integers(len(_TOKENS)))]
        tokens = tokens or [b""]
    return b"".join(tokens)


def spliced(kind: str) -> Damage:
    """Returns the beginning of one file and the end of another."""

    def splice(data: bytes, rng: np.random.Generator) -> bytes:
        other = next(iter(SEEDS[kind](rng).values()))
        place = int(rng.integers(len(data)))
        return data[:place] + other[place if rng.integers(2) else int(rng.integers(len(other))) :]

    return splice


def mutated_graph(rng: np.random.Generator) -> Model:
    """Returns a TOSA model whose operators, types and attributes are changed in memory."""
    changed = model(rng)
    for _ in range(_times(rng)):
        graphs = [changed.main, *(region for op in changed.main.walk() for region in op.regions)]
        graph = graphs[int(rng.integers(len(graphs)))]
        if graph.ops:
            _change(graph, graph.ops[int(rng.integers(len(graph.ops)))], rng)
    return changed


def _change(graph: Graph, op: Op, rng: np.random.Generator) -> None:
    values = [*graph.inputs, *(value for other in graph.ops for value in other.results)]
    kind = rng.integers(8)
    if kind == 0 and op.inputs:
        inputs = list(op.inputs)
        inputs[int(rng.integers(len(inputs)))] = values[int(rng.integers(len(values)))]
        op.inputs = tuple(inputs)
    elif kind == 1:
        op.inputs = (*op.inputs[1:], values[int(rng.integers(len(values)))])[: int(rng.integers(5))]
    elif kind in (2, 3, 4):
        value = values[int(rng.integers(len(values)))]
        value.type = _changed_type(value.type, rng)
    elif kind == 5:
        graph.ops.remove(op)
    elif kind == 6 and op.results:
        graph.outputs.append(values[int(rng.integers(len(values)))])
    elif op.attributes:
        names = sorted(op.attributes)
        name = names[int(rng.integers(len(names)))]
        op.attributes[name] = _changed_attribute(op.attributes[name], rng)


def _changed_type(type: TensorType, rng: np.random.Generator) -> TensorType:
    if rng.integers(2):
        dtypes = [DType.I8, DType.I16, DType.I32, DType.FP32, DType.BOOL, DType.FP16, DType.SHAPE, DType.I48]
        return type._replace(dtype=dtypes[int(rng.integers(len(dtypes)))])
    shape = list(type.shape)
    kind, place = rng.integers(3), int(rng.integers(len(shape) + 1))
    if kind == 0 and shape:
        del shape[place - 1]
    elif kind == 1 or not shape:
        shape.insert(place, int(rng.integers(1, 4)))
    else:
        shape[place - 1] = (0, 1, 2, 9, 1 << 15, 1 << 20, 2**31 - 1)[int(rng.integers(7))]
    return type._replace(shape=tuple(shape))


def _changed_attribute(value: object, rng: np.random.Generator) -> object:
    number = INTEGERS[int(rng.integers(len(INTEGERS)))]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return number
    if isinstance(value, str):
        return NAMES[int(rng.integers(len(NAMES)))]
    if isinstance(value, tuple) and value:
        items = list(value)
        items[int(rng.integers(len(items)))] = number
        return tuple(items[: int(rng.integers(1, len(items) + 1))] if rng.integers(2) else items)
    if isinstance(value, np.ndarray) and value.size:
        array = value.copy()
        with np.errstate(all="ignore"):
            array.reshape(-1)[int(rng.integers(value.size))] = np.array(number).astype(value.dtype)
        return array if rng.integers(2) else array.reshape(-1)[: int(rng.integers(value.size))]
    return None


def chained(depth: int, last: str) -> bytes:
    """Returns regions whose branches both name the next one, 2 ** depth graphs in all; the last ones name `last`."""
    flag, x = Value(FLAG, "flag"), Value(NUMBER, "x")
    inner = Value(FLAG, "flag"), Value(NUMBER, "x")
    branch = Graph("next", list(inner), [inner[1]], [])
    op = Op("tosa.cond_if", [flag, flag, x], [NUMBER], regions=[branch, branch], result_names=["y"])
    data = b"".join(map(bytes, write_tosa(Model({"main": Graph("main", [flag, x], [op.result], [op])}))))
    regions = []
    for i in range(depth):
        region = flatbuffer.read(tosa.TosaGraph, data, tosa.IDENTIFIER).regions[0]
        region.name = f"region{i}"
        (operator,) = region.blocks[0].operators
        following = last if i == depth - 1 else f"region{i + 1}"
        operator.attribute = tosa.ATTRIBUTES[tosa.Op.COND_IF](then_graph=following, else_graph=following)
        regions.append(region)
    end = flatbuffer.read(tosa.TosaGraph, data, tosa.IDENTIFIER).regions[1]
    end.name = "end"
    root = tosa.TosaGraph(version=tosa.Version(_major=1), regions=(*regions, end))
    return b"".join(map(bytes, flatbuffer.write(root, tosa.IDENTIFIER)))


def _tosa(data: bytes, rng: np.random.Generator) -> bytes:
    kind = rng.integers(20)
    if kind == 0:
        depth = int(rng.integers(1, 600))
        return chained(depth, ("end", "end", f"region{rng.integers(depth)}")[rng.integers(3)])
    if kind < 8:
        try:
            with np.errstate(all="ignore"):
                return b"".join(map(bytes, write_tosa(mutated_graph(rng))))
        except Exception:
            return data  # the writer is for verified graphs
    return mutant("tosa", data, rng)


def damage(kind: str, files: Files, rng: np.random.Generator) -> Files:
    """Returns the files with one of them damaged, mostly the first."""
    if kind == "cut":
        return files
    names = list(files)
    if kind == "chain" and not rng.integers(4):
        names.reverse()
    name = names[-1] if kind == "spv" and not rng.integers(4) else names[0]
    ways: list[Damage] = [damaged_bytes, spliced(kind)]
    if name.endswith(".spv"):
        ways += [damaged_words] * 3
    elif kind in ("mlir", "zoo") or name.endswith(".json"):
        ways += [damaged_text] * 5
    elif kind == "tosa":
        ways += [_tosa] * 5
    elif kind in ROOTS:
        ways += [lambda data, rng: mutant(kind, data, rng)] * 3
    return files | {name: ways[int(rng.integers(len(ways)))](files[name], rng)}
