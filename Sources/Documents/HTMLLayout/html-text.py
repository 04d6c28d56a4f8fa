"""Makes HTML for the HTML engine from Markdown and source code."""

import ctypes
import html
import re
import time
import unicodedata

import pygments
import pygments.lexers
import pygments.formatters
import pygments.util
import webencodings
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.tasklists import tasklists_plugin
from tinyhtml5.inputstream import HTMLBinaryInputStream

MOST_LINES = 10_000  # of source code with colors
MOST_DETECTED = 1 << 20  # bytes from which the encoding is guessed
LONGEST_GUESS = 100_000  # characters from which the programming language is guessed
CODE_FONTS = "'DejaVu Sans Mono', 'Liberation Mono', 'Noto Sans Mono', monospace"
ADVANCE = 0.602  # the width of a character of these fonts, in ems

colors = pygments.formatters.HtmlFormatter(style='default', nowrap=True)
COLOR_STYLE = re.sub(r'background(-color)?:[^;}]*;?', '', colors.get_style_defs('.code'))

MARKDOWN_STYLE = COLOR_STYLE + """
html { font-family: 'Liberation Sans', 'DejaVu Sans', sans-serif; font-size: 10.5pt; line-height: 1.4 }
body { margin: 0; overflow-wrap: break-word }
h1, h2, h3, h4, h5, h6 { line-height: 1.2; margin: 1.2em 0 0.4em; break-after: avoid; break-inside: avoid }
h1 { font-size: 20pt } h2 { font-size: 15pt } h3 { font-size: 12.5pt } h4, h5, h6 { font-size: 10.5pt }
body > h1:first-child, body > h2:first-child { margin-top: 0 }
h1, h2 { border-bottom: 0.5pt solid #999; padding-bottom: 2pt }
p, ul, ol, dl, pre, table, blockquote { margin: 0.6em 0; orphans: 2; widows: 2 }
ul, ol { padding-left: 2em }
li > p { margin: 0.3em 0 }
pre, code { font-family: """ + CODE_FONTS + """; font-size: 8.5pt }
pre { border: 0.5pt solid #bbb; border-radius: 2pt; padding: 5pt 7pt; white-space: pre-wrap; overflow-wrap: anywhere;
  line-height: 1.3 }
:not(pre) > code { background: #eee; border-radius: 2pt; padding: 0 2pt }
table { border-collapse: collapse; break-inside: auto }
th, td { border: 0.5pt solid #888; padding: 2.5pt 6pt; vertical-align: top }
th { background: #eee; font-weight: bold }
thead { display: table-header-group; break-after: avoid }
tr { break-inside: avoid }
blockquote { border-left: 2pt solid #bbb; margin-left: 0; padding-left: 10pt; color: #333 }
img { max-width: 100% }
hr { border: 0; border-top: 0.5pt solid #999; margin: 1em 0 }
a { color: #0645ad; text-decoration: underline }
.contains-task-list { list-style: none; padding-left: 1em }
.task { font-family: 'DejaVu Sans', sans-serif }
.footnotes { font-size: 9pt }
.footnote-ref a, .footnote-backref { text-decoration: none }
.footnote-backref { display: none }
"""


class Detector:
    """Recognizes the encoding of a text by its letters (libuchardet)."""

    def __init__(self):
        try:
            self.uchardet = ctypes.CDLL('libuchardet.so.0')
        except OSError:
            self.uchardet = None
            return
        self.uchardet.uchardet_new.restype = ctypes.c_void_p
        self.uchardet.uchardet_get_charset.restype = ctypes.c_char_p

    def charset(self, data):
        if self.uchardet is None:
            return ''
        detector = ctypes.c_void_p(self.uchardet.uchardet_new())
        self.uchardet.uchardet_handle_data(detector, data, ctypes.c_size_t(len(data)))
        self.uchardet.uchardet_data_end(detector)
        name = self.uchardet.uchardet_get_charset(detector).decode('ascii')
        self.uchardet.uchardet_delete(detector)
        return name


detector = Detector()


class FontSet(ctypes.Structure):
    _fields_ = [('count', ctypes.c_int), ('room', ctypes.c_int), ('fonts', ctypes.POINTER(ctypes.c_void_p))]


