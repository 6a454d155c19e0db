"""What the ONNX importer says of models that it does not take: the whole message, with the node's name.

    python model_messages.py --mlc build/release/bin/mlc [--only TEXT]

bad_input.py holds refusals to their exit code and to leaving nothing behind; here each message of lib/frontend has a model that
asks for it. Exit 1: the model is wrong; 3: it is right, and mlc does not do that; None: one of these, or it compiles.
"""
import argparse
import os
from pathlib import Path

import numpy as np
from onnx import AttributeProto, ModelProto, TensorProto, defs, helper, numpy_helper

from harness import Failure, call, run_in_folders

MLC = None
CASES = {}
F32, I64 = TensorProto.FLOAT, TensorProto.INT64


def value(name, shape=(2, 3), dtype=F32):
    return helper.make_tensor_value_info(name, dtype, shape)


def ints(*numbers):
    return np.array(numbers, np.int64)


def floats(*numbers):
    return np.array(numbers, np.float32)


def node(op, inputs, outputs=("y",), name="n", **attributes):
    return helper.make_node(op, inputs, list(outputs), name=name, **attributes)


def graph_model(nodes, inputs, consts=(), outputs=("y",), opset=17, imports=None, functions=(), ir_version=8):
    outputs = [value(o, None) if isinstance(o, str) else o for o in outputs]
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(consts))
    others = sorted({n.domain for n in nodes if n.domain not in ("", "ai.onnx")})
    return helper.make_model(graph, opset_imports=imports or [helper.make_opsetid("", opset), *[helper.make_opsetid(d, 1) for d in others]], ir_version=ir_version,
                             functions=list(functions))


def one(op, *operands, outputs=("y",), opset=17, **attributes):
    """A model of one node 'n': operands are shapes of inputs i0, i1, ... (None: of unknown rank), value infos, constants, or "" for
    one that is left out."""
    names, inputs, consts = [], [], []
    for i, operand in enumerate(operands):
        name = f"i{i}"
        if isinstance(operand, (np.ndarray, np.generic)):
            consts.append(numpy_helper.from_array(np.asarray(operand), name))
        elif operand == "":
            name = ""
        elif operand is None or isinstance(operand, tuple):
            inputs.append(value(name, operand))
        else:
            operand.name = name
            inputs.append(operand)
        names.append(name)
    made = [o if isinstance(o, str) else o.name for o in outputs]
    if not attributes.get("domain") and defs.has(op, opset):
        made += [f"{made[0]}{i}" for i in range(len(made), defs.get_schema(op, opset).min_output)]
    return graph_model([node(op, names, made, **attributes)], inputs, consts, [o for o in outputs if o], opset)


def case(name, model, *messages, code=1):
    assert name not in CASES, name
    CASES[name] = (model, messages, code)


def invalid(name, model, message, op):
    case(name, model, f": node 'n' ({op}): {message}")


def not_taken(name, model, op, i=0, kind="float"):
    invalid(name, model, f"input {i} is of {kind}, which the operator does not take", op)


def unsupported(name, model, message, op, opset=17):
    case(name, model, f"node 'n' ({op}), opset {opset}, is not supported: {message}", code=3)


# ---- the model around the nodes

def models():
    relu = [node("Relu", ["x"])]
    x = [value("x")]
    case("ir-version-missing", graph_model(relu, x, ir_version=0), "no ONNX model: it has no IR version")
    case("ir-version-new", graph_model(relu, x, ir_version=900), "IR version 900 is newer than ", "the newest that mlc reads")
    no_opset = graph_model(relu, x)
    no_opset.ClearField("opset_import")
    case("opset-missing", no_opset, "the model imports no opset")
    case("opset-new", graph_model(relu, x, opset=900), "opset 900 is not within 1 and ", ", those that mlc knows")
    other = graph_model(relu, x, imports=[helper.make_opsetid("ai.onnx.ml", 3)])
    invalid("opset-of-another-domain", other, "the model imports no opset of the default domain", "Relu")
    case("graph-missing", ModelProto(ir_version=8, opset_import=[helper.make_opsetid("", 17)]), "the model has no graph")
    case("outputs-missing", graph_model(relu, x, outputs=[]), "the graph has no outputs")
    case("output-nowhere", graph_model(relu, x, outputs=["z"]), "output 'z' is defined nowhere in the graph")
    invalid("input-nowhere", graph_model([node("Relu", ["z"])], x), "input 'z' is defined nowhere in the graph", "Relu")
    named = graph_model(relu, x)
    named.graph.name = ""
    case("graph-without-a-name", named, ": a graph has no name")
    for tag, message in (("name", ": an attribute of a node (Elu) has no name"), ("twice", ": attribute 'alpha' is given twice"),
                         ("types", ": attribute 'alpha' has values of several types"), ("none", ": attribute 'alpha' has no value"),
                         ("untyped", ": attribute 'alpha' has no type"), ("unknown", "node 'n' (Elu): the operator has no attribute 'beta'")):
        model = graph_model([node("Elu", ["x"], alpha=0.5)], x)
        one_of = model.graph.node[0].attribute[0]
        if tag == "name":
            one_of.name = ""
        elif tag == "twice":
            model.graph.node[0].attribute.append(one_of)
        elif tag == "types":
            one_of.i = 1
        elif tag == "none":
            one_of.ClearField("f")
        elif tag == "untyped":
            one_of.ClearField("type")
        else:
            one_of.name = "beta"
        case(f"attribute-{tag}", model, message)
    for tag, message in (("constant", ": an initialiser has no name"), ("value", ": a value has no name"), ("input", ": an input has no name"),
                         ("output", ": an output has no name")):
        model = graph_model([node("Relu", ["x"])], [value("x")], [numpy_helper.from_array(floats(1), "" if tag == "constant" else "c")])
        model.graph.value_info.append(value("" if tag == "value" else "v"))
        if tag in ("input", "output"):
            getattr(model.graph, tag)[0].name = ""
        case(f"{tag}-without-a-name", model, message)
    invalid("one-hot-values", one("OneHot", value("i", (3,), I64), np.int64(4), floats(0)[0]), "the two values have type tensor<f32>", "OneHot")
    invalid("upsample-left-out", one("Upsample", (1, 1, 2, 2), "", opset=9), "input 1 is required", "Upsample")
    blank = graph_model(relu, x)
    blank.graph.node[0].op_type = ""
    case("node-without-operator", blank, ": a node has no operator")
    mute = graph_model(relu, x)
    mute.graph.output[0].ClearField("type")
    case("output-without-type", mute, ": output 'y' has no type")
    doubled = graph_model(relu, x)
    for text in "ab":
        entry = doubled.metadata_props.add()
        entry.key, entry.value = "author", text
    case("property-twice", doubled, ": the model's property 'author' is given twice")
    case("old-with-opsets", graph_model(relu, x, ir_version=2), "a model of IR version 2 cannot import opsets")
    apart = graph_model([node("Add", ["x", "c"])], x, [numpy_helper.from_array(floats(1), "c")], ir_version=3)
    case("old-constant", apart, ": initialiser 'c' is no input, as IR version 3 wants it")
    filled = graph_model([node("Add", ["x", "c"])], x, [numpy_helper.from_array(floats(1), "c")])
    filled.graph.initializer[0].float_data.append(1)
    case("constant-in-two-fields", filled, ": tensor 'c' has values in several fields")
    far = graph_model([node("Gelu", ["x"], domain="com.microsoft")], x, imports=[helper.make_opsetid("", 17)])
    case("domain-not-imported", far, "node 'n' (Gelu): the model imports no opset of the domain 'com.microsoft'")
    for tag, inputs, nodes, message in (
            ("inputs", ["a", "a"], [("Relu", "a", "b")], ": function 'F' has two inputs 'a'"), ("nowhere", ["a"], [("Relu", "c", "b")], ": function 'F' defines no 'c'"),
            ("twice", ["a"], [("Relu", "a", "b"), ("Abs", "a", "b")], ": function 'F' defines the name 'b' twice")):
        function = helper.make_function("own", "F", inputs, ["b"], [helper.make_node(o, [i], [r]) for o, i, r in nodes], [helper.make_opsetid("", 17)])
        case(f"function-{tag}", graph_model(relu, x, functions=[function]), message)
    unnamed = helper.make_function("own", "", ["a"], ["b"], [helper.make_node("Relu", ["a"], ["b"])], [helper.make_opsetid("", 17)])
    case("function-unnamed", graph_model(relu, x, functions=[unnamed]), ": a function has no name")
    two = one("BatchNormalization", (1, 2, 3), *[floats(1, 1)] * 4, outputs=("y", "z"))
    invalid("batch-norm-outputs", two, "expected 1 or 3 outputs, got 2", "BatchNormalization")
    case("cycle", graph_model([node("Add", ["x", "b"], ["y"], "a"), node("Relu", ["y"], ["b"], "b")], x),
         "the graph has a cycle through node 'a' (Add)")
    case("node-without-a-name", graph_model([node("Frobnicate", ["x"], name="")], x),
         "node of output 'y' (Frobnicate), opset 17, is not supported: mlc has no such operator yet", code=3)
    twice = graph_model([node("Softmx", ["x"], ["h"]), node("Softmx", ["h"], ["g"], "m"), node("Softmx", ["g"], name="l")], x)
    case("operator-nearly-known", twice, "node 'n' (Softmx), opset 17, is not supported: mlc has no such operator yet; did you mean "
         "'Softmax'? (and 2 more nodes)", code=3)
    case("operator-of-a-known-domain", graph_model([node("FastGellu", ["x"], domain="com.microsoft")], x), "its domain is 'com.microsoft'",
         "(--load), or a function of a library (--shared-libs); did you mean 'FastGelu'?", code=3)
    unsupported("operator-of-another-opset", graph_model([node("Upsample", ["x"])], x), "not in this opset", "Upsample")
    far = graph_model([helper.make_node("Far", ["x"], ["y"], "n", domain="com.nobody")], x)
    case("domain-unknown", far, "node 'n' (Far) is not supported: its domain is 'com.nobody'", code=3)
    case("element-type-unknown", graph_model(relu, [value("x", (2, 3), 99)]), "'x' has unknown element type 99")
    case("size-negative", graph_model(relu, [value("x", (-5, 3))]), "'x' has the size -5")
    case("size-too-large", graph_model(relu, [value("x", (2**40, 2**40))]), "'x' has more elements than fit in 64 bits")
    case("size-too-large-beside-an-open-one", graph_model(relu, [value("x", (2**40, None, 2**40))]), "'x' has more elements than fit in 64 bits")
    far = [value("x", (1, 1, 2, 2**31), F32)]
    case("size-too-large-beside-none", graph_model(relu, [value("x", (0, 3, 2**62))]), "'x' has more elements than fit in 64 bits")
    same = numpy_helper.from_array(np.ones(4, np.float32), "s")
    unsupported("list-too-long", graph_model([node("Resize", ["x", "", "s"])], far, [same]), "a list of 2147483648 numbers", "Resize")
    case("rank-too-large", graph_model(relu, [value("x", (1,) * 70)]), "'x' has rank 70, more than the limit of 64")
    words = value("w", (2,), TensorProto.STRING)
    case("input-of-strings", graph_model([*relu, node("ScatterND", ["w", "i", "w"], ["v"], "put")], [*x, words], [numpy_helper.from_array(ints([0], [1]), "i")]),
         "node 'put' (ScatterND), opset 17, is not supported: its input 'w' is of strings", code=3)
    complexes = value("w", (2,), TensorProto.COMPLEX64)
    case("unread-input-of-complex", graph_model(relu, [*x, complexes]), "'w' is not supported: it is of elements of type complex64", code=3)
    case("output-of-complex", graph_model(relu, x, outputs=[value("y", (2, 3), TensorProto.COMPLEX64)]),
         "output 'y' is not supported: it is of elements of type complex64", code=3)
    case("output-of-strings", graph_model(relu, x, outputs=[value("y", (2, 3), TensorProto.STRING)]),
         "output 'y' is declared as tensor<2x3xsi64> but is tensor<2x3xf32>")
    sparse = graph_model(relu, x)
    sparse.graph.sparse_initializer.add().values.name = "s"
    case("sparse-initialiser", sparse, "sparse initialisers are not supported", code=3)
    case("folder-is-no-file", None, "cannot read ")


