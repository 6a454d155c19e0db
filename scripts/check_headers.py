"""Compiles every public header alone, twice over, as C17 and as C++17: run by ctest as `public_headers`.

At its top each header says who owns what, and which threads may call, in lines that begin with these words (STATEMENTS).

    python3 scripts/check_headers.py INCLUDE_FOLDER... -- C_COMPILER CXX_COMPILER

The folders are include/ and, for generated headers, those of the build. Exit 1 if one does not compile, or does not
say that.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

STATEMENTS = ("Ownership", "Threads")


def missing_statements(text):
    """The words of STATEMENTS that the comment at the top of a header does not have, each at a line's beginning, with a sentence."""
    head = re.match(r"(//.*\n)*", text)[0]
    return [word for word in STATEMENTS if not re.search(rf"^// {word}: \S+ .*|^// {word}: \w+\.$", head, re.M)]


def faults_of_statements(paths):
    for path in paths:
        text = path.read_text()
        yield from (f"{path}: its first comment has no line '// {word}: ...'" for word in missing_statements(text))
        for word in STATEMENTS: # the check sees what it is for
            if word not in missing_statements(text.replace(f"// {word}:", "//", 1)):
                yield f"{path}: a header without '{word}' would not be found"


def main():
    split = sys.argv.index("--")
    folders, (cc, cxx) = [Path(p) for p in sys.argv[1:split]], sys.argv[split + 1:]
    flags = [f"-I{f}" for f in folders] + ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    paths = sorted(h for f in folders for h in (f / "mlc").rglob("*.h"))
    headers = sorted({h.relative_to(f) for f in folders for h in (f / "mlc").rglob("*.h")})

    def compile_alone(header):
        text = f'#include "{header}"\n#include "{header}"\n'  # twice: it guards itself
        faults = ""
        for command in ([cc, "-std=c17", "-x", "c"], [cxx, "-std=c++17", "-x", "c++"]):
            p = subprocess.run([*command, *flags, "-"], input=text, capture_output=True, text=True)
            faults += f"{header} with {command[0]}:\n{p.stderr}" if p.returncode else ""
        return faults

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [*faults_of_statements(paths), *(f for f in pool.map(compile_alone, headers) if f)]
    print("\n".join(faults) if faults else f"{len(headers)} headers say who owns what and which threads may call, and compile alone, as C17 and as C++17")
    sys.exit(1 if faults or not headers else 0)


if __name__ == "__main__":
    main()
