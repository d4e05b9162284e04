"""What a user gives for inputs: arrays, images and sounds out of files, folders of them, ranges of random numbers."""

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tosa_converter.cli.arrays import read_inputs, split_input
from tosa_converter.errors import UsageError
from tosa_converter.execute.inputs import by_tensor_name, main_inputs
from tosa_converter.ir import Array, Model, Value
from tosa_converter.memory import require_memory
from tosa_converter.options import parse_names
from tosa_converter.proof.media import IMAGES, SOUNDS, audio_input, image_input, input_of

_ARRAYS = (".npy", ".npz")
_SAMPLES = (*_ARRAYS, *IMAGES, *SOUNDS)


class Given(NamedTuple):
    """What the command line names, each text as it stands there: FILE or NAME=FILE, a folder, [NAME=]HOW."""

    inputs: Sequence[str] = ()
    images: Sequence[str] = ()
    sounds: Sequence[str] = ()
    samples: str = ""
    scales: Sequence[str] = ()

    @property
    def files(self) -> Sequence[str]:
        """The texts that name files."""
        return (*self.inputs, *self.images, *self.sounds)

    def sets(self, model: Model, shapes: Mapping[str, tuple[int, ...]], steps: int) -> list[dict[str, Array]]:
        """Sets of arrays by the names of the main graph's inputs: one of all files, or one of each file of a folder.

        An array of several steps, as of a sound that is longer than its input, has one more dimension in front.

        Args:
            model: whose main graph they are for.
            shapes: of inputs with unknown dimensions.
            steps: how many an array is for, if it is for several; those that a sound fills if 0.

        Raises:
            UsageError: a file that can't be read, is damaged or doesn't fit; a name that no input has.
        """
        reader = _Reader(model, shapes, steps, self.scales)
        if self.samples and self.files:
            raise UsageError("samples: expected a folder or files for the inputs, found both")
        if not self.samples:
            if not self.files and self.scales:
                raise UsageError("scale: expected images or sounds, found none")
            return [reader.read(self)] if self.files else []
        return reader.all_of(self.samples)


class _Reader:
    """Reads files for a model's inputs."""

    def __init__(self, model: Model, shapes: Mapping[str, tuple[int, ...]], steps: int, scales: Sequence[str]) -> None:
        self._model, self._steps = model, steps
        self._names = main_inputs(model)
        given = parse_names("scale", scales)
        self._scale = given.pop("", "")
        self._scales = by_tensor_name(model, given)
        self._shapes = shapes

    def read(self, given: Given) -> dict[str, Array]:
        """One set of all the files that are named."""
        arrays = read_inputs(self._model, given.inputs, self._steps)
        texts = [*((text, False) for text in given.images), *((text, True) for text in given.sounds)]
        for text, sound in texts:
            name, path = split_input(text, self._names)
            value = self._value(path, name)
            if value.name in arrays:
                raise UsageError(f"input {path}: {value.name!r} is given twice")
            scale = self._scales.get(value.name, self._scale)
            if sound:
                windows = audio_input(path, value, scale, self._steps)
                arrays[value.name] = windows if self._steps or len(windows) > 1 else windows[0]
            else:
                arrays[value.name] = image_input(path, value, scale)
        return arrays

    def all_of(self, folder: str) -> list[dict[str, Array]]:
        """A set of each file of a folder whose ending is known, by their names."""
        try:
            names = sorted(name for name in os.listdir(folder) if name.lower().endswith(_SAMPLES))
        except OSError as error:
            raise UsageError(f"samples {folder}: {error.strerror}") from None
        if not names:
            raise UsageError(f"samples {folder}: expected files ending in {', '.join(_SAMPLES)}, found none")
        sets: list[dict[str, Array]] = []
        for name in names:
            sets.append(self.read(_sorted_out(os.path.join(folder, name))))
            size = sum(array.nbytes for array in sets[0].values())
            require_memory(f"samples {folder}: {len(names)} files", (len(names) - len(sets)) * size)
        return sets

    def _value(self, path: str, name: str) -> Value:
        """The input that a file is for, in the shape that it is to have."""
        try:
            value = input_of(self._model, name)
        except UsageError as error:
            raise UsageError(f"input {path}: {error}") from None
        shape = self._shapes.get(value.name, value.type.shape)
        return Value(value.type._replace(shape=shape), value.name)


def _sorted_out(path: str) -> Given:
    """A file by its ending."""
    if path.lower().endswith(_ARRAYS):
        return Given(inputs=[path])
    return Given(sounds=[path]) if path.lower().endswith(SOUNDS) else Given(images=[path])
