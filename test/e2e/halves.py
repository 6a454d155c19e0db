"""f16 and bf16: every conversion, and the models of cases.py in both types.

    python halves.py conversions --mlc build/release/bin/mlc
    python halves.py cases       --mlc build/release/bin/mlc [--only TEXT]

`conversions` casts every number of 16 bits, and what lies at and beside the middle between two of them, to and from the other
types, for each machine that this one can run: the bits are those of rounding once. `cases` makes each case a model of f16 and
of bf16. What it computes is the result of the f32 model on the same numbers (onnxruntime's), rounded once: within half a step
of the type, and 1e-4 of the largest result for the order of sums.
"""
import argparse
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

import cases as case_list
from harness import UNSUPPORTED_EXIT, Failure, call, file_name, run_all, save_feeds
from narrow import TYPES, bfloat16, converted, half_steps, load, round_trip, rounded
from run import reference
from shapes_random import possible_targets

TOLERANCE = 1e-4
# Roundings before the last one, in half steps of the largest result: keys and values are rounded to lie beside those that came in.
ROUNDED_INSIDE = {"graph-decode-step": 2, "lstm-two-layers-linear": 2}
ROUNDED_INSIDE |= dict.fromkeys(
    ("fused-attention-past-0", "fused-attention-past-1", "fused-attention-past-mask", "fused-heads-past-0", "fused-heads-past-1",
     "fused-groups-smooth-given", "fused-groups-smooth-known", "fused-groups-next-even-known", "fused-groups-several-known"), 2)
# Images of sizes that are computed: along rows and then columns, each rounded.
ROUNDED_INSIDE["computed-resize-linear"] = 1
# By how their names begin.
NOT_CONVERTED = {
    "computed-fill": "what it begins with is f32, as ConstantOfShape gives it",
    "constantofshape-default": "its result is f32, whatever its input is",
    "layernorm-statistics": "its mean and deviation are f32, whatever its input is",
    "dynamic-quantize": "its input is f32 by definition",
    "non-max-suppression": "its boxes and scores are f32 by definition",
    "suppressed-twice": "its boxes and scores are f32 by definition",
    "detections": "its boxes and scores are f32 by definition",
    "qlinear": "its scales are f32 by definition",
    "qgemm": "its scales are f32 by definition",
    "qdq-": "what is quantized was rounded before it decides",
    "image-of-bytes": "what becomes bytes was rounded before it decides",
    "roi-align": "places are rounded before they decide",
    "grid-sample": "its grid has numbers that f16 has not",
    "matmul-of-blocks": "what is dequantized was rounded before it is multiplied",
    "stft": "its window is f32",
    "hannwindow": "a window is f32, where it does not say otherwise",
    "hammingwindow": "a window is f32, where it does not say otherwise",
    "blackmanwindow": "a window is f32, where it does not say otherwise",
    "found-shape-scatter-elements": "what it is written into is f32, as ConstantOfShape gives it",
    "resize-opset10": "its scales are f32 by definition",
    "upsample-opset9": "its scales are f32 by definition",
}
# Of no opset is their bf16 (of f16 it is); by how their names begin.
NOT_OF_BF16 = ("shrink-", "scatter-opset10", "one-hot-of-reals")


def run_model(mlc, model, feeds, target, folder):
    """The outputs of `model`, compiled for `target`."""
    onnx.save(model, folder / "m.onnx")
    result = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so", "--target", target)
    if result.code:
        raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
    result = call(mlc, "run", folder / "m.so", *save_feeds(feeds, folder), "--output-dir", folder / "out")
    if result.code:
        raise Failure(f"mlc run: exit {result.code}: {result.first_line()}")
    return [load(folder / "out" / file_name(o.name), None) for o in model.graph.output]


# ---- conversions

def between(dtype):
    """All numbers of a type of 16 bits in f64, the middles of neighbours, and what lies beside those."""
    values = np.arange(65536, dtype=np.uint16).view(dtype).astype(np.float64)
    finite = np.unique(values[np.isfinite(values)])
    middles = np.concatenate([(finite[1:] + finite[:-1]) / 2, [-np.inf, np.inf]])
    beyond = 2 * finite[-1] - finite[-2]  # the middle to what would come next is where infinity begins
    middles = np.concatenate([middles, [(finite[-1] + beyond) / 2, -(finite[-1] + beyond) / 2]])
    return np.concatenate([values, middles, np.nextafter(middles, np.inf), np.nextafter(middles, -np.inf)])


