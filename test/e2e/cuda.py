"""Models on device cuda, which the emulator is here, against onnxruntime; and what is said where that cannot be.

    python cuda.py --mlc build/release/bin/mlc --emulator build/release/lib/libmlc-cudaemu.so

Each model is compiled once for two generations of GPUs. It runs on either, in order and with turns drawn from a seed, with races and
reads of what was never written told, and gives the same bits every time. Largest difference over the largest |reference|: 1e-4.
"""
import argparse
import json
import multiprocessing
import os
import re
import struct
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto

from artefact import DEVICE, patched, rehash, section
from harness import Failure, call, check_close, check_same_bits, python_package

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "scripts"))
from make_models import mobilenet_v2, resnet50  # noqa: E402
TARGETS = "cuda-sm_90a,cuda-sm_80"
UNUSABLE = "device 'cuda:0' cannot be used (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: too many resources requested for launch)"
REFUSALS = {  # what is said where a function of the driver fails
    **dict.fromkeys(["cuDeviceGet", "cuDeviceGetCount", "cuDeviceGetAttribute"], UNUSABLE),
    "cuDevicePrimaryCtxRetain": "cuda:0: it has no context",
    "cuCtxSetCurrent": "cuda:0: it cannot be used",
    "cuModuleLoadDataEx": "cuda:0: the driver refuses the kernels for cuda-sm_90a",
    "cuModuleGetFunction": "cuda:0: kernel 'kernel_0_kernel' is not there",
    "cuStreamCreate": "cuda:0: no stream of work",
    "cuMemcpyHtoDAsync_v2": "cuda:0: copying to it fails",
    "cuMemcpyDtoHAsync_v2": "cuda:0: copying from it fails",
    "cuLaunchKernel": "cuda:0: kernel 'kernel_0_kernel' is not launched",
}
RUNS = [("9.0", 0), ("9.0", 3), ("8.0", 0), ("8.6", 7)]  # compute capability, seed


class Machine:
    """mlc, and a device with properties of its own."""

    def __init__(self, mlc, emulator, runtime=None):
        self.mlc, self.emulator, self.package = mlc, emulator, runtime and python_package(runtime)

    def call(self, *args, **device):
        keep = dict(os.environ)
        os.environ["MLC_CUDA_LIB"] = str(self.emulator)
        os.environ.update({f"MLC_CUDAEMU_{key.upper()}": str(value) for key, value in device.items()})
        try:
            return call(self.mlc, *args)
        finally:
            os.environ.clear()
            os.environ.update(keep)

    def tool(self, *args):
        result = call(*args)
        if result.code:
            raise Failure(f"{Path(args[0]).name}: exit {result.code}: {result.first_line()}")
        return result

    def run(self, *args, **device):
        result = self.call(*args, **device)
        if result.code:
            raise Failure(f"mlc {args[0]}: exit {result.code}: {result.first_line()}")
        return result


def expect(condition, what):
    if not condition:
        raise Failure(what)


def feeds_of(session):
    draw = np.random.default_rng(1)
    types = {"tensor(float16)": np.float16}
    return {i.name: draw.uniform(0, 1, i.shape).astype(types.get(i.type, np.float32)) for i in session.get_inputs()}


def inputs_of(feeds, folder):
    for name, value in feeds.items():
        np.save(folder / f"{name}.npy", value)
    return [flag for name in feeds for flag in ("--input", f"{name}={folder / name}.npy")]


def run_model(machine, artefact, feeds, names, folder, flags=(), **device):
    machine.run("run", artefact, "--device=cuda:0", "--output-dir", folder, *flags, *inputs_of(feeds, folder), **device)
    return [np.load(folder / f"{name}.npy") for name in names]


def check_model(machine, path, folder, runs=RUNS):
    session = onnxruntime.InferenceSession(str(path))
    feeds, names = feeds_of(session), [o.name for o in session.get_outputs()]
    reference, first, artefact = session.run(None, feeds), None, folder / "model.mlca"
    machine.run("compile", path, f"--target={TARGETS}", "-o", artefact)
    for capability, seed in runs:
        got = run_model(machine, artefact, feeds, names, folder, capability=capability, seed=seed)
        check_close(names, got, reference)
        first = first or got
        check_same_bits(names, got, first, "another order or target")


def small(build, size):
    """A network for pictures of another size: its weights do not depend on it."""
    model = build()
    for i in (2, 3):
        model.graph.input[0].type.tensor_type.shape.dim[i].dim_value = size
    return model


def transformer(element):
    """A block of an encoder: attention of two heads over 6 tokens of 16 numbers, and two layers."""
    draw, nodes, weights = np.random.default_rng(5), [], []
    dtype = onnx.helper.tensor_dtype_to_np_dtype(element)

    def node(op, inputs, **attributes):
        nodes.append(onnx.helper.make_node(op, inputs, [f"v{len(nodes)}"], **attributes))
        return nodes[-1].output[0]

    def constant(value):
        weights.append(onnx.numpy_helper.from_array(value, f"w{len(weights)}"))
        return weights[-1].name

    def dense(x, rows, columns):
        w = constant((draw.standard_normal((rows, columns)) / np.sqrt(rows)).astype(dtype))
        return node("Add", [node("MatMul", [x, w]), constant(draw.standard_normal(columns).astype(dtype))])

    def norm(x):
        return node("LayerNormalization", [x, constant(np.ones(16, dtype)), constant(np.zeros(16, dtype))], axis=-1)

    def heads(x, perm):
        return node("Transpose", [node("Reshape", [x, constant(np.array([1, 6, 2, 8]))])], perm=perm)

    x = norm("x")
    q, k, v = heads(dense(x, 16, 16), [0, 2, 1, 3]), heads(dense(x, 16, 16), [0, 2, 3, 1]), heads(dense(x, 16, 16), [0, 2, 1, 3])
    scores = node("Softmax", [node("Mul", [node("MatMul", [q, k]), constant(np.array(8 ** -.5, dtype))])], axis=-1)
    y = node("Transpose", [node("MatMul", [scores, v])], perm=[0, 2, 1, 3])
    x = node("Add", ["x", dense(node("Reshape", [y, constant(np.array([1, 6, 16]))]), 16, 16)])
    y = node("Add", [x, dense(node("Gelu", [dense(norm(x), 16, 64)]), 64, 16)])
    ends = [onnx.helper.make_tensor_value_info(name, element, [1, 6, 16]) for name in ("x", y)]
    graph = onnx.helper.make_graph(nodes, "transformer", ends[:1], ends[1:], weights)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 20)], ir_version=9)


