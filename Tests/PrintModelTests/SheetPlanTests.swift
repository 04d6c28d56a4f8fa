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
