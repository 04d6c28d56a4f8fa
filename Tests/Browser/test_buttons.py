"""Tests that each button of a job and of a printer does something, in each state, and that no text needs a shell."""

import os
import re

import pytest
from playwright.sync_api import expect

from conftest import wait_until
from test_queue import held

# Whether the long form of the tests runs, as `scripts/test --long` does.
LONG = bool(os.environ.get("PRINTQ_LONG_TESTS"))
# A command line of printq or printsim in a text.
COMMAND = re.compile(r"\b(printq|printsim) [a-z]")


def waiting(spooler):
    spooler.printq("printers", "pause", "color-laser")
    return spooler.submit(spooler.pdf())


def stopped(spooler):
    spooler.fault("media-jam at page 2")
    job = spooler.submit(spooler.pdf())
    spooler.wait_for_event("job-stopped", job)
    return job


def completed(spooler):
    job = spooler.submit(spooler.pdf())
    spooler.wait_for_event("job-completed", job)
    return job


def canceled(spooler):
    job = held(spooler)
    spooler.printq("cancel", str(job))
    return job


def failed(spooler):
    job = spooler.submit(spooler.file("broken.docx", b"PK\x03\x04" + bytes(range(256))))
    spooler.wait_for_event("job-completed", job)
    return job


# The states of the default form have the most buttons, and the fewest pages and documents.
JOB_STATES = [waiting, held, stopped, completed, canceled, failed] if LONG else [waiting, stopped, failed]
PRINTER_STATES = ["ready", "paused", "stopped", "off"] if LONG else ["stopped"]


def reset(spooler):
    """Cancels all jobs, and removes what a button may have changed at the printer."""
    spooler.printq("cancel", "--all")
    spooler.control("color-laser", "power", {"on": True})
    spooler.control("color-laser", "clear", {})
    for command in ("resume", "accept"):
        spooler.post(f"printers/color-laser/{command}")


def press(page, button):
    """Presses a button, and waits until the page has changed."""
    page.evaluate("""() => {
        window.changes = 0
        window.observer?.disconnect()
        window.observer = new MutationObserver(() => { window.changes++ })
        window.observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
    }""")
    address = page.url
    button.click()
    wait_until(page, f"() => window.changes > 0 || location.href !== {address!r}")


def names(buttons):
    """Returns the accessible names of the buttons that can be pressed."""
    return [button.get_attribute("aria-label") or button.inner_text() for button in buttons.all()
            if button.is_visible() and button.is_enabled()]


def press_all(spooler, page, open_state, scope):
    """Presses each button in `scope` in a fresh state. The long form also presses each item of the menus."""
    open_state()
    buttons = lambda: page.locator(scope).get_by_role("button")
    pressed = names(buttons())
    for index, name in enumerate(pressed):
        if index:
            open_state()
        press(page, buttons().get_by_text(name, exact=True).or_(page.get_by_role("button", name=name, exact=True)).first)
        items = page.get_by_role("menuitem")
        for item in range(items.count() if LONG else 0):
            label = items.nth(item).inner_text()
            if items.nth(item).get_attribute("download") is not None:
                continue
            press(page, items.nth(item))
            open_state()
            buttons().get_by_text(name, exact=True).or_(page.get_by_role("button", name=name, exact=True)).first.click()
            expect(items.first, label).to_be_visible()
    return pressed


@pytest.mark.parametrize("state", JOB_STATES)
def test_each_button_of_a_job_does_something(spooler, center, state):
    def open_state():
        reset(spooler)
        job = state(spooler)
        center.goto(f"{spooler.origin}/jobs/{job}")
        expect(center.get_by_role("region", name="State")).to_be_visible()
        expect(center.locator(".thumb, .pages-desk p").first).to_be_visible()
        # Another view of the page would hide what a button changes.
        text = center.locator("main").inner_text()
        assert not COMMAND.search(text), text

    pressed = press_all(spooler, center, open_state, "main")
    # Neither pages nor the document of a job that failed are kept.
    assert ("More actions" in pressed) == (state is not failed), pressed


@pytest.mark.parametrize("state", PRINTER_STATES)
def test_each_button_of_a_printer_does_something(spooler, center, state):
    def open_state():
        reset(spooler)
        spooler.control("color-laser", "power", {"on": state != "off"})
        if state == "paused":
            spooler.printq("printers", "pause", "color-laser")
        if state == "stopped":
            stopped(spooler)
        center.goto(f"{spooler.origin}/printers/color-laser")
        expect(center.get_by_role("heading", name="color-laser")).to_be_visible()
        expect(center.get_by_role("button", name="More actions")).to_be_visible()

    pressed = press_all(spooler, center, open_state, "main .bar, main .alert-place")
    assert "More actions" in pressed, pressed
