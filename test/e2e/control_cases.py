"""Cases of cases.py with control flow and recurrence: If, Loop and Scan with their bodies, LSTM, GRU and RNN."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

F32, I64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def info(name, shape, dtype=F32):
    return helper.make_tensor_value_info(name, dtype, shape)


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


def body(nodes, outputs, inputs=(), consts=()):
    """A subgraph; `consts` are (name, array)."""
    return helper.make_graph(list(nodes), "body", list(inputs), list(outputs),
                             [numpy_helper.from_array(np.asarray(array), name) for name, array in consts])


def truth(b, value):
    return b.const(np.array(value))


def floats(*numbers):
    return np.array(numbers, np.float32)


# ---- If

def branches(shape=(2, 3)):
    """2 x + c, with an initialiser of its own, and -x: both capture `x`."""
    double = body([node("Mul", "x two", "d"), node("Add", "d c0", "then")], [info("then", shape)], consts=[("two", np.float32(2))])
    return double, body([node("Neg", "x", "else")], [info("else", shape)])


def if_cases(Build):
    for value in (True, False):
        b = Build(f"if-{value}".lower())
        b.input((2, 3))
        condition = b.truths((1,))
        b.feeds[condition] = np.array([value])
        b.const((2, 3))
        then, other = branches()
        b.done(b.op("Relu", b.op("If", condition, then_branch=then, else_branch=other)))
    b = Build("if-computed-condition")
    b.input((2, 3))
    b.const((2, 3))
    sum_ = b.op("ReduceSum", "x", keepdims=0)
    then, other = branches()
    b.done(b.op("If", b.op("Greater", sum_, b.const(np.float32(0))), then_branch=then, else_branch=other))
    b = Build("if-known-condition")  # the other branch has another shape
    b.input((2, 3))
    b.const((2, 3))
    then = body([node("Transpose", "x", "then", perm=[1, 0])], [info("then", (3, 2))])
    b.done(b.op("If", truth(b, False), then_branch=then, else_branch=branches()[1]), shape=(2, 3))
    b = Build("if-choice")  # of values from outside, of constants, and one that a branch makes
    b.input((2, 3))
    condition = b.truths(())
    b.op("Exp", "x")  # t0
    then = body([node("Neg", "x", "n"), node("Identity", "x", "a")], [info("a", (2, 3)), info("k", (3,)), info("n", (2, 3))],
                consts=[("k", floats(1, 2, 3))])
    other = body([node("Identity", "t0", "a"), node("Identity", "x", "n")], [info("a", (2, 3)), info("k", (3,)), info("n", (2, 3))],
                 consts=[("k", floats(4, 5, 6))])
    b.done(*b.op("If", condition, outputs=3, then_branch=then, else_branch=other))
    b = Build("if-nested-shadowed")  # the inner `d` is another one than the outer; both branches see `e`
    b.input((2, 3))
    b.const((2, 3))
    first, second = b.truths(()), b.truths(())
    inner = body([node("If", second, "inner", then_branch=body([node("Mul", "e e", "d2")], [info("d2", (2, 3))]),
                       else_branch=body([node("Add", "e x", "d2"), node("Sqrt", "one", "s"), node("Add", "d2 s", "d3")],
                                        [info("d3", (2, 3))], consts=[("one", floats(4))]))], [info("inner", (2, 3))])
    inner.node.insert(0, node("Abs", "x", "e"))
    b.done(b.op("If", first, then_branch=inner, else_branch=branches()[1]))
    b = Build("if-products")  # kernels of their own kinds inside
    b.input((5, 64))
    condition = b.truths(())
    w, v = b.const((64, 48)), b.const((64, 48))
    parts = [body([node("MatMul", f"x {name}", "p"), node("Softmax", "p", "s")], [info("s", (5, 48))]) for name in (w, v)]
    b.done(b.op("If", condition, then_branch=parts[0], else_branch=parts[1]))


    b = Build("if-in-function")  # a branch reads what the function computes, and calls another one
    x, condition = b.input((2, 3)), b.truths(())
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    then = body([node("Add", "a k", "r")], [info("r", (2, 3))])
    other = body([helper.make_node("negative", ["a"], ["s"], domain="own")], [info("s", (2, 3))])
    choose = helper.make_function("own", "choose", ["a", "c"], ["o"], [node("Exp", "a", "k"), node("If", "c", "o", then_branch=then, else_branch=other)],
                                  opsets)
    negative = helper.make_function("own", "negative", ["q"], ["p"], [node("Neg", "q", "p")], opsets)
    b.nodes.append(helper.make_node("choose", [x, condition], ["t0"], name="call", domain="own"))
    b.done("t0", functions=[choose, negative], shape=(2, 3))


# ---- Loop

def counting(nodes, outputs, carried=((2, 3),), consts=()):
    inputs = [info("i", (), I64), info("go", (), BOOL)] + [info(f"v{k}", shape) for k, shape in enumerate(carried)]
    return body(nodes, outputs, inputs, consts)


def loop_cases(Build):
    step = [node("Identity", "go", "on"), node("Mul", "v0 half", "h"), node("Add", "h c0", "next")]
    half = [("half", np.float32(0.5))]
    outs = [info("on", (), BOOL), info("next", (2, 3))]
    for count in (0, 1, 7):
        b = Build(f"loop-count-{count}")
        x, n = b.input((2, 3)), b.input((), 0, 1, np.int64)
        b.feeds[n] = np.array(count)
        b.const((2, 3))
        b.done(b.op("Loop", n, "", x, body=counting(step, outs, consts=half)), shape=(2, 3))
    for limit in (-1, 6, 100):
        b = Build(f"loop-until-{limit}")  # ends where the sum is above the limit, or after 9
        x, y = b.input((2, 3), 0, 1), b.input((), 0, 1)
        b.feeds[y] = np.array(limit, np.float32)
        b.const((2, 3), 0, 1)
        until = [node("Mul", "v0 twice", "h"), node("Add", "h c0", "next"), node("ReduceSum", "next", "sum", keepdims=0), node("Less", "sum y", "on")]
        start = truth(b, True) if limit > 0 else b.truths(())
        b.done(b.op("Loop", b.ints(9), start, x, body=counting(until, outs, consts=[("twice", np.float32(2))])), shape=(2, 3))
    b = Build("loop-while")  # no count
    x = b.input((2, 3), 0, 1)
    b.const((2, 3), 0.1, 1)
    until = [node("Add", "v0 c0", "next"), node("ReduceMax", "next", "most", keepdims=0), node("Less", "most ten", "on")]
    b.done(b.op("Loop", "", truth(b, True), x, body=counting(until, outs, consts=[("ten", np.float32(10))])), shape=(2, 3))
    b = Build("loop-elements")  # of two results, one of a scalar; the number of the iteration is used
    x = b.input((2, 3))
    b.const((2, 3))
    more = step + [node("Cast", "i", "f", to=F32), node("Mul", "next f", "e0"), node("ReduceSum", "e0", "e1", keepdims=0)]
    b.done(*b.op("Loop", b.const(np.array(5)), "", x, outputs=3,
                 body=counting(more, outs + [info("e0", (2, 3)), info("e1", ())], consts=half)), shape=[(2, 3), (5, 2, 3), (5,)])
    b = Build("loop-swaps")  # two values go round, each in the other's place
    x, y = b.input((2, 3)), b.input((2, 3))
    n = b.input((), 3, 4, np.int64)
    swap = [node("Identity", "go", "on"), node("Identity", "v1", "a"), node("Add", "v0 v1", "b")]
    b.done(*b.op("Loop", n, "", x, y, outputs=2, body=counting(swap, [info("on", (), BOOL), info("a", (2, 3)), info("b", (2, 3))], [(2, 3), (2, 3)])), shape=(2, 3))
    b = Build("loop-nested")  # the inner one captures what the outer one carries, and its names shadow the outer's
    x, n = b.input((2, 3)), b.input((), 3, 4, np.int64)
    b.const((2, 3))
    inner = body([node("Identity", "go2", "on2"), node("Add", "w v0", "w2")], [info("on2", (), BOOL), info("w2", (2, 3))],
                 [info("i2", (), I64), info("go2", (), BOOL), info("w", (2, 3))])
    nest = [node("Identity", "go", "on"), node("Loop", "i  c0", "sum", body=inner), node("Mul", "sum half", "next")]
    nest[1].input[:] = ["i", "", "c0"]
    b.done(b.op("Loop", n, "", x, body=counting(nest, outs, consts=half)), shape=(2, 3))
    b = Build("loop-branches")
    x, n = b.input((2, 3)), b.input((), 5, 6, np.int64)
    parts = [body([node(op, "v0 c0", "r")], [info("r", (2, 3))]) for op in ("Add", "Mul")]
    b.const((2, 3))
    pick = [node("Identity", "go", "on"), node("Mod", "i two", "m"), node("Equal", "m zero", "even"),
            node("If", "even", "next", then_branch=parts[0], else_branch=parts[1])]
    b.done(b.op("Loop", n, "", x, body=counting(pick, outs, consts=[("two", np.array(2)), ("zero", np.array(0))])), shape=(2, 3))


def open_loop_cases(Build):
    """Results of iterations whose number is found when the model runs."""
    for limit, tag in ((-1, "none"), (6, "some"), (1e9, "all")):
        b = Build(f"loop-elements-until-{tag}")  # until the sum is above the limit, 9 times at most; scalars, and integers
        x, y = b.input((2, 3), 0, 1), b.input((), 0, 1)
        b.feeds[y] = np.array(limit, np.float32)
        b.const((2, 3), 0, 1)
        until = [node("Mul", "v0 twice", "h"), node("Add", "h c0", "next"), node("ReduceSum", "next", "sum", keepdims=0), node("Less", "sum y", "on"),
                 node("Sqrt", "sum", "e0"), node("Abs", "h", "e1"), node("Cast", "i", "e2", to=F32)]
        outs = [info("on", (), BOOL), info("next", (2, 3)), info("e0", ()), info("e1", (2, 3)), info("e2", ())]
        start = b.op("Less", b.op("ReduceSum", x, keepdims=0), y)
        b.done(*b.op("Loop", b.ints(9), start, x, outputs=4, body=counting(until, outs, consts=[("twice", np.float32(2))])),
               shape=[(2, 3), ("k",), ("k", 2, 3), ("k",)])
    for count in (0, 4, 9):
        b = Build(f"loop-over-{count}-found")  # as many times as rows are kept; what comes out is read again
        x, chosen = b.input((9, 3)), b.truths((9,))
        b.feeds[chosen] = np.arange(9) < count
        kept = b.op("Compress", x, chosen, axis=0)
        each = [node("Identity", "go", "on"), node("Gather", f"{kept} i", "row"), node("Exp", "row", "e"), node("ReduceSum", "e", "s", keepdims=0)]
        n = b.op("Gather", b.op("Shape", kept), b.const(np.array(0)))
        e, s = b.op("Loop", n, "", outputs=2, body=counting(each, [info("on", (), BOOL), info("e", (3,)), info("s", ())], ()))
        b.done(b.op("Add", e, kept), b.op("ReduceSum", s, keepdims=0), shape=[("k", 3), ()])
        b = Build(f"loop-appends-{count}-found")  # a list that is a tensor, two rows each time
        x, chosen = b.input((9, 3)), b.truths((9,))
        b.feeds[chosen] = np.arange(9) >= 9 - count
        kept = b.op("Compress", x, chosen, axis=0)
        each = [node("Identity", "go", "on"), node("Gather", f"{kept} i", "row"), node("Unsqueeze", "row zero", "one"), node("Concat", "one one", "two", axis=0),
                node("Concat", "v0 two", "next", axis=0)]
        n = b.op("Gather", b.op("Shape", kept), b.const(np.array(0)))
        empty = b.const(np.zeros((0, 3), np.float32))
        b.done(b.op("Neg", b.op("Loop", n, truth(b, True), empty, body=counting(each, [info("on", (), BOOL), info("next", ("n", 3))], [("n", 3)],
                                                                              consts=[("zero", np.array([0]))]))), shape=("k", 3))
    b = Build("loop-appends-counted")
    x = b.input((3,))
    each = [node("Identity", "go", "on"), node("Cast", "i", "f", to=F32), node("Mul", "x f", "row"), node("Unsqueeze", "row zero", "one"),
            node("Concat", "v0 one", "next", axis=-2), node("Add", "v1 row", "sum")]
    b.done(*b.op("Loop", b.const(np.array(5)), "", b.const(np.zeros((0, 3), np.float32)), x, outputs=2,
                 body=counting(each, [info("on", (), BOOL), info("next", ("n", 3)), info("sum", (3,))], [("n", 3), (3,)], consts=[("zero", np.array([0]))])),
           shape=[("k", 3), (3,)])


def shaping_loop_cases(Build):
    """Sizes and places that the iteration's number decides: iterations of their own."""
    b = Build("loop-embedding-bag")
    x = b.input((7, 4))
    each = [node("Identity", "go", "on"), node("Gather", "starts i", "s"), node("Gather", "ends i", "e"), node("Unsqueeze", "s zero", "from"),
            node("Unsqueeze", "e zero", "to"), node("Slice", "x from to zero", "part"), node("ReduceSum", "part zero", "sum", keepdims=0)]
    b.done(b.op("Loop", b.const(np.array(3)), truth(b, True), body=counting(each, [info("on", (), BOOL), info("sum", (4,))], (), consts=[
        ("starts", np.array([0, 2, 3])), ("ends", np.array([2, 3, 7])), ("zero", np.array([0]))])), shape=(3, 4))
    b = Build("loop-carried-slices")
    x = b.input((6, 2))
    each = [node("Identity", "go", "on"), node("Add", "i one", "j"), node("Unsqueeze", "j zero", "to"), node("Slice", "x zero to zero", "part"),
            node("ReduceMax", "part", "most", axes=[0], keepdims=0), node("Mul", "v0 most", "next")]
    b.done(b.op("Loop", b.const(np.array(6)), "", b.input((2,)), body=counting(each, [info("on", (), BOOL), info("next", (2,))], [(2,)], consts=[
        ("one", np.array(1)), ("zero", np.array([0]))])), shape=(2,))


