"""A counted campaign: mutants of models through a fuzz target, with numbers, so that it can be stopped, resumed and repeated.

    python scripts/mutants.py [--target onnx_lower] [--first 0] [--count 500000] [--build build/asan] [--jobs N] [--seconds 20]

Seeds are the models of test/e2e and those that the onnx package tests itself with, up to 16 KB each; they are made once, in
build/mutants/seeds. Mutant n is the same in every run. What was run stands in build/mutants/TARGET.BUILD/done, a range a line, and a call
runs what is missing from FIRST to COUNT. A crash, a sanitizer's word or more than --seconds of the processor for one mutant is a
finding: the mutant and what was said go to .../findings/N, and the run goes on behind it. Exit code 1 if there are findings.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

ROOT = Path(__file__).resolve().parent.parent
MAX_SEED = 16384
CHUNK = 500
MEMORY = 6 << 30  # bytes: beyond, an allocation fails, which is a finding


def make_seeds(folder):
    """Models in a folder; small ones, since most of what a mutant does depends on operators and not on sizes."""
    if (folder / "made").exists():
        return
    sys.path.insert(0, str(ROOT / "test/e2e"))
    import warnings
    warnings.simplefilter("ignore")
    import parts
    from cases import all_cases
    from onnx.backend.test.case.node import collect_testcases
    models = {case.name: case.model for case in all_cases()} | {case.name: case.model for case in collect_testcases(None)}
    models |= {f"parts_{name}": make() for name, make in vars(parts).items() if name.endswith("_model")}
    folder.mkdir(parents=True, exist_ok=True)
    for name, model in models.items():
        data = model.SerializeToString(deterministic=True)
        if len(data) <= MAX_SEED:
            (folder / f"{name.replace('/', '-')}.onnx").write_bytes(data)
    (folder / "made").touch()


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Campaign:
    def __init__(self, args):
        self.program = ROOT / args.build / "test/fuzz" / f"fuzz_{args.target}"
        self.seeds = ROOT / "build/mutants/seeds"
        self.folder = ROOT / "build/mutants" / f"{args.target}.{Path(args.build).name}"
        self.seconds = args.seconds
        self.is_asan = b"libasan" in self.program.read_bytes()  # its shadow is beyond any limit of addresses
        self.lock = Lock()
        (self.folder / "findings").mkdir(parents=True, exist_ok=True)

    def ranges(self):
        """Those that are through, sorted, as (first, count)."""
        file = self.folder / "done"
        return sorted(tuple(map(int, line.split())) for line in file.read_text().splitlines()) if file.exists() else []

    def through(self, first, count):
        with self.lock, (self.folder / "done").open("a") as file:
            file.write(f"{first} {count}\n")

    def run(self, first, count):
        """(mutants that are through, number of the one that failed or None)."""
        env = dict(os.environ, MLC_FUZZ_SECONDS=str(self.seconds), ASAN_OPTIONS=f"detect_leaks=0:allocator_may_return_null=0:hard_rss_limit_mb={MEMORY >> 20}")
        with tempfile.TemporaryDirectory(dir=self.folder) as folder, tempfile.TemporaryFile(dir=folder) as said:
            process = subprocess.Popen([self.program, f"{first}:{count}", self.seeds], cwd=folder, env=env, stdout=said, stderr=said,
                                       preexec_fn=None if self.is_asan else limit_memory)
            if process.wait() == 0:
                return count, None
            kept = Path(folder) / f"standalone-crash-{process.pid}"
            number = int(kept.with_name(kept.name + ".number").read_text())
            found = self.folder / "findings" / str(number)
            found.mkdir(exist_ok=True)
            (found / "mutant.onnx").write_bytes(kept.read_bytes())
            said.seek(0)
            (found / "said").write_bytes(f"exit {process.returncode}\n".encode() + said.read()[-20000:])
            return number - first + 1, number

    def chunk(self, first, count):
        while count > 0:
            done, failed = self.run(first, count)
            if failed is not None:
                print(f"mutant {failed}: {self.folder}/findings/{failed}", flush=True)
                if failed < 0:
                    raise SystemExit("a seed fails: nothing was mutated")
            self.through(first, done)
            first, count = first + done, count - done


def missing(ranges, at, count):
    """Chunks of at..count that no range has."""
    for first, size in [*ranges, (count, 0)]:
        for start in range(at, min(first, count), CHUNK):
            yield start, min(CHUNK, min(first, count) - start)
        at = max(at, first + size)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", default="onnx_lower")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=500_000)
    parser.add_argument("--build", default="build/asan")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=20)
    args = parser.parse_args()
    campaign = Campaign(args)
    make_seeds(campaign.seeds)
    with ThreadPoolExecutor(args.jobs) as pool:
        for done in [pool.submit(campaign.chunk, *chunk) for chunk in missing(campaign.ranges(), args.first, args.count)]:
            done.result()
    through = sum(count for _, count in campaign.ranges())
    findings = len(list((campaign.folder / "findings").iterdir()))
    print(f"{args.target}: {through} mutants, {findings} findings")
    sys.exit(findings > 0)


if __name__ == "__main__":
    main()
