"""The operations whose cost is counted."""
import os

from benchmarks import ipp
from benchmarks.documents import small_pdf
from benchmarks.programs import program

from .spool import Printsim, Spool, environment
from .trace import Traced

GROUPS = []
SIMULATED = ("color-laser", "mono-laser", "inkjet", "inkjet-duplex", "photo", "label", "roll")


def group(*names):
    """Declares a function that measures the operations `names`, in one spool. Groups run side by side."""
    def declare(function):
        GROUPS.append((names, function))
        return function
    return declare


class Measurement:
    """The measurements of a group, in a separate folder."""

    def __init__(self, folder, library, chosen, rounds, results):
        self.folder, self.library, self.chosen, self.rounds, self.results = folder, library, chosen, rounds, results

    def spool(self, printers, name="spool", **options):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        return Spool(folder, printers, self.library, **options)

    def keep(self, name, count, rounds=None, warm_up=0):
        """Calls a function that returns a program and its counts, and keeps the counts of all rounds."""
        if name not in self.chosen:
            return
        for _ in range(warm_up):
            count()
        self.results[name] = []
        for _ in range(rounds or self.rounds):
            traced, counts = count()
            self.results[name].append(counts)
        with open(os.path.join(self.folder, f"{name}.calls"), "w") as file:
            file.writelines(f"{line}\n" for line in traced.lines)

    def daemon(self, name, spool, operation, warm_up=2, rounds=None):
        """Measures what printd and its processes do during an operation."""
        self.keep(name, lambda: (spool.traced, spool.traced.count(operation)), rounds, warm_up)

    def command(self, name, words, env=None, rounds=3):
        """Measures a command from its start to its end."""
        def run():
            traced = Traced(words, os.path.join(self.folder, f"{name}.trace"), env=env or environment(self.folder))
            try:
                return traced, traced.all()
            finally:
                traced.stop()
        self.keep(name, run, rounds)


@group("printq --version", "printq queue", "printq submit", "printq why")
def commands(measure):
    """The commands of printq, beside a printd that is not counted."""
    printq = program("printq")
    measure.command("printq --version", [printq, "--version"])
    spool = measure.spool({"first": f"folder:{measure.folder}/out"}).prepare()
    spool.start(is_traced=False)
    with spool:
        spool.pause()
        document = small_pdf(measure.folder)
        job = spool.submit(document)
        measure.command("printq queue", [printq, "queue"], spool.env)
        measure.command("printq why", [printq, "why", str(job)], spool.env)
        measure.command("printq submit", [printq, "submit", document], spool.env)


@group("Print-Job of 1 KB", "Print-Job of 5 MiB", "Create-Job and Send-Document", "Get-Jobs of 1 job",
       "Get-Printer-Attributes", "Get-Job-Attributes", "Cancel-Job")
def requests(measure):
    """Requests to a printd with a paused printer."""
    spool = measure.spool({"first": f"folder:{measure.folder}/out"}).prepare()
    with spool.start():
        spool.pause()
        client, uri = spool.client, spool.uri()
        small, large = small_pdf(measure.folder), small_pdf(measure.folder, 5 << 20)
        jobs = []

        def submit(document=small):
            jobs.append(spool.submit(document))

        def create():
            job = client.send(ipp.CREATE_JOB, uri)[0]["job-id"][0]
            with open(small, "rb") as file:
                client.send(ipp.SEND_DOCUMENT, uri, (ipp.INTEGER, "job-id", job), (ipp.BOOLEAN, "last-document", True),
                            document=file.read())
            jobs.append(job)

        def cancel():
            client.send(ipp.CANCEL_JOB, uri, (ipp.INTEGER, "job-id", jobs.pop()))

        submit()
        measure.daemon("Get-Jobs of 1 job", spool, lambda: client.send(ipp.GET_JOBS, uri))
        measure.daemon("Get-Printer-Attributes", spool, lambda: client.send(ipp.GET_PRINTER_ATTRIBUTES, uri))
        measure.daemon("Get-Job-Attributes", spool, lambda: client.send(
            ipp.GET_JOB_ATTRIBUTES, uri, (ipp.INTEGER, "job-id", jobs[0])))
        measure.daemon("Print-Job of 1 KB", spool, submit)
        measure.daemon("Create-Job and Send-Document", spool, create)
        while len(jobs) < 20:
            submit()
        measure.daemon("Cancel-Job", spool, cancel)
        measure.daemon("Print-Job of 5 MiB", spool, lambda: submit(large))


@group("print to a folder", "print on a simulated printer", "print on an IPP printer")
def delivery(measure):
    """A job of one page from its submission until printd has nothing more to do."""
    os.mkdir(os.path.join(measure.folder, "out"))
    with Printsim(measure.folder) as device:
        spool = measure.spool({"folder": f"folder:{measure.folder}/out", "simulated": "printsim:color-laser",
                               "network": device.uri}).prepare()
        document = small_pdf(measure.folder)
        with spool.start():
            for printer, name in (("folder", "print to a folder"), ("simulated", "print on a simulated printer"),
                                  ("network", "print on an IPP printer")):
                measure.daemon(name, spool, lambda: spool.print(document, printer))


# The seconds of a count while idle, and the number of counts. What happens less often is in fewer than half of them.
IDLE, TIMES = 5, 3


@group("a minute idle, 1 printer")
def idle_alone(measure):
    """A printd without jobs."""
    idle(measure, "a minute idle, 1 printer", {"first": f"folder:{measure.folder}/out"})


@group("a minute idle, 7 simulated printers")
def idle_simulated(measure):
    """A printd and its printsim, after a job."""
    idle(measure, "a minute idle, 7 simulated printers", {name: f"printsim:{name}" for name in SIMULATED}, is_used=True)


def idle(measure, name, printers, is_used=False):
    spool = measure.spool(printers).prepare()
    with spool.start():
        if is_used:
            spool.print(small_pdf(measure.folder))
        spool.traced.settle()
        measure.keep(name, lambda: (spool.traced, spool.traced.idle(IDLE)), rounds=TIMES)
