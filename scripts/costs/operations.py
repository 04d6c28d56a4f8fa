"""The operations whose cost is counted."""
import http.client
import os
import shutil
import subprocess
import time

from benchmarks import ipp
from benchmarks.answers import free_port, wait_until
from benchmarks.center import address_to_open, signed_in
from benchmarks.documents import small_pdf, text_file
from benchmarks.postgres import Postgres
from benchmarks.programs import program

from .spool import Printsim, Spool, environment

GROUPS = []
SIMULATED = ("color-laser", "mono-laser", "inkjet", "inkjet-duplex", "photo", "label", "roll")


def group(*names):
    """Declares a function that measures the operations `names`, in one spool. Groups run side by side."""
    def declare(function):
        GROUPS.append((names, function))
        return function
    return declare


class Measurement:
    """The measurements of a group, in a separate folder. `counter` runs and counts programs."""

    def __init__(self, counter, folder, preload, chosen, rounds, results):
        self.counter, self.folder, self.preload = counter, folder, preload
        self.chosen, self.rounds, self.results = chosen, rounds, results

    def spool(self, printers, name="spool", **options):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        return Spool(folder, printers, lambda *words, **more: self.counter(*words, self.preload, **more), **options)

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

    def daemon(self, name, spool, operation, warm_up=2, rounds=None, pause=0):
        """Measures what printd and its processes do during an operation, `pause` seconds after the last round."""
        def run():
            time.sleep(pause)
            return spool.traced, spool.traced.count(operation)
        self.keep(name, run, rounds, warm_up)

    def command(self, name, words, env=None, rounds=3):
        """Measures a command from its start to its end."""
        def run():
            traced = self.counter(words, os.path.join(self.folder, f"{name}.trace"), self.preload,
                                  env=env or environment(self.folder))
            try:
                traced.wait()
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


@group("print a text", "print PostScript")
def conversions(measure):
    """A converted job of one page, with a converter that waits, until the next converter waits."""
    os.mkdir(os.path.join(measure.folder, "out"))
    spool = measure.spool({"folder": f"folder:{measure.folder}/out"}).prepare()
    postscript = os.path.join(measure.folder, "page.ps")
    subprocess.run(["pdftops", small_pdf(measure.folder), postscript], check=True)
    with spool.start():
        for name, document in (("print a text", text_file(measure.folder, 1)), ("print PostScript", postscript)):
            measure.daemon(name, spool, lambda: spool.print(document, "folder"), pause=2)


@group("import of 20 printers")
def imports(measure):
    """What printd does during 'printq import' of an export with 20 printers, which takes less time than caches last."""
    printers = {f"printer-{number}": f"folder:{measure.folder}/out-{number}" for number in range(20)}
    file = os.path.join(measure.folder, "export.json")
    source = measure.spool(printers, "source").prepare()
    with source.start(is_traced=False):
        subprocess.run([program("printq"), "export", file], check=True, env=source.env, stdout=subprocess.DEVNULL)
    spool = measure.spool({}, "target").prepare()
    with spool.start():
        measure.daemon("import of 20 printers", spool, lambda: subprocess.run(
            [program("printq"), "import", "--printers-only", file], check=True, env=spool.env, stdout=subprocess.DEVNULL),
            warm_up=0, rounds=1)


@group("start of printd", "start of printsim")
def starts(measure):
    """The daemons from their start until they are ready and only wait, with seven printers."""
    spool = measure.spool({name: f"printsim:{name}" for name in SIMULATED}).prepare()

    def start(log, words):
        traced = measure.counter(words, os.path.join(measure.folder, log), measure.preload, env=spool.env)
        try:
            traced.first_line()
            traced.settle()
            return traced, traced.all()
        finally:
            traced.stop()

    measure.keep("start of printd", lambda: start("printd.trace", spool.command()), rounds=3)
    measure.keep("start of printsim", lambda: start("printsim.trace", [
        program("printsim"), *SIMULATED, "--no-dns-sd", "--temporary", "--simulators", spool.simulators]), rounds=3)


@group("Get-Jobs of 5,000 jobs", "Get-Jobs of 5,000 jobs, all attributes")
def lists(measure):
    """Lists of a long queue."""
    spool = measure.spool({"first": f"folder:{measure.folder}/out"}).prepare()
    spool.start(is_traced=False)
    with spool:
        spool.pause()
        spool.submit(small_pdf(measure.folder))
    spool.fill(5_000)
    with spool.start():
        for name, attributes in (("Get-Jobs of 5,000 jobs", "job-id"), ("Get-Jobs of 5,000 jobs, all attributes", "all")):
            measure.daemon(name, spool, lambda: spool.client.fetch(
                ipp.GET_JOBS, spool.uri(), (ipp.KEYWORD, "requested-attributes", attributes)), warm_up=1, rounds=3)


