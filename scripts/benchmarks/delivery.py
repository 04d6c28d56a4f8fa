"""Measures the delivery of jobs: by `lp` through cupsd, by printq through that cupsd, and by printq alone."""
import os
import subprocess
import time

from .cupsd import Cupsd
from .documents import text_pdf
from .measure import in_turn, ratio, show
from .printers import Printsim, until_idle
from .programs import program
from .spooler import Spooler

# cupsd needs more than a second per job. Fewer jobs give the same ratios in less time.
JOBS = int(os.environ.get("PRINTQ_BENCH_JOBS", "200"))


class PrintingCupsd(Cupsd):
    """cupsd with a driverless queue (`lpadmin -m everywhere`) that prints on a printer."""

    def __init__(self, folder, printer_uri):
        super().__init__(folder, durable=False)
        self.printer_uri = printer_uri

    def start(self):
        super().start()
        self.host = f"localhost:{self.port}"
        subprocess.run(["lpadmin", "-h", self.host, "-p", "driverless", "-E", "-v", self.printer_uri, "-m", "everywhere"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=administrator())
        # cupsd stores the capabilities of the queue after its response.
        while not os.path.exists(os.path.join(self.folder, "conf", "ppd", "driverless.ppd")):
            time.sleep(0.01)


def administrator():
    return dict(os.environ, PATH=f"{os.environ['PATH']}:/usr/sbin")


def processor_seconds(process):
    """Returns the processor time of a process and of all its ended children, in seconds."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


class Way:
    """A path of a document to the printer: the submitting command, and the daemons on the path."""

    def __init__(self, printer, command, daemons, env=None):
        self.printer, self.command, self.daemons = printer, command, daemons
        self.env = dict(os.environ, **(env or {}))

    def print_all(self):
        """Submits the jobs in turn; returns the seconds and the daemons' processor time until all jobs are printed."""
        before, start = sum(map(processor_seconds, self.daemons)), time.perf_counter()
        goal = self.printed() + JOBS
        for _ in range(JOBS):
            subprocess.run(self.command, check=True, stdout=subprocess.DEVNULL, env=self.env)
        while self.printed() < goal:
            time.sleep(0.01)
        until_idle(self.printer)
        # The daemons' work after the end of a job counts too.
        return time.perf_counter() - start, sum(map(processor_seconds, self.daemons)) - before

    def printed(self):
        """Returns the number of ended jobs in the printer's log."""
        log = os.path.join(self.printer.folder, "color-laser", "printer.log")
        if not os.path.exists(log):
            return 0  # before the first job
        with open(log) as file:
            return sum('"completed"' in line for line in file)


def bench_delivery(folder, runs):
    """Measures 200 jobs of one page, submitted in turn, until the same simulated printer has printed all jobs."""
    document = text_pdf(folder, 1)
    with Printsim(os.path.join(folder, "printer")) as printer, \
            PrintingCupsd(os.path.join(folder, "cups"), printer.uri) as cupsd, \
            Spooler(os.path.join(folder, "spool"), paused=False) as spooler:
        submit = [program("printq"), "submit", "--spool", spooler.folder]
        for name, uri in (("straight", printer.uri), ("by-cups", f"cups://{cupsd.host}/driverless")):
            subprocess.run([program("printq"), "printers", "add", name, uri, "--spool", spooler.folder],
                           check=True, stdout=subprocess.DEVNULL)
        ways = {
            "lp, cupsd": Way(printer, ["lp", "-h", cupsd.host, "-d", "driverless", document], [cupsd.process]),
            "printq": Way(printer, submit + ["-d", "straight", document], [spooler.process]),
            "printq, cupsd": Way(printer, submit + ["-d", "by-cups", document], [spooler.process, cupsd.process]),
        }
        found = in_turn({name: way.print_all for name, way in ways.items()}, runs)
    wall, cpu = {}, {}
    for name, figures in found.items():
        wall[name] = show(f"delivery: {name}, a job", [each[0] * 1000 / JOBS for each in figures], "ms")
        cpu[name] = show(f"delivery: {name}, processor of the daemons", [each[1] * 1000 / JOBS for each in figures], "ms")
    for name in ("printq", "printq, cupsd"):
        ratio(f"delivery: ({name}) / (lp, cupsd)", wall[name] / wall["lp, cupsd"],
              f"(cpu {cpu[name] / cpu['lp, cupsd']:.3f})")
    extra = (wall["printq, cupsd"] - wall["lp, cupsd"], cpu["printq, cupsd"] - cpu["lp, cupsd"])
    ratio("delivery: printq before cupsd adds to a job, ms", extra[0], f"(cpu {extra[1]:.3f})")


BENCHMARKS = {"delivery": bench_delivery}
