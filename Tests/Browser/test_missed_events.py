"""Tests of events that happen while a page loads: each page shows them without a later event."""

import re

import pytest
from playwright.sync_api import expect
from test_queue import held, row


@pytest.fixture
def alone(spooler, center):
    """A page with one job that reads its own stream, as in browsers without shared workers."""
    center.add_init_script("delete self.SharedWorker")
    expect(row(center, held(spooler, "first"))).to_be_visible()
    return center


def delay(page, pattern):
    """Holds the first request of a page that matches a pattern; returns the list of the requests."""
    waiting = []

    def hold(route):
        waiting.append(route)
        if len(waiting) > 1:
            route.continue_()

    page.route(pattern, hold)
    return waiting


def submit_and_receive(spooler, page, title):
    """Submits a job, and waits until the page has received its first event."""
    with page.expect_response(re.compile(r"/api/v1/jobs/\d+$")):
        return held(spooler, title)


def test_a_job_that_is_accepted_between_the_list_and_the_stream_is_shown(spooler, alone):
    streams = delay(alone, re.compile(r"/api/v1/events$"))
    with alone.expect_request(re.compile(r"/api/v1/events$")), alone.expect_response(re.compile(r"/api/v1/jobs\?")):
        alone.reload(wait_until="commit")
    expect(row(alone, 1)).to_be_visible()
    job = held(spooler, "second")
    streams[0].continue_()
    expect(row(alone, job)).to_be_visible()


def test_a_job_that_is_accepted_before_the_list_is_built_is_shown(spooler, alone):
    modules = delay(alone, re.compile(r"/jobs/joblist\.js$"))
    with alone.expect_response(re.compile(r"/api/v1/events$")), alone.expect_response(re.compile(r"/api/v1/jobs\?")):
        alone.reload(wait_until="commit")
    job = submit_and_receive(spooler, alone, "second")
    modules[0].continue_()
    expect(row(alone, job)).to_be_visible()


def test_a_job_that_is_accepted_while_the_counts_are_loaded_is_counted(spooler, alone):
    counts = delay(alone, re.compile(r"/api/v1/jobs/counts$"))
    with alone.expect_response(re.compile(r"/api/v1/events$")), alone.expect_request(re.compile("/counts$")):
        alone.reload(wait_until="commit")
    old = counts[0].fetch()
    submit_and_receive(spooler, alone, "second")
    counts[0].fulfill(response=old)
    expect(alone.get_by_role("link", name="All jobs")).to_contain_text("2")


def test_a_page_that_joins_the_shared_stream_late_is_told_to_load_again(spooler, center):
    held(spooler, "second")
    expect(center.get_by_text("second").first).to_be_visible()
    told = center.evaluate("""() => new Promise(resolve => {
        const script = performance.getEntriesByType("resource").find(entry => entry.name.endsWith("/events-worker.js"))
        const { port } = new SharedWorker(script.name, { type: "module", name: "printq-events" })
        const kinds = []
        port.onmessage = ({ data }) => data.id ? resolve(kinds) : kinds.push(data.event || data.state)
        port.postMessage({ after: 0 })
        // The answer follows what the worker says at first.
        port.postMessage({ load: "/api/v1/session", id: 1 })
    })""")
    assert told == ["live", "reset"]
