"""Checks the items of the guides that PrintKit follows, and makes the page that lists them.

`docs/guide-items.json` has an object for each item: what the guide says in our words, a status, the symbol that does it,
and the test that proves it.
"""

import collections
import json
import re

from texts import ROOT

DATA = ROOT / "docs/guide-items.json"
PAGE = ROOT / "docs/guide-items.md"
# Status -> the members that an item with this status must have.
NEEDS = {
    "works": ("symbol", "test"), "differs": ("symbol", "test", "reason"), "partly": ("symbol", "reason"),
    "missing": ("reason",),
}
# The number of items that may be partly or missing.
MOST_UNFINISHED = 10
_SUITE = re.compile(r"\b(?:struct|class|actor|extension) (\w+Tests)\b")
_TEST = re.compile(r"\bfunc\s+`([^`]+)`")
_PYTHON_TEST = re.compile(r"^def (test_\w+)", re.MULTILINE)
_TYPE = re.compile(r"\b(?:struct|class|actor|enum|protocol|extension|typealias|associatedtype) (?:\w+\.)*(\w+)")
_MEMBER = re.compile(r"\b(?:func|var|let|case|struct|class|enum|typealias) `?(\w+)`?|\b(init|subscript)\b")
# Further names of a declaration of several constants or cases.
_NEXT_CASE = re.compile(r"^\s*(?:indirect )?case (.+)$", re.MULTILINE)


def problems(data=None, page=None, tests=None, symbols=None):
    """Returns a sentence for each item that is incomplete, or names a test or a symbol that does not exist."""
    data = read() if data is None else data
    tests = all_tests() if tests is None else tests
    symbols = all_symbols() if symbols is None else symbols
    found = []
    counts = collections.Counter()
    seen = set()
    for guide, chapter, item in items(data):
        where = f"docs/guide-items.json: '{item.get('item')}' ({guide}, {chapter})"
        status = item.get("status")
        counts[status] += 1
        if (chapter, item.get("item")) in seen:
            found.append(f"{where} is listed twice")
        seen.add((chapter, item.get("item")))
        if status not in NEEDS:
            found.append(f"{where} has the status '{status}'; write one of {', '.join(NEEDS)}")
            continue
        for member in NEEDS[status]:
            if not item.get(member):
                found.append(f"{where} has no {member}, which the status '{status}' requires")
        if item.get("test") and item["test"] not in tests:
            found.append(f"{where} names the test '{item['test']}', which is not in Tests; correct it, or write the test")
        if item.get("symbol") and not is_symbol(item["symbol"], symbols):
            found.append(f"{where} names the symbol '{item['symbol']}', which is not in the sources; correct it")
    unfinished = counts["partly"] + counts["missing"]
    if unfinished > MOST_UNFINISHED:
        found.append(f"docs/guide-items.json: {unfinished} items are partly or missing, more than {MOST_UNFINISHED}")
    if not found and (PAGE.read_text() if page is None and PAGE.exists() else page) != text(data):
        found.append("docs/guide-items.md is not the page of docs/guide-items.json; 'scripts/guide-items --write' writes it")
    return found


def read():
    return json.loads(DATA.read_text())


def items(data):
    for guide in data:
        for chapter in guide["chapters"]:
            for item in chapter["items"]:
                yield guide["guide"], chapter["chapter"], item


def all_tests():
    """Returns the tests as `SuiteTests: name` and `test_file.py: test_name`."""
    found = set()
    for path in (ROOT / "Tests").rglob("*.swift"):
        source = path.read_text()
        names = _TEST.findall(source)
        found.update(f"{suite}: {name}" for suite in _SUITE.findall(source) for name in names)
    for path in (ROOT / "Tests").rglob("test_*.py"):
        found.update(f"{path.name}: {name}" for name in _PYTHON_TEST.findall(path.read_text()))
    return found


def all_symbols():
    """Returns the members that are declared in the files that declare or extend a type, by the name of the type."""
    found = collections.defaultdict(set)
    for path in (ROOT / "Sources").rglob("*.swift"):
        source = re.sub(r"//.*", "", path.read_text())
        members = {name for match in _MEMBER.findall(source) for name in match if name}
        for line in _NEXT_CASE.findall(source):
            members.update(re.findall(r"\b(\w+)(?=\s*(?:,|\(|=|$))", line))
        for type in _TYPE.findall(source):
            found[type] |= members
    return found


def is_symbol(symbol, symbols):
    """Returns whether a symbol exists: `Type`, `Type.member`, a path, or `path:function`."""
    if "/" in symbol:
        path, _, function = symbol.partition(":")
        file = ROOT / path
        return file.exists() and (not function or re.search(rf"\bfunc {re.escape(function)}\b", file.read_text()) is not None)
    type, _, member = symbol.partition(".")
    return type in symbols and (not member or member in symbols[type])


def text(data):
    """Returns the page."""
    counts = collections.Counter((guide, item["status"]) for guide, _, item in items(data))
    columns = [status for status in NEEDS if any(counts[guide["guide"], status] for guide in data)]
    lines = [
        "# Items of the guides", "",
        "`scripts/guide-items --write` makes this page of [guide-items.json](guide-items.json).", "",
        "PrintKit and PrintGraphics follow two guides of iOS: *Drawing and Printing* (2011) and *Document Interaction*",
        "(2010). Each row is one statement of a guide in our words, the symbol that does it, and the test that proves it.",
        "`scripts/check` fails if a test or a symbol does not exist.", "",
        "Not listed, because they do not concern paper or documents: Core Animation, OpenGL ES, the drawing cycle of views",
        "on the screen, the icons of applications, image files for kinds of devices, and the photo album.", "",
        f"| Guide | Items | {' | '.join(columns)} |", f"|---|---{'|---' * len(columns)}|"]
    for guide in data:
        numbers = [counts[guide["guide"], status] for status in columns]
        lines.append(f"| {guide['guide']} | {sum(numbers)} | {' | '.join(map(str, numbers))} |")
    for guide in data:
        lines += ["", f"## {guide['guide']}"]
        for chapter in guide["chapters"]:
            lines += ["", f"### {chapter['chapter']}", "", "| Item | Status | Symbol | Test |", "|---|---|---|---|"]
            lines += [row(item) for item in chapter["items"]]
    return "\n".join(lines) + "\n"


def row(item):
    note = item.get("reason") or item.get("part", "")
    status = f"{item['status']}: {note}" if note else item["status"]
    symbol = f"`{item['symbol']}`" if item.get("symbol") else ""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in (
        item["item"], status, symbol, item.get("test", "").replace("`", ""))) + " |"