def functions():
    own = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]

    def calls(inputs, bodies, num_outputs=1, **call):
        made = [helper.make_function("own", f"f{i}", ["a", "b"], ["c", "d"][:num_outputs], [body], own)
                for i, body in enumerate(bodies)]
        return graph_model([helper.make_node("f0", inputs, ["y"], "n", domain="own", **call)], [value("x")], imports=own,
                           functions=made)

    def told(name, model, message, code=1, op="f0"):
        place = f"node 'n' ({op})" + (": " if code == 1 else " is not supported: ")
        case(name, model, place + message, code=code)

    told("function-too-many-inputs", calls(["x", "x", "x"], [node("Add", ["a", "b"], ["c"])]), "expected at most 2 inputs, got 3")
    told("function-input-left-out", calls(["x"], [node("Add", ["a", "b"], ["c"])]), "it leaves out input 1 of the function", 3)
    told("function-without-its-output", calls(["x", "x"], [node("Add", ["a", "b"], ["e"])]),
         "the function does not define its output 0")
    again = helper.make_node("f0", ["a", "b"], ["c"], "n", domain="own")
    told("function-calls-itself", calls(["x", "x"], [again]), "functions call each other more than ")
    bodies = [helper.make_function("own", f"f{i}", ["a"], ["c"], [
        helper.make_node(f"f{i + 1}" if i < 21 else "Relu", ["a"], ["b"], domain="own" if i < 21 else ""),
        helper.make_node(f"f{i + 1}" if i < 21 else "Relu", ["b"], ["c"], domain="own" if i < 21 else "")], own) for i in range(22)]
    case("function-doubles-22-times", graph_model([helper.make_node("f0", ["x"], ["y"], "n", domain="own")], [value("x")],
                                                  imports=own, functions=bodies),
         "nodes, those of called functions counted at each call")
    referred = node("Flatten", ["a"], ["c"])
    referred.attribute.append(AttributeProto(name="axis", ref_attr_name="k", type=AttributeProto.INT))
    case("function-argument", calls(["x", "x"], [referred], k=1), "attribute 'axis' is an argument of the function", code=3)


# ---- nodes, file by file of lib/frontend/onnx

def any_node():
    invalid("inputs-too-many", one("Relu", (2, 3), (2, 3)), "expected 1 to 1 inputs, got 2", "Relu")
    invalid("input-required", one("Add", "", (2, 3)), "input 0 is required", "Add")
    unsupported("rank-unknown", one("Unsqueeze", None, ints(0)), "the rank of its input 'i0' is unknown, it must be fixed", "Unsqueeze")
    back = node("Slice", ["x", "ends", "begins", "axes", "steps"], ["t"], "back")  # no text says how many elements that leaves
    places = [numpy_helper.from_array(ints(*v), k) for k, v in
              {"ends": (-1, -1), "begins": (-2**63, -2**63), "axes": (0, 1), "steps": (-2, -2), "last": (2,)}.items()]
    unsupported("size-unknown", graph_model([back, node("Shape", ["t"])], [value("x", ("n", "m", 1))], places),
                "size 0 of its input 't' is unknown, it must be fixed", "Shape")
    unsupported("squeeze-of-two-unknown", graph_model([back, node("Squeeze", ["t", "last"])], [value("x", ("n", "m", 1))],
                                                      places),
                "more than one size of its input is unknown", "Squeeze")
    unsupported("value-of-an-input", one("ReduceSum", (2, 3), value("s", (2,), I64), keepdims=0),
                "its input 'i1' is the model's, it must be a constant: give it with --input-value 'i1=FILE'", "ReduceSum")
    computed = graph_model([node("Abs", ["s"], ["t"], "abs"), node("ReduceSum", ["x", "t"], keepdims=0)], [value("x"), value("s", (2,), I64)])
    unsupported("value-computed", computed, "its input 't' is computed at run time, it must be a constant", "ReduceSum")
    invalid("integers-too-large", one("Trilu", (2, 3), np.array([2**64 - 1], np.uint64), domain="com.microsoft"), "input 1 must hold integers", "Trilu")
    not_taken("integers-expected", one("Reshape", (2, 3), floats(3, 2)), "Reshape", 1)
    unsupported("second-output", one("BatchNormalization", (1, 2, 3), floats(1, 1), floats(1, 1), floats(1, 1), floats(1, 1),
                                     outputs=("y", "mean", "var"), opset=9), "training mode", "BatchNormalization", 9)
    case("output-unknown", one("Gelu", (2, 3), outputs=("y", "z"), domain="com.microsoft"), "node 'n' (Gelu) is not supported: its output 1", code=3)


def constants():
    sparse = helper.make_sparse_tensor(numpy_helper.from_array(floats(1), "v"), numpy_helper.from_array(ints(1), "i"), [3])
    unsupported("constant-sparse", one("Constant", sparse_value=sparse), "its kind of value", "Constant")
    case("constant-of-no-utf8", one("Constant", value_strings=[b"a", b"b\xff"]), "a string of the model is no UTF-8 at its byte 1")
    fill = helper.make_tensor("v", F32, [2], [1.0, 2.0])
    invalid("fill-of-two-values", one("ConstantOfShape", ints(2, 3), value=fill), "attribute 'value' must have one element",
            "ConstantOfShape")
    invalid("fill-of-negative-size", one("ConstantOfShape", ints(2, -3)), "the size -3 is negative", "ConstantOfShape")
    invalid("fill-of-too-much", one("ConstantOfShape", ints(2**40, 2**40)), "the shape has too many elements", "ConstantOfShape")
    unsupported("range-without-end", one("Range", np.float32(0), np.float32(1), np.float32(0)), "a range of that many numbers", "Range")


def contractions():
    x, w = (1, 4, 5, 5), (2, 4, 3, 3)
    invalid("auto-pad-unknown", one("Conv", x, w, auto_pad="SOMEHOW"), "attribute 'auto_pad' is 'SOMEHOW'", "Conv")
    invalid("kernel-shape-of-another-rank", one("Conv", x, w, kernel_shape=[3]), "kernel_shape has 1 entries, the weights have rank 4", "Conv")
    invalid("kernel-shape-wrong", one("Conv", x, w, kernel_shape=[3, 2]), "kernel_shape[1] is 2, the weights have 3", "Conv")
    invalid("pool-without-kernel", one("MaxPool", x), "attribute 'kernel_shape' is required", "MaxPool")
    places = ("y", value("z", None, I64))
    unsupported("pool-with-indices-unknown", one("MaxPool", (1, 2, "h", 8), outputs=places, kernel_shape=[2, 2]),
                "indices into an input of type tensor<1x2x?x8xf32", "MaxPool")
    unsupported("pool-with-indices-large", one("MaxPool", (1, 1, 99, 99), outputs=places, kernel_shape=[40, 40]),
                "indices of windows of more than 1024 elements", "MaxPool")


def quantization():
    q, x, u8, s = "QuantizeLinear", (2, 6), np.zeros((), np.uint8), np.float32(1)
    byte = value("b", (2, 6), TensorProto.UINT8)
    invalid("scale-missing", one(q, x, "", u8, opset=21), "input 1 is required", q)
    invalid("quantize-axis", one(q, x, floats(1, 2), opset=21, axis=2), "axis 2 is out of range for rank 2", q)
    invalid("scales-of-blocks", one(q, x, np.ones((2, 2), np.float32), opset=21, axis=1, block_size=2),
            "blocks of 2 elements, 2 in all, for 6", q)
    invalid("scales-of-another-rank", one(q, x, np.ones((2, 2), np.float32), opset=21),
            "scales of type tensor<2x2xf32> for an input of type tensor<2x6xf32>", q)
    unsupported("scales-unknown", one(q, x, ("k",), opset=21), "scales of type tensor<?xf32", q, 21)
    unsupported("quantize-unknown-rank", one(q, None, s, opset=21), "an input of type tensor<*xf32>", q, 21)
    invalid("quantize-no-type", one(q, x, s, opset=21, output_dtype=99), "attribute 'output_dtype' is 99, which is no data type", q)
    unsupported("quantize-to-strings", one(q, x, s, opset=21, output_dtype=TensorProto.STRING), "elements of type string", q, 21)
    unsupported("quantize-to-i32", one(q, x, s, opset=21, output_dtype=TensorProto.INT32), "a result of type i32", q, 21)
    not_taken("dequantize-reals", one("DequantizeLinear", x, s, opset=21), "DequantizeLinear")
    invalid("quantize-two-types", one(q, x, s, u8, opset=21, output_dtype=TensorProto.INT8),
            "a zero point of type ui8 for a result of type i8", q)
    unsupported("matmul-integer-unknown-rank", one("MatMulInteger", value("b", None, TensorProto.UINT8), byte),
                "an input of type tensor<*xui8>", "MatMulInteger")
    not_taken("matmul-integer-of-reals", one("MatMulInteger", x, byte), "MatMulInteger")
    invalid("qlinear-scale-missing", one("QLinearMatMul", byte, s, u8, value("b", (6, 3), TensorProto.UINT8), "", u8, s, u8),
            "input 4 is required", "QLinearMatMul")
    added = one("QLinearAdd", byte, s, u8, value("b", (2, 6), TensorProto.UINT8), "", u8, s, u8, domain="com.microsoft")
    added.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    case("qlinear-add-scale-missing", added, "(QLinearAdd): input 4 is required")


def quantized_of_microsoft():
    """Operators of com.microsoft on integers that stand for reals."""
    u8, s = np.uint8(1), np.float32(0.5)

    def byte(*shape):
        return value("b", shape, TensorProto.UINT8)

    def refuse(name, op, message, *operands, code=1, **attributes):
        case(f"quantized-{name}", one(op, *operands, domain="com.microsoft", **attributes),
             f"node 'n' ({op})" + (" is not supported: " if code == 3 else ": ") + message, code=code)
    refuse("pool-scale", "QLinearGlobalAveragePool", "input 1 is required", byte(1, 2, 3, 3), "", u8, s, u8)
    refuse("pool-rank", "QLinearAveragePool", "an input of type tensor<2x3xui8>", byte(2, 3), s, u8, s, u8, code=3, kernel_shape=[1])
    refuse("concat-inputs", "QLinearConcat", "6 inputs, expected 2 and 3 for each tensor", s, u8, byte(2, 3), s, u8, byte(2, 3))
    flattened = one("QLinearSoftmax", byte(2, 3, 4), s, u8, s, u8, domain="com.microsoft", axis=1)
    flattened.graph.node[0].attribute.append(helper.make_attribute("opset", 12))
    case("quantized-softmax-flattened", flattened, "node 'n' (QLinearSoftmax) is not supported: axis 1 by the rule of opset 12", code=3)
    refuse("where-scale", "QLinearWhere", "input 2 is required", value("c", (2, 3), TensorProto.BOOL), byte(2, 3), "", u8, byte(2, 3), s, u8,
           s, u8)
    blocks, scales, x = np.full((8, 2, 16), 7, np.uint8), np.full(16, 0.5, np.float32), (1, 64)
    sizes = {"K": 64, "N": 8, "bits": 4, "block_size": 32}
    refuse("blocks-bits", "MatMulNBits", "64 x 8 numbers of 5 bits in blocks of 32", x, blocks, scales, **{**sizes, "bits": 5})
    refuse("blocks-computed", "MatMulNBits", "its input 'i1' is the model's, it must be a constant", x, byte(8, 2, 16), scales, code=3, **sizes)
    refuse("blocks-short", "MatMulNBits", "input 1 has type tensor<8x2x15xui8>, expected 256 bytes", x, blocks[:, :, 1:], scales, **sizes)
    refuse("blocks-scales", "MatMulNBits", "scales of type tensor<8xf32>, expected 16", x, blocks, scales[:8], **sizes)
    refuse("blocks-input", "MatMulNBits", "an input of type tensor<*xf32>", None, blocks, scales, code=3, **sizes)
    refuse("blocks-order", "MatMulNBits", "an order of groups (input 4)", x, blocks, scales, "", np.zeros(64, np.int32), code=3, **sizes)
    refuse("blocks-real-zeros", "MatMulNBits", "zero points of type f32", x, blocks, scales, scales, code=3, **sizes)
    weights = np.ones((4, 24), np.int8)
    refuse("attention-rank", "QAttention", "input 0 of type tensor<2x4xui8>", byte(2, 4), weights, np.ones(24, np.float32), s, s, code=3,
           num_heads=2)
    wide = np.full((8, 2, 32), 255, np.uint8)
    refuse("blocks-far", "MatMulNBits", "numbers of 8 bits far from their zero point", x, wide, scales, np.zeros(16, np.uint8), code=3,
           **{**sizes, "bits": 8})


