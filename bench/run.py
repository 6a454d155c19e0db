"""mlc, ONNX Runtime and OpenVINO (those installed) side by side: median latency of models, in interleaved rounds.

    python bench/run.py [--mlc build/release/bin/mlc] [MODEL...] [--threads 1,2] [--rounds 5] [--seconds 2] [--json FILE]

Models: resnet50, mobilenet_v2 (made by scripts/make_models.py in build/models), digits, or paths of .onnx files with
float32 inputs. Each engine is timed in a process of its own, one after the other, round by round, so that noise hits both
alike; a run with one thread is pinned to a core. The figure is the median over all runs of all rounds. `others` is how many
cores other processes kept busy meanwhile: read only rows where it is small. Prints a table in Markdown; compare only within
one run, on one machine.
"""
import argparse
import importlib.util
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


class Peer:
    """A process that loads the model, warms up, and prints the times of its runs. PREPARE makes `run` of `path`, `feeds` and `threads`."""
    CODE = """
import json, sys, time, numpy as np
path, threads, seconds, *inputs = sys.argv[1:]
feeds = {name: np.load(file) for name, file in (i.split("=", 1) for i in inputs)}
threads, start = int(threads), time.perf_counter()
%s
run()
ready, times = time.perf_counter() - start, []
end = time.perf_counter() + 0.1 * float(seconds)
while time.perf_counter() < end:
    run()
run()
end = time.perf_counter() + float(seconds)
while len(times) < 3 or time.perf_counter() < end:
    start = time.perf_counter()
    run()
    times.append(time.perf_counter() - start)
print(json.dumps({"times": times, "ready": ready}))
"""

    def __init__(self, path, threads, inputs):
        self.path, self.threads, self.ready_s = path, threads, float("inf")
        self.inputs = [i for i in inputs if i != "--input"]

    def times(self, seconds):
        p = subprocess.run(pinned(self.threads, [sys.executable, "-c", self.CODE % self.PREPARE, self.path, self.threads,
                                                 seconds, *self.inputs]), capture_output=True, text=True)
        check(p)
        result = json.loads(p.stdout)
        self.ready_s = min(self.ready_s, result["ready"])
        return result["times"]


class OnnxRuntime(Peer):
    name = "onnxruntime"  # inputs and outputs stay where they are, as mlc's do
    PREPARE = """
import onnxruntime as rt
options = rt.SessionOptions()
options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
session = rt.InferenceSession(path, options, providers=["CPUExecutionProvider"])
binding = session.io_binding()
for name, value in feeds.items():
    binding.bind_cpu_input(name, value)
for output, value in zip(session.get_outputs(), session.run(None, feeds)):
    binding.bind_ortvalue_output(output.name, rt.OrtValue.ortvalue_from_numpy(value))
run = lambda: session.run_with_iobinding(binding)
"""


class OpenVino(Peer):
    name = "openvino"
    PREPARE = """
import openvino as ov
request = ov.Core().compile_model(path, "CPU", {
    "PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
run = lambda: request.infer(feeds, share_inputs=True, share_outputs=True)
"""


PEERS = [peer for peer in (OnnxRuntime, OpenVino) if importlib.util.find_spec(peer.name)]


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
        engines = [mlc, *(peer(path, threads, mlc.inputs) for peer in PEERS)]
        times, others = interleave(engines, args.rounds, args.seconds)
    row = {"model": Path(model).stem, "threads": threads, "others": others, "machine": machine()}
    for engine in engines:
        row[engine.name] = statistics.median(times[engine.name])
        row[f"{engine.name}_p10_p90"] = list(np.percentile(times[engine.name], [10, 90]))
        row[f"{engine.name}_ready_s"] = engine.ready_s
    return row


def arguments(doc, kind="MODEL", selected=("resnet50", "mobilenet_v2", "digits"), more=None):
    """The command line; `more` adds to the parser."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("selected", nargs="*", metavar=kind, help="default: " + " ".join(selected))
    parser.add_argument("--mlc", default=os.environ.get("MLC", str(ROOT / "build/release/bin/mlc")))
    parser.add_argument("--models", type=Path, default=ROOT / "build/models")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="least time of each engine's turn")
    parser.add_argument("--json", type=Path, help="append the rows here, a line each")
    if more:
        more(parser)
    args = parser.parse_args()
    if not os.access(args.mlc, os.X_OK):
        parser.error(f"no mlc binary at {args.mlc}: build it (cmake --build --preset release), or name it with --mlc")
    args.selected = args.selected or list(selected)
    args.threads = [int(t) for t in args.threads.split(",")]
    return args


def main():
    args = arguments(__doc__)
    print(f"{machine()}; median ms over {args.rounds} interleaved rounds\n")
    names = ["mlc", *(peer.name for peer in PEERS)]
    print(f"| model | threads | {' | '.join(names)} | mlc / best peer | mlc compile s | others |\n"
          f"|---|---|{'---|' * len(names)}---|---|---|")
    failed = False
    for model in args.selected:
        for threads in args.threads:
            try:
                row = measure(args, model, threads)
            except RuntimeError as error:
                print(f"| {model} | {threads} | fails: {error} |{' |' * (len(names) + 2)}", flush=True)
                failed = True
                continue
            times = " | ".join(f"{row[name] * 1e3:.3f}" for name in names)
            best = min((row[name] for name in names[1:]), default=float("nan"))
            print(f"| {row['model']} | {threads} | {times} | {row['mlc'] / best:.2f} | {row['mlc_ready_s']:.2f} | "
                  f"{row['others']:.2f} |", flush=True)
            if args.json:
                with args.json.open("a") as f:
                    f.write(json.dumps(row) + "\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
