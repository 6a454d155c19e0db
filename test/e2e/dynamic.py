"""One artefact for all sizes: models with dimensions that have names, compiled once, run for several sizes; and what is told where
sizes do not agree.

    python dynamic.py --mlc build/release/bin/mlc

Results are compared with onnxruntime.
"""
import argparse
import os
from pathlib import Path

import numpy as np
import onnx


import dims
from dims import F32, I64, Graph, expect
from harness import Failure, call, check_close, run_in_folders, run_outputs, save_feeds
from run import reference

MLC = None


def matrix():
    """A product, a bias, softmax along a size that is known."""
    g = Graph("matrix")
    x = g.input("x", F32, ["batch", 16])
    return g.done(g("Softmax", g("Add", g("MatMul", x, g.weight(16, 8)), g.weight(8)), axis=-1), ["batch", 8])


def elements():
    """Broadcasts among two open sizes; transposes; reductions along an open one."""
    g = Graph("elements")
    x, z = g.input("x", F32, ["batch", "seq", 4]), g.input("z", F32, ["seq", 1])
    y = g("Mul", g("Add", x, z), g("Sigmoid", x))
    y = g("Transpose", y, perm=[2, 0, 1])
    return g.done(g("Sub", y, g("ReduceMax", y, axes=[2], keepdims=1)), None)


def joined():
    """Along an open size, twice; means over one, of floats and of integers."""
    g = Graph("joined")
    x, z = g.input("x", F32, ["batch", "past", 4]), g.input("z", F32, ["batch", "seq", 4])
    y = g("Concat", x, g("Relu", z), x, axis=1)
    mean = g("ReduceMean", y, axes=[1], keepdims=0)
    whole = g("ReduceMean", g("Cast", g("Mul", z, np.float32(10)), to=I64), axes=[1, 2], keepdims=1)
    return g.done(g("Add", g("Mul", y, g("Unsqueeze", mean, np.array([1]))), g("Cast", whole, to=F32)), None)


def views():
    """Reshapes whose groups are found by texts, or not at all; slices by sizes, with steps and from the end; Tile and Size."""
    g = Graph("views")
    x = g.input("x", F32, ["batch", "seq", 8])
    seq = g.shape(g.size(x, 1))
    y = g("Reshape", x, np.array([-1, 8]))
    y = g("Reshape", y, g.shape(g.size(x, 1), g.size(x, 0), 2, 4))  # [seq, batch, 2, 4]
    y = g("Reshape", y, g.shape(2, -1, g("Mul", g.size(x, 0), np.int64(4))))
    y = g("Slice", y, np.array([0]), g("Concat", seq, axis=0), np.array([1]))
    last = g("Slice", x, np.array([-1]), np.array([2**63 - 1]), np.array([1]))
    some = g("Slice", x, np.array([1]), np.array([2**63 - 1]), np.array([1]), np.array([3]))
    tiled = g("Tile", last, g("Concat", np.array([1]), seq, np.array([1]), axis=0))
    count = g("Cast", g("Size", some), to=F32)
    y = g("Add", g("Reshape", y, g.shape(g.size(x, 0), -1, 8)), g("Mul", tiled, g("ReduceSum", some, np.array([1]))))
    return g.done(g("Add", y, count), None)


def fixed():
    """Open sizes that become numbers, and back: as many elements are checked when the model runs."""
    g = Graph("fixed")
    x = g.input("x", F32, ["batch", "seq", 4])
    y = g("Reshape", x, np.array([4, 5, 2]))
    y = g("Reshape", g("Softmax", y, axis=1), np.array([40]))
    y = g("Reshape", g("Add", y, g.weight(40)), g.shape(g.size(x, 1), 4, g.size(x, 0)))
    return g.done(g("Mul", g("Transpose", y, perm=[2, 0, 1]), x), None)


def cached():
    """A step of attention with keys of the past, whose mask's length is named as a sum, and pictures by the batch."""
    g = Graph("cached")
    x, past = g.input("x", F32, ["batch", "seq", 8]), g.input("past", F32, ["batch", "past", 8])
    mask = g.input("mask", F32, ["batch", "past + seq"])
    keys = g("Concat", past, g("MatMul", x, g.weight(8, 8)), axis=1)
    scores = g("Add", g("MatMul", x, g("Transpose", keys, perm=[0, 2, 1])), g("Unsqueeze", mask, np.array([1])))
    ends = [g.shape(g.size(past, 1)), g.shape(g("Add", g.size(past, 1), g.size(x, 1)))]
    table = g("Slice", g.weight(160, 8), *ends, np.array([0]))  # places of the new ones
    return g.done(g("Add", g("MatMul", g("Softmax", scores, axis=-1), keys), table), None)


