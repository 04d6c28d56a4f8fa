// Converts a discovered service to a device.

import FoundationEssentials
import PrintModel

/// A discovered and resolved service of type `_ipp._tcp` or `_ipps._tcp`.
///
/// All values come from the network and are untrusted.
struct FoundService: Hashable, Sendable {
    /// The instance name of the service.
    var name: String
    /// The service type: `_ipp._tcp` or `_ipps._tcp`.
    var type: String
    /// The host name, or the address if the host name cannot be resolved.
    var host: String
    /// The TCP port of the service.
    var port: Int
    /// The entries of the TXT record.
    var entries: [String]

    /// Returns the value of an entry; keys are case-insensitive (RFC 6763 §6.4).
    private func value(_ key: String) -> String? {
        for entry in entries {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts[0].lowercased() == key.lowercased() { return parts.count == 2 ? String(parts[1]) : "" }
        }
        return nil
    }

    /// The printer that the service describes; nil if the service has no valid printer URI (Bonjour Printing
    /// Specification 1.2.1).
    var device: FoundDevice? {
        guard (1...65535).contains(port), let path = resourcePath else { return nil }
        let scheme = type.hasPrefix("_ipps.") ? "ipps" : "ipp"
        let authority = host.contains(":") ? "[\(host)]" : host
        guard let uri = try? DeviceURI("\(scheme)://\(authority):\(port)/\(path)") else { return nil }
        let product = value("product").map { $0.trimmed("(", ")") } ?? ""
        let model = value("ty").flatMap { $0.isEmpty ? nil : $0 } ?? product
        return FoundDevice(
            uri: uri.description, info: name, makeAndModel: model, deviceID: deviceID, location: value("note") ?? "")
    }

    /// The path of the printer's URI: the percent-encoded value of `rp`, or `ipp/print` if `rp` is missing.
    ///
    /// The result is nil if the path is longer than 512 bytes.
    private var resourcePath: String? {
        let given = value("rp").flatMap { $0.isEmpty ? nil : $0 } ?? "ipp/print"
        let path = given.hasPrefix("/") ? String(given.dropFirst()) : given
        guard path.utf8.count <= 512 else { return nil }
        var text = ""
        for byte in path.utf8 {
            let scalar = Unicode.Scalar(byte)
            if byte < 0x80, Self.plain.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }
        return text
    }

    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=:@".unicodeScalars)

    /// An IEEE 1284 device ID, composed from the TXT record.
    private var deviceID: String {
        let fields = [("MFG", value("usb_MFG")), ("MDL", value("usb_MDL")), ("CMD", value("pdl"))]
        return fields.compactMap { key, value in value.flatMap { $0.isEmpty ? nil : "\(key):\($0);" } }.joined()
    }
}

extension String {
    fileprivate func trimmed(_ start: String, _ end: String) -> String {
        hasPrefix(start) && hasSuffix(end) && count > 1 ? String(dropFirst().dropLast()) : self
    }
}
