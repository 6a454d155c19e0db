"""Kernels with tensor cores, asynchronous copies and clusters in the PTX interpreter: results, and bugs planted in them.

    python ptxsim_kernels.py --library build/release/lib/libmlc_ptxsim.so [--ptxas /usr/local/cuda/bin/ptxas]

Texts are written here, loops unrolled. Each kernel runs in order and with several seeds, against numpy. A planted bug is a change of the
text that ptxas would take; with one of the seeds it must be told, at a line, or (where it is a wrong number and no race) give wrong
results. With --ptxas all texts are assembled, those with bugs too.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np

from ptxsim import Device, PtxError

BF16 = ml_dtypes.bfloat16
SEEDS = range(6)
DRAW = np.random.default_rng(5)


def text_of(params, body, target="sm_90a", outside="", threads=None):
    limit = f".reqntid {threads}, 1, 1" if threads else ""
    return (f".version 8.0\n.target {target}\n.address_size 64\n{outside}\n.visible .entry k({params})\n{limit}\n{{\n.reg .pred p, q, %p<9>; "
            f".reg .b16 %h<9>; .reg .b32 %r<200>; .reg .f32 %f<200>; .reg .b64 %rd<60>; .reg .f64 %fd<9>;\n"
            + body + "\nret;\n}\n")


def regs(prefix, first, count):
    return "{" + ", ".join(f"%{prefix}{first + i}" for i in range(count)) + "}"


# --- a product by mma.sync: 64 x 64, a slice of 32 at a time, three stages of cp.async

MMA_STAGE = 64 * 64 + 32 * 128  # bytes: a, then b


def mma_load(i):
    """Slice `i` into its stage: two chunks of 16 bytes of each operand for each of 128 threads."""
    out = []
    for half in range(2):
        out.append(f"""add.u32 %r1, %r0, {128 * half};
shr.u32 %r2, %r1, 2; and.b32 %r3, %r1, 3; shr.u32 %r4, %r2, 1; and.b32 %r4, %r4, 3; xor.b32 %r4, %r4, %r3;
mad.lo.u32 %r5, %r2, 64, %r90; mad.lo.u32 %r5, %r4, 16, %r5; add.u32 %r5, %r5, {i % 3 * MMA_STAGE};
mul.lo.u32 %r6, %r2, %r91; mad.lo.u32 %r6, %r3, 8, %r6; add.u32 %r6, %r6, {32 * i};
mad.wide.u32 %rd4, %r6, 2, %rd1; cp.async.cg.shared.global [%r5], [%rd4], 16;
shr.u32 %r2, %r1, 3; and.b32 %r3, %r1, 7; and.b32 %r4, %r2, 7; xor.b32 %r4, %r4, %r3;
mad.lo.u32 %r5, %r2, 128, %r90; mad.lo.u32 %r5, %r4, 16, %r5; add.u32 %r5, %r5, {i % 3 * MMA_STAGE + 4096};
add.u32 %r6, %r2, {32 * i}; mad.lo.u32 %r6, %r6, 64, 0; mad.lo.u32 %r6, %r3, 8, %r6;
mad.wide.u32 %rd4, %r6, 2, %rd2; cp.async.cg.shared.global [%r5], [%rd4], 16;""")
    return "\n".join(out)


def mma_step(i):
    out = []
    for k in range(2):
        out.append(f"""and.b32 %r2, %lane, 15; shr.u32 %r3, %lane, 4; mad.lo.u32 %r2, %warp, 16, %r2; add.u32 %r3, %r3, {2 * k};
shr.u32 %r4, %r2, 1; and.b32 %r4, %r4, 3; xor.b32 %r4, %r4, %r3; mad.lo.u32 %r5, %r2, 64, %r90; mad.lo.u32 %r5, %r4, 16, %r5;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r20, %r21, %r22, %r23}}, [%r5+{i % 3 * MMA_STAGE}];""")
        for n in range(4):
            out.append(f"""and.b32 %r2, %lane, 15; shr.u32 %r3, %lane, 4; add.u32 %r2, %r2, {16 * k}; add.u32 %r3, %r3, {2 * n};
and.b32 %r4, %r2, 7; xor.b32 %r4, %r4, %r3; mad.lo.u32 %r5, %r2, 128, %r90; mad.lo.u32 %r5, %r4, 16, %r5;
ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {{%r24, %r25, %r26, %r27}}, [%r5+{i % 3 * MMA_STAGE + 4096}];""")
            for half in range(2):
                d = regs("f", 4 * (2 * n + half), 4)
                out.append(f"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {d}, {{%r20, %r21, %r22, %r23}}, "
                           f"{{%r{24 + 2 * half}, %r{25 + 2 * half}}}, {d};")
    return "\n".join(out)


def mma_text(slices):
    body = [""".reg .b32 %lane, %warp; mov.u32 %r0, %tid.x; and.b32 %lane, %r0, 31; shr.u32 %warp, %r0, 5; mov.u32 %r90, tile;
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u32 %r91, [depth];"""]
    body += [f"mov.f32 %f{i}, 0f00000000;" for i in range(32)]
    for i in range(2):
        body += [mma_load(i), "cp.async.commit_group;"]
    for i in range(slices):
        body += [f"cp.async.wait_group {1 if i + 1 < slices else 0};", "bar.sync 0;"]
        if i + 2 < slices:
            body += [mma_load(i + 2), "cp.async.commit_group;"]
        body.append(mma_step(i))
    for n in range(8):
        body.append(f"""shr.u32 %r2, %lane, 2; mad.lo.u32 %r2, %warp, 16, %r2; and.b32 %r3, %lane, 3; mad.lo.u32 %r2, %r2, 64, {8 * n};
