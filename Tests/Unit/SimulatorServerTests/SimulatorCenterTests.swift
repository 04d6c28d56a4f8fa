import FoundationEssentials
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests of the Print Center of the real printsim.
@Suite(.timeLimit(.minutes(2))) struct SimulatorCenterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Ready: Decodable {
        struct Printer: Decodable { var uri: String }
        var printers: [Printer]
        var center: String?
    }

    private func curl(_ arguments: String...) async throws -> ProgramRun {
        try await ProgramRun("/usr/bin/curl", ["-sS"] + arguments, environment: ["PATH": "/usr/bin"], in: folder.path)
    }

    private func printsim(_ arguments: String...) async throws -> ProgramRun {
        try await ProgramRun(Programs.besideTests("printsim"), arguments, environment: [:], in: folder.path)
    }

    /// A session of a browser.
    private struct Session {
        var address: String
        var jar: String
        var token: String
    }

    /// Runs a test with a printsim and a session.
    private func serving(
        _ arguments: [String] = [], _ test: (Session, _ uri: String) async throws -> Void
    ) async throws {
        let process = try DetachedProcess(
            program: Programs.besideTests("printsim"),
            arguments: [
                "mono-laser", "--simulators", "\(packageFolder)/Simulators", "--output", folder.path("output"),
                "--no-dns-sd", "--no-tls", "--speed", "instant",
            ] + arguments, log: folder.path("log"))
        defer {
            kill(process.pid, SIGTERM)
            var status: Int32 = 0
            waitpid(process.pid, &status, 0)
        }
        let line = try #require(process.readLine(deadline: 30))
        let ready = try JSONDecoder().decode(Ready.self, from: Data(line.utf8))
        let uri = try #require(ready.printers.first?.uri)
        #expect(ready.center == "http://127.0.0.1:\(URL(string: uri)?.port ?? 0)/")
        let invited = try await printsim("center", "--at", uri)
        #expect(invited.code == 0, "\(invited)")
        let address = try #require(invited.output.firstMatch(of: /(http:\/\/127\.0\.0\.1:[0-9]+)\/open\?token=\S+/))
        let jar = folder.path("cookies")
        let opened = try await curl(
            "-c", jar, "-o", "/dev/null", "-w", "%{http_code} %{redirect_url}", String(address.0))
        #expect(opened.output == "303 \(address.1)/printers/mono-laser", "\(opened)")
        // The address is valid once.
        #expect(try await curl("-o", "/dev/null", "-w", "%{http_code}", String(address.0)).output == "403")
        let session = try await curl("-b", jar, "\(address.1)/api/v1/session")
        let token = try #require(session.output.firstMatch(of: /"token":"([^"]+)"/))
        #expect(session.output.contains(#""service":"printsim""#))
        try await test(Session(address: String(address.1), jar: jar, token: String(token.1)), uri)
        #expect(try String(contentsOfFile: folder.path("log"), encoding: .utf8).isEmpty)
    }

    private func get(_ session: Session, _ path: String) async throws -> String {
        try await curl("-b", session.jar, "\(session.address)\(path)").output
    }

    private func post(_ session: Session, _ path: String, _ json: String) async throws -> String {
        try await curl(
            "-b", session.jar, "-H", "Printq-Token: \(session.token)", "-H", "Content-Type: application/json", "-d",
            json, "\(session.address)\(path)"
        ).output
    }

    @Test func `if a printer is switched off, the Print Center can switch the printer on`() async throws {
        try await serving { session, uri in
            let list = try await get(session, "/api/v1/printers")
            #expect(list.contains(#""name":"mono-laser""#) && list.contains(#""simulated":true"#), "\(list)")
            let off = try await post(session, "/api/v1/printers/mono-laser/simulator/power", #"{"on": false}"#)
            #expect(off.contains(#""power":false"#), "\(off)")
            // The printer answers neither clients nor browsers without a session.
            let silent = try await curl("\(session.address)/printers/mono-laser")
            #expect(silent.code == 52, "\(silent)")
            let shown = try await get(session, "/api/v1/printers/mono-laser")
            #expect(shown.contains(#""phase":"offline""#) && shown.contains(#""remedy":"Switch On""#), "\(shown)")
            let page = try await curl("-b", session.jar, "-w", "%{http_code}", "\(session.address)/printers/mono-laser")
            #expect(page.output.hasSuffix("200"), "\(page)")
            let on = try await post(session, "/api/v1/printers/mono-laser/simulator/power", #"{"on": true}"#)
            #expect(on.contains(#""power":true"#), "\(on)")
            let test = try await post(session, "/api/v1/printers/mono-laser/test-page", "{}")
            #expect(test.contains(#""job-id":1"#), "\(test)")
            #expect(try await printsim("wait", "--job", "1", "--at", uri).code == 0)
            let log = try await get(session, "/api/v1/printers/mono-laser/log")
            #expect(log.contains("power off") && log.contains("Print-Job"), "\(log)")
        }
    }

    @Test func `if a fault affects IPP responses, the Print Center is not affected`() async throws {
        try await serving { session, uri in
            let fault = try await post(
                session, "/api/v1/printers/mono-laser/simulator/fault",
                #"{"fault": "http 503 at Get-Printer-Attributes"}"#)
            #expect(fault.contains("http 503"), "\(fault)")
            #expect(try await get(session, "/api/v1/printers/mono-laser").contains(#""phase":"ready""#))
            let cleared = try await post(session, "/api/v1/printers/mono-laser/simulator/clear", "{}")
            #expect(cleared.contains(#""faults":[]"#), "\(cleared)")
            let wrong = try await post(session, "/api/v1/printers/mono-laser/simulator/fault", #"{"fault": "fire"}"#)
            #expect(wrong.contains(#""field":"fault""#) && wrong.contains("unknown fault 'fire'"), "\(wrong)")
        }
    }

    @Test func `a job has its original document and its request, and 'delete' removes the job with its files`()
        async throws
    {
        try await serving { session, uri in
            let path = "/api/v1/printers/mono-laser/jobs"
            var pdf = PDFBuilder()
            pdf.addPage(.a4) { $0.fill(.red, x: 100, y: 100, width: 100, height: 100) }
            let letter = folder.path("letter.pdf")
            try pdf.write(to: letter)
            func submit(_ name: String) async throws {
                let run = try await ProgramRun(
                    "/usr/bin/lp", ["-t", name, "-o", "sides=two-sided-long-edge", letter],
                    environment: ["CUPS_SERVER": String(uri.split(separator: "/")[1]), "LPDEST": "mono-laser"],
                    in: folder.path)
                #expect(run.code == 0, "\(run)")
            }
            for name in ["Invoice 7", "Label", "Invoice 8"] { try await submit(name) }
            #expect(try await printsim("wait", "--jobs", "3", "--at", uri).code == 0)
            let found = try await get(session, "\(path)?q=invoice")
            #expect(found.matches(of: /"job-name":"Invoice [78]"/).count == 2 && !found.contains("Label"), "\(found)")
            #expect(try await get(session, "\(path)?q=nothing").contains(#""jobs":[]"#))
            let (original, copy) = (try Data(contentsOf: URL(filePath: letter)), folder.path("copy.pdf"))
            let document = try await curl(
                "-b", session.jar, "-o", copy, "-D", "-", "\(session.address)\(path)/1/documents/1")
            #expect(try Data(contentsOf: URL(filePath: copy)) == original, "\(document)")
            #expect(document.output.lowercased().contains("content-disposition: attachment"), "\(document)")
            let report = try await get(session, "\(path)/1/report")
            #expect(report.contains(#""sides" : "two-sided-long-edge""#) && report.contains(#""ticket""#), "\(report)")
            for missing in ["1/documents/2", "9/documents/1", "9/report"] {
                #expect(try await get(session, "\(path)/\(missing)").contains(#""status":404"#), "\(missing)")
            }
            let deleted = try await curl(
                "-b", session.jar, "-H", "Printq-Token: \(session.token)", "-X", "DELETE",
                "\(session.address)\(path)/1")
            #expect(deleted.output == #"{"deleted":1}"# + "\n", "\(deleted)")
            #expect(access(folder.path("output/mono-laser/job-000001"), F_OK) != 0)
            #expect(try await printsim("delete", "--at", uri, "1").complaints.contains("has no job 1"))
            #expect(try await printsim("delete", "--at", uri, "all").code == 0)
            #expect(try await get(session, path) == #"{"jobs":[],"next":null}"# + "\n")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("output/mono-laser"))
            #expect(!left.contains { $0.hasPrefix("job-") }, "\(left)")
            try await submit("New")
            #expect(try await printsim("wait", "--job", "4", "--at", uri).code == 0)
        }
    }

    @Test func `with '--keep', a printer keeps its newest jobs only`() async throws {
        try await serving(["--keep", "2"]) { session, uri in
            for _ in 1...3 { _ = try await post(session, "/api/v1/printers/mono-laser/test-page", "{}") }
            #expect(try await printsim("wait", "--job", "3", "--at", uri).code == 0)
            let jobs = try await get(session, "/api/v1/printers/mono-laser/jobs")
            #expect(jobs.matches(of: /"job-id":([0-9]+)/).map(\.1) == ["3", "2"], "\(jobs)")
            #expect(access(folder.path("output/mono-laser/job-000001"), F_OK) != 0)
            #expect(access(folder.path("output/mono-laser/job-000002"), F_OK) == 0)
        }
    }

    @Test func `the Print Center shows a printer's jobs and page images until the output folder is removed`()
        async throws
    {
        try await serving { session, uri in
            let path = "/api/v1/printers/mono-laser/jobs"
            #expect(try await get(session, path) == #"{"jobs":[],"next":null}"# + "\n")
            for _ in 1...2 { _ = try await post(session, "/api/v1/printers/mono-laser/test-page", "{}") }
            for job in ["1", "2"] { #expect(try await printsim("wait", "--job", job, "--at", uri).code == 0) }
            let newest = try await get(session, "\(path)?limit=1")
            #expect(newest.contains(#""job-id":2,"#) && newest.contains(#""job-state":"completed""#), "\(newest)")
            #expect(newest.contains(#""images":1,"pages":1"#) && newest.contains(#""next":2"#), "\(newest)")
            #expect(try await get(session, "\(path)?before=2").contains(#""job-id":1,"#))
            let pages = try await get(session, "\(path)/2/pages")
            #expect(pages.contains(#""resolution":100"#) && pages.contains(#""state":"printed""#), "\(pages)")
            let file = folder.path("page.png")
            let image = try await curl(
                "-b", session.jar, "-o", file, "-D", "-", "\(session.address)\(path)/2/pages/1")
            let bytes = try Data(contentsOf: URL(filePath: file))
            let written = folder.path("output/mono-laser/job-000002/page-0001.png")
            #expect(try bytes == Data(contentsOf: URL(filePath: written)))
            #expect(image.output.contains("200") && image.output.contains("image/png"), "\(image)")
            #expect(image.output.lowercased().contains("content-length: \(bytes.count)\r\n"), "\(image)")
            let tag = try #require(image.output.firstMatch(of: /(?i)etag: (\S+)/))
            let same = try await curl(
                "-b", session.jar, "-o", "/dev/null", "-w", "%{http_code}", "-H", "If-None-Match: \(tag.1)",
                "\(session.address)\(path)/2/pages/1")
            #expect(same.output == "304", "\(same)")
            for wrong in ["/2/pages/2", "/3/pages", "/3/pages/1", "/2/pages/..%2f..%2fjob.json"] {
                #expect(try await get(session, path + wrong).contains(#""status":404"#), "\(wrong)")
            }
            try FileManager.default.removeItem(atPath: folder.path("output/mono-laser/job-000002"))
            let gone = try await get(session, "\(path)/2/pages")
            #expect(
                gone.contains(#""status":404"#) && gone.contains("was removed; print the document again"), "\(gone)")
            #expect(try await get(session, "\(path)?limit=1").contains(#""images":0"#))
        }
    }

    @Test func `without a session, clients can read printsim's printer list and metrics but cannot use the API`()
        async throws
    {
        try await serving { session, _ in
            let list = try await curl("\(session.address)/")
            #expect(list.output.contains("<a href=\"/printers/mono-laser\">"), "\(list)")
            let paths = [
                "", "/mono-laser/simulator", "/mono-laser/log", "/mono-laser/jobs", "/mono-laser/jobs/1/pages",
                "/mono-laser/jobs/1/pages/1",
            ]
            for path in paths.map({ "/api/v1/printers\($0)" }) {
                let run = try await curl("-o", "/dev/null", "-w", "%{http_code}", "\(session.address)\(path)")
                #expect(run.output == "401", "\(path): \(run)")
            }
            let forged = try await curl(
                "-b", session.jar, "-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Type: application/json",
                "-d", #"{"on": false}"#, "\(session.address)/api/v1/printers/mono-laser/simulator/power")
            #expect(forged.output == "403", "\(forged)")
            let metrics = try await curl("\(session.address)/metrics").output
            #expect(metrics.contains(#"printq_printer_power{printer="mono-laser"} 1"#), "\(metrics)")
            _ = try await OpenMetricsParser.families(in: metrics)
            #expect(try await curl("\(session.address)/health").output.contains(#""status":"ok""#))
        }
    }

    /// Writes a PDF with one page of text, in a font that is not embedded.
    private func letter(_ text: String, named name: String = "letter.pdf") throws -> String {
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.text(text, x: 100, y: 700) }
        let path = folder.path(name)
        try pdf.write(to: path)
        return path
    }

    private func lp(_ uri: String, _ arguments: String...) async throws {
        let run = try await ProgramRun(
            "/usr/bin/lp", arguments,
            environment: ["CUPS_SERVER": String(uri.split(separator: "/")[1]), "LPDEST": "mono-laser"],
            in: folder.path)
        #expect(run.code == 0, "\(run)")
    }

    @Test func `the search finds the text on the pages of documents`() async throws {
        try await serving { session, uri in
            let path = "/api/v1/printers/mono-laser/jobs"
            try await lp(uri, "-t", "first", try letter("Invoice of Zanzibar"))
            try await lp(uri, "-t", "second", try letter("Nothing to see"))
            #expect(try await printsim("wait", "--jobs", "2", "--at", uri).code == 0)
            let found = try await get(session, "\(path)?q=of%20zanzibar")
            #expect(found.matches(of: /"job-name":"([a-z]+)"/).map(\.1) == ["first"], "\(found)")
            #expect(try await get(session, "\(path)?q=timbuktu").contains(#""jobs":[]"#))
        }
    }

    @Test func `the requests of a job are stored, and its checks name what surprises on paper`() async throws {
        try await serving { session, uri in
            let path = "/api/v1/printers/mono-laser/jobs"
            var pdf = PDFBuilder()
            pdf.addPage(.a4) { $0.fill(.red, x: 0, y: 100, width: 100, height: 100) }
            pdf.addPage(.a4) { _ in }
            let file = folder.path("colored.pdf")
            try pdf.write(to: file)
            try await lp(uri, "-t", "colored", "-o", "sides=two-sided-long-edge", file)
            try await lp(uri, "-t", "text", try letter("Text"))
            #expect(try await printsim("wait", "--jobs", "2", "--at", uri).code == 0)
            let list = try await get(session, path)
            let checks = list.matches(of: /\{"name":"([a-z-]+)","message":"([^"]+)","pages":\[([0-9,]*)\]/)
            // Each page of the test names Helvetica.
            let found = checks.map { "\($0.1) \($0.3)" }
            #expect(found == ["fonts ", "fonts ", "printable-area 1", "blank-pages 2", "color 1"], "\(list)")
            #expect(list.contains("fonts are not embedded: Helvetica"), "\(list)")
            let report = try await get(session, "\(path)/1/report")
            #expect(report.contains(#""check" : "blank-pages""#), "\(report)")
            // lp sends Create-Job and Send-Document.
            let first = try await get(session, "\(path)/1/requests/1")
            #expect(first.contains(#""operation":"Create-Job""#) && first.contains("two-sided-long-edge"), "\(first)")
            #expect(try await get(session, "\(path)/1/requests/2").contains(#""operation":"Send-Document""#))
            #expect(try await get(session, "\(path)/1/requests/3").contains(#""status":404"#))
            let copy = folder.path("request.ipp")
            _ = try await curl("-b", session.jar, "-o", copy, "\(session.address)\(path)/1/requests/1/ipp")
            let bytes = try Data(contentsOf: URL(filePath: copy))
            #expect(
                bytes == (try Data(contentsOf: URL(filePath: folder.path("output/mono-laser/job-000001/request.ipp")))))
            #expect(bytes.prefix(4) == Data([2, 0, 0, 5]) && bytes.last == 3)
        }
    }

    @Test func `a program waits for jobs and injects faults over HTTP with the control token`() async throws {
        let token = folder.path("token")
        try "0123456789abcdef0123456789abcdef\n".write(toFile: token, atomically: true, encoding: .utf8)
        chmod(token, 0o600)
        try await serving(["--control-token-file", token]) { session, uri in
            let bearer = ["-H", "Authorization: Bearer 0123456789abcdef0123456789abcdef"]
            let path = "\(session.address)/api/v1/printers/mono-laser"
            func ask(_ arguments: String...) async throws -> String {
                try await ProgramRun(
                    "/usr/bin/curl", ["-sS"] + bearer + arguments, environment: ["PATH": "/usr/bin"], in: folder.path
                ).output
            }
            let fault = try await ask(
                "-H", "Content-Type: application/json", "-d", #"{"fault": "media-jam at page 1"}"#,
                "\(path)/simulator/fault")
            #expect(fault.contains("media-jam"), "\(fault)")
            try await lp(uri, "-t", "jammed", try letter("Text"))
            #expect(try await ask("\(path)/jobs/wait?job=1&timeout=0").hasPrefix(#"{"done":false,"jobs":[]}"#))
            async let waited = ask("\(path)/jobs/wait?timeout=60")
            _ = try await ask(
                "-H", "Content-Type: application/json", "-d", #"{"name": "media-jam"}"#, "\(path)/simulator/clear")
            let ended = try await waited
            #expect(ended.hasPrefix(#"{"done":true"#) && ended.contains(#""job-state":"completed""#), "\(ended)")
            let refused = try await curl(
                "-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer wrong", "\(path)/jobs/wait")
            #expect(refused.output == "401", "\(refused)")
            let description = try await curl("\(session.address)/api/v1/openapi.json").output
            #expect(description.contains("waitForSimulatedJobs") && description.contains("simulatorFault"))
        }
    }

    @Test func `each ended job is sent to the webhook`() async throws {
        let receiver = folder.path("receiver.py")
        try """
        import http.server, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                open(sys.argv[1], "a").write(f"{self.path} {self.headers['Content-Type']} {body}")
                self.send_response(204)
                self.end_headers()
            def log_message(self, *rest): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()

        """.write(toFile: receiver, atomically: true, encoding: .utf8)
        let hook = try DetachedProcess(
            program: "/usr/bin/python3", arguments: [receiver, folder.path("received")],
            log: folder.path("receiver.log"))
        defer {
            kill(hook.pid, SIGTERM)
            var status: Int32 = 0
            waitpid(hook.pid, &status, 0)
        }
        let port = try #require(hook.readLine(deadline: 30))
        let file = folder.path("received")
        try Data().write(to: URL(filePath: file))
        try await serving(["--webhook", "http://127.0.0.1:\(port)/printed?by=test"]) { session, uri in
            try await lp(uri, "-t", "letter", try letter("Text"))
            try await eventually("the job arrives", in: file) { try !Data(contentsOf: URL(filePath: file)).isEmpty }
            let line = try String(contentsOfFile: file, encoding: .utf8)
            #expect(line.hasPrefix("/printed?by=test application/json {"), "\(line)")
            for part in [#""event":"job-completed""#, #""printer":"mono-laser""#, #""job-name":"letter""#] {
                #expect(line.contains(part), "\(line)")
            }
        }
        let wrong = try await printsim("serve", "--webhook", "ftp://localhost/")
        #expect(wrong.code == 64 && wrong.complaints.contains("--webhook"), "\(wrong)")
    }
}
