import Foundation
import PrintTestSupport
import Testing

/// Tests of many Office documents at the same time.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct OfficeJobTests {
    /// A Python program that writes a spreadsheet whose pages take much longer to make than the test's time limit: a
    /// repeated cell fills all rows of the sheet.
    private static let endless = """
        import sys, zipfile
        names = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
            for name in ("office", "table", "text", "manifest"))
        kind = "application/vnd.oasis.opendocument.spreadsheet"
        cell = ('<table:table-cell table:number-columns-repeated="60" office:value-type="string">'
            "<text:p>word</text:p></table:table-cell>")
        rows = f'<table:table-row table:number-rows-repeated="1000000">{cell}</table:table-row>'
        with zipfile.ZipFile(sys.argv[1], "w") as file:
            file.writestr("mimetype", kind)
            file.writestr("META-INF/manifest.xml", f'<manifest:manifest {names}><manifest:file-entry manifest:full-path="/" '
                f'manifest:media-type="{kind}"/><manifest:file-entry manifest:full-path="content.xml" '
                'manifest:media-type="text/xml"/></manifest:manifest>')
            file.writestr("content.xml", f'<office:document-content {names} office:version="1.2"><office:body>'
                f'<office:spreadsheet><table:table table:name="a">{rows}</table:table></office:spreadsheet></office:body>'
                '</office:document-content>')
        """

    @Test
    func `if one of 20 Office jobs exceeds the CPU time limit, the job is aborted, and the other 19 jobs are printed`()
        async throws
    {
        let samples = try await SampleDocuments.shared.value
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try "{ worker: { processorSeconds: 12 } }".write(
            toFile: "\(spooler.spool)/printd.json5", atomically: true, encoding: .utf8)
        chmod("\(spooler.spool)", 0o700)
        try spooler.start()
        let path = spooler.folder.path("endless.ods")
        expect(try await spooler.run("python3", ["-c", Self.endless, path]))
        let slow = try await spooler.submit(path)
        let endings = ["docx", "doc", "odt", "rtf", "xlsx", "xls", "ods", "pptx", "ppt", "odp"]
        var jobs: [Int] = []
        for number in 0..<19 { jobs.append(try await spooler.submit(samples.path(endings[number % endings.count]))) }
        for (number, id) in jobs.enumerated() {
            let job = try await spooler.ended(id)
            #expect(job.state == "completed", "\(endings[number % endings.count]): \(job.message ?? "")")
        }
        let aborted = try await spooler.ended(slow)
        #expect(aborted.state == "aborted")
        #expect(aborted.message?.contains("CPU time") == true, "\(aborted.message ?? "")")
    }
}
