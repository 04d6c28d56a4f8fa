"""Makes HTML for the HTML engine from e-mail messages (RFC 5322, MIME)."""

import email
import email.policy
import html
import re
from urllib.parse import quote

MOST_PARTS = 1000
SHOWN_HEADERS = ('From', 'To', 'Cc', 'Date', 'Subject')

MAIL_STYLE = """
printq-headers, printq-attachments { display: block !important; visibility: visible !important;
  position: static !important; float: none !important; color: #000 !important; background: none !important;
  opacity: 1 !important; font: 10pt/1.35 'Liberation Sans', 'DejaVu Sans', sans-serif !important }
printq-headers { border-bottom: 0.75pt solid #000; margin: 0 0 12pt; padding-bottom: 6pt }

printq-attachments { border-top: 0.75pt solid #000; margin: 14pt 0 0; padding-top: 5pt; break-inside: avoid }
printq-headers th, printq-attachments th { text-align: left; font-weight: bold; padding: 0 10pt 0 0; vertical-align: top;
  white-space: nowrap }
printq-headers td, printq-attachments td { padding: 0 10pt 0 0; vertical-align: top; overflow-wrap: anywhere }
.printq-text { font: 10pt/1.35 'DejaVu Sans Mono', 'Liberation Mono', monospace; font-size: 9pt; margin: 0 0 8pt;
  white-space: pre-wrap; overflow-wrap: anywhere; orphans: 2; widows: 2 }
.printq-flowed { font: 10pt/1.35 'Liberation Sans', 'DejaVu Sans', sans-serif }
.printq-quote { border-left: 1.5pt solid #999; margin: 0; padding-left: 7pt; color: #333 }
img { max-width: 100% }
"""


def messages(data):
    """The messages in a mailbox (RFC 4155), or the only message.

    A separator follows an empty line, and a header follows the separator.
    """
    if not data.startswith(b'From '):
        return [data]
    found = re.split(rb'(?:\A|\r?\n\r?\n)From [^\r\n]*\r?\n(?=[!-9;-~]+:)', data)
    return [re.sub(rb'^>(>*From )', rb'\1', each, flags=re.MULTILINE) for each in found if each.strip()] or [data]


