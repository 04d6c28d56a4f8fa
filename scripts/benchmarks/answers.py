"""Servers on the loopback, and when they begin to answer."""
import socket
import time

from . import ipp


def free_port():
    """A TCP port of the loopback that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def first_answer(server, limit=120):
    """Asks for a printer's attributes until `server` (with `address`, `uri`, `process`) answers."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        client = ipp.Client(server.address)
        try:
            client.send(ipp.GET_PRINTER_ATTRIBUTES, server.uri,
                        (ipp.KEYWORD, "requested-attributes", "printer-state", "queued-job-count"))
            return
        except OSError:
            if server.process.poll() is not None:
                raise RuntimeError(f"the server ended with {server.process.returncode}")
            time.sleep(0.001)
        finally:
            client.close()
    raise RuntimeError(f"the server did not answer for {limit} seconds")
