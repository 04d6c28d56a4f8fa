// Tests reading, pausing and selecting printers over IPP.

import IPP
import PrintIPP
import PrintModel
import Testing

struct PrinterOperationsPrintersTests {
    private let service = ScriptedService()

    @Test func `a printer lists its supported operations and options`() async {
        let service = ScriptedService(operations: [.getPrinterAttributes, .getJobs], options: ["sides"])
        let printer = await service.ask(.getPrinterAttributes)[.printer]
        #expect(printer?["operations-supported"]?.values == [.enumeration(0x000B), .enumeration(0x000A)])
        #expect(printer?["sides-supported"] != nil)
        #expect(printer?["number-up-supported"] == nil)
        #expect(printer?["job-settable-attributes-supported"] == nil)
        #expect(printer?.integer("printer-up-time") == 1_000_000)
        #expect(printer?.attributes.contains { $0.values.isEmpty } == false)
    }

    @Test func `if the service supports layout options, a printer lists the supported values of the options`() async {
        let service = ScriptedService(options: Set(PrintOption.all.map(\.name)))
        let printer = await service.ask(.getPrinterAttributes)[.printer]
        #expect(printer?.keywords("imposition-template-supported") == ["none", "signature"])
        #expect(
            printer?.keywords("page-border-supported")
                == ["none", "single", "single-thick", "double", "double-thick"])
        #expect(printer?.keywords("printq-page-numbers-supported").contains("bottom-center") == true)
        #expect(printer?.keywords("multiple-document-handling-supported").contains("single-document") == true)
        #expect(printer?.keywords("presentation-direction-number-up-supported").count == 8)
        // The conversion of a document does not depend on the printer.
        let layout = PrintOption.all.filter { $0.name.hasPrefix("printq-") && $0.consumer != .conversion }
        for option in layout.map(\.name) {
            #expect(printer?["\(option)-supported"] != nil, "\(option)")
            #expect(printer?.keywords("job-creation-attributes-supported").contains(option) == true, "\(option)")
        }
        let simple = ScriptedService(options: ["multiple-document-handling"])
        let handling = await simple.ask(.getPrinterAttributes)[.printer]?
            .keywords("multiple-document-handling-supported")
        #expect(handling?.contains("single-document") == false)
    }

    @Test func `the lists of supported job attributes do not contain text options such as 'cpi' and 'wrap'`() async {
        let printer = await service.ask(.getPrinterAttributes)[.printer]
        for list in ["job-creation-attributes-supported", "job-settable-attributes-supported"] {
            let names = printer?.keywords(list) ?? []
            #expect(!names.contains("cpi") && !names.contains("wrap"))
        }
        #expect(printer?.keywords("job-creation-attributes-supported").contains("sides") == true)
    }

    @Test func `Get-Printer-Attributes rejects an unsupported format`() async {
        let asked = Attribute("document-format", .mimeMediaType("text/x-poem"))
        let answer = await service.ask(.getPrinterAttributes, "ipp://localhost/", [asked])
        #expect(answer.status == .clientErrorDocumentFormatNotSupported)
        #expect(answer[.unsupported]?.attributes == [asked])
        let pdf = Attribute("document-format", .mimeMediaType("application/pdf"))
        #expect(await service.ask(.getPrinterAttributes, "ipp://localhost/", [pdf]).status == .successfulOk)
    }

    @Test func `only an administrator can pause or resume a printer or set the default printer`() async {
        for operation in [Operation.pausePrinter, .resumePrinter, .cupsSetDefault] {
            #expect(await service.ask(operation, as: "root").status == .clientErrorNotAuthorized)
            #expect(await service.ask(operation, over: .administrator).status == .successfulOk)
        }
        #expect(service.record.withLock { $0.paused } == [true, false])
        #expect(service.record.withLock { $0.defaults } == ["office"])
    }

    @Test func `Identify-Printer accepts the actions 'flash' and 'sound'`() async {
        let answer = await service.ask(
            .identifyPrinter, "ipp://localhost/", [Attribute("identify-actions", .keyword("flash"), .keyword("sound"))])
        #expect(answer.status == .successfulOk)
        #expect(service.record.withLock { $0.identified } == [["flash", "sound"]])
    }

    @Test func `the list operations of CUPS need no printer-uri, and the list of classes is empty`() async {
        #expect(await service.ask(.cupsGetDefault, nil)[.printer]?.string("printer-name") == "office")
        #expect(await service.ask(.cupsGetPrinters, nil).groups(.printer).count == 1)
        let classes = await service.ask(.cupsGetClasses, nil)
        #expect(classes.status == .successfulOk)
        #expect(classes.groups(.printer).isEmpty)
    }

    @Test func `a list of printers starts at 'first-printer-name' and contains at most 'limit' printers`() async {
        let printers = ["a", "b", "c"].map { name in
            var printer = ServedPrinter.office()
            printer.name = name
            return printer
        }
        let answer = await ScriptedService(printers: printers).ask(
            .cupsGetPrinters, nil, [Attribute("first-printer-name", .name("b")), Attribute("limit", .integer(1))])
        #expect(answer.groups(.printer).map { $0.string("printer-name") } == ["b"])
    }

    @Test func `without printers, a request for the default printer is rejected with not-found`() async {
        let answer = await ScriptedService(printers: []).ask(.cupsGetDefault, nil)
        #expect(answer.status == .clientErrorNotFound)
    }
}
