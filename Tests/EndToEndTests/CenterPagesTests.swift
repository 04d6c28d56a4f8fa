import Foundation
import Glibc
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of page images, uploads and previews of the Print Center, over the Unix socket.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CenterPagesTests {
    private let spooler: TestSpooler

    init() throws { spooler = try TestSpooler() }

    /// A response of the API.
    private struct Answer {
        var status: Int
        var headers: String
        var body: Data

        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }
        var pages: [[String: Any]] { json["pages"] as? [[String: Any]] ?? [] }
    }

    /// Sends a request with curl, optionally as another user.
    private func request(_ path: String, _ arguments: String..., user: String? = nil) async throws -> Answer {
        let (body, headers) = (spooler.folder.path("body"), spooler.folder.path("headers"))
        for file in [body, headers] { unlink(file) }
        var command = [
            "/usr/bin/curl", "-sS", "--unix-socket", spooler.socket, "-o", body, "-D", headers, "-w", "%{http_code}",
        ]
        command += arguments + ["http://localhost\(path)"]
        if let user {
            chmod(spooler.folder.path, 0o1777)
            command = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"] + command
        }
        let run = try await spooler.run(command[0], Array(command.dropFirst()))
        return Answer(
            status: Int(run.output) ?? 0, headers: text(of: headers),
            body: (try? Data(contentsOf: URL(fileURLWithPath: body))) ?? Data())
    }

    private func post(_ path: String, _ json: String) async throws -> Answer {
        try await request(path, "-H", "Content-Type: application/json", "--data-binary", json)
    }

    private func upload(_ file: String, name: String) async throws -> Answer {
        try await request(
            "/api/v1/uploads?name=\(name)", "-H", "Content-Type: application/octet-stream", "--data-binary", "@\(file)")
    }

    private func bitmap(_ answer: Answer) throws -> Bitmap {
        let path = spooler.folder.path("image.png")
        try answer.body.write(to: URL(fileURLWithPath: path))
        return try Bitmap(readingPNG: path)
    }

    private func states(_ answer: Answer) -> [String] { answer.pages.map { $0["state"] as? String ?? "-" } }

    /// Three A4 pages, filled with red, green and blue to the edges.
    private var colored: PDFBuilder {
        var pdf = PDFBuilder()
        for ink in [PDFBuilder.Ink.red, .green, .blue] { pdf.addPage(.a4) { $0.fill(ink) } }
        return pdf
    }

    @Test func `the page list of a job contains the state and image of each side before and after printing`()
        async throws
    {
        try spooler.start()
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        let file = try spooler.file("colors.pdf", colored)
        let job = try await spooler.submit(file, "-d", "mono-laser", "-o", "sides=two-sided-long-edge")

        let documents = try await request("/api/v1/jobs/\(job)/pages?side=document")
        #expect(documents.status == 200 && documents.json["available"] as? Bool == true, "\(documents.json)")
        #expect(documents.json["count"] as? Int == 3)
        #expect(documents.pages.first?["width"] as? Double == 595)

        let waiting = try await request("/api/v1/jobs/\(job)/pages?side=printed")
        #expect(waiting.json["count"] as? Int == 4 && waiting.json["sheets"] as? Int == 2, "\(waiting.json)")
        #expect(waiting.json["blank"] as? Int == 1)
        #expect(states(waiting) == ["waiting", "waiting", "waiting", "waiting"])
        #expect(waiting.pages.map { $0["face"] as? String } == ["front", "back", "front", "back"])
        #expect(waiting.pages.map { $0["label"] as? String } == ["1", "2", "3", ""])
        #expect(((waiting.pages.first?["margins"] as? [String: Any])?["top"] as? Double ?? 0) > 5)

        let red = try bitmap(try await request("/api/v1/jobs/\(job)/pages/1/image?side=document&dpi=48"))
        #expect(red.width == 397 && red.height == 561)
        #expect(red[200, 200] == Bitmap.Pixel(red: 255, green: 0, blue: 0) && red[0, 0] == red[200, 200])
        let forecast = try await request("/api/v1/jobs/\(job)/pages/1/image?side=printed&dpi=48")
        #expect(forecast.headers.contains("private, no-cache"))
        let gray = try bitmap(forecast)
        #expect(gray.isGray && gray[200, 200] != .white, "mono-laser prints gray")
        #expect(gray[1, 1] == .white, "the margins are not printed")

        expect(try await spooler.printq("printers", "resume", "mono-laser"))
        try await spooler.waitForEnd(of: job)
        let printed = try await request("/api/v1/jobs/\(job)/pages?side=printed")
        #expect(states(printed) == ["printed", "printed", "printed", "printed"], "\(printed.json)")
        let image = try await request("/api/v1/jobs/\(job)/pages/1/image?side=printed&dpi=96")
        #expect(image.status == 200 && image.headers.lowercased().contains("etag:"), "\(image.headers)")
        let side = try bitmap(image)
        #expect(side.isGray && side.width == 794 && side[10, 10] == .white && side[400, 400] != .white)
        let tag = image.headers.split(separator: "\r\n").first { $0.lowercased().hasPrefix("etag: ") }?.dropFirst(6)
        let again = try await request(
            "/api/v1/jobs/\(job)/pages/1/image?side=printed&dpi=96", "-H", "If-None-Match: \(tag ?? "")")
        #expect(again.status == 304 && again.body.isEmpty)

        let differences = try await request("/api/v1/jobs/\(job)/compare/1")
        let found = differences.json["differences"] as? [[String: Any]] ?? []
        #expect(differences.json["printed"] as? Int == 1)
        #expect(Set(found.compactMap { $0["cause"] as? String }) == ["printable-area", "color"], "\(differences.json)")
        #expect(found.contains { ($0["detail"] as? String)?.hasPrefix("mono-laser cannot print in color. ") == true })
        #expect(found.contains { ($0["remedy"] as? String)?.hasPrefix("Reprint on ") == true })

        for (path, status) in [
            ("pages/9/image", 404), ("pages/0/image", 404), ("pages/1/image?dpi=100", 422),
            ("pages/1/image?dpi=192", 422), ("pages/1/image?dpi=192&x=9&y=0", 404), ("compare/9", 404),
            ("pages?side=back", 422), ("documents/2", 404),
        ] {
            #expect(try await request("/api/v1/jobs/\(job)/\(path)").status == status, "\(path)")
        }
        #expect(try await request("/api/v1/jobs/99/pages").status == 404)
    }

    @Test func `each tile of a page image has the same pixels as the corresponding part of the whole image`()
        async throws
    {
        try spooler.start()
        let job = try await spooler.submit(try spooler.file("a.pdf", .marked), "--hold")
        let whole = try bitmap(try await request("/api/v1/jobs/\(job)/pages/2/image?dpi=96"))
        for (column, row) in [(0, 0), (1, 0), (0, 2), (1, 2)] {
            let tile = try bitmap(try await request("/api/v1/jobs/\(job)/pages/2/image?dpi=96&x=\(column)&y=\(row)"))
            #expect(tile.width == min(512, whole.width - column * 512))
            #expect(tile.height == min(512, whole.height - row * 512))
            for (x, y) in [(0, 0), (tile.width - 1, tile.height - 1), (100, 60), (80, 70)] {
                #expect(tile[x, y] == whole[column * 512 + x, row * 512 + y])
            }
        }
        let large = try await request("/api/v1/jobs/\(job)/pages/2/image?dpi=768&x=12&y=17")
        #expect(large.status == 200)
        #expect(try bitmap(large).width == 6347 - 12 * 512)
    }

    @Test func `an image and a text file can be viewed as pages, and the text file can be downloaded`() async throws {
        try spooler.start()
        var picture = Bitmap(width: 200, height: 100)
        for x in 0..<200 { for y in 0..<100 { picture[x, y] = Bitmap.Pixel(red: 0, green: 0, blue: 255) } }
        let png = spooler.folder.path("blue.png")
        try picture.writePNG(to: png, dpi: 72)
        let text = try spooler.file("notes \"a\".txt", Array("hello\n".utf8))
        let job = try await spooler.submit(png, "-d", "color-laser", "--hold")
        let list = try await request("/api/v1/jobs/\(job)/pages")
        #expect(list.json["count"] as? Int == 1, "\(list.json)")
        let page = try bitmap(try await request("/api/v1/jobs/\(job)/pages/1/image?dpi=48"))
        #expect(page[page.width / 2, page.height / 2] == Bitmap.Pixel(red: 0, green: 0, blue: 255))

        let other = try await spooler.submit(text, "-d", "color-laser")
        try await spooler.waitForEnd(of: other)
        #expect(try await request("/api/v1/jobs/\(other)/pages").json["count"] as? Int == 1)
        let download = try await request("/api/v1/jobs/\(other)/documents/1")
        #expect(String(decoding: download.body, as: UTF8.self) == "hello\n")
        let headers = download.headers.lowercased()
        #expect(headers.contains("content-type: application/octet-stream"), "\(headers)")
        #expect(headers.contains(#"content-disposition: attachment; filename="notes _a_.txt""#), "\(headers)")
        #expect(headers.contains("sandbox") && headers.contains("nosniff"))
        let sheets = try await request("/api/v1/jobs/\(other)/sheets.pdf")
        #expect(sheets.body.starts(with: Array("%PDF-".utf8)) && sheets.headers.contains("application/pdf"))
    }

    @Test func `after a job with --no-keep ends, the printed sides can be viewed, but the document pages are deleted`()
        async throws
    {
        try spooler.start()
        let job = try await spooler.submit(
            try spooler.file("a.pdf", colored), "-d", "color-laser", "--no-keep", "--hold")
        #expect(try await request("/api/v1/jobs/\(job)/pages/1/image?dpi=24").status == 200)
        let views = "\(spooler.spool)/views"
        #expect(try !FileManager.default.contentsOfDirectory(atPath: views).isEmpty)
        expect(try await spooler.printq("release", "\(job)"))
        try await spooler.waitForEnd(of: job)
        try await eventually("the copies for viewing are deleted", in: views) {
            try FileManager.default.contentsOfDirectory(atPath: views).isEmpty
        }
        let list = try await request("/api/v1/jobs/\(job)/pages")
        #expect(list.status == 200 && list.json["available"] as? Bool == false, "\(list.json)")
        #expect(list.json["reason"] as? String == "the spool no longer keeps the documents of job \(job)")
        #expect(try await request("/api/v1/jobs/\(job)/pages/1/image").status == 404)
        #expect(try await request("/api/v1/jobs/\(job)/documents/1").status == 404)
        // The simulated printer keeps the images of the printed sides.
        let printed = try await request("/api/v1/jobs/\(job)/pages?side=printed")
        #expect(states(printed) == ["printed", "printed", "printed"], "\(printed.json)")
        #expect(try await request("/api/v1/jobs/\(job)/pages/3/image?side=printed&dpi=24").status == 200)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can run programs as other users"))
    func `a user cannot read the pages, documents or uploads of another user`() async throws {
        try spooler.start()
        let ben = "3000000002"
        chmod(spooler.folder.path, 0o755)
        chmod(spooler.spool, 0o711)
        let file = try spooler.file("a.pdf", colored)
        let job = try await spooler.submit(file, "-d", "color-laser", "--hold")
        for path in [
            "pages", "pages/1/image?dpi=24", "pages/1/image?side=printed&dpi=24", "compare/1", "documents/1",
            "sheets.pdf",
        ] {
            let answer = try await request("/api/v1/jobs/\(job)/\(path)", user: ben)
            #expect(answer.status == 403, "\(path): \(answer.status)")
            #expect(try await request("/api/v1/jobs/\(job)/\(path)").status == 200, "\(path)")
        }
        let id = try #require(try await upload(file, name: "a.pdf").json["id"] as? String)
        #expect(try await request("/api/v1/uploads/\(id)", user: ben).status == 404)
        #expect(try await request("/api/v1/uploads/\(id)", "-X", "DELETE", user: ben).status == 404)
        #expect(try await request("/api/v1/uploads/\(id)").status == 200)
    }

    @Test func `the preview of an uploaded document applies the chosen options`() async throws {
        try spooler.start()
        let answer = try await upload(try spooler.file("colors.pdf", colored), name: "..%2Fcolors.pdf")
        #expect(answer.status == 201, "\(answer.json)")
        #expect(answer.json["name"] as? String == "colors.pdf" && answer.json["pages"] as? Int == 3)
        #expect(answer.json["state"] as? String == "ready")
        let id = try #require(answer.json["id"] as? String)
        let first = try await post(
            "/api/v1/previews", #"{"printer":"mono-laser","uploads":["\#(id)"],"options":{"number-up":"2","copies":2}}"#
        )
        #expect(first.status == 200, "\(first.json)")
        #expect(first.json["pages"] as? Int == 3 && first.json["sides"] as? Int == 2)
        #expect(first.json["sheets"] as? Int == 2 && first.json["copies"] as? Int == 2)
        let sides = first.json["sides-list"] as? [[String: Any]] ?? []
        #expect(sides.map { $0["pages"] as? [Int] } == [[1, 2], [3]])
        #expect(sides.map { $0["turns"] as? Int } == [1, 1], "two upright pages are turned on upright paper")
        let preview = try #require(first.json["id"] as? String)
        let side = try bitmap(try await request("/api/v1/previews/\(preview)/sides/1/image?dpi=48"))
        #expect(side.isGray && side.width > 300)

        let second = try await post("/api/v1/previews", #"{"uploads":["\#(id)"],"options":{"page-ranges":"2"}}"#)
        #expect(second.json["selected-pages"] as? Int == 1 && second.json["sides"] as? Int == 1, "\(second.json)")
        #expect(try await request("/api/v1/previews/\(preview)/sides/1/image?dpi=48").status == 404)

        let wrong = try await post(
            "/api/v1/previews", #"{"uploads":["\#(id)"],"options":{"copies":"many","sides":"three","media":"A4"}}"#)
        #expect(wrong.status == 422, "\(wrong.json)")
        let fields = (wrong.json["errors"] as? [[String: Any]] ?? []).compactMap { $0["field"] as? String }
        #expect(fields == ["copies", "sides"])
        let kept = try #require(second.json["id"] as? String)
        let outside = try await post("/api/v1/previews", #"{"uploads":["\#(id)"],"options":{"page-ranges":"9"}}"#)
        #expect(outside.status == 422, "\(outside.json)")
        #expect((outside.json["errors"] as? [[String: Any]])?.first?["field"] as? String == "page-ranges")
        let stays = try await request("/api/v1/previews/\(kept)/sides/1/image?dpi=24")
        #expect(stays.status == 200, "the last valid preview stays")
        #expect(try await post("/api/v1/previews", #"{"uploads":["none"]}"#).status == 422)
        #expect(try await post("/api/v1/previews", #"{"uploads":[]}"#).status == 422)
        let other = try await upload(try spooler.file("b.pdf", .numbered(pages: 1)), name: "b.pdf")
        let otherID = try #require(other.json["id"] as? String)
        #expect(try await request("/api/v1/uploads/\(otherID)", "-X", "DELETE").status == 204)
        #expect(try await request("/api/v1/uploads/\(otherID)").status == 404)

        let job = try await post(
            "/api/v1/jobs", #"{"printer":"mono-laser","uploads":["\#(id)"],"options":{"number-up":"2"}}"#)
        #expect(job.status == 201, "\(job.json)")
        #expect(try await request("/api/v1/uploads/\(id)").status == 404, "the upload became a job")
        #expect(try await request("/api/v1/previews/\(kept)/sides/1/image?dpi=24").status == 404)
        try await spooler.waitForEnd(of: 1)
        let printed = try await request("/api/v1/jobs/1/pages?side=printed")
        #expect(printed.pages.map { $0["pages"] as? [Int] } == [[1, 2], [3]], "\(printed.json)")
        #expect(states(printed) == ["printed", "printed"])
    }

    @Test
    func `an upload of a damaged or unidentified document fails with a reason, and a restart deletes all uploads`()
        async throws
    {
        try spooler.start()
        let bad = try await upload(try spooler.file("bad", Array("%PDF-1.4 nothing".utf8)), name: "bad.pdf")
        #expect(bad.status == 201 && bad.json["state"] as? String == "failed", "\(bad.json)")
        #expect((bad.json["detail"] as? String)?.contains("bad.pdf") == true)
        let unknown = try await upload(try spooler.file("x", [UInt8](repeating: 1, count: 500)), name: "x.bin")
        #expect(unknown.json["state"] as? String == "failed", "\(unknown.json)")
        #expect(try await upload(try spooler.file("empty", [UInt8]()), name: "empty.pdf").status == 400)
        let folder = "\(spooler.spool)/uploads"
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
        spooler.stop(SIGKILL)
        try spooler.start()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
