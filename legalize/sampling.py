"""Where compact numerics let RESIZE sample elsewhere than the kernels."""

from collections.abc import Callable

from tosa_converter.rewriting.match import Match


def accepts(match: Match) -> Callable[[float], bool]:
    """Returns a function that decides whether RESIZE may sample so many pixels away from the source kernel's positions.

    It may if the option numerics is "compact"; the distance is then noted for the user.
    """

    def accept(distance: float) -> bool:
        """Returns whether RESIZE may sample `distance` pixels away from the kernel's positions, and notes it if so.

        Only `compact` numerics accept that.
        """
        if match.options.numerics != "compact":
            return False
        match.note(f"RESIZE samples up to {distance:.1e} pixels away from where the kernel does")
        return True

    return accept
