import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import PrintServer
import PrintSpool
import Testing

/// Tests of clients that send no document.
///
/// If these requests were refused, the CUPS backend would repeat the job endlessly.
struct EmptyDocumentTests {
    private let quiet: QuietSpool
    private let operations: PrinterOperations

    init() async throws {
        quiet = try await QuietSpool()
        operations = PrinterOperations(
            quiet.service, numbersJobsGlobally: true, isOpen: false, accounts: TestAccounts.shared.accounts,
            clock: Spool.systemTime)
    }

    private func ask(
        _ operation: IPP.Operation, job: Int? = nil, last: Bool? = nil, document: String = ""
    ) async -> Message {
        var group = AttributeGroup.operation([
            Attribute("printer-uri", .uri("ipp://localhost/printers/quiet"))
        ])
        if let job { group.append("job-id", .integer(Int32(job))) }
        group.append("requesting-user-name", .name("ann"))
        if let last { group.append("last-document", .boolean(last)) }
        return await operations.respond(
            to: IPPRequest(
                message: Message(version: .v2_0, operation: operation, requestID: 1, groups: [group]),
                document: DocumentStream(bytes: Array(document.utf8)), peer: TestAccounts.shared.peer("ann")))
    }

    @Test(arguments: [IPP.Operation.sendDocument, .closeJob])
    func `if a job without a document is closed, the request succeeds, and the job is aborted with a reason`(
        operation: IPP.Operation
    ) async throws {
        let created = await ask(.createJob)
        let id = Int(try #require(created[.job]?.integer("job-id")))
        let answer = await ask(operation, job: id, last: operation == .sendDocument ? true : nil)
        #expect(answer.status == .successfulOk, "\(answer)")
        if operation == .sendDocument { #expect(answer[.job]?.integer("job-state") == 8) }
        let job = try #require(try await quiet.spool.job(id))
        #expect(job.state == .aborted && job.reasons == [.errorsDetected, .abortedBySystem])
        #expect(job.message.contains("no document"))
        // The job has ended, so no document can be added.
        #expect(await ask(.sendDocument, job: id, last: true, document: "%PDF-1.4").status == .clientErrorNotPossible)
        #expect(await ask(.closeJob, job: id).status == .clientErrorNotPossible)
    }

    @Test func `if only the last document is empty, the job is closed and the empty document is not stored`()
        async throws
    {
        let created = await ask(.createJob)
        let id = Int(try #require(created[.job]?.integer("job-id")))
        #expect(await ask(.sendDocument, job: id, last: false, document: "%PDF-1.4").status == .successfulOk)
        #expect(await ask(.sendDocument, job: id, last: true).status == .successfulOk)
        let job = try #require(try await quiet.spool.job(id))
        #expect(job.state == .pending && job.documents.count == 1)
    }

    @Test func `an empty document is refused and does not change the job if it is not the last document`() async throws
    {
        let created = await ask(.createJob)
        let id = Int(try #require(created[.job]?.integer("job-id")))
        #expect(await ask(.sendDocument, job: id, last: false).status == .clientErrorBadRequest)
        #expect(try await quiet.spool.job(id)?.reasons == [.jobIncoming])
    }
}
