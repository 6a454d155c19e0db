"""Three stages on a machine with a CUDA device; without one they run to their end on the emulator, and times are predictions.

    bench/gpu/run.sh truth|kernels|models|all [--build build/release] [--out FOLDER] [--models FOLDER] [--limit 480] [--emulator]

truth     products, convolutions, attention and rows, aligned and ragged, f32 and f16: against float64, and the same bits twice;
          on a device also against the emulator
kernels   the same kinds at sizes that fill a device (on the emulator: small ones), with the time of a call
models    digits, MobileNetV2, ResNet-50, and what --models holds (NAME.onnx and NAME.npz, bench/gpu/emulate.py says of what kind)

A stage takes at most --limit seconds, and leaves what is left for the next call: each case is a line of FOLDER/results.jsonl, and
a case that has one for the same device is not run again. At the end a table shows all lines: `ms` is the time of all kernels of a
run, each waited for, and `floor` the time that their arithmetic and bytes would take at the machine's best. What is missing of
driver, ptxas, compute-sanitizer, ncu, torch and triton is said first. Not there yet: peers beside, sanitizer, ncu.
"""
import argparse
import ctypes
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "scripts"))
TYPES = {"f32": (TensorProto.FLOAT, np.float32, 2e-5), "f16": (TensorProto.FLOAT16, np.float16, 4e-3)}
# By compute capability, of the vendor's data sheets: TFLOP/s of f32 and of f16 on matrix units, TB/s, and us of a launch.
MACHINES = {8: {"f32": 19.5, "f16": 312, "memory": 1.94, "launch": 3}, 9: {"f32": 67, "f16": 989, "memory": 3.35, "launch": 3}}


class Device:
    """The driver that is here, or the emulator."""

    def __init__(self, build, emulated):
        self.mlc, self.emulator = build / "bin/mlc", build / "lib/libmlc-cudaemu.so"
        self.is_emulator = emulated or not self.has_driver()
        self.capability = 80 if self.is_emulator else self.query()
        self.name = f"{'emulator' if self.is_emulator else 'cuda:0'} {self.capability / 10}"
        self.target = "cuda-sm_90a" if self.capability == 90 else "cuda-sm_80"

    @staticmethod
    def has_driver():
        try:
            return ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
        except OSError:
            return False

    @staticmethod
    def query():
        driver, found = ctypes.CDLL("libcuda.so.1"), [ctypes.c_int(), ctypes.c_int()]
        for value, attribute in zip(found, (75, 76)):
            if driver.cuDeviceGetAttribute(ctypes.byref(value), attribute, 0):
                sys.exit("the driver does not tell the device's compute capability")
        return found[0].value * 10 + found[1].value

    def call(self, *args, emulated=None):
        env = dict(os.environ)
        if self.is_emulator if emulated is None else emulated:
            env.update(MLC_CUDA_LIB=str(self.emulator), MLC_CUDAEMU_CAPABILITY=str(self.capability / 10))
        done = subprocess.run([str(a) for a in (self.mlc, *args)], capture_output=True, text=True, env=env)
        if done.returncode:
            raise RuntimeError(f"mlc {args[0]}: {(done.stderr.strip() or 'no message').splitlines()[0][:200]}")
        return done.stdout

    def run(self, artefact, feeds, names, folder, emulated=None, profile=False):
        """(outputs, ms of all kernels or None)"""
        inputs = []
        for name, value in feeds.items():
            np.save(folder / f"{name}.npy", value)
            inputs += ["--input", f"{name}={folder / name}.npy"]
        out = self.call("run", artefact, "--device=cuda:0", "--output-dir", folder, *(["--profile"] if profile else []), *inputs,
                        emulated=emulated)
        total = re.search(r"100\.0% +([\d.]+).*all kernels", out)
        return [np.load(folder / f"{name}.npy") for name in names], float(total[1]) / 1e3 if total else None

    def floor(self, artefact, dtype):
        """ms at the machine's best, a launch a kernel."""
        best, total = MACHINES.get(self.capability // 10, MACHINES[9]), 0.0
        costs = dict(re.findall(r"^  (kernel_\w+):.*\n +([\d.]+ MFLOP, [\d.]+ MB)", self.call("inspect", artefact), re.M))
        for kernel in re.findall(r"^  (kernel_\w+):", self.call("inspect", artefact), re.M):
            flops, size = (float(x) * 1e6 for x in re.findall(r"[\d.]+", costs.get(kernel, "0 MFLOP, 0 MB")))
            total += max(flops / best[dtype] / 1e12, size / best["memory"] / 1e12, best["launch"] * 1e-6)
        return total * 1e3


# --- kernels as models, with what they mean

def model(nodes, inputs, outputs, weights=()):
    info = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "case", [info(n, t, s) for n, t, s in inputs], [info(n, t, None) for n, t in outputs],
                              [numpy_helper.from_array(v, n) for n, v in weights])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def product(rows, columns, depth, dtype, draw):
    kind, numpy_type, _ = TYPES[dtype]
    a, b = (draw(s).astype(numpy_type) for s in ((rows, depth), (depth, columns)))
    made = model([helper.make_node("MatMul", ["a", "b"], ["y"])], [("a", kind, a.shape)], [("y", kind)], [("b", b)])
    return made, {"a": a}, a.astype(float) @ b.astype(float)