# ---- Scan

def scan_cases(Build):
    def sums(dims=(3,)):
        return body([node("Add", "state x_t", "next"), node("Tanh", "next", "y_t")], [info("next", dims), info("y_t", dims)],
                    [info("state", dims), info("x_t", dims)])
    for opset in (9, 11, 16):
        b = Build(f"scan-sum-opset{opset}", opset)
        b.done(*b.op("Scan", b.input((3,)), b.input((5, 3)), outputs=2, num_scan_inputs=1, body=sums()), shape=None)
    b = Build("scan-batch-opset8", 8)
    b.done(*b.op("Scan", "", b.input((2, 3)), b.input((2, 5, 3)), outputs=2, num_scan_inputs=1, body=sums()))
    for tag, attributes in {"reverse": dict(scan_input_directions=[1]), "reverse-out": dict(scan_output_directions=[1]),
                            "reverse-both": dict(scan_input_directions=[1], scan_output_directions=[1])}.items():
        b = Build(f"scan-{tag}")
        b.done(*b.op("Scan", b.input((3,)), b.input((5, 3)), outputs=2, num_scan_inputs=1, body=sums(), **attributes))
    b = Build("scan-axes")
    b.done(*b.op("Scan", b.input((3, 4)), b.input((3, 5, 4)), outputs=2, num_scan_inputs=1, body=sums((3, 4)), scan_input_axes=[-2],
                 scan_output_axes=[2]))
    b = Build("scan-several")  # two inputs in two directions, no carried use of one state, three results, a captured product
    x, h, s, t = b.input((4, 8)), b.input((4, 8)), b.input((6, 4, 8)), b.input((4, 6, 1))
    w = b.const((8, 8))
    nodes = [node("MatMul", f"h {w}", "p"), node("Add", "p s_t", "q"), node("Tanh", "q", "h2"), node("Mul", "a t_t", "a2"), node("ReduceMean", "h2", "m", axes=[1], keepdims=0), node("Neg", "t_t", "n")]
    dims = (4, 8)
    b.done(*b.op("Scan", x, h, s, t, outputs=4, num_scan_inputs=2, scan_input_axes=[0, 1], scan_input_directions=[0, 1], scan_output_directions=[1, 0],
                 body=body(nodes, [info("a2", dims), info("h2", dims), info("m", (4,)), info("n", (4, 1))],
                           [info("a", dims), info("h", dims), info("s_t", dims), info("t_t", (4, 1))])))
    b = Build("scan-scalars")
    b.done(*b.op("Scan", b.input(()), b.input((7,)), outputs=2, num_scan_inputs=1, body=sums(())))
    b = Build("scan-no-state")
    b.done(b.op("Scan", b.input((6, 3)), num_scan_inputs=1, body=body([node("Exp", "e", "r")], [info("r", (3,))], [info("e", (3,))])))
    b = Build("scan-in-loop")
    x, s, n = b.input((3,)), b.input((5, 3)), b.input((), 2, 3, np.int64)
    nest = [node("Identity", "go", "on"), node("Scan", "v0 y", "next all", num_scan_inputs=1, body=sums())]
    b.done(b.op("Loop", n, "", x, body=counting(nest, [info("on", (), BOOL), info("next", (3,))], [(3,)])), shape=(3,))
    b = Build("scan-shadowed")  # the body's `x` is its own
    shadow = body([node("Add", "x y", "z")], [info("z", (3,)), info("z", (3,))], [info("x", (3,)), info("y", (3,))])
    shadow.node.append(node("Neg", "z", "w"))
    shadow.output[1].name = "w"
    b.done(*b.op("Scan", b.input((3,)), b.input((5, 3)), outputs=2, num_scan_inputs=1, body=shadow))


