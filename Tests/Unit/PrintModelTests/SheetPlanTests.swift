import FoundationEssentials
import PrintModel
import Testing

struct SheetPlanTests {
    /// Three pages, then one page: sheets 1 2 | 3 | 4, of which the second and the third… have blank backs.
    private func plan(
        copies: Int = 1, collated: Bool = true, isReversed: Bool = false
    ) -> SheetPlan {
        SheetPlan(
            media: "iso_a4_210x297mm", isColor: true, copies: copies, sheetsPerCopy: 3, blankBacks: [1, 2],
            collated: collated, isReversed: isReversed)
    }

    @Test func `blank backs are counted sheet by sheet as they come out`() {
        #expect((0...4).map { plan().blanks(onFirst: $0) } == [0, 0, 1, 2, 2])
        #expect((0...7).map { plan(copies: 2).blanks(onFirst: $0) } == [0, 0, 1, 2, 2, 3, 4, 4])
        #expect((0...6).map { plan(copies: 2, collated: false).blanks(onFirst: $0) } == [0, 0, 0, 1, 2, 3, 4])
        #expect((0...3).map { plan(isReversed: true).blanks(onFirst: $0) } == [0, 1, 2, 2])
    }

    @Test func `a sheet sequence says which backs of a copy stay blank`() {
        let paper = PrintPaper(media: .a4)
        let sequence = SheetSequence(
            pages: [[1, 2, 3], [1]], imposition: Imposition(paper: paper, copies: 2, duplex: .longEdge))
        #expect(sequence.blankBacks == [1, 2])
        #expect(SheetSequence(pages: [[1, 2, 3]], imposition: Imposition(paper: paper)).blankBacks == [])
    }

    /// Five pages, two on a side, on both sides: sheets 1-2|3-4 and 5|blank.
    private func twoUp(copies: Int = 1, collated: Bool = true) -> SheetPlan {
        SheetPlan(
            media: "iso_a4_210x297mm", isColor: true, copies: copies, sheetsPerCopy: 2, blankBacks: [1],
            collated: collated, pages: 5, pagesPerSide: 2)
    }

    private func words(_ plan: SheetPlan, _ sides: ClosedRange<Int>) -> [String] {
        sides.map { plan.progress(after: $0, sidesPerSheet: 2)?.words ?? "unknown" }
    }

    @Test func `progress counts pages of the documents, and copies apart`() {
        #expect(words(twoUp(), 0...4) == ["page 0 of 5", "page 2 of 5", "page 4 of 5", "page 5 of 5", "page 5 of 5"])
        #expect(
            words(twoUp(copies: 2), 3...8) == [
                "page 5 of 5, copy 1 of 2", "page 5 of 5, copy 1 of 2", "page 2 of 5, copy 2 of 2",
                "page 4 of 5, copy 2 of 2", "page 5 of 5, copy 2 of 2", "page 5 of 5, copy 2 of 2",
            ])
        // Not in sets, each sheet comes out twice in a row.
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

    @Test func `impressions are the sides with something on them, and each of them has its side`() {
        let plan = plan(copies: 2)
        // Sides of a copy: 1 2 | 3 blank | 4 blank.
        #expect((0...6).map { plan.impressions(onFirstSides: $0, sidesPerSheet: 2) } == [0, 1, 2, 3, 3, 4, 4])
        #expect((1...8).map { plan.side(ofImpression: $0, sidesPerSheet: 2) } == [1, 2, 3, 5, 7, 8, 9, 11])
        #expect(plan.side(ofImpression: 9, sidesPerSheet: 2) == 13, "beyond the end")
    }

    @Test func `a plan that an earlier version wrote is read`() throws {
        let text = """
            {"media":"iso_a4_210x297mm","isColor":true,"copies":2,"sheetsPerCopy":3,"blankBacks":[1],"collated":true,
             "isReversed":false}
            """
        let plan = try JSONDecoder().decode(SheetPlan.self, from: Data(text.utf8))
        #expect((plan.copies, plan.blankBacks, plan.pages, plan.pagesPerSide) == (2, [1], 0, 1))
    }

    @Test func `IPP's counts leave out blank backs, and the impressions of a job its copies`() throws {
        var job = try machine(.prepared(impressions: 8, sheets: 4, notice: nil, plan: twoUp(copies: 2))).job
        #expect((job.impressionsPerCopy, job.printedImpressions) == (3, 0))
        job.impressionsCompleted = 5
        #expect((job.printedImpressions, job.pageProgress?.words) == (4, "page 2 of 5, copy 2 of 2"))
    }

    /// What printers say after each sheet of 1 2 | 3 blank | 4 blank, by whether they count blank backs.
    @Test(arguments: [[(2, 1), (3, 2), (4, 3)], [(2, 1), (4, 2), (6, 3)]])
    func `printers that count blank backs and printers that do not lead to the same count`(
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

    @Test func `a count of sheets that does not fit the count of impressions is not believed`() throws {
        // A cupsd counts sides as sheets.
        let job = try machine(prepared, .sent, .progressed(impressions: 3, sheets: 3)).job
        #expect(job.impressionsCompleted == 3)
    }

    @Test func `a job with blank backs says in impressions where it goes on`() throws {
        let machine = try machine(
            prepared, .sent, .progressed(impressions: 3, sheets: 2), .doubted(message: "?"),
            .resumeRequested(fromImpression: nil))
        #expect(machine.job.resumeFrom == 5 && machine.job.resumeWords == "page 4 of 4")
    }

    private func machine(_ events: JobStateMachine.Event...) throws -> JobStateMachine {
        var machine = JobStateMachine(
            job: Job(id: 1, uuid: "urn:uuid:1", printer: "laser", owner: "ann", name: "a", createdAt: 0))
        for event in [.claimed] + events { _ = try machine.handle(event, at: 1) }
        return machine
    }

    private var prepared: JobStateMachine.Event { .prepared(impressions: 6, sheets: 3, notice: nil, plan: plan()) }

    @Test func `blank backs are no impressions of a job that was printed`() throws {
        let job = try machine(prepared, .sent, .delivered(warning: nil)).job
        #expect(job.printed == PrintedSides(impressions: 4, blanks: 2, sheets: 3))
    }

    @Test func `what came out before a cancel counts, and no more`() throws {
        let job = try machine(
            prepared, .sent, .progressed(impressions: 3, sheets: 1), .cancelRequested(byOperator: false),
            .canceledAtPrinter(message: "")
        ).job
        #expect(job.state == .canceled)
        #expect(job.printed == PrintedSides(impressions: 3, blanks: 0, sheets: 1))
    }

    @Test func `a sheet that is printed once more after a doubt counts twice`() throws {
        // Sides 1 to 4 came out; it goes on from side 3, the front of the second sheet.
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

    @Test func `a job that begins anew after a doubt has both goes counted`() throws {
        let job = try machine(
            prepared, .sent, .progressed(impressions: 2, sheets: 1), .doubted(message: "?"), .releaseRequested,
            .claimed, prepared, .sent, .delivered(warning: nil)
        ).job
        #expect(job.printed == PrintedSides(impressions: 6, blanks: 2, sheets: 4))
    }
}
