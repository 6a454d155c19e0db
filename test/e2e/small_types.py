"""Elements of less than a byte, and bare exponents: every conversion, as inputs, constants and outputs of a model.

    python small_types.py --mlc build/release/bin/mlc

Integers of 2 and 4 bits, floats of 4 and 6, and powers of 2 (f8E8M0FNU) go to wider types and come from them, for each machine that
this one can run; so do they through ops that only move them, and packed as constants. What comes out is what ml_dtypes has, which
rounds once; for powers of 2, whose rounding ONNX lets a model choose, what exact fractions say.
"""
import argparse
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from halves import to_odd_f32
from harness import Failure, call, run_all
from shapes_random import possible_targets

INTEGERS = {"int4": TensorProto.INT4, "uint4": TensorProto.UINT4, "int2": TensorProto.INT2, "uint2": TensorProto.UINT2}
FLOATS = {"float4_e2m1fn": TensorProto.FLOAT4E2M1, "float6_e2m3fn": TensorProto.FLOAT6E2M3, "float6_e3m2fn": TensorProto.FLOAT6E3M2}
POWERS = "float8_e8m0fnu"


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name))


def all_numbers(name):
    """Each number of the type, as f64."""
    if name in INTEGERS:
        info = ml_dtypes.iinfo(dtype_of(name))
        return np.arange(info.min, info.max + 1).astype(np.float64)
    bits = 8 if name == POWERS else 4 if "4" in name[:6] else 6
    return np.arange(2**bits, dtype=np.uint8).view(dtype_of(name)).astype(np.float64)


def around(values):
    """The numbers, the middles of neighbours, what lies beside these, and what lies beyond."""
    finite = np.unique(values[np.isfinite(values)])
    middles = (finite[1:] + finite[:-1]) / 2
    beyond = finite[-1] * np.array([1.01, 1.0833, 1.1, 1.25, 2, 1000])
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-30, -1e-30, 3e38, -3e38])
    with np.errstate(over="ignore"):
        return np.concatenate([values, middles, middles * (1 + 2e-7), middles * (1 - 2e-7), beyond, -beyond, special])


def power_of_two(number, mode, saturate):
    """The exponent's code of f8E8M0FNU."""
    if np.isnan(number) or (np.isinf(number) and not saturate):
        return 255
    if np.isinf(number):
        return 254
    size = abs(Fraction(float(number)))
    if not saturate and size < Fraction(1, 2**127):
        return 255
    code = 0
    while code < 300 and Fraction(2) ** (code + 1 - 127) <= size:
        code += 1
    lower, upper = Fraction(2) ** (code - 127), Fraction(2) ** (code + 1 - 127)
    if size > lower and (mode == "up" or (mode == "nearest" and size - lower >= upper - size)):
        code += 1
    return code if code <= 254 else 254 if saturate else 255


def conversions():
    """name: (what goes in, what has to come out, attributes)"""
    with np.errstate(over="ignore", invalid="ignore"):
        for name in (*INTEGERS, *FLOATS, POWERS):
            dtype, numbers = dtype_of(name), all_numbers(name)
            every = numbers.astype(dtype)
            for to in (np.float16, np.float32, np.float64, *([np.int8, np.uint8, np.int64] if name in INTEGERS else [])):
                yield f"{name} to {np.dtype(to).name}", every, numbers.astype(np.float32 if name == POWERS else np.float64).astype(to), {}
        for name in INTEGERS:
            whole = np.arange(-300, 300).astype(np.int32)
            bits = 4 if "4" in name else 2
            low = whole & (2**bits - 1)
            wrapped = np.where((low >= 2 ** (bits - 1)) & (name[0] == "i"), low - 2**bits, low)
            yield f"int32 to {name}", whole, wrapped.astype(np.int8).astype(dtype_of(name)), {}
            yield f"float32 to {name}", whole.astype(np.float32), wrapped.astype(np.int8).astype(dtype_of(name)), {}
        for name in FLOATS:
            for of in (np.float16, np.float32, np.float64):
                data = around(all_numbers(name)).astype(of)
                exact = to_odd_f32(data) if of == np.float64 else data.astype(np.float32)
                yield f"{np.dtype(of).name} to {name}", data, np.where(np.isnan(exact), np.float32(-0.0), exact).astype(dtype_of(name)), {}
            yield f"int32 to {name}", np.arange(-40, 40).astype(np.int32), np.arange(-40, 40).astype(np.float32).astype(dtype_of(name)), {}
        for mode in ("up", "down", "nearest"):
            for saturate in (1, 0):
                data = np.abs(around(all_numbers(POWERS)[[0, 1, 2, 100, 126, 127, 128, 253, 254]])).astype(np.float32)
                codes = np.array([power_of_two(x, mode, saturate) for x in data], np.uint8)
                yield (f"float32 to {POWERS}, {mode}, saturate={saturate}", data, codes.view(dtype_of(POWERS)),
                       {"round_mode": mode, "saturate": saturate})


