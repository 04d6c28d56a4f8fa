// Adds, changes and removes printers.

package import IPP
import PrintIPP
package import PrintModel

extension Spooler {
    /// Changes a printer with CUPS-Add-Modify-Printer.
    ///
    /// Returns the response of printd.
    ///
    /// - Parameters:
    ///   - attributes: The printer attributes to change.
    ///   - operation: Additional operation attributes (`printq-check`).
    @discardableResult
    package func change(
        printer: String, _ attributes: [Attribute], operation: [Attribute] = [], requested: [String]? = nil
    ) async throws(SpoolerClientError) -> Message {
        var request = Message.request(
            .cupsAddModifyPrinter, printer: printer, user: user, attributes: operation, requested: requested)
        request.groups.append(AttributeGroup(.printer, attributes))
        return try await send(request, isRepeatable: true)
    }

    /// Sets lists of the policy of a printer.
    package func setPolicy(
        _ lists: [PolicyList: AccessList], of printer: String
    ) async throws(SpoolerClientError) {
        try await change(printer: printer, lists.map { $0.key.attribute($0.value) })
    }

    /// Removes a printer with CUPS-Delete-Printer.
    package func remove(printer: String, jobs: RemovedPrinterJobs) async throws(SpoolerClientError) {
        let attributes: [Attribute] =
            switch jobs {
            case .keepPrinter: [Attribute("printq-left-jobs", .keyword("keep-printer"))]
            case .cancel: [Attribute("printq-left-jobs", .keyword("cancel"))]
            case .move(let other): [Attribute("printq-left-jobs", .keyword("move")), .destination(other)]
            }
        try await ask(.cupsDeletePrinter, printer: printer, attributes: attributes)
    }

    /// Returns the default printer (CUPS-Get-Default); nil if there is no default printer.
    package func defaultPrinter() async throws(SpoolerClientError) -> String? {
        let answer: Message
        do throws(SpoolerClientError) {
            answer = try await ask(.cupsGetDefault, requested: ["printer-name"])
        } catch {
            guard error.code == .usage else { throw error }
            return nil
        }
        return answer[.printer]?.string("printer-name")
    }

    /// Returns the devices that can be added as printers (CUPS-Get-Devices).
    ///
    /// - Parameter seconds: The time limit for the search, in seconds.
    package func devices(seconds: Int) async throws(SpoolerClientError) -> DeviceSearch {
        let answer = try await ask(
            .cupsGetDevices, attributes: [Attribute("timeout", .integer(Int32(clamping: seconds)))],
            requested: ["all", "printq-device-notes"])
        return DeviceSearch(
            devices: answer.groups(.printer).compactMap { FoundDevice(attributes: $0) },
            notes: answer[.operation]?.strings("printq-device-notes") ?? [])
    }
}
