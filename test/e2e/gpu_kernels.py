"""Kernels that gpu-schedule and convert-linalg-to-gpu make, in the PTX interpreter, against float64.

    python gpu_kernels.py --bin build/release/bin --library build/release/lib/libmlc_ptxsim.so [--ptxas /usr/local/cuda/bin/ptxas]

A case is a function of linalg on tensors, what it takes, and what it means in numpy. All functions are one module, lowered by
--gpu-launch-pipeline and --nvvm-pipeline, and run in order and with turns drawn from a seed: an access out of bounds, a read of what was
never written or a race is an error. Each case is one launch, and has no bank conflicts. With --ptxas there must be no spills.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np

from harness import call
from ptxsim import Device, PtxError

DTYPES = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "i32": np.int32, "i8": np.int8}
# Of the largest sum of absolute values: roundings of f32 sums, of a result, and of factors.
TOLERANCE = {"f32": 1e-6, "f16": 1e-3, "bf16": 8e-3, "tf32": 1.5e-3}
DRAW = np.random.default_rng(3)
CASES = []


def draw(shape, dtype):
    if dtype.startswith("i"):
        return DRAW.integers(-128, 128, shape).astype(DTYPES[dtype])
    return DRAW.standard_normal(shape).astype(DTYPES[dtype])


def tensor(shape, dtype):
    return f"tensor<{'x'.join(map(str, shape))}x{dtype}>"


def case(name, inputs, result, body, meaning, scale, tolerance, **also):
    """`meaning` and `scale` take the inputs as float64; the error is counted in the largest `scale`."""
    CASES.append(dict(name=name, inputs=inputs, result=result, body=body, meaning=meaning, scale=scale, tolerance=tolerance, also=also))


def generic(ins, out, maps, iterators, body, name, attrs=""):
    """One linalg.generic: ins and out as (value, shape, dtype)."""
    types = ", ".join(tensor(s, d) for _, s, d in ins)
    args = ", ".join(f"%i{n}: {d}" for n, (_, _, d) in enumerate(ins)) + f", %o: {out[2]}"
    return f"""  {name} = linalg.generic {{indexing_maps = [{', '.join(f'affine_map<{m}>' for m in maps)}], iterator_types = [{', '.join(f'"{i}"' for i in iterators)}]{attrs}}}
      ins({', '.join(v for v, _, _ in ins)} : {types}) outs({out[0]} : {tensor(out[1], out[2])}) {{
  ^bb0({args}):
{body}
  }} -> {tensor(out[1], out[2])}
"""


def filled(shape, dtype):
    return f"""  %zero = arith.constant 0.0 : {dtype}
  %e0 = tensor.empty() : {tensor(shape, dtype)}
  %init = linalg.fill ins(%zero : {dtype}) outs(%e0 : {tensor(shape, dtype)}) -> {tensor(shape, dtype)}
  %e1 = tensor.empty() : {tensor(shape, dtype)}
