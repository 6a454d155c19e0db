"""Inputs that lie: indices outside of their data, divisors of 0, integers and floats where arithmetic has no answer.

    python faults.py --mlc build/release/bin/mlc --feed build/release/test/e2e/feed [--runs 80] [--seed 0] [--only TEXT]

Each model has one op, or a few, that takes indices, counts or integers when it runs. It is compiled once and run `--runs`
times in one session on random inputs, most of them poisoned. Every run must give what numpy gives, bit for bit, or fail with
a message that names the node; nothing may end the process, and what fails must not spoil the run after it.
"""
import argparse
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

from harness import Crash, Failure, call, environment, run_all, save_feeds

MODELS = {}
RUN_FAILED = 7  # MLC_RT_RUN


class Refused(Exception):
    """What numpy says of inputs without an answer: the node at fault, and a word of the message."""
    def __init__(self, node, word):
        super().__init__(node, word)
        self.node, self.word = node, word


@dataclass
class Model:
    proto: onnx.ModelProto
    inputs: list       # of functions rng -> array
    expect: object     # arrays -> list of arrays, or raises Refused


def tensor(name, value):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)


def model(name, nodes, inputs, expect, consts=(), shape=None):
    """`inputs` by name: functions from a random generator to an array; outputs are those nobody reads and not "at", of `shape` if it is given."""
    rng = np.random.default_rng(0)
    samples = {k: make(rng) for k, make in inputs.items()}
    read = {i for n in nodes for i in n.input}
    outputs = [o for n in nodes for o in n.output if o not in read and o != "at"]
    graph = helper.make_graph(nodes, "faults", [tensor(k, v) for k, v in samples.items()],
                              [onnx.ValueInfoProto(name=o) for o in outputs],
                              [numpy_helper.from_array(np.asarray(v), k) for k, v in consts])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    proto = onnx.shape_inference.infer_shapes(proto, strict_mode=True)
    del proto.graph.value_info[:]
    for output in proto.graph.output if shape else ():
        for dim, size in zip(output.type.tensor_type.shape.dim, shape):
            dim.dim_value = size
    assert name not in MODELS, name
    MODELS[name] = Model(proto, list(inputs.values()), expect)
    return proto


def node(op, inputs, outputs, name="n", **attributes):
    return helper.make_node(op, inputs, outputs, name=name, **attributes)


# ---- values

def floats(*shape, dtype=np.float32):
    return lambda rng: rng.standard_normal(shape).astype(dtype)


def poison(dtype, *near):
    """What breaks arithmetic on integers of a type, and indices into sizes `near`."""
    info = np.iinfo(dtype)
    values = [info.min, info.min + 1, info.max, info.max - 1, -1, 0, 1, -2, 2, 1 << 16, -(1 << 16)]
    values += [v for n in near for v in (n, n - 1, n + 1, -n, -n - 1, -n + 1, 2 * n, -2 * n)]
    if info.bits == 64:
        values += [1 << 31, -(1 << 31), (1 << 31) - 1, 1 << 32, -(1 << 32), (1 << 32) - 1, 1 << 53]
        values += [v for n in near for v in (n + (1 << 32), -n - (1 << 32), (1 << 63) - n, n - (1 << 63))]
    return np.array([v for v in values if info.min <= v <= info.max], dtype)


def indices(dtype, shape, size):
    """Good ones; in three of four sets some are replaced."""
    bad = poison(dtype, size)

    def make(rng):
        made = rng.integers(-size, size, shape, dtype=np.int64).astype(dtype)
        if rng.random() < 0.75 and made.size:
            for _ in range(rng.integers(1, 4)):
                made.reshape(-1)[rng.integers(made.size)] = rng.choice(bad)
        return made
    return make


def integers(dtype, *shape, zero=True):
    """Of all sizes. Zeros are rare without `zero`, so that most sets divide."""
    bad = poison(dtype)

    def make(rng):
        info = np.iinfo(dtype)
        made = rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
        small = rng.integers(-5, 5, shape).astype(dtype)
        made = np.where(rng.random(shape) < 0.5, made, small)
        made = np.where(rng.random(shape) < 0.3, rng.choice(bad, shape), made).astype(dtype)
        return made if zero or rng.random() < 0.3 else np.where(made == 0, dtype(1), made).astype(dtype)
    return make


