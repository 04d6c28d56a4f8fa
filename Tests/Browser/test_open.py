"""Tests of opening the Print Center: links, sessions, tabs and the port."""

import http.server
import re
import subprocess
import threading

import pytest
from conftest import check_accessibility
from playwright.sync_api import expect
from spooler import Spooler


@pytest.fixture
def portless():
    """Returns a function that starts a printd without a TCP address in its settings."""
    spoolers = []

    def portless(*options):
        spoolers.append(Spooler(listen=None, options=options))
        return spoolers[-1]

    yield portless
    for spooler in spoolers:
        spooler.close()


@pytest.fixture
def other_site():
    """Returns a function that serves a page with a link, and returns the page's address."""
    servers = []

    def other_site(host, link):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(f"<title>Other site</title><a href='{link}'>The job</a>".encode())

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://{host}:{server.server_port}/"

    yield other_site
    for server in servers:
        server.shutdown()
        server.server_close()


def held(spooler, title):
    """Submits a job that waits for a person."""
    return spooler.submit("--hold", "indefinite", "--title", title, "-d", "mono-laser", spooler.pdf())


def release(page, job):
    """Selects a job, and releases it with the button."""
    page.locator(f"#job-{job}").click()
    page.get_by_role("button", name="Release").click()
    expect(page.locator(f"#job-{job}")).to_have_accessible_name(re.compile("Completed"))


def sign_out(page):
    """Signs out as the API does; the pages have no button."""
    status = page.evaluate("""async () => {
      const { token } = await (await fetch("/api/v1/session")).json()
      return (await fetch("/api/v1/session", { method: "DELETE", headers: { "Printq-Token": token } })).status
    }""")
    assert status == 204


def test_a_new_spool_opens_without_settings(portless, open_center):
    spooler = portless()
    page = open_center(service=spooler)
    expect(page.get_by_role("heading", name="No jobs")).to_be_visible()
    job = held(spooler, "letter")
    release(page, job)


@pytest.mark.parametrize("has_port", [True, False])
def test_two_tabs_of_two_links_can_both_act(spooler, portless, open_center, has_port):
    service = spooler if has_port else portless()
    jobs = [held(service, f"letter {number}") for number in range(4)]
    first = open_center(service=service)
    second = first.context.new_page()
    second.goto(service.login())
    release(second, jobs[0])
    release(first, jobs[1])
    release(second, jobs[2])
    release(first, jobs[3])


def test_a_tab_acts_again_after_a_link_replaced_its_ended_session(spooler, open_center):
    job = held(spooler, "letter")
    first = open_center()
    sign_out(first)
    second = first.context.new_page()
    second.goto(spooler.login())
    expect(second.locator(f"#job-{job}")).to_be_visible()
    release(first, job)
    # An upload has its own request.
    second.goto(f"{spooler.origin}/jobs")
    sign_out(second)
    second.goto(spooler.login())
    first.get_by_role("link", name="New Job").first.click()
    first.locator("input[type=file]").first.set_input_files(spooler.pdf("upload.pdf"))
    expect(first.get_by_text("3 pages").first).to_be_visible()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_link_of_another_site_shows_a_page_that_leads_to_the_job(spooler, open_center, other_site, host):
    job = held(spooler, "letter")
    page = open_center()
    page.goto(other_site(host, f"{spooler.origin}/jobs/{job}"))
    page.get_by_role("link", name="The job").click()
    expect(page.get_by_role("heading", name="Print Center")).to_be_visible()
    assert "letter" not in page.content()
    check_accessibility(page)
    page.get_by_role("link", name="Open the Print Center").click()
    expect(page.get_by_role("heading", name="letter")).to_be_visible()
    expect(page).to_have_url(f"{spooler.origin}/jobs/{job}")


def test_the_page_for_links_of_other_sites_works_in_japanese_and_without_javascript(spooler, chromium, other_site):
    context = chromium.new_context(locale="ja-JP", java_script_enabled=False)
    page = context.new_page()
    page.goto(other_site("localhost", f"{spooler.origin}/jobs/1"))
    page.get_by_role("link", name="The job").click()
    page.get_by_role("link", name="プリントセンターを開く").click()
    # Without a session, the page explains how to sign in.
    expect(page.get_by_text("printq center")).to_be_visible()
    expect(page.get_by_text("プリントサーバで次のコマンド")).to_be_visible()
    context.close()


