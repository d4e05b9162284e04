"""The passes for each source opset, in order."""

from tosa_converter.legalize import xnnpack
from tosa_converter.rewrite import Pass

PIPELINES: dict[str, tuple[Pass, ...]] = {
    "xnn": (Pass("legalize", xnnpack.REWRITES),),
}
