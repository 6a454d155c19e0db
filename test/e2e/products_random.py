"""Products over random shapes: by Strassen's algorithm, in blocks with panels copied or packed, and as they are.

    python products_random.py --mlc-opt build/debug/bin/mlc-opt [--programs N] [--seed N] [--keep FOLDER]

Each program multiplies with a matrix of small integers, which is a constant or none, adds a bias before or a residual behind, or transposes it there and back, and is scheduled
for a machine drawn by chance. The residual is the program's own, so that the sum may be written over it. The interpreter must print the same numbers, all of them exact, for the program as written, for
linalg ops after --linalg-strassen or --linalg-block, for vectors, and for loops on buffers, whose independent iterations run in another order.
"""
import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """
#same = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
#turned = affine_map<(m, n) -> (n, m)>
module attributes {{mlc.numerics = "fast"}} {{
  func.func private @kernel(%x: tensor<{M}x{K}xf32>, %w: tensor<{K}x{N}xf32>, %bias: tensor<{N}xf32>, %r: tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32> {{
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<{M}x{N}xf32>
    {start}
    %product = linalg.matmul ins(%x, %w : tensor<{M}x{K}xf32>, tensor<{K}x{N}xf32>) outs(%s : tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32>
    {end}
  }}
  func.func private @matrix() -> tensor<{K}x{N}xf32> {{
    %w = arith.constant dense<{weights}> : tensor<{K}x{N}xf32>
    return %w : tensor<{K}x{N}xf32>
  }}
  func.func private @doubled(%x: tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32> {{
    %e = tensor.empty() : tensor<{M}x{N}xf32>
    %0 = linalg.generic {{indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}} ins(%x : tensor<{M}x{N}xf32>) outs(%e : tensor<{M}x{N}xf32>) {{
    ^bb0(%a: f32, %o: f32):
      %sum = arith.addf %a, %a : f32
      linalg.yield %sum : f32
    }} -> tensor<{M}x{N}xf32>
    return %0 : tensor<{M}x{N}xf32>
  }}
  func.func @main(%x: tensor<{M}x{K}xf32>, %bias: tensor<{N}xf32>, %r: tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32> {{
    {matrix}
    %residual = call @doubled(%r) : (tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32>
    %0 = call @kernel(%x, %w, %bias, %residual) : (tensor<{M}x{K}xf32>, tensor<{K}x{N}xf32>, tensor<{N}xf32>, tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32>
    %1 = call @doubled(%0) : (tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32>
    return %1 : tensor<{M}x{N}xf32>
  }}
}}
"""
MATRICES = [  # a constant for who calls the kernel, or none
    "%w = arith.constant dense<{weights}> : tensor<{K}x{N}xf32>",
    "%w = call @matrix() : () -> tensor<{K}x{N}xf32>",
]
STARTS = [
    "%s = linalg.fill ins(%zero : f32) outs(%e : tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32>",
    "%s = linalg.broadcast ins(%bias : tensor<{N}xf32>) outs(%e : tensor<{M}x{N}xf32>) dimensions = [0]",
]
ENDS = [
    "return %product : tensor<{M}x{N}xf32>",
    """%1 = linalg.generic {{indexing_maps = [#same, #row, #same, #same], iterator_types = ["parallel", "parallel"]}} ins(%r, %bias, %product : tensor<{M}x{N}xf32>, tensor<{N}xf32>, tensor<{M}x{N}xf32>) outs(%e : tensor<{M}x{N}xf32>) {{
    ^bb0(%residual: f32, %b: f32, %p: f32, %o: f32):
      %sum = arith.addf %p, %b : f32
      %out = arith.subf %residual, %sum : f32
      linalg.yield %out : f32
    }} -> tensor<{M}x{N}xf32>
    return %1 : tensor<{M}x{N}xf32>""",
    """%f = tensor.empty() : tensor<{N}x{M}xf32>
    %1 = linalg.transpose ins(%product : tensor<{M}x{N}xf32>) outs(%f : tensor<{N}x{M}xf32>) permutation = [1, 0]
    %2 = linalg.generic {{indexing_maps = [#turned, #same, #same], iterator_types = ["parallel", "parallel"]}} ins(%1, %r : tensor<{N}x{M}xf32>, tensor<{M}x{N}xf32>) outs(%e : tensor<{M}x{N}xf32>) {{
    ^bb0(%p: f32, %residual: f32, %o: f32):
      %sum = arith.addf %p, %residual : f32
      linalg.yield %sum : f32
    }} -> tensor<{M}x{N}xf32>
    return %2 : tensor<{M}x{N}xf32>""",
]
VECTORS = ["--tile", "--canonicalize", "--cse", "--linalg-pack", "--linalg-vectorize", "--canonicalize", "--cse"]
LOOPS = VECTORS + ["--memref-pipeline", "--lower-vector-transfers", "--convert-linalg-to-affine-loops",
                   "--raise-scf-to-affine", "--kernel-in-place", "--affine-parallelize", "--affine-prefetch"]
