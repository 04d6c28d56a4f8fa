// Tests the attribute `document-password` (PWG 5100.13).

import IPP
import PrintIPP
import PrintModel
import Testing

struct DocumentPasswordTests {
    private let service = ScriptedService(jobs: [.sample(id: 1, state: .pendingHeld, reasons: [.jobIncoming])])

    private func password(_ bytes: [UInt8]) -> Attribute { Attribute("document-password", .octetString(bytes)) }

    private var passwords: [String?] { service.record.withLock { $0.documents.map { $0?.password } } }

    @Test func `Print-Job and Send-Document pass the password with the document`() async {
        let secret = password(Array("grün 🔑".utf8))
        #expect(await service.ask(.printJob, "ipp://localhost/printers/office", [secret]).status == .successfulOk)
        #expect(await service.ask(.printJob, "ipp://localhost/printers/office", [password([])]).status == .successfulOk)
        let last = Attribute("last-document", .boolean(true))
        #expect(await service.ask(.sendDocument, "ipp://localhost/jobs/1", [secret, last]).status == .successfulOk)
        #expect(passwords == ["grün 🔑", nil, "grün 🔑"])
        #expect(service.record.withLock { $0.requests }.allSatisfy { !"\($0.received)".contains("document-password") })
    }

    @Test(arguments: [[UInt8](repeating: 65, count: 128), [65, 0, 66], [0xFF, 0xFE]])
    func `an invalid password is refused, and the answer does not contain it`(bytes: [UInt8]) async {
        let answer = await service.ask(.printJob, "ipp://localhost/printers/office", [password(bytes)])
        #expect(answer.status == .clientErrorAttributesOrValuesNotSupported, "\(answer)")
        #expect(answer[.unsupported]?["document-password"]?.first?.bytesValue == nil)
        #expect(passwords.isEmpty)
    }

    @Test func `Create-Job refuses a password, which belongs to a document`() async {
        let answer = await service.ask(
            .createJob, "ipp://localhost/printers/office", [password(Array("secret".utf8))])
        #expect(answer.status == .clientErrorBadRequest)
    }

    @Test func `a service that keeps no passwords names the attribute as unsupported`() async {
        let service = ScriptedService(longestDocumentPassword: 0)
        let answer = await service.ask(
            .printJob, "ipp://localhost/printers/office", [password(Array("secret".utf8))])
        #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes, "\(answer)")
        #expect(answer[.unsupported]?["document-password"] != nil)
        #expect(service.record.withLock { $0.documents.map { $0?.password } } == [nil])
    }
}
