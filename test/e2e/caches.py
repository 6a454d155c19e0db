"""Caches that grow in place: steps of attention whose keys and values of the past are inputs and, longer, outputs.

    python caches.py --mlc build/release/bin/mlc --library build/release/lib/libmlc_runtime.so

Each is decoded greedily through libmlc_runtime: with the past as an input of each step, and with memory of the session's that it
grows in. Numbers and tokens are compared with onnxruntime's.
"""
import argparse
import math
import os
from pathlib import Path

import numpy as np
import onnxruntime
from onnx import helper

from dims import F32, I64, Graph
from harness import Failure, call, check_close, python_package, run_in_folders

MLC = PACKAGE = None
WORDS, WIDTH, PROMPT, STEPS = 40, 16, 5, 12


# ---- models: ids [batch, seq], a mask of past + seq, pasts; logits, presents

class Decoder(Graph):
    """Layers of attention with `heads` heads, keys and values of `kept` ones."""

    def __init__(self, name, heads, kept, layers=2):
        super().__init__(name)
        self.width, self.heads, self.kept, self.outputs = WIDTH // heads, heads, kept, []
        ids, mask = self.input("ids", I64, ["batch", "seq"]), self.input("mask", F32, ["batch", "past + seq"])
        self.bias = self("Unsqueeze", mask, np.array([1, 2]))
        x = self("Gather", self.weight(WORDS, WIDTH), ids)
        for i in range(layers):
            x = self("Add", x, self.layer(x, i))
        self.logits = self("MatMul", x, self.weight(WIDTH, WORDS))

    def split(self, x, heads):
        y = self("Reshape", self("MatMul", x, self.weight(WIDTH, heads * self.width)), np.array([0, 0, heads, self.width]))
        return self("Transpose", y, perm=[0, 2, 1, 3])

    def cache(self, name, new):
        past = self.input(f"past.{name}", F32, ["batch", self.kept, "past", self.width])
        self.outputs.append((f"present.{name}", self("Concat", past, new, axis=2)))
        return self.outputs[-1][1]

    def repeated(self, x):
        """[batch, kept, past + seq, width]: each of the kept heads serves several, as torch.expand writes it."""
        if self.heads == self.kept:
            return x
        n = self.heads // self.kept
        y = self("Unsqueeze", x, np.array([2]))
        y = self("Expand", y, self.shape(self.size(x, 0), self.kept, n, self.size(x, 2), self.width))
        return self("Reshape", y, self.shape(self.size(x, 0), self.heads, self.size(x, 2), self.width))

    def layer(self, x, i):
        q = self.split(x, self.heads)
        k = self.repeated(self.cache(f"{i}.key", self.split(x, self.kept)))
        v = self.repeated(self.cache(f"{i}.value", self.split(x, self.kept)))
        scores = self("Mul", self("MatMul", q, self("Transpose", k, perm=[0, 1, 3, 2])), np.float32(1 / math.sqrt(self.width)))
        y = self("MatMul", self("Softmax", self("Add", scores, self.bias), axis=-1), v)
        y = self("Reshape", self("Transpose", y, perm=[0, 2, 1, 3]), np.array([0, 0, WIDTH]))
        return self("MatMul", y, self.weight(WIDTH, WIDTH))

    def model(self):
        results = [("logits", self("Identity", self.logits))] + [(name, self("Identity", value)) for name, value in self.outputs]
        for node, (name, _) in zip(self.nodes[-len(results):], results):
            node.output[0] = name
        outputs = [helper.make_tensor_value_info(name, F32, None) for name, _ in results]
        graph = helper.make_graph(self.nodes, "g", self.inputs, outputs, self.consts)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def like_gpt2():
    return Decoder("gpt2", 4, 4).model()


def like_llama():
    return Decoder("llama", 4, 2).model()


# ---- decoders

class Given:
    """Decodes with the past as an input."""

    def __init__(self, artefact, model):
        self.session, self.pasts = PACKAGE.load(artefact).session(), empty_pasts(model)

    def step(self, ids):
        s = self.session
        for name, value in {**step_inputs(ids, length_of(self.pasts)), **batched(self.pasts, len(ids))}.items():
            s.set_input(name, value)
        s.run()
        self.pasts = {name: s.output(name.replace("past", "present")) for name in self.pasts}
        return s.output("logits")


class Grown:
    """Decodes with caches of the session's."""

    def __init__(self, artefact, room):
        self.session = PACKAGE.load(artefact).session()
        self.session.grow("past", room)

    def step(self, ids):
        s, length = self.session, self.session.length("past")
        for name, value in step_inputs(ids, length).items():
            s.set_input(name, value)
        s.run()
        if s.length("past") != length + len(ids[0]):
            raise Failure(f"{length} and {len(ids[0])} are {s.length('past')}")
        return s.output("logits")


