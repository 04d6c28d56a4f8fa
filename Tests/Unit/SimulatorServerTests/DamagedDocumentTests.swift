import FoundationEssentials
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import PrintModel
import PrintTestSupport
import PrinterSimulator
import ProcessLaunch
import Testing

/// Tests of the messages of the real printsim and print-worker for documents that cannot be printed.
@Suite(.timeLimit(.minutes(2))) struct DamagedDocumentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A JPEG with 48 × 32 pixels.
    ///
    /// The image data starts at byte 293.
    private static let photo = Array(
        Data(
            base64Encoded: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0
                Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIy
                MjL/wAARCAAgADADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAYI/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABYBAQEBAAAA
                AAAAAAAAAAAAAAcGBf/EAB4RAQAABQUAAAAAAAAAAAAAAAAFBkSCwgdCQ4HB/9oADAMBAAIRAxEAPwCLATJxGs2TGs2nDt3XqGnPguxA
                Gmh2TAEycRIK9IEvTupsyHs+U9+IATB6/9k=
                """, options: .ignoreUnknownCharacters) ?? Data())

    /// The final state and message of a job.
    private struct Ending {
        var state: Int32
        var reasons: [String]
        var message: String
        var report: String
    }

    /// Sends documents to a printer, one after the other, and returns the final state of each job.
    private func endings(of documents: [(format: String, bytes: [UInt8], more: [Attribute])]) async throws -> [Ending] {
        let process = try DetachedProcess(
            program: Programs.besideTests("printsim"),
            arguments: [
                "color-laser", "--simulators", "\(packageFolder)/Simulators", "--output", folder.path("output"),
                "--socket", folder.path("s"), "--no-tcp", "--speed", "instant",
            ], log: folder.path("log"))
        defer { kill(process.pid, SIGKILL) }
        _ = try #require(process.readLine(deadline: 30))
        let client = IPPClient(address: .unix(path: folder.path("s")))
        var endings: [Ending] = []
        for document in documents {
            let printed = try await client.send(
                request(
                    .printJob,
                    [
                        Attribute("document-name", .name("Letter to Ann")),
                        Attribute("document-format", .mimeMediaType(document.format)),
                    ] + document.more.filter { $0.name != "page-ranges" },
                    template: document.more.filter { $0.name == "page-ranges" }, following: true),
                document: .bytes(document.bytes))
            #expect(printed.status.isSuccessful, "\(printed)")
            let subscription = try #require(printed[.subscription]?["notify-subscription-id"])
            // The response arrives when the job has ended.
            _ = try await client.send(
                request(
                    .getNotifications,
                    [
                        Attribute("notify-subscription-ids", subscription.values),
                        Attribute("notify-wait", .boolean(true)),
                    ]))
            let id = Int32(endings.count + 1)
            let reply = try await client.send(request(.getJobAttributes, [Attribute("job-id", .integer(id))]))
            let job = try #require(reply[.job])
            endings.append(
                Ending(
                    state: job.integer("job-state") ?? 0, reasons: job.keywords("job-state-reasons"),
                    message: job.string("job-state-message") ?? "",
                    report: try String(
                        contentsOfFile: folder.path("output/color-laser/job-00000\(id)/job.json"), encoding: .utf8)))
        }
        await client.close()
        return endings
    }

    private func request(
        _ operation: IPP.Operation, _ more: [Attribute], template: [Attribute] = [], following: Bool = false
    ) -> Message {
        let subscription = AttributeGroup(.subscription, [Attribute("notify-pull-method", .keyword("ippget"))])
        let job = template.isEmpty ? [] : [AttributeGroup(.job, template)]
        return Message(
            operation: operation, requestID: 1,
            groups: [
                .operation(
                    [
                        Attribute("printer-uri", .uri("ipp://localhost/ipp/print/color-laser")),
                        Attribute("requesting-user-name", .name("ann")),
                    ] + more)
            ] + job + (following ? [subscription] : []))
    }

    @Test func `messages about a document contain the document name and never the file path`()
        async throws
    {
        let pdf = PDFBuilder.numbered(pages: 3).bytes
        var urf = Array("UNIRAST\0".utf8) + [0, 0, 0, 1]
        urf +=
            [8, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60, 0, 0, 0, 60, 0, 0, 0, 72] + Array(repeating: 0, count: 8)
        let endings = try await endings(of: [
            ("application/pdf", Array("%PDF-1.4\nnothing more".utf8), []),
            ("application/pdf", Array("Dear Ann,\n".utf8), []),
            ("application/pdf", EncryptedPDF.userPassword, []),
            ("image/jpeg", Array(Self.photo.prefix(200)), []),
            ("image/urf", urf, []),
            ("application/pdf", pdf, [Attribute("page-ranges", .range(IntegerRange(lower: 7, upper: 9)))]),
        ])
        for (index, ending) in endings.enumerated() {
            #expect(ending.state == 8, "\(index): \(ending.message)")
            #expect(ending.message.contains("Letter to Ann"), "\(index): \(ending.message)")
            let place = folder.path("")
            #expect(!ending.message.contains(place) && !ending.report.contains(place), "\(ending.report)")
        }
    }

    @Test
    func
        `an invalid JPEG aborts the job, and a truncated JPEG gives a warning unless fidelity is required`()
        async throws
    {
        let frame: [UInt8] = [0xFF, 0xC0, 0, 17, 8, 0, 32, 0, 48, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
        let truncated = Array(Self.photo.prefix(293 + 26))
        let endings = try await endings(of: [
            ("image/jpeg", [0xFF, 0xD8] + frame + [0xFF, 0xD9], []), ("image/jpeg", truncated, []),
            ("image/jpeg", truncated, [Attribute("ipp-attribute-fidelity", .boolean(true))]),
            ("image/jpeg", Self.photo, [Attribute("ipp-attribute-fidelity", .boolean(true))]),
        ])
        #expect(
            endings.map(\.reasons) == [
                ["document-format-error", "aborted-by-system"], ["job-completed-with-warnings"],
                ["document-format-error", "aborted-by-system"], ["job-completed-successfully"],
            ])
        #expect(
            endings.map(\.message) == [
                "the JPEG image 'Letter to Ann' cannot be decoded; check that the image opens in another viewer, "
                    + "and send the image again",
                "the JPEG image 'Letter to Ann' ends too early or is damaged, so a part of the image is missing or wrong"
                    + " (Premature end of JPEG file)",
                "the JPEG image 'Letter to Ann' ends too early or is damaged, and the job requires fidelity; "
                    + "send the image again, or send the job without 'ipp-attribute-fidelity'",
                "",
            ])
        #expect(endings[1].report.contains("\"impressionsCompleted\" : 1,"))
    }
}
