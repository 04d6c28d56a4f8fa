// Stores the trusted certificate and the credentials for a printer in a file of the spool.

import AsyncPrimitives
import FoundationEssentials
import Glibc
public import IPPClient
import SafeFiles
import Synchronization

/// The stored certificate and credentials for a printer's server.
///
/// The spooler stores and trusts the first certificate of a server, as CUPS does, and later certificates with the same
/// key. The spooler refuses another key until a person accepts the new certificate. If `tlsAuthorities` is configured, a certificate is trusted
/// only if one of these authorities has signed the certificate.
///
/// If a server has used or demanded TLS, the spooler sends the login without TLS only after a person has accepted the
/// loss of TLS. The data is valid for one server address only. The file `NAME.json` contains the data. Only the file's
/// owner has read permission.
public final class PrinterAccess: Sendable {
    /// The printer's name in the queue, for messages.
    public let printer: String
    /// The address of the server, such as `printer.local:631`.
    public let server: String
    private let host: String
    private let folder: String
    private let isTrial: Bool
    private let authorities: String?
    /// The lock that protects a file during a change.
    private static let changing = Mutex(())
    /// The records that were read, by the paths of their files.
    private static let known = Mutex<[String: (file: FileVersion, record: Record)]>([:])

    /// The error for a failed change of the stored data, or for an unreadable file.
    public struct Problem: Error, CustomStringConvertible {
        /// The description of the problem, with instructions for fixing the problem.
        public let description: String
    }

    /// The contents of the file `NAME.json`.
    struct Record: Codable, Equatable {
        var server: String
        /// The SHA-256 hash of the trusted certificate, in hexadecimal digits.
        var certificate: String?
        /// The SHA-256 hash of the key of the trusted certificate, so that the server can renew the certificate; nil if
        /// the server has not shown the certificate since this version stores the key.
        var key: String?
        /// The SHA-256 hash of the most recently refused certificate.
        var refused: String?
        /// The SHA-256 hash of the key of the most recently refused certificate.
        var refusedKey: String?
        /// Whether the server has used or demanded TLS; nil means no.
        var hadTLS: Bool?
        /// Whether the login was withheld from the server because the server no longer used TLS; nil means no.
        var lacksTLS: Bool?
        var user: String?
        var password: String?
    }

    /// Creates an object that reads and writes the stored data for a printer at an address.
    ///
    /// - Parameter authorities: The path of a PEM file with the certificates of authorities. One of the authorities
    ///   must have signed the server's certificate, and the certificate must contain the server's host name. If the
    ///   path is nil, the first certificate of the server is trusted.
    /// - Parameter isTrial: Whether this object is for a check of the printer. The results of a check are stored
    ///   separately until the printer is added or changed.
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

    /// The credentials for the printer; nil if no credentials are stored.
    public var login: Login? {
        guard let record = try? read(), let user = record.user, let password = record.password else { return nil }
        return Login(user: user, password: password)
    }

    /// Stores credentials; nil deletes the stored credentials.
    public func setLogin(_ login: Login?) throws(Problem) {
        try change { record in
            record.user = login?.user
            record.password = login?.password
        }
    }

    /// Changes the credentials or the trusted certificate.
    ///
    /// - Parameters:
    ///   - user: The user name, which requires a password. An empty name deletes the credentials; nil keeps the
    ///     credentials.
    ///   - password: The password of the user.
    ///   - trustsCertificate: Whether to accept the most recently refused certificate, or the loss of TLS.
    /// - Throws: `Problem` if a value is invalid. In that case the stored data does not change.
    public func change(user: String?, password: String?, trustsCertificate: Bool) throws(Problem) {
        guard password == nil || user != nil else {
            throw Problem(description: "a password for \(printer) requires a user name")
        }
        guard user.map({ $0.isEmpty || password != nil }) ?? true else {
            throw Problem(description: "a user name for \(printer) requires a password")
        }
        guard user?.contains(":") != true else {
            throw Problem(description: "a user name must not contain a colon")  // RFC 7617 §2
        }
        if trustsCertificate { try trust() }
        guard let user else { return }
        try setLogin(user.isEmpty ? nil : Login(user: user, password: password ?? ""))
    }

    /// Deletes all stored data of a printer.
    public static func forget(_ printer: String, in folder: String) {
        changeFile(path(of: printer, in: folder)) { unlink($0) }
    }

    // MARK: - Trust

    /// Checks the server's certificate chain.
    ///
    /// The chain begins with the server's own certificate.
    ///
    /// - Throws: `untrusted`, with a message that explains how to fix the problem.
    func check(_ chain: [[UInt8]]) throws(IPPClientError) {
        guard let own = chain.first else { throw .untrusted("\(server) did not send a certificate") }
        if let authorities {
            guard let problem = CertificateChain(chain).problem(authorities: authorities, host: host) else {
                return noteTLS()
            }
            throw .untrusted("the certificate of \(server) is invalid: \(problem); nothing was sent")
        }
        let seen = Fingerprint.sha256(own)
        do throws(Problem) {
            let isTrusted = try judge(seen, key: CertificateChain(chain).key)
            guard !isTrusted else { return }
        } catch {
            throw .untrusted("cannot check the certificate of \(server): \(error)")
        }
        throw .untrusted(
            "the certificate of \(server) has changed (SHA-256 \(seen)); nothing was sent. If the printer has a new "
                + "certificate, run 'printq printers trust \(printer)'")
    }

