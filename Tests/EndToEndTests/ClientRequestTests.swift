// Tests requests shaped as phones, Chromebooks and Windows send them, over TLS, to a shared printer.

import Foundation
import PrintTestSupport
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(if: NetworkHost.obstacle == nil, Comment(rawValue: NetworkHost.obstacle ?? "")))
struct ClientRequestTests {
    /// A client whose requests are in the file `ClientRequests/NAME.test`, and the documents that it sends.
    struct Client: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The user name in the requests.
        let person: String
        /// The formats of the documents.
        let formats: [String]

        static let all = [
            Client(testDescription: "ios", person: "Anna's iPhone", formats: ["application/pdf", "image/urf"]),
            Client(testDescription: "android", person: "anna", formats: ["application/pdf", "image/pwg-raster"]),
            Client(testDescription: "chromeos", person: "anna", formats: ["application/pdf"]),
            Client(testDescription: "windows", person: "CORP\\anna", formats: ["image/pwg-raster", "application/pdf"]),
        ]
    }

    private let office: OfficeNetwork
    private var spooler: TestSpooler { office.spooler }

    init() async throws {
        office = try await OfficeNetwork()
        expect(try await office.spooler.printq("printers", "share", "color-laser", "--anonymous"))
        expect(try await office.spooler.printq("printers", "share", "mono-laser"))
    }

    /// Returns a document with two pages.
    private func document(_ format: String) throws -> String {
        let name = format.split(separator: "/").last.map(String.init) ?? format
        guard format != "application/pdf" else { return try spooler.file(name, .numbered(pages: 2)) }
        var raster = RasterBuilder(format == "image/urf" ? .urf : .pwg, .srgb8)
        for _ in 0..<2 { raster.addPage("RR__\n__BB\nK___", dpi: 72) }
        return try spooler.file(name, raster.bytes)
    }

    @Test(arguments: Client.all)
    func `a client prints on a shared printer`(client: Client) async throws {
        expect(try await spooler.printq("users", "add", "anna", input: "correct horse\n"))
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ClientRequests").path
        let requests = "\(folder)/\(client.testDescription).test"
        let names = try String(contentsOfFile: requests, encoding: .utf8).split(separator: "\n").count {
            $0.contains("NAME \"")
        }
        var jobs = 0
        for format in client.formats {
            let file = try document(format)
            // A printer for everyone asks for no password; the other printer does.
            for (printer, login) in [("color-laser", ""), ("mono-laser", "anna:correct%20horse@")] {
                let run = try await office.laptop.run(
                    "ipptool", "-tv", "-d", "person=\(client.person)", "-d", "filetype=\(format)", "-f", file,
                    "ipps://\(login)print.example.com:8632/printers/\(printer)", requests)
                expect(run)
                #expect(run.output.split(separator: "\n").count { $0.hasSuffix("[PASS]") } == names, "\(run)")
                #expect(run.output.contains("ipps://print.example.com:8632/"), "\(run)")
                jobs += 1
                let job = try await spooler.ended(jobs)
                // No attribute that the client sends is ignored.
                #expect(job.state == "completed" && job.reasons == ["job-completed-successfully"], "\(format): \(job)")
                #expect(job.impressions == 2, "\(format): \(job)")
                #expect(try PrintedJob(folder: try #require(job.folder)).pageNames.count == 2)
                let owner = login.isEmpty ? "\(client.person)@192.168.7.2" : "anna"
                #expect(
                    try await spooler.printq("show", "\(jobs)", "--json").output.contains(
                        "\"\(owner.replacing("\\", with: "\\\\"))\""))
            }
        }
        #expect(try spooler.log(of: "color-laser").count == client.formats.count)
    }
}
