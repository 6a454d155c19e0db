"""mlc, ONNX Runtime, OpenVINO, ncnn and LiteRT (those installed) side by side: median latency of models, in interleaved rounds.

    python bench/run.py [--mlc build/release/bin/mlc] [MODEL...] [--threads 1,2] [--rounds 5] [--seconds 2] [--json FILE]

Models: resnet50, mobilenet_v2 (made by scripts/make_models.py in build/models), digits, or paths of .onnx files; inputs are
random numbers, those of integers zeros and ones. Each engine is timed in a process of its own, one after the other, round by
round, so that noise hits all alike; a run with one thread is pinned to a core. The figure is the median over all runs of all
rounds. `others` is how many cores other processes kept busy meanwhile: read only rows where it is small. `worst row` is how far the
worst row of mlc's results is from the nearest peer's and from the furthest one's, over the row's largest number (docs/numerics.md).
Prints a table in Markdown; compare only within one run, on one machine.

Peers: pip install onnxruntime openvino ncnn pnnx ai-edge-litert. All compute in float32. A peer that cannot do a model, or
whose result is further from mlc's than 1e-2 of the largest number, has the reason in its cell instead of a time. pnnx makes
ncnn's model of the .onnx file, each time; its threads wait by spinning and may take many times as long where a core is busy
(OMP_WAIT_POLICY=passive: they sleep). LiteRT, with XNNPACK's kernels, reads the .tflite file beside the .onnx file, whose inputs
have the same shapes; onnx2tf makes it (pip install onnx2tf, with TensorFlow: in an environment of its own):

    onnx2tf -i MODEL.onnx -o FOLDER -kat INPUT... -n && mv FOLDER/MODEL_float32.tflite MODEL.tflite
"""
import argparse
import glob
import importlib.util
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from functools import cached_property
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
E2E = str(ROOT / "test/e2e")
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
    types = {i.name: i.type.tensor_type for i in graph.input if i.name not in weights}
    return path, {name: random(rng, [d.dim_value or 1 for d in t.shape.dim], onnx.helper.tensor_dtype_to_np_dtype(t.elem_type))
                  for name, t in types.items()}


def random(rng, shape, dtype):
    """Integers are 0 or 1: indices, kinds and masks that all models can do with."""
    return (rng.standard_normal(shape, np.float32) if dtype.kind == "f" else rng.integers(0, 2, shape)).astype(dtype)


def pinned(threads, command):
    return (["taskset", "-c", str(min(os.sched_getaffinity(0)))] if threads == 1 else []) + [str(c) for c in command]


def check(p):
    if p.returncode:
        raise RuntimeError((p.stderr.strip().splitlines() or [f"exit {p.returncode}"])[-1][:300])


class Mlc:
    """`mlc compile` once, `mlc bench` for each round."""

    def __init__(self, mlc, path, feeds, threads, folder, flags=(), name="mlc"):
        self.name, self.mlc, self.path, self.feeds, self.threads, self.folder = name, mlc, path, feeds, threads, folder
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

    @cached_property
    def results(self):
        """{output: its file}, in their order."""
        import onnx
        folder = self.folder / "out"
        check(subprocess.run([self.mlc, "run", self.folder / "m.so", *self.inputs, "--output-dir", folder],
                             capture_output=True, text=True))
        names = [output.name for output in onnx.load(self.path, load_external_data=False).graph.output]
        escaped = [re.sub(r"[/:%\x00-\x1f\x7f]", lambda c: f"%{ord(c[0]):02X}", name) for name in names]
        return {name: f"{folder}/{file}.npy" for name, file in zip(names, escaped)}


