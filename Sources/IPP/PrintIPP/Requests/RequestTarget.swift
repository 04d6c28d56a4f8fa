// What a request is about, read from its URIs.

import IPP

/// The printer or job that a request names, and the URIs that its answer gives back.
///
/// printq's printers are at `/printers/NAME` and `/ipp/print/NAME`; `/`, `/ipp/print` and `/printers` stand for the
/// default printer, or all of them; jobs are at `…/jobs/ID`.
struct RequestTarget: Sendable {
    /// The authority the client used, so that the URIs of the answer reach us the same way.
    var authority = "localhost"
    /// The printer's name; nil when none is named.
    var printer: String?
    /// The job's number; nil when none is named.
    var jobID: Int?
    /// The URI's scheme.
    private var scheme = "ipp"
    /// The path before the printer's name.
    private var base: String

    /// The server itself, by no name of its own.
    init(home: String = "/printers") { base = home }

    /// Reads the target of a request.
    ///
    /// - Throws: `IPPFailure` with `client-error-bad-request` when a URI is no URI, or a needed one is missing.
    init(operationAttributes group: AttributeGroup, home: String) throws(IPPFailure) {
        base = home
        if let uri = group.string("printer-uri") {
            try read(uri, attribute: "printer-uri")
            jobID = group.integer("job-id").map(Int.init) ?? jobID
        } else if let uri = group.string("job-uri") {
            try read(uri, attribute: "job-uri")
            guard jobID != nil else { throw .notFound("'\(uri)' names no job") }
        }
    }

    /// The printer that a URI in another attribute names.
    ///
    /// - Throws: `IPPFailure` when it is no URI of a printer.
    static func printer(in uri: String, attribute: String) throws(IPPFailure) -> String {
        var target = RequestTarget(base: "/printers")
        try target.read(uri, attribute: attribute)
        guard let printer = target.printer, target.jobID == nil else {
            throw .badRequest("\(attribute) '\(uri)' names no printer")
        }
        return printer
    }

    private init(base: String) { self.base = base }

    private mutating func read(_ uri: String, attribute: String) throws(IPPFailure) {
        guard uri.utf8.count <= 1023 else {
            throw IPPFailure(.clientErrorRequestValueTooLong, "\(attribute) is longer than the 1023 bytes of a URI")
        }
        guard let parts = Self.split(uri) else {
            throw IPPFailure(.clientErrorBadRequest, "\(attribute) '\(uri)' is no URI of a printer or job")
        }
        scheme = parts.scheme
        authority = parts.authority
        var path = parts.path.split(separator: "/").map(String.init)
        // A last "jobs" right after a base is a printer of that name.
        let bases = [["printers"], ["ipp", "print"]]
        if let marker = path.lastIndex(of: "jobs"), marker + 1 < path.count || !bases.contains(Array(path[..<marker])) {
            if marker + 1 < path.count {
                guard let id = Int(path[marker + 1]), path.count == marker + 2 else {
                    throw .notFound("'\(uri)' names no job")
                }
                jobID = id
            }
            path.removeSubrange(marker...)
        }
        switch path {
        case [], ["ipp"]: break
        case ["ipp", "print"], ["printers"]: base = "/" + path.joined(separator: "/")
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
    /// libcups sends no printer URI when it asks for all printers, and writes `localhost` for any server.
    mutating func adopt(host: String, from peer: Peer) {
        let isHere = ["localhost", "127.", "[::1]"].contains { host.hasPrefix($0) }
        guard authority == "localhost" || authority.hasPrefix("localhost:") && !isHere else { return }
        let known = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]_")
        // On a Unix socket a host is only a word that HTTP wants.
        guard case .tcp = peer, !host.isEmpty, host.utf8.count <= 255, host.allSatisfy(known.contains) else { return }
        authority = host
    }

    /// Whether the client speaks to a server of printers, as to a cupsd, and not to a printer.
    var isAtServer: Bool { base != "/ipp/print" }

    /// Takes the scheme that is offered: TLS over an encrypted connection, else the one that the client used, if it is.
    ///
    /// libcups writes `ipp:` also over TLS (`lp -E`), and goes on with the URI of the answer.
    ///
    /// - Returns: the ways to reach printers, that one first. Where no TLS is offered, and on a Unix socket, there is no way but
    ///   the one that the client took, for whatever stands between may have added TLS.
    mutating func choose(from security: [URISecurity], at peer: Peer, isEncrypted: Bool) -> [URISecurity] {
        guard case .tcp = peer, security.contains(.tls) else {
            return [URISecurity.allCases.first { $0.scheme == scheme } ?? .none]
        }
        let own = isEncrypted ? .tls : security.first { $0.scheme == scheme } ?? security[0]
        scheme = own.scheme
        return [own] + security.filter { $0 != own }
    }

    /// The authority for web pages: IPP's own port must be said there.
    private var webAuthority: String {
        // What follows the last bracket of an IPv6 address, or all of it.
        let end = authority.split(separator: "]").last ?? ""
        return end.contains(":") && !authority.hasSuffix("]") ? authority : "\(authority):631"
    }

    /// Where web pages are, as the client reaches them: encrypted if it was itself.
    var webRoot: String { "\(scheme == "ipps" ? "https" : "http")://\(webAuthority)" }

    /// The URI of a printer, as the client reaches it, or of another scheme.
    func printerURI(_ name: String, scheme other: String? = nil) -> String {
        "\(other ?? scheme)://\(authority)\(base == "/ipp/print" ? base : "/printers")/\(name)"
    }

    /// The URI of a job, as the client reaches it.
    func jobURI(_ id: Int, printer: String, isGlobal: Bool) -> String {
        isGlobal ? "\(scheme)://\(authority)/jobs/\(id)" : "\(printerURI(printer))/jobs/\(id)"
    }

    /// The parts of an `ipp:`, `ipps:` or `http:` URI; percent-encoded printer names are not used.
    ///
    /// A bare path is one on this server, as pycups sends it.
    private static func split(_ uri: String) -> (scheme: String, authority: String, path: Substring)? {
        if uri.hasPrefix("/") { return ("ipp", "localhost", uri[...]) }
        guard let colon = uri.firstRange(of: "://") else { return nil }
        let scheme = uri[..<colon.lowerBound].lowercased()
        guard ["ipp", "ipps", "http", "https"].contains(scheme) else { return nil }
        let rest = uri[colon.upperBound...]
        let slash = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        guard slash != rest.startIndex else { return nil }
        let path = rest[slash...].prefix { $0 != "?" && $0 != "#" }
        return (scheme.hasSuffix("s") ? "ipps" : "ipp", String(rest[..<slash]), path)
    }
}
