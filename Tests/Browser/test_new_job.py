"""Tests of the view of a new job."""

import re
import subprocess

from playwright.sync_api import expect

from test_queue import row


def drop(page, *paths):
    """Drops files on the page, as a person does with the mouse."""
    import base64
    import os
    files = [[os.path.basename(path), base64.b64encode(open(path, "rb").read()).decode()] for path in paths]
    page.evaluate("""files => {
        const transfer = new DataTransfer()
        for (const [name, data] of files)
            transfer.items.add(new File([Uint8Array.from(atob(data), letter => letter.charCodeAt(0))], name))
        for (const type of ["dragenter", "dragover", "drop"])
            document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
    }""", files)


def test_a_dropped_file_is_printed(spooler, center):
    drop(center, spooler.pdf("letter.pdf", pages=3))
    expect(center).to_have_url(re.compile("/new"))
    expect(center.get_by_text("3 pages").first).to_be_visible()
    expect(center.get_by_text("Front: page 1")).to_be_visible()
    center.get_by_role("button", name="Print", exact=True).click()
    expect(center).to_have_url(re.compile(r"/jobs/\d+"))
    job = re.search(r"/jobs/(\d+)", center.url)[1]
    expect(row(center, job)).to_have_accessible_name(re.compile("Completed"))
    assert "3 of 3 printed" in spooler.printq("show", job)


def test_the_preview_follows_the_options(spooler, center):
    drop(center, spooler.pdf("letter.pdf", pages=5))
    expect(center.get_by_text("Sheet 5")).to_be_attached()
    center.get_by_role("textbox", name="Pages").fill("1-4")
    expect(center.get_by_text("4 of 5 pages")).to_be_visible()
    center.get_by_role("radio", name="2", exact=True).check(force=True)
    expect(center.get_by_text("Front: pages 1, 2")).to_be_visible()
    center.get_by_label("Sides", exact=True).select_option("two-sided-long-edge")
    expect(center.get_by_text("Back: pages 3, 4")).to_be_visible()


def test_an_encrypted_file_is_printed_and_reprinted_with_its_password(spooler, center):
    path = spooler.file("secret.pdf", b"")
    subprocess.run(["qpdf", spooler.pdf("letter.pdf", pages=2), "--encrypt", "open", "owner", "256", "--", path], check=True)
    drop(center, path)
    expect(center.get_by_role("heading", name="Enter the password of the document.")).to_be_visible()
    center.get_by_role("button", name="Print", exact=True).click()
    field = center.get_by_label("Password", exact=True)
    expect(field).to_be_focused()
    field.fill("wrong")
    expect(center.get_by_text("The password is wrong.", exact=True)).to_be_visible()
    field.fill("open")
    expect(center.get_by_text("Front: page 2")).to_be_visible()
    center.get_by_role("button", name="Print", exact=True).click()
    expect(center).to_have_url(re.compile(r"/jobs/\d+"))
    job = re.search(r"/jobs/(\d+)", center.url)[1]
    expect(row(center, job)).to_have_accessible_name(re.compile("Completed"))
    assert "2 of 2 printed" in spooler.printq("show", job)
    # The service no longer has the password.
    row(center, job).press("r")
    again = center.get_by_role("dialog")
    again.get_by_label("Password", exact=True).fill("open")
    expect(again.get_by_role("img").first).to_be_visible()
    again.get_by_role("button", name="Print", exact=True).click()
    expect(row(center, int(job) + 1)).to_have_accessible_name(re.compile("Completed"))


def test_an_error_is_shown_beside_its_field(spooler, center):
    drop(center, spooler.pdf("letter.pdf", pages=5))
    expect(center.get_by_text("5 pages").first).to_be_visible()
    field = center.get_by_role("textbox", name="Pages")
    field.fill("9")
    expect(center.get_by_text("The document has 5 pages.", exact=True)).to_be_visible()
    assert field.get_attribute("aria-invalid") == "true"
    center.get_by_role("spinbutton", name="Copies").fill("0")
    expect(center.get_by_text("Enter a number from 1 to 9999.", exact=True)).to_be_visible()
    assert "the queue is empty" in spooler.printq("queue")


def test_files_of_several_types_become_one_job(spooler, center):
    drop(center, spooler.pdf("letter.pdf", pages=1), spooler.file("notes.txt", b"hello\n" * 10),
         spooler.file("broken.pdf", b"%PDF-1.7\nbroken"))
    expect(center.get_by_text("broken.pdf").first).to_be_visible()
    expect(center.locator(".field-error").filter(has_text=re.compile(r"\w")).first).to_be_visible()
    center.get_by_role("button", name="Remove broken.pdf").click()
    center.get_by_role("button", name="Print", exact=True).click()
    expect(center).to_have_url(re.compile(r"/jobs/\d+"))
    job = re.search(r"/jobs/(\d+)", center.url)[1]
    expect(row(center, job)).to_have_accessible_name(re.compile("Completed"))
    assert "2 of 2 printed" in spooler.printq("show", job)


