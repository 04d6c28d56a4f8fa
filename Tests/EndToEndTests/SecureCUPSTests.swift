// Tests a real cupsd that requires TLS or authentication.

import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3)))
struct SecureCUPSTests {
    private let spooler: TestSpooler
    private let path: String

    init() throws {
        spooler = try TestSpooler()
        path = try spooler.file("a.pdf", .numbered(pages: 1))
    }

    /// Adds a queue that discards its jobs as a printer of the spool.
    private func addOffice(_ cups: PrivateCupsd, at uri: String) async throws {
        try await cups.addQueue("office", to: "file:/dev/null")
        expect(try await spooler.printq("printers", "add", "office", uri))
    }

    @Test(.enabled(if: OwnAddress.ipv4 != nil, Comment(rawValue: OwnAddress.requirement)))
    func `if cupsd requires TLS, printd uses TLS, and a changed certificate stops printing until a user trusts it`()
        async throws
    {
        let address = try #require(OwnAddress.ipv4)
        let settings = """
            DefaultEncryption Required
            <Location /printers>
              Encryption Required
              Allow from all
            </Location>
            """
        let cups = try PrivateCupsd(settings: settings, address: address)
        try spooler.start()
        try await addOffice(cups, at: "cups://\(address):\(cups.port)/office")
        expect(try await spooler.printq("submit", "--wait", "-d", "office", path))
        let kept = text(of: "\(spooler.spool)/access/office.json")
        #expect(kept.contains("\"certificate\""), "cupsd was reached over TLS: \(kept)")

        cups.stop()
        try cups.changeCertificate()
        try cups.start()
        expect(try await spooler.printq("submit", "-d", "office", path))
        try await eventually("the job waits until the user trusts the certificate") {
            try await spooler.why(2).contains("printq printers trust office")
        }
        try await spooler.expectStopped("office", "has changed", "cups-certificate-error")
        expect(try await spooler.printq("printers", "trust", "office"))
        try await spooler.waitForEnd(of: 2)
        #expect(try await spooler.job(2).state == "completed")
    }

    /// A policy that requires authentication for printing but not for reading the state of queues.
    private static let printersNeedNames = """
        <Limit Print-Job Create-Job Send-Document>
          AuthType Basic
          Require valid-user
          Order deny,allow
        </Limit>
        """

    @Test func `if cupsd requires authentication, the printer is stopped until the user logs in`() async throws {
        let cups = try PrivateCupsd(limits: Self.printersNeedNames)
        try spooler.start("--cups", cups.socket)
        try await addOffice(cups, at: "cups://localhost:\(cups.port)/office")
        expect(try await spooler.printq("submit", "-d", "office", path))
        let wish = "requires a login; store the credentials with 'printq printers login office'"
        try await eventually("the job waits for a login") { try await spooler.why(1).contains(wish) }
        try await spooler.expectStopped("office", wish, "cups-held-for-authentication")

        expect(try await spooler.printq("printers", "login", "office", "--user", "nobody-here", input: "open sesame\n"))
        let refusal = "rejected the password of 'nobody-here'; set a new password with 'printq printers login office'"
        try await eventually("the login is refused") { try await spooler.why(1).contains(refusal) }
        try await spooler.expectStopped("office", refusal, "cups-held-for-authentication")
        for told in [text(of: spooler.folder.path("printd.err")), cups.log, try await spooler.why(1)] {
            #expect(!told.contains("sesame") && !told.contains("bm9ib2R5LWhlcmU6"))
        }
        // At its socket, cupsd gets the user from the kernel, so no login is needed.
        expect(try await spooler.printq("printers", "change", "office", "--uri", "cups:office"))
        try await spooler.waitForEnd(of: 1)
        #expect(try await spooler.job(1).state == "completed")
        try await eventually("the printer is ready again") {
            try await spooler.printq("printers").lines.contains { $0.contains(/^ *office +ready/) }
        }
    }
}
