// The target of a request, read from its URIs.

import IPP

/// The printer or job that is the target of a request, and the URIs for the response.
///
/// Printers are at `/printers/NAME` and `/ipp/print/NAME`. The paths `/`, `/ipp/print` and `/printers` identify the
/// default printer or all printers. Jobs are at `…/jobs/ID`.
struct RequestTarget: Sendable {
    /// The URI authority (host and port) that the client used.
    ///
    /// The URIs of the response contain this authority, so that the client can reach the printers and jobs.
    var authority = "localhost"
    /// The printer's name, or `nil` if the request contains no printer name.
    var printer: String?
    /// The job's number, or `nil` if the request contains no job number.
    var jobID: Int?
    /// Whether the URI is `/ipp/print`, the address of a printer that is known without a name.
    private(set) var isDefaultPrinter = false
    private var scheme = "ipp"
    /// The path before the printer's name.
    private var base: String

    /// Creates a target for the server itself, without a printer or a job.
    ///
    /// - Parameter home: The path before the printer's name in the URIs of the response.
    init(home: String = "/printers") { base = home }

    /// Reads the target of a request.
    ///
    /// - Throws: `IPPFailure` if the URI is invalid or too long, or if its path cannot belong to a printer or job.
    init(operationAttributes group: AttributeGroup, home: String) throws(IPPFailure) {
        base = home
        if let uri = group.string("printer-uri") {
            try read(uri, attribute: "printer-uri")
            jobID = group.integer("job-id").map(Int.init) ?? jobID
        } else if let uri = group.string("job-uri") {
            try read(uri, attribute: "job-uri")
            guard jobID != nil else { throw .notFound("'\(uri)' is not a job URI") }
        }
    }

    /// Returns the name of the printer in a URI that is not the target of a request.
    ///
    /// - Throws: `IPPFailure` if the URI is not a printer URI.
    static func printer(in uri: String, attribute: String) throws(IPPFailure) -> String {
        var target = RequestTarget(base: "/printers")
        try target.read(uri, attribute: attribute)
        guard let printer = target.printer, target.jobID == nil else {
            throw .badRequest("\(attribute) '\(uri)' is not a printer URI")
        }
        return printer
    }

    private init(base: String) { self.base = base }

    private mutating func read(_ uri: String, attribute: String) throws(IPPFailure) {
        guard uri.utf8.count <= 1023 else {
            throw IPPFailure(
                .clientErrorRequestValueTooLong, "\(attribute) is longer than 1023 bytes, the maximum for a URI")
        }
        guard let parts = Self.split(uri) else {
            throw IPPFailure(.clientErrorBadRequest, "\(attribute) '\(uri)' is not the URI of a printer or job")
        }
        scheme = parts.scheme
        authority = parts.authority
        var path = parts.path.split(separator: "/").map(String.init)
        // If "jobs" is the last part of the path and directly follows a base, it is the name of a printer.
        let bases = [["printers"], ["ipp", "print"]]
        if let marker = path.lastIndex(of: "jobs"), marker + 1 < path.count || !bases.contains(Array(path[..<marker])) {
            if marker + 1 < path.count {
                guard let id = Int(path[marker + 1]), path.count == marker + 2 else {
                    throw .notFound("'\(uri)' is not a job URI")
                }
                jobID = id
            }
            path.removeSubrange(marker...)
        }
        switch path {
        case [], ["ipp"]: break
        case ["ipp", "print"], ["printers"]:
            base = "/" + path.joined(separator: "/")
            isDefaultPrinter = base == "/ipp/print"
        default:
            printer = path.removeLast()
            base = "/" + path.joined(separator: "/")
            guard ["/printers", "/ipp/print", "/classes"].contains(base) else {
                throw .notFound("there is no printer at '\(uri)'")
            }
        }
    }