class Mail:
    """A message: its headers, its text, the resources of its HTML, and its attachments."""

    def __init__(self, data, notes):
        self.notes = notes
        self.message = email.message_from_bytes(data, policy=email.policy.default)
        self.bodies = []  # HTML
        self.attachments = []  # (name, media type, bytes)
        self.resources = {}
        self.inline = []
        self.left = MOST_PARTS
        self.read(self.message, 0)
        text = '\n'.join(self.bodies)
        for keys, part in self.inline:
            if not any(key in text or quote(key, safe='') in text for key in keys):
                self.attach(part)

    def header(self, name, message=None):
        """The text of a header. The parser of some malformed headers fails; those are shown as they are."""
        message = message or self.message
        try:
            return ' '.join(str(message.get(name) or '').split())
        except Exception:
            raw = [value for key, value in message.raw_items() if key.lower() == name.lower()]
            return ' '.join(str(raw[0]).split()) if raw else ''

    def read(self, part, depth):
        self.left -= 1
        if self.left < 0 or depth > 50:
            return
        kind = part.get_content_type()
        if part.is_multipart() and part.get_content_maintype() == 'multipart':
            children = [child for child in part.get_payload() if hasattr(child, 'get_content_type')]
            if kind == 'multipart/alternative':
                self.read_best(children, depth)
            elif kind == 'multipart/related':
                for child in children[1:]:
                    self.keep_resource(child)
                for child in children[:1]:
                    self.read(child, depth + 1)
            else:
                for child in children:
                    self.read(child, depth + 1)
        elif kind in ('text/html', 'text/plain') and not self.is_attachment(part):
            self.bodies.append(self.html_of(part) if kind == 'text/html' else self.text_of(part))
        elif kind == 'message/rfc822':
            inner = part.get_payload()
            inner = inner[0] if isinstance(inner, list) and inner else part
            self.attachments.append((self.header('Subject', inner) or 'message', kind, len(bytes_of(part))))
        else:
            self.keep_resource(part)

    def read_best(self, children, depth):
        """Reads the HTML of alternatives, else their text; other alternatives are ignored."""
        def has(part, kind):
            return any(each.get_content_type() == kind for each in part.walk())
        for kind in ('text/html', 'text/plain'):
            for child in reversed(children):
                if has(child, kind):
                    return self.read(child, depth + 1)
        for child in children[-1:]:
            self.read(child, depth + 1)

    @staticmethod
    def is_attachment(part):
        return disposition(part) == 'attachment' or bool(name_of(part))

    def keep_resource(self, part):
        """Keeps a part that HTML can refer to. It is listed as an attachment unless the HTML refers to it."""
        names = [str(part.get(name) or '').strip() for name in ('Content-ID', 'Content-Location')]
        keys = [key for key in (names[0].strip('<>'), names[1]) if key]
        for key in keys:
            self.resources.setdefault(key, (part.get_content_type(), bytes_of(part)))
        if disposition(part) == 'attachment' or not keys:
            self.attach(part)
        else:
            self.inline.append((keys, part))

    def attach(self, part):
        if part.is_multipart():
            return
        self.attachments.append((name_of(part) or 'without a name', part.get_content_type(), len(bytes_of(part))))

    def html_of(self, part):
        return html_text(bytes_of(part), part.get_content_charset(), self.notes)

    def text_of(self, part):
        lines = lines_of(decoded(bytes_of(part), part.get_content_charset(), self.notes))
        try:
            is_flowed = str(part.get_param('format', '')).lower() == 'flowed'
            joins = str(part.get_param('delsp', '')).lower() == 'yes'
        except Exception:
            is_flowed = joins = False
        blocks = unflowed(lines, joins) if is_flowed else quoted(lines)
        rows = []
        for depth, text in blocks:
            opened, closed = '<div class="printq-quote">' * min(depth, 10), '</div>' * min(depth, 10)
            kind = 'printq-text printq-flowed' if is_flowed else 'printq-text'
            rows.append(f'{opened}<div class="{kind}" style="margin: 0">{html.escape(text) or " "}</div>{closed}')
        return ''.join(rows)

    def document(self):
        """The HTML of the body, and the elements before and after it."""
        body = '\n<div></div>\n'.join(self.bodies)
        rows = [(name, self.header(name)) for name in SHOWN_HEADERS]
        subject = dict(rows)['Subject']
        cells = ''.join(
            f'<tr><th>{name}:</th><td>{html.escape(value)}</td></tr>' for name, value in rows if value)
        before = f'<printq-headers><table>{cells}</table></printq-headers>'
        after = ''
        if self.attachments:
            items = ''.join(
                f'<tr><td>{html.escape(name[:300])}</td><td>{html.escape(kind)}</td><td>{amount(size)}</td></tr>'
                for name, kind, size in self.attachments[:200])
            after = (
                '<printq-attachments><table><tr><th>Attachments</th><th>Type</th><th>Size</th></tr>'
                f'{items}</table></printq-attachments>')
        return body or '<p></p>', before, after, subject


def disposition(part):
    try:
        return part.get_content_disposition()
    except Exception:
        return None


def name_of(part):
    try:
        return ' '.join(str(part.get_filename() or '').split())
    except Exception:
        return ''


def bytes_of(part):
    try:
        data = part.get_payload(decode=True)
        return data if data is not None else part.as_bytes()
    except Exception:
        return b''


def amount(size):
    for unit, name in ((1_000_000, 'MB'), (1_000, 'kB')):
        if size >= unit:
            return f'{size / unit:.1f} {name}'
    return f'{size} bytes'


def quoted(lines):
    """Adjacent lines with the same depth of quotation (`>`), as (depth, text)."""
    blocks = []
    for line in lines:
        marks = re.match(r'(?:> ?)*', line)[0]
        depth = marks.count('>')
        if blocks and blocks[-1][0] == depth:
            blocks[-1][1].append(line[len(marks):])
        else:
            blocks.append((depth, [line[len(marks):]]))
    return [(depth, '\n'.join(rows)) for depth, rows in blocks]


def unflowed(lines, joins):
    """The paragraphs of flowed text (RFC 3676), as (depth, text)."""
    paragraphs, is_open = [], False
    for line in lines:
        marks = re.match(r'>*', line)[0]
        depth, line = len(marks), line[len(marks):]
        line = line[1:] if line.startswith(' ') else line
        is_signature = line == '-- '
        is_flowed = line.endswith(' ') and not is_signature
        text = line[:-1] if is_flowed and joins else line
        if is_open and paragraphs[-1][0] == depth and not is_signature:
            paragraphs[-1][1].append(text)
        else:
            paragraphs.append((depth, [text]))
        is_open = is_flowed
    return [(depth, ''.join(pieces)) for depth, pieces in paragraphs]
