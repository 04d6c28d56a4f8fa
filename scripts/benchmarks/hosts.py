"""Measures hosts that share a queue in PostgreSQL: submissions, claims, and a long history."""
import contextlib
import os
import time
from concurrent.futures import ThreadPoolExecutor

from . import disk
from .depth import ENDED, compare, submit_and_cancel, time_to_claim
from .documents import small_pdf
from .measure import in_turn, ratio, show
from .postgres import Postgres
from .spooler import Spooler
from .submit import rate, submit

CLIENTS = 8
MANY = 64
JOBS = 2000


def host(folder, store, number):
    """Returns a host with the queue in the database `store`."""
    return Spooler(os.path.join(folder, f"host-{number}"), paused=number == 1,
                   arguments=["--store", store, "--host-name", f"host-{number}"])


def total_rate(servers, folder, document):
    """Submits jobs to all hosts at the same time, over eight connections each; returns all jobs per second."""
    disk.warm_up(folder)
    start = time.perf_counter()
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda server: submit(server, document, CLIENTS, JOBS), servers))
    return JOBS * len(servers) / (time.perf_counter() - start)


def bench_hosts(folder, runs):
    """Measures durable submissions of 1 KB to 1, 2 and 3 hosts, to SQLite on one host, and plain inserts of the database.

    A transaction contains the jobs that arrived during the transaction before. Therefore many clients also submit to one host.
    """
    disk.must_be_a_disk(folder)
    document, runs = small_pdf(folder), min(runs, 5)
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(Postgres(os.path.join(folder, "database")))
        store = database.create("spool")
        hosts = [stack.enter_context(host(folder, store, number)) for number in (1, 2, 3)]
        alone = stack.enter_context(Spooler(os.path.join(folder, "sqlite")))
        figures = in_turn({
            "sqlite": lambda: rate(alone, folder, document, CLIENTS, JOBS),
            **{count: lambda count=count: total_rate(hosts[:count], folder, document) for count in (1, 2, 3)},
            "inserts": lambda: database.insert_rate("spool", CLIENTS, 3),
            "many": lambda: rate(hosts[0], folder, document, MANY, JOBS),
            "many inserts": lambda: database.insert_rate("spool", MANY, 3),
        }, runs)
        sqlite = show("hosts: SQLite on one host, 8 clients", figures["sqlite"], "jobs/s")
        inserts = show("hosts: plain inserts of the database, 8 clients", figures["inserts"], "a second")
        for count in (1, 2, 3):
            found = show(f"hosts: {count} on PostgreSQL, 8 clients each", figures[count], "jobs/s")
            ratio(f"hosts: {count} / SQLite", found / sqlite)
            ratio(f"hosts: {count} / plain inserts", found / inserts)
        many = show(f"hosts: 1 on PostgreSQL, {MANY} clients", figures["many"], "jobs/s")
        ratio(f"hosts: 1 / plain inserts, {MANY} clients",
              many / show(f"hosts: plain inserts of the database, {MANY} clients", figures["many inserts"], "a second"))
        claims = in_turn({"postgresql": lambda: time_to_claim(hosts[0], document) * 1000,
                          "sqlite": lambda: time_to_claim(alone, document) * 1000}, runs)
        show("hosts: claim of the next job, PostgreSQL", claims["postgresql"], "ms")
        show("hosts: claim of the next job, SQLite", claims["sqlite"], "ms")


def write_history(database, name, count):
    """Adds ended jobs to a database whose hosts are stopped, as copies of an ended job."""
    columns = database.query("SELECT string_agg(column_name, ',') FROM information_schema.columns "
                             "WHERE table_name = 'jobs' AND table_schema = 'public' AND column_name <> 'id'",
                             name).strip().split(",")
    changed = {"uuid": "'urn:uuid:' || gen_random_uuid()", "submission_id": "NULL", "owner": "'user' || (n % 100)",
               "created_at": "jobs.completed_at - n / 10.0", "completed_at": "jobs.completed_at - n / 10.0"}
    selected = ", ".join(changed.get(column, "jobs." + column) for column in columns)
    database.query(f"""
        INSERT INTO jobs ({", ".join(columns)}) SELECT {selected}
        FROM generate_series({count}, 1, -1) AS n, (SELECT * FROM jobs WHERE state >= 7 ORDER BY id LIMIT 1) AS jobs;
        INSERT INTO documents (job_id, number, name, format, bytes)
        SELECT id, 1, 'bench.pdf', 'application/pdf', 1024 FROM jobs
        WHERE NOT EXISTS (SELECT FROM documents WHERE job_id = jobs.id)""", name)
    # A history that grew over months is vacuumed. Here, autovacuum would run during the measurement.
    database.query("VACUUM (ANALYZE)", name)


def bench_hosts_history(folder, runs):
    """Measures with 1,000,000 jobs in the history of the database: submit, cancel, and claim."""
    document = small_pdf(folder)
    with Postgres(os.path.join(folder, "database")) as database:
        stores = {side: database.create(side) for side in ("deep", "shallow")}
        deep, shallow = (
            Spooler(os.path.join(folder, side), arguments=["--store", store, "--host-name", side])
            for side, store in stores.items())
        with deep:
            submit_and_cancel(deep, document)
        write_history(database, "deep", ENDED)
        with open(os.path.join(deep.folder, "printd.json5"), "w") as file:
            file.write("{keepJobs: 10000000, keepDays: 3650}\n")
        with deep, shallow:
            compare(f"hosts, history {ENDED}", deep, shallow, document, runs)


BENCHMARKS = {"hosts": bench_hosts, "hosts-history": bench_hosts_history}
