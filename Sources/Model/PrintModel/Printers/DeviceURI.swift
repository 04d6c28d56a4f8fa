// Parses the URI of a printer.

import FoundationEssentials

/// The address of a printer, parsed from its URI (CUPS `device-uri`).
///
///     try DeviceURI("printsim:color-laser")            // a simulated printer of this spool
///     try DeviceURI("ipps://printer.local/ipp/print")  // an IPP printer, with TLS
///     try DeviceURI("cups:office/draft")               // a queue of the local cupsd, with its saved options `draft`
///     try DeviceURI("folder:/srv/printed")             // a folder that receives PDFs
public enum DeviceURI: Hashable, Sendable, CustomStringConvertible {
    /// A simulated printer of this spool: `printsim:NAME`.
    case simulated(name: String)
    /// An IPP printer: `ipp://HOST[:PORT]/PATH`, or `ipps://…` with TLS from the first byte (RFC 3510, RFC 7472).
    case ipp(IPPDevice)
    /// A CUPS queue: `cups:NAME[/INSTANCE]` on the configured cupsd, or `cups://HOST[:PORT]/NAME[/INSTANCE]`.
    case cups(CUPSQueue)
    /// A folder that receives the prepared PDFs: `folder:/PATH`.
    case folder(path: String)

    /// The address of an IPP printer.
    public struct IPPDevice: Hashable, Sendable {
        /// The host name or address; an IPv6 address has no brackets.
        package var host: String
        /// The TCP port; 631 if the URI contains no port.
        package var port: Int
        /// The path of HTTP requests, with its leading `/`.
        package var path: String
        /// Whether the connection starts with TLS.
        package var isSecure: Bool
        /// The URI that is sent to the printer (`printer-uri`).
        package var uri: String
    }

    /// The address of a CUPS queue.
    public struct CUPSQueue: Hashable, Sendable {
        /// The host of the cupsd; nil means the configured cupsd.
        package var host: String?
        /// The TCP port of the cupsd; 631 if the URI contains no port.
        ///
        /// The port is ignored if `host` is nil.
        package var port: Int
        package var name: String
        /// The instance with its saved options (`lpoptions -p NAME/INSTANCE`); nil means the options of the queue.
        package var instance: String?

        /// Creates the address of a CUPS queue.
        ///
        /// `host` is nil for a queue of the configured cupsd.
        package init(host: String? = nil, port: Int = 631, name: String, instance: String? = nil) {
            (self.host, self.port, self.name, self.instance) = (host, port, name, instance)
        }
    }

    /// An error in a printer URI.
    public struct Problem: Error, Hashable, CustomStringConvertible {
        /// The error message for users, in one sentence with a suggestion.
        public let description: String
    }

    /// Parses the URI of a printer.
    ///
    /// - Throws: `Problem` for an invalid URI.
    package init(_ text: String) throws(Problem) {
        guard let colon = text.firstIndex(of: ":") else {
            throw Problem(description: "'\(text)' is not a printer URI; \(Self.forms)")
        }
        let rest = String(text[text.index(after: colon)...])
        switch text[..<colon].lowercased() {
        case "printsim":
            guard ConfiguredPrinter.isValidName(rest) else {
                throw Problem(description: "'\(text)' has no valid name of a simulated printer; use printsim:NAME")
            }
            self = .simulated(name: rest)
        case "ipp": self = .ipp(try Self.device(text, isSecure: false))
        case "ipps": self = .ipp(try Self.device(text, isSecure: true))
        case "cups": self = .cups(try Self.queue(text, rest))
        case "folder":
            guard rest.hasPrefix("/"), !rest.utf8.contains(0) else {
                throw Problem(description: "'\(text)' has no absolute path; use folder:/PATH")
            }
            self = .folder(path: rest)
        default: throw Problem(description: "unsupported URI scheme in '\(text)'; \(Self.forms)")
        }
    }

    /// The URI of the printer as text.
    public var description: String {
        switch self {
        case .simulated(let name): "printsim:\(name)"
        case .ipp(let device): device.uri
        case .cups(let queue):
            (queue.host.map { "cups://\(Self.authority($0, queue.port))/" } ?? "cups:") + queue.name
                + (queue.instance.map { "/\($0)" } ?? "")
        case .folder(let path): "folder:\(path)"
        }
    }

    private static let forms =
        "use ipp://HOST/PATH, ipps://HOST/PATH, cups:NAME, cups://HOST/NAME, folder:/PATH or printsim:NAME"

    private static func device(_ text: String, isSecure: Bool) throws(Problem) -> IPPDevice {
        let (host, port, path) = try server(text)
        let given = path.isEmpty ? "/" : path
        let scheme = isSecure ? "ipps" : "ipp"
        return IPPDevice(
            host: host, port: port, path: given, isSecure: isSecure,
            uri: "\(scheme)://\(authority(host, port))\(given)")
    }

    private static func queue(_ text: String, _ rest: String) throws(Problem) -> CUPSQueue {
        var (host, port, path): (String?, Int, String) = (nil, 631, rest)
        if rest.hasPrefix("//") { (host, port, path) = try server(text) }
        var names = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        // cupsd's own URIs, as shown by `lpstat -v` and its web pages, contain the type before the name.
        if names.count > 1, ["printers", "classes"].contains(names[0]) { names.removeFirst() }
        guard (1...2).contains(names.count), names.allSatisfy({ !$0.contains { "?#".contains($0) } }) else {
            throw Problem(description: "'\(text)' has no valid CUPS queue name; use cups:NAME or cups://HOST/NAME")
        }
        return CUPSQueue(host: host, port: port, name: names[0], instance: names.count == 2 ? names[1] : nil)
    }

    private static func server(_ text: String) throws(Problem) -> (host: String, port: Int, path: String) {
        guard let parts = URLComponents(string: text), var host = parts.host, !host.isEmpty,
            (1...65535).contains(parts.port ?? 631), parts.fragment == nil
        else { throw Problem(description: "'\(text)' has no valid host; use ipp://HOST/PATH or cups://HOST/NAME") }
        // Device URIs are visible to every user who lists printers.
        guard parts.user == nil, parts.password == nil else {
            throw Problem(description: "a printer URI must not contain a user name or password")
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
        return (host, parts.port ?? 631, parts.percentEncodedPath + query)
    }

    private static func authority(_ host: String, _ port: Int) -> String {
        (host.contains(":") ? "[\(host)]" : host) + (port == 631 ? "" : ":\(port)")
    }
}
