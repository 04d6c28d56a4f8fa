// Lists, adds, changes and removes printers.

import Glibc
package import IPP
import PrintIPP
public import PrintModel

extension Spooler {
    // MARK: - Listing

    /// Returns the printers, as `printq printers` does, in the order of their names.
    public func printers() async throws(SpoolerClientError) -> [PrinterView] {
        try await ask(.cupsGetPrinters, requested: PrinterView.attributeNames).groups(.printer).map(PrinterView.init)
    }

    /// Returns a printer with its capabilities and supplies, as `printq printers show` does.
    ///
    /// - Parameter name: The name of the printer; nil for the default printer.
    /// - Throws: `SpoolerClientError` with `usage` if there is no such printer.
    public func printer(_ name: String? = nil) async throws(SpoolerClientError) -> DetailedPrinter {
        DetailedPrinter(try await printer(name, DetailedPrinter.attributeNames))
    }

    // MARK: - Adding and changing

    /// Adds a printer, as `printq printers add` does.
    ///
    ///     try await spooler.addPrinter("office", uri: "ipp://192.0.2.7/ipp/print")
    ///
    /// - Parameters:
    ///   - name: The new name: 1 to 127 letters, digits, `-`, `_` and `.`.
    ///   - uri: The address: `ipp:`, `ipps:`, `cups:`, `folder:` or `printsim:`.
    ///   - change: Further properties, such as the location.
    ///   - isChecked: Whether `printd` queries the printer first, and refuses it if the query fails.
    /// - Throws: `SpoolerClientError`: `usage` for an invalid name or URI; `notDone` if there is a printer with this
    ///   name; `unavailable`, `temporary`, `badAnswer` or `noPermission` if the query fails; `noPermission` if the user
    ///   is not an administrator.
    public func addPrinter(
        _ name: String, uri: String, _ change: PrinterChange = PrinterChange(), isChecked: Bool = true
    ) async throws(SpoolerClientError) {
        _ = try await add(printer: name, uri: uri, change, isChecked: isChecked)
    }

    /// Adds a printer, and returns the response, which contains the description of a checked printer.
    package func add(
        printer name: String, uri: String, _ change: PrinterChange, isChecked: Bool
    ) async throws(SpoolerClientError) -> Message {
        guard ConfiguredPrinter.isValidName(name) else {
            throw SpoolerClientError(
                .usage,
                "invalid printer name '\(name.printable)': use 1 to 127 letters, digits, '-', '_' and '.', and begin "
                    + "with a letter or digit")
        }
        var change = change
        (change.deviceURI, change.mustBeNew) = (uri, true)
        (change.isAccepting, change.isPaused) = (change.isAccepting ?? true, change.isPaused ?? false)
        return try await self.change(
            printer: name, try Self.attributes(of: change),
            operation: change.conditions + [Attribute("printq-check", .boolean(isChecked))],
            requested: ["all", "media-col-database"])
    }

    /// Changes properties of a printer: description, location, URI, policies, sharing, credentials, defaults of options.
    ///
    ///     var change = PrinterChange(location: "Second floor", options: ["sides": "two-sided-long-edge"])
    ///     change.policyLists[PolicyList(.submit, .users)] = .allowed(["anna", "@staff"])
    ///     try await spooler.changePrinter("office", change)
    ///
    /// - Parameters:
    ///   - name: The name of the printer.
    ///   - change: The properties to change. Other properties keep their values.
    ///   - isChecked: Whether `printd` queries a new URI first, and refuses it if the query fails.
    /// - Throws: `SpoolerClientError`: `usage` if there is no such printer, for an unknown option or an invalid value;
    ///   `noPermission` if the user is not an administrator.
    public func changePrinter(
        _ name: String, _ change: PrinterChange, isChecked: Bool = true
    ) async throws(SpoolerClientError) {
        let attributes = try Self.attributes(of: change)
        // An earlier printd ignores printq-must-exist, and would add the printer.
        _ = try await printer(name, ["printer-name"])
        var change = change
        change.mustExist = true
        let isChecked = isChecked && change.deviceURI != nil
        try await self.change(
            printer: name, attributes,
            operation: change.conditions + [Attribute("printq-check", .boolean(isChecked))])
    }

