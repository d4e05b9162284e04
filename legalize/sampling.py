"""Where compact numerics let RESIZE sample elsewhere than the kernels."""

from collections.abc import Callable

from tosa_converter.rewriting.match import Match


def accepts(match: Match) -> Callable[[float], bool]:
    """Returns whether RESIZE may sample so many pixels away from the kernel's positions, and tells the user so."""

    def accept(distance: float) -> bool:
        if match.options.numerics != "compact":
            return False
        match.note(f"RESIZE samples up to {distance:.1e} pixels away from where the kernel does")
        return True

    return accept
