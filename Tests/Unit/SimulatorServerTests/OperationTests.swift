import FoundationEssentials
import IPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Testing

/// Tests of the operations of a simulated printer over a real socket.
struct OperationTests {
    @Test func `a completed job reports the number of printed sides and sheets`() async throws {
        try await TestPrinters.serving { printers in
            let id = try await printers.print([Attribute("sides", .keyword("two-sided-long-edge"))])
            _ = try await printers.job(id)
            let job = try await printers.attributes(of: id)
            #expect(job.integer("job-state") == 9)
            #expect(job.keywords("job-state-reasons") == ["job-completed-successfully"])
            #expect(job.integer("job-impressions-completed") == 3)
            #expect(job.integer("job-media-sheets-completed") == 2)
            #expect(job.string("job-name") == "letter")
            #expect(job.string("job-originating-user-name") == "ann")
            #expect(job.string("job-uri") == "ipp://localhost/ipp/print/laser/jobs/1")
            #expect(job.string("sides") == "two-sided-long-edge")
            #expect(job.string("job-hold-until") == "no-hold")
            #expect(FileManager.default.fileExists(atPath: printers.folder.path("output/laser/job-000001/sheets.pdf")))
        }
    }

    // RFC 8011 §5.3.17.2 and §5.3.17.3: job-impressions does not include copies. job-media-sheets includes copies.
    // PWG 5100.7 §6.7: job-pages counts the pages of the document.
    @Test
    func `job-pages and job-impressions count one copy, and attributes that end with '-completed' count all copies`()
        async throws
    {
        try await TestPrinters.serving { printers in
            let id = try await printers.print([
                Attribute("sides", .keyword("two-sided-long-edge")), Attribute("copies", .integer(2)),
            ])
            _ = try await printers.job(id)
            let job = try await printers.attributes(of: id)
            let counts = [
                "job-pages", "job-pages-completed", "job-pages-completed-current-copy", "job-impressions",
                "job-impressions-completed", "job-media-sheets", "job-media-sheets-completed",
            ].map { job.integer($0) }
            #expect(counts == [3, 6, 3, 3, 6, 4, 4])
        }
    }

    @Test func `all printers share one sequence of job numbers`() async throws {
        try await TestPrinters.serving { printers in
            let first = try await printers.print()
            let other = try await printers.print(at: TestPrinters.inkjetURI)
            let second = try await printers.print()
            #expect([first, other, second] == [1, 2, 3])
        }
    }

    @Test func `a request that names only the job's number reaches the job, whatever printer prints the job`()
        async throws
    {
        try await TestPrinters.serving { printers in
            let server = "ipp://localhost/"
            for uri in [TestPrinters.laserURI, TestPrinters.inkjetURI] {
                _ = try await printers.ask(.pausePrinter, at: uri)
            }
            let laser = try await printers.print()
            let inkjet = try await printers.print(at: TestPrinters.inkjetURI)
            let listed = try await printers.ask(.getJobs, at: server)
            #expect(listed.groups(.job).map { $0.integer("job-id") } == [1, 2])
            let first = try await printers.ask(.getJobs, at: "ipp://localhost/ipp/print")
            #expect(first.groups(.job).map { $0.integer("job-id") } == [1], "the default printer")
            // The command 'cancel inkjet-2' sends this request.
            #expect(try await printers.ask(.cancelJob, at: server, job: inkjet).status == .successfulOk)
            #expect(await printers.service.devices[0].job(laser)?.state == .pending)
            #expect(await printers.service.devices[1].job(inkjet)?.state == .canceled)
            let wrong = try await printers.ask(.cancelJob, at: TestPrinters.inkjetURI, job: laser)
            #expect(wrong.status == .clientErrorNotFound)
        }
    }

    @Test(arguments: ["ipp://localhost/", "ipp://localhost/ipp/print"])
    func `a URI without a printer name selects the first printer`(uri: String) async throws {
        try await TestPrinters.serving { printers in
            let answer = try await printers.ask(.getPrinterAttributes, at: uri)
            #expect(answer[.printer]?.string("printer-name") == "laser")
            #expect(answer[.printer]?.string("printer-uri-supported") == "ipp://localhost/ipp/print/laser")
        }
    }