def bits_of(array):
    name = array.dtype.name
    if name in INTEGERS:
        return array.astype(np.int8)
    width = array.dtype.itemsize
    return array.view({1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[width])


def check(name, got, want):
    nan = np.isnan(want.astype(np.float64)) & np.isnan(got.astype(np.float64))
    same = (bits_of(got) == bits_of(want)) | nan
    if got.shape != want.shape or not same.all():
        at = np.argwhere(~same)[0]
        raise Failure(f"{name}: element {at}: got {got[tuple(at)]}, want {want[tuple(at)]}")


def run_model(mlc, target, folder, nodes, inputs, constants, outputs):
    """Inputs and constants by name; outputs as (name, what is expected)."""
    given, infos = [], []
    for name, data in inputs.items():
        (folder / f"{name}.pb").write_bytes(numpy_helper.from_array(data, name).SerializeToString())
        given += ["--input", f"{name}={folder / f'{name}.pb'}"]
        infos.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(data.dtype), data.shape))
    results = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(want.dtype), want.shape) for name, want in outputs]
    initializers = [numpy_helper.from_array(data, name) for name, data in constants.items()]
    graph = helper.make_graph(nodes, "small", infos, results, initializers)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 28)], ir_version=14), folder / "m.onnx")
    for command in (("compile", folder / "m.onnx", "-o", folder / "m.so", "--target", target),
                    ("run", folder / "m.so", *given, "--output-dir", folder / "out", "--output-format=pb")):
        result = call(mlc, *command)
        if result.code:
            raise Failure(f"mlc {command[0]}: exit {result.code}: {result.first_line()}")
    for name, want in outputs:
        got = TensorProto.FromString((folder / "out" / f"{name}.pb").read_bytes())
        check(f"{name}, --target={target}", numpy_helper.to_array(got), want)


def test_conversions(mlc, target, folder):
    nodes, inputs, outputs = [], {}, []
    for i, (name, data, result, attributes) in enumerate(conversions()):
        inputs[f"x{i}"] = data
        kind = helper.np_dtype_to_tensor_dtype(result.dtype)
        name = "".join(c if c.isalnum() else "_" for c in name)
        nodes.append(helper.make_node("Cast", [f"x{i}"], [name], to=kind, **attributes))
        outputs.append((name, result))
    run_model(mlc, target, folder, nodes, inputs, {}, outputs)


def test_moves(mlc, target, folder):
    """Transposed and given back; as a packed constant, small and large; chosen by an If."""
    nodes, inputs, constants, outputs = [], {"c": np.array(True)}, {}, []
    for i, name in enumerate((*INTEGERS, *FLOATS, POWERS)):
        numbers = all_numbers(name).astype(dtype_of(name))
        large = np.resize(numbers, (37, 41))
        inputs[f"x{i}"] = large
        constants[f"few{i}"], constants[f"many{i}"] = np.resize(numbers, 5), np.resize(numbers, (111, 13))
        nodes += [helper.make_node("Cast", [f"few{i}"], [f"f{i}"], to=TensorProto.FLOAT),
                  helper.make_node("Cast", [f"many{i}"], [f"m{i}"], to=TensorProto.FLOAT)]
        outputs += [(f"f{i}", constants[f"few{i}"].astype(np.float32)), (f"m{i}", constants[f"many{i}"].astype(np.float32))]
        if "float6" in name:  # which ONNX casts and nothing else
            inputs.pop(f"x{i}")
            continue
        nodes += [helper.make_node("Transpose", [f"x{i}"], [f"t{i}"], perm=[1, 0]), helper.make_node("Identity", [f"many{i}"], [f"k{i}"])]
        kind = helper.np_dtype_to_tensor_dtype(numbers.dtype)
        branches = [helper.make_graph([helper.make_node("Identity", [source], [f"{b}{i}"])], b, [],
                                      [helper.make_tensor_value_info(f"{b}{i}", kind, large.shape)])
                    for b, source in (("then", f"x{i}"), ("else", f"b{i}"))]
        constants[f"b{i}"] = large[::-1].copy()
        nodes.append(helper.make_node("If", ["c"], [f"i{i}"], then_branch=branches[0], else_branch=branches[1]))
        outputs += [(f"t{i}", large.T), (f"k{i}", constants[f"many{i}"]), (f"i{i}", large)]
    run_model(mlc, target, folder, nodes, inputs, constants, outputs)


