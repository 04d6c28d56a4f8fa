import Foundation
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import IPPTestSupport
import PrintTestSupport
import Testing

/// The attack of a user of the machine on the jobs of another user, over the socket, TCP and the Print Center.
///
/// The requests come from the access tables of IPP operations and routes. Only root can run programs as other users.
@Suite(
    .enabled(if: geteuid() == 0, "only root can run programs as other users"), .serialized,
    .timeLimit(.minutes(TestRun.isLong ? 60 : 5)))
struct StrangerTests {
    private static let (ann, stranger) = ("3000000001", "3000000002")
    private static let owner = "uid-\(ann)"
    private static let secret = "salaries-of-the-board"
    private static let (printer, otherPrinter) = ("color-laser", "mono-laser")

    private let spooler: TestSpooler
    private let port: Int

    init() async throws {
        spooler = try TestSpooler()
        chmod(spooler.folder.path, 0o755)
        let ready = try spooler.start(tcp: true)
        chmod(spooler.spool, 0o711)
        port = try #require(ready.host.split(separator: ":").last.flatMap { Int($0) })
        // The checkout may be in a folder that other users cannot access.
        for name in ["printq", "spooler-trial"] {
            try FileManager.default.copyItem(atPath: spooler.program(name), toPath: spooler.folder.path(name))
        }
    }

    private func run(_ user: String, _ program: String, _ arguments: [String]) async throws -> ProgramRun {
        let path = program == "curl" ? "/usr/bin/curl" : spooler.folder.path(program)
        return try await spooler.run(
            "setpriv", ["--reuid", user, "--regid", user, "--clear-groups", path] + arguments,
            environment: ["TMPDIR": "/tmp"])
    }

    private func curl(_ user: String, _ arguments: String...) async throws -> ProgramRun {
        try await run(user, "curl", ["-s", "-i"] + arguments)
    }

    /// Sends a request for the owner; an administrator may act for another user.
    private func ask(
        _ operation: IPP.Operation, _ attributes: [Attribute], groups: [AttributeGroup] = [], document: String? = nil
    ) async throws -> Message {
        let message = Message(
            version: .v2_0, operation: operation, requestID: 1,
            groups: [
                .operation(
                    [
                        Attribute("printer-uri", .uri("ipp://localhost/printers/\(Self.printer)")),
                        Attribute("requesting-user-name", .name(Self.owner)),
                    ] + attributes)
            ] + groups)
        let client = spooler.client
        let answer = try await client.send(message, document: document.map { .bytes(Array($0.utf8)) })
        await client.close()
        #expect(answer.status.isSuccess, "\(answer)")
        return answer
    }

