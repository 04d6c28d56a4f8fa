"""Loads the resources of a document for the HTML engine: files, parts of messages, and addresses on the network."""

import http.client
import ipaddress
import os
import re
import socket
import ssl
import stat
import time
import zlib
from urllib.parse import quote, unquote, unquote_to_bytes, urljoin, urlsplit

import weasyprint.urls

MOST_REDIRECTS = 5
CONNECTION_SECONDS = 15

# Special-purpose addresses (RFC 6890 and the IANA registries), which no web page needs. ipaddress.is_global depends on
# the version of Python, so the table is here.
PRIVATE = [ipaddress.ip_network(network) for network in (
    '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24',
    '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24',
    '224.0.0.0/4', '240.0.0.0/4',
    '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')]
GLOBAL_UNICAST = ipaddress.ip_network('2000::/3')
NAT64 = ipaddress.ip_network('64:ff9b::/96')


def is_public(address):
    """Whether an address, as text, belongs to the public Internet."""
    address = ipaddress.ip_address(address.partition('%')[0])
    if address.version == 6:
        if address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        elif address in NAT64:
            address = ipaddress.IPv4Address(address.packed[-4:])
        elif address not in GLOBAL_UNICAST:
            return False
    return not any(address in network for network in PRIVATE if network.version == address.version)


class Fetcher(weasyprint.urls.URLFetcher):
    """Loads resources from the base folder, from data: URIs and, with a `Web`, from the network.

    A message (`parts`) has its own resources, with cid: URIs.
    """

    def __init__(self, base, notes, parts=None, web=None):
        super().__init__()
        self.base = os.path.realpath(os.fsencode(base)) if base else None
        self.notes = notes
        self.parts = parts or {}
        self.web = web

    def fetch(self, url, headers=None):
        try:
            return self.admitted(url, headers)
        except Exception as error:
            text = str(error) if isinstance(error, (Refused, Unusable)) else explained(error)
            self.notes.add_refusal(url, text)
            raise

    def admitted(self, url, headers):
        scheme = url.partition(':')[0].lower()
        if scheme == 'data':
            return super().fetch(url, headers)
        part = self.parts.get(unquote(url.partition(':')[2]) if scheme == 'cid' else url)
        if part is not None:
            return weasyprint.urls.URLFetcherResponse(url, part[1], {'Content-Type': part[0]})
        if scheme == 'cid':
            raise Refused('the message has no such part')
        if scheme == 'file':
            return self.local(url)
        if scheme in ('http', 'https'):
            if self.web is None:
                raise Refused('network access is not allowed')
            page = self.web.load(url)
            return weasyprint.urls.URLFetcherResponse(page.url, page.data, page.headers)
        raise Refused(f'unsupported URI scheme {scheme}')

    def local(self, url):
        if self.base is None:
            raise Refused(self.notes.without_files)
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


class LocalResponse(weasyprint.urls.URLFetcherResponse):
    """An opened file. It must not be opened again by name."""

    path = None


def content_type(path):
    ending = os.path.splitext(path)[1].lower()
    return {b'.css': 'text/css', b'.svg': 'image/svg+xml'}.get(ending, 'application/octet-stream')


class Page:
    """A loaded resource of the network."""

    def __init__(self, url, status, headers, data):
        self.url, self.status, self.headers, self.data = url, status, headers, data


