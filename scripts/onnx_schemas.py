"""Writes lib/frontend/onnx/schemas.inc: what ONNX's operators take, in each opset, as the `onnx` package says it.

    python onnx_schemas.py           writes the file anew
    python onnx_schemas.py --check   exit 1 if the file is not what the installed onnx says; 77 if that is another version

Facts alone: names, versions, numbers of inputs and outputs, attributes and types.
"""
import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

import onnx
from onnx import TensorProto, defs

FILE = Path(__file__).resolve().parent.parent / "lib/frontend/onnx/schemas.inc"
KINDS = {"FLOAT": "f", "INT": "i", "STRING": "s", "TENSOR": "t", "GRAPH": "g", "FLOATS": "F", "INTS": "I", "STRINGS": "S", "TENSORS": "T", "GRAPHS": "G",
         "TYPE_PROTO": "p", "TYPE_PROTOS": "P", "SPARSE_TENSOR": "z", "SPARSE_TENSORS": "Z"}
MANY = 2**31 - 1
HEAD = """// schemas.inc -- what ONNX's operators take, in each opset: written by scripts/onnx_schemas.py, of
// onnx VERSION. Rows of schemas.c, sorted by domain, name and opset; clang-format leaves them alone.
"""


def data_type(text):
    match = re.fullmatch(r"tensor\((\w+)\)", text)
    name = match and {"float": "FLOAT", "double": "DOUBLE", "string": "STRING"}.get(match[1], match[1].upper())
    return getattr(TensorProto, name) if name else None


def mask_of(types):
    return sum({1 << number for number in map(data_type, types) if number is not None})


def masks_of(schema):
    """Of each input, the data types that it may be; 0: no tensor."""
    constraints = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    return [mask_of(constraints.get(value.type_str, [value.type_str])) for value in schema.inputs]


def inputs_of(schema, later):
    """Of the operator as it is in an opset, and as it is in later ones: a type that came later means no other thing before."""
    letters, words = {}, []
    for i, value in enumerate(schema.inputs):
        letter = letters.setdefault(value.type_str, chr(ord("a") + len(letters)))
        mask = masks_of(schema)[i]
        for other in later if mask else []:
            mask |= masks_of(other)[i] if i < len(other.inputs) else 0
        several = value.option == defs.OpSchema.FormalParameterOption.Variadic and not value.is_homogeneous
        words.append(f"{letter}{mask:x}{'*' if several else ''}")
    return " ".join(words)


def attributes_of(schema):
    return " ".join(f"{name}:{KINDS[a.type.name]}{'!' if a.required else ''}" for name, a in sorted(schema.attributes.items()))


def row_of(schema, later):
    numbers = [schema.min_input, schema.max_input, schema.min_output, schema.max_output]
    numbers = [255 if n >= MANY else n for n in numbers]
    return [schema.domain, schema.name, schema.since_version, *numbers, int(schema.deprecated), attributes_of(schema), inputs_of(schema, later)]


def text_of(row):
    return "{" + ", ".join(f'"{item}"' if isinstance(item, str) else str(item) for item in row) + "},\n"


def content():
    schemas = [s for s in defs.get_all_schemas_with_history() if not s.domain.startswith("ai.onnx.preview")]
    versions = defaultdict(list)
    for s in schemas:
        versions[s.domain, s.name].append(s)
    rows = sorted(row_of(s, [v for v in versions[s.domain, s.name] if v.since_version > s.since_version]) for s in schemas)
    return HEAD.replace("VERSION", onnx.__version__) + "".join(map(text_of, rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    if not args.check:
        FILE.write_text(content())
        return 0
    if f"onnx {onnx.__version__}." not in FILE.read_text():
        print(f"{FILE.name} is of another version than {onnx.__version__}")
        return 77
    if FILE.read_text() != content():
        print(f"{FILE} is not what onnx {onnx.__version__} says: run scripts/onnx_schemas.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