class Peer:
    """A process that loads the model, warms up, compares its results with mlc's, and prints the times of its runs. PREPARE makes
    `run` of `path`, `feeds` and `threads`, and `results`, the outputs of the last run in the order of `expected`."""
    LIMIT = 1e-2  # what is further from `expected`, over its largest number, is refused; None: nothing is
    CODE = """
import json, sys, time, numpy as np
path, threads, seconds, inputs, expected, limit, e2e = json.loads(sys.argv[1])
sys.path.insert(0, e2e)
from harness import worst_row
feeds = {name: np.load(file) for name, file in (i.split("=", 1) for i in inputs)}
start = time.perf_counter()
%s
run()
ready, times, worst = time.perf_counter() - start, [], 0
for want, got in zip(map(np.load, expected.values()), results(), strict=True):
    worst = max(worst, worst_row(want, np.reshape(got, want.shape)))
    difference = np.abs(np.reshape(got, want.shape) - want.astype(np.float64)).max(initial=0)
    if limit and not difference <= limit * np.abs(want.astype(np.float64)).max(initial=0):
        sys.exit(f"differs from mlc by {difference:.1e}, whose largest is {np.abs(want).max():.1e}")
end = time.perf_counter() + 0.1 * seconds
while time.perf_counter() < end:
    run()
run()
end = time.perf_counter() + seconds
while len(times) < 3 or time.perf_counter() < end:
    start = time.perf_counter()
    run()
    times.append(time.perf_counter() - start)
print(json.dumps({"times": times, "ready": ready, "worst_row": worst}))
"""

    def __init__(self, mlc):
        self.mlc, self.ready_s, self.worst_row, self.fails = mlc, float("inf"), 0, None

    @cached_property
    def model(self):
        """The file that the peer reads."""
        return self.mlc.path

    @property
    def expected(self):
        """{output: the file of what it should be}."""
        return self.mlc.results

    def times(self, seconds):
        job = [str(self.model), self.mlc.threads, seconds, [i for i in self.mlc.inputs if i != "--input"], self.expected,
               self.LIMIT, E2E]
        p = subprocess.run(pinned(self.mlc.threads, [sys.executable, "-c", self.CODE % self.PREPARE, json.dumps(job)]),
                           capture_output=True, text=True)
        check(p)
        result = json.loads(p.stdout.splitlines()[-1])
        self.ready_s, self.worst_row = min(self.ready_s, result["ready"]), result["worst_row"]
        return result["times"]


class OnnxRuntime(Peer):
    name = module = "onnxruntime"  # inputs and outputs stay where they are, as mlc's do
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
results = binding.copy_outputs_to_cpu
"""


class OpenVino(Peer):
    name = module = "openvino"
    PREPARE = """