def to_odd_f32(data):
    """f64 in f32, odd where that is not exact: rounding that again is rounding once."""
    with np.errstate(over="ignore"):
        near = data.astype(np.float32)
    bits = near.view(np.uint32).copy()
    inexact = (near.astype(np.float64) != data) & ~np.isnan(data)
    bits[inexact & (np.abs(near.astype(np.float64)) > np.abs(data))] -= 1
    bits[inexact] |= 1
    return bits.view(np.float32)


def integer_rounded(value, dtype):
    """A Python integer rounded to the 8 or 11 digits of a type."""
    digits = 8 if dtype == bfloat16 else 11
    size = abs(value)
    shift = max(0, size.bit_length() - digits)
    kept, rest, half = size >> shift, size & ((1 << shift) - 1), (1 << shift) >> 1
    if shift and (rest > half or (rest == half and kept & 1)):
        kept += 1
    return float(kept << shift) * (1 if value >= 0 else -1)


def integers(dtype):
    edges = [257 << s for s in range(54)] + [2049 << s for s in range(51)] + [65504, 65519, 65520]
    near = [sign * e + d for e in edges for d in range(-2, 3) for sign in (1, -1)] + list(range(-5000, 5000, 7))
    info = np.iinfo(dtype)
    return np.array([v for v in near if info.min <= v <= info.max] + [info.min, info.max], dtype)


def conversions():
    """name: (what goes in, what has to come out)"""
    with np.errstate(over="ignore", invalid="ignore"):
        for name, dtype in TYPES.items():
            every = np.arange(65536, dtype=np.uint16).view(dtype)
            other = next(t for t in TYPES.values() if t != dtype)
            yield f"{name} to f32", every, every.astype(np.float32)
            yield f"{name} to f64", every, every.astype(np.float64)
            yield f"{name} to the other", every, every.astype(np.float32).astype(other)
            yield f"{name} to bool", every, every.astype(np.float64) != 0
            wide = every.astype(np.float64)
            for integer in (np.int32, np.int64):
                inside = every[np.abs(wide) < 2.0**31]
                yield f"{name} to {np.dtype(integer).name}", inside, inside.astype(np.float64).astype(integer)
                data = integers(integer)
                wanted = np.array([integer_rounded(int(v), dtype) for v in data]).astype(np.float32).astype(dtype)
                yield f"{np.dtype(integer).name} to {name}", data, wanted
            small = np.arange(-128, 128).astype(np.int8)
            yield f"int8 to {name}", small, small.astype(np.float32).astype(dtype)
            data = between(dtype)
            singles = data.astype(np.float32)
            singles = np.concatenate([singles, np.nextafter(singles, np.float32(np.inf)), np.nextafter(singles, np.float32(-np.inf))])
            yield f"f32 to {name}", singles, singles.astype(dtype)
            data = np.concatenate([data, [1e300, -1e300, 5e-324, 1e-300]])
            yield f"f64 to {name}", data, to_odd_f32(data).astype(dtype)


def check_bits(name, got, wanted):
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        raise Failure(f"{name}: expected {wanted.dtype}{list(wanted.shape)}, got {got.dtype}{list(got.shape)}")
    raw = np.dtype(f"u{wanted.dtype.itemsize}")
    wrong = got.view(raw) != wanted.view(raw)
    if wanted.dtype.kind in "fV":  # V: what ml_dtypes adds
        wrong = np.where(np.isnan(wanted), ~np.isnan(got), wrong)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise Failure(f"{name}: {int(wrong.sum())} of {wrong.size} differ, the first {got[at]!r} instead of {wanted[at]!r}")


