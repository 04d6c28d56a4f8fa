"""Tests of the queue and the details of a job."""

import json
import re
import time

from conftest import check_accessibility, wait_until
from playwright.sync_api import expect


def row(page, job):
    """Returns the row of a job in the list."""
    return page.locator(f"#job-{job}")


def held(spooler, title="report.pdf", *options):
    """Submits a job that waits."""
    return spooler.submit("--hold", "23:59", "--title", title, *options, spooler.pdf())


def test_a_submitted_job_appears_and_completes_without_a_reload(spooler, center):
    expect(center.get_by_role("heading", name="No jobs")).to_be_visible()
    job = held(spooler, "report.pdf", "-d", "inkjet")
    expect(row(center, job)).to_contain_text("report.pdf")
    expect(row(center, job)).to_contain_text("held until 23:59")
    spooler.printq("release", str(job))
    expect(row(center, job)).to_have_accessible_name(re.compile("Completed"))


def test_the_progress_of_a_printing_job_is_shown(spooler, center):
    spooler.fault("media-jam at page 3")
    job = spooler.submit("--pages", "1-5", spooler.pdf(pages=5))
    expect(row(center, job)).to_contain_text("2 of 5")
    row(center, job).click()
    panel = center.get_by_role("region", name="State")
    expect(panel).to_contain_text("jam")
    spooler.control("color-laser", "clear", {"name": "media-jam"})
    expect(panel).to_contain_text("Completed")


def test_a_held_job_is_released_and_canceled_by_buttons(spooler, center):
    job = held(spooler, "letter", "-d", "mono-laser")
    spooler.printq("printers", "pause", "mono-laser")
    row(center, job).click()
    center.get_by_role("button", name="Release").click()
    expect(center.get_by_role("button", name="Hold", exact=True)).to_be_visible()
    center.get_by_role("button", name="Cancel Job").click()
    expect(row(center, job)).to_have_accessible_name(re.compile("Canceled"))
    assert "canceled" in spooler.printq("show", str(job))


def test_a_waiting_job_is_held_and_released_by_buttons(spooler, center):
    spooler.printq("printers", "pause", "color-laser")
    job = spooler.submit(spooler.pdf())
    row(center, job).click()
    center.get_by_role("button", name="Hold", exact=True).click()
    expect(row(center, job)).to_contain_text("held until released")
    center.get_by_role("button", name="Release", exact=True).click()
    expect(row(center, job)).not_to_contain_text("held")
    center.get_by_role("button", name="Undo").click()
    expect(row(center, job)).to_contain_text("held until released")


def test_a_time_until_which_a_job_is_held_is_a_time_of_the_browser(spooler, open_center):
    center = open_center(timezone_id="Asia/Kathmandu")
    spooler.printq("printers", "pause", "color-laser")
    job = spooler.submit(spooler.pdf())
    row(center, job).click()
    center.get_by_role("button", name="More").click()
    center.get_by_role("menuitem", name="Hold Until…").click()
    center.get_by_label("Time").fill("23:45")
    center.get_by_role("button", name="Hold Until", exact=True).click()
    # With a date in the last quarter of an hour of the day there, when the time is one of tomorrow.
    expect(row(center, job)).to_contain_text(re.compile(r"held until (\w+ \d+, )?23:45"))


def test_undo_of_a_hold_of_several_jobs_leaves_the_jobs_held_that_were_held_before(spooler, center):
    spooler.printq("printers", "pause", "color-laser")
    before, job = held(spooler), spooler.submit(spooler.pdf())
    expect(row(center, job)).to_be_visible()
    center.get_by_role("button", name="Edit").click()
    for chosen in (before, job):
        row(center, chosen).click()
    center.locator(".editing").get_by_role("button", name="Hold").click()
    expect(row(center, job)).to_contain_text("held until released")
    center.get_by_role("button", name="Undo").click()
    expect(row(center, job)).not_to_contain_text("held")
    expect(row(center, before)).to_contain_text("held")


def test_the_job_of_a_paused_printer_offers_to_resume_the_printer(spooler, open_center):
    spooler.printq("printers", "pause", "photo", "--message", "New ink at noon")
    job = spooler.submit("-d", "photo", spooler.pdf())
    center, japanese = open_center(), open_center(locale="ja-JP")
    for page, sentence in [(center, "photo is paused"), (japanese, "photoは一時停止中です")]:
        row(page, job).click()
        panel = page.get_by_role("region", name=re.compile("State|状態"))
        expect(panel).to_contain_text(sentence)
        expect(panel).to_contain_text("New ink at noon")
        # The button replaces the command.
        expect(panel).not_to_contain_text("printq")
    center.get_by_role("button", name="Resume photo").click()
    expect(center.get_by_role("region", name="State")).to_contain_text("Completed")
    expect(japanese.get_by_role("listitem").filter(has_text="受け付けました")).to_be_visible()


