"""Models of which the interpreter runs a part: one artefact for all sizes, against numpy, and what is said.

    python parts.py --mlc build/release/bin/mlc [--only TEXT]
"""
import argparse
import os
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from harness import Failure, call, run_in_folders

MLC = None
F32, I64 = TensorProto.FLOAT, TensorProto.INT64
RANDOM = np.random.default_rng(3)


def value(name, shape, dtype=F32):
    return helper.make_tensor_value_info(name, dtype, shape)


def model(nodes, inputs, outputs, **constants):
    graph = helper.make_graph(nodes, "g", inputs, outputs, [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


def node(op, inputs, outputs=("y",), name="n", **attributes):
    return helper.make_node(op, inputs, list(outputs), name=name, **attributes)


def compiled(folder, made, *flags):
    onnx.save(made, folder / "m.onnx")
    return call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.so", *flags)


def run(folder, inputs, *flags):
    args = []
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy", array)
        args += ["--input", f"{name}={folder / name}.npy"]
    result = call(MLC, "run", folder / "m.so", *args, *flags, "--output-dir", folder)
    return result


def computes(made, reference, *all_inputs):
    """One artefact, with one warning; --require-compiled refuses, with the node."""
    def test(folder):
        folder = Path(folder)
        refused = compiled(folder, made, "--require-compiled")
        if refused.code != 3 or "n" not in refused.err or "means of elements that lie apart, of an unknown size" not in refused.err:
            raise Failure(f"exit {refused.code}: {refused.err}")
        result = compiled(folder, made)
        if result.code or result.err.count("warning:") != 1 or "interpreted, which is slow" not in result.err:
            raise Failure(f"exit {result.code}: {result.err}")
        for inputs in all_inputs:
            result = run(folder, inputs, "--profile")
            if result.code or "interpreted: " not in result.out:
                raise Failure(f"exit {result.code}: {result.err}")
            for name, want in reference(**inputs).items():
                got = np.load(folder / f"{name}.npy")
                if got.shape != want.shape or got.dtype != want.dtype or not np.array_equal(got, want, equal_nan=True):
                    raise Failure(f"{name}: got {got.tolist()}, expected {want.tolist()}")
    return test


def pool_model():
    return model([node("Relu", ["x"], ["r"], "before"),
                  node("AveragePool", ["r"], ["p"], kernel_shape=[2, 2], dilations=[2, 2]), node("Neg", ["p"], ["y"], "behind")],
                 [value("x", (1, 2, "h", 5))], [value("y", (1, 2, "g", 3))])


def pool(x):
    r = np.maximum(x, 0)
    return {"y": -((r[:, :, :-2, :-2] + r[:, :, :-2, 2:] + r[:, :, 2:, :-2] + r[:, :, 2:, 2:]) / np.float32(4))}


def rows(h):
    """Eighths, so that sums are exact in any order; and what is no number."""
    x = (RANDOM.integers(-40, 40, (1, 2, h, 5)) / 8).astype(np.float32)
    x[0, 0, 0, 0], x[0, 1, -1, 0] = np.nan, np.inf
    return {"x": x}


def without_compiler(folder):
    """The runtime finds the interpreter beside itself; and nothing of it is in an artefact that has no such part."""
    folder = Path(folder)
    if compiled(folder, model([node("Relu", ["x"])], [value("x", ("n", 3))], [value("y", ("n", 3))])).code:
        raise Failure("not compiled")
    if b"mlc_interpret_operator" in (folder / "m.so").read_bytes():
        raise Failure("the artefact names the interpreter")
    if compiled(folder, pool_model()).code or b"mlc_interpret_operator" not in (folder / "m.so").read_bytes():
        raise Failure("the artefact does not name the interpreter")


# ---- nodes that the importer refuses, run one by one: against onnxruntime

def function_model():
    """A function of the model whose branches give other sizes."""
    body = [node("ReduceSum", ["p"], ["s"], "sum", keepdims=0), node("Cast", ["s"], ["c"], "cast", to=TensorProto.BOOL),
            node("If", ["c"], ["q"], "branch", then_branch=graph([node("NonZero", ["p"], ["t"], "places")], [], [value("t", ("a", "b"), I64)]),
                 else_branch=graph([node("Shape", ["p"], ["e"], "shape")], [], [value("e", ("a",), I64)]))]
    made = model([helper.make_node("Places", ["x"], ["r"], domain="own", name="n"), node("Cast", ["r"], ["f"], "cast", to=F32),
                  node("Reshape", ["f", "flat"], ["y"], "reshape")], [value("x", ("h", "w"))], [value("y", ("n",))], flat=np.array([-1]))
    made.functions.append(helper.make_function("own", "Places", ["p"], ["q"], body, [helper.make_opsetid("", 19)]))
    made.opset_import.append(helper.make_opsetid("own", 1))
    return made


def graph(nodes, inputs, outputs, **constants):
    return helper.make_graph(nodes, "b", inputs, outputs, [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()])


def grown_model():
    """What goes round is longer by the number of the iteration; each gives an element, too."""
    body = graph([node("Unsqueeze", ["i", "zero"], ["one"], "u"), node("Add", ["one", "one"], ["two"], "a"), node("Expand", ["seed", "one"], ["e"], "e"),
                  node("Concat", ["state", "e"], ["next"], "c", axis=0), node("ReduceSum", ["next"], ["sum"], "s", keepdims=0), node("Identity", ["go"], ["on"], "i")],
                 [value("i", (), I64), value("go", (), TensorProto.BOOL), value("state", ("k",))],
                 [value("on", (), TensorProto.BOOL), value("next", ("m",)), value("sum", ())], zero=np.array([0]))
    return model([node("ReduceMax", ["x"], ["seed"], "max", keepdims=0), node("Loop", ["count", "", "x"], ["long", "sums"], "n", body=body),
                  node("Neg", ["long"], ["y"], "behind"), node("Relu", ["sums"], ["z"], "also")],
                 [value("x", ("n",)), value("count", (), I64)], [value("y", ("g",)), value("z", ("h",))])


def doubled_model(size="n"):
    """What goes round is twice as long after each iteration."""
    body = graph([node("Concat", ["state", "state"], ["next"], "c", axis=0), node("Identity", ["go"], ["on"], "i")],
                 [value("i", (), I64), value("go", (), TensorProto.BOOL), value("state", ("k",))], [value("on", (), TensorProto.BOOL), value("next", ("m",))])
    return model([node("Loop", ["count", "", "x"], ["long"], "n", body=body), node("Neg", ["long"], ["y"], "behind")],
                 [value("x", (size,)), value("count", (), I64)], [value("y", ("g",))])


def sequence_model():
    """Pieces of sizes that are computed, put into a sequence in a loop, and joined."""
    body = graph([node("Gather", ["lengths", "i"], ["length"], "g"), node("Range", ["zero", "length", "one"], ["r"], "r"),
                  node("Cast", ["r"], ["f"], "c", to=F32), node("Mul", ["f", "x"], ["piece"], "m"), node("SequenceInsert", ["s", "piece"], ["t"], "i"),
                  node("Identity", ["go"], ["on"], "o")],
                 [value("i", (), I64), value("go", (), TensorProto.BOOL), helper.make_tensor_sequence_value_info("s", F32, None)],
                 [value("on", (), TensorProto.BOOL), helper.make_tensor_sequence_value_info("t", F32, None)], zero=np.int64(0), one=np.int64(1))
    return model([node("SequenceEmpty", [], ["empty"], "empty"), node("Shape", ["lengths"], ["shape"], "shape"), node("Squeeze", ["shape"], ["count"], "squeeze"),
                  node("Loop", ["count", "", "empty"], ["all"], "n", body=body), node("ConcatFromSequence", ["all"], ["y"], "join", axis=0)],
                 [value("x", ()), value("lengths", ("n",), I64)], [value("y", ("m",))])


def scan_model():
    """Scan, whose body has sizes that it computes: as many of the row as its first element says."""
    body = graph([node("Cast", ["first"], ["k"], "c", to=I64), node("Slice", ["row", "zero", "k"], ["cut"], "s"), node("ReduceSum", ["cut"], ["sum"], "r", keepdims=0),
                  node("Add", ["state", "sum"], ["next"], "a"), node("Mul", ["row", "sum"], ["out"], "m")],
                 [value("state", ()), value("first", (1,)), value("row", ("w",))], [value("next", ()), value("out", ("w",))], zero=np.array([0]))
    return model([node("Scan", ["begin", "lengths", "x"], ["last", "y"], "n", body=body, num_scan_inputs=2, scan_input_axes=[0, 1], scan_output_axes=[1],
                       scan_output_directions=[1])], [value("x", ("w", "h")), value("lengths", ("h", 1))], [value("last", ()), value("y", ("w", "h"))],
                 begin=np.float32(0.5))


def suppression_model():
    """Non-maximum suppression of any number of boxes, in a branch."""
    then = graph([node("NonMaxSuppression", ["boxes", "scores", "most", "overlap"], ["chosen"], "nms"), node("Gather", ["chosen", "two"], ["places"], "g", axis=1)],
                 [], [value("places", ("k",), I64)], most=np.array([9]), overlap=np.array([0.4], np.float32), two=np.int64(2))
    other = graph([node("ConstantOfShape", ["none"], ["e"], "c", value=numpy_helper.from_array(np.array([0]))), ], [], [value("e", ("k",), I64)], none=np.array([0]))
    return model([node("Shape", ["boxes"], ["shape"], "shape"), node("Gather", ["shape", "one"], ["count"], "count"), node("Greater", ["count", "three"], ["many"], "many"),
                  node("If", ["many"], ["places"], "n", then_branch=then, else_branch=other), node("Gather", ["boxes", "places"], ["y"], "take", axis=1)],
                 [value("boxes", (1, "n", 4)), value("scores", (1, 1, "n"))], [value("y", (1, "k", 4))], one=np.int64(1), three=np.int64(3))


def boxes(n):
    corners = RANDOM.random((1, n, 2)).astype(np.float32)
    return {"boxes": np.concatenate([corners, corners + RANDOM.random((1, n, 2)).astype(np.float32)], 2), "scores": RANDOM.random((1, 1, n)).astype(np.float32)}


def agrees(made, node_name, why, *all_inputs):
    """One artefact, with one warning; the same bits as onnxruntime. `why` is in the profile."""
    def test(folder):
        folder = Path(folder)
        refused = compiled(folder, made, "--require-compiled")
        if refused.code != 3 or "is not supported" not in refused.err:
            raise Failure(f"exit {refused.code}: {refused.err}")
        result = compiled(folder, made)
        if result.code or result.err.count("warning:") != 1 or f"'{node_name}'" not in result.err:
            raise Failure(f"exit {result.code}: {result.err}")
        session = onnxruntime.InferenceSession(folder / "m.onnx", providers=["CPUExecutionProvider"])
        for inputs in all_inputs:
            result = run(folder, inputs, "--profile")
            if result.code or f"interpreted: {why}" not in result.out:
                raise Failure(f"exit {result.code}: {result.err} {result.out}")
            for output, want in zip(session.get_outputs(), session.run(None, {n: np.asarray(a) for n, a in inputs.items()})):
                got = np.load(folder / f"{output.name}.npy")
                if got.shape != want.shape or got.dtype != want.dtype or not np.array_equal(got, want, equal_nan=True):
                    raise Failure(f"{output.name}: got {got.tolist()}, expected {want.tolist()}")
    return test


def ragged_model():
    """Elements of iterations that are as long as what was given says."""
    body = graph([node("Gather", ["lengths", "i"], ["length"], "g"), node("Range", ["zero", "length", "one"], ["r"], "r"), node("Identity", ["go"], ["on"], "o")],
                 [value("i", (), I64), value("go", (), TensorProto.BOOL)], [value("on", (), TensorProto.BOOL), value("r", ("k",), I64)],
                 zero=np.int64(0), one=np.int64(1))
    return model([node("Shape", ["lengths"], ["shape"], "shape"), node("Squeeze", ["shape"], ["count"], "squeeze"),
                  node("Loop", ["count", ""], ["y"], "n", body=body)], [value("lengths", ("n",), I64)], [value("y", ("m", "k"), I64)])


def text_model():
    """A branch with strings in it."""
    other = graph([node("Cast", ["text"], ["e"], "read", to=F32)], [], [value("e", ("k",))], text=np.array(["1.5"], object))
    then = graph([node("NonZero", ["x"], ["t"], "places"), node("Cast", ["t"], ["f"], "cast", to=F32), node("Reshape", ["f", "flat"], ["r"], "flat")],
                 [], [value("r", ("k",))], flat=np.array([-1]))
    return model([node("Greater", ["s", "zero"], ["c"], "c"), node("If", ["c"], ["y"], "n", then_branch=then, else_branch=other)],
                 [value("x", ("n",)), value("s", ())], [value("y", ("k",))], zero=np.float32(0))


def no_condition_model():
    """A loop that goes on by what is no truth value."""
    made = ragged_model()
    body = made.graph.node[2].attribute[0].g
    body.node[2].CopyFrom(node("Cast", ["go"], ["on"], "o", to=F32))
    body.output[0].type.tensor_type.elem_type = F32
    return made


def scanned_model():
    """Two inputs of other sizes are scanned."""
    made = scan_model()
    made.graph.input[1].type.tensor_type.shape.dim[0].dim_param = "other"
    return made


def stretched_model():
    """Elements of iterations that are as many as what was given says."""
    made = ragged_model()
    body = made.graph.node[2].attribute[0].g
    body.node[1].CopyFrom(node("Expand", ["zero", "longer"], ["r"], "r"))
    body.node.insert(1, node("Unsqueeze", ["length", "axes"], ["longer"], "u"))
    body.initializer.append(numpy_helper.from_array(np.array([0]), "axes"))
    return made


def named_alike_model():
    """A tensor with the name that an item of a sequence has inside."""
    body = graph([node("Mul", ["s[0]", "x"], ["t"], "m"), node("SequenceInsert", ["s", "t"], ["s1"], "i"), node("SequenceInsert", ["s", "s[0]"], ["u"], "j"),
                  node("SequenceAt", ["u", "one"], ["v"], "a"), node("ConcatFromSequence", ["u"], ["joined"], "c", axis=0),
                  node("SequenceErase", ["s1"], ["w"], "e"), node("Identity", ["go"], ["on"], "o")],
                 [value("i", (), I64), value("go", (), TensorProto.BOOL), helper.make_tensor_sequence_value_info("s", F32, None)],
                 [value("on", (), TensorProto.BOOL), helper.make_tensor_sequence_value_info("w", F32, None), value("v", ("k",))], one=np.int64(-1))
    return model([node("SequenceEmpty", [], ["empty"], "empty"), node("Concat", ["x", "x"], ["s[0]"], "double", axis=0),
                  node("Concat", ["x", "x"], ["x2"], "also", axis=0), node("SequenceInsert", ["empty", "x2"], ["first"], "first"),
                  node("Loop", ["count", "", "first"], ["all", "y"], "n", body=body)],
                 [value("x", (1,)), value("count", (), I64)], [value("y", ("m", "k"))])


def unsorted(folder):
    """The body's nodes backwards, of which one takes what another gives into its branches alone."""
    made = ragged_model()
    body = made.graph.node[2].attribute[0].g
    then = graph([node("Neg", ["r"], ["a"], "neg")], [], [value("a", ("k",), I64)])
    other = graph([node("Identity", ["r"], ["b"], "same")], [], [value("b", ("k",), I64)])
    body.node.append(node("If", ["on"], ["q"], "if", then_branch=then, else_branch=other))
    body.output[1].name = "q"
    nodes = list(body.node)
    del body.node[:]
    body.node.extend(reversed(nodes))
    folder = Path(folder)
    compiled(folder, made)
    for lengths in ([2, 2], [3]):
        result = run(folder, {"lengths": np.array(lengths)})
        if result.code or not np.array_equal(np.load(folder / "y.npy"), [-np.arange(n) for n in lengths]):
            raise Failure(f"exit {result.code}: {result.err}")


def external_body(folder):
    """Constants of a body that lie in another file are not in the artefact: refused when compiled."""
    folder = Path(folder)
    made = ragged_model()
    zero = made.graph.node[2].attribute[0].g.initializer[0]
    (folder / "zero.bin").write_bytes(numpy_helper.to_array(zero).tobytes())
    zero.ClearField("raw_data")
    zero.ClearField("int64_data")
    zero.data_location = TensorProto.EXTERNAL
    zero.external_data.add(key="location", value="zero.bin")
    result = compiled(folder, made)
    if result.code != 3 or "is not supported: its input 'length' is computed at run time" not in result.err:
        raise Failure(f"exit {result.code}: {result.err}")


def nothing_declared(folder):
    """No iteration, and a body that declares less than nothing."""
    folder = Path(folder)
    made = ragged_model()
    made.graph.node[2].attribute[0].g.output[1].type.tensor_type.shape.dim[0].dim_value = -3
    result = compiled(folder, made)
    if result.code not in (0, 1):
        raise Failure(f"exit {result.code}: {result.err}")
    if result.code == 0:
        result = run(folder, {"lengths": np.array([], np.int64)})
        if result.code or np.load(folder / "y.npy").shape != (0, 0):
            raise Failure(f"exit {result.code}: {result.err}")


def too_many_nodes(folder):
    """A chain of nodes of which only a run knows the rank, longer than runs at a time."""
    folder = Path(folder)
    branches = [graph([node(op, ["x"], ["b"], "b", **more)], [], [value("b", None)]) for op, more in (("Exp", {}), ("Flatten", {"axis": 0}))]
    nodes = [node("If", ["c"], ["y0"], "either", then_branch=branches[0], else_branch=branches[1])]
    nodes += [node("Relu", [f"y{i}"], [f"y{i + 1}"], f"n{i + 1}") for i in range(4096)]
    made = model([*nodes, node("Reshape", ["y4096", "s"], name="last")], [value("x", (3,)), value("c", (), TensorProto.BOOL)], [value("y", (3,))], s=np.array([3]))
    result = compiled(folder, made)
    if result.code != 3 or "node 'n4096' (Relu), opset 19, is not supported: only a run knows the rank of its input, and it cannot be run by itself: it needs too many nodes or tensors" not in result.err:
        raise Failure(f"exit {result.code}: {result.err}")


def fails_once(folder):
    """A run after one that failed, or with other sizes, is as the first."""
    folder = Path(folder)
    compiled(folder, ragged_model())
    for lengths, ok in (([2, 2], True), ([2, 3], False), ([2, 2], True), ([0, 0, 0], True), ([2**60], False), ([1], True)):
        result = run(folder, {"lengths": np.array(lengths)})
        if (result.code == 0) != ok or (ok and not np.array_equal(np.load(folder / "y.npy"), [np.arange(n) for n in lengths])):
            raise Failure(f"{lengths}: exit {result.code}: {result.err}")


def fails(made, words, inputs):
    """When it runs, with these words."""
    def test(folder):
        folder = Path(folder)
        result = compiled(folder, made)
        if result.code:
            raise Failure(f"exit {result.code}: {result.err}")
        result = run(folder, inputs)
        if result.code != 1 or words not in result.err:
            raise Failure(f"exit {result.code}: {result.err}")
    return test


def without_rank(folder):
    """An output of which only a run knows the rank is refused."""
    folder = Path(folder)
    made = function_model()
    del made.graph.node[1:]
    made.graph.output[0].CopyFrom(helper.make_tensor_value_info("r", I64, None))
    result = compiled(folder, made)
    if result.code != 3 or "that an iteration or a branch computes" not in result.err:
        raise Failure(f"exit {result.code}: {result.err}")


def tests():
    eighths = (RANDOM.integers(-40, 40, (6, 5)) / 8).astype(np.float32)
    return {
        "pool": computes(pool_model(), pool, rows(3), rows(9), rows(4), rows(30)),
        "without-compiler": without_compiler,
        "function": agrees(function_model(), "n", "only a run knows the rank of its input", {"x": np.array([[1, 0, 2], [0, 0, 3]], np.float32)}, {"x": np.zeros((2, 5), np.float32)}),
        "grown": agrees(grown_model(), "n", "its input 'one' is computed", *[{"x": eighths[0, :n], "count": np.int64(c)} for n, c in ((3, 4), (1, 1), (5, 0), (2, 30))]),
        "doubled": agrees(doubled_model(), "n", "its results have sizes that change or differ", *[{"x": eighths[0, :n], "count": np.int64(n)} for n in (3, 1, 0)]),
        "doubled-static": agrees(doubled_model(3), "n", "a shape that only a run knows", {"x": eighths[0, :3], "count": np.int64(5)}),
        "sequence": agrees(sequence_model(), "n", "", *[{"x": np.float32(1.5), "lengths": np.array(a)} for a in ([3, 1, 2], [0, 4], [7])]),
        "scan": agrees(scan_model(), "n", "", *[{"x": eighths[:, :h], "lengths": np.array([[3], [0], [6], [2], [9]], np.float32)[:h]} for h in (1, 5, 3)]),
        "suppression": agrees(suppression_model(), "n", "", *[boxes(n) for n in (2, 3, 4, 40)]),
        "faults": fails(sequence_model(), "ConcatFromSequence", {"x": np.float32(1), "lengths": np.array([], np.int64)}),
        "ragged": fails(ragged_model(), "iterations give elements of other types or sizes", {"lengths": np.array([2, 3])}),
        "text": fails(text_model(), "strings, maps and lists of lists are not interpreted", {"x": eighths[0], "s": np.float32(-1)}),
        "no-condition": fails(no_condition_model(), "a count or a condition is no integer or truth value", {"lengths": np.array([2, 2])}),
        "scanned": fails(scanned_model(), "inputs to scan have 3 and 4 elements", {"x": eighths[:, :4], "lengths": np.zeros((3, 1), np.float32)}),
        "without-rank": without_rank,
        "too-large": fails(stretched_model(), "'graph.expand' op needs 9007199254740992 bytes, which passes the interpreter's memory limit of ", {"lengths": np.array([2**50])}),
        "much-too-large": fails(stretched_model(), "'graph.expand' op makes a value of too many elements", {"lengths": np.array([2**62])}),
        "named-alike": fails(named_alike_model(), "its inputs, outputs or attributes are not as its operator has them", {"x": eighths[0, :1], "count": np.int64(2)}),
        "unsorted": unsorted,
        "external-body": external_body,
        "nothing-declared": nothing_declared,
        "too-many-nodes": too_many_nodes,
        "fails-once": fails_once,
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
