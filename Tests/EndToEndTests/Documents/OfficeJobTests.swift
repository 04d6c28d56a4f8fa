import Foundation
import PrintTestSupport
import Testing

/// Tests of many Office documents at the same time.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct OfficeJobTests {
    /// A spreadsheet whose pages take much longer to make than the time limit of the test.
    ///
    /// A repeated cell fills all rows of the sheet.
    private static let endless = """
        <?xml version="1.0" encoding="UTF-8"?>
        <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
          xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
          xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
          office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
        <office:body><office:spreadsheet><table:table table:name="a">
        <table:table-row table:number-rows-repeated="1000000">
        <table:table-cell table:number-columns-repeated="60" office:value-type="string"><text:p>word</text:p>
        </table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document>
        """

    @Test func `of twenty Office jobs, one that exceeds its time is aborted with a reason and the others are printed`()
        async throws
    {
        let samples = try await SampleDocuments.shared.value
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try "{ worker: { processorSeconds: 12 } }".write(
            toFile: "\(spooler.spool)/printd.json5", atomically: true, encoding: .utf8)
        chmod("\(spooler.spool)", 0o700)
        try spooler.start()
        let slow = try await spooler.submit(try spooler.file("endless.fods.ods", Array(Self.endless.utf8)))
        let endings = ["docx", "doc", "odt", "rtf", "xlsx", "xls", "ods", "pptx", "ppt", "odp"]
        var jobs: [Int] = []
        for number in 0..<19 { jobs.append(try await spooler.submit(samples.path(endings[number % endings.count]))) }
        for (number, id) in jobs.enumerated() {
            let job = try await spooler.ended(id)
            #expect(job.state == "completed", "\(endings[number % endings.count]): \(job.message ?? "")")
        }
        let aborted = try await spooler.ended(slow)
        #expect(aborted.state == "aborted")
        #expect(aborted.message?.contains("processor time") == true, "\(aborted.message ?? "")")
    }
}