def test_an_action_can_be_undone(spooler, center):
    job = held(spooler)
    spooler.printq("printers", "pause", "color-laser")
    row(center, job).click()
    expect(center.get_by_role("button", name="Release")).to_be_visible()
    center.keyboard.press("h")
    expect(center.get_by_text("is released")).to_be_visible()
    center.keyboard.press("z")
    expect(center.get_by_role("button", name="Release")).to_be_visible()


def test_a_printing_job_is_canceled_only_after_a_confirmation(spooler, center):
    spooler.fault("media-jam at page 2")
    job = spooler.submit(spooler.pdf())
    row(center, job).click()
    expect(center.get_by_role("region", name="State")).to_contain_text("jam")
    center.get_by_role("button", name="Cancel Job").click()
    dialog = center.get_by_role("alertdialog")
    expect(dialog).to_contain_text("Pages that are already printed stay printed.")
    center.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(row(center, job)).to_have_accessible_name(re.compile("Stopped"))
    center.reload()
    center.get_by_role("button", name="Cancel Job").click()
    dialog.get_by_role("button", name="Cancel Job").click()
    expect(row(center, job)).to_have_accessible_name(re.compile("Canceled"))


def test_edit_mode_changes_several_jobs_at_once(spooler, center):
    spooler.printq("printers", "pause", "color-laser")
    jobs = [spooler.submit("--title", f"job {number}", spooler.pdf()) for number in range(4)]
    expect(row(center, jobs[3])).to_be_visible()
    center.get_by_role("button", name="Edit").click()
    for job in jobs[:3]:
        row(center, job).click()
    expect(center.get_by_text("3 selected")).to_be_visible()
    center.locator(".editing").get_by_role("button", name="Hold").click()
    for job in jobs[:3]:
        expect(row(center, job)).to_contain_text("held until released")
    expect(row(center, jobs[3])).not_to_contain_text("held")


def test_a_reload_keeps_the_selection_the_filter_and_the_place(spooler, center):
    spooler.printq("printers", "pause", "color-laser")
    jobs = [spooler.submit("--title", f"job {number}", spooler.pdf()) for number in range(60)]
    expect(row(center, jobs[0])).to_be_visible()
    box = center.get_by_role("listbox", name="Jobs")
    box.evaluate("box => box.scrollTop = 1200")
    row(center, jobs[35]).click()
    expect(center).to_have_url(re.compile(f"/jobs/{jobs[35]}"))
    place = box.evaluate("box => box.scrollTop")
    wait_until(center, f"() => JSON.parse(localStorage.getItem('list'))?.top === {place}")
    center.reload()
    expect(row(center, jobs[35])).to_be_in_viewport()
    assert abs(box.evaluate("box => box.scrollTop") - place) < 2
    expect(center.get_by_role("heading", name="job 35")).to_be_visible()


def test_a_search_shows_matching_jobs(spooler, center):
    found, other = held(spooler, "見積書"), held(spooler, "letter")
    center.keyboard.press("/")
    center.keyboard.type("見積")
    expect(row(center, other)).to_be_hidden()
    expect(row(center, found)).to_be_visible()
    center.keyboard.type("x")
    expect(center.get_by_text("No job matches")).to_be_visible()
    center.get_by_role("link", name="Clear Search").click()
    expect(row(center, other)).to_be_visible()


def test_a_job_for_a_silent_printer_shows_the_seconds_until_the_next_attempt(spooler, center):
    spooler.control("color-laser", "power", {"on": False})
    job = spooler.submit(spooler.pdf())
    expect(row(center, job)).to_contain_text(re.compile(r"retry in \d+ s"))
    spooler.control("color-laser", "power", {"on": True})
    expect(row(center, job)).to_have_accessible_name(re.compile("Completed"))


def test_events_that_happen_while_printd_restarts_are_shown(spooler, center):
    first = held(spooler, "before")
    expect(row(center, first)).to_be_visible()
    spooler.kill()
    spooler.restart()
    center.goto(spooler.login())
    second = held(spooler, "after")
    expect(row(center, second)).to_be_visible()
    expect(row(center, first)).to_be_visible()


