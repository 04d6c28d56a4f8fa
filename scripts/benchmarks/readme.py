"""The figures in README.md, which come from docs/results/benchmarks.md.

A comment in README.md names the measurements, and the table after it has their last results:

    <!-- figures: MEASUREMENT; MEASUREMENT -->

Started as a program, checks the table: it must have the last results, and no result may be much older than the sources.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
README, RESULTS = os.path.join(ROOT, "README.md"), os.path.join(ROOT, "docs", "results", "benchmarks.md")
# The number of commits after which a figure is measured again.
OLD = 300
_BLOCK = re.compile(r"(<!-- figures: ([^>]*?) -->\n)((?:\|.*\n)*)")
_SECTION = re.compile(r"^## (.+)\n\n.*?`(?:[^`]*\W)?([0-9a-f]{7,40})\b[^`]*`, (\d{4}-\d\d-\d\d)", re.MULTILINE)


def results(text):
    """Returns for each measurement of a page: its result, the commit, the date, and the name of the benchmark."""
    found = {}
    for section in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        if head := _SECTION.match(section):
            for line in section.splitlines():
                cells = [cell.strip() for cell in line.strip("|").split("|")]
                if line.startswith("| ") and cells[0] != "Measurement":
                    found[cells[0]] = (cells[1], head[2], head[3], head[1])
    return found


def names(text):
    """Returns the measurements that are in the tables of a page."""
    return [name.strip() for block in _BLOCK.finditer(text) for name in block[2].split(";")]


def renewed(text, known):
    """Returns a page with the last results in its tables."""
    def table(block):
        rows = [(name, known.get(name)) for name in map(str.strip, block[2].split(";"))]
        return block[1] + "| Measurement | Result | Measured |\n|---|---|---|\n" + "".join(
            f"| {name} | {row[0]} | `{row[1]}`, {row[2]} |\n" for name, row in rows if row)
    return _BLOCK.sub(table, text)


def problems(text, known, age):
    """Yields a sentence for each figure of a page that is missing, not the last one, or old.

    `age` returns the number of commits between a commit and the last change of the sources.
    """
    for name in names(text):
        if name not in known:
            yield f"docs/results/benchmarks.md has no measurement '{name}'; scripts/bench --write adds measurements"
            continue
        result, commit, _, benchmark = known[name]
        commits = age(commit)
        if commits > OLD:
            yield (f"the figure '{name}: {result}' is {commits} commits older than the sources, more than {OLD}; run "
                   f"'scripts/bench {benchmark} --write', or remove the figure from README.md")
    if renewed(text, known) != text:
        yield "README.md does not have the last figures of docs/results/benchmarks.md; run 'scripts/bench NAME --write'"


def age(commit):
    """Returns the number of commits between a commit and the last change of the sources; 0 in a shallow clone."""
    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], check=True, capture_output=True, text=True).stdout.strip()

    if git("rev-parse", "--is-shallow-repository") == "true":
        return 0
    return int(git("rev-list", "--count", f"{commit}..{git('log', '-1', '--format=%H', '--', 'Sources')}"))


def read(path):
    with open(path) as file:
        return file.read()


def renew():
    """Writes the last results into README.md."""
    text = read(README)
    found = renewed(text, results(read(RESULTS)))
    if found != text:
        with open(README, "w") as file:
            file.write(found)


if __name__ == "__main__":
    bad = list(problems(read(README), results(read(RESULTS)), age))
    for sentence in bad:
        print(f"check: {sentence}", file=sys.stderr)
    sys.exit(1 if bad else 0)
