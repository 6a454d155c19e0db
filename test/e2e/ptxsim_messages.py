"""Every message of the PTX interpreter: texts that are wrong, and kernels that do wrong.

    python ptxsim_messages.py --library build/release/lib/libmlc_ptxsim.so

A case is the body of a kernel and what must be said, at the line that has a comment `// here`. Run-time errors must be told without
a seed and with three of them.
"""
import argparse
import sys

from ptxsim import Device, PtxError

HEAD = ".version 8.0\n.target sm_90a\n.address_size 64\n"
REGISTERS = """.reg .pred p, q; .reg .b16 %rs<9>; .reg .b32 %r<40>; .reg .f32 %f<40>; .reg .b64 %rd<40>; .reg .f64 %fd<9>;
mov.u32 %r30, %tid.x; ld.param.u64 %rd30, [a]; mul.wide.u32 %rd31, %r30, 4; add.s64 %rd31, %rd31, %rd30; setp.eq.u32 p, %r30, 0;
"""


def kernel(body, params=".param .u64 a", outside="", limits=""):
    return f"{HEAD}{outside}\n.visible .entry k({params}) {limits} {{\n{REGISTERS}{body}\nret;\n}}\n"


# (body, message, what kernel() takes besides)
TEXTS = [
    ("wmma.load.a.sync.aligned.row.m16n16k4.f16 {%r1}, [%rd30], %r2; // here", "has no such shape", {}),
    ("wmma.load.a.sync.aligned.row.m16n16k16.f32 {%r1}, [%rd30], %r2; // here", "is not there for these types and this shape", {}),
    ("wmma.store.a.sync.aligned.row.m16n16k16.f16 [%rd30], {%r1}, %r2; // here", "is not there for these types and this shape", {}),
    ("wmma.mma.sync.aligned.row.col.m16n16k16.s32.f16.f16.s32 {%r1}, {%r1}, {%r1}, {%r1}; // here", "is not there for these types and this shape", {}),
    ("add %r1, %r2, %r3; // here", "'add' names no type", {}),
    ("add.f32x %r1, %r2, %r3; // here", "'add.f32x' names no type", {}),
    (".reg .b32 %z<70000>; // all of them\n" + "\n".join(f"mov.b32 %z{i}, 0;" for i in range(65530)) + "\nmov.b32 %z65531, 0;" * 1 +
     "\n" + "\n".join(f"mov.b32 %z{i}, 0;" for i in range(65532, 65545)), "is about more than 65536 registers", {}),
    ("add.u32 %r1, p, %r3; // here", "takes no predicate: 'p'", {}),
    ("add.u32 %r1, %rd1, %r3; // here", "takes 32 bits, and '%rd1' has 64", {}),
    ("add.u32 5, %r1, %r3; // here", "'add.u32' needs a register here", {}),
    ("setp.eq.u32 %r1, %r1, %r3; // here", "'setp.eq.u32' needs a predicate here", {}),
    ("selp.u32 %r1, %r1, %r3, %r4; // here", "'selp.u32' needs a predicate here", {}),
    ("add.f32 %f1, %f1, 1; // here", "'add.f32' needs a float here", {}),
    ("add.f64 %fd1, %fd1, 0f3f800000; // here", "has a float of another width", {}),
    ("add.u32 %r1, %r1, %nothing; // here", "names what is not declared: '%nothing'", {}),
    ("add.u32 %r1, %r1, [a]; // here", "needs a register or a number here", {}),
    ("ld.global.u32 %r1, %rd30; // here", "needs an address here", {}),
    ("ld.global.u32 %r1, [%rs1]; // here", "needs an address of 32 or 64 bits: '%rs1'", {}),
    ("ld.global.u32 %r1, [%rd99]; // here", "names what is not declared: '%rd99'", {}),
    ("ld.global.u32 %r1, [%rd30, {%r1}]; // here", "takes no coordinates", {}),
    ("lop3.b32 %r1, %r1, %r2, %r3, %r4; // here", "needs a constant here", {}),
    ("ld.global.v4.u32 {%r1, %r2}, [%rd30]; // here", "takes 4 registers here, got 2", {}),
    ("ld.global.u32 %r1; // here", "takes 2 operands, got 1", {}),
    ("add.u32 %r1, %r1; // here", "takes 3 operands, got 2", {}),
    ("@%r1 add.u32 %r1, %r1, 1; // here", "is guarded by what is no predicate: '%r1'", {}),
    ("frobnicate.u32 %r1, %r1; // here", "is no instruction that is known here", {}),
    ("add.u32.soft %r1, %r1, 1; // here", "has a modifier that is not known here: '.soft'", {}),
    ("add.u32 " + ", ".join(["%r1"] * 40) + "; // here", "has too many operands", {}),
    (".reg .b128 %q<2>; // here", "registers of type 'b128' are not there", {}),
    (".shared .align 3 .b8 s[16]; // here", "'s' must be aligned to a power of 2", {}),
    (".global .b8 g[16]; // here", "a variable in .global in a function is not supported", {}),
    (".shared .b8 s[999999]; // here", "'s' has 999999 bytes, more than are left", {}),
    ("", "parameters take more than 32764 bytes at 'b'", {"params": ".param .u64 a, .param .b8 b[32760]"}),
    ("bra 5; // here", "needs a label here", {}),
    ("bra L; // here", "goes to a label that is not there: 'L'", {}),
    ("L: L: // here\n", "label 'L' is there already", {}),
    ("ld.global.pred p, [%rd30]; // here", "is not there for this type", {}),
    ("atom.global.u32 %r1, [%rd30], %r2; // here", "does not say what it does", {}),
    ("atom.global.and.f32 %f1, [%rd30], %f2; // here", "is not there for this type", {}),
    ("bfe.f32 %f1, %f2, %r1, %r2; // here", "is not there for this type", {}),
    ("bfind.shiftamt.u32 %r1, %r2; // here", "is not known with '.shiftamt'", {}),
    ("add.rz.f16 %rs1, %rs2, %rs3; // here", "rounds halves to nearest only", {}),
    ("testp.f32 p, %f1; // here", "does not say what it asks", {}),
    ("setp.u32 p, %r1, %r2; // here", "does not say how it compares", {}),
    ("cvt.s32.f32 %r1, %f1; // here", "needs a rounding: '.rni' or another", {}),
    ("cvt.rn.f16x2.f16 %r1, %rs1; // here", "is not there between these types", {}),
    ("mov.b32 {%rs1, %rs2, %rs3}, %r1; // here", "packs 2 or 4 registers", {}),
    ("call f; // here", "'call' is not supported", {}),
    ("", "'v' has more values than elements", {"outside": ".global .u32 v[1] = {1, 2};"}),
    ("", "there is no variable 'w'", {"outside": ".global .u64 v[1] = {w};"}),
    ("", "variable 'v' is there already", {"outside": ".global .u64 v[1]; .global .u64 v[1];"}),
    ("", "'v' has more than 2^36 bytes", {"outside": ".global .u64 v[1099511627776];"}),
    ("", "'v' has more than 2^40 elements", {"outside": ".global .u64 v[1099511627776][7];"}),
    ("", "'.maxntid' must say 1 to 1024 threads", {"limits": ".maxntid 2000, 1, 1"}),
    ("", "kernel 'k' is there already", {"outside": ".entry k() { ret; }"}),
    ("add.u32 %r1, %r1; }; // here", "syntax error, unexpected ';'", {}),
]
S = "\n.shared .align 16 .b8 s[1024]; mov.u32 %r20, s; shl.b32 %r21, %r30, 2; add.u32 %r22, %r20, %r21;\n"
# (body, launch, message, note or None); blocks have 64 threads, a is a buffer of 64 words that are written.
RUNS = [
    ("ld.global.u32 %r1, [%rd31+4096]; // here", {}, "are in no global memory: beyond the end of some", None),
    ("ld.global.u32 %r1, [%rd31+248]; // here", {}, "are in no global memory", None),
    ("mov.u64 %rd1, 16; ld.global.u32 %r1, [%rd1]; // here", {}, "4 bytes at 0x10 are in no global memory", None),
    ("ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd30+248]; // here", {}, "is no multiple of 16", None),
    ("ld.global.v2.u64 {%rd1,%rd2}, [%rd30+240]; ld.global.u64 %rd1, [%rd30+256]; // here", {}, "are in no global memory", None),
    ("ld.param.u64 %rd2, [b]; ld.global.u64 %rd1, [%rd2]; // here", {"params": 2},
     "8 bytes at 0x200002000 run over the end of 4 bytes at 0x200002000", None),
    ("mov.u64 %rd1, c; mov.u32 %r1, 1; st.global.u32 [%rd1], %r1; // here", {"outside": ".const .u32 c[4];"},
     "is in constant memory, which kernels do not write", None),
    (S + "ld.shared.u32 %r1, [%r20+1024]; // here", {}, "are outside the block's 1024 bytes of shared memory", None),
    ("mov.u32 %r1, 16; st.shared.u32 [%r1], %r1; // here", {}, "4 bytes at 0x10 are outside the block's 0 bytes of shared memory", None),
    (S + "add.u32 %r1, %r20, 83886080; ld.shared::cluster.u32 %r2, [%r1]; // here", {}, "is in the shared memory of no block of the cluster", None),
    (".local .align 8 .b8 l[16]; mov.u64 %rd1, l; ld.local.u32 %r1, [%rd1+16]; // here", {}, "are outside the thread's 16 bytes of local memory", None),
    (".local .align 8 .b8 l[16]; mov.u64 %rd1, l; ld.local.u32 %r1, [%rd1+4]; // here", {}, "reads local memory that was never written", None),
    (S + "ld.shared.u32 %r1, [%r22]; // here", {}, "reads shared memory that was never written", None),
    ("ld.param.u64 %rd2, [b]; ld.global.u32 %r1, [%rd2]; // here", {"params": 2}, "reads global memory that was never written", None),
    ("mov.u64 %rd1, a; ld.param.u64 %rd2, [%rd1+64]; // here", {}, "are outside the 8 bytes of parameters", None),
    ("mov.b64 %rd1, a; cvta.param.u64 %rd2, %rd1; mov.u32 %r1, 0; st.u32 [%rd2], %r1; // here", {}, "parameters of a kernel are not written", None),
    ("add.u32 %r1, %r2, 1; st.global.u32 [%rd31], %r1; // here", {}, "register '%r1' is read before it is written", None),
    ("@!p mov.u32 %r2, 1;\nshfl.sync.idx.b32 %r3, %r2, 0, 31, -1;\nadd.u32 %r1, %r3, 1; st.global.u32 [%rd31], %r1; // here", {}, "'st.global.u32' in thread (0,0,0) of block (0,0,0): register '%r1' is read before", None),
    ("@q bra L; // here\nL:", {}, "register 'q' is read before it is written", None),
    ("trap; // here", {}, "the kernel gives up here", None),
    ("L: bra L; // here", {"max_steps": 100000}, "no end after 10", None),
    ("bar.sync 16; // here", {}, "barrier 16: there are 16", None),
    ("bar.sync 1, 33; // here", {}, "33 threads: expected a multiple of 32, at most 64", None),
    ("setp.lt.u32 q, %r30, 32;\n@q bra A;\nbar.sync 1, 64; // here\nA: bar.sync 1, 96; // or here", {"block": 128, "any": True},
     "threads, and this asks for", None),
    ("@p bar.sync 1; // here", {}, "deadlock: nobody can go on: warp 0 of block (0,0,0) waits at 'bar.sync' for ", None),
    ("setp.lt.u32 q, %r30, 32;\n@q bar.sync 1; // here\n@!q bar.sync 2; // also", {},
     "deadlock: nobody can go on: warp 0 of block (0,0,0) waits at 'bar.sync' for barrier 1",
     "warp 1 of block (0,0,0) waits at 'bar.sync' for barrier 2"),
    ("and.b32 %r1, %r30, 31; setp.lt.u32 q, %r1, 16;\n@q bra A;\nbar.sync 0; // here\nbra B;\nA: bar.warp.sync 0xffffffff; // or here\nB:", {},
     "lanes of its warp, mask 0x", None),
    ("and.b32 %r1, %r30, 31; setp.lt.u32 q, %r1, 16;\n@q bar.warp.sync 0xffff0000; // here", {}, "the lane is not in its own mask 0xffff0000", None),
    ("and.b32 %r1, %r30, 31; setp.lt.u32 q, %r1, 16;\n@q shfl.sync.idx.b32 %r2, %r30, 20, 31, 0xffff; // here", {},
     "takes its value from lane 20, which does not take part", None),
    ("barrier.cluster.arrive; barrier.cluster.arrive; // here", {}, "the warp has not waited since it arrived before", None),
    ("barrier.cluster.wait; // here", {}, "the warp has not arrived at its cluster's barrier", None),
    ("mov.u32 %r1, 9; mapa.shared::cluster.u32 %r2, %r30, %r1; // here", {}, "rank 9 in a cluster of 1 blocks", None),
    ("mov.u32 %r1, %cluster_ctarank; setp.eq.u32 q, %r1, 1; barrier.cluster.arrive; barrier.cluster.wait; @q ret; mov.u32 %r3, 0;\n"
     "L: add.u32 %r3, %r3, 1; setp.lt.u32 q, %r3, 100000; @q bra L;\n"
     + S.strip() + "st.shared.u32 [%r22], %r3; mov.u32 %r4, 1; mapa.shared::cluster.u32 %r5, %r22, %r4;\nld.shared::cluster.u32 %r6, [%r5]; // here",
     {"grid": (2,), "cluster": (2,)}, "the block whose shared memory this is has left the cluster", None),
    ("mov.u32 %r1, %cluster_ctarank; setp.eq.u32 q, %r1, 1;\n@q bra A;\nbarrier.cluster.arrive;\nbarrier.cluster.wait; // here\n"
     "ret;\nA: setp.ge.u32 p, %r30, 32; @p ret; bar.sync 1, 64;",
     {"grid": (2,), "cluster": (2,)}, "for the barrier of its cluster, phase 0", None),
    # races
    ("st.global.u32 [%rd30], %r30; // here", {}, "data race: it writes what another instruction writes",
     "the other one, by thread ("),
    (S + "st.shared.u32 [%r22], %r30; bar.sync 0; st.shared.u32 [%r22], %r30; // first\nxor.b32 %r1, %r30, 33; shl.b32 %r1, %r1, 2; add.u32 %r1, %r1, %r20;\nld.shared.u32 %r2, [%r1]; // here",
     {"any": True}, "data race: it ", "the other one, by thread ("),
    (S + "st.shared.u32 [%r22], %r30; bar.sync 0;\nxor.b32 %r1, %r30, 33; shl.b32 %r1, %r1, 2; add.u32 %r1, %r1, %r20;\n"
     "ld.shared.u32 %r2, [%r1]; // first\nst.shared.u32 [%r22], %r2; // here", {"any": True}, "data race: it ", "the other one, by thread ("),
    ("mov.u32 %r1, %ctaid.x; st.global.u32 [%rd31], %r1; // here", {"grid": (2,)}, "data race: it writes what another instruction writes",
     " of block ("),
    ("ld.global.u32 %r1, [%rd30]; // first\nmov.u32 %r2, %ctaid.x; setp.eq.u32 q, %r2, 1; and.pred q, q, p; @q st.global.u32 [%rd30], %r2; // here",
     {"grid": (2,)}, "data race: it ", "the other one, by thread ("),
]
LAUNCHES = [
    ({"block": (0,)}, "a block of 0,1,1 threads: expected 1 to 1024"),
    ({"block": (32,), "limits": ".reqntid 64, 1, 1"}, "a block of 32,1,1 threads: 'k' is for 64,1,1"),
    ({"block": (96,), "limits": ".maxntid 64, 1, 1"}, "a block of 96,1,1 threads: 'k' is for at most 64,1,1"),
    ({"grid": (0,)}, "a grid of 0,1,1 blocks: expected 1 to 2^32"),
    ({"grid": (3,), "cluster": (2,)}, "clusters of 2,1,1 blocks: expected at most 16 that divide the grid"),
    ({"args": []}, "'k' takes 1 arguments, got 0"),
    ({"shared": 300000}, "0 bytes of shared memory and 300000 more: a block has 232448"),
]


