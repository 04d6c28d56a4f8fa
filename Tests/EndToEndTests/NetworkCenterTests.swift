// Tests the Print Center for users on the network, with curl over TLS.

import Foundation
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

extension NetworkTests {
    /// A browser on the network, with its cookies in a file.
    struct RemoteBrowser {
        let tests: NetworkTests
        /// The path of the file with the cookies, in the format of Netscape.
        let cookies: String
        var address = NetworkTests.server
        /// The anti-forgery token of the session.
        var token = ""

        struct Answer: CustomStringConvertible {
            var status: Int
            var description: String
        }

        /// Sends a request, and returns the status and the whole response.
        func send(
            _ method: String, _ path: String, _ more: [String] = [],
            at origin: String = "https://\(NetworkTests.server):8631"
        ) async throws -> Answer {
            let arguments =
                ["-s", "-i", "-k", "-X", method, "--interface", address, "-b", cookies, "-c", cookies]
                + (token.isEmpty ? [] : ["-H", "Printq-Token: \(token)"]) + more + [origin + path]
            let run = try await tests.client("curl", arguments)
            try #require(run.code == 0, "\(run)")
            let status = run.output.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            return Answer(status: try #require(status, "\(run)"), description: run.output)
        }

        /// Sends the form of the login page, with a password from a file.
        func logIn(_ name: String, _ password: String) async throws -> Answer {
            let file = try tests.spooler.file("password", Array(password.utf8))
            return try await send(
                "POST", "/login",
                ["--data-urlencode", "user=\(name)", "--data-urlencode", "password@\(file)", "-d", "next=/jobs"])
        }
    }

    /// Returns a browser without a session.
    private func browser(_ name: String, address: String = server) -> RemoteBrowser {
        RemoteBrowser(tests: self, cookies: spooler.folder.path("\(name)-cookies"), address: address)
    }

    /// Signs a user in, and returns the browser.
    func signedIn(_ name: String, _ password: String, address: String = server) async throws -> RemoteBrowser {
        var browser = browser(name, address: address)
        let answer = try await browser.logIn(name, password)
        try #require(answer.status == 303, "\(answer)")
        let session = try await browser.send("GET", "/api/v1/session")
        let member = try #require("\(session)".firstMatch(of: /"token":"([^"]+)"/), "\(session)")
        browser.token = String(member.1)
        return browser
    }

