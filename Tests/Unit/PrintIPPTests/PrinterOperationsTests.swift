// Tests the checks that apply to all requests and the form of all responses.

import IPP
import PrintIPP
import PrintModel
import Testing

struct PrinterOperationsTests {
    private let service = ScriptedService()

    private func message(
        _ operation: Operation = .getPrinterAttributes, version: Version = .v2_0, id: Int32 = 7,
        _ attributes: [Attribute] = .preamble + [Attribute("printer-uri", .uri("ipp://localhost/"))]
    ) -> Message {
        Message(
            version: version, operation: operation, requestID: id, groups: [AttributeGroup(.operation, attributes)])
    }

    @Test(arguments: [Version(major: 1, minor: 0), .v1_1, .v2_0, Version(major: 2, minor: 2)])
    func `a response has the version and request-id of its request`(version: Version) async {
        let answer = await service.answer(message(version: version, id: 99))
        #expect(answer.status == .successfulOk)
        #expect(answer.version == version)
        #expect(answer.requestID == 99)
        #expect(answer.groups.first?.attributes.prefix(2) == [Attribute].preamble[...])
    }

    @Test func `the response to a request with an unsupported version has a supported version`() async {
        let answer = await service.answer(message(version: Version(major: 9, minor: 0)))
        #expect(answer.status == .serverErrorVersionNotSupported)
        #expect(answer.version == .v2_0)
    }

    @Test(arguments: [0, -1, Int32.min]) func `a request-id below 1 is invalid`(id: Int32) async {
        #expect(await service.answer(message(id: id)).status == .clientErrorBadRequest)
    }

    @Test func `a request must start with attributes-charset and attributes-natural-language, in this order`() async {
        let uri = Attribute("printer-uri", .uri("ipp://localhost/"))
        let (charset, language) = ([Attribute].preamble[0], [Attribute].preamble[1])
        for attributes in [[], [uri], [charset, uri], [language, charset, uri], [uri, charset, language]] {
            #expect(await service.answer(message(.getPrinterAttributes, attributes)).status == .clientErrorBadRequest)
        }
        let latin = Attribute("attributes-charset", .charset("iso-8859-1"))
        let answer = await service.answer(message(.getPrinterAttributes, [latin, language, uri]))
        #expect(answer.status == .clientErrorCharsetNotSupported)
        #expect(answer.unsupportedNames == ["attributes-charset"])
    }

    @Test func `a request with groups in the wrong order or with repeated attributes is invalid`() async {
        var twice = message()
        twice.groups[0].append("printer-uri", .uri("ipp://localhost/"))
        var second = message()
        second.groups.append(AttributeGroup(.operation))
        var upsideDown = message()
        upsideDown.groups += [AttributeGroup(.printer), AttributeGroup(.job)]
        var headless = message()
        headless.groups[0].tag = .job
        for request in [twice, second, upsideDown, headless] {
            #expect(await service.answer(request).status == .clientErrorBadRequest)
        }
    }

    @Test func `a request without a valid 'printer-uri' is invalid`() async {
        #expect(await service.ask(.printJob, nil).status == .clientErrorBadRequest)
        let answer = await service.ask(.printJob, nil, [Attribute("printer-uri", .integer(3))])
        #expect(answer.status == .clientErrorBadRequest)
        #expect(service.record.withLock { $0.requests.isEmpty })
    }

    @Test func `an unsupported operation is reported before all other errors`() async {
        for operation in [Operation.cupsGetDevices, Operation(rawValue: 0x3FFF), .reprocessJob] {
            let answer = await service.ask(operation, nil)
            #expect(answer.status == .serverErrorOperationNotSupported)
        }
    }

    @Test func `a long status-message is truncated, and detailed-status-message contains the whole message`() async {
        let answer = await service.ask(
            .getPrinterAttributes, "ipp://localhost/printers/" + String(repeating: "ä", count: 300))
        #expect(answer.status == .clientErrorNotFound)
        #expect((250...255).contains(answer.statusMessage?.utf8.count ?? 0))
        #expect((answer[.operation]?.string("detailed-status-message")?.utf8.count ?? 0) > 600)
    }

    @Test(arguments: ["requesting-user-name", "job-name"])
    func `a job name over 255 bytes is truncated, and a user name over 255 bytes is refused`(name: String)
        async
    {
        let long = "e" + String(repeating: "\u{301}", count: 500)
        let user = name == "requesting-user-name" ? long : "alice"
        let attributes = name == "job-name" ? [Attribute("job-name", .name(long))] : []
        let answer = await service.ask(.createJob, "ipp://localhost/", attributes, as: user)
        let kept = service.record.withLock { $0.requests.first }
        if let kept {
            #expect(kept.name.utf8.count <= 255 && !kept.name.isEmpty)
            #expect(kept.requester.name.utf8.count <= 255 && !kept.requester.name.isEmpty)
        } else {
            #expect(answer.status == .clientErrorRequestValueTooLong)
        }
    }

    @Test func `every response can be encoded, even for a printer without attributes`() async throws {
        let bare = PrinterCapabilities(attributes: AttributeGroup(.printer))
        var printer = ServedPrinter.office(bare)
        (printer.formats, printer.stateChangedAt) = ([], .nan)
        let service = ScriptedService(printers: [printer], jobs: [.sample()])
        for operation in ScriptedService.everything {
            let answer = await service.ask(
                operation, "ipp://localhost/printers/office", [Attribute("job-id", .integer(1))], over: .administrator)
            #expect(try answer.encoded().isEmpty == false)
        }
    }
}
