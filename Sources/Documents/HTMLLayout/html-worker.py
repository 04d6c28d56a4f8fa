"""Lays out documents for HTMLEngine.

Reads requests and answers each with a PDF (html-messages.py). It can access only the base folder of the request and, if
allowed, the network.
"""

import functools
import gc
import json
import logging
import os
import resource
import select
import shutil
import sys
import threading

import cssselect2
import tinyhtml5.treebuilder
import weasyprint
import weasyprint.urls
from weasyprint.text.fonts import FontConfiguration
from weasyprint.logger import LOGGER, PROGRESS_LOGGER

MOST_NESTED = 1000
MOST_SHRUNK = 4  # times that the content of a page may be wider than the page
MOST_LINKED = 2 << 20  # bytes of links in an answer
LINKED = {'http', 'https', 'ftp', 'mailto', 'tel', 'sms', 'news', 'urn', 'xmpp', 'sip', 'sips', 'geo'}
MARGIN_BOXES = [f'{side}-{place}' for side, places in {
    'top': ('left-corner', 'left', 'center', 'right', 'right-corner'), 'right': ('top', 'middle', 'bottom'),
    'bottom': ('left-corner', 'left', 'center', 'right', 'right-corner'), 'left': ('top', 'middle', 'bottom'),
}.items() for place in places]


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


class PageLimit(logging.Handler):
    """Stops the layout when it exceeds the page limit. WeasyPrint logs its progress here before each page."""

    def __init__(self, most):
        super().__init__(logging.INFO)
        self.most = most

    def emit(self, record):
        if record.args and isinstance(record.args[0], int) and record.args[0] > self.most:
            raise Exceeded('pages')


class Preparation:
    """Slow initialization for the next document, done while the process is idle. Each result serves one document."""

    def __init__(self):
        self.fonts = None

    def make(self):
        self.fonts = self.fonts or FontConfiguration()
        field_hints()

    def take_fonts(self):
        self.make()
        fonts, self.fonts = self.fonts, None
        return fonts


preparation = Preparation()


@functools.lru_cache(maxsize=8)
def page_rules(first, other):
    return weasyprint.CSS(string=page_style(first, other))


@functools.lru_cache(maxsize=1)
def field_hints():
    """Style rules that show the placeholders of empty fields (HTML § 4.10.5.3.10), as browsers do."""
    kinds = ', '.join(f'[type={kind} i]' for kind in ('text', 'search', 'url', 'tel', 'email', 'password', 'number'))
    return weasyprint.CSS(string=(
        f'input:is(:not([type]), {kinds}):is(:not([value]), [value=""])[placeholder]::before,'
        ' textarea:empty[placeholder]::before'
        ' { content: attr(placeholder); color: #757575; display: block; overflow: hidden }'))


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


def lay_out(request, data):
    is_formatted = request['kind'] == 'pages'
    notes = Notes('file access requires a base folder' if is_formatted else 'a document can use only its own content')
    pages = PageLimit(request['pages'])
    LOGGER.addHandler(notes)
    PROGRESS_LOGGER.addHandler(pages)
    try:
        return KINDS[request['kind']](request, data, notes)
    finally:
        LOGGER.removeHandler(notes)
        PROGRESS_LOGGER.removeHandler(pages)


def rendered(document, stylesheets):
    sheets = [weasyprint.CSS(string=sheet) if isinstance(sheet, str) else sheet for sheet in stylesheets]
    return whole(document, lambda more: document.render(
        stylesheets=[field_hints(), *sheets, *more], presentational_hints=True,
        font_config=preparation.take_fonts()))


def written(request, document, zoom=1):
    file = BoundedFile(request['bytes'])
    document.write_pdf(file, zoom=zoom)
    return file.getbuffer()


def formatted(request, data, notes):
    """Lays out HTML for an application, on pages of fixed size."""
    fetcher = Fetcher(request.get('base'), notes, web=Web(request['web']) if 'web' in request else None)
    base = weasyprint.urls.path2url(fetcher.base + b'/') if fetcher.base else None
    html = weasyprint.HTML(string=data.decode('utf-8', 'replace'), base_url=base, url_fetcher=fetcher)
    style = page_rules(tuple(request['first']), tuple(request['page']))
    document = rendered(html, [style])
    note_layout(html, notes)
    pdf = written(request, document)
    links, targets = links_and_anchors(document, notes)
    return {
        'pages': len(document.pages), 'height': last_height(document), 'notes': notes.list, 'links': links,
        'anchors': targets}, pdf


def converted(request, html, stylesheets, notes):
    return joined(request, [html], stylesheets, notes)


