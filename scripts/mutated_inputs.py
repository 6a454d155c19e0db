"""A counted campaign: inputs that are made up, for compiled models of open sizes and of operators that read sizes, counts or places.

    python scripts/mutated_inputs.py --build build/release [--count 100000] [--each 4] [--run-build build/asan] [--only OP] [--jobs N]

Models are those of scripts/mutants.py that have one of OPERATORS, --each of an operator and a way to open them: as they are; their
inputs' dimensions named, equal sizes by one name; each dimension by a name of its own; and small constants as inputs too. What
compiles runs on its share of COUNT sets (test/fuzz/artefact_inputs.c, of --run-build if it is given). Set n of a model is the same in
every run. A crash, a run that takes more than 20 s of the processor, another answer in another session, or a refusal without a message
is a finding: it goes to build/mutated_inputs/findings. Exit code 1 if there are findings.
"""
import argparse
import os
import re
import resource
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import onnx
from onnx import TensorProto, helper

from mutants import make_seeds

ROOT = Path(__file__).resolve().parent.parent
SEEDS, WORK = ROOT / "build/mutants/seeds", ROOT / "build/mutated_inputs"
OPERATORS = """AffineGrid ArgMax Attention AveragePool BitShift CenterCropPad Col2Im Compress Concat ConstantOfShape Conv ConvTranspose CumSum
DepthToSpace Div DynamicQuantizeLinear Einsum Expand EyeLike Flatten GRU Gather GatherElements GatherND GridSample If LSTM LayerNormalization Loop
MatMul MaxPool MaxRoiPool MaxUnpool Mod NegativeLogLikelihoodLoss NonMaxSuppression NonZero OneHot Pad Pow QuantizeLinear RNN Range ReduceMax
ReduceMean ReduceSum Reshape Resize ReverseSequence RoiAlign RotaryEmbedding STFT Scan ScatterElements ScatterND SequenceAt Shape Size Slice
Softmax SoftmaxCrossEntropyLoss SpaceToDepth Split SplitToSequence Squeeze TensorScatter Tile TopK TreeEnsemble Trilu Unique Unsqueeze Upsample
Where""".split()
SMALL = 16  # elements of a constant that becomes an input
SECONDS, MEMORY = 20, 6 << 30


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


# ---- ways to open a model; None where there is nothing to open

def as_it_is(model):
    return model


def named(model, own=False):
    constants = {c.name for c in model.graph.initializer}
    dims = 0
    for given in model.graph.input:
        if given.name in constants or not given.type.HasField("tensor_type"):
            continue
        for i, dim in enumerate(given.type.tensor_type.shape.dim):
            if dim.HasField("dim_value"):
                dim.dim_param = f"{f'{given.name}_{i}_' if own else ''}d{dim.dim_value}"
                dims += 1
    del model.graph.value_info[:]
    for output in model.graph.output:
        if output.type.HasField("tensor_type"):
            output.type.tensor_type.ClearField("shape")
    return model if dims else None


def each_its_own(model):
    return named(model, own=True)


def constants_too(model):
    """Named, and numbers that operators read as inputs."""
    read = {name for node in model.graph.node for name in node.input}
    small = [c for c in model.graph.initializer if c.name in read and len(c.dims) <= 1 and (not c.dims or c.dims[0] <= SMALL)
             and c.data_type in (TensorProto.INT64, TensorProto.INT32, TensorProto.FLOAT, TensorProto.BOOL)]
    for constant in small:
        model.graph.initializer.remove(constant)
        if constant.name not in {given.name for given in model.graph.input}:
            model.graph.input.append(helper.make_tensor_value_info(constant.name, constant.data_type, list(constant.dims)))
    named(model)
    return model if small else None


WAYS = (as_it_is, named, each_its_own, constants_too)


def models(args):
    """(name, bytes) of those to compile."""
    taken = Counter()
    for path in sorted(SEEDS.glob("*.onnx")):
        data = path.read_bytes()
        ops = {node.op_type for node in onnx.load_from_string(data).graph.node} & set(OPERATORS)
        for way in WAYS:
            fresh = [op for op in ops if taken[op, way] < args.each and re.search(args.only, op)]
            model = way(onnx.load_from_string(data)) if fresh else None
            if model:
                taken.update((op, way) for op in ops)
                yield f"{path.stem}.{way.__name__}", model.SerializeToString()


# ---- what is done with one

class Campaign:
    def __init__(self, args):
        self.mlc = ROOT / args.build / "bin/mlc"
        self.program = ROOT / (args.run_build or args.build) / "test/fuzz/artefact_inputs"
        self.limit = None if b"libasan" in self.program.read_bytes() else limit_memory
        self.env = dict(os.environ, MLC_FUZZ_SECONDS=str(SECONDS), ASAN_OPTIONS=f"detect_leaks=0:hard_rss_limit_mb={MEMORY >> 20}")
        self.findings = []

    def find(self, name, what, said):
        self.findings.append(name)
        folder = WORK / "findings"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.said").write_text(f"{what}\n{said[-10000:]}")
        print(f"{name}: {what}: {said.strip().splitlines()[-1] if said.strip() else ''}", flush=True)

    def compile(self, name, data):
        """The artefact, or None where it is refused."""
        folder = WORK / name
        folder.mkdir(exist_ok=True)
        if not (folder / "m.so").exists():
            (folder / "m.onnx").write_bytes(data)
            p = subprocess.run([self.mlc, "compile", folder / "m.onnx", "-o", folder / "m.so"], capture_output=True, text=True, errors="replace",
                               timeout=600, env=self.env)
            if p.returncode not in (0, 1, 3) or (p.returncode and not p.stderr) or "found after pass" in p.stderr:
                self.find(name, f"mlc compile: exit {p.returncode}", p.stderr)
        return folder / "m.so" if (folder / "m.so").exists() else None

    def run(self, so, count):
        """(sets that ran, those that gave numbers)"""
        name, first, done, numbers = so.parent.name, 0, 0, 0
        while first < count:
            p = subprocess.run([self.program, "m.so", str(first), str(count - first)], cwd=so.parent, capture_output=True, text=True,
                               errors="replace", env=self.env, preexec_fn=self.limit)
            if p.returncode == 0:
                ran, gave = re.findall(r"\d+", p.stdout)
                return done + int(ran), numbers + int(gave)
            number = (so.parent / "in-flight").read_text().strip() if p.returncode != 2 else ""
            self.find(f"{name}.{number or 'load'}", f"exit {p.returncode}", p.stderr)
            if not number:
                break
            done, first = done + int(number) - first + 1, int(number) + 1
            if sum(f.startswith(name) for f in self.findings) >= 5:
                break
        return done, numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--run-build", default="")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--each", type=int, default=4)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    make_seeds(SEEDS)
    WORK.mkdir(parents=True, exist_ok=True)
    campaign = Campaign(args)
    with ThreadPoolExecutor(args.jobs) as pool:
        artefacts = [so for so in pool.map(lambda m: campaign.compile(*m), models(args)) if so]
        print(f"{len(artefacts)} models compile", flush=True)
        results = list(pool.map(lambda so: campaign.run(so, -(-args.count // len(artefacts))), artefacts))
    ran, numbers = (sum(column) for column in zip(*results))
    print(f"{ran} sets of inputs of {len(artefacts)} models, {numbers} gave numbers, {len(campaign.findings)} findings")
    sys.exit(bool(campaign.findings))


if __name__ == "__main__":
    main()