class Reference:
    def __init__(self, model):
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        self.pasts = empty_pasts(model)

    def step(self, ids):
        feed = {**step_inputs(ids, length_of(self.pasts)), **batched(self.pasts, len(ids))}
        logits, *presents = self.session.run(None, feed)
        self.pasts = dict(zip(self.pasts, presents))
        return logits


def empty_pasts(model):
    shapes = {i.name: [d.dim_value for d in i.type.tensor_type.shape.dim] for i in model.graph.input if i.name.startswith("past.")}
    return {name: np.zeros((0, s[1], 0, s[3]), np.float32) for name, s in shapes.items()}


def length_of(pasts):
    return next(iter(pasts.values())).shape[2]


def batched(pasts, batch):
    return {n: p if p.shape[0] == batch else np.zeros((batch, *p.shape[1:]), np.float32) for n, p in pasts.items()}


def step_inputs(ids, length):
    ids = np.array(ids, np.int64)
    mask = np.zeros((ids.shape[0], length + ids.shape[1]), np.float32)
    mask[-1, :1] = -1e4  # the last sequence begins with padding
    return {"ids": ids, "mask": mask}


# ---- tests

def compiled(folder, make):
    model = make()
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    result = call(MLC, "compile", "--require-compiled", folder / "m.onnx", "-o", folder / "m.so")
    if result.code:
        raise Failure(result.err)
    return model, folder / "m.so"


def prompt(batch):
    return np.random.default_rng(3).integers(0, WORDS, (batch, PROMPT)).tolist()


def decode(decoder, reference, ids, steps=STEPS):
    """Both are given the reference's tokens."""
    for _ in range(steps):
        got, want = decoder.step(ids), reference.step(ids)
        check_close(["logits"], [got], [want])
        ids = want[:, -1:].argmax(-1).tolist()
        if got[:, -1:].argmax(-1).tolist() != ids:
            raise Failure(f"tokens {got[:, -1].argmax(-1)}, expected {ids}")
    return ids


def decoding(make):
    def test(folder):
        model, artefact = compiled(folder, make)
        for batch in (1, 3):
            decode(Given(artefact, model), Reference(model), prompt(batch))
            decode(Grown(artefact, PROMPT + STEPS - 1), Reference(model), prompt(batch))  # not one too many
    return test


def kept_presents(folder):
    """What the memory holds is the output, wherever it lies."""
    model, artefact = compiled(folder, like_gpt2)
    grown, reference = Grown(artefact, 50), Reference(model)
    decode(grown, reference, prompt(2))
    for name, past in reference.pasts.items():
        memory = grown.session.output(name.replace("past", "present"))
        check_close([name], [memory[:, :, :grown.session.length("past")]], [past])
        if memory.shape[2] != 50:
            raise Failure(f"{name}: shape {memory.shape}")


def more_room(folder):
    """Room is made on the way; and what lies behind the length is never read."""
    model, artefact = compiled(folder, like_llama)
    grown, reference = Grown(artefact, 8), Reference(model)
    ids = decode(grown, reference, prompt(2), 4)
    expect_error(lambda: grown.step(ids), "along 'past' there is room for 8, but 'past + seq' is 9: mlc_session_grow makes more")
    if grown.session.length("past") != 8:
        raise Failure(f"length {grown.session.length('past')} after a run that did not fit")
    grown.session.grow("past", 30)
    ids = decode(grown, reference, ids, 1)
    for name in reference.pasts:
        grown.session.output(name.replace("past", "present"))[:, :, grown.session.length("past"):] = np.nan
    decode(grown, reference, ids, 5)


def set_back(folder):
    """The same steps from a length before give the same bits; from 0 on, another batch."""
    model, artefact = compiled(folder, like_gpt2)
    grown, reference = Grown(artefact, 20), Reference(model)
    ids = decode(grown, reference, prompt(2), 3)
    length, first = grown.session.length("past"), grown.step(ids)
    grown.session.set_length("past", length)
    if not np.array_equal(first, grown.step(ids)):
        raise Failure("other bits")
    expect_error(lambda: grown.step(prompt(3)), "dimension 0 of 'past.0.key' is 3, but its cache was begun with 2: mlc_session_set_length makes it empty")
    grown.session.set_length("past", 0)
    decode(grown, Reference(model), prompt(3), 4)