def test_conversions(mlc, target, folder):
    """All of them in one model."""
    nodes, inputs, outputs, feeds, wanted = [], [], [], {}, []
    for i, (name, data, result) in enumerate(conversions()):
        kind = helper.np_dtype_to_tensor_dtype(result.dtype)
        feeds[f"x{i}"] = data
        inputs.append(helper.make_tensor_value_info(f"x{i}", helper.np_dtype_to_tensor_dtype(data.dtype), data.shape))
        outputs.append(helper.make_tensor_value_info(f"y{i}", kind, data.shape))
        nodes.append(helper.make_node("Cast", [f"x{i}"], [f"y{i}"], name=name, to=kind))
        wanted.append((name, result))
    graph = helper.make_graph(nodes, "conversions", inputs, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    for (name, result), got in zip(wanted, run_model(mlc, model, feeds, target, folder), strict=True):
        check_bits(f"{name}, --target={target}", got, result)


# ---- cases

def holds_f32(case):
    tensors = [*case.model.graph.initializer, *(a.t for n in case.model.graph.node for a in n.attribute if a.HasField("t"))]
    return any(v.dtype == np.float32 for v in case.feeds.values()) or any(t.data_type == TensorProto.FLOAT for t in tensors)


def is_converted(case):
    """Numbers in bodies of If, Loop and Scan stay as they are."""
    return not any(case.name.startswith(name) for name in NOT_CONVERTED) and \
        not any(a.HasField("g") for n in case.model.graph.node for a in n.attribute)


def check_case(case, dtype, got, wanted):
    bound = ROUNDED_INSIDE.get(case.name, 0.0) * float(half_steps(np.float64(1.0), dtype)) + TOLERANCE
    for output, g, w in zip(case.model.graph.output, got, wanted, strict=True):
        if w.dtype != np.float32:
            check_bits(output.name, g, w)
            continue
        if g.dtype != dtype or g.shape != w.shape:
            raise Failure(f"output {output.name}: expected {dtype}{list(w.shape)}, got {g.dtype}{list(g.shape)}")
        g, w = g.astype(np.float64), w.astype(np.float64)
        with np.errstate(over="ignore"):
            rounds_to = w.astype(dtype).astype(np.float64)
        limit = np.where(np.isinf(rounds_to), rounds_to, w)
        same = (g == limit) | (np.isnan(g) & np.isnan(w))
        finite = np.isfinite(limit)
        size = np.abs(w[finite]).max() if finite.any() else 0.0
        with np.errstate(invalid="ignore"):
            wrong = ~same & ~(np.abs(g - w) <= half_steps(w, dtype) + bound * size)
        if wrong.any():
            at = tuple(int(i) for i in np.argwhere(wrong)[0])
            raise Failure(f"output {output.name}: {int(wrong.sum())} of {wrong.size} numbers, the first {g[at]:.7g} at {at}, "
                          f"expected {w[at]:.7g} within {float(half_steps(w[at], dtype)) + bound * size:.1e}")


def test_case(mlc, case, name, target, folder):
    dtype = TYPES[name]
    model = converted(case.model, dtype, keeps_type=False)
    if dtype == bfloat16 and case.name.startswith(NOT_OF_BF16):
        onnx.save(model, folder / "m.onnx")
        result = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so")
        if result.code != 1 or "is of bfloat16, which the operator does not take" not in result.err:
            raise Failure(f"expected a refusal of bfloat16, got exit {result.code}: {result.first_line()}")
        return
    plain = converted(case.model, dtype, keeps_type=True)
    wanted = reference(plain.SerializeToString(), {k: round_trip(v, dtype) if v.dtype == np.float32 else v for k, v in case.feeds.items()})
    got = run_model(mlc, model, {k: rounded(v, dtype) for k, v in case.feeds.items()}, target, folder)
    check_case(case, dtype, got, wanted)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["conversions", "cases"])
    parser.add_argument("--mlc", required=True)
    parser.add_argument("--only", default="", help="only names that contain this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    onnxruntime.set_default_logger_severity(3)

    with tempfile.TemporaryDirectory(prefix="mlc-halves-") as d:
        def test(run, name, *rest):
            folder = Path(d) / name
            folder.mkdir()
            return run(args.mlc, *rest, folder)

        tests, targets = {}, possible_targets()
        if args.what == "conversions":
            for target in targets:
                tests[target] = lambda target=target: test(test_conversions, target, target)
        for i, case in enumerate(c for c in case_list.all_cases() if args.what == "cases" and holds_f32(c) and is_converted(c)):
            for k, name in enumerate(TYPES):
                if args.only in f"{case.name}-{name}":
                    tests[f"{case.name}-{name}"] = lambda case=case, name=name, target=targets[(i + k) % len(targets)]: test(
                        test_case, f"{case.name}-{name}", case, name, target)
        results = run_all(tests, args.jobs)
    failed = sum(isinstance(r, Failure) for r in results.values())
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
