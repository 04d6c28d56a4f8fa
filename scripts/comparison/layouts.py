"""Places pages on sheets, and cuts the pages out of the images of the sheets."""
import os

from PIL import Image

MARGIN = 36  # points around a page that is moved
SCALE = 0.75  # of a page that is scaled
PORTRAIT, LANDSCAPE = 3, 4  # IPP orientation-requested


def groups(pages):
    """Returns the pages grouped by size and resolution; all pages of a group have the same sheet size."""
    found = {}
    for page in pages:
        found.setdefault((page.columns, page.rows, page.dpi), []).append(page)
    return list(found.values())


def order(layout, group):
    """Returns the part of the request to page-images for a group of pages of one size."""
    page = group[0]
    width, height, dpi = page.width, page.height, page.dpi
    values = {"scaling": "none", "numberUp": 1}
    if layout == "moved":
        margin = _margin(page) * 72 / dpi
        width, height = width + 2 * margin, height + 2 * margin
    elif layout == "scaled":
        width, height, dpi = width * SCALE, height * SCALE, max(1, round(dpi / SCALE))
        values["scaling"] = "fit"
    elif layout == "turned":
        # The page is turned, because the orientation of the paper differs from the requested orientation.
        values["orientation"] = PORTRAIT if height > width else LANDSCAPE
        width, height = height, width
    elif layout == "two-up":
        width *= 2
        values.update(scaling="fit", numberUp=2)
    return {"pages": ",".join(str(page.number) for page in group), "width": width, "height": height, "margin": 0,
            "resolution": dpi, "monochrome": False, **values}


def cut(layout, group, sheets, folder):
    """Returns the paths of the page images by page number; the page images are cut out of the images of the sheets."""
    images = {}
    for index, page in enumerate(group):
        place = index // 2 if layout == "two-up" else index
        if place >= len(sheets):
            break
        path = os.path.join(folder, f"printq-{page.number}.png")
        with Image.open(sheets[place]) as sheet:
            _cut(layout, page, index, sheet.convert("RGB")).save(path, compress_level=1)
        images[page.number] = path
    for sheet in sheets:
        os.remove(sheet)
    return images


def _cut(layout, page, index, sheet):
    size = (page.columns, page.rows)
    if layout == "moved":
        margin = _margin(page)
        # The size of a sheet is a whole number of hundredths of a millimeter, so it may differ by a pixel.
        left, top = (sheet.width - page.columns) // 2, (sheet.height - page.rows) // 2
        assert abs(left - margin) <= 2 and abs(top - margin) <= 2, f"a sheet of {sheet.size} for a page of {size}"
        return sheet.crop((left, top, left + page.columns, top + page.rows))
    if layout == "turned":
        sheet = sheet.transpose(Image.Transpose.ROTATE_270)
    elif layout == "two-up":
        half = sheet.width / 2
        left = round(half) if index % 2 else 0
        sheet = sheet.crop((left, 0, left + round(half), sheet.height))
    return sheet if sheet.size == size else sheet.resize(size, Image.Resampling.BILINEAR)


def _margin(page):
    return max(1, round(MARGIN * page.dpi / 72))