def wild(dtype, *shape):
    """Floats beyond what integers hold, and no numbers."""
    special = [np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, -0.5, 1e-40, 127.5, 128, -129, 255.9, 256, 32768, -32769, 65535]
    special += [2147483520.0, 2147483647.0, 2147483648.0, -2147483648.0, -2147483904.0, 4294967296.0, 3e9, -3e9]
    special += [9.2233715e18, 9.223372036854775807e18, -9.223372036854775808e18, 1.8446744e19, 1e30, -1e30]

    def make(rng):
        made = rng.standard_normal(shape) * 10.0 ** rng.integers(-2, 22, shape)
        made = np.where(rng.random(shape) < 0.4, rng.choice(special, shape), made)
        with np.errstate(over="ignore"):
            return made.astype(dtype)
    return make


# ---- what numpy says

def within(values, size, name="n"):
    if ((values < -size) | (values >= size)).any():
        raise Refused(name, "index")
    return np.where(values < 0, values + size, values).astype(np.int64)


def quotient(a, b, name="n"):
    """Towards zero, the least integer by -1 itself: by magnitudes, as unsigned numbers."""
    if (np.broadcast_to(b, np.broadcast_shapes(a.shape, b.shape)) == 0).any():
        raise Refused(name, "divides by 0")
    unsigned = np.dtype(f"u{a.dtype.itemsize}")
    with np.errstate(over="ignore"):
        magnitude = np.abs(a).view(unsigned) // np.abs(b).view(unsigned)
        return np.where((a < 0) != (b < 0), 0 - magnitude, magnitude).astype(unsigned).view(a.dtype)


def remainder(a, b, name="n"):
    if (np.broadcast_to(b, np.broadcast_shapes(a.shape, b.shape)) == 0).any():
        raise Refused(name, "divides by 0")
    with np.errstate(over="ignore"):
        return np.where(b == -1, a.dtype.type(0), np.mod(a, np.where(b == -1, a.dtype.type(1), b)))


def truths(*shape):
    """Bytes of which any but 0 is true."""
    return lambda rng: rng.choice(np.array([0, 0, 1, 2, 128, 255], np.uint8), shape).view(np.bool_)


def converted(x, to):
    """As graph.cast says: the least of i32 or i64 where they do not hold it, narrower types take the low bits."""
    if to == np.bool_:
        return x != 0
    wide = np.int64 if np.dtype(to).itemsize == 8 else np.int32
    bound = 2.0 ** (np.dtype(wide).itemsize * 8 - 1)
    x = x.astype(np.float64)
    fits = np.abs(x) < bound
    return np.where(fits, np.where(fits, x, 0).astype(wide), np.iinfo(wide).min).astype(wide).astype(to)


# ---- models

def gathers():
    for dtype in (np.int64, np.int32):
        for axis, shape, picks in ((0, (50, 24), (9,)), (1, (6, 40, 5), (3, 4)), (-1, (7, 33), (5,)), (0, (1, 3), (2, 2)),
                                   (0, (300, 64), (1,)), (2, (2, 3, 17), ()), (0, (5003, 8), (1999,))):
            size = shape[axis]
            model(f"gather-{np.dtype(dtype).name}-{'x'.join(map(str, shape))}-{axis}-{'x'.join(map(str, picks))}",
                  [node("Gather", ["x", "i"], ["y"], axis=axis)],
                  {"x": floats(*shape), "i": indices(dtype, picks, size)},
                  lambda x, i, axis=axis, size=size: [np.take(x, within(i, size), axis)])
        for axis, shape, picks in ((0, (30, 7), (11, 7)), (1, (4, 50), (4, 13)), (-1, (3, 5, 300), (3, 5, 70)),
                                   (1, (64, 400), (64, 311))):
            size = shape[axis]
            model(f"gather-elements-{np.dtype(dtype).name}-{'x'.join(map(str, shape))}-{axis}",
                  [node("GatherElements", ["x", "i"], ["y"], axis=axis)],
                  {"x": floats(*shape), "i": indices(dtype, picks, size)},
                  lambda x, i, axis=axis, size=size: [np.take_along_axis(x, within(i, size), axis)])


