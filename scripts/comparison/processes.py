"""Runs programs under limits of time and memory."""
import os
import signal
import subprocess

MEMORY = 6 << 30  # PDFium draws a white page when it gets no memory


class Run:
    """The result of a program: its output, the end of its error output, and the reason if it ended early."""

    def __init__(self, command, seconds, line=None, limited=True):
        if limited:
            command = ["prlimit", f"--as={MEMORY}", "--core=0", "--", *command]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
        self.is_late = False
        try:
            output, complaints = process.communicate((line or "").encode(), timeout=seconds)
        except subprocess.TimeoutExpired:
            self.is_late = True
            os.killpg(process.pid, signal.SIGKILL)
            output, complaints = process.communicate()
        self.code = process.returncode
        self.output = output.decode(errors="replace")
        self.complaints = complaints.decode(errors="replace").strip()[-500:]
        self.seconds = seconds

    @property
    def failure(self):
        """The reason why the program ended early; empty if the program ended normally."""
        if self.is_late:
            return f"took more than {self.seconds} s"
        if self.code < 0:
            return f"ended by signal {-self.code}"
        if self.code > 0:
            return self.complaints.splitlines()[-1] if self.complaints else f"ended with {self.code}"
        return ""
