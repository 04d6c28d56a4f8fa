"""Tests of the Print Center of printsim."""

import base64
import re

import pytest
from conftest import check_accessibility, wait_until
from playwright.sync_api import expect

from simulator import Simulator
from spooler import pdf


@pytest.fixture
def simulator():
    simulator = Simulator()
    yield simulator
    simulator.close()


def test_a_developer_watches_a_simulated_printer(simulator, open_center):
    page = open_center(service=simulator)
    expect(page.get_by_text("mono-laser").first).to_be_visible()
    # There is no queue of jobs, and new jobs come from programs.
    expect(page.get_by_role("link", name="New Job")).to_have_count(0)
    page.get_by_role("link", name=re.compile("mono-laser")).first.click()
    expect(page.get_by_text("tray-1", exact=True)).to_be_visible()
    check_accessibility(page)
    page.get_by_role("combobox", name=re.compile("Fault|fault")).first.select_option("media-jam")
    with page.expect_response("**/simulator/fault"):
        page.get_by_role("button", name="Add Fault").click()
    page.get_by_role("button", name="Print Test Page").click()
    clear = page.get_by_role("button", name="Clear Jam")
    expect(clear).to_be_visible()
    clear.click()
    expect(clear).to_be_hidden()
    simulator.control("wait", "--job", "1")
    page.goto(re.sub(r"/printers/.*", "/printers/mono-laser/log", page.url))
    expect(page.get_by_text("Print-Job").first).to_be_visible()
    check_accessibility(page)


def test_an_empty_supply_is_replaced(tmp_path, monkeypatch, open_center):
    with open("Simulators/mono-laser.json5") as file:
        description = file.read().replace("level: 60,", 'level: 0, whenEmpty: "stop",')
    (tmp_path / "mono-laser.json5").write_text(description)
    monkeypatch.setenv("PRINTSIM_SIMULATORS", str(tmp_path))
    simulator = Simulator()
    try:
        page = open_center(service=simulator)
        page.goto(f"{simulator.origin}/printers/mono-laser")
        simulator.print(pdf(1))
        page.locator(".alert").get_by_role("button", name="Replace").click()
        simulator.control("wait", "--job", "1")
        expect(page.locator(".alert")).to_be_hidden()
    finally:
        simulator.close()


def test_a_printed_job_appears_and_its_pages_open(simulator, open_center):
    page = open_center(service=simulator)
    page.goto(f"{simulator.origin}/printers/mono-laser")
    expect(page.get_by_text("No jobs yet")).to_be_visible()
    # The left half of each page is black.
    simulator.print(pdf(3, lambda _: "0 0 300 842 re f"), sides="two-sided-long-edge")
    first = page.get_by_role("link", name="letter.pdf, page 1")
    expect(first).to_be_visible()
    expect(page.locator(".printed-pages img")).to_have_count(3)
    expect(page.get_by_text("Completed · 3 pages · A4 · two-sided")).to_be_visible()
    # A page image has 100 pixels per inch.
    wait_until(page, """() => {
        const image = document.querySelector(".printed-pages img")
        return image.naturalWidth === 827 && image.naturalHeight === 1169
    }""")
    check_accessibility(page)
    first.click()
    title = page.locator(".page-title")
    expect(title).to_have_text("Page 1 of 3, sheet 1, front")
    shown = page.locator(".page-view[role=img]")
    expect(shown.locator("canvas.base")).to_have_attribute("width", "827")
    box = shown.bounding_box()
    assert darkness(page, box["x"] + box["width"] / 4, box["y"] + box["height"] / 2) > 200
    assert darkness(page, box["x"] + box["width"] * 3 / 4, box["y"] + box["height"] / 2) < 30
    page.keyboard.press("a")
    expect(shown.get_by_text(re.compile("margins .* mm"))).to_be_visible()
    check_accessibility(page)
    page.keyboard.press("a")
    page.keyboard.press("ArrowRight")
    expect(title).to_have_text("Page 2 of 3, sheet 1, back")
    page.keyboard.press("+")
    expect(page.get_by_role("button", name=re.compile("show the whole page"))).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download PNG").click()
    assert download.value.suggested_filename == "mono-laser-1-2.png"
    page.keyboard.press("Escape")
    expect(first).to_be_focused()
    expect(page).to_have_url(f"{simulator.origin}/printers/mono-laser")


