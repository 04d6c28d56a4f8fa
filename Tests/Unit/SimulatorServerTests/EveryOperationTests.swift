import FoundationEssentials
import IPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Testing

/// Tests that call each operation of a simulated printer and check the effect of the operation.
struct EveryOperationTests {
    /// The operations that other tests of this target call and check.
    private static let elsewhere: Set<IPP.Operation> = [
        .printJob, .validateJob, .createJob, .sendDocument, .closeJob, .cancelJob, .cancelJobs, .cancelMyJobs,
        .getJobs, .getJobAttributes, .getPrinterAttributes, .pausePrinter, .resumePrinter, .identifyPrinter,
        .controlPrinter,
    ]
    /// The operations that these tests call.
    private static let here: Set<IPP.Operation> = [
        .setJobAttributes, .holdJob, .releaseJob, .restartJob, .resubmitJob, .setPrinterAttributes,
        .getPrinterSupportedValues, .enablePrinter, .disablePrinter, .purgeJobs, .createPrinterSubscriptions,
        .createJobSubscriptions, .getSubscriptionAttributes, .getSubscriptions, .renewSubscription,
        .cancelSubscription, .getNotifications, .cupsGetDefault, .cupsGetPrinters, .cupsGetClasses,
    ]

    @Test func `a test exists for every operation that a simulated printer lists in operations-supported`() async throws
    {
        try await TestPrinters.serving { printers in
            let printer = try await printers.ask(.getPrinterAttributes)[.printer]
            let listed = (printer?["operations-supported"]?.values.compactMap(\.intValue) ?? []).map {
                IPP.Operation(rawValue: UInt16($0))
            }
            #expect(Set(listed) == Self.elsewhere.union(Self.here))
        }
    }

    @Test func `CUPS-Get-Default returns the default printer, and CUPS-Get-Printers returns all printers`() async throws
    {
        try await TestPrinters.serving { printers in
            #expect(try await printers.ask(.cupsGetDefault)[.printer]?.string("printer-name") == "laser")
            let all = try await printers.ask(.cupsGetPrinters).groups(.printer)
            #expect(all.map { $0.string("printer-name") } == ["laser", "inkjet"])
            #expect(try await printers.ask(.cupsGetClasses).groups(.printer).isEmpty)
        }
    }

    @Test func `a held job waits, reports the hold, and is printed after the release`() async throws {
        try await TestPrinters.serving { printers in
            let held = try await printers.print([Attribute("job-hold-until", .keyword("indefinite"))])
            let waiting = try await printers.attributes(of: held)
            #expect(waiting.integer("job-state") == 4)
            #expect(waiting.keywords("job-state-reasons") == ["job-hold-until-specified"])
            #expect(waiting.string("job-hold-until") == "indefinite")
            #expect(try await printers.ask(.releaseJob, job: held).status == .successfulOk)
            #expect(try await printers.job(held).state == .completed)
            #expect(try await printers.ask(.holdJob, job: held).status == .clientErrorNotPossible)

            _ = try await printers.ask(.pausePrinter)
            let next = try await printers.print()
            #expect(try await printers.ask(.holdJob, job: next).status == .successfulOk)
            _ = try await printers.ask(.resumePrinter)
            #expect(try await printers.attributes(of: next).integer("job-state") == 4)
        }
    }

