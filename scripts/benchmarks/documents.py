"""Documents to print."""
import os

from .measure import run


def text_file(folder, pages):
    """Creates a text of 60 different lines per page; returns its path."""
    path = os.path.join(folder, f"text-{pages}.txt")
    lines = [f"page {page + 1} line {line + 1}: the quick brown fox jumps over the lazy dog, {page * 60 + line} times"
             for page in range(pages) for line in range(60)]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    return path


def text_pdf(folder, pages):
    """Creates a PDF of text pages with 60 lines each, made by cups-filters; returns its path."""
    path, source = os.path.join(folder, f"text-{pages}.pdf"), text_file(folder, pages)
    with open(path, "wb") as file:
        run(["/usr/lib/cups/filter/texttopdf", "1", "bench", "text", "1", "PageSize=A4", source],
            env=dict(os.environ, CONTENT_TYPE="text/plain", CHARSET="utf-8"), stdout=file)
    return path


def small_pdf(folder, size=1024):
    """Creates a PDF of one page with a black square, of `size` bytes; returns its path."""
    content = "0 g 100 100 200 200 re f"
    data, offsets = "%PDF-1.4\n", []
    for number, body in enumerate([
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
    ], 1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)

    def trailer():
        return (f"xref\n0 5\n0000000000 65535 f \n{table}trailer\n<< /Size 5 /Root 1 0 R >>\n"
                f"startxref\n{len(data)}\n%%EOF\n")

    data += "%" * (size - len(data) - len(trailer()) - 1) + "\n"  # a comment fills it up
    path = os.path.join(folder, f"{size}.pdf")
    with open(path, "w") as file:
        file.write(data + trailer())
    return path


def large_pdf(folder, size):
    """Creates a file of `size` bytes that begins like a PDF and is never opened; returns its path."""
    path = os.path.join(folder, "large.pdf")
    block = os.urandom(1 << 20)
    with open(path, "wb") as file:
        file.write(b"%PDF-1.4\n".ljust(1 << 20, b"%"))
        for _ in range((size >> 20) - 1):
            file.write(block)
    return path
