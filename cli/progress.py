"""A progress bar on a terminal for work that takes seconds; nothing when piped."""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


@contextlib.contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[object], None]]:
    """Yields a function to call for each finished part of `total`; it moves a bar if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(label, total=total)
        yield lambda _: bar.advance(task)


def with_stages(function: Callable[..., T], seconds: float = 1.0) -> Callable[..., T]:
    """Returns `function` with a bar of its stages on a terminal, if it takes longer than `seconds`.

    On a terminal the function gets an argument `progress`, to call with the name of each stage; elsewhere it doesn't.
    """

    def call(*arguments: Any, **options: Any) -> T:
        """Calls the function; on a terminal, a bar of its stages appears if it takes longer than `seconds`.

        Without a terminal the function gets no `progress`.
        """
        if not sys.stderr.isatty():
            return function(*arguments, **options)
        bar = _Stages()
        timer = threading.Timer(seconds, bar.show)
        timer.daemon = True
        timer.start()
        try:
            return function(*arguments, **options, progress=bar.begin)
        finally:
            timer.cancel()
            bar.end()

    return call


class _Stages:
    """A progress bar that a timer shows when work takes long."""

    def __init__(self) -> None:
        """Creates the progress bar of a command's stages; its time counts from now on, but only `show` shows it.

        A timer calls `show` in a thread of its own, so a lock guards the attributes.
        """
        self._lock = threading.Lock()
        self._name, self._ended = "", False
        self._began = time.monotonic()  # the clock that Rich counts by
        self._shown: Callable[[str], object] | None = None  # tells the bar a stage's name, once it is shown
        self._open_bar = contextlib.ExitStack()  # to close it at the end

    def show(self) -> None:
        """Shows the bar, unless the work has ended; a thread of its own draws it."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        with self._lock:
            # The timer may fire just as the work ends. Then the lock makes `end` come first or wait, and a bar never
            # stays behind.
            if self._ended:
                return
            columns = (BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
            bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
            self._open_bar.enter_context(bar)
            task = bar.add_task(self._name, total=None)
            bar.tasks[0].start_time = self._began
            self._shown = lambda name: bar.update(task, description=name)

    def begin(self, name: str) -> None:
        """Tells the progress bar which stage begins; a bar that isn't shown yet will begin with it."""
        with self._lock:
            self._name = name
            if self._shown is not None:
                self._shown(name)

    def end(self) -> None:
        """Removes the bar, or keeps it from being shown."""
        with self._lock:
            self._ended = True
            self._open_bar.close()
