// Whom to trust at a printer's address, and who we are there: kept in a file of the spool.

import FoundationEssentials
import Glibc
public import IPPClient
import Synchronization

/// What a spool keeps of the way to one printer's server: its certificate, and our login there.
///
/// A certificate is stored when it is seen first, as CUPS does; another one later is refused until a person accepts it. With
/// certificates of authorities given, those decide instead. A server that has used TLS, or demanded it, does not get our
/// login without TLS until a person accepts that. All stands in one file, `NAME.json`, which only its owner may
/// read, and holds for one server only: at another address nothing of it is used.
public final class PrinterAccess: Sendable {
    /// The printer's name in the queue, for words to people.
    public let printer: String
    /// What its server is called, `printer.local:631`.
    public let server: String
    private let host: String
    private let folder: String
    private let isTrial: Bool
    private let authorities: String?
    /// One at a time changes files.
    private static let changing = Mutex(())

    /// Why something cannot be kept, or is not there: one sentence for people.
    public struct Problem: Error, CustomStringConvertible {
        /// What is wrong, and what to do next.
        public let description: String
    }

    /// What is kept.
    struct Record: Codable, Equatable {
        var server: String
        /// The SHA-256 of the certificate that is trusted, in hexadecimal digits.
        var certificate: String?
        /// That of the last one that was refused.
        var refused: String?
        /// Whether the server has used TLS, or demanded it; nil for no.
        var hadTLS: Bool?
        /// Whether our login was last refused to the server because it had TLS before and used none; nil for no.
        var lacksTLS: Bool?
        var user: String?
        var password: String?
    }

    /// What is kept in a folder for a printer at an address.
    ///
    /// - Parameter authorities: a file with certificates in PEM form; a server's must be signed by one of them and name its
    ///   host. nil trusts what was seen first.
    /// - Parameter isTrial: whether the printer is only looked at: what is learned is kept apart until it is added or changed.
    public init(
        folder: String, printer: String, address: IPPAddress, authorities: String? = nil, isTrial: Bool = false
    ) {
        self.folder = folder
        self.isTrial = isTrial
        self.printer = printer
        self.server = "\(address)"
        self.authorities = authorities
        host =
            switch address {
            case .unix: "localhost"
            case .tcp(let host, _): host
            }
    }

    // MARK: - Login

    /// Our name and password at the printer; nil when there are none.
    public var login: Login? {
        guard let record = try? read(), let user = record.user, let password = record.password else { return nil }
        return Login(user: user, password: password)
    }

    /// Keeps a name and a password; nil forgets them.
    public func setLogin(_ login: Login?) throws(Problem) {
        try change { record in
            record.user = login?.user
            record.password = login?.password
        }
    }

    /// Changes what is kept.
    ///
    /// Nothing is changed when any of it cannot be.
    ///
    /// - Parameters:
    ///   - user: our name there, which comes with its password; an empty one takes the login away, nil leaves it.
    ///   - trustsCertificate: whether the certificate that was refused last is accepted.
    public func change(user: String?, password: String?, trustsCertificate: Bool) throws(Problem) {
        guard password == nil || user != nil else {
            throw Problem(description: "a password for \(printer) needs the user's name with it")
        }
        guard user.map({ $0.isEmpty || password != nil }) ?? true else {
            throw Problem(description: "a name for \(printer) needs the password with it")
        }
        guard user?.contains(":") != true else {
            throw Problem(description: "a user's name cannot have a colon in it")  // RFC 7617 §2
        }
        if trustsCertificate { try trust() }
        guard let user else { return }
        try setLogin(user.isEmpty ? nil : Login(user: user, password: password ?? ""))
    }

    /// Forgets all about a printer.
    public static func forget(_ printer: String, in folder: String) { _ = unlink(path(of: printer, in: folder)) }

    // MARK: - Trust

    /// Checks the certificates that the server showed, its own first.
    ///
    /// - Throws: `untrusted`, with what to do about it.
    func check(_ chain: [[UInt8]]) throws(IPPClientError) {
        guard let own = chain.first else { throw .untrusted("\(server) shows no certificate") }
        if let authorities {
            guard let problem = CertificateChain(chain).problem(authorities: authorities, host: host) else {
                return noteTLS()
            }
            throw .untrusted("the certificate of \(server) is not good: \(problem); nothing was sent to it")
        }
        let seen = Fingerprint.sha256(own)
        do throws(Problem) {
            let isTrusted = try judge(seen)
            guard !isTrusted else { return }
        } catch {
            throw .untrusted("\(server) cannot be trusted: \(error)")
        }
        throw .untrusted(
            "the certificate of \(server) is another than before (SHA-256 \(seen)); nothing was sent to it. If the "
                + "printer has a new one, accept it with 'printq printers trust \(printer)'")
    }