def errors(folder):
    model, artefact = compiled(folder, like_gpt2)
    grown = Grown(artefact, 20)
    s = grown.session
    names = list(empty_pasts(model))
    expect_error(lambda: s.grow("seq", 20), "nothing of 'm' grows along 'seq', but along 'past'")
    expect_error(lambda: s.grow("past", -1), "room for -1 along 'past'")
    expect_error(lambda: s.set_length("past", 1), "length 1 along 'past', where there are 0")
    expect_error(lambda: s.set_input(names[0], np.zeros((1, 4, 3, 4), np.float32)), "' grows in memory of the session's (mlc_session_grow), and cannot be set")
    expect_error(lambda: s.bind_output(names[0].replace("past", "present"), np.zeros(999, np.float32)), "' grows in memory of the session's (mlc_session_grow), and cannot be set")
    grown.step(prompt(1))
    expect_error(lambda: s.grow("past", 4), "room for 4 along 'past', where there are 5 already")
    s.set_input("mask", np.zeros((1, 3), np.float32))
    expect_error(s.run, "dimension 1 of input 'mask' is 3, but 'past + seq' is 10")
    if s.length("past") != PROMPT:
        raise Failure("a run that failed has changed the length")
    for room, text in ((1 << 61, "the cache of 'past.0.key' is too large"), ((1 << 41) - 999, "not enough memory for the cache of '")):
        s.grow("past", room)
        expect_error(lambda: grown.step(prompt(1)), text)


def shared_memory(folder):
    """An output in its input's memory, without a word of it."""
    model, artefact = compiled(folder, like_gpt2)
    s, memory = PACKAGE.load(artefact).session(), np.zeros(4 * 20 * 4, np.float32)
    pasts = {name: np.zeros((1, 4, 3, 4), np.float32) for name in empty_pasts(model)}
    name = next(iter(pasts))
    pasts[name] = memory[:48].reshape(1, 4, 3, 4)
    for key, value in {**step_inputs([[1]], 3), **pasts}.items():
        s.set_input(key, value)
    s.bind_output(name.replace("past", "present"), memory)
    expect_error(s.run, "output 'present.0.key' share memory: mlc_session_grow lets one grow in the other's")


def told(folder):
    """Which outputs can grow."""
    model, artefact = compiled(folder, like_llama)
    s = PACKAGE.load(artefact).session()
    inputs = [i.name for i in model.graph.input]
    for name in inputs:
        if bool(s.model.cache(name)) != name.startswith("past."):
            raise Failure(name)
    if s.model.cache(inputs[-1]) != (model.graph.output[-1].name, "past") or s.length("past") is not None:
        raise Failure(f"{s.model.cache(inputs[-1])}")


def command_line(folder):
    _, artefact = compiled(folder, like_gpt2)
    flags = []
    for name, value in step_inputs(prompt(1), 0).items():
        np.save(folder / f"{name}.npy", value)
        flags += ["--input", f"{name}={folder}/{name}.npy"]
    result = call(MLC, "run", artefact, "--grow", "past=9", *flags, "--output-dir", folder / "out")
    if result.code or np.load(folder / "out" / "present.0.key.npy").shape != (1, 4, 9, 4):
        raise Failure(result.err)
    for path, spec, text in ((artefact, "past", "--grow wants NAME=ROOM, as past=1024, and got 'past"), (artefact, "past=x", "--grow wants NAME=ROOM, as past=1024, and got 'past"),
                             (artefact, "past=4", "room for 4"), (artefact, "seq=9", "nothing of 'm' grows along 'seq'"),
                             (folder / "m.onnx", "past=9", "--grow is for artefacts (mlc compile), whose sizes are open")):
        result = call(MLC, "run", path, "--grow", spec, *flags)
        if result.code != 1 or text not in result.err:
            raise Failure(f"{spec}: exit {result.code}, {result.err}")


def no_cache(folder):
    """A past that somebody else reads too is copied as before."""
    def make():
        g = Decoder("other", 4, 4, layers=1)
        g.logits = g("Add", g.logits, g("ReduceSum", "past.0.key", keepdims=0))
        return g.model()
    model, artefact = compiled(folder, make)
    growing = PACKAGE.load(artefact)
    is_cache = [i.name for i in model.graph.input if growing.cache(i.name)]
    if is_cache != ["past.0.value"]:
        raise Failure(f"{is_cache}")
    decode(Given(artefact, model), Reference(model), prompt(2))


def nothing_grows(folder):
    def make():
        g = Graph("plain")
        return g.done(g("Relu", g.input("x", F32, ["batch", 4])), ["batch", 4])
    s = PACKAGE.load(compiled(folder, make)[1]).session()
    expect_error(lambda: s.grow("batch", 9), "nothing of 'm' grows along 'batch': no output is an input and more along a dimension")


def expect_error(act, text):
    try:
        act()
    except RuntimeError as e:
        if text in str(e):
            return
        raise Failure(f"'{e}', expected '{text}'") from None
    raise Failure(f"no error, expected '{text}'")


def main():
    global MLC, PACKAGE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", required=True)
    parser.add_argument("--library", required=True, type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    MLC, PACKAGE = args.mlc, python_package(args.library)
    tests = {"decoding_gpt2": decoding(like_gpt2), "decoding_llama": decoding(like_llama)}
    tests |= {t.__name__: t for t in (kept_presents, more_room, set_back, errors, shared_memory, told, command_line, no_cache, nothing_grows)}
    run_in_folders(tests, args.jobs, args.only)


if __name__ == "__main__":
    main()
