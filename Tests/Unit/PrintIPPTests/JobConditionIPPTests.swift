import IPP
import PrintIPP
import PrintModel
import Testing

struct JobConditionIPPTests {
    private static let causes: [JobCondition.Cause] = [
        .printerRemoved, .paused(message: ""), .paused(message: "toner"), .overtaken, .documentsMissing,
        .strictOrder(
            behind: JobCondition(
                job: 2, printer: "inkjet", phase: .printing, cause: .inProgress(.printing, message: "Printing"))),
        .interrupted(message: "Reset", at: 200, from: ResumePlace(.page, 3, of: 6, requested: 4)),
        .interrupted(message: "Reset", at: 200, from: ResumePlace(.side, 1)),
        .undelivered(message: "no answer", at: 104, attempt: 3),
        .queued(ahead: 0, turns: nil, trouble: nil, from: nil),
        .queued(
            ahead: 3, turns: FairQueue.JobsAhead(own: 1, others: 2),
            trouble: .stopped(message: "Tray 1 is empty.", reasons: ["media-empty"]), from: ResumePlace(.page, 2)),
        .queued(ahead: 1, turns: nil, trouble: .unreachable, from: nil),
        .queued(ahead: 1, turns: nil, trouble: .stopped(message: "", reasons: []), from: nil),
        .held(until: nil), .held(until: 160), .password(until: 160, isLocked: false),
        .password(until: 160, isLocked: true), .suspended(message: "It was lost"),
        .suspended(message: ""), .canceling(message: nil), .canceling(message: "Off"),
        .printerStopped(message: "Tray 1 is empty."), .inProgress(nil, message: "Prepared"),
        .inProgress(.preparing, message: "Preparing"), .inProgress(.sending, message: "Sending to the printer"),
        .inProgress(nil, message: ""), .canceled(by: .printer, message: ""),
        .canceled(by: .administrator, message: "by hand"),
        .failed(message: "", reasons: ["document-format-error", "aborted-by-system"]),
        .failed(message: "Not a PDF.", reasons: []),
        .completed(JobCondition.Amount(pages: 5, copies: 2, sheets: 6), message: "Printed twice"),
    ]

    /// Returns the condition after it was encoded and decoded.
    private func received(_ condition: JobCondition) throws -> JobCondition? {
        let message = Message(
            version: .v2_0, status: .successfulOk, requestID: 1,
            groups: [AttributeGroup(.job, [condition.attribute])])
        return JobCondition(attributes: try #require(try Message.decode(message.encoded()).message[.job]))
    }

    @Test(arguments: causes)
    func `a client receives the condition of a job as printd sent the condition`(_ cause: JobCondition.Cause) throws {
        let condition = JobCondition(job: 3, printer: "laser", phase: .waiting, cause: cause)
        #expect(try received(condition) == condition)
        #expect(try received(condition)?.explanation(at: 100) == condition.explanation(at: 100))
    }

    @Test(arguments: [PrinterDriver.host("a"), .changing, .draining(["a", "b"]), .noHost(["a"])])
    func `the condition of a job in a shared queue contains the host`(_ driver: PrinterDriver) throws {
        let condition = JobCondition(job: 3, printer: "laser", phase: .waiting, cause: .noHost, driver: driver)
        #expect(try received(condition) == condition)
    }

    @Test func `the condition of a job contains the remedies with their objects`() throws {
        let remedies: [JobCondition.Remedy] = [
            .cancel(job: 3), .release(job: 3), .resume(job: 3, .choice), .resume(job: 3, .again),
            .resume(job: 3, .next(.side, 4)), .reprint(job: 3), .resumePrinter("laser"), .addPrinter("laser"),
            .resumeHost("a"), .startHost(["a", "b"]),
        ]
        let condition = JobCondition(
            job: 3, printer: "laser", phase: .held, cause: .held(until: nil), remedies: remedies)
        #expect(try received(condition) == condition)
    }

    @Test func `a condition with an unknown cause, or without a host that its cause requires, is ignored`() {
        func condition(_ cause: String) -> JobCondition? {
            let members = [
                Attribute("job-id", .integer(3)), Attribute("printer-name", .name("laser")),
                Attribute("printq-phase", .keyword("waiting")),
                Attribute(
                    "printq-cause", .collection(IPP.Collection([Attribute("printq-cause-code", .keyword(cause))]))),
            ]
            return JobCondition(
                attributes: AttributeGroup(
                    .job, [Attribute(JobCondition.attributeName, .collection(IPP.Collection(members)))]))
        }
        #expect(condition("overtaken")?.cause == .overtaken)
        #expect(condition("magic") == nil)
        #expect(condition("no-host") == nil)
        #expect(condition("strict-order") == nil)
    }
}
