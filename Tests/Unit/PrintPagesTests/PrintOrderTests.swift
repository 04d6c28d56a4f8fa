import Foundation
import PrintCenter
import PrintModel
import Testing

@testable import PrintPages

struct PrintOrderTests {
    private func job(
        _ state: JobState, done: Int = 0, copies: Int = 1, collated: Bool = true, reversed: Bool = false,
        sheets: Int = 2
    ) -> Job {
        var job = Job(id: 1, uuid: "u", printer: "p", owner: "ann", name: "a", state: state, createdAt: 0)
        job.impressionsCompleted = done
        job.sheetPlan = SheetPlan(
            media: "iso_a4_210x297mm", isColor: true, copies: copies, sheetsPerCopy: sheets, collated: collated,
            isReversed: reversed)
        return job
    }

    private func states(_ job: Job, sides: Int = 4, sidesPerSheet: Int = 2) -> String {
        let order = PrintOrder(job, sides: sides, sidesPerSheet: sidesPerSheet)
        return (0..<sides).map { side in
            switch order.state(ofSide: side) {
            case .printed: "P"
            case .printing: ">"
            case .waiting: "w"
            case nil: "-"
            }
        }.joined()
    }

    @Test func `the sides of a job change from waiting to printing to printed`() {
        #expect(states(job(.pending)) == "wwww")
        #expect(states(job(.processing, done: 0)) == ">www")
        #expect(states(job(.processing, done: 3)) == "PPP>")
        #expect(states(job(.completed, done: 4)) == "PPPP")
        #expect(states(job(.canceled, done: 2)) == "PP--")
    }

    @Test func `in reverse order, the last sheet is printed first`() {
        #expect(states(job(.processing, done: 1, reversed: true)) == "wwP>")
        #expect(states(job(.processing, done: 2, reversed: true)) == ">wPP")
    }

    @Test func `the sides of collated and uncollated copies change their states in print order`() {
        #expect(states(job(.processing, done: 5, copies: 2)) == "P>PP", "the second copy")
        #expect(states(job(.processing, done: 4, copies: 2, collated: false)) == "PP>w")
    }

    @Test func `cover sheets are printed once, before and after all copies`() {
        var job = job(.processing, done: 1, copies: 2, sheets: 2)
        job.sheetPlan?.coversBefore = 1
        job.sheetPlan?.coversAfter = 1
        func words(_ done: Int) -> String {
            job.impressionsCompleted = done
            return states(job, sides: 4, sidesPerSheet: 1)
        }
        // The sides are cover, a, b, cover; the printer prints cover, a, b, a, b, cover.
        #expect((0...5).map(words) == [">www", "P>ww", "PP>w", "P>Pw", "PP>w", "PPP>"])
        let sent = SentSides(
            sides: 4, sidesPerSheet: 1, isReversed: false, isCollated: false, copies: 2, first: nil, received: 6,
            coversBefore: 1, coversAfter: 1)
        #expect((0..<4).map(sent.number) == [1, 2, 4, 6])
    }

    @Test func `each page image of a simulated printer is assigned to the corresponding side of the job`() {
        func numbers(_ sent: SentSides) -> [Int?] { (0..<sent.sides).map(sent.number) }
        var sent = SentSides(
            sides: 4, sidesPerSheet: 2, isReversed: false, isCollated: true, copies: 1, first: nil, received: 4)
        #expect(numbers(sent) == [1, 2, 3, 4])
        sent.isReversed = true
        #expect(numbers(sent) == [3, 4, 1, 2])
        sent = SentSides(
            sides: 4, sidesPerSheet: 2, isReversed: false, isCollated: false, copies: 3, first: nil, received: 12)
        #expect(numbers(sent) == [1, 2, 7, 8])
        sent.received = 4
        #expect(numbers(sent) == [1, 2, 3, 4], "the printer made the copies")
        sent = SentSides(
            sides: 4, sidesPerSheet: 1, isReversed: false, isCollated: true, copies: 1, first: 3, received: 2)
        #expect(numbers(sent) == [nil, nil, 1, 2], "the job was resumed")
        sent.received = 3
        #expect(numbers(sent) == [nil, nil, nil, nil], "other pages than expected")
    }

    @Test func `the number-up layout determines the pages on each side`() {
        var imposition = Imposition(paper: PrintPaper(media: .a4), duplex: .longEdge)
        func pages(_ documents: [Int], _ count: Int) -> [[Int]] {
            sides(documents, count).map(\.pages)
        }
        func sides(_ documents: [Int], _ count: Int) -> [OpenView.Side] {
            let sizes = Array(repeating: Size(width: 595, height: 842), count: documents.reduce(0, +))
            return ViewMaker.sides(
                OpenedPages(sizes: sizes, documentPages: documents), imposition, count: count)
        }
        #expect(pages([3], 4) == [[1], [2], [3], []])
        #expect(pages([1, 2], 4) == [[1], [], [2], [3]], "each document starts on a new sheet")
        #expect(pages([3], 5) == [[0], [0], [0], [0], [0]], "the worker made another number of sides")
        imposition.numberUp = NumberUp(count: 2)
        #expect(pages([3], 2) == [[1, 2], [3]])
        #expect(sides([3], 2).map(\.turns) == [1, 1], "two pages lie beside each other on a turned paper")
        imposition.pageRanges = (try? PageRanges("2-3")) ?? .all
        #expect(pages([3], 2) == [[2, 3], []])
    }
}

struct UploadNameTests {
    @Test func `the file name for an uploaded document has no folders, control characters or leading dots`() {
        #expect(UploadFolder.safeName("../../etc/passwd") == "passwd")
        #expect(UploadFolder.safeName("..\\a\u{0}b\n.pdf") == "ab.pdf")
        #expect(UploadFolder.safeName("...") == "document")
        #expect(UploadFolder.safeName(nil) == "document")
        #expect(UploadFolder.safeName(".htaccess") == "htaccess")
        #expect(UploadFolder.safeName("報告書.pdf") == "報告書.pdf")
        #expect(UploadFolder.safeName("evil\u{202E}fdp.exe") == "evilfdp.exe")
        let long = UploadFolder.safeName(String(repeating: "長", count: 200) + ".pdf")
        #expect(long.utf8.count <= 200 && long.hasSuffix(".pdf"))
    }
}
