"""Products by warpgroups (sm_90a) in the PTX interpreter, against float64; and bugs planted into their PTX, which it must tell.

    python gpu_warpgroups.py --bin build/release/bin --library build/release/lib/libmlc_ptxsim.so [--ptxas ptxas]

Cases are those of gpu_kernels.py, by a schedule of kind wgmma. Tensors are described here as the text of the launches says. With --ptxas there
must be no spills, and none of the warnings that say that products are serialised or registers not handed on.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import gpu_kernels as kernels
from gpu_kernels import DTYPES, draw, launches_of, module_text, product, run
from ptxsim import Device, PtxError

WARNINGS = ("C7508", "C7510", "C7511", "C7515", "C7504")


def numbers(text):
    return [int(x) for x in re.findall(r"-?\d+", text)]


def maps_of(text):
    """By function, by value: (argument, offset, sizes, strides, tile, element type), sizes with the contiguous one last."""
    found = {}
    for name, body in re.findall(r"^  func\.func private @(\w+)\(.*?\{\n(.*?)^  \}", text, re.M | re.S):
        views = {m[1]: (m[2], *(numbers(m[i]) for i in (3, 4, 5))) for m in re.finditer(
            r"(%\w+) = memref\.reinterpret_cast (%\w+) to offset: \[(.*?)\], sizes: \[(.*?)\], strides: \[(.*?)\]", body)}
        casts = dict(re.findall(r"(%\w+) = memref\.cast (%\w+) :", body))
        found[name] = {m[1]: (*views[casts[m[2]]], numbers(m[3]), m[4]) for m in re.finditer(
            r"(%\w+) = nvgpu\.tma\.create\.descriptor (%\w+) box.*-> <tensor = memref<((?:\d+x)+)(\w+),.*swizzle = swizzle_128b", body)}
    return found


def describe(device, buffers, spec):
    source, offset, sizes, strides, tile, element = spec
    size = np.dtype(DTYPES[element]).itemsize
    return device.tensor_map(element, buffers[int(source[4:])] + offset[0] * size, sizes[::-1], tile[::-1], swizzle=3,
                             strides=[s * size for s in strides[-2::-1]])


def launch(device, module, launches, maps, c, seed, inputs, strict=False):
    assert len(launches) == 1, f"{len(launches)} launches"
    name, grid, block, shared, args = launches[0]
    buffers = [device.put(x) for x in inputs]
    shape, dtype = c["result"]
    buffers.append(device.alloc(int(np.prod(shape)) * np.dtype(DTYPES[dtype]).itemsize))
    values = [buffers[int(a[4:])] if a.startswith("%arg") else describe(device, buffers, maps[a]) for a in args]
    counters = device.launch(module, name, grid, block, values, shared=shared, seed=seed, strict=strict)
    got = device.get(buffers[-1], shape, DTYPES[dtype]).astype(np.float64)
    for buffer in buffers:
        device.free(buffer)
    return got, counters


def check(device, module, launches, maps, c, seeds=(0, 3, 7)):
    inputs = [draw(s, d) for _, s, d in c["inputs"]]
    wide = [x.astype(np.float64) for x in inputs]
    want, scale = c["meaning"](*wide), np.max(c["scale"](*wide))
    for seed in seeds:
        got, counters = launch(device, module, launches, maps, c, seed, inputs)
        error = np.max(np.abs(got - want)) / scale
        assert error < c["tolerance"], f"seed {seed}: error {error:.1e}"
        assert counters["bank_conflicts"] == 0, f"{counters['bank_conflicts']} bank conflicts"
        assert counters["matrix_macs"] > 0, "no matrix instruction"


def schedule(tile, warps, stages):
    return f"kind = wgmma, tile = {list(tile)}, warps = [{warps}, 1], stages = {stages}"


def add_cases():
    kernels.CASES.clear()
    for element, result in (("bf16", "f32"), ("f16", "f16"), ("bf16", "bf16")):
        for turned in ((False, True), (False, False), (True, False), (True, True)):
            product(136, 272, 200, element, result, turned, schedule=schedule((128, 256, 64), 8, 4))
    product(128, 256, 512, "bf16", "f32", (False, True), schedule=schedule((128, 128, 64), 4, 3))
    product(128, 128, 40, "bf16", "f32", (False, False), schedule=schedule((128, 128, 64), 4, 2))
    product(72, 72, 72, "bf16", "f32", (False, False), schedule=schedule((64, 64, 64), 4, 2))
    product(200, 136, 64, "f16", "f32", (False, True), schedule=schedule((128, 64, 64), 8, 8))
    product(64, 256, 8, "f16", "f32", (False, True), schedule=schedule((64, 256, 64), 4, 2))
    product(72, 64, 40, "bf16", "f32", (False, True), batch=3, schedule=schedule((64, 64, 64), 4, 4))
    product(72, 64, 40, "bf16", "f32", (True, False), batch=2, schedule=schedule((64, 128, 64), 4, 4))


def build(args, cases, folder):
    text, launched, lowered, ptx = (Path(folder) / name for name in ("k.mlir", "launch.mlir", "nvvm.mlir", "k.ptx"))
    text.write_text(module_text(cases))
    run(args.bin / "mlc-opt", text, "--gpu-launch-pipeline", "-o", launched)
    run(args.bin / "mlc-opt", launched, "--nvvm-pipeline", "-o", lowered)
    run(args.bin / "mlc-translate", lowered, "--export-ptx", "--target=nvptx64-sm_90a", "-o", ptx)
    return launched.read_text(), ptx.read_text()


def is_assembled(ptxas, ptx, folder):
    path = Path(folder) / "k.ptx"
    path.write_text(ptx)
    return subprocess.run([ptxas, "-arch=sm_90a", path, "-o", "/dev/null"], capture_output=True).returncode == 0


def check_ptxas(ptxas, ptx, folder):
    path = Path(folder) / "k.ptx"
    path.write_text(ptx)
    done = subprocess.run([ptxas, "-arch=sm_90a", "-v", path, "-o", "/dev/null"], capture_output=True, text=True)
    return [f"ptxas: {line}" for line in (done.stdout + done.stderr).splitlines()
            if done.returncode or any(w in line for w in WARNINGS) or "spill" in line and "0 bytes spill stores, 0 bytes spill loads" not in line]


# --- planted bugs: what, kernel, change, what must be told (None: wrong numbers)

# A block of two warpgroups, a ring of two slots that goes round five times and more; factors as they are, and both turned.
PLANTED = {"plain": ((128, 64, 1088), (False, True), (128, 64, 64)), "turned": ((128, 128, 704), (True, False), (128, 128, 64))}
SEEDS = (0, 3, 8)


def at(pattern, replacement="", number=0):
    """Changes the `number`-th place where the text matches; None: all of them."""
    def change(text):
        places = list(re.finditer(pattern, text))
        if number is not None and number >= len(places):
            return text
        for m in reversed(places if number is None else [places[number]]):
            text = text[:m.start()] + m.expand(replacement) + text[m.end():]
        return text
    return change


def both(*changes):
    def change(text):
        for one in changes:
            text = one(text)
        return text
    return change


def descriptors(of, more):
    """Adds to the constant part of a descriptor: of A (0), of B (1); of B (2) and A (3) one step further."""
    def change(text):
        numbers, lines = re.compile(r"\b46116862\d{11}\b"), text.splitlines()
        found = [i for i, line in enumerate(lines) if numbers.search(line)]
        lines[found[of]] = numbers.sub(lambda m: str(int(m[0]) + more), lines[found[of]])
        return "\n".join(lines)
    return change


WAIT = r"(mbarrier\.try_wait\.parity\.shared\.b64 P1, \[%r\d+\], )%r\d+(, %r\d+; \n\t@P1 bra\.uni DONE; \n\tbra\.uni     LAB_WAIT;)"
TURN = r"xor\.pred  \t(%p\d+), (%p\d+), %p\d+;"
KEEP = r"mov.pred \t\1, \2;"
PARITY = r"(selp\.u32 \t%r\d+), 1, 0, "
RELEASE = r"mbarrier\.arrive\.shared\.b64 (%rd\d+), (\[%rd\d+\]);"
LATER = r"(setp\.eq\.s64 \t(%p\d+), %rd\d+, \d+;\n\tor\.pred  \t%p\d+, %p\d+, )\2"
MEET = r"bar\.sync \t(%r\d+), %r\d+;"
MMA = r"wgmma\.mma_async[^;]*\{(%f\d+), (%f\d+),[^;]*;"
COPY = r"(cp\.async\.bulk\.tensor[^;]*\[%r\d+\], \[%rd\d+, \{)(%r\d+),(%r\d+)(\} \][^;]*;)"
EXPECT = r"mbarrier\.arrive\.expect_tx\.shared\.b64 _, (\[%r\d+\]), (%r\d+);"
OLD_SLOT = r"(shl\.b64 \t%rd\d+, )%rd\d+(, 3;\n\tadd\.s64 \t%rd\d+, %rd\d+, %rd\d+;\n\tmbarrier\.arrive\.shared)"
FIRST_ROLE = r"(setp\.gt\.u32 \t%p\d+, %r\d+, )255;"
FLIGHT, RACE = ("while wgmma works on it",), ("data race",)
NOT_THERE = ("data race", "never written", "has not waited for")
STUCK = ("deadlock", "for a phase of")
BUGS = [
    ("plain", "no wait for a full slot", at(WAIT), NOT_THERE),
    ("plain", "a wait for the other parity of a full slot", at(PARITY, r"\1, 0, 1, "), NOT_THERE + STUCK),
    ("plain", "who multiplies does not turn the parity", at(TURN, KEEP), NOT_THERE + STUCK),
    ("plain", "no wait for an empty slot", at(WAIT, number=1), RACE),
    ("plain", "a wait for the other parity of an empty slot", at(PARITY, r"\1, 0, 1, ", 1), STUCK),
    ("plain", "who asks does not turn the parity", at(TURN, KEEP, 1), RACE + STUCK),
    ("plain", "both do not turn the parity", at(TURN, KEEP, None), NOT_THERE + STUCK),
    ("plain", "fewer bytes are expected", at(r"(mov\.b32 \t%r\d+, )24576;", r"\g<1>24560;"), NOT_THERE + STUCK),
    ("plain", "more bytes are expected", at(r"(mov\.b32 \t%r\d+, )24576;", r"\g<1>24592;"), STUCK),
    ("plain", "no bytes are expected", at(EXPECT, r"mbarrier.arrive.shared.b64 %rd1, \1;"), NOT_THERE + STUCK),
    ("plain", "nobody arrives for the bytes", at(EXPECT, r"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 \1, \2;"), STUCK),
    ("plain", "a slot is empty for one warp less", at(r"(mov\.b32 \t%r\d+, )8;", r"\g<1>7;"), RACE + STUCK + ("that the mbarrier at 0x",)),
    ("plain", "a slot is empty for one warp more", at(r"(mov\.b32 \t%r\d+, )8;", r"\g<1>9;"), STUCK),
    ("plain", "a slot is never released", at(RELEASE), STUCK),
    ("plain", "a slot is released twice", at(RELEASE, r"mbarrier.arrive.shared.b64 \1, \2; mbarrier.arrive.shared.b64 \1, \2;"),
     RACE + STUCK + ("that the mbarrier at 0x",)),
    ("plain", "all lanes release a slot", at(r"(setp\.ne\.s64 \t(%p\d+), %rd\d+, 0;)", r"\1 mov.pred \2, 0;"),
     RACE + STUCK + ("that the mbarrier at 0x",)),
    ("plain", "a slot is released a step early", both(at(LATER, r"\1%no"), at(OLD_SLOT, r"\1%slot\2")), RACE),
    ("plain", "the slot of no step is released, too", at(LATER, r"\1%no"), RACE + STUCK),
    ("plain", "another slot is released", at(OLD_SLOT, r"\1%slot\2"), RACE + STUCK),
    ("plain", "the wait in the loop is lax", at(r"wgmma\.wait_group\.sync\.aligned 1;", "wgmma.wait_group.sync.aligned 2;"), RACE),
    ("plain", "no wait in the loop", at(r"wgmma\.wait_group\.sync\.aligned 1;"), RACE),
    ("plain", "the last wait is lax", at(r"wgmma\.wait_group\.sync\.aligned 0;", "wgmma.wait_group.sync.aligned 1;"), FLIGHT),
    ("plain", "no last wait", at(r"wgmma\.wait_group\.sync\.aligned 0;"), FLIGHT),
    ("plain", "no group is committed", at(r"wgmma\.commit_group\.sync\.aligned;"), RACE + FLIGHT),
    ("plain", "no wgmma.fence", at(r"wgmma\.fence\.sync\.aligned;"), ("was written since the last wgmma.fence",)),
    ("plain", "a sum is written after wgmma.fence", at(MMA, r"mov.f32 \1, 0f00000000; \g<0>"), ("was written since the last wgmma.fence",) + FLIGHT),
    ("plain", "a sum is read in flight", at(r"wgmma\.commit_group[^;]*;", r"\g<0> add.f32 %f1, %sum, %sum;"), FLIGHT),
    ("plain", "a sum is moved in flight", at(r"wgmma\.wait_group\.sync\.aligned 1;", r"\g<0> mov.f32 %f1, %sum; mov.f32 %sum, %f1;"), FLIGHT),
    ("plain", "a sum is written in flight", at(r"wgmma\.commit_group[^;]*;", r"\g<0> mov.f32 %sum, 0f00000000;"), FLIGHT),
    ("plain", "two sums change places", (lambda text: re.sub(MMA, lambda m: m[0].replace(f"{{{m[1]}, {m[2]},", f"{{{m[2]}, {m[1]},"), text, count=1)), None),
    ("plain", "a sum is not cleared", at(r"mov\.f32 \t%f\d+, %f\d+;"), ("is read before it is written",)),
    ("plain", "the step of A along the depth is missing", descriptors(2, -2), None),
    ("plain", "the step of B along the depth is too far", descriptors(3, 2), None),
    ("plain", "groups of rows of A too near", descriptors(0, -(32 << 32)), None),
    ("plain", "groups of columns of B too far", descriptors(1, 64 << 32), NOT_THERE + (None,)),
    ("plain", "A is read by another swizzle", descriptors(0, 1 << 62), None),
    ("plain", "B is read without a swizzle", descriptors(1, -(1 << 62)), None),
    ("plain", "A is taken for turned", at(r"(, p, 1,  1, )0(,  0;)", r"\g<1>1\2", None), (None,) + NOT_THERE),
    ("turned", "B is not taken for turned", at(r"(, p, 1,  1, 1,  )1;", r"\g<1>0;", None), (None,) + NOT_THERE),
    ("turned", "groups of eight of A too near", descriptors(0, -(32 << 32)), None),
    ("turned", "blocks of B too near", descriptors(1, -(256 << 16)), None),
    ("turned", "the step along the depth is that of other factors", descriptors(2, 2 - 128), None),
    ("turned", "a block is not asked for", at(COPY, number=1), NOT_THERE + STUCK),
    ("turned", "a block goes to the next one's place", at(r"(add\.s32 \t%r\d+, %r\d+, )8192;", r"\g<1>16384;"), NOT_THERE + STUCK),
    ("plain", "both groups multiply the same rows", at(r"shl\.b64 \t(%rd\d+), %rd\d+, 13;", r"mov.u64 \t\1, 0;"), None),
    ("plain", "a tile is asked for where the other lies", at(r"(add\.s32 \t%r\d+, %r\d+, )16384;", r"\g<1>8192;"), NOT_THERE + STUCK),
    ("plain", "row and depth change places", at(COPY, r"\1\3,\2\4"), None),
    ("plain", "the descriptions change places", lambda text: text.replace("_param_0;", "_param_x;").replace("_param_1;", "_param_0;").replace("_param_x;", "_param_1;"), None),
    ("plain", "no barrier behind the barriers in memory", at(r"bar\.sync \t0;"), ("there is no mbarrier at 0x",) + RACE),
    ("plain", "a barrier in memory is not made", at(r"@%p\d+ mbarrier\.init\.shared\.b64 \[%r\d+\], %r\d+;", number=1), ("there is no mbarrier at 0x", "no mbarrier")),
    ("plain", "a full slot waits for two arrivals", at(r"(mbarrier\.init\.shared\.b64 \[%r\d+\], )%r\d+;", r"\g<1>2;"), STUCK),
    ("plain", "sums go where others still multiply", at(MEET), RACE),
    ("plain", "sums are taken before all are there", at(MEET, number=1), RACE + ("never written",)),
    ("plain", "warpgroups meet at barriers of their own", at(MEET, r"bar.sync \t\1, 128;", None), RACE + ("never written",)),
    ("plain", "the barrier of the warpgroups waits for all threads", at(MEET, r"bar.sync \t\1, 384;"), STUCK),
    ("plain", "leaves with a product under way", at(r"wgmma\.wait_group\.sync\.aligned 0;", "ret;"), ("leaves while wgmma is in flight",)),
    ("plain", "a step less is multiplied", at(r"(mov\.u64 \t%rd\d+, )17;", r"\g<1>16;"), None),
    ("plain", "a step more is multiplied", at(r"(mov\.u64 \t%rd\d+, )17;", r"\g<1>18;"), STUCK),
    ("plain", "ordinary writes into a slot that is multiplied", at(r"wgmma\.fence\.sync\.aligned;", "st.shared.b32 [__dynamic_shmem], 0; wgmma.fence.sync.aligned;"),
     RACE + ("no fence.proxy.async orders it",)),
    ("plain", "ordinary reads of a slot that is released", at(r"wgmma\.fence\.sync\.aligned;", r"@!%no ld.shared.b32 %r1, [%place]; \g<0>"),
     ("no fence.proxy.async orders it",)),
    ("plain", "who asks and who multiplies change roles", at(FIRST_ROLE, r"\g<1>127;"), None),
]


def planted_text(text):
    """What names in changes stand for: a sum, the slot at hand and where it lies, whether this lane is none that releases."""
    total = re.search(MMA, text)[1]
    slot = re.search(r"shl\.b64 \t%rd\d+, (%rd\d+), 3;\n\tadd\.s64 \t%rd\d+, %rd\d+, %rd\d+;\n\tselp\.u32", text)[1]
    lane = re.search(r"\tor\.pred  \t%p\d+, (%p\d+), %p\d+;", text)[1]
    place = re.search(r"mov\.u64 \t%rd\d+, __dynamic_shmem;\n\tadd\.s64 \t(%rd\d+)", text)[1]
    return {"%sum": total, "%slot": slot, "%no": lane, "%place": place}


def check_bug(args, planted, kernel, what, change, message):
    c, ptx, launches, maps, inputs, want = planted[kernel]
    text = change(ptx)
    for name, register in planted_text(ptx).items():
        text = text.replace(name, register)
    seen = []
    if text == ptx:
        return f"planted: {what}: changes nothing"
    with tempfile.TemporaryDirectory() as folder:
        if args.ptxas and not is_assembled(args.ptxas, text, folder):
            return f"planted: {what}: ptxas refuses it"
    for seed in SEEDS:
        device = Device(args.library)
        try:
            got, _ = launch(device, device.load(text), launches, maps, c, seed, inputs, strict="reads of a slot" in what)
            error = np.max(np.abs(got - want)) / np.max(np.abs(want))
            if (message is None or None in message) and error > 1e-3:
                return None
            seen.append(f"error {error:.1e}")
        except PtxError as fault:
            words = str(fault)
            if any(m and m in words for m in message or ()) or message is None:
                return None
            seen.append(words[:150])
        except AssertionError as fault:
            if message is None:
                return None
            seen.append(str(fault))
        finally:
            device.close()
    return f"planted: {what}: expected {message or 'wrong numbers'}, got {sorted(set(seen))}"


def plant(args, folder):
    """For each kernel: case, text, launches, maps, inputs, what is right."""
    result = {}
    for kernel, (sizes, turned, tile) in PLANTED.items():
        kernels.CASES.clear()
        product(*sizes, "bf16", "f32", turned, schedule=schedule(tile, 8, 2))
        c = {**kernels.CASES[0], "id": "kernel_0"}
        launched, ptx = build(args, [c], folder)
        inputs = [draw(s, d) for _, s, d in c["inputs"]]
        result[kernel] = (c, ptx, launches_of(launched)["kernel_0"], maps_of(launched)["kernel_0"], inputs,
                          c["meaning"](*[x.astype(np.float64) for x in inputs]))
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--ptxas")
    args = parser.parse_args()
    faults = []
    add_cases()
    for i, c in enumerate(kernels.CASES):
        c["id"] = f"kernel_{i}"
    with tempfile.TemporaryDirectory() as folder:
        launched, ptx = build(args, kernels.CASES, folder)
        if args.ptxas:
            faults += check_ptxas(args.ptxas, ptx, folder)
    launches, maps = launches_of(launched), maps_of(launched)
    device = Device(args.library)
    module = device.load(ptx)
    for c in kernels.CASES:
        try:
            check(device, module, launches[c["id"]], maps[c["id"]], c)
        except (AssertionError, PtxError) as fault:
            faults.append(f"{c['name']}: {fault}")
    device.close()
    num_cases = len(kernels.CASES)
    with tempfile.TemporaryDirectory() as folder:
        planted = plant(args, folder)
    for bug in BUGS:
        fault = check_bug(args, planted, *bug)
        faults += [fault] if fault else []
    kernels.tell(faults, f"{num_cases} kernels, {len(BUGS)} planted bugs")


if __name__ == "__main__":
    main()
