"""Long graphs in blocks: runs of operators that few values connect, so that an overview has few boxes.

A block is a run of operators in the graph's order. Edges lead from earlier operators to later ones, so they do between
blocks as well: an overview of blocks has no cycles, whatever the cuts are.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tosa_converter.ir import CONSTANTS, Op, Value

MOST_BOXES = 60  # of a drawing that isn't folded
BLOCKS = 30  # of a drawing, at most
LEAST = 20  # operators of a block, so that few drawings are of few boxes

Pairs = Sequence[tuple[int, int]]  # of operators by number: one reads what the other computes


class Block(NamedTuple):
    """A run of operators by their numbers, from `begin` to before `end`."""

    begin: int
    end: int

    def __contains__(self, number: object) -> bool:
        """Returns whether the operator with this number is in the block."""
        return isinstance(number, int) and self.begin <= number < self.end

    @property
    def size(self) -> int:
        """The number of operators."""
        return self.end - self.begin


def connections(ops: Sequence[Op]) -> list[tuple[int, int]]:
    """Returns pairs of operators by their numbers in `ops`: the second reads a result of the first.

    Constants are left out.
    """
    makers: dict[Value, int] = {}
    pairs: dict[tuple[int, int], None] = {}
    for i, op in enumerate(ops):
        pairs |= {(makers[value], i): None for value in op.operands if value in makers}
        if op.name not in CONSTANTS:
            makers |= dict.fromkeys(op.results, i)
    return list(pairs)


def fold(part: Block, pairs: Pairs) -> list[Block]:
    """Returns the blocks of a part of a graph, for a drawing; if its operators are few, each is a block by itself.

    A block has 1/30 to 2/30 of the part's operators, but at least 20 to 40. Within that range it ends where the fewest
    operators have results that are read behind.
    """
    if part.size <= MOST_BOXES:
        return [Block(i, i + 1) for i in range(part.begin, part.end)]
    crossing = _count_crossing(part, pairs)
    least = max(LEAST, -(-part.size // BLOCKS))
    blocks, begin = [], part.begin
    while part.end - begin > 2 * least:
        end = min(range(begin + least, begin + 2 * least + 1), key=lambda i: crossing[i - part.begin])
        blocks.append(Block(begin, end))
        begin = end
    return [*blocks, Block(begin, part.end)]


def _count_crossing(part: Block, pairs: Pairs) -> list[int]:
    """Returns, for each cut of a block in two, how many operators in front of it are read behind it.

    Cut i is in front of operator `begin + i`; `pairs` are (producer, reader).
    """
    last_reader: dict[int, int] = {}
    for source, target in pairs:
        if source in part and target in part:
            last_reader[source] = max(target, last_reader.get(source, target))
    # Operator 3 that operator 7 reads last crosses the cuts in front of 4, 5, 6 and 7: +1 at 4, -1 at 8, then sums.
    steps = [0] * (part.size + 2)
    for source, reader in last_reader.items():
        steps[source + 1 - part.begin] += 1
        steps[reader + 1 - part.begin] -= 1
    counts, crossing = 0, []
    for step in steps[: part.size + 1]:
        counts += step
        crossing.append(counts)
    return crossing


def common_scope(names: Sequence[str]) -> str:
    """Returns the scope that all names are in, such as "encoder/layer_1" of its tensors; "" if there is none.

    Names of fused operators are joined by ";" or ":", and the first counts.
    """
    scopes = [re.split(r"[;:]", name, maxsplit=1)[0].split("/")[:-1] for name in names if name]
    shared = []
    for parts in zip(*scopes, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return "/".join(shared)


def summary(ops: Sequence[Op], most: int = 2) -> str:
    """Returns the most frequent kinds of operators with their numbers, such as "6 CONV_2D, 3 ADD, 4 more"."""
    kinds = Counter(op.base_name.upper() for op in ops)
    texts = [f"{count} {name}" for name, count in kinds.most_common(most)]
    rest = len(ops) - sum(count for _, count in kinds.most_common(most))
    return ", ".join([*texts, *([f"{rest} more"] if rest else [])])
