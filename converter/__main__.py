"""The command in a process of its own: what `tflite-to-tosa` and `python -m tosa_converter` start."""

import gc
import os
import signal
import sys

_ENDED = 128  # plus the signal's number: SIGINT is 2, SIGTERM 15 and SIGHUP 1, so a command ends with 130, 143 or 129
_ENDINGS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def process() -> None:
    """Runs the command, and ends the process without Python's cleanup at exit, which would only take time.

    An interrupt ends it quietly, also among the imports of the first milliseconds; if the caller ignores interrupts,
    as shells do for what runs in the background, so does the command. SIGTERM and SIGHUP end it as SystemExit does, so
    that temporary files and workers end too; nohup's SIGHUP stays ignored. Among those imports, they end it at once:
    there is nothing to put away yet, and a handler could not import anything itself.
    """
    endings = [number for number in _ENDINGS if signal.getsignal(number) is signal.SIG_DFL]
    for number in endings:
        signal.signal(number, _leave_at_once)
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:
        signal.signal(signal.SIGINT, _leave_at_once)
    gc.set_threshold(1_000_000)  # a conversion makes little garbage, and looking for it takes a fifth of its time
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no command uses more; starting them costs as much
    from tosa_converter.cli.main import main

    for number in endings:
        signal.signal(number, _exit_on_signal)
    try:
        if interruptible:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
    except KeyboardInterrupt:
        _leave_at_once()
    except SystemExit as exit:
        if interruptible:
            signal.signal(signal.SIGINT, _leave_at_once)
        if "tosa_converter.engines" in sys.modules or not isinstance(exit.code, int):
            raise  # engines have processes and folders to put away
        os._exit(exit.code)


def _exit_on_signal(number: int, _: object) -> None:
    """Ends the command at SIGTERM or SIGHUP by SystemExit, so that temporary files and workers are removed."""
    from tosa_converter.errors import RECEIVED

    for other in _ENDINGS:  # a closed terminal may send several; the first is enough
        signal.signal(other, signal.SIG_IGN)
    RECEIVED.append(_ENDED + number)
    raise SystemExit(_ENDED + number)


def _leave_at_once(number: int = signal.SIGINT, _: object = None) -> None:
    """Ends the process at once, without cleanup, with the exit status of a command that this signal ended."""
    os._exit(_ENDED + number)


if __name__ == "__main__":
    process()
