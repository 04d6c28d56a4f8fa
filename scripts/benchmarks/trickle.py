"""Slow clients: `trickle.py HOST PORT COUNT` keeps COUNT connections open and sends a byte per second on each.

Half of the connections never end a header, half never end a body. A closed connection is opened again. Prints "ready" when
all connections are open, and runs until its standard input is closed.
"""
import resource
import selectors
import socket
import sys
import time

HEADER = b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"x" * 4000
BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/ipp\r\nContent-Length: 100000\r\n\r\n"


class SlowClient:
    """Sends on one connection after the other."""

    def __init__(self, address, has_body):
        self.address, self.has_body = address, has_body
        self.socket = None

    def open(self):
        self.close()
        self.socket = socket.create_connection(self.address)
        self.socket.setblocking(False)
        self.rest = HEADER
        if self.has_body:
            self.socket.send(BODY)
            self.rest = b"\x02\x00\x00\x02\x00\x00\x00\x01\x01" + b"\x44\x00\x01x\x0f\x00" + b"x" * 3840

    def close(self):
        if self.socket is not None:
            self.socket.close()

    def send_byte(self):
        try:
            if not self.rest or self.is_closed():
                return self.open()
            self.socket.send(self.rest[:1])
            self.rest = self.rest[1:]
        except OSError:
            self.open()

    def is_closed(self):
        try:
            return self.socket.recv(4096) == b""
        except BlockingIOError:
            return False


def main():
    host, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + 256), hard))
    clients = [SlowClient((host, port), index % 2 == 0) for index in range(count)]
    for client in clients:
        client.open()
    print("ready", flush=True)
    ends = selectors.DefaultSelector()
    ends.register(sys.stdin, selectors.EVENT_READ)
    index, start = 0, time.monotonic()
    while True:
        # Distributed over the second, as with many clients.
        due = start + index / count
        if ends.select(max(0, due - time.monotonic())):
            return
        clients[index % count].send_byte()
        index += 1


if __name__ == "__main__":
    main()
