"""Tests that the shop prints its labels."""

from PIL import Image
from shop import print_label

ORDER = {"number": 17, "address": ["Ann Example", "1 Main Street", "Springfield"]}


def test_a_label_has_the_size_of_the_parcel_label_and_a_bar_code(printer):
    job, pages = printer.job(print_label(ORDER))
    assert job["state"] == "completed" and job["warnings"] == []
    assert job["name"] == "Order 17"
    assert job["paper"]["media"] == "na_index-4x6_4x6in"
    assert len(pages) == 1
    page = Image.open(pages[0]).convert("L")
    assert page.getpixel((page.width // 2, page.height * 3 // 4)) == 0
    assert page.getpixel((page.width // 2, page.height // 2)) == 255


def test_each_parcel_of_an_order_has_a_label(printer):
    job, _ = printer.job(print_label({**ORDER, "parcels": 3}))
    assert job["impressionsCompleted"] == 3


def test_a_label_waits_while_the_printer_has_no_labels_left(printer):
    printer.control("load", "labels", "1", "4x6in")
    first, second = print_label(ORDER), print_label({**ORDER, "number": 18})
    printer.job(first)
    printer.until("media-empty-error")
    printer.control("load", "labels", "300", "4x6in")
    job, pages = printer.job(second)
    assert job["state"] == "completed" and len(pages) == 1
