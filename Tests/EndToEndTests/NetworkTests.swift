// Tests clients on the network, in a network namespace with addresses beyond the loopback interface.

import Foundation
import PrintTestSupport
import Testing

/// A network of a test, without a connection to the network of the machine.
enum NetworkNamespace {
    /// Whether this process can create a network namespace; root in a container may lack the capability.
    static let isPossible =
        geteuid() == 0 && (try? ChildProgram("unshare", ["--net", "true"]).finish().code) == 0
}

@Suite(.enabled(if: NetworkNamespace.isPossible, "only root can create a network namespace without a user namespace"))
struct NetworkTests {
    let spooler: TestSpooler
    /// The address of printd, in a network for documentation (RFC 5737), and the address of a client elsewhere.
    static let (server, stranger) = ("192.0.2.1", "198.51.100.9")
    /// The address of a second client in the network of printd.
    static let neighbor = "192.0.2.9"

    init() async throws { spooler = try TestSpooler() }

    /// Starts printd in a new network namespace, with the settings that `printq network enable` writes.
    ///
    /// - Parameter prepare: Commands of a shell in a new mount namespace, before printd starts.
    func start(at address: String = "\(server):8631", after prepare: String = "") async throws {
        let launcher = spooler.folder.path("in-namespace")
        try """
        #!/bin/sh
        exec unshare --net --mount sh -c 'PATH=$PATH:/sbin:/usr/sbin
        \(prepare)
        ip link set lo up && ip addr add \(Self.server)/32 dev lo && ip addr add \(Self.stranger)/32 dev lo &&
        ip addr add \(Self.neighbor)/32 dev lo && exec "$@"' sh "$@"

        """.write(toFile: launcher, atomically: true, encoding: .utf8)
        chmod(launcher, 0o755)
        expect(try await spooler.printq("init"))
        expect(
            try await spooler.printq(
                "network", "enable", "--listen", address, "--allow", "192.0.2.0/24", "--name",
                "print.example.com"))
        try spooler.start(tcp: true, launcher: launcher)
    }

    /// Runs a program in the network of printd.
    func client(_ program: String, _ arguments: String...) async throws -> ProgramRun {
        try await client(program, arguments)
    }

    func client(_ program: String, _ arguments: [String]) async throws -> ProgramRun {
        let printd = try #require(spooler.processes(of: "printd").first)
        return try await spooler.run(
            "nsenter", ["--net=/proc/\(printd)/ns/net", "/usr/bin/\(program)"] + arguments)
    }

    func token(_ name: String, _ options: String...) async throws -> String {
        let run = try await spooler.run(spooler.program("printq"), ["tokens", "create", name] + options)
        expect(run)
        return try #require(run.lines.first)
    }

    /// Returns the path of a Get-Jobs request for the ended jobs.
    func getJobsRequest() throws -> String {
        // Version 1.1, operation 0x000A, the charset, the language and the URI of the printer.
        func text(_ tag: UInt8, _ name: String, _ value: String) -> [UInt8] {
            [tag, 0, UInt8(name.utf8.count)] + Array(name.utf8) + [0, UInt8(value.utf8.count)] + Array(value.utf8)
        }
        let request: [UInt8] =
            [1, 1, 0, 0x0A, 0, 0, 0, 1, 1] + text(0x47, "attributes-charset", "utf-8")
            + text(0x48, "attributes-natural-language", "en")
            + text(0x45, "printer-uri", "ipps://\(Self.server):8631/printers/mono-laser")
            + text(0x44, "requested-attributes", "all") + text(0x44, "which-jobs", "completed") + [3]
        return try spooler.file("get-jobs.ipp", request)
    }

    /// Sends Get-Jobs with a user name and a password, and returns the header and the body of the response.
    func getJobs(
        as user: String, _ password: String, from address: String = server
    ) async throws -> String {
        // curl reads the password from a file, because other users can see its arguments.
        let login = try spooler.file("login", Array("user = \"\(user):\(password)\"\n".utf8))
        return try await client(
            "curl", "-s", "-i", "-k", "--config", login, "--interface", address, "-H", "Content-Type: application/ipp",
            "--data-binary", "@\(try getJobsRequest())", "https://\(Self.server):8631/printers/mono-laser"
        ).output
    }

