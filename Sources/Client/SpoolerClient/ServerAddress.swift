// The address of a printd on the network.

import Glibc

/// The host and the TCP port of a printd on the network.
///
///     try ServerAddress("ipps://print.example.com:8632").description      // "print.example.com:8632"
///     try ServerAddress("[2001:db8::1]").port                             // 631
package struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let port: Int

    /// Parses `ipps://HOST[:PORT]`, or `HOST[:PORT]` as in `CUPS_SERVER`; the default port is 631, that of IPP.
    ///
    /// - Throws: `SpoolerClientError` with `usage` for another text, and for `ipp:`, which would send credentials without
    ///   TLS.
    package init(_ text: String) throws(SpoolerClientError) {
        func refusal(_ reason: String) -> SpoolerClientError {
            SpoolerClientError(.usage, "invalid server '\(text.printable)': \(reason)")
        }
        var rest = text[...]
        if let scheme = text.firstRange(of: "://") {
            guard ["ipps", "https"].contains(text[..<scheme.lowerBound].lowercased()) else {
                throw refusal("the address must begin with ipps:, because clients on the network must use TLS")
            }
            rest = text[scheme.upperBound...]
        }
        rest = rest.prefix { $0 != "/" }
        guard !rest.contains("@") else { throw refusal("use 'printq login' for the user and the password") }
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { throw refusal("']' is missing") }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
        } else {
            host = String(rest.prefix { $0 != ":" })
            rest = rest.dropFirst(host.count)
        }
        guard !host.isEmpty, !host.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
            throw refusal("expected ipps://HOST[:PORT]")
        }
        guard !rest.isEmpty else {
            port = 631
            return
        }
        guard rest.first == ":", let number = Int(rest.dropFirst()), (1...65_535).contains(number) else {
            throw refusal("the port must be a number from 1 to 65535")
        }
        port = number
    }

    /// The host and the port, such as `print.example.com:8632` or `[2001:db8::1]:631`.
    package var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

extension ServerAddress {
    /// Returns the server that the environment of this process selects; nil if it selects a spool of this machine.
    ///
    /// `CUPS_SERVER` selects a server only if the user has logged in there, because the variable usually names a cupsd.
    ///
    /// - Throws: `SpoolerClientError` with `usage` if `PRINTQ_SERVER` is not an address.
    package static func current() throws(SpoolerClientError) -> ServerAddress? {
        func value(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        if let server = value("PRINTQ_SERVER") { return try ServerAddress(server) }
        guard value("PRINTQ_SPOOL") == nil, let cups = value("CUPS_SERVER"), !cups.hasPrefix("/"),
            let server = try? ServerAddress(cups), (try? ServerLogins.current().login(at: server)) != nil
        else { return nil }
        return server
    }
}