def halves_of_warpgroups():
    """Two layers of f16 whose products are large enough for warpgroups: one of whole tiles, one over the edges."""
    draw, element = np.random.default_rng(7), TensorProto.FLOAT16

    def constant(name, *shape):
        return onnx.numpy_helper.from_array((draw.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float16), name)

    nodes = [onnx.helper.make_node("MatMul", ["x", "w0"], ["t0"]), onnx.helper.make_node("Add", ["t0", "b0"], ["t1"]),
             onnx.helper.make_node("Relu", ["t1"], ["t2"]), onnx.helper.make_node("MatMul", ["t2", "w1"], ["y"])]
    graph = onnx.helper.make_graph(nodes, "layers", [onnx.helper.make_tensor_value_info("x", element, [1032, 72])],
                                   [onnx.helper.make_tensor_value_info("y", element, [1032, 320])],
                                   [constant("w0", 72, 256), constant("b0", 256), constant("w1", 256, 320)])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 20)], ir_version=9)


def check_warpgroups(machine, make, folder):
    """Products by warpgroups in an artefact for sm_90a alone; with older devices they are those of warps."""
    path, trace = folder / "model.onnx", folder / "trace"
    onnx.save(make(), path)
    session = onnxruntime.InferenceSession(str(path))
    feeds = {"x": np.random.default_rng(1).uniform(-1, 1, (1032, 72)).astype(np.float16)}
    reference, first = session.run(None, feeds), None
    for targets, threads in ("cuda-sm_90a", 256), (TARGETS, None):
        artefact = folder / "model.mlca"
        machine.run("compile", path, f"--target={targets}", "-o", artefact)
        for seed in (0, 3):
            trace.unlink(missing_ok=True)
            got = run_model(machine, artefact, feeds, ["y"], folder, capability="9.0", seed=seed, trace=trace)
            difference = np.abs(got[0].astype(np.float64) - reference[0]).max() / np.abs(reference[0]).max()
            expect(difference < 2e-3, f"{targets}: {difference:.1e} off")
            first = first if seed else got
            check_same_bits(["y"], got, first, "another order")
            shared = [int(n) for n in re.findall(r'"shared": (\d+)', trace.read_text())]
            expect((max(shared) == 65536) == (threads is not None), f"{targets}: bytes of workgroup memory {shared}")
    machine.run("compile", path, "--target=cuda-sm_90a", "-o", artefact)
    refused(machine, ["run", artefact, "--device=cuda:0", "--input", f"x={folder / 'x.npy'}"],
            "cuda:0: a tensor cannot be described to a kernel (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", fail="cuTensorMapEncodeTiled")


def check_older_driver(machine, path, folder):
    """A driver without what came after CUDA 11.0: kernels for sm_80 run, without graphs; what needs more is told."""
    library, artefact, products, trace = machine.emulator.read_bytes(), folder / "m.mlca", folder / "p.mlca", folder / "trace"
    for name in (b"cuLaunchKernelEx", b"cuTensorMapEncodeTiled", b"cuGraphInstantiateWithFlags"):
        expect(b"\0%s\0" % name in library, f"the emulator has no {name}")
        library = library.replace(b"\0%s\0" % name, b"\0-%s\0" % name[1:])
    (folder / "older.so").write_bytes(library)
    (folder / "libmlc_ptxsim.so.0").symlink_to(machine.emulator.resolve().parent / "libmlc_ptxsim.so.0")  # which it finds beside it
    older, draw = Machine(machine.mlc, folder / "older.so"), np.random.default_rng(2)
    machine.run("compile", path, f"--target={TARGETS}", "-o", artefact)
    reference = onnxruntime.InferenceSession(str(path))
    for capability in ("8.0", "9.0"):
        image = draw.uniform(0, 1, (1, 1, 8, 8)).astype(np.float32)
        check_close(["logits"], run_model(older, artefact, {"image": image}, ["logits"], folder, capability=capability), reference.run(None, {"image": image}))
    onnx.save(halves_of_warpgroups(), folder / "p.onnx")
    machine.run("compile", folder / "p.onnx", "--target=cuda-sm_90a", "-o", products)
    np.save(folder / "x.npy", np.zeros((1032, 72), np.float16))
    refused(older, ["run", products, "--device=cuda:0", "--input", f"x={folder / 'x.npy'}"],
            "cuda:0: a tensor cannot be described to a kernel (CUDA_ERROR_NOT_SUPPORTED: operation not supported)")
    if machine.package is None:
        return
    want = reference.run(None, {"image": image})

    def three_runs():  # in a process of its own: a process opens one driver
        with variables_set(older, trace=trace, capability="8.0"):
            session = machine.package.load(artefact).session()
            for _ in range(3):
                session.set_input("image", image)
                session.run()
            check_close(["logits"], [session.output("logits")], want)
            del session

    child = multiprocessing.get_context("fork").Process(target=three_runs)
    child.start()
    child.join()
    expect(child.exitcode == 0, "runs of a session fail")
    expect('"kernel"' in trace.read_text() and '"graph"' not in trace.read_text(), "graphs without what makes them")


def mobilenet():
    return small(mobilenet_v2, 64)


def resnet():
    return small(resnet50, 32)