    // MARK: - TLS

    /// Whether the server has shown a certificate, or demanded TLS: without TLS it may be another one.
    var expectsTLS: Bool {
        guard let record = try? read() else { return false }
        return record.certificate != nil || record.hadTLS == true
    }

    /// Keeps that the server uses TLS, or demands it.
    func noteTLS() {
        try? change { record in
            if record.certificate == nil { record.hadTLS = true }
            record.lacksTLS = nil
        }
    }

    /// Keeps that our login was refused to the server, which had TLS before.
    ///
    /// - Returns: the refusal, with what a person can do.
    func refuseWithoutTLS() -> IPPClientError {
        try? change { ($0.lacksTLS, $0.refused) = (true, nil) }
        let whose = login.map { " of '\($0.user)'" } ?? ""
        return .untrusted(
            "\(server) asks for the password\(whose) without TLS, which it had before; the password was not sent. Another "
                + "server may be in its place. Give the printer's ipps: address; if the printer has TLS no longer, accept "
                + "that with 'printq printers trust \(printer)'")
    }

    /// Accepts the certificate that was refused last, or that the server has no TLS any more.
    ///
    /// - Returns: the SHA-256 of the certificate; `none` for a server without TLS.
    @discardableResult
    public func trust() throws(Problem) -> String {
        if try acceptMissingTLS() { return "none" }
        guard authorities == nil else {
            throw Problem(
                description: "whether \(printer) is trusted is for tlsAuthorities in 'printd.json5' to say; give it a "
                    + "certificate that one of those authorities has signed, or take the setting away")
        }
        var accepted: String?
        try change { record in
            guard let refused = record.refused else { return }
            (record.certificate, record.refused, accepted) = (refused, nil, refused)
        }
        guard let accepted else {
            throw Problem(
                description: "\(printer) has shown no certificate that was refused; there is nothing to accept")
        }
        return accepted
    }

    /// Forgets that the server had TLS, when our login was refused to it for that; `false` when it was not.
    private func acceptMissingTLS() throws(Problem) -> Bool {
        var isAccepted = false
        try change { record in
            guard record.lacksTLS == true else { return }
            (record.certificate, record.hadTLS, record.lacksTLS) = (nil, nil, nil)
            isAccepted = true
        }
        return isAccepted
    }

    private func judge(_ seen: String) throws(Problem) -> Bool {
        let record = try read()
        if let certificate = record.certificate {
            if certificate != seen, record.refused != seen { try change { ($0.refused, $0.lacksTLS) = (seen, nil) } }
            // It has TLS again: what was refused before is nothing to accept any more.
            if certificate == seen, record.lacksTLS == true { try change { $0.lacksTLS = nil } }
            return certificate == seen
        }
        try change { if $0.certificate == nil { $0.certificate = seen } }
        return try read().certificate == seen
    }

    // MARK: - The file

    private var path: String { Self.path(of: printer, in: folder, isTrial: isTrial) }

    /// The path of a printer's file; no printer's name begins with a dot.
    static func path(of printer: String, in folder: String, isTrial: Bool = false) -> String {
        "\(folder)/\(isTrial ? "." : "")\(printer).json"
    }

    /// What is kept for this server; that of another one counts as nothing.
    private func read() throws(Problem) -> Record {
        guard FileManager.default.fileExists(atPath: path) else { return Record(server: server) }
        guard let data = FileManager.default.contents(atPath: path),
            let record = try? JSONDecoder().decode(Record.self, from: data)
        else { throw Problem(description: "'\(path)' cannot be read; mend it, or remove it to begin anew") }
        return record.server == server ? record : Record(server: server)
    }

    private func change(_ change: (inout Record) -> Void) throws(Problem) {
        let result = Self.changing.withLock { _ in
            Result { () throws(Problem) in
                let old = try read()
                var record = old
                change(&record)
                if record != old { try write(record) }
            }
        }
        try result.get()
    }

    private func write(_ record: Record) throws(Problem) {
        _ = mkdir(folder, 0o700)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let new = "\(path).new"
        guard let data = try? encoder.encode(record), Self.store(data, in: new), rename(new, path) == 0 else {
            let reason = String(cString: strerror(errno))
            _ = unlink(new)
            throw Problem(description: "'\(path)' cannot be written: \(reason)")
        }
        let directory = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if directory >= 0 {
            _ = fsync(directory)
            _ = Glibc.close(directory)
        }
    }

    static func store(_ data: Data, in path: String) -> Bool {
        _ = unlink(path)
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { _ = Glibc.close(file) }
        let isWritten = data.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == data.count
        return isWritten && fsync(file) == 0
    }
}