    // MARK: - TLS

    /// Whether the server has sent a certificate or demanded TLS.
    ///
    /// If the server later stops using TLS, an attacker might have replaced the server.
    var expectsTLS: Bool {
        guard let record = try? read() else { return false }
        return record.certificate != nil || record.hadTLS == true
    }

    /// Records that the server uses or demands TLS.
    func noteTLS() {
        try? change { record in
            if record.certificate == nil { record.hadTLS = true }
            record.lacksTLS = nil
        }
    }

    /// Records that the login was withheld because the server no longer uses TLS.
    ///
    /// - Returns: The error, with a message that explains how to fix the problem.
    func refuseWithoutTLS() -> IPPClientError {
        try? change { ($0.lacksTLS, $0.refused) = (true, nil) }
        let whose = login.map { " of '\($0.user)'" } ?? ""
        return .untrusted(
            "\(server) requests the password\(whose) without TLS, but used TLS before; the password was not sent "
                + "because another server may have replaced the printer. Set the printer's ipps URI, or, if the "
                + "printer no longer supports TLS, run 'printq printers trust \(printer)'")
    }

    /// Accepts the most recently refused certificate, or the loss of TLS.
    ///
    /// - Returns: The SHA-256 hash of the accepted certificate; `none` for a server without TLS.
    @discardableResult
    public func trust() throws(Problem) -> String {
        if try acceptMissingTLS() { return "none" }
        guard authorities == nil else {
            throw Problem(
                description: "cannot accept the certificate of \(printer), because tlsAuthorities in 'printd.json5' "
                    + "lists the trusted certificate authorities; install a certificate that such an authority has "
                    + "signed, or remove the setting")
        }
        var accepted: String?
        try change { record in
            guard let refused = record.refused else { return }
            (record.certificate, record.key, accepted) = (refused, record.refusedKey, refused)
            (record.refused, record.refusedKey) = (nil, nil)
        }
        guard let accepted else {
            throw Problem(
                description: "printd has refused no certificate of \(printer), so there is no certificate to accept")
        }
        return accepted
    }

    /// Accepts the loss of TLS; returns `false` if no login was withheld because of the loss of TLS.
    private func acceptMissingTLS() throws(Problem) -> Bool {
        var isAccepted = false
        try change { record in
            guard record.lacksTLS == true else { return }
            (record.certificate, record.key, record.hadTLS, record.lacksTLS) = (nil, nil, nil, nil)
            isAccepted = true
        }
        return isAccepted
    }

    private func judge(_ seen: String, key: String?) throws(Problem) -> Bool {
        let record = try read()
        guard let certificate = record.certificate else {
            try change { if $0.certificate == nil { ($0.certificate, $0.key) = (seen, key) } }
            return try read().certificate == seen
        }
        // The server has renewed the certificate if the key is the same.
        let isTrusted = certificate == seen || key != nil && key == record.key
        if isTrusted {
            // The server uses TLS again, so that there is no loss of TLS to accept.
            if certificate != seen || record.key != key || record.lacksTLS == true {
                try? change { ($0.certificate, $0.key, $0.lacksTLS) = (seen, key, nil) }
            }
        } else if record.refused != seen {
            try change { ($0.refused, $0.refusedKey, $0.lacksTLS) = (seen, key, nil) }
        }
        return isTrusted
    }

    // MARK: - The file

    private var path: String { Self.path(of: printer, in: folder, isTrial: isTrial) }

    /// Returns the path of a printer's file.
    ///
    /// The file of a printer check has a name that begins with a dot. Printer names never begin with a dot.
    static func path(of printer: String, in folder: String, isTrial: Bool = false) -> String {
        "\(folder)/\(isTrial ? "." : "")\(printer).json"
    }

    /// Returns the stored data for this server; data for another server is ignored.
    ///
    /// Each request to the printer requires the data. Therefore the file is read again only after it has changed.
    private func read() throws(Problem) -> Record {
        let path = path
        guard let file = FileVersion(path) else { return Record(server: server) }
        if let known = Self.known.withLock({ $0[path] }), known.file == file { return own(known.record) }
        guard let data = FileManager.default.contents(atPath: path),
            let record = try? JSONDecoder().decode(Record.self, from: data)
        else {
            throw Problem(
                description: "cannot read '\(path)'; correct the file, or delete the file to reset the login"
                    + " and the certificate")
        }
        Self.known.withLock { $0[path] = (file, record) }
        return own(record)
    }

    private func own(_ record: Record) -> Record { record.server == server ? record : Record(server: server) }

    /// Runs a system call that changes a file, so that the file is read again.
    ///
    /// A file system with coarse times may not show the change in `FileVersion`.
    static func changeFile(_ path: String, _ change: (String) -> Int32) {
        BlockingCall.check()
        _ = change(path)
        known.withLock { $0[path] = nil }
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
        BlockingCall.check()
        _ = mkdir(folder, 0o700)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        defer { Self.known.withLock { $0[path] = nil } }
        do {
            try AtomicFile.write(
                encoder.encode(record), to: path, temporaryName: .new, sync: .contentAndName)
        } catch {
            throw Problem(description: "cannot write '\(path)': \(error)")
        }
    }
}
