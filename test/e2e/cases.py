"""Small ONNX models with seeded random data, one behaviour each, for comparison with onnxruntime.

`all_cases()` gives Case(name, model, feeds): each operator of the demo model, ResNet-50 and MobileNetV2 with its
attributes varied, their neighbours, and few-operator graphs that fuse, share or branch. A name says what is in it and
seeds its data, so adding a case changes no other. `python cases.py FOLDER` writes them out.
"""
import sys
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from cases_computed import computed_cases
from cases_found import found_cases
from cases_fused import fused_cases
from cases_quantized import quantized_cases
from cases_selection import selection_cases
from control_cases import control_cases

OPSET = 17
CASES = {}


@dataclass
class Case:
    name: str
    model: onnx.ModelProto
    feeds: dict

    def ops(self):
        return sorted({node.op_type for node in self.model.graph.node})


@dataclass
class Build:
    """A model under construction: `x = b.input(shape)`, `w = b.const(shape)`, `y = b.op("Conv", x, w, pads=...)`."""
    name: str
    opset: int = OPSET
    nodes: list = field(default_factory=list)
    inputs: list = field(default_factory=list)
    consts: list = field(default_factory=list)
    feeds: dict = field(default_factory=dict)

    def __post_init__(self):
        self.rng = np.random.default_rng(zlib.crc32(self.name.encode()))

    def values(self, shape, low=None, high=None, dtype=np.float32):
        if low is None:
            return self.rng.standard_normal(shape).astype(dtype)
        return self.rng.uniform(low, high, shape).astype(dtype)

    def truths(self, shape):
        """An input of truth values, half of them true."""
        name = self.input(shape, 0, 2, np.int8)
        self.feeds[name] = self.feeds[name].astype(bool)
        self.inputs[-1] = helper.make_tensor_value_info(name, TensorProto.BOOL, shape)
        return name

    def ints(self, *items):
        return self.const(np.array(items, np.int64))

    def input(self, shape, low=None, high=None, dtype=np.float32):
        name = "xyzuvwabcdefgh"[len(self.inputs)]
        self.feeds[name] = self.values(shape, low, high, dtype)
        self.inputs.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape))
        return name

    def const(self, value, low=None, high=None):
        """An initializer: of random values where a shape (tuple) is given, else the array itself."""
        if isinstance(value, tuple):
            value = self.values(value, low, high)
        name = f"c{len(self.consts)}"
        self.consts.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def op(self, op, *inputs, outputs=1, **attributes):
        names = [f"t{len(self.nodes)}" + (f"_{i}" if i else "") for i in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), names, name=f"{op}_{len(self.nodes)}", **attributes))
        return names[0] if outputs == 1 else names

    def done(self, *results, functions=(), shape=None, is_valid=True):
        """`shape` of the float results, where onnx cannot infer it; a list has one for each. Onnx checks the model, if it is valid."""
        kind = TensorProto.FLOAT if shape else TensorProto.UNDEFINED
        shapes = shape if isinstance(shape, list) else [shape] * len(results)
        graph = helper.make_graph(
            self.nodes, self.name.replace("-", "_"), self.inputs,
            [helper.make_tensor_value_info(r, kind, s) for r, s in zip(results, shapes)], self.consts)
        opsets = [helper.make_opsetid("", self.opset)] + ([helper.make_opsetid("own", 1)] if functions else [])
        opsets += [helper.make_opsetid(domain, 1) for domain in {node.domain for node in self.nodes if "." in node.domain}]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8, functions=list(functions))
        if is_valid:
            model = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
            del model.graph.value_info[:]  # the compiler infers shapes by itself
            onnx.checker.check_model(model, full_check=True)
        assert self.name not in CASES, self.name
        CASES[self.name] = Case(self.name, model, self.feeds)


# ---- one operator each

def conv(tag, x, w, bias=True, opset=OPSET, **attributes):
    b = Build(f"conv-{tag}", opset)
    fan_in = float(np.prod(w[1:]))
    names = [b.input(x), b.const(b.values(w) / np.float32(np.sqrt(fan_in)))]
    b.done(b.op("Conv", *names, *([b.const((w[0],))] if bias else []), **attributes))


def conv_cases():
    conv("1x1", (1, 16, 9, 11), (24, 16, 1, 1))
    conv("1x1-stride2", (1, 16, 9, 11), (24, 16, 1, 1), strides=[2, 2])
    conv("3x3", (1, 8, 10, 12), (16, 8, 3, 3))
    conv("3x3-no-bias", (1, 8, 10, 12), (16, 8, 3, 3), bias=False)
    conv("3x3-pad1", (1, 8, 10, 12), (16, 8, 3, 3), pads=[1, 1, 1, 1])
    conv("3x3-pad1-stride2", (1, 8, 10, 13), (16, 8, 3, 3), pads=[1, 1, 1, 1], strides=[2, 2])
    conv("3x3-odd-channels", (1, 5, 7, 7), (7, 5, 3, 3), pads=[1, 1, 1, 1])
    conv("3x3-many-channels", (1, 130, 7, 7), (67, 130, 3, 3), pads=[1, 1, 1, 1])
    conv("3x3-one-channel", (1, 1, 8, 8), (16, 1, 3, 3), pads=[1, 1, 1, 1])
    conv("3x3-one-filter", (1, 6, 8, 8), (1, 6, 3, 3), pads=[1, 1, 1, 1])
    conv("7x7-stride2-pad3", (1, 3, 33, 35), (20, 3, 7, 7), pads=[3, 3, 3, 3], strides=[2, 2])
    conv("5x3-asymmetric", (1, 4, 12, 9), (6, 4, 5, 3), pads=[2, 0, 1, 1], strides=[2, 1])
    conv("pads-uneven", (1, 4, 9, 9), (6, 4, 3, 3), pads=[0, 1, 2, 0])
    conv("pads-wider-than-kernel", (1, 2, 4, 4), (3, 2, 2, 2), pads=[3, 3, 3, 3])
    conv("stride-beyond-kernel", (1, 4, 11, 11), (5, 4, 2, 2), strides=[3, 3])
    conv("dilation2", (1, 4, 12, 12), (6, 4, 3, 3), dilations=[2, 2], pads=[2, 2, 2, 2])
    conv("dilation-beyond-image", (1, 6, 5, 7), (9, 6, 3, 3), dilations=[5, 6], pads=[5, 6, 5, 6])
    conv("dilation-beyond-one-end", (1, 6, 5, 7), (9, 6, 4, 3), dilations=[3, 4], pads=[6, 1, 4, 8], strides=[1, 2])
    conv("dilation-2x3-stride2", (1, 4, 15, 17), (6, 4, 3, 3), dilations=[2, 3], strides=[2, 2], pads=[1, 2, 3, 0])
    conv("same-upper", (1, 4, 10, 11), (6, 4, 3, 3), auto_pad="SAME_UPPER", strides=[2, 2])
    conv("same-upper-even-kernel", (1, 4, 10, 11), (6, 4, 4, 2), auto_pad="SAME_UPPER")
    conv("same-lower", (1, 4, 10, 11), (6, 4, 4, 2), auto_pad="SAME_LOWER", strides=[2, 1])
    conv("valid", (1, 4, 10, 11), (6, 4, 3, 3), auto_pad="VALID", strides=[2, 2])
    conv("kernel-shape-given", (1, 4, 8, 8), (6, 4, 3, 3), kernel_shape=[3, 3], pads=[1, 1, 1, 1], group=1)
    conv("group2", (1, 8, 9, 9), (12, 4, 3, 3), group=2, pads=[1, 1, 1, 1])
    conv("group4-1x1", (1, 8, 9, 9), (16, 2, 1, 1), group=4)
    conv("depthwise", (1, 20, 14, 14), (20, 1, 3, 3), group=20, pads=[1, 1, 1, 1])
    conv("depthwise-stride2", (1, 20, 15, 14), (20, 1, 3, 3), group=20, pads=[1, 1, 1, 1], strides=[2, 2])
    conv("depthwise-5x5", (1, 18, 9, 9), (18, 1, 5, 5), group=18, pads=[2, 2, 2, 2])
    conv("depthwise-odd", (1, 3, 5, 6), (3, 1, 3, 3), group=3, bias=False)
    conv("depthwise-multiplier2", (1, 6, 8, 8), (12, 1, 3, 3), group=6, pads=[1, 1, 1, 1])
    conv("batch3", (3, 6, 8, 8), (10, 6, 3, 3), pads=[1, 1, 1, 1])
    conv("batch16-in-blocks", (16, 32, 41, 43), (32, 32, 3, 3), pads=[1, 1, 1, 1], bias=False)
    conv("batch3-depthwise", (3, 6, 8, 8), (6, 1, 3, 3), group=6, pads=[1, 1, 1, 1])
    conv("whole-image", (1, 6, 5, 7), (9, 6, 5, 7))
    conv("width1", (1, 6, 9, 1), (9, 6, 3, 1), pads=[1, 0, 1, 0])
    conv("1d", (1, 6, 20), (9, 6, 3), pads=[1, 1], strides=[2])
    conv("3d", (1, 3, 5, 6, 7), (4, 3, 3, 3, 3), pads=[1, 1, 1, 1, 1, 1])
    conv("depthwise-1d", (1, 20, 30), (20, 1, 5), group=20, pads=[2, 2])
    conv("depthwise-1d-causal-dilated", (2, 70, 41), (70, 1, 3), group=70, dilations=[4], pads=[8, 0])
    conv("depthwise-1d-stride2", (3, 64, 33), (64, 1, 15), group=64, strides=[2], pads=[7, 7], bias=False)
    conv("depthwise-3d", (1, 20, 5, 6, 7), (20, 1, 3, 3, 3), group=20, pads=[1, 1, 1, 1, 1, 1])
    b = Build("conv-weights-at-run-time")
    b.done(b.op("Conv", b.input((1, 4, 7, 7)), b.input((5, 4, 3, 3)), pads=[1, 1, 1, 1]))


