import IPP
import PrintModel
import Testing

@testable import PrintIPP

/// Tests of changes of printers as IPP attributes, in both directions.
struct PrinterChangeTests {
    private static let full: PrinterChange = {
        var change = PrinterChange(
            deviceURI: "ipp://printer.local/ipp/print", info: "The color laser", location: "",
            errorPolicy: .stopPrinter, afterInterruption: .continue, isAccepting: false, isPaused: true,
            pauseMessage: "Toner is on its way", options: ["sides": "two-sided-long-edge", "number-up": ""])
        (change.geoLocation, change.organization) = ("geo:48.2,16.37", "Print shop")
        (change.organizationalUnit, change.serviceName) = ("Labels", "Laser")
        (change.isShared, change.admitsAnonymous, change.trustsCertificate) = (true, false, true)
        (change.deviceUser, change.devicePassword) = ("office", "a: secret")
        change.policyLists = [
            PolicyList(.submit, .users): .allowed(["anna", "@staff"]), PolicyList(.look, .users): .denied(["ben"]),
            PolicyList(.manage, .users): .nobody, PolicyList(.submit, .networks): .allowed(["192.0.2.0/24"]),
        ]
        return change
    }()

    @Test(arguments: [full, PrinterChange(), PrinterChange(isPaused: false)])
    func `a change round-trips through an encoded IPP message`(change: PrinterChange) throws {
        let message = Message(
            version: .v2_0, operation: .cupsAddModifyPrinter, requestID: 1,
            groups: [.operation(change.conditions), AttributeGroup(.printer, change.printerAttributes)])
        let read = try Message.decode(try message.encoded()).message
        #expect(try PrinterChange(attributes: read[.printer]?.attributes ?? []) == change)
    }

    @Test func `the conditions of a change are operation attributes`() {
        var change = PrinterChange()
        change.mustBeNew = true
        #expect(change.conditions.map(\.name) == ["printq-must-be-new"])
        (change.mustBeNew, change.mustExist) = (false, true)
        #expect(change.conditions.map(\.name) == ["printq-must-exist"])
    }
}
