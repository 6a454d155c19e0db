"""Models whose inputs or outputs are no tensors of numbers: sequences, optionals and strings, from files and to files; and what is told where
they are wrong.

    python values.py --mlc build/release/bin/mlc --translate build/release/bin/mlc-translate

Each is run on .pb files, directly and compiled with `--items`, and compared with onnx's reference implementation.
"""
import argparse
import os
from pathlib import Path

import numpy as np
import onnx
from onnx import OptionalProto, SequenceProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from harness import Failure, call, run_in_folders

MLC = TRANSLATE = None
F32, I64 = TensorProto.FLOAT, TensorProto.INT64
RNG = np.random.default_rng(18)
TENSOR = helper.make_tensor_type_proto(F32, None)
SEQUENCE = helper.make_sequence_type_proto(TENSOR)


def info(name, kind):
    return helper.make_value_info(name, kind)


def tensor(name, shape=None, dtype=F32):
    return helper.make_tensor_value_info(name, dtype, shape)


def model(nodes, inputs, outputs, consts=()):
    consts = [numpy_helper.from_array(np.asarray(value), name) for name, value in dict(consts).items()]
    return helper.make_model(helper.make_graph(nodes, "g", inputs, outputs, consts), opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def floats(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def to_file(value, kind, path):
    make = {"sequence_type": numpy_helper.from_list, "optional_type": numpy_helper.from_optional}.get(kind.WhichOneof("value"), numpy_helper.from_array)
    path.write_bytes(make(value).SerializeToString())


def from_file(path, kind):
    data = path.read_bytes()
    if kind.WhichOneof("value") == "sequence_type":
        return numpy_helper.to_list(SequenceProto.FromString(data))
    if kind.WhichOneof("value") == "optional_type":
        return numpy_helper.to_optional(OptionalProto.FromString(data))
    return numpy_helper.to_array(TensorProto.FromString(data))


def check_same(name, got, wanted):
    if isinstance(wanted, list) or wanted is None:
        if not isinstance(got, type(wanted)) or len(got or []) != len(wanted or []):
            raise Failure(f"{name}: expected {wanted}, got {got}")
        for i, (g, w) in enumerate(zip(got or [], wanted or [])):
            check_same(f"{name}[{i}]", g, w)
        return
    got, wanted = np.asarray(got), np.asarray(wanted)
    if wanted.dtype.kind in "OSU":
        if got.shape != wanted.shape or (got.astype(str) != wanted.astype(str)).any():
            raise Failure(f"{name}: expected {wanted!r}, got {got!r}")
        return
    if got.shape != wanted.shape or got.dtype != wanted.dtype or not np.allclose(got, wanted, rtol=1e-5, atol=1e-6):
        raise Failure(f"{name}: expected {wanted.dtype}{list(wanted.shape)}, got {got.dtype}{list(got.shape)}, or other numbers")


def items(value):
    if value is None:
        return "none"
    value = value if isinstance(value, list) else [value]
    return ":".join("x".join(map(str, v.shape)) or "scalar" for v in value) or "empty"


def check(folder, made, feeds, wanted=None):
    """Directly, and compiled for these items; `wanted`: what the reference implementation does not know."""
    path, artefact = folder / "m.onnx", folder / "m.so"
    onnx.save(made, path)
    if wanted is None:
        wanted = ReferenceEvaluator(made).run(None, feeds)
    flags, given = [], []
    for i, value in enumerate(made.graph.input):
        to_file(feeds[value.name], value.type, folder / f"in{i}.pb")
        flags += ["--input", f"{value.name}={folder / f'in{i}.pb'}"]
        if value.type.WhichOneof("value") != "tensor_type":
            given += ["--items", f"{value.name}={items(feeds[value.name])}"]
    result = call(MLC, "compile", path, "-o", artefact, *given)
    if result.code:
        raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
    for what in path, artefact:
        out = folder / f"out-{what.suffix}"
        result = call(MLC, "run", what, *flags, "--output-dir", out, "--output-format", "pb")
        if result.code:
            raise Failure(f"mlc run {what.name}: exit {result.code}: {result.first_line()}")
        for value, expected in zip(made.graph.output, wanted, strict=True):
            check_same(value.name, from_file(out / f"{value.name}.pb", value.type), expected)


def edits(folder):
    """Items put in, taken out, read and counted, from both ends; the list that comes out has others than the one that goes in."""
    nodes = [helper.make_node("SequenceInsert", ["s", "x", "one"], ["a"]), helper.make_node("SequenceInsert", ["a", "x"], ["b"]),
             helper.make_node("SequenceErase", ["b", "minus"], ["c"]), helper.make_node("SequenceErase", ["c"], ["d"]),
             helper.make_node("SequenceAt", ["c", "minus"], ["last"]), helper.make_node("SequenceLength", ["c"], ["n"]),
             helper.make_node("Neg", ["last"], ["y"])]
    outputs = [info("c", SEQUENCE), info("d", SEQUENCE), tensor("y"), tensor("n", (), I64)]
    made = model(nodes, [info("s", SEQUENCE), tensor("x", (4,))], outputs, {"one": np.int64(1), "minus": np.int64(-2)})
    check(folder, made, {"s": [floats(2, 3), floats(3), floats(1, 2, 2)], "x": floats(4)})


def empty(folder):
    nodes = [helper.make_node("SequenceLength", ["s"], ["n"]), helper.make_node("SequenceEmpty", [], ["e"], dtype=I64),
             helper.make_node("Identity", ["s"], ["t"])]
    outputs = [tensor("n", (), I64), info("e", helper.make_sequence_type_proto(helper.make_tensor_type_proto(I64, None))), info("t", SEQUENCE)]
    check(folder, model(nodes, [info("s", SEQUENCE)], outputs), {"s": []})


def parts(folder):
    """Equal parts and a rest, sizes, without the axis; put together again along the same axis and along a new one."""
    nodes = [helper.make_node("SplitToSequence", ["x", "two"], ["a"], axis=1), helper.make_node("ConcatFromSequence", ["a"], ["y"], axis=-1),
             helper.make_node("SplitToSequence", ["x", "sizes"], ["b"], axis=-1), helper.make_node("SplitToSequence", ["x"], ["c"], axis=0, keepdims=0),
             helper.make_node("ConcatFromSequence", ["c"], ["z"], axis=1, new_axis=1)]
    made = model(nodes, [tensor("x", (3, 5))], [info("a", SEQUENCE), info("b", SEQUENCE), info("c", SEQUENCE), tensor("y"), tensor("z")],
                 {"two": np.int64(2), "sizes": np.array([4, 0, 1])})
    x = floats(3, 5)
    check(folder, made, {"x": x}, [[x[:, :2], x[:, 2:4], x[:, 4:]], [x[:, :4], x[:, 4:4], x[:, 4:]], list(x), x, x.T])


def computed_position(folder):
    """Which item it is is computed when the model runs."""
    nodes = [helper.make_node("SplitToSequence", ["x", "two"], ["s"]), helper.make_node("ArgMax", ["k"], ["p"], keepdims=0),
             helper.make_node("SequenceAt", ["s", "p"], ["y"])]
    check(folder, model(nodes, [tensor("x", (4, 3)), tensor("k", (2,))], [tensor("y")], {"two": np.int64(2)}), {"x": floats(4, 3), "k": floats(2)})


def mapped(folder):
    """A body for each item, beside items of another sequence and a tensor."""
    body = helper.make_graph([helper.make_node("Add", ["a", "b"], ["c"]), helper.make_node("Mul", ["c", "w"], ["d"]),
                              helper.make_node("Shape", ["d"], ["e"])], "body", [tensor("a"), tensor("b"), tensor("w")],
                             [tensor("d"), tensor("e", None, I64)])
    outputs = [info("y", SEQUENCE), info("z", helper.make_sequence_type_proto(helper.make_tensor_type_proto(I64, None)))]
    made = model([helper.make_node("SequenceMap", ["s", "t", "w"], ["y", "z"], body=body)], [info("s", SEQUENCE), info("t", SEQUENCE), tensor("w", (1,))],
                 outputs)
    s, t, w = [floats(2, 3), floats(4)], [floats(3), floats(2, 1)], floats(1)
    ys = [(a + b) * w for a, b in zip(s, t)]
    check(folder, made, {"s": s, "t": t, "w": w}, [ys, [np.array(y.shape) for y in ys]])


def loop(folder):
    """A list that grows from one iteration to the next, and a tensor beside it; results of the iterations put together."""
    body = helper.make_graph(
        [helper.make_node("Add", ["v", "x"], ["w"]), helper.make_node("SequenceInsert", ["t", "w"], ["u"]), helper.make_node("Less", ["i", "two"], ["on"]),
         helper.make_node("ReduceSum", ["w"], ["e"], keepdims=0)], "body",
        [tensor("i", (), I64), tensor("go", (), TensorProto.BOOL), info("t", SEQUENCE), tensor("v")],
        [tensor("on", (), TensorProto.BOOL), info("u", SEQUENCE), tensor("w"), tensor("e")])
    nodes = [helper.make_node("SequenceEmpty", [], ["none"]), helper.make_node("Loop", ["ten", "", "none", "x"], ["y", "z", "sums"], body=body)]
    made = model(nodes, [tensor("x", (3,))], [info("y", SEQUENCE), tensor("z"), tensor("sums")], {"ten": np.int64(10), "two": np.int64(2)})
    x = floats(3)
    check(folder, made, {"x": x}, [[2 * x, 3 * x, 4 * x], 4 * x, np.array([2, 3, 4], np.float32) * x.sum()])


def optionals(folder):
    """Optional tensors and sequences, there and not there, in and out."""
    for kind, value in (TENSOR, floats(2, 3)), (TENSOR, None), (SEQUENCE, [floats(2), floats(3)]), (SEQUENCE, None):
        optional = helper.make_optional_type_proto(kind)
        nodes = [helper.make_node("OptionalHasElement", ["o"], ["has"]), helper.make_node("Identity", ["o"], ["same"])]
        outputs = [tensor("has", (), TensorProto.BOOL), info("same", optional)]
        if value is not None:
            nodes += [helper.make_node("OptionalGetElement", ["o"], ["got"]), helper.make_node("Optional", ["got"], ["again"])]
            outputs += [info("got", kind), info("again", optional)]
        check(folder, model(nodes, [info("o", optional)], outputs), {"o": value}, [np.array(value is not None), *[value] * (len(outputs) - 1)])


def as_arrays(folder):
    """Without .pb: an item is an input or output of its own, as .npy."""
    path = folder / "m.onnx"
    onnx.save(model([helper.make_node("Identity", ["s"], ["y"])], [info("s", SEQUENCE)], [info("y", SEQUENCE)]), path)
    for i in range(2):
        np.save(folder / f"{i}.npy", np.full((i + 1,), i, np.float32))
    flags = ["--items", "s=1:2", "--input", f"s[0]={folder / '0.npy'}", "--input", f"s[1]={folder / '1.npy'}"]
    result = call(MLC, "run", path, *flags, "--output-dir", folder / "out")
    if result.code:
        raise Failure(f"exit {result.code}: {result.first_line()}")
    check_same("y[1]", np.load(folder / "out" / "y[1].npy"), np.full((2,), 1, np.float32))
    result = call(MLC, "run", path, *flags)
    if "y: sequence of 2\ny[0]: f32 [1] 0\ny[1]: f32 [2] 1 1\n" != result.out:
        raise Failure(f"printed {result.out!r}")


def other_length(folder):
    """An artefact has as many items as it was compiled for."""
    path, artefact = folder / "m.onnx", folder / "m.so"
    onnx.save(model([helper.make_node("SequenceLength", ["s"], ["y"])], [info("s", SEQUENCE)], [tensor("y", (), I64)]), path)
    to_file([floats(2), floats(2)], SEQUENCE, folder / "two.pb")
    to_file([floats(2), floats(3), floats(2)], SEQUENCE, folder / "three.pb")
    to_file([floats(2), floats(3)], SEQUENCE, folder / "other.pb")
    to_file([np.int64([2, 2]), np.int64([2, 2])], SEQUENCE, folder / "ints.pb")
    (folder / "cut.pb").write_bytes((folder / "two.pb").read_bytes()[:-5])
    (folder / "x.npy").write_bytes(b"")
    mixed, maps = SequenceProto(), SequenceProto()
    mixed.tensor_values.append(numpy_helper.from_array(floats(1)))
    mixed.sequence_values.append(numpy_helper.from_list([floats(1)]))
    maps.map_values.append(numpy_helper.from_dict({1: floats(1)}))
    (folder / "mixed.pb").write_bytes(mixed.SerializeToString())
    (folder / "maps.pb").write_bytes(maps.SerializeToString())
    if call(MLC, "compile", path, "-o", artefact, "--items", "s=2:2").code:
        raise Failure("mlc compile failed")
    for name, message in (("three.pb", "it has 3 tensors, expected 2"), ("other.pb", "item 1: expected shape [2], got [3]"),
                          ("ints.pb", "item 0: expected type f32 (ONNX's 1), got 7"), ("cut.pb", "field tensor_values"),
                          ("mixed.pb", "a sequence of tensors and of sequences"), ("maps.pb", "a sequence of maps, optionals or sparse tensors"),
                          ("x.npy", "a sequence comes from a .pb file"), ("gone.pb", "gone.pb': No such file")):
        for what in (artefact, path) if name not in ("three.pb", "other.pb") else (artefact,):
            expect(folder, message, "run", what, "--input", f"s={folder / name}")
    expect(folder, "input 's' is missing: --input s=FILE.pb", "run", path)


def strings(*items):
    return np.array(items, object)


def words(name, shape=None):
    return tensor(name, shape, TensorProto.STRING)


def moved_strings(folder):
    """Compared, chosen, put together and taken apart as numbers: nothing looks into them."""
    nodes = [helper.make_node("Concat", ["x", "known"], ["all"], axis=0), helper.make_node("Equal", ["x", "y"], ["same"]),
             helper.make_node("Where", ["same", "x", "none"], ["kept"]), helper.make_node("Gather", ["all", "i"], ["taken"]),
             helper.make_node("Transpose", ["taken"], ["turned"]), helper.make_node("SequenceConstruct", ["x", "kept"], ["s"]),
             helper.make_node("Constant", [], ["c"], value_strings=["\u00e9", "b"])]
    outputs = [words("all"), tensor("same", None, TensorProto.BOOL), words("kept"), words("turned"), words("c"),
               info("s", helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.STRING, None)))]
    made = model(nodes, [words("x", (3,)), words("y", (3,)), tensor("i", (2, 2), I64)], outputs, {"known": strings("b", "new"), "none": strings("-")})
    x, y = strings("a", "b", "\u20ac"), strings("a", "c", "\u20ac")
    kept = strings("a", "-", "\u20ac")
    check(folder, made, {"x": x, "y": y, "i": np.array([[0, 3], [4, 2]])},
          [strings("a", "b", "\u20ac", "b", "new"), np.array([True, False, True]), kept, np.array([["a", "new"], ["b", "\u20ac"]], object),
           strings("\u00e9", "b"), [x, kept]])


