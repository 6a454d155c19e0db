"""ONNX models built beside their meaning: each operator added to a model is also computed, plainly, in float64.

`Model` collects nodes; its methods take and give `Value`s, a name with its numbers and a `scale`: the size of what rounding
errors in it are relative to. That is the largest number, and for sums the largest root of the sum of squares of the terms, so
that a sum that happens to be near zero is not expected to be exact. Functions pass their argument's scale on by their slope.
"""
import itertools
import math
from dataclasses import dataclass

import numpy as np
from onnx import helper, numpy_helper

OPSET = 21


@dataclass
class Value:
    name: str
    data: np.ndarray
    scale: float

    @property
    def shape(self):
        return self.data.shape


def largest(data):
    return float(np.abs(data.astype(np.float64)).max()) if data.size else 0.0


def erf(x):
    return np.vectorize(math.erf, otypes=[np.float64])(x)


# name: (attributes, what it computes, its largest slope)
UNARY = {
    "Relu": ({}, lambda x: np.maximum(x, 0), 1),
    "LeakyRelu": ({"alpha": 0.125}, lambda x: np.where(x < 0, 0.125 * x, x), 1),
    "Elu": ({"alpha": 0.5}, lambda x: np.where(x < 0, 0.5 * np.expm1(np.minimum(x, 0)), x), 1),
    "Selu": ({"alpha": 1.5, "gamma": 1.25}, lambda x: 1.25 * np.where(x < 0, 1.5 * np.expm1(np.minimum(x, 0)), x), 1.875),
    "HardSwish": ({}, lambda x: x * np.clip(x / 6 + 0.5, 0, 1), 1.5),
    "HardSigmoid": ({"alpha": 0.25, "beta": 0.5}, lambda x: np.clip(x / 4 + 0.5, 0, 1), 1),
    "Sigmoid": ({}, lambda x: 1 / (1 + np.exp(-x)), 1),
    "Tanh": ({}, np.tanh, 1),
    "Softplus": ({}, lambda x: np.logaddexp(x, 0), 1),
    "Softsign": ({}, lambda x: x / (1 + np.abs(x)), 1),
    "Gelu": ({}, lambda x: x * (1 + erf(x / math.sqrt(2))) / 2, 1.2),
    "Erf": ({}, erf, 1.2),
    "Sin": ({}, np.sin, 1),
    "Cos": ({}, np.cos, 1),
    "Abs": ({}, np.abs, 1),
    "Neg": ({}, np.negative, 1),
    "Identity": ({}, lambda x: x, 1),
}
REDUCTIONS = {
    "ReduceSum": lambda x, axes, keep: x.sum(axes, keepdims=keep),
    "ReduceMean": lambda x, axes, keep: x.mean(axes, keepdims=keep),
    "ReduceMax": lambda x, axes, keep: x.max(axes, keepdims=keep),
    "ReduceMin": lambda x, axes, keep: x.min(axes, keepdims=keep),
    "ReduceL1": lambda x, axes, keep: np.abs(x).sum(axes, keepdims=keep),
    "ReduceL2": lambda x, axes, keep: np.sqrt((x * x).sum(axes, keepdims=keep)),
    "ReduceSumSquare": lambda x, axes, keep: (x * x).sum(axes, keepdims=keep),
}


