"""The Python package `mlc`: compiles, loads and runs models, and what it says where that cannot be.

    python python_api.py --library build/release/lib/libmlc_runtime.so --include include [--only TEXT]
"""
import argparse
import gc
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from harness import Failure, check_close, python_package, run_in_folders

ROOT = Path(__file__).resolve().parent.parent.parent
DIGITS = ROOT / "examples/digits/digits.onnx"
F32, I64 = TensorProto.FLOAT, TensorProto.INT64
RANDOM = np.random.default_rng(5)
PACKAGE = LIBRARY = INCLUDE = None


def tensor(name, shape, dtype=F32):
    return helper.make_tensor_value_info(name, dtype, shape)


def model(nodes, inputs, outputs, opset=23, **constants):
    graph = helper.make_graph(nodes, "g", inputs, outputs, [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()])
    domains = [helper.make_opsetid("", opset), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=domains, ir_version=10)


def node(op, inputs, outputs=("y",), **attributes):
    return helper.make_node(op, inputs, list(outputs), name="n", **attributes)


def floats(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def expect(condition, what):
    if not condition:
        raise Failure(str(what))


def same(got, wanted):
    wanted = np.asarray(wanted)
    expect(isinstance(got, np.ndarray) and got.dtype == wanted.dtype and got.shape == wanted.shape, f"{got!r}, expected {wanted!r}")
    expect(np.array_equal(got, wanted), f"{got}, expected {wanted}")


def refused(kind, text, act, *args, **named):
    """The error that `act` must raise: of this kind, and with this text."""
    try:
        act(*args, **named)
    except kind as e:
        expect(text in str(e), f"'{e}', expected '{text}'")
        return e
    raise Failure(f"no error, expected '{text}'")


def relu(shape, dtype=F32):
    return model([node("Relu", ["x"])], [tensor("x", shape, dtype)], [tensor("y", shape, dtype)])


# ---- models and runs

def against_onnxruntime(_):
    compiled = PACKAGE.compile(DIGITS)
    expect(repr(compiled) == "<mlc.Model digits(image: f32 [1, 1, 8, 8]) -> (logits: f32 [1, 10])>", repr(compiled))
    reference, session = onnxruntime.InferenceSession(str(DIGITS)), compiled.session(threads=1)
    expect(session.threads == 1 and compiled.arena_bytes > 0 and compiled.kernels[0].nodes, "what a model tells")
    for _ in range(3):
        x = floats(1, 1, 8, 8)
        check_close(["logits"], [session.run({"image": x})["logits"]], reference.run(None, {"image": x}))


def sources(folder):
    """A path, bytes and a ModelProto are the same; artefacts stay where that is asked for."""
    made, x, path = relu([3]), np.array([-1, 0, 2], np.float32), folder / "kept.so"
    onnx.save(made, folder / "m.onnx")
    for source in (folder / "m.onnx", str(folder / "m.onnx"), made, made.SerializeToString()):
        same(PACKAGE.compile(source, path).session().run({"x": x})["y"], np.maximum(x, 0))
        same(PACKAGE.load(path).session().run({"x": x})["y"], np.maximum(x, 0))
        path.unlink()


def open_sizes(_):
    made = model([node("MatMul", ["x", "w"])], [tensor("x", ["batch", 4])], [tensor("y", ["batch", 2])], w=np.ones((4, 2), np.float32))
    compiled = PACKAGE.compile(made)
    expect(compiled.inputs[0].shape == ("batch", 4) and compiled.outputs[0].shape == ("batch", 2), compiled)
    session = compiled.session()
    for batch in (1, 7, 0, 3):
        x = np.arange(batch * 4, dtype=np.float32).reshape(batch, 4)
        same(session.run({"x": x})["y"], x @ np.ones((4, 2), np.float32))
    fixed = PACKAGE.compile(made, dims={"batch": 3})
    expect(fixed.inputs[0].shape == (3, 4), fixed)
    refused(PACKAGE.Error, "input 'x' has shape [3x4], got [2x4]", fixed.session().run, {"x": np.zeros((2, 4), np.float32)})
    found = PACKAGE.compile(model([node("NonZero", ["x"])], [tensor("x", [2, 3])], [tensor("y", [2, "n"], I64)]))
    expect(found.outputs[0].shape[0] == 2 and found.outputs[0].bounds == (2, 6), found.outputs)
    same(found.session().run({"x": np.eye(2, 3, dtype=np.float32)})["y"], [[0, 1], [0, 1]])


def types(_):
    """An input of each type comes out as it went in."""
    for name in ("float64", "float16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool", "bfloat16", "float8_e4m3fn",
                 "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "int4", "uint4", "object"):
        dtype = np.dtype(getattr(ml_dtypes, name, name))
        element = TensorProto.STRING if name == "object" else helper.np_dtype_to_tensor_dtype(dtype)
        made = model([node("Transpose", ["x"], perm=[1, 0])], [tensor("x", [2, 2], element)], [tensor("y", [2, 2], element)])
        x = np.array([["a", "zwölf"], ["", "0 \0 1"]], object) if name == "object" else np.array([[0, 1], [2, 1]]).astype(dtype)
        y = PACKAGE.compile(made).session().run({"x": x})["y"]
        same(y, x.T.astype({"int4": np.int8, "uint4": np.uint8}.get(name, dtype)))


def without_ml_dtypes(_):
    """What NumPy has not is bytes there."""
    from mlc import _types
    keep, _types.ml_dtypes = _types.ml_dtypes, None
    _types.dtype_of.cache_clear()
    try:
        made = model([node("Transpose", ["x"], perm=[1, 0])], *[[tensor(n, [2, 2], TensorProto.BFLOAT16)] for n in "xy"])
        x = np.array([[1, 2], [3, 4]], ml_dtypes.bfloat16)
        y = PACKAGE.compile(made).session().run({"x": x.view("V2")})["y"]
        expect(y.dtype == np.dtype("V2"), y.dtype)
        same(y.view(ml_dtypes.bfloat16), x.T)
    finally:
        _types.ml_dtypes = keep
        _types.dtype_of.cache_clear()


def inputs(_):
    """Arrays that lie otherwise, lists and scalars; nothing is cast."""
    session, x = PACKAGE.compile(relu([2, 3])).session(), np.arange(-3, 3, dtype=np.float32).reshape(2, 3)
    for given in (x, x.T.copy().T, np.repeat(x, 2, axis=1)[:, ::2], x.astype(">f4"), x.tolist(), np.asfortranarray(x)):
        same(session.run({"x": given})["y"], np.maximum(x, 0))
    same(session.run()["y"], np.maximum(x, 0)) # the last one again
    for given in (x.astype(np.float64), x.astype(np.int32), x.astype(str), x.view("V4")):
        refused(TypeError, f"input 'x': expected elements of f32 (float32), got {given.dtype}", session.run, {"x": given})
    refused(PACKAGE.Error, "input 'x' has shape [2x3], got [3x2]", session.run, {"x": x.T})
    refused(PACKAGE.Error, "there is no input 'z': there are 'x'", session.run, {"z": x})
    refused(PACKAGE.Error, "there is no output 'z': there are 'y'", session.output, "z")
    same(session.run({"x": x})["y"], np.maximum(x, 0))
    empty = PACKAGE.compile(relu([2, 3])).session()
    e = refused(PACKAGE.Error, "input 'x'", empty.run)
    expect(e.status == "argument", e.status)
    refused(RuntimeError, "there are no outputs before a run", empty.output, "y")
    counts = PACKAGE.compile(model([node("Add", ["x", "x"])], [tensor("x", [], I64)], [tensor("y", [], I64)])).session()
    same(counts.run({"x": 4})["y"], np.int64(8))
    refused(TypeError, "input 'x': expected elements of i64 (int64), got float64", counts.run, {"x": 4.5})
    bytes_ = PACKAGE.compile(model([node("Identity", ["x"])], [tensor("x", [2], TensorProto.UINT8)], [tensor("y", [2], TensorProto.UINT8)])).session()
    same(bytes_.run({"x": [0, 255]})["y"], np.array([0, 255], np.uint8))
    refused(ValueError, "256 is outside of u8, which is 0 to 255", bytes_.run, {"x": [0, 256]})
    refused(ValueError, "-1 is outside of u8, which is 0 to 255", bytes_.run, {"x": [-1, 3]})


def memory(_):
    """Views live as long as they are held; outputs go where they are told."""
    session = PACKAGE.compile(relu([4])).session()
    view = session.run({"x": np.array([1, -1, 2, -2], np.float32)}, copy=False)["y"]
    kept = session.run({"x": np.array([5, -1, 2, -2], np.float32)})["y"]
    same(view, kept) # of the last run
    bound = np.zeros(4, np.float32)
    session.bind_output("y", bound)
    session.run({"x": np.array([-1, 7, 7, 7], np.float32)})
    same(bound, np.array([0, 7, 7, 7], np.float32))
    same(kept, np.array([5, 0, 2, 0], np.float32))
    for wrong in (np.zeros(4), np.zeros(8, np.float32)[::2], [0.0] * 4):
        refused(TypeError, "output 'y' goes to an array of float32", session.bind_output, "y", wrong)
    refused(PACKAGE.Error, "output 'y'", lambda: (session.bind_output("y", np.zeros(2, np.float32)), session.run()))
    session.bind_output("y", None)
    view = session.run({"x": np.array([1, -1, 2, -2], np.float32)}, copy=False)["y"]
    del session
    gc.collect()
    same(view[::2] + 0, np.array([1, 2], np.float32))
    destroyed = []
    for _ in range(2):  # in a circle, which ends in any order
        compiled = PACKAGE.compile(relu([4]))
        compiled.sessions = [compiled.session(threads=1) for _ in range(3)]
        lib = compiled._users._lib
        compiled._users._lib = SimpleNamespace(mlc_model_destroy=lambda handle: (destroyed.append(handle), lib.mlc_model_destroy(handle)))
        del compiled
        gc.collect()
    if len(destroyed) != 2:
        raise Failure(f"{len(destroyed)} models of 2 were destroyed")


def at_once(_):
    """Sessions on threads of their own, and one session asked from several threads."""
    compiled = PACKAGE.compile(DIGITS)
    images = [floats(1, 1, 8, 8) for _ in range(24)]
    one = compiled.session(threads=1)
    wanted = [one.run({"image": x})["logits"] for x in images]
    with ThreadPoolExecutor(4) as pool:
        for got in (pool.map(lambda x: compiled.session(threads=1).run({"image": x})["logits"], images),
                    pool.map(lambda x: one.run({"image": x})["logits"], images)):
            for g, w in zip(got, wanted):
                same(g, w)


def profile(_):
    session = PACKAGE.compile(DIGITS).session(profile=True)
    for _ in range(3):
        session.run({"image": floats(1, 1, 8, 8)})
    expect(all(k.calls == 3 and k.nanoseconds > 0 for k in session.profile) and session.profile, session.profile)


# ---- values that are no tensors

def lists(_):
    kind = helper.make_sequence_type_proto(helper.make_tensor_type_proto(F32, None))
    made = model([node("SequenceInsert", ["x", "t"])], [helper.make_value_info("x", kind), tensor("t", [2])], [helper.make_value_info("y", kind)])
    compiled = PACKAGE.compile(made, items={"x": [(3,), (1, 2)]})
    expect(compiled.input_values[0].form == "sequence" and len(compiled.inputs) == 3, compiled.input_values)
    given = {"x": [floats(3), floats(1, 2)], "t": floats(2)}
    session = compiled.session()
    got, (wanted,) = session.run(given)["y"], ReferenceEvaluator(made).run(None, given)
    expect(len(got) == len(wanted) == 3, got)
    for g, w in zip(got, wanted):
        same(g, w)
    refused(ValueError, "input 'x': 1 items, and the model was compiled for 2", session.run, {"x": given["x"][:1]})
    refused(TypeError, "input 'x' is a sequence: expected a list, got ndarray", session.run, {"x": floats(3)})
    same(PACKAGE.compile(model([node("SequenceLength", ["x"])], [helper.make_value_info("x", kind)], [tensor("y", [], I64)]),
                         items={"x": []}).session().run({"x": []})["y"], np.int64(0))


def optionals(_):
    kind = helper.make_optional_type_proto(helper.make_tensor_type_proto(F32, [2]))
    made = model([node("OptionalHasElement", ["x"])], [helper.make_value_info("x", kind)], [tensor("y", [], TensorProto.BOOL)])
    same(PACKAGE.compile(made, items={"x": [(2,)]}).session().run({"x": floats(2)})["y"], np.bool_(True))
    same(PACKAGE.compile(made, items={"x": None}).session().run({"x": None})["y"], np.bool_(False))


def tables(_):
    """Rows of a classifier: a dict for each."""
    kind = onnx.TypeProto(sequence_type=onnx.TypeProto.Sequence(elem_type=onnx.TypeProto(map_type=onnx.TypeProto.Map(
        key_type=TensorProto.STRING, value_type=helper.make_tensor_type_proto(F32, None)))))
    made = model([helper.make_node("ZipMap", ["x"], ["y"], domain="ai.onnx.ml", classlabels_strings=["cat", "dog"])], [tensor("x", [2, 2])],
                 [helper.make_value_info("y", kind)])
    got = PACKAGE.compile(made).session().run({"x": np.array([[1, 2], [3, 4]], np.float32)})["y"]
    expect(got == [{"cat": 1, "dog": 2}, {"cat": 3, "dog": 4}], got)


def text(_):
    made = model([node("StringConcat", ["x", "z"])], [tensor("x", [2], TensorProto.STRING), tensor("z", [1], TensorProto.STRING)],
                 [tensor("y", [2], TensorProto.STRING)])
    session = PACKAGE.compile(made).session()
    for first in (["grün", ""], np.array(["grün", ""]), np.array(["grün", ""], object)):
        same(session.run({"x": first, "z": ["!"]})["y"], np.array(["grün!", "!"], object))
    refused(TypeError, "element 1 is no str: 3", session.run, {"x": np.array(["a", 3], object)})


# ---- what is refused

def models_refused(folder):
    onnx.save(model([node("ImageDecoder", ["x"])], [tensor("x", ["n"], TensorProto.UINT8)], [tensor("y", ["h", "w", 3], TensorProto.UINT8)]), folder / "m.onnx")
    e = refused(PACKAGE.CompileError, "ImageDecoder", PACKAGE.compile, folder / "m.onnx")
    expect(isinstance(e, PACKAGE.UnsupportedError), repr(e))
    (folder / "bad.onnx").write_bytes(b"\x08\x07nonsense")
    e = refused(PACKAGE.CompileError, "bad.onnx", PACKAGE.compile, folder / "bad.onnx", folder / "out.so")
    expect(not isinstance(e, PACKAGE.UnsupportedError) and not (folder / "out.so").exists(), repr(e))
    refused(PACKAGE.CompileError, "unknown option '--no-such-option'", PACKAGE.compile, DIGITS, no_such_option=3)
    refused(PACKAGE.CompileError, "no-such.onnx", PACKAGE.compile, folder / "no-such.onnx")
    e = refused(PACKAGE.Error, "is not a compiled model", PACKAGE.load, DIGITS)
    expect(e.status == "corrupt", e.status)
    expect(refused(PACKAGE.Error, "no-such.so", PACKAGE.load, "no-such.so").status == "file", "status")


def warned(_):
    """What the compiler warns of is a warning of Python's."""
    body = helper.make_graph(
        [node("Unsqueeze", ["i", "zero"], ["last"]), node("Concat", ["v", "last"], ["longer"], axis=0), node("Identity", ["go"], ["on"])], "body",
        [tensor("i", [], I64), tensor("go", [], TensorProto.BOOL), tensor("v", ["k"], I64)],
        [tensor("on", [], TensorProto.BOOL), tensor("longer", ["l"], I64)])
    made = model([node("Loop", ["n", "", "s"], body=body)], [tensor("n", [], I64), tensor("s", ["m"], I64)], [tensor("y", ["o"], I64)],
                 zero=np.array([0]))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        session = PACKAGE.compile(made).session()
    expect(len(caught) == 1 and "interpreted" in str(caught[0].message), caught)
    same(session.run({"n": 3, "s": [7]})["y"], np.array([7, 0, 1, 2]))
    refused(PACKAGE.UnsupportedError, "'graph.loop' op is not supported", PACKAGE.compile, made, require_compiled=True)


# ---- the package

def python(prefix, path, *lines, folder):
    env = {k: v for k, v in os.environ.items() if k not in ("MLC_PREFIX", "PYTHONPATH")} | {"PYTHONPATH": str(path)}
    if prefix:
        env["MLC_PREFIX"] = str(prefix)
    return subprocess.run([sys.executable, "-c", "\n".join(lines)], env=env, cwd=folder, capture_output=True, text=True)


def places(folder):
    """Installed and moved, the package finds what was installed with it; what is not there is told."""
    first, prefix = folder / "first", folder / "moved to"
    subprocess.run(["cmake", "--install", LIBRARY.parent.parent, "--prefix", first], check=True, capture_output=True)
    first.rename(prefix)
    lines = ("import mlc, numpy", f"print(mlc.compile({str(DIGITS)!r}).session().run({{'image': numpy.zeros((1, 1, 8, 8), 'f')}})['logits'].shape)",
             "print(mlc._library.library()._name)")
    done = python(None, prefix / "share/mlc/python", *lines, folder=folder)
    expect(done.returncode == 0 and done.stdout.startswith("(1, 10)\n" + str(prefix.resolve())), done.stdout + done.stderr)
    done = python(folder, ROOT / "python", *lines, folder=folder)
    expect("ImportError: the program 'mlc' is not found: install mlc, or let MLC_PREFIX name" in done.stderr, done.stderr)
    shutil.rmtree(prefix / "bin")
    done = python(folder, ROOT / "python", "import mlc", "mlc.load('x.so')", folder=folder)
    expect("ImportError: libmlc_runtime.so.0 cannot be opened" in done.stderr, done.stderr)


def as_c_has_it(folder):
    """The structures of ctypes are those of the headers; and the version is the project's."""
    from mlc import _library
    names = {"CError": "MlcRtError", "CTensor": "MlcRtTensor", "CString": "MlcRtString", "CTensorInfo": "MlcRtTensorInfo", "CValueInfo": "MlcRtValueInfo",
             "CKernelInfo": "MlcRtKernelInfo", "CModelOptions": "MlcModelOptions", "CSessionOptions": "MlcSessionOptions", "CProfile": "MlcRtProfile"}
    lines = ["#include <mlc/runtime.h>", "#include <stddef.h>"]
    for python_name, c in names.items():
        kind = getattr(_library, python_name)
        lines.append(f'_Static_assert(sizeof({c}) == {_library.ctypes.sizeof(kind)}, "{c}");')
        for field, *_ in kind._fields_:
            lines.append(f'_Static_assert(offsetof({c}, {field}) == {getattr(kind, field).offset}, "{c}.{field}");')
    for i, status in enumerate(_library.STATUS):
        lines.append(f'_Static_assert(MLC_RT_{status.upper()} == {i}, "status {status}");')
    (folder / "check.c").write_text("\n".join(lines))
    done = subprocess.run(["cc", "-fsyntax-only", f"-I{INCLUDE}", folder / "check.c"], capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr)
    version = re.search(r"project\(mlc VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    expect(f'version = "{version}"' in (ROOT / "python/pyproject.toml").read_text(), f"python/pyproject.toml: not {version}")


def documented(folder):
    """The examples of docs/python.md, and what they print."""
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/python.md").read_text(), re.M | re.S)
    expect(len(blocks) >= 3, "no examples")
    for block in blocks:
        done = python(os.environ["MLC_PREFIX"], ROOT / "python", f"TMP = {str(folder)!r}", block, folder=ROOT)
        expect(done.returncode == 0 and done.stdout.split("\n")[:-1] == re.findall(r"^print\(.*?\) *# (.*)$", block, re.M), done.stdout + done.stderr)


def main():
    global PACKAGE, LIBRARY, INCLUDE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, type=Path)
    parser.add_argument("--include", required=True, type=Path)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    PACKAGE, LIBRARY, INCLUDE = python_package(args.library), args.library.resolve(), args.include.resolve()
    tests = (against_onnxruntime, sources, open_sizes, types, inputs, memory, profile, lists, optionals, tables, text, models_refused, places,
             as_c_has_it, documented)
    with tempfile.TemporaryDirectory() as folder: # what changes the process, one after the other
        for alone in (without_ml_dtypes, warned, at_once):
            if args.only in alone.__name__:
                alone(Path(folder))
    run_in_folders(tests, os.cpu_count(), args.only)


if __name__ == "__main__":
    main()