def test_blocks(mlc, target, folder):
    """Weights in blocks: of 4 bits with zero points, and as MX formats have them, each block with a power of 2."""
    random = np.random.default_rng(1)
    codes = random.integers(-8, 8, (6, 64)).astype(ml_dtypes.int4)
    points = random.integers(-8, 8, (6, 4)).astype(ml_dtypes.int4)
    scales = random.uniform(0.5, 2, (6, 4)).astype(np.float32)
    mx = random.integers(0, 16, (6, 64)).astype(np.uint8).view(ml_dtypes.float4_e2m1fn)
    powers = random.integers(120, 134, (6, 2)).astype(np.uint8).view(ml_dtypes.float8_e8m0fnu)
    x = random.standard_normal((6, 64)).astype(np.float32)

    def along(values, block):
        return np.repeat(values.astype(np.float32), block, 1)

    want = (codes.astype(np.float32) - along(points, 16)) * along(scales, 16)
    want_mx = mx.astype(np.float32) * along(powers, 32)
    rounded = np.clip(np.rint(x / along(scales, 16)) + along(points, 16), -8, 7).astype(ml_dtypes.int4)
    to_mx = (x / along(powers, 32)).astype(ml_dtypes.float4_e2m1fn)
    nodes = [helper.make_node("DequantizeLinear", ["codes", "scales", "points"], ["int"], axis=1, block_size=16),
             helper.make_node("DequantizeLinear", ["mx", "powers"], ["float"], axis=1, block_size=32, output_dtype=TensorProto.FLOAT),
             helper.make_node("QuantizeLinear", ["x", "scales", "points"], ["to_int"], axis=1, block_size=16),
             helper.make_node("QuantizeLinear", ["x", "powers"], ["to_float"], axis=1, block_size=32,
                              output_dtype=TensorProto.FLOAT4E2M1, precision=TensorProto.FLOAT)]
    constants = {"codes": codes, "scales": scales, "points": points, "mx": mx, "powers": powers}
    run_model(mlc, target, folder, nodes, {"x": x}, constants,
              [("int", want), ("float", want_mx), ("to_int", rounded), ("to_float", to_mx)])


def test_npy(mlc, target, folder):
    """Plain integers of a byte are taken where the type holds them; ml_dtypes' files too."""
    info = helper.make_tensor_value_info("x", TensorProto.INT4, (4,)), helper.make_tensor_value_info("y", TensorProto.INT4, (4,))
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "g", [info[0]], [info[1]])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=11), folder / "n.onnx")
    numbers = np.array([-8, -1, 0, 7], np.int8)
    for data in (numbers, numbers.astype(ml_dtypes.int4)):
        np.save(folder / "x.npy", data)
        result = call(mlc, "run", folder / "n.onnx", "--input", f"x={folder / 'x.npy'}", "--output-dir", folder / "n")
        if result.code or not (np.load(folder / "n" / "y.npy") == numbers).all():
            raise Failure(f"int4 as {data.dtype}: exit {result.code}: {result.first_line()}")
    result = call(mlc, "run", folder / "n.onnx", "--input", f"x={folder / 'x.npy'}")
    if "y: i4 [4] -8 -1 0 7" not in result.out:
        raise Failure(f"int4 is printed as: {result.out}")
    np.save(folder / "x.npy", np.array([1, 2, 3, 9], np.int8))
    result = call(mlc, "run", folder / "n.onnx", "--input", f"x={folder / 'x.npy'}")
    if result.code != 1 or "element 3 is 9, which i4 does not hold" not in result.err:
        raise Failure(f"9 as int4: exit {result.code}: {result.err}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", required=True)
    mlc = parser.parse_args().mlc
    tests = {}
    with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as name:
        for target in possible_targets():
            for test in (test_conversions, test_moves, test_blocks, test_npy):
                folder = Path(name) / f"{target}-{test.__name__}"
                folder.mkdir()
                tests[folder.name] = lambda test=test, target=target, folder=folder: test(mlc, target, folder)
        results = run_all(tests, 2)
    failed = sum(isinstance(r, Failure) for r in results.values())
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
