"""One artefact for all sizes next to one for each, and next to onnxruntime: exports with open batch and length.

    dynamic.py make FOLDER [--only TEXT]               needs torch and transformers
    dynamic.py speed FOLDER --mlc MLC [--only TEXT]    needs numpy and onnx
    dynamic.py tokens FOLDER --mlc MLC [--only TEXT]   needs numpy, onnx and onnxruntime
    dynamic.py caches FOLDER --mlc MLC [--only TEXT]   needs numpy and onnx

`make` writes models of random weights (fixed seed), in f32, by torch's exporter: bert, gpt2 and llama with the dimensions
`batch` and `seq`; gpt2_past and llama_past with the keys and values of what came before as inputs and outputs.

`speed` compiles a model once with its sizes open and once for each size (`--dim`), runs both on the same inputs, and times
them in turns: the least of many runs in several processes each. Results must be within 1e-5 of the largest number. It
prints a line for each size, then the geometric mean and the worst of the ratios.

`tokens` decodes greedily, prompt first, from one artefact, and compares with onnxruntime. Then it times a token at the last
length, next to an artefact of that length alone, in turns.

`caches` times one token behind some pasts, with keys and values as inputs and outputs, and with memory that they grow in; models
made with `--positions 8192`.
"""
import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent / "test" / "e2e"))  # last: a profile.py is there
from harness import python_package  # noqa: E402

SIZES = [(b, s) for b in (1, 2, 8) for s in (1, 7, 16, 128)] + [(1, 500)]
WIDTH, LAYERS, HEADS, VOCABULARY = 768, 2, 12, 1000
PROMPT, NEW = 16, 200


# ---- make

