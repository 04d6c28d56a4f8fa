"""Lays out HTML for HTMLEngine.

Reads requests from descriptor 0, one line of JSON each. Answers each request with a line of JSON, followed by the bytes
of the PDF. It can access only the base folder of the request and, if allowed, the network.
"""

import functools
import gc
import io
import json
import logging
import os
import re
import resource
import select
import shutil
import stat
import sys
import threading
from urllib.parse import unquote_to_bytes, urlsplit

requests = os.fdopen(os.dup(0), 'rb')
answers = os.fdopen(os.dup(1), 'wb')
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)  # only responses are written to the response pipe
os.closerange(max(requests.fileno(), answers.fileno()) + 1, 4096)

import tinyhtml5.treebuilder  # noqa: E402
import weasyprint  # noqa: E402
import weasyprint.urls  # noqa: E402
from weasyprint.text.fonts import FontConfiguration  # noqa: E402
from weasyprint.logger import LOGGER, PROGRESS_LOGGER  # noqa: E402

MOST_NOTES = 100
MOST_NESTED = 1000
MOST_LINKED = 2 << 20  # bytes of links in an answer
LINKED = {'http', 'https', 'ftp', 'mailto', 'tel', 'sms', 'news', 'urn', 'xmpp', 'sip', 'sips', 'geo'}
MARGIN_BOXES = [f'{side}-{place}' for side, places in {
    'top': ('left-corner', 'left', 'center', 'right', 'right-corner'), 'right': ('top', 'middle', 'bottom'),
    'bottom': ('left-corner', 'left', 'center', 'right', 'right-corner'), 'left': ('top', 'middle', 'bottom'),
}.items() for place in places]


class Refused(ValueError):
    """A resource that must not be loaded."""


class Exceeded(BaseException):
    """A limit was exceeded. Not an Exception, so that `except Exception` does not catch it."""


class OpenElements(list):
    """The open elements of the parser, limited to the nesting depth that can be laid out.

    The parser searches this list for each tag, so a check after parsing would be too late.
    """

    def append(self, element):
        if len(self) >= MOST_NESTED:
            raise Exceeded('depth')
        super().append(element)


def reset_tree(tree, reset=tinyhtml5.treebuilder.TreeBuilder.reset):
    reset(tree)
    tree.open_elements = OpenElements()


tinyhtml5.treebuilder.TreeBuilder.reset = reset_tree


class LocalResponse(weasyprint.urls.URLFetcherResponse):
    """An opened file. It must not be opened again by name."""

    path = None


class Fetcher(weasyprint.urls.URLFetcher):
    """Loads resources from the base folder, from data: URIs and, if allowed, from the network."""

    def __init__(self, base, network, notes):
        super().__init__(timeout=10)
        self.base = os.path.realpath(os.fsencode(base)) if base else None
        self.network = network
        self.notes = notes

    def fetch(self, url, headers=None):
        try:
            return self.admitted(url, headers)
        except Exception as error:
            words = str(error) if isinstance(error, Refused) else explained(error)
            self.notes.add_refusal(url, words)
            raise

    def admitted(self, url, headers):
        scheme = url.partition(':')[0].lower()
        if scheme == 'data':
            return super().fetch(url, headers)
        if scheme == 'file':
            return self.local(url)
        if scheme in ('http', 'https'):
            if not self.network:
                raise Refused('network access is not allowed')
            # Each redirect calls this method again.
            return super().fetch(url, headers)
        raise Refused(f'unsupported URI scheme {scheme}')

    def local(self, url):
        if self.base is None:
            raise Refused('file access requires a base folder')
        parts = urlsplit(url)
        if parts.netloc not in ('', 'localhost'):
            raise Refused('the file is on another host')
        path = os.path.realpath(unquote_to_bytes(parts.path))
        self.check(path)
        # Does not block on a named pipe. The path is checked again after opening, because a link may have changed.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Refused('it is not a file')
            self.check(os.readlink(f'/proc/self/fd/{descriptor}'.encode()))
        except BaseException:
            os.close(descriptor)
            raise
        return LocalResponse(url, os.fdopen(descriptor, 'rb'), {'Content-Type': content_type(path)})

    def check(self, path):
        folder = self.base if self.base.endswith(b'/') else self.base + b'/'
        if not path.startswith(folder):
            raise Refused('the file is outside the base folder')


def content_type(path):
    ending = os.path.splitext(path)[1].lower()
    return {b'.css': 'text/css', b'.svg': 'image/svg+xml'}.get(ending, 'application/octet-stream')


def explained(error):
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f'{error}' or type(error).__name__