def padded():
    """Windows that run over the edges: all of one kernel make no padded copy, so each is one launch."""
    draw, nodes, weights = np.random.default_rng(3), [], []

    def constant(value):
        weights.append(onnx.numpy_helper.from_array(value, f"w{len(weights)}"))
        return weights[-1].name

    def node(op, inputs, **attributes):
        nodes.append(onnx.helper.make_node(op, inputs, [f"v{len(nodes)}"], **attributes))
        return nodes[-1].output[0]

    def conv(x, inputs, outputs, kernel, group=1, **attributes):
        w = draw.standard_normal((outputs, inputs // group, *kernel)) / np.sqrt(inputs // group * np.prod(kernel))
        return node("Conv", [x, constant(w.astype(np.float32)), constant(draw.standard_normal(outputs).astype(np.float32))],
                    kernel_shape=kernel, group=group, **attributes)

    x = node("Relu", [conv("x", 16, 32, [3, 3], pads=[1] * 4)])
    outputs = [conv(x, 32, 24, [3, 3], pads=[0, 1, 2, 0], strides=[2, 1]), conv(x, 32, 16, [3, 3], pads=[2] * 4, dilations=[2, 2]),
               conv(x, 32, 32, [5, 3], group=32, pads=[2, 0, 2, 2], strides=[2, 2]), conv(x, 32, 32, [3, 3], group=4, pads=[1] * 4),
               node("MaxPool", [x], kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2]),
               node("AveragePool", [x], kernel_shape=[3, 3], pads=[1] * 4, count_include_pad=1),
               conv(conv(x, 32, 512, [1, 1]), 512, 32, [3, 3], pads=[1] * 4),
               node("Relu", [node("Add", [conv(x, 32, 32, [3, 3], pads=[1] * 4), x])])]
    value = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(nodes, "padded", [value("x", TensorProto.FLOAT, [2, 16, 9, 11])],
                                   [value(name, TensorProto.FLOAT, None) for name in outputs], weights)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)


def encoder():
    return transformer(TensorProto.FLOAT)


def check_made(machine, make, folder):
    model, path = make(), folder / "made.onnx"
    onnx.save(model, path)
    check_model(machine, path, folder, RUNS[::3])


def in_halves(model):
    """The same network of f16."""
    def half(tensor):
        return onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(tensor).astype(np.float16), tensor.name)

    for weight in model.graph.initializer:
        if weight.data_type == TensorProto.FLOAT:
            weight.CopyFrom(half(weight))
    for attribute in (a for node in model.graph.node for a in node.attribute if a.HasField("t")):
        if attribute.t.data_type == TensorProto.FLOAT:
            attribute.t.CopyFrom(half(attribute.t))
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.elem_type = TensorProto.FLOAT16
    return model


def half_encoder():
    return transformer(TensorProto.FLOAT16)


def half_mobilenet():
    return in_halves(mobilenet())


def check_halves(machine, make, folder):
    """f16 is multiplied as it is, by matrix instructions, and summed in f32: roundings are left of what f32 gives."""
    path, artefact = folder / "half.onnx", folder / "half.mlca"
    onnx.save(make(), path)
    session = onnxruntime.InferenceSession(str(path))
    feeds = {i.name: np.random.default_rng(1).uniform(-1, 1, i.shape).astype(np.float16) for i in session.get_inputs()}
    names, reference = [o.name for o in session.get_outputs()], session.run(None, feeds)
    machine.run("compile", path, "--target=cuda-sm_80", "-o", artefact)
    check_close(names, run_model(machine, artefact, feeds, names, folder), reference, 5e-3)
    expect(make is half_encoder or artefact.read_bytes().count(b"mma.sync") > 50, "no matrix instructions for halves")


def open_sizes():
    """Two sizes that a run is given: strides are known then only, and so is what buffers inside of kernels take."""
    node, value = onnx.helper.make_node, onnx.helper.make_tensor_value_info
    nodes = [node("Transpose", ["x"], ["t"], perm=[0, 2, 1]), node("MatMul", ["x", "t"], ["a"]),
             node("Softmax", ["a"], ["y"], axis=-1), node("MatMul", ["y", "x"], ["b"]), node("Gelu", ["b"], ["z"]),
             node("Concat", ["z", "x"], ["c"], axis=1), node("ReduceSum", ["y"], ["s"], keepdims=0)]
    outputs = [value("y", TensorProto.FLOAT, ["n", "s", "s"]), value("c", TensorProto.FLOAT, None), value("s", TensorProto.FLOAT, [])]
    graph = onnx.helper.make_graph(nodes, "open", [value("x", TensorProto.FLOAT, ["n", "s", 8])], outputs)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 20)], ir_version=9)


def check_open_sizes(machine, make, folder):
    path, artefact = folder / "open.onnx", folder / "open.mlca"
    onnx.save(make(), path)
    session = onnxruntime.InferenceSession(str(path))
    machine.run("compile", path, f"--target={TARGETS}", "-o", artefact)
    for n, s in ((2, 3), (1, 1), (3, 40)):
        feeds = {"x": np.random.default_rng(n).standard_normal((n, s, 8)).astype(np.float32)}
        names = [o.name for o in session.get_outputs()]
        check_close(names, run_model(machine, artefact, feeds, names, folder), session.run(None, feeds))


def check_growing(machine, make, folder):
    """Sizes that grow from run to run of one session, as in decoding: memory of runs before is given back."""
    path, artefact = folder / "open.onnx", folder / "open.mlca"
    onnx.save(make(), path)
    machine.run("compile", path, "--target=cuda-sm_80", "-o", artefact)
    os.environ.update(MLC_CUDA_LIB=str(machine.emulator), MLC_CUDAEMU_RACES="0", MLC_CUDAEMU_MEMORY="6500000")  # read once, here
    session = machine.package.load(artefact).session()
    for s in (530, 560, 590, 620):
        session.set_input("x", np.zeros((1, s, 8), np.float32))
        session.run()
    del session
    for name in ("MLC_CUDA_LIB", "MLC_CUDAEMU_RACES", "MLC_CUDAEMU_MEMORY"):
        del os.environ[name]


