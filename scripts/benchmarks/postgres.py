"""Runs a separate PostgreSQL server in a separate folder."""
import glob
import os
import pwd
import subprocess

from .answers import free_port

PROGRAMS = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]), default="")


class Postgres:
    """A PostgreSQL server with its data in `folder`, at a free loopback port, with durable commits.

    The server runs as the user `postgres` if the current user is root, because it refuses to run as root.
    """

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.data = os.path.join(folder, "data")
        self.process = None

    def __enter__(self):
        if not PROGRAMS:
            raise RuntimeError("PostgreSQL is not installed; install the Debian package 'postgresql'")
        os.makedirs(self.folder, exist_ok=True)
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "--no-instructions", "--no-locale", "-E", "UTF8")
        options = f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories={self.folder} -c max_connections=100"
        self.run("pg_ctl", "-s", "-w", "-D", self.data, "-l", os.path.join(self.folder, "log"), "-o", options, "start")
        return self

    def __exit__(self, *_):
        self.run("pg_ctl", "-s", "-w", "-m", "immediate", "-D", self.data, "stop")

    def run(self, program, *arguments):
        """Runs a program of PostgreSQL, and returns its output."""
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
        return subprocess.run(user + [os.path.join(PROGRAMS, program), *arguments], check=True, text=True, cwd="/",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    def query(self, sql, database="postgres"):
        """Runs statements with psql, and returns the rows as text."""
        return self.run("psql", "-XAtq", "-h", self.folder, "-p", str(self.port), "-U", "postgres", "-v", "ON_ERROR_STOP=1",
                        "-d", database, "-c", sql)

    def create(self, database):
        """Creates a database, and returns its URI."""
        self.query(f"CREATE DATABASE {database}")
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def insert_rate(self, database, clients, seconds):
        """Returns the durable transactions per second that insert a job, a document and an event into plain tables."""
        self.query("CREATE TABLE IF NOT EXISTS plain_jobs (id bigserial PRIMARY KEY, ticket text);"
                   "CREATE TABLE IF NOT EXISTS plain_documents (job bigint, content bytea);"
                   "CREATE TABLE IF NOT EXISTS plain_events (sequence bigserial PRIMARY KEY, job bigint, message text)",
                   database)
        script = os.path.join(self.folder, "insert.sql")
        with open(script, "w") as file:
            file.write("WITH job AS (INSERT INTO plain_jobs (ticket) VALUES (repeat('t', 300)) RETURNING id),\n"
                       "document AS (INSERT INTO plain_documents SELECT id, repeat('d', 1024)::bytea FROM job)\n"
                       "INSERT INTO plain_events (job, message) SELECT id, 'created' FROM job;\n")
        os.chmod(script, 0o644)
        output = self.run("pgbench", "-n", "-f", script, "-c", str(clients), "-j", "2", "-T", str(seconds), "-M", "prepared",
                          "-h", self.folder, "-p", str(self.port), "-U", "postgres", database)
        return float(next(line for line in output.splitlines() if line.startswith("tps")).split()[2])
