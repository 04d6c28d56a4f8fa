"""Tests of the Print Center for users on the network, who sign in with a password over TLS."""

import re
import socket
from types import SimpleNamespace

import pytest
from conftest import check_accessibility
from playwright.sync_api import expect

from test_open import held
from test_queue import row


@pytest.fixture
def network(spooler):
    """A service whose address is that of clients on the network, with the users anna and ben."""
    for name in ("anna", "ben"):
        spooler.printq("users", "add", name, input=f"{name}'s horse\n")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    spooler.printq("network", "enable", "--listen", f"127.0.0.1:{port}")
    spooler.kill()
    spooler.restart()
    return SimpleNamespace(login=lambda: f"https://127.0.0.1:{port}")


def sign_in(page, name, password):
    """Fills in the form of the login page."""
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()


def test_a_user_signs_in_sees_and_cancels_only_own_jobs_and_signs_out(spooler, network, open_center):
    other = held(spooler, "salaries")
    spooler.printq("printers", "pause", "color-laser")
    page = open_center(service=network)
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    sign_in(page, "anna", "ben's horse")
    expect(page.get_by_role("alert")).to_have_text("The name or the password is wrong.")
    expect(page.get_by_label("Name", exact=True)).to_have_value("anna")
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    check_accessibility(page)
    sign_in(page, "anna", "anna's horse")
    expect(row(page, other)).to_be_visible()
    expect(page.get_by_text("anna on ")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("salaries")

    page.get_by_role("link", name="New Job").first.click()
    page.locator("input[type=file]").first.set_input_files(spooler.pdf("letter.pdf"))
    expect(page.get_by_text("Front: page 1")).to_be_visible()
    page.get_by_role("button", name="Print", exact=True).click()
    expect(page).to_have_url(re.compile(r"/jobs/\d+"))
    own = re.search(r"/jobs/(\d+)", page.url)[1]
    assert "anna" in spooler.printq("show", own)
    page.goto(f"{network.login()}/jobs/{own}/pages/1")
    expect(page.locator(".page-view[role=img][data-sharp]")).to_be_attached()
    page.goto(f"{network.login()}/jobs/{own}")
    page.get_by_role("button", name="Cancel Job").click()
    # An event reports the new state.
    expect(row(page, own)).to_have_accessible_name(re.compile("Canceled"))
    row(page, other).click()
    expect(page).to_have_url(re.compile(f"/jobs/{other}"))
    expect(page.get_by_role("button", name="Cancel Job")).to_have_count(0)

    cookies = page.context.cookies()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Password", exact=True)).to_be_visible()
    # The cookie is useless now.
    page.context.add_cookies([
        {"name": cookie["name"], "value": cookie["value"], "url": network.login(), "secure": True}
        for cookie in cookies])
    page.goto(f"{network.login()}/jobs/{own}")
    sign_in(page, "ben", "ben's horse")
    # The page that the person opened follows the login.
    expect(page).to_have_url(re.compile(f"/jobs/{own}$"))
    expect(row(page, own)).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("letter.pdf")


def test_the_login_page_fits_a_phone_and_works_in_japanese(network, open_center):
    page = open_center(390, 844, service=network, locale="ja-JP")
    check_accessibility(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    button = page.get_by_role("button", name="サインイン")
    assert button.bounding_box()["height"] >= 44
    page.get_by_label("ユーザー名").fill("anna")
    page.get_by_label("パスワード").fill("anna's horse")
    page.get_by_label("パスワード").press("Enter")
    expect(page.get_by_role("navigation", name="セクション")).to_be_visible()
