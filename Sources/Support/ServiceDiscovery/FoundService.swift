// A printer as the network tells of it, and the device that it is to a spooler.

import FoundationEssentials
import PrintModel

/// A service of type `_ipp._tcp` or `_ipps._tcp` that was found and resolved.
///
/// All of it is what somebody on the network says.
struct FoundService: Hashable, Sendable {
    /// Its name for people.
    var name: String
    /// `_ipp._tcp` or `_ipps._tcp`.
    var type: String
    /// Its host's name or, where that leads nowhere, its address.
    var host: String
    /// Its TCP port.
    var port: Int
    /// The entries of its TXT record.
    var entries: [String]

    /// The value of an entry, by its key, whose case does not matter (RFC 6763 §6.4).
    private func value(_ key: String) -> String? {
        for entry in entries {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts[0].lowercased() == key.lowercased() { return parts.count == 2 ? String(parts[1]) : "" }
        }
        return nil
    }

    /// The device; nil when it has no URI that one could print to (Bonjour Printing Specification 1.2.1).
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

    /// What to post to: `rp`, written so that it is nothing but a path.
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

    /// An IEEE 1284 device id of what the record says.
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
