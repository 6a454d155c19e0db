"""What `--compile-budget` promises: valid code in any time, the same code as ever if time is enough, and to tell what was left out.

    python budget.py --mlc build/release/bin/mlc
"""
import argparse
import os
import pty
import subprocess
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from harness import Failure, call, environment, run_in_folders

ROOT = Path(__file__).resolve().parent.parent.parent
DIGITS = ROOT / "examples/digits/digits.onnx"
LEFT_OUT = "of the steps that make code faster left out"
MLC = None


def expect(condition, what):
    if not condition:
        raise Failure(what)


def compile_digits(out, *flags):
    result = call(MLC, "compile", DIGITS, "-o", out, *flags)
    expect(result.code == 0, f"{flags}: exit {result.code}: {result.first_line()}")
    return result


def run_digits(folder, model, *flags):
    np.save(folder / "x.npy", np.linspace(0, 1, 64, dtype=np.float32).reshape(1, 1, 8, 8))
    result = call(MLC, "run", model, "--input", f"image={folder}/x.npy", "--output-dir", folder / "out", *flags)
    expect(result.code == 0, f"exit {result.code}: {result.first_line()}")
    return np.load(folder / "out/logits.npy"), result


def enough_time(folder):
    compile_digits(folder / "plain.so")
    told = compile_digits(folder / "hour.so", "--compile-budget", "3600s")
    expect(LEFT_OUT not in told.err, told.err)
    expect((folder / "plain.so").read_bytes() == (folder / "hour.so").read_bytes(), "another file although there was time")


def no_time(folder):
    """Nothing optional is done, and the results are right."""
    compile_digits(folder / "plain.so")
    told = compile_digits(folder / "quick.so", "--compile-budget=0.001ms")
    expect(LEFT_OUT in told.err and "--compile-budget 0.001ms" in told.err, told.err)
    want, _ = run_digits(folder, folder / "plain.so")
    got, _ = run_digits(folder, folder / "quick.so")
    expect(np.abs(got - want).max() <= 1e-4 * np.abs(want).max(), f"{got} instead of {want}")
    notes = call(MLC, "inspect", folder / "quick.so").out
    expect("left out or done in part: the code depends on the clock" in notes, "the artefact does not tell")
    expect("the clock" not in call(MLC, "inspect", folder / "plain.so").out, "whole code says that it depends on the clock")
    expect("stays a convolution: the time for compiling runs short" in notes, notes)
    expect("by Winograd" in call(MLC, "inspect", folder / "plain.so").out, "no convolution to leave as it is")


def no_time_for_strassen(folder):
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, (512, 1024)) for name in "xy")
    w = numpy_helper.from_array(np.ones((1024, 1024), np.float32), "w")
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"], name="product")], "g", [x], [y], [w])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "m.onnx")
    for flags, note in (((), "by Strassen's algorithm"),
                        (("--compile-budget=0.001ms",), "multiplied plainly: the time for compiling runs short")):
        result = call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.so", "--numerics=fast", *flags)
        expect(result.code == 0, result.err)
        notes = call(MLC, "inspect", folder / "m.so").out
        expect(note in notes, notes)


def the_cache_has_whole_code_only(folder):
    cache = ("--cache-dir", folder / "cache")
    compile_digits(folder / "quick.so", "--compile-budget", "0.001ms", *cache)
    _, told = run_digits(folder, DIGITS, "--compile-budget", "0.001ms", *cache)
    expect(LEFT_OUT in told.err, told.err)
    expect(not list((folder / "cache").glob("*.mlcm")), "code with something left out went into the cache")
    compile_digits(folder / "plain.so", *cache)
    told = compile_digits(folder / "again.so", "--compile-budget", "0.001ms", *cache)
    expect(LEFT_OUT not in told.err and (folder / "again.so").read_bytes() == (folder / "plain.so").read_bytes(),
           "what the cache has is not taken")


def bad_budgets(folder):
    for text in ("", "soon", "10m", "-1s", "0"):
        result = call(MLC, "compile", DIGITS, "-o", folder / "b.so", f"--compile-budget={text}")
        if text:
            expect(result.code == 1 and "expects a time such as 10s or 500ms" in result.err, f"'{text}': {result.code} {result.err}")
        else:
            expect(result.code == 0, result.err)  # no limit


def a_bar_on_terminals(folder):
    """It grows, ends, and leaves nothing; a pipe sees none of it."""
    terminal, stderr = pty.openpty()
    with subprocess.Popen([MLC, "compile", DIGITS, "-o", folder / "b.so"], stderr=stderr, env=environment()) as p:
        os.close(stderr)
        text = b""
        while True:
            try:
                piece = os.read(terminal, 4096)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            text += piece
        expect(p.wait(timeout=60) == 0, "it fails on a terminal")
    os.close(terminal)
    percents = [int(t.split(b" %")[0].split()[-1]) for t in text.split(b"mlc: [")[1:]]
    expect(len(percents) > 20 and percents == sorted(percents) and percents[-1] == 100, f"{percents}")
    expect(text.endswith(b"\r\x1b[K"), text[-60:])
    expect(compile_digits(folder / "b.so").err == "", "something on a stderr that is no terminal")


TESTS = [enough_time, no_time, no_time_for_strassen, the_cache_has_whole_code_only, bad_budgets, a_bar_on_terminals]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mlc", type=Path, required=True)
    MLC = parser.parse_args().mlc.resolve()
    os.environ["MLC_CACHE_DIR"] = ""
    run_in_folders(TESTS, jobs=2)
