// Formats the details of a printer for `printq printers show`.

package import IPP
import PrintIPP
import PrintModel
package import SpoolerClient

/// The details of a printer, in the format of `printq printers show`.
package struct PrinterDetails: Sendable {
    private let group: AttributeGroup
    private let details: DetailedPrinter
    private var view: PrinterView { details.printer }

    /// The printer attributes to request from printd.
    package static let attributeNames =
        (DetailedPrinter.attributeNames + ["printer-uri-supported", "printer-state-change-time"]).sorted()

    package init(_ group: AttributeGroup) { (self.group, details) = (group, DetailedPrinter(group)) }

    /// Returns the details of the printer.
    ///
    /// Each detail has its name, and a long value continues on the next line.
    ///
    /// - Parameters:
    ///   - width: The width of the terminal in columns; nil for no limit.
    ///   - isStyled: Whether the state, the alerts and low supplies have colors.
    package func text(width: Int? = nil, isStyled: Bool = false) -> String {
        let lines = rows.filter { !$0.value.isEmpty }
        let titles = (lines.map(\.title.columns).max() ?? 0) + 2
        return lines.flatMap { row in
            row.value.printable.wrapped(to: max(20, (width ?? .max) - titles)).enumerated().map { index, piece in
                let title = index == 0 ? row.title : ""
                let text = isStyled ? row.tone?.painted(piece) ?? piece : piece
                return title + String(repeating: " ", count: titles - title.columns) + text + "\n"
            }
        }.joined()
    }

    private typealias Row = (title: String, value: String, tone: Tone?)

    private var rows: [Row] {
        let (capabilities, alerts) = (details.capabilities, details.conditions)
        var rows: [Row] = [
            ("printer", view.name + (view.isDefault ? " (the default printer)" : ""), nil),
            ("description", view.info, nil), ("location", details.location, nil),
            ("place", details.geoLocation, nil),
            (
                "organization",
                [details.organization, details.organizationalUnit]
                    .filter { !$0.isEmpty }.joined(separator: ", "), nil
            ),
            ("model", group.string("printer-make-and-model") ?? "", nil),
            ("state", view.phase.rawValue, view.tone), ("", view.message, nil),
            ("host", view.host ?? "", nil),
            ("reasons", view.reasons.joined(separator: ", "), nil),
        ]
        for (index, alert) in alerts.enumerated() {
            rows.append((index == 0 ? "alerts" : "", "\(alert.severity.rawValue): \(alert.text)", Self.tone(of: alert)))
        }
        rows += [
            ("jobs", "\(view.queuedJobs) waiting or printing", nil), ("users", view.policyText, nil),
            ("URI", group.string("printer-uri-supported") ?? "", nil), ("device URI", view.deviceURI, nil),
            ("shared", Self.sharing(details), nil),
            ("on failure", details.errorPolicy?.rawValue ?? "", nil),
            ("interrupted", details.afterInterruption?.rawValue ?? "", nil),
            ("prints", Self.abilities(capabilities), nil),
        ]
        rows += Self.loaded(capabilities)
        for (index, supply) in details.status.supplies.enumerated() {
            let level = supply.level.map { "\($0) %" } ?? "level unknown"
            let isLow = (supply.level ?? 100) <= supply.lowLevel && !supply.type.hasPrefix("waste")
            rows.append((index == 0 ? "supplies" : "", "\(supply.name): \(level)", isLow ? .attention : nil))
        }
        for (index, option) in details.options.filter({ !$0.defaultValue.isEmpty }).enumerated() {
            rows.append((index == 0 ? "defaults" : "", "\(option.name)=\(option.defaultValue)", nil))
        }
        return rows
    }

    /// Returns the name under which a shared printer is published, and who can use it; empty if it is not shared.
    package static func sharing(_ printer: DetailedPrinter) -> String {
        guard printer.isShared else { return "" }
        let clients = printer.admitsAnonymous ? "for everyone on the network" : "for clients with a token"
        let name = printer.serviceName.map { "as '\($0)', " } ?? ""
        let problem = printer.sharingProblem.map { "; not published: \($0)" } ?? ""
        return "\(name)\(clients)\(problem)"
    }

    private static func tone(of alert: PrinterAlert) -> Tone? {
        switch alert.severity {
        case .error: .bad
        case .warning: .attention
        case .report: nil
        }
    }

    /// Returns the capabilities of the printer as text: `color, both sides, 600 dpi`.
    private static func abilities(_ capabilities: PrinterCapabilities) -> String {
        let isColor = capabilities.colorModes.contains(.color)
        let isTwoSided = capabilities.duplexModes.contains { $0 != .none }
        let resolutions = capabilities.resolutions.map { "\($0) dpi" }.joined(separator: ", ")
        return [isColor ? "color" : "black and white", isTwoSided ? "both sides" : "one side", resolutions]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Returns the rows that list the loaded papers.
    ///
    /// Papers that have the same paper types share a row.
    private static func loaded(_ capabilities: PrinterCapabilities) -> [Row] {
        var sizes: [Media] = []
        var types: [Media: [String]] = [:]
        for paper in capabilities.readyPapers {
            if types[paper.media] == nil { sizes.append(paper.media) }
            var known = types[paper.media] ?? []
            if let type = paper.type, !known.contains(type) { known.append(type) }
            types[paper.media] = known
        }
        var groups: [(types: [String], names: [String])] = []
        for media in sizes {
            let words = types[media] ?? []
            if let index = groups.firstIndex(where: { $0.types == words }) {
                groups[index].names.append(media.localizedName)
            } else {
                groups.append((words, [media.localizedName]))
            }
        }
        return groups.enumerated().map { index, group in
            let suffix = group.types.isEmpty ? "" : " (\(group.types.joined(separator: ", ")))"
            return (index == 0 ? "loaded" : "", group.names.joined(separator: ", ") + suffix, nil)
        }
    }
}
