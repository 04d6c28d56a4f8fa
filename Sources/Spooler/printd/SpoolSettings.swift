// Reads `printd.json5`, the settings of a spool.

import FoundationEssentials
import PrintModel
import PrintSpool
import PrintWork

/// The time for which the documents of ended jobs are kept.
enum DocumentKeeping: Equatable, Decodable {
    /// Documents are kept as long as the job: `true`.
    case asLongAsJobs
    /// Documents are not kept: `false`.
    case never
    /// Documents are kept for a number of days, but not longer than the job.
    case days(Int)

    /// The time in seconds for which a document is kept after its job has ended; nil if documents are kept as long as
    /// the job.
    var seconds: Double? {
        switch self {
        case .asLongAsJobs: nil
        case .never: 0
        case .days(let days): Double(days) * 86400
        }
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let isKept = try? value.decode(Bool.self) {
            self = isKept ? .asLongAsJobs : .never
        } else if let days = try? value.decode(Int.self), (0...36_500).contains(days) {
            self = .days(days)
        } else {
            throw SpoolSettings.SettingsError(
                description: "invalid value for keepDocuments: must be true, false, or 0 to 36500 days")
        }
    }
}

/// The users who may see the names, owners and options of jobs (CUPS JobPrivateAccess).
enum JobPrivateAccess: String, CaseIterable {
    /// The owner of the job and administrators.
    case owner
    /// All users.
    case all
}

/// The TLS setting for clients on TCP.
enum TLSSetting: Equatable {
    /// TLS with a certificate that printd creates: `true`.
    case ownCertificate
    /// TLS with a certificate and a key in PEM files, which may be one file: `{certificate, key}`.
    case files(certificate: String, key: String)
    /// No TLS: `false`.
    case off

    /// Returns the setting with absolute paths.
    ///
    /// Relative paths are resolved in `folder`.
    func resolved(in folder: String) -> TLSSetting {
        guard case .files(let certificate, let key) = self else { return self }
        func path(_ file: String) -> String { file.hasPrefix("/") ? file : "\(folder)/\(file)" }
        return .files(certificate: path(certificate), key: path(key))
    }
}

/// The settings of a spool from the file `printd.json5` in its folder.
///
/// Every key is optional.
///
/// `Spool/README.md` lists the keys. An unknown key or an invalid value is an error, because a user would not notice an
/// ignored setting.
struct SpoolSettings: Equatable {
    /// The TCP address to listen on: `HOST:PORT`.
    var listen: String?
    /// The TLS setting for clients on TCP.
    var tls = TLSSetting.ownCertificate
    /// The cupsd whose queues `cups:NAME` refers to: `HOST[:PORT]`, or the path of a socket.
    var cupsServer: String?
    /// The maximum number of ended jobs to keep.
    var keepJobs = 1000
    /// The number of days to keep an ended job.
    var keepDays = 7.0
    /// The time for which the documents of ended jobs are kept for reprints.
    var keepDocuments = DocumentKeeping.asLongAsJobs
    /// The number of days to keep accounting entries.
    var keepAccountingDays = 400.0
    /// The order in which jobs are printed.
    var queueOrder = QueueOrder.perPrinter
    /// The users who may see the private attributes of jobs.
    var jobPrivateAccess = JobPrivateAccess.owner
    /// The limits of one user in the spool.
    var budget = UserBudget()
    /// A PEM file of certificate authorities, which must have signed the certificates of printers.
    ///
    /// With nil, the first certificate of each printer is trusted.
    var tlsAuthorities: String?
    /// The resource limits of a worker for one document.
    var limits = WorkerLimits()
    /// The maximum number of concurrent workers; nil for the number of processors, but at least 2.
    var workerProcesses: Int?
    /// The user of the workers if `printd` runs as root.
    ///
    /// With nil, the user is `printq` if this user exists, otherwise `nobody`.
    var workerUser: String?
    /// Whether documents wait instead of being printed if the kernel has no Landlock.
    var requiresLandlock = true

