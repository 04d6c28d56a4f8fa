"""Measures clients on the network, with TLS and a token, beside clients of this machine without TLS."""
import base64
import concurrent.futures
import http.client
import json
import os
import ssl
import subprocess
import time

from . import disk, ipp
from .answers import free_port
from .documents import small_pdf
from .measure import in_turn, judge, show
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


BENCHMARKS = {"network": bench_network}
