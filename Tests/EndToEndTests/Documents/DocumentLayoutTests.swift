import Foundation
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of booklets, posters and joined documents on simulated printers, by the content of each printed side.
@Suite(.serialized, .sharesSpooler, .timeLimit(.minutes(5)))
struct DocumentLayoutTests {
    /// Returns the words on a side of `sheets.pdf`, in reading order.
    private func words(_ spooler: TestSpooler, _ job: PrintedJob, side: Int) async throws -> [String] {
        // sheets.pdf has images only. The prepared document has the text of the same sides.
        let run = try await spooler.run(
            "pdftotext", ["-f", "\(side)", "-l", "\(side)", "\(job.folder)/original.pdf", "-"])
        expect(run)
        return run.output.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Returns a document with one word on each page.
    private func pages(_ words: String...) -> PDFBuilder {
        var pdf = PDFBuilder()
        for word in words { pdf.addPage(.a4) { $0.text(word, x: 100, y: 400, size: 80) } }
        return pdf
    }

    @Test func `a booklet of five pages is printed on two sheets, with the pages in the order for folding`()
        async throws
    {
        let spooler = try TestSpooler.shared()
        let job = try await spooler.printed(
            pages("one", "two", "three", "four", "five"), "--booklet", "--paper", "A4")
        let record = try job.record
        // Five pages are padded to eight: two sheets, four sides, turned over the short edge.
        #expect(record["sheets"] as? Int == 2)
        #expect(record["sides"] as? String == "two-sided-short-edge")
        var seen: [Set<String>] = []
        for side in 1...4 { seen.append(Set(try await words(spooler, job, side: side))) }
        // Sheet 1: 8 | 1 and 2 | 7; sheet 2: 6 | 3 and 4 | 5. Pages 6 to 8 are blank.
        #expect(seen == [["one"], ["two"], ["three"], ["four", "five"]])
        // The paper is fed upright, so the two pages of a side are its upper and its lower half. Pages 1 and 3 are the
        // right pages of the fronts.
        let ink = try job.pages.map(\.inkedHalves)
        #expect(ink.map(\.count) == [1, 1, 1, 2], "\(ink)")
        #expect(ink[0] == ink[2] && ink[0] != ink[1], "\(ink)")
    }

    @Test func `a booklet of merged documents contains the pages of all documents in one sequence`() async throws {
        let spooler = try TestSpooler.shared()
        let first = try spooler.file("first.pdf", pages("one"))
        let second = try spooler.file("second.txt", Array("two\u{C}three\u{C}four\n".utf8))
        let run = try await spooler.run(
            spooler.program("printq"),
            ["submit", "--wait", "--json", "--booklet", "--merge", "--paper", "A4", first, second])
        expect(run)
        let queued = try JSONDecoder().decode(QueuedJob.self, from: Data(run.output.utf8))
        let job = PrintedJob(folder: try #require(queued.folder))
        #expect(queued.sheets == 1)
        // 4 | 1 and 2 | 3
        #expect(Set(try await words(spooler, job, side: 1)) == ["one", "four"])
        #expect(Set(try await words(spooler, job, side: 2)) == ["two", "three"])
    }

    @Test func `a poster prints each part of the page on a separate sheet, row by row`() async throws {
        let spooler = try TestSpooler.shared()
        var pdf = PDFBuilder()
        let (width, height) = (595.0, 842.0)
        pdf.addPage(.a4) { page in
            page.fill(.red, x: 0, y: height / 2, width: width / 2, height: height / 2)
            page.fill(.green, x: width / 2, y: height / 2, width: width / 2, height: height / 2)
            page.fill(.blue, x: 0, y: 0, width: width / 2, height: height / 2)
            page.fill(.yellow, x: width / 2, y: 0, width: width / 2, height: height / 2)
        }
        let job = try await spooler.printed(pdf, "--poster", "2x2", "--paper", "A4")
        #expect(try job.record["sheets"] as? Int == 4)
        let centers = try job.pages.map { page in
            String(pixelLetters(of: page, columns: 3, rows: 3).split(separator: "\n")[1].dropFirst().prefix(1))
        }
        #expect(centers == ["R", "G", "B", "Y"])
    }

    @Test func `if documents are merged, the next document begins on the side on which the previous document ends`()
        async throws
    {
        let spooler = try TestSpooler.shared()
        let first = try spooler.file("first.pdf", pages("one", "two", "three"))
        let second = try spooler.file("second.txt", Array("four\u{C}five\n".utf8))
        func printed(_ options: String...) async throws -> (QueuedJob, PrintedJob) {
            let run = try await spooler.run(
                spooler.program("printq"),
                ["submit", "--wait", "--json", "--number-up", "2", "--duplex", "long", "--paper", "A4"] + options
                    + [first, second])
            expect(run)
            let job = try JSONDecoder().decode(QueuedJob.self, from: Data(run.output.utf8))
            return (job, PrintedJob(folder: try #require(job.folder)))
        }
        let (merged, sides) = try await printed("--merge")
        #expect(merged.sheets == 2)
        var seen: [[String]] = []
        for side in 1...3 { seen.append(try await words(spooler, sides, side: side)) }
        #expect(seen.map(Set.init) == [["one", "two"], ["three", "four"], ["five"]])
        // Without --merge, the second document begins on a new sheet.
        let (separate, others) = try await printed()
        #expect(separate.sheets == 2)
        #expect(Set(try await words(spooler, others, side: 2)) == ["three"])
        #expect(Set(try await words(spooler, others, side: 3)) == ["four", "five"])
    }
}

extension PrintedPage {
    /// The halves of an upright sheet that have ink: 0 is the upper half.
    fileprivate var inkedHalves: Set<Int> {
        var halves: Set<Int> = []
        for y in stride(from: 0, to: height, by: 3) {
            for x in stride(from: 0, to: width, by: 3) where rgb(x: x, y: y).green < 100 {
                halves.insert(y < height / 2 ? 0 : 1)
            }
        }
        return halves
    }
}