def ordered_strings(folder):
    """Different ones, in order of their bytes and as they came, by rows too; and filled up."""
    nodes = [helper.make_node("Unique", ["x"], ["u", "at", "back", "n"]), helper.make_node("Unique", ["x"], ["v", "", "old"], sorted=0),
             helper.make_node("Unique", ["rows"], ["w"], axis=0), helper.make_node("Pad", ["x", "pads"], ["p"]),
             helper.make_node("Pad", ["rows", "pads2", "dash"], ["q"]), helper.make_node("Pad", ["x", "pads"], ["r"], mode="reflect")]
    outputs = [words("u"), *(tensor(k, None, I64) for k in ("at", "back", "n")), words("v"), tensor("old", None, I64), *(words(k) for k in "wpqr")]
    x = strings("b", "", "\u20ac", "a", "b", "ab", "a", "\U0001f600")
    rows = np.array([["b", "a"], ["a", "z"], ["b", "a"], ["a", ""]], object)
    made = model(nodes, [words("x", x.shape), words("rows", rows.shape)], outputs,
                 {"pads": np.array([1, 2]), "pads2": np.array([0, 1, 0, 0]), "dash": strings("-")})
    made.opset_import[0].version = 18
    order, at, back, n = np.unique(x.astype(str), True, True, True)
    old = list(dict.fromkeys(x))
    check(folder, made, {"x": x, "rows": rows}, [
        order.astype(object), at, back, n, strings(*old), np.array([old.index(s) for s in x]), np.array([["a", ""], ["a", "z"], ["b", "a"]], object),
        strings("", *x, "", ""), np.array([["-", *row] for row in rows], object), strings(x[1], *x, x[-2], x[-3])])