def tuples():
    def pairs(x, i):
        at = np.stack([within(i[..., 0], 30), within(i[..., 1], 9)], -1)
        return [x[at[..., 0], at[..., 1]]]
    model("gather-nd-pairs", [node("GatherND", ["x", "i"], ["y"])],
          {"x": floats(30, 9, 4), "i": indices(np.int64, (13, 2), 9)}, pairs)
    model("gather-nd-square", [node("GatherND", ["x", "i"], ["y"])],
          {"x": floats(12, 12), "i": indices(np.int64, (5, 7, 2), 12)},
          lambda x, i: [x[within(i[..., 0], 12), within(i[..., 1], 12)]])
    model("gather-nd-rows", [node("GatherND", ["x", "i"], ["y"])],
          {"x": floats(20, 6), "i": indices(np.int64, (8, 1), 20)}, lambda x, i: [x[within(i[:, 0], 20)]])
    model("gather-nd-batch", [node("GatherND", ["x", "i"], ["y"], batch_dims=1)],
          {"x": floats(3, 10, 4), "i": indices(np.int64, (3, 5, 1), 10)},
          lambda x, i: [np.take_along_axis(x, np.broadcast_to(within(i, 10), (3, 5, 4)), 1)])


def scatters():
    def elements(x, i, u):
        result = x.copy()
        np.put_along_axis(result, within(i, 50), u, 1)
        return [result]

    def pairs(x, i, u):
        result = x.copy()
        np.maximum.at(result, (within(i[:, 0], 9), within(i[:, 1], 9)), u)
        return [result]

    def last_wins(x, i, u):
        result = x.copy()
        for row, update in zip(within(i[:, 0], 20), u):
            result[row] = update
        return [result]
    model("scatter-elements", [node("ScatterElements", ["x", "i", "u"], ["y"], axis=1)],
          {"x": floats(4, 50), "i": indices(np.int64, (4, 1), 50), "u": floats(4, 1)}, elements)
    model("scatter-elements-i32", [node("ScatterElements", ["x", "i", "u"], ["y"], axis=-1)],
          {"x": floats(3, 50), "i": indices(np.int32, (3, 1), 50), "u": floats(3, 1)}, elements)
    model("scatter-nd-max", [node("ScatterND", ["x", "i", "u"], ["y"], reduction="max")],
          {"x": floats(9, 9, 4), "i": indices(np.int64, (13, 2), 9), "u": floats(13, 4)}, pairs)
    model("scatter-nd-rows", [node("ScatterND", ["x", "i", "u"], ["y"])],
          {"x": floats(20, 6), "i": indices(np.int64, (8, 1), 20), "u": floats(8, 6)}, last_wins)
    images = np.broadcast_to(np.arange(3, dtype=np.float32)[:, None, None, None], (3, 2, 4, 4))  # each full of its number
    model("roi-align-images", [node("RoiAlign", ["x", "r", "i"], ["y"], sampling_ratio=1)], {"i": indices(np.int64, (5,), 3)},
          lambda i: [np.broadcast_to(within(i, 3).astype(np.float32)[:, None, None, None], (5, 2, 1, 1))],
          consts=[("x", images), ("r", np.tile(np.float32([1, 1, 3, 3]), (5, 1)))])

    def regions(rng):
        sides = np.concatenate([rng.uniform(0, 3, (5, 2)), rng.uniform(4, 8, (5, 2))], 1).astype(np.float32)
        sides[rng.integers(5), 3] = rng.choice(np.float32([8, 9e3, 1e30, np.inf]))
        return sides

    def counted(r):
        if r[:, 3].max() > 4200:
            raise Refused("n", "a bin of a region has more than 4096 rows or columns")
        return [np.ones((5, 1, 1, 1), np.float32)]
    model("roi-align-counted", [node("RoiAlign", ["x", "r", "i"], ["y"])], {"r": regions}, counted,
          consts=[("x", np.ones((1, 1, 9, 9), np.float32)), ("i", np.zeros(5, np.int64))])

    def images_of(count):
        def make(rng):
            numbers = np.zeros((5, 5), np.float32) + np.float32([0, 1, 1, 3, 3])
            numbers[:, 0] = rng.integers(0, count, 5)
            if rng.random() < 0.5:
                numbers[rng.integers(5), 0] = rng.choice(np.float32([count, 1e30]))
            return numbers
        return make

    def pooled(count, message):
        def expect(r):
            if r[:, 0].max() >= count:
                raise Refused("n", message)
            return [np.broadcast_to(r[:, :1, None, None], (5, 2, 2, 2))]
        return expect
    for count, message in ((1, "a region is of an image that is not there"), (3, "index")):
        model(f"max-roi-pool-images-{count}", [node("MaxRoiPool", ["x", "r"], ["y"], pooled_shape=[2, 2])], {"r": images_of(count)},
              pooled(count, message), consts=[("x", images[:count])])


