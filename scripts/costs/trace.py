"""Runs programs under strace, and counts what they do."""
import collections
import os
import re
import signal
import subprocess
import sys
import time

# What is counted. `scripts/cost --help` explains the kinds.
KINDS = {
    "system calls": "without calls that wait, allocate memory, or depend on the scheduler",
    "look-ups": "stat, access, readlink and the like, by path",
    "opens": "files and folders that are opened, or are not there",
    "folders": "reads of folders",
    "fsyncs": "fsync, fdatasync and the like",
    "statements": "SQL statements: of SQLite in the process, or of PostgreSQL",
    "round trips": "answers of PostgreSQL that are waited for",
    "requests": "HTTP requests that are received or sent, most of them IPP",
    "socket bytes": "bytes that are received or sent",
    "written bytes": "bytes that are written to files",
    "processes": "processes that are started",
    "programs": "programs that are executed",
    "threads": "threads that are started",
    "wake-ups": "returns of calls that wait, while idle",
}
WORK = [kind for kind in KINDS if kind != "wake-ups"]
LOOK_UPS = {"stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink", "readlinkat"}
OPENS = {"open", "openat", "openat2", "creat"}
SYNCS = {"fsync", "fdatasync", "syncfs", "sync", "sync_file_range", "msync"}
SENDS, RECEIVES = {"write", "writev", "sendto", "sendmsg", "sendfile"}, {"read", "readv", "recvfrom", "recvmsg"}
WRITES = {"write", "writev", "pwrite64", "pwritev", "pwritev2", "copy_file_range", "sendfile"}
FORKS = {"fork", "vfork", "clone", "clone3"}
# Calls that wait. Each return after a wait is a wake-up. How often a thread waits depends on the other threads.
WAITS = {"futex", "epoll_wait", "epoll_pwait", "epoll_pwait2", "poll", "ppoll", "select", "pselect6", "nanosleep",
         "clock_nanosleep", "restart_syscall", "rt_sigtimedwait", "wait4", "waitid"}
# Calls whose number depends on the scheduler of the kernel and on the memory allocator.
OTHERS = WAITS | {"epoll_ctl", "sched_yield", "madvise", "mmap", "munmap", "mprotect", "mremap", "brk", "rt_sigprocmask",
                  "rt_sigreturn", "getpid", "gettid"}

_LINE = re.compile(r"(\d+) +(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)", re.DOTALL)
_RESULT = re.compile(r"\) += (-?\d+|0x[0-9a-f]+|\?)[^)]*(?:\([^)]*\))?[^)=]*$")
# Files that are not there, and are tried depending on the processor and the user: libraries and time zones.
_TRIED = re.compile(r'"[^"]*\.so[.\d]*", |/glibc-hwcaps/|/zoneinfo/')
# Files that wake threads and set timers, and reads that find nothing yet. Their number depends on the scheduler, too.
_WAKES = re.compile(r"\d+<anon_inode:\[(?:eventfd|timerfd)\]>")
_NOTHING_YET = re.compile(r"\) += -1 EAGAIN ")
# The processes of the machine, which are counted for the limit of threads. Their number depends on what else runs.
_PROCESSES = re.compile(r'"/proc/\d+/task"')
# Calls with a timeout of 0, and calls that wake other threads.
_AT_ONCE = re.compile(r"FUTEX_WAKE|, \d+, 0(?:, NULL, \d+)?\) += ")
_SOCKET = re.compile(r"\d+<((?:socket|TCP|TCPv6|UNIX|UNIX-STREAM):[^>]*)>")
_PORT = re.compile(r"sin6?_port=htons\((\d+)\)")
_STATEMENT = re.compile(r"LOG:  (?:execute .*|statement): ")
_REQUEST = re.compile(r'"(?:GET|POST|PUT|DELETE|HEAD|PATCH) /')


