import Foundation
import PrintTestSupport
import Testing

/// Tests of the errors of `printq printers add`, which must leave no files after an error.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct PrinterAddingTests {
    private let spooler: TestSpooler

    init() throws {
        spooler = try TestSpooler()
        try spooler.start()
    }

    /// Checks that a printer is refused.
    private func expectRefused(_ uri: String, code: Int32, _ words: String) async throws {
        let run = try await spooler.printq("printers", "add", "x", uri)
        expect(run, code: code)
        #expect(run.complaints.contains(words), "\(run)")
        #expect(try await spooler.printq("printers").lines.allSatisfy { !$0.contains(/^\*? +x\s/) })
        let kept = (try? FileManager.default.contentsOfDirectory(atPath: "\(spooler.spool)/access")) ?? []
        #expect(kept == [], "nothing is stored for a refused printer")
    }

    @Test func `'printers add' refuses each kind of invalid URI with a specific message and exit code`() async throws {
        try await expectRefused(
            "ipp://no-such-host.invalid/ipp", code: 75,
            "cannot resolve host; add the printer when it is on")
        try await expectRefused(
            "ipp://localhost:1/ipp", code: 75,
            "connection refused; check that the printer is on and the port is correct; add the printer when it is on"
        )
        let none = try AnsweringPort("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        try await expectRefused(
            none.uri, code: 76, "HTTP 404 Not Found; the device is not an IPP printer; check its URI")
        let web = try AnsweringPort("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi")
        try await expectRefused(
            web.uri, code: 76, "the response has the media type 'text/html' instead of application/ipp")
        let other = try AnsweringPort("SSH-2.0-OpenSSH_9\r\n")
        try await expectRefused(other.uri, code: 76, "the response is not HTTP; the device is not an IPP printer")
        let strange = try SecurePrinter()
        try await expectRefused(strange.uri + "-none", code: 69, "unknown printer 'mono-laser-none'")
        try await expectRefused("printsim:nothing", code: 69, "unknown printer 'nothing'")
    }

    @Test(arguments: ["/proc", "/sys"])
    func `'printers add' refuses a folder in which printd cannot create files`(folder: String) async throws {
        let words =
            geteuid() == 0
            ? "cannot create files in the folder '\(folder)'" : "no write permission for the folder '\(folder)'"
        try await expectRefused("folder:\(folder)", code: 75, words)
        let run = try await spooler.printq("printers", "add", "x", "folder:\(folder)")
        #expect(
            run.complaints.hasSuffix("; add the printer when the error is fixed, or now with --no-check\n"), "\(run)")
    }

    @Test func `'printers add' leaves no files in the folder of the new printer`() async throws {
        let folder = spooler.folder.path("pdfs")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        expect(try await spooler.printq("printers", "add", "x", "folder:\(folder)"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test func `if a change of a printer is refused, the credentials and the trusted certificate stay unchanged`()
        async throws
    {
        let (office, other) = (try SecurePrinter(), try SecurePrinter())
        expect(try await spooler.printq("printers", "add", "office", office.uri))
        expect(try await spooler.printq("printers", "login", "office", "--user", "ann", input: "open sesame\n"))
        let path = "\(spooler.spool)/access/office.json"
        let kept = text(of: path)
        #expect(kept.contains("certificate") && kept.contains("open sesame"))
        for uri in [other.uri + "-none", office.uri + "-none"] {
            expect(try await spooler.printq("printers", "change", "office", "--uri", uri), code: 69)
            #expect(text(of: path) == kept)
        }
        expect(try await spooler.printq("printers", "change", "office", "--uri", other.uri))
        let moved = text(of: path)
        #expect(moved.contains("certificate") && moved.contains("localhost:\(other.port)"), "\(moved)")
        #expect(!moved.contains("sesame"), "the password must not be kept for a different server")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(spooler.spool)/access") == ["office.json"])
    }
}

/// A port on which a program that is not a printer sends responses.
private final class AnsweringPort: Sendable {
    private let place: LoopbackPort
    /// The URI, in the form of a printer's URI.
    let uri: String

    init(_ answer: String) throws {
        place = try LoopbackPort()
        uri = "ipp://127.0.0.1:\(place.number)/ipp/print"
        try place.serve { client in
            var byte: UInt8 = 0
            recv(client, &byte, 1, 0)
            _ = send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
            shutdown(client, Int32(SHUT_WR))
            while recv(client, &byte, 1, 0) == 1 {}
        }
    }

    deinit {
        shutdown(place.socket, Int32(SHUT_RDWR))
        close(place.socket)
    }
}
