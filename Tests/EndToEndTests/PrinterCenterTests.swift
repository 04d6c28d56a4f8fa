import Foundation
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests of the printers in the JSON API of the Print Center, with real programs and simulated printers.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct PrinterCenterTests {
    private let spooler: TestSpooler

    init() throws { spooler = try TestSpooler() }

    /// A response of the API.
    struct Reply {
        var status: Int
        var body: [String: Any]
        var text: String

        subscript(path: String...) -> Any? {
            var value: Any? = body
            for name in path { value = (value as? [String: Any])?[name] }
            return value
        }

        /// Returns the objects in an array.
        func list(_ name: String) -> [[String: Any]] { body[name] as? [[String: Any]] ?? [] }
    }

    /// Sends a request with curl over the Unix socket.
    private func send(
        _ method: String, _ path: String, _ json: String? = nil, asStranger: Bool = false
    ) async throws -> Reply {
        var arguments = [
            "-sS", "--unix-socket", spooler.socket, "-X", method, "-w", "\n%{http_code}", "http://localhost\(path)",
        ]
        if let json { arguments += ["-H", "Content-Type: application/json", "-d", json] }
        let run =
            asStranger
            ? try await spooler.run(
                "setpriv",
                ["--reuid", "3000000001", "--regid", "3000000001", "--clear-groups", "/usr/bin/curl"] + arguments)
            : try await spooler.run("curl", arguments)
        try #require(run.code == 0, "\(run)")
        let end = try #require(run.output.lastIndex(of: "\n"))
        let text = String(run.output[..<end])
        let body = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return Reply(
            status: try #require(Int(run.output[run.output.index(after: end)...])), body: body ?? [:], text: text)
    }

    private func printer(_ name: String) async throws -> [String: Any] {
        try await send("GET", "/api/v1/printers/\(name)").body
    }

    private func document(pages: Int = 2) throws -> String {
        let path = spooler.folder.path("letter.pdf")
        try PDFBuilder.numbered(pages: pages).write(to: path)
        return path
    }

    @Test func `a fault stops the job and is listed as an alert, and the job is completed after the fault is cleared`()
        async throws
    {
        try spooler.start()
        let planned = try await send(
            "POST", "/api/v1/printers/color-laser/simulator/fault", #"{"fault": "media-jam at page 2"}"#)
        #expect(planned.status == 200, "\(planned)")
        #expect(planned.list("faults").map { $0["text"] as? String } == ["media-jam at page 2 until cleared"])
        #expect(planned.list("faults").first?["active"] as? Bool == false)
        let run = try await spooler.printq("submit", try document())
        let job = try #require(run.jobID)
        try await spooler.eventually("the job is stopped") {
            try await spooler.job(job).state == "processing-stopped"
        }
        try await PrintTestSupport.eventually("the printer shows the alert") {
            try await printer("color-laser")["phase"] as? String == "attention"
        }
        let stopped = try await printer("color-laser")
        let alert = try #require((stopped["alerts"] as? [[String: Any]])?.first)
        #expect(alert["code"] as? String == "media-jam")
        #expect(alert["severity"] as? String == "error")
        #expect(alert["text"] as? String == "Paper jam")
        #expect(alert["remedy"] as? String == "Clear Jam")
        #expect(stopped["job"] as? Int == job)
        #expect((stopped["cause"] as? [String: Any])?["code"] as? String == "media-jam")
        #expect((stopped["cause"] as? [String: Any])?["page"] as? Int == 2)
        let seen = try await send("GET", "/api/v1/printers/color-laser/simulator")
        #expect(seen.list("faults").first?["active"] as? Bool == true)
        #expect(seen.list("faults").first?["since"] is String)
        let cleared = try await send(
            "POST", "/api/v1/printers/color-laser/simulator/clear", #"{"name": "media-jam"}"#)
        #expect(cleared.status == 200 && cleared.list("faults").isEmpty, "\(cleared)")
        try await spooler.eventually("the job is completed") { try await spooler.job(job).state == "completed" }
        let log = try await send("GET", "/api/v1/printers/color-laser/log?limit=3")
        #expect(log.list("entries").count == 3)
        #expect(log["next"] is Int)
        let older = try await send("GET", "/api/v1/printers/color-laser/log?limit=500&before=\(log["next"] ?? 0)")
        let entries = log.list("entries") + older.list("entries")
        let operations = entries.compactMap { $0["operation"] as? String }
        for operation in ["Create-Job", "Send-Document", "media-jam-error", "control", "job-completed"] {
            #expect(operations.contains(operation), "\(operation) in \(operations)")
        }
        #expect(entries.allSatisfy { ($0["time"] as? String)?.hasSuffix("Z") == true })
        let sent = try #require(entries.first { $0["operation"] as? String == "Send-Document" })
        #expect((sent["text"] as? String)?.hasPrefix("job \(job), letter.pdf, application/pdf") == true, "\(sent)")
    }

    @Test func `an empty tray stops the job until paper is loaded`() async throws {
        try spooler.start()
        let controls = try await send("GET", "/api/v1/printers/color-laser/simulator")
        #expect(controls.status == 200, "\(controls)")
        let trays = controls.list("trays").compactMap { $0["name"] as? String }
        for tray in trays {
            let loaded = try await send(
                "POST", "/api/v1/printers/color-laser/simulator/load", #"{"tray": "\#(tray)", "sheets": 0}"#)
            #expect(loaded.status == 200, "\(loaded)")
        }
        let job = try #require(try await spooler.printq("submit", try document()).jobID)
        try await spooler.eventually("the job is stopped") {
            try await spooler.job(job).state == "processing-stopped"
        }
        try await PrintTestSupport.eventually("the printer is out of paper") {
            let alerts = try await printer("color-laser")["alerts"] as? [[String: Any]]
            return alerts?.contains { ($0["code"] as? String)?.hasPrefix("media-") == true } == true
        }
        let wrong = try await send(
            "POST", "/api/v1/printers/color-laser/simulator/load", #"{"tray": "\#(trays[0])", "sheets": 99999}"#)
        #expect(wrong.status == 422, "\(wrong)")
        for tray in trays {
            _ = try await send(
                "POST", "/api/v1/printers/color-laser/simulator/load",
                #"{"tray": "\#(tray)", "sheets": 20, "media": "A4"}"#)
        }
        try await spooler.eventually("the job is completed") { try await spooler.job(job).state == "completed" }
        let after = try await send("GET", "/api/v1/printers/color-laser/simulator")
        let left = after.list("trays").compactMap { $0["sheets"] as? Int }.reduce(0, +)
        #expect(left < trays.count * 20)
    }

    @Test
    func `the API pauses and resumes a printer, sets the default printer, and controls whether a printer accepts jobs`()
        async throws
    {
        try spooler.start()
        let paused = try await send(
            "POST", "/api/v1/printers/mono-laser/pause", #"{"message": "new ink at noon"}"#)
        #expect(paused["printer", "phase"] as? String == "paused", "\(paused)")
        #expect(paused["printer", "message"] as? String == "new ink at noon")
        #expect((paused["printer", "commands"] as? [String])?.contains("resume") == true)
        let job = try #require(try await spooler.printq("submit", "-d", "mono-laser", try document()).jobID)
        let resumed = try await send("POST", "/api/v1/printers/mono-laser/resume")
        #expect(resumed.status == 200 && resumed["printer", "state"] as? String != "stopped", "\(resumed)")
        try await spooler.eventually("the job is completed") { try await spooler.job(job).state == "completed" }
        let made = try await send("POST", "/api/v1/printers/mono-laser/default")
        #expect(made["printer", "default"] as? Bool == true)
        let refusing = try await send("POST", "/api/v1/printers/mono-laser/reject")
        #expect(refusing["printer", "phase"] as? String == "refusing", "\(refusing)")
        #expect(try await spooler.printq("submit", "-d", "mono-laser", try document()).code != 0)
        let accepting = try await send("POST", "/api/v1/printers/mono-laser/accept")
        #expect(accepting["printer", "accepting"] as? Bool == true)
        #expect(try await send("POST", "/api/v1/printers/mono-laser/identify").status == 200)
        let page = try await send("POST", "/api/v1/printers/mono-laser/test-page")
        #expect(page.status == 201, "\(page)")
        let id = try #require(page["job", "job-id"] as? Int)
        try await spooler.eventually("the test page is printed") { try await spooler.job(id).state == "completed" }
        #expect(try await send("POST", "/api/v1/printers/nobody/pause").status == 404)
        #expect(try await send("POST", "/api/v1/printers/mono-laser/explode").status == 404)
        #expect(try await send("GET", "/api/v1/printers/mono-laser/pause").status == 405)
    }

    @Test
    func `the API adds, changes and removes a printer, and an error contains the name of the invalid JSON member`()
        async throws
    {
        try spooler.start()
        let folder = spooler.folder.path("pdfs")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let added = try await send(
            "POST", "/api/v1/printers",
            #"{"name": "pdfs", "device-uri": "folder:\#(folder)", "info": "PDF files", "location": "Disk"}"#)
        #expect(added.status == 201, "\(added)")
        #expect(added["printer", "info"] as? String == "PDF files")
        #expect(added["printer", "simulated"] as? Bool == false)
        let again = try await send(
            "POST", "/api/v1/printers", #"{"name": "pdfs", "device-uri": "folder:\#(folder)"}"#)
        #expect([409, 422].contains(again.status), "\(again)")
        for (json, field) in [
            (#"{"name": "a b", "device-uri": "folder:/tmp"}"#, "name"), (#"{"name": "x"}"#, "device-uri"),
            (#"{"name": "x", "device-uri": "lpd://host/queue"}"#, "device-uri"),
            (#"{"name": "x", "device-uri": "folder:/nowhere/at/all"}"#, "device-uri"),
        ] {
            let wrong = try await send("POST", "/api/v1/printers", json)
            #expect(wrong.status == 422, "\(wrong)")
            #expect(wrong.list("errors").first?["field"] as? String == field, "\(wrong)")
        }
        let changed = try await send(
            "PATCH", "/api/v1/printers/pdfs",
            #"{"location": "Attic", "users": {"allowed": ["ann", "ben"]}, "options": {"copies": "2"}}"#)
        #expect(changed.status == 200 && changed["printer", "location"] as? String == "Attic", "\(changed)")
        let detail = try await send("GET", "/api/v1/printers/pdfs")
        #expect(detail["users", "allowed"] as? [String] == ["ann", "ben"])
        #expect(detail["defaults", "copies"] as? String == "2")
        #expect(detail["device-uri"] as? String == "folder:\(folder)")
        #expect(try await send("PATCH", "/api/v1/printers/pdfs", "{}").status == 400)
        #expect(try await send("PATCH", "/api/v1/printers/pdfs", #"{"options": {"copies": "x"}}"#).status == 422)
        #expect(try await send("PATCH", "/api/v1/printers/nobody", #"{"info": "x"}"#).status == 404)
        let simulator = try await send("GET", "/api/v1/printers/pdfs/simulator")
        #expect(simulator.status == 404 && simulator.text.contains("pdfs is not a simulated printer"))
        let listed = try await send("GET", "/api/v1/printers").list("printers")
        #expect(listed.compactMap { $0["name"] as? String }.contains("pdfs"))
        #expect(try await send("DELETE", "/api/v1/printers/pdfs").status == 204)
        #expect(try await send("GET", "/api/v1/printers/pdfs").status == 404)
        #expect(try await send("DELETE", "/api/v1/printers/pdfs").status == 404)
    }

    @Test func `the API lists the allowed values, the labels and the default of each printer option`() async throws {
        try spooler.start()
        let reply = try await send("GET", "/api/v1/printers/color-laser/options")
        let options = reply.list("options")
        #expect(options.count > 20)
        let sides = try #require(options.first { $0["name"] as? String == "sides" })
        #expect((sides["values"] as? [[String: Any]])?.count == 3, "\(sides)")
        #expect(sides["default"] as? String == "one-sided")
        let media = try #require(options.first { $0["name"] as? String == "media" })
        #expect((media["values"] as? [[String: Any]])?.contains { $0["label"] as? String == "A4" } == true)
        let devices = try await send("GET", "/api/v1/devices?seconds=1")
        #expect(devices.status == 200 && devices.body["devices"] is [Any], "\(devices)")
        #expect(try await send("GET", "/api/v1/devices?seconds=1000").status == 422)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can run programs as other users"))
    func `an ordinary user can read printers, and cannot change or control printers`() async throws {
        chmod(spooler.folder.path, 0o755)
        try spooler.start()
        chmod(spooler.spool, 0o711)
        let seen = try await send("GET", "/api/v1/printers/color-laser", asStranger: true)
        #expect(seen.status == 200, "\(seen)")
        #expect((seen["commands"] as? [String])?.sorted() == ["identify", "test-page"])
        #expect(try await send("GET", "/api/v1/printers/color-laser/simulator", asStranger: true).status == 200)
        let refused: [(String, String, String?)] = [
            ("POST", "/api/v1/printers/color-laser/pause", nil), ("POST", "/api/v1/printers/color-laser/resume", nil),
            ("POST", "/api/v1/printers/color-laser/default", nil), ("POST", "/api/v1/printers/color-laser/accept", nil),
            ("POST", "/api/v1/printers/color-laser/reject", nil), ("DELETE", "/api/v1/printers/color-laser", nil),
            ("PATCH", "/api/v1/printers/color-laser", #"{"info": "mine"}"#),
            ("POST", "/api/v1/printers", #"{"name": "mine", "device-uri": "folder:/tmp"}"#),
            ("GET", "/api/v1/devices?seconds=1", nil),
            ("POST", "/api/v1/printers/color-laser/simulator/fault", #"{"fault": "media-jam"}"#),
            ("POST", "/api/v1/printers/color-laser/simulator/clear", "{}"),
            ("POST", "/api/v1/printers/color-laser/simulator/load", #"{"tray": "tray-1"}"#),
            ("POST", "/api/v1/printers/color-laser/simulator/supplies", #"{"name": "Black toner"}"#),
            ("POST", "/api/v1/printers/color-laser/simulator/power", #"{"on": false}"#),
        ]
        for (method, path, json) in refused {
            let reply = try await send(method, path, json, asStranger: true)
            #expect(reply.status == 403, "\(method) \(path): \(reply)")
        }
        let after = try await send("GET", "/api/v1/printers/color-laser/simulator")
        #expect(after.list("faults").isEmpty && after["power"] as? Bool == true)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can run programs as other users"))
    func `the log of a simulated printer shows names, options and sizes of jobs only to the owner and administrators`()
        async throws
    {
        chmod(spooler.folder.path, 0o755)
        try spooler.start()
        chmod(spooler.spool, 0o711)
        let file = try document()
        chmod(file, 0o644)
        for isStranger in [false, true] {
            let command = [
                "submit", "--wait", "-d", "color-laser", "--title", isStranger ? "letter" : "salaries", "-o",
                "media=A5", "-n", isStranger ? "3" : "7", file,
            ]
            let run =
                isStranger
                ? try await spooler.run(
                    "setpriv",
                    ["--reuid", "3000000001", "--regid", "3000000001", "--clear-groups", spooler.program("printq")]
                        + command, environment: ["PRINTQ_SPOOL": spooler.spool])
                : try await spooler.run(spooler.program("printq"), command)
            #expect(run.code == 0, "\(run)")
        }
        let path = "/api/v1/printers/color-laser/log"
        let all = try await send("GET", path)
        #expect(all.text.contains("salaries") && all.text.contains("letter") && all.text.contains("KB"), "\(all)")
        let log = try await send("GET", path, asStranger: true)
        #expect(log.status == 200 && log.text.contains("Send-Document") && log.text.contains("letter"), "\(log)")
        let others = log.list("entries").filter { $0["job-id"] as? Int == 1 }
        #expect(!others.isEmpty && others.allSatisfy { $0["text"] as? String == "job 1" }, "\(log)")
        for isPrivate in ["salaries", "copies 7"] { #expect(!log.text.contains(isPrivate), "\(log)") }
    }

    @Test func `the metrics count a printed job, and /health reports the status 'ok'`() async throws {
        let ready = try spooler.start(tcp: true)
        #expect(try await spooler.printq("submit", "--wait", try document(pages: 3)).code == 0)
        func metrics() async throws -> String {
            try await spooler.run("curl", ["-sS", "http://\(ready.host)/metrics"]).output
        }
        try await PrintTestSupport.eventually("the metrics have counted the job") {
            try await metrics().contains(#"printq_jobs_ended_total{printer="color-laser",state="completed"} 1"#)
        }
        let text = try await metrics()
        #expect(text.contains(#"printq_sides_printed_total{printer="color-laser"} 3"#), "\(text)")
        #expect(text.contains(#"printq_print_seconds_count{printer="color-laser"} 1"#))
        #expect(text.contains(#"printq_prepare_seconds_count{printer="color-laser",operation="prepare"} 1"#))
        #expect(text.contains(#"printq_queue_depth{printer="color-laser"} 0"#))
        #expect(text.contains(#"printq_printer_state{printer="color-laser",printq_printer_state="idle"} 1"#))
        #expect(!text.contains("letter.pdf"))
        let families = try await OpenMetricsParser.families(in: text)
        #expect(families.contains("printq_print_seconds histogram"), "\(families)")
        let health = try await spooler.run(
            "curl", ["-sS", "-w", "%{http_code} %{content_type}", "http://\(ready.host)/health"])
        #expect(health.output.contains(#""status":"ok""#) && health.output.hasSuffix("200 application/json"))
        let address = "http://\(ready.host)/metrics"
        let other = try await spooler.run(
            "curl", ["-sS", "-H", "Host: evil.example", "-o", "/dev/null", "-w", "%{http_code}", address])
        #expect(other.output != "200", "\(other)")
    }
}