def single_operators():
    x = (2, 3)
    unsupported("random-rank", one("RandomUniform", shape=[1] * 20), "a rank of 20", "RandomUniform")
    unsupported("random-type", one("RandomNormal", shape=[2], dtype=TensorProto.INT32), "random numbers of type i32", "RandomNormal")
    unsupported("random-size", one("RandomUniform", shape=[2**20, 2**20]), "a dimension of 1048576 random numbers", "RandomUniform")
    unsupported("bernoulli-type", one("Bernoulli", x, dtype=TensorProto.STRING), "attribute 'dtype' = 8", "Bernoulli")
    unsupported("multinomial-vector", one("Multinomial", (3,), sample_size=2), "samples of an input of type tensor<3xf32>", "Multinomial")
    unsupported("multinomial-classes", one("Multinomial", (1, 5000), sample_size=2), "5000 classes", "Multinomial")
    invalid("det-not-square", one("Det", x), "an input of type tensor<2x3xf32>, whose matrices are not square", "Det")
    unsupported("det-large", one("Det", (70, 70)), "matrices of 70 rows", "Det")
    invalid("reverse-axes", one("ReverseSequence", (4, 4), ints(1, 1, 1, 1), batch_axis=1, time_axis=1), "batch_axis 1 and time_axis 1", "ReverseSequence")
    invalid("reverse-lengths", one("ReverseSequence", (4, 5), ints(1, 1, 1), batch_axis=0, time_axis=1),
            "lengths of type tensor<3xi64> for an input of type tensor<4x5xf32>", "ReverseSequence")
    mel = [np.int32(8), np.int32(16), np.int32(8000), np.float32(0), np.float32(4000)]
    invalid("mel-bands", one("MelWeightMatrix", np.int32(-1), *mel[1:]), "input 0 is -1, expected 0 to ", "MelWeightMatrix")
    unsupported("mel-type", one("MelWeightMatrix", *mel, output_datatype=TensorProto.INT32), "8 bands of 9 frequencies of type i32", "MelWeightMatrix")
    invalid("deform-offsets", one("DeformConv", (1, 1, 4, 4), (1, 1, 3, 3), (1, 17, 2, 2), opset=19),
            "offsets of type tensor<1x17x2x2xf32> for an input of type tensor<1x1x4x4xf32> and weights of tensor<1x1x3x3xf32>", "DeformConv")
    unpool = (1, 1, 2, 2), value("i", (1, 1, 2, 2), I64)
    invalid("unpool-windows", one("MaxUnpool", *unpool, kernel_shape=[2]), "windows of 1 dimensions for an input of type tensor<1x1x2x2xf32>", "MaxUnpool")
    invalid("unpool-nothing", one("MaxUnpool", *unpool, kernel_shape=[2, 2], pads=[2, 2, 2, 2]), "dimension 2 of the result would be -1", "MaxUnpool")
    invalid("unpool-rank", one("MaxUnpool", *unpool, ints(5, 5), kernel_shape=[2, 2]),
            "a result of 2 dimensions for an input of type tensor<1x1x2x2xf32>", "MaxUnpool")
    invalid("unpool-smaller", one("MaxUnpool", *unpool, ints(1, 1, 2, 3), kernel_shape=[2, 2]),
            "dimension 2 of the result is asked to be 2, at least 3 is needed", "MaxUnpool")
    crop = {"coordinate_transformation_mode": "tf_crop_and_resize", "mode": "linear"}
    image, sizes = (1, 1, 4, 4), ints(1, 1, 3, 3)
    invalid("crop-missing", one("Resize", image, "", "", sizes, **crop), "input 1 is required", "Resize")
    invalid("crop-short", one("Resize", image, floats(0, 1), "", sizes, **crop), "a crop of 2 numbers for 4 dimensions", "Resize")
    unsupported("antialias-of-many", one("Resize", (2**20,), "", floats(.25), opset=18, mode="linear", antialias=1),
                "a size of 262144 from 1048576, with antialias", "Resize", 18)

    def training(op, *operands, outputs=("a", "b"), **attributes):
        model = one(op, *operands, outputs=outputs, domain="ai.onnx.preview.training", **attributes)
        model.opset_import.append(helper.make_opsetid("ai.onnx.preview.training", 1))
        return model

    step = np.float32(.1), np.int64(0)
    case("adam-lists", training("Adam", *step, x, x, x, x, x), "(Adam): 7 inputs and 2 outputs are no 4 lists")
    case("momentum-mode", training("Momentum", *step, x, x, x, alpha=.9, beta=.9, norm_coefficient=0., mode="fast"), "(Momentum): attribute 'mode' is 'fast'")

    def flex(name, message, code=1, k=(1, 2, 3, 4), **attributes):
        model = one("FlexAttention", (1, 2, 3, 4), k, (1, 2, 3, 4), domain="ai.onnx.preview", opset=26, **attributes)
        model.opset_import.append(helper.make_opsetid("ai.onnx.preview", 1))
        case(name, model, message, code=code)

    def modifier(outputs, kind=F32):
        nodes = [node("Cast", ["s"], [o], f"c{o}", to=kind) for o in outputs]
        return helper.make_graph(nodes, "m", [value("s", None)], [value(o, None, kind) for o in outputs])

    flex("flex-keys", "queries of type tensor<1x2x3x4xf32> for keys of type tensor<1x2x3x5xf32> and values of type tensor<1x2x3x4xf32>", k=(1, 2, 3, 5))
    flex("flex-precision", "softmax_precision = 7", code=3, softmax_precision=7)
    flex("flex-two-results", "'score_mod' has 2 outputs, expected 1", score_mod=modifier("ab"))
    flex("flex-another-type", "'prob_mod' makes tensor<1x2x3x3xi64> of tensor<1x2x3x3xf32>", prob_mod=modifier("a", I64))


def gradients():
    def made(nodes, inputs=(), xs=("x",), given=None, outputs=("d",), consts=(), dtype=F32, functions=(), **attributes):
        attributes = {k: v for k, v in {"y": "y", "xs": list(xs), **attributes}.items() if v}
        last = node("Gradient", xs if given is None else given, outputs, domain="ai.onnx.preview.training", **attributes)
        return graph_model([*nodes, last], list(inputs) or [value("x", dtype=dtype)], consts, [o for o in outputs if o], opset=18)

    relu = [node("Relu", ["x"], name="r")]
    for name, message, more in (
            ("no-xs", "attributes 'xs' and 'y' are required", {"xs": (), "given": ["x"]}), ("no-y", "attributes 'xs' and 'y' are required", {"y": None}),
            ("inputs", "expected 1 inputs, one for each name of 'xs' and 'zs', got 2", {"given": ["x", "x"]}),
            ("outputs", "expected at most 1 outputs, got 2", {"outputs": ("d", "e")}), ("input", "input 0 is required", {"given": [""]}),
            ("x-nowhere", "'q' is defined nowhere in the graph", {"xs": ("q",), "given": ["x"]}),
            ("y-nowhere", "'q' is defined nowhere in the graph", {"y": "q"}),
            ("y-is-an-input", "no node of its graph gives 'z'", {"y": "z", "inputs": [value("x"), value("z")]}),
            ("x-twice", "'y' has two inputs 'x'", {"xs": ("x", "x")}), ("integers", "'x' of 'xs' is no tensor of floats", {"dtype": I64})):
        invalid(f"gradient-{name}", made(relu, **more), message, "Gradient")
    case("gradient-of-itself", made([], y="d"), ": the graph has a cycle through node 'n' (Gradient)")

    def refused(name, nodes, message, **more):
        case(f"gradient-{name}", made(nodes, **more), f"node 'n' (Gradient) is not supported: {message}", code=3)
    image, index = [value("x", (1, 1, "h", 4))], ints(0)
    refused("found", [node("NonZero", ["x"], ["i"], name="z"), node("Cast", ["i"], name="c", to=F32)], "'y' is no tensor of floats of a known size")
    refused("integers-of-x", [node("Cast", ["x"], name="c", to=I64)], "'y' is no tensor of floats of a known size")
    branch = [subgraph([node(op, ["x"], ["b"], "b")], [value("b")]) for op in ("Exp", "Neg")]
    refused("unknown", [node("If", ["c"], name="if", then_branch=branch[0], else_branch=branch[1])],
            "no gradient is known of 'graph.if', which 'n/if' is made of", inputs=[value("x"), value("c", (), TensorProto.BOOL)])
    refused("image", [node("MaxPool", ["x"], name="p", kernel_shape=[2, 2])], "'graph.max_pool' of an image of unknown size has no gradient", inputs=image)
    refused("window", [node("MaxPool", ["x"], name="p", kernel_shape=[33, 32])], "'graph.max_pool' of more than 1024 elements has no gradient",
            inputs=[value("x", (1, 1, 40, 40))])
    refused("batches", [node("GatherND", ["x", "i"], name="g", batch_dims=1)], "'graph.gather_nd' with batches has no gradient",
            consts=[numpy_helper.from_array(ints(0, 1).reshape(2, 1), "i")])
    refused("scatter", [node("ScatterElements", ["x", "i", "u"], name="s", reduction="max")],
            "'graph.scatter_elements' with a reduction other than 'add' has no gradient",
            consts=[numpy_helper.from_array(index.reshape(1, 1), "i"), numpy_helper.from_array(floats(1).reshape(1, 1), "u")])
    refused("slice", [node("Slice", ["x", "i", "e"], name="s")], "'graph.slice' of a dimension of unknown size has no gradient",
            inputs=[value("x", ("h", 3))], consts=[numpy_helper.from_array(index, "i"), numpy_helper.from_array(ints(2), "e")])
    deep = [node("Exp", ["x"], ["y0"], name="e")]
    deep += [node("Gradient", ["x"], [f"y{i + 1}"], name="g", domain="ai.onnx.preview.training", xs=["x"], y=f"y{i}") for i in range(9)]
    case("gradient-deep", made(deep, y="y9"), "node 'g' (Gradient) is not supported: derivatives of derivatives, more than 8 deep", code=3)


def transposed_convolutions():
    op, x, w = "ConvTranspose", (1, 4, 5, 5), (4, 2, 3, 3)
    invalid("transposed-strides", one(op, x, w, strides=[1]), "attribute 'strides' has 1 numbers, expected 2", op)
    invalid("transposed-stride-zero", one(op, x, w, strides=[0, 1]), "attribute 'strides' has the number 0", op)
    unsupported("transposed-unknown-filter", one(op, x, (4, 2, "k", 3)), "inputs of types tensor<1x4x5x5xf32> and tensor<4x2x?x3xf32", op)
    invalid("transposed-other-rank", one(op, x, (4, 2, 3)), "inputs of types tensor<1x4x5x5xf32> and tensor<4x2x3xf32>", op)
    invalid("transposed-groups", one(op, x, w, group=3), "4 channels, a filter of 4 in 3 groups", op)
    invalid("transposed-result-negative", one(op, x, w, pads=[9, 9, 9, 9]), "size 0 of its result would be -11", op)
    unsupported("transposed-many-runs", one(op, x, (4, 2, 200, 3), strides=[199, 1], dilations=[67, 1]),
                "a kernel of 200 with a dilation of 67 and a stride of 199", op)
    invalid("transposed-kernel-shape", one(op, x, w, kernel_shape=[2, 3]), "kernel_shape[0] is 2, the weights have 3", op)
    unsupported("transposed-many-phases", one(op, (1, 1, 3, 3, 3), (1, 1, 12, 12, 12), strides=[13] * 3, dilations=[5] * 3),
                "1728 phases with taps of their own", op)


def einsums():
    op = "Einsum"
    invalid("einsum-diagonal-of-two-sizes", one(op, (3, 4), equation="ii->i"), "a diagonal of an input of type tensor<3x4xf32>", op)
    unsupported("einsum-dots-of-many", one(op, (1,) * 16, (1,) * 2, equation="...,ab->...ab"), "an equation of so many dimensions", op)
    unsupported("einsum-unknown-size", one(op, ("n", "n"), equation="ii->i"), "a diagonal of an input of type tensor<?x?xf32", op)
    invalid("einsum-labels", one(op, (2, 3), equation="i->i"), "1 labels for an input of type tensor<2x3xf32>", op)
    unsupported("einsum-sizes", one(op, (2, 3), (4, 5), equation="ij,jk->ik"), "sizes 3 and 4 of label 'j'", op)
    invalid("einsum-label-from-nowhere", one(op, (2, 3), equation="ij->k"), "label 'k' of the result is in no operand", op)
    labels = "abcdefghijklmnop"
    unsupported("einsum-many-dimensions", one(op, (1,) * 16, (1,) * 16, equation=f"{labels},{labels}->{labels}"),
                "a result of so many dimensions", op)
    invalid("einsum-left-out", one(op, (2, 3), "", equation="ij,jk->ik"), "input 1 is required", op)


