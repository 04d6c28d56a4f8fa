// Printers seen, paused and chosen over IPP.

import IPP
import PrintIPP
import PrintModel
import Testing

struct PrinterOperationsPrintersTests {
    private let service = ScriptedService()

    @Test func `a printer lists the operations and options that act here`() async {
        let service = ScriptedService(operations: [.getPrinterAttributes, .getJobs], options: ["sides"])
        let printer = await service.ask(.getPrinterAttributes)[.printer]
        #expect(printer?["operations-supported"]?.values == [.enumeration(0x000B), .enumeration(0x000A)])
        #expect(printer?["sides-supported"] != nil)
        #expect(printer?["number-up-supported"] == nil)
        #expect(printer?["job-settable-attributes-supported"] == nil)
        #expect(printer?.integer("printer-up-time") == 1_000_000)
        #expect(printer?.attributes.contains { $0.values.isEmpty } == false)
    }

    @Test func `a format that is not taken is refused already when looking`() async {
        let asked = Attribute("document-format", .mimeMediaType("text/x-poem"))
        let answer = await service.ask(.getPrinterAttributes, "ipp://localhost/", [asked])
        #expect(answer.status == .clientErrorDocumentFormatNotSupported)
        #expect(answer[.unsupported]?.attributes == [asked])
        let pdf = Attribute("document-format", .mimeMediaType("application/pdf"))
        #expect(await service.ask(.getPrinterAttributes, "ipp://localhost/", [pdf]).status == .successfulOk)
    }

    @Test func `only an administrator pauses, resumes and chooses the default`() async {
        for operation in [Operation.pausePrinter, .resumePrinter, .cupsSetDefault] {
            #expect(await service.ask(operation, as: "root").status == .clientErrorNotAuthorized)
            #expect(await service.ask(operation, over: .administrator).status == .successfulOk)
        }
        #expect(service.record.withLock { $0.paused } == [true, false])
        #expect(service.record.withLock { $0.defaults } == ["office"])
    }

    @Test func `a printer is found by its light and its sound`() async {
        let answer = await service.ask(
            .identifyPrinter, "ipp://localhost/", [Attribute("identify-actions", .keyword("flash"), .keyword("sound"))])
        #expect(answer.status == .successfulOk)
        #expect(service.record.withLock { $0.identified } == [["flash", "sound"]])
    }

    @Test func `CUPS' lists need no printer-uri, and there are no classes`() async {
        #expect(await service.ask(.cupsGetDefault, nil)[.printer]?.string("printer-name") == "office")
        #expect(await service.ask(.cupsGetPrinters, nil).groups(.printer).count == 1)
        let classes = await service.ask(.cupsGetClasses, nil)
        #expect(classes.status == .successfulOk)
        #expect(classes.groups(.printer).isEmpty)
    }

    @Test func `a list of printers begins and ends where asked`() async {
        let printers = ["a", "b", "c"].map { name in
            var printer = ServedPrinter.office()
            printer.name = name
            return printer
        }
        let answer = await ScriptedService(printers: printers).ask(
            .cupsGetPrinters, nil, [Attribute("first-printer-name", .name("b")), Attribute("limit", .integer(1))])
        #expect(answer.groups(.printer).map { $0.string("printer-name") } == ["b"])
    }

    @Test func `without printers there is no default one`() async {
        let answer = await ScriptedService(printers: []).ask(.cupsGetDefault, nil)
        #expect(answer.status == .clientErrorNotFound)
    }
}