def test_names_with_markup_are_shown_as_text(spooler, center):
    job = held(spooler, "<script>document.title='hacked'</script><img src=x onerror=alert(1)>")
    expect(row(center, job)).to_contain_text("<script>document.title='hacked'</script>")
    row(center, job).click()
    expect(center.get_by_role("heading", name=re.compile("<script>"))).to_be_visible()
    assert center.title() != "hacked"
    assert center.locator("img[src=x]").count() == 0


def test_two_tabs_share_one_stream(spooler, center):
    other = center.context.new_page()
    other.goto(f"{spooler.origin}/jobs")
    job = held(spooler)
    expect(row(center, job)).to_be_visible()
    expect(row(other, job)).to_be_visible()
    metrics = center.request.get(f"{spooler.origin}/metrics").text()
    streams = re.search(r"^printq_event_streams (\d+)", metrics, re.MULTILINE)
    assert streams and streams[1] == "1", metrics


def test_the_options_of_a_waiting_job_are_changed_with_a_preview(spooler, center):
    job = held(spooler, "report.pdf", "-d", "color-laser")
    row(center, job).click()
    expect(center.get_by_role("button", name="Release")).to_be_visible()
    center.keyboard.press("o")
    dialog = center.get_by_role("dialog", name="Change Options…")
    # The preview follows the options before they are saved.
    status = dialog.get_by_role("status")
    expect(status).to_contain_text("3 sheets")
    expect(dialog.locator(".sides-preview img")).to_have_count(3)
    dialog.get_by_role("spinbutton", name="Copies").fill("2")
    expect(status).to_contain_text("6 sheets in total")
    dialog.get_by_label("Sides", exact=True).select_option("two-sided-long-edge")
    expect(status).to_contain_text("4 sheets in total")
    check_accessibility(center)
    dialog.get_by_role("button", name="Save").click()
    expect(center.get_by_text("The options of report.pdf are changed.")).to_be_visible()
    shown = spooler.printq("show", str(job))
    assert "two-sided-long-edge" in shown and "copies" in shown, shown
    # The printed sides and the details follow.
    expect(center.get_by_text("Two-sided (long edge)").first).to_be_visible()
    expect(center.get_by_text("Sheet 2")).to_be_visible()


def test_a_wrong_option_of_a_waiting_job_is_shown_beside_its_field(spooler, center):
    job = held(spooler)
    row(center, job).click()
    expect(center.get_by_role("button", name="Release")).to_be_visible()
    center.keyboard.press("o")
    dialog = center.get_by_role("dialog", name="Change Options…")
    expect(dialog.get_by_role("status")).to_contain_text("3 sheets")
    dialog.get_by_role("textbox", name="Pages").fill("2-9")
    expect(dialog).to_contain_text("The document has 3 pages.")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_visible()
    assert "page-ranges" not in spooler.printq("show", str(job))


def test_tabs_share_the_requests_after_an_event(spooler, open_center):
    page = open_center()
    job = held(spooler)
    expect(row(page, job)).to_be_visible()
    pages = [page] + [page.context.new_page() for _ in range(3)]
    for tab in pages[1:]:
        tab.goto(f"{spooler.origin}/jobs/{job}")
        expect(row(tab, job)).to_be_visible()
        expect(tab.get_by_role("region", name="State")).to_be_visible()
    own = []
    page.context.on("request", lambda request: own.append(request.url))
    spooler.printq("release", str(job))
    for tab in pages:
        expect(row(tab, job)).to_have_accessible_name(re.compile("Completed"))
        expect(tab.get_by_role("link", name=re.compile("Ended")).first).to_contain_text("1")
    # The worker of all tabs has loaded the counts, the printers and the list.
    shared = [url for url in own if re.search(r"/api/v1/(jobs/counts|printers$|jobs\?)", url)]
    assert not shared, shared


def test_a_click_outside_of_a_form_keeps_what_was_typed(spooler, center):
    job = held(spooler, "letter")
    row(center, job).click()

    def rename():
        center.get_by_role("button", name="More").click()
        center.get_by_role("menuitem", name="Rename").click()
        return center.get_by_role("dialog", name="Rename").get_by_role("textbox")

    field = rename()
    center.get_by_role("heading", name="Jobs").first.click(force=True)
    expect(field).to_be_hidden()
    field = rename()
    field.fill("the long name of a letter")
    center.get_by_role("heading", name="Jobs").first.click(force=True)
    expect(field).to_have_value("the long name of a letter")
    expect(field).to_be_focused()
    center.keyboard.press("Enter")
    expect(row(center, job)).to_contain_text("the long name of a letter")
    rename().fill("unsent")
    center.keyboard.press("Escape")
    expect(center.get_by_role("dialog", name="Rename")).to_be_hidden()
    expect(row(center, job)).to_contain_text("the long name of a letter")


