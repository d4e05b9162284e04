"""Programs with portable kernels, as users export them: networks beside XNNPACK's delegates, and all kernels alone.

`make_xnnpack.py` writes them.
"""

from collections.abc import Callable
from typing import Any

import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower
from torch import Tensor, nn
from torch.nn import functional

Outputs = Tensor | tuple[Tensor, ...]


class Function(nn.Module):
    """A function of tensors as a module, with the modules that it needs."""

    def __init__(self, function: Callable[..., Outputs], *modules: nn.Module) -> None:
        super().__init__()
        self.function = function
        self.modules_given = nn.ModuleList(modules)

    def forward(self, *inputs: Tensor) -> Outputs:
        """What the function makes of its modules and the inputs."""
        return self.function(*self.modules_given, *inputs)


# ** networks **


class Block(nn.Module):
    """A transformer's block that normalizes first."""

    def __init__(self, size: int, activation: nn.Module) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(2))
        self.attention = nn.MultiheadAttention(size, 2, batch_first=True)
        self.layers = nn.Sequential(nn.Linear(size, 2 * size), activation, nn.Linear(2 * size, size))

    def forward(self, x: Tensor) -> Tensor:
        """`x` [N,T,size]."""
        y = self.norms[0](x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        outputs: Tensor = x + self.layers(self.norms[1](x))
        return outputs


class VisionTransformer(nn.Module):
    """Patches of 4 by 4 with a class token."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, size, 4, 4)
        self.token = nn.Parameter(torch.randn(1, 1, size))
        self.places = nn.Parameter(torch.randn(1, 17, size))
        self.blocks = nn.Sequential(Block(size, nn.GELU()), nn.LayerNorm(size))
        self.head = nn.Linear(size, 5)

    def forward(self, x: Tensor) -> Tensor:
        """`x` [N,3,16,16]."""
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.places
        outputs: Tensor = self.head(self.blocks(x)[:, 0])
        return outputs


class Encoder(nn.Module):
    """Words and their places, an encoder's layer, a mean."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(30, size), nn.Embedding(8, size)
        self.layer = nn.TransformerEncoderLayer(size, 2, 32, batch_first=True, activation="gelu")
        self.head = nn.Linear(size, 3)

    def forward(self, words: Tensor) -> Tensor:
        """`words` [N,T]."""
        x = self.words(words) + self.places(torch.arange(words.shape[1]).unsqueeze(0))
        return torch.log_softmax(self.head(self.layer(x).mean(1)), -1)


class Decoder(nn.Module):
    """A language model's layer: rotated places, a mask, root mean squares, gated layers."""

    def __init__(self, size: int, words: int) -> None:
        super().__init__()
        self.words = nn.Embedding(20, size)
        self.scale = nn.Parameter(torch.rand(size))
        self.projections = nn.ModuleList(nn.Linear(size, n, bias=False) for n in (size, size // 2, size // 2, size))
        self.gates = nn.ModuleList(nn.Linear(size, 2 * size, bias=False) for _ in range(2))
        self.back = nn.Linear(2 * size, size, bias=False)
        turns = torch.arange(words)[:, None] * 10000 ** (-torch.arange(size // 4) * 4 / size)
        self.register_buffer("cosines", torch.cat([turns.cos()] * 2, -1))
        self.register_buffer("sines", torch.cat([turns.sin()] * 2, -1))
        self.register_buffer("mask", torch.tril(torch.ones(words, words, dtype=torch.bool)))

    def normalized(self, x: Tensor) -> Tensor:
        """Divided by the root of the mean square."""
        outputs: Tensor = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.scale
        return outputs

    def turned(self, x: Tensor) -> Tensor:
        """By the angle of its place."""
        a, b = x.chunk(2, -1)
        outputs: Tensor = x * self.cosines + torch.cat([-b, a], -1) * self.sines
        return outputs

    def forward(self, words: Tensor) -> Tensor:
        """`words` [N,T]."""
        x = self.words(words)
        n, t, size = x.shape
        query, key, value, out = self.projections
        y = self.normalized(x)
        q = self.turned(query(y).view(n, t, 2, size // 2).transpose(1, 2))
        k = self.turned(key(y).view(n, t, 1, size // 2).transpose(1, 2)).expand(n, 2, t, size // 2)
        v = value(y).view(n, t, 1, size // 2).transpose(1, 2).expand(n, 2, t, size // 2)
        shares = (q @ k.transpose(-1, -2) * (size // 2) ** -0.5).masked_fill(~self.mask, float("-inf"))
        x = x + out((torch.softmax(shares, -1) @ v).transpose(1, 2).reshape(n, t, size))
        y = self.normalized(x)
        return self.normalized(x + self.back(functional.silu(self.gates[0](y)) * self.gates[1](y)))


def u_net(down: nn.Module, deep: nn.Module, up: nn.Module, out: nn.Module, x: Tensor) -> Outputs:
    """Down, with the places of the largest, and up again."""
    first = functional.elu(down(x))
    pooled, places = functional.max_pool2d(first, 2, return_indices=True)
    return out(torch.cat([up(functional.elu(deep(pooled))), first], 1)), places


def se_block(conv: nn.Module, less: nn.Module, more: nn.Module, head: nn.Module, x: Tensor) -> Tensor:
    """Squeeze and excitation, and a head on the mean."""
    x = functional.hardswish(conv(x))
    shares = functional.hardsigmoid(more(torch.relu(less(functional.adaptive_avg_pool2d(x, 1)))))
    outputs: Tensor = head((x * shares).mean((2, 3)))
    return outputs


def conv_next(patches: nn.Module, wide: nn.Module, norm: nn.Module, layers: nn.Module, x: Tensor) -> Tensor:
    """A block of ConvNeXt."""
    x = patches(x)
    return (x + layers(norm(wide(x).permute(0, 2, 3, 1))).permute(0, 3, 1, 2)).mean((-2, -1))


def detector(conv: nn.Module, head: nn.Module, x: Tensor) -> Outputs:
    """Boxes and scores of a detector."""
    n, _, height, width = (y := head(functional.leaky_relu(conv(x), 0.1))).shape
    y = y.view(n, 2, 3, height, width).permute(0, 1, 3, 4, 2)
    outputs = torch.cat([torch.sigmoid(y[..., :2]) * 2 - 0.5, torch.clamp(torch.exp(y[..., 2:]), max=10.0)], -1)
    outputs = outputs.reshape(n, -1, 3)
    return outputs, outputs.argmax(1), outputs.amax(1), torch.where(outputs > 0.5, outputs, torch.zeros_like(outputs))


def groups(conv: nn.Module, group: nn.Module, instance: nn.Module, x: Tensor) -> Tensor:
    """Normalizations of groups and of images."""
    outputs: Tensor = instance(functional.silu(group(conv(x))))
    return outputs


def last(cells: nn.Module, head: nn.Module, x: Tensor) -> Tensor:
    """A recurrent network's last step."""
    outputs: Tensor = head(cells(x)[0][:, -1])
    return outputs


def audio(conv: nn.Module, apart: nn.Module, norm: nn.Module, x: Tensor) -> Tensor:
    """Convolutions along a line."""
    y = torch.relu(norm(apart(functional.gelu(conv(x), approximate="tanh"))))
    return functional.max_pool1d(y, 2).mean(-1)


# ** kernels **


def unary(x: Tensor, y: Tensor) -> Outputs:
    """Functions of one tensor."""
    much = torch.abs(x) + 0.1
    results = [f(x) for f in (torch.exp, torch.sigmoid, torch.tanh, torch.relu, torch.sin, torch.cos, torch.floor)]
    results += [f(x) for f in (torch.ceil, torch.square, torch.erf, torch.sign, torch.isnan, torch.neg, torch.expm1)]
    results += [f(much) for f in (torch.log, torch.log1p, torch.sqrt, torch.rsqrt, torch.reciprocal)]
    results += [functional.gelu(x), functional.gelu(x, approximate="tanh"), functional.elu(x, 0.7), functional.selu(x)]
    results += [functional.hardtanh(x), functional.leaky_relu(x, 0.2), functional.softplus(x), functional.mish(x)]
    results += [torch.clamp(x, -0.5, 0.5), torch.clamp(x, max=0.1), torch.clamp(x, min=0.1), torch.round(x * 3)]
    return (*results, x**3, much**0.3, much**-0.5, torch.softmax(x, 1), torch.log_softmax(y, 0))


def binary(x: Tensor, y: Tensor) -> Outputs:
    """Arithmetic, comparisons and logic of two tensors, or one and a number."""
    results = [x + 2 * y, torch.sub(x, y, alpha=0.5), x - 1.5, 2 - x, x * 3.0, x / y, x / 2.5, 1 / y]
    results += [torch.minimum(x, y), torch.maximum(x, y), torch.ops.aten.mul.Scalar(x, 0.3)]
    results += [x > y, x < y, x == y, x != y, x >= y, x <= y, x > 0, x < 0.5, x == 0, x != 0, x >= 0, x <= 0]
    a, b = x > 0, y > 0
    results += [torch.logical_not(a), torch.logical_and(a, b), torch.logical_or(a, b), torch.logical_xor(a, b)]
    results += [~a, a & b, a | b, a ^ b, torch.where(a, x, y), torch.where(a, 1.0, 0.0), x.masked_fill(b, -1e9)]
    return tuple(results)


def whole_numbers(i: Tensor) -> Outputs:
    """Integers of 64 bits."""
    results = [i + 1, i * 2, i // 2, i % 3, i - i.float(), (i > 2).float(), i.sum(1), i.clamp(0, 3), (i > 1).sum(1)]
    results += [torch.where(i > 2, i, i * 0), i.abs(), -i, torch.maximum(i, i * 2), i.to(torch.int32) * 2, i.roll(1, 1)]
    return (*results, torch.sigmoid(i), torch.div(i, 4, rounding_mode="trunc"))


def reductions(x: Tensor) -> Outputs:
    """Sums, means, extremes."""
    results = [x.mean(1), x.mean((0, 2), keepdim=True), x.mean(), x.sum(-1), x.sum(), x.prod(1), x.cumsum(1)]
    results += [x.norm(dim=-1)]
    results += [x.amax(1), x.amin((0, 2), keepdim=True), x.max(), x.min(), *x.max(1), *x.min(2, keepdim=True)]
    results += [x.argmax(1), x.argmin(-1, keepdim=True), x.argmax(), x.var(1), x.std(-1), *x.topk(2)]
    return (*results, torch.any(x > 1, 1), (x > 5).any())


def moves(x: Tensor) -> Outputs:
    """What moves elements."""
    results = [x.view(6, 4), x.permute(2, 0, 1), x.unsqueeze(1), x[:, :1].squeeze(1), x[:, 1:3], x[:, ::2], x[:, 1]]
    results += [torch.cat([x, x], 1), x.expand(2, 2, 3, 4), x.repeat(2, 1, 2, 1), *x.split((1, 3), -1), x.flip(1, 2)]
    results += [x.clone(), functional.pad(x, (1, 2)), functional.pad(x, (1, 2, 0, 1), value=3.0), torch.tril(x)]
    results += [x.to(torch.int32), x.to(torch.int64), torch.zeros_like(x) + x[:, :1], x[:, [0, -1]]]
    results += [x.index_select(1, torch.tensor([0, 2])), torch.gather(x, 1, torch.tensor([[[0, 1, 2, 0]]]))]
    return (*results, torch.full((2, 2), 3.0), torch.arange(5), torch.arange(0, 1, 0.25))


def matrices(x: Tensor, y: Tensor) -> Outputs:
    """Products."""
    a, b = x[0], y[0]
    return x @ y, torch.bmm(x, y), a @ b, torch.addmm(b[:3], a, b), torch.addmm(b[0], a, b, beta=2)


def pools(x: Tensor) -> Outputs:
    """Pools and images of other sizes."""
    results = [functional.avg_pool2d(x, 3, 2, 1), functional.avg_pool2d(x, 3, 2, 1, count_include_pad=False)]
    results += [functional.avg_pool2d(x, 3, 2, 1, ceil_mode=True), functional.avg_pool2d(x, 2, divisor_override=3)]
    results += [*functional.max_pool2d(x, 2, 2, return_indices=True), functional.max_pool2d(x, 3, 2, 1, ceil_mode=True)]
    results += [
        *functional.max_pool2d(x, 3, 2, 1, dilation=2, return_indices=True),
        functional.adaptive_avg_pool2d(x, 3),
    ]
    results += [functional.adaptive_avg_pool2d(x, 2), functional.interpolate(x, (12, 20), mode="nearest")]
    results += [functional.interpolate(x, (12, 20), mode="bilinear"), functional.interpolate(x, scale_factor=2.0)]
    return (*results, functional.interpolate(x, (5, 7), mode="bilinear", align_corners=True))


def convolutions(*modules_and_inputs: Any) -> Outputs:
    """Convolutions of images and of lines."""
    *modules, x, line = modules_and_inputs
    *images, lines = modules
    return (*(conv(x) for conv in images), lines(line))


def copies(x: Tensor) -> Outputs:
    """Copies as they were before ExecuTorch had orders of dimensions."""
    return x.clone() + 1, x.to(torch.int32)


def functions(x: Tensor, part: Tensor) -> Outputs:
    """Further functions of one tensor; `part` lies between -1 and 1."""
    results = [f(2 * x) for f in (torch.tan, torch.atan, torch.sinh, torch.cosh, torch.asinh, torch.trunc)]
    results += [f(part) for f in (torch.asin, torch.acos, torch.atanh)]
    much = torch.abs(x) + 0.1
    return (*results, torch.acosh(much + 1), torch.log2(much), torch.log10(much), torch.isinf(torch.exp(200 * x)))


def pairs(x: Tensor, y: Tensor) -> Outputs:
    """Further functions of two tensors."""
    results = [torch.atan2(x, y), torch.fmod(5 * x, y), torch.remainder(5 * x, y), torch.fmod(x, 0.3)]
    results += [torch.pow(torch.abs(x) + 0.1, y), torch.pow(2.0, x), torch.clamp(x, -torch.abs(y), torch.abs(y))]
    return (*results, torch.clamp(x, max=y), torch.clamp(x, min=y))


def bits(i: Tensor, j: Tensor) -> Outputs:
    """Bits and remainders of integers."""
    a, b = i.to(torch.int32), j.to(torch.int32)
    results = [
        i & j,
        i | j,
        i ^ j,
        ~i,
        i & 5,
        i | 5,
        i ^ -5,
        a & b,
        a ^ 3,
        torch.fmod(i, j + 1),
        torch.remainder(i, j + 1),
    ]
    results += [i % 3, i % -3, torch.fmod(i, 3)]
    return (*results, torch.clamp(i, j, j + 2))


def places(x: Tensor, y: Tensor, i: Tensor) -> Outputs:
    """Elements taken and written by places; `i` [2,3] has indices below 4."""
    flat, (first, second) = x[0], i
    results = [torch.scatter(flat, 0, torch.tensor([[0, 2, 1, 0]]), 3.0), torch.scatter(flat, 1, i, y[:2, :3])]
    results += [torch.scatter(flat, 1, torch.tensor([[0, 1, 1]]), y[:2, :3]), torch.scatter_add(flat, 1, i, y[:2, :3])]
    results += [
        x[torch.tensor([1, 0]), torch.tensor([[2], [-1]])],
        x[torch.tensor([0, 1, -1]), :, first],
        flat[:, second],
    ]
    results += [torch.slice_scatter(x, y[None, :, :2].expand(2, 3, 2), 2, 1, 4, 2), torch.ops.aten.alias_copy(x) + 1]
    results += [functional.pixel_shuffle(x.reshape(1, 4, 2, 3), 2), x.as_strided((2, 2), (4, 1), 3), flat.diagonal(1)]
    return (*results, x.unfold(2, 3, 1))


def distances(x: Tensor, y: Tensor) -> Outputs:
    """Distances by several norms."""
    return tuple(torch.cdist(x, y, p) for p in (2.0, 1.0, 0.0, 3.0, float("inf")))


def sizes(x: Tensor) -> Outputs:
    """Sizes that a run chooses, 4 rows at most: views and constants of them."""
    rows = x.shape[0]
    return x.reshape(rows, 2, 2).sum(1), x.new_zeros(rows, 3) + 1, x.view(-1)


def convs() -> tuple[nn.Module, ...]:
    """With groups, transposed, dilated, by channel; one along a line."""
    return (
        nn.Conv2d(4, 6, 3, 2, 1, groups=2),
        nn.ConvTranspose2d(4, 6, 3, 2, 1, output_padding=1, groups=2),
        nn.Conv2d(4, 4, 3, padding=2, dilation=2, bias=False),
        nn.Conv2d(4, 8, (3, 2), groups=4),
        nn.Conv1d(4, 3, 3, 2, 1),
    )


CUBE, FLAT, IMAGE = (2, 3, 4), (3, 4), (1, 3, 8, 8)
Shapes = tuple[tuple[int, ...], ...]
BESIDE: dict[str, tuple[Callable[[], nn.Module], Shapes]] = {
    "vision_transformer": (lambda: VisionTransformer(16), ((1, 3, 16, 16),)),
    "decoder": (lambda: Decoder(16, 6), ((1, 6),)),
    "encoder": (lambda: Encoder(16), ((2, 6),)),
    "u_net": (
        lambda: Function(
            u_net,
            *(nn.Conv2d(1, 4, 3, padding=1), nn.Conv2d(4, 8, 3, padding=1), nn.ConvTranspose2d(8, 4, 2, 2)),
            nn.Conv2d(8, 2, 3, padding=1),
        ),
        ((1, 1, 8, 8),),
    ),
    "se_block": (
        lambda: Function(
            se_block, nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 4, 1), nn.Conv2d(4, 8, 1), nn.Linear(8, 4)
        ),
        (IMAGE,),
    ),
    "conv_next": (
        lambda: Function(
            conv_next,
            *(nn.Conv2d(3, 8, 4, 4), nn.Conv2d(8, 8, 7, padding=3, groups=8), nn.LayerNorm(8, eps=1e-6)),
            nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 8)),
        ),
        (IMAGE,),
    ),
    "detector": (lambda: Function(detector, nn.Conv2d(3, 6, 3, 2, 1), nn.Conv2d(6, 6, 1)), (IMAGE,)),
    "groups": (
        lambda: Function(groups, nn.Conv2d(3, 8, 3, padding=1), nn.GroupNorm(4, 8), nn.InstanceNorm2d(8, affine=True)),
        (IMAGE,),
    ),
    "lstm": (lambda: Function(last, nn.LSTM(4, 8, batch_first=True), nn.Linear(8, 2)), ((1, 5, 4),)),
    "gru": (lambda: Function(last, nn.GRU(4, 8, batch_first=True), nn.Linear(8, 2)), ((1, 5, 4),)),
    "activations": (
        lambda: nn.Sequential(nn.Linear(8, 8), nn.ELU(), nn.Linear(8, 8), nn.SELU(), nn.Linear(8, 4), nn.CELU(0.5)),
        ((2, 8),),
    ),
    "channels_last": (
        lambda: Function(lambda conv, x: conv(x.to(memory_format=torch.channels_last)), nn.Conv2d(3, 4, 3)),
        (IMAGE,),
    ),
    "halves": (lambda: nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8)).half(), ((2, 8),)),
}
ALONE: dict[str, tuple[Callable[[], nn.Module], Shapes]] = {
    "unary": (lambda: Function(unary), (CUBE, FLAT)),
    "binary": (lambda: Function(binary), (CUBE, FLAT)),
    "whole_numbers": (lambda: Function(whole_numbers), ((2, 4),)),
    "reductions": (lambda: Function(reductions), (CUBE,)),
    "moves": (lambda: Function(moves), (CUBE,)),
    "matrices_alone": (lambda: Function(matrices), ((2, 3, 4), (2, 4, 5))),
    "pools": (lambda: Function(pools), ((1, 2, 8, 9),)),
    "convolutions": (lambda: Function(convolutions, *convs()), ((1, 4, 8, 8), (2, 4, 9))),
    "audio": (
        lambda: Function(
            audio, nn.Conv1d(4, 8, 3, padding=1), nn.Conv1d(8, 8, 3, padding=2, dilation=2), nn.BatchNorm1d(8)
        ),
        ((1, 4, 16),),
    ),
    "copies": (lambda: Function(copies), (FLAT,)),
}
FURTHER: dict[str, tuple[Callable[[], nn.Module], Callable[[], tuple[Tensor, ...]]]] = {
    "functions": (lambda: Function(functions), lambda: (torch.randn(CUBE), 1.8 * torch.rand(CUBE) - 0.9)),
    "pairs": (lambda: Function(pairs), lambda: (torch.randn(CUBE), torch.randn(FLAT))),
    "bits": (lambda: Function(bits), lambda: (torch.randint(-9, 9, (2, 4)), torch.randint(1, 9, (2, 4)))),
    "places": (
        lambda: Function(places),
        lambda: (torch.randn(CUBE), torch.randn(FLAT), torch.tensor([[0, 3, 2], [1, 0, 3]])),
    ),
    "distances": (lambda: Function(distances), lambda: (torch.randn(2, 3, 4), torch.randn(2, 5, 4))),
    "sizes": (lambda: Function(sizes), lambda: (torch.randn(4, 4),)),
}
WORDS = ("decoder", "encoder", "whole_numbers")  # whose inputs are integers


def lowered(name: str, model: nn.Module, inputs: tuple[Tensor, ...]) -> bytes:
    """A program with what XNNPACK's delegate takes, or without delegates."""
    config = EdgeCompileConfig(_skip_dim_order=name == "copies", _check_ir_validity=False)
    partitioners = [XnnpackPartitioner()] if name in BESIDE else []
    shapes = (({0: torch.export.Dim("rows", min=2, max=4)},),) if name == "sizes" else None
    exported = torch.export.export(model.eval(), inputs, dynamic_shapes=shapes)
    outputs = to_edge_transform_and_lower(exported, partitioner=partitioners, compile_config=config)
    return bytes(outputs.to_executorch().buffer)


def kernels() -> dict[str, Any]:
    """Programs with their inputs and outputs."""
    from make_xnnpack import case, run

    programs: dict[str, Any] = {}
    for name, (build, shapes) in (BESIDE | ALONE).items():
        torch.manual_seed(len(programs))
        dtype = torch.float16 if name == "halves" else torch.float32
        inputs = tuple(
            torch.randint(0, 9, shape) if name in WORDS else torch.randn(shape).to(dtype) for shape in shapes
        )
        program = lowered(name, build(), inputs)
        arrays = [x.numpy() for x in inputs]
        programs |= case(f"{name}.pte", program, arrays, run(program, arrays))
    return programs


def further_kernels() -> dict[str, Any]:
    """Programs of further kernels alone, with their inputs and outputs."""
    from make_xnnpack import case, run

    programs: dict[str, Any] = {}
    for name, (build, draw) in FURTHER.items():
        torch.manual_seed(len(programs))
        inputs = draw()
        program = lowered(name, build(), inputs)
        arrays = [x.numpy() for x in inputs]
        programs |= case(f"{name}.pte", program, arrays, run(program, arrays))
    return programs
