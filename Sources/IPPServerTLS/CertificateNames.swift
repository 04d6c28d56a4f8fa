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
