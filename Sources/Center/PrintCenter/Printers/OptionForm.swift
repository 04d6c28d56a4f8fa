// The print options of a printer for a form.

import IPP
import PrintModel
import SpoolerClient

/// A web form for the print options of a printer.
///
/// The form contains the allowed values and their labels, the limits, and the defaults.
///
/// The table `PrintOption.all` lists the options. The printer's attributes limit the values.
struct OptionForm: Sendable {
    /// The names of the printer attributes to request for the form.
    static let attributeNames = Array(
        Set(
            PrintOption.all.flatMap { ["\($0.name)-default", "\($0.name)-supported"] }
                + ["media-supported", "media-default", "media-type-supported", "media-source-supported"]))

    private let group: AttributeGroup

    /// Creates the form for a printer with the given attributes.
    init(_ group: AttributeGroup) { self.group = group }

    var json: JSONText { .object([("options", .array(PrintOption.all.map(entry)))]) }

    private func entry(_ option: PrintOption) -> JSONText {
        let type = Self.type(of: option)
        let limits = Self.limits[option.name]
        return .object([
            ("name", .string(option.name)), ("label", .string(Self.label(of: option.name))),
            ("help", .string(option.help)), ("type", .string(type)), ("values", values(of: option, type)),
            ("minimum", limits.map { .number($0.lowerBound) } ?? .null),
            ("maximum", limits.map { .number($0.upperBound) } ?? .null),
            ("default", byDefault(option).map { .string($0) } ?? .null),
            ("supported", .bool(isSupported(option))),
            ("group", .string(Self.section(of: option))), ("syntax", .string(option.values)),
        ])
    }

    /// Returns whether the user can choose a value of an option for this printer.
    ///
    /// The result is true if the printer supports several values, or if the option does not depend on the printer.
    private func isSupported(_ option: PrintOption) -> Bool {
        switch option.consumer {
        case .queue, .imposition, .conversion, .deviceOrImposition: return true
        case .device:
            guard let supported = group["\(option.name)-supported"] else { return option.name == "output-type" }
            return supported.values.count > 1 || supported.first?.boolValue == true
        }
    }

    /// Returns the default value of an option in the notation of `printq submit -o`; nil if the option has no default.
    private func byDefault(_ option: PrintOption) -> String? {
        let words = group["\(option.name)-default"]?.values.compactMap { Self.text($0, of: option) } ?? []
        return words.isEmpty ? Self.usual[option.name] : words.joined(separator: ",")
    }

    private func values(of option: PrintOption, _ type: String) -> JSONText {
        guard type == "keyword" || type == "media" || option.name == "number-up" else { return .null }
        var words = group["\(option.name)-supported"]?.values.compactMap { Self.text($0, of: option) } ?? []
        if ["true", "false"].contains(words.first) { words = [] }
        if words.isEmpty { words = Self.choices[option.name] ?? [] }
        if type == "media" { words = words.filter { !$0.hasPrefix("custom_min_") && !$0.hasPrefix("custom_max_") } }
        guard !words.isEmpty else { return .null }
        var seen: Set<String> = []
        return .array(
            words.filter { seen.insert($0).inserted }.map { word in
                .object([("value", .string(word)), ("label", .string(Self.label(of: word, option)))])
            })
    }

    // MARK: - Values

    /// Returns a value of an option in the notation of `printq submit -o`; nil for a value that this notation does not
    /// support.
    static func text(_ value: Value, of option: PrintOption) -> String? {
        switch value {
        case .enumeration(let number):
            // `none` of orientation-requested (7) means that the printer chooses.
            option.name == "orientation-requested" && number == 7 ? nil : option.word(for: Int(number))
        case .integer(let number): "\(number)"
        case .range(let range): "\(range.lower)-\(range.upper)"
        case .boolean(let flag): "\(flag)"
        default: value.stringValue
        }
    }

    /// Returns the type of the form field for an option.
    static func type(of option: PrintOption) -> String {
        switch option.name {
        case "media": "media"
        case "job-hold-until", "printq-poster", "printq-poster-overlap": "text"
        default:
            switch option.syntax {
            case .keyword, .enumeration: "keyword"
            case .integer: "integer"
            case .ranges: "ranges"
            case .boolean: "boolean"
            case .name, .number, .charset: "text"
            }
        }
    }

    /// Returns the section of the form that contains an option.
    private static func section(of option: PrintOption) -> String {
        switch option.consumer {
        case .queue: "job"
        case .device, .deviceOrImposition: "printer"
        case .imposition: "layout"
        case .conversion: "document"
        }
    }

