import Foundation
import PrintRaster
import PrintTestSupport
import Testing

/// Tests that print a document of each type on simulated printers.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct DocumentMatrixTests {
    private struct Submitted {
        var ending: String
        var paper: String
        var orientation: String
        var job: Int
        var name: Comment { "\(ending) on \(paper), \(orientation)" }
    }

    @Test func `documents of each type are printed completely on Letter and A4 paper, in each orientation`()
        async throws
    {
        let samples = try await SampleDocuments.shared.value
        let spooler = try TestSpooler()
        try spooler.start()
        var submitted: [Submitted] = []
        let sheets = ["letter", "A4"].flatMap { paper in
            ["portrait", "landscape"].map { (paper: paper, orientation: $0) }
        }
        for (ending, (paper, orientation)) in TestRun.pairs(SampleDocuments.all, sheets) {
            let job = try await spooler.submit(
                samples.path(ending), "--paper", paper, "--orientation", orientation, "--scaling", "fit")
            submitted.append(Submitted(ending: ending, paper: paper, orientation: orientation, job: job))
        }
        for entry in submitted {
            let job = try await spooler.ended(entry.job)
            #expect(job.state == "completed", "\(entry.name): \(job.message ?? "")")
            guard job.state == "completed", let folder = job.folder else { continue }
            let printed = PrintedJob(folder: folder)
            let page = try #require(try printed.pages.first, entry.name)
            let isLetter = abs(Double(page.height) / Double(page.width) - 11 / 8.5) < 0.01
            #expect(isLetter == (entry.paper == "letter"), "\(entry.name): \(page.width) × \(page.height)")
            if SampleDocuments.written.contains(entry.ending) {
                let text = try await spooler.run("pdftotext", ["\(folder)/original.pdf", "-"]).output
                let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(words.contains("Sample of \(entry.ending)"), "\(entry.name): \(words.prefix(200))")
            } else if SampleDocuments.colored.contains(entry.ending) {
                expectHalves(of: page, isTurned: entry.orientation == "landscape", entry.name)
            } else {
                #expect(page.ink > (entry.ending == "svg" ? 0 : 0.02), "\(entry.name): \(page.ink)")
            }
        }
    }

    /// Checks that the image is red on its left and blue on its right.
    ///
    /// A turned image has its left at the bottom of the paper.
    private func expectHalves(of page: PrintedPage, isTurned: Bool, _ name: Comment) {
        let centers = isTurned ? [(0.5, 0.6), (0.5, 0.4)] : [(0.4, 0.5), (0.6, 0.5)]
        let pixels = centers.map { x, y in page.rgb(x: Int(x * Double(page.width)), y: Int(y * Double(page.height))) }
        #expect(pixels[0].red > 200 && pixels[0].blue < 60, "\(name): left \(pixels[0])")
        #expect(pixels[1].blue > 200 && pixels[1].red < 60, "\(name): right \(pixels[1])")
    }
}

extension PrintedPage {
    /// The share of dark pixels, 0 to 1.
    fileprivate var ink: Double {
        var dark = 0
        for y in stride(from: 0, to: height, by: 4) {
            for x in stride(from: 0, to: width, by: 4) where rgb(x: x, y: y).green < 100 { dark += 1 }
        }
        return Double(dark * 16) / Double(width * height)
    }
}
