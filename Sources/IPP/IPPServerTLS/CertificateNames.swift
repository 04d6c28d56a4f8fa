// What a machine is called.

import Glibc

/// The names and addresses that a certificate is good for (`subjectAltName`, RFC 5280 §4.2.1.6).
public struct CertificateNames: Hashable, Sendable {
    /// Names of hosts, the one that the certificate is called by first.
    public var hosts: [String]
    /// Addresses, of 4 or 16 bytes.
    public var addresses: [[UInt8]]

    /// Names and addresses.
    public init(hosts: [String], addresses: [[UInt8]] = []) { (self.hosts, self.addresses) = (hosts, addresses) }

    /// What a server of the loopback interface is called by programs of its machine: `localhost`, `127.0.0.1`, `::1`, and
    /// the other address that it listens at, if there is one.
    ///
    /// - Parameter address: a numeric address, such as `127.0.0.2`.
    public static func loopback(and address: String? = nil) -> CertificateNames {
        var names = CertificateNames(
            hosts: ["localhost"], addresses: [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]])
        if let bytes = address.flatMap(bytes(ofAddress:)), !names.addresses.contains(bytes) {
            names.addresses.append(bytes)
        }
        return names
    }

    private static func bytes(ofAddress address: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, address, &bytes) == 1 { return bytes }
        }
        return nil
    }

    /// What this machine is called by itself and on its network: its name, that with `.local` (RFC 6762), `localhost`,
    /// `127.0.0.1` and `::1`.
    public static var thisMachine: CertificateNames {
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