def texts(folder):
    """What the runtime makes of them, beside Python's own."""
    x, y = np.array([["Stra\u00dfe", "", "a b  c "], ["x,y", "\u00c9T\u00c9", "10"]], object), strings("!", "\U0001f600", ".5")
    nodes = [helper.make_node("StringConcat", ["x", "y"], ["joined"]), helper.make_node("StringSplit", ["x"], ["parts", "n"]),
             helper.make_node("StringSplit", ["x"], ["cut", "m"], delimiter=",", maxsplit=1),
             helper.make_node("RegexFullMatch", ["x"], ["is_word"], pattern=r"\w+")]
    outputs = [words("joined"), words("parts"), tensor("n", None, I64), words("cut"), tensor("m", None, I64), tensor("is_word", None, TensorProto.BOOL)]
    made = model(nodes, [words("x", (2, 3)), words("y", (3,))], outputs)
    made.opset_import[0].version = 20

    def cut(split):
        parts = [split(s) for s in x.ravel()]
        most = max(map(len, parts))
        return (np.array([p + [""] * (most - len(p)) for p in parts], object).reshape(2, 3, most), np.array([len(p) for p in parts]).reshape(2, 3))
    check(folder, made, {"x": x, "y": y}, [x + y, *cut(str.split), *cut(lambda s: s.split(",", 1)), np.array([[0, 0, 0], [0, 0, 1]], bool)])


