"""Products of bytes, bit for bit: against plain integer arithmetic, and models that onnxruntime's quantiser makes.

    python quantized.py --mlc build/release/bin/mlc [--seed N] [--rounds N]

MatMulInteger, ConvInteger, QLinearMatMul and QLinearConv of random sizes, of both signs on either side, with zero points of all kinds,
scales per tensor and per channel, on random numbers and on the largest and least alone, which would show what overflows or saturates on
its way. Sums are those of numpy's integers; what is scaled is rounded as the operator says: f32, halves to even. Each for the machines
that this one can run, which have dot products of bytes or have none.
"""
import argparse
import logging
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import quantization

from harness import Failure, call, run_all, run_outputs, save_feeds
from shapes_random import possible_targets

TYPES = {"u8": np.uint8, "i8": np.int8}


class Model:
    """One node on an input; everything else is constant."""

    def __init__(self, rng, extreme):
        self.rng, self.extreme, self.constants, self.names = rng, extreme, [], []

    def numbers(self, dtype, shape=()):
        info = np.iinfo(dtype)
        if self.extreme:
            return self.rng.choice(np.array([info.min, info.max], dtype), shape).astype(dtype)
        return self.rng.integers(info.min, info.max, shape, dtype, endpoint=True)

    def const(self, value):
        name = "" if value is None else f"c{len(self.constants)}"
        if value is not None:
            self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def done(self, op, x, inputs, result, **attributes):
        """The model, its feed, and what is wanted."""
        names = ["x", *map(self.const, inputs)]
        while names[-1] == "":
            names.pop()
        node = helper.make_node(op, names, ["y"], **attributes)
        of = helper.np_dtype_to_tensor_dtype
        graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", of(x.dtype), x.shape)],
                                  [helper.make_tensor_value_info("y", of(result.dtype), result.shape)], self.constants)
        opset = [helper.make_opsetid("", 21)]
        return helper.make_model(graph, opset_imports=opset, ir_version=10), {"x": x}, result


def requantized(sums, factor, zero):
    """sums * factor, rounded to the bytes of the zero point's type."""
    info = np.iinfo(zero.dtype)
    value = np.rint((sums.astype(np.float32) * np.asarray(factor, np.float32)).astype(np.float32)) + np.float32(zero)
    return np.clip(value, info.min, info.max).astype(zero.dtype)


def centered(values, zero):
    return values.astype(np.int32) - (0 if zero is None else zero.astype(np.int32))


def matmul(rng, left, right, extreme, is_linear):
    m = Model(rng, extreme)
    rows, inner, columns = (int(rng.integers(1, n)) for n in (40, 300, 150))
    per_column = rng.random() < 0.5
    a, b = m.numbers(left, (rows, inner)), m.numbers(right, (inner, columns))
    za = m.numbers(left) if is_linear or rng.random() < 0.7 else None
    zb = m.numbers(right, (columns,) if per_column else ()) if is_linear or rng.random() < 0.7 else None
    sums = centered(a, za) @ centered(b, zb)
    if not is_linear:
        return m.done("MatMulInteger", a, [b, za, zb], sums)
    sa, sy = np.float32(0.01), np.float32(0.02 * np.sqrt(inner))
    sb = rng.uniform(0.001, 0.02, columns if per_column else ()).astype(np.float32)
    zy = m.numbers(left)
    return m.done("QLinearMatMul", a, [sa, za, b, sb, zb, sy, zy], requantized(sums, sa * sb / sy, zy))