def expect(errors, label, message, note, line):
    if errors is None:
        return f"{label}: nothing was said, expected '{message}'"
    texts = [text for _, is_note, text in errors if not is_note]
    if not any(message in text for text in texts):
        return f"{label}: expected '{message}', got {texts}"
    if note and not any(is_note and note in text for _, is_note, text in errors):
        return f"{label}: expected the note '{note}', got {errors}"
    if line and not any(at == line for at, is_note, _ in errors):
        return f"{label}: expected line {line}, got {errors}"
    return None


def line_of(text, mark="// here"):
    return next((i for i, line in enumerate(text.splitlines(), 1) if mark in line), None)


def said(device, text, launch):
    """The messages, or None."""
    try:
        module = device.load(text)
        if launch is not None:
            launch(module)
    except PtxError as error:
        return error.messages
    return None


def check_text(library, body, message, more):
    device = Device(library)
    text = kernel(body, **more)
    fault = expect(said(device, text, None), body[:60] or message, message, None, line_of(text))
    device.close()
    return fault


def check_run(library, body, options, message, note):
    import numpy as np
    params = ".param .u64 a, .param .u64 b" if options.get("params") == 2 else ".param .u64 a"
    text = kernel(body, params, options.get("outside", ""))
    for seed in (0, 1, 2, 3):
        device = Device(library)

        def launch(module):
            args = [device.put(np.arange(options.get("block", 64), dtype=np.int32))]
            if options.get("params") == 2:
                args.append(device.alloc(4))
            device.launch(module, "k", options.get("grid", (1,)), (options.get("block", 64),), args, options.get("cluster", ()), seed=seed, max_steps=options.get("max_steps", 0))
        errors = said(device, text, launch)
        device.close()
        if message is None:
            continue
        fault = expect(errors, f"{body[:60]!r}, seed {seed}", message, note, line_of(text) if not seed and not options.get("any") else None)
        if fault:
            return fault
    return None


def check_launch(library, options, message):
    device = Device(library)
    text = kernel("", limits=options.get("limits", ""))
    errors = said(device, text, lambda module: device.launch(
        module, "k", options.get("grid", (1,)), options.get("block", (64,)), options.get("args", [0]), options.get("cluster", ()),
        options.get("shared", 0)))
    device.close()
    return expect(errors, str(options), message, None, None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True)
    library = parser.parse_args().library
    faults = [check_text(library, *case) for case in TEXTS] + [check_run(library, *case) for case in RUNS]
    faults.append(expect(said(Device(library), " " * (2 ** 26 + 1), None), "a large text", "a text of more than 2^26 bytes", None, 1))
    faults += [check_launch(library, *case) for case in LAUNCHES]
    for fault in faults:
        if fault:
            print(fault)
    failed = sum(f is not None for f in faults)
    print(f"{len(faults) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