def declared_sizes():
    """The model declares how many there are; what is run may say another number."""
    def chosen(x, c):
        if c.sum() != 5:
            raise Refused("n", "the number of true elements is not 5")
        return [x[c]]

    def first(x, k):
        if k[0] != 3:
            raise Refused("n", "k is not 3")
        order = np.argsort(-x, 1, kind="stable")[:, :3]
        return [np.take_along_axis(x, order, 1), order]

    def places(x):
        if (x != 0).sum() != 5:
            raise Refused("n", "the number of true elements is not 5")
        return [np.stack(np.nonzero(x))]
    def taken(x, s):
        if (s[0, 0] > 0.5).sum() != 4:
            raise Refused("n", "the number of boxes is not 4")
        order = np.argsort(-s[0, 0], kind="stable")[:4]
        return [np.stack([np.zeros(4, np.int64), np.zeros(4, np.int64), order], 1)]

    def different(x):
        if len(np.unique(x)) != 3:
            raise Refused("n", "the number of different elements is not 3")
        return [np.unique(x)]
    apart = lambda rng: np.arange(9, dtype=np.float32)[None, :, None] + np.array([0, 0, 0.5, 0.5], np.float32)
    model("suppressed", [node("NonMaxSuppression", ["x", "s", "m", "o", "t"], ["y"])], {"x": apart, "s": lambda rng: np.where(
        np.arange(9) < rng.integers(3, 6), rng.uniform(0.6, 1, 9), 0.1)[None, None].astype(np.float32)}, taken, shape=(4, 3),
          consts=[("m", np.array([9])), ("o", np.array([0.5], np.float32)), ("t", np.array([0.5], np.float32))])
    model("unique", [node("Unique", ["x"], ["y"])], {"x": lambda rng: rng.permutation(np.arange(12) % rng.integers(2, 5))}, different, shape=(3,))
    mostly = lambda *sizes: lambda rng: np.array([True] * int(rng.integers(4, 7)) + [False] * 9)[:9][rng.permutation(9)].reshape(sizes)
    model("compress", [node("Compress", ["x", "c"], ["y"], axis=0)], {"x": floats(9, 4), "c": mostly(9)}, chosen, shape=(5, 4))
    model("non-zero", [node("NonZero", ["x"], ["y"])], {"x": mostly(3, 3)}, places, shape=(2, 5))
    def counted(x, k):  # as long as the iteration's number is below k, of five
        if k != 3:
            raise Refused("n", "the number of iterations is not 3")
        return [x, np.stack([x + i for i in np.arange(3, dtype=np.float32)])]
    truth, number = (helper.make_tensor_value_info(name, kind, ()) for name, kind in (("go", onnx.TensorProto.BOOL), ("i", onnx.TensorProto.INT64)))
    body = helper.make_graph([node("Add", ["i", "one"], ["j"]), node("Less", ["j", "k"], ["on"]), node("Cast", ["i"], ["f"], to=1), node("Add", ["v", "f"], ["e"]),
                              node("Identity", ["v"], ["w"])], "body", [number, truth, helper.make_tensor_value_info("v", 1, (2,))],
                             [helper.make_tensor_value_info("on", onnx.TensorProto.BOOL, ()), *(helper.make_tensor_value_info(o, 1, (2,)) for o in "we")])
    loop = model("iterations", [node("Loop", ["most", "", "x"], ["y", "z"], body=body)],
                 {"x": floats(2), "k": lambda rng: np.array(rng.integers(2, 5))}, counted, consts=[("most", np.array(5)), ("one", np.array(1))])
    for output, shape in zip(loop.graph.output, ((2,), (3, 2))):  # which onnx does not infer
        output.CopyFrom(helper.make_tensor_value_info(output.name, onnx.TensorProto.FLOAT, shape))
    model("top-k", [node("TopK", ["x", "k"], ["y", "i"])], {"x": floats(4, 30), "k": lambda rng: rng.integers(2, 5, 1)}, first, shape=(4, 3))