def test_after_the_port_has_changed_the_page_names_the_command(portless, open_center):
    spooler = portless()
    job = held(spooler, "letter")
    page = open_center(service=spooler)
    page.locator(f"#job-{job}").click()
    expect(page.get_by_role("button", name="Release")).to_be_visible()
    old = re.match(r"http://[^/]+", page.url)[0]
    spooler.kill()
    spooler.start()
    page.get_by_role("button", name="Release").click()
    sentence = "The service does not respond. If the service has restarted, run printq center."
    expect(page.locator(".toast")).to_contain_text(sentence)
    expect(page.locator(".connection")).to_contain_text(sentence)
    check_accessibility(page)
    new = page.context.new_page()
    link = spooler.login()
    assert not link.startswith(old + "/")
    new.goto(link)
    release(new, job)


def test_a_tab_of_an_earlier_build_loads_the_page_of_the_new_build(spooler, open_center):
    job = held(spooler, "letter")
    page = open_center()
    page.locator(f"#job-{job}").click()
    cancel = page.get_by_role("button", name="Cancel Job")
    expect(cancel).to_be_visible()
    pages = []
    page.on("request", lambda request: pages.append(request.url) if request.is_navigation_request() else None)
    # The new build has no files of the earlier build.
    page.route("**/center/**", lambda route: route.continue_() if pages else route.fulfill(status=404))
    # The actions are loaded when they are needed.
    with page.expect_navigation():
        cancel.click()
    assert page.url == f"{spooler.origin}/jobs/{job}"
    cancel.click()
    expect(page.locator(f"#job-{job}")).to_have_accessible_name(re.compile("Canceled"))
    assert len(pages) == 1


def test_after_the_last_sign_out_the_port_closes_and_printd_exits(portless, open_center):
    # Long enough for the first link on a busy machine; without the link, printd exits.
    spooler = portless("--idle-exit", "6")
    page = open_center(service=spooler)
    # No event shows that printd does not exit: without the port, printd would have exited now.
    page.wait_for_timeout(7000)
    other = page.context.new_page()
    other.goto(spooler.login())
    expect(other.get_by_role("heading", name="No jobs")).to_be_visible()
    assert spooler.process.poll() is None
    sign_out(page)
    try:
        code = spooler.process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        code = None
    assert code == 0
    expect(page.get_by_text("Signed out").or_(page.get_by_text("The service does not respond.")).first).to_be_visible()


def test_a_user_signs_out(spooler, center):
    center.get_by_role("button", name="Sign out").click()
    expect(center.get_by_text("printq center")).to_be_visible()
    center.goto(spooler.origin + "/printers")
    expect(center.get_by_text("printq center")).to_be_visible()


def test_an_unknown_address_has_a_page_and_the_site_an_icon(spooler, center):
    answer = center.goto(spooler.origin + "/nowhere")
    assert answer.status == 404
    check_accessibility(center)
    center.get_by_role("link", name="Open the Print Center").click()
    expect(center.get_by_role("heading", name="No jobs")).to_be_visible()
    icon = center.request.get(spooler.origin + "/favicon.ico")
    assert icon.ok and icon.headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize("width", [1440, 390])
def test_the_first_rows_appear_after_three_rounds_of_requests(spooler, chromium, width):
    job = held(spooler, "letter")
    context = chromium.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    # With a long latency, the requests of one round overlap, and those of the next round do not.
    context.new_cdp_session(page).send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1})
    page.add_init_script(f"""
        new MutationObserver((_, observer) => {{
            if (!document.getElementById("job-{job}")) return
            performance.mark("rows")
            observer.disconnect()
        }}).observe(document, {{ childList: true, subtree: true }})""")
    page.goto(spooler.login())
    page.wait_for_selector(f"#job-{job}")
    # The browser loads the icon beside the page.
    requests = page.evaluate("""() => {
        const rows = performance.getEntriesByName("rows")[0].startTime
        return [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
            .filter(entry => entry.responseEnd <= rows && !entry.name.endsWith(".svg"))
            .map(({ name, startTime, responseEnd }) => [startTime, responseEnd, name]).sort((a, b) => a[1] - b[1])
    }""")
    context.close()
    rounds = []
    # The longest sequence of requests of which each starts after the end of the one before it.
    for start, end, name in requests:
        if not rounds or start >= rounds[-1][0]:
            rounds.append((end, name))
    assert len(rounds) <= 3, rounds
    assert sum("/api/v1/jobs?" in name for _, _, name in requests) == 1, requests
