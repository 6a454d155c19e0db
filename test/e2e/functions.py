"""Operators that are functions in C: what models with them compute, and what is said where they do not fit.

    python functions.py --mlc build/release/bin/mlc --example RUNS.so --odd ODD.so [--only TEXT]
"""
import argparse
import os
import shutil
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from custom_operators import acme, model, value
from harness import Failure, call, run_in_folders

MLC = EXAMPLE = ODD = None
F32, I64 = TensorProto.FLOAT, TensorProto.INT64
X = np.arange(6, dtype=np.float32).reshape(2, 3) - 2

GATE = """
dialect: {name: com_acme, summary: Operators., constants: [arith.constant]}
ops:
  - name: Gate
    summary: A record for what a function computes.
    operands: [{name: x, type: ranked_tensor}, {name: by, type: ranked_tensor}]
    results: [{name: y, type: ranked_tensor}]
    attributes: [{name: factor, type: f32_attr, default: "3.0 : f32"}]
    traits: [pure]
    relations: ["y = x"]
  - name: Odd
    summary: Has a body, so its function is not called.
    operands: [{name: x, type: ranked_tensor}]
    results: [{name: y, type: ranked_tensor}]
    traits: [pure, elementwise]
    body: "x + 1.0"
"""


def write(folder, made, inputs):
    onnx.save(made, folder / "m.onnx")
    args = []
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy", array)
        args += ["--input", f"{name}={folder / name}.npy"]
    return args


def outputs_of(folder):
    got = {f.stem: np.load(f) for f in (folder / "out").glob("*.npy")}
    shutil.rmtree(folder / "out", ignore_errors=True)
    return got


def compare(result, got, want):
    if result.code or set(got) != set(want):
        raise Failure(f"exit {result.code}, outputs {sorted(got)}: {result.err}")
    for name, array in want.items():
        array = np.asarray(array)
        if got[name].shape != array.shape or got[name].dtype != array.dtype or not np.array_equal(got[name], array):
            raise Failure(f"{name}: got {got[name].tolist()}, expected {array.tolist()}")


def computes(made, inputs, library=None, flags=(), yaml=None, **want):
    """By `mlc run`, and by an artefact, with the library given and beside it."""
    def test(folder):
        folder = Path(folder)
        args = write(folder, made, inputs)
        own = list(flags)
        if yaml:
            (folder / "own.yaml").write_text(yaml)
            own.append(f"--load={folder / 'own.yaml'}")
        libraries = [f"--shared-libs={library or ODD}"]
        out = ["--output-dir", folder / "out"]
        compare(call(MLC, "run", folder / "m.onnx", *args, *libraries, *own, *out), outputs_of(folder), want)
        made_artefact = call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.so", *libraries, *own)
        if made_artefact.code:
            raise Failure(made_artefact.err)
        compare(call(MLC, "run", folder / "m.so", *args, *libraries, *out), outputs_of(folder), want)
        shutil.copy(library or ODD, folder)
        compare(call(MLC, "run", folder / "m.so", *args, *out), outputs_of(folder), want)
    return test


def says(made, code, *messages, inputs=None, flags=()):
    def test(folder):
        folder = Path(folder)
        args = write(folder, made, {"x": X} if inputs is None else inputs)
        result = call(MLC, "run", folder / "m.onnx", *args, f"--shared-libs={ODD}", *flags, "--output-dir", folder / "out")
        missing = [m for m in messages if m not in result.err]
        if result.code != code or missing or outputs_of(folder):
            raise Failure(f"exit {result.code}, not {code}; not said: {missing}; said: {result.err}")
    return test


def acme_model():
    """The operators of examples/functions among others; sizes are open."""
    nodes = [helper.make_node("Relu", ["x"], ["r"]), acme("Window", ["r"], ["w"], size=2),
             helper.make_node("Mul", ["w", "w"], ["y"]), acme("Runs", ["v"], ["count", "lengths"], gap=0.5)]
    return model(nodes, [value("x", ("rows", 4)), value("v", ("n",))],
                 [value("y", ("rows", 3)), value("count", (), I64), value("lengths", ("n",), I64)])


def example(folder):
    made = acme_model()
    for rows in 1, 3:
        x = np.random.default_rng(rows).standard_normal((rows, 4)).astype(np.float32)
        relu = np.maximum(x, 0)
        v = np.array([1, 1.25, 1.5, 3, 3, 9][:3 * rows], np.float32)
        lengths = [3, 0, 0] if rows == 1 else [3, 2, 1, 0, 0, 0]
        computes(made, {"x": x, "v": v[:len(lengths)]}, library=EXAMPLE, y=np.maximum(relu[:, :-1], relu[:, 1:])**2,
                 count=np.int64(1 if rows == 1 else 3), lengths=np.array(lengths, np.int64))(folder)


def fails_when_run(folder):
    """A function that fails: the node, the operator and its words; and the artefact without its library."""
    folder = Path(folder)
    args = write(folder, acme_model(), {"x": np.zeros((1, 4), np.float32), "v": np.array([np.nan], np.float32)})
    result = call(MLC, "run", folder / "m.onnx", *args, f"--shared-libs={EXAMPLE}")
    if result.code != 1 or "'n': operator 'com.acme.Runs' fails: a number is NaN" not in result.err:
        raise Failure(f"exit {result.code}: {result.err}")
    if call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.so", f"--shared-libs={EXAMPLE}").code:
        raise Failure("not compiled")
    for libraries, message in ([], "cannot open shared object file"), ([f"--shared-libs={ODD}"], "does not define 'com_acme_Window'"):
        result = call(MLC, "run", folder / "m.so", *args, *libraries, cwd="/")
        want = f"is the function 'com_acme_Window' of '{EXAMPLE.name}', which is not there"
        if result.code != 1 or want not in result.err or message not in result.err:
            raise Failure(f"exit {result.code}: {result.err}")
    shutil.copy(ODD, folder / EXAMPLE.name)  # another library of that name
    result = call(MLC, "run", folder / "m.so", *args, cwd="/")
    if result.code != 1 or f"'{folder / EXAMPLE.name}' does not define 'com_acme_Window'" not in result.err:
        raise Failure(f"exit {result.code}: {result.err}")
    inspected = call(MLC, "inspect", folder / "m.so", f"--shared-libs={EXAMPLE}")
    if inspected.code or "kernel_1: n" not in inspected.out:
        raise Failure(f"exit {inspected.code}: {inspected.out}{inspected.err}")