TARGETS = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]


def program(rng):
    rows, inner, cols = rng.randrange(2, 40), 2 * rng.randrange(1, 10), rng.randrange(9, 200)
    size = {"M": rows, "K": inner, "N": cols}
    weights = [[float(rng.randrange(-8, 9)) for _ in range(cols)] for _ in range(inner)]
    matrix = rng.choice(MATRICES).format(weights=weights, **size)
    return PROGRAM.format(start=rng.choice(STARTS).format(**size), end=rng.choice(ENDS).format(**size), weights=weights,
                          matrix=matrix, **size), size


def result(mlc_opt, path, flags, num_inputs=3, seed=0):
    inputs = ["--input=iota"] * 3 + ["--input=undefined"] * (num_inputs - 3)
    p = subprocess.run([mlc_opt, path, *flags, "--interpret", f"--seed={seed}", *inputs], capture_output=True, text=True,
                       timeout=120)
    if p.returncode:
        errors = [line for line in p.stderr.splitlines() if "error:" in line]
        return f"exit {p.returncode}: {errors[:1]}"
    return p.stdout.splitlines()[-1].rsplit(" : ", 1)[0]


def is_in_place(mlc_opt, path, flags):
    p = subprocess.run([mlc_opt, path, *flags], capture_output=True, text=True, timeout=120)
    return "not written over" not in p.stdout and "written over argument" in p.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc-opt", required=True)
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    args = parser.parse_args()
    passed = failed = in_place = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(args.keep or scratch)
        for number in range(args.seed, args.seed + args.programs):
            rng = random.Random(number)
            text, size = program(rng)
            path = folder / f"{number}.mlir"
            path.write_text(text)
            target = f"--target={rng.choice(TARGETS)}"
            ways = ["--canonicalize", f"--linalg-strassen=always block={rng.choice([0, 1, 2, 5, 8, (size['M'] + 1) // 2])} inner={rng.choice([0, 2, 5, 8])}"]
            for how in ("always", "pack"):
                ways.append(f"--linalg-block={how} rows={rng.choice([1, 3, 8, 30])} inner={rng.choice([0, 1, 3, 7])} "
                            f"columns={rng.choice([0, 1, 20, 64])}")
            expected = result(args.mlc_opt, path, [])
            wrong = 0
            for way in ([target, flag] for flag in ways):
                got = {"linalg": result(args.mlc_opt, path, way), "vectors": result(args.mlc_opt, path, way + VECTORS),
                       "loops": result(args.mlc_opt, path, way + LOOPS, 4, 7)}
                in_place += is_in_place(args.mlc_opt, path, way + LOOPS)
                for level, value in got.items():
                    if value != expected or not value.startswith("dense<"):
                        print(f"seed {number}, {size}, {way}: {level}: {value[:200]} instead of {expected[:200]}")
                        wrong += 1
            failed += bool(wrong)
            passed += not wrong
    if args.programs >= 10 and in_place == 0:
        print("no result was written over its residual")
        failed += 1
    print(f"{in_place} results written over a residual")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