    func uri(_ printer: String, as login: String = "") -> String {
        "ipps://\(login.isEmpty ? "" : login + "@")\(Self.server):8631/printers/\(printer)"
    }

    @Test func `a client on the network sees the printers, and prints only with a token`() async throws {
        try await start()
        let file = try spooler.file("letter.pdf", .numbered(pages: 1))
        let seen = try await client("ipptool", "-tv", uri("mono-laser"), "get-printer-attributes.test")
        expect(seen)
        #expect(seen.output.contains("uri-authentication-supported (keyword) = basic"))
        #expect(seen.output.contains("ipps://\(Self.server):8631/printers/mono-laser"))
        #expect(!seen.output.contains("ipp://\(Self.server)"))
        // Without a token, libcups would ask for a password; the test has none.
        let refused = try await client("ipptool", "-tv", "-f", file, uri("mono-laser"), "print-job.test")
        #expect(refused.code != 0)
        let wrong = try await client("ipptool", "-tv", "-f", file, uri("mono-laser", as: "ci:wrong"), "print-job.test")
        #expect(wrong.code != 0)
        #expect(try await spooler.printq("queue", "--json", "--all").output.contains("job-id") == false)

        let secret = try await token("ci", "--user", "build")
        let printed = try await client(
            "ipptool", "-tv", "-f", file, uri("mono-laser", as: "ci:\(secret)"), "print-job.test")
        expect(printed)
        try await spooler.waitForEnd(of: 1)
        #expect(try await spooler.job(1).state == "completed")
        #expect(try await spooler.printq("show", "1").output.contains("build"))
        #expect(try await spooler.printq("tokens").output.contains("build"))

        expect(try await spooler.printq("tokens", "revoke", "ci"))
        let revoked = try await client(
            "ipptool", "-tv", "-f", file, uri("mono-laser", as: "ci:\(secret)"), "print-job.test")
        #expect(revoked.code != 0)
        #expect(try spooler.log(of: "mono-laser").count == 1)
        let files = FileManager.default.enumerator(atPath: spooler.spool)?.compactMap { $0 as? String } ?? []
        for file in files {
            let bytes = FileManager.default.contents(atPath: "\(spooler.spool)/\(file)") ?? Data()
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)")
        }
    }

    @Test func `without an address of the network, jobs of this machine are printed, and the problem is reported`()
        async throws
    {
        try await start(at: "203.0.113.5:8631")
        let id = try await spooler.submit(try spooler.file("letter.pdf", .numbered(pages: 1)), "-d", "mono-laser")
        try await spooler.waitForEnd(of: id)
        let problem = "cannot listen on 203.0.113.5:8631: Cannot assign requested address"
        #expect(try await spooler.printq("status").output.contains(problem))
        #expect(try await spooler.printq("doctor").output.contains("clients on the network cannot connect: \(problem)"))
        #expect(try await spooler.printq("network").output.contains("203.0.113.5:8631"))
        expect(try await spooler.printq("network", "disable"))
        #expect(try await spooler.printq("network").output.contains("does not listen on the network"))
    }

    /// Writes a file with which `ipptool` pauses a printer.
    private func pausingFile() throws -> String {
        let pausing = spooler.folder.path("pause.test")
        try """
        {
            OPERATION Pause-Printer
            GROUP operation-attributes-tag
            ATTR charset attributes-charset utf-8
            ATTR language attributes-natural-language en
            ATTR uri printer-uri $uri
            STATUS successful-ok
        }
        """.write(toFile: pausing, atomically: true, encoding: .utf8)
        return pausing
    }

    @Test func `a token cannot do more than its scope allows`() async throws {
        try await start()
        let file = try spooler.file("letter.pdf", .numbered(pages: 1))
        let own = try await spooler.submit(file, "-d", "mono-laser")
        try await spooler.waitForEnd(of: own)
        let pausing = try pausingFile()
        let look = try await token("screen", "--scope", "look")
        let submit = try await token("ci")
        let manage = try await token("admin", "--scope", "manage")
        for (secret, mayPrint, mayPause) in [(look, false, false), (submit, true, false), (manage, true, true)] {
            let login = uri("mono-laser", as: "x:\(secret)")
            #expect((try await client("ipptool", "-tv", login, "get-jobs.test").code == 0) == true)
            let print = try await client("ipptool", "-tv", "-f", file, login, "print-job.test")
            #expect((print.code == 0) == mayPrint, "\(print.output)")
            let pause = try await client("ipptool", "-tv", login, pausing)
            let isPaused = try await spooler.printq("printers").output.contains("paused")
            #expect(isPaused == mayPause, "\(pause.output)")
        }
    }

    @Test func `tokens for a printer, policies and delegation hold for clients on the network`() async throws {
        try await start()
        let file = try spooler.file("letter.pdf", .numbered(pages: 1))
        func prints(_ printer: String, _ login: String) async throws -> Bool {
            try await client("ipptool", "-tv", "-f", file, uri(printer, as: login), "print-job.test").code == 0
        }
        func asks(_ test: String, _ printer: String, _ login: String) async throws -> Bool {
            try await client("ipptool", "-tv", uri(printer, as: login), test).code == 0
        }
        let mistaken = try await spooler.printq("tokens", "create", "lab", "--printer", "mono-lase")
        #expect(mistaken.code != 0 && mistaken.complaints.contains("did you mean 'mono-laser'?"), "\(mistaken)")
        let lab = try await token("lab", "--printer", "mono-laser")
        #expect(try await prints("mono-laser", "x:\(lab)"))
        #expect(try await !prints("photo", "x:\(lab)"))
        #expect(try await asks("get-jobs.test", "mono-laser", "x:\(lab)"))
        #expect(try await !asks("get-jobs.test", "photo", "x:\(lab)"))

        let inside = try await spooler.printq("printers", "allow", "mono-laser", "--network", "198.51.100.0/24")
        expect(inside)
        #expect(inside.output == "only clients in 198.51.100.0/24 may print on mono-laser\n")
        #expect(try await !prints("mono-laser", "x:\(lab)"))
        expect(try await spooler.printq("printers", "allow", "mono-laser", "--network", "all"))
        #expect(try await prints("mono-laser", "x:\(lab)"))

        for name in ["boss", "anna"] {
            expect(try await spooler.printq("users", "add", name, input: "correct horse\n"))
        }
        expect(try await spooler.printq("printers", "allow", "mono-laser", "boss", "--to", "manage"))
        expect(try await spooler.printq("printers", "deny", "photo", "anna", "--to", "look"))
        let shown = try await spooler.printq("printers", "show", "mono-laser", "--json")
        #expect(shown.output.contains("printq-manage-users-allowed"))
        #expect(try await spooler.printq("printers", "show", "mono-laser").output.contains("only boss may manage"))
        let pausing = try pausingFile()
        #expect(try await !asks(pausing, "mono-laser", "anna:correct%20horse"))
        #expect(try await !asks(pausing, "photo", "boss:correct%20horse"))
        #expect(try await asks(pausing, "mono-laser", "boss:correct%20horse"))

        let server = try await token("cups", "--for-others")
        let forBen = try spooler.file(
            "for-ben.test",
            Array(
                """
                {
                OPERATION Print-Job
                GROUP operation-attributes-tag
                ATTR charset attributes-charset utf-8
                ATTR language attributes-natural-language en
                ATTR uri printer-uri $uri
                ATTR name requesting-user-name ben
                FILE $filename
                STATUS successful-ok
                }
                """.utf8))
        expect(try await client("ipptool", "-tv", "-f", file, uri("photo", as: "cups:\(server)"), forBen))
        #expect(try await spooler.printq("queue", "--all", "--json").output.contains("\"ben\""))
        let audit = try await spooler.printq("audit", "--json", "--user", "ben").output
        #expect(audit.contains("token cups") && audit.contains("\"cups\"") && audit.contains("\"ben\""), "\(audit)")
        #expect(try await spooler.printq("tokens").output.contains("submit for others"))
    }

    /// A request about printing without credentials, from an address and under a name, with the status of the answer.
    private func ask(
        _ operation: UInt8, of printer: String = "mono-laser", from address: String, as user: String, job: UInt8? = nil,
        owner: String? = nil, document: String = ""
    ) async throws -> (http: String, text: String) {
        func text(_ tag: UInt8, _ name: String, _ value: String) -> [UInt8] {
            [tag, 0, UInt8(name.utf8.count)] + Array(name.utf8) + [0, UInt8(value.utf8.count)] + Array(value.utf8)
        }
        var body: [UInt8] =
            [2, 0, 0, operation, 0, 0, 0, 1, 1] + text(0x47, "attributes-charset", "utf-8")
            + text(0x48, "attributes-natural-language", "en")
            + text(0x45, "printer-uri", "ipps://\(Self.server):8631/printers/\(printer)")
        if let job { body += [0x21, 0, 6] + Array("job-id".utf8) + [0, 4, 0, 0, 0, job] }
        if let owner { body += text(0x42, "printq-owner", owner) }
        body += text(0x42, "requesting-user-name", user) + text(0x42, "job-name", "\(user)'s secret")
        body += text(0x44, "requested-attributes", "all") + [3] + Array(document.utf8)
        let file = try spooler.file("\(operation)-\(user).ipp", body)
        let answer = try await client(
            "curl", "-s", "-i", "-k", "--interface", address, "-H", "Content-Type: application/ipp", "--data-binary",
            "@\(file)", "https://\(Self.server):8631/printers/\(printer)")
        let whole = String(decoding: answer.output.utf8, as: UTF8.self)
        return (String(whole.prefix(12).suffix(3)), whole)
    }

    @Test func `without a token, a client prints on a printer for everyone, and sees and cancels only its own jobs`()
        async throws
    {
        try await start()
        expect(try await spooler.printq("printers", "share", "mono-laser", "--anonymous"))
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        let (printJob, cancelJob, getAttributes, getJobs): (UInt8, UInt8, UInt8, UInt8) = (2, 8, 9, 10)
        let (here, there) = (Self.server, Self.neighbor)
        let pdf = "%PDF-1.4 of a guest"
        #expect(try await ask(printJob, from: here, as: "anna", document: pdf).http == "200")
        #expect(try await ask(printJob, from: there, as: "anna", document: pdf).http == "200")
        #expect(try await ask(printJob, from: here, as: "ben", document: pdf).http == "200")
        #expect(try await spooler.printq("queue", "--json").output.contains(#""anna@192.0.2.1""#))
        // Another printer, another address and another name.
        let elsewhere = try await ask(printJob, of: "inkjet", from: here, as: "anna", document: pdf)
        #expect(elsewhere.http == "401", "\(elsewhere.text)")
        for (address, user) in [(there, "anna"), (here, "ben"), (here, "root")] {
            for operation in [cancelJob, getAttributes] {
                let answer = try await ask(operation, from: address, as: user, job: 1)
                #expect(answer.http == "401", "\(answer.text)")
                #expect(!answer.text.contains("anna's secret"))
            }
        }
        let own = try await ask(getJobs, from: here, as: "anna")
        #expect(own.http == "200" && own.text.contains("anna's secret"))
        #expect(!own.text.contains("ben") && !own.text.contains(Self.neighbor))
        #expect(try await ask(getAttributes, from: here, as: "anna", job: 1).text.contains("anna's secret"))
        // Not even if all users see all jobs.
        expect(try await spooler.printq("config", "set", "jobPrivateAccess", "all"))
        let others = try await ask(getJobs, from: here, as: "anna", owner: "ben@\(here)")
        #expect(others.http == "401" && !others.text.contains("ben's secret"), "\(others.text)")
        let all = try await ask(getJobs, from: here, as: "anna")
        #expect(all.text.contains("anna's secret") && !all.text.contains("ben's secret"))
        #expect(try await ask(cancelJob, from: here, as: "anna", job: 1).http == "200")
        #expect(try await spooler.job(1).state == "canceled")
        #expect(try await spooler.job(2).state == "pending")
        // The printer is closed again.
        expect(try await spooler.printq("printers", "unshare", "mono-laser"))
        #expect(try await ask(getAttributes, from: here, as: "ben", job: 3).http == "401")
        #expect(try await ask(printJob, from: here, as: "ben", document: pdf).http == "401")
    }

    /// Runs a program in the network of printd, as a user who has a home folder and no spool.
    func remote(
        _ arguments: String..., program: String = "printq", input: String = ""
    ) async throws -> ProgramRun {
        let printd = try #require(spooler.processes(of: "printd").first)
        return try await spooler.run(
            "nsenter", ["--net=/proc/\(printd)/ns/net", spooler.program(program)] + arguments,
            environment: [
                "PRINTQ_SPOOL": "", "HOME": spooler.folder.path("home"), "PRINTQ_SERVER": "ipps://\(Self.server):8631",
                "PRINTQ_SYSTEM_SOCKET": spooler.folder.path("none/none"),
            ], input: "\(input)\n")
    }

    @Test func `'printq --server' prints, watches and cancels on another machine after 'printq login'`() async throws {
        try await start()
        let address = "ipps://\(Self.server):8631"
        let file = try spooler.file("letter.pdf", .numbered(pages: 1))
        let unknown = try await remote("queue")
        expect(unknown, code: 77)
        #expect(unknown.complaints.contains("run 'printq login'"), "\(unknown)")
        let wrong = try await remote("login", address, input: "wrong")
        expect(wrong, code: 77)
        expect(try await remote("queue"), code: 77)

        let secret = try await token("laptop", "--user", "anna")
        let login = try await remote("login", address, "--user", "anna", input: secret)
        expect(login)
        let fingerprint = try #require(login.complaints.firstMatch(of: /(?:[0-9A-F]{2}:){31}[0-9A-F]{2}/)).0
        #expect(try await spooler.printq("doctor").output.contains(fingerprint))
        let stored = spooler.folder.path("home/.config/printq/servers.json")
        #expect(try FileManager.default.attributesOfItem(atPath: stored)[.posixPermissions] as? Int == 0o600)

        let printed = try await remote("submit", "--wait", "-d", "mono-laser", "--title", "Letter", file)
        expect(printed)
        #expect(try await spooler.printq("show", "1").output.contains("anna"))
        expect(try await spooler.printq("printers", "pause", "inkjet"))
        expect(try await remote("submit", "-d", "inkjet", "--title", "Second", file))
        #expect(try await remote("queue").output.contains("Second"))
        expect(try await remote("cancel", "2"))
        #expect(try await spooler.job(2).state == "canceled")
        expect(try await remote("watch", "2", "--after", "0"), code: 1)
        #expect(try await remote("printers").output.contains("mono-laser"))
        #expect(try await remote("--server", address, "printers").output.contains("mono-laser"))
        expect(try await remote("--server=ipp://\(Self.server)", "printers"), code: 64)
        // Commands for the machine of the server.
        let local = try await remote("backup", spooler.folder.path("backup"))
        expect(local, code: 64)
        #expect(local.complaints.contains("works only on the machine of the server"))
        expect(try await remote("printers", "pause", "inkjet"), code: 77)
        #expect(!(try await spooler.run("ps", ["ax"]).output.contains(secret)))

        // Another server at the same address.
        spooler.stop()
        try FileManager.default.removeItem(atPath: "\(spooler.spool)/tls")
        try spooler.start(tcp: true, launcher: spooler.folder.path("in-namespace"))
        let swapped = try await remote("queue")
        expect(swapped, code: 77)
        #expect(swapped.complaints.contains("another certificate than at the login"), "\(swapped)")
        expect(try await remote("login", address, "--fingerprint", String(fingerprint), input: secret), code: 77)
        expect(try await remote("logout", address))
        expect(try await remote("logout", address), code: 64)
    }

    @Test func `one address has at most 64 connections, and they do not delay clients of this machine`() async throws {
        try await start()
        let program = """
            import select, socket, subprocess, sys, time
            clients = [socket.create_connection(("\(Self.server)", 8631)) for _ in range(100)]
            closed, deadline = set(), time.monotonic() + 30
            while len(closed) < 36 and time.monotonic() < deadline:
                for client in select.select([c for c in clients if c not in closed], [], [], 1)[0]:
                    closed.add(client)
            other = socket.create_connection(("\(Self.server)", 8631), source_address=("\(Self.neighbor)", 0))
            code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, timeout=20).returncode
            still = len(select.select(clients, [], [], 0)[0])
            print(len(closed), code, len(select.select([other], [], [], 0)[0]), still)
            """
        let file = try spooler.file("letter.pdf", .numbered(pages: 1))
        let run = try await client(
            "python3", "-c", program, spooler.program("printq"), "submit", "--wait", "-d", "mono-laser", file)
        #expect(run.output == "36 0 0 36\n", "\(run)")
    }

    @Test func `one address cannot have more than 100 unfinished jobs, under any names`() async throws {
        try await start()
        expect(try await spooler.printq("printers", "share", "mono-laser", "--anonymous"))
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        for number in 1...100 {
            let answer = try await ask(2, from: Self.server, as: "user-\(number)", document: "%PDF-1.4")
            #expect(answer.http == "200", "\(answer.text)")
        }
        let refused = try await ask(2, from: Self.server, as: "another", document: "%PDF-1.4")
        #expect(refused.text.contains("192.0.2.1 has reached the limit of 100 unfinished jobs"))
        #expect(try await ask(2, from: Self.neighbor, as: "another", document: "%PDF-1.4").text.contains("another's"))
        expect(try await spooler.printq("submit", try spooler.file("letter.pdf", .numbered(pages: 1))))
    }

    @Test func `without TLS, from another network, and under another name, printd answers nothing`() async throws {
        try await start()
        let plain = try await client("curl", "-s", "-i", "http://\(Self.server):8631/printers/mono-laser")
        #expect(plain.output.hasPrefix("HTTP/1.1 426 "), "\(plain.output)")
        let page = try await client("curl", "-s", "-i", "-k", "https://\(Self.server):8631/jobs")
        #expect(page.output.hasPrefix("HTTP/1.1 401 "), "\(page.output)")
        let named = try await client(
            "curl", "-s", "-i", "-k", "--resolve", "print.example.com:8631:\(Self.server)",
            "https://print.example.com:8631/jobs")
        #expect(named.output.contains(#"<form class="login""#), "\(named.output)")
        let rebound = try await client(
            "curl", "-s", "-i", "-k", "--resolve", "evil.example.net:8631:\(Self.server)",
            "https://evil.example.net:8631/jobs")
        #expect(rebound.output.contains("the Host header does not name this server"))
        let elsewhere = try await client(
            "curl", "-s", "-i", "-k", "--interface", Self.stranger, "https://\(Self.server):8631/jobs")
        #expect(elsewhere.code != 0 && elsewhere.output.isEmpty)
        let certificate = try await client(
            "openssl", "s_client", "-connect", "\(Self.server):8631", "-showcerts")
        let pem = try spooler.file("server.pem", Array(certificate.output.utf8))
        let names = try await spooler.run("openssl", ["x509", "-in", pem, "-noout", "-ext", "subjectAltName"])
        #expect(names.output.contains("DNS:print.example.com"))
        #expect(names.output.contains("IP Address:\(Self.server)"))
    }

    @Test func `without a token, the response asks for one and names no job`() async throws {
        try await start()
        let file = try spooler.file("secret plans.pdf", .numbered(pages: 1))
        try await spooler.waitForEnd(of: try await spooler.submit(file, "-d", "mono-laser"))
        let body = try getJobsRequest()
        let jobs = try await client(
            "curl", "-s", "-i", "-k", "-H", "Content-Type: application/ipp", "--data-binary", "@\(body)",
            "https://\(Self.server):8631/printers/mono-laser")
        let answer = String(decoding: jobs.output.utf8, as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(answer)")
        #expect(answer.lowercased().contains("www-authenticate: basic realm=\"printq\""))
        #expect(answer.lowercased().contains("www-authenticate: bearer"))
        #expect(answer.contains("requires a token"))
        #expect(!answer.contains("secret plans"))
        let secret = try await token("screen", "--scope", "look")
        let allowed = try await client(
            "curl", "-s", "-i", "-k", "-H", "Content-Type: application/ipp", "-H", "Authorization: Bearer \(secret)",
            "--data-binary", "@\(body)", "https://\(Self.server):8631/printers/mono-laser")
        #expect(allowed.output.hasPrefix("HTTP/1.1 200 "), "\(allowed.output)")
        #expect(!allowed.output.contains("secret plans"))
    }

    @Test func `a user on the network prints with a password, until the password changes or the user is removed`()
        async throws
    {
        try await start()
        let file = try spooler.file("letter.pdf", .numbered(pages: 1))
        let other = try spooler.file("of root.pdf", .numbered(pages: 1))
        try await spooler.waitForEnd(of: try await spooler.submit(other, "-d", "mono-laser"))
        expect(try await spooler.printq("users", "add", "anna", input: "correct horse\n"))
        let added = try await spooler.printq("users", "--json")
        #expect(added.output.contains("\"anna\"") && !added.output.contains("horse") && !added.output.contains("$y$"))
        func prints(_ login: String) async throws -> Bool {
            try await client("ipptool", "-tv", "-f", file, uri("mono-laser", as: login), "print-job.test").code == 0
        }
        for (user, password) in [("anna", "wrong horse"), ("Anna", "correct horse"), ("ben", "correct horse")] {
            #expect(try await getJobs(as: user, password).hasPrefix("HTTP/1.1 401 "))
        }
        #expect(try await !prints("anna:wrong%20horse"))
        #expect(try await prints("anna:correct%20horse"))
        try await spooler.waitForEnd(of: 2)
        #expect(try await spooler.printq("show", "2").output.contains("anna"))
        let jobs = try await getJobs(as: "anna", "correct horse")
        #expect(jobs.hasPrefix("HTTP/1.1 200 "), "\(jobs)")
        #expect(jobs.contains("job-name") && jobs.contains("anna") && !jobs.contains("of root"), "\(jobs)")

        expect(try await spooler.printq("users", "password", "anna", input: "battery staple\n"))
        #expect(try await getJobs(as: "anna", "correct horse").hasPrefix("HTTP/1.1 401 "))
        #expect(try await getJobs(as: "anna", "battery staple").hasPrefix("HTTP/1.1 200 "))
        expect(try await spooler.printq("users", "remove", "anna"))
        #expect(try await getJobs(as: "anna", "battery staple").hasPrefix("HTTP/1.1 401 "))

        // The jobs keep their owner, and another person with the name does not get them silently.
        #expect(try await spooler.printq("show", "2").output.contains("anna"))
        let again = try await spooler.printq("users", "add", "anna", input: "battery staple\n")
        #expect(again.code != 0 && again.complaints.contains("has jobs of 'anna'"), "\(again)")
        #expect(try await getJobs(as: "anna", "battery staple").hasPrefix("HTTP/1.1 401 "))
        expect(try await spooler.printq("users", "add", "anna", "--same-person", input: "battery staple\n"))
        #expect(try await getJobs(as: "anna", "battery staple").contains("job-name"))
        let files = FileManager.default.enumerator(atPath: spooler.spool)?.compactMap { $0 as? String } ?? []
        for file in files {
            let bytes = FileManager.default.contents(atPath: "\(spooler.spool)/\(file)") ?? Data()
            for secret in ["correct horse", "battery staple"] {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)")
            }
        }
    }

    @Test func `a user on the network with the name of root is no administrator`() async throws {
        try await start()
        let refused = try await spooler.printq("users", "add", "root", input: "correct horse\n")
        #expect(refused.code != 0 && refused.complaints.contains("local user 'root'"), "\(refused)")
        expect(try await spooler.printq("users", "add", "root", "--same-person", input: "correct horse\n"))
        expect(try await spooler.printq("users", "add", "boss", "--scope", "manage", input: "correct horse\n"))
        let pausing = try pausingFile()
        for (user, mayPause) in [("root", false), ("boss", true)] {
            let login = uri("mono-laser", as: "\(user):correct%20horse")
            #expect(try await client("ipptool", "-tv", login, "get-jobs.test").code == 0)
            let pause = try await client("ipptool", "-tv", login, pausing)
            #expect((pause.code == 0) == mayPause, "\(pause.output)")
            #expect(try await spooler.printq("printers").output.contains("paused") == mayPause)
        }
    }

    @Test func `ten wrong passwords refuse the passwords of one address for a minute, and no other client`()
        async throws
    {
        try await start()
        expect(try await spooler.printq("users", "add", "anna", input: "correct horse\n"))
        let secret = try await token("ci")
        #expect(try await getJobs(as: "anna", "correct horse").hasPrefix("HTTP/1.1 200 "))
        for guess in 0..<10 {
            #expect(try await getJobs(as: "anna\u{1B}[2J", "guess number \(guess)").hasPrefix("HTTP/1.1 401 "))
        }
        for password in ["guess number 11", "correct horse"] {
            let refused = try await getJobs(as: "anna", password)
            #expect(refused.hasPrefix("HTTP/1.1 429 "), "\(refused)")
            #expect(refused.lowercased().contains("retry-after: "))
            #expect(refused.contains("too many passwords were wrong"))
        }
        #expect(try await getJobs(as: "anna", "correct horse", from: Self.neighbor).hasPrefix("HTTP/1.1 200 "))
        #expect(try await getJobs(as: "ci", secret).hasPrefix("HTTP/1.1 200 "))
        let file = try spooler.file("letter.pdf", .numbered(pages: 1))
        try await spooler.waitForEnd(of: try await spooler.submit(file, "-d", "mono-laser"))
        // ipptool reports the refusal, and does not ask again and again.
        let tool = try await client(
            "ipptool", "-tv", uri("mono-laser", as: "anna:correct%20horse"), "get-jobs.test")
        #expect(tool.code != 0)
        let log = text(of: spooler.folder.path("printd.err"))
        let refusals = log.split(separator: "\n").filter { $0.contains("refused a login") }
        #expect(refusals.count == 10, "\(log)")
        #expect(refusals.allSatisfy { $0.contains(Self.server) && $0.contains("anna") && !$0.contains("\u{1B}") })
        #expect(!log.contains("guess number") && !log.contains("correct horse"))
    }

    @Test(
        .enabled(
            if: TestAccountsOfMachine.obstacle == nil,
            TestAccountsOfMachine.obstacle ?? "the accounts of the test can be made"))
    func `with network.pam, accounts of the machine print with their passwords, after users of printq`() async throws {
        try await start(
            after: TestAccountsOfMachine.commands(in: spooler.folder.path).replacing("'", with: "'\\''"))
        #expect(try await getJobs(as: "carol", "correct horse").hasPrefix("HTTP/1.1 401 "))
        expect(try await spooler.printq("config", "set", "network.pam", "true"))
        #expect(try await getJobs(as: "carol", "correct horse").hasPrefix("HTTP/1.1 200 "))
        for (user, password) in [
            ("carol", "wrong horse"), ("Carol", "correct horse"), ("dora", "correct horse"), ("root", "correct horse"),
        ] { #expect(try await getJobs(as: user, password).hasPrefix("HTTP/1.1 401 "), "\(user)") }
        let file = try spooler.file("letter.pdf", .numbered(pages: 1))
        expect(
            try await client(
                "ipptool", "-tv", "-f", file, uri("mono-laser", as: "carol:correct%20horse"), "print-job.test"))
        try await spooler.waitForEnd(of: 1)
        #expect(try await spooler.printq("show", "1").output.contains("carol"))

        let refused = try await spooler.printq("users", "add", "carol", input: "battery staple\n")
        #expect(refused.code != 0 && refused.complaints.contains("local user 'carol'"), "\(refused)")
        expect(try await spooler.printq("users", "add", "carol", "--same-person", input: "battery staple\n"))
        #expect(try await getJobs(as: "carol", "correct horse").hasPrefix("HTTP/1.1 401 "))
        #expect(try await getJobs(as: "carol", "battery staple").contains("job-name"))
        expect(try await spooler.printq("users", "remove", "carol"))
        #expect(try await getJobs(as: "carol", "correct horse").hasPrefix("HTTP/1.1 200 "))
        let browser = try await signedIn("carol", "correct horse")
        #expect(try await browser.send("GET", "/api/v1/jobs").status == 200)
        expect(try await spooler.printq("config", "set", "network.pam", "false"))
        #expect(try await getJobs(as: "carol", "correct horse").hasPrefix("HTTP/1.1 401 "))
        #expect(try await browser.send("GET", "/api/v1/jobs").status == 401)
    }

    @Test func `'users add' asks twice on a terminal without an echo`() async throws {
        try spooler.start()
        for (second, code) in [("correct horse\n", Int32(0)), ("other horse\n", 64)] {
            let terminal = try PseudoTerminal()
            func isSilent() -> Bool { terminal.attributes.c_lflag & tcflag_t(ECHO) == 0 }
            let arguments = terminal.shellArguments(
                running: spooler.program("printq"), ["users", "add", code == 0 ? "anna" : "ben"])
            async let running = spooler.run("/bin/sh", arguments)
            try await eventually("the terminal does not echo") { isSilent() }
            terminal.write("correct horse\n" + second)
            let run = try await running
            expect(run, code: code)
            #expect(run.complaints.contains("The same password again: "), "\(run)")
            #expect(!isSilent())
        }
        let users = try await spooler.printq("users").output
        #expect(users.contains("anna") && !users.contains("ben"))
    }
}
