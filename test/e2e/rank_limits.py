"""Ops of as many dimensions, loops and operands as arrays of fixed size hold (mlc/ir/limits.h), and of one more: every pass takes
them, leaves them alone or refuses them with a located error; nothing crashes, and no limit is met in silence.

    python rank_limits.py --mlc-opt build/release/bin/mlc-opt [--only REGEX] [--jobs N]

All modules go through each pass, through chains of passes and through the interpreter.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LIMIT, SMALL = 64, 16  # MLC_RANK_LIMIT, MLC_SMALL_RANK
RANKS = (10, 11, SMALL, SMALL + 1, 33, LIMIT, LIMIT + 1)
COUNTS = (8, 9, 16, 17, 33, 64, 65, 129)
MODULES = {}
CHAINS = [
    "fuse,linalg-collapse,tile,linalg-pack,linalg-vectorize,bufferize,lower-vector-transfers,convert-linalg-to-affine-loops,raise-scf-to-affine,"
    "affine-parallelize,affine-prefetch,lower-affine,convert-scf-to-cf,convert-to-llvm",
    "linalg-generalize-named-ops,canonicalize,bufferize,convert-linalg-to-loops,convert-scf-to-cf,convert-to-llvm",
    "bufferize,convert-linalg-to-parallel-loops,scf-parallel-loop-tiling,convert-parallel-loops-to-gpu,gpu-kernel-outlining",
    "graph-infer-shapes,graph-simplify,graph-fold-constants,graph-layout,graph-to-linalg,fuse,tile,linalg-vectorize,bufferize,"
    "convert-linalg-to-affine-loops,lower-affine,convert-scf-to-cf,convert-to-llvm",
    "expand-strided-metadata,fold-memref-alias-ops,lower-affine,convert-scf-to-cf,finalize-memref-to-llvm",
]


def add(name, n, arguments, body, results):
    MODULES[f"{name}-{n}"] = f"func.func @main({arguments}) -> {results} {{\n{body}}}\n"


def shape(r, kind="tensor", element="f32", last=2):
    return f"{kind}<" + "1x" * (r - 2) + f"{last}x{last}x{element}>"


def dims(r, rename=lambda i: i):
    return ", ".join(f"d{rename(i)}" for i in range(r))


def of_linalg(r):
    t, loops, zero = shape(r), dims(r), "".join(f"d{i}, " for i in range(r))[:-2]
    turned, flipped = dims(r, lambda i: r - 1 - i), ", ".join(str(r - 1 - i) for i in range(r))
    back = "tensor<2x2x" + "1x" * (r - 2) + "f32>"
    parallel, reduction = ", ".join(['"parallel"'] * r), ", ".join(['"reduction"'] * r)
    add("elementwise", r, f"%a: {t}", f"""%e = tensor.empty() : {t}
  %0 = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({loops})>, affine_map<({loops}) -> ({loops})>], iterator_types = [{parallel}]}}
    ins(%a : {t}) outs(%e : {t}) {{ ^bb0(%x: f32, %y: f32): %s = arith.addf %x, %x : f32 linalg.yield %s : f32 }} -> {t}
  %1 = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({loops})>, affine_map<({loops}) -> ({loops})>], iterator_types = [{parallel}]}}
    ins(%0 : {t}) outs(%e : {t}) {{ ^bb0(%x: f32, %y: f32): %s = arith.mulf %x, %x : f32 linalg.yield %s : f32 }} -> {t}
  return %1 : {t}\n""", t)
    add("sum", r, f"%a: {t}", f"""%c = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({loops})>, affine_map<({loops}) -> ()>], iterator_types = [{reduction}]}}
    ins(%a : {t}) outs(%c : tensor<f32>) {{ ^bb0(%x: f32, %y: f32): %s = arith.addf %x, %y : f32 linalg.yield %s : f32 }} -> tensor<f32>
  return %0 : tensor<f32>\n""", "tensor<f32>")
    add("turned", r, f"%a: {t}", f"""%e = tensor.empty() : {back}
  %0 = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({turned})>, affine_map<({loops}) -> ({loops})>], iterator_types = [{parallel}]}}
    ins(%a : {t}) outs(%e : {back}) {{ ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }} -> {back}
  return %0 : {back}\n""", back)
    add("window", r, f"%a: tensor<3xf32>", f"""%e = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({" + ".join(f"d{i}" for i in range(r))})>, affine_map<({loops}) -> ({loops})>,
    affine_map<({loops}) -> ()>], iterator_types = [{reduction}]}} ins(%a, %w : tensor<3xf32>, {t}) outs(%e : tensor<f32>)
    {{ ^bb0(%x: f32, %u: f32, %y: f32): %s = arith.addf %x, %y : f32 linalg.yield %s : f32 }} -> tensor<f32>
  return %0 : tensor<f32>\n""".replace("%e = arith", f"%w = arith.constant dense<1.0> : {t}\n  %e = arith"), "tensor<f32>")
    add("transpose", r, f"%a: {t}", f"""%e = tensor.empty() : {back}
  %f = tensor.empty() : {t}
  %0 = linalg.transpose ins(%a : {t}) outs(%e : {back}) permutation = [{flipped}]
  %1 = linalg.transpose ins(%0 : {back}) outs(%f : {t}) permutation = [{flipped}]
  return %1 : {t}\n""", t)
    add("broadcast", r, "%a: tensor<2xf32>", f"""%e = tensor.empty() : {t}
  %f = tensor.empty() : {back}
  %0 = linalg.broadcast ins(%a : tensor<2xf32>) outs(%e : {t}) dimensions = [{", ".join(str(i) for i in range(r - 1))}]
  %1 = linalg.transpose ins(%0 : {t}) outs(%f : {back}) permutation = [{flipped}]
  return %1 : {back}\n""", back)
    add("reduce", r, f"%a: {t}", f"""%e = arith.constant dense<0.0> : tensor<2xf32>
  %0 = linalg.reduce ins(%a : {t}) outs(%e : tensor<2xf32>) dimensions = [{", ".join(str(i) for i in range(r - 1))}]
    (%x: f32, %y: f32) {{ %s = arith.addf %x, %y : f32 linalg.yield %s : f32 }}
  return %0 : tensor<2xf32>\n""", "tensor<2xf32>")
    add("fill-copy", r, f"%a: {t}", f"""%c = arith.constant 1.0 : f32
  %e = tensor.empty() : {t}
  %0 = linalg.fill ins(%c : f32) outs(%e : {t}) -> {t}
  %1 = linalg.add ins(%0, %a : {t}, {t}) outs(%e : {t}) -> {t}
  %2 = linalg.copy ins(%1 : {t}) outs(%e : {t}) -> {t}
  %3 = arith.addf %2, %a : {t}
  return %3 : {t}\n""", t)


def of_tensors(r):
    t, n = shape(r), "1, " * (r - 2)
    zeros, ones, groups = ", ".join(["0"] * r), ", ".join(["1"] * r), ", ".join(str(i) for i in range(r))
    window = "tensor<" + "1x" * r + "f32>"
    wide = shape(r, last=4)
    add("slices", r, f"%a: {t}", f"""%0 = tensor.extract_slice %a[{zeros}] [{ones}] [{ones}] : {t} to {window}
  %1 = arith.addf %0, %0 : {window}
  %2 = tensor.insert_slice %1 into %a[{zeros}] [{ones}] [{ones}] : {window} into {t}
  return %2 : {t}\n""", t)
    add("pad", r, f"%a: {t}", f"""%c = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[{zeros}] high[{", ".join(["0"] * (r - 2))}, 2, 2] {{
  ^bb0({", ".join(f"%i{i}: index" for i in range(r))}): tensor.yield %c : f32 }} : {t} to {wide}
  return %0 : {wide}\n""", wide)
    add("reshape", r, f"%a: {t}", f"""%0 = tensor.collapse_shape %a [[{groups}]] : {t} into tensor<4xf32>
  %1 = arith.addf %0, %0 : tensor<4xf32>
  %2 = tensor.expand_shape %1 [[{groups}]] output_shape [{n}2, 2] : tensor<4xf32> into {t}
  return %2 : {t}\n""", t)
    add("generate", r, "%c: index", f"""%0 = tensor.generate {{ ^bb0({", ".join(f"%i{i}: index" for i in range(r))}):
    %s = arith.addi %i0, %i{r - 1} : index tensor.yield %s : index }} : {shape(r, element="index")}
  return %0 : {shape(r, element="index")}\n""", shape(r, element="index"))
    w = shape(r, element="i64")
    add("wide-ints", r, f"%a: {w}", f"%0 = arith.muli %a, %a : {w}\n  %1 = arith.divui %0, %a : {w}\n  return %1 : {w}\n", w)


def of_memrefs(r):
    m, zeros, ones = shape(r, "memref"), ", ".join(["0"] * r), ", ".join(["1"] * r)
    at, groups = ", ".join(["%c0"] * r), ", ".join(str(i) for i in range(r))
    head = f"%c0 = arith.constant 0 : index\n  %m = memref.alloc() : {m}\n  %n = memref.alloc() : {m}\n"
    layout = "strided<[" + "4, " * (r - 2) + "2, 1], offset: ?>"
    view = "memref<" + "1x" * r + f"f32, {layout}>"
    add("subview", r, "%i: index", head + f"""%0 = memref.subview %m[{", ".join(["%i"] * r)}] [{ones}] [{ones}] : {m} to {view}
  memref.store %x, %0[{at}] : {view}
  memref.copy %m, %n : {m} to {m}
  %1 = memref.load %n[{at}] : {m}
  return %1 : f32\n""".replace("memref.store", "%x = arith.constant 1.0 : f32\n  memref.store", 1), "f32")
    add("memref-reshape", r, "%i: index", head + f"""%0 = memref.collapse_shape %m [[{groups}]] : {m} into memref<4xf32>
  %1 = memref.expand_shape %0 [[{groups}]] output_shape [{"1, " * (r - 2)}2, 2] : memref<4xf32> into {m}
  %2 = memref.load %1[{at}] : {m}
  return %2 : f32\n""", "f32")
    add("memref-transpose", r, "%i: index", head + f"""%0 = memref.transpose %m ({dims(r)}) -> ({dims(r, lambda i: r - 1 - i)}) : {m} to
    memref<2x2x{"1x" * (r - 2)}f32, strided<[1, 2{", 4" * (r - 2)}]>>
  %base, %offset, %sizes:{r}, %strides:{r} = memref.extract_strided_metadata %m : {m} -> memref<f32>, index, {", ".join(["index"] * 2 * r)}
  %2 = memref.load %0[{at}] : memref<2x2x{"1x" * (r - 2)}f32, strided<[1, 2{", 4" * (r - 2)}]>>
  return %2 : f32\n""", "f32")
    loops = "".join(f"affine.for %i{i} = 0 to {1 if i < r - 2 else 2} {{\n" for i in range(r))
    index = ", ".join(f"%i{i}" for i in range(r))
    add("affine-nest", r, "%i: index", head + loops + f"""%v = affine.load %m[{index}] : {m}
  %w = arith.addf %v, %v : f32
  affine.store %w, %n[{index}] : {m}
  """ + "}" * r + f"\n  %r = memref.load %n[{at}] : {m}\n  return %r : f32\n", "f32")
    of_ones = ", ".join(["%c1"] * r)
    for op, bounds in (("scf.parallel", f"= ({at}) to ({of_ones}) step ({of_ones})"), ("scf.forall", f"in ({ones})")):
        add(op, r, "%i: index", head + f"""%c1 = arith.constant 1 : index
  {op} ({index}) {bounds} {{
    %v = memref.load %m[{index}] : {m}
    memref.store %v, %n[{index}] : {m}
  }}
  %r = memref.load %n[{at}] : {m}
  return %r : f32\n""", "f32")


def of_vectors(r):
    v, loops = shape(r, "vector"), dims(r)
    back = "vector<2x2x" + "1x" * (r - 2) + "f32>"
    turn = ", ".join(str(r - 1 - i) for i in range(r))
    add("vectors", r, f"%a: {v}, %b: vector<2xf32>", f"""%0 = vector.transpose %a, [{turn}] : {v} to {back}
  %1 = vector.transpose %0, [{turn}] : {back} to {v}
  %2 = vector.broadcast %b : vector<2xf32> to {v}
  %3 = arith.addf %1, %2 : {v}
  %4 = vector.multi_reduction <add>, %3, %b [{", ".join(str(i) for i in range(r - 1))}] : {v} to vector<2xf32>
  %5 = vector.shape_cast %3 : {v} to vector<4xf32>
  %6 = vector.extract %3[{", ".join(["0"] * (r - 1))}] : vector<2xf32> from {v}
  %7 = vector.insert %6, %3[{", ".join(["0"] * (r - 1))}] : vector<2xf32> into {v}
  %8 = vector.extract_strided_slice %7 {{offsets = [{", ".join(["0"] * r)}], sizes = [{", ".join(["1"] * r)}], strides = [{", ".join(["1"] * r)}]}} :
    {v} to vector<{"1x" * r}f32>
  %9 = vector.insert_strided_slice %8, %7 {{offsets = [{", ".join(["0"] * r)}], strides = [{", ".join(["1"] * r)}]}} : vector<{"1x" * r}f32> into {v}
  %m = vector.constant_mask [{", ".join(["1"] * r)}] : {shape(r, "vector", "i1")}
  %10 = arith.select %m, %9, %7 : {shape(r, "vector", "i1")}, {v}
  return %10, %4, %5 : {v}, vector<2xf32>, vector<4xf32>\n""", f"({v}, vector<2xf32>, vector<4xf32>)")
    add("contract", r, f"%a: {v}", f"""%c = arith.constant 0.0 : f32
  %0 = vector.contract {{indexing_maps = [affine_map<({loops}) -> ({loops})>, affine_map<({loops}) -> ({loops})>, affine_map<({loops}) -> ()>],
    iterator_types = [{", ".join(['"reduction"'] * r)}]}} %a, %a, %c : {v}, {v} into f32
  return %0 : f32\n""", "f32")
    t = shape(r)
    add("transfers", r, f"%a: {t}", f"""%c = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[{", ".join(["%c"] * r)}], %p {{permutation_map = affine_map<({loops}) -> ({loops})>}} : {t}, {v}
  %1 = vector.transfer_write %0, %a[{", ".join(["%c"] * r)}] {{permutation_map = affine_map<({loops}) -> ({loops})>}} : {v}, {t}
  return %1 : {t}\n""", t)


def of_graph(r):
    t, turn = shape(r), ", ".join(str(r - 1 - i) for i in range(r))
    back, twice = "tensor<2x2x" + "1x" * (r - 2) + "f32>", "tensor<" + "2x" * (r - 2) + "4x4xf32>"
    ones, zeros = ", ".join(["1"] * r), ", ".join(["0"] * r)
    add("graph-moves", r, f"%a: {t}", f"""%0 = graph.transpose %a {{permutation = array<i64: {turn}>}} : ({t}) -> {back}
  %1 = graph.transpose %0 {{permutation = array<i64: {turn}>}} : ({back}) -> {t}
  %2 = graph.slice %1 {{starts = array<i64: {zeros}>, ends = array<i64: {ones}>, axes = array<i64: {", ".join(str(i) for i in range(r))}>,
    steps = array<i64: {ones}>}} : ({t}) -> tensor<{"1x" * r}f32>
  %3 = graph.expand %2 {{shape = array<i64: {", ".join(["1"] * (r - 2))}, 2, 2>}} : (tensor<{"1x" * r}f32>) -> {t}
  %4 = graph.add %3, %1 : ({t}, {t}) -> {t}
  %5 = graph.pad %4 {{pads = array<i64: {zeros}, {", ".join(["0"] * (r - 2))}, 2, 2>}} : ({t}) -> {shape(r, last=4)}
  return %5 : {shape(r, last=4)}\n""", shape(r, last=4))
    if r <= SMALL + 1:
        add("graph-tile", r, f"%a: {t}", f"%0 = graph.tile %a {{repeats = array<i64: {', '.join(['2'] * r)}>}} : ({t}) -> {twice}\n  return %0 : {twice}\n",
            twice)
    add("graph-reduce", r, f"%a: {t}", f"""%0 = graph.reduce_sum %a : ({t}) -> tensor<{"1x" * r}f32>
  %1 = graph.softmax %a {{axis = 0 : i64}} : ({t}) -> {t}
  %2 = graph.concat %1, %a {{axis = {r - 1} : i64}} : ({t}, {t}) -> tensor<{"1x" * (r - 2)}2x4xf32>
  return %0, %2 : tensor<{"1x" * r}f32>, tensor<{"1x" * (r - 2)}2x4xf32>\n""", f"(tensor<{'1x' * r}f32>, tensor<{'1x' * (r - 2)}2x4xf32>)")
    add("graph-matmul", r, f"%a: {t}", f"%0 = graph.matmul %a, %a : ({t}, {t}) -> {t}\n  return %0 : {t}\n", t)
    spatial, taps = "3x" * (r - 2), "1x" * (r - 2)
    if r <= 11:
        x, f, y = f"tensor<1x2x{spatial}f32>", f"tensor<2x1x{taps}f32>", f"tensor<1x2x{spatial}f32>"
        add("graph-conv", r, f"%a: {x}, %w: {f}", f"""%0 = graph.conv %a, %w {{group = 2 : i64}} : ({x}, {f}) -> {y}
  %1 = graph.max_pool %0 {{kernel_shape = array<i64: {", ".join(["1"] * (r - 2))}>}} : ({y}) -> {y}
  return %1 : {y}\n""", y)


def of_counts(n):
    t = "tensor<4xf32>"
    values, types = ", ".join(["%a"] * n), ", ".join([t] * n)
    args = ", ".join(f"%x{i}: f32" for i in range(n))
    sums = "".join(f"%s{i + 1} = arith.addf %s{i}, %x{i} : f32\n" for i in range(1, n)).replace("%s1,", "%x0,")
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (n + 1))
    generic = f"""linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} ins({values} : {types}) outs(%e : {t}) {{
  ^bb0({args}, %y: f32):\n{sums}linalg.yield %s{n} : f32 }} -> {t}\n"""
    add("inputs", n, f"%a: {t}", f"%e = tensor.empty() : {t}\n  %0 = {generic}  %1 = {generic.replace('ins(%a', 'ins(%0')}  return %1 : {t}\n", t)
    add("map-inputs", n, f"%a: {t}", f"%e = tensor.empty() : {t}\n  %0 = linalg.map ins({values} : {types}) outs(%e : {t})\n"
        f"  ({args}) {{\n{sums}linalg.yield %s{n} : f32 }}\n  return %0 : {t}\n", t)
    add("concat", n, f"%a: {t}", f"%0 = graph.concat {values} {{axis = 0 : i64}} : ({types}) -> tensor<{4 * n}xf32>\n  return %0 : tensor<{4 * n}xf32>\n",
        f"tensor<{4 * n}xf32>")
    add("bounds", n, "%i: index", "affine.parallel (%p) = (max(" + ", ".join(f"%i + {k}" for k in range(n)) + ")) to (min("
        + ", ".join(f"%i + {k + 5}" for k in range(n)) + ")) { }\n  %m = affine.max affine_map<(d0) -> (" + ", ".join(f"d0 + {k}" for k in range(n))
        + ")>(%i)\n  return %m : index\n", "index")
    add("results", n, "%i: index", f"%r:{n} = scf.for %k = %i to %i step %i iter_args(" + ", ".join(f"%v{k} = %i" for k in range(n)) + ") -> ("
        + ", ".join(["index"] * n) + ") { scf.yield " + ", ".join(f"%v{k}" for k in range(n)) + " : " + ", ".join(["index"] * n)
        + " }\n  return %r#0 : index\n", "index")
    struct = f"!llvm.struct<({', '.join(['i64'] * n)})>"
    add("members", n, "%i: i64", f"""%s = llvm.mlir.undef : {struct}
  %0 = llvm.insertvalue %i, %s[{n - 1}] : {struct}
  %1 = llvm.extractvalue %0[{n - 1}] : {struct}
  return %1 : i64\n""", "i64")


def run(command, text):
    p = subprocess.run(command, input=text.encode(), capture_output=True, timeout=900)
    err = p.stderr.decode(errors="replace")
    crashed = p.returncode not in (0, 1, 3) or re.search(r"Sanitizer|runtime error:|mlc: bug|internal error", err)
    return p.returncode, p.stdout.decode(errors="replace"), err, bool(crashed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mlc-opt", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    for r in RANKS:
        for of in (of_linalg, of_tensors, of_memrefs, of_vectors, of_graph):
            of(r)
    for n in COUNTS:
        of_counts(n)
    modules = {name: text for name, text in MODULES.items() if re.search(options.only, name)}
    faults, names = [], []  # names: of what is read; the others are told that they are beyond a limit
    for name, text in modules.items():
        code, out, err, crashed = run([options.mlc_opt, "-"], text)
        refused = re.search(r"error: .*(rank|dimensions are more than|more than \d+)", err)
        if crashed or (code != 0 and not refused):
            faults.append(f"{name}: {err[:600] or code}")
        elif code == 0:
            names.append(name)
    whole = "\n// -----\n".join(modules[n] for n in names)
    listed = subprocess.run([options.mlc_opt, "--list-passes"], capture_output=True, text=True, check=True).stdout
    passes = [line.split()[0] for line in listed.splitlines() if line.strip()]

    def through(pipeline):
        command = [options.mlc_opt, "-", f"--pass-pipeline={pipeline}", "--threads=1"]
        if not run(command + ["--split-input-file"], whole)[3]:
            return []
        return [f"{pipeline} on {n}: {err[-800:]}" for n in names for _, _, err, crashed in [run(command, modules[n])] if crashed]

    def interpreted(name):
        inputs = ["--input=iota"] * modules[name].split(")")[0].count("%")
        code, out, err, crashed = run([options.mlc_opt, "-", "--interpret", "--entry=main", *inputs], modules[name])
        return [f"interpreting {name}: {err[-800:] or code}"] if crashed else []

    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as folder, ThreadPoolExecutor(options.jobs) as pool:
        os.environ["TMPDIR"] = folder  # where passes write files of their own
        for found in [*pool.map(through, [*passes, *CHAINS]), *pool.map(interpreted, names)]:
            faults += found
    print("\n".join(faults) if faults else f"{len(names)} modules at their limits through {len(passes)} passes")
    sys.exit(1 if faults or not names else 0)


if __name__ == "__main__":
    main()