def normalized(folder):
    """Stop words go, whatever is left; none left is one empty string."""
    x = strings("The", "quick", "BROWN", "the", "\u00c9t\u00e9")
    for change, sensitive, stops, wanted in (("LOWER", 0, ["the"], ["quick", "brown", "\u00e9t\u00e9"]), ("UPPER", 1, ["the"], ["THE", "QUICK", "BROWN", "\u00c9T\u00c9"]),
                                             ("NONE", 0, ["THE", "quick", "Brown", "\u00e9T\u00e9"], [""])):
        nodes = [helper.make_node("StringNormalizer", ["x"], ["y"], case_change_action=change, is_case_sensitive=sensitive, stopwords=stops)]
        check(folder, model(nodes, [words("x", (5,))], [words("y")]), {"x": x}, [np.array(wanted, object)])


def casts(folder):
    """Numbers to the shortest text that gives them again, and back."""
    nodes = [helper.make_node("Cast", ["x"], ["text"], to=TensorProto.STRING), helper.make_node("Cast", ["text"], ["y"], to=F32),
             helper.make_node("Cast", ["i"], ["digits"], to=TensorProto.STRING), helper.make_node("CastLike", ["digits", "text"], ["same"]),
             helper.make_node("Cast", ["same"], ["j"], to=I64)]
    x, i = np.array([0.1, -3, 1e-7, 16777216, np.inf], np.float32), np.array([-5, 2**62])
    made = model(nodes, [tensor("x", (5,)), tensor("i", (2,), I64)], [words("text"), tensor("y"), words("digits"), tensor("j", None, I64)])
    check(folder, made, {"x": x, "i": i}, [strings("0.1", "-3", "1e-07", "16777216", "INF"), x, strings("-5", str(2**62)), i])


