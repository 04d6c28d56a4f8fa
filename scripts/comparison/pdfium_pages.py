"""Draws pages with PDFium as PDFium prints them: with printable annotations and the values of form fields.

A separate program, because PDFium may crash. Reads a request as JSON from standard input, and writes a line of JSON for the
document ({"count": 3} or {"error": "..."}), then a line for each page.
"""
import json
import sys

import numpy
import pypdfium2
import pypdfium2.raw as raw
from PIL import Image

FLAGS = raw.FPDF_ANNOT | raw.FPDF_PRINTING
LEAST_SIDE = 300  # pixels of the longer side, so that small pages can be compared
MOST_DPI = 1200


def main():
    order = json.load(sys.stdin)
    try:
        document = pypdfium2.PdfDocument(order["document"], password=order["password"])
        count = len(document)
        if count > 0 and document.get_formtype() in (raw.FORMTYPE_ACRO_FORM, raw.FORMTYPE_XFA_FOREGROUND):
            document.init_forms()
            # The highlight color of form fields is not printed.
            raw.FPDF_RemoveFormFieldHighlight(document.formenv)
    except pypdfium2.PdfiumError as error:
        answer(error=str(error))
        return
    answer(count=count)
    for number in spread(count, order["pages"]):
        try:
            answer(page=number, **draw(document, number, order))
        except Exception as error:  # the next page may be sound
            answer(page=number, error=f"{type(error).__name__}: {error}")


def answer(**values):
    print(json.dumps(values), flush=True)


def spread(count, most):
    """Returns at most `most` page numbers from 1 to `count`, including the first and the last page."""
    if count <= most:
        return list(range(1, count + 1))
    if most == 1:
        return [1]
    return sorted({1 + round(index * (count - 1) / (most - 1)) for index in range(most)})


def draw(document, number, order):
    page = document[number - 1]
    unit = order["units"].get(str(number), 1)
    width, height = page.get_width() * unit, page.get_height() * unit
    dpi = resolution(width, height, order)
    columns, rows = max(1, round(width * dpi / 72)), max(1, round(height * dpi / 72))
    path = f"{order['output']}/pdfium-{number}.png"
    Image.fromarray(pixels(document, page, columns, rows)).save(path, compress_level=1)
    return {"width": width, "height": height, "dpi": dpi, "columns": columns, "rows": rows, "image": path}


def resolution(width, height, order):
    """Returns the resolution for a page size in points: lower for large pages, higher for small pages."""
    dpi = order["dpi"]
    if width * height * (dpi / 72) ** 2 > order["pixels"]:
        return max(1, int(72 * (order["pixels"] / (width * height)) ** 0.5))
    return max(dpi, min(MOST_DPI, int(72 * LEAST_SIDE / max(width, height))))


def pixels(document, page, columns, rows):
    """Returns the page as rows of red, green and blue, drawn on white."""
    bitmap = raw.FPDFBitmap_CreateEx(columns, rows, raw.FPDFBitmap_BGRx, None, 0)
    if not bitmap:
        raise MemoryError(f"no bitmap of {columns} x {rows} pixels")
    try:
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, 0xFFFFFFFF)
        place = (bitmap, page, 0, 0, columns, rows, 0, FLAGS)
        raw.FPDF_RenderPageBitmap(*place)
        if document.formenv:
            raw.FPDF_FFLDraw(document.formenv, *place)
        stride = raw.FPDFBitmap_GetStride(bitmap)
        buffer = raw.FPDFBitmap_GetBuffer(bitmap)
        data = (raw.c_ubyte * (stride * rows)).from_address(raw.cast(buffer, raw.c_void_p).value)
        array = numpy.frombuffer(data, numpy.uint8).reshape(rows, stride)[:, :columns * 4].reshape(rows, columns, 4)
        return array[:, :, 2::-1].copy()
    finally:
        raw.FPDFBitmap_Destroy(bitmap)


if __name__ == "__main__":
    main()
