"""Counts the messages of lib/ and tools/ that no test holds: run by ctest as `messages`.

    python3 scripts/check_messages.py [ROOT] [--list [ROOM]] [--write]

A message is a string literal given to a function that is declared MLC_PRINTF, or any other literal that reads like a sentence and
is none of what NO_MESSAGE names, and no field `.name`. Its longest part between format directives must stand in a file of test/ or examples/. How many
of a room's messages do not is in test/untested_messages.txt, and may only fall: more is a fault, and fewer is one too, until
--write has lowered the number. --list prints them, by file and line. Comments in that file say of some why they stay.
"""
import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

NUMBERS = "test/untested_messages.txt"
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|\#[ \t]*(?:include|error)[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|[A-Za-z_]\w*|\S""", re.S)
PRINTF = re.compile(r"(\w+)\s*\([^()]*\)\s*MLC_PRINTF|MLC_PRINTF\s*\([^()]*\)(?:\s*;|[\w\s*]*?\b(\w+)\s*\([^()]*\.\.\.\))")
MACRO = re.compile(r"#define (\w+)\(((?:[^\n]|\\\n)*)")
DIRECTIVE = re.compile(r"%(?:%|[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:hh|h|ll|l|z|j|t)?[a-zA-Z])|\n")
# Literals given to these are no messages: code, help, names of patterns, assertions about ourselves.
NO_MESSAGE = re.compile(
    r"mlc_bug\w*|assert|\w*[sS]tatic_assert|mlc_json_\w+|mlc_pattern_set_\w+|mlc_pass_count|MLC_PASS|MLC_PIPELINE|\w*PATTERN|mlc_cli_\w*help\w*|"
    r"parse_verb|parse_arguments|print\w*|title|add|LIMIT_OPTION|fopen|getenv|strcmp|mlc_build_\w+|mlc_conversion_\w+legal\w*")
COMPOSING = {"mlc_buf_printf", "mlc_buf_append_c", "mlc_arena_printf", "snprintf", "fputs"}  # a message only where it reads like one
NO_ROOM = {"tools/mlc-gen"}  # runs when mlc is built
NO_FILE = {"lib/ir/record/yaml_reference.c",  # sentences of reference pages
           "lib/conversion/graph_to_linalg/graph_lower_text.c", "lib/conversion/graph_to_linalg/graph_lower_suppression.c",
           "lib/conversion/graph_to_linalg/graph_lower_trees.c"}  # MLIR
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def unescape(text):
    return re.sub(r"\\(x[0-9a-fA-F]+|[0-7]+|.)", lambda m: ESCAPES.get(m[1], m[1] if m[1] in "\\\"'%?" else "\n"), text)


def is_sentence(text):
    return len(re.findall(r"(?<![\w.])[A-Za-z]{2,}(?![\w.])", text)) >= 3 and re.search(r"[a-z]+[ ,;:]+[a-z']+ ", text + " ")


def fixed_part(literal):
    """The longest part of a format that is printed as it stands; None where that says too little."""
    parts = (part.strip(" :,;") for part in DIRECTIVE.split(literal))
    longest = max(parts, key=len, default="")
    return longest if len(longest) >= 8 and len(re.findall(r"[A-Za-z]{2,}", longest)) >= 2 else None


def literals(text):
    """(line, function called or None, literal) of each string in `text` that may be a message."""
    calls, statement, before, line_at = [], "", "", 1
    field = ""  # the last three tokens
    pending, last_end = None, 0
    for found in TOKEN.finditer(text):
        token = found.group()
        line_at += text.count("\n", last_end, found.start())
        last_end = found.start()
        if token.startswith(("//", "/*", "#")):
            continue
        if token[0] == '"' or (pending and re.fullmatch(r"PRI\w+", token)):
            piece = unescape(token[1:-1]) if token[0] == '"' else "d"  # behind a % of its own
            if pending:
                pending[2] += piece
            else:
                call = next((c for c in reversed(calls) if c not in ("", "{", "[")), None)
                bare = not calls or calls[-1] == "{"
                pending = [line_at, call, piece, (bare and statement not in ("return", "=")) or field == ".name="]
            before = token
            continue
        if pending:
            if not pending[3]:
                yield tuple(pending[:3])
            pending = None
        if token == "(":
            calls.append(before if re.match(r"[A-Za-z_]\w*$", before) and before not in ("return", "if", "while") else "")
        elif token in "{[":
            calls.append("{" if token == "{" else "[")
            statement = ""
        elif token in ")]}":
            if calls:
                calls.pop()
            statement = "" if token == "}" else statement
        elif token == ";":
            statement = ""
        elif token in ("return", "="):
            statement = token
        field = (field + token)[-6:]
        before = token


def emitters(paths):
    texts = [path.read_text() for path in paths]
    names = {name for text in texts for found in PRINTF.finditer(text) for name in found.groups() if name}
    return names | {found[1] for text in texts for found in MACRO.finditer(text) if names & set(re.findall(r"\w+", found[2]))}


