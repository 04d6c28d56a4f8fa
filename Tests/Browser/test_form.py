"""Tests of the form of the pages: widths, dark mode, languages, keys, accessibility."""

import re

import pytest
from conftest import check_accessibility
from playwright.sync_api import expect

from test_queue import held, row


def test_a_phone_shows_the_list_then_the_job_then_the_list(spooler, open_center):
    page = open_center(390, 844, has_touch=True, is_mobile=True)
    job = held(spooler)
    expect(row(page, job)).to_be_visible()
    assert row(page, job).bounding_box()["height"] >= 44
    row(page, job).tap()
    expect(page.get_by_role("heading", name="report.pdf")).to_be_visible()
    expect(row(page, job)).to_be_hidden()
    page.go_back()
    expect(row(page, job)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_upright_tablet_opens_the_list_as_a_popover(spooler, open_center):
    page = open_center(768, 1024)
    job = held(spooler)
    page.goto(f"{spooler.origin}/jobs/{job}")
    expect(page.get_by_role("heading", name="report.pdf")).to_be_visible()
    expect(row(page, job)).not_to_be_in_viewport()
    page.get_by_role("button", name="Jobs").click()
    expect(row(page, job)).to_be_visible()
    page.keyboard.press("Escape")
    expect(row(page, job)).not_to_be_in_viewport()


def test_dark_mode_follows_the_system(open_center):
    page = open_center(color_scheme="dark")
    color = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(int(part) for part in re.findall(r"\d+", color)[:3]) < 64
    light = open_center(color_scheme="light")
    assert light.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_japanese_users_read_japanese(spooler, open_center):
    page = open_center(locale="ja-JP")
    job = held(spooler)
    expect(page.get_by_role("link", name="新規ジョブ").first).to_be_visible()
    expect(row(page, job)).to_contain_text("保留")
    assert page.evaluate("document.documentElement.lang") == "ja"


def test_a_job_is_submitted_and_canceled_with_the_keyboard_only(spooler, center):
    spooler.printq("printers", "pause", "color-laser")
    pdf = spooler.pdf("letter.pdf")
    # Chromium reports a file chooser only if the handler was installed before the key is pressed.
    center.on("filechooser", lambda chooser: chooser.set_files(pdf))
    center.keyboard.press("n")
    expect(center.get_by_role("heading", name="New Job")).to_be_visible()
    # The first meaningful element has the focus.
    expect(center.get_by_role("button", name="Add files…")).to_be_focused()
    center.keyboard.press("Enter")
    expect(center.get_by_text("3 pages").first).to_be_visible()
    copies = center.get_by_role("spinbutton", name="Copies")
    for _ in range(40):
        center.keyboard.press("Tab")
        if copies.evaluate("field => field === document.activeElement"):
            break
    center.keyboard.press("Control+A")
    center.keyboard.type("2")
    center.keyboard.press("Control+Enter")
    expect(center).to_have_url(re.compile(r"/jobs/\d+"))
    job = center.url.split("/")[-1].split("?")[0]
    expect(row(center, job)).to_be_visible()
    assert "copies" in spooler.printq("show", job)
    center.keyboard.press("x")
    expect(row(center, job)).to_have_accessible_name(re.compile("Canceled"))


def test_the_keys_are_listed_and_letters_can_be_turned_off(spooler, center):
    center.keyboard.press("?")
    panel = center.get_by_role("dialog")
    expect(panel).to_contain_text("Cancel")
    panel.get_by_role("checkbox").uncheck()
    center.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    center.keyboard.press("n")
    center.keyboard.press("?")
    expect(center).to_have_url(re.compile("/jobs"))


@pytest.mark.parametrize("width,height", [(1440, 900), (1024, 768), (768, 1024), (390, 844)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_is_accessible(spooler, open_center, width, height, scheme):
    job = spooler.submit("--wait", "--duplex", "long", spooler.pdf())
    held(spooler)
    spooler.fault("media-jam at page 1", printer="mono-laser")
    page = open_center(width, height, color_scheme=scheme)
    for path, sign in [
        ("/jobs", None), (f"/jobs/{job}", "report.pdf"), (f"/jobs/{job}/pages/1?side=printed", "Page 1"),
        (f"/jobs/{job}/compare/1", "same"), ("/new", "New Job"), ("/printers", "color-laser"),
        ("/printers/color-laser", "tray-1"), ("/printers/color-laser/log", None), ("/printers/add", "Add"),
        ("/usage", "By user"),
    ]:
        page.goto(spooler.origin + path)
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        if sign:
            expect(page.get_by_text(sign).first).to_be_attached()
        check_accessibility(page)