def lookups():
    """Indices and divisors of the caller's: two tables of rows, one read by both; elements, and integers that are divided."""
    node, value = onnx.helper.make_node, onnx.helper.make_tensor_value_info
    table = np.random.default_rng(4).standard_normal((50, 40)).astype(np.float32)
    nodes = [node("Gather", ["table", "ids"], ["words"], name="words"), node("Gather", ["more", "at"], ["places"], name="places"),
             node("Add", ["words", "places"], ["sum"]), node("Softmax", ["sum"], ["y"], axis=-1),
             node("GatherElements", ["table", "picks"], ["z"], name="picks", axis=1), node("Div", ["picks", "by"], ["d"], name="quotients"),
             node("Cast", ["d"], ["q"], to=TensorProto.FLOAT)]
    inputs = [value("ids", TensorProto.INT64, [3, 7]), value("at", TensorProto.INT32, [1, 7]), value("picks", TensorProto.INT64, [50, 5]),
              value("by", TensorProto.INT64, [5])]
    outputs = [value("y", TensorProto.FLOAT, [3, 7, 40]), value("z", TensorProto.FLOAT, [50, 5]), value("q", TensorProto.FLOAT, [50, 5])]
    constants = [onnx.numpy_helper.from_array(table, "table"), onnx.numpy_helper.from_array(table[:9] * 2, "more")]
    graph = onnx.helper.make_graph(nodes, "lookups", inputs, outputs, constants)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=8)


def check_faults(machine, make, folder):
    """No kernel is on the CPU; a run with an index outside fails and names the node; the next one is right, as graphs too."""
    path, artefact, draw = folder / "lookups.onnx", folder / "lookups.mlca", np.random.default_rng(5)
    onnx.save(make(), path)
    machine.run("compile", path, "--target=cuda-sm_80", "-o", artefact)
    shown = machine.run("inspect", artefact).out
    expect("runs on the CPU" not in shown, f"a kernel is on the CPU: {shown}")
    reference = onnxruntime.InferenceSession(str(path))
    os.environ["MLC_CUDA_LIB"] = str(machine.emulator)
    session = machine.package.load(artefact).session()

    def run(**wrong):
        feeds = {"ids": draw.integers(-50, 50, (3, 7)), "at": draw.integers(-9, 9, (1, 7)).astype(np.int32),
                 "picks": draw.integers(-40, 40, (50, 5)), "by": draw.integers(1, 9, 5)}
        for name, (at, number) in wrong.items():
            feeds[name][at] = number
        for name, array in feeds.items():
            session.set_input(name, array)
        session.run()
        check_close(["y", "z", "q"], [session.output(name) for name in ("y", "z", "q")], reference.run(["y", "z", "q"], feeds))

    faults = [(dict(ids=((2, 6), 50)), "node 'words' (gather): an index is outside of [-50, 49]"),
              (dict(at=((0, 3), -10)), "node 'places' (gather): an index is outside of [-9, 8]"),
              (dict(ids=((0, 0), -(1 << 62)), at=((0, 0), 9)), "an index is outside of"),  # one of the two
              (dict(picks=((49, 4), 1 << 32)), "node 'picks' (gather_elements): an index is outside of [-40, 39]"),
              (dict(by=((2,), 0)), "node 'quotients' (div): divides by 0")]
    for wrong, words in [({}, None), ({}, None), *faults, ({}, None), *faults, ({}, None)]:
        try:
            run(**wrong)
        except RuntimeError as error:
            expect(words and words in str(error), f"expected {words}: {error}")
        else:
            expect(not words, f"not told: {words}")
    del session
    os.environ["MLC_CUDAEMU_FAIL"] = "cuMemcpyDtoHAsync_v2"
    session = machine.package.load(artefact).session()
    try:
        run()
    except RuntimeError as error:
        expect("cuda:0: copying from it fails" in str(error), str(error))
    del session, os.environ["MLC_CUDAEMU_FAIL"], os.environ["MLC_CUDA_LIB"]


def integers():
    """Products of bytes by constant ones: of matrices, with a zero point, and of an image that hangs over; a concatenation of many parts."""
    draw, node, value, parts = np.random.default_rng(6), onnx.helper.make_node, onnx.helper.make_tensor_value_info, 150
    constants = {"w": draw.integers(-63, 64, (96, 40)).astype(np.int8), "zx": np.uint8(120), "f": draw.integers(-63, 64, (24, 16, 3, 3)).astype(np.int8)}
    nodes = [node("Cast", ["x"], ["bytes"], to=TensorProto.UINT8), node("MatMulInteger", ["bytes", "w", "zx"], ["y32"]),
             node("Cast", ["y32"], ["y"], to=TensorProto.FLOAT), node("Cast", ["image"], ["pixels"], to=TensorProto.UINT8),
             node("ConvInteger", ["pixels", "f", "zx"], ["z32"], pads=[1, 1, 1, 1]), node("Cast", ["z32"], ["z"], to=TensorProto.FLOAT),
             node("Split", ["y"], [f"p{i}" for i in range(parts)], axis=0, num_outputs=parts), node("Concat", [f"p{i * 7 % parts}" for i in range(parts)], ["all"], axis=0)]
    inputs = [value("x", TensorProto.FLOAT, [parts, 96]), value("image", TensorProto.FLOAT, [1, 16, 9, 11])]
    outputs = [value("y", TensorProto.FLOAT, [parts, 40]), value("z", TensorProto.FLOAT, [1, 24, 9, 11]), value("all", TensorProto.FLOAT, [parts, 40])]
    graph = onnx.helper.make_graph(nodes, "integers", inputs, outputs, [onnx.numpy_helper.from_array(np.asarray(a), name) for name, a in constants.items()])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=8)


