"""Fetches documents of other projects: PDFs from Debian's -doc packages and from source archives on PyPI; with --hard
the PDFs that PDF programs are tested with, and with --office Office documents, from Debian's source packages; with
--html HTML from Debian's -doc packages.

The documents are for tests only, and are stored outside of the checkout: in $PRINTQ_FOREIGN_DOCUMENTS, else in
${XDG_CACHE_HOME:-~/.cache}/printq/foreign-documents.
"""
import argparse
import fcntl
import glob
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

# Manuals made by TeX, groff, FOP, LibreOffice, Graphviz, gnuplot and others; the installation guide is in 18 languages.
DEBIAN = (
    "asymptote-doc", "bash-doc", "dblatex-doc", "debian-policy", "fai-doc", "gnuplot-doc", "graphviz-doc", "gretl-doc",
    "installation-guide-amd64", "libtasn1-doc", "maint-guide", "octave-doc", "pari-doc", "python-reportlab-doc",
    "r-doc-pdf", "xfig-doc", "zsh-doc",
)
# Source archives with their checksums; no version of pdfplumber's archive contains documents.
ARCHIVES = {
    "pikepdf==10.17.0": "de4ccaae83628e86c1fd473b384c09c6ff1dd35a583a8dacbf61d2aa4bea843b",
    "pypdf==7.1.0": "ca3fa902369e98a6d2cb7b56396de902b72ef9bb3c1e8706c1bfc7d8bd0cf0d7",
    "reportlab==4.0.9": "f32bff66a0fda234202e1e33eaf77f25008871a61cb01cd91584a521a04c0047",
}
# Debian's source packages whose tests contain Office documents, which Microsoft Office and other programs have written.
OFFICE = ("calligra", "gnumeric", "libapache-poi-java", "pandoc", "python-odf")
# Debian's source packages with the PDFs that programs which read PDF are tested with, most of them reduced from reports of
# faults. Many are damaged.
HARD = ("libitext5-java", "libpdfbox2-java", "okular", "pdf.js", "pdfminer", "pdf2djvu")
# HTML by DocBook, Texinfo, Asciidoctor, gtk-doc and other programs, and by hand, partly in other languages.
HTML = ("apache2-doc", "aptitude-doc-ja", "debian-policy", "debian-reference-ja", "exim4-doc-html", "git-doc", "gnutls-doc",
        "libreoffice-help-en-us", "lilypond-doc-html", "maint-guide", "octave-doc", "postgresql-doc-15",
        "r-doc-html", "sqlite3-doc")
OFFICE_ENDINGS = tuple("." + ending for ending in (
    "doc docx docm dot dotx dotm xls xlsx xlsm xlt xltx ppt pptx pptm pps ppsx pot potx odt ott ods ots odp otp rtf").split())
# The packages that ReportLab's tests need, because the tests write ReportLab's documents.
REPORTLAB = ("reportlab==4.0.9", "pillow==13.0.0", "chardet==7.7.0")
UNAVAILABLE = 69  # sysexits.h: EX_UNAVAILABLE