    @Test func `the options of a waiting job can be changed, and the options of an ended job cannot be changed`()
        async throws
    {
        try await TestPrinters.serving { printers in
            let id = try await printers.print([
                Attribute("job-hold-until", .keyword("indefinite")), Attribute("copies", .integer(2)),
            ])
            let change = [
                Attribute("sides", .keyword("two-sided-long-edge")), Attribute("job-name", .name("renamed")),
                Attribute("job-priority", .integer(70)),
            ]
            #expect(try await printers.ask(.setJobAttributes, job: id, template: change).status == .successfulOk)
            let job = try await printers.attributes(of: id)
            #expect(job.string("job-name") == "renamed")
            #expect(job.string("sides") == "two-sided-long-edge")
            #expect(job.integer("copies") == 2)
            #expect(job.integer("job-priority") == 70)
            _ = try await printers.ask(.releaseJob, job: id)
            #expect(try await printers.job(id).sheetsCompleted == 4)
            #expect(
                try await printers.ask(.setJobAttributes, job: id, template: change).status == .clientErrorNotPossible)
        }
    }

    @Test(arguments: [IPP.Operation.restartJob, .resubmitJob])
    func `if an ended job is reprinted, a new job is created`(operation: IPP.Operation) async throws {
        try await TestPrinters.serving { printers in
            let id = try await printers.print(name: "again")
            _ = try await printers.job(id)
            let answer = try await printers.ask(operation, job: id)
            #expect(answer.status == .successfulOk, "\(answer)")
            let again = Int(try #require(answer[.job]?.integer("job-id")))
            #expect(again == id + 1)
            let job = try await printers.job(again)
            #expect(job.state == .completed && job.name == "again")
            let file = printers.folder.path("output/laser/\(job.folder)/original.pdf")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == TestPrinters.pdf)
        }
    }

    @Test func `an ended job can be reprinted at another simulated printer`() async throws {
        try await TestPrinters.serving { printers in
            let id = try await printers.print(name: "again")
            _ = try await printers.job(id)
            let target = Attribute("job-printer-uri", .uri(TestPrinters.inkjetURI))
            let answer = try await printers.ask(.resubmitJob, job: id, [target])
            #expect(answer.status.isSuccessful, "\(answer)")
            let again = Int(try #require(answer[.job]?.integer("job-id")))
            let job = try await printers.job(again, at: 1)
            #expect(again == 2 && job.state == .completed && job.name == "again")
        }
    }

    @Test func `a disabled printer prints its waiting jobs and refuses new jobs until the printer is enabled`()
        async throws
    {
        try await TestPrinters.serving { printers in
            _ = try await printers.ask(.pausePrinter)
            let id = try await printers.print()
            #expect(try await printers.ask(.disablePrinter).status == .successfulOk)
            let printer = try await printers.ask(.getPrinterAttributes)[.printer]
            #expect(printer?.boolean("printer-is-accepting-jobs") == false)
            #expect(try await printers.ask(.createJob).status == .serverErrorNotAcceptingJobs)
            _ = try await printers.ask(.resumePrinter)
            #expect(try await printers.job(id).state == .completed)
            #expect(try await printers.ask(.enablePrinter).status == .successfulOk)
            #expect(try await printers.ask(.createJob).status == .successfulOk)
        }
    }

    @Test func `Set-Printer-Attributes changes only settable printer attributes`() async throws {
        try await TestPrinters.serving { printers in
            func set(_ attributes: Attribute...) async throws -> Message {
                try await printers.ask(.setPrinterAttributes, printer: attributes)
            }
            let values = try await printers.ask(.getPrinterSupportedValues)
            let settable = values[.printer]?.attributes.map(\.name)
            #expect(settable?.contains("printer-location") == true)
            #expect(values[.printer]?["printer-info"]?.first == .outOfBand(.adminDefine))

            let before = try #require(try await printers.ask(.getPrinterAttributes)[.printer])
            #expect(before.keywords("printer-settable-attributes-supported") == settable)
            #expect(before["printer-geo-location"]?.first == .outOfBand(.unknown))
            #expect(
                try await set(
                    Attribute("printer-location", .text("Attic")), Attribute("printer-geo-location", .uri("geo:1,2"))
                ).status == .successfulOk)
            let after = try #require(try await printers.ask(.getPrinterAttributes)[.printer])
            #expect(after.string("printer-location") == "Attic")
            #expect(after.string("printer-geo-location") == "geo:1,2")

            let wrong = try await set(
                Attribute("printer-location", .text("Cellar")), Attribute("printer-name", .name("x")))
            #expect(wrong.status == .clientErrorAttributesNotSettable)
            #expect(wrong[.unsupported]?["printer-name"]?.first == .outOfBand(.notSettable))
            #expect(
                try await set(Attribute("printer-geo-location", .uri("http://x/"))).status
                    == .clientErrorAttributesOrValuesNotSupported)
            #expect(
                try await printers.ask(.getPrinterAttributes)[.printer]?.string("printer-location") == "Attic")
        }
    }

    @Test func `Purge-Jobs cancels and removes all jobs`() async throws {
        try await TestPrinters.serving { printers in
            let done = try await printers.print()
            _ = try await printers.job(done)
            _ = try await printers.ask(.pausePrinter)
            _ = try await printers.print()
            #expect(try await printers.ask(.purgeJobs).status == .successfulOk)
            let all = try await printers.ask(.getJobs, [Attribute("which-jobs", .keyword("all"))])
            #expect(all.groups(.job).isEmpty)
            #expect(try await printers.ask(.getJobAttributes, job: done).status == .clientErrorNotFound)
        }
    }

    @Test func `a printer subscription returns the events of a job in order, and the events of the printer itself`()
        async throws
    {
        try await TestPrinters.serving { printers in
            let wish = [
                Attribute("notify-pull-method", .keyword("ippget")),
                Attribute(
                    "notify-events",
                    ["job-created", "job-state-changed", "job-completed", "printer-state-changed"].map { .keyword($0) }),
            ]
            let made = try await printers.ask(.createPrinterSubscriptions, subscription: wish)
            let subscription = try #require(made[.subscription]?["notify-subscription-id"])
            #expect(try await printers.ask(.getSubscriptions).groups(.subscription).count == 1)
            let shown = try await printers.ask(.getSubscriptionAttributes, [subscription])
            #expect(shown[.subscription]?.keywords("notify-events").count == 4)

            let id = try await printers.print()
            _ = try await printers.job(id)
            let ids = Attribute("notify-subscription-ids", subscription.values)
            let told = try await printers.ask(.getNotifications, [ids]).groups(.eventNotification)
            let ofJob = told.filter { $0.integer("notify-job-id") == Int32(id) }
            #expect(ofJob.first?.string("notify-subscribed-event") == "job-created")
            #expect(ofJob.last?.string("notify-subscribed-event") == "job-completed")
            #expect(ofJob.compactMap { $0.integer("job-state") }.contains(5))
            #expect(told.contains { $0.string("notify-subscribed-event") == "printer-state-changed" })
            #expect(told.compactMap { $0.integer("notify-sequence-number") } == Array(1...Int32(told.count)))

            let lease = Attribute("notify-lease-duration", .integer(60))
            #expect(
                try await printers.ask(.renewSubscription, [subscription], subscription: [lease]).status
                    == .successfulOk)
            #expect(try await printers.ask(.cancelSubscription, [subscription]).status == .successfulOk)
            #expect(try await printers.ask(.getNotifications, [ids]).status == .clientErrorNotFound)
        }
    }

    @Test func `a job subscription ends when the job ends`() async throws {
        try await TestPrinters.serving { printers in
            let id = try await printers.print([Attribute("job-hold-until", .keyword("indefinite"))])
            let wish = [Attribute("notify-pull-method", .keyword("ippget"))]
            let made = try await printers.ask(
                .createJobSubscriptions, [Attribute("notify-job-id", .integer(Int32(id)))], subscription: wish)
            let subscription = try #require(made[.subscription]?["notify-subscription-id"])
            _ = try await printers.ask(.releaseJob, job: id)
            _ = try await printers.job(id)
            let told = try await printers.ask(
                .getNotifications, [Attribute("notify-subscription-ids", subscription.values)])
            #expect(told.status == .successfulOkEventsComplete)
            #expect(told.groups(.eventNotification).map { $0.string("notify-subscribed-event") } == ["job-completed"])
        }
    }
}