def missing_characters(texts):
    """The code points of visible characters that no installed font has. The document's fonts may have private ones."""
    wanted = sorted({
        character for text in texts for character in text
        if character >= '\u0250' and character != '\ufffd' and unicodedata.category(character)[0] not in 'CZ'
        and not '\ufe00' <= character <= '\ufe0f'})
    if not wanted:
        return []
    library = ctypes.CDLL('libfontconfig.so.1')
    library.FcConfigGetFonts.restype = ctypes.POINTER(FontSet)
    fonts = library.FcConfigGetFonts(None, 0)
    sets = []
    for index in range(fonts[0].count if fonts else 0):
        characters = ctypes.c_void_p()
        if library.FcPatternGetCharSet(
                ctypes.c_void_p(fonts[0].fonts[index]), b'charset', 0, ctypes.byref(characters)) == 0:
            sets.append(characters)

    def is_covered(character):
        for index, characters in enumerate(sets):
            if library.FcCharSetHasChar(characters, ctypes.c_uint32(ord(character))):
                sets.insert(0, sets.pop(index))  # the next character is probably in the same font
                return True
        return False

    return [ord(character) for character in wanted if not is_covered(character)][:1000]


def html_text(data, charset, notes):
    """The text of an HTML document: a known charset precedes the declaration in the document."""
    stream = HTMLBinaryInputStream(data[:4096])
    stream.raw_stream.seek(0)
    declared = stream.detect_encoding_meta()
    return decoded(data, charset if charset and webencodings.lookup(charset) else declared and declared.name, notes)


def decoded(data, charset, notes):
    """The text of a document: by its byte order mark, by a known charset, as UTF-8, by a declaration, or guessed."""
    for mark, name in ((b'\xef\xbb\xbf', 'utf-8'), (b'\xff\xfe', 'utf-16-le'), (b'\xfe\xff', 'utf-16-be')):
        if data.startswith(mark):
            return decoded_as(data[len(mark):], name, notes)
    if charset:
        known = decoded_as(data, charset, notes)
        if known is not None:
            return known
    try:
        return data.decode('utf-8')
    except UnicodeDecodeError:
        pass
    declared = re.search(rb'coding[:=][ \t]*([-\w.]+)', b'\n'.join(data[:1000].split(b'\n', 2)[:2]))  # PEP 263
    known = decoded_as(data, declared[1].decode('ascii', 'replace'), notes) if declared else None
    if known is not None:
        return known
    name = detector.charset(data[:MOST_DETECTED]) or 'WINDOWS-1252'
    guessed = decoded_as(data, name, notes)
    if guessed is None:
        name, guessed = 'WINDOWS-1252', data.decode('cp1252', 'replace')
    notes.add(f'the encoding of the text was guessed: {name}; if characters are wrong, set document-charset')
    return guessed


def decoded_as(data, charset, notes):
    """The text in a charset with an IANA name; None if the charset is unknown."""
    encoding = webencodings.lookup(charset)
    try:
        text = encoding.codec_info.decode(data, 'replace')[0] if encoding else data.decode(charset, 'replace')
    except (LookupError, ValueError, UnicodeError):
        return None
    count = text.count('\ufffd')
    if count and '\ufffd'.encode() not in data:
        characters = '1 character is' if count == 1 else f'{count} characters are'
        notes.add(
            f"{characters} invalid in {charset} and printed as \ufffd; set document-charset to the text's encoding")
    return text


def lines_of(text):
    return re.sub(r'[\x00-\x08\x0b\x0e-\x1f\x7f]', '\ufffd', re.sub(r'\r\n?', '\n', text)).removesuffix('\n').split('\n')


# Long lines of a page that would otherwise become less than half as large.
WRAPPED_LINES = 'pre, code, textarea { white-space: pre-wrap !important; overflow-wrap: anywhere !important }'


def css_string(text):
    return '"' + re.sub(r'[^A-Za-z0-9 ]', lambda found: f'\\{ord(found[0]):06x}', text[:300]) + '"'


