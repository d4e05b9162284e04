"""Where compact numerics let RESIZE sample elsewhere than the kernels."""

from collections.abc import Callable

from tosa_converter.rewriting.match import Match


def accepts(match: Match) -> Callable[[float], bool]:
    """Returns a function that tells whether RESIZE may sample up to a distance, in pixels, from the kernel's positions.

    Only "compact" numerics allow that; the function adds a note of the distance.
    """

    def accept(distance: float) -> bool:
        """Returns whether RESIZE may sample `distance` pixels from where the kernel does; adds a note if so."""
        if match.options.numerics != "compact":
            return False
        match.note(f"RESIZE samples up to {distance:.1e} pixels away from where the kernel does")
        return True

    return accept
