"""Measures clients on the network, with TLS and a token, beside clients of this machine without TLS and cupsd."""
import base64
import concurrent.futures
import http.client
import json
import os
import ssl
import statistics
import subprocess
import time

from . import disk, ipp
from .answers import free_port
from .center_printers import PRINTERS, add_printers
from .cupsd import Cupsd
from .documents import small_pdf
from .measure import in_turn, judge, ratio, show
from .programs import program
from .spooler import Spooler

# The certificate of printd is self-signed; the benchmark measures the encryption, not the check of names.
TLS = ssl._create_unverified_context()


class NetworkSpooler(Spooler):
    """A printd that also listens for clients on the network, at a second port of the loopback interface."""

    def __enter__(self):
        os.makedirs(self.folder)
        self.secure = ("127.0.0.1", free_port())
        network = {"listen": ["%s:%d" % self.secure], "allow": ["127.0.0.0/8"]}
        with open(os.path.join(self.folder, "printd.json5"), "w") as file:
            json.dump({"network": network}, file)
        super().__enter__()
        secret = subprocess.run(
            [program("printq"), "--spool", self.folder, "tokens", "create", "bench"], check=True, stdout=subprocess.PIPE,
            text=True).stdout.split()[0]
        self.login = {"Authorization": "Basic " + base64.b64encode(f"bench:{secret}".encode()).decode()}
        return self


def connection(server, is_secure):
    """Returns a new connection, and the HTTP fields of its requests."""
    fields = {"Content-Type": "application/ipp"}
    if is_secure:
        return http.client.HTTPSConnection(*server.secure, context=TLS), fields | server.login
    return http.client.HTTPConnection(*server.address), fields


def send(made, body):
    """Sends a request, and fails unless it is successful."""
    client, fields = made
    client.request("POST", "/", body, fields)
    answer = client.getresponse()
    data = answer.read()
    if answer.status != 200 or ipp.decode(data)[0] >= 0x400:
        raise RuntimeError(f"HTTP {answer.status}, IPP status 0x{ipp.decode(data)[0]:04x}" if data else f"HTTP {answer.status}")


