"""Matrix products of one node, mlc next to its peers, in GFLOP/s and as a share of the machine's FMA peak.

    python bench/gemm.py [GROUP...] [--only REGEX] [--threads 1] [--rounds 5] [--seconds 0.3] [--json FILE] [--svg FILE]

Groups: `square` (m = n = k, the right side a constant), `inputs` (the same with two inputs), `gemm` (Gemm with bias, weights
transposed) and `models` (what BERT, GPT-2 and ViT multiply, for m tokens). On a busy machine: chrt -f 1 taskset -c 1 python ...
See one_op.py for how it is timed.
"""
from one_op import Case, random, sweep

SIZES = (256, 384, 512, 768, 1024, 1536, 2048)


def matmul(m, n, k, constant=True):
    x, w = random(m, k), random(k, n)
    kind = "" if constant else ", two inputs"
    return Case(f"{m} x {n} x {k}{kind}", "MatMul", 2.0 * m * n * k, [x] if constant else [x, w], [w] if constant else [])


def gemm(m, n, k):
    return Case(f"{m} x {n} x {k}, Gemm", "Gemm", 2.0 * m * n * k, [random(m, k)], [random(n, k), random(n)], {"transB": 1})


def models():
    layers = ((768, 768), (2304, 768), (3072, 768), (768, 3072))
    return [matmul(m, n, k) for m in (1, 50, 128, 197) for n, k in layers] + [matmul(1, 50257, 768), gemm(1, 1000, 2048)]


GROUPS = {
    "square": lambda: [matmul(s, s, s) for s in SIZES],
    "inputs": lambda: [matmul(s, s, s, constant=False) for s in SIZES],
    "gemm": lambda: [gemm(s, s, s) for s in (256, 512, 1024)],
    "models": models,
}

if __name__ == "__main__":
    sweep(__doc__, "Matrix products, m x n x k", GROUPS)
