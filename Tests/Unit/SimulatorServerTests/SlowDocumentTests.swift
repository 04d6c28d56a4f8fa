import FoundationEssentials
import IPP
import IPPClient
import IPPNetworkClient
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests of small documents whose pages take very long to render, with the real printsim and print-worker.
struct SlowDocumentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A PDF of about 2 KB with nine levels of nested forms.
    ///
    /// Each form draws the next form ten times.
    private static let nestedForms: [UInt8] = {
        var objects = [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>",
            stream("", "/F Do"),
        ]
        for level in 1...9 {
            let next = level == 9 ? "" : "/Resources<</XObject<</F \(5 + level) 0 R>>>>"
            let content = level == 9 ? "0 0 m 9 9 l S" : String(repeating: "/F Do ", count: 10)
            objects.append(stream("/Type/XObject/Subtype/Form/BBox[0 0 500 500]\(next)", content))
        }
        var pdf = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(pdf.utf8.count)
            pdf += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = pdf.utf8.count
        pdf += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            pdf += String(repeating: "0", count: 10 - digits.count) + "\(digits) 00000 n \n"
        }
        pdf += "trailer\n<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
        return Array(pdf.utf8)
    }()

    private static func stream(_ dictionary: String, _ content: String) -> String {
        "<<\(dictionary)/Length \(content.utf8.count)>>stream\n\(content)\nendstream"
    }

    /// Runs a test with printers, and passes their URIs to the test.
    private func serving(_ arguments: [String], test: (IPPClient, [String]) async throws -> Void) async throws {
        let printsim = try CompanionProcess(
            program: Programs.besideTests("printsim"),
            arguments: [
                "--speed", "instant", "--until-eof", "--no-dns-sd", "--output", folder.path("out"), "--simulators",
                "\(packageFolder)/Simulators",
            ] + arguments, log: folder.path("log"))
        let line = try #require(await printsim.readLine(within: .seconds(30)))
        let uris = line.split(separator: "\"").map(String.init).filter { $0.hasPrefix("ipp://") }
        let port = try #require(uris.first?.split(separator: "/")[1].split(separator: ":").last.flatMap { Int($0) })
        let client = IPPClient(address: .tcp(host: "127.0.0.1", port: port))
        do {
            try await test(client, uris)
        } catch {
            Issue.record(error)
        }
        await client.close()
        _ = await printsim.end()
    }

    private func print(_ document: [UInt8], _ client: IPPClient, _ uri: String) async throws {
        let answer = try await client.send(TestPrinters.request(.printJob, at: uri), document: .bytes(document))
        #expect(answer.status == .successfulOk, "\(answer)")
    }

    private func wait(at uri: String) async throws -> ProgramRun {
        try await ProgramRun(
            Programs.besideTests("printsim"), ["wait", "--jobs", "1", "--at", uri, "--timeout", "120"],
            environment: [:], in: folder.path("."))
    }

    @Test
    func `if a job exceeds the time limit for a page, the job is aborted with a reason, and the next job is printed`()
        async throws
    {
        #expect(Self.nestedForms.count < 3 << 10)
        try await serving(["inkjet", "--page-time", "2"]) { client, uris in
            let begin = ContinuousClock.now
            try await print(Self.nestedForms, client, uris[0])
            let run = try await wait(at: uris[0])
            #expect(run.code == 1, "\(run)")
            let reason = "aborted, 0 sides: rendering takes too long: no page finished in 2 s"
            #expect(run.output.contains(reason), "\(run)")
            #expect(ContinuousClock.now - begin < .seconds(60))
            // The incomplete pages were deleted.
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path("out/inkjet"))
            #expect(!files.contains { $0.hasSuffix(".png") }, "\(files)")
            try await print(PDFBuilder.numbered(pages: 1).bytes, client, uris[0])
            let next = try await ProgramRun(
                Programs.besideTests("printsim"), ["wait", "--job", "2", "--at", uris[0]], environment: [:],
                in: folder.path("."))
            #expect(next.code == 0, "\(next)")
        }
    }

    @Test func `slow pages at some printers do not block the other printers of the same printsim`() async throws {
        let slow = ["color-laser", "mono-laser", "photo"]
        try await serving(slow + ["inkjet", "--page-time", "300"]) { client, uris in
            for uri in uris.dropLast() { try await print(Self.nestedForms, client, uri) }
            try await print(PDFBuilder.numbered(pages: 1).bytes, client, uris[3])
            let run = try await wait(at: uris[3])
            #expect(run.code == 0 && run.output.contains("completed, 1 side"), "\(run)")
            for (index, uri) in uris.dropLast().enumerated() {
                let request = { TestPrinters.request($0, at: uri, job: index + 1) }
                let job = try await client.send(request(.getJobAttributes))[.job]
                #expect(job?.integer("job-state") == 5, "the job is still rendering its first page")
                #expect(try await client.send(request(.cancelJob)).status == .successfulOk)
            }
        }
    }
}
