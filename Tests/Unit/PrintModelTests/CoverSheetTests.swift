// Tests the places of cover sheets among the sheets of a job, and the counts of sheets and pages.

import PrintModel
import Testing

struct CoverSheetTests {
    private let both = CoverSheets(start: .standard, end: .secret)

    @Test(arguments: [
        ("none", CoverSheets()), ("standard", CoverSheets(start: .standard)),
        ("None,TopSecret", CoverSheets(end: .topSecret)),
        ("job-both-sheet", CoverSheets(start: .standard, end: .standard)),
    ])
    func `the text of cover sheets is that of CUPS`(text: String, sheets: CoverSheets) {
        #expect(CoverSheets(text: text) == sheets)
        #expect(CoverSheets(text: sheets.text) == sheets)
    }

    @Test(arguments: ["", "ours", "standard,", "none,none,none", "standard;none"])
    func `other names of cover sheets are refused with the allowed names`(text: String) {
        var ticket = JobTicket()
        let error = #expect(throws: OptionError.self) { try ticket.set("job-sheets", to: text, at: 0) }
        #expect(error?.description.contains("topsecret") == true)
        #expect(ticket == JobTicket())
    }

    /// Returns the sides in print order: the pages, `S` and `E` for the cover sheets, and `_` for blank sides.
    private func sides(_ change: (inout Imposition) -> Void) -> String {
        var imposition = Imposition(paper: PrintPaper(media: .a4))
        imposition.coverSheets = both
        change(&imposition)
        let sequence = SheetSequence(pages: [[1, 2, 3]], imposition: imposition)
        if imposition.firstImpression == 1 {
            #expect(SheetSequence.sideCount(pages: [3], imposition: imposition) == sequence.order.count)
        }
        return sequence.order.map { index in
            guard let side = index.map({ sequence.sides[$0] }) else { return "_" }
            if let cover = side.cover { return cover == both.start ? "S" : "E" }
            return side.places.compactMap { $0.map { "\($0.page)" } }.joined()
        }.joined(separator: " ")
    }

    @Test func `cover sheets are printed once per job, before and after all copies, on their own sheets`() {
        #expect(sides { _ in } == "S 1 2 3 E")
        #expect(sides { $0.copies = 2 } == "S 1 2 3 1 2 3 E")
        #expect(sides { ($0.copies, $0.collated) = (2, false) } == "S 1 1 2 2 3 3 E")
        #expect(sides { $0.duplex = .longEdge } == "S _ 1 2 3 _ E _")
        #expect(sides { $0.numberUp = NumberUp(count: 2) } == "S 12 3 E")
        #expect(sides { $0.coverSheets?.start = nil } == "1 2 3 E")
    }

    @Test func `in reverse order, the stack still begins with the first cover sheet`() {
        #expect(sides { $0.pageOrder = .reverse } == "E 3 2 1 S")
    }

    @Test func `a resumed job omits the sheets that are printed, with cover sheets`() {
        #expect(sides { $0.firstImpression = 2 } == "1 2 3 E")
        #expect(sides { ($0.duplex, $0.firstImpression) = (.longEdge, 3) } == "1 2 3 _ E _")
        #expect(sides { $0.firstImpression = 5 } == "E")
    }

    /// Returns the plan of two copies of three pages with cover sheets.
    private func plan(blankBacks: [Int] = [], sheets: Int) -> SheetPlan {
        var plan = SheetPlan(
            media: "iso_a4_210x297mm", isColor: true, copies: 2, sheetsPerCopy: sheets, blankBacks: blankBacks, pages: 3
        )
        (plan.coversBefore, plan.coversAfter) = (1, 1)
        return plan
    }

    @Test func `the blank backs of cover sheets are not impressions`() {
        // S _ | 1 2 | 3 _ | 1 2 | 3 _ | E _
        let plan = plan(blankBacks: [1], sheets: 2)
        #expect((0...6).map { plan.blanks(onFirst: $0) } == [0, 1, 1, 2, 2, 3, 4])
        #expect(plan.impressions(onFirstSides: 12, sidesPerSheet: 2) == 8)
        #expect((1...8).map { plan.side(ofImpression: $0, sidesPerSheet: 2) } == [1, 3, 4, 5, 7, 8, 9, 11])
    }

    @Test func `cover sheets are not pages in the progress of a job`() {
        let plan = plan(sheets: 3)
        #expect(
            (0...8).map { plan.progress(after: $0, sidesPerSheet: 1)?.completedInAllCopies } == [
                0, 0, 1, 2, 3, 4, 5, 6, 6,
            ])
        #expect(
            (0...8).map { plan.textOfNextPage(after: $0, sidesPerSheet: 1) } == [
                "the cover sheet", "page 1 of 3, copy 1 of 2", "page 2 of 3, copy 1 of 2", "page 3 of 3, copy 1 of 2",
                "page 1 of 3, copy 2 of 2", "page 2 of 3, copy 2 of 2", "page 3 of 3, copy 2 of 2", "the cover sheet",
                nil,
            ])
    }

    @Test func `printq makes the copies of a job with cover sheets, because a printer would copy the cover sheets`() {
        var ticket = JobTicket()
        (ticket.copies, ticket.coverSheets) = (3, both)
        let plan = ticket.plan(for: .usual(region: nil))
        #expect((plan.device.copies, plan.imposition.copies) == (1, 3))
        #expect(plan.imposition.coverSheets == both)
        ticket.coverSheets = CoverSheets()
        #expect(ticket.plan(for: .usual(region: nil)).device.copies == 3)
    }

    @Test func `a printer that accepts one image per job prints no cover sheets, and the plan says so`() {
        var printer = PrinterCapabilities.usual(region: nil)
        printer.formats = [.jpeg]
        var ticket = JobTicket()
        ticket.coverSheets = both
        let plan = ticket.plan(for: printer, named: "photo")
        #expect(plan.imposition.coverSheets == nil)
        #expect(plan.conflicts.map(\.option) == ["job-sheets"])
        #expect(plan.conflicts.first?.description.hasPrefix("photo accepts only one image per job") == true)
    }
}
