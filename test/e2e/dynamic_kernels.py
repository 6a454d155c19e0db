"""Kernels of dynamic shape, as mlc schedules them, against numpy in float64 and against their static form.

    python dynamic_kernels.py --mlc build/debug/bin/mlc --mlc-opt build/debug/bin/mlc-opt [--only NAME]

A kernel is a function of structured ops whose sizes come as index arguments. It is lowered once for each target and run on many sizes: none, one, primes, what register tiles and vectors
divide and what they do not. Where sums are no longer than a block, the static form of the same kernel must give the same bits. The interpreter runs what was lowered on a few sizes: it finds
what reads or writes out of bounds.
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PASSES = (  # no affine-prefetch: `mlc run -e` asks which memory ops change, and a prefetch does not say
    "linalg-batch-loop,linalg-winograd,decompose-pad{keep-clippable},fuse,linalg-collapse,canonicalize,cse,vector-pipeline,memref-pipeline,lower-vector-transfers,convert-linalg-to-affine-loops,bound-buffers,"
    "raise-scf-to-affine,kernel-in-place,coalesce-copies,affine-parallelize{by-cost},canonicalize,cse,buffer-loop-hoisting,lower-affine,math-approximate,"
    "expand-narrow-floats,canonicalize,cse"
)
TARGETS = [[], ["--target=x86-64-v3"]]  # this machine, and one without masks
RNG = np.random.default_rng(7)


def floats(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


class Kernel:
    """`inputs`: name -> shape, of numbers and names of sizes; `weights`: name -> array; `ops`: lines with {name} for the type of a tensor of that shape."""

    def __init__(self, inputs, result, ops, reference, cases, weights=None, same_bits=True):
        self.inputs, self.result, self.ops, self.reference, self.cases = inputs, result, ops, reference, cases
        self.weights, self.same_bits = weights or {}, same_bits
        self.names = sorted({d for shape in [*inputs.values(), result] for d in shape if isinstance(d, str)})

    def sizes(self, case):
        return dict(zip(self.names, case))

    def shape(self, shape, case):
        return [self.sizes(case).get(d, d) for d in shape]


def tensor(shape, case=None, names=()):
    known = dict(zip(names, case)) if case else {}
    return "tensor<" + "".join(f"{known.get(d, '?') if isinstance(d, str) else d}x" for d in shape) + "f32>"


def weight(array):
    return f'dense<"0x{array.astype(np.float32).tobytes().hex().upper()}"> : {tensor(array.shape)}'


def program(kernel, cases, is_static):
    """@kernel_0, and @main that calls it for all cases; a static form has one."""
    case = cases[0] if is_static else None

    def of(shape):
        return tensor(shape, case, kernel.names)

    def empty(shape):
        sizes = "" if is_static else ", ".join(f"%size_{d}" for d in shape if isinstance(d, str))
        return f"tensor.empty({sizes}) : {of(shape)}"

    size_args = [] if is_static else [f"%size_{d}: index" for d in kernel.names]
    args = [f"%{n}: {of(s)}" for n, s in kernel.inputs.items()] + [f"%{n}: {tensor(w.shape)}" for n, w in kernel.weights.items()] + size_args
    text = [f"func.func private @kernel_0({', '.join(args)}) -> {of(kernel.result)} {{", *kernel.ops(of, empty), f"  return %r : {of(kernel.result)}", "}"]
    types = [*(of(s) for s in kernel.inputs.values()), *(tensor(w.shape) for w in kernel.weights.values()), *("index" for _ in size_args)]
    inputs = [f"%{n}{i}: {of(s)}" for i in range(len(cases)) for n, s in kernel.inputs.items()]
    text.append(f"func.func @main({', '.join(inputs)}) -> ({', '.join(of(kernel.result) for _ in cases)}) {{")
    text += [f"  %{n} = arith.constant {weight(w)}" for n, w in kernel.weights.items()]
    for i, sizes in enumerate(cases):
        if not is_static:
            text += [f"  %size_{d}{i} = arith.constant {size} : index" for d, size in zip(kernel.names, sizes)]
        values = [f"%{n}{i}" for n in kernel.inputs] + [f"%{n}" for n in kernel.weights] + ([] if is_static else [f"%size_{d}{i}" for d in kernel.names])
        text.append(f"  %r{i} = call @kernel_0({', '.join(values)}) : ({', '.join(types)}) -> {of(kernel.result)}")
    text += [f"  return {', '.join(f'%r{i}' for i in range(len(cases)))} : {', '.join(of(kernel.result) for _ in cases)}", "}"]
    return "\n".join(text) + "\n"


def generic(name, maps, iterators, inputs, output, body):
    """inputs: [(value, type)]; output: (value, type); body: lines over %a, %b, ... and %o."""
    letters = "abcd"
    block = ", ".join([f"%{letters[i]}: f32" for i in range(len(inputs))] + ["%o: f32"])
    kinds = ", ".join('"parallel"' if c == "p" else '"reduction"' for c in iterators)
    reads = f"ins({', '.join(v for v, _ in inputs)} : {', '.join(t for _, t in inputs)}) " if inputs else ""
    return [
        f"  %{name} = linalg.generic {{indexing_maps = [{', '.join(f'affine_map<{m}>' for m in maps)}], iterator_types = [{kinds}]}} {reads}outs({output[0]} : {output[1]}) {{",
        f"  ^bb0({block}):",
        *(f"    {line}" for line in body),
        f"  }} -> {output[1]}",
    ]


def filled(name, number, empty, of, shape):
    return [f"  %{name}_e = {empty(shape)}", f"  %{name}_n = arith.constant {number} : f32",
            f"  %{name} = linalg.fill ins(%{name}_n : f32) outs(%{name}_e : {of(shape)}) -> {of(shape)}"]


MULTIPLY = ["%p = arith.mulf %a, %b fastmath<contract> : f32", "%s = arith.addf %o, %p fastmath<contract> : f32", "linalg.yield %s : f32"]
ADD = ["%s = arith.addf %a, %b fastmath<contract> : f32", "linalg.yield %s : f32"]
SUM = ["%s = arith.addf %o, %a fastmath<contract> : f32", "linalg.yield %s : f32"]
MAX = ["%s = arith.maximumf %o, %a fastmath<contract> : f32", "linalg.yield %s : f32"]
EXP = ["%s = arith.subf %a, %b fastmath<contract> : f32", "%e = math.exp %s fastmath<contract> : f32", "linalg.yield %e : f32"]
DIVIDE = ["%s = arith.divf %a, %b fastmath<contract> : f32", "linalg.yield %s : f32"]
COPY = ["linalg.yield %a : f32"]


def product(inner, channels, cases):
    w, bias = floats(inner, channels), floats(channels)

    def ops(of, empty):
        out = ["b", "s", channels]
        return (filled("z", "0.0", empty, of, out)
                + generic("m", ["(b, s, n, k) -> (b, s, k)", "(b, s, n, k) -> (k, n)", "(b, s, n, k) -> (b, s, n)"], "pppr", [("%x", of(["b", "s", inner])), ("%w", tensor(w.shape))],
                          ("%z", of(out)), MULTIPLY)
                + generic("r", ["(b, s, n) -> (b, s, n)", "(b, s, n) -> (n)", "(b, s, n) -> (b, s, n)"], "ppp", [("%m", of(out)), ("%bias", tensor(bias.shape))], ("%z_e", of(out)), ADD))

    return Kernel({"x": ["b", "s", inner]}, ["b", "s", channels], ops, lambda x: x @ w.astype(np.float64) + bias, cases, {"w": w, "bias": bias})


def element_wise(cases):
    def ops(of, empty):
        shape = ["b", "n"]
        return [f"  %e = {empty(shape)}"] + generic("r", ["(i, j) -> (i, j)"] * 3, "pp", [("%x", of(shape)), ("%y", of(shape))], ("%e", of(shape)), ADD)

    return Kernel({"x": ["b", "n"], "y": ["b", "n"]}, ["b", "n"], ops, lambda x, y: x + y, cases)


def softmax_ops(of, empty, x, shape, loops):
    rows, every, row = shape[:-1], f"({loops}) -> ({loops})", f"({loops}) -> ({loops[: loops.rindex(',')]})"
    parallel = "p" * len(shape)
    return (filled("low", "0xFF800000", empty, of, rows) + filled("none", "0.0", empty, of, rows) + [f"  %all = {empty(shape)}"]
            + generic("most", [every, row], parallel[1:] + "r", [(x, of(shape))], ("%low", of(rows)), MAX)
            + generic("power", [every, row, every], parallel, [(x, of(shape)), ("%most", of(rows))], ("%all", of(shape)), EXP)
            + generic("sum", [every, row], parallel[1:] + "r", [("%power", of(shape))], ("%none", of(rows)), SUM)
            + generic("soft", [every, row, every], parallel, [("%power", of(shape)), ("%sum", of(rows))], ("%all", of(shape)), DIVIDE))


def softmax_reference(x):
    if x.size == 0:
        return x
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def softmax(cases, same_bits=True):
    def ops(of, empty):
        return softmax_ops(of, empty, "%x", ["s", "k"], "i, j") + ["  %r = tensor.cast %soft : " + of(["s", "k"]) + " to " + of(["s", "k"])]

    return Kernel({"x": ["s", "k"]}, ["s", "k"], ops, softmax_reference, cases, same_bits=same_bits)


def attention(heads, width, cases, same_bits=True):
    def ops(of, empty):
        score, out = ["b", heads, "s", "k"], ["b", heads, "s", width]
        maps = ["(b, h, i, j, k) -> (b, h, i, k)", "(b, h, i, j, k) -> (b, h, k, j)", "(b, h, i, j, k) -> (b, h, i, j)"]
        return (filled("z", "0.0", empty, of, score)
                + generic("score", maps, "ppppr", [("%q", of(out)), ("%keys", of(["b", heads, width, "k"]))], ("%z", of(score)), MULTIPLY)
                + softmax_ops(of, empty, "%score", score, "b, h, i, j")
                + filled("y", "0.0", empty, of, out)
                + generic("r", maps, "ppppr", [("%soft", of(score)), ("%v", of(["b", heads, "k", width]))], ("%y", of(out)), MULTIPLY))

    inputs = {"q": ["b", heads, "s", width], "keys": ["b", heads, width, "k"], "v": ["b", heads, "k", width]}
    return Kernel(inputs, ["b", heads, "s", width], ops, lambda q, keys, v: softmax_reference(q @ keys) @ v, cases, same_bits=same_bits)


def norm(width, cases):
    """Rows less their mean: two readers of what is read."""
    def ops(of, empty):
        shape, rows = ["b", "s", width], ["b", "s"]
        every, row = "(b, s, i) -> (b, s, i)", "(b, s, i) -> (b, s)"
        return (filled("none", "0.0", empty, of, rows) + [f"  %all = {empty(shape)}"]
                + generic("sum", [every, row], "ppr", [("%x", of(shape))], ("%none", of(rows)), SUM)
                + generic("off", [every, row, every], "ppp", [("%x", of(shape)), ("%sum", of(rows))], ("%all", of(shape)),
                          [f"%n = arith.constant {float(width)} : f32", "%m = arith.divf %b, %n : f32", "%s = arith.subf %a, %m : f32", "linalg.yield %s : f32"])
                + generic("square", [every, row], "ppr", [("%off", of(shape))], ("%none", of(rows)),
                          ["%p = arith.mulf %a, %a fastmath<contract> : f32", "%s = arith.addf %o, %p fastmath<contract> : f32", "linalg.yield %s : f32"])
                + generic("r", [every, row, every], "ppp", [("%off", of(shape)), ("%square", of(rows))], ("%all", of(shape)), DIVIDE))

    def reference(x):
        off = x - x.mean(-1, keepdims=True)
        return off / (off * off).sum(-1, keepdims=True)

    return Kernel({"x": ["b", "s", width]}, ["b", "s", width], ops, reference, cases)


def transposed(cases):
    def ops(of, empty):
        return [f"  %e = {empty(['b', 24, 's'])}"] + generic("r", ["(b, c, s) -> (b, s, c)", "(b, c, s) -> (b, c, s)"], "ppp", [("%x", of(["b", "s", 24]))], ("%e", of(["b", 24, "s"])), COPY)

    return Kernel({"x": ["b", "s", 24]}, ["b", 24, "s"], ops, lambda x: x.transpose(0, 2, 1), cases)


def sum_of_rows(cases):
    def ops(of, empty):
        return filled("z", "0.0", empty, of, [20]) + generic("r", ["(j, i) -> (i, j)", "(j, i) -> (j)"], "pr", [("%x", of(["s", 20]))], ("%z", of([20])), SUM)

    return Kernel({"x": ["s", 20]}, [20], ops, lambda x: x.sum(0), cases, same_bits=False)


def windows(image, w, stride, around, is_depthwise):
    """The convolution itself, in numpy: one tap after the other."""
    padded = np.pad(image, ((0, 0), (around, around), (around, around), (0, 0)))
    size = (image.shape[1] + 2 * around - w.shape[0]) // stride + 1
    total = 0
    for i in range(w.shape[0]):
        for j in range(w.shape[1]):
            tap = padded[:, i : i + size * stride : stride, j : j + size * stride : stride, :]
            total = total + (tap * w[i, j] if is_depthwise else tap @ w[i, j])
    return total


def convolution(size, channels, w, stride, around, cases, is_depthwise=False):
    """Of padded images, with a bias before and a ReLU behind."""
    bias = floats(w.shape[-1])
    result = (size + 2 * around - w.shape[0]) // stride + 1
    op = "depthwise_conv_2d_nhwc_hwc" if is_depthwise else "conv_2d_nhwc_hwcf"

    def ops(of, empty):
        x, padded, out = ["n", size, size, channels], ["n", size + 2 * around, size + 2 * around, channels], ["n", result, result, w.shape[-1]]
        every = "(n, h, w, c) -> (n, h, w, c)"
        return ["  %zero = arith.constant 0.0 : f32", f"  %padded = tensor.pad %x low[0, {around}, {around}, 0] high[0, {around}, {around}, 0] {{",
                "  ^bb0(%i: index, %j: index, %k: index, %l: index):", "    tensor.yield %zero : f32", f"  }} : {of(x)} to {of(padded)}", f"  %e = {empty(out)}",
                *generic("start", ["(n, h, w, c) -> (c)", every], "pppp", [("%bias", tensor(bias.shape))], ("%e", of(out)), COPY),
                f"  %sums = linalg.{op} {{dilations = dense<1> : tensor<2xi64>, strides = dense<{stride}> : tensor<2xi64>}} "
                f"ins(%padded, %w : {of(padded)}, {tensor(w.shape)}) outs(%start : {of(out)}) -> {of(out)}",
                *generic("r", [every] * 2, "pppp", [("%sums", of(out))], ("%e", of(out)), ["%m = arith.maximumf %a, %zero : f32", "linalg.yield %m : f32"])]

    weights = {"w": w, "bias": bias}
    return Kernel({"x": ["n", size, size, channels]}, ["n", result, result, w.shape[-1]], ops,
                  lambda x: np.maximum(windows(x, w.astype(np.float64), stride, around, is_depthwise) + bias, 0), cases, weights, same_bits=is_depthwise)


ROWS = [(1, n) for n in (0, 1, 2, 5, 6, 7, 8, 13, 14, 15, 16, 27, 28, 29, 31)] + [(0, 3), (3, 5), (8, 1), (2, 100)]
PAIRS = [(1, 1), (3, 1), (1, 7), (2, 8), (5, 15), (6, 16), (7, 17), (8, 33), (13, 64), (4, 65), (3, 127), (9, 257), (2, 0), (0, 5)]
ATTENTION = [(1, k, s) for s, k in ((1, 1), (1, 9), (5, 7), (7, 16), (16, 33), (31, 31), (100, 64))] + [(0, 3, 3), (2, 8, 0), (3, 17, 2)]
KERNELS = {
    "product": product(40, 48, ROWS),
    "product_of_wide_rows": product(300, 80, ROWS[:12]),
    "product_of_few_rows": product(200, 520, [(1, 4), (2, 2), (1, 1), (1, 3), (2, 1), (1, 2), (3, 1), (2, 0)]),
    "product_of_deep_rows": product(3072, 96, [(1, 16), (1, 11), (1, 1), (1, 2), (1, 3), (2, 4), (1, 27)]),
    "element_wise": element_wise(PAIRS),
    "softmax": softmax([(k, s) for s, k in PAIRS if k]),
    "softmax_of_long_rows": softmax([(5000, 2), (4097, 1)], same_bits=False),
    "attention": attention(2, 16, ATTENTION),
    "attention_of_many_keys": attention(1, 16, [(1, 300, 70), (1, 513, 3)], same_bits=False),
    "norm": norm(72, ROWS),
    "transposed": transposed(ROWS[:14]),
    "convolution": convolution(9, 8, floats(3, 3, 8, 20), 2, 1, [(n,) for n in (0, 1, 2, 3)]),
    "convolution_by_winograd": convolution(12, 32, floats(3, 3, 32, 32), 1, 1, [(1,), (3,)]),
    "convolution_of_points": convolution(5, 24, floats(1, 1, 24, 40), 1, 0, [(n,) for n in (0, 1, 2, 5)]),
    "depthwise_convolution": convolution(8, 20, floats(3, 3, 20), 1, 1, [(n,) for n in (0, 1, 2, 4)], True),
    "sum_of_rows": sum_of_rows([(n,) for n in (0, 1, 7, 255, 256, 257, 700)]),
}


def run(*command):
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        raise AssertionError(f"{command[0]} ended with {result.returncode}:\n{result.stderr[-2000:]}")
    return result.stdout


def lowered(tools, text, target, folder):
    source, to = folder / "kernel.mlir", folder / "kernel.lowered.mlir"
    source.write_text(text)
    run(tools.mlc_opt, f"--pass-pipeline={PASSES}", source, *target, "-o", to)
    return to


def outputs(kernel, cases, inputs, command, folder):
    """What @main puts into its last arguments."""
    flags = []
    for i, case in enumerate(cases):
        for name in kernel.inputs:
            np.save(folder / f"{name}{i}.npy", inputs[i][name])
            flags.append(f"--input={folder}/{name}{i}.npy")
    for i, case in enumerate(cases):
        np.save(folder / f"r{i}.npy", np.full(kernel.shape(kernel.result, case), 7, np.float32))
        flags.append(f"--input={folder}/r{i}.npy")
    return command(flags)


def run_compiled(tools, kernel, cases, inputs, program_file, folder):
    out = Path(tempfile.mkdtemp(dir=folder))
    outputs(kernel, cases, inputs, lambda flags: run(tools.mlc, "run", "-e", "main", program_file, *flags, f"--output-dir={out}"), folder)
    first = len(cases) * len(kernel.inputs)
    return [np.load(out / f"output_{first + i}.npy") for i in range(len(cases))]


def run_interpreted(tools, kernel, cases, inputs, program_file, folder):
    outputs(kernel, cases, inputs, lambda flags: run(tools.mlc_opt, program_file, "--interpret", *flags), folder)


def check(tools, kernel, target, folder):
    inputs = [{n: floats(*kernel.shape(s, case)) for n, s in kernel.inputs.items()} for case in kernel.cases]
    program_file = lowered(tools, program(kernel, kernel.cases, False), target, folder)
    got = run_compiled(tools, kernel, kernel.cases, inputs, program_file, folder)
    for case, given, result in zip(kernel.cases, inputs, got):
        expected = kernel.reference(*(given[n].astype(np.float64) for n in kernel.inputs))
        assert result.shape == expected.shape, f"{kernel.sizes(case)}: shape {result.shape}"
        scale = max(np.abs(expected).max(initial=0), 1e-3)
        worst = np.abs(result - expected).max() / scale if expected.size else 0
        assert worst < 1e-5, f"{kernel.sizes(case)}: off by {worst:.2e}"
    small = [i for i, case in enumerate(kernel.cases) if 0 < max(case) < 20][:3]
    few, given = [kernel.cases[i] for i in small], [inputs[i] for i in small]
    if few:
        run_interpreted(tools, kernel, few, given, lowered(tools, program(kernel, few, False), target, folder), folder)
    for i in range(len(kernel.cases) - 1, -1, -4) if kernel.same_bits and target == TARGETS[0] else []:
        if 0 in kernel.cases[i]:
            continue
        static = lowered(tools, program(kernel, kernel.cases[i : i + 1], True), target, folder)
        [alone] = run_compiled(tools, kernel, kernel.cases[i : i + 1], inputs[i : i + 1], static, folder)
        assert (alone == got[i]).all(), f"{kernel.sizes(kernel.cases[i])}: other bits than the static form"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", required=True)
    parser.add_argument("--mlc-opt", required=True)
    parser.add_argument("--only", default="")
    tools = parser.parse_args()
    passed = failed = 0
    for name, kernel in KERNELS.items():
        for target in TARGETS:
            if tools.only not in name:
                continue
            with tempfile.TemporaryDirectory() as folder:
                try:
                    check(tools, kernel, target, Path(folder))
                    passed += 1
                except AssertionError as error:
                    failed += 1
                    print(f"FAILED {name} {target}: {error}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
