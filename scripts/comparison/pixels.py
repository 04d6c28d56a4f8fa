"""Compares two images of a page, and ignores antialiasing, hinting and shifts by one pixel."""
import numpy
from PIL import Image

FACTOR = 2  # pixels each way that become one


def load(path):
    """Returns an image at a lower resolution, as rows of red, green and blue from 0 to 255."""
    with Image.open(path) as image:
        image = image.convert("RGB")
        if min(image.size) >= 2 * FACTOR:
            image = image.reduce(FACTOR)
        return numpy.asarray(image, dtype=numpy.int16)


def distance(one, other):
    """Returns the difference of each pixel from the other image, 0 to 255.

    The difference of a pixel is 0 if its color lies between the lowest and the highest value of the other image's pixel
    and its neighbors. The images are compared in both directions, so that a line in only one of the images counts.
    """
    if one.shape != other.shape:
        raise ValueError(f"images of {one.shape} and {other.shape} cannot be compared")
    return numpy.maximum(_beyond(one, other), _beyond(other, one)).max(axis=2)


def _beyond(image, other):
    low, high = _neighbors(other, numpy.minimum), _neighbors(other, numpy.maximum)
    return numpy.maximum(numpy.maximum(low - image, image - high), 0)


def _neighbors(image, choose):
    """Returns for each pixel the lowest or the highest value of the pixel and its eight neighbors."""
    padded = numpy.pad(image, ((1, 1), (0, 0), (0, 0)), mode="edge")
    rows = choose(choose(padded[:-2], padded[1:-1]), padded[2:])
    padded = numpy.pad(rows, ((0, 0), (1, 1), (0, 0)), mode="edge")
    return choose(choose(padded[:, :-2], padded[:, 1:-1]), padded[:, 2:])


def share(mask):
    """Returns the percentage of pixels that are set."""
    return round(100 * float(mask.mean()), 3)


def compare(ours, pdfium, mupdf, tolerance):
    """Compares three image files; returns the percentages of different pixels, and the pixels where only ours differs."""
    ours, pdfium, mupdf = load(ours), load(pdfium), load(mupdf)
    from_pdfium, from_mupdf = distance(ours, pdfium) > tolerance, distance(ours, mupdf) > tolerance
    between = distance(pdfium, mupdf) > tolerance
    against = from_pdfium & from_mupdf & ~between
    return {"pdfium": share(from_pdfium), "mupdf": share(from_mupdf), "between": share(between),
            "against": share(against)}, against