def labelled():
    """Einsum: batches, rows and sums of open sizes; a sum along one alone; an outer product."""
    g = Graph("labelled")
    q, k = g.input("q", F32, ["batch", "seq", 4, 8]), g.input("k", F32, ["batch", "keys", 4, 8])
    scores = g("Einsum", q, k, equation="bihd,bjhd->bhij")
    mixed = g("Einsum", scores, k, equation="bhij,bjhd->bihd")
    y = g("Einsum", mixed, g.weight(8, 4, 3), equation="bihd,dhe->bie")
    one = g("Einsum", g("Einsum", q, equation="bihd->i"), g.weight(3), equation="i,e->ie")
    return g.done(g("Add", y, one), None)


def pictures():
    g = Graph("pictures")
    x = g.input("x", F32, ["batch", 3, 16, 16])
    y = g("Relu", g("Conv", x, g.const((g.rng.standard_normal((8, 3, 3, 3)) / 5).astype(np.float32)), pads=[1, 1, 1, 1], strides=[2, 2]))
    y = g("AveragePool", g("MaxPool", y, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]), kernel_shape=[2, 2], strides=[2, 2])
    return g.done(g("Gemm", g("Flatten", y, axis=1), g.weight(32, 5)), None)


def photos():
    """Pictures of any size: strides, groups, dilations, pads, pools; the mean of all positions."""
    g = Graph("photos")
    x = g.input("x", F32, ["batch", 3, "height", "width"])

    def filters(*shape):
        return g.const((g.rng.standard_normal(shape) / 5).astype(np.float32))
    y = g("Relu", g("Conv", x, filters(8, 3, 3, 3), filters(8), pads=[1, 1, 1, 1], strides=[2, 2]))
    y = g("MaxPool", y, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    y = g("Conv", y, filters(8, 1, 3, 3), pads=[2, 2, 2, 2], dilations=[2, 2], group=8)
    y = g("Add", y, g("Conv", y, filters(8, 4, 3, 3), pads=[1, 1, 1, 1], group=2))
    y = g("Conv", g("AveragePool", y, kernel_shape=[2, 2], pads=[1, 1, 1, 1], count_include_pad=1), filters(4, 8, 1, 1))
    return g.done(g("Concat", g("GlobalAveragePool", y), g("GlobalMaxPool", y), axis=1), None)


def sums():
    """Running sums, also backwards; the place of the largest; a diagonal."""
    g = Graph("sums")
    x = g.input("x", F32, ["batch", "seq", 4])
    y = g("Add", g("CumSum", x, np.int64(1)), g("CumSum", x, np.int64(0), reverse=1, exclusive=1))
    best = g("Cast", g("ArgMax", x, axis=1, keepdims=1), to=F32)
    square = g("EyeLike", g("ReduceSum", x, np.array([2]), keepdims=0))
    return g.done(g("Add", g("Add", y, best), g("Unsqueeze", square, np.array([2]))), None)


def chosen():
    """The first k of a number and of a size, all in order, one-hot rows, scatters."""
    g = Graph("chosen")
    x = g.input("x", F32, ["batch", "seq", 4])
    firsts = g("TopK", g("Concat", x, g("Neg", x), x, axis=1), np.array([3]), axis=1)
    places = g.nodes[-1].output
    places.append("places")
    hot = g("OneHot", "places", np.array(6), np.array([0, 2], np.float32), axis=2)
    ordered = g("TopK", x, g.shape(g.size(x, 1)), axis=1, largest=0)
    g.nodes[-1].output.append("order")
    half = g("TopK", x, g("Div", g.shape(g.size(x, 1)), np.array([2])), axis=1)
    g.nodes[-1].output.append("half_order")
    put = g("ScatterElements", x, "order", ordered, axis=1)
    put = g("ScatterND", put, np.array([[0, 0]]), g.weight(1, 4))
    sums = [g("ReduceSum", v, np.array([1]), keepdims=1) for v in (firsts, g("ReduceSum", hot, np.array([2]), keepdims=0), half)]
    return g.done(g("Add", g("Mul", put, sums[0]), g("Sub", sums[1], sums[2])), None)


def resized():
    """Twice as large by scales, to the size of another, to a number; by neighbours, lines and cubes."""
    g = Graph("resized")
    x = g.input("x", F32, ["batch", 2, "height", "width"])
    small = g("AveragePool", x, kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1, pads=[0, 1, 0, 1])
    sizes = g("Concat", g("Slice", g("Shape", small), np.array([0]), np.array([2])), g("Slice", g("Shape", x), np.array([2]), np.array([4])), axis=0)
    scales = np.array([1, 1, 2, 1.5], np.float32)
    like = [g("Resize", small, "", "", sizes, mode=mode, **more) for mode, more in (
        ("linear", {}), ("linear", {"coordinate_transformation_mode": "align_corners"}), ("nearest", {"coordinate_transformation_mode": "asymmetric",
                                                                                                     "nearest_mode": "floor"}),
        ("cubic", {}), ("cubic", {"exclude_outside": 1}), ("linear", {"coordinate_transformation_mode": "pytorch_half_pixel"}))]
    more = [g("ReduceMean", g("Resize", x, "", scales, mode=mode), axes=[2, 3]) for mode in ("nearest", "linear")]
    fixed = g("Resize", x, "", "", g("Concat", g("Slice", g("Shape", x), np.array([0]), np.array([2])), np.array([3, 4]), axis=0), mode="linear")
    total = like[0]
    for other in like[1:] + more + [g("ReduceMax", fixed, axes=[2, 3])]:
        total = g("Add", total, other)
    return g.done(total, None)


def shrunk():
    """Filters as wide as a step of the result, to sizes that are open and by scales."""
    g = Graph("shrunk")
    x, like = g.input("x", F32, ["batch", 2, "height", "width"]), g.input("like", F32, ["h", "w"])
    sizes = g("Concat", np.array([1]), np.array([2]), g("Shape", like), axis=0)
    one = g("Slice", x, np.array([0]), np.array([1]), np.array([0]))
    how = [dict(mode=mode, antialias=1, exclude_outside=1) for mode in ("linear", "cubic")] + [dict(mode="linear", antialias=1, coordinate_transformation_mode="align_corners")]
    flat = [g("Resize", one, "", "", sizes, **more) for more in how]
    flat += [g("Resize", x, "", np.array([1, 1, 0.5, 0.25], np.float32), **more) for more in how[:2]]
    model = g.done(g("Concat", *[g("Reshape", y, np.array([-1])) for y in flat], axis=0), None)
    model.opset_import[0].version = 18
    return model


def padded():
    """Up to a multiple of a number, by what is there at the ends; halves, blocks, triangles; all of it backwards."""
    g = Graph("padded")
    x = g.input("x", F32, ["batch", "seq", 4])
    more = g("Sub", np.int64(4), g("Mod", g.size(x, 1), np.int64(4)))
    zero = np.array([0])
    y = g("Pad", x, g("Concat", np.zeros(4, np.int64), g("Unsqueeze", more, zero), zero, axis=0))  # whole groups of 4
    y = g("Pad", y, np.array([0, 2, 0, 0, 1, 0]), mode="reflect")
    y = g("Pad", y, np.array([0, 0, 0, 0, 1, 0]), mode="edge")
    back = g("Slice", y, np.array([-1]), np.array([-2**63]), np.array([1]), np.array([-1]))
    first = g("Split", g("Mul", y, back), axis=1)
    g.nodes[-1].output.append("second")
    both = g("Mul", first, "second")
    square = g("MatMul", both, g("Transpose", both, perm=[0, 2, 1]))
    square = g("Trilu", square, g("Sub", g.size(x, 1), np.int64(3)), upper=0)
    half = g("Div", g("Sub", g.size(x, 1), np.int64(5)), np.int64(2))  # rounded to 0
    return g.done(g("Add", g("MatMul", square, both), g("Cast", half, to=F32)), None)


def blocks():
    """Channels to positions and back, and a shape whose missing size is a quotient of products."""
    g = Graph("blocks")
    x = g.input("x", F32, ["batch", 8, "height", "width"])
    y = g("SpaceToDepth", g("DepthToSpace", x, blocksize=2, mode="CRD"), blocksize=2)
    y = g("Reshape", g("Transpose", y, perm=[0, 2, 3, 1]), g.shape(g("Mul", g.size(x, 0), g.size(x, 2)), -1, 8))
    y = g("Reshape", y, g.shape(g.size(x, 0), -1, g.size(x, 3), 8))
    return g.done(g("Reshape", y, g.shape(g("Mul", g.size(x, 0), np.int64(4)), -1, 2)), None)


def sampled():
    """Pixels of an open number of images at places of an open number."""
    g = Graph("sampled")
    x, places = g.input("x", F32, ["batch", 2, 5, 6]), g.input("places", F32, ["batch", "rows", 3, 2])
    y = [g("GridSample", x, places, mode=mode, padding_mode=padding) for mode, padding in (("bilinear", "zeros"), ("bilinear", "border"),
                                                                                       ("nearest", "reflection"))]
    return g.done(g("Add", g("Add", y[0], y[1]), y[2]), None)


def images():
    """Pixels of images of open sizes, in all modes; regions of an open number."""
    g = Graph("images")
    x, places = g.input("x", F32, ["batch", 2, "height", "width"]), g.input("places", F32, ["batch", "rows", 3, 2])
    boxes, batches = g.input("boxes", F32, ["boxes", 4]), g.input("batches", I64, ["boxes"])
    flat = [g("Reshape", g("GridSample", x, places, mode=mode, padding_mode=padding, align_corners=aligns), np.array([-1]))
            for mode in ("bilinear", "nearest", "bicubic") for padding in ("zeros", "border", "reflection") for aligns in (0, 1)]
    flat += [g("Reshape", g("RoiAlign", x, boxes, batches, output_height=3, output_width=2, sampling_ratio=ratio, spatial_scale=0.5, mode=mode), np.array([-1]))
             for mode in ("avg", "max") for ratio in (0, 2)]
    return g.done(g("Concat", *flat, axis=0), None)


def same():
    """Steps over open sizes, padded until there is a window for each step: sums, largest, means with and without the padding."""
    g = Graph("same")
    x = g.input("x", F32, ["batch", 4, "height", "width"])
    filters = g.const((g.rng.standard_normal((6, 4, 3, 5)) / 4).astype(np.float32))
    each = g.const(g.rng.standard_normal((4, 1, 2, 3)).astype(np.float32))
    y = g("Relu", g("Conv", x, filters, auto_pad="SAME_UPPER", strides=[2, 3]))
    flat = [y, g("Conv", x, each, auto_pad="SAME_LOWER", strides=[2, 2], group=4),
            g("Conv", g("GlobalAveragePool", x), filters, auto_pad="SAME_UPPER", strides=[2, 2])]
    for mode in ("SAME_UPPER", "SAME_LOWER"):
        pool = dict(kernel_shape=[3, 4], strides=[2, 3], auto_pad=mode)
        flat += [g("MaxPool", y, **pool), g("AveragePool", x, **pool), g("AveragePool", x, **pool, count_include_pad=1),
                 g("MaxPool", x, kernel_shape=[2, 4], strides=[1, 4], auto_pad=mode)]
    return g.done(g("Concat", *[g("Reshape", z, np.array([-1])) for z in flat], axis=0), None)


def hanging():
    """Windows that hang over the end, with and without what is around them; as many as there are steps."""
    g = Graph("hanging")
    x = g.input("x", F32, ["batch", 4, "height", "width"])
    pool = dict(kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], ceil_mode=1)
    y = g("Add", g("MaxPool", x, **pool), g("AveragePool", x, **pool))
    y = g("Add", y, g("AveragePool", x, **pool, count_include_pad=1))
    y = g("Conv", y, g.const((g.rng.standard_normal((4, 4, 3, 2)) / 4).astype(np.float32)), auto_pad="SAME_UPPER")
    return g.done(g("MaxPool", y, kernel_shape=[2, 3], auto_pad="SAME_LOWER"), None)


