"""mlc and ONNX Runtime side by side: median latency of models, in interleaved rounds.

    python bench/run.py [--mlc build/release/bin/mlc] [MODEL...] [--threads 1,2] [--rounds 5] [--seconds 2] [--json FILE]

Models: resnet50, mobilenet_v2 (made by scripts/make_models.py in build/models), digits, or paths of .onnx files with
float32 inputs. Each engine is timed in a process of its own, one after the other, round by round, so that noise hits both
alike; a run with one thread is pinned to a core. The figure is the median over all runs of all rounds. `others` is how many
cores other processes kept busy meanwhile: read only rows where it is small. Prints a table in Markdown; compare only within
one run, on one machine.
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))


def machine():
    name = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    return f"{name or platform.machine()}, {os.cpu_count()} cores"


def load(model, folder):
    """(path, {input: array}) of a model by name or path."""
    import make_models
    import onnx
    if model in make_models.MODELS:
        return make_models.make(model, folder), {"input": np.load(folder / f"{model}.input.npy")}
    path = ROOT / "examples/digits/digits.onnx" if model == "digits" else Path(model)
    graph = onnx.load(path, load_external_data=False).graph
    weights, rng = {w.name for w in graph.initializer}, np.random.default_rng(0)
    shapes = {i.name: [d.dim_value or 1 for d in i.type.tensor_type.shape.dim] for i in graph.input if i.name not in weights}
    return path, {name: rng.standard_normal(shape, np.float32) for name, shape in shapes.items()}


def pinned(threads, command):
    return (["taskset", "-c", str(min(os.sched_getaffinity(0)))] if threads == 1 else []) + [str(c) for c in command]


def check(p):
    if p.returncode:
        raise RuntimeError((p.stderr.strip().splitlines() or [f"exit {p.returncode}"])[-1][:300])


class Mlc:
    """`mlc compile` once, `mlc bench` for each round."""

    def __init__(self, mlc, path, feeds, threads, folder, flags=(), name="mlc"):
        self.name, self.mlc, self.threads, self.folder = name, mlc, threads, folder
        self.inputs = []
        for i, (key, value) in enumerate(feeds.items()):
            np.save(folder / f"in{i}.npy", value)
            self.inputs += ["--input", f"{key}={folder}/in{i}.npy"]
        start = time.perf_counter()
        check(subprocess.run([mlc, "compile", path, "-o", folder / "m.so", *flags], capture_output=True, text=True))
        self.ready_s = time.perf_counter() - start

    def times(self, seconds):
        check(subprocess.run(pinned(self.threads, [
            self.mlc, "bench", self.folder / "m.so", *self.inputs, "--threads", self.threads, "--min-time", seconds,
            "--json", self.folder / "bench.json"]), capture_output=True, text=True))
        return json.loads((self.folder / "bench.json").read_text())["times"]


class OnnxRuntime:
    """A process that loads the model, warms up, and prints the times of its runs."""
    name = "onnxruntime"
    CODE = """
import json, sys, time, numpy as np, onnxruntime as rt
path, threads, seconds, *inputs = sys.argv[1:]
feeds = {name: np.load(file) for name, file in (i.split("=", 1) for i in inputs)}
options = rt.SessionOptions()
options.intra_op_num_threads, options.inter_op_num_threads = int(threads), 1
start = time.perf_counter()
session = rt.InferenceSession(path, options, providers=["CPUExecutionProvider"])
session.run(None, feeds)
ready, times = time.perf_counter() - start, []
for _ in range(2):
    session.run(None, feeds)
end = time.perf_counter() + float(seconds)
while len(times) < 3 or time.perf_counter() < end:
    start = time.perf_counter()
    session.run(None, feeds)
    times.append(time.perf_counter() - start)
print(json.dumps({"times": times, "ready": ready}))
"""

    def __init__(self, path, threads, inputs):
        self.path, self.threads, self.ready_s = path, threads, float("inf")
        self.inputs = [i for i in inputs if i != "--input"]

    def times(self, seconds):
        p = subprocess.run(pinned(self.threads, [sys.executable, "-c", self.CODE, self.path, self.threads, seconds,
                                                 *self.inputs]), capture_output=True, text=True)
        check(p)
        result = json.loads(p.stdout)
        self.ready_s = min(self.ready_s, result["ready"])
        return result["times"]


def busy_seconds():
    """CPU time of everything on the machine, less that of our own children."""
    with open("/proc/stat") as f:
        total = sum(map(int, f.readline().split()[1:4])) / os.sysconf("SC_CLK_TCK")
    return total - sum(os.times()[:4])


def interleave(engines, rounds, seconds):
    """{engine's name: times of all rounds}, and how many cores others kept busy."""
    times = {e.name: [] for e in engines}
    start, busy = time.perf_counter(), busy_seconds()
    for _ in range(rounds):
        for engine in engines:
            times[engine.name] += engine.times(seconds)
    return times, max(0.0, (busy_seconds() - busy) / (time.perf_counter() - start))


def measure(args, model, threads):
    path, feeds = load(model, args.models)
    with tempfile.TemporaryDirectory(prefix="mlc-bench-") as d:
        mlc = Mlc(args.mlc, path, feeds, threads, Path(d))
        engines = [mlc, OnnxRuntime(path, threads, mlc.inputs)]
        times, others = interleave(engines, args.rounds, args.seconds)
    row = {"model": Path(model).stem, "threads": threads, "others": others, "machine": machine()}
    for engine in engines:
        row[engine.name] = statistics.median(times[engine.name])
        row[f"{engine.name}_p10_p90"] = list(np.percentile(times[engine.name], [10, 90]))
        row[f"{engine.name}_ready_s"] = engine.ready_s
    return row


def arguments(doc):
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("selected", nargs="*", metavar="MODEL", help="default: resnet50 mobilenet_v2 digits")
    parser.add_argument("--mlc", default=os.environ.get("MLC", str(ROOT / "build/release/bin/mlc")))
    parser.add_argument("--models", type=Path, default=ROOT / "build/models")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="least time of each engine's turn")
    parser.add_argument("--json", type=Path, help="append the rows here, a line each")
    args = parser.parse_args()
    if not os.access(args.mlc, os.X_OK):
        parser.error(f"no mlc binary at {args.mlc}: build it (cmake --build --preset release), or name it with --mlc")
    args.selected = args.selected or ["resnet50", "mobilenet_v2", "digits"]
    args.threads = [int(t) for t in args.threads.split(",")]
    return args


def main():
    args = arguments(__doc__)
    print(f"{machine()}; median ms over {args.rounds} interleaved rounds\n")
    print("| model | threads | mlc | onnxruntime | mlc / onnxruntime | mlc compile s | others |\n|---|---|---|---|---|---|---|")
    failed = False
    for model in args.selected:
        for threads in args.threads:
            try:
                row = measure(args, model, threads)
            except RuntimeError as error:
                print(f"| {model} | {threads} | fails: {error} | | | | |", flush=True)
                failed = True
                continue
            print(f"| {row['model']} | {threads} | {row['mlc'] * 1e3:.3f} | {row['onnxruntime'] * 1e3:.3f} | "
                  f"{row['mlc'] / row['onnxruntime']:.2f} | {row['mlc_ready_s']:.2f} | {row['others']:.2f} |", flush=True)
            if args.json:
                with args.json.open("a") as f:
                    f.write(json.dumps(row) + "\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