def check_integers(machine, make, folder):
    """Exact, by matrix instructions."""
    path, artefact, trace, draw = folder / "integers.onnx", folder / "integers.mlca", folder / "trace", np.random.default_rng(7)
    onnx.save(make(), path)
    machine.run("compile", path, f"--target={TARGETS}", "-o", artefact)
    feeds = {"x": draw.integers(0, 256, (150, 96)).astype(np.float32), "image": draw.integers(0, 256, (1, 16, 9, 11)).astype(np.float32)}
    want = onnxruntime.InferenceSession(str(path)).run(None, feeds)
    for capability, seed in RUNS:
        got = run_model(machine, artefact, feeds, ["y", "z", "all"], folder, capability=capability, seed=seed, trace=trace)
        check_same_bits(["y", "z", "all"], got, want, f"capability {capability}, seed {seed}")
        macs = [launch["matrix_macs"] for launch in map(json.loads, trace.read_text().splitlines()) if launch.get("matrix_macs")]
        expect(len(macs) >= 2, f"matrix instructions in {len(macs)} launches")
        trace.unlink()


def check_two_streams(machine, path, folder):
    """Two sessions of one model at once, each with a stream and an arena: the same bits as one after the other."""
    artefact = folder / "model.mlca"
    machine.run("compile", path, "--target=cuda-sm_80", "-o", artefact)
    os.environ["MLC_CUDA_LIB"] = str(machine.emulator)
    model = machine.package.load(artefact)
    draw = np.random.default_rng(2)
    images = [draw.uniform(0, 1, (1, 1, 8, 8)).astype(np.float32) for _ in range(6)]

    def run(session, image):
        session.set_input("image", image)
        session.run()
        return session.output("logits")

    with ThreadPoolExecutor(2) as pool:  # sessions are made at once, too
        sessions = list(pool.map(lambda _: model.session(), range(2)))
        at_once = list(pool.map(lambda session: [run(session, image) for image in images], sessions))
    alone = [run(sessions[0], image) for image in images]
    for results in at_once:
        check_same_bits([f"image {i}" for i in range(len(images))], results, alone, "two sessions at once")
    del sessions, model
    del os.environ["MLC_CUDA_LIB"]


def check_graphs(machine, make, folder):
    """What a session asks for a second time becomes a graph, which other data, addresses and sizes do not mislead."""
    path, artefact, trace = folder / "open.onnx", folder / "open.mlca", folder / "trace"
    onnx.save(make(), path)
    machine.run("compile", path, "--target=cuda-sm_80", "-o", artefact)
    reference, draw = onnxruntime.InferenceSession(str(path)), np.random.default_rng(8)

    def run(session, s):
        x = draw.standard_normal((2, s, 8)).astype(np.float32)
        session.set_input("x", x)
        session.run()
        check_close(["y"], [session.output("y")], reference.run(["y"], {"x": x}))

    for variables in ({"MLC_CUDAEMU_TRACE": str(trace)}, {"MLC_CUDAEMU_FAIL": "cuGraphLaunch"}):
        variables["MLC_CUDA_LIB"] = str(machine.emulator)
        os.environ.update(variables)
        session = machine.package.load(artefact).session()
        try:
            for s in (5, 9) * 6:
                run(session, s)
        except RuntimeError as error:
            expect("cuda:0: a graph is not launched (CUDA_ERROR" in str(error), str(error))
        else:
            expect("MLC_CUDAEMU_TRACE" in variables, "a graph that fails is not told")
        del session
        for name in variables:
            del os.environ[name]
    graphs = re.findall(r'"graph": (\d+)', trace.read_text())
    expect(len(graphs) >= 6 and len(set(graphs)) == 1, f"graphs of {graphs} tasks")


def variables_set(machine, **device):
    """For sessions of this process: what was there before comes back."""
    @contextmanager
    def within():
        keep = dict(os.environ)
        os.environ.update({"MLC_CUDA_LIB": str(machine.emulator), **{f"MLC_CUDAEMU_{key.upper()}": str(value) for key, value in device.items()}})
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(keep)
    return within()


FALLIBLE = ["cuMemAlloc_v2", "cuMemHostAlloc", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuLaunchKernel", "cuStreamCreate", "cuStreamSynchronize",
            "cuStreamWaitEvent", "cuEventCreate", "cuEventRecord", "cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags", "cuGraphLaunch"]


def branches():
    """Two ways from one product, that meet again."""
    draw, node, value = np.random.default_rng(11), onnx.helper.make_node, onnx.helper.make_tensor_value_info
    weights = [onnx.numpy_helper.from_array(draw.standard_normal((8, 8)).astype(np.float32), f"w{i}") for i in range(3)]
    nodes = [node("MatMul", ["x", "w0"], ["a"]), node("MatMul", ["a", "w1"], ["b"]), node("MatMul", ["a", "w2"], ["c"]), node("Add", ["b", "c"], ["d"]),
             node("Softmax", ["d"], ["y"])]
    graph = onnx.helper.make_graph(nodes, "branches", [value("x", TensorProto.FLOAT, [4, 8])], [value("y", TensorProto.FLOAT, [4, 8])], weights)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 20)], ir_version=9)


def check_failed_calls(machine, make, folder):
    """Each call of the driver fails once: that run says so or does without, and the session's others give what they should."""
    path, artefact, trace = folder / "made.onnx", folder / "made.mlca", folder / "trace"
    onnx.save(make(), path)
    machine.run("compile", path, "--target=cuda-sm_80", "--host-kernels=half", "-o", artefact)
    reference, draw = onnxruntime.InferenceSession(str(path)), np.random.default_rng(9)
    (given,), names = reference.get_inputs(), [o.name for o in reference.get_outputs()]
    images = [draw.uniform(0, 1, given.shape).astype(np.float32) for _ in range(4)]
    expected = [reference.run(None, {given.name: image}) for image in images]

    def told_of(session):
        told = []
        for image, right in zip(images, expected):
            session.set_input(given.name, image)
            try:
                session.run()
            except RuntimeError as error:
                told.append(str(error))
                continue
            check_close(names, [session.output(name) for name in names], right)
        return told

    counts = Counter()
    for function in FALLIBLE:
        fails = True
        while fails:
            counts[function] += 1
            trace.unlink(missing_ok=True)
            with variables_set(machine, fail=f"{function}:{counts[function]}", trace=trace):
                try:  # the session ends with it, and its trace
                    told = told_of(machine.package.load(artefact).session())
                except RuntimeError as error:
                    told = [str(error)]
                except Failure as failure:
                    raise Failure(f"call {counts[function]} of {function} failed: {failure}") from None
            fails = '"failing"' in trace.read_text()
            expect("unordered" not in trace.read_text(), f"call {counts[function]} of {function} failed, and work was left behind")
            expect(len(told) <= fails and all("cuda:0: " in text for text in told), f"call {counts[function]} of {function} failed: {told}")
    expect(all(counts[function] > 2 for function in FALLIBLE), f"calls: {counts}")