def conv_transpose(tag, x, w, bias=True, **attributes):
    b = Build(f"convtranspose-{tag}")
    names = [b.input(x), b.const(b.values(w) / np.float32(np.sqrt(np.prod(w[1:]))))]
    group = attributes.get("group", 1)
    b.done(b.op("ConvTranspose", *names, *([b.const((w[1] * group,))] if bias else []), **attributes))


def conv_transpose_cases():
    conv_transpose("2x2-stride2", (1, 16, 7, 9), (16, 8, 2, 2), strides=[2, 2])
    conv_transpose("3x3", (1, 5, 7, 9), (5, 8, 3, 3))
    conv_transpose("3x3-stride2-pad1", (1, 6, 7, 9), (6, 5, 3, 3), strides=[2, 2], pads=[1, 1, 1, 1])
    conv_transpose("3x3-stride2-output-padding", (2, 6, 7, 9), (6, 5, 3, 3), strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[1, 1])
    conv_transpose("4x4-stride2-pad1", (1, 20, 8, 8), (20, 12, 4, 4), strides=[2, 2], pads=[1, 1, 1, 1], bias=False)
    conv_transpose("4x4-stride2-pad1-small", (2, 9, 4, 5), (9, 12, 4, 4), strides=[2, 2], pads=[1, 1, 1, 1])
    conv_transpose("4x4-stride2-pads-3-and-1", (1, 4, 5, 6), (4, 3, 4, 4), strides=[2, 2], pads=[3, 1, 1, 3])
    conv_transpose("3d-stride2-pad1", (1, 3, 3, 4, 2), (3, 2, 4, 3, 4), strides=[2, 2, 2], pads=[1] * 6)
    conv_transpose("from-one", (1, 24, 1, 1), (24, 8, 4, 4))
    conv_transpose("5x3-strides-3x2", (1, 3, 5, 6), (3, 7, 5, 3), strides=[3, 2], pads=[0, 1, 2, 0])
    conv_transpose("stride-beyond-kernel", (1, 3, 5, 6), (3, 4, 2, 2), strides=[3, 4], output_padding=[2, 1])
    conv_transpose("dilation", (1, 3, 6, 5), (3, 4, 3, 2), strides=[2, 1], dilations=[2, 3])
    conv_transpose("group2", (1, 8, 6, 6), (8, 3, 3, 3), strides=[2, 2], group=2)
    conv_transpose("depthwise", (1, 12, 6, 7), (12, 1, 4, 4), strides=[2, 2], pads=[1, 1, 1, 1], group=12)
    conv_transpose("same-upper", (1, 3, 6, 7), (3, 4, 3, 3), strides=[2, 2], auto_pad="SAME_UPPER")
    conv_transpose("output-shape", (1, 3, 6, 7), (3, 4, 3, 3), strides=[3, 2], output_shape=[18, 14])
    conv_transpose("1d", (2, 4, 9), (4, 6, 4), strides=[2], pads=[1, 1])
    conv_transpose("3d", (1, 3, 4, 5, 3), (3, 2, 2, 3, 2), strides=[2, 1, 2])
    b = Build("convtranspose-weights-at-run-time")
    b.done(b.op("ConvTranspose", b.input((1, 3, 5, 5)), b.input((3, 4, 3, 3)), strides=[2, 2]))
    b = Build("convtranspose-relu")
    w = b.const(b.values((16, 8, 2, 2)) / np.float32(8))
    b.done(b.op("Relu", b.op("ConvTranspose", b.input((1, 16, 9, 9)), w, b.const((8,)), strides=[2, 2])))