    /// Makes the jobs, the subscription and the session of the owner.
    private func target() async throws -> (targets: AccessTargets, cookie: String, token: String) {
        let document = try spooler.file("\(Self.secret).pdf", .numbered(pages: 1, title: Self.secret))
        chmod(document, 0o644)
        func submit(_ more: String...) async throws -> Int {
            let run = try await run(Self.ann, "printq", ["submit", "--title", Self.secret] + more + [document])
            expect(run)
            return try #require(run.jobID, "\(run)")
        }
        func created() async throws -> Int {
            let name = Attribute("job-name", .name(Self.secret))
            return Int(try #require(try await ask(.createJob, [name])[.job]?.integer("job-id")))
        }
        let ended = try await submit("-d", Self.printer, "--wait")
        expect(try await spooler.printq("printers", "pause", Self.printer))
        let waiting = try await submit("-d", Self.printer, "--copies", "7")
        let (incoming, unclosed) = (try await created(), try await created())
        _ = try await ask(
            .sendDocument,
            [Attribute("job-id", .integer(Int32(unclosed))), Attribute("last-document", .boolean(false))],
            document: try String(contentsOfFile: document, encoding: .isoLatin1))
        var targets = AccessTargets(
            printer: Self.printer, otherPrinter: Self.otherPrinter, owner: Self.owner, waiting: waiting,
            incoming: incoming,
            unclosed: unclosed, ended: ended, suspended: waiting, subscription: 0)
        let made = try await ask(
            .createPrinterSubscriptions, [],
            groups: targets.request(.createPrinterSubscriptions, .own).message.groups(.subscription))
        targets.subscription = try #require(made[.subscription]?.integer("notify-subscription-id"))

        let invited = try await curl(
            Self.ann, "--unix-socket", spooler.socket, "-X", "POST", "http://localhost/api/v1/sessions")
        let url = try #require(invited.output.firstMatch(of: /"url":"([^"]+)"/)?.1, "\(invited)")
        let opened = try await curl(Self.ann, String(url))
        let cookie = String(try #require(opened.output.firstMatch(of: /(?i)set-cookie: ([^;\r\n]+)/)?.1, "\(opened)"))
        let session = try await curl(Self.ann, "-H", "Cookie: \(cookie)", "http://127.0.0.1:\(port)/api/v1/session")
        return (
            targets, cookie, String(try #require(session.output.firstMatch(of: /"token":"([^"]+)"/)?.1, "\(session)"))
        )
    }

    /// Returns the jobs of the owner and the printers, without values that change by themselves.
    private func state(_ targets: AccessTargets) async throws -> [String] {
        let ids = [targets.waiting, targets.incoming, targets.unclosed, targets.ended]
        let jobs = try await ask(
            .getJobs,
            [
                Attribute("which-jobs", .keyword("all")), Attribute("requested-attributes", .keyword("all")),
                Attribute("job-ids", ids.map { .integer(Int32($0)) }),
            ]
        ).groups(.job).map { group in
            group.attributes.filter { !["job-printer-up-time"].contains($0.name) }.map { "\($0)" }.sorted()
                .joined(separator: "\n")
        }
        #expect(jobs.count == ids.count)
        _ = try await ask(
            .getSubscriptionAttributes, [Attribute("notify-subscription-id", .integer(targets.subscription))])
        let exported = try await spooler.printq("export", "-")
        expect(exported)
        return jobs + [exported.output]
    }

    /// A user without an account, and a user with an account.
    private static let strangers = [stranger, "65534"]

    @Test(arguments: TestRun.isLong ? strangers : Array(strangers.prefix(1)))
    func `a stranger sees no title and changes nothing, whatever the stranger claims to be`(stranger: String)
        async throws
    {
        let (targets, cookie, token) = try await target()
        let before = try await state(targets)
        let goal: [String: Any] = [
            "socket": spooler.socket, "port": port, "secret": Self.secret, "cookie": cookie, "token": token,
            "isLong": TestRun.isLong, "seed": TestRun.seed,
            "targets": try JSONSerialization.jsonObject(with: JSONEncoder().encode(targets)),
        ]
        let path = try spooler.file("target.json", Array(JSONSerialization.data(withJSONObject: goal)))
        chmod(path, 0o644)
        let attack = try await run(
            stranger, "spooler-trial", ["stranger", "--target", path, "--folder", "/tmp/\(UUID().uuidString)"])
        #expect(attack.code == 0, "seed \(TestRun.seed): \(attack.output)\n\(attack.complaints)")
        let requests = try #require(attack.output.firstMatch(of: /(\d+) requests, (\d+) accepted/), "\(attack)")
        #expect(Int(requests.1) ?? 0 > (TestRun.isLong ? 25_000 : 400), "\(attack.output)")
        // Requests that everyone may send are accepted; otherwise the attack would test nothing.
        #expect(Int(requests.2) ?? 0 > 20, "\(attack.output)")
        #expect(try await state(targets) == before)
        let session = try await curl(
            Self.ann, "-H", "Cookie: \(cookie)", "http://127.0.0.1:\(port)/api/v1/session")
        #expect(session.output.contains(#""user":"\#(Self.owner)""#), "the session of the owner continues: \(session)")
    }

    @Test func `a certificate with the name of an owner gives a client no rights`() async throws {
        let (targets, cookie, _) = try await target()
        let (key, certificate) = (spooler.folder.path("key.pem"), spooler.folder.path("certificate.pem"))
        expect(
            try await spooler.run(
                "openssl",
                ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(Self.owner)", "-days", "1"]
                    + ["-keyout", key, "-out", certificate]))
        chmod(key, 0o644)
        let (message, _) = targets.request(.getJobs, .others, as: Self.owner)
        let request = try spooler.file("request.ipp", try message.encoded())
        chmod(request, 0o644)
        let tls = ["-k", "--cert", certificate, "--key", key]
        let response = "/tmp/\(UUID().uuidString)"
        defer { unlink(response) }
        expect(
            try await run(
                Self.stranger, "curl",
                ["-s", "-H", "Content-Type: application/ipp", "--data-binary", "@\(request)", "-o", response] + tls
                    + ["https://127.0.0.1:\(port)/"]))
        let listed = try Data(contentsOf: URL(fileURLWithPath: response))
        #expect(listed.range(of: Data("job-state".utf8)) != nil && listed.range(of: Data(Self.secret.utf8)) == nil)
        let jobs = try await run(
            Self.stranger, "curl",
            ["-s", "-i"] + tls + ["-H", "Cookie: \(cookie)", "https://127.0.0.1:\(port)/api/v1/jobs"])
        #expect(jobs.output.hasPrefix("HTTP/1.1 401") && !jobs.output.contains(Self.secret), "\(jobs)")
    }
}