mad.lo.u32 %r2, %r3, 2, %r2; mad.wide.u32 %rd4, %r2, 4, %rd3; st.global.v2.f32 [%rd4], {{%f{4 * n}, %f{4 * n + 1}}};
st.global.v2.f32 [%rd4+2048], {{%f{4 * n + 2}, %f{4 * n + 3}}};""")
    return text_of(".param .u64 a, .param .u64 b, .param .u64 c, .param .u32 depth", "\n".join(body), "sm_80",
                   f".shared .align 128 .b8 tile[{3 * MMA_STAGE}];", 128)


def run_mma(device, text, seed):
    a, b = DRAW.normal(size=(64, 128)).astype(BF16), DRAW.normal(size=(128, 64)).astype(BF16)
    c = device.alloc(64 * 64 * 4)
    counters = device.launch(device.load(text), "k", (1,), (128,), [device.put(a), device.put(b), c, 128], seed=seed, max_steps=200000)
    assert counters["bank_conflicts"] == 0, f"{counters['bank_conflicts']} bank conflicts"
    return device.get(c, (64, 64), np.float32), a.astype(float) @ b.astype(float)


# --- a product by wgmma: 64 x 64, a slice of 64 at a time through two stages that a producer warp fills by TMA

WG_STAGE = 2 * 64 * 128


def wait(barrier, parity, name):
    return f"{name}: mbarrier.try_wait.parity.shared::cta.b64 p, [{barrier}], {parity};\n@!p bra {name};"


def descriptor(register, address, tmp="%rd20"):
    """K-major, rows of 128 bytes, swizzled."""
    return (f"cvt.u64.u32 {tmp}, {address}; and.b64 {tmp}, {tmp}, 262143; shr.u64 {tmp}, {tmp}, 4; "
            f"or.b64 {register}, {tmp}, {1 << 62 | 64 << 32 | 1 << 16};")


def wgmma(d, a, b, scale):
    return f"wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {d}, {a}, {b}, {scale}, 1, 1{', 0' if a[0] == '%' else ''}, 0;"


def consumer(slices, in_registers):
    out, d = [], regs("f", 0, 32)
    for i in range(slices):
        s = i % 2
        out += [wait(f"%r90+{8 * s}", i // 2 % 2, f"FULL{i}")]
        out += [f"add.u32 %r10, %r91, {s * WG_STAGE}; add.u32 %r11, %r10, 8192;", descriptor("%rd10", "%r10"), descriptor("%rd11", "%r11")]
        if in_registers:
            for k in range(4):
                # The fragment of rows 16 w + l / 4 and 8 below, from rows of 128 bytes whose chunks are swizzled.
                for r in range(4):
                    out.append(f"""shr.u32 %r2, %lane, 2; mad.lo.u32 %r2, %warp, 16, %r2; add.u32 %r2, %r2, {8 * (r & 1)}; and.b32 %r3, %r2, 7;
