"""Mutated models end in our own errors, without a hang or excessive memory."""

import resource
import time
from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pytest
from support.commands import MODELS

import tosa_converter as tc
from tosa_converter.errors import ConverterError
from tosa_converter.formats import encode, parse
from tosa_converter.proof.input_sets import random_inputs

INT8 = (MODELS / "digits_int8.tflite").read_bytes()
FLOAT = (MODELS / "digits_float32.tflite").read_bytes()


def mutants(content: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Yields variants of a file: flipped bytes, extreme words, copied or cut stretches.

    Half of them aim at the structure, which is small beside the weights: places whose word is a small number.
    """
    rng = np.random.default_rng(seed)
    words = np.frombuffer(content[: len(content) // 4 * 4], "<u4")
    structure = np.flatnonzero(words < 4096) * 4
    for i in range(count):
        data = bytearray(content)
        for _ in range(rng.integers(1, 5)):
            place = int(rng.choice(structure)) if i % 2 else int(rng.integers(len(data)))
            place = min(place, len(data) - 1)
            kind = rng.integers(5)
            if kind == 0:
                data[place] ^= 1 << int(rng.integers(8))
            elif kind == 1:
                data[place] = int(rng.integers(256))
            elif kind == 2:
                word = int(rng.choice([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, len(data), 0xFFFF, 40000000]))
                data[place : place + 4] = word.to_bytes(4, "little")
            elif kind == 3:
                other = int(rng.integers(len(data) - 16))
                data[place : place + 16] = data[other : other + 16]
            else:
                del data[place : place + int(rng.integers(1, 64))]
        yield bytes(data)


def peak_memory() -> int:
    """Returns the peak in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def survive(variants: Iterable[bytes], use: Callable[[bytes], object]) -> tuple[int, int]:
    """Returns how many variants were accepted and refused."""
    accepted = refused = 0
    before = peak_memory()
    for data in variants:
        started = time.monotonic()
        try:
            use(data)
            accepted += 1
        except ConverterError:
            refused += 1
        assert time.monotonic() - started < 20, "a file of a few KB took longer than any honest one"
    assert peak_memory() - before < 512 << 20
    return accepted, refused


def tosa_file() -> bytes:
    return b"".join(map(bytes, encode(tc.convert(parse(INT8)), ".tosa")))


@pytest.mark.parametrize("name", ["int8", "float", "tosa"])
def test_reading(name: str) -> None:
    content = {"int8": INT8, "float": FLOAT, "tosa": None}[name] or tosa_file()
    accepted, refused = survive(mutants(content, 2000, 1), parse)
    assert accepted > 50  # a flipped weight is a legal model
    assert refused > 500


@pytest.mark.parametrize("name", ["int8", "float"])
def test_converting(name: str) -> None:
    content = {"int8": INT8, "float": FLOAT}[name]

    def convert(data: bytes) -> None:
        encode(tc.convert(parse(data)), ".tosa")

    accepted, refused = survive(mutants(content, 400, 2), convert)
    assert accepted > 10
    assert refused > 100


def test_running_mutated_tosa() -> None:
    def run(data: bytes) -> None:
        model = parse(data)
        tc.run(model, random_inputs(model.main.inputs, {}, 0))

    accepted, refused = survive(mutants(tosa_file(), 400, 3), run)
    assert accepted > 10
    assert refused > 100


def test_truncated_at_many_places() -> None:
    for size in range(0, len(INT8), 61):
        with pytest.raises(ConverterError):
            encode(tc.convert(parse(INT8[:size])), ".tosa")
