"""Proves that each file that a comment or CMake names exists: run by ctest as `stale_names`.

    python3 scripts/check_names.py [ROOT]

Names are words with a `.c`, `.h`, `.y`, `.l`, `.py`, `.yaml`, `.sh` or `.md` behind; one with a folder must be the end of a path of
the repository, or lie under lib/ or include/, and one without must be some file's name. Files that are made by the build, by
users and by other projects are listed below. Prints the others; exit 1 if there are any.
"""
import os
import re
import sys
from pathlib import Path

# Made by the build, or by a program while it runs; examples of a user's own names; other projects' headers.
OTHERS = re.compile(r"^(\w*_lex\.[ch]|\w+\.tab\.[ch]|\w+\.gen\.c|mlc/dialects/\w+\.h|(?:.*/)?(?:[A-Z_]+|A_to_B|[a-z])\.\w+"
                    r"|(llvm-c|sys|llvm)/.*|(yaml|std\w+|string|math|errno|cuda|png|dlfcn|elf|fenv|pthread|cmocka|setjmp|unistd)\.h|run\.sh)$")
WORD = re.compile(r"(?<![\w./<>*{}$%-])((?:[\w.-]+/)*[\w-]+\.(?:c|h|y|l|py|yaml|sh|md))(?![\w*(/-]|\.\w)")
READ = {".c", ".h", ".y", ".l", ".inc", ".py", ".txt", ".cmake", ".sh", ".yaml", ".rules"}


def comments_of(path, text):
    if path.suffix in (".c", ".h", ".y", ".l", ".inc"):
        return re.findall(r"//[^\n]*|/\*.*?\*/", text, re.S)
    return re.findall(r"#[^\n]*", text) + re.findall(r'^"""(.*?)"""', text, re.S)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    files = []
    for folder, folders, found in os.walk(root):
        folders[:] = [f for f in folders if not f.startswith((".", "build", "__"))]
        files += [Path(folder, f).relative_to(root) for f in found]
    names = {f.name for f in files}
    ends = {"/".join(f.parts[i:]) for f in files for i in range(len(f.parts))}
    faults = []
    for file in files:
        if file.suffix not in READ:
            continue
        for comment in comments_of(file, (root / file).read_text(errors="replace")):
            for word in WORD.findall(comment):
                if not OTHERS.match(word) and (word not in ends if "/" in word else word not in names):
                    faults.append(f"{file}: {word}")
    print("\n".join(sorted(set(faults))) if faults else f"{len(files)} files, every file that a comment names exists")
    sys.exit(1 if faults or not files else 0)


if __name__ == "__main__":
    main()
