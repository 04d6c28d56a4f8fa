// The address of a CUPS server.

import FoundationEssentials
public import IPPClient

/// A CUPS server (cupsd): its address, and the URIs of its queues.
///
///     CUPSServer("/run/cups/cups.sock")
///     CUPSServer("print.example.com:631")
public struct CUPSServer: Hashable, Sendable {
    /// The address on which the server listens.
    public let address: IPPAddress

    /// Creates a CUPS server from an address.
    public init(address: IPPAddress) { self.address = address }

    /// Creates a CUPS server from `HOST[:PORT]` or the path of a socket (the format of `CUPS_SERVER` and `lp -h`).
    ///
    /// The default port is 631. The result is nil for any other text.
    public init?(_ text: String) {
        // CUPS_SERVER may end with the IPP version to use: `host/version=1.1`.
        let text = text.firstRange(of: "/version=").map { String(text[..<$0.lowerBound]) } ?? text
        if text.hasPrefix("/") {
            guard text.utf8.count < 108 else { return nil }
            self.init(address: .unix(path: text))
            return
        }
        var (host, port) = (text, 631)
        if let colon = text.lastIndex(of: ":"), text.hasSuffix("]") == false,
            text.hasPrefix("[") || text.firstIndex(of: ":") == colon
        {
            guard let number = Int(text[text.index(after: colon)...]), (1...65535).contains(number) else { return nil }
            (host, port) = (String(text[..<colon]), number)
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty, !host.utf8.contains(where: { $0 <= 32 || $0 == UInt8(ascii: "/") }) else { return nil }
        self.init(address: .tcp(host: host, port: port))
    }

    /// The default server of CUPS programs: `CUPS_SERVER`, otherwise the default socket, otherwise port 631 of this
    /// machine.
    public static var usual: CUPSServer {
        if let named = ProcessInfo.processInfo.environment["CUPS_SERVER"].flatMap(CUPSServer.init) { return named }
        for path in ["/run/cups/cups.sock", "/var/run/cups/cups.sock"]
        where FileManager.default.fileExists(atPath: path) {
            return CUPSServer(address: .unix(path: path))
        }
        return CUPSServer(address: .tcp(host: "localhost", port: 631))
    }

    func uri(ofQueue name: String) -> String { "\(uri)printers/\(Self.escaped(name))" }

    /// The URI of the server, without a queue.
    var uri: String {
        switch address {
        case .unix: "ipp://localhost/"
        case .tcp(let host, let port): "ipp://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
        }
    }

    /// Percent-encodes the name of a queue.
    ///
    /// The name may contain non-ASCII characters. Percent signs stay unchanged. Therefore a name that is already
    /// encoded does not change.
    private static func escaped(_ name: String) -> String {
        name.utf8.map { byte in
            byte > 32 && byte < 127
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
