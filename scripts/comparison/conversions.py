"""What the comparisons of converted documents share: printq's answers, the list of exceptions, and the report."""
import collections
import concurrent.futures
import json
import os
import tempfile

from .processes import Run

BATCH = 20  # documents for one process
SECONDS = 120  # for one document


def add_options(parser):
    """Adds the options of all comparisons to a command line."""
    parser.add_argument("sources", nargs="+", metavar="FOLDER", help="folders of documents")
    parser.add_argument("--programs", metavar="FOLDER", help="the folder of built programs (default: the release build)")
    parser.add_argument("--debug", action="store_true", help="use the debug build instead of the release build")
    parser.add_argument("--exceptions", metavar="FILE", help="a list of documents and reasons, separated by tabs")
    parser.add_argument("--most", type=int, default=0, metavar="N",
                        help="at most N documents of each type, evenly distributed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, metavar="N",
                        help="how many batches are converted at a time (default: the number of processors)")
    parser.add_argument("--json", metavar="FILE", help="write the results of all documents as JSON")
    parser.add_argument("--table", metavar="FILE", help="write a table of the types as Markdown")


def find(sources, takes, most, by_folder=False):
    """Returns the documents of folders as (path, name); names are relative to the given folder.

    Takes the documents for whose lower-case ending the given function returns true, and at most a number of each ending, or
    of each folder in the given folder.
    """
    found = collections.defaultdict(list)
    for source in sources:
        for place, folders, files in os.walk(source):
            folders.sort()
            for file in sorted(files):
                path = os.path.join(place, file)
                ending = os.path.splitext(file)[1].lower()
                if takes(ending) and os.path.isfile(path) and os.path.getsize(path):
                    name = os.path.relpath(path, source)
                    found[name.split(os.sep)[0] if by_folder else ending].append((path, name))
    return [document for documents in found.values()
            for document in documents[::max(1, -(-len(documents) // most)) if most else 1]]


def compare(found, arguments, of_batch):
    """Returns the results of a function for batches of documents, several at a time, and writes them as JSON."""
    batches = [found[start:start + BATCH] for start in range(0, len(found), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = [result for batch in pool.map(lambda batch: _in_folder(batch, of_batch), batches) for result in batch]
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)
    return results


def _in_folder(batch, of_batch):
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o755)
        return of_batch(batch, work)


def printq(batch, place, work, keeps_pdfs=False):
    """Returns the answers of page-images, by path."""
    output = os.path.join(work, "printq")
    os.makedirs(output)
    order = {"programs": place, "output": output, "documents": [path for path, _ in batch], "keepsPDFs": keeps_pdfs}
    run = Run([os.path.join(place, "page-images")], SECONDS * len(batch), json.dumps(order), limited=False)
    answers = [json.loads(line) for line in run.output.splitlines() if line.startswith("{")]
    return {answer["document"]: answer for answer in answers}


def exceptions(path):
    """Returns the reasons of a list of exceptions by document; empty without a list."""
    if not path:
        return {}
    with open(path) as file:
        return dict(line.rstrip("\n").split("\t", 1) for line in file if line.strip() and not line.startswith("#"))


def report(results, verdicts, reasons, other):
    """Prints the documents with some verdicts, and those of them that are not in the list of exceptions.

    The results contain the pages of another program, which has the given name. Returns the exit status.
    """
    listed = [result for result in results if result["verdict"] in verdicts]
    reasons = dict(reasons)
    unknown = 0
    for result in listed:
        reason = reasons.pop(result["file"], None)
        unknown += reason is None
        print(f"{result['verdict']:12} {other} {result[other]}, printq {result['printq'] or 0}  {result['file']}")
        print(f"{'':13}{'exception: ' + reason if reason else result['message']} {'' if reason else result['detail']}")
    names = {result["file"] for result in results}
    for name in sorted(reasons):
        if name in names:
            print(f"no longer listed: {name}")
    counts = collections.Counter(result["verdict"] for result in results)
    print(f"{len(results)} documents: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    print(f"{len(listed)} documents are listed, {unknown} of them are not in the list of exceptions")
    return 1 if unknown else 0
