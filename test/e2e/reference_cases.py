"""Operators that onnxruntime has not, or has another way, beside the meaning that comes with onnx.

    python reference_cases.py --mlc build/release/bin/mlc [--only TEXT]

Each is a model of one node or a few, run by mlc with 1, 2 and 3 threads and by onnx's reference evaluator. Random numbers, of which
onnx says nothing but their distribution, are held to that, and to being the same in each run.
"""
import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from harness import Failure, call, check_close, check_same_bits, run_all, run_outputs, save_feeds

CASES = {}
TRAINING, PREVIEW = "ai.onnx.preview.training", "ai.onnx.preview"


def case(name, nodes, feeds, consts=(), outputs=("y",), opset=22, kinds=None, want=None):
    """`nodes`, of which the first reads the feeds; `want`: what has to come out, where the reference has no meaning or another one."""
    infos = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for n, v in feeds.items()]
    results = [helper.make_tensor_value_info(o, k, None) for o, k in zip(outputs, kinds or [TensorProto.FLOAT] * len(outputs))]
    graph = helper.make_graph(nodes, "g", infos, results, [numpy_helper.from_array(np.asarray(v), n) for n, v in dict(consts).items()])
    domains = {n.domain for n in nodes if n.domain}
    imports = [helper.make_opsetid("", opset)] + [helper.make_opsetid(d, 1) for d in sorted(domains)]
    assert name not in CASES, name
    CASES[name] = helper.make_model(graph, opset_imports=imports, ir_version=10), feeds, want


def one(name, op, feeds, consts=(), outputs=("y",), inputs=None, opset=22, kinds=None, want=None, domain="", **attributes):
    inputs = list(feeds) + list(dict(consts)) if inputs is None else inputs
    case(name, [helper.make_node(op, inputs, list(outputs), domain=domain, **attributes)], feeds, consts, outputs, opset, kinds, want)


