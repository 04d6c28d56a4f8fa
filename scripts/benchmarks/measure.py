"""Runs functions and commands in turn, computes medians, and prints and collects ratios."""
import resource
import statistics
import subprocess
import sys
import time

# The measurements since the start of the current benchmark: name, result, target. `scripts/bench --write` stores them.
measured = []


def run(command, line=None, env=None, stdout=subprocess.DEVNULL):
    """Runs a command to its end; returns its wall-clock time and its processor time, in seconds.

    `line` is written to its standard input, which stays open, because a worker ends at the end of its input.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, env=env, stdout=stdout, stderr=subprocess.DEVNULL)
    if line is not None:
        process.stdin.write(line)
        process.stdin.flush()
    if process.wait() != 0:
        sys.exit(f"bench: {' '.join(command)} ended with {process.returncode}")
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pair(name, ours, peer, runs, peer_runs=None):
    """Times our program and the peer in turn; prints the medians and the ratio."""
    mine, theirs = [], []
    for index in range(runs):
        mine.append(ours())
        if index < (peer_runs or runs):
            theirs.append(peer())
    wall = [statistics.median(t[0] for t in times) for times in (mine, theirs)]
    cpu = [statistics.median(t[1] for t in times) for times in (mine, theirs)]
    measured.append((name, f"{wall[0]:.3f} s / {wall[1]:.3f} s = {wall[0] / wall[1]:.3f} (cpu {cpu[0] / cpu[1]:.3f})", ""))
    print(f"{name:32} ours {wall[0]:8.3f} s (cpu {cpu[0]:7.3f})   peer {wall[1]:8.3f} s (cpu {cpu[1]:7.3f})   "
          f"ours/peer {wall[0] / wall[1]:.3f} (cpu {cpu[0] / cpu[1]:.3f})", flush=True)


def in_turn(sides, runs):
    """Calls each of `sides` (name → function that returns a number) `runs` times, each round in a different order.

    Returns name → all numbers of the function.
    """
    names, found = list(sides), {name: [] for name in sides}
    for index in range(runs):
        shift = index % len(names)
        for name in names[shift:] + names[:shift]:
            found[name].append(sides[name]())
    return found


def show(name, figures, unit):
    """Prints the median and the range of a figure; returns the median."""
    median = statistics.median(figures)
    measured.append((name, f"{median:.3f} {unit} ({min(figures):.3f} to {max(figures):.3f})", ""))
    print(f"{name:52} {median:12.3f} {unit}   ({min(figures):.3f} to {max(figures):.3f})", flush=True)
    return median


def judge(name, value, at_least=None, at_most=None):
    """Prints a ratio or a figure with its required value."""
    aim = f"at least {at_least}" if at_least is not None else f"at most {at_most}"
    is_met = value >= at_least if at_least is not None else value <= at_most
    measured.append((name, f"{value:.3f}", aim if is_met else f"{aim}, missed"))
    print(f"{name:52} {value:12.3f}   {aim}: {'met' if is_met else 'MISSED'}", flush=True)


def ratio(name, value, note=""):
    """Prints a ratio or a figure without a required value."""
    measured.append((name, " ".join(filter(None, [f"{value:.3f}", note])), ""))
    print(f"{name:52} {value:12.3f}   {note}".rstrip(), flush=True)
