"""Every kind of kernel over random shapes, 1 to 65 in each dimension, against plain float64 (plain.py).

    python shapes_random.py --mlc build/release/bin/mlc [--seed N] [--models N] [--only PIECE] [--keep FOLDER]

Each seed makes one model of a piece of every kind: products, convolutions, pairs of them, pools, softmax, normalisations,
reductions, chains of broadcasts, data that moves, attention. It is compiled in every mode of --numerics for a machine
drawn by chance from those that this one can run, and once more as a model of f16 or of bf16. Results are within a bound of the
reference, and have the same bits for 1, 2 and 3 threads. MLC_SHAPES_SEEDS=FIRST:COUNT in the environment is another range of seeds, for long runs.
"""
import argparse
import math
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx

from harness import Failure, call, check_same_bits, run_all, run_outputs, save_feeds
from narrow import TYPES
from plain import UNARY, Model

THREADS = (1, 2, 3)
# Largest error over the scale of the result (see plain.py).
BOUNDS = {"strict": 5e-6, "default": 1e-5, "fast": 1e-5}
# Of f16 and bf16: two half steps at 1, the result's rounding and that of what is moved beside inputs.
NARROW_BOUNDS = {"f16": 2**-10, "bf16": 2**-7}
TARGETS = {"x86-64-v2": "sse4_2", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}
CORNERS = [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65]
ACTIVATIONS = ["Relu", "HardSwish", "Sigmoid", "Tanh", "LeakyRelu", "Gelu", "Elu"]


class Shapes:
    """Sizes drawn by chance."""

    def __init__(self, rng):
        self.rng = rng

    def below(self, high):
        return int(self.rng.integers(high))

    def chance(self, share):
        return self.rng.random() < share

    def choice(self, items):
        return items[self.below(len(items))]

    def dim(self, high=65):
        corners = [c for c in CORNERS if c <= high]
        return self.choice(corners) if self.chance(0.4) else 1 + self.below(high)

    def dims(self, count, most):
        """`count` sizes whose product is at most `most`."""
        while True:
            sizes = [self.dim() for _ in range(count)]
            if math.prod(sizes) <= most:
                return sizes

    def axes(self, rank):
        """Some axes, at least one, each from the front or from the back."""
        chosen = [a for a in range(rank) if self.chance(0.5)] or [self.below(rank)]
        return [a - rank * self.chance(0.3) for a in chosen]

    def narrowed(self, shape):
        """A shape that broadcasts to `shape`: with ones in it, or fewer dimensions."""
        narrow = [1 if self.chance(0.3) else n for n in shape]
        return tuple(narrow[self.below(len(shape)) :]) if shape and self.chance(0.4) else tuple(narrow)


def follow(m, s, y):
    """What kernels do behind a sum, by chance: a bias, an activation, a residual."""
    for _ in range(s.below(4)):
        kind = s.below(6)
        if kind == 0:
            y = m.unary(s.choice(ACTIVATIONS), y)
        elif kind == 1:
            y = m.clip(y, 0, 6)
        elif kind == 2:
            y = m.add(y, m.input(y.shape))
        elif kind == 3:
            y = m.mul(y, m.unary("Sigmoid", y))
        elif kind == 4:
            y = m.add(y, m.either(s.narrowed(y.shape)))
        else:
            y = m.mul(y, m.const(m.random(s.narrowed(y.shape), 0.5, 1.5)))
    return y


# ---- the pieces

def matmul(m, s):
    rows, inner, cols = s.dims(3, 65**3)
    batch = s.dims(s.below(3), 40)
    left, right = (tuple(s.narrowed(batch)) if batch and s.chance(0.5) else tuple(batch) for _ in range(2))
    if not s.chance(0.5):
        right = ()

    def operand(shape):
        if s.chance(0.4):  # held the other way round
            return m.swap_last(m.either(shape[:-2] + (shape[-1], shape[-2])))
        return m.either(shape)

    x, y = operand(left + (rows, inner)), operand(right + (inner, cols))
    return follow(m, s, m.matmul(x, y))


