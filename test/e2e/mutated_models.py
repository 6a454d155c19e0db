"""Models that onnx's checker refuses, mlc refuses too: small models, changed at random, through both.

    python mutated_models.py --mlc build/release/bin/mlc [--count 400] [--seed 1] [--list]

A model is one of cases.py with a change or two of what a writer gets wrong: attributes, inputs and outputs, types, shapes, names,
initialisers, opsets, functions. What `onnx.checker.check_model(full_check=True)` refuses has to end with exit 1 and a message, or
with 3 where mlc meets something it lacks before. ALLOWED has what mlc takes all the same, with the reason. Nothing may crash.
"""
import argparse
import re
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper

import cases as case_list
from harness import Crash, call

# What the checker says of models that mlc takes.
ALLOWED = {
    r"Nodes in a graph must be topologically sorted": "they are put in order: writers do not all obey, and onnxruntime takes them",
    r"(Inferred shape and existing shape differ|Can't merge shape info|Mismatch between number of inferred and declared dimensions)":
        "a declared shape that the operators contradict is a warning, and theirs is used, as onnxruntime does",
    r"No opset import for domain 'ai.onnx'": "it is the long name of ONNX's own domain, as its specification says",
    r"Field 'shape' of 'type' is required but missing": "a tensor of unknown rank is a type, as ONNX's specification says",
    r"No Op registered for SimplifiedLayerNormalization": "onnxruntime's, in ONNX's own domain",
    r"must be a scalar|must be a one-dimensional tensor of size 1|expected to have rank 1 but has rank": "numbers of another rank are those numbers",
    r"op_type:MeanVarianceNormalization.*op_type:Constant": "axes have a default, which the operator's function in onnx does not see",
    r"Opset import for domain\s+in function op": "each function's body is of the opset that it says",
}


def pick(rng, items):
    items = list(items)
    return items[rng.integers(len(items))] if items else None


def nodes_of(model):
    found = list(model.graph.node)
    for node in found:
        for a in node.attribute:
            if a.HasField("g"):
                found.extend(a.g.node)
    return found


# ---- changes: functions of a model and a generator; False where there is nothing to change

def attribute_type(model, rng):
    a = pick(rng, [a for n in nodes_of(model) for a in n.attribute])
    if a is None:
        return False
    a.type = int(rng.integers(0, 15))
    return True


def attribute_value(model, rng):
    node = pick(rng, [n for n in nodes_of(model) if n.attribute])
    if node is None:
        return False
    a = pick(rng, node.attribute)
    value = pick(rng, [1, -1, 0, 7, 1.5, "x", [1, 2], [0.5], [-1], [], ["a"]])
    if value == []:
        a.ClearField("ints")
        return True
    made = helper.make_attribute(a.name, value)
    a.CopyFrom(made)
    return True


def attribute_added(model, rng):
    node = pick(rng, nodes_of(model))
    node.attribute.append(helper.make_attribute(str(pick(rng, ["axis", "alpha", "frobnicate", "axes", "to", "mode"])), pick(rng, [1, 0.5, "y", [1, 2]])))
    return True


def attribute_twice(model, rng):
    node = pick(rng, [n for n in nodes_of(model) if n.attribute])
    if node is None:
        return False
    node.attribute.append(pick(rng, node.attribute))
    return True


def attribute_removed(model, rng):
    node = pick(rng, [n for n in nodes_of(model) if n.attribute])
    if node is None:
        return False
    del node.attribute[rng.integers(len(node.attribute))]
    return True


def attribute_unnamed(model, rng):
    a = pick(rng, [a for n in nodes_of(model) for a in n.attribute])
    if a is None:
        return False
    a.name = ""
    return True


def attribute_two_values(model, rng):
    a = pick(rng, [a for n in nodes_of(model) for a in n.attribute])
    if a is None:
        return False
    if rng.random() < 0.5:
        a.f = 0.5
        a.i = 3
    else:
        a.ints.append(4)
        a.floats.append(0.5)
    return True


def attribute_refers(model, rng):
    a = pick(rng, [a for n in nodes_of(model) for a in n.attribute])
    if a is None:
        return False
    a.ref_attr_name = "outer"
    return True


def operator_renamed(model, rng):
    node = pick(rng, nodes_of(model))
    node.op_type = str(pick(rng, ["Frobnicate", "", "relu", "Add", "Relu", "Concat", "Identity"]))
    return True


def domain_changed(model, rng):
    node = pick(rng, nodes_of(model))
    node.domain = str(pick(rng, ["ai.onnx.ml", "com.acme", "ai.onnx", "com.microsoft"]))
    return True


def input_removed(model, rng):
    node = pick(rng, [n for n in nodes_of(model) if n.input])
    if node is None:
        return False
    del node.input[rng.integers(len(node.input))]
    return True


def input_emptied(model, rng):
    node = pick(rng, [n for n in nodes_of(model) if n.input])
    if node is None:
        return False
    node.input[rng.integers(len(node.input))] = ""
    return True