class Notes(logging.Handler):
    """Messages about omitted resources, without duplicates. Includes WeasyPrint's error messages about resources."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.list = []
        self.refused = set()

    def add_refusal(self, url, words):
        self.refused.add(url)
        self.add(f'{url[:300]} was left out: {words}')

    def add(self, words):
        words = re.sub(r'data:[^\s\'"]{40,}', 'data:…', ' '.join(words.split())).rstrip(': ')[:600]
        if words not in self.list and len(self.list) < MOST_NOTES:
            self.list.append(words)

    def emit(self, record):
        try:
            words = record.getMessage()
        except Exception:
            return
        if not any(url in words for url in self.refused):
            self.add(words)


class PageLimit(logging.Handler):
    """Stops the layout when it exceeds the page limit. WeasyPrint logs its progress here before each page."""

    def __init__(self, most):
        super().__init__(logging.INFO)
        self.most = most

    def emit(self, record):
        if record.args and isinstance(record.args[0], int) and record.args[0] > self.most:
            raise Exceeded('pages')


class BoundedFile(io.BytesIO):
    """An in-memory file with a size limit."""

    def __init__(self, most):
        super().__init__()
        self.most = most

    def write(self, data):
        if self.tell() + len(data) > self.most:
            raise Exceeded('bytes')
        return super().write(data)


class Preparation:
    """Slow initialization for the next document, done while the process is idle. Each result serves one document."""

    def __init__(self):
        self.fonts = None

    def make(self):
        self.fonts = self.fonts or FontConfiguration()

    def take_fonts(self):
        self.make()
        fonts, self.fonts = self.fonts, None
        return fonts


preparation = Preparation()


@functools.lru_cache(maxsize=8)
def page_rules(first, other):
    return weasyprint.CSS(string=page_style(first, other))


def page_style(first, other):
    """Style rules that override the document: the content area is the whole page, for the first and other pages."""
    def size(width, height):
        return f'size: {width:.4f}pt {height:.4f}pt !important'
    boxes = ' '.join(f'@{box} {{ content: none !important }}' for box in MARGIN_BOXES)
    return (
        f'@page {{ {size(*other)}; margin: 0 !important; padding: 0 !important; border: 0 !important;'
        f' bleed: 0 !important; marks: none !important; {boxes} }}'
        f' @page :first {{ {size(*first)} }}'
        # The application sets the insets. A document without a margin begins where the insets end.
        ' body { margin: 0 }')


def last_height(document):
    """The bottom of the content on the last page, in points."""
    page = document.pages[-1]
    root = page._page_box.children[0] if page._page_box.children else None
    height = root.position_y + root.margin_height() if root is not None else 0
    return max(0.0, min(float(height), page.height)) * 0.75


def links_and_anchors(document, notes):
    """The links of all pages and their targets, in points."""
    links, wanted, room = [], set(), MOST_LINKED
    for number, page in enumerate(document.pages):
        seen = set()
        for kind, target, (left, top, right, bottom), _ in page.links:
            if kind == 'internal':
                link = {'anchor': target}
                wanted.add(target)
            elif kind == 'external' and target.partition(':')[0].lower() in LINKED:
                link = {'address': target}
            else:
                continue  # an attachment, a script, or a file of this machine
            rect = tuple(round(length * 0.75, 3) for length in (left, top, right - left, bottom - top))
            if (target, rect) in seen or rect[2] <= 0 or rect[3] <= 0:
                continue
            seen.add((target, rect))
            room -= 100 + 6 * len(target)
            if room < 0:
                notes.add('some links were left out: there are too many')
                return links, anchors(document, wanted)
            links.append({'page': number, 'rect': rect, **link})
    return links, anchors(document, wanted)


def anchors(document, wanted):
    found = {}
    for number, page in enumerate(document.pages):
        for name, (left, top, *_) in page.anchors.items():
            if name in wanted and name not in found:
                found[name] = {'page': number, 'name': name, 'point': [round(left * 0.75, 3), round(top * 0.75, 3)]}
    return list(found.values())


def lay_out(request):
    notes = Notes()
    pages = PageLimit(request['pages'])
    fetcher = Fetcher(request['base'], request['network'], notes)
    base = weasyprint.urls.path2url(fetcher.base + b'/') if fetcher.base else None
    LOGGER.addHandler(notes)
    PROGRESS_LOGGER.addHandler(pages)
    try:
        html = weasyprint.HTML(string=request['html'], base_url=base, url_fetcher=fetcher, media_type='print')
        style = page_rules(tuple(request['first']), tuple(request['page']))
        document = html.render(
            stylesheets=[style], presentational_hints=True, font_config=preparation.take_fonts())
        file = BoundedFile(request['bytes'])
        document.write_pdf(file)
        links, targets = links_and_anchors(document, notes)
        result = {
            'pages': len(document.pages), 'height': last_height(document), 'notes': notes.list, 'links': links,
            'anchors': targets}
        return result, file.getbuffer()
    finally:
        LOGGER.removeHandler(notes)
        PROGRESS_LOGGER.removeHandler(pages)


def answer(request):
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + request['seconds'] + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    try:
        return lay_out(request)
    except Exceeded as limit:
        return {'failed': str(limit)}, b''
    except MemoryError:
        return {'failed': 'memory'}, b''
    except RecursionError:
        return {'failed': 'depth'}, b''
    except Exception as error:
        return {'failed': 'layout', 'words': f'{type(error).__name__}: {explained(error)}'[:1000]}, b''


def tell(line, data=b''):
    answers.write(json.dumps({**line, 'bytes': len(data)}).encode() + b'\n')
    answers.write(data)
    answers.flush()


def serve():
    # Existing objects are never collected. Objects of a document are collected after its answer.
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    preparation.make()
    tell({'ready': weasyprint.__version__, 'python': sys.version.split()[0]})
    for line in requests:
        result, data = answer(json.loads(line))
        tell(result, data)
        del line, data
        if 'failed' in result:
            break  # the process cannot be reused
        gc.collect()
        preparation.make()
    leave()


def leave():
    shutil.rmtree(os.environ['TMPDIR'], ignore_errors=True)
    os._exit(0)


def watch():
    """Ends the process when the calling program has ended, even in the middle of a document."""
    poll = select.poll()
    poll.register(requests.fileno(), select.POLLRDHUP)
    poll.poll()
    leave()


if __name__ == '__main__':
    LOGGER.handlers.clear()
    PROGRESS_LOGGER.setLevel(logging.INFO)
    PROGRESS_LOGGER.propagate = False
    LOGGER.propagate = False
    sys.setrecursionlimit(20_000)
    threading.stack_size(64 << 20)
    threading.Thread(target=serve).start()
    threading.stack_size(0)
    watch()