def plain_conv(x, w, stride, pad, dilation, group):
    """Of integers that are zero around the image."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    size = [(x.shape[i + 2] - (w.shape[i + 2] - 1) * dilation - 1) // stride + 1 for i in range(2)]
    y = np.zeros((x.shape[0], w.shape[0], *size), np.int32)
    inner, outer = w.shape[1], w.shape[0] // group
    for g in range(group):
        for i in range(w.shape[2]):
            for j in range(w.shape[3]):
                rows, columns = (slice(k * dilation, k * dilation + (n - 1) * stride + 1, stride) for k, n in zip((i, j), size))
                part = x[:, g * inner:(g + 1) * inner, rows, columns]
                y[:, g * outer:(g + 1) * outer] += np.einsum("nchw,oc->nohw", part, w[g * outer:(g + 1) * outer, :, i, j])
    return y


def conv(rng, left, right, extreme, is_linear):
    m = Model(rng, extreme)
    kind = rng.choice(["plain", "plain", "groups", "depthwise"])
    kernel, stride, pad, dilation = (int(rng.choice(n)) for n in ([1, 3, 3, 5], [1, 1, 2], [0, 1, 2], [1, 1, 2]))
    channels = int(rng.integers(1, 40)) if kind == "plain" else 24
    outputs, group = {"plain": (int(rng.integers(1, 50)), 1), "groups": (36, 3), "depthwise": (24, 24)}[kind]
    size = [int(n) for n in rng.integers((kernel - 1) * dilation + 1, 16, 2)]
    x, w = m.numbers(left, (int(rng.integers(1, 3)), channels, *size)), m.numbers(right, (outputs, channels // group, kernel, kernel))
    zx, zw = m.numbers(left), None if rng.random() < 0.5 and not is_linear else m.numbers(right)
    sums = plain_conv(centered(x, zx), centered(w, zw), stride, pad, dilation, group)
    attributes = {"strides": [stride] * 2, "pads": [pad] * 4, "dilations": [dilation] * 2, "group": group}
    if not is_linear:
        return m.done("ConvInteger", x, [w, zx, zw], sums, **attributes)
    sx, sy = np.float32(0.01), np.float32(0.02 * np.sqrt(w[0].size))
    sw = rng.uniform(0.001, 0.02, outputs if rng.random() < 0.5 else ()).astype(np.float32)
    bias, zy = rng.integers(-30000, 30000, outputs).astype(np.int32), m.numbers(left)
    if sw.shape:
        zw = np.full(outputs, zw, right)
    factor = sx * sw / sy
    wanted = requantized(sums + bias.reshape(-1, 1, 1), factor.reshape(-1, 1, 1) if sw.shape else factor, zy)
    return m.done("QLinearConv", x, [sx, zx, w, sw, zw, sy, zy, bias], wanted, **attributes)


def check_bits(mlc, target, made):
    model, feeds, wanted = made
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as name:
        folder = Path(name)
        onnx.save(model, folder / "m.onnx")
        result = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so", f"--target={target}")
        if result.code:
            raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
        got, = run_outputs(mlc, folder / "m.so", save_feeds(feeds, folder), ["y"], folder, 1)
    if got.dtype != wanted.dtype or not np.array_equal(got, wanted):
        shapes = [list(v.shape) for v in feeds.values()] + [list(numpy_helper.to_array(c).shape) for c in model.graph.initializer]
        raise Failure(f"{(got != wanted).sum()} of {wanted.size} elements differ, by at most "
                      f"{np.abs(got.astype(int) - wanted.astype(int)).max()}; shapes {shapes}")


# ---- whole models

class Calibration(quantization.CalibrationDataReader):
    def __init__(self, rng, shape):
        self.feeds = iter([{"x": rng.standard_normal(shape).astype(np.float32)} for _ in range(3)])

    def get_next(self):
        return next(self.feeds, None)


def network(rng):
    """Convolutions (one of them of depth 1), a residual sum, pooling, and a product."""
    nodes, constants = [], []

    def random(name, *shape):
        constants.append(numpy_helper.from_array((rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32), name))

    def add(op, inputs, name, **attributes):
        nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def layer(x, name, channels, outputs, kernel, stride=1, group=1):
        random(f"{name}_w", outputs, channels // group, kernel, kernel)
        random(f"{name}_b", outputs)
        return add("Conv", [x, f"{name}_w", f"{name}_b"], name, strides=[stride] * 2, pads=[kernel // 2] * 4, group=group)

    x = add("Relu", [layer("x", "stem", 3, 20, 3, 2)], "r1")
    x = add("MaxPool", [x], "pool", kernel_shape=[2, 2], strides=[2, 2])
    y = add("Relu", [layer(x, "a", 20, 20, 3)], "r2")
    y = add("Relu", [add("Add", [layer(y, "b", 20, 20, 1), x], "sum")], "r3")
    y = add("Relu", [layer(y, "deep", 20, 20, 3, 1, 20)], "r4")
    y = add("Flatten", [y], "flat")
    random("w", 10, 20 * 8 * 8)
    random("bias", 10)
    add("Gemm", [y, "w", "bias"], "y", transB=1)
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 32, 32))],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 10))], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


def quantized(rng, folder, kind, activations, weights, per_channel):
    model = folder / "f.onnx"
    onnx.save(network(rng), model)
    # Weights of 7 bits: without VNNI onnxruntime adds two products of bytes in 16 bits, which saturates (vpmaddubsw).
    types, narrow = {"u8": quantization.QuantType.QUInt8, "i8": quantization.QuantType.QInt8}, weights == "i8"
    if kind == "dynamic":
        quantization.quantize_dynamic(model, folder / "q.onnx", weight_type=types[weights], per_channel=per_channel, reduce_range=narrow)
    else:
        form = quantization.QuantFormat.QDQ if kind == "qdq" else quantization.QuantFormat.QOperator
        quantization.quantize_static(model, folder / "q.onnx", Calibration(rng, (1, 3, 32, 32)), quant_format=form,
                                     activation_type=types[activations], weight_type=types[weights], per_channel=per_channel, reduce_range=narrow)
    return folder / "q.onnx"


def check_network(mlc, seed, *kind):
    """What onnxruntime computes without any rewrite. A number that is almost between two bytes may become the other one."""
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as name:
        folder = Path(name)
        path = quantized(rng, folder, *kind)
        feeds = {"x": rng.standard_normal((1, 3, 32, 32)).astype(np.float32)}
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        wanted, = onnxruntime.InferenceSession(str(path), options).run(None, feeds)
        got, = run_outputs(mlc, path, save_feeds(feeds, folder), ["y"], folder, 2)
    error = float(np.abs(got - wanted).max() / np.abs(wanted).max())
    if error > 0.02:
        raise Failure(f"the largest error is {error:.2g} of the largest result")
    return error


# Runs a command that may not ask Linux for tile registers: arch_prctl(ARCH_REQ_XCOMP_PERM, ...) fails with EPERM, by a filter of
# system calls (BPF) that looks at the call's number and its first argument.
REFUSED = """
import ctypes, os, struct, sys
code = b"".join(struct.pack("HBBI", *op) for op in [(0x20, 0, 0, 0), (0x15, 0, 3, 158), (0x20, 0, 0, 16), (0x15, 0, 1, 0x1023),
                                                    (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7fff0000)])
