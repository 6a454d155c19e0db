"""What `mlc split` promises: each kernel's folder runs alone, gives what is expected, and tells when it does not.

    python split.py --mlc build/release/bin/mlc
"""
import argparse
import os
import subprocess
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

from harness import UNSUPPORTED_EXIT, Failure, call, environment, run_in_folders

ROOT = Path(__file__).resolve().parent.parent.parent
DIGITS = ROOT / "examples/digits/digits.onnx"
MLC = None


def expect(condition, what):
    if not condition:
        raise Failure(what)


def split(model, folder, *flags):
    result = call(MLC, "split", model, folder, *flags)
    expect(result.code == 0, f"exit {result.code}: {result.first_line()}")
    return sorted(folder.iterdir())


def run(kernel, *flags):
    env = dict(environment(), MLC=str(MLC))
    return subprocess.run([kernel / "run.sh", "--min-time", "0.01", *flags], capture_output=True, text=True, env=env,
                          stdin=subprocess.DEVNULL, timeout=300)


def every_kernel_runs_alone(folder):
    kernels = split(DIGITS, folder / "digits", "--input", f"image={image(folder)}")
    expect([k.name for k in kernels] == [f"kernel_{i}" for i in range(len(kernels))] and len(kernels) > 4, f"{kernels}")
    for kernel in kernels:
        for flags in (["--threads", "1"], ["--threads", "2", "--numerics", "strict"]):
            p = run(kernel, *flags)
            expect(p.returncode == 0, f"{kernel.name} {flags}: exit {p.returncode}: {p.stderr}")
            expect("out0: as expected" in p.stdout and f"{kernel.name}: " in p.stdout, p.stdout)


def image(folder):
    path = folder / "image.npy"
    np.save(path, np.linspace(0, 1, 64, dtype=np.float32).reshape(1, 1, 8, 8))
    return path


def data_is_that_of_a_run(folder):
    """The first kernel's input is the model's, the last one's output the model's output."""
    kernels = split(DIGITS, folder / "digits", "--input", f"image={image(folder)}")
    result = call(MLC, "run", DIGITS, "--input", f"image={image(folder)}", "--output-dir", folder)
    expect(result.code == 0, result.first_line())
    expect(np.array_equal(np.load(kernels[0] / "in0.npy").ravel(), np.load(image(folder)).ravel()), "another input")
    expect(np.allclose(np.load(kernels[-1] / "out0.npy"), np.load(folder / "logits.npy"), atol=1e-4), "another output")
    text = (kernels[4] / "kernel.mlir").read_text()
    expect('loc("residual/relu")' in text and "graph.conv" in text, "no names of nodes in kernel.mlir")
    expect("linalg." in (kernels[4] / "linalg.mlir").read_text(), "no linalg in linalg.mlir")
    expect("residual" in (kernels[4] / "run.sh").read_text(), "run.sh does not name what the kernel computes")


def wrong_results_are_told(folder):
    kernel = split(DIGITS, folder / "digits")[0]
    out = kernel / "out0.npy"
    np.save(out, np.load(out) + np.float32(0.01))
    p = run(kernel)
    expect(p.returncode == 1 and "output 'out0' is not what is expected: largest difference" in p.stderr, p.stderr)
    p = run(kernel, "--tolerance", "1")
    expect(p.returncode == 0, p.stderr)
    np.save(out, np.zeros((1, 2), np.float32))
    p = run(kernel)
    expect(p.returncode == 1 and "output 'out0': " in p.stderr and "expected shape" in p.stderr, p.stderr)