def messages_of(text, printing):
    for line, call, literal in literals(text):
        if call and NO_MESSAGE.fullmatch(call):
            continue
        if (call in printing and call not in COMPOSING) or is_sentence(literal):
            part = fixed_part(literal)
            if part:
                yield line, part


def room_of(path):
    return "/".join(path.parts[:3] if path.parts[1] == "dialects" and len(path.parts) > 3 else path.parts[:2])


def text_of_tests(root):
    texts = []
    for path in sorted(p for folder in ("test", "examples") for p in (root / folder).rglob("*")):
        if not path.is_file() or {"seeds", "findings"} & set(path.parts) or path.name == Path(NUMBERS).name:
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        if path.suffix in (".c", ".h", ".py"):  # a literal in pieces, quotes in it
            text = re.sub(r'"\s*\n\s*f?"', "", text).replace('\\"', '"')
        texts.append(text)
    return "\n".join(texts)


def untested(root):
    """{room: [(file:line, part)]} for every room that has messages, and how many it has."""
    sources = sorted(p for folder in ("lib", "tools") for p in (root / folder).rglob("*") if p.suffix in (".c", ".h", ".l", ".y", ".inc"))
    printing = emitters(sources + sorted((root / "include").rglob("*.h")))
    tests, missing, counts = text_of_tests(root), defaultdict(list), defaultdict(int)
    for path in sources:
        relative = path.relative_to(root)
        room = room_of(relative)
        if room in NO_ROOM or str(relative) in NO_FILE:
            continue
        for line, part in messages_of(path.read_text(), printing):
            counts[room] += 1
            if part not in tests:
                missing[room].append((f"{relative}:{line}", part))
    return missing, counts


def read_numbers(path):
    lines = path.read_text().splitlines() if path.exists() else []
    return {room: int(number) for room, number in (line.split() for line in lines if line and line[0] != "#")}


HEAD = "# Messages that no test holds, by room: scripts/check_messages.py. The numbers may only fall."


def write_numbers(path, allowed):
    """Comments stay: they say why a message has no test."""
    kept = [line for line in path.read_text().splitlines() if line.startswith("#")] if path.exists() else [HEAD]
    path.write_text("\n".join(kept + [f"{room} {number}" for room, number in allowed.items() if number]) + "\n")


def faults(missing, counts, allowed):
    for room in sorted(set(counts) | set(allowed)):
        now, then = len(missing[room]), allowed.get(room, 0)
        if now > then:
            yield f"{room}: {now} messages without a test, {then} are allowed: test the new ones (--list {room})"
        elif now < then:
            yield f"{room}: {now} messages without a test, {then} are allowed: lower the number in {NUMBERS} (--write)"


def self_test():
    code = r'''
    static bool MLC_PRINTF(2, 3) refuse(Op *op, const char *format, ...);
    bool other(void *x, const char *format, ...) MLC_PRINTF(2, 3);
    static const Table t[] = {{"flag", "prints what it did in order"}, {.name = "table.op: of the same", .text = NULL}};
    // mlc_op_error(op, "in a comment only");
    bool f(Op *op) {
        if (!op) return refuse(op, "expected %s, " "a second piece of '%.*s'", 1 ? "one of its kind" : 0);
        if (g(op, "arith.addi")) mlc_bug("this never happens at all");
        return other(op, "the value %" PRId64 " is outside of the range"), "reasons are sentences too";
    }'''
    names = {name for found in PRINTF.finditer(code) for name in found.groups() if name}
    assert names == {"refuse", "other"}, names
    parts = [part for _, part in messages_of(code, names)]
    assert parts == ["a second piece of '", "one of its kind", "is outside of the range", "reasons are sentences too"], parts
    found = list(faults({"a": [0, 0], "b": [0], "c": []}, {"a": 2, "b": 2, "c": 2}, {"a": 1, "b": 1, "c": 1}))
    assert len(found) == 2 and "test the new" in found[0] and "lower" in found[1], found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--list", nargs="?", const="", metavar="ROOM", help="print those of rooms that begin so")
    parser.add_argument("--write", action="store_true", help="lower the numbers to what they are")
    args = parser.parse_args()
    self_test()
    missing, counts = untested(args.root)
    numbers = args.root / NUMBERS
    allowed = read_numbers(numbers)
    if args.list is not None:
        for room in sorted(counts):
            if room.startswith(args.list):
                print("".join(f"{where}: {part}\n" for where, part in missing[room]), end="")
    if args.write:
        allowed = {room: min(len(missing[room]), allowed.get(room, len(missing[room]))) for room in sorted(counts)}
        write_numbers(numbers, allowed)
    print("".join(f"{room}: {len(missing[room])} of {counts[room]} without a test\n" for room in sorted(counts)), end="")
    found = list(faults(missing, counts, allowed))
    print("\n".join(found) if found else f"{sum(map(len, missing.values()))} of {sum(counts.values())} without a test: as allowed")
    sys.exit(1 if found or not counts else 0)


if __name__ == "__main__":
    main()