def page_defaults(layout, has_header=False):
    """Style rules for the pages, which the document's own rules override."""
    width, height = layout['size']
    margins = [max(float(margin), 36.0) for margin in layout['margins']]
    rules = ''
    if has_header:
        margins[0] += 24
        date = time.strftime('%Y-%m-%d %H:%M', time.localtime(layout['date'])) if layout.get('date') is not None else ''
        box = "font: 9pt 'Liberation Sans', 'DejaVu Sans', sans-serif; vertical-align: bottom; padding-bottom: 8pt; white-space: nowrap"
        rules = (
            f'@top-left {{ content: {css_string(layout["title"])}; font-weight: bold; {box} }}'
            f'@top-center {{ content: {css_string(date)}; {box} }}'
            f'@top-right {{ content: "Page " counter(page) " of " counter(pages); {box} }}')
    sides = ' '.join(f'{margin:.3f}pt' for margin in margins)
    return f'@page {{ size: {width:.4f}pt {height:.4f}pt; margin: {sides}; {rules} }}'


def markdown_to_html(text, title):
    def highlighted(code, name, _):
        try:
            lexer = pygments.lexers.get_lexer_by_name(name, stripnl=False)
        except pygments.util.ClassNotFound:
            return ''
        return pygments.highlight(code, lexer, colors)

    parser = MarkdownIt('commonmark', {'html': True, 'highlight': highlighted}).enable(['table', 'strikethrough'])
    parser.use(footnote_plugin).use(tasklists_plugin).use(deflist_plugin).use(front_matter_plugin)
    # The fetcher decides which resources are loaded. The parser would show the source of refused references.
    parser.validateLink = lambda url: True
    body = parser.render(text)
    body = re.sub(
        r'<input class="task-list-item-checkbox"( checked="checked")?[^>]*>',
        lambda found: f'<span class="task">{"☑" if found[1] else "☐"}</span>', body)
    body = body.replace('<pre><code', '<pre class="code"><code')
    return f'<!DOCTYPE html><meta charset="utf-8"><title>{html.escape(title)}</title>{body}'


def source_to_html(text, name, layout):
    """The HTML of source code and its style rules."""
    lines = lines_of(text)
    if len(lines) > MOST_LINES:
        raise Exceeded('tooLong')
    options = layout['text']
    tab = min(max(options.get('tabWidth') or 8, 1), 32)
    lines = [line.expandtabs(tab) for line in lines]
    text = '\n'.join(lines)
    try:
        lexer = pygments.lexers.get_lexer_for_filename(name, text[:LONGEST_GUESS])
    except pygments.util.ClassNotFound:
        lexer = guessed_lexer(text[:LONGEST_GUESS])
    lexer.stripnl = lexer.ensurenl = lexer.stripall = False
    lexer.tabsize = 0
    colored = pygments.highlight(text, lexer, colors).split('\n')[:len(lines)]
    numbers = options.get('numbersLines') or False
    digits = len(str(len(lines))) + 1 if numbers else 0
    rows = []
    for number, line in enumerate(colored, 1):
        is_new_page = '\f' in line
        label = f'<b>{number}</b>' if numbers else ''
        rows.append(f'<div{" class=page" if is_new_page else ""}>{label}{line.replace(chr(12), "") or " "}</div>')
    pitch = 72 / min(max(options.get('charactersPerInch') or 12, 4), 40)
    size = pitch / ADVANCE
    height = 72 / min(max(options['linesPerInch'], 2), 40) if options.get('linesPerInch') else size * 1.2
    wraps = options.get('wraps') is not False
    style = COLOR_STYLE + f"""
        html {{ font: {size:.3f}pt/{height:.3f}pt {CODE_FONTS}; font-variant-ligatures: none }}
        body {{ margin: 0; orphans: 1; widows: 1 }}
        div {{ {'white-space: pre-wrap; overflow-wrap: anywhere' if wraps else 'white-space: pre; overflow: hidden'};
            padding-left: {digits}ch; text-indent: -{digits}ch }}
        .page {{ break-before: page }}
        b {{ display: inline-block; width: {digits - 1}ch; padding-right: 1ch; text-align: right; text-indent: 0;
            font-weight: normal; color: #777 }}"""
    head = f'<!DOCTYPE html><meta charset="utf-8"><title>{html.escape(layout["title"])}</title>'
    return f'{head}<body class="code">{"".join(rows)}', style


def guessed_lexer(text):
    try:
        return pygments.lexers.guess_lexer(text)
    except pygments.util.ClassNotFound:
        return pygments.lexers.get_lexer_by_name('text')
