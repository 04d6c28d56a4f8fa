"""Small pictures of listed pages, for review."""
import numpy
from PIL import Image

SIDE = 640  # the longest side, in pixels


def keep(images, mask, base):
    """Writes a picture for each image, and a picture that shows in red where printq differs from both other renderers."""
    for name, path in images.items():
        if path:
            with Image.open(path) as image:
                _small(image.convert("RGB")).save(f"{base}-{name}.jpg", quality=85)
    if mask is not None:
        with Image.open(images["printq"]) as image:
            pale = image.convert("L").resize(mask.shape[::-1]).point(lambda level: 160 + level * 95 // 255).convert("RGB")
        marked = numpy.asarray(pale).copy()
        marked[mask] = (220, 0, 0)
        _small(Image.fromarray(marked)).save(f"{base}-difference.jpg", quality=85)


def _small(image):
    image.thumbnail((SIDE, SIDE))
    return image
