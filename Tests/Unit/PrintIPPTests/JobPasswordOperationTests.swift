// Tests the attribute `job-password` (PWG 5100.11) at a service that stores no passwords of jobs.

import IPP
import PrintIPP
import PrintModel
import Testing

struct JobPasswordOperationTests {
    private let service = ScriptedService(jobs: [.sample(id: 1, state: .pendingHeld, reasons: [.jobPasswordWait])])
    private let pin = Attribute("job-password", .octetString(Array("1234".utf8)))

    @Test func `a service without passwords describes no passwords, and releases no job with a password`() async {
        let printer = await service.ask(.getPrinterAttributes, "ipp://localhost/printers/office")
        #expect(printer[.printer]?.attributes.contains { $0.name.hasPrefix("job-password") } == false)
        for uri in ["ipp://localhost/jobs/1", "ipp://localhost/printers/office"] {
            let answer = await service.ask(.releaseJob, uri, [pin])
            #expect(answer.status == .clientErrorAttributesOrValuesNotSupported, "\(answer)")
        }
        #expect(service.record.withLock { $0.events.isEmpty })
    }

    @Test func `a service without passwords holds the job until its owner releases it`() async {
        let answer = await service.ask(.printJob, "ipp://localhost/printers/office", [pin])
        #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
        let request = service.record.withLock { $0.requests.first }
        #expect(request?.ticket.holdUntil == .indefinite && request?.password == nil)
    }
}
