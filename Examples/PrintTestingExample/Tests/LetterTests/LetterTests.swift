import PrintTesting
import Testing

@Test func `a letter of two pages is printed on both sides of one sheet`() async throws {
    let printer = try await TestPrinter.start("color-laser")
    // Or let the code under test print to printer.uri.
    try await printer.submit("letter.pdf", options: ["sides": "two-sided-long-edge"])
    let job = try await printer.nextJob()
    #expect(job.state == .completed && job.warnings.isEmpty)
    #expect(job.pages.count == 2 && job.sheets == 1)
    #expect(try job.pages[0].text.contains("Welcome"))
    #expect(try job.pages[0].color(x: 0, y: 0) == .white)
    try job.pages[0].requireMatch(golden: "Golden/letter-1.png", tolerance: 2)
    await printer.stop()
}

@Test func `a paper jam stops the print job until the jam is cleared`() async throws {
    try await TestPrinter.with("mono-laser") { printer in
        try await printer.fault("media-jam at page 2")
        try await printer.submit("letter.pdf")
        try await printer.untilStatus { $0.reasons.contains("media-jam-error") }
        try await printer.clear("media-jam")
        #expect(try await printer.nextJob().pages.count == 2)
    }
}