    @Test func `a request for an unknown printer fails with client-error-not-found`() async throws {
        try await TestPrinters.serving { printers in
            let answer = try await printers.ask(.getPrinterAttributes, at: "ipp://localhost/ipp/print/plotter")
            #expect(answer.status == .clientErrorNotFound)
            #expect(answer[.operation]?.string("status-message")?.contains("laser, inkjet") == true)
        }
    }

    @Test func `Validate-Job creates no job and uses no job number`() async throws {
        try await TestPrinters.serving { printers in
            let fine = try await printers.ask(
                .validateJob, [Attribute("document-format", .mimeMediaType("application/pdf"))])
            #expect(fine.status == .successfulOk)
            let wrong = try await printers.ask(
                .validateJob, [Attribute("document-format", .mimeMediaType("text/plain"))])
            #expect(wrong.status == .clientErrorDocumentFormatNotSupported)
            #expect(try await printers.print() == 1)
        }
    }

    @Test func `a job from Create-Job waits for its document and is then printed`() async throws {
        try await TestPrinters.serving { printers in
            let created = try await printers.ask(.createJob, [Attribute("job-name", .name("later"))])
            #expect(created[.job]?.integer("job-state") == 4)
            #expect(created[.job]?.keywords("job-state-reasons") == ["job-incoming"])
            let sent = try await printers.ask(
                .sendDocument, job: 1,
                [Attribute("last-document", .boolean(true)), Attribute("document-name", .name("later.pdf"))],
                document: TestPrinters.pdf)
            #expect(sent.status == .successfulOk)
            let job = try await printers.job(1)
            #expect(job.state == .completed)
            #expect(job.documents.map(\.name) == ["later.pdf"])
        }
    }

