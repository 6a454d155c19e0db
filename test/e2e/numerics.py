"""The contract of docs/numerics.md, held against hostile numbers.

    python numerics.py --mlc build/release/bin/mlc [--only PIECE] [--against ADVERSARY] [--seed N] [--verbose]

One model has a piece of every kind of kernel, of sizes that meet every schedule: Strassen's algorithm, blocks, Winograd's two, and edges of all. It is compiled in each mode and
run with 1 and 2 threads on samples that an adversary made: scaled by 1e-30 to 1e30, poisoned, zero, cancelling. Every element is judged by itself against float64 (plain.py):

- its error is at most ULPS times the epsilon of f32 times its `floor`, which is what the classical algorithm's error is bounded by (a product's |x| |w|), or its row's at most
  WORSE times onnxruntime's on that row;
- where the row is well conditioned, the row's error is at most 1e-5 of it;
- what has a floor of zero is exact; NaN and infinities are where the reference has them (Winograd's algorithm: within the tile), and nowhere else;
- a sample that was not poisoned has the bits that it has beside samples that nobody poisoned.

Under `default` a convolution by Winograd's algorithm has the floor of its tile, under `fast` each piece the largest of all floors.
"""
import argparse
import math
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

from harness import Failure, call, check_same_bits, largest_of_rows, row_axes, run_all, run_outputs, save_feeds
from plain import UNARY, Model, convolve, erf, scatter

THREADS = (1, 2)
MODES = ("strict", "default", "fast")
EPSILON = float(np.finfo(np.float32).eps)
TINY = 2.0**-149
ULPS = {"strict": 4, "default": 4, "fast": 64}
ULPS_OF_TILE = 8  # of the floor of a tile
ULPS_ALIKE = 80    # of a sum of equal numbers, whatever onnxruntime makes of it
WORSE = 4
WELL = 64      # a row is well conditioned whose floor is at most this times its largest element
TILE = 4       # outputs of a tile of Winograd's algorithm
MOST = 1e36    # results whose floor is beyond may leave the range of f32


# ---- adversaries: they change samples (axis 0), whose channels are `axis`

def along(x, axis, factors):
    return x * factors.reshape([-1 if i == axis % x.ndim else 1 for i in range(x.ndim)])


def plain(x, axis, rng):
    return x


def samples_scaled(x, axis, rng):
    return along(x, 0, 10.0 ** rng.uniform(-30, 30, len(x)))


def samples_scaled_by_powers_of_two(x, axis, rng):
    return along(x, 0, 2.0 ** rng.integers(-99, 100, len(x)))


def one_sample_large(x, axis, rng):
    x[0] *= 1e6
    return x


def channels_scaled(x, axis, rng):
    return along(x, axis, 10.0 ** rng.uniform(-30, 30, x.shape[axis]))


