"""Bounds the memory and time of a run by a graph's types, before anything is allocated.

A file of a few hundred bytes can ask for terabytes or years. Memory is compared with what the machine has left; time is
counted in seconds of one core at fixed rates, so that the same graph is refused or accepted everywhere.
"""

from collections.abc import Mapping
from math import prod

from tosa_converter.errors import UnsupportedError, UsageError
from tosa_converter.execute.folding import ops_to_fold
from tosa_converter.ir import CONSTANTS, Graph, Op, Value
from tosa_converter.memory import SMALL, require_memory
from tosa_converter.schemas import tosa_ops as ops

SECONDS = 10.0  # the default limit of a run; 2e11 products of a convolution, 400 times what MobileNet has
MAX_NESTING = 64  # levels of control flow; level none allows 256, which Python's stack does not
_CALL, _ELEMENT, _GATHERED, _PRODUCT = 1e-5, 4e-9, 4e-10, 5e-11  # seconds, as measured with one thread
PASS = 1e-6  # seconds that a pass over a graph takes at least, so that a loop over empty graphs meets its limit too
_ERF = 1e-7  # an element, which the standard library computes one by one
_WIDEST = 8  # bytes of an element, fp64 or int64

_CONVOLUTIONS = {ops.CONV2D, ops.CONV3D, ops.TRANSPOSE_CONV2D}
_TRANSFORMS = {ops.FFT2D, ops.RFFT2D}


def seconds(graph: Graph) -> dict[Op, float]:
    """Returns the estimated seconds of every operator but constants; control flow counts without its graphs."""
    counts = {value: prod(value.type.static) for value in graph.inputs}
    estimates = {}
    for op in graph.ops:
        for value in op.results:
            counts[value] = prod(value.type.static)
        if op.name not in CONSTANTS:
            estimates[op] = _op_seconds(op, counts)
    return estimates


def _op_seconds(op: Op, counts: Mapping[Value, int]) -> float:
    """Returns the estimated seconds of one operator; `counts` has the number of elements of each value so far."""
    # CONV2D of [1,56,56,64] with a 3x3 kernel and 64 output channels: 3136 positions * 9 * 64 gathered elements, and 64
    # products each: 1806336 * (4e-10 + 64 * 5e-11) = 6.5 ms, and 401,408 + 36,928 elements at 4 ns: 1.8 ms.
    row, elements = op.row, sum([counts[value] for value in op.results])
    # An ADD of two [1,56,56,64] reads and writes 3 * 200704 elements: 2.4 ms, and 10 us for the call.
    total = _CALL + _ELEMENT * (elements + sum([counts[value] for value in op.inputs if value is not None]))
    if row in _CONVOLUTIONS:
        channels, *window = op.operands[1].type.static
        places = op.operands[0] if row is ops.TRANSPOSE_CONV2D else op.result
        positions = counts[places] // places.type.static[-1]
        return total + positions * prod(window) * (_GATHERED + _PRODUCT * channels)
    if row is ops.DEPTHWISE_CONV2D:
        return total + elements * prod(op.operands[1].type.static[:2]) * _GATHERED
    if row is ops.MATMUL or row is ops.MATMUL_T:
        return total + elements * op.operands[0].type.static[2] * 2 * _PRODUCT
    if row is ops.ERF:
        return total + elements * _ERF
    if row is ops.AVG_POOL2D or row is ops.MAX_POOL2D:
        # Pooling goes along one axis after the other: a 3x3 window takes 3 + 3 steps, not 9.
        return total + elements * sum(op.attributes["kernel"]) * _ELEMENT
    if row is ops.AVG_POOL2D_ADAPTIVE or row is ops.MAX_POOL2D_ADAPTIVE:
        kernel = op.operands[-3].constant  # unknown before the run: the whole image is an upper bound
        sides = op.operands[0].type.static[1:3] if kernel is None else kernel.tolist()
        return total + elements * sum(sides) * _ELEMENT
    return total + (elements * sum(op.operands[0].type.static[1:]) * _GATHERED if row in _TRANSFORMS else 0.0)


def require_room(graph: Graph, *, precise: bool = False, keep_all: bool = False) -> None:
    """Raises UsageError if a run of a graph needs more memory than is free; small graphs pass without a closer look.

    `precise` counts floats as fp64, and `keep_all` keeps all values to the end.
    """
    if _most_bytes(graph) > SMALL:
        require_memory(f"graph {graph.name!r}", peak_bytes(graph, precise=precise, keep_all=keep_all))


def _most_bytes(graph: Graph) -> int:
    """Returns an upper bound of the bytes of all values but constants, at 8 bytes an element."""
    elements = sum([prod(value.type.static) for op in graph.ops if op.name not in CONSTANTS for value in op.results])
    inner = sum([_most_bytes(region) for op in graph.ops if op.regions for region in op.regions])
    return inner + _WIDEST * (elements + sum([prod(value.type.static) for value in graph.inputs]))


def peak_bytes(graph: Graph, *, precise: bool = False, keep_all: bool = False) -> int:
    """Returns the largest number of bytes that values other than constants take at one time.

    Args:
        graph: a graph whose shapes are all known.
        precise: floats are stored in fp64.
        keep_all: no value is freed after its last use.
    """
    last = {value: i for i, op in enumerate(graph.ops) for value in op.operands}
    last |= dict.fromkeys((*graph.inputs, *graph.outputs), len(graph.ops))
    alive = sum(_bytes(value, precise) for value in graph.inputs)
    peak, folded, early = alive, set[Value](), ops_to_fold(graph)
    for i, op in enumerate(graph.ops):
        if op.name in CONSTANTS:
            folded.add(op.result)
            continue
        alive += sum(_bytes(value, precise) for value in op.results)
        inner = [peak_bytes(region, precise=precise, keep_all=keep_all) for region in op.regions]
        peak = max(peak, alive + max(inner, default=0))
        if op in early:
            folded.update(op.results)  # computed before the first run and kept
        if not keep_all:
            # A result that nothing reads dies at once: it isn't in `last`, for which its own position stands.
            dead = {value for value in (*op.operands, *op.results) if last.get(value, i) == i} - folded
            alive -= sum(_bytes(value, precise) for value in dead)
    return peak


def _bytes(value: Value, precise: bool) -> int:
    """Returns how many bytes a value's elements take; in a precise run each float takes 8."""
    dtype = value.type.dtype
    return prod(value.type.static) * (8 if precise and dtype.is_float else dtype.numpy.itemsize)


def require_time(subject: str, estimate: float, limit: float) -> None:
    """Raises UsageError if the estimated seconds of a run exceed the limit; `subject` begins the message."""
    if estimate > limit:
        raise UsageError(
            f"{subject} takes an estimated {estimate:.4g} s, more than the limit of {limit:g} s",
            "next: a larger --limit allows it",
        )


def require_nesting(graph: Graph, depth: int = 0) -> None:
    """Raises UnsupportedError if control flow nests deeper than the executor can follow.

    `depth` is the level of the graph itself.
    """
    if depth > MAX_NESTING:
        actual = f"graph {graph.name!r} is at level {depth}"
        raise UnsupportedError(f"expected control flow of at most {MAX_NESTING} levels, {actual}")
    for op in graph.ops:
        for region in op.regions:
            require_nesting(region, depth + 1)
