"""Tests of jobs that wait for their PIN: the reason, the release by the owner, and the release station."""

import pytest
from conftest import check_accessibility
from playwright.sync_api import expect

PIN = "48151623"


def submit(spooler, title, pin=PIN):
    """Submits a job that waits for a PIN."""
    file = spooler.file("pin", f"{pin}\n".encode())
    return spooler.submit("--pin-file", file, "--title", title, "-d", "mono-laser", spooler.pdf())


def test_a_job_shows_that_it_waits_for_its_pin_and_its_owner_releases_it(spooler, center):
    job = submit(spooler, "Salaries")
    center.goto(f"{spooler.origin}/jobs/{job}")
    expect(center.locator(".main")).to_contain_text("Held for its PIN")
    expect(center.locator(".main")).to_contain_text("The job waits for its PIN, or until its owner releases it.")
    center.get_by_role("button", name="Release").first.click()
    expect(center.locator(".main")).to_contain_text("Completed", timeout=20000)


@pytest.mark.parametrize(("language", "title", "done", "none"), [
    ("en", "Release station", "2 jobs are released.", "No job waits for this PIN."),
    ("ja", "印刷ステーション", "2件のジョブを印刷します。", "このPINを待っているジョブはありません。"),
])
def test_a_release_station_prints_all_jobs_with_the_pin_and_shows_no_titles(
        spooler, open_center, language, title, done, none):
    jobs = [submit(spooler, "Salaries"), submit(spooler, "Salaries")]
    page = open_center(768, 1024)
    page.goto(f"{spooler.origin}/release/mono-laser?lang={language}")
    expect(page).to_have_title(title)
    expect(page.locator("h1")).to_have_text("mono-laser")
    check_accessibility(page)
    keys = page.locator(".station-key")
    for digit in "0000":
        keys.filter(has_text=digit).first.click()
    keys.last.click()
    expect(page.locator(".station-result")).to_contain_text(none)
    # A keyboard works too.
    page.keyboard.type(PIN[:-1] + "x9")
    page.keyboard.press("Backspace")
    page.keyboard.type(PIN[-1])
    page.keyboard.press("Enter")
    expect(page.locator(".station-result")).to_contain_text(done)
    expect(page.locator(".station-pin")).to_have_value("")
    assert "Salaries" not in page.content()
    for job in jobs:
        spooler.wait_for_event("job-completed", job)