def inner_slices_scaled(x, axis, rng):
    return along(x, axis, np.where(np.arange(x.shape[axis]) < x.shape[axis] // 2, 1e-5, 1.0))


def massive_channels(x, axis, rng):
    factors = np.ones(x.shape[axis])
    factors[rng.integers(x.shape[axis], size=3)] = 1000
    return along(x, axis, factors)


def zero_samples(x, axis, rng):
    x[rng.random(len(x)) < 0.4] = 0
    x[0] = 0
    return x


def zero_places(x, axis, rng):
    """Zero but for a few channels' worth of places: halves of images, rows of tokens."""
    if x.ndim > 2:
        other = 1 if axis % x.ndim != 1 else 2
        np.moveaxis(x, other, 0)[: x.shape[other] // 2] = 0
    return x


def denormal_samples(x, axis, rng):
    x[::2] *= 1e-40
    return x


def cancelling(x, axis, rng):
    """The second half of the channels is the first with another sign, but for a thousandth."""
    channels = np.moveaxis(x, axis, 0)
    half = len(channels) // 2
    channels[half : 2 * half] = -channels[:half] * np.float32(1.001)
    return x


def mixed(x, axis, rng):
    kinds = [plain, channels_scaled, massive_channels, denormal_samples, cancelling, zero_samples, inner_slices_scaled]
    for i in range(len(x)):
        x[i : i + 1] = kinds[rng.integers(len(kinds))](x[i : i + 1].copy(), axis, rng)
    return along(x, 0, 10.0 ** rng.uniform(-3, 3, len(x)))


def poisoned(value):
    def poison(x, axis, rng):
        if len(x) > 1:
            x.reshape(len(x), -1)[POISONED % len(x), x[0].size // 3] = value
        return x

    poison.__name__ = f"poisoned_by_{value}"
    return poison


POISONED = 3
POISONS = [poisoned(v) for v in (math.nan, math.inf, 1e30)]
ADVERSARIES = [plain, samples_scaled, samples_scaled_by_powers_of_two, one_sample_large, channels_scaled, inner_slices_scaled, massive_channels, zero_samples,
               zero_places, denormal_samples, cancelling, mixed, *POISONS]


# ---- pieces: each gives a result whose axis 0 are the samples, and the floor of each element

class Hostile(Model):
    """A model whose samples an adversary makes; weights and other inputs depend on the seed alone."""

    def __init__(self, seed, adversary):
        super().__init__(np.random.default_rng(seed))
        self.adversary, self.seed = adversary, seed

    def samples(self, shape, axis=-1, low=None, high=None, alike=False):
        """Where they are alike, all elements of a sample are equal, so that all roundings of a sum are, too."""
        drawn = (shape[0], *[1] * (len(shape) - 1)) if alike else shape
        x = self.random(drawn, low, high).astype(np.float64)
        x = self.adversary(x, axis, np.random.default_rng([self.seed, len(self.feeds)]))
        with np.errstate(over="ignore"):
            return self.give(np.broadcast_to(x, shape).astype(np.float32))


@dataclass
class Result:
    value: object        # plain.Value
    floor: np.ndarray    # of each element
    tile: np.ndarray = None  # floors by Winograd's algorithm
    is_sum: bool = True  # rows may leave the range of f32 on their way where it is none
    alike: bool = False  # it sums numbers that are equal, where a chain's error is that of one rounding times its length


def product(m, x, w, bias=None):
    y = m.matmul(x, w)
    floor = np.abs(x.data) @ np.abs(w.data)
    if bias:
        y, floor = m.add(y, bias), floor + np.abs(bias.data)
    return Result(y, floor)


def matrix(m, inner, cols, scaled=False):
    w = m.random((inner, cols)) / np.float32(math.sqrt(inner))
    if scaled:
        w *= (10.0 ** m.rng.uniform(-4, 4, cols)).astype(np.float32) * (10.0 ** m.rng.uniform(-4, 4, (inner, 1))).astype(np.float32)
    return m.const(w)


def product_256(m):
    return product(m, m.samples((256, 1024)), matrix(m, 1024, 1024))


def product_of_scaled_weights(m):
    return product(m, m.samples((256, 512)), matrix(m, 512, 768, True), m.const((768,)))


def product_in_parts(m):
    return product(m, m.samples((128, 3072)), matrix(m, 3072, 768))


def product_ragged(m):
    return product(m, m.samples((197, 769)), matrix(m, 769, 385))


def product_with_halved_weights(m):
    """Halves of the weights are equal, so that what cancels in a sample cancels in the sum."""
    w = m.random((256, 512)) / np.float32(16)
    return product(m, m.samples((200, 512)), m.const(np.concatenate([w, w])))


def product_alike(m, shape=(70, 1024)):
    w = np.broadcast_to(m.random((1, 96), 0.5, 2), (shape[1], 96))
    result = product(m, m.samples(shape, low=0.5, high=2, alike=True), m.const(np.ascontiguousarray(w)))
    return replace(result, alike=True)


def product_alike_prime(m):
    return product_alike(m, (70, 1009))


def product_alike_row(m):
    return product_alike(m, (1, 3072))


def product_small(m):
    return product(m, m.samples((7, 33)), matrix(m, 33, 65), m.const((65,)))


def product_of_a_row(m):
    return product(m, m.samples((1, 1000)), matrix(m, 1000, 64))


def product_of_two(m):
    return product(m, m.samples((512, 512)), m.input((512, 512)))


def product_of_two_in_blocks(m):
    return product(m, m.samples((1024, 1056)), m.input((1056, 260)))


def product_batched(m):
    return product(m, m.samples((4, 96, 64)), m.input((4, 64, 97)))


def product_transposed(m):
    return product(m, m.samples((150, 72)), m.swap_last(m.input((130, 72))))


def tile_floor(x, w, pads):
    """By Winograd's algorithm: what the largest element of each channel of an output's tile would give at all taps."""
    size = [n + pads[i] + pads[i + 2] - 2 for i, n in enumerate(x.shape[2:])]
    x = np.pad(x, [(0, 0), (0, 0), *((pads[i], pads[i + 2] + TILE + 2) for i in range(2))])
    tiles = [-(-n // TILE) for n in size]
    largest = np.stack([[x[:, :, i * TILE : i * TILE + TILE + 2, j * TILE : j * TILE + TILE + 2].max((2, 3)) for j in range(tiles[1])] for i in range(tiles[0])])
    floor = np.einsum("ijnc,fc->nfij", largest, w.sum((2, 3)))
    return floor.repeat(TILE, 2).repeat(TILE, 3)[:, :, : size[0], : size[1]]


def convolution(m, shape, filters, stride=1, dilation=1, pad=None, group=1, taps=None, bias=False, post_relu=False):
    rank = len(shape) - 2
    x = m.samples(shape, 1)
    if post_relu:
        x = m.unary("Relu", x)
    w = m.random((filters[0], shape[1] // group, *filters[1:])) / np.float32(math.sqrt(shape[1] // group * math.prod(filters[1:])))
    w = m.const(w if taps is None else w * taps)
    b = m.const((filters[0],)) if bias else None
    pads = ([k // 2 * dilation for k in filters[1:]] if pad is None else [pad] * rank) * 2
    y = m.conv(x, w, b, [stride] * rank, [dilation] * rank, pads, group)
    around = np.abs(b.data).reshape(-1, *[1] * rank) if b else 0
    floor = convolve(np.abs(x.data), np.abs(w.data), [stride] * rank, [dilation] * rank, pads, group) + around
    is_winograd = filters[1:] == (3, 3) and stride == dilation == group == 1
    return Result(y, floor, tile_floor(np.abs(x.data), np.abs(w.data), pads) + around if is_winograd else None)


def conv_alike(m):
    """61,504 products: blocks of the sum within blocks."""
    x = m.samples((4, 64, 31, 31), 1, 0.5, 2, alike=True)
    w = m.const(np.full((8, 64, 31, 31), 0.3, np.float32))
    y = m.conv(x, w, None, [1, 1], [1, 1], [0] * 4, 1)
    return Result(y, np.abs(y.data), alike=True)


def conv_1x1(m):
    return convolution(m, (8, 64, 14, 14), (128, 1, 1))


def conv_1x1_large(m):
    return convolution(m, (8, 512, 14, 14), (256, 1, 1), bias=True)


def conv_1x1_strided(m):
    return convolution(m, (4, 48, 15, 15), (96, 1, 1), stride=2)


def conv_3x3_four(m):
    return convolution(m, (6, 64, 28, 28), (64, 3, 3), post_relu=True)


def conv_3x3_deep(m):
    return convolution(m, (4, 256, 14, 14), (128, 3, 3), bias=True)


def conv_3x3_two(m):
    return convolution(m, (4, 256, 7, 7), (256, 3, 3))


def conv_3x3_ragged(m):
    return convolution(m, (4, 40, 19, 23), (72, 3, 3), pad=0)


def conv_3x3_alone(m):
    return convolution(m, (1, 64, 56, 56), (64, 3, 3))


def conv_3x3_corners(m):
    """Filters of one tap, where Winograd's algorithm computes many and subtracts them."""
    corner = np.zeros((3, 3), np.float32)
    corner[2, 2] = 1
    return convolution(m, (4, 64, 16, 16), (64, 3, 3), taps=corner)


def conv_3x3_taps(m):
    return convolution(m, (4, 64, 16, 16), (64, 3, 3), taps=(10.0 ** np.arange(-4, 5)).astype(np.float32).reshape(3, 3))


def conv_3x3_strided(m):
    return convolution(m, (4, 32, 17, 17), (64, 3, 3), stride=2)


def conv_3x3_dilated(m):
    return convolution(m, (4, 32, 16, 16), (32, 3, 3), dilation=2)


def conv_7x7_strided(m):
    return convolution(m, (4, 3, 33, 33), (32, 7, 7), stride=2)


def conv_grouped(m):
    return convolution(m, (4, 64, 14, 14), (64, 3, 3), group=8)


def conv_depthwise(m):
    return convolution(m, (4, 72, 14, 14), (72, 3, 3), group=72)


def conv_volume(m):
    return convolution(m, (4, 16, 4, 9, 9), (24, 3, 3, 3))


def conv_line(m):
    return convolution(m, (4, 40, 65), (48, 5))


def transposed(m, shape, filters, stride, pad=0, extra=0, dilation=1, group=1, bias=False):
    rank = len(shape) - 2
    x = m.samples(shape, 1)
    w = m.const(m.random((shape[1], filters[0] // group, *filters[1:])) / np.float32(math.sqrt(shape[1])))
    b = m.const((filters[0],)) if bias else None
    how = [stride] * rank, [dilation] * rank, [pad] * 2 * rank, [extra] * rank, group
    y = m.conv_transpose(x, w, b, *how)
    around = np.abs(b.data).reshape(-1, *[1] * rank) if b else 0
    return Result(y, scatter(np.abs(x.data), np.abs(w.data), *how) + around)


def transposed_3x3_strided(m):
    """Phases with taps of their own."""
    return transposed(m, (4, 24, 9, 9), (20, 3, 3), 2, pad=1, extra=1, bias=True)


def transposed_4x4_strided(m):
    return transposed(m, (4, 24, 8, 8), (20, 4, 4), 2, pad=1)


def transposed_4x4_strided_by_3(m):
    return transposed(m, (4, 16, 20, 21), (12, 4, 4), 3, bias=True)


def transposed_2x2_strided_by_3(m):
    """Phases without taps: zeros, or the bias."""
    return transposed(m, (4, 16, 9, 9), (12, 2, 2), 3, group=2, bias=True)


def transposed_dilated(m):
    return transposed(m, (4, 16, 9, 9), (12, 4, 4), 2, dilation=3)


def transposed_line(m):
    return transposed(m, (4, 24, 40), (16, 7), 3, pad=2, dilation=2, bias=True)


def attention(m, heads=3, queries=50, keys=50, width=32, mask=None):
    q, k, v = (m.samples((4, heads, n, width)) for n in (queries, keys, keys))
    scale = m.const(np.float32(1 / math.sqrt(width)))
    scores = m.mul(m.matmul(q, m.swap_last(k)), scale)
    size = np.abs(q.data) @ np.abs(k.data).swapaxes(-1, -2) / math.sqrt(width)
    shares = m.softmax("Softmax", scores, -1)
    y = m.matmul(shares, v)
    # A share's error is that of its score, which is as large as the products that it sums up.
    floor = (shares.data * (1 + size)) @ np.abs(v.data) + (shares.data * size).sum(-1, keepdims=True) * (shares.data @ np.abs(v.data))
    return Result(y, floor, is_sum=False)


def attention_long(m):
    return attention(m, 2, 130, 257, 64)


def windows_of_swin(m):
    """Rows of padding, a product, and attention by cosine, which makes rows that should be zero and are not as long as the others."""
    count, width = 49, 96
    x = m.samples((8, count, width))
    q, k, v = (m.matmul(x, matrix(m, width, width)) for _ in range(3))

    def unit(t):
        length = m.reduce("ReduceL2", t, [-1], True)
        least = m.const(np.float32(1e-12))
        return m.div(t, m.extreme("Max", [length, least]))

    scores = m.mul(m.matmul(unit(q), m.swap_last(unit(k))), m.const(np.float32(10)))
    y = m.matmul(m.softmax("Softmax", scores, -1), v)
    floor = np.broadcast_to((10 * np.abs(v.data).max((-2, -1), keepdims=True)) * math.sqrt(width), y.shape)
    return Result(y, floor, is_sum=False)


def softmax(m):
    x = m.samples((40, 333))
    y = m.softmax("Softmax", x, -1)
    return Result(y, y.data * (2 + np.abs(x.data - x.data.max(-1, keepdims=True))), is_sum=False)


def log_softmax(m):
    x = m.samples((40, 60))
    y = m.softmax("LogSoftmax", x, -1)
    return Result(y, np.abs(y.data) + np.abs(x.data).max(-1, keepdims=True) + 1, is_sum=False)


def norm(m, y, x, axes, epsilon, weight):
    deviation = np.sqrt(x.data.var(axes, keepdims=True) + epsilon)
    return Result(y, (np.abs(x.data).max(axes, keepdims=True) / deviation + np.abs(x.data) / deviation) * np.abs(weight) + 1, is_sum=False)


def layer_norm(m):
    x, weight, bias = m.samples((60, 192)), m.const((192,)), m.const((192,))
    return norm(m, m.layer_norm(x, weight, bias, -1, 1e-5), x, (-1,), 1e-5, weight.data)


def instance_norm(m):
    x, weight, bias = m.samples((4, 12, 9, 11), 1), m.const((12,)), m.const((12,))
    return norm(m, m.instance_norm(x, weight, bias, 1e-5), x, (2, 3), 1e-5, weight.data.reshape(-1, 1, 1))


def rms_norm(m):
    x, weight = m.samples((60, 192)), m.const((192,))
    spread = m.add(m.reduce("ReduceMean", m.mul(x, x), [-1], True), m.const(np.float32(1e-6)))
    root = m.one("Sqrt", [spread], np.sqrt(spread.data), 1)
    y = m.mul(m.div(x, root), weight)
    return Result(y, np.abs(y.data), is_sum=False)


def batch_norm(m):
    x = m.samples((4, 16, 9, 9), 1)
    scale, bias, mean = (m.const((16,)) for _ in range(3))
    var = m.const(m.random((16,), 0.5, 2))
    s, b, mu, v = (c.data.reshape(-1, 1, 1) for c in (scale, bias, mean, var))
    factor = s / np.sqrt(v + 1e-5)
    y = m.one("BatchNormalization", [x, scale, bias, mean, var], (x.data - mu) * factor + b, 1, epsilon=1e-5)
    return Result(y, (np.abs(x.data) + np.abs(mu)) * np.abs(factor) + np.abs(b))


def reductions(m, op, shape=(30, 7, 50), axes=(1, 2)):
    x = m.samples(shape)
    y = m.reduce(op, x, list(axes), True)
    terms = {"ReduceSum": np.abs(x.data).sum(axes, keepdims=True), "ReduceMean": np.abs(x.data).mean(axes, keepdims=True), "ReduceMax": np.zeros(y.shape)}
    return Result(y, terms.get(op, np.abs(y.data)), is_sum=op not in ("ReduceL2", "ReduceSumSquare"))


def reduce_sum(m):
    return reductions(m, "ReduceSum")


def reduce_mean(m):
    return reductions(m, "ReduceMean", (30, 700), (1,))


def reduce_alike(op, shape, axes):
    def piece(m):
        y = m.reduce(op, m.samples(shape, low=0.5, high=2, alike=True), axes, True)
        return Result(y, np.abs(y.data), alike=True)

    piece.__name__ = f"{op.lower()}_alike_of_{len(shape)}"
    return piece


def global_pool_alike(m):
    y = m.global_pool("GlobalAveragePool", m.samples((4, 8, 112, 112), 1, 0.5, 2, alike=True))
    return Result(y, np.abs(y.data), alike=True)


def reduce_l2(m):
    return reductions(m, "ReduceL2", (30, 700), (1,))


def reduce_max(m):
    return reductions(m, "ReduceMax")


def average_pool(m):
    x = m.samples((4, 24, 14, 14), 1)
    y = m.average_pool(x, [3, 3], [2, 2], [1, 1], [1] * 4, False, True)
    other = Model(np.random.default_rng(0))
    return Result(y, other.average_pool(other.give(np.abs(x.data)), [3, 3], [2, 2], [1, 1], [1] * 4, False, True).data)


def max_pool(m):
    y = m.max_pool(m.samples((4, 24, 14, 14), 1), [3, 3], [2, 2], [1, 1], [1] * 4, False)
    return Result(y, np.zeros(y.shape), is_sum=False)


def global_pool(m):
    x = m.samples((4, 50, 7, 7), 1)
    return Result(m.global_pool("GlobalAveragePool", x), np.abs(x.data).mean((2, 3), keepdims=True))


def unary(op, slack):
    """`slack`: of an argument and its result, in what the error is measured (docs/numerics.md)."""
    def piece(m):
        x = m.samples((40, 77))
        y = m.unary(op, x)
        return Result(y, slack(x.data, y.data), is_sum=False)

    piece.__name__ = op.lower()
    return piece


def exp(m):
    x = m.samples((40, 77))
    with np.errstate(over="ignore"):
        y = m.one("Exp", [x], np.exp(x.data), 1)
    return Result(y, 2 * y.data, is_sum=False)


def log(m):
    x = m.samples((40, 77))
    with np.errstate(all="ignore"):
        x = m.unary("Abs", x)
        y = m.one("Log", [x], np.log(x.data), 1)
    return Result(y, np.abs(y.data), is_sum=False)


def resize(m):
    """Twice as large, linearly, by half pixels."""
    x = m.samples((4, 6, 9, 9), 1)

    def widened(data, axis):
        first, last = (data.take([i], axis) for i in (0, -1))
        before, after = np.concatenate([first, data], axis).take(range(data.shape[axis]), axis), np.concatenate([data, last], axis).take(range(1, data.shape[axis] + 1), axis)
        return np.stack([0.25 * before + 0.75 * data, 0.75 * data + 0.25 * after], axis + 1).reshape([2 * n if i == axis else n for i, n in enumerate(data.shape)])

    inputs = [x, None, m.const(np.array([1, 1, 2, 2], np.float32))]
    y = m.one("Resize", inputs, widened(widened(x.data, 2), 3), x.scale, mode="linear", coordinate_transformation_mode="half_pixel")
    return Result(y, widened(widened(np.abs(x.data), 2), 3))


def feed_forward(m):
    x = m.samples((64, 128))
    y = product(m, x, matrix(m, 128, 512), m.const((512,)))
    z = m.unary("Gelu", y.value)
    floor = (np.abs(z.data) + 1.2 * y.floor) @ np.abs((w := matrix(m, 512, 128)).data)
    return Result(m.add(x, m.matmul(z, w)), floor + np.abs(x.data))


PIECES = [product_256, product_of_scaled_weights, product_in_parts, product_ragged, product_with_halved_weights, product_alike, product_alike_prime, product_alike_row, product_small,
          product_of_a_row, product_of_two, product_of_two_in_blocks, product_batched, product_transposed, conv_1x1, conv_1x1_large, conv_1x1_strided, conv_3x3_four, conv_3x3_deep, conv_3x3_two,
          conv_3x3_ragged, conv_3x3_alone, conv_3x3_corners, conv_3x3_taps, conv_3x3_strided, conv_3x3_dilated, conv_7x7_strided, conv_grouped, conv_depthwise,
          conv_volume, conv_line, transposed_3x3_strided, transposed_4x4_strided, transposed_4x4_strided_by_3, transposed_2x2_strided_by_3, transposed_dilated,
          transposed_line, attention, attention_long, windows_of_swin, softmax, log_softmax, layer_norm, instance_norm, rms_norm, batch_norm, reduce_sum,
          reduce_mean, reduce_l2, reduce_max, average_pool, max_pool, global_pool, conv_alike, global_pool_alike, exp, log, resize, feed_forward,
          reduce_alike("ReduceMean", (5, 50257), [1]), reduce_alike("ReduceSum", (4, 20011, 4), [1]), reduce_alike("ReduceSum", (4, 90, 70, 50), [1, 2, 3]),
          unary("Relu", lambda x, y: 0 * x), unary("Gelu", lambda x, y: 2 * np.abs(x)), unary("Sigmoid", lambda x, y: y), unary("Tanh", lambda x, y: 2 * np.abs(y)),
          unary("Erf", lambda x, y: 2 * np.abs(y)), unary("Elu", lambda x, y: 2 * np.abs(y)), unary("Selu", lambda x, y: 2 * np.abs(y)), unary("Softplus", lambda x, y: y), unary("HardSwish", lambda x, y: np.abs(x) + x * x * (np.abs(x) < 3))]
# At what a model may do with NaN the specification is silent here: which of two numbers is larger.
SILENT_ON_NAN = {"relu", "max_pool", "reduce_max", "hardswish", "windows_of_swin", "conv_3x3_four"}


# ---- judging

def floor_in(mode, result):
    if mode == "default" and result.tile is not None:
        return result.tile
    return np.broadcast_to(np.nanmax(result.floor, initial=0), result.floor.shape) if mode == "fast" else result.floor


def judge(mode, name, result, got, other):
    """Raises a Failure, or gives the largest error of a well-conditioned row; `other` is onnxruntime's."""
    wanted, floor = result.value.data, floor_in(mode, result)
    if got.shape != wanted.shape:
        raise Failure(f"expected {list(wanted.shape)}, got {list(got.shape)}")
    got, other = got.astype(np.float64), other.astype(np.float64)
    wild = ~(np.isfinite(floor) & (floor < MOST) & np.isfinite(wanted))  # the reference has no number, or none that f32 has for sure
    if not result.is_sum:
        wild |= ~np.isfinite(other)  # squares and exponentials leave the range of f32 on their way
    if np.any(bad := ~np.isfinite(got) & ~wild):
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise Failure(f"{int(bad.sum())} results are not finite, the first at {at}: {got[at]} instead of {wanted[at]:.3g}")
    if name not in SILENT_ON_NAN and np.any(bad := np.isnan(wanted) & np.isfinite(got)):
        raise Failure(f"{int(bad.sum())} results should be NaN")
    axes = row_axes(wanted)
    error = np.where(wild, 0, np.abs(np.where(wild, 0, got) - np.where(wild, 0, wanted)))
    theirs = largest_of_rows(np.where(wild | ~np.isfinite(other), 0, other - np.where(wild, 0, wanted)), axes)
    tiny = (65536 if result.alike else 64 if result.tile is None else 4096) * TINY  # each product of denormal numbers rounds to a multiple of it, the same way where they are alike
    ulps = ULPS_ALIKE if result.alike else ULPS_OF_TILE if mode == "default" and result.tile is not None else ULPS[mode]
    allowed = ulps * EPSILON * np.where(wild, 0, floor) + np.where(floor > 0, WORSE * theirs * (not result.alike) + tiny, 0)
    if np.any(bad := error > allowed):
        at = tuple(int(i) for i in np.unravel_index(np.argmax(error / np.maximum(allowed, 1e-300)), error.shape))
        raise Failure(f"{int(bad.sum())} of {bad.size} results are wrong, the worst at {at}: {got[at]:.9g} instead of {wanted[at]:.9g}, "
                      f"{error[at] / max(EPSILON * floor[at], 1e-300):.3g} epsilons of its floor {floor[at]:.3g}; onnxruntime {other[at]:.9g}")
    size = largest_of_rows(np.where(wild, 0, wanted), axes)
    well = (largest_of_rows(np.where(wild, 0, floor), axes) <= WELL * size) & (size > 1e-30) & ((theirs <= 2.5e-6 * size) | result.alike)
    rows = largest_of_rows(error, axes) / np.where(size > 0, size, 1)
    worst = float(rows[well].max(initial=0))
    if mode != "fast" and worst > 1e-5:
        raise Failure(f"a row's error is {worst:.1e}")
    return worst


def build(seed, adversary, only):
    results = {}
    m = Hostile(seed, adversary)
    with np.errstate(all="ignore"):
        for index, piece in enumerate(PIECES):
            if only in piece.__name__:
                m.rng = np.random.default_rng([seed, index])
                result = piece(m)
                m.output(result.value, piece.__name__)
                results[list(m.outputs)[-1]] = result
    return m, results


def reference(path, feeds):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def check(mode, adversary, names, results, got, others, untouched):
    """All failures of one run as lines, and the worst rows by piece."""
    lines, worst = [], {}
    for name, mine, other in zip(names, got, others, strict=True):
        piece = name.rsplit("_", 1)[0]
        try:
            if mode == "fast" and adversary in POISONS:
                continue
            worst[piece] = judge(mode, piece, results[name], mine, other)
            if adversary in POISONS and len(mine) > 1:
                rest = np.arange(len(mine)) != POISONED % len(mine)
                if mine[rest].tobytes() != untouched[name][rest].tobytes():
                    raise Failure("samples that nobody touched have other bits")
        except Failure as failure:
            lines.append(f"{mode}, {adversary.__name__}, {piece}: {failure}")
    return lines, worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--only", default="", help="only pieces whose name contains this")
    parser.add_argument("--against", default="", help="only adversaries whose name contains this")
    parser.add_argument("--mode", choices=MODES, action="append", help="only these modes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="the worst row of each piece, by mode")
    args = parser.parse_args()
    modes = args.mode or MODES
    adversaries = [a for a in ADVERSARIES if a is plain or args.against in a.__name__]
    lines, worst, passed = [], {}, 0
    with tempfile.TemporaryDirectory(prefix="mlc-numerics-") as scratch:
        folder = Path(scratch)
        m, _ = build(args.seed, plain, args.only)
        onnx.save(m.proto(), folder / "m.onnx")

        def compiled(mode):
            result = call(args.mlc, "compile", folder / "m.onnx", "-o", folder / f"{mode}.so", "--numerics", mode)
            if result.code:
                raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")

        if any(isinstance(r, Failure) for r in run_all({mode: lambda mode=mode: compiled(mode) for mode in modes}, 2).values()):
            return 1
        session, untouched = reference(folder / "m.onnx", m.feeds), {}
        for adversary in adversaries:
            m, results = build(args.seed, adversary, args.only)
            names, flags = list(m.outputs), save_feeds(m.feeds, folder)
            others = session.run(names, m.feeds)
            for mode in modes:
                try:
                    runs = [run_outputs(args.mlc, folder / f"{mode}.so", flags, names, folder / f"{mode}{t}", t) for t in THREADS]
                    check_same_bits(names, *runs, f"{adversary.__name__}, {mode}: 2 threads against 1")
                except Failure as failure:
                    lines.append(str(failure))
                    continue
                if adversary is plain:
                    untouched[mode] = dict(zip(names, runs[0]))
                wrong, rows = check(mode, adversary, names, results, runs[0], others, untouched[mode])
                lines += wrong
                passed += len(names) - len(wrong)
                for piece, error in rows.items():
                    worst[mode, piece] = max(error, worst.get((mode, piece), 0))
    for line in lines:
        print("FAIL", line)
    for mode in modes:
        mine = {piece: error for (at, piece), error in worst.items() if at == mode}
        if args.verbose:
            print(mode, ", ".join(f"{piece} {error:.1e}" for piece, error in mine.items()))
        print(f"{mode}: worst well-conditioned row {max(mine.values(), default=math.nan):.1e} ({max(mine, key=mine.get, default='none')})")
    print(f"{passed} passed, {len(lines)} failed")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