def resize_cases():
    def resize(tag, x, scales=None, sizes=None, opset=OPSET, **attributes):
        b = Build(f"resize-{tag}", opset)
        given = [b.const(np.array(scales, np.float32))] if scales else ["", b.ints(*sizes)]
        b.done(b.op("Resize", b.input(x), "", *given, **attributes))

    resize("nearest-2x", (1, 5, 7, 9), [1, 1, 2, 2], mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    resize("nearest-half-pixel", (2, 3, 7, 9), [1, 1, 1.5, 2.25], mode="nearest")
    for nearest in ("round_prefer_ceil", "floor", "ceil"):
        resize(f"nearest-{nearest}", (1, 3, 8, 9), sizes=[1, 3, 13, 5], mode="nearest", nearest_mode=nearest)
    for mode in ("linear", "cubic"):
        for coordinates in ("half_pixel", "align_corners", "pytorch_half_pixel", "asymmetric"):
            resize(f"{mode}-{coordinates}", (1, 3, 6, 5), sizes=[1, 3, 11, 13], mode=mode, coordinate_transformation_mode=coordinates)
        resize(f"{mode}-smaller", (1, 3, 12, 9), sizes=[1, 3, 5, 7], mode=mode)
    resize("cubic-exclude-outside", (1, 2, 6, 5), sizes=[1, 2, 9, 9], mode="cubic", exclude_outside=1, cubic_coeff_a=-0.5)
    resize("linear-1d", (2, 3, 11), [1, 1, 2.5], mode="linear")
    resize("same", (1, 3, 4, 5), [1, 1, 1, 1], mode="linear")
    resize("axes", (1, 3, 6, 5), sizes=[9, 10], mode="linear", opset=18, axes=[3, 2])
    b = Build("resize-opset10", 10)
    b.done(b.op("Resize", b.input((1, 2, 5, 4)), b.const(np.array([1, 1, 2, 3], np.float32)), mode="linear"))
    b = Build("upsample-opset9", 9)
    b.done(b.op("Upsample", b.input((1, 2, 5, 4)), b.const(np.array([1, 1, 2, 3], np.float32)), mode="nearest"))
    for mode in ("DCR", "CRD"):
        b = Build(f"depthtospace-{mode.lower()}")
        b.done(b.op("DepthToSpace", b.input((2, 18, 4, 5)), blocksize=3, mode=mode))
    b = Build("spacetodepth")
    b.done(b.op("SpaceToDepth", b.input((2, 3, 6, 8)), blocksize=2))
    b = Build("graph-super-resolution")  # convolution, then channels become positions
    b.done(b.op("DepthToSpace", conv_block(b, b.input((1, 6, 9, 9)), 12, 6, norm=False), blocksize=2, mode="CRD"))


def pool(op, tag, x, opset=OPSET, **attributes):
    b = Build(f"{op.lower()}-{tag}", opset)
    b.done(b.op(op, b.input(x), **attributes))


def pool_cases():
    for op in ("MaxPool", "AveragePool"):
        pool(op, "2x2", (1, 6, 8, 8), kernel_shape=[2, 2], strides=[2, 2])
        pool(op, "2x2-odd", (1, 6, 9, 7), kernel_shape=[2, 2], strides=[2, 2])
        pool(op, "3x3-pad1-stride2", (1, 20, 13, 14), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
        pool(op, "3x2-stride1", (1, 5, 7, 9), kernel_shape=[3, 2])
        pool(op, "pads-uneven", (1, 5, 7, 9), kernel_shape=[3, 3], strides=[2, 2], pads=[0, 1, 2, 0])
        pool(op, "ceil", (1, 5, 8, 9), kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
        pool(op, "ceil-pad1", (1, 5, 8, 9), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], ceil_mode=1)
        pool(op, "same-upper", (1, 5, 8, 9), kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_UPPER")
        pool(op, "same-lower", (1, 5, 8, 9), kernel_shape=[2, 2], strides=[1, 1], auto_pad="SAME_LOWER")
        pool(op, "valid", (1, 5, 8, 9), kernel_shape=[3, 3], strides=[2, 2], auto_pad="VALID")
        pool(op, "batch3", (3, 5, 8, 8), kernel_shape=[2, 2], strides=[2, 2])
        pool(op, "1d", (1, 5, 12), kernel_shape=[3], strides=[2])
    b = Build("maxpool-int8")
    b.done(b.op("MaxPool", b.input((1, 3, 9, 9), -128, -90, np.int8), kernel_shape=[3, 3], pads=[1, 1, 1, 1]))
    pool("MaxPool", "dilation2", (1, 5, 10, 11), kernel_shape=[3, 3], dilations=[2, 2])
    pool("AveragePool", "count-include-pad", (1, 5, 9, 9), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1],
         count_include_pad=1)
    pool("AveragePool", "count-include-pad-ceil", (1, 5, 8, 8), opset=19, kernel_shape=[3, 3], strides=[2, 2],
         pads=[1, 1, 1, 1], count_include_pad=1, ceil_mode=1)
    pool("AveragePool", "dilation2", (1, 5, 10, 11), opset=19, kernel_shape=[3, 3], dilations=[2, 2])
    for op in ("GlobalAveragePool", "GlobalMaxPool"):
        pool(op, "7x7", (1, 33, 7, 7))
        pool(op, "1x1", (1, 33, 1, 1))
        pool(op, "batch2-odd", (2, 5, 6, 9))
    b = Build("maxpool-negative-only")  # padding must not win over the data
    b.done(b.op("MaxPool", b.input((1, 4, 6, 6), -9, -1), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]))


def matmul_cases():
    def gemm(tag, a, w, bias=None, constant=True, **attributes):
        b = Build(f"gemm-{tag}")
        give = b.const if constant else b.input
        names = [b.input(a), give(w)] + ([give(bias)] if bias is not None else [])
        b.done(b.op("Gemm", *names, **attributes))

    gemm("plain", (4, 20), (20, 30))
    gemm("bias", (4, 20), (20, 30), (30,))
    gemm("trans-b", (1, 128), (10, 128), (10,), transB=1)
    gemm("trans-b-wide", (1, 2048), (1000, 2048), (1000,), transB=1)
    gemm("trans-a", (20, 4), (20, 30), (30,), transA=1)
    gemm("trans-a-trans-b", (20, 4), (30, 20), (30,), transA=1, transB=1)
    gemm("alpha-beta", (4, 20), (20, 30), (30,), alpha=0.5, beta=2.0)
    gemm("beta0", (4, 20), (20, 30), (30,), beta=0.0)
    gemm("bias-row", (4, 20), (20, 30), (1, 30))
    gemm("bias-column", (4, 20), (20, 30), (4, 1))
    gemm("bias-full", (4, 20), (20, 30), (4, 30))
    gemm("bias-scalar", (4, 20), (20, 30), ())
    gemm("inputs", (7, 33), (33, 17), (17,), constant=False)
    gemm("inputs-trans-b", (7, 33), (17, 33), (17,), constant=False, transB=1)
    gemm("few-rows-wide", (3, 300), (300, 333), (333,))
    gemm("big", (96, 130), (130, 77), (77,))
    gemm("k1", (5, 1), (1, 6), (6,))
    gemm("1x1", (1, 3), (3, 1), (1,))
    gemm("long-inner", (128, 3000), (3000, 24), (24,))  # cut into a sum where its panels are too long for the cache
    for tag, x, w in (("2d", (5, 16), (16, 12)), ("vector-right", (5, 16), (16,)), ("vector-left", (16,), (16, 12)),
                      ("dot", (16,), (16,)), ("batched", (3, 5, 16), (3, 16, 12)), ("broadcast-right", (3, 5, 16), (16, 12)),
                      ("broadcast-left", (5, 16), (3, 16, 12)), ("4d", (2, 3, 5, 8), (2, 3, 8, 7)),
                      ("4d-broadcast", (2, 1, 5, 8), (1, 3, 8, 7)), ("row", (1, 3072), (3072, 200))):
        for constant in (True, False):
            b = Build(f"matmul-{tag}-{'weights' if constant else 'inputs'}")
            b.done(b.op("MatMul", b.input(x), b.const(w) if constant else b.input(w)))


def elementwise_cases():
    shapes = {"same": ((2, 3, 5, 7), (2, 3, 5, 7)), "scalar": ((2, 3, 5, 7), ()), "row": ((2, 3, 5, 7), (7,)),
              "channel": ((2, 3, 5, 7), (3, 1, 1)), "left-smaller": ((5, 7), (2, 3, 5, 7)), "both": ((5, 1), (1, 7)),
              "inner-one": ((2, 5, 1), (2, 1, 6)), "long": ((1003,), (1003,))}
    for op in ("Add", "Sub", "Mul", "Div"):
        for tag, (x, y) in shapes.items():
            b = Build(f"{op.lower()}-{tag}")
            b.done(b.op(op, b.input(x), b.input(y, 0.5, 2)))
        b = Build(f"{op.lower()}-constant")
        b.done(b.op(op, b.input((2, 3, 4)), b.const((3, 1), 0.5, 2)))
        b = Build(f"{op.lower()}-constant-left")
        b.done(b.op(op, b.const((3, 1), 0.5, 2), b.input((2, 3, 4), 0.5, 2)))
        b = Build(f"{op.lower()}-self")
        x = b.input((3, 11), 0.5, 2)
        b.done(b.op(op, x, x))
    for op in ("Max", "Min"):
        b = Build(f"{op.lower()}-three")
        b.done(b.op(op, b.input((3, 4)), b.input((4,)), b.input((3, 1))))
    b = Build("pow-constant")
    b.done(b.op("Pow", b.input((3, 7), 0.1, 3), b.const(np.float32(2.5))))
    b = Build("pow-square")
    b.done(b.op("Pow", b.input((3, 7)), b.const(np.float32(2))))
    for op in ("Relu", "Sigmoid", "Tanh", "Neg", "Abs", "Exp", "Identity", "Softplus", "Softsign", "Floor", "Ceil", "Erf",
               "Sin", "Cos", "HardSwish", "Elu", "Selu", "LeakyRelu", "HardSigmoid", "Sign", "Round", "Reciprocal"):
        b = Build(f"{op.lower()}-4d")
        b.done(b.op(op, b.input((2, 3, 5, 7), -4, 4)))
    b = Build("sin-cos-of-one-double") # LLVM makes one call of both
    x = b.op("Cast", b.input((3, 37)), to=TensorProto.DOUBLE)
    b.done(b.op("Cast", b.op("Mul", b.op("Sin", x), b.op("Cos", x)), to=TensorProto.FLOAT))
    for op in ("Sqrt", "Log"):
        b = Build(f"{op.lower()}-positive")
        b.done(b.op(op, b.input((3, 37), 0.01, 50)))
    for op in ("Relu", "Sigmoid", "Tanh", "Exp"):
        b = Build(f"{op.lower()}-scalar")
        b.done(b.op(op, b.input(())))
        b = Build(f"{op.lower()}-large-values")
        b.done(b.op(op, b.input((500,), -80, 80)))
        b = Build(f"{op.lower()}-long")
        b.done(b.op(op, b.input((4099,))))
    for tag, alpha in (("02", 0.2), ("negative", -0.5), ("zero", 0.0)):
        b = Build(f"leakyrelu-alpha-{tag}")
        b.done(b.op("LeakyRelu", b.input((3, 37)), alpha=alpha))
    b = Build("prelu-channel")
    b.done(b.op("PRelu", b.input((2, 3, 4, 4)), b.const((3, 1, 1))))
    lo, hi = np.float32(-0.5), np.float32(0.75)
    b = Build("clip-both")
    b.done(b.op("Clip", b.input((3, 37)), b.const(lo), b.const(hi)))
    b = Build("clip-min-only")
    b.done(b.op("Clip", b.input((3, 37)), b.const(lo)))
    b = Build("clip-max-only")
    b.done(b.op("Clip", b.input((3, 37)), "", b.const(hi)))
    b = Build("clip-none")
    b.done(b.op("Clip", b.input((3, 37))))
    b = Build("clip-constant-nodes")
    bounds = [b.op("Constant", value=numpy_helper.from_array(v)) for v in (np.float32(0), np.float32(6))]
    b.done(b.op("Clip", b.input((3, 37), -9, 9), *bounds))
    b = Build("clip-crossed")  # min > max: everything is max
    b.done(b.op("Clip", b.input((3, 37)), b.const(hi), b.const(lo)))
    b = Build("clip-int-low")
    b.done(b.op("Clip", b.input((3, 37), -99, 99, np.int64), b.const(np.array(-5, np.int64))))
    b = Build("clip-int-none")
    b.done(b.op("Clip", b.input((3, 37), -99, 99, np.int8)))
    b = Build("clip-at-run-time")
    b.done(b.op("Clip", b.input((3, 37)), b.input((), -1, -0.5), b.input((), 0.5, 1)))
    b = Build("clip-opset6", 6)
    b.done(b.op("Clip", b.input((3, 37)), min=-0.5, max=0.75))
    for tag, x in (("4d", (2, 6, 5, 7)), ("2d", (4, 6)), ("3d", (2, 6, 5)), ("1x1", (1, 33, 1, 1))):
        b = Build(f"batchnorm-{tag}")
        c = x[1]
        b.done(b.op("BatchNormalization", b.input(x), b.const((c,)), b.const((c,)), b.const((c,)), b.const((c,), 0.1, 2)))
    b = Build("batchnorm-epsilon")
    b.done(b.op("BatchNormalization", b.input((2, 6, 5, 7)), b.const((6,)), b.const((6,)), b.const((6,)),
                b.const((6,), 0, 0.01), epsilon=0.1, momentum=0.5))


def shape_cases():
    def reshape(tag, x, shape, **attributes):
        b = Build(f"reshape-{tag}")
        b.done(b.op("Reshape", b.input(x), b.const(np.array(shape, np.int64)), **attributes))

    reshape("flat", (2, 3, 4), [24])
    reshape("minus1", (2, 3, 4), [4, -1])
    reshape("zero-keeps", (2, 3, 4), [0, -1])
    reshape("split", (2, 12), [2, 3, 1, 4])
    reshape("scalar", (1, 1), [])
    for axis in (0, 1, 2, 4, -1):
        b = Build(f"flatten-axis{axis}".replace("-1", "minus1"))
        b.done(b.op("Flatten", b.input((2, 3, 4, 5)), axis=axis))
    for tag, x, perm in (("2d", (13, 7), [1, 0]), ("nchw-nhwc", (1, 3, 5, 7), [0, 2, 3, 1]), ("swap-inner", (2, 3, 4), [0, 2, 1]),
                         ("same", (2, 3, 4), [0, 1, 2]), ("large", (130, 70), [1, 0])):
        b = Build(f"transpose-{tag}")
        b.done(b.op("Transpose", b.input(x), perm=perm))
    b = Build("transpose-default")
    b.done(b.op("Transpose", b.input((2, 3, 4))))
    for tag, shapes, axis in (("channels", ((1, 3, 4, 4), (1, 5, 4, 4)), 1), ("rows", ((2, 7), (3, 7)), 0),
                              ("last", ((2, 3), (2, 9)), -1), ("three", ((1, 2, 3), (1, 1, 3), (1, 4, 3)), 1)):
        b = Build(f"concat-{tag}")
        b.done(b.op("Concat", *[b.input(s) for s in shapes], axis=axis))
    b = Build("concat-twice-the-same")
    x = b.input((2, 3))
    b.done(b.op("Concat", x, x, axis=1))
    b = Build("concat-constant")
    b.done(b.op("Concat", b.input((2, 3)), b.const((2, 2)), axis=1))
    b = Build("squeeze-axes")
    b.done(b.op("Squeeze", b.input((1, 3, 1, 5)), b.const(np.array([0, 2], np.int64))))
    b = Build("unsqueeze-axes")
    b.done(b.op("Unsqueeze", b.input((3, 5)), b.const(np.array([0, -1], np.int64))))
    b = Build("slice-steps")
    b.done(b.op("Slice", b.input((6, 9)), *[b.const(np.array(v, np.int64)) for v in ([1, 8], [5, 0], [0, 1], [1, -2])]))
    b = Build("pad-constant")
    b.done(b.op("Pad", b.input((2, 3, 4)), b.const(np.array([0, 1, 2, 0, 0, 1], np.int64)), b.const(np.float32(0.5))))
    b = Build("pad-negative")
    b.done(b.op("Relu", b.op("Pad", b.input((3, 7, 21)), b.ints(-1, 2, -3, 1, -4, 0), b.const(np.float32(0.5)))))
    for dtype in (np.int8, np.int32, np.int64):
        b = Build(f"pad-{np.dtype(dtype).name}")
        b.done(b.op("Pad", b.input((3, 7), -99, 99, dtype), b.ints(1, -2, 0, 3), b.const(np.array(-7, dtype))))
    for mode in ("reflect", "edge"):
        b = Build(f"pad-{mode}")
        b.done(b.op("Pad", b.input((1, 3, 9, 20)), b.ints(0, 0, 2, 3, 0, 0, 1, 19), mode=mode))
    b = Build("pad-reflect-in-convolutions", 18)
    x = b.op("Conv", b.input((1, 3, 9, 11)), b.const((20, 3, 1, 1)))
    x = b.op("Pad", x, b.ints(1, 2, 2, 1), "", b.ints(3, -2), mode="reflect")
    b.done(b.op("Conv", x, b.const((5, 20, 3, 3))))
    b = Build("pad-wrap", 19)
    b.done(b.op("Pad", b.input((4, 7)), b.ints(1, 9, 0, 2), mode="wrap"))
    b = Build("split-two")
    b.done(*b.op("Split", b.input((2, 6)), outputs=2, axis=1))
    b = Build("gather-rows")
    b.done(b.op("Gather", b.input((6, 5)), b.const(np.array([4, 0, -1], np.int64)), axis=0))
    b = Build("expand-rows")
    b.done(b.op("Expand", b.input((3, 1)), b.const(np.array([2, 3, 4], np.int64))))
    b = Build("shape-to-reshape")  # the shape is computed in the graph and known when compiling
    x = b.input((2, 3, 4))
    first = b.op("Gather", b.op("Shape", x), b.const(np.array([0], np.int64)), axis=0)
    b.done(b.op("Reshape", x, b.op("Concat", first, b.const(np.array([-1], np.int64)), axis=0)))
    b = Build("dropout-inference")
    b.done(b.op("Dropout", b.input((3, 5))))
    b = Build("cast-int-to-float")
    b.done(b.op("Cast", b.input((3, 5), -9, 9, np.int32), to=TensorProto.FLOAT))


def truth_cases():
    types = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}
    for op in ("Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual"):
        for tag, dtype in types.items():
            b = Build(f"{op.lower()}-{tag}")
            b.done(b.op(op, b.input((3, 35), -3, 3, dtype), b.input((35,), -3, 3, dtype)))
        b = Build(f"{op.lower()}-self")
        x = b.input((3, 7))
        b.done(b.op(op, x, x))
    b = Build("equal-bool")
    b.done(b.op("Equal", b.truths((3, 35)), b.truths((3, 1))))
    b = Build("less-opset7", 7)
    b.done(b.op("Less", b.input((5,)), b.input((5,))))
    b = Build("less-nan")
    x = b.input((40,))
    b.feeds[x][::3] = np.nan
    b.done(b.op("Less", x, b.const(np.float32(0))), b.op("GreaterOrEqual", x, b.const(np.float32(0))), b.op("IsNaN", x))
    for op in ("And", "Or", "Xor"):
        b = Build(f"{op.lower()}-rows")
        b.done(b.op(op, b.truths((3, 35)), b.truths((35,))))
        b = Build(f"{op.lower()}-both")
        b.done(b.op(op, b.truths((5, 1)), b.truths((1, 7))))
    b = Build("not-long")
    b.done(b.op("Not", b.truths((1003,))))
    for tag, shapes in (("same", ((3, 35), (3, 35), (3, 35))), ("mask-row", ((35,), (3, 35), (3, 35))), ("scalar-right", ((3, 35), (3, 35), ())),
                        ("all-broadcast", ((5, 1, 1), (1, 6, 1), (1, 1, 7))), ("one", ((), (), ()))):
        for dtype in (np.float32, np.int64):
            b = Build(f"where-{tag}-{np.dtype(dtype).name}")
            b.done(b.op("Where", b.truths(shapes[0]), *[b.input(s, -9, 9, dtype) for s in shapes[1:]]))
    b = Build("where-of-less")
    x, y = b.input((3, 35)), b.input((3, 35))
    b.done(b.op("Where", b.op("And", b.op("Less", x, y), b.op("Not", b.op("IsNaN", x))), x, b.const(np.float32(0.5))))
    b = Build("where-true")
    b.done(b.op("Where", b.const(np.array(True)), b.input((3, 5)), b.input((3, 5))))
    b = Build("castlike")
    b.done(b.op("CastLike", b.input((3, 35), -9, 9, np.int32), b.input((2,))))
    for dtype in (np.int32, np.int64):
        b = Build(f"div-{np.dtype(dtype).name}")  # a last vector that is not full divides by nothing
        b.done(b.op("Div", b.input((3, 35), -30, 30, dtype), b.input((35,), 1, 9, dtype)))
        b = Build(f"mod-{np.dtype(dtype).name}")  # signs of all kinds; the result's is the divisor's
        x, y = b.input((3, 35), -30, 30, dtype), b.input((35,), 1, 9, dtype)
        b.feeds[y][::2] *= -1
        b.done(b.op("Mod", x, y))
    b = Build("cast-bool-to-float")
    b.done(b.op("Cast", b.truths((3, 35)), to=TensorProto.FLOAT))
    b = Build("cast-float-to-bool")
    b.done(b.op("Cast", b.input((3, 35), -2, 2, np.int32), to=TensorProto.BOOL))