def matmul_of_vectors(m, s):
    inner, other = s.dim(), s.dim()
    shapes = s.choice([((inner,), (inner, other)), ((other, inner), (inner,)), ((inner,), (inner,)), ((2, other, inner), (inner,))])
    x, y = m.input(shapes[0]), m.either(shapes[1])
    return follow(m, s, m.matmul(x, y)) if len(shapes[0]) + len(shapes[1]) > 2 else m.matmul(x, y)


def gemm(m, s):
    rows, inner, cols = s.dims(3, 65**3)
    trans_a, trans_b = s.chance(0.5), s.chance(0.5)
    a = m.either((inner, rows) if trans_a else (rows, inner))
    b = m.either((cols, inner) if trans_b else (inner, cols))
    c = s.choice([None, (), (1,), (cols,), (1, cols), (rows, 1), (rows, cols)])
    alpha, beta = s.choice([1.0, 0.5, -2.0]), s.choice([1.0, 0.25, 3.0])
    return follow(m, s, m.gemm(a, b, None if c is None else m.either(c), alpha, beta, trans_a, trans_b))


def weights(m, shape):
    return m.const(m.random(shape) / np.float32(math.sqrt(math.prod(shape[1:]))))


def conv_of(m, s, rank, kernel, group_of):
    """A convolution of `rank` spatial dimensions; `group_of(channels in, out)` gives channels and groups that fit."""
    strides = [s.choice([1, 1, 1, 2, 3]) for _ in range(rank)]
    dilations = [s.choice([1, 1, 1, 2, 3]) for _ in range(rank)]
    pads = [s.below(k + 1) if s.chance(0.6) else 0 for k in kernel * 2]
    while True:
        cin, cout, group = group_of(s.dim(), s.dim())
        size, batch = s.dims(rank, 65**2), s.choice([1, 1, 2, 3])
        reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
        fits = all(n + pads[i] + pads[i + rank] >= r for i, (n, r) in enumerate(zip(size, reach)))
        if fits and batch * math.prod(size) * cin * cout // group * math.prod(kernel) < 3e7:
            break
    w = (cout, cin // group, *kernel)
    y = m.conv(m.input((batch, cin, *size)), weights(m, w) if s.chance(0.9) else m.input(w),
               m.either((cout,)) if s.chance(0.7) else None, strides, dilations, pads, group)
    return follow(m, s, y)


def conv(m, s):
    rank = s.choice([2, 2, 2, 1, 3])
    side = s.choice([1, 2, 3, 3, 5, 7]) if rank < 3 else s.choice([1, 2, 3])
    kernel = [side] * rank if s.chance(0.7) else [1 + s.below(5 if rank < 3 else 3) for _ in range(rank)]
    return conv_of(m, s, rank, kernel, lambda cin, cout: (cin, cout, 1))


def conv_grouped(m, s):
    def grouped(cin, cout):
        group = 1 + s.below(8)
        return group * (1 + cin // group), group * (1 + cout // group), group

    return conv_of(m, s, 2, s.choice([[1, 1], [3, 3], [3, 2], [5, 5]]), grouped)


def conv_depthwise(m, s):
    def depthwise(cin, _):
        return cin, cin * s.choice([1, 1, 1, 2]), cin

    rank = s.choice([2, 2, 2, 1, 3])
    return conv_of(m, s, rank, [s.choice([2, 3, 3, 5])] * rank, depthwise)


def conv_transpose(m, s):
    rank = s.choice([2, 2, 2, 1, 3])
    kernel = [1 + s.below(5 if rank < 3 else 3) for _ in range(rank)]
    strides = [s.choice([1, 2, 2, 3]) for _ in range(rank)]
    dilations = [s.choice([1, 1, 1, 2]) for _ in range(rank)]
    extra = [s.below(k) if s.chance(0.3) else 0 for k in strides]
    group = 1 if s.chance(0.7) else 1 + s.below(4)
    while True:
        size, batch, cin, cout = s.dims(rank, 1000), s.choice([1, 1, 2]), s.dim(), s.dim()
        reach = [(n - 1) * t + (k - 1) * d + 1 for n, t, k, d in zip(size, strides, kernel, dilations)]
        if batch * math.prod(size) * cin * cout * group * math.prod(kernel) < 1e7:
            break
    pads = [s.below(min(3, 1 + (r - 1) // 2)) for r in reach * 2]
    w = (cin * group, cout, *kernel)
    y = m.conv_transpose(m.input((batch, cin * group, *size)), weights(m, w), m.const((cout * group,)) if s.chance(0.7) else None,
                         strides, dilations, pads, extra, group)
    return follow(m, s, y)


def conv_3x3(m, s):
    """What Winograd's algorithm may take, twice in a row."""
    cin, middle, cout = s.dim(), s.dim(), s.dim()
    height, width = s.dims(2, 1500)
    pads = [1] * 4 if s.chance(0.7) else [s.below(3) for _ in range(4)]
    if height + pads[0] + pads[2] < 3 or width + pads[1] + pads[3] < 3:
        pads = [1] * 4
    y = m.conv(m.input((1, cin, height, width)), weights(m, (middle, cin, 3, 3)), m.const((middle,)), [1, 1], [1, 1], pads, 1)
    y = follow(m, s, y)
    return follow(m, s, m.conv(y, weights(m, (cout, middle, 3, 3)), m.const((cout,)), [1, 1], [1, 1], [1] * 4, 1))


def conv_volume(m, s):
    """The same over frames: a filter of three dimensions, 3 x 3 in the last two."""
    cin, cout, depth = 16 + s.below(49), 16 + s.below(49), 1 + s.below(3)
    stride, dilation = s.choice([1, 1, 2]), s.choice([1, 1, 2])
    reach = (depth - 1) * dilation + 1
    frames = reach + s.below(4)
    height, width = (5 + s.below(20) for _ in range(2))
    side = s.choice([0, 1, 1])
    pads = [s.below(2), side, side, s.below(2), side, side]
    y = m.conv(m.input((s.choice([1, 1, 2]), cin, frames, height, width)), weights(m, (cout, cin, depth, 3, 3)),
               m.const((cout,)) if s.chance(0.7) else None, [stride, 1, 1], [dilation, 1, 1], pads, 1)
    return follow(m, s, y)


def conv_pairs(m, s):
    """An inverted residual: pointwise, depthwise, pointwise."""
    cin, middle = s.dim(), s.dim()
    height, width = s.dims(2, 1000)
    kernel, stride = s.choice([3, 5]), s.choice([1, 2])
    x = m.input((s.choice([1, 2]), cin, height, width))
    y = m.conv(x, weights(m, (middle, cin, 1, 1)), m.const((middle,)), [1, 1], [1, 1], [0] * 4, 1)
    y = m.clip(y, 0, 6) if s.chance(0.5) else m.unary("HardSwish", y)
    y = m.conv(y, weights(m, (middle, 1, kernel, kernel)), m.const((middle,)), [stride] * 2, [1, 1], [kernel // 2] * 4, middle)
    y = m.clip(y, 0, 6) if s.chance(0.5) else m.mul(y, m.unary("Sigmoid", y))
    if s.chance(0.3):  # squeeze and excite
        scale = m.conv(m.global_pool("GlobalAveragePool", y), weights(m, (middle, middle, 1, 1)), m.const((middle,)), [1, 1], [1, 1],
                       [0] * 4, 1)
        y = m.mul(y, m.unary("HardSigmoid", scale))
    y = m.conv(y, weights(m, (cin, middle, 1, 1)), m.const((cin,)), [1, 1], [1, 1], [0] * 4, 1)
    return m.add(x, y) if stride == 1 else follow(m, s, y)


def residual_images(m, s):
    """Blocks of convolutions whose sums go on to the next block: each may be written over what it is added to."""
    channels, middle = s.dim(), s.dim()
    height, width = s.dims(2, 600)
    batch = s.choice([1, 1, 2])

    def block(x, cin, side, cout):
        return m.conv(x, weights(m, (cout, cin, side, side)), m.const((cout,)), [1, 1], [1, 1], [side // 2] * 4, 1)

    x = m.unary("Relu", block(m.input((batch, middle, height, width)), middle, 1, channels))
    for _ in range(1 + s.below(3)):
        y = m.unary("Relu", block(x, channels, s.choice([1, 3]), middle))
        y = block(y, middle, s.choice([1, 1, 3]), channels)
        again = x if s.chance(0.2) else None  # read once more, after it was added
        x = m.unary("Relu", m.add(x, y))
        x = m.mul(x, again) if again else x
    return block(x, channels, 1, 1 + s.below(8))


def residual_rows(m, s):
    """The same with products of rows, norms and softmax, as in transformers."""
    rows, inner, wide = s.dims(3, 65**3)
    lead = s.choice([(), (1,), (2,)])

    def product(x, inner, cols):
        return m.matmul(x, m.const(m.random((inner, cols)) / np.float32(math.sqrt(inner))))

    x = product(m.input(lead + (rows, inner)), inner, inner)
    for _ in range(1 + s.below(3)):
        kind = s.below(4)
        if kind == 0:
            y = product(m.unary("Tanh", product(x, inner, wide)), wide, inner)
        elif kind == 1:
            y = m.softmax("Softmax", x, -1)
        elif kind == 2:
            y = m.layer_norm(x, m.const((inner,)), m.const((inner,)), -1, 0.125)
        else:
            y = product(m.unary("Sigmoid", x), inner, inner)
        x = m.layer_norm(m.add(x, y), m.const((inner,)), None, -1, 0.125) if s.chance(0.4) else m.add(y, x)
    return product(x, inner, 1 + s.below(8))


def pool(m, s):
    rank = s.choice([2, 2, 2, 1, 3])
    op = s.choice(["max", "average", "average", "global"])
    shape = (s.choice([1, 2, 3]), *s.dims(rank + 1, 40000))
    if op == "global":
        return m.global_pool(s.choice(["GlobalMaxPool", "GlobalAveragePool"]), m.input(shape))
    while True:
        kernel = [1 + s.below(5) for _ in range(rank)]
        strides = [1 + s.below(3) for _ in range(rank)]
        dilations = [s.choice([1, 1, 2]) for _ in range(rank)]
        pads = [s.below(k) if s.chance(0.5) else 0 for k in kernel * 2]
        reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
        if all(n + min(pads[i], pads[i + rank]) >= r for i, (n, r) in enumerate(zip(shape[2:], reach))):
            break
    ceil = s.chance(0.4)
    x = m.input(shape)
    if op == "max":
        return m.max_pool(x, kernel, strides, dilations, pads, ceil)
    return m.average_pool(x, kernel, strides, dilations, pads, ceil, s.chance(0.5))


def softmax(m, s):
    shape = s.dims(1 + s.below(4), 65**2 * 4)
    axis = s.below(len(shape))
    x = m.input(shape)
    if s.chance(0.4):
        x = m.add(m.mul(x, m.const(np.float32(3))), m.either(s.narrowed(shape)))
    return m.softmax(s.choice(["Softmax", "Softmax", "LogSoftmax"]), x, axis - len(shape) * s.chance(0.5))


def layer_norm(m, s):
    shape = tuple(s.dims(1 + s.below(4), 65**2 * 4))
    axis = s.below(len(shape))
    x = m.input(shape)
    if s.chance(0.5):
        x = m.add(x, m.input(shape))
    return m.layer_norm(x, m.const(shape[axis:]), m.const(shape[axis:]) if s.chance(0.7) else None,
                        axis - len(shape) * s.chance(0.5), 0.125)


def spelled_norm(m, s):
    """A layer or RMS norm in plain operators, as exporters wrote it."""
    shape = s.dims(2 + s.below(2), 65**2 * 4)
    x = m.input(shape, 0.5, 2)
    if s.chance(0.5):
        x = m.sub(x, m.reduce("ReduceMean", x, [-1], True))
    spread = m.reduce("ReduceMean", m.mul(x, x), [-1], True)
    spread = m.add(spread, m.const(np.float32(0.125)))
    root = m.one("Sqrt", [spread], np.sqrt(spread.data), spread.scale / np.sqrt(spread.data.min()))
    return m.mul(m.div(x, root), m.const((shape[-1],)))


def instance_norm(m, s):
    shape = (s.choice([1, 2, 3]), *s.dims(1 + 1 + s.below(3), 65**2 * 4))
    channels = (shape[1],)
    return follow(m, s, m.instance_norm(m.input(shape), m.const(channels), m.const(channels), 0.125))


def reduction(m, s):
    shape = s.dims(1 + s.below(4), 65**2 * 8)
    x = m.input(shape)
    if s.chance(0.4):
        x = follow(m, s, x)
    op = s.choice(["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceSumSquare"])
    keep = s.chance(0.5)
    y = m.reduce(op, x, s.axes(len(shape)) if s.chance(0.85) else [], keep)
    return m.sub(x, y) if keep and s.chance(0.4) else y


def broadcasts(m, s):
    shape = s.dims(1 + s.below(4), 65**2 * 4)
    y = m.input(s.narrowed(shape))
    for _ in range(1 + s.below(5)):
        kind = s.below(5)
        if kind == 0:
            y = m.unary(s.choice(sorted(UNARY)), y)
        elif kind == 1:
            y = m.extreme(s.choice(["Max", "Min"]), [y, m.either(s.narrowed(shape)), m.either(s.narrowed(shape))])
        elif kind == 2:
            y = m.div(y, m.input(s.narrowed(shape), 0.5, 2))
        else:
            y = s.choice([m.add, m.sub])(*s.choice([lambda a, b: (a, b), lambda a, b: (b, a)])(y, m.either(s.narrowed(shape))))
    return y


def movement(m, s):
    x = m.input(s.dims(1 + s.below(4), 65**2))
    for _ in range(1 + s.below(5)):
        if x.shape:  # a scalar has nowhere to go
            x = move_once(m, s, x)
    return x


def move_once(m, s, x):
    rank = x.data.ndim
    axis = s.below(rank)
    size = x.shape[axis]
    kind = s.below(10)
    if kind == 0:
        return m.transpose(x, m.rng.permutation(rank))
    if kind == 1 and size > 1:
        cut = 1 + s.below(size - 1)
        parts = m.split(x, [cut, size - cut], axis)
        return m.concat(parts[::-1], axis) if s.chance(0.5) else parts[s.below(2)]
    if kind == 2:
        other = list(x.shape)
        other[axis] = s.dim(9)
        return m.concat([x, m.either(tuple(other))][:: s.choice([1, -1])], axis)
    if kind == 3:
        start, step = s.below(size), 1 + s.below(3)
        return m.slice(x, axis, start, size, step)
    if kind == 4:
        return m.slice(x, axis, size - 1, -(2**31), -1 - s.below(3))
    if kind == 5:
        return m.pad(x, *([s.below(4) for _ in range(rank)] for _ in range(2)), s.choice([0, 0.5]))
    if kind == 6:
        indices = m.rng.integers(-size, size, tuple(s.dims(s.below(2), 9)))
        return m.gather(x, indices, axis, s.chance(0.5))
    if kind == 7 and x.data.size < 3000:
        return m.tile(x, [1 + s.below(3) for _ in range(rank)])
    if kind == 8:
        return m.reshape(x, [math.prod(x.shape[:axis]), math.prod(x.shape[axis:])])
    if kind == 9 and x.data.size < 3000:
        return m.expand(m.reshape(x, [*x.shape[:axis], 1, *x.shape[axis:]]), [*x.shape[:axis], 3, *x.shape[axis:]])
    return follow(m, s, x)


def attention(m, s):
    batch, heads = s.choice([1, 1, 2]), 1 + s.below(4)
    queries, keys, width = s.dims(3, 65**3)
    q, v = m.input((batch, heads, queries, width)), m.input((batch, heads, keys, width))
    k = m.swap_last(m.input((batch, heads, keys, width))) if s.chance(0.7) else m.input((batch, heads, width, keys))
    scores = m.matmul(q, k)
    scores = m.mul(scores, m.const(np.float32(1 / math.sqrt(width))))
    if s.chance(0.6):
        mask = np.where(m.rng.random((queries, keys)) < 0.3, -1e4, 0).astype(np.float32)
        mask[:, s.below(keys)] = 0  # a row that is all masked would show the rounding of -1e4 + score
        size = scores.scale
        scores = m.add(scores, m.const(mask) if s.chance(0.5) else m.give(mask[None, None]))
        scores.scale = size  # what is masked vanishes; to the others nothing is added
    y = m.matmul(m.softmax("Softmax", scores, -1), v)
    return m.reshape(m.transpose(y, [0, 2, 1, 3]), [batch, queries, heads * width]) if s.chance(0.5) else y


PIECES = [matmul, matmul_of_vectors, gemm, conv, conv_grouped, conv_depthwise, conv_transpose, conv_3x3, conv_pairs, pool, softmax, layer_norm,
          spelled_norm, instance_norm, reduction, broadcasts, movement, attention, residual_images, residual_rows, conv_volume]


# ---- one seed

def possible_targets():
    try:
        flags = Path("/proc/cpuinfo").read_text().split()
    except OSError:
        flags = []
    return ["host"] + [target for target, flag in TARGETS.items() if flag in flags]


def check_bounds(names, got, wanted, bound):
    """The largest error, over the scales of the results."""
    worst = 0.0
    for name, g, w in zip(names, got, wanted, strict=True):
        if g.shape != w.shape:
            raise Failure(f"output {name}: expected {list(w.shape)}, got {list(g.shape)}")
        error = np.abs(g.astype(np.float64) - w.data).max() / (w.scale or 1.0) if g.size else 0.0
        if not error <= bound:
            raise Failure(f"output {name} of shape {list(w.shape)}: error {error:.1e} of {w.scale:.3g}, at most {bound:.0e} allowed")
        worst = max(worst, error)
    return worst


def make_model(seed, only, dtype):
    m = Model(np.random.default_rng(seed), dtype)
    for index, piece in enumerate(PIECES):
        if only in piece.__name__:
            m.rng = np.random.default_rng([seed, index])  # a piece alone is the same piece
            m.output(piece(m, Shapes(m.rng)), piece.__name__)
    return m


def test_model(mlc, m, target, numerics, bound, folder):
    """The largest error of the model, compiled so."""
    folder.mkdir()
    onnx.save(m.proto(), folder / "m.onnx")
    flags = save_feeds(m.feeds, folder)
    names, wanted = list(m.outputs), list(m.outputs.values())
    result = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so", "--target", target, "--numerics", numerics)
    if result.code:
        raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
    runs = [[g.view(m.dtype) for g in run_outputs(mlc, folder / "m.so", flags, names, folder / f"out{t}", t)] for t in THREADS]
    error = check_bounds(names, runs[0], wanted, bound)
    for threads, outputs in zip(THREADS[1:], runs[1:]):
        check_same_bits(names, runs[0], outputs, f"{threads} threads against 1")
    return error


def test_seed(mlc, seed, only, folder):
    target = Shapes(np.random.default_rng(seed)).choice(possible_targets())
    narrow = list(TYPES)[seed % 2]
    models = [(name, np.dtype(np.float32), name, bound) for name, bound in BOUNDS.items()]
    errors = {}
    for name, dtype, numerics, bound in [*models, (narrow, TYPES[narrow], "default", NARROW_BOUNDS[narrow])]:
        try:
            errors[name] = test_model(mlc, make_model(seed, only, dtype), target, numerics, bound, folder / name)
        except Failure as failure:
            kind = "" if dtype == np.float32 else f" of {name}"
            raise type(failure)(f"seed {seed}{kind}, --target={target} --numerics={numerics}: {failure}") from None
    return errors


def main():
    first, count = map(int, os.environ.get("MLC_SHAPES_SEEDS", "1:6").split(":"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=first)
    parser.add_argument("--models", type=int, default=count)
    parser.add_argument("--only", default="", help="only pieces whose name contains this")
    parser.add_argument("--keep", type=Path, help="leave models and results here")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="mlc-shapes-") as scratch:
        def test(seed):
            if not args.keep:
                with tempfile.TemporaryDirectory(dir=scratch) as folder:
                    return test_seed(args.mlc, seed, args.only, Path(folder))
            folder = args.keep / str(seed)
            folder.mkdir(parents=True, exist_ok=True)
            return test_seed(args.mlc, seed, args.only, folder)

        results = run_all({f"seed {seed}": lambda seed=seed: test(seed) for seed in range(args.seed, args.seed + args.models)}, args.jobs)
    passed = [r for r in results.values() if isinstance(r, dict)]
    for name in [*BOUNDS, *TYPES]:
        print(f"{name}: largest error {max((r[name] for r in passed if name in r), default=math.nan):.1e} of the result's scale")
    print(f"{len(passed)} passed, {len(results) - len(passed)} failed")
    return len(passed) != len(results)


if __name__ == "__main__":
    sys.exit(main())