class Model:
    def __init__(self, rng, dtype=np.dtype(np.float32)):
        """`dtype` is that of all floats; numbers from outside are rounded to it."""
        self.rng, self.dtype = rng, dtype
        self.nodes, self.inputs, self.consts, self.outputs, self.feeds = [], [], [], {}, {}

    # ---- values from outside

    def random(self, shape, low=None, high=None):
        if low is None:
            return self.rng.standard_normal(shape).astype(np.float32)
        return self.rng.uniform(low, high, shape).astype(np.float32)

    def input(self, shape, low=None, high=None):
        return self.give(self.random(shape, low, high))

    def typed(self, data):
        return data.astype(self.dtype) if data.dtype == np.float32 else data

    def give(self, data):
        data = self.typed(data)
        name = f"in{len(self.feeds)}"
        self.feeds[name] = data
        kind = helper.np_dtype_to_tensor_dtype(data.dtype)
        self.inputs.append(helper.make_tensor_value_info(name, kind, data.shape))
        return Value(name, data.astype(np.float64), largest(data))

    def const(self, data):
        """An initializer: these numbers, or random ones of the shape that is given."""
        if isinstance(data, tuple):
            data = self.random(data)
        data = self.typed(np.asarray(data))
        name = f"c{len(self.consts)}"
        self.consts.append(numpy_helper.from_array(data, name))
        return Value(name, data.astype(np.float64), largest(data))

    def ints(self, *items):
        return self.const(np.array(items, np.int64))

    def either(self, shape):
        """An input or an initializer, by chance."""
        return self.input(shape) if self.rng.random() < 0.5 else self.const(shape)

    # ---- nodes

    def node(self, op, inputs, results, scales, **attributes):
        number = len(self.nodes)
        names = [f"t{number}_{i}" for i in range(len(results))]
        self.nodes.append(helper.make_node(op, [v.name if v else "" for v in inputs], names, name=f"{op}_{number}", **attributes))
        return [Value(n, np.asarray(r, np.float64), max(largest(np.asarray(r)), s)) for n, r, s in zip(names, results, scales)]

    def one(self, op, inputs, result, scale, **attributes):
        return self.node(op, inputs, [result], [scale], **attributes)[0]

    def output(self, value, piece):
        """Makes `value` an output, called after the piece that it is the result of."""
        name = f"{piece}_{len(self.outputs)}"
        self.nodes.append(helper.make_node("Identity", [value.name], [name], name=f"Identity_{name}"))
        self.outputs[name] = value

    def proto(self):
        kind = helper.np_dtype_to_tensor_dtype(self.dtype)
        results = [helper.make_tensor_value_info(n, kind, v.shape) for n, v in self.outputs.items()]
        graph = helper.make_graph(self.nodes, "random_shapes", self.inputs, results, self.consts)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)

    # ---- element by element

    def unary(self, op, x):
        attributes, function, slope = UNARY[op]
        return self.one(op, [x], function(x.data), slope * x.scale, **attributes)

    def clip(self, x, low, high):
        bounds = [self.const(np.float32(b)) for b in (low, high)]
        return self.one("Clip", [x, *bounds], np.clip(x.data, low, high), x.scale)

    def add(self, x, y):
        return self.one("Add", [x, y], x.data + y.data, max(x.scale, y.scale))

    def sub(self, x, y):
        return self.one("Sub", [x, y], x.data - y.data, max(x.scale, y.scale))

    def mul(self, x, y):
        return self.one("Mul", [x, y], x.data * y.data, x.scale * y.scale)

    def div(self, x, y):
        least = np.abs(y.data).min()
        return self.one("Div", [x, y], x.data / y.data, x.scale / least * (y.scale / least))

    def extreme(self, op, values):
        """Max or Min of several."""
        choose = np.maximum if op == "Max" else np.minimum
        result = values[0].data
        for v in values[1:]:
            result = choose(result, v.data)
        return self.one(op, values, result, max(v.scale for v in values))

    # ---- products

    def matmul(self, x, y):
        scale = math.sqrt(largest(np.matmul(x.data**2, y.data**2)))
        return self.one("MatMul", [x, y], np.matmul(x.data, y.data), scale)

    def gemm(self, a, b, c, alpha, beta, trans_a, trans_b):
        left, right = (v.data.T if t else v.data for v, t in ((a, trans_a), (b, trans_b)))
        result, squares = alpha * (left @ right), alpha**2 * (left**2 @ right**2)
        if c:
            result, squares = result + beta * c.data, squares + (beta * c.data) ** 2
        return self.one("Gemm", [a, b] + [c] * bool(c), result, math.sqrt(largest(squares)), alpha=alpha, beta=beta,
                        transA=int(trans_a), transB=int(trans_b))

    def conv(self, x, w, bias, strides, dilations, pads, group):
        result, squares = (convolve(*data, strides, dilations, pads, group) for data in ((x.data, w.data), (x.data**2, w.data**2)))
        if bias:
            column = bias.data.reshape(-1, *[1] * len(strides))
            result, squares = result + column, squares + column**2
        return self.one("Conv", [x, w] + [bias] * bool(bias), result, math.sqrt(largest(squares)), strides=strides,
                        dilations=dilations, pads=pads, group=group)

    def conv_transpose(self, x, w, bias, strides, dilations, pads, extra, group):
        result, squares = (scatter(*data, strides, dilations, pads, extra, group) for data in ((x.data, w.data), (x.data**2, w.data**2)))
        if bias:
            column = bias.data.reshape(-1, *[1] * len(strides))
            result, squares = result + column, squares + column**2
        return self.one("ConvTranspose", [x, w] + [bias] * bool(bias), result, math.sqrt(largest(squares)), strides=strides,
                        dilations=dilations, pads=pads, output_padding=extra, group=group)

    # ---- windows

    def max_pool(self, x, kernel, strides, dilations, pads, ceil):
        size = pooled_size(x.shape[2:], kernel, strides, dilations, pads, ceil)
        result = np.max(windows(x.data, kernel, strides, dilations, pads, size, -np.inf), axis=0)
        return self.one("MaxPool", [x], result, x.scale, kernel_shape=kernel, strides=strides, dilations=dilations, pads=pads,
                        ceil_mode=int(ceil))

    def average_pool(self, x, kernel, strides, dilations, pads, ceil, include_pad):
        size = pooled_size(x.shape[2:], kernel, strides, dilations, pads, ceil)
        total = np.sum(windows(x.data, kernel, strides, dilations, pads, size, 0.0), axis=0)
        inside = np.ones((1, 1) + x.shape[2:])
        if include_pad:  # what ceil_mode looks at beyond the padding is never counted
            inside = np.pad(inside, [(0, 0)] * 2 + paired(pads), constant_values=1)
            pads_of_ones = [0] * len(pads)
        else:
            pads_of_ones = pads
        count = np.sum(windows(inside, kernel, strides, dilations, pads_of_ones, size, 0.0), axis=0)
        return self.one("AveragePool", [x], total / count, x.scale, kernel_shape=kernel, strides=strides, dilations=dilations,
                        pads=pads, ceil_mode=int(ceil), count_include_pad=int(include_pad))

    def global_pool(self, op, x):
        axes = tuple(range(2, x.data.ndim))
        result = x.data.max(axes, keepdims=True) if op == "GlobalMaxPool" else x.data.mean(axes, keepdims=True)
        return self.one(op, [x], result, x.scale)

    # ---- along axes

    def reduce(self, op, x, axes, keep):
        """Over `axes`, over all where there are none."""
        over = tuple(axes) if axes else None
        terms = x.data**2 if op == "ReduceSumSquare" else x.data
        adds_up = op in ("ReduceSum", "ReduceL1", "ReduceSumSquare")
        scale = math.sqrt(largest((terms**2).sum(over))) if adds_up else x.scale
        slope = 2 * largest(x.data) if op == "ReduceSumSquare" else 1
        scale = max(scale, slope * x.scale)
        inputs = [x] + ([self.ints(*axes)] if axes else [])
        return self.one(op, inputs, REDUCTIONS[op](x.data, over, bool(keep)), scale, keepdims=int(keep))

    def softmax(self, op, x, axis):
        shifted = x.data - x.data.max(axis, keepdims=True)
        total = np.exp(shifted).sum(axis, keepdims=True)
        result = np.exp(shifted) / total if op == "Softmax" else shifted - np.log(total)
        return self.one(op, [x], result, x.scale, axis=axis)

    def normalise(self, data, axes, epsilon):
        """The normalised data, and by how much it grew at most."""
        centred = data - data.mean(axes, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axes, keepdims=True) + epsilon)
        return centred / deviation, 1 / deviation.min()

    def layer_norm(self, x, weight, bias, axis, epsilon):
        unit, growth = self.normalise(x.data, tuple(range(axis % x.data.ndim, x.data.ndim)), epsilon)
        result = unit * weight.data + (bias.data if bias else 0)
        scale = growth * x.scale * weight.scale
        return self.one("LayerNormalization", [x, weight] + [bias] * bool(bias), result, scale, axis=axis, epsilon=epsilon)

    def instance_norm(self, x, weight, bias, epsilon):
        unit, growth = self.normalise(x.data, tuple(range(2, x.data.ndim)), epsilon)
        weights, biases = (v.data.reshape(-1, *[1] * (x.data.ndim - 2)) for v in (weight, bias))
        return self.one("InstanceNormalization", [x, weight, bias], unit * weights + biases, growth * x.scale * weight.scale,
                        epsilon=epsilon)

    # ---- data that moves

    def move(self, op, x, result, *rest, **attributes):
        return self.one(op, [x, *rest], result, x.scale, **attributes)

    def transpose(self, x, perm):
        return self.move("Transpose", x, x.data.transpose(perm), perm=list(map(int, perm)))

    def swap_last(self, x):
        rank = x.data.ndim
        return self.transpose(x, [*range(rank - 2), rank - 1, rank - 2])

    def reshape(self, x, shape):
        return self.move("Reshape", x, x.data.reshape(shape), self.ints(*shape))

    def concat(self, values, axis):
        return self.one("Concat", values, np.concatenate([v.data for v in values], axis), max(v.scale for v in values), axis=axis)

    def split(self, x, sizes, axis):
        parts = np.split(x.data, np.cumsum(sizes)[:-1], axis)
        return self.node("Split", [x, self.ints(*sizes)], parts, [x.scale] * len(parts), axis=axis)

    def slice(self, x, axis, start, end, step):
        index = [slice(None)] * x.data.ndim
        index[axis] = slice(start, end, step)
        return self.move("Slice", x, x.data[tuple(index)], *[self.ints(v) for v in (start, end, axis, step)])

    def pad(self, x, before, after, fill):
        result = np.pad(x.data, list(zip(before, after)), constant_values=fill)
        return self.move("Pad", x, result, self.ints(*before, *after), self.const(np.float32(fill)))

    def gather(self, x, indices, axis, constant):
        wanted = self.const(indices) if constant else self.give(indices)
        return self.move("Gather", x, np.take(x.data, indices, axis), wanted, axis=axis)

    def expand(self, x, shape):
        return self.move("Expand", x, np.broadcast_to(x.data, shape), self.ints(*shape))

    def tile(self, x, counts):
        return self.move("Tile", x, np.tile(x.data, counts), self.ints(*counts))