def joined(request, parts, stylesheets, notes):
    """One PDF of several documents, such as the messages of a mailbox, each of which starts on a new page."""
    notes.decorations = set().union(*(decorations(part) for part in parts))
    documents, scales, page_count = [], [], 0
    for part in parts:
        document, scale = shrunk(part, stylesheets)
        page_count += len(document.pages)
        if page_count > request['pages']:
            raise Exceeded('pages')
        documents.append(document)
        scales.append(scale)
    scale = max(scales)
    for index, part in enumerate(parts):
        if scales[index] != scale:  # all pages of a PDF are made smaller by the same amount
            page = documents[index].pages[0]
            documents[index] = rendered(part, [*stylesheets, wider_pages(page, scale / scales[index])])
    for part in parts:
        note_layout(part, notes)
    if scale > 2:
        notes.add(f'the pages were made smaller ({100 / scale:.0f} %), because the content is wider than the paper')
    whole = documents[0].copy([page for document in documents for page in document.pages])
    text = (piece for part in parts for piece in visible_text(part))
    result = {'pages': len(whole.pages), 'notes': notes.list, 'missing': missing_characters(text)}
    return result, written(request, whole, 1 / scale)


def shrunk(html, stylesheets):
    """A document whose content fits on its pages, and how many times these are larger than the paper."""
    document = rendered(html, stylesheets)
    page, scale = document.pages[0], 1
    # A page that is too wide is laid out on a wider page and made smaller, as in browsers.
    for attempt in range(3):
        excess = excess_width(document.pages)
        if excess == 1 or scale == MOST_SHRUNK:
            break
        if attempt == 0 and excess > 2:
            stylesheets = [*stylesheets, WRAPPED_LINES]
        else:
            scale = min(scale * excess, MOST_SHRUNK)
        document = rendered(html, [*stylesheets, wider_pages(page, scale)])
    return document, scale


def excess_width(pages):
    """The width of the content as a multiple of the available width; 1 if all content fits, or if the sizes differ."""
    if len({(page.width, page.height) for page in pages}) != 1:
        return 1
    most = 1
    for page in pages:
        box = page._page_box
        right = box.content_box_x() + box.width
        edge = max((right_edge(child) for child in box.children if not is_margin_box(child)), default=0)
        if edge > right + 1 and box.width > 0:
            most = max(most, (edge - box.content_box_x()) / box.width)
    return most


def is_margin_box(box):
    return isinstance(box, weasyprint.formatting_structure.boxes.MarginBox)


def right_edge(box):
    """The right edge of a box and of the boxes in it, without what is clipped."""
    edge = box.position_x + box.border_width() if box.style['visibility'] == 'visible' else 0
    if box.style['overflow'] == 'visible' or box.is_for_root_element:
        for child in getattr(box, 'children', ()):
            edge = max(edge, right_edge(getattr(child, '_box', child)))
    return edge


def wider_pages(page, scale):
    """Style rules for pages that are a multiple of the first page before."""
    box = page._page_box
    margins = ' '.join(f'{scale * length:.3f}px' for length in (
        box.margin_top, box.margin_right, box.margin_bottom, box.margin_left))
    size = f'{scale * page.width:.3f}px {scale * page.height:.3f}px'
    return f'@page {{ size: {size} !important; margin: {margins} !important }}'


def visible_text(html):
    for element in html.etree_element.iter():
        if element.tag not in ('head', 'style', 'script', 'title', 'template'):
            yield element.text or ''
        yield element.tail or ''


def decorations(html):
    """The addresses of images that are only decorative (HTML § 4.8.4.4.6: an empty text alternative)."""
    texts = {}
    for image in html.etree_element.iter('img'):
        try:
            address = urljoin(html.base_url or '', (image.get('src') or '').strip())
        except ValueError:
            continue
        texts.setdefault(address, []).append(image.get('alt'))
    return {address for address, alternatives in texts.items() if all(text == '' for text in alternatives)}


def html_document(request, data, notes):
    text = html_text(data, request.get('charset'), notes)
    html = weasyprint.HTML(string=text, url_fetcher=Fetcher(None, notes))
    return converted(request, html, [page_defaults(request['layout'])], notes)


def markdown_document(request, data, notes):
    layout = request['layout']
    text = markdown_to_html(decoded(data, request.get('charset'), notes), layout['title'])
    html = weasyprint.HTML(string=text, url_fetcher=Fetcher(None, notes))
    header = layout['text'].get('hasHeader') or False
    return converted(request, html, [page_defaults(layout, header), MARKDOWN_STYLE], notes)