def recurrent(op, gates, direction, lengths):
    """Two layers of an open length and batch, of sequences that end early or not."""
    def make():
        g = Graph(op)
        x = g.input("x", F32, ["seq", "batch", 8])
        more = ["", g.input("lengths", onnx.TensorProto.INT32, ["batch"])] if lengths else []
        directions = 2 if direction == "bidirectional" else 1
        for size in (8, 4 * directions):
            def weight(*shape):
                return g.const((g.rng.standard_normal(shape) / 3).astype(np.float32))
            x = g(op, x, weight(directions, gates * 4, size), weight(directions, gates * 4, 4), *more, hidden_size=4, direction=direction)
            last = g.nodes[-1].output
            last.append(f"state{len(g.nodes)}")
            x = g("Reshape", g("Transpose", x, perm=[0, 2, 1, 3]), np.array([0, 0, -1]))
        return g.done(g("Concat", x, last[1], axis=0) if directions == 1 else g("Concat", g("Mul", x, x), x, axis=2), None)
    make.__name__ = f"{op}_{direction}"
    return make


def scanned():
    """A Scan over an open length, from the end, with a state of an open size; two open tensors joined at a number's side."""
    g = Graph("scanned")
    x, h = g.input("x", F32, ["seq", "batch", 4]), g.input("h", F32, ["batch", 4])
    tensor = onnx.helper.make_tensor_value_info
    body = onnx.helper.make_graph(
        [onnx.helper.make_node("Add", ["a", "b"], ["c"]), onnx.helper.make_node("Tanh", ["c"], ["s"]), onnx.helper.make_node("Mul", ["c", "s"], ["o"])],
        "body", [tensor("a", F32, None), tensor("b", F32, None)], [tensor("s", F32, None), tensor("o", F32, None)])
    last = g("Scan", h, x, body=body, num_scan_inputs=1, scan_input_directions=[1], scan_output_directions=[1])
    g.nodes[-1].output.append("all")
    both = g("Concat", g("Unsqueeze", last, np.array([0])), g("Unsqueeze", h, np.array([0])), axis=0)
    return g.done(g("Concat", "all", both, axis=0), None)


