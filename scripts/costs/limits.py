"""The limits of the costs, which are the table in docs/results/cost.md: reads, compares and writes it."""
import datetime
import math

# How far a count may exceed the table: a part of the count, or a number if that is more. Other counts are exact.
MARGINS = {"system calls": (0.05, 5), "threads": (0, 1), "socket bytes": (0.05, 100), "written bytes": (0.1, 4096),
           "wake-ups": (0.25, 60)}
# A measured count below this part of the table is reported, so that the limit is lowered.
LOOSE = 1 / 1.2


def allowed(kind, count):
    """Returns the highest count that is allowed if the table has `count`."""
    part, number = MARGINS.get(kind, (0, 0))
    return count + max(number, math.ceil(count * part))


def exceeded(table, measured):
    """Yields the operation and a sentence for each count above its limit."""
    for name, counts in measured.items():
        if name not in table:
            yield name, f"{name}: has no limits; 'scripts/cost --write' adds the limits"
            continue
        for kind, count in counts.items():
            limit = allowed(kind, table[name].get(kind, 0))
            if count > limit:
                yield name, f"{name}: {count:,} {kind}; at most {limit:,} are allowed"


def loose(table, measured):
    """Yields a sentence for each limit that is more than 20 % above the measured count."""
    for name, counts in measured.items():
        for kind, count in counts.items():
            known = table.get(name, {}).get(kind, 0)
            if count < known * LOOSE and allowed(kind, count) < known:
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

    margins = ", ".join(f"{kind} ({margin(*MARGINS[kind])})" for kind in kinds if kind in MARGINS)
    rows = [row([name, *(f"{counts[kind]:,}" if counts.get(kind) else "" for kind in kinds)]) for name, counts in table.items()]
    return "\n".join([
        "# Cost of operations", "",
        "`scripts/cost --write` measures the operations and writes this page. `scripts/cost` fails if an",
        "operation costs more, and `scripts/cost --help` explains the counts",
        "([docs/benchmarks.md](../benchmarks.md#cost)). Counts are exact, except these, which have a margin:",
        f"{margins}.", "",
        f"Last written at commit `{commit}`, {datetime.date.today()}.", "",
        row(["Operation", *kinds]), "|---|" + "---:|" * len(kinds), *rows, ""])


def margin(part, number):
    return " or ".join(filter(None, [f"{part:.0%}" if part else "", f"{number:,}" if number else ""]))
