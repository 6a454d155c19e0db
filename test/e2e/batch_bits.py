"""A sample alone and in a batch of 3 and of 8 gives the same bits under --numerics=strict.

    python batch_bits.py --mlc build/release/bin/mlc [--seed N] [--models N]

Each seed makes a small CNN, a small transformer, single sums of many kinds and large products, of sizes drawn by chance. Their samples go
through the model of one sample, and three and eight at a time through the models of batches, with 1 and 2 threads.

Products of an open number of rows give a row the same bits whatever the number is, in one artefact for each target.
"""
import argparse
import math
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx

from harness import Failure, call, run_all, run_outputs, save_feeds
from plain import Model
from shapes_random import Shapes, weights

BATCHES = (3, 8)
ROWS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 15, 16, 17, 20, 27, 33)  # tiles have 6, 11 or 14
TARGETS = ("host", "x86-64-v3")


def conv_block(m, x, cout, kernel, stride=1, group=1):
    cin = x.shape[1]
    return m.conv(x, weights(m, (cout, cin // group, kernel, kernel)), m.const((cout,)), [stride] * 2, [1, 1],
                  [kernel // 2] * 4, group)


def dense(m, x, cout):
    return m.add(m.matmul(x, weights(m, (x.shape[-1], cout))), m.const((cout,)))


def cnn(m, s, samples):
    """`samples` gives the input, of a shape drawn here."""
    width, middle, side = s.dim(), s.dim(), 8 + s.below(12)
    y = m.unary("Relu", conv_block(m, samples((3, 2 * side, 2 * side)), width, s.choice([3, 5, 7]), 2))
    y = m.max_pool(y, [3, 3], [1, 1], [1, 1], [1] * 4, False)
    x = m.unary("Relu", conv_block(m, y, width, 3))
    y = m.clip(conv_block(m, x, middle, 1), 0, 6)
    y = m.unary("HardSwish", conv_block(m, y, middle, 3, 1, middle))
    y = m.mul(y, m.unary("HardSigmoid", conv_block(m, m.global_pool("GlobalAveragePool", y), middle, 1)))
    x = m.add(x, conv_block(m, y, width, 1))
    x = m.concat([x, m.average_pool(x, [3, 3], [1, 1], [1, 1], [1] * 4, False, True)], 1)
    y = m.reduce("ReduceMean", conv_block(m, x, middle, 3, 2), [2, 3], False)
    y = m.gemm(y, weights(m, (10, middle)), m.const((10,)), 1.0, 1.0, False, True)
    return [m.softmax("Softmax", y, 1)]


def transformer(m, s, samples):
    heads, size, rows = 1 + s.below(4), 4 * (1 + s.below(8)), s.dim()
    width = heads * size
    x = samples((rows, width))
    count = x.shape[0]
    y = m.layer_norm(x, m.const((width,)), m.const((width,)), -1, 1e-5)
    q, k, v = (m.transpose(m.reshape(dense(m, y, width), [count, rows, heads, size]), perm)
               for perm in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]))
    shares = m.softmax("Softmax", m.mul(m.matmul(q, k), m.const(np.float32(1 / math.sqrt(size)))), -1)
    y = m.reshape(m.transpose(m.matmul(shares, v), [0, 2, 1, 3]), [count, rows, width])
    x = m.add(x, dense(m, y, width))
    y = m.layer_norm(x, m.const((width,)), m.const((width,)), -1, 1e-5)
    x = m.add(x, dense(m, m.unary("Gelu", dense(m, y, 2 * width)), width))
    return [dense(m, m.reduce("ReduceMean", x, [1], False), 10)]


def sums(m, s, samples):
    """Sums along every kind of dimension but the first, where a batch may tempt to another order."""
    rows, inner, cols = s.dim(9), s.choice([s.dim(), 600 + s.below(3000)]), s.choice([1, 2, s.dim()])
    x = samples((rows, inner))
    count = x.shape[0]
    flat = m.reshape(x, [count, rows * inner])
    matrix, row = m.const((inner, cols)), m.const((1, inner))
    kernels = m.one("Mul", [matrix, m.const(np.float32(1))], matrix.data, matrix.scale)
    filters = weights(m, (cols, rows, 5))
    return [
        m.matmul(x, matrix),
        m.matmul(x, kernels),
        m.matmul(x, m.swap_last(m.const((cols, inner)))),
        m.matmul(x, m.swap_last(row)),
        m.matmul(x, m.swap_last(x)),
        m.matmul(m.swap_last(x), x if inner < 65 else m.const((rows, cols))),
        m.gemm(flat, weights(m, (cols, rows * inner)), m.const((cols,)), 0.5, 1.0, False, True),
        m.conv(x, filters, None, [1], [1], [2, 2], 1),
        m.global_pool("GlobalAveragePool", x),
        m.instance_norm(x, m.const((rows,)), m.const((rows,)), 0.125),
        m.layer_norm(x, m.const((rows, inner)), None, 1, 0.125),
        m.softmax("Softmax", x, 1),
        m.softmax("LogSoftmax", x, 2),
        m.softmax("Softmax", flat, 1),
        *[m.reduce(op, x, axes, s.chance(0.5)) for op in ("ReduceSum", "ReduceMean", "ReduceL2") for axes in ([1], [2], [1, 2])],
    ]


def blocks(m, s, samples):
    """A product that a batch cuts into blocks with the matrix packed, and a sample does not."""
    rows, inner, cols = 8 + s.below(8), 1100 + s.below(900), 130 + s.below(70)
    x = samples((rows, inner))
    x = m.concat([x] * 20, 1)
    return [m.matmul(x, m.const((inner, cols))), m.unary("Relu", dense(m, x, cols))]


def run_batch(mlc, make, seed, data, folder, threads):
    """The model's outputs for the samples `data`, one batch."""
    m = Model(np.random.default_rng(seed))

    def samples(shape):
        return m.give(np.ascontiguousarray(data[:, : math.prod(shape)].reshape(-1, *shape)))

    for value in make(m, Shapes(m.rng), samples):
        m.output(value, next(n.op_type for n in m.nodes if value.name in n.output))
    folder.mkdir()
    onnx.save(m.proto(), folder / "m.onnx")
    result = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so", "--numerics=strict")
    if result.code:
        raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
    flags, names = save_feeds(m.feeds, folder), list(m.outputs)
    return [dict(zip(names, run_outputs(mlc, folder / "m.so", flags, names, folder / str(t), t))) for t in threads]


def test_model(mlc, make, seed, folder):
    data = np.random.default_rng([seed, 1]).standard_normal((max(BATCHES), 9 * 3600)).astype(np.float32)
    alone = [run_batch(mlc, make, seed, data[i : i + 1], folder / f"alone{i}", (1,))[0] for i in range(min(BATCHES))]
    for batch in BATCHES:
        for outputs in run_batch(mlc, make, seed, data[:batch], folder / f"batch{batch}", (1, 2)):
            for i, sample in enumerate(alone):
                for name, value in sample.items():
                    if value.tobytes() != outputs[name][i].tobytes():
                        worst = np.abs(value - outputs[name][i]).max()
                        raise Failure(f"output {name}, sample {i} alone and in a batch of {batch} differ by up to {worst:.1e}")


def open_products(m, s, samples):
    """Channels that fill panels, do not, and fit into one."""
    x = samples((s.choice([64, 300, 1024, 3072]),))
    return [m.unary("Gelu", dense(m, x, cols)) for cols in (40, 128 + s.below(200), 1000)] + [m.matmul(x, weights(m, (x.shape[-1], 96)))]


def open_first_dimension(proto):
    for value in (*proto.graph.input, *proto.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "rows"
    del proto.graph.value_info[:]
    return proto


def test_open(mlc, seed, folder):
    m = Model(np.random.default_rng(seed))
    for value in open_products(m, Shapes(m.rng), lambda shape: m.give(m.rng.standard_normal((max(ROWS), *shape)).astype(np.float32))):
        m.output(value, next(n.op_type for n in m.nodes if value.name in n.output))
    onnx.save(open_first_dimension(m.proto()), folder / "m.onnx")
    [(name, data)] = m.feeds.items()
    for target in TARGETS:
        result = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so", f"--target={target}")
        if result.code:
            raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
        outputs = {}
        for rows in ROWS:
            for threads in (1, 2):
                to = folder / f"{target}{rows}_{threads}"
                to.mkdir()
                outputs[rows, threads] = run_outputs(mlc, folder / "m.so", save_feeds({name: data[:rows]}, to), list(m.outputs), to, threads)
        for (rows, threads), values in outputs.items():
            for value, most in zip(values, outputs[max(ROWS), 1]):
                if value.tobytes() != most[:rows].tobytes():
                    worst = np.abs(value - most[:rows]).max()
                    raise Failure(f"{target}: {rows} rows, {threads} threads differ from those of {max(ROWS)} by up to {worst:.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=int, default=2)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mlc-batch-") as scratch:
        def test(make, seed):
            folder = Path(scratch) / f"{make.__name__}{seed}"
            folder.mkdir()
            if make is open_products:
                test_open(args.mlc, seed, folder)
            else:
                test_model(args.mlc, make, seed, folder)

        results = run_all({f"{make.__name__}, seed {seed}": lambda make=make, seed=seed: test(make, seed)
                           for make in (cnn, transformer, sums, blocks, open_products)
                           for seed in range(args.seed, args.seed + args.models)}, 2)
    failed = sum(isinstance(r, Failure) for r in results.values())
    print(f"{len(results) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
