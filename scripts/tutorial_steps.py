"""Makes the listings of the tutorial from the sources of its steps, and checks that both agree.

The body of the function `firstPage2` is the listing `first-page-2.swift`. The whole function is the listing if the
function returns a value.
"""

import re
import textwrap

from texts import ROOT

CATALOG = ROOT / "Sources/PrintKit/PrintKit/PrintKit.docc"
SOURCES = (ROOT / "Examples/Tutorial", ROOT / "Examples/PrintEndpoint/Sources/PrintEndpoint")
_STEP = re.compile(r"^(?:@MainActor )?func ([a-z]\w*?)(\d+)\(\)([^{\n]*)\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_IMPORT = re.compile(r"^import \w+$", re.MULTILINE)
_PICTURE = re.compile(r'\("([\w-]+)", \d+, \w+\)')


def listings():
    """Returns the listings by the names of their files."""
    found = {"packing-slip.swift": without_purpose((SOURCES[1] / "PackingSlip.swift").read_text())}
    for folder in SOURCES:
        for path in sorted(folder.glob("*.swift")):
            source = path.read_text()
            imports = "\n".join(_IMPORT.findall(source))
            for name, number, result, body in _STEP.findall(source):
                words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
                code = f"func routes(){result}{{\n{body}}}\n" if "->" in result else textwrap.dedent(body)
                found[f"{words}-{number}.swift"] = f"{imports}\n\n{code}"
    return found


def without_purpose(source):
    """Returns a source without the line that says the purpose of the file."""
    return source.split("\n\n", 1)[1]


def pictures():
    """Returns the names of the pictures that the program Tutorial draws."""
    return {f"{name}.png" for name in _PICTURE.findall((SOURCES[0] / "Tutorial.swift").read_text())}


def problems(pages=None, made=None):
    """Returns a sentence for each listing or picture that a page names and that no step makes, or that no page names.

    A tutorial that the list of tutorials omits is a problem too.
    """
    made = listings().keys() | pictures() if made is None else made
    if pages is None:
        pages = {path.name: path.read_text() for path in sorted((CATALOG / "Tutorials").glob("*.tutorial"))}
    found = []
    used = set()
    for page, text in pages.items():
        names = set(re.findall(r"@(?:Code|Image)\([^)]*?(?:file|source): ([\w.-]+)", text))
        used |= names
        for name in sorted(names - made):
            found.append(f"{page}: no step makes '{name}'; add the step to Examples/Tutorial, or correct the name")
    for name in sorted(made - used):
        found.append(f"no page of the tutorial shows '{name}'; add it to a page, or remove the step")
    listed = set(re.findall(r'tutorial: "doc:(\w+)"', pages.get("Tutorials.tutorial", "")))
    for page in sorted({page.removesuffix(".tutorial") for page in pages} - {"Tutorials"} ^ listed):
        found.append(f"Tutorials.tutorial and the pages do not agree about '{page}'")
    return found
