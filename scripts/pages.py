"""Checks the pages of the documentation: their length, the links between them, and the files that they name."""

import re
import subprocess

from texts import ROOT

# File -> the maximum number of lines, and what to do with the rest.
LINES = {
    "README.md": (110, "move details to a page in docs/, and link to the page"),
    "CHANGELOG.md": (60, "keep what a user gets; the log of git has the steps"),
}
WORDS = 30_000
# Pages that a script makes of data.
GENERATED = {"guide-items.md"}
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
_CODE = re.compile(r"^```.*?^```$|^ {4,}.*?$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"`([^`\s]+)`")
_TYPE = re.compile(r"([A-Z][A-Za-z]*[a-z][A-Z][A-Za-z]*)(?:[.(]\w*.*)?$")
_SOURCE = re.compile(r"(?:(?:Sources|Tests|Tools|Examples|Simulators|Spool|scripts|docs)/[\w+./-]+|[\w+./-]+\.(?:swift|c|py))")


def problems():
    """Returns a sentence for each page that is too long and each link without a target."""
    yield from too_long()
    yield from broken_links()
    yield from missing_files()


def too_long():
    for name, (limit, advice) in LINES.items():
        lines = len((ROOT / name).read_text().splitlines())
        if lines > limit:
            yield f"{name}: {lines} lines, more than {limit}; {advice}"
    words = {page.relative_to(ROOT): count(page.read_text()) for page in read_pages()}
    if sum(words.values()) > WORDS:
        longest = ", ".join(f"{page} {words[page]:,}" for page in sorted(words, key=words.get, reverse=True)[:5])
        yield (f"{sum(words.values()):,} words in README.md, ARCHITECTURE.md, CONTRIBUTING.md, docs/, "
               f"Simulators/README.md and Spool/README.md, more than {WORDS:,}; remove what another page, --help or a "
               f"comment has, and move measurements to docs/results/ (longest: {longest})")


def read_pages():
    """Returns the pages that people read; generated pages and pages with results of measurements do not count."""
    names = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "Simulators/README.md", "Spool/README.md"]
    return [*(ROOT / name for name in names),
            *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in GENERATED)]


def count(text):
    """Counts the words with a letter or a digit, also in code; the bars of tables are not words."""
    return sum(any(character.isalnum() for character in word) for word in text.split())


def broken_links():
    pages = [page for page in ROOT.rglob("*.md")
             if not any(part.startswith(".build") or part.endswith(".docc") for part in page.relative_to(ROOT).parts)]
    anchors = {}
    for page in sorted(pages):
        text = page.read_text()
        prose = _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code.group()), text)
        for link in _LINK.finditer(prose):
            target, _, anchor = link.group(1).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            where = f"{page.relative_to(ROOT)}:{prose.count(chr(10), 0, link.start()) + 1}"
            file = (page.parent / target).resolve() if target else page
            if not file.exists():
                yield f"{where}: no file '{target}'; correct the link, which is relative to the folder of the page"
            elif anchor and file.suffix == ".md":
                if file not in anchors:
                    anchors[file] = headings(file.read_text())
                if anchor not in anchors[file]:
                    yield (f"{where}: no heading '#{anchor}' in {file.relative_to(ROOT)}; correct the link, or restore "
                           "the heading")


def missing_files():
    """Yields the source files, folders and types that a page names, and that do not exist.

    A name without its folder must be the end of a path. Types are checked in the two maps of the sources.
    """
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    known = {f"/{file}" for file in files} | {f"/{file[:end.start()]}" for file in files for end in re.finditer("/", file)}
    ends = {path[slash.start():] for path in known for slash in re.finditer("/", path)}
    words = set(re.findall(r"\w+", " ".join(files)))
    for file in files:
        if file.endswith((".swift", ".html")) or file == "Package.swift":
            words.update(re.findall(r"\w+", (ROOT / file).read_text() if (ROOT / file).exists() else ""))
    for page in read_pages():
        for number, line in enumerate(page.read_text().splitlines(), 1):
            for name in _NAMED.findall(line):
                type = _TYPE.match(name) if page.name in ("ARCHITECTURE.md", "CONTRIBUTING.md") else None
                if (_SOURCE.fullmatch(name) and f"/{name.rstrip('/')}" not in ends) or (type and type.group(1) not in words):
                    yield f"{page.relative_to(ROOT)}:{number}: no file or type '{name}'; correct it, or remove the sentence"


def headings(text):
    """Returns the anchors that GitHub makes of the headings."""
    found = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", _FENCE.sub("", text), re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        base = anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while anchor in found:
            number += 1
            anchor = f"{base}-{number}"
        found.add(anchor)
    return found