def submissions(server, folder, document, connections, jobs, is_secure):
    """Returns the jobs that a server accepts per second."""
    disk.warm_up(folder)
    with open(document, "rb") as file:
        body = ipp.request(ipp.PRINT_JOB, server.uri) + file.read()

    def client(_):
        made = connection(server, is_secure)
        for _ in range(jobs // connections):
            send(made, body)
        made[0].close()

    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(connections) as pool:
        list(pool.map(client, range(connections)))
    return jobs / (time.monotonic() - start)


def handshakes(server, count, is_secure):
    """Returns the connections per second, each with a request."""
    body = ipp.request(ipp.GET_PRINTER_ATTRIBUTES, server.uri, (ipp.KEYWORD, "requested-attributes", "printer-state"))
    start = time.monotonic()
    for _ in range(count):
        made = connection(server, is_secure)
        send(made, body)
        made[0].close()
    return count / (time.monotonic() - start)


def bench_network(folder, runs):
    """Measures submissions and connections with TLS and a token; the client, one Python process, limits both sides."""
    document = small_pdf(folder)
    with NetworkSpooler(os.path.join(folder, "spool")) as server:
        figures = in_turn({
            "plain, 1": lambda: submissions(server, folder, document, 1, 500, False),
            "TLS, 1": lambda: submissions(server, folder, document, 1, 500, True),
            "plain, 8": lambda: submissions(server, folder, document, 8, 1600, False),
            "TLS, 8": lambda: submissions(server, folder, document, 8, 1600, True),
            "plain connections": lambda: handshakes(server, 200, False),
            "handshakes": lambda: handshakes(server, 200, True),
        }, runs)
    for count in (1, 8):
        plain = show(f"network: plain, {count} connections", figures[f"plain, {count}"], "jobs/s")
        secure = show(f"network: TLS and a token, {count} connections", figures[f"TLS, {count}"], "jobs/s")
        judge(f"network: TLS and a token / plain, {count} connections", secure / plain, at_least=0.8)
    show("network: plain connections with a request", figures["plain connections"], "a second")
    show("network: TLS handshakes with a request", figures["handshakes"], "a second")
    lists_folder = os.path.join(folder, "lists")
    os.makedirs(lists_folder)
    compare_lists(lists_folder, runs)


# The clients that list the printers, each with its address and one connection, and the clients at the same time.
CLIENTS, AT_ONCE, PROCESSES, LISTS_PER_CLIENT = 2000, 100, 4, 2
# What cupsGetDests and lpstat request.
LIST = ("printer-info", "printer-is-accepting-jobs", "printer-location", "printer-make-and-model", "printer-name",
        "printer-state", "printer-state-message", "printer-state-reasons", "printer-type", "printer-uri-supported")


class CupsdWithPrinters(Cupsd):
    """A cupsd with many queues, which accepts all clients."""

    printer = "printer-1"

    def __init__(self, folder, printers):
        self.printers = printers
        super().__init__(folder, durable=False)

    def _make_root(self):
        super()._make_root()
        with open(os.path.join(self.folder, "conf/cupsd.conf"), "a") as file:
            file.write(f"MaxClients {2 * CLIENTS}\n")
        self._write("conf/printers.conf", "".join(
            f"<Printer printer-{number}>\nDeviceURI file:///dev/null\nState Stopped\nAccepting Yes\n</Printer>\n"
            for number in range(1, self.printers + 1)))


def list_as(numbers, address, fields, is_secure, printers):
    """Lists the printers as some clients, and returns the number of complete answers."""
    body = ipp.request(ipp.CUPS_GET_PRINTERS, None, (ipp.KEYWORD, "requested-attributes", *LIST))

    def client(number):
        source = (f"127.1.{number // 250}.{number % 250 + 1}", 0)
        made = (http.client.HTTPSConnection(*address, context=TLS, source_address=source) if is_secure
                else http.client.HTTPConnection(*address, source_address=source))
        complete = 0
        for _ in range(LISTS_PER_CLIENT):
            for attempt in range(20):
                try:
                    made.request("POST", "/", body, fields)
                    answer = made.getresponse()
                    break
                except (ConnectionError, ssl.SSLEOFError):
                    # A server may close an idle connection for a new one, also before its first request.
                    made.close()
                    if attempt == 19:
                        raise
            complete += answer.read().count(b"\x00\x0cprinter-name") == printers
        made.close()
        return complete

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE // PROCESSES) as pool:
        return sum(pool.map(client, numbers))


def lists(address, fields, is_secure, printers):
    """Returns the lists of printers that a server sends per second."""
    fields = {"Content-Type": "application/ipp"} | fields
    start = time.monotonic()
    with concurrent.futures.ProcessPoolExecutor(PROCESSES) as pool:
        found = sum(pool.map(
            list_as, [range(first, CLIENTS, PROCESSES) for first in range(PROCESSES)], *zip(
                *[(address, fields, is_secure, printers)] * PROCESSES)))
    if found != CLIENTS * LISTS_PER_CLIENT:
        raise RuntimeError(f"{found} complete answers instead of {CLIENTS * LISTS_PER_CLIENT}")
    return found / (time.monotonic() - start)


def compare_lists(folder, runs):
    """Measures many clients that list many printers; the clients, Python processes on this machine, limit all sides."""
    with NetworkSpooler(os.path.join(folder, "spool")) as server:
        add_printers(server, folder)
        client = ipp.Client(server.socket)
        printers = len(client.send(ipp.CUPS_GET_PRINTERS, None, (ipp.KEYWORD, "requested-attributes", "printer-name")))
        client.close()
        assert printers >= PRINTERS
        with CupsdWithPrinters(os.path.join(folder, "cupsd"), printers) as peer:
            figures = in_turn({
                "printd": lambda: lists(server.address, {}, False, printers),
                "printd with TLS": lambda: lists(server.secure, server.login, True, printers),
                "cupsd": lambda: lists(peer.address, {}, False, printers),
            }, runs)
    for name, found in figures.items():
        show(f"network: {CLIENTS:,} clients list {printers} printers, {name}", found, "lists/s")
    pairs = [ours / theirs for ours, theirs in zip(figures["printd"], figures["cupsd"])]
    ratio("network: lists of printers, printd / cupsd", statistics.median(pairs))


BENCHMARKS = {"network": bench_network}