def main():
    parser = argparse.ArgumentParser(
        prog="foreign-documents", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", help="the folder for the documents")
    parser.add_argument("--again", action="store_true", help="fetch documents again that are there")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--hard", action="store_true", help="fetch PDFs that PDF programs are tested with")
    kind.add_argument("--office", action="store_true", help="fetch Office documents instead of PDFs")
    kind.add_argument("--html", action="store_true", help="fetch HTML instead of PDFs")
    arguments = parser.parse_args()
    folder = os.path.abspath(arguments.folder or default_folder())
    os.makedirs(folder, exist_ok=True)
    with open(folder + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for chosen, place, names, unpack, endings in (
                (arguments.hard, "hard", HARD, _unpack_source, (".pdf",)),
                (arguments.office, "office", OFFICE, _unpack_source, OFFICE_ENDINGS),
                (arguments.html, "html", HTML, _unpack_package, (".html", ".htm", ".xhtml"))):
            if chosen:
                folder = f"{folder}-{place}"  # beside the folder of the PDFs, which are compared as a whole
                for name in names:
                    _fetch(folder, name, name, unpack, arguments.again, endings)
                print(folder)
                return 0
        for name in DEBIAN:
            _fetch(folder, os.path.join("debian", name), name, _unpack_package, arguments.again)
        for requirement, digest in ARCHIVES.items():
            place = os.path.join("pypi", requirement.partition("==")[0])
            _fetch(folder, place, f"{requirement} --hash=sha256:{digest}", _unpack_archive, arguments.again)
    print(folder)
    return 0


def document(package, path):
    """Returns a PDF of a Debian package by its path in the package's folder, and fetches the package if necessary."""
    folder = default_folder()
    os.makedirs(folder, exist_ok=True)
    with open(folder + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _fetch(folder, os.path.join("debian", package), package, _unpack_package, again=False)
    return os.path.join(folder, "debian", package, path)


def default_folder():
    """Returns the default folder for documents."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("PRINTQ_FOREIGN_DOCUMENTS") or os.path.join(cache, "printq", "foreign-documents")


def _fetch(folder, place, source, unpack, again, endings=(".pdf",)):
    """Fills a folder with the documents of a package or an archive, unless the folder already contains them."""
    target = os.path.join(folder, place)
    stamp = os.path.join(target, "source.txt")
    if not again and os.path.exists(stamp):
        with open(stamp) as file:
            if file.read() == source:
                return
    print(f"foreign-documents: fetching {source.split()[0]}", file=sys.stderr)
    # apt downloads as a separate user, who must be able to access the folder.
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o755)
        unpack(source, work)
        shutil.rmtree(target, ignore_errors=True)
        count = _collect(work, target, endings)
    if count == 0:
        _stop(f"there is no document in {source.split()[0]}")
    with open(stamp, "w") as file:
        file.write(source)


def _collect(work, target, endings):
    """Copies each document below a folder to the target under its path; the same file under two names is copied once."""
    seen = set()
    for path in sorted(glob.glob(os.path.join(work, "**", "*"), recursive=True)):
        plain = path.removesuffix(".gz")
        if not plain.lower().endswith(endings) or os.path.islink(path) or not os.path.isfile(path):
            continue
        with (gzip.open(path) if path.endswith(".gz") else open(path, "rb")) as file:
            data = file.read()
        digest = hashlib.sha256(data).digest()
        if digest in seen:
            continue
        seen.add(digest)
        name = os.path.relpath(plain, work).removeprefix("unpacked/").removeprefix("usr/share/doc/")
        copy = os.path.join(target, name)
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        with open(copy, "wb") as file:
            file.write(data)
    return len(seen)


def _unpack_package(name, work):
    _run(["apt-get", "download", "-qq", name], work, "run 'apt-get update' as root, or connect to the network")
    package, = glob.glob(os.path.join(work, "*.deb"))
    _run(["dpkg-deb", "-x", package, os.path.join(work, "unpacked")], work, "remove the package from apt's cache")
    os.remove(package)


def _unpack_source(name, work):
    """Unpacks a Debian source package with settings of apt that have the sources of all configured packages."""
    parts, lists = os.path.join(work, "parts"), os.path.join(work, "lists", "partial")
    os.makedirs(parts)
    os.makedirs(lists)
    for path in glob.glob("/etc/apt/sources.list.d/*.sources") + glob.glob("/etc/apt/sources.list"):
        with open(path) as file:
            text = re.sub(r"^Types:.*", "Types: deb-src", file.read(), flags=re.MULTILINE)
        with open(os.path.join(parts, os.path.basename(path)), "w") as file:
            file.write(re.sub(r"^deb ", "deb-src ", text, flags=re.MULTILINE))
    apt = ["apt-get", "-qq", "-o", f"Dir::Etc::sourceparts={parts}", "-o", "Dir::Etc::sourcelist=/dev/null", "-o",
           f"Dir::State::lists={os.path.dirname(lists)}", "-o", "APT::Sandbox::User=root"]
    advice = "connect to the network"
    _run([*apt, "update"], work, advice)
    _run([*apt, "source", "--download-only", "--tar-only", name], work, advice)
    shutil.rmtree(os.path.dirname(lists))
    for path in glob.glob(os.path.join(work, "*.orig*.tar.*")):
        if not path.endswith(".asc"):
            with tarfile.open(path) as file:
                file.extractall(os.path.join(work, "unpacked"), filter="data")
        os.remove(path)


def _unpack_archive(requirement, work):
    name, version = requirement.split()[0].split("==")
    listing = os.path.join(work, "requirements.txt")
    with open(listing, "w") as file:
        file.write(requirement + "\n")
    python = _environment(work)
    advice = "connect to the network, or set PIP_INDEX_URL to a mirror of PyPI"
    # Only the archive itself must be a source archive: the packages that pip needs to read its name may be wheels.
    _run([python, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--no-binary", name,
          "--require-hashes", "-r", listing, "-d", work], work, advice)
    archive, = glob.glob(os.path.join(work, "*.tar.gz"))
    unpacked = os.path.join(work, "unpacked")
    with tarfile.open(archive) as file:
        file.extractall(unpacked, filter="data")
    os.remove(archive)
    if name == "reportlab":
        _run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary", ":all:", *REPORTLAB],
             work, advice)
        _write_documents(python, os.path.join(unpacked, f"reportlab-{version}", "tests"))
    shutil.rmtree(os.path.join(work, "environment"))


def _environment(work):
    place = os.path.join(work, "environment")
    python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
    _run([python, "-m", "venv", place], work, "install python3-venv")
    return os.path.join(place, "bin", "python")


def _write_documents(python, folder):
    """Runs ReportLab's tests, which write documents into their folder. Failed tests are ignored."""
    # Equal runs must write equal documents.
    environment = dict(os.environ, SOURCE_DATE_EPOCH="1700000000", PYTHONHASHSEED="0", HOME=folder)
    for test in sorted(glob.glob(os.path.join(folder, "test_*.py"))):
        try:
            subprocess.run([python, os.path.basename(test)], cwd=folder, env=environment, timeout=300,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            print(f"foreign-documents: {os.path.basename(test)} of ReportLab took too long", file=sys.stderr)


def _run(command, folder, advice):
    run = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        _stop(f"'{' '.join(command[:4])} …' failed: {run.stdout.strip()[-300:]}; {advice}")


def _stop(reason):
    print(f"foreign-documents: {reason}", file=sys.stderr)
    sys.exit(UNAVAILABLE)