def computed_counts():
    """A k that is computed, of elements whose number may be found, too."""
    def first(x, k):
        if not 0 <= k[0] <= 5:
            raise Refused("n", "k is negative, or more than there are elements")
        return [-np.sort(-x, 1)[:, :k[0]]]

    def first_of(x, c, k=3):
        if c.sum() < k:
            raise Refused("n", "there are fewer than k elements")
        return [-np.sort(-x[c])[:k]]

    def row(x, c, i):
        size = c.sum()
        if not -size <= i[0] < size:
            raise Refused("n", "an index is outside of [-9, 8]")
        return [x[c][i]]
    half = lambda rng: rng.random(9) < 0.4
    model("top-k-computed", [node("TopK", ["x", "k"], ["y", "at"])], {"x": floats(4, 5), "k": lambda rng: rng.integers(-1, 8, 1)}, first, shape=None)
    model("top-k-of-found", [node("Compress", ["x", "c"], ["t"], "choice"), node("TopK", ["t", "k"], ["y", "at"])], {"x": floats(9), "c": half},
          first_of, consts=[("k", np.array([3]))], shape=None)
    model("gather-of-found", [node("Compress", ["x", "c"], ["t"], "choice", axis=0), node("Gather", ["t", "i"], ["y"])],
          {"x": floats(9, 2), "c": half, "i": lambda rng: rng.integers(-5, 5, 1)}, row, shape=None)


def divisions():
    for dtype in (np.int64, np.int32):
        kind = np.dtype(dtype).name
        for op, meaning in (("Div", quotient), ("Mod", remainder)):
            for a, b in (((37,), (37,)), ((9, 16), (16,)), ((5, 40), (5, 1)), ((21,), ()), ((70, 301), (70, 301)), ((), ())):
                model(f"{op}-{kind}-{'x'.join(map(str, a))}-by-{'x'.join(map(str, b))}", [node(op, ["a", "b"], ["y"])],
                      {"a": integers(dtype, *a), "b": integers(dtype, *b, zero=False)},
                      lambda a, b, meaning=meaning: [meaning(a, b)])
        for constant in (7, -1, -3):
            model(f"div-{kind}-by-{constant}", [node("Div", ["a", "c"], ["q"]), node("Mod", ["a", "c"], ["r"])],
                  {"a": integers(dtype, 3, 50)},
                  lambda a, c=dtype(constant): [quotient(a, np.array(c)), remainder(a, np.array(c))],
                  consts=[("c", np.array(constant, dtype))])


def chains():
    """The op at fault stands among others, in one kernel with some of them."""
    model("embedding-norm", [node("Gather", ["t", "i"], ["e"], "emb"), node("Mul", ["e", "s"], ["y"], "scale")],
          {"t": floats(97, 32), "i": indices(np.int64, (2, 6), 97), "s": floats(32)},
          lambda t, i, s: [t[within(i, 97, "emb")] * s])

    def two(t, u, i, k):
        return [t[within(i, 31, "first")] + u[within(k, 31, "second")]]
    model("equal-gathers", [node("Gather", ["t", "i"], ["a"], "first"), node("Gather", ["u", "k"], ["b"], "second"),
                            node("Add", ["a", "b"], ["y"], "sum")],
          {"t": floats(31, 8), "u": floats(31, 8), "i": indices(np.int64, (5,), 31), "k": indices(np.int64, (5,), 31)}, two)

    def computed_divisor(a, b, c):
        with np.errstate(over="ignore"):
            return [quotient(a, b + c, "ratio") - a]
    model("computed-divisor", [node("Add", ["b", "c"], ["d"], "below"), node("Div", ["a", "d"], ["q"], "ratio"),
                               node("Sub", ["q", "a"], ["y"], "rest")],
          {"a": integers(np.int32, 60), "b": integers(np.int32, 60), "c": integers(np.int32, 60, zero=False)},
          computed_divisor)

    def computed_index(t, a, b):
        return [t[within(remainder(a, b, "slot"), 7, "pick")]]
    model("computed-index", [node("Mod", ["a", "b"], ["i"], "slot"), node("Gather", ["t", "i"], ["y"], "pick")],
          {"t": floats(7, 3), "a": integers(np.int64, 10), "b": lambda rng: rng.integers(-1, 9, 10)}, computed_index)
    model("cast-index", [node("Cast", ["f"], ["i"], "int", to=onnx.TensorProto.INT64),
                         node("Gather", ["t", "i"], ["y"], "pick")],
          {"t": floats(11, 4), "f": lambda rng: np.where(rng.random(6) < 0.1, wild(np.float32, 6)(rng),
                                                         rng.integers(-11, 11, 6)).astype(np.float32)},
          lambda t, f: [t[within(converted(f, np.int64), 11, "pick")]])

    def twice(a, b, c):
        return [remainder(quotient(a, b, "first"), c, "then")]
    model("div-then-mod", [node("Div", ["a", "b"], ["q"], "first"), node("Mod", ["q", "c"], ["y"], "then")],
          {"a": integers(np.int64, 4, 33), "b": integers(np.int64, 4, 1, zero=False),
           "c": integers(np.int64, 33, zero=False)}, twice)


