// A printer that the server offers over IPP.

package import IPP
package import PrintModel

/// The state of a printer at one moment, as reported over IPP.
public struct ServedPrinter: Sendable {
    /// The printer's name, the last part of its URI.
    package var name: String
    /// The description of the printer for users (`printer-info`).
    package var info: String
    /// The location of the printer, or an empty string if no location is set.
    package var location: String
    /// The place of the printer as a `geo` URI; empty if unknown.
    package var geoLocation = ""
    package var organization = ""
    package var organizationalUnit = ""
    /// Whether the printer is published for clients on the network (CUPS `printer-is-shared`).
    package var isShared = false
    /// Whether clients on the network can print without credentials.
    package var admitsAnonymous = false
    /// The UUID of the printer, in the form `urn:uuid:…`.
    package var uuid: String
    /// The URI of the device that receives the jobs, or `nil` if the printer is the device.
    package var deviceURI: String?
    /// Whether this printer is the default printer, which receives the jobs that clients submit without a printer name.
    package var isDefault: Bool
    package var status: PrinterStatus
    package var stateChangedAt: UnixTime
    package var capabilities: PrinterCapabilities
    /// The first format is the default format.
    package var formats: [DocumentFormat]
    /// The closure that returns the reason why documents of a format cannot be printed, and advice for the user.
    ///
    /// The closure returns `nil` if the reason is unknown.
    ///
    /// The closure is called for formats that are not in `formats`.
    package var unavailability: @Sendable (DocumentFormat) -> String? = { _ in nil }
    package var policy = PrinterPolicy()
    /// The closure that returns the number of waiting and printing jobs.
    ///
    /// The closure is called only if a client requests the count.
    package var queuedJobs: @Sendable () async -> Int
    /// The default options for jobs that do not set these options.
    package var defaultTicket = JobTicket()
    package var extra: [Attribute]
    /// The closure that returns the printer attributes for a document format (`document-format` in
    /// Get-Printer-Attributes).
    package var attributes: @Sendable (DocumentFormat) -> [Attribute] = { _ in [] }
    package var hasWebPages: Bool
    /// The time of the last change of the configuration, or `nil` if unknown.
    package var configurationChangedAt: UnixTime?
    /// Whether the printer meets the requirements of IPP Everywhere (PWG 5100.14), provided that clients can open the
    /// printer's web pages.
    package var isEverywhere = false
    /// The stored attributes for lists; `nil` if the values of the printer change without a new description.
    package var listed: ListedGroups?

    package init(
        name: String, info: String, location: String = "", uuid: String, deviceURI: String? = nil,
        isDefault: Bool = false, status: PrinterStatus, stateChangedAt: UnixTime, capabilities: PrinterCapabilities,
        formats: [DocumentFormat],
        queuedJobs: @escaping @Sendable () async -> Int, extra: [Attribute] = [],
        hasWebPages: Bool = false
    ) {
        (self.name, self.info, self.location, self.uuid) = (name, info, location, uuid)
        (self.deviceURI, self.isDefault, self.status) = (deviceURI, isDefault, status)
        (self.stateChangedAt, self.capabilities, self.formats) = (stateChangedAt, capabilities, formats)
        (self.queuedJobs, self.extra, self.hasWebPages) = (queuedJobs, extra, hasWebPages)
    }

    /// Returns the printer with its attributes for a document format.
    func shown(for format: DocumentFormat) -> ServedPrinter {
        let own = attributes(format)
        var printer = self
        printer.listed = nil
        printer.extra = extra.filter { attribute in !own.contains { $0.name == attribute.name } } + own
        return printer
    }

    /// Returns whether an attribute requests finishings that the printer supports.
    ///
    /// Such an attribute is not read into the job ticket, because the service reads finishings from the received
    /// attributes.
    func finishes(_ attribute: Attribute) -> Bool {
        switch attribute.name {
        case "finishings": return offers(attribute) == true
        case "finishings-col":
            guard let numbers = FinishingTemplate.numbers(in: attribute) else { return false }
            return offers(Attribute("finishings", numbers.map { .enumeration($0) })) == true
        default: return false
        }
    }

    /// Returns whether the printer supports the value of an attribute, or `nil` if the supported values are unknown.
    func offers(_ attribute: Attribute) -> Bool? {
        let own = extra.first { $0.name == "\(attribute.name)-supported" }?.values ?? Self.usualValues[attribute.name]
        return own.map { own in
            attribute.values.allSatisfy { value in
                // Some clients send keywords as names.
                own.contains(value) || value.stringValue.map { word in own.contains { $0.stringValue == word } } == true
            }
        }
    }

    /// The assumed supported values of attributes for which the printer reports no supported values.
    static let usualValues: [String: [Value]] = [
        "print-content-optimize": [.keyword("auto")],
        "print-rendering-intent": [.keyword("auto")],
    ]

    /// The names of job attributes whose values must be in the printer's lists of supported values.
    static let checkedAttributes: Set = [
        "print-content-optimize", "print-rendering-intent", "print-scaling", "printer-resolution",
    ]

    /// The names of job attributes that are supported only if the printer reports supported values for these
    /// attributes.
    static let ownAttributes = ["finishings"]
}