def index_cases():
    def gather(tag, data, indices, axis=0, dtype=np.float32, opset=OPSET, **kinds):
        b = Build(f"gather-{tag}", opset)
        size = data[axis]
        wanted = b.rng.integers(-size, size, indices).astype(kinds.get("index", np.int64))
        x = b.const(data) if kinds.get("table") else b.input(data, -99, 99, dtype)
        if kinds.get("constant"):
            names = [x, b.const(wanted)]
        else:
            names = [x, b.input(indices, 0, 1, wanted.dtype)]
            b.feeds[names[1]] = wanted
        b.done(b.op("Gather", *names, axis=axis))

    gather("embedding", (50, 33), (1, 8), table=True)
    gather("embedding-i32", (50, 16), (2, 5), table=True, index=np.int32)
    gather("one", (5, 7), (), constant=True)
    gather("one-of-last", (5, 7), (), axis=-1)
    gather("axis1", (3, 9, 5), (4,), axis=1)
    gather("axis1-two", (3, 9, 5), (2, 2), axis=1)
    gather("last", (3, 9), (17,), axis=-1, constant=True)
    gather("vector", (9,), (3, 4))
    gather("ints", (9, 3), (4,), dtype=np.int64)
    gather("opset11", (9, 3), (4,), opset=11)
    gather("row-of-one", (1, 6), (3,))
    for tag, data, indices, axis in (("rows", (4, 5), (3, 5), 0), ("last", (4, 5), (4, 7), 1), ("3d", (3, 4, 5), (2, 4, 5), 0), ("1d", (9,), (4,), -1)):
        b = Build(f"gatherelements-{tag}")
        names = [b.input(data), b.input(indices, -data[axis], data[axis], np.int64)]
        b.done(b.op("GatherElements", *names, axis=axis))
    for tag, data, indices, batch in (("elements", (4, 5), (6, 2), 0), ("rows", (4, 5, 6), (3, 1), 0), ("batch", (3, 4, 5), (3, 2, 1), 1),
                                      ("batch-elements", (2, 4, 5), (2, 3, 2), 1)):
        b = Build(f"gathernd-{tag}")
        names = [b.input(data), b.input(indices, -3, 3, np.int64)]
        b.feeds[names[1]] = b.rng.integers(-2, 2, indices)
        b.done(b.op("GatherND", *names, batch_dims=batch))


