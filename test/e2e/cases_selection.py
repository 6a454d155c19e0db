"""Models of cases.py: elements put where indices say, chosen by their order, or read at computed places."""
import numpy as np
from onnx import TensorProto

from cases_quantized import integers, one

ELEMENTS = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i64": np.int64, "i32": np.int32, "u8": np.uint8, "i8": np.int8}


def elements(b, shape, dtype):
    return b.input(shape, -4, 4, dtype) if np.dtype(dtype).kind == "f" else integers(b, shape, dtype, 0, 9)


def places(b, shape, size, dtype=np.int64):
    """From both ends; each is likely to come more than once."""
    return integers(b, shape, dtype, -size, size - 1)


def distinct(b, shape, axis, size):
    """Along the axis no place twice: where several come, onnx leaves open which stays."""
    name = b.input(shape, 0, 1, np.int64)
    b.feeds[name] = np.argsort(b.rng.random(shape[:axis] + (size,) + shape[axis + 1:]), axis).take(range(shape[axis]), axis)
    return name


def scatters(new):
    for reduction in ("add", "mul", "min", "max"):
        for tag, dtype in ELEMENTS.items():
            if tag in ("f32", "i64", "u8"):
                b = new(f"scatter-elements-{reduction}-{tag}", 18)
                x = elements(b, (4, 6), dtype)
                b.done(b.op("ScatterElements", x, places(b, (3, 9), 6), elements(b, (3, 9), dtype), axis=1, reduction=reduction))
            if tag in ("f32", "i32"):
                b = new(f"scatter-nd-{reduction}-{tag}", 18)
                x, i = elements(b, (4, 5, 3), dtype), places(b, (7, 2), 4)
                b.done(b.op("ScatterND", x, i, elements(b, (7, 3), dtype), reduction=reduction))
    for tag, dtype in ELEMENTS.items():
        b = new(f"scatter-elements-{tag}", 18)
        x = elements(b, (4, 6, 2), dtype)
        b.done(b.op("ScatterElements", x, distinct(b, (2, 5, 2), 1, 6), elements(b, (2, 5, 2), dtype), axis=-2))
    b = new("scatter-elements-i32-indices", 18)
    x = elements(b, (5,), np.float32)
    b.done(b.op("ScatterElements", x, places(b, (1,), 5, np.int32), elements(b, (1,), np.float32)))
    b = new("scatter-elements-none", 18)
    x = elements(b, (5, 2), np.float32)
    b.done(b.op("ScatterElements", x, places(b, (0, 2), 5), elements(b, (0, 2), np.float32)))
    b = new("scatter-opset10", 10)
    x = elements(b, (4, 6), np.float32)
    b.done(b.op("Scatter", x, distinct(b, (2, 6), 0, 4), elements(b, (2, 6), np.float32)))
    b = new("scatter-nd-whole-tuples", 18)
    x = elements(b, (3, 4), np.float32)
    i = integers(b, (2, 3, 2), np.int64, 0, 0)
    b.feeds[i] = np.stack(np.divmod(b.rng.permutation(12)[:6].reshape(2, 3), 4), -1)
    b.done(b.op("ScatterND", x, i, elements(b, (2, 3), np.float32)))
    b = new("scatter-nd-then-relu", 18)
    x, i = elements(b, (4, 16), np.float32), distinct(b, (2, 1), 0, 4)
    b.done(b.op("Relu", b.op("ScatterND", b.op("Neg", x), i, elements(b, (2, 16), np.float32))))


def orders(new):
    for tag, dtype in ELEMENTS.items():
        for largest in (0, 1):
            b = new(f"top-k-{tag}-{'largest' if largest else 'smallest'}", 13)
            b.done(*b.op("TopK", elements(b, (5, 40), dtype), b.ints(7), outputs=2, largest=largest))
    for axis in (0, 1, -1):
        b = new(f"top-k-axis{axis}", 13)
        b.done(*b.op("TopK", elements(b, (6, 5, 7), np.float32), b.ints(4), outputs=2, axis=axis))
    b = new("top-k-all", 13)
    b.done(*b.op("TopK", elements(b, (3, 50), np.float32), b.ints(50), outputs=2))
    b = new("top-k-one", 13)
    b.done(*b.op("TopK", elements(b, (3, 50), np.int32), b.ints(1), outputs=2))
    b = new("top-k-values-alone", 10)
    b.done(b.op("TopK", elements(b, (3, 50), np.float32), b.ints(3), outputs=2)[0])
    b = new("top-k-opset9", 9)
    b.done(*b.op("TopK", elements(b, (3, 50), np.float32), outputs=2, k=3))
    b = new("top-k-after-ops", 13)
    x = b.op("Softmax", b.op("MatMul", elements(b, (4, 8), np.float32), b.const((8, 32))))
    b.done(*b.op("TopK", x, b.ints(5), outputs=2))


def hot(new):
    for axis in (-1, 0, 1):
        b = new(f"one-hot-axis{axis}")
        i = integers(b, (3, 4), np.int64, -7, 6)  # some are outside of 5
        b.done(b.op("OneHot", i, one(b, 5, np.int64), b.const(np.array([2, 7], np.float32)), axis=axis))
    b = new("one-hot-of-reals")
    i = integers(b, (6,), np.int32, 0, 4)
    b.done(b.op("OneHot", b.op("Cast", i, to=TensorProto.FLOAT), one(b, 5, np.float32), b.input((2,))))
    for axis in (None, 0, -1):
        b = new(f"compress-{'flat' if axis is None else f'axis{axis}'}")
        choice = b.const(np.array([1, 0, 1, 1], bool))
        b.done(b.op("Compress", b.input((4, 4)), choice, **({} if axis is None else {"axis": axis})))


