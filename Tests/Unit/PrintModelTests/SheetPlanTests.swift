import FoundationEssentials
import PrintModel
import Testing

struct SheetPlanTests {
    /// Returns a two-sided plan for a document with three pages and a document with one page.
    ///
    /// The sheets are 1 2 | 3 | 4. Two backs are blank.
    private func plan(
        copies: Int = 1, collated: Bool = true, isReversed: Bool = false
    ) -> SheetPlan {
        SheetPlan(
            media: "iso_a4_210x297mm", isColor: true, copies: copies, sheetsPerCopy: 3, blankBacks: [1, 2],
            collated: collated, isReversed: isReversed)
    }

    @Test func `a sheet plan counts the blank backs on the first sheets of a job, in print order`() {
        #expect((0...4).map { plan().blanks(onFirst: $0) } == [0, 0, 1, 2, 2])
        #expect((0...7).map { plan(copies: 2).blanks(onFirst: $0) } == [0, 0, 1, 2, 2, 3, 4, 4])
        #expect((0...6).map { plan(copies: 2, collated: false).blanks(onFirst: $0) } == [0, 0, 0, 1, 2, 3, 4])
        #expect((0...3).map { plan(isReversed: true).blanks(onFirst: $0) } == [0, 1, 2, 2])
    }

    @Test func `a sheet sequence lists the sheets with a blank back`() {
        let paper = PrintPaper(media: .a4)
        let sequence = SheetSequence(
            pages: [[1, 2, 3], [1]], imposition: Imposition(paper: paper, copies: 2, duplex: .longEdge))
        #expect(sequence.blankBacks == [1, 2])
        #expect(SheetSequence(pages: [[1, 2, 3]], imposition: Imposition(paper: paper)).blankBacks == [])
    }

    /// Returns a two-sided plan for five pages with two pages on each side.
    ///
    /// The sheets are 1-2|3-4 and 5|blank.
    private func twoUp(copies: Int = 1, collated: Bool = true) -> SheetPlan {
        SheetPlan(
            media: "iso_a4_210x297mm", isColor: true, copies: copies, sheetsPerCopy: 2, blankBacks: [1],
            collated: collated, pages: 5, pagesPerSide: 2)
    }

    private func words(_ plan: SheetPlan, _ sides: ClosedRange<Int>) -> [String] {
        sides.map { plan.progress(after: $0, sidesPerSheet: 2)?.text ?? "unknown" }
    }

