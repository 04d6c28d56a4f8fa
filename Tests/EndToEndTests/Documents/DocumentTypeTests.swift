import Foundation
import PrintTestSupport
import Testing

/// Tests of document types on the command line.
@Suite(.serialized, .sharesSpooler, .timeLimit(.minutes(5)))
struct DocumentTypeTests {
    @Test func `the command 'types' lists each document type with its converter, as a table and as JSON`() async throws
    {
        let spooler = try TestSpooler.shared()
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

    @Test func `if the extension of a file does not match the content, the content determines the document type`()
        async throws
    {
        let samples = try await SampleDocuments.shared.value
        let spooler = try TestSpooler.shared()
        for (ending, wrong) in [("pdf", "txt"), ("png", "docx"), ("docx", "pdf"), ("txt", "png"), ("odt", "zip")] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: samples.path(ending)))
            let path = try spooler.file("sample-\(ending).\(wrong)", Array(bytes))
            let run = try await spooler.printq("submit", "--wait", path)
            #expect(run.code == 0, "\(ending) as \(wrong): \(run.complaints)")
        }
    }

    @Test func `a Word document that Kingsoft Writer has saved as WPS is printed`() async throws {
        let samples = try await SampleDocuments.shared.value
        let spooler = try TestSpooler.shared()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: samples.path("doc")))
        let run = try await spooler.printq("submit", "--wait", try spooler.file("letter.wps", Array(bytes)))
        #expect(run.code == 0, "\(run.complaints)")
    }

    @Test func `documents without an extension are printed`() async throws {
        let samples = try await SampleDocuments.shared.value
        let spooler = try TestSpooler.shared()
        for ending in ["pdf", "png", "docx", "xls", "txt", "html"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: samples.path(ending)))
            let path = try spooler.file("document-\(ending)", Array(bytes))
            let run = try await spooler.printq("submit", "--wait", path)
            #expect(run.code == 0, "\(ending): \(run.complaints)")
        }
    }

    @Test func `files that cannot be printed are refused with the exit codes of sysexits.h`() async throws {
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

    @Test func `an archive or a message that cannot be printed is refused at once with its name, and no job remains`()
        async throws
    {
        let spooler = try TestSpooler()
        let ready = try spooler.start(tcp: true)
        let center = try await CenterClient.signedIn(spooler)
        let message = spooler.folder.path("note.msg")
        try await ContainerForm.writeCompoundFile(["__properties_version1.0", "__substg1.0_1000001F"], to: message)
        let folder = spooler.folder.path("archives")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        expect(
            try await spooler.run(
                "python3",
                [
                    "-c",
                    """
                    import os, sys, zipfile
                    def make(name, **files):
                        with zipfile.ZipFile(sys.argv[1] + '/' + name, 'w') as z:
                            for file, data in files.items(): z.writestr(file, data)
                    make('a.zip', a='x')
                    make('form.ofd', **{'OFD.xml': 'x'})
                    make('large.docx', a=os.urandom(200_000))
                    """, folder,
                ]))
        let good = try spooler.file("good.txt", Array("Hello".utf8))
        let photo = try spooler.file("photo.psd", Array("8BPS\0\u{1}\0\0\0\0\0\0\0\u{3}\0\0\0\u{1}".utf8))
        for (path, type) in [
            (message, "Outlook message"), ("\(folder)/a.zip", "ZIP archive"), ("\(folder)/form.ofd", "OFD document"),
            ("\(folder)/large.docx", "ZIP archive"), (photo, "Photoshop image"),
        ] {
            let test = try spooler.file(
                "refused.test",
                Array(
                    """
                    {
                        OPERATION Print-Job
                        GROUP operation-attributes-tag
                        ATTR charset attributes-charset utf-8
                        ATTR naturalLanguage attributes-natural-language en
                        ATTR uri printer-uri $uri
                        ATTR mimeMediaType document-format application/octet-stream
                        FILE \(path)
                        STATUS client-error-document-format-not-supported
                        EXPECT status-message WITH-VALUE "/\(type)/"
                    }
                    """.utf8))
            let tool = try await spooler.run("ipptool", ["-tv", "ipp://\(ready.host)/printers/color-laser", test])
            #expect(tool.code == 0, "\(tool.output)")
            let name = path.split(separator: "/").last ?? ""
            let upload = try await center.send(
                "POST", "/api/v1/uploads?name=\(name)", "-H", "Content-Type: application/octet-stream",
                "--data-binary", "@\(path)")
            let id = try #require(try upload.json()["id"] as? String, "\(upload)")
            let refused = try await center.send("POST", "/api/v1/jobs", json: "{\"uploads\":[\"\(id)\"]}")
            #expect(refused.status == 422 && refused.body.contains("unsupported file type (\(type)); "), "\(refused)")
            // One document is sent with Print-Job, two are sent with Send-Document.
            for files in [[path], [path, good]] {
                let run = try await spooler.run(spooler.program("printq"), ["submit", "-d", "color-laser"] + files)
                #expect(run.code == 65, "\(files): \(run)")
                #expect(run.complaints.contains("': unsupported file type (\(type)); "), "\(run.complaints)")
            }
        }
        #expect(try await spooler.jobs("--all").isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(spooler.spool)/incoming")
        #expect(left.isEmpty, "\(left)")
    }

    @Test(.enabled(if: geteuid() == 0))
    func `'doctor' and 'submit' report an error if the user account of the workers cannot read the HTML engine`()
        async throws
    {
        let spooler = try TestSpooler()
        let engine = spooler.folder.path("private/engine")
        try FileManager.default.createDirectory(
            atPath: spooler.folder.path("private"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.createSymbolicLink(
            atPath: engine, withDestinationPath: "/usr/local/share/printq/html-engine")
        let launcher = spooler.folder.path("launcher")
        try "#!/bin/sh\nPRINTQ_HTML_ENGINE=\(engine) exec \"$@\"\n".write(
            toFile: launcher, atomically: false, encoding: .utf8)
        chmod(launcher, 0o755)
        try spooler.start(launcher: launcher)
        let words = "the HTML engine in '\(engine)' cannot be read by the user of the workers"
        let doctor = try await spooler.printq("doctor")
        #expect(doctor.code != 0)
        #expect(doctor.lines.contains { $0.hasPrefix("error: \(words)") }, "\(doctor)")
        let run = try await spooler.printq("submit", try spooler.file("a.html", Array("<!DOCTYPE html><p>x".utf8)))
        #expect(run.code != 0 && run.complaints.contains(words), "\(run)")
    }

    @Test func `if an Office document has no page size, the pages have the size of the job's paper`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = spooler.folder.path("table.xlsx")
        expect(try await spooler.run("python3", ["-c", Self.sheet, path]))
        for (paper, size) in [("A4", "595"), ("letter", "612")] {
            let run = try await spooler.run(
                spooler.program("printq"), ["submit", "--wait", "--json", "--paper", paper, "--scaling", "none", path])
            expect(run)
            let job = try JSONDecoder().decode(QueuedJob.self, from: Data(run.output.utf8))
            let folder = try #require(job.folder)
            // The page of the spreadsheet begins at a margin of the paper, so its first word shows a moved page.
            let box = try await spooler.run("pdftotext", ["-bbox", "\(folder)/original.pdf", "-"]).output
            #expect(box.contains("<page width=\"\(size)"), "\(paper): \(box)")
            let left = box.firstMatch(of: /xMin="([0-9.]+)"[^>]*>Pomegranate/).flatMap { Double($0.1) }
            #expect(left.map { abs($0 - 55) < 2 } == true, "\(paper): \(left ?? -1)")
        }
    }

    /// A Python program that writes a spreadsheet without a page size.
    private static let sheet = """
        import sys, zipfile
        types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
        relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        package = "http://schemas.openxmlformats.org/package/2006"
        def relation(kind, target): return (f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
            f'Type="{relations}/{kind}" Target="{target}"/></Relationships>')
        with zipfile.ZipFile(sys.argv[1], "w") as file:
            file.writestr("[Content_Types].xml", f'<Types xmlns="{package}/content-types">'
                '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>'
                f'<Override PartName="/xl/sheet.xml" ContentType="{types}.worksheet+xml"/></Types>')
            file.writestr("_rels/.rels", relation("officeDocument", "xl/workbook.xml"))
            file.writestr("xl/_rels/workbook.xml.rels", relation("worksheet", "sheet.xml"))
            file.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets>'
                '<sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>')
            file.writestr("xl/sheet.xml", f'<worksheet xmlns="{main}"><sheetData><row r="1"><c r="A1" t="inlineStr">'
                '<is><t>Pomegranate</t></is></c></row></sheetData></worksheet>')
        """

    @Test func `lp and ipptool send text, image and Office files unconverted, and printd prints the files`()
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
        let spooler = try TestSpooler.shared()
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