# ---- LSTM, GRU, RNN

def recurrent(Build, op, tag, steps=5, batch=2, inputs=6, hidden=8, bias=True, lengths=None, states=False, peepholes=False, outputs=None, opset=14,
              **attributes):
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[op]
    directions = 2 if attributes.get("direction") == "bidirectional" else 1
    b = Build(f"{op.lower()}-{tag}", opset)
    scale = np.float32(1 / np.sqrt(hidden))
    names = [b.input((steps, batch, inputs))]
    names += [b.const(b.values((directions, gates * hidden, k)) * scale) for k in (inputs, hidden)]
    names.append(b.const((directions, 2 * gates * hidden)) if bias else "")
    names.append(b.const(np.array(lengths, np.int32)) if lengths else "")
    for _ in range(2 if op == "LSTM" else 1):
        names.append(b.input((directions, batch, hidden)) if states else "")
    names.append(b.const((directions, 3 * hidden)) if peepholes else "")
    while not names[-1]:
        names.pop()
    outputs = outputs or (3 if op == "LSTM" else 2)
    made = b.op(op, *names, outputs=outputs, hidden_size=hidden, **attributes)
    b.done(*([made] if outputs == 1 else made))


def recurrent_cases(Build):
    for op in ("LSTM", "GRU", "RNN"):
        recurrent(Build, op, "forward")
        recurrent(Build, op, "reverse", direction="reverse", states=True)
        recurrent(Build, op, "bidirectional", direction="bidirectional", states=True)
        recurrent(Build, op, "lengths", batch=3, lengths=[5, 2, 4], states=True)
        recurrent(Build, op, "lengths-bidirectional", batch=3, lengths=[5, 2, 4], direction="bidirectional")
        recurrent(Build, op, "one-step-no-bias", steps=1, batch=1, bias=False, states=True)
        recurrent(Build, op, "clip", clip=0.25)
        recurrent(Build, op, "wide", steps=3, batch=1, inputs=40, hidden=96)
        recurrent(Build, op, "odd", batch=5, inputs=3, hidden=7, outputs=1)
        recurrent(Build, op, "opset7", opset=7, states=True)
    recurrent(Build, "LSTM", "peepholes", peepholes=True, states=True)
    recurrent(Build, "LSTM", "peepholes-bidirectional", peepholes=True, direction="bidirectional")
    recurrent(Build, "LSTM", "input-forget", input_forget=1)
    recurrent(Build, "LSTM", "activations", activations=["HardSigmoid", "Softsign", "Relu"], activation_alpha=[0.3], activation_beta=[0.4])
    recurrent(Build, "GRU", "linear-before-reset", linear_before_reset=1, states=True)
    recurrent(Build, "GRU", "linear-before-reset-no-bias", linear_before_reset=1, bias=False, direction="bidirectional")
    recurrent(Build, "GRU", "activations", activations=["Sigmoid", "LeakyRelu"], activation_alpha=[0.2])
    for name, count in {"Relu": 0, "Affine": 2, "LeakyRelu": 1, "ThresholdedRelu": 1, "ScaledTanh": 2, "HardSigmoid": 2, "Elu": 1, "Softsign": 0,
                        "Softplus": 0}.items():
        numbers = dict(activation_alpha=[0.4][:count], activation_beta=[0.3][:max(count - 1, 0)])
        recurrent(Build, "RNN", f"activation-{name.lower()}", activations=[name], **{k: v for k, v in numbers.items() if v})
    b = Build("lstm-two-layers-linear")
    x = b.input((4, 1, 12))
    for inputs in (12, 16):
        y, _, _ = b.op("LSTM", x, b.const(b.values((1, 64, inputs)) / np.float32(4)), b.const(b.values((1, 64, 16)) / np.float32(4)),
                       b.const((1, 128)), outputs=3, hidden_size=16)
        x = b.op("Squeeze", y, b.ints(1))
    b.done(b.op("MatMul", x, b.const((16, 5))))
    b = Build("gru-weights-at-run-time")
    b.done(*b.op("GRU", b.input((4, 2, 6)), b.input((1, 24, 6)), b.input((1, 24, 8)), outputs=2, hidden_size=8))


def control_cases(Build):
    if_cases(Build)
    loop_cases(Build)
    open_loop_cases(Build)
    shaping_loop_cases(Build)
    scan_cases(Build)
    recurrent_cases(Build)
