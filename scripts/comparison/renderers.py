"""The three renderers: printq's worker, PDFium and MuPDF. Each turns pages of a document into image files."""
import dataclasses
import json
import os
import re
import sys

from . import layouts
from .processes import Run

PDFIUM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pdfium_pages.py")


@dataclasses.dataclass
class Page:
    """A page to draw: its size in points, its resolution, and its size in pixels."""
    number: int
    width: float
    height: float
    dpi: int
    columns: int
    rows: int


@dataclasses.dataclass
class Drawn:
    """The result of a renderer: image paths by page number, the reason for each page without an image, and notices."""
    images: dict = dataclasses.field(default_factory=dict)
    failures: dict = dataclasses.field(default_factory=dict)
    failure: str = ""
    code: str = ""
    notices: list = dataclasses.field(default_factory=list)

    def reason(self, number):
        """Returns the reason why a page has no image."""
        return self.failures.get(number) or self.failure or "no image"


def user_units(document, seconds):
    """Returns the user space units that are not 1, by page number; PDFium ignores user space units."""
    text = Run(["mutool", "pages", document], seconds).output
    units = {}
    for part in text.split("<page pagenum=")[1:]:
        number = re.match(r'"(\d+)"', part)
        unit = re.search(r'<UserUnit v="([0-9.]+)"', part)
        if number and unit and float(unit[1]) > 0:
            units[number[1]] = float(unit[1])
    return units


def pdfium(document, folder, arguments):
    """Draws pages with PDFium; returns the number of pages, the chosen pages and the images."""
    order = {"document": document, "password": None, "output": folder, "pages": arguments.pages, "dpi": arguments.dpi,
             "pixels": arguments.pixels, "units": user_units(document, arguments.time)}
    run = Run([sys.executable, "-B", PDFIUM], arguments.time, json.dumps(order))
    count, pages, drawn = 0, [], Drawn(failure=run.failure)
    for line in run.output.splitlines():
        answer = json.loads(line)
        if "page" not in answer:
            count, drawn.failure = answer.get("count", 0), answer.get("error", "") or run.failure
        elif "error" in answer:
            drawn.failures[answer["page"]] = answer["error"]
        else:
            drawn.images[answer["page"]] = answer["image"]
            pages.append(Page(answer["page"], *(answer[key] for key in ("width", "height", "dpi", "columns", "rows"))))
    return count, pages, drawn


def mupdf(document, folder, pages, seconds):
    """Draws pages with mutool, each with the required number of pixels."""
    drawn = Drawn()
    sizes = {}
    for page in pages:
        sizes.setdefault((page.columns, page.rows), []).append(page.number)
    for (columns, rows), numbers in sizes.items():
        run = Run(["mutool", "draw", "-q", "-i", "-f", "-w", str(columns), "-h", str(rows), "-c", "rgb",
                   "-o", os.path.join(folder, "mupdf-%d.ppm"), document, ",".join(map(str, numbers))], seconds)
        for number in numbers:
            path = os.path.join(folder, f"mupdf-{number}.ppm")
            if os.path.exists(path):
                drawn.images[number] = path
            else:
                drawn.failures[number] = run.failure or run.complaints
    return drawn


def printq(document, name, folder, pages, layout, programs, seconds):
    """Imposes and draws pages with printq's worker, on the sheets of a layout; cuts the pages out of the sheets."""
    drawn = Drawn()
    groups = layouts.groups(pages)
    order = {"document": document, "name": name, "output": folder,
             "worker": os.path.join(programs, "print-worker"),
             "groups": [layouts.order(layout, group) for group in groups]}
    # The worker has separate limits. An exceeded time limit at this point is the limit of this tool.
    run = Run([os.path.join(programs, "page-images")], seconds, json.dumps(order), limited=False)
    outcomes = [json.loads(line) for line in run.output.splitlines() if line.startswith("{")]
    for index, group in enumerate(groups):
        outcome = outcomes[index] if index < len(outcomes) else {
            "images": [], "notices": [], "code": "timeExceeded" if run.is_late else "failed",
            "message": run.failure or run.output[-300:]}
        drawn.notices += [notice for notice in outcome["notices"] if notice not in drawn.notices]
        if outcome.get("code"):
            drawn.code, reason = outcome["code"], f"{outcome['code']}: {outcome['message']}"
            if outcome.get("detail"):
                reason += f" ({outcome['detail']})"
            drawn.failures.update({page.number: reason for page in group})
            continue
        drawn.images.update(layouts.cut(layout, group, outcome["images"], folder))
    return drawn
