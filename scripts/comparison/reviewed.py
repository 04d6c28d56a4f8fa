"""Pages that a person has reviewed: one line per entry, with file, pages and cause, separated by tabs."""
import sys


class Reviewed:
    """The reviewed pages of a file; empty without a file."""

    def __init__(self, path):
        self.entries = []
        if not path:
            return
        with open(path) as file:
            for number, line in enumerate(file, 1):
                line = line.rstrip("\n")
                if not line or line.startswith("#"):
                    continue
                fields = line.split("\t")
                if len(fields) != 3 or not all(fields):
                    sys.exit(f"compare-pages: line {number} of '{path}' does not have three fields separated by tabs: "
                             "file, pages (such as 1-3,7, or *), cause")
                self.entries.append({"file": fields[0], "pages": fields[1], "cause": fields[2], "used": False})

    def cause(self, file, page):
        """Returns the cause that a person found for a page; None if the page was not reviewed."""
        for entry in self.entries:
            if entry["file"] == file and _has(entry["pages"], page):
                entry["used"] = True
                return entry["cause"]
        return None

    def unused(self, files):
        """Returns the entries for some files whose pages are no longer listed."""
        return [entry for entry in self.entries if not entry["used"] and entry["file"] in files]


def _has(ranges, page):
    if ranges == "*":
        return True
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        if int(first) <= page <= int(last or first):
            return True
    return False
