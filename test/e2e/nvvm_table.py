"""Each row of lib/dialects/nvvm/instructions.yaml through LLVM and the PTX interpreter, compared with what it should mean.

    python nvvm_table.py --bin build/release/bin --library build/release/lib/libmlc_ptxsim.so

A case is a kernel of nvvm ops with the names of the rows that it shows, the PTX that must be in it, and the meaning in numpy. All
cases are one module, lowered by --convert-nvvm-to-llvm and exported for sm_90a; where ptxas is installed, it assembles the text. A row
without a case fails, and so does a case that names a row which is not there.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np

from harness import call
from ptxsim import Device, PtxError

TABLE = Path(__file__).resolve().parent.parent.parent / "lib/dialects/nvvm/instructions.yaml"
BF16 = ml_dtypes.bfloat16
DRAW = np.random.default_rng(11)
CASES = []

# What kernels have at hand: the thread `%tid`, its slot `%at` of 4 bytes in the buffer `%out`, and shared memory.
HEAD = """  llvm.func @{name}(%out: !llvm.ptr<1>, %a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %map: !llvm.ptr)
      attributes {{nvvm.kernel, nvvm.reqntid = array<i32: {threads}, 1, 1>}} {{
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %s = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %g = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %many = llvm.mlir.constant(1000000 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %is0 = llvm.icmp "eq" %tid, %c0 : i32
    %slot = llvm.getelementptr %s[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %next0 = llvm.add %tid, %c1 : i32
    %next = llvm.and %next0, %c31 : i32
    %peer = llvm.getelementptr %s[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
"""
STORE = "    llvm.store %{v}, %at : {t}, !llvm.ptr<1>\n"


def case(rows, body, meaning, ptx=(), threads=32, grid=(1,), cluster=(), a=None, b=None, map=None, run=True, dtype=np.int32, size=None):
    """`meaning(a, b)` is what the buffer `out` holds in the end, `size` elements of `dtype`."""
    CASES.append(dict(rows=rows.split(), body=body, meaning=meaning, ptx=(ptx,) if isinstance(ptx, str) else ptx, threads=threads,
                      grid=grid, cluster=cluster, a=a, b=b, map=map, run=run, dtype=dtype, size=size or threads * int(np.prod(grid))))


def store(value, type="i32"):
    return STORE.format(v=value, t=type)


LANES = np.arange(32, dtype=np.int32)
TURNED = np.roll(LANES, -1)  # what the next lane has

# --- registers
case("read.ptx.sreg.*", """    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %grid = nvvm.read.ptx.sreg.nctaid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %first = llvm.mul %block, %n : i32
    %i = llvm.add %first, %tid : i32
    %x = llvm.mul %grid, %lane : i32
    %place = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %place : i32, !llvm.ptr<1>
""", lambda a, b: np.tile(3 * LANES, 6), threads=64, grid=(3,))
case("read.ptx.sreg.cluster.* read.ptx.sreg.clusterid.* read.ptx.sreg.nclusterid.*", """    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %cluster = nvvm.read.ptx.sreg.clusterid.x : i32
    %count = nvvm.read.ptx.sreg.nclusterid.x : i32
    %x0 = llvm.mul %cluster, %c2 : i32
    %i0 = llvm.add %x0, %rank : i32
    %i1 = llvm.mul %i0, %c32 : i32
    %i = llvm.add %i1, %tid : i32
    %x = llvm.mul %count, %i0 : i32
    %place = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %place : i32, !llvm.ptr<1>
""", lambda a, b: np.repeat(3 * np.arange(6), 32), grid=(6,), cluster=(2,))

# --- barriers
SHIFT = """    llvm.store %tid, %slot : i32, !llvm.ptr<3>
{barrier}
    %x = llvm.load %peer : !llvm.ptr<3> -> i32
""" + store("x")
for row, barrier, ptx in [("barrier0", "nvvm.barrier0", "bar.sync"), ("barrier", "nvvm.barrier id = %c1 number_of_threads = %c32", "bar.sync"),
                          ("barrier", "nvvm.barrier id = %c1", "bar.sync"), ("barrier", "nvvm.barrier", "bar.sync"),
                          ("bar.warp.sync", "nvvm.bar.warp.sync %all : i32", "bar.warp.sync")]:
    case(row, SHIFT.format(barrier="    " + barrier), lambda a, b: TURNED, ptx)
# Warp 1 writes and goes on; warp 0 waits for it.
case("barrier.arrive", """    %from = llvm.and %tid, %c31 : i32
    %place = llvm.getelementptr %s[%from] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %second = llvm.icmp "uge" %tid, %c32 : i32
    llvm.cond_br %second, ^writer, ^reader
  ^writer:
    llvm.store %from, %place : i32, !llvm.ptr<3>
    nvvm.barrier.arrive id = %c1 number_of_threads = %c64
    llvm.br ^end
  ^reader:
    nvvm.barrier id = %c1 number_of_threads = %c64
    %x = llvm.load %peer : !llvm.ptr<3> -> i32
    llvm.store %x, %at : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
""", lambda a, b: TURNED, "bar.arrive", threads=64, size=32)
# Each block of a cluster reads what the other one wrote to global memory.
CLUSTER = """    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %mine0 = llvm.mul %rank, %c32 : i32
    %mine = llvm.add %mine0, %tid : i32
    %flip = llvm.xor %mine, %c32 : i32
    %from = llvm.getelementptr %out[%mine] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %to = llvm.getelementptr %out[%flip] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %twice = llvm.add %flip, %c64 : i32
    %result = llvm.getelementptr %out[%twice] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %mine, %from : i32, !llvm.ptr<1>
    {arrive}
    {wait}
    %x = llvm.load %to : !llvm.ptr<1> -> i32
    llvm.store %x, %result : i32, !llvm.ptr<1>
"""
for aligned in ["", " {aligned}"]:
    case("cluster.arrive cluster.wait", CLUSTER.format(arrive="nvvm.cluster.arrive" + aligned, wait="nvvm.cluster.wait" + aligned),
         lambda a, b: np.concatenate([np.arange(64), np.arange(64)]), "barrier.cluster.arrive" + (".aligned" if aligned else ";"),
         grid=(2,), cluster=(2,), size=128)
case("cluster.arrive.relaxed fence.sc.cluster", CLUSTER.format(arrive="nvvm.fence.sc.cluster\n    nvvm.cluster.arrive.relaxed {aligned}",
                                                               wait="nvvm.cluster.wait {aligned}"),
     lambda a, b: None, ("barrier.cluster.arrive.relaxed.aligned", "fence.sc.cluster"), grid=(2,), cluster=(2,), size=128, run=False)

# --- between lanes
for kind, off, want in [("bfly", "%c1", LANES ^ 1), ("up", "%c2", np.where(LANES < 2, LANES, LANES - 2)),
                        ("down", "%c16", np.where(LANES < 16, LANES + 16, LANES)), ("idx", "%c31", np.full(32, 31))]:
    clamp = "%c0" if kind == "up" else "%c31"
    case("shfl.sync", f"    %x = nvvm.shfl.sync {kind} %all, %tid, {off}, {clamp} : i32 -> i32\n" + store("x"), lambda a, b, want=want: want,
         f"shfl.sync.{kind}")
case("shfl.sync", """    %f = llvm.sitofp %tid : i32 to f32
    %r = nvvm.shfl.sync down %all, %f, %c16, %c31 {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
    %v = llvm.extractvalue %r[0] : !llvm.struct<(f32, i1)>
    %p = llvm.extractvalue %r[1] : !llvm.struct<(f32, i1)>
    %q = llvm.uitofp %p : i1 to f32
    %x = llvm.fmul %v, %q : f32
""" + store("x", "f32"), lambda a, b: np.where(LANES < 16, LANES + 16, 0).astype(np.float32), dtype=np.float32)
case("vote.ballot.sync", """    %odd0 = llvm.and %tid, %c1 : i32
    %odd = llvm.icmp "eq" %odd0, %c1 : i32
    %x = nvvm.vote.ballot.sync %all, %odd : i32
""" + store("x"), lambda a, b: np.full(32, 0xAAAAAAAA, np.uint32).view(np.int32), "vote.sync.ballot")
SIGNED = LANES * 7 - 100
for kind, want in [("add", SIGNED.sum()), ("min", SIGNED.min()), ("max", SIGNED.max()), ("umin", SIGNED.view(np.uint32).min()),
                   ("umax", SIGNED.view(np.uint32).max()), ("and", np.bitwise_and.reduce(SIGNED)), ("or", np.bitwise_or.reduce(SIGNED)),
                   ("xor", np.bitwise_xor.reduce(SIGNED))]:
    case("redux.sync", f"""    %seven = llvm.mlir.constant(7 : i32) : i32
    %less = llvm.mlir.constant(-100 : i32) : i32
    %m = llvm.mul %tid, %seven : i32
    %v = llvm.add %m, %less : i32
    %x = nvvm.redux.sync {kind} %v, %all : i32 -> i32
""" + store("x"), lambda a, b, want=want: np.full(32, np.array(want).astype(np.uint32), np.uint32).view(np.int32), "redux.sync")
case("elect.sync", """    %p = nvvm.elect.sync -> i1
    %x = llvm.zext %p : i1 to i32
    %sum = nvvm.redux.sync add %x, %all : i32 -> i32
""" + store("sum"), lambda a, b: np.ones(32), "elect.sync")

# --- mbarriers: thread 0 makes one behind the slots, all arrive and wait, then each reads its peer's slot
MBARRIER = """    %bar = llvm.getelementptr %s[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %gbar = llvm.addrspacecast %bar : !llvm.ptr<3> to !llvm.ptr
    {init}
    nvvm.barrier0
    llvm.store %tid, %slot : i32, !llvm.ptr<3>
    {arrive}
    llvm.br ^wait
  ^wait:
    {wait}
  ^done:
    %x = llvm.load %peer : !llvm.ptr<3> -> i32
    nvvm.barrier0
    {inval}
""" + store("x")
for suffix, ptr, bar in [(".shared", "!llvm.ptr<3>", "%bar"), ("", "!llvm.ptr", "%gbar")]:
    arrive = f"%state = nvvm.mbarrier.arrive{suffix} {bar} : {ptr} -> i64"
    test = f"%ok = nvvm.mbarrier.test.wait{suffix} {bar}, %state : {ptr}, i64 -> i1\n    llvm.cond_br %ok, ^done, ^wait"
    parity = f"nvvm.mbarrier.try_wait.parity{suffix} {bar}, %c0, %many : {ptr}, i32, i32\n    llvm.br ^done"
    init = f"nvvm.mbarrier.init{suffix} {bar}, %c32, predicate = %is0 : {ptr}, i32, i1"
    inval = f"llvm.cond_br %is0, ^last, ^end\n  ^last:\n    nvvm.mbarrier.inval{suffix} {bar} : {ptr}\n    llvm.br ^end\n  ^end:"
    names = lambda *rows: " ".join(f"mbarrier.{row}{suffix}" for row in rows)
    case(names("init", "arrive", "test.wait", "inval"), MBARRIER.format(init=init, arrive=arrive, wait=test, inval=inval), lambda a, b: TURNED,
         ("mbarrier.init", "mbarrier.arrive", "mbarrier.test_wait", "mbarrier.inval"))
    case(names("try_wait.parity"), MBARRIER.format(init=init, arrive=arrive, wait=parity, inval=inval), lambda a, b: TURNED, "mbarrier.try_wait")
    case(names("arrive.expect_tx"), MBARRIER.format(
        init=init, arrive=f"nvvm.mbarrier.arrive.expect_tx{suffix} {bar}, %c0 : {ptr}, i32", wait=parity, inval=inval),
        lambda a, b: TURNED, "mbarrier.arrive.expect_tx")
    case(names("arrive.nocomplete"), MBARRIER.format(
        init=init.replace("%c32", "%c64"), wait=test, inval=inval, arrive=f"%s0 = nvvm.mbarrier.arrive.nocomplete{suffix} {bar}, %c1 : {ptr}, i32 -> i64\n"
        f"    nvvm.barrier0\n    {arrive}"), lambda a, b: TURNED, "mbarrier.arrive.noComplete")
    case(names("init"), MBARRIER.format(init=f"llvm.cond_br %is0, ^first, ^all\n  ^first:\n    nvvm.mbarrier.init{suffix} {bar}, %c32 : {ptr}, i32\n"
                                        "    llvm.br ^all\n  ^all:", arrive=arrive, wait=test, inval=inval), lambda a, b: TURNED)
case("fence.mbarrier.init fence.proxy", "    nvvm.fence.mbarrier.init\n" + "".join(
    f"    nvvm.fence.proxy {{kind = #nvvm.proxy_kind<{kind}>{space}}}\n" for kind, space in
    [("alias", ""), ("async", ""), ("async.global", ""), ("async.shared", ", space = #nvvm.shared_space<cta>"),
     ("async.shared", ", space = #nvvm.shared_space<cluster>")]) + store("tid"), lambda a, b: LANES,
     ("fence.mbarrier_init.release.cluster;", "fence.proxy.alias;", "fence.proxy.async;", "fence.proxy.async.global;",
      "fence.proxy.async.shared::cta;", "fence.proxy.async.shared::cluster;"))

# --- asynchronous copies
WORDS = DRAW.integers(-1000, 1000, 256).astype(np.int32)
COPY = """    %bytes = llvm.mul %tid, {step} : i32
    %to = llvm.getelementptr %s[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %from = llvm.getelementptr %a[%bytes] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    nvvm.cp.async.shared.global %to, %from, {size}, cache = {cache}{rest} : !llvm.ptr<3>, !llvm.ptr<1>{type}
    {wait}
    nvvm.barrier0
    %at16 = llvm.mul %tid, {step} : i32
    %value = llvm.load %to : !llvm.ptr<3> -> {value}
    %where = llvm.getelementptr %out[%bytes] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    llvm.store %value, %where : {value}, !llvm.ptr<1>
"""
GROUP = "nvvm.cp.async.commit.group\n    nvvm.cp.async.wait.group 0"
for size, cache in [(4, "ca"), (8, "ca"), (16, "ca"), (16, "cg")]:
    value, step = {4: ("i32", "%four"), 8: ("vector<2xi32>", "%eight"), 16: ("vector<4xi32>", "%c16")}[size]
    consts = "    %four = llvm.mlir.constant(4 : i32) : i32\n    %eight = llvm.mlir.constant(8 : i32) : i32\n"
    rows = "cp.async.shared.global cp.async.commit.group cp.async.wait.group"
    case(rows, consts + COPY.format(size=size, cache=cache, step=step, wait=GROUP, value=value, rest="", type=""),
         lambda a, b, size=size: a[:8 * size], (f"cp.async.{cache}.shared.global", "cp.async.commit_group", "cp.async.wait_group"),
         a=WORDS, size=8 * size)
    # No source bytes for odd lanes: zeros.
    case("cp.async.shared.global", consts + "    %odd = llvm.and %tid, %c1 : i32\n    %even = llvm.sub %c1, %odd : i32\n"
         f"    %n = llvm.mul %even, {step} : i32\n" + COPY.format(size=size, cache=cache, step=step, wait=GROUP, value=value, rest=", %n", type=", i32"),
         lambda a, b, size=size: np.where(np.arange(8 * size) // (size // 4) % 2, 0, a[:8 * size]), a=WORDS, size=8 * size)
# The end of copies counts at an mbarrier.
for suffix, ptr, bar in [(".shared", "!llvm.ptr<3>", "%bar"), ("", "!llvm.ptr", "%gbar")]:
    wait = f"""nvvm.cp.async.mbarrier.arrive{suffix} {bar} {{noinc = true}} : {ptr}
    nvvm.mbarrier.try_wait.parity.shared %bar, %c0, %many : !llvm.ptr<3>, i32, i32"""
    body = """    %bar = llvm.getelementptr %s[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %gbar = llvm.addrspacecast %bar : !llvm.ptr<3> to !llvm.ptr
    nvvm.mbarrier.init.shared %bar, %c32, predicate = %is0 : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
""" + COPY.format(size=16, cache="cg", step="%c16", wait=wait, value="vector<4xi32>", rest="", type="")
    case("cp.async.mbarrier.arrive" + suffix, body, lambda a, b: a[:128], "cp.async.mbarrier.arrive.noinc", a=WORDS, size=128)

# --- tiles of tensors: a tile of 8 x 32 words from the second row and column on, to shared memory and from there to another tensor
TILE = DRAW.integers(-1000, 1000, (16, 64)).astype(np.int32)
case("cp.async.bulk.tensor.shared.cluster.global prefetch.tensormap", """    %bar = llvm.getelementptr %s[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %bytes = llvm.mlir.constant(1024 : i32) : i32
    nvvm.prefetch.tensormap %map, predicate = %is0 : !llvm.ptr, i1
    nvvm.mbarrier.init.shared %bar, %c1, predicate = %is0 : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.barrier0
    nvvm.mbarrier.arrive.expect_tx.shared %bar, %bytes, predicate = %is0 : !llvm.ptr<3>, i32, i1
    nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %map, %bar, box[%c1, %c1] predicate = %is0 : !llvm.ptr<3>, !llvm.ptr
    nvvm.mbarrier.try_wait.parity.shared %bar, %c0, %many : !llvm.ptr<3>, i32, i32
""" + "".join(f"""    %i{k}a = llvm.mlir.constant({32 * k} : i32) : i32
    %i{k} = llvm.add %tid, %i{k}a : i32
    %p{k} = llvm.getelementptr %s[%i{k}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %q{k} = llvm.getelementptr %out[%i{k}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v{k} = llvm.load %p{k} : !llvm.ptr<3> -> i32
    llvm.store %v{k}, %q{k} : i32, !llvm.ptr<1>
""" for k in range(8)), lambda a, b: a[1:9, 1:33], ("cp.async.bulk.tensor.2d.shared::cluster.global", "prefetch.tensormap"), a=TILE,
     map=("a", [64, 16]), size=256)
case("cp.async.bulk.tensor.global.shared.cta cp.async.bulk.commit.group cp.async.bulk.wait_group", "".join(f"""    %i{k}a = llvm.mlir.constant({32 * k} : i32) : i32
    %i{k} = llvm.add %tid, %i{k}a : i32
    %p{k} = llvm.getelementptr %s[%i{k}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %i{k}, %p{k} : i32, !llvm.ptr<3>
""" for k in range(8)) + """    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %s, box[%c0, %c0], predicate = %is0 : !llvm.ptr, !llvm.ptr<3>, i32, i32, i1
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
    nvvm.cp.async.bulk.wait_group 0
""", lambda a, b: np.arange(256), ("cp.async.bulk.tensor.2d.global.shared::cta", "cp.async.bulk.commit_group", "cp.async.bulk.wait_group.read",
                                   "cp.async.bulk.wait_group "), map=("out", [32, 8]), size=256)

# --- matrices of 8 x 8 halves: row r of matrix m lies at 128 m + 16 r
HALVES = DRAW.integers(0, 2**15, (4, 8, 8)).astype(np.uint16)


def spread(matrices):
    """What lanes hold of each matrix: row lane / 4, columns 2 (lane % 4) and the next."""
    return matrices.reshape(-1, 32, 2).view(np.int32).reshape(-1, 32).T


STAGE = "".join(f"""    %w{k}c = llvm.mlir.constant({32 * k} : i32) : i32
    %w{k}i = llvm.add %tid, %w{k}c : i32
    %w{k}p = llvm.getelementptr %a[%w{k}i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %w{k}q = llvm.getelementptr %s[%w{k}i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %w{k} = llvm.load %w{k}p : !llvm.ptr<1> -> i32
    llvm.store %w{k}, %w{k}q : i32, !llvm.ptr<3>
""" for k in range(4)) + """    nvvm.barrier0
    %rowbytes = llvm.mul %tid, %c16 : i32
    %row = llvm.getelementptr %s[%rowbytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
"""
for num in (1, 2, 4):
    for layout in ("row", "col"):
        type = "i32" if num == 1 else "!llvm.struct<(" + ", ".join(["i32"] * num) + ")>"
        body = STAGE + f"    %m = nvvm.ldmatrix %row {{layout = #nvvm.mma_layout<{layout}>, num = {num} : i32}} : (!llvm.ptr<3>) -> {type}\n"
        body += "    %first = llvm.mul %tid, %num : i32\n" if num > 1 else "    %first = llvm.mul %tid, %c1 : i32\n"
        body = f"    %num = llvm.mlir.constant({num} : i32) : i32\n" + body
        for i in range(num):
            body += f"    %v{i} = llvm.extractvalue %m[{i}] : {type}\n" if num > 1 else "    %v0 = llvm.mul %m, %c1 : i32\n"
            body += f"""    %o{i}c = llvm.mlir.constant({i} : i32) : i32
    %o{i}i = llvm.add %first, %o{i}c : i32
    %o{i} = llvm.getelementptr %out[%o{i}i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v{i}, %o{i} : i32, !llvm.ptr<1>
"""
        case("ldmatrix", body, lambda a, b, num=num, layout=layout: spread(np.ascontiguousarray(
            a[:num] if layout == "row" else a[:num].transpose(0, 2, 1))), f"ldmatrix.sync.aligned.m8n8.x{num}", a=HALVES, size=32 * num)
        values = ", ".join(f"%w{i}" for i in range(num))
        body = STAGE + "    nvvm.barrier0\n" + f"    nvvm.stmatrix %row, {values} {{layout = #nvvm.mma_layout<{layout}>}} : !llvm.ptr<3>" + ", i32" * num
        body += "\n    nvvm.barrier0\n" + "".join(f"""    %r{k} = llvm.load %w{k}q : !llvm.ptr<3> -> i32
    %o{k} = llvm.getelementptr %out[%w{k}i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %r{k}, %o{k} : i32, !llvm.ptr<1>
""" for k in range(num))
        case("stmatrix", body, lambda a, b, num=num, layout=layout: np.ascontiguousarray(
            a[:num] if layout == "row" else a[:num].transpose(0, 2, 1)).view(np.int32), f"stmatrix.sync.aligned.m8n8.x{num}", a=HALVES, size=32 * num)


def registers_of(matrix, rows, k_words):
    """Registers of an operand whose rows hold words of packed k: lane g, t has word t of row g, then rows + 8, then words + 4."""
    words = np.ascontiguousarray(matrix).view(np.int32)
    return np.stack([words[8 * i + np.arange(32) // 4, 4 * j + np.arange(32) % 4]
                     for j in range(k_words // 4) for i in range(rows // 8)])


# Shape and types, the attributes of the op, elements; registers of A, B and C as LLVM has them.
PRODUCTS = [
    ("f16", 16, "", np.float16, "vector<2xf16>", "f32"), ("f16", 8, "", np.float16, "vector<2xf16>", "f32"),
    ("f16", 16, "", np.float16, "vector<2xf16>", "f16"),
    ("bf16", 16, "bf16", BF16, "i32", "f32"), ("bf16", 8, "bf16", BF16, "i32", "f32"),
    ("tf32", 8, "tf32", np.float32, "i32", "f32"), ("tf32", 4, "tf32", np.float32, "i32", "f32"),
    ("s8", 32, "s8", np.int8, "i32", "s32"), ("s8", 16, "s8", np.int8, "i32", "s32"), ("u8", 32, "u8", np.uint8, "i32", "s32"),
]
for name, k, ptx_type, dtype, reg, acc in PRODUCTS:
    a = DRAW.integers(-3, 4, (16, k)).astype(dtype) if acc != "s32" else DRAW.integers(0 if name == "u8" else -100, 100, (16, k)).astype(dtype)
    b = DRAW.integers(-3, 4, (8, k)).astype(dtype) if acc != "s32" else DRAW.integers(0 if name == "u8" else -100, 100, (8, k)).astype(dtype)
    words = k * np.dtype(dtype).itemsize // 4
    na, nb = words // 4 * 2, words // 4
    body, args = "", {"a": [], "b": []}
    for side, count in (("a", na), ("b", nb)):
        for i in range(count):
            body += f"""    %{side}{i}c = llvm.mlir.constant({32 * i} : i32) : i32
    %{side}{i}i = llvm.add %tid, %{side}{i}c : i32
    %{side}{i}p = llvm.getelementptr %{side}[%{side}{i}i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %{side}{i} = llvm.load %{side}{i}p : !llvm.ptr<1> -> {reg}
"""
            args[side].append(f"%{side}{i}")
    one = {"f32": "llvm.mlir.constant(1.0 : f32) : f32", "s32": "llvm.mlir.constant(1 : i32) : i32",
           "f16": "llvm.mlir.constant(dense<1.0> : vector<2xf16>) : vector<2xf16>"}[acc]
    c_type = {"f32": "f32", "s32": "i32", "f16": "vector<2xf16>"}[acc]
    num = 2 if acc == "f16" else 4
    struct = "!llvm.struct<(" + ", ".join([c_type] * num) + ")>"
    attrs = "" if not ptx_type else f"multiplicandAPtxType = #nvvm.mma_type<{ptx_type}>, multiplicandBPtxType = #nvvm.mma_type<{ptx_type}>, "
    attrs += "intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, " if acc == "s32" else ""
    body += f"    %one = {one}\n    %d = nvvm.mma.sync A[{', '.join(args['a'])}] B[{', '.join(args['b'])}] C[{', '.join(['%one'] * num)}] "
    body += f"{{{attrs}layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = {k}>}} : "
    body += f"({reg}, {reg}, {c_type}) -> {struct}\n"
    for i in range(num):
        body += f"""    %v{i} = llvm.extractvalue %d[{i}] : {struct}
    %o{i}c = llvm.mlir.constant({32 * i} : i32) : i32
    %o{i}i = llvm.add %tid, %o{i}c : i32
    %o{i} = llvm.getelementptr %out[%o{i}i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v{i}, %o{i} : {c_type}, !llvm.ptr<1>
"""
    product = a.astype(np.float64) @ b.astype(np.float64).T + 1

    def meaning(*_, product=product, acc=acc):
        g, t = np.arange(32) // 4, np.arange(32) % 4
        if acc == "f16":
            return np.stack([product[8 * i + g[:, None], 2 * t[:, None] + np.arange(2)] for i in range(2)]).astype(np.float16).reshape(-1)
        return np.stack([product[8 * (i // 2) + g, 2 * t + i % 2] for i in range(4)])
    case("mma.sync", body, meaning, f"mma.sync.aligned.m16n8k{k}.row.col.", a=registers_of(a, 16, words), b=registers_of(b, 8, words),
         dtype={"f32": np.float32, "s32": np.int32, "f16": np.float16}[acc], size=128)

H8 = "!llvm.struct<(" + ", ".join(["vector<2xf16>"] * 8) + ")>"
F8 = "!llvm.struct<(" + ", ".join(["f32"] * 8) + ")>"
body = f"""    %fa = nvvm.wmma.load %a, %c16 {{eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32}} : (!llvm.ptr<1>) -> {H8}
    %fb = nvvm.wmma.load %b, %c16 {{eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<b>, k = 16 : i32, layout = #nvvm.mma_layout<col>, m = 16 : i32, n = 16 : i32}} : (!llvm.ptr<1>) -> {H8}
    %one = llvm.mlir.constant(1.0 : f32) : f32
"""
for side in "ab":
    for i in range(8):
        body += f"    %{side}{i} = llvm.extractvalue %f{side}[{i}] : {H8}\n"
body += "    %d = nvvm.wmma.mma " + ", ".join([f"%a{i}" for i in range(8)] + [f"%b{i}" for i in range(8)] + ["%one"] * 8)
body += " {eltypeA = #nvvm.mma_type<f16>, eltypeB = #nvvm.mma_type<f32>, k = 16 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, m = 16 : i32, n = 16 : i32} : ("
body += ", ".join(["vector<2xf16>"] * 16 + ["f32"] * 8) + f") -> {F8}\n"
for i in range(8):
    body += f"    %d{i} = llvm.extractvalue %d[{i}] : {F8}\n"
body += "    nvvm.wmma.store %out, %c16, " + ", ".join(f"%d{i}" for i in range(8))
body += " {eltype = #nvvm.mma_type<f32>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr<1>, " + ", ".join(["f32"] * 8) + "\n"
# The interpreter has no wmma: the text is looked at, and assembled.
case("wmma.load wmma.mma wmma.store", body, None, ("wmma.load.a.sync.aligned.row.m16n16k16", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
                                                   "wmma.store.d.sync.aligned.row.m16n16k16"), run=False)

# --- products of a warpgroup: 64 x 8 x 16, both operands in shared memory without swizzle, 8 x 8 cores of 128 bytes. The accumulators are
# not read: what LLVM moves into their registers behind the fence would be an error.
for acc, element, dtype, negate in [("f32", "bf16", BF16, "one"), ("f32", "f16", np.float16, "neg")]:
    a, b = DRAW.integers(-3, 4, (64, 16)).astype(dtype), DRAW.integers(-3, 4, (8, 16)).astype(dtype)
    cores = lambda x: np.ascontiguousarray(x.reshape(-1, 8, 2, 8).transpose(0, 2, 1, 3)).view(np.int32).reshape(-1)
    staged = np.concatenate([cores(a), cores(b)])  # 512 words of A, 64 of B
    body = "".join(f"""    %w{k}c = llvm.mlir.constant({128 * k} : i32) : i32
    %w{k}i = llvm.add %tid, %w{k}c : i32
    %w{k}p = llvm.getelementptr %a[%w{k}i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %w{k}q = llvm.getelementptr %s[%w{k}i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %w{k} = llvm.load %w{k}p : !llvm.ptr<1> -> i32
    llvm.store %w{k}, %w{k}q : i32, !llvm.ptr<3>
""" for k in range(5)) + """    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %address = llvm.ptrtoint %s : !llvm.ptr<3> to i64
    %four = llvm.mlir.constant(4 : i64) : i64
    %base = llvm.lshr %address, %four : i64
    %offsets = llvm.mlir.constant(""" + str((8 << 16) | (16 << 32)) + """ : i64) : i64
    %bstart = llvm.mlir.constant(128 : i64) : i64
    %da = llvm.add %base, %offsets : i64
    %db = llvm.add %da, %bstart : i64
    %u = llvm.mlir.undef : !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.fence.aligned
""" + f"""    %d = nvvm.wgmma.mma_async %da, %db, %u, #nvvm.shape<m = 64, n = 8, k = 16>, D[#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<zero>],
      A[#nvvm.wgmma_type<{element}>, #nvvm.wgmma_scale_in<{negate}>, #nvvm.mma_layout<row>],
      B[#nvvm.wgmma_type<{element}>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
""" + "".join(f"""    %v{i} = llvm.extractvalue %d[{i}] : !llvm.struct<(f32, f32, f32, f32)>
    %o{i}c = llvm.mlir.constant({128 * i} : i32) : i32
    %o{i}i = llvm.add %tid, %o{i}c : i32
    %o{i} = llvm.getelementptr %out[%o{i}i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v{i}, %o{i} : f32, !llvm.ptr<1>
""" for i in range(4))
    product = (-1 if negate == "neg" else 1) * (a.astype(np.float64) @ b.astype(np.float64).T)

    def meaning(*_, product=product):
        lane, warp = np.arange(128) % 32, np.arange(128) // 32
        return np.stack([product[16 * warp + 8 * (i // 2) + lane // 4, 2 * (lane % 4) + i % 2] for i in range(4)])
    case("wgmma.fence.aligned wgmma.mma_async wgmma.commit.group.sync.aligned wgmma.wait.group.sync.aligned", body, meaning,
         ("wgmma.fence.sync.aligned", f"wgmma.mma_async.sync.aligned.m64n8k16.f32.{element}.{element}", "wgmma.commit_group", "wgmma.wait_group"),
         threads=128, a=np.concatenate([staged, np.zeros(64, np.int32)]), dtype=np.float32, size=512)

# --- the rest
case("rcp.approx.ftz.f", """    %i = llvm.add %tid, %c1 : i32
    %f = llvm.sitofp %i : i32 to f32
    %x = nvvm.rcp.approx.ftz.f %f : f32
""" + store("x", "f32"), lambda a, b: 1 / (LANES + 1), "rcp.approx.ftz.f32", dtype=np.float32)
case("setmaxregister", "    nvvm.setmaxregister decrease 40\n    nvvm.setmaxregister increase 232\n" + store("tid"), lambda a, b: np.arange(128),
     ("setmaxnreg.dec.sync.aligned.u32 40", "setmaxnreg.inc.sync.aligned.u32 232"), threads=128)
case("griddepcontrol.wait griddepcontrol.launch.dependents", "    nvvm.griddepcontrol.wait\n" + store("tid") + "    nvvm.griddepcontrol.launch.dependents\n",
     lambda a, b: LANES, ("griddepcontrol.wait;", "griddepcontrol.launch_dependents;"))


def module_text():
    text = ["gpu.module @kernels {", "  llvm.mlir.global internal @shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<8192 x i8>"]
    for i, c in enumerate(CASES):
        text += [HEAD.format(name=f"k{i}", threads=c["threads"]) + c["body"] + "    llvm.return\n  }"]
    return "\n".join(text + ["}"]) + "\n"


def bodies(ptx):
    parts = re.split(r"\.visible \.entry (\w+)", ptx)
    return dict(zip(parts[1::2], parts[2::2]))


def check(device, module, ptx, i, c):
    for text in c["ptx"]:
        assert text in ptx, f"no '{text}' in its PTX"
    if not c["run"]:
        return
    for seed in (0, 5):
        out = device.alloc(c["size"] * np.dtype(c["dtype"]).itemsize)
        a, b = (device.put(x) if x is not None else 0 for x in (c["a"], c["b"]))
        tensor = 0
        if c["map"]:
            tensor = device.put(np.frombuffer(device.tensor_map("s32", a if c["map"][0] == "a" else out, c["map"][1], [32, 8]), np.uint8))
        device.launch(module, f"k{i}", c["grid"], (c["threads"],), [out, a, b, tensor], cluster=c["cluster"], seed=seed)
        got = device.get(out, c["size"], c["dtype"])
        want = np.asarray(c["meaning"](c["a"], c["b"])).reshape(-1).astype(c["dtype"])
        assert np.allclose(got, want, rtol=1e-6), f"seed {seed}: {got[:16]} is not {want[:16]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True)
    args = parser.parse_args()
    rows = re.findall(r"op: ([\w.*]+)", TABLE.read_text().split("instructions:")[1])
    shown = {row for c in CASES for row in c["rows"]}
    faults = [f"{row}: no case shows it" for row in rows if row not in shown] + [f"{row}: no such row" for row in sorted(shown - set(rows))]
    with tempfile.TemporaryDirectory() as folder:
        text, lowered, out = (Path(folder) / name for name in ("k.mlir", "l.mlir", "k.ptx"))
        text.write_text(module_text())
        for command in ([args.bin / "mlc-opt", text, "--convert-nvvm-to-llvm", "-o", lowered],
                        [args.bin / "mlc-translate", lowered, "--export-ptx", "--target=cuda-sm_90a", "-o", out]):
            result = call(*command)
            assert result.code == 0, result.err
        if shutil.which("ptxas"):
            done = subprocess.run(["ptxas", "-arch=sm_90a", out, "-o", "/dev/null"], capture_output=True, text=True)
            faults += [f"ptxas: {line}" for line in (done.stdout + done.stderr).splitlines() if done.returncode]
        kernels = bodies(out.read_text())
        device = Device(args.library)
        text = out.read_text()
        for i, c in enumerate(CASES):
            if not c["run"]:  # nothing that the interpreter knows
                text = text.replace(f".visible .entry k{i}" + kernels[f"k{i}"], "")
        module = device.load(text)
        for i, c in enumerate(CASES):
            try:
                check(device, module, kernels[f"k{i}"], i, c)
            except (AssertionError, PtxError) as fault:
                faults.append(f"{' '.join(c['rows'])} (k{i}): {fault}")
        device.close()
    for fault in faults:
        print(fault)
    print(f"{len(rows)} rows, {len(CASES)} cases, {len(faults)} failed")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