def scatter_cases():
    def scatter(tag, data, indices, updates, **kinds):
        b = Build(f"scatternd-{tag}")
        x = b.const(data) if kinds.get("constant") else b.input(data)
        u = b.const(updates) if kinds.get("constant") else b.input(updates)
        y = b.op("ScatterND", x, b.const(np.array(indices, np.int64)), u)
        b.done(b.op("Add", y, b.input(data)) if kinds.get("constant") else y)

    scatter("rows", (5, 19), [[3], [-5]], (2, 19))
    scatter("elements", (4, 5), [[0, 1], [3, -1], [2, 2]], (3,))
    scatter("windows", (2, 4, 6), [[[0, 1], [1, 0]], [[1, 3], [0, 0]]], (2, 2, 6))
    scatter("of-constants", (5, 7), [[4], [1]], (2, 7), constant=True)


def einsum_cases():
    def einsum(tag, equation, *shapes):
        b = Build(f"einsum-{tag}")
        b.done(b.op("Einsum", *[b.input(s) for s in shapes], equation=equation))

    einsum("matmul", "ij,jk->ik", (5, 33), (33, 20))
    einsum("implicit", "ij,kj", (5, 33), (20, 33))
    einsum("attention", "bhid,bhjd->bhij", (2, 3, 7, 16), (2, 3, 5, 16))
    einsum("heads-last", "bihd,bjhd->bhij", (2, 7, 3, 16), (2, 5, 3, 16))
    einsum("permuted", "abc,cd->dab", (2, 7, 3), (3, 4))
    einsum("outer", "i,j->ji", (5,), (17,))
    einsum("dot", "i,i->", (35,), (35,))
    einsum("by-element", "bi, bi -> bi", (3, 19), (3, 19))
    einsum("sums-alone", "bij,bk->ik", (3, 4, 5), (3, 7))
    einsum("transpose", "abc->cab", (2, 3, 4))
    einsum("sum", "abc->b", (2, 3, 4))
    einsum("same", "ab->ab", (2, 3))


def slice_cases():
    def cut(tag, x, starts, ends, axes=None, steps=None, opset=OPSET):
        b = Build(f"slice-{tag}", opset)
        lists = [starts, ends] + [v for v in (axes, steps) if v is not None]
        if opset < 10:
            named = dict(zip(("starts", "ends", "axes"), lists))
            b.done(b.op("Slice", b.input(x), **named))
        else:
            b.done(b.op("Slice", b.input(x), *[b.ints(*v) for v in lists]))

    big = 2**63 - 1
    cut("rows", (7, 9), [1], [4])
    cut("last", (3, 70), [-33], [big], [-1])
    cut("both", (7, 9), [1, 2], [6, 8])
    cut("whole", (7, 9), [0], [big], [0])
    cut("step2", (7, 9), [0, 1], [7, 9], [0, 1], [2, 3])
    cut("reversed", (7, 9), [-1], [-big], [1], [-1])
    cut("reversed-step2", (7, 9), [6, 8], [0, 1], [0, 1], [-2, -3])
    cut("beyond", (7, 9), [-100, 3], [100, 1000], [0, 1])
    cut("channels", (1, 8, 5, 5), [2], [7], [1])
    cut("opset9", (7, 9), [1, 2], [6, -1], [0, 1], opset=9)
    b = Build("slice-then-add")
    x = b.input((3, 40))
    b.done(b.op("Add", b.op("Slice", x, b.ints(0), b.ints(20), b.ints(1)), b.op("Slice", x, b.ints(20), b.ints(40), b.ints(1))))
    for tag, x, n, attributes, sizes, opset in (("axis1", (2, 9), 3, {"axis": 1}, None, 17), ("sizes", (2, 9), 3, {"axis": 1}, [2, 3, 4], 17),
                                              ("five", (10, 3), 5, {}, None, 17), ("last", (2, 3, 8), 2, {"axis": -1}, None, 17),
                                              ("uneven", (7, 3), 3, {"num_outputs": 3}, None, 18)):
        b = Build(f"split-{tag}", opset)
        names = [b.input(x)] + ([b.ints(*sizes)] if sizes else [])
        b.done(*b.op("Split", *names, outputs=n, **attributes))
    b = Build("split-opset11", 11)
    b.done(*b.op("Split", b.input((2, 9)), outputs=2, axis=1, split=[4, 5]))
    b = Build("split-qkv")  # attention's three parts, each brought to heads
    parts = b.op("Split", b.input((1, 5, 24)), outputs=3, axis=2)
    b.done(*[b.op("Transpose", b.op("Reshape", p, b.ints(1, 5, 2, 4)), perm=[0, 2, 1, 3]) for p in parts])
    for tag, x, shape in (("both", (3, 1, 5), (2, 1, 4, 1)), ("scalar", (), (3, 4)), ("ones", (3, 4), (1, 1)), ("left", (4,), (2, 3, 1))):
        b = Build(f"expand-{tag}")
        b.done(b.op("Expand", b.input(x), b.ints(*shape)))
    b = Build("expand-then-add")
    x = b.input((3, 1))
    b.done(b.op("Add", b.op("Expand", x, b.ints(3, 33)), b.input((3, 33))))
    for tag, x, repeats in (("both", (2, 3), (2, 2)), ("last", (3, 5), (1, 4)), ("none", (3, 5), (1, 1)), ("3d", (2, 1, 3), (2, 3, 1))):
        b = Build(f"tile-{tag}")
        b.done(b.op("Tile", b.input(x), b.ints(*repeats)))
    for upper in (0, 1):
        for k in (-2, 0, 1, 9):
            b = Build(f"trilu-{'upper' if upper else 'lower'}-{k}".replace("--", "-minus"))
            b.done(b.op("Trilu", b.input((2, 5, 7)), *([b.const(np.array(k, np.int64))] if k else []), upper=upper))
    b = Build("trilu-ints")
    b.done(b.op("Trilu", b.input((4, 4), -9, 9, np.int64), upper=0))


def computed_shape_cases():
    b = Build("shape-all")
    b.done(b.op("Shape", b.input((2, 3, 4))))
    b = Build("shape-part")
    b.done(b.op("Shape", b.input((2, 3, 4, 5)), start=1, end=-1))
    b = Build("size-all")
    b.done(b.op("Size", b.input((2, 3, 4))))
    b = Build("shape-arithmetic")  # what exporters write for x.view(n, heads, -1)
    x = b.input((2, 3, 8))
    dims = [b.op("Gather", b.op("Shape", x), b.const(np.array(i, np.int64))) for i in range(3)]
    half = b.op("Div", dims[2], b.const(np.array(2, np.int64)))
    parts = [b.op("Unsqueeze", d, b.ints(0)) for d in (dims[0], dims[1], half)]
    b.done(b.op("Reshape", x, b.op("Concat", *parts, b.ints(-1), axis=0)))
    b = Build("constantofshape-value")
    b.done(b.op("Add", b.input((3, 4)), b.op("ConstantOfShape", b.ints(3, 4), value=numpy_helper.from_array(np.array([0.5], np.float32)))))
    b = Build("constantofshape-default")
    b.done(b.op("ConstantOfShape", b.op("Shape", b.input((3, 4)))))
    for tag, bounds in (("ints", (2, 19, 3)), ("down", (9, -4, -2)), ("floats", (0.5, 4.0, 0.75)), ("none", (3, 3, 1))):
        b = Build(f"range-{tag}")
        dtype = np.float32 if tag == "floats" else np.int64
        b.done(b.op("Range", *[b.const(np.array(v, dtype)) for v in bounds]), b.op("Relu", b.input((2,))))
    b = Build("mask-causal")  # row >= column, as exporters spell it
    q, k = (b.op("Unsqueeze", b.op("Range", *[b.const(np.array(v, np.int64)) for v in (0, 9, 1)]), b.ints(axis)) for axis in (1, 0))
    mask = b.op("Where", b.op("LessOrEqual", k, q), b.const(np.float32(0)), b.const(np.float32(-3e38)))
    b.done(b.op("Softmax", b.op("Add", b.input((2, 9, 9)), mask)))
    b = Build("pow-ints")
    b.done(b.op("Pow", b.input((3, 7)), b.const(np.array(3, np.int64))))
    for approximate in ("none", "tanh"):
        b = Build(f"gelu-{approximate}", 20)
        b.done(b.op("Gelu", b.input((3, 37), -6, 6), approximate=approximate))


