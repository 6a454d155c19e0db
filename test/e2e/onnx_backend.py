"""ONNX's own backend tests, every one that the installed onnx package has, through mlc.

    python onnx_backend.py --mlc build/release/bin/mlc [--only TEXT] [--verbose]

Operators (of all domains: sequences, optionals, strings, training), what torch exports, simple graphs, and the light models. Each is
one of three: it runs and gives ONNX's numbers; it is refused with exit code 3, and each message names a node of the model (or the
input, initialiser or output that stands for them); or it failed. A signal, exit code 1 and a refusal without a name are failures.
What is refused is run directly on the inputs: shapes, axes and the like are inputs in these models, and `mlc run` compiles for them.
The operators of which none runs are listed; `--verbose` prints every refusal.
"""
import argparse
import re
import sys
import tempfile
import warnings
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from harness import UNSUPPORTED_EXIT, Failure, call, run_all, run_outputs, save_feeds

UNSUPPORTED = "unsupported"
# By the exact size, scale * n, where onnxruntime and torch take the whole one that the result has: so onnxruntime's numbers.
AS_ONNXRUNTIME = {"test_resize_downsample_scales_linear_align_corners", "test_resize_downsample_scales_cubic_align_corners"}
DRAWN = "test_bernoulli"  # numbers of numpy's generator, without a seed: any of 0 and 1 may come out


@dataclass
class Case:
    name: str
    model: onnx.ModelProto
    inputs: list  # arrays; lists and None for sequences and optionals
    wanted: list
    rtol: float = 1e-3
    atol: float = 1e-5


def node_cases():
    from onnx.backend.test.case.node import collect_testcases
    for c in collect_testcases(None):
        inputs, outputs = ([numpy_helper.to_array(v) if isinstance(v, onnx.TensorProto) else v for v in values] for values in c.data_sets[0])
        yield c.name, lambda c=c, i=inputs, o=outputs: Case(c.name, c.model, i, o, max(c.rtol, 1e-4), max(c.atol, 1e-5))


def read_value(path, info):
    data, kind = path.read_bytes(), info.type.WhichOneof("value")
    if kind == "sequence_type":
        return numpy_helper.to_list(onnx.SequenceProto.FromString(data))
    if kind == "optional_type":
        return numpy_helper.to_optional(onnx.OptionalProto.FromString(data))
    return numpy_helper.to_array(onnx.TensorProto.FromString(data))


def stored_case(name, folder):
    model = onnx.load(folder / "model.onnx")
    data = folder / "test_data_set_0"
    return Case(name, model, [read_value(data / f"input_{i}.pb", info) for i, info in enumerate(fed(model))],
                [read_value(data / f"output_{i}.pb", info) for i, info in enumerate(model.graph.output)])


def light_case(name, path):
    from onnx.backend.test.runner import Runner
    model = onnx.load(path)
    inputs = [Runner.generate_dummy_data(info, seed=0, name=path.stem, random=False) for info in fed(model)]
    stored = [path.with_name(f"{path.stem}_output_{i}.pb") for i in range(len(model.graph.output))]
    return Case(name, model, inputs, [numpy_helper.to_array(onnx.load_tensor(p)) for p in stored])


def stored_models():
    """{name: what makes the case} of the models that the onnx package stores; they are big, so each is read when it is its turn."""
    data, cases = Path(onnx.__file__).parent / "backend" / "test" / "data", {}
    for group in ("simple", "pytorch-converted", "pytorch-operator"):
        for path in sorted(data.glob(f"{group}/*/model.onnx")):
            name = f"{group}/{path.parent.name}"
            cases[name] = lambda name=name, folder=path.parent: stored_case(name, folder)
    for path in sorted(data.glob("light/*.onnx")):
        cases[f"light/{path.stem}"] = lambda path=path: light_case(f"light/{path.stem}", path)
    return cases


def collect(only):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = {**dict(node_cases()), **stored_models()}
    return {name: make for name, make in cases.items() if only in name}


def fed(model):
    """The inputs without an initialiser."""
    known = {t.name for t in model.graph.initializer}
    return [i for i in model.graph.input if i.name not in known]


def is_array(value):
    """Of numbers: what .npy holds."""
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind not in "OSU"


def names_of(graph):
    """What a message may name: nodes (by their first output, those without a name), values, and those of subgraphs."""
    names = {v.name for v in [*graph.input, *graph.output, *graph.initializer]}
    for node in graph.node:
        names.add(node.name or next((o for o in node.output if o), ""))
        for attribute in node.attribute:
            for inner in [attribute.g, *attribute.graphs]:
                names |= names_of(inner)
    return names


def check_refusal(model, err):
    """Every error of a refusal names something of the model, and none is told twice."""
    names = names_of(model.graph)
    for function in model.functions:
        names |= {node.name or next(iter(node.output), "") for node in function.node}
    errors = [line for line in err.splitlines() if "error: " in line]
    if not errors:
        raise Failure(f"refused without a message: {err[:300]}")
    for line in errors:
        if not any(name in names or name.split("/")[-1] in names for name in re.findall(r"['\"]([^'\"]+)['\"]", line)):
            raise Failure(f"a refusal names no node: {line}")
        if errors.count(line) > 1:
            raise Failure(f"told twice: {line}")