def source_document(request, data, notes):
    layout = request['layout']
    text, style = source_to_html(decoded(data, request.get('charset'), notes), request['name'], layout)
    html = weasyprint.HTML(string=text, url_fetcher=Fetcher(None, notes))
    header = layout['text'].get('hasHeader') or False
    return converted(request, html, [page_defaults(layout, header), style], notes)


def mail_document(request, data, notes):
    mails = [Mail(message, notes) for message in messages(data)]
    if request['layout']['text'].get('hasHeader'):
        request['layout']['title'] = mails[0].header('Subject')
    header = request['layout']['text'].get('hasHeader') or False
    parts = [mail_html(mail, notes) for mail in mails]
    return joined(request, parts, [page_defaults(request['layout'], header), MAIL_STYLE], notes)


def mail_html(mail, notes):
    body, before, after, subject = mail.document()
    html = weasyprint.HTML(string=body, url_fetcher=Fetcher(None, notes, parts=mail.resources))
    root = html.etree_element
    for title in root.iter('title'):
        title.text = subject
    # Beside the body, not in it, so that the style of the body does not apply.
    place = next((index for index, child in enumerate(root) if child.tag == 'body'), 0)
    for index, text in ((place + 1, after), (place, before)):
        for element in elements(text):
            root.insert(index, element)
    html.wrapper_element = cssselect2.ElementWrapper.from_html_root(root, content_language=None)
    return html


def book_document(request, data, notes):
    book = Book(data)
    parts = [book.chapter(name, notes) for name in book.chapters]
    if not parts:
        raise ValueError('the book has no chapters')
    header = request['layout']['text'].get('hasHeader') or False
    if header:
        request['layout']['title'] = book.title
    return joined(request, parts, [page_defaults(request['layout'], header)], notes)


def elements(text):
    body = weasyprint.HTML(string=text).etree_element.find('body')
    return list(body)


def web_page(request, data, notes):
    """Fetches an address. A web page becomes a PDF; other documents are answered as they are."""
    url = data.decode('utf-8', 'replace').strip()
    limits = request['web']
    web = Web(limits)
    if url[:5].lower() == 'data:':
        try:
            found = weasyprint.urls.URLFetcher(allowed_protocols=('data',)).fetch(url)
        except Exception as error:
            raise Unusable('scheme', f'the data: address is invalid: {explained(error)}') from error
        page = Page('data:', 200, found.headers, found.read())
        if len(page.data) > limits['bytes']:
            raise Unusable('large', 'the data: address is too long')
        name = 'data'
    else:
        page = web.load(weasyprint.urls.iri_to_uri(url))
        name = file_name(page)
    kind = page.headers.get_content_type()
    charset = page.headers.get_param('charset')
    charset = charset if isinstance(charset, str) else None
    if kind not in ('text/html', 'application/xhtml+xml'):
        return {'format': kind, 'name': name, 'notes': []}, page.data
    base = None if page.url == 'data:' else page.url
    fetcher = Fetcher(None, notes, web=web if base else None)
    html = weasyprint.HTML(string=html_text(page.data, charset, notes), base_url=base, url_fetcher=fetcher)
    title = next((' '.join((found.text or '').split()) for found in html.etree_element.iter('title')), '')
    result, pdf = converted(request, html, [page_defaults(request['layout'])], notes)
    return {**result, 'format': 'application/pdf', 'name': name, 'title': title[:200]}, pdf


KINDS = {
    'pages': formatted, 'html': html_document, 'markdown': markdown_document, 'source': source_document,
    'mail': mail_document, 'book': book_document, 'web': web_page}


def answer(request, data):
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + request['seconds'] + 1
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]  # for all documents together
    resource.setrlimit(resource.RLIMIT_CPU, (seconds if most < 0 else min(seconds, most), most))
    try:
        return lay_out(request, data)
    except Exceeded as limit:
        return {'failed': str(limit)}, b''
    except Unusable as error:
        return {'failed': 'web', 'reason': error.code, 'detail': str(error)[:1000]}, b''
    except MemoryError:
        return {'failed': 'memory'}, b''
    except RecursionError:
        return {'failed': 'depth'}, b''
    except Exception as error:
        return {'failed': 'layout', 'detail': f'{type(error).__name__}: {explained(error)}'[:1000]}, b''


def serve():
    # Existing objects are never collected. Objects of a document are collected after its answer.
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    preparation.make()
    tell({'ready': weasyprint.__version__, 'python': sys.version.split()[0]})
    for line in requests:
        request = json.loads(line)
        result, data = answer(request, requests.read(request['size']))
        tell(result, data)
        del request, line, data
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