def numbers(*shape, seed=0, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def ints(*items):
    return np.array(items, np.int64)


def resizes():
    x = {"x": numbers(2, 3, 9, 8)}
    for mode in ("linear", "cubic"):
        for sizes in ((2, 3, 4, 5), (2, 3, 1, 3), (2, 3, 12, 2)):
            for outside in (0, 1):
                name = f"resize-antialias-{mode}-{'x'.join(map(str, sizes))}-{outside}"
                one(name, "Resize", x, {"s": ints(*sizes)}, inputs=["x", "", "", "s"], mode=mode, antialias=1, exclude_outside=outside)
        one(f"resize-antialias-{mode}-vector", "Resize", {"x": numbers(40)}, {"f": np.float32([0.3])}, inputs=["x", "", "f"], mode=mode,
            antialias=1)
    for mode in ("nearest", "linear", "cubic"):
        for name, crop in (("inside", (0, 0, .2, .3, 1, 1, .7, .9)), ("beyond", (0, 0, -.2, .5, 1, 1, .5, 1.3)), ("backwards", (0, 0, .9, 1, 1, 1, .1, 0))):
            if mode == "nearest" and name != "inside":
                continue  # the reference takes a place before the image for one in it
            one(f"resize-crop-{mode}-{name}", "Resize", x, {"roi": np.float32(crop), "s": ints(2, 3, 5, 6)}, inputs=["x", "roi", "", "s"],
                mode=mode, coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=7.5)
    one("resize-crop-axes", "Resize", x, {"roi": np.float32([.6, .4, .8, .6]), "s": ints(3, 3)}, inputs=["x", "roi", "", "s"], mode="linear",
        coordinate_transformation_mode="tf_crop_and_resize", axes=[3, 2])


def determinant_cases():
    for shape in ((1, 1), (2, 2), (5, 5), (3, 2, 4, 4), (17, 17)):
        x = numbers(*shape, dtype=np.float64)
        one(f"det-{'x'.join(map(str, shape))}", "Det", {"x": x}, kinds=[TensorProto.DOUBLE])
    swapped = np.array([[[0, 1], [1, 0]], [[0, 0], [0, 3]], [[1, 2], [2, 4]]], np.float32)
    one("det-of-zeros", "Det", {"x": swapped}, want=[np.float32([-1, 0, 0])])


def deformed():
    rng = np.random.default_rng(3)

    def deform(name, n, c, size, results, kernel, offset_group=1, group=1, with_mask=False, with_bias=False, **attributes):
        pads, strides = attributes.get("pads", [0] * 4), attributes.get("strides", [1, 1])
        dilations = attributes.get("dilations", [1, 1])
        out = [(size[i] + pads[i] + pads[i + 2] - dilations[i] * (kernel[i] - 1) - 1) // strides[i] + 1 for i in range(2)]
        places = offset_group * kernel[0] * kernel[1]
        feeds = {"x": numbers(n, c, *size), "w": numbers(results, c // group, *kernel, seed=1),
                 "o": rng.uniform(-2.5, 2.5, (n, 2 * places, *out)).astype(np.float32)}
        inputs = ["x", "w", "o", "", ""]
        if with_bias:
            feeds["b"], inputs[3] = numbers(results, seed=5), "b"
        if with_mask:
            feeds["m"], inputs[4] = numbers(n, places, *out, seed=6), "m"
        while not inputs[-1]:
            inputs.pop()
        one(f"deform-{name}", "DeformConv", feeds, inputs=inputs, group=group, offset_group=offset_group, **attributes)

    deform("plain", 1, 2, (5, 6), 3, (3, 3))
    deform("groups", 2, 4, (6, 5), 6, (2, 3), offset_group=2, group=2, with_mask=True, with_bias=True)
    deform("strides", 1, 6, (9, 8), 4, (3, 2), offset_group=3, group=2, with_mask=True, strides=[2, 1], pads=[1, 0, 2, 1], dilations=[2, 1])


def optimizers():
    for t in (0, 3):
        feeds = {"r": np.float32(.1), "t": np.int64(t)}
        lists = {f"{name}{i}": numbers(3 + i, 2, seed=hash_of(name, i)) for name in "xgv" for i in range(2)}
        squares = {f"h{i}": numbers(3 + i, 2, seed=40 + i) ** 2 for i in range(2)}
        for mode in ("standard", "nesterov"):
            one(f"momentum-{mode}-{t}", "Momentum", {**feeds, **lists}, outputs=("a", "b", "c", "d"), domain=TRAINING, alpha=.95, beta=.7,
                norm_coefficient=.01, mode=mode)
        with_squares = {**feeds, **{k: v for k, v in lists.items() if k[0] != "v"}, **squares}
        one(f"adagrad-{t}", "Adagrad", with_squares, outputs=("a", "b", "c", "d"), domain=TRAINING, decay_factor=.1, epsilon=1e-5,
            norm_coefficient=.001)
        one(f"adam-{t}", "Adam", {**feeds, **lists, **squares}, outputs=tuple("abcdef"), domain=TRAINING, alpha=.95, beta=.1, epsilon=1e-3,
            norm_coefficient=.001, norm_coefficient_post=.02 if t else 0.)


def hash_of(name, i):
    return ord(name) * 7 + i


def attention():
    def graph(name, *nodes, consts=()):
        info = [helper.make_tensor_value_info(v, TensorProto.FLOAT, [None] * 4) for v in ("s", "o")]
        return helper.make_graph(list(nodes), name, info[:1], info[1:], [numpy_helper.from_array(v, n) for n, v in consts])

    tanh = graph("cap", helper.make_node("Tanh", ["s"], ["o"]))
    halved = graph("half", helper.make_node("Mul", ["s", "c"], ["o"]), consts=[("c", np.float32(.5))])
    for name, heads, shared in (("plain", 4, 4), ("grouped", 6, 2)):
        feeds = {"q": numbers(2, heads, 5, 8), "k": numbers(2, shared, 7, 8, seed=1), "v": numbers(2, shared, 7, 3, seed=2)}

        def attend(score=lambda s: s, prob=lambda p: p, scale=1 / np.sqrt(8), feeds=feeds, group=heads // shared):
            k, v = (np.repeat(feeds[i].astype(np.float64), group, 1) for i in "kv")
            scores = score(feeds["q"] @ k.swapaxes(2, 3) * scale)
            shares = np.exp(scores - scores.max(-1, keepdims=True))
            return [(prob(shares / shares.sum(-1, keepdims=True)) @ v).astype(np.float32)]

        one(f"flex-{name}", "FlexAttention", feeds, domain=PREVIEW, opset=26, want=attend())
        one(f"flex-{name}-modified", "FlexAttention", feeds, domain=PREVIEW, opset=26, scale=.3, score_mod=tanh, prob_mod=halved,
            want=attend(np.tanh, lambda p: p / 2, .3))


def others():
    for bins, length, rate, low, high in ((8, 16, 8192, 0, 4096), (20, 512, 16000, 125, 7600), (4, 9, 8000, 0, 4000)):
        consts = {"b": np.int32(bins), "l": np.int32(length), "r": np.int32(rate), "lo": np.float32(low), "hi": np.float32(high)}
        one(f"mel-{bins}-{length}", "MelWeightMatrix", {}, consts, opset=17)
    for batch in (0, 1):
        one(f"reverse-sequence-{batch}", "ReverseSequence", {"x": numbers(4, 4, 3), "l": ints(1, 4, 0, 3)}, batch_axis=batch, time_axis=1 - batch)
    x = {"x": numbers(2, 3, 7, 8)}
    one("max-pool-places", "MaxPool", x, outputs=("y", "i"), kinds=[TensorProto.FLOAT, TensorProto.INT64], kernel_shape=[3, 2], strides=[2, 2],
        pads=[1, 0, 1, 1])
    one("max-pool-places-of-ties", "MaxPool", {"x": np.zeros((1, 2, 4, 4), np.float32)}, outputs=("y", "i"),
        kinds=[TensorProto.FLOAT, TensorProto.INT64], kernel_shape=[2, 2],
        want=[np.zeros((1, 2, 3, 3), np.float32), (np.arange(2)[:, None, None] * 16 + np.arange(3)[:, None] * 4 + np.arange(3))[None]])
    places = np.array([[[[5, 7], [13, 15]], [[16, 19], [28, 31]]]], np.int64)
    one("max-unpool", "MaxUnpool", {"x": numbers(1, 2, 2, 2), "i": places}, kernel_shape=[2, 2], strides=[2, 2])
    one("max-unpool-larger", "MaxUnpool", {"x": numbers(1, 2, 2, 2), "i": places}, {"s": ints(1, 2, 5, 6)}, kernel_shape=[2, 2], strides=[2, 2])
    for equation, *shapes in (("...ii->...i", (3, 4, 4)), ("ii", (5, 5)), ("iij->ji", (4, 4, 3)), ("iii->i", (3, 3, 3)), ("...ij,...jk", (2, 3, 4), (2, 4, 5)),
                              ("b...,b...->...", (2, 3, 4), (2, 3, 4)), ("i...j,jj->...i", (2, 5, 3), (3, 3)), ("...->...", (2, 3))):
        feeds = {name: numbers(*shape, seed=len(shape)) for name, shape in zip("xy", shapes)}
        want = [np.einsum(equation, *(v.astype(np.float64) for v in feeds.values())).astype(np.float32)]
        case(f"einsum-{equation}", [helper.make_node("Einsum", list(feeds), ["r"], equation=equation)], feeds, outputs=("r",), want=want)
    body = helper.make_graph(
        [helper.make_node("Add", ["i", "two"], ["e"]), helper.make_node("Unsqueeze", ["i", "zero"], ["a"]),
         helper.make_node("Unsqueeze", ["e", "zero"], ["b"]), helper.make_node("Slice", ["table", "a", "b"], ["part"]),
         helper.make_node("Identity", ["c"], ["d"])], "body",
        [helper.make_tensor_value_info("i", TensorProto.INT64, ()), helper.make_tensor_value_info("c", TensorProto.BOOL, ())],
        [helper.make_tensor_value_info("d", TensorProto.BOOL, ()), helper.make_tensor_value_info("part", TensorProto.FLOAT, None)])
    table = numbers(9, 3)
    case("slice-of-a-place-that-is-computed", [helper.make_node("Loop", ["n", "t"], ["y"], body=body)], {"table": table},
         {"n": np.int64(6), "t": np.array(True), "two": np.int64(2), "zero": ints(0)},
         want=[np.stack([table[i:i + 2] for i in range(6)])])
    x = {"x": numbers(30, 40)}
    for seed in (0, 7):
        one(f"dropout-{seed}", "Dropout", x, {"ratio": np.float32(.3), "on": np.array(True)}, outputs=("y", "m"),
            kinds=[TensorProto.FLOAT, TensorProto.BOOL], seed=seed)


def old_forms():
    """What opsets before 7 say with attributes, beside what came of it."""
    x = numbers(2, 3, 4)
    one("reshape-old", "Reshape", {"x": x}, opset=4, shape=[3, -1], want=[x.reshape(3, 8)])
    for p in (1, 2, 3):
        want = (np.abs(x.astype(np.float64)) ** p).sum(2, keepdims=True) ** (1 / p)
        one(f"global-lp-pool-{p}", "GlobalLpPool", {"x": x}, opset=17, p=p, want=[want.astype(np.float32)])
    for p in (1.0, 2.0, 2.5):
        want = (np.abs(x.astype(np.float64)) ** p).sum(2, keepdims=True) ** (1 / p)
        one(f"global-lp-pool-old-{p}", "GlobalLpPool", {"x": x}, opset=1, p=p, want=[want.astype(np.float32)])
        pairs = np.abs(x.astype(np.float64)) ** p
        want = (pairs[:, :, :-1] + pairs[:, :, 1:]) ** (1 / p)
        one(f"lp-pool-old-{p}", "LpPool", {"x": x}, opset=1, p=p, kernel_shape=[2], want=[want.astype(np.float32)])
    one("cast-old", "Cast", {"x": 9 * x}, opset=1, to="INT32", kinds=[TensorProto.INT32], want=[(9 * x).astype(np.int32)])
    one("cast-old-bool", "Cast", {"x": x.round()}, opset=5, to="BOOL", kinds=[TensorProto.BOOL], want=[x.round() != 0])
    padded = np.pad(x, ((0, 1), (2, 0), (1, 3)), constant_values=0.5)
    one("pad-old", "Pad", {"x": x}, opset=1, paddings=[0, 2, 1, 1, 0, 3], value=0.5, want=[padded])
    one("pad-old-edge", "Pad", {"x": x}, opset=1, paddings=[0, 0, 1, 0, 0, 2], mode="edge", want=[np.pad(x, ((0, 0), (0, 0), (1, 2)), "edge")])
    one("split-old", "Split", {"x": x}, opset=1, axis=2, split=[1, 3], outputs=("y", "z"), kinds=[TensorProto.FLOAT] * 2,
        want=[x[:, :, :1], x[:, :, 1:]])
    one("split-old-input", "Split", {"x": x}, {"s": np.float32([2, 1])}, opset=1, axis=1, outputs=("y", "z"), kinds=[TensorProto.FLOAT] * 2,
        want=[x[:, :2], x[:, 2:]])
    one("tile-old", "Tile", {"x": x}, {"n": np.float32(3), "axis": np.float32(1)}, opset=1, want=[np.tile(x, (1, 3, 1))])
    image = numbers(1, 2, 3, 4)
    one("upsample-old", "Upsample", {"x": image}, opset=1, height_scale=2.0, width_scale=3.0, want=[image.repeat(2, 2).repeat(3, 3)])


def many_places():
    """Padding whose places are computed: too many to be a constant."""
    x = numbers(2, 70000)
    for mode in ("wrap", "reflect", "edge"):
        one(f"pad-many-{mode}", "Pad", {"x": x}, {"p": ints(0, 300000, 1, 800000)}, opset=19, mode=mode,
            want=[np.pad(x, ((0, 1), (300000, 800000)), mode)])


def fused():
    """Operators of com.microsoft that onnxruntime has for GPUs alone: as what they were made of."""
    x, w, bias, added = numbers(1, 9, 9, 4), numbers(6, 4, 3, 3, seed=1), numbers(6, seed=2), numbers(1, 5, 5, 6, seed=3)

    def plain(nodes, feeds):
        infos = [helper.make_tensor_value_info(n, TensorProto.FLOAT, v.shape) for n, v in feeds.items()]
        graph = helper.make_graph(nodes, "g", infos, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
        return ReferenceEvaluator(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)])).run(None, feeds)
    last, first = [0, 2, 3, 1], [0, 3, 1, 2]
    conv = [helper.make_node("Transpose", ["x"], ["a"], perm=first), helper.make_node("Conv", ["a", "w", "b"], ["c"], strides=[2, 2], pads=[1, 1, 1, 1]),
            helper.make_node("Transpose", ["c"], ["y"], perm=last)]
    feeds = {"x": x, "w": w, "b": bias}
    y, = plain(conv, feeds)
    one("nhwc-conv", "NhwcConv", feeds, domain="com.microsoft", strides=[2, 2], pads=[1, 1, 1, 1], want=[y])
    one("nhwc-conv-sum", "NhwcFusedConv", {**feeds, "z": added}, domain="com.microsoft", strides=[2, 2], pads=[1, 1, 1, 1], activation="LeakyRelu",
        activation_params=[0.5], want=[np.where(y + added < 0, (y + added) / 2, y + added).astype(np.float32)])
    pool = [conv[0], helper.make_node("MaxPool", ["a"], ["c"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]), conv[2]]
    one("nhwc-pool", "NhwcMaxPool", {"x": x}, domain="com.microsoft", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], want=plain(pool, {"x": x}))
    a, b, c = numbers(3, 5), numbers(5, 7, seed=1), numbers(7, seed=2)
    gelu = [helper.make_node("MatMul", ["a", "b"], ["m"]), helper.make_node("Add", ["m", "c"], ["s"]), helper.make_node("Gelu", ["s"], ["y"], approximate="tanh")]
    one("gemm-fast-gelu", "GemmFastGelu", {"a": a, "b": b, "c": c}, domain="com.microsoft", want=plain(gelu, {"a": a, "b": b, "c": c}))
    q, k, v = (numbers(2, 7, 4, 8, seed=i) for i in range(3))

    def attend(queries):
        scores = np.einsum("nqhd,nkhd->nhqk", queries.astype(np.float64), k) / np.sqrt(8)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        y = np.einsum("nhqk,nkhd->nqhd", shares / shares.sum(-1, keepdims=True), v)
        return [y.reshape(*y.shape[:2], 32).astype(np.float32)]
    one("heads-packed", "MultiHeadAttention", {"x": np.stack([q, k, v], 3)}, domain="com.microsoft", num_heads=4, want=attend(q))
    few = numbers(2, 3, 4, 8, seed=9)
    one("heads-packed-keys", "MultiHeadAttention", {"q": few.reshape(2, 3, 32), "x": np.stack([k, v], 3)}, domain="com.microsoft", num_heads=4,
        want=attend(few))


def random_numbers(mlc, folder):
    """What is drawn has the distribution that is asked for, and is drawn once."""
    like, shares = np.zeros((100, 100), np.float32), np.linspace(0, 1, 10000, dtype=np.float32).reshape(100, 100)
    classes = np.log(np.array([[.5, .25, .25], [.1, .1, .8]], np.float32))
    nodes = [helper.make_node("RandomUniform", [], ["u"], shape=[100, 100], low=2., high=5., seed=3.),
             helper.make_node("RandomUniformLike", ["l"], ["ul"]),
             helper.make_node("RandomNormal", [], ["n"], shape=[100, 100], mean=1., scale=2., dtype=TensorProto.DOUBLE),
             helper.make_node("RandomNormalLike", ["l"], ["nl"], seed=9.),
             helper.make_node("Bernoulli", ["s"], ["b"], dtype=TensorProto.INT32),
             helper.make_node("Multinomial", ["c"], ["m"], sample_size=4000, dtype=TensorProto.INT64)]
    kinds = {"u": TensorProto.FLOAT, "ul": TensorProto.FLOAT, "n": TensorProto.DOUBLE, "nl": TensorProto.FLOAT, "b": TensorProto.INT32,
             "m": TensorProto.INT64}
    feeds = {"l": like, "s": shares, "c": classes}
    infos = [helper.make_tensor_value_info(n, TensorProto.FLOAT, v.shape) for n, v in feeds.items()]
    graph = helper.make_graph(nodes, "g", infos, [helper.make_tensor_value_info(n, k, None) for n, k in kinds.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10), folder / "m.onnx")
    flags = save_feeds(feeds, folder)
    runs = [run_outputs(mlc, folder / "m.onnx", flags, list(kinds), folder / f"out{i}", 1) for i in range(2)]
    check_same_bits(list(kinds), *runs, "one run against another")
    got = dict(zip(kinds, runs[0]))

    def close(what, number, want, tolerance):
        if abs(number - want) > tolerance:
            raise Failure(f"{what} is {number:.4f}, expected {want} within {tolerance}")

    for name, mean, deviation in (("u", 3.5, 3 / 12**.5), ("ul", .5, 12**-.5), ("n", 1, 2), ("nl", 0, 1)):
        close(f"the mean of {name}", got[name].mean(), mean, 5 * deviation / 100)
        close(f"the deviation of {name}", got[name].std(), deviation, .05 * deviation)
    if not (2 <= got["u"].min() and got["u"].max() < 5):
        raise Failure("uniform numbers leave their range")
    if (got["n"][0, :5] == got["nl"][0, :5]).any():
        raise Failure("two seeds give the same numbers")
    for part in range(4):
        rows = slice(25 * part, 25 * part + 25)
        close(f"the share of ones in part {part}", got["b"][rows].mean(), shares[rows].mean(), .05)
    for row, probabilities in enumerate(np.exp(classes)):
        for k, p in enumerate(probabilities):
            close(f"the share of class {k} in row {row}", (got["m"][row] == k).mean(), p, .05)


def slice_of_an_input(mlc, folder):
    """Compiled without its value, a start must be a place from 0 on that leaves enough elements."""
    nodes = [helper.make_node("Add", ["s", "two"], ["e"]), helper.make_node("Unsqueeze", ["s", "zero"], ["a"]),
             helper.make_node("Unsqueeze", ["e", "zero"], ["b"]), helper.make_node("Slice", ["x", "a", "b", "axis"], ["y"])]
    infos = [helper.make_tensor_value_info("x", TensorProto.FLOAT, (3, 5)), helper.make_tensor_value_info("s", TensorProto.INT64, ())]
    consts = {"two": np.int64(2), "zero": ints(0), "axis": ints(1)}
    graph = helper.make_graph(nodes, "g", infos, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
                              [numpy_helper.from_array(np.asarray(v), n) for n, v in consts.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10), folder / "m.onnx")
    result = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so")
    if result.code:
        raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
    x = numbers(3, 5)
    for start, message in ((0, None), (3, None), (-3, "whether the start counts from the end is not 0"), (4, "an index is outside of")):
        flags = save_feeds({"x": x, "s": np.int64(start)}, folder)
        result = call(mlc, "run", folder / "m.so", *flags, "--output-dir", folder)
        if message and (result.code == 0 or message not in result.err):
            raise Failure(f"from {start}: exit {result.code}: {result.first_line()}")
        if not message and (result.code or not (np.load(folder / "y.npy") == x[:, start:start + 2]).all()):
            raise Failure(f"from {start}: exit {result.code}: {result.first_line()}")


def test_case(mlc, name, folder):
    model, feeds, want = CASES[name]
    if want is None:
        want = ReferenceEvaluator(model).run(None, feeds)
    onnx.save(model, folder / "m.onnx")
    names = [o.name for o in model.graph.output]
    flags = save_feeds(feeds, folder)
    result = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so")
    if result.code:
        raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
    runs = [run_outputs(mlc, folder / "m.so", flags, names, folder / f"out{t}", t) for t in (1, 2, 3)]
    for output, got, expected in zip(names, runs[0], want):
        if got.shape != np.shape(expected):
            raise Failure(f"output {output} has shape {got.shape}, expected {np.shape(expected)}")
    check_close(names, runs[0], want)
    for threads, outputs in zip((2, 3), runs[1:]):
        check_same_bits(names, runs[0], outputs, f"{threads} threads against 1")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", required=True)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    for make in (resizes, determinant_cases, deformed, optimizers, attention, fused, old_forms, many_places, others):
        make()
    tests = {}
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as name:
        others_too = {"random-numbers": random_numbers, "slice-of-an-input": slice_of_an_input}
        for i, todo in enumerate([*CASES, *others_too]):
            folder = Path(name) / str(i)
            folder.mkdir()
            if args.only in todo and todo in CASES:
                tests[todo] = lambda todo=todo, folder=folder: test_case(args.mlc, todo, folder)
            elif args.only in todo:
                tests[todo] = lambda test=others_too[todo], folder=folder: test(args.mlc, folder)
        results = run_all(tests, 2)
    failed = sum(isinstance(r, Failure) for r in results.values())
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