class Program(ctypes.Structure):
    _fields_ = [("size", ctypes.c_ushort), ("code", ctypes.c_char_p)]
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(Program(len(code) // 8, code)), 0, 0):
    sys.exit("no filter")
os.execv(sys.argv[1], sys.argv[1:])
"""


def check_refused_tiles(mlc):
    """Where the system does not let a process use tile registers, the host is one without, and what needs them is an error."""
    model = helper.make_model(helper.make_graph(
        [helper.make_node("MatMulInteger", ["x", "w"], ["y"])], "g", [helper.make_tensor_value_info("x", TensorProto.UINT8, [32, 64])],
        [helper.make_tensor_value_info("y", TensorProto.INT32, [32, 32])], [numpy_helper.from_array(np.ones((64, 32), np.int8), "w")]),
        opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as d:
        path, feeds = Path(d) / "m.onnx", {"x": np.full((32, 64), 2, np.uint8)}
        onnx.save(model, path)
        inputs = save_feeds(feeds, Path(d))
        for target, refused in (("x86-64-v4-amx", True), ("host", False)):
            result = call(sys.executable, "-c", REFUSED, mlc, "compile", path, "-o", Path(d) / "m.so", f"--target={target}")
            if result.code:
                raise Failure(f"compile for {target}: {result.first_line()}")
            result = call(sys.executable, "-c", REFUSED, mlc, "run", Path(d) / "m.so", *inputs, "--output-dir", d)
            want = ", and the system does not let this process use tile registers (AMX): compile the model with --target=x86-64-v4-vnni"
            if refused and (result.code != 1 or want not in result.err):
                raise Failure(f"expected a refusal, got exit {result.code}: {result.first_line()}")
            if not refused and (result.code or not (np.load(Path(d) / "y.npy") == 128).all()):
                raise Failure(f"expected 128s, got exit {result.code}: {result.first_line()}")


def all_tests(mlc, seed, rounds):
    tests = {}
    if "amx_int8" in Path("/proc/cpuinfo").read_text().split():
        tests["refused-tiles"] = lambda: check_refused_tiles(mlc)
    for target in possible_targets():
        for i in range(rounds if target == "host" else 1):
            for left in TYPES:
                for right in TYPES:
                    for make, extreme, is_linear in [(matmul, False, False), (matmul, True, False), (matmul, False, True),
                                                     (conv, False, False), (conv, True, False), (conv, False, True)]:
                        name = f"{make.__name__}-{left}-{right}{'-extreme' * extreme}{'-linear' * is_linear}-{target}-{i}"
                        rng = np.random.default_rng([seed, zlib.crc32(name.encode())])  # of no other test, nor of what the machine can do
                        made = make(rng, TYPES[left], TYPES[right], extreme, is_linear)
                        tests[name] = lambda target=target, made=made: check_bits(mlc, target, made)
    for i, kind in enumerate([("qdq", "u8", "i8", False), ("qdq", "i8", "i8", True), ("qdq", "u8", "u8", False),
                              ("qoperator", "u8", "i8", True), ("qoperator", "i8", "i8", False), ("qoperator", "u8", "u8", False),
                              ("dynamic", "u8", "i8", False), ("dynamic", "u8", "u8", True)]):
        tests["network-" + "-".join(map(str, kind))] = lambda i=i, kind=kind: check_network(mlc, seed + i, *kind)
    return tests


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2, help="so many of each kind, on this machine")
    parser.add_argument("--only", default="", help="only tests whose name contains this")
    args = parser.parse_args()
    logging.disable(logging.WARNING)
    onnxruntime.set_default_logger_severity(3)
    tests = {name: t for name, t in all_tests(args.mlc.resolve(), args.seed, args.rounds).items() if args.only in name}
    results = run_all(tests, 2)
    failed = sum(isinstance(r, Failure) for r in results.values())
    print(f"largest error of a network {max((r for r in results.values() if isinstance(r, float)), default=0):.1e}")
    print(f"{len(results) - failed} passed, {failed} failed")
    sys.exit(1 if failed or len(results) == 0 else 0)


if __name__ == "__main__":
    main()
