"""Makes screenshots of the main views of the Print Center; scripts/screenshots runs this program.

The data is made by the real programs: a printd with simulated printers, and a printsim, in temporary folders.
"""

import math
import os
import sys
import time

from playwright.sync_api import sync_playwright

from simulator import Simulator
from spooler import Spooler, pdf

GREEN, PALE, INK, GRAY, RED = "0.07 0.36 0.31", "0.62 0.76 0.71", "0.13 0.13 0.12", "0.45 0.45 0.43", "0.75 0.25 0.2"
WORDS = ("the heating of the north wing used less gas than in the year before because the new pumps run at night and the "
         "windows of the library were replaced in june while the server room needs more electricity for cooling").split()


def text(x, y, size, words, color=INK):
    words = words.replace("(", "\\(").replace(")", "\\)")
    return f"BT {color} rg /F {size} Tf {x} {y} Td ({words}) Tj ET\n"


def paragraph(x, y, lines, seed, width=78):
    """Returns lines of words at 9 points."""
    drawn, place = "", seed * 7
    for line in range(lines):
        words = ""
        while len(words) < width - 8 * (line == lines - 1) * 4:
            words += WORDS[place % len(WORDS)] + " "
            place += 1
        drawn += text(x, y - 13 * line, 9, words.strip().capitalize() if line == 0 else words.strip(), GRAY)
    return drawn