def reduction_cases():
    for axis in (0, 1, 2, -1):
        b = Build(f"softmax-axis{axis}".replace("-1", "minus1"))
        b.done(b.op("Softmax", b.input((3, 5, 17)), axis=axis))
    b = Build("softmax-1000")
    b.done(b.op("Softmax", b.input((1, 1000), -20, 20)))
    b = Build("softmax-large-values")
    b.done(b.op("Softmax", b.input((2, 33), -1000, 1000)))
    b = Build("softmax-opset11", 11)  # flattens to two dimensions at axis, 1 by default
    b.done(b.op("Softmax", b.input((3, 5, 7))))
    b = Build("logsoftmax-last")
    b.done(b.op("LogSoftmax", b.input((3, 17))))
    for op in ("ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin"):
        for tag, axes, keep in (("last", [-1], 1), ("spatial", [2, 3], 1), ("spatial-dropped", [2, 3], 0),
                                ("first", [0], 0), ("middle", [1], 1), ("all", None, 1), ("all-dropped", None, 0)):
            b = Build(f"{op.lower()}-{tag}", 18 if op != "ReduceMean" else 17)
            names = [b.input((2, 3, 5, 7))]
            attributes = {"keepdims": keep}
            if axes is not None and op == "ReduceMean":
                attributes["axes"] = axes
            elif axes is not None:
                names.append(b.const(np.array(axes, np.int64)))
            b.done(b.op(op, *names, **attributes))
    b = Build("reducemean-opset18", 18)
    b.done(b.op("ReduceMean", b.input((2, 3, 5)), b.const(np.array([1], np.int64))))
    for op in ("ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum"):
        for tag, axes, keep in (("last", [-1], 1), ("spatial-dropped", [2, 3], 0), ("all", None, 1)):
            b = Build(f"{op.lower()}-{tag}", 18)
            names = [b.input((2, 3, 5, 7), 0.1, 2)] + ([b.ints(*axes)] if axes else [])
            b.done(b.op(op, *names, keepdims=keep))
    b = Build("reducel2-opset11", 11)
    b.done(b.op("ReduceL2", b.input((2, 3, 5)), axes=[1]))
    for op in ("ArgMax", "ArgMin"):
        for axis, keep in ((0, 1), (1, 0), (-1, 1)):
            b = Build(f"{op.lower()}-axis{axis}".replace("-1", "minus1"))
            b.done(b.op(op, b.input((3, 17, 9)), axis=axis, keepdims=keep))
        for last in (0, 1):
            b = Build(f"{op.lower()}-ties-{'last' if last else 'first'}")
            b.done(b.op(op, b.input((5, 33), 0, 3, np.int32), axis=1, select_last_index=last))
    for dtype in (np.int8, np.int32, np.int64):
        for op in ("ReduceMax", "ReduceMin", "ReduceSum"):
            if op == "ReduceSum" and dtype == np.int8:
                continue  # onnxruntime has none
            b = Build(f"{op.lower()}-{np.dtype(dtype).name}", 18)
            b.done(b.op(op, b.input((3, 35), -99, 99, dtype), b.ints(1)))
    b = Build("layernorm-last")
    b.done(b.op("LayerNormalization", b.input((2, 5, 19)), b.const((19,)), b.const((19,))))
    b = Build("instancenorm")
    b.done(b.op("InstanceNormalization", b.input((2, 6, 5, 7)), b.const((6,)), b.const((6,)), epsilon=1e-3))
    b = Build("instancenorm-1d")
    b.done(b.op("InstanceNormalization", b.input((1, 3, 33)), b.const((3,)), b.const((3,))))
    b = Build("groupnorm-of-channels", 21)
    b.done(b.op("GroupNormalization", b.input((2, 6, 5, 7)), b.const((6,)), b.const((6,)), num_groups=3), shape=(2, 6, 5, 7))
    b = Build("meanvariancenorm", 13)
    b.done(b.op("MeanVarianceNormalization", b.input((2, 3, 4, 5)), axes=[0, 2, 3]))
    b = Build("meanvariancenorm-axes", 13)
    b.done(b.op("MeanVarianceNormalization", b.input((2, 3, 4, 5)), axes=[2, 3]))
    b = Build("rmsnorm", 23)
    b.done(b.op("RMSNormalization", b.input((2, 5, 19)), b.const((19,))))
    for tag, attributes in (("plain", {}), ("exclusive", {"exclusive": 1}), ("reverse", {"reverse": 1}),
                            ("both", {"exclusive": 1, "reverse": 1})):
        b = Build(f"cumsum-{tag}")
        b.done(b.op("CumSum", b.input((3, 17, 5)), b.const(np.array(1, np.int64)), **attributes))
    b = Build("cumsum-integers")
    b.done(b.op("CumSum", b.input((2, 9), 0, 50, np.int64), b.const(np.array(-1, np.int32))))


# ---- a few operators together

