"""Writes linear_relu.onnx, the textbook case: x [1, 3072], w [200, 3072], out [1, 200] = relu(x w^T).

The model's graph calls two functions of its own (ONNX local functions), `linear` and `relu`, one after the other; the
compiler folds them into one kernel. Both x and w are inputs, so the file is all structure and a few hundred bytes.

    python make.py [DATA]    # needs numpy and onnx; also writes x.npy, w.npy and out.npy to the folder DATA, where given
"""
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

DOMAIN = "mlc.examples"
OPSETS = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)]


def function(name, inputs, outputs, nodes):
    return helper.make_function(DOMAIN, name, inputs, outputs, nodes, OPSETS[:1])


def tensor(name, shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def model():
    linear = function("linear", ["a", "b"], ["ab"], [
        helper.make_node("Transpose", ["b"], ["bt"], name="transpose", perm=[1, 0]),
        helper.make_node("MatMul", ["a", "bt"], ["ab"], name="matmul")])
    relu = function("relu", ["v"], ["r"], [helper.make_node("Relu", ["v"], ["r"], name="relu")])
    calls = [helper.make_node("linear", ["x", "w"], ["y"], name="linear", domain=DOMAIN),
             helper.make_node("relu", ["y"], ["out"], name="relu", domain=DOMAIN)]
    graph = helper.make_graph(
        calls, "linear_relu", [tensor("x", [1, 3072]), tensor("w", [200, 3072])], [tensor("out", [1, 200])])
    return helper.make_model(graph, functions=[linear, relu], opset_imports=OPSETS, ir_version=8, producer_name="mlc")


def write_data(folder):
    rng = np.random.default_rng(0)
    w = (rng.standard_normal((200, 3072)) / np.sqrt(3072)).astype(np.float32)
    x = rng.standard_normal((1, 3072)).astype(np.float32)
    out = np.maximum(x.astype(np.float64) @ w.astype(np.float64).T, 0).astype(np.float32)  # rounded once
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in ("x", x), ("w", w), ("out", out):
        np.save(folder / f"{name}.npy", value)


def main():
    made = model()
    onnx.checker.check_model(made, full_check=True)
    onnx.save(made, Path(__file__).resolve().parent / "linear_relu.onnx")
    if len(sys.argv) > 1:
        write_data(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
