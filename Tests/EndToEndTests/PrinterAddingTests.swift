import Foundation
import PrintTestSupport
import Testing

/// What `printq printers add` says when it adds nothing, and what is left then: nothing.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct PrinterAddingTests {
    private let spooler: TestSpooler

    init() throws {
        spooler = try TestSpooler()
        try spooler.start()
    }

    /// Expects a printer to be refused.
    private func expectRefused(_ uri: String, code: Int32, _ words: String) async throws {
        let run = try await spooler.printq("printers", "add", "x", uri)
        expect(run, code: code)
        #expect(run.complaints.contains(words), "\(run)")
        #expect(try await spooler.printq("printers").lines.allSatisfy { !$0.contains(/^\*? +x\s/) })
        let kept = (try? FileManager.default.contentsOfDirectory(atPath: "\(spooler.spool)/access")) ?? []
        #expect(kept == [], "nothing is kept of a printer that there is not")
    }

    @Test func `each way to be no printer has words and an exit code of its own`() async throws {
        try await expectRefused(
            "ipp://no-such-host.invalid/ipp", code: 75,
            "its name is not known; is it written right?; add it when it is on")
        try await expectRefused(
            "ipp://localhost:1/ipp", code: 75,
            "nobody listens there; is it on, and the port right?; add it when it is on")
        let none = try AnsweringPort("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        try await expectRefused(
            none.uri, code: 76, "HTTP 404 Not Found; it does not answer as a printer that speaks IPP; look at its URI")
        let web = try AnsweringPort("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi")
        try await expectRefused(web.uri, code: 76, "its type is 'text/html' instead of application/ipp")
        let other = try AnsweringPort("SSH-2.0-OpenSSH_9\r\n")
        try await expectRefused(other.uri, code: 76, "it is not HTTP; it does not answer as a printer that speaks IPP")
        let strange = try SecurePrinter()
        try await expectRefused(strange.uri + "-none", code: 69, "there is no printer 'mono-laser-none'")
        try await expectRefused("printsim:nothing", code: 69, "there is no printer 'nothing'")
    }

    @Test(arguments: ["/proc", "/sys"])
    func `a folder that holds no files is refused, whatever its rights say`(folder: String) async throws {
        let words =
            geteuid() == 0
            ? "no files can be made in the folder '\(folder)'" : "the folder '\(folder)' cannot be written by"
        try await expectRefused("folder:\(folder)", code: 75, words)
        let run = try await spooler.printq("printers", "add", "x", "folder:\(folder)")
        #expect(run.complaints.hasSuffix("; add it when that is mended, or now with --no-check\n"), "\(run)")
    }

    @Test func `a folder is tried without leaving anything in it`() async throws {
        let folder = spooler.folder.path("pdfs")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        expect(try await spooler.printq("printers", "add", "x", "folder:\(folder)"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test func `a printer that is not moved keeps its login and the certificate that it is trusted by`() async throws {
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
        #expect(!moved.contains("sesame"), "a password is told to no other server")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(spooler.spool)/access") == ["office.json"])
    }
}

/// A port where something answers that is no printer.
private final class AnsweringPort: Sendable {
    private let place: LoopbackPort
    /// As a printer's.
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
