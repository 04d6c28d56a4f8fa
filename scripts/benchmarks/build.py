"""Measures first builds: of the programs, with the time of each module, and of a package that uses a library."""
import collections
import json
import os
import re
import subprocess
import threading

from . import measure
from .programs import ROOT

SHOWN = 30
TICKS = os.sysconf("SC_CLK_TCK")


def bench_build(folder, runs):
    """Builds a fresh clone with `scripts/build programs`, once."""
    clone = os.path.join(folder, "clone")
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    env = {name: value for name, value in os.environ.items() if name not in ("PRINTQ_COMMIT", "PRINTQ_PROGRAMS")}
    end = threading.Event()
    times = {}
    sampler = threading.Thread(target=sample, args=(clone, times, end))
    sampler.start()
    try:
        wall, processor = measure.run([os.path.join(clone, "scripts", "build"), "programs"], env=env)
    finally:
        end.set()
        sampler.join()
    measure.ratio("build: wall-clock time", wall, "s")
    measure.ratio("build: processor time", processor, "s")
    modules = collections.Counter()
    for name, seconds in times.values():
        modules[name] += seconds
    for name, seconds in modules.most_common(SHOWN):
        measure.ratio(f"build: {name}", seconds, "s of processor time")


def sample(folder, times, end):
    """Notes the processor time of each compiler that works in a folder, until the event is set."""
    while not end.wait(0.1):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")
                if folder not in " ".join(words):
                    continue
                with open(f"/proc/{pid}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            name = module(words)
            if name:
                times[pid, fields[19]] = (name, (int(fields[11]) + int(fields[12])) / TICKS)


def module(words):
    """Returns the module that a compiler or linker works on; None for other programs."""
    program = os.path.basename(words[0])
    if program == "swift-frontend" and "-module-name" in words:
        return words[words.index("-module-name") + 1]
    if program.startswith("clang"):
        found = re.search(r"/(\w[\w-]*)\.build/", " ".join(words))
        return found[1] if found else None
    if program.startswith("ld"):
        return "(linker)"
    return None


def bench_products(folder, runs):
    """Measures, for each library, the first debug build of a package that only imports it, after its dependencies are fetched."""
    clone = os.path.join(folder, "printq")
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    env = {name: value for name, value in os.environ.items() if not name.startswith("PRINTQ_")}
    for product in libraries():
        package = os.path.join(folder, f"use-{product}")
        os.makedirs(os.path.join(package, "Sources", "Use"))
        with open(os.path.join(package, "Package.swift"), "w") as file:
            file.write(f"""// swift-tools-version: 6.2
                import PackageDescription
                let package = Package(
                    name: "Use", dependencies: [.package(path: "{clone}")],
                    targets: [
                        .executableTarget(name: "Use", dependencies: [.product(name: "{product}", package: "printq")])
                    ])
                """)
        with open(os.path.join(package, "Sources", "Use", "Use.swift"), "w") as file:
            file.write(f"import {product}\n\n@main\nstruct Use {{ static func main() {{}} }}\n")
        subprocess.run(["swift", "package", "resolve"], cwd=package, env=env, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        wall, processor = measure.run(["swift", "build", "--package-path", package], env=env)
        size = os.path.getsize(os.path.join(package, ".build", "debug", "Use"))
        measure.ratio(f"products: {product}, wall-clock time", wall, "s")
        measure.ratio(f"products: {product}, processor time", processor, "s")
        measure.ratio(f"products: {product}, program", size / 1e6, "MB")


def libraries():
    """Returns the names of the libraries of the package."""
    package = json.loads(subprocess.check_output(["swift", "package", "--package-path", ROOT, "dump-package"]))
    return [product["name"] for product in package["products"] if "library" in product["type"]]


BENCHMARKS = {"build": bench_build, "products": bench_products}
