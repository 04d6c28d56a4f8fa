// Tests the Print Center of a real printd over HTTP.

import Foundation
import Glibc
import PrintTestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct CenterTests {
    @Test func `a user signs in, lists jobs, and cancels a job`() async throws {
        let spooler = try TestSpooler()
        try spooler.start(tcp: true)
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        expect(
            try await spooler.printq("submit", "-d", "color-laser", try spooler.file("a.pdf", .numbered(pages: 2))))
        let client = try await CenterClient.signedIn(spooler)
        let list = try await client.send("GET", "/api/v1/jobs").json()
        let job = try #require((list["jobs"] as? [[String: Any]])?.first)
        #expect(job["job-name"] as? String == "a.pdf" && job["phase"] as? String == "waiting")
        let cause = try #require(job["cause"] as? [String: Any])
        #expect(cause["code"] as? String == "paused" && cause["printer"] as? String == "color-laser")
        let canceled = try await client.send("POST", "/api/v1/jobs/1/cancel")
        #expect(canceled.status == 200 && canceled.body.contains(#""phase":"canceled""#), "\(canceled)")
        let counts = try await client.send("GET", "/api/v1/jobs/counts").json()
        #expect(counts["queue"] as? Int == 0 && counts["ended"] as? Int == 1)
        let reprint = try await client.send("POST", "/api/v1/jobs/1/reprint", json: #"{"printer":"mono-laser"}"#)
        #expect(reprint.status == 201, "\(reprint)")
        try await spooler.eventually("the reprinted job is completed") {
            try await client.send("GET", "/api/v1/jobs/2").body.contains(#""phase":"completed""#)
        }
        let detail = try await client.send("GET", "/api/v1/jobs/2").json()
        let kinds = try #require(detail["timeline"] as? [[String: Any]]).compactMap { $0["kind"] as? String }
        for kind in ["accepted", "preparing", "prepared", "completed"] {
            #expect(kinds.contains(kind), "\(kinds)")
        }
        #expect(detail["reprint-of"] as? Int == 1 && detail["pages"] as? Int == 2)
    }

    @Test func `the URL from 'printq center' can be opened only once`() async throws {
        let spooler = try TestSpooler()
        try spooler.start(tcp: true)
        let run = try await spooler.printq("center", "--print")
        expect(run)
        let url = run.output.trimmingCharacters(in: .newlines)
        #expect(url.hasPrefix("http://127.0.0.1:"), "\(run)")
        let first = try await spooler.run("curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", url])
        #expect(first.output == "303")
        let second = try await spooler.run("curl", ["-s", "-w", "%{http_code}", url])
        #expect(second.output.hasSuffix("403") && second.output.contains("printq center"), "\(second)")
    }

    @Test(arguments: [true, false])
    func `cross-site requests, requests without a session and requests without a token are refused`(
        hasFixedPort: Bool
    ) async throws {
        let spooler = try TestSpooler()
        try spooler.start(tcp: hasFixedPort, opensPort: true)
        let client = try await CenterClient.signedIn(spooler)
        for header in ["Origin: http://evil.example", "Host: evil.example", "Sec-Fetch-Site: cross-site"] {
            #expect(try await client.send("GET", "/api/v1/jobs", "-H", header).status == 403, "\(header)")
        }
        var stranger = client
        stranger.arguments = []
        #expect(try await stranger.send("GET", "/api/v1/jobs").status == 401)
        #expect(try await stranger.send("POST", "/api/v1/jobs/1/cancel").status == 401)
        var forged = client
        forged.arguments = client.arguments.map { $0.hasPrefix("Printq-Token:") ? "Printq-Token: wrong" : $0 }
        #expect(try await forged.send("POST", "/api/v1/jobs/1/cancel").status == 403)
        forged.arguments = client.arguments.map { $0.hasPrefix("Printq-Token:") ? "Accept: */*" : $0 }
        #expect(try await forged.send("POST", "/api/v1/jobs/1/cancel").status == 403)
        #expect(try await client.send("GET", "/%61pi/v1/jobs").status >= 400)
        #expect(try await client.send("GET", "/api/v1/%6Aobs").status == 404)
        #expect(try await client.send("GET", "/api/v1/jobs/1/cancel").status == 405)
        #expect(try await client.send("POST", "/api/v1/sessions").status == 403)
    }

    @Test func `the public page of a printer needs no session`() async throws {
        let spooler = try TestSpooler()
        let ready = try spooler.start(tcp: true)
        let page = try await spooler.run("curl", ["-s", "http://\(ready.host)/printers/color-laser"])
        #expect(page.output.contains("Supplies"), "\(page)")
        let shell = try await CenterClient.signedIn(spooler).send("GET", "/printers/color-laser")
        #expect(shell.status == 200 && shell.body.contains("/center/"), "\(shell)")
    }

    @Test func `a session remains valid after printd is killed and restarted`() async throws {
        let spooler = try TestSpooler()
        let ready = try spooler.start(tcp: true)
        let client = try await CenterClient.signedIn(spooler)
        spooler.stop(SIGKILL)
        let address: String = try #require(ready.tcp)
        try spooler.start(listen: address)
        #expect(try await client.send("GET", "/api/v1/session").status == 200)
        var status = stat()
        #expect(stat("\(spooler.spool)/sessions.json", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can run programs as other users"), arguments: [true, false])
    func `a user can see that another user's job exists, but cannot read the job's title or cancel the job`(
        hasFixedPort: Bool
    ) async throws {
        let spooler = try TestSpooler()
        chmod(spooler.folder.path, 0o755)
        try spooler.start(tcp: hasFixedPort, opensPort: true)
        chmod(spooler.spool, 0o711)
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        expect(
            try await spooler.printq(
                "submit", "-d", "color-laser", "--title", "salaries", try spooler.file("a.pdf", .numbered(pages: 1))))
        func curl(_ arguments: String...) async throws -> ProgramRun {
            let user = "3000000001"
            return try await spooler.run(
                "setpriv",
                [
                    "--reuid", user, "--regid", user, "--clear-groups", "/usr/bin/curl", "-s", "--unix-socket",
                    spooler.socket,
                ]
                    + arguments)
        }
        let list = try await curl("http://localhost/api/v1/jobs")
        #expect(list.output.contains(#""withheld":true"#) && !list.output.contains("salaries"), "\(list)")
        #expect(!(try await curl("http://localhost/api/v1/jobs/1")).output.contains("salaries"))
        let cancel = try await curl("-X", "POST", "http://localhost/api/v1/jobs/1/cancel")
        #expect(cancel.output.contains(#""status":403"#), "\(cancel)")
        // The kernel reports this user for a connection with the session of another user.
        let client = try await CenterClient.signedIn(spooler)
        let stolen = try await spooler.run(
            "setpriv",
            ["--reuid", "3000000001", "--regid", "3000000001", "--clear-groups", "/usr/bin/curl", "-s"]
                + client.arguments + ["\(try #require(client.origin))/api/v1/jobs"])
        #expect(stolen.output.contains(#""status":401"#), "\(stolen)")
    }
}
