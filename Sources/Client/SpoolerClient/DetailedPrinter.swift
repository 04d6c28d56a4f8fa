// Reads a printer with its capabilities, supplies and options from its IPP attributes.

package import IPP
import PrintIPP
public import PrintModel

/// A printer with its capabilities, supplies and options, which `printq printers show` shows.
///
///     let printer = try await spooler.printer("office")
///     printer.phase                                           // ready: a property of `PrinterView`
///     printer.capabilities.papers.map(\.media.name)
///     printer.conditions.first?.text                          // Paper jam
@dynamicMemberLookup
public struct DetailedPrinter: Sendable {
    /// The state of the printer.
    public let printer: PrinterView
    /// The papers, sides, colors, resolutions and formats, including the functions that `printd` performs.
    public let capabilities: PrinterCapabilities
    /// The status that the printer reported last, with its supplies.
    public let status: PrinterStatus
    /// The conditions that people should know, such as a paper jam, errors first.
    public let conditions: [PrinterAlert]
    /// The options with the default values for jobs that do not set them.
    public let options: [OfferedOption]
    /// The location, as text for users; empty if unknown.
    public let location: String
    /// The place as a `geo` URI (RFC 5870); empty if unknown.
    public let geoLocation: String
    /// The organization to which the printer belongs; empty if unknown.
    public let organization: String
    /// The part of the organization to which the printer belongs; empty if unknown.
    public let organizationalUnit: String
    /// The action for a job that cannot be delivered; nil if this version does not know the action.
    public let errorPolicy: ConfiguredPrinter.ErrorPolicy?
    /// The action for a job that is interrupted at the printer; nil if this version does not know the action.
    public let afterInterruption: ConfiguredPrinter.AfterInterruption?
    /// Whether the printer is published for clients on the network.
    public let isShared: Bool
    /// The name of the published service; nil if the printer is not published.
    public let serviceName: String?
    /// Whether clients on the network can print without credentials.
    public let admitsAnonymous: Bool
    /// The reason why a shared printer is not published; nil if there is no problem.
    public let sharingProblem: String?

    /// The printer attributes to request from printd.
    package static let attributeNames = Array(
        Set(
            PrinterView.attributeNames + PrinterCapabilities.attributeNames + PrinterStatus.attributeNames
                + OfferedOption.attributeNames + sharingNames + [
                    "printer-location", "printer-geo-location", "printer-organization",
                    "printer-organizational-unit", "printer-error-policy", "printq-after-interruption",
                ])
    ).sorted()
    /// The printer attributes to request for the properties of sharing.
    package static let sharingNames = [
        "printer-is-shared", "printer-dns-sd-name", "printq-anonymous", "printq-sharing-problem",
    ]

    /// Creates a printer from its attributes.
    ///
    /// Missing attributes become empty values.
    package init(_ group: AttributeGroup) {
        printer = PrinterView(group)
        capabilities = PrinterCapabilities(attributes: group)
        status = PrinterStatus(attributes: group)
        conditions = PrinterAlert.all(
            reasons: printer.reasons, isStopped: printer.state == .stopped, descriptions: printer.alerts)
        options = OfferedOption.all(in: group)
        location = group.string("printer-location") ?? ""
        geoLocation = group.string("printer-geo-location") ?? ""
        organization = group.string("printer-organization") ?? ""
        organizationalUnit = group.string("printer-organizational-unit") ?? ""
        errorPolicy = group.string("printer-error-policy").flatMap { .init(rawValue: $0) }
        afterInterruption = group.keywords("printq-after-interruption").first.flatMap { .init(rawValue: $0) }
        isShared = group.boolean("printer-is-shared") == true
        serviceName = group.string("printer-dns-sd-name")
        admitsAnonymous = group.boolean("printq-anonymous") == true
        sharingProblem = group.string("printq-sharing-problem")
    }

    /// A property of the printer's state.
    public subscript<Value>(dynamicMember property: KeyPath<PrinterView, Value>) -> Value {
        printer[keyPath: property]
    }
}

/// An option that a printer offers, with its default and its choices, which `printq printers options` lists.
public struct OfferedOption: Hashable, Sendable {
    /// The IPP name, such as `sides`.
    public var name: String
    /// The value for jobs that do not set the option, in the syntax of `printq submit -o`; empty if there is none.
    public var defaultValue: String
    /// The values that jobs can set, separated by spaces, or a description of the values.
    public var choices: String

    /// The printer attributes to request from printd.
    package static let attributeNames = PrintOption.all.flatMap { ["\($0.name)-default", "\($0.name)-supported"] }

    /// Returns the options in the attributes of a printer, in the order of `PrintOption.all`.
    package static func all(in group: AttributeGroup) -> [OfferedOption] {
        PrintOption.all.compactMap { option in
            let byDefault = group["\(option.name)-default"]
            let supported = group["\(option.name)-supported"]
            guard byDefault != nil || supported != nil else { return nil }
            let choices = supported?.values.compactMap { text($0, of: option) } ?? []
            // For these options, IPP reports only a boolean or a count, so show the values from the table of options.
            let isPlain = supported?.first?.boolValue != nil || option.name == "job-priority"
            return OfferedOption(
                name: option.name,
                defaultValue: byDefault?.values.compactMap { text($0, of: option) }.joined(separator: ",") ?? "",
                choices: isPlain ? option.values : choices.joined(separator: " "))
        }
    }

    /// Returns a value in the syntax of `-o`; nil if this syntax does not support the value.
    private static func text(_ value: Value, of option: PrintOption) -> String? {
        switch value {
        case .enumeration(let number): option.word(for: Int(number))
        case .integer(let number): "\(number)"
        case .range(let range): "\(range.lower)-\(range.upper)"
        case .boolean(let flag): "\(flag)"
        default: value.stringValue
        }
    }
}
