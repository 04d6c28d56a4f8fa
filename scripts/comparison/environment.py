"""The Python environment of scripts/compare-pages: PDFium, NumPy and Pillow from PyPI, and Debian's mutool.

The environment is outside of the checkout: in $PRINTQ_COMPARISON; else in /usr/local/share/printq/comparison for root, and
in ${XDG_DATA_HOME:-~/.local/share}/printq/comparison for other users.
"""
import fcntl
import filecmp
import os
import shutil
import subprocess
import sys

PACKAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packages.txt")
UNAVAILABLE = 69  # sysexits.h: EX_UNAVAILABLE


def folder():
    """Returns the folder of the environment."""
    if os.environ.get("PRINTQ_COMPARISON"):
        return os.path.abspath(os.environ["PRINTQ_COMPARISON"])
    if os.geteuid() == 0:
        return "/usr/local/share/printq/comparison"
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.path.join(data, "printq", "comparison")


def enter(install_mutool):
    """Installs missing packages, and runs the program again in the environment.

    Returns in the environment only. Exits with 69 when something cannot be installed.
    """
    if os.path.realpath(sys.prefix) == os.path.realpath(folder()):
        return
    _require_mutool(install_mutool)
    python = _environment()
    os.execv(python, [python, "-B", os.path.abspath(sys.argv[0]), *sys.argv[1:]])


def _environment():
    """Creates the environment if it is missing or older than the list of packages; returns the path of its Python."""
    place = folder()
    python = os.path.join(place, "bin", "python")
    if _is_current(place):
        return python
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _is_current(place):
            _make(place)
    return python


def _is_current(place):
    copy = os.path.join(place, "packages.txt")
    return os.path.exists(copy) and filecmp.cmp(copy, PACKAGES, shallow=False)


def _make(place):
    print(f"compare-pages: installing PDFium, NumPy and Pillow in {place}", file=sys.stderr)
    # Scripts in an environment contain its path, so the environment is created at its final path.
    shutil.rmtree(place, ignore_errors=True)
    log = place + ".log"
    # python3-venv belongs to Debian's Python; the first python3 in PATH may be another Python.
    python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
    commands = [
        [python, "-m", "venv", place],
        [os.path.join(place, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "--no-input", "--only-binary", ":all:", "--require-hashes", "-r", PACKAGES],
    ]
    with open(log, "w") as output:
        for command in commands:
            if subprocess.run(command, stdout=output, stderr=output).returncode != 0:
                shutil.rmtree(place, ignore_errors=True)
                _stop(f"the Python environment could not be made; connect to the network, or set PIP_INDEX_URL to a "
                      f"mirror of PyPI. The output of pip is in {log}")
    shutil.copy(PACKAGES, os.path.join(place, "packages.txt"))
    os.remove(log)


def _require_mutool(install):
    if shutil.which("mutool"):
        return
    if not install:
        _stop("mutool is missing; run 'scripts/compare-pages --setup', or 'apt-get install mupdf-tools' as root")
    root = [] if os.geteuid() == 0 else ["sudo"]
    command = [*root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", "mupdf-tools"]
    if root and not shutil.which("sudo") or subprocess.run(command, stdout=sys.stderr).returncode != 0:
        _stop("mutool could not be installed; run 'apt-get install mupdf-tools' as root")


def _stop(reason):
    print(f"compare-pages: {reason}", file=sys.stderr)
    sys.exit(UNAVAILABLE)
