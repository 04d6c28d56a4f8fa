// A record of what a requester did to a job or a printer.

/// An entry of the audit log: who asked for what, how the identity was proven, and the result.
///
/// The entry contains no names of jobs and documents, and no passwords.
public struct AuditEntry: Hashable, Sendable, Codable {
    /// How the identity of the requester was proven.
    public enum Proof: Hashable, Sendable {
        /// The kernel reported the user of this machine.
        case kernel
        /// A token, with its name.
        case token(String)
        /// The password of a user on the network, or of an account of the machine.
        case password
        /// A token of OpenID Connect.
        case openID
        /// Credentials that are wrong or have expired. The user name is only claimed.
        case refused
        /// No proof: the user name is only claimed.
        case none

        /// The proof in one or two words, such as `kernel` or `token ci`.
        package var text: String {
            switch self {
            case .kernel: "kernel"
            case .token(let name): "token \(name)"
            case .password: "password"
            case .openID: "OpenID Connect"
            case .refused: "refused"
            case .none: "none"
            }
        }
    }

    /// The time of the response, in seconds since 1970.
    package var time: UnixTime
    /// The user, who is proven unless `proof` is `refused` or `none`.
    package var user: String
    /// The user for whom an administrator acts; nil for the requester itself.
    package var actsFor: String?
    /// The proof, as ``Proof/text``.
    package var proof: String
    /// The numeric IP address of the client; nil for a client on the Unix socket.
    package var address: String?
    /// The operation, such as `Print-Job`.
    package var operation: String
    package var printer: String?
    package var job: Int?
    /// The IPP status of the response, such as `successful-ok`.
    package var status: String

    package init(
        time: UnixTime, user: String, actsFor: String? = nil, proof: Proof, address: String? = nil, operation: String,
        printer: String? = nil, job: Int? = nil, status: String
    ) {
        (self.time, self.user, self.actsFor, self.proof) = (time, user, actsFor, proof.text)
        (self.address, self.operation, self.printer, self.job) = (address, operation, printer, job)
        self.status = status
    }
}

/// A selection of entries of the audit log.
public struct AuditQuery: Hashable, Sendable {
    /// The earliest time; nil for no limit.
    package var since: UnixTime?
    /// The user; nil for all users.
    package var user: String?
    /// The number of the job; nil for all jobs.
    package var job: Int?
    /// The maximum number of entries; the newest entries are selected.
    package var limit: Int

    /// The maximum number of entries in one response.
    package static let mostAtOnce = 1000

    package init(since: UnixTime? = nil, user: String? = nil, job: Int? = nil, limit: Int = mostAtOnce) {
        (self.since, self.user, self.job) = (since, user, job)
        self.limit = min(max(1, limit), Self.mostAtOnce)
    }

    /// Returns whether the query selects an entry.
    package func selects(_ entry: AuditEntry) -> Bool {
        entry.time >= since ?? 0 && user.map { $0 == entry.user || $0 == entry.actsFor } ?? true
            && job.map { $0 == entry.job } ?? true
    }
}