def test_the_edit_mode_releases_reprints_and_selects_all_jobs(spooler, open_center):
    center = open_center(width=390, height=844)
    spooler.printq("printers", "pause", "color-laser")
    waiting, kept = held(spooler, "waiting"), spooler.submit("-d", "photo", spooler.pdf(pages=1))
    expect(row(center, kept)).to_have_accessible_name(re.compile("Completed"))
    expect(row(center, waiting)).to_be_visible()
    center.get_by_role("button", name="Filter").click()
    center.get_by_role("menuitem", name="Edit").click()
    tools = center.locator(".bulk")
    tools.get_by_role("button", name="Select all").click()
    expect(center.get_by_text("2 selected")).to_be_visible()
    check_accessibility(center)
    tools.get_by_role("button", name="Reprint").click()
    expect(center.get_by_text("1 job is printed again. 1 job did not change.")).to_be_visible()
    assert "reprint" in spooler.printq("show", "3")
    tools.get_by_role("button", name="Select all").click()
    tools.get_by_role("button", name="Release").click()
    expect(center.get_by_text("1 job is released. 2 jobs did not change.")).to_be_visible()


def test_the_problem_of_a_simulated_printer_is_solved_at_its_job(spooler, center):
    spooler.fault("media-jam at page 2")
    job = spooler.submit(spooler.pdf())
    row(center, job).click()
    panel = center.get_by_role("region", name="State")
    panel.get_by_role("button", name="Clear Jam").click()
    expect(panel).to_contain_text("Completed")


def test_a_waiting_job_is_printed_next(spooler, center):
    spooler.printq("printers", "pause", "color-laser")
    first, last = spooler.submit("--title", "first", spooler.pdf()), spooler.submit("--title", "last", spooler.pdf())
    row(center, last).click()
    center.get_by_role("button", name="More").click()
    center.get_by_role("menuitem", name="Print Next").click()
    expect(center.get_by_text("last is printed next.")).to_be_visible()
    expect(center.locator(".row .name").first).to_have_text("last")
    center.keyboard.press("z")
    expect(center.locator(".row .name").first).to_have_text("first")


def test_a_view_that_is_loaded_late_leaves_the_focus_in_an_open_popover(spooler, center):
    late = []
    center.route(re.compile(r"/printers/printers\.js"), lambda route: late.append(route))
    center.keyboard.press("Control+k")
    field = center.get_by_role("combobox", name="Find a command or a place")
    field.fill("printer photo")
    center.keyboard.press("Enter")
    expect(center).to_have_url(re.compile("/printers/photo$"))
    center.keyboard.press("Control+k")
    expect(field).to_be_focused()
    assert late
    for route in late:
        route.continue_()
    # The view has chosen the element that gets the focus.
    expect(center.get_by_role("heading", name="photo").first).to_have_attribute("tabindex", "-1")
    expect(field).to_be_focused()


def test_the_palette_opens_commands_and_places(spooler, center):
    center.keyboard.press("Control+k")
    field = center.get_by_role("combobox", name="Find a command or a place")
    expect(field).to_be_focused()
    check_accessibility(center)
    field.fill("printer photo")
    center.keyboard.press("Enter")
    expect(center).to_have_url(re.compile("/printers/photo$"))
    center.keyboard.press("Control+k")
    field.fill("nothing of that name")
    expect(center.get_by_text("Nothing found.")).to_be_visible()
    field.fill("new")
    center.keyboard.press("ArrowDown")
    center.keyboard.press("ArrowUp")
    center.keyboard.press("Enter")
    expect(center).to_have_url(re.compile("/new$"))


def test_an_own_job_that_stops_or_ends_marks_the_window_and_notifies(spooler, open_center):
    center = open_center(permissions=["notifications"])
    center.evaluate("""() => {
        document.hasFocus = () => false
        window.shown = []
        class Shown extends Notification {
            constructor(title, options) { super(title, options); window.shown.push(`${title}: ${options.body}`) }
        }
        window.Notification = Shown
    }""")
    center.get_by_role("button", name="Notify me about my jobs").click()
    spooler.fault("media-jam at page 2")
    spooler.submit("--title", "report", spooler.pdf())
    wait_until(center, "() => window.shown.some(text => /^report: .*jam/i.test(text))")
    assert center.title().startswith("● ")
    wait_until(center, "() => document.querySelector('link[rel=icon]').href.includes('attention')")
    spooler.control("color-laser", "clear", {"name": "media-jam"})
    wait_until(center, "() => window.shown.some(text => text === 'report: Completed')")
    wait_until(center, "() => !document.querySelector('link[rel=icon]').href.includes('attention')")
    center.evaluate("() => dispatchEvent(new Event('focus'))")
    assert not center.title().startswith("● ")


