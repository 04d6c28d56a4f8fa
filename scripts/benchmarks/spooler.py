"""Runs a separate printd in a separate folder."""
import json
import os
import subprocess

from . import ipp
from .answers import first_answer, free_port
from .programs import program


class Spooler:
    """A printd on the spool in `folder`, at a free loopback port. Its printers are paused, so that jobs wait.

    printd runs while the context is active; the spool is kept, so that printd can be started again.
    """

    printer = "color-laser"

    def __init__(self, folder, paused=True, arguments=()):
        self.folder, self.paused, self.arguments = folder, paused, list(arguments)
        self.process = None
        self.address = ("127.0.0.1", free_port())

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Starts printd, and returns when printd is listening and its printers are paused."""
        self.launch()
        ready = json.loads(self.process.stdout.readline())
        if not ready["ready"]:
            raise RuntimeError(f"printd does not start: {ready}")
        if self.paused:
            client = ipp.Client(self.socket)
            for group in client.send(ipp.CUPS_GET_PRINTERS, None, (ipp.KEYWORD, "requested-attributes", "printer-name")):
                client.send(ipp.PAUSE_PRINTER, f"ipp://localhost/printers/{group['printer-name'][0]}")
            client.close()

    def launch(self):
        """Starts printd without waiting."""
        os.makedirs(self.folder, exist_ok=True)
        host, port = self.address
        self.process = subprocess.Popen(
            [program("printd"), "--spool", self.folder, "--listen", f"{host}:{port}", *self.arguments], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))

    def wait_for_answer(self):
        """Waits until printd responds to a request."""
        first_answer(self)

    def stop(self):
        """Ends printd normally."""
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    @property
    def socket(self):
        """The path of the Unix socket."""
        return os.path.join(self.folder, "printd.sock")

    @property
    def uri(self):
        """The URI of the printer that gets the jobs."""
        return f"ipp://localhost/printers/{self.printer}"

    def memory(self, key):
        """Returns a figure from /proc/PID/status, such as `RssAnon` or `VmHWM`, in bytes."""
        with open(f"/proc/{self.process.pid}/status") as file:
            for line in file:
                if line.startswith(key + ":"):
                    return int(line.split()[1]) << 10
        raise KeyError(key)

    def reset_peak(self):
        """Sets `VmHWM` to the current memory use (proc(5), clear_refs)."""
        with open(f"/proc/{self.process.pid}/clear_refs", "w") as file:
            file.write("5")