def elementwise():
    invalid("sum-left-out", one("Sum", (2, 3), "", (2, 3)), "input 1 is required", "Sum")
    invalid("cast-to-nothing", one("Cast", (2, 3), to=99), "attribute 'to' is 99, which is no data type", "Cast")
    invalid("cast-to-no-name", one("Cast", (2, 3), opset=5, to="FLOATING"), "attribute 'to' is 'FLOATING', which is no data type", "Cast")
    invalid("cast-rounding", one("Cast", (2, 3), to=TensorProto.FLOAT8E8M0, opset=25, round_mode="odd"),
            "attribute 'round_mode' is 'odd'", "Cast")
    unsupported("cast-to-strings", one("Cast", value("x", (2, 3), TensorProto.UINT64), to=TensorProto.STRING), "a cast of ui64 to strings", "Cast")
    unsupported("unique-strings", one("Unique", value("x", (2000,), TensorProto.STRING)), "2000 strings", "Unique")
    invalid("pad-of-strings", one("Pad", value("x", (2,), TensorProto.STRING), ints(1, 1), np.array(["a", "b"], object)),
            "strings are filled up with tensor<2xsi64>", "Pad")
    unsupported("cast-of-strings", one("Cast", value("x", (2, 3), TensorProto.STRING), to=TensorProto.BOOL), "a cast of strings to truth values", "Cast")
    not_taken("loss-of-integers", one("NegativeLogLikelihoodLoss", value("x", (2, 3), I64), value("l", (2,), I64), ignore_index=1),
              "NegativeLogLikelihoodLoss", 0, "int64")
    invalid("celu-alpha", one("Celu", (2, 3), alpha=0.0), "attribute 'alpha' is 0", "Celu")
    invalid("shift-direction", one("BitShift", value("x", (2,), TensorProto.UINT8), value("z", (2,), TensorProto.UINT8), direction="UP"), "attribute 'direction' is 'UP'",
            "BitShift")
    not_taken("not-of-floats", one("BitwiseNot", (2, 3), opset=18), "BitwiseNot")
    invalid("old-axis", one("Add", (2, 3, 4), (3, 4), broadcast=1, axis=2, opset=6), "axis 2 of rank 3 for an input of type tensor<3x4xf32>", "Add")
    invalid("dropout-of-all", one("Dropout", (2, 3), np.float32(1), np.array(True)), "the ratio is 1, expected 0 to less than 1", "Dropout")
    unsupported("dropout-unknown-size", one("Dropout", ("n", 3), np.float32(.5), np.array(True)), "an input of type tensor<?x3xf32", "Dropout")


def normalisations():
    x = (1, 4, 5)
    not_taken("norm-of-integers", one("LayerNormalization", value("x", x, TensorProto.INT32), floats(*[1] * 5)), "LayerNormalization", 0, "int32")
    unsupported("norm-stash-type", one("LayerNormalization", x, floats(*[1] * 5), stash_type=7), "stash_type = 7", "LayerNormalization")
    unsupported("group-norm-of-unknown-size", one("GroupNormalization", (1, 4, "w"), floats(1, 1, 1, 1), floats(0, 0, 0, 0), num_groups=2, opset=21),
                "an input of type tensor<1x4x?xf32", "GroupNormalization", 21)
    invalid("group-norm-groups", one("GroupNormalization", x, floats(1, 1, 1, 1), floats(0, 0, 0, 0), num_groups=3, opset=21),
            "4 channels cannot make 3 groups", "GroupNormalization")
    unsupported("old-softmax-of-unknown-shape", one("Softmax", ("n", 3), opset=11), "this opset's softmax of an unknown shape", "Softmax", 11)


def images():
    op, x = "CenterCropPad", (3, 8, 8)
    invalid("crop-sizes", one(op, x, ints(4, 4), opset=18), "2 sizes for 3 axes", op)
    invalid("crop-negative", one(op, x, ints(4, -4), axes=[0, 1], opset=18), "size -4 is asked for", op)
    op = "AffineGrid"
    invalid("grid-sizes", one(op, (1, 2, 3), ints(1, 3, 4), opset=20), "a grid of 3 sizes", op)
    unsupported("grid-large", one(op, (1, 2, 3), ints(1, 3, 2**40, 4), opset=20), f"size {2**40} of a grid", op, 20)
    op = "Col2Im"
    invalid("columns-of-another-image", one(op, (1, 4, 9), ints(5, 5), ints(2, 2), opset=18),
            "an image of that size has no columns of type tensor<1x4x9xf32>", op)
    invalid("columns-of-large-blocks", one(op, (1, 4, 9), ints(5, 5), ints(2**40, 2**40), opset=18),
            "an image of that size has no columns of type tensor<1x4x9xf32>", op)
    unsupported("columns-of-many-channels", one(op, (1, 2**26, 1), ints(2, 2), ints(2, 2), opset=18), "columns of type tensor<1x67108864x1xf32>",
                op, 18)


def norms():
    invalid("lp-norm-order", one("LpNormalization", (2, 3), p=3), "attribute 'p' is 3", "LpNormalization")
    invalid("lp-pool-order", one("LpPool", (1, 2, 8), kernel_shape=[3], p=0), "attribute 'p' is 0", "LpPool")
    unsupported("lp-pool-ceil", one("LpPool", (1, 2, "n"), kernel_shape=[3], ceil_mode=1, opset=18),
                "ceil_mode = 1 for an input of type tensor<1x2x?xf32", "LpPool", 18)
    invalid("lrn-size", one("LRN", (1, 2, 8, 8), size=0), "attribute 'size' is 0", "LRN")
    unsupported("lrn-wide", one("LRN", (1, 2, 8, 8), size=1000), "1000 neighbours in an input of type tensor<1x2x8x8xf32>", "LRN")


def losses():
    scores, labels = (2, 3, 4), value("labels", (2, 4), I64)
    for op in ("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"):
        invalid(f"loss-reduction-{op}", one(op, scores, labels, reduction="some"), "attribute 'reduction' is 'some'", op)
        unsupported(f"loss-of-unknown-labels-{op}", one(op, scores, value("labels", None, I64)), "labels of type tensor<*xi64>", op)
        unsupported(f"loss-of-unknown-sizes-{op}", one(op, (2, 3, "h", "w"), value("labels", (2, "h", "w"), I64)),
                    "labels of type tensor<2x?x?xi64", op)


def attentions():
    def attention(*operands, **attributes):
        return one("Attention", *operands, opset=24, **attributes)

    def refused(tag, model, message):
        unsupported(f"attention-{tag}", model, message, "Attention", 24)

    def wrong(tag, model, message):
        invalid(f"attention-{tag}", model, message, "Attention")

    packed, heads, past = [(1, 5, 12)] * 3, [(1, 4, 5, 8)] * 3, (1, 4, 3, 8)
    wrong("heads", attention(*packed, q_num_heads=5, kv_num_heads=4), "5 heads of an input of type tensor<1x5x12xf32>")
    wrong("groups", attention((1, 5, 5, 8), *heads[1:]), "5 heads of queries for 4 of keys")
    wrong("rank", attention((5, 8), *heads[1:]), "input 0 has type tensor<5x8xf32>")
    refused("unknown-heads", attention((1, "h", 5, 8), *heads[1:]), "inputs of types tensor<1x?x5x8xf32")
    wrong("past-alone", attention(*heads, "", past), "past keys and past values must be given together")
    refused("past-of-unknown-rank", attention(*heads, "", None, None), "past keys or values of an unknown rank")
    wrong("past-and-numbers", attention(*heads, "", past, past, ints(5)), "past keys and numbers of keys cannot be given together")
    refused("unknown-rows", attention((1, 4, "n", 8), *heads[1:], is_causal=1), "a mask of positions of a type tensor<1x4x5x8xf32>")
    refused("unknown-keys", attention(heads[0], *[(1, 4, "n", 8)] * 2, "", "", "", ints(5)), "keys of type tensor<1x4x?x8xf32")
    refused("mask-of-unknown-rank", attention(*heads, None), "a mask of type tensor<*xf32>")
    wrong("long-mask", attention(*heads, (5, 6)), "a mask of type tensor<5x6xf32> for 5 keys")
    refused("precision", attention(*heads, softmax_precision=7), "softmax_precision = 7")
    wrong("stage", attention(*heads, qk_matmul_output_mode=4), "attribute 'qk_matmul_output_mode' is 4")
    op, angles = "RotaryEmbedding", [(1, 5, 4)] * 2
    invalid("rotary-heads", one(op, (1, 5, 12), *angles, num_heads=5, opset=23), "5 heads of an input of type tensor<1x5x12xf32>", op)
    invalid("rotary-part", one(op, heads[0], *angles, rotary_embedding_dim=5, opset=23), "5 of 8 are rotated", op)
    invalid("rotary-angles", one(op, heads[0], (5, 4), (5, 4), opset=23), "angles of type tensor<5x4xf32>", op)
    unsupported("rotary-unknown", one(op, heads[0], ("b", "n", 4), ("b", "n", 4), opset=23), "angles of type tensor<?x?x4xf32", op, 23)


def states():
    op, x = "LinearAttention", (1, 5, 8)
    heads = {"q_num_heads": 2, "kv_num_heads": 2, "update_rule": "linear", "opset": 27}
    invalid("linear-attention-rule", one(op, x, x, x, **heads | {"update_rule": "some"}), "attribute 'update_rule' is 'some'", op)
    invalid("linear-attention-decay", one(op, x, x, x, "", x, **heads), "rule 'linear' has not a decay", op)
    invalid("linear-attention-beta", one(op, x, x, x, **heads | {"update_rule": "delta"}), "rule 'delta' needs a beta", op)
    invalid("linear-attention-heads", one(op, x, x, x, **heads | {"q_num_heads": 3}),
            "3 heads of queries, 2 of keys, for inputs of types tensor<1x5x8xf32> and tensor<1x5x8xf32>", op)
    unsupported("linear-attention-long", one(op, *[(1, 5000, 8)] * 3, **heads), "5000 steps, more than ", op, 27)
    unsupported("linear-attention-open", one(op, x, x, x, "", "", (1, 5, "b"), **heads | {"update_rule": "delta"}), "an input of type tensor<1x5x?xf32", op, 27)
    op = "CausalConvWithState"
    invalid("causal-activation", one(op, (1, 4, 5), (4, 1, 3), activation="relu", opset=27), "attribute 'activation' is 'relu'", op)


def reductions():
    unsupported("arg-of-unknown-rank", one("ArgMax", None), "an input of type tensor<*xf32>", "ArgMax")
    invalid("arg-of-nothing", one("ArgMax", (0, 3), axis=0), "there is nothing along axis 0", "ArgMax")
    unsupported("sums-of-unknown-rank", one("CumSum", None, ints(0)), "an input of type tensor<*xf32>", "CumSum")
    invalid("sums-along-two-axes", one("CumSum", (2, 3), ints(0, 1)), "the axis must be one number, in range for rank 2", "CumSum")
    unsupported("sums-of-many", one("CumSum", (100000,), np.int64(0), reverse=1), "a sum along 100000 elements, more than ", "CumSum")


def resizing():
    image = (1, 4, 5, 5)
    invalid("resize-count", one("Resize", image, "", floats(1, 2)), "2 scales or sizes for 4 dimensions", "Resize")
    invalid("resize-policy", one("Resize", image, "", "", ints(1, 4, 10, 10), keep_aspect_ratio_policy="somehow", opset=18),
            "attribute 'keep_aspect_ratio_policy' is 'somehow'", "Resize")
    unsupported("resize-of-unknown-rank", one("Resize", None, "", floats(1, 2)), "an input of type tensor<*xf32>", "Resize")
    invalid("upsample-without-scales", one("Upsample", image, opset=7), "attribute 'scales' is required", "Upsample")
    not_taken("resize-by-truths", one("Resize", image, "", np.array([2**64 - 1] * 4, np.uint64)), "Resize", 2, "uint64")


