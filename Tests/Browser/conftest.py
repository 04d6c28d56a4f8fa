"""Fixtures of the browser tests: a printd, and a signed-in page of a headless Chromium."""

import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from spooler import Spooler

# A busy machine needs longer than Playwright's five seconds.
expect.set_options(timeout=30_000)


@pytest.fixture
def spooler():
    """A printd whose simulated printers print at once."""
    spooler = Spooler()
    yield spooler
    spooler.close()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        # Chromium's own sandbox does not work for root and in containers.
        # The certificate of printd is self-signed.
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--ignore-certificate-errors"])
        yield browser
        browser.close()


@pytest.fixture
def open_center(chromium, spooler):
    """Returns a function that opens a signed-in page.

    The test fails if the page reports an error or violates its content security policy.
    """
    contexts, errors = [], []

    def open_center(width=1440, height=900, service=None, **options):
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if is_fault(message) else None)
        page.goto((service or spooler).login())
        # The page is ready when its first view is.
        page.wait_for_selector(".rows-box, .empty, .view-printers h1:visible")
        return page

    yield open_center
    for context in contexts:
        context.close()
    assert not errors, errors


def is_fault(message):
    """Returns whether a message of the console is an error in the page itself."""
    # Chromium reports each response with an error status; tests cause such responses on purpose.
    return message.type == "error" and not message.text.startswith("Failed to load resource")


@pytest.fixture
def center(open_center):
    """A signed-in page, 1440 by 900 pixels."""
    return open_center()


def check_accessibility(page):
    """Checks a page with axe."""
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def wait_until(page, condition):
    """Waits until a JavaScript function returns true.

    The content security policy forbids Playwright's own function, which evaluates a string in the page.
    """
    deadline = time.monotonic() + 15
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, f"timed out: {condition}"
        page.wait_for_timeout(20)