def arithmetic():
    """Ops that have an answer for every input."""
    for dtype in (np.int64, np.int32):
        kind = np.dtype(dtype).name

        def wrapped(a, b):
            with np.errstate(over="ignore"):
                both = [a + b, a - b, a * b, np.minimum(a, b), np.maximum(a, b)]
                return both + [np.abs(a), -a, np.sign(a)]
        ops = [node(op, ["a", "b"], [op], op) for op in ("Add", "Sub", "Mul", "Min", "Max")]
        ops += [node(op, ["a"], [op], op) for op in ("Abs", "Neg", "Sign")]
        model(f"wrapping-{kind}", ops, {"a": integers(dtype, 70), "b": integers(dtype, 70)}, wrapped)

        def reduced(a):
            with np.errstate(over="ignore"):
                return [a.sum(1, dtype=a.dtype), a.max(1), a.min(1), a.argmax(1), np.cumsum(a, 1, dtype=a.dtype)]
        ops = [node("ReduceSum", ["a", "one"], ["s"], keepdims=0), node("ReduceMax", ["a", "one"], ["l"], keepdims=0),
               node("ReduceMin", ["a", "one"], ["m"], keepdims=0), node("ArgMax", ["a"], ["g"], axis=1, keepdims=0),
               node("CumSum", ["a", "axis"], ["c"])]
        model(f"reduced-{kind}", ops, {"a": integers(dtype, 5, 45)}, reduced,
              consts=[("one", np.array([1])), ("axis", np.array(1))])
    def logic(a, b, x):
        a, b = a.view(np.uint8) != 0, b.view(np.uint8) != 0
        return [a & b, a | b, a ^ b, ~a, a.astype(np.int64), a.astype(np.float32), np.where(b, x, -x), a == b]
    ops = [node(op, ["a", "b"], [op], op) for op in ("And", "Or", "Xor")] + [node("Not", ["a"], ["Not"], "Not")]
    ops += [node("Cast", ["a"], ["int"], "int", to=onnx.TensorProto.INT64), node("Neg", ["x"], ["m"], "m"),
            node("Cast", ["a"], ["float"], "float", to=onnx.TensorProto.FLOAT), node("Where", ["b", "x", "m"], ["w"], "w"),
            node("Equal", ["a", "b"], ["e"], "e")]
    for shape in ((3, 37), (1,), (5,)):
        model(f"truths-{'x'.join(map(str, shape))}", ops,
              {"a": truths(*shape), "b": truths(*shape), "x": floats(*shape)}, logic)
    for x in (np.float32, np.float64, np.float16):
        for to in (np.int64, np.int32, np.int16, np.int8, np.bool_):
            model(f"cast-{np.dtype(x).name}-{np.dtype(to).name}",
                  [node("Cast", ["x"], ["y"], to=helper.np_dtype_to_tensor_dtype(np.dtype(to)))],
                  {"x": wild(x, 3, 41)}, lambda x, to=to: [converted(x, to)])


# ---- running

def read_answers(data, count, outputs):
    """(status, message, arrays or None) of each run."""
    at, answers = 0, []
    for _ in range(count):
        status, size = struct.unpack_from("<ii", data, at)
        message = data[at + 8:at + 8 + size].decode(errors="replace")
        at += 8 + size
        arrays = None
        if status == 0:
            arrays = []
            for dtype, rank in outputs:
                shape = struct.unpack_from(f"<{rank}q", data, at)
                at += rank * 8
                n = int(np.prod(shape, dtype=np.int64))
                arrays.append(np.frombuffer(data, dtype, n, at).reshape(shape))
                at += n * dtype.itemsize
        answers.append((status, message, arrays))
    if at != len(data):
        raise Failure(f"{len(data) - at} bytes too many")
    return answers