def shapes():
    invalid("squeeze-of-more-than-one", one("Squeeze", (2, 3), ints(0)), "axis 0 has size 2, not 1", "Squeeze")
    invalid("unsqueeze-without-axes", one("Unsqueeze", (2, 3), ""), "axes are required", "Unsqueeze")
    invalid("concat-without-axis", one("Concat", (2, 3), (2, 3)), "attribute 'axis' is required", "Concat")
    invalid("slice-without-starts", one("Slice", (2, 3), opset=9, ends=[1]), "attribute 'starts' is required", "Slice")
    invalid("concat-left-out", one("Concat", (2, 3), "", (2, 3), axis=0), "input 1 is required", "Concat")
    invalid("pad-without-pads", one("Pad", (2, 3), ""), "pads are required", "Pad")
    unsupported("pad-of-nothing", one("Pad", (0, 3), ints(1, 0, 1, 0), mode="reflect"),
                "mode 'reflect' for an input of type tensor<0x3xf32>", "Pad")
    invalid("pad-below-zero", one("Pad", (2, 3), ints(-2, 0, -1, 0), mode="edge"), "pads -2 and -1 of a size of 2", "Pad")
    unsupported("pad-with-large-integers", one("Pad", value("x", (2,), I64), ints(1, 1), np.int64(2**60 + 1)), "a value beyond 2^53", "Pad")
    invalid("split-without-outputs", graph_model([node("Split", ["x"], []), node("Relu", ["x"], ["y"], "r")], [value("x")]),
            "expected 1 to 255 outputs, got 0", "Split")
    invalid("split-count", one("Split", (4, 3), ints(1, 1, 2), outputs=("y", "z")), "3 sizes for 2 outputs", "Split")
    invalid("split-negative", one("Split", (4, 3), ints(-1, 5), outputs=("y", "z")), "output 0 has the size -1", "Split")
    invalid("split-sum", one("Split", (4, 3), ints(1, 1), outputs=("y", "z")), "sizes add up to 2, expected 4", "Split")
    invalid("triangle-by-two", one("Trilu", (3, 3), ints(1, 2)), "input 1 must be a scalar", "Trilu")
    blocks = (1, 8, 6, 6)
    invalid("blocks-mode", one("DepthToSpace", blocks, blocksize=2, mode="ABC"), "attribute 'mode' is 'ABC'", "DepthToSpace")
    invalid("blocks-of-nothing", one("DepthToSpace", blocks, blocksize=0), "attribute 'blocksize' is 0", "DepthToSpace")
    unsupported("blocks-of-another-rank", one("DepthToSpace", (8, 6, 6), blocksize=2), "an input of type tensor<8x6x6xf32>", "DepthToSpace")
    invalid("blocks-of-channels", one("DepthToSpace", blocks, blocksize=3), "8 channels are no blocks of 9", "DepthToSpace")
    invalid("blocks-of-positions", one("SpaceToDepth", blocks, blocksize=4), "6 x 6 positions are no blocks of 4", "SpaceToDepth")
    scatter = "ScatterND"
    invalid("scatter-deep", one(scatter, (2, 3), ints([0, 0, 0]), (1,)), "indices of type tensor<1x3xi64> into tensor<2x3xf32>", scatter)
    invalid("scatter-updates", one(scatter, (2, 3), ints([0]), (2, 3)),
            "updates of type tensor<2x3xf32> for indices of type tensor<1x1xi64>", scatter)
    invalid("scatter-reduction", one(scatter, (2, 3), ints([0]), (1, 3), reduction="mean"), "attribute 'reduction' is 'mean'", scatter)
    case("scatter-elements-updates", one("ScatterElements", (2, 3), value("i", (2, 2), I64), (2, 3)),
         "'graph.scatter_elements' op updates of type tensor<2x3xf32> for indices of type tensor<2x2xi64>")


def selections():
    k, top = value("k", (1,), I64), "TopK"
    invalid("top-k-computed-axis", one(top, (2, 6), k, axis=3), "axis 3 is out of range for rank 2", top)
    invalid("top-k-computed-two", one(top, (2, 6), value("k", (2,), I64)), "input 1 must be a scalar", top)
    invalid("top-k-of-two", one(top, (2, 6), ints(1, 2)), "input 1 must be a scalar", top)
    case("top-k-of-more", one(top, (2, 6), ints(7)), "'graph.top_k' op 'k' is 7, of 6 elements")
    i = value("i", (2, 3), I64)
    invalid("one-hot-axis", one("OneHot", i, np.int64(5), floats(0, 1), axis=3), "axis 3 is out of range for rank 3", "OneHot")
    invalid("one-hot-depth", one("OneHot", i, np.int64(-5), floats(0, 1)), "a depth of -5", "OneHot")
    unsupported("one-hot-unknown", one("OneHot", value("i", None, I64), np.int64(5), floats(0, 1)), "an input of type tensor<*xi64>", "OneHot")
    chosen = one("Compress", (2, 3), value("c", (3,), TensorProto.BOOL), outputs=(value("y", (2, 3)),), axis=0)
    unsupported("compress-by-more", chosen, "a condition of type tensor<3xi1> for 2 elements", "Compress")
    op, cache = "TensorScatter", (2, 5, 3)
    invalid("cache-mode", one(op, cache, (2, 1, 3), opset=24, mode="ring"), "attribute 'mode' is 'ring'", op)
    invalid("cache-axis", one(op, cache, (2, 1, 3), opset=24, axis=0), "axis 0 is the batch", op)
    unsupported("cache-unknown", one(op, cache, (2, "n", 3), opset=24), "inputs of types tensor<2x5x3xf32> and tensor<2x?x3xf32", op, 24)


def suppressions():
    op, boxes, scores, f64 = "NonMaxSuppression", (1, 6, 4), (1, 2, 6), TensorProto.DOUBLE
    invalid("suppression-overlap", one(op, boxes, scores, ints(3), np.float32(1.5)), "'iou_threshold' is 1.5, not within 0 and 1", op)
    invalid("suppression-centered", one(op, boxes, scores, center_point_box=2), "'center_point_box' is 2, expected 0 or 1", op)
    not_taken("suppression-f64", one(op, value("b", boxes, f64), value("s", scores, f64)), op, 0, "double")
    invalid("suppression-rank", one(op, (6, 4), scores), "boxes and scores have types tensor<6x4xf32> and tensor<1x2x6xf32>, expected rank 3", op)
    invalid("suppression-counts", one(op, boxes, scores, ints(3, 4)), "input 2 must be a scalar", op)
    invalid("suppression-threshold", one(op, boxes, scores, ints(3), floats(0.5), value("t", (2,))), "input 4 has type tensor<2xf32>, expected "
            "one element of type f32", op)
    case("suppression-boxes", one(op, (1, 6, 5), scores), "'graph.non_max_suppression' op boxes have 5 numbers, expected 4")
    case("suppression-of-others", one(op, (1, 7, 4), scores, ints(3)), "'graph.non_max_suppression' op boxes and scores have types")
    unsupported("unique-unknown", one("Unique", ("n", 3)), "an input of type tensor<?x3xf32", "Unique")
    unsupported("unique-long", one("Unique", (4, 65), axis=0), "65 elements in each of 4 parts", "Unique")


def rows_and(op, *more, shape=(6, 4), opset=17, nodes=(), **attributes):
    """A model whose node 'n' has rows that a condition chooses, "r", and other operands as of `one`."""
    model = one(op, value("r", shape), *more, opset=opset, **attributes)
    model.graph.input[0].name = "x"
    model.graph.input.append(value("c", (6,), TensorProto.BOOL))
    model.graph.node.insert(0, node("Compress", ["x", "c"], ["i0"], "rows", axis=0))
    return model


def in_branch(model):
    """The same nodes in a branch, where no size gets a name."""
    inner = helper.make_graph(list(model.graph.node), "inner", [], list(model.graph.output))
    other = helper.make_graph([node("Relu", ["x"], ["o"], "other")], "other", [], [value("o", None)])
    chosen = helper.make_node("If", ["which"], ["z"], name="if", then_branch=inner, else_branch=other)
    return graph_model([chosen], [*model.graph.input, value("which", (), TensorProto.BOOL)], list(model.graph.initializer), outputs=("z",))


def computed_sizes():
    starts, ends = value("s", (1,), I64), value("e", (2,), I64)
    invalid("computed-slice-lists", one("Slice", (2, 3), starts, ends), "starts, ends, axes and steps differ in length", "Slice")
    invalid("computed-slice-axis", one("Slice", (2, 3), starts, value("e", (1,), I64), ints(7)), "an axis that is none, or a step of 0", "Slice")
    places = one("NonZero", ("k", 3))
    places.graph.input[0].name = places.graph.node[0].input[0] = "x"
    unsupported("computed-in-branch", in_branch(places), "a size that an iteration or a branch computes", "NonZero")
    unsupported("found-and-fixed", in_branch(rows_and("Add", (6, 4))),
                "size 0 of its input 'i0' is found in the data, and may not be that of input 'i1'", "Add")
    unsupported("found-batch-resized", in_branch(rows_and("Resize", "", floats(2, 1, 1, 1), shape=(6, 1, 2, 2))),
                "its batch, whose size is found in the data, changes", "Resize")
    unsupported("found-slice-of-nothing", in_branch(rows_and("Slice", ints(0), ints(*[1] * 70))), "a slice of what is found in the data", "Slice")


def found_sizes():
    def refused(name, model, op, dim=0, why="", i="i0"):
        unsupported(name, model, f"size {dim} of its input '{i}' is found in the data{why}", op)
    refused("found-no-rule", rows_and("Unique", axis=0), "Unique")
    invalid("found-ranks", rows_and("Concat", (5,), axis=0), "inputs of different ranks", "Concat")
    invalid("found-slice-lists", rows_and("Slice", ints(0), ints(4, 5), ints(0)), "lists of 1, 2, 1 and 0 numbers", "Slice")
    invalid("found-slice-axis", rows_and("Slice", ints(0), ints(4), ints(7)), "axis 7 is out of range for rank 2", "Slice")
    rois = rows_and("RoiAlign", (6, 4), value("i", (6,), I64), output_height=100, output_width=100, sampling_ratio=1000)
    rois.graph.node[1].input[:] = ["i1", "i0", "i2"]
    rois.graph.input[1].type.tensor_type.shape.CopyFrom(value("i", (1, 3, 8, 8)).type.tensor_type.shape)
    unsupported("found-regions", rois, "the size of its input 'i2' may not be the one found", "RoiAlign")
    wide = one("NonZero", (2, 3), outputs=(value("y", (2, 9), I64),))
    invalid("found-declared", wide, "size 1 of output 0 is declared as 9, of at most 6", "NonZero")
    chooses = helper.make_graph([node("NonZero", ["x"], ["t"])], "t", [], [value("t", None, I64)])
    keeps = helper.make_graph([node("Shape", ["x"], ["e"])], "e", [], [value("e", None, I64)])
    branches = graph_model([node("If", ["c"], then_branch=chooses, else_branch=keeps)], [value("x"), value("c", (), TensorProto.BOOL)],
                           outputs=(value("y", None, I64),))
    unsupported("found-shape-long", rows_and("Reshape", ints(-1, *[1] * 70)), "a shape of 71 sizes", "Reshape")
    case("found-in-branch", branches, "its branches give result 0 as tensor<2x6xi64> and as tensor<2xi64>, of different shapes", code=3)
    state, twice = value("s", (6,), I64), value("i", (), I64)
    grows = helper.make_graph([node("Identity", ["b"], ["c"]), node("NonZero", ["s"], ["t"])], "b", [twice, value("b", (), TensorProto.BOOL), state],
                              [value("c", (), TensorProto.BOOL), value("t", None, I64)])
    loop = graph_model([node("Loop", ["m", "", "x"], body=grows)], [value("m", (), I64), value("x", (6,), I64)], outputs=(value("y", None, I64),))
    unsupported("found-in-loop", loop, "output 1 of 'body' has a size that is found in the data", "Loop")


def sampling():
    op, x, g = "GridSample", (1, 2, 5, 7), (1, 3, 4, 2)
    invalid("grid-mode", one(op, x, g, mode="area"), "attribute 'mode' is 'area'", op)
    unsupported("grid-unknown", one(op, x, (1, 3, 4, "n")), "inputs of types tensor<1x2x5x7xf32> and tensor<1x3x4x?xf32", op)
    invalid("grid-of-threes", one(op, x, (1, 3, 4, 3)), "a grid of type tensor<1x3x4x3xf32> for an input of type tensor<1x2x5x7xf32>", op)
    invalid("grid-of-rank-3", one(op, x, (1, 3, 2)), "a grid of type tensor<1x3x2xf32> for an input of type tensor<1x2x5x7xf32>", op)
    invalid("grid-of-rank-0", one(op, x, ()), "a grid of type tensor<f32> for an input of type tensor<1x2x5x7xf32>", op)
    unsupported("grid-of-nothing", one(op, (1, 2, 0, 7), g), "an input of type tensor<1x2x0x7xf32>", op)
    unsupported("grid-cubic-volume", one(op, (1, 2, 3, 4, 5), (1, 2, 2, 2, 3), opset=20, mode="cubic"),
                "cubic interpolation in 3 dimensions", op, 20)
    op, rois, i = "RoiAlign", (3, 4), ints(0, 0, 0)
    unsupported("roi-many-samples", one(op, x, rois, i, sampling_ratio=1000, output_height=10, output_width=10), "a list of 100000000 numbers", op)
    invalid("roi-samples-negative", one(op, x, rois, i, sampling_ratio=-1), "attribute 'sampling_ratio' is -1", op)
    invalid("roi-no-bins", one(op, x, rois, i, sampling_ratio=1, output_height=0), "0 bins", op)
    unsupported("roi-unknown", one(op, x, (3, "n"), i, sampling_ratio=1), "inputs of types tensor<1x2x5x7xf32> and tensor<3x?xf32", op)
    invalid("roi-of-fives", one(op, x, (3, 5), i, sampling_ratio=1), "regions of type tensor<3x5xf32>", op)
    op = "MaxRoiPool"
    invalid("roi-pool-of-fours", one(op, x, (3, 4), pooled_shape=[2, 2]), "regions of type tensor<3x4xf32>", op)
    invalid("roi-pool-of-one-size", one(op, x, (3, 5), pooled_shape=[2]), "attribute 'pooled_shape' has 1 sizes", op)
    invalid("roi-pool-no-bins", one(op, x, (3, 5), pooled_shape=[2, 0]), "0 bins", op)


