"""The IR core next to mlir-opt-19: what an op costs to read, verify, walk, clone, print, CSE and canonicalise.

    python bench/ir/run.py [--build build/release] [--ops 100000,1000000] [--rounds 3] [--mlir mlir-opt-19] [--json FILE]

Modules are generated: functions of some 60 ops in arith, scf, cf, memref and affine, every fourth op foldable or equal to
an earlier one. Both tools run as processes, on one thread, in turns: reading (with verification) and printing, and what a pass
adds to that, less an empty module's time. mlc's stages alone come from ir_bench (built here). All is processor time, the
least of all rounds, since noise only adds. Prints tables in Markdown; compare only within one run.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OPS_PER_FUNCTION = 64  # what FUNCTION has, about
FUNCTION = """  func.func @f{n}(%x: i32, %y: i32, %p: i1, %m: memref<{a}x64xf32>, %s: f32) -> i32 {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant {a} : index
    %k = arith.constant {b} : i32
    %z = arith.constant 0 : i32
    %0 = arith.addi %x, %k : i32
    %1 = arith.addi %0, %z : i32
    %2 = arith.muli %1, %y : i32
    %3 = arith.muli %1, %y : i32
    %4 = arith.xori %2, %3 : i32
    %5 = arith.cmpi slt, %4, %k : i32
    %6 = arith.select %5, %2, %y : i32
    %7 = arith.subi %6, %3 : i32
    %8 = arith.andi %7, %k : i32
    %9 = arith.ori %8, %0 : i32
    %10 = arith.shli %9, %k : i32
    %11 = arith.extsi %10 : i32 to i64
    %12 = arith.trunci %11 : i64 to i32
    %13 = arith.maxsi %12, %x : i32
    %14 = arith.divsi %13, %k : i32
    %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %14, %v = %s) -> (i32, f32) {{
      %j = arith.addi %i, %c0 : index
      %l = memref.load %m[%j, %c1] : memref<{a}x64xf32>
      %q = arith.mulf %l, %v fastmath<contract> : f32
      %r = arith.addf %q, %s : f32
      %15 = arith.index_cast %i : index to i32
      %16 = arith.addi %u, %15 : i32
      %17 = scf.if %p -> (i32) {{
        %18 = arith.addi %16, %k : i32
        scf.yield %18 : i32
      }} else {{
        %18 = arith.muli %16, %x : i32
        %19 = arith.muli %16, %x : i32
        %20 = arith.addi %18, %19 : i32
        scf.yield %20 : i32
      }}
      memref.store %r, %m[%i, %c1] : memref<{a}x64xf32>
      scf.yield %17, %r : i32, f32
    }}
    affine.for %i = 0 to {a} {{
      affine.for %j = 0 to 64 {{
        %l = affine.load %m[%i, %j] : memref<{a}x64xf32>
        %q = arith.mulf %l, %s : f32
        affine.store %q, %m[%i, %j] : memref<{a}x64xf32>
      }}
    }}
    cf.cond_br %p, ^left(%sum#0 : i32), ^right
  ^left(%t: i32):
    %21 = arith.addi %t, %k : i32
    %22 = func.call @f{callee}(%21, %y, %p, %m, %s) : (i32, i32, i1, memref<{a}x64xf32>, f32) -> i32
    cf.br ^join(%22 : i32)
  ^right:
    %23 = arith.addi %x, %k : i32
    %24 = arith.muli %23, %23 : i32
    cf.br ^join(%24 : i32)
  ^join(%out: i32):
    return %out : i32
  }}
"""


def generate(path, ops):
    rng = random.Random(19)
    with open(path, "w") as f:
        f.write("module {\n")
        for n in range(max(1, ops // OPS_PER_FUNCTION)):
            # a call is of the function itself, whose memref has the same shape
            f.write(FUNCTION.format(n=n, callee=n, a=rng.choice((16, 32, 48, 96)), b=rng.randrange(2, 31)))
        f.write("}\n")


def run(argv):
    """(CPU seconds, peak KiB) of a process that writes nowhere."""
    with open(os.devnull, "w") as null, tempfile.TemporaryFile("w+") as err:
        pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, null.fileno(), 1), (os.POSIX_SPAWN_DUP2, err.fileno(), 2)])
        _, status, usage = os.wait4(pid, 0)
        err.seek(0)
        text = err.read()
    if status:
        sys.exit(f"{argv[0]} failed: {text[:2000]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def stages(tool, path, empty):
    """Seconds by stage, and the peak of reading and printing, above those of an empty module."""
    one = [tool, "--mlir-disable-threading", "--verify-each=false" if "mlir-opt" in tool else "--no-verify-each"]
    floor, floor_peak = run(one + [str(empty)])
    read_print, peak = run(one + [str(path)])
    generic, _ = run(one + ["--mlir-print-op-generic", str(path)])
    times = {"read and print": read_print - floor, "read and print generic": generic - floor}
    for stage in ("cse", "canonicalize"):
        times[stage] = run(one + [f"--{stage}", str(path)])[0] - read_print
    return times | {"peak": (peak - floor_peak) * 1024}


OWN = ("parse", "verify", "walk", "clone", "print", "print generic", "cse", "canonicalize", "write bytecode", "read bytecode", "open bytecode")


def table(n, own, ours, theirs):
    def row(stage, a, b=None):
        cells = [f"{a / n:.0f}", f"{b / n:.0f}" if b else "", f"{b / a:.1f}" if a and b else ""]
        print(f"| {stage} | {' | '.join(cells)} |")
    print("| process | mlc ns/op | mlir-opt ns/op | mlir-opt / mlc |\n|---|---|---|---|")
    for stage in ours:
        unit = 1 if stage == "peak" else 1e9
        name = {"peak": "peak memory, bytes/op"}.get(stage, stage)
        row(name, ours[stage] * unit, theirs.get(stage, 0) * unit)
    print("\n| stage alone | mlc ns/op |\n|---|---|")
    for stage in OWN:
        print(f"| {stage} | {own[stage] / n * 1e9:.0f} |")
    print(f"| ops and what they share, bytes/op | {own['bytes'] / n:.0f} |", flush=True)


def least(old, new):
    return {k: min(v, old.get(k, v)) for k, v in new.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--ops", default="100000,1000000", help="up to 10000000; some 200 bytes of memory each")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mlir", default="/usr/lib/llvm-19/bin/mlir-opt", help="'' leaves mlir-opt out")
    parser.add_argument("--json")
    args = parser.parse_args()
    subprocess.run(["cmake", "--build", args.build, "--target", "ir_bench", "mlc-opt"], check=True, stdout=subprocess.DEVNULL)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        empty, path = Path(folder) / "empty.mlir", Path(folder) / "module.mlir"
        empty.write_text("module {\n}\n")
        for ops in (int(n) for n in args.ops.split(",")):
            generate(path, ops)
            own, ours, theirs = {}, {}, {}
            for _ in range(args.rounds):
                bench = subprocess.run([f"{args.build}/bin/ir_bench", str(path), "1"], check=True, capture_output=True, text=True)
                own = least(own, json.loads(bench.stdout))
                ours = least(ours, stages(f"{args.build}/bin/mlc-opt", path, empty))
                theirs = least(theirs, stages(args.mlir, path, empty)) if args.mlir else {}
            results.append({"own": own, "mlc": ours, "mlir": theirs})
            print(f"\n{own['ops']} ops, {path.stat().st_size / 1e6:.0f} MB of text\n")
            table(own["ops"], own, ours, theirs)
    if args.json:
        Path(args.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
