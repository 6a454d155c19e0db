"""Arithmetic of the PTX interpreter against numpy, bit for bit, on hostile numbers.

    python ptxsim_arithmetic.py --library build/release/lib/libmlc_ptxsim.so

One kernel an instruction: it reads its operands by thread, computes, and stores. What is compared with what: exact rational numbers
rounded once (fractions.Fraction) for other modes of rounding; numpy's float64 for halves; approximations within the PTX ISA's errors.
"""
import argparse
import sys
from fractions import Fraction

import ml_dtypes
import numpy as np

from ptxsim import Device, PtxError

N = 1024
DRAW = np.random.default_rng(3)
TYPES = {"u16": np.uint16, "s16": np.int16, "b16": np.uint16, "u32": np.uint32, "s32": np.int32, "b32": np.uint32, "u64": np.uint64,
         "s64": np.int64, "b64": np.uint64, "f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
         "u8": np.uint8, "s8": np.int8}
REG = {1: ("rs", "b8"), 2: ("rs", "b16"), 4: ("r", "b32"), 8: ("rd", "b64")}


def operands(kind):
    """Random numbers, and all pairs of the edges."""
    dtype = TYPES[kind]
    bits = np.dtype(dtype).itemsize * 8
    raw = DRAW.integers(0, 2 ** bits, N, dtype=np.uint64, endpoint=False) if bits < 64 else DRAW.integers(0, 2 ** 63, N, dtype=np.uint64) * 2 + 1
    values = raw.astype(f"u{bits // 8}").view(dtype).copy()
    if kind in ("f32", "f64", "f16", "bf16"):
        edges = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 1.5, 2.5, -2.5, 1e-7, 6e-8, 65504.0, 3e38, 1e-40, 2 ** 31, -2 ** 31 - 1, 4e9, 1e19]
        values[:N // 2] = DRAW.normal(0, 10, N // 2).astype(dtype)
    else:
        top = 2 ** bits - 1
        edges = [0, 1, 2, top, top // 2, top // 2 + 1, top - 1, 31, 32, 63, 64, 255]
        edges = np.array(edges, np.uint64).astype(f"u{bits // 8}").view(dtype)
    with np.errstate(over="ignore"):
        return values, np.array(edges).astype(dtype)


def inputs(kinds):
    columns = [operands(kind) for kind in kinds]
    out = []
    for i, (values, edges) in enumerate(columns):
        pairs = np.arange(400)
        values[-400:] = edges[(pairs // (20 ** i if i < 2 else 7)) % len(edges)]
        out.append(values)
    return out


def run(library, text, kinds, result, arrays):
    """`text` has d for the result, a, b, c for the operands."""
    names = "abcd"
    lines, regs = [], []
    for i, kind in enumerate(kinds):
        size = np.dtype(TYPES[kind]).itemsize
        reg, bits = REG[size]
        lines.append(f"ld.param.u64 %x1, [p{i}]; mad.wide.u32 %x1, %i, {size}, %x1; ld.global.{bits} {names[i]}, [%x1];")
        regs.append(f".reg .b{max(size, 2) * 8} {names[i]};")
    size = np.dtype(TYPES[result]).itemsize
    bits = REG[size][1]
    params = ", ".join(f".param .u64 p{i}" for i in range(len(kinds) + 1))
    body = (f".version 8.0\n.target sm_90\n.address_size 64\n.entry k({params}) {{\n.reg .b64 %x1; .reg .b32 %i, %j, %k; .reg .pred %p, %q;\n"
            f"{' '.join(regs)} .reg .b{max(size, 2) * 8} d;\nmov.u32 %i, %tid.x; mov.u32 %j, %ctaid.x; mad.lo.u32 %i, %j, 128, %i;\n"
            + "\n".join(lines) + f"\n{text}\nld.param.u64 %x1, [p{len(kinds)}]; mad.wide.u32 %x1, %i, {size}, %x1; st.global.{bits} [%x1], d;\nret;\n}}\n")
    device = Device(library)
    out = device.alloc(N * size)
    device.launch(device.load(body), "k", (N // 128,), (128,), [device.put(a) for a in arrays] + [out])
    got = device.get(out, (N,), TYPES[result])
    device.close()
    return got


def canonical(values, kind):
    """The bits, NaNs as PTX makes them."""
    bits = values.view(f"u{values.dtype.itemsize}").copy()
    bits[np.isnan(values.astype(np.float64))] = {"f32": 0x7FFFFFFF, "f16": 0x7FFF, "bf16": 0x7FFF, "f64": 0}[kind]
    return bits


def wrap(values, kind):
    bits = np.dtype(TYPES[kind]).itemsize * 8
    return np.array([int(v) & (2 ** bits - 1) for v in values], np.uint64).astype(f"u{bits // 8}").view(TYPES[kind])


def each(function):
    return lambda *arrays: [function(*(int(x) for x in row)) for row in zip(*arrays)]


def shift_right(bits):
    return lambda a, b: a >> min(b, bits) if b < bits else (-1 if a < 0 else 0)


def divide(a, b):
    return -1 if b == 0 else (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a, b):
    return a if b == 0 else a - b * divide(a, b)


def integer_cases():
    for kind in ("u16", "s16", "u32", "s32", "u64", "s64"):
        bits = int(kind[1:])
        for op, f in {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul.lo": lambda a, b: a * b, "mul.hi": lambda a, b, n=bits: a * b >> n,
                      "min": min, "max": max, "div": divide, "rem": remainder}.items():
            yield f"{op}.{kind} d, a, b;", [kind, kind], kind, each(f)
        yield f"mad.lo.{kind} d, a, b, c;", [kind] * 3, kind, each(lambda a, b, c: a * b + c)
        yield f"shr.{kind} d, a, b;", [kind, "u32"], kind, each(shift_right(bits))
        yield f"shl.b{bits} d, a, b;", [kind, "u32"], kind, each(lambda a, b, n=bits: a << b if b < n else 0)
        if bits < 64:
            wide = kind[0] + str(2 * bits)
            yield f"mul.wide.{kind} d, a, b;", [kind, kind], wide, each(lambda a, b: a * b)
            yield f"mad.wide.{kind} d, a, b, c;", [kind, kind, wide], wide, each(lambda a, b, c: a * b + c)
        if kind[0] == "s":
            yield f"neg.{kind} d, a;", [kind], kind, each(lambda a: -a)
            yield f"abs.{kind} d, a;", [kind], kind, each(abs)
    for bits in (16, 32, 64):
        kind = f"b{bits}"
        for op, f in {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}.items():
            yield f"{op}.{kind} d, a, b;", [kind, kind], kind, each(f)
        yield f"not.{kind} d, a;", [kind], kind, each(lambda a: ~a)
        yield f"cnot.{kind} d, a;", [kind], kind, each(lambda a: a == 0)
        if bits > 16:
            yield f"popc.{kind} d, a;", [kind], "u32", each(lambda a: bin(a).count("1"))
            yield f"clz.{kind} d, a;", [kind], "u32", each(lambda a, n=bits: n - a.bit_length())
            yield f"brev.{kind} d, a;", [kind], kind, each(lambda a, n=bits: int(f"{a:0{n}b}"[::-1], 2))
            yield f"bfind.u{bits} d, a;", [f"u{bits}"], "u32", each(lambda a: a.bit_length() - 1)
            yield f"bfi.{kind} d, a, b, c, 5;", [kind, kind, "u32"], kind, each(insert(bits, 5))
            for sign in "us":
                yield f"bfe.{sign}{bits} d, a, b, 7;", [f"{sign}{bits}", "u32"], f"{sign}{bits}", each(extract(bits, 7, sign == "s"))
    yield "add.sat.s32 d, a, b;", ["s32", "s32"], "s32", each(lambda a, b: max(-2 ** 31, min(2 ** 31 - 1, a + b)))
    yield "sad.s32 d, a, b, c;", ["s32"] * 3, "s32", each(lambda a, b, c: c + abs(a - b))
    yield "prmt.b32 d, a, b, c;", ["b32"] * 3, "b32", each(permute)
    yield "shf.l.wrap.b32 d, a, b, c;", ["b32"] * 3, "b32", each(lambda a, b, c: (b << 32 | a) << (c & 31) >> 32)
    yield "shf.r.clamp.b32 d, a, b, c;", ["b32"] * 3, "b32", each(lambda a, b, c: (b << 32 | a) >> min(c, 32))
    yield "lop3.b32 d, a, b, c, 0xE8;", ["b32"] * 3, "b32", each(lambda a, b, c: a & b | a & c | b & c)
    yield "dp4a.s32.u32 d, a, b, c;", ["b32"] * 3, "b32", each(lambda a, b, c: c + sum(signed(a >> 8 * i, 8) * (b >> 8 * i & 255) for i in range(4)))
    yield "add.cc.u32 %k, a, b; addc.u32 d, a, 0;", ["u32", "u32"], "u32", each(lambda a, b: a + (a + b >> 32))
    yield "sub.cc.u32 %k, a, b; subc.u32 d, a, 0;", ["u32", "u32"], "u32", each(lambda a, b: a - (a < b))
    for op, f in {"lt": lambda a, b: a < b, "ge": lambda a, b: a >= b, "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "le": lambda a, b: a <= b,
                  "gt": lambda a, b: a > b}.items():
        for kind in ("s32", "u64", "s16"):
            yield f"setp.{op}.{kind} %p, a, b; selp.u32 d, 1, 0, %p;", [kind, kind], "u32", each(f)
    yield "setp.lt.and.s32 %p|%q, a, b, %p; selp.u32 d, 1, 0, %q;".replace("setp", "setp.gt.s32 %p, a, 5; setp"), ["s32", "s32"], "u32", each(
        lambda a, b: not a < b and a > 5)
    for to in ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"):
        for source in ("u16", "s16", "u32", "s32", "u64", "s64"):
            yield f"cvt.{to}.{source} d, a;", [source], to, each(lambda a: a)
            low, high = (0, 2 ** int(to[1:]) - 1) if to[0] == "u" else (-2 ** (int(to[1:]) - 1), 2 ** (int(to[1:]) - 1) - 1)
            yield f"cvt.sat.{to}.{source} d, a;", [source], to, each(lambda a, low=low, high=high: max(low, min(high, a)))


def signed(value, bits):
    value &= 2 ** bits - 1
    return value - (value >> bits - 1 << bits)


def insert(bits, length):
    def function(a, b, c):
        mask = (2 ** length - 1) << (c & 255) & (2 ** bits - 1)
        return b & ~mask | a << (c & 255) & mask
    return function


def extract(bits, length, is_signed):
    def function(a, b):
        a, b = a & (2 ** bits - 1), b & 255
        top = min(b + length - 1, bits - 1)
        out = a >> b & (2 ** length - 1)
        have = min(length, max(bits - b, 0))
        if is_signed and a >> top & 1:
            out |= -1 << have
        return out
    return function


def permute(a, b, c):
    data = (b << 32 | a).to_bytes(8, "little")
    out = 0
    for i in range(4):
        byte = data[c >> 4 * i & 7]
        out |= (byte if not c >> 4 * i & 8 else 255 * (byte >> 7)) << 8 * i
    return out


def round_fraction(exact, kind, mode):
    """A rational number to f32 or f64 in a mode, by the nearest and a step."""
    dtype = TYPES[kind]
    largest = np.finfo(dtype).max
    if exact == 0:
        return None
    try:
        near = dtype(float(exact)) if kind == "f64" else dtype(np.float64(float(exact)))
    except OverflowError:
        near = dtype(np.inf if exact > 0 else -np.inf)
    if np.isinf(near):
        near = dtype(largest if exact > 0 else -largest)
    while Fraction(float(near)) > exact:
        near = np.nextafter(near, dtype(-np.inf))
        if np.isinf(near):
            break
    down = near
    up = down if not np.isinf(down) and Fraction(float(down)) == exact else np.nextafter(down, dtype(np.inf))
    if mode == "rz":
        return down if exact > 0 else up
    return down if mode == "rm" else up


def directed(kind, mode, function, plain):
    def reference(*arrays):
        out = plain(*arrays)
        for i, row in enumerate(zip(*arrays)):
            if all(np.isfinite(float(x)) for x in row):
                exact = function(*(Fraction(float(x)) for x in row))
                rounded = None if exact is None else round_fraction(exact, kind, mode)
                if rounded is not None:
                    out[i] = rounded
                elif exact == 0 and mode == "rm" and not (out[i] == 0 and np.signbit(out[i])):
                    out[i] = SKIP  # signs of exact zeros have a rule of their own
        return out
    return reference


SKIP = np.float32(12345.678)


def minimum(a, b):
    out = np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.where((a < b) | ((a == b) & np.signbit(a)), a, b)))
    return out.astype(a.dtype)


def fma32(a, b, c):
    exact = a.astype(np.longdouble) * b.astype(np.longdouble)  # 48 bits: exact
    out = np.empty_like(a)
    for i in range(len(a)):
        if all(np.isfinite(float(x)) for x in (a[i], b[i], c[i])):
            value = Fraction(float(a[i])) * Fraction(float(b[i])) + Fraction(float(c[i]))
            down, up = (round_fraction(value, "f32", m) if value else None for m in ("rm", "rp"))
            if value == 0:
                out[i] = a[i] * b[i] + c[i]
            elif down == up:
                out[i] = down
            else:  # to nearest, ties to even; beyond the largest by the half of the next step
                low, high = (Fraction(float(x)) if np.isfinite(x) else Fraction(int(np.sign(float(x)))) * 2 ** 128 for x in (down, up))
                even = int(np.array(down, np.float32).view(np.uint32)) % 2 == 0
                out[i] = down if value - low < high - value or (value - low == high - value and even) else up
        else:
            out[i] = np.float32(exact[i] + c[i].astype(np.longdouble))
    return out


def halves(function):
    return lambda *arrays: function(*(a.astype(np.float64) for a in arrays)).astype(arrays[0].dtype)


def to_int(kind, rounding):
    low, high = (0, 2 ** int(kind[1:]) - 1) if kind[0] == "u" else (-2 ** (int(kind[1:]) - 1), 2 ** (int(kind[1:]) - 1) - 1)

    def one(x):
        x = float(x)
        if np.isnan(x):
            return 0
        if np.isinf(x):
            return high if x > 0 else low
        return max(low, min(high, int({"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}[rounding](x))))
    return lambda a: [one(x) for x in a]


def float_cases():
    f32, f64 = {"add": np.add, "sub": np.subtract, "mul": np.multiply}, {}
    exact = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b if b else None}
    for kind in ("f32", "f64"):
        for op, f in {**f32, "div": np.divide}.items():
            yield f"{op}.rn.{kind} d, a, b;", [kind, kind], kind, f
            for mode in ("rz", "rm", "rp"):
                yield f"{op}.{mode}.{kind} d, a, b;", [kind, kind], kind, directed(kind, mode, exact[op], f)
        yield f"sqrt.rn.{kind} d, a;", [kind], kind, np.sqrt
        yield f"rcp.rn.{kind} d, a;", [kind], kind, lambda a: (1 / a).astype(a.dtype)
        yield f"min.{kind} d, a, b;", [kind, kind], kind, minimum
        yield f"max.{kind} d, a, b;", [kind, kind], kind, lambda a, b: -minimum(-a, -b)
        yield f"neg.{kind} d, a;", [kind], kind, np.negative
        yield f"abs.{kind} d, a;", [kind], kind, np.abs
        for op, f in {"lt": np.less, "ge": np.greater_equal, "eq": np.equal, "neu": np.not_equal, "ltu": lambda a, b: ~(a >= b),
                      "num": lambda a, b: ~(np.isnan(a) | np.isnan(b)), "nan": lambda a, b: np.isnan(a) | np.isnan(b),
                      "ne": lambda a, b: (a != b) & ~(np.isnan(a) | np.isnan(b))}.items():
            yield f"setp.{op}.{kind} %p, a, b; selp.u32 d, 1, 0, %p;", [kind, kind], "u32", lambda a, b, f=f: f(a, b).astype(int)
    yield "fma.rn.f32 d, a, b, c;", ["f32"] * 3, "f32", fma32
    yield "min.NaN.f32 d, a, b;", ["f32"] * 2, "f32", lambda a, b: np.where(np.isnan(a) | np.isnan(b), np.float32(np.nan), minimum(a, b))
    yield "add.sat.f32 d, a, b;", ["f32"] * 2, "f32", lambda a, b: np.where(a + b > 0, np.minimum(a + b, np.float32(1)), np.float32(0))
    flush = lambda a: np.where(np.abs(a) < np.float32(2 ** -126), np.copysign(np.float32(0), a), a)
    yield "mul.ftz.f32 d, a, b;", ["f32"] * 2, "f32", lambda a, b: flush(flush(a) * flush(b))
    yield "copysign.f32 d, a, b;", ["f32"] * 2, "f32", lambda a, b: np.copysign(b, a)
    for kind in ("f16", "bf16"):
        for op, f in f32.items():
            yield f"{op}.rn.{kind} d, a, b;", [kind, kind], kind, halves(f)
        yield f"fma.rn.{kind} d, a, b, c;", [kind] * 3, kind, halves(lambda a, b, c: a * b + c)
        yield f"max.{kind} d, a, b;", [kind, kind], kind, halves(lambda a, b: -minimum(-a, -b))
        yield f"neg.{kind} d, a;", [kind], kind, lambda a: -a
        yield f"cvt.rn.{kind}.f32 d, a;", ["f32"], kind, lambda a, k=kind: a.astype(TYPES[k])
        yield f"cvt.f32.{kind} d, a;", [kind], "f32", lambda a: a.astype(np.float32)
    for to in ("s32", "u32", "s64", "u64", "s16", "u8"):
        for source in ("f32", "f64"):
            for rounding in ("rzi", "rni", "rmi", "rpi"):
                yield f"cvt.{rounding}.{to}.{source} d, a;", [source], to, to_int(to, rounding)
    for source in ("s32", "u32", "s64", "u64", "s16"):
        for to in ("f32", "f64"):
            yield f"cvt.rn.{to}.{source} d, a;", [source], to, lambda a, t=to: a.astype(TYPES[t])
    yield "cvt.rn.f32.f64 d, a;", ["f64"], "f32", lambda a: a.astype(np.float32)
    yield "cvt.f64.f32 d, a;", ["f32"], "f64", lambda a: a.astype(np.float64)
    for rounding, f in {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}.items():
        yield f"cvt.{rounding}.f32.f32 d, a;", ["f32"], "f32", f
    for name, dtype in (("e4m3x2", ml_dtypes.float8_e4m3fn), ("e5m2x2", ml_dtypes.float8_e5m2)):
        yield f"cvt.rn.satfinite.{name}.f32 d, a, b;", ["f32", "f32"], "u16", pack8(dtype)


def pack8(dtype):
    largest = float(ml_dtypes.finfo(dtype).max)

    def one(a):
        a = a.astype(np.float64)
        bits = np.clip(a, -largest, largest).astype(np.float32).astype(dtype).view(np.uint8).astype(int)
        return np.where(np.isnan(a), 0x7F, bits)
    return lambda a, b: one(a) << 8 | one(b)


APPROXIMATE = [  # absolute or relative error, from the PTX ISA
    ("ex2.approx.ftz.f32 d, a;", lambda a: np.exp2(a), 2 ** -22), ("lg2.approx.ftz.f32 d, a;", lambda a: np.log2(a), 2 ** -22),
    ("rcp.approx.ftz.f32 d, a;", lambda a: 1 / a, 2 ** -23), ("rsqrt.approx.ftz.f32 d, a;", lambda a: 1 / np.sqrt(a), 2 ** -22.4),
    ("sqrt.approx.ftz.f32 d, a;", np.sqrt, 2 ** -23), ("tanh.approx.f32 d, a;", np.tanh, 2 ** -11),
    ("sin.approx.ftz.f32 d, a;", np.sin, 2 ** -20.5), ("cos.approx.ftz.f32 d, a;", np.cos, 2 ** -20.5),
]


def check_exact(library, text, kinds, result, reference):
    arrays = inputs(kinds)
    with np.errstate(all="ignore"):
        got = run(library, text, kinds, result, arrays)
        expected = reference(*arrays)
        if result in ("f32", "f64", "f16", "bf16"):
            expected = np.asarray(expected).astype(TYPES[result])
            skipped = expected == SKIP.astype(TYPES[result])
            if text.startswith(("neg", "abs", "copysign")):
                wrong = ~np.isnan(expected.astype(np.float64)) & (expected.view(f"u{expected.dtype.itemsize}") != got.view(f"u{got.dtype.itemsize}"))
            else:
                wrong = ~skipped & (canonical(expected, result) != (canonical(got, result) if result == "f64" or "cvt" in text else
                                                                    got.view(f"u{got.dtype.itemsize}")))
        else:
            wrong = wrap(expected, result) != got
    if not wrong.any():
        return None
    i = int(np.argmax(wrong))
    return f"{text} of {[a[i] for a in arrays]}: expected {np.asarray(expected)[i]}, got {got[i]} ({int(wrong.sum())} of {N} differ)"


def check_approximate(library, text, reference, bound):
    a = DRAW.uniform(0.01, 3, N).astype(np.float32)
    got = run(library, text, ["f32"], "f32", [a])
    want = reference(a.astype(np.float64))
    error = np.max(np.abs(got - want) / np.maximum(np.abs(want), 1 if text[:3] in ("sin", "cos", "lg2") else 1e-30))
    return None if error <= bound else f"{text}: error {error:.2e}, at most {bound:.2e} allowed"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True)
    library = parser.parse_args().library
    faults = []
    for case in [*integer_cases(), *float_cases()]:
        try:
            faults.append(check_exact(library, *case))
        except PtxError as error:
            faults.append(f"{case[0]}: {error}")
    faults += [check_approximate(library, *case) for case in APPROXIMATE]
    for fault in faults:
        if fault:
            print(fault)
    failed = sum(f is not None for f in faults)
    print(f"{len(faults) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
