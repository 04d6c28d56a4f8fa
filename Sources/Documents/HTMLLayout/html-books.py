"""Reads EPUB books (EPUB 3.3) for the HTML engine."""

import html.entities
import io
import posixpath
import xml.etree.ElementTree
import zipfile

BOOK = 'http://book.invalid/'  # no host can have this name (RFC 2606)
MOST_BOOK_BYTES = 256 << 20
XLINK = '{http://www.w3.org/1999/xlink}href'
CONTAINER = '{urn:oasis:names:tc:opendocument:xmlns:container}'
PACKAGE = '{http://www.idpf.org/2007/opf}'
ENCRYPTED = '{http://www.w3.org/2001/04/xmlenc#}CipherReference'


class Book:
    """A book: its chapters, and the files that they refer to."""

    def __init__(self, data):
        self.files = zipfile.ZipFile(io.BytesIO(data))
        self.names = set(self.files.namelist())
        self.left = MOST_BOOK_BYTES
        self.types = {}
        root = next(self.xml('META-INF/container.xml').iter(CONTAINER + 'rootfile')).get('full-path')
        package = self.xml(root)
        self.title = ' '.join((package.findtext('.//{http://purl.org/dc/elements/1.1/}title') or '').split())
        items = {}
        for item in package.iter(PACKAGE + 'item'):
            name = posixpath.normpath(posixpath.join(posixpath.dirname(root), unquote(item.get('href') or '')))
            self.types[name] = item.get('media-type') or ''
            items[item.get('id')] = name
        self.chapters = [
            items[item.get('idref')] for item in package.iter(PACKAGE + 'itemref') if item.get('idref') in items]
        locked = set()
        if 'META-INF/encryption.xml' in self.names:
            locked = {unquote(each.get('URI') or '') for each in self.xml('META-INF/encryption.xml').iter(ENCRYPTED)}
        if locked & set(self.chapters):
            raise ValueError('the book is protected from copying')

    def read(self, name):
        self.left -= self.files.getinfo(name).file_size
        if self.left < 0:
            raise Exceeded('bytes')
        return self.files.read(name)

    def xml(self, name):
        return xml.etree.ElementTree.fromstring(self.read(name))

    def get(self, url):
        """The type and the bytes of a file, for `Fetcher`."""
        name, is_own = unquote(url.removeprefix(BOOK).partition('#')[0]), url.startswith(BOOK)
        if is_own and name not in self.names:
            raise Refused('the book has no such file')
        return (self.types.get(name, ''), self.read(name)) if is_own else None

    def chapter(self, name, notes):
        """A chapter as HTML for WeasyPrint."""
        fetcher = Fetcher(None, notes, parts=self)
        data, base = self.read(name), BOOK + quote(name)
        if self.types[name].startswith('image/'):
            return weasyprint.HTML(string=f'<img src="{base}" alt="">', url_fetcher=fetcher)
        try:
            text = html_of_xhtml(data)
        except xml.etree.ElementTree.ParseError:
            text = html_text(data, None, notes)
        return weasyprint.HTML(string=text, base_url=base, url_fetcher=fetcher)


def html_of_xhtml(data):
    """XHTML as HTML: the parser of HTML would take `<title/>` for the beginning of a title without an end."""
    def entity(match):
        character = html.entities.html5.get(match[1].decode() + ';')
        return match[0] if character is None else ''.join(f'&#{ord(each)};' for each in character).encode()
    root = xml.etree.ElementTree.fromstring(re.sub(rb'&(?!(?:amp|lt|gt|quot|apos);)(\w+);', entity, data))
    for element in root.iter():
        element.tag = element.tag.rpartition('}')[2]
        for name in [name for name in element.keys() if name.startswith('{')]:
            element.set('xlink:href' if name == XLINK else name.rpartition('}')[2], element.attrib.pop(name))
    return '<!DOCTYPE html>' + xml.etree.ElementTree.tostring(root, encoding='unicode', method='html')