def input_added(model, rng):
    node = pick(rng, nodes_of(model))
    node.input.append(str(pick(rng, [i.name for i in model.graph.input] + ["nowhere", ""])))
    return True


def output_removed(model, rng):
    node = pick(rng, nodes_of(model))
    del node.output[-1:]
    return True


def output_added(model, rng):
    node = pick(rng, nodes_of(model))
    node.output.append(str(pick(rng, ["more", "", node.output[0] if node.output else "more"])))
    return True


def output_renamed(model, rng):
    node = pick(rng, [n for n in nodes_of(model) if n.output])
    node.output[0] = str(pick(rng, [i.name for i in model.graph.input] + ["", "other"]))
    return True


def nodes_turned(model, rng):
    nodes = list(model.graph.node)
    if len(nodes) < 2:
        return False
    del model.graph.node[:]
    model.graph.node.extend(nodes[::-1])
    return True


def node_cycle(model, rng):
    node = pick(rng, [n for n in model.graph.node if n.input and n.output])
    if node is None:
        return False
    node.input[0] = node.output[0]
    return True


def values_of(model):
    return [*model.graph.input, *model.graph.output, *model.graph.value_info]


def value_type(model, rng):
    info = pick(rng, values_of(model))
    info.type.tensor_type.elem_type = int(rng.integers(0, 30))
    return True


def value_untyped(model, rng):
    info = pick(rng, values_of(model))
    info.ClearField("type") if rng.random() < 0.5 else info.type.ClearField("tensor_type")
    return True


def value_unnamed(model, rng):
    pick(rng, values_of(model)).name = ""
    return True


def value_shape(model, rng):
    info = pick(rng, values_of(model))
    shape = info.type.tensor_type.shape
    kind = rng.integers(4)
    if kind == 0 or not shape.dim:
        shape.dim.add().dim_value = 3
    elif kind == 1:
        del shape.dim[-1]
    elif kind == 2:
        shape.dim[0].dim_value = int(pick(rng, [-1, 0, 5, 2**40, -2**63]))
    else:
        info.type.tensor_type.ClearField("shape")
    return True


def value_twice(model, rng):
    kind = pick(rng, [model.graph.input, model.graph.output, model.graph.value_info])
    if not kind:
        return False
    kind.append(pick(rng, kind))
    return True


def value_removed(model, rng):
    kind = pick(rng, [model.graph.input, model.graph.output])
    del kind[rng.integers(len(kind))]
    return True


def constant_of(model, rng):
    inner = [a.t for n in nodes_of(model) for a in n.attribute if a.HasField("t")]
    return pick(rng, [*model.graph.initializer, *inner])


def constant_type(model, rng):
    tensor = constant_of(model, rng)
    if tensor is None:
        return False
    tensor.data_type = int(rng.integers(0, 30))
    return True


def constant_dims(model, rng):
    tensor = constant_of(model, rng)
    if tensor is None:
        return False
    if rng.random() < 0.5 and tensor.dims:
        tensor.dims[0] = int(pick(rng, [-1, 0, 1, 7, 2**40]))
    else:
        tensor.dims.append(int(pick(rng, [1, 2, 0, -3])))
    return True


def constant_data(model, rng):
    tensor = constant_of(model, rng)
    if tensor is None:
        return False
    kind = rng.integers(4)
    if kind == 0:
        tensor.raw_data = tensor.raw_data[:-1]
    elif kind == 1:
        tensor.raw_data = tensor.raw_data + b"\0\0\0\0"
    elif kind == 2:
        tensor.float_data.append(1.0)
    else:
        tensor.ClearField("raw_data")
    return True


def constant_outside(model, rng):
    tensor = constant_of(model, rng)
    if tensor is None:
        return False
    tensor.data_location = TensorProto.EXTERNAL
    entry = tensor.external_data.add()
    entry.key, entry.value = str(pick(rng, ["location", "offset"])), str(pick(rng, ["../up.bin", "none.bin", "/etc/hostname", ""]))
    return True


def constant_unnamed(model, rng):
    tensor = pick(rng, model.graph.initializer)
    if tensor is None:
        return False
    tensor.name = ""
    return True


def constant_twice(model, rng):
    tensor = pick(rng, model.graph.initializer)
    if tensor is None:
        return False
    model.graph.initializer.append(tensor)
    return True


def constant_segment(model, rng):
    tensor = constant_of(model, rng)
    if tensor is None:
        return False
    tensor.segment.begin, tensor.segment.end = 0, 1
    return True


def model_version(model, rng):
    model.ir_version = int(pick(rng, [0, 1, 2, 3, 4, 9, 10**6]))
    return True


def opset_version(model, rng):
    model.opset_import[0].version = int(pick(rng, [0, -1, 1, 5, 9, 13, 10**6]))
    return True


