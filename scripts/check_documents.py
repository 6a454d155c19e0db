"""Proves that the documents can be read: run by ctest as `documents`.

    python3 scripts/check_documents.py [ROOT]

Of README.md and docs/:

- No line is longer than 100 columns, but for rows of tables, lines of fenced blocks, and a line that has no blank.
- A paragraph (an entry of a list is one) has at most 80 words, a sentence at most 35. A name in backticks is one word.
- A page of docs/internals has the heads Data, Flow, What can go wrong, and Start reading at, in this order.
- docs/architecture.md has at most 1,500 words.
- Every file and folder of the repository that is named in backticks exists. `parse_*.c` stands for at least one;
  `<name>`, `NAME` and `...` stand for any. A name without a folder is looked for in pages of docs/internals alone:
  elsewhere it may be a user's.
- A link leads to a file that exists, and to a heading that it has. Every page of docs/ is reached from docs/README.md.

docs/changelog.md may have longer paragraphs and sentences, and files that are gone, since it tells what was. Prints
each fault; exit 1 if there is one.
"""
import os
import re
import sys
from fnmatch import fnmatch
from pathlib import Path

COLUMNS, PARAGRAPH, SENTENCE, ARCHITECTURE = 100, 80, 35, 1500
HEADS = ["Data", "Flow", "What can go wrong", "Start reading at"]
HISTORY = "docs/changelog.md"
NOT_OURS = {".git", ".venv", "build"}
FENCE = re.compile(r"^ *```")
ENTRY = re.compile(r"^ *(?:[-*]|\d+\.) +")
LINK = re.compile(r"!?\[([^\]]*)\]\(([^)\s]+)\)", re.S)
CODE = re.compile(r"`+([^`]+)`+")
SOURCE = re.compile(r"^[\w*.-]+\.(?:c|h|l|y|inc|py|sh|yaml|rules|cmake)$")
PLACEHOLDER = re.compile(r"[<>{}$]|\.\.\.|\b[A-Z]{2,}\b|_[A-Z]{2,}|[A-Z]{2,}_")


def prose_of(text):
    """[(line number, paragraph)]: without fenced and indented blocks, tables, headings and comments."""
    result, paragraph, fenced = [], None, False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            fenced, paragraph = not fenced, None
        elif fenced or not line.strip() or line.startswith(("#", "|", "<!--")):
            paragraph = None
        elif ENTRY.match(line) or (paragraph is None and not line.startswith("    ")):
            paragraph = [number, ENTRY.sub("", line).strip()]
            result.append(paragraph)
        elif paragraph is not None:
            paragraph[1] += " " + line.strip()
    return result


def words_of(paragraph):
    plain = CODE.sub("code", LINK.sub(r"\1", paragraph))
    return [word for word in plain.split() if re.search(r"\w", word)]


def sentences_of(paragraph):
    plain = CODE.sub("code", LINK.sub(r"\1", paragraph))
    return re.split(r"(?<=[.!?])[)*_]* +(?=\W*[A-Z0-9a-z])", plain)


def slug(heading):
    plain = re.sub(r"[`*]", "", LINK.sub(r"\1", heading)).strip().lower()
    return re.sub(r"[^\w -]", "", plain).replace(" ", "-")


def headings_of(text):
    outside = re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S)
    return re.findall(r"^#+ +(.*)$", outside, re.M)


