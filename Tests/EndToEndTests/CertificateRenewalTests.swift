// Tests the renewal of the self-signed certificate with a clock that the test moves.

import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3)))
struct CertificateRenewalTests {
    private static let day = 86_400

    private let spooler: TestSpooler
    private let environment: [String: String]
    private let port: Int
    private let document: String

    init() async throws {
        spooler = try TestSpooler()
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Clock/moved-clock.c").path
        let library = spooler.folder.path("moved-clock.so")
        expect(try await spooler.run("cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]))
        let clock = try spooler.file("clock", [UInt8](repeating: 0, count: 8))
        environment = ["LD_PRELOAD": library, "CLOCK_FILE": clock]
        let launcher = spooler.folder.path("with-clock")
        try "#!/bin/sh\nexec env LD_PRELOAD='\(library)' CLOCK_FILE='\(clock)' \"$@\"\n".write(
            toFile: launcher, atomically: true, encoding: .utf8)
        chmod(launcher, 0o755)
        port = try LoopbackPort(isShared: true).number
        expect(try await spooler.printq("init"))
        expect(try await spooler.printq("network", "enable", "--listen", "127.0.0.1:\(port)", "--allow", "127.0.0.0/8"))
        try spooler.start(tcp: true, launcher: launcher)
        document = try spooler.file("letter.pdf", .numbered(pages: 1))
    }

    /// Moves the clock of printd and of the clients.
    private func moveClock(days: Int) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: spooler.folder.path("clock")))
        try file.write(contentsOf: withUnsafeBytes(of: days * Self.day) { Data($0) })
        try file.close()
    }

    /// Runs a client with the moved clock.
    private func client(_ program: String, _ arguments: String..., input: String? = nil) async throws -> ProgramRun {
        try await spooler.run(
            program, arguments,
            environment: environment.merging(
                [
                    "PRINTQ_SPOOL": "", "PRINTQ_SERVER": "ipps://localhost:\(port)",
                    "PRINTQ_SYSTEM_SOCKET": spooler.folder.path("none/none"),
                ]) { _, new in new }, input: input)
    }

    /// Prints with the clients of printq, with libcups, and with a client that verifies the certificate.
    private func printWithEveryClient() async throws {
        // The certificate file of the first day is the only authority that curl trusts.
        let page = try await client(
            "curl", "-sS", "-f", "-o", "/dev/null", "--cacert", spooler.folder.path("first-day.pem"),
            "https://localhost:\(port)/printers/mono-laser/icon-48.png")
        expect(page)
        expect(
            try await client(spooler.program("printq"), "submit", "--wait", "-d", "mono-laser", document))
        let lp = try await client("lp", "-E", "-h", "localhost:\(port)", "-d", "mono-laser", document)
        expect(lp)
        if let id = lp.jobID { #expect(try await spooler.ended(id).state == "completed") }
    }

    @Test(arguments: [true, false])
    func `eleven years later, printd has renewed its certificate without a restart, and clients keep printing`(
        hasConnectionsBefore: Bool
    ) async throws {
        let token = try #require(try await spooler.printq("tokens", "create", "laptop", "--user", "anna").lines.first)
        expect(
            try await client(
                spooler.program("printq"), "login", "ipps://localhost:\(port)", "--user", "anna", input: "\(token)\n"))
        let certificate = "\(spooler.spool)/tls/certificate.pem"
        let first = try Data(contentsOf: URL(filePath: certificate))
        try first.write(to: URL(filePath: spooler.folder.path("first-day.pem")))
        try await printWithEveryClient()

        if hasConnectionsBefore {
            // Ten days before the certificate expires.
            try moveClock(days: 3640)
            try await printWithEveryClient()
            try await eventually("the certificate is renewed") {
                try Data(contentsOf: URL(filePath: certificate)) != first
            }
        }
        try moveClock(days: 11 * 365)
        #expect(
            try await spooler.run(
                "openssl",
                ["x509", "-in", spooler.folder.path("first-day.pem"), "-noout", "-checkend", "\(11 * 365 * Self.day)"]
            ).code == 1)
        try await printWithEveryClient()
        #expect(spooler.processes(of: "printd").count == 1)
        #expect(try spooler.log(of: "mono-laser").count == (hasConnectionsBefore ? 6 : 4))
    }
}
