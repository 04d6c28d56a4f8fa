import Foundation
import IPP
import IPPClient
import IPPNetworkClient
import PrintTestSupport
import Testing

/// Tests of CUPS' backend with an empty document.
///
/// The backend sends a new job immediately if the first job is refused with client-error-not-possible.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct EmptyFileTests {
    private static let backend = "/usr/lib/cups/backend/ipp"

    /// Runs CUPS' backend with files in the same way as cupsd.
    ///
    /// Stops the backend after 60 seconds.
    private func send(_ documents: [String], to uri: String, in folder: TemporaryFolder) async throws -> ProgramRun {
        try await ProgramRun(
            "/usr/bin/timeout", ["-k", "1", "60", Self.backend, "1", "ann", "Nothing", "1", ""] + documents,
            environment: [
                "DEVICE_URI": uri, "PRINTER": "office", "CONTENT_TYPE": "application/pdf",
                "FINAL_CONTENT_TYPE": "application/pdf", "LANG": "C", "TMPDIR": folder.path,
            ], in: folder.path)
    }

    /// Returns the jobs of a printer, each with its state and its reasons.
    private func jobs(at uri: String, port: Int) async throws -> [String] {
        let client = IPPClient(address: .tcp(host: "127.0.0.1", port: port))
        let answer = try await client.send(
            Message(
                version: .v2_0, operation: .getJobs, requestID: 1,
                groups: [
                    .operation([
                        Attribute("printer-uri", .uri(uri)), Attribute("requesting-user-name", .name("ann")),
                        Attribute("which-jobs", .keyword("all")),
                        Attribute("requested-attributes", .keyword("job-state"), .keyword("job-state-reasons")),
                    ])
                ]))
        await client.close()
        return answer.groups(.job).map {
            "\($0.integer("job-state") ?? 0) \($0.keywords("job-state-reasons").joined(separator: " "))"
        }
    }

    @Test func `for an empty file, the CUPS backend creates exactly one job at printd, and printd aborts the job`()
        async throws
    {
        let spooler = try TestSpooler()
        let host = try spooler.start(tcp: true).host
        let port = try #require(Int(host.split(separator: ":")[1]))
        let uri = "ipp://\(host)/printers/color-laser"
        let empty = try spooler.file("empty.pdf", [])
        let run = try await send([empty], to: uri, in: spooler.folder)
        #expect(run.code != 124, "the backend exits: \(run.complaints.suffix(2_000))")
        #expect(try await jobs(at: uri, port: port) == ["8 errors-detected aborted-by-system"])
        let log = try await spooler.printq("why", "1")
        #expect(log.output.contains("no document"), "\(log)")
    }

    @Test
    func `for an empty file, the CUPS backend creates exactly one job at a printer, and the printer aborts the job`()
        async throws
    {
        let folder = try TemporaryFolder()
        let printer = try NetworkPrinter()
        let empty = folder.path("empty.pdf")
        try Data().write(to: URL(fileURLWithPath: empty))
        let run = try await send([empty], to: printer.uri, in: folder)
        #expect(run.code != 124, "the backend exits: \(run.complaints.suffix(2_000))")
        #expect(try await jobs(at: printer.uri, port: printer.port) == ["8 errors-detected aborted-by-system"])
    }
}
