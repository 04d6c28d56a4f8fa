"""Finds doc comments of the libraries that say only what the declaration and its type say."""

import re

from texts import ROOT

FOLDERS = ("Sources/PrintKit", "Sources/Simulator/PrintTesting")
# Declarations that UIKit's documentation explains.
EXCEPT = "Sources/PrintKit/PrintKitUIKitNames"
_PUBLIC = re.compile(r"\b(?:public|open|case)\b")
_REQUIREMENT = re.compile(r"^(?:func|var|init) ")
_TYPE = re.compile(r"^(?:[a-z]\w* |@\w+(?:\([^)]*\))? )*(struct|class|enum|protocol|extension|actor) ([\w.]+)")
# Words that carry no meaning of their own in a doc comment.
_EMPTY = set("a an the of for to in on as is are be by with and or its it this that at from whether returns creates "
             "value values given".split())


def problems():
    """Returns a sentence for each doc comment without a word that the declaration or its type does not have."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.swift")):
            if path.is_relative_to(ROOT / EXCEPT):
                continue
            for line, comment in empty_comments(path.read_text()):
                yield (f"{path.relative_to(ROOT)}:{line}: the comment '{comment}' repeats its declaration; say units, "
                       "special values, errors, the default or the reason")


def empty_comments(source):
    """Returns the lines and the texts of the doc comments that repeat their declarations."""
    comment, start, type, is_protocol = [], 0, set(), False
    for number, line in enumerate(source.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("///"):
            start = start if comment else number
            comment.append(stripped[3:].strip())
        elif comment and stripped.startswith("@") and " " not in stripped:
            continue
        else:
            found = _TYPE.match(line)
            if found:
                type, is_protocol = stems(found.group(2)), found.group(1) == "protocol"
            if comment and (_PUBLIC.search(stripped) or is_protocol and _REQUIREMENT.match(stripped)):
                text = " ".join(comment)
                words = {stem(word) for word in re.findall(r"[A-Za-z]+", text) if word.lower() not in _EMPTY}
                if words and words <= stems(re.split(r"[{=]", stripped)[0]) | type:
                    yield start, text
            comment = []


def stems(name):
    """Returns the words of a declaration: `pageCount: Int` has page, count and int."""
    return {stem(word) for word in re.findall(r"[a-z]+|[A-Z][a-z]*|[A-Z]+(?![a-z])", name)}


def stem(word):
    word = word.lower()
    for end in ("ies", "es", "s", "ed", "ing"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[:-len(end)]
    return word