    /// Returns the attributes of a change, after the check of the URI and of the options.
    private static func attributes(of change: PrinterChange) throws(SpoolerClientError) -> [Attribute] {
        var change = change
        if let uri = change.deviceURI {
            do throws(DeviceURI.Problem) { change.deviceURI = try DeviceURI(uri).description } catch {
                throw SpoolerClientError(.usage, error.description.printable)
            }
        }
        let options = change.options.sorted { $0.key < $1.key }.map { OptionText(name: $0.key, value: $0.value) }
        change.options = [:]
        return change.printerAttributes + (try options.printerDefaults(now: UnixTime(time(nil))))
    }

    /// Pauses a printer, so that its jobs wait.
    ///
    /// - Parameters:
    ///   - name: The name of the printer.
    ///   - message: The reason, which `printq why` shows.
    /// - Throws: `SpoolerClientError`: `usage` if there is no such printer; `noPermission` if the user may not manage the
    ///   printer.
    public func pausePrinter(_ name: String, message: String? = nil) async throws(SpoolerClientError) {
        let attributes = message.map { [Attribute("printer-state-message", .text($0))] } ?? []
        try await ask(.pausePrinter, printer: name, attributes: attributes)
    }

    /// Resumes a paused printer.
    ///
    /// - Throws: The errors of ``pausePrinter(_:message:)``.
    public func resumePrinter(_ name: String) async throws(SpoolerClientError) {
        try await ask(.resumePrinter, printer: name)
    }

    /// Makes a printer the default printer.
    ///
    /// - Throws: `SpoolerClientError`: `usage` if there is no such printer; `noPermission` if the user is not an
    ///   administrator.
    public func setDefaultPrinter(_ name: String) async throws(SpoolerClientError) {
        try await ask(.cupsSetDefault, printer: name)
    }

    /// Removes a printer, as `printq printers remove` does.
    ///
    /// The history of its jobs remains.
    ///
    /// - Parameters:
    ///   - name: The name of the printer.
    ///   - jobs: The action for the jobs that have not ended.
    /// - Throws: `SpoolerClientError`: `notDone` if the printer has jobs that have not ended; `usage` if there is no such
    ///   printer; `noPermission` if the user is not an administrator.
    public func removePrinter(
        _ name: String, jobs: RemovedPrinterJobs = .keepPrinter
    ) async throws(SpoolerClientError) {
        let attributes: [Attribute] =
            switch jobs {
            case .keepPrinter: [Attribute("printq-left-jobs", .keyword("keep-printer"))]
            case .cancel: [Attribute("printq-left-jobs", .keyword("cancel"))]
            case .move(let other): [Attribute("printq-left-jobs", .keyword("move")), .destination(other)]
            }
        try await ask(.cupsDeletePrinter, printer: name, attributes: attributes)
    }

    // MARK: - Requests

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

    /// Returns the name of the default printer (CUPS-Get-Default); nil if there is no default printer.
    public func defaultPrinter() async throws(SpoolerClientError) -> String? {
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
    /// - Parameter seconds: The time limit for the search, 1 to 60 seconds.
    public func devices(seconds: Int = 5) async throws(SpoolerClientError) -> DeviceSearch {
        let answer = try await ask(
            .cupsGetDevices, attributes: [Attribute("timeout", .integer(Int32(clamping: seconds)))],
            requested: ["all", "printq-device-notes"])
        return DeviceSearch(
            devices: answer.groups(.printer).compactMap { FoundDevice(attributes: $0) },
            notes: answer[.operation]?.strings("printq-device-notes") ?? [])
    }
}
