"""Operators of a user's dialect in ONNX models: what they compute, against numpy, and what is said where they do not fit.

    python custom_operators.py --mlc build/release/bin/mlc [--only TEXT]
"""
import argparse
import os
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from harness import Failure, call, run_in_folders

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/operators"
MLC = None

DIALECT = """
dialect: {name: com_acme, summary: Operators., constants: [arith.constant]}
constraints:
  floats: {attr_kind: dense_array, elements: f32, summary: f32 dense array attribute}
ops:
  - name: Blend
    summary: Element-wise, of shapes that are stretched to one.
    operands: [{name: a, type: ranked_tensor}, {name: b, type: ranked_tensor}]
    results: [{name: y, type: ranked_tensor}]
    attributes: [{name: share, type: f64_attr}, {name: shift, type: i32_attr, default: "0 : i32"}]
    traits: [pure, elementwise, broadcast]
    body: "a + (b - a) * share + shift"
  - name: Marked
    summary: Takes attributes of each kind.
    operands: [{name: x, type: ranked_tensor}]
    results: [{name: y, type: ranked_tensor}]
    attributes:
      - {name: on, type: bool_attr, optional: true}
      - {name: sizes, type: dense_i64_array, optional: true}
      - {name: weights, type: floats, optional: true}
      - {name: mode, type: string_attr, optional: true}
    traits: [pure]
    relations: ["y = x"]
  - name: Both
    summary: Two results, of which only the model says what they are; its second operand may be left out.
    operands: [{name: x, type: ranked_tensor}, {name: by, type: ranked_tensor, arity: optional}]
    results: [{name: sum, type: ranked_tensor}, {name: product, type: ranked_tensor}]
    traits: [pure]
  - name: Around
    summary: Has a region.
    results: [{name: y, type: ranked_tensor}]
    regions: [{name: body}]
"""
RULES = """
dialect com_acme
lowering acme_to_graph {
  rule both: Both(x: T, by) => (graph.add(x, by): T, graph.mul(x, by): T)
  rule same: Both(x: T) => (graph.add(x, x): T, graph.mul(x, x): T)
}
"""