    @Test func `job progress contains the number of printed document pages in the current copy`() {
        #expect(words(twoUp(), 0...4) == ["page 0 of 5", "page 2 of 5", "page 4 of 5", "page 5 of 5", "page 5 of 5"])
        #expect(
            words(twoUp(copies: 2), 3...8) == [
                "page 5 of 5, copy 1 of 2", "page 5 of 5, copy 1 of 2", "page 2 of 5, copy 2 of 2",
                "page 4 of 5, copy 2 of 2", "page 5 of 5, copy 2 of 2", "page 5 of 5, copy 2 of 2",
            ])
        // Uncollated, each sheet is printed twice in a row.
        #expect(
            words(twoUp(copies: 2, collated: false), 1...8) == [
                "page 2 of 5, copy 1 of 2", "page 4 of 5, copy 1 of 2", "page 2 of 5, copy 2 of 2",
                "page 4 of 5, copy 2 of 2", "page 5 of 5, copy 1 of 2", "page 5 of 5, copy 1 of 2",
                "page 5 of 5, copy 2 of 2", "page 5 of 5, copy 2 of 2",
            ])
        #expect(
            (0...8).map {
                twoUp(copies: 2, collated: false).progress(after: $0, sidesPerSheet: 2)?.completedInAllCopies
            }
                == [0, 2, 4, 6, 8, 9, 9, 10, 10])
        #expect(
            (0...8).map { twoUp(copies: 2).progress(after: $0, sidesPerSheet: 2)?.completedInAllCopies }
                == [0, 2, 4, 5, 5, 7, 9, 10, 10])
        #expect(words(plan(), 0...1) == ["unknown", "unknown"])
    }

    @Test func `a side counts as an impression only if it is not blank, and each impression has a side number`() {
        let plan = plan(copies: 2)
        // Sides of a copy: 1 2 | 3 blank | 4 blank.
        #expect((0...6).map { plan.impressions(onFirstSides: $0, sidesPerSheet: 2) } == [0, 1, 2, 3, 3, 4, 4])
        #expect((1...8).map { plan.side(ofImpression: $0, sidesPerSheet: 2) } == [1, 2, 3, 5, 7, 8, 9, 11])
        #expect(plan.side(ofImpression: 9, sidesPerSheet: 2) == 13, "beyond the end")
    }

    @Test func `a sheet plan is decoded if an older version wrote the plan`() throws {
        let text = """
            {"media":"iso_a4_210x297mm","isColor":true,"copies":2,"sheetsPerCopy":3,"blankBacks":[1],"collated":true,
             "isReversed":false}
            """
        let plan = try JSONDecoder().decode(SheetPlan.self, from: Data(text.utf8))
        #expect((plan.copies, plan.blankBacks, plan.pages, plan.pagesPerSide) == (2, [1], 0, 1))
    }

    @Test func `the printed impressions and the impressions per copy exclude blank backs`() throws {
        var job = try machine(.prepared(impressions: 8, sheets: 4, notice: nil, plan: twoUp(copies: 2))).job
        #expect((job.impressionsPerCopy, job.printedImpressions) == (3, 0))
        job.impressionsCompleted = 5
        #expect((job.printedImpressions, job.pageProgress?.text) == (4, "page 2 of 5, copy 2 of 2"))
    }

    /// The arguments are the counts that a printer reports after each sheet of 1 2 | 3 blank | 4 blank.
    ///
    /// The first printer does not count blank backs, and the second printer counts blank backs.
    @Test(arguments: [[(2, 1), (3, 2), (4, 3)], [(2, 1), (4, 2), (6, 3)]])
    func `the page count of a job is the same whether or not its printer counts blank backs`(
        said: [(Int, Int)]
    ) throws {
        var machine = try machine(prepared, .sent)
        var seen: [Int] = []
        for (impressions, sheets) in said {
            _ = try machine.handle(.progressed(impressions: impressions, sheets: sheets), at: 2)
            seen.append(machine.job.impressionsCompleted)
        }
        #expect(seen == [2, 4, 6])
    }

    @Test func `a sheet count is ignored if it does not match the impressions`() throws {
        // CUPS reports the number of sides as the number of sheets.
        let job = try machine(prepared, .sent, .progressed(impressions: 3, sheets: 3)).job
        #expect(job.impressionsCompleted == 3)
    }

    @Test func `blank backs are not counted in the page number at which a job resumes`() throws {
        let machine = try machine(
            prepared, .sent, .progressed(impressions: 3, sheets: 2), .doubted(message: "?"),
            .resumeRequested(fromImpression: nil))
        #expect(machine.job.resumeFrom == 5 && machine.job.resumeText == "page 4 of 4")
    }

    private func machine(_ events: JobStateMachine.Event...) throws -> JobStateMachine {
        var machine = JobStateMachine(
            job: Job(id: 1, uuid: "urn:uuid:1", printer: "laser", owner: "ann", name: "a", createdAt: 0))
        for event in [.claimed] + events { _ = try machine.handle(event, at: 1) }
        return machine
    }

    private var prepared: JobStateMachine.Event { .prepared(impressions: 6, sheets: 3, notice: nil, plan: plan()) }

    @Test func `the impressions of a printed job exclude blank backs`() throws {
        let job = try machine(prepared, .sent, .delivered(warning: nil)).job
        #expect(job.printed == PrintedSides(impressions: 4, blanks: 2, sheets: 3))
    }

    @Test func `sides are counted as impressions if they were printed before a cancellation`() throws {
        let job = try machine(
            prepared, .sent, .progressed(impressions: 3, sheets: 1), .cancelRequested(byOperator: false),
            .canceledAtPrinter(message: "")
        ).job
        #expect(job.state == .canceled)
        #expect(job.printed == PrintedSides(impressions: 3, blanks: 0, sheets: 1))
    }

    @Test func `if a sheet is printed again after a suspension, the sheet is counted twice`() throws {
        // Sides 1 to 4 were printed. The job resumes from side 3, the front of the second sheet.
        let resumed = try machine(
            prepared, .sent, .progressed(impressions: 4, sheets: 2), .doubted(message: "?"),
            .resumeRequested(fromImpression: 4))
        #expect(resumed.job.printed == PrintedSides(impressions: 3, blanks: 1, sheets: 2))
        var machine = resumed
        for event in [.claimed, prepared, .sent, .delivered(warning: nil)] as [JobStateMachine.Event] {
            _ = try machine.handle(event, at: 2)
        }
        #expect(machine.job.printed == PrintedSides(impressions: 5, blanks: 3, sheets: 4))
    }

    @Test func `if a job is restarted after a suspension, the printed sides include the sides of both attempts`()
        throws
    {
        let job = try machine(
            prepared, .sent, .progressed(impressions: 2, sheets: 1), .doubted(message: "?"), .releaseRequested,
            .claimed, prepared, .sent, .delivered(warning: nil)
        ).job
        #expect(job.printed == PrintedSides(impressions: 6, blanks: 2, sheets: 4))
    }
}
