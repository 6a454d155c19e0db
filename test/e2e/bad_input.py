"""Gives mlc broken files, wrong arrays and impossible outputs, and checks how it refuses.

    python bad_input.py --mlc build/release/bin/mlc [--only TEXT]

Every refusal: exit 1 (never a signal, a hang or a sanitizer's report), a message on stderr that holds the words expected,
and no output file, whole or half, left behind. Damaged bytes that may still happen to be a model are only held to "no
crash, nothing half-written".
"""
import argparse
import os
import resource
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from artefact import NUM_SECTIONS, SECTIONS, TEXT, for_other_machine, patched, rehash, rehash_as_is, section, with_feature
from harness import Crash, Failure, Result, call, environment, run_all

ROOT = Path(__file__).resolve().parent.parent.parent
DIGITS = ROOT / "examples/digits/digits.onnx"
TESTS = {}
MLC = None
SECONDS = 60


class Box:
    """A folder of one test, with `out`, the path that mlc is asked to write and must not leave."""

    def __init__(self, folder):
        self.folder, self.out = Path(folder), Path(folder) / "out" / "m.so"
        self.out.parent.mkdir()

    def file(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def model(self, model):
        return self.file("m.onnx", model if isinstance(model, bytes) else model.SerializeToString())

    def array(self, value, name="image.npy"):
        np.save(self.folder / name, value)
        return self.folder / name

    def compiled(self):
        path = self.folder / "good.so"
        result = call(MLC, "compile", DIGITS, "-o", path, timeout=SECONDS)
        if result.code:
            raise Failure(f"the good model does not compile: exit {result.code}: {result.first_line()}")
        return path


def left_behind(box):
    return sorted(str(p.relative_to(box.out.parent)) for p in box.out.parent.rglob("*") if p.is_file())


def refuse(box, result, *words, codes=(1,)):
    """Checks that `result` is a refusal whose message holds each of `words` (any case)."""
    if result.code not in codes:
        raise Failure(f"expected exit {codes[0]}, got {result.code}: {result.first_line()}")
    if not result.err.strip():
        raise Failure("no message on stderr")
    for word in words:
        if word.lower() not in result.err.lower():
            raise Failure(f"expected {word!r} in the message: {result.err.strip()[:400]}")
    if left_behind(box):
        raise Failure(f"files left behind: {', '.join(left_behind(box))}")


def survive(box, result):
    """Checks a result of damaged bytes that may be a model still: any answer, but whole ones only."""
    if result.code not in (0, 1, 3):
        raise Failure(f"exit {result.code}: {result.first_line()}")
    if result.code:
        refuse(box, result, codes=(1, 3))


def test(name):
    def register(function):
        assert name not in TESTS, name
        TESTS[name] = function
        return function
    return register


def compile_(box, model):
    return call(MLC, "compile", model, "-o", box.out, "--require-compiled", timeout=SECONDS)


def run(box, model, *inputs):
    flags = [flag for i in inputs for flag in ("--input", i)]
    return call(MLC, "run", model, *flags, "--output-dir", box.out.parent, timeout=SECONDS)


def compile_refused(name, model, *words, codes=(1,)):
    """A test that `mlc compile` refuses a model (a ModelProto, bytes, or a function that makes it in its box)."""
    def body(box):
        path = model(box) if callable(model) else box.model(model)
        refuse(box, compile_(box, path), *words, codes=codes)
    test(name)(body)


# ---- bytes that are no model

def damaged_bytes():
    good = DIGITS.read_bytes()
    compile_refused("onnx-empty", b"")
    compile_refused("onnx-text", b"this is not a model\n" * 100)
    compile_refused("onnx-zeros", bytes(4096))
    compile_refused("onnx-all-ones", b"\xff" * 4096)
    rng = np.random.default_rng(1)
    for i, size in enumerate((1, 2, 7, 64, 1000, 100_000)):
        compile_refused(f"onnx-random-{size}", rng.bytes(size))
    for cut in [1, 2, 3, 5, 8, 13, 20, 50, len(good) - 1, *map(int, rng.integers(60, len(good) - 20, 12))]:
        compile_refused(f"onnx-truncated-{cut}", good[:cut])
    structure = [p for p in range(len(good)) if p < 1500 or p > len(good) - 2500]  # names, nodes: not the weights
    for i in range(40):
        bad = bytearray(good)
        for p in rng.choice(structure, int(rng.integers(1, 4))):
            bad[p] = int(rng.integers(256))
        test(f"onnx-flipped-{i:02d}")(lambda box, bad=bytes(bad): survive(box, compile_(box, box.model(bad))))
    for i in range(10):
        at, size = int(rng.integers(len(good) - 400)), int(rng.integers(1, 300))
        bad = good[:at] + good[at + size:]
        test(f"onnx-hole-{i}")(lambda box, bad=bad: survive(box, compile_(box, box.model(bad))))
    # A message nested in itself beyond any sensible depth: field 7 (graph), 1 (node), 5 (attribute), 6 (graph), ...
    nested = b""
    for i in range(3000):
        for field in (6, 5, 1):
            nested = bytes([field << 3 | 2]) + varint(len(nested)) + nested
    compile_refused("onnx-nested-3000-deep", b"\x08\x08" + bytes([7 << 3 | 2]) + varint(len(nested)) + nested)


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


# ---- graphs that make no sense

def value(name, shape=(2, 3), dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def model(nodes, inputs=None, outputs=None, consts=(), opset=17, **more):
    graph = helper.make_graph(nodes, "bad", inputs or [value("x")], outputs or [value("y")], list(consts), **more)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def tensor(name, dims, data=b"", dtype=TensorProto.FLOAT):
    t = TensorProto(name=name, data_type=dtype, raw_data=data)
    t.dims.extend(dims)
    return t


def node(op, inputs, outputs, name=None, **attributes):
    return helper.make_node(op, inputs, outputs, name=name or f"the_{op.lower()}", **attributes)


def broken_graphs():
    compile_refused("graph-cyclic", model([node("Add", ["x", "b"], ["a"], "first"), node("Relu", ["a"], ["b"], "second"),
                                           node("Relu", ["b"], ["y"], "third")]), "cycl")
    compile_refused("graph-own-input", model([node("Add", ["x", "y"], ["y"], "loop")]))
    compile_refused("graph-undefined-value", model([node("Add", ["x", "nowhere"], ["y"], "adder")]), "nowhere", "adder")
    compile_refused("graph-undefined-output", model([node("Relu", ["x"], ["z"])]), "y")
    compile_refused("graph-defined-twice", model([node("Relu", ["x"], ["y"], "one"), node("Tanh", ["x"], ["y"], "two")]), "y")
    compile_refused("graph-no-opset", helper.make_model(
        helper.make_graph([node("Relu", ["x"], ["y"])], "bad", [value("x")], [value("y")]), opset_imports=[]), "opset")
    compile_refused("graph-opset-of-the-future", model([node("Relu", ["x"], ["y"])], opset=4000), "4000", codes=(1, 3))
    compile_refused("graph-no-outputs", helper.make_model(helper.make_graph([], "bad", [value("x")], [])))
    compile_refused("op-unknown", model([node("Frobnicate", ["x"], ["y"], "frob")]), "Frobnicate", "frob", codes=(3,))
    compile_refused("op-unknown-two", model([node("Frobnicate", ["x"], ["t"], "f1"), node("Wibble", ["t"], ["y"], "w1")]),
                    "Frobnicate", "f1", "Wibble", "w1", codes=(3,))
    compile_refused("op-unknown-domain", helper.make_model(
        helper.make_graph([node("Relu", ["x"], ["y"], "far", domain="com.nobody")], "bad", [value("x")], [value("y")]),
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.nobody", 1)]), "com.nobody", codes=(3,))
    for tag, domain, words, codes in (("the-only-domain", "com.nobody", ("Normalizer", "com.nobody"), (3,)),
                                      ("a-domain-not-imported", "", ("default domain",), (1,))):
        compile_refused(f"op-of-{tag}", helper.make_model(
            helper.make_graph([node("Normalizer", ["x"], ["y"], "norm", domain=domain)], "bad", [value("x")], [value("y")]),
            opset_imports=[helper.make_opsetid("com.nobody", 3)]), "norm", *words, codes=codes)
    words = [helper.make_tensor_value_info("w", TensorProto.STRING, (2,)), helper.make_tensor_value_info("v", TensorProto.STRING, (2,))]
    compile_refused("type-string", model([node("CenterCropPad", ["w", "s"], ["e"], "same"), node("Relu", ["x"], ["y"])],
                                         [value("x"), *words, value("s", (1,), TensorProto.INT64)], opset=18),
                    "same", "'w'", "strings", codes=(3,))
    compile_refused("type-complex", model([node("Cast", ["x"], ["a"], "narrow", to=TensorProto.COMPLEX64), node("Relu", ["x"], ["r"], "fine"),
                                      node("Cast", ["a"], ["y"], "widen", to=TensorProto.FLOAT)], opset=23), "narrow", "complex64", codes=(3,))
    compile_refused("shape-unknown-sizes", model([node("Unique", ["x"], ["y"], "some")],
                                                 [value("x", ("batch", 3))]), "some", "batch", codes=(3,))
    compile_refused("shape-unknown-rank", model([node("Add", ["x", "z"], ["y"], "adder")], [value("x"), value("z", None)]),
                    "'z'", "rank", "fixed", codes=(3,))
    compile_refused("axes-computed", model([node("ReduceSum", ["x", "s"], ["y"], "same", keepdims=0)], [
        value("x"), helper.make_tensor_value_info("s", TensorProto.INT64, (2,))]), "same", "'s'", "constant", codes=(3,))
    compile_refused("rank-above-the-limit", model([node("Relu", ["x"], ["y"], "deep")], [value("x", (1,) * 17)], [value("y", (1,) * 17)]),
                    "deep", "rank 17", codes=(3,))
    for tag, sizes in (("negative", [-3, 2]), ("two-unknown", [-1, -1]), ("wrong", [5, 5])):
        compile_refused(f"op-reshape-{tag}", model([node("Reshape", ["x", "s"], ["y"], "shaper")], [value("x", (2, 3))], [value("y", (5, 5))],
                                                   [numpy_helper.from_array(np.array(sizes, np.int64), "s")]), "shaper")
    compile_refused("op-too-many-inputs", model([node("Relu", ["x", "x", "x"], ["y"])]), "the_relu")
    compile_refused("op-too-few-inputs", model([node("Add", ["x"], ["y"])]), "the_add")
    compile_refused("op-shapes-do-not-broadcast", model(
        [node("Add", ["x", "z"], ["y"], "adder")], [value("x", (2, 3)), value("z", (2, 4))]), "adder")
    compile_refused("op-inner-dimensions-differ", model(
        [node("MatMul", ["x", "z"], ["y"], "product")], [value("x", (2, 3)), value("z", (4, 5))], [value("y", (2, 5))]),
        "product")
    compile_refused("op-indices-are-floats", model([node("Gather", ["x", "z"], ["y"], "picker")], [value("x"), value("z", (2,))]), "picker")
    compile_refused("op-condition-is-no-truth", model([node("Where", ["x", "x", "x"], ["y"], "chooser")]), "chooser")
    compile_refused("op-slice-without-step", model(
        [node("Slice", ["x", "s", "e", "a", "s"], ["y"], "cutter")], consts=[
            numpy_helper.from_array(np.array([v], np.int64), n) for n, v in (("s", 0), ("e", 2), ("a", 1))]), "cutter")
    image, w = value("x", (1, 4, 5, 5)), value("w", (4, 2, 3, 3))
    for tag, given in (("stride", {"strides": [0, 1]}), ("group", {"group": 3}), ("crop", {"pads": [9, 9, 9, 9]}),
                       ("kernel", {"kernel_shape": [2, 3]}), ("shape", {"output_shape": [-1, 2]})):
        compile_refused(f"op-conv-transpose-{tag}", model([node("ConvTranspose", ["x", "w"], ["y"], "up", **given)], [image, w],
                                                          [value("y", (1, 2, 7, 7))]), "up")
    for tag, scales, codes in (("count", [1, 2], (1,)), ("negative", [1, 1, -2, 2], (3,)), ("huge", [1, 1, 1e30, 2], (3,)),
                               ("nan", [1, 1, float("nan"), 2], (3,))):
        compile_refused(f"op-resize-{tag}", model([node("Resize", ["x", "", "s"], ["y"], "larger")], [image], [value("y", (1, 4, 10, 10))],
                                                  [numpy_helper.from_array(np.array(scales, np.float32), "s")]), "larger", codes=codes)
    compile_refused("op-blocks-do-not-fit", model([node("DepthToSpace", ["x"], ["y"], "blocks", blocksize=3)], [image],
                                                  [value("y", (1, 1, 15, 15))]), "blocks")
    compile_refused("op-arg-axis", model([node("ArgMax", ["x"], ["y"], "winner", axis=7)], [image],
                                         [helper.make_tensor_value_info("y", TensorProto.INT64, (1,))]), "winner")
    compile_refused("op-split-does-not-add-up", model(
        [node("Split", ["x", "s"], ["y", "z"], "splitter", axis=1)], consts=[numpy_helper.from_array(np.array([1, 1], np.int64), "s")]),
        "splitter")
    own = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]

    def calls(*bodies):  # functions f0, f1, ... of domain "own", each with one node
        made = helper.make_model(
            helper.make_graph([node("f0", ["x"], ["y"], "call", domain="own")], "bad", [value("x")], [value("y")]),
            opset_imports=own, ir_version=8,
            functions=[helper.make_function("own", f"f{i}", ["a"], ["b"], [body], own) for i, body in enumerate(bodies)])
        return made

    compile_refused("function-calls-itself", calls(node("f0", ["a"], ["b"], "again", domain="own")), "deep")
    compile_refused("function-of-unknown-op", calls(node("Frobnicate", ["a"], ["b"], "frob")), "Frobnicate", "frob", codes=(3,))
    compile_refused("function-without-its-output", calls(node("Relu", ["a"], ["c"], "relu")), "call")
    conv_inputs = [value("x", (1, 3, 8, 8)), value("w", (4, 3, 3, 3))]
    conv_output = [value("y", (1, 4, 6, 6))]

    def conv(name, words=("the_conv",), inputs=conv_inputs, **attributes):
        compile_refused(name, model([node("Conv", ["x", "w"], ["y"], **attributes)], inputs, conv_output), *words)

    conv("conv-stride-zero", strides=[0, 1])
    conv("conv-stride-negative", strides=[-1, 1])
    conv("conv-dilation-zero", dilations=[0, 1])
    conv("conv-three-strides", strides=[1, 1, 1])
    conv("conv-pads-odd-count", pads=[1, 1, 1])
    conv("conv-pads-huge", pads=[2**62, 0, 2**62, 0])
    conv("conv-group-zero", group=0)
    conv("conv-group-does-not-divide", group=2)
    conv("conv-kernel-shape-wrong", kernel_shape=[5, 5])
    conv("conv-auto-pad-unknown", auto_pad="SOMEHOW")
    conv("conv-kernel-beyond-image", inputs=[value("x", (1, 3, 2, 2)), value("w", (4, 3, 3, 3))])
    conv("conv-channels-differ", inputs=[value("x", (1, 5, 8, 8)), value("w", (4, 3, 3, 3))])
    conv("conv-attribute-of-wrong-type", strides="two")
    compile_refused("conv-rank-2", model([node("Conv", ["x", "w"], ["y"])], [value("x", (3, 8)), value("w", (4, 3))], [value("y", (4, 8))]),
                    "the_conv")
    compile_refused("reshape-does-not-fit", model([node("Reshape", ["x", "s"], ["y"])], consts=[
        numpy_helper.from_array(np.array([4, 4]), "s")], outputs=[value("y", (4, 4))]), "the_reshape")
    for tag, equation in (("of-unknown-label", "ij->k"), ("of-wrong-rank", "i->i"), ("half", "ij-"), ("of-two", "ij,ij->")):
        compile_refused(f"einsum-{tag}", model([node("Einsum", ["x"], ["y"], equation=equation)]), "the_einsum")
    compile_refused("scatter-outside", model([node("ScatterND", ["x", "i", "x"], ["y"])], consts=[
        numpy_helper.from_array(np.array([[0], [9]]), "i")]), "the_scatternd")
    compile_refused("pads-for-other-rank", model([node("Pad", ["x", "p"], ["y"])], consts=[
        numpy_helper.from_array(np.array([1, 1]), "p")]), "the_pad")
    compile_refused("reshape-two-unknown", model([node("Reshape", ["x", "s"], ["y"])], consts=[
        numpy_helper.from_array(np.array([-1, -1]), "s")]), "the_reshape")
    compile_refused("transpose-no-permutation", model([node("Transpose", ["x"], ["y"], perm=[0, 0])]), "the_transpose")
    compile_refused("softmax-axis-out-of-range", model([node("Softmax", ["x"], ["y"], axis=7)]), "the_softmax")
    compile_refused("concat-axis-missing", model([node("Concat", ["x", "x"], ["y"])], outputs=[value("y", (4, 3))]), "the_concat")
    compile_refused("output-declared-with-another-type", model([node("Relu", ["x"], ["y"])], outputs=[value("y", (2, 3), TensorProto.INT32)]), "y")
    compile_refused("input-rank-huge", model([node("Relu", ["x"], ["y"])], [value("x", [1] * 5000)], [value("y", [1] * 5000)]))
    compile_refused("input-size-overflows", model(
        [node("Relu", ["x"], ["y"])], [value("x", (2**40, 2**40))], [value("y", (2**40, 2**40))]))
    compile_refused("input-size-negative", model([node("Relu", ["x"], ["y"])], [value("x", (-5, 3))], [value("y", (-5, 3))]))


def broken_weights():
    add = [node("Add", ["x", "w"], ["y"])]
    for name, w in (("too-short", tensor("w", [2, 3], b"\0" * 20)), ("too-long", tensor("w", [2, 3], b"\0" * 28)),
                    ("empty", tensor("w", [2, 3])), ("negative-size", tensor("w", [-2, 3], b"\0" * 24)),
                    ("size-overflows", tensor("w", [2**33, 2**33], b"\0" * 24)),
                    ("type-unknown", tensor("w", [2, 3], b"\0" * 24, 99)), ("type-zero", tensor("w", [2, 3], b"\0" * 24, 0))):
        compile_refused(f"weight-{name}", model(add, consts=[w]), "w")

    def external(name, *words, dims=(2, 3), **where):
        def make(box):
            box.file("w.bin", bytes(24))
            (box.folder.parent / "outside.bin").write_bytes(bytes(24))
            os.symlink(box.folder.parent / "outside.bin", box.folder / "link.bin")
            t = tensor("w", dims)
            t.ClearField("raw_data")
            t.data_location = TensorProto.EXTERNAL
            for key, text in where.items():
                t.external_data.add(key=key, value=text)
            return box.model(model(add, consts=[t]))
        compile_refused(f"external-{name}", make, *words)

    external("missing-file", "missing.bin", location="missing.bin")
    external("no-location", "w", offset="0")
    external("parent-folder", location="../outside.bin")
    external("hidden-parent-folder", location="a/../../outside.bin")
    external("absolute", location="/etc/passwd", length="24")
    external("symlink-outside", "--allow-external-links", location="link.bin")
    external("beyond-the-end", location="w.bin", offset="8", length="24")
    external("offset-huge", location="w.bin", offset=str(2**63 - 8), length="24")
    external("offset-no-number", location="w.bin", offset="many")
    external("length-wrong", location="w.bin", length="20")


# ---- flags, files and arrays

def files_and_arrays():
    test("missing-model")(lambda box: refuse(box, compile_(box, box.folder / "no.onnx"), "no.onnx"))
    test("model-is-a-folder")(lambda box: refuse(box, compile_(box, box.folder)))
    test("run-missing-model")(lambda box: refuse(box, run(box, box.folder / "no.onnx"), "no.onnx"))
    good = np.zeros((1, 1, 8, 8), np.float32)

    def wrong_input(name, make, *words):
        def body(box):
            refuse(box, run(box, DIGITS, *make(box)), *words)
            # Where the first form is refused, the compiled one is too, by the runtime.
            refuse(box, run(box, box.compiled(), *make(box)), *words)
        test(f"input-{name}")(body)

    wrong_input("shape", lambda b: [f"image={b.array(np.zeros((1, 1, 9, 8), np.float32))}"], "image")
    wrong_input("rank", lambda b: [f"image={b.array(np.zeros(64, np.float32))}"], "image")
    wrong_input("dtype-float64", lambda b: [f"image={b.array(good.astype(np.float64))}"], "image")
    wrong_input("dtype-int32", lambda b: [f"image={b.array(good.astype(np.int32))}"], "image")
    wrong_input("big-endian", lambda b: [f"image={b.array(good.astype('>f4'))}"])
    wrong_input("name", lambda b: [f"picture={b.array(good)}"], "picture")
    wrong_input("missing", lambda b: [], "image")
    wrong_input("given-twice", lambda b: [f"image={b.array(good)}"] * 2, "image")
    wrong_input("file-missing", lambda b: [f"image={b.folder}/none.npy"], "none.npy")
    wrong_input("no-equals-sign", lambda b: [str(b.array(good))])
    wrong_input("npy-truncated", lambda b: [f"image={b.file('t.npy', b.array(good).read_bytes()[:200])}"], "t.npy")
    wrong_input("npy-empty", lambda b: [f"image={b.file('t.npy', b'')}"], "t.npy")
    wrong_input("npy-other-bytes", lambda b: [f"image={b.file('t.npy', bytes(range(256)) * 4)}"], "t.npy")
    wrong_input("npy-objects", lambda b: [f"image={b.array(np.array([{}, None]))}"])
    wrong_input("npy-header-huge", lambda b: [f"image={b.file('t.npy', npy_header(2**31))}"], "t.npy")
    wrong_input("npy-shape-overflows", lambda b: [f"image={b.file('t.npy', npy('<f4', (2**40, 2**40)))}"], "t.npy")
    wrong_input("npy-shape-negative", lambda b: [f"image={b.file('t.npy', npy('<f4', (-1, 1, 8, 8)))}"], "t.npy")
    wrong_input("png-truncated", lambda b: [f"image={b.file('t.png', digit_png()[:60])}"], "t.png")
    wrong_input("png-other-bytes", lambda b: [f"image={b.file('t.png', bytes(200))}"], "t.png")
    wrong_input("png-damaged", lambda b: [f"image={b.file('t.png', flipped(digit_png(), 60))}"], "t.png")
    wrong_input("unknown-file-kind", lambda b: [f"image={b.file('t.xyz', bytes(256))}"], "t.xyz")

    def flags(name, *args, words=()):
        def body(box):
            known = {"MODEL": DIGITS, "OUT": box.out}
            refuse(box, call(MLC, *[known.get(a, a) for a in args], timeout=SECONDS), *words)
        test(f"flags-{name}")(body)

    flags("none")
    flags("unknown-verb", "frobnicate", "MODEL", words=("frobnicate",))
    flags("unknown-flag", "compile", "MODEL", "-o", "OUT", "--frobnicate", words=("--frobnicate",))
    flags("no-model", "compile", "-o", "OUT")
    flags("no-output", "compile", "MODEL", "-o")
    flags("threads-zero", "compile", "MODEL", "-o", "OUT", "--threads", "0", words=("threads",))
    flags("threads-negative", "compile", "MODEL", "-o", "OUT", "--threads", "-3", words=("threads",))
    flags("threads-no-number", "compile", "MODEL", "-o", "OUT", "--threads", "many", words=("threads",))
    flags("threads-huge", "compile", "MODEL", "-o", "OUT", "--threads", "99999999999999999999", words=("threads",))


def npy_header(length):
    return b"\x93NUMPY\x02\x00" + struct.pack("<I", length) + b"{'descr': '<f4'"


def npy(descr, shape):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + bytes(256)


def digit_png():
    return next((ROOT / "examples/digits/pictures").glob("*.png")).read_bytes()


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:]


# ---- outputs that cannot be written

def unwritable():
    @test("output-folder-missing")
    def _(box):
        refuse(box, call(MLC, "compile", DIGITS, "-o", box.folder / "none/m.so", timeout=SECONDS), "none")

    @test("output-is-a-folder")
    def _(box):
        refuse(box, call(MLC, "compile", DIGITS, "-o", box.out.parent, timeout=SECONDS))

    @test("output-under-a-file")
    def _(box):
        box.file("plain", b"kept")
        refuse(box, call(MLC, "compile", DIGITS, "-o", box.folder / "plain/m.so", timeout=SECONDS), "plain")
        refuse(box, call(MLC, "run", DIGITS, "--input", f"image={box.array(np.zeros((1, 1, 8, 8), np.float32))}",
                         "--output-dir", box.folder / "plain", timeout=SECONDS), "plain")
        if (box.folder / "plain").read_bytes() != b"kept":
            raise Failure("the file in the way was changed")

    @test("output-beyond-the-file-limit")
    def _(box):  # as a full disk: the write itself fails, with EFBIG
        refuse(box, limited(4096, "compile", DIGITS, "-o", box.out))

    @test("failed-compile-keeps-the-old-output")
    def _(box):
        box.out.write_bytes(b"old")
        result = compile_(box, box.model(b"no model"))
        if result.code != 1 or left_behind(box) != ["m.so"] or box.out.read_bytes() != b"old":
            raise Failure(f"exit {result.code}, and the output folder holds {left_behind(box)}")


def limited(max_bytes, *args):
    """`mlc args` where no file may grow beyond `max_bytes`; SIGXFSZ is ignored, so that writes fail instead."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (max_bytes, max_bytes))
    p = subprocess.run([MLC, *map(str, args)], capture_output=True, timeout=SECONDS, env=environment(), preexec_fn=limit,
                       restore_signals=False, stdin=subprocess.DEVNULL)
    if p.returncode < 0:
        raise Crash(f"killed by signal {-p.returncode}")
    return Result(p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace"))


# ---- artefacts

def artefacts():
    def refused(name, change, *words):
        def body(box):
            good = box.compiled().read_bytes()
            if rehash(good) != good:
                raise Failure("this test computes another hash than the compiler: has artefact.h changed?")
            image = box.array(np.zeros((1, 1, 8, 8), np.float32))
            refuse(box, run(box, box.file("bad.so", change(good)), f"image={image}"), *words)
        test(f"artefact-{name}")(body)

    refused("empty", lambda good: b"")
    refused("other-bytes", lambda good: bytes(range(256)) * 64)
    refused("elf-library", lambda good: Path(os.path.realpath("/lib64/ld-linux-x86-64.so.2")).read_bytes())
    refused("magic", lambda good: patched(good, 3, b"X"))
    refused("other-version", lambda good: patched(good, 8, struct.pack("<I", 77)), "77", "compile")
    refused("other-abi-version", lambda good: patched(good, 12, struct.pack("<I", 77)), "77", "compile")
    refused("other-machine", for_other_machine)
    refused("other-features", lambda good: rehash(with_feature(good, b"x")))
    for cut in (7, 40, 200, 263, 300, 1000, 5000):
        refused(f"truncated-{cut}", lambda good, cut=cut: good[:cut])
    refused("truncated-by-one", lambda good: good[:-1])
    refused("one-longer", lambda good: good + b"\0")
    for at in (16, 24, 33, 64, 80, 100, 136, 150, 200, 266, 300):
        refused(f"damaged-{at}", lambda good, at=at: flipped(good, at))
    refused("damaged-code", lambda good: flipped(good, section(good, TEXT)[0] + 10))
    for kind in range(NUM_SECTIONS):
        for what, where in (("offset", 0), ("size", 8)):
            at = SECTIONS + 16 * kind + where
            refused(f"section{kind}-{what}-wild", lambda good, at=at: rehash_as_is(patched(good, at, b"\xf0" * 7 + b"\x7f")))


def main():
    global MLC, SECONDS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", default=os.environ.get("MLC"), help="the mlc binary; default: $MLC")
    parser.add_argument("--only", default="", help="only tests whose name contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    if not args.mlc or not os.access(args.mlc, os.X_OK):
        parser.error(f"no mlc binary at {args.mlc!r}: build it, and name it with --mlc or $MLC")
    MLC = os.path.abspath(args.mlc)
    for add in (damaged_bytes, broken_graphs, broken_weights, files_and_arrays, unwritable, artefacts):
        add()

    def in_box(body):
        with tempfile.TemporaryDirectory(prefix="mlc-bad-") as d:
            folder = Path(d) / "box"
            folder.mkdir()
            body(Box(folder))
    results = run_all({n: lambda b=b: in_box(b) for n, b in TESTS.items() if args.only in n}, args.jobs)
    failed = sum(isinstance(r, Failure) for r in results.values())
    print(f"{len(results) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not results else 0)


if __name__ == "__main__":
    main()