def grams(folder):
    """n-grams of strings and of integers, with weights, at places of their own."""
    attributes = dict(mode="TFIDF", min_gram_length=1, max_gram_length=2, max_skip_count=1, ngram_counts=[0, 2], ngram_indexes=[3, 0, 2], weights=[.5, 1, 2, 3])
    for pool, kind, x in ((dict(pool_strings=["a", "b", "a", "c"]), TensorProto.STRING, np.array([["a", "c", "a", "x", "c"], ["b", "b", "b", "b", "b"]], object)),
                          (dict(pool_int64s=[1, 2, 1, 3]), I64, np.array([[1, 3, 1, 9, 3], [2, 2, 2, 2, 2]]))):
        nodes = [helper.make_node("TfIdfVectorizer", ["x"], ["y"], **attributes, **pool)]
        check(folder, model(nodes, [tensor("x", (2, 5), kind)], [tensor("y")]), {"x": x}, [np.array([[0, 0, 4, 6], [2.5, 0, 0, 0]], np.float32)])


def strings_as_arrays(folder):
    """numpy's texts, in and out; printed."""
    path = folder / "m.onnx"
    onnx.save(model([helper.make_node("Identity", ["x"], ["y"])], [words("x", (2,))], [words("y")]), path)
    np.save(folder / "x.npy", np.array(["\u20ac5", ""]))
    run = [MLC, "run", path, "--input", f"x={folder / 'x.npy'}"]
    result = call(*run, "--output-dir", folder / "out", "--expect", f"y={folder / 'x.npy'}")
    if result.code or (np.load(folder / "out" / "y.npy") != np.array(["\u20ac5", ""])).any():
        raise Failure(f"exit {result.code}: {result.first_line()}")
    if call(*run).out != 'y: string [2] "\u20ac5" ""\n':
        raise Failure(f"printed {call(*run).out!r}")
    np.save(folder / "other.npy", np.array(["a", "b"]))
    expect(folder, "output 'y' is not what is expected", *run[1:], "--expect", f"y={folder / 'other.npy'}")
    np.save(folder / "objects.npy", strings("a", "b"))
    expect(folder, "the .npy type '|O' is not read: numbers, bools and texts only", "run", path, "--input", f"x={folder / 'objects.npy'}")
    bad = np.array(["ab", "c"])
    data = bytearray((folder / "other.npy").read_bytes())
    data[-4:] = (0xd800).to_bytes(4, "little")
    (folder / "bad.npy").write_bytes(data)
    expect(folder, "element 1 has the character 55296, which is none", "run", path, "--input", f"x={folder / 'bad.npy'}")