def modules(positions):
    """By name: a module, its arguments, its inputs' open dimensions by position, and its outputs' names."""
    import torch
    from torch import nn
    from transformers import (BertConfig, BertModel, DynamicCache, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM)

    class Plain(nn.Module):
        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, ids, mask):
            return self.model(input_ids=ids, attention_mask=mask, use_cache=False)[0]

    class Past(nn.Module):
        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, ids, mask, *past):
            cache = DynamicCache()
            for i in range(len(past) // 2):
                cache.update(past[2 * i], past[2 * i + 1], i)
            out = self.model(input_ids=ids, attention_mask=mask, past_key_values=cache, use_cache=True)
            return (out.logits, *(x for layer in out.past_key_values.layers for x in (layer.keys, layer.values)))

    common = {"vocab_size": VOCABULARY, "bos_token_id": 0, "eos_token_id": 0, "attn_implementation": "eager"}
    bert = BertConfig(hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=4 * WIDTH,
                      max_position_embeddings=positions, **common)
    gpt2 = GPT2Config(n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS, n_positions=positions, **common)
    llama = LlamaConfig(hidden_size=WIDTH, intermediate_size=2048, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
                        num_key_value_heads=4, max_position_embeddings=positions, **common)
    ids, mask = torch.randint(0, VOCABULARY, (2, 7)), torch.ones(2, 7, dtype=torch.long)
    rows = {0: "batch", 1: "seq"}
    for name, make in (("bert", lambda: BertModel(bert)), ("gpt2", lambda: GPT2LMHeadModel(gpt2)),
                       ("llama", lambda: LlamaForCausalLM(llama))):
        yield name, Plain(make()), (ids, mask), {"ids": rows, "mask": rows}, ["y"]
    for name, make, heads in (("gpt2_past", lambda: GPT2LMHeadModel(gpt2), HEADS),
                              ("llama_past", lambda: LlamaForCausalLM(llama), 4)):
        caches = [f"{i}.{kind}" for i in range(LAYERS) for kind in ("key", "value")]
        past = [torch.randn(2, heads, 5, WIDTH // HEADS) for _ in caches]
        dims = {"ids": rows, "mask": {0: "batch", 1: "past + seq"}}
        dims.update({f"past.{c}": {0: "batch", 2: "past"} for c in caches})
        yield (name, Past(make()), (ids, torch.ones(2, 12, dtype=torch.long), *past), dims,
               ["logits"] + [f"present.{c}" for c in caches])


def make(folder, only, positions):
    import warnings

    import torch
    warnings.filterwarnings("ignore")
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    for name, module, args, dims, outputs in modules(positions):
        if only in name:
            axes = {**dims, **{o: {0: "batch", 2: "past + seq"} for o in outputs if o.startswith("present")}}
            torch.onnx.export(module.eval(), args, str(folder / f"{name}.onnx"), input_names=list(dims), output_names=outputs,
                              dynamic_axes=axes, opset_version=17, dynamo=False)
            print(name, flush=True)


# ---- what both measures need

def mlc(args, *more):
    done = subprocess.run([args.mlc, *map(str, more)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"mlc {' '.join(map(str, more))}\n{done.stderr}")
    return done.stdout


def compile_model(args, path, artefact, **dims):
    mlc(args, "compile", path, "-o", artefact, f"--target={args.target}", *(f"--dim={k}={v}" for k, v in dims.items()))


def best_of(args, artefact, inputs):
    text = mlc(args, "bench", artefact, "--threads", args.threads, "--min-time", "0.2",
               *(a for name, file in inputs.items() for a in ("--input", f"{name}={file}")))
    number, unit = re.search(r"best ([\d.]+) (ns|us|µs|ms|s)\b", text).groups()
    return float(number) * {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1}[unit]


def in_turns(args, artefacts, inputs):
    times = [[] for _ in artefacts]
    for _ in range(args.rounds):
        for i, artefact in enumerate(artefacts):
            times[i].append(best_of(args, artefact, inputs))
    return [min(t) for t in times]


def random_inputs(path, folder, sizes):
    """Files of random inputs by name: ids below VOCABULARY, masks of 1."""
    import onnx
    rng, files = np.random.default_rng(0), {}
    for value in onnx.load(path, load_external_data=False).graph.input:
        tensor = value.type.tensor_type
        shape = [d.dim_value or eval(d.dim_param, {}, dict(sizes)) for d in tensor.shape.dim]
        if tensor.elem_type == onnx.TensorProto.FLOAT:
            data = rng.standard_normal(shape).astype(np.float32)
        else:
            data = np.ones(shape, np.int64) if value.name == "mask" else rng.integers(0, VOCABULARY, shape)
        files[value.name] = f"{folder}/{value.name}.npy"
        np.save(files[value.name], data)
    return files


def difference(args, folder, artefacts, inputs):
    results = []
    for i, artefact in enumerate(artefacts):
        out = f"{folder}/out{i}"
        mlc(args, "run", artefact, "--output-dir", out, *(a for n, f in inputs.items() for a in ("--input", f"{n}={f}")))
        results.append({f.name: np.load(f) for f in Path(out).iterdir()})
    return max(float(np.abs(a - results[1][name]).max() / (np.abs(a).max() or 1)) for name, a in results[0].items())


def report(ratios):
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"{len(ratios)} ratios: geometric mean {mean:.3f}, worst {max(ratios):.2f}")


def speed(args, folder):
    ratios = []
    for path in sorted(args.folder.glob("*.onnx")):
        if args.only not in path.stem or path.stem.endswith("_past"):
            continue
        compile_model(args, path, f"{folder}/open.mlca")
        for batch, seq in args.sizes:
            compile_model(args, path, f"{folder}/fixed.mlca", batch=batch, seq=seq)
            both = [f"{folder}/open.mlca", f"{folder}/fixed.mlca"]
            inputs = random_inputs(path, folder, {"batch": batch, "seq": seq})
            apart = difference(args, folder, both, inputs)
            times = in_turns(args, both, inputs)
            ratios.append(times[0] / times[1])
            print(f"{path.stem:10} {batch} x {seq:<4} open {times[0] * 1e3:8.3f} ms, fixed {times[1] * 1e3:8.3f} ms, "
                  f"ratio {ratios[-1]:.2f}, {apart:.0e} apart{'' if apart <= 1e-5 else ': WRONG'}", flush=True)
    report(ratios)


# ---- tokens, through libmlc_runtime

def opened(args, artefact):
    return python_package(args.mlc).load(artefact).session(args.threads)


class Decoder:
    """Greedy decoding of one sequence. What a run says of keys and values is read by the next one where it lies: two sets of
    buffers take turns."""

    def __init__(self, session, caches, shape):
        self.session, self.caches, self.length, self.turn = session, caches, 0, 0
        self.shape = shape  # [heads, width of one]
        most = shape[0] * (PROMPT + NEW) * shape[1]
        self.buffers = [{c: np.zeros(most, np.float32) for c in caches} for _ in range(2)]

    def step(self, ids):
        s, read, write = self.session, self.buffers[self.turn], self.buffers[1 - self.turn]
        count = self.shape[0] * self.length * self.shape[1]
        for c in self.caches:
            s.set_input(f"past.{c}", read[c][:count].reshape(1, self.shape[0], self.length, self.shape[1]))
            s.bind_output(f"present.{c}", write[c])
        s.set_input("ids", np.array([ids], np.int64))
        s.set_input("mask", np.ones((1, self.length + len(ids)), np.int64))
        s.run(copy=False)
        self.length += len(ids)
        self.turn = 1 - self.turn
        return s.output("logits")[0, -1]


class GrowingDecoder:
    """The same, with memory of the session's for all tokens."""

    def __init__(self, session):
        self.session, self.length = session, 0
        session.grow("past", PROMPT + NEW)

    def step(self, ids):
        self.session.set_input("ids", np.array([ids], np.int64))
        self.session.set_input("mask", np.ones((1, self.length + len(ids)), np.int64))
        self.session.run(copy=False)
        self.length += len(ids)
        return self.session.output("logits")[0, -1]


def greedy(decoder, prompt):
    """The tokens, and the seconds that each took."""
    ids, found, took = prompt, [], []
    while len(found) < NEW:
        begin = time.perf_counter()
        ids = [int(decoder.step(ids).argmax())]
        took.append(time.perf_counter() - begin)
        found += ids
    return found, took


def tokens_of_onnxruntime(path, prompt, caches, shape):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    feed = {f"past.{c}": np.zeros((1, shape[0], 0, shape[1]), np.float32) for c in caches}
    ids, tokens, length = prompt, [], 0
    while len(tokens) < NEW:
        length += len(ids)
        out = session.run(None, {**feed, "ids": np.array([ids], np.int64), "mask": np.ones((1, length), np.int64)})
        feed = {f"past.{c}": value for c, value in zip(caches, out[1:])}
        ids = [int(out[0][0, -1].argmax())]
        tokens += ids
    return tokens


def tokens(args, folder):
    import onnx
    for path in sorted(args.folder.glob("*_past.onnx")):
        if args.only not in path.stem:
            continue
        graph = onnx.load(path, load_external_data=False).graph
        pasts = {i.name[5:]: [d.dim_value for d in i.type.tensor_type.shape.dim] for i in graph.input if i.name.startswith("past.")}
        caches, shape = list(pasts), [next(iter(pasts.values()))[k] for k in (1, 3)]
        prompt = [int(x) for x in np.random.default_rng(1).integers(0, VOCABULARY, PROMPT)]
        compile_model(args, path, f"{folder}/open.mlca")
        theirs = tokens_of_onnxruntime(path, prompt, caches, shape)
        session = opened(args, f"{folder}/open.mlca")
        growing = opened(args, f"{folder}/open.mlca")
        for how, decoder in (("as inputs", Decoder(session, caches, shape)), ("in place", GrowingDecoder(growing))):
            mine, took = greedy(decoder, prompt)
            equal = sum(a == b for a, b in zip(mine, theirs))
            print(f"{path.stem}, caches {how}: {equal} of {NEW} tokens as onnxruntime's, {min(took[NEW // 2:]) * 1e3:.3f} ms a token",
                  flush=True)
        past = PROMPT + NEW - 1
        compile_model(args, path, f"{folder}/fixed.mlca", batch=1, seq=1, past=past)
        inputs = random_inputs(path, folder, {"batch": 1, "seq": 1, "past": past})
        times = in_turns(args, [f"{folder}/open.mlca", f"{folder}/fixed.mlca"], inputs)
        print(f"{path.stem}: a token behind {past}: open {times[0] * 1e3:.3f} ms, fixed {times[1] * 1e3:.3f} ms, "
              f"ratio {times[0] / times[1]:.2f}", flush=True)


# ---- one token

def least(session, runs, before=lambda: None):
    took = []
    for _ in range(runs):
        before()
        begin = time.perf_counter()
        session.run()
        took.append(time.perf_counter() - begin)
    return min(took) * 1e3


def caches(args, folder):
    for path in sorted(args.folder.glob("*_past.onnx")):
        if args.only not in path.stem:
            continue
        compile_model(args, path, f"{folder}/open.mlca")
        for past in (128, 1024, 4096):
            given, grown = (opened(args, f"{folder}/open.mlca") for _ in range(2))
            for name, file in random_inputs(path, folder, {"batch": 1, "seq": 1, "past": past}).items():
                given.set_input(name, np.load(file))
            grown.grow("past", past + 1)
            for seq in (past, 1):
                for name, value in (("ids", np.ones((1, seq), np.int64)), ("mask", np.ones((1, past + seq % past), np.int64))):
                    grown.set_input(name, value)
                if seq == past:
                    grown.run()
            times = [least(given, args.runs), least(grown, args.runs, lambda: grown.set_length("past", past))]
            print(f"{path.stem} behind {past}: {times[0]:.3f} ms, in place {times[1]:.3f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("make", "speed", "tokens", "caches"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mlc", default="build/release/bin/mlc")
    parser.add_argument("--only", default="", help="models with this in their name")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--target", default="host", help="the machine to compile for: x86-64-v3, ...")
    parser.add_argument("--sizes", default=SIZES, type=lambda text: [tuple(map(int, s.split("x"))) for s in text.split(",")],
                        help="of speed, batch x seq: 1x7,2x16")
    parser.add_argument("--positions", type=int, default=512, help="of make: the longest sequence")
    parser.add_argument("--runs", type=int, default=60, help="of caches")
    parser.add_argument("--rounds", type=int, default=3, help="turns that each artefact is timed in")
    args = parser.parse_args()
    if args.verb == "make":
        make(args.folder, args.only, args.positions)
        return
    with tempfile.TemporaryDirectory() as folder:
        {"speed": speed, "tokens": tokens, "caches": caches}[args.verb](args, folder)


if __name__ == "__main__":
    main()