def value(name, shape=(2, 3), dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def acme(op, inputs, outputs=("y",), domain="com.acme", **attributes):
    return helper.make_node(op, inputs, list(outputs), "n", domain=domain, **attributes)


def model(nodes, inputs=("x",), outputs=("y",), functions=()):
    infos = [[value(v) if isinstance(v, str) else v for v in side] for side in (inputs, outputs)]
    imports = [helper.make_opsetid("", 17), *(helper.make_opsetid(d, 1) for d in sorted({n.domain for n in nodes} - {""}))]
    return helper.make_model(helper.make_graph(nodes, "g", *infos), opset_imports=imports, ir_version=8, functions=list(functions))


def run(folder, made, inputs, yaml=None, rules=None, flags=()):
    """The result of `mlc run`, and the outputs by name."""
    folder = Path(folder)
    onnx.save(made, folder / "m.onnx")
    args = list(flags)
    for flag, text in ("dialect", yaml), ("rules", rules):
        if text:
            (folder / f"own.{flag}").write_text(text)
            args.append(f"--load-{flag}={folder / f'own.{flag}'}")
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy", array)
        args += ["--input", f"{name}={folder / name}.npy"]
    result = call(MLC, "run", folder / "m.onnx", *args, "--output-dir", folder / "out")
    return result, {f.stem: np.load(f) for f in (folder / "out").glob("*.npy")}


def close(got, want):
    if got.shape != want.shape or not np.allclose(got, want, rtol=1e-6, atol=1e-6, equal_nan=True):
        raise Failure(f"got {got.tolist()}, expected {want.tolist()}")


def computes(made, inputs, **want):
    def test(folder):
        result, got = run(folder, made, inputs, DIALECT, RULES)
        if result.code or set(got) != set(want):
            raise Failure(f"exit {result.code}, outputs {sorted(got)}: {result.err}")
        for name, array in want.items():
            close(got[name], array)
    return test


def says(made, code, *messages, yaml=DIALECT, rules=RULES):
    def test(folder):
        result, got = run(folder, made, {"x": np.zeros((2, 3), np.float32)}, yaml, rules)
        missing = [m for m in messages if m not in result.err]
        if result.code != code or missing or got:
            raise Failure(f"exit {result.code}, not {code}; not said: {missing}; said: {result.err}")
    return test


def example(folder):
    """The files of examples/operators, on ordinary, poisoned and extreme rows."""
    x = np.array([[-1, 0.5, 2, 0], [np.nan, np.inf, 1e30, -1e30]], np.float32)
    np.save(Path(folder) / "x.npy", x)
    result = call(MLC, "run", EXAMPLE / "gated.onnx", f"--load={EXAMPLE / 'acme.yaml'}", "--input", f"x={folder}/x.npy",
                  "--output-dir", folder)
    if result.code:
        raise Failure(result.err)
    with np.errstate(over="ignore", invalid="ignore"):
        relu = np.maximum(x, 0)
        want = relu / (1 + np.exp(-2 * relu)) / (1 + np.exp(-x))
    close(np.load(Path(folder) / "y.npy"), want)


X = np.arange(6, dtype=np.float32).reshape(2, 3) - 2
ROW = np.array([3, -1, 0.5], np.float32)


def tests():
    blend = model([acme("Blend", ["x", "b"], share=0.25, shift=2)], ["x", value("b", (3,))])
    whole = helper.make_function("com.acme", "Blend", ["a", "b"], ["y"], [helper.make_node("Sub", ["a", "b"], ["y"])],
                                 [helper.make_opsetid("", 17)])
    two = [value("s"), value("p")]
    unknown = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    return {
        "example": example,
        "elementwise-broadcast": computes(blend, {"x": X, "b": ROW}, y=X + (ROW - X) * 0.25 + 2),
        "before-the-models-function": computes(model([acme("Blend", ["x", "x"], share=0.5)], functions=[whole]), {"x": X}, y=X),
        "two-results": computes(model([acme("Both", ["x", "b"], ["s", "p"])], ["x", "b"], two), {"x": X, "b": -X}, s=X * 0, p=-X * X),
        "optional-left-out": computes(model([acme("Both", ["x", ""], ["s", "p"])], outputs=two), {"x": X}, s=X + X, p=X * X),
        "no-dialect": says(blend, 3, "node 'n' (Blend) is not supported: its domain is 'com.acme'; a dialect 'com_acme' with an op "
                           "'Blend' could say what it means (--load), or a function of a library (--shared-libs)", yaml=None, rules=None),
        "no-op": says(model([acme("Bland", ["x"])]), 3, "the dialect 'com_acme' has no such op; did you mean 'Blend'?"),
        "no-op-like-it": says(model([acme("Zzz", ["x"])]), 3, "the dialect 'com_acme' has no such op"),
        "no-attribute": says(model([acme("Blend", ["x", "x"], share=1.0, shade=1.0)]), 1, "'com_acme.Blend' has no attribute 'shade'"),
        "wrong-attribute": says(model([acme("Blend", ["x", "x"], share="half")]), 1,
                                "attribute 'share' of 'com_acme.Blend' is to be 64-bit float attribute"),
        "wrong-number": says(model([acme("Blend", ["x", "x"], share=1.0, shift=2**40)]), 1, "is to be 32-bit signless integer"),
        "attribute-missing": says(model([acme("Blend", ["x", "x"])]), 1, "requires attribute 'share'"),
        "too-few-inputs": says(model([acme("Blend", ["x"], share=1.0)]), 1, "'com_acme.Blend' does not take 1 inputs"),
        "input-left-out": says(model([acme("Blend", ["", "x"], share=1.0)]), 1, "input 0 is required"),
        "too-many-outputs": says(model([acme("Blend", ["x", "x"], ["y", "z"], share=1.0)]), 1,
                                 "'com_acme.Blend' does not have 2 outputs"),
        "result-unknown": says(model([acme("Both", ["x"], ["s", "p"]), helper.make_node("Add", ["s", "p"], ["y"])]), 3,
                               "neither 'com_acme.Both' nor the model says of which type output 0 is"),
        "shapes-do-not-fit": says(model([acme("Blend", ["x", "b"], share=1.0)], ["x", value("b", (2, 2))], [unknown]), 1, "n"),
        "region": says(model([acme("Around", [])]), 3, "'com_acme.Around' has regions or successors, which no node has"),
        "not-lowered": says(model([acme("Marked", ["x"], on=1, sizes=[1, 2], weights=[0.5], mode="m")]), 3, "com_acme.Marked"),
        "truth-of-two": says(model([acme("Marked", ["x"], on=2)]), 1, "attribute 'on' of 'com_acme.Marked' is to be bool attribute"),
        "built-in-dialect": says(model([acme("reshape", ["x", "x"], domain="tensor")]), 3, "its domain is 'tensor'"),
    }


def main():
    global MLC
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    MLC = args.mlc.resolve()
    run_in_folders(tests(), os.cpu_count(), args.only)


if __name__ == "__main__":
    main()
