"""PTX of Triton's compiler, made without a GPU: a product, softmax and attention for one target.

    python ptxsim_triton.py TARGET OUT.json

For a Python that has the package triton; ptxsim_compilers.py runs what is written: {kernel: {"ptx", "shared", "threads"}}.
"""
import json
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def gemm(a, b, c, M, N, K, TM: tl.constexpr, TN: tl.constexpr, TK: tl.constexpr):
    rows, columns, depth = tl.program_id(1) * TM + tl.arange(0, TM), tl.program_id(0) * TN + tl.arange(0, TN), tl.arange(0, TK)
    total = tl.zeros((TM, TN), tl.float32)
    for k in range(0, K, TK):
        x = tl.load(a + rows[:, None] * K + (k + depth)[None, :], mask=(rows[:, None] < M) & ((k + depth)[None, :] < K), other=0)
        y = tl.load(b + (k + depth)[:, None] * N + columns[None, :], mask=((k + depth)[:, None] < K) & (columns[None, :] < N), other=0)
        total = tl.dot(x, y, total)
    tl.store(c + rows[:, None] * N + columns[None, :], total, mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def softmax(x, y, N, COLUMNS: tl.constexpr):
    columns = tl.arange(0, COLUMNS)
    at = tl.program_id(0) * N + columns
    value = tl.load(x + at, mask=columns < N, other=-float("inf"))
    value = tl.exp(value - tl.max(value, axis=0))
    tl.store(y + at, value / tl.sum(value, axis=0), mask=columns < N)


@triton.jit
def attention(q, k, v, y, N, scale, D: tl.constexpr, QUERIES: tl.constexpr, KEYS: tl.constexpr):
    queries, d, ahead = tl.program_id(0) * QUERIES + tl.arange(0, QUERIES), tl.arange(0, D), tl.arange(0, KEYS)
    own = tl.load(q + queries[:, None] * D + d[None, :], mask=queries[:, None] < N, other=0)
    most, total, out = tl.full((QUERIES,), -1e30, tl.float32), tl.zeros((QUERIES,), tl.float32), tl.zeros((QUERIES, D), tl.float32)
    for first in range(0, tl.minimum(N, (tl.program_id(0) + 1) * QUERIES), KEYS):
        keys = first + ahead
        x = tl.load(k + keys[None, :] * D + d[:, None], mask=keys[None, :] < N, other=0)
        scores = tl.where((keys[None, :] <= queries[:, None]) & (keys[None, :] < N), tl.dot(own, x) * scale, -1e30)
        more = tl.maximum(most, tl.max(scores, 1))
        weights, keep = tl.exp(scores - more[:, None]), tl.exp(most - more)
        total = total * keep + tl.sum(weights, 1)
        values = tl.load(v + keys[:, None] * D + d[None, :], mask=keys[:, None] < N, other=0)
        out = tl.dot(weights.to(v.dtype.element_ty), values, out * keep[:, None])
        most = more
    tl.store(y + queries[:, None] * D + d[None, :], out / total[:, None], mask=queries[:, None] < N)


KERNELS = {  # signature, constants, warps; 16 divides the pointers and sizes that are named
    "gemm": (gemm, {"a": "*fp16", "b": "*fp16", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"}, {"TM": 64, "TN": 64, "TK": 32}, "abcNK"),
    "softmax": (softmax, {"x": "*fp32", "y": "*fp32", "N": "i32"}, {"COLUMNS": 256}, "xy"),
    "attention": (attention, {"q": "*fp16", "k": "*fp16", "v": "*fp16", "y": "*fp32", "N": "i32", "scale": "fp32"},
                  {"D": 32, "QUERIES": 64, "KEYS": 32}, "qkvy"),
}


def main():
    target, out, found = sys.argv[1], sys.argv[2], {}
    for name, (function, signature, constants, aligned) in KERNELS.items():
        attributes = {(i,): [["tt.divisibility", 16]] for i, parameter in enumerate(signature) if parameter in aligned}
        source = ASTSource(function, signature | dict.fromkeys(constants, "constexpr"), constants, attributes)
        made = triton.compile(source, target=GPUTarget("cuda", int(target), 32), options={"num_warps": 4})
        found[name] = {"ptx": made.asm["ptx"], "shared": made.metadata.shared, "threads": 32 * made.metadata.num_warps}
    with open(out, "w") as file:
        json.dump(found, file)


main()