def in_branches():
    """A function that is called in a branch, of what a loop outside made."""
    def branch(name, nodes):
        return helper.make_graph(nodes, name, [], [value(name + "_y")])
    then = branch("then", [acme("Gate", ["x", "two"], ["then_g"], factor=2.0), helper.make_node("Neg", ["then_g"], ["then_y"])])
    other = branch("other", [helper.make_node("Abs", ["x"], ["other_y"])])
    nodes = [helper.make_node("Add", ["x", "x"], ["two"]),
             helper.make_node("ReduceSum", ["x"], ["sum"], keepdims=0), helper.make_node("Greater", ["sum", "zero"], ["c"]),
             helper.make_node("If", ["c"], ["y"], then_branch=then, else_branch=other)]
    made = model(nodes, ["x"], ["y"])
    made.graph.initializer.append(helper.make_tensor("zero", F32, [], [0.0]))
    made.opset_import.append(helper.make_opsetid("com.acme", 1))
    return made


def tests():
    told = model([acme("Told", ["k", "", "x"], ints=[3, 4], floats=[0.5, 1.0], text="abc")], ["x", value("k", (2,), I64)],
                 [value("y", (8,))])
    constant = model([acme("Told", ["k"], ints=[1])], ["x"], [value("y", (9,)), value("x")])
    constant.graph.initializer.append(helper.make_tensor("k", I64, [2], [4, 5]))
    odd = {f"{name}-{how}": says(model([acme("Odd", ["x"], **{name: how})]), code, message)
           for name, how, code, message in [
               ("shape", 1, 1, "node 'n' (Odd): its shape rule fails: as it was asked to"),
               ("shape", 2, 3, "its shape rule gives output 0 no type that there is"),
               ("shape", 3, 3, "its shape rule gives output 0 too many elements"),
               ("run", 5, 1, "operator 'com.acme.Odd' fails: code 5")]}
    unranked = value("x", None)
    return {
        "example": example, "fails": fails_when_run,
        "told": computes(told, {"x": X, "k": np.array([7, 7], np.int64)}, y=np.array([1, 3, 3, 7, 1.5, 3, 1, 0], np.float32)),
        "rule-sees-constants": computes(constant, {"x": X}, x=X, y=np.array([1, 1, 1, 1, 0, -1, 0, 0, 0], np.float32)),
        "as-declared": computes(model([acme("Declared", ["x"])], [value("x", ("n", 3))], [value("y", ("n", 3))]), {"x": X}, y=X),
        "nobody-says": says(model([acme("Declared", ["x"], ["h"]), helper.make_node("Add", ["h", "h"], ["y"])]), 3,
                            "neither 'com_acme_Declared_shape' nor the model says of which type output 0 is"),
        "record": computes(model([acme("Gate", ["x", "b"])], ["x", "b"]), {"x": X, "b": -X}, yaml=GATE,
                           y=np.where(-X > 0, X * 3, 0).astype(np.float32)),
        "body-first": computes(model([acme("Odd", ["x"]), ]), {"x": X}, yaml=GATE, y=X + 1),
        "instead-of-onnx": computes(model([helper.make_node("Softplus", ["x"], ["y"])]), {"x": X}, y=np.full((2, 3), 7, np.float32)),
        "in-a-branch": computes(in_branches(), {"x": X + 3}, yaml=GATE, y=-(np.where(X + 3 > 0, (X + 3) * 2, 0)).astype(np.float32)),
        "other-branch": computes(in_branches(), {"x": X - 9}, yaml=GATE, y=np.abs(X - 9)),
        "twice": computes(model([acme("Gate", ["x", "b"], ["p"], factor=2.0), acme("Gate", ["x", "b"], ["q"], factor=2.0),
                                 helper.make_node("Add", ["p", "q"], ["s"]), acme("Gate", ["s", "b"], ["y"], factor=2.0)],
                                ["x", "b"]), {"x": X, "b": np.ones_like(X)}, yaml=GATE, y=X * 8),
        **odd,
        "attribute": says(model([acme("Odd", ["x"], t=helper.make_tensor("t", F32, [1], [0]))]), 3,
                          "attribute 't' is no number, string or list of numbers"),
        "unranked": says(model([helper.make_node("Relu", ["x"], ["r"]), acme("Odd", ["r"])], [unranked]), 3, "rank"),
        "no-library": says(model([acme("Odd", ["x"])]), 1, "cannot open the shared library '/nowhere.so'",
                           flags=["--shared-libs=/nowhere.so"]),
    }


def main():
    global MLC, EXAMPLE, ODD
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--example", type=Path, required=True)
    parser.add_argument("--odd", type=Path, required=True)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    MLC, EXAMPLE, ODD = args.mlc.resolve(), args.example.resolve(), args.odd.resolve()
    run_in_folders(tests(), os.cpu_count(), args.only)


if __name__ == "__main__":
    main()
