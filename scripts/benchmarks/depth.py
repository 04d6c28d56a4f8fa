"""Measures submitting, canceling and listing jobs with a long queue and with a long history."""
import os
import shutil
import sqlite3
import time

from . import ipp
from .cupsd import Cupsd
from .documents import small_pdf
from .measure import in_turn, judge, run, show
from .programs import program
from .spooler import Spooler
from .submit import submit

WAITING = 20_000
ENDED = 1_000_000
BATCH = 200
MIB = 1 << 20
# The attributes that `lpstat -o` requests.
LISTED = ("job-id", "job-k-octets", "job-name", "job-originating-user-name", "job-printer-uri", "job-state",
          "time-at-creation")


def submit_and_cancel(server, document):
    """Submits jobs over one connection and cancels the jobs; returns the seconds of each part."""
    first = submit(server, document, 1, BATCH)
    client = ipp.Client(server.address)
    start = time.perf_counter()
    for job in range(first["first"], first["last"] + 1):
        client.send(ipp.CANCEL_JOB, server.uri, (ipp.INTEGER, "job-id", job), (ipp.NAME, "requesting-user-name", "bench"))
    seconds = time.perf_counter() - start
    client.close()
    return first["seconds"], seconds


def time_to_claim(server, document):
    """Submits an urgent job and resumes the printer; returns the seconds until the job is in progress."""
    client = ipp.Client(server.socket)
    with open(document, "rb") as file:
        data = file.read()
    group = client.send(ipp.PRINT_JOB, server.uri, job=((ipp.INTEGER, "job-priority", 100),), document=data)[0]
    job = (ipp.INTEGER, "job-id", group["job-id"][0])
    start = time.perf_counter()
    client.send(ipp.RESUME_PRINTER, server.uri)
    while client.send(ipp.GET_JOB_ATTRIBUTES, server.uri, job, (ipp.KEYWORD, "requested-attributes", "job-state"))[0][
            "job-state"] == [3]:
        pass
    seconds = time.perf_counter() - start
    client.send(ipp.PAUSE_PRINTER, server.uri)
    while client.send(ipp.GET_JOB_ATTRIBUTES, server.uri, job, (ipp.KEYWORD, "requested-attributes", "job-state"))[0][
            "job-state"][0] < 7:
        time.sleep(0.01)
    client.close()
    return seconds


def compare(label, deep, shallow, document, runs):
    """Prints the ratios of the times for submitting, canceling and claiming on two sides."""
    parts = {}
    for server in (deep, shallow):
        submit_and_cancel(server, document)  # what every submission needs is there
    figures = in_turn({"deep": lambda: submit_and_cancel(deep, document),
                       "shallow": lambda: submit_and_cancel(shallow, document)}, runs)
    for server in (deep, shallow):
        time_to_claim(server, document)
    # A claim is short, so its time needs more rounds.
    claims = in_turn({"deep": lambda: time_to_claim(deep, document),
                      "shallow": lambda: time_to_claim(shallow, document)}, 8 * runs)
    for index, part in enumerate(("submit", "cancel")):
        parts[part] = [[pair[index] * 1000 / BATCH for pair in figures[side]] for side in ("deep", "shallow")]
    parts["claim"] = [[seconds * 1000 for seconds in claims[side]] for side in ("deep", "shallow")]
    for part, (ours, bare) in parts.items():
        there = show(f"{label}: {part}, a job", ours, "ms")
        none = show(f"{label}: {part}, a job, with none", bare, "ms")
        judge(f"{label}: {part} / with none", there / none, at_most=1.3)


def first_screen(server):
    """Measures `printq queue` from start to exit."""
    return run([program("printq"), "queue"], env=dict(os.environ, PRINTQ_SPOOL=server.folder))[0]


def bench_depth(folder, runs):
    """Measures with 20,000 waiting jobs: submit, cancel, claim, the first screen, and the whole list."""
    document = small_pdf(folder)
    with Spooler(os.path.join(folder, "deep")) as deep, Spooler(os.path.join(folder, "shallow")) as shallow, \
            Cupsd(os.path.join(folder, "cups"), False) as peer:
        for server in (deep, peer):
            submit(server, document, 8, WAITING)
        compare(f"depth {WAITING}", deep, shallow, document, runs)
        lpstat = ["lpstat", "-h", f"{peer.address[0]}:{peer.address[1]}", "-o"]
        figures = in_turn({"ours": lambda: first_screen(deep), "none": lambda: first_screen(shallow),
                           "peer": lambda: run(lpstat)[0]}, min(runs, 5))
        own = show(f"depth {WAITING}: first screen, printq queue", figures["ours"], "s")
        show("depth: the same with none", figures["none"], "s")
        other = show(f"depth {WAITING}: lpstat -o at cupsd", figures["peer"], "s")
        judge("depth: lpstat -o at cupsd / first screen", other / own, at_least=20)
        whole_list(deep, min(runs, 5))