def bars(x, y, values):
    """Returns a chart of pairs of bars."""
    drawn = ""
    for index, (now, before) in enumerate(values):
        left = x + index * 56
        drawn += f"{GREEN} rg {left} {y} 18 {now} re f {PALE} rg {left + 20} {y} 18 {before} re f\n"
        drawn += text(left + 2, y - 14, 8, ["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][index % 6], GRAY)
    return drawn


def curve(x, y, color, phase):
    points = [(x + step * 9, y + 40 * math.sin(step / 6 + phase) + step) for step in range(46)]
    return f"{color} RG 1.5 w {points[0][0]:.1f} {points[0][1]:.1f} m " + " ".join(
        f"{left:.1f} {top:.1f} l" for left, top in points[1:]) + " S\n"


def table(x, y, rows, seed=0):
    drawn = ""
    for row in range(rows):
        top = y - row * 17
        cells = ("Meter", "kWh", "Change", "Cost") if row == 0 else (
            f"{['North wing', 'Library', 'Server room', 'Workshop', 'Canteen'][row % 5]} {row}", f"{(row * 937 + seed) % 9000 + 200:,}",
            f"{(row * 37 + seed) % 21 - 10:+d} %", f"{(row * 251 + seed) % 1900 + 90} EUR")
        for column, cell in enumerate(cells):
            drawn += text(x + column * 118, top, 9, cell, INK if row == 0 else GRAY)
        drawn += f"0.85 0.85 0.83 RG 0.5 w {x} {top - 5} m {x + 470} {top - 5} l S\n"
    return drawn


def report(number):
    """Returns the content of a page of a report."""
    foot = text(56, 40, 8, "Energy report, third quarter", GRAY) + text(530, 40, 8, str(number), GRAY)
    if number == 1:
        return (f"{GREEN} rg 0 590 595 252 re f\n" + text(56, 720, 30, "Energy report", "1 1 1")
                + text(56, 684, 30, "third quarter", "1 1 1") + text(56, 650, 11, "Building 4, July to September", "0.8 0.9 0.87")
                + text(56, 545, 15, "Summary") + paragraph(56, 522, 6, 1) + text(56, 420, 15, "Changes") + paragraph(56, 397, 9, 4) + foot)
    if number == 2:
        return (text(56, 770, 18, "Electricity by month") + paragraph(56, 745, 3, 2)
                + bars(70, 520, [(150, 110), (125, 140), (165, 150), (90, 120), (140, 130), (178, 150)]) + table(56, 460, 12) + foot)
    if number == 4:
        return (text(56, 770, 18, "Heat and outside temperature") + paragraph(56, 745, 3, 9) + curve(70, 560, GREEN, 0)
                + curve(70, 540, RED, 2) + paragraph(56, 460, 14, 5) + foot)
    return text(56, 770, 18, "Readings by meter" if number == 3 else f"Measures {number}") + table(56, 735, 38, number * 31) + foot


def letter(number):
    return (text(56, 770, 11, "Bureau for Paper and Ink, Mill Lane 4") + text(56, 690, 11, "Ms A. Reader, Station Road 12")
            + text(56, 620, 16, "Your order of 18 November") + "".join(paragraph(56, 590 - 90 * part, 5, part + number) for part in range(5))
            + text(56, 110, 11, "With kind regards"))


def fill(spooler):
    """Creates jobs in all states; returns the number of the job for the detail."""
    document = lambda name, pages, content: spooler.pdf(name, pages, content)
    energy, thanks = document("energy-report.pdf", 5, report), document("letter.pdf", 2, letter)
    for name, printer in (("welcome.pdf", "color-laser"), ("invoice-2291.pdf", "color-laser"), ("minutes.pdf", "mono-laser"),
                          ("travel-form.pdf", "inkjet")):
        spooler.submit("--wait", "-d", printer, "--title", name, thanks)
    plan = spooler.file("floor-plan.svg", b'''<svg xmlns="http://www.w3.org/2000/svg" width="800" height="560" fill="none"
        stroke="#14514a" stroke-width="6"><path d="M40 40h720v480H40zM40 280h300M340 40v160M340 280v240M520 40v240h240"/>
        <circle cx="180" cy="160" r="46"/><path d="M560 340h140v120H560z" fill="#9fc2b6"/></svg>''')
    spooler.submit("--wait", "-d", "inkjet", plan)
    table_file = spooler.file("meters.csv", ("Meter,Building,kWh,Cost\n" + "".join(
        f"M-{number:03},{'NSEW'[number % 4]}-wing,{number * 937 % 9000},{number * 51 % 900}.50\n" for number in range(1, 40))).encode())
    spooler.submit("--wait", "-d", "mono-laser", table_file)
    compared = spooler.submit("--wait", "-d", "mono-laser", "--duplex", "long", energy)
    canceled = spooler.submit("--hold", "indefinite", "--title", "draft.pdf", thanks)
    spooler.printq("cancel", str(canceled))
    # The jam stops the job after the first page; other jobs wait behind it.
    spooler.fault("media-jam at page 2")
    energy_job = spooler.submit("--duplex", "long", energy)
    spooler.wait_for_event("job-stopped", energy_job)
    spooler.submit("--title", "minutes-2026-11-18.pdf", thanks)
    spooler.submit("--title", "見積書.pdf", thanks)
    spooler.printq("printers", "pause", "photo", "--message", "new ink at noon")
    spooler.submit("-d", "photo", "--title", "photo-order-5512.svg", plan)
    spooler.submit("-d", "mono-laser", "--hold", "indefinite", "--title", "payslips-november.pdf", thanks)
    spooler.submit("-d", "inkjet", "--hold", "23:59", "--title", "letter-draft.pdf", thanks)
    return energy_job, compared, [energy, thanks, plan]


class Camera:
    """A Chromium with sessions of several forms."""

    def __init__(self, chromium, spooler, folder):
        self.chromium, self.spooler, self.folder = chromium, spooler, folder
        self.loading = set()

    def open(self, width=1440, height=900, **options):
        page = self.chromium.new_context(viewport={"width": width, "height": height}, **options).new_page()
        self.loading.clear()
        page.on("request", lambda request: self.loading.add(request) if "/api/v1/events" not in request.url else None)
        for event in ("requestfinished", "requestfailed"):
            page.on(event, lambda request: self.loading.discard(request))
        page.goto(self.spooler.login())
        page.wait_for_selector(".rows-box, .empty, .view-printers h1", state="attached")
        return page

    def show(self, page, path, sign=None):
        """Opens a view, and waits until its images are loaded."""
        page.goto(self.spooler.origin + path)
        page.wait_for_selector(sign or "h1", state="attached")
        self.settle(page)

    def settle(self, page):
        """Waits until the page has loaded nothing for half a second, at most four seconds."""
        quiet, end = 0, time.monotonic() + 4
        while quiet < 10 and time.monotonic() < end:
            page.wait_for_timeout(50)
            quiet = 0 if self.loading else quiet + 1

    def take(self, page, name):
        path = os.path.join(self.folder, f"{name}.png")
        page.screenshot(path=path)
        print(f"{name}.png: {os.path.getsize(path) // 1000} kB", flush=True)


def take_simulator(chromium, folder):
    """Makes screenshots of the Print Center of printsim."""
    simulator = Simulator("color-laser")
    try:
        simulator.print(pdf(2, letter), "letter.pdf")
        simulator.print(pdf(9, report), "energy-report.pdf", "two-sided-long-edge")
        simulator.control("wait", "--job", "2")
        camera = Camera(chromium, simulator, folder)
        phone = {"width": 390, "height": 844, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
        for name, options in [("", {}), ("-dark", {"color_scheme": "dark"}), ("-phone", phone)]:
            page = camera.open(**options)
            camera.show(page, "/printers/color-laser", ".printed-pages img")
            camera.take(page, "simulator" + name)
            camera.show(page, "/printers/color-laser/jobs/2/pages/2", ".page-view[role=img]")
            camera.take(page, "simulator-pages" + name)
            page.context.close()
    finally:
        simulator.close()


def main(folder):
    os.makedirs(folder, exist_ok=True)
    spooler = Spooler()
    try:
        job, compared, files = fill(spooler)
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            camera = Camera(chromium, spooler, folder)
            page = camera.open()
            for name, path, sign in [
                ("queue", f"/jobs/{job}", None), ("viewer", f"/jobs/{job}/pages/2?side=document", None),
                ("compare", f"/jobs/{compared}/compare/2", None), ("printers", "/printers", None),
                ("printer", "/printers/color-laser", None), ("add-printer", "/printers/add", None),
            ]:
                camera.show(page, path, sign)
                camera.take(page, name)
            camera.show(page, "/new")
            with page.expect_file_chooser() as chooser:
                page.get_by_role("button", name="Add files…").click()
            chooser.value.set_files(files[0])
            page.get_by_text("5 pages").first.wait_for()
            page.get_by_label("Sides", exact=True).select_option("two-sided-long-edge")
            page.locator(".desk img").first.wait_for()
            camera.settle(page)
            camera.take(page, "new-job")
            for name, options in [
                ("queue-dark", {"color_scheme": "dark"}), ("queue-japanese", {"locale": "ja-JP"}),
                ("tablet", {"width": 768, "height": 1024}),
                ("phone-list", {"width": 390, "height": 844, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}),
                ("phone-detail", {"width": 390, "height": 844, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}),
            ]:
                page = camera.open(**options)
                if name != "phone-list":
                    camera.show(page, f"/jobs/{job}")
                camera.settle(page)
                camera.take(page, name)
                page.context.close()
            take_simulator(chromium, folder)
            chromium.close()
    finally:
        spooler.close()


if __name__ == "__main__":
    main(sys.argv[1])