def wrong_strings(folder):
    path = folder / "m.onnx"
    onnx.save(model([helper.make_node("Cast", ["x"], ["y"], to=I64)], [words("x", (2,))], [tensor("y", None, I64)]), path)
    for items, message in (([b"1", b"\xffx"], "element 1 of input 'x' is no UTF-8 at its byte 0"), ([b"1", b"one"], "a string that is no number"),
                           ([b"1", b"9" * 30], "a string that is no integer of 64 bits"), ([b"1", b""], "a string that is no number"),
                           ([b"1"], "string_data has 1 entries, the shape needs 2")):
        t = TensorProto(name="x", data_type=TensorProto.STRING, dims=[2], string_data=items)
        (folder / "x.pb").write_bytes(t.SerializeToString())
        expect(folder, message, "run", path, "--input", f"x={folder / 'x.pb'}")
    few = model([helper.make_node("StringNormalizer", ["x"], ["y"], stopwords=["a"])], [words("x", (2,))], [words("y", (2,))])
    onnx.save(few, path)
    (folder / "x.pb").write_bytes(numpy_helper.from_array(strings("a", "b")).SerializeToString())
    expect(folder, "the number of words that are kept", "run", path, "--input", f"x={folder / 'x.pb'}")
    split = model([helper.make_node("StringSplit", ["x"], ["y", "n"], delimiter=",")], [words("x", (1,))], [words("y"), tensor("n", None, I64)])
    split.opset_import[0].version = 20
    onnx.save(split, path)
    (folder / "x.pb").write_bytes(numpy_helper.from_array(strings("," * 300)).SerializeToString())
    fixed = model([helper.make_node("StringSplit", ["x"], ["y", "n"])], [words("x", (1,))], [words("y", (1, 3)), tensor("n", None, I64)])
    fixed.opset_import[0].version = 20
    onnx.save(fixed, folder / "fixed.onnx")
    expect(folder, "the number of parts", "run", folder / "fixed.onnx", "--input", f"x={folder / 'x.pb'}")
    expect(folder, "a string has more than 256 parts", "run", path, "--input", f"x={folder / 'x.pb'}")


