"""Writing by index: SCATTER_ND, SPARSE_TO_DENSE, DYNAMIC_UPDATE_SLICE."""

from tosa_converter.legalize.checks import MOVED
from tosa_converter.legalize.constant_operands import result_sizes
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops import scatter
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule


def scatter_nd(match: Match) -> Expr:
    """Lowers SCATTER_ND: adds the updates to a tensor of zeros at the index vectors."""
    indices, updates, shape = match["indices"], match["updates"], result_sizes(match, "shape")
    *outer, depth = indices.shape or (0,)
    if not 0 < depth <= len(shape) or updates.shape != (*outer, *shape[depth:]):
        raise Decline(
            f"expected updates and indices that fit the shape {shape}, found {updates.type} and {indices.type}"
        )
    return scatter.scatter_nd(indices, updates, shape)


def sparse_to_dense(match: Match) -> Expr:
    """Lowers SPARSE_TO_DENSE; for a result of rank 1, the indices may also be a vector or a scalar."""
    shape = affordable(result_sizes(match, "output_shape"))
    indices, values = match["sparse_indices"], match["sparse_values"]
    depth = indices.shape[1] if indices.rank == 2 else 1
    count = indices.size // max(depth, 1)
    if depth != len(shape) or indices.rank > 2 or values.shape not in ((), (count,)):
        raise Decline(f"expected values and indices that fit the shape {shape}, found {values.type} and {indices.type}")
    return scatter.sparse_to_dense(indices, values, match["default_value"], shape)


def dynamic_update_slice(match: Match) -> Expr:
    """Lowers DYNAMIC_UPDATE_SLICE: overwrites a block of the operand, from run-time start indices on."""
    x, begin = match["operand"], match["start_indices"]
    if begin.shape != (x.rank,):
        raise Decline(f"expected {x.rank} start indices, found {begin.type}")
    return scatter.update_slice(x, match["update"], begin)


RULES: tuple[Rule, ...] = (
    Rule("tfl.scatter_nd", "fp32 ui8 i8 i32 i64 bool", scatter_nd, of=("updates",)),
    Rule("tfl.sparse_to_dense", "fp32 ui8 i8 i32 i64", sparse_to_dense, of=("sparse_values",)),
    Rule("tfl.dynamic_update_slice", MOVED, dynamic_update_slice),
)
