// The names of a machine in its certificate.

import Glibc

/// The names and addresses for which a certificate is valid (`subjectAltName`, RFC 5280 §4.2.1.6).
public struct CertificateNames: Hashable, Sendable {
    /// The first host name is the common name.
    package var hosts: [String]
    /// The addresses, of 4 or 16 bytes each.
    package var addresses: [[UInt8]]

    package init(hosts: [String], addresses: [[UInt8]] = []) { (self.hosts, self.addresses) = (hosts, addresses) }

    /// Returns the names of a loopback server: `localhost`, `127.0.0.1`, `::1`, and the given address.
    ///
    /// - Parameter address: An additional numeric address, such as `127.0.0.2`, or `nil`.
    package static func loopback(and address: String? = nil) -> CertificateNames {
        var names = CertificateNames(
            hosts: ["localhost"], addresses: [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]])
        if let bytes = address.flatMap(bytes(ofAddress:)), !names.addresses.contains(bytes) {
            names.addresses.append(bytes)
        }
        return names
    }

    /// Adds names and numeric addresses that are missing.
    package mutating func add(_ names: [String]) {
        for name in names {
            if let bytes = Self.bytes(ofAddress: name) {
                if !addresses.contains(bytes) { addresses.append(bytes) }
            } else if !hosts.contains(name.lowercased()) {
                hosts.append(name.lowercased())
            }
        }
    }

    private static func bytes(ofAddress address: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, address, &bytes) == 1 { return bytes }
        }
        return nil
    }

    /// The names of this machine: its host name, its name with `.local` (RFC 6762), `localhost`, `127.0.0.1` and
    /// `::1`.
    package static var thisMachine: CertificateNames {
        var bytes = [CChar](repeating: 0, count: 256)
        _ = gethostname(&bytes, bytes.count - 1)
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let first = name.split(separator: ".").first.map(String.init)
        var hosts: [String] = []
        for host in [name, first.map { "\($0).local" } ?? "", "localhost"] where !host.isEmpty && !hosts.contains(host)
        {
            hosts.append(host)
        }
        return CertificateNames(
            hosts: hosts, addresses: [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]])
    }
}