def signals():
    op, x = "DFT", (2, 9, 1)
    invalid("window-of-two", one("HannWindow", ints(3, 4)), "input 0 must be a scalar", "HannWindow")
    unsupported("window-computed", one("HannWindow", value("n", (), I64)), "its input 'i0' is the model's, it must be a constant", "HannWindow")
    unsupported("window-negative", one("HannWindow", np.int64(-1)), "a window of -1 elements of type f32", "HannWindow")
    unsupported("window-of-integers", one("HannWindow", np.int64(4), output_datatype=I64), "a window of 4 elements of type i64", "HannWindow")
    invalid("dft-axis", one(op, x, "", np.int64(3), opset=20), "axis 3 is out of range for rank 3", op)
    invalid("dft-of-parts", one(op, x, axis=2), "axis 2 of an input of type tensor<2x9x1xf32>", op)
    unsupported("dft-long", one(op, (1, 4000, 1)), "a transform of 4000 elements", op)
    unsupported("dft-unknown", one(op, (2, "n", 1)), "an input of type tensor<2x?x1xf32", op)
    texts = value("s", (2,), TensorProto.STRING)
    invalid("reshape-to-strings", one("Reshape", (2, 3), texts), "input 1 must hold integers", "Reshape")
    invalid("slice-by-strings", one("Slice", (2, 3), texts, value("e", (2,), TensorProto.STRING)), "input 1 must hold integers", "Slice")
    op, step = "STFT", np.int64(3)
    unsupported("stft-unknown", one(op, (2, "n", 1), step), "an input of type tensor<2x?x1xf32", op)
    unsupported("stft-window", one(op, (2, 40, 1), step, (4, 4)), "a window of type tensor<4x4xf32>", op)
    invalid("stft-no-frames", one(op, (2, 40, 1), step), "frames of -1 elements, 3 apart", op)
    invalid("stft-frames-of-one", one(op, (2, 40, 1), step, "", ints(16)), "input 3 must be a scalar", op)
    invalid("stft-step-of-one", one(op, (2, 40, 1), ints(3), "", np.int64(16)), "input 1 must be a scalar", op)
    unsupported("stft-long-frames", one(op, (2, 40, 1), step, "", np.int64(41)), "a transform of 41 elements", op)
    unsupported("stft-many-frames", one(op, (1, 2**32, 1), np.int64(1), "", np.int64(4)), "4294967293 frames of 4 elements", op)


def tensors():
    add = [node("Add", ["x", "w"])]

    def weight(**fields):
        return graph_model(add, [value("x")], [TensorProto(name="w", dims=[2, 3], **fields)])

    case("weight-of-strings", weight(data_type=TensorProto.STRING), "string_data has 0 entries, the shape needs 6")
    case("weight-of-raw-strings", weight(data_type=TensorProto.STRING, raw_data=b"x" * 6), "strings stand in string_data and nowhere else")
    case("weight-of-unknown-type", weight(data_type=99), "data type 99 is unknown")
    segmented = weight(data_type=F32, raw_data=bytes(24))
    segmented.graph.initializer[0].segment.begin = 0
    case("weight-in-segments", segmented, "tensors in segments are not supported")
    outside = weight(data_type=F32, data_location=TensorProto.EXTERNAL)
    outside.graph.initializer[0].external_data.add(key="offset", value="0")
    case("weight-without-location", outside, "external data without a 'location'")
    longer = weight(data_type=F32, data_location=TensorProto.EXTERNAL)
    longer.graph.initializer[0].external_data.add(key="location", value="w.bin")
    longer.graph.initializer[0].external_data.add(key="length", value="20")
    case("weight-of-another-length", longer, "external data: 'length' is 20, the shape needs 24")


def wire():
    """Bytes that protobuf's own writer would not write: a model is field 1 (IR version) and 7 (graph)."""
    def graph_of(data):
        size, length = len(data), b""
        while size > 127:
            length, size = length + bytes([size & 127 | 128]), size >> 7
        return b"\x08\x08\x3a" + length + bytes([size]) + data

    dims = b"\x0a\x01\x80"  # a tensor's sizes, one number that goes on
    case("list-ends-in-a-number", graph_of(b"\x2a" + bytes([len(dims)]) + dims), "truncated: the list ends inside a number")
    case("much-of-little", graph_of(b"\x0a\x00" * 8_000_000), "the file needs more than ", " MiB of memory to read")


def subgraph(nodes, outputs, inputs=(), consts=()):
    return helper.make_graph(list(nodes), "body", list(inputs), list(outputs), [numpy_helper.from_array(a, k) for k, a in consts])


def truth(shape=()):
    return value("c", shape, TensorProto.BOOL)


def branches():
    condition, x = truth(), value("x")
    then = subgraph([node("Relu", ["x"], ["a"], "r")], [value("a")])

    def refuse(name, message, other, code=1, then=then, condition=condition, inputs=(x,), outputs=("y",)):
        attributes = {k: v for k, v in {"then_branch": then, "else_branch": other}.items() if v}
        case(f"if-{name}", graph_model([node("If", ["c"], outputs, **attributes)], [condition, *inputs], outputs=outputs), message, code=code)
    refuse("no-else", "attribute 'else_branch' is required", None)
    refuse("two-outputs", "node 'n' (If): 'then_branch' has 1 outputs, expected 2", then, outputs=("y", "z"))
    refuse("inputs", "node 'n' (If): 'then_branch' has 1 inputs, expected 0", then,
           then=subgraph([node("Relu", ["z"], ["a"], "r")], [value("a")], [value("z")]))
    refuse("condition-of-floats", "node 'n' (If): input 0 is of float, which the operator does not take", then, condition=value("c", ()))
    refuse("condition-of-two", "the condition has type tensor<2xi1>, expected one element", then, condition=truth((2,)))
    refuse("output-of-nobody", "node 'n' (If): output 'b' of 'else_branch' is defined nowhere in it", subgraph([], [value("b")]))
    refuse("output-from-outside", "node 'n' (If): output 'x' of 'else_branch' is defined nowhere in it", subgraph([], [value("x")]))
    refuse("unknown-name", "node 'r' (Relu): input 'w' is defined nowhere in the graph",
           subgraph([node("Relu", ["w"], ["b"], "r")], [value("b")]))
    refuse("defined-twice", "node 's' (Relu): the name 'b' is defined twice",
           subgraph([node("Relu", ["x"], ["b"], "r"), node("Relu", ["x"], ["b"], "s")], [value("b")]))
    refuse("cycle", "the graph has a cycle through node 'r' (Relu)",
           subgraph([node("Relu", ["d"], ["b"], "r"), node("Relu", ["b"], ["d"], "s")], [value("b")]))
    refuse("cycle-through-a-capture", "the graph has a cycle through node 'n' (If)",
           subgraph([node("Relu", ["y"], ["b"], "r")], [value("b")]))
    refuse("other-rank", "its branches give result 0 as tensor<2x3xf32> and as tensor<6xf32>, of different shapes",
           subgraph([node("Constant", [], ["m"], "c", value_ints=[-1]), node("Reshape", ["x", "m"], ["b"], "t")], [value("b", (6,))]), code=3)
    refuse("other-elements", "its branches give result 0 as tensor<2x3xf32> and as tensor<2x3xi64>",
           subgraph([node("Cast", ["x"], ["b"], "t", to=I64)], [value("b", (2, 3), I64)]))
    refuse("unknown-inside", "node 'r' (NoSuchOperator), opset 17, is not supported: mlc has no such operator yet",
           subgraph([node("NoSuchOperator", ["x"], ["b"], "r")], [value("b")]), code=3)


    again = subgraph([helper.make_node("again", ["a", "k"], ["r"], "call", domain="own")], [value("r")])
    again = helper.make_function("own", "again", ["a", "k"], ["o"], [node("If", ["k"], ["o"], "i", then_branch=again, else_branch=again)],
                                 [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)])
    case("if-function-calls-itself", graph_model([helper.make_node("again", ["x", "c"], ["y"], "n", domain="own")], [x, condition],
                                                 imports=[helper.make_opsetid("", 17), helper.make_opsetid("own", 1)], functions=[again]),
         "node 'call' (again): functions call each other more than 64 deep")


def loops():
    count, x = value("m", (), I64), value("x")
    body_inputs = [value("i", (), I64), value("go", (), TensorProto.BOOL), value("v")]
    next_go, next_v = value("on", (), TensorProto.BOOL), value("w")
    nodes = [node("Identity", ["go"], ["on"], "o"), node("Relu", ["v"], ["w"], "r")]

    def refuse(name, message, nodes=nodes, outputs=(next_go, next_v), inputs=body_inputs, code=1, loop_inputs=("m", "", "x"), loop_outputs=("y",),
               count=count, extra=(), consts=()):
        body = subgraph(nodes, outputs, inputs)
        case(f"loop-{name}", graph_model([node("Loop", loop_inputs, loop_outputs, body=body)], [count, x, *extra], consts, loop_outputs), message,
             code=code)
    refuse("few-outputs", "node 'n' (Loop): 'body' has 1 outputs, expected at least 2", outputs=[next_go])
    refuse("many-outputs", "node 'n' (Loop): has 2 outputs, but its body gives 1", loop_outputs=("y", "z"))
    refuse("few-inputs", "node 'n' (Loop): 'body' has 2 inputs, expected 3", inputs=body_inputs[:2])
    refuse("one-input-twice", "node 'n' (Loop): 'body' has two inputs 'i'", inputs=[body_inputs[0], body_inputs[0], body_inputs[2]])
    refuse("left-out", "node 'n' (Loop): input 2 is required", loop_inputs=("m", "", ""))
    refuse("count-of-floats", "node 'n' (Loop): input 0 is of float, which the operator does not take", count=value("m", ()))
    refuse("other-elements-declared", "node 'n' (Loop): input 'v' of 'body' has elements of type i64, but gets tensor<2x3xf32>",
           inputs=[*body_inputs[:2], value("v", (2, 3), I64)])
    sequence = helper.make_tensor_sequence_value_info("v", F32, None)
    refuse("sequence", "node 'n' (Loop): input 'v' of 'body' gets a tensor, which it is not", inputs=[*body_inputs[:2], sequence])
    refuse("condition-of-floats", "operand 0 has type tensor<2x3xf32>, expected tensor<i1>", outputs=[next_v, next_v])
    refuse("other-elements", "carried value 0 is of type tensor<2x3xf32> at first and of type tensor<2x3xi64> then",
           [nodes[0], node("Cast", ["v"], ["w"], "r", to=I64)], [next_go, value("w", (2, 3), I64)])
    refuse("grows", "carried value 0 changes its shape, from tensor<2x3xf32> to tensor<4x3xf32>",
           [nodes[0], node("Concat", ["v", "v"], ["w"], "r", axis=0)], [next_go, value("w", (4, 3))], code=3)
    stacked = dict(outputs=[next_go, next_v, value("e")], loop_outputs=("y", "z"), code=3)
    more = [*nodes, node("Neg", ["v"], ["e"], "e")]
    refuse("count-of-run-time", "it puts results together of as many iterations as are computed, of which the most is not known", more, **stacked)
    many = numpy_helper.from_array(np.array(2**30), "many")
    until = [node("ReduceSum", ["v"], ["s"], "s", keepdims=0), node("Less", ["s", "s"], ["on"], "l"), *more[1:]]
    refuse("ends-early", "room for 1073741824 results of type tensor<2x3xf32>", until, consts=[many], loop_inputs=("many", "", "x"), **stacked)
    open_body = subgraph(until, [next_go, value("w", ("k", 3)), value("e", ("k", 3))], [value("i", (), I64), value("go", (), TensorProto.BOOL), value("v", ("k", 3))])
    three = numpy_helper.from_array(np.array(3), "three")
    case("loop-open-elements", graph_model([node("Loop", ["three", "", "x"], ["y", "z"], body=open_body)], [value("x", ("k", 3))], [three],
                                           [value("y", ("k", 3)), value("z", None)]), "it puts results of type tensor<?x3xf32", code=3)
    endless = numpy_helper.from_array(np.array(2**62), "endless")
    refuse("endless-elements", "", more, consts=[endless], loop_inputs=("endless", "", "x"), **{**stacked, "code": None})


