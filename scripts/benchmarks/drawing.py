"""Compares PrintGraphics with programs of the same purpose: text, photographs, shapes."""
import os
import shlex
import subprocess
import sys

from .documents import text_file
from .measure import in_turn, judge, ratio, run, show
from .programs import test_program

PAGES = 1000
PHOTOS = 200


def rounds(sides, runs):
    """Runs the commands of `sides` in turn; prints the times and returns name → median wall-clock time, in seconds."""
    cpu = {name: [] for name in sides}

    def timed(name):
        wall, processor = sides[name]()
        cpu[name].append(processor)
        return wall

    walls = in_turn({name: lambda name=name: timed(name) for name in sides}, runs)
    medians = {}
    for name, figures in walls.items():
        medians[name] = show(name, figures, "s")
        show(f"{name}, processor", cpu[name], "s")
    return medians


def into(path, command, **env):
    """Runs a command whose output is a file."""
    with open(path, "wb") as file:
        return run(command, env=dict(os.environ, **env), stdout=file)


def bench_text(folder, runs):
    """Measures 60,000 lines of plain text on 1,000 pages; texttopdf shapes no text, paps shapes every line again."""
    source, out = text_file(folder, PAGES), os.path.join(folder, "out")
    ours = test_program("drawing-load")
    found = rounds({
        "PrintGraphics": lambda: run([ours, "lines", source, out]),
        "texttopdf": lambda: into(out, ["/usr/lib/cups/filter/texttopdf", "1", "bench", "text", "1", "PageSize=A4", source],
                                  CONTENT_TYPE="text/plain", CHARSET="utf-8"),
        "paps": lambda: into(out, ["paps", "--font=DejaVu Sans Mono 10", source], LC_ALL="C.UTF-8"),
    }, runs)
    ratio("lines a second", PAGES * 60 / found["PrintGraphics"])
    judge("paps / PrintGraphics", found["paps"] / found["PrintGraphics"], at_least=3)
    judge("PrintGraphics / texttopdf", found["PrintGraphics"] / found["texttopdf"], at_most=3)


def bench_photos(folder, runs):
    """Measures 200 photographs, each on a separate page; the PDF contains their unchanged bytes."""
    ours, out = test_program("drawing-load"), os.path.join(folder, "out.pdf")
    picture = os.path.join(folder, "picture.jpg")
    subprocess.run([ours, "picture", "1600", "1200", picture], check=True, stdout=subprocess.DEVNULL)
    with open(picture, "rb") as file:
        jpeg = file.read()
    photos = []
    for number in range(PHOTOS):
        photos.append(os.path.join(folder, f"{number:03}.jpg"))
        with open(photos[-1], "wb") as file:  # a comment makes each a file of its own
            file.write(jpeg[:2] + b"\xff\xfe\x00\x06%04d" % number + jpeg[2:])
    found = rounds({
        "PrintGraphics": lambda: run([ours, "photos", out, *photos]),
        "img2pdf": lambda: run(["img2pdf", "-o", os.path.join(folder, "peer.pdf"), *photos]),
    }, runs)
    with open(out, "rb") as file:
        pdf = file.read()
    for photo in photos:
        with open(photo, "rb") as file:
            if file.read() not in pdf:
                sys.exit(f"bench: {os.path.basename(photo)} is not unchanged in the PDF")
    judge("PrintGraphics / img2pdf", found["PrintGraphics"] / found["img2pdf"], at_most=1.2)


def bench_shapes(folder, runs):
    """Measures 1,000 pages of 300 shapes each, compared with a C program that calls cairo."""
    ours, peer = test_program("drawing-load"), os.path.join(folder, "shapes")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "cairo"], check=True, capture_output=True, text=True)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shapes.c")
    subprocess.run(["cc", "-O2", "-o", peer, source, *shlex.split(flags.stdout), "-lm"], check=True)
    found = rounds({
        "PrintGraphics": lambda: run([ours, "shapes", str(PAGES), os.path.join(folder, "ours.pdf")]),
        "cairo in C": lambda: run([peer, str(PAGES), os.path.join(folder, "peer.pdf")]),
    }, runs)
    judge("PrintGraphics / cairo in C", found["PrintGraphics"] / found["cairo in C"], at_most=1.2)


def bench_formatter(folder, runs):
    """Measures 60,000 lines between header and footer: with a formatter and a page renderer, and with direct drawing."""
    source, ours = text_file(folder, PAGES), test_program("printing-load")
    found = rounds({
        "PrintKit, formatter and renderer": lambda: run([ours, "renderer", source, os.path.join(folder, "ours.pdf")]),
        "PrintGraphics, by hand": lambda: run([ours, "direct", source, os.path.join(folder, "peer.pdf")]),
    }, runs)
    judge("PrintKit / by hand", found["PrintKit, formatter and renderer"] / found["PrintGraphics, by hand"], at_most=1.15)


BENCHMARKS = {"text": bench_text, "photos": bench_photos, "shapes": bench_shapes, "formatter": bench_formatter}
