"""The limits of the costs, which are the table in docs/results/cost.md: reads, compares and writes it."""
import datetime
import math
import re
import textwrap

# How far a count may exceed the table: a part of the count, rounded down, or a number if that is more. Other counts are exact.
MARGINS = {"system calls": (0.05, 5), "socket bytes": (0.05, 100), "written bytes": (0.1, 4096), "threads": (0, 1),
           "wake-ups": (0.25, 60), "instructions": (0.1, 0)}
# The margins of operations that last long enough for polls, for the renewal of caches and for other orders of processes.
# Another connection to SQLite costs 12 look-ups and 2 opens; how many are opened depends on how many threads read at once.
VARYING = re.compile(r"start of |import of |print |load of |a page image|Get-Jobs of 5,000|20 s ")
VARYING_MARGINS = MARGINS | {
    "system calls": (0.25, 0), "look-ups": (0.2, 24), "opens": (0.2, 6), "folders": (0.5, 5), "statements": (0.2, 0),
    "round trips": (0.5, 0), "requests": (0.5, 0), "socket bytes": (0.5, 0), "threads": (0.1, 2), "fsyncs": (0.05, 0)}
# A measured count below this part of the table is reported, so that the limit is lowered.
LOOSE = 1 / 1.2


def allowed(name, kind, count):
    """Returns the highest count of an operation that is allowed if the table has `count`."""
    part, number = (VARYING_MARGINS if VARYING.match(name) else MARGINS).get(kind, (0, 0))
    return count + max(number, math.floor(count * part))


def exceeded(table, measured):
    """Yields the operation and a sentence for each count above its limit."""
    for name, counts in measured.items():
        if name not in table:
            yield name, f"{name}: has no limits; 'scripts/cost --write' adds the limits"
            continue
        for kind, count in counts.items():
            limit = allowed(name, kind, table[name].get(kind, 0))
            if count > limit:
                yield name, f"{name}: {count:,} {kind}; at most {limit:,} are allowed"


def loose(table, measured):
    """Yields a sentence for each limit that is more than 20 % above the measured count."""
    for name, counts in measured.items():
        for kind, count in counts.items():
            known = table.get(name, {}).get(kind, 0)
            if count < known * LOOSE and allowed(name, kind, count) < known:
                yield f"{name}: {count:,} {kind}; the table has {known:,}"


def read(text):
    """Returns the table of a page: operation → kind → count."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    if not rows:
        return {}
    return {row[0]: {kind: int(cell.replace(",", "") or 0) for kind, cell in zip(rows[0][1:], row[1:])} for row in rows[2:]}


def page(table, kinds, commit):
    """Returns the page with a table. Cells of counts that are zero, or not measured, are empty."""
    def row(cells):
        return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"

    rows = [row([name, *(f"{counts[kind]:,}" if counts.get(kind) else "" for kind in kinds)]) for name, counts in table.items()]
    text = ("`scripts/cost --write` measures the operations and writes this page. `scripts/cost` fails if an operation "
            "costs more, and `scripts/cost --help` explains the counts ([docs/benchmarks.md](../benchmarks.md#cost)). Counts "
            f"are exact, except these, which have a margin: {margins(MARGINS)}. Margins of operations that last longer: "
            f"{margins(dict(VARYING_MARGINS.items() - MARGINS.items()))}.")
    return "\n".join([
        "# Cost of operations", "", *textwrap.wrap(text, 100, break_on_hyphens=False), "",
        f"Last written at commit `{commit}`, {datetime.date.today()}.", "",
        row(["Operation", *kinds]), "|---|" + "---:|" * len(kinds), *rows, ""])


def margins(known):
    """Returns margins as text."""
    return ", ".join(
        f"{kind} ({' or '.join(filter(None, [f'{part:.0%}' if part else '', f'{number:,}' if number else '']))})"
        for kind, (part, number) in sorted(known.items()))