def texts():
    """Operators that look into strings."""
    def words(*shape):
        return value("i0", shape, TensorProto.STRING)

    def refuse(name, message, op, *operands, opset=20, code=1, **attributes):
        what = f"node 'n' ({op}), opset {opset}, is not supported: " if code == 3 else f"node 'n' ({op}): "
        case(f"text-{name}", one(op, *operands, opset=opset, **attributes), what + message, code=code)
    refuse("concat-shapes", "inputs of types tensor<2xsi64> and tensor<3xsi64> do not broadcast", "StringConcat", words(2),
           value("i1", (3,), TensorProto.STRING))
    refuse("open-size", "an input of type tensor<?xsi64", "RegexFullMatch", words("n"), code=3, pattern="a")
    refuse("pattern", "the pattern 'a(': at byte 1: a parenthesis that is not closed", "RegexFullMatch", words(2), code=3, pattern="a(")
    refuse("case", "'case_change_action' is 'CAPS', expected LOWER, UPPER or NONE", "StringNormalizer", words(2), case_change_action="CAPS")
    refuse("normalize-rank", "its input has type tensor<2x3xsi64>, expected [C] or [1, C]", "StringNormalizer", words(2, 3))
    refuse("cuts", "2097152 cuts of strings of type tensor<2xsi64>", "StringSplit", words(2), code=3, maxsplit=2**21)
    grams = dict(min_gram_length=1, max_gram_length=2, max_skip_count=0, mode="TF", ngram_counts=[0, 2], ngram_indexes=[0, 1, 2], pool_int64s=[1, 2, 3, 4])
    row = value("i0", (5,), I64)

    def refuse_grams(name, message, operand=row, code=1, **other):
        attributes = {k: v for k, v in {**grams, **other}.items() if v is not None}
        refuse(name, message, "TfIdfVectorizer", operand, opset=17, code=code, **attributes)
    none = one("TfIdfVectorizer", row, opset=17, **{**{k: v for k, v in grams.items() if k != "ngram_indexes"}, "ngram_counts": [4, 4]})
    none.graph.node[0].attribute.append(AttributeProto(name="ngram_indexes", type=AttributeProto.INTS))
    case("text-none", none, "node 'n' (TfIdfVectorizer): it has no n-gram")
    refuse_grams("mode", "'mode' is 'XY', expected TF, IDF or TFIDF", mode="XY")
    refuse_grams("pool", "n-grams of 2 tokens from 1 to 4 of a pool of 4", ngram_counts=[0, 1])
    refuse_grams("places", "3 n-grams with 2 places", ngram_indexes=[0, 1])
    refuse_grams("place", "an n-gram has the place -1", ngram_indexes=[0, -1, 2])
    refuse_grams("weights", "2 weights for 3 places", weights=[1.0, 2.0])
    refuse_grams("lengths", "n-grams of 2 to 1 tokens, with 0 skipped", min_gram_length=2, max_gram_length=1)
    refuse_grams("rank", "its input has type tensor<1x2x3xi64>, expected [C] or [N, C]", value("i0", (1, 2, 3), I64))
    refuse_grams("open", "an input of type tensor<?xi64", value("i0", ("n",), I64), code=3)


def lists():
    """Sequences and optionals: 's' is one of two items, 'p' a position that is computed, 'x' a tensor."""
    x, position, condition = value("x"), value("p", (), I64), value("c", (), TensorProto.BOOL)
    constants = [numpy_helper.from_array(ints(n).reshape(()), name) for name, n in (("zero", 0), ("two", 2), ("far", 5), ("low", -3))]
    constants += [numpy_helper.from_array(np.asarray(v), name) for name, v in
                  (("pair", ints(0, 1)), ("twos", ints(2, 2)), ("minus", ints(-1, 3)), ("no", np.array(False)), ("row", floats(1, 2, 3)))]
    make = node("SequenceConstruct", ["x", "x"], ["s"], "make")
    uneven = [node("SequenceConstruct", ["x", "row"], ["s"], "make")]
    empty = node("SequenceEmpty", [], ["e"], "empty")
    of_ints = node("SequenceEmpty", [], ["k"], "ints", dtype=I64)
    none = node("Optional", [], ["o"], "none", type=helper.make_tensor_type_proto(F32, None))

    def refuse(name, message, op, inputs, before=(make,), code=1, outputs=("y",), opset=18, **attributes):
        model = graph_model([*before, node(op, inputs, outputs, **attributes)], [x, position, condition], constants, list(outputs), opset)
        words = f"node 'n' ({op}), opset {opset}, is not supported: " if code == 3 else f"node 'n' ({op}): "
        case(f"list-{name}", model, words + message, code=code)
    refuse("at-far", "position 5 in a sequence of 2 items", "SequenceAt", ["s", "far"])
    refuse("at-low", "position -3 in a sequence of 2 items", "SequenceAt", ["s", "low"])
    refuse("at-pair", "the position has 2 elements, expected one", "SequenceAt", ["s", "pair"])
    refuse("at-empty", "position 0 in a sequence of 0 items", "SequenceAt", ["e", "zero"], [empty])
    refuse("at-computed", "its input 'p' is the model's, it must be a constant", "SequenceAt", ["s", "p"], uneven, code=3)
    refuse("at-tensor", "its input 'x' is a tensor, expected a sequence", "SequenceAt", ["x", "zero"])
    refuse("at-sequence", "its input 's' is a sequence, expected a tensor", "SequenceAt", ["s", "s"])
    refuse("add", "its input 's' is a sequence, expected a tensor", "Add", ["s", "x"])
    refuse("erase-empty", "the sequence is empty", "SequenceErase", ["e"], [empty])
    refuse("insert-far", "position 5 in a sequence of 2 items", "SequenceInsert", ["s", "x", "far"])
    refuse("insert-other", "an item has elements of type f32, expected i64", "SequenceInsert", ["k", "x"], [of_ints])
    refuse("construct-other", "input 1 is of int64, and another one of float", "SequenceConstruct", ["x", "p"])
    refuse("construct-left-out", "input 1 is required", "SequenceConstruct", ["x", ""])
    refuse("empty-of-nothing", "'dtype' is 99", "SequenceEmpty", [], code=3, dtype=99)
    refuse("concat-empty", "the sequence is empty", "ConcatFromSequence", ["e"], [empty], axis=0)
    refuse("concat-no-axis", "attribute 'axis' is required", "ConcatFromSequence", ["s"])
    refuse("concat-far", "axis 2 is out of range for rank 2", "ConcatFromSequence", ["s"], axis=2)
    refuse("concat-ranks", "items of different ranks", "ConcatFromSequence", ["s"], uneven, axis=0)
    found = node("NonZero", ["x"], ["f"], "nz")
    refuse("concat-found", "item 0 has a size that is found in the data", "ConcatFromSequence", ["s"],
           [found, node("SequenceConstruct", ["f"], ["s"], "make")], code=3, axis=0)
    refuse("split-zero", "parts of size 0", "SplitToSequence", ["x", "zero"])
    refuse("split-sizes", "the sizes of the parts are not those of 2", "SplitToSequence", ["x", "twos"])
    refuse("split-negative", "the sizes of the parts are not those of 2", "SplitToSequence", ["x", "minus"])
    big = value("big", (2**20,))
    case("list-split-many", graph_model([node("SplitToSequence", ["big"], ["s"]), node("SequenceLength", ["s"], ["y"], "l")], [big]),
         "node 'n' (SplitToSequence), opset 17, is not supported: 1048576 parts, of which there may be 16384", code=3)
    most = value("most", (2**14,))
    case("list-insert-many", graph_model([node("SplitToSequence", ["most"], ["s"], "split"), node("SequenceInsert", ["s", "most"], ["t"]),
                                          node("SequenceLength", ["t"], ["y"], "l")], [most]),
         "node 'n' (SequenceInsert), opset 17, is not supported: a sequence of 16385 items, of which there may be 16384", code=3)
    case("list-concat-open", graph_model([node("SequenceConstruct", ["x"], ["s"], "make"), node("ConcatFromSequence", ["s"], axis=0)],
                                         [value("x", ("n", 3))]),
         "node 'n' (ConcatFromSequence), opset 17, is not supported: item 0 has type", "its shape must be known", code=3)
    case("list-split-open", graph_model([node("SplitToSequence", ["x"], ["s"]), node("SequenceLength", ["s"], ["y"], "l")], [value("x", ("n", 3))]),
         "node 'n' (SplitToSequence), opset 17, is not supported: an input of type tensor<?x3xf32", code=3)
    refuse("optional-of-nothing", "it has neither an input nor a 'type'", "Optional", [])
    refuse("optional-twice", "its input is an optional already", "Optional", ["o"], [none])
    refuse("get-none", "the optional 'o' holds nothing", "OptionalGetElement", ["o"], [none])

    def body(*outputs, inputs=("u",), nodes=None):
        return subgraph(nodes or [node("Neg", ["u"], [o], f"b{o}") for o in outputs], [value(o, None) for o in outputs], [value(i, None) for i in inputs])
    refuse("map-no-body", "attribute 'body' is required", "SequenceMap", ["s"])
    refuse("map-outputs", "'body' has 2 outputs, expected 1", "SequenceMap", ["s"], body=body("v", "w"))
    refuse("map-lengths", "its sequences have 2 and 0 items", "SequenceMap", ["s", "e"], [make, empty],
           body=body("v", inputs=("u", "t")))
    refuse("map-left-out", "input 1 is required", "SequenceMap", ["s", ""], body=body("v", inputs=("u", "t")))
    refuse("map-of-lists", "output 0 of 'body' is no tensor", "SequenceMap", ["s"],
           body=body("v", nodes=[node("SequenceConstruct", ["u"], ["v"], "b")]))
    branch = subgraph([node("SequenceConstruct", ["x", "x"], ["b"], "make")], [helper.make_tensor_sequence_value_info("b", F32, None)], [])
    case("list-if", graph_model([node("If", ["c"], ["s"], then_branch=branch, else_branch=branch), node("SequenceLength", ["s"], ["y"], "l")], [condition, x]),
         "node 'n' (If), opset 17, is not supported: output 0 of 'then_branch' is a sequence, and which there is is computed", code=3)
    loop_lists(x, condition, constants, make)
    seq, opt = helper.make_tensor_sequence_value_info("q", F32, None), helper.make_value_info("q", helper.make_optional_type_proto(
        helper.make_sequence_type_proto(helper.make_sequence_type_proto(helper.make_tensor_type_proto(F32, None)))))
    case("list-input", graph_model([node("SequenceLength", ["q"])], [seq]),
         "input 'q' is a sequence, and what it holds must be known: give the shapes with --items 'q=2x3:4x3', or 'none', or 'empty'", code=3)
    case("list-input-deep", graph_model([node("OptionalHasElement", ["q"])], [opt]), "its input 'q' is of a type that inputs cannot have yet", code=3)
    case("list-output-undeclared", graph_model([make], [x], (), ["s"]), "output 's' is a sequence, which is not declared")


def loop_lists(x, condition, constants, make):
    go, on = value("go", (), TensorProto.BOOL), value("on", (), TensorProto.BOOL)
    inner = [value("i", (), I64), go, helper.make_tensor_sequence_value_info("t", F32, None)]
    grow = [node("SequenceInsert", ["t", "x"], ["w"], "grow")]

    def refuse(name, message, nodes, outputs, code, inputs=("m", "c", "s"), loop_outputs=("l",), **more):
        nodes = [make, node("Loop", inputs, loop_outputs, body=subgraph(nodes, outputs, inner)), node("SequenceLength", ["l"], ["y"], "length")]
        case(f"list-loop-{name}", graph_model(nodes, [value("m", (), I64), condition, x], constants, **more),
             "node 'n' (Loop)" + (", opset 17, is not supported: " if code == 3 else ": ") + message, code=code)
    keep = [node("Identity", ["go"], ["on"], "k"), *grow]
    outputs = [on, helper.make_tensor_sequence_value_info("w", F32, None)]
    refuse("computed", "its input 'm' is the model's, it must be a constant", keep, outputs, 3)
    refuse("while", "it carries a sequence, and whether it goes on is computed", keep, outputs, 3, inputs=("far", "c", "s"))
    refuse("endless", "it carries a sequence through more than 16384 iterations",
           [node("Constant", [], ["on"], "k", value=numpy_helper.from_array(np.array(True))), node("Identity", ["t"], ["w"], "same")], outputs, 3,
           inputs=("", "", "s"))
    refuse("pair", "input 0 has 2 elements, expected one", keep, outputs, 1, inputs=("pair", "", "s"))
    refuse("outputs", "has 2 outputs, but its body gives 1", keep, outputs, 1, inputs=("two", "", "s"), loop_outputs=("l", "z"))
    stacked = [*outputs, value("e", None)]
    each = [*keep, node("Neg", ["x"], ["e"], "e")]
    refuse("no-iteration", "it puts results together of no iteration", each, stacked, 3, inputs=("zero", "", "s"), loop_outputs=("l", "z"))
    uneven = [*keep, node("ConcatFromSequence", ["w"], ["e"], "e", axis=0)]
    refuse("uneven", "results of its iterations have different types", uneven, stacked, 1, inputs=("two", "", "s"), loop_outputs=("l", "z"))