def check_places(machine, make, folder):
    """Runs that come again find their memory where it was, though others came between: all but two of each kind are graphs."""
    path, artefact, trace = folder / "open.onnx", folder / "open.mlca", folder / "trace"
    onnx.save(make(), path)
    machine.run("compile", path, "--target=cuda-sm_80", "-o", artefact)
    with variables_set(machine, trace=trace, races=0):
        session = machine.package.load(artefact).session()
        for s in (560, 30) * 4:  # one takes memory of its own, one does not
            session.set_input("x", np.zeros((1, s, 8), np.float32))
            session.run()
        del session
    graphs = len(re.findall(r'"graph": ', trace.read_text()))
    expect(graphs == 6, f"{graphs} of 8 runs were graphs, not 6")


def check_streams(machine, make, folder):
    """Branches on one stream, on two and on as many as there are, late and early: the same bits."""
    path, artefact, first = folder / "made.onnx", folder / "made.mlca", None
    onnx.save(make(), path)
    session = onnxruntime.InferenceSession(str(path))
    feeds, names = feeds_of(session), [o.name for o in session.get_outputs()]
    for flags in ([], ["--host-kernels=half"]):
        machine.run("compile", path, "--target=cuda-sm_80", "-o", artefact, *flags)
        for streams, seed in ((1, 0), (2, 0), (2, 1), (2, 2), (8, 0), (8, 3)):
            got = run_model(machine, artefact, feeds, names, folder, flags=[f"--streams={streams}"], seed=seed)
            check_close(names, got, session.run(None, feeds))
            first = first if first and not flags else got
            check_same_bits(names, got, first, f"{streams} streams, seed {seed}")
        first = None
        if make is not padded or flags:
            continue
        for function, words in {"cuEventCreate": "cuda:0: no event", "cuEventRecord": "cuda:0: an event is not recorded",
                                "cuStreamWaitEvent": "cuda:0: an event is not waited for"}.items():
            refused(machine, ["run", artefact, *inputs_of(feeds, folder)], words, fail=function)
        refused(machine, ["run", artefact, "--streams=9", *inputs_of(feeds, folder)], "option '--streams' expects a number from 1 to 8")
    for function in ("cuMemHostAlloc", "cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags"):  # done without
        check_close(names, run_model(machine, artefact, feeds, names, folder, fail=function), session.run(None, feeds))


def check_missing_events(machine, make, folder):
    """Each event that is left out is found: what it ordered touches the same memory."""
    tools = machine.mlc.parent
    path, text, imported, artefact = folder / "m.onnx", folder / "m.mlir", folder / "i.mlir", folder / "m.mlca"
    onnx.save(make(), path)
    machine.tool(tools / "mlc-translate", "--import-onnx", path, "-o", imported)
    machine.tool(tools / "mlc-opt", imported, "-o", text, "--pass-pipeline=gpu-graph-pipeline,kernels-pipeline,gpu-linalg-pipeline,"
                 "gpu-launch-pipeline,gpu-memory-pipeline,nvvm-pipeline")
    whole = re.sub(r"^module attributes \{", 'module attributes {mlc.level = "nvvm", ', text.read_text(), count=1, flags=re.M)
    inputs = inputs_of(feeds_of(onnxruntime.InferenceSession(str(path))), folder)
    waits = list(re.finditer(r", mlc\.waits = \[[^]]*\]|mlc\.waits = \[[^]]*\]", whole))
    expect(len(waits) >= 5, f"only {len(waits)} waits")
    text.write_text(whole)
    machine.run("compile", text, "--target=cuda-sm_80", "-o", artefact)
    machine.run("run", artefact, *inputs)
    for found in waits:
        text.write_text(whole[:found.start()] + whole[found.end():])
        machine.run("compile", text, "--target=cuda-sm_80", "-o", artefact)
        refused(machine, ["run", artefact, *inputs], "' touch the same memory, at 0x")


def check_halved(machine, path, folder, tolerance=1e-4):
    """Every other kernel on the CPU, by the CPU's own passes: what the other side needs is copied, there and back."""
    artefact = folder / "halved.mlca"
    machine.run("compile", path, "--target=cuda-sm_80", "--host-kernels=half", "-o", artefact)
    shown = machine.run("inspect", artefact).out
    on_host, kernels = shown.count("runs on the CPU: its attribute 'mlc.place' asks for it"), len(re.findall(r"^  kernel_\w+:", shown, re.M))
    expect(on_host >= 2 and abs(kernels - 2 * on_host) <= 1, f"{on_host} of {kernels} kernels on the CPU: {shown}")
    session = onnxruntime.InferenceSession(str(path))
    feeds, names = feeds_of(session), [o.name for o in session.get_outputs()]
    for seed in (0, 5):
        check_close(names, run_model(machine, artefact, feeds, names, folder, seed=seed), session.run(None, feeds), tolerance)
    return shown