def grid(b, shape):
    """Places within the image, on its border, far outside; and none."""
    name = b.input(shape, -1.6, 1.6)
    b.feeds[name].flat[:8] = [-1, 1, 1, -1, 0, 1e6, -37, 5]
    return name


def samples(new):
    for mode in ("bilinear", "nearest", "bicubic"):
        for padding in ("zeros", "border", "reflection"):
            for aligned in (0, 1):
                b = new(f"grid-sample-{mode}-{padding}-{aligned}", 16)
                x = b.input((2, 3, 5, 7))
                b.done(b.op("GridSample", x, grid(b, (2, 4, 6, 2)), mode=mode, padding_mode=padding, align_corners=aligned))
    b = new("grid-sample-volume", 20)
    x = b.input((1, 2, 3, 4, 5))
    b.done(b.op("GridSample", x, grid(b, (1, 2, 3, 4, 3)), mode="linear"))
    b = new("grid-sample-one-pixel", 16)
    x = b.input((1, 2, 1, 1))
    b.done(b.op("GridSample", x, grid(b, (1, 3, 3, 2)), padding_mode="border"))
    for mode in ("avg", "max"):
        for transform in ("half_pixel", "output_half_pixel"):
            b = new(f"roi-align-{mode}-{transform}", 16)
            x, rois = b.input((2, 3, 9, 11)), b.input((5, 4))
            left = b.rng.uniform(-3, 15, (5, 2))
            b.feeds[rois][:] = np.concatenate([left, left + b.rng.uniform(0.1, 12, (5, 2))], 1)
            i = b.const(np.array([0, 1, 1, 0, 1]))
            b.done(b.op("RoiAlign", x, rois, i, mode=mode, coordinate_transformation_mode=transform, output_height=3, output_width=4,
                        sampling_ratio=2, spatial_scale=0.75))
            b = new(f"roi-align-{mode}-{transform}-counted", 16)
            x, rois = b.input((2, 3, 13, 17)), b.input((7, 4))
            left = b.rng.uniform(-3, 20, (7, 2))
            b.feeds[rois][:] = np.concatenate([left, left + b.rng.uniform(-2, 25, (7, 2))], 1)  # some have no sample
            b.done(b.op("RoiAlign", x, rois, b.const(np.array([0, 1, 1, 0, 1, 0, 0])), mode=mode, coordinate_transformation_mode=transform,
                        output_height=3, output_width=4, spatial_scale=0.75))
    for batch, scale in ((1, 1.0), (2, 0.5), (3, 0.0625)):
        b = new(f"max-roi-pool-{batch}", 13)
        x, rois = b.input((batch, 3, 13, 17)), b.input((9, 5))
        sides = b.rng.uniform(-3 / scale, 20 / scale, (9, 4))
        b.feeds[rois][:] = np.concatenate([b.rng.integers(0, batch, (9, 1)), sides], 1)
        b.done(b.op("MaxRoiPool", x, rois, pooled_shape=[4, 3], spatial_scale=scale))
    b = new("max-roi-pool-halves", 13)  # sides between two pixels, bins that overlap
    x, rois = b.input((1, 2, 5, 6)), b.input((4, 5))
    b.feeds[rois][:] = [[0, .5, 1.5, 2.5, 3.5], [0, -.5, -1.5, .5, 1.5], [0, 2, 2, 2, 2], [0, 4, 4, 1, 1]]
    b.done(b.op("MaxRoiPool", x, rois, pooled_shape=[7, 7]))
    b = new("roi-align-opset10", 10)
    x, rois = b.input((1, 3, 9, 11)), b.input((2, 4), 1, 8)
    b.done(b.op("RoiAlign", x, rois, b.const(np.array([0, 0])), output_height=2, output_width=2, sampling_ratio=1))


def signals(new):
    for tag, opset, shape, parts, attributes in (("real", 17, (2, 12, 3), 1, {}), ("complex", 17, (2, 12, 3), 2, {}),
                                                 ("inverse", 17, (2, 9, 3), 2, {"inverse": 1}), ("one-sided", 17, (2, 9, 3), 1, {"onesided": 1}),
                                                 ("axis2", 17, (2, 3, 8), 2, {"axis": 2})):
        b = new(f"dft-{tag}", opset)
        b.done(b.op("DFT", b.input(shape + (parts,)), **attributes))
    for tag, length in (("cut", 5), ("filled", 16)):
        b = new(f"dft-{tag}")
        b.done(b.op("DFT", b.input((2, 9, 1)), one(b, length, np.int64)))
    b = new("dft-opset20", 20)
    b.done(b.op("DFT", b.input((2, 9, 4, 1)), "", one(b, -3, np.int64)))
    b = new("stft")
    b.done(b.op("STFT", b.input((2, 40, 1)), one(b, 5, np.int64), b.op("HannWindow", one(b, 16, np.int64)), one(b, 16, np.int64), onesided=1),
           shape=(2, 5, 9, 2))
    b = new("stft-rank-2")  # real, as torch writes it
    b.done(b.op("STFT", b.input((2, 40)), b.const(np.array(5)), "", b.const(np.array(16))), shape=(2, 5, 9, 2), is_valid=False)
    b = new("stft-two-sided")
    b.done(b.op("STFT", b.input((1, 30, 1)), one(b, 7, np.int64), "", one(b, 9, np.int64), onesided=0), shape=(1, 4, 9, 2))
    for op in ("HannWindow", "HammingWindow", "BlackmanWindow"):
        b = new(f"{op.lower()}-symmetric")
        b.done(b.op("Add", b.input((10,)), b.op(op, one(b, 10, np.int64), periodic=0)), shape=(10,))


def selection_cases(new):
    scatters(new)
    orders(new)
    hot(new)
    samples(new)
    signals(new)
