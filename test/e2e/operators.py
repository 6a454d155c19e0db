"""What `mlc ops` prints is what ONNX has, and what mlc compiles.

    python operators.py --mlc build/release/bin/mlc

Each operator that the onnx package knows, and that is not deprecated, has lines for all its opsets, without a gap and without one
twice. What models of cases.py are made of is printed as compiled, in the opset of the model.
"""
import argparse
import sys

from onnx import defs

import cases
from harness import Failure, call, run_all

MLC = None
NEWEST = {"ai.onnx": 28, "ai.onnx.ml": 5}


def lines():
    result = call(MLC, "ops")
    if result.code:
        raise Failure(f"exit {result.code}: {result.first_line()}")
    for line in result.out.splitlines():
        domain, name, opsets, status, *_ = line.split()
        since, until = opsets.split("-")
        yield domain, name, int(since), int(until or NEWEST.get(domain, 1)), status


def test_all_of_onnx():
    printed = {}
    for domain, name, since, until, _ in lines():
        printed.setdefault((domain, name), []).append((since, until))
    newest = {}
    for schema in defs.get_all_schemas_with_history():
        key = (schema.domain or "ai.onnx", schema.name)
        if key not in newest or newest[key].since_version < schema.since_version:
            newest[key] = schema
    for key, schema in newest.items():
        if schema.deprecated or schema.domain.startswith("ai.onnx.preview"):
            continue
        parts = sorted(printed.get(key, []))
        first = min(s.since_version for s in defs.get_all_schemas_with_history() if (s.domain or "ai.onnx", s.name) == key and not s.deprecated)
        if not parts or parts[0][0] != first or any(a[1] + 1 != b[0] for a, b in zip(parts, parts[1:])):
            raise Failure(f"{key}: opsets {parts}, from {first} on expected")


def test_what_is_compiled():
    compiled = [(domain, name, since, until) for domain, name, since, until, status in lines() if status == "compiled"]
    for case in cases.all_cases():
        opsets = {o.domain or "ai.onnx": o.version for o in case.model.opset_import}
        own = {f.name for f in case.model.functions}
        for node in case.model.graph.node:
            domain = node.domain or "ai.onnx"
            if node.op_type not in own and not any(d == domain and n == node.op_type and since <= opsets[domain] <= until
                                                   for d, n, since, until in compiled):
                raise Failure(f"{domain} {node.op_type} of opset {opsets[domain]} is compiled (case {case.name}), but not printed so")


def test_some():
    one = call(MLC, "ops", "--operator", "Gelu", "--domain=com.microsoft")
    if one.code or len(one.out.splitlines()) != 1 or one.out.split()[:2] != ["com.microsoft", "Gelu"]:
        raise Failure(f"exit {one.code}: {one.out[:200]}")
    strings = call(MLC, "ops", "--operator", "StringConcat")
    if strings.out.split()[3:] != ["compiled", "string"]:
        raise Failure(strings.out[:200])


def test_wrong():
    for flags, message in ((["--domain", "com.acme"], "'com.acme' is no domain that mlc knows; a dialect could say what its operators mean (--load)"),
                           (["--operator", "Frobnicate"], "mlc: there is no operator 'Frobnicate'"), (["Conv"], "mlc ops expects no arguments, got 1 argument")):
        result = call(MLC, "ops", *flags)
        if result.code != 1 or message not in result.err or result.out:
            raise Failure(f"{flags}: exit {result.code}: {result.first_line()}")


def main():
    global MLC
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", required=True)
    MLC = parser.parse_args().mlc
    results = run_all({t.__name__: t for t in (test_all_of_onnx, test_what_is_compiled, test_some, test_wrong)}, 1)
    failed = sum(isinstance(r, Failure) for r in results.values())
    print(f"{len(results) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
