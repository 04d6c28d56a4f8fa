"""Finds the texts that people read in the package: comments, messages, test names, Markdown and scripts."""

import pathlib
import re
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE_FOLDERS = ("Sources", "Tests", "Tools", "Examples")
DOC_COMMENT, COMMENT, MESSAGE, TEST_NAME, PROSE = "doc comment", "comment", "message", "test name", "Markdown"

# A string literal of one line, including its interpolations.
_STRING = re.compile(r'"((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\)|\\.)*)"')
_TEST = re.compile(r"func `([^`]+)`")
# At least three words in a row, unlike names and formats.
_SENTENCE = re.compile(r"[A-Za-z']+[,:;]? [A-Za-z']+[,:;]? [A-Za-z']+")
# The start of an SQL statement or of a part of a statement.
_SQL = re.compile(r"\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|FROM|JOIN|WHERE|AND|ORDER|GROUP|PRAGMA) ")
# A comment of a script or a printer file on a separate line, or a docstring.
_SCRIPT_COMMENT = re.compile(r'^[ \t]*(?:#(?!!)|//) ?([^\n]+)$|^[ \t]*"""(.*?)"""', re.MULTILINE | re.DOTALL)


class Text(NamedTuple):
    path: str
    line: int
    kind: str
    text: str
    # The first line of the declaration that a doc comment describes, which readers of documentation see too.
    declaration: str = ""

    def __str__(self):
        declaration = f"  [{self.declaration}]" if self.declaration else ""
        return f"{self.path}:{self.line}: {self.text}{declaration}"


def all_texts():
    """Returns all texts of the package, in the order of the files."""
    for folder in SOURCE_FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.swift")):
            yield from swift_texts(path)
    for path in sorted([*(ROOT / "scripts").rglob("*"), *(ROOT / "Simulators").glob("*.json5"), ROOT / ".ci" / "run"]):
        if path.is_file() and path.suffix in ("", ".py", ".json5"):
            yield from script_texts(path)
    yield from markdown_texts()


def swift_texts(path):
    """Returns the comments, messages and test names of a Swift file.

    Adjacent lines of a comment are one text, and so are the parts of a message that `+` joins over several lines.
    """
    name = str(path.relative_to(ROOT))
    comment, start, kind = [], 0, None
    message, message_start = "", 0
    for number, line in enumerate(path.read_text().splitlines() + [""], 1):
        stripped = line.strip()
        line_kind = DOC_COMMENT if stripped.startswith("///") else COMMENT if stripped.startswith("//") else None
        if kind and line_kind != kind:
            declaration = stripped if kind == DOC_COMMENT else ""
            yield Text(name, start, kind, " ".join(comment), declaration)
            comment, kind = [], None
        if line_kind:
            if not kind:
                kind, start = line_kind, number
            comment.append(stripped.lstrip("/").strip())
            continue
        test = _TEST.search(stripped)
        if test:
            yield Text(name, number, TEST_NAME, test.group(1))
        elif name.startswith("Sources/"):
            literals = _STRING.findall(stripped)
            if message and not (stripped.startswith("+") and literals):
                if _SENTENCE.search(message) and not _SQL.match(message):
                    yield Text(name, message_start, MESSAGE, message)
                message = ""
            for literal in literals:
                if message and stripped.startswith("+") and literal is literals[0]:
                    message += literal
                    continue
                if message and _SENTENCE.search(message) and not _SQL.match(message):
                    yield Text(name, message_start, MESSAGE, message)
                message, message_start = literal, number


def script_texts(path):
    """Returns the comments and docstrings of a script, or the comments of a printer file."""
    name, text = str(path.relative_to(ROOT)), path.read_text()
    for match in _SCRIPT_COMMENT.finditer(text):
        comment = " ".join((match.group(1) or match.group(2)).split())
        if comment:
            yield Text(name, text.count("\n", 0, match.start()) + 1, COMMENT, comment)


def markdown_texts():
    """Returns the lines of all Markdown files and tutorials that are not code."""
    for path in sorted([*ROOT.rglob("*.md"), *ROOT.rglob("*.tutorial")]):
        if ".build" in path.parts:
            continue
        is_code = False
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.lstrip().startswith("```"):
                is_code = not is_code
            elif not is_code and line.strip():
                yield Text(str(path.relative_to(ROOT)), number, PROSE, line.strip())
