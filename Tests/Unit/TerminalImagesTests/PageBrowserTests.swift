import Testing

@testable import TerminalImages

/// Tests of the state of a page viewer.
struct PageBrowserTests {
    private func browser() -> PageBrowser {
        var browser = PageBrowser(names: ["a.pdf", "b.txt"])
        browser.describe(0, as: "PDF document, 3 pages, A4", sides: 3, images: 2)
        browser.add("/p/1.png", side: 1, of: 0)
        return browser
    }

    private static let keys: [(String, [PageKey])] = [
        ("n", [PageKey.nextPage]), (" ", [.nextPage]), ("\u{1B}[C", [.nextPage]), ("\u{1B}[6~", [.nextPage]),
        ("p", [.previousPage]), ("\u{1B}OD", [.previousPage]), ("\u{1B}[5~", [.previousPage]),
        ("N", [.nextDocument]), ("\t", [.nextDocument]), ("P", [.previousDocument]), ("\u{1B}[Z", [.previousDocument]),
        ("g", [.firstPage]), ("G", [.lastPage]), ("t", [.overview]), ("q", [.quit]), ("\u{3}", [.quit]),
        ("\u{10}", [.print]),
        ("x\u{1B}[1;5Pn", [.nextPage]), ("\u{1B}q", [.quit]), ("nnp", [.nextPage, .nextPage, .previousPage]),
    ]

    @Test(arguments: keys)
    func `the bytes that a terminal sends for a key are decoded to the key`(bytes: String, keys: [PageKey]) {
        var reader = PageKeyReader()
        #expect(reader.read(bytes.utf8) == keys)
    }

    @Test func `a key is decoded as one key if its bytes arrive in two parts`() {
        var reader = PageKeyReader()
        #expect(reader.read("\u{1B}[".utf8).isEmpty)
        #expect(reader.read("D".utf8) == [.previousPage])
    }

    @Test func `at the last page of a document, the next-page key selects the first page of the next document`() {
        var browser = browser()
        browser.handle(.nextPage)
        browser.handle(.nextPage)
        #expect(browser.index == 0 && browser.side == 3)
        browser.handle(.nextPage)
        #expect(browser.index == 1 && browser.side == 1)
        browser.handle(.nextPage)
        #expect(browser.index == 1 && browser.side == 1)
        browser.handle(.previousPage)
        #expect(browser.index == 0 && browser.side == 3)
    }

    @Test func `the next-document key selects the first page of the next document, if there is a next document`() {
        var browser = browser()
        browser.handle(.lastPage)
        browser.handle(.nextDocument)
        browser.handle(.nextDocument)
        #expect(browser.index == 1 && browser.side == 1)
        browser.handle(.previousDocument)
        #expect(browser.index == 0 && browser.side == 1)
    }

    @Test func `the page viewer shows the document name, the page number and the available keys around the page`() {
        var browser = browser()
        #expect(browser.title == "a.pdf (1 of 2): PDF document, 3 pages, A4")
        #expect(
            browser.status
                == "side 1 of 3 · n next · p previous · Tab next file · P previous file · t thumbnails · q quit")
        #expect(browser.note == nil && browser.image == "/p/1.png")
        browser.handle(.nextPage)
        #expect(browser.note == "drawing …")
        browser.handle(.nextPage)
        #expect(browser.note == "side 3 is not drawn: the limit is 2 sides; increase --limit")
        browser.handle(.nextDocument)
        #expect(browser.title == "b.txt (2 of 2)" && browser.note == "laying out …")
    }

    @Test func `if a document cannot be laid out, the page viewer shows the reason`() {
        var browser = browser()
        browser.fail(1, because: "'b.txt' is damaged")
        browser.handle(.nextDocument)
        #expect(browser.note == "'b.txt' is damaged")
    }

    @Test func `the page viewer still shows drawn pages when other pages cannot be drawn`() {
        var browser = browser()
        browser.failAll(because: "print-preview has ended")
        #expect(browser.note == nil)
        browser.handle(.nextPage)
        #expect(browser.note == "print-preview has ended")
    }

    @Test func `the page viewer ignores results for unknown documents`() {
        var browser = browser()
        let before = browser
        browser.add("/x", side: 1, of: 7)
        browser.add("/x", side: 0, of: 0)
        browser.fail(-1, because: "x")
        browser.describe(2, as: "x", sides: 1, images: 1)
        #expect(browser == before)
    }

    @Test func `the quit key ends the page viewer`() {
        var browser = browser()
        browser.handle(.quit)
        #expect(browser.hasEnded)
    }

    @Test func `the page viewer prints only documents for which printing is offered`() {
        var browser = browser()
        browser.offerPrinting(of: 1)
        browser.handle(.print)
        #expect(!browser.hasEnded && !browser.status.contains("print"))
        browser.show(1)
        #expect(browser.status.hasPrefix("Ctrl-P print · n next"))
        browser.handle(.print)
        #expect(browser.hasEnded && browser.isPrinting)
    }
}