def check_host_kernels(machine, path, folder):
    """Kernels that are named stay on the CPU; names that are none are told."""
    artefact, go = folder / "named.mlca", ["compile", path, "--target=cuda-sm_80", "-o", folder / "named.mlca"]
    machine.run(*go, "--host-kernels=kernel_0,kernel_2")
    parts = re.split(r"^  (kernel_\w+):", machine.run("inspect", artefact).out, flags=re.M)
    shown = [name for name, notes in zip(parts[1::2], parts[2::2]) if "asks for it" in notes]
    expect(shown == ["kernel_0", "kernel_2"], f"on the CPU are {shown}")
    wrong = machine.call(*go, "--host-kernels=kernel_0,none")
    expect(wrong.code == 3 and "has no kernel 'none' that could stay on the CPU" in wrong.err, f"exit {wrong.code}: {wrong.err[:300]}")
    refused(machine, ["compile", path, "-o", artefact, "--host-kernels=half"],
            "mlc: --host-kernels is for models with kernels for a device (--target=cuda-...)")


def check_halved_made(machine, make, folder):
    path = folder / "made.onnx"
    onnx.save(make(), path)
    shown = check_halved(machine, path, folder, 5e-3 if make is half_encoder else 1e-4)
    expect(re.search("tiles of .*runs on the CPU", shown, re.S), f"no product of the CPU has tiles: {shown}")


def refused(machine, args, words, **device):
    result = machine.call(*args, **device)
    expect(result.code == 1 and words in result.err, f"expected exit 1 and '{words}', got {result.code}: {result.err[:300]}")


def check_messages(machine, path, folder):
    artefact, cpu = folder / "device.mlca", folder / "cpu.mlca"
    machine.run("compile", path, f"--target={TARGETS}", "-o", artefact)
    machine.run("compile", path, "-o", cpu)
    image = folder / "image.npy"
    np.save(image, np.zeros((1, 1, 8, 8), np.float32))
    go = ["run", artefact, "--input", f"image={image}"]
    machine.run(*go)
    refused(machine, go, "the CUDA driver does not start (CUDA_ERROR_NO_DEVICE", devices=0)
    refused(machine, go, "no memory for constants of", memory=1000)
    refused(machine, go, "no memory for an arena of", memory=100_000)
    no_code = "has code for cuda-sm_90a, cuda-sm_80, and cuda:0 has compute capability 7.5: compile the model for it"
    refused(machine, go, no_code, capability="7.5")
    for function, words in REFUSALS.items():
        refused(machine, go, words, fail=function)
    for function in ("cuDeviceGetName", "cuDeviceGetAttribute", "cuDeviceTotalMem_v2"):  # what a model is compiled for
        refused(machine, ["run", path, "--device=cuda:0", "--input", f"image={image}"], UNUSABLE, fail=function)
    refused(machine, [*go, "--device=cuda:1"], "no device 'cuda:1': the driver has 1")
    refused(machine, [*go, "--device=cuda:x"], "no device 'cuda:x': devices are cuda:0, cuda:1...")
    refused(machine, ["run", cpu, "--device=cuda:0", "--input", f"image={image}"], "has no code for device 'cuda:0': compile it with --target=cuda-...")
    refused(Machine(machine.mlc, folder / "no.so"), go, "no CUDA driver: ")
    refused(Machine(machine.mlc, folder / "no.so"), go, "(MLC_CUDA_LIB may name another file)")
    refused(Machine(machine.mlc, machine.emulator.parent / "libmlc_runtime.so"), go, "the CUDA driver '")
    refused(Machine(machine.mlc, machine.emulator.parent / "libmlc_runtime.so"), go, "has no 'cuInit': it is too old")
    refused(machine, ["run", path, "--device=cuda:0", "--input", f"image={image}"],
            "no code can be made for 'cuda:0', of compute capability 7.5", capability="7.5")
    refused(machine, ["compile", path, "--target=cuda-sm_80,x86-64-v2,x86-64-v3", "-o", cpu], "mlc: a model has one processor, not both x86-64-v2 and")
    refused(machine, ["compile", path, "--target=cuda-sm_81", "-o", cpu], "unknown target 'cuda-sm_81'; there are host")


def check_damage(machine, path, folder):
    """The section for devices is not believed: each of its numbers in turn, with a hash that is right."""
    good, bad, image = folder / "good.mlca", folder / "bad.mlca", folder / "image.npy"
    np.save(image, np.zeros((1, 1, 8, 8), np.float32))
    machine.run("compile", path, "--target=cuda-sm_80", "-o", good)
    data = good.read_bytes()
    offset, size = section(data, DEVICE)
    expect(rehash(data) == data, "another hash than the artefact's")
    for place, form, value in [(0, "<I", 1 << 30), (4, "<I", 1 << 30), (8, "<I", 1 << 30), (16, "<Q", size), (24, "<Q", 0),
                               (24, "<Q", 5), (24, "<Q", size)]:
        bad.write_bytes(rehash(patched(data, offset + place, struct.pack(form, value))))
        refused(machine, ["run", bad, "--input", f"image={image}"], "is damaged (code for devices)")


def check_orders(machine, path, folder):
    """Events and orders that there are none of, and a device that does not tell times."""
    tools, image = machine.mlc.parent, folder / "image.npy"
    imported, text, artefact = folder / "i.mlir", folder / "m.mlir", folder / "m.mlca"
    np.save(image, np.ones((1, 1, 8, 8), np.float32))
    machine.tool(tools / "mlc-translate", "--import-onnx", path, "-o", imported)
    machine.tool(tools / "mlc-opt", imported, "-o", text, "--pass-pipeline=gpu-graph-pipeline,kernels-pipeline,gpu-linalg-pipeline,"
                 "gpu-launch-pipeline,gpu-memory-pipeline,nvvm-pipeline")
    whole = re.sub(r"^module attributes \{", 'module attributes {mlc.level = "nvvm", ', text.read_text(), count=1, flags=re.M)
    text.write_text(re.sub(r"(call @kernel_0\([^)]*\)) :", r"\1 {mlc.event = -7 : i64} :", whole))
    machine.run("compile", text, "--target=cuda-sm_80", "-o", artefact)
    refused(machine, ["run", artefact, "--input", f"image={image}"], "' has no event -7")
    machine.run("compile", path, "--target=cuda-sm_80", "-o", artefact)
    refused(machine, ["run", artefact, "--profile", "--input", f"image={image}"], "cuda:0: the time between two events is not told",
            fail="cuEventElapsedTime")


