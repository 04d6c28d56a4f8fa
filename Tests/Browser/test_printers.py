"""Tests of the printers' pages."""

import json
import os
import re

import pytest
from conftest import check_accessibility
from playwright.sync_api import expect

from test_queue import row


def test_a_fault_raises_an_alert_and_its_end_completes_the_job(spooler, center):
    center.goto(f"{spooler.origin}/printers/color-laser")
    center.get_by_role("combobox", name=re.compile("Fault|fault")).first.select_option("media-jam")
    # The printer prints at once, so the fault must be there before the job.
    with center.expect_response("**/simulator/fault"):
        center.get_by_role("button", name="Add Fault").click()
    job = spooler.submit(spooler.pdf())
    expect(center.get_by_role("button", name="Clear Jam")).to_be_visible()
    center.get_by_role("button", name="Clear Jam").click()
    center.goto(f"{spooler.origin}/jobs/{job}")
    expect(row(center, job)).to_have_accessible_name(re.compile("Completed"))


def test_a_printer_is_paused_with_a_message_and_resumed(spooler, center):
    center.goto(f"{spooler.origin}/printers/photo")
    center.get_by_role("button", name="Pause").click()
    dialog = center.get_by_role("dialog")
    dialog.get_by_label("Message").fill("new ink at noon")
    dialog.get_by_role("button", name="Pause").click()
    expect(center.get_by_text("new ink at noon").first).to_be_visible()
    assert "new ink at noon" in spooler.printq("printers")
    center.get_by_role("button", name="Resume").first.click()
    expect(center.get_by_role("button", name="Pause")).to_be_visible()


def test_paper_is_loaded(spooler, center):
    spooler.control("color-laser", "load", {"tray": "tray-1", "sheets": 1})
    center.goto(f"{spooler.origin}/printers/color-laser")
    expect(center.get_by_text("tray-1", exact=True)).to_be_visible()
    center.get_by_role("button", name=re.compile("Load")).first.click()
    center.get_by_label(re.compile("[Ss]heets")).first.fill("200")
    center.get_by_role("button", name="Load", exact=True).click()
    expect(center.get_by_text(re.compile("200 of"))).to_be_visible()


def test_a_printer_that_is_switched_off_is_shown(spooler, center):
    center.goto(f"{spooler.origin}/printers/inkjet")
    power = center.get_by_role("switch", name=re.compile("Power"))
    power.click()
    center.get_by_role("button", name="Switch On").click()
    expect(center.get_by_text("The printer is switched off.")).to_be_hidden()


def test_a_test_page_is_printed(spooler, center):
    center.goto(f"{spooler.origin}/printers/inkjet")
    center.get_by_role("button", name="Print Test Page").click()
    expect(center.get_by_text("A test page was sent to inkjet.")).to_be_visible()
    spooler.printq("watch", "1")


def test_a_printer_is_added_and_removed(spooler, center):
    folder = os.path.join(spooler.folder, "archive")
    os.mkdir(folder)
    center.goto(f"{spooler.origin}/printers/add")
    center.get_by_label("Name").fill("archive")
    center.get_by_label("Address").fill(f"folder:{folder}")
    center.get_by_role("button", name="Add", exact=True).last.click()
    expect(center.get_by_role("heading", name="archive")).to_be_visible()
    assert "archive" in spooler.printq("printers")


@pytest.mark.parametrize("width,height,scheme", [(1440, 900, "light"), (390, 844, "dark")])
def test_the_usage_is_summed_by_user_and_day(spooler, open_center, width, height, scheme):
    for pages in (3, 5):
        spooler.submit("--wait", spooler.pdf(pages=pages))
    page = open_center(width, height, color_scheme=scheme)
    page.goto(f"{spooler.origin}/usage")
    users = page.get_by_role("region", name="By user")
    expect(users.get_by_role("row").nth(1)).to_contain_text(re.compile(r"2\s*8"))
    expect(page.get_by_role("region", name="By day").get_by_role("row")).to_have_count(2)
    check_accessibility(page)
    page.get_by_role("combobox", name="Period").select_option("7")
    expect(users.get_by_role("row")).to_have_count(2)
    spooler.printq("quota", "set", "everyone", "--per", "month", "--pages", "20")
    page.reload()
    expect(page.get_by_text("12 of 20 pages per month left until")).to_be_visible()
    check_accessibility(page)
    spooler.printq("quota", "remove", "everyone")


def test_a_printer_is_shared_on_the_network(spooler, center):
    center.goto(f"{spooler.origin}/printers/mono-laser")
    center.get_by_role("button", name="More").click()
    center.get_by_role("menuitem", name="Change…").click()
    form = center.get_by_role("dialog")
    expect(form.get_by_label("Name on the network")).to_be_hidden()
    form.get_by_label("Share on the network").check()
    form.get_by_label("Name on the network").fill("Hall")
    form.get_by_label("Print without a password").check()
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    shown = spooler.run(
        "curl", "--silent", "--unix-socket", f"{spooler.spool}/printd.sock",
        "http://localhost/api/v1/printers/mono-laser")
    sharing = json.loads(shown)["sharing"]
    assert (sharing["shared"], sharing["name"], sharing["anonymous"]) == (True, "Hall", True)
