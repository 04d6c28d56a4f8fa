"""A small IPP client (RFC 8010) over TCP or a Unix socket, for preparing and observing benchmarks."""
import http.client
import socket
import struct

PRINT_JOB, CREATE_JOB, SEND_DOCUMENT, CANCEL_JOB = 0x02, 0x05, 0x06, 0x08
GET_JOB_ATTRIBUTES, GET_JOBS = 0x09, 0x0A
HOLD_JOB, RELEASE_JOB = 0x0C, 0x0D
GET_PRINTER_ATTRIBUTES, PAUSE_PRINTER, RESUME_PRINTER = 0x0B, 0x10, 0x11
CUPS_GET_PRINTERS = 0x4002

INTEGER, BOOLEAN, ENUM, TEXT, NAME, KEYWORD, URI, CHARSET, LANGUAGE, MIME_TYPE = (
    0x21, 0x22, 0x23, 0x41, 0x42, 0x44, 0x45, 0x47, 0x48, 0x49)
GROUP_OPERATION, GROUP_JOB, GROUP_END = 0x01, 0x02, 0x03


def _attribute(tag, name, *values):
    data = b""
    for index, value in enumerate(values):
        key = name.encode() if index == 0 else b""
        if tag in (INTEGER, ENUM):
            value = struct.pack(">i", value)
        elif tag == BOOLEAN:
            value = bytes([value])
        else:
            value = value.encode()
        data += struct.pack(">BH", tag, len(key)) + key + struct.pack(">H", len(value)) + value
    return data


def request(operation, uri, *attributes, job=()):
    """Returns the bytes of a request about `uri`.

    An attribute is (tag, name, value, ...); the attributes of `job` describe a new job.
    """
    data = struct.pack(">BBHi", 2, 0, operation, 1) + bytes([GROUP_OPERATION])
    data += _attribute(CHARSET, "attributes-charset", "utf-8")
    data += _attribute(LANGUAGE, "attributes-natural-language", "en")
    if uri:
        data += _attribute(URI, "printer-uri", uri)
    for attribute in attributes:
        data += _attribute(*attribute)
    if job:
        data += bytes([GROUP_JOB]) + b"".join(_attribute(*attribute) for attribute in job)
    return data + bytes([GROUP_END])


def decode(data):
    """Returns the status of a response, and its groups after the operation group: each name → list of values.

    Collections are flattened: a member appears under its own name.
    """
    status, groups, at, name = struct.unpack_from(">H", data, 2)[0], [], 8, None
    while at < len(data):
        tag = data[at]
        if tag == GROUP_END:
            break
        if tag < 0x10:
            groups.append({})
            at += 1
            continue
        length = struct.unpack_from(">H", data, at + 1)[0]
        name = data[at + 3:at + 3 + length].decode() or name
        at += 3 + length
        length = struct.unpack_from(">H", data, at)[0]
        raw = data[at + 2:at + 2 + length]
        at += 2 + length
        value = struct.unpack(">i", raw)[0] if tag in (INTEGER, ENUM) else raw.decode(errors="replace")
        groups[-1].setdefault(name, []).append(value)
    return status, groups[1:]


class IPPError(Exception):
    """A response with an error status."""


class Client:
    """A persistent connection to `address`: ("127.0.0.1", 8631), or the path of a Unix socket."""

    def __init__(self, address, timeout=120):
        self.address, self.timeout = address, timeout
        self.connection = None

    def connect(self):
        if isinstance(self.address, str):
            self.connection = http.client.HTTPConnection("localhost", timeout=self.timeout)
            self.connection.sock = socket.socket(socket.AF_UNIX)
            self.connection.sock.settimeout(self.timeout)
            self.connection.sock.connect(self.address)
        else:
            self.connection = http.client.HTTPConnection(*self.address, timeout=self.timeout)
            self.connection.connect()

    def fetch(self, operation, uri, *attributes):
        """Sends a request and returns the length of the response, which is not decoded."""
        if self.connection is None:
            self.connect()
        self.connection.request("POST", "/", request(operation, uri, *attributes), {"Content-Type": "application/ipp"})
        response, length = self.connection.getresponse(), 0
        while piece := response.read(1 << 16):
            length += len(piece)
        return length

    def send(self, operation, uri, *attributes, job=(), document=b"", path="/"):
        """Sends a request and returns the groups of the response; raises `IPPError` for an error status."""
        if self.connection is None:
            self.connect()
        body = request(operation, uri, *attributes, job=job) + document
        self.connection.request("POST", path, body, {"Content-Type": "application/ipp"})
        response = self.connection.getresponse()
        answer = response.read()
        if response.status != 200:
            raise IPPError(f"HTTP {response.status}")
        status, groups = decode(answer)
        if status > 0xFF:
            raise IPPError(f"operation {operation:#06x} was answered with status {status:#06x}")
        return groups

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None
