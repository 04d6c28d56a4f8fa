"""A printsim with one printer, for tests of its Print Center."""

import json
import re
import shutil
import subprocess
import tempfile
import urllib.parse
import urllib.request

from spooler import PROGRAMS


class Simulator:
    """A printsim with one printer, which prints at once."""

    def __init__(self, printer="mono-laser", speed="instant"):
        self.folder = tempfile.mkdtemp(prefix="printq-")
        self.process = subprocess.Popen(
            [f"{PROGRAMS}/printsim", printer, "--output", self.folder, "--no-dns-sd", "--no-tls", "--speed", speed],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.uri = json.loads(self.process.stdout.readline())["printers"][0]["uri"]

    @property
    def origin(self):
        """The address whose cookies the session has."""
        return f"http://127.0.0.1:{urllib.parse.urlparse(self.uri).port}"

    def print(self, document, name="letter.pdf", sides="one-sided"):
        """Sends a PDF to the printer as an IPP client does."""
        request = urllib.request.Request(
            self.origin + urllib.parse.urlparse(self.uri).path, print_job(self.uri, name, sides) + document,
            {"Content-Type": "application/ipp"})
        status = urllib.request.urlopen(request, timeout=60).read()[2:4]
        assert status < b"\x01\x00", status

    def control(self, *command):
        """Runs a command of printsim for the printer."""
        subprocess.run([f"{PROGRAMS}/printsim", *command, "--at", self.uri], check=True, timeout=60)

    def login(self):
        """Returns an address that signs in once."""
        output = subprocess.run([f"{PROGRAMS}/printsim", "center", "--at", self.uri], capture_output=True, text=True, check=True).stdout
        return re.search(r"http://\S+/open\?token=\S+", output).group(0)

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def print_job(uri, name, sides):
    """Returns a Print-Job request without its document (RFC 8011 §4.2.1)."""
    def attribute(tag, key, value):
        return bytes([tag]) + b"".join(len(part).to_bytes(2, "big") + part for part in (key.encode(), value.encode()))
    return (
        b"\x02\x00\x00\x02\x00\x00\x00\x01\x01" + attribute(0x47, "attributes-charset", "utf-8")
        + attribute(0x48, "attributes-natural-language", "en") + attribute(0x45, "printer-uri", uri)
        + attribute(0x42, "requesting-user-name", "ann") + attribute(0x42, "job-name", name)
        + attribute(0x49, "document-format", "application/pdf") + b"\x02" + attribute(0x44, "sides", sides) + b"\x03")