def opset_removed(model, rng):
    del model.opset_import[:]
    return True


def opset_twice(model, rng):
    model.opset_import.append(helper.make_opsetid(str(pick(rng, ["", "ai.onnx", "com.acme"])), int(pick(rng, [1, 13, 17, 99]))))
    return True


def metadata_twice(model, rng):
    for value in ("a", "b"):
        entry = model.metadata_props.add()
        entry.key, entry.value = "key", value
    return True


def graph_unnamed(model, rng):
    model.graph.name = ""
    return True


def graph_emptied(model, rng):
    del model.graph.node[:]
    return True


def function_added(model, rng):
    kind = rng.integers(4)
    body = [helper.make_node("Relu", ["a"], ["b"])] if kind != 1 else [helper.make_node("Relu", ["nowhere"], ["b"])]
    inputs = ["a", "a"] if kind == 2 else ["a"]
    function = helper.make_function("own" if kind != 3 else "", "F", inputs, ["b"], body, [helper.make_opsetid("", 17)])
    model.functions.append(function)
    if rng.random() < 0.3:
        model.functions.append(function)
    return True


def sparse_constant(model, rng):
    sparse = model.graph.sparse_initializer.add()
    sparse.values.CopyFrom(helper.make_tensor("sparse", TensorProto.FLOAT, [2], [1.0, 2.0]))
    sparse.indices.CopyFrom(helper.make_tensor("at", TensorProto.INT64, [2], [int(pick(rng, [0, 5, 9])), 3]))
    sparse.dims.append(4)
    return True


CHANGES = [v for v in list(globals().values()) if callable(v) and getattr(v, "__code__", None) and v.__code__.co_varnames[:2] == ("model", "rng")
           and v.__name__ not in ("constant_of",)]


# ---- both verdicts

def checker_refuses(model):
    try:
        onnx.checker.check_model(model, full_check=True)
        return None
    except Exception as error:
        return str(error).strip() or type(error).__name__


def is_allowed(message):
    return any(re.search(pattern, message) for pattern in ALLOWED)


def base_models():
    """Small ones, of all kinds; a file of weights says nothing more than a few numbers."""
    chosen = [c for c in case_list.all_cases() if c.model.ByteSize() < 4000]
    by_ops = {}
    for case in chosen:
        by_ops.setdefault(tuple(case.ops()), case)
    return [c.model for _, c in sorted(by_ops.items())]


def mutants(count, seed):
    bases = base_models()
    for i in range(count):
        rng = np.random.default_rng([seed, i])
        model = onnx.ModelProto()
        model.CopyFrom(bases[rng.integers(len(bases))])
        changes = []
        while len(changes) < 1 + (rng.random() < 0.2):
            change = CHANGES[rng.integers(len(CHANGES))]
            try:
                if change(model, rng):
                    changes.append(change.__name__)
            except (ValueError, TypeError, IndexError, AttributeError):
                changes.append("nothing")
        yield f"{seed}-{i}", "+".join(changes), model


def judge(mlc, folder, name, model):
    """(what the checker says or None, exit code of mlc, its first line)"""
    path = folder / f"{name}.onnx"
    try:
        path.write_bytes(model.SerializeToString())
    except Exception:
        return None
    said = checker_refuses(model)
    try:
        result = call(mlc, "inspect", path, "--level", "import", timeout=60)
    except Crash as crash:
        return said, "crash", str(crash)[:300]
    finally:
        path.unlink(missing_ok=True)
    return said, result.code, result.first_line() if result.err else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", required=True)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print what the checker says of models that mlc takes by right")
    args = parser.parse_args()
    counts, failed, tolerated = Counter(), 0, Counter()
    with tempfile.TemporaryDirectory(prefix="mlc-mutants-") as d, ThreadPoolExecutor(2) as pool:
        jobs = [(name, what, pool.submit(judge, args.mlc, Path(d), name, model)) for name, what, model in mutants(args.count, args.seed)]
        for name, what, job in jobs:
            verdict = job.result()
            if verdict is None:
                continue
            said, code, line = verdict
            counts["refused" if said else "valid", code] += 1
            if code == "crash" or (code and not line):
                print(f"FAIL {name} ({what}): {code}: {line}")
                failed += 1
            elif not said and code == 1 and args.list:
                print(f"valid, but refused: {name} ({what}): {line[:300]}")
            elif said and code == 0 and is_allowed(said):
                tolerated[said.splitlines()[0][:150]] += 1
            elif said and code == 0:
                print(f"FAIL {name} ({what}): taken, but the checker says: {' '.join(said.split())[:240]}")
                failed += 1
    if args.list:
        for text, number in tolerated.most_common():
            print(f"{number} taken by right: {text}")
    print(", ".join(f"{n} {kind} with exit {code}" for (kind, code), n in sorted(counts.items(), key=str)))
    print(f"{sum(counts.values()) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not counts else 0)


if __name__ == "__main__":
    main()