"""


def product_body(element, result):
    if element == result:
        return f"    %m = arith.mulf %i0, %i1 : {result}\n    %s = arith.addf %o, %m : {result}\n    linalg.yield %s : {result}"
    return (f"    %x = arith.extf %i0 : {element} to {result}\n    %y = arith.extf %i1 : {element} to {result}\n"
            f"    %m = arith.mulf %x, %y : {result}\n    %s = arith.addf %o, %m : {result}\n    linalg.yield %s : {result}")


BIAS_RELU = """    %s = arith.addf %i0, %i1 : {d}
    %r = arith.maximumf %s, %zero : {d}
    linalg.yield %r : {d}"""


def product(m, n, k, element="f32", result=None, turned=(False, False), batch=None, schedule=None, tf32=False):
    """relu(A B + bias), with A and B as they are or transposed, one or several."""
    result = result or element
    lead, b = ([batch], "b, ") if batch else ([], "")
    shape_a, shape_b = lead + ([k, m] if turned[0] else [m, k]), lead + ([n, k] if turned[1] else [k, n])
    loops = f"({b}m, n, k)"
    maps = [f"{loops} -> ({b}{'k, m' if turned[0] else 'm, k'})", f"{loops} -> ({b}{'n, k' if turned[1] else 'k, n'})", f"{loops} -> ({b}m, n)"]
    iterators = (["parallel"] if batch else []) + ["parallel", "parallel", "reduction"]
    out = lead + [m, n]
    point, bias = f"({b}m, n) -> ({b}m, n)", f"({b}m, n) -> (n)"
    body = filled(out, result)
    body += generic([("%a", shape_a, element), ("%b", shape_b, element)], ("%init", out, result), maps, iterators, product_body(element, result), "%p",
                    f", mlc.schedule = #gpu.schedule<{schedule}>" if schedule else "")
    body += generic([("%p", out, result), ("%c", [n], result)], ("%e1", out, result), [point, bias, point], iterators[:-1], BIAS_RELU.format(d=result), "%r")

    def matrices(a, b):
        return (np.swapaxes(a, -1, -2) if turned[0] else a), (np.swapaxes(b, -1, -2) if turned[1] else b)

    name = f"{element} to {result}{' as tf32' if tf32 else ''}, {batch or 1} x {m} x {n} x {k}, transposed {turned}, {schedule or 'its schedule'}"
    case(name, [("%a", shape_a, element), ("%b", shape_b, element), ("%c", [n], result)], (out, result), body,
         lambda a, b, c: np.maximum(np.matmul(*matrices(a, b)) + c, 0), lambda a, b, c: np.matmul(*map(np.abs, matrices(a, b))) + np.abs(c),
         TOLERANCE["tf32" if tf32 else result], tf32=tf32)


def convolution(n, h, w, c, f, taps, stride, element="f32"):
    """Of an image whose padding is there, with a residual behind: rows are pixels, the depth is taps and channels."""
    oh, ow = (h - taps) // stride + 1, (w - taps) // stride + 1
    image, weights, out = [n, h, w, c], [taps, taps, c, f], [n, oh, ow, f]
    loops = "(n, y, x, f, i, j, c)"
    maps = [f"{loops} -> (n, y * {stride} + i, x * {stride} + j, c)", f"{loops} -> (i, j, c, f)", f"{loops} -> (n, y, x, f)"]
    point = "(n, y, x, f) -> (n, y, x, f)"
    body = filled(out, "f32")
    body += generic([("%a", image, element), ("%b", weights, element)], ("%init", out, "f32"), maps, ["parallel"] * 4 + ["reduction"] * 3,
                    product_body(element, "f32"), "%p")
    body += generic([("%p", out, "f32"), ("%c", out, "f32")], ("%e1", out, "f32"), [point] * 3, ["parallel"] * 4, BIAS_RELU.format(d="f32"), "%r")

    def sums(a, b):
        total = np.zeros(out)
        for i in range(taps):
            for j in range(taps):
                total += a[:, i:i + (oh - 1) * stride + 1:stride, j:j + (ow - 1) * stride + 1:stride] @ b[i, j]
        return total
    case(f"convolution of {element}, {image} by {weights}, stride {stride}", [("%a", image, element), ("%b", weights, element), ("%c", out, "f32")],
         (out, "f32"), body, lambda a, b, c: np.maximum(sums(a, b) + c, 0), lambda a, b, c: sums(np.abs(a), np.abs(b)) + np.abs(c), TOLERANCE["f32"])


def bytes_product(m, n, k, turned=(False, True), signs="ss", scaled=False, schedule=None, batch=None, large=False):
    """A B + row, of bytes with or without signs, in i32: exact; `scaled`: times a number by column, in f32; `large`: all are -128 or 127."""
    lead, b = ([batch], "b, ") if batch else ([], "")
    shape_a, shape_b, out = lead + ([k, m] if turned[0] else [m, k]), lead + ([n, k] if turned[1] else [k, n]), lead + [m, n]
    loops = f"({b}m, n, k)"
    maps = [f"{loops} -> ({b}{'k, m' if turned[0] else 'm, k'})", f"{loops} -> ({b}{'n, k' if turned[1] else 'k, n'})", f"{loops} -> ({b}m, n)"]
    point, row, walk = f"({b}m, n) -> ({b}m, n)", f"({b}m, n) -> (n)", ["parallel"] * len(out)
    wide = "".join(f"    %{v} = arith.ext{'s' if s == 's' else 'u'}i %i{i} : i8 to i32\n" for i, (v, s) in enumerate(zip("xy", signs)))
    body = f"  %zero = arith.constant 0 : i32\n  %e0 = tensor.empty() : {tensor(out, 'i32')}\n"
    body += f"  %init = linalg.fill ins(%zero : i32) outs(%e0 : {tensor(out, 'i32')}) -> {tensor(out, 'i32')}\n"
    body += generic([("%a", shape_a, "i8"), ("%b", shape_b, "i8")], ("%init", out, "i32"), maps, walk + ["reduction"],
                    wide + "    %m = arith.muli %x, %y : i32\n    %s = arith.addi %o, %m : i32\n    linalg.yield %s : i32", "%p",
                    f", mlc.schedule = #gpu.schedule<{schedule}>" if schedule else "")
    result = "f32" if scaled else "i32"
    body += f"  %e1 = tensor.empty() : {tensor(out, result)}\n"
    text = "    %s = arith.addi %i0, %i1 : i32\n    linalg.yield %s : i32"
    if scaled:
        text = "    %s = arith.sitofp %i0 : i32 to f32\n    %t = arith.mulf %s, %i1 : f32\n    linalg.yield %t : f32"
    body += generic([("%p", out, "i32"), ("%c", [n], result)], ("%e1", out, result), [point, row, point], walk, text, "%r")

    def matrices(a, b):
        a, b = (x % 256 if s == "u" else x for x, s in zip((a, b), signs))
        return np.matmul(np.swapaxes(a, -1, -2) if turned[0] else a, np.swapaxes(b, -1, -2) if turned[1] else b)

    def extremes(a, b, c):
        for x in (a, b):
            x[...] = np.where(x < 0, -128, 127)
    case(f"bytes {signs}, {batch or 1} x {m} x {n} x {k}, transposed {turned}{', scaled' * scaled}{', large' * large}, {schedule or 'its schedule'}",
         [("%a", shape_a, "i8"), ("%b", shape_b, "i8"), ("%c", [n], result)], (out, result), body,
         lambda a, b, c: matrices(a, b) * c if scaled else (matrices(a, b) + c + 2**31) % 2**32 - 2**31,
         lambda a, b, c: np.ones(1) if not scaled else np.abs(matrices(a, b) * c).max(), 1e-6, change=extremes if large else None)


def starts_from_bias(m, n, k):
    """The product is added to a row that is repeated; no op follows."""
    body = f"  %e0 = tensor.empty() : {tensor([m, n], 'f32')}\n"
    body += generic([("%c", [n], "f32")], ("%e0", [m, n], "f32"), ["(m, n) -> (n)", "(m, n) -> (m, n)"], ["parallel"] * 2, "    linalg.yield %i0 : f32", "%init")
    body += generic([("%a", [m, k], "f32"), ("%b", [k, n], "f32")], ("%init", [m, n], "f32"),
                    ["(m, n, k) -> (m, k)", "(m, n, k) -> (k, n)", "(m, n, k) -> (m, n)"], ["parallel", "parallel", "reduction"],
                    product_body("f32", "f32"), "%r")
    case(f"starts from a bias, {m} x {n} x {k}", [("%a", [m, k], "f32"), ("%b", [k, n], "f32"), ("%c", [n], "f32")], ([m, n], "f32"), body,
         lambda a, b, c: a @ b + c, lambda a, b, c: np.abs(a) @ np.abs(b) + np.abs(c), TOLERANCE["f32"])


def concatenation(shape, sizes, dim, dtype="f32", flat=False):
    """max(parts side by side + another one, 0), where `flat` of flat views."""
    parts = [shape[:dim] + [n] + shape[dim + 1:] for n in sizes]
    whole = shape[:dim] + [sum(sizes)] + shape[dim + 1:]
    rank, first, values = len(whole), 0, "%e0"
    body = f"  %zero = arith.constant 0.0 : {dtype}\n  %e0 = tensor.empty() : {tensor(whole, dtype)}\n"
    for i, part in enumerate(parts):
        offsets = [first if d == dim else 0 for d in range(rank)]
        body += f"  %p{i} = tensor.insert_slice %a{i} into {values}{offsets} {part} {[1] * rank} : {tensor(part, dtype)} into {tensor(whole, dtype)}\n"
        first, values = first + sizes[i], f"%p{i}"
    names, used, count, other = [f"d{d}" for d in range(rank)], whole, int(np.prod(whole)), "%c"
    if flat:
        group = f"[[{', '.join(map(str, range(rank)))}]]"
        for name, value in (("x", values), ("y", "%c")):
            body += f"  %{name} = tensor.collapse_shape {value} {group} : {tensor(whole, dtype)} into {tensor([count], dtype)}\n"
        names, used, values, other = ["d0"], [count], "%x", "%y"
    point = f"({', '.join(names)}) -> ({', '.join(names)})"
    body += f"  %e1 = tensor.empty() : {tensor(used, dtype)}\n"
    body += generic([(values, used, dtype), (other, used, dtype)], ("%e1", used, dtype), [point] * 3, ["parallel"] * len(names),
                    BIAS_RELU.format(d=dtype), "%z" if flat else "%r")
    if flat:
        body += f"  %r = tensor.expand_shape %z {group} output_shape {whole} : {tensor([count], dtype)} into {tensor(whole, dtype)}\n"
    case(f"concatenation of {parts}{' flat' * flat}, {dtype}", [(f"%a{i}", part, dtype) for i, part in enumerate(parts)] + [("%c", whole, dtype)], (whole, dtype), body,
         lambda *a: np.maximum(np.concatenate(a[:-1], dim) + a[-1], 0), lambda *a: np.ones(1), 4e-7 if dtype == "f32" else 4e-3)


ROW, ONE, COLUMN = "(r, c) -> (r, c)", "(r, c) -> (r)", "(r, c) -> (c)"


def reduced(rows, length, start, body, source, name):
    """A reduction along rows of `source`, from a number."""
    return (f"  %{name}_c = arith.constant {start} : f32\n  %{name}_e = tensor.empty() : {tensor([rows], 'f32')}\n"
            f"  %{name}_i = linalg.fill ins(%{name}_c : f32) outs(%{name}_e : {tensor([rows], 'f32')}) -> {tensor([rows], 'f32')}\n"
            + generic([(source, [rows, length], "f32")], (f"%{name}_i", [rows], "f32"), [ROW, ONE], ["parallel", "reduction"], body, f"%{name}"))


def walked(ins, rows, length, maps, body, name):
    """An op on all elements of rows."""
    return (f"  %{name}_e = tensor.empty() : {tensor([rows, length], 'f32')}\n"
            + generic(ins, (f"%{name}_e", [rows, length], "f32"), maps + [ROW], ["parallel", "parallel"], body, f"%{name}"))


ADD = "    %s = arith.addf %o, %i0 : f32\n    linalg.yield %s : f32"


def softmax(rows, length):
    whole, row = [rows, length], [rows]
    body = reduced(rows, length, "0xFF800000", "    %s = arith.maximumf %o, %i0 : f32\n    linalg.yield %s : f32", "%a", "top")
    body += walked([("%a", whole, "f32"), ("%top", row, "f32")], rows, length, [ROW, ONE],
                   "    %s = arith.subf %i0, %i1 : f32\n    %x = math.exp %s : f32\n    linalg.yield %x : f32", "powers")
    body += reduced(rows, length, "0.0", ADD, "%powers", "sum")
    body += walked([("%powers", whole, "f32"), ("%sum", row, "f32")], rows, length, [ROW, ONE],
                   "    %s = arith.divf %i0, %i1 : f32\n    linalg.yield %s : f32", "r")
    case(f"softmax of {rows} x {length}", [("%a", whole, "f32")], (whole, "f32"), body,
         lambda a: np.exp(a - a.max(1, keepdims=True)) / np.exp(a - a.max(1, keepdims=True)).sum(1, keepdims=True), lambda a: np.ones(1), 2e-6)


def norm(rows, length):
    """A layer norm with scale and shift along the row."""
    whole, row = [rows, length], [rows]
    body = f"  %inverse = arith.constant {1 / length!r} : f32\n  %epsilon = arith.constant 1.0e-5 : f32\n"
    body += reduced(rows, length, "0.0", ADD, "%a", "sum")
    body += walked([("%a", whole, "f32"), ("%sum", row, "f32")], rows, length, [ROW, ONE],
                   "    %m = arith.mulf %i1, %inverse : f32\n    %s = arith.subf %i0, %m : f32\n    linalg.yield %s : f32", "centred")
    body += reduced(rows, length, "0.0", "    %m = arith.mulf %i0, %i0 : f32\n    %s = arith.addf %o, %m : f32\n    linalg.yield %s : f32", "%centred", "square")
    body += walked([("%centred", whole, "f32"), ("%square", row, "f32"), ("%b", [length], "f32"), ("%c", [length], "f32")], rows, length,
                   [ROW, ONE, COLUMN, COLUMN], """    %m = arith.mulf %i1, %inverse : f32
    %v = arith.addf %m, %epsilon : f32
    %q = math.sqrt %v : f32
    %n = arith.divf %i0, %q : f32
    %t = arith.mulf %n, %i2 : f32
    %s = arith.addf %t, %i3 : f32
    linalg.yield %s : f32""", "r")
    case(f"norm of {rows} x {length}", [("%a", whole, "f32"), ("%b", [length], "f32"), ("%c", [length], "f32")], (whole, "f32"), body,
         lambda a, b, c: (a - a.mean(1, keepdims=True)) / np.sqrt(a.var(1, keepdims=True) + 1e-5) * b + c, lambda a, b, c: np.ones(1), 3e-5)


def sums(rows, length):
    body = reduced(rows, length, "1.5", ADD, "%a", "r")
    case(f"sums of {rows} x {length}", [("%a", [rows, length], "f32")], ([rows], "f32"), body, lambda a: a.sum(1) + 1.5, lambda a: np.abs(a).sum(1), 1e-6)


def attention(batch, queries, keys, depth, width, element="f32", turned=False, before=None, mask=False, causal=None, hidden=None, zeroes=False, ends=False,
              schedule=None, tf32=False, change=None, fewer=None, twin=False):
    """softmax(scale Q K^T + mask) V: K as it is, or turned, [depth, keys]; scaled before, or behind; what is no number is 0; relu of all behind.
    A query sees keys up to its number and `causal`; others are -inf, or `hidden` is added. The twin is told so by an argument: the same bits."""
    q, k, v, whole, rows, out = ([batch, queries, depth], [batch, depth, keys] if turned else [batch, keys, depth], [batch, keys, width],
                                 [batch, queries, keys], [batch, queries], [batch, queries, width])
    scale, three, row = depth ** -0.5, "(b, m, n) -> (b, m, n)", "(b, m, n) -> (b, m)"
    walk, along = ["parallel"] * 3, ["parallel", "parallel", "reduction"]
    body, factor = f"  %scale = arith.constant {scale!r} : f32\n  %nothing = arith.constant 0xFF800000 : f32\n  %zero32 = arith.constant 0.0 : f32\n", "%a"

    def made(name, shape, dtype="f32", start=None):
        text = f"  %{name}_e = tensor.empty() : {tensor(shape, dtype)}\n"
        return text + (f"  %{name}_i = linalg.fill ins({start} : f32) outs(%{name}_e : {tensor(shape, dtype)}) -> {tensor(shape, dtype)}\n" if start else "")

    def ops(ins, name, shape, maps, iterators, text, dtype="f32", start=None, attrs=""):
        return made(name, shape, dtype, start) + generic(ins, (f"%{name}_{'i' if start else 'e'}", shape, dtype), maps, iterators, text, f"%{name}", attrs)
    if before:
        narrow = "" if element == "f32" else f"    %n = arith.truncf %x : f32 to {element}\n"
        wide = "    %x = arith.mulf %i0, %scale : f32\n" if element == "f32" else f"    %w = arith.extf %i0 : {element} to f32\n    %x = arith.mulf %w, %scale : f32\n"
        body += ops([("%a", q, element)], "a_q", q, ["(b, m, d) -> (b, m, d)"] * 2, walk, f"{wide}{narrow}    linalg.yield {'%n' if narrow else '%x'} : {element}", element)
        factor = "%a_q"
    body += ops([(factor, q, element), ("%k", k, element)], "a_p", whole,
                ["(b, m, n, d) -> (b, m, d)", f"(b, m, n, d) -> (b, {'d, n' if turned else 'n, d'})", "(b, m, n, d) -> (b, m, n)"],
                ["parallel"] * 3 + ["reduction"], product_body(element, "f32"), start="%zero32", attrs=f", mlc.schedule = #gpu.schedule<{schedule}>" if schedule else "")
    scores = "%a_p"
    if not before:
        body += ops([(scores, whole, "f32")], "a_s", whole, [three] * 2, walk, "    %x = arith.mulf %i0, %scale : f32\n    linalg.yield %x : f32")
        scores = "%a_s"
    if mask:
        body += ops([(scores, whole, "f32"), ("%mask", [queries, keys], "f32")], "a_t", whole, [three, "(b, m, n) -> (m, n)", three], walk, ADD2)
        scores = "%a_t"
    told = [("%told", [queries, keys], "f32")] * twin
    if causal is not None:
        text = f"""    %r = linalg.index 1 : index
    %c = linalg.index 2 : index
    %off = arith.constant {causal} : index
    %last = arith.addi %r, %off : index
    %y = arith.cmpi sle, %c, %last : index
    %h = arith.constant {0.0 if hidden is None else hidden:.9e} : f32
    %m = arith.select %y, %zero32, %h : f32