def test_page_numbers_count_in_each_file(spooler, center):
    drop(center, spooler.pdf("long.pdf", pages=5), spooler.pdf("short.pdf", pages=2))
    field = center.get_by_role("textbox", name="Pages")
    field.fill("2-4")
    expect(center.get_by_text("4 of 7 pages, counted in each file")).to_be_visible()
    field.fill("6")
    expect(center.get_by_text("The longest file has 5 pages.", exact=True)).to_be_visible()
    field.fill("2-4")
    center.get_by_role("button", name="Print", exact=True).click()
    expect(center).to_have_url(re.compile(r"/jobs/\d+"))
    job = re.search(r"/jobs/(\d+)", center.url)[1]
    expect(row(center, job)).to_have_accessible_name(re.compile("Completed"))
    assert "4 of 4 printed" in spooler.printq("show", job)


def test_cancel_during_an_upload_submits_no_job(spooler, center):
    uploads = []
    center.route("**/api/v1/uploads?*", lambda route: uploads.append(route))
    jobs = []
    center.on("request", lambda request: jobs.append(request.url) if request.url.endswith("/api/v1/jobs") else None)
    drop(center, spooler.pdf("letter.pdf"))
    center.get_by_role("button", name="Print", exact=True).click()
    expect(center.get_by_role("button", name="Print", exact=True)).to_have_attribute("aria-disabled", "true")
    center.get_by_role("button", name="Cancel", exact=True).click()
    expect(center).to_have_url(re.compile("/jobs$"))
    # The former submission has ended when another job can be printed.
    center.unroute("**/api/v1/uploads?*")
    drop(center, spooler.pdf("other.pdf", pages=1))
    expect(center.get_by_text("Front: page 1")).to_be_visible()
    center.get_by_role("button", name="Print", exact=True).click()
    expect(center).to_have_url(re.compile(r"/jobs/\d+"))
    assert len(uploads) == 1 and len(jobs) == 1
    assert "letter.pdf" not in spooler.printq("queue", "--all")


def test_a_file_that_cannot_be_converted_does_not_empty_the_preview(spooler, center):
    drop(center, spooler.pdf("good.pdf", pages=2), spooler.file("broken.docx", b"PK\x03\x04" + bytes(range(256)) * 12))
    expect(center.get_by_text("Front: page 1")).to_be_visible()
    expect(center.get_by_text("Sheet 2")).to_be_attached()
    failed = center.locator(".files li", has_text="broken.docx")
    expect(failed).to_contain_text("is damaged")
    expect(failed).to_have_class(re.compile("failed"))
    center.get_by_role("button", name="Print", exact=True).click()
    expect(center.locator(".form-error")).to_have_text("Remove the files that failed, then print.")
    failed.get_by_role("button").click()
    center.get_by_role("button", name="Print", exact=True).click()
    expect(row(center, 1)).to_have_accessible_name(re.compile("Completed, .*2 pages"))


def test_the_repaired_faults_of_a_file_are_shown_with_the_file(spooler, center):
    content = open(spooler.pdf("long.pdf", pages=30), "rb").read()
    drop(center, spooler.file("truncated.pdf", content[:len(content) * 6 // 10]))
    expect(center.locator(".files li", has_text="truncated.pdf")).to_contain_text("is damaged and was repaired")


def test_a_preset_keeps_the_options_of_a_job(spooler, center):
    drop(center, spooler.pdf("letter.pdf", pages=4))
    expect(center.get_by_text("Sheet 4")).to_be_attached()
    center.get_by_label("Sides", exact=True).select_option("two-sided-long-edge")
    center.get_by_role("radio", name="2", exact=True).check(force=True)
    expect(center.get_by_text("Front: pages 1, 2")).to_be_visible()
    center.get_by_role("button", name="Save…").click()
    center.get_by_role("textbox", name="Name of the preset").fill("Drafts")
    center.get_by_role("button", name="Save", exact=True).click()
    preset = center.get_by_label("Preset", exact=True)
    expect(preset).to_have_value("Drafts")
    preset.select_option("")
    expect(center.get_by_label("Sides", exact=True)).to_have_value("one-sided")
    expect(center.get_by_text("Sheet 4")).to_be_attached()
    center.reload()
    center.get_by_label("Preset", exact=True).select_option("Drafts")
    expect(center.get_by_label("Sides", exact=True)).to_have_value("two-sided-long-edge")
    expect(center.get_by_text("Back: pages 3, 4")).to_be_visible()
    center.get_by_role("button", name="Remove", exact=True).click()
    expect(center.get_by_text("No presets")).to_be_attached()
