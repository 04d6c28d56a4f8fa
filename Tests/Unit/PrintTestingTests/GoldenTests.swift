import FoundationEssentials
import PrintTestSupport
import PrintTesting
import Testing

/// Tests of the comparison of printed pages with golden images.
struct GoldenTests {
    /// Returns a PDF page with a line that is one pixel thick.
    ///
    /// `y` is the distance of the line from the bottom edge in points; nil draws no line.
    private func document(lineAt y: Double?) -> [UInt8] {
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { page in
            page.fill(.red, x: 100, y: 300, width: 100, height: 100)
            if let y { page.fill(.black, x: 100, y: y, width: 200, height: 0.72) }
        }
        return pdf.bytes
    }

    @Test func `an unchanged page matches the golden image, and an additional line is reported with its position`()
        async throws
    {
        let folder = try TemporaryFolder()
        let golden = folder.path("golden.png")
        let printer = try await TestPrinter.start()
        for y in [nil, nil, 500.0] { try await printer.submit(document(lineAt: y)) }
        let (model, same, other) = (
            try await printer.nextJob().pages[0], try await printer.nextJob().pages[0],
            try await printer.nextJob().pages[0]
        )
        let missing = #expect(throws: PrintTestingError.self) { try model.difference(from: golden) }
        #expect(missing?.message.contains("run the test once with PRINT_TESTING_RECORD=1") == true)
        try FileManager.default.copyItem(atPath: model.path, toPath: golden)
        #expect(try same.matches(golden: golden))
        #expect(try same.difference(from: golden) == nil)
        let difference = try #require(try other.difference(from: golden))
        #expect(
            difference.description.hasPrefix("page 1 of job 3: ")
                && difference.description.contains("pixels differ by up to 210, from (13"),
            "\(difference)")
        let thrown = #expect(throws: PrintTestingError.self) { try other.requireMatch(golden: golden) }
        #expect(thrown?.code == .differs && thrown?.message == difference.description)
        try same.requireMatch(golden: golden)
        let picture = try #require(difference.picture)
        defer { try? FileManager.default.removeItem(atPath: picture) }
        #expect(FileManager.default.fileExists(atPath: picture))
        #expect(try other.matches(golden: golden, tolerance: 255))
    }

    @Test func `the example drawing matches its golden images`() async throws {
        let printer = try await TestPrinter.start("color-laser")
        try await printer.submit("../../../Examples/welcome.pdf")
        let job = try await printer.nextJob()
        #expect(job.pages.count == 2 && job.warnings.isEmpty)
        #expect(try job.pages[0].text.contains("printq"))
        for page in job.pages {
            try page.requireMatch(golden: "Golden/welcome-\(page.number).png", tolerance: 2)
        }
    }
}