rng = np.random.default_rng(4)


def floats(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def counted():
    """What is found in data of open sizes: rows that a condition keeps, places that are not 0, and boxes that suppression takes."""
    g = Graph("counted")
    x, boxes = g.input("x", F32, ["batch", "seq", 4]), g.input("boxes", F32, [1, "boxes", 4])
    rows = g("Reshape", x, np.array([-1, 4]))
    kept = g("Compress", rows, g("Greater", g("ReduceMax", rows, axes=[1], keepdims=0), np.float32(1)), axis=0)
    places = g("Transpose", g("NonZero", g("Greater", x, np.float32(0.5))), perm=[1, 0])
    sums = g("Add", g("GatherND", x, places), g("Cast", g("Size", places), to=F32))
    scores = g("Transpose", g("ReduceMax", boxes, axes=[2], keepdims=1), perm=[0, 2, 1])
    taken = g("NonMaxSuppression", boxes, scores, np.array(5), np.float32(0.4), np.float32(0.3))
    best = g("Gather", g("Squeeze", boxes, np.array([0])), g("Gather", taken, np.array(2), axis=1))
    flat = [g("Reshape", v, np.array([-1])) for v in (g("Softmax", kept, axis=0), sums, best)]
    return g.done(g("Concat", *flat, axis=0), None)


def drawn():
    """Random numbers as many as there are in an input: their mean and their variance are about what they should be."""
    g = Graph("drawn")
    x, checks = g.input("x", F32, ["batch", "seq"]), []
    for op, mean, variance in ("RandomNormalLike", 0.0, 1.0), ("RandomUniformLike", 0.5, 1 / 12):
        numbers = g("Sub", g(op, x, seed=3.0), np.float32(mean))
        for moment, wanted in (numbers, 0), (g("Mul", numbers, numbers), variance):
            gap = g("Abs", g("Sub", g("ReduceMean", moment, keepdims=0), np.float32(wanted)))
            checks.append(g("Unsqueeze", g("Cast", g("Less", gap, np.float32(0.2)), to=F32), np.array([0])))
    return g.done(g("Concat", *checks, axis=0), [4])


def spread():
    """Transposed convolutions of an open image, and of an open length: strides, groups, dilations, pads."""
    g = Graph("spread")
    x = g.input("x", F32, ["batch", 4, "height", "width"])

    def filters(*shape):
        return g.const((g.rng.standard_normal(shape) / 5).astype(np.float32))
    y = g("ConvTranspose", x, filters(4, 6, 4, 3), filters(6), strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[0, 1])
    y = g("ConvTranspose", g("Relu", y), filters(6, 2, 3, 2), group=2, dilations=[2, 1], strides=[1, 2], auto_pad="SAME_UPPER")
    z = g("ConvTranspose", g("Reshape", y, g.shape(g.size(x, 0), 4, -1)), filters(4, 3, 8), strides=[4], pads=[2, 2])
    return g.done(g("Tanh", z), None)


def asked():
    """Shapes that are inputs, known when the model runs only, of an input that is open."""
    g = Graph("asked")
    x, shape, ends = g.input("x", F32, ["batch", "seq", 4]), g.input("shape", I64, [3]), g.input("ends", I64, [1])
    y = g("Slice", x, np.array([0]), ends, np.array([1]))
    return g.done(g("Add", g("Reshape", g("Expand", g("ReduceSum", y, np.array([1])), shape), np.array([-1, 4])), np.float32(1)), ["rows", 4])


SIZES = [0, 1, 2, 3, 17, 128]
PAIRS = [(1, 1), (2, 7), (3, 1), (1, 16), (2, 128)]
MODELS = [  # a model, and its inputs for each size
    (matrix, [{"x": floats(batch, 16)} for batch in SIZES]),
    (dims.attention, [dims.sequence(b, s) for b, s in PAIRS]),
    (dims.embedding, [dims.tokens(b, s) for b, s in [(1, 1), (4, 32), (2, 7)]]),
    (views, [{"x": floats(b, s, 8)} for b, s in PAIRS]),
    (fixed, [{"x": floats(b, s, 4)} for b, s in [(1, 10), (2, 5), (10, 1)]]),
    (cached, [{"x": floats(b, s, 8), "past": floats(b, p, 8), "mask": floats(b, p + s)} for b, s, p in [(1, 1, 0), (2, 3, 5), (1, 1, 127)]]),
    (photos, [{"x": floats(*s)} for s in [(1, 3, 8, 8), (2, 3, 33, 47), (1, 3, 64, 20), (3, 3, 17, 16)]]),
    (pictures, [{"x": floats(b, 3, 16, 16)} for b in (0, 1, 2, 5)]),
    (chosen, [{"x": floats(b, s, 4)} for b, s in PAIRS]),
    (resized, [{"x": floats(*s)} for s in [(1, 2, 4, 4), (2, 2, 7, 9), (1, 2, 16, 5), (3, 2, 33, 30)]]),
    (shrunk, [{"x": floats(*s), "like": floats(*like)} for s, like in [((1, 2, 8, 8), (3, 5)), ((2, 2, 33, 20), (33, 7)), ((1, 2, 5, 9), (11, 2))]]),
    (padded, [{"x": floats(b, s, 4)} for b, s in [(1, 4), (2, 7), (1, 3), (3, 16), (2, 29)]]),
    (blocks, [{"x": floats(*s)} for s in [(1, 8, 2, 4), (2, 8, 6, 10), (3, 8, 1, 1)]]),
    (sampled, [{"x": floats(b, 2, 5, 6), "places": floats(b, r, 3, 2)} for b, r in [(1, 1), (2, 7), (3, 16)]]),
    (images, [{"x": floats(b, 2, *s), "places": floats(b, r, 3, 2) * 1.5, "boxes": np.sort(floats(k, 2, 2) * 12, axis=1).reshape(k, 4),
               "batches": np.arange(k) % b} for b, s, r, k in [(1, (5, 6), 1, 1), (2, (3, 9), 7, 5), (3, (16, 2), 4, 30), (1, (30, 40), 20, 0)]]),
    (same, [{"x": floats(*s)} for s in [(1, 4, 3, 3), (2, 4, 7, 10), (1, 4, 16, 5), (3, 4, 33, 30), (2, 4, 12, 12), (1, 4, 1, 1), (1, 4, 2, 19)]]),
    (hanging, [{"x": floats(*s)} for s in [(1, 4, 3, 3), (2, 4, 7, 10), (1, 4, 16, 5), (3, 4, 33, 30)]]),
    (sums, [{"x": floats(b, s, 4)} for b, s in PAIRS]),
    (recurrent("LSTM", 4, "bidirectional", False), [{"x": floats(s, b, 8)} for b, s in PAIRS]),
    (recurrent("GRU", 3, "reverse", True), [{"x": floats(s, b, 8), "lengths": np.arange(1, b + 1, dtype=np.int32).clip(1, s)} for b, s in PAIRS]),
    (recurrent("RNN", 1, "forward", False), [{"x": floats(s, b, 8)} for b, s in PAIRS]),
    (scanned, [{"x": floats(s, b, 4), "h": floats(b, 4)} for b, s in PAIRS]),
    (labelled, [{"q": floats(b, s, 4, 8), "k": floats(b, k, 4, 8)} for b, s, k in [(1, 1, 1), (2, 7, 5), (3, 1, 130)]]),
    (joined, [{"x": floats(b, p, 4), "z": floats(b, s, 4)} for b, p, s in [(1, 0, 1), (2, 3, 5), (3, 16, 1)]]),
    (elements, [{"x": floats(b, s, 4), "z": floats(s, 1)} for b, s in PAIRS]),
    (counted, [{"x": floats(b, s, 4) * scale, "boxes": np.abs(floats(1, b * s + 5, 4))} for (b, s), scale in zip(PAIRS, (1, 1, 0, 1, 3))]),
    (spread, [{"x": floats(*s)} for s in [(1, 4, 3, 3), (2, 4, 7, 10), (1, 4, 16, 5)]]),
    (drawn, [{"x": floats(b, s)} for b, s in [(20, 60), (3, 1000)]]),
    (asked, [{"x": floats(b, s, 4), "shape": np.array([b, rows, 4]), "ends": np.array([end])}
             for b, s, rows, end in [(1, 5, 3, 2), (2, 7, 1, -1), (1, 1, 70, 100), (3, 4, 5, -9)]]),
]
INTERPRETED = [counted]  # a part of it


def check_model(folder, make, feeds):
    model, path = make(), folder / "m.onnx"
    onnx.save(model, path)
    expect(call(MLC, "compile", path, "-o", folder / "m.mlcm", *([] if make in INTERPRETED else ["--require-compiled"])), 0)
    for i, feed in enumerate(feeds):
        place = folder / str(i)
        place.mkdir()
        got = run_outputs(MLC, folder / "m.mlcm", save_feeds(feed, place), ["y"], place / "out", 2)
        check_close(["y"], got, reference(model.SerializeToString(), feed))


def computed_sizes_that_do_not_fit(folder):
    g = Graph("asked")
    x, shape = g.input("x", F32, ["batch", 4]), g.input("shape", I64, [2])
    onnx.save(g.done(g("Add", g("Expand", np.ones((1, 1), np.float32), shape), x), None), folder / "m.onnx")
    expect(call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.mlcm"), 0)

    def run(shape, code, *message):
        feeds = save_feeds({"x": floats(2, 4), "shape": np.array(shape)}, folder)
        expect(call(MLC, "run", folder / "m.mlcm", *feeds), code, *message)
    run((2, 4), 0)
    run((3, 4), 1, "sizes 'computed.0' and 'batch' must be equal at")
    run((2**62, 2**62), 1, "too large")
    g = Graph("expanded")
    x, shape = g.input("x", F32, ["batch", 4]), g.input("shape", I64, [2])
    onnx.save(g.done(g("Expand", x, g("Concat", shape, g.shape(g.size(x, 0), 4), axis=0)), None), folder / "m.onnx")
    expect(call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.mlcm"), 0)
    run((2, 4), 0)
    run((2**62, 2**62), 1, "too large")
    run((2**20, 2**20), 1, "not enough memory")
    run((-1, 0), 0)
    run((2, 3), 0)


def padded_as_fixed(folder):
    """What onnxruntime refuses of auto_pad (dilations, windows that leave gaps): as artefacts of those sizes."""
    g = Graph("gaps")
    x = g.input("x", F32, ["batch", 4, "height", "width"])
    filters = g.const((g.rng.standard_normal((6, 4, 3, 2)) / 4).astype(np.float32))
    flat = [g("Conv", x, filters, auto_pad=mode, strides=[2, 3], dilations=[3, 2]) for mode in ("SAME_UPPER", "SAME_LOWER")]
    flat += [g("MaxPool", x, kernel_shape=[1, 2], strides=[2, 4], auto_pad="SAME_UPPER"),
             g("AveragePool", x, kernel_shape=[2, 2], strides=[3, 4], auto_pad="SAME_LOWER")]
    onnx.save(g.done(g("Concat", *[g("Reshape", y, np.array([-1])) for y in flat], axis=0), None), folder / "m.onnx")
    expect(call(MLC, "compile", "--require-compiled", folder / "m.onnx", "-o", folder / "open.mlcm"), 0)
    for batch, height, width in [(1, 1, 1), (2, 7, 10), (1, 12, 9), (1, 8, 11)]:
        sizes = [f"--dim={name}={size}" for name, size in zip(("batch", "height", "width"), (batch, height, width))]
        expect(call(MLC, "compile", folder / "m.onnx", "-o", folder / "fixed.mlcm", *sizes), 0)
        feeds = save_feeds({"x": floats(batch, 4, height, width)}, folder)
        check_close(["y"], *[run_outputs(MLC, folder / f"{kind}.mlcm", feeds, ["y"], folder / kind, 1) for kind in ("open", "fixed")])


def negative_pads(folder):
    g = Graph("negative")
    onnx.save(g.done(g("Pad", g.input("x", F32, [2, 3]), g.input("pads", I64, [4])), None), folder / "m.onnx")
    expect(call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.mlcm"), 0)
    feeds = {"x": floats(2, 3), "pads": np.array([0, 0, -1, 0])}
    expect(call(MLC, "run", folder / "m.mlcm", *save_feeds(feeds, folder)), 1, "a pad that is computed is negative")


def two_inputs(folder):
    path = dims.small(folder)  # x: [batch, ?, 4], z: [batch, seq, 4]
    expect(call(MLC, "compile", path, "-o", folder / "m.mlcm"), 0)
    return folder / "m.mlcm"


def sizes_that_do_not_agree(folder):
    artefact = two_inputs(folder)

    def wrong(message, x, z):
        expect(call(MLC, "run", artefact, *save_feeds({"x": floats(*x), "z": floats(*z)}, folder)), 1, message)
    wrong("dimension 'batch' is 2 in input 'x' and 3 in input 'z'", (2, 3, 4), (3, 3, 4))
    wrong("sizes 'x.1' and 'seq' must be equal at 'Add_0', but are 3 and 5", (2, 3, 4), (2, 5, 4))
    g = Graph("split")
    x = g.input("x", F32, ["batch", "seq"])
    parts = g("Split", x, g("Concat", g.shape(g.size(x, 0)), np.array([2]), axis=0), axis=1)
    g.nodes[-1].output.append("rest")
    onnx.save(g.done(g("ReduceSum", parts), None), folder / "split.onnx")
    expect(call(MLC, "compile", folder / "split.onnx", "-o", folder / "s.mlcm"), 0)
    expect(call(MLC, "run", folder / "s.mlcm", *save_feeds({"x": floats(3, 5)}, folder)), 0)
    expect(call(MLC, "run", folder / "s.mlcm", *save_feeds({"x": floats(3, 6)}, folder)), 1, "must be equal at 'Split_", "but are 5 and 6")
    onnx.save(fixed(), folder / "fixed.onnx")
    expect(call(MLC, "compile", folder / "fixed.onnx", "-o", folder / "f.mlcm"), 0)
    expect(call(MLC, "run", folder / "f.mlcm", *save_feeds({"x": floats(3, 5, 4)}, folder)), 1, "must be equal at 'Reshape_", "but are 60 and 40")
    g = Graph("channels")
    x, b = g.input("x", F32, ["batch", "channels", 5, 5]), g.input("b", F32, ["kinds"])
    onnx.save(g.done(g("Conv", x, g.weight(4, 3, 3, 3), b), None), folder / "channels.onnx")
    expect(call(MLC, "compile", folder / "channels.onnx", "-o", folder / "c.mlcm"), 0)
    for channels, kinds, message in ((3, 4, None), (2, 4, "sizes 'channels' and '3' must be equal at 'Conv_"), (3, 1, "sizes 'kinds' and '4' must be equal at 'Conv_")):
        run = call(MLC, "run", folder / "c.mlcm", *save_feeds({"x": floats(1, channels, 5, 5), "b": floats(kinds)}, folder))
        expect(run, *((1, message) if message else (0,)))
    g = Graph("labels")
    onnx.save(g.done(g("Einsum", g.input("x", F32, ["rows", "a"]), g.input("b", F32, ["b", 3]), equation="ij,jk->ik"), None), folder / "labels.onnx")
    expect(call(MLC, "compile", folder / "labels.onnx", "-o", folder / "l.mlcm"), 0)
    expect(call(MLC, "run", folder / "l.mlcm", *save_feeds({"x": floats(2, 5), "b": floats(5, 3)}, folder)), 0)
    run = call(MLC, "run", folder / "l.mlcm", *save_feeds({"x": floats(2, 5), "b": floats(4, 3)}, folder))
    expect(run, 1, "sizes 'a' and 'b' must be equal at 'Einsum_", "but are 5 and 4")
    wrong("expected shape [?, ?, 4], got [2, 3, 5]", (2, 3, 5), (2, 3, 4))
    expect(call(MLC, "run", artefact, *save_feeds({"x": floats(2, 3, 4), "z": floats(2, 3, 4)}, folder)), 0)


def what_is_not_taken_is_told(folder):
    g = Graph("mean")
    model = g.done(g("AveragePool", g.input("x", F32, [1, 3, "h", 8]), kernel_shape=[3, 3], dilations=[2, 2]), None)
    model.opset_import[0].version = 19
    onnx.save(model, folder / "p.onnx")
    expect(call(MLC, "compile", folder / "p.onnx", "-o", folder / "m.mlcm", "--require-compiled"), 3, "means of elements that lie apart, of an unknown size")
    g = Graph("if")
    names = [g.input("x", F32, ["batch", 4]), g.input("z", F32, ["seq", 4])]
    branches = [onnx.helper.make_graph([onnx.helper.make_node("Relu", [name], ["r"])], name, [],
                                       [onnx.helper.make_tensor_value_info("r", F32, None)]) for name in names]
    chosen = g("If", g.input("c", onnx.TensorProto.BOOL, []), then_branch=branches[0], else_branch=branches[1])
    onnx.save(g.done(g("Relu", chosen), None), folder / "if.onnx")
    expect(call(MLC, "compile", folder / "if.onnx", "-o", folder / "m.mlcm"), 3, "its results have sizes that change or differ")
    expect(call(MLC, "compile", folder / "if.onnx", "-o", folder / "m.mlcm", "--require-compiled"), 3, "result 0 is of type", "and its body gives")
    if (folder / "m.mlcm").exists():
        raise Failure("an output was left behind")


def main():
    global MLC
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    MLC = args.mlc.resolve()
    tests = [padded_as_fixed, negative_pads, computed_sizes_that_do_not_fit, sizes_that_do_not_agree, what_is_not_taken_is_told]
    for make, feeds in MODELS:
        tests.append(lambda folder, make=make, feeds=feeds: check_model(folder, make, feeds))
        tests[-1].__name__ = make.__name__
    run_in_folders(tests, args.jobs)


if __name__ == "__main__":
    main()
