"""Measures the pages of the Print Center in a headless Chromium; started by center.py with the browser tests' Python."""
import json
import sys
import time

from playwright.sync_api import sync_playwright

ROW = "[role=option][id^=job-]"


def until(page, expression, limit=60):
    """Polls until an expression is true in a page.

    The content security policy forbids Playwright's own function, which evaluates a string in the page.
    """
    end = time.monotonic() + limit
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise TimeoutError(expression)
        page.wait_for_timeout(20)


def paint(page, address, runs):
    """Prints, for each load, the milliseconds from the request of the page to its first rows, and the loaded bytes."""
    page.goto(address)
    page.wait_for_selector(ROW)
    # Later visits are measured: signing in is not a part of the page.
    page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.add_init_script(f"""
        new MutationObserver((_, observer) => {{
            if (!document.querySelector({ROW!r})) return
            requestAnimationFrame(() => performance.mark("rows"))
            observer.disconnect()
        }}).observe(document, {{ childList: true, subtree: true }})""")
    for _ in range(runs):
        page.reload()
        page.wait_for_selector(ROW)
        until(page, "performance.getEntriesByName('rows').length > 0")
        print(json.dumps(page.evaluate("""({
            rows: performance.getEntriesByName("rows")[0].startTime,
            paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
            bytes: [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
                .filter(entry => !entry.name.includes("/image")).reduce((sum, entry) => sum + entry.transferSize, 0),
        })""")), flush=True)


def tabs(context, address, count):
    """Opens tabs, and prints for each line of the input when each tab showed the state of the first job."""
    pages = [context.new_page() for _ in range(count)]
    pages[0].goto(address)
    origin = "/".join(address.split("/")[:3])
    for page in pages[1:]:
        page.goto(f"{origin}/jobs")
    job = None
    for page in pages:
        page.wait_for_selector(ROW)
        job = job or page.locator(ROW).first.get_attribute("id").removeprefix("job-")
        # A page that is not visible draws nothing; the change of the elements is measured.
        page.evaluate(f"""() => {{
            window.changes = []
            const look = () => {{
                const row = document.getElementById("job-{job}")
                if (!row) return
                const state = /held/i.test(row.textContent + row.ariaLabel) ? "held" : "waiting"
                if (window.changes.at(-1)?.state !== state) window.changes.push({{ state, time: Date.now() / 1000 }})
            }}
            look()
            new MutationObserver(look).observe(document.body, {{
                childList: true, subtree: true, characterData: true, attributes: true }})
        }}""")
    print(job, flush=True)
    for line in sys.stdin:
        state, times = line.strip(), []
        for page in pages:
            until(page, f"window.changes.at(-1)?.state === {state!r}")
            times.append(page.evaluate("window.changes.at(-1).time"))
        print(json.dumps(times), flush=True)


def steps(page, address, runs):
    """Prints, for each run, how many milliseconds a person's steps take until the page shows their result."""
    page.goto(address)
    page.wait_for_selector(ROW)
    origin = "/".join(address.split("/")[:3])
    search = page.get_by_role("searchbox")
    for run in range(runs):
        times = {}

        def timed(name, act, expression):
            start = time.monotonic()
            act()
            until(page, expression)
            times[name] = (time.monotonic() - start) * 1000

        rows = f"document.querySelectorAll({ROW!r}).length"
        timed("first rows", lambda: page.goto(f"{origin}/jobs"), f"{rows} > 0")
        timed("search without a match", lambda: search.fill(f"nothing {run}"), f"{rows} === 0")
        timed("search cleared", lambda: search.fill(""), f"{rows} > 0")
        row = page.locator(ROW).nth(run % 5)
        job = row.get_attribute("id").removeprefix("job-")
        timed("job opened", row.click, f"location.pathname === '/jobs/{job}' && "
              f"[...document.querySelectorAll('h2')].some(title => title.checkVisibility())")
        listed = "document.querySelectorAll('.printer-row').length"
        timed("printers", lambda: page.goto(f"{origin}/printers"), f"{listed} > 250")
        timed("printer searched", lambda: search.fill("printer-150"), f"{listed} === 1")
        print(json.dumps(times), flush=True)


def main():
    address, what, count = sys.argv[1:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        if what == "paint":
            paint(context.new_page(), address, int(count))
        elif what == "steps":
            steps(context.new_page(), address, int(count))
        else:
            tabs(context, address, int(count))
        browser.close()


main()