    /// Replaces the host `localhost` of the target with the host of the HTTP request.
    ///
    /// If libcups requests all printers, the request contains no printer URI. In printer URIs, libcups writes the host
    /// `localhost` for any server.
    mutating func adopt(host: String, from peer: Peer) {
        let isHere = ["localhost", "127.", "[::1]"].contains { host.hasPrefix($0) }
        guard authority == "localhost" || authority.hasPrefix("localhost:") && !isHere else { return }
        // On a Unix socket, the HTTP `Host` header has no meaning.
        guard case .tcp = peer, !host.isEmpty, host.utf8.count <= 255, host.utf8.allSatisfy(Self.isOfHost) else {
            return
        }
        authority = host
    }

    /// Returns whether a host with a port can contain a byte.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether the client uses this server as a cupsd with several printers, and not as a single printer.
    var isAtServer: Bool { base != "/ipp/print" }

    /// Selects the scheme of the URIs in the response.
    ///
    /// For an encrypted connection, the method selects TLS. For any other connection, the method selects the client's
    /// scheme if the server offers this scheme, otherwise the default scheme of the server.
    ///
    /// libcups also writes `ipp:` over TLS (`lp -E`), and uses the URI of the response in later requests.
    ///
    /// - Returns: The security protocols of the printers' URIs, the selected protocol first. On a Unix socket, or if
    ///   TLS is not offered, the result contains only the protocol of the client's URI. In that case, a proxy between
    ///   the client and the server might use TLS.
    mutating func choose(from security: [URISecurity], at peer: Peer, isEncrypted: Bool) -> [URISecurity] {
        guard case .tcp = peer, security.contains(.tls) else {
            return [URISecurity.allCases.first { $0.scheme == scheme } ?? .none]
        }
        let own = isEncrypted ? .tls : security.first { $0.scheme == scheme } ?? security[0]
        scheme = own.scheme
        return [own] + security.filter { $0 != own }
    }

    /// The URI authority (host and port) for web pages.
    ///
    /// The authority always contains a port: a missing port means 631 in an `ipp` URI, but 80 in an `http` URI.
    private var webAuthority: String {
        // The part after the last bracket of an IPv6 address, or the whole authority.
        let end = authority.split(separator: "]").last ?? ""
        return end.contains(":") && !authority.hasSuffix("]") ? authority : "\(authority):631"
    }

    /// The root of the web pages for the client: `https:` if the scheme of the response is `ipps`, otherwise `http:`.
    var webRoot: String { "\(scheme == "ipps" ? "https" : "http")://\(webAuthority)" }

    /// Returns the URI of a printer for the client.
    ///
    /// - Parameter other: The scheme of the URI; `nil` for the scheme of the target.
    func printerURI(_ name: String, scheme other: String? = nil) -> String {
        "\(other ?? scheme)://\(authority)\(base == "/ipp/print" ? base : "/printers")/\(name)"
    }

    func jobURI(_ id: Int, printer: String, isGlobal: Bool) -> String {
        isGlobal ? "\(scheme)://\(authority)/jobs/\(id)" : "\(printerURI(printer))/jobs/\(id)"
    }

    /// Splits an `ipp:`, `ipps:`, `http:` or `https:` URI into its parts.
    ///
    /// Percent-encoded printer names are not supported.
    ///
    /// pycups sends only a path, without a scheme and an authority. The path refers to this server.
    private static func split(_ uri: String) -> (scheme: String, authority: String, path: Substring)? {
        if uri.hasPrefix("/") { return ("ipp", "localhost", uri[...]) }
        guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")), uri[colon...].hasPrefix("://") else { return nil }
        let scheme = uri[..<colon].lowercased()
        guard ["ipp", "ipps", "http", "https"].contains(scheme) else { return nil }
        let rest = uri[colon...].dropFirst(3)
        let slash = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        guard slash != rest.startIndex else { return nil }
        let path = rest[slash...].prefix { $0 != "?" && $0 != "#" }
        return (scheme.hasSuffix("s") ? "ipps" : "ipp", String(rest[..<slash]), path)
    }
}
