// What those may do who look after a simulated printer.

package import IPP
package import PrintIPP
import PrintModel
import PrinterSimulator

extension SimulatorService {
    /// Has a printer take new jobs, or none.
    package func setAccepting(_ isAccepting: Bool, printer: String) async throws(IPPFailure) {
        await (try device(named: printer)).setAccepting(isAccepting)
    }

    /// What people call a printer, and where it stands: any text, any place (RFC 3380 §8.1 `admin-define`).
    package var settableAttributes: [Attribute] {
        [
            "printer-info", "printer-location", "printer-geo-location", "printer-organization",
            "printer-organizational-unit", "printer-dns-sd-name",
        ].map { Attribute($0, .outOfBand(.adminDefine)) }
    }

    /// Sets what can be set.
    package func setAttributes(_ attributes: [Attribute], printer: String) async throws(IPPFailure) {
        let device = try device(named: printer)
        var settings: [String: String] = [:]
        for attribute in attributes {
            guard let text = Self.setting(attribute) else {
                throw IPPFailure(
                    .clientErrorAttributesOrValuesNotSupported,
                    "\(attribute.name) takes \(Self.limits[attribute.name] ?? "a text of 127 bytes")",
                    unsupported: [attribute])
            }
            settings[attribute.name] = text
        }
        try await asFailure { () throws(SimulatorError) in try await device.set(settings) }
    }

    /// Forgets the jobs that have ended; a simulated printer has no users, so nobody's are left out.
    package func forgetEndedJobs(printer: String?, owner: String?) async throws(IPPFailure) {
        for device in devices where printer == nil || device.description.name == printer { await device.purgeJobs() }
    }

    private static let limits = [
        "printer-geo-location": "a geo: URI", "printer-dns-sd-name": "a name of 63 bytes",
    ]

    /// The value as it is kept; empty takes it back, nil is no value of the attribute.
    private static func setting(_ attribute: Attribute) -> String? {
        guard attribute.values.count == 1, let value = attribute.first else { return nil }
        if case .outOfBand = value { return "" }
        guard let text = value.stringValue, text.utf8.count <= 127 else { return nil }
        if attribute.name == "printer-dns-sd-name" { return text.utf8.count <= 63 ? text : nil }
        guard attribute.name == "printer-geo-location" else { return text }
        return text.hasPrefix("geo:") ? text : nil
    }
}