def convolution(size, inputs, outputs, kernel, stride, groups, dtype, draw):
    kind, numpy_type, _ = TYPES[dtype]
    x = draw((1, inputs, size, size)).astype(numpy_type)
    w = (draw((outputs, inputs // groups, kernel, kernel)) / np.sqrt(inputs // groups * kernel * kernel)).astype(numpy_type)
    pad = kernel // 2
    node = helper.make_node("Conv", ["x", "w"], ["y"], kernel_shape=[kernel] * 2, pads=[pad] * 4, strides=[stride] * 2, group=groups)
    padded = np.pad(x.astype(float), ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (kernel, kernel), axis=(2, 3))[:, :, ::stride, ::stride]
    parts = [np.einsum("nchwij,ocij->nohw", part, weights, optimize=True) for part, weights in
             zip(np.split(windows, groups, axis=1), np.split(w.astype(float), groups))]
    return model([node], [("x", kind, x.shape)], [("y", kind)], [("w", w)]), {"x": x}, np.concatenate(parts, axis=1)


def attention(heads, queries, keys, width, dtype, draw):
    kind, numpy_type, _ = TYPES[dtype]
    q, k, v = (draw((1, heads, n, width)).astype(numpy_type) for n in (queries, keys, keys))
    scale = np.array(width ** -0.5, numpy_type)
    nodes = [helper.make_node("Transpose", ["k"], ["t"], perm=[0, 1, 3, 2]), helper.make_node("MatMul", ["q", "t"], ["s"]),
             helper.make_node("Mul", ["s", "scale"], ["m"]), helper.make_node("Softmax", ["m"], ["p"], axis=-1),
             helper.make_node("MatMul", ["p", "v"], ["y"])]
    scores = q.astype(float) @ k.astype(float).swapaxes(2, 3) * float(scale)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    want = weights / weights.sum(-1, keepdims=True) @ v.astype(float)
    return model(nodes, [(n, kind, a.shape) for n, a in (("q", q), ("k", k), ("v", v))], [("y", kind)], [("scale", scale)]), \
        {"q": q, "k": k, "v": v}, want


def rows(op, count, length, dtype, draw):
    kind, numpy_type, _ = TYPES[dtype]
    x = draw((count, length)).astype(numpy_type)
    wide = x.astype(float)
    if op == "Softmax":
        want = np.exp(wide - wide.max(-1, keepdims=True))
        return model([helper.make_node(op, ["x"], ["y"], axis=-1)], [("x", kind, x.shape)], [("y", kind)]), {"x": x}, \
            want / want.sum(-1, keepdims=True)
    gain = np.linspace(0.5, 1.5, length).astype(numpy_type)
    want = (wide - wide.mean(-1, keepdims=True)) / np.sqrt(wide.var(-1, keepdims=True) + 1e-5) * gain.astype(float)
    return model([helper.make_node(op, ["x", "g"], ["y"], axis=-1)], [("x", kind, x.shape)], [("y", kind)], [("g", gain)]), \
        {"x": x}, want


def cases(stage, is_emulator):
    """(name, function, its arguments, type)"""
    small, found = stage == "truth" or is_emulator, []
    sizes = [(128, 128, 128), (130, 70, 97), (1, 256, 512)] if small else [(n, n, n) for n in (1024, 2048, 4096, 8192)] + [(1, 4096, 4096)]
    layers = [(14, 64, 64, 3, 1, 1), (9, 48, 80, 3, 2, 1), (15, 3, 32, 7, 2, 1), (14, 96, 96, 3, 1, 96)] if small else \
        [(56, 64, 64, 3, 1, 1), (28, 128, 128, 3, 1, 1), (14, 256, 256, 3, 1, 1), (7, 512, 512, 3, 1, 1), (224, 3, 64, 7, 2, 1),
         (112, 96, 96, 3, 1, 96)]
    heads = [(2, 64, 64, 64), (3, 49, 77, 40)] if small else [(12, 128, 128, 64), (16, 1024, 1024, 64), (32, 2048, 2048, 128)]
    lengths = [(64, 768), (37, 197)] if small else [(4096, 768), (8192, 4096)]
    for dtype in TYPES:
        found += [("product", product, s, dtype) for s in sizes] + [("convolution", convolution, s, dtype) for s in layers]
        found += [("attention", attention, s, dtype) for s in heads]
        found += [(op, rows, (op, *s), dtype) for op in ("Softmax", "LayerNormalization") for s in lengths]
    return found


# --- stages

def error(got, want):
    got, want = got.astype(float), want.astype(float)
    if got.shape != want.shape or not np.isfinite(got).all():
        return float("inf")
    return float(np.abs(got - want).max() / max(np.abs(want).max(), 1e-30))


def run_case(device, stage, function, sizes, dtype, folder):
    draw = np.random.default_rng(11).standard_normal
    made, feeds, want = function(*sizes, dtype, draw)
    path, artefact = folder / "case.onnx", folder / "case.mlca"
    onnx.save(made, path)
    device.call("compile", path, f"--target={device.target}", "-o", artefact)
    (got,), ms = device.run(artefact, feeds, ["y"], folder, profile=stage == "kernels" and not device.is_emulator)
    row = {"error": error(got, want), "ms": ms, "floor": device.floor(artefact, dtype)}
    row["ok"] = row["error"] <= TYPES[dtype][2]
    if stage == "truth":
        again = device.run(artefact, feeds, ["y"], folder)[0][0]
        row["ok"] &= got.tobytes() == again.tobytes()
        if not device.is_emulator:
            row["emulator"] = error(got, device.run(artefact, feeds, ["y"], folder, emulated=True)[0][0])
    return row


def run_model(device, path, folder):
    artefact = folder / "model.mlca"
    stored = path.with_suffix(".npz")
    begin = time.monotonic()
    device.call("compile", path, f"--target={device.target}", "-o", artefact)
    compiling, shown = time.monotonic() - begin, device.call("inspect", artefact)
    names = re.findall(r"^output +(.*?): ", shown, re.M)
    if stored.exists():
        kept = np.load(stored)
        feeds = {key[3:]: kept[key] for key in kept.files if key.startswith("in:")}
        wants = [kept[f"out:{i}"] for i in range(len(names))]
    else:
        import onnxruntime
        session = onnxruntime.InferenceSession(str(path))
        feeds = {i.name: np.random.default_rng(7).standard_normal(i.shape).astype(np.float32) for i in session.get_inputs()}
        wants = session.run(names, feeds)
    got, ms = device.run(artefact, feeds, names, folder, profile=not device.is_emulator)
    worst = max(error(a, b) for a, b in zip(got, wants))
    return {"error": worst, "ok": worst <= 1e-4, "ms": ms, "floor": device.floor(artefact, "f32"), "compile": compiling,
            "host": shown.count("runs on the CPU")}


def work(stage, device, args):
    if stage != "models":
        for name, function, sizes, dtype in cases(stage, device.is_emulator):
            size = "x".join(str(s) for s in sizes if not isinstance(s, str))
            yield f"{name} {size} {dtype}", lambda folder, c=(function, sizes, dtype): run_case(device, stage, *c, folder)
        return
    from make_models import make
    paths = [ROOT / "examples/digits/digits.onnx"] + [make(name, ROOT / "build/models") for name in ("mobilenet_v2", "resnet50")]
    paths += sorted(path.with_suffix(".onnx") for path in args.models.glob("*.npz")) if args.models else []
    for path in paths:
        yield path.stem + (" (of --models)" if path.parent == args.models else ""), lambda folder, p=path: run_model(device, p, folder)


def run_stage(stage, device, args, results, lines):
    begin, done = time.monotonic(), {(r["device"], r["stage"], r["name"]) for r in lines}
    for name, function in work(stage, device, args):
        if (device.name, stage, name) in done:
            continue
        if time.monotonic() - begin > args.limit:
            print(f"{stage}: {args.limit} s are over; call again for the rest")
            return
        row = {"device": device.name, "stage": stage, "name": name}
        with tempfile.TemporaryDirectory() as folder:
            try:
                row.update(function(Path(folder)))
            except RuntimeError as failure:
                row.update(ok=False, note=str(failure))
        with open(results, "a") as out:
            out.write(json.dumps(row) + "\n")
        lines.append(row)


def tools():
    found = {name: shutil.which(name) for name in ("ptxas", "compute-sanitizer", "ncu", "nvidia-smi")}
    found.update({name: importlib.util.find_spec(name) and "here" for name in ("torch", "triton")})
    for name, where in found.items():
        print(f"{name}: {where or 'missing'}")


def table(lines):
    print("| device | stage | case | right | error | ms | floor ms | note |\n|---|---|---|---|---|---|---|---|")
    for r in lines:
        ms, floor = (f"{r[k]:.3f}" if r.get(k) is not None else "-" for k in ("ms", "floor"))
        note = r.get("note") or (f"{r['host']} kernels on the CPU" if r.get("host") else "")
        print(f"| {r['device']} | {r['stage']} | {r['name']} | {'yes' if r['ok'] else 'NO'} | {r.get('error', float('nan')):.1e} | {ms} | {floor} | "
              f"{note} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stage", choices=["truth", "kernels", "models", "all"])
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--out", type=Path, default=ROOT / "build/gpu")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--limit", type=float, default=480, help="seconds of a stage")
    parser.add_argument("--emulator", action="store_true", help="though there may be a device")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    results = args.out / "results.jsonl"
    lines = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    device = Device(args.build.resolve(), args.emulator)
    tools()
    print(f"device: {device.name}" + (": no times, floors are predictions" if device.is_emulator else ""))
    for stage in ("truth", "kernels", "models") if args.stage == "all" else (args.stage,):
        run_stage(stage, device, args, results, lines)
    table(lines)
    sys.exit(not all(r["ok"] for r in lines))


if __name__ == "__main__":
    main()
