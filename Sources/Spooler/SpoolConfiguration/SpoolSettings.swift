// The values of all settings of a spool.

package import PrintModel

/// The time for which the documents of ended jobs are kept.
package enum DocumentKeeping: Equatable, Sendable {
    /// The value `true`: documents are kept as long as the job.
    case asLongAsJobs
    /// The value `false`: documents are not kept.
    case never
    /// A number of days for which documents are kept.
    ///
    /// A document is never kept longer than its job.
    case days(Int)

    /// The time in seconds for which a document is kept after its job has ended; nil if documents are kept as long as
    /// the job.
    package var seconds: Double? {
        switch self {
        case .asLongAsJobs: nil
        case .never: 0
        case .days(let days): Double(days) * 86400
        }
    }
}

/// The TLS setting for TCP connections of clients.
package enum TLSSetting: Equatable, Sendable {
    /// The value `true`: TLS with a certificate that printd creates.
    case ownCertificate
    /// The object `{certificate, key}`: TLS with a certificate and a key from PEM files.
    ///
    /// One file can contain the certificate and the key.
    case files(certificate: String, key: String)
    /// The value `false`: connections without TLS.
    case off
}

/// The values of all settings.
///
/// The table `Setting.all` describes each setting. A setting without a value has its default.
package struct SpoolSettings: Equatable, Sendable {
    private var values: [Setting: SettingValue] = [:]

    /// Creates settings with their default values.
    package init() {}

    /// Accesses the value of a setting.
    package subscript(setting: Setting) -> SettingValue {
        get { values[setting] ?? setting.standard }
        set { values[setting] = newValue }
    }

    /// Returns whether the values of all settings are equal.
    ///
    /// An explicit default is equal to a missing value.
    package static func == (one: SpoolSettings, other: SpoolSettings) -> Bool {
        Setting.all.allSatisfy { one[$0] == other[$0] }
    }

    private func number(_ setting: Setting) -> Double {
        if case .number(let number) = self[setting] { number } else { 0 }
    }

    private func integer(_ setting: Setting) -> Int { Int(number(setting)) }

    private func text(_ setting: Setting) -> String? {
        if case .text(let text) = self[setting] { text } else { nil }
    }

    private func list(_ setting: Setting) -> [String] {
        if case .list(let texts) = self[setting] { texts } else { [] }
    }

    /// The TCP address on which `printd` listens; nil for no TCP.
    package var listen: TCPAddress? { text(.listen).flatMap(TCPAddress.init) }
    /// The TLS setting for TCP connections of clients.
    package var tls: TLSSetting {
        switch self[.tls] {
        case .bool(false): .off
        case .files(let certificate, let key): .files(certificate: certificate, key: key)
        default: .ownCertificate
        }
    }
    /// The TCP addresses on which `printd` listens for clients on the network.
    package var networkAddresses: [TCPAddress] { list(.networkListen).compactMap { TCPAddress($0) } }
    /// The networks whose clients may connect.
    package var allowedNetworks: [IPNetwork] { list(.networkAllow).compactMap { IPNetwork($0) } }
    /// The networks whose clients can use shared printers without credentials; empty means all allowed networks.
    package var anonymousNetworks: [IPNetwork] { list(.networkAnonymous).compactMap { IPNetwork($0) } }
    /// The names and addresses of this server, for clients on the network; empty means the name of the machine.
    package var networkNames: [String] { list(.networkNames) }
    /// Whether clients on the network can use the passwords of the accounts of this machine.
    package var acceptsMachineAccounts: Bool { self[.networkPAM] == .bool(true) }
    /// The issuer of the tokens of OpenID Connect; nil for no provider.
    package var openIDIssuer: String? { text(.openIDIssuer) }
    /// The audience that a token must have.
    package var openIDAudience: String? { text(.openIDAudience) }
    /// The absolute path, or the address with the scheme `https:`, of the provider's keys.
    package var openIDKeys: String? { text(.openIDKeys) }
    package var openIDAlgorithms: [String] { list(.openIDAlgorithms) }
    /// The claim with the user name; nil for the default claims.
    package var openIDNameClaim: String? { text(.openIDNameClaim) }
    /// The end of the owner names of the provider's users; nil for the host of the issuer.
    package var openIDRealm: String? { text(.openIDRealm) }
    /// The claim with the groups of a user.
    package var openIDGroupsClaim: String { text(.openIDGroupsClaim) ?? "groups" }
    /// The groups with each scope.
    package var openIDGroups: (look: [String], submit: [String], manage: [String]) {
        (list(.openIDLookGroups), list(.openIDSubmitGroups), list(.openIDManageGroups))
    }
    /// The URI of the PostgreSQL database of the queue; nil means SQLite in the folder of the spool.
    package var store: String? { text(.store) }
    /// The unique name of this host among the hosts that share the database; nil means the host name of the machine.
    package var hostName: String? { text(.hostName) }
    /// The idle time in seconds after which printd exits; 0 means never.
    package var idleExitSeconds: Double { number(.idleExitSeconds) }
    /// The CUPS server to which device URIs of the form `cups:NAME` refer.
    ///
    /// The value is `HOST[:PORT]` or the path of a socket; nil means the default server.
    package var cupsServer: String? { text(.cupsServer) }
    /// The folder with the simulated printers' definitions; nil means the built-in printers of `printsim`.
    package var simulators: String? { text(.simulators) }
    /// The speed of the simulated printers; nil if each printer has the speed in its definition.
    package var simulatorSpeed: String? { text(.simulatorSpeed) }
    /// The values of jobs that other users do not see.
    package var jobPrivacy: JobPrivacy {
        JobPrivacy(
            scope: text(.jobPrivateAccess).flatMap(JobPrivacy.Scope.init) ?? .owner,
            names: Set(list(.jobPrivateValues)))
    }
    /// The path of the PEM file with the certificates of the trusted certificate authorities.
    ///
    /// One of these authorities must have signed the certificate of each printer. If the path is nil, `printd` trusts
    /// the first certificate of each printer.
    package var tlsAuthorities: String? { text(.tlsAuthorities) }
    /// The order in which jobs are printed.
    package var queueOrder: QueueOrder { text(.queueOrder).flatMap(QueueOrder.init) ?? .perPrinter }
    /// The maximum time in seconds between two attempts to print a job (CUPS JobRetryInterval).
    package var jobRetryInterval: Double { number(.jobRetryInterval) }
    /// The maximum number of ended jobs that are kept.
    package var keepJobs: Int { integer(.keepJobs) }
    /// The number of days for which an ended job is kept.
    package var keepDays: Double { number(.keepDays) }
    /// The time for which the documents of ended jobs are kept for reprints.
    package var keepDocuments: DocumentKeeping {
        switch self[.keepDocuments] {
        case .bool(false): .never
        case .number(let days): .days(Int(days))
        default: .asLongAsJobs
        }
    }
    /// The time in seconds for which a new job waits for its password.
    package var jobPasswordSeconds: Double { number(.jobPasswordHours) * 3600 }
    /// The number of days for which accounting entries are kept.
    package var keepAccountingDays: Double { number(.keepAccountingDays) }
    /// The maximum number of jobs of one owner that have not ended.
    package var perUserJobs: Int { integer(.perUserJobs) }
    /// The maximum number of jobs of one owner that wait for their documents.
    package var perUserIncomingJobs: Int { integer(.perUserIncomingJobs) }
    /// The maximum total size of one owner's documents, in bytes.
    package var perUserDocumentBytes: Int { integer(.perUserDocumentsMiB) << 20 }
    /// The maximum address space of a worker, in bytes.
    package var workerMemoryBytes: Int { integer(.workerMemoryMiB) << 20 }
    /// The maximum CPU time of a worker, in seconds.
    package var workerProcessorSeconds: Int { integer(.workerProcessorSeconds) }
    /// The maximum CPU time for one page, in seconds.
    package var workerPageSeconds: Int { integer(.workerPageSeconds) }
    /// The maximum wall-clock time of a worker, in seconds.
    package var workerWallSeconds: Int { integer(.workerWallSeconds) }
    /// The size limit of a file that a worker writes, in bytes.
    package var workerOutputBytes: Int { integer(.workerOutputMiB) << 20 }
    /// The maximum number of concurrent workers; nil means the number of processors, with a minimum of 2.
    package var workerProcesses: Int? { self[.workerProcesses] == .none ? nil : integer(.workerProcesses) }
    /// The system user of the worker processes if `printd` runs as root; nil means the user `printq` if it exists,
    /// otherwise `nobody`.
    package var workerUser: String? { text(.workerUser) }
    /// Whether workers require Landlock.
    ///
    /// If workers require Landlock and the kernel does not support Landlock, documents are not printed, and the jobs
    /// wait.
    package var requiresLandlock: Bool { self[.workerRequireLandlock] != .bool(false) }
}
