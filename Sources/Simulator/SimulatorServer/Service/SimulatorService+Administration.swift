// The administration of a simulated printer.

package import IPP
import PrintIPP
import PrintModel
import PrinterSimulator

extension SimulatorService {
    package func setAccepting(_ isAccepting: Bool, printer: String) async throws {
        await (try device(named: printer)).setAccepting(isAccepting)
    }

    /// The attributes that a client can set to any text or location (RFC 3380 §8.1 `admin-define`).
    package var settableAttributes: [Attribute] {
        [
            "printer-info", "printer-location", "printer-geo-location", "printer-organization",
            "printer-organizational-unit", "printer-dns-sd-name",
        ].map { Attribute($0, .outOfBand(.adminDefine)) }
    }

    /// - Throws: `client-error-attributes-or-values-not-supported` when a value is invalid.
    package func setAttributes(_ attributes: [Attribute], printer: String) async throws {
        let device = try device(named: printer)
        var settings: [String: String] = [:]
        for attribute in attributes {
            guard let text = Self.setting(attribute) else {
                throw IPPFailure(
                    .clientErrorAttributesOrValuesNotSupported,
                    "invalid \(attribute.name); use \(Self.limits[attribute.name] ?? "a text of at most 127 bytes")",
                    unsupported: [attribute])
            }
            settings[attribute.name] = text
        }
        try await device.set(settings)
    }

    /// Deletes the ended jobs of a printer, or of all printers if `printer` is nil.
    ///
    /// A simulated printer has no user accounts, so the function deletes the jobs of all owners.
    package func forgetEndedJobs(printer: String?, owner: String?) async throws {
        for device in devices where printer == nil || device.description.name == printer { await device.purgeJobs() }
    }

    private static let limits = [
        "printer-geo-location": "a geo: URI", "printer-dns-sd-name": "a name of at most 63 bytes",
    ]

    /// Returns the text that the printer stores for an attribute.
    ///
    /// An empty text resets the attribute. The result is nil for an invalid value.
    private static func setting(_ attribute: Attribute) -> String? {
        guard attribute.values.count == 1, let value = attribute.first else { return nil }
        if case .outOfBand = value { return "" }
        guard let text = value.stringValue, text.utf8.count <= 127 else { return nil }
        if attribute.name == "printer-dns-sd-name" { return text.utf8.count <= 63 ? text : nil }
        guard attribute.name == "printer-geo-location" else { return text }
        return text.hasPrefix("geo:") ? text : nil
    }
}