    @Test func `a job accepts documents until last-document=true, and an empty last document closes the job`()
        async throws
    {
        try await TestPrinters.serving { printers in
            let printer = try await printers.ask(.getPrinterAttributes)[.printer]
            #expect(printer?.boolean("multiple-document-jobs-supported") == true)
            _ = try await printers.ask(.createJob)
            let more = [Attribute("last-document", .boolean(false))]
            #expect(
                try await printers.ask(.sendDocument, job: 1, more, document: TestPrinters.pdf).status == .successfulOk)
            let waiting = try await printers.attributes(of: 1)
            #expect(waiting.integer("number-of-documents") == 1)
            #expect(waiting.keywords("job-state-reasons") == ["job-incoming"])
            #expect(
                try await printers.ask(.sendDocument, job: 1, more, document: TestPrinters.pdf).status == .successfulOk)
            let last = [Attribute("last-document", .boolean(true))]
            #expect(try await printers.ask(.sendDocument, job: 1, last).status == .successfulOk)
            #expect(
                try await printers.ask(.sendDocument, job: 1, last, document: TestPrinters.pdf).status
                    == .clientErrorNotPossible)
            let job = try await printers.job(1)
            #expect(job.state == .completed && job.documents.count == 2 && job.impressionsCompleted == 6)
            // Reprinting the job prints both documents.
            #expect(try await printers.ask(.resubmitJob, job: 1).status == .successfulOk)
            #expect(try await printers.job(2).impressionsCompleted == 6)
            let left = try FileManager.default.contentsOfDirectory(
                atPath: printers.folder.path("output/laser/incoming"))
            #expect(left.isEmpty)
        }
    }

    // If the printer refused the operation, CUPS' backend would send a new job repeatedly.
    @Test(arguments: [IPP.Operation.closeJob, .sendDocument])
    func `if a job without a document is closed, the request succeeds, and the job is aborted with a reason`(
        operation: IPP.Operation
    ) async throws {
        try await TestPrinters.serving { printers in
            _ = try await printers.ask(.createJob)
            let last = operation == .sendDocument ? [Attribute("last-document", .boolean(true))] : []
            #expect(try await printers.ask(operation, job: 1, last).status == .successfulOk)
            let job = try await printers.attributes(of: 1)
            #expect(job.integer("job-state") == 8)
            #expect(job.keywords("job-state-reasons") == ["errors-detected", "aborted-by-system"])
            #expect(job.string("job-state-message")?.contains("no document") == true)
        }
    }

    @Test func `Close-Job closes a job that has a document`() async throws {
        try await TestPrinters.serving { printers in
            _ = try await printers.ask(.createJob)
            _ = try await printers.ask(
                .sendDocument, job: 1, [Attribute("last-document", .boolean(false))], document: TestPrinters.pdf)
            #expect(try await printers.ask(.closeJob, job: 1).status == .successfulOk)
            #expect(try await printers.job(1).state == .completed)
        }
    }

    @Test func `an empty document or a document in an unsupported format creates no job`() async throws {
        try await TestPrinters.serving { printers in
            #expect(try await printers.ask(.printJob, document: "").status == .clientErrorBadRequest)
            #expect(
                try await printers.ask(.printJob, document: "plain words").status
                    == .clientErrorDocumentFormatNotSupported)
            let all = [Attribute("which-jobs", .keyword("all"))]
            #expect(try await printers.ask(.getJobs, all).groups(.job).isEmpty)
            let left = try FileManager.default.contentsOfDirectory(
                atPath: printers.folder.path("output/laser/incoming"))
            #expect(left.isEmpty)
        }
    }

    @Test func `the owner of a job can cancel the job while it prints`() async throws {
        try await TestPrinters.serving(ScriptedWorker(.untilCancelled)) { printers in
            let id = try await printers.print()
            _ = try await printers.job(id) { $0.state == .processing }
            #expect(try await printers.ask(.cancelJob, job: id).status == .successfulOk)
            let job = try await printers.job(id)
            #expect(job.state == .canceled)
            #expect(job.reasons == [.jobCanceledByUser])
            #expect(try await printers.ask(.cancelJob, job: id).status == .clientErrorNotPossible)
            #expect(try await printers.ask(.cancelJob, job: 99).status == .clientErrorNotFound)
        }
    }

    @Test func `Cancel-My-Jobs cancels only the jobs of the user, and Cancel-Jobs cancels all jobs`() async throws {
        try await TestPrinters.serving { printers in
            _ = try await printers.ask(.pausePrinter)
            let mine = try await printers.print()
            let other = try await printers.print(user: "bob")
            #expect(try await printers.ask(.cancelMyJobs).status == .successfulOk)
            #expect(try await printers.job(mine).state == .canceled)
            #expect(try await printers.job(other) { _ in true }.state == .pending)
            #expect(try await printers.ask(.cancelJobs).status == .successfulOk)
            #expect(try await printers.job(other).reasons == [.jobCanceledByOperator])
        }
    }

    @Test func `Get-Jobs filters the jobs by state and owner`() async throws {
        try await TestPrinters.serving { printers in
            let done = try await printers.print(user: "bob")
            _ = try await printers.job(done)
            _ = try await printers.ask(.pausePrinter)
            let waiting = try await printers.print()
            func ids(_ which: String, _ more: Attribute...) async throws -> [Int32?] {
                try await printers.ask(.getJobs, [Attribute("which-jobs", .keyword(which))] + more).groups(.job)
                    .map { $0.integer("job-id") }
            }
            #expect(try await ids("not-completed") == [Int32(waiting)])
            #expect(try await ids("completed") == [Int32(done)])
            #expect(try await ids("all") == [Int32(waiting), Int32(done)])
            #expect(try await ids("pending") == [Int32(waiting)])
            #expect(try await ids("all", Attribute("my-jobs", .boolean(true))) == [Int32(waiting)])
            #expect(try await ids("all", Attribute("limit", .integer(1))) == [Int32(waiting)])
        }
    }

    @Test func `a printer stops when it is paused and continues when it is resumed`() async throws {
        try await TestPrinters.serving { printers in
            #expect(try await printers.ask(.pausePrinter).status == .successfulOk)
            let printer = try await printers.ask(.getPrinterAttributes)[.printer]
            #expect(printer?.integer("printer-state") == 5)
            #expect(printer?.keywords("printer-state-reasons") == ["paused"])
            let id = try await printers.print()
            #expect(try await printers.attributes(of: id).integer("job-state") == 3)
            #expect(try await printers.ask(.resumePrinter).status == .successfulOk)
            #expect(try await printers.job(id).state == .completed)
        }
    }

    @Test func `Identify-Printer writes a line to the terminal and to the log`() async throws {
        try await TestPrinters.serving { printers in
            let answer = try await printers.ask(.identifyPrinter, [Attribute("message", .text("over\nhere"))])
            #expect(answer.status == .successfulOk)
            #expect(await printers.said.first { _ in true } == "laser: identification requested: over here")
            let log = try String(contentsOfFile: printers.folder.path("output/laser/printer.log"), encoding: .utf8)
            #expect(log.contains("\"event\":\"identify\""))
            #expect(log.contains("over here"))
            let sound = [Attribute("identify-actions", .keyword("sound"))]
            #expect(
                try await printers.ask(.identifyPrinter, sound).status == .clientErrorAttributesOrValuesNotSupported)
        }
    }

    @Test func `the supplies of a printer are numbered from 1`() async throws {
        let printer = """
            { name: 'laser', makeAndModel: 'Laser', media: ['A4'],
              supplies: [{ name: 'Black', color: 'black', yield: 9 }, { name: 'Cyan', color: 'cyan', yield: 9 }] }
            """
        try await TestPrinters.serving(printers: [printer]) { printers in
            let laser = try #require(try await printers.ask(.getPrinterAttributes)[.printer])
            let values = (laser["printer-supply"]?.values ?? []).compactMap { value -> String? in
                guard case .octetString(let bytes) = value else { return nil }
                return String(decoding: bytes, as: UTF8.self)
            }
            #expect(values.map { String($0.prefix { $0 != ";" }) } == ["index=1", "index=2"])
        }
    }

    @Test func `a printer reports its trays, supplies and output bins`() async throws {
        try await TestPrinters.serving { printers in
            let laser = try #require(try await printers.ask(.getPrinterAttributes)[.printer])
            #expect(laser.string("printer-location") == "Room 2")
            #expect(laser.keywords("media-source-supported") == ["auto", "tray-1", "tray-2"])
            #expect(laser.strings("marker-names") == ["Black toner"])
            #expect(laser.integer("marker-levels") == 50)
            #expect(laser["printer-supply"]?.values.count == 1)
            #expect(laser.string("printer-supply-description") == "Black toner")
            #expect(Set(laser.attributes.map(\.name)).count == laser.attributes.count)
            let inkjet = try await printers.ask(.getPrinterAttributes, at: TestPrinters.inkjetURI)[.printer]
            #expect(inkjet?.keywords("output-bin-supported") == ["face-up"])
            #expect(inkjet?["marker-names"] == nil)
            #expect(inkjet?["number-up-supported"] == nil)
        }
    }

    @Test func `a printer supports exactly the operations that operations-supported lists`() async throws {
        try await TestPrinters.serving { printers in
            let printer = try await printers.ask(.getPrinterAttributes)[.printer]
            let listed = Set(printer?["operations-supported"]?.values.compactMap(\.intValue) ?? [])
            // PrinterOperations adds the subscription operations.
            #expect(listed.count == printers.service.operations.count + 7)
            for number in Array(Int32(0x0002)...0x0067) + [0x4001, 0x4002, 0x4003, 0x4004, 0x4005, 0x4009] {
                let operation = IPP.Operation(rawValue: UInt16(number))
                // The job does not exist. The test checks only that the operation is known.
                let answer = try await printers.ask(operation, job: 4711)
                #expect((answer.status != .serverErrorOperationNotSupported) == listed.contains(number), "\(operation)")
            }
        }
    }
}