def whole_list(server, runs):
    """Measures Get-Jobs of all jobs, as requested by `lpstat -o`, and the memory growth of printd; then the commands."""
    client = ipp.Client(server.address)
    seconds, growth = [], []
    for _ in range(runs):
        server.reset_peak()
        before = server.memory("VmRSS")
        start = time.perf_counter()
        jobs = client.fetch(ipp.GET_JOBS, "ipp://localhost/", (ipp.KEYWORD, "requested-attributes", *LISTED))
        seconds.append(time.perf_counter() - start)
        growth.append((server.memory("VmHWM") - before) / MIB)
    client.close()
    show(f"depth: Get-Jobs of all ({jobs / MIB:.1f} MiB)", seconds, "s")
    show("depth: growth of printd meanwhile", growth, "MiB")
    env = dict(os.environ, PRINTQ_SPOOL=server.folder)
    host, port = server.address
    lists = in_turn({"ours": lambda: run([program("printq"), "queue", "--all"], env=env)[0],
                     "peer": lambda: run(["lpstat", "-h", f"{host}:{port}", "-o"])[0]}, runs)
    own = show("depth: printq queue --all", lists["ours"], "s")
    other = show("depth: lpstat -o at printd", lists["peer"], "s")
    judge("depth: printq queue --all / lpstat -o at printd", own / other, at_most=1)


def write_history(folder, count):
    """Adds ended jobs to the database of a spool whose printd is stopped, as copies of an ended job."""
    database = sqlite3.connect(os.path.join(folder, "spool.sqlite"), isolation_level=None)
    columns = [row[1] for row in database.execute("PRAGMA table_info(jobs)")]
    first, last, now = database.execute("SELECT MIN(id), MAX(id), MAX(completed_at) FROM jobs WHERE state >= 7").fetchone()
    changed = {"id": "NULL", "uuid": "'urn:uuid:' || lower(hex(randomblob(16)))", "submission_id": "NULL",
               "owner": "'user' || (n % 100)", "created_at": f"{now} - n / 10.0", "completed_at": f"{now} - n / 10.0"}
    database.execute("PRAGMA cache_size = -400000")
    database.execute("BEGIN")
    # The oldest job first, in the order of submission.
    database.execute(f"""
        WITH RECURSIVE numbers (n) AS (SELECT {count} UNION ALL SELECT n - 1 FROM numbers WHERE n > 1)
        INSERT INTO jobs ({", ".join(columns)})
        SELECT {", ".join(changed.get(name, "jobs." + name) for name in columns)} FROM numbers, jobs WHERE jobs.id = {first}
        """)
    database.execute("""
        INSERT INTO events (job_id, printer, time, kind, state, message)
        SELECT id, printer, completed_at, 'job-completed', state, 'Printed' FROM jobs WHERE id > ?""", (last,))
    database.execute("""
        INSERT INTO documents (job_id, number, name, format, bytes)
        SELECT id, 1, 'bench.pdf', 'application/pdf', 1024 FROM jobs WHERE id > ?""", (last,))
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def bench_history(folder, runs):
    """Measures with 1,000,000 jobs in the history: submit, cancel, claim, the first screens of queue and history."""
    document = small_pdf(folder)
    deep, shallow = Spooler(os.path.join(folder, "deep")), Spooler(os.path.join(folder, "shallow"))
    with deep:
        submit_and_cancel(deep, document)
    write_history(deep.folder, ENDED)
    with open(os.path.join(deep.folder, "printd.json5"), "w") as file:
        file.write("{keepJobs: 10000000, keepDays: 3650}\n")
    start = time.perf_counter()
    with deep:
        show(f"history {ENDED}: start of printd", [time.perf_counter() - start], "s")
        with shallow:
            compare(f"history {ENDED}", deep, shallow, document, runs)
            for arguments in (["queue"], ["log"], ["log", "--mine"], ["log", "-d", "mono-laser"]):
                figures = in_turn({side: lambda server=server: run([program("printq"), *arguments], env=dict(
                    os.environ, PRINTQ_SPOOL=server.folder))[0] for side, server in (("deep", deep), ("none", shallow))}, runs)
                name = f"history: printq {' '.join(arguments)}"
                ratio = show(name, figures["deep"], "s") / show(f"{name}, with none", figures["none"], "s")
                judge(f"{name} / with none", ratio, at_most=1.3)
    shutil.rmtree(deep.folder)


BENCHMARKS = {"depth": bench_depth, "history": bench_history}