def expect(folder, message, *args, code=1, tool=None):
    result = call(tool or MLC, *args)
    if result.code != code or message not in result.err.replace("\n", " "):
        raise Failure(f"{' '.join(map(str, args))}: expected exit {code} and {message!r}, got {result.code}: {result.err[:500]}")


def wrong_optionals(folder):
    path = folder / "m.onnx"
    onnx.save(model([helper.make_node("OptionalHasElement", ["o"], ["y"])], [info("o", helper.make_optional_type_proto(SEQUENCE))],
                    [tensor("y", (), TensorProto.BOOL)]), path)
    two, deep = OptionalProto(), OptionalProto()
    two.tensor_value.CopyFrom(numpy_helper.from_array(floats(1)))
    two.sequence_value.CopyFrom(numpy_helper.from_list([floats(1)]))
    deep.optional_value.CopyFrom(two)
    for message, file in ("an optional of two values", two), ("an optional map, optional or sparse tensor", deep):
        (folder / "o.pb").write_bytes(file.SerializeToString())
        expect(folder, message, "run", path, "--input", f"o={folder / 'o.pb'}")


def flags(folder):
    """What --items does not take."""
    path = folder / "m.onnx"
    onnx.save(model([helper.make_node("SequenceLength", ["s"], ["y"])], [info("s", SEQUENCE), tensor("x", (2,))], [tensor("y", (), I64)]), path)
    for given in "2x", "x2", "2xx3", "two", "2:", "none", "", "99999999999999999999", "x".join(["1"] * 17):
        expect(folder, f"' are given as shapes ('2x3:4x3', 'scalar'), 'none' or 'empty', not with '{given.split(':')[-1]}'", "compile", path, "-o",
               folder / "m.so", "--items", f"s={given}")
    for given, message in (("s", "expected NAME=SHAPES for the items of an input, got 's'"),
                           ("t=2", "items are given for 't', which is no sequence or optional that is an input"),
                           ("x=2", "items are given for 'x', which is no sequence or optional that is an input"),
                           ("s=9999999999x9999999999", "'s[0]' has more elements than fit in 64 bits"),
                           ("s=" + "1:" * 16384 + "1", "input 's' has more than 16384 items")):
        expect(folder, message, "compile", path, "-o", folder / "m.so", "--items", given)
    expect(folder, "--items is for ONNX models", "run", folder / "m.so", "--items", "s=2")
    expect(folder, "--items is for --import-onnx", "--mlir-to-llvmir", path, "--items", "s=2", tool=TRANSLATE)
    expect(folder, "", "--import-onnx", path, "--items", "s=2x3", code=0, tool=TRANSLATE)
    if list(folder.glob("*.so")):
        raise Failure("an output was left behind")


def main():
    global MLC, TRANSLATE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--translate", type=Path, required=True)
    args = parser.parse_args()
    MLC, TRANSLATE = args.mlc.resolve(), args.translate.resolve()
    tests = [moved_strings, ordered_strings, texts, normalized, casts, grams, strings_as_arrays, wrong_strings, edits, empty, parts, computed_position, mapped, loop, optionals, as_arrays, other_length, wrong_optionals, flags]
    run_in_folders(tests, os.cpu_count())


if __name__ == "__main__":
    main()
