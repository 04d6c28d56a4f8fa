"""Checks the sources of the Print Center's web pages: width of lines, imports, cycles, and the texts."""

import json
import os
import re

from texts import ROOT

FOLDER = ROOT / "Sources/Center/PrintCenter/Web"
WIDTH = 120
# Prefixes of texts whose names end with a keyword of the service.
SERVICE = (
    "cause.", "compare.cause-", "condition.", "error.", "option.", "printers.clear.", "simulator.check.",
    "simulator.name.", "supply.", "timeline.", "value.")
# The languages, each with a file of all texts.
LANGUAGES = ("en", "ja")
_COMMENT = re.compile(r"/\*.*?\*/|(?<!\S)//[^\n]*", re.DOTALL)
_STATIC = re.compile(r'^(?:import|export) (?:\{([^}]*)\} from )?"([^"]+)"$', re.MULTILINE)
_FILE = re.compile(r'import\.meta\.resolve\("([^"]+)"\)')
_DYNAMIC = re.compile(r'import\("([^"]+)"\)')
_EXPORT = re.compile(r"^export (?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
# A string of one line, or the beginning of a template.
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`([\w.-]+)\$\{')
# The first argument of `t` or `has`, and the names of texts in it.
_TEXT = re.compile(r"\b(?:t|has)\(([^(){},]*)")
_NAME = re.compile(r'(?:^|[?:] )"([^"]+)"(?! \+)')
_PARAMETER = re.compile(r"\{([\w-]+)\}")


def problems():
    """Returns a sentence for each problem."""
    modules = {path: _COMMENT.sub("", path.read_text()) for path in sorted(FOLDER.rglob("*.js"))}
    loads = {path: {target(path, name) for pattern in (_STATIC, _FILE) for name in names(pattern, code)}
             for path, code in modules.items()}
    for path, problem in [*wide_lines(), *imports(modules, loads), *texts(modules)]:
        yield f"{path.relative_to(FOLDER.parent)}{problem}"


def names(pattern, code):
    """Returns the addresses that a pattern finds."""
    return [match[match.re.groups] for match in pattern.finditer(code)]


def target(path, address):
    return FOLDER / os.path.relpath(path.parent / address, FOLDER)


def wide_lines():
    for path in sorted(FOLDER.rglob("*.*")):
        for number, line in enumerate(path.read_text().splitlines() if path.suffix != ".json" else [], 1):
            if len(line) > WIDTH:
                yield path, f":{number}: {len(line)} characters, more than {WIDTH}"


def imports(modules, loads):
    uses = {path: {*loads[path], *(target(path, name) for name in names(_DYNAMIC, code))}
            for path, code in modules.items()}
    for path, code in modules.items():
        rest = _STATIC.sub("", code)
        for match in _STATIC.finditer(code):
            used = target(path, match[2])
            for name, local in re.findall(r"(\w+)(?: as (\w+))?", match[1] or ""):
                if name not in _EXPORT.findall(modules.get(used, "")):
                    yield path, f": {used.relative_to(FOLDER)} does not export {name}"
                if not re.search(rf"\b{local or name}\b", rest):
                    yield path, f": the import {local or name} is not used"
        for name in _EXPORT.findall(code):
            # The router calls the functions of a view.
            if name not in ("mount", "update", "unmount") and not any(
                    re.search(rf"\b{name}\b", other) for user, other in modules.items() if user != path):
                yield path, f": no other module uses {name}"
        for used in sorted(uses[path]):
            if not used.exists():
                yield path, f": {used.relative_to(FOLDER)} does not exist"
        if path in reached(uses, path):
            yield path, ": the module imports itself through other modules"


def reached(uses, path):
    """Returns the files that a file uses, directly or through other files."""
    found, rest = set(), [path]
    while rest:
        for used in uses.get(rest.pop(), ()):
            if used not in found:
                found.add(used)
                rest.append(used)
    return found


def texts(modules):
    """Compares the texts of the languages with each other, and with the keys in the modules and in the server."""
    server = [path.read_text() for path in sorted(FOLDER.parent.glob("*.swift"))]
    strings = {text or prefix for code in (*modules.values(), *server) for text, prefix in _STRING.findall(code)}
    files = {language: FOLDER / f"words/{language}.json" for language in LANGUAGES}
    tables = {language: json.loads(path.read_text()) for language, path in files.items()}
    english = tables["en"]
    for key in english:
        if not is_used(key, strings):
            yield files["en"], f": no module uses the text '{key}'"
    for language, table in tables.items():
        for key in sorted(set().union(*tables.values())):
            if not table.get(key):
                yield files[language], f": the text '{key}' is missing"
            elif not set(_PARAMETER.findall(table[key])) <= set(_PARAMETER.findall(english.get(key, ""))):
                yield files[language], f": the text '{key}' has other parameters than the English text"
    for path, code in modules.items():
        for key in (key for argument in _TEXT.findall(code) for key in _NAME.findall(argument)):
            if key not in english:
                yield path, f": there is no text '{key}'"


def is_used(key, strings):
    """Returns whether a string is the key, or two strings are its parts, such as `"state." + "held"`."""
    return key in strings or any(
        key[:end] in strings and (key[end:] in strings or key[:end] in SERVICE) for end in range(1, len(key)))
