import Foundation
import PrintTestSupport
import Testing

/// Tests of document types on the command line.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DocumentTypeTests {
    @Test func `types lists each type with its converter, as a table and as JSON`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let table = try await spooler.printq("types")
        expect(table)
        #expect(table.lines.first?.hasPrefix("TYPE") == true)
        #expect(table.lines.contains { $0.contains("Word document") && $0.contains("docx") })
        let json = try await spooler.printq("types", "--json")
        let types = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
        let pdf = try #require(types.first { $0["type-identifier"] as? String == "com.adobe.pdf" })
        #expect(pdf["type-extensions"] as? [String] == ["pdf"])
        #expect(pdf["type-formats"] as? [String] == ["application/pdf"])
        #expect(types.count == table.lines.count - 1)
    }

    @Test func `a wrong extension does not change the type that the content shows`() async throws {
        let samples = try await SampleDocuments.shared.value
        let spooler = try TestSpooler()
        try spooler.start()
        for (ending, wrong) in [("pdf", "txt"), ("png", "docx"), ("docx", "pdf"), ("txt", "png"), ("odt", "zip")] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: samples.path(ending)))
            let path = try spooler.file("sample-\(ending).\(wrong)", Array(bytes))
            let run = try await spooler.printq("submit", "--wait", path)
            #expect(run.code == 0, "\(ending) as \(wrong): \(run.complaints)")
        }
    }

    @Test func `documents without an extension are printed`() async throws {
        let samples = try await SampleDocuments.shared.value
        let spooler = try TestSpooler()
        try spooler.start()
        for ending in ["pdf", "png", "docx", "xls", "txt", "html"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: samples.path(ending)))
            let path = try spooler.file("document-\(ending)", Array(bytes))
            let run = try await spooler.printq("submit", "--wait", path)
            #expect(run.code == 0, "\(ending): \(run.complaints)")
        }
    }

    @Test func `files that are not documents are refused with exit codes of sysexits`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let fifo = spooler.folder.path("pipe")
        #expect(mkfifo(fifo, 0o600) == 0)
        let cases: [(path: String, code: Int32, words: String)] = [
            (spooler.folder.path("missing.txt"), 66, "no such file"),
            (spooler.folder.path, 66, "is a folder"),
            (try spooler.file("empty.txt", []), 65, "is empty"),
            (try spooler.file("program", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0, 0]), 65, "unsupported file type"),
            ("/dev/null", 65, "is empty"),
        ]
        for (path, code, words) in cases {
            let run = try await spooler.printq("submit", path)
            #expect(run.code == code, "\(path): exit code \(run.code), \(run.complaints)")
            #expect(run.complaints.contains(words), "\(path): \(run.complaints)")
        }
        // A device that never ends is refused by its first bytes.
        let zero = try await spooler.printq("submit", "/dev/zero")
        #expect(zero.code == 65, "\(zero.complaints)")
        #expect(try await spooler.jobs("--all").isEmpty)
    }

    @Test func `lp and ipptool print a text, an image and an Office document without filters in the client`()
        async throws
    {
        let samples = try await SampleDocuments.shared.value
        let spooler = try TestSpooler()
        let ready = try spooler.start(tcp: true)
        for ending in ["txt", "png", "docx"] {
            let run = try await spooler.run("lp", ["-h", ready.host, "-d", "color-laser", samples.path(ending)])
            let job = try #require(run.jobID, "\(run.complaints)")
            #expect(try await spooler.ended(job).state == "completed", "lp \(ending)")
            let test = try spooler.file(
                "print-\(ending).test",
                Array(
                    """
                    {
                        NAME "Print \(ending)"
                        OPERATION Print-Job
                        GROUP operation-attributes-tag
                        ATTR charset attributes-charset utf-8
                        ATTR naturalLanguage attributes-natural-language en
                        ATTR uri printer-uri $uri
                        ATTR mimeMediaType document-format application/octet-stream
                        ATTR name document-name "sample.\(ending)"
                        FILE \(samples.path(ending))
                        STATUS successful-ok
                        EXPECT job-id OF-TYPE integer
                    }
                    """.utf8))
            let tool = try await spooler.run("ipptool", ["-tv", "ipp://\(ready.host)/printers/color-laser", test])
            #expect(tool.code == 0, "\(tool.output)")
        }
        for job in 1...6 { #expect(try await spooler.ended(job).state == "completed", "job \(job)") }
    }

    @Test func `documents of different types are printed as one job in the given order`() async throws {
        let samples = try await SampleDocuments.shared.value
        let spooler = try TestSpooler()
        try spooler.start()
        let run = try await spooler.run(
            spooler.program("printq"),
            ["submit", "--wait", "--json"] + ["txt", "png", "docx", "pdf"].map(samples.path))
        expect(run)
        let job = try JSONDecoder().decode(QueuedJob.self, from: Data(run.output.utf8))
        #expect(job.sheets == 4)
        let folder = try #require(job.folder)
        let text = try await spooler.run("pdftotext", ["\(folder)/original.pdf", "-"]).output
        let order = ["txt", "docx", "pdf"].compactMap { text.range(of: "Sample of \($0)")?.lowerBound }
        #expect(order.count == 3 && order == order.sorted(), "\(text)")
    }
}