def scans():
    state, element = value("s", (3,)), value("e", (3,))
    nodes = [node("Add", ["s", "e"], ["t"], "a"), node("Neg", ["t"], ["r"], "b")]
    outputs = [value("t", (3,)), value("r", (3,))]

    def refuse(name, message, nodes=nodes, outputs=outputs, code=1, opset=17, scan_inputs=("s0", "x"), scan_outputs=("y", "z"), x=(5, 3), **attributes):
        attributes = {"num_scan_inputs": 1, "body": subgraph(nodes, outputs, [state, element]), **attributes}
        attributes = {k: v for k, v in attributes.items() if v is not None}
        case(f"scan-{name}", graph_model([node("Scan", scan_inputs, scan_outputs, **attributes)], [value("s0", (3,)), value("x", x), value("lengths", (1,), I64)],
                                         outputs=scan_outputs, opset=opset), message, code=code)
    refuse("no-body", "attribute 'body' is required", body=None)
    refuse("no-inputs", "'num_scan_inputs' is 0, expected 1 to 2", num_scan_inputs=0)
    refuse("many-inputs", "'num_scan_inputs' is 3, expected 1 to 2", num_scan_inputs=3)
    refuse("few-outputs", "'body' has 0 outputs, expected at least 1", outputs=[])
    refuse("many-outputs", "has 3 outputs, but its body gives 2", scan_outputs=("y", "z", "q"))
    refuse("axes-of-another", "'scan_input_axes' has 2 entries, expected 1", scan_input_axes=[0, 0])
    refuse("axis-beyond", "'scan_input_axes' has the entry 2, out of range for rank 2", scan_input_axes=[2])
    refuse("output-axis-beyond", "'scan_output_axes' has the entry -3, out of range for rank 2", scan_output_axes=[-3])
    refuse("axis-of-unknown-rank", "the rank of what 'scan_input_axes' is for is unknown, it must be fixed", x=None, scan_input_axes=[1], code=3)
    refuse("direction", "'scan_input_directions' has the entry 2, expected 0 or 1", scan_input_directions=[2])
    refuse("left-out", "input 0 is required", scan_inputs=("", "x"))
    refuse("scalar", "", x=(), code=None)
    refuse("lengths", "node 'n' (Scan), opset 8, is not supported: lengths of sequences", opset=8, scan_inputs=("lengths", "s0", "x"), code=3)
    refuse("nothing", "expected 2 to 255 inputs, got 0", opset=8, scan_inputs=())
    two = [node("Add", ["s", "e"], ["t"], "a"), node("Concat", ["t", "t"], ["r"], "b", axis=0)]
    refuse("grows", "carried value 0 changes its shape, from tensor<3xf32> to tensor<6xf32>", two, [value("r", (6,)), value("t", (3,))], code=3)
    case("scan-steps", graph_model([node("Scan", ["x", "w"], ["y"], num_scan_inputs=2, body=subgraph(nodes, outputs[1:], [state, element]))],
                                   [value("x", (5, 3)), value("w", (4, 3))]), "its inputs have no first dimension of one size")


def recurrent():
    x, w, r = (5, 2, 3), (1, 16, 3), (1, 16, 4)

    def refuse(name, message, *operands, code=1, op="LSTM", outputs=("y",), **attributes):
        (invalid if code == 1 else unsupported)(f"recurrent-{name}", one(op, *operands, outputs=outputs, **attributes), message, op)
    refuse("direction", "attribute 'direction' is 'down'", x, w, r, direction="down")
    refuse("layout", "attribute 'layout' is 2", x, w, r, layout=2)
    refuse("clip", "attribute 'clip' is negative", x, w, r, clip=-1.0)
    refuse("few-activations", "'activations' has 2 entries, expected 3", x, w, r, activations=["Tanh", "Tanh"])
    refuse("activation", "the activation 'Swish'", x, w, r, activations=["Swish", "Tanh", "Tanh"], code=3)
    refuse("rank", "input 0 has type tensor<5x3xf32>, expected rank 3", (5, 3), w, r)
    refuse("unknown-shape", "the shape of its input 'i0' is unknown, it must be fixed", None, w, r, code=3)
    refuse("unknown-hidden", "the shape of its input 'i2' is unknown, it must be fixed", x, w, (1, 16, "h"), code=3)
    refuse("elements", "input 0 is of int64, which the operator does not take", value("i0", x, I64), w, r)
    refuse("other-elements", "input 1 is of double, and another one of float", x, value("i1", w, TensorProto.DOUBLE), r)
    refuse("hidden-size", "'hidden_size' is 5, but input 2 has type tensor<1x16x4xf32>", x, w, r, hidden_size=5)
    refuse("huge-state", f"a state of {2**31} numbers", (1, 1, 1), (1, 2**31, 1), (1, 2**31, 2**31), op="RNN", code=3)
    refuse("weights", "input 1 has type tensor<1x12x3xf32>, expected size 16 in dimension 1", x, (1, 12, 3), r)
    refuse("bias", "input 3 has type tensor<1x16xf32>, expected size 32 in dimension 1", x, w, r, (1, 16))
    refuse("first-state", "input 5 has type tensor<1x3x4xf32>, expected size 2 in dimension 1", x, w, r, "", "", (1, 3, 4))
    refuse("peepholes", "input 7 has type tensor<1x16xf32>, expected size 12 in dimension 1", x, w, r, "", "", "", "", (1, 16))
    refuse("lengths-of-floats", "input 4 is of float, which the operator does not take", x, w, r, "", (2,))
    refuse("long-sequences", "lengths of sequences of more than 16777216 steps", (2**25, 1, 3), w, r, "", value("i4", (1,), TensorProto.INT32), code=3)


def fused():
    """Operators of com.microsoft, in forms that are not there, or that none is."""
    i32 = TensorProto.INT32

    def refuse(name, op, message, *operands, code=3, **attributes):
        case(f"fused-{name}", one(op, *operands, domain="com.microsoft", **attributes),
             f"node 'n' ({op})" + (" is not supported: " if code == 3 else ": ") + message, code=code)
    q, k, x, w = (1, 2, 8), (1, 3, 8), (1, 2, 4), (4, 24)
    refuse("activation", "FusedGemm", "activation 'Swoosh'", (2, 3), (3, 4), activation="Swoosh")
    refuse("other-elements", "FusedMatMul", "input 1 is of uint16, and another one of float", (2, 3), value("i1", (3, 4), TensorProto.UINT16), code=1)
    refuse("product-rank", "FusedMatMul", "an input of type tensor<*xf32>", None, (3, 4), transA=1)
    refuse("channels-last", "NhwcConv", "an input of type tensor<2x3xf32>", (2, 3), (4, 3, 3, 3))
    refuse("embedding-table", "EmbedLayerNormalization", "input 6 is required", value("i0", (1, 4), i32), "", (9, 8), (4, 8), "", (8,), code=1)
    refuse("embedding-ids", "EmbedLayerNormalization", "ids of type tensor<4xi32>", value("i0", (4,), i32), "", (9, 8), (4, 8), "", (8,), (8,), code=1)
    refuse("embedding-shape", "EmbedLayerNormalization", "an input of type tensor<*xi32>", value("i0", None, i32), "", (9, 8), (4, 8), "", (8,), (8,))
    refuse("shared", "Attention", "past_present_share_buffer = 1", x, w, num_heads=2, past_present_share_buffer=1)
    refuse("turned", "Attention", "do_rotary = 1", x, w, num_heads=2, do_rotary=1)
    refuse("attention-rank", "Attention", "input 0 of type tensor<2x4xf32>", (2, 4), w, num_heads=2)
    refuse("attention-heads", "Attention", "5 heads of a size of 8", x, w, num_heads=5, code=1)
    refuse("attention-sizes", "Attention", "sizes add up to 16, of 24", x, w, num_heads=2, qkv_hidden_sizes=[4, 4, 8], code=1)
    refuse("mask-length", "Attention", "a mask of type tensor<5xi32>", x, w, "", value("i3", (5,), i32), num_heads=2)
    refuse("mask-rank", "Attention", "a mask of type tensor<1x1x2x2xi32>", x, w, "", value("i3", (1, 1, 2, 2), i32), num_heads=2)
    refuse("mask-keys", "MultiHeadAttention", "a mask of type tensor<1x2xi32> for 3 keys", q, k, k, "", value("i4", (1, 2), i32), num_heads=2)
    refuse("heads-keys", "MultiHeadAttention", "input 1 is required", q, "", k, num_heads=2, code=1)
    refuse("heads-past", "MultiHeadAttention", "past keys and past values must be given together", q, k, k, "", "", "", (1, 2, 3, 4), num_heads=2, code=1)
    refuse("heads-past-unknown", "MultiHeadAttention", "input 7 of type tensor<*xf32>", q, k, k, "", "", "", (1, 2, 3, 4), None, num_heads=2)
    refuse("heads-buffer", "MultiHeadAttention", "its input 8, 'i8'", q, k, k, "", "", "", "", "", value("i8", (1,), i32), num_heads=2)
    refuse("keys-unknown", "MultiHeadAttention", "queries of type tensor<1x2x2x4xf32> for keys of type tensor<1x2x?x4xf32", q, (1, 2, "k", 4), (1, 2, "k", 4),
           num_heads=2)
    refuse("heads-many", "MultiHeadAttention", f"a mask for {2**21} keys", *[(1, 2**21, 2)] * 3, num_heads=2, unidirectional=1)
    ends, total = value("i5", (1,), i32), np.array([2], np.int32)

    def groups(name, message, *operands, code=3, num_heads=4, kv_num_heads=2, **attributes):
        refuse(name, "GroupQueryAttention", message, *operands, code=code, num_heads=num_heads, kv_num_heads=kv_num_heads, **attributes)
    few = (1, 2, 4)
    groups("groups-ends", "input 5 is required", q, few, few, code=1)
    groups("groups-heads", "1 heads of queries for 2 of keys", q, few, few, "", "", ends, total, num_heads=1, code=1)
    groups("groups-values", "keys and values must be given together", q, few, "", "", "", ends, total, code=1)
    groups("groups-angles", "inputs 7 and 8 are required where do_rotary is 1", q, few, few, "", "", ends, total, do_rotary=1, code=1)
    groups("groups-total", "input 6 must be a number of keys", q, few, few, "", "", ends, np.array([0], np.int32), code=1)
    groups("groups-cache", "input 4 of type tensor<*xf32>", q, few, few, (1, 2, 3, 2), None, ends, total)
    groups("groups-window", "sliding_window_cache = 1", q, few, few, "", "", ends, total, sliding_window_cache=1)
    refuse("rotation-scale", "RotaryEmbedding", "a scale", q, ints(0), (9, 2), (9, 2), scale=2.0)
    refuse("rotation-ragged", "RotaryEmbedding", "is_packed_batching = 1", q, ints(0), (9, 2), (9, 2), is_packed_batching=1)


def check(folder, model, messages, code):
    path = folder / "m.onnx"
    if model is not None:
        path.write_bytes(model if isinstance(model, bytes) else model.SerializeToString())
    out = folder / "m.so"
    result = call(MLC, "compile", path, "-o", out, "--require-compiled", timeout=120)
    if code is None:  # whatever the model says, no crash
        code = result.code if result.code in (0, 1, 3) else 1
        out.unlink(missing_ok=True)
    if result.code != code:
        raise Failure(f"expected exit {code}, got {result.code}: {result.err.strip()[:400]}")
    for message in messages:
        if message not in result.err:
            raise Failure(f"expected {message!r} in: {result.err.strip()[:600]}")
    if out.exists():
        raise Failure("an output was left behind")
    if code == 3:  # what a run alone knows may be run node by node
        result = call(MLC, "compile", path, "-o", out, timeout=120)
        if result.code not in (0, 3):
            raise Failure(f"expected exit 0 or 3 where nodes may be interpreted, got {result.code}: {result.err.strip()[:400]}")


def main():
    global MLC
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    MLC = args.mlc.resolve()
    for add in (models, functions, any_node, constants, contractions, quantization, quantized_of_microsoft, single_operators, gradients, transposed_convolutions, einsums, elementwise,
                normalisations, images, norms, losses, attentions, states, reductions, resizing, shapes, selections, suppressions,
                computed_sizes, found_sizes, sampling, signals,
                tensors, wire, branches, loops, texts, lists, scans, recurrent, fused):
        add()
    run_in_folders({name: lambda folder, which=which: check(folder, *which) for name, which in CASES.items()}, args.jobs, args.only)


if __name__ == "__main__":
    main()