import openvino as ov
request = ov.Core().compile_model(path, "CPU", {
    "PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
run = lambda: request.infer(feeds, share_inputs=True, share_outputs=True)
results = lambda: [tensor.data for tensor in request.output_tensors]
"""


class Ncnn(Peer):
    name = module = "ncnn"  # pnnx says, in the example that it writes, which dimension of a tensor is the batch
    PREPARE = """
import ncnn, re
net = ncnn.Net()
net.opt.num_threads = threads
for option in ("fp16_packed", "fp16_storage", "fp16_arithmetic", "bf16_packed", "bf16_storage"):
    setattr(net.opt, f"use_{option}", False)
if net.load_param(f"{path}.param") or net.load_model(f"{path}.bin"):
    sys.exit(1)  # it has written why
batch = re.findall("([a-z]+[0-9]+)[.]numpy[(].*batch_index=([0-9]+)", open(f"{path}.py").read())
batch = {name: int(index) for name, index in batch}
inputs = {}
for i, value in enumerate(feeds.values()):
    value = value if value.dtype.kind == "f" else value.astype(np.int32)
    inputs[f"in{i}"] = ncnn.Mat(value, batch_index=batch[f"in{i}"]).clone()
outputs = {name: None for name in net.output_names()}
def run():
    with net.create_extractor() as extractor:
        for name, value in inputs.items():
            extractor.input(name, value)
        for name in outputs:
            status, outputs[name] = extractor.extract(name)
            if status:
                sys.exit(f"running fails with {status}")
results = lambda: [value.numpy(batch_index=batch[name]) for name, value in outputs.items()]
"""

    @cached_property
    def model(self):
        pnnx = importlib.util.find_spec("pnnx")
        if not pnnx:
            raise RuntimeError("pnnx is not installed")
        folder, path = self.mlc.folder / "ncnn", Path(self.mlc.path).absolute()
        folder.mkdir()
        for file in path.parent.glob(glob.escape(path.name) + "*"):  # with external data; pnnx writes files beside the model
            (folder / file.name).symlink_to(file)
        shapes = ",".join(f"[{','.join(map(str, v.shape))}]{v.dtype.kind}{8 * v.itemsize}" for v in self.mlc.feeds.values())
        check(subprocess.run([Path(pnnx.origin).with_name("pnnx"), path.name, f"inputshape={shapes}", "fp16=0", "ncnnparam=m.param",
                              "ncnnbin=m.bin", "ncnnpy=m.py"], cwd=folder, capture_output=True, text=True, errors="replace"))
        if not (folder / "m.param").exists():
            raise RuntimeError("pnnx makes no model of it")
        return folder / "m"


class LiteRt(Peer):
    name, module = "litert", "ai_edge_litert"
    PREPARE = """
from ai_edge_litert.interpreter import Interpreter
interpreter = Interpreter(path, num_threads=threads)  # takes XNNPACK's kernels
interpreter.allocate_tensors()
if interpreter.get_signature_list():
    signature = interpreter.get_signature_runner()
    inputs, outputs = signature.get_input_details(), signature.get_output_details()
    del signature  # the interpreter does not run while something else refers to it
else:  # some versions of onnx2tf write none
    inputs, outputs = ({d["name"]: d for d in details} for details in (interpreter.get_input_details(), interpreter.get_output_details()))
def tensors(names, details):  # those that a converter has renamed by their order
    return [details.get(name, detail) for name, detail in zip(names, details.values(), strict=True)]
for value, detail in zip(feeds.values(), tensors(feeds, inputs)):  # they stay there
    interpreter.set_tensor(detail["index"], value.astype(detail["dtype"]))
run = interpreter.invoke
results = lambda: [interpreter.get_tensor(d["index"]) for d in tensors(expected, outputs)]
"""

    @cached_property
    def model(self):
        path = Path(self.mlc.path).with_suffix(".tflite")
        if not path.exists():
            raise RuntimeError(f"no {path.name}")
        return path


PEERS = [peer for peer in (OnnxRuntime, OpenVino, Ncnn, LiteRt) if importlib.util.find_spec(peer.module)]


def busy_seconds():
    """CPU time of everything on the machine, less that of our own children."""
    with open("/proc/stat") as f:
        total = sum(map(int, f.readline().split()[1:4])) / os.sysconf("SC_CLK_TCK")
    return total - sum(os.times()[:4])


def interleave(engines, rounds, seconds):
    """{engine's name: times of all rounds}, without peers that fail, and how many cores others kept busy."""
    times = {e.name: [] for e in engines}
    start, busy = time.perf_counter(), busy_seconds()
    for _ in range(rounds):
        for engine in engines:
            try:
                if engine.name in times:
                    times[engine.name] += engine.times(seconds)
            except RuntimeError as error:
                if isinstance(engine, Mlc):
                    raise
                engine.fails = str(error)
                del times[engine.name]
    return times, max(0.0, (busy_seconds() - busy) / (time.perf_counter() - start))


def measure(args, model, threads):
    path, feeds = load(model, args.models)
    with tempfile.TemporaryDirectory(prefix="mlc-bench-") as d:
        mlc = Mlc(args.mlc, path, feeds, threads, Path(d))
        engines = [mlc, *(peer(mlc) for peer in PEERS)]
        times, others = interleave(engines, args.rounds, args.seconds)
    row = {"model": Path(model).stem, "threads": threads, "others": others, "machine": machine()}
    for engine in engines:
        if engine.name not in times:
            row[f"{engine.name}_fails"] = engine.fails
            continue
        row[engine.name] = statistics.median(times[engine.name])
        row[f"{engine.name}_p10_p90"] = list(np.percentile(times[engine.name], [10, 90]))
        row[f"{engine.name}_ready_s"] = engine.ready_s
        if engine is not mlc:
            row[f"{engine.name}_worst_row"] = engine.worst_row
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
    print(f"| model | threads | {' | '.join(names)} | mlc / best peer | worst row | mlc compile s | others |\n"
          f"|---|---|{'---|' * len(names)}---|---|---|---|")
    failed = False
    for model in args.selected:
        for threads in args.threads:
            try:
                row = measure(args, model, threads)
            except RuntimeError as error:
                print(f"| {model} | {threads} | fails: {error} |{' |' * (len(names) + 3)}", flush=True)
                failed = True
                continue
            times = " | ".join(f"{row[name] * 1e3:.3f}" if name in row else row[f"{name}_fails"].replace("|", "/") for name in names)
            best = min((row[name] for name in names[1:] if name in row), default=float("nan"))
            rows = [row[f"{name}_worst_row"] for name in names[1:] if name in row] or [float("nan")]
            print(f"| {row['model']} | {threads} | {times} | {row['mlc'] / best:.2f} | {min(rows):.1e} to {max(rows):.1e} | {row['mlc_ready_s']:.2f} | "
                  f"{row['others']:.2f} |", flush=True)
            if args.json:
                with args.json.open("a") as f:
                    f.write(json.dumps(row) + "\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
