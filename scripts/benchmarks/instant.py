"""An IPP printer that prints at once, and records when it receives jobs and documents."""
import http.server
import statistics
import struct
import threading
import time

from . import ipp

ATTRIBUTES = (
    (ipp.ENUM, "printer-state", 3),
    (ipp.KEYWORD, "printer-state-reasons", "none"),
    (ipp.BOOLEAN, "printer-is-accepting-jobs", True),
    (ipp.MIME_TYPE, "document-format-supported", "application/pdf"),
    (ipp.KEYWORD, "media-supported", "iso_a4_210x297mm"),
    (ipp.KEYWORD, "media-default", "iso_a4_210x297mm"),
    (ipp.KEYWORD, "sides-supported", "one-sided"),
)
SUCCESS, NOT_FOUND, NOT_SUPPORTED = 0x0000, 0x0406, 0x0501


class InstantPrinter:
    """A printer on a free loopback port. A job is completed when its document has arrived."""

    def __enter__(self):
        printer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                first = len(self.rfile.peek(1)) and time.perf_counter()
                body = b"".join(self.pieces())
                answer = printer.answer(body, first)
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\n"
                                 b"Content-Length: %d\r\n\r\n%s" % (len(answer), answer))

            def pieces(self):
                if self.headers.get("Transfer-Encoding") != "chunked":
                    yield self.rfile.read(int(self.headers.get("Content-Length", 0)))
                    return
                while size := int(self.rfile.readline(), 16):
                    yield self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.uri = f"ipp://127.0.0.1:{self.server.server_port}/ipp/print"
        # For each job: the times of Create-Job, of the first bytes of its document, and of the end of its document.
        self.jobs = []
        self.ended = threading.Condition()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, body, first):
        """Returns the response to a request whose first bytes arrived at the time `first`."""
        operation, at = struct.unpack_from(">H", body, 2)[0], body.find(b"\x21\x00\x06job-id\x00\x04")
        job = struct.unpack_from(">i", body, at + 11)[0] if at >= 0 else None
        status, group, attributes = SUCCESS, ipp.GROUP_JOB, ()
        if operation == ipp.GET_PRINTER_ATTRIBUTES:
            group, attributes = 0x04, ATTRIBUTES
        elif operation == ipp.CREATE_JOB:
            self.jobs.append([time.perf_counter(), None, None])
            attributes = self.attributes(len(self.jobs))
        elif job is None or not 0 < job <= len(self.jobs):
            status = NOT_FOUND if job is not None else NOT_SUPPORTED
        elif operation == ipp.SEND_DOCUMENT:
            with self.ended:
                self.jobs[job - 1][1:] = [first, time.perf_counter()]
                self.ended.notify_all()
            attributes = self.attributes(job)
        elif operation == ipp.GET_JOB_ATTRIBUTES:
            attributes = self.attributes(job)
        else:
            status = NOT_SUPPORTED
        return (struct.pack(">BBH", 2, 0, status) + body[4:8] + bytes([ipp.GROUP_OPERATION])
                + ipp._attribute(ipp.CHARSET, "attributes-charset", "utf-8")
                + ipp._attribute(ipp.LANGUAGE, "attributes-natural-language", "en")
                + (bytes([group]) + b"".join(ipp._attribute(*each) for each in attributes) if attributes else b"")
                + bytes([ipp.GROUP_END]))

    def attributes(self, job):
        is_ended = self.jobs[job - 1][2] is not None
        return (
            (ipp.INTEGER, "job-id", job), (ipp.URI, "job-uuid", f"urn:uuid:00000000-0000-4000-8000-{job:012}"),
            (ipp.ENUM, "job-state", 9 if is_ended else 3),
            (ipp.KEYWORD, "job-state-reasons", "job-completed-successfully" if is_ended else "job-incoming"),
            (ipp.INTEGER, "job-impressions-completed", int(is_ended)))

    def wait(self, count):
        """Waits until `count` jobs have ended."""
        with self.ended:
            if not self.ended.wait_for(lambda: sum(job[2] is not None for job in self.jobs) >= count, 60):
                raise RuntimeError(f"the printer has not received {count} documents")

    def gap(self, jobs):
        """Returns the median time from the end of a document to the start of the next, in ms, for the last `jobs`."""
        times = self.jobs[-jobs:]
        return statistics.median(next[1] - job[2] for job, next in zip(times, times[1:])) * 1000
