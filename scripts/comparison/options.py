"""The command line of scripts/compare-pages."""
import argparse
import os

DESCRIPTION = """\
Compares printq's page images with those of two independent renderers, PDFium and MuPDF.

Each PDF is processed as in a job: print-worker imposes the pages and draws the sheets, in its sandbox and with its limits.
The sheets have the size of the pages, so that the images coincide. The report lists the pages on which PDFium and MuPDF
agree with each other and differ from printq, and the documents that both can draw and printq refuses."""

EPILOG = """\
verdicts:
  differs   PDFium and MuPDF agree (--agree), and printq differs from both (--differs)
  suspect   printq differs in a part of the page: more than --suspect percent of the pixels match only in PDFium and MuPDF
  refused   PDFium and MuPDF draw the page, printq does not
  unsure    PDFium and MuPDF differ from each other
  alone     PDFium, MuPDF or both do not draw the page
  alike     all other pages

layouts (--layout):
  exact     the sheet has the page's size, and the page stays where it is
  moved     the page is placed within a larger sheet
  scaled    the page is printed at 75 %
  turned    the page is printed on a sheet that is turned by 90°
  two-up    two pages share a sheet

The output folder has report.html (images side by side), report.json and the results for each document. Unchanged
documents are not drawn again. Exit status: 0 if the file of --reviewed contains every listed page, otherwise 1.

examples:
  scripts/compare-pages ~/pdfs
  scripts/compare-pages --layout moved --layout two-up --pages 3 --debug document.pdf
  scripts/compare-pages --reviewed list.txt --output /tmp/comparison ~/pdfs"""


def parse():
    """Reads the command line; prints help and errors as argparse does."""
    parser = argparse.ArgumentParser(
        prog="compare-pages", description=DESCRIPTION, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", metavar="FILE|FOLDER", help="the PDFs, or folders of PDFs")
    parser.add_argument("--setup", action="store_true", help="install the required packages, including mutool")
    parser.add_argument("--output", metavar="FOLDER", help="the folder for results (default: compare-pages in $TMPDIR)")
    parser.add_argument("--again", action="store_true", help="draw documents again that have results")
    parser.add_argument("--layout", action="append", choices=["exact", "moved", "scaled", "turned", "two-up"],
                        help="the placement of pages on sheets; repeatable (default: exact)")
    parser.add_argument("--pages", type=_count, default=10, metavar="N",
                        help="at most N pages of a document, evenly distributed (default: 10)")
    parser.add_argument("--dpi", type=_count, default=100, help="the resolution of page images (default: 100)")
    parser.add_argument("--pixels", type=_count, default=2_000_000, metavar="N",
                        help="at most N pixels per page; larger pages get a lower resolution (default: 2000000)")
    parser.add_argument("--agree", type=float, default=0.4, metavar="PERCENT",
                        help="the most pixels that differ between renderers that agree (default: 0.4)")
    parser.add_argument("--differs", type=float, default=2.0, metavar="PERCENT",
                        help="the fewest pixels that differ on a listed page (default: 2)")
    parser.add_argument("--suspect", type=float, default=0.5, metavar="PERCENT",
                        help="the fewest pixels on which both others agree against printq (default: 0.5)")
    parser.add_argument("--tolerance", type=_count, default=36, metavar="LEVELS",
                        help="the largest allowed difference of a color, of 255 levels (default: 36)")
    parser.add_argument("--time", type=_count, default=180, metavar="SECONDS",
                        help="the time limit of a renderer for one document (default: 180)")
    parser.add_argument("--jobs", type=_count, default=os.cpu_count() or 2, metavar="N",
                        help="the number of documents drawn at a time (default: the number of processors)")
    parser.add_argument("--images", type=_count, default=300, metavar="N",
                        help="at most N pages with images in the report (default: 300)")
    parser.add_argument("--reviewed", metavar="FILE",
                        help="a list of pages that a person has reviewed: file, pages (or *) and cause, separated by tabs")
    parser.add_argument("--programs", metavar="FOLDER",
                        help="the folder of built programs (default: the release build, which is built if it is missing)")
    parser.add_argument("--debug", action="store_true", help="use the debug build instead of the release build")
    parser.add_argument("--json", action="store_true", help="print the report as JSON instead of a table")
    parser.add_argument("--table", metavar="FILE", help="write a table of the collections as Markdown")
    parser.add_argument("--verbose", action="store_true", help="print every page, not only the listed pages")
    arguments = parser.parse_args()
    if not arguments.sources and not arguments.setup:
        parser.error("specify a PDF or a folder of PDFs")
    arguments.layout = list(dict.fromkeys(arguments.layout or ["exact"]))
    return arguments


def _count(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("expected a number of at least 1")
    return value
