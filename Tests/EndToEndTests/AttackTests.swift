// Tests attacks from a host of the network: they are refused and recorded, and local clients keep printing.

import Foundation
import IPP
import PrintTestSupport
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(TestRun.isLong ? 15 : 4)),
    .enabled(if: NetworkHost.obstacle == nil, Comment(rawValue: NetworkHost.obstacle ?? "")))
struct AttackTests {
    private let office: OfficeNetwork
    private var spooler: TestSpooler { office.spooler }
    private let letter: String

    init() async throws {
        office = try await OfficeNetwork()
        letter = try office.spooler.file("letter.pdf", .numbered(pages: 1))
        try office.laptop.addAddress("192.168.7.3/24")
    }

    // MARK: - Slow connections

    /// A program that opens connections, sends the bytes of a request one by one, and replaces closed connections.
    ///
    /// It prints a line when it has made the first attempts, and a line with the attempts, the refused connections and
    /// the open connections when its input ends.
    private static let slowClient = """
        import resource, select, socket, ssl, sys, time
        count = int(sys.argv[1])
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        client, server = ssl.MemoryBIO(), ssl.MemoryBIO()
        hello = ssl._create_unverified_context().wrap_bio(client, server, server_hostname="print.example.com")
        try:
            hello.do_handshake()
        except ssl.SSLWantReadError:
            pass
        hello = server.read()
        # Nothing; the beginning of TLS; a request without TLS.
        kinds = [b"", hello, b"POST /printers/mono-laser HTTP/1.1\\r\\nHost: print.example.com\\r\\n" + b"X: y\\r\\n" * 999]
        opened = refused = 0
        clients = {}
        def connect():
            global opened, refused
            opened += 1
            try:
                made = socket.create_connection(("192.168.7.1", 8632), timeout=5, source_address=("192.168.7.2", 0))
                made.setblocking(False)
                clients[made] = [kinds[opened % len(kinds)], 0]
            except OSError:
                refused += 1
        def look(timeout=0):
            global refused
            poll = select.poll()
            names = {}
            for made in list(clients):
                names[made.fileno()] = made
                poll.register(made, select.POLLIN)
            for number, _ in poll.poll(timeout):
                made = names[number]
                try:
                    ended = not made.recv(4096)
                except BlockingIOError:
                    continue
                except OSError:
                    ended = True
                if ended:
                    refused += 1
                    del clients[made]
                    made.close()
        def trickle():
            for made, state in clients.items():
                try:
                    state[1] += made.send(state[0][state[1]:state[1] + 1])
                except OSError:
                    pass
        for _ in range(count):
            connect()
        look()
        print("standing", flush=True)
        while not select.select([sys.stdin], [], [], 0.05)[0]:
            look()
            for _ in range(count - len(clients)):
                connect()
                if opened > 20 * count:
                    break
            trickle()
        # The server closes the last connections soon.
        deadline = time.monotonic() + 60
        while len(clients) > 64 and time.monotonic() < deadline:
            look(1000)
        print(opened, refused, len(clients), flush=True)
        """

    @Test func `while one address opens many slow connections, local clients and other addresses print`() async throws {
        let (connections, jobs) = TestRun.isLong ? (2000, 100) : (200, 10)
        expect(try await spooler.printq("printers", "share", "mono-laser", "--anonymous"))
        let attack = try office.laptop.start("python3", "-c", Self.slowClient, "\(connections)")
        #expect(attack.readLine() == "standing")
        for _ in 0..<jobs {
            expect(try await spooler.printq("submit", "--wait", "-d", "mono-laser", letter))
        }
        // A client with another address connects, prints, and sees its job.
        let printed = try await send(.printJob, from: "192.168.7.3", as: "anna", document: true)
        #expect(printed.status == "200" && printed.text.contains("job-uri"), "\(printed.text)")
        try await spooler.waitForEnd(of: jobs + 1)
        let ended = try attack.finish()
        let figures = ended.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(ended.code == 0 && figures.count == 3, "\(ended)")
        let (opened, refused, standing) = (figures[0], figures[1], figures[2])
        // The attack was there until the end, with no more connections than one address may have.
        #expect((1...64).contains(standing), "\(figures)")
        #expect(opened >= connections && refused >= connections - 64, "\(figures)")
        #expect(try spooler.log(of: "mono-laser").count { $0.state == "completed" } == jobs + 1)
        // Refused connections had no request.
        #expect(try await audit().allSatisfy { $0.status == "successful-ok" })
    }

    // MARK: - Requests

    private struct Entry {
        var user: String
        var proof: String
        var address: String
        var operation: String
        var status: String
    }

