// Where a printer of the queue is.

import FoundationEssentials

/// Where a printer of the queue is, read from its URI (CUPS `device-uri`).
///
///     try DeviceURI("printsim:color-laser")            // a simulated printer of this spool
///     try DeviceURI("ipps://printer.local/ipp/print")  // a printer that speaks IPP, under TLS
///     try DeviceURI("cups:office/draft")               // a queue of the local cupsd, with its saved options `draft`
///     try DeviceURI("folder:/srv/printed")             // PDFs into a folder
public enum DeviceURI: Hashable, Sendable, CustomStringConvertible {
    /// A simulated printer of this spool: `printsim:NAME`.
    case simulated(name: String)
    /// A printer that speaks IPP: `ipp://HOST[:PORT]/PATH`, or under TLS from the first byte `ipps://…` (RFC 3510, RFC 7472).
    case ipp(IPPDevice)
    /// A queue of a cupsd: `cups:NAME[/INSTANCE]` of the one that this spool is told of, or `cups://HOST[:PORT]/NAME[/INSTANCE]`.
    case cups(CUPSQueue)
    /// Prepared PDFs into a folder: `folder:/PATH`.
    case folder(path: String)

    /// A printer that speaks IPP.
    public struct IPPDevice: Hashable, Sendable {
        /// Its host's name or address, an IPv6 one without brackets.
        public var host: String
        /// Its TCP port, which is 631 unless the URI says another.
        public var port: Int
        /// What to post to, with its leading `/`.
        public var path: String
        /// Whether the connection begins with TLS.
        public var isSecure: Bool
        /// The URI as the printer is told it (`printer-uri`).
        public var uri: String
    }

    /// A queue of a cupsd.
    public struct CUPSQueue: Hashable, Sendable {
        /// The cupsd's host; nil for the one that this spool is told of.
        public var host: String?
        /// Its TCP port, which means nothing without a host; 631 unless the URI says another.
        public var port: Int
        /// The queue's name.
        public var name: String
        /// Which of its sets of saved options is meant (`lpoptions -p NAME/INSTANCE`); nil for its own.
        public var instance: String?

        /// A queue; without a host, of the cupsd that this spool is told of.
        public init(host: String? = nil, port: Int = 631, name: String, instance: String? = nil) {
            self.host = host
            self.port = port
            self.name = name
            self.instance = instance
        }
    }

    /// Why a URI is no printer's.
    public struct Problem: Error, Hashable, CustomStringConvertible {
        /// What is wrong, and what to write instead: one sentence for people.
        public let description: String
    }

    /// Reads a URI.
    ///
    /// - Throws: `Problem`, which says what is wrong with it.
    public init(_ text: String) throws(Problem) {
        guard let colon = text.firstIndex(of: ":") else {
            throw Problem(description: "'\(text)' is no URI of a printer; \(Self.forms)")
        }
        let rest = String(text[text.index(after: colon)...])
        switch text[..<colon].lowercased() {
        case "printsim":
            guard ConfiguredPrinter.isValidName(rest) else {
                throw Problem(description: "'\(text)' names no simulated printer; write printsim:NAME")
            }
            self = .simulated(name: rest)
        case "ipp": self = .ipp(try Self.device(text, isSecure: false))
        case "ipps": self = .ipp(try Self.device(text, isSecure: true))
        case "cups": self = .cups(try Self.queue(text, rest))
        case "folder":
            guard rest.hasPrefix("/"), !rest.utf8.contains(0) else {
                throw Problem(description: "'\(text)' names no folder; write folder:/PATH with the whole path")
            }
            self = .folder(path: rest)
        default: throw Problem(description: "there is no way to '\(text)'; \(Self.forms)")
        }
    }

    /// The URI again.
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
        "printers are ipp://HOST/PATH, ipps://HOST/PATH, cups:NAME, cups://HOST/NAME, folder:/PATH and printsim:NAME"

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
        // cupsd's own URIs, as `lpstat -v` and its web pages show them, name the kind first.
        if names.count > 1, ["printers", "classes"].contains(names[0]) { names.removeFirst() }
        guard (1...2).contains(names.count), names.allSatisfy({ !$0.contains { "?#".contains($0) } }) else {
            throw Problem(description: "'\(text)' names no queue of CUPS; write cups:NAME or cups://HOST/NAME")
        }
        return CUPSQueue(host: host, port: port, name: names[0], instance: names.count == 2 ? names[1] : nil)
    }

    private static func server(_ text: String) throws(Problem) -> (host: String, port: Int, path: String) {
        guard let parts = URLComponents(string: text), var host = parts.host, !host.isEmpty,
            (1...65535).contains(parts.port ?? 631), parts.fragment == nil
        else { throw Problem(description: "'\(text)' names no host; write ipp://HOST/PATH or cups://HOST/NAME") }
        // Whatever stands in a URI is seen by everyone who lists printers.
        guard parts.user == nil, parts.password == nil else {
            throw Problem(description: "a printer's URI must not hold a user's name or password")
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
        return (host, parts.port ?? 631, parts.percentEncodedPath + query)
    }

    private static func authority(_ host: String, _ port: Int) -> String {
        (host.contains(":") ? "[\(host)]" : host) + (port == 631 ? "" : ":\(port)")
    }
}