def integers_and_merged_kernels(folder):
    """Gather's indices are valid, integer results are compared exactly, equal kernels have one folder."""
    table = numpy_helper.from_array(np.arange(12, dtype=np.int64).reshape(3, 4), "table")
    nodes = [helper.make_node("Gather", ["table", "i"], ["g"], name="rows"),
             helper.make_node("Softmax", ["x"], ["a"], name="first softmax"),
             helper.make_node("Softmax", ["y"], ["b"], name="second softmax")]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("i", TensorProto.INT64, [5]),
                                           helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 8]),
                                           helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 8])],
                              [helper.make_tensor_value_info("g", TensorProto.INT64, [5, 4]),
                               helper.make_tensor_value_info("a", TensorProto.FLOAT, [2, 8]),
                               helper.make_tensor_value_info("b", TensorProto.FLOAT, [2, 8])], [table])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "m.onnx")
    kernels = split(folder / "m.onnx", folder / "out", "--seed", "7")
    expect(len(kernels) == 2, f"{len(kernels)} folders for two different kernels")
    scripts = {k: (k / "run.sh").read_text() for k in kernels}
    rows = next(k for k in kernels if "# computes rows" in scripts[k])
    soft = next(k for k in kernels if k != rows)
    expect("# computes first softmax\n# computes second softmax\n" in scripts[soft], scripts[soft])
    expect("--tolerance 0 " in scripts[rows], scripts[rows])
    for kernel in kernels:
        p = run(kernel)
        expect(p.returncode == 0, f"{kernel.name}: {p.stderr}")
    wrong = np.load(rows / "out0.npy")
    wrong[0, 0] += 1
    np.save(rows / "out0.npy", wrong)
    p = run(rows, "--tolerance", "1")
    expect(p.returncode == 1 and "output 'out0' is not what is expected" in p.stderr, p.stderr)


def bad_input_is_told(folder):
    full = folder / "full"
    full.mkdir()
    (full / "mine.txt").write_text("keep")
    unwritable = folder / "file"
    unwritable.write_text("")
    dynamic = helper.make_graph([helper.make_node("Softmax", ["x"], ["y"])], "g",
                                [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])],
                                [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 4])])
    save(helper.make_model(dynamic, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "d.onnx")
    levels = folder / "levels.mlir"
    levels.write_text('module attributes {mlc.level = "cellar"} {}\n')
    late = folder / "late.mlir"
    late.write_text('module attributes {mlc.level = "kernels"} {}\n')
    cases = [
        (["split", DIGITS, full], "full': the folder is not empty"),
        (["split", DIGITS, unwritable], "file'"),
        (["split", DIGITS], "expects MODEL FOLDER, got 1 argument;"),
        (["split", folder / "none.onnx", folder / "a"], "none.onnx"),
        (["split", DIGITS, folder / "b", "--input", "picture=x.npy"], "the model has no input 'picture'; it has 'image'"),
        (["split", DIGITS, folder / "c", "--input", f"image={folder}/none.npy"], "none.npy"),
        (["run", DIGITS, "--input", f"image={image(folder)}", "--expect", "digit=x.npy"], "the model has no output 'digit'; it has 'logits'"),
        (["run", DIGITS, "--input", f"image={image(folder)}", "--expect", "logits"], "--expect expects NAME=FILE"),
        (["compile", levels, "-o", folder / "l.so"], "'mlc.level' that is no level"),
        (["inspect", late, "--level", "graph"], "the file begins at level 'kernels', behind 'graph'"),
    ]
    for args, message in cases:
        result = call(MLC, *args)
        expect(result.code == 1 and message in result.err, f"{args[0]}: exit {result.code}: {result.err}")
    result = call(MLC, "split", folder / "d.onnx", folder / "e")
    expect(result.code == UNSUPPORTED_EXIT and "has no size in the model" in result.err, f"an unknown size: exit {result.code}: {result.err}")
    expect((full / "mine.txt").read_text() == "keep" and len(list(full.iterdir())) == 1, "a folder was written to")


TESTS = [every_kernel_runs_alone, data_is_that_of_a_run, wrong_results_are_told, integers_and_merged_kernels, bad_input_is_told]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mlc", type=Path, required=True)
    MLC = parser.parse_args().mlc.resolve()
    os.environ.pop("MLC_CACHE_DIR", None)
    run_in_folders(TESTS, jobs=2)