class Web:
    """Loads addresses with HTTP, within limits for all of them together.

    Sends no cookies, no credentials and no referrer, and uses no proxy: a proxy would choose the addresses.
    """

    def __init__(self, limits):
        self.private = limits['private']
        self.requests = limits['requests']
        self.room = limits['bytes']
        self.end = time.monotonic() + limits['seconds']
        self.context = None

    def load(self, url):
        for _ in range(MOST_REDIRECTS + 1):
            page = self.request(url)
            target = page.headers.get('Location')
            if page.status not in (301, 302, 303, 307, 308) or not target:
                if not 200 <= page.status < 300:
                    raise Unusable('status', f'{page.status}')
                return page
            url = urljoin(url, re.sub(r'[\x00-\x20]', '', target))
        raise Unusable('redirects', f'more than {MOST_REDIRECTS} redirects')

    def request(self, url):
        if self.requests <= 0:
            raise Unusable('count', 'the page has too many resources')
        self.requests -= 1
        parts = urlsplit(url)
        if parts.scheme not in ('http', 'https'):
            raise Unusable('scheme', f'the address has the scheme {parts.scheme}')
        if parts.username is not None or parts.password is not None:
            raise Unusable('credentials', 'the address contains credentials')
        try:
            host, port = self.host(parts.hostname or ''), parts.port
        except (ValueError, UnicodeError) as error:
            raise Unusable('name', 'the host name is invalid') from error
        connection = Connection(self, host, port or (443 if parts.scheme == 'https' else 80), parts.scheme == 'https')
        path = quote(parts.path or '/', safe="/:@!$&'()*+,;=~%")
        query = '?' + quote(parts.query, safe="/:?@!$&'()*+,;=~%[]") if parts.query else ''
        try:
            connection.request('GET', path + query, headers={
                'User-Agent': 'printq', 'Accept': '*/*', 'Accept-Encoding': 'gzip', 'Connection': 'close'})
            response = connection.getresponse()
            return Page(url.partition('#')[0], response.status, response.headers, self.body(response, connection))
        except ssl.SSLError as error:  # can also be a ValueError
            raise Unusable('tls', getattr(error, 'verify_message', '') or error.reason or 'TLS failed') from error
        except (http.client.HTTPException, ValueError) as error:
            raise Unusable('answer', 'the server sent an invalid response') from error
        except TimeoutError as error:
            raise Unusable('time', 'the server did not answer in time') from error
        except (OSError, zlib.error, EOFError) as error:
            raise Unusable('connection', explained(error)) from error
        finally:
            connection.close()

    @staticmethod
    def host(name):
        if not name or re.search(r'[\x00-\x20/\\?#@]', name):
            raise ValueError(name)
        return name if ':' in name else name.encode('idna').decode()

    def seconds(self):
        """The remaining time; a socket must not wait longer."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise Unusable('time', 'fetching took too long')
        return min(left, CONNECTION_SECONDS)

    def body(self, response, connection):
        encoding = response.headers.get('Content-Encoding', 'identity').strip().lower()
        if encoding not in ('identity', 'gzip', 'x-gzip', ''):
            raise Unusable('answer', f'the server sent the encoding {encoding}')
        pieces = self.pieces(response, connection)
        data = b''.join(unzipped(pieces, self) if 'gzip' in encoding else self.counted(pieces))
        if response.length:
            raise Unusable('connection', 'the server closed the connection early')
        return data

    def pieces(self, response, connection):
        while True:
            connection.stream.settimeout(self.seconds())
            piece = response.read1(65536)
            if not piece:
                return
            yield piece

    def counted(self, pieces):
        for piece in pieces:
            self.room -= len(piece)
            if self.room < 0:
                raise Unusable('large', 'the page and its resources are too large')
            yield piece

    def connect(self, host, port):
        """Connects to an allowed address of a host.

        The addresses are checked, not the name, and the connection uses the checked address. A name that gets another
        address later has no effect.
        """
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise Unusable('name', f"the host '{host}' was not found") from error
        failure = None
        for family, kind, protocol, _, address in found:
            if not self.private and not is_public(address[0]):
                failure = failure or Unusable('private', f"'{host}' is a private address ({address[0]})")
                continue
            connection = socket.socket(family, kind, protocol)
            try:
                connection.settimeout(self.seconds())
                connection.connect(address)
                if not self.private and not is_public(connection.getpeername()[0]):
                    raise Unusable('private', f"'{host}' is a private address")
                return connection
            except Unusable:
                connection.close()
                raise
            except OSError as error:
                connection.close()
                failure = error
        raise failure or Unusable('name', f"the host '{host}' has no address")


class Connection(http.client.HTTPConnection):
    """An HTTP connection whose address is checked, with TLS for https: addresses."""

    def __init__(self, web, host, port, is_secure):
        super().__init__(host, port)
        self.web = web
        self.is_secure = is_secure
        self.default_port = 443 if is_secure else 80

    def connect(self):
        self.sock = self.web.connect(self.host, self.port)
        if self.is_secure:
            self.web.context = self.web.context or ssl.create_default_context()
            self.sock = self.web.context.wrap_socket(self.sock, server_hostname=self.host)
        self.stream = self.sock  # http.client forgets the socket as soon as the response has begun


def unzipped(pieces, web):
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    for piece in pieces:
        while piece:
            data = unpacker.decompress(piece, 65536)
            yield from web.counted([data])
            piece = unpacker.unconsumed_tail
            if unpacker.eof:
                return
    yield from web.counted([unpacker.flush()])


def file_name(page):
    """The name of the document for users: from the headers, else from the address."""
    name = page.headers.get_filename() if hasattr(page.headers, 'get_filename') else None
    parts = urlsplit(page.url)
    name = name or unquote(parts.path.rstrip('/').rpartition('/')[2]) or parts.hostname or 'page'
    return re.sub(r'[\x00-\x1f\x7f-\x9f/\\]', '_', name).lstrip('.')[:100] or 'page'