xor.b32 %r3, %r3, {2 * k + r // 2}; mad.lo.u32 %r4, %r2, 128, %r10; mad.lo.u32 %r4, %r3, 16, %r4; and.b32 %r3, %lane, 3; mad.lo.u32 %r4, %r3, 4, %r4;
ld.shared.b32 %r{40 + 4 * k + r}, [%r4];""")
        out.append("wgmma.fence.sync.aligned;")
        for k in range(4):
            scale = "0" if i == 0 and k == 0 else "1"
            out.append(f"setp.ne.b32 q, {scale}, 0;")
            a = regs("r", 40 + 4 * k, 4) if in_registers else "%rd10"
            out += [wgmma(d, a, "%rd11", "q"), "add.u64 %rd10, %rd10, 2; add.u64 %rd11, %rd11, 2;"]
        out += ["wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0;", "bar.sync 1, 128;" if in_registers else "",
                f"@%p1 mbarrier.arrive.shared::cta.b64 _, [%r90+{16 + 8 * s}];"]
    return out


def producer(slices):
    out = []
    for i in range(slices):
        s = i % 2
        out += [wait(f"%r90+{16 + 8 * s}", 1 - i // 2 % 2, f"EMPTY{i}"),
                f"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r90+{8 * s}], {WG_STAGE};",
                f"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r91+{s * WG_STAGE}], [%rd1, {{%r80, %r81}}], [%r90+{8 * s}];",
                f"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r91+{s * WG_STAGE + 8192}], [%rd2, {{%r80, %r81}}], [%r90+{8 * s}];",
                "add.u32 %r80, %r80, 64;"]
    return out


def store_by_thread():
    out = []
    for n in range(8):
        out.append(f"""shr.u32 %r2, %lane, 2; mad.lo.u32 %r2, %warp, 16, %r2; and.b32 %r3, %lane, 3; mad.lo.u32 %r2, %r2, 64, {8 * n};
mad.lo.u32 %r2, %r3, 2, %r2; mad.wide.u32 %rd4, %r2, 4, %rd3; st.global.v2.f32 [%rd4], {{%f{4 * n}, %f{4 * n + 1}}};
st.global.v2.f32 [%rd4+2048], {{%f{4 * n + 2}, %f{4 * n + 3}}};""")
    return out


def store_by_tma():
    """Both halves of 32 columns as tiles of 128 bytes a row, swizzled."""
    out = []
    for n in range(8):
        for half in range(2):
            out.append(f"""shr.u32 %r2, %lane, 2; mad.lo.u32 %r2, %warp, 16, %r2; add.u32 %r2, %r2, {8 * half}; and.b32 %r3, %lane, 3; shr.u32 %r4, %r3, 1;
add.u32 %r4, %r4, {n % 4 * 2}; and.b32 %r5, %r2, 7; xor.b32 %r4, %r4, %r5; and.b32 %r3, %r3, 1; mad.lo.u32 %r5, %r2, 128, %r91;
mad.lo.u32 %r5, %r4, 16, %r5; mad.lo.u32 %r5, %r3, 8, %r5; st.shared.v2.f32 [%r5+{n // 4 * 8192}], {{%f{4 * n + 2 * half}, %f{4 * n + 2 * half + 1}}};""")
    out += ["fence.proxy.async.shared::cta;", "bar.sync 1, 128;", "@!%p1 bra DONE;", "mov.u32 %r80, 0; mov.u32 %r81, 0; mov.u32 %r82, 32;"]
    for half in range(2):
        out.append(f"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd3, {{%r{80 + 2 * half}, %r81}}], [%r91+{8192 * half}];")
    return out + ["cp.async.bulk.commit_group;", "cp.async.bulk.wait_group 0;"]


def wgmma_text(slices, in_registers=False, by_tma=False):
    body = [f""".reg .b32 %lane, %warp; mov.u32 %r0, %tid.x; and.b32 %lane, %r0, 31; shr.u32 %warp, %r0, 5; mov.u32 %r90, bars; mov.u32 %r91, tile;
mov.b64 %rd1, a; cvta.param.u64 %rd1, %rd1; mov.b64 %rd2, b; cvta.param.u64 %rd2, %rd2;
{'mov.b64 %rd3, c; cvta.param.u64 %rd3, %rd3;' if by_tma else 'ld.param.u64 %rd3, [c];'}
setp.eq.u32 %p1, %r0, 0; @!%p1 bra READY;
mbarrier.init.shared::cta.b64 [%r90], 1; mbarrier.init.shared::cta.b64 [%r90+8], 1;
mbarrier.init.shared::cta.b64 [%r90+16], 1; mbarrier.init.shared::cta.b64 [%r90+24], 1;
fence.mbarrier_init.release.cluster;
READY: bar.sync 0;
setp.lt.u32 %p2, %r0, 128; @%p2 bra CONSUMER;
setp.ne.u32 %p3, %lane, 0; @%p3 bra DONE;
mov.u32 %r80, 0; mov.u32 %r81, 0;""", *producer(slices), "bra DONE;\nCONSUMER:", *consumer(slices, in_registers),
            *(store_by_tma() if by_tma else store_by_thread()), "DONE:"]
    tensor = ".param .align 64 .b8 "
    return text_of(f"{tensor}a[128], {tensor}b[128], {tensor + 'c[128]' if by_tma else '.param .u64 c'}", "\n".join(body), "sm_90a",
                   f".shared .align 1024 .b8 tile[{2 * WG_STAGE}];\n.shared .align 8 .b8 bars[32];", 160)


def run_wgmma(device, text, seed):
    a, b = DRAW.normal(size=(64, 256)).astype(BF16), DRAW.normal(size=(64, 256)).astype(BF16)
    c = device.alloc(64 * 64 * 4)
    maps = [device.tensor_map("bf16", device.put(x), (256, 64), (64, 64), 3) for x in (a, b)]
    out = device.tensor_map("f32", c, (64, 64), (32, 64), 3) if "c[128]" in text else c
    device.launch(device.load(text), "k", (1,), (160,), [*maps, out], seed=seed, max_steps=200000)
    return device.get(c, (64, 64), np.float32), a.astype(float) @ b.astype(float).T


# --- a cluster: each block gets the tile that block 0 fetches for both, adds its rank, and writes into the other's shared memory

CLUSTER = text_of(".param .align 64 .b8 a[128], .param .u64 c", """mov.u32 %r0, %tid.x; mov.u32 %r90, bar; mov.u32 %r91, tile; mov.u32 %r1, %cluster_ctarank;
mov.b64 %rd1, a; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd3, [c]; setp.eq.u32 %p1, %r0, 0; setp.eq.and.u32 %p2, %r1, 0, %p1;
@!%p1 bra READY;
mbarrier.init.shared::cta.b64 [%r90], 1;
fence.mbarrier_init.release.cluster;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r90], 1024;
READY: barrier.cluster.arrive.release;
barrier.cluster.wait.acquire;
mov.u32 %r80, 0; mov.b16 %h1, 3;
@%p2 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r91], [%rd1, {%r80}], [%r90], %h1;
W: mbarrier.try_wait.parity.shared::cta.b64 p, [%r90], 0;
@!p bra W;
mad.lo.u32 %r2, %r0, 4, %r91; ld.shared.u32 %r3, [%r2]; add.u32 %r3, %r3, %r1;
xor.b32 %r4, %r1, 1; add.u32 %r2, %r2, 1024; mapa.shared::cluster.u32 %r5, %r2, %r4; st.shared::cluster.u32 [%r5], %r3;
barrier.cluster.arrive.release;
barrier.cluster.wait.acquire;
ld.shared.u32 %r6, [%r2]; mad.lo.u32 %r7, %r1, 256, %r0; mad.wide.u32 %rd4, %r7, 4, %rd3; st.global.u32 [%rd4], %r6;""", "sm_90a",
                  ".shared .align 128 .b8 tile[2048];\n.shared .align 8 .b8 bar[8];", 256)


def run_cluster(device, text, seed):
    a = DRAW.integers(0, 1000, 256, dtype=np.int32)
    c = device.alloc(2048)
    counters = device.launch(device.load(text), "k", (2,), (256,), [device.tensor_map("s32", device.put(a), (256,), (256,)), c], cluster=(2,),
                             seed=seed, max_steps=200000)
    assert counters["async_copies"] == 1
    return device.get(c, (2, 256), np.int32), np.stack([a + 1, a])


# --- bytes in and out, and sums into global memory

BULK = text_of(".param .u64 a, .param .u64 c", """mov.u32 %r0, %tid.x; mov.u32 %r90, bar; mov.u32 %r91, tile; ld.param.u64 %rd1, [a]; ld.param.u64 %rd3, [c];
setp.eq.u32 %p1, %r0, 0; mov.u32 %r1, %ctaid.x; mad.wide.u32 %rd1, %r1, 512, %rd1;
@%p1 mbarrier.init.shared::cta.b64 [%r90], 1;
bar.sync 0;
@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r90], 512;
@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r91], [%rd1], 512, [%r90];
W: mbarrier.try_wait.parity.shared::cta.b64 p, [%r90], 0;
@!p bra W;
mad.lo.u32 %r2, %r0, 4, %r91; ld.shared.f32 %f1, [%r2]; add.f32 %f1, %f1, %f1; st.shared.f32 [%r2], %f1;
fence.proxy.async.shared::cta;
bar.sync 0;
@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd3], [%r91], 512;
@%p1 cp.async.bulk.commit_group;
@%p1 cp.async.bulk.wait_group.read 0;""", "sm_90", ".shared .align 128 .b8 tile[512];\n.shared .align 8 .b8 bar[8];", 128)


def run_bulk(device, text, seed):
    a = DRAW.integers(0, 1000, (3, 128)).astype(np.float32)
    c = device.put(np.ones(128, np.float32))
    device.launch(device.load(text), "k", (3,), (128,), [device.put(a), c], seed=seed, max_steps=200000)
    return device.get(c, (128,), np.float32), 1 + 2 * a.sum(0)


# --- every shape and type of mma.sync, from and to registers

def mma_shapes():
    f8 = {"e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}
    types = {"bf16": BF16, "f16": np.float16, "tf32": np.float32, "s8": np.int8, "u8": np.uint8, **f8}
    for kind, depths in {"bf16": (8, 16), "f16": (8, 16), "tf32": (4, 8), "s8": (16, 32), "u8": (16, 32), "e4m3": (32,), "e5m2": (32,)}.items():
        for k in depths:
            yield kind, types[kind], k


def check_shape(device, kind, dtype, k):
    size = np.dtype(dtype).itemsize
    if dtype in (np.int8, np.uint8):
        info = np.iinfo(dtype)
        a, b = (DRAW.integers(info.min, info.max, s, dtype=dtype, endpoint=True) for s in ((16, k), (8, k)))
        c, acc = DRAW.integers(-1000, 1000, (16, 8), dtype=np.int32), "s32"
    else:
        a, b = (DRAW.integers(-8, 9, s).astype(np.float32).astype(dtype) for s in ((16, k), (8, k)))
        c, acc = DRAW.integers(-50, 50, (16, 8)).astype(np.float32), "f32"
    per = 4 // size
    num_a, num_b = 16 * k * size // 128, 8 * k * size // 128
    lines = ["mov.u32 %r0, %laneid; shr.u32 %r1, %r0, 2; and.b32 %r2, %r0, 3; ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];"]
    for name, count, base, row_step in (("a", num_a, "%rd1", 2), ("b", num_b, "%rd2", 1)):
        for i in range(count):
            row, step = (8 * (i & 1), i // 2) if name == "a" else (0, i)
            lines.append(f"add.u32 %r3, %r1, {row}; mad.lo.u32 %r3, %r3, {k * size}, {step * 16}; mad.lo.u32 %r3, %r2, 4, %r3; "
                         f"cvt.u64.u32 %rd4, %r3; add.u64 %rd4, %rd4, {base}; ld.global.b32 %r{(10 if name == 'a' else 20) + i}, [%rd4];")
    for half in range(2):
        lines.append(f"add.u32 %r3, %r1, {8 * half}; mad.lo.u32 %r3, %r3, 32, 0; mad.lo.u32 %r3, %r2, 8, %r3; cvt.u64.u32 %rd{5 + half}, %r3; "
                     f"add.u64 %rd{5 + half}, %rd{5 + half}, %rd3; ld.global.v2.b32 {{%r{30 + 2 * half}, %r{31 + 2 * half}}}, [%rd{5 + half}];")
    # tf32 and s32 take b32 registers; so do the accumulators here.
    d = "{%r30, %r31, %r32, %r33}" if acc == "s32" else "{%f30, %f31, %f32, %f33}"
    if acc == "f32":
        lines += [f"mov.b32 %f{i}, %r{i};" for i in range(30, 34)]
    lines.append(f"mma.sync.aligned.m16n8k{k}.row.col.{acc}.{kind}.{kind}.{acc} {d}, {regs('r', 10, num_a)}, {regs('r', 20, num_b)}, {d};")
    if acc == "f32":
        lines += [f"mov.b32 %r{i}, %f{i};" for i in range(30, 34)]
    lines += [f"st.global.v2.b32 [%rd{5 + half}], {{%r{30 + 2 * half}, %r{31 + 2 * half}}};" for half in range(2)]
    text = text_of(".param .u64 a, .param .u64 b, .param .u64 c", "\n".join(lines))
    out = device.put(c)
    device.launch(device.load(text), "k", (1,), (32,), [device.put(a), device.put(b), out])
    got = device.get(out, c.shape, c.dtype)
    want = c + a.astype(float) @ b.astype(float).T
    return None if (got == want).all() else f"mma m16n8k{k} {kind}: {np.abs(got - want).max()} off"


# --- planted bugs: (name, kernel, change, what must be told: None for wrong results)

def drop(pattern, count=1, skip=0):
    """Without the `skip`-th to (skip + count)-th lines that have the pattern."""
    def change(text):
        seen, out = 0, []
        for line in text.splitlines():
            if re.search(pattern, line):
                seen += 1
                if skip < seen <= skip + count:
                    line = re.sub(r"[^;]*" + pattern + r"[^;]*;", "", line)
            out.append(line)
        return "\n".join(out)
    return change


def swap(old, new, count=-1):
    return lambda text: text.replace(old, new, count)


def swap_last(old, new):
    return lambda text: new.join(text.rsplit(old, 1))


BUGS = [
    ("a barrier of the loop is missing", "mma", drop("bar.sync 0", 1, 1), "data race"),
    ("no barrier in the loop", "mma", drop("bar.sync 0", 9), "data race"),
    ("cp.async waits too late", "mma", swap("cp.async.wait_group 1", "cp.async.wait_group 2"), ", still in flight"),
    ("the last cp.async is not waited for", "mma", swap("cp.async.wait_group 0", "cp.async.wait_group 1"), "data race"),
    ("a commit is missing", "mma", drop("cp.async.commit_group", 1), "data race"),
    ("copied to the wrong swizzle", "mma", swap("xor.b32 %r4, %r4, %r3;\nmad.lo.u32 %r5, %r2, 64", "xor.b32 %r4, %r4, 0;\nmad.lo.u32 %r5, %r2, 64"), None),
    ("read with the wrong swizzle", "mma", swap("\nand.b32 %r4, %r2, 7; xor.b32 %r4, %r4, %r3; mad.lo.u32 %r5, %r2, 128, %r90; ", "\nmov.u32 %r4, %r3; mad.lo.u32 %r5, %r2, 128, %r90; "), None),
    ("ldmatrix is not transposed", "mma", swap(".x4.trans.shared", ".x4.shared"), None),
    ("registers of a fragment in another order", "mma", swap("{%r20, %r21, %r22, %r23}, {%r24", "{%r20, %r22, %r21, %r23}, {%r24"), None),
    ("one stage too few", "mma", swap(f"[%r5+{2 * MMA_STAGE}]", f"[%r5+{MMA_STAGE}]"), None),
    ("copies beyond the buffer", "mma", swap("add.u32 %r6, %r6, 96;", "add.u32 %r6, %r6, 9600;"), "are in no global memory"),
    ("shared memory too small", "mma", swap(f"tile[{3 * MMA_STAGE}]", f"tile[{3 * MMA_STAGE - 16}]"), "are outside the block's"),
    ("a lane does not take part in ldmatrix", "mma", swap("ldmatrix.sync", "@p ldmatrix.sync", 1), "register 'p' is read before it is written"),
    ("an accumulator is not cleared", "mma", drop("mov.f32 %f5, 0f00000000"), "register '%f5' is read before it is written"),
    ("expects too few bytes", "wgmma", swap(f", {WG_STAGE};", f", {WG_STAGE - 16};"), "deadlock"),
    ("expects too many bytes", "wgmma", swap(f", {WG_STAGE};", f", {WG_STAGE + 16};"), "deadlock"),
    ("an accumulator is read in flight", "wgmma", drop("wgmma.wait_group", 1, 3), "' is read while wgmma works on it"),
    ("a slot is released before wgmma has read it", "wgmma", swap("wgmma.wait_group.sync.aligned 0", "wgmma.wait_group.sync.aligned 1", 3), "data race"),
    ("no group is committed", "wgmma", drop("wgmma.commit_group", 1, 3), "' is read while wgmma works on it"),
    ("a slot is never released", "wgmma", drop("mbarrier.arrive.shared::cta", 1), "for a phase of the mbarrier at 0x"),
    ("the producer does not wait", "wgmma", lambda text: re.sub(r"EMPTY2:[^\n]*\n[^\n]*", "", text), "data race"),
    ("the producer waits for the wrong parity", "wgmma", lambda text: re.sub(r"(EMPTY2:[^\n]*), 0;", r"\1, 1;", text), "data race"),
    ("the consumer waits for the wrong parity", "wgmma", lambda text: re.sub(r"(FULL0:[^\n]*), 0;", r"\1, 1;", text), ("never written", "data race")),
    ("the consumer does not wait", "wgmma", lambda text: re.sub(r"FULL1:[^\n]*\n[^\n]*", "", text),
     "the other one, done with an mbarrier that this thread has not waited for"),
    ("no wgmma.fence", "wgmma", drop("wgmma.fence", 1), "' was written since the last wgmma.fence"),
    ("operands are written after wgmma.fence", "wgmma_rs", drop("wgmma.fence", 1, 1), "' was written since the last wgmma.fence"),
    ("an operand is written in flight", "wgmma_rs", lambda text: text.replace("wgmma.commit_group.sync.aligned;", "wgmma.commit_group.sync.aligned; mov.b32 %r40, 0;", 1),
     "' is written while wgmma works on it"),
    ("rows of a descriptor too near", "wgmma", swap(str(1 << 62 | 64 << 32 | 1 << 16), str(1 << 62 | 32 << 32 | 1 << 16)), None),
    ("a descriptor without a swizzle", "wgmma", swap(str(1 << 62 | 64 << 32 | 1 << 16), str(64 << 32 | 1 << 16)), None),
    ("the accumulator is kept at first", "wgmma", swap("setp.ne.b32 q, 0, 0;", "setp.ne.b32 q, 1, 0;"), "is read before it is written"),
    ("no step along k", "wgmma", drop("add.u64 %rd11, %rd11, 2", 3), None),
    ("mbarriers for one arrival more", "wgmma", swap("init.shared::cta.b64 [%r90+16], 1;", "init.shared::cta.b64 [%r90+16], 2;"), "deadlock"),
    ("an mbarrier is not made", "wgmma", drop(r"mbarrier.init.shared::cta.b64 \[%r90\+24\]"), ("there is no mbarrier at 0x", "no mbarrier")),
    ("mbarriers are used before all know them", "wgmma", swap("READY: bar.sync 0;", "READY:"), ("there is no mbarrier at 0x", "data race")),
    ("an arrival ends a phase that it must not end", "wgmma", swap("mbarrier.arrive.shared::cta.b64 _, [%r90+16];", "mbarrier.arrive.noComplete.shared::cta.b64 %rd50, [%r90+16], 1;"),
     "an arrival with .noComplete ends a phase of the mbarrier at 0x"),
    ("a later slice is not expected", "wgmma", drop("mbarrier.arrive.expect_tx", 1, 2), "for a phase of odd parity of the mbarrier at 0x"),
    ("a warp stays behind its warpgroup", "wgmma", swap("wgmma.fence.sync.aligned;", "setp.eq.u32 q, %warp, 3; @q bar.sync 2, 64; wgmma.fence.sync.aligned;", 1),
     "for its warpgroup: warp 3"),
    ("leaves with wgmma in flight", "wgmma", swap_last("wgmma.wait_group.sync.aligned 0;", "bra DONE;"), "leaves while wgmma is in flight"),
    ("a transposed operand without a swizzle", "wgmma", lambda text: text.replace(", 1, 1, 0, 0;", ", 1, 1, 0, 1;").replace(
        str(1 << 62 | 64 << 32 | 1 << 16), str(64 << 32 | 1 << 16)), "transposed operands without a swizzle are not supported"),
    ("released twice", "wgmma", lambda text: re.sub(r"(@%p1 (mbarrier\.arrive\.shared::cta\.b64 _, \[%r90\+16\];))", r"\1 @%p1 \2", text, count=1), ("data race", "that the mbarrier at 0x", "deadlock")),
    ("no fence before a TMA store", "wgmma_tma", drop("fence.proxy.async"), "no fence.proxy.async orders it"),
    ("no barrier before a TMA store", "wgmma_tma", swap_last("bar.sync 1, 128;", ""), ("data race", "never written")),
    ("a TMA store is not waited for", "wgmma_tma", drop("cp.async.bulk.wait_group"), "leaves before its bulk copy has read shared memory"),
    ("the tile of a TMA store is another", "wgmma_tma", swap("[%r91+8192];\ncp.async.bulk.commit", "[%r91+0];\ncp.async.bulk.commit"), None),
    ("the second barrier of a cluster is missing", "cluster", lambda text: text[:text.rindex("barrier.cluster.arrive")] + text[text.rindex("ld.shared.u32 %r6"):],
     ("data race", "never written", "has left the cluster")),
    ("the first barrier of a cluster is missing", "cluster", lambda text: text.replace("READY: barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;", "READY: bar.sync 0;"),
     ("there is no mbarrier at 0x", "data race")),
    ("a relaxed arrival at a cluster's barrier", "cluster", lambda text: "barrier.cluster.arrive.relaxed".join(text.rsplit("barrier.cluster.arrive.release", 1)), "data race"),
    ("a multicast to one block of two", "cluster", swap("mov.b16 %h1, 3", "mov.b16 %h1, 1"), "deadlock"),
    ("a multicast to blocks that are not there", "cluster", swap("mov.b16 %h1, 3", "mov.b16 %h1, 7"), "blocks 0x7 of a cluster of 2"),
    ("a bulk copy is not waited for", "bulk", lambda text: re.sub(r"W: [^\n]*\n[^\n]*", "", text), ("never written", "data race")),
    ("no fence before a bulk copy", "bulk", drop("fence.proxy.async"), "no fence.proxy.async orders it"),
    ("no barrier before a bulk copy", "bulk", drop("bar.sync 0", 1, 1), ("data race", "no fence")),
    ("a bulk copy of 500 bytes", "bulk", swap("[%rd1], 512,", "[%rd1], 500,"), ": expected multiples of 16"),
    ("a bulk copy to an odd place", "bulk", swap("[%r91], [%rd1], 512", "[%r91+4], [%rd1], 496"), "is no multiple of 16"),
    ("an mbarrier for no arrivals", "bulk", swap("[%r90], 1;", "[%r90], 0;"), "an mbarrier for 0 arrivals"),
    ("an mbarrier made twice", "bulk", swap("@%p1 mbarrier.init.shared::cta.b64 [%r90], 1;", "@%p1 mbarrier.init.shared::cta.b64 [%r90], 1; @%p1 mbarrier.init.shared::cta.b64 [%r90], 1;"),
     "there is an mbarrier at 0x"),
    ("a million bytes are expected", "bulk", swap("[%r90], 512;", "[%r90], 2000000;"), "the mbarrier at 0x"),
    ("the tensor map is none", "wgmma", swap("mov.b64 %rd1, a; cvta.param.u64 %rd1, %rd1;", "mov.b64 %rd1, b; ld.param.u64 %rd1, [c];"),
     ("there is no tensor map for this at 0x", "never written", "are in no global memory")),
    ("cp.async of more than it has", "mma", swap("[%rd4], 16;", "[%rd4], 16, 17;", 1), "copies 17 of 16 bytes"),
]
# Texts that are refused: (change, kernel, message)
REFUSED = [
    ("wgmma", swap("m64n64k16.f32.bf16.bf16", "m64n68k16.f32.bf16.bf16"), "is not there for these types and this shape"),
    ("wgmma", swap("m64n64k16.f32.bf16.bf16", "f32.bf16.bf16"), "names no shape"),
    ("mma", swap("m16n8k16.row.col.f32.bf16.bf16.f32", "m16n8k16.row.col.f32.bf16.f16x2.f32"), "is not there for these types and this shape"),
    ("mma", swap("ldmatrix.sync.aligned.m8n8.x4", "ldmatrix.sync.aligned.m8n8"), "names no shape"),
    ("mma", swap("[%rd4], 16;", "[%rd4], 12;"), "copies 4, 8 or 16 bytes"),
    ("mma", swap("cp.async.commit_group", "cp.commit_group"), "does not say what it does"),
    ("wgmma", swap("bulk.tensor.2d", "bulk.tensor"), "names no number of dimensions"),
    ("wgmma", swap("[%rd1, {%r80, %r81}]", "[%rd1]"), "needs a tensor map and coordinates here"),
    ("wgmma", swap("bulk.tensor.2d.shared::cluster.global.mbarrier", "bulk.tensor.2d.im2col.shared::cluster.global.mbarrier"), "needs 3 dimensions or more for im2col"),
    ("wgmma", swap("bulk.tensor.2d.shared::cluster.global.mbarrier", "bulk.tensor.2d.mbarrier"), "does not say from where and to where"),
    ("wgmma", swap("READY: bar.sync 0;", "READY: setmaxnreg.inc.sync.aligned.u32 500;"), "takes a multiple of 8 from 24 to 256"),
    ("wgmma", lambda text: text.replace("m64n64k16.f32.bf16.bf16", "m64n64k8.f32.tf32.tf32").replace(", 1, 1, 0, 0;", ", 1, 1, 1, 0;"), "transposes operands of 16 bits only"),
    ("bulk", swap(".add.f32 ", ".f32 "), "does not say what it does"),
]
KERNELS = {"mma": (mma_text(4), run_mma), "wgmma": (wgmma_text(4), run_wgmma), "wgmma_rs": (wgmma_text(4, True), run_wgmma),
           "wgmma_tma": (wgmma_text(4, False, True), run_wgmma), "cluster": (CLUSTER, run_cluster), "bulk": (BULK, run_bulk)}


def attempt(library, name, text, seed):
    """What was told, or how far off the result is."""
    device = Device(library)
    try:
        got, want = KERNELS[name][1](device, text, seed)
        return None, np.abs(got - want).max() / np.abs(want).max()
    except PtxError as error:
        return error.messages, None
    except AssertionError as error:
        return [(1, False, str(error))], None
    finally:
        device.close()


def check_kernel(library, name):
    for seed in SEEDS:
        told, error = attempt(library, name, KERNELS[name][0], seed)
        if told or error > 1e-6:
            return f"{name}, seed {seed}: {told or error}"
    return None


def check_bug(library, what, name, change, message):
    text = change(KERNELS[name][0])
    if text == KERNELS[name][0]:
        return f"{what}: changes nothing"
    seen = []
    for seed in SEEDS:
        told, error = attempt(library, name, text, seed)
        if message is None and (told or error > 1e-3):
            return None
        for line, _, words in told or []:
            if line and any(m in words for m in ([message] if isinstance(message, str) else message or [])):
                return None
        seen.append(told[0][2] if told else f"error {error:.1e}")
    return f"{what}: expected {message or 'wrong results'}, got {sorted(set(seen))}"


def check_refused(library, name, change, message):
    told, error = attempt(library, name, change(KERNELS[name][0]), 0)
    ok = told and any(message in words and line for line, _, words in told)
    return None if ok else f"expected '{message}', got {told and told[:2]} {error}"


def check_maps(library):
    device = Device(library)
    for options, message in [
            (dict(dims=(), box=()), "a tensor map has 1 to 5 dimensions"), (dict(address=8), "the address of a tensor map is a multiple of 16"),
            (dict(dims=(64, 0)), "a dimension of a tensor map is 1 to 2^32"), (dict(strides=[8]), "a stride of a tensor map is a multiple of 16 below 2^40"),
            (dict(box=(64, 257)), "a box of a tensor map is 1 to 256 wide, with steps of 1 to 8"), (dict(swizzle=9), "a tensor map of a type or swizzle that is not there"),
            (dict(box=(128, 8)), "a row of a box is a multiple of 16 bytes, and no wider than its swizzle")]:
        try:
            device.tensor_map("bf16", **{**dict(address=0, dims=(64, 64), box=(64, 64), swizzle=3), **options})
            return f"tensor map {options}: nothing was told"
        except PtxError as error:
            if message not in str(error):
                return f"tensor map {options}: {error}"
    return None


def check_ptxas(ptxas, what, text):
    arch = re.search(r"\.target (\w+)", text)[1]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "k.ptx"
        path.write_text(text)
        result = subprocess.run([ptxas, f"-arch={arch}", path, "-o", Path(folder) / "k.cubin"], capture_output=True, text=True)
    return None if result.returncode == 0 else f"ptxas, {what}: {(result.stdout + result.stderr)[:300]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True)
    parser.add_argument("--ptxas")
    args = parser.parse_args()
    library, device = args.library, Device(args.library)
    faults = [check_kernel(library, name) for name in KERNELS] + [check_maps(library)]
    faults += [check_shape(device, *shape) for shape in mma_shapes()]
    faults += [check_bug(library, *bug) for bug in BUGS] + [check_refused(library, *case) for case in REFUSED]
    if args.ptxas:
        faults += [check_ptxas(args.ptxas, name, text) for name, (text, _) in KERNELS.items()]
        faults += [check_ptxas(args.ptxas, what, change(KERNELS[name][0])) for what, name, change, _ in BUGS
                   if "500 bytes" not in what and "more than it has" not in what]  # constants, which it knows
    for fault in faults:
        if fault:
            print(fault)
    failed = sum(f is not None for f in faults)
    print(f"{len(faults) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
