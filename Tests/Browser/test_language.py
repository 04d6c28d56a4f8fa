"""Tests that Japanese users read Japanese in each view."""

import re

from playwright.sync_api import expect

from test_new_job import drop
from test_queue import held, row
from test_simulator import pdf, simulator  # noqa: F401

# Three English words in a row. Names of jobs, printers and papers have fewer.
ENGLISH = re.compile(r"\b[A-Za-z]+ [a-z]+ [a-z]+")

# The visible texts, and the texts for screen readers. The log of a printer is not translated.
TEXTS = """() => {
    const texts = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
        const { parentElement: parent } = walk.currentNode
        if (parent.checkVisibility() && !parent.closest(".log, code, noscript")) texts.push(walk.currentNode.data)
    }
    for (const el of document.querySelectorAll("[aria-label], [placeholder], [title]"))
        texts.push(...["aria-label", "placeholder", "title"].map(name => el.getAttribute(name)).filter(Boolean))
    return texts
}"""


def check_japanese(page, place):
    """Fails if the page shows an English sentence. A quoted sentence follows the Japanese word for a detail."""
    # The descriptions of printers are texts of the printers.
    texts = [re.sub("詳細：.*|Simulated [a-z ]+ printer", "", text) for text in page.evaluate(TEXTS)]
    assert any(re.search("[ぁ-ん]", text) for text in texts), place
    assert [text for text in texts if ENGLISH.search(text)] == [], place


def test_no_view_shows_an_english_sentence_to_japanese_users(spooler, open_center):
    spooler.printq("printers", "pause", "photo")
    jobs = {"held": held(spooler), "waiting": spooler.submit("-d", "photo", spooler.pdf())}
    spooler.fault("media-jam at page 2")
    jobs["stopped"] = spooler.submit("-d", "color-laser", spooler.pdf())
    jobs["behind"] = spooler.submit("-d", "color-laser", spooler.pdf())
    jobs["completed"] = spooler.submit("-d", "mono-laser", spooler.pdf())
    jobs["failed"] = spooler.submit("-d", "mono-laser", spooler.file("damaged.pdf", b"%PDF-1.4 damaged"))
    jobs["canceled"] = held(spooler, "letter")
    spooler.printq("cancel", str(jobs["canceled"]))
    spooler.control("inkjet", "power", {"on": False})
    jobs["retrying"] = spooler.submit("-d", "inkjet", spooler.pdf())
    page = open_center(locale="ja-JP")
    for state, word in [("stopped", "停止中"), ("completed", "完了"), ("failed", "失敗"), ("retrying", "再試行待ち")]:
        expect(row(page, jobs[state])).to_have_accessible_name(re.compile(word))
    check_japanese(page, "the list of jobs")
    for state, job in jobs.items():
        page.goto(f"{spooler.origin}/jobs/{job}")
        expect(page.locator(".timeline li").first).to_be_visible()
        check_japanese(page, f"the {state} job")
    page.goto(f"{spooler.origin}/jobs/{jobs['completed']}/pages/1")
    expect(page.get_by_role("button", name="拡大")).to_be_visible()
    check_japanese(page, "the viewer")
    page.goto(f"{spooler.origin}/printers")
    expect(page.get_by_role("heading", name="その他のプリンタ")).to_be_visible()
    check_japanese(page, "the list of printers")
    for printer in ["color-laser", "photo", "inkjet"]:
        page.goto(f"{spooler.origin}/printers/{printer}")
        expect(page.get_by_role("heading", name="障害")).to_be_visible()
        check_japanese(page, f"the printer {printer}")
    page.goto(f"{spooler.origin}/printers/add")
    expect(page.get_by_role("heading", name="プリンタを追加")).to_be_visible()
    check_japanese(page, "the form of a new printer")
    page.goto(f"{spooler.origin}/usage")
    expect(page.locator("td").first).to_be_visible()
    check_japanese(page, "the usage")
    page.goto(f"{spooler.origin}/jobs/{jobs['completed']}/compare/1")
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    check_japanese(page, "the comparison")
    page.goto(f"{spooler.origin}/jobs")
    expect(row(page, jobs["held"])).to_be_visible()
    # The selection of the first job changes the address, which closes panels.
    expect(page).to_have_url(re.compile(r"/jobs/\d+"))
    for keys in ["?", "Control+k"]:
        page.keyboard.press(keys)
        expect(page.locator("[popover]:popover-open")).to_be_visible()
        check_japanese(page, f"the panel of {keys}")
        page.keyboard.press("Escape")
    drop(page, spooler.pdf("letter.pdf"))
    expect(page.get_by_text("表：1ページ")).to_be_visible()
    for more in page.locator("summary").all():
        more.click()
    check_japanese(page, "the form of a new job")


def test_no_view_of_a_simulator_shows_an_english_sentence_to_japanese_users(simulator, open_center):
    simulator.print(pdf(1), name="first")
    simulator.print(pdf(2, lambda number: "1 0 0 rg 0 100 300 300 re f" if number == 1 else ""), name="second")
    simulator.control("wait", "--jobs", "2")
    page = open_center(service=simulator, locale="ja-JP", permissions=["clipboard-read", "clipboard-write"])
    second = page.locator(".printed-job").filter(has=page.get_by_role("heading", name="second"))
    expect(second).to_be_visible()
    check_japanese(page, "the jobs of the simulator")
    second.locator("button").first.press("Enter")
    expect(second.get_by_text("コピー").first).to_be_visible()
    check_japanese(page, "the copied link")
    page.get_by_role("searchbox", name="名前、所有者、本文を検索").fill("nothing")
    expect(page.locator(".printed-job")).to_have_count(0)
    check_japanese(page, "a search without a result")
    page.get_by_role("searchbox", name="名前、所有者、本文を検索").fill("")
    page.locator(".printed-pages a").first.press("Enter")
    expect(page.locator(".page-title")).to_be_visible()
    check_japanese(page, "a page of the simulator")


def test_japanese_users_read_errors_in_japanese(spooler, open_center):
    page = open_center(locale="ja-JP")
    page.goto(f"{spooler.origin}/jobs/99")
    expect(page.get_by_role("heading", name="ジョブ99は存在しないか、履歴から削除されました。")).to_be_visible()
    check_japanese(page, "a job that does not exist")
    drop(page, spooler.file("secret.pdf", b"%PDF-1.4 damaged"))
    expect(page.get_by_text("この書類は印刷できません。").first).to_be_visible()
    check_japanese(page, "a document that cannot be printed")


def test_the_sign_in_page_is_in_the_language_of_the_browser(spooler, chromium):
    for locale, language, sentences in [
            ("ja-JP", "ja", ["このアドレスは使用済みか、有効期限が切れています。", "次のコマンドを実行してください"]),
            ("de-DE", "en", ["This address has already been used, or has expired.", "run this command"])]:
        context = chromium.new_context(locale=locale)
        page = context.new_page()
        page.goto(f"{spooler.origin}/open?token=used")
        assert page.evaluate("document.documentElement.lang") == language
        for sentence in sentences:
            expect(page.get_by_role("main")).to_contain_text(sentence)
        context.close()