@group("Print-Job of 1 KB, PostgreSQL", "print to a folder, PostgreSQL")
def database(measure):
    """Jobs of a printd whose queue is in PostgreSQL."""
    output = os.path.join(measure.folder, "out")
    os.mkdir(output)
    with Postgres(os.path.join(measure.folder, "database")) as server:
        store = server.create("spool")
        spool = measure.spool({}, arguments=["--store", store, "--host-name", "cost"], database_port=server.port)
        server.query("ALTER DATABASE spool SET log_statement = 'all'")
        with spool.start():
            spool.traced.count_log(os.path.join(server.folder, "log"))
            for name in ("paused", "folder"):
                subprocess.run([program("printq"), "printers", "add", name, f"folder:{output}"], check=True, env=spool.env,
                               stdout=subprocess.DEVNULL)
            spool.client.send(ipp.PAUSE_PRINTER, spool.uri("paused"))
            document = small_pdf(measure.folder)

            def deliver():
                before = len(os.listdir(output))
                spool.submit(document, "folder")
                wait_until(lambda: len(os.listdir(output)) > before)

            # A second after the last job, printd counts again what the user's jobs on all hosts need.
            measure.daemon("Print-Job of 1 KB, PostgreSQL", spool, lambda: spool.submit(document, "paused"), pause=1.1)
            measure.daemon("print to a folder, PostgreSQL", spool, deliver)


@group("a page image", "load of the Print Center")
def center(measure):
    """The Print Center: the image of a page, and all requests of a page in Chromium."""
    spool = measure.spool({"first": f"folder:{measure.folder}/out"}).prepare()
    with spool.start():
        spool.pause()
        document = small_pdf(measure.folder)
        jobs = [spool.submit(document) for _ in range(measure.rounds + 2)]
        headers = signed_in(spool)

        def image():
            connection = http.client.HTTPConnection(*spool.address)
            connection.request("GET", f"/api/v1/jobs/{jobs.pop()}/pages/1/image?side=document&dpi=24", headers=headers)
            response = connection.getresponse()
            if response.read(4) != b"\x89PNG":
                raise RuntimeError(f"no image, but the status {response.status}: {response.read()[:300]}")
            connection.close()

        def load():
            address = address_to_open(spool)
            browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={measure.folder}/browser",
                       "--virtual-time-budget=5000", "--dump-dom", address]
            counts = spool.traced.count(lambda: subprocess.run(
                browser, check=True, env=spool.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            shutil.rmtree(os.path.join(measure.folder, "browser"))
            return spool.traced, counts

        measure.daemon("a page image", spool, image)
        measure.keep("load of the Print Center", load, rounds=3, warm_up=1)


# The seconds of a count while idle. The lowest of three counts has only what happens at least as often.
IDLE = 5


@group("a minute idle, 1 printer")
def idle_alone(measure):
    """A printd without jobs."""
    idle(measure, "a minute idle, 1 printer", {"first": f"folder:{measure.folder}/out"})


@group("a minute idle, 7 simulated printers")
def idle_simulated(measure):
    """A printd and its printsim, after a job."""
    idle(measure, "a minute idle, 7 simulated printers", {name: f"printsim:{name}" for name in SIMULATED},
         lambda spool: spool.print(small_pdf(measure.folder)))


def idle(measure, name, printers, prepare=lambda spool: None):
    spool = measure.spool(printers).prepare()
    with spool.start():
        prepare(spool)
        measure.keep(name, lambda: (spool.traced, spool.traced.idle(IDLE)), rounds=3)


@group("20 s with jobs for 10 printers that refuse connections")
def refused(measure):
    """A job for each of ten printers that refuse connections, and the attempts of 20 seconds."""
    port = free_port()
    spool = measure.spool({f"closed-{number}": f"ipp://127.0.0.1:{port}/{number}" for number in range(10)}).prepare()
    document = small_pdf(measure.folder)

    def submit():
        for name in spool.printers:
            spool.submit(document, name)
        time.sleep(20)

    with spool.start():
        # The first job opens connections to the database, and looks for programs.
        job = spool.submit(document, next(iter(spool.printers)))
        spool.traced.settle()
        spool.client.send(ipp.CANCEL_JOB, spool.uri(), (ipp.INTEGER, "job-id", job))
        measure.daemon("20 s with jobs for 10 printers that refuse connections", spool, submit, warm_up=0, rounds=1)
