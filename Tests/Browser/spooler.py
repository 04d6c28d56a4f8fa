"""A printd with a spool in a temporary folder, for tests of the Print Center."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import zlib

PROGRAMS = os.environ.get("PRINTQ_PROGRAMS", ".build/debug")


class Spooler:
    """A printd, its simulated printers, and the commands that use them.

    listen: the TCP address; None leaves out the address, so that printd opens a port for the Print Center.
    """

    def __init__(self, speed="instant", listen="127.0.0.1:0", options=()):
        self.folder = tempfile.mkdtemp(prefix="printq-")
        self.spool = os.path.join(self.folder, "spool")
        self.environment = {
            **os.environ, "PRINTQ_SPOOL": self.spool, "HOME": self.folder, "TZ": "UTC", "LANG": "C.UTF-8",
            "PATH": f"{PROGRAMS}:/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
        }
        self.speed = speed
        self.options = options
        self.start(listen)

    def start(self, listen=None):
        """Starts printd, and waits until clients can connect."""
        self.log = open(os.path.join(self.folder, "printd.log"), "ab")
        self.process = subprocess.Popen(
            [f"{PROGRAMS}/printd", "--spool", self.spool, *(["--listen", listen] if listen else []),
             "--simulator-speed", self.speed, *self.options],
            stdout=subprocess.PIPE, stderr=self.log, env=self.environment, start_new_session=True)
        ready = json.loads(self.process.stdout.readline())
        assert ready["ready"], ready
        self.address = ready.get("tcp")

    def kill(self):
        """Ends printd as a crash does."""
        self.process.kill()
        self.process.wait()

    def restart(self):
        """Starts printd again on the same port."""
        self.start(self.address)

    def close(self):
        """Ends all processes, and removes the folder."""
        self.process.terminate()
        self.process.wait()
        for name in os.listdir("/proc"):
            try:
                command = open(f"/proc/{name}/cmdline").read()
                if name.isdigit() and self.folder in command and int(name) != os.getpid():
                    os.kill(int(name), signal.SIGKILL)
            except OSError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def origin(self):
        return f"http://{self.address}"

    def run(self, program, *arguments, code=0, input=""):
        """Runs a program, and returns its output."""
        run = subprocess.run(
            [program if program == "curl" else f"{PROGRAMS}/{program}", *arguments], env=self.environment, input=input,
            capture_output=True, text=True, timeout=60)
        assert run.returncode == code, f"{program} {arguments}: {run.returncode}\n{run.stdout}{run.stderr}"
        return run.stdout

    def printq(self, *arguments, code=0, input=""):
        return self.run("printq", *arguments, code=code, input=input)

    def submit(self, *arguments):
        """Submits a job, and returns its number."""
        return int(self.printq("submit", *arguments).split()[1])

    def fault(self, text, printer="color-laser"):
        """Injects a fault into a simulated printer of the spool."""
        self.control(printer, "fault", {"fault": text})

    def control(self, printer, command, body):
        """Controls a simulated printer of the spool through the API."""
        self.post(f"printers/{printer}/simulator/{command}", body)

    def post(self, path, body=None):
        """Sends a request to the API as the user of the tests."""
        self.run(
            "curl", "--fail-with-body", "--silent", "--unix-socket", f"{self.spool}/printd.sock",
            "--header", "Content-Type: application/json", "--data", json.dumps(body or {}),
            f"http://localhost/api/v1/{path}")

    def wait_for_event(self, kind, job):
        """Waits for an event of a job; an earlier event of the job counts too."""
        stream = subprocess.Popen(
            ["curl", "--silent", "--no-buffer", "--max-time", "60", "--unix-socket", f"{self.spool}/printd.sock",
             "http://localhost/api/v1/events?after=0"],
            env=self.environment, stdout=subprocess.PIPE, text=True)
        with stream:
            lines = (line.removeprefix("data: ") for line in stream.stdout if line.startswith("data: "))
            found = any(event.get("kind") == kind and event.get("job-id") == job for event in map(json.loads, lines))
            stream.kill()
        assert found, f"no event {kind} of job {job}"

    def login(self):
        """Returns an address that signs in once."""
        return self.printq("center", "--print").strip().splitlines()[-1].split()[-1]

    def pdf(self, name="report.pdf", pages=3, content=None):
        """Creates a PDF, and returns its path."""
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(pdf(pages, content))
        return path

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        return path


def pdf(pages, content=None, width=595, height=842):
    """Returns a PDF with numbered A4 pages.

    content: returns the drawing operators of a page with a number; None draws the number.
    """
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", None, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for number in range(1, pages + 1):
        text = content(number) if content else f"BT /F 72 Tf 60 700 Td (Page {number}) Tj ET"
        data = zlib.compress(text.encode())
        objects.append((f"<< /Length {len(data)} /Filter /FlateDecode >>", data))
        kids.append(len(objects) + 1)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents {len(objects)} 0 R "
            "/Resources << /Font << /F 3 0 R >> >> >>")
    objects[1] = f"<< /Type /Pages /Count {pages} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>"
    output, offsets = b"%PDF-1.4\n", []
    for number, item in enumerate(objects, 1):
        offsets.append(len(output))
        output += f"{number} 0 obj\n".encode()
        if isinstance(item, tuple):
            output += item[0].encode() + b"\nstream\n" + item[1] + b"\nendstream"
        else:
            output += item.encode()
        output += b"\nendobj\n"
    start = len(output)
    output += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    output += b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets)
    return output + f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
