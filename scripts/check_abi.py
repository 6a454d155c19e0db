"""Compares the ABI of the public headers with the recorded one: run by ctest as `abi`.

    python3 scripts/check_abi.py [--write] RECORD COMPILER INCLUDE_FOLDER...

RECORD (test/abi/libmlc.so.N.abi.xz) is what abidw says of a small shared object that refers to every MLC_API function and object and
to every type of the headers, so no library with debug information need be built. abidiff compares it with what the headers say
now. New functions, objects and types, new cases at an enumeration's end and new members at the end of a record that begins with
its `size`, or that libmlc alone makes, are compatible; --write records them. Whatever else differs fails, and is never recorded under the same number.
Without --write it is also seen that planted changes fail, and planted additions do not.
"""
import argparse
import lzma
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ADVICE = """\
programs that were linked with this ABI would break. Keep it; or, if it must change, raise MLC_ABI in cmake/MlcInstall.cmake,
tell it in docs/changelog.md, and record the new ABI: scripts/check_abi.py --write test/abi/libmlc.so.N.abi.xz cc include BUILD/include
"""
GIVEN = ["MlcTargetDesc", "MlcRtTable"] # programs are given pointers to them, and make none
FILE = ["MlcArtefactHeader", "MlcArtefactSectionKind"] # what a file has says its MLC_ARTEFACT_VERSION, which readers compare
COUNTS = "MLC_TRAIT_COUNT, MLC_INTERFACE_COUNT, MLC_RT_NUM_TYPES" # programs have no use for them

# What is done to a copy of a header, and whether programs survive it.
PLANTED = [
    ("mlc/ir/op.h", r"MLC_API void mlc_op_erase\(MlcOp \*op\);", "", False),
    ("mlc/ir/op.h", r"void mlc_op_erase\(MlcOp \*op\);", "void mlc_op_erase(MlcOp *op, int64_t how);", False),
    ("mlc/ir/def.h", r"(const char \*segments;)", r"bool planted; \1", False),
    ("mlc/ir/def.h", r"(const char \*segments;.*\n)", r"\1 void *planted;\n", False),
    ("mlc/ir/def.h", r"(MLC_TRAIT_SYMBOL_TABLE,)", r"MLC_TRAIT_PLANTED, \1", False),
    ("mlc/ir/def.h", r"(MLC_TRAIT_COUNT\b)", r"MLC_TRAIT_PLANTED, \1", True),
    ("mlc/ir/op.h", r"(MLC_API void mlc_op_erase\()", r"MLC_API void mlc_op_planted(MlcOp *op); \1", True),
]


class Failure(Exception):
    pass


def call(*command):
    p = subprocess.run([str(c) for c in command], text=True, capture_output=True)
    if p.returncode:
        raise Failure(f"exit {p.returncode}: {' '.join(map(str, command))}\n{p.stdout}{p.stderr}")


def read_headers(folders):
    names = sorted({str(h.relative_to(f)) for f in folders for h in (f / "mlc").rglob("*.h")})
    text = "".join(h.read_text() for f in folders for h in sorted((f / "mlc").rglob("*.h")))
    return names, re.sub(r"//[^\n]*|^#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)


def write_dump(folders, compiler, out):
    """What abidw says of an object with a pointer to everything, into the file `out`."""
    headers, code = read_headers(folders)
    types = set(re.findall(r"typedef (?:struct|enum|union) (\w+) \{", code)) | set(re.findall(r"^struct (\w+) \{", code, re.M))
    symbols = set(re.findall(r"MLC_API\b[^;{]*?\b(mlc_\w+)\s*[(;]", code))
    lines = [f'#include "{name}"' for name in headers]
    lines += [f"extern {name} *const type_{name}; {name} *const type_{name} = 0;" for name in sorted(types)]
    lines += [f"extern __typeof__({name}) *const {name}_; __typeof__({name}) *const {name}_ = &{name};" for name in sorted(symbols)]
    c, so = out.with_suffix(".c"), out.with_suffix(".so")
    c.write_text("\n".join(lines) + "\n")
    call(compiler, "-std=gnu17", "-w", "-g", "-fPIC", "-shared", *(f"-I{f}" for f in folders), c, "-o", so)
    call("abidw", "--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", so, "--out-file", out)
    out.write_text(re.sub(r" path='[^']*'", "", out.read_text())) # of the temporary file
    return out


def write_suppressions(folders, out):
    """Members at the end of a record that begins with its size or is only given; a file's layout; what enumerations count."""
    sized = re.findall(r"struct (\w+) \{\s*size_t size;", read_headers(folders)[1])
    text = "".join(f"[suppress_type]\n  name = {name}\n  has_data_member_inserted_at = end\n" for name in sorted({*sized, *GIVEN}))
    text += "".join(f"[suppress_type]\n  name = {name}\n" for name in FILE)
    out.write_text(f"{text}[suppress_type]\n  type_kind = enum\n  changed_enumerators = {COUNTS}\n")
    return out


def differences(old, new, suppressions):
    """What abidiff says of them, but for additions; "" if programs survive."""
    p = subprocess.run(["abidiff", "--no-added-syms", "--no-show-locs", "--suppressions", suppressions, old, new], text=True,
                       capture_output=True)
    if p.returncode & 3: # the other bits tell of differences
        raise Failure(p.stdout + p.stderr)
    return p.stdout if p.returncode else ""


def plant(include, compiler, folder):
    """Changes are seen: in a copy of the IR's headers alone, which takes a tenth of the time."""
    copy = folder / "planted"
    for part in ("ir", "support", "runtime"): # which the IR's include
        shutil.copytree(include / "mlc" / part, copy / "mlc" / part)
    shutil.copy(include / "mlc/ir.h", copy / "mlc")
    old, suppressions = write_dump([copy], compiler, folder / "old-planted.abi"), write_suppressions([copy], folder / "planted.suppr")
    for name, pattern, becomes, survives in PLANTED:
        path = copy / name
        text = path.read_text()
        changed, times = re.subn(pattern, becomes, text)
        if times != 1:
            raise Failure(f"{name}: nothing to plant in: {times} times '{pattern}'")
        path.write_text(changed)
        report = differences(old, write_dump([copy], compiler, folder / "planted.abi"), suppressions)
        path.write_text(text)
        if bool(report) == survives:
            raise Failure(f"{name}: '{pattern}' to '{becomes}' is {'taken for a break' if report else 'not seen'}\n{report}")


def check(args, folder):
    new, old = write_dump(args.folders, args.compiler, folder / "new.abi"), folder / "old.abi"
    if args.record.exists():
        old.write_bytes(lzma.decompress(args.record.read_bytes()))
        report = differences(old, new, write_suppressions(args.folders, folder / "abi.suppr"))
        if report:
            raise Failure(f"{report}\n{args.record.name}: {ADVICE}")
    elif not args.write:
        raise Failure(f"{args.record}: there is no such record: --write makes it")
    if args.write:
        args.record.parent.mkdir(exist_ok=True)
        args.record.write_bytes(lzma.compress(new.read_bytes(), preset=9))
        print(f"{args.record}: written")
    else:
        plant(args.folders[0], args.compiler, folder)
        more = "" if new.read_bytes() == old.read_bytes() else "; there is something new to record (--write)"
        print(f"{args.record.name}: programs that were linked with it run{more}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("record", type=Path)
    parser.add_argument("compiler")
    parser.add_argument("folders", type=Path, nargs="+")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check(args, Path(folder))


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"check_abi.py: {failure}")
