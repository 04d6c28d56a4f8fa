"""Tests of the page viewer and of the thumbnails."""

import base64
import re

import pytest
from conftest import check_accessibility, wait_until
from playwright.sync_api import expect


def lines(number):
    """Draws black lines, 1 point wide and 2 points apart, over the middle of the page."""
    return "1 w " + " ".join(f"{200 + 2 * index} 300 m {200 + 2 * index} 500 l S" for index in range(100))


def contrast(page):
    """Returns the difference between the darkest and the lightest pixel in the middle of the window.

    Lines that are drawn for a smaller size are gray.
    """
    picture = base64.b64encode(page.screenshot(clip={"x": 700, "y": 440, "width": 60, "height": 60})).decode()
    # The content security policy of the page does not allow reading the picture there.
    other = page.context.new_page()
    value = other.evaluate("""async data => {
        const image = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob())
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d")
        context.drawImage(image, 0, 0)
        const { data: pixels } = context.getImageData(0, 0, image.width, image.height)
        const values = pixels.filter((_, index) => index % 4 === 0)
        return Math.max(...values) - Math.min(...values)
    }""", picture)
    other.close()
    return value


@pytest.fixture
def job(spooler):
    return spooler.submit("--wait", "--duplex", "long", spooler.pdf(pages=5))


def test_thumbnails_show_every_page_on_its_sheet(spooler, center, job):
    center.goto(f"{spooler.origin}/jobs/{job}")
    panel = center.get_by_role("region", name="Pages")
    expect(panel.get_by_text("Sheet 3")).to_be_visible()
    wait_until(center, """() =>
        [...document.querySelectorAll(".thumb canvas")].filter(canvas => canvas.width > 50).length >= 5""")


def test_the_viewer_turns_pages_and_keeps_three_views(spooler, center, job):
    center.goto(f"{spooler.origin}/jobs/{job}/pages/1?side=printed")
    expect(center.get_by_text("Page 1 of 5").first).to_be_visible()
    for number in range(2, 6):
        center.keyboard.press("ArrowRight")
        expect(center.get_by_text(f"Page {number} of 5").first).to_be_visible()
    assert center.locator(".page-view").count() == 3
    center.keyboard.press("Home")
    expect(center.get_by_text("Page 1 of 5").first).to_be_visible()


@pytest.mark.parametrize("side", ["document", "printed"])
def test_a_page_is_sharp_after_zooming(spooler, center, side):
    job = spooler.submit("--wait", spooler.pdf("lines.pdf", 1, lines))
    center.goto(f"{spooler.origin}/jobs/{job}/pages/1?side={side}")
    expect(center.get_by_text("Page 1 of 1").first).to_be_visible()
    for _ in range(4):
        center.keyboard.press("+")
    wait_until(center, """() => performance.getEntriesByType("resource").some(
        entry => /dpi=(192|384|768)/.test(entry.name))""")
    expect(center.locator(".page-view[role=img][data-sharp]")).to_be_attached()
    assert contrast(center) > 180


def test_the_printable_area_is_shown(spooler, center, job):
    center.goto(f"{spooler.origin}/jobs/{job}/pages/1?side=printed")
    expect(center.get_by_text("Page 1 of 5").first).to_be_visible()
    center.keyboard.press("a")
    expect(center.locator(".page-view[role=img]").get_by_text(re.compile(r"margins 4.23 mm"))).to_be_visible()


def test_a_double_click_zooms_around_the_point(spooler, center, job):
    center.goto(f"{spooler.origin}/jobs/{job}/pages/1?side=printed")
    expect(center.get_by_text("Page 1 of 5").first).to_be_visible()
    center.mouse.dblclick(800, 300)
    expect(center.get_by_role("button", name=re.compile("show the whole page"))).to_be_visible()
    center.keyboard.press("0")
    expect(center.get_by_role("button", name=re.compile("^Fit"))).to_be_visible()


def test_differences_are_marked(spooler, center):
    def color(_):
        return "1 0 0 rg 100 400 200 200 re f"
    job = spooler.submit("--wait", "-d", "mono-laser", spooler.pdf("red.pdf", 1, color))
    center.goto(f"{spooler.origin}/jobs/{job}/compare/1")
    expect(center.get_by_text("Color printed as gray").first).to_be_visible()


def test_another_users_pages_are_not_shown(spooler, center):
    response = center.request.get(f"{spooler.origin}/api/v1/jobs/99/pages/1/image?side=document&dpi=24")
    assert response.status == 404


def test_a_turned_side_is_shown_upright(spooler, center):
    job = spooler.submit("--number-up", "2", "-d", "color-laser", spooler.pdf(pages=2))
    center.goto(spooler.origin + f"/jobs/{job}")
    leaf = center.locator(".thumb .leaf.turn-1").first
    expect(leaf).to_be_visible()
    box = leaf.bounding_box()
    assert box["width"] > box["height"], box
    expect(center.get_by_text("Right, then down")).to_be_visible()
    center.goto(spooler.origin + f"/jobs/{job}/pages/1?side=printed")
    expect(center.locator(".page-view .paper-view.turn-1")).to_be_visible()
    page = center.locator(".page-view:visible").first
    expect(page).to_have_attribute("data-dpi", re.compile(r"\d+"))
    box = page.bounding_box()
    assert box["width"] > box["height"], box


def test_the_text_of_a_page_lies_over_its_image(spooler, center):
    job = spooler.submit("--hold", "23:59", spooler.pdf(pages=2))
    center.goto(f"{spooler.origin}/jobs/{job}/pages/1?side=document")
    text = center.get_by_role("group", name="Text of the page")
    expect(text.first).to_have_text("Page 1 ")
    image = center.locator(".page-view[role=img]").bounding_box()
    word = text.locator("span").first
    box = word.bounding_box()
    # The text begins 60 points from the left, and its baseline is 700 points above the lower edge.
    scale = image["width"] / 595
    assert abs(box["x"] - image["x"] - 60 * scale) < 12 * scale
    assert 70 * scale < box["y"] - image["y"] < 150 * scale
    word.dblclick()
    assert center.evaluate("() => getSelection().toString().trim()") == "Page"
    check_accessibility(center)
    center.keyboard.press("ArrowRight")
    expect(center.get_by_role("group", name="Text of the page").filter(has_text="2")).to_be_visible()


def test_a_printed_side_has_the_text_of_its_page(spooler, center):
    job = spooler.submit("--wait", spooler.pdf(pages=1))
    center.goto(f"{spooler.origin}/jobs/{job}/pages/1?side=printed")
    expect(center.get_by_role("group", name="Text of the page")).to_have_text("Page 1 ")
