import Foundation
import IPP
import PrintIPP
import PrintModel
import PrintTestSupport
import Testing

@testable import SpoolerClient

/// Tests of the values of jobs, printers and errors.
struct QueueValuesTests {
    private static let condition = JobCondition(
        job: 7, printer: "office", phase: .waiting, cause: .paused(message: "toner"),
        remedies: [.resumePrinter("office"), .cancel(job: 7)])

    private static let job = AttributeGroup(
        .job,
        [
            Attribute("job-id", .integer(7)), Attribute("job-name", .name("Letter")),
            Attribute("job-printer-uri", .uri("ipp://localhost/printers/office")),
            Attribute("job-state", .enumeration(3)), Attribute("sides", .keyword("two-sided-long-edge")),
            Attribute("printq-why", .text("Job 7 is waiting because office is paused (toner).")),
            condition.attribute, Attribute("parent-job-id", .integer(3)),
            Attribute("printq-moved-from", .name("attic")), Attribute("printq-documents-kept", .boolean(true)),
            Attribute("printq-warnings", .text("page 2 is blank")),
            Attribute(
                "printq-documents",
                .collection(
                    IPP.Collection([
                        Attribute("document-number", .integer(1)), Attribute("document-name", .name("letter.pdf")),
                        Attribute("document-format", .mimeMediaType("application/pdf")),
                        Attribute("printq-octets", .integer(1234)),
                    ]))),
            Attribute(
                "printq-timeline",
                .collection(
                    IPP.Collection([
                        Attribute("printq-event-number", .integer(12)), Attribute("printer-up-time", .integer(3600)),
                        Attribute("notify-subscribed-event", .keyword("job-progress")),
                        Attribute("printq-timeline-kind", .keyword("page")), Attribute("printq-page", .integer(2)),
                        Attribute("job-pages", .integer(5)), Attribute("notify-text", .text("printing")),
                    ]))),
        ])

    @Test func `a job has its options, documents, events and condition`() throws {
        let job = DetailedJob(Self.job)
        #expect(job.id == 7 && job.printer == "office" && job.state == .pending && job.phase == .waiting)
        #expect(job.ticket.duplex == .longEdge && job.reprintOf == 3 && job.movedFrom == "attic")
        #expect(job.documents.map(\.name) == ["letter.pdf"] && job.documents[0].size == 1234)
        #expect(job.documents[0].format == .pdf && job.keepsDocuments && job.warnings == ["page 2 is blank"])
        let event = try #require(job.timeline.first)
        #expect(event.number == 12 && event.time == 3600 && event.kind == .page && event.keyword == "job-progress")
        #expect(event.page == 2 && event.pages == 5 && event.text == "printing")
        #expect(job.condition == Self.condition)
    }

    @Test func `a job without attributes is a job of another user without its name, options and reasons`() {
        let job = DetailedJob(AttributeGroup(.job, [Attribute("job-id", .integer(7))]))
        #expect(job.name == JobView.withheld && job.owner == JobView.withheld && job.state == nil)
        #expect(job.ticket == JobTicket() && job.documents.isEmpty && job.timeline.isEmpty && job.condition == nil)
    }

    @Test func `an explanation has a sentence for people, and the cause and the remedies for programs`() {
        let reason = JobExplanation(Self.job)
        #expect(reason.description == "Job 7 is waiting because office is paused (toner).")
        #expect(reason.condition?.cause == .paused(message: "toner") && reason.isVisible && reason.state == .pending)
        #expect(reason.commands == ["printq printers resume office", "printq cancel 7"])
        let hidden = JobExplanation(
            AttributeGroup(.job, [Attribute("job-id", .integer(7)), Attribute("job-state", .enumeration(3))]))
        #expect(
            hidden.description == "job 7 is waiting; only the job's owner and administrators may see the reason")
        #expect(!hidden.isVisible && hidden.condition == nil && hidden.commands.isEmpty)
    }

    @Test func `a printer has its conditions, policies, sharing and options`() {
        let printer = DetailedPrinter(
            AttributeGroup(
                .printer,
                [
                    Attribute("printer-name", .name("office")), Attribute("printer-state", .enumeration(5)),
                    Attribute("printer-state-reasons", .keyword("toner-low-warning"), .keyword("media-jam-error")),
                    Attribute("printer-location", .text("attic")),
                    Attribute("printer-error-policy", .name("abort-job")),
                    Attribute("printq-after-interruption", .keyword("continue")),
                    Attribute("printer-is-shared", .boolean(true)), Attribute("printer-dns-sd-name", .name("Laser")),
                    Attribute("sides-default", .keyword("one-sided")),
                    Attribute("sides-supported", .keyword("one-sided"), .keyword("two-sided-long-edge")),
                ]))
        #expect(printer.name == "office" && printer.state == .stopped && printer.phase == .stopped)
        #expect(printer.conditions.map(\.code) == ["media-jam", "toner-low"])
        #expect(printer.conditions[0].severity == .error && printer.location == "attic")
        #expect(printer.errorPolicy == .abortJob && printer.afterInterruption == .continue)
        #expect(printer.isShared && printer.serviceName == "Laser" && !printer.admitsAnonymous)
        #expect(
            printer.options == [
                OfferedOption(name: "sides", defaultValue: "one-sided", choices: "one-sided two-sided-long-edge")
            ])
    }

    @Test func `a refused request is an error with the keyword of the IPP status and the refused attributes`() {
        let answer = Message(
            version: .v2_0, status: .clientErrorAttributesOrValuesNotSupported, requestID: 1,
            groups: [
                .operation([Attribute("status-message", .text("the printer has no media papyrus"))]),
                AttributeGroup(.unsupported, [Attribute("media", .keyword("papyrus"))]),
            ])
        let error = SpoolerClientError(refusal: answer)
        #expect(error.code == .usage && error.description == "the printer has no media papyrus")
        #expect(error.status == "client-error-attributes-or-values-not-supported")
        #expect(error.unsupportedAttributes == ["media"])
        let other = SpoolerClientError(.unavailable, "printd does not respond")
        #expect(other.status == nil && other.unsupportedAttributes.isEmpty)
    }

    @Test func `a submission of files requires a file that can be read, and an identifier of 1 to 255 bytes`() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("a.txt")
        try Data("text".utf8).write(to: URL(filePath: file))
        #expect(throws: SpoolerClientError.self) { try JobSubmission(files: []) }
        let missing = #expect(throws: SpoolerClientError.self) { try JobSubmission(files: [file, folder.path("b")]) }
        #expect(missing?.code == .noInput)
        for id in ["", String(repeating: "x", count: 256)] {
            let wrong = #expect(throws: SpoolerClientError.self) { try JobSubmission(files: [file], id: id) }
            #expect(wrong?.code == .usage && wrong?.message.contains("use 1 to 255 bytes") == true)
        }
        let one = try JobSubmission(files: [file], printer: "office")
        let other = try JobSubmission(files: [file])
        #expect(one.id != other.id && !one.isRepeatable && one.printer == "office" && other.printer == nil)
        let known = try JobSubmission(files: [file], id: "invoice 4711")
        #expect(known.id == "invoice 4711" && known.isRepeatable)
    }
}