    @Test func `a user on the network signs in with a password, sees and cancels own jobs only, and signs out`()
        async throws
    {
        try await start()
        for name in ["anna", "ben"] {
            expect(try await spooler.printq("users", "add", name, input: "\(name) battery\n"))
        }
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        let file = try spooler.file("secret plans.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("submit", "-d", "mono-laser", file))
        let letter = try spooler.file("letter.pdf", .numbered(pages: 2))
        let login = uri("mono-laser", as: "anna:anna%20battery")
        expect(try await client("ipptool", "-tv", "-f", letter, login, "print-job.test"))
        let (anna, ben) = (try await signedIn("anna", "anna battery"), try await signedIn("ben", "ben battery"))
        let jar = text(of: anna.cookies)
        #expect(
            jar.contains("#HttpOnly_\(Self.server)\tFALSE\t/\tTRUE\t") && jar.contains("__Host-printq-session-8631"))

        let jobs = try await anna.send("GET", "/api/v1/jobs")
        #expect(jobs.status == 200 && "\(jobs)".contains("anna") && !"\(jobs)".contains("secret plans"), "\(jobs)")
        #expect(try await anna.send("POST", "/api/v1/jobs/1/cancel").status == 403)
        for path in ["/pages", "/documents/1", "/sheets.pdf"] {
            #expect(try await anna.send("GET", "/api/v1/jobs/1\(path)").status == 403, "\(path)")
            #expect(try await ben.send("GET", "/api/v1/jobs/2\(path)").status == 403, "\(path)")
        }
        #expect(try await ben.send("POST", "/api/v1/jobs/2/cancel").status == 403)
        #expect(try await anna.send("GET", "/api/v1/jobs/2/pages").status == 200)
        let image = try await anna.send("GET", "/api/v1/jobs/2/pages/1/image", ["-o", "/dev/null", "-D", "-"])
        #expect(image.status == 200 && "\(image)".lowercased().contains("content-type: image/png"), "\(image)")
        let original = try await anna.send("GET", "/api/v1/jobs/2/documents/1", ["-o", "/dev/null", "-D", "-"])
        #expect(original.status == 200, "\(original)")
        // Settings of the machine: printers, backups, one-time addresses.
        for (method, path) in [
            ("POST", "/api/v1/printers/mono-laser/resume"), ("DELETE", "/api/v1/printers/inkjet"),
            ("POST", "/api/v1/printers/inkjet/simulator/power"), ("GET", "/api/v1/devices"),
            ("GET", "/api/v1/backup"), ("POST", "/api/v1/sessions"),
        ] { #expect(try await anna.send(method, path).status == 403, "\(path)") }

        // Requests of pages of other sites, and without the anti-forgery token.
        for header in ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site"] {
            #expect(try await anna.send("POST", "/api/v1/jobs/2/cancel", ["-H", header]).status == 403)
        }
        var forged = anna
        forged.token = ""
        #expect(try await forged.send("POST", "/api/v1/jobs/2/cancel").status == 403)
        #expect(try await spooler.job(2).state == "pending")

        // The stream ends when the session ends.
        let printd = try #require(spooler.processes(of: "printd").first)
        let cookies = spooler.folder.path("copied-cookies")
        try FileManager.default.copyItem(atPath: anna.cookies, toPath: cookies)
        let events = spooler.folder.path("events")
        let stream = try DetachedProcess(
            program: "/usr/bin/nsenter",
            arguments: [
                "--net=/proc/\(printd)/ns/net", "curl", "-s", "-N", "-k", "-b", cookies, "-o", events,
                "https://\(Self.server):8631/api/v1/events",
            ], log: spooler.folder.path("curl.err"))
        try await eventually("the stream has started") { text(of: events).contains("event: hello") }
        let canceled = try await anna.send("POST", "/api/v1/jobs/2/cancel")
        #expect(canceled.status == 200, "\(canceled)")
        #expect(try await spooler.job(2).state == "canceled")
        try await eventually("the event has arrived") { text(of: events).contains(#""job-id":2"#) }
        #expect(try await anna.send("DELETE", "/api/v1/session").status == 204)
        stream.waitForEnd()
        let stolen = RemoteBrowser(tests: self, cookies: cookies, token: anna.token)
        #expect(try await stolen.send("GET", "/api/v1/jobs").status == 401)
        #expect(try await stolen.send("GET", "/jobs").status == 401)
        #expect(try await ben.send("GET", "/api/v1/jobs").status == 200)

        let audit = try await spooler.printq("audit", "--json")
        #expect(audit.output.contains(#""Log-In""#) && audit.output.contains(#""Log-Out""#))
        #expect(!audit.output.contains("battery") && !text(of: spooler.folder.path("printd.err")).contains("battery"))
    }

    @Test func `plain connections carry no session, and a removed user or an old password ends it`() async throws {
        try await start()
        expect(try await spooler.printq("users", "add", "anna", input: "correct horse\n"))
        let anna = try await signedIn("anna", "correct horse")
        let cookie = try #require(text(of: anna.cookies).split(separator: "\n").last?.split(separator: "\t").last)
        let header = ["-H", "Cookie: __Host-printq-session-8631=\(cookie)"]
        #expect(try await browser("none").send("GET", "/api/v1/jobs", header).status == 200)
        let plain = try await browser("none").send("GET", "/api/v1/jobs", header, at: "http://\(Self.server):8631")
        #expect(plain.status == 426, "\(plain)")
        expect(try await spooler.printq("users", "password", "anna", input: "battery staple\n"))
        #expect(try await anna.send("GET", "/api/v1/jobs").status == 401)
        let again = try await signedIn("anna", "battery staple")
        #expect(try await again.send("GET", "/api/v1/jobs").status == 200)
        expect(try await spooler.printq("users", "remove", "anna"))
        #expect(try await again.send("GET", "/api/v1/jobs").status == 401)
    }

    @Test func `ten wrong passwords in the form refuse all passwords of the address, also over IPP`() async throws {
        try await start()
        expect(try await spooler.printq("users", "add", "anna", input: "correct horse\n"))
        for guess in 0..<10 {
            let answer = try await browser("guesser").logIn("anna", "guess number \(guess)")
            #expect(answer.status == 401 && "\(answer)".contains("The name or the password is wrong."), "\(answer)")
        }
        let refused = try await browser("guesser").logIn("anna", "correct horse")
        #expect(refused.status == 429 && "\(refused)".lowercased().contains("retry-after: "), "\(refused)")
        #expect(!"\(refused)".lowercased().contains("set-cookie"))
        #expect(try await getJobs(as: "anna", "correct horse").hasPrefix("HTTP/1.1 429 "))
        let neighbor = try await signedIn("anna", "correct horse", address: Self.neighbor)
        #expect(try await neighbor.send("GET", "/api/v1/jobs").status == 200)
        let audit = try await spooler.printq("audit", "--user", "anna")
        #expect(audit.output.components(separatedBy: "Log-In").count == 13, "\(audit)")
        #expect(!audit.output.contains("guess number"))
    }
}