def paired(pads):
    half = len(pads) // 2
    return list(zip(pads[:half], pads[half:]))


def pooled_size(size, kernel, strides, dilations, pads, ceil):
    """Windows along each dimension; with `ceil` also a last one that begins inside and ends outside."""
    counts = []
    for n, k, s, d, (before, after) in zip(size, kernel, strides, dilations, paired(pads)):
        room = n + before + after - d * (k - 1) - 1
        count = (-(-room // s) if ceil else room // s) + 1
        counts.append(count - (ceil and (count - 1) * s >= n + before))
    return counts


def windows(data, kernel, strides, dilations, pads, size, outside):
    """[taps, N, C, *size]: what each tap of the kernel sees; `outside` around the image, as far as windows reach."""
    reach = [(k - 1) * d + (n - 1) * s + 1 for k, d, n, s in zip(kernel, dilations, size, strides)]
    around = [(b, max(0, r - n - b)) for n, r, (b, _) in zip(data.shape[2:], reach, paired(pads))]
    padded = np.pad(data, [(0, 0)] * 2 + around, constant_values=outside)
    return np.stack([padded[(..., *tap)] for tap in taps(kernel, strides, dilations, size)])


def taps(kernel, strides, dilations, size):
    for at in itertools.product(*map(range, kernel)):
        yield [slice(k * d, k * d + (n - 1) * s + 1, s) for k, d, n, s in zip(at, dilations, size, strides)]


def convolve(x, w, strides, dilations, pads, group):
    kernel = w.shape[2:]
    size = pooled_size(x.shape[2:], kernel, strides, dilations, pads, False)
    padded = np.pad(x, [(0, 0)] * 2 + paired(pads))
    grouped = padded.reshape(x.shape[0], group, -1, *padded.shape[2:])
    filters = w.reshape(group, -1, *w.shape[1:])
    result = 0
    for at, tap in zip(itertools.product(*map(range, kernel)), taps(kernel, strides, dilations, size)):
        seen = grouped[(..., *tap)].reshape(x.shape[0], group, filters.shape[2], -1)
        result = result + np.matmul(filters[(..., *at)], seen)
    return result.reshape(x.shape[0], w.shape[0], *size)


def scatter(x, w, strides, dilations, pads, extra, group):
    """A transposed convolution: each input adds the filter, times itself, where it lies in the result."""
    kernel, size = w.shape[2:], x.shape[2:]
    cropped = paired(pads)
    reach = [(n - 1) * s + (k - 1) * d + 1 + e for n, k, s, d, e in zip(size, kernel, strides, dilations, extra)]
    grouped = x.reshape(x.shape[0], group, -1, math.prod(size))
    filters = w.reshape(group, -1, *w.shape[1:])
    result = np.zeros((x.shape[0], group * w.shape[1], *reach))
    for at, tap in zip(itertools.product(*map(range, kernel)), taps(kernel, strides, dilations, size)):
        part = np.matmul(filters[(..., *at)].swapaxes(1, 2), grouped)
        result[(..., *tap)] += part.reshape(x.shape[0], -1, *size)
    return result[(..., *[slice(b, n - e) for n, (b, e) in zip(reach, cropped)])]