def check_answer(m, feeds, answer):
    """1 if it was refused rightly, 0 if the numbers are right."""
    status, message, arrays = answer
    try:
        expected = m.expect(*feeds)
    except Refused as refused:
        if status != RUN_FAILED:
            raise Failure(f"a silent answer, where '{refused.node}' has none") from None
        wanted = f"node '{refused.node}' ("
        if not message.startswith(wanted) or refused.word not in message:
            raise Failure(f"expected a message of {wanted}...) with '{refused.word}', got '{message}'") from None
        return 1
    if status:
        raise Failure(f"status {status}: {message}")
    for got, want in zip(arrays, expected, strict=True):
        if got.dtype != want.dtype or got.shape != want.shape or got.tobytes() != np.ascontiguousarray(want).tobytes():
            wrong = np.flatnonzero(got.reshape(-1) != np.asarray(want).reshape(-1))[:4]
            raise Failure(f"expected {want.reshape(-1)[wrong]}, got {got.reshape(-1)[wrong]} at {wrong}, inputs "
                          + ", ".join(str(f.reshape(-1)[wrong % f.size]) for f in feeds))
    return 0


def run_without_file(args):
    """`mlc run` of a model that is compiled in memory: prints the message, and nothing of the outputs."""
    m = MODELS["embedding-norm"]
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as d:
        folder, flags = Path(d), []
        onnx.save(m.proto, folder / "m.onnx")
        for value, bad in ((96, False), (97, True), (-98, True), (-97, False)):
            feeds = [make(np.random.default_rng(0)) for make in m.inputs]
            feeds[1] = np.full_like(feeds[1], value)
            flags = save_feeds({i.name: x for i, x in zip(m.proto.graph.input, feeds)}, folder)
            result = call(args.mlc, "run", folder / "m.onnx", *flags, "--output-dir", folder / f"out{value}")
            if (result.code != 0) != bad:
                raise Failure(f"index {value}: exit {result.code}")
            if bad and ("node 'emb' (gather): an index is outside of [-97, 96]" not in result.err or result.out):
                raise Failure(f"index {value}: {result.out}{result.err}")
            if bad and (folder / f"out{value}").exists() and any((folder / f"out{value}").iterdir()):
                raise Failure(f"index {value}: outputs are left")


def run_model(name, m, args):
    rng = np.random.default_rng([zlib.crc32(name.encode()), args.seed])
    sets = [[make(rng) for make in m.inputs] for _ in range(args.runs)]
    outputs = [(np.dtype(helper.tensor_dtype_to_np_dtype(o.type.tensor_type.elem_type)),
                len(o.type.tensor_type.shape.dim)) for o in m.proto.graph.output]
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as d:
        path, so = Path(d) / "m.onnx", Path(d) / "m.so"
        onnx.save(m.proto, path)
        result = call(args.mlc, "compile", path, "-o", so)
        if result.code:
            raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
        fed = struct.pack("<i", args.runs) + b"".join(x.tobytes() for feeds in sets for x in feeds)
        p = subprocess.run([args.feed, so], input=fed, capture_output=True, timeout=300, env=environment())
    if p.returncode:
        raise Crash(f"feed: exit {p.returncode}: {p.stderr.decode(errors='replace')[-600:]}")
    answers = read_answers(p.stdout, args.runs, outputs)
    return sum(check_answer(m, feeds, answer) for feeds, answer in zip(sets, answers))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc", required=True)
    parser.add_argument("--feed", required=True)
    parser.add_argument("--runs", type=int, default=80)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    for family in (gathers, tuples, scatters, declared_sizes, computed_counts, divisions, chains, arithmetic):
        family()
    todo = {name: m for name, m in MODELS.items() if re.search(args.only, name)}
    tests = {name: lambda name=name, m=m: run_model(name, m, args) for name, m in todo.items()}
    results = run_all(tests, 2)
    failed = sum(isinstance(r, Failure) for r in results.values())
    refused = sum(r for r in results.values() if not isinstance(r, Failure))
    print(f"{len(todo) * args.runs} runs of {len(todo)} models, {refused} refused")
    if not args.only:
        direct = run_all({"mlc-run": lambda: run_without_file(args)}, 1)
        failed += isinstance(direct["mlc-run"], Failure)
        results.update(direct)
    print(f"{len(results) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
