import Foundation
import IPP
import IPPClient
import IPPNetworkClient
import PrintTestSupport
import Testing

/// Tests of the folders of printed pages.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct OutputFolderTests {
    private let spooler: TestSpooler

    init() throws {
        spooler = try TestSpooler()
        try spooler.start()
    }

    /// Returns the path of a job's page as `preview` prints it, relative to the output folder.
    private func preview(_ job: Int) async throws -> String {
        let run = try await spooler.printq("preview", "\(job)")
        expect(run)
        return String(run.lines[0].dropFirst("\(spooler.spool)/output/".count))
    }

    private func folders(of printer: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(spooler.spool)/output/\(printer)")
            .filter { $0.contains("job-") }.sorted()
    }

    @Test func `the name of a job's output folder contains the queue's job number, even after a reprint or a move`()
        async throws
    {
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        for printer in ["mono-laser", "color-laser", "mono-laser", "color-laser"] {
            expect(try await spooler.printq("submit", "--wait", "-d", printer, path))
        }
        let run = try await spooler.printq("reprint", "3", "--wait", "-d", "color-laser")
        expect(run)
        #expect(run.output.contains("output/color-laser/job-000005/"), "\(run)")
        let moved = try await spooler.submit(path, "-d", "color-laser", "--hold")
        expect(try await spooler.printq("move", "\(moved)", "mono-laser"))
        expect(try await spooler.printq("release", "\(moved)"))
        try await spooler.waitForEnd(of: moved)
        var paths: [String] = []
        for job in 1...6 { paths.append(try await preview(job)) }
        #expect(
            paths == [
                "mono-laser/job-000001/page-0001.png", "color-laser/job-000002/page-0001.png",
                "mono-laser/job-000003/page-0001.png", "color-laser/job-000004/page-0001.png",
                "color-laser/job-000005/page-0001.png", "mono-laser/job-000006/page-0001.png",
            ])
        #expect(try await spooler.printq("show", "3").output.contains("output/mono-laser/job-000003\n"))
        #expect(try folders(of: "color-laser") == ["job-000002", "job-000004", "job-000005"])
    }

    @Test func `if a job is sent directly to the printer, the name of the job's output folder begins with 'printer-'`()
        async throws
    {
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("submit", "--wait", "-d", "color-laser", path))
        let client = IPPClient(address: .unix(path: "\(spooler.spool)/printsim.sock"))
        let message = Message(
            version: .v2_0, operation: .printJob, requestID: 1,
            groups: [
                .operation([
                    Attribute("printer-uri", .uri("ipp://localhost/ipp/print/color-laser")),
                    Attribute("requesting-user-name", .name("ann")),
                ])
            ])
        #expect(try await client.send(message, document: .file(path: path)).status.rawValue < 0x100)
        await client.close()
        expect(try await spooler.printq("submit", "--wait", "-d", "color-laser", path))
        #expect(try await preview(2) == "color-laser/job-000002/page-0001.png")
        #expect(try folders(of: "color-laser") == ["job-000001", "job-000002", "printer-job-000002"])
    }
}