    /// The reason why the file cannot be used.
    struct SettingsError: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads the settings of the spool in `folder`.
    ///
    /// Without a file, the defaults apply.
    init(folder: String) throws(SettingsError) {
        let path = "\(folder)/printd.json5"
        guard FileManager.default.fileExists(atPath: path) else {
            self.init()
            return
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingsError(description: "cannot read '\(path)'; make it readable for printd")
        }
        try self.init(json5: data, file: path)
        tls = tls.resolved(in: folder)
        if case .files(let certificate, let key) = tls {
            for (name, file) in [("certificate", certificate), ("key", key)]
            where !FileManager.default.isReadableFile(atPath: file) {
                throw SettingsError(description: "'\(path)': cannot read the file '\(file)' in tls.\(name)")
            }
        }
        guard let file = tlsAuthorities else { return }
        tlsAuthorities = file.hasPrefix("/") ? file : "\(folder)/\(file)"
        guard let file = tlsAuthorities, FileManager.default.isReadableFile(atPath: file) else {
            throw SettingsError(description: "'\(path)': cannot read the file '\(file)' in tlsAuthorities")
        }
    }

    /// Parses settings.
    ///
    /// `file` is the file name in error messages.
    init(json5 data: Data, file: String) throws(SettingsError) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            self = try decoder.decode(File.self, from: data).settings
        } catch let error as SettingsError {
            throw SettingsError(description: "'\(file)': \(error.description)")
        } catch let error as DecodingError {
            throw SettingsError(description: "'\(file)': \(Self.words(error))")
        } catch {
            throw SettingsError(description: "'\(file)' is not JSON5: \(error)")
        }
    }

    private init() {}

    private static func words(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) has a value of the wrong type"
        default: "invalid JSON5; check for a missing comma, quote or bracket"
        }
    }

    /// The contents of the file.
    private struct File: Decodable {
        var settings = SpoolSettings()

        private enum Keys: String, CodingKey, CaseIterable {
            case listen, cupsServer, keepJobs, keepDays, keepDocuments, keepAccountingDays, queueOrder, tlsAuthorities
            case worker, jobPrivateAccess, perUser, tls
        }
        private enum TLSKeys: String, CodingKey, CaseIterable { case certificate, key }
        private enum WorkerKeys: String, CodingKey, CaseIterable {
            case memoryMiB, processorSeconds, pageSeconds, wallSeconds, outputMiB, processes, user, requireLandlock
        }

        private enum UserKeys: String, CodingKey, CaseIterable { case jobs, incomingJobs, documentsMiB }

        init(from decoder: any Decoder) throws {
            try Self.refuseUnknown(Keys.self, in: decoder)
            let values = try decoder.container(keyedBy: Keys.self)
            settings.listen = try values.decodeIfPresent(String.self, forKey: .listen)
            settings.cupsServer = try values.decodeIfPresent(String.self, forKey: .cupsServer)
            settings.keepJobs = try Self.number(values, .keepJobs, 0...1_000_000_000) ?? settings.keepJobs
            settings.keepDays = Double(try Self.number(values, .keepDays, 0...36_500) ?? Int(settings.keepDays))
            settings.keepDocuments =
                try values.decodeIfPresent(DocumentKeeping.self, forKey: .keepDocuments) ?? settings.keepDocuments
            settings.keepAccountingDays = Double(
                try Self.number(values, .keepAccountingDays, 0...36_500) ?? Int(settings.keepAccountingDays))
            if let name = try values.decodeIfPresent(String.self, forKey: .queueOrder) {
                guard let order = QueueOrder(rawValue: name) else {
                    let names = QueueOrder.allCases.map(\.rawValue).joined(separator: " or ")
                    throw SettingsError(description: "invalid value '\(name)' for queueOrder: must be \(names)")
                }
                settings.queueOrder = order
            }
            settings.tlsAuthorities = try values.decodeIfPresent(String.self, forKey: .tlsAuthorities)
            if let name = try values.decodeIfPresent(String.self, forKey: .jobPrivateAccess) {
                guard let access = JobPrivateAccess(rawValue: name) else {
                    let names = JobPrivateAccess.allCases.map(\.rawValue).joined(separator: " or ")
                    throw SettingsError(description: "invalid value '\(name)' for jobPrivateAccess: must be \(names)")
                }
                settings.jobPrivateAccess = access
            }
            if values.contains(.tls) { settings.tls = try Self.tls(values) }
            if values.contains(.perUser) { try readBudget(values.superDecoder(forKey: .perUser)) }
            guard values.contains(.worker) else { return }
            let worker = try values.superDecoder(forKey: .worker)
            try Self.refuseUnknown(WorkerKeys.self, in: worker)
            let limits = try worker.container(keyedBy: WorkerKeys.self)
            if let value = try Self.number(limits, .memoryMiB, 256...1_048_576) {
                settings.limits.memoryBytes = value << 20
            }
            if let value = try Self.number(limits, .processorSeconds, 1...86_400) {
                settings.limits.processorSeconds = value
            }
            if let value = try Self.number(limits, .pageSeconds, 1...86_400) { settings.limits.pageSeconds = value }
            if let value = try Self.number(limits, .wallSeconds, 1...86_400) { settings.limits.wallSeconds = value }
            if let value = try Self.number(limits, .outputMiB, 1...1_048_576) {
                settings.limits.outputBytes = value << 20
            }
            settings.workerProcesses = try Self.number(limits, .processes, 1...1024)
            settings.workerUser = try limits.decodeIfPresent(String.self, forKey: .user)
            settings.requiresLandlock =
                try limits.decodeIfPresent(Bool.self, forKey: .requireLandlock) ?? settings.requiresLandlock
        }

        private static func tls(_ values: KeyedDecodingContainer<Keys>) throws -> TLSSetting {
            if let isOn = try? values.decode(Bool.self, forKey: .tls) { return isOn ? .ownCertificate : .off }
            guard let files = try? values.nestedContainer(keyedBy: TLSKeys.self, forKey: .tls) else {
                throw SettingsError(
                    description: "invalid value for tls: must be true, false, or {certificate: FILE, key: FILE}")
            }
            try refuseUnknown(TLSKeys.self, in: values.superDecoder(forKey: .tls))
            guard let certificate = try files.decodeIfPresent(String.self, forKey: .certificate) else {
                throw SettingsError(description: "tls has no certificate; it must be {certificate: FILE, key: FILE}")
            }
            let key = try files.decodeIfPresent(String.self, forKey: .key)
            return .files(certificate: certificate, key: key ?? certificate)
        }

        private mutating func readBudget(_ decoder: any Decoder) throws {
            try Self.refuseUnknown(UserKeys.self, in: decoder)
            let values = try decoder.container(keyedBy: UserKeys.self)
            if let value = try Self.number(values, .jobs, 1...1_000_000_000) { settings.budget.jobs = value }
            if let value = try Self.number(values, .incomingJobs, 1...1_000_000) {
                settings.budget.incomingJobs = value
            }
            if let value = try Self.number(values, .documentsMiB, 1...1_000_000_000) {
                settings.budget.documentBytes = value << 20
            }
        }

        private static func number<Key: CodingKey>(
            _ values: KeyedDecodingContainer<Key>, _ key: Key, _ range: ClosedRange<Int>
        ) throws -> Int? {
            guard let value = try values.decodeIfPresent(Int.self, forKey: key) else { return nil }
            guard range.contains(value) else {
                throw SettingsError(
                    description:
                        "invalid value \(value) for \(key.stringValue): "
                        + "must be \(range.lowerBound) to \(range.upperBound)"
                )
            }
            return value
        }

        private static func refuseUnknown<Key: CodingKey & CaseIterable>(
            _ keys: Key.Type, in decoder: any Decoder
        ) throws {
            let known = keys.allCases.map(\.stringValue)
            for key in try decoder.container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
                throw SettingsError(
                    description: "unknown setting '\(key.stringValue)'; use \(known.joined(separator: ", "))")
            }
        }

        private struct AnyKey: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }
}