def test_an_event_during_the_first_load_builds_the_controls_once(simulator, open_center):
    page = open_center(service=simulator)
    held = []
    page.route("**/printed-jobs.js*", lambda route: held.append(route))
    with page.expect_request("**/printed-jobs.js*"):
        page.goto(f"{simulator.origin}/printers/mono-laser")
    # The event of the job starts a second load, which also needs the held file.
    with page.expect_response("**/api/v1/printers/mono-laser"):
        simulator.print(pdf(1))
    page.evaluate("() => new Promise(resolve => requestAnimationFrame(resolve))")
    for route in held:
        route.continue_()
    # The fixture fails the test if the page reports an error.
    expect(page.get_by_role("link", name="letter.pdf, page 1")).to_be_visible()
    expect(page.locator(".printed-pages")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_appears_when_it_is_printed(simulator, open_center, scheme):
    page = open_center(390, 844, service=simulator, color_scheme=scheme)
    simulator.control("fault", "media-jam at page 2")
    simulator.print(pdf(3))
    page.goto(f"{simulator.origin}/printers/mono-laser")
    expect(page.get_by_text("1 of 3 pages")).to_be_visible()
    expect(page.get_by_role("link", name="letter.pdf, page 3, not printed")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("link", name="letter.pdf, page 2").click()
    expect(page.locator(".page-title")).to_contain_text("Page 2 of 3, sheet 2")
    image = page.locator(".page-view[role=img] canvas.base")
    expect(image).to_have_attribute("width", "0")
    check_accessibility(page)
    simulator.control("clear", "media-jam")
    expect(image).to_have_attribute("width", "827")
    page.get_by_role("link", name="Back to the printer").click()
    expect(page.locator(".printed-pages img")).to_have_count(3)


def test_jobs_are_found_and_deleted_and_their_files_are_offered(simulator, open_center):
    for name in ["Invoice 7", "Label", "Invoice 8"]:
        simulator.print(pdf(1), name=name)
    simulator.control("wait", "--jobs", "3")
    # The only printer opens at once.
    page = open_center(service=simulator)
    expect(page.locator(".printed-job")).to_have_count(3)
    check_accessibility(page)
    search = page.get_by_role("searchbox", name="Search names, owners and text")
    search.fill("invoice")
    expect(page.locator(".printed-job")).to_have_count(2)
    search.fill("letter")
    expect(page.locator(".printed-job")).to_have_count(0)
    expect(page.get_by_text("letter").last).to_be_visible()
    search.fill("")
    label = page.locator(".printed-job").filter(has_text="Label")
    with page.expect_download() as download:
        label.get_by_role("link", name="Original document").click()
    with open(download.value.path(), "rb") as file:
        assert file.read() == pdf(1)
    with page.expect_download() as download:
        label.get_by_role("link", name="Request and options").click()
    with open(download.value.path()) as file:
        assert '"ticket"' in file.read()
    label.get_by_role("button", name="Delete Label").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".printed-job")).to_have_count(2)
    page.get_by_role("button", name="Delete All").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Keep").click()
    expect(page.locator(".printed-job")).to_have_count(2)
    page.get_by_role("button", name="Delete All").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("No jobs yet")).to_be_visible()


def darkness(page, x, y):
    """Returns 255 for a black pixel of the window, and 0 for a white pixel."""
    picture = base64.b64encode(page.screenshot(clip={"x": x, "y": y, "width": 4, "height": 4})).decode()
    # The content security policy of the page does not allow reading the picture there.
    other = page.context.new_page()
    value = other.evaluate("""async data => {
        const image = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob())
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d")
        context.drawImage(image, 0, 0)
        return 255 - context.getImageData(0, 0, 1, 1).data[0]
    }""", picture)
    other.close()
    return value


def test_jobs_are_found_by_their_text_and_show_their_checks_and_requests(simulator, open_center):
    simulator.print(pdf(1), name="first")
    simulator.print(pdf(2, lambda number: "1 0 0 rg 0 100 300 300 re f" if number == 1 else ""), name="second")
    simulator.control("wait", "--jobs", "2")
    page = open_center(service=simulator, permissions=["clipboard-read", "clipboard-write"])
    second = page.locator(".printed-job").filter(has=page.get_by_role("heading", name="second"))
    for sentence in ["Page 2 is blank.", "outside of the printable area on page 1", "printed page 1 in gray"]:
        expect(second).to_contain_text(sentence)
    expect(page.locator(".printed-job").filter(has_text="first")).to_contain_text("Fonts are not embedded: Helvetica.")
    check_accessibility(page)
    with page.expect_download() as download:
        second.get_by_role("link", name="Request (IPP)").click()
    assert download.value.suggested_filename == "mono-laser-2-request-1.ipp"
    second.get_by_role("button", name="Copy Link to second").click()
    expect(second.get_by_text("Link copied")).to_be_visible()
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link == f"{simulator.origin}/printers/mono-laser/jobs/2/pages/1"
    page.get_by_role("searchbox", name="Search names, owners and text").fill("page 1")
    expect(page.locator(".printed-job")).to_have_count(1)
    expect(page.locator(".printed-job")).to_contain_text("first")