def test_the_first_page_is_shown_while_the_pointer_rests_on_a_job(spooler, center):
    job = spooler.submit(spooler.pdf())
    expect(row(center, job)).to_have_accessible_name(re.compile("Completed"))
    row(center, job).hover()
    expect(center.locator(".peek img")).to_be_visible()
    center.mouse.move(900, 600)
    expect(center.locator(".peek")).to_be_hidden()


def test_a_page_whose_image_has_not_arrived_is_a_frame_and_not_a_white_page(spooler, open_center):
    job = spooler.submit(spooler.pdf(pages=1))
    spooler.wait_for_event("job-completed", job)
    center, waiting = open_center(), []
    center.route(re.compile(r"/image\?"), lambda route: waiting.append(route))
    row(center, job).click()
    center.reload()
    leaf = center.locator(".thumb .leaf").first
    expect(leaf).to_have_attribute("data-loading", "Loading")
    assert leaf.evaluate("leaf => getComputedStyle(leaf).backgroundColor") == "rgba(0, 0, 0, 0)"
    center.unroute(re.compile(r"/image\?"))
    for route in waiting:
        route.continue_()
    expect(leaf).not_to_have_attribute("data-loading", "Loading")


def test_the_timeline_names_the_days_of_an_older_job(spooler, open_center):
    job = spooler.submit(spooler.pdf(pages=1))
    center = open_center()
    row(center, job).click()
    lines = center.get_by_role("listitem").filter(has=center.locator("time"))
    expect(lines.first).to_be_visible()
    expect(center.locator(".timeline .day")).to_have_count(0)
    center.clock.set_fixed_time(time.time() + 3 * 86_400)
    center.reload()
    expect(center.locator(".timeline .day")).to_have_count(1)


def test_the_files_of_a_job_have_their_names_and_types(spooler, center):
    job = spooler.submit(spooler.file("cases.csv", b"a,b\n1,2\n"))
    row(center, job).click()
    file = center.locator(".details > div", has_text="File")
    expect(file.get_by_role("link", name="cases.csv")).to_be_visible()
    expect(file).to_contain_text("Comma-separated values")


def test_a_list_without_jobs_that_need_attention_says_so(spooler, center):
    center.get_by_role("link", name="Needs attention").click()
    expect(center.get_by_text("Nothing needs attention")).to_be_visible()


def test_a_job_that_does_not_exist_is_named(spooler, center):
    center.goto(spooler.origin + "/jobs/9999")
    expect(center.get_by_text("Job 9999 does not exist, or was removed from the history.")).to_be_visible()


def test_until_a_job_is_loaded_no_button_acts_on_the_job_before(spooler, center):
    spooler.printq("printers", "pause", "color-laser")
    jobs = [spooler.submit("--title", title, spooler.pdf()) for title in ("first", "second")]
    row(center, jobs[0]).click()
    cancel = center.get_by_role("button", name="Cancel Job")
    expect(cancel).to_be_visible()
    late = []
    center.route(re.compile(f"/api/v1/jobs/{jobs[1]}([?]|$)"), lambda route: late.append(route))
    row(center, jobs[1]).click()
    expect(center).to_have_url(re.compile(f"/jobs/{jobs[1]}$"))
    # The pane still shows the first job, but is inert; keys do not act on the first job, either.
    expect(center.locator("[inert]").get_by_role("heading", name="first")).to_be_visible()
    center.keyboard.press("h")
    for route in late:
        route.continue_()
    expect(center.get_by_role("heading", name="second")).to_be_visible()
    cancel.click()
    expect(row(center, jobs[1])).to_have_accessible_name(re.compile("Canceled"))
    assert json.loads(spooler.printq("show", "--json", str(jobs[0])))["job-state"] == "pending"


def test_a_job_moves_up_and_back(spooler, center):
    spooler.printq("printers", "pause", "color-laser")
    jobs = [spooler.submit("--title", title, spooler.pdf()) for title in ("first", "second", "third")]
    row(center, jobs[2]).click()
    center.get_by_role("button", name="More actions").click()
    center.get_by_role("menuitem", name="Move Up").click()
    # The jobs ahead have the same priority.
    expect(center.get_by_text("“third” is printed before 2 jobs that were ahead")).to_be_visible()
    names = center.locator(".row .name")
    expect(names).to_have_text(["third", "first", "second"])
    center.keyboard.press("z")
    expect(names).to_have_text(["first", "second", "third"])
    check_accessibility(center)