def check_source(machine, path, folder):
    """A model is compiled for the device that is there; --profile and mlc inspect tell of it."""
    image = folder / "image.npy"
    np.save(image, np.ones((1, 1, 8, 8), np.float32))
    host = machine.run("run", path, "--input", f"image={image}").out.split()
    for capability in ("9.0", "8.9"):
        result = machine.run("run", path, "--device=cuda:0", "--profile", "--input", f"image={image}", capability=capability)
        line = result.out.splitlines()[0].split()
        np.testing.assert_allclose(np.array(line[4:], float), np.array(host[4:], float), rtol=1e-3)
        expect("; no roofline\n" in result.out and "       -  all kernels" in result.out, "no table of a device's kernels")
    artefact = folder / "source.mlca"
    machine.run("compile", path, f"--target={TARGETS}", "-o", artefact)
    out = machine.run("inspect", artefact).out
    expect(re.search(r"device   cuda-sm_90a: \d+ bytes of PTX, \d+ of cubins\ndevice   cuda-sm_80: \d+ bytes of PTX", out),
           f"inspect does not name the devices: {out[:300]}")


PTXAS = """#!/bin/sh
[ "$2 $3 $4" = "-o /dev/fd/3 -" ] || exit 9
case "$1" in {refused}) echo "ptxas fatal : not that"; echo more; exit 255;; esac
printf '\\177ELF' >&3; cat >&3
"""


def check_cubins(machine, path, folder):
    """Cubins by a program that stands in for ptxas: which devices try them, and what is told where there are none."""
    artefact, image, trace, ptxas = folder / "m.mlca", folder / "image.npy", folder / "trace", folder / "as's $(ptxas)"
    np.save(image, np.ones((1, 1, 8, 8), np.float32))
    go = ["compile", path, f"--target={TARGETS}", "-o", artefact]

    def modules(capability):
        trace.unlink(missing_ok=True)
        machine.run("run", artefact, "--input", f"image={image}", capability=capability, trace=trace)
        return [json.loads(line)["module"] for line in trace.read_text().splitlines() if "module" in line]

    def bytes_of():
        shown = machine.run("inspect", artefact).out
        return {name: int(size) for name, size in re.findall(r"device   (\S+): \d+ bytes of PTX, (\d+) of cubins", shown)}

    def write(refused):
        ptxas.write_text(PTXAS.format(refused=refused))
        ptxas.chmod(0o700)

    machine.run(*go, "--ptxas=none")
    expect(not any(bytes_of().values()) and "cubin" not in modules("9.0"), "cubins without ptxas")
    write("nothing")
    machine.run(*go, f"--ptxas={ptxas}")
    expect(all(bytes_of().values()), f"cubins: {bytes_of()}")
    expect(modules("9.0")[:2] == ["cubin", "PTX"], "PTX where the driver does not take a cubin")
    expect(modules("8.0")[:2] == ["cubin", "PTX"] and "cubin" not in modules("8.6"), "a cubin is for its own capability")
    write("*sm_80")
    told = machine.run(*go, f"--ptxas={ptxas}").err
    expect("no cubins for cuda-sm_80, but PTX: '" in told and "' ends with 255: ptxas fatal : not that\n" in told, told)
    expect(bytes_of()["cuda-sm_80"] == 0 < bytes_of()["cuda-sm_90a"], f"cubins: {bytes_of()}")
    ptxas.write_text("#!/bin/sh\nkill -9 $$\n")
    expect("' is ended by signal 9" in machine.run(*go, f"--ptxas={ptxas}").err, "a signal is not told")
    ptxas.write_text("no program")
    expect("' does not run: " in machine.run(*go, f"--ptxas={ptxas}").err, "what does not run is not told")
    ptxas.chmod(0o600)
    refused(machine, [*go, f"--ptxas={ptxas}"], "' is no program that could be ptxas")
    os.environ["PATH"], kept = str(folder), os.environ["PATH"]
    (folder / "ptxas").write_text(PTXAS.format(refused="nothing").replace("cat >", "/bin/cat >"))
    (folder / "ptxas").chmod(0o700)
    machine.run(*go)
    os.environ["PATH"] = kept
    expect(all(bytes_of().values()), "ptxas in PATH is not found")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--emulator", type=Path, required=True)
    parser.add_argument("--only", help="checks of this name")
    parser.add_argument("--runtime", type=Path, help="for what takes several runs of a session; without it that is left out")
    args = parser.parse_args()
    machine = Machine(args.mlc, args.emulator, args.runtime)
    digits, linear = ROOT / "examples/digits/digits.onnx", ROOT / "examples/linear_relu/linear_relu.onnx"
    tests = [(check_model, linear), (check_model, digits), (check_messages, digits), (check_damage, digits),
             (check_source, digits), (check_orders, digits), (check_cubins, digits), (check_older_driver, digits)]
    tests += [(check_made, make) for make in (mobilenet, resnet, padded, encoder)] + [(check_halves, half_encoder), (check_halves, half_mobilenet)]
    tests += [(check_warpgroups, halves_of_warpgroups), (check_integers, integers)]
    tests += [(check_open_sizes, open_sizes), (check_halved, digits), *((check_halved_made, make) for make in (mobilenet, encoder, half_encoder)),
              (check_host_kernels, digits), (check_streams, padded), (check_streams, encoder), (check_missing_events, padded)]
    tests += [(check_growing, open_sizes), (check_two_streams, digits), (check_graphs, open_sizes),
              (check_places, open_sizes), (check_failed_calls, branches), (check_faults, lookups)] if args.runtime else []
    tests = [test for test in tests if args.only in (None, test[0].__name__)]
    failed = 0
    for check, path in tests:
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(machine, path, Path(folder))
            except (Failure, AssertionError) as failure:
                print(f"{check.__name__} {getattr(path, '__name__', path)}: {failure}")
                failed += 1
    print(f"{len(tests) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