""".replace("-inf", "0xFF800000") if not twin else "    %m = arith.addf %i1, %zero32 : f32\n    %y = arith.cmpf oeq, %i1, %zero32 : f32\n"
        text += f"    %x = {'arith.select %y, %i0, %nothing' if hidden is None else 'arith.addf %i0, %m'} : f32\n    linalg.yield %x : f32"
        body += ops([(scores, whole, "f32"), *told], "a_u", whole, [three, *["(b, m, n) -> (m, n)"] * twin, three], walk, text)
        scores = "%a_u"
    body += ops([(scores, whole, "f32")], "a_top", rows, [three, row], along, "    %x = arith.maximumf %o, %i0 : f32\n    linalg.yield %x : f32", start="%nothing")
    body += ops([(scores, whole, "f32"), ("%a_top", rows, "f32")], "a_e", whole, [three, row, three], walk,
                "    %d = arith.subf %i0, %i1 : f32\n    %x = math.exp %d : f32\n    linalg.yield %x : f32")
    body += ops([("%a_e", whole, "f32")], "a_sum", rows, [three, row], along, ADD, start="%zero32")
    text, last = "    %x = arith.divf %i0, %i1 : f32\n", "%x"
    if zeroes:
        text, last = text + "    %y = arith.cmpf une, %x, %x : f32\n    %z = arith.select %y, %zero32, %x : f32\n", "%z"
    if element != "f32":
        text, last = text + f"    %h = arith.truncf {last} : f32 to {element}\n", "%h"
    body += ops([("%a_e", whole, "f32"), ("%a_sum", rows, "f32")], "a_w", whole, [three, row, three], walk, f"{text}    linalg.yield {last} : {element}", element)
    body += ops([("%a_w", whole, element), ("%v", v, element)], "a_o", out, ["(b, m, d, n) -> (b, m, n)", "(b, m, d, n) -> (b, n, d)", "(b, m, d, n) -> (b, m, d)"],
                ["parallel"] * 3 + ["reduction"], product_body(element, "f32"), start="%zero32")
    body += ops([("%a_o", out, "f32")], "r", out, [three] * 2, walk, f"    %x = arith.maximumf %i0, %{'zero32' if ends else 'nothing'} : f32\n    linalg.yield %x : f32")

    is_shown = np.arange(keys) <= np.arange(queries)[:, None] + (keys if causal is None else causal)

    def weights(a, b, m=None):
        with np.errstate(all="ignore"):
            s = a @ (b if turned else np.swapaxes(b, 1, 2)) * scale + (0 if m is None else m)
            s = np.where(is_shown, s, -np.inf) if hidden is None else s + np.where(is_shown, 0, hidden)
            e = np.exp(s - s.max(-1, keepdims=True))
            w = e / e.sum(-1, keepdims=True)
        return np.where(np.isnan(w), 0, w) if zeroes else w

    def meaning(a, b, c, m=None):
        with np.errstate(all="ignore"):
            return np.maximum(weights(a, b, m if mask else None) @ c, 0 if ends else -np.inf)
    name = (f"attention of {element}{' as tf32' if tf32 else ''}, {batch} x {queries} x {keys} x {depth} x {width}{', turned' * turned}{', scaled before' * bool(before)}"
            f"{', mask' * mask}{f', causal from {causal} by {hidden}' * (causal is not None)}{', told' * twin}{', zeroes' * zeroes}, {schedule or 'its schedule'}{', ' + change.__name__ if change else ''}")
    like = (CASES[-1], np.where(is_shown, 0, -1 if hidden is None else hidden).astype(np.float32), fewer) if twin else None
    case(name, [("%a", q, element), ("%k", k, element), ("%v", v, element)] + [("%mask", [queries, keys], "f32")] * mask + told, (out, "f32"), body, meaning,
         lambda a, b, c, m=None: np.nanmax(np.abs(c[np.isfinite(c)])), {"f32": 3e-6, "f16": 2e-3, "bf16": 1.5e-2}[element] if not tf32 else 3e-3, tf32=tf32, change=change,
         width=width, like=like)


def hiding(*sizes, **more):
    """Attention that sees what is hidden, and its twin that does not: the same bits, of `fewer` times as many instructions."""
    attention(*sizes, **more)
    attention(*sizes, twin=True, **more)


ADD2 = "    %x = arith.addf %i0, %i1 : f32\n    linalg.yield %x : f32"


def masks(a, k, v, m):
    """Of the mask's rows one has a single key, one none, one +inf; a query is not a number, and values that nobody looks at are no numbers."""
    m[:, m.shape[1] // 2:] = -np.inf
    m[1, :], m[1, 3], m[2, :], m[3, 5] = -np.inf, 0, -np.inf, np.inf
    a[0, 4, 0] = np.nan
    a[0, 5] *= 100


def values(a, k, v, m):
    """The same, with values that are infinite or no numbers, and no weight that rounds to 0."""
    masks(a, k, v, m)
    a[0, 5] /= 100
    v[0, 2, 3], v[0, -1, 4], v[-1, -1, 5] = np.inf, np.inf, np.nan


def unseen_values(a, k, v):
    """Values that are no numbers, of keys that few queries see: weights of 0 make no numbers of all."""
    v[0, -1, 3], v[-1, -2, 4] = np.inf, np.nan


def unseen_keys(a, k, v):
    """The same of keys. What is chosen by a mask hides them, what is added does not."""
    k[0, -1, 0], k[-1, -2, 1] = np.nan, -np.inf


# A warp a row, whole and ragged, rows that do not fill the last block; several warps a row.
for rows, length in [(8, 64), (5, 200), (3, 33), (4, 512), (3, 1000), (2, 5000)]:
    softmax(rows, length)
    norm(rows, length)
    sums(rows, length)
for element, result in [("f16", "f16"), ("f16", "f32"), ("bf16", "f32"), ("f32", "f32")]:
    for turned in [(False, False), (False, True), (True, False), (True, True)]:
        for sizes in [(64, 64, 64), (40, 72, 50), (33, 65, 17)]: # whole tiles; runs of 4 bytes and more; single elements
            product(*sizes, element, result, turned)
            if element == "f32":
                product(*sizes, element, result, turned, tf32=True)
for element, schedule in [("f16", "kind = mma, tile = [128, 128, 32], warps = [2, 4], stages = 3"), ("bf16", "kind = mma, tile = [128, 64, 64], warps = [2, 2], stages = 2"),
                          ("f32", "kind = mma, tile = [128, 64, 16], warps = [4, 1], stages = 4"), ("f32", "kind = fma, tile = [128, 128, 8], warps = [4, 2], stages = 4"),
                          ("f32", "kind = fma, tile = [64, 64, 16], warps = [2, 2], stages = 3")]:
    for turned in [(False, False), (True, True)]:
        product(136, 144, 72, element, "f32", turned, schedule=schedule, tf32="mma" in schedule and element == "f32")
# Groups of warps that share the depth: whole steps and a last one of few, more groups than steps, all layouts; those that are chosen.
for element, unit in [("f16", "kind = mma, tile = [32, 32, 16], warps = [1, 2]"), ("f32", "kind = fma, tile = [16, 32, 16], warps = [1, 1]")]:
    for turned in [(False, False), (True, True), (False, True)]:
        for depth, split in [(300, 4), (33, 8), (256, 2), (100, 3)]:
            product(40, 50, depth, element, "f32", turned, schedule=f"{unit}, stages = 3, split_k = {split}")
    product(49, 64, 1200, element, "f32")
product(20, 40, 400, "f16", "f32", batch=3)
product(49, 64, 1200, "f32", tf32=True)
convolution(1, 9, 9, 64, 32, 3, 1)
bytes_product(33, 40, 800)
bytes_product(20, 40, 1000, large=True)
product(40, 48, 24, "f16", "f32", batch=3)
product(33, 31, 17, "f32", batch=2, turned=(False, True))
starts_from_bias(24, 40, 16)
for turned in [(False, False), (False, True), (True, False), (True, True)]:
    for sizes in [(64, 64, 64), (40, 72, 48), (33, 65, 17)]: # whole tiles; runs of 16 bytes; single elements
        bytes_product(*sizes, turned)
bytes_product(40, 72, 52, scaled=True) # runs of 4 bytes
bytes_product(40, 72, 256, large=True)
bytes_product(33, 31, 19, batch=2)
bytes_product(40, 48, 33, signs="us") # by points
for schedule in ["tile = [128, 128, 64], warps = [2, 4], stages = 3", "tile = [128, 64, 128], warps = [2, 2], stages = 2", "tile = [32, 32, 32], warps = [1, 1], stages = 4"]:
    bytes_product(136, 144, 80, schedule=f"kind = mma, {schedule}")
concatenation([2, 8, 64], [16, 1], 1)
concatenation([3, 5, 7], [2, 4, 1], 2, "f16")
concatenation([4, 33], [1, 6], 0, flat=True)
for element in ("f32", "f16", "bf16"):
    attention(2, 64, 128, 64, 64, element, turned=True, mask=True)
    attention(2, 37, 45, 80, 80, element, before=True, ends=True) # ragged
    attention(3, 1, 129, 64, 64, element, turned=True) # a step of decoding
    attention(1, 40, 40, 96, 128, element, causal=0)
    for hidden in (None, -np.inf, np.finfo(np.float32).min):
        hiding(2, 200, 200, 64, 64, element=element, causal=0, hidden=hidden, fewer=0.9)
        hiding(2, 100, 150, 32, 32, element=element, causal=50, hidden=hidden, before=True)
        for change in (unseen_values, unseen_keys):
            hiding(2, 70, 200, 32, 32, element=element, causal=130, hidden=hidden, change=change)
    hiding(1, 100, 100, 64, 64, element=element, causal=-20, zeroes=True)
    hiding(1, 100, 100, 64, 64, element=element, causal=-20, hidden=-np.inf)
    attention(2, 20, 150, 17, 24, element, mask=True, zeroes=True, change=masks)
    attention(2, 20, 150, 32, 32, element, mask=True, change=masks)
    attention(2, 20, 70, 32, 32, element, mask=True, zeroes=True, change=values)
    unit, piece = ("fma", 32) if element == "f32" else ("mma", 64)
    for tile, warps, stages in [("128, 64", "8, 1", 2), ("64, 64", "4, 1", 3), ("32, 128", "2, 2", 2), ("16, 32", "1, 1", 4)]:
        schedule = f"kind = attention_{unit}, tile = [{tile}, {piece}], warps = [{warps}], stages = {stages}"
        attention(1, 100, 200, 64, 64, element, mask=True, schedule=schedule)
        hiding(1, 256, 256, 64, 64, element=element, causal=0, schedule=schedule, fewer=0.85)
attention(2, 64, 128, 64, 64, mask=True, tf32=True)
hiding(1, 256, 256, 64, 64, causal=0, hidden=-1e30, tf32=True, fewer=0.9)
attention(1, 37, 45, 80, 80, turned=True, before=True, tf32=True)
convolution(2, 10, 10, 16, 32, 3, 1)
convolution(1, 11, 9, 3, 16, 3, 2)
convolution(2, 10, 10, 16, 32, 3, 1, "f16")


def module_text(cases):
    text = []
    for c in cases:
        args = ", ".join(f"{v}: {tensor(s, d)}" for v, s, d in c["inputs"])
        text.append(f"func.func private @{c['id']}({args}) -> {tensor(*c['result'])} {{\n{c['body']}  return %r : {tensor(*c['result'])}\n}}\n")
    return "".join(text)


def launches_of(text):
    """By function: what it allocates, and its launches."""
    found = {}
    for name, body in re.findall(r"^  func\.func private @(\w+)\(.*?\{\n(.*?)^  \}", text, re.M | re.S):
        constants = {m[1]: int(m[2]) for m in re.finditer(r"(%\w+) = arith\.constant (-?\d+) : (?:index|i32)", body)}
        number = lambda names: [constants[n] for n in re.findall(r"%\w+", names)]
        found[name] = [(m[1], number(m[2]), number(m[3]), constants[m[4]] if m[4] else 0, re.findall(r"(%\w+) :", m[5])) for m in re.finditer(
            r"gpu\.launch_func +@\w+::@(\w+) blocks in \((.*?)\) threads in \((.*?)\) +(?:dynamic_shared_memory_size (%\w+) )?args\((.*)\)", body)]
    return found


def run(*command):
    result = call(*command)
    assert result.code == 0, result.err


def check(device, module, launches, c):
    assert len(launches) == 1, f"{len(launches)} launches"
    name, grid, block, shared, args = launches[0]
    first, told, fewer = c["also"].get("like") or (None, None, None)
    inputs = [*first["drawn"], told] if first else [draw(s, d) for _, s, d in c["inputs"]]
    if c["also"].get("change") and not first:
        c["also"]["change"](*inputs)
    c["drawn"], c["got"] = inputs, {}
    wide = [x.astype(np.float64) for x in inputs]
    want, scale = c["meaning"](*wide), np.max(c["scale"](*wide))
    for seed in (0, 3):
        buffers = [device.put(x) for x in inputs]
        shape, dtype = c["result"]
        buffers.append(device.alloc(int(np.prod(shape)) * np.dtype(DTYPES[dtype]).itemsize))
        counters = device.launch(module, name, grid, block, [buffers[int(a[4:])] for a in args], shared=shared, seed=seed)
        got = device.get(buffers[-1], shape, DTYPES[dtype]).astype(np.float64)
        unlike = ~np.isfinite(want)
        assert np.array_equal(got[unlike], want[unlike], equal_nan=True), f"seed {seed}: {got[unlike]}, not {want[unlike]}"
        error = np.max(np.abs(got[~unlike] - want[~unlike])) / scale
        assert error < c["tolerance"], f"seed {seed}: error {error:.1e}"
        # Lanes beyond a row's end take their next element while others store theirs, where a row is no multiple of a warp.
        allowed = int(np.prod(shape)) // 16 if c["also"].get("width", 32) % 32 else 0
        assert counters["bank_conflicts"] <= allowed, f"{counters['bank_conflicts']} bank conflicts"
        c["got"][seed] = got, counters["instructions"]
        if first:
            other, instructions = first["got"][seed]
            assert got.tobytes() == other.tobytes(), "other bits than its twin"
            assert not fewer or instructions < fewer * counters["instructions"], f"{instructions} instructions, {counters['instructions']} without looking"
        for buffer in buffers:
            device.free(buffer)


# A tile of 8 x 32 from row 1 and column 32 of a tensor, through workgroup memory into another one.
TILE = """
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
gpu.module @m {
  gpu.func @f(%in: !map, %out: !map) workgroup(%s: memref<8x32xf32, 3>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %bytes = arith.constant 1024 : index
    %many = arith.constant 1000000 : index
    %false = arith.constant false
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %b = nvgpu.mbarrier.create -> !bar
    nvgpu.mbarrier.init %b[%c1], %c1, predicate = %first : !bar
    gpu.barrier
    nvgpu.mbarrier.arrive.expect_tx %b[%c1], %bytes, predicate = %first : !bar
    nvgpu.tma.async.load %in[%c32, %c1], %b[%c1] to %s, predicate = %first : !map, !bar -> memref<8x32xf32, 3>
    nvgpu.mbarrier.try_wait.parity %b[%c1], %false, %many : !bar
    nvgpu.tma.async.store %s to %out[%c0, %c0], predicate = %first : memref<8x32xf32, 3> -> !map
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}
"""


# Rows are reversed through workgroup memory, by threads in two shapes.
MAPPED = """
func.func private @kernel_0(%a: memref<8x64xf32>, %b: memref<8x64xf32>) {
  scf.forall (%i) in (8) {
    %row = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    scf.forall (%t) in (64) {
      %x = memref.load %a[%i, %t] : memref<8x64xf32>
      memref.store %x, %row[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.thread<x>]}
    scf.for %half = %c0 to %c64 step %c32 {
      scf.forall (%u, %v) = (0, 0) to (4, 16) step (1, 2) {
        %p0 = arith.muli %u, %c8 : index
        %v2 = arith.divui %v, %c2 : index
        %p1 = arith.addi %p0, %v2 : index
        %p = arith.addi %p1, %half : index
        %q = arith.subi %c63, %p : index
        %x = memref.load %row[%p] : memref<64xf32, #gpu.address_space<workgroup>>
        memref.store %x, %b[%i, %q] : memref<8x64xf32>
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    }
  } {mapping = [#gpu.block<x>]}
  return
}
""".replace("  scf.forall (%i)", "".join(f"  %c{n} = arith.constant {n} : index\n" for n in (0, 2, 8, 32, 63, 64)) + "  scf.forall (%i)")


def check_mapped(args, folder):
    text, launched, lowered, ptx = (Path(folder) / name for name in ("mapped.mlir", "mapped.gpu.mlir", "mapped.nvvm.mlir", "mapped.ptx"))
    text.write_text(MAPPED)
    run(args.bin / "mlc-opt", text, "--convert-forall-to-gpu", "--gpu-kernel-outlining", "--canonicalize", "-o", launched)
    run(args.bin / "mlc-opt", launched, "--nvvm-pipeline", "-o", lowered)
    run(args.bin / "mlc-translate", lowered, "--export-ptx", "--target=nvptx64-sm_80", "-o", ptx)
    device = Device(args.library)
    module, source = device.load(ptx.read_text()), draw((8, 64), "f32")
    name, grid, block, shared, names = launches_of(launched.read_text())["kernel_0"][0]
    for seed in (0, 5):
        buffers = [device.put(source), device.alloc(source.nbytes)]
        device.launch(module, name, grid, block, [buffers[int(a[4:])] for a in names], shared=shared, seed=seed)
        assert np.array_equal(device.get(buffers[1], source.shape, np.float32), source[:, ::-1]), f"seed {seed}: not reversed"
    device.close()


# A kernel for each: type, op or body, meaning, and block. Sums of small integers are exact.
REDUCTIONS = [
    ("f32", "add", np.add, (33, 1, 1)), ("f32", "maxnumf", np.fmax, (128, 1, 1)), ("i32", "xor", np.bitwise_xor, (7, 5, 3)),
    ("i32", "minsi", np.minimum, (1024, 1, 1)), ("f64", "mul", np.multiply, (40, 2, 1)), ("f16", "add", np.add, (64, 1, 1)),
    ("i64", "add", np.add, (1, 1, 1)), ("i32", None, np.maximum, (100, 1, 1)),
]


def reduction_text(i, dtype, op, block, known):
    body = "{}" if op else "{ ^bb0(%a: i32, %b: i32): %m = arith.maxsi %a, %b : i32 gpu.yield %m : i32 }"
    x, y, z = block
    size = f"known_block_size = array<i32: {x}, {y}, {z}>, " if known else ""
    return f"""  gpu.func @r{i}_{int(known)}(%in: memref<1024x{dtype}>, %out: memref<1024x{dtype}>) kernel attributes {{{size}note}} {{
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %z = gpu.thread_id z
    %nx = gpu.block_dim x
    %ny = gpu.block_dim y
    %zy = arith.muli %z, %ny : index
    %row = arith.addi %zy, %y : index
    %first = arith.muli %row, %nx : index
    %at = arith.addi %first, %x : index
    %v = memref.load %in[%at] : memref<1024x{dtype}>
    %r = gpu.all_reduce {op or ''} %v uniform {body} : ({dtype}) -> {dtype}
    memref.store %r, %out[%at] : memref<1024x{dtype}>
    gpu.return
  }}
"""


def check_reductions(args, folder):
    text, lowered, ptx = (Path(folder) / name for name in ("reduce.mlir", "reduce.nvvm.mlir", "reduce.ptx"))
    kernels = "".join(reduction_text(i, d, op, block, known) for i, (d, op, _, block) in enumerate(REDUCTIONS) for known in (False, True))
    text.write_text("gpu.module @m {\n" + kernels + "}\n")
    run(args.bin / "mlc-opt", text, "--pass-pipeline=builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}))", "--canonicalize", "--cse", "-o", lowered)
    run(args.bin / "mlc-translate", lowered, "--export-ptx", "--target=nvptx64-sm_80", "-o", ptx)
    device = Device(args.library)
    module = device.load(ptx.read_text())
    for i, (dtype, op, meaning, block) in enumerate(REDUCTIONS):
        kind = {"f64": np.float64, "i64": np.int64, **DTYPES}[dtype]
        values = (1 + DRAW.integers(0, 2, 1024) if op == "mul" else DRAW.integers(-20, 20, 1024)).astype(kind)
        n = int(np.prod(block))
        for known in (False, True):
            for seed in (0, 5):
                buffers = [device.put(values), device.alloc(values.nbytes)]
                device.launch(module, f"r{i}_{int(known)}", (1, 1, 1), block, buffers, seed=seed)
                got = device.get(buffers[1], (n,), kind)
                assert np.all(got == meaning.reduce(values[:n])), f"{dtype} {op} {block}: {got[:3]}, want {meaning.reduce(values[:n])}"
    device.close()


def matrices_text(i, m, n, depth, dtype, sums, transposed):
    """max(A B + 1, 2 A B) of a warp, of other sums than f32 their sum; B as its transpose if asked."""
    a, b, c = f'!gpu.mma_matrix<{m}x{depth}x{dtype}, "AOp">', f'!gpu.mma_matrix<{depth}x{n}x{dtype}, "BOp">', f'!gpu.mma_matrix<{m}x{n}x{sums}, "COp">'
    rows, columns, flag, how = (n, depth, ", transpose", " {b_transpose}") if transposed else (depth, n, "", "")
    memory, dot, letter, last = dtype.replace("si8", "i8").replace("ui8", "i8"), *(("", "i", "addi") if sums == "i32" else (".0", "f", "maxf" if sums == "f32" else "addf"))
    return f"""  gpu.func @m{i}(%a: memref<{m}x{depth}x{memory}>, %b: memref<{rows}x{columns}x{memory}>, %c: memref<{m}x{n}x{sums}>) kernel attributes {{note}} {{
    %z = arith.constant 0 : index
    %one = arith.constant 1{dot} : {sums}
    %two = arith.constant 2{dot} : {sums}
    %x = gpu.subgroup_mma_load_matrix %a[%z, %z] {{leadDimension = {depth} : index}} : memref<{m}x{depth}x{memory}> -> {a}
    %y = gpu.subgroup_mma_load_matrix %b[%z, %z] {{leadDimension = {columns} : index{flag}}} : memref<{rows}x{columns}x{memory}> -> {b}
    %k = gpu.subgroup_mma_constant_matrix %one : {c}
    %q = gpu.subgroup_mma_constant_matrix %two : {c}
    %s = gpu.subgroup_mma_compute %x, %y, %k{how} : {a}, {b} -> {c}
    %p = gpu.subgroup_mma_elementwise sub{letter} %s, %k : ({c}, {c}) -> {c}
    %r = gpu.subgroup_mma_elementwise mul{letter} %p, %q : ({c}, {c}) -> {c}
    %d = gpu.subgroup_mma_elementwise {last} %s, %r : ({c}, {c}) -> {c}
    gpu.subgroup_mma_store_matrix %d, %c[%z, %z] {{leadDimension = {n} : index}} : {c}, memref<{m}x{n}x{sums}>
    gpu.return
  }}
"""


def check_matrices(args, folder):
    text, lowered, ptx = (Path(folder) / name for name in ("mma.mlir", "mma.nvvm.mlir", "mma.ptx"))
    kinds = [(16, 16, 16, "f16", "f32", False), (16, 16, 16, "f16", "f32", True), (32, 8, 16, "f16", "f16", False), (8, 32, 16, "f16", "f32", True),
             (16, 16, 16, "si8", "i32", True), (32, 8, 16, "ui8", "i32", False), (8, 32, 16, "si8", "i32", False), (16, 16, 8, "f32", "f32", True)]
    text.write_text("gpu.module @m {\n" + "".join(matrices_text(i, *kind) for i, kind in enumerate(kinds)) + "}\n")
    run(args.bin / "mlc-opt", text, "--pass-pipeline=builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}))", "-o", lowered)
    run(args.bin / "mlc-translate", lowered, "--export-ptx", "--target=nvptx64-sm_80", "-o", ptx)
    device = Device(args.library)
    module = device.load(ptx.read_text())
    types = {"si8": np.int8, "ui8": np.uint8, **DTYPES}
    for i, (m, n, depth, dtype, sums, transposed) in enumerate(kinds):
        a, b = (DRAW.integers(0 if dtype == "ui8" else -4, 5, shape).astype(types[dtype]) for shape in ((m, depth), (depth, n)))
        product = a.astype(np.float64) @ b.astype(np.float64)
        there = device.alloc(m * n * np.dtype(types[sums]).itemsize)
        device.launch(module, f"m{i}", (1, 1, 1), (32, 1, 1), [device.put(a), device.put(np.ascontiguousarray(b.T) if transposed else b), there])
        want = np.maximum(product + 1, product * 2) if sums == "f32" else product + 1 + product * 2
        assert np.array_equal(device.get(there, (m, n), types[sums]), want.astype(types[sums])), f"matrices of kind {i}"
    device.close()


def check_tile(args, folder):
    text, lowered, ptx = (Path(folder) / name for name in ("tile.mlir", "tile.nvvm.mlir", "tile.ptx"))
    text.write_text(TILE)
    run(args.bin / "mlc-opt", text, "--pass-pipeline=builtin.module(gpu.module(convert-gpu-to-nvvm{bare-pointers}),convert-nvvm-to-llvm)", "-o", lowered)
    run(args.bin / "mlc-translate", lowered, "--export-ptx", "--target=nvptx64-sm_90a", "-o", ptx)
    device = Device(args.library)
    module, source = device.load(ptx.read_text()), draw((16, 64), "f32")
    for seed in (0, 5):
        here, there = device.put(source), device.alloc(8 * 32 * 4)
        maps = [device.tensor_map("f32", address, dims, [32, 8]) for address, dims in ((here, [64, 16]), (there, [32, 8]))]
        device.launch(module, "f", (1,), (32,), maps, seed=seed)
        assert np.array_equal(device.get(there, (8, 32), np.float32), source[1:9, 32:64]), f"seed {seed}: another tile"
    device.close()


def tell(faults, what):
    for fault in faults:
        print(fault)
    print(f"{what}, {len(faults)} faults")
    sys.exit(bool(faults))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--ptxas")
    args = parser.parse_args()
    faults = []
    for i, c in enumerate(CASES):
        c["id"] = f"kernel_{i}"
    for tf32 in (False, True):
        cases = [c for c in CASES if c["also"].get("tf32", False) == tf32]
        with tempfile.TemporaryDirectory() as folder:
            text, launched, lowered, ptx = (Path(folder) / name for name in ("k.mlir", "launch.mlir", "nvvm.mlir", "k.ptx"))
            text.write_text(module_text(cases))
            ahead = ["--decompose-pad", "--memref-pipeline", "--gpu-schedule=tf32"] if tf32 else []
            run(args.bin / "mlc-opt", text, *ahead, "--gpu-launch-pipeline", "-o", launched)
            run(args.bin / "mlc-opt", launched, "--nvvm-pipeline", "-o", lowered)
            run(args.bin / "mlc-translate", lowered, "--export-ptx", "--target=nvptx64-sm_80", "-o", ptx)
            if args.ptxas:
                done = subprocess.run([args.ptxas, "-arch=sm_80", "-v", ptx, "-o", "/dev/null"], capture_output=True, text=True)
                faults += [f"ptxas: {line}" for line in done.stderr.splitlines()
                           if done.returncode or "spill" in line and "0 bytes spill stores, 0 bytes spill loads" not in line]
            device = Device(args.library)
            module = device.load(ptx.read_text())
            launches = launches_of(launched.read_text())
            for c in cases:
                try:
                    check(device, module, launches[c["id"]], c)
                except (AssertionError, PtxError) as fault:
                    faults.append(f"{c['name']}: {fault}")
            device.close()
    with tempfile.TemporaryDirectory() as folder:
        for name, check_one in [("tile of a tensor", check_tile), ("mapped loops", check_mapped), ("reductions", check_reductions), ("matrices of warps", check_matrices)]:
            try:
                check_one(args, folder)
            except (AssertionError, PtxError) as fault:
                faults.append(f"{name}: {fault}")
    tell(faults, f"{len(CASES) + 4} kernels")


if __name__ == "__main__":
    main()