    private static let limits: [String: ClosedRange<Int>] = [
        "scaling": 1...1000,
        "copies": 1...JobTicket.mostCopies, "job-priority": 1...100,
        "printq-booklet-signature-size": 0...Booklet.mostSignatureSheets, "columns": 1...8, "tab-width": 1...32,
        "number-up": 1...16, "cpi": 1...72, "lpi": 1...72,
    ]

    /// The defaults of options for which printers do not report a default.
    private static let usual: [String: String] = [
        "copies": "1", "number-up": "1", "page-delivery": "same-order", "job-priority": "50",
        "job-hold-until": "no-hold", "page-border": "none", "imposition-template": "none",
        "printq-page-numbers": "none", "printq-poster": "none", "print-scaling": "auto",
        "job-sheets": "none",
    ]

    /// The values of options for which printers do not report values.
    private static let choices: [String: [String]] = [
        "page-delivery": ["same-order", "reverse-order"],
        "output-type": ["general", "photo", "grayscale", "photo-grayscale"],
        "orientation-requested": ["portrait", "landscape", "reverse-landscape", "reverse-portrait"],
        "job-retain-until": ["none"], "printq-office": OfficePages.allCases.map(\.rawValue),
        "multiple-document-handling": [
            "separate-documents-collated-copies", "separate-documents-uncollated-copies", "single-document",
            "single-document-new-sheet",
        ],
    ]

    // MARK: - Labels

    static func label(of name: String) -> String { labels[name] ?? words(name.replacing("printq-", with: "")) }

    /// Returns the label of an option's value for the form.
    static func label(of value: String, _ option: PrintOption) -> String {
        if option.name == "media" { return Media(name: value)?.localizedName ?? value }
        return valueLabels[value] ?? (Int(value) == nil ? words(value) : value)
    }

    private static func words(_ keyword: String) -> String {
        let words = keyword.replacing("-", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static let labels: [String: String] = [
        "page-ranges": "Pages", "media": "Paper", "media-type": "Paper type", "media-source": "Tray",
        "orientation-requested": "Orientation", "number-up": "Pages per side",
        "presentation-direction-number-up": "Page order on a side", "print-scaling": "Scaling",
        "print-color-mode": "Color", "print-quality": "Quality", "finishings": "Cut",
        "output-type": "Content", "page-delivery": "Page order", "mirror": "Mirror",
        "page-set": "Odd or even sides", "scaling": "Size in percent",
        "multiple-document-handling": "Documents and copies",
        "job-priority": "Priority", "job-hold-until": "Hold until", "job-retain-until": "Keep documents",
        "imposition-template": "Booklet", "job-sheets": "Cover sheets",
        "printq-booklet-signature-size": "Sheets per signature",
        "printq-booklet-binding": "Binding edge", "printq-booklet-sides": "Booklet sides",
        "cpi": "Characters per inch", "lpi": "Lines per inch", "wrap": "Wrap long lines",
        "prettyprint": "Title and page numbers", "document-charset": "Character encoding",
        "printq-office": "Office documents", "printq-sheets": "Sheets of spreadsheets",
    ]

    private static let valueLabels: [String: String] = [
        "one-sided": "One-sided", "two-sided-long-edge": "Two-sided, long edge",
        "two-sided-short-edge": "Two-sided, short edge", "auto": "Automatic", "auto-fit": "Fit if larger",
        "fit": "Fit to page", "fill": "Fill page", "none": "None", "monochrome": "Black and white",
        "topsecret": "Top secret", "job-both-sheet": "Before and after the documents",
        "job-end-sheet": "After the documents", "job-start-sheet": "Before the documents",
        "signature": "Booklet", "same-order": "First page first", "reverse-order": "Last page first",
        "separate-documents-collated-copies": "Separate documents, collated",
        "separate-documents-uncollated-copies": "Separate documents, not collated",
        "single-document": "One document", "single-document-new-sheet": "One document, each file on a new sheet",
        "toright-tobottom": "Right, then down", "tobottom-toright": "Down, then right",
        "toleft-tobottom": "Left, then down", "tobottom-toleft": "Down, then left",
        "toright-totop": "Right, then up", "totop-toright": "Up, then right", "toleft-totop": "Left, then up",
        "totop-toleft": "Up, then left", "n": "1", "n-of-m": "1 / 5",
    ]
}