def compare(name, got, wanted, rtol, atol):
    if got.dtype.kind == "V" and got.dtype.itemsize == wanted.dtype.itemsize:
        got = got.view(wanted.dtype)  # .npy has no bf16
    if wanted.dtype.name in ("int2", "uint2", "int4", "uint4") and got.dtype.name in ("int8", "uint8"):
        got = got.astype(wanted.dtype)  # nor integers of less than a byte: it has one in each
    if wanted.dtype.name in ("float16", "bfloat16"):  # what is expected was rounded after each op: bf16's unit is 2^-7
        rtol, atol = max(rtol, 4e-3 if wanted.dtype.name == "float16" else 8e-3), max(atol, 4e-3)
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        raise Failure(f"output {name}: expected {wanted.dtype}{list(wanted.shape)}, got {got.dtype}{list(got.shape)}")
    if not np.allclose(got.astype(np.float64), wanted.astype(np.float64), rtol=rtol, atol=atol, equal_nan=True):
        worst = np.nanmax(np.abs(got.astype(np.float64) - wanted.astype(np.float64)))
        raise Failure(f"output {name}: differs by up to {worst:.3g}")


def compare_values(name, got, wanted, rtol, atol):
    """Sequences, optionals and strings too."""
    if isinstance(wanted, list) or wanted is None:
        if type(got) is not type(wanted) or len(got or []) != len(wanted or []):
            raise Failure(f"output {name}: expected {wanted}, got {got}")
        for i, (g, w) in enumerate(zip(got or [], wanted or [])):
            compare_values(f"{name}[{i}]", g, w, rtol, atol)
    elif np.asarray(wanted).dtype.kind in "OSU":
        if got.shape != wanted.shape or (got.astype(str) != wanted.astype(str)).any():
            raise Failure(f"output {name}: expected {wanted}, got {got}")
    else:
        compare(name, got, np.asarray(wanted), rtol, atol)


def check_values(mlc, case, path, folder):
    """What is no array of numbers goes in and out as .pb; None, or the messages of a refusal."""
    flags = []
    for i, (info, value) in enumerate(zip(fed(case.model), case.inputs, strict=True)):
        make = {"sequence_type": numpy_helper.from_list, "optional_type": numpy_helper.from_optional}
        file = folder / f"in{i}.pb"
        file.write_bytes(make.get(info.type.WhichOneof("value"), numpy_helper.from_array)(value).SerializeToString())
        flags += ["--input", f"{info.name}={file}"]
    result = call(mlc, "run", path, *flags, "--output-dir", folder / "out", "--output-format", "pb")
    refusal = refusal_of(case, result, "run")
    if refusal is None:
        for info, expected in zip(case.model.graph.output, case.wanted, strict=True):
            compare_values(info.name, read_value(folder / "out" / f"{info.name}.pb", info), expected, case.rtol, case.atol)
    return refusal


def check_outputs(mlc, case, path, feeds, folder):
    names = [o.name for o in case.model.graph.output]
    wanted = case.wanted
    if case.name in AS_ONNXRUNTIME:
        import onnxruntime
        session = onnxruntime.InferenceSession(case.model.SerializeToString(), providers=["CPUExecutionProvider"])
        wanted = session.run(names, feeds)
    outputs = run_outputs(mlc, path, save_feeds(feeds, folder), names, folder / "out", 1)
    for name, got, expected in zip(names, outputs, wanted, strict=True):
        if case.name.startswith(DRAWN) and np.isin(got, (0, 1)).all():
            expected = got.astype(expected.dtype).reshape(expected.shape) if got.size == expected.size else expected
        compare(name, got, np.asarray(expected), case.rtol, case.atol)


def refusal_of(case, result, verb):
    """None where it is none."""
    if result.code == UNSUPPORTED_EXIT:
        check_refusal(case.model, result.err)
        return result.err
    if result.code:
        raise Failure(f"mlc {verb}: exit {result.code}: {result.first_line()}")
    return None


def test_case(mlc, case, folder):
    """What is said of the case: "run", or the messages of its refusal."""
    path, compiled = folder / "m.onnx", folder / "m.so"
    onnx.save(case.model, path)
    feeds = dict(zip([i.name for i in fed(case.model)], case.inputs, strict=True))
    refusal = refusal_of(case, call(mlc, "compile", path, "-o", compiled), "compile")
    are_tensors = all(info.type.HasField("tensor_type") for info in [*fed(case.model), *case.model.graph.output])
    if not are_tensors or not all(map(is_array, [*case.inputs, *case.wanted])):
        return check_values(mlc, case, path, folder) or "run"
    if refusal is not None and not feeds:
        return refusal
    feeds = {name: np.asarray(value) for name, value in feeds.items()}
    if refusal is not None:
        refusal = refusal_of(case, call(mlc, "run", path, *save_feeds(feeds, folder)), "run")
        compiled = path
    if refusal is None:
        check_outputs(mlc, case, compiled, feeds, folder)
    return "run" if refusal is None else refusal


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true", help="print the refusals")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    cases = collect(args.only)
    operators = {}
    with tempfile.TemporaryDirectory(prefix="mlc-backend-") as scratch:
        def test(name):
            with tempfile.TemporaryDirectory(dir=scratch) as folder:
                case = cases[name]()
                operators[name] = " ".join(sorted({n.op_type for n in case.model.graph.node})) if "/" not in name else name
                return test_case(args.mlc, case, Path(folder))

        results = run_all({name: lambda name=name: test(name) for name in cases}, args.jobs)
    by_op = defaultdict(set)
    for name, result in results.items():
        is_refused = isinstance(result, str) and result != "run"
        by_op[operators.get(name, name)].add(UNSUPPORTED if is_refused else "run or failed")
        if args.verbose and is_refused:
            print(f"unsupported {name}:", *(line.split("error: ")[-1] for line in result.splitlines() if "error: " in line), sep="\n    ")
    print("not supported:", ", ".join(sorted(op for op, kinds in by_op.items() if kinds == {UNSUPPORTED})))
    run, failed = (sum(r == "run" for r in results.values()), sum(isinstance(r, Failure) for r in results.values()))
    print(f"{run} passed, {failed} failed, {len(results) - run - failed} not supported")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
