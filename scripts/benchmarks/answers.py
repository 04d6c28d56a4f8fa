"""Waits until servers on the loopback interface answer."""
import socket
import time

from . import ipp


def free_port():
    """Returns a free TCP port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def first_answer(server, limit=120):
    """Requests a printer's attributes until `server` (with `address`, `uri`, `process`) responds."""
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


def wait_until(condition, limit=60):
    """Waits until a function returns a true value; returns the value."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise RuntimeError(f"nothing happened for {limit} seconds")