    /// Returns the audit log.
    private func audit() async throws -> [Entry] {
        let run = try await spooler.printq("audit", "--json")
        let entries = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]] ?? []
        return entries.map { entry in
            func text(_ name: String) -> String { entry["printq-audit-\(name)"] as? String ?? "" }
            return Entry(
                user: text("user"), proof: text("proof"), address: text("address"), operation: text("operation"),
                status: text("status"))
        }
    }

    /// Sends a request with curl, and returns the HTTP status and the whole response.
    private func send(
        _ operation: IPP.Operation, from address: String = "192.168.7.2", as person: String, job: Int? = nil,
        login: String? = nil, scheme: String = "https", document: Bool = false
    ) async throws -> (status: String, text: String) {
        var attributes = [
            Attribute("printer-uri", .uri("ipps://print.example.com:8632/printers/mono-laser")),
            Attribute("requesting-user-name", .name(person)),
        ]
        if let job { attributes.insert(Attribute("job-id", .integer(Int32(job))), at: 1) }
        let request = Message(
            version: .v2_0, operation: operation, requestID: 1, groups: [.operation(attributes)])
        let body = try spooler.file(
            "request.ipp", try request.encoded() + (document ? PDFBuilder.numbered(pages: 1).bytes : []))
        let credentials = try spooler.file("login", Array((login.map { "user = \"\($0)\"\n" } ?? "").utf8))
        let run = try await office.laptop.run(
            "curl", "-s", "-i", "-k", "--config", credentials, "--interface", address, "-H",
            "Content-Type: application/ipp", "--data-binary", "@\(body)",
            "\(scheme)://print.example.com:8632/printers/mono-laser")
        return (run.output.split(separator: " ").dropFirst().first.map(String.init) ?? "", run.output)
    }

    @Test func `stolen tokens, guessed passwords and claimed names are refused, and each is in the audit log`()
        async throws
    {
        expect(try await spooler.printq("printers", "share", "mono-laser", "--anonymous"))
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        #expect(try await send(.printJob, from: "192.168.7.3", as: "anna", document: true).status == "200")
        let before = try await audit().count

        let created = try await spooler.printq("tokens", "create", "stolen", "--scope", "manage")
        let secret = try #require(created.lines.first)
        #expect(try await send(.pausePrinter, as: "mallory", login: "x:\(secret)").status == "200")
        expect(try await spooler.printq("tokens", "revoke", "stolen"))
        #expect(try await send(.resumePrinter, as: "mallory", login: "x:\(secret)").status == "401")
        #expect(try await spooler.printq("printers").output.contains("paused"))

        expect(try await spooler.printq("users", "add", "boss", "--scope", "manage", input: "correct horse\n"))
        for guess in 0..<10 {
            #expect(try await send(.resumePrinter, as: "boss", login: "boss:guess \(guess)").status == "401")
        }
        #expect(try await send(.resumePrinter, as: "boss", login: "boss:correct horse").status == "429")

        // The name and the number of another person's job, and the names of administrators.
        for person in ["anna", "root", "anna@192.168.7.3"] {
            #expect(try await send(.cancelJob, as: person, job: 1).status == "401")
        }
        #expect(try await spooler.job(1).state == "pending")

        let entries = try await audit().dropFirst(before).filter { $0.address == "192.168.7.2" }
        #expect(
            entries.map { "\($0.operation) \($0.status)" }
                == ["Pause-Printer successful-ok", "Resume-Printer client-error-not-authenticated"]
                + Array(repeating: "Resume-Printer client-error-not-authenticated", count: 10)
                + ["Resume-Printer server-error-busy"]
                + Array(repeating: "Cancel-Job client-error-not-authenticated", count: 3), "\(entries)")
        #expect(entries.dropFirst().allSatisfy { $0.proof != "password" && !$0.proof.hasPrefix("token") }, "\(entries)")
        let stored = try String(contentsOfFile: "\(spooler.spool)/audit.log", encoding: .utf8)
        #expect(!stored.contains(secret) && !stored.contains("guess") && !stored.contains("horse"))
    }

    @Test func `connections without TLS and with old TLS are refused before credentials are read`() async throws {
        expect(try await spooler.printq("users", "add", "anna", input: "correct horse\n"))
        let plain = try await send(.printJob, as: "anna", login: "anna:correct horse", scheme: "http", document: true)
        #expect(plain.status == "426", "\(plain.text)")
        #expect(try await spooler.jobs("--all").isEmpty)
        for version in ["-tls1", "-tls1_1"] {
            let old = try await office.laptop.run(
                "openssl", "s_client", "-connect", "192.168.7.1:8632", version, "-cipher", "ALL:@SECLEVEL=0")
            #expect(old.code != 0 && old.output.contains("Cipher is (NONE)"), "\(old)")
        }
        // The server read no request, so no request is recorded.
        #expect(try await audit().allSatisfy { $0.operation != "Print-Job" })
        // libcups continues with TLS, and sends its credentials then.
        expect(
            try await office.laptop.run(
                "ipptool", "-tv", "-f", letter,
                "ipp://anna:correct%20horse@print.example.com:8632/printers/mono-laser", "print-job.test"))
        #expect(try await audit().last?.proof == "password")
    }
}