class Checker:
    def __init__(self, root):
        self.root = root
        tops = [top for top in root.iterdir() if top.name not in NOT_OURS]
        self.files = {p.relative_to(root).as_posix() for top in tops for p in [top, *top.rglob("*")] if p.is_file()}
        self.folders = {parent.as_posix() for f in self.files for parent in Path(f).parents}
        self.names = {Path(f).name for f in self.files}
        self.pages = ["README.md", *sorted(f for f in self.files if f.startswith("docs/") and f.endswith(".md"))]
        self.texts = {page: (root / page).read_text() for page in self.pages}
        self.faults = []

    def fault(self, page, number, what):
        self.faults.append(f"{page}:{number}: {what}")

    def exists(self, name):
        name = name.rstrip("/")
        if "*" in name:
            return any(fnmatch(f, name) for f in self.files | self.folders)
        return name in self.files or name in self.folders

    def check_name(self, page, number, name):
        """A name in backticks, if it is a path from the top, a header as it is included, or (of internals) a source file."""
        if PLACEHOLDER.search(name) or " " in name:
            return
        top = name.split("/")[0]
        if "/" not in name:
            if page.startswith("docs/internals/") and SOURCE.match(name) and not any(fnmatch(n, name) for n in self.names):
                self.fault(page, number, f"no file of the name {name}")
        elif top == "mlc" and name.endswith(".h"):
            generated = self.exists("lib/dialects/" + Path(name).stem) and name.startswith("mlc/dialects/")
            if not generated and not self.exists("include/" + name):
                self.fault(page, number, f"no file include/{name}")
        elif top in self.folders and not self.exists(name):
            self.fault(page, number, f"no file or folder {name}")

    def check_link(self, page, number, target):
        """The file that it leads to, if it is one of ours."""
        if re.match(r"\w+:", target):
            return None
        path, _, anchor = target.partition("#")
        to = os.path.normpath((Path(page).parent / path).as_posix()) if path else page
        if not self.exists(to):
            self.fault(page, number, f"the link leads nowhere: {target}")
        elif anchor and anchor not in map(slug, headings_of(self.texts.get(to, ""))):
            self.fault(page, number, f"{to} has no heading #{anchor}")
        return to

    def check_lines(self, page, text):
        fenced = False
        for number, line in enumerate(text.splitlines(), 1):
            fenced ^= bool(FENCE.match(line))
            breakable = " " in ENTRY.sub("", line).strip()
            if len(line) > COLUMNS and not fenced and not line.startswith("|") and breakable:
                self.fault(page, number, f"{len(line)} columns, of {COLUMNS}")

    def check_prose(self, page, text):
        for number, paragraph in prose_of(text):
            count = len(words_of(paragraph))
            if count > PARAGRAPH:
                self.fault(page, number, f"a paragraph of {count} words")
            for sentence in sentences_of(paragraph):
                count = len(words_of(sentence))
                if count > SENTENCE:
                    self.fault(page, number, f"a sentence of {count} words: {sentence[:60]}...")

    def check_page(self, page):
        """The pages that it leads to."""
        text = self.texts[page]
        self.check_lines(page, text)
        if page != HISTORY:
            self.check_prose(page, text)
        if page.startswith("docs/internals/"):
            heads = re.findall(r"^## +(.*)$", text, re.M)
            if [head for head in heads if head in HEADS] != HEADS:
                self.fault(page, 1, f"the heads are not {', '.join(HEADS)}")
        if page == "docs/architecture.md":
            count = len(words_of(re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S)))
            if count > ARCHITECTURE:
                self.fault(page, 1, f"{count} words, of {ARCHITECTURE}")
        fenced, targets = False, set()
        for number, line in enumerate(text.splitlines(), 1):
            fenced ^= bool(FENCE.match(line))
            if fenced:
                continue
            targets |= {self.check_link(page, number, target) for _, target in LINK.findall(re.sub(CODE, "", line))}
            if page != HISTORY:
                for name in CODE.findall(LINK.sub(r"\1", line)):
                    self.check_name(page, number, name)
        return targets & set(self.pages)

    def run(self):
        leads = {page: self.check_page(page) for page in self.pages}
        reached, waiting = set(), ["docs/README.md"]
        while waiting:
            page = waiting.pop()
            if page not in reached:
                reached.add(page)
                waiting += leads.get(page, ())
        for page in self.pages:
            if page.startswith("docs/") and page not in reached:
                self.fault(page, 1, "no way leads here from docs/README.md")
        return self.faults


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    checker = Checker(root)
    faults = checker.run()
    print("\n".join(faults))
    print(f"{len(checker.pages)} pages, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