class Calls:
    """Reads the lines of strace, and counts. State remains from line to line: unfinished calls, and sockets."""

    def __init__(self, database_port=None):
        self.database_port = database_port
        self.counts = collections.Counter()
        self._unfinished, self._databases, self._is_sent = {}, set(), {}

    def add(self, line):
        """Counts a line; returns whether the line is work, in contrast to waiting."""
        found = _LINE.match(line)
        if not found:
            return False
        process, resumed, name, rest = found.groups()
        if resumed:
            name, start = self._unfinished.pop(process, (resumed, ""))
            return self._count(name, start + rest)
        if rest.endswith("<unfinished ...>"):
            self._unfinished[process] = (name, rest.removesuffix("<unfinished ...>"))
            return name not in OTHERS
        return self._count(name, rest)

    def _count(self, name, rest):
        counts = self.counts
        if name == "write" and rest.startswith("-1, "):
            counts["statements"] += 1
            return True
        result = _RESULT.search(rest)
        result = int(result[1]) if result and result[1].lstrip("-").isdigit() else -1
        if name in WAITS and not _AT_ONCE.search(rest):
            counts["wake-ups"] += 1
        if name in OTHERS:
            return False
        if _WAKES.match(rest) or (name in RECEIVES and _NOTHING_YET.search(rest)):
            return True
        if _PROCESSES.search(rest) or (result < 0 and _TRIED.search(rest)):
            return True
        counts["system calls"] += 1
        if name in LOOK_UPS and "AT_EMPTY_PATH" not in rest:
            counts["look-ups"] += 1
        elif name in OPENS:
            counts["opens"] += 1
        elif name == "getdents64" and result == 0:
            counts["folders"] += 1
        elif name in SYNCS:
            counts["fsyncs"] += 1
        elif name in FORKS and result > 0:
            counts["threads" if "CLONE_THREAD" in rest else "processes"] += 1
        elif name == "execve" and result == 0:
            counts["programs"] += 1
        socket = _SOCKET.match(rest)
        if socket:
            self._count_socket(name, rest, socket[1], max(0, result))
        elif name in WRITES and "<pipe:" not in rest and "<anon_inode:" not in rest:
            counts["written bytes"] += max(0, result)
        return True

    def _count_socket(self, name, rest, socket, size):
        if name == "connect":
            port = _PORT.search(rest)
            if port and int(port[1]) == self.database_port:
                self._databases.add(socket)
        elif name in SENDS or name in RECEIVES:
            self.counts["socket bytes"] += size
            self.counts["requests"] += bool(_REQUEST.search(rest))
            if socket in self._databases:
                if name in RECEIVES and size > 0 and self._is_sent.get(socket):
                    self.counts["round trips"] += 1
                self._is_sent[socket] = name in SENDS


class Traced:
    """A program under strace. Counts include the processes that the program starts."""

    # The seconds without work after which an operation has ended.
    QUIET = 0.15

    def __init__(self, command, log, preload, database_port=None, env=None):
        words = ["strace", "-f", "-qq", "-y", "-s", "100", "-o", log, "--signal=none", "-E", f"LD_PRELOAD={preload}"]
        self.log, self.errors, self.calls = log, log + ".errors", Calls(database_port)
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen([*words, "--", *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                            stderr=errors, env=env)
        self._rest, self._file, self._statements = "", None, None
        # The lines of strace since the start of the operation.
        self.lines = []

    def first_line(self):
        """Returns the first line of the standard output."""
        line = self.process.stdout.readline()
        if not line:
            self.fail()
        return line

    def fail(self):
        """Throws an error with the standard error of the program."""
        self.process.wait()
        with open(self.errors, errors="replace") as file:
            raise RuntimeError(f"{self.process.args} ended with {self.process.returncode}: {file.read().strip()}")

    def count_log(self, path):
        """Counts the statements in the log of a PostgreSQL server too."""
        self._statements = open(path, errors="replace")
        self._statements.seek(0, os.SEEK_END)

    def read(self):
        """Counts the calls since the last time; returns whether some were work."""
        if self._statements:
            found = [line for line in self._statements if _STATEMENT.search(line)]
            self.calls.counts["statements"] += len(found)
            self.lines += found
        self._file = self._file or open(self.log, errors="replace")
        is_work = False
        lines = (self._rest + self._file.read()).split("\n")
        self._rest = lines.pop()
        self.lines += lines
        for line in lines:
            is_work = self.calls.add(line) or is_work
        return is_work

    def settle(self, limit=5):
        """Waits until the program only waits."""
        end = time.monotonic() + limit
        last = time.monotonic()
        while (now := time.monotonic()) < end and now - last < self.QUIET:
            time.sleep(0.02)
            if self.read():
                last = time.monotonic()

    def count(self, operation):
        """Returns the counts of an operation, until the program waits again."""
        self.read()
        before, self.lines = self.calls.counts.copy(), []
        operation()
        self.settle()
        return {kind: self.calls.counts[kind] - before[kind] for kind in WORK}

    def idle(self, seconds):
        """Returns the counts of a time without operations, for a minute."""
        self.read()
        before, self.lines = self.calls.counts.copy(), []
        time.sleep(seconds)
        self.read()
        return {kind: round((self.calls.counts[kind] - before[kind]) * 60 / seconds) for kind in KINDS
                if kind not in ("system calls", "socket bytes", "written bytes")}

    def all(self):
        """Returns the counts since the start of the program."""
        self.read()
        return {kind: self.calls.counts[kind] for kind in WORK}

    def wait(self):
        """Waits until the program ends."""
        self.process.stdout.read()
        if self.process.wait() != 0:
            self.fail()

    def stop(self):
        """Ends the program normally."""
        try:
            with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
                for child in file.read().split():
                    os.kill(int(child), signal.SIGTERM)
        except (FileNotFoundError, ProcessLookupError):
            pass
        self.process.wait()
        for file in filter(None, (self.process.stdout, self._file, self._statements)):
            file.close()


def check():
    """Exits with an explanation if strace is missing or must not trace."""
    try:
        found = subprocess.run(["strace", "-f", "-o", "/dev/null", "/bin/true"], capture_output=True, text=True)
    except FileNotFoundError:
        sys.exit("cost: error: strace is missing; run scripts/setup tests")
    if found.returncode != 0:
        sys.exit(f"cost: error: strace cannot trace programs here, so that nothing can be counted: {found.stderr.splitlines()[0]}; "
                 "allow ptrace (in a container, --cap-add SYS_PTRACE)")
