"""Measures the limit of the disk: the time of one synced append."""
import os
import sys
import time

from .measure import run


def forced_appends(folder, seconds=2.0, size=1024):
    """Returns the number of synced appends of `size` bytes to one file per second."""
    path, block, count = os.path.join(folder, "appends"), os.urandom(size), 0
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            os.write(descriptor, block)
            os.fdatasync(descriptor)
            count += 1
        return count / (time.perf_counter() - start)
    finally:
        os.close(descriptor)
        os.remove(path)


def must_be_a_disk(folder):
    """Ends the program if the folder is in memory, because durability cannot be measured there."""
    kind = os.popen(f"stat -f -c %T '{folder}'").read().strip()
    if kind in ("tmpfs", "ramfs"):
        sys.exit(f"bench: '{folder}' is in memory ({kind}); choose a folder on a disk with --folder")


def warm_up(folder):
    """Waits until earlier writes have reached the disk, so that they do not disturb a measurement."""
    run(["sync", "-f", folder])