def conv_block(b, x, out, inp, kernel=3, stride=1, group=1, norm=True, act="Relu"):
    w = b.const(b.values((out, inp // group, kernel, kernel)) / np.float32(np.sqrt(inp // group * kernel * kernel)))
    x = b.op("Conv", x, w, pads=[kernel // 2] * 4, strides=[stride] * 2, group=group)
    if norm:
        x = b.op("BatchNormalization", x, b.const((out,), 0.5, 1.5), b.const((out,)), b.const((out,)), b.const((out,), 0.5, 1.5))
    if act == "Relu6":
        return b.op("Clip", x, b.const(np.float32(0)), b.const(np.float32(6)))
    return b.op(act, x) if act else x


def graph_cases():
    for act in ("Relu", "Relu6", "Sigmoid", "Tanh", "LeakyRelu", None):
        b = Build(f"graph-conv-bn-{act or 'none'}".lower())
        b.done(conv_block(b, b.input((1, 6, 9, 9)), 10, 6, act=act))
    b = Build("graph-residual")
    x = b.input((1, 8, 9, 9))
    y = conv_block(b, conv_block(b, x, 8, 8), 8, 8, act=None)
    b.done(b.op("Relu", b.op("Add", y, x)))
    b = Build("graph-residual-in-blocks")
    x = b.input((16, 32, 41, 43))
    b.done(b.op("Relu", b.op("Add", conv_block(b, x, 32, 32, act=None), x)))
    b = Build("graph-constants-of-several-blocks")  # folded 256 elements at a time: blocks that begin and end within rows, and a part of one
    table, row, column = b.const((7, 150)), b.const((150,)), b.const((7, 1))
    folded = b.op("Div", b.op("Add", b.op("Mul", table, column), row), b.op("Exp", b.op("Sub", row, column)))
    b.done(b.op("Add", b.input((7, 150)), folded))
    b = Build("graph-constants-by-weight-norm")
    v = b.const((24, 8, 3, 3))
    norm = b.op("ReduceL2", v, axes=[1, 2, 3], keepdims=1)
    b.done(b.op("Conv", b.input((2, 8, 9, 9)), b.op("Mul", b.op("Div", v, norm), b.const((24, 1, 1, 1)))))
    b = Build("graph-residual-downsample")
    x = b.input((1, 8, 9, 9))
    y = conv_block(b, conv_block(b, x, 16, 8, stride=2), 16, 16, act=None)
    b.done(b.op("Relu", b.op("Add", y, conv_block(b, x, 16, 8, 1, 2, act=None))))
    b = Build("graph-bottleneck")
    x = b.input((1, 32, 7, 7))
    y = conv_block(b, conv_block(b, conv_block(b, x, 8, 32, 1), 8, 8), 32, 8, 1, act=None)
    b.done(b.op("Relu", b.op("Add", x, y)))
    b = Build("graph-inverted-residual")
    x = b.input((1, 8, 9, 9))
    y = conv_block(b, conv_block(b, x, 48, 8, 1, act="Relu6"), 48, 48, group=48, act="Relu6")
    b.done(b.op("Add", x, conv_block(b, y, 8, 48, 1, act=None)))
    b = Build("graph-bn-with-two-uses")  # the convolution's result is used past the BatchNormalization too
    c = conv_block(b, b.input((1, 4, 6, 6)), 4, 4, norm=False, act=None)
    n = b.op("BatchNormalization", c, b.const((4,)), b.const((4,)), b.const((4,)), b.const((4,), 0.5, 1.5))
    b.done(b.op("Add", n, c))
    b = Build("graph-bn-before-conv")
    n = b.op("BatchNormalization", b.input((1, 4, 6, 6)), b.const((4,)), b.const((4,)), b.const((4,)), b.const((4,), 0.5, 1.5))
    b.done(conv_block(b, n, 6, 4, norm=False))
    b = Build("graph-mlp")
    x = b.input((5, 40))
    for inp, out in ((40, 64), (64, 33), (33, 10)):
        x = b.op("Gemm", x, b.const((out, inp), -0.2, 0.2), b.const((out,)), transB=1)
        x = b.op("Relu", x) if out != 10 else x
    b.done(b.op("Softmax", x, axis=1))
    b = Build("graph-matmul-add-relu")
    b.done(b.op("Relu", b.op("Add", b.op("MatMul", b.input((4, 30)), b.const((30, 20), -0.3, 0.3)), b.const((20,)))))
    b = Build("graph-elementwise-chain")
    x = b.input((3, 65))
    y = b.op("Mul", b.op("Sigmoid", x), x)
    b.done(b.op("Tanh", b.op("Sub", b.op("Add", y, b.const((65,))), b.op("Relu", x))))
    b = Build("graph-diamond")
    x = b.op("Relu", b.input((2, 33)))
    b.done(b.op("Mul", b.op("Add", x, b.const(np.float32(1))), b.op("Sub", x, b.const(np.float32(2)))))
    b = Build("graph-two-outputs")
    x = b.op("Relu", b.input((2, 33)))
    b.done(x, b.op("Add", x, b.const((33,))))
    b = Build("graph-two-inputs")
    b.done(b.op("Relu", b.op("Add", b.input((1, 4, 6, 6)), b.op("MaxPool", b.input((1, 4, 12, 12)), kernel_shape=[2, 2],
                                                               strides=[2, 2]))))
    b = Build("graph-equal-kernels")  # the same shapes three times: one kernel, three weights
    x = b.input((1, 8, 9, 9))
    for _ in range(3):
        x = conv_block(b, x, 8, 8)
    b.done(x)
    b = Build("graph-inception")
    x = b.input((1, 8, 9, 9))
    pooled = b.op("MaxPool", x, kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    b.done(b.op("Concat", conv_block(b, x, 6, 8, 1), conv_block(b, x, 5, 8, 3), conv_block(b, pooled, 3, 8, 1), axis=1))
    b = Build("graph-squeeze-excite")
    x = b.input((1, 8, 9, 9))
    s = conv_block(b, b.op("GlobalAveragePool", x), 4, 8, 1, norm=False)
    b.done(b.op("Mul", x, conv_block(b, s, 8, 4, 1, norm=False, act="Sigmoid")))
    b = Build("graph-classifier")
    x = conv_block(b, b.input((1, 3, 17, 17)), 12, 3, stride=2)
    x = b.op("Flatten", b.op("GlobalAveragePool", b.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])))
    b.done(b.op("Gemm", x, b.const((10, 12)), b.const((10,)), transB=1))
    b = Build("graph-constants-only-branch")  # folds when compiling
    k = b.op("Mul", b.op("Add", b.const((3, 4)), b.const((4,))), b.const(np.float32(0.5)))
    b.done(b.op("Add", b.input((2, 3, 4)), k))
    b = Build("graph-output-is-input-reshaped")
    b.done(b.op("Flatten", b.input((2, 3, 4))))
    b = Build("graph-local-functions")  # called twice, one calls the other, each with names of its own
    own = [helper.make_opsetid("", OPSET), helper.make_opsetid("own", 1)]
    scale = helper.make_function("own", "Scale", ["x", "by"], ["y"], [helper.make_node("Mul", ["x", "by"], ["y"])], own)
    gate = helper.make_function("own", "Gate", ["x", "by"], ["y"], [
        helper.make_node("Sigmoid", ["x"], ["s"]), helper.make_node("Scale", ["s", "by"], ["y"], domain="own")], own)
    x = b.op("Gate", b.input((3, 7)), b.const((7,)), domain="own")
    b.done(b.op("Relu", b.op("Gate", x, b.const((3, 1)), domain="own")), functions=[scale, gate])
    b = Build("graph-dead-node")
    x = b.input((3, 5))
    b.op("Tanh", x)
    b.done(b.op("Relu", x))
    attention_graphs()


def norm(b, x, width):
    return b.op("LayerNormalization", x, b.const((width,), 0.5, 1.5), b.const((width,)))


def dense(b, x, inp, out):
    return b.op("Add", b.op("MatMul", x, b.const(b.values((inp, out)) / np.float32(np.sqrt(inp)))), b.const((out,)))


def heads_of(b, x, rows, heads, width, perm):
    return b.op("Transpose", b.op("Reshape", x, b.ints(1, rows, heads, width // heads)), perm=perm)


def attend(b, q, k, v, rows, width, mask=None):
    """softmax(q kT / sqrt(d) + mask) v, rows that are all masked taken as 0: what torch's exporter writes."""
    scores = b.op("Mul", b.op("MatMul", q, k), b.const(np.float32(0.35)))
    shares = b.op("Softmax", b.op("Add", scores, mask) if mask else scores, axis=-1)
    shares = b.op("Where", b.op("IsNaN", shares), b.const(np.float32(0)), shares)
    return b.op("Reshape", b.op("Transpose", b.op("MatMul", shares, v), perm=[0, 2, 1, 3]), b.ints(1, rows, width))


def gelu_erf(b, x):
    part = b.op("Erf", b.op("Div", x, b.const(np.float32(np.sqrt(2)))))
    return b.op("Mul", b.op("Mul", x, b.op("Add", part, b.const(np.float32(1)))), b.const(np.float32(0.5)))


def gelu_tanh(b, x):
    cube = b.op("Mul", b.op("Pow", x, b.const(np.float32(3))), b.const(np.float32(0.044715)))
    part = b.op("Tanh", b.op("Mul", b.op("Add", x, cube), b.const(np.float32(0.7978846))))
    return b.op("Mul", b.op("Mul", x, b.const(np.float32(0.5))), b.op("Add", part, b.const(np.float32(1))))


def attention_graphs():
    rows, heads, width = 7, 3, 24
    b = Build("graph-encoder-block")  # BERT's: norms behind, GELU by erf
    x = b.input((1, rows, width))
    q, k, v = (heads_of(b, dense(b, x, width, width), rows, heads, width, perm)
               for perm in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]))
    x = norm(b, b.op("Add", x, dense(b, attend(b, q, k, v, rows, width), width, width)), width)
    y = dense(b, gelu_erf(b, dense(b, x, width, 4 * width)), 4 * width, width)
    b.done(norm(b, b.op("Add", y, x), width))
    b = Build("graph-decoder-block")  # GPT-2's: norms before, a causal mask, GELU by tanh, weights as Gemm
    x = b.input((1, rows, width))
    flat = b.op("Reshape", norm(b, x, width), b.ints(-1, width))
    qkv = b.op("Reshape", b.op("Gemm", flat, b.const((width, 3 * width), -0.3, 0.3), b.const((3 * width,))), b.ints(1, rows, 3 * width))
    q, k, v = (heads_of(b, p, rows, heads, width, perm)
               for p, perm in zip(b.op("Split", qkv, outputs=3, axis=2), ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])))
    causal = np.where(np.tril(np.ones((rows, rows), bool)), 0, -3e38).astype(np.float32)[None, None]
    x = b.op("Add", x, dense(b, attend(b, q, k, v, rows, width, b.const(causal)), width, width))
    b.done(b.op("Add", x, dense(b, gelu_tanh(b, dense(b, norm(b, x, width), width, 4 * width)), 4 * width, width)))
    b = Build("graph-decode-step")  # one more position, keys and values of those before are inputs and outputs
    x, past_k, past_v = b.input((1, 1, width)), b.input((1, heads, rows, width // heads)), b.input((1, heads, rows, width // heads))
    q, k, v = (heads_of(b, dense(b, norm(b, x, width), width, width), 1, heads, width, [0, 2, 1, 3]) for _ in range(3))
    k, v = b.op("Concat", past_k, k, axis=2), b.op("Concat", past_v, v, axis=2)
    y = attend(b, q, b.op("Transpose", k, perm=[0, 1, 3, 2]), v, 1, width)
    b.done(b.op("Add", x, dense(b, y, width, width)), k, v)


def random_graph(index):
    """A random chain over [1, C, H, W]: convolutions, pools, activations, residuals over what came before."""
    b = Build(f"random-{index:02d}")
    r = b.rng
    c, h, w = int(r.integers(1, 20)), int(r.integers(6, 20)), int(r.integers(6, 20))
    x, earlier = b.input((1, c, h, w)), []
    for _ in range(int(r.integers(3, 9))):
        earlier.append((x, (c, h, w)))
        kind = r.choice(["conv", "conv1", "depthwise", "stride", "pool", "act", "residual", "scale"])
        if kind == "conv" or kind == "conv1":
            out = int(r.integers(1, 40))
            x, c = conv_block(b, x, out, c, 3 if kind == "conv" else 1, act=r.choice(["Relu", "Relu6", "Tanh"])), out
        elif kind == "depthwise":
            x = conv_block(b, x, c, c, group=c, act="Relu6")
        elif kind == "stride" and min(h, w) > 3:
            x, h, w = conv_block(b, x, c, c, 3, 2), (h + 1) // 2, (w + 1) // 2
        elif kind == "pool" and min(h, w) > 3:
            op = str(r.choice(["MaxPool", "AveragePool"]))
            x, h, w = b.op(op, x, kernel_shape=[2, 2], strides=[2, 2]), h // 2, w // 2
        elif kind == "act":
            x = b.op(str(r.choice(["Relu", "Sigmoid", "LeakyRelu"])), x)
        elif kind == "residual":
            same = [v for v, shape in earlier if shape == (c, h, w)]
            x = b.op("Add", x, same[int(r.integers(len(same)))])
        elif kind == "scale":
            x = b.op("Mul", x, b.const((c, 1, 1), 0.5, 1.5))
    if r.random() < 0.5:
        x = b.op("Flatten", b.op("GlobalAveragePool", x))
        x = b.op("Gemm", x, b.const((7, c)), b.const((7,)), transB=1)
    b.done(b.op("Identity", x) if not b.nodes else x)


def empty_cases():
    """Dimensions of size 0, of operands and of results: most ops have nothing to do, some something to start from."""
    def empty(tag, op, *inputs, outputs=1, opset=18, **attributes):
        """Tuples are shapes of inputs, arrays are constants."""
        b = Build(f"empty-{op}-{tag}".lower(), opset)
        made = b.op(op, *[b.input(x) if isinstance(x, tuple) else b.const(x) for x in inputs], outputs=outputs, **attributes)
        b.done(*([made] if outputs == 1 else made))

    def ints(*items):
        return np.array(items, np.int64)
    for op in ("ReduceSum", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceSumSquare"):
        empty("inside", op, (3, 0), ints(1))
        empty("all", op, (0, 4), keepdims=0)
        empty("outside", op, (3, 0), ints(0))
    empty("outside", "ReduceMean", (3, 0), ints(0))
    for op in ("ArgMax", "ArgMin"):
        empty("outside", op, (3, 0), axis=0)
    for a, w in (((3, 0), (0, 4)), ((0, 3), (3, 4)), ((3, 4), (4, 0)), ((2, 3, 0), (2, 0, 4)), ((2, 3, 0), (0, 4)),
                 ((0, 3, 4), (4, 5)), ((0, 3, 4), (0, 4, 5))):
        tag = f"{'x'.join(map(str, a))}-{'x'.join(map(str, w))}"
        empty(tag, "MatMul", a, w)
        empty(f"constant-{tag}", "MatMul", a, np.ones(w, np.float32))
        if len(a) == len(w) == 2:
            empty(tag, "Gemm", a, w, (w[1],), alpha=2.0)
    empty("ij,jk", "Einsum", (3, 0), (0, 4), equation="ij,jk->ik")
    empty("batch", "Conv", (0, 3, 5, 5), np.ones((4, 3, 3, 3), np.float32))
    empty("batch-at-run-time", "Conv", (0, 3, 5, 5), (4, 3, 3, 3))
    empty("batch", "ConvTranspose", (0, 3, 5, 5), np.ones((3, 4, 3, 3), np.float32))
    for op in ("MaxPool", "AveragePool"):
        empty("batch", op, (0, 3, 5, 5), kernel_shape=[2, 2])
    for op in ("GlobalAveragePool", "GlobalMaxPool"):
        empty("batch", op, (0, 3, 5, 5))
    empty("batch", "BatchNormalization", (0, 3, 5, 5), *[np.ones(3, np.float32)] * 4)
    empty("image", "InstanceNormalization", (2, 3, 0, 5), *[np.ones(3, np.float32)] * 2)
    empty("rows", "LayerNormalization", (0, 3, 5), np.ones(5, np.float32))
    for axis in (0, 1):
        empty(f"axis{axis}", "Softmax", (3, 0), axis=axis)
        empty(f"axis{axis}", "LogSoftmax", (0, 3), axis=axis)
        empty(f"axis{axis}-of-two", "Concat", (3, 0), (3, 4) if axis == 1 else (2, 0), axis=axis)
    empty("none", "Concat", (3, 0), (3, 0), axis=1)
    empty("in-the-middle", "Concat", (3, 2), (3, 0), (3, 4), axis=1)
    empty("no-indices", "Gather", (3, 4), np.zeros((0,), np.int64))
    empty("no-columns", "Gather", (3, 0), ints(2, -1))
    empty("no-tuples", "GatherND", (3, 4), np.zeros((0, 2), np.int64))
    for op in ("Relu", "Exp", "Abs", "Identity", "Softplus", "IsNaN"):
        empty("all", op, (0, 3), opset=20)
    for op in ("Add", "Div", "Pow", "Max", "Less"):
        empty("both", op, (0, 3), (0, 3))
        empty("stretched", op, (0, 3), (1, 3))
        empty("scalar", op, (0, 3), ())
    empty("perm", "Transpose", (0, 3, 2), perm=[2, 0, 1])
    empty("swapped", "Reshape", (0, 3), ints(3, 0), allowzero=1)
    empty("larger", "Reshape", (2, 0), ints(0, 5), allowzero=1)
    empty("axis1", "Flatten", (2, 0, 3), axis=1)
    empty("rows", "Expand", (0, 1), ints(0, 4))
    empty("to-nothing", "Expand", (3, 1), ints(3, 0))
    empty("no-repeats", "Tile", (3, 4), ints(0, 1))
    empty("repeats", "Tile", (0, 4), ints(2, 3))
    empty("around-nothing", "Pad", (0, 4), ints(1, 1, 1, 1))
    empty("beside-nothing", "Pad", (0, 4), ints(0, 1, 0, 1))
    empty("start-is-end", "Slice", (3, 4), ints(1), ints(1), ints(0))
    empty("of-nothing", "Slice", (0, 4), ints(0), ints(2), ints(1))
    empty("backwards", "Slice", (0, 4), ints(3), ints(-100), ints(1), ints(-1))
    empty("backwards-along-nothing", "Slice", (7, 0), ints(-1), ints(-2**31), ints(1), ints(-1))
    empty("last-part", "Split", (3, 4), ints(4, 0), outputs=2, axis=1)
    empty("upper", "Trilu", (2, 3, 0))
    for axis in (0, 1):
        empty(f"axis{axis}", "CumSum", (0, 3), np.int64(axis))
    b = Build("empty-chain")  # products with nothing inside, then what follows them
    x = b.op("MatMul", b.input((3, 0)), b.const((0, 8)))
    b.done(b.op("Softmax", b.op("Relu", b.op("Add", x, b.const((8,)))), axis=-1))
    b = Build("empty-attention")  # no queries
    q, k = b.input((2, 0, 16)), b.input((2, 5, 16))
    scores = b.op("Softmax", b.op("MatMul", q, b.op("Transpose", k, perm=[0, 2, 1])), axis=-1)
    b.done(b.op("MatMul", scores, k))
    b = Build("empty-images")
    x = b.op("Relu", b.op("Conv", b.input((0, 8, 16, 16)), b.const((16, 8, 3, 3)), pads=[1, 1, 1, 1]))
    x = b.op("Flatten", b.op("GlobalAveragePool", b.op("Conv", x, b.const((16, 16, 1, 1)))))
    b.done(b.op("Gemm", x, b.const((16, 10)), b.const((10,))))


def all_cases():
    from operator_cases import operator_cases  # which makes cases by what is here
    if not CASES:
        for make in (conv_cases, conv_transpose_cases, resize_cases, pool_cases, matmul_cases, elementwise_cases, shape_cases, truth_cases, index_cases, scatter_cases, einsum_cases, slice_cases,
                     computed_shape_cases, reduction_cases, empty_cases, graph_cases, operator_cases):
            make()
        quantized_cases(Build)
        selection_cases(Build)
        found_cases(Build)
        computed_cases(Build)
        fused_cases(Build)
        control_cases(Build)
        for index in range(24):
            random_graph(index)
    return list(CASES.values())


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for case in all_cases():
        onnx.save(case.model, folder / f"{case.name}.onnx")
        for name, value in case.feeds.items():
            np.save(folder / f"{case.name}.{name}.npy", value)
    print(f"{len(CASES)} cases in {folder}")


if __name__ == "__main__":
    main()
